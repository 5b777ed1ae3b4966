/**
 * What the bridge was set up to be: which agent, where it keeps its things, what it tells clients, and its limits.
 *
 * A setting comes from the first of these that has it: the flags of the command line, the environment
 * (`CODEX_BRIDGE_` and the key in capitals, e.g. `CODEX_BRIDGE_LIMITS_CONNECTIONS`; for the backend after that
 * `AGENT_RUNTIME`, or its other name `OPENCLAW_AGENT_RUNTIME`), the file `bridge.toml` in `CODEX_HOME`, and the default. A value that is no good is an error that names where it stands; nothing is guessed.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Toml from "effect/encoding/Toml"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { isAbsolute } from "node:path"
import { type BackendName, backendNames, fromRuntimeVariables } from "../backends/selector/BackendName.ts"
import { codexVersion } from "../protocol/generated/Shapes.ts"

/** The file could not be read. */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", {
  file: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    return `Cannot read ${this.file}: ${this.detail}`
  }
}

/** The file is no TOML, or names a setting that there is none of. */
export class Malformed extends Schema.TaggedError<Malformed>()("Malformed", {
  file: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    return `${this.file}: ${this.detail}`
  }
}

/** A setting has a value that it cannot have. */
export class InvalidSetting extends Schema.TaggedError<InvalidSetting>()("InvalidSetting", {
  /** The file, or `environment`, or `command line`. */
  source: Schema.String,
  /** The key as it is written there. */
  key: Schema.String,
  value: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    return `${this.source}: ${this.key} = ${this.value}: ${this.detail}`
  }
}

/** The bridge cannot be set up. */
export class BridgeConfigError extends Schema.TaggedError<BridgeConfigError>()("BridgeConfigError", {
  reason: Schema.Union([Unreadable, Malformed, InvalidSetting])
}) {
  override get message(): string {
    return this.reason.message
  }
}

/** What is logged: a level and all that are graver. */
export const logLevels = ["trace", "debug", "info", "warn", "error"] as const
export type LogLevel = typeof logLevels[number]

/** What clients are told of the account. */
export type AccountKind = "none" | "amazonBedrock"

export interface Limits {
  /** Clients at once. */
  readonly connections: number
  /** Requests of one client that are worked on at once. */
  readonly requests: number
  /** Bytes of one incoming message. */
  readonly frameBytes: number
  /**
   * Bytes of one outgoing message about threads. Pages end earlier, and texts of a single entry that is larger are
   * shortened. Clients differ in what they take: codex's own 128 MiB, those on its WebSocket library's defaults 16 MiB,
   * some 10 MiB; what is larger ends the connection, each time anew. Files and outputs, which only the former ask for,
   * have `MessageLimit.wholeBytes`.
   */
  readonly messageBytes: number
  /** Bytes that may wait for one client before it is disconnected. */
  readonly outboundBytes: number
  /** Threads in memory at once. */
  readonly loadedThreads: number
  /** Milliseconds that a question to a client that went away waits for another one. */
  readonly approvalGraceMs: number
}

/** What clients may do in the file system and with processes. */
export interface WorkspacePolicy {
  /** Absolute paths that files and working directories must be below. Without it: everywhere. */
  readonly roots: ReadonlyArray<string> | undefined
  /** Whether clients may change files themselves. The agent is not bound by it. */
  readonly writes: boolean
  /** Whether clients may run commands themselves. The agent is not bound by it. */
  readonly commands: boolean
}

