import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import { AgentBackend } from "../../../src/agent/AgentBackend.ts"
import { AgentDied, AgentError } from "../../../src/agent/AgentError.ts"
import * as Selector from "../../../src/backends/selector/Selector.ts"
import * as CodexHome from "../../support/CodexHome.ts"

const choose = Effect.fnUntraced(function*(options: Selector.SelectorOptions) {
  const context = yield* Layer.build(Selector.layer({ environment: {}, ...options }))
  return { backend: Context.get(context, AgentBackend), selection: Context.get(context, Selector.Selection) }
})

const nobody = "http://127.0.0.1:9/v1"

const codexOf = (home: CodexHome.CodexHome) => ({
  command: home.codexBin,
  env: home.env,
  childrenDirectory: `${home.home}/children`
})

/** A place where no agent was ever set up, and what makes them look there. */
const nowhere = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = yield* fs.makeTempDirectoryScoped()
  const omp = path.join(directory, "bin-omp")
  yield* fs.writeFileString(omp, "#!/bin/sh\nexit 1\n", { mode: 0o755 })
  const env = {
    HOME: directory,
    CODEX_HOME: undefined,
    CODEX_API_KEY: undefined,
    CODEX_ACCESS_TOKEN: undefined,
    OPENAI_API_KEY: undefined,
    PI_CODING_AGENT_DIR: undefined,
    PI_CONFIG_DIR: undefined,
    OMP_PROFILE: undefined,
    PI_PROFILE: undefined,
    XDG_DATA_HOME: undefined
  }
  const options = {
    codex: { env, command: path.join(directory, "not-there") },
    omp: { env, command: omp, childrenDirectory: path.join(directory, "children") },
    pi: { agentDirectory: path.join(directory, ".pi/agent") }
  } satisfies Selector.SelectorOptions
  const write = (file: string, value: object) =>
    Effect.gen(function*() {
      const target = path.join(directory, file)
      yield* fs.makeDirectory(path.dirname(target), { recursive: true })
      yield* fs.writeFileString(target, JSON.stringify(value))
    })
  return { directory, options, write, left: Effect.map(fs.readDirectory(directory), (names) => names.toSorted()) }
})

/** What was looked at. What has to do with Bun differs by the runtime. */
const looked = ({ candidates }: Selector.SelectionRecord) =>
  candidates.filter(({ backend }) => backend !== "omp-sdk").map(({ backend, suitable }) =>
    `${backend} ${suitable ? "yes" : "no"}`
  )

