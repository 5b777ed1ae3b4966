/**
 * Writes a table as TOML, and the canonical text that a version is made of.
 */
import { isTable, type Table } from "./ConfigEdits.ts"

// A JSON string is a TOML string but for the delete character and lone surrogates.
const quote = (text: string): string => JSON.stringify(text.toWellFormed()).replaceAll("\u007f", "\\u007f")

const name = (key: string): string => /^[A-Za-z0-9_-]+$/u.test(key) ? key : quote(key)

const inline = (value: unknown): string => {
  if (typeof value === "string") return quote(value)
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`
  if (isTable(value)) {
    return `{ ${Object.entries(value).map(([key, value]) => `${name(key)} = ${inline(value)}`).join(", ")} }`
  }
  // Null has no TOML; edits that hold one have been refused.
  return quote(String(value))
}

const section = (table: Table, path: ReadonlyArray<string>): ReadonlyArray<string> => {
  const entries = Object.entries(table)
  const values = entries.flatMap(([key, value]) => isTable(value) ? [] : [`${name(key)} = ${inline(value)}`])
  const tables = entries.flatMap(([key, value]) => isTable(value) ? section(value, [...path, key]) : [])
  // A table that only holds tables exists by them.
  const needsHeader = path.length > 0 && (values.length > 0 || tables.length === 0)
  const header = needsHeader ? [`[${path.map(name).join(".")}]`] : []
  const own = [...header, ...values].join("\n")
  return own === "" ? tables : [own, ...tables]
}

/** The table as TOML, a section for each table in it. */
export const encode = (table: Table): string => {
  const sections = section(table, [])
  return sections.length === 0 ? "" : `${sections.join("\n\n")}\n`
}

/** JSON without spaces, members sorted: equal tables have equal texts. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (!isTable(value)) return JSON.stringify(value)
  const members = Object.keys(value).toSorted().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
  return `{${members.join(",")}}`
}
