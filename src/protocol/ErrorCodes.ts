/**
 * The error codes of the protocol, and the sentences that codex says with them.
 *
 * Nearly every refusal is `-32600` and told apart by its sentence alone. The constructors write those sentences, because
 * clients match on them; `recognize` reads them.
 */
import * as Predicate from "effect/Predicate"
import type { JsonRpcError } from "./Envelope.ts"

/** The text was no JSON. Codex drops such a line; only JSON-RPC peers in general answer it. */
export const parseError = -32700
/** Unknown method, missing or invalid params, unknown thread: nearly everything. */
export const invalidRequest = -32600
/** A method that exists and is not supported for this thread; elsewhere an unknown method. */
export const methodNotFound = -32601
/** Params that are well formed and not acceptable, e.g. an input that is too large. */
export const invalidParams = -32602
/** The handler failed. */
export const internalError = -32603
/** Refused before it was looked at; worth repeating. */
export const serverOverloaded = -32001

/** Characters that the text of one turn input may have. */
export const maxInputChars = 1_048_576

const refuse = (message: string): JsonRpcError => ({ code: invalidRequest, message })

export const overloaded: JsonRpcError = { code: serverOverloaded, message: "Server overloaded; retry later." }

/** Refused because the server ends when the turns that run have ended. */
export const draining: JsonRpcError = {
  code: invalidRequest,
  message: "Server is draining; retry after reconnecting",
  data: { reason: "serverShuttingDown" }
}

export const notInitialized: JsonRpcError = refuse("Not initialized")

export const alreadyInitialized: JsonRpcError = refuse("Already initialized")

export const noActiveTurnToInterrupt: JsonRpcError = refuse("no active turn to interrupt")

export const noActiveTurnToSteer: JsonRpcError = refuse("no active turn to steer")

const alternatives = (names: Iterable<string>): string => {
  const quoted = Array.from(names, (name) => `\`${name}\``)
  return quoted.length <= 2 ? quoted.join(" or ") : `one of ${quoted.join(", ")}`
}

/** A value that is none of the known ones: a method, or an enum value in params. */
export const unknownVariant = (given: string, known: Iterable<string>): JsonRpcError =>
  refuse(`Invalid request: unknown variant \`${given}\`, expected ${alternatives(known)}`)

export const missingField = (field: string): JsonRpcError => refuse(`Invalid request: missing field \`${field}\``)

/** Params that do not fit, e.g. `invalid type: integer, expected a string`. */
export const invalid = (detail: string): JsonRpcError => refuse(`Invalid request: ${detail}`)

/** A method, or a member as `method.member`, that the client may use only with `experimentalApi`. */
export const experimentalRequired = (what: string): JsonRpcError =>
  refuse(`${what} requires experimentalApi capability`)

/** The thread is not loaded, for methods that act on a running thread. */
export const threadNotFound = (threadId: string): JsonRpcError => refuse(`thread not found: ${threadId}`)

/** The thread is not loaded, for `thread/read`. */
export const threadNotLoaded = (threadId: string): JsonRpcError => refuse(`thread not loaded: ${threadId}`)

/** The thread has no stored history, for resume, fork, archive. */
export const noRollout = (threadId: string): JsonRpcError => refuse(`no rollout found for thread id ${threadId}`)

export const turnNotFound = (turnId: string): JsonRpcError => refuse(`turn not found: ${turnId}`)

export const activeWriter = (threadId: string): JsonRpcError =>
  refuse(`thread ${threadId} already has an active writer`)

export const archived = (threadId: string): JsonRpcError =>
  refuse(`session ${threadId} is archived. Run \`codex unarchive ${threadId}\` to unarchive it first.`)

/** `turn/interrupt` for a turn that is not the active one. */
export const interruptMismatch = (expected: string, found: string): JsonRpcError =>
  refuse(`expected active turn id ${expected} but found ${found}`)

/** `turn/steer` for a turn that is not the active one. */
export const steerMismatch = (expected: string, found: string): JsonRpcError =>
  refuse(`expected active turn id \`${expected}\` but found \`${found}\``)

/** A list that the thread cannot give yet, e.g. `list_turns` before its first turn was stored. */
export const notSupportedYet = (what: string): JsonRpcError => ({
  code: methodNotFound,
  message: `${what} is not supported yet`
})

