/**
 * Folds deltas into items, so that an item that is closed unfinished keeps what was said until then.
 */
import type { AgentItem, DeltaField, ItemStatus } from "../../agent/index.ts"

/** Appends a delta to the text of an item that it belongs to. A delta that belongs to none of its texts changes nothing. */
export const applyDelta = (item: AgentItem, field: DeltaField, index: number, delta: string): AgentItem => {
  switch (item._tag) {
    case "AgentMessage":
      return field === "text" ? { ...item, text: item.text + delta } : item
    case "Plan":
      return field === "plan" ? { ...item, text: item.text + delta } : item
    case "Reasoning":
      return field === "summary"
        ? { ...item, summary: appendAt(item.summary, index, delta) }
        : field === "reasoning"
        ? { ...item, content: appendAt(item.content, index, delta) }
        : item
    case "CommandExecution":
      return field === "output" ? { ...item, output: (item.output ?? "") + delta } : item
    default:
      return item
  }
}

/** The item with another status, where items of its kind have one. */
export const withStatus = (item: AgentItem, status: ItemStatus): AgentItem =>
  "status" in item ? { ...item, status } : item

const appendAt = (parts: ReadonlyArray<string>, index: number, delta: string): ReadonlyArray<string> =>
  Array.from({ length: Math.max(parts.length, index + 1) }, (_, at) => {
    const part = parts[at] ?? ""
    return at === index ? part + delta : part
  })
