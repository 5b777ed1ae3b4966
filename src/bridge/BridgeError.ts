/**
 * Why a client's request was refused, and the JSON-RPC error that says so.
 */
import * as Schema from "effect/Schema"
import { AgentError } from "../agent/AgentError.ts"
import type { JsonRpcError } from "../protocol/Envelope.ts"
import * as ErrorCodes from "../protocol/ErrorCodes.ts"

const threadId = Schema.String

/** The request cannot be served as it is; the sentence says why. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  message: Schema.String,
  /** For programs, where the real server gives some. */
  data: Schema.optionalKey(Schema.Json)
}) {}

/** A parameter has a value that is not acceptable. */
export class UnknownValue extends Schema.TaggedError<UnknownValue>()("UnknownValue", {
  given: Schema.String,
  known: Schema.Array(Schema.String)
}) {}

/** There is no such thread, or it was never stored. */
export class NoSuchThread extends Schema.TaggedError<NoSuchThread>()("NoSuchThread", { threadId }) {}

/** The thread exists and is not loaded in this process. */
export class ThreadNotLoaded extends Schema.TaggedError<ThreadNotLoaded>()("ThreadNotLoaded", { threadId }) {}

/** Another process runs the thread. */
export class ActiveWriter extends Schema.TaggedError<ActiveWriter>()("ActiveWriter", { threadId }) {}

export class ThreadArchived extends Schema.TaggedError<ThreadArchived>()("ThreadArchived", { threadId }) {}

export class NoActiveTurn extends Schema.TaggedError<NoActiveTurn>()("NoActiveTurn", {
  action: Schema.Literals(["interrupt", "steer"])
}) {}

export class OtherTurn extends Schema.TaggedError<OtherTurn>()("OtherTurn", {
  action: Schema.Literals(["interrupt", "steer"]),
  expected: Schema.String,
  found: Schema.String
}) {}

export class InputTooLarge extends Schema.TaggedError<InputTooLarge>()("InputTooLarge", {
  characters: Schema.Int
}) {}

/** Known to the protocol, and not to be had here; the sentence says what to do instead, if anything. */
export class NotSupported extends Schema.TaggedError<NotSupported>()("NotSupported", {
  message: Schema.String,
  /** Where the real server does not have it either, as it says that. */
  code: Schema.optionalKey(Schema.Int)
}) {}

/** A list that there is none of before the thread's first turn was stored. */
export class NotSupportedYet extends Schema.TaggedError<NotSupportedYet>()("NotSupportedYet", {
  /** The method, or the operation that the real server names. */
  what: Schema.String
}) {}

/** The agent refused or failed. */
export class AgentFailed extends Schema.TaggedError<AgentFailed>()("AgentFailed", { error: AgentError }) {}

/** A parameter that is acceptable in form cannot be worked with; the real server has a code of its own for some. */
export class InvalidParams extends Schema.TaggedError<InvalidParams>()("InvalidParams", {
  message: Schema.String
}) {}

/** What was asked for was tried, and the operating system said no: nothing is broken here. */
export class OperationFailed extends Schema.TaggedError<OperationFailed>()("OperationFailed", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** Something here is broken, e.g. the store. The cause is logged; the client gets the sentence. */
export class Internal extends Schema.TaggedError<Internal>()("Internal", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

export const BridgeErrorReason = Schema.Union([
  InvalidRequest,
  UnknownValue,
  NoSuchThread,
  ThreadNotLoaded,
  ActiveWriter,
  ThreadArchived,
  NoActiveTurn,
  OtherTurn,
  InputTooLarge,
  NotSupported,
  NotSupportedYet,
  AgentFailed,
  InvalidParams,
  OperationFailed,
  Internal
])
export type BridgeErrorReason = typeof BridgeErrorReason.Type

/** The one public error of this room. */
export class BridgeError extends Schema.TaggedError<BridgeError>()("BridgeError", { reason: BridgeErrorReason }) {
  override get message(): string {
    return toRpc(this).message
  }
}

/** Fails with a reason. */
export const refuse = (reason: BridgeErrorReason): BridgeError => new BridgeError({ reason })

/** The table from reasons to what the real server answers in their place. */
export const toRpc = ({ reason }: BridgeError): JsonRpcError => {
  switch (reason._tag) {
    case "InvalidRequest":
      return {
        code: ErrorCodes.invalidRequest,
        message: reason.message,
        ...(reason.data === undefined ? {} : { data: reason.data })
      }
    case "UnknownValue":
      return ErrorCodes.unknownVariant(reason.given, reason.known)
    case "NoSuchThread":
      return ErrorCodes.noRollout(reason.threadId)
    case "ThreadNotLoaded":
      return ErrorCodes.threadNotFound(reason.threadId)
    case "ActiveWriter":
      return ErrorCodes.activeWriter(reason.threadId)
    case "ThreadArchived":
      return ErrorCodes.archived(reason.threadId)
    case "NoActiveTurn":
      return reason.action === "steer" ? ErrorCodes.noActiveTurnToSteer : ErrorCodes.noActiveTurnToInterrupt
    case "OtherTurn":
      return reason.action === "steer"
        ? ErrorCodes.steerMismatch(reason.expected, reason.found)
        : ErrorCodes.interruptMismatch(reason.expected, reason.found)
    case "InputTooLarge":
      return ErrorCodes.inputTooLarge(reason.characters)
    case "NotSupported":
      return { code: reason.code ?? ErrorCodes.invalidRequest, message: reason.message }
    case "NotSupportedYet":
      return ErrorCodes.notSupportedYet(reason.what)
    case "AgentFailed":
      return { code: ErrorCodes.invalidRequest, message: reason.error.message }
    case "InvalidParams":
      return { code: ErrorCodes.invalidParams, message: reason.message }
    case "OperationFailed":
    case "Internal":
      return { code: ErrorCodes.internalError, message: reason.message }
  }
}
