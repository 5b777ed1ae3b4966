/**
 * Whether a codex binary still speaks the protocol that this library was generated from.
 *
 * Only the methods of `Used.ts` and what they carry are compared in depth. A difference is *breaking* when a side of this
 * library can no longer write or read a message as it does, and *harmless* when the open dialect takes it as data.
 */
import * as Effect from "effect/Effect"
import { names, shape } from "./Definitions.ts"
import * as Table from "./generated/MethodTable.ts"
import { codexVersion } from "./generated/Shapes.ts"
import { compareModels, type Difference } from "./internal/Compare.ts"
import type { Model } from "./internal/Shape.ts"
import * as SchemaExport from "./SchemaExport.ts"
import { used, type UsedMethods } from "./Used.ts"

export type { Difference, Model, UsedMethods }

export type Severity = "none" | "harmless" | "breaking"

/** The verdict on one binary. */
export interface DriftReport {
  /** The release that this library was generated from. */
  readonly generatedFrom: string
  /** The release that was checked. */
  readonly checked: string
  /** The worst of the differences. */
  readonly severity: Severity
  /** For a command that ends with it: 0 none, 3 harmless, 4 breaking. */
  readonly exitCode: 0 | 3 | 4
  readonly differences: ReadonlyArray<Difference>
}

const exitCodes = { none: 0, harmless: 3, breaking: 4 } as const

/** What this library was generated from. */
export const generated = (): Model => ({
  definitions: Object.fromEntries(names.map((name) => [name, shape(name)])),
  clientRequests: Table.clientRequests,
  serverRequests: Table.serverRequests,
  serverNotifications: Object.fromEntries(
    // Some notifications are on the wire and in no export: their absence says nothing.
    Object.entries(Table.serverNotifications).filter(([method]) => !method.startsWith("rawResponse"))
  ),
  clientNotifications: Table.clientNotifications,
  unsupported: []
})

/** Compares two exports in what the used methods reach. */
export const compare = (ours: Model, theirs: Model, methods: UsedMethods = used): ReadonlyArray<Difference> =>
  compareModels(ours, theirs, methods).toSorted((a, b) =>
    a.severity === b.severity ? a.where.localeCompare(b.where, "en") : a.severity === "breaking" ? -1 : 1
  )

/** The verdict on differences. */
export const severityOf = (differences: ReadonlyArray<Difference>): Severity =>
  differences.some(({ severity }) => severity === "breaking")
    ? "breaking"
    : differences.length > 0
    ? "harmless"
    : "none"

/**
 * Exports the schemas of a binary and compares them with those that this library was generated from.
 * Fails only if the binary does not give its schemas.
 */
export const check = Effect.fn("Drift.check")(function*(options: SchemaExport.ExportOptions) {
  const checked = yield* SchemaExport.version(options)
  const theirs = yield* SchemaExport.read({ ...options, experimental: true })
  const differences = compare(generated(), theirs)
  const severity = severityOf(differences)
  const report: DriftReport = {
    generatedFrom: codexVersion,
    checked,
    severity,
    exitCode: exitCodes[severity],
    differences
  }
  return report
})

/** The report for a person, a line a difference. */
export const format = (report: DriftReport): string => {
  const head = `Generated from codex ${report.generatedFrom}, checked ${report.checked}: ` +
    (report.severity === "none" ? "no differences" : `${report.severity} differences`)
  const lines = report.differences.map(({ affects, method, severity, what, where }) => {
    const sides = affects.length === 0 ? "" : ` for ${affects.join(" and ")}`
    const via = where === method ? "" : ` (in ${method})`
    return `  ${severity}${sides}: ${where} ${what}${via}`
  })
  return [head, ...lines].join("\n")
}
