import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { BridgeConfig } from "../../../src/bridge/BridgeConfig.ts"
import * as CodexConfig from "../../../src/bridge/catalog/CodexConfig.ts"
import { answer, layer, refusal } from "./support/bridge.ts"

const write = (keyPath: string, value: unknown) => ({ keyPath, value, mergeStrategy: "replace" })

describe("CodexConfig", () => {
  it.effect("what a client configures is there after a restart, above the bridge's own settings", () =>
    Effect.gen(function*() {
      const before = yield* answer("config/read", { includeLayers: true })
      assert.strictEqual(before.config.model, "from-settings")
      assert.strictEqual(before.config.model_provider, "scripted")
      assert.strictEqual(before.origins["model"]?.name.type, "system")
      yield* answer("config/value/write", write("model", "from-client"))
      // The file is all that is left.
      const fresh = CodexConfig.layer.pipe(Layer.provideMerge(Layer.succeed(BridgeConfig, yield* BridgeConfig)))
      const after = yield* Effect.provide(answer("config/read", { includeLayers: true }), fresh)
      assert.strictEqual(after.config.model, "from-client")
      assert.strictEqual(after.origins["model"]?.name.type, "user")
      assert.deepStrictEqual(after.layers?.map(({ config }) => Object(config).model), ["from-client", "from-settings"])
    }).pipe(Effect.provide(layer({ settings: { model: "from-settings" } }))))

  it.effect("is kept in a private file of the bridge, and leaves codex's own alone", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { codexHome, stateDirectory } = yield* BridgeConfig
      yield* fs.writeFileString(`${codexHome}/config.toml`, "model = \"codex's own\"\n")
      const { filePath } = yield* answer("config/value/write", write("model", "mine"))
      assert.strictEqual(filePath, `${stateDirectory}/config.toml`)
      assert.strictEqual((yield* fs.stat(filePath)).mode & 0o777, 0o600)
      assert.strictEqual((yield* fs.stat(stateDirectory)).mode & 0o777, 0o700)
      assert.strictEqual(yield* fs.readFileString(`${codexHome}/config.toml`), "model = \"codex's own\"\n")
      assert.deepStrictEqual(yield* fs.readDirectory(stateDirectory), ["config.toml"])
    }).pipe(Effect.provide(layer())))

  it.effect("a client that has read an older version overwrites nothing", () =>
    Effect.gen(function*() {
      const first = yield* answer("config/value/write", write("model", "a"))
      yield* answer("config/value/write", { ...write("model", "b"), expectedVersion: first.version })
      const message = yield* refusal("config/value/write", { ...write("model", "c"), expectedVersion: first.version })
      assert.include(message, "modified since last read")
      assert.strictEqual((yield* answer("config/read", {})).config.model, "b")
    }).pipe(Effect.provide(layer())))

  it.effect("an edit by hand counts at once", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { filePath } = yield* answer("config/value/write", write("model", "a"))
      yield* fs.writeFileString(filePath, "# mine\nmodel = \"by hand\"\n")
      assert.strictEqual((yield* answer("config/read", {})).config.model, "by hand")
    }).pipe(Effect.provide(layer())))

  it.effect("a file that was spoilt by hand is named, and not overwritten", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { filePath } = yield* answer("config/value/write", write("model", "a"))
      for (const text of ["model = ", "sandbox_mode = \"sometimes\""]) {
        yield* fs.writeFileString(filePath, text)
        assert.include(yield* refusal("config/read", {}), filePath)
        assert.notInclude(yield* refusal("config/value/write", write("model", 5)), "undefined")
        assert.strictEqual(yield* fs.readFileString(filePath), text)
      }
    }).pipe(Effect.provide(layer())))

  it.effect("writes at the same time lose nothing", () =>
    Effect.gen(function*() {
      const names = Array.from({ length: 20 }, (_, index) => `n${index}`)
      yield* Effect.forEach(names, (name) => answer("config/value/write", write(`desktop.${name}`, name)), {
        concurrency: "unbounded"
      })
      const { config } = yield* answer("config/read", {})
      assert.sameMembers(Object.keys(config.desktop ?? {}), names)
    }).pipe(Effect.provide(layer())))

  it.effect("a merge strategy of a later release is refused", () =>
    Effect.gen(function*() {
      const message = yield* refusal("config/value/write", { ...write("model", "a"), mergeStrategy: "blend" })
      assert.include(message, "unknown variant `blend`, expected `replace` or `upsert`")
    }).pipe(Effect.provide(layer())))

  it.effect("layers come only when they are asked for", () =>
    Effect.gen(function*() {
      assert.isFalse("layers" in (yield* answer("config/read", {})))
    }).pipe(Effect.provide(layer())))
})
