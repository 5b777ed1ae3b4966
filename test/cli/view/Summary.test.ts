import { assert, describe, it } from "@effect/vitest"
import { AgentError, ModelFailed } from "../../../src/agent/AgentError.ts"
import { type Chunk, type Line, paint } from "../../../src/cli/view/Chunk.ts"
import * as Renderer from "../../../src/cli/view/Renderer.ts"
import { summary } from "../../../src/cli/view/Summary.ts"
import type { AttemptResult } from "../../../src/host/AttemptResult.ts"

const textOf = (line: Line): string => line.map((span) => paint(span, false)).join("")

const flat = (chunk: Chunk): ReadonlyArray<string> =>
  chunk._tag === "Lines" ? chunk.lines.map(textOf) : [`${chunk.channel}:${chunk.text}`]

const state = (live: boolean) => Renderer.make({ live, asks: false, cwd: "/work", at: 0 })

const result: AttemptResult = {
  status: "completed",
  backend: "b",
  runId: "r",
  assistantTexts: [],
  reasoningTexts: [],
  toolSummaries: [],
  usage: {
    input: 1_234,
    cachedInput: 400,
    output: 56,
    reasoningOutput: 12,
    total: 1_290,
    fresh: true,
    context: { used: 5_000, window: 20_000 }
  },
  compactionCount: 0,
  stopReason: "completed",
  session: null,
  replay: { safe: false, reason: "assistant_output" },
  itemLifecycle: { started: 0, completed: 0, closed: 0 },
  diagnostics: []
}

const interrupted = (interruptConfirmed: boolean): AttemptResult => ({
  ...result,
  status: "interrupted",
  stopReason: "interrupted",
  interruptConfirmed
})

describe("Summary", () => {
  it("tells the usage of a completed attempt, and no more", () => {
    assert.deepStrictEqual(summary(state(true), result, 3_210).flatMap(flat), [
      "✓ in 3.2s · 1,234 tokens in (400 cached), 56 out (12 reasoning), context 25% of 20,000"
    ])
    const unknown = {
      ...result,
      usage: { input: 0, cachedInput: 0, output: 0, reasoningOutput: 0, total: 0, fresh: false }
    }
    assert.deepStrictEqual(summary(state(true), unknown, 10).flatMap(flat), ["✓ in 10ms · tokens not reported"])
  })

  it("tells what failed, and whether the prompt may be sent again", () => {
    const error = new AgentError({ backend: "b", reason: new ModelFailed({ detail: "no more" }) })
    const failed: AttemptResult = {
      ...result,
      status: "failed",
      error,
      replay: { safe: false, reason: "tool_activity" }
    }
    assert.deepStrictEqual(summary(state(true), failed, 10).flatMap(flat).slice(0, 2), [
      "✗ failed: ModelFailed: The model failed: no more",
      "  Sending the same prompt again may repeat what was done: the agent has run tools."
    ])
    const safe: AttemptResult = { ...failed, status: "unavailable", replay: { safe: true, reason: "not_accepted" } }
    assert.strictEqual(
      summary(state(true), safe, 10).flatMap(flat)[1],
      "  The same prompt can be sent again: the agent never took the prompt."
    )
  })

  it("tells whether an agent confirmed that it stopped", () => {
    assert.strictEqual(
      summary(state(true), interrupted(true), 10).flatMap(flat)[0],
      "■ interrupted; the agent confirmed that it stopped"
    )
    assert.include(summary(state(true), interrupted(false), 10).flatMap(flat)[0], "may still be running")
  })

  it("gives a pipe the commentary where there is no answer", () => {
    const said = { ...result, assistantTexts: ["I only looked."] }
    const commentary = { ...state(false), commentary: new Set(["m"]) }
    assert.strictEqual(summary(commentary, said, 10).flatMap(flat)[0], "answer:I only looked.")
    // A person has read it already.
    assert.notInclude(summary({ ...commentary, live: true }, said, 10).flatMap(flat), "answer:I only looked.")
    assert.notInclude(summary({ ...commentary, answered: true }, said, 10).flatMap(flat), "answer:I only looked.")
  })

  it("a diff is of bounded height, and the rest is counted", () => {
    const rows = Array.from({ length: 60 }, (_, index) => `+row ${index}`)
    const diff = ["diff --git a/x b/x", "index 0000..1111", "--- a/x", "+++ b/x", "@@ -0,0 +1,60 @@", ...rows].join(
      "\n"
    )
    const shown = summary({ ...state(true), diff }, result, 10).flatMap(flat)
    assert.strictEqual(shown.length, 42)
    assert.strictEqual(shown[40], "  … 24 more lines of diff")
    assert.notInclude(shown, "  index 0000..1111")
  })

  it("repeats no diagnostic that was told when it happened", () => {
    const diagnostics = ["w: told", "retried: x (3 times)", "onEvent failed"]
    const told = { ...state(true), told: new Set(["w: told", "retried: x"]) }
    assert.deepStrictEqual(summary(told, { ...result, diagnostics }, 10).flatMap(flat).slice(0, -1), [
      "! onEvent failed"
    ])
  })
})
