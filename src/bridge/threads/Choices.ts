/**
 * Members of requests that are one of a few fixed values. What a later release may add to them is refused here, as a
 * value that nobody here knows what to do with.
 */
import * as Effect from "effect/Effect"
import { type BridgeError, refuse, UnknownValue } from "../BridgeError.ts"
import type { SortKey } from "../store/Cursor.ts"
import type { Direction, ItemsView } from "../store/ThreadQuery.ts"

type Given = string | null | undefined

/** `undefined` for a member that is missing. */
export const oneOf = <A extends string>(known: ReadonlyArray<A>) => (given: Given) => {
  if (given === null || given === undefined) return Effect.undefined
  const found = known.find((value) => value === given)
  return found === undefined ? Effect.fail(refuse(new UnknownValue({ given, known }))) : Effect.succeed(found)
}

export const direction = oneOf<Direction>(["asc", "desc"])

export const itemsView = oneOf<ItemsView>(["notLoaded", "summary", "full"])

const sortKeys = {
  created_at: "createdAt",
  updated_at: "updatedAt",
  recency_at: "recencyAt",
  section_position: "sectionPosition"
} as const satisfies Readonly<Record<string, SortKey>>

const sortedBy = <Name extends keyof typeof sortKeys>(names: ReadonlyArray<Name>) => {
  const name = oneOf(names)
  return (given: Given): Effect.Effect<(typeof sortKeys)[Name] | undefined, BridgeError> =>
    Effect.map(name(given), (name) => name === undefined ? undefined : sortKeys[name])
}

/** What lists of threads are sorted by. */
export const threadSortKey = sortedBy(["created_at", "updated_at", "recency_at", "section_position"])

/** What threads that were found are sorted by. */
export const searchSortKey = sortedBy(["created_at", "updated_at", "recency_at"])
