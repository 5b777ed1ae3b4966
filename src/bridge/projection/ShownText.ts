/**
 * The texts of an open item as deltas have shown them. Pure.
 */
import type { DeltaField } from "../../agent/AgentEvent.ts"
import type { AgentItem } from "../../agent/AgentItem.ts"

/** By part; an agent may name any number as a part. */
type Parts = Map<number, string>

export interface ShownText {
  /** Of a message or a plan, or the output of a command. */
  text: string
  readonly summary: Parts
  readonly content: Parts
}

export const make = (): ShownText => ({ text: "", summary: new Map(), content: new Map() })

/** Appends to a part, in place. Gives whether the part is new. */
export const append = (parts: Parts, index: number, delta: string): boolean => {
  const known = parts.get(index)
  parts.set(index, known === undefined ? delta : known + delta)
  return known === undefined
}

const inOrder = (parts: Parts): ReadonlyArray<string> =>
  Array.from(parts).toSorted(([a], [b]) => a - b).map(([, text]) => text)

/** The item with what was shown of its texts, where it brings none itself: an agent's own account counts. */
export const applied = (item: AgentItem, shown: ShownText): AgentItem => {
  switch (item._tag) {
    case "AgentMessage":
    case "Plan":
      return item.text === "" && shown.text !== "" ? { ...item, text: shown.text } : item
    case "Reasoning":
      return item.summary.length === 0 && item.content.length === 0
        ? { ...item, summary: inOrder(shown.summary), content: inOrder(shown.content) }
        : item
    case "CommandExecution":
      return item.output === undefined && shown.text !== "" ? { ...item, output: shown.text } : item
    default:
      return item
  }
}

/** A piece of one of an item's texts. */
export interface Piece {
  readonly field: DeltaField
  readonly index: number
  readonly delta: string
}

/** What a text has beyond what was shown, if it goes on from there: what was told otherwise shows at the end. */
const more = (field: DeltaField, index: number, text: string, shown: string): ReadonlyArray<Piece> =>
  text.length > shown.length && text.startsWith(shown) ? [{ field, index, delta: text.slice(shown.length) }] : []

/** What must be shown for a client to have the item's texts. */
export const missing = (item: AgentItem, shown: ShownText): ReadonlyArray<Piece> => {
  switch (item._tag) {
    case "AgentMessage":
      return more("text", 0, item.text, shown.text)
    case "Plan":
      return more("plan", 0, item.text, shown.text)
    case "CommandExecution":
      return more("output", 0, item.output ?? "", shown.text)
    case "Reasoning":
      return [
        ...item.summary.flatMap((text, index) => more("summary", index, text, shown.summary.get(index) ?? "")),
        ...item.content.flatMap((text, index) => more("reasoning", index, text, shown.content.get(index) ?? ""))
      ]
    default:
      return []
  }
}
