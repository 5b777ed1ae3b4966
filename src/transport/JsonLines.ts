/**
 * Cuts a byte stream into lines that carry one JSON object each.
 *
 * A frame ends at byte 0x0A and nowhere else, so U+2028 and U+2029 inside a
 * message are text. The framer is pure and incremental: any split of the same
 * bytes into chunks gives the same frames, and its work is linear in the number
 * of bytes however long a line is. It looks at the first visible character of a
 * line only; whether a frame is valid JSON is for the reader to find out.
 */
import { visibleStart } from "./internal/terminal.ts"
import { defaultFrameLimit, type Inbound, Unreadable } from "./Transport.ts"

/** How much output that is no message is put up with over the life of a connection. */
export interface NoiseBudget {
  readonly lines: number
  readonly bytes: number
}

/** 1,000 lines or 1 MiB, whichever is spent first. */
export const defaultNoiseBudget: NoiseBudget = { lines: 1_000, bytes: 1024 * 1024 }

/** Output that was no message: how much of it there was, and how it began. */
export interface Noise {
  readonly lines: number
  readonly bytes: number
  /** The first bytes of it, at most {@link Unreadable.headBytes}. */
  readonly head: string
}

export interface Framer {
  /** The frames that `chunk` completes, in order. Keeps a reference to what is left over: the caller gives the chunk away. */
  readonly push: (chunk: Uint8Array) => ReadonlyArray<Inbound>
  /** The last line, if the stream ended without a line feed. */
  readonly end: () => ReadonlyArray<Inbound>
  /** What was no message so far, once it is more than the budget allows. */
  readonly overBudget: () => Noise | undefined
}

const lineFeed = 0x0a
const openBrace = 0x7b
const nothing: ReadonlyArray<Inbound> = []

const encoder = new TextEncoder()
// The byte order mark stays in the text: a decoder that drops it would do so at the start of each chunk.
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder("utf-8", { ignoreBOM: true })

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

const headOf = (bytes: Uint8Array): string => lenient.decode(bytes.subarray(0, Unreadable.headBytes))

const startsLikeMessage = (line: string): boolean => line.charCodeAt(visibleStart(line)) === openBrace

const withoutReturn = (line: string): string => line.endsWith("\r") ? line.slice(0, -1) : line

/**
 * Makes a framer.
 *
 * A line longer than `frameLimit` bytes (128 MiB by default) becomes an
 * `Unreadable("size")` when its line feed arrives; until then only its head is
 * kept. A line that is not UTF-8 becomes an `Unreadable("utf8")`, a line that
 * does not start with `{` an `Unreadable("noise")`. Escape sequences in front
 * of `{` are cut off, blank lines are ignored.
 */
