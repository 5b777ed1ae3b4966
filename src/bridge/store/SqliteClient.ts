/**
 * `effect/sql` over `node:sqlite`, which Node and Bun both have.
 *
 * One connection a client, so that one transaction runs at a time and nothing reads what is not yet committed. The
 * journal is a write-ahead log: other processes read while this one writes, and what was committed outlives the death of
 * the process. A loss of power can take the last transactions, never the consistency of the file.
 *
 * The engine works synchronously. It therefore never waits for another process's transaction itself, which would stop
 * everything else in this process: it is asked again until the lock is free.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as Predicate from "effect/Predicate"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import * as Directories from "../../transport/Directories.ts"
import { Corrupt, NotOpened, StoreError } from "./StoreError.ts"

export interface Options {
  /**
   * The file. It is created with mode 0600, its directory with mode 0700, if they are not there; a file that others may
   * read is made private.
   */
  readonly path: string
  /** How long a statement waits for another process that writes; 5 seconds by default. */
  readonly busyTimeout?: Duration.Input | undefined
}

/** Statements that are kept ready. There are a few dozen different ones; lists are passed as JSON, not as text. */
const cacheSize = 128

const inMemory = ":memory:"

// Codes of SQLite, without the refinement in the upper bits.
const sqliteCorrupt = 11
const sqliteNotADatabase = 26

/** `node:sqlite` puts the code of SQLite into `errcode`. */
const codeOf = (cause: unknown): number | undefined =>
  Predicate.hasProperty(cause, "errcode") && Predicate.isNumber(cause.errcode) ? cause.errcode : undefined

const sqlError = (operation: string, cause: unknown): SqlError => {
  const code = codeOf(cause)
  const message = cause instanceof Error ? cause.message : String(cause)
  // The classifier looks for `errno`.
  const coded = code === undefined ? cause : Object.assign(new Error(message, { cause }), { errno: code })
  return new SqlError({ reason: classifySqliteError(coded, { message, operation }) })
}

/** Whether the database is at fault, and not the statement. */
export const isCorruption = (error: SqlError): boolean => {
  const { cause } = error.reason
  if (!Predicate.hasProperty(cause, "errno") || !Predicate.isNumber(cause.errno)) return false
  const code = cause.errno & 0xff
  return code === sqliteCorrupt || code === sqliteNotADatabase
}

const isBusy = (error: SqlError): boolean => error.reason._tag === "LockTimeoutError"

/** Bun takes no booleans. */
const toInput = (value: unknown): SQLInputValue =>
  // What it does not know, the engine refuses.
  (Predicate.isBoolean(value) ? Number(value) : value) as SQLInputValue

const untilFree = Schedule.spaced("5 millis")

/** The statements that were used last, ready to run. */
const makeStatements = (db: DatabaseSync) => {
  const cache = new Map<string, StatementSync>()
  return (sql: string): StatementSync => {
    const known = cache.get(sql)
    if (known !== undefined) {
      // The oldest is the first in the map.
      cache.delete(sql)
      cache.set(sql, known)
      return known
    }
    const statement = db.prepare(sql)
    cache.set(sql, statement)
    if (cache.size > cacheSize) {
      for (const oldest of cache.keys()) {
        cache.delete(oldest)
        break
      }
    }
    return statement
  }
}

const makeConnection = (db: DatabaseSync, busyTimeout: Duration.Duration): Connection => {
  const statements = makeStatements(db)
  /** Inside a transaction the lock is already held: only its first statement and single ones ever meet another writer. */
  const waiting = <A>(run: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
    Effect.catchIf(run, isBusy, (first) =>
      db.isTransaction ? Effect.fail(first) : run.pipe(
        Effect.retry({ schedule: untilFree, while: isBusy }),
        Effect.timeoutOrElse({ duration: busyTimeout, orElse: () => Effect.fail(first) }),
        // What holds the lock is another process, whatever clock this program uses.
        Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())
      ))

  const all = (statement: (sql: string) => StatementSync) =>
  (
    sql: string,
    params: ReadonlyArray<unknown>
  ): Effect.Effect<Array<Record<string, unknown>>, SqlError> =>
    waiting(Effect.try({
      try: () => statement(sql).all(...params.map(toInput)),
      catch: (cause) => sqlError("execute", cause)
    }))

  const prepared = all(statements)
  const unprepared = all((sql) => db.prepare(sql))

  const values = (sql: string, params: ReadonlyArray<unknown>) =>
    all((sql) => {
      // A statement of its own: the mode stays with it.
      const statement = db.prepare(sql)
      statement.setReturnArrays(true)
      return statement
    })(sql, params).pipe(
      // The types describe the other mode.
      Effect.map((rows) => rows as unknown as ReadonlyArray<ReadonlyArray<unknown>>)
    )

  return {
    execute: (sql, params, transformRows) =>
      transformRows === undefined ? prepared(sql, params) : Effect.map(prepared(sql, params), transformRows),
    executeRaw: prepared,
    executeUnprepared: (sql, params, transformRows) =>
      transformRows === undefined ? unprepared(sql, params) : Effect.map(unprepared(sql, params), transformRows),
    executeValues: values,
    executeValuesUnprepared: values,
    executeStream: (sql, params, transformRows) =>
      Stream.fromIterableEffect(
        transformRows === undefined ? prepared(sql, params) : Effect.map(prepared(sql, params), transformRows)
      )
  }
}

