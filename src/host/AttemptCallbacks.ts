/**
 * How a host watches an attempt.
 *
 * Callbacks are called in order, each one awaited before the next. They can never disturb the turn: one that throws
 * or rejects is noted in the result's `diagnostics`; while they are slow, adjacent deltas are merged.
 */
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { AgentError } from "../agent/AgentError.ts"
import type { AgentEvent, PlanStep, Usage } from "../agent/AgentEvent.ts"
import type { AgentItem } from "../agent/AgentItem.ts"
import type { AttemptResult, ToolSummary } from "./AttemptResult.ts"

type Callback<A> = (payload: A) => void | PromiseLike<void>

/** A text that grows: all of it so far, and what was added. */
export interface TextProgress {
  readonly itemId: string
  readonly text: string
  readonly delta: string
}

export interface ToolProgress extends ToolSummary {
  readonly item: AgentItem
}

export interface AttemptCallbacks {
  /** The answer as it is written. Commentary on the way is left out; it comes as events. */
  readonly onPartialReply?: Callback<TextProgress> | undefined
  /** The agent begins a message that is not commentary. */
  readonly onAssistantMessageStart?: Callback<{ readonly itemId: string }> | undefined
  /** A message that is not commentary, complete. */
  readonly onBlockReply?: Callback<{ readonly itemId: string; readonly text: string }> | undefined
  /** Reasoning as it is thought; the summary where the agent gives one. */
  readonly onReasoningStream?:
    | Callback<TextProgress & { readonly kind: "summary" | "reasoning" }>
    | undefined
  readonly onReasoningEnd?: Callback<{ readonly itemId: string; readonly text: string }> | undefined
  /** A plan that is proposed as text, as it is written. */
  readonly onPlanStream?: Callback<TextProgress> | undefined
  /** The steps of the plan that the agent follows. */
  readonly onPlanUpdate?:
    | Callback<{ readonly explanation?: string | undefined; readonly steps: ReadonlyArray<PlanStep> }>
    | undefined
  /** All file changes of the turn so far, as one unified diff. */
  readonly onDiffUpdate?: Callback<{ readonly diff: string }> | undefined
  readonly onToolStart?: Callback<ToolProgress> | undefined
  /** Output of a running tool. */
  readonly onToolOutput?: Callback<{ readonly itemId: string; readonly delta: string }> | undefined
  readonly onToolResult?: Callback<ToolProgress> | undefined
  readonly onUsage?: Callback<Usage> | undefined
  readonly onCompaction?:
    | Callback<{ readonly phase: "start" | "end"; readonly itemId: string; readonly completed: boolean }>
    | undefined
  /** What the agent says of itself, e.g. `active`, `idle`, with flags such as `waitingOnApproval`. Diagnostic. */
  readonly onStatus?: Callback<{ readonly status: string; readonly flags: ReadonlyArray<string> }> | undefined
  /** An automatic review of an approval. Telemetry that the agent marks unstable. */
  readonly onGuardianReview?:
    | Callback<{ readonly phase: "started" | "completed"; readonly raw: Schema.Json }>
    | undefined
  /** The agent lost its model and tries again by itself. */
  readonly onRetry?: Callback<{ readonly error: AgentError }> | undefined
  /** Each phase once. */
  readonly onExecutionPhase?:
    | Callback<{ readonly phase: "turn_accepted" | "assistant_output_started" | "tool_execution_started" }>
    | undefined
  /** Every event; the last one is always `TurnEnded`. */
  readonly onAgentEvent?: Callback<AgentEvent> | undefined
  /** As `onAgentEvent`, for hosts on Effect. */
  readonly onEvent?: ((event: AgentEvent) => Effect.Effect<void>) | undefined
  /** The result, once, also when the fiber of the attempt was interrupted. */
  readonly onEnd?: Callback<AttemptResult> | undefined
}
