/**
 * Everything that can go wrong between a host and an agent, as one error with a tagged reason.
 *
 * A reason that may leave a request behind at the agent carries `mayHaveReached`:
 * `false` only where it is certain that the agent never saw it.
 */
import * as Schema from "effect/Schema"

const mayHaveReached = Schema.Boolean

/** The agent's executable was not found or could not be started. */
export class BinaryMissing extends Schema.TaggedError<BinaryMissing>()("BinaryMissing", {
  command: Schema.String,
  detail: Schema.String
}) {
  readonly mayHaveReached = false
  override get message(): string {
    return `Cannot start ${this.command}: ${this.detail}`
  }
}

/** The agent runs, and is too old for this library. */
export class VersionUnsupported extends Schema.TaggedError<VersionUnsupported>()("VersionUnsupported", {
  found: Schema.String,
  minimum: Schema.String
}) {
  readonly mayHaveReached = false
  override get message(): string {
    return `Version ${this.found} is older than the supported minimum ${this.minimum}`
  }
}

/** The process started and the connection was never established. */
export class HandshakeFailed extends Schema.TaggedError<HandshakeFailed>()("HandshakeFailed", {
  detail: Schema.String
}) {
  readonly mayHaveReached = false
  override get message(): string {
    return `The handshake failed: ${this.detail}`
  }
}

/** The agent is there, and has no account, key or provider to run a turn with. */
export class NotConfigured extends Schema.TaggedError<NotConfigured>()("NotConfigured", {
  detail: Schema.String
}) {
  readonly mayHaveReached = false
  override get message(): string {
    return `Not configured: ${this.detail}`
  }
}

/** The agent answered with something that does not fit the protocol. */
export class MalformedReply extends Schema.TaggedError<MalformedReply>()("MalformedReply", {
  method: Schema.String,
  detail: Schema.String,
  mayHaveReached
}) {
  override get message(): string {
    return `Malformed reply to ${this.method}: ${this.detail}`
  }
}

/** The agent knows no session by this id (any more). */
export class UnknownSession extends Schema.TaggedError<UnknownSession>()("UnknownSession", {
  sessionId: Schema.String,
  detail: Schema.String
}) {
  readonly mayHaveReached = false
  override get message(): string {
    return `Unknown session ${this.sessionId}: ${this.detail}`
  }
}

/** Another process or turn holds the session. */
export class SessionBusy extends Schema.TaggedError<SessionBusy>()("SessionBusy", {
  sessionId: Schema.String,
  detail: Schema.String
}) {
  readonly mayHaveReached = false
  override get message(): string {
    return `Session ${this.sessionId} is busy: ${this.detail}`
  }
}

/** The agent's process ended, or its connection closed. */
export class AgentDied extends Schema.TaggedError<AgentDied>()("AgentDied", {
  detail: Schema.String,
  exitCode: Schema.optionalKey(Schema.Int),
  signal: Schema.optionalKey(Schema.String),
  /** Bounded and redacted. */
  stderrTail: Schema.String,
  mayHaveReached
}) {
  override get message(): string {
    const status = this.exitCode !== undefined
      ? ` (exit status ${this.exitCode})`
      : this.signal !== undefined
      ? ` (${this.signal})`
      : ""
    return `The agent is gone${status}: ${this.detail}${
      this.stderrTail === "" ? "" : `; stderr ends: ${this.stderrTail}`
    }`
  }
}

/** An operation was not answered within its deadline. */
export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", {
  operation: Schema.String,
  /** Milliseconds. */
  after: Schema.Finite,
  mayHaveReached
}) {
  override get message(): string {
    return `${this.operation} was not answered within ${this.after} ms`
  }
}

/** Nothing was heard of a running turn for longer than the host allows. */
export class Silent extends Schema.TaggedError<Silent>()("Silent", {
  /** Milliseconds. */
  after: Schema.Finite
}) {
  readonly mayHaveReached = true
  override get message(): string {
    return `The agent said nothing for ${this.after} ms`
  }
}

/** The agent's server refuses work for now; nothing was enqueued. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {
  detail: Schema.String,
  mayHaveReached
}) {
  override get message(): string {
    return `Overloaded: ${this.detail}`
  }
}

/** The model's provider limits the rate of requests. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  detail: Schema.String,
  httpStatus: Schema.optionalKey(Schema.Int)
}) {
  readonly mayHaveReached = true
  override get message(): string {
    return `Rate limited: ${this.detail}`
  }
}

/** An account's quota or a session's budget is used up. */
export class UsageLimitExceeded extends Schema.TaggedError<UsageLimitExceeded>()("UsageLimitExceeded", {
  detail: Schema.String
}) {
  readonly mayHaveReached = true
  override get message(): string {
    return `Usage limit exceeded: ${this.detail}`
  }
}

