import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import type { SessionOptions, TurnInput } from "../../../src/agent/AgentBackend.ts"
import type * as Strict from "../../../src/protocol/generated/StrictTypes.ts"
import { AppServerScript as Script } from "../../../src/testing/index.ts"
import { backendOf, eventsOf, messages, sessionOf, text, turns } from "./support/session.ts"

const active = Script.status({ type: "active", activeFlags: [] })
const idle = Script.status({ type: "idle" })

/** A turn that says half a message and waits at the gate. */
const half: ReadonlyArray<Script.Step> = [
  Script.accept(),
  active,
  Script.started(),
  Script.itemStarted(Script.message("half")),
  Script.delta("half", "ha"),
  Script.gate("half")
]

const breakdown = (input: number) => ({
  totalTokens: input,
  inputTokens: input,
  cachedInputTokens: 0,
  cacheWriteInputTokens: 0,
  outputTokens: 0,
  reasoningOutputTokens: 0
})

const usage = (input: number, last: number, turnId: string) =>
  Script.notify("thread/tokenUsage/updated", {
    threadId: "$thread",
    turnId,
    tokenUsage: { total: breakdown(input), last: breakdown(last), modelContextWindow: 1000 }
  })

/** Why no session could be opened. */
const refusal = Effect.fnUntraced(function*(script: Script.AppServerScript) {
  const { backend } = yield* backendOf(script)
  return (yield* Effect.flip(backend.openSession({}))).reason
})

/** What codex was told with each of these turns. */
const told = Effect.fnUntraced(function*(
  session: SessionOptions,
  inputs: ReadonlyArray<Partial<TurnInput>>,
  config: Strict.Config = {}
) {
  const { server, session: opened } = yield* sessionOf({
    on: { "config/read": inputs.map(() => [Script.answer("config/read", { config, origins: {} })]) }
  }, { session })
  for (const input of inputs) {
    yield* Effect.scoped(Effect.flatMap(opened.startTurn({ ...text("hi"), ...input }), eventsOf))
  }
  const turns = server.requests("turn/start").map(({ params }) => {
    assert(Predicate.isObject(params))
    return Object.fromEntries(Object.entries(params).filter(([name]) => name !== "input" && name !== "threadId"))
  })
  return { turns, asked: server.requests("config/read").length }
})

