/**
 * What the agents say of a model's failure, as a reason of the seam. Pure.
 *
 * Both give a sentence, omp also an HTTP status. What neither names stays a plain failure of the model.
 */
import * as AgentError from "../../../agent/AgentError.ts"

// "Too many tokens per minute" is a limit of the rate, "too many tokens" one of the context: the first is looked for first.
const throttled = /rate.?limit|too many requests|throttl|per minute/i

const exhausted =
  /insufficient[_ ]quota|exceeded your current quota|usage[_ ]limit|quota (?:exceeded|exhausted)|credit balance|billing|payment required/i

const overflow =
  /context[_ ](?:length|window)|maximum context|prompt is too long|too many tokens|token limit exceeded|exceeds the (?:model|maximum|available context)|input is too long|reduce the length of the messages|context overflow/i

const unauthorized =
  /unauthori[sz]ed|invalid (?:x-)?api[- ]?key|incorrect api key|authentication|no api key|permission[_ ]denied|forbidden/i

const overloaded = /overloaded|at capacity/i

/** The status that a sentence tells, e.g. `400 bad request` or `HTTP 503`. */
const statusOf = (text: string): number | undefined => {
  const [, first, named] = /^(?:error:? )?([45]\d\d)\b|\b(?:http|status(?: code)?)[ :=(]*([45]\d\d)\b/i.exec(text) ?? []
  const digits = first ?? named
  return digits === undefined ? undefined : Number(digits)
}

export const reasonOf = (message: string, status?: number): AgentError.AgentErrorReason => {
  const detail = message === "" ? "the agent gave no reason" : message
  const httpStatus = status ?? statusOf(message)
  const http = httpStatus === undefined ? {} : { httpStatus }
  if (exhausted.test(message) || httpStatus === 402) return new AgentError.UsageLimitExceeded({ detail })
  if (httpStatus === 429 || (throttled.test(message) && httpStatus === undefined)) {
    return new AgentError.RateLimited({ detail, ...http })
  }
  if (overflow.test(message) || httpStatus === 413) return new AgentError.ContextOverflow({ detail })
  if (httpStatus === 401 || httpStatus === 403 || (unauthorized.test(message) && httpStatus === undefined)) {
    return new AgentError.Unauthorized({ detail, ...http })
  }
  if (overloaded.test(message) || httpStatus === 529) {
    return new AgentError.Overloaded({ detail, mayHaveReached: true })
  }
  return new AgentError.ModelFailed({ detail, ...http })
}
