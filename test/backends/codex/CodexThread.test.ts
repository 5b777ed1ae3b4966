import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { AgentEvent } from "../../../src/agent/AgentEvent.ts"
import { declining, type TurnHostService } from "../../../src/agent/TurnHost.ts"
import { CodexThread } from "../../../src/backends/codex/internal/CodexThread.ts"
import type { RunningTurn } from "../../../src/backends/codex/internal/RunningTurn.ts"
import type { Notification } from "../../../src/backends/codex/internal/Wire.ts"
import { Closed, TransportError } from "../../../src/transport/TransportError.ts"
import { wellFormed } from "../../support/wellFormed.ts"
import {
  active,
  command,
  delta,
  idle,
  itemCompleted,
  itemStarted,
  message,
  notification,
  request,
  statusChanged,
  threadId,
  tokenUsage,
  turnCompleted,
  turnId,
  turnStarted,
  usageUpdated
} from "./support/messages.ts"

const gone = new TransportError({
  reason: new Closed({
    target: "codex",
    detail: "gone",
    process: { signal: "SIGKILL", stderrTail: "last words" }
  })
})

const make = Effect.fnUntraced(function*(options: { readonly isNew?: boolean; readonly host?: TurnHostService } = {}) {
  const outside = yield* Queue.unbounded<AgentEvent>()
  const adopted: Array<string> = []
  const rests: Array<RunningTurn> = []
  const thread = new CodexThread({
    isNew: options.isNew ?? true,
    host: options.host ?? declining,
    toolDeadline: "1 minute",
    outside,
    adopt: (id) => adopted.push(id),
    onIdle: (turn) => rests.push(turn)
  })
  const say = (...messages: ReadonlyArray<Notification>) => {
    for (const each of messages) thread.onNotification(each)
  }
  return { thread, say, adopted, rests, outside: Queue.clear(outside) }
})

/** All events of a turn that has ended. */
const eventsOf = Effect.fnUntraced(function*(turn: RunningTurn) {
  assert.isTrue(turn.projector.ended)
  const events = yield* Stream.runCollect(turn.buffer.stream)
  assert.deepStrictEqual(wellFormed(events, { turnId: turn.id }), [])
  return events
})

const tags = (events: ReadonlyArray<AgentEvent>) => events.map(({ _tag }) => _tag)

const approval = (id = turnId, thread = threadId) =>
  request("item/commandExecution/requestApproval", {
    threadId: thread,
    turnId: id,
    itemId: "c",
    startedAtMs: 1,
    command: "ls",
    cwd: "/tmp"
  })

const answering = (decision: "accept" | "decline"): TurnHostService => ({
  ...declining,
  approve: () => Effect.succeed(decision)
})

