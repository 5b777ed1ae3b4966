/**
 * Methods that read threads: one, lists of them, their turns and items.
 */
import * as Effect from "effect/Effect"
import * as ErrorCodes from "../../protocol/ErrorCodes.ts"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { BridgeConfig } from "../BridgeConfig.ts"
import { type BridgeError, InvalidParams, InvalidRequest, NotSupportedYet, refuse } from "../BridgeError.ts"
import type { HandlersOf } from "../MethodTable.ts"
import type { TurnPage } from "../store/ThreadQuery.ts"
import type { ItemRecord, ThreadRecord } from "../store/ThreadRecord.ts"
import { ThreadStore } from "../store/ThreadStore.ts"
import { direction, itemsView, threadSortKey } from "./Choices.ts"
import type { LiveThread } from "./LiveThread.ts"
import * as Organizing from "./Organizing.ts"
import * as ReadState from "./ReadState.ts"
import { Threads } from "./Threads.ts"
import * as ThreadView from "./ThreadView.ts"
import * as Titles from "./Titles.ts"

type Served = "thread/items/list" | "thread/list" | "thread/loaded/list" | "thread/read" | "thread/turns/list"

/** Turns that `includeTurns` answers at most: a client that wants more reads them page by page. */
const wholeHistory = 100

/** The turn that runs is newer here than in the store, which has an item when it starts and when it completes. */
const withRunning = (page: TurnPage, live: LiveThread | undefined): ReadonlyArray<Strict.Turn> => {
  const running = live?.turn
  return page.data.map(({ items, turn, view }) => {
    if (live === undefined || running?.id !== turn.id) return ThreadView.toTurn(turn, view, items)
    const open = live.openItems
    const shown = items.map((record) => ({ ...record, item: open.get(record.item.id) ?? record.item }))
    return { ...ThreadView.toTurn(turn, view, shown), status: running.status }
  })
}

/** As the real server says it of reads and of lists of turns. */
export const unknownToRead = (error: BridgeError): BridgeError =>
  error.reason._tag === "NoSuchThread"
    ? refuse(new InvalidRequest({ message: ErrorCodes.threadNotLoaded(error.reason.threadId).message }))
    : error

/** What the real server says of a thread that it does not know, where it reads the items of one. */
export const nothingYet = (method: string) => (error: BridgeError): BridgeError =>
  error.reason._tag === "NoSuchThread" ? refuse(new NotSupportedYet({ what: method })) : error

export const itemEntry = ({ completedAtMs, item, startedAtMs, turnId }: ItemRecord): Strict.ThreadItemEntry => ({
  turnId,
  item,
  startedAtMs,
  completedAtMs
})

/** Pages of the history of a thread, as `thread/turns/list` and the answers that begin with one have them. */
export const turnsPage = Effect.fnUntraced(function*(
  threadId: string,
  params: Pick<Open.ThreadTurnsListParams, "cursor" | "itemsView" | "limit" | "sortDirection">,
  bytes: number
) {
  const store = yield* ThreadStore
  const threads = yield* Threads
  const page = yield* store.listTurns(threadId, {
    cursor: params.cursor,
    limit: params.limit,
    bytes,
    direction: yield* direction(params.sortDirection),
    view: yield* itemsView(params.itemsView)
  })
  return {
    data: withRunning(page, threads.find(threadId)),
    nextCursor: page.nextCursor,
    backwardsCursor: page.backwardsCursor
  }
})

/**
 * The newest turns with all their items, oldest first, for clients that want a thread in one piece.
 *
 * The real server sends the whole history, whatever its size, and clients that do not take a message of 40 MiB lose
 * their connection each time that they open the thread. A thread without its oldest turns can be worked with, and these
 * can be read page by page.
 */
export const turns = Effect.fnUntraced(function*(threadId: string, bytes: number) {
  const page = yield* turnsPage(threadId, { limit: wholeHistory, sortDirection: "desc", itemsView: "full" }, bytes)
  return page.data.toReversed()
})

