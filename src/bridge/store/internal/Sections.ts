/**
 * Sections that a person sorts threads into, and the order of the threads in each.
 */
import * as Clock from "effect/Clock"
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { InvalidParams, InvalidRequest, refuse } from "../../BridgeError.ts"
import { pinnedSection } from "../Migrations.ts"
import type { Page, PageOptions } from "../ThreadQuery.ts"
import type { ThreadRecord } from "../ThreadRecord.ts"
import * as Paging from "./Paging.ts"
import * as Rows from "./Rows.ts"
import type { Failure, Threads } from "./Threads.ts"

/** A section as the protocol has it, with nothing left open. */
export interface Section {
  readonly id: string
  readonly name: string
  readonly appearance: { readonly icon: string | null; readonly color: string | null } | null
}

/** What a section is made with. Without an appearance the one that it has stays; `null` takes it away. */
export interface SectionOptions {
  readonly name: string
  readonly appearance?: { readonly color?: string | null; readonly icon?: string | null } | null | undefined
}

const usualPage = 100
const largestPage = 100
const appearanceBytes = 64

/** Between two threads of a section that nothing was put between yet. */
const gap = 1_000_000

const invalid = (message: string) => refuse(new InvalidParams({ message }))

const noSuchSection = (sectionId: string) => invalid(`thread section not found: ${sectionId}`)

const nameOf = ({ name }: SectionOptions) => {
  const trimmed = name.trim()
  return trimmed === "" ? Effect.fail(invalid("section name must not be empty")) : Effect.succeed(trimmed)
}

const appearanceOf = Effect.fnUntraced(function*({ appearance }: SectionOptions) {
  if (appearance == null) return null
  const { color = null, icon = null } = appearance
  for (const [what, value] of [["icon", icon], ["color", color]] as const) {
    if (value !== null && Buffer.byteLength(value) > appearanceBytes) {
      return yield* invalid(`section appearance ${what} must not exceed ${appearanceBytes} bytes`)
    }
  }
  return { icon, color }
})

