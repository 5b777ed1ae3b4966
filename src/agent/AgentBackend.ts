/**
 * The waist of the library: what every agent looks like to a host or to the bridge.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { AgentError } from "./AgentError.ts"
import type { AgentEvent, Goal, TurnOutcome } from "./AgentEvent.ts"

/** What a backend can do. What it lacks is refused with `CapabilityMissing`, never left out silently. */
export interface Capabilities {
  readonly steer: boolean
  readonly interrupt: boolean
  readonly compact: boolean
  readonly resume: boolean
  readonly fork: boolean
  readonly goals: boolean
  readonly approvals: boolean
  readonly hostTools: boolean
  readonly images: boolean
  readonly reasoning: boolean
  readonly plan: boolean
  readonly models: boolean
  readonly outputSchema: boolean
  /** Whether it confines what runs to the `SandboxMode`. Without that, what a sandbox would keep back is asked about. */
  readonly sandbox: boolean
}

/** Everything, for backends that lack little to say so by what they lack. */
export const everyCapability: Capabilities = {
  steer: true,
  interrupt: true,
  compact: true,
  resume: true,
  fork: true,
  goals: true,
  approvals: true,
  hostTools: true,
  images: true,
  reasoning: true,
  plan: true,
  models: true,
  outputSchema: true,
  sandbox: true
}

/** A durable reference to a session, to resume it by. Plain JSON. */
export const SessionRef = Schema.Struct({
  backend: Schema.String,
  /** The agent's own id of the session. */
  sessionId: Schema.String,
  /** Whether the agent keeps the session beyond its process. `false` until a first turn was accepted. */
  durable: Schema.Boolean
})
export type SessionRef = typeof SessionRef.Type

/** A session as it was at the end of one of its turns. Plain JSON. */
export const SessionPoint = Schema.Struct({
  session: SessionRef,
  /** The agent's id of the turn, which has ended: `AgentTurn.id`. The sessions that are forked here keep it. */
  turnId: Schema.String
})
export type SessionPoint = typeof SessionPoint.Type

export const ApprovalPolicy = Schema.Literals(["untrusted", "on-request", "never"])
export type ApprovalPolicy = typeof ApprovalPolicy.Type

export const SandboxMode = Schema.Literals(["read-only", "workspace-write", "danger-full-access"])
export type SandboxMode = typeof SandboxMode.Type

/** How far an agent is confined. */
export interface Confinement {
  readonly mode: SandboxMode
  /** Told of an agent's defaults: its name of the set of permissions that they come from. Says nothing in a setting. */
  readonly profile?: string | undefined
  /** Absolute paths that `workspace-write` allows to write to, besides the directory of the session. */
  readonly writableRoots: ReadonlyArray<string>
  readonly networkAccess: boolean
  /** Whether `workspace-write` leaves out the directory that the environment names for temporary files. */
  readonly excludeTmpdirEnvVar: boolean
  /** Whether `workspace-write` leaves out `/tmp`. */
  readonly excludeSlashTmp: boolean
}

/**
 * A mode alone leaves it to the agent's configuration what the mode allows beyond the directory of the session. With
 * details, `danger-full-access` says that somebody else confines the agent as a whole, with or without a network.
 */
export type Sandbox = SandboxMode | Confinement

export const sandboxMode = (sandbox: Sandbox): SandboxMode => typeof sandbox === "string" ? sandbox : sandbox.mode

/** Settings of a session. What is missing is left to the agent's own configuration. */
export interface SessionOptions {
  /** Absolute path. A resumed session keeps its own unless this is given. */
  readonly cwd?: string | undefined
  readonly model?: string | undefined
  /** The agent's name of a model provider. */
  readonly provider?: string | undefined
  /** Reasoning effort, e.g. `minimal`, `low`, `medium`, `high`. */
  readonly effort?: string | undefined
  /** How the agent tells of its reasoning, in its own words. Agents that have no such choice take no notice of it. */
  readonly summary?: string | undefined
  /** The agent's name of a way to talk. Agents that have no such choice take no notice of it. */
  readonly personality?: string | undefined
  readonly approvalPolicy?: ApprovalPolicy | undefined
  readonly sandbox?: Sandbox | undefined
  /** Added to the agent's own instructions, in place of none of them. */
  readonly developerInstructions?: string | undefined
  /** Further settings under the agent's own names. */
  readonly config?: Readonly<Record<string, Schema.Json>> | undefined
  /** Leave no trace of the session on disk. */
  readonly ephemeral?: boolean | undefined
  /** Continue this session; without it a new one is started. */
  readonly resume?: SessionRef | undefined
  /**
   * Start a new session that knows what another one knew at this point; that one stays as it is. Not together with
   * `resume`. `UnknownSession` where there is no such session or no such turn of it.
   */
  readonly fork?: SessionPoint | undefined
}

export const InputPart = Schema.Union([
  Schema.TaggedStruct("Text", { text: Schema.String }),
  /** `http(s):` or `data:` URL. */
  Schema.TaggedStruct("ImageUrl", { url: Schema.String }),
  /** Absolute path of an image file on this machine. */
  Schema.TaggedStruct("LocalImage", { path: Schema.String })
])
export type InputPart = typeof InputPart.Type

