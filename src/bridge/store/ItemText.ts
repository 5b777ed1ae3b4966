/**
 * The texts of an item that is open, as clients are shown them: piece by piece. Pure.
 *
 * An item is stored when it begins and when it completes. What is said in between is stored beside it, and is part of
 * it for whoever reads the item meanwhile, or finds it after the death of the process that ran it.
 */
import * as Schema from "effect/Schema"
import type { ItemRecord } from "./ThreadRecord.ts"

/** More of one of the texts of an item. */
export const Piece = Schema.Struct({
  /** `text` is that of a message or a plan; `summary` and `content` are those of reasoning; `output` is a command's. */
  field: Schema.Literals(["text", "summary", "content", "output"]),
  /** Which part of a text that comes in parts; 0 elsewhere. */
  part: Schema.Finite,
  delta: Schema.String
})
export type Piece = typeof Piece.Type

/** What was shown of an item, in order. */
export interface ItemText {
  readonly itemId: string
  readonly pieces: ReadonlyArray<Piece>
}

/** Appends, in place; what goes on with the last piece becomes one with it. */
export const append = (pieces: Array<Piece>, next: Piece): void => {
  const last = pieces.at(-1)
  if (last === undefined || last.field !== next.field || last.part !== next.part) {
    pieces.push(next)
    return
  }
  pieces[pieces.length - 1] = { ...last, delta: last.delta + next.delta }
}

const textIn = (pieces: ReadonlyArray<Piece>, field: Piece["field"]): string =>
  pieces.map((piece) => piece.field === field ? piece.delta : "").join("")

/** An agent may name any number as a part: those that there are, in their order. */
const partsIn = (
  pieces: ReadonlyArray<Piece>,
  field: Piece["field"],
  before: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const parts = new Map(before.map((text, part) => [part, text]))
  for (const { delta, field: of, part } of pieces) if (of === field) parts.set(part, (parts.get(part) ?? "") + delta)
  return Array.from(parts).toSorted(([a], [b]) => a - b).map(([, text]) => text)
}

/** The item with these pieces behind the texts that it has. */
export const applied = (item: ItemRecord["item"], pieces: ReadonlyArray<Piece>): ItemRecord["item"] => {
  if (pieces.length === 0) return item
  switch (item.type) {
    case "agentMessage":
    case "plan":
      return { ...item, text: item.text + textIn(pieces, "text") }
    case "reasoning":
      return {
        ...item,
        summary: partsIn(pieces, "summary", item.summary),
        content: partsIn(pieces, "content", item.content)
      }
    case "commandExecution":
      return { ...item, aggregatedOutput: (item.aggregatedOutput ?? "") + textIn(pieces, "output") }
    default:
      return item
  }
}
