/**
 * What changed between two exports, and whom it breaks.
 *
 * Each place in a message has a writer and a reader, and this library may be either: its host side writes what a client
 * sends and reads what a server sends, its bridge side the reverse. A writer is broken by what the other side newly
 * demands or no longer takes, a reader by what the other side may newly leave out.
 */
import type { UsedMethods } from "../Used.ts"
import { isLenient } from "./Lenient.ts"
import type { Field, Fields, MethodShape, Model, Shape } from "./Shape.ts"

/** One change. */
export interface Difference {
  readonly severity: "harmless" | "breaking"
  /** Which side of this library it breaks; empty for harmless changes. */
  readonly affects: ReadonlyArray<"host" | "bridge">
  /** A method, or a place in a definition such as `ThreadItem:agentMessage.text`. */
  readonly where: string
  readonly what: string
  /** A used method that leads there. */
  readonly method: string
}

/** Who writes a value: a client (params of its requests) or a server. */
type Writer = "client" | "server"

const kinds = {
  clientRequests: "client request",
  serverRequests: "server request",
  serverNotifications: "server notification",
  clientNotifications: "client notification"
} as const

/** The differences in the used methods and what they carry, and the coming and going of the others. */
export const compareModels = (ours: Model, theirs: Model, used: UsedMethods): ReadonlyArray<Difference> => {
  const found = new Map<string, Difference>()
  const seen = new Set<string>()

  for (const envelope of ["clientRequests", "serverRequests", "serverNotifications", "clientNotifications"] as const) {
    const kind = kinds[envelope]
    const before = ours[envelope]
    const after = theirs[envelope]
    for (const method of used[envelope]) {
      const old = before[method]
      const now = after[method]
      const report = makeReport(found, method)
      if (old === undefined) report.breaking(["host", "bridge"], method, `${kind} without generated schemas`)
      else if (now === undefined) report.breaking(["host"], method, `${kind} is gone`)
      else {
        const writer = envelope.startsWith("client") ? "client" : "server"
        compareMethod(old, now, writer, method, report)
      }
    }
    for (const method of Object.keys(after)) {
      if (!(method in before)) makeReport(found, method).harmless(method, `new ${kind}`)
    }
    for (const method of Object.keys(before)) {
      if (!(method in after) && !used[envelope].includes(method)) {
        makeReport(found, method).harmless(method, `${kind} is gone, and was not used`)
      }
    }
  }
  return [...found.values()]

  function compareMethod(old: MethodShape, now: MethodShape, writer: Writer, method: string, report: Report): void {
    if (old.params !== undefined && now.params !== undefined) {
      compareNamed(old.params, now.params, writer, report)
    } else if (old.params !== undefined) {
      report.breaking([writes(writer)], method, "takes no params any more")
    } else if (now.params !== undefined) {
      if (now.paramsOptional) report.harmless(method, "takes params now, which may be left out")
      else report.breaking([writes(writer)], method, "demands params now")
    }
    if (old.params !== undefined && now.params !== undefined && old.paramsOptional !== now.paramsOptional) {
      if (old.paramsOptional) report.breaking([writes(writer)], method, "demands params now")
      else report.breaking([reads(writer)], method, "params may be left out now")
    }
    if (old.result !== undefined && now.result !== undefined) {
      compareNamed(old.result, now.result, writer === "client" ? "server" : "client", report)
    }
  }

  function compareNamed(oldName: string, newName: string, writer: Writer, report: Report): void {
    const key = `${oldName} ${newName} ${writer}`
    if (seen.has(key)) return
    seen.add(key)
    const old = ours.definitions[oldName]
    const now = theirs.definitions[newName]
    if (old === undefined || now === undefined) {
      return report.breaking(["host", "bridge"], oldName, "its definition is gone")
    }
    compare(old, now, { writer, owner: oldName, where: oldName }, report)
  }

  function compare(before: Shape, after: Shape, at: Place, report: Report): void {
    if (before.type === "ref" && after.type === "ref") return compareNamed(before.name, after.name, at.writer, report)
    const old = resolve(ours, before)
    const now = resolve(theirs, after)
    if (old.type === "nullable" && now.type === "nullable") return compare(old.of, now.of, at, report)
    if (old.type === "nullable") {
      report.breaking([writes(at.writer)], at.where, "may not be null any more")
      return compare(old.of, now, at, report)
    }
    if (now.type === "nullable") {
      report.breaking([reads(at.writer)], at.where, "may be null now")
      return compare(old, now.of, at, report)
    }
    const oldNames = namesOf(old)
    const newNames = namesOf(now)
    if (oldNames !== undefined && newNames !== undefined) return compareNames(oldNames, newNames, at, report)
    if (old.type === "array" && now.type === "array") {
      return compare(old.items, now.items, { ...at, where: `${at.where}[]` }, report)
    }
    if (old.type === "record" && now.type === "record") {
      return compare(old.values, now.values, { ...at, where: `${at.where}.*` }, report)
    }
    if (old.type === "object" && now.type === "object") return compareFields(old.fields, now.fields, at, report)
    if (old.type === "tagged" && now.type === "tagged" && old.tag === now.tag) {
      return compareVariants(old.variants, now.variants, at, report)
    }
    if (old.type === "union" && now.type === "union" && old.members.length === now.members.length) {
      return old.members.forEach((member, index) => {
        const other = now.members[index]
        if (other !== undefined) compare(member, other, { ...at, where: `${at.where}|${index}` }, report)
      })
    }
    if (JSON.stringify(old) === JSON.stringify(now)) return
    if (isNumber(old) && isNumber(now)) return report.harmless(at.where, "another range of numbers")
    if (old.type === "nonEmptyString" && now.type === "string") return report.harmless(at.where, "may be empty now")
    if (old.type === "string" && now.type === "nonEmptyString") {
      return report.breaking([writes(at.writer)], at.where, "may not be empty any more")
    }
    if (old.type === "enum" && now.type === "string") return report.harmless(at.where, "any string now")
    if (old.type === "string" && now.type === "enum") {
      return report.breaking([writes(at.writer)], at.where, `only ${now.values.join(", ")} now`)
    }
    report.breaking(["host", "bridge"], at.where, `was ${describe(old)}, is ${describe(now)}`)
  }

  function compareNames(old: Names, now: Names, at: Place, report: Report): void {
    compareSets(old.strings, now.strings, "value", at, report)
    compareSets(Object.keys(old.variants), Object.keys(now.variants), "variant", at, report)
    for (const [key, shape] of Object.entries(old.variants)) {
      const other = now.variants[key]
      if (other !== undefined) compare(shape, other, { ...at, where: `${at.where}:${key}` }, report)
    }
  }

  function compareVariants(old: Variants, now: Variants, at: Place, report: Report): void {
    const tags = (variants: Variants) => [...new Set(variants.flatMap(({ values }) => values))]
    compareSets(tags(old), tags(now), "variant", at, report)
    for (const tag of tags(old)) {
      const before = old.filter(({ values }) => values.includes(tag))
      const after = now.filter(({ values }) => values.includes(tag))
      const place = { ...at, where: `${at.where}:${tag}` }
      if (after.length < before.length && after.length > 0) {
        report.breaking([writes(at.writer)], place.where, "has fewer forms")
      } else if (after.length > before.length) report.harmless(place.where, "has more forms")
      before.forEach(({ fields }, index) => {
        const other = after[index]
        if (other !== undefined) compareFields(fields, other.fields, place, report)
      })
    }
  }

  function compareFields(old: Fields, now: Fields, at: Place, report: Report): void {
    for (const [name, field] of Object.entries(old)) {
      const place = { ...at, where: `${at.where}.${name}` }
      const other = now[name]
      if (other === undefined) memberGone(name, field, place, report)
      else compareField(name, field, other, place, report)
    }
    for (const [name, field] of Object.entries(now)) {
      if (name in old) continue
      const where = `${at.where}.${name}`
      if (field.optional) report.harmless(where, "is new, and may be left out")
      else report.breaking([writes(at.writer)], where, "is new, and required")
    }
  }

  // Whoever reads a member misses one that had to be there; whoever writes one that need not be there may never do so.
  function memberGone(name: string, field: Field, at: Place, report: Report): void {
    const [definition = ""] = at.where.split(".")
    const listed = used.members[definition]?.includes(name) ?? false
    const expected = !field.optional && !isLenient(at.owner, name, field)
    const affects = [
      ...(listed || (expected && reads(at.writer) === "host") ? ["host" as const] : []),
      ...(expected && reads(at.writer) === "bridge" ? ["bridge" as const] : [])
    ]
    if (affects.length > 0) report.breaking(affects, at.where, "is gone")
    else report.harmless(at.where, "is gone, and could be left out before")
  }

  function compareField(name: string, old: Field, now: Field, at: Place, report: Report): void {
    if (old.optional && !now.optional) report.breaking([writes(at.writer)], at.where, "is required now")
    if (!old.optional && now.optional) {
      if (isLenient(at.owner, name, old)) report.harmless(at.where, "may be left out now")
      else report.breaking([reads(at.writer)], at.where, "may be left out now")
    }
    compare(old.shape, now.shape, at, report)
  }
}