describe("CodexThread", () => {
  it.effect("has the whole turn when everything comes before the answer to its start", () =>
    Effect.gen(function*() {
      const { say, thread } = yield* make()
      thread.starting("turn", declining)
      say(statusChanged(active), turnStarted(), delta("m", "He"), itemCompleted(message("m", "Hello")))
      say(usageUpdated(tokenUsage([10, 0, 5, 0], [10, 0, 5, 0])), statusChanged(idle), turnCompleted())
      const turn = thread.bind(turnId)
      assert.strictEqual(thread.activity._tag, "Idle")
      assert.deepStrictEqual(yield* turn.outcome, { _tag: "Completed" })
      assert.deepStrictEqual(tags(yield* eventsOf(turn)), [
        "StatusChanged",
        "TurnStarted",
        "ItemStarted",
        "ItemDelta",
        "ItemCompleted",
        "UsageUpdated",
        "StatusChanged",
        "TurnEnded"
      ])
    }))

  it.effect("has it also when the connection ended meanwhile", () =>
    Effect.gen(function*() {
      const { say, thread } = yield* make()
      thread.starting("turn", declining)
      say(turnStarted(), itemCompleted(message("m", "Hello")), turnCompleted())
      thread.onClosed(gone)
      const turn = thread.bind(turnId)
      assert.deepStrictEqual(yield* turn.outcome, { _tag: "Completed" })
      yield* eventsOf(turn)
    }))

  it.effect("ends the running turn with the connection, its items closed", () =>
    Effect.gen(function*() {
      const { say, thread } = yield* make()
      const turn = thread.bind(turnId)
      say(turnStarted(), itemStarted(message("m")), delta("m", "half"))
      thread.onClosed(gone)
      const outcome = yield* turn.outcome
      assert(outcome._tag === "Failed" && outcome.error.reason._tag === "AgentDied")
      assert.deepInclude(outcome.error.reason, { signal: "SIGKILL", stderrTail: "last words", mayHaveReached: true })
      const events = yield* eventsOf(turn)
      assert.deepInclude(events.at(-2), { _tag: "ItemCompleted", closed: true })
    }))

  it.effect("ends a turn that is bound after the end of the connection", () =>
    Effect.gen(function*() {
      const { thread } = yield* make()
      thread.starting("turn", declining)
      thread.onClosed(gone)
      const outcome = yield* thread.bind(turnId).outcome
      assert.strictEqual(outcome._tag, "Failed")
      assert.strictEqual(thread.activity._tag, "Idle")
    }))

  it.effect("keeps turns of others out of ours: the rest of an older one, and one that codex starts itself", () =>
    Effect.gen(function*() {
      const { outside, say, thread } = yield* make()
      const turn = thread.bind(turnId)
      say(
        turnStarted(),
        delta("old", "stale", "turn-0"),
        turnCompleted("completed", { id: "turn-0" }),
        turnStarted("goal"),
        itemCompleted(message("g", "goal"), "goal"),
        turnCompleted("completed", { id: "goal" }),
        delta("m", "ours"),
        turnCompleted()
      )
      const ours = yield* eventsOf(turn)
      assert.deepStrictEqual(ours.flatMap((event) => event._tag === "ItemDelta" ? [event.delta] : []), ["ours"])
      const others = yield* outside
      assert.strictEqual(others.filter(({ _tag }) => _tag === "TurnEnded").length, 2)
      assert.isTrue(others.some((event) => event._tag === "ItemCompleted" && event.item.id === "g"))
    }))

  it.effect("shows what outlives its turn outside, without starting or ending the turn once more", () =>
    Effect.gen(function*() {
      const { outside, say, thread } = yield* make()
      const turn = thread.bind(turnId)
      say(turnStarted(), itemStarted(command("c", "inProgress")), turnCompleted("interrupted"))
      yield* eventsOf(turn)
      say(itemCompleted(command("c", "failed", "late")), turnCompleted("interrupted"))
      thread.onClosed(gone)
      const late = yield* outside
      assert.deepStrictEqual(tags(late), ["ItemStarted", "ItemCompleted"])
    }))

  it.effect("follows turns that speak in turn: a review speaks under two ids", () =>
    Effect.gen(function*() {
      const { outside, say } = yield* make()
      say(
        turnStarted("review"),
        itemStarted(message("a"), "review"),
        itemStarted(message("b"), "phantom"),
        delta("a", "one", "review"),
        delta("b", "two", "phantom"),
        itemCompleted(message("a", "one"), "review"),
        turnCompleted("completed", { id: "review" })
      )
      assert.deepStrictEqual(tags(yield* outside), [
        "TurnStarted",
        "ItemStarted",
        "TurnStarted",
        "ItemStarted",
        "ItemDelta",
        "ItemDelta",
        "ItemCompleted",
        "TurnEnded"
      ])
    }))

  it.effect("follows a bounded number of them, and ends the oldest when there are more", () =>
    Effect.gen(function*() {
      const { outside, say } = yield* make()
      for (let index = 0; index < 10; index++) say(turnStarted(`turn-${index}`))
      const ended = (yield* outside).filter((event) => event._tag === "TurnEnded")
      assert.deepStrictEqual(ended.map(({ outcome }) => outcome._tag), ["Incomplete", "Incomplete"])
    }))

  it.effect("knows a turn that announced itself under an id of its own, if input was folded into it", () =>
    Effect.gen(function*() {
      const { say, thread } = yield* make()
      say(turnStarted("goal"), delta("g", "before", "goal"))
      thread.starting("turn", declining)
      say(delta("g", "after", "goal"))
      const turn = thread.bind("goal")
      assert.isTrue(turn.projector.running)
      say(turnCompleted("completed", { id: "goal" }))
      const events = yield* eventsOf(turn)
      assert.deepStrictEqual(events.flatMap((event) => event._tag === "ItemDelta" ? [event.delta] : []), ["after"])
    }))

  it.effect("asks what became of a turn when the thread comes to rest without its end", () =>
    Effect.gen(function*() {
      const { rests, say, thread } = yield* make()
      const turn = thread.bind(turnId)
      say(statusChanged(active), turnStarted(), statusChanged(idle))
      assert.deepStrictEqual(rests, [turn])
      assert.isFalse(turn.projector.ended)
    }))

  it.effect("asks so too when all of that came before the answer to its start", () =>
    Effect.gen(function*() {
      const { rests, say, thread } = yield* make()
      thread.starting("turn", declining)
      say(statusChanged(active), turnStarted(), itemCompleted(message("m", "x")), statusChanged(idle))
      assert.deepStrictEqual(rests, [])
      const turn = thread.bind(turnId)
      assert.deepStrictEqual(rests, [turn])
    }))

  it.effect("does not take a failed start for a turn, and shows outside what was said", () =>
    Effect.gen(function*() {
      const { outside, say, thread } = yield* make()
      thread.starting("turn", declining)
      const bound = yield* Effect.forkChild(Effect.exit(thread.bound))
      yield* Effect.yieldNow
      say(turnStarted(), turnCompleted())
      thread.startFailed()
      assert.strictEqual(thread.activity._tag, "Idle")
      assert.isTrue(Exit.isFailure(yield* Fiber.join(bound)))
      assert.deepStrictEqual(tags(yield* outside), ["TurnStarted", "TurnEnded"])
    }))

  it.effect("keeps a bounded number of messages for a turn whose answer does not come", () =>
    Effect.gen(function*() {
      const { say, thread } = yield* make()
      thread.starting("turn", declining)
      say(turnStarted(), itemStarted(message("m")))
      for (let index = 0; index < 6000; index++) say(delta("m", "x"))
      const { activity } = thread
      assert(activity._tag === "Running")
      assert.strictEqual(activity.turn.id, turnId)
      assert.strictEqual(thread.bind(turnId), activity.turn)
      say(itemCompleted(message("m", "x".repeat(6000))), turnCompleted())
      yield* eventsOf(activity.turn)
    }))

  it.effect("takes the next turn that starts for the one of a compaction", () =>
    Effect.gen(function*() {
      const { say, thread } = yield* make()
      thread.starting("compaction", declining)
      const bound = yield* Effect.forkChild(thread.bound)
      yield* Effect.yieldNow
      say(turnStarted("compact"), itemCompleted({ type: "contextCompaction", id: "k" }, "compact"))
      const turn = yield* Fiber.join(bound)
      assert.strictEqual(turn.id, "compact")
      assert.isTrue(turn.compacted)
    }))

  describe("usage", () => {
    it.effect("that codex repeats while a turn starts is no usage of that turn", () =>
      Effect.gen(function*() {
        const { say, thread } = yield* make({ isNew: false })
        thread.starting("turn", declining)
        say(usageUpdated(tokenUsage([1000, 700, 60, 0], [1000, 700, 60, 0]), "turn-0"), turnStarted())
        const turn = thread.bind(turnId)
        say(usageUpdated(tokenUsage([1800, 1400, 125, 0], [800, 700, 65, 0])), turnCompleted())
        const usages = (yield* eventsOf(turn)).flatMap((event) => event._tag === "UsageUpdated" ? [event.usage] : [])
        assert.strictEqual(usages.length, 1)
        assert.deepInclude(usages[0], { input: 800, cachedInput: 700, output: 65, fresh: true })
      }))
  })

  it.effect("counts the usage of each turn from its own start", () =>
    Effect.gen(function*() {
      const { say, thread } = yield* make()
      const inputs: Array<number> = []
      for (const [id, total] of [["turn-1", 100], ["turn-2", 250]] as const) {
        const turn = thread.bind(id)
        say(usageUpdated(tokenUsage([total, 0, 0, 0], [1, 0, 0, 0]), id), turnCompleted("completed", { id }))
        for (const event of yield* eventsOf(turn)) if (event._tag === "UsageUpdated") inputs.push(event.usage.input)
      }
      assert.deepStrictEqual(inputs, [100, 150])
    }))

  describe("requests", () => {
    it.effect("are put to the host of the turn and show among its events", () =>
      Effect.gen(function*() {
        const { thread } = yield* make()
        thread.starting("turn", answering("accept"))
        const turn = thread.bind(turnId)
        assert.deepStrictEqual(yield* thread.onRequest(approval(), "0"), { decision: "accept" })
        thread.onNotification(turnCompleted())
        const events = yield* eventsOf(turn)
        assert.deepStrictEqual(tags(events), ["RequestOpened", "RequestResolved", "TurnEnded"])
      }))

    it.effect("that come before the answer to the start wait for it, and go to the same host", () =>
      Effect.gen(function*() {
        const { thread } = yield* make({ host: answering("decline") })
        thread.starting("turn", answering("accept"))
        const asked = yield* Effect.forkChild(thread.onRequest(approval(), "0"))
        yield* Effect.yieldNow
        const turn = thread.bind(turnId)
        assert.deepStrictEqual(yield* Fiber.join(asked), { decision: "accept" })
        thread.onNotification(turnCompleted())
        assert.include(tags(yield* eventsOf(turn)), "RequestOpened")
      }))

    it.effect("go to the host of the session when no turn of ours runs, or none came of the start", () =>
      Effect.gen(function*() {
        const { thread } = yield* make({ host: answering("accept") })
        assert.deepStrictEqual(yield* thread.onRequest(approval("goal"), "0"), { decision: "accept" })
        thread.starting("turn", answering("decline"))
        const asked = yield* Effect.forkChild(thread.onRequest(approval(), "1"))
        yield* Effect.yieldNow
        thread.startFailed()
        assert.deepStrictEqual(yield* Fiber.join(asked), { decision: "accept" })
      }))

    for (
      const [name, end] of [
        ["the turn ends", turnCompleted("interrupted")],
        ["somebody else has answered", notification("serverRequest/resolved", { threadId, requestId: 0 })]
      ] as const
    ) {
      it.effect(`are withdrawn from the host when ${name}`, () =>
        Effect.gen(function*() {
          const interrupted = yield* Deferred.make<void>()
          const host: TurnHostService = {
            ...declining,
            approve: () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
          }
          const { thread } = yield* make()
          thread.starting("turn", host)
          const turn = thread.bind(turnId)
          const asked = yield* Effect.forkChild(thread.onRequest(approval(), "0"))
          yield* Effect.yieldNow
          thread.onNotification(end)
          assert.deepStrictEqual(yield* Fiber.join(asked), { decision: "decline" })
          yield* Deferred.await(interrupted)
          thread.onNotification(turnCompleted())
          const resolved = (yield* eventsOf(turn)).filter((event) => event._tag === "RequestResolved")
          assert.deepStrictEqual(resolved, [{ _tag: "RequestResolved", requestId: "0", resolution: "withdrawn" }])
        }))
    }
  })

  it.effect("notes the threads that its agents start", () =>
    Effect.gen(function*() {
      const { adopted, say } = yield* make()
      say(itemCompleted({
        type: "collabAgentToolCall",
        id: "s",
        tool: "spawnAgent",
        status: "completed",
        senderThreadId: threadId,
        receiverThreadIds: ["child-1", "child-2"],
        agentsStates: {}
      }))
      assert.deepStrictEqual(adopted, ["child-1", "child-2"])
    }))
})
