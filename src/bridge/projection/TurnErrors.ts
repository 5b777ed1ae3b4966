/**
 * What went wrong at the agent, in the words of the protocol. Pure.
 */
import type { AgentError } from "../../agent/AgentError.ts"
import type { EventOf } from "../../agent/AgentEvent.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"

type Info = Strict.CodexErrorInfo

const plainCodes: ReadonlySet<string> = new Set(
  [
    "contextWindowExceeded",
    "sessionBudgetExceeded",
    "usageLimitExceeded",
    "rateLimitExceeded",
    "flexUnavailable",
    "serverOverloaded",
    "modelNotFound",
    "policyCapacityUnavailable",
    "cyberPolicy",
    "bioPolicy",
    "misalignmentPolicyViolation",
    "tooManyDenials",
    "internalServerError",
    "unauthorized",
    "badRequest",
    "threadRollbackFailed",
    "sandboxError",
    "other",
    "inferenceHookDenied"
  ] satisfies ReadonlyArray<Extract<Info, string>>
)

const isPlain = (code: string): code is Extract<Info, string> => plainCodes.has(code)

/** The field is 16 bits wide. */
const status = (value: number | undefined): number | null =>
  value !== undefined && value >= 0 && value <= 0xffff ? value : null

/** The agent's own name of a failure, as far as the protocol has it. */
const fromCode = (code: string | undefined, httpStatus: number | undefined): Info => {
  const httpStatusCode = status(httpStatus)
  switch (code) {
    case undefined:
      break
    case "httpConnectionFailed":
      return { httpConnectionFailed: { httpStatusCode } }
    case "responseStreamConnectionFailed":
      return { responseStreamConnectionFailed: { httpStatusCode } }
    case "responseStreamDisconnected":
      return { responseStreamDisconnected: { httpStatusCode } }
    case "responseTooManyFailedAttempts":
      return { responseTooManyFailedAttempts: { httpStatusCode } }
    default:
      if (isPlain(code)) return code
  }
  return httpStatusCode === null ? "other" : { httpConnectionFailed: { httpStatusCode } }
}

const turnError = (
  message: string,
  codexErrorInfo: Info,
  additionalDetails: string | null = null
): Strict.TurnError => ({ message, codexErrorInfo, additionalDetails, misalignment: null })

/** A provider's own sentence stands for itself; without one the reason says what it is. */
const said = (reason: { readonly detail: string; readonly message: string }): string =>
  reason.detail === "" ? reason.message : reason.detail

/**
 * The error of an attempt that is made again: mostly, the way to the model is what was lost. Clients show the cause apart
 * from what is going on, where the agent tells it apart.
 */
export const ofRetry = ({ error, notice }: EventOf<"Retrying">): Strict.TurnError =>
  notice === undefined || notice.text === ""
    ? lostWay(error)
    : { ...lostWay(error), message: notice.text, additionalDetails: notice.cause }

const lostWay = (error: AgentError): Strict.TurnError => {
  const failed = fromAgentError(error)
  const { reason } = error
  switch (reason._tag) {
    case "RateLimited":
    case "Unauthorized": {
      const httpStatusCode = status(reason.httpStatus)
      return httpStatusCode === null ? failed : { ...failed, codexErrorInfo: lost(httpStatusCode) }
    }
    case "ModelFailed":
      return isCodeOf(failed.codexErrorInfo, reason.code)
        ? failed
        : { ...failed, codexErrorInfo: lost(status(reason.httpStatus)) }
    default:
      return failed.codexErrorInfo === "other" ? { ...failed, codexErrorInfo: lost(null) } : failed
  }
}

/** Whether the agent's own name of the failure is the protocol's. */
const isCodeOf = (info: Info | null | undefined, code: string | undefined): boolean =>
  code !== undefined && info != null && (info === code || (typeof info === "object" && Object.hasOwn(info, code)))

const lost = (httpStatusCode: number | null): Info => ({ responseStreamDisconnected: { httpStatusCode } })

/** The error of a turn that failed. */
export const fromAgentError = ({ reason }: AgentError): Strict.TurnError => {
  switch (reason._tag) {
    case "ContextOverflow":
      return turnError(said(reason), "contextWindowExceeded")
    case "UsageLimitExceeded":
      return turnError(said(reason), "usageLimitExceeded")
    case "RateLimited": {
      const httpStatusCode = status(reason.httpStatus)
      return turnError(
        said(reason),
        httpStatusCode === null ? "rateLimitExceeded" : { responseTooManyFailedAttempts: { httpStatusCode } }
      )
    }
    case "Overloaded":
      return turnError(said(reason), "serverOverloaded")
    case "Unauthorized": {
      const httpStatusCode = status(reason.httpStatus)
      return turnError(
        said(reason),
        httpStatusCode === null ? "unauthorized" : { httpConnectionFailed: { httpStatusCode } }
      )
    }
    case "ModelFailed": {
      const info = fromCode(reason.code, reason.httpStatus)
      const known = reason.code === undefined || isCodeOf(info, reason.code)
      return turnError(said(reason), info, known ? null : `The agent calls it ${reason.code}`)
    }
    case "AgentDied": {
      const { exitCode, signal, stderrTail } = reason
      const how = exitCode !== undefined ? ` (exit status ${exitCode})` : signal !== undefined ? ` (${signal})` : ""
      return turnError(
        `The agent is gone${how}: ${reason.detail}`,
        "other",
        stderrTail === "" ? null : stderrTail
      )
    }
    case "InvalidInput":
      return turnError(reason.message, "badRequest")
    default:
      return turnError(reason.message, "other")
  }
}

/** The error of a turn whose agent came to rest without a word. The protocol knows no such end. */
export const incomplete = (detail: string): Strict.TurnError =>
  turnError("The agent stopped without saying how the turn ended", "other", detail === "" ? null : detail)
