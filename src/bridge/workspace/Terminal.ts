/**
 * A process on a terminal of its own.
 *
 * Bun brings pseudo terminals along. Node has none; there, on Linux, the `script` program of util-linux holds the
 * terminal, and `stty` sizes it. Elsewhere there is no terminal, and `support` says so.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type * as PlatformError from "effect/PlatformError"
import * as ChildProcess from "effect/process/ChildProcess"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Child from "./Child.ts"

/** The part of Bun that is used here. */
interface BunTerminal {
  /** What the terminal does with its input, as termios has it. */
  readonly inputFlags: number
  readonly write: (data: Uint8Array) => number
  readonly resize: (cols: number, rows: number) => void
  readonly close: () => void
}
interface BunProcess {
  readonly pid: number
  readonly exited: Promise<number>
  /** The name of the signal that ended it, once it has. */
  readonly signalCode: string | null
  readonly terminal?: BunTerminal
}
interface BunRuntime {
  readonly spawn: (command: ReadonlyArray<string>, options: {
    readonly cwd: string
    readonly env: Readonly<Record<string, string | undefined>>
    readonly terminal: {
      readonly cols: number
      readonly rows: number
      readonly data: (terminal: BunTerminal, chunk: Uint8Array) => void
      /** All that was written has been taken. */
      readonly drain: () => void
      readonly exit: () => void
    }
  }) => BunProcess
}

// Only the types of Node are known here; the shape is the one that Bun documents.
const bun = (globalThis as { readonly Bun?: BunRuntime & { readonly Terminal?: unknown } }).Bun

/** The size that a terminal has when the client does not say. */
export const defaultSize: Child.TerminalSize = { rows: 24, cols: 80 }

/**
 * What the real server tells of a process on a terminal that a signal ended, whichever it was. Without a terminal it
 * tells 128 and the number of the signal, as a shell does.
 */
const signalled = 1

/** What a terminal takes for the end of the input, at the start of a line. */
const endOfInput = new TextEncoder().encode("\n\u0004")

/**
 * Ctrl-S and Ctrl-Q, for a terminal that takes them (IXON): Bun has no other way to hold back what comes.
 *
 * Bun reads in one go until nothing is there, which with a quick process is at its end, and writes less than a page of
 * memory only after that, if it finds the terminal ready. A page is written at once. The terminal keeps none of these
 * keys; but more than two pages that it has not looked at are too many for Linux, and Bun may never write the rest.
 */
const flowControl = process.platform === "darwin" ? 0x200 : 0x400
const page = process.platform === "darwin" ? 16_384 : 4096
const stop = new Uint8Array(page).fill(0x13)
const goOn = new Uint8Array(page).fill(0x11)

/** Bytes that Bun may keep for a process that does not read; it would keep any number. */
const inputBytes = 1024 * 1024

