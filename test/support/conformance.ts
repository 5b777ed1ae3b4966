/**
 * The one conformance suite of all backends: what a host may rely on, whatever agent is behind the seam.
 *
 * Each test gets a backend of its own. What a backend lacks is named with a reason: where the seam has a typed refusal,
 * the suite asserts the refusal; elsewhere the test is shown as skipped under that reason.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import {
  AgentBackend,
  type AgentSession,
  type AgentTurn,
  type Capabilities,
  type TurnOutcome
} from "../../src/agent/index.ts"
import { registerAsking } from "./conformanceAsking.ts"
import { type Aspect, ConformanceDriver, failureTags } from "./ConformanceDriver.ts"
import {
  assertUsable,
  assertWellFormed,
  completed,
  failedWith,
  isTextDelta,
  lastText,
  nobody,
  oneTurn,
  openSession,
  type Registrar,
  startTurn,
  text,
  textOf
} from "./conformanceKit.ts"
import { watchTurn } from "./watchTurn.ts"

export interface ConformanceOptions {
  readonly layer: Layer.Layer<AgentBackend | ConformanceDriver, unknown>
  /** `live` for a backend that is a real process. */
  readonly clock: "test" | "live"
  /** What the backend lacks, and why. */
  readonly missing?: Partial<Record<Aspect, string>> | undefined
}

/** The capabilities whose absence is refused with a type. */
const capabilityOf: ReadonlyMap<Aspect, keyof Capabilities> = new Map<Aspect, keyof Capabilities>([
  ["steer", "steer"],
  ["command", "approvals"],
  ["patch", "approvals"],
  ["hostTool", "hostTools"],
  ["compaction", "compact"],
  ["resume", "resume"],
  ["fork", "fork"],
  ["goals", "goals"],
  ["models", "models"]
])

