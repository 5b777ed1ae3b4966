/**
 * What clients ask of threads that cannot be done as it is, and is refused in the real server's words.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as BridgeBench from "../../support/BridgeBench.ts"

const bench = BridgeBench.layer({ scenario: { fallback: [{ _tag: "Say", deltas: ["Done."] }] } })

const connect = Effect.flatMap(BridgeBench.BridgeBench, (bridge) => bridge.connect())

/** A thread with a turn that has ended. */
const withTurn = Effect.gen(function*() {
  const client = yield* connect
  const { thread } = yield* client.ask("thread/start", {})
  yield* client.ask("turn/start", {
    threadId: thread.id,
    input: [{ type: "text", text: "hi", text_elements: [] }]
  })
  yield* client.told("turn/completed")
  return { client, threadId: thread.id }
})

const noModel = "No models are available. Set `model` explicitly or check your model catalog configuration."

describe("what says nothing", () => {
  it.effect("a model without a name is refused for a thread that is made or loaded", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* withTurn
      for (const model of ["", " "]) {
        assert.strictEqual(yield* client.refusal("thread/start", { model }), noModel)
        assert.strictEqual(yield* client.refusal("thread/fork", { threadId, model }), noModel)
      }
      // One that is loaded keeps its own.
      const { model } = yield* client.ask("thread/resume", { threadId, model: "" })
      assert.strictEqual(model, "scripted")
    }).pipe(Effect.provide(bench)))

  it.effect("an empty project is none to start or to list in, and takes a thread out of its project", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const { project } = yield* client.ask("project/create", { name: "p", roots: [], idempotencyKey: "k" })
      const { thread } = yield* client.ask("thread/start", { projectId: project.id })
      for (const method of ["thread/start", "thread/list"]) {
        assert.strictEqual(yield* client.refusal(method, { projectId: "" }), "projectId must not be empty")
      }
      const after = yield* client.ask("thread/metadata/update", { threadId: thread.id, projectId: "" })
      assert.isNull(after.thread.projectId)
      assert.deepStrictEqual(yield* client.told("thread/project/updated", ({ projectId }) => projectId === null), {
        threadId: thread.id,
        projectId: null
      })
    }).pipe(Effect.provide(bench)))

  it.effect("what is known of a repository is said or taken back, and not empty", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* withTurn
      const set = (gitInfo: object) => ({ threadId, gitInfo })
      for (const [gitInfo, empty] of [[{ sha: "", branch: "" }, "sha"], [{ originUrl: " ", sha: "" }, "originUrl"]]) {
        assert.strictEqual(
          yield* client.refusal("thread/metadata/update", { threadId, gitInfo }),
          `gitInfo.${String(empty)} must not be empty`
        )
      }
      const named = yield* client.ask("thread/metadata/update", set({ branch: " x " }))
      assert.deepStrictEqual(named.thread.gitInfo, { branch: "x", originUrl: null, sha: null })
      const bare = yield* client.ask("thread/metadata/update", set({ branch: null }))
      assert.isNull(bare.thread.gitInfo)
    }).pipe(Effect.provide(bench)))

  it.effect("an id that is none is told from a thread that is not there", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const input = [{ type: "text", text: "hi" }]
      const problem = "invalid length: expected length 32 for simple format, found 0"
      for (
        const [method, rest] of [
          ["turn/start", { input }],
          ["turn/steer", { input, expectedTurnId: "x" }],
          ["turn/interrupt", { turnId: "x" }],
          ["thread/settings/update", {}],
          ["thread/compact/start", {}],
          ["thread/unsubscribe", {}],
          ["thread/read", {}]
        ] as const
      ) {
        assert.strictEqual(yield* client.refusal(method, { threadId: "", ...rest }), `invalid thread id: ${problem}`)
      }
      for (const method of ["thread/archive", "thread/resume", "thread/fork", "thread/unarchive"]) {
        assert.strictEqual(yield* client.refusal(method, { threadId: "" }), `invalid session id: ${problem}`)
      }
    }).pipe(Effect.provide(bench)))
})

describe("what goes too far", () => {
  it.effect("a running turn is changed in what it can be changed in, and in nothing besides", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const { thread } = yield* client.ask("thread/start", {})
      for (const approvalPolicy of ["never", null]) {
        const params = { threadId: thread.id, turnId: "x", approvalPolicy }
        assert.strictEqual(
          yield* client.refusal("turn/settings/update", params),
          "Invalid request: unknown field `approvalPolicy`, expected one of `threadId`, `turnId`, `approvalsReviewer`, " +
            "`environments`, `model`, `effort`, `summary`, `serviceTier`"
        )
      }
      assert.deepStrictEqual(
        yield* client.ask("turn/settings/update", { threadId: thread.id, turnId: "x", effort: "low" }),
        { status: "targetUnavailable" }
      )
    }).pipe(Effect.provide(bench)))

  it.effect("a budget that a number cannot hold is refused, and nothing of it is stored", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const { thread } = yield* client.ask("thread/start", {})
      const params = { threadId: thread.id, objective: "x", tokenBudget: 2 ** 60 }
      assert.match(yield* client.refusal("thread/goal/set", params), /^goal budgets must be at most \d+ tokens$/u)
      assert.isNull((yield* client.ask("thread/goal/get", { threadId: thread.id })).goal)
    }).pipe(Effect.provide(bench)))
})

describe("a thread that makes a title", () => {
  it.effect("is in no list, not in that of loaded threads either", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const { thread: title } = yield* client.ask("thread/start", { threadSource: "thread_title" })
      const { thread } = yield* client.ask("thread/start", {})
      assert.deepStrictEqual(yield* client.ask("thread/loaded/list", {}), { data: [thread.id], nextCursor: null })
      const { data } = yield* client.ask("thread/list", {})
      assert.isFalse(data.some(({ id }) => id === title.id))
    }).pipe(Effect.provide(bench)))
})
