/**
 * What a call costs, against the least that a request over the same transport can be.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { Peer } from "../src/peer/index.ts"
import * as MemoryTransport from "../src/transport/MemoryTransport.ts"
import type { TransportService } from "../src/transport/Transport.ts"
import { compare } from "./Measure.ts"

const count = 20_000

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
}

const parse = (text: string): Message => JSON.parse(text)

/** Reads frames until the connection ends. */
const reading = (transport: TransportService, take: (message: Message) => Effect.Effect<void> | undefined) =>
  transport.receive.pipe(
    Effect.flatMap((frames) => {
      let effect: Effect.Effect<void> | undefined
      for (const frame of frames) {
        const next = typeof frame === "string" ? take(parse(frame)) : undefined
        if (next !== undefined) effect = effect === undefined ? next : Effect.andThen(effect, next)
      }
      return effect ?? Effect.void
    }),
    Effect.forever,
    Effect.ignore,
    Effect.forkScoped
  )

const echo = (transport: TransportService) =>
  reading(
    transport,
    ({ id, params }) =>
      id === undefined ? undefined : Effect.orDie(transport.send([JSON.stringify({ id, result: params })]))
  )

type Call = (params: { readonly n: number }) => Effect.Effect<unknown, unknown>

/** A map from ids to whoever waits. */
const bare = Effect.fnUntraced(function*(transport: TransportService) {
  const pending = new Map<number, Deferred.Deferred<unknown>>()
  let nextId = 0
  yield* reading(transport, ({ id = -1, result }) => {
    const waiting = pending.get(id)
    pending.delete(id)
    if (waiting !== undefined) Deferred.doneUnsafe(waiting, Effect.succeed(result))
    return undefined
  })
  const call: Call = (params) =>
    Effect.suspend(() => {
      const id = nextId++
      const waiting = Deferred.makeUnsafe<unknown>()
      pending.set(id, waiting)
      return Effect.andThen(
        transport.send([JSON.stringify({ id, method: "thread/read", params })]),
        Deferred.await(waiting)
      )
    })
  return call
})

const peer = Effect.fnUntraced(function*(transport: TransportService) {
  const made = yield* Peer.make(transport, {
    onNotification: () => {},
    onRequest: () => Effect.succeed({}),
    onDiagnostic: () => {}
  })
  const call: Call = (params) => made.call("thread/read", params)
  return call
})

const run = (caller: typeof bare, concurrency: number) =>
  Effect.scoped(Effect.gen(function*() {
    const [near, far] = yield* MemoryTransport.pair
    yield* echo(far)
    const call = yield* caller(near)
    yield* Effect.forEach(
      Array.from({ length: concurrency }, (_, worker) => worker),
      Effect.fnUntraced(function*() {
        for (let n = 0; n < count / concurrency; n++) yield* call({ n })
      }),
      { concurrency, discard: true }
    )
  }))

export const roundTrips = Effect.fnUntraced(function*(rounds: number) {
  for (const concurrency of [1, 50]) {
    yield* compare(`Calls, ${concurrency} at once, in memory`, "call", rounds, [
      { name: "a map from ids to callers", count, run: Effect.orDie(run(bare, concurrency)) },
      { name: "peer: deadline, window, retry", count, run: Effect.orDie(run(peer, concurrency)) }
    ])
  }
})