/** Settings are those of the session where a turn names none of its own. */
export interface TurnInput {
  readonly input: ReadonlyArray<InputPart>
  /** Text for the model that is no message of the user: it is not shown as one. */
  readonly context?: string | undefined
  /** Comes back as `clientId` of the user message where the agent echoes it. */
  readonly clientId?: string | undefined
  readonly model?: string | undefined
  readonly effort?: string | undefined
  readonly summary?: string | undefined
  readonly personality?: string | undefined
  readonly approvalPolicy?: ApprovalPolicy | undefined
  readonly sandbox?: Sandbox | undefined
  /** Absolute path to work in, in place of the session's, for this turn alone. */
  readonly cwd?: string | undefined
  /** JSON Schema that the final answer must fit. */
  readonly outputSchema?: Schema.Json | undefined
  /** `plan`: the agent plans and does not act, where it knows such a mode. */
  readonly mode?: "default" | "plan" | undefined
}

/** What is known of an interruption when it returns. */
export interface Interruption {
  /** Whether the agent reported the end of the turn in time. */
  readonly confirmed: boolean
  readonly outcome: TurnOutcome
}

/**
 * A running turn.
 *
 * Closing its scope while it runs interrupts the agent and waits a bounded time for the confirmation.
 */
export interface AgentTurn {
  /** The agent's id of the turn. */
  readonly id: string
  /**
   * Everything from now on until and including `TurnEnded`. Has one consumer. Deltas of one item are merged
   * when the consumer falls behind; one that falls too far behind gets `ReaderTooSlow`.
   */
  readonly events: Stream.Stream<AgentEvent, AgentError>
  /** Adds input to the running turn. Fails with `NotSteerable` when it is over. */
  readonly steer: (input: TurnInput) => Effect.Effect<void, AgentError>
  /** Interrupts the agent and waits a bounded time for it to confirm. Does nothing to a turn that has ended. */
  readonly interrupt: Effect.Effect<Interruption>
  /** Waits for the end of the turn. */
  readonly outcome: Effect.Effect<TurnOutcome>
}

/** What a compaction came to. */
export interface Compaction {
  readonly outcome: TurnOutcome
  /** The agent's id of the turn that it was. */
  readonly turnId: string
}

/** A conversation with an agent. Closing its scope lets go of it; the agent keeps it if it is durable. */
export interface AgentSession {
  /** Reads how to resume the session; `durable` turns true when a turn has been accepted. */
  readonly ref: Effect.Effect<SessionRef>
  /** The model the agent says it uses. */
  readonly model: string | undefined
  /** Starts a turn and returns when the agent has accepted it. One turn at a time: `SessionBusy` otherwise. */
  readonly startTurn: (input: TurnInput) => Effect.Effect<AgentTurn, AgentError, Scope.Scope>
  /**
   * Compacts the context and waits for the end of it. `events` tell it as a turn that no client started, from
   * `TurnStarted` to `TurnEnded`.
   */
  readonly compact: Effect.Effect<Compaction, AgentError>
  readonly getGoal: Effect.Effect<Goal | null, AgentError>
  readonly setGoal: (goal: {
    readonly objective?: string | undefined
    readonly status?: string | undefined
    readonly tokenBudget?: number | undefined
  }) => Effect.Effect<Goal, AgentError>
  readonly clearGoal: Effect.Effect<void, AgentError>
  /**
   * Asks the agent to end what it does by itself, e.g. for a goal, which is paused. Its end comes on `events`. Missing
   * for agents that never start anything by themselves.
   */
  readonly interruptOwn?: Effect.Effect<void, AgentError> | undefined
  /**
   * What happens outside of a turn that this side started: a goal that continues by itself, a command that
   * outlives its turn, a late item. Bounded: the oldest are dropped when nobody reads.
   */
  readonly events: Stream.Stream<AgentEvent>
}

export interface ModelInfo {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly isDefault: boolean
  readonly efforts: ReadonlyArray<string>
  /** The effort that the agent takes where none is named. */
  readonly defaultEffort?: string | undefined
}

/** What a session works with that names none of it. What is missing is not known. */
export interface SessionDefaults {
  /** Missing where the agent's configuration leaves it to the model. */
  readonly effort?: string | undefined
  readonly approvalPolicy?: ApprovalPolicy | undefined
  /** All but its mode is what `workspace-write` comes to, whether that is the mode or not. */
  readonly confinement?: Confinement | undefined
  readonly summary?: string | undefined
  readonly personality?: string | undefined
}

/** An agent that turns can be run on. */
export class AgentBackend extends Context.Service<AgentBackend, {
  /** e.g. `codex-app-server`, `scripted`. */
  readonly id: string
  readonly capabilities: Capabilities
  /** Opens or resumes a session. Starts the agent where it is not running yet. */
  readonly openSession: (options: SessionOptions) => Effect.Effect<AgentSession, AgentError, Scope.Scope>
  readonly listModels: Effect.Effect<ReadonlyArray<ModelInfo>, AgentError>
  /**
   * What the agent's own configuration sets for sessions in this directory. Missing for agents that have none, or cannot
   * tell it before there is a session.
   */
  readonly sessionDefaults?:
    | ((options: Pick<SessionOptions, "cwd">) => Effect.Effect<SessionDefaults, AgentError>)
    | undefined
  /** Checks that a turn could be run: the agent starts, is new enough and has an account or a provider. */
  readonly probe: Effect.Effect<BackendInfo, AgentError>
}>()("effect-codex-bridge/agent/AgentBackend") {}

/**
 * Stands in for an agent that is not there: whatever is asked of it fails with `error`. What it could do is not why.
 */
export const unavailable = (error: AgentError): AgentBackend["Service"] => ({
  id: error.backend,
  capabilities: everyCapability,
  openSession: () => Effect.fail(error),
  listModels: Effect.fail(error),
  probe: Effect.fail(error)
})

/** What a probe found. */
export interface BackendInfo {
  readonly version: string
  /** One line for people: binary, version, provider. */
  readonly detail: string
}
