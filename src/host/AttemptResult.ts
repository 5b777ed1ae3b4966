/**
 * What an attempt came to: one value for every end that an agent's turn can have.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { SessionRef } from "../agent/AgentBackend.ts"
import { AgentError } from "../agent/AgentError.ts"
import { Usage } from "../agent/AgentEvent.ts"
import { ItemStatus } from "../agent/AgentItem.ts"
import { SelectionRecord } from "../backends/selector/Selection.ts"

/** The final answer does not fit the output schema of the attempt. */
export class OutputInvalid extends Schema.TaggedError<OutputInvalid>()("OutputInvalid", {
  /** The final answer as the agent gave it. */
  raw: Schema.String,
  /** What does not fit, and where. */
  issue: Schema.String
}) {
  override get message(): string {
    return `The final answer does not fit the output schema: ${this.issue}`
  }
}

const Failure = Schema.Union([AgentError, OutputInvalid])

/** Why an attempt did not complete. */
export type AttemptFailure = typeof Failure.Type

/** The failure's own tag: that of the reason where there is one. */
export const failureTag = (failure: AttemptFailure): string =>
  failure._tag === "AgentError" ? failure.reason._tag : failure._tag

// As JSON an error has its tag and its message on top, for readers that know none of the classes.
const ReportedFailure = Schema.Struct({ _tag: Schema.String, message: Schema.String, cause: Failure }).pipe(
  Schema.decodeTo(
    Schema.toType(Failure),
    SchemaTransformation.transform({
      decode: (reported) => reported.cause,
      encode: (cause) => ({ _tag: failureTag(cause), message: cause.message, cause })
    })
  )
)

/**
 * - `completed`: the agent finished the turn (and the output fits its schema).
 * - `interrupted`: the host stopped it, or somebody at the agent did.
 * - `failed`: the agent, its model or its connection failed, or the output is invalid.
 * - `timeout`: a deadline of the attempt passed.
 * - `incomplete`: the agent came to rest without saying how the turn ended.
 * - `unavailable`: the agent could not be started or has no account; nothing was sent.
 */
export const AttemptStatus = Schema.Literals([
  "completed",
  "interrupted",
  "failed",
  "timeout",
  "incomplete",
  "unavailable"
])
export type AttemptStatus = typeof AttemptStatus.Type

/** One piece of work that the agent did, in one line. */
export const ToolSummary = Schema.Struct({
  id: Schema.String,
  /** e.g. `command`, `file_change`, `server.tool`, the name of a host tool. */
  name: Schema.String,
  status: ItemStatus,
  /** One line for people. */
  summary: Schema.String,
  durationMs: Schema.optionalKey(Schema.Finite)
})
export type ToolSummary = typeof ToolSummary.Type

/** Whether the prompt can be sent again without doing something twice. */
export const Replay = Schema.Struct({
  safe: Schema.Boolean,
  /**
   * The strongest fact that is known: `not_accepted` (the only safe one), `maybe_accepted` (the request may have
   * reached the agent), `accepted`, `assistant_output`, `tool_activity`, `active_item` (work was still open).
   */
  reason: Schema.Literals([
    "not_accepted",
    "maybe_accepted",
    "accepted",
    "assistant_output",
    "tool_activity",
    "active_item"
  ])
})
export type Replay = typeof Replay.Type

export const AttemptResult = Schema.Struct({
  status: AttemptStatus,
  /** Id of the backend that ran the attempt. */
  backend: Schema.String,
  /** Why that one, where a selector has chosen it. */
  selection: Schema.optionalKey(SelectionRecord),
  /** The agent that was chosen first, and failed before it had taken the prompt: the attempt began anew on this one. */
  fallback: Schema.optionalKey(Schema.Struct({ from: Schema.String, reason: Schema.String, error: ReportedFailure })),
  /** The id that the host gave the attempt, or that was given to it. */
  runId: Schema.String,
  turnId: Schema.optionalKey(Schema.String),
  /** The agent's messages in order, without commentary; the commentary where there is nothing else. */
  assistantTexts: Schema.Array(Schema.String),
  /** One text for each reasoning item: its summary, or the raw reasoning where there is no summary. */
  reasoningTexts: Schema.Array(Schema.String),
  /** The plan that was proposed as text, e.g. in plan mode. */
  planText: Schema.optionalKey(Schema.String),
  toolSummaries: Schema.Array(ToolSummary),
  usage: Usage,
  compactionCount: Schema.Int,
  /** `completed`, `interrupted`, `timeout`, `idle_timeout`, `incomplete`, or the failure's tag in snake case. */
  stopReason: Schema.String,
  /** How to resume the conversation; `null` when none was opened. */
  session: Schema.NullOr(SessionRef),
  replay: Replay,
  /** Of an interrupted attempt or a timeout: whether the agent reported the end. `false`: it may still be running. */
  interruptConfirmed: Schema.optionalKey(Schema.Boolean),
  /** The final answer as JSON, valid under the output schema that was asked for. */
  structuredOutput: Schema.optionalKey(Schema.Json),
  error: Schema.optionalKey(ReportedFailure),
  itemLifecycle: Schema.Struct({
    started: Schema.Int,
    completed: Schema.Int,
    /** Items that the agent never completed; `started` is the sum of the other two. */
    closed: Schema.Int
  }),
  /** What went wrong on the side, one line each: warnings, failed callbacks, what was dropped. */
  diagnostics: Schema.Array(Schema.String)
})
export type AttemptResult = typeof AttemptResult.Type

/** The flat fields that hosts of the embedded-agent family read. All derived. */
export interface LegacyResult {
  readonly aborted: boolean
  readonly externalAbort: boolean
  readonly timedOut: boolean
  readonly idleTimedOut: boolean
  readonly promptError: AttemptFailure | null
  readonly lastAssistant: string | undefined
  readonly attemptUsage: Usage
  readonly toolMetas: ReadonlyArray<
    { readonly toolName: string; readonly toolCallId: string; readonly meta: string; readonly isError: boolean }
  >
  readonly lastToolError: { readonly toolName: string; readonly error: string } | undefined
  readonly replayMetadata: { readonly hadPotentialSideEffects: boolean; readonly replaySafe: boolean }
}

/** Derives the flat result fields from a result. */
export const toLegacy = (result: AttemptResult): LegacyResult => {
  const failedTool = result.toolSummaries.findLast((tool) => tool.status === "failed")
  return {
    aborted: result.status === "interrupted" || result.status === "timeout",
    externalAbort: result.status === "interrupted",
    timedOut: result.status === "timeout",
    idleTimedOut: result.stopReason === "idle_timeout",
    promptError: result.error ?? null,
    lastAssistant: result.assistantTexts.at(-1),
    attemptUsage: result.usage,
    toolMetas: result.toolSummaries.map((tool) => ({
      toolName: tool.name,
      toolCallId: tool.id,
      meta: tool.summary,
      isError: tool.status === "failed"
    })),
    lastToolError: failedTool === undefined ? undefined : { toolName: failedTool.name, error: failedTool.summary },
    replayMetadata: {
      hadPotentialSideEffects: result.replay.reason === "tool_activity" || result.replay.reason === "active_item",
      replaySafe: result.replay.safe
    }
  }
}
