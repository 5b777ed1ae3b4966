/**
 * What a scripted agent says and does, as data.
 *
 * A scenario can be written in TypeScript or kept in a JSON file and read with {@link Scenario}. It holds turns, and a
 * turn holds steps that are taken one after the other. Ids are counted and times come from the `Clock`, so that the
 * same scenario gives the same events.
 */
import * as Schema from "effect/Schema"
import {
  AgentErrorReason,
  ApprovalDecision,
  FileEdit,
  Goal,
  PlanStep,
  Question,
  TurnOutcome
} from "../../agent/index.ts"

const Deltas = Schema.Array(Schema.String)
const millis = Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** How the agent asks before it acts. An empty one offers all four decisions. */
export const Approval = Schema.Struct({
  reason: Schema.optionalKey(Schema.String),
  decisions: Schema.optionalKey(Schema.Array(ApprovalDecision))
})
export type Approval = typeof Approval.Type

/**
 * A message. In each of its deltas `{{prompt}}` stands for the turn's input (its first 200 characters), `{{context}}`
 * for what it came with besides, `{{heard}}` for the inputs of the session's turns before it (joined by ` / `),
 * `{{steer}}` for the last steered text, `{{answer}}` for the last answer of a person, `{{tool}}` for the text of the
 * last host tool and `{{decision}}` for the last decision.
 */
export const Say = Schema.TaggedStruct("Say", {
  deltas: Deltas,
  phase: Schema.optionalKey(Schema.Literals(["commentary", "final"])),
  /** Pause after each delta, in milliseconds. */
  millis
})

/** Reasoning: parts of a summary and parts of raw content, each part a list of deltas. */
export const Reason = Schema.TaggedStruct("Reason", {
  summary: Schema.optionalKey(Schema.Array(Deltas)),
  content: Schema.optionalKey(Schema.Array(Deltas)),
  /** Pause after each delta, in milliseconds. */
  millis
})

/** A plan proposed as text. */
export const ProposePlan = Schema.TaggedStruct("ProposePlan", { deltas: Deltas, millis })

/** The steps of the plan, as they stand now. */
export const UpdatePlan = Schema.TaggedStruct("UpdatePlan", {
  steps: Schema.Array(PlanStep),
  explanation: Schema.optionalKey(Schema.String)
})

/** A command that is only told about: nothing is run. */
export const Command = Schema.TaggedStruct("Command", {
  command: Schema.String,
  cwd: Schema.optionalKey(Schema.String),
  output: Schema.optionalKey(Deltas),
  /** Pause after each delta of the output, in milliseconds. */
  millis,
  /** Default 0. Another one makes the item `failed`. */
  exitCode: Schema.optionalKey(Schema.Int),
  approval: Schema.optionalKey(Approval)
})

/** A change of files that is only told about: nothing is written. */
export const ChangeFiles = Schema.TaggedStruct("ChangeFiles", {
  changes: Schema.Array(FileEdit),
  approval: Schema.optionalKey(Approval)
})

/** The agent asks for more permissions. */
export const AskPermissions = Schema.TaggedStruct("AskPermissions", {
  permissions: Schema.Json,
  approval: Schema.optionalKey(Approval)
})

/** Calls a tool of the host's. */
export const CallTool = Schema.TaggedStruct("CallTool", {
  tool: Schema.String,
  namespace: Schema.optionalKey(Schema.String),
  arguments: Schema.Json
})

/** Asks a person. */
export const Ask = Schema.TaggedStruct("Ask", {
  questions: Schema.Array(Question),
  reason: Schema.optionalKey(Schema.String)
})

/** An MCP server asks for structured input, or to open a URL. */
export const Elicit = Schema.TaggedStruct("Elicit", {
  server: Schema.String,
  message: Schema.String,
  schema: Schema.optionalKey(Schema.Json),
  url: Schema.optionalKey(Schema.String)
})

/** A tool of an MCP server. `error` makes the item `failed`. */
export const CallMcp = Schema.TaggedStruct("CallMcp", {
  server: Schema.String,
  tool: Schema.String,
  arguments: Schema.Json,
  progress: Schema.optionalKey(Deltas),
  result: Schema.optionalKey(Schema.Json),
  error: Schema.optionalKey(Schema.String),
  approval: Schema.optionalKey(Approval)
})

export const SearchWeb = Schema.TaggedStruct("SearchWeb", { query: Schema.String })
export const ViewImage = Schema.TaggedStruct("ViewImage", { path: Schema.String })

/** Another agent was started, instructed or awaited. */
export const UseSubAgent = Schema.TaggedStruct("UseSubAgent", {
  operation: Schema.String,
  sessionIds: Schema.optionalKey(Schema.Array(Schema.String)),
  prompt: Schema.optionalKey(Schema.String)
})

/** The context is compacted within the turn. */
export const Compact = Schema.TaggedStruct("Compact", {})

/** An item of a kind that the library does not know. */
export const UnknownThing = Schema.TaggedStruct("UnknownThing", { type: Schema.String, raw: Schema.Json })

/** An event that the library does not know. */
export const UnknownEvent = Schema.TaggedStruct("UnknownEvent", { method: Schema.String, raw: Schema.Json })

/** The tokens of one call of the model. The turn reports the sum of its calls. */
export const Use = Schema.TaggedStruct("Use", {
  input: Count,
  cachedInput: Schema.optionalKey(Count),
  output: Count,
  reasoningOutput: Schema.optionalKey(Count),
  /** Default `true`. */
  fresh: Schema.optionalKey(Schema.Boolean),
  context: Schema.optionalKey(Schema.Struct({ used: Schema.Int, window: Schema.optionalKey(Schema.Int) }))
})

