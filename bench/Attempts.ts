/**
 * What turns and attempts cost on top of the wire, with a fake server in memory that costs all of them the same.
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { AgentBackend } from "../src/agent/AgentBackend.ts"
import { runAttempt, SessionBindings } from "../src/host/index.ts"
import { AppServerScript, FakeAppServer } from "../src/testing/index.ts"
import { compare } from "./Measure.ts"

const count = 300

const deltas = Array.from({ length: 20 }, (_, index) => `word ${index} `)

const script: AppServerScript.AppServerScript = {
  on: { "turn/start": [AppServerScript.wholeTurn(...AppServerScript.say("msg-$turn", deltas))] }
}

/** Writes requests and reads what comes of them, all by hand. */
const byHand = Effect.gen(function*() {
  const server = yield* FakeAppServer.make(script)
  const transport = yield* server.connect
  let done = yield* Deferred.make<void>()
  let awaited: ((message: { readonly id?: unknown; readonly method?: string }) => boolean) | undefined
  yield* transport.receive.pipe(
    Effect.map((frames) => {
      for (const frame of frames) {
        if (typeof frame === "string" && awaited?.(JSON.parse(frame)) === true) Deferred.doneUnsafe(done, Effect.void)
      }
    }),
    Effect.forever,
    Effect.ignore,
    Effect.forkScoped
  )
  return (id: number, method: string, until: NonNullable<typeof awaited>) =>
    Effect.suspend(() => {
      done = Deferred.makeUnsafe<void>()
      awaited = until
      return Effect.andThen(
        transport.send([JSON.stringify({ id, method, params: { threadId: "thread-1", input: [] } })]),
        Deferred.await(done)
      )
    })
})

const completed = ({ method }: { readonly method?: string }): boolean => method === "turn/completed"

const turnsByHand = Effect.scoped(Effect.gen(function*() {
  const call = yield* byHand
  for (let id = 0; id < count; id++) yield* call(id, "turn/start", completed)
}))

const attemptsByHand = Effect.scoped(Effect.gen(function*() {
  const call = yield* byHand
  for (let id = 0; id < count; id++) {
    yield* call(3 * id, "thread/start", (message) => message.id === 3 * id)
    yield* call(3 * id + 1, "turn/start", completed)
    yield* call(3 * id + 2, "thread/unsubscribe", (message) => message.id === 3 * id + 2)
  }
}))

const backend = Effect.gen(function*() {
  const server = yield* FakeAppServer.make(script)
  return Context.get(yield* Layer.build(FakeAppServer.layerBackend(server)), AgentBackend)
})

const turns = Effect.scoped(Effect.gen(function*() {
  const session = yield* (yield* backend).openSession({})
  for (let turn = 0; turn < count; turn++) {
    yield* Effect.scoped(Effect.gen(function*() {
      const running = yield* session.startTurn({ input: [{ _tag: "Text", text: "go" }] })
      yield* Stream.runDrain(running.events)
    }))
  }
}))

const attempts = Effect.scoped(Effect.gen(function*() {
  const agent = yield* backend
  for (let attempt = 0; attempt < count; attempt++) {
    yield* runAttempt({ prompt: "go" }).pipe(Effect.provideService(AgentBackend, agent))
  }
})).pipe(Effect.provide(SessionBindings.layerMemory))

export const turnsAndAttempts = Effect.fnUntraced(function*(rounds: number) {
  yield* compare("Turns of 20 deltas on one thread, in memory", "turn", rounds, [
    { name: "the wire by hand", count, run: Effect.orDie(turnsByHand) },
    { name: "session.startTurn and its events", count, run: Effect.orDie(turns) }
  ])
  yield* compare("Attempts of one such turn on a thread of its own, in memory", "attempt", rounds, [
    { name: "the wire by hand", count, run: Effect.orDie(attemptsByHand) },
    { name: "runAttempt", count, run: Effect.orDie(attempts) }
  ])
})