const pragmas = [
  // Nothing waits in the engine; see above.
  "PRAGMA busy_timeout = 0",
  "PRAGMA foreign_keys = ON",
  "PRAGMA synchronous = NORMAL",
  "PRAGMA temp_store = MEMORY"
]

const openFailure = (path: string) => (error: SqlError): StoreError =>
  new StoreError({
    reason: isCorruption(error)
      ? new Corrupt({ path, cause: error })
      : new NotOpened({ path, step: "open", detail: error.reason.message, cause: error })
  })

const open = Effect.fnUntraced(function*(
  { busyTimeout = "5 seconds", path }: Options
): Effect.fn.Return<SqlClient.SqlClient, StoreError, Scope.Scope | Reactivity.Reactivity> {
  const db = yield* Effect.acquireRelease(
    Effect.try({ try: () => new DatabaseSync(path), catch: (cause) => openFailure(path)(sqlError("open", cause)) }),
    (db) => Effect.sync(() => db.close())
  )
  const connection = makeConnection(db, Duration.fromInputUnsafe(busyTimeout))
  const settings = path === inMemory ? pragmas : [...pragmas, "PRAGMA journal_mode = WAL"]
  yield* Effect.forEach(settings, (pragma) => connection.executeUnprepared(pragma, [], undefined)).pipe(
    // The first look into the file: the pragmas alone may not read it.
    Effect.andThen(connection.executeUnprepared("SELECT count(*) FROM sqlite_schema", [], undefined)),
    Effect.mapError(openFailure(path))
  )
  const acquirers = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(connection),
    semaphore: yield* Semaphore.make(1),
    isTransaction: () => db.isTransaction
  })
  return yield* SqlClient.make({
    ...acquirers,
    compiler: Statement.makeCompilerSqlite(),
    driver: "node-sqlite",
    // A transaction that will write takes the lock first: to take it later can fail when others have written meanwhile.
    beginTransaction: "BEGIN IMMEDIATE",
    prepareTransactionControls: true,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "sqlite"]]
  })
})

/** Who else may read the file reads every conversation. */
const prepare = Effect.fnUntraced(
  function*(file: string) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    yield* Directories.make(fs, path.dirname(file), 0o700)
    // The engine gives its side files the mode of the file.
    yield* Effect.scoped(fs.open(file, { flag: "a", mode: 0o600 }))
    const { mode } = yield* fs.stat(file)
    if (process.platform !== "win32" && (mode & 0o077) !== 0) yield* fs.chmod(file, 0o600)
  },
  (effect, file) =>
    Effect.mapError(
      effect,
      (cause) =>
        new StoreError({ reason: new NotOpened({ path: file, step: "prepare", detail: cause.message, cause }) })
    )
)

/** A client on a file. */
export const make = Effect.fn("SqliteClient.make")(function*(
  options: Options
): Effect.fn.Return<
  SqlClient.SqlClient,
  StoreError,
  FileSystem.FileSystem | Path.Path | Scope.Scope | Reactivity.Reactivity
> {
  yield* prepare(options.path)
  return yield* open(options)
})

/** A client on a database of its own that is gone with the scope. */
export const makeMemory: Effect.Effect<SqlClient.SqlClient, StoreError, Scope.Scope | Reactivity.Reactivity> = Effect
  .suspend(() => open({ path: inMemory }))

export const layer = (
  options: Options
): Layer.Layer<SqlClient.SqlClient, StoreError, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(SqlClient.SqlClient, make(options)).pipe(Layer.provide(Reactivity.layer))

export const layerMemory: Layer.Layer<SqlClient.SqlClient, StoreError> = Layer.effect(
  SqlClient.SqlClient,
  makeMemory
).pipe(Layer.provide(Reactivity.layer))
