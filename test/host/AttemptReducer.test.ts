import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  AgentDied,
  AgentError,
  type AgentErrorReason,
  BinaryMissing,
  Cancelled,
  ContextOverflow,
  RateLimited
} from "../../src/agent/AgentError.ts"
import type { AgentEvent, TurnOutcome, Usage } from "../../src/agent/AgentEvent.ts"
import type { AgentItem } from "../../src/agent/AgentItem.ts"
import * as Reducer from "../../src/host/AttemptReducer.ts"
import { AttemptResult, toLegacy } from "../../src/host/AttemptResult.ts"

const completed: TurnOutcome = { _tag: "Completed" }
const failed = (reason: AgentErrorReason): TurnOutcome => ({
  _tag: "Failed",
  error: new AgentError({ backend: "test", reason })
})

const foldAll = (events: ReadonlyArray<AgentEvent>, ending: Partial<Reducer.Ending> = {}): AttemptResult =>
  Reducer.toResult(events.reduce(Reducer.reduce, Reducer.make()), {
    backend: "test",
    runId: "run",
    outcome: completed,
    stop: undefined,
    acceptance: "yes",
    session: null,
    readOutput: undefined,
    diagnostics: [],
    ...ending
  })

const started = (item: AgentItem): AgentEvent => ({ _tag: "ItemStarted", item })
const done = (item: AgentItem, closed = false): AgentEvent => ({ _tag: "ItemCompleted", item, closed })
const delta = (itemId: string, text: string, field: "text" | "summary" | "output" = "text", index = 0): AgentEvent => ({
  _tag: "ItemDelta",
  itemId,
  field,
  index,
  delta: text
})
const message = (id: string, text: string, phase?: "commentary" | "final"): AgentItem => ({
  _tag: "AgentMessage",
  id,
  text,
  ...(phase === undefined ? {} : { phase })
})
const command = (id: string, status: "inProgress" | "completed" | "failed", exitCode?: number): AgentItem => ({
  _tag: "CommandExecution",
  id,
  command: "npm   test\n--all",
  status,
  ...(exitCode === undefined ? {} : { exitCode, durationMs: 12 })
})

// Every list of moves is a well-formed sequence: whatever comes too early or too late is one too.
const Move = Schema.Struct({
  item: Schema.Literals([0, 1, 2, 3, 4, 5]),
  act: Schema.Literals(["start", "delta", "delta", "delta", "complete", "close"]),
  text: Schema.String
})
const itemOf = (index: number, text: string, ended: boolean): AgentItem => {
  const id = `item-${index}`
  switch (index) {
    case 0:
    case 1:
      return message(id, ended ? text : "")
    case 2:
      return message(id, ended ? text : "", "commentary")
    case 3:
      return { _tag: "Reasoning", id, summary: ended ? [text] : [], content: [] }
    case 4:
      return { _tag: "ContextCompaction", id, status: ended ? "completed" : "inProgress" }
    default:
      return command(id, ended ? "completed" : "inProgress")
  }
}
const fieldOf = (index: number) => index === 3 ? "summary" : index < 3 ? "text" : "output"
const toEvents = (moves: ReadonlyArray<typeof Move.Type>): ReadonlyArray<AgentEvent> =>
  moves.map(({ act, item, text }) => {
    switch (act) {
      case "start":
        return started(itemOf(item, text, false))
      case "delta":
        return delta(`item-${item}`, text, fieldOf(item))
      default:
        return done(itemOf(item, text, true), act === "close")
    }
  })

// How often a late delta was dropped counts messages, not text.
const strip = (result: AttemptResult) => ({ ...result, diagnostics: [] })

const compaction = (id: string, status: "completed" | "failed"): AgentItem => ({
  _tag: "ContextCompaction",
  id,
  status
})

const usage = (input: number): Usage => ({
  input,
  cachedInput: 0,
  output: 1,
  reasoningOutput: 0,
  total: input + 1,
  fresh: true
})

const interrupted = (confirmed: boolean): TurnOutcome => ({ _tag: "Interrupted", requested: true, confirmed })

const readOutput = (answer: string) => answer === "{}" ? Result.succeed({}) : Result.fail("not an object")

