import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { AgentBackend, type SessionOptions, type TurnInput } from "../../src/agent/AgentBackend.ts"
import { AgentDied, AgentError, BinaryMissing, SessionBusy } from "../../src/agent/AgentError.ts"
import type { AgentEvent, TurnOutcome } from "../../src/agent/AgentEvent.ts"
import { EventBuffer } from "../../src/agent/EventBuffer.ts"
import { TurnHost } from "../../src/agent/TurnHost.ts"
import type * as Scenario from "../../src/backends/scripted/Scenario.ts"
import * as ScriptedBackend from "../../src/backends/scripted/ScriptedBackend.ts"
import * as ActiveRuns from "../../src/host/ActiveRuns.ts"
import type { AttemptResult } from "../../src/host/AttemptResult.ts"
import { orFail, runAttempt } from "../../src/host/RunAttempt.ts"
import * as SessionBindings from "../../src/host/SessionBindings.ts"

const scripted = (...steps: ReadonlyArray<Scenario.Step>) =>
  withScenario({ turns: [{ steps }], fallback: [say("Yes")] })
const withScenario = (scenario: Scenario.Scenario) =>
  Layer.mergeAll(ScriptedBackend.layer(scenario), SessionBindings.layerMemory, ActiveRuns.layer)
const say = (...deltas: ReadonlyArray<string>): Scenario.Step => ({ _tag: "Say", deltas })
const hang: Scenario.Step = { _tag: "Hang" }

/** An agent made of what a test says about it. */
const handMade = (agent: {
  readonly open?: (options: SessionOptions) => Effect.Effect<void, AgentError>
  readonly start?: Effect.Effect<void, AgentError>
  readonly inputs?: Array<TurnInput>
  readonly drive?: (buffer: EventBuffer, interrupted: Deferred.Deferred<void>) => Effect.Effect<TurnOutcome>
  readonly durable?: boolean
}) => {
  const backend = "hand-made"
  const unused = Effect.die("not used here")
  const service = AgentBackend.of({
    id: backend,
    capabilities: {
      steer: true,
      interrupt: true,
      compact: false,
      resume: true,
      fork: false,
      goals: false,
      approvals: true,
      hostTools: true,
      images: true,
      reasoning: true,
      plan: true,
      models: false,
      outputSchema: true,
      sandbox: true
    },
    openSession: Effect.fnUntraced(function*(options) {
      yield* agent.open?.(options) ?? Effect.void
      return {
        ref: Effect.succeed({ backend, sessionId: "s1", durable: agent.durable ?? true }),
        model: "m1",
        startTurn: Effect.fnUntraced(function*(input) {
          agent.inputs?.push(input)
          yield* agent.start ?? Effect.void
          const buffer = new EventBuffer({ backend })
          const interrupted = yield* Deferred.make<void>()
          const driver = yield* (agent.drive?.(buffer, interrupted) ?? Effect.succeed({ _tag: "Completed" } as const))
            .pipe(
              Effect.tap((outcome) =>
                Effect.sync(() => {
                  buffer.offer({ _tag: "TurnEnded", outcome })
                  buffer.end()
                })
              ),
              Effect.forkScoped
            )
          const outcome = Effect.orDie(Fiber.join(driver))
          return {
            id: "t1",
            events: buffer.stream,
            steer: () => Effect.void,
            interrupt: Effect.andThen(
              Deferred.succeed(interrupted, undefined),
              Effect.map(outcome, (outcome) => ({ confirmed: true, outcome }))
            ),
            outcome
          }
        }),
        compact: unused,
        getGoal: unused,
        setGoal: () => unused,
        clearGoal: unused,
        events: unusedEvents
      }
    }),
    listModels: unused,
    probe: unused
  })
  return Layer.mergeAll(Layer.succeed(AgentBackend, service), SessionBindings.layerMemory, ActiveRuns.layer)
}
const unusedEvents = new EventBuffer({ backend: "hand-made" }).stream.pipe((stream) => stream as never)

