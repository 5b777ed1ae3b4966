/**
 * A transport to a child process that speaks JSON lines on its stdin and stdout.
 *
 * The transport owns the process and everything the process starts: they run in
 * a process group of their own, and closing the scope takes that group down
 * before it returns. stderr is read all the time and kept as a short tail, so
 * that an error can say why the process ended.
 */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as PlatformError from "effect/PlatformError"
import * as Predicate from "effect/Predicate"
import * as ChildProcess from "effect/process/ChildProcess"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as CommandLine from "effect/process/CommandLine"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { discard } from "./internal/discard.ts"
import { inRealTime } from "./internal/realTime.ts"
import * as Tail from "./internal/Tail.ts"
import * as JsonLines from "./JsonLines.ts"
import { redact } from "./Redaction.ts"
import type { Inbound, TransportService } from "./Transport.ts"
import {
  Closed,
  OpenFailed,
  type ProcessEnd,
  TooMuchNoise,
  TransportError,
  type TransportErrorReason
} from "./TransportError.ts"

/** A {@link Transport} and the process behind it. */
export interface ChildTransport extends TransportService {
  readonly pid: number
  /** Waits for the process to end. */
  readonly exited: Effect.Effect<ProcessEnd>
  /** The last of what the process wrote to stderr: redacted, without escape sequences. */
  readonly stderrTail: Effect.Effect<string>
}

/** How long a process may take to end when the transport is closed. */
export interface Shutdown {
  /** From the end of its stdin to SIGTERM; 2 seconds by default. */
  readonly stdinGrace?: Duration.Input | undefined
  /** From SIGTERM to SIGKILL, both to the process group; 2 seconds by default. */
  readonly termGrace?: Duration.Input | undefined
}

export interface Options {
  readonly command: string
  readonly args?: ReadonlyArray<string> | undefined
  readonly cwd?: string | undefined
  /** Environment variables; `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Whether `env` adds to the environment of this process (the default) or replaces it. */
  readonly extendEnv?: boolean | undefined
  /** Longest frame in bytes; 128 MiB by default. */
  readonly frameLimit?: number | undefined
  readonly noiseBudget?: JsonLines.NoiseBudget | undefined
  /** Length of the stderr tail in bytes; 4 KiB by default. */
  readonly stderrTailBytes?: number | undefined
  readonly shutdown?: Shutdown | undefined
  /** Runs once the process exists and before anything is read from it, e.g. to write a pid file. */
  readonly onSpawn?: ((pid: number) => Effect.Effect<void>) | undefined
}

/** How the process ended, before the tail of stderr is added. */
type ExitStatus = Pick<ProcessEnd, "exitCode" | "signal">

/** The first sign that the connection is over. */
interface Ending {
  readonly detail: string
  readonly cause?: PlatformError.PlatformError | undefined
}

// Batches, one for each read from the pipe (64 KiB at most, unless a single frame is longer).
const inboundCapacity = 8
// Calls of `send` that may wait for the pipe; further ones suspend.
const outboundCapacity = 32

// End of file and a broken pipe usually arrive just before the exit status that explains them.
const exitStatusGrace = Duration.millis(250)
// After the exit: how long nothing may arrive before the pipe counts as drained. Something else may hold it open.
const drainGrace = Duration.millis(200)
const drainRounds = 25
const stderrGrace = Duration.millis(300)

const defaultGrace = Duration.seconds(2)
const targetLength = 200

const encoder = new TextEncoder()

const describeTarget = (options: Options): string => {
  const line = redact(CommandLine.display([options.command, ...options.args ?? []]))
  return line.length > targetLength ? `${line.slice(0, targetLength)}…` : line
}

const errnoOf = (error: PlatformError.PlatformError): string | undefined => {
  const cause = error.reason.cause
  return Predicate.hasProperty(cause, "code") && Predicate.isString(cause.code) ? cause.code : undefined
}

const describeSpawnFailure = (error: PlatformError.PlatformError, options: Options): string => {
  const errno = errnoOf(error)
  // The spawner looks at the working directory itself before it spawns.
  if ("module" in error.reason && error.reason.module === "FileSystem") {
    return `the working directory ${options.cwd} cannot be used (${errno ?? error.message})`
  }
  const where = options.cwd === undefined ? "" : ` (working directory ${options.cwd})`
  switch (errno) {
    case "ENOENT":
      return `ENOENT, there is no command ${options.command}${where}`
    case "EACCES":
      return `EACCES, ${options.command} may not be executed${where}`
    case "ENOTDIR":
      return `ENOTDIR, a part of the path to ${options.command} or the working directory is no directory${where}`
    default:
      return `${errno ?? redact(error.message)}${where}`
  }
}

