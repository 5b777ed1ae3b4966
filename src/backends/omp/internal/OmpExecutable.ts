/**
 * Finds omp, and the Bun that runs it where it is not an executable of its own.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import { createRequire } from "node:module"
import { type AgentError, BinaryMissing } from "../../../agent/AgentError.ts"
import { agentError } from "./Errors.ts"

export interface ExecutableOptions {
  /** A name, looked up on the PATH, or a path. By default `omp` on the PATH, else the package beside this one. */
  readonly command?: string | undefined
  /** The same for Bun; by default `bun` on the PATH, else this process, if that is one. */
  readonly bun?: string | undefined
  /** As omp will see it; decides the PATH. */
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Executable {
  readonly command: string
  /** In front of all others. */
  readonly args: ReadonlyArray<string>
}

const packageName = "@oh-my-pi/pi-coding-agent"
const installOmp = `install it (bun add -g ${packageName}) or name it in the options`
const installBun = "omp runs on Bun: install it (https://bun.sh, or the npm package bun) or name it in the options"

/** Windows has one environment variable under names of any case. */
const pathOf = (env: ExecutableOptions["env"]): string =>
  env["PATH"] ?? Object.entries(env).find(([key]) => key.toUpperCase() === "PATH")?.[1] ?? ""

const missing = (command: string, detail: string) => agentError(new BinaryMissing({ command, detail }))

const find = Effect.fnUntraced(function*(
  command: string,
  env: ExecutableOptions["env"]
): Effect.fn.Return<string | undefined, never, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const isWindows = process.platform === "win32"
  const isFile = (file: string) =>
    fs.stat(file).pipe(Effect.map((info) => info.type === "File"), Effect.orElseSucceed(() => false))
  if (/[\\/]/.test(command)) {
    const file = path.resolve(command)
    return (yield* isFile(file)) ? file : undefined
  }
  const names = isWindows ? [`${command}.exe`, `${command}.cmd`, command] : [command]
  for (const directory of pathOf(env).split(isWindows ? ";" : ":")) {
    if (directory === "") continue
    for (const name of names) {
      const file = path.resolve(directory, name)
      if (yield* isFile(file)) return file
    }
  }
  return undefined
})

/** The program in the package, found from here as a module would be. */
const installed = Effect.fnUntraced(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  // The package exports none of its files under its own name: only the directories that could hold it are known.
  const places = createRequire(import.meta.url).resolve.paths(packageName) ?? []
  for (const place of places) {
    const file = path.join(place, packageName, "dist", "cli.js")
    if (yield* fs.exists(file).pipe(Effect.orElseSucceed(() => false))) return file
  }
  return undefined
})

/** What to start, without the arguments that are meant for omp. */
export const resolve = Effect.fn("OmpExecutable.resolve")(function*(
  options: ExecutableOptions
): Effect.fn.Return<Executable, AgentError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const { env } = options
  const command = options.command ?? "omp"
  const found = (yield* find(command, env)) ?? (options.command === undefined ? yield* installed() : undefined)
  if (found === undefined) {
    return yield* missing(
      command,
      options.command === undefined
        ? `it is neither on the PATH nor installed as a package: ${installOmp}`
        : `there is no such program: ${installOmp}`
    )
  }
  // What npm and Bun put on the PATH is a link to a script, which finds Bun on the PATH only.
  const file = yield* fs.realPath(found).pipe(Effect.orElseSucceed(() => found))
  if (!/\.[cm]?[jt]s$/.test(file)) return { command: file, args: [] }
  const bun = (yield* find(options.bun ?? "bun", env)) ??
    (options.bun === undefined && process.versions["bun"] !== undefined ? process.execPath : undefined)
  if (bun === undefined) {
    return yield* missing(options.bun ?? "bun", `${file} needs it, and it is not there. ${installBun}`)
  }
  return { command: bun, args: [file] }
})
