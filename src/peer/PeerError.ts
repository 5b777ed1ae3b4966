/**
 * Why a call to the other side did not give a result.
 */
import * as Schema from "effect/Schema"
import { TransportError } from "../transport/TransportError.ts"

const method = Schema.String

/** The other side answered with a JSON-RPC error. */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", {
  method,
  code: Schema.Int,
  message: Schema.String,
  data: Schema.optionalKey(Schema.Unknown),
  mayHaveReached: Schema.Boolean
}) {}

/** The answer does not fit the method's schema, or its frame could not be read. */
export class MalformedReply extends Schema.TaggedError<MalformedReply>()("MalformedReply", {
  method,
  detail: Schema.String
}) {
  readonly mayHaveReached = true
  override get message(): string {
    return `Malformed reply to ${this.method}: ${this.detail}`
  }
}

/** What we were about to send does not fit the method's schema. Nothing was sent. */
export class InvalidParams extends Schema.TaggedError<InvalidParams>()("InvalidParams", {
  method,
  detail: Schema.String
}) {
  readonly mayHaveReached = false
  override get message(): string {
    return `Invalid parameters for ${this.method}: ${this.detail}`
  }
}

/** No answer within the call's deadline. A late answer is dropped. */
export class DeadlineExceeded extends Schema.TaggedError<DeadlineExceeded>()("DeadlineExceeded", {
  method,
  /** Milliseconds. */
  after: Schema.Finite,
  /** `false` when the call was still waiting for a place among those in flight. */
  mayHaveReached: Schema.Boolean
}) {
  override get message(): string {
    return `${this.method} was not answered within ${this.after} ms`
  }
}

/** The connection ended before the answer. */
export class Disconnected extends Schema.TaggedError<Disconnected>()("Disconnected", {
  method,
  error: TransportError,
  mayHaveReached: Schema.Boolean
}) {
  override get message(): string {
    return `${this.method}: ${this.error.message}`
  }
}

export const PeerErrorReason = Schema.Union([Rejected, MalformedReply, InvalidParams, DeadlineExceeded, Disconnected])
export type PeerErrorReason = typeof PeerErrorReason.Type

/** The one public error of this room; its `reason` says which. */
export class PeerError extends Schema.TaggedError<PeerError>()("PeerError", {
  reason: PeerErrorReason
}) {
  override get message(): string {
    return this.reason.message
  }
  /** Whether the other side may have seen the call. */
  get mayHaveReached(): boolean {
    return this.reason.mayHaveReached
  }
}
