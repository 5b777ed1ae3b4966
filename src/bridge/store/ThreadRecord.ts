/**
 * What is stored of a thread, its turns and their items. Times are milliseconds since 1970.
 */
import * as Schema from "effect/Schema"
import { SessionPoint, SessionRef } from "../../agent/AgentBackend.ts"
import * as Definitions from "../../protocol/Definitions.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { ThreadId } from "./ThreadId.ts"

/** A type of the protocol, as it is sent. Its schema is built at its first use. */
const wire = <Name extends keyof Strict.Definitions>(name: Name): Schema.Codec<Strict.Definitions[Name]> =>
  Schema.suspend(() => Definitions.strict(name))

const nullable = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** What an agent's own configuration sets, as far as it is known. */
export const AgentSettings = Schema.Struct({
  approvalPolicy: Schema.optionalKey(wire("AskForApproval")),
  sandboxPolicy: Schema.optionalKey(wire("SandboxPolicy")),
  activePermissionProfile: nullable(wire("ActivePermissionProfile")),
  personality: nullable(wire("Personality")),
  summary: nullable(wire("ReasoningSummary")),
  /** What `workspace-write` comes to, whether that is the mode or not. */
  workspaceWrite: Schema.optionalKey(wire("SandboxPolicy"))
})
export type AgentSettings = typeof AgentSettings.Type

/** Settings of a thread that its turns start with. What is missing was never set. */
export const ThreadSettings = Schema.Struct({
  /** Shown where nobody has set anything else, and never told to the agent, which knows it better. */
  agent: Schema.optionalKey(AgentSettings),
  approvalPolicy: Schema.optionalKey(wire("AskForApproval")),
  approvalsReviewer: Schema.optionalKey(wire("ApprovalsReviewer")),
  sandboxPolicy: Schema.optionalKey(wire("SandboxPolicy")),
  activePermissionProfile: nullable(wire("ActivePermissionProfile")),
  baseInstructions: nullable(Schema.String),
  developerInstructions: nullable(Schema.String),
  collaborationMode: nullable(wire("CollaborationMode")),
  personality: nullable(wire("Personality")),
  serviceTier: nullable(Schema.String),
  summary: nullable(wire("ReasoningSummary")),
  runtimeWorkspaceRoots: Schema.optionalKey(Schema.Array(Schema.String)),
  disabledPluginIds: Schema.optionalKey(Schema.Array(Schema.String)),
  dynamicTools: nullable(Schema.Array(Schema.Json)),
  /** Further settings under the client's own names. */
  config: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json))
})
export type ThreadSettings = typeof ThreadSettings.Type

/** Something that the agent does not know yet. */
export const Untold = Schema.Struct({
  text: Schema.String,
  /** The turn that it belongs to, if it belongs to one. */
  turnId: Schema.NullOr(Schema.String)
})
export type Untold = typeof Untold.Type

