/**
 * What goes wrong with an `omp` process, as reasons of the waist. Pure.
 */
import * as AgentError from "../../../agent/AgentError.ts"
import type { TransportError } from "../../../transport/TransportError.ts"

/** Id of this backend. */
export const backendId = "omp-rpc"

export const agentError = (reason: AgentError.AgentErrorReason): AgentError.AgentError =>
  new AgentError.AgentError({ backend: backendId, reason })

/** How a connection ended. `cut` says that it did so in the middle of a frame. */
export const fromTransportError = (
  { reason }: TransportError,
  mayHaveReached: boolean,
  cut?: string
): AgentError.AgentErrorReason => {
  switch (reason._tag) {
    case "OpenFailed":
      return new AgentError.BinaryMissing({ command: reason.target, detail: reason.detail })
    case "TooMuchNoise":
      return new AgentError.HandshakeFailed({
        detail: `${reason.target} does not speak omp's RPC protocol: ${reason.lines} lines (${reason.bytes} bytes) ` +
          `were no frames, starting with ${JSON.stringify(reason.head)}`
      })
    case "Closed": {
      const { exitCode, signal, stderrTail } = reason.process ?? { stderrTail: "" }
      return new AgentError.AgentDied({
        detail: cut === undefined
          ? reason.detail
          : `${reason.detail}, and the last of its frames is incomplete: ${cut}`,
        stderrTail,
        mayHaveReached,
        ...(exitCode === undefined ? {} : { exitCode }),
        ...(signal === undefined ? {} : { signal })
      })
    }
  }
}

const startsComplaint = /^(?:error|fatal):\s*/i
const stackFrame = /^at\s/
// The source around a line that threw, minified.
const sourceLine = /^\d+ \|/

const noSession = /^(?:Session .* not found|Cannot resume session\b)/
const noModel = /^(?:Model .* not found|No API key\b|No models?\b|Unknown provider\b)/

/** The sentence in which omp says why it ends: among warnings, advice, source lines and a stack trace. */
const complaint = (stderrTail: string): string => {
  const lines = stderrTail.split("\n").map((line) => line.trim()).filter((line) =>
    line !== "" && !stackFrame.test(line) && !sourceLine.test(line)
  )
  const sentence = lines.findLast((line) => startsComplaint.test(line)) ?? lines.find((line) => noModel.test(line)) ??
    lines.at(-1) ?? ""
  return sentence.replace(startsComplaint, "")
}

/** Why a process ended, or was given up, before it was of any use. Whatever it is, nothing has reached a model. */
export const fromStartup = (
  error: AgentError.AgentError,
  resumed: string | undefined
): AgentError.AgentErrorReason => {
  const { reason } = error
  switch (reason._tag) {
    case "AgentDied": {
      const { detail, exitCode, signal, stderrTail } = reason
      const sentence = complaint(stderrTail)
      if (resumed !== undefined && noSession.test(sentence)) {
        return new AgentError.UnknownSession({ sessionId: resumed, detail: sentence })
      }
      if (noModel.test(sentence)) return new AgentError.NotConfigured({ detail: howToLogIn(sentence) })
      const status = exitCode !== undefined ? ` (exit status ${exitCode})` : signal !== undefined ? ` (${signal})` : ""
      return new AgentError.HandshakeFailed({
        detail: `omp ended before it was ready: ${detail}${status}${sentence === "" ? "" : `; it said: ${sentence}`}`
      })
    }
    case "Rejected":
    case "MalformedReply":
    case "TimedOut":
      return new AgentError.HandshakeFailed({ detail: reason.message })
    default:
      return reason
  }
}

/** What omp says of logins is for its own terminal. */
export const howToLogIn = (sentence: string): string =>
  /\/login|api key/i.test(sentence)
    ? `start \`omp\` once and log in there, or set a key. It says: ${sentence}`
    : sentence
