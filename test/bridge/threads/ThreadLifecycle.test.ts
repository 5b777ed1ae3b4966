import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import {
  AgentBackend,
  type ModelInfo,
  type SessionDefaults,
  type SessionOptions
} from "../../../src/agent/AgentBackend.ts"
import { AgentError, Silent } from "../../../src/agent/AgentError.ts"
import type { Scenario } from "../../../src/backends/scripted/Scenario.ts"
import * as ScriptedBackend from "../../../src/backends/scripted/ScriptedBackend.ts"
import * as BridgeBench from "../../support/BridgeBench.ts"
import * as OwnAgent from "./support/ownAgent.ts"

const bench = Effect.flatMap(BridgeBench.BridgeBench, ({ connect }) => connect())

const scenario: Scenario = { fallback: [{ _tag: "Say", deltas: ["Done."] }] }

/** The scripted agent with a listing of models of the test's own. */
const agentWith = (listModels: Effect.Effect<ReadonlyArray<ModelInfo>, AgentError>) =>
  Layer.effect(
    AgentBackend,
    Effect.map(ScriptedBackend.make({}), (backend) => ({
      ...backend,
      capabilities: { ...backend.capabilities, models: true },
      listModels
    }))
  )

const best: ModelInfo = { id: "best", name: "Best", description: "", isDefault: true, efforts: [] }

describe("the model of a thread that names none", () => {
  it.effect("is the agent's default, once it can tell: what failed before decides nothing", () => {
    let asked = 0
    const listModels = Effect.suspend(() =>
      ++asked === 1
        ? Effect.fail(new AgentError({ backend: "scripted", reason: new Silent({ after: 1 }) }))
        : Effect.succeed([best])
    )
    return Effect.gen(function*() {
      const client = yield* bench
      assert.strictEqual((yield* client.ask("thread/start", {})).model, "scripted")
      assert.strictEqual((yield* client.ask("thread/start", {})).model, "best")
      assert.strictEqual((yield* client.ask("thread/start", {})).model, "best")
      // What is known is not asked for again.
      assert.strictEqual(asked, 2)
    }).pipe(Effect.provide(BridgeBench.layer({ backend: agentWith(listModels) })))
  })

  it.effect("nor does a listing whose client has left", () =>
    Effect.gen(function*() {
      const asking = yield* Deferred.make<void>()
      let asked = 0
      const listModels = Effect.suspend(() =>
        ++asked === 1 ? Effect.andThen(Deferred.succeed(asking, undefined), Effect.never) : Effect.succeed([best])
      )
      yield* Effect.gen(function*() {
        const { connect } = yield* BridgeBench.BridgeBench
        const leaving = yield* connect()
        const start = yield* Effect.forkChild(leaving.call("thread/start", {}))
        yield* Deferred.await(asking)
        yield* leaving.leave
        yield* Fiber.interrupt(start)
        const client = yield* connect()
        assert.strictEqual((yield* client.ask("thread/start", {})).model, "best")
        assert.strictEqual(asked, 2)
      }).pipe(Effect.provide(BridgeBench.layer({ backend: agentWith(listModels) })))
    }))
})

/** The scripted agent with a configuration of its own. */
const configured = (asked: Array<string | undefined>, defaults: Effect.Effect<SessionDefaults, AgentError>) =>
  Layer.effect(
    AgentBackend,
    Effect.map(ScriptedBackend.make(scenario), (backend) => ({
      ...backend,
      sessionDefaults: ({ cwd }: { readonly cwd?: string | undefined }) =>
        Effect.suspend(() => {
          asked.push(cwd)
          return defaults
        })
    }))
  )

