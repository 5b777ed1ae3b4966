/**
 * What was said in threads, found by a part of it.
 *
 * The engine is synchronous: a search goes through the threads in portions, and lets everything else run in between. So
 * it can be interrupted, too.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Cursor from "../Cursor.ts"
import { type Occurrence, occurrences, snippet } from "../Snippets.ts"
import type { Page, PageOptions, ThreadQuery } from "../ThreadQuery.ts"
import type { ItemRecord, ThreadRecord } from "../ThreadRecord.ts"
import { type History, textOf } from "./History.ts"
import * as Paging from "./Paging.ts"
import * as Rows from "./Rows.ts"
import { cursorAt, type Failure, type Threads } from "./Threads.ts"

/** A thread in which something was said. */
export interface Found {
  readonly thread: ThreadRecord
  /** The first message with it, around the place, on one line. */
  readonly snippet: string
}

/** One place in one message. */
export interface FoundPlace extends Occurrence {
  readonly itemId: string
  readonly turnId: string
  /** A cursor for the turns of the thread, which begins with the turn of the message in either direction. */
  readonly turnCursor: string
}

export interface SearchQuery extends Omit<ThreadQuery, "searchTerm" | "sortKey"> {
  readonly searchTerm: string
  /** `createdAt` by default. */
  readonly sortKey?: "createdAt" | "updatedAt" | "recencyAt" | undefined
}

const usualPage = 25
const largestPage = 200

/** Threads, or messages, that are looked at in one go. */
const portion = 50

/** What is compared in the engine is ASCII: it knows no other letters. */
const isAscii = (text: string): boolean => /^[\u0020-\u007e]*$/.test(text)

export const make = (sql: SqlClient, threads: Threads, history: History) => {
  /** A message that may have it: the engine leaves out those that certainly have not. */
  const mayHave = (term: string) =>
    isAscii(term)
      ? sql`AND instr(lower(item), ${JSON.stringify(term).slice(1, -1).toLowerCase()}) > 0`
      : sql.literal("")

  /** The first message of each of these threads that has it. */
  const firstOf = Effect.fnUntraced(function*(threadIds: ReadonlyArray<string>, term: string) {
    const rows = yield* sql`SELECT items.* FROM json_each(${JSON.stringify(threadIds)}) AS thread
      CROSS JOIN items ON items.threadId = thread.value
      WHERE kind IN ('userMessage', 'agentMessage') ${mayHave(term)} ORDER BY items.ordinal`
    const found = new Map<string, string>()
    for (const record of yield* Rows.items.decodeAll(rows)) {
      if (found.has(record.threadId)) continue
      const text = snippet(textOf(record.item), term)
      if (text !== undefined) found.set(record.threadId, text)
    }
    return found
  })

  /** `onFound` is called with what each portion of threads gives. */
  const search = Effect.fnUntraced(function*(
    query: SearchQuery,
    onFound: (found: ReadonlyArray<Found>) => void = () => {}
  ): Effect.fn.Return<Page<Found>, Failure> {
    const { searchTerm, sortKey = "createdAt", ...where } = query
    const size = Paging.sizeOf(query, usualPage, largestPage)
    const all: Array<Found> = []
    let cursor = query.cursor
    for (;;) {
      const page: Page<ThreadRecord> = yield* threads.list({ ...where, sortKey, cursor, limit: portion })
      const texts = yield* firstOf(page.data.map(({ id }) => id), searchTerm)
      const found = page.data.flatMap((thread): ReadonlyArray<Found> => {
        const text = texts.get(thread.id)
        return text === undefined ? [] : [{ thread, snippet: text }]
      })
      const wanted = found.slice(0, size - all.length)
      all.push(...wanted)
      if (wanted.length > 0) onFound(wanted)
      if (found.length > wanted.length || page.nextCursor === null) {
        const [first] = all
        const last = found.length > wanted.length ? all.at(-1) : undefined
        return {
          data: all,
          nextCursor: last === undefined ? null : cursorAt(sortKey, last.thread, "behind"),
          backwardsCursor: first === undefined ? null : cursorAt(sortKey, first.thread, "at")
        }
      }
      cursor = page.nextCursor
      yield* Effect.yieldNow
    }
  })

  /** All places in one thread, oldest first. */
  const places = Effect.fnUntraced(function*(
    threadId: string,
    term: string,
    query: PageOptions
  ): Effect.fn.Return<Page<FoundPlace>, Failure> {
    yield* history.present(threadId)
    const size = Paging.sizeOf(query, usualPage, largestPage)
    const anchor = query.cursor == null ? ["", "0", "0"] : /^(\d{1,15})\.(\d{1,15})$/.exec(query.cursor) ?? undefined
    if (anchor === undefined) return yield* Cursor.invalid(query.cursor ?? "")
    let ordinal = Number(anchor[1])
    let skip = Number(anchor[2])
    const found: Array<{ readonly place: FoundPlace; readonly at: string }> = []
    for (;;) {
      const rows = yield* sql`SELECT items.*, turns.ordinal AS turnOrdinal FROM items
        JOIN turns ON turns.threadId = items.threadId AND turns.id = items.turnId
        WHERE items.threadId = ${threadId} AND items.ordinal >= ${ordinal}
        AND kind IN ('userMessage', 'agentMessage') ${mayHave(term)} ORDER BY items.ordinal LIMIT ${portion}`
      for (const row of rows) {
        const [record]: ReadonlyArray<ItemRecord> = yield* Rows.items.decodeAll([row])
        if (record === undefined) continue
        for (const [index, place] of occurrences(textOf(record.item), term).entries()) {
          if (record.ordinal === ordinal && index < skip) continue
          const turnCursor = Cursor.print({
            _tag: "History",
            of: "turns",
            threadId,
            ordinal: Rows.integer(row, "turnOrdinal"),
            inclusive: true
          })
          found.push({
            place: { ...place, itemId: record.id, turnId: record.turnId, turnCursor },
            at: `${record.ordinal}.${index}`
          })
          if (found.length > size) break
        }
        if (found.length > size) break
      }
      const last = rows.at(-1)
      if (found.length > size || rows.length < portion || last === undefined) {
        return {
          data: found.slice(0, size).map(({ place }) => place),
          nextCursor: found[size]?.at ?? null,
          backwardsCursor: null
        }
      }
      ordinal = Rows.integer(last, "ordinal") + 1
      skip = 0
      yield* Effect.yieldNow
    }
  })

  return { search, places }
}

export type Search = ReturnType<typeof make>
