/**
 * The one turn that may run on a thread. Its work is a fiber; what happens in it is stored first and shown then, to
 * every client that watches.
 */
import * as Clock from "effect/Clock"
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"
import type { AgentBackend } from "../../agent/AgentBackend.ts"
import { AgentError } from "../../agent/AgentError.ts"
import type { AgentEvent } from "../../agent/AgentEvent.ts"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import type { BridgeError } from "../BridgeError.ts"
import { type Output, TurnProjection, type UserInput } from "../projection/index.ts"
import { LateItems } from "./LateItems.ts"
import { OpenedRequests } from "./OpenedRequests.ts"
import type { ItemEvent } from "./OutsideEvents.ts"
import * as ReadState from "./ReadState.ts"
import * as RunningTurn from "./RunningTurn.ts"
import type { StoredThread } from "./StoredThread.ts"
import * as TurnStoring from "./TurnStoring.ts"
import type { Watchers } from "./Watchers.ts"

type Running = RunningTurn.RunningTurn

export interface Options {
  readonly thread: StoredThread
  readonly backend: AgentBackend["Service"]
  readonly watchers: Watchers
  /** What the thread has used up to now, if that is known. */
  readonly used: Open.ThreadTokenUsage | undefined
  /** Starts a fiber of the server: it outlives the request that asked for it. */
  readonly fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
  /** Runs when a turn was interrupted, while nothing else happens on the thread. */
  readonly onInterrupted: Effect.Effect<void, BridgeError>
}

export class TurnSlot {
  /** What the agent asks in the turn. */
  readonly opened = new OpenedRequests()
  readonly #options: Options
  /** Held while a turn begins, or while none may. */
  readonly #beginning = Semaphore.makeUnsafe(1)
  readonly #applying = Semaphore.makeUnsafe(1)
  readonly #late: LateItems
  readonly #onEnd: Array<(turn: Strict.Turn) => void> = []
  #running: Running | undefined
  #failed = false
  #used: Open.ThreadTokenUsage | undefined

  constructor(options: Options) {
    const { backend, thread, used } = options
    this.#options = options
    this.#used = used
    this.#late = new LateItems({ threadId: thread.id, cwd: thread.record.cwd, backend: backend.id })
  }

  get running(): Running | undefined {
    return this.#running
  }

