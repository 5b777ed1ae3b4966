/**
 * What is wrong with a value, from a schema issue, without what the value holds.
 */
import type * as Arr from "effect/Array"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

/** One thing that is wrong, and where. */
export const Problem = Schema.Struct({
  /** Members joined by dots, elements as `[0]`; empty for the value itself. Keys of maps are shown as `*`. */
  path: Schema.String,
  problem: Schema.String
})
export type Problem = typeof Problem.Type

interface Leaf {
  readonly path: ReadonlyArray<PropertyKey>
  readonly problem: string
  /** The catch-all of an open union refused a known variant: what the variant itself says is the news. */
  readonly catchAll: boolean
}

const maxProblems = 5
const maxProblemLength = 400

const clip = (text: string): string => text.length > maxProblemLength ? `${text.slice(0, maxProblemLength)}…` : text

// A key that is no member name comes from a map, where it may be a path or anything else that a user has.
const pathText = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`
    const name = typeof part === "string" && /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(part) ? part : "*"
    return text === "" ? name : `${text}.${name}`
  }, "")

const leaves = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey>): ReadonlyArray<Leaf> => {
  switch (issue._tag) {
    case "Pointer":
      return leaves(issue.issue, [...path, ...issue.path])
    case "Encoding":
      return leaves(issue.issue, path)
    case "Composite":
      return issue.issues.flatMap((inner) => leaves(inner, path))
    case "AnyOf":
      return issue.issues.length === 0 ? [leaf(issue, path)] : best(issue.issues.map((inner) => leaves(inner, path)))
    default:
      return [leaf(issue, path)]
  }
}

const leaf = (issue: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey>): Leaf => ({
  path,
  // The default formatter shows inputs only when parsing with `reportInput`, which nobody here does.
  problem: clip(firstLine(formatter(issue))),
  catchAll: issue._tag === "Filter" && issue.filter.annotations?.["expected"] === laterRelease
})

/** Marks the check of an open union's catch-all. */
export const laterRelease = "a variant of a later release"

const formatter = SchemaIssue.makeFormatterDefault()

const firstLine = (text: string): string => {
  const [line = text] = text.split("\n")
  return line.slice(0, 1).toLowerCase() + line.slice(1)
}

/** Of the members of a union that all refused, the one that came furthest: most likely the one that was meant. */
const best = (members: ReadonlyArray<ReadonlyArray<Leaf>>): ReadonlyArray<Leaf> => {
  const depth = (member: ReadonlyArray<Leaf>) => Math.max(...member.map(({ path }) => path.length))
  const meant = members.filter((member) => member.some(({ catchAll }) => !catchAll))
  const candidates = meant.length > 0 ? meant : members
  const [first = []] = candidates
  const furthest = candidates.reduce((a, b) => depth(b) > depth(a) ? b : a, first)
  return candidates.filter((member) => depth(member) < depth(furthest)).length === candidates.length - 1
    ? furthest
    : candidates.flat()
}

/** The problems in an issue, at most five, of bounded length. */
export const describeIssue = (issue: SchemaIssue.Issue): Arr.NonEmptyReadonlyArray<Problem> => {
  const seen = new Map<string, Problem>()
  for (const { path, problem } of leaves(issue, [])) {
    const text = pathText(path)
    seen.set(`${text}: ${problem}`, { path: text, problem })
  }
  const [first = { path: "", problem: "unfit" }, ...rest] = [...seen.values()].slice(0, maxProblems)
  return [first, ...rest]
}
