/**
 * The least of a terminal: what a person sees of what a program writes. Rows are never lost at the top.
 */
import { widthOf } from "../../../src/cli/view/Text.ts"

const tokens = new RegExp(String.raw`\x1b\[(\d*)([A-Za-z])|([\s\S])`, "gu")

/** A grid that wraps at its edge, and obeys the few sequences that a view may use. Any other is an error. */
export class Emulator {
  columns: number
  #rows: Array<Array<string>> = [[]]
  #row = 0
  #column = 0

  constructor(columns: number) {
    this.columns = columns
  }

  write(text: string): void {
    for (const [whole, amount, command, character] of text.matchAll(tokens)) {
      if (command !== undefined) this.#obey(command, amount === "" ? 1 : Number(amount), whole)
      else if (character === "\n") this.#newRow()
      else if (character === "\r") this.#column = 0
      else if (character !== undefined) this.#put(character)
    }
  }

  /** The rows, without the blanks behind them. */
  get text(): string {
    return this.#rows.map((row) => Array.from(row, (cell) => cell ?? " ").join("").trimEnd()).join("\n").trimEnd()
  }

  #newRow(): void {
    this.#row++
    this.#column = 0
    this.#rows[this.#row] ??= []
  }

  #put(character: string): void {
    const width = widthOf(character)
    if (this.#column + width > this.columns) this.#newRow()
    const row = this.#rows[this.#row] ?? []
    row[this.#column] = character
    // The second half of a wide character.
    if (width === 2) row[this.#column + 1] = ""
    this.#column += width
  }

  #obey(command: string, amount: number, sequence: string): void {
    switch (command) {
      case "m":
        return
      case "A":
        this.#row = Math.max(0, this.#row - amount)
        return
      case "C":
        // Movement stops at the last column.
        this.#column = Math.min(this.columns - 1, this.#column + amount)
        return
      case "J": {
        this.#rows.length = this.#row + 1
        const row = this.#rows[this.#row]
        if (row !== undefined) row.length = Math.min(row.length, this.#column)
        return
      }
      default:
        throw new Error(`a view may not use ${JSON.stringify(sequence)}`)
    }
  }
}
