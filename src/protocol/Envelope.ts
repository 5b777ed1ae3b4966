/**
 * The JSON-RPC envelopes of this wire, and what a parsed value is.
 *
 * Messages carry no `jsonrpc` member here; one that comes in is ignored. `classify` looks at the envelope alone: params
 * and results pass through untouched, so a delta costs a few property reads.
 */
import * as Predicate from "effect/Predicate"

/** An id keeps its type: `1` is not `"1"`, and `0` is an id like any other. */
export type RequestId = string | number

/** The error member of an answer. */
export interface JsonRpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** A call that wants an answer: whatever has a method and an id. */
export interface Request {
  readonly _tag: "Request"
  readonly id: RequestId
  readonly method: string
  /** `undefined` when the message has none. */
  readonly params: unknown
}

export interface Notification {
  readonly _tag: "Notification"
  readonly method: string
  /** `undefined` when the message has none. */
  readonly params: unknown
  /** When the server emitted it, in milliseconds since 1970; only on notifications of a server. */
  readonly emittedAtMs: number | undefined
}

export interface Response {
  readonly _tag: "Response"
  readonly id: RequestId
  readonly result: unknown
}

export interface ErrorResponse {
  readonly _tag: "ErrorResponse"
  /** `null` when the other side could not tell what it answers. */
  readonly id: RequestId | null
  readonly error: JsonRpcError
}

/** A value that is no message. It names no content, except an id that lets the call it answers fail. */
export interface Malformed {
  readonly _tag: "Malformed"
  readonly reason: string
  /** The id, if that was readable. */
  readonly id: RequestId | undefined
  /** Whether it names a method, so that the id is not one of ours. */
  readonly isRequest: boolean
}

export type Message = Request | Notification | Response | ErrorResponse | Malformed

/** What is written to the wire. */
export type Outgoing =
  | { readonly id: RequestId; readonly method: string; readonly params?: unknown }
  | { readonly method: string; readonly params?: unknown; readonly emittedAtMs?: number }
  | { readonly id: RequestId; readonly result: unknown }
  | { readonly id: RequestId | null; readonly error: JsonRpcError }

/** Whether a value may be an id: a string, or an integer that a double holds exactly. */
export const isRequestId = (u: unknown): u is RequestId => typeof u === "string" || Number.isSafeInteger(u)

const malformed = (reason: string, id?: RequestId, isRequest = false): Malformed => ({
  _tag: "Malformed",
  reason,
  id,
  isRequest
})

/**
 * Says what a parsed JSON value is. A message with a method and an id is a request, whatever calls are pending.
 */
export const classify = (value: unknown): Message => {
  if (!Predicate.isObject(value)) return malformed(Array.isArray(value) ? "a batch" : "not an object")
  const { id, method } = value
  if (method !== undefined) {
    if (typeof method !== "string") return malformed("a method that is no string", undefined, true)
    const { params } = value
    if (id === undefined) {
      const { emittedAtMs } = value
      return {
        _tag: "Notification",
        method,
        params,
        emittedAtMs: typeof emittedAtMs === "number" ? emittedAtMs : undefined
      }
    }
    if (!isRequestId(id)) return malformed("a request with an invalid id", undefined, true)
    return { _tag: "Request", id, method, params }
  }
  const { error, result } = value
  // Some peers write `"error": null` beside a result.
  if (error !== undefined && error !== null) return classifyError(id, error)
  if (id === undefined) return malformed("neither a method nor an id")
  if (!isRequestId(id)) return malformed("an answer with an invalid id")
  if (result === undefined) return malformed("an answer with neither a result nor an error", id)
  return { _tag: "Response", id, result }
}

const classifyError = (id: unknown, error: unknown): Message => {
  if (id !== undefined && id !== null && !isRequestId(id)) return malformed("an error answer with an invalid id")
  const known = id ?? undefined
  if (!Predicate.isObject(error)) return malformed("an error that is no object", known)
  const { code, data, message } = error
  if (typeof code !== "number" || typeof message !== "string") {
    return malformed("an error without a numeric code and a message", known)
  }
  return {
    _tag: "ErrorResponse",
    id: known ?? null,
    error: data === undefined ? { code, message } : { code, message, data }
  }
}

// `undefined` is no JSON value, so it can stand for text that is none. The parser's own message quotes the text, which
// may hold anything.
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses and classifies one frame. */
export const parse = (text: string): Message => {
  const value = parseJson(text)
  return value === undefined ? malformed("not JSON") : classify(value)
}

/**
 * One message as text, without a line end.
 *
 * Half of a surrogate pair, e.g. of a text that was cut between the two, becomes U+FFFD: it has no UTF-8 form, JSON
 * has only an escape for it, and codex drops a line with such an escape without an answer.
 */
export const encode = (message: Outgoing): string => {
  const text = JSON.stringify(message)
  return text.includes("\\ud") ? text.replace(escapes, (escape) => escape === "\\\\" ? escape : "\ufffd") : text
}

// `JSON.stringify` escapes surrogates only where they stand alone. An escaped backslash is matched so that what
// follows it is not taken for an escape.
const escapes = /\\(?:\\|ud[89a-f][0-9a-f]{2})/g

/**
 * The id of the call that a frame answers, from the first part of a frame that could not be read as a whole.
 * `undefined` when that part shows no id, or shows a method: such a frame answers nothing.
 */
export const idFromHead = (head: string): RequestId | undefined => {
  let depth = 0
  let id: RequestId | undefined
  for (const { 0: token, index } of head.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === "{" || token === "[") depth++
    else if (token === "}" || token === "]") depth--
    else if (depth === 1) {
      const value = /^\s*:\s*(?:("(?:[^"\\]|\\.)*")|(-?\d+)\s*[,}])?/.exec(head.slice(index + token.length))
      if (value === null) continue
      if (token === "\"method\"") return undefined
      if (token !== "\"id\"") continue
      const found = parseJson(value[1] ?? value[2] ?? "null")
      if (isRequestId(found)) id = found
    }
  }
  return id
}
