/**
 * What clients set for a thread: with its start, with a turn, or by themselves. Pure.
 *
 * Values are kept only if the protocol of this version knows them: what is stored is shown to every client later.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { isAbsolute, resolve } from "node:path"
import type { SandboxMode, SessionDefaults } from "../../agent/AgentBackend.ts"
import * as Definitions from "../../protocol/Definitions.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { type BridgeError, InvalidRequest, refuse, UnknownValue } from "../BridgeError.ts"
import type { AgentSettings, ThreadRecord, ThreadSettings } from "../store/ThreadRecord.ts"
import { environmentId, settingsOf, workspaceRoots } from "./ThreadView.ts"

/** What may be given, under the names that the protocol has for it. What is missing or null stays as it is. */
export interface Given {
  readonly approvalPolicy?: unknown
  readonly approvalsReviewer?: unknown
  readonly baseInstructions?: string | null | undefined
  readonly collaborationMode?: unknown
  readonly config?: { readonly [key: string]: unknown } | null | undefined
  readonly cwd?: string | null | undefined
  readonly developerInstructions?: string | null | undefined
  readonly disabledPluginIds?: ReadonlyArray<string> | null | undefined
  readonly dynamicTools?: ReadonlyArray<unknown> | null | undefined
  readonly effort?: string | null | undefined
  readonly model?: string | null | undefined
  /** Id of a permission profile. */
  readonly permissions?: string | null | undefined
  readonly personality?: unknown
  readonly runtimeWorkspaceRoots?: ReadonlyArray<string> | null | undefined
  readonly sandbox?: string | null | undefined
  readonly sandboxPolicy?: unknown
  readonly serviceTier?: string | null | undefined
  readonly summary?: unknown
}

export type Current = Pick<ThreadRecord, "cwd" | "effort" | "model" | "settings">

const sandboxes = {
  "read-only": { type: "readOnly", networkAccess: false },
  "workspace-write": {
    type: "workspaceWrite",
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false
  },
  "danger-full-access": { type: "dangerFullAccess" }
} as const satisfies Readonly<Record<SandboxMode, Strict.SandboxPolicy>>

/** With what is left out as the real server takes it. */
const complete = (policy: Strict.SandboxPolicy): Strict.SandboxPolicy => {
  switch (policy.type) {
    case "dangerFullAccess":
      return policy
    case "readOnly":
      return { ...sandboxes["read-only"], ...policy }
    case "externalSandbox":
      return { networkAccess: "restricted", ...policy }
    case "workspaceWrite":
      return { ...sandboxes["workspace-write"], ...policy }
  }
}

/** An agent's configuration may allow more than a mode does by itself. */
const sandboxesOf = ({ workspaceWrite }: AgentSettings = {}): Readonly<Record<SandboxMode, Strict.SandboxPolicy>> =>
  workspaceWrite === undefined ? sandboxes : { ...sandboxes, "workspace-write": workspaceWrite }

const profiles: Readonly<Record<string, string>> = {
  ":read-only": "read-only",
  ":workspace": "workspace-write",
  ":danger-full-access": "danger-full-access"
}

const named = <A>(table: Readonly<Record<string, A>>, name: string): Result.Result<A, BridgeError> => {
  const value = Object.hasOwn(table, name) ? table[name] : undefined
  return value === undefined
    ? Result.fail(refuse(new UnknownValue({ given: name, known: Object.keys(table) })))
    : Result.succeed(value)
}

/** What the real server knows, in the order that it lists it in. */
const variants = {
  AskForApproval: ["untrusted", "on-request", "granular", "never"],
  ApprovalsReviewer: ["user", "auto_review", "guardian_subagent"],
  Personality: ["none", "friendly", "pragmatic"],
  ReasoningSummary: ["auto", "concise", "detailed", "none"],
  SandboxPolicy: ["dangerFullAccess", "readOnly", "externalSandbox", "workspaceWrite"]
} as const satisfies { readonly [Name in keyof Strict.Definitions]?: ReadonlyArray<string> }

/** What tells a value's variant: itself, its `type`, or its only key. */
const variantOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  if (!Predicate.isObject(value)) return undefined
  return Predicate.hasProperty(value, "type") && typeof value.type === "string" ? value.type : Object.keys(value)[0]
}

const known = <Name extends keyof typeof variants>(
  name: Name,
  value: unknown
): Result.Result<Strict.Definitions[Name], BridgeError> => {
  const given = variantOf(value)
  const known: ReadonlyArray<string> = variants[name]
  if (given !== undefined && !known.includes(given)) return Result.fail(refuse(new UnknownValue({ given, known })))
  return decoded(name, value)
}