interface Place {
  readonly writer: Writer
  /** The definition that the place is in. */
  readonly owner: string
  readonly where: string
}

interface Report {
  readonly harmless: (where: string, what: string) => void
  readonly breaking: (affects: Difference["affects"], where: string, what: string) => void
}

// One place is reached from many methods: the first names it.
const makeReport = (found: Map<string, Difference>, method: string): Report => {
  const add = (difference: Difference): void => {
    const key = `${difference.where}: ${difference.what}`
    const known = found.get(key)
    const affects = known === undefined ? difference.affects : [...new Set([...known.affects, ...difference.affects])]
    found.set(key, {
      ...difference,
      severity: affects.length > 0 ? "breaking" : "harmless",
      affects,
      method: known?.method ?? difference.method
    })
  }
  return {
    harmless: (where, what) => add({ severity: "harmless", affects: [], where, what, method }),
    breaking: (affects, where, what) => add({ severity: "breaking", affects, where, what, method })
  }
}

const writes = (writer: Writer): "host" | "bridge" => writer === "client" ? "host" : "bridge"
const reads = (writer: Writer): "host" | "bridge" => writer === "client" ? "bridge" : "host"

const resolve = (model: Model, shape: Shape): Shape => {
  const target = shape.type === "ref" ? model.definitions[shape.name] : undefined
  return target === undefined ? shape : resolve(model, target)
}

