/**
 * A thread that is loaded: who watches it, and the one turn that may run on it.
 *
 * A turn is a fiber of the thread. What it does is stored first and shown then, to every client that watches.
 */
import * as Clock from "effect/Clock"
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { AgentBackend, TurnInput } from "../../agent/AgentBackend.ts"
import { AgentError } from "../../agent/AgentError.ts"
import type { AgentEvent } from "../../agent/AgentEvent.ts"
import type { TurnHostService } from "../../agent/TurnHost.ts"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { type BridgeError, InvalidRequest, NoActiveTurn, OtherTurn, refuse } from "../BridgeError.ts"
import type { Clients } from "../Clients.ts"
import { type Output, TurnProjection, type UserInput } from "../projection/index.ts"
import type { ThreadPatch, ThreadRecord } from "../store/ThreadRecord.ts"
import type { ThreadStore } from "../store/ThreadStore.ts"
import * as AgentInput from "./AgentInput.ts"
import * as Compactions from "./Compactions.ts"
import type * as GoalKeeping from "./GoalKeeping.ts"
import { LateItems } from "./LateItems.ts"
import { OpenedRequests } from "./OpenedRequests.ts"
import { type ItemEvent, OutsideEvents } from "./OutsideEvents.ts"
import { PendingRequests } from "./PendingRequests.ts"
import * as ReadState from "./ReadState.ts"
import * as RunningTurn from "./RunningTurn.ts"
import { readingGrace, ThreadAgent } from "./ThreadAgent.ts"
import { ThreadGoal } from "./ThreadGoal.ts"
import * as ThreadHost from "./ThreadHost.ts"
import { ThreadQueue } from "./ThreadQueue.ts"
import * as Titles from "./Titles.ts"
import * as TurnStoring from "./TurnStoring.ts"
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

export class LiveThread {
  readonly id: string
  readonly watchers: Watchers
  readonly pending: PendingRequests
  readonly queue: ThreadQueue
  readonly #options: LiveThreadOptions
  readonly #host: TurnHostService
  readonly #opened = new OpenedRequests()
  readonly #applying = Semaphore.makeUnsafe(1)
  readonly #outside: OutsideEvents<Running>
  readonly #late: LateItems
  readonly #goal: ThreadGoal
  readonly #agent: ThreadAgent
  readonly #onEnd: Array<(turn: Strict.Turn) => void> = []
  #record: ThreadRecord
  #running: Running | undefined
  #failed = false
  #used: Open.ThreadTokenUsage | undefined

