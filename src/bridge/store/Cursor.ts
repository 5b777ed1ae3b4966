/**
 * Cursors: opaque to clients, and good for as long as the thread or the store lives.
 *
 * A cursor names a place, not a page: a number that is given once, or a time with an id. Whatever is added or removed
 * before or after it, what follows is what follows that place.
 */
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type BridgeError, InvalidRequest, refuse } from "../BridgeError.ts"

/** A place in the history of one thread. */
export const HistoryCursor = Schema.TaggedStruct("History", {
  of: Schema.Literals(["turns", "items", "timeline"]),
  threadId: Schema.String,
  ordinal: Schema.Int,
  /** Whether the next page begins with what is at this place, or behind it. */
  inclusive: Schema.Boolean
})
export type HistoryCursor = typeof HistoryCursor.Type

export const SortKey = Schema.Literals(["createdAt", "updatedAt", "recencyAt", "sectionPosition"])
export type SortKey = typeof SortKey.Type

/** A place in the list of threads. */
export const ListCursor = Schema.TaggedStruct("List", {
  sortKey: SortKey,
  /** Milliseconds, or the place in the section. */
  at: Schema.Int,
  id: Schema.String,
  inclusive: Schema.Boolean,
  /** Threads that have moved after this revision are no part of the listing; `null`: all are. */
  revision: Schema.NullOr(Schema.Int)
})
export type ListCursor = typeof ListCursor.Type

const Text = Schema.fromJsonString(Schema.Union([HistoryCursor, ListCursor]))
const decode = Schema.decodeResult(Text)
const encode = Schema.encodeSync(Text)

/** What a client is given. */
export const print = (cursor: HistoryCursor | ListCursor): string => Base64Url.encode(encode(cursor))

// What a client sends instead of a cursor can be long.
const shown = 80

export const invalid = (text: string): BridgeError =>
  refuse(new InvalidRequest({ message: `invalid cursor: ${text.slice(0, shown)}` }))

const parse = (text: string): Result.Result<HistoryCursor | ListCursor, BridgeError> =>
  Base64Url.decodeString(text).pipe(
    Result.flatMap(decode),
    Result.mapError(() => invalid(text))
  )

/** Reads a cursor for this thread's turns, items or timeline. */
export const parseHistory = (
  text: string,
  of: HistoryCursor["of"],
  threadId: string
): Result.Result<HistoryCursor, BridgeError> =>
  Result.flatMap(parse(text), (cursor) =>
    cursor._tag === "History" && cursor.of === of && cursor.threadId === threadId
      ? Result.succeed(cursor)
      : Result.fail(invalid(text)))

/** Reads a cursor for a list in this order. */
export const parseList = (text: string, sortKey: SortKey): Result.Result<ListCursor, BridgeError> =>
  Result.flatMap(parse(text), (cursor) =>
    cursor._tag === "List" && cursor.sortKey === sortKey
      ? Result.succeed(cursor)
      : Result.fail(invalid(text)))
