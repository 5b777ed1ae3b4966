/**
 * The server side of a conversation: the protocol's schemas on top of a `Peer`, for one client.
 *
 * What comes from the client is read openly, what is sent to it is checked strictly before it leaves. Nothing here waits
 * for the client: what it does not take yet stands in a bounded queue, see {@link Options.queue}.
 */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Envelope from "../protocol/Envelope.ts"
import * as ErrorCodes from "../protocol/ErrorCodes.ts"
import type * as Open from "../protocol/generated/OpenTypes.ts"
import type * as Strict from "../protocol/generated/StrictTypes.ts"
import * as Methods from "../protocol/Methods.ts"
import type { ProtocolError } from "../protocol/ProtocolError.ts"
import { goingAway, type ServerTransport } from "../transport/ServerTransport.ts"
import type { Inbound } from "../transport/Transport.ts"
import type { TransportError } from "../transport/TransportError.ts"
import * as Outbox from "./internal/Outbox.ts"
import { refusal } from "./internal/Refusal.ts"
import * as Peer from "./Peer.ts"
import { InvalidParams, MalformedReply, PeerError } from "./PeerError.ts"

/** What a server noticed and went on after. */
export type Diagnostic =
  | Peer.Diagnostic
  /** Something of ours that does not fit the protocol: it was not sent. A bug of this side. */
  | {
    readonly _tag: "Unsent"
    readonly what: "notification" | "result"
    readonly method: string
    readonly detail: string
  }
  /** A notification that a client is not known to send, or one that does not fit its schema. */
  | { readonly _tag: "UnknownNotification"; readonly method: string }
  /** The client is too far behind, and was disconnected. */
  | { readonly _tag: "Overflow"; readonly frames: number; readonly characters: number }

/** One request that is being served. */
export interface Call {
  /** The client's id for it. */
  readonly id: Envelope.RequestId
  /**
   * Runs something right after the answer has been put into the queue, e.g. the notifications that belong behind it; in
   * the order of registration. Must not block. Runs as well if the answer is an error.
   */
  readonly afterAnswer: (run: () => void) => void
}

export interface ServerHandlers {
  /**
   * Runs on a fiber of its own, which ends with the connection; its exit is the answer. A result is checked before it
   * is sent; one that does not fit is answered with an internal error.
   */
  readonly onRequest: (request: Methods.ClientRequest, call: Call) => Effect.Effect<unknown, Peer.RpcFailure>
  /**
   * Answers a request whose method the schema does not name, as {@link onRequest} does; neither its params nor its
   * result are checked. `undefined` for a method that is not known here either.
   */
  readonly onUnlisted?:
    | ((method: string, params: unknown) => Effect.Effect<unknown, Peer.RpcFailure> | undefined)
    | undefined
  /** Called in wire order on the read loop; must not block. */
  readonly onNotification: (notification: Methods.ClientNotification) => void
  /** Besides the log, which has them all but for the noise of one client beyond its first hundred. Must neither block nor throw. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined
}

export interface Options {
  /** Inbound requests served at once; more are refused as overloaded. Default 512. */
  readonly inboundLimit?: number | undefined
  /**
   * What may wait for the client before it is disconnected with 1013. Default 65,536 frames, 64 Mi characters. From half
   * of that on nothing more is read of the client until it has caught up.
   */
  readonly queue?: Partial<Outbox.Limits> | undefined
  /**
   * Looks at each frame before it is queued, e.g. for its size; gives what is sent in its place, or `undefined` for
   * nothing. `methodOf`: the method of the request that an answer with this id is for. Must not throw.
   */
  readonly frame?:
    | ((frame: string, methodOf: (id: unknown) => string | undefined) => string | undefined)
    | undefined
  /** How long a client may ask for more in that state before it is disconnected as well. Default 30 seconds. */
  readonly stallTimeout?: Duration.Input | undefined
  /**
   * Gives the id of a request that names none: pass the same function to all connections, so that a request can be
   * asked again on another one. By default each connection counts from 0.
   */
  readonly nextRequestId?: (() => number) | undefined
}

/** A conversation in which the other side is a client. */
export interface ServerPeer {
  /**
   * Hands over a notification, in order with everything else. Neither waits nor throws: one that does not fit the
   * protocol is logged and left out.
   */
  readonly notify: <M extends keyof Strict.ServerNotifications>(
    method: M,
    params: Strict.ServerNotifications[M]["params"]
  ) => void
  /**
   * Asks the client, and waits as long as it takes: people answer these. Interrupting it drops the answer; the client
   * is told by `serverRequest/resolved`, which is the caller's to send.
   */
  readonly request: <M extends keyof Strict.ServerRequests & keyof Open.ServerRequests>(
    method: M,
    params: Strict.ServerRequests[M]["params"],
    options?: Peer.CallOptions
  ) => Effect.Effect<Open.ServerRequests[M]["result"], PeerError>
  /** How to wait until the client has taken enough of what is queued, or has left; `undefined` while it is not far behind. */
  readonly behind: () => Effect.Effect<void> | undefined
  /** Ends the conversation, behind what was sent before. */
  readonly disconnect: (detail: string, closeCode: number) => Effect.Effect<void>
  /** Waits for the end of the connection and says how it ended. */
  readonly closed: Effect.Effect<TransportError>
}

