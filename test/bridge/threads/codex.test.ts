/**
 * A real codex behind the bridge: what it does by itself, and what its model is told besides messages.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AgentBackend } from "../../../src/agent/index.ts"
import * as BridgeBench from "../../support/BridgeBench.ts"
import * as CodexBench from "../../support/CodexBench.ts"
import * as Gate from "../../support/Gate.ts"
import * as ModelTurn from "../../support/ModelTurn.ts"
import * as RecordedRequest from "../../support/RecordedRequest.ts"
import * as OwnAgent from "./support/ownAgent.ts"

const patience = 60_000

// What the login shell of whoever runs the tests does first is not looked at here.
beforeAll(() => {
  vi.stubEnv("SHELL", "/bin/sh")
  vi.stubEnv("HOME", "/nonexistent")
})
afterAll(() => {
  vi.unstubAllEnvs()
})

const started = Effect.gen(function*() {
  const codex = yield* CodexBench.make({ fallback: ModelTurn.text("nothing more") })
  const bridge = yield* BridgeBench.make({ backend: Layer.succeed(AgentBackend, codex.backend) })
  const client = yield* bridge.connect()
  const { thread } = yield* client.ask("thread/start", { cwd: bridge.root })
  return { client, model: codex.model, threadId: thread.id }
})

const says = (text: string) => (params: { readonly turn: { readonly items: ReadonlyArray<object> } }) =>
  params.turn.items.some((item) => "text" in item && item.text === text)

describe("a codex behind the bridge", () => {
  it.live("goes on with a goal until it is reached, in turns of the thread", () =>
    Effect.gen(function*() {
      const { client, model, threadId } = yield* started
      yield* model.push(
        ModelTurn.text("goal 1"),
        ModelTurn.turn([ModelTurn.functionCall("update_goal", { status: "complete" })]),
        ModelTurn.text("goal complete")
      )
      const { goal } = yield* client.ask("thread/goal/set", { threadId, objective: "Ship it" })
      assert.strictEqual(goal.status, "active")
      yield* client.told("turn/completed", says("goal 1"))
      yield* client.told("turn/completed", says("goal complete"))
      const ended = yield* client.told("thread/goal/updated", ({ goal }) => goal.status === "complete")
      assert.isAbove(ended.goal.tokensUsed, 0)
      const { thread } = yield* client.ask("thread/read", { threadId, includeTurns: true })
      assert.deepStrictEqual(thread.turns.map(({ status }) => status), ["completed", "completed"])
      assert.deepInclude((yield* client.ask("thread/goal/get", { threadId })).goal, { status: "complete" })
      assert.strictEqual(
        client.notifications("thread/goal/updated").filter(({ params }) => JSON.stringify(params).includes(":0,\"time"))
          .length,
        1
      )
    }).pipe(Effect.provide(NodeServices.layer)), patience)

  it.live("pauses its goal when somebody interrupts it", () =>
    Effect.gen(function*() {
      const { client, model, threadId } = yield* started
      const gate = yield* Gate.make
      yield* model.push(ModelTurn.text("half", gate, "whole"))
      yield* client.ask("thread/goal/set", { threadId, objective: "Ship it" })
      yield* client.told("item/agentMessage/delta")
      yield* client.ask("turn/interrupt", { threadId, turnId: "" })
      yield* client.told("turn/completed", ({ turn }) => turn.status === "interrupted")
      yield* client.told("thread/goal/updated", ({ goal }) => goal.status === "paused")
      yield* gate.open
      yield* client.ask("turn/start", { threadId, input: OwnAgent.says("hello") })
      yield* client.told("turn/completed", says("nothing more"))
      assert.strictEqual(client.notifications("turn/started").length, 2)
    }).pipe(Effect.provide(NodeServices.layer)), patience)

  it.live("is forked and taken back with its thread: its model knows what clients see", () =>
    Effect.gen(function*() {
      const { client, model, threadId } = yield* started
      const turn = Effect.fnUntraced(function*(threadId: string, text: string) {
        yield* model.push(ModelTurn.text(`to ${text}`))
        const { turn } = yield* client.ask("turn/start", { threadId, input: OwnAgent.says(text) })
        yield* client.told("turn/completed", (params) => params.turn.id === turn.id)
        return turn.id
      })
      /** Before anything is said, codex tells its model where it works. */
      const heard = Effect.map(model.requests, (requests) => {
        const last = requests.at(-1)
        return last === undefined ? [] : RecordedRequest.userTexts(last).filter((text) => !text.startsWith("<"))
      })
      yield* turn(threadId, "one")
      const two = yield* turn(threadId, "two")
      const { thread } = yield* client.ask("thread/fork", { threadId, beforeTurnId: two })
      yield* turn(thread.id, "else")
      assert.deepStrictEqual(yield* heard, ["one", "else"])
      yield* client.ask("thread/compact/start", { threadId })
      yield* client.first(() => client.allTold("turn/completed").length === 4)
      const three = yield* turn(threadId, "three")
      yield* client.ask("thread/revert", { threadId, beforeTurnId: three })
      yield* turn(threadId, "four")
      // As the compaction has left it: its summary is the last of what is known.
      const afterCompaction = yield* heard
      assert.strictEqual(afterCompaction.at(-1), "four")
      assert.notInclude(afterCompaction, "three")
      assert.lengthOf(afterCompaction.filter((text) => text.includes("nothing more")), 1)
      yield* client.ask("thread/revert", { threadId, beforeTurnId: two })
      yield* turn(threadId, "five")
      assert.deepStrictEqual(yield* heard, ["one", "five"])
    }).pipe(Effect.provide(NodeServices.layer)), patience)

  it.live("takes what is said while it pursues its goal", () =>
    Effect.gen(function*() {
      const { client, model, threadId } = yield* started
      const gate = yield* Gate.make
      yield* model.push(
        ModelTurn.text("half ", gate, "whole"),
        ModelTurn.turn([ModelTurn.functionCall("update_goal", { status: "complete" })]),
        ModelTurn.text("both")
      )
      yield* client.ask("thread/goal/set", { threadId, objective: "Ship it" })
      yield* client.told("item/agentMessage/delta")
      const { turn } = yield* client.ask("turn/start", { threadId, input: OwnAgent.says("and this") })
      yield* gate.open
      const ended = yield* client.told("turn/completed", (params) => params.turn.id === turn.id)
      assert.strictEqual(ended.turn.status, "completed")
      const { item } = yield* client.told("item/completed", ({ item }) => item.type === "userMessage")
      assert.include(JSON.stringify(item), "and this")
      assert.strictEqual(
        client.notifications("item/completed").filter(({ params }) => JSON.stringify(params).includes("and this"))
          .length,
        1
      )
    }).pipe(Effect.provide(NodeServices.layer)), patience)

  it.live(
    "tells its model what a client has put into the thread, as no message of the user",
    () =>
      Effect.gen(function*() {
        const { client, model, threadId } = yield* started
        yield* client.ask("thread/inject_items", {
          threadId,
          items: [{ type: "message", role: "user", content: [{ type: "input_text", text: "from elsewhere" }] }]
        })
        yield* client.ask("thread/shellCommand", { threadId, command: "echo from-shell" })
        yield* client.told("turn/completed")
        yield* client.ask("turn/start", { threadId, input: OwnAgent.says("hello") })
        yield* client.told("turn/completed", says("nothing more"))
        const [request] = yield* model.requests
        const input = JSON.stringify(request)
        assert.match(input, /"role":"developer"[^}]*from elsewhere[\s\S]*from-shell/)
        const shown = client.notifications("item/completed").filter(({ params }) =>
          JSON.stringify(params).includes("userMessage")
        )
        assert.strictEqual(shown.length, 1)
        assert.notInclude(JSON.stringify(shown), "from elsewhere")
      }).pipe(Effect.provide(NodeServices.layer)),
    patience
  )
})
