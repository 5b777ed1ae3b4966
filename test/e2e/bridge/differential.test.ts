/** Turns beside the real server. */
import * as Effect from "effect/Effect"
import * as Gate from "../../support/Gate.ts"
import * as ModelTurn from "../../support/ModelTurn.ts"
import { accept, cautious, compare, type Exception, say, started, turn } from "./sideBySide.ts"

const closesItems: Exception = {
  reason: "the real server leaves a message spinning that was cut short; the bridge completes it",
  leaves: ({ method, params }) => method === "item/completed" && JSON.stringify(params).includes("\"text\":\"Half\"")
}

compare("turns beside the real server", {
  text: Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side)
    yield* turn(side, threadId, "hello", ModelTurn.text("Hel", "lo"))
    yield* turn(side, threadId, "again", ModelTurn.text("And ", "again"))
  }),
  reasoning: Effect.fnUntraced(function*(side) {
    yield* turn(
      side,
      yield* started(side),
      "think",
      ModelTurn.turn([ModelTurn.reasoning({ summary: [["Thin", "king"], ["More"]] }), ModelTurn.message(["Done"])])
    )
  }),
  command: Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side, cautious)
    yield* Effect.all([
      turn(
        side,
        threadId,
        "run",
        ModelTurn.turn([ModelTurn.functionCall("exec_command", { cmd: "touch made" }, { callId: "call_1" })]),
        ModelTurn.text("Ran")
      ),
      accept(side, "item/commandExecution/requestApproval")
    ], { concurrency: 2 })
  }),
  patch: Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side, cautious)
    const patch = "*** Begin Patch\n*** Add File: new.txt\n+one\n*** End Patch"
    yield* Effect.all([
      turn(
        side,
        threadId,
        "patch",
        ModelTurn.turn([ModelTurn.applyPatch(patch, { callId: "call_1" })]),
        ModelTurn.text("Patched")
      ),
      accept(side, "item/fileChange/requestApproval")
    ], { concurrency: 2 })
  }),
  failure: Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side)
    yield* turn(side, threadId, "fail", ModelTurn.httpError(400, { body: { error: { message: "no" } } }))
    yield* turn(side, threadId, "again", ModelTurn.text("Fine"))
  }),
  interrupt: {
    exception: closesItems,
    script: Effect.fnUntraced(function*(side) {
      const threadId = yield* started(side)
      const gate = yield* Gate.make
      yield* side.model.push(ModelTurn.text("Half", gate))
      const { turn: running } = yield* side.client.ask("turn/start", say(threadId, "go"))
      yield* side.client.told("item/agentMessage/delta")
      yield* side.client.ask("turn/interrupt", { threadId, turnId: running.id })
      yield* side.client.told("turn/completed")
    })
  },
  steer: {
    exception: closesItems,
    script: Effect.fnUntraced(function*(side) {
      const threadId = yield* started(side)
      const gate = yield* Gate.make
      yield* side.model.push(ModelTurn.text("Half", gate), ModelTurn.text("Left then"))
      const { turn: running } = yield* side.client.ask("turn/start", say(threadId, "go"))
      yield* side.client.told("item/agentMessage/delta")
      yield* side.client.ask("turn/steer", { ...say(threadId, "left"), expectedTurnId: running.id })
      yield* side.client.told("turn/completed")
    })
  },
  "resume and fork": Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side)
    yield* turn(side, threadId, "hello", ModelTurn.text("Hello"))
    yield* side.client.ask("thread/resume", { threadId, excludeTurns: true })
    yield* turn(side, threadId, "more", ModelTurn.text("More"))
    const { thread } = yield* side.client.ask("thread/fork", { threadId, excludeTurns: true })
    yield* turn(side, thread.id, "else", ModelTurn.text("Else"))
  }),
  "fork and revert at a turn": Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side)
    yield* turn(side, threadId, "one", ModelTurn.text("One"))
    const { turn: two } = yield* Effect.andThen(
      side.model.push(ModelTurn.text("Two")),
      side.client.ask("turn/start", say(threadId, "two"))
    )
    yield* side.client.told("turn/completed", (end) => end.turn.id === two.id)
    yield* side.client.ask("thread/goal/set", { threadId, objective: "Done", status: "paused" })
    const { thread } = yield* side.client.ask("thread/fork", {
      threadId,
      beforeTurnId: two.id,
      excludeTurns: true,
      deferGoalContinuation: true
    })
    yield* side.client.ask("thread/turns/list", { threadId: thread.id })
    yield* turn(side, thread.id, "else", ModelTurn.text("Else"))
    yield* side.client.ask("thread/revert", { threadId, beforeTurnId: two.id })
    yield* side.client.ask("thread/turns/list", { threadId })
    yield* turn(side, threadId, "three", ModelTurn.text("Three"))
    yield* side.client.ask("thread/turns/list", { threadId })
    yield* side.client.call("thread/fork", { threadId, lastTurnId: two.id })
    yield* side.client.call("thread/fork", { threadId, lastTurnId: two.id, beforeTurnId: two.id })
  }),
  "a patch declined": Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side, cautious)
    yield* Effect.all([
      turn(
        side,
        threadId,
        "patch",
        ModelTurn.turn([
          ModelTurn.applyPatch("*** Begin Patch\n*** Add File: new.txt\n+one\n*** End Patch", { callId: "call_1" })
        ]),
        ModelTurn.text("Then not")
      ),
      Effect.flatMap(
        side.client.asked("item/fileChange/requestApproval"),
        ({ id }) => side.client.say({ id, result: { decision: "decline" } })
      )
    ], { concurrency: 2 })
  }),
  "a thousand deltas": Effect.fnUntraced(function*(side) {
    yield* turn(side, yield* started(side), "much", ModelTurn.turn([ModelTurn.manyDeltas(1000, "x")]))
  }),
  "retry and give up": Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side)
    yield* turn(
      side,
      threadId,
      "cut",
      ModelTurn.turn([ModelTurn.message(["Ha"]), ModelTurn.cut]),
      ModelTurn.text("Whole")
    )
    yield* turn(side, threadId, "long", ModelTurn.turn([ModelTurn.failed("context_length_exceeded", "too long")]))
  }),
  compact: Effect.fnUntraced(function*(side) {
    const threadId = yield* started(side)
    yield* turn(side, threadId, "hello", ModelTurn.text("Hello"))
    yield* side.model.push(ModelTurn.text("SUMMARY"))
    yield* side.client.ask("thread/compact/start", { threadId })
    yield* side.client.first(() => side.client.allTold("turn/completed").length === 2)
  }),
  "read and unread": Effect.fnUntraced(function*(side) {
    const { client } = side
    const threadId = yield* started(side)
    const read = Effect.map(client.ask("thread/read", { threadId }), ({ readState }) => readState?.revision ?? "")
    const mark = (expectedRevision: string, type: string) =>
      client.call("thread/readState/update", { threadId, expectedRevision, operation: { type } })
    yield* mark(`initial:${threadId}`, "read")
    yield* turn(side, threadId, "nothing", ModelTurn.turn([ModelTurn.reasoning({ summary: [["Hm"]] })]))
    yield* read
    yield* turn(side, threadId, "hello", ModelTurn.text("Hello"))
    const first = yield* read
    yield* turn(side, threadId, "more", ModelTurn.text("More"))
    yield* mark(first, "read")
    yield* mark(yield* read, "read")
    yield* client.told("thread/readState/changed", ({ readState }) => readState.firstUnread === null)
    yield* turn(side, threadId, "fail", ModelTurn.httpError(400, { body: { error: { message: "no" } } }))
    yield* mark(yield* read, "unread")
    yield* client.told("thread/readState/changed", ({ readState }) => readState.firstUnread?.type === "threadStart")
    yield* client.call("thread/list", {})
    yield* mark(first, "fly")
  })
})
