/**
 * Messages that are no larger than their client takes. Pure.
 *
 * Most texts are far below the limit, and pages of lists are cut before they are read. What is left are single things
 * that are too large: the output of a command, a message with an image in it. Their longest texts lose their middle, and
 * say so; what is stored stays whole. Files and outputs that a client asks for stay whole, too, or are refused.
 */
import * as Predicate from "effect/Predicate"
import { internalError } from "../protocol/ErrorCodes.ts"

/**
 * Bytes of a message that is not about threads, such as the content of a file, whose text must stay as it is. Clients
 * that ask for files take more: codex's own 128 MiB, those on `ws` with its defaults 100 MiB.
 */
export const wholeBytes = 64 * 2 ** 20

/** Bytes of a text within JSON. */
const sizeOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2

/** Texts up to this size stay as they are: ids, names and enumerated values are among them. */
const small = 1024

/** For the mark. */
const reserve = 64

const isLow = (text: string, index: number): boolean => /[\udc00-\udfff]/.test(text.charAt(index))

/** The text without its middle, with at most `bytes` in JSON. */
export const withoutMiddle = (text: string, bytes: number): string => {
  const size = sizeOf(text)
  if (size <= bytes) return text
  const room = Math.max(0, bytes - reserve)
  // Each character takes a byte at least, so that this is an upper bound; each round comes down to what fits.
  let kept = Math.min(text.length, room)
  for (;;) {
    const from = Math.ceil(kept / 2)
    const to = text.length - Math.floor(kept / 2)
    // Half a character is none that every client can read.
    const head = text.slice(0, isLow(text, from) ? Math.max(0, from - 1) : from)
    const tail = text.slice(isLow(text, to) ? to + 1 : to)
    const found = sizeOf(head) + sizeOf(tail)
    if (found <= room || kept === 0) {
      return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`
    }
    kept = Math.min(kept - 1, Math.floor((kept * room) / found))
  }
}

/** The beginning of a text, with at most `bytes` in JSON. */
export const beginning = (text: string, bytes: number): string => {
  if (text.length * 6 <= bytes) return text
  let kept = Math.min(text.length, bytes)
  for (;;) {
    const head = text.slice(0, isLow(text, kept) ? Math.max(0, kept - 1) : kept)
    const found = sizeOf(head)
    if (found <= bytes || kept === 0) return head
    kept = Math.min(kept - 1, Math.floor((kept * bytes) / found))
  }
}

const collect = (value: unknown, sizes: Array<number>): void => {
  if (Predicate.isString(value)) {
    if (value.length * 6 > small) {
      const size = sizeOf(value)
      if (size > small) sizes.push(size)
    }
  } else if (Array.isArray(value)) { for (const member of value) collect(member, sizes) }
  else if (Predicate.isObject(value)) { for (const member of Object.values(value)) collect(member, sizes) }
}

const cut = (value: unknown, bytes: number): unknown => {
  if (Predicate.isString(value)) return value.length * 6 > bytes ? withoutMiddle(value, bytes) : value
  if (Array.isArray(value)) return value.map((member) => cut(member, bytes))
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member, bytes)]))
}

/**
 * The size that each of these texts may have so that all together lose at least `excess` bytes; `undefined` if they
 * cannot.
 */
const allowed = (sizes: ReadonlyArray<number>, excess: number): number | undefined => {
  const largest = sizes.toSorted((a, b) => b - a)
  let above = 0
  for (const [index, size] of largest.entries()) {
    above += size
    const next = largest[index + 1] ?? small
    const bytes = Math.floor((above - excess) / (index + 1))
    if (bytes >= next) return bytes
  }
  return undefined
}

/** A value of JSON that takes at most `limit` bytes as such; `undefined` if its texts cannot be shortened that far. */
export const shortened = (value: unknown, limit: number): unknown => {
  const size = Buffer.byteLength(JSON.stringify(value))
  if (size <= limit) return value
  const sizes: Array<number> = []
  collect(value, sizes)
  const bytes = allowed(sizes, size - limit)
  return bytes === undefined ? undefined : cut(value, bytes)
}

/** What was done to a frame that was too large. */
export type Fitted =
  | { readonly _tag: "Fits"; readonly frame: string }
  /** What it says cannot be said within the limit. */
  | { readonly _tag: "TooLarge"; readonly method: string; readonly bytes: number; readonly frame: string | undefined }

/** Whether a frame takes at most `limit` bytes. */
export const fits = (frame: string, limit: number): boolean =>
  frame.length * 3 <= limit || (frame.length <= limit && Buffer.byteLength(frame) <= limit)

/** Methods whose messages are about threads, whose texts may be shortened. */
const isAboutThreads = (method: string): boolean =>
  /^(?:thread|turn|item|review|rawResponseItem|error|warning)(?:\/|$)/.test(method)

/** For what is around the params or the result. */
const envelope = 512

/**
 * A frame that takes at most `limit` bytes, or {@link wholeBytes} if it is not about threads. `methodOf` gives the method of the request that an answer is for. An answer
 * that cannot be made to fit becomes an error; a notification is left out, as whoever misses it can still read its thread.
 */
export const fitted = (frame: string, limit: number, methodOf: (id: unknown) => string | undefined): Fitted => {
  if (fits(frame, limit)) return { _tag: "Fits", frame }
  const message: unknown = JSON.parse(frame)
  if (!Predicate.isObject(message)) return { _tag: "Fits", frame }
  const { id, method: named, params, result } = message as Readonly<Record<string, unknown>>
  const method = (Predicate.isString(named) ? named : methodOf(id)) ?? "a request"
  const mayShorten = isAboutThreads(method)
  const most = mayShorten ? limit : Math.max(limit, wholeBytes)
  if (fits(frame, most)) return { _tag: "Fits", frame }
  const body = result === undefined ? "params" : "result"
  const fitting = mayShorten ? shortened(result ?? params, limit - envelope) : undefined
  if (fitting !== undefined) return { _tag: "Fits", frame: JSON.stringify({ ...message, [body]: fitting }) }
  const bytes = Buffer.byteLength(frame)
  const text = `The answer to ${method} takes ${bytes} bytes, more than the ${most} that clients are sent at once` +
    `${mayShorten ? " (limits.message_bytes)" : ""}: ask for less of it.`
  return {
    _tag: "TooLarge",
    method,
    bytes,
    frame: named === undefined ? JSON.stringify({ id, error: { code: internalError, message: text } }) : undefined
  }
}
