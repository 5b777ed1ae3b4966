/**
 * Methods of a thread's goal.
 */
import * as Effect from "effect/Effect"
import { type BridgeError, refuse, ThreadNotLoaded } from "../BridgeError.ts"
import type { HandlersOf } from "../MethodTable.ts"
import { ThreadStore } from "../store/ThreadStore.ts"
import { Threads } from "./Threads.ts"

/** The real server looks for the thread itself, not for its history. */
const notFound = (threadId: string) => (error: BridgeError) =>
  error.reason._tag === "NoSuchThread" ? refuse(new ThreadNotLoaded({ threadId })) : error

export const handlers = Effect.gen(function*() {
  const store = yield* ThreadStore
  const threads = yield* Threads

  const load = (threadId: string) => Effect.mapError(threads.load(threadId), notFound(threadId))

  const served: HandlersOf<"goals"> = {
    "thread/goal/get": Effect.fnUntraced(function*({ threadId }) {
      const record = threads.find(threadId)?.record ??
        (yield* Effect.mapError(store.get(threadId), notFound(threadId)))
      return { goal: record.goal }
    }),
    "thread/goal/set": Effect.fnUntraced(function*({ threadId, ...change }, _connection, call) {
      const { goal, tell } = yield* (yield* load(threadId)).setGoal(change)
      call.afterAnswer(tell)
      return { goal }
    }),
    "thread/goal/clear": Effect.fnUntraced(function*({ threadId }, _connection, call) {
      const tell = yield* (yield* load(threadId)).clearGoal
      if (tell !== undefined) call.afterAnswer(tell)
      return { cleared: tell !== undefined }
    })
  }
  return served
})
