/**
 * Settings and input of the waist in codex's words. Pure.
 */
import {
  type Confinement,
  type InputPart,
  type Sandbox,
  sandboxMode,
  type SessionOptions,
  type SessionPoint,
  type TurnInput
} from "../../../agent/AgentBackend.ts"
import type { ToolSpec } from "../../../agent/TurnHost.ts"
import type * as Open from "../../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../../protocol/generated/StrictTypes.ts"
import { given } from "./given.ts"

/**
 * What a thread is told of its sandbox besides the mode, which is all that there is a parameter for. Codex counts the
 * directories among the roots of the thread's workspace, whatever the mode.
 */
const sandboxConfig = (sandbox: Sandbox | undefined) => {
  if (sandbox === undefined || typeof sandbox === "string") return {}
  const roots = { "sandbox_workspace_write.writable_roots": sandbox.writableRoots }
  return sandbox.mode !== "workspace-write" ? roots : {
    ...roots,
    "sandbox_workspace_write.network_access": sandbox.networkAccess,
    "sandbox_workspace_write.exclude_tmpdir_env_var": sandbox.excludeTmpdirEnvVar,
    "sandbox_workspace_write.exclude_slash_tmp": sandbox.excludeSlashTmp
  }
}

const configOf = (options: SessionOptions): SessionOptions["config"] => {
  const config = { ...options.config, ...sandboxConfig(options.sandbox) }
  return options.config === undefined && Object.keys(config).length === 0 ? undefined : config
}

const overrides = (options: SessionOptions) => ({
  ...given("model", options.model),
  ...given("modelProvider", options.provider),
  ...given("cwd", options.cwd),
  ...given("approvalPolicy", options.approvalPolicy),
  ...given("sandbox", options.sandbox === undefined ? undefined : sandboxMode(options.sandbox)),
  ...given("developerInstructions", options.developerInstructions),
  ...given("config", configOf(options))
})

/** Codex's names, which may be newer than this library. They are checked with the other parameters, before they are sent. */
const personalityOf = ({ personality }: Pick<SessionOptions, "personality">) =>
  given("personality", personality as Strict.Personality | undefined)

export const threadStart = (
  options: SessionOptions,
  tools: ReadonlyArray<ToolSpec>
): Strict.ThreadStartParams => ({
  ...overrides(options),
  ...personalityOf(options),
  ...given("ephemeral", options.ephemeral),
  ...given(
    "dynamicTools",
    tools.length === 0
      ? undefined
      : tools.map(({ description, inputSchema, name }) =>
        ({ type: "function", name, description, inputSchema }) as const
      )
  )
})

/** The thread's history stays on the server: it may be larger than any frame. Its tools were kept with it. */
export const threadResume = (threadId: string, options: SessionOptions): Strict.ThreadResumeParams => ({
  ...overrides(options),
  ...personalityOf(options),
  threadId,
  excludeTurns: true
})

/** The tools of the thread go with its history. */
export const threadFork = ({ session, turnId }: SessionPoint, options: SessionOptions): Strict.ThreadForkParams => ({
  ...overrides(options),
  ...given("ephemeral", options.ephemeral),
  threadId: session.sessionId,
  lastTurnId: turnId,
  excludeTurns: true
})

/** What a turn calls a sandbox: `thread/start` takes a mode, `turn/start` a policy. */
const policyOf = (sandbox: Sandbox): Strict.SandboxPolicy => {
  if (sandbox === "danger-full-access") return { type: "dangerFullAccess" }
  const { mode, ...details } = typeof sandbox === "string" ? { mode: sandbox, ...nothingMore } : sandbox
  const { excludeSlashTmp, excludeTmpdirEnvVar, networkAccess, writableRoots } = details
  switch (mode) {
    case "read-only":
      return { type: "readOnly", networkAccess }
    case "workspace-write":
      return { type: "workspaceWrite", writableRoots, networkAccess, excludeTmpdirEnvVar, excludeSlashTmp }
    case "danger-full-access":
      return { type: "externalSandbox", networkAccess: networkAccess ? "enabled" : "restricted" }
  }
}

/** What a mode allows beyond itself where nothing is known of that. */
const nothingMore: Omit<Confinement, "mode"> = {
  writableRoots: [],
  networkAccess: false,
  excludeTmpdirEnvVar: false,
  excludeSlashTmp: false
}

export const userInput = (part: InputPart): Strict.UserInput => {
  switch (part._tag) {
    case "Text":
      return { type: "text", text: part.text, text_elements: [] }
    case "ImageUrl":
      return { type: "image", url: part.url }
    case "LocalImage":
      return { type: "localImage", path: part.path }
  }
}

/** A session's settings as codex confirmed them, and as they were asked for where it says nothing of them. */
export interface Confirmed {
  readonly model: string
  readonly effort: string | undefined
  readonly summary: string | undefined
  readonly personality: string | undefined
  readonly approvalPolicy: Strict.AskForApproval
  readonly sandboxPolicy: Strict.SandboxPolicy
}

/** For what a thread has no parameters for, codex can confirm no more than the mode. */
const confirmedSandbox = (asked: Sandbox | undefined, got: Strict.SandboxPolicy): Strict.SandboxPolicy =>
  asked === undefined || typeof asked === "string" || got.type === "workspaceWrite" ||
    got.type !== policyOf(asked.mode).type
    ? got
    : policyOf(asked)

