import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { AgentEvent } from "../../src/agent/AgentEvent.ts"
import type { AgentItem } from "../../src/agent/AgentItem.ts"
import type { AttemptCallbacks } from "../../src/host/AttemptCallbacks.ts"
import * as Reducer from "../../src/host/AttemptReducer.ts"
import type { AttemptResult } from "../../src/host/AttemptResult.ts"
import { CallbackProjector } from "../../src/host/CallbackProjector.ts"
import * as Observers from "../../src/host/Observers.ts"

const message = (id: string, text: string, phase?: "commentary" | "final"): AgentItem => ({
  _tag: "AgentMessage",
  id,
  text,
  ...(phase === undefined ? {} : { phase })
})
const started = (item: AgentItem): AgentEvent => ({ _tag: "ItemStarted", item })
const done = (item: AgentItem, closed = false): AgentEvent => ({ _tag: "ItemCompleted", item, closed })
const delta = (itemId: string, text: string, field: "text" | "summary" | "plan" | "output" = "text"): AgentEvent => ({
  _tag: "ItemDelta",
  itemId,
  field,
  index: 0,
  delta: text
})
const tool = (status: "inProgress" | "completed"): AgentItem => ({
  _tag: "DynamicToolCall",
  id: "t",
  tool: "send",
  status,
  arguments: { to: "you" }
})

/** Everything that the callbacks were told, in order. */
const recorder = () => {
  const calls: Array<readonly [string, unknown]> = []
  const record = (name: string) => (payload: unknown) => void calls.push([name, payload])
  const callbacks: AttemptCallbacks = {
    onPartialReply: record("onPartialReply"),
    onAssistantMessageStart: record("onAssistantMessageStart"),
    onBlockReply: record("onBlockReply"),
    onReasoningStream: record("onReasoningStream"),
    onReasoningEnd: record("onReasoningEnd"),
    onPlanStream: record("onPlanStream"),
    onPlanUpdate: record("onPlanUpdate"),
    onStatus: record("onStatus"),
    onGuardianReview: record("onGuardianReview"),
    onDiffUpdate: record("onDiffUpdate"),
    onToolStart: record("onToolStart"),
    onToolOutput: record("onToolOutput"),
    onToolResult: record("onToolResult"),
    onUsage: record("onUsage"),
    onCompaction: record("onCompaction"),
    onRetry: record("onRetry"),
    onExecutionPhase: record("onExecutionPhase")
  }
  return { calls, callbacks, names: () => calls.map(([name]) => name) }
}

const projectAll = (events: ReadonlyArray<AgentEvent>) => {
  const recorded = recorder()
  const projector = new CallbackProjector(recorded.callbacks)
  for (const event of events) for (const { call } of projector.project(event)) void call()
  return recorded
}

const result: AttemptResult = Reducer.toResult(Reducer.make(), {
  backend: "test",
  runId: "r",
  outcome: { _tag: "Completed" },
  stop: undefined,
  acceptance: "yes",
  session: null,
  readOutput: undefined,
  diagnostics: []
})

describe("CallbackProjector", () => {
  it("tells a message from its start to its end, each phase once", () => {
    const { calls } = projectAll([
      { _tag: "TurnStarted", turnId: "t1" },
      started(message("a", "")),
      delta("a", "He"),
      delta("a", "llo"),
      done(message("a", "Hello")),
      delta("a", "late"),
      done(message("a", "Hello")),
      delta("b", "More")
    ])
    assert.deepStrictEqual(calls, [
      ["onExecutionPhase", { phase: "turn_accepted" }],
      ["onExecutionPhase", { phase: "assistant_output_started" }],
      ["onAssistantMessageStart", { itemId: "a" }],
      ["onPartialReply", { itemId: "a", text: "He", delta: "He" }],
      ["onPartialReply", { itemId: "a", text: "Hello", delta: "llo" }],
      ["onBlockReply", { itemId: "a", text: "Hello" }],
      ["onAssistantMessageStart", { itemId: "b" }],
      ["onPartialReply", { itemId: "b", text: "More", delta: "More" }]
    ])
  })

  it("keeps commentary out of the reply", () => {
    const { calls } = projectAll([
      started(message("a", "", "commentary")),
      delta("a", "Looking"),
      done(message("a", "Looking", "commentary"))
    ])
    assert.deepStrictEqual(calls, [])
  })

  it("tells a tool once, also when its start was never told", () => {
    const names = ["onExecutionPhase", "onToolStart", "onToolResult"]
    assert.deepStrictEqual(projectAll([done(tool("completed"))]).names(), names)
    assert.deepStrictEqual(
      projectAll([started(tool("inProgress")), done(tool("inProgress"), true), done(tool("completed"))]).names(),
      names
    )
  })

  it("tells proposed plans, the agent's status and reviews", () => {
    const { calls } = projectAll([
      delta("p", "Step one", "plan"),
      delta("p", ", step two", "plan"),
      { _tag: "StatusChanged", status: "active", flags: ["waitingOnApproval"] },
      { _tag: "GuardianReview", phase: "started", raw: { id: 1 } }
    ])
    assert.deepStrictEqual(calls, [
      ["onPlanStream", { itemId: "p", text: "Step one", delta: "Step one" }],
      ["onPlanStream", { itemId: "p", text: "Step one, step two", delta: ", step two" }],
      ["onStatus", { status: "active", flags: ["waitingOnApproval"] }],
      ["onGuardianReview", { phase: "started", raw: { id: 1 } }]
    ])
  })

  it("tells reasoning, plans, diffs, compaction and retries", () => {
    const { calls, names } = projectAll([
      delta("r", "one", "summary"),
      done({ _tag: "Reasoning", id: "r", summary: ["one"], content: [] }),
      { _tag: "PlanUpdated", steps: [] },
      { _tag: "DiffUpdated", diff: "+" },
      delta("c", "out", "output"),
      started({ _tag: "ContextCompaction", id: "k", status: "inProgress" }),
      done({ _tag: "ContextCompaction", id: "k", status: "completed" })
    ])
    assert.deepStrictEqual(names(), [
      "onReasoningStream",
      "onReasoningEnd",
      "onPlanUpdate",
      "onDiffUpdate",
      "onToolOutput",
      "onCompaction",
      "onCompaction"
    ])
    assert.deepStrictEqual(calls.at(-1)?.[1], { phase: "end", itemId: "k", completed: true })
  })
})