export const make = (sql: SqlClient, threads: Threads) => {
  const find = Effect.fnUntraced(function*(sectionId: string) {
    const [row] = yield* sql`SELECT * FROM sections WHERE id = ${sectionId}`
    return row === undefined ? undefined : yield* Effect.fromResult(Rows.sections.decode(row))
  })

  const list = Effect.fnUntraced(function*(query: PageOptions): Effect.fn.Return<Page<Section>, Failure> {
    const size = Paging.sizeOf(query, usualPage, largestPage)
    // Ids grow with time, and the first one is that of the pinned threads.
    const rows = yield* sql`SELECT * FROM sections WHERE id > ${query.cursor ?? ""} ORDER BY id LIMIT ${size + 1}`
    const cut = Paging.cut(rows, size)
    return Paging.page(cut, yield* Rows.sections.decodeAll(cut.rows), (row) => Rows.text(row, "id"))
  })

  const create = Effect.fnUntraced(function*(options: SectionOptions): Effect.fn.Return<Section, Failure> {
    const section: Section = {
      id: uuidV7Unsafe(),
      name: yield* nameOf(options),
      appearance: yield* appearanceOf(options)
    }
    const row = yield* Effect.fromResult(Rows.sections.encode(section))
    yield* sql`INSERT INTO sections ${sql.insert(row)}`
    return section
  })

  /** The section as it is then, and the threads that show it. */
  const update = Effect.fnUntraced(
    function*(sectionId: string, options: SectionOptions): Effect.fn.Return<
      { readonly section: Section; readonly threadIds: ReadonlyArray<string> },
      Failure
    > {
      const name = yield* nameOf(options)
      if (sectionId === pinnedSection) return yield* invalid("the built-in pinned section cannot be renamed")
      const before = yield* find(sectionId)
      if (before === undefined) return yield* noSuchSection(sectionId)
      const appearance = options.appearance === undefined ? before.appearance : yield* appearanceOf(options)
      const section: Section = { id: sectionId, name, appearance }
      const row = yield* Effect.fromResult(Rows.sections.encode(section))
      yield* sql`UPDATE sections SET ${sql.update(row, ["id"])} WHERE id = ${sectionId}`
      const changed = yield* sql`UPDATE threads SET section = ${JSON.stringify(section)} WHERE sectionId = ${sectionId}
        RETURNING id`
      return { section, threadIds: changed.map((row) => Rows.text(row, "id")) }
    },
    sql.withTransaction
  )

  /** The threads that were in it. */
  const remove = Effect.fnUntraced(function*(sectionId: string): Effect.fn.Return<ReadonlyArray<string>, Failure> {
    if (sectionId === pinnedSection) return yield* invalid("the built-in pinned section cannot be deleted")
    const removed = yield* sql`DELETE FROM sections WHERE id = ${sectionId} RETURNING id`
    if (removed.length === 0) return yield* noSuchSection(sectionId)
    const left = yield* sql`UPDATE threads SET section = NULL, sectionId = NULL, sectionEnteredAt = NULL,
      sectionPosition = NULL WHERE sectionId = ${sectionId} RETURNING id`
    return left.map((row) => Rows.text(row, "id"))
  }, sql.withTransaction)

  const placeOf = Effect.fnUntraced(function*(sectionId: string, threadId: string) {
    const [row] = yield* sql`SELECT sectionPosition FROM threads WHERE id = ${threadId} AND sectionId = ${sectionId}`
    if (row !== undefined) return Rows.integer(row, "sectionPosition")
    const message = `before thread ${threadId} is not in section ${sectionId}`
    return yield* refuse(new InvalidRequest({ message }))
  })

  /** The highest place in the section, below `below` if that is given. */
  const highest = Effect.fnUntraced(function*(sectionId: string, moved: string, below: number | undefined) {
    const [row = {}] = yield* sql`SELECT coalesce(max(sectionPosition), 0) AS place FROM threads
      WHERE sectionId = ${sectionId} AND id <> ${moved}
      ${below === undefined ? sql.literal("") : sql`AND sectionPosition < ${below}`}`
    return Rows.integer(row, "place")
  })

  /** Makes room between all threads of the section. */
  const spread = (sectionId: string) =>
    sql`UPDATE threads SET sectionPosition = ${gap} * place.number FROM (
      SELECT id, row_number() OVER (ORDER BY sectionPosition, id) AS number FROM threads WHERE sectionId = ${sectionId}
    ) AS place WHERE threads.id = place.id`

  const placeBefore = Effect.fnUntraced(
    function*(sectionId: string, moved: string, before: string): Effect.fn.Return<number, Failure> {
      const next = yield* placeOf(sectionId, before)
      const previous = yield* highest(sectionId, moved, next)
      const place = Math.floor((previous + next) / 2)
      if (place > previous) return place
      yield* spread(sectionId)
      return yield* placeBefore(sectionId, moved, before)
    }
  )

  /** Puts a thread into a section, at its end or before another one; `null` takes it out. */
  const move = Effect.fnUntraced(
    function*(
      threadId: string,
      sectionId: string | null,
      before: string | null
    ): Effect.fn.Return<ThreadRecord, Failure> {
      const thread = yield* threads.get(threadId)
      if (sectionId === null) {
        if (before !== null) {
          return yield* refuse(new InvalidRequest({ message: "beforeThreadId requires a non-null sectionId" }))
        }
        yield* sql`UPDATE threads SET sectionPosition = NULL WHERE id = ${threadId}`
        const [, record] = yield* threads.modify(threadId, () => [undefined, { section: null, sectionEnteredAt: null }])
        return record
      }
      const section = yield* find(sectionId)
      if (section === undefined) {
        return yield* refuse(new InvalidRequest({ message: `section ${sectionId} does not exist` }))
      }
      if (before === threadId) {
        return yield* refuse(new InvalidRequest({ message: `thread ${threadId} cannot be moved before itself` }))
      }
      const place = before === null
        ? (yield* highest(sectionId, threadId, undefined)) + gap
        : yield* placeBefore(sectionId, threadId, before)
      yield* sql`UPDATE threads SET sectionPosition = ${place} WHERE id = ${threadId}`
      const now = yield* Clock.currentTimeMillis
      const [, record] = yield* threads.modify(threadId, () => [undefined, {
        section,
        sectionEnteredAt: thread.section?.id === sectionId ? thread.sectionEnteredAt : now
      }])
      return record
    },
    sql.withTransaction
  )

  return { list, create, update, remove, move }
}

export type Sections = ReturnType<typeof make>
