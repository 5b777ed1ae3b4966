/**
 * What a session needs of an agent of this family, however it is reached: as a child process, or in this one.
 */
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { ModelInfo } from "../../agent/AgentBackend.ts"
import type { AgentError } from "../../agent/AgentError.ts"
import type { Goal } from "../../agent/AgentEvent.ts"
import type { Question, ToolResult, ToolSpec } from "../../agent/TurnHost.ts"
import type { AgentFrame, FrameMalformed } from "./AgentFrame.ts"
import type { ToolCall } from "./ToolItems.ts"

/** What the agent says, in its order. */
export type PortEvent =
  | { readonly _tag: "Frame"; readonly frame: AgentFrame }
  | { readonly _tag: "Malformed"; readonly error: FrameMalformed }
  /** Nothing runs: whatever was accepted before has come to its end. */
  | { readonly _tag: "Settled" }
  | { readonly _tag: "Warning"; readonly code: string; readonly message: string }
  /** The agent is gone; nothing comes after it. */
  | { readonly _tag: "Failed"; readonly error: AgentError }

/** A call of a tool, before it runs. */
export interface HookedCall extends ToolCall {
  /** Whether an agent makes it that this agent has started. */
  readonly isSubAgents: boolean
}

/** What a run of the agent begins with. */
export interface RunStart {
  /** Text for the model that nobody is shown. */
  readonly context: string | undefined
  /** Written into the session where the run begins, to find the place again. */
  readonly turnId: string | undefined
}

/** What the agent asks of its side. Interrupted when the agent no longer wants to know. */
export interface PortHandlers {
  /** Takes what the agent says. Must not block. */
  readonly event: (event: PortEvent) => void
  /** Asks whether a tool may run; gives why not. */
  readonly toolCall: (call: HookedCall) => Effect.Effect<string | undefined>
  readonly runStart: Effect.Effect<RunStart>
  /** Puts questions to a person; `undefined` where nobody answers. */
  readonly ask: (
    questions: ReadonlyArray<Question>
  ) => Effect.Effect<Readonly<Record<string, ReadonlyArray<string>>> | undefined>
  readonly hostTool: (call: {
    readonly callId: string
    readonly tool: string
    readonly arguments: Schema.Json
  }) => Effect.Effect<ToolResult>
}

/** An image that goes with a message. */
export interface PortImage {
  /** Base64. */
  readonly data: string
  /** e.g. `image/png`. */
  readonly mimeType: string
}

export interface PortInput {
  readonly text: string
  readonly images: ReadonlyArray<PortImage>
}

export interface PortOptions {
  readonly cwd: string
  /** The file of the session to go on with; without it a new one begins. */
  readonly resume: string | undefined
  /** Leaves no file. */
  readonly ephemeral: boolean
  readonly provider: string | undefined
  readonly model: string | undefined
  readonly effort: string | undefined
  /** Added to the agent's own. */
  readonly instructions: string | undefined
  readonly hostTools: ReadonlyArray<ToolSpec>
  /** Whether somebody has said what is to be asked about; without it that is left to the agent's own settings. */
  readonly asks: boolean
}

/** One session of the agent. */
export interface Port {
  readonly sessionId: string
  /** Where it is kept, once it is; missing for one that is not. */
  readonly file: () => string | undefined
  /** `provider/id`. */
  readonly model: () => string | undefined
  /** Tokens that the model can hold. */
  readonly contextWindow: () => number | undefined
  /** Names of MCP servers. */
  readonly mcpServers: ReadonlyArray<string>
  /** Starts a run; returns when it was accepted. */
  readonly prompt: (input: PortInput) => Effect.Effect<void, AgentError>
  /** Says something while the agent works. */
  readonly steer: (input: PortInput) => Effect.Effect<void, AgentError>
  /** Ends what runs, and waits until all that was said of it has been told. */
  readonly abort: Effect.Effect<void, AgentError>
  /** Compacts the context and waits for the end of it. */
  readonly compact: Effect.Effect<void, AgentError>
  readonly setModel: (provider: string | undefined, model: string) => Effect.Effect<void, AgentError>
  readonly setEffort: (effort: string) => Effect.Effect<void, AgentError>
  readonly goals: PortGoals | undefined
}

/** Goals that the agent keeps itself. */
export interface PortGoals {
  readonly get: Effect.Effect<Goal | null, AgentError>
  readonly set: (goal: {
    readonly objective?: string | undefined
    readonly status?: string | undefined
    readonly tokenBudget?: number | undefined
  }) => Effect.Effect<Goal, AgentError>
  readonly clear: Effect.Effect<void, AgentError>
}

/** Reaches agents. */
export interface Ports {
  /** The backend's id, e.g. `omp-rpc`. */
  readonly backend: string
  readonly agent: "omp" | "pi"
  /** Where sessions are kept that name no other place. */
  readonly sessionsDirectory: string
  readonly open: (options: PortOptions, handlers: PortHandlers) => Effect.Effect<Port, AgentError, Scope.Scope>
  readonly listModels: Effect.Effect<ReadonlyArray<ModelInfo>, AgentError>
  readonly probe: Effect.Effect<{ readonly version: string; readonly detail: string }, AgentError>
}
