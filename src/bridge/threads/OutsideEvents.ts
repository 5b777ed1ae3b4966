/**
 * What an agent does outside of the turns that clients have started: turns that it starts by itself, e.g. for a goal,
 * and items that outlive their turn or come late.
 *
 * A turn of the agent's own becomes a turn of the thread with the first thing that happens in it. Agents tell a
 * compaction that was asked for in the same way; it has a turn already, so all but its usage and retries is left out.
 */
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { AgentEvent, EventOf } from "../../agent/AgentEvent.ts"
import type { BridgeError } from "../BridgeError.ts"

/** Where the events go. `Turn` is a turn of the thread. */
export interface Sink<Turn> {
  /** The turn that runs, whoever has started it. */
  readonly running: () => Turn | undefined
  /** Starts a turn of the agent's own; `undefined` when another one has begun meanwhile. */
  readonly begin: (agentTurnId: string) => Effect.Effect<Turn | undefined, BridgeError>
  readonly apply: (turn: Turn, event: AgentEvent) => Effect.Effect<void, BridgeError>
  /** An event of an item while no turn of the agent's own runs. */
  readonly late: (event: ItemEvent) => Effect.Effect<void, BridgeError>
  readonly goal: (goal: EventOf<"GoalUpdated">["goal"]) => Effect.Effect<void, BridgeError>
  readonly warning: (event: EventOf<"Warning">) => Effect.Effect<void>
}

export type ItemEvent = EventOf<"ItemCompleted" | "ItemDelta" | "ItemStarted" | "ItemUpdated">

type State<Turn> =
  | { readonly _tag: "Between" }
  /** The agent says that it has started a turn, and nothing has come of it yet. */
  | { readonly _tag: "Announced"; readonly turnId: string }
  /** `own` unless a client's turn has taken it in: then its end is not that one's. */
  | { readonly _tag: "Following"; readonly turn: Turn; readonly own: boolean }
  /** A compaction that has a turn already. */
  | { readonly _tag: "Compacting"; readonly turn: Turn | undefined }

const between = { _tag: "Between" } as const

export class OutsideEvents<Turn> {
  readonly #sink: Sink<Turn>
  #state: State<Turn> = between
  #compaction: Deferred.Deferred<void> | undefined

  constructor(sink: Sink<Turn>) {
    this.#sink = sink
  }

  /**
   * Asks for a compaction: the next turn of the agent's own that is one is that. Waits until all that the agent tells of
   * it was taken, no longer than `patience` after the call.
   */
  compaction<A, E, R>(call: Effect.Effect<A, E, R>, patience: Duration.Input): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const taken = Deferred.makeUnsafe<void>()
      this.#compaction = taken
      return call.pipe(
        Effect.tap(() => Effect.timeoutOption(Deferred.await(taken), patience)),
        // Whatever comes later is something else.
        Effect.ensuring(Effect.sync(() => {
          if (this.#compaction === taken) this.#compaction = undefined
        }))
      )
    })
  }

  /** A client has joined the agent's own turn: what comes of it now is told as that of any turn. */
  joined(): void {
    this.#state = between
  }

  take(event: AgentEvent): Effect.Effect<void, BridgeError> {
    switch (event._tag) {
      case "StatusChanged":
      case "Unrecognized":
        return Effect.void
      case "TurnStarted":
        this.#state = { _tag: "Announced", turnId: event.turnId }
        return Effect.void
      case "GoalUpdated":
        return this.#state._tag === "Following" && this.#state.turn === this.#sink.running()
          ? this.#sink.apply(this.#state.turn, event)
          : this.#sink.goal(event.goal)
      case "Warning":
        return this.#sink.warning(event)
    }
    return Effect.suspend(() => {
      const state = this.#state
      switch (state._tag) {
        case "Between":
          return isItemEvent(event) ? this.#sink.late(event) : Effect.void
        case "Announced":
          return this.#first(state.turnId, event)
        case "Following":
          return this.#follow(state, event)
        case "Compacting":
          return this.#compact(state.turn, event)
      }
    })
  }

  #first(turnId: string, event: AgentEvent): Effect.Effect<void, BridgeError> {
    const running = this.#sink.running()
    if (this.#compaction !== undefined && (isCompaction(event) || event._tag === "TurnEnded")) {
      this.#state = { _tag: "Compacting", turn: running }
      return this.#compact(running, event)
    }
    if (running !== undefined) return this.#into(running, false, event)
    return Effect.flatMap(
      this.#sink.begin(turnId),
      (turn) => turn === undefined ? this.#first(turnId, event) : this.#into(turn, true, event)
    )
  }

  #into(turn: Turn, own: boolean, event: AgentEvent): Effect.Effect<void, BridgeError> {
    const state = { _tag: "Following", turn, own } as const
    this.#state = state
    return this.#follow(state, event)
  }

  /** What it used and lost on its way is told nowhere else; its beginning and its end are known. */
  #compact(turn: Turn | undefined, event: AgentEvent): Effect.Effect<void, BridgeError> {
    if (event._tag === "TurnEnded") {
      this.#state = between
      if (this.#compaction !== undefined) Deferred.doneUnsafe(this.#compaction, Effect.void)
      this.#compaction = undefined
      return Effect.void
    }
    const isTold = event._tag === "UsageUpdated" || event._tag === "Retrying"
    return isTold && turn !== undefined ? this.#sink.apply(turn, event) : Effect.void
  }

  #follow(
    { own, turn }: Extract<State<Turn>, { readonly _tag: "Following" }>,
    event: AgentEvent
  ): Effect.Effect<void, BridgeError> {
    if (event._tag !== "TurnEnded") return this.#sink.apply(turn, event)
    this.#state = between
    return own ? this.#sink.apply(turn, event) : Effect.void
  }
}

const isItemEvent = (event: AgentEvent): event is ItemEvent =>
  event._tag === "ItemStarted" || event._tag === "ItemDelta" || event._tag === "ItemUpdated" ||
  event._tag === "ItemCompleted"

const isCompaction = (event: AgentEvent): boolean =>
  (event._tag === "ItemStarted" || event._tag === "ItemCompleted") && event.item._tag === "ContextCompaction"
