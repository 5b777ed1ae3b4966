/**
 * Pages of a list that is in memory, with the cursors of codex: the position to go on from.
 */
import * as Effect from "effect/Effect"
import { type BridgeError, InvalidRequest, refuse } from "../BridgeError.ts"

export interface PageParams {
  readonly cursor?: string | null | undefined
  readonly limit?: number | null | undefined
}

export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly nextCursor: string | null
}

const refused = (message: string): Effect.Effect<never, BridgeError> =>
  Effect.fail(refuse(new InvalidRequest({ message })))

/** The page that was asked for; without a limit all the rest. `what` names the elements, for an error. */
export const page = <A>(
  all: ReadonlyArray<A>,
  { cursor, limit }: PageParams,
  what: string
): Effect.Effect<Page<A>, BridgeError> => {
  const given = cursor ?? "0"
  const start = Number(given)
  if (!/^\+?\d+$/u.test(given) || !Number.isSafeInteger(start)) return refused(`invalid cursor: ${given}`)
  if (start > all.length) return refused(`cursor ${start} exceeds total ${what} ${all.length}`)
  // A page has one element at least: a client that asks for none would ask forever.
  const end = limit === null || limit === undefined ? all.length : start + Math.max(1, Math.trunc(limit))
  return Effect.succeed({ data: all.slice(start, end), nextCursor: end < all.length ? String(end) : null })
}
