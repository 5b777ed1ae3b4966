/**
 * What codex sends otherwise than its own export says. A release whose export is right needs none of it, and none of it
 * does anything there.
 */
import type { Fields, Model, Shape } from "./Shape.ts"

/** Members by the names that the export has for them, and those on the wire; by definition. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ThreadTimelineEntry: {
    completed_at: "completedAt",
    duration_ms: "durationMs",
    started_at: "startedAt",
    turn_id: "turnId"
  }
}

const rename = (fields: Fields, names: Readonly<Record<string, string>>): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, field]) => [names[name] ?? name, field] as const)
      .toSorted(([a], [b]) => a < b ? -1 : 1)
  )

const corrected = (shape: Shape, names: Readonly<Record<string, string>>): Shape =>
  shape.type === "tagged"
    ? { ...shape, variants: shape.variants.map(({ fields, values }) => ({ values, fields: rename(fields, names) })) }
    : shape

/** The export as it should be. */
export const apply = (model: Model): Model => ({
  ...model,
  definitions: Object.fromEntries(
    Object.entries(model.definitions).map(([name, shape]) => {
      const names = Object.hasOwn(renamed, name) ? renamed[name] : undefined
      return [name, names === undefined ? shape : corrected(shape, names)]
    })
  )
})
