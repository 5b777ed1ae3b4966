/**
 * Keeps stdin and stdout of this process for one reader and writer, and sends what everybody else writes to stderr.
 *
 * Agents that run in this process print: with `console`, to `process.stdout`, to file descriptor 1, and through child
 * processes that inherit it. One stray byte would glue itself to a line of the protocol. Children that inherit stdin would
 * take lines away.
 *
 * Bun can move the descriptors themselves, so that 0 is empty and 1 is stderr for everybody, native code included. Node
 * cannot; there the functions are replaced that write to it or hand it on.
 */
import * as ChildProcess from "node:child_process"
import { Console } from "node:console"
import * as Fs from "node:fs"
import { createRequire, syncBuiltinESMExports } from "node:module"
import type { Readable } from "node:stream"

export interface Stdio {
  readonly stdin: Readable
  /** Writes to the real stdout, in order; `done` says when all was handed to the operating system, or why it was not. */
  readonly write: (text: string, done: (error?: Error | null) => void) => void
  /** Called when it can no longer be written, e.g. with EPIPE. */
  readonly onError: (listener: (error: Error) => void) => void
}

const stdinFd = 0
const stdoutFd = 1
const stderrFd = 2

// The objects behind the ESM namespaces, which alone can be changed.
const require = createRequire(import.meta.url)

const redirected = (fd: unknown): unknown => fd === stdoutFd ? stderrFd : fd

/** Lets functions of `node:fs` that are given descriptor 1 write to 2. */
const redirectDescriptor = (): void => {
  const fs: Record<string, unknown> = require("node:fs")
  for (const name of ["write", "writeSync", "writev", "writevSync", "appendFileSync", "writeFileSync"]) {
    const original = fs[name]
    if (typeof original !== "function") continue
    fs[name] = Object.assign(
      (fd: unknown, ...rest: ReadonlyArray<unknown>): unknown => Reflect.apply(original, fs, [redirected(fd), ...rest]),
      original
    )
  }
}

type ChildStdio = ChildProcess.StdioOptions | undefined

/** The same for a child: no reader of our stdin, no writer to our stdout. */
const childStdio = (stdio: ChildStdio): ChildStdio => {
  if (stdio === "inherit") return ["ignore", stderrFd, stderrFd]
  if (!Array.isArray(stdio)) return stdio
  return stdio.map((entry, index) => {
    const inherits = entry === "inherit" || entry === process.stdin || entry === process.stdout
    if (entry === stdinFd || (inherits && index === stdinFd)) return "ignore"
    if (entry === stdoutFd || (inherits && index === stdoutFd)) return stderrFd
    return entry
  })
}

const hasStdio = (value: unknown): value is { stdio?: ChildStdio } => typeof value === "object" && value !== null

const redirectChildren = (): void => {
  const { ChildProcess: { prototype } } = ChildProcess
  // Every asynchronous way to start a process ends in this method, which the types leave out.
  const spawn: unknown = Reflect.get(prototype, "spawn")
  if (typeof spawn === "function") {
    Reflect.set(prototype, "spawn", function(this: unknown, options: unknown) {
      return Reflect.apply(spawn, this, [
        hasStdio(options) ? { ...options, stdio: childStdio(options.stdio) } : options
      ])
    })
  }
  const childProcess: Record<string, unknown> = require("node:child_process")
  for (const name of ["spawnSync", "execFileSync", "execSync"]) {
    const original = childProcess[name]
    if (typeof original !== "function") continue
    childProcess[name] = (...args: ReadonlyArray<unknown>): unknown =>
      Reflect.apply(
        original,
        childProcess,
        args.map((arg) =>
          hasStdio(arg) && !Array.isArray(arg) && "stdio" in arg ? { ...arg, stdio: childStdio(arg.stdio) } : arg
        )
      )
  }
}

