/**
 * A durable record of the child processes that this program has started.
 *
 * A program that is killed outright cannot end its children, and a child that
 * goes on without it holds locks and executes what nobody asks for any more. So
 * each child is written down before it is sent anything, and whoever starts next
 * ends the children of hosts that are gone.
 *
 * Only a child that is certainly the recorded one, of a host that is certainly
 * gone, is ever ended. Whatever is in doubt stays as it is and is reported.
 */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as UserDirectories from "effect/persistence/UserDirectories"
import type * as PlatformError from "effect/PlatformError"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Directories from "./Directories.ts"
import { ProcessIdentity, ProcessTable } from "./ProcessTable.ts"

/** What is written down of one child. */
export const ChildRecord = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  child: ProcessIdentity,
  /** The process that started the child. */
  host: ProcessIdentity,
  /** Name of the program, for a person who reads the record. No arguments: they can hold secrets. */
  command: Schema.String,
  startedAt: Schema.DateTimeUtcFromString
})
export type ChildRecord = typeof ChildRecord.Type

/** A child could not be recorded. */
export class ChildRegistryError extends Schema.TaggedError<ChildRegistryError>()("ChildRegistryError", {
  /** `locate` the state directory, `prepare` it, `identify` host and child, `write` the record. */
  operation: Schema.Literals(["locate", "prepare", "identify", "write"]),
  /** The directory or the record. */
  path: Schema.String,
  detail: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    return `Could not record a child process (${this.operation} ${this.path}): ${this.detail}`
  }
}

/** A record, and what was found out about it. */
export interface ReapedRecord {
  readonly path: string
  readonly record: ChildRecord
  readonly detail: string
}

/** What became of each record that there was. */
export interface ReapReport {
  /** The child of a dead host was ended, with its process group. The record is removed. */
  readonly reaped: ReadonlyArray<ReapedRecord>
  /** Host and child were both gone. The record is removed. */
  readonly stale: ReadonlyArray<ReapedRecord>
  /** The host is alive, or something is in doubt: left alone. */
  readonly kept: ReadonlyArray<ReapedRecord>
  /** The child of a dead host is still there after SIGKILL. The record stays. */
  readonly survived: ReadonlyArray<ReapedRecord>
  /** Records that could not be read, or the directory. Left alone. */
  readonly unreadable: ReadonlyArray<{ readonly path: string; readonly detail: string }>
}

/** A place for the record of one child that is yet to be started. */
export interface Reservation {
  /**
   * Writes the record. Call it once, as soon as the child exists and before it is sent anything.
   *
   * `command` is cut down to the name of the program. A child that has already ended is not recorded.
   */
  readonly record: (pid: number, command: string) => Effect.Effect<void, ChildRegistryError>
}

export interface Options {
  /**
   * Where the records are; not shared with other files, and only on this machine. It is created with mode 0700. One
   * that exists must belong to this user and be writable by nobody else.
   * By default `effect-codex-bridge/children` in the user's directory for state.
   */
  readonly directory?: string | undefined
  /** From SIGTERM to SIGKILL when a child is ended; 2 seconds by default. */
  readonly grace?: Duration.Input | undefined
}

export class ChildRegistry extends Context.Service<ChildRegistry, {
  /** Where the records are. */
  readonly directory: string
  /**
   * A place for the record of a child. Reserve it *before* the child is started in the same scope: finalizers run in
   * reverse, so the record is removed after the child is gone. If the child is still there at that time, the record
   * stays.
   */
  readonly reserve: Effect.Effect<Reservation, never, Scope.Scope>
  /**
   * Records a child that runs already. The scope has to outlive the one that ends the child: where one scope does
   * both, use `reserve`.
   */
  readonly register: (pid: number, command: string) => Effect.Effect<void, ChildRegistryError, Scope.Scope>
  /**
   * Ends what hosts that are gone have left behind, and removes the records that are of no more use. Several programs
   * may do so at once.
   */
  readonly reap: Effect.Effect<ReapReport>
}>()("effect-codex-bridge/transport/ChildRegistry") {
  /** Fails with `ChildRegistryError` if no directory is given and the environment does not say where the user's is. */
  static readonly layer = (
    options: Options = {}
  ): Layer.Layer<ChildRegistry, ChildRegistryError, FileSystem.FileSystem | Path.Path | ProcessTable> =>
    Layer.effect(ChildRegistry, make(options))
}

// =============================================================================
// Machinery
// =============================================================================

const RecordFile = Schema.fromJsonString(ChildRecord)
const decodeRecord = Schema.decodeEffect(RecordFile)
const encodeRecord = Schema.encodeEffect(RecordFile)

