import { assert, describe, it } from "@effect/vitest"
import { AgentDied, AgentError, ModelFailed, RateLimited } from "../../../src/agent/AgentError.ts"
import type { AgentEvent } from "../../../src/agent/AgentEvent.ts"
import type { AgentItem } from "../../../src/agent/AgentItem.ts"
import { TurnProjection } from "../../../src/bridge/projection/index.ts"
import {
  begin,
  body,
  change,
  command,
  completed,
  delta,
  end,
  failed,
  interrupted,
  message,
  opened,
  play,
  resolved,
  started,
  startMs,
  usage
} from "./support/events.ts"
import { broken, notifications, options, outline, paramsOf, run } from "./support/wire.ts"

const { threadId, turnId } = options

/** The items that the end of a turn shows of these. */
const summary = (...items: ReadonlyArray<AgentItem>) =>
  paramsOf(play(items.flatMap((item) => [started(item), completed(item)])), "turn/completed")[0]?.turn.items
    .map((item) => item.id)

const breakdown = (inputTokens: number, outputTokens: number, totalTokens = inputTokens + outputTokens) => ({
  totalTokens,
  inputTokens,
  cachedInputTokens: 0,
  cacheWriteInputTokens: 0,
  outputTokens,
  reasoningOutputTokens: 0
})