describe("Observers", () => {
  it.effect("a callback that throws or rejects is noted, and the others go on", () =>
    Effect.gen(function*() {
      let seen = 0
      const observers = yield* Observers.make("test", {
        onPartialReply: () => {
          throw new Error("boom")
        },
        onAssistantMessageStart: () => Promise.reject(new Error("no")),
        onEvent: () => Effect.die("dead"),
        onAgentEvent: () => void seen++
      })
      observers.offer(delta("a", "1"))
      observers.offer(delta("a", "2"))
      const diagnostics = yield* observers.drain
      assert.strictEqual(seen, 2)
      assert.isTrue(diagnostics.includes("onPartialReply threw: boom (2 times)"))
      assert.isTrue(diagnostics.includes("onAssistantMessageStart rejected: no"))
      assert.isTrue(diagnostics.some((line) => line.startsWith("onEvent failed") && line.includes("dead")))
    }))

  it.effect("a slow callback is awaited, so that calls do not overtake each other", () =>
    Effect.gen(function*() {
      const log: Array<string> = []
      const observers = yield* Observers.make("test", {
        onPartialReply: ({ delta }) =>
          Promise.resolve().then(() => Promise.resolve()).then(() => void log.push(`partial ${delta}`)),
        onBlockReply: () => void log.push("block")
      })
      observers.offer(delta("a", "1"))
      observers.offer(done(message("a", "1")))
      yield* observers.drain
      assert.deepStrictEqual(log, ["partial 1", "block"])
    }))

  it.effect("a callback that never settles is left behind, and not called again", () =>
    Effect.gen(function*() {
      let calls = 0
      const ends: Array<AttemptResult> = []
      const passed = yield* Deferred.make<void>()
      const observers = yield* Observers.make("test", {
        onPartialReply: () => {
          calls++
          return new Promise(() => {})
        },
        onBlockReply: () => Deferred.doneUnsafe(passed, Effect.void) ? undefined : undefined,
        onEnd: (result) => void ends.push(result)
      })
      observers.offer(delta("a", "1"))
      observers.offer(delta("a", "2"))
      observers.offer(done(message("a", "12")))
      // Long enough for one limit, not for two.
      yield* TestClock.adjust("6 seconds")
      yield* Deferred.await(passed)
      const diagnostics = yield* observers.drain
      assert.strictEqual(calls, 1)
      assert.isTrue(diagnostics.some((line) => line.includes("onPartialReply did not settle within 5000 ms")))
      yield* observers.end(result)
      assert.strictEqual(ends.length, 1)
    }))

  it.effect("the end waits a bounded time for callbacks", () =>
    Effect.gen(function*() {
      const observers = yield* Observers.make("test", { onPartialReply: () => new Promise(() => {}) })
      observers.offer(delta("a", "1"))
      const drain = yield* Effect.forkChild(observers.drain)
      yield* TestClock.adjust("2 seconds")
      const diagnostics = yield* Fiber.join(drain)
      assert.isTrue(diagnostics.some((line) => line.includes("still behind 2000 ms after the end")))
    }))

  it.effect("deltas are merged while callbacks are busy, and nothing is lost", () =>
    Effect.gen(function*() {
      const gate = Promise.withResolvers<void>()
      const texts: Array<string> = []
      const observers = yield* Observers.make("test", {
        onAssistantMessageStart: () => gate.promise,
        onPartialReply: ({ text }) => void texts.push(text)
      })
      const many = 20_000
      for (let index = 0; index < many; index++) observers.offer(delta("a", "x"))
      gate.resolve()
      assert.deepStrictEqual(yield* observers.drain, [])
      assert.isBelow(texts.length, 1_000)
      assert.strictEqual(texts.at(-1)?.length, many)
    }))

  it.effect("callbacks that stay too far behind are told what they missed", () =>
    Effect.gen(function*() {
      const observers = yield* Observers.make("test", { onAgentEvent: () => {} })
      for (let index = 0; index < 20_000; index++) observers.offer({ _tag: "DiffUpdated", diff: `${index}` })
      const diagnostics = yield* observers.drain
      assert.isTrue(diagnostics.some((line) => line.includes("not delivered")))
    }))

  it.effect("a failing onEnd is noted", () =>
    Effect.gen(function*() {
      const observers = yield* Observers.make("test", { onEnd: () => Promise.reject(new Error("late")) })
      assert.deepStrictEqual(yield* observers.end(result), ["onEnd rejected: late"])
    }))
})