export interface Settings {
  /** Absolute path of the directory that clients know as `CODEX_HOME`. */
  readonly codexHome: string
  /** Absolute path of the directory of the bridge's own files. Need not exist yet. */
  readonly stateDirectory: string
  /** Absolute path. */
  readonly logFile: string
  readonly logLevel: LogLevel
  readonly backend: BackendName
  /** The agent's executable. */
  readonly agentBin: string | undefined
  /** Absolute path of a JSON file that says what the scripted agent does. */
  readonly scenario: string | undefined
  /** The model of threads that name none. Without it: the agent's own default. */
  readonly model: string | undefined
  /** The agent's name of a model provider. Without it: the agent's own choice. */
  readonly provider: string | undefined
  /** The reasoning effort of threads that name none. */
  readonly effort: string | undefined
  /** The codex version that clients are told, which they compare with what they need. */
  readonly version: string
  readonly account: AccountKind
  readonly limits: Limits
  readonly workspace: WorkspacePolicy
}

/** The settings of this bridge. */
export class BridgeConfig
  extends Context.Service<BridgeConfig, Settings>()("effect-codex-bridge/bridge/BridgeConfig")
{}

interface Entry<A> {
  readonly schema: Schema.Codec<A>
  /** The value that a text stands for; the text itself where it stands for none, so that the schema refuses it. */
  readonly fromText: (text: string) => unknown
}

const word = <A>(schema: Schema.Codec<A>): Entry<A> => ({ schema, fromText: (text) => text })

const text = Schema.String.check(Schema.makeFilter((text: string) => text !== "" || "must not be empty"))

const absolute = text.check(Schema.makeFilter((path: string) => isAbsolute(path) || "must be an absolute path"))

const whole = (minimum: number, maximum: number): Entry<number> => ({
  schema: Schema.Int.check(Schema.isBetween({ minimum, maximum })),
  fromText: (text) => /^-?\d+$/u.test(text) ? Number(text) : text
})

const flag: Entry<boolean> = {
  schema: Schema.Boolean,
  fromText: (text) => text === "true" ? true : text === "false" ? false : text
}

const version = text.check(
  Schema.makeFilter((text: string) => /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/u.test(text) || "must be like 0.171.0")
)

const entries = {
  backend: word(Schema.Literals(backendNames)),
  agent_bin: word(text),
  scenario: word(absolute),
  model: word(text),
  provider: word(text),
  effort: word(text),
  version: word(version),
  state_dir: word(absolute),
  log_file: word(absolute),
  log_level: word(Schema.Literals(logLevels)),
  account: word(Schema.Literals(["none", "amazonBedrock"])),
  "limits.connections": whole(1, 100_000),
  "limits.requests": whole(1, 100_000),
  "limits.frame_bytes": whole(1024, 2 ** 30),
  "limits.message_bytes": whole(65_536, 2 ** 30),
  "limits.outbound_bytes": whole(1024, 2 ** 31),
  "limits.loaded_threads": whole(1, 100_000),
  "limits.approval_grace_ms": whole(0, 86_400_000),
  "workspace.roots": {
    schema: Schema.Array(absolute),
    // As in PATH. An empty text is an empty list: no place at all.
    fromText: (text: string): unknown => text === "" ? [] : text.split(":")
  },
  "workspace.writes": flag,
  "workspace.commands": flag
} satisfies Record<string, Entry<never> | Entry<unknown>>

/** A setting by its name in the file; `limits.connections` is `connections` in the table `limits`. */
export type Key = keyof typeof entries

type Value<K extends Key> = (typeof entries)[K]["schema"]["Type"]

/** All keys. */
export const keys: ReadonlyArray<Key> = Object.keys(entries).filter((key): key is Key => Object.hasOwn(entries, key))

/** Settings of the command line: values, or the text that was given for one. `undefined` counts as missing. */
export type Overrides = { readonly [K in Key]?: Value<K> | string | undefined }

/** The environment variable of a setting. */
export const variable = (key: Key): string => `CODEX_BRIDGE_${key.replaceAll(".", "_").toUpperCase()}`

