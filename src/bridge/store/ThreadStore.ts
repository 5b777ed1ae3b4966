/**
 * The threads that clients see, with their turns and items.
 *
 * What is stored is what was or will be shown: an item is stored first, then published. Threads are on disk from their
 * first moment; ephemeral ones are kept in memory and end with the process. Several processes may use one store: any may
 * read, and one at a time runs a thread (`acquireWriter`).
 *
 * All operations fail with a `BridgeError`: `InvalidRequest` for an id that is no UUID, a cursor that is none, a turn
 * that is not there; `NoSuchThread`; `Internal` when the file is at fault. None of them takes longer for a thread with a
 * long history, but for those that copy or remove a history.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Path from "effect/Path"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import { ProcessTable } from "../../transport/ProcessTable.ts"
import { type BridgeError, Internal, InvalidRequest, refuse } from "../BridgeError.ts"
import * as Attachments from "./internal/Attachments.ts"
import * as Copying from "./internal/Copying.ts"
import * as History from "./internal/History.ts"
import * as Projects from "./internal/Projects.ts"
import * as Search from "./internal/Search.ts"
import * as Sections from "./internal/Sections.ts"
import * as Texts from "./internal/Texts.ts"
import * as Threads from "./internal/Threads.ts"
import * as Timeline from "./internal/Timeline.ts"
import * as Writers from "./internal/Writers.ts"
import type { ItemText } from "./ItemText.ts"
import * as Migrations from "./Migrations.ts"
import * as SqliteClient from "./SqliteClient.ts"
import { Corrupt, NotOpened, StoreError } from "./StoreError.ts"
import * as ThreadId from "./ThreadId.ts"
import type {
  HistoryCursors,
  ItemPage,
  ItemQuery,
  Page,
  PageOptions,
  ThreadPage,
  ThreadQuery,
  TimelinePage,
  TurnPage,
  TurnQuery
} from "./ThreadQuery.ts"
import {
  type ItemRecord,
  type NewThread,
  newThread,
  type ThreadPatch,
  type ThreadRecord,
  type TurnRecord
} from "./ThreadRecord.ts"

export type { ForkCut, ForkOptions } from "./internal/Copying.ts"
export type { NewItem, TurnEnd } from "./internal/History.ts"
export type { Found } from "./internal/Search.ts"

type NewItem = History.NewItem
type TurnEnd = History.TurnEnd
type ForkOptions = Copying.ForkOptions

/** A turn that a dead process has left running, and that is an interrupted one now. */
export interface Recovered {
  readonly threadId: string
  readonly turnId: string
}

/** The operations of a part of the store, with the error that clients are refused with. */
type Exposed<Part> = {
  readonly [K in keyof Part]: Part[K] extends (...args: infer Args) => Effect.Effect<infer A, SqlError | BridgeError>
    ? (...args: Args) => Effect.Effect<A, BridgeError>
    : never
}

export interface ThreadStoreService {
  /** Where the store is: its file, or `:memory:`. */
  readonly path: string

  /** Stores a new thread. */
  readonly create: (thread: NewThread) => Effect.Effect<ThreadRecord, BridgeError>
  readonly get: (threadId: string) => Effect.Effect<ThreadRecord, BridgeError>
  /** Changes some members, and gives the thread as it is then. `updatedAt` changes only if it is given. */
  readonly update: (threadId: string, patch: ThreadPatch) => Effect.Effect<ThreadRecord, BridgeError>
  /** Changes the thread according to what it is, with nobody in between. No patch: it stays as it is. */
  readonly modify: <A>(
    threadId: string,
    change: (thread: ThreadRecord) => readonly [result: A, patch: ThreadPatch | undefined]
  ) => Effect.Effect<readonly [result: A, thread: ThreadRecord], BridgeError>
  /**
   * Lists threads that have had a user message. What is filtered out takes no place on a page.
   *
   * A thread that moves while one pages through the list, because its time changes, is listed at most once.
   */
  readonly list: (query: ThreadQuery) => Effect.Effect<ThreadPage, BridgeError>
  /** Removes it with its history. Its forks and children stay. */
  readonly remove: (threadId: string) => Effect.Effect<void, BridgeError>
  /** `NoSuchThread` if it is archived already, as codex says. */
  readonly archive: (threadId: string) => Effect.Effect<ThreadRecord, BridgeError>
  /** `NoSuchThread` if it is not archived. */
  readonly unarchive: (threadId: string) => Effect.Effect<ThreadRecord, BridgeError>

