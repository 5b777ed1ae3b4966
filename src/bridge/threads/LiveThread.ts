/**
 * A thread that is loaded: who watches it, its agent, and the one turn that may run on it.
 */
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AgentBackend, TurnInput } from "../../agent/AgentBackend.ts"
import type { AgentError } from "../../agent/AgentError.ts"
import type { AgentEvent } from "../../agent/AgentEvent.ts"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { type BridgeError, InvalidRequest, NoActiveTurn, OtherTurn, refuse } from "../BridgeError.ts"
import type { Clients } from "../Clients.ts"
import { TurnProjection, type UserInput } from "../projection/index.ts"
import type { ThreadPatch, ThreadRecord } from "../store/ThreadRecord.ts"
import type { ThreadStore } from "../store/ThreadStore.ts"
import * as AgentInput from "./AgentInput.ts"
import * as Compactions from "./Compactions.ts"
import type * as GoalKeeping from "./GoalKeeping.ts"
import { type ItemEvent, OutsideEvents } from "./OutsideEvents.ts"
import { PendingRequests } from "./PendingRequests.ts"
import * as RunningTurn from "./RunningTurn.ts"
import { StoredThread } from "./StoredThread.ts"
import { readingGrace, ThreadAgent } from "./ThreadAgent.ts"
import { ThreadGoal } from "./ThreadGoal.ts"
import * as ThreadHost from "./ThreadHost.ts"
import { ThreadQueue } from "./ThreadQueue.ts"
import * as Titles from "./Titles.ts"
import { TurnSlot } from "./TurnSlot.ts"
import { Watchers } from "./Watchers.ts"

type Running = RunningTurn.RunningTurn

export interface LiveThreadOptions {
  readonly record: ThreadRecord
  readonly store: ThreadStore["Service"]
  readonly backend: AgentBackend["Service"]
  readonly clients: Clients["Service"]
  /** The agent's name of a model provider. */
  readonly provider: string | undefined
  /** What the thread has used up to now, if that is known. */
  readonly used: Open.ThreadTokenUsage | undefined
  /** Milliseconds that a question waits for a client to come back. */
  readonly approvalGrace: number
  readonly nextRequestId: () => number
  /** Starts a fiber of the server: it outlives the request that asked for it, and logs where the server does. */
  readonly fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
  /** Ends with the thread. */
  readonly scope: Scope.Scope
}

/** What this server does in a turn of its own. */
type Work = (turn: RunningTurn.OwnWork) => Effect.Effect<void, AgentError | BridgeError>

/** A turn that has begun; `run` starts its work, once the answer is on its way. */
interface BegunWork {
  readonly turn: Strict.Turn
  readonly run: () => void
}

export class LiveThread {
  readonly id: string
  readonly watchers: Watchers
  readonly pending: PendingRequests
  readonly queue: ThreadQueue
  readonly #options: LiveThreadOptions
  readonly #stored: StoredThread
  readonly #slot: TurnSlot
  readonly #outside: OutsideEvents<Running>
  readonly #goal: ThreadGoal
  readonly #agent: ThreadAgent