const decoded = <Name extends keyof Strict.Definitions>(
  name: Name,
  value: unknown
): Result.Result<Strict.Definitions[Name], BridgeError> =>
  Result.mapError(
    Schema.decodeUnknownResult(Definitions.strict(name))(value),
    (error) => refuse(new InvalidRequest({ message: `Invalid request: ${name}: ${error.message}` }))
  )

/** The others are names that the default mode has had. */
const modes = ["plan", "code", "custom", "default", "execute", "pair_programming"]

const collaborationMode = (value: unknown): Result.Result<Strict.CollaborationMode, BridgeError> => {
  if (!Predicate.hasProperty(value, "mode") || typeof value.mode !== "string") {
    return decoded("CollaborationMode", value)
  }
  const { mode } = value
  if (!modes.includes(mode)) return Result.fail(refuse(new UnknownValue({ given: mode, known: modes })))
  return decoded("CollaborationMode", { ...value, mode: mode === "plan" ? "plan" : "default" })
}

/** Where the protocol has no member of its own for it, clients name it as in codex's configuration. */
export const effortOf = ({ config, effort }: Given): string | undefined => {
  const configured = config?.["model_reasoning_effort"]
  return effort ?? (typeof configured === "string" ? configured : undefined)
}

/** A thread that begins with a set of permissions has no directories of the agent's configuration. */
const ofProfile = (cwd: string) => ({ runtimeWorkspaceRoots: [cwd] })

/** What clients have configured for threads whose start names nothing else. */
export const withConfigured = (given: Given & { readonly cwd: string }, config: Strict.Config): Given => ({
  ...given.permissions == null ? {} : ofProfile(given.cwd),
  ...Struct.omit(given, given.runtimeWorkspaceRoots == null ? ["runtimeWorkspaceRoots"] : []),
  approvalPolicy: given.approvalPolicy ?? config.approval_policy,
  approvalsReviewer: given.approvalsReviewer ?? config.approvals_reviewer,
  personality: given.personality ?? config["personality"],
  sandbox: given.sandbox ?? (given.permissions == null ? config.sandbox_mode : undefined),
  serviceTier: given.serviceTier ?? config.service_tier,
  summary: given.summary ?? given.config?.["model_reasoning_summary"] ?? config.model_reasoning_summary
})

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** What an agent says of its configuration. Values that the protocol does not know are left out. */
export const ofAgent = ({ approvalPolicy, confinement, personality, summary }: SessionDefaults): AgentSettings => {
  const settings: Mutable<AgentSettings> = {}
  if (approvalPolicy !== undefined) settings.approvalPolicy = approvalPolicy
  if (confinement !== undefined) {
    const { mode, profile, ...workspace } = confinement
    settings.workspaceWrite = { type: "workspaceWrite", ...workspace }
    settings.sandboxPolicy = mode === "workspace-write" ? settings.workspaceWrite : sandboxes[mode]
    settings.activePermissionProfile = profile === undefined ? null : { id: profile, extends: null }
  }
  if (personality !== undefined) settings.personality = Result.getOrElse(known("Personality", personality), () => null)
  if (summary !== undefined) settings.summary = Result.getOrElse(known("ReasoningSummary", summary), () => null)
  return settings
}

/** As the agent's configuration is now, but for the approval policy, which codex keeps with a session. */
export const ofResumed = (settings: ThreadSettings, defaults: SessionDefaults): ThreadSettings => {
  const approvalPolicy = settings.agent?.approvalPolicy
  const agent = { ...ofAgent(defaults), ...(approvalPolicy === undefined ? {} : { approvalPolicy }) }
  return JSON.stringify(agent) === JSON.stringify(settings.agent) ? settings : { ...settings, agent }
}

/** What a fork keeps: what the agent may do, and not how it is to work, which is configured anew as in a new thread. */
export const ofFork = (settings: ThreadSettings, defaults: SessionDefaults | undefined): ThreadSettings =>
  Struct.omit(defaults === undefined ? settings : ofResumed(settings, defaults), [
    "collaborationMode",
    "config",
    "personality",
    "runtimeWorkspaceRoots",
    "serviceTier",
    "summary"
  ])

/** What a fork is begun with. A set of permissions goes along with it as if it were named. */
export const forFork = (source: Current, cwd: string, given: Given): Given => {
  const hasProfile = given.permissions != null ||
    (given.sandbox == null && settingsOf(source).activePermissionProfile != null)
  return given.runtimeWorkspaceRoots == null && hasProfile ? { ...given, ...ofProfile(cwd) } : given
}