export const ShowDiff = Schema.TaggedStruct("ShowDiff", { diff: Schema.String })

/** The agent lost its model and tries again: progress. */
export const Retry = Schema.TaggedStruct("Retry", { reason: AgentErrorReason })

export const Warn = Schema.TaggedStruct("Warn", { code: Schema.String, message: Schema.String })
export const ReviewByGuardian = Schema.TaggedStruct("ReviewByGuardian", { raw: Schema.Json })
export const ChangeStatus = Schema.TaggedStruct("ChangeStatus", {
  status: Schema.String,
  flags: Schema.optionalKey(Schema.Array(Schema.String))
})

/** The agent changes its goal by itself. */
export const ChangeGoal = Schema.TaggedStruct("ChangeGoal", { goal: Schema.NullOr(Goal) })

/** Waits, in milliseconds of the `Clock`. */
export const Pause = Schema.TaggedStruct("Pause", { millis: Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)) })

/** Waits for steered input; each of these steps takes one. Its text is `{{steer}}` from then on. */
export const AwaitSteer = Schema.TaggedStruct("AwaitSteer", {})

/** Waits until the turn is interrupted. */
export const Hang = Schema.TaggedStruct("Hang", {})

/** Starts an item and never completes it, so that the end of the turn has to close it. */
export const LeaveOpen = Schema.TaggedStruct("LeaveOpen", {
  kind: Schema.Literals(["message", "reasoning", "plan", "command", "tool"]),
  /** The message's deltas, the command's output and so on. */
  deltas: Schema.optionalKey(Deltas)
})

/** Ends the turn as failed. */
export const Fail = Schema.TaggedStruct("Fail", { reason: AgentErrorReason })

/** The agent's process ends in the middle of the turn. The session can be resumed. */
export const Die = Schema.TaggedStruct("Die", {
  detail: Schema.optionalKey(Schema.String),
  exitCode: Schema.optionalKey(Schema.Int),
  signal: Schema.optionalKey(Schema.String),
  stderrTail: Schema.optionalKey(Schema.String)
})

/** Ends the turn in another way: come to rest without a word, or interrupted by nobody on this side. */
export const End = Schema.TaggedStruct("End", { outcome: TurnOutcome })

/** Everything a turn can do in sequence. */
export const Step = Schema.Union([
  Say,
  Reason,
  ProposePlan,
  UpdatePlan,
  Command,
  ChangeFiles,
  AskPermissions,
  CallTool,
  Ask,
  Elicit,
  CallMcp,
  SearchWeb,
  ViewImage,
  UseSubAgent,
  Compact,
  UnknownThing,
  UnknownEvent,
  Use,
  ShowDiff,
  Retry,
  Warn,
  ReviewByGuardian,
  ChangeStatus,
  ChangeGoal,
  Pause,
  AwaitSteer,
  Hang,
  LeaveOpen,
  Fail,
  Die,
  End
])
export type Step = typeof Step.Type

/** One step of the union by its tag. */
export type StepOf<Tag extends Step["_tag"]> = Extract<Step, { readonly _tag: Tag }>

/** One turn of the agent. */
export const ScriptedTurn = Schema.Struct({
  /**
   * The turn answers every input whose text contains this, whatever the case. Without it the turn is part of the
   * sequence: each session takes the turns of the sequence once, in their order.
   */
  match: Schema.optionalKey(Schema.String),
  /** `startTurn` fails with this; the steps are not taken. */
  refuse: Schema.optionalKey(AgentErrorReason),
  /** `false`: a kind of turn that cannot be steered. Default `true`. */
  steerable: Schema.optionalKey(Schema.Boolean),
  steps: Schema.Array(Step)
})
export type ScriptedTurn = typeof ScriptedTurn.Type

const flag = Schema.optionalKey(Schema.Boolean)

/** A scripted agent. Every field can be left out. */
export const Scenario = Schema.Struct({
  /** The backend's id. Default `scripted`. */
  id: Schema.optionalKey(Schema.String),
  version: Schema.optionalKey(Schema.String),
  /** What the agent can do. Default: everything. What is `false` is refused with `CapabilityMissing`. */
  capabilities: Schema.optionalKey(Schema.Struct({
    steer: flag,
    /** `false`: an interrupted turn ends here, and the agent never confirms it. */
    interrupt: flag,
    compact: flag,
    resume: flag,
    fork: flag,
    goals: flag,
    approvals: flag,
    hostTools: flag,
    images: flag,
    reasoning: flag,
    plan: flag,
    models: flag,
    outputSchema: flag,
    sandbox: flag
  })),
  models: Schema.optionalKey(Schema.Array(Schema.Struct({
    id: Schema.String,
    name: Schema.String,
    description: Schema.String,
    isDefault: Schema.Boolean,
    efforts: Schema.Array(Schema.String)
  }))),
  /**
   * Whether a session calls itself durable once it has accepted a turn. Default `true`. Sessions are kept for as long
   * as the layer lives, which within one process is what a host needs to resume them.
   */
  durable: Schema.optionalKey(Schema.Boolean),
  /** Opening a session and probing fail with this. */
  unavailable: Schema.optionalKey(AgentErrorReason),
  turns: Schema.optionalKey(Schema.Array(ScriptedTurn)),
  /** What answers an input for which there is no turn. Default: an introduction of the scripted agent. */
  fallback: Schema.optionalKey(Schema.Array(Step)),
  /** What happens when a compaction is asked for. Default: it succeeds. */
  compaction: Schema.optionalKey(Schema.Array(Step))
})
export type Scenario = typeof Scenario.Type
