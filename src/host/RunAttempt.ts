/**
 * Runs one prompt on an agent and returns what came of it.
 *
 * An attempt goes through these phases: the parameters are checked, the session of the conversation is looked up and
 * opened, a turn is started, its events are folded until it ends, and the result is told. Whatever happens to the
 * agent on the way is a result; the error channel is for attempts that never were. An agent that `auto` has chosen and
 * that fails before it has taken the prompt is replaced once; see `Fallback`.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import {
  AgentBackend,
  type AgentSession,
  type AgentTurn,
  type Capabilities,
  type InputPart,
  type Interruption,
  type SessionOptions,
  type SessionRef,
  type TurnInput
} from "../agent/AgentBackend.ts"
import { AgentError, CapabilityMissing } from "../agent/AgentError.ts"
import type { AgentEvent, TurnOutcome } from "../agent/AgentEvent.ts"
import { TurnHost } from "../agent/TurnHost.ts"
import { Selection } from "../backends/selector/Selection.ts"
import { ActiveRuns } from "./ActiveRuns.ts"
import { AttemptError, NotCompleted } from "./AttemptError.ts"
import { AttemptHandle } from "./AttemptHandle.ts"
import { type AttemptParams, type AttemptSettings, validate, type ValidParams } from "./AttemptParams.ts"
import * as Reducer from "./AttemptReducer.ts"
import type { AttemptResult } from "./AttemptResult.ts"
import * as Fallback from "./Fallback.ts"
import * as Observers from "./Observers.ts"
import { type SessionBinding, SessionBindings, type SessionId, sessionId } from "./SessionBindings.ts"

/** How long the last events may take to come in after the agent has answered an interruption, in milliseconds. */
const settleMs = 2_000

/** How long the end of an attempt waits for the binding to be written, in milliseconds. */
const bindingMs = 2_000

/** What drives an attempt beside its parameters. */
export interface AttemptControl {
  /** To stop and steer the attempt by, also before it is registered. */
  readonly handle: AttemptHandle
  /** Sees every event as it comes. Must neither wait nor throw. */
  readonly tap: ((event: AgentEvent) => void) | undefined
}

/**
 * Runs one attempt.
 *
 * It succeeds with an `AttemptResult` for everything that happens to the agent, also for failures, and fails with
 * `InvalidParams`, `BindingFailed` or `SessionBusy` when there is no attempt to speak of. Interrupting it interrupts
 * the agent, waits a bounded time for the confirmation, and still gives the result to `onEnd`.
 *
 * What the agent asks of the host goes to the `TurnHost` that is provided; the default declines at once.
 */
export const runAttempt = Effect.fn("Attempt.run")(function*(
  params: AttemptParams
): Effect.fn.Return<AttemptResult, AttemptError, AgentBackend | SessionBindings> {
  return yield* runAttemptWith(params, { handle: new AttemptHandle(), tap: undefined })
})

/** Turns every result but a completed one into the failure `NotCompleted`, which carries it. */
export const orFail = (result: AttemptResult): Effect.Effect<AttemptResult, AttemptError> =>
  result.status === "completed"
    ? Effect.succeed(result)
    : Effect.fail(new AttemptError({ reason: new NotCompleted({ result }) }))

/** As {@link runAttempt}, with a handle to reach it by. For adapters. */
export const runAttemptWith = Effect.fnUntraced(function*(
  params: AttemptParams,
  control: AttemptControl
): Effect.fn.Return<AttemptResult, AttemptError, AgentBackend | SessionBindings> {
  const valid = yield* validate(params)
  const backend = yield* AgentBackend
  const bindings = yield* SessionBindings
  const selection = yield* Effect.serviceOption(Selection)
  const runs = yield* ActiveRuns
  const { tools } = yield* TurnHost
  const runId = valid.settings.runId ?? crypto.randomUUID()
  const session = sessionId(valid.settings)

  return yield* Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const lane = yield* Scope.make()
      yield* Effect.addFinalizer((exit) => Scope.close(lane, exit))
      const { sessionFile, sessionKey } = valid.settings
      const startedAt = yield* Clock.currentTimeMillis
      const identity = { runId, sessionKey, sessionFile, backend: backend.id, startedAt }
      yield* runs.register(identity, control.handle).pipe(Scope.provide(lane))
      const binding = session === undefined ? Option.none<SessionBinding>() : yield* restore(bindings.get(session))

      const { timeoutMs } = valid.settings
      if (timeoutMs !== undefined) {
        yield* Effect.sleep(timeoutMs).pipe(
          Effect.andThen(Effect.sync(() => control.handle.stop({ _tag: "Deadline", after: timeoutMs }))),
          Effect.forkScoped
        )
      }
      const observers = yield* Observers.make(backend.id, valid.callbacks)
      const publish = (event: AgentEvent) => {
        control.tap?.(event)
        observers.offer(event)
      }
      const needs = Fallback.neededCapabilities(valid.settings, Option.isSome(binding), tools.length)
      const result = yield* Fallback.attempt({
        backend,
        selection,
        isBound: Option.isSome(binding),
        needs,
        publish,
        attemptOn: (backend) =>
          Effect.suspend(() => {
            control.handle.on(backend.id)
            return new Attempt({ backend, bindings, session, valid, runId, needs, handle: control.handle, publish })
              .run(
                restore,
                Option.getOrUndefined(binding)
              )
          })
      })

      // The next attempt on this session may start from here on, whatever the callbacks still do.
      yield* Scope.close(lane, Exit.void)
      const told = { ...result, diagnostics: [...result.diagnostics, ...(yield* observers.drain)] }
      const late = yield* observers.end(told)
      return { ...told, diagnostics: [...told.diagnostics, ...late] }
    }).pipe(Effect.scoped)
  )
})

