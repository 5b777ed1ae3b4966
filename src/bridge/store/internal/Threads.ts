/**
 * The threads of one database.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { type BridgeError, InvalidRequest, NoSuchThread, refuse } from "../../BridgeError.ts"
import * as Cursor from "../Cursor.ts"
import type { ThreadPage, ThreadQuery } from "../ThreadQuery.ts"
import type { ThreadPatch, ThreadRecord } from "../ThreadRecord.ts"
import * as Paging from "./Paging.ts"
import * as Rows from "./Rows.ts"

export type Failure = SqlError | BridgeError

const usualPage = 25
const largestPage = 200

/** What a thread takes in an answer besides its texts, about. */
const perThread = 2048

/** The protocol's name for a source, to filter by. */
const kindOf = (source: ThreadRecord["source"]): string => {
  if (typeof source === "string") return source
  if ("custom" in source) return "custom"
  const { subAgent } = source
  if (subAgent === "review") return "subAgentReview"
  if (subAgent === "compact") return "subAgentCompact"
  return typeof subAgent === "object" && "thread_spawn" in subAgent ? "subAgentThreadSpawn" : "subAgentOther"
}

const interactive = ["cli", "vscode", "custom"]
const subAgents = ["subAgentReview", "subAgentCompact", "subAgentThreadSpawn", "subAgentOther"]

const kindsOf = (wanted: ReadonlyArray<string> | null | undefined): ReadonlyArray<string> =>
  wanted == null || wanted.length === 0
    ? interactive
    : wanted.flatMap((kind) => kind === "subAgent" ? [kind, ...subAgents] : [kind])

/** Compared without case in all scripts, which the engine's own comparison is not. */
const searchable = (text: string): string => text.toLowerCase()

/** A directory is the same one with a slash behind it. */
const withoutSlash = (path: string): string => path.replace(/(?<=[^/])\/+$/, "")

/** What is stored beside the record, to find and to order it by. */
const derived = (record: ThreadRecord) => ({
  sourceKind: kindOf(record.source),
  sectionId: record.section?.id ?? null,
  searchText: searchable(`${record.name ?? ""}\n${record.preview}`)
})

/** What tells whether a thread has moved in an order. */
const movedBy: Readonly<Record<Cursor.SortKey, string | undefined>> = {
  createdAt: undefined,
  updatedAt: "updatedMoved",
  recencyAt: "recencyMoved",
  // Who sorts a section by hand sees where everything is.
  sectionPosition: undefined
}

const missing = (threadId: string) => refuse(new NoSuchThread({ threadId }))

export const alreadyExists = (threadId: string) =>
  refuse(new InvalidRequest({ message: `thread ${threadId} already exists` }))

/** A cursor for a list in this order, at one of its threads or behind it. */
export const cursorAt = (
  sortKey: Exclude<Cursor.SortKey, "sectionPosition">,
  record: ThreadRecord,
  where: "at" | "behind"
) =>
  Cursor.print({
    _tag: "List",
    sortKey,
    at: record[sortKey],
    id: record.id,
    inclusive: where === "at",
    revision: null
  })