describe("Selector", () => {
  it.live("auto takes codex where it has a model provider, and says so", () =>
    Effect.gen(function*() {
      const home = yield* CodexHome.make({ baseUrl: nobody })
      const { backend, selection } = yield* choose({ codex: codexOf(home) })
      assert.strictEqual(backend.id, "codex-app-server")
      assert.strictEqual(selection.backend, "codex-app-server")
      assert.include(selection.reason, "model provider that needs no login")
      assert.deepStrictEqual(looked(selection), ["codex-app-server yes"])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("auto takes the scripted agent where codex is not logged in and nobody else was set up", () =>
    Effect.gen(function*() {
      const home = yield* CodexHome.make({ baseUrl: nobody, settings: { model_provider: "openai" } })
      const { options } = yield* nowhere
      const { backend, selection } = yield* choose({ ...options, codex: codexOf(home) })
      assert.strictEqual(backend.id, "scripted")
      assert.include(selection.reason, "no agent is configured")
      assert.include(selection.reason, "codex is not logged in")
      assert.deepStrictEqual(looked(selection), ["codex-app-server no", "omp-rpc no", "pi no", "scripted yes"])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("a scenario is a choice of the scripted agent; one that is no good is named", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const file = yield* fs.makeTempFileScoped({ suffix: ".json" })
      yield* fs.writeFileString(file, JSON.stringify({ version: "7" }))
      const { backend, selection } = yield* choose({ scenario: file, environment: { AGENT_RUNTIME: "pi" } })
      assert.strictEqual((yield* backend.probe).version, "7")
      assert.deepInclude(selection, { backend: "scripted", reason: file })
      yield* fs.writeFileString(file, JSON.stringify({ turns: 3 }))
      const error = yield* Effect.flip(choose({ backend: "scripted", scenario: file }))
      assert.strictEqual(error.reason._tag, "NotConfigured")
      assert.include(error.message, file)
      assert.include(error.message, "turns")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("auto does not even start what was never set up, and leaves no trace of having looked", () =>
    Effect.gen(function*() {
      const { directory, left, options } = yield* nowhere
      const before = yield* left
      const { selection } = yield* choose(options)
      assert.strictEqual(selection.backend, "scripted")
      assert.include(selection.reason, `no login and no configuration in ${directory}/.codex`)
      const details = selection.candidates.map(({ detail }) => detail).join("\n")
      assert.include(details, `no login and no models in ${directory}/.omp/agent`)
      assert.include(details, `no login and no models in ${directory}/.pi/agent`)
      assert.deepStrictEqual(yield* left, before)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("auto takes omp, or else Pi, once it was set up, without starting it", () =>
    Effect.gen(function*() {
      const { options, write } = yield* nowhere
      // Pi writes such files by itself.
      yield* write(".pi/agent/auth.json", {})
      yield* write(".pi/agent/settings.json", { lastChangelogVersion: "0.73.1" })
      assert.strictEqual((yield* choose(options)).backend.id, "scripted")
      yield* write(".pi/agent/models.json", { providers: {} })
      const pi = yield* choose(options)
      assert.strictEqual(pi.backend.id, "pi")
      assert.deepStrictEqual(looked(pi.selection), ["codex-app-server no", "omp-rpc no", "pi yes"])
      yield* write(".omp/agent/models.yml", {})
      const omp = yield* choose(options)
      assert.strictEqual(omp.backend.id, "omp-rpc")
      assert.deepStrictEqual(looked(omp.selection), ["codex-app-server no", "omp-rpc yes"])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("auto leaves out an omp that is not installed, and an agent that cannot do what is needed", () =>
    Effect.gen(function*() {
      const { options, write } = yield* nowhere
      yield* write(".omp/agent/models.yml", {})
      const missing = yield* choose({ ...options, omp: { ...options.omp, command: "/nonexistent/omp" } })
      assert.strictEqual(missing.backend.id, "scripted")
      assert.include(missing.selection.candidates.find(({ backend }) => backend === "omp-rpc")?.detail, "bun add -g")
      const unable = yield* choose({ ...options, needs: ["outputSchema"] })
      assert.strictEqual(unable.backend.id, "scripted")
      assert.include(
        unable.selection.candidates.find(({ backend }) => backend === "omp-rpc")?.detail,
        "does not support outputSchema"
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("an agent that is named is not replaced by another one", () =>
    Effect.gen(function*() {
      for (const options of [{ agentBin: "/nonexistent/codex" }, { backend: "codex-app-server" as const }]) {
        const { backend, selection } = yield* choose({ codex: { command: "/nonexistent/codex" }, ...options })
        assert.strictEqual(selection.backend, "codex-app-server")
        assert.isUndefined(selection.instead)
        const error = yield* Effect.flip(backend.probe)
        assert.strictEqual(error.reason._tag, "BinaryMissing")
        assert.include(error.message, "npm install")
      }
      const { backend } = yield* choose({ backend: "omp-rpc", agentBin: "/nonexistent/omp" })
      const error = yield* Effect.flip(backend.probe)
      assert.strictEqual(error.reason._tag, "BinaryMissing")
      assert.include(error.message, "/nonexistent/omp")
    }).pipe(Effect.scoped))

  it.effect("the environment names an agent, and a parameter wins over it", () =>
    Effect.gen(function*() {
      const environment = { AGENT_RUNTIME: "scripted" }
      const { selection } = yield* choose({ environment })
      assert.deepInclude(selection, { backend: "scripted", reason: "AGENT_RUNTIME asks for it" })
      assert.strictEqual((yield* choose({ backend: "pi", environment })).backend.id, "pi")
      const error = yield* Effect.flip(choose({ environment: { OPENCLAW_AGENT_RUNTIME: "codex" } }))
      assert.strictEqual(error.reason._tag, "NotConfigured")
      assert.include(error.message, "OPENCLAW_AGENT_RUNTIME = \"codex\": there is no such agent")
    }).pipe(Effect.scoped))

  it.live("a conversation stays with the agent that has it, and with nobody else", () =>
    Effect.gen(function*() {
      const { options } = yield* nowhere
      const { backend, selection } = yield* choose({ ...options, conversation: "pi" })
      assert.strictEqual(backend.id, "pi")
      assert.include(selection.reason, "the conversation")
      assert.isUndefined(selection.instead)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("auto takes codex without a login when the session brings a provider of codex's configuration", () =>
    Effect.gen(function*() {
      const home = yield* CodexHome.make({ baseUrl: nobody, settings: { model_provider: "openai" } })
      const { selection } = yield* choose({ provider: "fake", codex: codexOf(home) })
      assert.strictEqual(selection.backend, "codex-app-server")
      assert.include(selection.reason, "fake")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("auto leaves codex out for a provider that it does not have", () =>
    Effect.gen(function*() {
      const home = yield* CodexHome.make({ baseUrl: nobody })
      const { options, write } = yield* nowhere
      yield* write(".omp/agent/models.yml", {})
      const { selection } = yield* choose({ ...options, provider: "anthropic", codex: codexOf(home) })
      assert.strictEqual(selection.backend, "omp-rpc")
      assert.include(selection.candidates[0]?.detail, "no model provider anthropic")
      // Its own, by whatever name, needs its login.
      const own = yield* choose({ ...options, provider: "openai-codex" })
      assert.strictEqual(own.selection.backend, "omp-rpc")
      assert.include(own.selection.candidates[0]?.detail, "no login and no configuration")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("the next agent that works takes the place of one that failed, the scripted one never", () =>
    Effect.gen(function*() {
      const { options, write } = yield* nowhere
      yield* write(".omp/agent/models.yml", {})
      const reason = new AgentDied({ detail: "it crashed", stderrTail: "", mayHaveReached: false })
      const failed = new AgentError({ backend: "omp-rpc", reason })
      const alone = yield* choose(options)
      assert.strictEqual(alone.selection.backend, "omp-rpc")
      assert.isTrue(Option.isNone(yield* alone.selection.instead?.(failed, []) ?? Effect.succeedNone))

      yield* write(".pi/agent/models.json", { providers: {} })
      const { instead } = (yield* choose(options)).selection
      const other = Option.getOrThrow(yield* instead?.(failed, []) ?? Effect.succeedNone)
      assert.strictEqual(other.backend.id, "pi")
      assert.deepStrictEqual(looked(other.selection), ["codex-app-server no", "omp-rpc no", "pi yes"])
      assert.include(other.selection.reason, "omp-rpc failed")
      assert.include(other.selection.reason, "it crashed")
      // The same one again, and nobody for what it cannot do.
      assert.strictEqual(Option.getOrThrow(yield* instead?.(failed, []) ?? Effect.succeedNone).backend, other.backend)
      assert.isTrue(Option.isNone(yield* instead?.(failed, ["outputSchema"]) ?? Effect.succeedNone))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
})