describe("CodexSession, several of them", () => {
  describe("settings of a turn's own", () => {
    it.effect("are followed by the session's", () =>
      Effect.gen(function*() {
        const { asked, turns } = yield* told({ summary: "concise", personality: "friendly" }, [
          { summary: "none", personality: "pragmatic" },
          {}
        ])
        assert.deepStrictEqual(turns, [
          { summary: "none", personality: "pragmatic" },
          { summary: "concise", personality: "friendly" }
        ])
        assert.strictEqual(asked, 0)
      }))

    it.effect("are followed by what is configured where the session names none", () =>
      Effect.gen(function*() {
        const inputs = [{}, { summary: "concise" }, {}, { personality: "friendly" }, {}]
        const { asked, turns } = yield* told({}, inputs, { model_reasoning_summary: "detailed" })
        assert.deepStrictEqual(turns, [
          {},
          { summary: "concise" },
          { summary: "detailed" },
          { summary: "detailed", personality: "friendly" },
          { summary: "detailed", personality: "none" }
        ])
        assert.strictEqual(asked, 3)
      }))
  })

  it.effect("names with each turn what a thread cannot be told of its sandbox", () =>
    Effect.gen(function*() {
      const details = { writableRoots: [], networkAccess: true, excludeTmpdirEnvVar: false, excludeSlashTmp: false }
      const { turns } = yield* told({ sandbox: { ...details, mode: "read-only" } }, [{}, { sandbox: "read-only" }, {}])
      const sandboxPolicy = { type: "readOnly", networkAccess: true }
      assert.deepStrictEqual(turns, [{ sandboxPolicy }, { sandboxPolicy }, { sandboxPolicy }])
      const same = yield* told({ sandbox: { ...details, mode: "workspace-write" } }, [{}])
      assert.deepStrictEqual(same.turns, [{}])
    }))

  describe("resuming", () => {
    const ref = { backend: "codex-app-server", sessionId: "thread-9", durable: true }

    it.effect("claims what was said before the answer, and counts no usage of the past", () =>
      Effect.gen(function*() {
        const { session } = yield* sessionOf({
          on: {
            "thread/resume": [[
              usage(1000, 1000, "past"),
              Script.answer("thread/resume", Script.loadedThread("$thread"))
            ]],
            "turn/start": [Script.wholeTurn(usage(1800, 800, "$turn"))]
          }
        }, { session: { resume: ref } })
        const events = yield* eventsOf(yield* session.startTurn(text("hi")))
        const usages = events.flatMap((event) => event._tag === "UsageUpdated" ? [event.usage] : [])
        assert.strictEqual(usages.length, 1)
        assert.deepInclude(usages[0], { input: 800, fresh: true })
      }))

    it.effect("is refused while another session of the process has the thread, and not after it", () =>
      Effect.gen(function*() {
        const { backend } = yield* backendOf()
        const scope = yield* Scope.make()
        yield* Scope.provide(backend.openSession({ resume: ref }), scope)
        const error = yield* Effect.flip(backend.openSession({ resume: ref }))
        assert.strictEqual(error.reason._tag, "SessionBusy")
        yield* Scope.close(scope, Exit.void)
        const session = yield* backend.openSession({ resume: ref })
        yield* eventsOf(yield* session.startTurn(text("hi")))
      }))

    it.effect("another thread than was asked for is an error, not a surprise", () =>
      Effect.gen(function*() {
        const { backend } = yield* backendOf({
          on: { "thread/resume": [[Script.answer("thread/resume", Script.loadedThread("wrong"))]] }
        })
        const error = yield* Effect.flip(backend.openSession({ resume: ref }))
        assert.strictEqual(error.reason._tag, "MalformedReply")
      }))
  })

  it.effect("tells outside of its turns what codex does by itself", () =>
    Effect.gen(function*() {
      const { server, session } = yield* sessionOf()
      const seen = yield* Queue.unbounded<string>()
      yield* session.events.pipe(
        Stream.runForEach((event) => Queue.offer(seen, event._tag)),
        Effect.forkScoped
      )
      const goal = { thread: "thread-1", turn: "goal" }
      yield* server.say(
        Script.started(goal),
        ...Script.say("g", ["going on"], goal),
        Script.completed("completed", goal)
      )
      assert.deepStrictEqual(yield* Queue.takeN(seen, 5), [
        "TurnStarted",
        "ItemStarted",
        "ItemDelta",
        "ItemCompleted",
        "TurnEnded"
      ])
    }))

  it.effect("shares one server among sessions, and does not mix them", () =>
    Effect.gen(function*() {
      const { backend, server } = yield* backendOf(turns(
        [...half, Script.delta("half", "lf 1"), idle, Script.completed()],
        [...half, Script.delta("half", "lf 2"), idle, Script.completed()]
      ))
      const sessions = yield* Effect.forEach([1, 2], () => backend.openSession({}), { concurrency: 2 })
      const running = yield* Effect.forEach(sessions, (session) => session.startTurn(text("hi")))
      yield* server.open("half")
      const all = yield* Effect.forEach(running, eventsOf)
      assert.deepStrictEqual(all.map(messages), [["half 1…"], ["half 2…"]])
      assert.strictEqual(server.connections(), 1)
    }))

  describe("handshake", () => {
    it.effect("fails in time when nobody answers, and the next session has a new try", () =>
      Effect.gen(function*() {
        const { backend, server } = yield* backendOf({
          on: {
            initialize: [[], [Script.answer("initialize", {
              userAgent: "fake/0.171.0 (x)",
              codexHome: "/home/dev/.codex",
              platformFamily: "unix",
              platformOs: "linux"
            })]]
          }
        })
        const opening = yield* Effect.forkChild(Effect.flip(backend.openSession({})))
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual((yield* Fiber.join(opening)).reason._tag, "HandshakeFailed")
        const again = yield* Effect.forkChild(backend.openSession({}))
        yield* TestClock.adjust("1 seconds")
        yield* eventsOf(yield* (yield* Fiber.join(again)).startTurn(text("hi")))
        assert.strictEqual(server.connections(), 2)
      }))

    it.effect("fails with what is wrong: too old, no version, gone", () =>
      Effect.gen(function*() {
        const old = yield* refusal({ userAgent: "fake/0.100.0 (x)" })
        assert.deepInclude(old, { _tag: "VersionUnsupported", found: "0.100.0", minimum: "0.171.0" })
        assert.strictEqual((yield* refusal({ userAgent: "fake" }))._tag, "HandshakeFailed")
        assert.strictEqual((yield* refusal({ on: { initialize: [[Script.end()]] } }))._tag, "AgentDied")
      }))

    it.effect("goes on with a version that is newer than tested", () =>
      Effect.gen(function*() {
        const { session } = yield* sessionOf({ userAgent: "fake/9.0.0-alpha.1 (x)" })
        yield* eventsOf(yield* session.startTurn(text("hi")))
      }))
  })
})
