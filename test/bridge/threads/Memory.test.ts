/**
 * What the agent of a thread knows of it: after a fork, a revert, the loss of its session, and of what happened between
 * its turns.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { AgentBackend, AgentError, UnknownSession } from "../../../src/agent/index.ts"
import type { Scenario } from "../../../src/backends/scripted/Scenario.ts"
import * as ScriptedBackend from "../../../src/backends/scripted/ScriptedBackend.ts"
import * as BridgeBench from "../../support/BridgeBench.ts"
import * as OwnAgent from "./support/ownAgent.ts"

// What the login shell of whoever runs the tests does first is not looked at here.
beforeAll(() => {
  vi.stubEnv("SHELL", "/bin/sh")
  vi.stubEnv("HOME", "/nonexistent")
})
afterAll(() => {
  vi.unstubAllEnvs()
})

/** An agent that tells what it knows. */
const scenario: Scenario = {
  turns: [{ match: "stay", steps: [{ _tag: "Say", deltas: ["staying"] }, { _tag: "Hang" }] }],
  fallback: [{ _tag: "Say", deltas: ["I heard [{{heard}}] and [{{context}}]"] }]
}

const forgetful: Scenario = { ...scenario, capabilities: { fork: false, resume: false } }

const live = (
  title: string,
  body: () => Effect.Effect<void, unknown, NodeServices.NodeServices | Scope.Scope>
) => it.live(title, () => Effect.provide(body(), NodeServices.layer))

const begin = Effect.fnUntraced(function*(options: BridgeBench.Options) {
  const bridge = yield* BridgeBench.make(options)
  const client = yield* bridge.connect()
  const { thread } = yield* client.ask("thread/start", { cwd: bridge.root })
  return { client, threadId: thread.id }
})

const start = (client: BridgeBench.Client, threadId: string, text: string) =>
  Effect.map(client.ask("turn/start", { threadId, input: OwnAgent.says(text) }), ({ turn }) => turn.id)

/** Runs a turn; its id, and what the agent said it knew. */
const turn = Effect.fnUntraced(function*(client: BridgeBench.Client, threadId: string, text: string) {
  const id = yield* start(client, threadId, text)
  const { turn } = yield* client.told("turn/completed", ({ turn }) => turn.id === id)
  assert.strictEqual(turn.status, "completed")
  const said = turn.items.flatMap((item) => item.type === "agentMessage" && "text" in item ? [String(item.text)] : [])
  return [id, said.at(-1) ?? ""] as const
})

/** Has the thread unloaded, and loads it again. */
const reload = Effect.fnUntraced(function*(client: BridgeBench.Client, threadId: string) {
  yield* client.ask("thread/archive", { threadId })
  yield* client.ask("thread/unarchive", { threadId })
  yield* client.ask("thread/resume", { threadId })
})

const warnings = (client: BridgeBench.Client) => client.allTold("warning").map(({ message }) => message)

