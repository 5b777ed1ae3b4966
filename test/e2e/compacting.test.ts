/**
 * Compaction of the context: on demand, by codex itself, and when it does not work out.
 */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import type { AgentEvent } from "../../src/agent/index.ts"
import { CodexBench } from "../support/CodexBench.ts"
import { completed, isTextDelta, lastText } from "../support/conformanceKit.ts"
import * as Gate from "../support/Gate.ts"
import * as ModelTurn from "../support/ModelTurn.ts"
import { wellFormed } from "../support/wellFormed.ts"
import {
  assertUsable,
  lastRequest,
  layer as codex,
  open,
  realTime,
  requests,
  run,
  script,
  start,
  unsaid
} from "./kit.ts"

layer(codex(), realTime)("compacting", (it) => {
  it.effect("on demand returns at its end; the summary is what the model is told from then on", () =>
    Effect.gen(function*() {
      const session = yield* open()
      yield* run(session, "A long story", [ModelTurn.text("Indeed a very long story")])
      const beside: Array<AgentEvent> = []
      yield* Effect.forkScoped(Stream.runForEach(session.events, (event) => Effect.sync(() => beside.push(event))))
      yield* script(session, ModelTurn.text("THE-SUMMARY"))
      assert.deepStrictEqual((yield* session.compact).outcome, { _tag: "Completed" })
      const { events } = yield* run(session, "And then?", [ModelTurn.text("The end")])
      assert.strictEqual(lastText(events), "The end")
      assert.deepStrictEqual(completed(events, "ContextCompaction"), [])
      const told = JSON.stringify((yield* lastRequest(session)).json)
      assert.include(told, "THE-SUMMARY")
      assert.notInclude(told, "Indeed a very long story")
      const turn = beside.slice(beside.findIndex((event) => event._tag === "TurnStarted"))
      const end = turn.findIndex((event) => event._tag === "TurnEnded")
      assert.deepStrictEqual(wellFormed(turn.slice(0, end + 1)), [])
      assert.strictEqual(completed(turn, "ContextCompaction")[0]?.item.status, "completed")
    }))

  it.effect("on demand with a model that refuses fails, and the session goes on with what it knew", () =>
    Effect.gen(function*() {
      const session = yield* open()
      yield* run(session, "Remember the duck", [ModelTurn.text("Quack")])
      yield* script(session, ModelTurn.httpError(400, { body: { error: { message: "no summary today" } } }))
      const { outcome } = yield* session.compact
      assert(outcome._tag === "Failed", outcome._tag)
      assert.include(outcome.error.message, "no summary today")
      yield* assertUsable(session)
      assert.include(JSON.stringify((yield* lastRequest(session)).json), "Quack")
    }))

  it.effect("is refused while a turn runs, and does not disturb it", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const gate = yield* Gate.make
      const { end, seen } = yield* start(session, "Speak", [ModelTurn.text("one ", gate, "two")])
      yield* seen(isTextDelta)
      const error = yield* Effect.flip(session.compact)
      assert.strictEqual(error.reason._tag, "SessionBusy")
      assert.isFalse(error.mayHaveReached)
      yield* gate.open
      const { events, outcome } = yield* end
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      assert.strictEqual(lastText(events), "one two")
    }))

  it.effect("that is given up is interrupted; a turn or another compaction beside it is refused", () =>
    Effect.gen(function*() {
      const session = yield* open()
      yield* assertUsable(session)
      const gate = yield* Gate.make
      yield* script(session, ModelTurn.text("a summ", gate, "ary"))
      const fiber = yield* Effect.forkChild(session.compact)
      yield* gate.reached
      assert.strictEqual((yield* Effect.flip(session.compact)).reason._tag, "SessionBusy")
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* (yield* lastRequest(session)).ended, "clientClosed")
      yield* assertUsable(session)
    }))

  it.effect("that the server's death cuts short fails, and the session goes on", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const session = yield* open()
      yield* assertUsable(session)
      const gate = yield* Gate.make
      yield* script(session, ModelTurn.text("a summ", gate, "ary"))
      const fiber = yield* Effect.forkChild(session.compact)
      yield* gate.reached
      yield* bench.kill
      const { outcome } = yield* Fiber.join(fiber)
      assert(outcome._tag === "Failed", outcome._tag)
      assert.strictEqual(outcome.error.reason._tag, "AgentDied")
      yield* assertUsable(session)
    }))

  it.effect("by codex itself is an item of the turn that it happens in, which goes on", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const { events, outcome } = yield* run(session, "Big", [
        ModelTurn.turn([ModelTurn.functionCall("exec_command", { cmd: "echo big" })], { usage: { input: 260_000 } }),
        ModelTurn.text("A summary"),
        ModelTurn.text("Went on")
      ])
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      assert.deepInclude(completed(events, "ContextCompaction")[0], { closed: false })
      assert.strictEqual(completed(events, "ContextCompaction")[0]?.item.status, "completed")
      assert.strictEqual(lastText(events), "Went on")
      assert.strictEqual(completed(events, "AgentMessage").length, 1)
      assert.strictEqual((yield* requests(session)).length, 3)
      assert.strictEqual(yield* unsaid(session), 0)
    }))
})
