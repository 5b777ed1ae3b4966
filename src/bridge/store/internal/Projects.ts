/**
 * Projects: directories with a name, and the threads that belong to them.
 */
import * as Clock from "effect/Clock"
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isAbsolute } from "node:path"
import type * as Strict from "../../../protocol/generated/StrictTypes.ts"
import { InvalidParams, InvalidRequest, refuse } from "../../BridgeError.ts"
import * as ThreadId from "../ThreadId.ts"
import type { Direction, Page, PageOptions } from "../ThreadQuery.ts"
import * as Paging from "./Paging.ts"
import * as Rows from "./Rows.ts"
import type { Failure, Threads } from "./Threads.ts"

export type Project = Strict.Definitions["Project"]

/** What may change. What is missing stays as it is. */
export interface ProjectChange {
  readonly name?: string | null | undefined
  readonly roots?: Project["roots"] | null | undefined
  readonly metadata?: Project["metadata"] | null | undefined
}

export interface NewProject extends ProjectChange {
  readonly idempotencyKey: string
  readonly name: string
  readonly roots: Project["roots"]
  /** Ids of threads that it is made of. */
  readonly threads?: ReadonlyArray<string> | null | undefined
}

export interface Made {
  readonly project: Project
  /** Whether there was none for the key before. */
  readonly isNew: boolean
  /** The threads that came into it. */
  readonly threadIds: ReadonlyArray<string>
}

export interface ProjectQuery extends PageOptions {
  readonly sortKey?: "position" | "recencyAt" | null | undefined
}

const usualPage = 100
const largestPage = 100
const keyBytes = 512

const seconds = (ms: number): number => Math.floor(ms / 1000)

const invalid = (message: string) => refuse(new InvalidParams({ message }))

export const noSuchProject = (projectId: string) => invalid(`project not found: ${projectId}`)

const nameOf = (name: string) => {
  const trimmed = name.trim()
  return trimmed === "" ? Effect.fail(invalid("project name must not be empty")) : Effect.succeed(trimmed)
}

const rootsOf = Effect.fnUntraced(function*(roots: Project["roots"]) {
  if (!roots.every(({ path }) => isAbsolute(path))) {
    const message = "Invalid request: AbsolutePathBuf deserialized without a base path"
    return yield* refuse(new InvalidRequest({ message }))
  }
  const paths = roots.map(({ path }) => path.replace(/(?<=[^/])\/+$/, ""))
  const double = paths.find((path, index) => paths.indexOf(path) !== index)
  return double === undefined ? paths.map((path) => ({ path })) : yield* invalid(`duplicate project root: ${double}`)
})

const toProject = (row: Rows.Row): Effect.Effect<Project, Failure> =>
  Effect.map(Effect.fromResult(Rows.projects.decode(row)), ({ createdAt, recencyAt, updatedAt, ...project }) => ({
    id: project.id,
    name: project.name,
    roots: project.roots,
    metadata: project.metadata,
    createdAt: seconds(createdAt),
    updatedAt: seconds(updatedAt),
    recencyAt: recencyAt === null ? null : seconds(recencyAt)
  }))

