/**
 * The texts of the items of one database that are open. What completes an item removes them: it has its texts then.
 *
 * Nothing is ever rewritten here: a long message costs no more a word than a short one.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { BridgeError } from "../../BridgeError.ts"
import * as ItemText from "../ItemText.ts"
import type { ItemRecord } from "../ThreadRecord.ts"
import * as Rows from "./Rows.ts"

type Failure = SqlError | BridgeError

export const make = (sql: SqlClient) => {
  /** How large an item is with its texts, where one is selected. As a rule nothing is open, which is found out once. */
  const size = sql.literal(
    `octet_length(items.item) + CASE WHEN EXISTS (SELECT 1 FROM texts)
      THEN coalesce((SELECT sum(octet_length(pieces)) FROM texts WHERE texts.item = items.ordinal), 0) ELSE 0 END`
  )

  const insert = (threadId: string, turnId: string, { itemId, pieces }: ItemText.ItemText) =>
    sql`INSERT INTO texts (item, pieces) VALUES (
      (SELECT ordinal FROM items WHERE threadId = ${threadId} AND turnId = ${turnId} AND id = ${itemId}),
      ${JSON.stringify(pieces)})`

  /** All or nothing; `ConstraintError` when there is no such item. */
  const append = (
    threadId: string,
    turnId: string,
    texts: ReadonlyArray<ItemText.ItemText>
  ): Effect.Effect<void, SqlError> => {
    const all = Effect.forEach(texts, (text) => insert(threadId, turnId, text), { discard: true })
    // As a rule, one thing is said at a time.
    return texts.length > 1 ? sql.withTransaction(all) : all
  }

  /** The items with what was shown of those that are open. */
  const applied = Effect.fnUntraced(function*(
    items: ReadonlyArray<ItemRecord>
  ): Effect.fn.Return<ReadonlyArray<ItemRecord>, Failure> {
    const open = items.flatMap(({ completedAtMs, ordinal }) => completedAtMs === null ? [ordinal] : [])
    if (open.length === 0) return items
    const rows = yield* sql`SELECT item, pieces FROM texts
      WHERE item IN (SELECT value FROM json_each(${JSON.stringify(open)})) ORDER BY item, ordinal`
    const shown = Map.groupBy(yield* Rows.texts.decodeAll(rows), ({ item }) => item)
    return items.map((record) => {
      const pieces = shown.get(record.ordinal)?.flatMap(({ pieces }) => pieces) ?? []
      const item = ItemText.applied(record.item, pieces)
      return item === record.item ? record : { ...record, item }
    })
  })

  /** The same for items as rows. One that cannot be read stays as it is. */
  const settled = Effect.fnUntraced(function*(
    rows: ReadonlyArray<Rows.Row>
  ): Effect.fn.Return<ReadonlyArray<Rows.Row>, Failure> {
    const open = yield* Rows.items.decodeAll(rows.filter((row) => row["completedAtMs"] === null))
    const items = new Map<unknown, string>()
    for (const record of yield* applied(open)) {
      const { item } = yield* Effect.fromResult(Rows.items.encode(record))
      items.set(record.ordinal, item)
    }
    return rows.map((row) => ({ ...row, item: items.get(row["ordinal"]) ?? row["item"] }))
  })

  return { size, append, applied, settled }
}

export type Texts = ReturnType<typeof make>