export const make = (options?: {
  readonly frameLimit?: number | undefined
  readonly noiseBudget?: NoiseBudget | undefined
}): Framer => {
  const limit = options?.frameLimit ?? defaultFrameLimit
  const budget = options?.noiseBudget ?? defaultNoiseBudget

  // The line that has not ended yet: its fragments, or just the head of it once it is over the limit.
  let fragments: Array<Uint8Array> = []
  let pendingBytes = 0
  let oversizeHead: Uint8Array | undefined

  let noiseLines = 0
  let noiseBytes = 0
  let noiseHead = ""

  const hold = (bytes: Uint8Array): void => {
    pendingBytes += bytes.length
    if (oversizeHead !== undefined) return
    fragments.push(bytes)
    if (pendingBytes > limit && pendingBytes >= Unreadable.headBytes) {
      oversizeHead = pendingHead()
      fragments = []
    }
  }

  const pendingHead = (): Uint8Array => {
    if (oversizeHead !== undefined) return oversizeHead
    const head: Array<Uint8Array> = []
    let length = 0
    for (const fragment of fragments) {
      if (length >= Unreadable.headBytes) break
      head.push(fragment.subarray(0, Unreadable.headBytes - length))
      length += fragment.length
    }
    return Buffer.concat(head)
  }

  const unreadable = (reason: Unreadable["reason"], bytes: number, head: string): Unreadable => {
    if (!startsLikeMessage(head)) {
      if (noiseLines === 0) noiseHead = head
      noiseLines += 1
      noiseBytes += bytes
    }
    return new Unreadable(reason, bytes, head)
  }

  /** A decoded line that is no plain message: the frame in it, or what it is instead, or nothing if it is blank. */
  const inspect = (line: string): Inbound | undefined => {
    const start = visibleStart(line)
    if (line.charCodeAt(start) === openBrace) return withoutReturn(line.slice(start))
    if (line.trim() === "") return undefined
    const head = encoder.encode(line.slice(0, Unreadable.headBytes))
    const bytes = line.length <= Unreadable.headBytes ? head.length : encoder.encode(line).length
    return unreadable("noise", bytes, headOf(head))
  }

  const appendText = (line: string, out: Array<Inbound>): void => {
    const frame = line.charCodeAt(0) === openBrace ? withoutReturn(line) : inspect(line)
    if (frame !== undefined) out.push(frame)
  }

  const appendBytes = (line: Uint8Array, out: Array<Inbound>): void => {
    if (line.length > limit) {
      out.push(unreadable("size", line.length, headOf(line)))
      return
    }
    const text = decode(line)
    if (text === undefined) out.push(unreadable("utf8", line.length, headOf(line)))
    else appendText(text, out)
  }

  const flush = (out: Array<Inbound>): void => {
    if (oversizeHead === undefined) {
      const [only, ...more] = fragments
      if (only !== undefined) appendBytes(more.length === 0 ? only : Buffer.concat(fragments, pendingBytes), out)
    } else {
      out.push(unreadable("size", pendingBytes, headOf(oversizeHead)))
    }
    fragments = []
    pendingBytes = 0
    oversizeHead = undefined
  }

  /** Whole lines, without the last line feed. */
  const appendLines = (block: Uint8Array, out: Array<Inbound>): void => {
    const text = block.length <= limit ? decode(block) : undefined
    if (text !== undefined) {
      for (const line of text.split("\n")) appendText(line, out)
      return
    }
    // One line of the block cannot be read; the others can.
    let start = 0
    while (start <= block.length) {
      const next = block.indexOf(lineFeed, start)
      const stop = next < 0 ? block.length : next
      appendBytes(block.subarray(start, stop), out)
      start = stop + 1
    }
  }

  return {
    push: (chunk) => {
      const last = chunk.lastIndexOf(lineFeed)
      if (last < 0) {
        if (chunk.length > 0) hold(chunk)
        return nothing
      }
      const out: Array<Inbound> = []
      let start = 0
      if (pendingBytes > 0) {
        const first = chunk.indexOf(lineFeed)
        hold(chunk.subarray(0, first))
        flush(out)
        start = first + 1
      }
      if (start <= last) appendLines(chunk.subarray(start, last), out)
      if (last + 1 < chunk.length) hold(chunk.subarray(last + 1))
      return out
    },
    end: () => {
      if (pendingBytes === 0) return nothing
      const out: Array<Inbound> = []
      flush(out)
      return out
    },
    overBudget: () => {
      if (noiseLines > budget.lines || noiseBytes > budget.bytes) {
        return { lines: noiseLines, bytes: noiseBytes, head: noiseHead }
      }
      // A line that never ends must not hide behind the frame limit.
      if (noiseBytes + pendingBytes > budget.bytes) {
        const head = headOf(pendingHead())
        if (!startsLikeMessage(head)) {
          return {
            lines: noiseLines + 1,
            bytes: noiseBytes + pendingBytes,
            head: noiseLines === 0 ? head : noiseHead
          }
        }
      }
      return undefined
    }
  }
}

/**
 * The frames in one text message of a transport that has messages.
 *
 * That is the message itself, unless it holds several lines with an object
 * each. A message that starts with no `{` is an `Unreadable("noise")`, a blank
 * one is nothing.
 */
export const framesOfText = (text: string): ReadonlyArray<Inbound> => {
  if (text.charCodeAt(0) === openBrace && !text.includes("\n")) return [text]
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "")
  if (lines.length === 0) return nothing
  if (lines.every((line) => line.startsWith("{") && line.endsWith("}"))) return lines
  const start = visibleStart(text)
  if (text.charCodeAt(start) === openBrace) return [text.slice(start)]
  const bytes = encoder.encode(text)
  return [new Unreadable("noise", bytes.length, headOf(bytes))]
}
