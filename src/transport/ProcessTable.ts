/**
 * Which process is behind a pid, and whether it is still the same one.
 *
 * Operating systems reuse pids, so a pid that was written down says little
 * later on. An identity adds when the process started, which does not change
 * while it lives and differs for whoever gets the pid next.
 *
 * What cannot be found out is an error, never an answer: a caller that takes
 * "I could not look" for "it is dead" ends a stranger, or spares an orphan.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as PlatformError from "effect/PlatformError"
import * as Predicate from "effect/Predicate"
import * as ChildProcess from "effect/process/ChildProcess"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { inRealTime } from "./internal/realTime.ts"

/** One process, for as long as it lives. Equal for everybody on the machine who asks. */
export const ProcessIdentity = Schema.Struct({
  pid: Schema.Int.check(Schema.isGreaterThan(0)),
  /** When it started, in a form that only the implementation that wrote it reads. */
  startTime: Schema.NonEmptyString,
  /** Its process group; not on Windows. Equal to `pid` when the process leads the group. */
  groupId: Schema.optionalKey(Schema.Int)
})
export type ProcessIdentity = typeof ProcessIdentity.Type

/** The process table could not be read. */
export class TableUnreadable extends Schema.TaggedError<TableUnreadable>()("TableUnreadable", {
  /** The file or the command that was tried. */
  source: Schema.String,
  detail: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    return `Could not read the process table from ${this.source}: ${this.detail}`
  }
}

/** The identity was taken where its pid means something else, or it is too close to another one to tell them apart. */
export class IdentityNotComparable extends Schema.TaggedError<IdentityNotComparable>()("IdentityNotComparable", {
  pid: Schema.Int,
  detail: Schema.String
}) {
  override get message(): string {
    return `Cannot tell whether process ${this.pid} is still the same one: ${this.detail}`
  }
}

/** A signal could not be sent for a reason other than a missing process or missing permission. */
export class SignalFailed extends Schema.TaggedError<SignalFailed>()("SignalFailed", {
  pid: Schema.Int,
  signal: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `Could not send ${this.signal} to the process group ${this.pid}: ${String(this.cause)}`
  }
}

/** What this service could not find out or do; its `reason` says which. */
export class ProcessTableError extends Schema.TaggedError<ProcessTableError>()("ProcessTableError", {
  reason: Schema.Union([TableUnreadable, IdentityNotComparable, SignalFailed])
}) {
  override get message(): string {
    return this.reason.message
  }
}

/**
 * How an attempt to end a process came out.
 *
 * - `gone`: nothing of it runs any more, or nothing did to begin with.
 * - `survived`: something still runs after SIGKILL and a wait.
 * - `notOurs`: nothing was signalled. The pid has passed to another process, or the process does not lead a group of
 *   its own, or this process is in that group.
 */
export type Termination = "gone" | "survived" | "notOurs"

export interface TerminateOptions {
  /** From SIGTERM to SIGKILL. On Windows there is no SIGTERM, and no grace. */
  readonly grace: Duration.Input
}

export class ProcessTable extends Context.Service<ProcessTable, {
  /** The identity of the process that has this pid now; none if there is none or it has ended and is not yet reaped. */
  readonly identify: (pid: number) => Effect.Effect<Option.Option<ProcessIdentity>, ProcessTableError>
  /** Whether this very process still runs. One that has ended and is not yet reaped (a zombie) does not. */
  readonly isAlive: (identity: ProcessIdentity) => Effect.Effect<boolean, ProcessTableError>
  /**
   * Ends the process and the process group that it leads: SIGTERM, after the grace SIGKILL, then a bounded wait.
   * On Windows the process and its descendants, at once.
   *
   * The process need not be a child of this one. Descendants that have moved to a group of their own are not reached.
   * Waits in real time, whatever clock the program uses.
   */
  readonly terminate: (
    identity: ProcessIdentity,
    options: TerminateOptions
  ) => Effect.Effect<Termination, ProcessTableError>
}>()("effect-codex-bridge/transport/ProcessTable") {
  /** Linux: `/proc`. Start times are counted in clock ticks since boot, so a change of the clock does not move them. */
  static readonly layerProc: Layer.Layer<ProcessTable, never, FileSystem.FileSystem> = Layer.effect(
    ProcessTable,
    Effect.suspend(() => Effect.map(procSource, makePosix))
  )

  /**
   * macOS and the BSDs: `ps`, whose start times are whole seconds.
   *
   * Two start times that differ by two seconds or less are not comparable: rounding and small corrections of the clock
   * can make that much of a difference where the system derives them from the time since boot.
   */
  static readonly layerPs: Layer.Layer<ProcessTable, never, ChildProcessSpawner> = Layer.effect(
    ProcessTable,
    Effect.suspend(() => Effect.map(psSource, makePosix))
  )

  /**
   * Windows: PowerShell's CIM and `taskkill`. Best effort: a process whose parent has already ended is no longer part
   * of the tree that `taskkill` walks.
   */
  static readonly layerWindows: Layer.Layer<ProcessTable, never, ChildProcessSpawner> = Layer.effect(
    ProcessTable,
    Effect.suspend(() => makeWindows)
  )

  /** The implementation for the platform this runs on. */
  static readonly layer: Layer.Layer<ProcessTable, never, FileSystem.FileSystem | ChildProcessSpawner> =
    process.platform === "linux" || process.platform === "android"
      ? ProcessTable.layerProc
      : process.platform === "win32"
      ? ProcessTable.layerWindows
      : ProcessTable.layerPs
}

