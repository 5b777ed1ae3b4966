/**
 * What a command prints, from an agent that tells all of it again each time. Pure.
 */
import { member, numberOf } from "../Reading.ts"

/** What was told so far. */
export interface Told {
  /** The text as the agent last gave it: a window onto the end of the output once that is long. */
  readonly last: string
}

export const nothingTold: Told = { last: "" }

/** How much of the end of a text has to be found again in the next one, to know where the new part begins. */
const anchors = [512, 128, 32]

/**
 * Where the new part of `next` begins; `undefined` when it cannot be told.
 *
 * Most often `next` begins with the last text. Once the output is too long, its beginning is cut off, or a notice
 * takes the place of its middle: then the end of the last text is looked for, in its last place, so that lines that
 * repeat are rather left out than told twice.
 */
const newPart = (last: string, next: string): number | undefined => {
  if (next.startsWith(last)) return last.length
  for (const length of anchors) {
    const anchor = last.slice(-length)
    const at = next.lastIndexOf(anchor)
    if (at >= 0) return at + anchor.length
    if (anchor === last) return undefined
  }
  return undefined
}

/**
 * Takes the text as it is now; gives what is new of it.
 *
 * Of a text that is no continuation of the last one nothing is told: it may be the same output in other words, and
 * telling it twice would be worse than telling it late. The output of the completed item has it all.
 */
export const tell = (told: Told, next: string): readonly [Told, string] => {
  const from = newPart(told.last, next)
  // Something shorter that was there before, e.g. when updates overtake each other, tells nothing.
  if (from === undefined && told.last.includes(next)) return [told, ""]
  return [{ last: next }, from === undefined ? "" : next.slice(from)]
}

export interface Report {
  /** What the command itself printed. */
  readonly output: string
  readonly exitCode?: number | undefined
  readonly durationMs?: number | undefined
  /** The agent broke it off. */
  readonly isAborted: boolean
}

const nothing = "(no output)"
const cancelled = "[Command cancelled]\n"

const withoutEnd = (text: string, end: string): string | undefined => {
  if (text.endsWith(`\n\n${end}`)) return text.slice(0, -end.length - 2)
  return text === end ? "" : undefined
}

const exited = /(?:^|\n\n)Command exited with code (\d+)$/

/** Tells the output from what the agent adds for its model: the time it took, the exit status, that it was aborted. */
export const report = (text: string, details: unknown, isError: boolean): Report => {
  const durationMs = numberOf(member(details, "wallTimeMs"))
  const stated = numberOf(member(details, "exitCode"))
  let output = text
  let exitCode = stated
  const status = isError || stated !== undefined ? exited.exec(output) : null
  if (status !== null && (stated === undefined || Number(status[1]) === stated)) {
    output = output.slice(0, status.index)
    exitCode = Number(status[1])
  }
  if (durationMs !== undefined) {
    const notice = `\n\nWall time: ${(durationMs / 1000).toFixed(2)} seconds`
    const at = output.lastIndexOf(notice)
    // Further notices may follow, which are news to people, too.
    if (at >= 0) output = output.slice(0, at) + output.slice(at + notice.length)
  }
  const broken = withoutEnd(output, "Command aborted") ?? withoutEnd(output, "[Command aborted]")
  const isAborted = broken !== undefined || output.startsWith(cancelled)
  output = broken ?? output
  if (output.startsWith(cancelled)) output = output.slice(cancelled.length)
  if (output === nothing) output = ""
  return { output, exitCode, durationMs, isAborted }
}