describe("runAttempt", () => {
  it.effect("returns what the agent said and did", () =>
    Effect.gen(function*() {
      const result = yield* runAttempt({ prompt: "Hi", runId: "r1", sessionKey: "s", workspaceDir: "/work" })
      assert.strictEqual(result.status, "completed")
      assert.strictEqual(result.backend, "scripted")
      assert.deepStrictEqual(result.assistantTexts, ["Hello Hi"])
      assert.deepStrictEqual(result.reasoningTexts, ["Hm."])
      assert.deepStrictEqual(result.toolSummaries.map((tool) => [tool.name, tool.summary, tool.status]), [
        ["command", "ls", "completed"]
      ])
      assert.strictEqual(result.usage.total, 12)
      assert.deepStrictEqual(result.replay, { safe: false, reason: "tool_activity" })
      assert.isTrue(result.session?.durable)
      assert.strictEqual((yield* orFail(result)).runId, "r1")
    }).pipe(Effect.provide(scripted(
      { _tag: "Reason", summary: [["Hm", "."]] },
      { _tag: "Command", command: "ls" },
      say("Hello ", "{{prompt}}"),
      { _tag: "Use", input: 10, output: 2 }
    ))))

  it.effect("maps the parameters to the session and the turn", () => {
    const sessions: Array<SessionOptions> = []
    const inputs: Array<TurnInput> = []
    return Effect.gen(function*() {
      yield* runAttempt({
        prompt: "Look",
        images: [{ url: "https://a/b.png" }, { path: "/tmp/c.png" }],
        workspaceDir: "/work",
        model: "m",
        provider: "p",
        thinkLevel: "high",
        approvalPolicy: "never",
        sandbox: "read-only",
        extraSystemPrompt: "Be brief.",
        runId: "r1"
      })
      assert.deepInclude(sessions[0], {
        cwd: "/work",
        model: "m",
        provider: "p",
        effort: "high",
        approvalPolicy: "never",
        sandbox: "read-only",
        developerInstructions: "Be brief."
      })
      assert.deepStrictEqual(inputs[0]?.input, [
        { _tag: "Text", text: "Look" },
        { _tag: "ImageUrl", url: "https://a/b.png" },
        { _tag: "LocalImage", path: "/tmp/c.png" }
      ])
      assert.strictEqual(inputs[0]?.clientId, "r1")
    }).pipe(Effect.provide(handMade({ inputs, open: (options) => Effect.sync(() => void sessions.push(options)) })))
  })

  describe("outcomes", () => {
    it.effect("an agent that is not there is unavailable, and safe to replay", () =>
      Effect.gen(function*() {
        const result = yield* runAttempt({ prompt: "Hi" })
        assert.strictEqual(result.status, "unavailable")
        assert.strictEqual(result.session, null)
        assert.deepStrictEqual(result.replay, { safe: true, reason: "not_accepted" })
        const failure = yield* Effect.flip(orFail(result))
        assert.isTrue(failure.reason._tag === "NotCompleted" && failure.reason.result.status === "unavailable")
      }).pipe(Effect.provide(withScenario({ unavailable: new BinaryMissing({ command: "codex", detail: "ENOENT" }) }))))

    it.effect("an agent that dies keeps what it said, and is no success", () =>
      Effect.gen(function*() {
        const result = yield* runAttempt({ prompt: "Hi" })
        assert.strictEqual(result.status, "failed")
        assert.strictEqual(result.stopReason, "agent_died")
        assert.deepStrictEqual(result.assistantTexts, ["Half"])
        assert.isFalse(result.replay.safe)
        assert.isTrue(result.error?._tag === "AgentError" && result.error.reason._tag === "AgentDied")
      }).pipe(Effect.provide(scripted(say("Half"), { _tag: "Die", exitCode: 3, stderrTail: "oops" }))))

    it.effect("a retry is progress, not an end", () =>
      Effect.gen(function*() {
        const result = yield* runAttempt({ prompt: "Hi" })
        assert.strictEqual(result.status, "completed")
        assert.isTrue(result.diagnostics.some((line) => line.includes("retried")))
      }).pipe(
        Effect.provide(scripted({ _tag: "Retry", reason: new AgentDied(gone) }, say("Back.")))
      ))

    it.effect("a turn that came to rest without a word is incomplete, and keeps its text", () =>
      Effect.gen(function*() {
        const result = yield* runAttempt({ prompt: "Hi" })
        assert.strictEqual(result.status, "incomplete")
        assert.deepStrictEqual(result.assistantTexts, ["Done, I think."])
      }).pipe(Effect.provide(
        scripted(say("Done, I think."), { _tag: "End", outcome: { _tag: "Incomplete", detail: "idle" } })
      )))

    it.effect("a start that may have arrived is not safe to replay; one that did not is", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual((yield* dyingAtStart(true)).replay, { safe: false, reason: "maybe_accepted" })
        assert.deepStrictEqual((yield* dyingAtStart(false)).replay, { safe: true, reason: "not_accepted" })
      }))

    it.effect("events that stop without an end are no success", () =>
      Effect.gen(function*() {
        const result = yield* runAttempt({ prompt: "Hi" })
        assert.strictEqual(result.status, "incomplete")
      }).pipe(Effect.provide(handMade({
        drive: (buffer) => Effect.as(Effect.sync(() => buffer.end()), { _tag: "Completed" })
      }))))

    it.effect("the start of a turn is told once, whether or not the agent tells it", () =>
      Effect.gen(function*() {
        const starts: Array<string> = []
        const onAgentEvent = (event: AgentEvent) => void (event._tag === "TurnStarted" && starts.push(event.turnId))
        yield* runAttempt({ prompt: "Hi", onAgentEvent })
        assert.deepStrictEqual(starts, ["t1"])
      }).pipe(Effect.provide(handMade({
        drive: (buffer) =>
          Effect.as(Effect.sync(() => buffer.offer({ _tag: "TurnStarted", turnId: "t1" })), { _tag: "Completed" })
      }))))

    it.effect("every attempt ends with one TurnEnded and one onEnd", () =>
      Effect.gen(function*() {
        for (const layer of [scripted(say("Hi")), scripted({ _tag: "Die" }), withScenario({ unavailable: missing })]) {
          const events: Array<AgentEvent["_tag"]> = []
          const results: Array<AttemptResult> = []
          yield* runAttempt({
            prompt: "Hi",
            onAgentEvent: (event) => void events.push(event._tag),
            onEnd: (result) => void results.push(result)
          }).pipe(Effect.provide(layer))
          assert.strictEqual(events.filter((tag) => tag === "TurnEnded").length, 1)
          assert.strictEqual(events.at(-1), "TurnEnded")
          assert.strictEqual(results.length, 1)
        }
      }))
  })

  describe("refusals", () => {
    it.effect("names the wrong parameter", () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(runAttempt({ prompt: "Hi", workspaceDir: "here" }))
        assert.isTrue(error.reason._tag === "InvalidParams" && error.reason.field === "workspaceDir")
      }).pipe(Effect.provide(scripted())))

    it.effect("names the capability that the backend lacks", () =>
      Effect.gen(function*() {
        const result = yield* runAttempt({ prompt: "Hi", outputSchema: { type: "object" } })
        assert.strictEqual(result.stopReason, "capability_missing")
        assert.isTrue(result.replay.safe)
      }).pipe(Effect.provide(withScenario({ capabilities: { outputSchema: false } }))))

    it.effect("refuses host tools that the backend cannot register", () =>
      Effect.gen(function*() {
        const host = yield* TurnHost
        const tools = [{ name: "t", description: "", inputSchema: { type: "object" } }]
        const result = yield* runAttempt({ prompt: "Hi" }).pipe(
          Effect.provideService(TurnHost, { ...host, tools })
        )
        assert.strictEqual(result.stopReason, "capability_missing")
      }).pipe(Effect.provide(withScenario({ capabilities: { hostTools: false } }))))
  })

  describe("deadlines", () => {
    it.effect("a deadline interrupts the agent and says whether it confirmed", () =>
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(runAttempt({ prompt: "Hi", timeoutMs: 1_000 }))
        yield* TestClock.adjust("999 millis")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 millis")
        const result = yield* Fiber.join(fiber)
        assert.strictEqual(result.status, "timeout")
        assert.strictEqual(result.stopReason, "timeout")
        assert.isTrue(result.interruptConfirmed)
        assert.deepStrictEqual(result.assistantTexts, ["Working"])
        assert.isTrue(result.error?._tag === "AgentError" && result.error.reason._tag === "TimedOut")
      }).pipe(Effect.provide(scripted(say("Working"), hang))))

    it.effect("a deadline also bounds a start that is never answered", () =>
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(runAttempt({ prompt: "Hi", timeoutMs: 1_000 }))
        yield* TestClock.adjust("1 seconds")
        const result = yield* Fiber.join(fiber)
        assert.strictEqual(result.status, "timeout")
        assert.deepStrictEqual(result.replay, { safe: false, reason: "maybe_accepted" })
        assert.isFalse(result.interruptConfirmed)
      }).pipe(Effect.provide(handMade({ start: Effect.never }))))

    it.effect("an end that comes at the moment of the deadline wins over it", () =>
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(runAttempt({ prompt: "Hi", timeoutMs: 1_000, idleTimeoutMs: 1_000 }))
        yield* TestClock.adjust("1 seconds")
        assert.strictEqual((yield* Fiber.join(fiber)).status, "completed")
      }).pipe(Effect.provide(handMade({
        drive: () => Effect.as(Effect.sleep("1 seconds"), { _tag: "Completed" })
      }))))

    it.effect("an answer that the agent finishes while it is asked to stop is not thrown away", () =>
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(runAttempt({ prompt: "Hi", timeoutMs: 1_000 }))
        yield* TestClock.adjust("1 seconds")
        const result = yield* Fiber.join(fiber)
        assert.strictEqual(result.status, "completed")
        assert.deepStrictEqual(result.assistantTexts, ["Just in time"])
      }).pipe(Effect.provide(handMade({
        drive: (buffer, interrupted) =>
          Effect.gen(function*() {
            yield* Deferred.await(interrupted)
            const item = { _tag: "AgentMessage", id: "m", text: "Just in time" } as const
            buffer.offer({ _tag: "ItemCompleted", item, closed: false })
            return { _tag: "Completed" }
          })
      }))))

    it.effect("silence stops a turn, but not while an item is open", () =>
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(runAttempt({ prompt: "Hi", idleTimeoutMs: 1_000 }))
        // A command that runs for an hour without a sound is no silence.
        yield* TestClock.adjust("1 hours")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("999 millis")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 millis")
        const result = yield* Fiber.join(fiber)
        assert.strictEqual(result.status, "timeout")
        assert.strictEqual(result.stopReason, "idle_timeout")
        assert.strictEqual(yield* Clock.currentTimeMillis, 3_601_000)
      }).pipe(Effect.provide(scripted(
        { _tag: "Command", command: "sleep 3600", output: ["done"], millis: 3_600_000 },
        hang
      ))))
  })

  describe("interruption", () => {
    it.effect("interrupting the fiber interrupts the agent, and onEnd still gets the result", () =>
      Effect.gen(function*() {
        const started = yield* Deferred.make<void>()
        const ended: Array<AttemptResult> = []
        const fiber = yield* Effect.forkChild(runAttempt({
          prompt: "Hi",
          onEvent: (event) =>
            event._tag === "ItemDelta" ? Effect.asVoid(Deferred.succeed(started, undefined)) : Effect.void,
          onEnd: (result) => void ended.push(result)
        }))
        yield* Deferred.await(started)
        yield* Fiber.interrupt(fiber)
        const exit = yield* Fiber.await(fiber)
        assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
        const [result, ...more] = ended
        assert.strictEqual(more.length, 0)
        assert.strictEqual(result?.status, "interrupted")
        assert.isTrue(result?.interruptConfirmed)
        assert.deepStrictEqual(result?.assistantTexts, ["Working"])
      }).pipe(Effect.provide(scripted(say("Working"), hang))))

    it.effect("interrupting the fiber while the agent is asked to start tells onEnd as well", () =>
      Effect.gen(function*() {
        const ended: Array<AttemptResult> = []
        const fiber = yield* Effect.forkChild(runAttempt({
          prompt: "Hi",
          onEnd: (result) => void ended.push(result)
        }))
        yield* awaitPhase("starting")
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(ended.map((result) => [result.status, result.replay.reason]), [
          ["interrupted", "maybe_accepted"]
        ])
      }).pipe(Effect.provide(handMade({ start: Effect.never }))))

    it.effect("an interruption that the agent does not confirm is told as such", () =>
      Effect.gen(function*() {
        const runs = yield* ActiveRuns.ActiveRuns
        const fiber = yield* Effect.forkChild(runAttempt({ prompt: "Hi", runId: "r1" }))
        yield* awaitPhase("running")
        assert.isTrue(yield* runs.abort("r1", "enough"))
        const result = yield* joinAsTimePasses(fiber)
        assert.strictEqual(result.status, "interrupted")
        assert.isFalse(result.interruptConfirmed)
      }).pipe(Effect.provide(withScenario({ capabilities: { interrupt: false }, turns: [{ steps: [hang] }] }))))

    it.effect("closes what was open before the end", () =>
      Effect.gen(function*() {
        const events: Array<AgentEvent> = []
        const result = yield* runAttempt({
          prompt: "Hi",
          timeoutMs: 10,
          onAgentEvent: (event) => void events.push(event)
        }).pipe(Effect.forkChild, Effect.flatMap(joinAsTimePasses))
        assert.strictEqual(result.toolSummaries[0]?.status, "interrupted")
        assert.strictEqual(result.replay.reason, "active_item")
        const closed = events.findIndex((event) => event._tag === "ItemCompleted" && event.closed)
        assert.isTrue(closed !== -1 && closed < events.findIndex((event) => event._tag === "TurnEnded"))
      }).pipe(Effect.provide(scripted({ _tag: "LeaveOpen", kind: "command" }, hang))))
  })

  describe("active runs", () => {
    it.effect("steers, lists and awaits a run by its keys", () =>
      Effect.gen(function*() {
        const runs = yield* ActiveRuns.ActiveRuns
        const fiber = yield* Effect.forkChild(runAttempt({ prompt: "Hi", runId: "r1", sessionKey: "s1" }))
        yield* awaitPhase("running")
        assert.deepStrictEqual((yield* runs.list).map((run) => [run.runId, run.sessionKey, run.phase]), [
          ["r1", "s1", "running"]
        ])
        assert.isFalse(yield* runs.waitForEnd("r1", 0))
        const waiting = yield* Effect.forkChild(runs.waitForEnd("s1", "1 hours"), { startImmediately: true })
        assert.deepStrictEqual(yield* runs.queueMessage("s1", "left"), { _tag: "Accepted" })
        const result = yield* Fiber.join(fiber)
        assert.deepStrictEqual(result.assistantTexts, ["Turning left"])
        assert.isFalse(yield* runs.isActive("s1"))
        assert.isTrue(yield* runs.waitForEnd("r1", 0))
        assert.isTrue(yield* Fiber.join(waiting))
        assert.deepStrictEqual(yield* runs.queueMessage("s1", "right"), { _tag: "NotActive" })
        assert.isFalse(yield* runs.abort("r1"))
      }).pipe(Effect.provide(scripted({ _tag: "AwaitSteer" }, say("Turning {{steer}}")))))

    it.effect("a message the agent refuses is refused, not lost in silence", () =>
      Effect.gen(function*() {
        const runs = yield* ActiveRuns.ActiveRuns
        const fiber = yield* Effect.forkChild(runAttempt({ prompt: "Hi", runId: "r1" }))
        yield* awaitPhase("running")
        const outcome = yield* runs.queueMessage("r1", "left")
        assert.isTrue(outcome._tag === "Refused" && outcome.error.reason._tag === "NotSteerable")
        yield* Fiber.interrupt(fiber)
      }).pipe(Effect.provide(withScenario({ turns: [{ steerable: false, steps: [hang] }] }))))

    it.effect("a session has one attempt at a time, by key and by file", () =>
      Effect.gen(function*() {
        const first = yield* Effect.forkChild(
          runAttempt({ prompt: "Hi", runId: "r1", sessionKey: "s1", sessionFile: "/s/1" })
        )
        yield* awaitPhase("running")
        for (const second of [{ sessionKey: "s1" }, { sessionFile: "/s/../s/1" }, { runId: "r1" }]) {
          const error = yield* Effect.flip(runAttempt({ prompt: "Hi", ...second }))
          assert.isTrue(error.reason._tag === "SessionBusy" && error.reason.runId === "r1")
        }
        yield* Fiber.interrupt(first)
        const next = yield* runAttempt({ prompt: "Hi", sessionKey: "s1", sessionFile: "/s/1" })
        assert.strictEqual(next.status, "completed")
      }).pipe(Effect.provide(scripted(hang))))

    it.effect("the lane is free when onEnd is called, however slow callbacks are", () =>
      Effect.gen(function*() {
        const runs = yield* ActiveRuns.ActiveRuns
        const runSync = Effect.runSyncWith(yield* Effect.context<never>())
        const active: Array<boolean> = []
        yield* runAttempt({
          prompt: "Hi",
          runId: "r1",
          onEnd: () => void active.push(runSync(runs.isActive("r1")))
        })
        assert.deepStrictEqual(active, [false])
      }).pipe(Effect.provide(scripted(say("Hi")))))

    it.effect("an attempt that is refused leaves nothing registered", () =>
      Effect.gen(function*() {
        const runs = yield* ActiveRuns.ActiveRuns
        yield* Effect.flip(runAttempt({ prompt: "", runId: "r1" }))
        const error = yield* Effect.flip(
          runAttempt({ prompt: "Hi", sessionKey: "s1" }).pipe(Effect.provide(brokenDisk))
        )
        assert.strictEqual(error.reason._tag, "BindingFailed")
        assert.deepStrictEqual(yield* runs.list, [])
      }).pipe(Effect.provide(scripted())))
  })

  describe("sessions", () => {
    const key = { _tag: "Key", key: "s1" } as const

    it.effect("resumes the session of the conversation", () =>
      Effect.gen(function*() {
        const bindings = yield* SessionBindings.SessionBindings
        const first = yield* runAttempt({ prompt: "one", sessionKey: "s1" })
        const bound = Option.getOrThrow(yield* bindings.get(key))
        assert.strictEqual(bound.threadId, first.session?.sessionId)
        yield* TestClock.adjust("1 seconds")
        const second = yield* runAttempt({ prompt: "two", sessionKey: "s1" })
        assert.strictEqual(second.session?.sessionId, first.session?.sessionId)
        const again = Option.getOrThrow(yield* bindings.get(key))
        assert.strictEqual(again.createdAt, bound.createdAt)
        assert.isAbove(again.updatedAt, bound.updatedAt)
        yield* bindings.reset(key)
        const third = yield* runAttempt({ prompt: "three", sessionKey: "s1" })
        assert.notStrictEqual(third.session?.sessionId, first.session?.sessionId)
        assert.deepStrictEqual(third.diagnostics, [])
      }).pipe(Effect.provide(scripted())))

    it.effect("starts anew once when the agent has lost the session, and says so", () =>
      Effect.gen(function*() {
        const bindings = yield* SessionBindings.SessionBindings
        yield* bindings.set(key, { ...binding, backend: "scripted", threadId: "gone" })
        const warnings: Array<string> = []
        const result = yield* runAttempt({
          prompt: "Hi",
          sessionKey: "s1",
          onAgentEvent: (event) => void (event._tag === "Warning" && warnings.push(event.code))
        })
        assert.strictEqual(result.status, "completed")
        assert.deepStrictEqual(warnings, ["sessionLost"])
        assert.isTrue(result.diagnostics.some((line) => line.includes("gone")))
        const bound = Option.getOrThrow(yield* bindings.get(key))
        assert.strictEqual(bound.threadId, result.session?.sessionId)
      }).pipe(Effect.provide(scripted(say("Hi")))))

    it.effect("forgets a lost session, also when there is no new one", () =>
      Effect.gen(function*() {
        const bindings = yield* SessionBindings.SessionBindings
        yield* bindings.set(key, { ...binding, backend: "scripted", threadId: "gone" })
        yield* runAttempt({ prompt: "Hi", sessionKey: "s1" })
        assert.isTrue(Option.isNone(yield* bindings.get(key)))
      }).pipe(Effect.provide(withScenario({ turns: [{ refuse: missing, steps: [] }] }))))

    it.effect("a busy session is an error, never a new session", () => {
      const opened: Array<SessionOptions> = []
      return Effect.gen(function*() {
        const bindings = yield* SessionBindings.SessionBindings
        yield* bindings.set(key, binding)
        const result = yield* runAttempt({ prompt: "Hi", sessionKey: "s1" })
        assert.strictEqual(result.status, "failed")
        assert.strictEqual(result.stopReason, "session_busy")
        assert.isTrue(result.replay.safe)
        assert.strictEqual(opened.length, 1)
        assert.isTrue(Option.isSome(yield* bindings.get(key)))
      }).pipe(Effect.provide(handMade({
        open: (options) =>
          Effect.suspend(() => {
            opened.push(options)
            return Effect.fail(
              new AgentError({
                backend: "hand-made",
                reason: new SessionBusy({ sessionId: "t0", detail: "another writer" })
              })
            )
          })
      })))
    })

    it.effect("a session that the agent does not keep is not remembered", () =>
      Effect.gen(function*() {
        const bindings = yield* SessionBindings.SessionBindings
        yield* runAttempt({ prompt: "Hi", sessionKey: "s1" })
        assert.isTrue(Option.isNone(yield* bindings.get(key)))
      }).pipe(Effect.provide(withScenario({ durable: false, fallback: [] }))))

    it.effect("an attempt that was never accepted leaves no binding", () =>
      Effect.gen(function*() {
        const bindings = yield* SessionBindings.SessionBindings
        yield* runAttempt({ prompt: "Hi", sessionKey: "s1" })
        assert.isTrue(Option.isNone(yield* bindings.get(key)))
      }).pipe(Effect.provide(withScenario({ turns: [{ refuse: missing, steps: [] }] }))))

    it.effect("a disk that hangs does not hold the result", () =>
      Effect.gen(function*() {
        const fiber = yield* runAttempt({ prompt: "Hi", sessionKey: "s1" }).pipe(
          Effect.provide(hangingDisk),
          Effect.forkChild
        )
        const result = yield* joinAsTimePasses(fiber)
        assert.strictEqual(result.status, "completed")
        assert.isTrue(result.diagnostics.some((line) => line.startsWith("bindingNotSaved")))
      }).pipe(Effect.provide(scripted(say("Hi")))))
  })

  describe("structured output", () => {
    const outputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }

    it.effect("is validated and typed", () =>
      Effect.gen(function*() {
        const result = yield* runAttempt({ prompt: "Hi", outputSchema })
        assert.deepStrictEqual(result.structuredOutput, { n: 1 })
      }).pipe(Effect.provide(scripted({ _tag: "Say", deltas: ["Let me see."], phase: "commentary" }, say(`{"n":1}`)))))

    it.effect("fails when the answer does not fit, and keeps it", () =>
      Effect.gen(function*() {
        const result = yield* runAttempt({ prompt: "Hi", outputSchema })
        assert.strictEqual(result.status, "failed")
        assert.isTrue(result.error?._tag === "OutputInvalid" && result.error.raw === `{"n":"x"}`)
        assert.deepStrictEqual(result.assistantTexts, [`{"n":"x"}`])
      }).pipe(Effect.provide(scripted(say(`{"n":"x"}`)))))
  })
})