  constructor(options: LiveThreadOptions) {
    this.#options = options
    this.#record = options.record
    this.#used = options.used
    this.id = options.record.id
    this.watchers = new Watchers(options.clients, (connectionId) => this.pending.leave(connectionId))
    this.pending = new PendingRequests({
      threadId: this.id,
      watching: () => this.watchers,
      grace: options.approvalGrace,
      nextId: options.nextRequestId,
      run: options.fork
    })
    this.#host = ThreadHost.make({
      threadId: this.id,
      turnId: () => this.#running?.turnId ?? "",
      cwd: options.record.cwd,
      pending: this.pending,
      opened: this.#opened
    })
    this.#late = new LateItems({ threadId: this.id, cwd: options.record.cwd, backend: options.backend.id })
    this.queue = new ThreadQueue(this)
    this.#goal = new ThreadGoal({
      id: this.id,
      watchers: this.watchers,
      backend: options.backend,
      record: () => this.#record,
      update: (patch) => this.update(patch),
      running: () => this.#running,
      session: () => this.#agent.session,
      openSession: Effect.suspend(() => this.#agent.open)
    })
    this.#agent = new ThreadAgent({
      ...options,
      id: this.id,
      host: this.#host,
      record: () => this.#record,
      update: (patch) => this.update(patch),
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
      running: () => this.#running,
      begin: (agentTurnId) => this.#beginOwn(agentTurnId),
      apply: (running, event) => this.#apply(running, [event]),
      late: (event) => this.late(event),
      goal: (goal) => this.quietly(this.#goal.told(goal)),
      warning: ({ message }) => Effect.sync(() => this.watchers.notify("warning", { threadId: this.id, message }))
    })
  }

  get record(): ThreadRecord {
    return this.#record
  }

  get status(): Strict.ThreadStatus {
    if (this.#running !== undefined) {
      return { type: "active", activeFlags: TurnProjection.activeFlags(this.#running.state) }
    }
    return { type: this.#failed ? "systemError" : "idle" }
  }

  /** The turn that runs, as clients see it. */
  get turn(): Strict.Turn | undefined {
    return this.#running === undefined ? undefined : TurnProjection.turn(this.#running.state)
  }

  /** The items of the turn that runs which have not completed, by id, with the texts that clients were shown so far. */
  get openItems(): ReadonlyMap<string, Strict.ThreadItem> {
    const items = this.#running === undefined ? [] : TurnProjection.openItems(this.#running.state)
    return new Map(items.map((item) => [item.id, item]))
  }

  /** Changes what is stored of the thread. */
  update(patch: ThreadPatch): Effect.Effect<ThreadRecord, BridgeError> {
    return Effect.map(this.#options.store.update(this.id, patch), (record) => this.#record = record)
  }

  /** Starts a turn; `run` starts its work, once the answer is on its way. Input for a turn that runs is steered into it. */
  startTurn(
    start: RunningTurn.TurnStart
  ): Effect.Effect<{ readonly turn: Strict.Turn; readonly run: () => void }, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      yield* RunningTurn.checkInput(start.input)
      if (this.#running !== undefined) {
        const { turnId } = yield* Effect.interruptible(this.steer(start.input, start.clientId, undefined))
        const running = this.#running
        const turn = running?.turnId === turnId ? TurnProjection.turn(running.state) : RunningTurn.unstarted(turnId)
        return { turn, run: () => {} }
      }
      const running = yield* this.#begin({
        itemId: uuidV7Unsafe(),
        clientId: start.clientId,
        content: yield* RunningTurn.shownInput(start.input)
      })
      const work = Titles.isTitleThread(this.#record.threadSource)
        ? this.#apply(running, Titles.events(running.turnId, uuidV7Unsafe(), AgentInput.textOf(start.input)))
        : this.#work(running, start)
      return { turn: RunningTurn.unstarted(running.turnId), run: () => this.#launch(running, work) }
    })
  }

  /** Adds input to the turn that runs. */
  steer(
    input: ReadonlyArray<Open.UserInput>,
    clientId: string | null,
    expectedTurnId: string | undefined
  ): Effect.Effect<{ readonly turnId: string }, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      yield* RunningTurn.checkInput(input)
      const running = this.#running
      if (running === undefined) return yield* refuse(new NoActiveTurn({ action: "steer" }))
      if (expectedTurnId !== undefined && expectedTurnId !== running.turnId) {
        return yield* refuse(new OtherTurn({ action: "steer", expected: expectedTurnId, found: running.turnId }))
      }
      const message: UserInput = { itemId: uuidV7Unsafe(), clientId, content: yield* RunningTurn.shownInput(input) }
      const { own } = running
      const send = own !== undefined && !Deferred.isDoneUnsafe(running.agent)
        ? (given: TurnInput) => this.#join(running, own, given)
        : (yield* Deferred.await(running.agent).pipe(Effect.mapError(RunningTurn.agentFailed))).steer
      TurnProjection.sendInput(running.state, message)
      yield* send({ input: AgentInput.toParts(input), clientId: message.itemId }).pipe(
        Effect.mapError((error) =>
          error.reason._tag === "NotSteerable"
            ? refuse(new NoActiveTurn({ action: "steer" }))
            : RunningTurn.agentFailed(error)
        ),
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
      const running = this.#running
      // No id stands for whatever runs, as in the real server.
      if (running === undefined) {
        return turnId === "" ? Effect.succeed(() => {}) : Effect.fail(refuse(new NoActiveTurn({ action: "interrupt" })))
      }
      if (turnId !== "" && turnId !== running.turnId) {
        return Effect.fail(refuse(new OtherTurn({ action: "interrupt", expected: turnId, found: running.turnId })))
      }
      return Effect.succeed(() => {
        running.fiber?.interruptUnsafe()
      })
    })
  }

  /** Compacts the agent's context in a turn of its own; a turn that runs is interrupted before. */
  compact(): Effect.Effect<() => void, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      if (this.#running !== undefined) yield* Effect.interruptible(this.stop)
      const running = yield* this.#begin(undefined)
      return () => this.#launch(running, this.#compaction(running))
    })
  }

  /** Starts a turn whose work this server does itself; `run` starts the work, once the answer is on its way. */
  beginWork(
    input: UserInput | undefined,
    work: (turn: RunningTurn.OwnWork) => Effect.Effect<void, AgentError | BridgeError>
  ): Effect.Effect<{ readonly turn: Strict.Turn; readonly run: () => void }, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      if (this.#running !== undefined) {
        return yield* refuse(new InvalidRequest({ message: "thread already has an active or pending turn" }))
      }
      const running = yield* this.#begin(input)
      const turn = this.#ownWork(running)
      return { turn: RunningTurn.unstarted(running.turnId), run: () => this.#launch(running, work(turn)) }
    })
  }

  /** What happens within the turn that runs and is not the agent's work; `undefined` when none runs. */
  get within(): RunningTurn.OwnWork | undefined {
    return this.#running === undefined ? undefined : this.#ownWork(this.#running)
  }

  #ownWork(running: Running): RunningTurn.OwnWork {
    return RunningTurn.ownWork(running, (events) => this.#apply(running, events))
  }

  /** Runs a turn of the agent to its end, as the work of a turn of this server's own. */
  runAgent(
    turn: RunningTurn.OwnWork,
    input: TurnInput,
    apply: (events: ReadonlyArray<AgentEvent>) => Effect.Effect<void, BridgeError>
  ): Effect.Effect<void, AgentError | BridgeError> {
    return Effect.suspend(() => {
      const running = this.#running
      return running?.turnId === turn.turnId ? this.#agent.run(running, input, apply) : Effect.void
    })
  }

  /** Calls `listener` when a turn has ended and its end was shown. */
  onEnd(listener: (turn: Strict.Turn) => void): void {
    this.#onEnd.push(listener)
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
    return this.#applying.withPermit(Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const late = this.#late.step(event, now)
      if (late === undefined) return Effect.logDebug(`An item of no turn of thread ${this.id} was dropped`)
      return Effect.map(this.#store(late.turnId, late.outputs), () => this.#show(late.outputs))
    }))
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
  readonly stop: Effect.Effect<void> = Effect.suspend(() => {
    const fiber = this.#running?.fiber
    return fiber === undefined ? Effect.void : Fiber.interrupt(fiber)
  })

  /** Waits for the end of the turn that runs, if one does. */
  readonly rest: Effect.Effect<void> = Effect.suspend(() =>
    this.#running === undefined ? Effect.void : Deferred.await(this.#running.ended)
  )

  /** Reads something while nothing happens on the thread: what is read is all that was shown up to now. */
  quietly<A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.#applying.withPermit(read)
  }

  /** Changes what of the thread is unread, and tells it. */
  unread(change: (thread: ThreadRecord) => ThreadPatch | undefined): Effect.Effect<void, BridgeError> {
    const changed = this.#options.store.modify(this.id, (thread) => {
      const patch = change(thread)
      return [patch !== undefined, patch]
    })
    return this.quietly(Effect.map(changed, ([isOther, record]) => {
      this.#record = record
      if (isOther) this.#showReadState()
    }))
  }

  /** Takes back a turn and all later ones; one that runs is interrupted. The agent does not know of them either. */
  revert(beforeTurnId: string): Effect.Effect<ThreadRecord, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      yield* this.stop
      const at = yield* Clock.currentTimeMillis
      this.#record = yield* this.#options.store.revert(this.id, { beforeTurnId, at })
      this.#used = (yield* this.#options.store.lastUsage(this.id))?.usage
      if (this.#record.backendRef === null) yield* this.#agent.close
      return this.#record
    })
  }

  // -- a turn

  #begin(input: UserInput | undefined, own?: Running["own"]): Effect.Effect<Running, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      const { backend, store } = this.#options
      const turnId = uuidV7Unsafe()
      const now = yield* Clock.currentTimeMillis
      const running = RunningTurn.make(
        {
          threadId: this.id,
          turnId,
          cwd: this.#record.cwd,
          backend: backend.id,
          goal: this.#record.goal,
          ...(input === undefined ? {} : { input }),
          ...(this.#used === undefined ? {} : { usedBefore: this.#used })
        },
        now,
        own
      )
      this.#running = running
      this.#failed = false
      yield* store.startTurn(this.id, { id: turnId, startedAt: now }).pipe(
        Effect.onError(() =>
          Effect.sync(() => {
            this.#running = undefined
            Deferred.doneUnsafe(running.ended, Effect.void)
            Deferred.doneUnsafe(
              running.agent,
              Effect.fail(new AgentError({ backend: backend.id, reason: RunningTurn.neverStarted }))
            )
          })
        )
      )
      return running
    })
  }

  #launch(running: Running, work: Effect.Effect<void, AgentError | BridgeError>): void {
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
    running.fiber = fiber
  }

  /** Runs the turn on the agent until it has ended. */
  #work(running: Running, start: RunningTurn.TurnStart): Effect.Effect<void, AgentError | BridgeError> {
    return this.#agent.run(running, {
      input: AgentInput.toParts(start.input),
      clientId: start.clientId ?? undefined,
      outputSchema: start.outputSchema == null ? undefined : RunningTurn.jsonOf(start.outputSchema)
    }, (events) => this.#apply(running, events))
  }

  /** Begins a turn that the agent has started by itself. */
  #beginOwn(agentTurnId: string): Effect.Effect<Running, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      const { session } = this.#agent
      const scope = Scope.makeUnsafe()
      const running = yield* this.#begin(undefined, session === undefined ? undefined : { session, scope })
      const interrupt = Effect.suspend(() => session?.interruptOwn ?? Effect.void).pipe(
        // What it did until then is told as well.
        Effect.andThen(Effect.timeoutOption(Deferred.await(running.ended), readingGrace)),
        Effect.catch((error) => Effect.logWarning(`The agent could not be interrupted: ${error.message}`))
      )
      this.#launch(
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
        Stream.runForEachArray(turn.events, (events) => this.#apply(running, events)).pipe(
          Effect.catch((error) => Effect.logError(`The events of turn ${running.turnId} were lost: ${error.message}`))
        )
      )
    })
  }

  #compaction(running: Running): Effect.Effect<void, AgentError | BridgeError> {
    return Effect.gen({ self: this }, function*() {
      const { begun, ended } = Compactions.events(running.turnId, uuidV7Unsafe())
      yield* this.#apply(running, begun)
      const taken = this.#outside.expectCompaction()
      const { outcome } = yield* this.#agent.compact(running)
      yield* Effect.timeoutOption(taken, readingGrace)
      yield* this.#apply(running, ended(outcome))
    })
  }

  /** A turn whose work ended without the agent having said so. */
  #finish(running: Running, exit: Exit.Exit<void, AgentError | BridgeError>): Effect.Effect<void, BridgeError> {
    const { backend } = this.#options
    Deferred.doneUnsafe(
      running.agent,
      Effect.fail(new AgentError({ backend: backend.id, reason: RunningTurn.neverStarted }))
    )
    const outcome = RunningTurn.outcomeOf(exit, backend.id)
    return Effect.andThen(
      Exit.isFailure(exit) && Exit.hasDies(exit)
        ? Effect.logError(`Turn ${running.turnId} died`, exit.cause)
        : Effect.void,
      this.#apply(running, [{ _tag: "TurnEnded", outcome }])
    ).pipe(
      // An agent that is interrupted may let go of its goal, and nobody has heard that.
      Effect.andThen(outcome._tag === "Interrupted" ? this.quietly(this.#goal.reread) : Effect.void)
    )
  }

  /** Stores what the events come to, and shows it. */
  #apply(running: Running, events: ReadonlyArray<AgentEvent>): Effect.Effect<void, BridgeError> {
    return Effect.map(
      this.#applying.withPermit(this.#applyNow(running, events)),
      () => this.#opened.take(events)
    )
  }

  #applyNow(running: Running, events: ReadonlyArray<AgentEvent>): Effect.Effect<void, BridgeError> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const counts = !this.#options.backend.capabilities.goals
      const outputs = RunningTurn.step(running, events, now, counts)
      const stored = outputs.filter((output) => output._tag !== "Notify")
      // Deltas have nothing to store, and are most of what there is.
      if (stored.length === 0) {
        this.#show(outputs)
        return Effect.void
      }
      return Effect.map(this.#store(running.turnId, stored), () => {
        this.#show(outputs)
        for (const output of stored) if (output._tag === "Ended") this.#ended(running, output.turn)
      })
    })
  }

  #show(outputs: ReadonlyArray<Output>): void {
    for (const output of outputs) {
      if (output._tag === "Notify") this.watchers.notify(output.method, output.params)
      if (output._tag === "Unread") this.#showReadState()
    }
  }

  #showReadState(): void {
    const readState = ReadState.of(this.#record)
    if (readState !== null) this.watchers.notify("thread/readState/changed", { threadId: this.id, readState })
  }

  #ended(running: Running, turn: Strict.Turn): void {
    Deferred.doneUnsafe(running.ended, Effect.void)
    for (const listener of this.#onEnd) listener(turn)
  }

  #store(turnId: string, outputs: ReadonlyArray<Output>): Effect.Effect<void, BridgeError> {
    const { store } = this.#options
    return Effect.gen({ self: this }, function*() {
      for (const output of outputs) {
        switch (output._tag) {
          case "PutItem":
            this.#late.note(turnId, output)
            break
          case "Usage":
            this.#used = output.usage
            break
          case "Goal":
            yield* this.update({ goal: output.goal })
            break
          case "Unread": {
            const change = ReadState.afterTurn(turnId, uuidV7Unsafe())
            this.#record = (yield* store.modify(this.id, (thread) => [undefined, change(thread)]))[1]
            break
          }
        }
        yield* TurnStoring.put(store, this.id, turnId, output)
        if (output._tag !== "Ended") continue
        this.#failed = output.turn.status === "failed"
        this.#record = yield* store.get(this.id)
        // Whoever is told that the turn has ended may start the next one.
        if (this.#running?.turnId === turnId) this.#running = undefined
      }
    })
  }
}
