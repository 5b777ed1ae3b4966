import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as GoalKeeping from "../../../src/bridge/threads/GoalKeeping.ts"
import type * as Strict from "../../../src/protocol/generated/StrictTypes.ts"

const goalOf = (change: GoalKeeping.Change, before: Strict.ThreadGoal | null = null, atMs = 0): Strict.ThreadGoal =>
  Result.getOrThrow(GoalKeeping.changed("t", before, change, atMs))

const Step = Schema.Struct({
  ms: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5_000 })),
  tokens: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))
})

describe("what a goal has used", () => {
  it.prop("is the same however often it is counted", [Schema.Array(Step)], ([steps]) => {
    let meter: GoalKeeping.Meter = { tokens: 0, since: 0 }
    let goal: Strict.ThreadGoal | null = goalOf({ objective: "o" })
    let at = 0
    let tokens = 0
    for (const step of steps) {
      at += step.ms
      tokens += step.tokens
      const charged = GoalKeeping.charge(meter, goal, tokens, at)
      meter = charged.meter
      goal = charged.goal
    }
    assert.strictEqual(goal?.tokensUsed, tokens)
    assert.strictEqual(goal?.timeUsedSeconds, Math.floor(at / 1000))
  })

  it("is not counted while it rests", () => {
    const paused = goalOf({ objective: "o", status: "paused" })
    const rested = GoalKeeping.charge({ tokens: 0, since: 0 }, paused, 50, 10_000)
    assert.deepStrictEqual(rested, { goal: paused, meter: { tokens: 50, since: 10_000 } })
    const active = goalOf({ status: "active" }, paused)
    const { goal } = GoalKeeping.charge(rested.meter, active, 60, 11_000)
    assert.deepInclude(goal, { tokensUsed: 10, timeUsedSeconds: 1 })
  })

  it("stays when the goal is changed, and limits it when the budget is smaller", () => {
    const { goal } = GoalKeeping.charge({ tokens: 0, since: 0 }, goalOf({ objective: "o" }), 50, 3_000)
    const changed = goalOf({ objective: "p" }, goal, 5_000)
    assert.deepInclude(changed, { tokensUsed: 50, timeUsedSeconds: 3, createdAt: 0, updatedAt: 5 })
    assert.strictEqual(goalOf({ tokenBudget: 50 }, changed).status, "budgetLimited")
    assert.strictEqual(goalOf({ tokenBudget: 51 }, changed).status, "active")
  })
})
