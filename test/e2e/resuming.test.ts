/**
 * Sessions that outlive what holds them: a scope, a backend, a server that is killed.
 */
import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AgentBackend, AgentSession, SessionRef } from "../../src/agent/index.ts"
import { CodexBench } from "../support/CodexBench.ts"
import { completed, failedWith, hosted, isTextDelta, lastText, text } from "../support/conformanceKit.ts"
import * as Gate from "../support/Gate.ts"
import * as ModelTurn from "../support/ModelTurn.ts"
import * as RecordedRequest from "../support/RecordedRequest.ts"
import {
  anyThread,
  assertUsable,
  capable,
  checked,
  eventsOf,
  lastRequest,
  layer as codex,
  open,
  realTime,
  run,
  Scripts,
  start,
  unattended
} from "./kit.ts"

type Backend = AgentBackend["Service"]

const fresh = Effect.fnUntraced(function*(backend: Backend) {
  const { home } = yield* CodexBench
  return yield* backend.openSession({ ...unattended, cwd: home.work })
})

/** A session in which a duck was mentioned, and let go of again. */
const duck = Effect.fnUntraced(function*(backend: Backend) {
  const session = yield* fresh(backend)
  assert.isFalse((yield* session.ref).durable)
  yield* run(session, "Remember the duck", [ModelTurn.text("Quack")])
  return yield* session.ref
}, Effect.scoped)

const assertRemembers = Effect.fnUntraced(function*(session: AgentSession) {
  const { events, outcome } = yield* run(session, "Which animal?", [ModelTurn.text("The duck")])
  assert.deepStrictEqual(outcome, { _tag: "Completed" })
  assert.strictEqual(lastText(events), "The duck")
  const request = yield* lastRequest(session)
  assert.includeMembers([...RecordedRequest.userTexts(request)], ["Remember the duck", "Which animal?"])
  assert.include(JSON.stringify(request.json), "Quack")
  return events
})

const resuming = (backend: Backend, resume: SessionRef) => backend.openSession({ resume })

/** A test with a codex of its own: one that has crashed before is started again after a while only. */
const alone = (
  title: string,
  body: () => Effect.Effect<void, unknown, CodexBench | AgentBackend | Scripts | Scope.Scope>
) => it.live(title, () => Effect.provide(Effect.scoped(body()), codex()))

layer(codex(), realTime)("resuming", (it) => {
  it.effect("in the same backend goes on with the conversation, under the same id", () =>
    Effect.gen(function*() {
      const { backend } = yield* CodexBench
      const ref = yield* duck(backend)
      assert.deepInclude(ref, { backend: "codex-app-server", durable: true })
      const session = yield* resuming(backend, ref)
      assert.deepStrictEqual(yield* session.ref, ref)
      yield* assertRemembers(session)
    }))

  it.effect("in another backend, after the first has ended, counts the tokens of its own turn alone", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const ref = yield* Effect.scoped(Effect.flatMap(bench.another(), duck))
      const backend = yield* bench.another()
      const session = yield* resuming(backend, ref)
      const events = yield* assertRemembers(session)
      assert.deepInclude(eventsOf(events, "UsageUpdated").at(-1)?.usage, {
        input: 100,
        cachedInput: 40,
        output: 20,
        total: 120,
        fresh: true
      })
    }))

  it.effect("keeps the tools and settings that the thread was started with", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const ref = yield* Effect.scoped(Effect.gen(function*() {
        const session = yield* open({}, capable)
        yield* run(session, "Hello", [ModelTurn.text("Hello")])
        return yield* session.ref
      }))
      yield* bench.crash
      const seen: Array<string> = []
      const host = {
        ...capable,
        callTool: (call: { readonly tool: string }) =>
          Effect.sync(() => (seen.push(call.tool), { success: true, content: [] }))
      }
      const session = yield* hosted(bench.backend.openSession({ resume: ref }), host)
      yield* run(session, "Use it", [
        ModelTurn.turn([ModelTurn.functionCall("unused", {}, { callId: "kept-tool" })]),
        ModelTurn.text("Used")
      ], host)
      assert.deepStrictEqual(seen, ["unused"])
    }))

  it.effect("what nobody knows is refused as UnknownSession", () =>
    Effect.gen(function*() {
      const { backend } = yield* CodexBench
      for (const sessionId of ["01a229b4-c21b-71a0-a218-265c7eeb0000", "not-an-id", "../../etc/passwd", ""]) {
        const ref = { backend: "codex-app-server", sessionId, durable: true }
        const error = yield* Effect.flip(Effect.scoped(resuming(backend, ref)))
        assert.strictEqual(error.reason._tag, "UnknownSession", `${sessionId}: ${error.message}`)
        assert.isFalse(error.mayHaveReached)
      }
    }))

  it.effect("what another program holds is refused as SessionBusy, until that has ended", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const scope = yield* Scope.make()
      const first = yield* Scope.provide(bench.another(), scope)
      const holder = yield* Scope.provide(fresh(first), scope)
      yield* run(holder, "Remember the duck", [ModelTurn.text("Quack")])
      const ref = yield* holder.ref
      const error = yield* Effect.flip(Effect.scoped(resuming(bench.backend, ref)))
      assert.deepInclude(error.reason, { _tag: "SessionBusy", sessionId: ref.sessionId })
      yield* assertUsable(holder)
      yield* Scope.close(scope, Exit.void)
      yield* assertRemembers(yield* resuming(bench.backend, ref))
    }))
})

