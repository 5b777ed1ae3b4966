/**
 * The configuration that clients read and write, in codex's shape.
 *
 * What clients write is kept in a file of the bridge's own, `config.toml` in its state directory: never in the
 * `config.toml` of a codex that may share `CODEX_HOME`, whose agent this is not. It is the upper of two layers; below
 * it are the bridge's settings.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Toml from "effect/encoding/Toml"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import type * as PlatformError from "effect/PlatformError"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { createHash } from "node:crypto"
import { AgentBackend } from "../../agent/AgentBackend.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import * as Directories from "../../transport/Directories.ts"
import { BridgeConfig, type Settings } from "../BridgeConfig.ts"
import { type BridgeError, Internal, InvalidRequest, refuse } from "../BridgeError.ts"
import { applyAll, type Edit, isTable, leafKeys, overlay, type Table } from "./ConfigEdits.ts"
import * as ConfigShape from "./ConfigShape.ts"
import * as Features from "./Features.ts"
import * as TomlText from "./TomlText.ts"

/** The configuration in effect, and where each value of it comes from. */
export interface Effective {
  readonly config: Strict.Config
  readonly origins: Readonly<Record<string, Strict.ConfigLayerMetadata>>
  /** The strongest first. */
  readonly layers: ReadonlyArray<Strict.ConfigLayer>
}

export interface WriteOptions {
  /** The version that the client has read; a newer one is not overwritten. */
  readonly expectedVersion?: string | null | undefined
  /** The file that the client means. Only the bridge's own is written. */
  readonly filePath?: string | null | undefined
}

/** What clients configure. Every use reads the file, so that edits by hand and by other processes count. */
export class CodexConfig extends Context.Service<CodexConfig, {
  /** Absolute path of the file that is written. Need not exist yet. */
  readonly file: string
  readonly read: Effect.Effect<Effective, BridgeError>
  /** Applies all edits or none. */
  readonly write: (
    edits: ReadonlyArray<Edit>,
    options?: WriteOptions
  ) => Effect.Effect<Strict.ConfigWriteResponse, BridgeError>
}>()("effect-codex-bridge/bridge/CodexConfig") {}

/** Why a write was refused, with the name that codex gives to it. */
interface Refusal {
  readonly code: "configValidationError" | "configVersionConflict" | "configLayerReadonly"
  readonly message: string
}

const refused = ({ code, message }: Refusal): BridgeError =>
  refuse(new InvalidRequest({ message, data: { config_write_error_code: code } }))

const invalid = (message: string): BridgeError => refused({ code: "configValidationError", message })

const conflict: Refusal = {
  code: "configVersionConflict",
  message: "Configuration was modified since last read. Fetch latest version and retry."
}

const readOnly: Refusal = { code: "configLayerReadonly", message: "Only writes to the user config are allowed" }

/** The version of a layer: equal tables have equal versions. */
export const versionOf = (table: Table): string =>
  `sha256:${createHash("sha256").update(TomlText.canonical(table)).digest("hex")}`

// Clients find each of these present, null where nobody has set it.
const unset: Strict.Config = {
  model: null,
  review_model: null,
  model_context_window: null,
  model_auto_compact_token_limit: null,
  model_auto_compact_token_limit_scope: null,
  model_provider: null,
  approval_policy: null,
  approvals_reviewer: null,
  sandbox_mode: null,
  sandbox_workspace_write: null,
  forced_chatgpt_workspace_id: null,
  forced_login_method: null,
  web_search: null,
  client_search_provider: null,
  tools: null,
  instructions: null,
  developer_instructions: null,
  compact_prompt: null,
  model_reasoning_effort: null,
  model_reasoning_summary: null,
  model_verbosity: null,
  service_tier: null,
  analytics: { enabled: false },
  apps: null,
  browser_use: null,
  computer_use: null,
  desktop: null,
  feedback: { enabled: false },
  marketplaces: {},
  mcp_servers: {},
  notice: null,
  personality: null,
  plugins: {},
  profiles: {},
  projects: null,
  tui: null
}

/** The provider that clients know the agent's models by. */
export const providerOf = (settings: Settings, backend: AgentBackend["Service"]): string =>
  settings.provider ?? backend.id