  constructor(options: LiveThreadOptions) {
    const stored = new StoredThread(options.store, options.record)
    const record = () => stored.record
    const update = (patch: ThreadPatch) => stored.update(patch)
    this.#options = options
    this.#stored = stored
    this.id = stored.id
    this.watchers = new Watchers(options.clients, (connectionId) => this.pending.leave(connectionId))
    this.#slot = new TurnSlot({
      ...options,
      thread: stored,
      watchers: this.watchers,
      // An agent that is interrupted may let go of its goal, and nobody has heard that.
      onInterrupted: Effect.suspend(() => this.#goal.reread)
    })
    this.pending = new PendingRequests({
      threadId: this.id,
      watching: () => this.watchers,
      grace: options.approvalGrace,
      nextId: options.nextRequestId,
      run: options.fork
    })
    this.queue = new ThreadQueue(this)
    this.#goal = new ThreadGoal({
      id: this.id,
      watchers: this.watchers,
      backend: options.backend,
      record,
      update,
      running: () => this.#slot.running,
      session: () => this.#agent.session,
      openSession: Effect.suspend(() => this.#agent.open)
    })
    this.#agent = new ThreadAgent({
      ...options,
      id: this.id,
      host: ThreadHost.make({
        threadId: this.id,
        turnId: () => this.#slot.running?.turnId ?? "",
        cwd: stored.record.cwd,
        pending: this.pending,
        opened: this.#slot.opened
      }),
      record,
      update,
      goal: () => this.#goal.context,
      onEvent: (event) =>
        Effect.catch(
          this.#outside.take(event),
          (error) => Effect.logError(`An event of thread ${this.id} was lost: ${error.message}`)
        ),
      onOpen: (session) => this.#goal.sync(session),
      warn: (message) => this.watchers.notify("warning", { threadId: this.id, message })
    })
    this.#outside = new OutsideEvents<Running>({
      running: () => this.#slot.running,
      begin: (agentTurnId) => this.#beginOwn(agentTurnId),
      apply: (running, event) => this.#slot.apply(running, [event]),
      late: (event) => this.#slot.late(event),
      goal: (goal) => this.quietly(this.#goal.told(goal)),
      warning: ({ message }) => Effect.sync(() => this.watchers.notify("warning", { threadId: this.id, message }))
    })
  }

  get record(): ThreadRecord {
    return this.#stored.record
  }

  get status(): Strict.ThreadStatus {
    return this.#slot.status
  }

  /** The turn that runs, as clients see it. */
  get turn(): Strict.Turn | undefined {
    const { running } = this.#slot
    return running === undefined ? undefined : TurnProjection.turn(running.state)
  }

  /** The items of the turn that runs which have not completed, by id, with the texts that clients were shown so far. */
  get openItems(): ReadonlyMap<string, Strict.ThreadItem> {
    const { running } = this.#slot
    const items = running === undefined ? [] : TurnProjection.openItems(running.state)
    return new Map(items.map((item) => [item.id, item]))
  }

  /** Changes what is stored of the thread. */
  update(patch: ThreadPatch): Effect.Effect<ThreadRecord, BridgeError> {
    return this.#stored.update(patch)
  }

  /**
   * Starts a turn; `run` starts its work, once the answer is on its way. Input for a turn that runs is steered into it.
   */
  startTurn(start: RunningTurn.TurnStart): Effect.Effect<BegunWork, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      yield* RunningTurn.checkInput(start.input)
      const content = yield* RunningTurn.shownInput(start.input)
      const begun = yield* this.#slot.begin({ itemId: uuidV7Unsafe(), clientId: start.clientId, content })
      if (begun === undefined) return yield* this.#startWithin(start)
      const work = Titles.isTitleThread(this.record.threadSource)
        ? this.#slot.apply(begun, Titles.events(begun.turnId, uuidV7Unsafe(), AgentInput.textOf(start.input)))
        : this.#work(begun, start)
      return { turn: RunningTurn.unstarted(begun.turnId), run: () => this.#slot.launch(begun, work) }
    })
  }

  /** Steers input into the turn that runs. One that takes no more is about to end, as a rule: the next is the input's. */
  #startWithin(start: RunningTurn.TurnStart): Effect.Effect<BegunWork, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      const { turnId } = yield* this.steer(start.input, start.clientId, undefined)
      const { running } = this.#slot
      const turn = running?.turnId === turnId ? TurnProjection.turn(running.state) : RunningTurn.unstarted(turnId)
      return { turn, run: () => {} }
    }).pipe(
      Effect.interruptible,
      Effect.catchIf(({ reason }) => reason._tag === "NoActiveTurn", (refused) =>
        Effect.flatMap(
          Effect.interruptible(Effect.timeoutOption(this.rest, readingGrace)),
          (rested) => Option.isSome(rested) ? this.startTurn(start) : Effect.fail(refused)
        ))
    )
  }

  /** Adds input to the turn that runs. */
  steer(
    input: ReadonlyArray<Open.UserInput>,
    clientId: string | null,
    expectedTurnId: string | undefined
  ): Effect.Effect<{ readonly turnId: string }, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      yield* RunningTurn.checkInput(input)
      const { running } = this.#slot
      if (running === undefined) return yield* refuse(new NoActiveTurn({ action: "steer" }))
      if (expectedTurnId !== undefined && expectedTurnId !== running.turnId) {
        return yield* refuse(new OtherTurn({ action: "steer", expected: expectedTurnId, found: running.turnId }))
      }
      const message: UserInput = { itemId: uuidV7Unsafe(), clientId, content: yield* RunningTurn.shownInput(input) }
      const { own } = running
      const send = own !== undefined && !Deferred.isDoneUnsafe(running.agent)
        ? (given: TurnInput) => this.#join(running, own, given)
        : (yield* Effect.mapError(Deferred.await(running.agent), RunningTurn.notSteered)).steer
      TurnProjection.sendInput(running.state, message)
      yield* send({ input: AgentInput.toParts(input), clientId: message.itemId }).pipe(
        Effect.mapError(RunningTurn.notSteered),
        Effect.onExit((exit) =>
          Effect.sync(() => TurnProjection.settleInput(running.state, message.itemId, Exit.isSuccess(exit)))
        )
      )
      return { turnId: running.turnId }
    })
  }

  /** Interrupts the turn that runs; returns how to begin with it, once the answer is on its way. */
  interrupt(turnId: string): Effect.Effect<() => void, BridgeError> {
    return Effect.suspend(() => {
      const { running } = this.#slot
      // No id stands for whatever runs, as in the real server.
      if (running === undefined) {
        return turnId === "" ? Effect.succeed(() => {}) : Effect.fail(refuse(new NoActiveTurn({ action: "interrupt" })))
      }
      if (turnId !== "" && turnId !== running.turnId) {
        return Effect.fail(refuse(new OtherTurn({ action: "interrupt", expected: turnId, found: running.turnId })))
      }
      return Effect.succeed(() => this.fork(RunningTurn.stop(running)))
    })
  }

  /** Compacts the agent's context in a turn of its own; a turn that runs is interrupted before. */
  compact(): Effect.Effect<() => void, BridgeError> {
    return Effect.map(
      this.#slot.replace(undefined),
      (running) => () => this.#slot.launch(running, this.#compaction(running))
    )
  }

  /** Starts a turn whose work this server does itself, unless one runs; `run` starts the work. */
  beginWork(work: Work): Effect.Effect<BegunWork, BridgeError> {
    return Effect.flatMap(this.#slot.begin(undefined), (running) =>
      running === undefined
        ? Effect.fail(refuse(new InvalidRequest({ message: "thread already has an active or pending turn" })))
        : Effect.succeed(this.#begunWork(running, work)))
  }

  /** The same in place of a turn that runs, which is interrupted. */
  replaceWithWork(work: Work): Effect.Effect<BegunWork, BridgeError> {
    return Effect.map(this.#slot.replace(undefined), (running) => this.#begunWork(running, work))
  }

  #begunWork(running: Running, work: Work): BegunWork {
    const turn = this.#ownWork(running)
    return { turn: RunningTurn.unstarted(running.turnId), run: () => this.#slot.launch(running, work(turn)) }
  }

  /** What happens within the turn that runs and is not the agent's work; `undefined` when none runs. */
  get within(): RunningTurn.OwnWork | undefined {
    const { running } = this.#slot
    return running === undefined ? undefined : this.#ownWork(running)
  }

  #ownWork(running: Running): RunningTurn.OwnWork {
    return RunningTurn.ownWork(running, (events) => this.#slot.apply(running, events))
  }

  /** Runs a turn of the agent to its end, as the work of a turn of this server's own. */
  runAgent(
    turn: RunningTurn.OwnWork,
    input: TurnInput,
    apply: (events: ReadonlyArray<AgentEvent>) => Effect.Effect<void, BridgeError>
  ): Effect.Effect<void, AgentError | BridgeError> {
    return Effect.suspend(() => {
      const { running } = this.#slot
      return running?.turnId === turn.turnId ? this.#agent.run(running, input, apply) : Effect.void
    })
  }

  /** Calls `listener` when a turn has ended and its end was shown. */
  onEnd(listener: (turn: Strict.Turn) => void): void {
    this.#slot.onEnd(listener)
  }

  /** Starts a fiber that ends with the thread. */
  fork(effect: Effect.Effect<void>): void {
    this.#options.fork(Effect.asVoid(Effect.forkIn(effect, this.#options.scope)))
  }

  /**
   * Tells the agent something with its next turn, without a word to clients. `turnId`: the turn that it belongs to, if it
   * belongs to one.
   */
  inject(texts: ReadonlyArray<string>, turnId: string | null = null): Effect.Effect<void, BridgeError> {
    return this.#agent.tell(texts, turnId)
  }

  /** Stores and shows an item of a turn that has ended. */
  late(event: ItemEvent): Effect.Effect<void, BridgeError> {
    return this.#slot.late(event)
  }

  /** Changes the goal; `tell` shows it, once the answer is on its way. */
  setGoal(change: GoalKeeping.Change) {
    return this.quietly(this.#goal.set(change))
  }

  /** Takes the goal away; gives how to show that, or `undefined` when there was none. */
  readonly clearGoal: Effect.Effect<(() => void) | undefined, BridgeError> = Effect.suspend(() =>
    this.quietly(this.#goal.clear)
  )

  /** Interrupts what runs, and waits for its end. */
  get stop(): Effect.Effect<void> {
    return this.#slot.stop
  }

  /** Waits for the end of the turn that runs, if one does. */
  get rest(): Effect.Effect<void> {
    return this.#slot.rest
  }

  /** Does something while nothing happens on the thread: what it reads is all that was shown up to now. */
  quietly<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.#slot.quietly(work)
  }

  /** Changes what of the thread is unread, and tells it. */
  unread(change: (thread: ThreadRecord) => ThreadPatch | undefined): Effect.Effect<void, BridgeError> {
    return this.quietly(Effect.map(this.#stored.modify(change), (isOther) => {
      if (isOther) this.#slot.showReadState()
    }))
  }

  /** Takes back a turn and all later ones; one that runs is interrupted. The agent does not know of them either. */
  revert(beforeTurnId: string): Effect.Effect<ThreadRecord, BridgeError> {
    return this.#slot.vacate(Effect.gen({ self: this }, function*() {
      yield* this.#slot.revert(beforeTurnId)
      if (this.record.backendRef === null) yield* this.#agent.close
      return this.record
    }))
  }

  /** Runs the turn on the agent until it has ended. */
  #work(running: Running, start: RunningTurn.TurnStart): Effect.Effect<void, AgentError | BridgeError> {
    return this.#agent.run(running, {
      input: AgentInput.toParts(start.input),
      clientId: start.clientId ?? undefined,
      outputSchema: start.outputSchema == null ? undefined : RunningTurn.jsonOf(start.outputSchema)
    }, (events) => this.#slot.apply(running, events))
  }

  /** Begins a turn that the agent has started by itself, unless a client's turn began before. */
  #beginOwn(agentTurnId: string): Effect.Effect<Running | undefined, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      const { session } = this.#agent
      const scope = Scope.makeUnsafe()
      const running = yield* this.#slot.begin(undefined, session === undefined ? undefined : { session, scope })
      if (running === undefined) return undefined
      const interrupt = Effect.suspend(() => session?.interruptOwn ?? Effect.void).pipe(
        // What it did until then is told as well.
        Effect.andThen(Effect.timeoutOption(Deferred.await(running.ended), readingGrace)),
        Effect.catch((error) => Effect.logWarning(`The agent could not be interrupted: ${error.message}`))
      )
      this.#slot.launch(
        running,
        Deferred.await(running.ended).pipe(
          Effect.onInterrupt(() => interrupt),
          Effect.ensuring(Scope.close(scope, Exit.void))
        )
      )
      yield* this.#agent.note(running, agentTurnId)
      return running
    })
  }

  /** Says something in a turn that the agent has started by itself: from then on it is one that a client started. */
  #join(running: Running, own: NonNullable<Running["own"]>, input: TurnInput): Effect.Effect<void, AgentError> {
    return Effect.map(this.#agent.join(running, own, input), (turn) => {
      this.#outside.joined()
      this.fork(
        Stream.runForEachArray(turn.events, (events) => this.#slot.apply(running, events)).pipe(
          Effect.catch((error) => Effect.logError(`The events of turn ${running.turnId} were lost: ${error.message}`))
        )
      )
    })
  }

  #compaction(running: Running): Effect.Effect<void, AgentError | BridgeError> {
    return Effect.gen({ self: this }, function*() {
      const { begun, ended } = Compactions.events(running.turnId, uuidV7Unsafe())
      yield* this.#slot.apply(running, begun)
      const { outcome } = yield* this.#outside.compaction(this.#agent.compact(running), readingGrace)
      yield* this.#slot.apply(running, ended(outcome))
    })
  }
}
