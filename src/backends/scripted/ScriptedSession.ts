/**
 * Sessions of the scripted agent: what the agent remembers of one, and the handle that a host holds.
 */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type {
  AgentErrorReason,
  AgentEvent,
  AgentSession,
  AgentTurn,
  ApprovalPolicy,
  Capabilities,
  Goal,
  SessionOptions,
  TurnInput,
  TurnOutcome
} from "../../agent/index.ts"
import {
  AgentDied,
  AgentError,
  Cancelled,
  CapabilityMissing,
  EventBuffer,
  InvalidInput,
  SessionBusy,
  TurnHost
} from "../../agent/index.ts"
import { imagesIn, launch, type RunningTurn, textOf } from "./RunningTurn.ts"
import type { ScriptedTurn, Step } from "./Scenario.ts"

/** How many events between turns wait for a reader before the oldest is dropped. */
const sessionEventLimit = 256

/** How many turns of a session are remembered. */
const pastLimit = 1024

/** What the agent remembers of a session, shared by all handles to it. */
export interface Memory {
  readonly id: string
  /** Chooses the script of the session's next turn by its text. */
  readonly choose: (text: string) => ScriptedTurn
  readonly accepted: Set<string>
  cwd: string | undefined
  model: string | undefined
  approvalPolicy: ApprovalPolicy | undefined
  turns: number
  /** The turns up to now, with what was said in them, those of the session that it was forked from included. */
  readonly past: Array<{ readonly turnId: string; readonly input: string }>
  /** Whether a turn was ever accepted. Without one there is nothing to resume. */
  used: boolean
  goal: Goal | null
  running: RunningTurn | undefined
}

export interface OpenOptions {
  readonly backend: string
  readonly capabilities: Capabilities
  readonly memory: Memory
  readonly options: SessionOptions
  readonly durable: boolean
  readonly compaction: ReadonlyArray<Step>
  /** A turn was accepted: the session is worth remembering. */
  readonly onAccepted: () => void
}

type Handle =
  | { readonly _tag: "Open" }
  | { readonly _tag: "Closed" }
  | { readonly _tag: "Dead"; readonly reason: AgentDied }

