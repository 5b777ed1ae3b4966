/**
 * Goals that omp keeps for a session, and the going on with them: omp's own clients do it, its SDK does not.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberHandle from "effect/FiberHandle"
import * as Scope from "effect/Scope"
import { type AgentError, InvalidInput, Rejected } from "../../../agent/AgentError.ts"
import type { Goal } from "../../../agent/AgentEvent.ts"
import type { PortGoals } from "../../pi-family/Port.ts"
import { arrayOf, isRecord, member } from "../../pi-family/Reading.ts"
import type * as Sdk from "./Sdk.ts"
import { call, failed } from "./SdkErrors.ts"

/** As in omp's terminal: time for a person to say something first. */
const pause = Duration.millis(800)

export interface Goals extends PortGoals {
  /** Takes what the session says. */
  readonly event: (event: { readonly type: string }) => void
  /** Somebody wants something else of the agent. */
  readonly holdOff: () => void
  /** Whether a run for the goal was asked for that has not begun. */
  readonly isStarting: () => boolean
}

const goalOf = ({ objective, status, timeUsedSeconds, tokenBudget, tokensUsed }: Sdk.Goal): Goal => ({
  objective,
  status: status === "budget-limited" ? "budgetLimited" : status,
  tokensUsed: Math.round(tokensUsed),
  timeUsed: timeUsedSeconds,
  ...(tokenBudget === undefined ? {} : { tokenBudget })
})

/** What the model did in a run, without what differs each time: two that are the same lead nowhere. */
const activityOf = (event: object): string =>
  JSON.stringify(
    arrayOf(member(event, "messages")).flatMap((message) => {
      const { content, role, toolName } = isRecord(message) ? message : {}
      if (role === "toolResult") return [[toolName, content]]
      if (role !== "assistant") return []
      return arrayOf(content).flatMap((part) =>
        member(part, "type") === "toolCall" ? [[member(part, "name"), member(part, "arguments")]] : []
      )
    })
  )

const none = "[]"

const invalid = (field: string, detail: string) => failed(new InvalidInput({ field, detail }))

export const make = Effect.fnUntraced(function*(
  session: Sdk.Session,
  onError: (error: AgentError) => void
): Effect.fn.Return<Goals, AgentError, Scope.Scope> {
  const scope = yield* Scope.Scope
  const waiting = yield* FiberHandle.make<void>()
  const start = yield* FiberHandle.runtime(waiting)<never>()
  /** A run for the goal: what was said since it was asked for. */
  let pursuit: "none" | "running" | "starting" = "none"
  let lastActivity: string | undefined
  let leadsNowhere = false

  const current = (): Sdk.Goal | undefined => {
    const goal = session.getGoalModeState()?.goal
    return goal === undefined || goal.status === "dropped" ? undefined : goal
  }

  const goOn = Effect.gen(function*() {
    yield* Effect.sleep(pause)
    const content = session.goalRuntime.buildContinuationPrompt()
    if (content === undefined || session.isStreaming) return
    pursuit = "starting"
    yield* call(
      "going on with the goal",
      () =>
        session.promptCustomMessage({ customType: "goal-continuation", content, display: false, attribution: "agent" })
    )
      .pipe(
        Effect.catch((error) => Effect.sync(() => onError(error))),
        Effect.ensuring(Effect.sync(() => {
          pursuit = "none"
        })),
        // From here on it is the agent's, which nobody holds off.
        Effect.forkIn(scope)
      )
  })

  const schedule = (): void => {
    // Names of places where goals go on by themselves; a client with a person behind it is one like omp's own.
    if (!arrayOf(session.settings.get("goal.continuationModes")).includes("interactive")) return
    if (leadsNowhere || current()?.status !== "active") return
    start(goOn)
  }

  const event = (event: { readonly type: string }): void => {
    if (event.type === "agent_start") {
      if (pursuit === "starting") pursuit = "running"
      return
    }
    if (event.type !== "agent_end" || member(event, "isTerminal") === false) return
    const activity = activityOf(event)
    if (pursuit === "none") {
      leadsNowhere = false
      lastActivity = undefined
    } else {
      leadsNowhere = activity === none || activity === lastActivity
      lastActivity = activity
      pursuit = "none"
    }
    schedule()
  }

  // omp's clients take up the goal of a session that they go on with; it is paused then.
  const { mode, modeData } = session.sessionManager.buildSessionContext()
  if (modeData?.goal !== undefined && (mode === "goal" || mode === "goal_paused")) {
    session.setGoalModeState({ enabled: mode === "goal", mode: "active", goal: modeData.goal })
    yield* call("taking up the goal", () => session.goalRuntime.onThreadResumed())
  }

  /** The model ends a goal by a tool, which it has while there is a goal. */
  const giveTool = Effect.suspend(() => {
    const names = session.getEnabledToolNames()
    return names.includes("goal")
      ? Effect.void
      : call("giving the model its goal", () => session.setActiveToolsByName([...names, "goal"]))
  })

  const begin = (objective: string, tokenBudget: number | undefined) =>
    call("setting a goal", async () => {
      const before = current()
      if (before !== undefined && before.status !== "complete") await session.goalRuntime.dropGoal()
      await session.goalRuntime.createGoal({ objective, ...(tokenBudget === undefined ? {} : { tokenBudget }) })
    })

  const setStatus = (status: string) => {
    const { goalRuntime } = session
    switch (status) {
      case "active":
        return current()?.status === "active" ? Effect.void : call("resuming the goal", () => goalRuntime.resumeGoal())
      case "paused":
        return call("pausing the goal", () => goalRuntime.pauseGoal())
      case "complete":
        return current()?.status === "complete"
          ? Effect.void
          : call("completing the goal", () => goalRuntime.completeGoalFromTool())
      default:
        return Effect.fail(invalid("goal.status", `omp lets nobody set a goal to ${status}`))
    }
  }

  const set: PortGoals["set"] = Effect.fnUntraced(function*({ objective, status, tokenBudget }) {
    if (session.settings.get("goal.enabled") === false) {
      const detail = "goals are switched off in omp's settings (goal.enabled)"
      return yield* failed(new Rejected({ operation: "setting a goal", detail }))
    }
    const before = current()
    if (objective !== undefined && objective.trim() !== before?.objective) {
      yield* begin(objective, tokenBudget)
    } else if (before === undefined) {
      return yield* invalid("goal.objective", "there is no goal yet, so that it has to be said what it is")
    } else if (tokenBudget !== undefined && tokenBudget !== before.tokenBudget) {
      yield* call("changing the goal's budget", () => session.goalRuntime.onBudgetMutated(tokenBudget))
    }
    if (status !== undefined) yield* setStatus(status)
    const goal = current()
    if (goal === undefined) return yield* invalid("goal", "it is gone")
    if (goal.status === "active") {
      yield* giveTool
      leadsNowhere = false
      if (!session.isStreaming) schedule()
    } else yield* FiberHandle.clear(waiting)
    return goalOf(goal)
  })

  return {
    get: Effect.sync(() => {
      const goal = current()
      return goal === undefined ? null : goalOf(goal)
    }),
    set,
    clear: Effect.andThen(
      FiberHandle.clear(waiting),
      Effect.suspend(() =>
        current() === undefined
          ? Effect.void
          : Effect.asVoid(call("dropping the goal", () => session.goalRuntime.dropGoal()))
      )
    ),
    event,
    holdOff: () => void start(Effect.void),
    isStarting: () => pursuit === "starting"
  }
})
