/**
 * Methods that read threads: one, lists of them, their turns and items.
 */
import * as Effect from "effect/Effect"
import * as ErrorCodes from "../../protocol/ErrorCodes.ts"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { BridgeConfig } from "../BridgeConfig.ts"
import { type BridgeError, InvalidRequest, refuse, UnknownValue } from "../BridgeError.ts"
import type { HandlersOf } from "../MethodTable.ts"
import type { Direction, ItemsView, TurnPage } from "../store/ThreadQuery.ts"
import type { ItemRecord, ThreadRecord } from "../store/ThreadRecord.ts"
import { ThreadStore } from "../store/ThreadStore.ts"
import type { LiveThread } from "./LiveThread.ts"
import * as ReadState from "./ReadState.ts"
import { Threads } from "./Threads.ts"
import * as ThreadView from "./ThreadView.ts"

type Served = "thread/items/list" | "thread/list" | "thread/loaded/list" | "thread/read" | "thread/turns/list"

/** Turns that `includeTurns` answers at most: a client that wants more reads them page by page. */
const wholeHistory = 100

export const oneOf = <A extends string>(known: ReadonlyArray<A>) => (given: string | null | undefined) => {
  if (given === null || given === undefined) return Effect.undefined
  const found = known.find((value) => value === given)
  return found === undefined ? Effect.fail(refuse(new UnknownValue({ given, known }))) : Effect.succeed(found)
}

export const direction = oneOf<Direction>(["asc", "desc"])
const sortKey = oneOf(["created_at", "updated_at", "recency_at", "section_position"])
const itemsView = oneOf<ItemsView>(["notLoaded", "summary", "full"])

const sortKeys = {
  created_at: "createdAt",
  updated_at: "updatedAt",
  recency_at: "recencyAt",
  section_position: "sectionPosition"
} as const

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

/** As the real server says it here, and nowhere else. */
export const unknownToRead = (error: BridgeError): BridgeError =>
  error.reason._tag === "NoSuchThread"
    ? refuse(new InvalidRequest({ message: ErrorCodes.threadNotLoaded(error.reason.threadId).message }))
    : error

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
      if (params.projectId != null) yield* store.projects.read(params.projectId)
      const key = yield* sortKey(params.sortKey)
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
        sortKey: key === undefined ? undefined : sortKeys[key],
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
      const ids = threads.ids().toSorted()
      const from = cursor == null ? 0 : ids.findIndex((id) => id > cursor)
      const data = from < 0 ? [] : ids.slice(from, from + Math.max(1, limit ?? ids.length))
      const last = data.at(-1)
      return { data, nextCursor: last === undefined || last === ids.at(-1) ? null : last }
    }),
    "thread/turns/list": ({ threadId, ...params }) => Effect.provide(turnsPage(threadId, params, bytes), context),
    "thread/items/list": Effect.fnUntraced(function*(params) {
      const { cursor } = params
      if (typeof cursor === "object" && cursor !== null && !("itemId" in cursor && typeof cursor.itemId === "string")) {
        return yield* refuse(new InvalidRequest({ message: "Invalid request: unknown kind of cursor" }))
      }
      const page = yield* store.listItems(params.threadId, {
        turnId: params.turnId,
        cursor: typeof cursor === "object" && cursor !== null ? { itemId: String(cursor.itemId) } : cursor,
        limit: params.limit,
        bytes,
        direction: yield* direction(params.sortDirection)
      })
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
