/**
 * A process that a client started, with pipes or on a terminal of its own.
 */
import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as PlatformError from "effect/PlatformError"
import * as Predicate from "effect/Predicate"
import * as ChildProcess from "effect/process/ChildProcess"
import { type ChildProcessHandle, ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Os from "node:os"

export type OutputStream = "stdout" | "stderr"

export interface TerminalSize {
  readonly rows: number
  readonly cols: number
}

export interface Command {
  readonly program: string
  readonly args: ReadonlyArray<string>
  /** Absolute. */
  readonly cwd: string
  /** Added to the environment of this process; `undefined` takes a variable away. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Gets output as it comes; no more should come before the effect ends, if there is one. */
export type OnOutput = (stream: OutputStream, chunk: Uint8Array) => Effect.Effect<void> | undefined

/**
 * A running process. It has a process group of its own, and closing its scope kills what is left of the group.
 */
export interface Child {
  /** Waits for the process to end: its exit code; after a signal 128 and its number, or 1 on a terminal. */
  readonly exitCode: Effect.Effect<number>
  /** Waits until there is no more output of a kind. Other processes may hold a stream open after the exit. */
  readonly drained: Readonly<Record<OutputStream, Effect.Effect<void>>>
  /** Hands over input; `false` when nobody takes it any more. Waits while the process does not read. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<boolean>
  /** Says that there is no more input. */
  readonly end: Effect.Effect<void>
  /** Changes the size of the terminal; `undefined` without one. */
  readonly resize: ((size: TerminalSize) => Effect.Effect<void, PlatformError.PlatformError>) | undefined
  /** Kills the process and its group, and waits for that. */
  readonly kill: Effect.Effect<void>
}

const signals: Readonly<Record<string, number | undefined>> = Os.constants.signals

/** What a shell reports for a process that a signal ended. */
export const signalCode = (signal: string): number => 128 + (signals[signal] ?? 0)

// The spawner reports a signal as an error, and names it in the text of the cause only.
const codeOf = (error: PlatformError.PlatformError): number => {
  const cause = error.reason.cause
  const signal = Predicate.isError(cause) ? /'(SIG[A-Z0-9]+)'/.exec(cause.message)?.[1] : undefined
  return signal === undefined ? -1 : signalCode(signal)
}

/** The exit code of a handle, also after a signal. */
export const exitCodeOf = (handle: ChildProcessHandle): Effect.Effect<number> =>
  Effect.match(handle.exitCode, { onSuccess: (code): number => code, onFailure: codeOf })

/** Writes of a client that wait for the process. */
const inputCapacity = 16

/** What goes to the input of a process, in order. */
export const makeInput = Effect.fnUntraced(function*(handle: ChildProcessHandle) {
  const input = yield* Queue.bounded<Uint8Array, Cause.Done>(inputCapacity)
  yield* Stream.fromQueue(input).pipe(
    Stream.run(handle.stdin),
    // The process closed its end.
    Effect.ignore({ log: "Debug" }),
    Effect.ensuring(Queue.shutdown(input)),
    Effect.forkScoped
  )
  return {
    write: (bytes: Uint8Array): Effect.Effect<boolean> => Queue.offer(input, bytes),
    end: Effect.asVoid(Queue.end(input))
  }
})

/** Reads one output to its end, and says how to wait for that. While nobody reads, the process waits when it writes. */
export const drain = Effect.fnUntraced(function*(
  output: Stream.Stream<Uint8Array, PlatformError.PlatformError>,
  onChunk: (chunk: Uint8Array) => Effect.Effect<void> | undefined
) {
  const drained = yield* Deferred.make<void>()
  yield* output.pipe(
    Stream.runForEach((chunk) => Effect.suspend(() => onChunk(chunk) ?? Effect.void)),
    Effect.ignore({ log: "Debug" }),
    Effect.ensuring(Deferred.succeed(drained, undefined)),
    Effect.forkScoped
  )
  return { end: Deferred.await(drained) }
})

export const spawnFailed = (program: string, cause: unknown): PlatformError.PlatformError =>
  PlatformError.systemError({ _tag: "Unknown", module: "ChildProcess", method: "spawn", description: program, cause })

/** Kills a process group that may be gone already. */
export const killGroup = (pid: number): Effect.Effect<void> =>
  Effect.ignore(
    Effect.try({ try: () => process.kill(-pid, "SIGKILL"), catch: (cause) => spawnFailed(`kill ${pid}`, cause) }),
    { log: "Debug" }
  )

/** Options of a process whose group is killed, not asked. */
export const killing = { killSignal: "SIGKILL" } as const

/** Starts a process with pipes. Without `input` it reads the end of its input at once. */
export const spawn = Effect.fn("Child.spawn")(function*(
  command: Command,
  input: boolean,
  onOutput: OnOutput
): Effect.fn.Return<Child, PlatformError.PlatformError, ChildProcessSpawner | Scope.Scope> {
  const spawner = yield* ChildProcessSpawner
  const handle = yield* spawner.spawn(ChildProcess.make(command.program, command.args, {
    ...killing,
    cwd: command.cwd,
    env: command.env,
    extendEnv: true,
    stdin: input ? "pipe" : "ignore"
  })).pipe(
    // It throws for some failures, such as an argument list that is too long.
    Effect.catchDefect((cause) => Effect.fail(spawnFailed(command.program, cause)))
  )
  const { end, write } = yield* makeInput(handle)
  const exitCode = exitCodeOf(handle)
  return {
    exitCode,
    drained: {
      stdout: (yield* drain(handle.stdout, (chunk) => onOutput("stdout", chunk))).end,
      stderr: (yield* drain(handle.stderr, (chunk) => onOutput("stderr", chunk))).end
    },
    write,
    end,
    resize: undefined,
    kill: Effect.andThen(killGroup(handle.pid), exitCode)
  }
})