describe("resuming after a crash", () => {
  alone(
    "after the server was killed happens by itself: the next turn goes on with the conversation",
    () =>
      Effect.gen(function*() {
        const bench = yield* CodexBench
        const session = yield* fresh(bench.backend)
        yield* run(session, "Remember the duck", [ModelTurn.text("Quack")])
        const ref = yield* session.ref
        yield* bench.crash
        yield* assertRemembers(session)
        assert.deepStrictEqual(yield* session.ref, ref)
      })
  )

  alone(
    "of a turn that the server's death cut short leaves what was said, and the next turn works",
    () =>
      Effect.gen(function*() {
        const bench = yield* CodexBench
        const session = yield* fresh(bench.backend)
        yield* run(session, "Remember the duck", [ModelTurn.text("Quack")])
        const gate = yield* Gate.make
        const { end, seen } = yield* start(session, "Speak", [ModelTurn.text("Famous last ", gate)])
        yield* seen(isTextDelta)
        yield* bench.kill
        const { events, outcome } = yield* end
        const error = failedWith(outcome)
        assert(error.reason._tag === "AgentDied")
        assert.strictEqual(error.reason.signal, "SIGKILL")
        assert.isTrue(error.mayHaveReached)
        const [said] = completed(events, "AgentMessage")
        assert.deepInclude(said, { closed: true })
        assert.strictEqual(said?.item.text, "Famous last ")
        yield* assertRemembers(session)
      })
  )

  alone("of a session without a turn is not needed: it is started again, silently", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const session = yield* fresh(bench.backend)
      const before = yield* session.ref
      assert.isFalse(before.durable)
      yield* bench.crash
      // Its new id is known with the first turn.
      yield* bench.model.push(ModelTurn.text("Here"))
      const turn = yield* session.startTurn(text("Hello"))
      assert.deepStrictEqual(yield* turn.outcome, { _tag: "Completed" })
      const after = yield* session.ref
      assert.isTrue(after.durable)
      assert.notStrictEqual(after.sessionId, before.sessionId)
      yield* assertUsable(session)
    }))

  alone("of a session that was to leave no trace is not promised", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const session = yield* open({ ephemeral: true })
      yield* assertUsable(session)
      assert.isFalse((yield* session.ref).durable)
      yield* assertUsable(session)
      yield* bench.crash
      const scripts = yield* Scripts
      scripts.set(anyThread, [ModelTurn.text("Afresh")])
      const turn = yield* session.startTurn(text("Hello"))
      const events = checked(turn, yield* Stream.runCollect(turn.events))
      assert.deepStrictEqual(yield* turn.outcome, { _tag: "Completed" })
      assert.include(eventsOf(events, "Warning").map((event) => event.code), "contextLost")
    }))

  alone("two sessions share a server, and both go on after its death", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const [left, right] = [yield* fresh(bench.backend), yield* fresh(bench.backend)]
      yield* assertUsable(left)
      yield* assertUsable(right)
      const gate = yield* Gate.make
      const running = yield* start(left, "Speak", [ModelTurn.text("half", gate)])
      yield* running.seen(isTextDelta)
      assert.strictEqual((yield* bench.pids).length, 1)
      yield* bench.kill
      assert.strictEqual(failedWith((yield* running.end).outcome).reason._tag, "AgentDied")
      yield* Effect.all([assertUsable(left), assertUsable(right)], { concurrency: 2 })
      assert.strictEqual((yield* bench.pids).length, 1)
    }))
})
