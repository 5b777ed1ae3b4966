/**
 * Whether a table is a configuration that clients can read, and what they read of it.
 */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import * as Definitions from "../../protocol/Definitions.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { isTable, type Table } from "./ConfigEdits.ts"

const decode = SchemaParser.decodeUnknownResult(Definitions.strict("Config"))

const problems = SchemaIssue.makeFormatterStandardSchemaV1()

const kind = (value: unknown): string => {
  if (Predicate.isString(value)) return `string ${JSON.stringify(value)}`
  if (Predicate.isBoolean(value)) return `boolean \`${value}\``
  if (Predicate.isNumber(value)) return `${Number.isInteger(value) ? "integer" : "floating point"} \`${value}\``
  return Array.isArray(value) ? "sequence" : "map"
}

const at = (table: Table, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((value, key) => isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined, table)

const words: Readonly<Record<string, string>> = {
  array: "a sequence",
  boolean: "a boolean",
  number: "i64",
  object: "a map",
  string: "a string"
}

/** What is wrong first, in the words of codex as far as they can be had. */
const explain = (table: Table, issue: SchemaIssue.Issue): string => {
  const [first] = problems(issue).issues
  const path = (first?.path ?? []).map((part) => String(Predicate.isObject(part) ? part.key : part))
  const expected = (first?.message ?? "unfit").replace(/, got .*$/su, "").replace(/^Expected | \| null$/gu, "")
  const value = at(table, path)
  const variants = Array.from(expected.matchAll(/"([^"]*)"/gu), ([, variant = ""]) => `\`${variant}\``)
  const problem = variants.length > 0 && Predicate.isString(value)
    ? `unknown variant \`${value}\`, expected one of ${variants.join(", ")}`
    : value === undefined
    ? `missing field \`${path.at(-1) ?? ""}\``
    : `invalid type: ${kind(value)}, expected ${words[expected] ?? expected}`
  return `Invalid configuration: ${problem}\nin \`${path.join(".")}\`\n`
}

/** The configuration as clients read it. Members inside of known tables that clients do not know are left out. */
export const read = (table: Table): Result.Result<Strict.Config, string> =>
  Result.mapError(decode(table), (issue) => explain(table, issue))
