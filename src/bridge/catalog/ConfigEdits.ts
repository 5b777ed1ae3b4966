/**
 * Edits of a configuration, as codex applies them. Pure.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as KeyPath from "./KeyPath.ts"

export type Table = Readonly<Record<string, unknown>>

export interface Edit {
  readonly keyPath: string
  readonly value: unknown
  /** What becomes of a table that is there already: replaced, or merged with the value at every depth. */
  readonly mergeStrategy: "replace" | "upsert"
}

export const isTable = (value: unknown): value is Table => Predicate.isObject(value) && !(value instanceof Date)

const own = (table: Table, key: string): unknown => Object.hasOwn(table, key) ? table[key] : undefined

const without = (table: Table, key: string): Table =>
  Object.fromEntries(Object.entries(table).filter(([name]) => name !== key))

const merge = (found: unknown, value: unknown): unknown => {
  if (!isTable(found) || !isTable(value)) return value
  // Not by assignment: a key may be `__proto__`.
  const merged = Object.entries(value).map(([key, inner]) => [key, merge(own(found, key), inner)] as const)
  return Object.fromEntries([...Object.entries(found), ...merged])
}

const remove = (table: Table, [key, ...rest]: ReadonlyArray<string>): Table => {
  if (key === undefined) return table
  if (rest.length === 0) return without(table, key)
  const inner = own(table, key)
  return isTable(inner) ? { ...table, [key]: remove(inner, rest) } : table
}

const set = (
  table: Table,
  [key, ...rest]: ReadonlyArray<string>,
  value: unknown,
  strategy: Edit["mergeStrategy"]
): Table | undefined => {
  if (key === undefined) return table
  const found = own(table, key)
  if (rest.length === 0) return { ...table, [key]: strategy === "upsert" ? merge(found, value) : value }
  if (found !== undefined && !isTable(found)) return undefined
  const inner = set(found ?? {}, rest, value, strategy)
  return inner === undefined ? undefined : { ...table, [key]: inner }
}

const holdsNull = (value: unknown): boolean =>
  value === null || value === undefined ||
  (Array.isArray(value) ? value.some(holdsNull) : isTable(value) && Object.values(value).some(holdsNull))

/** The table after one edit; null takes the key out. Fails with the sentence that codex says. */
export const apply = (table: Table, edit: Edit): Result.Result<Table, string> => {
  const path = KeyPath.parse(edit.keyPath)
  if (Result.isFailure(path)) return Result.fail(path.failure)
  if (edit.value === null || edit.value === undefined) return Result.succeed(remove(table, path.success))
  if (holdsNull(edit.value)) {
    return Result.fail("invalid value: invalid type: null, expected any valid TOML value")
  }
  const edited = set(table, path.success, edit.value, edit.mergeStrategy)
  return edited === undefined ? Result.fail("cannot set value on non-table parent") : Result.succeed(edited)
}

/** The table after all edits in order, or the failure of the first that fails. */
export const applyAll = (table: Table, edits: Iterable<Edit>): Result.Result<Table, string> => {
  let edited: Result.Result<Table, string> = Result.succeed(table)
  for (const edit of edits) edited = Result.flatMap(edited, (table) => apply(table, edit))
  return edited
}

/** Members of `upper` win over those of `lower`, table by table. */
export const overlay = (lower: Table, upper: Table): Table => {
  const merged = merge(lower, upper)
  return isTable(merged) ? merged : upper
}

/** The dotted keys of all values that are no tables. */
export const leafKeys = (table: Table, prefix = ""): ReadonlyArray<string> =>
  Object.entries(table).flatMap(([key, value]) =>
    isTable(value) ? leafKeys(value, `${prefix}${key}.`) : [`${prefix}${key}`]
  )
