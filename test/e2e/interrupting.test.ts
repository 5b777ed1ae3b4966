/**
 * Stopping a turn at every stage of its life. Whatever the stage: the turn ends once, the model is not kept waiting,
 * and the session takes the next turn.
 */
import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Fs from "node:fs"
import * as Path from "node:path"
import type { AgentEvent, AgentSession } from "../../src/agent/index.ts"
import { assertNoProcessNaming, CodexBench } from "../support/CodexBench.ts"
import { completed, isTextDelta, text } from "../support/conformanceKit.ts"
import type { Script } from "../support/FakeResponses.ts"
import * as Gate from "../support/Gate.ts"
import * as ModelTurn from "../support/ModelTurn.ts"
import * as RecordedRequest from "../support/RecordedRequest.ts"
import {
  assertUsable,
  cautious,
  checked,
  interrupted,
  lastRequest,
  layer as codex,
  open,
  realTime,
  requests,
  resolutions,
  script,
  start,
  unattended
} from "./kit.ts"

/** The model hung up on, in the last of the session's requests. */
const assertHungUp = Effect.fnUntraced(function*(session: AgentSession) {
  assert.strictEqual(yield* (yield* lastRequest(session)).ended, "clientClosed")
})

/** Hangs where it is asked to hang, and answers anything else. */
const hangOrAnswer: Script = (request) =>
  RecordedRequest.userTexts(request).at(-1) === "Hang"
    ? ModelTurn.turn([ModelTurn.message(["and "]), ModelTurn.silence])
    : ModelTurn.text("Still here.")

/** A command for which the model waits so long, in milliseconds, before it lets it go on without it. */
const command = (cmd: string, callId: string, yield_time_ms = 30_000) =>
  ModelTurn.turn([ModelTurn.functionCall("exec_command", { cmd, yield_time_ms }, { callId })])

const isOutput = (event: AgentEvent): boolean => event._tag === "ItemDelta" && event.field === "output"

