/**
 * The extension that this side puts into an agent: it asks before a tool runs, and gives a run what it begins with.
 *
 * Both agents have the same two hooks. The user's own extensions stay in force beside it.
 */
import type { HookedCall, RunStart } from "./Port.ts"

/** Marks what this side has written into a session. */
export const customType = "effect-codex-bridge"

/** The other end of the hooks. */
export interface ExtensionHost {
  /** Gives why the tool must not run. */
  readonly toolCall: (call: HookedCall, signal: AbortSignal | undefined) => Promise<string | undefined>
  readonly runStart: () => Promise<RunStart>
}

/** Where a hook is called. */
interface HookContext {
  readonly signal?: AbortSignal | undefined
  /** Agents that an agent has started have nobody to talk to of their own. */
  readonly hasUI?: boolean | undefined
}

/** What is used of an agent's extension API. */
export interface ExtensionApi {
  on(
    event: "tool_call",
    handler: (
      event: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown },
      context: HookContext
    ) => Promise<{ readonly block: true; readonly reason: string } | undefined>
  ): void
  on(
    event: "before_agent_start",
    handler: (event: unknown, context: HookContext) => Promise<
      | { readonly message: { readonly customType: string; readonly content: string; readonly display: boolean } }
      | undefined
    >
  ): void
  appendEntry(customType: string, data?: unknown): void
}

export const extension = (host: ExtensionHost) => (api: ExtensionApi): void => {
  api.on("tool_call", async ({ input, toolCallId, toolName }, { hasUI, signal }) => {
    const isSubAgents = hasUI === false
    const reason = await host.toolCall({ id: toolCallId, name: toolName, args: input, isSubAgents }, signal)
    return reason === undefined ? undefined : { block: true, reason }
  })
  api.on("before_agent_start", async (_event, { hasUI }) => {
    // Runs of an agent that this one has started begin with nothing of ours.
    if (hasUI === false) return undefined
    const { context, turnId } = await host.runStart()
    if (turnId !== undefined) api.appendEntry(customType, { turnId })
    return context === undefined ? undefined : { message: { customType, content: context, display: false } }
  })
}

/** An entry of a session's file, as far as it matters here. */
export interface Entry {
  readonly id: string
  readonly type: string
  readonly customType?: string
  readonly data?: unknown
}

const turnOf = (entry: Entry): unknown =>
  entry.type === "custom" && entry.customType === customType && typeof entry.data === "object" && entry.data !== null &&
    "turnId" in entry.data
    ? entry.data.turnId
    : undefined

/** The last entry of a turn in a branch of a session; `undefined` where the turn is not in it. */
export const endOfTurn = (branch: ReadonlyArray<Entry>, turnId: string): string | undefined => {
  const start = branch.findIndex((entry) => turnOf(entry) === turnId)
  if (start < 0) return undefined
  const next = branch.findIndex((entry, at) => at > start && turnOf(entry) !== undefined)
  return branch.at(next < 0 ? -1 : next - 1)?.id
}