export const make = (sql: SqlClient) => {
  /** The number of this change of a thread's place in a list. */
  const nextRevision = Effect.map(
    sql`UPDATE revisions SET value = value + 1 WHERE id = 1 RETURNING value`,
    ([row = {}]) => Rows.integer(row, "value")
  )

  const insert = Effect.fnUntraced(function*(record: ThreadRecord) {
    const row = yield* Effect.fromResult(Rows.threads.encode(record))
    const revision = yield* nextRevision
    const places = { updatedMoved: revision, recencyMoved: revision }
    yield* sql`INSERT INTO threads ${sql.insert({ ...row, ...derived(record), ...places })}`.pipe(
      Effect.catchIf(
        (error) => error.reason._tag === "ConstraintError" || error.reason._tag === "UniqueViolation",
        () => Effect.fail(alreadyExists(record.id))
      )
    )
  }, sql.withTransaction)

  const exists = (threadId: string) =>
    Effect.map(sql`SELECT 1 FROM threads WHERE id = ${threadId}`, (rows) => rows.length > 0)

  const get = Effect.fnUntraced(function*(threadId: string): Effect.fn.Return<ThreadRecord, Failure> {
    const [row] = yield* sql`SELECT * FROM threads WHERE id = ${threadId}`
    return row === undefined ? yield* missing(threadId) : yield* Effect.fromResult(Rows.threads.decode(row))
  })

  const write = Effect.fnUntraced(function*(before: ThreadRecord, record: ThreadRecord) {
    const row = yield* Effect.fromResult(Rows.threads.encode(record))
    const updated = before.updatedAt !== record.updatedAt
    const recency = before.recencyAt !== record.recencyAt
    const revision = updated || recency ? yield* nextRevision : 0
    const places = {
      ...(updated ? { updatedMoved: revision } : {}),
      ...(recency ? { recencyMoved: revision } : {})
    }
    yield* sql`UPDATE threads SET ${sql.update({ ...row, ...derived(record), ...places }, ["id"])}
      WHERE id = ${record.id}`
  })

  const modify = <A>(
    threadId: string,
    change: (record: ThreadRecord) => readonly [result: A, patch: ThreadPatch | undefined]
  ): Effect.Effect<readonly [result: A, record: ThreadRecord], Failure> =>
    sql.withTransaction(Effect.gen(function*() {
      const before = yield* get(threadId)
      const [result, patch] = change(before)
      if (patch === undefined) return [result, before] as const
      const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
      const record: ThreadRecord = { ...before, ...given }
      yield* write(before, record)
      return [result, record] as const
    }))

  /** A turn has begun or ended, or the first thing was said. Times never go back. */
  const touch = Effect.fnUntraced(function*(threadId: string, at: number, recency: boolean) {
    const revision = yield* nextRevision
    yield* sql`UPDATE threads SET updatedAt = max(updatedAt, ${at}), updatedMoved = ${revision}
      WHERE id = ${threadId} AND updatedAt < ${at}`
    if (recency) {
      yield* sql`UPDATE threads SET recencyAt = max(recencyAt, ${at}), recencyMoved = ${revision}
        WHERE id = ${threadId} AND recencyAt < ${at}`
    }
  })

  const heard = Effect.fnUntraced(function*(threadId: string, text: string) {
    const [row] = yield* sql`SELECT name, preview FROM threads WHERE id = ${threadId} AND hasUserMessage = 0`
    if (row === undefined) return
    const preview = row["preview"] === "" ? text : Rows.text(row, "preview")
    const name = typeof row["name"] === "string" ? row["name"] : ""
    const revision = yield* nextRevision
    yield* sql`UPDATE threads SET hasUserMessage = 1, preview = ${preview},
      searchText = ${searchable(`${name}\n${preview}`)}, updatedMoved = ${revision}, recencyMoved = ${revision}
      WHERE id = ${threadId}`
  })

  const setArchived = Effect.fnUntraced(function*(threadId: string, archived: boolean) {
    const [row] = yield* sql`UPDATE threads SET archived = ${archived} WHERE id = ${threadId}
      AND archived = ${!archived} RETURNING *`
    return row === undefined ? yield* missing(threadId) : yield* Effect.fromResult(Rows.threads.decode(row))
  })

  const remove = Effect.fnUntraced(function*(threadId: string) {
    const [attached] = yield* sql`SELECT id FROM threads WHERE attachedToThreadId = ${threadId} LIMIT 1`
    if (attached !== undefined) {
      const message = `cannot delete thread while attached thread ${Rows.text(attached, "id")} exists; ` +
        "delete the attached thread first"
      return yield* refuse(new InvalidRequest({ message }))
    }
    const removed = yield* sql`DELETE FROM threads WHERE id = ${threadId} RETURNING id`
    if (removed.length === 0) return yield* missing(threadId)
  }, sql.withTransaction)

  /**
   * Threads that nobody has ever worked with or marked, and that were last touched before `before`; at most `most`.
   */
  const unused = (before: number, most: number) =>
    Effect.map(
      sql`SELECT id FROM threads WHERE hasUserMessage = 0 AND updatedAt < ${before} AND archived = 0 AND name IS NULL
        AND goal IS NULL AND queue = '[]' AND sectionId IS NULL AND forkedFromId IS NULL
        AND NOT EXISTS (SELECT 1 FROM turns WHERE turns.threadId = threads.id)
        AND NOT EXISTS (SELECT 1 FROM attachments WHERE attachments.threadId = threads.id)
        AND NOT EXISTS (SELECT 1 FROM threads AS child WHERE child.attachedToThreadId = threads.id)
        ORDER BY updatedAt LIMIT ${most}`,
      (rows) => rows.map((row) => Rows.text(row, "id"))
    )

  /** `column` is one of a list; the list is one parameter, so that its length makes no other statement. */
  const oneOf = (column: string, values: ReadonlyArray<string>): Fragment =>
    sql`${sql(column)} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`

  const filters = (query: ThreadQuery): ReadonlyArray<Fragment> => {
    // Few are found by name, and sorted then; to walk through all threads in order to meet them takes longer. The sign
    // keeps the engine from that.
    const named = query.parentThreadId != null || query.ancestorThreadId != null ||
      query.includedThreadIds != null || query.sectionId != null || query.projectId != null ||
      query.attachedToThreadId != null
    const all: Array<Fragment> = [
      sql`${sql.literal(named ? "+archived" : "archived")} = ${query.archived === true}`,
      sql`hasUserMessage = 1`
    ]
    const { cwd } = query
    // A person starts no descendants: to ask for them is to ask for their kinds.
    const descendants = query.parentThreadId != null || query.ancestorThreadId != null
    const anyKind = query.sourceKinds == null || query.sourceKinds.length === 0
    if (!(descendants && anyKind)) all.push(oneOf("sourceKind", kindsOf(query.sourceKinds)))
    if (cwd != null) all.push(oneOf("cwd", (typeof cwd === "string" ? [cwd] : cwd).map(withoutSlash)))
    if (query.modelProviders != null && query.modelProviders.length > 0) {
      all.push(oneOf("modelProvider", query.modelProviders))
    }
    if (query.originators != null && query.originators.length > 0) all.push(oneOf("originator", query.originators))
    if (query.searchTerm != null && query.searchTerm !== "") {
      all.push(sql`instr(searchText, ${searchable(query.searchTerm)}) > 0`)
    }
    if (query.parentThreadId != null) all.push(sql`parentThreadId = ${query.parentThreadId}`)
    if (query.ancestorThreadId != null) {
      all.push(sql`id <> ${query.ancestorThreadId} AND id IN (
        WITH RECURSIVE below (id) AS (
          SELECT id FROM threads WHERE parentThreadId = ${query.ancestorThreadId}
          UNION SELECT threads.id FROM threads JOIN below ON threads.parentThreadId = below.id
        ) SELECT id FROM below)`)
    }
    if (query.sectionId === null) all.push(sql`sectionId IS NULL`)
    else if (query.sectionId !== undefined) all.push(sql`sectionId = ${query.sectionId}`)
    if (query.projectId != null) all.push(sql`projectId = ${query.projectId}`)
    if (query.attachedToThreadId != null) all.push(sql`attachedToThreadId = ${query.attachedToThreadId}`)
    else if (query.attached !== true) all.push(sql`attachedToThreadId IS NULL`)
    if (query.includedThreadIds != null) all.push(oneOf("id", query.includedThreadIds))
    if (query.excludedThreadIds != null && query.excludedThreadIds.length > 0) {
      all.push(sql`NOT ${oneOf("id", query.excludedThreadIds)}`)
    }
    return all
  }

  const list = Effect.fnUntraced(function*(query: ThreadQuery): Effect.fn.Return<ThreadPage, Failure> {
    if (query.parentThreadId != null && query.ancestorThreadId != null) {
      const message = "parentThreadId and ancestorThreadId are mutually exclusive"
      return yield* refuse(new InvalidRequest({ message }))
    }
    const sortKey = query.sortKey ?? "createdAt"
    if (sortKey === "sectionPosition" && query.sectionId == null) {
      return yield* refuse(new InvalidRequest({ message: "section-position sorting requires a section filter" }))
    }
    const direction = query.direction ?? (sortKey === "sectionPosition" ? "asc" : "desc")
    const cursor = query.cursor == null
      ? undefined
      : yield* Effect.fromResult(Cursor.parseList(query.cursor, sortKey))
    const asked = Paging.sizeOf(query, usualPage, largestPage)
    const { by, compare } = Paging.order(direction, cursor?.inclusive ?? false)
    const key = sql(sortKey)
    const where = [...filters(query)]
    if (cursor !== undefined) where.push(sql`(${key}, id) ${sql.literal(compare)} (${cursor.at}, ${cursor.id})`)
    // What has moved was listed at its old place, or is at its new one for who lists anew; never both in one listing.
    const moved = movedBy[sortKey]
    if (cursor !== undefined && cursor.revision !== null && moved !== undefined) {
      where.push(sql`${sql(moved)} <= ${cursor.revision}`)
    }
    const ordered = sql`FROM threads WHERE ${sql.and(where)} ORDER BY ${key} ${sql.literal(by)}, id ${sql.literal(by)}`
    const size = query.bytes === undefined ? asked : Paging.fitting(
      yield* sql`SELECT ${perThread} + octet_length(preview) + octet_length(coalesce(name, '')) AS bytes ${ordered}
        LIMIT ${asked}`,
      query.bytes
    )
    const rows = yield* sql`SELECT *, (SELECT value FROM revisions) AS revision ${ordered} LIMIT ${size + 1}`
    const cut = Paging.cut(rows, size)
    return Paging.page(cut, yield* Rows.threads.decodeAll(cut.rows), (row, where) =>
      Cursor.print({
        _tag: "List",
        sortKey,
        at: Rows.integer(row, sortKey),
        id: Rows.text(row, "id"),
        inclusive: where === "at",
        // Who turns round asks for what is new.
        revision: where === "at" ? null : cursor?.revision ?? Rows.integer(row, "revision")
      }))
  })

  return { insert, exists, get, modify, touch, heard, setArchived, remove, unused, list }
}

export type Threads = ReturnType<typeof make>
