/**
 * Methods that look for something in threads, or pick single things out of them.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { BridgeConfig } from "../BridgeConfig.ts"
import { InvalidRequest, refuse } from "../BridgeError.ts"
import type { Call, ClientConnection } from "../ClientConnection.ts"
import type { HandlersOf } from "../MethodTable.ts"
import { type Found, ThreadStore } from "../store/ThreadStore.ts"
import { direction, searchSortKey } from "./Choices.ts"
import { itemEntry, nothingYet } from "./ThreadReading.ts"
import { Threads } from "./Threads.ts"
import * as ThreadView from "./ThreadView.ts"

/** Items that are read at once. */
const mostItems = 100

const termOf = (method: string, given: string) => {
  const term = given.trim()
  return term === ""
    ? Effect.fail(refuse(new InvalidRequest({ message: `${method} requires a non-empty searchTerm` })))
    : Effect.succeed(term)
}

const keyOf = (connection: ClientConnection, requestId: unknown) => `${connection.id} ${JSON.stringify(requestId)}`

export const handlers = Effect.gen(function*() {
  const { limits } = yield* BridgeConfig
  const store = yield* ThreadStore
  const threads = yield* Threads

  /** Searches that run, by connection and request. */
  const running = new Map<string, Fiber.Fiber<unknown, unknown>>()
  const shown = ({ snippet, thread }: Found): Strict.ThreadSearchResult => ({
    thread: ThreadView.toThread(thread, threads.find(thread.id)?.status ?? ThreadView.notLoaded),
    snippet
  })

  const search = Effect.fnUntraced(function*(
    params: Open.ThreadSearchParams,
    onFound: (found: ReadonlyArray<Found>) => void
  ) {
    const page = yield* store.search({
      searchTerm: yield* termOf("thread/search", params.searchTerm),
      archived: params.archived,
      attached: params.includeAttachedThreads,
      sourceKinds: params.sourceKinds,
      sortKey: yield* searchSortKey(params.sortKey),
      direction: yield* direction(params.sortDirection),
      cursor: params.cursor,
      limit: params.limit,
      bytes: limits.messageBytes / 2
    }, onFound)
    return { data: page.data.map(shown), nextCursor: page.nextCursor, backwardsCursor: page.backwardsCursor }
  })

  /** A search that its client may cancel; it is answered with an error then. */
  const cancellable = <A, E>(effect: Effect.Effect<A, E>, connection: ClientConnection, call: Call) =>
    Effect.suspend(() => {
      const key = keyOf(connection, call.id)
      return Effect.scoped(Effect.gen(function*() {
        const fiber = yield* Effect.forkScoped(effect)
        running.set(key, fiber)
        const exit = yield* Fiber.await(fiber)
        if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) {
          return yield* refuse(new InvalidRequest({ message: "the search was cancelled" }))
        }
        return yield* exit
      })).pipe(Effect.ensuring(Effect.sync(() => running.delete(key))))
    })

  const cancel = ({ requestId }: Open.ThreadSearchCancelParams, connection: ClientConnection) =>
    Effect.sync(() => {
      running.get(keyOf(connection, requestId))?.interruptUnsafe()
      return {}
    })

  const served: HandlersOf<"search"> = {
    "thread/search": (params, connection, call) => cancellable(search(params, () => {}), connection, call),
    "thread/search/stream": (params, connection, call) =>
      cancellable(
        search(params, (found) =>
          connection.notify("thread/search/partial", { requestId: call.id, data: found.map(shown) })),
        connection,
        call
      ),
    "thread/search/cancel": cancel,
    "thread/search/stream/cancel": cancel,
    "thread/searchOccurrences": Effect.fnUntraced(function*({ searchTerm, threadId, ...page }) {
      const term = yield* termOf("thread/searchOccurrences", searchTerm)
      const { data, nextCursor } = yield* Effect.mapError(
        store.searchIn(threadId, term, page),
        nothingYet("thread/searchOccurrences")
      )
      return { data, nextCursor }
    }),
    "thread/items/read": Effect.fnUntraced(function*({ itemIds, threadId, turnId }) {
      if (itemIds.length === 0 || itemIds.length > mostItems) {
        return yield* refuse(new InvalidRequest({ message: `itemIds must contain 1 to ${mostItems} IDs` }))
      }
      const items = yield* Effect.mapError(store.readItems(threadId, turnId, itemIds), nothingYet("thread/items/read"))
      const open = threads.find(threadId)?.openItems
      return { data: items.map((record) => itemEntry({ ...record, item: open?.get(record.id) ?? record.item })) }
    })
  }
  return served
})