describe("the effort of a thread that names none", () => {
  it.effect("is what the agent's own configuration has for the directory; a fork begins with it anew", () => {
    const asked: Array<string | undefined> = []
    return Effect.gen(function*() {
      const client = yield* bench
      const started = yield* client.ask("thread/start", { cwd: "/work", model: "mine", serviceTier: "fast" })
      assert.deepStrictEqual([started.model, started.reasoningEffort, started.serviceTier], ["mine", "high", "fast"])
      const threadId = started.thread.id
      yield* client.ask("turn/start", {
        threadId,
        input: OwnAgent.says("hello"),
        effort: "low",
        approvalPolicy: "never"
      })
      yield* client.told("turn/completed")
      const forked = yield* client.ask("thread/fork", { threadId })
      assert.deepStrictEqual([forked.model, forked.reasoningEffort, forked.serviceTier], ["scripted", "high", null])
      assert.deepStrictEqual([forked.cwd, forked.approvalPolicy], ["/work", "never"])
      assert.deepStrictEqual(asked, ["/work", "/work"])
      assert.strictEqual((yield* client.ask("thread/start", config("low"))).reasoningEffort, "low")
    }).pipe(Effect.provide(BridgeBench.layer({ backend: configured(asked, Effect.succeed({ effort: "high" })) })))
  })

  it.effect("is not known where the agent cannot tell", () =>
    Effect.gen(function*() {
      const client = yield* bench
      assert.isNull((yield* client.ask("thread/start", {})).reasoningEffort)
    }).pipe(Effect.provide(BridgeBench.layer({
      backend: configured([], Effect.fail(new AgentError({ backend: "scripted", reason: new Silent({ after: 1 }) })))
    }))))
})

describe("what an agent may do by its own configuration", () => {
  it.effect("is shown, and left to it", () => {
    const heard: Array<unknown> = []
    const backend = Layer.effect(
      AgentBackend,
      Effect.map(ScriptedBackend.make(scenario), (backend) => ({
        ...backend,
        sessionDefaults: () =>
          Effect.succeed<SessionDefaults>({
            approvalPolicy: "never",
            confinement: {
              mode: "workspace-write",
              writableRoots: ["/srv/more"],
              networkAccess: true,
              excludeTmpdirEnvVar: false,
              excludeSlashTmp: false
            },
            summary: "of its own",
            personality: "friendly"
          }),
        openSession: (options: SessionOptions) => {
          heard.push([options.approvalPolicy, options.sandbox])
          return backend.openSession(options)
        }
      }))
    )
    return Effect.gen(function*() {
      const client = yield* bench
      const policy = {
        type: "workspaceWrite",
        writableRoots: ["/srv/more"],
        networkAccess: true,
        excludeTmpdirEnvVar: false,
        excludeSlashTmp: false
      }
      const { approvalPolicy, runtimeWorkspaceRoots, sandbox, thread } = yield* client.ask("thread/start", {
        cwd: "/w"
      })
      assert.deepStrictEqual([approvalPolicy, sandbox], ["never", policy])
      assert.deepStrictEqual(runtimeWorkspaceRoots, ["/w", "/srv/more"])
      yield* client.ask("turn/start", { threadId: thread.id, input: OwnAgent.says("hello") })
      yield* client.told("turn/completed")
      assert.deepStrictEqual(heard, [[undefined, undefined]])
      yield* client.ask("thread/settings/update", { threadId: thread.id, approvalPolicy: "untrusted" })
      const { threadSettings } = yield* client.told("thread/settings/updated")
      assert.deepStrictEqual(
        [
          threadSettings.approvalPolicy,
          threadSettings.sandboxPolicy,
          threadSettings.summary,
          threadSettings.personality
        ],
        ["untrusted", policy, null, "friendly"]
      )
      const named = yield* client.ask("thread/start", { cwd: "/w", sandbox: "read-only" })
      assert.deepStrictEqual([named.approvalPolicy, named.sandbox.type], ["never", "readOnly"])
    }).pipe(Effect.provide(BridgeBench.layer({ backend })))
  })
})

