import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { declining, TurnHost } from "../../../src/agent/TurnHost.ts"
import { AppServerScript as Script } from "../../../src/testing/index.ts"
import { watchTurn } from "../../support/watchTurn.ts"
import { eventsOf, messages, sessionOf, tags, text, turns } from "./support/session.ts"

const active = Script.status({ type: "active", activeFlags: [] })
const idle = Script.status({ type: "idle" })

const isDelta = (event: { readonly _tag: string }): boolean => event._tag === "ItemDelta"

/** A turn that says half a message and waits at the gate. */
const half: ReadonlyArray<Script.Step> = [
  Script.accept(),
  active,
  Script.started(),
  Script.itemStarted(Script.message("half")),
  Script.delta("half", "ha"),
  Script.gate("half")
]

describe("CodexSession", () => {
  it.effect("runs a turn", () =>
    Effect.gen(function*() {
      const { server, session } = yield* sessionOf()
      const turn = yield* session.startTurn(text("hi"))
      assert.deepStrictEqual(messages(yield* eventsOf(turn)), ["Hello world"])
      assert.deepStrictEqual(yield* turn.outcome, { _tag: "Completed" })
      assert.deepStrictEqual(yield* session.ref, {
        backend: "codex-app-server",
        sessionId: "thread-1",
        durable: true
      })
      const methods = server.received.flatMap((message) => "method" in message ? [message.method] : [])
      assert.deepStrictEqual(methods, ["initialize", "initialized", "thread/start", "turn/start"])
    }))

  it.effect("runs one after another on the thread, and says which ended how", () =>
    Effect.gen(function*() {
      const { session } = yield* sessionOf(turns(
        Script.wholeTurn(...Script.say("a", ["one"])),
        [
          Script.accept(),
          Script.started(),
          Script.completed("failed", {
            error: { message: "no more", codexErrorInfo: "usageLimitExceeded", additionalDetails: null }
          })
        ],
        Script.wholeTurn(...Script.say("c", ["three"]))
      ))
      const outcomes: Array<string> = []
      for (const _ of [1, 2, 3]) {
        const turn = yield* session.startTurn(text("go"))
        yield* eventsOf(turn)
        outcomes.push((yield* turn.outcome)._tag)
      }
      assert.deepStrictEqual(outcomes, ["Completed", "Failed", "Completed"])
    }))

  describe("order", () => {
    it.effect("of a whole turn before the answer to its start makes no difference", () =>
      Effect.gen(function*() {
        const { session } = yield* sessionOf(turns([
          active,
          Script.started(),
          ...Script.say("m", ["He", "llo"]),
          idle,
          Script.completed(),
          Script.accept()
        ]))
        const turn = yield* session.startTurn(text("hi"))
        assert.deepStrictEqual(messages(yield* eventsOf(turn)), ["Hello"])
        assert.deepStrictEqual(yield* turn.outcome, { _tag: "Completed" })
      }))

    it.effect("of the answer and an approval in one chunk leaves the approval to the turn", () =>
      Effect.gen(function*() {
        const { server, session } = yield* sessionOf(turns([
          Script.together(Script.accept(), active, Script.started(), {
            _tag: "Send",
            message: {
              id: 77,
              method: "item/commandExecution/requestApproval",
              params: { threadId: "$thread", turnId: "$turn", itemId: "c", startedAtMs: 1, command: "ls" }
            }
          }),
          Script.gate("answered"),
          idle,
          Script.completed()
        ]))
        const turn = yield* Effect.provideService(session.startTurn(text("hi")), TurnHost, {
          ...declining,
          approve: () => Effect.succeed("accept")
        })
        const watched = yield* watchTurn(turn)
        yield* watched.seen((event) => event._tag === "RequestResolved")
        yield* server.open("answered")
        yield* watched.all
        const answer = server.received.find((message) => message._tag === "Response")
        assert.deepStrictEqual(answer, { _tag: "Response", id: 77, result: { decision: "accept" } })
      }))

    it.effect("of a child thread's events keeps them out of the turn", () =>
      Effect.gen(function*() {
        const child = { thread: "child", turn: "child-turn" }
        const { session } = yield* sessionOf(turns(Script.wholeTurn(
          Script.status({ type: "active", activeFlags: [] }, child),
          Script.started(child),
          ...Script.say("c", ["child text"], child),
          Script.completed("completed", child),
          ...Script.say("m", ["parent text"]),
          Script.notify("thread/started", { thread: Script.thread("child") })
        )))
        const turn = yield* session.startTurn(text("hi"))
        assert.deepStrictEqual(messages(yield* eventsOf(turn)), ["parent text"])
      }))

    it.effect("of an older turn's rest keeps it out of the next one", () =>
      Effect.gen(function*() {
        const { session } = yield* sessionOf(turns(
          Script.wholeTurn(),
          Script.wholeTurn(Script.delta("old", "stale", { turn: "turn-1" }), ...Script.say("m", ["fresh"]))
        ))
        yield* eventsOf(yield* session.startTurn(text("one")))
        const events = yield* eventsOf(yield* session.startTurn(text("two")))
        assert.deepStrictEqual(messages(events), ["fresh"])
      }))
  })

  describe("the end of a turn", () => {
    it.effect("that is not reported is looked up when the thread is idle", () =>
      Effect.gen(function*() {
        const { server, session } = yield* sessionOf({
          on: {
            "turn/start": [[Script.accept(), active, Script.started(), ...Script.say("m", ["done"]), idle]],
            "thread/turns/list": [[
              Script.answer("thread/turns/list", { data: [Script.turn("completed", "turn-1")], nextCursor: null })
            ]]
          }
        })
        const turn = yield* session.startTurn(text("hi"))
        const events = yield* Effect.forkChild(eventsOf(turn))
        yield* TestClock.adjust("1999 millis")
        assert.strictEqual(server.requests("thread/turns/list").length, 0)
        yield* TestClock.adjust("1 millis")
        assert.deepStrictEqual(messages(yield* Fiber.join(events)), ["done"])
        assert.deepStrictEqual(yield* turn.outcome, { _tag: "Completed" })
      }))

    it.effect("that nobody knows leaves what was said, and the session is usable", () =>
      Effect.gen(function*() {
        const { session } = yield* sessionOf(turns(
          [Script.accept(), active, Script.started(), ...Script.say("m", ["said"]), idle],
          Script.wholeTurn(...Script.say("n", ["again"]))
        ))
        const turn = yield* session.startTurn(text("hi"))
        const events = yield* Effect.forkChild(eventsOf(turn))
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(messages(yield* Fiber.join(events)), ["said"])
        assert.strictEqual((yield* turn.outcome)._tag, "Incomplete")
        assert.deepStrictEqual(messages(yield* eventsOf(yield* session.startTurn(text("hi")))), ["again"])
      }))

    it.effect("that never comes under a phantom id does not hang the turn", () =>
      Effect.gen(function*() {
        const { session } = yield* sessionOf(turns([
          Script.accept("phantom"),
          active,
          Script.started(),
          ...Script.say("m", ["folded"]),
          idle,
          Script.completed()
        ]))
        const turn = yield* session.startTurn(text("hi"))
        const events = yield* Effect.forkChild(eventsOf(turn))
        yield* TestClock.adjust("2 seconds")
        yield* Fiber.join(events)
        assert.strictEqual((yield* turn.outcome)._tag, "Incomplete")
      }))

    it.effect("is not an error that is tried again", () =>
      Effect.gen(function*() {
        const retry = Script.notify("error", {
          threadId: "$thread",
          turnId: "$turn",
          willRetry: true,
          error: {
            message: "Reconnecting... 1/5",
            codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: null } },
            additionalDetails: null
          }
        })
        const { session } = yield* sessionOf(turns(
          Script.wholeTurn(Script.delta("m", "Hel"), retry, ...Script.say("n", ["Hello"]))
        ))
        const events = yield* eventsOf(yield* session.startTurn(text("hi")))
        assert.deepStrictEqual(messages(events), ["Hel…", "Hello"])
        assert.include(tags(events), "Retrying")
      }))

    it.effect("comes with the death of the server, mid-turn, and the next turn has a new server and the same thread", () =>
      Effect.gen(function*() {
        const { server, session } = yield* sessionOf(turns(half, Script.wholeTurn(...Script.say("m", ["back"]))))
        const turn = yield* session.startTurn(text("hi"))
        const watched = yield* watchTurn(turn)
        yield* watched.seen(isDelta)
        yield* server.kill
        assert.deepStrictEqual(messages(yield* watched.all), ["ha…"])
        const outcome = yield* turn.outcome
        assert(outcome._tag === "Failed")
        assert.strictEqual(outcome.error.reason._tag, "AgentDied")
        const next = yield* Effect.forkChild(session.startTurn(text("again")))
        yield* TestClock.adjust("1 seconds")
        assert.deepStrictEqual(messages(yield* eventsOf(yield* Fiber.join(next))), ["back"])
        assert.strictEqual(server.connections(), 2)
        const [resumed] = server.requests("thread/resume")
        assert.deepInclude(resumed?.params, { threadId: "thread-1", excludeTurns: true })
        assert.strictEqual(server.requests("thread/start").length, 1)
      }))

    it.effect("comes with the end of the backend too", () =>
      Effect.gen(function*() {
        const scope = yield* Scope.make()
        const { session } = yield* Scope.provide(sessionOf(turns(half)), scope)
        const turn = yield* session.startTurn(text("hi"))
        const watched = yield* watchTurn(turn)
        yield* watched.seen(isDelta)
        const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        yield* TestClock.adjust("30 seconds")
        yield* Fiber.join(closing)
        assert.deepStrictEqual(messages(yield* watched.all), ["ha…"])
      }))
  })

  it.effect("starts an unused thread anew when the server died, without a word", () =>
    Effect.gen(function*() {
      const { server, session } = yield* sessionOf()
      assert.isFalse((yield* session.ref).durable)
      yield* server.kill
      yield* Effect.yieldNow
      const starting = yield* Effect.forkChild(session.startTurn(text("hi")))
      yield* TestClock.adjust("1 seconds")
      assert.deepStrictEqual(messages(yield* eventsOf(yield* Fiber.join(starting))), ["Hello world"])
      assert.strictEqual(server.requests("thread/start").length, 2)
      assert.strictEqual(server.requests("thread/resume").length, 0)
      assert.strictEqual((yield* session.ref).sessionId, "thread-2")
    }))

  describe("starting a turn", () => {
    it.effect("is tried again while the server is overloaded, and starts one turn", () =>
      Effect.gen(function*() {
        const { server, session } = yield* sessionOf(
          turns([Script.overloaded], [Script.overloaded], Script.wholeTurn())
        )
        const starting = yield* Effect.forkChild(session.startTurn(text("hi")))
        // Each pause begins with the refusal before it.
        for (let tenth = 0; tenth < 10; tenth++) yield* TestClock.adjust("100 millis")
        assert.deepStrictEqual(tags(yield* eventsOf(yield* Fiber.join(starting))).at(-1), "TurnEnded")
        assert.strictEqual(server.requests("turn/start").length, 3)
        assert.strictEqual(server.requests("turn/interrupt").length, 0)
      }))

    it.effect("without an answer fails in time, and ends what may have been started", () =>
      Effect.gen(function*() {
        const { server, session } = yield* sessionOf(turns([], Script.wholeTurn()))
        const starting = yield* Effect.forkChild(Effect.flip(session.startTurn(text("hi"))))
        yield* TestClock.adjust("1 minute")
        const error = yield* Fiber.join(starting)
        assert.strictEqual(error.reason._tag, "TimedOut")
        assert.isTrue(error.mayHaveReached)
        assert.deepStrictEqual(server.requests("turn/interrupt").map(({ params }) => params), [
          { threadId: "thread-1", turnId: "" }
        ])
        yield* eventsOf(yield* session.startTurn(text("again")))
      }))

    it.effect("with an answer that names no turn is a malformed reply", () =>
      Effect.gen(function*() {
        const { session } = yield* sessionOf(turns([{ _tag: "Answer", result: {} }]))
        const error = yield* Effect.flip(session.startTurn(text("hi")))
        assert.strictEqual(error.reason._tag, "MalformedReply")
        assert.isTrue(error.mayHaveReached)
      }))

    it.effect("that is interrupted ends what may have been started", () =>
      Effect.gen(function*() {
        const { server, session } = yield* sessionOf(
          turns([Script.gate("accepted"), Script.accept()], Script.wholeTurn())
        )
        const starting = yield* Effect.forkChild(session.startTurn(text("hi")))
        yield* server.reached("accepted")
        yield* Fiber.interrupt(starting)
        assert.deepStrictEqual(server.requests("turn/interrupt").map(({ params }) => params), [
          { threadId: "thread-1", turnId: "" }
        ])
        yield* eventsOf(yield* session.startTurn(text("again")))
      }))

    it.effect("twice at once starts one", () =>
      Effect.gen(function*() {
        const { server, session } = yield* sessionOf(turns(Script.wholeTurn()))
        const exits = yield* Effect.all(
          [Effect.result(session.startTurn(text("a"))), Effect.result(session.startTurn(text("b")))],
          { concurrency: "unbounded" }
        )
        const refused = exits.flatMap((exit) => Result.isFailure(exit) ? [exit.failure.reason._tag] : [])
        assert.deepStrictEqual(refused, ["SessionBusy"])
        assert.strictEqual(server.requests("turn/start").length, 1)
      }))

    it.effect("while one runs is refused and sends nothing", () =>
      Effect.gen(function*() {
        const { server, session } = yield* sessionOf(turns(half))
        yield* session.startTurn(text("one"))
        const error = yield* Effect.flip(session.startTurn(text("two")))
        assert.strictEqual(error.reason._tag, "SessionBusy")
        assert.isFalse(error.mayHaveReached)
        assert.strictEqual((yield* Effect.flip(session.compact)).reason._tag, "SessionBusy")
        assert.strictEqual(server.requests("turn/start").length, 1)
        assert.strictEqual(server.requests("thread/compact/start").length, 0)
      }))
  })

  describe("interrupting", () => {
    it.effect("waits for the server's word", () =>
      Effect.gen(function*() {
        const { server, session } = yield* sessionOf(turns(half))
        const turn = yield* session.startTurn(text("hi"))
        const watched = yield* watchTurn(turn)
        yield* watched.seen(isDelta)
        const interruption = yield* turn.interrupt
        assert.deepStrictEqual(interruption, {
          confirmed: true,
          outcome: { _tag: "Interrupted", requested: true, confirmed: true }
        })
        assert.deepStrictEqual(messages(yield* watched.all), ["ha…"])
        assert.deepStrictEqual(server.requests("turn/interrupt").map(({ params }) => params), [
          { threadId: "thread-1", turnId: "turn-1" }
        ])
      }))

    it.effect("before the turn has announced itself names no turn", () =>
      Effect.gen(function*() {
        const { server, session } = yield* sessionOf(turns([Script.accept(), Script.gate("announced")]))
        const turn = yield* session.startTurn(text("hi"))
        assert.isTrue((yield* turn.interrupt).confirmed)
        assert.deepStrictEqual(server.requests("turn/interrupt").map(({ params }) => params), [
          { threadId: "thread-1", turnId: "" }
        ])
      }))

    it.effect("does not wait for ever, and says that the turn may still run", () =>
      Effect.gen(function*() {
        const { session } = yield* sessionOf({
          on: { "turn/start": [half], "turn/interrupt": [[Script.answer("turn/interrupt", {})]] }
        })
        const turn = yield* session.startTurn(text("hi"))
        const interrupting = yield* Effect.forkChild(turn.interrupt)
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(yield* Fiber.join(interrupting), {
          confirmed: false,
          outcome: { _tag: "Interrupted", requested: true, confirmed: false }
        })
        yield* eventsOf(turn)
      }))

    it.effect("comes with the end of the turn's scope", () =>
      Effect.gen(function*() {
        const { server, session } = yield* sessionOf(turns(half))
        const turn = yield* Effect.scoped(session.startTurn(text("hi")))
        assert.deepStrictEqual(yield* turn.outcome, { _tag: "Interrupted", requested: true, confirmed: true })
        assert.strictEqual(server.requests("turn/interrupt").length, 1)
      }))
  })

  describe("compaction", () => {
    it.effect("is over when its turn is, not with the answer to the call", () =>
      Effect.gen(function*() {
        const { session } = yield* sessionOf()
        assert.deepStrictEqual((yield* session.compact).outcome, { _tag: "Completed" })
        yield* eventsOf(yield* session.startTurn(text("after")))
      }))

    it.effect("that compacted nothing is none", () =>
      Effect.gen(function*() {
        const { session } = yield* sessionOf({
          on: {
            "thread/compact/start": [[
              Script.answer("thread/compact/start", {}),
              Script.started(),
              Script.itemStarted({ type: "contextCompaction", id: "k" }),
              Script.completed()
            ]]
          }
        })
        assert.strictEqual((yield* session.compact).outcome._tag, "Incomplete")
      }))

    it.effect("that never announces itself fails in time", () =>
      Effect.gen(function*() {
        const { session } = yield* sessionOf({
          on: { "thread/compact/start": [[Script.answer("thread/compact/start", {})]] }
        })
        const compacting = yield* Effect.forkChild(Effect.flip(session.compact))
        yield* TestClock.adjust("5 minutes")
        const error = yield* Fiber.join(compacting)
        assert.strictEqual(error.reason._tag, "TimedOut")
        yield* eventsOf(yield* session.startTurn(text("after")))
      }))
  })
})
