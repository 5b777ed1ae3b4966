import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { AgentBackend } from "../../src/agent/AgentBackend.ts"
import {
  AgentDied,
  type AgentErrorReason,
  BinaryMissing,
  InvalidInput,
  Rejected,
  SessionBusy
} from "../../src/agent/AgentError.ts"
import type { AgentEvent } from "../../src/agent/AgentEvent.ts"
import type * as Scenario from "../../src/backends/scripted/Scenario.ts"
import * as ScriptedBackend from "../../src/backends/scripted/ScriptedBackend.ts"
import { Selection } from "../../src/backends/selector/Selection.ts"
import * as ActiveRuns from "../../src/host/ActiveRuns.ts"
import { AttemptHandle } from "../../src/host/AttemptHandle.ts"
import type { AttemptParams } from "../../src/host/AttemptParams.ts"
import { runAttemptWith } from "../../src/host/RunAttempt.ts"
import * as SessionBindings from "../../src/host/SessionBindings.ts"

const missing = new BinaryMissing({ command: "first", detail: "it is not on the PATH" })
const say = (...deltas: ReadonlyArray<string>): Scenario.Step => ({ _tag: "Say", deltas })

/** An attempt on `first`, which `auto` has chosen, with `second` behind it. */
const attempt = Effect.fnUntraced(function*(
  { first, second, slow = 0, ...params }: Partial<AttemptParams> & {
    readonly first: Scenario.Scenario
    /** Missing where nobody may take the place of the first. */
    readonly second?: Scenario.Scenario
    /** Milliseconds before the first session is opened or fails. */
    readonly slow?: number
  }
) {
  const chosen = yield* ScriptedBackend.make({ id: "first", ...first })
  const other = second === undefined ? undefined : yield* ScriptedBackend.make({ id: "second", ...second })
  const asked: Array<string> = []
  const events: Array<AgentEvent> = []
  const result = yield* runAttemptWith({ prompt: "Hi", ...params }, {
    handle: new AttemptHandle(),
    tap: (event) => void events.push(event)
  }).pipe(
    Effect.provideService(AgentBackend, {
      ...chosen,
      openSession: (options) => Effect.delay(chosen.openSession(options), slow)
    }),
    Effect.provideService(Selection, {
      backend: "first",
      reason: "it seemed to work",
      candidates: [{ backend: "first", suitable: true, detail: "it seemed to work" }],
      instead: other && ((failed, needs) =>
        Effect.sync(() => {
          asked.push(`${failed.reason._tag} ${needs.join()}`)
          return Option.some({
            backend: other,
            selection: {
              backend: "second",
              reason: "first failed",
              candidates: [
                { backend: "first", suitable: false, detail: failed.message },
                { backend: "second", suitable: true, detail: "it is next" }
              ]
            }
          })
        }))
    })
  )
  return { result, asked, tags: events.map(({ _tag }) => _tag), events }
})

const provided = Effect.provide(Layer.merge(SessionBindings.layerMemory, ActiveRuns.layer))

