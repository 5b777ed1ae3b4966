import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { AgentError, ModelFailed } from "../../../src/agent/AgentError.ts"
import { AgentEvent } from "../../../src/agent/AgentEvent.ts"
import type { AgentItem } from "../../../src/agent/AgentItem.ts"
import { type Chunk, type Line, paint } from "../../../src/cli/view/Chunk.ts"
import * as Renderer from "../../../src/cli/view/Renderer.ts"

const at = 1_000_000

const textOf = (line: Line): string => line.map((span) => paint(span, false)).join("")

const flat = (chunk: Chunk): string =>
  chunk._tag === "Lines" ? chunk.lines.map(textOf).join("\n") : `${chunk.channel}:${chunk.text}`

const start = (live: boolean) => Renderer.make({ live, asks: false, cwd: "/work", at })

/** Plays events, a second apart. */
const play = (live: boolean, events: ReadonlyArray<AgentEvent>) => {
  let state = start(live)
  const chunks: Array<Chunk> = []
  events.forEach((event, index) => {
    const [next, told] = Renderer.render(state, event, at + index * 1_000)
    state = next
    chunks.push(...told)
  })
  return { state, chunks, told: chunks.map(flat) }
}

const told = (live: boolean, ...events: ReadonlyArray<AgentEvent>) => play(live, events).told

const started = (item: AgentItem): AgentEvent => ({ _tag: "ItemStarted", item })
const completed = (item: AgentItem, closed = false): AgentEvent => ({ _tag: "ItemCompleted", item, closed })
const delta = (
  itemId: string,
  delta: string,
  field: Extract<AgentEvent, { readonly _tag: "ItemDelta" }>["field"] = "text",
  index = 0
): AgentEvent => ({ _tag: "ItemDelta", itemId, field, index, delta })

const message = (text: string, phase?: "commentary" | "final"): AgentItem => ({
  _tag: "AgentMessage",
  id: "m",
  text,
  ...(phase === undefined ? {} : { phase })
})

const command = (rest: Partial<Extract<AgentItem, { readonly _tag: "CommandExecution" }>> = {}): AgentItem => ({
  _tag: "CommandExecution",
  id: "c",
  command: "/bin/bash -lc 'npm test'",
  status: "completed",
  ...rest
})

const plan = (...statuses: ReadonlyArray<"pending" | "inProgress" | "completed">): AgentEvent => ({
  _tag: "PlanUpdated",
  steps: statuses.map((status, index) => ({ step: `Step ${index + 1}`, status }))
})

