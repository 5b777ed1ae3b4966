/**
 * Pages out of rows: one more is read than a page has, to know whether there is another.
 */
import type { Direction, Page, PageOptions } from "../ThreadQuery.ts"
import { integer, type Row } from "./Rows.ts"

/** Entries of a page, between 1 and `most`. */
export const sizeOf = ({ limit }: Pick<PageOptions, "limit">, usual: number, most: number): number =>
  limit == null ? usual : Math.min(Math.max(Math.trunc(limit), 1), most)

/** Comparison and order that go with a direction. */
export const order = (direction: Direction, inclusive: boolean) => ({
  compare: direction === "asc" ? inclusive ? ">=" : ">" : inclusive ? "<=" : "<",
  by: direction === "asc" ? "ASC" : "DESC"
})

/** How many of these entries come to no more than `bytes` together; 1 at least, so that whoever pages gets on. */
export const fitting = (sizes: ReadonlyArray<Row>, bytes: number): number => {
  let count = 0
  let sum = 0
  for (const row of sizes) {
    sum += integer(row, "bytes")
    if (sum > bytes) break
    count++
  }
  return Math.max(1, count)
}

export interface Cut {
  readonly rows: ReadonlyArray<Row>
  readonly first: Row | undefined
  /** The last one, if more follow. */
  readonly last: Row | undefined
}

export const cut = (rows: ReadonlyArray<Row>, size: number): Cut => {
  const page = rows.slice(0, size)
  return { rows: page, first: page[0], last: rows.length > size ? page.at(-1) : undefined }
}

/** A page of records with the cursors of the rows that they were read from. */
export const page = <A>(
  { first, last }: Cut,
  data: ReadonlyArray<A>,
  cursorAt: (row: Row, where: "behind" | "at") => string
): Page<A> => ({
  data,
  nextCursor: last === undefined ? null : cursorAt(last, "behind"),
  backwardsCursor: first === undefined ? null : cursorAt(first, "at")
})
