/**
 * The process `omp --mode rpc`: how it is started, and what it is started with.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import type * as Scope from "effect/Scope"
import type { AgentError } from "../../../agent/AgentError.ts"
import { ChildRegistry } from "../../../transport/ChildRegistry.ts"
import * as ChildTransport from "../../../transport/ChildTransport.ts"
import { agentError, fromTransportError } from "./Errors.ts"
import * as OmpExecutable from "./OmpExecutable.ts"
import type { PeerOptions } from "./RpcPeer.ts"
import * as RpcTrim from "./RpcTrim.ts"

/** What the process is, and the session in it. */
export interface OmpRpcOptions {
  /** Path or name of omp. By default `omp` on the PATH, else the installed package. */
  readonly command?: string | undefined
  /** Path or name of Bun, which runs omp where it is a script. By default `bun` on the PATH, else this process. */
  readonly bun?: string | undefined
  /** Where the session works; the directory of this process by default. */
  readonly cwd?: string | undefined
  /** Environment variables; `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Whether `env` adds to the environment of this process (the default) or replaces it. */
  readonly extendEnv?: boolean | undefined
  /** As `provider/id`; the one of the settings by default. */
  readonly model?: string | undefined
  readonly thinking?: string | undefined
  /** Where session files are kept; in omp's own directory by default. */
  readonly sessionDir?: string | undefined
  /** A session to go on with: the path of its file, or the beginning of its id. */
  readonly resume?: string | undefined
  /** Whether nothing is kept. */
  readonly noSession?: boolean | undefined
  readonly appendSystemPrompt?: string | undefined
  /** What omp itself asks about. Its own setting by default, and `yolo`, i.e. nothing, where there is none. */
  readonly approvalMode?: "always-ask" | "write" | "yolo" | undefined
  /** Whether the model may ask people by a tool of its own. Commands have no terminal then. */
  readonly asksPeople?: boolean | undefined
  /** Files of extensions to load, beside the user's own. */
  readonly extensions?: ReadonlyArray<string> | undefined
  /** Files of settings that win over the user's. */
  readonly configOverlays?: ReadonlyArray<string> | undefined
  /** Further arguments. */
  readonly args?: ReadonlyArray<string> | undefined
  /** From the start to the session's first answer; 30 seconds by default. */
  readonly startDeadline?: Duration.Input | undefined
  /** How long a command may take that has no deadline of its own; 60 seconds by default. */
  readonly requestDeadline?: Duration.Input | undefined
  readonly shutdown?: ChildTransport.Shutdown | undefined
  readonly buffer?: PeerOptions["buffer"]
  /** A file to which the conversation is written. */
  readonly recordTo?: string | undefined
}

// omp's own limit of a physical line is 1 MiB; what is longer comes in pieces.
const frameLimit = 64 * 1024 * 1024

// Extensions may print, for as long as the session lives.
const noiseBudget = { lines: 20_000, bytes: 16 * 1024 * 1024 }

const option = (name: string, value: string | undefined): ReadonlyArray<string> =>
  value === undefined ? [] : [name, value]

const repeated = (name: string, values: ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  (values ?? []).flatMap((value) => [name, value])

/** The arguments of omp. Pure. */
export const argumentsOf = (options: OmpRpcOptions): ReadonlyArray<string> => [
  "--mode",
  options.asksPeople === true ? "rpc-ui" : "rpc",
  ...option("--model", options.model),
  ...option("--thinking", options.thinking),
  ...option("--session-dir", options.sessionDir),
  ...option("--resume", options.resume),
  ...(options.noSession === true ? ["--no-session"] : []),
  ...option("--append-system-prompt", options.appendSystemPrompt),
  ...option("--approval-mode", options.approvalMode),
  ...repeated("--config", options.configOverlays),
  ...repeated("-e", options.extensions),
  ...(options.args ?? [])
]

/** Starts the process, and puts it on record for the case that nobody is left to end it. */
export const start = Effect.fnUntraced(function*(
  options: OmpRpcOptions
): Effect.fn.Return<
  ChildTransport.ChildTransport,
  AgentError,
  ChildProcessSpawner | ChildRegistry | FileSystem.FileSystem | Path.Path | Scope.Scope
> {
  const registry = yield* ChildRegistry
  const { command, args } = yield* OmpExecutable.resolve({
    command: options.command,
    bun: options.bun,
    env: options.extendEnv === false ? options.env ?? {} : { ...process.env, ...options.env }
  })
  const spawner = yield* ChildProcessSpawner
  const reservation = yield* registry.reserve
  return yield* ChildTransport.make({
    command,
    args: [...args, ...argumentsOf(options)],
    cwd: options.cwd,
    env: options.env,
    extendEnv: options.extendEnv,
    shutdown: options.shutdown,
    frameLimit,
    noiseBudget,
    onSpawn: (pid) =>
      reservation.record(pid, "omp").pipe(
        // Without a record it is the end of its stdin alone that ends the process of a killed host.
        Effect.catch((error) => Effect.logWarning("The omp process is not on record", error))
      )
  }).pipe(
    Effect.provideService(ChildProcessSpawner, RpcTrim.spawner(spawner)),
    Effect.mapError((error) => agentError(fromTransportError(error, false)))
  )
})