const compareSets = (
  old: ReadonlyArray<string>,
  now: ReadonlyArray<string>,
  what: string,
  at: Place,
  report: Report
): void => {
  for (const name of old) {
    if (!now.includes(name)) report.breaking([writes(at.writer)], at.where, `${what} ${name} is gone`)
  }
  for (const name of now) {
    if (!old.includes(name)) report.harmless(at.where, `new ${what} ${name}`)
  }
}

interface Names {
  readonly strings: ReadonlyArray<string>
  readonly variants: Readonly<Record<string, Shape>>
}

type Variants = Extract<Shape, { readonly type: "tagged" }>["variants"]

/** An enum is a keyed union without objects: releases turn one into the other. */
const namesOf = (shape: Shape): Names | undefined =>
  shape.type === "keyed"
    ? shape
    : shape.type === "enum"
    ? { strings: shape.values, variants: {} }
    : undefined

const isNumber = (shape: Shape): boolean => shape.type === "int" || shape.type === "float" || shape.type === "const"

const describe = (shape: Shape): string => {
  switch (shape.type) {
    case "tagged":
      return `a union by ${shape.tag}`
    case "keyed":
      return "a union of strings and objects"
    case "array":
    case "int":
    case "object":
    case "enum":
      return `an ${shape.type}`
    default:
      return `a ${shape.type}`
  }
}
