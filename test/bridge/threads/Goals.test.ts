import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { emptyUsage } from "../../../src/agent/index.ts"
import * as BridgeBench from "../../support/BridgeBench.ts"
import * as OwnAgent from "./support/ownAgent.ts"

const connect = Effect.flatMap(BridgeBench.BridgeBench, ({ connect }) => connect())

const started = Effect.gen(function*() {
  const client = yield* connect
  const { thread } = yield* client.ask("thread/start", {})
  yield* client.told("thread/started")
  return { client, threadId: thread.id }
})

const say = (client: BridgeBench.Client, threadId: string, text: string) =>
  Effect.gen(function*() {
    const { turn } = yield* client.ask("turn/start", { threadId, input: OwnAgent.says(text) })
    return yield* client.told("turn/completed", (params) => params.turn.id === turn.id)
  })

/** Methods of what was told, without deltas. */
const outline = (client: BridgeBench.Client, from = 0) =>
  client.seen.slice(from).flatMap(({ method, result }) =>
    method === undefined ? [Predicate.isObject(result) ? "answer" : "error"] : method.includes("elta") ? [] : [method]
  )

describe("a goal of an agent that knows none", () => {
  const scenario = {
    capabilities: { goals: false },
    fallback: [
      { _tag: "Use", input: 100, cachedInput: 40, output: 20 },
      { _tag: "Say", deltas: ["{{context}}"] }
    ]
  } as const

  it.effect("is answered first and told then, and is the same for whoever asks", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* started
      assert.isNull((yield* client.ask("thread/goal/get", { threadId })).goal)
      const from = client.seen.length
      const { goal } = yield* client.ask("thread/goal/set", { threadId, objective: "Ship it", tokenBudget: 5000 })
      const told = yield* client.told("thread/goal/updated")
      assert.deepStrictEqual(outline(client, from), ["answer", "thread/goal/updated"])
      assert.deepStrictEqual(told, { threadId, turnId: null, goal })
      assert.deepInclude(goal, { status: "active", tokensUsed: 0, timeUsedSeconds: 0, tokenBudget: 5000 })
      assert.deepStrictEqual((yield* client.ask("thread/goal/get", { threadId })).goal, goal)
      assert.deepStrictEqual(yield* client.ask("thread/goal/clear", { threadId }), { cleared: true })
      yield* client.told("thread/goal/cleared")
      assert.deepStrictEqual(yield* client.ask("thread/goal/clear", { threadId }), { cleared: false })
    }).pipe(Effect.provide(BridgeBench.layer({ scenario }))))

  it.effect("is refused in the real server's words", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* started
      const refusal = (params: object) => client.refusal("thread/goal/set", { threadId, ...params })
      assert.strictEqual(
        yield* refusal({ status: "active" }),
        `cannot update goal for thread ${threadId}: no goal exists`
      )
      assert.strictEqual(yield* refusal({ objective: "" }), "goal objective must not be empty")
      assert.strictEqual(
        yield* refusal({ objective: "x", tokenBudget: 0 }),
        "goal budgets must be positive when provided"
      )
      assert.strictEqual(
        yield* refusal({ objective: "x".repeat(4001) }),
        "goal objective must be at most 4000 characters"
      )
      const other = "01a229b4-c21b-71a0-a218-265c7eeb0000"
      assert.strictEqual(yield* client.refusal("thread/goal/get", { threadId: other }), `thread not found: ${other}`)
      assert.strictEqual(
        yield* client.refusal("thread/goal/set", { threadId: other, objective: "x" }),
        `thread not found: ${other}`
      )
    }).pipe(Effect.provide(BridgeBench.layer({ scenario }))))

  it.effect("is told to the agent with each turn, and the message stays as its user wrote it", () =>
    Effect.gen(function*() {
      const agent = OwnAgent.make(scenario)
      yield* Effect.gen(function*() {
        const { client, threadId } = yield* started
        yield* client.ask("thread/goal/set", { threadId, objective: "Ship it" })
        yield* say(client, threadId, "go on")
        yield* client.ask("thread/goal/set", { threadId, status: "paused" })
        yield* say(client, threadId, "hello")
        assert.match(agent.inputs[0]?.context ?? "", /Ship it/)
        assert.deepStrictEqual(agent.inputs[0]?.input, [{ _tag: "Text", text: "go on" }])
        assert.isUndefined(agent.inputs[1]?.context)
        assert.isEmpty(agent.goals)
        const shown = client.seen.filter(({ params }) => JSON.stringify(params ?? {}).includes("\"userMessage\""))
        assert.isFalse(JSON.stringify(shown).includes("Ship it"))
      }).pipe(Effect.provide(BridgeBench.layer({ backend: agent.layer })))
    }))

  it.effect("counts what turns use while it is active, until its budget is used up", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* started
      yield* client.ask("thread/goal/set", { threadId, objective: "Ship it", tokenBudget: 100 })
      const from = client.seen.length
      const { turn } = yield* say(client, threadId, "one")
      const first = (yield* client.ask("thread/goal/get", { threadId })).goal
      assert.deepInclude(first, { status: "active", tokensUsed: 80 })
      const methods = outline(client, from)
      assert.isBelow(methods.indexOf("thread/tokenUsage/updated"), methods.lastIndexOf("thread/goal/updated"))
      assert.isBelow(methods.lastIndexOf("thread/goal/updated"), methods.indexOf("turn/completed"))
      const told = yield* client.told("thread/goal/updated", ({ goal }) => goal.tokensUsed === 80)
      assert.strictEqual(told.turnId, turn.id)
      yield* say(client, threadId, "two")
      const second = (yield* client.ask("thread/goal/get", { threadId })).goal
      assert.deepInclude(second, { status: "budgetLimited", tokensUsed: 160 })
      yield* say(client, threadId, "three")
      assert.deepInclude((yield* client.ask("thread/goal/get", { threadId })).goal, { tokensUsed: 160 })
    }).pipe(Effect.provide(BridgeBench.layer({ scenario }))))
})

