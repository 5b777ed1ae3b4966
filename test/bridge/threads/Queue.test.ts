import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as BridgeBench from "../../support/BridgeBench.ts"
import * as OwnAgent from "./support/ownAgent.ts"

const scenario = {
  turns: [
    { match: "wait", steps: [{ _tag: "AwaitSteer" }] },
    { match: "fail", steps: [{ _tag: "Fail", reason: { _tag: "Rejected", operation: "it", detail: "no" } }] }
  ],
  fallback: [{ _tag: "Say", deltas: ["{{prompt}}"] }]
} as const

const bench = BridgeBench.layer({ scenario: scenario as never })

const started = Effect.gen(function*() {
  const { connect } = yield* BridgeBench.BridgeBench
  const client = yield* connect()
  const { thread } = yield* client.ask("thread/start", {})
  yield* client.told("thread/started")
  const threadId = thread.id
  const add = (text: string) =>
    Effect.map(
      client.ask("thread/queue/add", { threadId, clientUserMessageId: `c-${text}`, input: OwnAgent.says(text) }),
      ({ queuedSubmission }) => queuedSubmission
    )
  const start = (text: string) =>
    Effect.map(client.ask("turn/start", { threadId, input: OwnAgent.says(text) }), ({ turn }) => turn.id)
  const steer = (turnId: string) =>
    client.ask("turn/steer", { threadId, expectedTurnId: turnId, input: OwnAgent.says("go") })
  const ids = Effect.map(client.ask("thread/queue/list", { threadId }), ({ data }) => data.map(({ id }) => id))
  /** Waits for a turn with this message to end. */
  const answered = (text: string) =>
    client.told(
      "turn/completed",
      ({ turn }) => turn.items.some((item) => item.type === "agentMessage" && item.text === text)
    )
  return { client, threadId, add, start, steer, ids, answered }
})

