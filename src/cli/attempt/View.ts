/**
 * How an attempt is shown.
 */
import type * as Effect from "effect/Effect"
import type { AgentEvent } from "../../agent/AgentEvent.ts"
import type { TurnHostService } from "../../agent/TurnHost.ts"
import type { SelectionRecord } from "../../backends/selector/Selection.ts"
import type { AttemptResult } from "../../host/AttemptResult.ts"

/** Times are milliseconds since the epoch. Nothing here waits but what is an effect. */
export interface View {
  /** Which agent runs, and why. */
  readonly begin: (selection: SelectionRecord) => void
  readonly event: (event: AgentEvent, at: number) => void
  /** The end, and how long everything took. */
  readonly end: (result: AttemptResult, millis: number) => void
  /** The agent was asked to stop. */
  readonly interrupting: () => void
  /** Something that the program itself has to say. */
  readonly notice: (text: string) => void
  readonly log: (line: string) => void
  /** Answers what the agent asks. */
  readonly host: TurnHostService
  /** Waits until more can be shown. */
  readonly ready: Effect.Effect<void>
  /** Waits until everything was handed to the system. */
  readonly flush: Effect.Effect<void>
  /** Waits until whoever reads the output has left. */
  readonly left: Effect.Effect<void>
  /** Leaves the terminal as it was found. For an end without ceremony. */
  readonly restore: () => void
}