layer(codex(), realTime)("interrupting", (it) => {
  it.effect("while the turn is being started leaves nothing running, whenever it comes", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const rounds = 24
      for (let round = 0; round < rounds; round++) {
        yield* script(session, hangOrAnswer, hangOrAnswer)
        const fiber = yield* Effect.forkChild(
          Effect.scoped(Effect.andThen(session.startTurn(text("Hang")), Effect.never))
        )
        // The later the round, the further the start has come.
        for (let steps = 0; steps < round * round; steps++) yield* Effect.yieldNow
        yield* Fiber.interrupt(fiber)
        const turn = yield* session.startTurn(text("Still there?"))
        const events = checked(turn, yield* Stream.runCollect(turn.events))
        assert.deepStrictEqual(yield* turn.outcome, { _tag: "Completed" })
        assert.deepStrictEqual(completed(events, "UserMessage").map((event) => event.item.text), ["Still there?"])
      }
      for (const request of yield* requests(session)) {
        const hung = RecordedRequest.userTexts(request).at(-1) === "Hang"
        assert.strictEqual(yield* request.ended, hung ? "clientClosed" : "finished")
      }
    }))

  it.effect("right after the start, before the turn has announced itself", () =>
    Effect.gen(function*() {
      const session = yield* open()
      for (let round = 0; round < 5; round++) {
        yield* script(session, hangOrAnswer)
        const turn = yield* session.startTurn(text("Hang"))
        const { confirmed, outcome } = yield* turn.interrupt
        assert.isTrue(confirmed)
        assert.deepStrictEqual(outcome, interrupted)
        checked(turn, yield* Stream.runCollect(turn.events))
      }
      for (const request of yield* requests(session)) assert.strictEqual(yield* request.ended, "clientClosed")
    }))

  it.effect("while the model speaks keeps what it has said", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const gate = yield* Gate.make
      const { end, seen, turn } = yield* start(session, "Speak", [ModelTurn.text("Once ", "upon ", gate)])
      yield* seen((event) => event._tag === "ItemDelta" && event.delta === "upon ")
      assert.deepStrictEqual(yield* turn.interrupt, { confirmed: true, outcome: interrupted })
      const { events } = yield* end
      const [said] = completed(events, "AgentMessage")
      assert.deepInclude(said, { closed: true })
      assert.strictEqual(said?.item.text, "Once upon ")
      yield* assertHungUp(session)
      yield* assertUsable(session)
    }))

  it.effect("while the model thinks keeps its thoughts", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const gate = yield* Gate.make
      const thinking = ModelTurn.reasoning({ summary: [["First"], ["Sec", "ond", gate]] })
      const { end, seen, turn } = yield* start(session, "Think", [ModelTurn.turn([thinking])])
      yield* seen((event) => event._tag === "ItemDelta" && event.delta === "ond")
      assert.deepStrictEqual((yield* turn.interrupt).outcome, interrupted)
      const [thought] = completed((yield* end).events, "Reasoning")
      assert.deepInclude(thought, { closed: true })
      assert.deepStrictEqual(thought?.item.summary, ["First", "Second"])
      yield* assertHungUp(session)
      yield* assertUsable(session)
    }))

  it.effect("while the model has not answered yet", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const gate = yield* Gate.make
      const { end, turn } = yield* start(session, "Wait", [() => Effect.as(gate.pass, ModelTurn.text("late"))])
      yield* gate.reached
      assert.deepStrictEqual((yield* turn.interrupt).outcome, interrupted)
      yield* end
      yield* assertHungUp(session)
      yield* assertUsable(session)
    }))

  it.effect("twice is one interruption, and of an ended turn none", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const { end, seen, turn } = yield* start(session, "Hang", [hangOrAnswer])
      yield* seen(isTextDelta)
      const both = yield* Effect.all([turn.interrupt, turn.interrupt], { concurrency: 2 })
      for (const one of both) assert.deepStrictEqual(one, { confirmed: true, outcome: interrupted })
      assert.deepStrictEqual(yield* turn.interrupt, { confirmed: true, outcome: interrupted })
      yield* end
      yield* assertUsable(session)
    }))

  it.effect("while an approval is open withdraws it, and the command never runs", () =>
    Effect.gen(function*() {
      const { home } = yield* CodexBench
      const session = yield* open(cautious)
      const [asked, gone] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const { end, turn } = yield* start(session, "Ask", [command("touch never", "never-1")], {
        approve: () =>
          Deferred.succeed(asked, undefined).pipe(
            Effect.andThen(Effect.never),
            Effect.onInterrupt(() => Deferred.succeed(gone, undefined))
          )
      })
      yield* Deferred.await(asked)
      assert.deepStrictEqual((yield* turn.interrupt).outcome, interrupted)
      yield* Deferred.await(gone)
      const { events } = yield* end
      assert.deepStrictEqual(resolutions(events), ["withdrawn"])
      assert.deepInclude(completed(events, "CommandExecution")[0], { closed: true })
      assert.strictEqual((yield* requests(session)).length, 1)
      yield* assertUsable(session)
      assert.isFalse(Fs.existsSync(Path.join(home.work, "never")))
    }))

  it.effect("while a command runs lets it go on, as codex does, and tells of its end outside of the turn", () =>
    Effect.gen(function*() {
      const { home } = yield* CodexBench
      const session = yield* open()
      const late = yield* Deferred.make<AgentEvent>()
      yield* Effect.forkScoped(
        Stream.runForEach(session.events, (event) =>
          event._tag === "ItemCompleted" && event.item.id === "kept-1"
            ? Deferred.succeed(late, event)
            : Effect.void)
      )
      const cmd = "while [ ! -e let-go ]; do echo tick; sleep 0.05; done; echo over"
      const { end, seen, turn } = yield* start(session, "Run", [command(cmd, "kept-1")])
      yield* seen(isOutput)
      assert.deepStrictEqual((yield* turn.interrupt).outcome, interrupted)
      const [item] = completed((yield* end).events, "CommandExecution")
      assert.deepInclude(item, { closed: true })
      assert.strictEqual(item?.item.status, "interrupted")
      assert.include(item?.item.output, "tick")
      yield* assertUsable(session)
      Fs.writeFileSync(Path.join(home.work, "let-go"), "")
      const event = yield* Deferred.await(late)
      assert(event._tag === "ItemCompleted" && event.item._tag === "CommandExecution")
      assert.include(event.item.output, "over")
    }))

  it.effect("while a command runs ends it where that is what the host wants", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const backend = yield* bench.another({ interruptedCommands: "terminate" })
      const session = yield* backend.openSession({ ...unattended, cwd: bench.home.work })
      // A command of an earlier turn, which has gone on without it.
      const earlier = yield* start(session, "Serve", [
        command("while [ ! -e served ]; do echo tick; sleep 0.05; done; echo served", "served-1", 250),
        ModelTurn.text("It runs")
      ])
      assert.deepStrictEqual((yield* earlier.end).outcome, { _tag: "Completed" })
      const served = yield* Effect.forkChild(session.events.pipe(
        Stream.filter((event) => event._tag === "ItemCompleted" && event.item.id === "served-1"),
        Stream.runHead,
        Effect.flatMap(Effect.fromOption)
      ))

      const mark = `ENDED_WITH_ITS_TURN=${process.pid}`
      const cmd = `env ${mark} bash -c 'while true; do echo tick; sleep 0.05; done'`
      const { end, seen, turn } = yield* start(session, "Run", [command(cmd, "ended-1")])
      yield* seen(isOutput)
      assert.deepStrictEqual((yield* turn.interrupt).outcome, interrupted)
      yield* assertNoProcessNaming(mark)
      yield* end
      yield* assertUsable(session)
      Fs.writeFileSync(Path.join(bench.home.work, "served"), "")
      const event = yield* Fiber.join(served)
      assert(event._tag === "ItemCompleted" && event.item._tag === "CommandExecution")
      assert.deepInclude(event.item, { status: "completed", exitCode: 0 })
    }))

  it.effect("by closing the scope of the turn, or of its session", () =>
    Effect.gen(function*() {
      for (const closing of ["turn", "session"] as const) {
        const [ofSession, ofTurn] = [yield* Scope.make(), yield* Scope.make()]
        const session = yield* Scope.provide(open(), ofSession)
        yield* script(session, hangOrAnswer)
        const turn = yield* Scope.provide(session.startTurn(text("Hang")), ofTurn)
        yield* Scope.close(closing === "turn" ? ofTurn : ofSession, Exit.void)
        assert.deepStrictEqual(yield* turn.outcome, interrupted)
        checked(turn, yield* Stream.runCollect(turn.events))
        for (const request of yield* requests(session)) assert.strictEqual(yield* request.ended, "clientClosed")
        yield* Scope.close(ofTurn, Exit.void)
        yield* Scope.close(ofSession, Exit.void)
      }
    }))

  it.effect("by interrupting the fiber that reads it", () =>
    Effect.gen(function*() {
      const session = yield* open()
      yield* script(session, hangOrAnswer)
      const speaking = yield* Deferred.make<void>()
      const fiber = yield* Effect.scoped(Effect.gen(function*() {
        const turn = yield* session.startTurn(text("Hang"))
        yield* Stream.runForEach(turn.events, (event) =>
          isTextDelta(event) ? Deferred.succeed(speaking, undefined) : Effect.void)
      })).pipe(Effect.forkChild)
      yield* Deferred.await(speaking)
      yield* Fiber.interrupt(fiber)
      yield* assertHungUp(session)
      yield* assertUsable(session)
    }))

  it.effect("by closing the backend ends the turn for whoever reads it", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const scope = yield* Scope.make()
      const backend = yield* Scope.provide(bench.another(), scope)
      const session = yield* backend.openSession({ ...unattended, cwd: bench.home.work })
      const gate = yield* Gate.make
      const { end, seen } = yield* start(session, "Speak", [ModelTurn.text("half", gate)])
      yield* seen(isTextDelta)
      yield* Scope.close(scope, Exit.void)
      const { events, outcome } = yield* end
      assert(outcome._tag === "Failed")
      assert.strictEqual(outcome.error.reason._tag, "AgentDied")
      assert.strictEqual(completed(events, "AgentMessage")[0]?.item.text, "half")
    }))
})