/** Registers the suite. */
export const backendConformance = (name: string, options: ConformanceOptions): void => {
  const tester = options.clock === "live" ? it.live : it.effect
  const missing = options.missing ?? {}

  const test: Registrar["test"] = (title, body) =>
    tester(title, () => Effect.provide(Effect.scoped(body()), options.layer))
  const testOf: Registrar["testOf"] = (aspect, title, body) => {
    const reason = missing[aspect]
    if (reason === undefined) return test(title, body)
    // Where there is a typed refusal, that is what is tested in its place.
    if (!capabilityOf.has(aspect)) tester.skip(`${title} (${aspect}: ${reason})`, () => Effect.void)
  }
  const testRefusal: Registrar["testRefusal"] = (aspect, title, body) => {
    if (missing[aspect] === undefined) return
    test(`refuses ${title} with CapabilityMissing`, () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(body())
        assert.strictEqual(error.reason._tag, "CapabilityMissing")
        assert.include(error.message, capabilityOf.get(aspect) ?? aspect)
      }))
  }
  const registrar: Registrar = { test, testOf, testRefusal }

  describe(`${name}: backend conformance`, () => {
    test("what is said to be missing is what the capabilities say", () =>
      Effect.gen(function*() {
        const { capabilities } = yield* AgentBackend
        for (const [aspect, capability] of capabilityOf) {
          assert.strictEqual(capabilities[capability], missing[aspect] === undefined, `${aspect} and ${capability}`)
        }
      }))

    test("a probe tells a version and a line for people", () =>
      Effect.gen(function*() {
        const info = yield* (yield* AgentBackend).probe
        assert.isAbove(info.version.length, 0)
        assert.isAbove(info.detail.length, 0)
      }))

    testOf("models", "lists models under unique ids, at most one of them the default", () =>
      Effect.gen(function*() {
        const models = yield* (yield* AgentBackend).listModels
        assert.isAbove(models.length, 0)
        assert.strictEqual(new Set(models.map((model) => model.id)).size, models.length)
        assert.isAtMost(models.filter((model) => model.isDefault).length, 1)
      }))
    testRefusal("models", "a list of models", () => Effect.flatMap(AgentBackend, (backend) => backend.listModels))

    describe("text", () => {
      test("comes in deltas, then whole, and completes the turn", () =>
        Effect.gen(function*() {
          const { events, outcome } = yield* oneTurn({ kind: "text", parts: ["Good ", "morning", "!"] })
          assert.strictEqual(outcome._tag, "Completed")
          const message = completed(events, "AgentMessage").at(-1)
          assert.strictEqual(message?.item.text, "Good morning!")
          assert.isFalse(message?.closed)
          const deltas = events.flatMap((event) =>
            event._tag === "ItemDelta" && event.itemId === message?.item.id && event.field === "text"
              ? [event.delta]
              : []
          )
          assert.strictEqual(deltas.join(""), "Good morning!")
        }))

      test("can be read after the turn has ended", () =>
        Effect.gen(function*() {
          const session = yield* openSession()
          const turn = yield* startTurn(session, { kind: "text", parts: ["late"] })
          assert.strictEqual((yield* turn.outcome)._tag, "Completed")
          assertWellFormed(turn, yield* Stream.runCollect(turn.events))
        }))

      test("the next turn can be started as soon as the end has been read", () =>
        Effect.gen(function*() {
          const session = yield* openSession()
          const first = yield* startTurn(session, { kind: "text", parts: ["one"] })
          yield* Stream.runDrain(first.events)
          const second = yield* startTurn(session, { kind: "text", parts: ["two"] })
          const events = yield* Stream.runCollect(second.events)
          assertWellFormed(second, events)
          assert.notStrictEqual(second.id, first.id)
          assert.strictEqual(lastText(events), "two")
        }))

      test("of two sessions at once does not mix", () =>
        Effect.gen(function*() {
          const texts = ["alpha ".repeat(20), "omega ".repeat(20)]
          const found = yield* Effect.forEach(texts, (text) =>
            Effect.gen(function*() {
              const session = yield* openSession()
              const turn = yield* startTurn(session, { kind: "text", parts: text.split(/(?<= )/) })
              const events = yield* Stream.runCollect(turn.events)
              assertWellFormed(turn, events)
              return { id: (yield* session.ref).sessionId, text: lastText(events), events }
            }), { concurrency: "unbounded" })
          assert.deepStrictEqual(found.map((one) => one.text), texts)
          const [left, right] = found
          assert.notStrictEqual(left?.id, right?.id)
          assert.isFalse(JSON.stringify(left?.events).includes("omega"))
          assert.isFalse(JSON.stringify(right?.events).includes("alpha"))
        }))
    })

    testOf("reasoning", "tells reasoning as an item of its own, before the answer", () =>
      Effect.gen(function*() {
        const { events } = yield* oneTurn({ kind: "reasoning", summary: "Weighing it.", answer: "Yes." })
        const order = events.flatMap((event) => event._tag === "ItemCompleted" ? [event.item._tag] : [])
        const [reasoning] = completed(events, "Reasoning")
        assert.include(reasoning?.item.summary.join("\n"), "Weighing it.")
        assert.isBelow(order.indexOf("Reasoning"), order.lastIndexOf("AgentMessage"))
        assert.strictEqual(lastText(events), "Yes.")
      }))

    testOf("usage", "reports what each turn used, not the session's total", () =>
      Effect.gen(function*() {
        const session = yield* openSession()
        for (const input of [1000, 1500]) {
          const figures = { input, cachedInput: 400, output: 60, reasoningOutput: 20 }
          const turn = yield* startTurn(session, { kind: "usage", ...figures, answer: "counted" })
          const events = yield* Stream.runCollect(turn.events)
          assertWellFormed(turn, events)
          const usage = events.findLast((event) => event._tag === "UsageUpdated")?.usage
          assert.deepInclude(usage, { ...figures, total: input + 60, fresh: true })
        }
      }))

    registerAsking(registrar)

    describe("steering", () => {
      testOf("steer", "adds input to the running turn", () =>
        Effect.gen(function*() {
          const driver = yield* ConformanceDriver
          const session = yield* openSession()
          const prepared = yield* driver.prepare({ kind: "steer", parts: ["Going straight"], answer: "Turned." })
          const turn = yield* session.startTurn(prepared.input)
          const watched = yield* watchTurn(turn)
          yield* watched.seen(isTextDelta)
          yield* turn.steer(text("and now left"))
          yield* prepared.release
          const events = yield* watched.all
          assertWellFormed(turn, events)
          assert.include(completed(events, "UserMessage").map((event) => event.item.text), "and now left")
          assert.strictEqual(lastText(events), "Turned.")
        }))

      testOf("steer", "a turn that has ended is refused with NotSteerable", () =>
        Effect.gen(function*() {
          const session = yield* openSession()
          const turn = yield* startTurn(session, { kind: "text", parts: ["done"] })
          yield* turn.outcome
          const error = yield* Effect.flip(turn.steer(text("too late")))
          assert.strictEqual(error.reason._tag, "NotSteerable")
        }))

      testRefusal("steer", "steering", () =>
        Effect.gen(function*() {
          const session = yield* openSession()
          const turn = yield* startTurn(session, { kind: "hang", parts: ["on"] })
          yield* turn.steer(text("left"))
        }))
    })

    describe("interruption", () => {
      /** Confirmed wherever the agent can be interrupted at all. */
      const assertInterrupted = Effect.fnUntraced(function*(outcome: TurnOutcome) {
        const { capabilities } = yield* AgentBackend
        assert.deepStrictEqual(outcome, { _tag: "Interrupted", requested: true, confirmed: capabilities.interrupt })
      })

      test("before anything was said", () =>
        Effect.gen(function*() {
          const session = yield* openSession()
          const turn = yield* startTurn(session, { kind: "hang", parts: [] })
          const { outcome } = yield* turn.interrupt
          yield* assertInterrupted(outcome)
          assertWellFormed(turn, yield* Stream.runCollect(turn.events))
          yield* assertUsable(session)
        }))

      test("in the middle of a message keeps what was said", () =>
        Effect.gen(function*() {
          const session = yield* openSession()
          const turn = yield* startTurn(session, { kind: "hang", parts: ["Once ", "upon "] })
          const watched = yield* watchTurn(turn)
          yield* watched.seen((event) => event._tag === "ItemDelta" && event.delta.endsWith("upon "))
          const { outcome } = yield* turn.interrupt
          yield* assertInterrupted(outcome)
          const events = yield* watched.all
          assertWellFormed(turn, events)
          const message = completed(events, "AgentMessage").at(-1)
          assert.isTrue(message?.closed)
          assert.strictEqual(message?.item.text, "Once upon ")
          yield* assertUsable(session)
        }))

      testOf(
        "command",
        "while an approval is open withdraws it, and interrupts its handler",
        () =>
          Effect.gen(function*() {
            const session = yield* openSession()
            const asked = yield* Deferred.make<void>()
            const given = yield* Deferred.make<void>()
            const turn = yield* startTurn(session, { kind: "command", answer: "never" }, {
              approve: () =>
                Deferred.succeed(asked, undefined).pipe(
                  Effect.andThen(Effect.never),
                  Effect.onInterrupt(() => Deferred.succeed(given, undefined))
                )
            })
            yield* Deferred.await(asked)
            const { outcome } = yield* turn.interrupt
            yield* assertInterrupted(outcome)
            yield* Deferred.await(given)
            const events = yield* Stream.runCollect(turn.events)
            assertWellFormed(turn, events)
            assert.deepInclude(
              events.flatMap((event) => event._tag === "RequestResolved" ? [event.resolution] : []),
              "withdrawn"
            )
            assert.notStrictEqual(completed(events, "CommandExecution")[0]?.item.status, "completed")
            yield* assertUsable(session)
          })
      )

      test("does nothing to a turn that has ended", () =>
        Effect.gen(function*() {
          const session = yield* openSession()
          const turn = yield* startTurn(session, { kind: "text", parts: ["done"] })
          yield* turn.outcome
          assert.deepStrictEqual(yield* turn.interrupt, { confirmed: true, outcome: { _tag: "Completed" } })
          assertWellFormed(turn, yield* Stream.runCollect(turn.events))
        }))

      test("twice at once is one interruption", () =>
        Effect.gen(function*() {
          const session = yield* openSession()
          const turn = yield* startTurn(session, { kind: "hang", parts: ["and "] })
          const both = yield* Effect.all([turn.interrupt, turn.interrupt], { concurrency: "unbounded" })
          for (const { outcome } of both) yield* assertInterrupted(outcome)
          assertWellFormed(turn, yield* Stream.runCollect(turn.events))
        }))

      test("by closing the turn's scope", () =>
        Effect.gen(function*() {
          const session = yield* openSession()
          const scope = yield* Scope.make()
          const turn = yield* Scope.provide(startTurn(session, { kind: "hang", parts: ["and "] }), scope)
          yield* Scope.close(scope, Exit.void)
          yield* assertInterrupted(yield* turn.outcome)
          assertWellFormed(turn, yield* Stream.runCollect(turn.events))
          yield* assertUsable(session)
        }))

      test("by closing the session's scope", () =>
        Effect.gen(function*() {
          const scope = yield* Scope.make()
          const session = yield* Scope.provide(openSession(), scope)
          const turn = yield* startTurn(session, { kind: "hang", parts: ["and "] })
          yield* Scope.close(scope, Exit.void)
          yield* assertInterrupted(yield* turn.outcome)
          assertWellFormed(turn, yield* Stream.runCollect(turn.events))
        }))

      test("by interrupting the fiber that runs the turn", () =>
        Effect.gen(function*() {
          const session = yield* openSession()
          const speaking = yield* Deferred.make<AgentTurn>()
          const fiber = yield* Effect.scoped(Effect.gen(function*() {
            const turn = yield* startTurn(session, { kind: "hang", parts: ["and "] })
            yield* Stream.runForEach(turn.events, (event) =>
              isTextDelta(event) ? Deferred.succeed(speaking, turn) : Effect.void)
          })).pipe(Effect.forkScoped)
          const turn = yield* Deferred.await(speaking)
          yield* Fiber.interrupt(fiber)
          yield* assertInterrupted(yield* turn.outcome)
          yield* assertUsable(session)
        }))
    })

    describe("sessions", () => {
      test("run one turn at a time: a second is refused with SessionBusy and disturbs nothing", () =>
        Effect.gen(function*() {
          const session = yield* openSession()
          const turn = yield* startTurn(session, { kind: "hang", parts: ["and "] })
          const error = yield* Effect.flip(startTurn(session, { kind: "text", parts: ["me too"] }))
          assert.strictEqual(error.reason._tag, "SessionBusy")
          assert.isFalse(error.mayHaveReached)
          yield* turn.interrupt
          assertWellFormed(turn, yield* Stream.runCollect(turn.events))
        }))

      testOf("resume", "are resumed under their own id", () =>
        Effect.gen(function*() {
          const first = yield* Effect.scoped(Effect.gen(function*() {
            const session = yield* openSession()
            assert.isFalse((yield* session.ref).durable, "nothing to resume before the first turn")
            const turn = yield* startTurn(session, { kind: "text", parts: ["one"] })
            yield* Stream.runDrain(turn.events)
            return yield* session.ref
          }))
          assert.isTrue(first.durable)
          const session = yield* openSession({ resume: first })
          assert.strictEqual((yield* session.ref).sessionId, first.sessionId)
          yield* assertUsable(session)
        }))

      testOf("resume", "that nobody knows are refused with UnknownSession", () =>
        Effect.gen(function*() {
          const { id } = yield* AgentBackend
          const error = yield* Effect.flip(openSession({ resume: { ...nobody, backend: id } }))
          assert.strictEqual(error.reason._tag, "UnknownSession")
        }))

      testRefusal(
        "resume",
        "to resume",
        () => Effect.flatMap(AgentBackend, ({ id }) => openSession({ resume: { ...nobody, backend: id } }))
      )

      testOf(
        "fork",
        "are forked at a turn: the fork knows it and those before, and the source stays as it was",
        () =>
          Effect.gen(function*() {
            const driver = yield* ConformanceDriver
            const said: Array<string> = []
            const turnIds: Array<string> = []
            const speak = Effect.fnUntraced(function*(session: AgentSession) {
              const { input } = yield* driver.prepare({ kind: "text", parts: ["yes"] })
              const turn = yield* session.startTurn(input)
              yield* Stream.runDrain(turn.events)
              said.push(textOf(input))
              turnIds.push(turn.id)
            })
            const recalled = Effect.fnUntraced(function*(session: AgentSession) {
              const turn = yield* startTurn(session, { kind: "recall" })
              const answer = lastText(yield* Stream.runCollect(turn.events)) ?? ""
              return said.filter((text) => answer.split(" / ").includes(text))
            })
            const source = yield* openSession()
            yield* Effect.repeat(speak(source), { times: 2 })
            const [one = "", two = "", three] = said
            assert.isDefined(three)
            const sourceRef = yield* source.ref
            const fork = yield* openSession({ fork: { session: sourceRef, turnId: turnIds[1] ?? "" } })
            assert.deepStrictEqual(yield* recalled(fork), [one, two])
            const forkRef = yield* fork.ref
            assert.notStrictEqual(forkRef.sessionId, sourceRef.sessionId)
            // A fork keeps the ids of the turns.
            const second = yield* openSession({ fork: { session: forkRef, turnId: turnIds[0] ?? "" } })
            assert.deepStrictEqual(yield* recalled(second), [one])
            assert.deepStrictEqual(yield* recalled(source), said)
            assert.strictEqual((yield* source.ref).sessionId, sourceRef.sessionId)
          })
      )

      testOf("fork", "that have no such turn are not forked: UnknownSession", () =>
        Effect.gen(function*() {
          const { id } = yield* AgentBackend
          const session = yield* openSession()
          yield* assertUsable(session)
          const points = [
            { session: yield* session.ref, turnId: nobody.sessionId },
            { session: { ...nobody, backend: id }, turnId: nobody.sessionId }
          ]
          for (const fork of points) {
            assert.strictEqual((yield* Effect.flip(openSession({ fork }))).reason._tag, "UnknownSession")
          }
        }))

      testRefusal("fork", "to fork", () =>
        Effect.flatMap(
          AgentBackend,
          ({ id }) => openSession({ fork: { session: { ...nobody, backend: id }, turnId: nobody.sessionId } })
        ))

      testOf("goals", "keep a goal until it is cleared", () =>
        Effect.gen(function*() {
          const session = yield* openSession()
          yield* assertUsable(session)
          assert.isNull(yield* session.getGoal)
          const goal = yield* session.setGoal({ objective: "ship it", status: "paused" })
          assert.deepInclude(goal, { objective: "ship it", status: "paused" })
          assert.deepInclude(yield* session.getGoal, { objective: "ship it", status: "paused" })
          yield* session.clearGoal
          assert.isNull(yield* session.getGoal)
        }))
      testRefusal(
        "goals",
        "a goal",
        () => Effect.flatMap(openSession(), (session) => session.setGoal({ objective: "ship it" }))
      )
    })

    describe("compaction", () => {
      testOf("compaction", "returns when it is done, and the session goes on", () =>
        Effect.gen(function*() {
          const driver = yield* ConformanceDriver
          const session = yield* openSession()
          yield* assertUsable(session)
          yield* driver.prepare({ kind: "compaction" })
          assert.deepStrictEqual((yield* session.compact).outcome, { _tag: "Completed" })
          yield* assertUsable(session)
        }))

      testOf("compaction", "is told as a turn of the agent's own", () =>
        Effect.gen(function*() {
          const driver = yield* ConformanceDriver
          const session = yield* openSession()
          yield* assertUsable(session)
          yield* driver.prepare({ kind: "compaction" })
          const told = yield* session.events.pipe(
            Stream.takeUntil(({ _tag }) => _tag === "TurnEnded"),
            Stream.runCollect,
            Effect.forkChild({ startImmediately: true })
          )
          const { outcome, turnId } = yield* session.compact
          const events = yield* Fiber.join(told)
          assert.deepStrictEqual(
            events.filter(({ _tag }) => _tag === "TurnStarted" || _tag === "TurnEnded").map((event) =>
              event._tag === "TurnStarted" ? event.turnId : event._tag === "TurnEnded" ? event.outcome : ""
            ),
            [turnId, outcome]
          )
        }))

      testOf("compaction", "is refused with SessionBusy while a turn runs", () =>
        Effect.gen(function*() {
          const session = yield* openSession()
          yield* startTurn(session, { kind: "hang", parts: ["and "] })
          assert.strictEqual((yield* Effect.flip(session.compact)).reason._tag, "SessionBusy")
        }))

      testRefusal("compaction", "to compact", () => Effect.flatMap(openSession(), (session) => session.compact))
    })

    describe("failure", () => {
      for (const [failure, tag] of failureTags) {
        testOf(failure, `of the model comes out as ${tag}, and the session goes on`, () =>
          Effect.gen(function*() {
            const { outcome, session } = yield* oneTurn({ kind: "failure", failure })
            const { id } = yield* AgentBackend
            const error = failedWith(outcome)
            assert.strictEqual(error.reason._tag, tag)
            assert.strictEqual(error.backend, id)
            assert.isTrue(error.mayHaveReached)
            yield* assertUsable(session)
          }))
      }

      testOf(
        "die",
        "of the agent's process ends the turn as AgentDied, with its items closed",
        () =>
          Effect.gen(function*() {
            const driver = yield* ConformanceDriver
            const backend = yield* AgentBackend
            const session = yield* openSession()
            yield* assertUsable(session)
            const prepared = yield* driver.prepare({ kind: "die", parts: ["Famous last ", "words"] })
            const turn = yield* session.startTurn(prepared.input)
            const watched = yield* watchTurn(turn)
            yield* watched.seen((event) => event._tag === "ItemDelta" && event.delta.endsWith("words"))
            yield* prepared.release
            const events = yield* watched.all
            assertWellFormed(turn, events)
            const message = completed(events, "AgentMessage").at(-1)
            assert.isTrue(message?.closed)
            assert.strictEqual(message?.item.text, "Famous last words")
            const error = failedWith(yield* turn.outcome)
            assert.strictEqual(error.reason._tag, "AgentDied")
            assert.isTrue(error.mayHaveReached)
            if (!backend.capabilities.resume) return
            const again = yield* openSession({ resume: yield* session.ref })
            yield* assertUsable(again)
          })
      )
    })
  })
}
