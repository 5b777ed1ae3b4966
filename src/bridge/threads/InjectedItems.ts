/**
 * Items in the format of a model that clients give a thread: of messages, the agent gets the text. Pure.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { type BridgeError, InvalidRequest, NotSupported, refuse } from "../BridgeError.ts"

const textTypes: ReadonlySet<unknown> = new Set(["input_text", "output_text", "text"])

/** How a message of a role is introduced to the agent. */
const introductions: Readonly<Record<string, string | undefined>> = {
  user: "Said by the user, outside of this conversation:",
  assistant: "Said by you, outside of this conversation:",
  developer: "From the developer of the program that you run in:",
  system: "From the developer of the program that you run in:"
}

const invalid = (message: string) => Result.fail(refuse(new InvalidRequest({ message })))

const unsupported = (what: string) =>
  Result.fail(refuse(
    new NotSupported({ message: `The agent behind this server can be given text messages alone, and no ${what}.` })
  ))

const contentText = (content: unknown): Result.Result<string, BridgeError> => {
  if (Predicate.isString(content)) return Result.succeed(content)
  if (!Array.isArray(content)) return invalid("Invalid request: a message item needs a list as its content")
  const texts: Array<string> = []
  for (const part of content) {
    if (!Predicate.isObject(part) || !("type" in part)) {
      return invalid("Invalid request: a part of a message item needs a type")
    }
    if (!textTypes.has(part["type"])) return unsupported(`\`${String(part["type"])}\``)
    const text = "text" in part ? part["text"] : undefined
    if (!Predicate.isString(text)) return invalid("Invalid request: a text of a message item needs a text")
    texts.push(text)
  }
  return Result.succeed(texts.join("\n"))
}

const ofItem = (item: unknown): Result.Result<string, BridgeError> => {
  if (!Predicate.isObject(item) || !("type" in item)) return invalid("Invalid request: an item needs a type")
  if (item["type"] !== "message") return unsupported(`items of type \`${String(item["type"])}\``)
  const role = "role" in item ? item["role"] : undefined
  const introduction = Predicate.isString(role) && Object.hasOwn(introductions, role) ? introductions[role] : undefined
  if (introduction === undefined) return invalid(`Invalid request: unknown role \`${String(role)}\` of a message item`)
  return Result.map(
    contentText("content" in item ? item["content"] : undefined),
    (text) => `${introduction}\n${text}`
  )
}

/** What the agent is told; all of it or nothing. */
export const textsOf = (items: ReadonlyArray<unknown>): Result.Result<ReadonlyArray<string>, BridgeError> => {
  if (items.length === 0) return invalid("items must not be empty")
  const texts: Array<string> = []
  for (const item of items) {
    const text = ofItem(item)
    if (Result.isFailure(text)) return Result.fail(text.failure)
    texts.push(text.success)
  }
  return Result.succeed(texts)
}