describe("messages that wait", () => {
  it.effect("are sent at once when nothing has to be waited for", () =>
    Effect.gen(function*() {
      const { add, answered, client, ids } = yield* started
      const from = client.seen.length
      const queued = yield* add("one")
      assert.deepInclude(queued, { clientUserMessageId: "c-one", responsesapiClientMetadata: null })
      yield* answered("one")
      assert.deepStrictEqual(yield* ids, [])
      assert.deepStrictEqual(
        client.seen.slice(from, from + 5).map(({ method = "answer" }) => method),
        ["answer", "thread/queue/changed", "thread/queue/changed", "thread/status/changed", "turn/started"]
      )
      const { item } = yield* client.told("item/completed", ({ item }) => item.type === "userMessage")
      assert(item.type === "userMessage")
      assert.strictEqual(item.clientId, "c-one")
    }).pipe(Effect.provide(bench)))

  it.effect("follow one after the other, also when one fails", () =>
    Effect.gen(function*() {
      const { add, answered, client, ids, start, steer } = yield* started
      const turnId = yield* start("wait")
      yield* client.told("turn/started")
      const [first, second] = [yield* add("fail"), yield* add("two")]
      assert.deepStrictEqual(yield* ids, [first.id, second.id])
      yield* steer(turnId)
      yield* client.told("turn/completed", ({ turn }) => turn.status === "failed")
      yield* answered("two")
      assert.deepStrictEqual(yield* ids, [])
      assert.strictEqual(client.notifications("turn/started").length, 3)
    }).pipe(Effect.provide(bench)))

  it.effect("can be changed, ordered, taken away and listed by pages meanwhile", () =>
    Effect.gen(function*() {
      const { add, answered, client, ids, start, steer, threadId } = yield* started
      const turnId = yield* start("wait")
      yield* client.told("turn/started")
      const [a, b, c] = [yield* add("a"), yield* add("b"), yield* add("c")]
      yield* client.ask("thread/queue/reorder", { threadId, queuedSubmissionIds: [c.id, a.id, b.id] })
      assert.deepStrictEqual(yield* ids, [c.id, a.id, b.id])
      const page = yield* client.ask("thread/queue/list", { threadId, limit: 2 })
      assert.deepStrictEqual([page.data.length, page.nextCursor], [2, "2"])
      const rest = yield* client.ask("thread/queue/list", { threadId, limit: 2, cursor: "2" })
      assert.deepStrictEqual([rest.data.map(({ id }) => id), rest.nextCursor], [[b.id], null])
      const changed = yield* client.ask("thread/queue/update", {
        threadId,
        queuedSubmissionId: a.id,
        input: OwnAgent.says("changed")
      })
      assert.deepInclude(changed.queuedSubmission, { id: a.id, clientUserMessageId: "c-a" })
      const remove = { threadId, queuedSubmissionId: c.id }
      assert.deepStrictEqual(yield* client.ask("thread/queue/delete", remove), { deleted: true })
      assert.deepStrictEqual(yield* client.ask("thread/queue/delete", remove), { deleted: false })
      yield* steer(turnId)
      yield* answered("changed")
      yield* answered("b")
      const texts = client.notifications("turn/completed").flatMap(({ params }) =>
        /"text":"(\w+)"/.exec(JSON.stringify(params))?.[1] ?? []
      )
      assert.deepStrictEqual(texts, ["changed", "b"])
    }).pipe(Effect.provide(bench)))

  it.effect("stay when somebody interrupts, until another turn has ended or one is sent", () =>
    Effect.gen(function*() {
      const { add, answered, client, ids, start, threadId } = yield* started
      yield* start("wait")
      yield* client.told("turn/started")
      const a = yield* add("a")
      yield* client.ask("turn/interrupt", { threadId, turnId: "" })
      yield* client.told("turn/completed", ({ turn }) => turn.status === "interrupted")
      const b = yield* add("b")
      const c = yield* add("c")
      assert.deepStrictEqual(yield* ids, [a.id, b.id, c.id])
      const { turn } = yield* client.ask("thread/queue/start", { threadId, queuedSubmissionId: b.id })
      assert.strictEqual((yield* answered("b")).turn.id, turn.id)
      yield* answered("a")
      yield* answered("c")
      assert.deepStrictEqual(yield* ids, [])
    }).pipe(Effect.provide(bench)))

  it.effect("are kept with the thread, and not sent just because it is loaded again", () =>
    Effect.gen(function*() {
      const { add, answered, client, ids, start, threadId } = yield* started
      yield* start("one")
      yield* answered("one")
      yield* start("wait")
      yield* client.told("turn/started", ({ turn }) => turn.id !== "")
      const a = yield* add("a")
      yield* client.ask("thread/archive", { threadId })
      yield* client.ask("thread/unarchive", { threadId })
      assert.deepStrictEqual(yield* ids, [a.id])
      yield* client.ask("thread/resume", { threadId })
      assert.deepStrictEqual(yield* ids, [a.id])
      yield* start("two")
      yield* answered("two")
      yield* answered("a")
      assert.deepStrictEqual(yield* ids, [])
    }).pipe(Effect.provide(bench)))

  it.effect("are refused in the real server's words", () =>
    Effect.gen(function*() {
      const { add, client, ids, start, threadId } = yield* started
      const none = "01a229ba-4997-7253-bcc4-4479b9777900"
      const refusal = (method: string, params: object) => client.refusal(method, { threadId, ...params })
      assert.strictEqual(yield* refusal("thread/queue/start", {}), "queue is empty")
      yield* start("wait")
      yield* client.told("turn/started")
      const a = yield* add("a")
      assert.strictEqual(
        yield* refusal("thread/queue/start", { queuedSubmissionId: a.id }),
        "thread already has an active or pending turn"
      )
      assert.strictEqual(
        yield* refusal("thread/queue/start", { queuedSubmissionId: none }),
        `queued submission not found: ${none}`
      )
      assert.strictEqual(
        yield* refusal("thread/queue/update", { queuedSubmissionId: none, input: OwnAgent.says("x") }),
        `queued submission not found: ${none}`
      )
      assert.strictEqual(
        yield* refusal("thread/queue/add", { clientUserMessageId: "x", input: [] }),
        "only user input can be added to the user-message queue"
      )
      for (const queuedSubmissionIds of [[], [a.id, a.id], [none]]) {
        assert.strictEqual(
          yield* refusal("thread/queue/reorder", { queuedSubmissionIds }),
          "queue reorder must include every queued submission exactly once"
        )
      }
      assert.strictEqual(
        yield* refusal("thread/queue/list", { cursor: "x" }),
        "invalid queue pagination cursor: invalid digit found in string"
      )
      assert.deepStrictEqual(yield* ids, [a.id])
    }).pipe(Effect.provide(bench)))
})
