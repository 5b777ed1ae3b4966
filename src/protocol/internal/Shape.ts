/**
 * The reduced form of an exported JSON Schema bundle: what the code generator emits from, and what the drift check
 * compares.
 *
 * A `Shape` keeps what decides how a value is read (fields, enums, discriminators) and drops prose, titles and defaults.
 * Reading never fails: a construct that is not understood becomes `unknown` and is named in `Model.unsupported`.
 */
import * as Predicate from "effect/Predicate"
import { resultName } from "./ResultNames.ts"

/** How one value looks on the wire. */
export type Shape =
  | { readonly type: "unknown" | "boolean" | "null" | "float" | "string" | "nonEmptyString" }
  | { readonly type: "int"; readonly format: string }
  | { readonly type: "const"; readonly value: number }
  | { readonly type: "enum"; readonly values: ReadonlyArray<string> }
  | { readonly type: "nullable"; readonly of: Shape }
  | { readonly type: "array"; readonly items: Shape }
  | { readonly type: "record"; readonly values: Shape }
  | ObjectShape
  | TaggedShape
  | KeyedShape
  | { readonly type: "union"; readonly members: ReadonlyArray<Shape> }
  | { readonly type: "ref"; readonly name: string }

/** A field of an object; `optional` means that the member may be missing. */
export interface Field {
  readonly optional: boolean
  readonly shape: Shape
}

export type Fields = Readonly<Record<string, Field>>

export interface ObjectShape {
  readonly type: "object"
  readonly fields: Fields
  /** True when further members are part of the shape (not merely ignored). */
  readonly rest: boolean
}

/** Objects told apart by the string in one member. Several variants may share a tag value. */
export interface TaggedShape {
  readonly type: "tagged"
  readonly tag: string
  readonly variants: ReadonlyArray<{ readonly values: ReadonlyArray<string>; readonly fields: Fields }>
}

/** Plain strings, or objects told apart by their only key. */
export interface KeyedShape {
  readonly type: "keyed"
  readonly strings: ReadonlyArray<string>
  readonly variants: Readonly<Record<string, Shape>>
}

/** What a method takes and answers, by the names of definitions. */
export interface MethodShape {
  /** Missing when the method takes none. */
  readonly params?: string
  readonly paramsOptional: boolean
  /** Missing for notifications. */
  readonly result?: string
}

/** A whole export. */
export interface Model {
  readonly definitions: Readonly<Record<string, Shape>>
  readonly clientRequests: Readonly<Record<string, MethodShape>>
  readonly serverRequests: Readonly<Record<string, MethodShape>>
  readonly serverNotifications: Readonly<Record<string, MethodShape>>
  readonly clientNotifications: Readonly<Record<string, MethodShape>>
  /** Places whose schema was not understood, as `Definition.path: why`. */
  readonly unsupported: ReadonlyArray<string>
}

type Json = Readonly<Record<string, unknown>>

const unknownShape: Shape = { type: "unknown" }

const envelopes = ["ClientRequest", "ServerRequest", "ServerNotification", "ClientNotification"] as const

const isJson = (u: unknown): u is Json => Predicate.isObject(u)
const list = (u: unknown): ReadonlyArray<unknown> => Array.isArray(u) ? u : []
const members = (u: unknown): Json => isJson(u) ? u : {}
const strings = (u: unknown): ReadonlyArray<string> => list(u).filter(Predicate.isString)
const refName = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

/** Reads the bundle `codex_app_server_protocol.schemas.json` of an export. */
export const fromBundle = (bundle: unknown): Model => {
  const top = members(members(bundle)["definitions"])
  const raw: Record<string, unknown> = {}
  for (const [name, schema] of [...Object.entries(top), ...Object.entries(members(top["v2"]))]) {
    if (name !== "v2") raw[name] = schema
  }
  const unsupported: Array<string> = []
  const reader = makeReader(raw, unsupported)
  const definitions: Record<string, Shape> = {}
  for (const name of Object.keys(raw).toSorted()) {
    if (!envelopes.some((envelope) => envelope === name)) definitions[name] = reader(raw[name], name)
  }
  const methods = (envelope: string) => methodsOf(raw[envelope], envelope, unsupported)
  const requests = (envelope: string) => {
    const withResults: Record<string, MethodShape> = {}
    for (const [method, shape] of Object.entries(methods(envelope))) {
      const result = resultName(method, shape.params, (name) => name in definitions)
      if (result === undefined) unsupported.push(`${envelope}.${method}: no definition for the result`)
      withResults[method] = result === undefined ? shape : { ...shape, result }
    }
    return withResults
  }
  return {
    definitions,
    clientRequests: requests("ClientRequest"),
    serverRequests: requests("ServerRequest"),
    serverNotifications: methods("ServerNotification"),
    clientNotifications: methods("ClientNotification"),
    unsupported
  }
}