const writableByOthers = 0o022
const reapConcurrency = 4
// What a file says that is no record is of no interest in full.
const detailLength = 300

type Outcome =
  | { readonly _tag: "reaped" | "stale" | "kept" | "survived"; readonly entry: ReapedRecord }
  | { readonly _tag: "unreadable"; readonly entry: { readonly path: string; readonly detail: string } }
  /** Its owner removed it in the meantime. */
  | { readonly _tag: "vanished" }

const report = (outcomes: ReadonlyArray<Outcome>): ReapReport => {
  const having = (tag: "reaped" | "stale" | "kept" | "survived") =>
    outcomes.flatMap((outcome) => outcome._tag === tag ? [outcome.entry] : [])
  return {
    reaped: having("reaped"),
    stale: having("stale"),
    kept: having("kept"),
    survived: having("survived"),
    unreadable: outcomes.flatMap((outcome) => outcome._tag === "unreadable" ? [outcome.entry] : [])
  }
}

/** Why records in a directory cannot be trusted: somebody else could have written one that names a process of ours. */
const distrust = (info: FileSystem.File.Info): string | undefined => {
  if (info.type !== "Directory") return "it is no directory"
  // Windows has neither.
  if (process.getuid === undefined) return undefined
  if (Option.isSome(info.uid) && info.uid.value !== process.getuid()) return "it belongs to another user"
  return (info.mode & writableByOthers) === 0 ? undefined : "others may write to it"
}

const isNotFound = (error: PlatformError.PlatformError): boolean => error.reason._tag === "NotFound"

const locate = Effect.fnUntraced(function*(directory: string | undefined) {
  const path = yield* Path.Path
  if (directory !== undefined) return path.resolve(directory)
  const state = yield* UserDirectories.make().state("effect-codex-bridge").pipe(
    Effect.mapError((cause) =>
      new ChildRegistryError({ operation: "locate", path: "the state directory", detail: cause.message, cause })
    )
  )
  return path.join(state, "children")
})