/** The conversation does not fit the model's context window. */
export class ContextOverflow extends Schema.TaggedError<ContextOverflow>()("ContextOverflow", {
  detail: Schema.String
}) {
  readonly mayHaveReached = true
  override get message(): string {
    return `The context window is full: ${this.detail}`
  }
}

/** The model's provider refuses the credentials, or asks for some. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {
  detail: Schema.String,
  httpStatus: Schema.optionalKey(Schema.Int)
}) {
  readonly mayHaveReached = true
  override get message(): string {
    return `Unauthorized: ${this.detail}`
  }
}

/** The model, or the way to it, failed in another way. */
export class ModelFailed extends Schema.TaggedError<ModelFailed>()("ModelFailed", {
  detail: Schema.String,
  /** The agent's own name for the failure, e.g. `modelNotFound`, `serverOverloaded`, `cyberPolicy`. */
  code: Schema.optionalKey(Schema.String),
  httpStatus: Schema.optionalKey(Schema.Int)
}) {
  readonly mayHaveReached = true
  override get message(): string {
    return `The model failed${this.code === undefined ? "" : ` (${this.code})`}: ${this.detail}`
  }
}

/** The agent refused a request for a reason that has no tag of its own. */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", {
  operation: Schema.String,
  code: Schema.optionalKey(Schema.Int),
  detail: Schema.String
}) {
  readonly mayHaveReached = false
  override get message(): string {
    return `${this.operation} was refused${this.code === undefined ? "" : ` (${this.code})`}: ${this.detail}`
  }
}

/** The backend cannot do what was asked. */
export class CapabilityMissing extends Schema.TaggedError<CapabilityMissing>()("CapabilityMissing", {
  capability: Schema.String
}) {
  readonly mayHaveReached = false
  override get message(): string {
    return `This backend does not support ${this.capability}`
  }
}

/** A parameter is wrong; nothing was sent. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  field: Schema.String,
  detail: Schema.String
}) {
  readonly mayHaveReached = false
  override get message(): string {
    return `${this.field}: ${this.detail}`
  }
}

/** There is no turn that could take the input now: it ended, or is of a kind that cannot be steered. */
export class NotSteerable extends Schema.TaggedError<NotSteerable>()("NotSteerable", {
  detail: Schema.String
}) {
  readonly mayHaveReached = false
  override get message(): string {
    return `The turn cannot be steered: ${this.detail}`
  }
}

/** A reader of events stayed so far behind that the bounded buffer is full. The turn itself goes on. */
export class ReaderTooSlow extends Schema.TaggedError<ReaderTooSlow>()("ReaderTooSlow", {
  /** Events in the buffer. */
  limit: Schema.Int
}) {
  readonly mayHaveReached = true
  override get message(): string {
    return `The reader fell more than ${this.limit} events behind`
  }
}

/** The host gave the operation up. */
export class Cancelled extends Schema.TaggedError<Cancelled>()("Cancelled", {
  detail: Schema.String,
  mayHaveReached
}) {
  override get message(): string {
    return `Cancelled: ${this.detail}`
  }
}

export const AgentErrorReason = Schema.Union([
  BinaryMissing,
  VersionUnsupported,
  HandshakeFailed,
  NotConfigured,
  MalformedReply,
  UnknownSession,
  SessionBusy,
  AgentDied,
  TimedOut,
  Silent,
  Overloaded,
  RateLimited,
  UsageLimitExceeded,
  ContextOverflow,
  Unauthorized,
  ModelFailed,
  Rejected,
  CapabilityMissing,
  InvalidInput,
  NotSteerable,
  ReaderTooSlow,
  Cancelled
])
export type AgentErrorReason = typeof AgentErrorReason.Type

/** The one public error of the agent seam. */
export class AgentError extends Schema.TaggedError<AgentError>()("AgentError", {
  /** Id of the backend that failed. */
  backend: Schema.String,
  reason: AgentErrorReason
}) {
  override get message(): string {
    return this.reason.message
  }
  /** Whether the agent may have seen the request that failed. */
  get mayHaveReached(): boolean {
    return this.reason.mayHaveReached
  }
}