  /** `InvalidRequest` while another turn of the thread runs. Moves the thread up in the lists. */
  readonly startTurn: (
    threadId: string,
    turn: { readonly id: string; readonly startedAt: number }
  ) => Effect.Effect<TurnRecord, BridgeError>
  /** Ends a turn. One that has ended stays as it is, and is given. */
  readonly endTurn: (threadId: string, turnId: string, end: TurnEnd) => Effect.Effect<TurnRecord, BridgeError>
  readonly getTurn: (threadId: string, turnId: string) => Effect.Effect<TurnRecord, BridgeError>
  readonly setUsage: (
    threadId: string,
    turnId: string,
    usage: NonNullable<TurnRecord["usage"]>
  ) => Effect.Effect<void, BridgeError>
  /** Notes what the agent calls a turn. */
  readonly setAgentTurn: (threadId: string, turnId: string, agentTurnId: string) => Effect.Effect<void, BridgeError>
  /** What the thread had used at the end of its last turn that knew, and which turn that was. */
  readonly lastUsage: (threadId: string) => Effect.Effect<
    { readonly turnId: string; readonly usage: NonNullable<TurnRecord["usage"]> } | null,
    BridgeError
  >
  /**
   * Stores an item of a turn, in place of the one with its id, if there is one: it keeps its place then. The turn may
   * have ended. The first user message makes the thread appear in lists and gives it its preview, if it has none.
   */
  readonly putItem: (threadId: string, turnId: string, item: NewItem) => Effect.Effect<ItemRecord, BridgeError>
  /**
   * Appends to texts of items of the turn that are stored and open, before it is shown: whoever reads them reads it, and
   * it outlives the process. What completes an item brings all of its texts, and takes the place of this.
   */
  readonly appendTexts: (
    threadId: string,
    turnId: string,
    texts: ReadonlyArray<ItemText>
  ) => Effect.Effect<void, BridgeError>
  readonly listTurns: (threadId: string, query: TurnQuery) => Effect.Effect<TurnPage, BridgeError>
  readonly listItems: (threadId: string, query: ItemQuery) => Effect.Effect<ItemPage, BridgeError>
  /** The history as one list, page by page from its end; what is still open is no part of it. */
  readonly timeline: (
    threadId: string,
    query: Omit<PageOptions, "direction">
  ) => Effect.Effect<TimelinePage, BridgeError>
  /** Those of the items that the turn has, in the order of the history. */
  readonly readItems: (
    threadId: string,
    turnId: string,
    itemIds: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<ItemRecord>, BridgeError>
  /** Threads in which something was said, in the order of the list; `onFound` is told of them as they are found. */
  readonly search: (
    query: Search.SearchQuery,
    onFound?: (found: ReadonlyArray<Search.Found>) => void
  ) => Effect.Effect<Page<Search.Found>, BridgeError>
  /** All places in one thread where something was said, oldest first. */
  readonly searchIn: (
    threadId: string,
    term: string,
    query: PageOptions
  ) => Effect.Effect<Page<Search.FoundPlace>, BridgeError>
  /** Where the history ends now. */
  readonly historyCursors: (threadId: string) => Effect.Effect<HistoryCursors, BridgeError>

  /**
   * Makes a new thread with the history of this one. A turn that runs is an interrupted one in the fork, with its items
   * closed. Ids of turns and items stay the same.
   */
  readonly fork: (threadId: string, options: ForkOptions) => Effect.Effect<ThreadRecord, BridgeError>
  /** Removes this turn and all later ones; the agent's session is to be forked anew if it knows of them. */
  readonly revert: (
    threadId: string,
    options: { readonly beforeTurnId: string; readonly at: number }
  ) => Effect.Effect<ThreadRecord, BridgeError>

  /**
   * Makes the turn of this thread that is said to run an interrupted one and closes its items, unless another process
   * lives that runs the thread. In the process that has the lock: only before it starts a turn.
   */
  readonly recover: (threadId: string) => Effect.Effect<ReadonlyArray<Recovered>, BridgeError>
  /** The same for all threads that no living process runs, this one included. */
  readonly recoverAll: Effect.Effect<ReadonlyArray<Recovered>, BridgeError>
  /**
   * Takes the right to run the thread, for the scope. `ActiveWriter` while another process lives that has it, or when
   * this one already has it.
   */
  readonly acquireWriter: (threadId: string) => Effect.Effect<void, BridgeError, Scope.Scope>
  /**
   * Removes threads that nobody has ever worked with or marked, that were last touched before `before`, and that no
   * living process has; gives how many. At most `most` are looked at.
   */
  readonly prune: (options: { readonly before: number; readonly most: number }) => Effect.Effect<number, BridgeError>

  readonly sections: Exposed<Sections.Sections>
  readonly projects: Exposed<Projects.Projects>
  readonly attachments: Exposed<Attachments.Attachments>

  /** Who runs the thread. */
  readonly writer: (threadId: string) => Effect.Effect<Writers.Owner, BridgeError>
}

export interface Options extends SqliteClient.Options {}

export class ThreadStore extends Context.Service<ThreadStore, ThreadStoreService>()(
  "effect-codex-bridge/bridge/ThreadStore"
) {
  /** A store in a file. */
  static readonly layer = (
    options: Options
  ): Layer.Layer<ThreadStore, StoreError, FileSystem.FileSystem | Path.Path | ProcessTable> =>
    Layer.effect(ThreadStore, Effect.suspend(() => makeFile(options))).pipe(Layer.provide(Reactivity.layer))

  /** A store that is gone with the process. */
  static readonly layerMemory: Layer.Layer<ThreadStore, StoreError> = Layer.effect(
    ThreadStore,
    Effect.suspend(() => makeMemory)
  ).pipe(Layer.provide(Reactivity.layer))
}

// =============================================================================
// Machinery
// =============================================================================

const inMemory = ":memory:"

/** Everything that one database can do. */
const openTables = Effect.fnUntraced(function*(sql: SqlClient, path: string, liveness: Writers.Liveness) {
  yield* Effect.provideService(Migrations.run(path), SqlClient, sql)
  const threads = Threads.make(sql)
  const texts = Texts.make(sql)
  const history = History.make(sql, threads, texts)
  const copying = Copying.make(sql, threads, history, texts)
  const writers = Writers.make(sql, threads, liveness)
  return {
    sql,
    threads,
    history,
    copying,
    writers,
    sections: Sections.make(sql, threads),
    projects: Projects.make(sql, threads),
    attachments: Attachments.make(sql, threads),
    search: Search.make(sql, threads, history),
    timeline: Timeline.make(sql, history)
  }
})

type Tables = Effect.Success<ReturnType<typeof openTables>>

const parsed = (given: string | null | undefined, what: string) =>
  given == null ? Effect.succeed(given) : Effect.fromResult(ThreadId.parse(given, what))

/** Ids that a filter may name. */
const mostIds = 100

const parsedAll = Effect.fnUntraced(function*(given: ReadonlyArray<string> | null | undefined, what: string) {
  if (given == null) return given
  if (given.length > mostIds) {
    return yield* refuse(new InvalidRequest({ message: `too many ${what}s: ${given.length}, at most ${mostIds}` }))
  }
  return yield* Effect.forEach(given, (id) => Effect.fromResult(ThreadId.parse(id, what)))
})

const make = (path: string, durable: Tables, ephemeral: Tables): ThreadStoreService => {
  const ephemeralIds = new Set<string>()

  const toBridgeError = (error: SqlError | BridgeError): BridgeError => {
    if (error._tag === "BridgeError") return error
    const message = SqliteClient.isCorruption(error)
      ? new Corrupt({ path, cause: error }).message
      : `The thread store ${path} failed: ${error.reason.message}`
    return refuse(new Internal({ message, cause: error }))
  }

  /** Goes to the database that has the thread. */
  const on = <A, R>(
    given: string,
    use: (tables: Tables, threadId: string) => Effect.Effect<A, SqlError | BridgeError, R>
  ): Effect.Effect<A, BridgeError, R> =>
    Effect.flatMap(
      Effect.fromResult(ThreadId.parse(given)),
      (threadId) => Effect.mapError(use(ephemeralIds.has(threadId) ? ephemeral : durable, threadId), toBridgeError)
    )

  /** An operation on what is on disk. Ephemeral threads have no part in it. */
  const exposed = <Args extends ReadonlyArray<unknown>, A>(
    operation: (...args: Args) => Effect.Effect<A, SqlError | BridgeError>
  ) =>
  (...args: Args): Effect.Effect<A, BridgeError> => Effect.mapError(operation(...args), toBridgeError)

  /** Makes a thread in the database that is for it. */
  const settle = Effect.fnUntraced(function*(
    record: ThreadRecord,
    insert: (tables: Tables) => Effect.Effect<unknown, SqlError | BridgeError>
  ): Effect.fn.Return<ThreadRecord, SqlError | BridgeError> {
    const [own, other] = record.ephemeral ? [ephemeral, durable] : [durable, ephemeral]
    if (yield* other.threads.exists(record.id)) return yield* Threads.alreadyExists(record.id)
    yield* insert(own)
    if (record.ephemeral) ephemeralIds.add(record.id)
    return record
  })

  const recoverIn = Effect.fnUntraced(function*({ copying, writers }: Tables, threadId: string, owned: boolean) {
    const turnIds = yield* writers.unlessRun(threadId, owned, copying.recover(threadId))
    return (turnIds ?? []).map((turnId): Recovered => ({ threadId, turnId }))
  })

  return {
    path,

    create: Effect.fn("ThreadStore.create")(function*(thread) {
      const id = yield* Effect.fromResult(ThreadId.parse(thread.id))
      const record = newThread({ ...thread, id })
      return yield* settle(record, ({ threads }) => threads.insert(record))
    }, Effect.mapError(toBridgeError)),
    get: Effect.fn("ThreadStore.get")((threadId) => on(threadId, ({ threads }, id) => threads.get(id))),
    update: Effect.fn("ThreadStore.update")((threadId, patch) =>
      on(
        threadId,
        ({ threads }, id) => Effect.map(threads.modify(id, () => [undefined, patch]), ([, thread]) => thread)
      )
    ),
    modify: (threadId, change) => on(threadId, ({ threads }, id) => threads.modify(id, change)),
    list: Effect.fn("ThreadStore.list")(function*(query) {
      const parentThreadId = yield* parsed(query.parentThreadId, "parent thread id")
      const ancestorThreadId = yield* parsed(query.ancestorThreadId, "ancestor thread id")
      const includedThreadIds = yield* parsedAll(query.includedThreadIds, "included thread id")
      const excludedThreadIds = yield* parsedAll(query.excludedThreadIds, "excluded thread id")
      return yield* Effect.mapError(
        durable.threads.list({ ...query, parentThreadId, ancestorThreadId, includedThreadIds, excludedThreadIds }),
        toBridgeError
      )
    }),
    remove: Effect.fn("ThreadStore.remove")((threadId) =>
      on(
        threadId,
        ({ threads }, id) => Effect.tap(threads.remove(id), () => Effect.sync(() => ephemeralIds.delete(id)))
      )
    ),
    archive: Effect.fn("ThreadStore.archive")((threadId) =>
      on(threadId, ({ threads }, id) => threads.setArchived(id, true))
    ),
    unarchive: Effect.fn("ThreadStore.unarchive")((threadId) =>
      on(threadId, ({ threads }, id) => threads.setArchived(id, false))
    ),

    startTurn: Effect.fn("ThreadStore.startTurn")((threadId, turn) =>
      on(threadId, ({ history }, id) => history.startTurn(id, turn.id, turn.startedAt))
    ),
    endTurn: Effect.fn("ThreadStore.endTurn")((threadId, turnId, end) =>
      on(threadId, ({ history }, id) => history.endTurn(id, turnId, end))
    ),
    getTurn: Effect.fn("ThreadStore.getTurn")((threadId, turnId) =>
      on(threadId, ({ history }, id) => history.getTurn(id, turnId))
    ),
    setUsage: Effect.fn("ThreadStore.setUsage")((threadId, turnId, usage) =>
      on(threadId, ({ history }, id) => history.setUsage(id, turnId, usage))
    ),
    setAgentTurn: Effect.fn("ThreadStore.setAgentTurn")((threadId, turnId, agentTurnId) =>
      on(threadId, ({ history }, id) => history.setAgentTurn(id, turnId, agentTurnId))
    ),
    lastUsage: Effect.fn("ThreadStore.lastUsage")((threadId) =>
      on(threadId, ({ history }, id) => history.lastUsage(id))
    ),
    // Once or twice an item of every turn: no span.
    putItem: (threadId, turnId, item) => on(threadId, ({ history }, id) => history.putItem(id, turnId, item)),
    // For every few words of every turn.
    appendTexts: (threadId, turnId, texts) => on(threadId, ({ history }, id) => history.appendTexts(id, turnId, texts)),
    listTurns: Effect.fn("ThreadStore.listTurns")((threadId, query) =>
      on(threadId, ({ history }, id) => history.listTurns(id, query))
    ),
    listItems: Effect.fn("ThreadStore.listItems")((threadId, query) =>
      on(threadId, ({ history }, id) => history.listItems(id, query))
    ),
    timeline: Effect.fn("ThreadStore.timeline")((threadId, query) =>
      on(threadId, ({ timeline }, id) => timeline.list(id, query))
    ),
    readItems: Effect.fn("ThreadStore.readItems")((threadId, turnId, itemIds) =>
      on(threadId, ({ history }, id) => history.readItems(id, turnId, itemIds))
    ),
    search: Effect.fn("ThreadStore.search")((query, onFound) =>
      Effect.mapError(durable.search.search(query, onFound), toBridgeError)
    ),
    searchIn: Effect.fn("ThreadStore.searchIn")((threadId, term, query) =>
      on(threadId, ({ search }, id) => search.places(id, term, query))
    ),
    historyCursors: Effect.fn("ThreadStore.historyCursors")((threadId) =>
      on(threadId, ({ history }, id) => history.cursors(id))
    ),

    fork: Effect.fn("ThreadStore.fork")(function*(threadId, options) {
      const id = yield* Effect.fromResult(ThreadId.parse(options.id))
      const snapshot = yield* on(threadId, ({ copying }, source) => copying.snapshot(source, options))
      const record = Copying.forked(snapshot, { ...options, id })
      return yield* Effect.mapError(settle(record, ({ copying }) => copying.adopt(snapshot, record)), toBridgeError)
    }),
    revert: Effect.fn("ThreadStore.revert")((threadId, { at, beforeTurnId }) =>
      on(threadId, ({ copying }, id) => copying.revert(id, beforeTurnId, at))
    ),

    recover: Effect.fn("ThreadStore.recover")((threadId) => on(threadId, (tables, id) => recoverIn(tables, id, true))),
    recoverAll: Effect.gen(function*() {
      const running = yield* durable.history.running
      const recovered = yield* Effect.forEach(running, (threadId) => recoverIn(durable, threadId, false))
      return recovered.flat()
    }).pipe(Effect.mapError(toBridgeError), Effect.withSpan("ThreadStore.recoverAll")),
    prune: Effect.fn("ThreadStore.prune")(function*({ before, most }) {
      const { threads, writers } = durable
      let removed = 0
      for (const threadId of yield* threads.unused(before, most)) {
        // Whoever has loaded it in the meantime keeps it.
        const gone = yield* writers.unlessRun(threadId, false, Effect.as(threads.remove(threadId), true))
        if (gone === true) removed++
        yield* Effect.yieldNow
      }
      return removed
    }, Effect.mapError(toBridgeError)),
    acquireWriter: Effect.fn("ThreadStore.acquireWriter")((threadId) =>
      on(threadId, ({ writers }, id) =>
        Effect.suspend(() => {
          const token = randomUUID()
          return Effect.acquireRelease(
            writers.acquire(id, token),
            () =>
              Effect.catch(writers.release(token), (error) =>
                // The next one finds that this process is gone, or has given it back after all.
                Effect.logError(`Could not give back thread ${id}: ${error.reason.message}`))
          )
        }))
    ),
    writer: Effect.fn("ThreadStore.writer")((threadId) => on(threadId, ({ writers }, id) => writers.owner(id))),

    sections: {
      list: exposed(durable.sections.list),
      create: exposed(durable.sections.create),
      update: exposed(durable.sections.update),
      remove: exposed(durable.sections.remove),
      move: exposed(durable.sections.move)
    },
    projects: {
      read: exposed(durable.projects.read),
      list: exposed(durable.projects.list),
      create: exposed(durable.projects.create),
      update: exposed(durable.projects.update),
      remove: exposed(durable.projects.remove),
      move: exposed(durable.projects.move)
    },
    attachments: {
      add: exposed(durable.attachments.add),
      remove: exposed(durable.attachments.remove),
      list: exposed(durable.attachments.list),
      owners: exposed(durable.attachments.owners)
    }
  }
}

/** Nobody else has a database in memory. */
const alone: Writers.Liveness = {
  self: { pid: process.pid, startTime: "this" },
  isAlive: () => Effect.succeed(true)
}

const openMemory = Effect.flatMap(SqliteClient.makeMemory, (sql) => openTables(sql, inMemory, alone))

const makeMemory = Effect.map(
  Effect.all([openMemory, openMemory]),
  ([durable, ephemeral]) => make(inMemory, durable, ephemeral)
)

const makeFile = Effect.fnUntraced(function*(options: Options) {
  const table = yield* ProcessTable
  const notIdentified = (detail: string, cause: unknown) =>
    new StoreError({ reason: new NotOpened({ path: options.path, step: "identify", detail, cause }) })
  const found = yield* Effect.mapError(table.identify(process.pid), (error) => notIdentified(error.message, error))
  if (Option.isNone(found)) return yield* notIdentified("the process table does not show this process", undefined)
  const liveness: Writers.Liveness = {
    self: found.value,
    isAlive: (identity) =>
      Effect.catch(table.isAlive(identity), (error) =>
        // Better a thread that cannot be resumed than one that two processes run.
        Effect.as(Effect.logWarning(`Cannot tell whether process ${identity.pid} runs: ${error.message}`), true))
  }
  const sql = yield* SqliteClient.make(options)
  return make(options.path, yield* openTables(sql, options.path, liveness), yield* openMemory)
})