const make = Effect.fnUntraced(function*(
  options: Options
): Effect.fn.Return<
  ChildRegistry["Service"],
  ChildRegistryError,
  FileSystem.FileSystem | Path.Path | ProcessTable
> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const table = yield* ProcessTable
  const directory = yield* locate(options.directory)
  const grace = options.grace ?? "2 seconds"

  const failed = (operation: ChildRegistryError["operation"], path: string) => (cause: Error) =>
    new ChildRegistryError({ operation, path, detail: cause.message, cause })

  const prepare = Effect.gen(function*() {
    const info = yield* Directories.make(fs, directory, 0o700).pipe(
      Effect.andThen(fs.stat(directory)),
      Effect.mapError(failed("prepare", directory))
    )
    const detail = distrust(info)
    if (detail !== undefined) return yield* new ChildRegistryError({ operation: "prepare", path: directory, detail })
  })

  const write = Effect.fnUntraced(function*(record: ChildRecord) {
    // One name for one process, so that nobody but its host writes it. The start time holds characters that not every
    // file system takes.
    const name = `${record.child.pid}-${record.child.startTime.replace(/[^A-Za-z0-9-]+/g, "_")}.json`
    const target = path.join(directory, name)
    const temporary = path.join(directory, `.${name}.tmp`)
    yield* encodeRecord(record).pipe(
      Effect.flatMap((text) => fs.writeFileString(temporary, text, { mode: 0o600 })),
      // No flush to the disk: the record is of use only while the machine stays up, and then the file is complete.
      Effect.andThen(fs.rename(temporary, target)),
      Effect.onError(() => Effect.ignore(fs.remove(temporary, { force: true }), { log: "Debug" })),
      Effect.mapError(failed("write", target))
    )
    return target
  })

  const remove = (file: string) =>
    fs.remove(file, { force: true }).pipe(
      // The next `reap` takes it for stale and tries again.
      Effect.catch((error) => Effect.logWarning(`Could not remove the record of a child process: ${error.message}`))
    )

  /** Removes the record of a child that is gone. */
  const release = ([file, child]: readonly [string, ProcessIdentity]) =>
    table.isAlive(child).pipe(
      Effect.flatMap((alive) =>
        alive
          ? Effect.logWarning(`The child process ${child.pid} outlives its scope; its record stays at ${file}`)
          : remove(file)
      ),
      Effect.catch((error) => Effect.logWarning(`The record ${file} stays: ${error.message}`))
    )

  const identify = (pid: number) => Effect.mapError(table.identify(pid), failed("identify", directory))

  const record = Effect.fnUntraced(function*(pid: number, command: string) {
    yield* prepare
    const child = yield* identify(pid)
    if (Option.isNone(child)) {
      yield* Effect.logDebug(`The child process ${pid} ended before it was recorded`)
      return Option.none()
    }
    const host = yield* identify(process.pid)
    if (Option.isNone(host)) {
      return yield* new ChildRegistryError({
        operation: "identify",
        path: directory,
        detail: `the process table does not show this process (${process.pid})`
      })
    }
    const file = yield* write({
      schemaVersion: 1,
      child: child.value,
      host: host.value,
      command: path.basename(command),
      startedAt: yield* DateTime.now
    })
    return Option.some([file, child.value] as const)
  })

  const reserve = Effect.gen(function*() {
    const written = yield* Effect.acquireRelease(
      Ref.make<ReadonlyArray<readonly [string, ProcessIdentity]>>([]),
      (written) => Effect.flatMap(Ref.get(written), Effect.forEach(release, { discard: true }))
    )
    return {
      record: Effect.fn("ChildRegistry.record")(function*(pid, command) {
        const file = yield* record(pid, command)
        if (Option.isSome(file)) yield* Ref.update(written, (files) => [...files, file.value])
      }, Effect.uninterruptible)
    } satisfies Reservation
  })

  /** Decides on one record whose host is dead and whose child is not. */
  const end = Effect.fnUntraced(function*(entry: Omit<ReapedRecord, "detail">): Effect.fn.Return<Outcome> {
    const { child, command } = entry.record
    const ended = yield* Effect.result(table.terminate(child, { grace }))
    if (Result.isFailure(ended)) return { _tag: "kept", entry: { ...entry, detail: ended.failure.message } }
    switch (ended.success) {
      case "gone": {
        yield* remove(entry.path)
        return { _tag: "reaped", entry: { ...entry, detail: `ended ${command} (${child.pid}) and its process group` } }
      }
      case "survived":
        return { _tag: "survived", entry: { ...entry, detail: `${command} (${child.pid}) survived SIGKILL` } }
      case "notOurs": {
        const detail = `${command} (${child.pid}) does not lead a process group of its own that could be ended`
        return { _tag: "kept", entry: { ...entry, detail } }
      }
    }
  })

  const examine = Effect.fnUntraced(function*(file: string): Effect.fn.Return<Outcome> {
    const text = yield* Effect.result(fs.readFileString(file))
    if (Result.isFailure(text)) {
      return isNotFound(text.failure)
        ? { _tag: "vanished" }
        : { _tag: "unreadable", entry: { path: file, detail: text.failure.message } }
    }
    const decoded = yield* Effect.result(decodeRecord(text.success))
    if (Result.isFailure(decoded)) {
      return { _tag: "unreadable", entry: { path: file, detail: decoded.failure.message.slice(0, detailLength) } }
    }
    const entry = { path: file, record: decoded.success }
    const { child, host } = entry.record
    const hostAlive = yield* Effect.result(table.isAlive(host))
    if (Result.isFailure(hostAlive)) return { _tag: "kept", entry: { ...entry, detail: hostAlive.failure.message } }
    if (hostAlive.success) {
      return { _tag: "kept", entry: { ...entry, detail: `its host (${host.pid}) is alive` } }
    }
    const childAlive = yield* Effect.result(table.isAlive(child))
    if (Result.isFailure(childAlive)) return { _tag: "kept", entry: { ...entry, detail: childAlive.failure.message } }
    if (childAlive.success) return yield* end(entry)
    yield* remove(file)
    return { _tag: "stale", entry: { ...entry, detail: "host and child are gone" } }
  })

  const reap = Effect.gen(function*() {
    const names = yield* fs.stat(directory).pipe(
      Effect.flatMap((info) => {
        const detail = distrust(info)
        return detail === undefined
          ? fs.readDirectory(directory)
          : Effect.fail({ message: detail })
      }),
      Effect.catchTag("PlatformError", (error) => isNotFound(error) ? Effect.succeed([]) : Effect.fail(error)),
      Effect.result
    )
    if (Result.isFailure(names)) {
      return report([{ _tag: "unreadable", entry: { path: directory, detail: names.failure.message } }])
    }
    const outcomes = yield* Effect.forEach(
      names.success.filter((name) => name.endsWith(".json")),
      (name) => examine(path.join(directory, name)),
      { concurrency: reapConcurrency }
    )
    return report(outcomes)
  }).pipe(Effect.withSpan("ChildRegistry.reap"))

  return ChildRegistry.of({
    directory,
    reserve,
    register: Effect.fn("ChildRegistry.register")(function*(pid, command) {
      const reservation = yield* reserve
      yield* reservation.record(pid, command)
    }),
    reap
  })
})
