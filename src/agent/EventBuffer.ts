/**
 * The bounded buffer between an agent's wire and the reader of a turn.
 *
 * Offering never waits, so that a slow reader cannot hold up the connection that all threads share.
 * Under pressure adjacent deltas of one text are merged; a reader that falls too far behind all the same
 * is told so, and the rest is dropped.
 */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { AgentError, ReaderTooSlow } from "./AgentError.ts"
import type { AgentEvent } from "./AgentEvent.ts"

export interface EventBufferOptions {
  /** For the error. */
  readonly backend: string
  /** From how many waiting events on deltas are merged. Default 256. */
  readonly mergeAbove?: number | undefined
  /** How many waiting events are too many. Default 16,384. */
  readonly limit?: number | undefined
}

type State =
  | { readonly _tag: "Open" }
  | { readonly _tag: "Ended" }
  | { readonly _tag: "Overflowed"; readonly error: AgentError }

/** A single-consumer buffer of events. Not safe to read from two fibers. */
export class EventBuffer {
  readonly #options: { readonly backend: string; readonly mergeAbove: number; readonly limit: number }
  #waiting: Array<AgentEvent> = []
  #state: State = { _tag: "Open" }
  #wake: ((pull: Effect.Effect<Arr.NonEmptyReadonlyArray<AgentEvent>, AgentError | Cause.Done>) => void) | undefined

  constructor(options: EventBufferOptions) {
    this.#options = { backend: options.backend, mergeAbove: options.mergeAbove ?? 256, limit: options.limit ?? 16_384 }
  }

  /** Appends an event. Ignored once the buffer has ended or overflowed. */
  offer(event: AgentEvent): void {
    if (this.#state._tag !== "Open") return
    const waiting = this.#waiting
    const length = waiting.length
    if (length >= this.#options.mergeAbove && event._tag === "ItemDelta") {
      const last = waiting[length - 1]
      if (
        last?._tag === "ItemDelta" && last.itemId === event.itemId && last.field === event.field &&
        last.index === event.index
      ) {
        waiting[length - 1] = { ...last, delta: last.delta + event.delta }
        return
      }
    }
    if (length >= this.#options.limit) {
      const reason = new ReaderTooSlow({ limit: this.#options.limit })
      this.#state = { _tag: "Overflowed", error: new AgentError({ backend: this.#options.backend, reason }) }
      return
    }
    waiting.push(event)
    this.#notify()
  }

  /** No more events: the reader gets what is waiting, then the end. */
  end(): void {
    if (this.#state._tag === "Open") this.#state = { _tag: "Ended" }
    this.#notify()
  }

  /** Everything until the end, in the batches in which it arrived. */
  readonly stream: Stream.Stream<AgentEvent, AgentError> = Stream.fromPull(Effect.sync(() => this.#pull))

  readonly #pull: Effect.Effect<Arr.NonEmptyReadonlyArray<AgentEvent>, AgentError | Cause.Done> = Effect.callback(
    (resume) => {
      const ready = this.#take()
      if (ready !== undefined) return resume(ready)
      this.#wake = resume
      return Effect.sync(() => {
        this.#wake = undefined
      })
    }
  )

  #take(): Effect.Effect<Arr.NonEmptyReadonlyArray<AgentEvent>, AgentError | Cause.Done> | undefined {
    const waiting = this.#waiting
    if (Arr.isReadonlyArrayNonEmpty(waiting)) {
      this.#waiting = []
      return Effect.succeed(waiting)
    }
    switch (this.#state._tag) {
      case "Open":
        return undefined
      case "Ended":
        return Cause.done()
      case "Overflowed":
        return Effect.fail(this.#state.error)
    }
  }

  // A resumed fiber runs at once, on the stack of whoever offers. The yield puts the reader off until that is done:
  // its code never runs inside of the connection's, and more events can gather in its batch.
  #notify(): void {
    const wake = this.#wake
    if (wake === undefined) return
    this.#wake = undefined
    wake(Effect.andThen(Effect.yieldNow, this.#pull))
  }
}