const defaultLimits: Outbox.Limits = { frames: 65_536, characters: 64 * 1024 * 1024 }
// Messages of a client that are looked at in one go: their answers have to leave before there are more.
const slice = 64
// What is being served when the client falls silent gets this long.
const lastAnswersGrace = Duration.seconds(1)
// What is still queued when the conversation ends gets this long.
const flushGrace = Duration.seconds(2)

// A client that sends nothing but noise must not fill the log.
const noiseLogged = 100

const isNoise = ({ _tag }: Diagnostic): boolean =>
  _tag === "Unreadable" || _tag === "Malformed" || _tag === "UnmatchedReply" || _tag === "UnknownNotification" ||
  _tag === "RequestRefused"

const invalid = (method: string, error: ProtocolError) =>
  new PeerError({ reason: new InvalidParams({ method, detail: error.message }) })

// Sockets and processes take real time, whatever clock the program has.
const inRealTime: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  Clock.Clock,
  Clock.Clock.defaultValue()
)

const log = (target: string, diagnostic: Diagnostic): Effect.Effect<void> => {
  const annotated = Effect.annotateLogs({ client: target })
  switch (diagnostic._tag) {
    case "Unsent":
      return annotated(Effect.logError(`NOT SENT: a ${diagnostic.what} of ${diagnostic.method}: ${diagnostic.detail}`))
    case "HandlerDefect":
      return annotated(Effect.logError(`The handler of ${diagnostic.method} died`, diagnostic.defect))
    case "Overflow":
      return annotated(Effect.logWarning(
        `Disconnected a client that was ${diagnostic.frames} messages (${diagnostic.characters} characters) behind`
      ))
    case "RequestRefused":
      return annotated(Effect.logWarning(`Refused ${diagnostic.method}: too many requests at once`))
    case "Unreadable":
      return annotated(Effect.logWarning(
        `Ignored a frame of ${diagnostic.frame.bytes} bytes that could not be read (${diagnostic.frame.reason})`
      ))
    case "Malformed":
      return annotated(Effect.logWarning(`Ignored a frame that is no message: ${diagnostic.detail}`))
    case "UnmatchedReply":
      return annotated(Effect.logDebug(`Ignored an answer to a request that is not open: ${diagnostic.id}`))
    case "UnknownNotification":
      return annotated(Effect.logDebug(`Ignored the notification ${diagnostic.method.slice(0, 100)}`))
  }
}

/**
 * Opens a conversation over a transport. It ends with the transport, or with the scope; then what is queued is sent,
 * for up to two seconds, and the client is disconnected.
 */
