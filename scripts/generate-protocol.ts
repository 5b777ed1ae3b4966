/**
 * Writes `src/protocol/generated/` from the schemas that a codex binary exports.
 *
 *     node scripts/generate-protocol.ts [--codex-bin PATH]
 *
 * The output depends on the export alone: two runs with one binary write the same bytes.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import { fileURLToPath } from "node:url"
import { experimentalFields, experimentalMethods } from "../src/protocol/internal/Experimental.ts"
import { isLenient } from "../src/protocol/internal/Lenient.ts"
import { pascalCase } from "../src/protocol/internal/ResultNames.ts"
import * as Shape from "../src/protocol/internal/Shape.ts"
import * as SchemaExport from "../src/protocol/SchemaExport.ts"

const envelopes = ["clientRequests", "serverRequests", "serverNotifications", "clientNotifications"] as const

/** Notifications that a server sends and no export names. They carry an item of the model's own API. */
const loose: Readonly<Record<string, string>> = {
  "rawResponse/completed": "RawResponseCompletedNotification",
  "rawResponseItem/completed": "RawResponseItemCompletedNotification"
}

const quote = (text: string) => JSON.stringify(text)
const key = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)

// ---------------------------------------------------------------------------------------------------------------------
// Types

type Side = "Open" | "Strict"

interface TypeWriter {
  readonly side: Side
  readonly owner: string
  readonly name: (definition: string) => string
}

const fieldTypes = (writer: TypeWriter, fields: Shape.Fields): ReadonlyArray<string> =>
  Object.entries(fields).map(([name, field]) => {
    const missing = field.optional || (writer.side === "Open" && isLenient(writer.owner, name, field))
    return `readonly ${key(name)}${missing ? "?" : ""}: ${typeOf(writer, field.shape)}`
  })

const union = (parts: ReadonlyArray<string>) => parts.length === 0 ? "never" : parts.join(" | ")

const typeOf = (writer: TypeWriter, shape: Shape.Shape): string => {
  const open = writer.side === "Open"
  switch (shape.type) {
    case "unknown":
    case "boolean":
    case "null":
      return shape.type
    case "float":
    case "int":
      return "number"
    case "string":
    case "nonEmptyString":
      return "string"
    case "const":
      return open ? "number" : String(shape.value)
    case "enum":
      return open ? `OpenEnum<${union(shape.values.map(quote))}>` : union(shape.values.map(quote))
    case "nullable":
      return `${typeOf(writer, shape.of)} | null`
    case "array":
      return `ReadonlyArray<${typeOf(writer, shape.items)}>`
    case "record":
      return `{ readonly [key: string]: ${typeOf(writer, shape.values)} }`
    case "ref":
      return writer.name(shape.name)
    case "union":
      return union(shape.members.map((member) => typeOf(writer, member)))
    case "object": {
      const fields = fieldTypes(writer, shape.fields)
      if (fields.length === 0) return "{ readonly [key: string]: never }"
      return `{ ${[...fields, ...(shape.rest ? ["readonly [key: string]: unknown"] : [])].join("; ")} }`
    }
    case "tagged": {
      const variants = shape.variants.map(({ fields, values }) =>
        `{ ${[`readonly ${key(shape.tag)}: ${union(values.map(quote))}`, ...fieldTypes(writer, fields)].join("; ")} }`
      )
      return `\n  | ${[...variants, ...(open ? [`UnknownVariant<${quote(shape.tag)}>`] : [])].join("\n  | ")}`
    }
    case "keyed": {
      const objects = Object.entries(shape.variants).map(([name, value]) =>
        `{ readonly ${key(name)}: ${typeOf(writer, value)} }`
      )
      return open
        ? union([`OpenEnum<${union(shape.strings.map(quote))}>`, ...objects, "UnknownObject"])
        : union([...shape.strings.map(quote), ...objects])
    }
  }
}

const declaration = (writer: TypeWriter, shape: Shape.Shape): string => {
  if (shape.type !== "object" || Object.keys(shape.fields).length === 0) {
    const type = typeOf(writer, shape)
    return `export type ${writer.owner} =${type.startsWith("\n") ? type : ` ${type}`}`
  }
  const lines = fieldTypes(writer, shape.fields)
  const rest = shape.rest ? ["readonly [key: string]: unknown"] : []
  return `export interface ${writer.owner} {\n${[...lines, ...rest].map((line) => `  ${line}`).join("\n")}\n}`
}

