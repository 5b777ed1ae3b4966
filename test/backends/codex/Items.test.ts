import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { AgentItem } from "../../../src/agent/AgentItem.ts"
import { closeItem, fromThreadItem } from "../../../src/backends/codex/internal/Items.ts"
import type { ThreadItem } from "../../../src/protocol/generated/OpenTypes.ts"
import * as Methods from "../../../src/protocol/Methods.ts"
import { recordings } from "../../protocol/support/recordings.ts"
import { command, userMessage } from "./support/messages.ts"

const isAgentItem = Schema.is(AgentItem)

interface Recorded {
  readonly item: ThreadItem
  readonly completed: boolean
}

const recorded: ReadonlyArray<Recorded> = recordings().flatMap(({ lines }) =>
  lines.flatMap(({ dir, message }): ReadonlyArray<Recorded> => {
    if (dir !== "s2c" || message._tag !== "Notification") return []
    const decoded = Methods.decodeNotification(message.method, message.params)
    if (decoded._tag === "Failure") return []
    const { method, params } = decoded.success
    switch (method) {
      case "item/started":
        return [{ item: params.item, completed: false }]
      case "item/completed":
        return [{ item: params.item, completed: true }]
      case "turn/completed":
        return params.turn.items.map((item) => ({ item, completed: true }))
      default:
        return []
    }
  })
)

/** Kinds that are recorded and have no counterpart. */
const unknown = new Set(["enteredReviewMode", "exitedReviewMode", "hookPrompt", "functionCallOutput", "sleep"])

describe("Items", () => {
  it("of every recording are items of the waist, under the id they had", () => {
    assert.isAtLeast(recorded.length, 880)
    for (const { completed, item } of recorded) {
      const projected = fromThreadItem(item, completed)
      assert.isTrue(isAgentItem(projected), JSON.stringify(projected))
      assert.strictEqual(projected.id, item.id)
      if (projected._tag === "UnknownItem") assert.isTrue(unknown.has(projected.type), projected.type)
      if (completed && "status" in projected) assert.notStrictEqual(projected.status, "inProgress")
    }
  })

  it("of all kinds are recorded", () => {
    const kinds = new Set(recorded.map(({ completed, item }) => fromThreadItem(item, completed)._tag))
    for (const tag of ["CommandExecution", "FileChange", "McpToolCall", "DynamicToolCall", "WebSearch"] as const) {
      assert.isTrue(kinds.has(tag), tag)
    }
    for (const tag of ["Plan", "Reasoning", "ImageView", "SubAgent", "ContextCompaction"] as const) {
      assert.isTrue(kinds.has(tag), tag)
    }
  })

  it("join the text of an input, count its images and echo the client's id", () => {
    const item: ThreadItem = {
      type: "userMessage",
      id: "u",
      clientId: "mine",
      content: [
        { type: "text", text: "one", text_elements: [] },
        { type: "image", url: "data:image/png;base64,AA==" },
        { type: "localImage", path: "/tmp/a.png" },
        { type: "text", text: "two", text_elements: [] }
      ]
    }
    assert.deepStrictEqual(fromThreadItem(item, true), {
      _tag: "UserMessage",
      id: "u",
      text: "one\ntwo",
      images: 2,
      clientId: "mine"
    })
    assert.notProperty(fromThreadItem(userMessage("u"), true), "clientId")
  })

  it("of a later kind are kept as they came", () => {
    const raw: unknown = { type: "hologram", id: "h", beam: [1, { deep: true }] }
    assert.deepStrictEqual(fromThreadItem(raw as ThreadItem, true), {
      _tag: "UnknownItem",
      id: "h",
      type: "hologram",
      raw: { type: "hologram", id: "h", beam: [1, { deep: true }] }
    })
  })

  it("are closed as what they were, if nobody has completed them", () => {
    const running = fromThreadItem(command("c", "inProgress", "half"), false)
    assert.deepInclude(closeItem(running, "interrupted"), { status: "interrupted", output: "half" })
    const done = fromThreadItem(command("c", "completed", "all"), true)
    assert.strictEqual(closeItem(done, "failed"), done)
    assert.deepInclude(closeItem(fromThreadItem(command("c", "vaporized"), true), "failed"), { status: "failed" })
  })
})