// =============================================================================
// Shared
// =============================================================================

/** What an identity's pid stands for now. `reused`: for another process. */
type Sighting = "running" | "ended" | "reused"

/** What differs between the systems that have signals and process groups. */
interface Source {
  /** The process that has the pid, unless it has ended. */
  readonly find: (pid: number) => Effect.Effect<Option.Option<ProcessIdentity>, ProcessTableError>
  readonly look: (identity: ProcessIdentity) => Effect.Effect<Sighting, ProcessTableError>
  /** Whether a process of the group still runs, zombies aside: nobody may be there to reap them. */
  readonly groupRuns: (groupId: number) => Effect.Effect<boolean, ProcessTableError>
}

const pollInterval = Duration.millis(25)
// SIGKILL takes effect at once, unless the process sits in the kernel and waits for a device.
const killWait = Duration.seconds(2)
// The same where one look takes a second.
const windowsKillWait = Duration.seconds(10)
// A first start of PowerShell takes seconds.
const commandTimeout = Duration.seconds(20)

const errnoOf = (error: unknown): string | undefined =>
  Predicate.hasProperty(error, "code") && Predicate.isString(error.code) ? error.code : undefined

const unreadable = (source: string, detail: string, cause?: unknown) =>
  new ProcessTableError({
    reason: new TableUnreadable({ source, detail, ...(cause === undefined ? {} : { cause }) })
  })

const notComparable = (pid: number, detail: string) =>
  new ProcessTableError({ reason: new IdentityNotComparable({ pid, detail }) })

const isBlank = (text: string): boolean => text.trim() === ""

// =============================================================================
// Processes with signals and groups
// =============================================================================

/** Whether the group is there to be signalled, members without permission and zombies included. */
const signalGroup = (groupId: number, signal: "SIGTERM" | "SIGKILL" | 0): Effect.Effect<boolean, ProcessTableError> =>
  Effect.try({
    try: () => process.kill(-groupId, signal),
    catch: (cause) => new SignalFailed({ pid: groupId, signal: String(signal), cause })
  }).pipe(
    Effect.as(true),
    Effect.catch((reason) => {
      switch (errnoOf(reason.cause)) {
        case "ESRCH":
          return Effect.succeed(false)
        // Also what macOS says about a group of zombies. Whether somebody still runs is looked up afterwards.
        case "EPERM":
          return Effect.succeed(true)
        default:
          return Effect.fail(new ProcessTableError({ reason }))
      }
    })
  )