/** Opens a handle. Closing its scope interrupts the turns that were started through it. */
export const open = Effect.fnUntraced(function*(
  options: OpenOptions
): Effect.fn.Return<AgentSession, never, Scope.Scope> {
  const { backend, capabilities, memory } = options
  const between = yield* Queue.sliding<AgentEvent, Cause.Done>(sessionEventLimit)
  let handle: Handle = { _tag: "Open" }
  let own: RunningTurn | undefined

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      handle = { _tag: "Closed" }
      return own === undefined ? Effect.void : Effect.asVoid(own.interrupt)
    }).pipe(Effect.andThen(Queue.end(between)))
  )

  const refuse = (reason: AgentErrorReason) => Effect.fail(new AgentError({ backend, reason }))
  const require = (capability: keyof Capabilities) =>
    capabilities[capability] ? Effect.void : refuse(new CapabilityMissing({ capability }))

  const usable = Effect.suspend(() => {
    switch (handle._tag) {
      case "Open":
        return Effect.void
      case "Closed":
        return refuse(new Cancelled({ detail: "the session was closed", mayHaveReached: false }))
      case "Dead":
        return refuse(handle.reason)
    }
  })
  const idle = Effect.suspend(() =>
    memory.running === undefined
      ? Effect.void
      : refuse(new SessionBusy({ sessionId: memory.id, detail: `${memory.running.recorder.turnId} is running` }))
  )

  const onEnd = (outcome: TurnOutcome) => {
    memory.running = undefined
    own = undefined
    if (handle._tag !== "Open" || outcome._tag !== "Failed" || outcome.error.reason._tag !== "AgentDied") return
    // The next request finds the process gone, and certainly does not reach it.
    handle = { _tag: "Dead", reason: new AgentDied({ ...fieldsOf(outcome.error.reason), mayHaveReached: false }) }
  }

  const begin = Effect.fnUntraced(function*(
    script: ScriptedTurn,
    input: TurnInput | undefined,
    emit: (event: AgentEvent) => void
  ) {
    const policy = input?.approvalPolicy ?? memory.approvalPolicy
    const turnId = `${memory.id}-turn-${++memory.turns}`
    const heard = memory.past.flatMap((turn) => turn.input === "" ? [] : [turn.input])
    memory.past.push({ turnId, input: input === undefined ? "" : textOf(input) })
    if (memory.past.length > pastLimit) memory.past.shift()
    const running = yield* launch({
      backend,
      sessionId: memory.id,
      turnId,
      heard,
      cwd: memory.cwd,
      script,
      input,
      host: yield* TurnHost,
      asks: capabilities.approvals && policy !== "never",
      accepted: memory.accepted,
      setGoal: (goal) => {
        memory.goal = goal
      },
      confirms: capabilities.interrupt,
      emit,
      onEnd
    })
    memory.running = running
    own = running
    return running
  })

  const startTurn = Effect.fn("AgentSession.startTurn")(
    function*(input: TurnInput): Effect.fn.Return<AgentTurn, AgentError, Scope.Scope> {
      yield* usable
      if (imagesIn(input) > 0) yield* require("images")
      if (input.outputSchema !== undefined) yield* require("outputSchema")
      if (input.mode === "plan") yield* require("plan")
      if (asksFirst(input.approvalPolicy)) yield* require("approvals")
      yield* idle
      const script = memory.choose(textOf(input))
      if (script.refuse !== undefined) return yield* refuse(script.refuse)

      const buffer = new EventBuffer({ backend })
      const turn = yield* begin(script, input, (event) => {
        buffer.offer(event)
        if (event._tag === "TurnEnded") buffer.end()
      })
      memory.used = true
      options.onAccepted()
      yield* Effect.addFinalizer(() => turn.interrupt)
      return {
        id: turn.recorder.turnId,
        events: buffer.stream,
        interrupt: turn.interrupt,
        outcome: turn.outcome,
        steer: Effect.fnUntraced(function*(more: TurnInput) {
          yield* require("steer")
          if (imagesIn(more) > 0) yield* require("images")
          return yield* turn.steer(more)
        })
      }
    },
    // A turn that is started is a turn that will be ended: nothing may come between.
    Effect.uninterruptible
  )

  const compact = Effect.fn("AgentSession.compact")(function*() {
    yield* usable
    yield* require("compact")
    yield* idle
    return yield* Effect.uninterruptibleMask((restore) =>
      begin({ steerable: false, steps: options.compaction }, undefined, (event) => {
        Queue.offerUnsafe(between, event)
      }).pipe(
        Effect.flatMap((turn) =>
          Effect.map(
            Effect.onInterrupt(restore(turn.outcome), () => turn.interrupt),
            (outcome) => ({ outcome, turnId: turn.recorder.turnId })
          )
        )
      )
    )
  })

  const tellGoal = (goal: Goal | null) => {
    memory.goal = goal
    const event = { _tag: "GoalUpdated", goal } as const
    if (own === undefined) Queue.offerUnsafe(between, event)
    else own.recorder.remark(event)
  }

  return {
    ref: Effect.sync(() => ({
      backend,
      sessionId: memory.id,
      durable: options.durable && options.options.ephemeral !== true && memory.used
    })),
    model: memory.model,
    startTurn,
    compact: compact(),
    getGoal: Effect.suspend(() =>
      Effect.andThen(Effect.andThen(usable, require("goals")), Effect.succeed(memory.goal))
    ),
    setGoal: Effect.fn("AgentSession.setGoal")(function*(change) {
      yield* usable
      yield* require("goals")
      const objective = change.objective ?? memory.goal?.objective
      if (objective === undefined) {
        return yield* refuse(new InvalidInput({ field: "objective", detail: "a new goal needs one" }))
      }
      const tokenBudget = change.tokenBudget ?? memory.goal?.tokenBudget
      const goal: Goal = {
        objective,
        status: change.status ?? memory.goal?.status ?? "active",
        tokensUsed: memory.goal?.tokensUsed ?? 0,
        timeUsed: memory.goal?.timeUsed ?? 0,
        ...(tokenBudget === undefined ? {} : { tokenBudget })
      }
      tellGoal(goal)
      return goal
    }),
    clearGoal: Effect.suspend(() =>
      Effect.andThen(Effect.andThen(usable, require("goals")), Effect.sync(() => tellGoal(null)))
    ),
    events: Stream.fromQueue(between)
  }
})

/** Whether a policy counts on being asked. */
export const asksFirst = (policy: ApprovalPolicy | undefined): boolean =>
  policy === "untrusted" || policy === "on-request"

const fieldsOf = (died: AgentDied) => ({
  detail: died.detail,
  stderrTail: died.stderrTail,
  ...(died.exitCode === undefined ? {} : { exitCode: died.exitCode }),
  ...(died.signal === undefined ? {} : { signal: died.signal })
})
