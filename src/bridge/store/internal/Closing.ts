/**
 * How what was left open is closed, when nobody is there any more to finish it.
 */
import type { ItemRecord } from "../ThreadRecord.ts"

type Item = ItemRecord["item"]

/** The status of a thing that was not finished. */
const ended = (item: Item): Item => {
  switch (item.type) {
    case "commandExecution":
    case "fileChange":
    case "mcpToolCall":
    case "dynamicToolCall":
      return item.status === "inProgress" ? { ...item, status: "failed" } : item
    case "collabAgentToolCall":
      return item.status === "inProgress" ? { ...item, status: "interrupted" } : item
    case "imageGeneration":
      return item.status === "inProgress" || item.status === "generating" ? { ...item, status: "failed" } : item
    default:
      return item
  }
}

/** Closes an item that is open; one that is closed is left as it is. */
export const closeItem = (record: ItemRecord, at: number): ItemRecord =>
  record.completedAtMs !== null
    ? record
    : { ...record, item: { ...ended(record.item), completedAtMs: at }, completedAtMs: at }

/** The last time at which a turn is known to have been alive. */
export const lastSign = (startedAt: number | null, items: ReadonlyArray<ItemRecord>): number =>
  items.reduce(
    (last, { completedAtMs, startedAtMs }) => Math.max(last, startedAtMs ?? 0, completedAtMs ?? 0),
    startedAt ?? 0
  )
