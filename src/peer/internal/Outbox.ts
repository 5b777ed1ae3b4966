/**
 * What waits to be sent to a client: a bounded queue in front of a transport, filled without waiting.
 *
 * Whoever puts something in runs on; one fiber hands over everything that has come together since its last turn. What
 * was put in first is sent first, whoever it came from. A client that lets the queue fill up is disconnected: a message
 * left out would be worse, because nobody could tell.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import { type ServerTransport, tryAgainLater } from "../../transport/ServerTransport.ts"

export interface Limits {
  /** Frames that may wait. */
  readonly frames: number
  /** Characters that may wait. A single frame may be longer. */
  readonly characters: number
}

export interface Outbox {
  /** Takes a frame, unless the connection has ended. */
  readonly push: (frame: string) => void
  /** Waits until it is less than half full, or the connection has ended. */
  readonly room: Effect.Effect<void>
  /** Whether `room` ends at once. */
  readonly hasRoom: () => boolean
  /** Disconnects the client for what it does not read. */
  readonly giveUp: () => void
  /** Waits until all frames have been handed to the transport, or cannot be. */
  readonly flush: Effect.Effect<void>
}

// A slow client shows between one portion and the next.
const portion = 1024 * 1024

export const make = Effect.fnUntraced(function*(
  transport: ServerTransport,
  limits: Limits,
  onOverflow: (frames: number, characters: number) => void
): Effect.fn.Return<Outbox, never, Scope.Scope> {
  let frames: Array<string> = []
  let characters = 0
  let ended = false
  const filled = yield* Latch.make(false)
  const empty = yield* Latch.make(true)
  const room = yield* Latch.make(true)

  const isHalfFull = () => frames.length * 2 >= limits.frames || characters * 2 >= limits.characters

  const end = () => {
    ended = true
    frames = []
    characters = 0
    empty.openUnsafe()
    room.openUnsafe()
  }

  const giveUp = () => {
    if (ended) return
    onOverflow(frames.length, characters)
    end()
    transport.disconnect("the client does not read what is sent to it", tryAgainLater)
  }

  const takePortion = (): ReadonlyArray<string> => {
    let size = 0
    let count = 0
    for (const frame of frames) {
      count += 1
      size += frame.length
      if (size >= portion) break
    }
    const taken = count === frames.length ? frames : frames.slice(0, count)
    frames = count === frames.length ? [] : frames.slice(count)
    characters -= size
    if (!isHalfFull()) room.openUnsafe()
    return taken
  }

  yield* Effect.gen(function*() {
    for (;;) {
      yield* filled.await
      // Opening the latch runs this fiber at once, inside of `push`: everything else that is said in this tick goes along.
      yield* Effect.yieldNow
      const taken = takePortion()
      if (Arr.isReadonlyArrayNonEmpty(taken)) {
        yield* transport.send(taken)
      } else {
        filled.closeUnsafe()
        empty.openUnsafe()
      }
    }
  }).pipe(
    // How the connection ended is what `receive` says.
    Effect.catch(() => Effect.sync(end)),
    Effect.forkScoped
  )

  return {
    push: (frame) => {
      if (ended) return
      if (frames.length >= limits.frames || characters >= limits.characters) return giveUp()
      frames.push(frame)
      characters += frame.length
      if (isHalfFull()) room.closeUnsafe()
      empty.closeUnsafe()
      filled.openUnsafe()
    },
    room: room.await,
    hasRoom: () => ended || !isHalfFull(),
    giveUp,
    flush: empty.await
  }
})