describe("what clients have configured", () => {
  it.effect("is what a thread begins with whose start names nothing else", () =>
    Effect.gen(function*() {
      const client = yield* bench
      const edits = Object.entries({
        approval_policy: "never",
        sandbox_mode: "danger-full-access",
        personality: "friendly"
      })
      yield* client.ask("config/batchWrite", {
        edits: edits.map(([keyPath, value]) => ({ keyPath, value, mergeStrategy: "replace" }))
      })
      const started = yield* client.ask("thread/start", {})
      assert.deepStrictEqual([started.approvalPolicy, started.sandbox], ["never", { type: "dangerFullAccess" }])
      yield* client.ask("thread/settings/update", { threadId: started.thread.id, effort: "low" })
      assert.strictEqual((yield* client.told("thread/settings/updated")).threadSettings.personality, "friendly")
      const named = yield* client.ask("thread/start", { approvalPolicy: "on-request", permissions: ":read-only" })
      assert.deepStrictEqual([named.approvalPolicy, named.sandbox.type], ["on-request", "readOnly"])
    }).pipe(Effect.provide(BridgeBench.layer({ scenario }))))
})

const config = (model_reasoning_effort: string) => ({ config: { model_reasoning_effort } })

describe("what a client names of its own configuration", () => {
  it.effect("is no other provider than the agent's, whichever request names it", () =>
    Effect.gen(function*() {
      const client = yield* bench
      const started = yield* client.ask("thread/start", { modelProvider: "mine" })
      assert.deepStrictEqual([started.modelProvider, started.thread.modelProvider], ["scripted", "scripted"])
      const threadId = started.thread.id
      yield* client.ask("turn/start", { threadId, input: OwnAgent.says("hello") })
      yield* client.told("turn/completed")
      assert.strictEqual(
        (yield* client.ask("thread/fork", { threadId, modelProvider: "mine" })).modelProvider,
        "scripted"
      )
      const resumed = yield* client.ask("thread/resume", { threadId, modelProvider: "openai" })
      assert.strictEqual(resumed.modelProvider, "scripted")
    }).pipe(Effect.provide(BridgeBench.layer({ scenario }))))

  it.effect("is the effort of a thread that it starts or forks, and not of one that is loaded", () =>
    Effect.gen(function*() {
      const client = yield* bench
      assert.isNull((yield* client.ask("thread/start", {})).reasoningEffort)
      const started = yield* client.ask("thread/start", config("low"))
      assert.deepStrictEqual([started.reasoningEffort, started.thread.reasoningEffort], ["low", "low"])
      const threadId = started.thread.id
      yield* client.ask("turn/start", { threadId, input: OwnAgent.says("hello"), effort: null })
      yield* client.told("turn/completed")
      assert.strictEqual((yield* client.ask("thread/resume", { threadId, ...config("high") })).reasoningEffort, "low")
      assert.strictEqual((yield* client.ask("thread/fork", { threadId, ...config("high") })).reasoningEffort, "high")
    }).pipe(Effect.provide(BridgeBench.layer({ scenario }))))
})

describe("what clients are told when one of them resumes a thread", () => {
  it.effect("is its goal, to all; what it has used only whoever loads it", () =>
    Effect.gen(function*() {
      const { connect } = yield* BridgeBench.BridgeBench
      const one = yield* connect()
      const { thread } = yield* one.ask("thread/start", {})
      const threadId = thread.id
      yield* one.ask("turn/start", { threadId, input: OwnAgent.says("hello") })
      yield* one.told("turn/completed")
      yield* one.ask("thread/goal/set", { threadId, objective: "Done", status: "paused" })
      const two = yield* connect()
      const three = yield* connect()
      yield* two.ask("thread/resume", { threadId })
      for (const client of [two, three]) {
        assert.strictEqual((yield* client.told("thread/goal/updated")).goal.objective, "Done")
      }
      yield* one.first(() => one.allTold("thread/goal/updated").length === 2)
      assert.deepStrictEqual(two.allTold("thread/tokenUsage/updated"), [])
      yield* one.ask("thread/archive", { threadId })
      yield* one.ask("thread/unarchive", { threadId })
      yield* two.ask("thread/resume", { threadId })
      yield* two.told("thread/tokenUsage/updated")
      assert.deepStrictEqual(three.allTold("thread/tokenUsage/updated"), [])
    }).pipe(Effect.provide(BridgeBench.layer({
      scenario: {
        fallback: [
          { _tag: "Say", deltas: ["Done."] },
          { _tag: "Use", input: 1, output: 1 }
        ]
      }
    }))))
})
