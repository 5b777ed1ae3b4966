/**
 * What the real server says about a request that does not fit the protocol.
 *
 * Its sentences come from a Rust deserializer. They are rebuilt here from the problem that the schema found and the value
 * at that place, as far as the two tell the same things.
 */
import * as Predicate from "effect/Predicate"
import { shape } from "../../protocol/Definitions.ts"
import type { JsonRpcError } from "../../protocol/Envelope.ts"
import * as ErrorCodes from "../../protocol/ErrorCodes.ts"
import * as Table from "../../protocol/generated/MethodTable.ts"
import * as Methods from "../../protocol/Methods.ts"
import type { ProtocolError } from "../../protocol/ProtocolError.ts"

const maxEcho = 64

const paramsName = (method: string): string | undefined =>
  Methods.isClientMethod(method) ? Table.clientRequests[method]?.params : undefined

/** The members that the params of a method must have and these have not. */
const missingMembers = (method: string, params: object): ReadonlyArray<string> => {
  const name = paramsName(method)
  const definition = name === undefined ? undefined : shape(name)
  return definition?.type !== "object" ? [] : Object.entries(definition.fields)
    .filter(([name, field]) => !field.optional && !(name in params))
    .map(([name]) => name)
}

const steps = (path: string): ReadonlyArray<string> => path.match(/[^.[\]]+/g) ?? []

const valueAt = (value: unknown, path: string): unknown =>
  steps(path).reduce<unknown>(
    (inner, step) => Array.isArray(inner) ? inner[Number(step)] : Predicate.isObject(inner) ? inner[step] : undefined,
    value
  )

const given = (value: unknown): string => {
  if (value === null || value === undefined) return "null"
  switch (typeof value) {
    case "string":
      return `string ${JSON.stringify(value.slice(0, maxEcho))}`
    case "number":
      return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``
    case "boolean":
      return `boolean \`${value}\``
    default:
      return Array.isArray(value) ? "sequence" : "map"
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  boolean: "a boolean",
  array: "a sequence",
  number: "a number",
  object: "a map"
}

const wanted = (problem: string): string | undefined => {
  const types = /^expected (.*)$/.exec(problem)?.[1]?.split(" | ").filter((type) => type !== "null")
  if (types === undefined) return undefined
  if (types.includes("string") && types.includes("object")) return "string or map"
  const [type = ""] = types
  return Object.hasOwn(typeNames, type) ? typeNames[type] : undefined
}

/** The answer to a request whose method is unknown, or whose params do not fit. */
export const refusal = (method: string, params: unknown, { message, reason }: ProtocolError): JsonRpcError => {
  if (reason._tag === "UnknownMethod") return ErrorCodes.unknownVariant(method, Methods.answeredMethods())
  const name = paramsName(method)
  if (name !== undefined && (params === undefined || params === null)) return ErrorCodes.missingField("params")
  const [{ path, problem }] = reason.problems
  if (path === "") {
    return ErrorCodes.invalid(
      `invalid type: ${given(params)}, expected ${name === undefined ? "unit" : `struct ${name}`}`
    )
  }
  if (problem === "missing key") {
    const field = steps(path).at(-1) ?? path
    const missing = Predicate.isObject(params) && field === path ? missingMembers(method, params) : []
    // The real server looks for them in their order of declaration, which nearly always starts with the thread.
    return ErrorCodes.missingField(missing.includes("threadId") ? "threadId" : field)
  }
  const expected = wanted(problem)
  return ErrorCodes.invalid(
    expected === undefined ? message : `invalid type: ${given(valueAt(params, path))}, expected ${expected}`
  )
}