/** What `thread/start` or `thread/resume` says of the thread's settings. */
export const confirmed = (
  answer: Pick<Open.ThreadStartResponse, "approvalPolicy" | "model" | "reasoningEffort" | "sandbox">,
  { personality, sandbox, summary }: SessionOptions
): Confirmed => ({
  model: answer.model,
  effort: answer.reasoningEffort ?? undefined,
  summary,
  personality,
  // Codex's own words, which may be newer than this library. They are checked with the other parameters, before they
  // are sent back.
  approvalPolicy: answer.approvalPolicy as Strict.AskForApproval,
  sandboxPolicy: confirmedSandbox(sandbox, answer.sandbox as Strict.SandboxPolicy)
})

/** A setting that one turn may have of its own. */
export type Override = "model" | "effort" | "summary" | "personality" | "approvalPolicy" | "sandbox"

const overridable: ReadonlyArray<Override> = ["model", "effort", "summary", "personality", "approvalPolicy", "sandbox"]

/** The settings that a turn has of its own. */
export const overridesOf = (input: TurnInput): ReadonlyArray<Override> =>
  overridable.filter((name) => input[name] !== undefined)

/** Settings that a turn takes over from its session. */
export interface TurnDefaults {
  readonly model: string
  /** What the session asked for: a thread is started without it. */
  readonly effort: string | undefined
  /** Likewise. */
  readonly summary?: string | undefined
  /** Likewise: a fork is begun without it. */
  readonly personality?: string | undefined
  /** Whether the turn before this one ran in another mode, which codex would keep. */
  readonly modeChanged: boolean
  /** How codex confines the session. Its configuration may allow more than the mode says, such as further directories. */
  readonly sandboxPolicy?: Strict.SandboxPolicy | undefined
  /** Settings that earlier turns had of their own, as they are for the session: codex would keep the turns'. */
  readonly restore?: Partial<Confirmed> | undefined
}

/** The session's settings in place of those that turns of it had of their own. */
export const restoring = (session: Confirmed, overridden: ReadonlySet<Override>): Partial<Confirmed> => ({
  ...given("model", overridden.has("model") ? session.model : undefined),
  ...given("effort", overridden.has("effort") ? session.effort : undefined),
  ...given("summary", overridden.has("summary") ? session.summary : undefined),
  ...given("personality", overridden.has("personality") ? session.personality : undefined),
  ...given("approvalPolicy", overridden.has("approvalPolicy") ? session.approvalPolicy : undefined),
  ...given("sandboxPolicy", overridden.has("sandbox") ? session.sandboxPolicy : undefined)
})

export const turnStart = (threadId: string, input: TurnInput, defaults: TurnDefaults): Strict.TurnStartParams => {
  const { restore = {}, sandboxPolicy: ofSession } = defaults
  const named = input.sandbox === undefined ? undefined : policyOf(input.sandbox)
  const sandboxPolicy = typeof input.sandbox === "string" && named?.type === ofSession?.type ? ofSession : named
  const model = input.model ?? restore.model
  const effort = input.effort ?? defaults.effort ?? restore.effort
  const summary = input.summary ?? defaults.summary ?? restore.summary
  return {
    threadId,
    input: input.input.map(userInput),
    ...given(
      "additionalContext",
      input.context === undefined ? undefined : { context: { kind: "application" as const, value: input.context } }
    ),
    ...given("clientUserMessageId", input.clientId),
    ...given("cwd", input.cwd),
    ...given("model", model),
    ...given("effort", effort),
    // As of a personality.
    ...given("summary", summary as Strict.ReasoningSummary | undefined),
    ...personalityOf({ personality: input.personality ?? defaults.personality ?? restore.personality }),
    ...given("approvalPolicy", input.approvalPolicy ?? restore.approvalPolicy),
    ...given("sandboxPolicy", named === undefined ? restore.sandboxPolicy : sandboxPolicy),
    ...given("outputSchema", input.outputSchema),
    ...given(
      "collaborationMode",
      input.mode === "plan" || defaults.modeChanged
        ? {
          mode: input.mode ?? "default",
          settings: {
            model: model ?? defaults.model,
            reasoning_effort: effort ?? null,
            developer_instructions: null
          }
        }
        : undefined
    )
  }
}

const toolName = /^[A-Za-z0-9_-]{1,128}$/

/**
 * The tools that codex would accept. One that it would not makes it refuse the whole thread, so each of those is
 * left out, with the reason.
 */
export const acceptableTools = (
  tools: ReadonlyArray<ToolSpec>
): { readonly tools: ReadonlyArray<ToolSpec>; readonly problems: ReadonlyArray<string> } => {
  const accepted = new Map<string, ToolSpec>()
  const problems: Array<string> = []
  for (const tool of tools) {
    const { inputSchema, name } = tool
    const problem = !toolName.test(name)
      ? "its name must be 1 to 128 letters, digits, _ or -"
      : name === "mcp" || name.startsWith("mcp__")
      ? "its name is reserved for MCP"
      : accepted.has(name)
      ? "its name is taken by another tool"
      : typeof inputSchema !== "object" || inputSchema === null || Array.isArray(inputSchema)
      ? "its input schema is no JSON object"
      : undefined
    if (problem === undefined) accepted.set(name, tool)
    else problems.push(`The tool ${JSON.stringify(name)} is not offered to codex: ${problem}`)
  }
  return { tools: [...accepted.values()], problems }
}
