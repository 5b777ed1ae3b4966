/**
 * What codex does beside the turns that it is asked for: goals that go on by themselves, and agents of its agents.
 */
import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { AgentEvent, AgentSession, ApprovalRequest } from "../../src/agent/index.ts"
import { CodexBench } from "../support/CodexBench.ts"
import { completed, isTextDelta, lastText, text } from "../support/conformanceKit.ts"
import * as Gate from "../support/Gate.ts"
import * as ModelTurn from "../support/ModelTurn.ts"
import * as RecordedRequest from "../support/RecordedRequest.ts"
import { wellFormed } from "../support/wellFormed.ts"
import {
  anyThread,
  assertUsable,
  cautious,
  checked,
  eventsOf,
  interrupted,
  layer as codex,
  open,
  realTime,
  requests,
  run,
  script,
  Scripts,
  start
} from "./kit.ts"

const complete = ModelTurn.turn([ModelTurn.functionCall("update_goal", { status: "complete" })])

/** What happens outside of the session's own turns, to be waited for. */
const beside = Effect.fnUntraced(function*(session: AgentSession) {
  const queue = yield* Queue.unbounded<AgentEvent>()
  yield* Effect.forkScoped(Stream.runForEach(session.events, (event) => Queue.offer(queue, event)))
  return Effect.fnUntraced(function*(fits: (event: AgentEvent) => boolean) {
    const events: Array<AgentEvent> = []
    for (;;) {
      const event = yield* Queue.take(queue)
      events.push(event)
      if (fits(event)) return events
    }
  })
})

const isEnd = (event: AgentEvent): boolean => event._tag === "TurnEnded"

