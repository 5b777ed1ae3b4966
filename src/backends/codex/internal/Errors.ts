/**
 * Codex errors as reasons of the waist. Pure.
 */
import * as AgentError from "../../../agent/AgentError.ts"
import type { PeerError, Rejected } from "../../../peer/PeerError.ts"
import * as ErrorCodes from "../../../protocol/ErrorCodes.ts"
import type { TransportError } from "../../../transport/TransportError.ts"
import type * as Wire from "./Wire.ts"

/** Id of this backend. */
export const backendId = "codex-app-server"

export const agentError = (reason: AgentError.AgentErrorReason): AgentError.AgentError =>
  new AgentError.AgentError({ backend: backendId, reason })

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** The name in a `codexErrorInfo`, and the HTTP status beside it where there is one. */
const info = (
  value: Wire.CodexErrorInfo | null | undefined
): { readonly code?: string; readonly httpStatus?: number } => {
  if (typeof value === "string") return { code: value }
  if (!isRecord(value)) return {}
  const [entry] = Object.entries(value)
  if (entry === undefined) return {}
  const [code, details] = entry
  const status = isRecord(details) ? details["httpStatusCode"] : undefined
  return typeof status === "number" ? { code, httpStatus: status } : { code }
}

/** Why a turn failed, or why it is tried again. */
export const fromTurnError = (error: Wire.TurnError): AgentError.AgentErrorReason => {
  const { code, httpStatus } = info(error.codexErrorInfo)
  const more = error.additionalDetails
  const detail = more == null || more === "" ? error.message : `${error.message} (${more})`
  const status = httpStatus === undefined ? {} : { httpStatus }
  switch (code) {
    case "contextWindowExceeded":
      return new AgentError.ContextOverflow({ detail })
    case "usageLimitExceeded":
    case "sessionBudgetExceeded":
      return new AgentError.UsageLimitExceeded({ detail })
    case "rateLimitExceeded":
      return new AgentError.RateLimited({ detail, ...status })
    case "serverOverloaded":
      return new AgentError.Overloaded({ detail, mayHaveReached: true })
    case "unauthorized":
      return new AgentError.Unauthorized({ detail, ...status })
  }
  switch (httpStatus) {
    case 429:
      return new AgentError.RateLimited({ detail, httpStatus })
    case 401:
    case 403:
      return new AgentError.Unauthorized({ detail, httpStatus })
  }
  return new AgentError.ModelFailed({
    detail,
    ...status,
    ...(code === undefined || code === "other" ? {} : { code })
  })
}

/** How a connection ended. */
export const fromTransportError = (error: TransportError, mayHaveReached: boolean): AgentError.AgentErrorReason => {
  const { reason } = error
  switch (reason._tag) {
    case "OpenFailed":
      return new AgentError.BinaryMissing({ command: reason.target, detail: reason.detail })
    case "TooMuchNoise":
      return new AgentError.HandshakeFailed({ detail: reason.message })
    case "Closed": {
      const { exitCode, signal, stderrTail } = reason.process ?? { stderrTail: "" }
      return new AgentError.AgentDied({
        detail: reason.detail,
        stderrTail,
        mayHaveReached,
        ...(exitCode === undefined ? {} : { exitCode }),
        ...(signal === undefined ? {} : { signal })
      })
    }
  }
}

/** A refusal by the server: nearly all have the same code (-32600), so the sentence decides. */
const fromRejection = (reason: Rejected, threadId: string | undefined): AgentError.AgentErrorReason => {
  const { code, message, method } = reason
  const meaning = ErrorCodes.recognize({ code, message, data: reason.data })
  switch (meaning._tag) {
    case "Overloaded":
      return new AgentError.Overloaded({ detail: message, mayHaveReached: false })
    case "ThreadUnknown":
    case "ThreadArchived":
      return new AgentError.UnknownSession({ sessionId: meaning.threadId, detail: message })
    case "TurnUnknown":
      return threadId === undefined
        ? new AgentError.Rejected({ operation: method, code, detail: message })
        : new AgentError.UnknownSession({ sessionId: threadId, detail: message })
    case "ActiveWriter":
      return new AgentError.SessionBusy({ sessionId: meaning.threadId, detail: message })
    case "NoActiveTurn":
    case "OtherTurn":
      return method === "turn/steer"
        ? new AgentError.NotSteerable({ detail: message })
        : new AgentError.Rejected({ operation: method, code, detail: message })
    case "InputTooLarge":
      return new AgentError.InvalidInput({ field: "prompt", detail: message })
  }
  // Ids that are no UUID at all, e.g. of another program.
  if (threadId !== undefined && /^invalid (?:session|thread) id/.test(message)) {
    return new AgentError.UnknownSession({ sessionId: threadId, detail: message })
  }
  return new AgentError.Rejected({ operation: method, code, detail: message })
}

/** Why a call to the server gave no result. */
export const fromPeerError = (error: PeerError, threadId?: string): AgentError.AgentErrorReason => {
  const { reason } = error
  switch (reason._tag) {
    case "Rejected":
      return fromRejection(reason, threadId)
    case "MalformedReply":
      return new AgentError.MalformedReply({ method: reason.method, detail: reason.detail, mayHaveReached: true })
    case "InvalidParams":
      return new AgentError.InvalidInput({ field: reason.method, detail: reason.detail })
    case "DeadlineExceeded":
      return new AgentError.TimedOut({
        operation: reason.method,
        after: reason.after,
        mayHaveReached: reason.mayHaveReached
      })
    case "Disconnected":
      return fromTransportError(reason.error, reason.mayHaveReached)
  }
}