const settingsLayer = (settings: Settings, provider: string): Table => ({
  ...(settings.model === undefined ? {} : { model: settings.model }),
  ...(settings.effort === undefined ? {} : { model_reasoning_effort: settings.effort }),
  model_provider: provider
})

const internal = (message: string, cause: unknown): BridgeError => refuse(new Internal({ message, cause }))

const make = Effect.gen(function*() {
  const settings = yield* BridgeConfig
  const backend = yield* AgentBackend
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const writing = yield* Semaphore.make(1)
  const file = path.join(settings.stateDirectory, "config.toml")

  const lower: Strict.ConfigLayer = (() => {
    const config = settingsLayer(settings, providerOf(settings, backend))
    const name = { type: "system", file: path.join(settings.codexHome, "bridge.toml") } as const
    return { name, version: versionOf(config), config }
  })()
  const base = overlay(unset, { features: Features.enablement(backend.capabilities) })

  const load = Effect.gen(function*() {
    const text = yield* fs.readFileString(file).pipe(
      Effect.catchTag("PlatformError", (error) =>
        error.reason._tag === "NotFound"
          ? Effect.succeed("")
          : Effect.fail(internal(`Cannot read ${file}: ${error.message}`, error)))
    )
    const parsed = Toml.parse(text)
    return Result.isSuccess(parsed)
      ? parsed.success
      : yield* internal(`Cannot read ${file}: ${parsed.failure.message}`, parsed.failure)
  })

  const shape = (upper: Table): Result.Result<Strict.Config, string> =>
    ConfigShape.read(overlay(overlay(base, isTable(lower.config) ? lower.config : {}), upper))

  const read = Effect.gen(function*() {
    const table = yield* load
    const config = shape(table)
    if (Result.isFailure(config)) return yield* internal(`Cannot use ${file}: ${config.failure}`, undefined)
    const upper: Strict.ConfigLayer = {
      name: { type: "user", file, profile: null },
      version: versionOf(table),
      config: table
    }
    const layers = [upper, lower]
    const origins = layers.toReversed().flatMap(({ name, version, config }) =>
      (isTable(config) ? leafKeys(config) : []).map((key) => [key, { name, version }] as const)
    )
    return { config: config.success, origins: Object.fromEntries(origins), layers }
  })

  // In place at once: a reader sees the old file or the new one, also after a crash.
  const save = Effect.fnUntraced(function*(text: string): Effect.fn.Return<void, PlatformError.PlatformError> {
    yield* Directories.make(fs, settings.stateDirectory, 0o700)
    yield* Effect.scoped(Effect.gen(function*() {
      const draft = yield* fs.makeTempFileScoped({ directory: settings.stateDirectory, prefix: "config-" })
      yield* fs.chmod(draft, 0o600)
      const open = yield* fs.open(draft, { flag: "w" })
      yield* open.writeAll(new TextEncoder().encode(text))
      yield* open.sync
      yield* fs.rename(draft, file)
    }))
  })

  const write = Effect.fn("CodexConfig.write")(
    function*(edits: ReadonlyArray<Edit>, options: WriteOptions = {}) {
      const { expectedVersion, filePath } = options
      if (filePath !== null && filePath !== undefined && filePath !== file) return yield* refused(readOnly)
      const table = yield* load
      if (expectedVersion !== null && expectedVersion !== undefined && expectedVersion !== versionOf(table)) {
        return yield* refused(conflict)
      }
      const edited = applyAll(table, edits)
      if (Result.isFailure(edited)) return yield* invalid(edited.failure)
      const config = shape(edited.success)
      if (Result.isFailure(config)) return yield* invalid(config.failure)
      const version = versionOf(edited.success)
      if (version !== versionOf(table)) {
        yield* save(TomlText.encode(edited.success)).pipe(
          Effect.mapError((error) => internal(`Cannot write ${file}: ${error.message}`, error))
        )
      }
      return { status: "ok", version, filePath: file, overriddenMetadata: null } as const
    },
    (effect) => writing.withPermit(effect)
  )

  return CodexConfig.of({ file, read, write })
})

export const layer: Layer.Layer<
  CodexConfig,
  never,
  BridgeConfig | AgentBackend | FileSystem.FileSystem | Path.Path
> = Layer.effect(CodexConfig, make)
