/**
 * Finds the program that a command names.
 *
 * What npm puts on the PATH is a script that starts the native program. Starting that one directly saves a Node
 * process at every start (30 ms and more), and on Windows a command interpreter in between.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import { createRequire } from "node:module"
import { type AgentError, BinaryMissing } from "../../../agent/AgentError.ts"
import { agentError } from "./Errors.ts"

export interface ExecutableOptions {
  /** A name, looked up on the PATH, or a path. */
  readonly command: string
  /** As the program will see it; decides the PATH. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly arch: string
}

const install = "npm install -g @openai/codex installs codex"

const isWindows = (platform: NodeJS.Platform): boolean => platform === "win32"

/** Windows has one environment variable under names of any case. */
const variable = (env: ExecutableOptions["env"], name: string): string =>
  env[name] ?? Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1] ?? ""

/** The absolute path of the program to start. */
export const resolve = Effect.fn("Executable.resolve")(function*(
  options: ExecutableOptions
): Effect.fn.Return<string, AgentError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { command } = options

  const isFile = (file: string) =>
    fs.stat(file).pipe(Effect.map((info) => info.type === "File"), Effect.orElseSucceed(() => false))

  if (/[\\/]/.test(command)) {
    const file = path.resolve(command)
    if (yield* isFile(file)) return yield* native(file, options)
    return yield* agentError(new BinaryMissing({ command, detail: `there is no such file; ${install}` }))
  }
  const separator = isWindows(options.platform) ? ";" : ":"
  const directories = variable(options.env, "PATH").split(separator).filter((directory) => directory !== "")
  const names = isWindows(options.platform) ? [`${command}.exe`, `${command}.cmd`, command] : [command]
  for (const directory of directories) {
    for (const name of names) {
      const file = path.resolve(directory, name)
      if (yield* isFile(file)) return yield* native(file, options)
    }
  }
  return yield* agentError(new BinaryMissing({ command, detail: `it is not on the PATH; ${install}` }))
})

/** The native program behind npm's script, or the file itself. */
const native = Effect.fnUntraced(function*(
  file: string,
  { arch, platform }: ExecutableOptions
): Effect.fn.Return<string, never, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const script = ["@openai", "codex", "bin", "codex.js"]
  const real = yield* fs.realPath(file).pipe(Effect.orElseSucceed(() => file))
  // On Windows the file is a wrapper for the interpreter, beside or below the modules that it starts.
  const candidates = file.endsWith(".cmd")
    ? [
      path.join(path.dirname(file), "node_modules", ...script),
      path.join(path.dirname(file), "..", ...script)
    ]
    : [real]
  for (const candidate of candidates) {
    if (!candidate.endsWith(path.join(...script))) continue
    const found = yield* Effect.gen(function*() {
      const manifest = yield* Effect.try(() =>
        createRequire(candidate).resolve(`@openai/codex-${platform}-${arch}/package.json`)
      )
      const vendor = path.join(path.dirname(manifest), "vendor")
      for (const target of yield* fs.readDirectory(vendor)) {
        const program = path.join(vendor, target, "bin", isWindows(platform) ? "codex.exe" : "codex")
        if (yield* fs.exists(program)) return program
      }
      return undefined
    }).pipe(
      // Another layout than this one: the script knows its own way.
      Effect.orElseSucceed(() => undefined)
    )
    if (found !== undefined) return found
  }
  return file
})
