/**
 * A text around a place that was looked for, short enough for a list. Pure.
 */

/** Characters that are shown before the place and behind it. */
const before = 49
const behind = 96

/** One place in a text. */
export interface Occurrence {
  readonly snippet: string
  /** Where in the snippet it is, in UTF-16 code units. */
  readonly snippetMatchRange: { readonly start: number; readonly end: number }
}

/** Without case in all scripts; places are those of the text itself, which changing its case would move. */
const pattern = (term: string): RegExp => new RegExp(term.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu")

/** Not between the two halves of a character. */
const whole = (text: string, index: number): number =>
  index > 0 && index < text.length && /[\udc00-\udfff]/.test(text.charAt(index)) &&
    /[\ud800-\udbff]/.test(text.charAt(index - 1))
    ? index - 1
    : index

const around = (text: string, start: number, end: number) => {
  const from = whole(text, Math.max(0, start - before))
  const to = whole(text, Math.min(text.length, end + behind))
  return { from, to, head: from > 0 ? "... " : "", tail: to < text.length ? " ..." : "" }
}

/** All places in a text, from its beginning; they do not overlap. */
export const occurrences = (given: string, term: string): ReadonlyArray<Occurrence> => {
  const text = given.trim()
  return Array.from(text.matchAll(pattern(term)), (match) => {
    const end = match.index + match[0].length
    const { from, head, tail, to } = around(text, match.index, end)
    const start = head.length + match.index - from
    return {
      snippet: `${head}${text.slice(from, to)}${tail}`,
      snippetMatchRange: { start, end: start + match[0].length }
    }
  })
}

/** The first place in a text, on one line; `undefined` if there is none. */
export const snippet = (given: string, term: string): string | undefined => {
  const text = given.trim()
  const match = pattern(term).exec(text)
  if (match === null) return undefined
  const { from, head, tail, to } = around(text, match.index, match.index + match[0].length)
  return `${head}${text.slice(from, to).replace(/\s+/g, " ").trim()}${tail}`
}