const onBun = Effect.fnUntraced(function*(
  runtime: BunRuntime,
  command: Child.Command,
  size: Child.TerminalSize,
  onOutput: Child.OnOutput
): Effect.fn.Return<Child.Child, PlatformError.PlatformError, Scope.Scope> {
  const drained = yield* Deferred.make<void>()
  const input = { bytes: 0, taken: Deferred.makeUnsafe<void>() }
  const holding = yield* FiberSet.make<void>()
  const fork = yield* FiberSet.runtime(holding)<never>()
  let stopped = false
  let told = false

  /** Once for all that is read in one go. */
  const tellToStop = (terminal: BunTerminal): void => {
    if (told) return
    told = true
    setImmediate(() => {
      told = false
    })
    terminal.write(stop)
  }

  /** A process that has taken the keys for itself is not held back. */
  const hold = (terminal: BunTerminal, until: Effect.Effect<void>): void => {
    if ((terminal.inputFlags & flowControl) === 0) return
    // Also for what comes nevertheless: a key that was typed may have let it go on.
    tellToStop(terminal)
    if (stopped) return
    stopped = true
    fork(Effect.andThen(
      until,
      Effect.ignore(
        Effect.try({
          try: () => {
            stopped = false
            // Otherwise it goes on already, and would read this.
            if ((terminal.inputFlags & flowControl) !== 0) terminal.write(goOn)
          },
          catch: (cause) => Child.spawnFailed("write", cause)
        }),
        { log: "Debug" }
      )
    ))
  }

  const child = yield* Effect.acquireRelease(
    Effect.try({
      try: () =>
        runtime.spawn([command.program, ...command.args], {
          cwd: command.cwd,
          env: { ...process.env, ...command.env },
          terminal: {
            ...size,
            // Bun uses the memory again.
            data: (terminal, chunk) => {
              const until = onOutput("stdout", Uint8Array.from(chunk))
              if (until !== undefined) hold(terminal, until)
            },
            drain: () => {
              Deferred.doneUnsafe(input.taken, Effect.void)
              input.bytes = 0
              input.taken = Deferred.makeUnsafe()
            },
            exit: () => Deferred.doneUnsafe(drained, Effect.void)
          }
        }),
      catch: (cause) => Child.spawnFailed(command.program, cause)
    }),
    (child) =>
      Effect.andThen(
        Child.killGroup(child.pid),
        Effect.andThen(Effect.promise(() => child.exited), Effect.sync(() => child.terminal?.close()))
      )
  )
  const { terminal } = child
  if (terminal === undefined) return yield* Child.spawnFailed(command.program, new Error("this Bun has no terminals"))
  const exitCode = Effect.map(
    Effect.promise(() => child.exited),
    (code) => child.signalCode === null ? code : signalled
  )
  /** Does something with the terminal, which throws once it is closed. */
  const use = (what: string, act: (terminal: BunTerminal) => void) =>
    Effect.try({ try: () => act(terminal), catch: (cause) => Child.spawnFailed(what, cause) })
  const write = Effect.fnUntraced(function*(bytes: Uint8Array) {
    while (input.bytes >= inputBytes) {
      const taken = Effect.as(Deferred.await(input.taken), true)
      if (!(yield* Effect.raceFirst(taken, Effect.as(exitCode, false)))) return false
    }
    return yield* use("write", (terminal) => {
      input.bytes += bytes.length
      terminal.write(bytes)
    }).pipe(Effect.match({ onSuccess: () => true, onFailure: () => false }))
  })
  return {
    exitCode,
    drained: { stdout: Deferred.await(drained), stderr: Effect.void },
    write,
    end: Effect.asVoid(write(endOfInput)),
    resize: ({ cols, rows }) => use("resize", (terminal) => terminal.resize(cols, rows)),
    kill: Effect.andThen(Child.killGroup(child.pid), exitCode)
  }
})

