/**
 * The layout of the store, and how an older one becomes it.
 *
 * A migration is never changed once it was released: a new one follows it. All that are due run in one transaction, so a
 * process that dies in between leaves the file as it was, and two that start at once do not run them twice.
 */
import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { isCorruption } from "./SqliteClient.ts"
import { Corrupt, NewerSchema, NotOpened, StoreError } from "./StoreError.ts"

export type Migration = Effect.Effect<void, SqlError, SqlClient>

/** The id that clients know the section of pinned threads by. */
export const pinnedSection = "01984de2-8f74-7c91-a3b2-5c5e937cf318"

const statements = (texts: ReadonlyArray<string>): Migration =>
  Effect.flatMap(SqlClient, (sql) => Effect.forEach(texts, (text) => sql.unsafe(text), { discard: true }))

/**
 * Places in a list are numbers that are given once (`AUTOINCREMENT`): a cursor that names one never comes to mean
 * something else, whatever is removed meanwhile. Ids of turns and items are unique within their thread only, because a
 * fork keeps those of its source.
 */
const initial = statements([
  `CREATE TABLE threads (
    id TEXT PRIMARY KEY NOT NULL,
    sessionId TEXT NOT NULL,
    createdAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL,
    recencyAt INTEGER NOT NULL,
    name TEXT,
    preview TEXT NOT NULL,
    cwd TEXT NOT NULL,
    model TEXT NOT NULL,
    modelProvider TEXT NOT NULL,
    effort TEXT,
    settings TEXT NOT NULL,
    source TEXT NOT NULL,
    threadSource TEXT,
    originator TEXT,
    cliVersion TEXT NOT NULL,
    ephemeral INTEGER NOT NULL,
    archived INTEGER NOT NULL,
    parentThreadId TEXT,
    forkedFromId TEXT,
    gitInfo TEXT,
    goal TEXT,
    backendRef TEXT,
    readState TEXT,
    section TEXT,
    sectionEnteredAt INTEGER,
    hasUserMessage INTEGER NOT NULL,
    sourceKind TEXT NOT NULL,
    sectionId TEXT,
    searchText TEXT NOT NULL,
    updatedMoved INTEGER NOT NULL,
    recencyMoved INTEGER NOT NULL
  )`,
  // The orders of the list. What a list never shows is not in them.
  ...["createdAt", "updatedAt", "recencyAt"].map((key) =>
    `CREATE INDEX threads_${key} ON threads (archived, ${key}, id) WHERE hasUserMessage = 1`
  ),
  "CREATE INDEX threads_parent ON threads (parentThreadId) WHERE parentThreadId IS NOT NULL",
  `CREATE TABLE turns (
    ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
    threadId TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    status TEXT NOT NULL,
    error TEXT,
    startedAt INTEGER,
    completedAt INTEGER,
    durationMs INTEGER,
    usage TEXT,
    UNIQUE (threadId, id)
  )`,
  "CREATE INDEX turns_order ON turns (threadId, ordinal)",
  // At most one turn runs in a thread; and those that run are found without a search.
  "CREATE UNIQUE INDEX turns_running ON turns (threadId) WHERE status = 'inProgress'",
  `CREATE TABLE items (
    ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
    threadId TEXT NOT NULL,
    turnId TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    item TEXT NOT NULL,
    startedAtMs INTEGER,
    completedAtMs INTEGER,
    UNIQUE (threadId, turnId, id),
    FOREIGN KEY (threadId, turnId) REFERENCES turns (threadId, id) ON DELETE CASCADE
  )`,
  "CREATE INDEX items_order ON items (threadId, ordinal)",
  "CREATE INDEX items_of_turn ON items (threadId, turnId, ordinal)",
  // For the summary of a turn, however many other items it has.
  `CREATE INDEX items_messages ON items (threadId, turnId, kind, ordinal) WHERE kind IN ('userMessage', 'agentMessage')`,
  `CREATE TABLE writers (
    threadId TEXT PRIMARY KEY NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    token TEXT NOT NULL,
    pid INTEGER NOT NULL,
    startTime TEXT NOT NULL
  ) WITHOUT ROWID`,
  // Counts the changes of a thread's place in a list; see `updatedMoved`, `recencyMoved`.
  "CREATE TABLE revisions (id INTEGER PRIMARY KEY CHECK (id = 1), value INTEGER NOT NULL)",
  "INSERT INTO revisions (id, value) VALUES (1, 0)"
])

const queue = statements(["ALTER TABLE threads ADD COLUMN queue TEXT NOT NULL DEFAULT '[]'"])

