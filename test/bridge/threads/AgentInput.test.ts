/** What clients set, as the agent gets it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AgentBackend, type SessionDefaults } from "../../../src/agent/AgentBackend.ts"
import * as BridgeBench from "../../support/BridgeBench.ts"
import * as OwnAgent from "./support/ownAgent.ts"

const bare = { writableRoots: [], networkAccess: false, excludeTmpdirEnvVar: false, excludeSlashTmp: false }

const configured: SessionDefaults = {
  confinement: { ...bare, mode: "read-only", writableRoots: ["/srv/conf"], networkAccess: true },
  summary: "detailed",
  personality: "friendly"
}

interface Said {
  readonly start?: object
  readonly update?: object
  readonly turns?: ReadonlyArray<object>
}

/** What the agent gets of these: with its session, and with each turn. */
const heard = ({ start, turns = [{}], update }: Said, defaults?: SessionDefaults) =>
  Effect.suspend(() => {
    const agent = OwnAgent.make({ fallback: [{ _tag: "Say", deltas: ["ok"] }] })
    const backend = defaults === undefined ? agent.layer : Layer.effect(
      AgentBackend,
      Effect.map(AgentBackend, (backend) => ({ ...backend, sessionDefaults: () => Effect.succeed(defaults) }))
    ).pipe(Layer.provide(agent.layer))
    const settings = (
      { personality, sandbox, summary }: (typeof agent.inputs)[number] | (typeof agent.opened)[number]
    ) => JSON.parse(JSON.stringify({ personality, sandbox, summary }))
    return Effect.gen(function*() {
      const client = yield* Effect.flatMap(BridgeBench.BridgeBench, ({ connect }) => connect())
      const { thread } = yield* client.ask("thread/start", { cwd: "/w", ...start })
      if (update !== undefined) yield* client.ask("thread/settings/update", { threadId: thread.id, ...update })
      for (const params of turns) {
        const asked = { threadId: thread.id, input: OwnAgent.says("hi"), ...params }
        const { turn } = yield* client.ask("turn/start", asked)
        yield* client.told("turn/completed", (end) => end.turn.id === turn.id)
      }
      assert.strictEqual(agent.opened.length, 1)
      return [...agent.opened, ...agent.inputs].map(settings)
    }).pipe(Effect.provide(BridgeBench.layer({ backend })))
  })

const policy = { type: "workspaceWrite", writableRoots: ["/srv/own"], networkAccess: true, excludeSlashTmp: true }
const confinement = { ...bare, mode: "workspace-write", networkAccess: true, excludeSlashTmp: true }

/** How a turn is confined after this. */
const confined = (sandboxPolicy: object) => Effect.map(heard({ update: { sandboxPolicy } }), ([, turn]) => turn.sandbox)

describe("what a client sets", () => {
  it.effect("is not said where it sets nothing", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* heard({}), [{}, {}])
      assert.deepStrictEqual(yield* heard({}, configured), [{}, {}])
      assert.deepStrictEqual(yield* heard({ start: { runtimeWorkspaceRoots: ["/w"] } }, configured), [{}, {}])
    }))

  it.effect("reaches the agent with the next turn, and with all that follow", () =>
    Effect.gen(function*() {
      const turn = { sandboxPolicy: policy, summary: "concise", personality: "pragmatic" }
      const sandbox = { ...confinement, writableRoots: ["/srv/own"] }
      const said = { sandbox, summary: "concise", personality: "pragmatic" }
      const [session, ...turns] = yield* heard({ start: { personality: "friendly" }, turns: [{}, turn, {}] })
      assert.deepStrictEqual(session, { personality: "friendly" })
      assert.deepStrictEqual(turns, [{ personality: "friendly" }, said, said])
      // A session begins with the roots of the workspace alone: they stay for as long as it does.
      assert.deepStrictEqual(yield* heard({ update: turn }), [{ ...said, sandbox: confinement }, said])
    }))

  it.effect("is a mode where nothing is known of what it allows, and what was shown where it is", () =>
    Effect.gen(function*() {
      const start = { sandbox: "workspace-write" }
      assert.deepStrictEqual(yield* heard({ start }), [start, start])
      const sandbox = { ...bare, mode: "workspace-write", writableRoots: ["/srv/conf"], networkAccess: true }
      assert.deepStrictEqual(yield* heard({ start }, configured), [{ sandbox }, { sandbox }])
      for (const sandbox of ["read-only", "danger-full-access"]) {
        assert.deepStrictEqual(yield* heard({ start: { sandbox } }, configured), [{ sandbox }, { sandbox }])
      }
    }))

  it.effect("is a set of permissions without what the agent's configuration allows beyond it", () =>
    Effect.gen(function*() {
      const sandbox = { ...bare, mode: "workspace-write" }
      const start = { permissions: ":workspace" }
      assert.deepStrictEqual(yield* heard({ start }, configured), [{ sandbox }, { sandbox }])
      // The roots of a workspace that has begun stay.
      const withRoots = { ...sandbox, writableRoots: ["/srv/conf"] }
      assert.deepStrictEqual(yield* heard({ turns: [{}, start] }, configured), [{}, {}, { sandbox: withRoots }])
    }))

  it.effect("counts the roots of the workspace among what may be written to", () =>
    Effect.gen(function*() {
      const start = { sandbox: "workspace-write", runtimeWorkspaceRoots: ["/w", "/srv/root"] }
      const sandbox = { ...bare, mode: "workspace-write", writableRoots: ["/srv/root"] }
      const turn = { ...confinement, writableRoots: ["/srv/root", "/srv/own"] }
      assert.deepStrictEqual(
        yield* heard({ start, turns: [{}, { sandboxPolicy: policy }] }),
        [{ sandbox }, { sandbox }, { sandbox: turn }]
      )
    }))

  it.effect("tells apart who confines the agent, and whether it has a network", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* confined({ type: "readOnly" }), "read-only")
      assert.deepStrictEqual(yield* confined({ type: "readOnly", networkAccess: true }), {
        ...bare,
        mode: "read-only",
        networkAccess: true
      })
      assert.deepStrictEqual(yield* confined({ type: "dangerFullAccess" }), "danger-full-access")
      for (const [given, networkAccess] of [[{}, false], [{ networkAccess: "enabled" }, true]] as const) {
        const external = { ...bare, mode: "danger-full-access", networkAccess }
        assert.deepStrictEqual(yield* confined({ type: "externalSandbox", ...given }), external)
      }
    }))
})
