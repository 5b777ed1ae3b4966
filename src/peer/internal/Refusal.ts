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

type Shape = ReturnType<typeof shape>

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

const integers: Readonly<Record<string, string>> = {
  int32: "i32",
  int64: "i64",
  uint: "usize",
  uint16: "u16",
  uint32: "u32",
  uint64: "u64"
}

/** What the deserializer calls a value of this shape, where that is not what it calls all of its type. */
const nameOf = (wanted: Shape | undefined, name?: string): string | undefined => {
  switch (wanted?.type) {
    case "ref":
      return nameOf(shape(wanted.name), wanted.name)
    case "nullable":
      return nameOf(wanted.of)
    case "enum":
    case "keyed":
      return "string or map"
    case "int":
      return integers[wanted.format]
    case "object":
      return name === undefined ? undefined : `struct ${name}`
    default:
      return undefined
  }
}

/** The shape of what is at a path of params. */
const shapeAt = (name: string, path: string): Shape | undefined =>
  steps(path).reduce<Shape | undefined>((inner, step) => {
    const outer = bare(inner)
    if (outer?.type === "array") return outer.items
    return outer?.type === "object" ? outer.fields[step]?.shape : undefined
  }, { type: "ref", name })

const bare = (wanted: Shape | undefined): Shape | undefined =>
  wanted?.type === "ref" ? bare(shape(wanted.name)) : wanted?.type === "nullable" ? bare(wanted.of) : wanted

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
  const expected = (name === undefined ? undefined : nameOf(shapeAt(name, path))) ?? wanted(problem)
  return ErrorCodes.invalid(
    expected === undefined ? message : `invalid type: ${given(valueAt(params, path))}, expected ${expected}`
  )
}