const agent = statements([
  "ALTER TABLE threads ADD COLUMN forkPoint TEXT",
  "ALTER TABLE threads ADD COLUMN untold TEXT NOT NULL DEFAULT '[]'",
  "ALTER TABLE turns ADD COLUMN agentTurnId TEXT"
])

/**
 * Sections and projects have their threads in an order of their own; attachments are what clients hang on a thread.
 *
 * The section of pinned threads is always there, with the id that clients know it by. A key that a project was made with
 * outlives it: who repeats an old request is told that the project is gone, and does not make another one.
 */
const sections = statements([
  "ALTER TABLE threads ADD COLUMN sectionPosition INTEGER",
  "ALTER TABLE threads ADD COLUMN projectId TEXT",
  "ALTER TABLE threads ADD COLUMN attachedToThreadId TEXT",
  // Few, as a rule: those that nobody has said anything in.
  "CREATE INDEX threads_unused ON threads (updatedAt) WHERE hasUserMessage = 0",
  "CREATE INDEX threads_section ON threads (sectionId, sectionPosition, id) WHERE sectionId IS NOT NULL",
  "CREATE INDEX threads_project ON threads (projectId) WHERE projectId IS NOT NULL",
  "CREATE INDEX threads_attached ON threads (attachedToThreadId) WHERE attachedToThreadId IS NOT NULL",
  "CREATE TABLE sections (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, appearance TEXT)",
  `INSERT INTO sections (id, name) VALUES ('${pinnedSection}', 'Pinned')`,
  `CREATE TABLE projects (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    roots TEXT NOT NULL,
    metadata TEXT NOT NULL,
    position INTEGER NOT NULL,
    createdAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL
  )`,
  "CREATE INDEX projects_position ON projects (position, id)",
  "CREATE TABLE projectKeys (key TEXT PRIMARY KEY NOT NULL, projectId TEXT NOT NULL) WITHOUT ROWID",
  `CREATE TABLE attachments (
    ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    threadId TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    attachmentType TEXT NOT NULL,
    identityKey TEXT NOT NULL,
    payload TEXT NOT NULL,
    createdAt INTEGER NOT NULL,
    UNIQUE (threadId, attachmentType, identityKey)
  )`,
  "CREATE INDEX attachments_order ON attachments (threadId, ordinal)",
  "CREATE INDEX attachments_owners ON attachments (attachmentType, identityKey, threadId)"
])

/**
 * What was shown of items that are open; it goes with them, and it goes when they complete. One row is what one item was
 * given at a time, as JSON: a delta may end in the middle of a character, which the engine does not keep.
 */
const texts = statements([
  `CREATE TABLE texts (
    ordinal INTEGER PRIMARY KEY,
    item INTEGER NOT NULL REFERENCES items (ordinal) ON DELETE CASCADE,
    pieces TEXT NOT NULL
  )`,
  "CREATE INDEX texts_item ON texts (item)",
  `CREATE TRIGGER texts_completed AFTER UPDATE OF completedAtMs ON items WHEN new.completedAtMs IS NOT NULL
    BEGIN DELETE FROM texts WHERE item = new.ordinal; END`
])

/** Migrations by `number_name`, in the order of their numbers. */
export type Migrations = Readonly<Record<string, Migration>>

/** All that were ever released. */
export const migrations: Migrations = {
  "1_initial": initial,
  "2_queue": queue,
  "3_agent": agent,
  "4_sections": sections,
  "5_texts": texts
}

const table = "migrations"

const numberOf = (migrations: Migrations): number =>
  Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

/** Number of the last migration. */
export const latest = numberOf(migrations)

const failure = (path: string) => (cause: Migrator.MigrationError | SqlError): StoreError =>
  new StoreError({
    reason: cause._tag === "SqlError" && isCorruption(cause)
      ? new Corrupt({ path, cause })
      : new NotOpened({ path, step: "migrate", detail: cause.message, cause })
  })

/** Brings a database to the present layout. `path` is for the error. */
export const run = Effect.fn("Migrations.run")(function*(path: string, all: Migrations = migrations) {
  const sql = yield* SqlClient
  const known = numberOf(all)
  const migrate = Migrator.make({})({ loader: Migrator.fromRecord(all), table })
  const [last] = yield* Effect.andThen(
    migrate,
    sql<{ readonly id: number }>`SELECT max(migration_id) AS id FROM ${sql(table)}`
  ).pipe(Effect.mapError(failure(path)))
  const found = last?.id ?? 0
  if (found > known) return yield* new StoreError({ reason: new NewerSchema({ path, found, known }) })
})
