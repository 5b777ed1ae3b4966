/**
 * Reading values of which nothing is known. Pure.
 */
import type * as Schema from "effect/Schema"

export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const member = (value: unknown, key: string): unknown => isRecord(value) ? value[key] : undefined

export const textOf = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined

export const arrayOf = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

/** The first of the members that is a string. */
export const textMember = (value: unknown, ...keys: ReadonlyArray<string>): string | undefined => {
  for (const key of keys) {
    const text = textOf(member(value, key))
    if (text !== undefined) return text
  }
  return undefined
}

/** What a model wrote or a tool returned, as JSON. It comes from `JSON.parse`, or has to be able to go there. */
export const json = (value: unknown): Schema.Json => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      return Number.isFinite(value) ? value : null
    case "object":
      if (value === null) return null
      if (Array.isArray(value)) return value.map(json)
      return Object.fromEntries(
        Object.entries(value).flatMap(([key, each]) => typeof each === "undefined" ? [] : [[key, json(each)]])
      )
    default:
      return null
  }
}

/** What JSON a text is, if it is any. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Text pieces, one after the other. */
export const joined = (
  content:
    | string
    | ReadonlyArray<{ readonly type: string; readonly text?: string | null | undefined }>
    | null
    | undefined
): string =>
  typeof content === "string"
    ? content
    : (content ?? []).flatMap((part) => part.type === "text" && part.text != null ? [part.text] : []).join("\n")
