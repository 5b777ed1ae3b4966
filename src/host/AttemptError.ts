/**
 * Why there is no attempt to speak of, as one error with a tagged reason.
 *
 * Whatever happens to the agent is a result, not an error; {@link NotCompleted} is for hosts that want it as one.
 */
import * as Schema from "effect/Schema"
import { AttemptResult } from "./AttemptResult.ts"

/** A parameter is wrong; nothing was started. */
export class InvalidParams extends Schema.TaggedError<InvalidParams>()("InvalidParams", {
  /** The parameter, e.g. `workspaceDir`, `images.0.path`. */
  field: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    return `${this.field}: ${this.detail}`
  }
}

/** The binding of a session could not be read or written; nothing was started. */
export class BindingFailed extends Schema.TaggedError<BindingFailed>()("BindingFailed", {
  operation: Schema.Literals(["read", "write", "clear"]),
  /** The file, or the session key where there is none. */
  location: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    return `Cannot ${this.operation} the session binding ${this.location}: ${this.detail}`
  }
}

/** Another attempt runs under this key. One at a time: queue a message with it, or wait for its end. */
export class SessionBusy extends Schema.TaggedError<SessionBusy>()("SessionBusy", {
  /** The session key, session file or run id that is taken. */
  key: Schema.String,
  /** The attempt that has it. */
  runId: Schema.String
}) {
  override get message(): string {
    return `The attempt ${this.runId} is running under ${this.key}`
  }
}

/** The attempt ran and did not complete. */
export class NotCompleted extends Schema.TaggedError<NotCompleted>()("NotCompleted", {
  result: AttemptResult
}) {
  override get message(): string {
    const { error, stopReason, status } = this.result
    return `The attempt ended ${status} (${stopReason})${error === undefined ? "" : `: ${error.message}`}`
  }
}

export const AttemptErrorReason = Schema.Union([InvalidParams, BindingFailed, SessionBusy, NotCompleted])
export type AttemptErrorReason = typeof AttemptErrorReason.Type

/** The one public error of the host room. */
export class AttemptError extends Schema.TaggedError<AttemptError>()("AttemptError", {
  reason: AttemptErrorReason
}) {
  override get message(): string {
    return this.reason.message
  }
}