const redirectConsole = (): void => {
  const substitute = new Console({ stdout: process.stderr, stderr: process.stderr })
  for (const name of Object.keys(substitute)) {
    const method: unknown = Reflect.get(substitute, name)
    if (typeof method === "function") Reflect.set(globalThis.console, name, method)
  }
}

interface Sink {
  readonly write: (text: string) => unknown
  readonly flush: () => unknown
}

interface Bun {
  readonly file: (fd: number) => { readonly writer: () => Sink }
}

interface Descriptors {
  readonly dup: (fd: number) => number
  readonly dup2: (from: number, to: number) => number
}

const isBun = (value: unknown): value is Bun =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, "file") === "function"

const cLibraries = process.platform === "darwin"
  ? ["libSystem.B.dylib"]
  : ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`, "libc.so"]

/** The calls of the C library, where this runtime can make them. */
const descriptors = (): Descriptors | undefined => {
  if (process.platform === "win32") return undefined
  for (const library of cLibraries) {
    try {
      const { dlopen } = require("bun:ffi")
      return dlopen(library, {
        dup: { args: ["int"], returns: "int" },
        dup2: { args: ["int", "int"], returns: "int" }
      }).symbols
    } catch {
      // The next one, or none: then functions are replaced, as in Node.
      continue
    }
  }
  return undefined
}

/** Moves the real stdin and stdout to other descriptors, and puts nothing and stderr in their places. */
const moveDescriptors = (): Stdio | undefined => {
  const bun: unknown = Reflect.get(globalThis, "Bun")
  const calls = isBun(bun) ? descriptors() : undefined
  if (!isBun(bun) || calls === undefined) return undefined
  const [input, output] = [calls.dup(stdinFd), calls.dup(stdoutFd)]
  if (input < 0 || output < 0) return undefined
  const nothing = Fs.openSync("/dev/null", "r")
  const moved = calls.dup2(nothing, stdinFd) >= 0 && calls.dup2(stderrFd, stdoutFd) >= 0
  Fs.closeSync(nothing)
  // Half of it must not stand: the protocol would be cut off.
  if (!moved) throw new Error("stdin and stdout could not be moved to other descriptors")
  const sink = bun.file(output).writer()
  return {
    stdin: Fs.createReadStream("", { fd: input }),
    write: (text, done) => {
      const failed = (error: unknown) => done(error instanceof Error ? error : new Error(String(error)))
      try {
        sink.write(text)
        Promise.resolve(sink.flush()).then(() => done(), failed)
      } catch (error) {
        failed(error)
      }
    },
    // Every failure comes with a write.
    onError: () => {}
  }
}

/** Replaces what writes to stdout, as far as it goes through functions. */
const replaceFunctions = (): Stdio => {
  const { stderr, stdout } = process
  const write = stdout.write.bind(stdout)
  const listeners = new Set<(error: Error) => void>()
  // Without a listener a broken pipe would end the process.
  stdout.on("error", (error: Error) => {
    for (const listener of listeners) listener(error)
  })
  stdout.write = stderr.write.bind(stderr)
  // Whoever ends it means the end of what it has to say itself.
  Reflect.set(stdout, "end", (...args: ReadonlyArray<unknown>) => {
    const [chunk] = args
    if (typeof chunk === "string" || chunk instanceof Uint8Array) stderr.write(chunk)
    const done = args.at(-1)
    if (typeof done === "function") process.nextTick(done)
    return stdout
  })
  redirectConsole()
  redirectDescriptor()
  return {
    stdin: process.stdin,
    write: (text, done) => {
      write(text, done)
    },
    onError: (listener) => {
      listeners.add(listener)
    }
  }
}

let claimed: Stdio | undefined

/**
 * Takes stdin and stdout. From now on, until this process ends, nothing else that runs in it uses them. To be called before
 * agent code is loaded; further calls give the same.
 */
export const claim = (): Stdio => {
  if (claimed !== undefined) return claimed
  claimed = moveDescriptors() ?? replaceFunctions()
  redirectChildren()
  syncBuiltinESMExports()
  return claimed
}
