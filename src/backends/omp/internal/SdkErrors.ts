/**
 * What goes wrong with omp in this process, as errors of the waist.
 */
import * as Effect from "effect/Effect"
import { AgentError, NotConfigured, Rejected, SessionBusy } from "../../../agent/AgentError.ts"
import { howToLogIn } from "./Errors.ts"

/** Id of this backend. */
export const backend = "omp-sdk"

export const failed = (reason: AgentError["reason"]): AgentError => new AgentError({ backend, reason })

const detailOf = (cause: unknown): string => cause instanceof Error ? cause.message : String(cause)

/** Calls omp, which refuses in sentences. */
export const call = <A>(operation: string, run: () => PromiseLike<A>): Effect.Effect<A, AgentError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => cause instanceof AgentError ? cause : failed(new Rejected({ operation, detail: detailOf(cause) }))
  })

export const promptFailed = (cause: unknown, sessionId: string): AgentError => {
  const detail = detailOf(cause)
  if (cause instanceof Error && cause.name === "AgentBusyError") return failed(new SessionBusy({ sessionId, detail }))
  return /no api key|no model selected/i.test(detail)
    ? failed(new NotConfigured({ detail: howToLogIn(detail) }))
    : failed(new Rejected({ operation: "prompt", detail }))
}
