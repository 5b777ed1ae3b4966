import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  ApprovalPolicy,
  type Confinement,
  InputPart,
  SandboxMode,
  type SessionOptions,
  type TurnInput
} from "../../../src/agent/AgentBackend.ts"
import type { ToolSpec } from "../../../src/agent/TurnHost.ts"
import * as Params from "../../../src/backends/codex/internal/Params.ts"
import * as Methods from "../../../src/protocol/Methods.ts"
import { some } from "./support/messages.ts"

const tool = (name: string, inputSchema: ToolSpec["inputSchema"] = { type: "object" }): ToolSpec => ({
  name,
  description: "",
  inputSchema
})

const optional = Schema.optionalKey(Schema.String)

const sandbox = Schema.optionalKey(Schema.Union([
  SandboxMode,
  Schema.Struct({
    mode: SandboxMode,
    writableRoots: Schema.Array(Schema.String),
    networkAccess: Schema.Boolean,
    excludeTmpdirEnvVar: Schema.Boolean,
    excludeSlashTmp: Schema.Boolean
  })
]))

const own = {
  summary: Schema.optionalKey(Schema.Literals(["auto", "concise", "detailed", "none"])),
  personality: Schema.optionalKey(Schema.Literals(["none", "friendly", "pragmatic"]))
}

const Settings = Schema.Struct({
  cwd: optional,
  model: optional,
  provider: optional,
  effort: optional,
  ...own,
  approvalPolicy: Schema.optionalKey(ApprovalPolicy),
  sandbox,
  developerInstructions: optional,
  config: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  ephemeral: Schema.optionalKey(Schema.Boolean)
})

const Turn = Schema.Struct({
  input: Schema.Array(InputPart),
  context: optional,
  clientId: optional,
  model: optional,
  effort: Schema.optionalKey(Schema.NonEmptyString),
  ...own,
  approvalPolicy: Schema.optionalKey(ApprovalPolicy),
  sandbox,
  outputSchema: Schema.optionalKey(Schema.Json),
  mode: Schema.optionalKey(Schema.Literals(["default", "plan"]))
})

const mode = (mode: "default" | "plan" | undefined, modeChanged: boolean) =>
  Params.turnStart("t", { input: [], mode, effort: "low" }, { model: "m", effort: undefined, modeChanged })
    .collaborationMode

const confined = (mode: SandboxMode, networkAccess: boolean): Confinement => ({
  mode,
  writableRoots: ["/srv/more"],
  networkAccess,
  excludeTmpdirEnvVar: true,
  excludeSlashTmp: false
})
/** What a thread and a turn are told. */
const toldOf = (sandbox: Confinement) => {
  const { config, sandbox: mode } = Params.threadStart({ sandbox, config: { own: 1 } }, [])
  const turn = Params.turnStart("t", { input: [], sandbox }, {
    model: "m",
    effort: undefined,
    modeChanged: false,
    // Whatever codex has confirmed of the same mode.
    sandboxPolicy: { type: "workspaceWrite", writableRoots: ["/other"] }
  })
  return [mode, config, turn.sandboxPolicy]
}

