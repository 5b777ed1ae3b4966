/**
 * Whether Oh My Pi can have a login or a model at all. Only omp knows; but where nothing is, the answer needs no omp.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Os from "node:os"
import * as Installed from "../pi-family/Installed.ts"
import * as OmpExecutable from "./internal/OmpExecutable.ts"
import type { OmpOptions } from "./OmpRpcPorts.ts"

const packageName = "@oh-my-pi/pi-coding-agent"

// Logins are in the database, which omp makes when it is started for the first time.
const names = ["models.yml", "models.yaml", "models.json", "config.yml", "config.yaml", "agent.db", "auth.json"]

type Environment = Readonly<Record<string, string | undefined>>

const neverSetUp = Effect.fnUntraced(function*(
  env: Environment
): Effect.fn.Return<string | undefined, never, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  // omp takes an empty variable for one that is not set. A profile is made by whoever sets it up.
  const variable = (name: string) => env[name] || undefined
  if (variable("OMP_PROFILE") !== undefined || variable("PI_PROFILE") !== undefined) return undefined
  const own = variable("PI_CODING_AGENT_DIR") ??
    path.join(variable("HOME") ?? Os.homedir(), variable("PI_CONFIG_DIR") ?? ".omp", "agent")
  const data = variable("XDG_DATA_HOME")
  const directories = data === undefined ? [own] : [own, path.join(data, "omp")]
  const files = directories.flatMap((directory) => names.map((name) => path.join(directory, name)))
  return (yield* Installed.someExist(files)) ? undefined : `no login and no models in ${directories.join(" or ")}`
})

/** Why omp certainly runs no turn as a child process, in a line for people. */
export const unfitRpc = Effect.fnUntraced(function*(
  options: OmpOptions = {}
): Effect.fn.Return<string | undefined, never, FileSystem.FileSystem | Path.Path> {
  const env = options.extendEnv === false ? options.env ?? {} : { ...process.env, ...options.env }
  const missing = yield* OmpExecutable.resolve({ command: options.command, bun: options.bun, env }).pipe(
    Effect.as(undefined),
    Effect.catch((error) => Effect.succeed(error.message))
  )
  return missing ?? (yield* neverSetUp(env))
})

/** Why omp certainly runs no turn in this process, in a line for people. */
export const unfitSdk = Effect.fnUntraced(function*(
  options: { readonly agentDirectory?: string | undefined } = {}
): Effect.fn.Return<string | undefined, never, FileSystem.FileSystem | Path.Path> {
  if (process.versions["bun"] === undefined) return "it runs in this process under Bun alone"
  if (!(yield* Installed.isInstalled(packageName))) return `${packageName} is not installed (bun add ${packageName})`
  const { agentDirectory } = options
  return yield* neverSetUp(
    agentDirectory === undefined ? process.env : { ...process.env, PI_CODING_AGENT_DIR: agentDirectory }
  )
})
