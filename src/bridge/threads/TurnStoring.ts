/**
 * What happens in a turn, as it is stored.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import type { BridgeError } from "../BridgeError.ts"
import type { Notify, Output } from "../projection/index.ts"
import * as ItemText from "../store/ItemText.ts"
import type { ThreadStore } from "../store/ThreadStore.ts"

const endStatus = (status: Strict.TurnStatus) => status === "inProgress" ? "interrupted" : status

/** What a notification adds to a text of an item. */
const pieceOf = ({ method, params }: Notify): (ItemText.Piece & { readonly itemId: string }) | undefined => {
  switch (method) {
    case "item/agentMessage/delta":
    case "item/plan/delta":
      return { itemId: params.itemId, field: "text", part: 0, delta: params.delta }
    case "item/reasoning/summaryTextDelta":
      return { itemId: params.itemId, field: "summary", part: params.summaryIndex, delta: params.delta }
    case "item/reasoning/textDelta":
      return { itemId: params.itemId, field: "content", part: params.contentIndex, delta: params.delta }
    case "item/commandExecution/outputDelta":
      return { itemId: params.itemId, field: "output", part: 0, delta: params.delta }
    default:
      return undefined
  }
}

/** What the outputs show of the texts of items that are open behind them: those that complete are stored with theirs. */
export const texts = (outputs: ReadonlyArray<Output>): ReadonlyArray<ItemText.ItemText> => {
  const byItem = new Map<string, Array<ItemText.Piece>>()
  for (const output of outputs) {
    if (output._tag === "PutItem" && output.completedAtMs !== null) byItem.delete(output.item.id)
    if (output._tag !== "Notify") continue
    const piece = pieceOf(output)
    if (piece === undefined) continue
    const { itemId, ...rest } = piece
    const known = byItem.get(itemId)
    if (known === undefined) byItem.set(itemId, [rest])
    else ItemText.append(known, rest)
  }
  return Array.from(byItem, ([itemId, pieces]) => ({ itemId, pieces }))
}

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
