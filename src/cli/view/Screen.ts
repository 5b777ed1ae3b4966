/**
 * Puts chunks on a terminal, above a region of lines that changes in place.
 *
 * Text stays in the terminal's own scroll-back; only the region is taken back, by its height. The height is counted
 * anew with the present width, so that a terminal that was resized meanwhile loses nothing.
 */
import type { Chunk, Line } from "./Chunk.ts"
import { paint } from "./Chunk.ts"
import type { Sink } from "./Sink.ts"
import { advance, clip, widthOf } from "./Text.ts"

const up = (rows: number): string => rows > 0 ? `\x1b[${rows}A` : ""
const right = (columns: number): string => columns > 0 ? `\x1b[${columns}C` : ""
const eraseBelow = "\x1b[J"

/** A line as text, cut at the edge. */
const fit = (line: Line, cells: number, coloured: boolean): { readonly text: string; readonly width: number } => {
  let left = cells
  let text = ""
  for (const span of line) {
    const part = clip(span.text, left)
    text += paint({ ...span, text: part }, coloured)
    left -= widthOf(part)
    if (part !== span.text || left <= 0) break
  }
  return { text, width: cells - left }
}

/** One terminal. */
export class Screen {
  readonly #sink: Sink
  readonly #coloured: boolean
  /** The row of text that has no end yet. */
  #open = ""
  #block: string | undefined
  /** Whether the cursor is below a full row already, where more of it would go. */
  #isBelow = false
  /** Widths of the lines of the region that is shown. */
  #region: ReadonlyArray<number> = []

  constructor(sink: Sink, options: { readonly coloured: boolean }) {
    this.#sink = sink
    this.#coloured = options.coloured
  }

  /** Whether the last text has not come to the end of its line. */
  get isMidLine(): boolean {
    return this.#open !== ""
  }

  /** Shows chunks above the region, which is taken away. */
  print(chunks: ReadonlyArray<Chunk>): void {
    if (chunks.length > 0) this.#sink.write(this.#takeRegion() + chunks.map((chunk) => this.#put(chunk)).join(""))
  }

  /** Shows other lines in the region. No lines: takes it away. */
  setRegion(lines: ReadonlyArray<Line>): void {
    const before = this.#takeRegion()
    const cells = this.#sink.columns() - 1
    // Lines that scrolled out at the top could not be taken back.
    const fitted = lines.slice(-(this.#sink.rows() - 2)).map((line) => fit(line, cells, this.#coloured))
    this.#region = fitted.map(({ width }) => width)
    const start = fitted.length > 0 && this.isMidLine && !this.#isBelow ? "\n" : ""
    this.#sink.write(before + start + fitted.map(({ text }) => text).join("\n"))
  }

  /** Ends the present line, if it has begun. */
  endLine(): void {
    this.#sink.write(this.#takeRegion() + this.#break())
  }

  #break(): string {
    if (!this.isMidLine) return ""
    this.#open = ""
    this.#block = undefined
    return this.#endOfRow()
  }

  #endOfRow(): string {
    const isBelow = this.#isBelow
    this.#isBelow = false
    return isBelow ? "" : "\n"
  }

  #put(chunk: Chunk): string {
    if (chunk._tag === "Lines") {
      const cells = chunk.cut ? this.#sink.columns() : Number.POSITIVE_INFINITY
      const lines = chunk.lines.map((line) => `${fit(line, cells, this.#coloured).text}\n`)
      const start = lines.length > 0 ? this.#break() : ""
      return start + lines.join("")
    }
    // Another text begins on a line of its own.
    const start = chunk.block === this.#block ? "" : this.#break()
    this.#block = chunk.block
    if (chunk.text === "") return start
    const first = start === "" && chunk.text.startsWith("\n") ? this.#endOfRow() : chunk.text.slice(0, 1)
    this.#isBelow = false
    const end = chunk.text.lastIndexOf("\n")
    this.#open = end < 0 ? this.#open + chunk.text : chunk.text.slice(end + 1)
    return start + paint({ style: chunk.style, text: first + chunk.text.slice(1) }, this.#coloured)
  }

  // Moves the cursor back to where the text ended, and clears what is below.
  #takeRegion(): string {
    if (this.#region.length === 0) return ""
    const columns = this.#sink.columns()
    const height = this.#region.reduce((rows, width) => rows + Math.max(1, Math.ceil(width / columns)), 0)
    this.#region = []
    if (!this.isMidLine) return `\r${up(height - 1)}${eraseBelow}`
    const { column } = advance({ row: 0, column: 0 }, this.#open, columns)
    // A full row sends what comes next to the row below, where the region began.
    this.#isBelow = column === columns
    return this.#isBelow ? `\r${up(height - 1)}${eraseBelow}` : `\r${up(height)}${right(column)}${eraseBelow}`
  }
}

/** Writes chunks to two streams that nobody looks at live: the answer to one, the rest to the other. */
export class PlainScreen {
  readonly #answer: Sink
  readonly #notes: Sink
  readonly #coloured: boolean
  /** The text that each stream is in the middle of, in a line without its end. */
  readonly #open: Record<"answer" | "note", { block: string; midLine: boolean }> = {
    answer: { block: "", midLine: false },
    note: { block: "", midLine: false }
  }

  constructor(answer: Sink, notes: Sink, options: { readonly coloured: boolean }) {
    this.#answer = answer
    this.#notes = notes
    this.#coloured = options.coloured
  }

  print(chunks: ReadonlyArray<Chunk>): void {
    for (const chunk of chunks) {
      if (chunk._tag === "Lines") {
        if (chunk.lines.length === 0) continue
        const text = chunk.lines.map((line) => line.map((span) => paint(span, this.#coloured)).join("")).join("\n")
        this.#notes.write(`${this.#break("note")}${text}\n`)
        continue
      }
      const { channel } = chunk
      const start = chunk.block === this.#open[channel].block ? "" : this.#break(channel)
      this.#open[channel] = { block: chunk.block, midLine: !chunk.text.endsWith("\n") }
      if (channel === "answer") this.#answer.write(start + chunk.text)
      else this.#notes.write(start + paint({ style: chunk.style, text: chunk.text }, this.#coloured))
    }
  }

  /** Ends the present lines, if they have begun. */
  endLine(): void {
    this.#answer.write(this.#break("answer"))
    this.#notes.write(this.#break("note"))
  }

  #break(channel: "answer" | "note"): string {
    if (!this.#open[channel].midLine) return ""
    this.#open[channel] = { block: "", midLine: false }
    return "\n"
  }
}
