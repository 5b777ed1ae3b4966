/**
 * What the model says and thinks in a turn, piece by piece, as messages and reasoning.
 */
import type { AgentItem } from "../../../agent/AgentItem.ts"
import type { Message, MessageUpdate } from "../AgentFrame.ts"
import type { ItemBook } from "./ItemBook.ts"

/** A piece of an answer. */
interface Piece {
  readonly of: "text" | "thinking"
  readonly id: string
  text: string
  /** A piece that has no text (yet) is not shown. */
  state: "silent" | "open" | "completed"
}

/** The answer that is being given. */
interface Answer {
  readonly ordinal: number
  readonly pieces: Map<number, Piece>
  /** All pieces, those that were begun again included. */
  count: number
}

export class Answers {
  readonly #turnId: string
  readonly #items: ItemBook
  #ordinal = 0
  #answer: Answer | undefined

  constructor(turnId: string, items: ItemBook) {
    this.#turnId = turnId
    this.#items = items
  }

  /** An id for a message that is no answer. */
  nextId(): string {
    return `${this.#turnId}:${this.#ordinal++}`
  }

  /** An answer begins; one before it that did not end is given up. */
  begin(): Answer {
    this.abandon()
    return this.#answer = { ordinal: this.#ordinal++, pieces: new Map(), count: 0 }
  }

  /** `isAborted`: the end of a piece is then where it was cut, which agents do not tell apart. */
  update({ content, delta, index, of, phase }: MessageUpdate, isAborted: boolean): void {
    if (of === "toolcall") return
    const answer = this.#answer ?? this.begin()
    let piece = answer.pieces.get(index)
    if (piece !== undefined && (piece.of !== of || (phase === "start" && piece.state !== "silent"))) {
      this.#end(piece, piece.text, true)
      piece = undefined
    }
    piece ??= this.#piece(answer, index, of)
    switch (phase) {
      case "start":
        return
      case "delta":
        if (delta === "" || piece.state === "completed") return
        if (piece.state === "silent") {
          piece.state = "open"
          this.#items.show(spoken(piece, ""))
        }
        piece.text += delta
        return this.#items.delta(piece.id, of === "text" ? "text" : "summary", delta)
      case "end":
        return this.#end(piece, content ?? piece.text, isAborted)
    }
  }

  /** The whole answer; `isBroken`: its end is not where the model wanted it. */
  end(message: Message, isBroken: boolean): void {
    const answer = this.#answer ?? this.begin()
    const parts = typeof message.content === "string"
      ? [{ type: "text", text: message.content, thinking: undefined }]
      : message.content ?? []
    // An agent may leave pieces out of the whole that it had begun: then the places are no longer the same.
    const isSame = Array.from(answer.pieces).every(([index, { of }]) => parts[index]?.type === of)
    parts.forEach(({ text, thinking, type }, index) => {
      if (!isSame || (type !== "text" && type !== "thinking")) return
      const whole = (type === "text" ? text : thinking) ?? ""
      const piece = answer.pieces.get(index) ?? this.#piece(answer, index, type)
      this.#end(piece, whole === "" ? piece.text : whole, isBroken)
    })
    this.abandon()
  }

  /** Closes what was begun of an answer that never ends. */
  abandon(): void {
    for (const piece of this.#answer?.pieces.values() ?? []) this.#end(piece, piece.text, true)
    this.#answer = undefined
  }

  #piece(answer: Answer, index: number, of: Piece["of"]): Piece {
    const again = answer.pieces.has(index) ? `.${answer.count}` : ""
    const piece: Piece = { of, id: `${this.#turnId}:${answer.ordinal}:${index}${again}`, text: "", state: "silent" }
    answer.pieces.set(index, piece)
    answer.count++
    return piece
  }

  #end(piece: Piece, text: string, closed: boolean): void {
    if (piece.state === "completed") return
    const wasSilent = piece.state === "silent"
    piece.state = "completed"
    if (wasSilent && text === "") return
    this.#items.complete(spoken(piece, text), closed)
  }
}

/** A piece as an item. Thinking counts as a summary: both agents show it to people. */
const spoken = ({ id, of }: Piece, text: string): AgentItem =>
  of === "text"
    ? { _tag: "AgentMessage", id, text }
    : { _tag: "Reasoning", id, summary: text === "" ? [] : [text], content: [] }
