/**
 * The names that agents are asked for by, and where a name may come from. Loads next to nothing.
 */
import * as Result from "effect/Result"

/** `auto` and, in the order in which it looks at them, the agents. */
export const backendNames = ["auto", "codex-app-server", "omp-sdk", "omp-rpc", "pi", "scripted"] as const
export type BackendName = typeof backendNames[number]

/** An agent's own name. */
export type AgentName = Exclude<BackendName, "auto">

export const isBackendName = (text: string): text is BackendName => backendNames.some((name) => name === text)

/** The setting of this program. It wins over the two below. */
export const ownVariable = "CODEX_BRIDGE_BACKEND"

/** The setting that programs share, under two names. */
export const runtimeVariables = ["AGENT_RUNTIME", "OPENCLAW_AGENT_RUNTIME"] as const

export type Environment = Readonly<Record<string, string | undefined>>

/** A name, and the environment variable that it stands in. */
export interface Found {
  readonly name: BackendName
  readonly variable: string
}

/** A variable that says nothing that can be meant. */
export interface Unusable {
  readonly variable: string
  readonly value: string
  /** Why, for people. */
  readonly detail: string
}

const read = (environment: Environment, variable: string): Result.Result<Found | undefined, Unusable> => {
  // An empty variable is one that was taken back.
  const value = environment[variable] || undefined
  if (value === undefined) return Result.succeed(undefined)
  return isBackendName(value)
    ? Result.succeed({ name: value, variable })
    : Result.fail({ variable, value, detail: `there is no such agent; there are ${backendNames.join(", ")}` })
}

/**
 * What {@link runtimeVariables} say. They are one setting: two values for it are a mistake, and which of them is the
 * mistake nobody can know.
 */
export const fromRuntimeVariables = (environment: Environment): Result.Result<Found | undefined, Unusable> => {
  const [variable, alias] = runtimeVariables
  const value = environment[variable] || undefined
  const other = environment[alias] || undefined
  if (value === undefined) return read(environment, alias)
  if (other !== undefined && other !== value) {
    return Result.fail({
      variable,
      value,
      detail: `${alias}, another name for the same setting, is ${JSON.stringify(other)}; unset one of them`
    })
  }
  return read(environment, variable)
}

/** What the environment says: the program's own variable, else the shared ones. */
export const fromEnvironment = (environment: Environment): Result.Result<Found | undefined, Unusable> =>
  Result.flatMap(
    read(environment, ownVariable),
    (found) => found === undefined ? fromRuntimeVariables(environment) : Result.succeed(found)
  )
