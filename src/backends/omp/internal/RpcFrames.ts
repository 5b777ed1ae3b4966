/**
 * Lines of `omp --mode rpc` as frames. Pure.
 *
 * Each `message_update` repeats the whole message twice behind the few characters that are new, so that a long answer
 * costs the square of its length. Of such a line only the beginning is parsed.
 */
import * as Predicate from "effect/Predicate"
import { type Inbound, Unreadable } from "../../../transport/Transport.ts"

/** One frame: an object with a `type`. What else it has depends on the type, and is the reader's to check. */
export interface RpcFrame {
  readonly type: string
  readonly [key: string]: unknown
}

/** What was read and is no frame. */
export type Problem =
  /** Output of something else, such as an extension that prints. The conversation goes on after it. */
  | { readonly _tag: "Noise"; readonly detail: string }
  /** A line that begins like a frame, and is none: noise, or half a frame if nothing comes after it. */
  | { readonly _tag: "Broken"; readonly detail: string }
  /** Pieces that do not make up a frame. What they were to say is lost. */
  | { readonly _tag: "Lost"; readonly detail: string }

export type Read =
  | { readonly _tag: "Frame"; readonly frame: RpcFrame; readonly size: number }
  | { readonly _tag: "Nothing" }
  | Problem

const nothing: Read = { _tag: "Nothing" }

const isFrame = (value: unknown): value is RpcFrame =>
  Predicate.isObject(value) && "type" in value && Predicate.isString(value.type)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How a `message_update` begins. */
export const updateStart = `{"type":"message_update","assistantMessageEvent":{`
/** What stands before the part of it that is repeated. */
export const repeated = `,"partial":`
/** What closes a beginning that is cut off there. */
export const updateEnd = "}}"
// An argument of a tool may be named like that, too. Whoever has many of them has the whole line parsed.
const attempts = 8

/**
 * The frame in the beginning of a `message_update`, without what it repeats; `undefined` where it has another form.
 *
 * What is repeated starts at the first `,"partial":` that is a key of the event. It cannot be mistaken: in a string the
 * quotes would be escaped, and inside of a nested object, such as the arguments of a tool call, two braces do not
 * close all that is open, so that the beginning cannot be parsed.
 */
export const readUpdate = (line: string): RpcFrame | undefined => {
  if (!line.startsWith(updateStart)) return undefined
  let at = updateStart.length
  for (let attempt = 0; attempt < attempts; attempt++) {
    at = line.indexOf(repeated, at)
    if (at < 0) return undefined
    const frame = parse(`${line.slice(0, at)}${updateEnd}`)
    if (isFrame(frame)) return frame
    at += repeated.length
  }
  return undefined
}

const withoutRepetition = (frame: RpcFrame): RpcFrame => {
  if (frame.type !== "message_update" || !Predicate.isObject(frame["assistantMessageEvent"])) return frame
  if (!("message" in frame) && !("partial" in frame["assistantMessageEvent"])) return frame
  const { message: _, ...rest } = frame
  const { partial: __, ...event } = frame["assistantMessageEvent"] as Readonly<Record<string, unknown>>
  return { ...rest, type: frame.type, assistantMessageEvent: event }
}

const shown = 120
const head = (text: string): string => JSON.stringify(text.length > shown ? `${text.slice(0, shown)}…` : text)

