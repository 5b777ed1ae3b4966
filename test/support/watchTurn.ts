/**
 * Reads a turn in the background, so that a test can wait for an event and act on it.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AgentError, AgentEvent, AgentTurn } from "../../src/agent/index.ts"

export interface Watched {
  /** What has been read so far. */
  readonly events: ReadonlyArray<AgentEvent>
  /** Waits for the first event, past or future, that fits. Dies when the turn ends without one. */
  readonly seen: (predicate: (event: AgentEvent) => boolean) => Effect.Effect<void>
  /** Waits for the end of the events. */
  readonly all: Effect.Effect<ReadonlyArray<AgentEvent>, AgentError>
}

export const watchTurn = Effect.fnUntraced(
  function*(turn: AgentTurn): Effect.fn.Return<Watched, never, Scope.Scope> {
    const events: Array<AgentEvent> = []
    const waiting = new Set<
      { readonly fits: (event: AgentEvent) => boolean; readonly found: Deferred.Deferred<void> }
    >()
    const fiber = yield* turn.events.pipe(
      Stream.runForEach((event) =>
        Effect.sync(() => {
          events.push(event)
          for (const one of waiting) if (one.fits(event)) Deferred.doneUnsafe(one.found, Effect.void)
        })
      ),
      Effect.forkScoped
    )
    const ended = Effect.flatMap(
      Fiber.await(fiber),
      (exit) =>
        Effect.die(
          new Error(
            `The turn ${Exit.isSuccess(exit) ? "ended" : "broke off"} without the event: ${
              events.map((event) => event._tag).join(" ")
            }`
          )
        )
    )
    return {
      events,
      seen: (fits) =>
        Effect.suspend(() => {
          if (events.some(fits)) return Effect.void
          const one = { fits, found: Deferred.makeUnsafe<void>() }
          waiting.add(one)
          return Effect.raceFirst(Deferred.await(one.found), ended).pipe(
            Effect.ensuring(Effect.sync(() => waiting.delete(one)))
          )
        }),
      all: Effect.as(Fiber.join(fiber), events)
    }
  }
)
