/**
 * What only the experimental export has: the methods and params members that a server accepts only from a client that
 * asked for `experimentalApi`.
 */
import type { Fields, Model, Shape } from "./Shape.ts"

/** Client requests that the stable export does not have. */
export const experimentalMethods = (stable: Model, experimental: Model): ReadonlyArray<string> =>
  Object.keys(experimental.clientRequests).filter((method) => !(method in stable.clientRequests)).toSorted()

/** Per client request of the stable export: the paths in its params that only the experimental export has. */
export const experimentalFields = (
  stable: Model,
  experimental: Model
): Readonly<Record<string, ReadonlyArray<string>>> => {
  const result: Record<string, ReadonlyArray<string>> = {}
  for (
    const [method, { params }] of Object.entries(experimental.clientRequests).toSorted(([a], [b]) => a < b ? -1 : 1)
  ) {
    if (params === undefined || !(method in stable.clientRequests)) continue
    const paths = added(stable, experimental, params)
    if (paths.length > 0) result[method] = paths
  }
  return result
}

const added = (stable: Model, experimental: Model, root: string): ReadonlyArray<string> => {
  const paths = new Set<string>()
  const seen = new Set<string>()

  const compareFields = (before: Fields, after: Fields, path: string): void => {
    for (const [name, field] of Object.entries(after)) {
      const at = path === "" ? name : `${path}.${name}`
      const old = before[name]
      if (old === undefined) paths.add(at)
      else compare(old.shape, field.shape, at)
    }
  }

  const compare = (before: Shape, after: Shape, path: string): void => {
    if (after.type === "ref") {
      const old = before.type === "ref" ? stable.definitions[before.name] : before
      const now = experimental.definitions[after.name]
      // Recursive types would repeat their paths for ever.
      if (old === undefined || now === undefined || seen.has(after.name)) return
      seen.add(after.name)
      compare(old, now, path)
      seen.delete(after.name)
      return
    }
    if (before.type === "ref") return compare(stable.definitions[before.name] ?? { type: "unknown" }, after, path)
    if (before.type === "nullable" && after.type === "nullable") return compare(before.of, after.of, path)
    if (before.type === "array" && after.type === "array") return compare(before.items, after.items, `${path}[]`)
    if (before.type === "object" && after.type === "object") return compareFields(before.fields, after.fields, path)
    if (before.type === "enum" && after.type === "enum") return addNames(before.values, after.values, path)
    if (before.type === "enum" && after.type === "keyed") {
      return addNames(before.values, [...after.strings, ...Object.keys(after.variants)], path)
    }
    if (before.type === "keyed" && after.type === "keyed") {
      addNames(
        [...before.strings, ...Object.keys(before.variants)],
        [...after.strings, ...Object.keys(after.variants)],
        path
      )
      for (const [key, shape] of Object.entries(after.variants)) {
        const old = before.variants[key]
        if (old !== undefined) compare(old, shape, `${path}.${key}`)
      }
      return
    }
    if (before.type === "tagged" && after.type === "tagged") {
      addNames(before.variants.flatMap((v) => v.values), after.variants.flatMap((v) => v.values), path)
      for (const variant of after.variants) {
        const same = before.variants.filter((v) => v.values.some((value) => variant.values.includes(value)))
        const fields = Object.assign({}, ...same.map((v) => v.fields))
        if (same.length > 0) compareFields(fields, variant.fields, `${path}:${variant.values.join("|")}`)
      }
    }
  }

  const addNames = (before: ReadonlyArray<string>, after: ReadonlyArray<string>, path: string): void => {
    for (const name of after) if (!before.includes(name)) paths.add(`${path}:${name}`)
  }

  compare({ type: "ref", name: root }, { type: "ref", name: root }, "")
  return [...paths].toSorted()
}
