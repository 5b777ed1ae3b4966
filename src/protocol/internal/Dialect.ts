/**
 * Effect schemas from shapes, in three dialects.
 *
 * - **open** reads what a peer tells us. A later release may add enum values, variants and fields: these are data, at
 *   that spot only. A known variant that is malformed stays an error, because the catch-all refuses known tags.
 * - **request** reads what a client asks for. A value that this release does not know cannot be done: it is refused, as a
 *   server of this release refuses it. Members of a later release are ignored.
 * - **strict** checks what we send: closed enums and variants, integers in range. Excess members are refused by the
 *   parse option `strictOptions`.
 *
 * None transforms: the decoded value is the value itself.
 */
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { isLenient } from "./Lenient.ts"
import { laterRelease } from "./Problem.ts"
import * as Range from "./Range.ts"
import type { Fields, KeyedShape, ObjectShape, Shape, TaggedShape } from "./Shape.ts"
import * as Variants from "./Variants.ts"

export type Dialect = "open" | "request" | "strict"

/** A schema without transformations and services. */
export type Plain = Schema.Codec<unknown>

/** Parse options that go with a strict schema: a member that the schema does not name is an error. */
export const strictOptions: SchemaAST.ParseOptions = { onExcessProperty: "error" }

const integers: Readonly<Record<Dialect, (format: string) => Plain>> = {
  open: () => Schema.Finite,
  request: (format) =>
    Schema.Finite.check(Schema.makeFilter((value) => Range.fits(format, value), { expected: format })),
  strict: (format) => {
    const { maximum, minimum } = Range.range(format)
    return Schema.Int.check(Schema.isBetween({
      minimum: Math.max(minimum, Number.MIN_SAFE_INTEGER),
      maximum: Math.min(maximum, Number.MAX_SAFE_INTEGER)
    }))
  }
}

/** The one definition of a string that a server reads more into. */
const absolutePath = "AbsolutePathBuf"

const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:[\\/]|\\\\)/u.test(path)

/** Whether a string is what this definition stands for in a request. */
export const isMeant = (definition: string, text: string): boolean => definition !== absolutePath || isAbsolute(text)

const anyObject = Schema.Record(Schema.String, Schema.Unknown)

const ofLaterRelease = { expected: laterRelease }

/**
 * Makes a lookup of schemas by definition. A schema is built at its first use, with whatever it reaches, and kept.
 * `shapeOf` fails loudly on a name it does not have: names come from generated tables.
 */
export const makeLookup = (dialect: Dialect, shapeOf: (name: string) => Shape): (name: string) => Plain => {
  const open = dialect === "open"
  const strict = dialect === "strict"
  const built = new Map<string, Plain>()
  const building = new Set<string>()

  const lookup = (name: string): Plain => {
    const known = built.get(name)
    if (known !== undefined) return known
    // A cycle is closed by a suspended schema.
    if (building.has(name)) return Schema.suspend(() => lookup(name))
    building.add(name)
    const schema = build(name, shapeOf(name))
    building.delete(name)
    built.set(name, schema)
    return schema
  }

  const build = (owner: string, shape: Shape): Plain => {
    switch (shape.type) {
      case "unknown":
        return Schema.Unknown
      case "boolean":
        return Schema.Boolean
      case "null":
        return Schema.Null
      case "float":
        return Schema.Finite
      case "string":
        return dialect === "request" && owner === absolutePath
          ? Schema.String.check(Schema.makeFilter(isAbsolute, { expected: "an absolute path" }))
          : Schema.String
      case "nonEmptyString":
        return open ? Schema.String : Schema.NonEmptyString
      case "int":
        return integers[dialect](shape.format)
      case "const":
        return open ? Schema.Finite : Schema.Literal(shape.value)
      case "enum":
        return open
          ? Schema.String
          : Schema.Literals(strict ? shape.values : Variants.strings(owner, shape))
      case "nullable":
        return Schema.NullOr(build(owner, shape.of))
      case "array":
        return Schema.Array(build(owner, shape.items))
      case "record":
        return Schema.Record(Schema.String, build(owner, shape.values))
      case "ref":
        return lookup(shape.name)
      case "union":
        return Schema.Union(shape.members.map((member) => build(owner, member)))
      case "object":
        return object(owner, shape)
      case "tagged":
        return tagged(owner, shape)
      case "keyed":
        return keyed(owner, shape)
    }
  }

  const structFields = (owner: string, fields: Fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        const schema = build(owner, field.shape)
        const missing = field.optional || (!strict && isLenient(owner, name, field))
        return [name, missing ? Schema.optionalKey(schema) : schema]
      })
    )

  const object = (owner: string, shape: ObjectShape): Plain => {
    const fields = structFields(owner, shape.fields)
    if (shape.rest) return Schema.StructWithRest(Schema.Struct(fields), [anyObject])
    // A struct without fields would accept every value but null and undefined.
    if (Object.keys(fields).length === 0) return strict ? anyObject.check(Schema.isMaxProperties(0)) : anyObject
    return Schema.Struct(fields)
  }

  const tagged = (owner: string, shape: TaggedShape): Plain => {
    const { tag, variants } = shape
    const known = variants.map(({ fields, values }) => {
      const [value] = values
      return Schema.Struct({
        // One literal rather than a union of one: a union picks its member by it without trying the others.
        [tag]: values.length === 1 && value !== undefined ? Schema.Literal(value) : Schema.Literals(values),
        ...structFields(owner, fields)
      })
    })
    if (strict || (!open && !Variants.hasOther(shape))) return Schema.Union(known)
    const tags = new Set(variants.flatMap(({ values }) => values))
    const unknown = Schema.String.check(Schema.makeFilter((value) => !tags.has(value), ofLaterRelease))
    return Schema.Union([...known, Schema.Struct({ [tag]: unknown })])
  }

  const keyed = (owner: string, shape: KeyedShape): Plain => {
    const { strings, variants } = shape
    const known = Object.entries(variants).map(([key, shape]) => Schema.Struct({ [key]: build(owner, shape) }))
    if (!open) return Schema.Union([Schema.Literals(strict ? strings : Variants.strings(owner, shape)), ...known])
    const keys = Object.keys(variants)
    const unknown = anyObject.check(
      Schema.makeFilter((value) => !keys.some((key) => Object.hasOwn(value, key)), ofLaterRelease)
    )
    return Schema.Union([Schema.String, ...known, unknown])
  }

  return lookup
}
