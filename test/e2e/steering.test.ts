/**
 * Adding input to a turn that runs.
 */
import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { AgentEvent, TurnInput } from "../../src/agent/index.ts"
import { completed, isTextDelta, lastText, text } from "../support/conformanceKit.ts"
import * as Gate from "../support/Gate.ts"
import * as ModelTurn from "../support/ModelTurn.ts"
import * as RecordedRequest from "../support/RecordedRequest.ts"
import { assertUsable, cautious, layer as codex, open, realTime, requests, run, start, toldOf } from "./kit.ts"

const named = (text: string, clientId: string): TurnInput => ({ input: [{ _tag: "Text", text }], clientId })

const messages = (events: ReadonlyArray<AgentEvent>) =>
  completed(events, "UserMessage").map(({ item }) => [item.text, item.clientId])

layer(codex(), realTime)("steering", (it) => {
  it.effect("cuts the model short, closes the half message, and asks it again with both inputs", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const gate = yield* Gate.make
      const { end, seen, turn } = yield* start(session, named("Go straight", "first"), [
        ModelTurn.text("Going ", "str", gate),
        ModelTurn.text("Turning left")
      ])
      yield* seen((event) => event._tag === "ItemDelta" && event.delta === "str")
      yield* turn.steer(named("No, left", "second"))
      const { events, outcome } = yield* end
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      assert.deepStrictEqual(messages(events), [["Go straight", "first"], ["No, left", "second"]])
      assert.deepStrictEqual(
        completed(events, "AgentMessage").map(({ closed, item }) => [item.text, closed]),
        [["Going str", true], ["Turning left", false]]
      )
      const [first, second] = yield* requests(session)
      assert.strictEqual(yield* first?.ended ?? Effect.succeed("none"), "clientClosed")
      const told = second === undefined ? [] : RecordedRequest.userTexts(second)
      assert.deepStrictEqual(told.slice(-2), ["Go straight", "No, left"])
      yield* assertUsable(session)
    }))

  it.effect("lets the model finish its message where codex is set up so", () =>
    Effect.gen(function*() {
      const session = yield* open({ config: { "features.instant_interrupt": false } })
      const gate = yield* Gate.make
      const { end, seen, turn } = yield* start(session, named("Go straight", "first"), [
        ModelTurn.text("Going ", gate, "straight"),
        ModelTurn.text("Turning left")
      ])
      yield* seen(isTextDelta)
      yield* turn.steer(named("No, left", "second"))
      yield* gate.open
      const { events } = yield* end
      assert.deepStrictEqual(
        completed(events, "AgentMessage").map(({ closed, item }) => [item.text, closed]),
        [["Going straight", false], ["Turning left", false]]
      )
      assert.deepStrictEqual(messages(events), [["Go straight", "first"], ["No, left", "second"]])
    }))

  it.effect("right after the start, and several times, loses nothing", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const answer = yield* Gate.make
      // However many requests the inputs come to, the last one holds them all.
      const say = ModelTurn.turn([ModelTurn.wait(answer), ModelTurn.message(["All heard"])])
      const { end, turn } = yield* start(session, named("one", "1"), [say, say, say, say])
      yield* turn.steer(named("two", "2"))
      yield* turn.steer(named("three", "3"))
      yield* answer.open
      const { events, outcome } = yield* end
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      assert.deepStrictEqual(messages(events), [["one", "1"], ["two", "2"], ["three", "3"]])
      assert.strictEqual(lastText(events), "All heard")
      const last = (yield* requests(session)).at(-1)
      assert.deepStrictEqual(last === undefined ? [] : RecordedRequest.userTexts(last).slice(-3), [
        "one",
        "two",
        "three"
      ])
    }))

  it.effect("while an approval is open leaves it open, and reaches the model with its outcome", () =>
    Effect.gen(function*() {
      const session = yield* open(cautious)
      const [asked, decide] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const { end, turn } = yield* start(session, "Ask", [
        ModelTurn.turn([ModelTurn.functionCall("exec_command", { cmd: "touch steered" }, { callId: "steered-1" })]),
        ModelTurn.text("Both")
      ], {
        approve: () =>
          Deferred.succeed(asked, undefined).pipe(Effect.andThen(Deferred.await(decide)), Effect.as("accept"))
      })
      yield* Deferred.await(asked)
      yield* turn.steer(text("and be quick"))
      yield* Deferred.succeed(decide, undefined)
      const { events, outcome } = yield* end
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      assert.strictEqual(completed(events, "CommandExecution")[0]?.item.status, "completed")
      assert.isDefined(yield* toldOf(session, "steered-1"))
      const last = (yield* requests(session)).at(-1)
      assert.strictEqual(last === undefined ? "" : RecordedRequest.userTexts(last).at(-1), "and be quick")
    }))

  it.effect("after the end is refused, and reaches nobody", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const { turn } = yield* run(session, "Short", [ModelTurn.text("Done")])
      const error = yield* Effect.flip(turn.steer(text("too late")))
      assert.strictEqual(error.reason._tag, "NotSteerable")
      assert.isFalse(error.mayHaveReached)
      yield* assertUsable(session)
      assert.notInclude(JSON.stringify((yield* requests(session)).map((request) => request.json)), "too late")
    }))
})
