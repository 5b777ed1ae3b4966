/**
 * A turn that runs: its fiber, its events and the ways to act on it.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type {
  AgentErrorReason,
  AgentEvent,
  Goal,
  Interruption,
  TurnHostService,
  TurnInput,
  TurnOutcome
} from "../../agent/index.ts"
import { AgentDied, AgentError, emptyUsage, NotSteerable, Overloaded } from "../../agent/index.ts"
import type { Stop } from "./Frame.ts"
import * as Interpreter from "./Interpreter.ts"
import type { ScriptedTurn } from "./Scenario.ts"
import { TurnRecorder } from "./TurnRecorder.ts"

/** How much steered input may wait for the script. */
const steerLimit = 64

export interface LaunchOptions {
  readonly backend: string
  readonly sessionId: string
  readonly turnId: string
  readonly cwd: string | undefined
  readonly script: ScriptedTurn
  /** The inputs of the session's turns before this one. */
  readonly heard: ReadonlyArray<string>
  /** Missing for a turn that no input started, such as a compaction. */
  readonly input: TurnInput | undefined
  readonly host: TurnHostService
  readonly asks: boolean
  readonly accepted: Set<string>
  readonly setGoal: (goal: Goal | null) => void
  /** Whether an interrupted turn is confirmed by the agent. */
  readonly confirms: boolean
  readonly emit: (event: AgentEvent) => void
  /** Runs before anybody can learn of the end. */
  readonly onEnd: (outcome: TurnOutcome) => void
}

export interface RunningTurn {
  readonly recorder: TurnRecorder
  readonly steer: (input: TurnInput) => Effect.Effect<void, AgentError>
  readonly interrupt: Effect.Effect<Interruption>
  readonly outcome: Effect.Effect<TurnOutcome>
}

/** Starts a turn. It runs until its script ends or it is interrupted, whatever becomes of the calling fiber. */
export const launch = Effect.fnUntraced(function*(options: LaunchOptions): Effect.fn.Return<RunningTurn> {
  const clock = yield* Clock.Clock
  const steered = yield* Queue.dropping<string>(steerLimit)
  const ended = yield* Deferred.make<TurnOutcome>()
  const recorder = new TurnRecorder({
    turnId: options.turnId,
    emit: options.emit,
    now: () => clock.currentTimeMillisUnsafe()
  })
  options.emit({ _tag: "TurnStarted", turnId: options.turnId })
  if (options.input !== undefined) hear(recorder, options.input)

  const prompt = options.input === undefined ? "" : textOf(options.input)
  const steps = Interpreter.run({
    backend: options.backend,
    sessionId: options.sessionId,
    cwd: options.cwd,
    recorder,
    host: options.host,
    asks: options.asks,
    accepted: options.accepted,
    steered,
    setGoal: options.setGoal,
    words: {
      prompt,
      context: options.input?.context ?? "",
      heard: options.heard.join(" / "),
      steer: "",
      answer: "",
      tool: "",
      decision: ""
    },
    usage: emptyUsage
  }, options.script.steps)

  const fiber = yield* Effect.forkDetach(steps)
  // An observer, because a fiber that is interrupted before it has run at all runs no finalizers either.
  fiber.addObserver((exit) => {
    const outcome = outcomeOf(exit, options)
    options.onEnd(outcome)
    recorder.end(outcome)
    Deferred.doneUnsafe(ended, Effect.succeed(outcome))
  })

  return {
    recorder,
    outcome: Deferred.await(ended),
    interrupt: Fiber.interrupt(fiber).pipe(
      Effect.andThen(Deferred.await(ended)),
      Effect.map((outcome) => ({ confirmed: outcome._tag !== "Interrupted" || outcome.confirmed, outcome }))
    ),
    steer: Effect.fn("AgentTurn.steer")(function*(input: TurnInput) {
      const refuse = (reason: AgentErrorReason) => Effect.fail(new AgentError({ backend: options.backend, reason }))
      if (recorder.outcome !== undefined) return yield* refuse(new NotSteerable({ detail: "it has ended" }))
      if (options.script.steerable === false) {
        return yield* refuse(new NotSteerable({ detail: "a turn of this kind takes no input" }))
      }
      if (Queue.isFullUnsafe(steered)) {
        const detail = `${steerLimit} inputs wait already`
        return yield* refuse(new Overloaded({ detail, mayHaveReached: false }))
      }
      hear(recorder, input)
      Queue.offerUnsafe(steered, textOf(input))
    })
  }
})

/** The text of an input. */
export const textOf = (input: TurnInput): string =>
  input.input.flatMap((part) => part._tag === "Text" ? [part.text] : []).join("\n")

/** How many images an input carries. */
export const imagesIn = (input: TurnInput): number => input.input.filter((part) => part._tag !== "Text").length

const hear = (recorder: TurnRecorder, input: TurnInput): void =>
  recorder.mention({
    _tag: "UserMessage",
    id: recorder.nextItemId(),
    text: textOf(input),
    images: imagesIn(input),
    ...(input.clientId === undefined ? {} : { clientId: input.clientId })
  })

const outcomeOf = (exit: Exit.Exit<void, Stop>, options: LaunchOptions): TurnOutcome => {
  if (Exit.isSuccess(exit)) return { _tag: "Completed" }
  const stop = Exit.findErrorOption(exit)
  if (Option.isSome(stop)) return stop.value
  // Nobody but `interrupt` has the fiber.
  if (Cause.hasInterruptsOnly(exit.cause)) {
    return { _tag: "Interrupted", requested: true, confirmed: options.confirms }
  }
  const reason = new AgentDied({ detail: Cause.pretty(exit.cause), stderrTail: "", mayHaveReached: true })
  return { _tag: "Failed", error: new AgentError({ backend: options.backend, reason }) }
}
