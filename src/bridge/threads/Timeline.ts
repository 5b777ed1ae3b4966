/**
 * The method that reads the history of a thread as one list.
 */
import * as Effect from "effect/Effect"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { BridgeConfig } from "../BridgeConfig.ts"
import { InvalidRequest, NotSupportedYet, refuse } from "../BridgeError.ts"
import type { HandlersOf } from "../MethodTable.ts"
import type { TimelineEntry } from "../store/ThreadQuery.ts"
import { ThreadStore } from "../store/ThreadStore.ts"
import { nothingYet } from "./ThreadReading.ts"
import * as ThreadView from "./ThreadView.ts"

const shown = (entry: TimelineEntry): Strict.ThreadTimelineEntry => {
  const { position } = entry
  if (entry._tag === "Item") {
    const { completedAtMs, item, startedAtMs, turnId } = entry.item
    return { type: "item", position, turnId, item: { ...item, startedAtMs, completedAtMs } }
  }
  const { durationMs, error, id: turnId, status } = entry.turn
  const startedAt = ThreadView.secondsOf(entry.turn.startedAt)
  const completedAt = ThreadView.secondsOf(entry.turn.completedAt)
  return entry._tag === "TurnStarted"
    ? { type: "turnStarted", position, turnId, startedAt }
    : { type: "turnCompleted", position, turnId, status, error, startedAt, completedAt, durationMs }
}

const unavailable = new NotSupportedYet({ what: "thread/timeline/list" })

export const handlers = Effect.gen(function*() {
  const store = yield* ThreadStore
  const { limits } = yield* BridgeConfig

  const served: Pick<HandlersOf<"threads">, "thread/timeline/list"> = {
    "thread/timeline/list": Effect.fnUntraced(function*({ cursor, limit, threadId }) {
      const record = yield* Effect.mapError(store.get(threadId), nothingYet(unavailable.what))
      if (record.ephemeral) return yield* refuse(unavailable)
      if (record.archived) return yield* refuse(new InvalidRequest({ message: `thread ${record.id} is archived` }))
      const { data, nextCursor } = yield* store.timeline(record.id, { cursor, limit, bytes: limits.messageBytes / 2 })
      if (cursor == null && data.length === 0) return yield* refuse(unavailable)
      return { data: data.map(shown), nextCursor, activeRealtimeSessionAtPageStart: null }
    })
  }
  return served
})
