/**
 * Methods of the messages that wait for a thread to come to rest.
 */
import * as Effect from "effect/Effect"
import { InvalidRequest, refuse } from "../BridgeError.ts"
import type { HandlersOf } from "../MethodTable.ts"
import { ThreadStore } from "../store/ThreadStore.ts"
import { Threads } from "./Threads.ts"

/** Elements of a page, unless a client asks for fewer. */
const pageSize = 100

export const handlers = Effect.gen(function*() {
  const store = yield* ThreadStore
  const threads = yield* Threads

  const served: HandlersOf<"queue"> = {
    "thread/queue/list": Effect.fnUntraced(function*({ cursor, limit, threadId }) {
      const { queue } = threads.find(threadId)?.record ?? (yield* store.get(threadId))
      const from = Number(cursor ?? "0")
      if (!/^\d+$/u.test(cursor ?? "0") || !Number.isSafeInteger(from)) {
        const message = "invalid queue pagination cursor: invalid digit found in string"
        return yield* refuse(new InvalidRequest({ message }))
      }
      const to = from + Math.max(1, Math.min(limit ?? pageSize, pageSize))
      return { data: queue.slice(from, to), nextCursor: to < queue.length ? String(to) : null }
    }),
    "thread/queue/add": ({ clientUserMessageId, input, responsesapiClientMetadata, threadId }, _connection, call) =>
      Effect.uninterruptible(Effect.gen(function*() {
        const { queue } = yield* threads.load(threadId)
        const added = yield* queue.add(input, clientUserMessageId, responsesapiClientMetadata)
        call.afterAnswer(added.tell)
        call.afterAnswer(added.run)
        return { queuedSubmission: added.value }
      })),
    "thread/queue/update": Effect.fnUntraced(function*(params, _connection, call) {
      const { queue } = yield* threads.load(params.threadId)
      const { tell, value } = yield* queue.update(
        params.queuedSubmissionId,
        params.input,
        params.responsesapiClientMetadata
      )
      call.afterAnswer(tell)
      return { queuedSubmission: value }
    }),
    "thread/queue/delete": Effect.fnUntraced(function*({ queuedSubmissionId, threadId }, _connection, call) {
      const { tell, value } = yield* (yield* threads.load(threadId)).queue.remove(queuedSubmissionId)
      call.afterAnswer(tell)
      return { deleted: value }
    }),
    "thread/queue/reorder": Effect.fnUntraced(function*({ queuedSubmissionIds, threadId }, _connection, call) {
      const { tell } = yield* (yield* threads.load(threadId)).queue.reorder(queuedSubmissionIds)
      call.afterAnswer(tell)
      return {}
    }),
    "thread/queue/start": ({ queuedSubmissionId, threadId }, _connection, call) =>
      Effect.uninterruptible(Effect.gen(function*() {
        const { queue } = yield* threads.load(threadId)
        const started = yield* queue.start(queuedSubmissionId)
        call.afterAnswer(started.tell)
        call.afterAnswer(started.run)
        return { turn: started.value }
      }))
  }
  return served
})
