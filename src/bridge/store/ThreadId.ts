/**
 * The grammar of thread ids. They come from clients, who may send anything.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type BridgeError, InvalidRequest, refuse } from "../BridgeError.ts"

const grammar = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A UUID in lower case. */
export const ThreadId = Schema.String.check(Schema.isPattern(grammar))

const digits = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

/** In the words of codex. Never the id itself: it can be long. */
const problem = (text: string): string => {
  const body = text.replace(/^urn:uuid:/i, "")
  const strange = /[^0-9a-f-]/iu.exec(body)
  if (strange !== null) {
    const at = text.length - body.length + strange.index + 1
    return "invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], found " +
      `\`${strange[0]}\` at ${at}`
  }
  return `invalid length: expected length 32 for simple format, found ${body.replaceAll("-", "").length}`
}

/**
 * The id as it is stored, or a refusal that names `what`. Takes what codex takes: upper case, no hyphens, and the prefix
 * `urn:uuid:`.
 */
export const parse = (text: string, what = "thread id"): Result.Result<string, BridgeError> => {
  const id = text.toLowerCase().replace(/^urn:uuid:/, "").replace(digits, "$1-$2-$3-$4-$5")
  return grammar.test(id)
    ? Result.succeed(id)
    : Result.fail(refuse(new InvalidRequest({ message: `invalid ${what}: ${problem(text)}` })))
}
