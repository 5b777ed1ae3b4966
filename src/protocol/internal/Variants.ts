/**
 * The names of an enum's values and of a union's variants, as a server takes and lists them.
 */
import type { Shape } from "./Shape.ts"

/** Where these are more than the export has, or in another order; by definition. The others are names of old. */
const listed: Readonly<Record<string, ReadonlyArray<string>>> = {
  AskForApproval: ["untrusted", "on-request", "granular", "never"],
  ModeKind: ["plan", "code", "custom", "default", "execute", "pair_programming"],
  MultiAgentMode: ["none", "custom", "explicitRequestOnly", "proactive"]
}

const namesIn = (shape: Shape): ReadonlyArray<string> => {
  switch (shape.type) {
    case "enum":
      return shape.values
    case "keyed":
      return [...shape.strings, ...Object.keys(shape.variants)]
    case "tagged":
      return [...new Set(shape.variants.flatMap(({ values }) => values))]
    default:
      return []
  }
}

/** All names, in the order of a server's refusal. `definition` is what has the shape. */
export const names = (definition: string | undefined, shape: Shape): ReadonlyArray<string> =>
  definition !== undefined && Object.hasOwn(listed, definition) ? listed[definition] ?? [] : namesIn(shape)

/** The names that stand for themselves, and are no key of an object. */
export const strings = (definition: string, shape: Shape): ReadonlyArray<string> =>
  names(definition, shape).filter((name) => shape.type !== "keyed" || !Object.hasOwn(shape.variants, name))

/** Whether one variant stands for all that this release does not know. */
export const hasOther = (shape: Shape): boolean => shape.type === "tagged" && namesIn(shape).includes("other")