interface AttemptOptions {
  readonly backend: AgentBackend["Service"]
  readonly bindings: SessionBindings["Service"]
  readonly session: SessionId | undefined
  readonly valid: ValidParams
  readonly runId: string
  /** What the agent has to be able to do. */
  readonly needs: ReadonlyArray<keyof Capabilities>
  readonly handle: AttemptHandle
  readonly publish: (event: AgentEvent) => void
}

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** One attempt from its first request to its result. */
class Attempt {
  readonly #options: AttemptOptions
  readonly #transcript = Reducer.make()
  readonly #activity = Latch.makeUnsafe(false)
  readonly #diagnostics: Array<string> = []
  #acceptance: Reducer.Acceptance = "no"
  #stop: Reducer.Stop | undefined
  #lastActivity = 0
  #opened: AgentSession | undefined
  #turn: AgentTurn | undefined
  #saved = false

  constructor(options: AttemptOptions) {
    this.#options = options
  }

  /** Runs in an uninterruptible region; what may be interrupted is restored. */
  run(restore: Restore, binding: SessionBinding | undefined): Effect.Effect<Fallback.Ended> {
    return Effect.gen({ self: this }, function*() {
      const { handle } = this.#options
      // Waits for the work unless the attempt is stopped or interrupted first; that, the caller has to look up.
      const unlessStopped = <A>(work: Effect.Effect<A, AgentError, Scope.Scope>) =>
        // The stop comes first, so that nothing is started when it is already there.
        restore(Effect.raceFirst(Effect.as(handle.stopped, Option.none<A>()), Effect.asSome(work))).pipe(
          Effect.exit,
          Effect.tap((exit) =>
            Effect.sync(() => {
              // The fiber ends as interrupted when it leaves this region; until then there is a result to tell.
              if (Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause)) {
                handle.stop({ _tag: "Abort", reason: "the fiber of the attempt was interrupted" })
              }
            })
          )
        )

      const opened = yield* unlessStopped(this.#open(binding))
      const turn = this.#turn
      const outcome = turn !== undefined
        ? yield* this.#follow(turn, binding, unlessStopped)
        : yield* this.#notStarted(opened)
      return yield* this.#conclude(outcome)
    }).pipe(Effect.scoped)
  }

  #emit(event: AgentEvent): void {
    Reducer.reduce(this.#transcript, event)
    this.#options.publish(event)
  }