export interface LoadOptions {
  /** Where `bridge.toml` is looked for. Default `CODEX_HOME` of the environment, else `.codex` in the home directory. */
  readonly codexHome?: string | undefined
  readonly overrides?: Overrides | undefined
  /** The environment of the process. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

const invalid = (source: string, key: string, value: unknown, detail: string): BridgeConfigError => {
  const shown = Predicate.isString(value) ? JSON.stringify(value) : String(value)
  return new BridgeConfigError({
    reason: new InvalidSetting({ source, key, value: shown.length > 200 ? `${shown.slice(0, 200)}…` : shown, detail })
  })
}

const malformed = (file: string, detail: string): BridgeConfigError =>
  new BridgeConfigError({ reason: new Malformed({ file, detail }) })

const isKey = (key: string): key is Key => Object.hasOwn(entries, key)

const isTable = (key: string): boolean => keys.some((known) => known.startsWith(`${key}.`))

/** The settings of a TOML text by key. */
const flatten = (file: string, table: Readonly<Record<string, unknown>>): Result.Result<
  ReadonlyMap<Key, unknown>,
  BridgeConfigError
> => {
  const found = new Map<Key, unknown>()
  const visit = (members: Readonly<Record<string, unknown>>, prefix: string): BridgeConfigError | undefined => {
    for (const [name, value] of Object.entries(members)) {
      const key = `${prefix}${name}`
      if (isKey(key)) found.set(key, value)
      else if (isTable(key) && Predicate.isObject(value)) {
        const error = visit(value, `${key}.`)
        if (error !== undefined) return error
      } else if (isTable(key)) return invalid(file, key, value, "must be a table")
      else return malformed(file, `there is no setting ${key}; there are ${keys.join(", ")}`)
    }
    return undefined
  }
  const error = visit(table, "")
  return error === undefined ? Result.succeed(found) : Result.fail(error)
}

const readFile = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const content = yield* fs.readFileString(file).pipe(
    Effect.catchTag("PlatformError", (error) =>
      error.reason._tag === "NotFound"
        ? Effect.succeed("")
        : Effect.fail(new BridgeConfigError({ reason: new Unreadable({ file, detail: error.message }) })))
  )
  const parsed = Toml.parse(content)
  if (Result.isFailure(parsed)) return yield* malformed(file, parsed.failure.message)
  return yield* Effect.fromResult(flatten(file, parsed.success))
})

const explain = SchemaIssue.makeFormatterDefault()

