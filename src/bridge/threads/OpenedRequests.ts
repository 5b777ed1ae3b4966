/**
 * Questions of an agent, and the events that tell of them.
 *
 * An agent asks at once, while its events wait to be stored. Clients look up what they are asked about: a question is
 * held back until they have been shown the item that it belongs to.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { AgentEvent } from "../../agent/AgentEvent.ts"

// An agent that asks without an event of it is heard as well.
const patience = "1 second"

interface Waiting {
  readonly itemId: string
  readonly shown: Deferred.Deferred<void>
}

export class OpenedRequests {
  /** Items of questions that were told of and not asked yet. */
  #told: Array<string> = []
  readonly #waiting = new Set<Waiting>()

  /** Notes events that clients were shown. */
  take(events: ReadonlyArray<AgentEvent>): void {
    for (const event of events) {
      if (event._tag === "TurnEnded") this.#told = []
      else if (event._tag === "RequestOpened" && event.itemId !== undefined) this.#tell(event.itemId)
    }
  }

  /** Waits until clients were shown that there is a question about an item. */
  shown(itemId: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      const at = this.#told.indexOf(itemId)
      if (at >= 0) {
        this.#told.splice(at, 1)
        return Effect.void
      }
      const waiting: Waiting = { itemId, shown: Deferred.makeUnsafe() }
      this.#waiting.add(waiting)
      return Deferred.await(waiting.shown).pipe(
        Effect.timeoutOption(patience),
        Effect.ensuring(Effect.sync(() => this.#waiting.delete(waiting))),
        Effect.asVoid
      )
    })
  }

  #tell(itemId: string): void {
    for (const waiting of this.#waiting) {
      if (waiting.itemId !== itemId) continue
      this.#waiting.delete(waiting)
      Deferred.doneUnsafe(waiting.shown, Effect.void)
      return
    }
    this.#told.push(itemId)
  }
}
