/**
 * What a running turn tells, in order, ending in exactly one `TurnEnded`.
 */
import * as Schema from "effect/Schema"
import { AgentError } from "./AgentError.ts"
import { AgentItem } from "./AgentItem.ts"

/** Tokens of one turn: the difference between two readings of a cumulative total. */
export const Usage = Schema.Struct({
  /** All input tokens, cached ones included. */
  input: Schema.Int,
  cachedInput: Schema.Int,
  /** All output tokens, reasoning included. */
  output: Schema.Int,
  reasoningOutput: Schema.Int,
  total: Schema.Int,
  /**
   * `false` when the figures cannot be compared with an earlier reading, so that they may be too small or
   * too large: nothing was reported, or the total went backwards.
   */
  fresh: Schema.Boolean,
  /** Tokens now in the context, and how many the model can hold. Not a sum over requests. */
  context: Schema.optionalKey(Schema.Struct({ used: Schema.Int, window: Schema.optionalKey(Schema.Int) }))
})
export type Usage = typeof Usage.Type

export const emptyUsage: Usage = { input: 0, cachedInput: 0, output: 0, reasoningOutput: 0, total: 0, fresh: false }

export const PlanStep = Schema.Struct({
  step: Schema.String,
  status: Schema.Literals(["pending", "inProgress", "completed"])
})
export type PlanStep = typeof PlanStep.Type

export const Goal = Schema.Struct({
  objective: Schema.String,
  /** e.g. `active`, `paused`, `complete`, `budgetLimited`. */
  status: Schema.String,
  tokenBudget: Schema.optionalKey(Schema.Int),
  tokensUsed: Schema.Int,
  /** Seconds. */
  timeUsed: Schema.Finite
})
export type Goal = typeof Goal.Type

/** How a turn ended. */
export const TurnOutcome = Schema.Union([
  Schema.TaggedStruct("Completed", {}),
  Schema.TaggedStruct("Interrupted", {
    /** Whether this side asked for it. */
    requested: Schema.Boolean,
    /** Whether the agent itself reported the end of the turn. `false`: it may still be running. */
    confirmed: Schema.Boolean
  }),
  Schema.TaggedStruct("Failed", { error: AgentError }),
  /** The agent came to rest without saying how the turn ended. What was said and done until then stands. */
  Schema.TaggedStruct("Incomplete", { detail: Schema.String })
])
export type TurnOutcome = typeof TurnOutcome.Type

/** Which text of an item a delta belongs to. */
export const DeltaField = Schema.Literals(["text", "summary", "reasoning", "plan", "output", "progress"])
export type DeltaField = typeof DeltaField.Type

export const TurnStarted = Schema.TaggedStruct("TurnStarted", { turnId: Schema.String })
export const ItemStarted = Schema.TaggedStruct("ItemStarted", { item: AgentItem })
export const ItemDelta = Schema.TaggedStruct("ItemDelta", {
  itemId: Schema.String,
  field: DeltaField,
  /** Part of a text that comes in parts (reasoning); 0 elsewhere. */
  index: Schema.Int,
  delta: Schema.String
})
/** The item as it stands now, replacing what was known of it. */
export const ItemUpdated = Schema.TaggedStruct("ItemUpdated", { item: AgentItem })
export const ItemCompleted = Schema.TaggedStruct("ItemCompleted", {
  item: AgentItem,
  /** `true` when the agent never completed the item and it was closed because its turn or attempt ended. */
  closed: Schema.Boolean
})
export const PlanUpdated = Schema.TaggedStruct("PlanUpdated", {
  explanation: Schema.optionalKey(Schema.String),
  steps: Schema.Array(PlanStep)
})
/** All file changes of the turn so far, as one unified diff. */
export const DiffUpdated = Schema.TaggedStruct("DiffUpdated", { diff: Schema.String })
export const UsageUpdated = Schema.TaggedStruct("UsageUpdated", { usage: Usage })
export const GoalUpdated = Schema.TaggedStruct("GoalUpdated", { goal: Schema.NullOr(Goal) })
/** The agent lost its model and tries again by itself: progress, not an end. */
export const Retrying = Schema.TaggedStruct("Retrying", {
  error: AgentError,
  /** What the agent tells people of it, where it tells the cause apart; `error` has both in one sentence. */
  notice: Schema.optionalKey(Schema.Struct({
    /** e.g. `Reconnecting... 1/5`. */
    text: Schema.String,
    cause: Schema.String
  }))
})
export const Warning = Schema.TaggedStruct("Warning", {
  /** e.g. `configWarning`, `deprecationNotice`, `modelRerouted`, `malformedNotification`. */
  code: Schema.String,
  message: Schema.String
})
/** A guardian's automatic review of an approval. Telemetry: the agent marks it unstable. */
export const GuardianReview = Schema.TaggedStruct("GuardianReview", {
  phase: Schema.Literals(["started", "completed"]),
  raw: Schema.Json
})
/** e.g. `active`, `idle`, `systemError`; flags e.g. `waitingOnApproval`. Diagnostic. */
export const StatusChanged = Schema.TaggedStruct("StatusChanged", {
  status: Schema.String,
  flags: Schema.Array(Schema.String)
})
/** The agent asks the host something and waits. */
export const RequestOpened = Schema.TaggedStruct("RequestOpened", {
  requestId: Schema.String,
  kind: Schema.Literals(["approval", "question", "elicitation", "tool"]),
  itemId: Schema.optionalKey(Schema.String),
  /** One line for people. */
  title: Schema.String
})
export const RequestResolved = Schema.TaggedStruct("RequestResolved", {
  requestId: Schema.String,
  /** e.g. `accept`, `decline`, `answered`, `failed`, `withdrawn`. */
  resolution: Schema.String
})
/** Something of this turn that the library does not know: kept as it came. */
export const Unrecognized = Schema.TaggedStruct("Unrecognized", { method: Schema.String, raw: Schema.Json })
export const TurnEnded = Schema.TaggedStruct("TurnEnded", {
  outcome: TurnOutcome,
  /** Milliseconds, as the agent counts them. */
  durationMs: Schema.optionalKey(Schema.Finite)
})

export const AgentEvent = Schema.Union([
  TurnStarted,
  ItemStarted,
  ItemDelta,
  ItemUpdated,
  ItemCompleted,
  PlanUpdated,
  DiffUpdated,
  UsageUpdated,
  GoalUpdated,
  Retrying,
  Warning,
  GuardianReview,
  StatusChanged,
  RequestOpened,
  RequestResolved,
  Unrecognized,
  TurnEnded
])
export type AgentEvent = typeof AgentEvent.Type

/** One event of the union by its tag. */
export type EventOf<Tag extends AgentEvent["_tag"]> = Extract<AgentEvent, { readonly _tag: Tag }>
