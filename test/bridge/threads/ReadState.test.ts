import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as BridgeBench from "../../support/BridgeBench.ts"
import type { Message } from "../../support/WireClient.ts"
import * as OwnAgent from "./support/ownAgent.ts"

const scenario = {
  turns: [
    { match: "say nothing", steps: [{ _tag: "Command", command: "true", output: [] }] },
    { match: "think aloud", steps: [{ _tag: "Say", deltas: ["Hm."], phase: "commentary" }] },
    { match: "wait", steps: [{ _tag: "Hang" }] }
  ],
  fallback: [{ _tag: "Say", deltas: ["Done."] }]
} as never

const started = Effect.gen(function*() {
  const { connect } = yield* BridgeBench.BridgeBench
  const client = yield* connect()
  const other = yield* connect()
  const { thread } = yield* client.ask("thread/start", {})
  const turn = Effect.fnUntraced(function*(text: string) {
    const { turn } = yield* client.ask("turn/start", { threadId: thread.id, input: OwnAgent.says(text) })
    yield* client.told("turn/completed", (end) => end.turn.id === turn.id)
    return turn.id
  })
  const read = Effect.map(client.ask("thread/read", { threadId: thread.id }), ({ readState }) => readState)
  const mark = (expectedRevision: string, type: "read" | "unread") =>
    client.ask("thread/readState/update", { threadId: thread.id, expectedRevision, operation: { type } })
  return { client, other, threadId: thread.id, turn, read, mark }
})

/** What one of many clients is told, in short. */
const outline = (seen: ReadonlyArray<Message>) =>
  seen.flatMap(({ method, params }) => {
    if (method === undefined || method === "remoteControl/status/changed") return []
    const type = /"status":\{"type":"(\w+)"/.exec(JSON.stringify(params))?.[1]
    return [type === undefined || method === "thread/started" ? method : `${method} ${type}`]
  })

describe("what is unread of a thread", () => {
  it.effect("begins with the first turn that had an answer, until it is marked as read", () =>
    Effect.gen(function*() {
      const { client, mark, read, threadId, turn } = yield* started
      assert.isNull(yield* read)
      assert.strictEqual(
        yield* client.refusal("thread/readState/update", {
          threadId,
          expectedRevision: `initial:${threadId}`,
          operation: { type: "read" }
        }),
        "thread read state unavailable"
      )
      yield* turn("say nothing")
      yield* turn("think aloud")
      assert.deepStrictEqual(yield* read, { revision: `initial:${threadId}`, firstUnread: null })
      const first = yield* turn("one")
      const unread = { type: "turn", turnId: first } as const
      const one = yield* read
      assert.deepStrictEqual(one?.firstUnread, unread)
      yield* turn("say nothing")
      assert.deepStrictEqual(yield* read, one)
      yield* turn("two")
      const two = yield* read
      assert.deepStrictEqual(two?.firstUnread, unread)
      assert.notStrictEqual(two?.revision, one?.revision)
      const { readState } = yield* mark(two?.revision ?? "", "read")
      assert.isNull(readState.firstUnread)
      const again = yield* mark(readState.revision, "unread")
      assert.deepStrictEqual(again.readState.firstUnread, { type: "threadStart" })
      yield* turn("three")
      assert.deepStrictEqual((yield* read)?.firstUnread, { type: "threadStart" })
      const { readStates } = yield* client.ask("thread/list", {})
      assert.deepStrictEqual(readStates?.[threadId], yield* read)
      assert.match(
        yield* client.refusal("thread/readState/update", {
          threadId,
          expectedRevision: readState.revision,
          operation: { type: "read" }
        }),
        /read state changed/
      )
    }).pipe(Effect.provide(BridgeBench.layer({ scenario }))))

  it.effect("is nothing when the turn is taken back that it began with", () =>
    Effect.gen(function*() {
      const { client, read, threadId, turn } = yield* started
      const first = yield* turn("one")
      const second = yield* turn("two")
      yield* client.ask("thread/revert", { threadId, beforeTurnId: second })
      assert.deepStrictEqual((yield* read)?.firstUnread, { type: "turn", turnId: first })
      yield* client.ask("thread/revert", { threadId, beforeTurnId: first })
      assert.isNull((yield* read)?.firstUnread)
      assert.isNull(client.allTold("thread/readState/changed").at(-1)?.readState.firstUnread)
    }).pipe(Effect.provide(BridgeBench.layer({ scenario }))))

  it.effect("is not kept of a thread that leaves no trace, nor made by a turn that was stopped before it spoke", () =>
    Effect.gen(function*() {
      const { client, read, threadId } = yield* started
      const { turn } = yield* client.ask("turn/start", { threadId, input: OwnAgent.says("wait") })
      yield* client.told("turn/started")
      yield* client.ask("turn/interrupt", { threadId, turnId: turn.id })
      yield* client.told("turn/completed")
      assert.isNull((yield* read)?.firstUnread)
      const { thread } = yield* client.ask("thread/start", { ephemeral: true })
      yield* client.ask("turn/start", { threadId: thread.id, input: OwnAgent.says("one") })
      yield* client.told("turn/completed", (end) => end.threadId === thread.id)
      assert.isNull((yield* client.ask("thread/read", { threadId: thread.id })).readState)
      assert.isEmpty(client.allTold("thread/readState/changed"))
    }).pipe(Effect.provide(BridgeBench.layer({ scenario }))))
})

describe("a client that watches no thread", () => {
  it.effect("is told what lists of threads show, and no more", () =>
    Effect.gen(function*() {
      const { client, mark, other, read, threadId, turn } = yield* started
      yield* turn("one")
      yield* mark((yield* read)?.revision ?? "", "read")
      yield* client.ask("thread/goal/set", { threadId, objective: "all", status: "paused" })
      yield* client.ask("thread/goal/clear", { threadId })
      yield* other.told("thread/goal/cleared")
      assert.deepStrictEqual(outline(other.seen), [
        "thread/started",
        "thread/status/changed active",
        "thread/readState/changed",
        "thread/status/changed idle",
        "thread/readState/changed",
        "thread/goal/updated",
        "thread/goal/cleared"
      ])
      // Whoever watches is told each of them once.
      for (const method of ["thread/started", "thread/goal/updated", "thread/goal/cleared"] as const) {
        assert.strictEqual(client.notifications(method).length, 1, method)
      }
    }).pipe(Effect.provide(BridgeBench.layer({ scenario }))))
})