/** The text of a turn has more characters than `maxInputChars`. */
export const inputTooLarge = (actualChars: number): JsonRpcError => ({
  code: invalidParams,
  message: `Input exceeds the maximum length of ${maxInputChars} characters.`,
  data: { input_error_code: "input_too_large", max_chars: maxInputChars, actual_chars: actualChars }
})

/** What an error of codex means, as far as its code, data or sentence tells. */
export type Meaning =
  | { readonly _tag: "Overloaded" }
  | { readonly _tag: "NotInitialized" }
  | { readonly _tag: "AlreadyInitialized" }
  | { readonly _tag: "UnknownVariant"; readonly given: string; readonly known: ReadonlyArray<string> }
  | { readonly _tag: "MissingField"; readonly field: string }
  | { readonly _tag: "ExperimentalRequired"; readonly what: string }
  | { readonly _tag: "ThreadUnknown"; readonly threadId: string }
  | { readonly _tag: "ThreadArchived"; readonly threadId: string }
  | { readonly _tag: "TurnUnknown"; readonly turnId: string }
  | { readonly _tag: "ActiveWriter"; readonly threadId: string }
  | { readonly _tag: "NoActiveTurn" }
  | { readonly _tag: "OtherTurn"; readonly expected: string; readonly found: string }
  | { readonly _tag: "NotSupportedYet"; readonly what: string }
  | { readonly _tag: "InputTooLarge"; readonly maxChars: number; readonly actualChars: number }
  | { readonly _tag: "Other" }

type Rule = readonly [pattern: RegExp, meaning: (groups: ReadonlyArray<string>) => Meaning]

const sentences: ReadonlyArray<Rule> = [
  [/^Not initialized$/, () => ({ _tag: "NotInitialized" })],
  [/^Already initialized$/, () => ({ _tag: "AlreadyInitialized" })],
  [
    /^Invalid request: unknown variant `([^`]*)`, expected (?:one of )?(.*)$/s,
    ([given = "", known = ""]) => ({
      _tag: "UnknownVariant",
      given,
      known: Array.from(known.matchAll(/`([^`]*)`/g), ([, name = ""]) => name)
    })
  ],
  [/^Invalid request: missing field `([^`]*)`/, ([field = ""]) => ({ _tag: "MissingField", field })],
  [/^(\S+) requires experimentalApi capability$/, ([what = ""]) => ({ _tag: "ExperimentalRequired", what })],
  [
    /^(?:thread not found: |thread not loaded: |no rollout found for thread id )(\S+)$/,
    ([threadId = ""]) => ({ _tag: "ThreadUnknown", threadId })
  ],
  [/^session (\S+) is archived\./, ([threadId = ""]) => ({ _tag: "ThreadArchived", threadId })],
  [/^turn not found: (\S+)$/, ([turnId = ""]) => ({ _tag: "TurnUnknown", turnId })],
  [/^thread (\S+) already has an active writer$/, ([threadId = ""]) => ({ _tag: "ActiveWriter", threadId })],
  [/^no active turn to (?:interrupt|steer)$/, () => ({ _tag: "NoActiveTurn" })],
  [
    /^expected active turn id `?([^`\s]*)`? but found `?([^`\s]*)`?$/,
    ([expected = "", found = ""]) => ({ _tag: "OtherTurn", expected, found })
  ],
  [/^(\S+) is not supported yet$/, ([what = ""]) => ({ _tag: "NotSupportedYet", what })]
]

/** Reads what an error of codex means. `Other` is no verdict: most refusals have a sentence of their own. */
export const recognize = (error: JsonRpcError): Meaning => {
  if (error.code === serverOverloaded) return { _tag: "Overloaded" }
  const { data } = error
  if (
    Predicate.isObject(data) && Predicate.hasProperty(data, "input_error_code") &&
    data.input_error_code === "input_too_large" &&
    Predicate.hasProperty(data, "max_chars") && Predicate.isNumber(data.max_chars) &&
    Predicate.hasProperty(data, "actual_chars") && Predicate.isNumber(data.actual_chars)
  ) return { _tag: "InputTooLarge", maxChars: data.max_chars, actualChars: data.actual_chars }
  for (const [pattern, meaning] of sentences) {
    const match = pattern.exec(error.message)
    if (match !== null) return meaning(match.slice(1))
  }
  return { _tag: "Other" }
}