/** The definitions whose two types differ. */
const differing = (definitions: Shape.Model["definitions"]): ReadonlySet<string> => {
  const open = (owner: string) =>
    typeOf({ side: "Open", owner, name: (name) => name }, definitions[owner] ?? { type: "unknown" })
  const strict = (owner: string) =>
    typeOf({ side: "Strict", owner, name: (name) => name }, definitions[owner] ?? { type: "unknown" })
  const result = new Set(Object.keys(definitions).filter((owner) => open(owner) !== strict(owner)))
  for (let size = -1; size !== result.size;) {
    size = result.size
    for (const [name, shape] of Object.entries(definitions)) {
      if (Shape.references(shape).some((reference) => result.has(reference))) result.add(name)
    }
  }
  return result
}

const paramsType = (shape: Shape.MethodShape, name: (definition: string) => string): string =>
  shape.params === undefined
    ? "null | undefined"
    : name(shape.params) + (shape.paramsOptional ? " | null | undefined" : "")

const methodTypes = (model: Shape.Model, name: (definition: string) => string): string =>
  envelopes.map((envelope) => {
    const lines = Object.entries(model[envelope]).map(([method, shape]) => {
      const params = `readonly params: ${paramsType(shape, name)}`
      return shape.result !== undefined
        ? `  readonly ${quote(method)}: { ${params}; readonly result: ${name(shape.result)} }`
        : `  readonly ${quote(method)}: { ${params} }`
    })
    return `export interface ${pascalCase(envelope)} {\n${lines.join("\n")}\n}`
  }).join("\n\n")

const definitionTypes = (model: Shape.Model, name: (definition: string) => string): string => {
  const lines = Object.keys(model.definitions).map((definition) => `  readonly ${definition}: ${name(definition)}`)
  return `/** Every definition by its name. */\nexport interface Definitions {\n${lines.join("\n")}\n}`
}

const openTypes = (model: Shape.Model): string =>
  [
    `import type { OpenEnum, UnknownObject, UnknownVariant } from "../Openness.ts"`,
    ...Object.entries(model.definitions).map(([owner, shape]) =>
      declaration({ side: "Open", owner, name: (name) => name }, shape)
    ),
    definitionTypes(model, (name) => name),
    methodTypes(model, (name) => name)
  ].join("\n\n")

const strictTypes = (model: Shape.Model, differs: ReadonlySet<string>): string => {
  const name = (definition: string) => differs.has(definition) ? definition : `Open.${definition}`
  const same = Object.keys(model.definitions).filter((definition) => !differs.has(definition))
  return [
    `import type * as Open from "./OpenTypes.ts"`,
    `export type {\n  ${same.join(",\n  ")}\n} from "./OpenTypes.ts"`,
    ...Object.entries(model.definitions).filter(([owner]) => differs.has(owner)).map(([owner, shape]) =>
      declaration({ side: "Strict", owner, name }, shape)
    ),
    definitionTypes(model, name),
    methodTypes(model, name)
  ].join("\n\n")
}

// ---------------------------------------------------------------------------------------------------------------------
// Data

/** A string literal; shapes contain neither single quotes nor backslashes often enough to need a template. */
const literal = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

const shapesFile = (model: Shape.Model): string =>
  [
    `/** The shape of each definition, as JSON: parsed when it is first used. */`,
    `export const shapes = {`,
    Object.entries(model.definitions).map(([name, shape]) => `  ${name}: ${literal(JSON.stringify(shape))}`).join(
      ",\n"
    ),
    `}`
  ].join("\n")

const tableFile = (model: Shape.Model): string =>
  [
    `import type { MethodShape } from "../internal/Shape.ts"`,
    ...envelopes.map((envelope) => {
      const lines = Object.entries(model[envelope]).map(([method, shape]) =>
        `  ${quote(method)}: ${JSON.stringify(shape)}`
      )
      return `export const ${envelope}: Readonly<Record<string, MethodShape>> = {\n${lines.join(",\n")}\n}`
    })
  ].join("\n\n")

