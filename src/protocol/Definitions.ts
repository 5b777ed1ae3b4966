/**
 * The schemas of the protocol's types by name, in the open and in the strict dialect. Loading this module builds none:
 * a schema is built at its first use, with what it reaches.
 */
import type * as Schema from "effect/Schema"
import type * as Open from "./generated/OpenTypes.ts"
import { shapes } from "./generated/Shapes.ts"
import type * as Strict from "./generated/StrictTypes.ts"
import { type Dialect, makeLookup, type Plain } from "./internal/Dialect.ts"
import { type Guard, makeGuards } from "./internal/Guard.ts"
import type { Shape } from "./internal/Shape.ts"
import * as Variants from "./internal/Variants.ts"

const isDefined = (name: string): name is keyof typeof shapes => Object.hasOwn(shapes, name)

/** @internal */
export const shape = (name: string): Shape => {
  if (!isDefined(name)) throw new Error(`The protocol does not define ${name}`)
  // Written by the generator from a value of this type.
  return JSON.parse(shapes[name]) as Shape
}

/** @internal */
export const variants = Variants.names

const lookups: Readonly<Record<Dialect, (name: string) => Plain>> = {
  open: makeLookup("open", shape),
  request: makeLookup("request", shape),
  strict: makeLookup("strict", shape)
}

/** @internal */
export const schema = (dialect: Dialect, name: string): Plain => lookups[dialect](name)

const guards: Readonly<Record<Exclude<Dialect, "strict">, (name: string) => Guard>> = {
  open: makeGuards("open", shape),
  request: makeGuards("request", shape)
}

/** @internal */
export const guard = (dialect: Exclude<Dialect, "strict">, name: string): Guard => guards[dialect](name)

/** The names of all definitions. */
export const names = Object.keys(shapes).filter(isDefined)

/**
 * The schema to read a value that comes from a peer. Enum values and variants of later releases are data, unknown
 * members are ignored, a malformed known variant is an error. The decoded value is the value itself, so `Schema.is`
 * suffices.
 */
export const open = <Name extends keyof Open.Definitions>(name: Name): Schema.Codec<Open.Definitions[Name]> =>
  // The generator writes types and shapes from one source, which the compiler cannot see.
  lookups.open(name) as Schema.Codec<Open.Definitions[Name]>

/**
 * The schema to check a value that we send: enums and variants are closed, integers in range. Parse with
 * `onExcessProperty: "error"` to refuse members that the protocol does not have.
 */
export const strict = <Name extends keyof Strict.Definitions>(name: Name): Schema.Codec<Strict.Definitions[Name]> =>
  lookups.strict(name) as Schema.Codec<Strict.Definitions[Name]>
