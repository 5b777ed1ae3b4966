/**
 * Why a connection could not be opened, or how it ended.
 */
import * as Schema from "effect/Schema"

/** The command could not be spawned, or the socket not be connected. Nothing was sent. */
export class OpenFailed extends Schema.TaggedError<OpenFailed>()("OpenFailed", {
  target: Schema.String,
  /** What the operating system or the other side said, e.g. `ENOENT`, `ECONNREFUSED`, `HTTP 401`. */
  detail: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    return `Could not open ${this.target}: ${this.detail}`
  }
}

/** How a child process ended, and the last it wrote to stderr. */
export const ProcessEnd = Schema.Struct({
  /** Exit status; missing when a signal ended the process or it was still running. */
  exitCode: Schema.optionalKey(Schema.Int),
  /** Name of the signal that ended the process. */
  signal: Schema.optionalKey(Schema.String),
  /** Bounded tail of stderr, secrets redacted, ANSI sequences removed. */
  stderrTail: Schema.String
})
export type ProcessEnd = typeof ProcessEnd.Type

/** The connection ended: end of file, a close frame, a broken pipe, or the process behind it is gone. */
export class Closed extends Schema.TaggedError<Closed>()("Closed", {
  target: Schema.String,
  detail: Schema.String,
  /** Close code of a WebSocket. */
  closeCode: Schema.optionalKey(Schema.Int),
  process: Schema.optionalKey(ProcessEnd),
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    const end = this.process
    const status = end?.exitCode !== undefined
      ? ` (exit status ${end.exitCode})`
      : end?.signal !== undefined
      ? ` (${end.signal})`
      : ""
    const tail = end === undefined || end.stderrTail === "" ? "" : `; stderr ends: ${end.stderrTail}`
    return `${this.target} closed: ${this.detail}${status}${tail}`
  }
}

/** More output that is no message than the budget allows: whatever runs there does not speak this protocol. */
export class TooMuchNoise extends Schema.TaggedError<TooMuchNoise>()("TooMuchNoise", {
  target: Schema.String,
  lines: Schema.Int,
  bytes: Schema.Int,
  /** The first bytes of it. */
  head: Schema.String
}) {
  override get message(): string {
    return `${this.target} does not speak the app-server protocol: ${this.lines} lines (${this.bytes} bytes) ` +
      `were no messages, starting with ${JSON.stringify(this.head)}`
  }
}

export const TransportErrorReason = Schema.Union([OpenFailed, Closed, TooMuchNoise])
export type TransportErrorReason = typeof TransportErrorReason.Type

/** The one public error of this room; its `reason` says which. */
export class TransportError extends Schema.TaggedError<TransportError>()("TransportError", {
  reason: TransportErrorReason
}) {
  override get message(): string {
    return this.reason.message
  }
}
