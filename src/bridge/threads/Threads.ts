/**
 * The threads that are loaded in this process.
 *
 * A loaded thread holds the right to run it, so that no other process does; it costs no agent until its first turn. When
 * there are as many as there may be, one that is idle and that nobody watches makes room.
 */
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
  /** `ThreadNotLoaded` if it is not loaded. */
  readonly get: (threadId: string) => Effect.Effect<LiveThread, BridgeError>
  /** Stores a new thread and loads it. */
  readonly start: (thread: NewThread) => Effect.Effect<LiveThread, BridgeError>
  /** Loads a thread that was just stored. */
  readonly adopt: (record: ThreadRecord) => Effect.Effect<LiveThread, BridgeError>
  /** Loads a stored thread, if it is not. `NoSuchThread`, `ThreadArchived`, `ActiveWriter`. */
  readonly load: (threadId: string) => Effect.Effect<LiveThread, BridgeError>
  /** Ends its turn, if one runs, and lets go of it. */
  readonly unload: (threadId: string) => Effect.Effect<void>
  /** Gives the ids of requests to clients. One counter, as a request may be asked on several connections. */
  readonly nextRequestId: () => number
}>()("effect-codex-bridge/bridge/Threads") {}

const make = Effect.gen(function*() {
  const { limits, provider } = yield* BridgeConfig
  const backend = yield* AgentBackend
  const store = yield* ThreadStore
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const loaded = new Map<string, Loaded>()
  const loading = yield* Semaphore.make(1)
  let requestId = 0
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
          used: usage?.total,
          approvalGrace: limits.approvalGraceMs,
          nextRequestId,
          fork,
          scope
        })
        loaded.set(record.id, { thread, scope })
        return thread
      }).pipe(Effect.onError(() => Scope.close(scope, Exit.void)))
    }))

  const find = (threadId: string) => loaded.get(threadId)?.thread

  return Threads.of({
    ids: () => [...loaded.keys()],
    find,
    get: (threadId) =>
      Effect.suspend(() => {
        const thread = find(threadId)
        return thread === undefined ? Effect.fail(refuse(new ThreadNotLoaded({ threadId }))) : Effect.succeed(thread)
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
          return yield* open(record)
        })
      })),
    unload: (threadId) => loading.withPermit(unload(threadId)),
    nextRequestId
  })
})

export const layer: Layer.Layer<Threads, never, AgentBackend | BridgeConfig | ThreadStore> = Layer.effect(Threads, make)