const dyingAtStart = (mayHaveReached: boolean) => {
  const reason = new AgentDied({ detail: "gone", stderrTail: "", mayHaveReached })
  return runAttempt({ prompt: "Hi" }).pipe(
    Effect.provide(handMade({ start: Effect.fail(new AgentError({ backend: "hand-made", reason })) }))
  )
}

const brokenDisk = SessionBindings.layerSidecar().pipe(Layer.provide(NodeServices.layer))

const hangingDisk = Layer.effect(
  SessionBindings.SessionBindings,
  Effect.map(
    SessionBindings.SessionBindings,
    (bindings) => SessionBindings.SessionBindings.of({ ...bindings, set: () => Effect.never })
  )
).pipe(Layer.provide(SessionBindings.layerMemory))

const gone = { detail: "gone", stderrTail: "", mayHaveReached: true }
const missing = new BinaryMissing({ command: "agent", detail: "ENOENT" })
const binding: SessionBindings.SessionBinding = {
  schemaVersion: 1,
  threadId: "t0",
  backend: "hand-made",
  createdAt: 1,
  updatedAt: 1
}

const joinAsTimePasses = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.raceFirst(Fiber.join(fiber), Effect.forever(TestClock.adjust("1 seconds")))

const awaitPhase = (phase: ActiveRuns.ActiveRun["phase"]) =>
  Effect.flatMap(ActiveRuns.ActiveRuns, (runs) =>
    Effect.yieldNow.pipe(
      Effect.andThen(runs.list),
      Effect.repeat({ until: (list) => list.some((run) => run.phase === phase) })
    ))