// Answers begin with their id.
const frameStart = /\{"(?:type|id)":"/

// =============================================================================
// Frames in pieces
// =============================================================================

/** The longest frame that is put together, in bytes. */
export const maxReassembledBytes = 64 * 1024 * 1024
const maxChunkIdLength = 128
// omp cuts at 256 KiB; another version may cut finer.
const maxChunks = 4096

interface Pending {
  readonly chunkId: string
  readonly count: number
  readonly byteLength: number
  readonly pieces: Array<Buffer>
  bytes: number
}

const strict = new TextDecoder("utf-8", { fatal: true })

const isCount = (value: unknown): value is number => Predicate.isNumber(value) && Number.isSafeInteger(value)

/**
 * Reads what a transport receives, in order.
 *
 * Not to be used after a `Lost`: what comes later may refer to what was lost.
 */
export class FrameReader {
  #pending: Pending | undefined

  read(inbound: Inbound): Read {
    if (inbound instanceof Unreadable) return this.#unreadable(inbound)
    const read = this.#line(inbound)
    if (read._tag === "Frame" && read.frame.type === "rpc_chunk") return this.#piece(read.frame)
    if (this.#pending !== undefined && read._tag === "Frame") {
      return this.#lost(`a frame came between the pieces of ${head(this.#pending.chunkId)}`)
    }
    return read
  }

  /** Says what a stream that ends now leaves unfinished. */
  unfinished(): string | undefined {
    const pending = this.#pending
    return pending === undefined
      ? undefined
      : `${pending.pieces.length} of ${pending.count} pieces of a frame of ${pending.byteLength} bytes`
  }

  #line(line: string): Read {
    // A cheap look at what a half frame nearly never has.
    if (!line.endsWith("}")) return { _tag: "Broken", detail: `${line.length} characters, ${head(line)}` }
    const update = readUpdate(line)
    // What is dropped takes no room where frames wait.
    if (update !== undefined) return { _tag: "Frame", frame: update, size: 0 }
    const frame = parse(line)
    if (frame === undefined) return { _tag: "Broken", detail: `${line.length} characters, ${head(line)}` }
    if (!isFrame(frame)) return { _tag: "Noise", detail: `an object without a type: ${head(line)}` }
    return { _tag: "Frame", frame: withoutRepetition(frame), size: line.length }
  }

  #unreadable(inbound: Unreadable): Read {
    if (inbound.reason === "noise") {
      const noise: Read = { _tag: "Noise", detail: `${inbound.bytes} bytes that are no frame: ${head(inbound.head)}` }
      const start = inbound.head.search(frameStart)
      if (start < 0) return noise
      // Something has printed without a line feed, and a frame stands behind it.
      if (inbound.bytes > Unreadable.headBytes) {
        return {
          _tag: "Lost",
          detail: `a frame in a line of ${inbound.bytes} bytes that begins with other output: ` +
            head(inbound.head)
        }
      }
      const frame = parse(inbound.head.slice(start))
      return isFrame(frame) ? { _tag: "Frame", frame: withoutRepetition(frame), size: inbound.bytes } : noise
    }
    const why = inbound.reason === "size" ? "is too long" : "is not UTF-8"
    return { _tag: "Lost", detail: `a line of ${inbound.bytes} bytes ${why}: ${head(inbound.head)}` }
  }

  #lost(detail: string): Read {
    this.#pending = undefined
    return { _tag: "Lost", detail }
  }

  #piece({ byteLength, chunkId, count, data, index }: RpcFrame): Read {
    if (
      !Predicate.isString(chunkId) || chunkId.length === 0 || chunkId.length > maxChunkIdLength ||
      !isCount(index) || !isCount(count) || !isCount(byteLength) || !Predicate.isString(data) ||
      count < 1 || index < 0 || index >= count
    ) {
      return this.#lost("a piece of a frame without the numbers that place it")
    }
    if (byteLength > maxReassembledBytes || count > maxChunks) {
      return this.#lost(`a frame of ${byteLength} bytes in ${count} pieces; ${maxReassembledBytes} bytes are the most`)
    }
    const pending = this.#pending ?? { chunkId, count, byteLength, pieces: [], bytes: 0 }
    if (
      pending.chunkId !== chunkId || pending.count !== count || pending.byteLength !== byteLength ||
      pending.pieces.length !== index
    ) {
      return this.#lost(
        `piece ${index} of ${head(chunkId)} came where piece ${pending.pieces.length} of ` +
          `${head(pending.chunkId)} was due`
      )
    }
    const bytes = Buffer.from(data, "base64")
    // Buffer skips what is not base64.
    if (bytes.length === 0 || Math.ceil(bytes.length / 3) * 4 !== data.length) {
      return this.#lost(`piece ${index} of ${head(chunkId)} is not base64`)
    }
    pending.pieces.push(bytes)
    pending.bytes += bytes.length
    if (pending.bytes > byteLength) {
      return this.#lost(`the pieces of ${head(chunkId)} are longer than ${byteLength} bytes`)
    }
    if (pending.pieces.length < count) {
      this.#pending = pending
      return nothing
    }
    if (pending.bytes < byteLength) {
      return this.#lost(`the pieces of ${head(chunkId)} are shorter than ${byteLength} bytes`)
    }
    this.#pending = undefined
    let text: string
    try {
      text = strict.decode(Buffer.concat(pending.pieces, pending.bytes))
    } catch {
      return this.#lost(`the pieces of ${head(chunkId)} are not UTF-8`)
    }
    const read = this.#line(text)
    return read._tag !== "Frame" || read.frame.type === "rpc_chunk"
      ? this.#lost(`the pieces of ${head(chunkId)} make no frame`)
      : read
  }
}
