/**
 * A quick yes for values that fit a dialect that reads.
 *
 * Notifications arrive by the ten thousand, and nearly all of them fit. A guard answers those for a few property reads;
 * it may say no to a value that fits, never yes to one that does not, so a no is put to the schema.
 */
import * as Predicate from "effect/Predicate"
import { type Dialect, isMeant } from "./Dialect.ts"
import { isLenient } from "./Lenient.ts"
import * as Range from "./Range.ts"
import type { Fields, Shape } from "./Shape.ts"
import * as Variants from "./Variants.ts"

export type Guard = (value: unknown) => boolean

const isString: Guard = (value) => typeof value === "string"

const among = (strings: ReadonlyArray<string>): Guard => {
  const known = new Set<unknown>(strings)
  return (value) => known.has(value)
}

/** Makes a lookup of guards by definition, each made at its first use. */
export const makeGuards = (
  dialect: Exclude<Dialect, "strict">,
  shapeOf: (name: string) => Shape
): (name: string) => Guard => {
  const isOpen = dialect === "open"
  const guards = new Map<string, Guard>()

  const lookup = (name: string): Guard => {
    const known = guards.get(name)
    if (known !== undefined) return known
    let guard: Guard | undefined
    // Recursive definitions find this while their own guard is being made.
    guards.set(name, (value) => guard !== undefined && guard(value))
    guard = make(name, shapeOf(name))
    guards.set(name, guard)
    return guard
  }

  const make = (owner: string, shape: Shape): Guard => {
    switch (shape.type) {
      case "unknown":
        return () => true
      case "boolean":
        return Predicate.isBoolean
      case "null":
        return Predicate.isNull
      case "float":
        return Number.isFinite
      case "const":
        return isOpen ? Number.isFinite : (value) => value === shape.value
      case "int":
        return isOpen ? Number.isFinite : (value) => Range.fits(shape.format, value)
      case "string":
        return isOpen ? isString : (value) => typeof value === "string" && isMeant(owner, value)
      case "nonEmptyString":
        return isOpen ? isString : (value) => typeof value === "string" && value !== ""
      case "enum":
        return isOpen ? isString : among(Variants.strings(owner, shape))
      case "nullable": {
        const of = make(owner, shape.of)
        return (value) => value === null || of(value)
      }
      case "array": {
        const items = make(owner, shape.items)
        return (value) => Array.isArray(value) && value.every(items)
      }
      case "record": {
        const values = make(owner, shape.values)
        return (value) => Predicate.isObject(value) && Object.values(value).every(values)
      }
      case "ref":
        return lookup(shape.name)
      case "union": {
        const members = shape.members.map((member) => make(owner, member))
        return (value) => members.some((member) => member(value))
      }
      case "object":
        return object(owner, shape.fields)
      case "tagged": {
        // Variants that share a tag are rare enough to leave them to the schema.
        const variants = new Map<unknown, Guard>()
        for (const { fields, values } of shape.variants) {
          const guard = object(owner, fields)
          for (const value of values) variants.set(value, variants.has(value) ? () => false : guard)
        }
        const { tag } = shape
        return (value) => {
          if (!Predicate.isObject(value)) return false
          const found = value[tag]
          const variant = variants.get(found)
          return variant === undefined ? isOpen && typeof found === "string" : variant(value)
        }
      }
      case "keyed":
        return isOpen ? isString : among(Variants.strings(owner, shape))
    }
  }

  const object = (owner: string, fields: Fields): Guard => {
    const checks = Object.entries(fields).map(([name, field]) => ({
      name,
      optional: field.optional || isLenient(owner, name, field),
      guard: make(owner, field.shape)
    }))
    return (value) => {
      if (!Predicate.isObject(value)) return false
      for (const { guard, name, optional } of checks) {
        const member = value[name]
        if (member === undefined ? !optional || name in value : !guard(member)) return false
      }
      return true
    }
  }

  return lookup
}