describe("TurnProjection", () => {
  describe("the frame", () => {
    it("turns the thread active, starts the turn, and in the end turns it idle and completes it", () => {
      const outputs = run([begin, { ...end(), durationMs: 41.6 } as AgentEvent])
      assert.deepStrictEqual(notifications(outputs).map(({ method, params }) => ({ method, params })), [
        { method: "thread/status/changed", params: { threadId, status: { type: "active", activeFlags: [] } } },
        {
          method: "turn/started",
          params: {
            threadId,
            turn: {
              id: turnId,
              rootTurnId: turnId,
              items: [],
              itemsView: "notLoaded",
              status: "inProgress",
              error: null,
              startedAt: 1_700_000_000,
              completedAt: null,
              durationMs: null
            }
          }
        },
        { method: "thread/status/changed", params: { threadId, status: { type: "idle" } } },
        {
          method: "turn/completed",
          params: {
            threadId,
            turn: {
              id: turnId,
              rootTurnId: turnId,
              items: [],
              itemsView: "notLoaded",
              status: "completed",
              error: null,
              startedAt: 1_700_000_000,
              completedAt: 1_700_000_000,
              durationMs: 42
            }
          }
        }
      ])
    })

    it("counts the duration where the agent does not, and never backwards", () => {
      const state = TurnProjection.make(options)
      TurnProjection.step(state, begin, startMs)
      TurnProjection.step(state, end(), startMs + 2_500)
      assert.include(TurnProjection.turn(state), {
        startedAt: 1_700_000_000,
        completedAt: 1_700_000_002,
        durationMs: 2500
      })
      const other = TurnProjection.make(options)
      TurnProjection.step(other, started(command("inProgress")), startMs)
      const outputs = TurnProjection.step(other, end(), startMs - 2_500)
      assert.include(TurnProjection.turn(other), { durationMs: 0 })
      assert.include(paramsOf(outputs, "item/completed")[0], { completedAtMs: startMs })
    })

    it("starts with whatever the agent says first, also with its end", () => {
      assert.deepStrictEqual(outline(run([failed(new ModelFailed({ detail: "no" }))])), [
        "thread/status/changed active",
        "turn/started",
        "thread/status/changed systemError",
        "error final",
        "turn/completed failed"
      ])
    })

    it("shows the answer in the summary: the last message, before all others the one that says so", () => {
      assert.deepStrictEqual(summary(message("a", { id: "1" }), message("b", { id: "2" })), ["2"])
      assert.deepStrictEqual(
        summary(message("a", { id: "1", phase: "final" }), message("b", { id: "2", phase: "commentary" })),
        ["1"]
      )
      assert.deepStrictEqual(summary(command("completed")), [])
      const abandoned = play([started(message("half")), completed(message("half"), true)])
      assert.deepStrictEqual(paramsOf(abandoned, "turn/completed")[0]?.turn.items, [])
    })

    it("says nothing more, and hands out the turn, when it has ended", () => {
      const state = TurnProjection.make(options)
      assert.include(TurnProjection.turn(state), { status: "inProgress", startedAt: null })
      TurnProjection.step(state, begin, startMs)
      assert.include(TurnProjection.turn(state), { status: "inProgress", startedAt: 1_700_000_000 })
      TurnProjection.step(state, end(), startMs)
      assert.include(TurnProjection.turn(state), { status: "completed" })
      for (const event of [begin, started(message("late")), delta("m", "text", "x"), end()]) {
        assert.deepStrictEqual(TurnProjection.step(state, event, startMs), [])
      }
    })
  })

  describe("the diff of the turn", () => {
    it("is folded from the changes, right after each", () => {
      const outputs = play([
        completed(change("1", "completed", "/work/space/a.txt")),
        completed(change("2", "completed", "/else/b.txt")),
        completed({ _tag: "FileChange", id: "3", status: "declined", changes: [] })
      ])
      const diffs = paramsOf(outputs, "turn/diff/updated").map(({ diff }) => diff)
      assert.strictEqual(diffs.length, 2)
      assert.include(diffs[0], "+++ b/a.txt\n@@ -0,0 +1 @@\n+x\n")
      assert.include(diffs[1], "+++ b/a.txt")
      assert.include(diffs[1], "+++ b//else/b.txt")
    })

    it("is the agent's own where it tells one", () => {
      const outputs = play([
        completed(change("1", "completed", "/work/space/a.txt")),
        { _tag: "DiffUpdated", diff: "theirs" },
        completed(change("2", "completed", "/work/space/b.txt"))
      ])
      assert.deepStrictEqual(paramsOf(outputs, "turn/diff/updated").map(({ diff }) => diff), ["theirs"])
    })
  })

  describe("usage", () => {
    const usedBefore = { total: breakdown(900, 100), last: breakdown(50, 7, 500), modelContextWindow: 3000 }

    it("repeats what was told last when there are no news, and tells a context that was made smaller", () => {
      const outputs = play([
        usage(0, 0, { context: { used: 500 } }),
        usage(0, 0),
        usage(0, 0, { context: { used: 80 } })
      ], { usedBefore })
      const told = paramsOf(outputs, "thread/tokenUsage/updated").map(({ tokenUsage }) => tokenUsage)
      assert.deepStrictEqual(told, [
        usedBefore,
        usedBefore,
        { ...usedBefore, last: breakdown(0, 0, 80) }
      ])
    })

    it("of a context that ran over is the window, and goes on from there", () => {
      const full = { total: 3120, context: { used: 2880, window: 3000 } }
      const outputs = play([
        usage(100, 20, { context: { used: 120, window: 3000 } }),
        usage(100, 20, full),
        usage(150, 30, { total: 3180, context: { used: 60 } })
      ], { usedBefore })
      const told = paramsOf(outputs, "thread/tokenUsage/updated").map(({ tokenUsage }) => tokenUsage)
      assert.deepStrictEqual(told.map(({ total }) => total), [
        breakdown(1000, 120),
        breakdown(0, 0, 3000),
        breakdown(50, 10, 3060)
      ])
      assert.deepStrictEqual(told[1]?.last, breakdown(0, 0, 2880))
    })

    it("adds the turn to what the thread had used, and tells each step apart", () => {
      const outputs = play(
        [
          usage(100, 10, { context: { used: 111, window: 5000 } }),
          usage(300, 25, { context: { used: 217 } }),
          usage(300, 25)
        ],
        { usedBefore }
      )
      const told = paramsOf(outputs, "thread/tokenUsage/updated").map(({ tokenUsage }) => tokenUsage)
      assert.deepStrictEqual(
        told.map(({ last, modelContextWindow, total }) => [
          total.totalTokens,
          total.inputTokens,
          last.inputTokens,
          last.outputTokens,
          last.totalTokens,
          modelContextWindow
        ]),
        [
          [1110, 1000, 100, 10, 111, 5000],
          [1325, 1200, 200, 15, 217, 5000],
          [1325, 1200, 200, 15, 217, 5000]
        ]
      )
    })

    it("never falls, and knows the window that the model is known for", () => {
      const outputs = play([usage(100, 10), usage(40, 5)], { usedBefore, modelContextWindow: 777 })
      const told = paramsOf(outputs, "thread/tokenUsage/updated").map(({ tokenUsage }) => tokenUsage)
      assert.deepStrictEqual(told.map(({ total }) => total.totalTokens), [1110, 1110])
      assert.deepStrictEqual(told.map(({ last }) => last.totalTokens), [110, 45])
      assert.deepStrictEqual(told.map(({ modelContextWindow }) => modelContextWindow), [777, 777])
    })
  })

  describe("trouble", () => {
    it("a retry is no end", () => {
      const error = new AgentError({
        backend: "testing",
        reason: new RateLimited({ detail: "slow down", httpStatus: 429 })
      })
      const outputs = play([{ _tag: "Retrying", error }])
      assert.deepStrictEqual(paramsOf(outputs, "error"), [{
        threadId,
        turnId,
        willRetry: true,
        error: {
          message: "slow down",
          codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: 429 } },
          additionalDetails: null,
          misalignment: null
        }
      }])
    })

    it("a failure turns the thread to systemError, and tells the same error twice", () => {
      const outputs = run([
        begin,
        completed(message("so far")),
        failed(new AgentDied({ detail: "gone", exitCode: 1, stderrTail: "panic", mayHaveReached: true }))
      ])
      assert.deepStrictEqual(broken(outputs), [])
      assert.deepStrictEqual(outline(outputs).slice(-3), [
        "thread/status/changed systemError",
        "error final",
        "turn/completed failed"
      ])
      const turn = paramsOf(outputs, "turn/completed")[0]?.turn
      assert.deepInclude(turn, { status: "failed", items: [], itemsView: "notLoaded" })
      assert.deepStrictEqual(turn?.error, paramsOf(outputs, "error")[0]?.error)
      assert.deepInclude(turn?.error, {
        message: "The agent is gone (exit status 1): gone",
        additionalDetails: "panic"
      })
    })

    it("an agent that stops without a word has not completed its turn", () => {
      const outputs = run([begin, end({ _tag: "Incomplete", detail: "silence" })])
      assert.deepStrictEqual(broken(outputs), [])
      assert.deepInclude(paramsOf(outputs, "turn/completed")[0]?.turn, { status: "failed" })
    })

    it("an interruption leaves the thread idle, and says when the agent has not confirmed it", () => {
      const lines = ["thread/status/changed idle", "turn/completed interrupted"]
      assert.deepStrictEqual(outline(run([begin, interrupted()])).slice(2), lines)
      assert.deepStrictEqual(outline(run([begin, interrupted(false)])).slice(2), ["warning", ...lines])
      const turn = paramsOf(run([begin, completed(message("a")), interrupted()]), "turn/completed")[0]?.turn
      assert.deepInclude(turn, { items: [], itemsView: "notLoaded", error: null })
    })

    it("warnings are told, those of a guardian as such", () => {
      const outputs = run([
        { _tag: "Warning", code: "configWarning", message: "odd" },
        { _tag: "Warning", code: "guardianWarning", message: "careful" },
        begin,
        end()
      ])
      assert.deepStrictEqual(outline(outputs).slice(0, 3), [
        "warning",
        "guardianWarning",
        "thread/status/changed active"
      ])
      assert.deepStrictEqual(paramsOf(outputs, "warning"), [{ threadId, message: "odd" }])
    })
  })

  describe("what the agent waits for", () => {
    it("shows in the status, once for any number of requests", () => {
      assert.deepStrictEqual(
        body([
          opened("1", "approval"),
          opened("2", "elicitation"),
          resolved("1"),
          opened("3", "question"),
          resolved("2"),
          resolved("3"),
          opened("4", "tool"),
          resolved("4"),
          { _tag: "StatusChanged", status: "active", flags: ["waitingOnApproval"] }
        ]),
        [
          "thread/status/changed active waitingOnApproval",
          "thread/status/changed active waitingOnApproval waitingOnUserInput",
          "thread/status/changed active waitingOnUserInput",
          "thread/status/changed active"
        ]
      )
    })

    it("can be asked for", () => {
      const state = TurnProjection.make(options)
      TurnProjection.step(state, opened("1", "question"), startMs)
      assert.deepStrictEqual(TurnProjection.activeFlags(state), ["waitingOnUserInput"])
    })

    it("a review by a guardian comes through in the protocol's words, or becomes a warning", () => {
      const raw = {
        threadId: "theirs",
        turnId: "theirs",
        reviewId: "review",
        startedAtMs: 1,
        targetItemId: "c",
        review: { status: "inProgress", riskLevel: null, userAuthorization: null, rationale: null },
        action: { type: "command", source: "shell", command: "ls", cwd: "/" }
      }
      const outputs = play([
        { _tag: "GuardianReview", phase: "started", raw },
        { _tag: "GuardianReview", phase: "completed", raw: { ...raw, completedAtMs: 2, decisionSource: "agent" } },
        { _tag: "GuardianReview", phase: "completed", raw: "fine" }
      ], { itemId: (id) => `my-${id}` })
      assert.deepStrictEqual(outline(outputs).slice(2, -2), [
        "item/autoApprovalReview/started",
        "item/autoApprovalReview/completed",
        "warning"
      ])
      assert.deepInclude(paramsOf(outputs, "item/autoApprovalReview/started")[0], {
        threadId,
        turnId,
        targetItemId: "my-c",
        reviewId: "review"
      })
    })
  })

  describe("goals", () => {
    const goal = { objective: "Ship it", status: "active", tokensUsed: 10, timeUsed: 1.4 }

    it("are the protocol's, and keep the time at which they were set", () => {
      const before = {
        threadId,
        objective: "Ship it",
        status: "active" as const,
        tokenBudget: null,
        tokensUsed: 0,
        timeUsedSeconds: 0,
        createdAt: 5,
        updatedAt: 5
      }
      const outputs = play([
        { _tag: "GoalUpdated", goal: { ...goal, tokenBudget: 100 } },
        { _tag: "GoalUpdated", goal: { ...goal, objective: "Rest", status: "somehow" } },
        { _tag: "GoalUpdated", goal: null }
      ], { goal: before })
      assert.deepStrictEqual(outline(outputs).slice(2, -2), [
        "thread/goal/updated",
        "thread/goal/updated",
        "thread/goal/cleared"
      ])
      assert.deepStrictEqual(paramsOf(outputs, "thread/goal/updated").map(({ goal }) => goal), [
        {
          threadId,
          objective: "Ship it",
          status: "active",
          tokenBudget: 100,
          tokensUsed: 10,
          timeUsedSeconds: 1,
          createdAt: 5,
          updatedAt: 1_700_000_000
        },
        {
          threadId,
          objective: "Rest",
          status: "paused",
          tokenBudget: null,
          tokensUsed: 10,
          timeUsedSeconds: 1,
          createdAt: 1_700_000_000,
          updatedAt: 1_700_000_000
        }
      ])
      assert.deepStrictEqual(outputs.filter(({ _tag }) => _tag === "Goal").length, 3)
    })
  })
})
