/**
 * An agent's goal in the words of the protocol. Pure.
 */
import type { Goal } from "../../agent/AgentEvent.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { seconds, whole } from "./Numbers.ts"

const statuses: ReadonlySet<string> = new Set(
  ["active", "paused", "blocked", "usageLimited", "budgetLimited", "complete"] satisfies ReadonlyArray<
    Strict.ThreadGoalStatus
  >
)

const isStatus = (status: string): status is Strict.ThreadGoalStatus => statuses.has(status)

/**
 * The goal as clients see it. `before` is the goal until then: one with the same objective keeps the time at which it
 * was set. A status that the protocol does not know counts as paused, which promises nothing.
 */
export const toThreadGoal = (
  threadId: string,
  goal: Goal,
  before: Strict.ThreadGoal | null,
  atMs: number
): Strict.ThreadGoal => ({
  threadId,
  objective: goal.objective,
  status: isStatus(goal.status) ? goal.status : goal.status === "completed" ? "complete" : "paused",
  tokenBudget: goal.tokenBudget === undefined ? null : whole(goal.tokenBudget),
  tokensUsed: whole(goal.tokensUsed),
  timeUsedSeconds: whole(goal.timeUsed),
  createdAt: before?.objective === goal.objective ? before.createdAt : seconds(atMs),
  updatedAt: seconds(atMs)
})

/** Whether two goals are the same but for the time of their last change. */
export const isSameGoal = (one: Strict.ThreadGoal | null, other: Strict.ThreadGoal | null): boolean =>
  one === null || other === null
    ? one === other
    : one.objective === other.objective && one.status === other.status && one.tokensUsed === other.tokensUsed &&
      one.timeUsedSeconds === other.timeUsedSeconds && (one.tokenBudget ?? null) === (other.tokenBudget ?? null)
