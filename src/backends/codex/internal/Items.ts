/**
 * Codex thread items as items of the waist. Pure.
 */
import type * as Schema from "effect/Schema"
import type { AgentItem, FileEdit, ItemStatus, ToolContent } from "../../../agent/AgentItem.ts"
import { given } from "./given.ts"
import type * as Wire from "./Wire.ts"

/** A status of a codex item; one that a later codex adds counts as still open. */
const status = (value: string): ItemStatus => {
  switch (value) {
    case "completed":
    case "failed":
    case "declined":
    case "interrupted":
      return value
    default:
      return "inProgress"
  }
}

export const fileEdit = (change: Wire.FileUpdateChange): FileEdit => {
  const { diff, kind, path } = change
  switch (kind.type) {
    case "add":
    case "delete":
      return { path, kind: kind.type, diff }
    default: {
      const movedTo = kind.type === "update" ? kind.move_path : undefined
      return { path, kind: "update", diff, ...(movedTo == null ? {} : { movedTo }) }
    }
  }
}

export const toolContent = (content: Wire.DynamicToolCallOutputContentItem): ToolContent => {
  switch (content.type) {
    case "inputText":
      return { _tag: "Text", text: content.text }
    case "inputImage":
      return { _tag: "Image", url: content.imageUrl }
    default:
      return { _tag: "Text", text: `[${content.type}]` }
  }
}

const userText = (content: ReadonlyArray<Wire.UserInput>): string =>
  content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n")

const isImage = (part: Wire.UserInput): boolean => part.type === "image" || part.type === "localImage"

/** The message of a phase: what is said on the way, or the answer. */
const phase = (value: string | null | undefined): { readonly phase?: "commentary" | "final" } => {
  switch (value) {
    case "commentary":
      return { phase: "commentary" }
    case "partial_answer":
    case "final_answer":
      return { phase: "final" }
    default:
      return {}
  }
}

/**
 * Projects an item as it stands on the wire.
 *
 * `compaction` has no status of its own there: `completed` says whether the item's end has been reported.
 */
export const fromThreadItem = (item: Wire.ThreadItem, completed: boolean): AgentItem => {
  switch (item.type) {
    case "userMessage":
      return {
        _tag: "UserMessage",
        id: item.id,
        text: userText(item.content),
        images: item.content.filter(isImage).length,
        ...given("clientId", item.clientId)
      }
    case "agentMessage":
      return { _tag: "AgentMessage", id: item.id, text: item.text, ...phase(item.phase) }
    case "reasoning":
      return { _tag: "Reasoning", id: item.id, summary: item.summary ?? [], content: item.content ?? [] }
    case "plan":
      return { _tag: "Plan", id: item.id, text: item.text }
    case "commandExecution":
      return {
        _tag: "CommandExecution",
        id: item.id,
        command: item.command,
        status: status(item.status),
        ...given("cwd", item.cwd),
        ...given("output", item.aggregatedOutput),
        ...given("exitCode", item.exitCode),
        ...given("durationMs", item.durationMs),
        ...given("source", item.source)
      }
    case "fileChange":
      return { _tag: "FileChange", id: item.id, status: status(item.status), changes: item.changes.map(fileEdit) }
    case "mcpToolCall":
      return {
        _tag: "McpToolCall",
        id: item.id,
        server: item.server,
        tool: item.tool,
        status: status(item.status),
        arguments: json(item.arguments),
        ...given("result", item.result == null ? undefined : json(item.result)),
        ...given("error", item.error?.message),
        ...given("durationMs", item.durationMs)
      }
    case "dynamicToolCall":
      return {
        _tag: "DynamicToolCall",
        id: item.id,
        tool: item.tool,
        status: status(item.status),
        arguments: json(item.arguments),
        ...given("namespace", item.namespace),
        ...given("content", item.contentItems?.map(toolContent)),
        ...given("durationMs", item.durationMs)
      }
    case "webSearch":
      return { _tag: "WebSearch", id: item.id, query: item.query }
    case "imageView":
      return { _tag: "ImageView", id: item.id, path: item.path }
    case "collabAgentToolCall":
      return {
        _tag: "SubAgent",
        id: item.id,
        operation: item.tool,
        status: status(item.status),
        sessionIds: item.receiverThreadIds,
        ...given("prompt", item.prompt)
      }
    case "contextCompaction":
      return { _tag: "ContextCompaction", id: item.id, status: completed ? "completed" : "inProgress" }
    default:
      return {
        _tag: "UnknownItem",
        id: typeof item.id === "string" ? item.id : String(item.type),
        type: String(item.type),
        raw: json(item)
      }
  }
}

/** Parameters come from `JSON.parse`, which gives nothing but JSON: the cast says what the schema leaves open. */
export const json = (value: unknown): Schema.Json => value as Schema.Json

/** The item as it is closed when its agent never completed it. */
export const closeItem = (item: AgentItem, outcome: "interrupted" | "failed"): AgentItem =>
  "status" in item && item.status === "inProgress" ? { ...item, status: outcome } : item
