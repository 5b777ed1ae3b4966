/**
 * Methods that read threads: one, lists of them, their turns and items.
 */
import * as Effect from "effect/Effect"
import * as ErrorCodes from "../../protocol/ErrorCodes.ts"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { type BridgeError, InvalidRequest, refuse, UnknownValue } from "../BridgeError.ts"
import type { HandlersOf } from "../MethodTable.ts"
import type { Direction, ItemsView, TurnPage } from "../store/ThreadQuery.ts"
import type { ItemRecord, ThreadRecord } from "../store/ThreadRecord.ts"
import { ThreadStore } from "../store/ThreadStore.ts"
import type { LiveThread } from "./LiveThread.ts"
import { Threads } from "./Threads.ts"
import * as ThreadView from "./ThreadView.ts"

type Served = "thread/items/list" | "thread/list" | "thread/loaded/list" | "thread/read" | "thread/turns/list"

/** Turns that `includeTurns` answers at most: a client that wants more reads them page by page. */
const wholeHistory = 100

const oneOf = <A extends string>(known: ReadonlyArray<A>) => (given: string | null | undefined) => {
  if (given === null || given === undefined) return Effect.undefined
  const found = known.find((value) => value === given)
  return found === undefined ? Effect.fail(refuse(new UnknownValue({ given, known }))) : Effect.succeed(found)
}

const direction = oneOf<Direction>(["asc", "desc"])
const sortKey = oneOf(["created_at", "updated_at", "recency_at"])
const itemsView = oneOf<ItemsView>(["notLoaded", "summary", "full"])

const sortKeys = { created_at: "createdAt", updated_at: "updatedAt", recency_at: "recencyAt" } as const

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
const unknownToRead = (error: BridgeError): BridgeError =>
  error.reason._tag === "NoSuchThread"
    ? refuse(new InvalidRequest({ message: ErrorCodes.threadNotLoaded(error.reason.threadId).message }))
    : error

const itemEntry = ({ completedAtMs, item, startedAtMs, turnId }: ItemRecord): Strict.ThreadItemEntry => ({
  turnId,
  item,
  startedAtMs,
  completedAtMs
})

/** Pages of the history of a thread, as `thread/turns/list` and the answers that begin with one have them. */
export const turnsPage = Effect.fnUntraced(function*(
  threadId: string,
  params: Pick<Open.ThreadTurnsListParams, "cursor" | "itemsView" | "limit" | "sortDirection">
) {
  const store = yield* ThreadStore
  const threads = yield* Threads
  const page = yield* store.listTurns(threadId, {
    cursor: params.cursor,
    limit: params.limit,
    direction: yield* direction(params.sortDirection),
    view: yield* itemsView(params.itemsView)
  })
  return {
    data: withRunning(page, threads.find(threadId)),
    nextCursor: page.nextCursor,
    backwardsCursor: page.backwardsCursor
  }
})

/** The newest turns with all their items, oldest first, for clients that want a thread in one piece. */
export const turns = Effect.fnUntraced(function*(threadId: string) {
  const page = yield* turnsPage(threadId, { limit: wholeHistory, sortDirection: "desc", itemsView: "full" })
  return page.data.toReversed()
})

export const handlers = Effect.gen(function*() {
  const store = yield* ThreadStore
  const threads = yield* Threads
  const context = yield* Effect.context<ThreadStore | Threads>()

  const shown = (record: ThreadRecord): Strict.Thread =>
    ThreadView.toThread(record, threads.find(record.id)?.status ?? ThreadView.notLoaded)

  const served: Pick<HandlersOf<"threads">, Served> = {
    "thread/read": Effect.fnUntraced(function*({ includeTurns, threadId }) {
      const record = yield* Effect.mapError(store.get(threadId), unknownToRead)
      const thread = shown(record)
      const history = includeTurns === true ? yield* Effect.provide(turns(record.id), context) : []
      return { thread: { ...thread, turns: history }, readState: ThreadView.readStateOf(record) }
    }),
    "thread/list": Effect.fnUntraced(function*(params) {
      // Neither is there any: nothing can be in one, or attached.
      if (params.projectId != null || params.attachedToThreadId != null) {
        return { data: [], nextCursor: null, backwardsCursor: null }
      }
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
        includedThreadIds: params.includedThreadIds,
        excludedThreadIds: params.excludedThreadIds,
        sortKey: key === undefined ? undefined : sortKeys[key],
        direction: yield* direction(params.sortDirection),
        cursor: params.cursor,
        limit: params.limit
      })
      return {
        data: page.data.map(shown),
        nextCursor: page.nextCursor,
        backwardsCursor: page.backwardsCursor,
        readStates: Object.fromEntries(page.data.map((record) => [record.id, ThreadView.readStateOf(record)]))
      }
    }),
    "thread/loaded/list": Effect.fnUntraced(function*({ cursor, limit }) {
      const ids = threads.ids().toSorted()
      const from = cursor == null ? 0 : ids.findIndex((id) => id > cursor)
      const data = from < 0 ? [] : ids.slice(from, from + Math.max(1, limit ?? ids.length))
      const last = data.at(-1)
      return { data, nextCursor: last === undefined || last === ids.at(-1) ? null : last }
    }),
    "thread/turns/list": ({ threadId, ...params }) => Effect.provide(turnsPage(threadId, params), context),
    "thread/items/list": Effect.fnUntraced(function*(params) {
      const { cursor } = params
      if (typeof cursor === "object" && cursor !== null && !("itemId" in cursor && typeof cursor.itemId === "string")) {
        return yield* refuse(new InvalidRequest({ message: "Invalid request: unknown kind of cursor" }))
      }
      const page = yield* store.listItems(params.threadId, {
        turnId: params.turnId,
        cursor: typeof cursor === "object" && cursor !== null ? { itemId: String(cursor.itemId) } : cursor,
        limit: params.limit,
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