describe("a goal of an agent that knows such a thing", () => {
  const scenario = { fallback: [{ _tag: "Say", deltas: ["ok"] }] } as const

  it.effect("is given to it when it is set, and told once", () =>
    Effect.gen(function*() {
      const agent = OwnAgent.make(scenario)
      yield* Effect.gen(function*() {
        const { client, threadId } = yield* started
        yield* client.ask("thread/goal/set", { threadId, objective: "Ship it", status: "paused" })
        // Nobody has opened a session for it.
        assert.isEmpty(agent.goals)
        yield* say(client, threadId, "hi")
        assert.deepStrictEqual(agent.goals, [{ objective: "Ship it", status: "paused" }])
        assert.isUndefined(agent.inputs[0]?.context)
        yield* client.ask("thread/goal/set", { threadId, status: "active" })
        yield* client.ask("thread/goal/clear", { threadId })
        yield* client.told("thread/goal/cleared")
        yield* say(client, threadId, "ho")
        assert.deepStrictEqual(agent.goals, [
          { objective: "Ship it", status: "paused" },
          { objective: "Ship it", status: "active" },
          null
        ])
        assert.strictEqual(client.notifications("thread/goal/updated").length, 2)
        assert.strictEqual(client.notifications("thread/goal/cleared").length, 1)
      }).pipe(Effect.provide(BridgeBench.layer({ backend: agent.layer })))
    }))

  it.effect("has the agent go on: its own turn is a turn of the thread", () =>
    Effect.gen(function*() {
      const agent = OwnAgent.make(scenario)
      yield* Effect.gen(function*() {
        const { client, threadId } = yield* started
        yield* say(client, threadId, "hi")
        yield* client.ask("thread/goal/set", { threadId, objective: "Ship it" })
        const from = client.seen.length
        const goal = { objective: "Ship it", status: "active", timeUsed: 0 }
        agent.tell(
          { _tag: "TurnStarted", turnId: "own" },
          { _tag: "ItemStarted", item: { _tag: "AgentMessage", id: "m", text: "" } },
          { _tag: "ItemDelta", itemId: "m", field: "text", index: 0, delta: "goal 1" },
          { _tag: "ItemCompleted", item: { _tag: "AgentMessage", id: "m", text: "goal 1" }, closed: false },
          { _tag: "UsageUpdated", usage: { ...emptyUsage, input: 60, output: 20, total: 80, fresh: true } },
          { _tag: "GoalUpdated", goal: { ...goal, tokensUsed: 80 } },
          { _tag: "TurnEnded", outcome: { _tag: "Completed" } }
        )
        const { turn } = yield* client.told("turn/completed", (params) =>
          params.turn.items.some((item) => item.type === "agentMessage" && item.text === "goal 1"))
        const updated = yield* client.told("thread/goal/updated", (params) =>
          params.goal.tokensUsed === 80)
        assert.strictEqual(updated.turnId, turn.id)
        assert.deepStrictEqual(outline(client, from), [
          "thread/goal/updated",
          "thread/status/changed",
          "turn/started",
          "item/started",
          "item/completed",
          "thread/tokenUsage/updated",
          "thread/goal/updated",
          "thread/status/changed",
          "turn/completed"
        ])
        const { thread } = yield* client.ask("thread/read", { threadId, includeTurns: true })
        assert.deepStrictEqual(thread.turns.map(({ id }) => id).at(-1), turn.id)
        assert.deepStrictEqual(thread.turns.map(({ status }) => status), ["completed", "completed"])
      }).pipe(Effect.provide(BridgeBench.layer({ backend: agent.layer })))
    }))

  it.effect("is paused by whoever interrupts the agent's own turn", () =>
    Effect.gen(function*() {
      const agent = OwnAgent.make(scenario)
      yield* Effect.gen(function*() {
        const { client, threadId } = yield* started
        yield* say(client, threadId, "hi")
        agent.tell(
          { _tag: "TurnStarted", turnId: "own" },
          { _tag: "ItemStarted", item: { _tag: "AgentMessage", id: "m", text: "" } }
        )
        yield* client.told("item/started", ({ item }) => item.id === "m")
        const running = client.notifications("turn/started").length
        yield* client.ask("turn/interrupt", { threadId, turnId: "" })
        yield* client.told("turn/completed", ({ turn }) => turn.status === "interrupted")
        assert.strictEqual(agent.interruptions, 1)
        yield* client.told("item/completed", ({ item }) => item.id === "last")
        yield* say(client, threadId, "next")
        assert.strictEqual(client.notifications("turn/started").length, running + 1)
      }).pipe(Effect.provide(BridgeBench.layer({ backend: agent.layer })))
    }))

  it.effect("takes what a client says meanwhile", () =>
    Effect.gen(function*() {
      const agent = OwnAgent.make(scenario)
      yield* Effect.gen(function*() {
        const { client, threadId } = yield* started
        yield* say(client, threadId, "hi")
        agent.tell(
          { _tag: "TurnStarted", turnId: "own" },
          { _tag: "ItemStarted", item: { _tag: "AgentMessage", id: "m", text: "" } }
        )
        yield* client.told("item/started", ({ item }) => item.id === "m")
        const { turn } = yield* client.ask("turn/start", { threadId, input: OwnAgent.says("also this") })
        const ended = yield* client.told("turn/completed", (params) => params.turn.id === turn.id)
        assert.strictEqual(ended.turn.status, "completed")
        yield* client.told("item/completed", ({ item, turnId }) =>
          item.type === "userMessage" && turnId === turn.id && JSON.stringify(item.content).includes("also this"))
      }).pipe(Effect.provide(BridgeBench.layer({ backend: agent.layer })))
    }))
})

