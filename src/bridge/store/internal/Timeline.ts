/**
 * A history as one list: where turns begin, what they came to, where they end.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { BridgeError } from "../../BridgeError.ts"
import { InvalidRequest, refuse } from "../../BridgeError.ts"
import * as Cursor from "../Cursor.ts"
import type { PageOptions, TimelineEntry, TimelinePage } from "../ThreadQuery.ts"
import type { ItemRecord, TurnRecord } from "../ThreadRecord.ts"
import { type History, perItem, perTurn } from "./History.ts"
import * as Paging from "./Paging.ts"
import * as Rows from "./Rows.ts"
import type { Failure } from "./Threads.ts"

const usualPage = 25
const largestPage = 100

/** Turns that are read at once. */
const portion = 25

/**
 * Places that a turn has: the first is its start, the last its end. A place within it is how far an item's ordinal is
 * from that of the turn's first one, so that no place ever comes to mean something else. Items so far behind that they
 * would be out of it share the last place before the end.
 */
const span = 2 ** 24

interface Place {
  readonly position: number
  readonly bytes: number
  readonly turn: TurnRecord
  readonly at: "start" | "end" | { readonly ordinal: number }
}

const invalidCursor = (): BridgeError => refuse(new InvalidRequest({ message: "invalid thread timeline cursor" }))

export const make = (sql: SqlClient, history: History) => {
  /** What a turn has before this place, the newest first, and no more than asked for. */
  const within = Effect.fnUntraced(function*(turn: TurnRecord, before: number, most: number) {
    const { id, ordinal, status, threadId } = turn
    const start = ordinal * span
    const end = start + span - 1
    const places: Array<Place> = []
    const error = turn.error === null ? 0 : JSON.stringify(turn.error).length
    if (status !== "inProgress" && end < before) places.push({ position: end, bytes: perTurn + error, turn, at: "end" })
    const [row = {}] = yield* sql`SELECT min(ordinal) AS first FROM items
      WHERE threadId = ${threadId} AND turnId = ${id}`
    const first = row["first"]
    if (typeof first === "number") {
      const bound = before <= end ? first + before - start - 1 : Number.MAX_SAFE_INTEGER
      // One that is open may still come to look different.
      const rows = yield* sql`SELECT ordinal, octet_length(item) + ${perItem} AS bytes FROM items
        WHERE threadId = ${threadId} AND turnId = ${id} AND ordinal < ${bound} AND completedAtMs IS NOT NULL
        ORDER BY ordinal DESC LIMIT ${most}`
      for (const row of rows) {
        const at = { ordinal: Rows.integer(row, "ordinal") }
        const position = Math.min(start + 1 + at.ordinal - first, end - 1)
        places.push({ position, bytes: Rows.integer(row, "bytes"), turn, at })
      }
    }
    if (start < before) places.push({ position: start, bytes: perTurn, turn, at: "start" })
    return places.slice(0, most)
  })

  /** The places before this one, the newest first; as many as `done` wants. */
  const places = Effect.fnUntraced(function*(threadId: string, before: number, size: number, bytes: number) {
    const found: Array<Place> = []
    let ordinal = Math.floor(before / span)
    for (;;) {
      const rows = yield* sql`SELECT * FROM turns WHERE threadId = ${threadId} AND ordinal <= ${ordinal}
        ORDER BY ordinal DESC LIMIT ${portion}`
      for (const turn of yield* Rows.turns.decodeAll(rows)) {
        found.push(...(yield* within(turn, before, size + 1 - found.length)))
        const fitting = Paging.fitting(found.map(({ bytes }) => ({ bytes })), bytes)
        if (found.length > size || fitting < found.length) {
          return { found: found.slice(0, Math.min(size, fitting)), more: true }
        }
      }
      const last = rows.at(-1)
      if (rows.length < portion || last === undefined) return { found, more: false }
      ordinal = Rows.integer(last, "ordinal") - 1
    }
  })

  /** The page before the cursor, or the newest one; entries are in the order of the history. */
  const list = Effect.fnUntraced(
    function*(threadId: string, query: Omit<PageOptions, "direction">): Effect.fn.Return<TimelinePage, Failure> {
      yield* history.present(threadId)
      const before = query.cursor == null
        ? Number.MAX_SAFE_INTEGER
        : (yield* Effect.mapError(
          Effect.fromResult(Cursor.parseHistory(query.cursor, "timeline", threadId)),
          invalidCursor
        )).ordinal
      const size = Paging.sizeOf(query, usualPage, largestPage)
      const { found, more } = yield* places(threadId, before, size, query.bytes ?? Number.POSITIVE_INFINITY)
      const ordinals = found.flatMap(({ at }) => typeof at === "object" ? [at.ordinal] : [])
      const rows = yield* sql`SELECT * FROM items
        WHERE ordinal IN (SELECT value FROM json_each(${JSON.stringify(ordinals)}))`
      const items = new Map<number, ItemRecord>()
      for (const item of yield* Rows.items.decodeAll(rows)) items.set(item.ordinal, item)
      const data = found.toReversed().flatMap(({ at, position, turn }): ReadonlyArray<TimelineEntry> => {
        if (at === "start") return [{ _tag: "TurnStarted", position, turn }]
        if (at === "end") return [{ _tag: "TurnEnded", position, turn }]
        const item = items.get(at.ordinal)
        return item === undefined ? [] : [{ _tag: "Item", position, item }]
      })
      const last = found.at(-1)
      return {
        data,
        nextCursor: last === undefined || !more
          ? null
          : Cursor.print({ _tag: "History", of: "timeline", threadId, ordinal: last.position, inclusive: false })
      }
    },
    // One state of the history for all statements.
    history.reading
  )

  return { list }
}