const methodsOf = (schema: unknown, envelope: string, unsupported: Array<string>): Record<string, MethodShape> => {
  const methods: Record<string, MethodShape> = {}
  for (const branch of list(members(schema)["oneOf"])) {
    const properties = members(members(branch)["properties"])
    const method = strings(members(properties["method"])["enum"])[0]
    if (method === undefined) {
      unsupported.push(`${envelope}: a branch without a method`)
      continue
    }
    const params = properties["params"]
    const nullable = list(members(params)["anyOf"])
    const reference = isJson(params) && Predicate.isString(params["$ref"])
      ? params["$ref"]
      : nullable.map((s) => members(s)["$ref"]).find(Predicate.isString)
    if (reference === undefined && params !== undefined && members(params)["type"] !== "null") {
      unsupported.push(`${envelope}.${method}: params that are no reference`)
    }
    methods[method] = {
      ...(reference === undefined ? {} : { params: refName(reference) }),
      paramsOptional: !strings(members(branch)["required"]).includes("params")
    }
  }
  return methods
}

type Reader = (schema: unknown, at: string) => Shape

const makeReader = (raw: Json, unsupported: Array<string>): Reader => {
  const give = (at: string, why: string): Shape => {
    unsupported.push(`${at}: ${why}`)
    return unknownShape
  }

  const read: Reader = (schema, at) => {
    if (schema === true) return unknownShape
    if (!isJson(schema)) return give(at, "not a schema")
    if (Predicate.isString(schema["$ref"])) return { type: "ref", name: refName(schema["$ref"]) }
    const all = list(schema["allOf"])
    if (all.length > 0) return all.length === 1 ? read(all[0], at) : give(at, "allOf of several")
    if ("oneOf" in schema || "anyOf" in schema) return readUnion(schema, at)
    const types = Predicate.isString(schema["type"]) ? [schema["type"]] : strings(schema["type"])
    const present = types.filter((type) => type !== "null")
    if (types.length > present.length && present.length > 0) {
      return { type: "nullable", of: read({ ...schema, type: present }, at) }
    }
    if (present.length > 1) {
      return { type: "union", members: present.map((type) => read({ ...schema, type }, at)) }
    }
    return readTyped(schema, present[0] ?? types[0], at)
  }

  const readTyped = (schema: Json, type: string | undefined, at: string): Shape => {
    const values = list(schema["enum"])
    if (values.length > 0) {
      if (values.every(Predicate.isString)) return { type: "enum", values }
      const [value] = values
      return values.length === 1 && Predicate.isNumber(value)
        ? { type: "const", value }
        : give(at, "an enum of other things than strings")
    }
    switch (type ?? ("properties" in schema ? "object" : undefined)) {
      case undefined:
        return "items" in schema || "additionalProperties" in schema ? give(at, "no type") : unknownShape
      case "string":
        return { type: schema["minLength"] === 1 ? "nonEmptyString" : "string" }
      case "integer":
        return { type: "int", format: Predicate.isString(schema["format"]) ? schema["format"] : "int64" }
      case "number":
        return { type: "float" }
      case "boolean":
        return { type: "boolean" }
      case "null":
        return { type: "null" }
      case "array":
        return Array.isArray(schema["items"])
          ? give(at, "a tuple")
          : { type: "array", items: "items" in schema ? read(schema["items"], `${at}[]`) : unknownShape }
      case "object":
        return readObject(schema, at)
      default:
        return give(at, `type ${type}`)
    }
  }

  const readObject = (schema: Json, at: string): Shape => {
    const rest = schema["additionalProperties"]
    if (!("properties" in schema)) {
      return rest === undefined || rest === false
        ? { type: "object", fields: {}, rest: false }
        : { type: "record", values: read(rest, `${at}{}`) }
    }
    if (isJson(rest)) return give(at, "further members of a type of their own")
    return { type: "object", fields: readFields(schema, at), rest: rest === true }
  }

  const readFields = (schema: Json, at: string): Fields => {
    const required = new Set(strings(schema["required"]))
    const fields: Record<string, Field> = {}
    for (const name of Object.keys(members(schema["properties"])).toSorted()) {
      const shape = read(members(schema["properties"])[name], `${at}.${name}`)
      fields[name] = { optional: !required.has(name), shape }
    }
    return fields
  }

  /** Branches of a union, with the members they share put into each. */
  const branchesOf = (schema: Json): ReadonlyArray<Json> => {
    const { anyOf, oneOf, ...base } = schema
    const branches = [...list(oneOf), ...list(anyOf)].map(members)
    if (!("properties" in base)) return branches.flatMap(flatten)
    return branches.flatMap(flatten).map((branch) => ({
      ...branch,
      type: "object",
      properties: { ...members(base["properties"]), ...members(branch["properties"]) },
      required: [...strings(base["required"]), ...strings(branch["required"])]
    }))
  }

  const flatten = (branch: Json): ReadonlyArray<Json> =>
    "oneOf" in branch || "anyOf" in branch ? branchesOf(branch) : [branch]

  const readUnion = (schema: Json, at: string): Shape => {
    const branches = branchesOf(schema)
    const present = branches.filter((branch) => branch["type"] !== "null")
    if (present.length < branches.length) return { type: "nullable", of: readBranches(present, at) }
    return readBranches(present, at)
  }

  const readBranches = (branches: ReadonlyArray<Json>, at: string): Shape => {
    if (branches.length > 1 && branches.every((branch) => "$ref" in branch)) {
      const tagged = readTagged(branches.flatMap(leavesOf), at)
      if (tagged !== undefined) return tagged
    }
    const [only] = branches
    if (branches.length === 1 && only !== undefined && !("properties" in only)) return read(only, at)
    return readTagged(branches, at) ?? readKeyed(branches, at) ??
      { type: "union", members: branches.map((branch, index) => read(branch, `${at}|${index}`)) }
  }

  /** The objects that a reference ends at, through unions of references. */
  const leavesOf = (branch: Json): ReadonlyArray<Json> => {
    if (!Predicate.isString(branch["$ref"])) return [branch]
    const target = members(raw[refName(branch["$ref"])])
    return "oneOf" in target || "anyOf" in target ? branchesOf(target).flatMap(leavesOf) : [target]
  }

  const enumOf = (schema: unknown): ReadonlyArray<string> => {
    const json = members(schema)
    return Predicate.isString(json["$ref"]) ? enumOf(raw[refName(json["$ref"])]) : strings(json["enum"])
  }

  const readTagged = (branches: ReadonlyArray<Json>, at: string): Shape | undefined => {
    if (branches.length === 0 || !branches.every((branch) => "properties" in branch)) return undefined
    let best: { readonly tag: string; readonly single: number; readonly distinct: number } | undefined
    for (const tag of Object.keys(members(branches[0]?.["properties"])).toSorted()) {
      const values = branches.map((branch) =>
        strings(branch["required"]).includes(tag) ? enumOf(members(branch["properties"])[tag]) : []
      )
      if (values.some((set) => set.length === 0)) continue
      const single = values.filter((set) => set.length === 1).length
      const distinct = new Set(values.flat()).size
      if (
        single > 0 &&
        (best === undefined || single > best.single || (single === best.single && distinct > best.distinct))
      ) best = { tag, single, distinct }
    }
    if (best === undefined) return undefined
    const { tag } = best
    return {
      type: "tagged",
      tag,
      variants: branches.map((branch) => {
        const values = enumOf(members(branch["properties"])[tag])
        const { [tag]: _, ...fields } = readFields(branch, `${at}:${values.join("|")}`)
        return { values, fields }
      })
    }
  }

  const readKeyed = (branches: ReadonlyArray<Json>, at: string): Shape | undefined => {
    const literals: Array<string> = []
    const variants: Record<string, Shape> = {}
    for (const branch of branches) {
      const keys = Object.keys(members(branch["properties"]))
      const [key] = keys
      if ("enum" in branch) literals.push(...strings(branch["enum"]))
      else if (key !== undefined && keys.length === 1 && strings(branch["required"]).includes(key)) {
        variants[key] = read(members(branch["properties"])[key], `${at}.${key}`)
      } else if (strings(branch["type"]).includes("object") && strings(branch["type"]).includes("string")) {
        // The export's own catch-all for values of later releases: the open dialect has one anyway.
      } else return undefined
    }
    if (Object.keys(variants).length === 0) return { type: "enum", values: literals }
    return { type: "keyed", strings: literals, variants }
  }

  return read
}

const ofFields = (fields: Fields): ReadonlyArray<string> =>
  Object.values(fields).flatMap((field) => references(field.shape))

/** The definitions that a shape names directly. */
export const references = (shape: Shape): ReadonlyArray<string> => {
  switch (shape.type) {
    case "ref":
      return [shape.name]
    case "nullable":
      return references(shape.of)
    case "array":
      return references(shape.items)
    case "record":
      return references(shape.values)
    case "object":
      return ofFields(shape.fields)
    case "tagged":
      return shape.variants.flatMap((variant) => ofFields(variant.fields))
    case "keyed":
      return Object.values(shape.variants).flatMap(references)
    case "union":
      return shape.members.flatMap(references)
    default:
      return []
  }
}
