import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * Runs deadlines on the machine's clock, whatever clock the program uses.
 *
 * A process that is told to exit, or a socket that closes, takes real time:
 * under a virtual clock that nobody advances the deadline would never pass, and
 * under one that is advanced by an hour it would pass before the other side had
 * a chance.
 */
export const inRealTime: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  Clock.Clock,
  Clock.Clock.defaultValue()
)