describe("Renderer", () => {
  it("shows an answer as it grows, and what the deltas left out once it is complete", () => {
    assert.deepStrictEqual(
      told(true, started(message("")), delta("m", "Hel"), delta("m", "lo"), completed(message("Hello, world"))),
      ["answer:Hel", "answer:lo", "answer:, world"]
    )
    assert.deepStrictEqual(told(true, completed(message("At once"))), ["answer:At once"])
    assert.deepStrictEqual(told(true, delta("m", "Hello"), completed(message("Hello"))), ["answer:Hello"])
    // What was shown and is not so stays, and what is so follows.
    assert.deepStrictEqual(told(true, delta("m", "Halo"), completed(message("Hello"))), [
      "answer:Halo",
      "answer:\nHello"
    ])
  })

  it("commentary is no answer", () => {
    const events = [
      started(message("", "commentary")),
      delta("m", "I look."),
      completed(message("I look.", "commentary"))
    ]
    const { state, told } = play(false, events)
    assert.deepStrictEqual(told, ["note:I look."])
    assert.isFalse(state.answered)
    assert.deepStrictEqual(play(false, [completed(message("I look.", "commentary"))]).told, ["note:I look."])
  })

  it("a plan that is proposed is the answer", () => {
    assert.deepStrictEqual(
      told(false, delta("p", "1. Do", "plan"), completed({ _tag: "Plan", id: "p", text: "1. Do it" })),
      ["answer:1. Do", "answer: it"]
    )
  })

  it("shows reasoning dimmed: the summary, each part apart, else the raw text", () => {
    const { chunks, told } = play(true, [
      delta("r", "First", "summary", 0),
      delta("r", "raw", "reasoning", 0),
      delta("r", "Second", "summary", 1),
      completed({ _tag: "Reasoning", id: "r", summary: ["First", "Second"], content: ["raw"] })
    ])
    assert.deepStrictEqual(told, ["note:First", "note:\nSecond"])
    assert.isTrue(chunks.every((chunk) => chunk._tag === "Text" && chunk.style === "dim"))
    assert.deepStrictEqual(
      play(true, [completed({ _tag: "Reasoning", id: "r", summary: [], content: ["raw", "more"] })]).told,
      ["note:raw\nmore"]
    )
  })

  it("shows a command with its status, its duration and the end of its output", () => {
    const output = Array.from({ length: 9 }, (_, index) => `line ${index + 1}`).join("\n")
    assert.deepStrictEqual(
      told(
        true,
        started(command({ status: "inProgress" })),
        completed(command({ output, durationMs: 1_234, exitCode: 0 }))
      ),
      ["✓ $ npm test  1.2s\n  │ … 5 more lines\n  │ line 6\n  │ line 7\n  │ line 8\n  │ line 9"]
    )
    // Without a duration of the agent's, the time between the events; without an output, the one that was streamed.
    assert.deepStrictEqual(
      told(
        true,
        started(command({ status: "inProgress" })),
        delta("c", "par", "output"),
        delta("c", "tly\n", "output"),
        completed(command({ status: "failed", exitCode: 3 }))
      ),
      ["✗ $ npm test (exit status 3)  3.0s\n  │ partly"]
    )
    assert.deepStrictEqual(told(true, completed(command({ status: "declined" }))), ["⊘ $ npm test"])
    assert.deepStrictEqual(told(true, completed(command({ status: "inProgress" }), true)), ["■ $ npm test"])
  })

  it("tells that a command began where there is no region to show it in", () => {
    assert.deepStrictEqual(told(false, started(command({ status: "inProgress" }))), ["▸ $ npm test"])
    assert.deepStrictEqual(told(true, started(command({ status: "inProgress" }))), [])
  })

  it("shows changed files by their place in the directory", () => {
    const change: AgentItem = {
      _tag: "FileChange",
      id: "f",
      status: "completed",
      changes: [
        { path: "/work/a.ts", kind: "update", movedTo: "/work/b.ts", diff: "@@ -1 +1 @@\n-old\n+new\n+more" },
        { path: "/elsewhere/n.txt", kind: "add", diff: "one\ntwo\n" },
        { path: "gone", kind: "delete", diff: "" }
      ]
    }
    assert.deepStrictEqual(told(true, completed(change)), [
      "✓ edit 3 files\n  M a.ts → b.ts +2 −1\n  A /elsewhere/n.txt +2\n  D gone"
    ])
  })

  it("a plan is a checklist: in the region, or what changed of it", () => {
    assert.deepStrictEqual(told(false, plan("inProgress", "pending"), plan("completed", "inProgress")), [
      "  ▸ Step 1\n  ☐ Step 2",
      "  ☑ Step 1\n  ▸ Step 2"
    ])
    const { state, told: live } = play(true, [plan("completed", "inProgress", "pending")])
    assert.deepStrictEqual(live, [])
    assert.deepStrictEqual(Renderer.region(state, at).slice(0, -1).map(textOf), [
      "  ☑ Step 1",
      "  ▸ Step 2",
      "  ☐ Step 3"
    ])
    const long = play(true, [plan(...Array.from({ length: 30 }, (_, index) => index < 20 ? "completed" : "pending"))])
    const rows = Renderer.region(long.state, at).map(textOf)
    assert.strictEqual(rows.length, 9)
    assert.include(rows, "  ☐ Step 21")
  })

  it("the region tells what runs, with its last output, and for how long", () => {
    const { state } = play(true, [
      { _tag: "TurnStarted", turnId: "t" },
      started(command({ status: "inProgress" })),
      delta("c", "building\n", "output")
    ])
    const rows = Renderer.region(state, at + 65_000).map(textOf)
    assert.deepStrictEqual(rows.slice(0, 2), ["▸ $ npm test  1m 04s", "  │ building"])
    assert.match(rows[2] ?? "", /^\S working · 1m 05s$/u)
    const status = (state: Renderer.RendererState) => textOf(Renderer.region(state, at).at(-1) ?? []).slice(2)
    assert.strictEqual(status(start(true)), "starting · 0ms")
    assert.strictEqual(status(play(true, [{ _tag: "TurnStarted", turnId: "t" }]).state), "thinking · 0ms")
    assert.strictEqual(status(Renderer.interrupt(state)[0]), "interrupting · 0ms")
  })

  it("tells retries, warnings and requests", () => {
    const error = new AgentError({ backend: "b", reason: new ModelFailed({ detail: "the stream\nbroke" }) })
    const { state, told } = play(false, [
      { _tag: "Retrying", error },
      { _tag: "Warning", code: "configWarning", message: "careful" },
      { _tag: "RequestOpened", requestId: "1", kind: "approval", title: "rm -r build" },
      { _tag: "RequestResolved", requestId: "1", resolution: "decline" }
    ])
    assert.deepStrictEqual(told, [
      "↻ retrying: The model failed: the stream broke",
      "! careful",
      "? approval: rm -r build",
      "  → decline"
    ])
    assert.deepStrictEqual([...state.told], ["retried: The model failed: the stream\nbroke", "configWarning: careful"])
  })

  it.prop(
    "whatever events come, nothing that a terminal obeys is shown, and a state that was given stays as it was",
    [Schema.Array(AgentEvent), Schema.Boolean],
    ([events, live]) => {
      let state = start(live)
      for (const event of events) {
        const before = structuredClone(state)
        const [next, chunks] = Renderer.render(state, event, at)
        assert.deepStrictEqual(structuredClone(state), before)
        for (const shown of [...chunks.map(flat), ...Renderer.region(next, at).map(textOf)]) {
          assert.isTrue(Array.from(shown).every((character) => character >= " " || character === "\n"))
        }
        state = next
      }
    }
  )

  it("an escape sequence in an agent's words reaches no terminal", () => {
    const evil = "\x1b]52;c;ZXZpbA==\x07\x1b[2J\x9b31m"
    const events = [
      delta("m", evil),
      completed(message(`${evil}x`)),
      completed(command({ command: evil, output: `${evil}\n${evil}` })),
      { _tag: "Warning", code: "w", message: evil },
      { _tag: "PlanUpdated", steps: [{ step: evil, status: "pending" }] },
      { _tag: "RequestOpened", requestId: "1", kind: "approval", title: evil }
    ] as const satisfies ReadonlyArray<AgentEvent>
    const { state, told } = play(false, events)
    const everything = [...told, ...Renderer.region(state, at).map(textOf)].join("")
    assert.notInclude(everything, "\x1b")
    assert.notInclude(everything, "\x9b")
    assert.notInclude(everything, "\x07")
  })
})