const makePosix = (source: Source): ProcessTable["Service"] => {
  const groupEnded = Effect.fnUntraced(function*(groupId: number) {
    return !(yield* signalGroup(groupId, 0)) || !(yield* source.groupRuns(groupId))
  })

  const groupEndsWithin = (groupId: number, duration: Duration.Input) =>
    groupEnded(groupId).pipe(
      Effect.repeat({ until: (ended) => ended, schedule: Schedule.spaced(pollInterval) }),
      Effect.timeoutOption(duration),
      Effect.map(Option.isSome),
      inRealTime
    )

  return ProcessTable.of({
    identify: Effect.fn("ProcessTable.identify")(source.find),
    isAlive: Effect.fn("ProcessTable.isAlive")(function*(identity) {
      return (yield* source.look(identity)) === "running"
    }),
    terminate: Effect.fn("ProcessTable.terminate")(function*(identity, { grace }) {
      const { pid } = identity
      // Group 1 and "group 0" are never a child, and as targets of a signal they mean much more than one group.
      if (pid <= 1) return "notOurs"
      const sighting = yield* source.look(identity)
      if (sighting !== "running") return sighting === "ended" ? "gone" : "notOurs"
      const current = yield* source.find(pid)
      if (Option.isNone(current)) return "gone"
      const self = yield* source.find(process.pid)
      const ownGroup = Option.isSome(self) ? self.value.groupId : undefined
      if (current.value.startTime !== identity.startTime || current.value.groupId !== pid || ownGroup === pid) {
        return "notOurs"
      }
      yield* signalGroup(pid, "SIGTERM")
      if (yield* groupEndsWithin(pid, grace)) return "gone"
      // As long as the group has had members all the time, its number cannot have been given to anybody else. A pid
      // that belongs to another process now says that it has not.
      if ((yield* source.look(identity)) === "reused") return "gone"
      yield* signalGroup(pid, "SIGKILL")
      return (yield* groupEndsWithin(pid, killWait)) ? "gone" : "survived"
    })
  })
}

// =============================================================================
// Linux
// =============================================================================

/** The fields of `/proc/<pid>/stat` that say who a process is. */
export interface ProcStat {
  /** One letter; `Z` and `X` for a process that has ended. */
  readonly state: string
  readonly groupId: number
  /** Clock ticks from boot to the start of the process. */
  readonly startTicks: string
}

/** Reads a `/proc/<pid>/stat`. The name of the program, in parentheses, may itself hold parentheses and line ends. */
export const parseProcStat = (text: string): Option.Option<ProcStat> => {
  const fields = text.slice(text.lastIndexOf(")") + 1).trim().split(/\s+/)
  const [state, , group] = fields
  const startTicks = fields[19]
  return state !== undefined && group !== undefined && startTicks !== undefined &&
      /^[A-Za-z]$/.test(state) && /^\d+$/.test(group) && /^\d+$/.test(startTicks)
    ? Option.some({ state, groupId: Number(group), startTicks })
    : Option.none()
}

const hasEnded = (state: string): boolean => /^[ZXx]/.test(state)

const failedTo = (path: string) => (error: PlatformError.PlatformError) => unreadable(path, error.message, error)

const procSource: Effect.Effect<Source, never, FileSystem.FileSystem> = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem

  const stat = Effect.fnUntraced(
    function*(pid: number): Effect.fn.Return<Option.Option<ProcStat>, ProcessTableError> {
      const path = `/proc/${pid}/stat`
      const text = yield* fs.readFileString(path).pipe(
        Effect.asSome,
        Effect.catch((error) =>
          // ESRCH: it ended between the opening and the reading of the file.
          error.reason._tag === "NotFound" || errnoOf(error.reason.cause) === "ESRCH"
            ? Effect.succeedNone
            : Effect.fail(failedTo(path)(error))
        )
      )
      if (Option.isNone(text)) return Option.none()
      const parsed = parseProcStat(text.value)
      if (Option.isNone(parsed)) return yield* unreadable(path, "not in the known form")
      return hasEnded(parsed.value.state) ? Option.none() : parsed
    }
  )

  // A missing `/proc` must not look like a machine without processes.
  const bootId = fs.readFileString("/proc/sys/kernel/random/boot_id").pipe(
    Effect.mapError(failedTo("/proc/sys/kernel/random/boot_id")),
    Effect.map((text) => text.trim())
  )
  // The same state directory may be mounted into several containers, where one pid means several processes.
  const namespace = fs.readLink("/proc/self/ns/pid").pipe(
    Effect.map((link) => link.replace(/\D+/g, "")),
    Effect.catch((error) =>
      // A kernel without pid namespaces.
      error.reason._tag === "NotFound" ? Effect.succeed("") : Effect.fail(failedTo("/proc/self/ns/pid")(error))
    )
  )

  const find = Effect.fnUntraced(function*(pid: number) {
    const found = yield* stat(pid)
    if (Option.isNone(found)) {
      // Fails where `/proc` is not there at all.
      yield* bootId
      return Option.none<ProcessIdentity>()
    }
    const { groupId, startTicks } = found.value
    const startTime = `linux:${yield* bootId}:${yield* namespace}:${startTicks}`
    return Option.some<ProcessIdentity>({ pid, startTime, groupId })
  })

  return {
    find,
    look: Effect.fnUntraced(function*({ pid, startTime }) {
      const [kind, boot, space, ticks] = startTime.split(":")
      if (kind !== "linux" || boot === undefined || space === undefined || ticks === undefined) {
        return yield* notComparable(pid, `the start time ${startTime} was not taken from /proc`)
      }
      if (boot !== (yield* bootId)) return "ended"
      if (space !== (yield* namespace)) {
        return yield* notComparable(pid, "it was recorded in another pid namespace")
      }
      const found = yield* stat(pid)
      if (Option.isNone(found)) return "ended"
      return found.value.startTicks === ticks ? "running" : "reused"
    }),
    groupRuns: Effect.fnUntraced(function*(groupId) {
      const names = yield* fs.readDirectory("/proc").pipe(Effect.mapError(failedTo("/proc")))
      for (const name of names) {
        if (!/^\d+$/.test(name)) continue
        const found = yield* stat(Number(name))
        if (Option.isSome(found) && found.value.groupId === groupId) return true
      }
      return false
    })
  }
})

