/**
 * The threads that are loaded in this process.
 *
 * A loaded thread holds the right to run it, so that no other process does; it costs no agent until its first turn. When
 * there are as many as there may be, one that is idle and that nobody watches makes room.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { AgentBackend } from "../../agent/AgentBackend.ts"
import { BridgeConfig } from "../BridgeConfig.ts"
import {
  type BridgeError,
  InvalidRequest,
  NoSuchThread,
  refuse,
  ThreadArchived,
  ThreadNotLoaded
} from "../BridgeError.ts"
import { Clients } from "../Clients.ts"
import * as ThreadId from "../store/ThreadId.ts"
import type { NewThread, ThreadRecord } from "../store/ThreadRecord.ts"
import { ThreadStore } from "../store/ThreadStore.ts"
import { LiveThread } from "./LiveThread.ts"

interface Loaded {
  readonly thread: LiveThread
  readonly scope: Scope.Closeable
}

export class Threads extends Context.Service<Threads, {
  /** Ids, in the order of loading. */
  readonly ids: () => ReadonlyArray<string>
  readonly find: (threadId: string) => LiveThread | undefined
  /** `ThreadNotLoaded` if it is not loaded, `InvalidRequest` if the id is none. */
  readonly get: (threadId: string) => Effect.Effect<LiveThread, BridgeError>
  /** Stores a new thread and loads it. */
  readonly start: (thread: NewThread) => Effect.Effect<LiveThread, BridgeError>
  /** Loads a thread that was just stored. */
  readonly adopt: (record: ThreadRecord) => Effect.Effect<LiveThread, BridgeError>
  /** Loads a stored thread, if it is not. `NoSuchThread`, `ThreadArchived`, `ActiveWriter`. */
  readonly load: (threadId: string) => Effect.Effect<LiveThread, BridgeError>
  /** Ends its turn, if one runs, and lets go of it. */
  readonly unload: (threadId: string) => Effect.Effect<void>
  /** Sends no message that waits from now on, and ends when no turn runs. */
  readonly drain: Effect.Effect<void>
  /** Interrupts the turns that run, and waits for their ends. */
  readonly interruptAll: Effect.Effect<void>
  /** How many turns run. */
  readonly running: () => number
  /** Gives the ids of requests to clients. One counter, as a request may be asked on several connections. */
  readonly nextRequestId: () => number
}>()("effect-codex-bridge/bridge/Threads") {}

/** When the start of the process is over for certain. */
const pruneDelay = "10 seconds"
const pruneAgeMs = 24 * 60 * 60 * 1000
const pruneMost = 1000

/**
 * Clients start threads that they may need, and many never say anything in them. Once a process, those of days ago are
 * removed.
 */
const prune = (store: ThreadStore["Service"]): Effect.Effect<void> =>
  Effect.gen(function*() {
    yield* Effect.sleep(pruneDelay)
    const before = (yield* Clock.currentTimeMillis) - pruneAgeMs
    const removed = yield* store.prune({ before, most: pruneMost })
    if (removed > 0) yield* Effect.logInfo(`Removed ${removed} threads that were never used`)
  }).pipe(
    // The next process tries again.
    Effect.catch((error) => Effect.logError(error.message))
  )

