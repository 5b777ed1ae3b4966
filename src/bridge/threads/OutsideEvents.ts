/**
 * What an agent does outside of the turns that clients have started: turns that it starts by itself, e.g. for a goal,
 * and items that outlive their turn or come late.
 *
 * A turn of the agent's own becomes a turn of the thread with the first thing that happens in it. Agents tell a
 * compaction that was asked for in the same way; it has a turn already, so its events are left out.
 */
import * as Effect from "effect/Effect"
import type { AgentEvent, EventOf } from "../../agent/AgentEvent.ts"
import type { BridgeError } from "../BridgeError.ts"

/** Where the events go. `Turn` is a turn of the thread. */
export interface Sink<Turn> {
  /** The turn that runs, whoever has started it. */
  readonly running: () => Turn | undefined
  /** Starts a turn of the agent's own. */
  readonly begin: Effect.Effect<Turn, BridgeError>
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
  | { readonly _tag: "Announced" }
  /** `own` unless a client's turn has taken it in: then its end is not that one's. */
  | { readonly _tag: "Following"; readonly turn: Turn; readonly own: boolean }
  /** A compaction that has a turn already. */
  | { readonly _tag: "Skipping" }

const between = { _tag: "Between" } as const

export class OutsideEvents<Turn> {
  readonly #sink: Sink<Turn>
  #state: State<Turn> = between
  #compactions = 0

  constructor(sink: Sink<Turn>) {
    this.#sink = sink
  }

  /** A compaction was asked for: the next turn of the agent's own that is one is that. */
  expectCompaction(): void {
    this.#compactions = 1
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
        this.#state = { _tag: "Announced" }
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
          return this.#first(event)
        case "Following":
          return this.#follow(state, event)
        case "Skipping":
          if (event._tag === "TurnEnded") this.#state = between
          return Effect.void
      }
    })
  }

  #first(event: AgentEvent): Effect.Effect<void, BridgeError> {
    if (this.#compactions > 0 && isCompaction(event)) {
      this.#compactions = 0
      this.#state = { _tag: "Skipping" }
      return Effect.void
    }
    const running = this.#sink.running()
    const turn = running === undefined
      ? Effect.map(this.#sink.begin, (turn) => ({ turn, own: true }))
      : Effect.succeed({ turn: running, own: false })
    return Effect.flatMap(turn, ({ own, turn }) => {
      const state = { _tag: "Following", turn, own } as const
      this.#state = state
      return this.#follow(state, event)
    })
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
