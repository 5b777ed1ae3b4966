/**
 * The turns and items of one database.
 */
import * as Effect from "effect/Effect"
import { BeginTransaction, type SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { InvalidRequest, NoSuchThread, refuse } from "../../BridgeError.ts"
import * as Cursor from "../Cursor.ts"
import type { ItemText } from "../ItemText.ts"
import type { HistoryCursors, ItemPage, ItemQuery, ItemsView, TurnPage, TurnQuery, TurnView } from "../ThreadQuery.ts"
import type { ItemRecord, TurnRecord } from "../ThreadRecord.ts"
import * as Paging from "./Paging.ts"
import * as Rows from "./Rows.ts"
import type { Texts } from "./Texts.ts"
import type { Failure, Threads } from "./Threads.ts"

const usualTurns = 25
const usualItems = 100
const largestPage = 500

/** What turns and items take in an answer besides what is stored of them, about. */
export const perTurn = 512
export const perItem = 128

/** What is left of an item, about, however much its texts are shortened. */
const rigidItem = 2048

export interface NewItem {
  readonly item: ItemRecord["item"]
  readonly startedAtMs: number | null
  /** `null` while it is open. */
  readonly completedAtMs: number | null
}

export interface TurnEnd {
  readonly status: Exclude<TurnRecord["status"], "inProgress">
  readonly error?: TurnRecord["error"] | undefined
  readonly completedAt: number
  /** From `startedAt` by default. */
  readonly durationMs?: number | null | undefined
  readonly usage?: TurnRecord["usage"] | undefined
}

/** What was said in a message. */
export const textOf = (item: ItemRecord["item"]): string => {
  if (item.type === "agentMessage") return item.text
  return item.type === "userMessage"
    ? item.content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n")
    : ""
}

const noSuchItem = (itemIds: ReadonlyArray<string>) =>
  refuse(new InvalidRequest({ message: `item not found: ${itemIds.join(", ")}` }))

export const noSuchTurn = (turnId: string) => refuse(new InvalidRequest({ message: `turn not found: ${turnId}` }))

/** There is no thread, or no turn, for this to belong to. */
const isOrphan = (error: SqlError): boolean => error.reason._tag === "ConstraintError"

const cursorOf = (of: Cursor.HistoryCursor["of"], threadId: string) => (row: Rows.Row, where: "behind" | "at") =>
  Cursor.print({
    _tag: "History",
    of,
    threadId,
    ordinal: Rows.integer(row, "ordinal"),
    inclusive: where === "at"
  })

export const make = (sql: SqlClient, threads: Threads, texts: Texts) => {
  /** A transaction that does not keep others from writing. */
  const reading = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | SqlError> =>
    Effect.provideService(sql.withTransaction(effect), BeginTransaction, "BEGIN")

  const present = Effect.fnUntraced(function*(threadId: string) {
    if (!(yield* threads.exists(threadId))) return yield* refuse(new NoSuchThread({ threadId }))
  })

  const getTurn = Effect.fnUntraced(function*(threadId: string, turnId: string): Effect.fn.Return<TurnRecord, Failure> {
    const [row] = yield* sql`SELECT * FROM turns WHERE threadId = ${threadId} AND id = ${turnId}`
    return row === undefined ? yield* noSuchTurn(turnId) : yield* Effect.fromResult(Rows.turns.decode(row))
  })

  const startTurn = Effect.fnUntraced(function*(threadId: string, turnId: string, at: number) {
    const [row = {}] = yield* sql`INSERT INTO turns (threadId, id, status, startedAt)
      VALUES (${threadId}, ${turnId}, 'inProgress', ${at}) RETURNING *`.pipe(
      Effect.catchIf(
        (error) => error.reason._tag === "UniqueViolation",
        (error) =>
          Effect.fail(refuse(
            new InvalidRequest({
              message: error.reason.message.endsWith("turns.id")
                ? `turn ${turnId} already exists`
                : `thread ${threadId} already has an active turn`
            })
          ))
      ),
      Effect.catchIf(
        (error) => error._tag === "SqlError" && isOrphan(error),
        () => Effect.fail(refuse(new NoSuchThread({ threadId })))
      )
    )
    yield* threads.touch(threadId, at, true)
    return yield* Effect.fromResult(Rows.turns.decode(row))
  }, sql.withTransaction)

  const endTurn = Effect.fnUntraced(function*(threadId: string, turnId: string, end: TurnEnd) {
    const before = yield* getTurn(threadId, turnId)
    // The first end counts.
    if (before.status !== "inProgress") return before
    const after: TurnRecord = {
      ...before,
      status: end.status,
      error: end.error ?? null,
      completedAt: end.completedAt,
      durationMs: end.durationMs === undefined
        ? before.startedAt === null ? null : Math.max(0, end.completedAt - before.startedAt)
        : end.durationMs,
      usage: end.usage ?? before.usage
    }
    const row = yield* Effect.fromResult(Rows.turns.encode(after))
    yield* sql`UPDATE turns SET ${sql.update(row, ["ordinal", "id", "threadId"])} WHERE ordinal = ${before.ordinal}`
    yield* threads.touch(threadId, end.completedAt, false)
    return after
  }, sql.withTransaction)

  const setUsage = Effect.fnUntraced(
    function*(threadId: string, turnId: string, usage: NonNullable<TurnRecord["usage"]>) {
      const before = yield* getTurn(threadId, turnId)
      const { usage: text } = yield* Effect.fromResult(Rows.turns.encode({ ...before, usage }))
      yield* sql`UPDATE turns SET usage = ${text} WHERE ordinal = ${before.ordinal}`
    },
    sql.withTransaction
  )

  const setAgentTurn = (threadId: string, turnId: string, agentTurnId: string) =>
    Effect.asVoid(sql`UPDATE turns SET agentTurnId = ${agentTurnId} WHERE threadId = ${threadId} AND id = ${turnId}`)

  const lastUsage = Effect.fnUntraced(function*(threadId: string) {
    const [row] = yield* sql`SELECT * FROM turns WHERE threadId = ${threadId} AND usage IS NOT NULL
      ORDER BY ordinal DESC LIMIT 1`
    if (row === undefined) return null
    const { id, usage } = yield* Effect.fromResult(Rows.turns.decode(row))
    return usage === null ? null : { turnId: id, usage }
  })

  const writeItem = Effect.fnUntraced(function*(threadId: string, turnId: string, given: NewItem) {
    const record: ItemRecord = { ...given, id: given.item.id, threadId, turnId, ordinal: 0 }
    const { item } = yield* Effect.fromResult(Rows.items.encode(record))
    const [row = {}] = yield* sql`INSERT INTO items (threadId, turnId, id, kind, item, startedAtMs, completedAtMs)
      VALUES (${threadId}, ${turnId}, ${record.id}, ${given.item.type}, ${item}, ${given.startedAtMs},
        ${given.completedAtMs})
      ON CONFLICT (threadId, turnId, id) DO UPDATE SET kind = excluded.kind, item = excluded.item,
        startedAtMs = coalesce(excluded.startedAtMs, startedAtMs), completedAtMs = excluded.completedAtMs
      RETURNING ordinal, startedAtMs`.pipe(
      Effect.catchIf(isOrphan, () =>
        // One of the two is missing; the error that says which one.
        Effect.andThen(present(threadId), Effect.fail(noSuchTurn(turnId))))
    )
    return { ...record, ordinal: Rows.integer(row, "ordinal") } satisfies ItemRecord
  })

  const putItem = (threadId: string, turnId: string, given: NewItem): Effect.Effect<ItemRecord, Failure> => {
    const write = writeItem(threadId, turnId, given)
    return given.item.type === "userMessage"
      ? sql.withTransaction(Effect.tap(write, () => threads.heard(threadId, textOf(given.item))))
      : write
  }

  /** Appends what is about to be shown of items that are open. */
  const appendTexts = (
    threadId: string,
    turnId: string,
    given: ReadonlyArray<ItemText>
  ): Effect.Effect<void, Failure> =>
    Effect.catchIf(texts.append(threadId, turnId, given), isOrphan, () =>
      present(threadId).pipe(
        Effect.andThen(getTurn(threadId, turnId)),
        Effect.andThen(Effect.fail(noSuchItem(given.map(({ itemId }) => itemId))))
      ))

  /** Items as they stand. */
  const itemsIn = (rows: ReadonlyArray<Rows.Row>) => Effect.flatMap(Rows.items.decodeAll(rows), texts.applied)

  /** In the order of the thread, by turn. */
  const itemsOf = Effect.fnUntraced(function*(threadId: string, turnIds: ReadonlyArray<string>, view: ItemsView) {
    const byTurn = new Map<string, Array<ItemRecord>>(turnIds.map((id) => [id, []]))
    if (view === "notLoaded" || turnIds.length === 0) return byTurn
    const wanted = JSON.stringify(turnIds)
    const rows = view === "full"
      ? yield* sql`SELECT items.* FROM json_each(${wanted}) AS turn
          CROSS JOIN items ON items.threadId = ${threadId} AND items.turnId = turn.value ORDER BY items.ordinal`
      : yield* sql`SELECT items.* FROM json_each(${wanted}) AS turn CROSS JOIN items ON items.ordinal IN (
          (SELECT min(ordinal) FROM items WHERE threadId = ${threadId} AND turnId = turn.value
            AND kind IN ('userMessage', 'agentMessage') AND kind = 'userMessage'),
          (SELECT max(ordinal) FROM items WHERE threadId = ${threadId} AND turnId = turn.value
            AND kind IN ('userMessage', 'agentMessage') AND kind = 'agentMessage')
        ) ORDER BY items.ordinal`
    for (const item of yield* itemsIn(rows)) byTurn.get(item.turnId)?.push(item)
    return byTurn
  })

  /** What a turn takes in an answer, about. The engine knows how long a text is without reading it. */
  const sizeOf = (view: ItemsView, mostOfItem = Number.MAX_SAFE_INTEGER): Fragment => {
    const base = sql`${perTurn} + coalesce(octet_length(error), 0)`
    const items =
      sql`SELECT sum(min(${texts.size}, ${mostOfItem}) + ${perItem}) FROM items WHERE items.threadId = turns.threadId
      AND items.turnId = turns.id`
    const extreme = (which: "max" | "min", kind: string) =>
      sql`SELECT ${sql.literal(which)}(other.ordinal) FROM items AS other WHERE other.threadId = turns.threadId
        AND other.turnId = turns.id AND other.kind IN ('userMessage', 'agentMessage') AND other.kind = ${kind}`
    switch (view) {
      case "notLoaded":
        return base
      case "full":
        return sql`${base} + coalesce((${items}), 0)`
      case "summary":
        return sql`${base} + coalesce((${items} AND items.ordinal IN ((${extreme("min", "userMessage")}),
          (${extreme("max", "agentMessage")}))), 0)`
    }
  }

  const listTurns = Effect.fnUntraced(
    function*(threadId: string, query: TurnQuery): Effect.fn.Return<TurnPage, Failure> {
      yield* present(threadId)
      const view = query.view ?? "summary"
      const cursor = query.cursor == null
        ? undefined
        : yield* Effect.fromResult(Cursor.parseHistory(query.cursor, "turns", threadId))
      const asked = Paging.sizeOf(query, usualTurns, largestPage)
      const { by, compare } = Paging.order(query.direction ?? "desc", cursor?.inclusive ?? false)
      const ordered = sql`FROM turns WHERE threadId = ${threadId}
        ${cursor === undefined ? sql.literal("") : sql`AND ordinal ${sql.literal(compare)} ${cursor.ordinal}`}
        ORDER BY ordinal ${sql.literal(by)}`
      const { bytes = Number.POSITIVE_INFINITY } = query
      const sizes = query.bytes === undefined
        ? []
        : yield* sql`SELECT ${sizeOf(view)} AS bytes, ${sizeOf(view, rigidItem)} AS rigid ${ordered} LIMIT ${asked}`
      const size = query.bytes === undefined ? asked : Paging.fitting(sizes, bytes)
      const rows = yield* sql`SELECT * ${ordered} LIMIT ${size + 1}`
      const cut = Paging.cut(rows, size)
      const turns = yield* Rows.turns.decodeAll(cut.rows)
      const [first] = sizes
      // A single turn, too large to be read as a whole only to be shortened then, or of too many items for that.
      const given = view === "full" && first !== undefined &&
          (Rows.integer(first, "bytes") > 4 * bytes || Rows.integer(first, "rigid") > bytes)
        ? "summary"
        : view
      const items = yield* itemsOf(threadId, turns.map(({ id }) => id), given)
      const data = turns.map((turn): TurnView => ({ turn, view: given, items: items.get(turn.id) ?? [] }))
      return Paging.page(cut, data, cursorOf("turns", threadId))
    },
    // One state of the history for both statements.
    reading
  )

  /** Those of the items that the turn has, in the order of the history. */
  const readItems = Effect.fnUntraced(
    function*(threadId: string, turnId: string, itemIds: ReadonlyArray<string>): Effect.fn.Return<
      ReadonlyArray<ItemRecord>,
      Failure
    > {
      yield* present(threadId)
      const rows = yield* sql`SELECT * FROM items WHERE threadId = ${threadId} AND turnId = ${turnId}
        AND id IN (SELECT value FROM json_each(${JSON.stringify(itemIds)})) ORDER BY ordinal`
      return yield* itemsIn(rows)
    },
    // One that completes meanwhile has its texts either way.
    reading
  )

  const anchorOf = Effect.fnUntraced(function*(threadId: string, turnId: string | null | undefined, itemId: string) {
    if (turnId == null) {
      return yield* refuse(new InvalidRequest({ message: "turnId is required when cursor is an item anchor" }))
    }
    const [row] = yield* sql`SELECT ordinal FROM items WHERE threadId = ${threadId} AND turnId = ${turnId}
      AND id = ${itemId}`
    if (row === undefined) {
      const message = "cursor.itemId does not identify an item in the requested history scope"
      return yield* refuse(new InvalidRequest({ message }))
    }
    return { ordinal: Rows.integer(row, "ordinal"), inclusive: false }
  })

  const listItems = Effect.fnUntraced(
    function*(threadId: string, query: ItemQuery): Effect.fn.Return<ItemPage, Failure> {
      yield* present(threadId)
      const { turnId } = query
      const cursor = query.cursor == null
        ? undefined
        : typeof query.cursor === "string"
        ? yield* Effect.fromResult(Cursor.parseHistory(query.cursor, "items", threadId))
        : yield* anchorOf(threadId, turnId, query.cursor.itemId)
      const asked = Paging.sizeOf(query, usualItems, largestPage)
      const { by, compare } = Paging.order(query.direction ?? "asc", cursor?.inclusive ?? false)
      const ordered = sql`FROM items WHERE threadId = ${threadId}
        ${turnId == null ? sql.literal("") : sql`AND turnId = ${turnId}`}
        ${cursor === undefined ? sql.literal("") : sql`AND ordinal ${sql.literal(compare)} ${cursor.ordinal}`}
        ORDER BY ordinal ${sql.literal(by)}`
      const size = query.bytes === undefined ? asked : Paging.fitting(
        yield* sql`SELECT ${texts.size} + ${perItem} AS bytes ${ordered} LIMIT ${asked}`,
        query.bytes
      )
      const rows = yield* sql`SELECT * ${ordered} LIMIT ${size + 1}`
      const cut = Paging.cut(rows, size)
      return Paging.page(cut, yield* itemsIn(cut.rows), cursorOf("items", threadId))
    },
    reading
  )

  const cursors = Effect.fnUntraced(function*(threadId: string): Effect.fn.Return<HistoryCursors, Failure> {
    const [turn] = yield* sql`SELECT ordinal FROM turns WHERE threadId = ${threadId} ORDER BY ordinal DESC LIMIT 1`
    const [item] = yield* sql`SELECT ordinal FROM items WHERE threadId = ${threadId} ORDER BY ordinal DESC LIMIT 1`
    return {
      turns: turn === undefined ? null : cursorOf("turns", threadId)(turn, "at"),
      items: item === undefined ? null : cursorOf("items", threadId)(item, "at")
    }
  })

  /** Threads with a turn that has not ended. */
  const running = Effect.map(
    sql`SELECT threadId FROM turns WHERE status = 'inProgress' ORDER BY threadId`,
    (rows) => rows.map((row) => Rows.text(row, "threadId"))
  )

  return {
    reading,
    running,
    present,
    getTurn,
    startTurn,
    endTurn,
    setAgentTurn,
    setUsage,
    lastUsage,
    putItem,
    appendTexts,
    itemsOf,
    listTurns,
    listItems,
    readItems,
    cursors
  }
}

export type History = ReturnType<typeof make>
