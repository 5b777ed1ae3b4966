/**
 * Which agent was chosen, and why.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AgentBackend, Capabilities } from "../../agent/AgentBackend.ts"
import type { AgentError } from "../../agent/AgentError.ts"

/** What was found of one agent on the way to the choice. */
export const Candidate = Schema.Struct({
  backend: Schema.String,
  suitable: Schema.Boolean,
  /** One line for people. */
  detail: Schema.String
})
export type Candidate = typeof Candidate.Type

/** The choice as data. */
export const SelectionRecord = Schema.Struct({
  backend: Schema.String,
  /** One line for people. */
  reason: Schema.String,
  /** Those that were looked at, in that order; the chosen one is the last. Of those behind it nothing is known. */
  candidates: Schema.Array(Candidate)
})
export type SelectionRecord = typeof SelectionRecord.Type

/** The agent that takes another one's place. */
export interface Replacement {
  readonly backend: AgentBackend["Service"]
  readonly selection: SelectionRecord
}

/** Which agent was chosen, and why. */
export class Selection extends Context.Service<
  Selection,
  SelectionRecord & {
    /**
     * The next agent that would have been taken, when the chosen one has failed; none where there is no other. Missing
     * where one agent was asked for: nobody else takes its place then. The scripted agent never does: what it says is
     * no answer.
     */
    readonly instead?:
      | ((
        failed: AgentError,
        needs: ReadonlyArray<keyof Capabilities>
      ) => Effect.Effect<Option.Option<Replacement>>)
      | undefined
  }
>()("effect-codex-bridge/backends/selector/Selection") {}

/** The choice without what can be done with it. */
export const toRecord = ({ backend, candidates, reason }: SelectionRecord): SelectionRecord => ({
  backend,
  reason,
  candidates
})
