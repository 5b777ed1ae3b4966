/**
 * Checks an agent's final answer against a JSON Schema.
 */
import * as JsonSchema from "effect/JsonSchema"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaRepresentation from "effect/SchemaRepresentation"

/** Reads the final answer: its value, or what does not fit. */
export type OutputReader = (answer: string) => Result.Result<Schema.Json, string>

const messageOf = (cause: unknown): string => cause instanceof Error ? cause.message : String(cause)

const isDraft07 = (schema: Record<PropertyKey, unknown>): boolean =>
  Predicate.isString(schema.$schema) ? /draft-0[4-7]/u.test(schema.$schema) : "definitions" in schema

const importSchema = (schema: Record<PropertyKey, unknown>): Schema.Top =>
  SchemaRepresentation.fromJsonSchemaDocument(
    isDraft07(schema) ? JsonSchema.fromSchemaDraft07(schema) : JsonSchema.fromSchemaDraft2020_12(schema),
    // The schema is the host's own, not the agent's: its patterns are trusted.
    { patterns: "apply" }
  )

/**
 * Compiles a JSON Schema (draft 2020-12, or draft-07 when it says so or has `definitions`).
 *
 * Fails with an explanation where the schema uses something that cannot be checked, so that nothing goes unchecked.
 */
export const compile = (schema: Schema.Json): Result.Result<OutputReader, string> => {
  if (!Predicate.isObject(schema)) return Result.fail("must be a JSON Schema object")
  return Result.map(
    Result.try({ try: () => importSchema(schema), catch: messageOf }),
    (imported) => {
      // The imported schemas are made of built-in ones, which need no services.
      const decode = Schema.decodeUnknownResult(imported as Schema.Codec<unknown, unknown>, {
        onExcessProperty: "error",
        errors: "all"
      })
      return (answer) =>
        Result.flatMap(
          Result.try({
            try: (): Schema.Json => JSON.parse(answer),
            catch: (cause) => `not JSON: ${messageOf(cause)}`
          }),
          (value) => Result.mapBoth(decode(value), { onSuccess: () => value, onFailure: (error) => error.message })
        )
    }
  )
}
