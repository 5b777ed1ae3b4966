/**
 * What a turn consists of: messages, reasoning, tool calls. One tagged union in the field's own vocabulary.
 *
 * An item is started once, may grow by deltas or be replaced by an update, and is completed once.
 * Fields that an agent did not report are missing; nothing is invented.
 */
import * as Schema from "effect/Schema"

/** `declined`: a person or policy said no. `interrupted`: the turn ended first. */
export const ItemStatus = Schema.Literals(["inProgress", "completed", "failed", "declined", "interrupted"])
export type ItemStatus = typeof ItemStatus.Type

const id = Schema.String

export const UserMessage = Schema.TaggedStruct("UserMessage", {
  id,
  text: Schema.String,
  /** How many images came with the text. */
  images: Schema.Int,
  /** The id that the host gave the input, where the agent echoes it. */
  clientId: Schema.optionalKey(Schema.String)
})
export type UserMessage = typeof UserMessage.Type

export const AgentMessage = Schema.TaggedStruct("AgentMessage", {
  id,
  text: Schema.String,
  /** `commentary` is said on the way, `final` is the answer; missing where the agent does not tell. */
  phase: Schema.optionalKey(Schema.Literals(["commentary", "final"]))
})
export type AgentMessage = typeof AgentMessage.Type

export const Reasoning = Schema.TaggedStruct("Reasoning", {
  id,
  /** Summary parts meant for people. */
  summary: Schema.Array(Schema.String),
  /** Raw reasoning, where the model gives it. */
  content: Schema.Array(Schema.String)
})
export type Reasoning = typeof Reasoning.Type

/** A plan that is proposed as text (the plan's steps come as `PlanUpdated` events). */
export const Plan = Schema.TaggedStruct("Plan", { id, text: Schema.String })
export type Plan = typeof Plan.Type

export const CommandExecution = Schema.TaggedStruct("CommandExecution", {
  id,
  /** Words, quoted as for a shell; a script is one of the words of the shell that runs it, e.g. `bash -c 'a | b'`. */
  command: Schema.String,
  cwd: Schema.optionalKey(Schema.String),
  status: ItemStatus,
  /** Standard output and error as the agent collected them. The truth over any deltas. */
  output: Schema.optionalKey(Schema.String),
  exitCode: Schema.optionalKey(Schema.Int),
  durationMs: Schema.optionalKey(Schema.Finite),
  /** Who asked for it, e.g. `agent`, `userShell`. */
  source: Schema.optionalKey(Schema.String)
})
export type CommandExecution = typeof CommandExecution.Type

export const FileEdit = Schema.Struct({
  path: Schema.String,
  kind: Schema.Literals(["add", "delete", "update"]),
  /** Where an updated file was moved to. */
  movedTo: Schema.optionalKey(Schema.String),
  /** Unified diff, or the whole content of an added or deleted file. */
  diff: Schema.String
})
export type FileEdit = typeof FileEdit.Type

export const FileChange = Schema.TaggedStruct("FileChange", {
  id,
  status: ItemStatus,
  changes: Schema.Array(FileEdit),
  /** `true` while the agent still writes it: nothing is asked or done yet, and the changes are what there is of them. */
  draft: Schema.optionalKey(Schema.Boolean)
})
export type FileChange = typeof FileChange.Type

export const McpToolCall = Schema.TaggedStruct("McpToolCall", {
  id,
  server: Schema.String,
  tool: Schema.String,
  status: ItemStatus,
  arguments: Schema.Json,
  result: Schema.optionalKey(Schema.Json),
  error: Schema.optionalKey(Schema.String),
  durationMs: Schema.optionalKey(Schema.Finite)
})
export type McpToolCall = typeof McpToolCall.Type

/** One piece of what a tool returned. */
export const ToolContent = Schema.Union([
  Schema.TaggedStruct("Text", { text: Schema.String }),
  /** `url` is a data URL or a remote address. */
  Schema.TaggedStruct("Image", { url: Schema.String })
])
export type ToolContent = typeof ToolContent.Type

/** A tool that the host gave to the agent. */
export const DynamicToolCall = Schema.TaggedStruct("DynamicToolCall", {
  id,
  namespace: Schema.optionalKey(Schema.String),
  tool: Schema.String,
  status: ItemStatus,
  arguments: Schema.Json,
  content: Schema.optionalKey(Schema.Array(ToolContent)),
  durationMs: Schema.optionalKey(Schema.Finite)
})
export type DynamicToolCall = typeof DynamicToolCall.Type

export const WebSearch = Schema.TaggedStruct("WebSearch", { id, query: Schema.String })
export type WebSearch = typeof WebSearch.Type

export const ImageView = Schema.TaggedStruct("ImageView", { id, path: Schema.String })
export type ImageView = typeof ImageView.Type

/** The agent started, instructed or awaited another agent. */
export const SubAgent = Schema.TaggedStruct("SubAgent", {
  id,
  /** What was done, e.g. `spawnAgent`, `wait`. */
  operation: Schema.String,
  status: ItemStatus,
  sessionIds: Schema.Array(Schema.String),
  prompt: Schema.optionalKey(Schema.String)
})
export type SubAgent = typeof SubAgent.Type

export const ContextCompaction = Schema.TaggedStruct("ContextCompaction", { id, status: ItemStatus })
export type ContextCompaction = typeof ContextCompaction.Type

/** An item of a kind that this library does not know: kept as it came. */
export const UnknownItem = Schema.TaggedStruct("UnknownItem", {
  id,
  type: Schema.String,
  raw: Schema.Json
})
export type UnknownItem = typeof UnknownItem.Type

export const AgentItem = Schema.Union([
  UserMessage,
  AgentMessage,
  Reasoning,
  Plan,
  CommandExecution,
  FileChange,
  McpToolCall,
  DynamicToolCall,
  WebSearch,
  ImageView,
  SubAgent,
  ContextCompaction,
  UnknownItem
])
export type AgentItem = typeof AgentItem.Type

/** Whether an item is work done in the world, as opposed to something said. */
export const isToolItem = (item: AgentItem): boolean => {
  switch (item._tag) {
    case "CommandExecution":
    case "FileChange":
    case "McpToolCall":
    case "DynamicToolCall":
    case "WebSearch":
    case "ImageView":
    case "SubAgent":
      return true
    default:
      return false
  }
}
