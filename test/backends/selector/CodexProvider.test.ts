import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as CodexProvider from "../../../src/backends/selector/CodexProvider.ts"

const unknown = Effect.fnUntraced(function*(provider: string, toml?: string, args: ReadonlyArray<string> = []) {
  const fs = yield* FileSystem.FileSystem
  const home = yield* fs.makeTempDirectoryScoped()
  if (toml !== undefined) yield* fs.writeFileString(`${home}/config.toml`, toml)
  return yield* CodexProvider.unknown(provider, { env: { CODEX_HOME: home }, args })
}, (effect) => Effect.provide(Effect.scoped(effect), NodeServices.layer))

describe("CodexProvider", () => {
  it.effect("codex has its account's provider, by any name, those that are built in, and those that are configured", () =>
    Effect.gen(function*() {
      for (const provider of ["openai", "openai-codex", "codex", "ollama"]) {
        assert.isUndefined(yield* unknown(provider))
      }
      assert.isUndefined(yield* unknown("mine", "[model_providers.mine]\nname = \"Mine\"\n"))
      assert.isUndefined(yield* unknown("mine", undefined, ["-c", "model_providers.mine.name=\"Mine\""]))
      assert.isUndefined(
        yield* CodexProvider.unknown("mine", { remote: { url: "ws://127.0.0.1:9" } }).pipe(
          Effect.provide(NodeServices.layer)
        )
      )
      // Codex says itself what is wrong with it.
      assert.isUndefined(yield* unknown("mine", "[model_providers"))
      assert.include(yield* unknown("anthropic", "[model_providers.mine]\nname = \"Mine\"\n"), "anthropic")
      assert.include(yield* unknown("toString", "model = \"m\"\n[model_providers.mine]\n"), "toString")
    }))

  it("what hosts call the account's provider, codex calls openai", () => {
    assert.strictEqual(CodexProvider.nameOf("openai-codex"), "openai")
    assert.strictEqual(CodexProvider.nameOf("mine"), "mine")
    assert.isUndefined(CodexProvider.nameOf(undefined))
  })
})
