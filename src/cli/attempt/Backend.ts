/**
 * The agent of an attempt, or one that stands in where there is none.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { AgentBackend, unavailable } from "../../agent/AgentBackend.ts"
import { AgentError, Cancelled } from "../../agent/AgentError.ts"
import * as Selector from "../../backends/selector/Selector.ts"

export interface Chosen {
  readonly backend: AgentBackend["Service"]
  readonly selection: Selector.Selection["Service"]
}

// An attempt on it ends like one on an agent that could not be started, in all that is told of it.
const absent = (error: AgentError): Chosen => ({
  backend: unavailable(error),
  selection: { backend: error.backend, reason: error.message, candidates: [] }
})

/** Chooses an agent, unless the attempt is `stopped` before there is one. What was started ends with the scope. */
export const choose = (
  options: Selector.SelectorOptions,
  stopped: Effect.Effect<unknown>
): Effect.Effect<Chosen, never, Scope.Scope> => {
  const name = options.backend ?? "auto"
  const chosen = Layer.build(Selector.layer(options)).pipe(
    Effect.map((context): Chosen => ({
      backend: Context.get(context, AgentBackend),
      selection: Context.get(context, Selector.Selection)
    })),
    Effect.catch((error) => Effect.succeed(absent(error)))
  )
  const reason = new Cancelled({ detail: "stopped before an agent was chosen", mayHaveReached: false })
  return Effect.raceFirst(Effect.as(stopped, absent(new AgentError({ backend: name, reason }))), chosen)
}