describe("the agent of a thread", () => {
  live("that is forked knows what the fork shows, and no more", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* begin({ scenario })
      const [one] = yield* turn(client, threadId, "one")
      const [two] = yield* turn(client, threadId, "two")
      const forked = (options: object) =>
        Effect.map(client.ask("thread/fork", { threadId, ...options }), ({ thread }) => thread.id)
      assert.strictEqual(
        (yield* turn(client, yield* forked({ lastTurnId: one }), "else"))[1],
        "I heard [one] and []"
      )
      assert.strictEqual(
        (yield* turn(client, yield* forked({ beforeTurnId: two }), "else"))[1],
        "I heard [one] and []"
      )
      const whole = yield* forked({})
      assert.strictEqual((yield* turn(client, whole, "else"))[1], "I heard [one / two] and []")
      // A fork of a fork, which has no session of its own yet when it is forked.
      const { thread } = yield* client.ask("thread/fork", { threadId: yield* forked({}), lastTurnId: one })
      assert.strictEqual((yield* turn(client, thread.id, "more"))[1], "I heard [one] and []")
      assert.strictEqual((yield* turn(client, threadId, "three"))[1], "I heard [one / two] and []")
      assert.strictEqual((yield* turn(client, yield* forked({ beforeTurnId: one }), "new"))[1], "I heard [] and []")
    }))

  live("that is taken back does not know what was taken back", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* begin({ scenario })
      const [one] = yield* turn(client, threadId, "one")
      const [two] = yield* turn(client, threadId, "two")
      yield* client.ask("thread/revert", { threadId, beforeTurnId: two })
      yield* reload(client, threadId)
      const [three, said] = yield* turn(client, threadId, "three")
      assert.strictEqual(said, "I heard [one] and []")
      yield* client.ask("thread/revert", { threadId, beforeTurnId: three })
      assert.strictEqual((yield* turn(client, threadId, "four"))[1], "I heard [one] and []")
      yield* client.ask("thread/revert", { threadId, beforeTurnId: one })
      assert.strictEqual((yield* turn(client, threadId, "five"))[1], "I heard [] and []")
    }))

  live("begins a turn before turns are taken back, or after", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* begin({ scenario })
      const [one] = yield* turn(client, threadId, "one")
      yield* start(client, threadId, "stay")
      // Whichever is first: no turn is taken back while it runs, and none is left behind.
      const [, { turn: next }] = yield* Effect.all([
        client.ask("thread/revert", { threadId, beforeTurnId: one }),
        client.ask("turn/start", { threadId, input: OwnAgent.says("next") })
      ], { concurrency: "unbounded" })
      const { turn: ended } = yield* client.told("turn/completed", ({ turn }) => turn.id === next.id)
      const { thread } = yield* client.ask("thread/read", { threadId, includeTurns: true })
      assert.deepStrictEqual(
        thread.turns.map(({ id, status }) => [id, status]),
        ended.status === "completed" ? [[next.id, "completed"]] : []
      )
    }))

  live(
    "that cannot be forked is told what was said, and so is one that cannot be resumed",
    () =>
      Effect.gen(function*() {
        const { client, threadId } = yield* begin({ scenario: forgetful })
        const [one] = yield* turn(client, threadId, "one")
        yield* turn(client, threadId, "two")
        const { thread } = yield* client.ask("thread/fork", { threadId, lastTurnId: one })
        const [, said] = yield* turn(client, thread.id, "else")
        assert.include(said, "I heard []")
        assert.include(said, "User: one\nYou: I heard [] and []")
        assert.notInclude(said, "two")
        assert.strictEqual((yield* turn(client, thread.id, "more"))[1], "I heard [else] and []")
        yield* reload(client, threadId)
        const [, again] = yield* turn(client, threadId, "three")
        assert.include(again, "User: one\nYou: I heard [] and []\n\nUser: two\nYou: I heard [one] and []")
        assert.deepStrictEqual(warnings(client), [])
      })
  )

  live("that has lost its session goes on with what was said, and that is told", () =>
    Effect.gen(function*() {
      const backend = Layer.effect(
        AgentBackend,
        Effect.map(ScriptedBackend.make(scenario), (agent) => ({
          ...agent,
          openSession: (options) =>
            options.resume === undefined && options.fork === undefined
              ? agent.openSession(options)
              : Effect.fail(
                new AgentError({
                  backend: agent.id,
                  reason: new UnknownSession({ sessionId: "s", detail: "the file is gone" })
                })
              )
        }))
      )
      const { client, threadId } = yield* begin({ backend })
      yield* turn(client, threadId, "one")
      yield* reload(client, threadId)
      const [two, said] = yield* turn(client, threadId, "two")
      assert.include(said, "User: one\nYou: I heard [] and []")
      assert.lengthOf(warnings(client), 1)
      assert.include(warnings(client)[0], "the file is gone")
      const { thread } = yield* client.ask("thread/fork", { threadId, lastTurnId: two })
      assert.include((yield* turn(client, thread.id, "else"))[1], "User: two")
    }))

  live("is told of a turn that it has never got", () =>
    Effect.gen(function*() {
      let works = false
      const backend = Layer.effect(
        AgentBackend,
        Effect.map(ScriptedBackend.make(scenario), (agent) => ({
          ...agent,
          openSession: (options) =>
            works ? agent.openSession(options) : Effect.fail(
              new AgentError({ backend: agent.id, reason: new UnknownSession({ sessionId: "s", detail: "not yet" }) })
            )
        }))
      )
      const { client, threadId } = yield* begin({ backend })
      const failed = yield* start(client, threadId, "one")
      yield* client.told("turn/completed", ({ turn }) => turn.id === failed && turn.status === "failed")
      works = true
      assert.include((yield* turn(client, threadId, "two"))[1], "User: one\n(This turn was failed.)")
    }))

  live("is told what the turn had come to that ran when its thread was forked", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* begin({ scenario })
      yield* turn(client, threadId, "one")
      const running = yield* start(client, threadId, "stay")
      yield* client.told("item/agentMessage/delta", ({ turnId }) => turnId === running)
      yield* client.told("item/completed", ({ item, turnId }) => turnId === running && item.type === "agentMessage")
      const { thread } = yield* client.ask("thread/fork", { threadId })
      const [, said] = yield* turn(client, thread.id, "else")
      assert.include(said, "I heard [one] and [")
      assert.include(said, "User: stay\nYou: staying\n(This turn was interrupted.)")
      assert.notInclude(said, "User: one")
      yield* client.ask("turn/interrupt", { threadId, turnId: running })
    }))

  live("is told after a restart what happened between its turns, once", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* begin({ scenario })
      yield* turn(client, threadId, "one")
      yield* client.ask("thread/shellCommand", { threadId, command: "echo from the shell" })
      const shell = yield* client.told("item/completed", ({ item }) => item.type === "commandExecution")
      yield* client.told("turn/completed", ({ turn }) => turn.id === shell.turnId)
      const items = [{ type: "message", role: "user", content: [{ type: "input_text", text: "on the side" }] }]
      yield* client.ask("thread/inject_items", { threadId, items })
      yield* reload(client, threadId)
      const fork = yield* client.ask("thread/fork", { threadId })
      const [, said] = yield* turn(client, threadId, "two")
      assert.include(said, "from the shell")
      assert.include(said, "on the side")
      assert.notInclude(said, "User: one")
      assert.strictEqual((yield* turn(client, threadId, "three"))[1], "I heard [one / two] and []")
      const [, forked] = yield* turn(client, fork.thread.id, "two")
      assert.include(forked, "from the shell")
      assert.lengthOf(forked.split("echo from the shell"), 2)
      // What belongs to a turn that is taken back is not told.
      yield* client.ask("thread/shellCommand", { threadId, command: "echo not this one" })
      const second = yield* client.told("item/completed", ({ item, turnId }) =>
        item.type === "commandExecution" && turnId !== shell.turnId)
      yield* client.told("turn/completed", ({ turn }) =>
        turn.id === second.turnId)
      yield* client.ask("thread/revert", { threadId, beforeTurnId: second.turnId })
      assert.strictEqual((yield* turn(client, threadId, "four"))[1], "I heard [one / two / three] and []")
    }))

  live("is not told more between two turns than it can take", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* begin({ scenario })
      const inject = (text: string) =>
        client.call("thread/inject_items", {
          threadId,
          items: [{ type: "message", role: "user", content: [{ type: "input_text", text }] }]
        })
      assert.strictEqual((yield* inject("x".repeat(1_000_000)))._tag, "Result")
      const refused = yield* inject("y".repeat(100_000))
      assert.include(refused._tag === "Error" ? refused.error.message : "", "wait for the next turn")
      assert.include((yield* turn(client, threadId, "one"))[1], "xxxx")
    }))

  live("takes the goal along into a fork where the client asks for that", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* begin({ scenario })
      yield* turn(client, threadId, "one")
      yield* client.ask("thread/goal/set", { threadId, objective: "Ship it", status: "paused" })
      const plain = yield* client.ask("thread/fork", { threadId })
      assert.isNull((yield* client.ask("thread/goal/get", { threadId: plain.thread.id })).goal)
      const { thread } = yield* client.ask("thread/fork", { threadId, deferGoalContinuation: true })
      const { goal } = yield* client.told("thread/goal/updated", (told) => told.threadId === thread.id)
      assert.deepInclude(goal, { objective: "Ship it", status: "paused", threadId: thread.id })
      assert.deepStrictEqual((yield* client.ask("thread/goal/get", { threadId: thread.id })).goal, goal)
    }))
})