/** What the thread is to be changed to, or `undefined` if it is so already. */
export const patchOf = (current: Current, given: Given): Result.Result<Partial<Current> | undefined, BridgeError> =>
  Result.gen(function*() {
    const patch: Mutable<Partial<Current>> = {}
    const settings: Mutable<ThreadSettings> = { ...current.settings }

    if (given.cwd != null) {
      const cwd = isAbsolute(given.cwd) ? given.cwd : resolve(current.cwd, given.cwd)
      patch.cwd = cwd
      const roots = settings.runtimeWorkspaceRoots
      if (roots !== undefined) settings.runtimeWorkspaceRoots = roots.map((root) => root === current.cwd ? cwd : root)
    }
    if (given.model != null) patch.model = given.model
    const effort = effortOf(given)
    if (effort === "") {
      return yield* Result.fail(
        refuse(new InvalidRequest({ message: "Invalid request: reasoning_effort must not be empty" }))
      )
    }
    if (effort !== undefined) patch.effort = effort
    if (given.approvalPolicy != null) settings.approvalPolicy = yield* known("AskForApproval", given.approvalPolicy)
    if (given.approvalsReviewer != null) {
      settings.approvalsReviewer = yield* known("ApprovalsReviewer", given.approvalsReviewer)
    }
    if (given.sandbox != null) settings.sandboxPolicy = yield* named(sandboxesOf(settings.agent), given.sandbox)
    if (given.sandboxPolicy != null) {
      settings.sandboxPolicy = complete(yield* known("SandboxPolicy", given.sandboxPolicy))
    }
    if (given.sandbox != null || given.sandboxPolicy != null) settings.activePermissionProfile = null
    if (given.permissions != null) {
      const other = given.sandbox != null ? "sandbox" : given.sandboxPolicy != null ? "sandboxPolicy" : undefined
      if (other !== undefined) {
        const message = `\`permissions\` cannot be combined with \`${other}\``
        return yield* Result.fail(refuse(new InvalidRequest({ message })))
      }
      settings.sandboxPolicy = yield* named(sandboxes, yield* named(profiles, given.permissions))
      settings.activePermissionProfile = { id: given.permissions, extends: null }
    }
    if (given.personality != null) settings.personality = yield* known("Personality", given.personality)
    const wantedSummary = given.summary ?? given.config?.["model_reasoning_summary"]
    if (wantedSummary != null) settings.summary = yield* known("ReasoningSummary", wantedSummary)
    if (given.serviceTier != null) settings.serviceTier = given.serviceTier
    if (given.baseInstructions != null) settings.baseInstructions = given.baseInstructions
    if (given.developerInstructions != null) settings.developerInstructions = given.developerInstructions
    if (given.runtimeWorkspaceRoots != null) settings.runtimeWorkspaceRoots = given.runtimeWorkspaceRoots
    if (given.disabledPluginIds != null) settings.disabledPluginIds = given.disabledPluginIds
    // Both come from JSON.
    if (given.dynamicTools != null) settings.dynamicTools = given.dynamicTools as ReadonlyArray<Schema.Json>
    if (given.config != null) settings.config = given.config as Readonly<Record<string, Schema.Json>>
    if (given.collaborationMode != null) {
      const mode = yield* collaborationMode(given.collaborationMode)
      settings.collaborationMode = mode
      // Its settings are the stronger ones.
      patch.model = mode.settings.model
      patch.effort = mode.settings.reasoning_effort ?? patch.effort ?? current.effort
    }

    patch.settings = settings
    const after = { ...current, ...patch }
    const same = after.cwd === current.cwd && after.model === current.model && after.effort === current.effort &&
      JSON.stringify(after.settings) === JSON.stringify(current.settings)
    return same ? undefined : patch
  })

/** The settings as clients are told them. */
export const toWire = (record: ThreadRecord): Strict.ThreadSettings => {
  const settings = settingsOf(record)
  const mode = settings.collaborationMode
  return {
    disabledPluginIds: settings.disabledPluginIds ?? [],
    cwd: record.cwd,
    approvalPolicy: settings.approvalPolicy ?? "on-request",
    approvalsReviewer: settings.approvalsReviewer ?? "user",
    sandboxPolicy: settings.sandboxPolicy ?? { type: "readOnly", networkAccess: false },
    activePermissionProfile: settings.activePermissionProfile ?? null,
    model: record.model,
    modelProvider: record.modelProvider,
    serviceTier: settings.serviceTier ?? null,
    effort: record.effort,
    summary: settings.summary ?? null,
    collaborationMode: {
      mode: mode?.mode ?? "default",
      settings: {
        model: record.model,
        reasoning_effort: record.effort,
        developer_instructions: mode?.settings.developer_instructions ?? null
      }
    },
    multiAgentMode: "explicitRequestOnly",
    personality: settings.personality ?? null,
    environments: [{
      environmentId,
      cwd: record.cwd,
      runtimeWorkspaceRoots: workspaceRoots(record)
    }]
  }
}