describe("AttemptReducer", () => {
  it.prop("tells each item once", [Schema.Array(Move)], ([moves]) => {
    const result = foldAll(toEvents(moves))
    const touched = new Set(moves.map((move) => move.item))
    assert.isAtMost(result.assistantTexts.length, [...touched].filter((item) => item < 3).length)
    assert.isAtMost(result.reasoningTexts.length, 1)
    assert.isAtMost(result.compactionCount, 1)
    assert.strictEqual(new Set(result.toolSummaries.map((tool) => tool.id)).size, result.toolSummaries.length)
    assert.strictEqual(result.itemLifecycle.started, touched.size)
    assert.strictEqual(result.itemLifecycle.completed + result.itemLifecycle.closed, touched.size)
  })

  it.prop("does not care how deltas are cut", [Schema.Array(Move)], ([moves]) => {
    const events = toEvents(moves)
    const cut = events.flatMap((event): ReadonlyArray<AgentEvent> =>
      event._tag === "ItemDelta" && event.delta.length > 1
        ? [{ ...event, delta: event.delta.slice(0, 1) }, { ...event, delta: event.delta.slice(1) }]
        : [event]
    )
    assert.deepStrictEqual(strip(foldAll(cut)), strip(foldAll(events)))
  })

  it.prop("survives JSON", [Schema.Array(Move)], ([moves]) => {
    const result = foldAll(toEvents(moves), { outcome: failed(new RateLimited({ detail: "slow down" })) })
    const json = Schema.encodeSync(Schema.toCodecJson(AttemptResult))(result)
    const decoded = Schema.decodeUnknownSync(Schema.toCodecJson(AttemptResult))(JSON.parse(JSON.stringify(json)))
    assert.deepStrictEqual({ ...decoded, error: undefined }, { ...result, error: undefined })
    assert.strictEqual(decoded.error?.message, result.error?.message)
    assert.nestedPropertyVal(json, "error._tag", "RateLimited")
    assert.nestedPropertyVal(json, "error.message", "Rate limited: slow down")
  })

  it("keeps a message of which only deltas came", () => {
    assert.deepStrictEqual(foldAll([delta("a", "Hel"), delta("a", "lo")]).assistantTexts, ["Hello"])
  })

  it("does not double a message that was streamed and completed", () => {
    const events = [started(message("a", "")), delta("a", "He"), delta("a", "llo"), done(message("a", "Hello"))]
    assert.deepStrictEqual(foldAll(events).assistantTexts, ["Hello"])
  })

  it("believes the completed text, and drops deltas that come later", () => {
    const result = foldAll([delta("a", "a"), done(message("a", "ab")), delta("a", "b")])
    assert.deepStrictEqual(result.assistantTexts, ["ab"])
    assert.isTrue(result.diagnostics.some((line) => line.includes("dropped a delta")))
  })

  it("keeps what was streamed when an item is closed without its text", () => {
    const result = foldAll([started(message("a", "")), delta("a", "half"), done(message("a", ""), true)])
    assert.deepStrictEqual(result.assistantTexts, ["half"])
    assert.deepStrictEqual(result.itemLifecycle, { started: 1, completed: 0, closed: 1 })
  })

  it("leaves commentary out, unless there is nothing else", () => {
    const commentary = done(message("a", "Looking around.", "commentary"))
    assert.deepStrictEqual(foldAll([commentary]).assistantTexts, ["Looking around."])
    const events = [commentary, done(message("b", "One")), done(message("c", "Two", "final"))]
    assert.deepStrictEqual(foldAll(events).assistantTexts, ["One", "Two"])
  })

  it("orders messages by their start", () => {
    const events = [
      started(message("a", "")),
      started(message("b", "")),
      done(message("b", "second")),
      done(message("a", "first"))
    ]
    assert.deepStrictEqual(foldAll(events).assistantTexts, ["first", "second"])
  })

  it("counts a compaction once, and only when it succeeded", () => {
    const events = [
      done(compaction("a", "completed")),
      done(compaction("a", "completed")),
      done(compaction("b", "failed")),
      done(compaction("c", "completed"), true)
    ]
    assert.strictEqual(foldAll(events).compactionCount, 1)
  })

  it("takes the last usage, whatever the outcome", () => {
    const events: ReadonlyArray<AgentEvent> = [
      { _tag: "UsageUpdated", usage: usage(1) },
      { _tag: "UsageUpdated", usage: usage(2) }
    ]
    assert.strictEqual(foldAll(events, { outcome: failed(new ContextOverflow({ detail: "full" })) }).usage.input, 2)
    assert.isFalse(foldAll([]).usage.fresh)
  })

  it("sums a tool up in one line", () => {
    const result = foldAll([started(command("a", "inProgress")), done(command("a", "failed", 1))])
    assert.deepStrictEqual(result.toolSummaries, [
      { id: "a", name: "command", status: "failed", summary: "npm test --all (exit status 1)", durationMs: 12 }
    ])
  })

  it("says of a tool that was cut off that it was interrupted", () => {
    const result = foldAll([started(command("a", "inProgress"))])
    assert.strictEqual(result.toolSummaries[0]?.status, "interrupted")
  })

  it("collects reasoning by item, the summary before the raw text", () => {
    const events: ReadonlyArray<AgentEvent> = [
      delta("r", "one", "summary", 0),
      delta("r", "two", "summary", 1),
      { _tag: "ItemDelta", itemId: "r", field: "reasoning", index: 0, delta: "raw" },
      { _tag: "ItemDelta", itemId: "q", field: "reasoning", index: 0, delta: "only raw" },
      { _tag: "ItemDelta", itemId: "q", field: "reasoning", index: 1e9, delta: "far" }
    ]
    assert.deepStrictEqual(foldAll(events).reasoningTexts, ["one\n\ntwo", "only raw"])
  })

  it("ignores what comes after the end", () => {
    const state = Reducer.reduce(Reducer.make(), { _tag: "TurnEnded", outcome: completed })
    Reducer.reduce(state, { _tag: "TurnEnded", outcome: { _tag: "Incomplete", detail: "" } })
    Reducer.reduce(state, delta("late", "stale"))
    assert.deepStrictEqual(Reducer.outcome(state), completed)
    assert.isUndefined(Reducer.item(state, "late"))
  })

  describe("status", () => {
    const deadline = { _tag: "Deadline", after: 10 } as const
    const cases: ReadonlyArray<[string, Partial<Reducer.Ending>, Partial<AttemptResult>]> = [
      ["completed", { outcome: completed }, { status: "completed", stopReason: "completed" }],
      ["completed in spite of the deadline", { outcome: completed, stop: deadline }, { status: "completed" }],
      ["interrupted", { outcome: interrupted(true) }, { status: "interrupted", interruptConfirmed: true }],
      ["unconfirmed", { outcome: interrupted(false) }, { status: "interrupted", interruptConfirmed: false }],
      ["timeout", { outcome: interrupted(true), stop: deadline }, { status: "timeout", stopReason: "timeout" }],
      [
        "silence",
        { outcome: interrupted(true), stop: { _tag: "Idle", after: 5 } },
        { status: "timeout", stopReason: "idle_timeout" }
      ],
      ["incomplete", { outcome: { _tag: "Incomplete", detail: "" } }, { status: "incomplete" }],
      [
        "context overflow",
        { outcome: failed(new ContextOverflow({ detail: "full" })) },
        { status: "failed", stopReason: "context_overflow" }
      ],
      [
        "a binary that is not there",
        { acceptance: "no", outcome: failed(new BinaryMissing({ command: "codex", detail: "ENOENT" })) },
        { status: "unavailable", stopReason: "binary_missing", replay: { safe: true, reason: "not_accepted" } }
      ],
      [
        "a process that died while it was asked",
        {
          acceptance: "maybe",
          outcome: failed(new AgentDied({ detail: "", stderrTail: "", mayHaveReached: true }))
        },
        { status: "failed", replay: { safe: false, reason: "maybe_accepted" } }
      ],
      [
        "a cancellation that the deadline asked for",
        { stop: deadline, outcome: failed(new Cancelled({ detail: "", mayHaveReached: true })) },
        { status: "timeout", interruptConfirmed: false }
      ]
    ]
    for (const [name, ending, expected] of cases) {
      it(name, () => {
        const result = foldAll([], ending)
        for (const [key, value] of Object.entries(expected)) {
          assert.deepStrictEqual(Reflect.get(result, key), value, key)
        }
      })
    }
  })

  it("gives the strongest reason against a replay", () => {
    const said = done(message("m", "Hi"))
    const ran = done(command("c", "completed", 0))
    assert.deepStrictEqual(foldAll([]).replay, { safe: false, reason: "accepted" })
    assert.strictEqual(foldAll([said]).replay.reason, "assistant_output")
    assert.strictEqual(foldAll([said, ran]).replay.reason, "tool_activity")
    assert.strictEqual(foldAll([said, ran, started(command("d", "inProgress"))]).replay.reason, "active_item")
  })

  describe("structured output", () => {
    it("comes from the final answer alone", () => {
      const events = [done(message("a", "{}", "final")), done(message("b", "Bye.", "commentary"))]
      assert.deepStrictEqual(foldAll(events, { readOutput }).structuredOutput, {})
    })

    it("fails the attempt when it does not fit, and keeps the text", () => {
      const result = foldAll([done(message("a", "none"))], { readOutput })
      assert.strictEqual(result.status, "failed")
      assert.strictEqual(result.stopReason, "output_invalid")
      assert.deepStrictEqual(result.assistantTexts, ["none"])
      assert.isTrue(result.error?._tag === "OutputInvalid" && result.error.raw === "none")
    })

    it("is not asked of an attempt that failed anyway", () => {
      const result = foldAll([], { readOutput, outcome: { _tag: "Incomplete", detail: "" } })
      assert.strictEqual(result.status, "incomplete")
    })
  })

  it("derives the flat fields of older hosts", () => {
    const result = foldAll([done(command("a", "failed", 2)), done(message("m", "Sorry."))], {
      outcome: { _tag: "Interrupted", requested: true, confirmed: true },
      stop: { _tag: "Deadline", after: 10 }
    })
    const legacy = toLegacy(result)
    assert.isTrue(legacy.aborted && legacy.timedOut && !legacy.externalAbort)
    assert.strictEqual(legacy.lastAssistant, "Sorry.")
    assert.strictEqual(legacy.lastToolError?.toolName, "command")
    assert.deepStrictEqual(legacy.replayMetadata, { hadPotentialSideEffects: true, replaySafe: false })
  })
})