/** A text as a shell reads it back. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const sizing = ({ cols, rows }: Child.TerminalSize): ReadonlyArray<string> => [
  "rows",
  String(rows),
  "cols",
  String(cols)
]

const onScript = Effect.fnUntraced(function*(
  script: string,
  command: Child.Command,
  size: Child.TerminalSize,
  onOutput: Child.OnOutput
): Effect.fn.Return<Child.Child, PlatformError.PlatformError, ChildProcessSpawner | Scope.Scope> {
  const spawner = yield* ChildProcessSpawner
  // `script` hands its line to $SHELL, which need not be a POSIX shell, and turns the echo off when its own input is no
  // terminal. The process leads a session of its own there, so its id and terminal are told on another descriptor.
  const shell = "SHELL" in command.env ? command.env["SHELL"] : process.env["SHELL"]
  const line = [
    `stty echo ${sizing(size).join(" ")}`,
    // After the first size: whoever is told may set another.
    "echo \"$$ $(tty)\" >&3",
    "exec 3>&-",
    shell === undefined ? "unset SHELL" : `SHELL=${quoted(shell)}`,
    `exec ${[command.program, ...command.args].map(quoted).join(" ")}`
  ].join("; ")
  const handle = yield* spawner.spawn(ChildProcess.make(script, ["-qefc", line, "/dev/null"], {
    ...Child.killing,
    cwd: command.cwd,
    env: { ...command.env, SHELL: "/bin/sh" },
    extendEnv: true,
    additionalFds: { fd3: { type: "output" } }
  })).pipe(Effect.catchDefect((cause) => Effect.fail(Child.spawnFailed(command.program, cause))))
  const announced = yield* Deferred.make<{ readonly pid: number; readonly device: string } | undefined>()
  yield* handle.getOutputFd(3).pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.runHead,
    Effect.map((line) => /^(\d+) (\/.+)$/u.exec(Option.getOrElse(line, () => ""))),
    Effect.tapError((error) => Effect.logDebug(`The terminal of ${command.program} is not known`, error)),
    Effect.orElseSucceed(() => null),
    Effect.flatMap((fields) =>
      Deferred.succeed(announced, fields === null ? undefined : { pid: Number(fields[1]), device: fields[2] ?? "" })
    ),
    Effect.forkScoped
  )
  const session = Deferred.await(announced)
  let killed = false
  // `script` tells a signal as a shell does, so that of other codes above 128 nobody knows whether they are one.
  const exitCode = Effect.map(
    Child.exitCodeOf(handle),
    (code) => killed && code === Child.signalCode("SIGKILL") ? signalled : code
  )
  const kill = Effect.gen(function*() {
    killed = true
    const inner = yield* session
    if (inner !== undefined) yield* Child.killGroup(inner.pid)
    yield* Child.killGroup(handle.pid)
  })
  // Before the spawner ends `script`: what runs on the terminal is in a group of its own.
  yield* Effect.addFinalizer(() => kill)

  const input = yield* Child.makeInput(handle)
  return {
    exitCode,
    drained: {
      stdout: (yield* Child.drain(handle.stdout, (chunk) => onOutput("stdout", chunk))).end,
      stderr: (yield* Child.drain(handle.stderr, (chunk) => onOutput("stdout", chunk))).end
    },
    write: input.write,
    end: Effect.asVoid(input.write(endOfInput)),
    resize: (size) =>
      Effect.gen(function*() {
        const inner = yield* session
        if (inner === undefined) return
        const code = yield* spawner.exitCode(ChildProcess.make("stty", ["-F", inner.device, ...sizing(size)], {
          stdin: "ignore",
          stdout: "ignore",
          stderr: "ignore"
        }))
        // A process that has just ended has no terminal any more.
        if (code !== 0) yield* Effect.logDebug(`stty has ended with ${code}: ${inner.device} keeps its size`)
      }),
    kill
  }
})

/** Starts processes on terminals. */
export interface Terminals {
  readonly spawn: (
    command: Child.Command,
    size: Child.TerminalSize,
    onOutput: Child.OnOutput
  ) => Effect.Effect<Child.Child, PlatformError.PlatformError, Scope.Scope>
}

/** How terminals are made here; `undefined` if they cannot be. */
export const support: Effect.Effect<
  Terminals | undefined,
  never,
  ChildProcessSpawner | FileSystem.FileSystem | Path.Path
> = Effect.gen(function*() {
  if (bun?.Terminal !== undefined) {
    return { spawn: (command, size, onOutput) => onBun(bun, command, size, onOutput) }
  }
  if (process.platform !== "linux") return undefined
  const spawner = yield* ChildProcessSpawner
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path

  /** Finds a program as a shell would. */
  const find = Effect.fnUntraced(function*(program: string, cwd: string, searched: string | undefined) {
    const places = program.includes("/") ? [cwd] : (searched ?? "").split(":")
    for (const place of places) {
      const file = paths.resolve(cwd, place, program)
      const info = yield* Effect.catch(fs.stat(file), () => Effect.undefined)
      if (info?.type === "File" && (info.mode & 0o111) !== 0) return file
    }
    return undefined
  })

  const script = yield* find("script", "/", process.env["PATH"])
  if (script === undefined) return undefined
  return {
    spawn: Effect.fnUntraced(function*(command, size, onOutput) {
      const searched = "PATH" in command.env ? command.env["PATH"] : process.env["PATH"]
      // The shell on the terminal could only write there what is wrong.
      yield* fs.access(command.cwd)
      const program = yield* find(command.program, command.cwd, searched)
      if (program === undefined) {
        const cause = Object.assign(new Error(`spawn ${command.program} ENOENT`), { code: "ENOENT" })
        return yield* Child.spawnFailed(command.program, cause)
      }
      return yield* onScript(script, { ...command, program }, size, onOutput)
    }, Effect.provideService(ChildProcessSpawner, spawner))
  }
})
