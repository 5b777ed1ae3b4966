/**
 * Methods that change a thread, or what is known of it.
 */
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { InvalidRequest, refuse, UnknownValue } from "../BridgeError.ts"
import { Clients } from "../Clients.ts"
import type { HandlersOf } from "../MethodTable.ts"
import type { ThreadPatch, ThreadRecord } from "../store/ThreadRecord.ts"
import { ThreadStore } from "../store/ThreadStore.ts"
import { beginning } from "./Beginning.ts"
import type { LiveThread } from "./LiveThread.ts"
import * as Organizing from "./Organizing.ts"
import * as ReadState from "./ReadState.ts"
import * as ThreadReading from "./ThreadReading.ts"
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
  if (branch === null && originUrl === null && sha === null) return null
  return { branch: branch?.trim() ?? null, originUrl: originUrl?.trim() ?? null, sha: sha?.trim() ?? null }
}

/** The first member, in the real server's order, that is there and says nothing. */
const emptyOf = (given: Open.ThreadMetadataGitInfoUpdateParams): string | undefined =>
  (["originUrl", "sha", "branch"] as const).find((name) => given[name]?.trim() === "")

export const handlers = Effect.gen(function*() {
  const clients = yield* Clients
  const store = yield* ThreadStore
  const threads = yield* Threads

  /** Changes a thread that may be loaded or not. */
  const update = (threadId: string, patch: ThreadPatch) =>
    Effect.suspend(() => threads.find(threadId)?.update(patch) ?? store.update(threadId, patch))

  const hasTurn = (threadId: string, turnId: string) =>
    Effect.as(store.getTurn(threadId, turnId), true).pipe(
      Effect.catchIf(({ reason }) => reason._tag === "InvalidRequest", () => Effect.succeed(false))
    )

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

    "thread/metadata/update": Effect.fnUntraced(function*({ daybreakEnabled, gitInfo: given, projectId, threadId }) {
      if (given == null && projectId == null && daybreakEnabled == null) {
        return yield* refuse(new InvalidRequest({ message: "thread metadata update must include at least one field" }))
      }
      if (given != null && Object.keys(given).length === 0) {
        return yield* refuse(new InvalidRequest({ message: "gitInfo must include at least one field" }))
      }
      const empty = given == null ? undefined : emptyOf(given)
      if (empty !== undefined) {
        return yield* refuse(new InvalidRequest({ message: `gitInfo.${empty} must not be empty` }))
      }
      const before = yield* store.get(threadId)
      // An empty one takes the thread out of its project: null leaves it there.
      if (projectId != null && projectId !== "") yield* Organizing.existing(store, projectId)
      const record = yield* update(threadId, {
        gitInfo: gitInfo(before.gitInfo, given),
        ...(projectId == null ? {} : { projectId: projectId === "" ? null : projectId })
      })
      if (record.projectId !== before.projectId) {
        clients.notify("thread/project/updated", { threadId: record.id, projectId: record.projectId })
      }
      return { thread: shown(record) }
    }),

    "thread/settings/update": Effect.fnUntraced(function*({ threadId, ...given }) {
      yield* applySettings(yield* threads.get(threadId), given)
      return {}
    }),

    "thread/readState/update": Effect.fnUntraced(function*({ expectedRevision, operation, threadId }) {
      if (operation.type !== "read" && operation.type !== "unread") {
        return yield* refuse(new UnknownValue({ given: String(operation.type), known: ["read", "unread"] }))
      }
      const next = ReadState.marked(operation.type, uuidV7Unsafe())
      const change = store.modify(threadId, (thread) => {
        const current = ReadState.of(thread)
        return current?.revision === expectedRevision ? [next, { readState: next }] : [current, undefined]
      })
      // A turn that ends meanwhile changes it before, or after.
      const loaded = threads.find(threadId)
      const [readState, record] = yield* Effect.mapError(
        loaded === undefined ? change : loaded.quietly(change),
        ThreadReading.unknownToRead
      )
      if (readState === null) return yield* refuse(new InvalidRequest({ message: "thread read state unavailable" }))
      if (readState !== next) {
        const data = {
          reason: "readStateConflict",
          readState: { ...readState, firstUnread: readState.firstUnread ?? null }
        }
        return yield* refuse(new InvalidRequest({ message: "read state changed", data }))
      }
      clients.notify("thread/readState/changed", { threadId: record.id, readState })
      return { readState }
    }),

    "thread/revert": Effect.fnUntraced(function*({ beforeTurnId, threadId }, _connection, call) {
      const thread = yield* threads.get(threadId)
      const tell = (status: Strict.ThreadStatus) =>
        thread.watchers.notify("thread/status/changed", { threadId: thread.id, status })
      yield* thread.stop
      // The real server loads the thread anew, whether or not there is such a turn, and says so.
      tell(ThreadView.notLoaded)
      const record = yield* Effect.gen(function*() {
        const reverted = yield* thread.revert(beforeTurnId)
        const unread = reverted.readState?.firstUnread
        if (unread?.type === "turn" && !(yield* hasTurn(thread.id, unread.turnId))) {
          yield* thread.unread(ReadState.without(unread.turnId, uuidV7Unsafe()))
        }
        return reverted
      }).pipe(Effect.ensuring(Effect.sync(() => tell(thread.status))))
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
