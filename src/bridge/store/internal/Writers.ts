/**
 * Which process runs a thread.
 *
 * A process that is killed leaves its lock behind. Who wants the thread next looks whether that very process still runs,
 * and takes the lock over if it certainly does not.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { SqlClient } from "effect/sql/SqlClient"
import type { ProcessIdentity } from "../../../transport/ProcessTable.ts"
import { ActiveWriter, NoSuchThread, refuse } from "../../BridgeError.ts"
import * as Rows from "./Rows.ts"
import type { Failure, Threads } from "./Threads.ts"

/** The process that works with the store, and how to find out about others. */
export interface Liveness {
  readonly self: ProcessIdentity
  /** `true` for one that could not be looked at: it may live. */
  readonly isAlive: (identity: ProcessIdentity) => Effect.Effect<boolean>
}

interface Writer {
  readonly token: string
  readonly identity: ProcessIdentity
}

export type Owner = "nobody" | "self" | "other"

const writerOf = (row: Rows.Row | undefined): Writer | undefined =>
  row === undefined ? undefined : {
    token: Rows.text(row, "token"),
    identity: { pid: Rows.integer(row, "pid"), startTime: Rows.text(row, "startTime") }
  }

export const make = (sql: SqlClient, threads: Threads, { isAlive, self }: Liveness) => {
  const isSelf = ({ identity }: Writer): boolean => identity.pid === self.pid && identity.startTime === self.startTime

  const find = (threadId: string) =>
    Effect.map(sql`SELECT * FROM writers WHERE threadId = ${threadId}`, ([row]) => writerOf(row))

  const release = (token: string) => Effect.asVoid(sql`DELETE FROM writers WHERE token = ${token}`)

  /** `undefined` when the lock was free and is now held under `token`. */
  const claim = Effect.fnUntraced(function*(threadId: string, token: string) {
    if (!(yield* threads.exists(threadId))) return yield* refuse(new NoSuchThread({ threadId }))
    const holder = yield* find(threadId)
    if (holder !== undefined) return holder
    yield* sql`INSERT INTO writers ${sql.insert({ threadId, token, pid: self.pid, startTime: self.startTime })}`
    return undefined
  }, sql.withTransaction)

  /** The owner, after the lock of a dead one was removed. */
  const owner = Effect.fnUntraced(function*(threadId: string): Effect.fn.Return<Owner, Failure> {
    const writer = yield* find(threadId)
    if (writer === undefined) return "nobody"
    if (isSelf(writer)) return "self"
    if (yield* isAlive(writer.identity)) return "other"
    yield* release(writer.token)
    return "nobody"
  })

  /**
   * Runs the effect if nobody has the thread, or, when `owned`, this process has it. Nobody can take it meanwhile: one
   * who comes between a look and a deed would find its turn ended.
   */
  const unlessRun = Effect.fnUntraced(function*<A>(
    threadId: string,
    owned: boolean,
    effect: Effect.Effect<A, Failure>
  ): Effect.fn.Return<A | undefined, Failure> {
    const found = yield* owner(threadId)
    if (found === "other") return undefined
    return yield* sql.withTransaction(
      Effect.flatMap(
        find(threadId),
        (writer) => writer === undefined || (owned && isSelf(writer)) ? effect : Effect.as(Effect.void, undefined)
      )
    )
  })

  const acquire = Effect.fnUntraced(function*(threadId: string, token: string): Effect.fn.Return<void, Failure> {
    // Each round, a dead holder is removed; who was faster in the meantime lives, and ends it.
    while (true) {
      const holder = yield* claim(threadId, token)
      if (Predicate.isUndefined(holder)) return
      if (isSelf(holder) || (yield* isAlive(holder.identity))) {
        return yield* refuse(new ActiveWriter({ threadId }))
      }
      yield* release(holder.token)
    }
  })

  return { acquire, release, owner, unlessRun }
}

export type Writers = ReturnType<typeof make>
