/**
 * A throw-away directory for a real pi: its models and settings, and a place to work in.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type * as PlatformError from "effect/PlatformError"
import type * as Scope from "effect/Scope"

export interface PiHome {
  /** An empty directory to work in: real path. */
  readonly work: string
  /** Pi's own directory. */
  readonly agentDirectory: string
}

const model = (id: string) => ({
  id,
  reasoning: true,
  input: ["text", "image"],
  contextWindow: 200_000,
  maxTokens: 8192,
  cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 }
})

/** Prepares one. `baseUrl`: of the model, which it reaches alone. */
export const make = Effect.fn("PiHome.make")(function*(
  baseUrl: string
): Effect.fn.Return<PiHome, PlatformError.PlatformError, FileSystem.FileSystem | Scope.Scope> {
  const fs = yield* FileSystem.FileSystem
  const root = yield* Effect.flatMap(fs.makeTempDirectoryScoped({ prefix: "pi-" }), fs.realPath)
  const home: PiHome = { work: `${root}/work`, agentDirectory: `${root}/agent` }
  yield* fs.makeDirectory(home.work)
  yield* fs.makeDirectory(home.agentDirectory)
  yield* configure(home.agentDirectory, baseUrl)
  return home
})

/** Sets Pi up in a directory of its own. */
export const configure = Effect.fn("PiHome.configure")(function*(agentDirectory: string, baseUrl: string) {
  const fs = yield* FileSystem.FileSystem
  const compat = { supportsDeveloperRole: false }
  const fake = { baseUrl, apiKey: "fake-key", api: "openai-completions", compat }
  const models = { providers: { fake: { ...fake, models: [model("fake-1"), model("fake-2")] } } }
  yield* fs.writeFileString(`${agentDirectory}/models.json`, JSON.stringify(models))
  const settings = { defaultProvider: "fake", defaultModel: "fake-1", retry: { enabled: false } }
  yield* fs.writeFileString(`${agentDirectory}/settings.json`, JSON.stringify(settings))
})
