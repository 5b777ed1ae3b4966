/**
 * Params that a client may send, made up.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Predicate from "effect/Predicate"
import type { ClientMethod } from "../../src/bridge/ClientConnection.ts"
import * as Definitions from "../../src/protocol/Definitions.ts"
import * as Table from "../../src/protocol/generated/MethodTable.ts"

type Shape = ReturnType<typeof Definitions.shape>

const isDefined = (name: string): name is typeof Definitions.names[number] =>
  Definitions.names.some((known) => known === name)

/** With paths that a server takes: no string that is made up is one. */
const absolute = (shape: Shape | undefined, value: unknown, definition?: string): unknown => {
  if (value === null || value === undefined) return value
  const members = (shapeOf: (name: string) => Shape | undefined): unknown =>
    Predicate.isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, absolute(shapeOf(name), member)]))
      : value
  switch (shape?.type) {
    case "string":
      return definition === "AbsolutePathBuf" ? `/${String(value)}` : value
    case "ref":
      return absolute(Definitions.shape(shape.name), value, shape.name)
    case "nullable":
      return absolute(shape.of, value)
    case "array":
      return Array.isArray(value) ? value.map((item) => absolute(shape.items, item)) : value
    case "record":
      return members(() => shape.values)
    case "object":
      return members((name) => shape.fields[name]?.shape)
    case "keyed":
      return members((name) => shape.variants[name])
    case "tagged":
      return members((name) =>
        shape.variants.find(({ fields, values }) =>
          Predicate.isObject(value) && values.some((tag) => tag === value[shape.tag]) && name in fields
        )?.fields[name]?.shape
      )
    default:
      return value
  }
}

/** Any params that a client may send with a method. */
export const paramsOf = (method: ClientMethod): Arbitrary.Arbitrary<unknown> => {
  const name = Table.clientRequests[method]?.params
  if (name === undefined) return Arbitrary.Constant(undefined)
  if (!isDefined(name)) throw new Error(`no definition of ${name}`)
  return Arbitrary.map(
    Arbitrary.schema(Definitions.strict(name)),
    (params) => absolute({ type: "ref", name }, params)
  )
}