export const make = Effect.fnUntraced(function*(
  transport: ServerTransport,
  handlers: ServerHandlers,
  options: Options = {}
): Effect.fn.Return<ServerPeer, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const fork = Effect.runForkWith(yield* Effect.context<never>())

  let noise = 0

  const noticed = (diagnostic: Diagnostic): void => {
    if (isNoise(diagnostic)) noise++
    if (noise <= noiseLogged || !isNoise(diagnostic)) fork(log(transport.target, diagnostic))
    handlers.onDiagnostic?.(diagnostic)
  }

  const outbox = yield* Outbox.make(
    transport,
    { ...defaultLimits, ...options.queue },
    (frames, characters) => noticed({ _tag: "Overflow", frames, characters })
  )

  // Requests that are being served.
  let serving = 0
  const idle = yield* Latch.make(true)
  let unread: ReadonlyArray<Inbound> = []
  const stallTimeout = options.stallTimeout ?? Duration.seconds(30)

  /** Some of what the client has said; not before it has taken enough of what it was told. */
  const receive: ServerTransport["receive"] = Effect.gen(function*() {
    if (unread.length === 0) unread = yield* transport.receive
    else yield* Effect.yieldNow
    yield* outbox.room.pipe(Effect.timeoutOrElse({ duration: stallTimeout, orElse: () => Effect.sync(outbox.giveUp) }))
    const some = unread.slice(0, slice)
    unread = unread.slice(slice)
    return Arr.isReadonlyArrayNonEmpty(some) ? some : yield* transport.receive
  }).pipe(
    // A client that says no more may still read: what it has asked is answered first.
    Effect.tapError(() => idle.await.pipe(Effect.timeoutOption(lastAnswersGrace), inRealTime))
  )

  // Methods of the requests that are being served, by id.
  const methods = new Map<unknown, string>()
  const methodOf = (id: unknown) => methods.get(id)

  const push = (frame: string): void => {
    const given = options.frame === undefined ? frame : options.frame(frame, methodOf)
    if (given !== undefined) outbox.push(given)
  }

  // What belongs behind an answer, by the request that is answered.
  const following = new Map<Peer.InboundRequest, Array<() => void>>()

  const peer = yield* Peer.make(
    {
      target: transport.target,
      receive,
      send: (frames) => Effect.sync(() => frames.forEach(push))
    },
    {
      onNotification: ({ method, params }) => {
        const decoded = Methods.decodeClientNotification(method, params)
        if (Result.isSuccess(decoded)) handlers.onNotification(decoded.success)
        else noticed({ _tag: "UnknownNotification", method })
      },
      onRequest: (request) => {
        const { id, method, params } = request
        serving++
        methods.set(id, method)
        idle.closeUnsafe()
        const decoded = Methods.decodeClientRequest(method, params)
        if (Result.isFailure(decoded)) {
          const unlisted = decoded.failure.reason._tag === "UnknownMethod"
            ? handlers.onUnlisted?.(method, params)
            : undefined
          return unlisted ?? Effect.fail(refusal(method, params, decoded.failure))
        }
        const call: Call = {
          id,
          afterAnswer: (run) => {
            const runs = following.get(request)
            if (runs === undefined) following.set(request, [run])
            else runs.push(run)
          }
        }
        return Effect.flatMap(handlers.onRequest(decoded.success, call), (given) => {
          const result = given ?? {}
          // Whether it has the type is what this call finds out.
          const encoded = Methods.encodeClientResult(decoded.success.method, result as never)
          if (Result.isSuccess(encoded)) return Effect.succeed(result)
          noticed({ _tag: "Unsent", what: "result", method, detail: encoded.failure.message })
          return Effect.fail({ code: ErrorCodes.internalError, message: encoded.failure.message })
        })
      },
      onAnswered: (request) => {
        serving--
        methods.delete(request.id)
        if (serving === 0) idle.openUnsafe()
        const runs = following.get(request)
        if (runs === undefined) return
        following.delete(request)
        for (const run of runs) {
          try {
            run()
          } catch (defect) {
            noticed({ _tag: "HandlerDefect", method: request.method, defect })
          }
        }
      },
      onDiagnostic: noticed
    },
    {
      inboundLimit: options.inboundLimit ?? 512,
      firstId: 0,
      // These wait for people, who may be away for hours; the caller bounds them by interrupting.
      inFlight: 4096,
      deadline: Duration.infinity,
      overloadRetries: 0
    }
  )

  const disconnect = (detail: string, closeCode: number) =>
    outbox.flush.pipe(
      Effect.timeoutOption(flushGrace),
      inRealTime,
      Effect.andThen(Effect.sync(() => transport.disconnect(detail, closeCode)))
    )

  // Runs before the writer and the reader are interrupted.
  yield* Effect.addFinalizer(() => disconnect("the server has ended the conversation", goingAway))

  return {
    notify: (method, params) => {
      const encoded = Methods.encodeNotification(method, params)
      if (Result.isFailure(encoded)) {
        return noticed({ _tag: "Unsent", what: "notification", method, detail: encoded.failure.message })
      }
      let frame: string
      try {
        frame = Envelope.encode({ method, params: encoded.success, emittedAtMs: clock.currentTimeMillisUnsafe() })
      } catch (defect) {
        return noticed({ _tag: "Unsent", what: "notification", method, detail: String(defect) })
      }
      push(frame)
    },
    request: (method, params, callOptions) =>
      Effect.suspend(() => {
        const encoded = Methods.encodeServerParams(method, params)
        if (Result.isFailure(encoded)) return Effect.fail(invalid(method, encoded.failure))
        const id = callOptions?.id ?? options.nextRequestId?.()
        return Effect.flatMap(peer.call(method, encoded.success, { ...callOptions, id }), (result) => {
          const decoded = Methods.decodeServerResult(method, result)
          if (Result.isSuccess(decoded)) return Effect.succeed(decoded.success)
          return Effect.fail(new PeerError({ reason: new MalformedReply({ method, detail: decoded.failure.message }) }))
        })
      }),
    behind: () => outbox.hasRoom() ? undefined : outbox.room,
    disconnect,
    closed: peer.closed
  }
})
