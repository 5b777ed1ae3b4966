/**
 * The goal of a thread: how a client changes it, and what is counted against it. Pure.
 */
import * as Result from "effect/Result"
import type { Goal, Usage } from "../../agent/AgentEvent.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { type BridgeError, InvalidRequest, refuse, UnknownValue } from "../BridgeError.ts"

type ThreadGoal = Strict.ThreadGoal

/** What a client asks for; null and `undefined` leave a member as it is. */
export interface Change {
  readonly objective?: string | null | undefined
  readonly status?: string | null | undefined
  readonly tokenBudget?: number | null | undefined
}

const statuses = [
  "active",
  "paused",
  "blocked",
  "usageLimited",
  "budgetLimited",
  "complete"
] as const satisfies ReadonlyArray<Strict.ThreadGoalStatus>

const statusOf = (given: string): Strict.ThreadGoalStatus | undefined => statuses.find((status) => status === given)

const maxObjective = 4000

const invalid = (message: string) => Result.fail(refuse(new InvalidRequest({ message })))

const seconds = (ms: number): number => Math.floor(ms / 1000)

/** A goal whose budget is used up is limited by it. */
const limited = (goal: ThreadGoal): ThreadGoal =>
  goal.status === "active" && goal.tokenBudget != null && goal.tokensUsed >= goal.tokenBudget
    ? { ...goal, status: "budgetLimited" }
    : goal

/** The goal after a client's change; what was used up to now stays. Refuses in the real server's words. */
export const changed = (
  threadId: string,
  before: ThreadGoal | null,
  { objective, status, tokenBudget }: Change,
  atMs: number
): Result.Result<ThreadGoal, BridgeError> => {
  const text = objective?.trim()
  if (text === "") return invalid("goal objective must not be empty")
  if (text !== undefined && Array.from(text).length > maxObjective) {
    return invalid(`goal objective must be at most ${maxObjective} characters`)
  }
  if (tokenBudget != null && tokenBudget <= 0) return invalid("goal budgets must be positive when provided")
  if (tokenBudget != null && tokenBudget > Number.MAX_SAFE_INTEGER) {
    return invalid(`goal budgets must be at most ${Number.MAX_SAFE_INTEGER} tokens`)
  }
  const named = status == null ? undefined : statusOf(status)
  if (status != null && named === undefined) {
    return Result.fail(refuse(new UnknownValue({ given: status, known: statuses })))
  }
  const whole = text ?? before?.objective
  if (whole === undefined) return invalid(`cannot update goal for thread ${threadId}: no goal exists`)
  const goal: ThreadGoal = {
    threadId,
    objective: whole,
    status: named ?? before?.status ?? "active",
    tokenBudget: tokenBudget ?? before?.tokenBudget ?? null,
    tokensUsed: before?.tokensUsed ?? 0,
    timeUsedSeconds: before?.timeUsedSeconds ?? 0,
    createdAt: before?.createdAt ?? seconds(atMs),
    updatedAt: seconds(atMs)
  }
  return Result.succeed(limited(goal))
}

/** The goal in the words of the agent seam. */
export const toAgent = (goal: ThreadGoal): Goal => ({
  objective: goal.objective,
  status: goal.status,
  tokensUsed: goal.tokensUsed,
  timeUsed: goal.timeUsedSeconds,
  ...(goal.tokenBudget == null ? {} : { tokenBudget: goal.tokenBudget })
})

/** Whether an agent's goal is the one that the thread has, whatever was used. */
export const agrees = (agents: Goal | null, threads: ThreadGoal | null): boolean =>
  agents === null || threads === null
    ? agents === threads
    : agents.objective === threads.objective && agents.status === threads.status &&
      (agents.tokenBudget ?? null) === (threads.tokenBudget ?? null)

/** What of a turn was counted against the goal. */
export interface Meter {
  /** Tokens of the turn. */
  readonly tokens: number
  /** Milliseconds since 1970. */
  readonly since: number
}

/** The tokens of a turn that count: what came from a cache was paid for before. */
export const tokensOf = (usage: Usage): number => Math.max(0, usage.input - usage.cachedInput) + usage.output

/** Counts what a turn has used since the last time, while the goal was active. Whole seconds; the rest waits. */
export const charge = (
  meter: Meter,
  goal: ThreadGoal | null,
  tokens: number,
  atMs: number
): { readonly meter: Meter; readonly goal: ThreadGoal | null } => {
  if (goal?.status !== "active") return { meter: { tokens, since: atMs }, goal }
  const elapsed = seconds(Math.max(0, atMs - meter.since))
  return {
    meter: { tokens: Math.max(tokens, meter.tokens), since: meter.since + elapsed * 1000 },
    goal: limited({
      ...goal,
      tokensUsed: goal.tokensUsed + Math.max(0, tokens - meter.tokens),
      timeUsedSeconds: goal.timeUsedSeconds + elapsed
    })
  }
}

/** What an agent that knows no goals is told of an active one with each turn. */
export const contextOf = (goal: ThreadGoal | null): string | undefined => {
  if (goal?.status !== "active") return undefined
  const budget = goal.tokenBudget == null
    ? ""
    : `\nToken budget: ${goal.tokensUsed} of ${goal.tokenBudget} tokens are used.`
  return `The user has set a goal for this conversation. Work towards it in this turn, besides what the user says.
<goal>
${goal.objective}
</goal>${budget}`
}

/** What an agent is asked to change its goal to. */
export const toChange = ({ objective, status, tokenBudget }: ThreadGoal) => ({
  objective,
  status,
  ...(tokenBudget == null ? {} : { tokenBudget })
})