  get status(): Strict.ThreadStatus {
    if (this.#running !== undefined) {
      return { type: "active", activeFlags: TurnProjection.activeFlags(this.#running.state) }
    }
    return { type: this.#failed ? "systemError" : "idle" }
  }

  /** Calls `listener` when a turn has ended and its end was shown. */
  onEnd(listener: (turn: Strict.Turn) => void): void {
    this.#onEnd.push(listener)
  }

  /** Begins a turn; `undefined` when there is one. */
  begin(input: UserInput | undefined, own?: Running["own"]): Effect.Effect<Running | undefined, BridgeError> {
    return this.#beginning.withPermit(
      Effect.suspend(() => this.#running === undefined ? this.#begin(input, own) : Effect.undefined)
    )
  }

  /** Ends the turn that runs, and begins one in its place. */
  replace(input: UserInput | undefined): Effect.Effect<Running, BridgeError> {
    return this.vacate(Effect.suspend(() => this.#begin(input, undefined)))
  }

  /** Ends the turn that runs, and does something before another one begins. */
  vacate<A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return this.#beginning.withPermit(Effect.andThen(Effect.interruptible(this.stop), work))
  }

  /** Starts the work of a turn. However it ends, that is stored and shown. */
  launch(running: Running, work: Effect.Effect<void, AgentError | BridgeError>): void {
    const fiber = this.#options.fork(
      // Whatever interrupts the turn, its end is told: only the work itself can be interrupted.
      Effect.uninterruptibleMask((restore) =>
        Effect.exit(restore(work)).pipe(
          Effect.flatMap((exit) => this.#finish(running, exit)),
          Effect.catchCause((cause) => Effect.logError(`The end of turn ${running.turnId} was not stored`, cause)),
          Effect.ensuring(Effect.sync(() => {
            if (this.#running === running) this.#running = undefined
            Deferred.doneUnsafe(running.ended, Effect.void)
          }))
        )
      )
    )
    Deferred.doneUnsafe(running.fiber, Effect.succeed(fiber))
  }

  /** Interrupts what runs, and waits for its end. */
  readonly stop: Effect.Effect<void> = Effect.suspend(() =>
    this.#running === undefined ? Effect.void : RunningTurn.stop(this.#running)
  )

  /** Waits for the end of the turn that runs, if one does. */
  readonly rest: Effect.Effect<void> = Effect.suspend(() =>
    this.#running === undefined ? Effect.void : Deferred.await(this.#running.ended)
  )

  /** Does something while nothing happens on the thread: what it reads is all that was shown up to now. */
  quietly<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.#applying.withPermit(work)
  }

  /** Stores what the events come to, and shows it. */
  apply(running: Running, events: ReadonlyArray<AgentEvent>): Effect.Effect<void, BridgeError> {
    return Effect.map(
      this.quietly(Effect.flatMap(Clock.currentTimeMillis, (now) => this.#apply(running, events, now))),
      () => this.opened.take(events)
    )
  }

  /** Stores and shows an item of a turn that has ended. */
  late(event: ItemEvent): Effect.Effect<void, BridgeError> {
    return this.quietly(Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const late = this.#late.step(event, now)
      if (late === undefined) return Effect.logDebug(`An item of no turn of thread ${this.#id} was dropped`)
      return Effect.map(this.#store(late.turnId, late.outputs), () => this.#show(late.outputs))
    }))
  }

  /** Takes back a turn and all later ones, none of which runs. */
  revert(beforeTurnId: string): Effect.Effect<void, BridgeError> {
    const { thread } = this.#options
    return Effect.gen({ self: this }, function*() {
      yield* thread.revert(beforeTurnId, yield* Clock.currentTimeMillis)
      this.#used = (yield* thread.store.lastUsage(thread.id))?.usage
    })
  }

  showReadState(): void {
    const readState = ReadState.of(this.#options.thread.record)
    if (readState !== null) this.#options.watchers.notify("thread/readState/changed", { threadId: this.#id, readState })
  }

  get #id(): string {
    return this.#options.thread.id
  }

  #begin(input: UserInput | undefined, own: Running["own"]): Effect.Effect<Running, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      const { backend, thread } = this.#options
      const turnId = uuidV7Unsafe()
      const now = yield* Clock.currentTimeMillis
      const running = RunningTurn.make(
        {
          threadId: this.#id,
          turnId,
          cwd: thread.record.cwd,
          backend: backend.id,
          goal: thread.record.goal,
          ...(input === undefined ? {} : { input }),
          ...(this.#used === undefined ? {} : { usedBefore: this.#used })
        },
        now,
        own
      )
      this.#running = running
      this.#failed = false
      yield* thread.store.startTurn(this.#id, { id: turnId, startedAt: now }).pipe(
        Effect.onError(() =>
          Effect.sync(() => {
            this.#running = undefined
            Deferred.doneUnsafe(running.ended, Effect.void)
            Deferred.doneUnsafe(running.fiber, Effect.undefined)
            this.#refuseInput(running)
          })
        )
      )
      return running
    })
  }

  /** Whoever waits for the agent to accept the turn waits in vain, if it has not. */
  #refuseInput(running: Running): void {
    const error = new AgentError({ backend: this.#options.backend.id, reason: RunningTurn.neverStarted })
    Deferred.doneUnsafe(running.agent, Effect.fail(error))
  }

  /** Tells the end of a turn, if the agent has not. */
  #finish(running: Running, exit: Exit.Exit<void, AgentError | BridgeError>): Effect.Effect<void, BridgeError> {
    this.#refuseInput(running)
    const outcome = RunningTurn.outcomeOf(exit, this.#options.backend.id)
    return Effect.andThen(
      Exit.isFailure(exit) && Exit.hasDies(exit)
        ? Effect.logError(`Turn ${running.turnId} died`, exit.cause)
        : Effect.void,
      this.apply(running, [{ _tag: "TurnEnded", outcome }])
    ).pipe(
      Effect.andThen(outcome._tag === "Interrupted" ? this.quietly(this.#options.onInterrupted) : Effect.void)
    )
  }

  #apply(running: Running, events: ReadonlyArray<AgentEvent>, now: number): Effect.Effect<void, BridgeError> {
    const counts = !this.#options.backend.capabilities.goals
    const outputs = RunningTurn.step(running, events, now, counts)
    return Effect.map(this.#store(running.turnId, outputs), () => {
      this.#show(outputs)
      for (const output of outputs) if (output._tag === "Ended") this.#ended(running, output.turn)
    })
  }

  #store(turnId: string, outputs: ReadonlyArray<Output>): Effect.Effect<void, BridgeError> {
    const { thread } = this.#options
    return Effect.gen({ self: this }, function*() {
      for (const output of outputs) {
        if (output._tag === "Notify") continue
        switch (output._tag) {
          case "PutItem":
            this.#late.note(turnId, output)
            break
          case "Usage":
            this.#used = output.usage
            break
          case "Goal":
            yield* thread.update({ goal: output.goal })
            break
          case "Unread":
            yield* thread.modify(ReadState.afterTurn(turnId, uuidV7Unsafe()))
            break
        }
        yield* TurnStoring.put(thread.store, this.#id, turnId, output)
        if (output._tag !== "Ended") continue
        this.#failed = output.turn.status === "failed"
        yield* thread.reload
        // Whoever is told that the turn has ended may start the next one.
        if (this.#running?.turnId === turnId) this.#running = undefined
      }
      // Behind the items that they are of.
      const texts = TurnStoring.texts(outputs)
      if (texts.length > 0) yield* thread.store.appendTexts(this.#id, turnId, texts)
    })
  }

  #show(outputs: ReadonlyArray<Output>): void {
    for (const output of outputs) {
      if (output._tag === "Notify") this.#options.watchers.notify(output.method, output.params)
      if (output._tag === "Unread") this.showReadState()
    }
  }

  #ended(running: Running, turn: Strict.Turn): void {
    Deferred.doneUnsafe(running.ended, Effect.void)
    for (const listener of this.#onEnd) listener(turn)
  }
}
