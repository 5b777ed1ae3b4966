/**
 * Methods that change a thread, or what is known of it.
 */
import * as Clock from "effect/Clock"
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { InvalidRequest, NotSupported, refuse, UnknownValue } from "../BridgeError.ts"
import { Clients } from "../Clients.ts"
import type { HandlersOf } from "../MethodTable.ts"
import type { ThreadPatch, ThreadRecord } from "../store/ThreadRecord.ts"
import { ThreadStore } from "../store/ThreadStore.ts"
import { beginning } from "./Beginning.ts"
import type { LiveThread } from "./LiveThread.ts"
import { Threads } from "./Threads.ts"
import * as ThreadSettings from "./ThreadSettings.ts"
import * as ThreadView from "./ThreadView.ts"

type Served =
  | "thread/compact/start"
  | "thread/metadata/update"
  | "thread/name/set"
  | "thread/readState/update"
  | "thread/revert"
  | "thread/settings/update"

/** Changes the settings of a thread, and tells whoever watches it if that changed anything. */
export const applySettings = Effect.fnUntraced(function*(thread: LiveThread, given: ThreadSettings.Given) {
  const patch = yield* Effect.fromResult(ThreadSettings.patchOf(thread.record, given))
  if (patch === undefined) return
  const record = yield* thread.update(patch)
  thread.watchers.notify("thread/settings/updated", {
    threadId: thread.id,
    threadSettings: ThreadSettings.toWire(record)
  })
})

const gitInfo = (
  current: ThreadRecord["gitInfo"],
  given: Open.ThreadMetadataGitInfoUpdateParams | null | undefined
): ThreadRecord["gitInfo"] => {
  if (given === null || given === undefined) return current
  const { branch = null, originUrl = null, sha = null } = { ...current, ...given }
  return { branch, originUrl, sha }
}

export const handlers = Effect.gen(function*() {
  const clients = yield* Clients
  const store = yield* ThreadStore
  const threads = yield* Threads

  /** Changes a thread that may be loaded or not. */
  const update = (threadId: string, patch: ThreadPatch) =>
    Effect.suspend(() => threads.find(threadId)?.update(patch) ?? store.update(threadId, patch))

  const shown = (record: ThreadRecord): Strict.Thread =>
    ThreadView.toThread(record, threads.find(record.id)?.status ?? ThreadView.notLoaded)

  const served: Pick<HandlersOf<"threads">, Served> = {
    "thread/name/set": Effect.fnUntraced(function*({ name, threadId }, _connection, call) {
      const threadName = name.trim()
      if (threadName === "") return yield* refuse(new InvalidRequest({ message: "thread name must not be empty" }))
      const record = yield* update(threadId, { name: threadName })
      call.afterAnswer(() => clients.notify("thread/name/updated", { threadId: record.id, threadName }))
      return {}
    }),

    "thread/metadata/update": Effect.fnUntraced(function*({ gitInfo: given, projectId, threadId }) {
      if (projectId != null) {
        return yield* refuse(new NotSupported({ message: "Projects are not supported by this server." }))
      }
      const { gitInfo: current } = yield* store.get(threadId)
      return { thread: shown(yield* update(threadId, { gitInfo: gitInfo(current, given) })) }
    }),

    "thread/settings/update": Effect.fnUntraced(function*({ threadId, ...given }) {
      yield* applySettings(yield* threads.get(threadId), given)
      return {}
    }),

    "thread/readState/update": Effect.fnUntraced(function*({ expectedRevision, operation, threadId }, _c, call) {
      if (operation.type !== "read" && operation.type !== "unread") {
        return yield* refuse(new UnknownValue({ given: String(operation.type), known: ["read", "unread"] }))
      }
      const page = operation.type === "read"
        ? undefined
        : yield* store.listTurns(threadId, { limit: 1, view: "notLoaded" })
      const lastTurnId = page?.data[0]?.turn.id
      const next: Strict.ThreadReadState = {
        revision: uuidV7Unsafe(),
        firstUnread: lastTurnId === undefined ? null : { type: "turn", turnId: lastTurnId }
      }
      const [readState, record] = yield* store.modify(threadId, (thread) => {
        const current = ThreadView.readStateOf(thread)
        return current.revision === expectedRevision ? [next, { readState: next }] : [current, undefined]
      })
      if (readState !== next) {
        const data = {
          reason: "readStateConflict",
          readState: { ...readState, firstUnread: readState.firstUnread ?? null }
        }
        return yield* refuse(new InvalidRequest({ message: "read state changed", data }))
      }
      call.afterAnswer(() => clients.notify("thread/readState/changed", { threadId: record.id, readState }))
      return { readState }
    }),

    "thread/revert": Effect.fnUntraced(function*({ beforeTurnId, threadId }, _connection, call) {
      const thread = yield* threads.get(threadId)
      yield* thread.stop
      yield* store.revert(thread.id, { beforeTurnId, at: yield* Clock.currentTimeMillis })
      // The agent's own session still knows what was taken back: the next turn begins with a new one.
      const record = yield* thread.restart
      const cursors = yield* store.historyCursors(thread.id)
      call.afterAnswer(() => thread.watchers.notify("thread/reverted", { threadId: thread.id }))
      return {
        thread: shown(record),
        turnsBackwardsCursor: cursors.turns,
        itemsBackwardsCursor: cursors.items
      }
    }),

    "thread/compact/start": Effect.fnUntraced(function*({ threadId }, _connection, call) {
      const thread = yield* threads.get(threadId)
      return yield* beginning(Effect.map(thread.compact(), (run) => ({ run })), call)
    })
  }
  return served
})