// The spawner reports a signal as an error, and names it in the text of the cause only.
const exitStatusOf = (error: PlatformError.PlatformError): ExitStatus => {
  const cause = error.reason.cause
  const signal = Predicate.isError(cause) ? /'(SIG[A-Z0-9]+)'/.exec(cause.message)?.[1] : undefined
  return signal === undefined ? {} : { signal }
}

const describeStatus = (status: ExitStatus): string =>
  status.signal === undefined ? "the process exited" : "the process was ended by a signal"

/**
 * Starts `command` and connects to its stdin and stdout.
 *
 * The connection is over when the process exits, when it closes its stdout or
 * stdin, or when the scope closes. What the process wrote before it ended is
 * received first; then `receive` and `send` fail with `Closed`, which carries
 * exit status and stderr tail. Whatever ended the connection, the process group
 * is terminated: end of stdin, SIGTERM, SIGKILL, each after its grace period.
 * Deadlines are real time, even under a test clock.
 *
 * Fails with `OpenFailed` if the command cannot be spawned.
 */
export const make = Effect.fn("ChildTransport.make")(function*(
  options: Options
): Effect.fn.Return<ChildTransport, TransportError, ChildProcessSpawner | Scope.Scope> {
  const target = describeTarget(options)
  const stdinGrace = options.shutdown?.stdinGrace ?? defaultGrace
  const kill = {
    killSignal: "SIGTERM",
    forceKillAfter: options.shutdown?.termGrace ?? defaultGrace
  } as const

  const spawner = yield* ChildProcessSpawner
  const openFailed = (detail: string, cause: unknown) =>
    new TransportError({ reason: new OpenFailed({ target, detail, cause }) })
  const child = yield* spawner.spawn(ChildProcess.make(options.command, options.args ?? [], {
    ...kill,
    cwd: options.cwd,
    env: options.env,
    extendEnv: options.extendEnv ?? true
  })).pipe(
    Effect.mapError((error) => openFailed(describeSpawnFailure(error, options), error)),
    // `spawn` throws for some failures, such as an argument list that is too long.
    Effect.catchDefect((defect) => Effect.fail(openFailed(redact(String(defect)), defect)))
  )
  if (options.onSpawn !== undefined) yield* options.onSpawn(child.pid)

  const inbound = yield* Queue.bounded<Arr.NonEmptyReadonlyArray<Inbound>, TransportError>(inboundCapacity)
  const outbound = yield* Queue.bounded<string, Cause.Done>(outboundCapacity)
  const ended = yield* Deferred.make<never, TransportError>()
  const ending = yield* Deferred.make<Ending>()
  const exitStatus = yield* Deferred.make<ExitStatus>()
  const stdoutDrained = yield* Deferred.make<void>()
  const stderrDrained = yield* Deferred.make<void>()

  const end = (reason: TransportErrorReason) =>
    Effect.suspend(() => {
      const error = new TransportError({ reason })
      if (!Deferred.doneUnsafe(ended, Effect.fail(error))) return Effect.void
      Queue.failCauseUnsafe(inbound, Cause.fail(error))
      // Ends stdin once what is queued has been written.
      Queue.endUnsafe(outbound)
      return Effect.void
    })

  const terminate = Deferred.await(exitStatus).pipe(
    Effect.timeoutOption(stdinGrace),
    // Also after an exit: whatever the process has started goes with it.
    Effect.andThen(Effect.ignore(child.kill(kill), { log: "Debug" })),
    inRealTime
  )

  // stderr: always read, so that a chatty process does not block on it.
  const tail = Tail.make(options.stderrTailBytes ?? 4096)
  yield* child.stderr.pipe(
    Stream.runForEach((chunk) => Effect.sync(() => tail.push(chunk))),
    Effect.ignore({ log: "Debug" }),
    Effect.ensuring(Deferred.succeed(stderrDrained, undefined)),
    Effect.forkScoped
  )

  // stdout: one hop per read from the pipe, none per frame.
  const framer = JsonLines.make({ frameLimit: options.frameLimit, noiseBudget: options.noiseBudget })
  let reads = 0
  let delivering = false
  const deliver = (frames: ReadonlyArray<Inbound>) => {
    if (!Arr.isReadonlyArrayNonEmpty(frames)) return Effect.void
    delivering = true
    // After the end the queue refuses, and what still comes is discarded: the process must not block on stdout.
    return Effect.map(Queue.offer(inbound, frames), () => {
      delivering = false
    })
  }
  yield* child.stdout.pipe(
    Stream.runForEachArray((chunks) =>
      Effect.suspend(() => {
        reads += 1
        if (Deferred.isDoneUnsafe(ended)) return Effect.void
        const [first, ...more] = chunks
        let frames = framer.push(first)
        for (const chunk of more) {
          const next = framer.push(chunk)
          frames = frames.length === 0 ? next : next.length === 0 ? frames : [...frames, ...next]
        }
        const noise = framer.overBudget()
        const delivered = deliver(frames)
        return noise === undefined
          ? delivered
          : Effect.andThen(delivered, end(new TooMuchNoise({ target, ...noise }))).pipe(
            Effect.andThen(Deferred.succeed(ending, { detail: "too much noise" }))
          )
      })
    ),
    Effect.andThen(Effect.suspend(() => deliver(framer.end()))),
    Effect.ensuring(Deferred.succeed(stdoutDrained, undefined)),
    Effect.matchEffect({
      onSuccess: () => Deferred.succeed(ending, { detail: "stdout ended while the process was still running" }),
      onFailure: (cause) =>
        Deferred.succeed(ending, { detail: `stdout could not be read (${errnoOf(cause) ?? cause.message})`, cause })
    }),
    Effect.forkScoped
  )

  // stdin: everything that waits goes out in one write.
  yield* Stream.fromQueue(outbound).pipe(
    Stream.mapArray((texts) => [encoder.encode(texts.join(""))]),
    Stream.run(child.stdin),
    Effect.catch((cause) =>
      Deferred.succeed(ending, { detail: `stdin could not be written (${errnoOf(cause) ?? cause.message})`, cause })
    ),
    Effect.forkScoped
  )

  yield* child.exitCode.pipe(
    Effect.match({
      onSuccess: (exitCode): ExitStatus => ({ exitCode }),
      onFailure: exitStatusOf
    }),
    Effect.flatMap((status) => {
      Deferred.doneUnsafe(exitStatus, Effect.succeed(status))
      return Deferred.succeed(ending, { detail: describeStatus(status) })
    }),
    Effect.forkScoped
  )

  const processEnd = (status: ExitStatus): ProcessEnd => ({ ...status, stderrTail: tail.text() })

  /** Waits for the frames that were written before the exit, however slowly they are taken from `receive`. */
  const drainStdout = Effect.gen(function*() {
    for (let round = 0; round < drainRounds;) {
      const before = reads
      const drained = yield* Deferred.await(stdoutDrained).pipe(Effect.timeoutOption(drainGrace))
      if (Option.isSome(drained)) return
      if (delivering) continue
      if (reads === before) return
      round += 1
    }
  })

  yield* Effect.gen(function*() {
    const sign = yield* Deferred.await(ending)
    if (!Deferred.isDoneUnsafe(ended)) {
      const status = yield* Deferred.await(exitStatus).pipe(Effect.timeoutOption(exitStatusGrace))
      if (Option.isSome(status)) {
        yield* drainStdout
        yield* Deferred.await(stderrDrained).pipe(Effect.timeoutOption(stderrGrace))
      }
      yield* end(
        new Closed({
          target,
          detail: Option.match(status, { onNone: () => sign.detail, onSome: describeStatus }),
          process: processEnd(Option.getOrElse(status, () => ({}))),
          ...(sign.cause === undefined ? {} : { cause: sign.cause })
        })
      )
    }
    yield* terminate
  }).pipe(inRealTime, Effect.forkScoped)

  // Runs before the fibers above are interrupted: they drain the pipes while the process winds up.
  yield* Effect.addFinalizer(() =>
    end(new Closed({ target, detail: "it was closed by this side" })).pipe(
      Effect.andThen(discard(inbound)),
      Effect.andThen(terminate)
    )
  )

  const refused = Deferred.await(ended)

  return {
    target,
    pid: child.pid,
    exited: Deferred.await(exitStatus).pipe(
      Effect.tap(Deferred.await(stderrDrained).pipe(Effect.timeoutOption(stderrGrace), inRealTime)),
      Effect.map(processEnd)
    ),
    stderrTail: Effect.sync(tail.text),
    receive: Effect.map(Queue.takeAll(inbound), Arr.flatten),
    send: (frames) =>
      Effect.suspend(() => {
        if (Deferred.isDoneUnsafe(ended)) return refused
        const text = `${frames.join("\n")}\n`
        if (Queue.offerUnsafe(outbound, text)) return Effect.void
        return Effect.raceFirst(
          Effect.flatMap(Queue.offer(outbound, text), (accepted) => accepted ? Effect.void : refused),
          refused
        )
      })
  }
})
