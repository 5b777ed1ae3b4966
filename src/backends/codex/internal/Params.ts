/**
 * Settings and input of the waist in codex's words. Pure.
 */
import type { InputPart, SandboxMode, SessionOptions, TurnInput } from "../../../agent/AgentBackend.ts"
import type { ToolSpec } from "../../../agent/TurnHost.ts"
import type * as Strict from "../../../protocol/generated/StrictTypes.ts"

/** A member that is left out when its value is `undefined`: codex then keeps its own setting. */
const given = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  // The computed key is exactly K, which TypeScript widens to string.
  value === undefined ? {} : { [key]: value } as { readonly [P in K]?: V }

const overrides = (options: SessionOptions) => ({
  ...given("model", options.model),
  ...given("modelProvider", options.provider),
  ...given("cwd", options.cwd),
  ...given("approvalPolicy", options.approvalPolicy),
  ...given("sandbox", options.sandbox),
  ...given("developerInstructions", options.developerInstructions),
  ...given("config", options.config)
})

export const threadStart = (
  options: SessionOptions,
  tools: ReadonlyArray<ToolSpec>
): Strict.ThreadStartParams => ({
  ...overrides(options),
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
  threadId,
  excludeTurns: true
})

/** What a turn calls a sandbox: `thread/start` takes a mode, `turn/start` a policy. */
const sandboxPolicy = (mode: SandboxMode): Strict.SandboxPolicy => {
  switch (mode) {
    case "read-only":
      return { type: "readOnly", networkAccess: false }
    case "workspace-write":
      return { type: "workspaceWrite", writableRoots: [], networkAccess: false }
    case "danger-full-access":
      return { type: "dangerFullAccess" }
  }
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

/** Settings that a turn takes over from its session. */
export interface TurnDefaults {
  readonly model: string
  readonly effort: string | undefined
  /** Whether the turn before this one ran in another mode, which codex would keep. */
  readonly modeChanged: boolean
}

export const turnStart = (threadId: string, input: TurnInput, defaults: TurnDefaults): Strict.TurnStartParams => {
  const effort = input.effort ?? defaults.effort
  return {
    threadId,
    input: input.input.map(userInput),
    ...given("clientUserMessageId", input.clientId),
    ...given("model", input.model),
    ...given("effort", effort),
    ...given("approvalPolicy", input.approvalPolicy),
    ...given("sandboxPolicy", input.sandbox === undefined ? undefined : sandboxPolicy(input.sandbox)),
    ...given("outputSchema", input.outputSchema),
    ...given(
      "collaborationMode",
      input.mode === "plan" || defaults.modeChanged
        ? {
          mode: input.mode ?? "default",
          settings: {
            model: input.model ?? defaults.model,
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
