/**
 * Asks a codex binary for the schemas that it speaks.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as ChildProcess from "effect/process/ChildProcess"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Corrections from "./internal/Corrections.ts"
import * as Shape from "./internal/Shape.ts"

/** The binary could not be started. */
export class SpawnFailed extends Schema.TaggedError<SpawnFailed>()("SpawnFailed", {
  codexBin: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `Could not run ${this.codexBin}`
  }
}

/** The binary ran and reported a failure. */
export class ExportFailed extends Schema.TaggedError<ExportFailed>()("ExportFailed", {
  codexBin: Schema.String,
  exitCode: Schema.Int,
  /** The last 4096 characters of stderr. */
  stderrTail: Schema.String
}) {
  override get message(): string {
    return `${this.codexBin} exited with status ${this.exitCode}; stderr ends: ${this.stderrTail}`
  }
}

/** The binary did not end in time. */
export class ExportTimeout extends Schema.TaggedError<ExportTimeout>()("ExportTimeout", {
  codexBin: Schema.String,
  millis: Schema.Int
}) {
  override get message(): string {
    return `${this.codexBin} did not finish within ${this.millis} ms`
  }
}

/** The binary succeeded, and what it wrote is not the bundle that we know how to read. */
export class UnreadableExport extends Schema.TaggedError<UnreadableExport>()("UnreadableExport", {
  codexBin: Schema.String,
  detail: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    return `The schemas exported by ${this.codexBin} cannot be read: ${this.detail}`
  }
}

/** Why the schemas of a binary could not be had. */
export class SchemaExportError extends Schema.TaggedError<SchemaExportError>()("SchemaExportError", {
  reason: Schema.Union([SpawnFailed, ExportFailed, ExportTimeout, UnreadableExport])
}) {
  override get message(): string {
    return this.reason.message
  }
}

export interface ExportOptions {
  /** Path or name of the binary. */
  readonly codexBin: string
  /** Include what needs the `experimentalApi` capability. Default true. */
  readonly experimental?: boolean | undefined
  /** How long each run of the binary may take. Default 30 seconds. */
  readonly timeout?: Duration.Input | undefined
}

const tailLength = 4096

const bundleFile = "codex_app_server_protocol.schemas.json"

// A codex home of its own: the user's configuration must not decide whether the export works.
const run = Effect.fnUntraced(function*(options: ExportOptions, args: ReadonlyArray<string>, home: string) {
  const { codexBin } = options
  const spawnFailed = (cause: unknown) => new SchemaExportError({ reason: new SpawnFailed({ codexBin, cause }) })
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const handle = yield* spawner.spawn(
    ChildProcess.make(codexBin, args, {
      env: { CODEX_HOME: home },
      extendEnv: true,
      stdin: "ignore",
      forceKillAfter: "2 seconds"
    })
  ).pipe(Effect.mapError(spawnFailed))
  const text = (stream: typeof handle.stdout) =>
    Stream.runFold(Stream.decodeText(stream), () => "", (all, part) => (all + part).slice(-tailLength))
  const [stdout, stderr, exitCode] = yield* Effect.all(
    [text(handle.stdout), text(handle.stderr), handle.exitCode],
    { concurrency: "unbounded" }
  ).pipe(Effect.mapError(spawnFailed))
  if (exitCode !== 0) {
    return yield* new SchemaExportError({
      reason: new ExportFailed({ codexBin, exitCode, stderrTail: stderr.trim() })
    })
  }
  return stdout.trim()
}, (effect, options) => {
  const timeout = Duration.fromInputUnsafe(options.timeout ?? "30 seconds")
  return effect.pipe(
    Effect.scoped,
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(
          new SchemaExportError({
            reason: new ExportTimeout({ codexBin: options.codexBin, millis: Duration.toMillis(timeout) })
          })
        )
    })
  )
})

const unreadable = (codexBin: string, detail: string) => (cause: unknown) =>
  new SchemaExportError({ reason: new UnreadableExport({ codexBin, detail, cause }) })

const temporary = Effect.fnUntraced(function*(codexBin: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.makeTempDirectoryScoped({ prefix: "codex-schemas-" }).pipe(
    Effect.mapError(unreadable(codexBin, "no temporary directory"))
  )
})

/**
 * The schemas of a binary, reduced to what decides how a value is read.
 * Runs `app-server generate-json-schema` in a temporary directory, which is removed.
 */
export const read = Effect.fn("SchemaExport.read")(function*(options: ExportOptions) {
  const { codexBin } = options
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const home = yield* temporary(codexBin)
  const out = path.join(home, "schemas")
  const args = ["app-server", "generate-json-schema", "--out", out]
  yield* run(options, options.experimental === false ? args : [...args, "--experimental"], home)
  const text = yield* fs.readFileString(path.join(out, bundleFile)).pipe(
    Effect.mapError(unreadable(codexBin, `no ${bundleFile}`))
  )
  const json = yield* Schema.decodeEffect(Schema.fromJsonString(Schema.Unknown))(text).pipe(
    Effect.mapError(unreadable(codexBin, `${bundleFile} is not JSON`))
  )
  const model = Corrections.apply(Shape.fromBundle(json))
  if (Object.keys(model.definitions).length === 0 || Object.keys(model.clientRequests).length === 0) {
    return yield* new SchemaExportError({
      reason: new UnreadableExport({ codexBin, detail: `${bundleFile} names no definitions or no methods` })
    })
  }
  return model
}, Effect.scoped)

/** The version that a binary reports, e.g. `0.171.0`. */
export const version = Effect.fn("SchemaExport.version")(function*(options: ExportOptions) {
  const home = yield* temporary(options.codexBin)
  const line = yield* run(options, ["--version"], home)
  return line.slice(line.lastIndexOf(" ") + 1)
}, Effect.scoped)
