/**
 * A point in a script where the fake model stops until the test lets it go on.
 *
 * A gate tells the test that the model has arrived (`reached`) and holds it there until the test says so (`open`).
 * That makes "half of the answer is out, now interrupt" an ordering, where a sleep would make it a guess.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"

/** A stop that opens once and stays open. It may be shared by several turns: each of them stops until it opens. */
export interface Gate {
  readonly _tag: "Gate"
  /** Ends when the first visitor stands at the gate. All it wrote before has been handed to the socket. */
  readonly reached: Effect.Effect<void>
  /** Lets all visitors pass, now and later. */
  readonly open: Effect.Effect<void>
  /** The visitor's side: reports the arrival, then waits for the gate to open. */
  readonly pass: Effect.Effect<void>
}

/** Makes a closed gate. */
export const make: Effect.Effect<Gate> = Effect.gen(function*() {
  const arrival = yield* Latch.make()
  const passage = yield* Latch.make()
  return {
    _tag: "Gate",
    reached: arrival.await,
    open: Effect.asVoid(passage.open),
    pass: Effect.andThen(arrival.open, passage.await)
  }
})
