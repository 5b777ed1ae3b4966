/**
 * Two transports connected to each other in memory, for tests and for peers in one process.
 *
 * They behave as the two ends of a reliable connection do, bounded buffers
 * included, and can be made to misbehave: {@link MemoryTransport.inject} puts
 * anything on the wire, {@link MemoryTransport.cut} breaks it.
 */
import type * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { discard } from "./internal/discard.ts"
import type { Inbound, TransportService } from "./Transport.ts"
import { Closed, TransportError } from "./TransportError.ts"

/** One end of the pair. */
export interface MemoryTransport extends TransportService {
  /** Closes this end: the other one still receives what was sent, then `Closed`. */
  readonly close: Effect.Effect<void>
  /** Breaks the connection at once: what is in flight either way is lost, both ends fail with `Closed` and this detail. */
  readonly cut: (detail?: string) => Effect.Effect<void>
  /** Lets items arrive at this end as if the other one had sent them. Waits while the buffer is full. */
  readonly inject: (items: Arr.NonEmptyReadonlyArray<Inbound>) => Effect.Effect<void, TransportError>
}

interface Side {
  readonly target: string
  readonly arriving: Queue.Queue<Inbound, TransportError>
  readonly ended: Deferred.Deferred<never, TransportError>
}

const makeSide = Effect.fnUntraced(function*(target: string, capacity: number): Effect.fn.Return<Side> {
  return {
    target,
    arriving: yield* Queue.bounded<Inbound, TransportError>(capacity),
    ended: yield* Deferred.make<never, TransportError>()
  }
})

/** Ends one side. What has arrived there can still be received, unless it is discarded. */
const endSide = (side: Side, detail: string): void => {
  const failure = Cause.fail(new TransportError({ reason: new Closed({ target: side.target, detail }) }))
  if (Deferred.doneUnsafe(side.ended, Effect.failCause(failure))) Queue.failCauseUnsafe(side.arriving, failure)
}

const endOf = (here: Side, there: Side): MemoryTransport => {
  const offer = (items: Arr.NonEmptyReadonlyArray<Inbound>, into: Side) =>
    Effect.suspend(() => {
      const refused = Deferred.await(here.ended)
      if (Deferred.isDoneUnsafe(here.ended)) return refused
      return Effect.raceFirst(
        Effect.flatMap(Queue.offerAll(into.arriving, items), (left) =>
          // Accepted by a connection that has just been cut is lost.
          left.length === 0 && !Deferred.isDoneUnsafe(here.ended) ? Effect.void : refused),
        refused
      )
    })
  return {
    target: here.target,
    receive: Queue.takeAll(here.arriving),
    send: (frames) => offer(frames, there),
    inject: (items) => offer(items, here),
    // Both sides are ended before anything is discarded: that wakes senders, who then see the end.
    close: Effect.suspend(() => {
      endSide(here, "it was closed by this side")
      endSide(there, "it was closed by the other side")
      return discard(here.arriving)
    }),
    cut: (detail = "the connection was cut") =>
      Effect.suspend(() => {
        endSide(here, detail)
        endSide(there, detail)
        return Effect.andThen(discard(here.arriving), discard(there.arriving))
      })
  }
}

/**
 * A connected pair: what one sends the other receives.
 *
 * `capacity` is the number of frames that may be under way in each direction
 * before `send` waits, 256 by default. Closing the scope closes both ends.
 */
export const make = Effect.fnUntraced(function*(options?: {
  readonly capacity?: number | undefined
  /** Names of the two ends, for messages. */
  readonly targets?: readonly [left: string, right: string] | undefined
}): Effect.fn.Return<readonly [left: MemoryTransport, right: MemoryTransport], never, Scope.Scope> {
  const capacity = options?.capacity ?? 256
  const [leftTarget, rightTarget] = options?.targets ?? ["memory:left", "memory:right"]
  const left = yield* makeSide(leftTarget, capacity)
  const right = yield* makeSide(rightTarget, capacity)
  const ends = [endOf(left, right), endOf(right, left)] as const
  yield* Effect.addFinalizer(() => Effect.forEach(ends, (end) => end.close, { discard: true }))
  return ends
})

/** {@link make} with its defaults. */
export const pair: Effect.Effect<readonly [left: MemoryTransport, right: MemoryTransport], never, Scope.Scope> = make()