export const make = (sql: SqlClient, threads: Threads) => {
  /** Its newest thread says when a project was last worked on. */
  const recency = sql`(SELECT max(recencyAt) FROM threads WHERE threads.projectId = projects.id)`

  const read = Effect.fnUntraced(function*(projectId: string): Effect.fn.Return<Project, Failure> {
    const [row] = yield* sql`SELECT *, ${recency} AS recencyAt FROM projects WHERE id = ${projectId}`
    return row === undefined ? yield* noSuchProject(projectId) : yield* toProject(row)
  })

  const list = Effect.fnUntraced(function*(query: ProjectQuery): Effect.fn.Return<Page<Project>, Failure> {
    const sortKey = query.sortKey ?? "position"
    const direction: Direction = query.direction ?? "asc"
    const size = Paging.sizeOf(query, usualPage, largestPage)
    const { by, compare } = Paging.order(direction, false)
    const anchor = query.cursor == null ? undefined : /^(-?\d{1,15})\|([0-9a-f-]{36})$/.exec(query.cursor)
    if (anchor === null) return yield* invalid("invalid project cursor: malformed or mismatched sort anchor")
    // One that nobody has worked in is older than all others.
    const key = sortKey === "position" ? sql`position` : sql`coalesce(${recency}, -1)`
    const rows = yield* sql`SELECT * FROM (SELECT *, ${recency} AS recencyAt, ${key} AS place FROM projects)
      ${
      anchor === undefined
        ? sql.literal("")
        : sql`WHERE (place, id) ${sql.literal(compare)} (${Number(anchor[1])}, ${anchor[2] ?? ""})`
    } ORDER BY place ${sql.literal(by)}, id ${sql.literal(by)} LIMIT ${size + 1}`
    const cut = Paging.cut(rows, size)
    const data = yield* Effect.forEach(cut.rows, toProject)
    return Paging.page(cut, data, (row) => `${Rows.integer(row, "place")}|${Rows.text(row, "id")}`)
  })

  const threadOf = Effect.fnUntraced(function*(given: string) {
    const id = yield* Effect.fromResult(ThreadId.parse(given)).pipe(
      Effect.mapError(() => invalid(`thread not found: ${given.slice(0, 80)}`))
    )
    return (yield* threads.exists(id)) ? id : yield* invalid(`thread not found: ${id}`)
  })

  const create = Effect.fnUntraced(function*(given: NewProject): Effect.fn.Return<Made, Failure> {
    const { idempotencyKey: key } = given
    if (key === "") return yield* invalid("idempotencyKey must not be empty")
    if (Buffer.byteLength(key) > keyBytes) return yield* invalid(`idempotencyKey must be at most ${keyBytes} bytes`)
    const name = yield* nameOf(given.name)
    const roots = yield* rootsOf(given.roots)
    const threadIds = yield* Effect.forEach(given.threads ?? [], threadOf)
    const [known] = yield* sql`SELECT projectKeys.projectId, projects.id FROM projectKeys
      LEFT JOIN projects ON projects.id = projectKeys.projectId WHERE key = ${key}`
    if (known !== undefined) {
      if (known["id"] === null) return yield* invalid(`idempotency key refers to deleted project: ${key}`)
      return { project: yield* read(Rows.text(known, "projectId")), isNew: false, threadIds: [] }
    }
    const id = uuidV7Unsafe()
    const now = yield* Clock.currentTimeMillis
    const [row = {}] = yield* sql`SELECT coalesce(max(position) + 1, 0) AS position FROM projects`
    const encoded = yield* Effect.fromResult(Rows.projects.encode({
      id,
      name,
      roots,
      metadata: given.metadata ?? {},
      position: Rows.integer(row, "position"),
      createdAt: now,
      updatedAt: now,
      recencyAt: null
    }))
    const { recencyAt: _, ...columns } = encoded
    yield* sql`INSERT INTO projects ${sql.insert(columns)}`
    yield* sql`INSERT INTO projectKeys ${sql.insert({ key, projectId: id })}`
    yield* sql`UPDATE threads SET projectId = ${id}
      WHERE id IN (SELECT value FROM json_each(${JSON.stringify(threadIds)}))`
    return { project: yield* read(id), isNew: true, threadIds }
  }, sql.withTransaction)

  /** The project, and whether anything has changed. */
  const update = Effect.fnUntraced(
    function*(projectId: string, change: ProjectChange): Effect.fn.Return<
      { readonly project: Project; readonly changed: boolean },
      Failure
    > {
      const before = yield* read(projectId)
      const name = change.name == null ? before.name : yield* nameOf(change.name)
      const roots = change.roots == null ? before.roots : yield* rootsOf(change.roots)
      const metadata = change.metadata ?? before.metadata
      if (change.name == null && change.roots == null && change.metadata == null) {
        return { project: before, changed: false }
      }
      yield* sql`UPDATE projects SET name = ${name}, roots = ${JSON.stringify(roots)},
        metadata = ${JSON.stringify(metadata)}, updatedAt = ${yield* Clock.currentTimeMillis} WHERE id = ${projectId}`
      return { project: yield* read(projectId), changed: true }
    },
    sql.withTransaction
  )

  /** The threads that were in it. */
  const remove = Effect.fnUntraced(function*(projectId: string): Effect.fn.Return<ReadonlyArray<string>, Failure> {
    const removed = yield* sql`DELETE FROM projects WHERE id = ${projectId} RETURNING id`
    if (removed.length === 0) return yield* noSuchProject(projectId)
    const left = yield* sql`UPDATE threads SET projectId = NULL WHERE projectId = ${projectId} RETURNING id`
    return left.map((row) => Rows.text(row, "id"))
  }, sql.withTransaction)

  /** Puts a project before another one, or at the end. */
  const move = Effect.fnUntraced(function*(projectId: string, before: string | null): Effect.fn.Return<void, Failure> {
    const rows = yield* sql`SELECT id FROM projects ORDER BY position, id`
    const ids = rows.map((row) => Rows.text(row, "id"))
    if (!ids.includes(projectId)) return yield* noSuchProject(projectId)
    if (before === projectId) return yield* invalid(`project ${projectId} cannot be moved before itself`)
    if (before !== null && !ids.includes(before)) return yield* invalid(`before project not found: ${before}`)
    const others = ids.filter((id) => id !== projectId)
    const at = before === null ? others.length : others.indexOf(before)
    const order = [...others.slice(0, at), projectId, ...others.slice(at)]
    yield* sql`UPDATE projects SET position = place.key FROM json_each(${JSON.stringify(order)}) AS place
      WHERE place.value = projects.id`
  }, sql.withTransaction)

  return { read, list, create, update, remove, move }
}

export type Projects = ReturnType<typeof make>
