import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type { AgentEvent } from "../../../src/agent/AgentEvent.ts"
import { TurnProjector } from "../../../src/backends/codex/internal/TurnProjector.ts"
import type { Notification } from "../../../src/backends/codex/internal/Wire.ts"
import type { ThreadItem } from "../../../src/protocol/generated/OpenTypes.ts"
import { wellFormed } from "../../support/wellFormed.ts"
import {
  command,
  delta,
  failed,
  fileChange,
  itemCompleted,
  itemStarted,
  message,
  notification,
  some,
  threadId,
  turnCompleted,
  turnId,
  turnStarted,
  userMessage
} from "./support/messages.ts"

const project = (act: (projector: TurnProjector) => void) => {
  const events: Array<AgentEvent> = []
  const projector = new TurnProjector(turnId, (event) => events.push(event))
  act(projector)
  return { events, projector }
}

/** The events of a turn that gets these messages and ends at the latest then. */
const turnOf = (...messages: ReadonlyArray<Notification>): ReadonlyArray<AgentEvent> => {
  const { events } = project((projector) => {
    for (const each of messages) projector.apply(each)
    projector.end({ _tag: "Incomplete", detail: "the test ended" })
  })
  assert.deepStrictEqual(wellFormed(events, { turnId }), [])
  return events
}

const completed = (events: ReadonlyArray<AgentEvent>) =>
  events.flatMap((event) => event._tag === "ItemCompleted" ? [event] : [])

const texts = (events: ReadonlyArray<AgentEvent>) =>
  completed(events).flatMap(({ closed, item }) => item._tag === "AgentMessage" ? [{ text: item.text, closed }] : [])

const edited = (delta: string) => notification("item/fileChange/outputDelta", { threadId, turnId, itemId: "f", delta })
const output = (text: string) =>
  notification("item/commandExecution/outputDelta", { threadId, turnId, itemId: "c", delta: text })

const part = (summaryIndex: number, text: string) =>
  notification("item/reasoning/summaryTextDelta", { threadId, turnId, itemId: "r", summaryIndex, delta: text })

/** Id, whether it was closed for codex, and status of each completed item. */
const status = (events: ReadonlyArray<AgentEvent>) =>
  completed(events).map(({ closed, item }) => [item.id, closed, "status" in item ? item.status : undefined])

const outcome = (events: ReadonlyArray<AgentEvent>) => {
  const last = events.at(-1)
  assert(last?._tag === "TurnEnded")
  return last.outcome
}

// -- an alphabet for turns that no server would play

const items: Readonly<Record<string, (status: string, text: string) => ThreadItem>> = {
  m1: (_, text) => message("m1", text),
  m2: (_, text) => message("m2", text),
  u1: (_, text) => userMessage("u1", text),
  u2: (_, text) => userMessage("u2", text),
  r1: () => ({ type: "reasoning", id: "r1", summary: [], content: [] }),
  p1: (_, text) => ({ type: "plan", id: "p1", text }),
  c1: (status, text) => command("c1", status, text),
  f1: (status) => fileChange("f1", status === "completed" ? "completed" : "inProgress"),
  k1: () => ({ type: "contextCompaction", id: "k1" }),
  // One id for two kinds of item.
  x1: (status, text) => status === "completed" ? message("x1", text) : command("x1", status, text)
}

const ids = ["m1", "m2", "u1", "u2", "r1", "p1", "c1", "f1", "k1", "x1"] as const

const Act = Schema.Struct({
  act: Schema.Literals([
    "turnStarted",
    "start",
    "complete",
    "delta",
    "patch",
    "retry",
    "error",
    "open",
    "resolve",
    "askInterrupt",
    "turnCompleted",
    "fail"
  ]),
  id: Schema.Literals(ids),
  status: Schema.Literals(["inProgress", "completed", "failed", "declined", "vaporized", "interrupted"]),
  text: Schema.Literals(["", "a", "bc"]),
  index: Schema.Literals([0, 1, 4_000_000_000])
})

const Ends = Schema.Literals(["completed", "interrupted", "failed", "inProgress"])

const deltaOf = (id: (typeof ids)[number], text: string, index: number): Notification => {
  const params = { threadId, turnId, itemId: id, delta: text }
  switch (id) {
    case "r1":
      return index === 1
        ? notification("item/reasoning/textDelta", { ...params, contentIndex: index })
        : notification("item/reasoning/summaryTextDelta", { ...params, summaryIndex: index })
    case "p1":
      return notification("item/plan/delta", params)
    case "c1":
      return notification("item/commandExecution/outputDelta", params)
    default:
      return notification("item/agentMessage/delta", params)
  }
}

