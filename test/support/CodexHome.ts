/**
 * A throw-away home for a real codex: configuration, work directory and environment that keep it off the network and
 * away from the developer's own files.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type * as PlatformError from "effect/PlatformError"
import * as ChildProcess from "effect/process/ChildProcess"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Fs from "node:fs/promises"
import * as Module from "node:module"
import * as Os from "node:os"

/** The codex binary is not installed: tests that need it fail with this, and never pass without it. */
export class CodexBinaryMissing extends Schema.TaggedError<CodexBinaryMissing>()("CodexBinaryMissing", {
  looked: Schema.String,
  cause: Schema.optional(Schema.Defect())
}) {
  override get message() {
    return `no codex binary for ${process.platform}-${process.arch}: ${this.looked}. ` +
      "It comes with the dev dependency @openai/codex and its optional package for this platform."
  }
}

/** A value of the configuration file. */
export type Toml = string | number | boolean | ReadonlyArray<string>

/** Options of a home. */
export interface Options {
  /** Where the model is: `FakeResponses.baseUrl`. */
  readonly baseUrl: string
  /** Default `gpt-5.5`: in the bundled catalog, with plain function tools and the free-form `apply_patch`. */
  readonly model?: string
  /**
   * Further settings by dotted key, such as `"tools.update_plan.enabled": true`, `"features.instant_interrupt": false`
   * or `approval_policy: "never"`. They win over the defaults, so that no key can be there twice.
   */
  readonly settings?: Readonly<Record<string, Toml>>
  /** Raw TOML behind the settings. It must not open a table that a setting has already named. */
  readonly extraToml?: string
  /** The log filter of codex's stderr. Default `warn`. */
  readonly rustLog?: string
}

/** A prepared home. */
export interface CodexHome {
  /** `CODEX_HOME`. */
  readonly home: string
  /** The path of `config.toml`. */
  readonly config: string
  /** An empty directory to work in: real path, outside of `home`. */
  readonly work: string
  /** The codex binary to start. */
  readonly codexBin: string
  /** The whole environment of codex. Spawn with this alone: what is inherited may hold keys and proxies. */
  readonly env: Readonly<Record<string, string>>
  /** Codex with these arguments, in the work directory and the environment of this home. */
  readonly command: (...args: ReadonlyArray<string>) => ChildProcess.StandardCommand
}

/** The settings of an offline codex whose model is at `baseUrl`. */
export const offlineSettings = (baseUrl: string, model = "gpt-5.5"): Readonly<Record<string, Toml>> => ({
  model,
  model_provider: "fake",
  check_for_update_on_startup: false,
  "model_providers.fake.name": "Fake local",
  "model_providers.fake.base_url": baseUrl,
  "model_providers.fake.wire_api": "responses",
  "model_providers.fake.requires_openai_auth": false,
  "model_providers.fake.request_max_retries": 1,
  "model_providers.fake.stream_max_retries": 2,
  "model_providers.fake.stream_idle_timeout_ms": 10_000,
  "model_providers.fake.supports_websockets": false,
  "analytics.enabled": false,
  "feedback.enabled": false,
  // Each of these three reaches for the network at start.
  "features.plugins": false,
  "features.apps": false,
  "features.remote_plugin": false
})

/** The native codex of this platform, from the installed packages. */
export const codexBin: Effect.Effect<
  string,
  CodexBinaryMissing | PlatformError.PlatformError,
  FileSystem.FileSystem | Path.Path
> = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const name = `@openai/codex-${process.platform}-${process.arch}`
  const manifest = yield* Effect.try({
    try: () => {
      const codex = Module.createRequire(import.meta.url).resolve("@openai/codex/package.json")
      // The platform package is a dependency of codex, which need not be hoisted to ours.
      return Module.createRequire(codex).resolve(`${name}/package.json`)
    },
    catch: (cause) => new CodexBinaryMissing({ looked: `${name} is not installed`, cause })
  })
  const vendor = path.join(path.dirname(manifest), "vendor")
  const executable = process.platform === "win32" ? "codex.exe" : "codex"
  // One directory a target triple; the package holds the triples of one platform only.
  const targets = (yield* fs.exists(vendor)) ? yield* fs.readDirectory(vendor) : []
  for (const target of targets) {
    const file = path.join(vendor, target, "bin", executable)
    if (yield* fs.exists(file)) return file
  }
  return yield* new CodexBinaryMissing({ looked: `no ${executable} below ${vendor}` })
})

/** The npm launcher of codex, a Node program that starts the native binary. */
export const codexShim: Effect.Effect<string, CodexBinaryMissing> = Effect.try({
  try: () => Module.createRequire(import.meta.url).resolve("@openai/codex/bin/codex.js"),
  catch: (cause) => new CodexBinaryMissing({ looked: "@openai/codex is not installed", cause })
})

/**
 * Prepares a home. Closing the scope removes it; open the scope of every codex that uses it later, so that it ends
 * earlier.
 */
export const make = Effect.fn("CodexHome.make")(
  function*(
    options: Options
  ): Effect.fn.Return<
    CodexHome,
    CodexBinaryMissing | PlatformError.PlatformError,
    FileSystem.FileSystem | Path.Path | Scope.Scope
  > {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const bin = yield* codexBin

    const root = yield* Effect.acquireRelease(
      // Short names: a unix socket below the home has some hundred characters for its whole path.
      fs.makeTempDirectory({ directory: Os.tmpdir(), prefix: "cx-" }).pipe(Effect.flatMap(fs.realPath)),
      (root) =>
        // A shell that codex left behind may still write while we remove: Node's own bounded retry is for that.
        Effect.promise(() => Fs.rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }))
    )
    const directory = (name: string) => {
      const made = path.join(root, name)
      return Effect.as(fs.makeDirectory(made), made)
    }
    const home = yield* directory("h")
    const user = yield* directory("u")
    const work = yield* directory("w")
    // Codex puts no helper binaries under its temporary directory, so the home must not be below it.
    const temporary = yield* directory("t")

    const config = path.join(home, "config.toml")
    yield* fs.writeFileString(
      config,
      toToml({ ...offlineSettings(options.baseUrl, options.model), ...options.settings }) + (options.extraToml ?? "")
    )

    const env = {
      CODEX_HOME: home,
      HOME: user,
      TMPDIR: temporary,
      PATH: process.env["PATH"] ?? "",
      RUST_LOG: options.rustLog ?? "warn"
    }
    return {
      home,
      config,
      work,
      codexBin: bin,
      env,
      command: (...args) =>
        ChildProcess.make(bin, args, { cwd: work, env, extendEnv: false, forceKillAfter: "2 seconds" })
    }
  }
)

/** Dotted keys at the top, one a line. A JSON text is a TOML value for all that `Toml` allows. */
const toToml = (settings: Readonly<Record<string, Toml>>): string =>
  Object.entries(settings).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`).join("")
