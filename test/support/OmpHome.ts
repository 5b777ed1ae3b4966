/**
 * A throw-away home for a real omp: settings, models, work directory and environment that keep it off the network and
 * away from the developer's own files.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type * as PlatformError from "effect/PlatformError"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Fs from "node:fs/promises"
import * as Os from "node:os"
import { fileURLToPath } from "node:url"

/** Options of a home. */
export interface Options {
  /** Where the model is: `FakeChat.baseUrl`. */
  readonly baseUrl: string
  /** Settings in place of, and beside, those of {@link quietSettings}: top-level keys of `config.yml`. */
  readonly settings?: Readonly<Record<string, Schema.Json>>
}

/** A prepared home. */
export interface OmpHome {
  /** An empty directory to work in: real path. */
  readonly work: string
  /** omp's own directory: settings, models, sessions. */
  readonly agentDir: string
  /** The whole environment of omp. Spawn with this alone: what is inherited may hold keys and proxies. */
  readonly env: Readonly<Record<string, string>>
  /** What starts omp here. */
  readonly options: {
    readonly command: string
    readonly bun: string
    readonly cwd: string
    readonly env: Readonly<Record<string, string>>
    readonly extendEnv: false
    readonly model: string
  }
  /** Writes further settings, and gives the path of the file for `configOverlays`. */
  readonly overlay: (
    settings: Readonly<Record<string, Schema.Json>>
  ) => Effect.Effect<string, PlatformError.PlatformError>
}

/** The model of the home, as `provider/id`. */
export const model = "fake/fake-1"

/** Settings under which omp asks nobody but the model, and goes on by itself for no reason. */
export const quietSettings = (searchEndpoint: string): Readonly<Record<string, Schema.Json>> => ({
  startup: { checkUpdate: false, quiet: true },
  async: { enabled: false },
  bash: { autoBackground: { enabled: false } },
  todo: { reminders: false },
  edit: { mode: "apply_patch" },
  tools: { xdev: false },
  magicKeywords: { enabled: false },
  // By default it goes to the network, and fetches a browser.
  providers: { webSearchOrder: ["searxng"] },
  searxng: { endpoint: searchEndpoint },
  // Scripted texts may look like a loop.
  model: { loopGuard: { enabled: false } }
})

const fileOf = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier))

/** The installed omp, and the Bun that runs it. */
export const ompScript = fileURLToPath(
  new URL("../../node_modules/@oh-my-pi/pi-coding-agent/dist/cli.js", import.meta.url)
)
export const bunProgram = fileOf("bun/bin/bun.exe")

const fakeModel = (id: string, name: string) => ({
  id,
  name,
  reasoning: true,
  thinking: { mode: "effort", efforts: ["low", "medium", "high"], defaultLevel: "medium" },
  input: ["text", "image"],
  contextWindow: 200_000,
  maxTokens: 8192,
  cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 }
})

const modelsOf = (baseUrl: string) => ({
  providers: {
    fake: {
      baseUrl,
      apiKey: "fake-key",
      api: "openai-completions",
      auth: "apiKey",
      models: [fakeModel("fake-1", "Fake One"), fakeModel("fake-2", "Fake Two")]
    }
  }
})

/**
 * Prepares a home. Closing the scope removes it; open the scope of every omp that uses it later, so that it ends
 * earlier.
 */
export const make = Effect.fn("OmpHome.make")(
  function*(
    options: Options
  ): Effect.fn.Return<OmpHome, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path | Scope.Scope> {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const root = yield* Effect.acquireRelease(
      fs.makeTempDirectory({ directory: Os.tmpdir(), prefix: "omp-" }).pipe(Effect.flatMap(fs.realPath)),
      (root) =>
        // A tool that omp left behind may still write while we remove: Node's own bounded retry is for that.
        Effect.promise(() => Fs.rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }))
    )
    const directory = (name: string) => {
      const made = path.join(root, name)
      return Effect.as(fs.makeDirectory(made), made)
    }
    const agentDir = yield* directory("agent")
    const user = yield* directory("user")
    const work = yield* directory("work")
    const temporary = yield* directory("tmp")

    // JSON is YAML.
    const searchEndpoint = new URL("/", options.baseUrl).origin
    yield* fs.writeFileString(
      path.join(agentDir, "config.yml"),
      JSON.stringify({ ...quietSettings(searchEndpoint), ...options.settings })
    )
    yield* fs.writeFileString(path.join(agentDir, "models.yml"), JSON.stringify(modelsOf(options.baseUrl)))

    const env = {
      HOME: user,
      PI_CODING_AGENT_DIR: agentDir,
      TMPDIR: temporary,
      PATH: process.env["PATH"] ?? "",
      TERM: "dumb",
      NO_COLOR: "1"
    }
    let overlays = 0
    return {
      work,
      agentDir,
      env,
      options: { command: ompScript, bun: bunProgram, cwd: work, env, extendEnv: false, model },
      overlay: (settings) => {
        const file = path.join(root, `overlay-${++overlays}.yml`)
        return Effect.as(fs.writeFileString(file, JSON.stringify(settings)), file)
      }
    }
  }
)
