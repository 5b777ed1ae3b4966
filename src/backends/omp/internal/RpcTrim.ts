/**
 * Takes out of omp's output what its updates repeat, before it is decoded.
 *
 * Decoding is most of what the repeated part of a `message_update` costs, above all where it is not ASCII. So it is cut
 * off while it is still bytes, and found by searches for a few of them. Everything else passes as it is.
 */
import * as Effect from "effect/Effect"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import * as Stream from "effect/Stream"
import { repeated, updateEnd, updateStart } from "./RpcFrames.ts"

const lineFeed = 0x0a
const start = Buffer.from(updateStart)
const mark = Buffer.from(repeated)
const end = Buffer.from(`${updateEnd}\n`)

// How many places in a line may look like the beginning of what is repeated, and how far they are looked for.
const attempts = 8
const searched = 1024 * 1024

/** What becomes of the line that is being read. */
type State =
  /** Its beginning is still to come, or what is repeated in it. What there is of it is held. */
  | "look"
  /** It goes on as it is. */
  | "pass"
  /** The rest of it is dropped. */
  | "drop"

/** A copy, with so many bytes of memory of its own. (Node's small buffers share theirs.) */
const own = (data: Uint8Array, room: number): Buffer => {
  const memory = new ArrayBuffer(room)
  new Uint8Array(memory).set(data)
  return Buffer.from(memory, 0, data.length)
}

/** Puts `more` behind `data`, which is a copy of its own. Memory grows by doubling, so that the work is linear. */
const append = (data: Buffer, more: Uint8Array): Buffer => {
  const length = data.length + more.length
  const memory = data.buffer.byteLength >= length ? data : own(data, length * 2)
  const all = Buffer.from(memory.buffer, 0, length)
  all.set(more, data.length)
  return all
}

const isClosed = (beginning: string): boolean => {
  try {
    JSON.parse(`${beginning}${updateEnd}`)
    return true
  } catch {
    return false
  }
}

/** Makes a function from each chunk to what is left of it. It holds less than a mebibyte from one chunk to the next. */
export const make = (): (chunk: Uint8Array) => Uint8Array => {
  let state: State = "look"
  let held: Buffer | undefined
  let tried = 0

  return (chunk) => {
    const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const data = held === undefined ? fresh : append(held, fresh)
    // Where to look for the mark: not again where it was not found.
    let from = held === undefined ? 0 : Math.max(0, held.length - mark.length)
    held = undefined
    const out: Array<Uint8Array> = []
    let at = 0

    /** Where the mark is, if in this line; `undefined` while it may be yet to come. */
    const find = (): number | undefined => {
      for (;;) {
        const found = data.indexOf(mark, from)
        const stop = found < 0 ? data.length : found
        const lineEnd = data.subarray(from, stop).indexOf(lineFeed)
        if (lineEnd >= 0) return -1
        if (found < 0) return data.length - at > searched ? -1 : undefined
        if (isClosed(data.toString("utf8", at, found))) return found
        tried += 1
        from = found + mark.length
        if (tried >= attempts) return -1
      }
    }

    while (at < data.length) {
      if (state === "look") {
        const known = Math.min(start.length, data.length - at)
        if (data.compare(start, 0, known, at, at + known) !== 0) {
          state = "pass"
        } else if (known < start.length) {
          break
        } else {
          from = Math.max(from, at + start.length)
          const found = find()
          if (found === undefined) break
          if (found >= 0) out.push(data.subarray(at, found))
          if (found >= 0) at = found
          state = found >= 0 ? "drop" : "pass"
        }
        continue
      }
      const stop = data.indexOf(lineFeed, at)
      const next = stop < 0 ? data.length : stop + 1
      if (state === "pass") out.push(data.subarray(at, next))
      // Not before the line is over: half a frame must not look like a whole one.
      else if (stop >= 0) out.push(end)
      at = next
      if (stop < 0) break
      state = "look"
      tried = 0
      from = at
    }
    // A copy, so that the chunk can be collected, and what was handed out is not written to.
    if (state === "look" && at < data.length) {
      held = at === 0 && data !== fresh
        ? data
        : own(data.subarray(at), data.length - at)
    }
    const [only] = out
    return out.length === 1 && only !== undefined ? only : Buffer.concat(out)
  }
}

/** Spawns as `spawner` does, and trims what the processes write to stdout. */
export const spawner = (
  spawner: ChildProcessSpawner.ChildProcessSpawner["Service"]
): ChildProcessSpawner.ChildProcessSpawner["Service"] =>
  ChildProcessSpawner.make((command) =>
    Effect.map(spawner.spawn(command), (handle) => {
      const stdout = Stream.suspend(() => Stream.map(handle.stdout, make()))
      return ChildProcessSpawner.makeHandle({ ...handle, stdout })
    })
  )
