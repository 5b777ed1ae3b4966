/**
 * A turn that runs, and what its work comes to.
 */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { AgentSession, AgentTurn } from "../../agent/AgentBackend.ts"
import { AgentError, NotSteerable, Rejected } from "../../agent/AgentError.ts"
import type { AgentEvent, TurnOutcome } from "../../agent/AgentEvent.ts"
import * as ErrorCodes from "../../protocol/ErrorCodes.ts"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { AgentFailed, type BridgeError, InputTooLarge, NoActiveTurn, refuse, UnknownValue } from "../BridgeError.ts"
import { isSameGoal } from "../projection/Goals.ts"
import { fromClient, type Output, TurnProjection, type UserInput } from "../projection/index.ts"
import * as AgentInput from "./AgentInput.ts"
import * as GoalKeeping from "./GoalKeeping.ts"

export interface RunningTurn {
  readonly turnId: string
  readonly state: TurnProjection.TurnState
  /** The agent's side of it, once it has accepted; fails when it never will. */
  readonly agent: Deferred.Deferred<AgentTurn, AgentError>
  /** Done when its end is stored. */
  readonly ended: Deferred.Deferred<void>
  /** Of a turn that the agent has started by itself: where input for it goes. */
  readonly own: { readonly session: AgentSession; readonly scope: Scope.Closeable } | undefined
  /** Its work, once that has started; `undefined` when it never will. */
  readonly fiber: Deferred.Deferred<Fiber.Fiber<void> | undefined>
  /** What was counted against the goal of an agent that keeps none itself. */
  meter: GoalKeeping.Meter
  tokens: number
}

/** What a client starts a turn with. */
export interface TurnStart {
  readonly input: ReadonlyArray<Open.UserInput>
  readonly clientId: string | null
  readonly outputSchema: unknown
}

/** A turn whose work this server does itself. */
export interface OwnWork {
  readonly turnId: string
  /** Stores what the events come to, and shows it. */
  readonly apply: (events: ReadonlyArray<AgentEvent>) => Effect.Effect<void, BridgeError>
  /** Has a message shown as what the user says in it. */
  readonly say: (input: UserInput) => void
}

export const make = (
  options: TurnProjection.TurnOptions,
  atMs: number,
  own: RunningTurn["own"]
): RunningTurn => ({
  turnId: options.turnId,
  state: TurnProjection.make(options),
  agent: Deferred.makeUnsafe(),
  ended: Deferred.makeUnsafe(),
  own,
  fiber: Deferred.makeUnsafe(),
  meter: { tokens: 0, since: atMs },
  tokens: 0
})

/** Interrupts the work, which may be about to start, and waits for its end. */
export const stop = (running: RunningTurn): Effect.Effect<void> =>
  Effect.flatMap(Deferred.await(running.fiber), (fiber) => fiber === undefined ? Effect.void : Fiber.interrupt(fiber))

/** Takes events of the agent. `counts`: the agent keeps no goals, so that what it uses is counted here. */
export const step = (
  running: RunningTurn,
  events: ReadonlyArray<AgentEvent>,
  atMs: number,
  counts: boolean
): ReadonlyArray<Output> => {
  const outputs: Array<Output> = []
  for (const event of events) {
    // An agent repeats a goal that a client has set.
    if (event._tag === "GoalUpdated" && TurnProjection.hasGoal(running.state, event.goal, atMs)) continue
    if (event._tag === "TurnEnded" && counts) outputs.push(...charge(running, atMs))
    outputs.push(...TurnProjection.step(running.state, event, atMs))
    if (event._tag === "UsageUpdated" && counts) {
      running.tokens = GoalKeeping.tokensOf(event.usage)
      outputs.push(...charge(running, atMs))
    }
  }
  return outputs
}

const charge = (running: RunningTurn, atMs: number): ReadonlyArray<Output> => {
  const before = TurnProjection.goal(running.state)
  const { goal, meter } = GoalKeeping.charge(running.meter, before, running.tokens, atMs)
  running.meter = meter
  if (goal === null || isSameGoal(goal, before)) return []
  return TurnProjection.step(running.state, { _tag: "GoalUpdated", goal: GoalKeeping.toAgent(goal) }, atMs)
}

/** A client has changed the goal: what the turn has used up to now counts no more. */
export const goalSet = (running: RunningTurn, goal: Strict.ThreadGoal | null, atMs: number): void => {
  TurnProjection.setGoal(running.state, goal)
  running.meter = { tokens: running.tokens, since: atMs }
}

export const ownWork = (running: RunningTurn, apply: OwnWork["apply"]): OwnWork => ({
  turnId: running.turnId,
  apply,
  say: (input) => {
    TurnProjection.sendInput(running.state, input)
    TurnProjection.settleInput(running.state, input.itemId, true)
  }
})

/** A turn as the answer to its start names it. */
export const unstarted = (id: string): Strict.Turn => ({
  id,
  rootTurnId: id,
  items: [],
  itemsView: "notLoaded",
  status: "inProgress",
  error: null,
  startedAt: null,
  completedAt: null,
  durationMs: null
})

const failureMessage = (cause: Cause.Cause<AgentError | BridgeError>): string => {
  const failure = Cause.findErrorOption(cause)
  return failure._tag === "Some" ? failure.value.message : "an internal error, see the log"
}

/** How a turn ended whose work ended without the agent having said so. */
export const outcomeOf = (exit: Exit.Exit<void, AgentError | BridgeError>, backend: string): TurnOutcome => {
  if (Exit.isSuccess(exit)) return { _tag: "Incomplete", detail: "the agent's events stopped" }
  if (Cause.hasInterrupts(exit.cause)) return { _tag: "Interrupted", requested: true, confirmed: true }
  const failure = Cause.findErrorOption(exit.cause)
  const error = failure._tag === "Some" && failure.value._tag === "AgentError"
    ? failure.value
    : new AgentError({
      backend,
      reason: new Rejected({ operation: "the turn", detail: failureMessage(exit.cause) })
    })
  return { _tag: "Failed", error }
}

export const neverStarted = new NotSteerable({ detail: "the turn never started" })

export const agentFailed = (error: AgentError): BridgeError => refuse(new AgentFailed({ error }))

/** Why input did not reach the turn. */
export const notSteered = (error: AgentError): BridgeError =>
  error.reason._tag === "NotSteerable" ? refuse(new NoActiveTurn({ action: "steer" })) : agentFailed(error)

// As the real server names them; it takes two kinds of audio as well, which no client can send by its own schema.
const inputKinds = ["text", "image", "localImage", "audio", "localAudio", "skill", "mention"]

/** The parts as clients are shown them; a kind that this version does not know is refused. */
export const shownInput = (
  input: ReadonlyArray<Open.UserInput>
): Effect.Effect<ReadonlyArray<Strict.UserInput>, BridgeError> =>
  Effect.forEach(input, (part) => {
    const shown = fromClient(part)
    return shown === undefined
      ? Effect.fail(refuse(new UnknownValue({ given: String(part.type), known: inputKinds })))
      : Effect.succeed(shown)
  })

export const checkInput = (input: ReadonlyArray<Open.UserInput>): Effect.Effect<void, BridgeError> => {
  const characters = AgentInput.textOf(input).length
  return characters > ErrorCodes.maxInputChars
    ? Effect.fail(refuse(new InputTooLarge({ characters })))
    : Effect.void
}

/** Parameters come from `JSON.parse`. */
export const jsonOf = (value: unknown) => value as NonNullable<Parameters<AgentSession["startTurn"]>[0]["outputSchema"]>
