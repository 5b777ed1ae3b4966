/**
 * The refusals that workspace methods have in common.
 */
import type * as PlatformError from "effect/PlatformError"
import * as Predicate from "effect/Predicate"
import * as Os from "node:os"
import {
  type BridgeError,
  InvalidParams,
  InvalidRequest,
  NotSupported,
  OperationFailed,
  refuse
} from "../../BridgeError.ts"

export const invalid = (message: string): BridgeError => refuse(new InvalidRequest({ message }))

export const invalidParams = (message: string): BridgeError => refuse(new InvalidParams({ message }))

export const notSupported = (message: string): BridgeError => refuse(new NotSupported({ message }))

// The sentences of the C library, where they differ from what Node calls the same error.
const sentences: Readonly<Record<string, string>> = {
  EACCES: "Permission denied",
  EBUSY: "Device or resource busy",
  EEXIST: "File exists",
  EINVAL: "Invalid argument",
  EISDIR: "Is a directory",
  ELOOP: "Too many levels of symbolic links",
  EMFILE: "Too many open files",
  ENAMETOOLONG: "File name too long",
  ENOENT: "No such file or directory",
  ENOEXEC: "Exec format error",
  ENOSPC: "No space left on device",
  ENOTDIR: "Not a directory",
  ENOTEMPTY: "Directory not empty",
  EPERM: "Operation not permitted",
  EROFS: "Read-only file system",
  ETXTBSY: "Text file busy",
  EXDEV: "Invalid cross-device link",
  E2BIG: "Argument list too long"
}

const numbers: Readonly<Record<string, number | undefined>> = Os.constants.errno

/** The code of a system error, such as `ENOENT`. */
export const errnoOf = (error: unknown): string | undefined =>
  Predicate.hasProperty(error, "code") && Predicate.isString(error.code) ? error.code : undefined

/** An error of the system as the real server words it. */
export const describe = (code: string): string => {
  const number = numbers[code]
  return `${sentences[code] ?? code}${number === undefined ? "" : ` (os error ${number})`}`
}

/** The system refused; `what` goes in front, with a colon of its own. */
export const systemError = (cause: unknown, what = ""): BridgeError => {
  const code = errnoOf(cause)
  const detail = code === undefined ? (Predicate.isError(cause) ? cause.message : String(cause)) : describe(code)
  return refuse(new OperationFailed({ message: `${what}${detail}`, cause }))
}

export const platformError = (error: PlatformError.PlatformError, what = ""): BridgeError =>
  systemError(error.reason.cause ?? error, what)
