/**
 * A run of the agent as a turn: its projector, its reader's buffer, and what it waits for from the host.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { AgentEvent, EventOf, TurnOutcome } from "../../../agent/AgentEvent.ts"
import { EventBuffer } from "../../../agent/EventBuffer.ts"
import type { TurnHostService } from "../../../agent/TurnHost.ts"
import type { Rules } from "../Approvals.ts"
import { TurnProjector, type TurnProjectorOptions } from "../TurnProjector.ts"

export interface PiTurnOptions extends Omit<TurnProjectorOptions, "emit"> {
  readonly host: TurnHostService
  readonly rules: Rules
  /** Text for the model that nobody is shown. */
  readonly context?: string | undefined
  /** Gets the events; without it they wait in the buffer. */
  readonly outside?: ((event: AgentEvent) => void) | undefined
  readonly onEnd: () => void
}

/** What the agent asks, in a line. */
export type Request = Omit<EventOf<"RequestOpened">, "_tag">

export interface Answer<A> {
  readonly answer: A
  /** What came of it, e.g. `accept`, `failed`. */
  readonly word: string
}

const answerOf = <A>(exit: Exit.Exit<Answer<A>> | undefined, withdrawn: Answer<A>): Answer<A> =>
  exit !== undefined && Exit.isSuccess(exit) ? exit.value : withdrawn

export class PiTurn {
  readonly id: string
  readonly rules: Rules
  readonly projector: TurnProjector
  readonly buffer: EventBuffer
  host: TurnHostService
  /** Told once. */
  context: string | undefined
  readonly #onEnd: () => void
  readonly #ended = Deferred.makeUnsafe<TurnOutcome>()
  readonly #waiting = new Set<Fiber.Fiber<unknown, unknown>>()
  /** Ids that the host gave to what it said meanwhile. */
  readonly #clientIds: Array<string | undefined> = []
  #outside: ((event: AgentEvent) => void) | undefined

  constructor(options: PiTurnOptions) {
    const { context, host, onEnd, outside, rules, ...rest } = options
    this.id = options.turnId
    this.rules = rules
    this.host = host
    this.context = context
    this.#onEnd = onEnd
    this.#outside = outside
    this.buffer = new EventBuffer({ backend: options.backend })
    this.projector = new TurnProjector({ ...rest, emit: (event) => this.#emit(event) })
  }

  /** Whether the agent has started it by itself, and no client has joined it. */
  get isOwn(): boolean {
    return this.#outside !== undefined
  }

  /** Waits for the end. */
  get outcome(): Effect.Effect<TurnOutcome> {
    return Deferred.await(this.#ended)
  }

  /** A client has joined: what comes from now on is for it. */
  join(host: TurnHostService): void {
    this.host = host
    this.#outside = undefined
  }

  /** Notes that the host says something to the running turn. */
  said(clientId: string | undefined): void {
    this.#clientIds.push(clientId)
  }

  /** Asks the host, as long as the turn goes on; `withdrawn` is the answer when it ends. */
  asking<A>(request: Request, ask: Effect.Effect<Answer<A>>, withdrawn: Answer<A>): Effect.Effect<Answer<A>> {
    return Effect.gen({ self: this }, function*() {
      if (this.projector.ended) return withdrawn
      this.projector.requestOpened({ _tag: "RequestOpened", ...request })
      const fiber = yield* Effect.forkChild(ask)
      this.#waiting.add(fiber)
      const exit = yield* Effect.ensuring(
        Fiber.await(fiber),
        Effect.sync(() => {
          this.#waiting.delete(fiber)
          this.projector.requestResolved(request.requestId, answerOf(fiber.pollUnsafe(), withdrawn).word)
        })
      )
      return answerOf(exit, withdrawn)
    })
  }

  /** Nobody is asked any longer. */
  withdraw(): void {
    for (const fiber of this.#waiting) fiber.interruptUnsafe()
  }

  #emit(event: AgentEvent): void {
    const told = this.#withClientId(event)
    if (this.#outside === undefined) this.buffer.offer(told)
    else this.#outside(told)
    if (event._tag !== "TurnEnded") return
    this.withdraw()
    this.buffer.end()
    this.#onEnd()
    Deferred.doneUnsafe(this.#ended, Effect.succeed(event.outcome))
  }

  /** The agents do not echo ids; they take messages in the order in which they were sent. */
  #withClientId(event: AgentEvent): AgentEvent {
    if (event._tag !== "ItemCompleted" || event.item._tag !== "UserMessage") return event
    const clientId = this.#clientIds.shift()
    return clientId === undefined ? event : { ...event, item: { ...event.item, clientId } }
  }
}
