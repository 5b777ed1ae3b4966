/**
 * What a backend's author supplies so that the conformance suite can run on it: the agent's next behaviour.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AgentErrorReason, Question, SessionOptions, ToolSpec, TurnInput } from "../../src/agent/index.ts"

/** How a model fails. */
export type Failure = "rateLimited" | "contextOverflow" | "unauthorized" | "usageLimit" | "modelFailed"

/** The reason that each failure must come out as. */
export const failureTags: ReadonlyMap<Failure, AgentErrorReason["_tag"]> = new Map<Failure, AgentErrorReason["_tag"]>([
  ["rateLimited", "RateLimited"],
  ["contextOverflow", "ContextOverflow"],
  ["unauthorized", "Unauthorized"],
  ["usageLimit", "UsageLimitExceeded"],
  ["modelFailed", "ModelFailed"]
])

/** What the agent does in its next turn. `answer` is the agent's last message, after which the turn completes. */
export type Behaviour =
  | { readonly kind: "text"; readonly parts: ReadonlyArray<string> }
  | { readonly kind: "reasoning"; readonly summary: string; readonly answer: string }
  /** A shell command that needs an approval. Two of them are the same command. */
  | { readonly kind: "command"; readonly answer: string }
  /** A change of a file that needs an approval. */
  | { readonly kind: "patch"; readonly answer: string }
  | {
    readonly kind: "hostTool"
    readonly tool: string
    readonly arguments: ToolSpec["inputSchema"]
    readonly answer: string
  }
  | { readonly kind: "question"; readonly question: Question; readonly answer: string }
  /** Says the parts of one message, which it then leaves unfinished until it is interrupted. */
  | { readonly kind: "hang"; readonly parts: ReadonlyArray<string> }
  /** Says the parts, waits to be steered, and answers when it is released. */
  | { readonly kind: "steer"; readonly parts: ReadonlyArray<string>; readonly answer: string }
  | {
    readonly kind: "usage"
    readonly input: number
    readonly cachedInput: number
    readonly output: number
    readonly reasoningOutput: number
    readonly answer: string
  }
  | { readonly kind: "failure"; readonly failure: Failure }
  /** Says the parts of one message; its process dies before the message is finished, at the latest when released. */
  | { readonly kind: "die"; readonly parts: ReadonlyArray<string> }
  /** Answers with the inputs that it knows of, whatever is between them. */
  | { readonly kind: "recall" }
  /** What the next `compact` comes to. */
  | { readonly kind: "compaction" }

export interface Prepared {
  /** The input that brings the behaviour about. */
  readonly input: TurnInput
  /** Lets the agent go on from where it waits for the test. */
  readonly release: Effect.Effect<void>
}

export class ConformanceDriver extends Context.Service<ConformanceDriver, {
  /** Settings for every session, under which commands and patches need approvals where there are approvals. */
  readonly session: SessionOptions
  /** Prepares one turn. Several may be prepared before the first is started; the input tells them apart. */
  readonly prepare: (behaviour: Behaviour) => Effect.Effect<Prepared>
}>()("effect-codex-bridge/test/support/ConformanceDriver") {}

/** What a backend may lack. */
export type Aspect =
  | Exclude<Behaviour["kind"], "text" | "hang" | "failure" | "recall">
  | Failure
  | "sessionApproval"
  | "resume"
  | "fork"
  | "goals"
  | "models"
