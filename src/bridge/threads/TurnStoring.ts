/**
 * What happens in a turn, as it is stored.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import type { BridgeError } from "../BridgeError.ts"
import type { Output } from "../projection/index.ts"
import type { ThreadStore } from "../store/ThreadStore.ts"

const endStatus = (status: Strict.TurnStatus) => status === "inProgress" ? "interrupted" : status

/** Stores what there is to store of an output of a turn. The goal and what is unread are the thread's. */
export const put = (
  store: ThreadStore["Service"],
  threadId: string,
  turnId: string,
  output: Output
): Effect.Effect<void, BridgeError> => {
  switch (output._tag) {
    case "Notify":
    case "Goal":
    case "Unread":
      return Effect.void
    case "PutItem": {
      const { completedAtMs, item, startedAtMs } = output
      return Effect.asVoid(store.putItem(threadId, turnId, { item, startedAtMs, completedAtMs }))
    }
    case "Usage":
      return Effect.asVoid(store.setUsage(threadId, turnId, output.usage))
    case "Ended":
      return Effect.flatMap(Clock.currentTimeMillis, (completedAt) =>
        Effect.asVoid(store.endTurn(threadId, turnId, {
          status: endStatus(output.turn.status),
          error: output.turn.error ?? null,
          completedAt
        })))
  }
}
