/**
 * What kind of JSON a value is. Pure.
 */
import type * as Schema from "effect/Schema"

export const isObject = (json: Schema.Json): json is Schema.JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)