// ---------------------------------------------------------------------------------------------------------------------
// The rest

const experimentalFile = (stable: Shape.Model, model: Shape.Model): string => {
  const methods = experimentalMethods(stable, model)
  const fields = Object.entries(experimentalFields(stable, model)).map(([method, paths]) =>
    `  ${quote(method)}: [${paths.map(quote).join(", ")}]`
  )
  return [
    `/** Client requests that need the \`experimentalApi\` capability. */`,
    `export const methods: ReadonlySet<string> = /* @__PURE__ */ new Set([\n  ${
      methods.map(quote).join(",\n  ")
    }\n])\n`,
    `/**\n * Params members of other client requests that need it. A path goes through members by dots and into the elements of\n` +
    ` * an array by \`[]\`; \`:name\` picks a variant or a value.\n */`,
    `export const fields: Readonly<Record<string, ReadonlyArray<string>>> = {\n${fields.join(",\n")}\n}`
  ].join("\n")
}

const sorted = <A>(record: Readonly<Record<string, A>>): Record<string, A> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => a < b ? -1 : 1))

class NotUnderstood extends Schema.TaggedError<NotUnderstood>()("NotUnderstood", {
  places: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `Not understood in this export:\n${this.places.join("\n")}`
  }
}

/** Adds what no export names. */
const complete = (model: Shape.Model): Shape.Model => {
  const notifications = { ...model.serverNotifications }
  const definitions = { ...model.definitions }
  for (const [method, params] of Object.entries(loose)) {
    notifications[method] ??= { params, paramsOptional: false }
    definitions[params] ??= { type: "record", values: { type: "unknown" } }
  }
  return {
    ...model,
    definitions: sorted(definitions),
    // In their order of declaration, which is that of the server's refusals.
    clientRequests: model.clientRequests,
    serverRequests: sorted(model.serverRequests),
    serverNotifications: sorted(notifications),
    clientNotifications: sorted(model.clientNotifications)
  }
}

const argument = (args: ReadonlyArray<string>): string => {
  const index = args.indexOf("--codex-bin")
  const given = index < 0 ? undefined : args[index + 1]
  return given ?? fileURLToPath(new URL("../node_modules/.bin/codex", import.meta.url))
}

const program = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const codexBin = argument(process.argv.slice(2))
  const version = yield* SchemaExport.version({ codexBin })
  const exported = yield* SchemaExport.read({ codexBin })
  const stable = yield* SchemaExport.read({ codexBin, experimental: false })
  if (exported.unsupported.length > 0) {
    return yield* new NotUnderstood({ places: exported.unsupported })
  }
  const model = complete(exported)
  const header = `// Generated from codex ${version} by scripts/generate-protocol.ts. Do not edit.\n\n`
  const out = fileURLToPath(new URL("../src/protocol/generated", import.meta.url))
  const files: Record<string, string> = {
    "OpenTypes.ts": openTypes(model),
    "StrictTypes.ts": strictTypes(model, differing(model.definitions)),
    "Shapes.ts": `export const codexVersion = ${quote(version)}\n\n${shapesFile(model)}`,
    "MethodTable.ts": tableFile(model),
    "Experimental.ts": experimentalFile(stable, model)
  }
  yield* fs.makeDirectory(out, { recursive: true })
  yield* Effect.forEach(
    Object.entries(files),
    ([name, text]) => fs.writeFileString(path.join(out, name), `${header}${text}\n`),
    { discard: true }
  )
  const sizes = Object.entries(files).map(([name, text]) => `${name} ${Math.round(text.length / 1024)} KB`)
  yield* Console.error(
    `codex ${version}: ${Object.keys(model.definitions).length} definitions, ` +
      `${Object.keys(model.clientRequests).length} client requests, ` +
      `${Object.keys(model.serverRequests).length} server requests, ` +
      `${Object.keys(model.serverNotifications).length} server notifications\n${sizes.join("\n")}`
  )
})

NodeRuntime.runMain(Effect.provide(program, NodeServices.layer))