describe("a compaction", () => {
  it.effect("is one turn, also for an agent that tells it between turns", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* started
      yield* say(client, threadId, "hi")
      yield* client.ask("thread/compact/start", { threadId })
      yield* client.told("item/completed", ({ item }) => item.type === "contextCompaction")
      yield* say(client, threadId, "ho")
      const { thread } = yield* client.ask("thread/read", { threadId, includeTurns: true })
      assert.strictEqual(thread.turns.length, 3)
      const compactions = client.notifications("item/completed").filter(({ params }) =>
        JSON.stringify(params).includes("contextCompaction")
      )
      assert.strictEqual(compactions.length, 1)
    }).pipe(Effect.provide(BridgeBench.layer({ scenario: { fallback: [{ _tag: "Say", deltas: ["ok"] }] } }))))
})

describe("a command that outlives its turn", () => {
  it.effect("ends in the turn that it began in, for who watches and in the history", () =>
    Effect.gen(function*() {
      const agent = OwnAgent.make({ fallback: [{ _tag: "LeaveOpen", kind: "command", deltas: ["a"] }] })
      yield* Effect.gen(function*() {
        const { client, threadId } = yield* started
        const { turn } = yield* say(client, threadId, "hi")
        const { item } = yield* client.told("item/completed", ({ item }) => item.type === "commandExecution")
        yield* say(client, threadId, "ho")
        agent.tell({
          _tag: "ItemCompleted",
          closed: false,
          item: {
            _tag: "CommandExecution",
            id: String(item.id),
            command: "make",
            status: "completed",
            output: "ab",
            exitCode: 0
          }
        })
        const late = yield* client.told(
          "item/completed",
          ({ item }) => item.type === "commandExecution" && item.status === "completed"
        )
        assert.strictEqual(late.turnId, turn.id)
        const { thread } = yield* client.ask("thread/read", { threadId, includeTurns: true })
        const stored = thread.turns[0]?.items.find(({ id }) => id === item.id)
        assert.deepInclude(stored, { status: "completed", aggregatedOutput: "ab" })
      }).pipe(Effect.provide(BridgeBench.layer({ backend: agent.layer })))
    }))
})
