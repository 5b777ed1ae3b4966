/**
 * How an agent asks back: for approval, for an answer, for a tool of the host's.
 *
 * The default declines everything at once, so that an agent never waits for somebody who is not there.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { FileEdit, ToolContent } from "./AgentItem.ts"

const common = {
  /** The agent's id of the item the request belongs to. */
  itemId: Schema.String,
  sessionId: Schema.String,
  turnId: Schema.String,
  reason: Schema.optionalKey(Schema.String)
}

/** What the agent offers to be answered; anything else falls back to the safest that is offered. */
export const ApprovalDecision = Schema.Literals(["accept", "acceptForSession", "decline", "cancel"])
export type ApprovalDecision = typeof ApprovalDecision.Type

const decisions = { decisions: Schema.Array(ApprovalDecision) }

export const ApprovalRequest = Schema.Union([
  Schema.TaggedStruct("Command", {
    ...common,
    ...decisions,
    command: Schema.String,
    cwd: Schema.optionalKey(Schema.String),
    /** Host and protocol, when the question is whether the command may reach the network. */
    network: Schema.optionalKey(Schema.Json)
  }),
  Schema.TaggedStruct("FileChange", {
    ...common,
    ...decisions,
    changes: Schema.Array(FileEdit),
    /** A directory that would become writable for the rest of the session. */
    grantRoot: Schema.optionalKey(Schema.String)
  }),
  /** The agent wants more permissions (network, file system) for this turn. */
  Schema.TaggedStruct("Permissions", {
    ...common,
    ...decisions,
    permissions: Schema.Json,
    cwd: Schema.optionalKey(Schema.String)
  }),
  /** An MCP tool that changes something. */
  Schema.TaggedStruct("McpTool", {
    ...common,
    ...decisions,
    server: Schema.String,
    message: Schema.String
  })
])
export type ApprovalRequest = typeof ApprovalRequest.Type

export const Question = Schema.Struct({
  id: Schema.String,
  header: Schema.String,
  question: Schema.String,
  /** Whether the answer must not be shown, logged or recorded. */
  isSecret: Schema.Boolean,
  /** Whether an answer other than the options is allowed. */
  allowsOther: Schema.Boolean,
  options: Schema.Array(Schema.Struct({ label: Schema.String, description: Schema.String }))
})
export type Question = typeof Question.Type

export const QuestionRequest = Schema.Struct({ ...common, questions: Schema.Array(Question) })
export type QuestionRequest = typeof QuestionRequest.Type

/** Answers by question id. An empty record: nobody answered. */
export const QuestionAnswers = Schema.Record(Schema.String, Schema.Array(Schema.String))
export type QuestionAnswers = typeof QuestionAnswers.Type

/** An MCP server asks for structured input. */
export const ElicitationRequest = Schema.Struct({
  sessionId: Schema.String,
  turnId: Schema.optionalKey(Schema.String),
  server: Schema.String,
  message: Schema.String,
  /** JSON Schema of the answer; missing where the server sends the person to a URL. */
  schema: Schema.optionalKey(Schema.Json),
  url: Schema.optionalKey(Schema.String)
})
export type ElicitationRequest = typeof ElicitationRequest.Type

export const ElicitationAnswer = Schema.Union([
  Schema.TaggedStruct("Accept", { content: Schema.Json }),
  Schema.TaggedStruct("Decline", {}),
  Schema.TaggedStruct("Cancel", {})
])
export type ElicitationAnswer = typeof ElicitationAnswer.Type

/** A tool of the host's that the agent may call. */
export interface ToolSpec {
  /** `[A-Za-z0-9_-]{1,128}`, unique. */
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: Schema.Json
}

export const ToolCall = Schema.Struct({
  callId: Schema.String,
  sessionId: Schema.String,
  turnId: Schema.String,
  namespace: Schema.optionalKey(Schema.String),
  tool: Schema.String,
  arguments: Schema.Json
})
export type ToolCall = typeof ToolCall.Type

export const ToolResult = Schema.Struct({ success: Schema.Boolean, content: Schema.Array(ToolContent) })
export type ToolResult = typeof ToolResult.Type

/** A host's handler failed or has no route; the agent is answered with the family's own refusal. */
export class TurnHostError extends Schema.TaggedError<TurnHostError>()("TurnHostError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

export interface TurnHostService {
  /** Tools to register when a session is opened. */
  readonly tools: ReadonlyArray<ToolSpec>
  readonly approve: (request: ApprovalRequest) => Effect.Effect<ApprovalDecision, TurnHostError>
  readonly answer: (request: QuestionRequest) => Effect.Effect<QuestionAnswers, TurnHostError>
  readonly elicit: (request: ElicitationRequest) => Effect.Effect<ElicitationAnswer, TurnHostError>
  readonly callTool: (call: ToolCall) => Effect.Effect<ToolResult, TurnHostError>
}

/** Declines approvals and elicitations, answers no question, knows no tool. */
export const declining: TurnHostService = {
  tools: [],
  approve: () => Effect.succeed("decline"),
  answer: () => Effect.succeed({}),
  elicit: () => Effect.succeed({ _tag: "Decline" }),
  callTool: (call) =>
    Effect.succeed({
      success: false,
      content: [{ _tag: "Text", text: `The host has no tool named ${call.tool}.` }]
    })
}

/**
 * The host of the turns that are started under it; {@link declining} unless one is provided.
 *
 * A handler runs on a fiber of its own, belongs to the turn that asked, and is interrupted with it.
 */
export const TurnHost = Context.Reference<TurnHostService>("effect-codex-bridge/agent/TurnHost", {
  defaultValue: () => declining
})