export const handlers = Effect.gen(function*() {
  const store = yield* ThreadStore
  const threads = yield* Threads
  const { limits } = yield* BridgeConfig
  // Half of a message: what is stored grows a little on its way, and what runs is newer than what is stored.
  const bytes = limits.messageBytes / 2
  const context = yield* Effect.context<ThreadStore | Threads>()

  const shown = (record: ThreadRecord): Strict.Thread =>
    ThreadView.toThread(record, threads.find(record.id)?.status ?? ThreadView.notLoaded)

  const served: Pick<HandlersOf<"threads">, Served> = {
    "thread/read": Effect.fnUntraced(function*({ includeTurns, threadId }) {
      const record = yield* Effect.mapError(store.get(threadId), unknownToRead)
      const thread = shown(record)
      const history = includeTurns === true ? yield* Effect.provide(turns(record.id, bytes), context) : []
      return { thread: { ...thread, turns: history }, readState: ReadState.of(record) }
    }),
    "thread/list": Effect.fnUntraced(function*(params) {
      if (params.includeAttachedThreads === true && (params.searchTerm ?? "").trim() === "") {
        const message = "includeAttachedThreads requires a non-empty searchTerm"
        return yield* refuse(new InvalidRequest({ message }))
      }
      if (params.projectId === "") return yield* refuse(new InvalidParams({ message: Organizing.emptyProject }))
      if (params.projectId != null) yield* store.projects.read(params.projectId)
      const page = yield* store.list({
        archived: params.archived,
        cwd: params.cwd,
        sourceKinds: params.sourceKinds,
        modelProviders: params.modelProviders,
        originators: params.originators,
        searchTerm: params.searchTerm,
        parentThreadId: params.parentThreadId,
        ancestorThreadId: params.ancestorThreadId,
        // A missing filter filters nothing; null asks for threads that are in no section.
        ...("sectionId" in params && params.sectionId !== undefined ? { sectionId: params.sectionId } : {}),
        projectId: params.projectId,
        attachedToThreadId: params.attachedToThreadId,
        attached: params.includeAttachedThreads,
        includedThreadIds: params.includedThreadIds,
        excludedThreadIds: params.excludedThreadIds,
        sortKey: yield* threadSortKey(params.sortKey),
        direction: yield* direction(params.sortDirection),
        cursor: params.cursor,
        limit: params.limit,
        bytes
      })
      return {
        data: page.data.map(shown),
        nextCursor: page.nextCursor,
        backwardsCursor: page.backwardsCursor,
        readStates: Object.fromEntries(page.data.flatMap((record) => {
          const readState = ReadState.of(record)
          return readState === null ? [] : [[record.id, readState]]
        }))
      }
    }),
    "thread/loaded/list": Effect.fnUntraced(function*({ cursor, limit }) {
      const ids = threads.ids().filter((id) => !Titles.isTitleThread(threads.find(id)?.record.threadSource ?? null))
        .toSorted()
      const from = cursor == null ? 0 : ids.findIndex((id) => id > cursor)
      const data = from < 0 ? [] : ids.slice(from, from + Math.max(1, limit ?? ids.length))
      const last = data.at(-1)
      return { data, nextCursor: last === undefined || last === ids.at(-1) ? null : last }
    }),
    "thread/turns/list": ({ threadId, ...params }) =>
      Effect.mapError(Effect.provide(turnsPage(threadId, params, bytes), context), unknownToRead),
    "thread/items/list": Effect.fnUntraced(function*(params) {
      const { cursor } = params
      if (typeof cursor === "object" && cursor !== null && !("itemId" in cursor && typeof cursor.itemId === "string")) {
        return yield* refuse(new InvalidRequest({ message: "Invalid request: unknown kind of cursor" }))
      }
      const listing = store.listItems(params.threadId, {
        turnId: params.turnId,
        cursor: typeof cursor === "object" && cursor !== null ? { itemId: String(cursor.itemId) } : cursor,
        limit: params.limit,
        bytes,
        direction: yield* direction(params.sortDirection)
      })
      const page = yield* Effect.mapError(listing, nothingYet("thread/items/list"))
      const open = threads.find(params.threadId)?.openItems
      return {
        data: page.data.map((record) => itemEntry({ ...record, item: open?.get(record.item.id) ?? record.item })),
        nextCursor: page.nextCursor,
        backwardsCursor: page.backwardsCursor
      }
    })
  }
  return served
})
