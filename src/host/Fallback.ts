/**
 * What an attempt needs of an agent, and the one agent that may take the place of another: only while nobody has taken
 * the prompt, so that nothing can be done twice.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AgentBackend, Capabilities } from "../agent/AgentBackend.ts"
import type { AgentError } from "../agent/AgentError.ts"
import type { AgentEvent } from "../agent/AgentEvent.ts"
import { type Selection, toRecord } from "../backends/selector/Selection.ts"
import type { AttemptSettings } from "./AttemptParams.ts"
import type { AttemptResult } from "./AttemptResult.ts"

type Backend = AgentBackend["Service"]

/** What came of an attempt on one agent. */
export interface Ended {
  readonly result: AttemptResult
  /** The end of a turn that never began, which nobody has been told yet. */
  readonly untold: AgentEvent | undefined
}

/** What an agent has to be able to do for an attempt. */
export const neededCapabilities = (
  settings: Pick<AttemptSettings, "images" | "outputSchema">,
  isBound = false,
  tools = 0
): ReadonlyArray<keyof Capabilities> => [
  ...(settings.outputSchema === undefined ? [] : ["outputSchema" as const]),
  ...((settings.images ?? []).length === 0 ? [] : ["images" as const]),
  ...(isBound ? ["resume" as const] : []),
  ...(tools === 0 ? [] : ["hostTools" as const])
]

/** Whether it is the agent that has failed, and not what was asked of it. */
const isAgents = ({ reason }: AgentError): boolean => {
  switch (reason._tag) {
    case "Cancelled":
    case "InvalidInput":
    case "NotSteerable":
    case "Rejected":
    case "SessionBusy":
    case "UnknownSession":
      return false
    default:
      return true
  }
}

/** The failure of the agent that leaves the prompt for another one. */
const failureOf = ({ error, replay, status }: AttemptResult): AgentError | undefined =>
  replay.safe && error?._tag === "AgentError" && isAgents(error) && (status === "failed" || status === "unavailable")
    ? error
    : undefined

/** Makes an attempt on an agent, and once more on another one where that is due. */
export const attempt = Effect.fnUntraced(function*({ attemptOn, backend, isBound, needs, publish, selection }: {
  readonly backend: Backend
  /** How the agent was chosen. */
  readonly selection: Option.Option<Selection["Service"]>
  /** Whether the agent has said something in this conversation: no other one knows it. */
  readonly isBound: boolean
  readonly needs: ReadonlyArray<keyof Capabilities>
  readonly publish: (event: AgentEvent) => void
  readonly attemptOn: (backend: Backend) => Effect.Effect<Ended>
}): Effect.fn.Return<AttemptResult> {
  const first = yield* attemptOn(backend)
  const failure = failureOf(first.result)
  // Somebody may have put another agent in the place of the chosen one.
  const chosen = Option.filter(selection, (selection) => selection.backend === backend.id)
  const instead = Option.getOrUndefined(chosen)?.instead
  const other = failure === undefined || instead === undefined || isBound
    ? Option.none()
    // Looks at files, and starts nothing.
    : yield* instead(failure, needs)
  if (failure === undefined || Option.isNone(other)) {
    if (first.untold !== undefined) publish(first.untold)
    return Option.isNone(chosen) ? first.result : { ...first.result, selection: toRecord(chosen.value) }
  }

  const { backend: next, selection: replaced } = other.value
  const message = `${backend.id} failed before it had taken the prompt (${failure.message}); ${next.id} takes its place`
  publish({ _tag: "Warning", code: "agentReplaced", message })
  const second = yield* attemptOn(next)
  if (second.untold !== undefined) publish(second.untold)
  return {
    ...second.result,
    selection: replaced,
    fallback: { from: backend.id, reason: failure.message, error: failure },
    diagnostics: [...first.result.diagnostics, `agentReplaced: ${message}`, ...second.result.diagnostics]
  }
})