const play = (
  projector: TurnProjector,
  { act, id, index, status, text }: typeof Act.Type,
  end: typeof Ends.Type,
  requests: { opened: number }
): void => {
  const item = some(items[id])(status, text)
  switch (act) {
    case "turnStarted":
      return projector.apply(turnStarted())
    case "start":
      return projector.apply(itemStarted(item))
    case "complete":
      return projector.apply(itemCompleted(item))
    case "delta":
      return projector.apply(deltaOf(id, text, index))
    case "patch":
      return projector.apply(
        notification("item/fileChange/patchUpdated", { threadId, turnId, itemId: "f1", changes: [] })
      )
    case "retry":
      return projector.apply(failed(true))
    case "error":
      return projector.apply(failed(false))
    case "open":
      return projector.requestOpened({
        _tag: "RequestOpened",
        requestId: String(requests.opened++),
        kind: "approval",
        title: "?"
      })
    case "resolve":
      return projector.requestResolved(String(index % 3), "accept")
    case "askInterrupt":
      return projector.interruptRequested()
    case "turnCompleted":
      return projector.apply(turnCompleted(end, { items: [item] }))
    case "fail":
      return projector.end({ _tag: "Incomplete", detail: "gone" })
  }
}

describe("TurnProjector", () => {
  it.prop(
    "makes well formed events of whatever is said of a turn",
    [Schema.Array(Act), Ends],
    ([acts, end]) => {
      const { events } = project((projector) => {
        const requests = { opened: 0 }
        for (const act of acts) play(projector, act, end, requests)
        projector.end({ _tag: "Incomplete", detail: "the test ended" })
        projector.apply(delta("m1", "too late"))
        projector.apply(itemStarted(message("late")))
        projector.pass({ _tag: "Warning", code: "late", message: "late" })
        projector.requestOpened({ _tag: "RequestOpened", requestId: "late", kind: "tool", title: "" })
        projector.end({ _tag: "Completed" })
      })
      assert.deepStrictEqual(wellFormed(events, { turnId }), [])
    },
    { arbitrary: { runs: 2000 } }
  )

  it.prop(
    "gives each message the text that codex completed it with, or else what its deltas made",
    [Schema.Array(Schema.Literals(["a", "bc", "\u2028", ""])), Schema.NullOr(Schema.Literals(["", "whole"]))],
    ([parts, whole]) => {
      const events = turnOf(
        ...parts.map((part) => delta("m1", part)),
        ...(whole === null ? [] : [itemCompleted(message("m1", whole))]),
        delta("m1", "late"),
        turnCompleted()
      )
      const joined = parts.join("")
      const expected = whole !== null
        ? [{ text: whole, closed: false }]
        : [{ text: parts.length === 0 ? "late" : `${joined}late`, closed: true }]
      assert.deepStrictEqual(texts(events), expected)
    }
  )

  it("tells the output of an edit, also of one that was not announced", () => {
    const announced = turnOf(itemStarted(fileChange("f", "inProgress")), edited("Success"))
    const unseen = turnOf(edited("Suc"), edited("cess"))
    for (const events of [announced, unseen]) {
      const said = events.flatMap((event) => event._tag === "ItemDelta" ? [event] : [])
      assert.strictEqual(said.map(({ delta }) => delta).join(""), "Success")
      assert(said.every(({ field, itemId }) => field === "output" && itemId === "f"))
      assert.strictEqual(completed(events)[0]?.item._tag, "FileChange")
    }
  })

  it("drops deltas of a command that come after its end, which has the whole output", () => {
    const events = turnOf(
      itemStarted(command("c", "inProgress")),
      output("a"),
      itemCompleted(command("c", "completed", "ab")),
      output("b"),
      turnCompleted()
    )
    assert.deepStrictEqual(events.flatMap((event) => event._tag === "ItemDelta" ? [event.delta] : []), ["a"])
    const [done] = completed(events)
    assert(done?.item._tag === "CommandExecution")
    assert.strictEqual(done.item.output, "ab")
  })

  it("says once that the turn has started, before its items, even when codex says it late or never", () => {
    for (
      const messages of [[delta("m", "x")], [itemStarted(message("m")), turnStarted()], [turnStarted(), turnStarted()]]
    ) {
      const events = turnOf(...messages)
      assert.deepStrictEqual(events.flatMap((event, at) => event._tag === "TurnStarted" ? [at] : []), [0])
    }
  })

  it("takes new input for the end of what was being said, but not input that it has seen", () => {
    const said = turnOf(
      itemStarted(userMessage("u1")),
      itemCompleted(userMessage("u1")),
      itemStarted(message("m1")),
      delta("m1", "ha"),
      itemStarted(userMessage("u1")),
      itemCompleted(userMessage("u1")),
      delta("m1", "lf"),
      itemStarted(userMessage("u2")),
      itemCompleted(userMessage("u2")),
      itemStarted(message("m2")),
      itemCompleted(message("m2", "after")),
      turnCompleted()
    )
    assert.deepStrictEqual(texts(said), [{ text: "half", closed: true }, { text: "after", closed: false }])
  })

  it("takes a retry for progress: the half message is closed, the turn goes on and is not doubled", () => {
    const events = turnOf(
      turnStarted(),
      delta("m1", "Hel"),
      failed(true),
      failed(true, "Reconnecting... 2/5"),
      delta("m2", "Hello"),
      itemCompleted(message("m2", "Hello")),
      turnCompleted("completed", { items: [message("m2", "Hello")] })
    )
    assert.deepStrictEqual(texts(events), [{ text: "Hel", closed: true }, { text: "Hello", closed: false }])
    assert.strictEqual(events.filter(({ _tag }) => _tag === "Retrying").length, 2)
    assert.strictEqual(outcome(events)._tag, "Completed")
  })

  it("does not end with a final error, but with the turn that reports it", () => {
    const events = turnOf(
      failed(false, "no more"),
      turnCompleted("failed", { error: { message: "no more", codexErrorInfo: "usageLimitExceeded" } })
    )
    const end = outcome(events)
    assert(end._tag === "Failed")
    assert.strictEqual(end.error.reason._tag, "UsageLimitExceeded")
    assert.notInclude(events.map(({ _tag }) => _tag), "Retrying")
  })

  it("never takes a failed turn for an empty success", () => {
    assert.strictEqual(outcome(turnOf(turnCompleted("failed")))._tag, "Failed")
    assert.strictEqual(outcome(turnOf(turnCompleted("inProgress")))._tag, "Incomplete")
    const later: unknown = "vaporized"
    assert.strictEqual(outcome(turnOf(turnCompleted(later as "completed")))._tag, "Incomplete")
  })

  it("says whether an interruption was asked for", () => {
    for (const requested of [true, false]) {
      const { events } = project((projector) => {
        if (requested) projector.interruptRequested()
        projector.apply(turnCompleted("interrupted"))
      })
      assert.deepStrictEqual(outcome(events), { _tag: "Interrupted", requested, confirmed: true })
    }
  })

  it("has the answer of a turn whose items were lost, from the summary of its end", () => {
    const events = turnOf(turnCompleted("completed", { items: [message("m1", "the answer")] }))
    assert.deepStrictEqual(texts(events), [{ text: "the answer", closed: false }])
  })

  it("does not say twice what the summary repeats", () => {
    const events = turnOf(
      itemCompleted(message("m1", "once")),
      turnCompleted("completed", { items: [message("m1", "once")] })
    )
    assert.strictEqual(texts(events).length, 1)
  })

  it("closes what is open when the turn ends, under the name of that end", () => {
    const open = [itemStarted(command("c", "inProgress")), itemStarted(fileChange("f", "inProgress"))]
    assert.deepStrictEqual(status(turnOf(...open, turnCompleted("interrupted"))), [
      ["c", true, "interrupted"],
      ["f", true, "interrupted"]
    ])
    assert.deepStrictEqual(status(turnOf(...open, turnCompleted("failed"))), [["c", true, "failed"], [
      "f",
      true,
      "failed"
    ]])
    const background = turnCompleted("interrupted", { items: [command("c", "inProgress")] })
    assert.deepStrictEqual(status(turnOf(background)), [["c", false, "interrupted"]])
  })

  it("is not slowed by a part of a text with a huge number", () => {
    const events = turnOf(part(4_000_000_000, "end"), part(0, "be"), part(0, "gin"))
    const [reasoning] = completed(events)
    assert(reasoning?.item._tag === "Reasoning")
    assert.deepStrictEqual(reasoning.item.summary, ["begin", "end"])
  })

  it("keeps what it does not know, and leaves out what repeats", () => {
    const events = turnOf(
      notification("item/reasoning/summaryPartAdded", { threadId, turnId, itemId: "r", summaryIndex: 0 }),
      notification("turn/plan/updated", {
        threadId,
        turnId,
        explanation: null,
        plan: [{ step: "one", status: "inProgress" }]
      }),
      notification("turn/diff/updated", { threadId, turnId, diff: "+a" }),
      notification("model/rerouted", {
        threadId,
        turnId,
        fromModel: "a",
        toModel: "b",
        reason: "highRiskCyberActivity"
      })
    )
    assert.deepStrictEqual(events.map(({ _tag }) => _tag), ["PlanUpdated", "DiffUpdated", "Warning", "TurnEnded"])
  })
})
