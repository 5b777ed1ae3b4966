import { assert, describe, it } from "@effect/vitest"
import type { AgentEvent, AgentItem } from "../../src/agent/index.ts"
import { wellFormed } from "../support/wellFormed.ts"

const turn: AgentEvent = { _tag: "TurnStarted", turnId: "turn" }
const message: AgentItem = { _tag: "AgentMessage", id: "message", text: "" }
const command = (status: "inProgress" | "completed"): AgentItem => ({
  _tag: "CommandExecution",
  id: "command",
  command: "ls",
  status
})
const started = (item: AgentItem): AgentEvent => ({ _tag: "ItemStarted", item })
const completed = (item: AgentItem): AgentEvent => ({ _tag: "ItemCompleted", item, closed: false })
const updated = (item: AgentItem): AgentEvent => ({ _tag: "ItemUpdated", item })
const delta: AgentEvent = { _tag: "ItemDelta", itemId: "message", field: "text", index: 0, delta: "x" }
const opened: AgentEvent = { _tag: "RequestOpened", requestId: "request", kind: "approval", title: "ls" }
const resolved: AgentEvent = { _tag: "RequestResolved", requestId: "request", resolution: "accept" }
const end: AgentEvent = { _tag: "TurnEnded", outcome: { _tag: "Completed" } }

describe("wellFormed", () => {
  it("finds nothing in a proper turn", () => {
    const events = [
      turn,
      started(message),
      delta,
      started(command("inProgress")),
      opened,
      resolved,
      updated(command("inProgress")),
      completed(command("completed")),
      completed(message),
      end
    ]
    assert.deepStrictEqual(wellFormed(events, { turnId: "turn" }), [])
    assert.deepStrictEqual(wellFormed([end]), [])
  })

  const broken: Readonly<Record<string, readonly [ReadonlyArray<AgentEvent>, string]>> = {
    "no end": [[turn], "no end"],
    "two ends": [[turn, end, end], "after the end"],
    "something after the end": [[turn, end, started(message)], "after the end"],
    "two starts": [[turn, turn, end], "started before"],
    "a start after an item": [[started(message), completed(message), turn, end], "after items"],
    "a foreign turn": [[{ _tag: "TurnStarted", turnId: "other" }, end], "foreign"],
    "an item that is never completed": [[turn, started(message), end], "never completed"],
    "an item that is started twice": [[started(message), started(message), completed(message), end], "started before"],
    "an item that is started again": [[started(message), completed(message), started(message), end], "started before"],
    "an item that is completed twice": [[started(message), completed(message), completed(message), end], "not open"],
    "an item that was never started": [[completed(message), end], "not open"],
    "a delta before its item": [[delta, started(message), completed(message), end], "not open"],
    "a delta after its item": [[started(message), completed(message), delta, end], "not open"],
    "an update without an item": [[updated(message), end], "not open"],
    "an item that changes its kind": [
      [started(message), completed({ ...command("completed"), id: "message" }), end],
      "was a"
    ],
    "an item completed in progress": [
      [started(command("inProgress")), completed(command("inProgress")), end],
      "in progress"
    ],
    "a request without an answer": [[opened, end], "never resolved"],
    "an answer without a request": [[resolved, end], "not open"],
    "a request answered twice": [[opened, resolved, resolved, end], "not open"],
    "a request opened twice": [[opened, resolved, opened, resolved, end], "opened before"]
  }
  for (const [name, [events, word]] of Object.entries(broken)) {
    it(`finds ${name}`, () => assert.include(wellFormed(events, { turnId: "turn" }).join("\n"), word))
  }
})
