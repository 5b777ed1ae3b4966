/**
 * What is done to a history as a whole: forks, reverts, and the end of what a dead process has left running.
 */
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { InvalidRequest, refuse } from "../../BridgeError.ts"
import { type ItemRecord, newThread, type ThreadPatch, type ThreadRecord, type TurnRecord } from "../ThreadRecord.ts"
import { closeItem, lastSign } from "./Closing.ts"
import type { History } from "./History.ts"
import * as Rows from "./Rows.ts"
import type { Texts } from "./Texts.ts"
import type { Failure, Threads } from "./Threads.ts"

/** How far a fork goes; everything by default. */
export interface ForkCut {
  /** This turn and all later ones are left out. */
  readonly beforeTurnId?: string | null | undefined
  /** All turns behind this one are left out. It must have ended. */
  readonly lastTurnId?: string | null | undefined
}

export interface ForkOptions extends ForkCut {
  /** Of the new thread. */
  readonly id: string
  readonly createdAt: number
  /** As the source by default. */
  readonly ephemeral?: boolean | undefined
  /** What differs from the source. The goal is not taken along: it is given here, or null. */
  readonly changes?: ThreadPatch | undefined
}

/** A history on its way to another thread, row by row: what it says does not change. */
export interface Snapshot {
  readonly source: ThreadRecord
  readonly turns: ReadonlyArray<Rows.Row>
  readonly items: ReadonlyArray<Rows.Row>
  readonly attachments: ReadonlyArray<Rows.Row>
}

/** Rows of one statement; each is eight parameters at most. */
const batch = 500

const inBatches = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / batch) }, (_, index) => all.slice(index * batch, (index + 1) * batch))

/** Closes the turn that runs, and its items. Items of turns that have ended may still be open, and stay so. */
const closeTurn = (turn: TurnRecord, items: ReadonlyArray<ItemRecord>): ReadonlyArray<ItemRecord> => {
  const at = lastSign(turn.startedAt, items)
  return items.map((item) => closeItem(item, at))
}

/** Where to fork the session of a thread so that it knows these turns, in their order, and no later ones. */
const pointIn = (
  { backendRef, forkPoint }: ThreadRecord,
  turns: ReadonlyArray<Rows.Row>
): ThreadRecord["forkPoint"] => {
  const session = backendRef ?? forkPoint?.session
  const turnId = turns.findLast((row) => row["agentTurnId"] !== null)?.["agentTurnId"]
  return session === undefined || typeof turnId !== "string" ? null : { session, turnId }
}

const untoldIn = ({ untold }: ThreadRecord, turns: ReadonlyArray<Rows.Row>): ThreadRecord["untold"] => {
  const ids = new Set(turns.map((row) => row["id"]))
  return untold.filter(({ turnId }) => turnId === null || ids.has(turnId))
}

/** The thread that a fork makes of a snapshot. */
export const forked = ({ items, source, turns }: Snapshot, options: ForkOptions): ThreadRecord => {
  const hasUserMessage = items.some(({ kind }) => kind === "userMessage")
  const given = Object.fromEntries(Object.entries(options.changes ?? {}).filter(([, value]) => value !== undefined))
  return {
    ...newThread({
      ...source,
      id: options.id,
      sessionId: options.id,
      createdAt: options.createdAt,
      updatedAt: options.createdAt,
      recencyAt: options.createdAt,
      ephemeral: options.ephemeral ?? source.ephemeral,
      preview: hasUserMessage ? source.preview : "",
      parentThreadId: null,
      forkedFromId: source.id,
      goal: null,
      queue: [],
      backendRef: null,
      forkPoint: pointIn(source, turns),
      untold: untoldIn(source, turns),
      readState: null,
      section: null,
      sectionEnteredAt: null,
      attachedToThreadId: null,
      ...given
    }),
    hasUserMessage
  }
}