/** Reads the settings from all their places. */
export const load = Effect.fn("BridgeConfig.load")(
  function*(options: LoadOptions): Effect.fn.Return<
    Settings,
    BridgeConfigError,
    FileSystem.FileSystem | Path.Path
  > {
    const path = yield* Path.Path
    const { environment, overrides = {} } = options
    const variableOf = (name: string): string | undefined => environment[name] === "" ? undefined : environment[name]
    const home = options.codexHome ?? variableOf("CODEX_HOME") ??
      path.join(variableOf("HOME") ?? variableOf("USERPROFILE") ?? path.sep, ".codex")
    const codexHome = path.resolve(home)
    const file = path.join(codexHome, "bridge.toml")
    const inFile = yield* readFile(file)

    const given = (key: Key): readonly [source: string, name: string, value: unknown] | undefined => {
      const override = overrides[key]
      if (override !== undefined) return ["command line", `--${key.replaceAll("_", "-")}`, override]
      const name = variable(key)
      const value = environment[name]
      if (value !== undefined) return ["environment", name, value]
      return inFile.has(key) ? [file, key, inFile.get(key)] : undefined
    }

    const decode = <A>(key: Key, entry: Entry<A>): Effect.Effect<A | undefined, BridgeConfigError> => {
      const found = given(key)
      if (found === undefined) return Effect.undefined
      const [source, name, value] = found
      // What the file has is typed already: a number in quotes is an error there.
      const meant = source !== file && Predicate.isString(value) ? entry.fromText(value) : value
      return Schema.decodeUnknownEffect(entry.schema)(meant).pipe(
        Effect.mapError(({ issue }) => invalid(source, name, value, explain(issue)))
      )
    }

    const backend = Effect.suspend(() => {
      const source = given("backend")?.[0]
      if (source !== undefined && source !== file) return decode("backend", entries.backend)
      const shared = fromRuntimeVariables(environment)
      if (Result.isFailure(shared)) {
        const { detail, value, variable } = shared.failure
        return Effect.fail(invalid("environment", variable, value, detail))
      }
      return shared.success === undefined ? decode("backend", entries.backend) : Effect.succeed(shared.success.name)
    })

    const stateDirectory = (yield* decode("state_dir", entries.state_dir)) ?? path.join(codexHome, "bridge")
    return {
      codexHome,
      stateDirectory,
      logFile: (yield* decode("log_file", entries.log_file)) ?? path.join(stateDirectory, "bridge.log"),
      logLevel: (yield* decode("log_level", entries.log_level)) ?? "info",
      backend: (yield* backend) ?? "auto",
      agentBin: yield* decode("agent_bin", entries.agent_bin),
      scenario: yield* decode("scenario", entries.scenario),
      model: yield* decode("model", entries.model),
      provider: yield* decode("provider", entries.provider),
      effort: yield* decode("effort", entries.effort),
      version: (yield* decode("version", entries.version)) ?? codexVersion,
      account: (yield* decode("account", entries.account)) ?? "none",
      limits: {
        connections: (yield* decode("limits.connections", entries["limits.connections"])) ??
          defaultLimits.connections,
        requests: (yield* decode("limits.requests", entries["limits.requests"])) ?? defaultLimits.requests,
        frameBytes: (yield* decode("limits.frame_bytes", entries["limits.frame_bytes"])) ?? defaultLimits.frameBytes,
        messageBytes: (yield* decode("limits.message_bytes", entries["limits.message_bytes"])) ??
          defaultLimits.messageBytes,
        outboundBytes: (yield* decode("limits.outbound_bytes", entries["limits.outbound_bytes"])) ??
          defaultLimits.outboundBytes,
        loadedThreads: (yield* decode("limits.loaded_threads", entries["limits.loaded_threads"])) ??
          defaultLimits.loadedThreads,
        approvalGraceMs: (yield* decode("limits.approval_grace_ms", entries["limits.approval_grace_ms"])) ??
          defaultLimits.approvalGraceMs
      },
      workspace: {
        roots: yield* decode("workspace.roots", entries["workspace.roots"]),
        writes: (yield* decode("workspace.writes", entries["workspace.writes"])) ?? true,
        commands: (yield* decode("workspace.commands", entries["workspace.commands"])) ?? true
      }
    }
  }
)

export const defaultLimits: Limits = {
  connections: 64,
  requests: 64,
  frameBytes: 64 * 2 ** 20,
  messageBytes: 8 * 2 ** 20,
  outboundBytes: 64 * 2 ** 20,
  loadedThreads: 4096,
  approvalGraceMs: 60_000
}

/** The settings of a home without a file and an environment, with what is given. */
export const make = (codexHome: string, settings: Partial<Omit<Settings, "codexHome">> = {}): Settings => {
  const stateDirectory = settings.stateDirectory ?? `${codexHome}/bridge`
  return {
    codexHome,
    stateDirectory,
    logFile: `${stateDirectory}/bridge.log`,
    logLevel: "info",
    backend: "auto",
    agentBin: undefined,
    scenario: undefined,
    model: undefined,
    provider: undefined,
    effort: undefined,
    version: codexVersion,
    account: "none",
    limits: defaultLimits,
    workspace: { roots: undefined, writes: true, commands: true },
    ...settings
  }
}

/** Reads the settings from all their places. */
export const layer = (
  options: LoadOptions
): Layer.Layer<BridgeConfig, BridgeConfigError, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(BridgeConfig, load(options))

/** Settings that are known, e.g. in a test. */
export const layerOf = (settings: Settings): Layer.Layer<BridgeConfig> => Layer.succeed(BridgeConfig, settings)
