/** Values and changes to them for property tests. */
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"

/** Any JSON value. */
export const AnyJson = Schema.Json

/** A JSON copy: what a value is after it crossed the wire. */
export const overTheWire = (value: unknown): unknown => {
  const text = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}

type Path = ReadonlyArray<string | number>

const pathsOf = (value: unknown, at: Path = []): ReadonlyArray<Path> => {
  if (Array.isArray(value)) return [at, ...value.flatMap((element, index) => pathsOf(element, [...at, index]))]
  if (typeof value !== "object" || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...at, key]))]
}

const replaceAt = (value: unknown, [step, ...rest]: Path, by: unknown): unknown => {
  if (step === undefined) return by
  if (Array.isArray(value)) return value.map((old, index) => index === step ? replaceAt(old, rest, by) : old)
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([key, old]) =>
      key !== step ? [[key, old]] : rest.length === 0 && by === undefined ? [] : [[key, replaceAt(old, rest, by)]]
    )
  )
}

const junk: ReadonlyArray<unknown> = [undefined, null, true, 0, -1.5, "", "later", [], {}, { type: "later" }, [null]]

/** Replaces, or removes, one part of a value: `at` and `by` are any numbers, they choose. */
export const damage = (value: unknown, at: number, by: number): unknown => {
  const paths = pathsOf(value)
  const path = paths[at % paths.length] ?? []
  return replaceAt(value, path, path.length === 0 ? null : junk[by % junk.length])
}

/** A number that chooses. */
export const Choice = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })))
