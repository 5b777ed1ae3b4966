import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

/**
 * Empties a queue that has been failed or ended, so that its takers see the end at once.
 *
 * Taking what is there makes room for offers that wait; those are taken as well. What the queue was failed with is for
 * its takers, and is not told here.
 */
export const discard = <A, E>(queue: Queue.Dequeue<A, E>): Effect.Effect<void> =>
  Effect.ignore(Queue.clear(queue)).pipe(Effect.repeat({ until: () => queue.state._tag === "Done" }), Effect.asVoid)