export const make = (sql: SqlClient, threads: Threads, history: History, texts: Texts) => {
  const ordinalBefore = Effect.fnUntraced(function*(threadId: string, cut: ForkCut) {
    if (cut.beforeTurnId != null) {
      const turn = yield* history.getTurn(threadId, cut.beforeTurnId)
      return turn.ordinal
    }
    if (cut.lastTurnId != null) {
      const turn = yield* history.getTurn(threadId, cut.lastTurnId)
      if (turn.status === "inProgress") {
        const message = `lastTurnId '${turn.id}' identifies an in-progress turn`
        return yield* refuse(new InvalidRequest({ message }))
      }
      return turn.ordinal + 1
    }
    return Number.MAX_SAFE_INTEGER
  })

  const snapshot = (threadId: string, cut: ForkCut): Effect.Effect<Snapshot, Failure> =>
    history.reading(Effect.gen(function*() {
      if (cut.beforeTurnId != null && cut.lastTurnId != null) {
        return yield* refuse(new InvalidRequest({ message: "`beforeTurnId` cannot be combined with `lastTurnId`" }))
      }
      const source = yield* threads.get(threadId)
      const before = yield* ordinalBefore(threadId, cut)
      const rows = yield* sql`SELECT * FROM turns WHERE threadId = ${threadId} AND ordinal < ${before}
        ORDER BY ordinal`
      // An agent cannot be forked in the middle of a turn.
      const turns = rows.map((row) => row["status"] === "inProgress" ? { ...row, agentTurnId: null } : row)
      const items = yield* sql`SELECT items.* FROM items JOIN turns ON turns.threadId = items.threadId
        AND turns.id = items.turnId WHERE items.threadId = ${threadId} AND turns.ordinal < ${before}
        ORDER BY items.ordinal`
      const attachments = yield* sql`SELECT * FROM attachments WHERE threadId = ${threadId} ORDER BY ordinal`
      return { source, turns, items: yield* texts.settled(items), attachments }
    }))

  const revert = Effect.fnUntraced(function*(threadId: string, beforeTurnId: string, at: number) {
    yield* history.present(threadId)
    const turn = yield* history.getTurn(threadId, beforeTurnId)
    // The items go with their turns.
    const removed = yield* sql`DELETE FROM turns WHERE threadId = ${threadId} AND ordinal >= ${turn.ordinal}
      RETURNING agentTurnId`
    yield* threads.touch(threadId, at, false)
    const left = yield* sql`SELECT id, agentTurnId FROM turns WHERE threadId = ${threadId} ORDER BY ordinal`
    const [, record] = yield* threads.modify(threadId, (thread) => [undefined, {
      untold: untoldIn(thread, left),
      // The agent's own session knows what was taken back, if any of it got there.
      ...(removed.some((row) => row["agentTurnId"] !== null)
        ? { backendRef: null, forkPoint: pointIn(thread, left) }
        : {})
    }])
    return record
  }, sql.withTransaction)

  /** The turn that is said to run in the thread becomes an interrupted one. */
  const recover = Effect.fnUntraced(function*(threadId: string) {
    const [row] = yield* sql`SELECT * FROM turns WHERE threadId = ${threadId} AND status = 'inProgress'`
    if (row === undefined) return []
    const turnId = Rows.text(row, "id")
    const turn = yield* Effect.fromResult(Rows.turns.decode(row))
    const items = (yield* history.itemsOf(threadId, [turnId], "full")).get(turnId) ?? []
    for (const [index, closed] of closeTurn(turn, items).entries()) {
      if (closed === items[index]) continue
      const { item } = yield* Effect.fromResult(Rows.items.encode(closed))
      yield* sql`UPDATE items SET item = ${item}, completedAtMs = ${closed.completedAtMs}
        WHERE ordinal = ${closed.ordinal}`
    }
    yield* sql`UPDATE turns SET status = 'interrupted' WHERE ordinal = ${turn.ordinal}`
    return [turnId]
  }, sql.withTransaction)

  /** Rows for another thread; the engine gives them places. */
  const insertAll = Effect.fnUntraced(function*(table: string, threadId: string, rows: ReadonlyArray<Rows.Row>) {
    for (const [first, ...rest] of inBatches(rows.map((row) => ({ ...row, ordinal: null, threadId })))) {
      if (first !== undefined) yield* sql`INSERT INTO ${sql(table)} ${sql.insert([first, ...rest])}`
    }
  })

  /**
   * Makes a thread of it. Turns and items keep their ids and their order, and get places of their own. Nobody runs the
   * turn that runs in the source.
   */
  const adopt = Effect.fnUntraced(function*(snapshot: Snapshot, record: ThreadRecord) {
    yield* threads.insert(record)
    yield* insertAll("turns", record.id, snapshot.turns)
    yield* insertAll("items", record.id, snapshot.items)
    // Attachments have ids of their own.
    yield* insertAll("attachments", record.id, snapshot.attachments.map((row) => ({ ...row, id: uuidV7Unsafe() })))
    yield* recover(record.id)
    return record
  }, sql.withTransaction)

  return { snapshot, adopt, revert, recover }
}

export type Copying = ReturnType<typeof make>
