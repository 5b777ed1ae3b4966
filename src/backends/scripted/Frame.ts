/**
 * What the steps of one turn work on.
 */
import type * as Queue from "effect/Queue"
import type { Goal, TurnHostService, TurnOutcome, Usage } from "../../agent/index.ts"
import type { TurnRecorder } from "./TurnRecorder.ts"

/** How a turn ends before its last step. */
export type Stop = Exclude<TurnOutcome, { readonly _tag: "Completed" }>

/** What the placeholders of a message stand for. */
export interface Words {
  readonly prompt: string
  readonly context: string
  readonly heard: string
  readonly steer: string
  readonly answer: string
  readonly tool: string
  readonly decision: string
}

/** Everything the steps of one turn work on. */
export interface Frame {
  readonly backend: string
  readonly sessionId: string
  readonly cwd: string | undefined
  readonly recorder: TurnRecorder
  readonly host: TurnHostService
  /** `false`: the agent acts without asking. */
  readonly asks: boolean
  /** What has been accepted for the session. */
  readonly accepted: Set<string>
  /** Texts that were steered in and not taken yet. */
  readonly steered: Queue.Dequeue<string>
  readonly setGoal: (goal: Goal | null) => void
  words: Words
  usage: Usage
}