const make = Effect.gen(function*() {
  const { limits, provider } = yield* BridgeConfig
  const backend = yield* AgentBackend
  const clients = yield* Clients
  const store = yield* ThreadStore
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const loaded = new Map<string, Loaded>()
  const loading = yield* Semaphore.make(1)
  let requestId = 0
  let draining = false
  const nextRequestId = () => requestId++

  const unload = (threadId: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const entry = loaded.get(threadId)
      if (entry === undefined) return Effect.void
      return Effect.andThen(
        entry.thread.stop,
        Effect.suspend(() => {
          loaded.delete(threadId)
          return Scope.close(entry.scope, Exit.void)
        })
      )
    })

  // Turns that a dead process has left running: lists and histories must not show them as running.
  yield* store.recoverAll.pipe(
    Effect.flatMap((recovered) =>
      recovered.length === 0
        ? Effect.void
        : Effect.logInfo(`Ended ${recovered.length} turns that another process had left running`)
    ),
    // Each thread is looked at once more when it is loaded.
    Effect.catch((error) => Effect.logError(error.message))
  )

  yield* Effect.forkScoped(prune(store))

  // Whatever ends the process, a turn that runs is ended first and stored as such.
  yield* Effect.addFinalizer(() => Effect.forEach([...loaded.keys()], unload, { concurrency: "unbounded" }))

  const makeRoom = Effect.suspend((): Effect.Effect<void, BridgeError> => {
    if (loaded.size < limits.loadedThreads) return Effect.void
    for (const { thread } of loaded.values()) {
      // An ephemeral thread is nowhere else.
      if (thread.turn === undefined && thread.watchers.size === 0 && !thread.record.ephemeral) return unload(thread.id)
    }
    return Effect.fail(refuse(
      new InvalidRequest({
        message: `${loaded.size} threads are loaded, and all of them are in use: close some (limits.loaded_threads).`
      })
    ))
  })

  const open = (record: ThreadRecord): Effect.Effect<LiveThread, BridgeError> =>
    Effect.uninterruptible(Effect.gen(function*() {
      const scope = yield* Scope.make()
      return yield* Effect.gen(function*() {
        yield* Scope.provide(store.acquireWriter(record.id), scope)
        yield* store.recover(record.id)
        const usage = yield* store.lastUsage(record.id)
        const thread = new LiveThread({
          record,
          store,
          backend,
          provider,
          clients,
          used: usage?.usage,
          approvalGrace: limits.approvalGraceMs,
          nextRequestId,
          fork,
          scope
        })
        if (draining) thread.queue.close()
        loaded.set(record.id, { thread, scope })
        return thread
      }).pipe(Effect.onError(() => Scope.close(scope, Exit.void)))
    }))

  const find = (threadId: string) => loaded.get(threadId)?.thread

  const running = () => [...loaded.values()].filter(({ thread }) => thread.status.type === "active")

  const rest: Effect.Effect<void> = Effect.suspend(() => {
    const [first] = running()
    return first === undefined ? Effect.void : Effect.andThen(first.thread.rest, rest)
  })

  return Threads.of({
    ids: () => [...loaded.keys()],
    find,
    get: (threadId) =>
      Effect.suspend(() => {
        const thread = find(threadId)
        if (thread !== undefined) return Effect.succeed(thread)
        return Effect.flatMap(Effect.fromResult(ThreadId.parse(threadId)), (id) => {
          const thread = find(id)
          return thread === undefined
            ? Effect.fail(refuse(new ThreadNotLoaded({ threadId: id })))
            : Effect.succeed(thread)
        })
      }),
    start: (thread) => loading.withPermit(Effect.andThen(makeRoom, Effect.flatMap(store.create(thread), open))),
    adopt: (record) => loading.withPermit(Effect.andThen(makeRoom, open(record))),
    load: (threadId) =>
      loading.withPermit(Effect.suspend(() => {
        const thread = find(threadId)
        if (thread !== undefined) return Effect.succeed(thread)
        return Effect.gen(function*() {
          const record = yield* store.get(threadId)
          if (record.archived) return yield* refuse(new ThreadArchived({ threadId }))
          if (record.ephemeral) return yield* refuse(new NoSuchThread({ threadId }))
          yield* makeRoom
          const opened = yield* open(record)
          opened.watchers.notify("thread/status/changed", { threadId: opened.id, status: opened.status })
          return opened
        })
      })),
    unload: (threadId) => loading.withPermit(unload(threadId)),
    drain: Effect.suspend(() => {
      draining = true
      for (const { thread } of loaded.values()) thread.queue.close()
      return rest
    }),
    interruptAll: Effect.suspend(() =>
      Effect.forEach(running(), ({ thread }) => thread.stop, { concurrency: "unbounded", discard: true })
    ),
    running: () => running().length,
    nextRequestId
  })
})

export const layer: Layer.Layer<Threads, never, AgentBackend | BridgeConfig | Clients | ThreadStore> = Layer.effect(
  Threads,
  make
)
