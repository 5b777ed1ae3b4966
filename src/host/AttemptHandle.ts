/**
 * The handle of one running attempt: how the rest of the host reaches it.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { AgentTurn } from "../agent/AgentBackend.ts"
import type { AgentError } from "../agent/AgentError.ts"
import type { Stop } from "./AttemptReducer.ts"

/**
 * What became of a message for a running turn. A message that is `Unconfirmed` may have arrived: do not send it
 * again.
 */
export type SteerOutcome =
  | { readonly _tag: "Accepted" }
  | { readonly _tag: "NotActive" }
  | { readonly _tag: "Refused"; readonly error: AgentError }
  | { readonly _tag: "Unconfirmed"; readonly error: AgentError }

/** What an attempt is known by. */
export interface AttemptIdentity {
  readonly runId: string
  readonly sessionKey?: string | undefined
  readonly sessionFile?: string | undefined
  /** The agent that the attempt begins with. */
  readonly backend: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/** `starting` until the agent has accepted the turn. */
export type AttemptPhase = "starting" | "running" | "ended"

/** A running attempt. */
export class AttemptHandle {
  readonly #stop = Deferred.makeUnsafe<Stop>()
  readonly #turn = Deferred.makeUnsafe<AgentTurn>()
  readonly #ended = Deferred.makeUnsafe<void>()
  #phase: AttemptPhase = "starting"
  #backend: string | undefined

  get phase(): AttemptPhase {
    return this.#phase
  }

  /** The agent that the attempt is made on now; `undefined` before it is made on any. */
  get backend(): string | undefined {
    return this.#backend
  }

  /** Waits until somebody stops the attempt. The first one counts. */
  readonly stopped: Effect.Effect<Stop> = Deferred.await(this.#stop)

  /** Waits for the end of the attempt. */
  readonly ended: Effect.Effect<void> = Deferred.await(this.#ended)

  /** Asks the attempt to stop. `false` when it has ended, or was asked before. */
  stop(stop: Stop): boolean {
    return this.#phase !== "ended" && Deferred.doneUnsafe(this.#stop, Effect.succeed(stop))
  }

  /** Sends text into the running turn; waits for the turn while the attempt is starting. */
  steer(text: string): Effect.Effect<SteerOutcome> {
    const send = Effect.flatMap(Deferred.await(this.#turn), (turn) => turn.steer({ input: [{ _tag: "Text", text }] }))
    const sent = Effect.match(send, {
      onSuccess: (): SteerOutcome => ({ _tag: "Accepted" }),
      onFailure: (error): SteerOutcome => ({ _tag: error.mayHaveReached ? "Unconfirmed" : "Refused", error })
    })
    // The end comes first: the turn of an attempt that is over is none to send to.
    return Effect.raceFirst(Effect.as(this.ended, { _tag: "NotActive" } as const), sent)
  }

  /** The attempt is made on this agent from now on. */
  on(backend: string): void {
    this.#backend = backend
  }

  /** The agent has accepted the turn. */
  accepted(turn: AgentTurn): void {
    this.#phase = "running"
    Deferred.doneUnsafe(this.#turn, Effect.succeed(turn))
  }

  /** The attempt is over. */
  end(): void {
    this.#phase = "ended"
    Deferred.doneUnsafe(this.#ended, Effect.void)
  }
}
