/**
 * From the words of a command line to the parameters of an attempt. Everything that can be known to be wrong is found
 * here, before an agent is started.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  type AgentName,
  type BackendName,
  fromEnvironment,
  isBackendName
} from "../../backends/selector/BackendName.ts"
import type { SelectorOptions } from "../../backends/selector/Selector.ts"
import type { AttemptError } from "../../host/AttemptError.ts"
import { type AttemptParams, validate } from "../../host/AttemptParams.ts"
import { neededCapabilities } from "../../host/Fallback.ts"
import { SessionBindings } from "../../host/SessionBindings.ts"
import { UsageError } from "../UsageError.ts"
import type { AttemptInput } from "./Definition.ts"

export interface Settings {
  readonly params: AttemptParams
  readonly selector: SelectorOptions
  /** Milliseconds that everything may take, the start of the agent included. */
  readonly timeoutMs: number | undefined
  /** Which of the flags that were given an agent has no use for. */
  readonly withoutUse: (backend: string) => ReadonlyArray<string>
}

/** What the process has to give. */
export interface Surroundings {
  /** Absolute. Paths on the command line start here. */
  readonly directory: string
  /** Reads standard input to its end. */
  readonly standardInput: Effect.Effect<string, UsageError>
  readonly environment: Readonly<Record<string, string | undefined>>
}

const usage = (flag: string, detail: string): UsageError => new UsageError({ flag, detail })

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

// A timer of the runtime counts in 31 bits.
const longest = 2 ** 31 - 1

/** Milliseconds of e.g. `500ms`, `90s`, `1.5m`, `1h30m`; `undefined` for anything else. */
export const parseDuration = (text: string): number | undefined => {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/u.test(text)) return undefined
  let millis = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gu)) {
    // The pattern lets nothing else through.
    millis += Number(amount) * units[unit as keyof typeof units]
  }
  return millis
}

const readTimeout = Effect.fnUntraced(function*(text: string | undefined) {
  if (text === undefined) return undefined
  const millis = parseDuration(text)
  if (millis === undefined) return yield* usage("--timeout", `${text} is no duration; write e.g. 90s, 10m or 1h30m`)
  if (millis <= 0) return yield* usage("--timeout", "must be longer than nothing")
  if (millis > longest) return yield* usage("--timeout", "must be less than 24 days")
  return millis
})

const readPrompt = Effect.fnUntraced(function*(argument: string, surroundings: Surroundings) {
  const prompt = argument === "-" ? yield* surroundings.standardInput : argument
  if (prompt.trim() !== "") return prompt
  return yield* usage("PROMPT", argument === "-" ? "standard input is empty" : "must not be empty")
})

const explain = { NotFound: "does not exist", PermissionDenied: "may not be read" } as const

// Looks whether a path of the command line is what it has to be.
const existing = Effect.fnUntraced(function*(flag: string, path: string, type: "File" | "Directory") {
  const fs = yield* FileSystem.FileSystem
  const { type: found } = yield* fs.stat(path).pipe(
    Effect.mapError((error) => {
      const tag = error.reason._tag
      return usage(flag, `${path} ${tag === "NotFound" || tag === "PermissionDenied" ? explain[tag] : error.message}`)
    })
  )
  if (type === "Directory" && found !== "Directory") return yield* usage(flag, `${path} is not a directory`)
  // A pipe may be read like a file.
  if (type === "File" && found === "Directory") return yield* usage(flag, `${path} is a directory`)
  return path
})

const parseJson = Schema.decodeEffect(Schema.fromJsonString(Schema.Json))

const readOutputSchema = Effect.fnUntraced(function*(path: string) {
  const flag = "--output-schema"
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(yield* existing(flag, path, "File")).pipe(
    Effect.catchTag("PlatformError", (error) => Effect.fail(usage(flag, error.message)))
  )
  return yield* parseJson(text).pipe(Effect.mapError(() => usage(flag, `${path} is not JSON`)))
})

const isUrl = (text: string): boolean => /^(?:https?|data):/iu.test(text)

const readImage = (
  image: string,
  path: string
): Effect.Effect<NonNullable<AttemptParams["images"]>[number], UsageError, FileSystem.FileSystem> =>
  isUrl(image)
    ? Effect.succeed({ url: image })
    : Effect.map(existing("--image", path, "File"), (path) => ({ path }))

/** The flag that a parameter came from. */
const flagOf = (field: string): string => {
  const [first] = field.split(".")
  switch (first) {
    case "prompt":
      return "PROMPT"
    case "images":
      return "--image"
    case "workspaceDir":
      return "--cwd"
    case "sessionFile":
      return "--session"
    case "thinkLevel":
      return "--effort"
    case "outputSchema":
      return "--output-schema"
    case "approvalPolicy":
      return "--approval"
    default:
      return `--${first}`
  }
}

/** An attempt that cannot be, by the flag that is to blame. */
export const fromAttemptError = ({ reason }: AttemptError): UsageError => {
  switch (reason._tag) {
    case "InvalidParams":
      return usage(flagOf(reason.field), reason.detail)
    case "BindingFailed":
    case "SessionBusy":
      return usage("--session", reason.message)
    // Comes only to hosts that ask for it.
    case "NotCompleted":
      return usage("PROMPT", reason.message)
  }
}

const codexId = "codex-app-server" satisfies AgentName

