/**
 * Items of an agent as the items that Codex clients know. Pure.
 *
 * Every member that the real server writes is written, as null where there is nothing to say.
 */
import * as Schema from "effect/Schema"
import type { AgentItem, FileEdit, ItemStatus, ToolContent } from "../../agent/AgentItem.ts"
import * as Definitions from "../../protocol/Definitions.ts"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { isObject } from "./Json.ts"
import { whole } from "./Numbers.ts"

/** What the items of a turn have in common. */
export interface ItemContext {
  readonly threadId: string
  /** Stands in where an agent does not say where it ran a command. */
  readonly cwd: string
  /** Whose tools the tools without a namespace are. */
  readonly backend: string
}

/** Where and when an item is shown. */
export interface ItemFrame {
  readonly id: string
  readonly startedAtMs: number
  readonly completedAtMs: number | null
}

export type ItemOf<Type extends Strict.ThreadItem["type"]> = Extract<Strict.ThreadItem, { readonly type: Type }>

const duration = (value: number | undefined): number | null => value === undefined ? null : whole(value)

/** Exit codes are 32 bits wide. */
const exitCode = (value: number | undefined): number | null => value === undefined ? null : value | 0

/** Commands and file changes: the wire has no `interrupted`. */
const workStatus = (status: ItemStatus): "inProgress" | "completed" | "failed" | "declined" =>
  status === "interrupted" ? "failed" : status

/** Tool calls: they fail, too, when they are declined. */
const callStatus = (status: ItemStatus): "inProgress" | "completed" | "failed" =>
  status === "inProgress" || status === "completed" ? status : "failed"

/** Sub-agents: they know no `declined`. */
const agentStatus = (status: ItemStatus): Strict.CollabAgentToolCallStatus => status === "declined" ? "failed" : status

/** Where the wire's status says less than the agent's. */
const reasonOf = (status: ItemStatus): string | undefined => {
  switch (status) {
    case "declined":
      return "The call was declined"
    case "interrupted":
      return "The call was interrupted"
    default:
      return undefined
  }
}

const inShell = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c '((?:[^']|'\\'')*)'$/

/** The command without the shell it is handed to. */
const bare = (command: string): string => {
  const quoted = inShell.exec(command)?.[1]
  return quoted === undefined ? command : quoted.replaceAll("'\\''", "'")
}

/** File edits in the protocol's words. */
export const toFileChanges = (edits: ReadonlyArray<FileEdit>): ReadonlyArray<Strict.FileUpdateChange> =>
  edits.map(({ diff, kind, movedTo, path }) => ({
    path,
    kind: kind === "update" ? { type: kind, move_path: movedTo ?? null } : { type: kind },
    diff
  }))

const toContentItem = (content: ToolContent): Strict.DynamicToolCallOutputContentItem =>
  content._tag === "Text"
    ? { type: "inputText", text: content.text }
    : { type: "inputImage", imageUrl: content.url }

/** What a tool returned. What is no result of the MCP protocol becomes the text of one. */
const toMcpResult = (result: Schema.Json): Open.McpToolCallResult => {
  if (isObject(result) && Array.isArray(result["content"])) {
    return {
      content: result["content"],
      structuredContent: result["structuredContent"] ?? null,
      _meta: result["_meta"] ?? null
    }
  }
  const text = typeof result === "string" ? result : JSON.stringify(result)
  return {
    content: [{ type: "text", text }],
    structuredContent: isObject(result) ? result : null,
    _meta: null
  }
}

const collabTools: ReadonlySet<string> = new Set(
  [
    "spawnAgent",
    "sendInput",
    "resumeAgent",
    "wait",
    "closeAgent",
    "sendMessage",
    "followupTask",
    "interruptAgent",
    "listAgents"
  ] satisfies ReadonlyArray<Strict.CollabAgentTool>
)

const isCollabTool = (operation: string): operation is Strict.CollabAgentTool => collabTools.has(operation)

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const collabState = (status: ItemStatus, tool: Strict.CollabAgentTool): Strict.CollabAgentStatus => {
  switch (status) {
    case "failed":
    case "declined":
      return "errored"
    case "interrupted":
      return "interrupted"
    case "completed":
      return tool === "wait" ? "completed" : tool === "closeAgent" ? "shutdown" : "running"
    case "inProgress":
      return "running"
  }
}