// =============================================================================
// Commands that list processes
// =============================================================================

interface Output {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

const makeRun = Effect.map(
  ChildProcessSpawner,
  (spawner) =>
    Effect.fnUntraced(
      function*(command: string, args: ReadonlyArray<string>) {
        const child = yield* spawner.spawn(ChildProcess.make(command, args, {
          // Dates in English and in one time zone: otherwise a move or a change to summer time gives every process
          // another start.
          env: { LC_ALL: "C", TZ: "UTC0" },
          extendEnv: true,
          stdin: "ignore",
          forceKillAfter: "1 second"
        }))
        const text = (stream: typeof child.stdout) => Stream.mkString(Stream.decodeText(stream))
        const [stdout, stderr, exitCode] = yield* Effect.all(
          [text(child.stdout), text(child.stderr), child.exitCode],
          { concurrency: "unbounded" }
        )
        return { exitCode, stdout, stderr } satisfies Output
      },
      (effect, command) =>
        effect.pipe(
          Effect.scoped,
          Effect.mapError((error) => unreadable(command, error.message, error)),
          Effect.timeoutOrElse({
            duration: commandTimeout,
            orElse: () => Effect.fail(unreadable(command, `no answer within ${Duration.format(commandTimeout)}`))
          }),
          inRealTime
        )
    )
)

const describeFailure = (output: Output): string =>
  `exit status ${output.exitCode}${isBlank(output.stderr) ? "" : `: ${output.stderr.trim().slice(0, 200)}`}`

// =============================================================================
// macOS and the BSDs
// =============================================================================

/** One line of `ps -o lstart= -o pgid= -o stat=`. */
export interface PsLine {
  /** Seconds since 1970. */
  readonly startSeconds: number
  readonly groupId: number
  /** Begins with `Z` for a process that has ended. */
  readonly state: string
}

/** Reads a line of `ps -o lstart= -o pgid= -o stat=`, printed in the C locale and in UTC. */
export const parsePsLine = (line: string): Option.Option<PsLine> => {
  const match = /^\s*[A-Za-z]{3} ([A-Za-z]{3}) +(\d{1,2}) (\d{2}:\d{2}:\d{2}) (\d{4})\s+(\d+)\s+(\S+)\s*$/.exec(line)
  if (match === null) return Option.none()
  const [, month, day, time, year, group, state = ""] = match
  const millis = Date.parse(`${day} ${month} ${year} ${time} GMT`)
  return Number.isNaN(millis)
    ? Option.none()
    : Option.some({ startSeconds: millis / 1000, groupId: Number(group), state })
}

const psTolerance = 2

const psSource: Effect.Effect<Source, never, ChildProcessSpawner> = Effect.gen(function*() {
  const run = yield* makeRun

  const line = Effect.fnUntraced(function*(pid: number): Effect.fn.Return<Option.Option<PsLine>, ProcessTableError> {
    // One `-o` a column: where several share one, BSD takes what follows the first `=` for its heading.
    const output = yield* run("ps", ["-o", "lstart=", "-o", "pgid=", "-o", "stat=", "-p", String(pid)])
    if (isBlank(output.stdout)) {
      // This is how `ps` says that there is no such process. Anything it complains about is another matter.
      if (output.exitCode === 1 && isBlank(output.stderr)) return Option.none()
      return yield* unreadable("ps", describeFailure(output))
    }
    const parsed = parsePsLine(output.stdout)
    if (Option.isNone(parsed)) return yield* unreadable("ps", "its output is not in the known form")
    return hasEnded(parsed.value.state) ? Option.none() : parsed
  })

  return {
    find: Effect.fnUntraced(function*(pid) {
      return Option.map(
        yield* line(pid),
        ({ groupId, startSeconds }): ProcessIdentity => ({ pid, startTime: `ps:${startSeconds}`, groupId })
      )
    }),
    look: Effect.fnUntraced(function*({ pid, startTime }) {
      const recorded = /^ps:(\d+)$/.exec(startTime)
      if (recorded === null) return yield* notComparable(pid, `the start time ${startTime} was not taken from ps`)
      const found = yield* line(pid)
      if (Option.isNone(found)) return "ended"
      const difference = Math.abs(Number(recorded[1]) - found.value.startSeconds)
      if (difference === 0) return "running"
      if (difference > psTolerance) return "reused"
      return yield* notComparable(pid, `the process that has the pid started within ${psTolerance} s of it`)
    }),
    groupRuns: Effect.fnUntraced(function*(groupId) {
      const output = yield* run("ps", ["-A", "-o", "pgid=", "-o", "stat="])
      const lines = output.stdout.split("\n").map((line) => line.trim().split(/\s+/))
      // `ps` itself is always in the list.
      if (output.exitCode !== 0 || lines.length < 2) return yield* unreadable("ps", describeFailure(output))
      return lines.some(([group, state]) => Number(group) === groupId && state !== undefined && !hasEnded(state))
    })
  }
})

// =============================================================================
// Windows
// =============================================================================

const makeWindows: Effect.Effect<ProcessTable["Service"], never, ChildProcessSpawner> = Effect.gen(function*() {
  const run = yield* makeRun

  const find = Effect.fnUntraced(
    function*(pid: number): Effect.fn.Return<Option.Option<ProcessIdentity>, ProcessTableError> {
      const output = yield* run("powershell.exe", [
        "-NoProfile",
        "-NonInteractive",
        "-Command",
        `$p = Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}' -ErrorAction Stop; ` +
        "if ($p) { $p.CreationDate.ToFileTimeUtc() }"
      ])
      if (output.exitCode !== 0) return yield* unreadable("powershell.exe", describeFailure(output))
      const created = output.stdout.trim()
      if (created === "") return Option.none()
      if (!/^\d+$/.test(created)) return yield* unreadable("powershell.exe", "its output is not in the known form")
      return Option.some({ pid, startTime: `windows:${created}` })
    }
  )

  const look = Effect.fnUntraced(function*(identity: ProcessIdentity): Effect.fn.Return<Sighting, ProcessTableError> {
    if (!identity.startTime.startsWith("windows:")) {
      return yield* notComparable(identity.pid, `the start time ${identity.startTime} was not taken on Windows`)
    }
    const found = yield* find(identity.pid)
    if (Option.isNone(found)) return "ended"
    return found.value.startTime === identity.startTime ? "running" : "reused"
  })

  return ProcessTable.of({
    identify: Effect.fn("ProcessTable.identify")(find),
    isAlive: Effect.fn("ProcessTable.isAlive")(function*(identity) {
      return (yield* look(identity)) === "running"
    }),
    terminate: Effect.fn("ProcessTable.terminate")(function*(identity) {
      const sighting = yield* look(identity)
      if (sighting !== "running") return sighting === "ended" ? "gone" : "notOurs"
      // Its exit status says little: it also complains about descendants that ended first. What counts is what is left.
      yield* run("taskkill.exe", ["/PID", String(identity.pid), "/T", "/F"])
      const ended = yield* look(identity).pipe(
        Effect.repeat({ until: (sighting) => sighting !== "running", schedule: Schedule.spaced(pollInterval) }),
        Effect.timeoutOption(windowsKillWait),
        inRealTime
      )
      return Option.isSome(ended) ? "gone" : "survived"
    })
  })
})
