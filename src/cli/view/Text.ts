/**
 * Text for a terminal: made harmless, measured, cut.
 */
import { stripAnsi } from "../../transport/Redaction.ts"

/**
 * Text of an agent's, without anything that a terminal would obey. Of a line that rewrites itself by carriage returns,
 * the last state stays; tabs become two spaces.
 */
export const harmless = (text: string): string =>
  stripAnsi(text).replace(/\r\n/gu, "\n").replace(/[^\n]*\r/gu, "").replace(/\t/gu, "  ")

/** The same for a piece of a longer text, of which the end may be the middle of something. */
export const harmlessPiece = (text: string): string => stripAnsi(text).replace(/\r/gu, "").replace(/\t/gu, "  ")

/** The same in one line. */
export const oneLine = (text: string): string => harmless(text.replace(/[\r\n]+/gu, " ")).replace(/ {2,}/gu, " ").trim()

/** Code points that take two cells: East Asian wide and full width, and what terminals show as an emoji. */
const wide = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd]
] as const

const combining = /^[\p{Mark}\p{Cf}]$/u
const emoji = /^\p{Emoji_Presentation}$/u

const cellsOf = (character: string): 0 | 1 | 2 => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x300) return code < 0x20 ? 0 : 1
  if (combining.test(character)) return 0
  if (wide.some(([from, to]) => code >= from && code <= to) || emoji.test(character)) return 2
  return 1
}

/** How many cells a text takes. */
export const widthOf = (text: string): number => {
  let cells = 0
  for (const character of text) cells += cellsOf(character)
  return cells
}

/** The beginning of a text that fits into so many cells, with an ellipsis where something is missing. */
export const clip = (text: string, cells: number): string => {
  if (widthOf(text) <= cells) return text
  let kept = ""
  let used = 0
  for (const character of text) {
    used += cellsOf(character)
    if (used > cells - 1) break
    kept += character
  }
  return cells < 1 ? "" : `${kept}…`
}

/** Where the cursor is after a text without line feeds that began at the left edge. */
export interface Position {
  readonly row: number
  /** From 0 to `columns`: a full row keeps the cursor until more comes. */
  readonly column: number
}

/** Follows the wrapping of a terminal, where a wide character never stands across the edge. */
export const advance = (from: Position, text: string, columns: number): Position => {
  let { column, row } = from
  for (const character of text) {
    const cells = cellsOf(character)
    if (column + cells > columns) {
      row++
      column = cells
    } else column += cells
  }
  return { row, column }
}

const pad = (part: number): string => String(part).padStart(2, "0")

/** e.g. `420ms`, `3.2s`, `2m 05s`, `1h 03m`. */
export const duration = (millis: number): string => {
  if (millis < 1_000) return `${Math.round(millis)}ms`
  if (millis < 59_950) return `${(millis / 1_000).toFixed(1)}s`
  const seconds = Math.round(millis / 1_000)
  return seconds < 3_600
    ? `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`
    : `${Math.floor(seconds / 3_600)}h ${pad(Math.floor(seconds % 3_600 / 60))}m`
}

/** e.g. `1,234`. */
export const count = (value: number): string => String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/gu, ",")
