import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as BridgeConfig from "../../../src/bridge/BridgeConfig.ts"

const withFile = <A, E, R>(toml: string | undefined, use: (home: string) => Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const home = yield* fs.makeTempDirectoryScoped({ prefix: "bridge-" })
    if (toml !== undefined) yield* fs.writeFileString(`${home}/bridge.toml`, toml)
    return yield* use(home)
  }).pipe(Effect.provide(NodeServices.layer))

const load = (
  toml: string | undefined,
  environment: Readonly<Record<string, string>> = {},
  overrides: BridgeConfig.Overrides = {}
) => withFile(toml, (home) => BridgeConfig.load({ environment: { CODEX_HOME: home, ...environment }, overrides }))

const problem = (...args: Parameters<typeof load>) => Effect.map(Effect.flip(load(...args)), (error) => error.message)

const backendOf = (...args: Parameters<typeof load>) => Effect.map(load(...args), ({ backend }) => backend)

describe("BridgeConfig", () => {
  it.effect("has a default for everything", () =>
    withFile(undefined, (home) =>
      Effect.gen(function*() {
        const settings = yield* BridgeConfig.load({ environment: { CODEX_HOME: home } })
        assert.deepStrictEqual(settings, BridgeConfig.make(home))
        assert.strictEqual(settings.stateDirectory, `${home}/bridge`)
        assert.strictEqual(settings.version, "0.171.0")
      })))

  it.effect("is below the home directory without CODEX_HOME", () =>
    Effect.gen(function*() {
      const settings = yield* BridgeConfig.load({ environment: { HOME: "/nobody/here" } })
      assert.strictEqual(settings.codexHome, "/nobody/here/.codex")
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("flags win over the environment, and that over the file", () =>
    Effect.gen(function*() {
      const file = "model = \"file\"\nprovider = \"file\"\neffort = \"file\"\n[limits]\nconnections = 3\nrequests = 4\n"
      const settings = yield* load(
        file,
        { CODEX_BRIDGE_MODEL: "env", CODEX_BRIDGE_PROVIDER: "env", CODEX_BRIDGE_LIMITS_REQUESTS: "5" },
        { model: "flag", effort: undefined }
      )
      assert.deepStrictEqual([settings.model, settings.provider, settings.effort], ["flag", "env", "file"])
      assert.deepStrictEqual([settings.limits.connections, settings.limits.requests], [3, 5])
      assert.strictEqual(settings.limits.frameBytes, BridgeConfig.defaultLimits.frameBytes)
    }))

  it.effect("the backend: a flag, its own variable, the shared one by either name, the file", () =>
    Effect.gen(function*() {
      const file = "backend = \"scripted\""
      const shared = { AGENT_RUNTIME: "pi" }
      const own = { ...shared, CODEX_BRIDGE_BACKEND: "omp-rpc" }
      assert.strictEqual(yield* backendOf(file, own, { backend: "omp-sdk" }), "omp-sdk")
      assert.strictEqual(yield* backendOf(file, own), "omp-rpc")
      assert.strictEqual(yield* backendOf(file, shared), "pi")
      assert.strictEqual(yield* backendOf(file, { OPENCLAW_AGENT_RUNTIME: "pi" }), "pi")
      assert.strictEqual(yield* backendOf(file, { AGENT_RUNTIME: "" }), "scripted")
      assert.strictEqual(yield* backendOf(undefined), "auto")
      // What is not looked at cannot be wrong.
      assert.strictEqual(yield* backendOf(undefined, { AGENT_RUNTIME: "nobody" }, { backend: "pi" }), "pi")
    }))

  it.effect("reads the types of the environment and of flags from their text", () =>
    Effect.gen(function*() {
      const settings = yield* load(
        undefined,
        { CODEX_BRIDGE_WORKSPACE_ROOTS: "/a:/b", CODEX_BRIDGE_WORKSPACE_WRITES: "false" },
        { "limits.approval_grace_ms": "0", "workspace.commands": false, account: "amazonBedrock" }
      )
      assert.deepStrictEqual(settings.workspace, { roots: ["/a", "/b"], writes: false, commands: false })
      assert.strictEqual(settings.limits.approvalGraceMs, 0)
      assert.strictEqual(settings.account, "amazonBedrock")
    }))

  it.effect("the log file is in the state directory", () =>
    Effect.gen(function*() {
      const settings = yield* load("state_dir = \"/somewhere\"")
      assert.strictEqual(settings.logFile, "/somewhere/bridge.log")
    }))

  const wrong: ReadonlyArray<readonly [name: string, args: Parameters<typeof load>, parts: ReadonlyArray<string>]> = [
    ["a value of the file", ["backend = \"clippy\""], ["bridge.toml: backend = \"clippy\"", "codex-app-server"]],
    ["a number in quotes in the file", ["[limits]\nconnections = \"3\""], ["bridge.toml: limits.connections = \"3\""]],
    ["a number out of range", ["[limits]\nconnections = 0"], ["limits.connections = 0"]],
    ["an unknown key", ["modle = \"x\""], ["bridge.toml", "no setting modle", "model"]],
    ["an unknown key of a table", ["[limits]\nfoo = 1"], ["no setting limits.foo"]],
    ["a table that is none", ["limits = 1"], ["limits = 1", "must be a table"]],
    ["a file that is no TOML", ["model = "], ["bridge.toml"]],
    [
      "a variable",
      [undefined, { CODEX_BRIDGE_VERSION: "new" }],
      ["environment: CODEX_BRIDGE_VERSION = \"new\"", "like 0.171.0"]
    ],
    ["an empty variable", [undefined, { CODEX_BRIDGE_MODEL: "" }], ["CODEX_BRIDGE_MODEL = \"\"", "must not be empty"]],
    ["a flag", [undefined, {}, { state_dir: "relative" }], ["command line: --state-dir = \"relative\"", "absolute"]],
    ["a level of the log", ["log_level = \"loud\""], ["log_level = \"loud\"", "\"trace\" | \"debug\""]],
    [
      "a level of the log in the environment",
      [undefined, { CODEX_BRIDGE_LOG_LEVEL: "INFO" }],
      ["environment: CODEX_BRIDGE_LOG_LEVEL = \"INFO\"", "\"info\""]
    ],
    ["a backend", [undefined, {}, { backend: "codex" }], ["command line: --backend = \"codex\"", "\"omp-rpc\""]],
    [
      "a backend in the shared variable",
      ["backend = \"pi\"", { AGENT_RUNTIME: "codex" }],
      ["environment: AGENT_RUNTIME = \"codex\"", "omp-rpc"]
    ],
    [
      "two backends for the shared variable",
      [undefined, { AGENT_RUNTIME: "pi", OPENCLAW_AGENT_RUNTIME: "omp-rpc" }],
      ["environment: AGENT_RUNTIME = \"pi\"", "OPENCLAW_AGENT_RUNTIME", "\"omp-rpc\""]
    ],
    ["a flag of text", [undefined, {}, { "workspace.writes": "maybe" }], ["workspace.writes = \"maybe\""]],
    ["a flag for a list", [undefined, {}, { "workspace.roots": "/a:b" }], ["workspace.roots = \"/a:b\"", "absolute"]]
  ]
  for (const [name, args, parts] of wrong) {
    it.effect(`names where it stands: ${name}`, () =>
      Effect.gen(function*() {
        const message = yield* problem(...args)
        for (const part of parts) assert.include(message, part)
      }))
  }

  it.effect("a file that cannot be read is no missing file", () =>
    withFile(undefined, (home) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        yield* fs.makeDirectory(`${home}/bridge.toml`)
        const error = yield* Effect.flip(BridgeConfig.load({ environment: { CODEX_HOME: home } }))
        assert.strictEqual(error.reason._tag, "Unreadable")
        assert.include(error.message, `${home}/bridge.toml`)
      })))
})