describe("Params", () => {
  it.prop("of threads and turns fit the protocol, whatever is asked for", [Settings, Turn, Schema.Boolean], ([
    settings,
    turn,
    modeChanged
  ]) => {
    const options: SessionOptions = settings
    Result.getOrThrow(Methods.encodeClientParams("thread/start", Params.threadStart(options, [tool("look")])))
    Result.getOrThrow(Methods.encodeClientParams("thread/resume", Params.threadResume("t", options)))
    const point = { session: { backend: "b", sessionId: "s", durable: true }, turnId: "t" }
    Result.getOrThrow(Methods.encodeClientParams("thread/fork", Params.threadFork(point, options)))
    const defaults = { model: "m", effort: undefined, modeChanged }
    Result.getOrThrow(Methods.encodeClientParams("turn/start", Params.turnStart("t", turn, defaults)))
  })

  it("leave out what was not asked for", () => {
    assert.deepStrictEqual(Params.threadStart({}, []), {})
    assert.deepStrictEqual(Params.threadResume("t", {}), { threadId: "t", excludeTurns: true })
    const turn = { input: [{ _tag: "Text", text: "hi" } as const] }
    assert.deepStrictEqual(Params.turnStart("t", turn, { model: "m", effort: undefined, modeChanged: false }), {
      threadId: "t",
      input: [{ type: "text", text: "hi", text_elements: [] }]
    })
  })

  it("name a sandbox as the method does: a mode for a thread, a policy for a turn", () => {
    for (const sandbox of SandboxMode.literals) {
      const start = Params.threadStart({ sandbox }, [])
      assert.strictEqual(start.sandbox, sandbox)
      assert.notProperty(start, "sandboxPolicy")
      const turn = Params.turnStart("t", { input: [], sandbox }, { model: "m", effort: undefined, modeChanged: false })
      assert.strictEqual(
        some(turn.sandboxPolicy ?? undefined).type,
        sandbox.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
      )
      assert.notProperty(turn, "sandbox")
    }
  })

  it("name the session's own sandbox with what its configuration allows beyond the mode", () => {
    const sandboxPolicy = { type: "workspaceWrite", writableRoots: ["/srv/more"], networkAccess: true } as const
    const policy = (sandbox: SandboxMode | undefined) =>
      Params.turnStart("t", { input: [], sandbox }, {
        model: "m",
        effort: undefined,
        modeChanged: false,
        sandboxPolicy
      })
        .sandboxPolicy
    assert.deepStrictEqual(policy("workspace-write"), sandboxPolicy)
    assert.deepStrictEqual(policy("read-only"), { type: "readOnly", networkAccess: false })
    assert.isUndefined(policy(undefined))
  })

  it("tell a thread the details of its sandbox by the names of the configuration, and a turn all of them", () => {
    const roots = { own: 1, "sandbox_workspace_write.writable_roots": ["/srv/more"] }
    assert.deepStrictEqual(toldOf(confined("workspace-write", true)), [
      "workspace-write",
      {
        ...roots,
        "sandbox_workspace_write.network_access": true,
        "sandbox_workspace_write.exclude_tmpdir_env_var": true,
        "sandbox_workspace_write.exclude_slash_tmp": false
      },
      {
        type: "workspaceWrite",
        writableRoots: ["/srv/more"],
        networkAccess: true,
        excludeTmpdirEnvVar: true,
        excludeSlashTmp: false
      }
    ])
    assert.deepStrictEqual(toldOf(confined("read-only", true)), [
      "read-only",
      roots,
      { type: "readOnly", networkAccess: true }
    ])
    for (const [network, networkAccess] of [["enabled", true], ["restricted", false]] as const) {
      assert.deepStrictEqual(toldOf(confined("danger-full-access", networkAccess)), [
        "danger-full-access",
        roots,
        { type: "externalSandbox", networkAccess: network }
      ])
    }
  })

  it("tell how to reason and talk with each turn of a session that names it, as the turn has it", () => {
    const named = { summary: "concise", personality: "friendly" }
    assert.deepStrictEqual(Params.threadStart(named, []), { personality: "friendly" })
    assert.strictEqual(Params.threadResume("t", named).personality, "friendly")
    const turn = (input: Partial<TurnInput>) => {
      const defaults = { ...named, model: "m", effort: undefined, modeChanged: false }
      const { personality, summary } = Params.turnStart("t", { input: [], ...input }, defaults)
      return [summary, personality]
    }
    assert.deepStrictEqual(turn({}), ["concise", "friendly"])
    assert.deepStrictEqual(turn({ summary: "none" }), ["none", "friendly"])
    assert.deepStrictEqual(turn({ personality: "pragmatic" }), ["concise", "pragmatic"])
  })

  it("set the mode of a turn when it is plan, and set it back after one", () => {
    assert.isUndefined(mode(undefined, false))
    assert.isUndefined(mode("default", false))
    const settings = { model: "m", reasoning_effort: "low", developer_instructions: null }
    assert.deepStrictEqual(mode("plan", true), { mode: "plan", settings })
    assert.deepStrictEqual(mode("plan", false), { mode: "plan", settings })
    assert.deepStrictEqual(mode(undefined, true), { mode: "default", settings })
  })

  it("leave out each tool that codex would refuse the thread for, and say why", () => {
    const fine = [tool("look"), tool("a".repeat(128)), tool("_-9")]
    const bad = [
      tool(""),
      tool("a".repeat(129)),
      tool("has space"),
      tool("dot.ted"),
      tool("ünïcode"),
      tool("mcp"),
      tool("mcp__server"),
      tool("look"),
      tool("noSchema", null),
      tool("arraySchema", []),
      tool("textSchema", "object")
    ]
    const { problems, tools } = Params.acceptableTools([...fine, ...bad])
    assert.deepStrictEqual(tools, fine)
    assert.strictEqual(problems.length, bad.length)
    for (const [index, problem] of problems.entries()) {
      assert.include(problem, JSON.stringify(some(bad[index]).name))
    }
  })

  it.prop("offer tools under names that are valid and taken once", [
    Schema.Array(Schema.Union([Schema.Literals(["a", "b", "mcp", "x y"]), Schema.String]))
  ], ([names]) => {
    const { problems, tools } = Params.acceptableTools(names.map((name) => tool(name)))
    assert.strictEqual(tools.length + problems.length, names.length)
    assert.strictEqual(new Set(tools.map(({ name }) => name)).size, tools.length)
    for (const { name } of tools) assert.match(name, /^[A-Za-z0-9_-]{1,128}$/)
  })
})
