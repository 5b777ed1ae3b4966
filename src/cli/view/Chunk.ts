/**
 * What a view says, before it is decided where and how it is shown.
 */

export type Style = "plain" | "dim" | "bold" | "green" | "red" | "yellow" | "cyan"

export interface Span {
  readonly text: string
  readonly style: Style
}

export type Line = ReadonlyArray<Span>

/** `answer`: what a pipe is for. `note`: all that is told beside it. */
export type Channel = "answer" | "note"

export type Chunk =
  /** Text that grows, with line feeds where it has some. `block` tells which text it belongs to. */
  | {
    readonly _tag: "Text"
    readonly channel: Channel
    readonly block: string
    readonly style: Style
    readonly text: string
  }
  /** Whole lines. `cut`: at the edge of a terminal; else they wrap, because all of it has to be read. */
  | { readonly _tag: "Lines"; readonly cut: boolean; readonly lines: ReadonlyArray<Line> }

export const span = (text: string, style: Style = "plain"): Span => ({ text, style })

export const line = (...spans: ReadonlyArray<Span>): Line => spans

/** Lines of which the beginning says enough. */
export const lines = (...all: ReadonlyArray<Line>): Chunk => ({ _tag: "Lines", cut: true, lines: all })

/** Lines that have to be read to their end. */
export const wholeLines = (...all: ReadonlyArray<Line>): Chunk => ({ _tag: "Lines", cut: false, lines: all })

const codes: Readonly<Record<Exclude<Style, "plain">, string>> = {
  dim: "2",
  bold: "1",
  green: "32",
  red: "31",
  yellow: "33",
  cyan: "36"
}

/** A span as bytes for a terminal, or as they are. */
export const paint = ({ style, text }: Span, coloured: boolean): string =>
  coloured && style !== "plain" && text !== "" ? `\x1b[${codes[style]}m${text}\x1b[0m` : text

/** Whether a stream gets colours: `NO_COLOR` and `FORCE_COLOR` decide before the stream does. */
export const wantsColour = (isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean => {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: term } = env
  if (no !== undefined && no !== "") return false
  if (force !== undefined && force !== "") return force !== "0" && force !== "false"
  return isTerminal && term !== "dumb"
}