layer(codex(), realTime)("beside", (it) => {
  it.effect("a goal that codex pursues by itself is told of outside of our turns, and ours are not mixed up with it", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const until = yield* beside(session)
      const own = yield* run(session, "Hello", [ModelTurn.text("Hello")])
      assert.isNull(yield* session.getGoal)
      yield* script(session, ModelTurn.text("On it"), complete, ModelTurn.text("Reached"))
      const goal = yield* session.setGoal({ objective: "Ship it", status: "active", tokenBudget: 5000 })
      assert.deepInclude(goal, { objective: "Ship it", status: "active", tokenBudget: 5000, tokensUsed: 0 })

      const events = yield* until((event) =>
        event._tag === "ItemCompleted" && event.item._tag === "AgentMessage" && event.item.text === "Reached"
      )
      events.push(...yield* until(isEnd))
      // Two turns, one after the other, each whole.
      const ofTurns = events.slice(events.findIndex((event) => event._tag === "TurnStarted"))
      const first = ofTurns.findIndex(isEnd) + 1
      const between = ofTurns.slice(first).findIndex((event) => event._tag === "TurnStarted") + first
      assert.deepStrictEqual(wellFormed(ofTurns.slice(0, first)), [])
      assert.deepStrictEqual(wellFormed(ofTurns.slice(between)), [])
      assert.deepStrictEqual(
        completed(events, "AgentMessage").map((event) => event.item.text),
        ["On it", "Reached"]
      )
      assert.include(eventsOf(events, "GoalUpdated").map((event) => event.goal?.status), "complete")
      assert.deepStrictEqual(completed(own.events, "AgentMessage").map((event) => event.item.text), ["Hello"])

      assert.deepInclude(yield* session.getGoal, { objective: "Ship it", status: "complete" })
      yield* session.clearGoal
      assert.isNull(yield* session.getGoal)
      yield* assertUsable(session)
    }))

  it.effect("a turn that is asked for while codex pursues a goal joins in, and has an end of its own", () =>
    Effect.gen(function*() {
      const session = yield* open()
      yield* assertUsable(session)
      const gate = yield* Gate.make
      yield* script(
        session,
        ModelTurn.text("Pursuing ", gate),
        ModelTurn.text("Answering"),
        complete,
        ModelTurn.text("Over")
      )
      const until = yield* beside(session)
      yield* session.setGoal({ objective: "Ship it", status: "active" })
      yield* until(isTextDelta)
      const turn = yield* session.startTurn(text("By the way"))
      const events = checked(turn, yield* Stream.runCollect(turn.events))
      assert.deepStrictEqual(yield* turn.outcome, { _tag: "Completed" })
      assert.deepStrictEqual(completed(events, "UserMessage").map((event) => event.item.text), ["By the way"])
      assert.include(completed(events, "AgentMessage").map((event) => event.item.text), "Answering")
    }))

  it.effect("a turn that is stopped pauses the goal: codex does not go on with it by itself", () =>
    Effect.gen(function*() {
      const session = yield* open()
      yield* assertUsable(session)
      const gate = yield* Gate.make
      yield* script(session, ModelTurn.text("Pursuing ", gate), ModelTurn.text("Answering ", gate))
      const until = yield* beside(session)
      yield* session.setGoal({ objective: "Ship it", status: "active" })
      yield* until(isTextDelta)
      const turn = yield* session.startTurn(text("By the way"))
      yield* turn.events.pipe(Stream.filter(isTextDelta), Stream.take(1), Stream.runDrain)
      assert.isTrue((yield* turn.interrupt).confirmed)
      assert.deepInclude(yield* session.getGoal, { objective: "Ship it", status: "paused" })
      const before = (yield* requests(session)).length
      yield* run(session, "Next", [ModelTurn.text("Next")])
      assert.strictEqual((yield* requests(session)).length, before + 1)
    }))

  it.effect("a goal that cannot be set is refused with codex's reason", () =>
    Effect.gen(function*() {
      const session = yield* open()
      yield* assertUsable(session)
      const error = yield* Effect.flip(session.setGoal({ objective: "" }))
      assert.strictEqual(error.reason._tag, "Rejected")
      assert.include(error.message, "must not be empty")
      const unknown = yield* Effect.flip(session.setGoal({ objective: "x", status: "no such status" }))
      assert.strictEqual(unknown.reason._tag, "InvalidInput")
    }))

  // Codex offers agents of its own to models that it does not know.
  const spawning = { model: "made-up-model" }
  const spawn = ModelTurn.turn([
    ModelTurn.functionCall("spawn_agent", { message: "Do the child's part" }, {
      namespace: "multi_agent_v1",
      callId: "spawn-1"
    })
  ])

  /** The child's end, if it comes while the parent's turn runs, is told to the model in a request of its own. */
  const more = ModelTurn.turn([])

  it.effect("an agent of the agent stays apart: its turn neither ends nor speaks in its parent's", () =>
    Effect.gen(function*() {
      const { model } = yield* CodexBench
      const session = yield* open(spawning)
      const gate = yield* Gate.make
      ;(yield* Scripts).set(anyThread, [ModelTurn.text("The child speaks")])
      const { end, seen } = yield* start(session, "Delegate", [
        spawn,
        ModelTurn.text("The parent ", gate, "speaks"),
        more
      ])
      yield* seen(isTextDelta)
      const { sessionId } = yield* session.ref
      const child = yield* model.requestWhere((request) =>
        RecordedRequest.userTexts(request).includes("Do the child's part") &&
        RecordedRequest.threadId(request) !== sessionId
      )
      assert.strictEqual(yield* child.ended, "finished")
      yield* gate.open
      const { events, outcome } = yield* end
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      assert.deepStrictEqual(completed(events, "AgentMessage").map((event) => event.item.text), ["The parent speaks"])
      const [agent] = completed(events, "SubAgent")
      assert.deepInclude(agent?.item, { operation: "spawnAgent", status: "completed", prompt: "Do the child's part" })
      assert.strictEqual(agent?.item.sessionIds.join(), RecordedRequest.threadId(child))
      // Tokens of the child are not those of the turn.
      const asked = (yield* requests(session)).length
      assert.strictEqual(eventsOf(events, "UsageUpdated").at(-1)?.usage.total, 120 * asked)
    }))

  it.effect("what an agent of the agent asks leave for is asked of the parent's host", () =>
    Effect.gen(function*() {
      const session = yield* open({ ...cautious, ...spawning })
      const asked = yield* Deferred.make<ApprovalRequest>()
      const told = yield* Deferred.make<string>()
      const gate = yield* Gate.make
      ;(yield* Scripts).set(anyThread, [
        ModelTurn.turn([
          ModelTurn.functionCall("exec_command", { cmd: "touch by-the-child" }, { callId: "child-cmd" })
        ]),
        (request) => {
          Deferred.doneUnsafe(told, Effect.succeed(RecordedRequest.toolOutput(request, "child-cmd") ?? ""))
          return ModelTurn.text("Refused")
        }
      ])
      const { end } = yield* start(session, "Delegate", [spawn, ModelTurn.text("Wait ", gate, "over"), more], {
        approve: (request) => Effect.as(Deferred.succeed(asked, request), "decline")
      })
      const request = yield* Deferred.await(asked)
      const { sessionId } = yield* session.ref
      assert.strictEqual(request.itemId, "child-cmd")
      assert.notStrictEqual(request.sessionId, sessionId)
      assert.match(yield* Deferred.await(told), /rejected/i)
      yield* gate.open
      const { events, outcome } = yield* end
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      assert.deepStrictEqual(eventsOf(events, "RequestResolved").map((event) => event.resolution), ["decline"])
      assert.deepStrictEqual(completed(events, "CommandExecution"), [])
      assert.strictEqual(lastText(events), "Wait over")
    }))

  it.effect("interrupting the parent's turn withdraws what its agent asks for", () =>
    Effect.gen(function*() {
      const session = yield* open({ ...cautious, ...spawning })
      const [asked, gone] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const gate = yield* Gate.make
      ;(yield* Scripts).set(anyThread, [
        ModelTurn.turn([ModelTurn.functionCall("exec_command", { cmd: "touch child" }, { callId: "child-cmd-2" })]),
        ModelTurn.text("Refused")
      ])
      const { end, seen, turn } = yield* start(session, "Delegate", [spawn, ModelTurn.text("Wait ", gate)], {
        approve: () =>
          Deferred.succeed(asked, undefined).pipe(
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => Deferred.succeed(gone, undefined))
          )
      })
      yield* Deferred.await(asked)
      yield* seen(isTextDelta)
      assert.deepStrictEqual((yield* turn.interrupt).outcome, interrupted)
      yield* Deferred.await(gone)
      yield* end
      const next = yield* start(session, "Still there?", [ModelTurn.text("Still here."), more])
      assert.deepStrictEqual((yield* next.end).outcome, { _tag: "Completed" })
    }))
})