/** Items of the protocol that the waist has no kind of its own for; they may come through as they are. */
const passable: ReadonlySet<string> = new Set(
  [
    "hookPrompt",
    "functionCallOutput",
    "subAgentActivity",
    "sleep",
    "imageGeneration",
    "enteredReviewMode",
    "exitedReviewMode"
  ] satisfies ReadonlyArray<Strict.ThreadItem["type"]>
)

let decodeItem: ((value: unknown) => boolean) | undefined

const isThreadItem = (value: object): value is Strict.ThreadItem => {
  const decode = decodeItem ??= (() => {
    const decode = Schema.decodeUnknownResult(Definitions.strict("ThreadItem"), { onExcessProperty: "error" })
    return (value) => decode(value)._tag === "Success"
  })()
  return decode(value)
}

/** The item as clients show it. Its `id` and times are those of `frame`. */
export const toThreadItem = (item: AgentItem, context: ItemContext, frame: ItemFrame): Strict.ThreadItem => {
  const { completedAtMs, id, startedAtMs } = frame
  switch (item._tag) {
    case "UserMessage":
      return toUserMessage(userContent(item.text, item.images), item.clientId ?? null, frame)
    case "AgentMessage":
      return {
        type: "agentMessage",
        moderation: null,
        id,
        text: item.text,
        phase: item.phase === "final" ? "final_answer" : item.phase ?? null,
        memoryCitation: null,
        delivery: null,
        questions: null,
        startedAtMs,
        completedAtMs
      }
    case "Reasoning":
      return { type: "reasoning", id, summary: item.summary, content: item.content, startedAtMs, completedAtMs }
    case "Plan":
      return { type: "plan", id, text: item.text, startedAtMs, completedAtMs }
    case "CommandExecution":
      return {
        type: "commandExecution",
        id,
        pluginId: null,
        scriptPath: null,
        command: item.command,
        cwd: item.cwd ?? context.cwd,
        // Without a process that clients could write to, a command is none of a terminal.
        processId: null,
        source: item.source === "userShell" ? "userShell" : "agent",
        status: workStatus(item.status),
        commandActions: [{ type: "unknown", command: bare(item.command) }],
        aggregatedOutput: item.output ?? null,
        exitCode: exitCode(item.exitCode),
        durationMs: duration(item.durationMs),
        startedAtMs,
        completedAtMs
      }
    case "FileChange":
      return {
        type: "fileChange",
        id,
        changes: toFileChanges(item.changes),
        status: workStatus(item.status),
        startedAtMs,
        completedAtMs
      }
    case "McpToolCall": {
      const error = item.error ?? (item.result === undefined ? reasonOf(item.status) : undefined)
      return {
        type: "mcpToolCall",
        id,
        server: item.server,
        environmentId: null,
        tool: item.tool,
        status: callStatus(item.status),
        arguments: item.arguments,
        appContext: null,
        mcpAppUi: null,
        pluginId: null,
        readOnlyHint: null,
        result: item.result === undefined ? null : toMcpResult(item.result),
        error: error === undefined ? null : { message: error },
        durationMs: duration(item.durationMs),
        startedAtMs,
        completedAtMs
      }
    }
    case "DynamicToolCall":
      return dynamicToolCall(frame, {
        namespace: item.namespace ?? context.backend,
        tool: item.tool,
        arguments: item.arguments,
        status: item.status,
        content: item.content,
        durationMs: item.durationMs
      })
    case "WebSearch":
      return {
        type: "webSearch",
        id,
        query: item.query,
        action: item.query === ""
          ? { type: "other" }
          : { type: "search", query: item.query, queries: [item.query] },
        results: null,
        startedAtMs,
        completedAtMs
      }
    case "ImageView":
      return { type: "imageView", id, path: item.path, startedAtMs, completedAtMs }
    case "SubAgent": {
      const { operation, prompt, status } = item
      if (!isCollabTool(operation)) {
        return dynamicToolCall(frame, {
          namespace: context.backend,
          tool: operation,
          arguments: { prompt: prompt ?? null, sessionIds: item.sessionIds },
          status
        })
      }
      // Clients take these for threads, whose ids are UUIDs.
      const receiverThreadIds = item.sessionIds.filter((id) => uuid.test(id))
      return {
        type: "collabAgentToolCall",
        id,
        tool: operation,
        status: agentStatus(status),
        senderThreadId: context.threadId,
        receiverThreadIds,
        prompt: prompt ?? null,
        model: null,
        reasoningEffort: null,
        agentsStates: Object.fromEntries(
          receiverThreadIds.map((id) => [id, { status: collabState(status, operation), message: null }])
        ),
        startedAtMs,
        completedAtMs
      }
    }
    case "ContextCompaction":
      return { type: "contextCompaction", id, startedAtMs, completedAtMs }
    case "UnknownItem": {
      const { raw, type } = item
      if (passable.has(type) && isObject(raw)) {
        const passed: object = { ...raw, type, id, startedAtMs, completedAtMs }
        if (isThreadItem(passed)) return passed
      }
      const status = completedAtMs === null ? "inProgress" : "completed"
      return dynamicToolCall(frame, {
        namespace: context.backend,
        tool: type,
        arguments: raw,
        status
      })
    }
  }
}

