/**
 * A peer on one end of a connection in memory, and a test on the other end that sees and says every frame itself.
 */
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { ClientPeer, Peer } from "../../../src/peer/index.ts"
import type * as Envelope from "../../../src/protocol/Envelope.ts"
import * as MemoryTransport from "../../../src/transport/MemoryTransport.ts"
import type { Inbound } from "../../../src/transport/Transport.ts"

/** A frame as the test reads it. */
export interface Frame {
  readonly id?: Envelope.RequestId | null
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: Envelope.JsonRpcError
}

/** The test's end of the connection. */
export interface Wire {
  /** The next frame that the peer has sent. */
  readonly next: Effect.Effect<Frame>
  /** As many frames as that. */
  readonly take: (count: number) => Effect.Effect<ReadonlyArray<Frame>>
  /** All frames that have arrived and were not taken. */
  readonly rest: Effect.Effect<ReadonlyArray<Frame>>
  /** Says messages in one batch. */
  readonly say: (...messages: Arr.NonEmptyReadonlyArray<Frame>) => Effect.Effect<void>
  /** Lets anything arrive at the peer. */
  readonly inject: (...items: Arr.NonEmptyReadonlyArray<Inbound>) => Effect.Effect<void>
  /** The text of every frame so far. */
  readonly texts: ReadonlyArray<string>
  readonly end: MemoryTransport.MemoryTransport
  /** The peer's own end. */
  readonly near: MemoryTransport.MemoryTransport
}

const wire = Effect.fnUntraced(function*(): Effect.fn.Return<Wire, never, Scope.Scope> {
  const [near, end] = yield* MemoryTransport.pair
  const frames = yield* Queue.unbounded<Frame>()
  const texts: Array<string> = []
  yield* end.receive.pipe(
    Effect.flatMap((batch) =>
      Effect.forEach(batch, (text) => {
        if (typeof text !== "string") return Effect.die("a peer sends text")
        texts.push(text)
        const frame: Frame = JSON.parse(text)
        return Queue.offer(frames, frame)
      })
    ),
    Effect.forever,
    Effect.ignore,
    Effect.forkScoped
  )
  return {
    next: Queue.take(frames),
    take: (count) => Queue.takeN(frames, count),
    rest: Effect.yieldNow.pipe(Effect.andThen(Effect.yieldNow), Effect.andThen(Queue.clear(frames))),
    say: (...messages) => {
      const [first, ...more] = messages
      return Effect.orDie(near.inject([JSON.stringify(first), ...more.map((message) => JSON.stringify(message))]))
    },
    inject: (...items) => Effect.orDie(near.inject(items)),
    texts,
    end,
    near
  }
})

const nothing = {
  onNotification: () => {},
  onRequest: () => Effect.succeed({})
}

/** A peer, and what it noticed. */
export const peer = Effect.fnUntraced(
  function*(handlers: Partial<Peer.PeerHandlers> = {}, options: Peer.PeerOptions = {}) {
    const other = yield* wire()
    const diagnostics: Array<Peer.Diagnostic> = []
    const made = yield* Peer.make(
      other.near,
      { ...nothing, onDiagnostic: (diagnostic) => diagnostics.push(diagnostic), ...handlers },
      options
    )
    return { peer: made, wire: other, diagnostics }
  }
)

/** A client peer, and what it noticed. */
export const client = Effect.fnUntraced(
  function*(handlers: Partial<ClientPeer.ClientHandlers> = {}, options: Peer.PeerOptions = {}) {
    const other = yield* wire()
    const diagnostics: Array<ClientPeer.Diagnostic> = []
    const made = yield* ClientPeer.make(
      other.near,
      {
        ...nothing,
        onUnrecognized: () => {},
        onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
        ...handlers
      },
      options
    )
    return { peer: made, wire: other, diagnostics }
  }
)
