import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import { AgentBackend } from "../../../src/agent/AgentBackend.ts"
import * as Selector from "../../../src/backends/selector/Selector.ts"
import * as CodexHome from "../../support/CodexHome.ts"

const choose = Effect.fnUntraced(function*(options: Selector.SelectorOptions) {
  const context = yield* Layer.build(Selector.layer(options))
  return { backend: Context.get(context, AgentBackend), selection: Context.get(context, Selector.Selection) }
})

const nobody = "http://127.0.0.1:9/v1"

const codexOf = (home: CodexHome.CodexHome) => ({
  command: home.codexBin,
  env: home.env,
  childrenDirectory: `${home.home}/children`
})

describe("Selector", () => {
  it.live("auto takes codex where it has a model provider, and says so", () =>
    Effect.gen(function*() {
      const home = yield* CodexHome.make({ baseUrl: nobody })
      const { backend, selection } = yield* choose({ codex: codexOf(home) })
      assert.strictEqual(backend.id, "codex-app-server")
      assert.strictEqual(selection.backend, "codex-app-server")
      assert.include(selection.reason, "model provider that needs no login")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("auto takes the scripted agent where codex is not logged in and has no provider", () =>
    Effect.gen(function*() {
      const home = yield* CodexHome.make({ baseUrl: nobody, settings: { model_provider: "openai" } })
      const { backend, selection } = yield* choose({ codex: codexOf(home) })
      assert.strictEqual(backend.id, "scripted")
      assert.include(selection.reason, "no agent is configured")
      assert.include(selection.reason, "codex is not logged in")
      assert.deepStrictEqual(selection.candidates.map(({ suitable }) => suitable), [false, true])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("a scenario is a choice of the scripted agent; one that is no good is named", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const file = yield* fs.makeTempFileScoped({ suffix: ".json" })
      yield* fs.writeFileString(file, JSON.stringify({ version: "7" }))
      const { backend, selection } = yield* choose({ scenario: file })
      assert.strictEqual((yield* backend.probe).version, "7")
      assert.deepInclude(selection, { backend: "scripted", reason: file })
      yield* fs.writeFileString(file, JSON.stringify({ turns: 3 }))
      const error = yield* Effect.flip(choose({ backend: "scripted", scenario: file }))
      assert.strictEqual(error.reason._tag, "NotConfigured")
      assert.include(error.message, file)
      assert.include(error.message, "turns")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("auto does not even start a codex that was never set up, and leaves no trace of it", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const directory = yield* fs.makeTempDirectoryScoped()
      const env = {
        HOME: directory,
        CODEX_HOME: undefined,
        CODEX_API_KEY: undefined,
        CODEX_ACCESS_TOKEN: undefined,
        OPENAI_API_KEY: undefined
      }
      const { selection } = yield* choose({ codex: { env, command: path.join(directory, "not-there") } })
      assert.strictEqual(selection.backend, "scripted")
      assert.include(selection.reason, `no login and no configuration in ${path.join(directory, ".codex")}`)
      assert.deepStrictEqual(yield* fs.readDirectory(directory), [])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("an agent that is named is not replaced by another one", () =>
    Effect.gen(function*() {
      for (const options of [{ agentBin: "/nonexistent/codex" }, { backend: "codex-app-server" as const }]) {
        const { backend, selection } = yield* choose({ codex: { command: "/nonexistent/codex" }, ...options })
        assert.strictEqual(selection.backend, "codex-app-server")
        const error = yield* Effect.flip(backend.probe)
        assert.strictEqual(error.reason._tag, "BinaryMissing")
      }
    }).pipe(Effect.scoped))

  it.live("auto takes codex without a login when the session brings a provider of its own", () =>
    Effect.gen(function*() {
      const home = yield* CodexHome.make({ baseUrl: nobody, settings: { model_provider: "openai" } })
      const { selection } = yield* choose({ provider: "fake", codex: codexOf(home) })
      assert.strictEqual(selection.backend, "codex-app-server")
      assert.include(selection.reason, "fake")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
})