  // Nothing comes after the end of a turn: what is noticed then goes to the diagnostics alone.
  #warn(code: string, message: string): void {
    if (Reducer.outcome(this.#transcript) === undefined) this.#emit({ _tag: "Warning", code, message })
    else this.#diagnostics.push(`${code}: ${message}`)
  }

  // Opens the bound session, or a new one where there is none or the agent has lost it, and starts the turn.
  #open(binding: SessionBinding | undefined): Effect.Effect<void, AgentError, Scope.Scope> {
    const { backend, bindings, needs, session } = this.#options
    const missing = needs.find((need) => !backend.capabilities[need])
    if (missing !== undefined) {
      return Effect.fail(
        new AgentError({ backend: backend.id, reason: new CapabilityMissing({ capability: missing }) })
      )
    }
    if (binding === undefined || session === undefined) return this.#start(undefined)
    const resume: SessionRef = { backend: binding.backend, sessionId: binding.threadId, durable: true }
    return this.#start(resume).pipe(
      Effect.catchReason("AgentError", "UnknownSession", (reason) =>
        Effect.gen({ self: this }, function*() {
          yield* bindings.clear(session, binding.threadId).pipe(
            Effect.catch((error) => Effect.sync(() => this.#warn("bindingNotCleared", error.message)))
          )
          const lost = `The agent no longer knows session ${binding.threadId} (${reason.detail})`
          this.#warn("sessionLost", `${lost}; a new one was started without its context`)
          yield* this.#start(undefined)
        }))
    )
  }

  #start(resume: SessionRef | undefined): Effect.Effect<void, AgentError, Scope.Scope> {
    const { backend, runId, valid: { settings } } = this.#options
    return Effect.gen({ self: this }, function*() {
      this.#opened = undefined
      const session = yield* backend.openSession({ ...sessionOptions(settings), resume })
      this.#opened = session
      // From here until it is answered, the request may be with the agent.
      this.#acceptance = "maybe"
      this.#turn = yield* session.startTurn(turnInput(settings, runId)).pipe(
        Effect.tapError((error) =>
          Effect.sync(() => {
            this.#acceptance = error.mayHaveReached ? "maybe" : "no"
          })
        )
      )
      this.#acceptance = "yes"
    })
  }

  #notStarted(opened: Exit.Exit<Option.Option<void>, AgentError>): Effect.Effect<TurnOutcome> {
    return Effect.gen({ self: this }, function*() {
      if (Exit.isFailure(opened)) {
        const failure = Cause.findErrorOption(opened.cause)
        if (Option.isSome(failure)) return { _tag: "Failed", error: failure.value }
        if (Cause.hasDies(opened.cause)) return yield* Effect.failCause(Cause.die(Cause.squash(opened.cause)))
      }
      this.#stop = yield* this.#options.handle.stopped
      return { _tag: "Interrupted", requested: true, confirmed: this.#acceptance === "no" }
    })
  }

  // Folds the events of the turn until it ends, or stops it.
  #follow(
    turn: AgentTurn,
    binding: SessionBinding | undefined,
    unlessStopped: <A>(work: Effect.Effect<A, AgentError, Scope.Scope>) => Effect.Effect<
      Exit.Exit<Option.Option<A>, AgentError>,
      never,
      Scope.Scope
    >
  ): Effect.Effect<TurnOutcome, never, Scope.Scope> {
    return Effect.gen({ self: this }, function*() {
      const { handle } = this.#options
      this.#emit({ _tag: "TurnStarted", turnId: turn.id })
      handle.accepted(turn)
      this.#lastActivity = yield* Clock.currentTimeMillis
      const consumer = yield* Effect.forkScoped(this.#consume(turn))
      const saver = yield* Effect.forkScoped(this.#save(binding))
      yield* this.#watchSilence

      const finished = yield* unlessStopped(Fiber.await(consumer))
      let outcome: TurnOutcome
      if (Exit.isSuccess(finished) && Option.isSome(finished.value)) {
        outcome = yield* this.#outcomeOf(turn, finished.value.value)
      } else {
        this.#stop = yield* handle.stopped
        // Does nothing to a turn that has ended: an end that is already in the buffer wins over the stop.
        const interrupted = yield* turn.interrupt
        outcome = yield* this.#settle(consumer, interrupted)
      }
      // Once more for a session that became durable later. A slow disk must not hold the result.
      const saved = yield* Fiber.await(saver).pipe(
        Effect.andThen(this.#save(binding)),
        Effect.timeoutOption(bindingMs)
      )
      if (Option.isNone(saved)) this.#warn("bindingNotSaved", `it took longer than ${bindingMs} ms`)
      return outcome
    })
  }

  #consume(turn: AgentTurn): Effect.Effect<void, AgentError> {
    return turn.events.pipe(
      Stream.takeUntil((event) => event._tag === "TurnEnded"),
      Stream.runForEachArray((events) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          this.#lastActivity = now
          for (const event of events) {
            // The start was told when the turn was accepted.
            if (event._tag !== "TurnStarted" || event.turnId !== turn.id) this.#emit(event)
          }
          this.#activity.openUnsafe()
        })
      )
    )
  }

  #outcomeOf(turn: AgentTurn, consumed: Exit.Exit<void, AgentError>): Effect.Effect<TurnOutcome> {
    const known = Reducer.outcome(this.#transcript)
    if (known !== undefined) return Effect.succeed(known)
    if (Exit.isSuccess(consumed)) {
      return Effect.succeed({ _tag: "Incomplete", detail: "The events stopped without the end of the turn" })
    }
    const failure = Cause.findErrorOption(consumed.cause)
    if (Option.isNone(failure)) return Effect.failCause(Cause.die(Cause.squash(consumed.cause)))
    const error = failure.value
    // The turn goes on without its reader: how it ends can still be known, what it said no more.
    if (error.reason._tag !== "ReaderTooSlow") return Effect.succeed({ _tag: "Failed", error })
    this.#diagnostics.push(`events were lost: ${error.message}`)
    return turn.outcome
  }

  #settle(
    consumer: Fiber.Fiber<void, AgentError>,
    interrupted: Interruption
  ): Effect.Effect<TurnOutcome> {
    return Effect.gen({ self: this }, function*() {
      const settled = yield* Fiber.await(consumer).pipe(Effect.timeoutOption(settleMs))
      if (Option.isNone(settled)) yield* Fiber.interrupt(consumer)
      return Reducer.outcome(this.#transcript) ?? interrupted.outcome
    })
  }

  // Stops a turn of which nothing is heard. An open item or request is work: silence does not count then.
  get #watchSilence(): Effect.Effect<void, never, Scope.Scope> {
    const { handle, valid: { settings } } = this.#options
    const { idleTimeoutMs } = settings
    if (idleTimeoutMs === undefined) return Effect.void
    const watch = Effect.gen({ self: this }, function*() {
      for (;;) {
        this.#activity.closeUnsafe()
        if (Reducer.isOccupied(this.#transcript)) {
          yield* this.#activity.await
          continue
        }
        const now = yield* Clock.currentTimeMillis
        const left = this.#lastActivity + idleTimeoutMs - now
        if (left > 0) {
          yield* Effect.sleep(left)
          // After a busy spell the timer is served before what has arrived: let that in first.
          yield* Effect.yieldNow
          continue
        }
        handle.stop({ _tag: "Idle", after: idleTimeoutMs })
        return
      }
    })
    return Effect.asVoid(Effect.forkScoped(watch))
  }

  // Only a session that the agent keeps is worth remembering.
  #save(binding: SessionBinding | undefined): Effect.Effect<void> {
    const { bindings, session, valid: { settings } } = this.#options
    const opened = this.#opened
    if (session === undefined || opened === undefined) return Effect.void
    return Effect.gen({ self: this }, function*() {
      const ref = yield* opened.ref
      if (!ref.durable || this.#saved) return
      this.#saved = true
      const now = yield* Clock.currentTimeMillis
      const before = binding?.threadId === ref.sessionId ? binding : undefined
      const cwd = settings.workspaceDir ?? before?.cwd
      const model = opened.model ?? settings.model ?? before?.model
      const modelProvider = settings.provider ?? before?.modelProvider
      yield* bindings.set(session, {
        schemaVersion: 1,
        threadId: ref.sessionId,
        backend: ref.backend,
        ...(cwd === undefined ? {} : { cwd }),
        ...(model === undefined ? {} : { model }),
        ...(modelProvider === undefined ? {} : { modelProvider }),
        createdAt: before?.createdAt ?? now,
        updatedAt: now
      })
    }).pipe(
      Effect.catch((error) => Effect.sync(() => this.#warn("bindingNotSaved", error.message)))
    )
  }

  #conclude(outcome: TurnOutcome): Effect.Effect<Fallback.Ended> {
    return Effect.gen({ self: this }, function*() {
      const session = this.#opened === undefined ? null : yield* this.#opened.ref
      const { backend, runId, valid } = this.#options
      let untold: AgentEvent | undefined
      if (Reducer.outcome(this.#transcript) === undefined) {
        for (const { item } of Reducer.openItems(this.#transcript)) {
          if (item !== undefined) this.#emit({ _tag: "ItemCompleted", item, closed: true })
        }
        const event: AgentEvent = { _tag: "TurnEnded", outcome }
        Reducer.reduce(this.#transcript, event)
        // A turn that never began may begin elsewhere.
        if (this.#acceptance === "no") untold = event
        else this.#options.publish(event)
      }
      const result = Reducer.toResult(this.#transcript, {
        backend: session?.backend ?? backend.id,
        runId,
        outcome,
        stop: this.#stop,
        acceptance: this.#acceptance,
        session,
        readOutput: valid.readOutput,
        diagnostics: this.#diagnostics
      })
      return { result, untold }
    })
  }
}

const sessionOptions = (settings: AttemptSettings): SessionOptions => ({
  cwd: settings.workspaceDir,
  model: settings.model,
  provider: settings.provider,
  effort: settings.thinkLevel,
  approvalPolicy: settings.approvalPolicy,
  sandbox: settings.sandbox,
  developerInstructions: settings.developerInstructions,
  config: settings.config
})

// Model and policies go with the turn as well: a session that the agent has loaded keeps those it was loaded with.
const turnInput = (settings: AttemptSettings, runId: string): TurnInput => {
  const images = (settings.images ?? []).map((image): InputPart =>
    "url" in image ? { _tag: "ImageUrl", url: image.url } : { _tag: "LocalImage", path: image.path }
  )
  const text: ReadonlyArray<InputPart> = settings.prompt === "" ? [] : [{ _tag: "Text", text: settings.prompt }]
  return {
    input: [...text, ...images],
    clientId: runId,
    model: settings.model,
    effort: settings.thinkLevel,
    approvalPolicy: settings.approvalPolicy,
    sandbox: settings.sandbox,
    outputSchema: settings.outputSchema,
    mode: settings.mode
  }
}