describe("Fallback", () => {
  it.effect("another agent takes the place of one that could not be started, and the result says so", () =>
    Effect.gen(function*() {
      const ended: Array<string> = []
      const { asked, events, result, tags } = yield* attempt({
        first: { unavailable: missing },
        second: { fallback: [say("Hello from the second")] },
        onEnd: ({ status }) => void ended.push(status)
      })
      assert.deepInclude(result, {
        status: "completed",
        backend: "second",
        assistantTexts: ["Hello from the second"],
        selection: {
          backend: "second",
          reason: "first failed",
          candidates: [
            { backend: "first", suitable: false, detail: missing.message },
            { backend: "second", suitable: true, detail: "it is next" }
          ]
        }
      })
      assert.deepInclude(result.fallback, { from: "first", reason: missing.message })
      assert.strictEqual(result.fallback?.error._tag, "AgentError")
      assert.isUndefined(result.error)
      assert.isTrue(result.diagnostics.some((line) => line.startsWith("agentReplaced: first failed")))
      assert.deepStrictEqual(asked, ["BinaryMissing "])
      // One attempt, for whoever watches it.
      assert.deepStrictEqual(tags.slice(0, 2), ["Warning", "TurnStarted"])
      assert.deepStrictEqual(tags.filter((tag) => tag === "TurnEnded").length, 1)
      assert.deepInclude(events.at(-1), { _tag: "TurnEnded", outcome: { _tag: "Completed" } })
      assert.deepStrictEqual(ended, ["completed"])
    }).pipe(provided))

  it.effect("the attempt is listed with the agent that it is made on now", () =>
    Effect.gen(function*() {
      const runs = yield* ActiveRuns.ActiveRuns
      const listed = yield* Effect.forkChild(attempt({
        first: { unavailable: missing },
        second: { fallback: [{ _tag: "Hang" }] },
        runId: "run",
        slow: 1000
      }))
      yield* TestClock.adjust(500)
      assert.deepStrictEqual((yield* runs.list).map(({ backend, phase }) => [backend, phase]), [["first", "starting"]])
      yield* TestClock.adjust(600)
      assert.deepStrictEqual((yield* runs.list).map(({ backend, phase }) => [backend, phase]), [["second", "running"]])
      yield* runs.abort("run")
      yield* Fiber.join(listed)
      assert.deepStrictEqual(yield* runs.list, [])
    }).pipe(provided))

  it.effect("it happens once: the failure of the second is the result", () =>
    Effect.gen(function*() {
      const reason = new AgentDied({ detail: "it crashed", stderrTail: "", mayHaveReached: false })
      const { asked, result, tags } = yield* attempt({
        first: { unavailable: missing },
        second: { unavailable: reason }
      })
      assert.deepInclude(result, { status: "failed", backend: "second", stopReason: "agent_died" })
      assert.deepInclude(result.error, { backend: "second" })
      assert.strictEqual(result.fallback?.from, "first")
      assert.strictEqual(asked.length, 1)
      assert.deepStrictEqual(tags, ["Warning", "TurnEnded"])
    }).pipe(provided))

  it.effect("nobody replaces an agent that was asked for; the choice is in the result", () =>
    Effect.gen(function*() {
      const { result, tags } = yield* attempt({ first: { unavailable: missing } })
      assert.deepInclude(result, { status: "unavailable", backend: "first", stopReason: "binary_missing" })
      assert.deepInclude(result.selection, { backend: "first", reason: "it seemed to work" })
      assert.isUndefined(result.fallback)
      assert.deepStrictEqual(tags, ["TurnEnded"])
    }).pipe(provided))

  it.effect("what the agent has taken stays with it", () =>
    Effect.gen(function*() {
      const reason = new AgentDied({ detail: "it crashed", stderrTail: "", mayHaveReached: true })
      const { asked, result, tags } = yield* attempt({
        first: { turns: [{ steps: [{ _tag: "Fail", reason }] }] },
        second: {}
      })
      assert.deepInclude(result, { status: "failed", backend: "first", replay: { safe: false, reason: "accepted" } })
      assert.deepStrictEqual(asked, [])
      assert.strictEqual(tags.at(-1), "TurnEnded")
    }).pipe(provided))

  const refusals: ReadonlyArray<AgentErrorReason> = [
    new InvalidInput({ field: "model", detail: "there is no such model" }),
    new Rejected({ operation: "thread/start", detail: "not like this" }),
    new SessionBusy({ sessionId: "s", detail: "it is taken" })
  ]
  it.effect.each(refusals)(
    "a prompt that was refused is not tried elsewhere: $_tag",
    (unavailable) =>
      Effect.gen(function*() {
        const { asked, result } = yield* attempt({ first: { unavailable }, second: {} })
        assert.deepInclude(result, { status: "failed", backend: "first" })
        assert.deepStrictEqual(asked, [])
      }).pipe(provided)
  )

  it.effect("a conversation that has begun does not change its agent", () =>
    Effect.gen(function*() {
      const bindings = yield* SessionBindings.SessionBindings
      const id = SessionBindings.sessionId({ sessionKey: "chat" })
      if (id === undefined) return assert.fail("a key is an id")
      yield* bindings.set(id, { schemaVersion: 1, threadId: "t", backend: "first", createdAt: 1, updatedAt: 1 })
      const { asked, result } = yield* attempt({ first: { unavailable: missing }, second: {}, sessionKey: "chat" })
      assert.deepInclude(result, { status: "unavailable", backend: "first" })
      assert.deepStrictEqual(asked, [])
      assert.isTrue(Option.isSome(yield* bindings.get(id)))
    }).pipe(provided))

  it.effect("the other one is asked for what the attempt needs", () =>
    Effect.gen(function*() {
      const { asked } = yield* attempt({
        first: { capabilities: { outputSchema: false } },
        second: { fallback: [say("{}")] },
        outputSchema: { type: "object" },
        images: [{ url: "data:image/png;base64,AA==" }]
      })
      assert.deepStrictEqual(asked, ["CapabilityMissing outputSchema,images"])
    }).pipe(provided))

  it.effect("the deadline is that of both", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(attempt({
        first: { unavailable: missing },
        slow: 3_000,
        second: { fallback: [say("It begins"), { _tag: "Hang" }] },
        timeoutMs: 5_000
      }))
      yield* TestClock.adjust(4_999)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      const { result } = yield* Fiber.join(fiber)
      assert.strictEqual(yield* Clock.currentTimeMillis, 5_000)
      assert.deepInclude(result, { status: "timeout", backend: "second" })
      assert.strictEqual(result.fallback?.from, "first")
    }).pipe(provided))

  it.effect("an attempt that is stopped begins nowhere else", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(attempt({ first: {}, slow: 3_000, second: {}, timeoutMs: 1_000 }))
      yield* TestClock.adjust(1_000)
      const { asked, result, tags } = yield* Fiber.join(fiber)
      assert.deepInclude(result, {
        status: "timeout",
        backend: "first",
        replay: { safe: true, reason: "not_accepted" }
      })
      assert.deepStrictEqual(asked, [])
      assert.deepStrictEqual(tags, ["TurnEnded"])
    }).pipe(provided))

  it.effect("the choice of a selector says nothing of another agent", () =>
    Effect.gen(function*() {
      const failed = yield* attempt({ first: { id: "brought", unavailable: missing }, second: {} })
      assert.deepInclude(failed.result, { status: "unavailable", backend: "brought" })
      assert.isUndefined(failed.result.selection)
      assert.deepStrictEqual(failed.asked, [])
    }).pipe(provided))
})