const dynamicToolCall = ({ completedAtMs, id, startedAtMs }: ItemFrame, call: {
  readonly namespace: string
  readonly tool: string
  readonly arguments: Schema.Json
  readonly status: ItemStatus
  readonly content?: ReadonlyArray<ToolContent> | undefined
  readonly durationMs?: number | undefined
}): ItemOf<"dynamicToolCall"> => {
  const reason = reasonOf(call.status)
  const content = call.content?.map(toContentItem) ??
    (reason === undefined ? null : [{ type: "inputText" as const, text: reason }])
  return {
    type: "dynamicToolCall",
    id,
    namespace: call.namespace,
    tool: call.tool,
    arguments: call.arguments,
    status: callStatus(call.status),
    contentItems: content,
    success: call.status === "inProgress" ? null : call.status === "completed",
    durationMs: duration(call.durationMs),
    startedAtMs,
    completedAtMs
  }
}

/** Of images that came with a message, an agent tells no more than how many there were. */
const userContent = (text: string, images: number): ReadonlyArray<Strict.UserInput> => {
  const parts: Array<Strict.UserInput> = text === "" && images > 0 ? [] : [{ type: "text", text, text_elements: [] }]
  if (images > 0) parts.push({ type: "text", text: images === 1 ? "[image]" : `[${images} images]`, text_elements: [] })
  return parts
}

/** What a person said, as the client sent it. */
export const toUserMessage = (
  content: ReadonlyArray<Strict.UserInput>,
  clientId: string | null,
  { completedAtMs, id, startedAtMs }: ItemFrame
): ItemOf<"userMessage"> => ({ type: "userMessage", id, clientId, content, startedAtMs, completedAtMs })

/** The item as it is shown when it starts: what it comes to is told by deltas and by its completion. */
export const begun = (item: AgentItem): AgentItem => {
  switch (item._tag) {
    case "AgentMessage":
    case "Plan":
      return { ...item, text: "" }
    case "Reasoning":
      return { ...item, summary: [], content: [] }
    case "CommandExecution": {
      const { durationMs: _, exitCode: __, output: ___, ...rest } = item
      return { ...rest, status: "inProgress" }
    }
    case "FileChange":
    case "SubAgent":
    case "ContextCompaction":
      return { ...item, status: "inProgress" }
    case "McpToolCall": {
      const { durationMs: _, error: __, result: ___, ...rest } = item
      return { ...rest, status: "inProgress" }
    }
    case "DynamicToolCall": {
      const { content: _, durationMs: __, ...rest } = item
      return { ...rest, status: "inProgress" }
    }
    default:
      return item
  }
}

/** The item as it ends: a status that is still open becomes `rest`. */
export const ended = (item: AgentItem, rest: "failed" | "interrupted"): AgentItem =>
  "status" in item && item.status === "inProgress" ? { ...item, status: rest } : item
