/**
 * What clients hang on a thread, e.g. the pull requests that it is about. The payload is theirs.
 */
import * as Clock from "effect/Clock"
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { InvalidParams, refuse } from "../../BridgeError.ts"
import type { Page, PageOptions } from "../ThreadQuery.ts"
import * as Paging from "./Paging.ts"
import * as Rows from "./Rows.ts"
import type { Failure, Threads } from "./Threads.ts"

/** What an attachment is, among all of a thread. */
export interface AttachmentKey {
  readonly attachmentType: string
  readonly identityKey: string
}

export interface Attachment extends AttachmentKey {
  readonly id: string
  readonly payload: unknown
  /** Seconds since 1970. */
  readonly createdAt: number
}

export interface Owner {
  readonly threadId: string
  readonly archived: boolean
}

const usualPage = 100
const largestPage = 100
const nameBytes = 256
const payloadBytes = 65_536

const invalid = (message: string) => refuse(new InvalidParams({ message }))

const checkKey = Effect.fnUntraced(function*({ attachmentType, identityKey }: AttachmentKey) {
  for (const [what, value] of [["attachmentType", attachmentType], ["identityKey", identityKey]] as const) {
    if (value === "") return yield* invalid(`${what} must not be empty`)
    if (Buffer.byteLength(value) > nameBytes) return yield* invalid(`${what} must not exceed ${nameBytes} bytes`)
  }
})

const toAttachment = (row: Rows.Row): Attachment => ({
  id: Rows.text(row, "id"),
  attachmentType: Rows.text(row, "attachmentType"),
  identityKey: Rows.text(row, "identityKey"),
  payload: JSON.parse(Rows.text(row, "payload")),
  createdAt: Math.floor(Rows.integer(row, "createdAt") / 1000)
})

export const make = (sql: SqlClient, threads: Threads) => {
  /** One that is there already stays as it is, whatever the payload. */
  const add = Effect.fnUntraced(
    function*(threadId: string, key: AttachmentKey, payload: unknown): Effect.fn.Return<
      { readonly attachment: Attachment; readonly outcome: "created" | "existing" },
      Failure
    > {
      yield* checkKey(key)
      const text = JSON.stringify(payload ?? null)
      if (Buffer.byteLength(text) > payloadBytes) {
        return yield* invalid(`attachment payload must not exceed ${payloadBytes} bytes`)
      }
      if (!(yield* threads.exists(threadId))) return yield* invalid(`thread not found: ${threadId}`)
      const { attachmentType, identityKey } = key
      const id = uuidV7Unsafe()
      yield* sql`INSERT INTO attachments (id, threadId, attachmentType, identityKey, payload, createdAt)
        VALUES (${id}, ${threadId}, ${attachmentType}, ${identityKey}, ${text}, ${yield* Clock.currentTimeMillis})
        ON CONFLICT (threadId, attachmentType, identityKey) DO NOTHING`
      const [row = {}] = yield* sql`SELECT * FROM attachments WHERE threadId = ${threadId}
        AND attachmentType = ${attachmentType} AND identityKey = ${identityKey}`
      const attachment = toAttachment(row)
      return { attachment, outcome: attachment.id === id ? "created" : "existing" }
    },
    sql.withTransaction
  )

  /** The id of what was removed; `undefined` if there was nothing. */
  const remove = Effect.fnUntraced(
    function*(threadId: string, key: AttachmentKey): Effect.fn.Return<string | undefined, Failure> {
      yield* checkKey(key)
      const [row] = yield* sql`DELETE FROM attachments WHERE threadId = ${threadId}
        AND attachmentType = ${key.attachmentType} AND identityKey = ${key.identityKey} RETURNING id`
      return row === undefined ? undefined : Rows.text(row, "id")
    }
  )

  const list = Effect.fnUntraced(
    function*(threadId: string, query: PageOptions): Effect.fn.Return<Page<Attachment>, Failure> {
      const size = Paging.sizeOf(query, usualPage, largestPage)
      if (query.cursor != null && !/^\d{1,15}$/.test(query.cursor)) return yield* invalid("invalid pagination cursor")
      const rows = yield* sql`SELECT * FROM attachments WHERE threadId = ${threadId}
        AND ordinal > ${Number(query.cursor ?? 0)} ORDER BY ordinal LIMIT ${size + 1}`
      const cut = Paging.cut(rows, size)
      return Paging.page(cut, cut.rows.map(toAttachment), (row) => String(Rows.integer(row, "ordinal")))
    }
  )

  /** The threads that have it. `archived`: only those that are, or are not. */
  const owners = Effect.fnUntraced(
    function*(key: AttachmentKey, archived: boolean | null, query: PageOptions): Effect.fn.Return<
      Page<Owner>,
      Failure
    > {
      yield* checkKey(key)
      const size = Paging.sizeOf(query, usualPage, largestPage)
      const rows = yield* sql`SELECT threads.id AS threadId, threads.archived FROM attachments
        JOIN threads ON threads.id = attachments.threadId
        WHERE attachmentType = ${key.attachmentType} AND identityKey = ${key.identityKey}
        AND attachments.threadId > ${query.cursor ?? ""}
        ${archived === null ? sql.literal("") : sql`AND threads.archived = ${archived}`}
        ORDER BY attachments.threadId LIMIT ${size + 1}`
      const cut = Paging.cut(rows, size)
      const data = cut.rows.map((row): Owner => ({
        threadId: Rows.text(row, "threadId"),
        archived: Rows.integer(row, "archived") === 1
      }))
      return Paging.page(cut, data, (row) => Rows.text(row, "threadId"))
    }
  )

  return { add, remove, list, owners }
}

export type Attachments = ReturnType<typeof make>