// Settings that only some agents have a use for: those that are programs, and codex alone.
const users = {
  "agent-bin": [codexId, "omp-rpc"],
  config: [codexId],
  "agent-arg": [codexId, "omp-rpc"],
  record: [codexId, "omp-rpc"],
  scenario: ["scripted"]
} as const satisfies { readonly [K in keyof AttemptInput]?: ReadonlyArray<AgentName> }

type ForSome = keyof typeof users

const forSome: ReadonlyArray<ForSome> = ["agent-bin", "config", "agent-arg", "record", "scenario"]

const uses = (backend: string, flag: ForSome): boolean => users[flag].some((name) => name === backend)

const unused: Readonly<Record<ForSome, string>> = {
  "agent-bin": "has no executable",
  config: "has another configuration than codex's",
  "agent-arg": "has no executable to give this to",
  record: "has no wire to record",
  scenario: "follows no scenario"
}

const checkConfig = Effect.fnUntraced(function*({ config }: AttemptInput) {
  for (const pair of config) {
    if (!/^[^=\s]+=/u.test(pair)) return yield* usage("--config", `${pair} is not KEY=VALUE`)
  }
})

/** The agent that is asked for, and by what. */
const asked = Effect.fnUntraced(function*(
  { backend, scenario }: AttemptInput,
  environment: Surroundings["environment"]
): Effect.fn.Return<{ readonly name: BackendName; readonly by: string } | undefined, UsageError> {
  if (backend !== undefined) return { name: backend, by: "--backend" }
  if (scenario !== undefined) return { name: "scripted", by: "--scenario" }
  const found = fromEnvironment(environment)
  if (Result.isFailure(found)) {
    const { detail, value, variable } = found.failure
    return yield* usage(variable, `${JSON.stringify(value)}: ${detail}`)
  }
  return found.success === undefined ? undefined : { name: found.success.name, by: found.success.variable }
})

/** Reads and checks everything. */
export const read = Effect.fnUntraced(function*(values: AttemptInput, surroundings: Surroundings) {
  const path = yield* Path.Path
  const resolve = (name: string) => path.resolve(surroundings.directory, name)

  const named = yield* asked(values, surroundings.environment)
  const given = forSome.filter((flag) => (values[flag] ?? []).length > 0)
  const withoutUse = (backend: string) => given.filter((flag) => !uses(backend, flag))
  if (named !== undefined && named.name !== "auto") {
    const [flag] = withoutUse(named.name)
    // The words of the command line are what is wrong, wherever the name is from.
    const by = named.by === "--backend" ? "" : ` (${named.by})`
    if (flag !== undefined) return yield* usage(`--${flag}`, `${named.name}${by} ${unused[flag]}`)
  }
  const { scenario } = values
  const timeoutMs = yield* readTimeout(values.timeout)
  yield* checkConfig(values)
  const cwd = values.cwd === undefined ? undefined : yield* existing("--cwd", resolve(values.cwd), "Directory")
  const images = yield* Effect.forEach(values.image, (image) => readImage(image, resolve(image)))
  const schemaFile = values["output-schema"]
  const outputSchema = schemaFile === undefined ? undefined : yield* readOutputSchema(resolve(schemaFile))
  const sessionFile = values.session === undefined ? undefined : resolve(values.session)
  const bindings = yield* SessionBindings
  const binding = sessionFile === undefined
    ? Option.none()
    : yield* bindings.get({ _tag: "File", path: sessionFile }).pipe(Effect.mapError(fromAttemptError))
  const bound = Option.isSome(binding) ? binding.value.cwd : undefined
  const owner = Option.isSome(binding) ? binding.value.backend : undefined
  const agentBin = values["agent-bin"]
  const recordTo = values.record === undefined ? undefined : resolve(values.record)
  const { model, provider } = values

  const params: AttemptParams = {
    prompt: yield* readPrompt(values.prompt, surroundings),
    images,
    // The agent itself may run elsewhere: its own default would not be this directory.
    workspaceDir: cwd ?? bound ?? surroundings.directory,
    model,
    provider,
    thinkLevel: values.effort,
    approvalPolicy: values.approval,
    sandbox: values.sandbox,
    outputSchema,
    mode: values.plan ? "plan" : undefined,
    sessionFile
  }
  yield* validate(params).pipe(Effect.mapError(fromAttemptError))
  const settings: Settings = {
    params,
    timeoutMs,
    // Of an agent that was asked for it has been looked at.
    withoutUse: (backend) =>
      isBackendName(backend) && (named?.name ?? "auto") === "auto" && backend !== "auto"
        ? withoutUse(backend).map((flag) => `--${flag}`)
        : [],
    selector: {
      backend: values.backend,
      environment: surroundings.environment,
      // A first contact is no conversation to be kept from a real agent.
      conversation: owner !== undefined && isBackendName(owner) && owner !== "auto" && owner !== "scripted"
        ? owner
        : undefined,
      needs: neededCapabilities(params),
      // A name without a slash is looked up on the PATH, as a shell does.
      agentBin: agentBin?.includes("/") === true ? resolve(agentBin) : agentBin,
      scenario: scenario === undefined ? undefined : resolve(scenario),
      provider,
      codex: { args: [...values["agent-arg"], ...values.config.flatMap((pair) => ["-c", pair])], recordTo },
      // Arguments without a program that is asked for are codex's.
      omp: { recordTo, ...(named?.name === "omp-rpc" ? { args: values["agent-arg"] } : {}) }
    }
  }
  return settings
})
