/**
 * What the real server says about a request that does not fit the protocol.
 *
 * Its sentences come from a Rust deserializer. They are rebuilt here from the problem that the schema found and the value
 * at that place, as far as the two tell the same things.
 */
import * as Predicate from "effect/Predicate"
import { shape, variants } from "../../protocol/Definitions.ts"
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

// What is longer is read as a floating point number.
const isInteger = (value: number): boolean => Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 64

const given = (value: unknown): string => {
  if (value === null || value === undefined) return "null"
  switch (typeof value) {
    case "string":
      return `string ${JSON.stringify(value.slice(0, maxEcho))}`
    case "number":
      return isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``
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

const wantedBy = (problem: string): string | undefined => {
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

const bare = (wanted: Shape | undefined): Shape | undefined =>
  wanted?.type === "ref" ? bare(shape(wanted.name)) : wanted?.type === "nullable" ? bare(wanted.of) : wanted

const memberOf = (outer: Shape | undefined, value: unknown, step: string): Shape | undefined => {
  switch (outer?.type) {
    case "array":
      return outer.items
    case "record":
      return outer.values
    case "object":
      return outer.fields[step]?.shape
    case "keyed":
      return outer.variants[step]
    case "tagged": {
      const tag = Predicate.isObject(value) ? value[outer.tag] : undefined
      return outer.variants.find(({ fields, values }) => values.some((name) => name === tag) && step in fields)
        ?.fields[step]?.shape
    }
    default:
      return undefined
  }
}

/** A place in params: as it was to be, as far as that is known, and as it is. */
interface Place {
  readonly wanted: Shape | undefined
  readonly value: unknown
}

/** The places on the way to one in params, that one as the last. */
const placesTo = (params: Place, path: string): ReadonlyArray<Place> =>
  steps(path).reduce<Array<Place>>((places, step) => {
    const { value, wanted } = places.at(-1) ?? params
    places.push({
      wanted: memberOf(bare(wanted), value, step),
      value: Array.isArray(value) ? value[Number(step)] : Predicate.isObject(value) ? value[step] : undefined
    })
    return places
  }, [params])

const snakeCase = (name: string): string => name.replace(/(?<=.)[A-Z]/gu, "_$&").toLowerCase()

const unlisted = (variant: string, known: ReadonlyArray<string>): JsonRpcError | undefined =>
  known.includes(variant) ? undefined : ErrorCodes.unknownVariant(variant.slice(0, maxEcho), known)

/** What is wrong with a value that is of the right type, and yet none of those that there are. */
const unfit = ({ value, wanted }: Place, name?: string): JsonRpcError | undefined => {
  switch (wanted?.type) {
    case "ref":
      return unfit({ wanted: shape(wanted.name), value }, wanted.name)
    case "nullable":
      return unfit({ wanted: wanted.of, value })
    case "int":
      return typeof value === "number" && isInteger(value)
        ? ErrorCodes.invalid(`invalid value: ${given(value)}, expected ${integers[wanted.format]}`)
        : undefined
    case "nonEmptyString":
      return value === "" && name !== undefined
        ? ErrorCodes.invalid(`${snakeCase(name)} must not be empty`)
        : undefined
    case "string":
      return name === "AbsolutePathBuf" && typeof value === "string"
        ? ErrorCodes.invalid("AbsolutePathBuf deserialized without a base path")
        : undefined
    case "tagged": {
      if (Array.isArray(value)) return ErrorCodes.missingField(wanted.tag)
      if (!Predicate.isObject(value)) {
        return name === undefined
          ? undefined
          : ErrorCodes.invalid(`invalid type: ${given(value)}, expected internally tagged enum ${name}`)
      }
      const variant = value[wanted.tag]
      if (variant === undefined) return ErrorCodes.missingField(wanted.tag)
      return Predicate.isString(variant) ? unlisted(variant, variants(name, wanted)) : undefined
    }
    case "enum":
    case "keyed": {
      const variant = Predicate.isString(value) ? value : Predicate.isObject(value) ? Object.keys(value)[0] : undefined
      if (variant === undefined) return undefined
      const answer = unlisted(variant, variants(name, wanted))
      if (answer !== undefined || !Predicate.isString(value) || wanted.type === "enum") return answer
      const kind = bare(wanted.variants[variant])?.type === "object" ? "struct" : "newtype"
      return ErrorCodes.invalid(`invalid type: unit variant, expected ${kind} variant`)
    }
    case "union":
      return name === undefined
        ? undefined
        : ErrorCodes.invalid(`data did not match any variant of untagged enum ${name}`)
    default:
      return undefined
  }
}

/** The answer to a request whose method is unknown, or whose params do not fit. */
export const refusal = (method: string, params: unknown, { message, reason }: ProtocolError): JsonRpcError => {
  if (reason._tag === "UnknownMethod") return ErrorCodes.unknownVariant(method, Methods.answeredMethods())
  const name = paramsName(method)
  if (name !== undefined && (params === undefined || params === null)) return ErrorCodes.missingField("params")
  const [{ path, problem }] = reason.problems
  const places = placesTo({ wanted: name === undefined ? undefined : { type: "ref", name }, value: params }, path)
  for (const place of places) {
    const answer = unfit(place)
    if (answer !== undefined) return answer
  }
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
  const last = places.at(-1)
  const expected = nameOf(last?.wanted) ?? wantedBy(problem)
  return ErrorCodes.invalid(
    expected === undefined ? message : `invalid type: ${given(last?.value)}, expected ${expected}`
  )
}