export const ThreadRecord = Schema.Struct({
  id: ThreadId,
  /** Shared by the threads of one tree. */
  sessionId: Schema.String,
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
  /** When its last turn began; before that, when it was created. */
  recencyAt: Schema.Int,
  name: Schema.NullOr(Schema.String),
  /** Text of the first user message. */
  preview: Schema.String,
  cwd: Schema.String,
  model: Schema.String,
  modelProvider: Schema.String,
  effort: Schema.NullOr(Schema.String),
  settings: ThreadSettings,
  source: wire("SessionSource"),
  threadSource: Schema.NullOr(Schema.String),
  originator: Schema.NullOr(Schema.String),
  cliVersion: Schema.String,
  /** Kept in memory only, and in no list. */
  ephemeral: Schema.Boolean,
  archived: Schema.Boolean,
  parentThreadId: Schema.NullOr(Schema.String),
  forkedFromId: Schema.NullOr(Schema.String),
  gitInfo: Schema.NullOr(wire("GitInfo")),
  goal: Schema.NullOr(wire("ThreadGoal")),
  /** Messages that wait for the thread to come to rest. */
  queue: Schema.Array(wire("QueuedSubmission")),
  /** How to resume the agent's session. */
  backendRef: Schema.NullOr(SessionRef),
  /** Where to fork the agent's session from, while there is none to resume. */
  forkPoint: Schema.NullOr(SessionPoint),
  /** What the agent is told with its next turn, besides what its user says. */
  untold: Schema.Array(Untold),
  readState: Schema.NullOr(wire("ThreadReadState")),
  section: Schema.NullOr(wire("ThreadSection")),
  sectionEnteredAt: Schema.NullOr(Schema.Int),
  projectId: Schema.NullOr(Schema.String),
  /** The thread that this one is a side conversation of. */
  attachedToThreadId: Schema.NullOr(Schema.String),
  /** Whether there ever was one. A thread without is in no list. */
  hasUserMessage: Schema.Boolean
})
export type ThreadRecord = typeof ThreadRecord.Type

/** A thread to be; what is missing is null, empty, or as the other members say. */
export interface NewThread extends Partial<Omit<ThreadRecord, "archived" | "hasUserMessage">> {
  readonly id: string
  readonly createdAt: number
  readonly cwd: string
  readonly model: string
  readonly modelProvider: string
  readonly source: ThreadRecord["source"]
}

/** What may change. `undefined` leaves a member as it is. */
export type ThreadPatch = {
  readonly [K in Exclude<keyof ThreadRecord, "id" | "createdAt" | "ephemeral" | "archived" | "hasUserMessage">]?:
    | ThreadRecord[K]
    | undefined
}

export const newThread = (given: NewThread): ThreadRecord => ({
  sessionId: given.id,
  updatedAt: given.createdAt,
  recencyAt: given.createdAt,
  name: null,
  preview: "",
  effort: null,
  settings: {},
  threadSource: null,
  originator: null,
  cliVersion: "",
  ephemeral: false,
  parentThreadId: null,
  forkedFromId: null,
  gitInfo: null,
  goal: null,
  queue: [],
  backendRef: null,
  forkPoint: null,
  untold: [],
  readState: null,
  section: null,
  sectionEnteredAt: null,
  projectId: null,
  attachedToThreadId: null,
  ...given,
  archived: false,
  hasUserMessage: false
})

export const TurnStatus = Schema.Literals(["inProgress", "completed", "interrupted", "failed"])
export type TurnStatus = typeof TurnStatus.Type

export const TurnRecord = Schema.Struct({
  /** Unique within the thread. A fork keeps the ids of its source. */
  id: Schema.String,
  threadId: Schema.String,
  /** Its place; grows, and is never given twice. */
  ordinal: Schema.Int,
  status: TurnStatus,
  /** The agent's own id of it; `null` for a turn that the agent knows nothing of. */
  agentTurnId: Schema.NullOr(Schema.String),
  error: Schema.NullOr(wire("TurnError")),
  startedAt: Schema.NullOr(Schema.Int),
  completedAt: Schema.NullOr(Schema.Int),
  durationMs: Schema.NullOr(Schema.Int),
  /** What the thread had used at the end of the turn. */
  usage: Schema.NullOr(wire("ThreadTokenUsage"))
})
export type TurnRecord = typeof TurnRecord.Type

export const ItemRecord = Schema.Struct({
  /** Unique within the turn. */
  id: Schema.String,
  turnId: Schema.String,
  threadId: Schema.String,
  /** Its place among all items of the thread; grows, and is never given twice. */
  ordinal: Schema.Int,
  item: wire("ThreadItem"),
  startedAtMs: Schema.NullOr(Schema.Int),
  /** `null` while it is open. */
  completedAtMs: Schema.NullOr(Schema.Int)
})
export type ItemRecord = typeof ItemRecord.Type
