import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { AgentItem, type ItemStatus } from "../../../src/agent/AgentItem.ts"
import { ItemProjection } from "../../../src/bridge/projection/index.ts"
import * as Definitions from "../../../src/protocol/Definitions.ts"
import { recordings } from "../../protocol/support/recordings.ts"

const context = { threadId: "thread", cwd: "/work", backend: "testing" }
const frame = { id: "shown", startedAtMs: 1, completedAtMs: 2 }
const show = (item: AgentItem, completedAtMs: number | null = 2) =>
  ItemProjection.toThreadItem(item, context, { ...frame, completedAtMs })

const strict = Schema.decodeUnknownSync(Definitions.strict("ThreadItem"), { onExcessProperty: "error" })

/** The members that the real server wrote, by the type of an item. */
const written = () => {
  const members = new Map<string, string>()
  for (const { lines } of recordings()) {
    for (const { dir, message } of lines) {
      if (dir !== "s2c" || message._tag !== "Notification" || message.method !== "item/completed") continue
      const { params } = message
      if (!Predicate.hasProperty(params, "item") || !Predicate.hasProperty(params.item, "type")) continue
      members.set(String(params.item.type), Object.keys(params.item).toSorted().join())
    }
  }
  return members
}

const actions = (command: string) => {
  const shown = show({ _tag: "CommandExecution", id: "1", command, status: "completed" })
  return shown.type === "commandExecution" ? shown.commandActions : undefined
}

const result = (result: Schema.Json) => {
  const shown = show({
    _tag: "McpToolCall",
    id: "1",
    server: "",
    tool: "",
    status: "completed",
    arguments: {},
    result
  })
  return shown.type === "mcpToolCall" ? shown.result : undefined
}

const texts = (text: string, images: number) => {
  const shown = show({ _tag: "UserMessage", id: "1", text, images })
  return shown.type === "userMessage" ? shown.content.map((part) => part.type === "text" && part.text) : undefined
}

const review = (raw: Schema.Json): AgentItem => ({ _tag: "UnknownItem", id: "1", type: "exitedReviewMode", raw })

describe("ItemProjection", () => {
  const members = written()

  it.effect.prop(
    "makes items that are valid on the wire",
    [Arbitrary.schema(AgentItem)],
    ([item]) =>
      Effect.sync(() => {
        for (const one of [item, ItemProjection.begun(item), ItemProjection.ended(item, "interrupted")]) {
          for (const completedAtMs of [null, 2]) {
            const shown = show(one, completedAtMs)
            assert.deepStrictEqual(strict(shown), shown)
            assert.deepInclude(shown, { id: "shown", startedAtMs: 1, completedAtMs })
          }
        }
      })
  )

  it("writes all the members that the real server writes", () => {
    const items: ReadonlyArray<AgentItem> = [
      { _tag: "UserMessage", id: "1", text: "", images: 0 },
      { _tag: "AgentMessage", id: "1", text: "" },
      { _tag: "Reasoning", id: "1", summary: [], content: [] },
      { _tag: "Plan", id: "1", text: "" },
      { _tag: "CommandExecution", id: "1", command: "", status: "completed" },
      { _tag: "FileChange", id: "1", status: "completed", changes: [] },
      { _tag: "McpToolCall", id: "1", server: "", tool: "", status: "completed", arguments: null },
      { _tag: "DynamicToolCall", id: "1", tool: "", status: "completed", arguments: null },
      { _tag: "WebSearch", id: "1", query: "" },
      { _tag: "ImageView", id: "1", path: "" },
      { _tag: "SubAgent", id: "1", operation: "wait", status: "completed", sessionIds: [] },
      { _tag: "ContextCompaction", id: "1", status: "completed" }
    ]
    for (const item of items) {
      const shown = show(item)
      assert.strictEqual(Object.keys(shown).toSorted().join(), members.get(shown.type), shown.type)
    }
  })

  it("finds the wire's status for each of the agent's", () => {
    const statuses: ReadonlyArray<ItemStatus> = ["inProgress", "completed", "failed", "declined", "interrupted"]
    const of = (make: (status: ItemStatus) => AgentItem) =>
      statuses.map((status) => {
        const shown = show(make(status))
        return "status" in shown ? shown.status : undefined
      })
    const id = "1"
    const work = ["inProgress", "completed", "failed", "declined", "failed"]
    const call = ["inProgress", "completed", "failed", "failed", "failed"]
    assert.deepStrictEqual(of((status) => ({ _tag: "CommandExecution", id, command: "ls", status })), work)
    assert.deepStrictEqual(of((status) => ({ _tag: "FileChange", id, changes: [], status })), work)
    assert.deepStrictEqual(
      of((status) => ({ _tag: "McpToolCall", id, server: "", tool: "", arguments: {}, status })),
      call
    )
    assert.deepStrictEqual(of((status) => ({ _tag: "DynamicToolCall", id, tool: "", arguments: {}, status })), call)
    assert.deepStrictEqual(
      of((status) => ({ _tag: "SubAgent", id, operation: "wait", sessionIds: [], status })),
      ["inProgress", "completed", "failed", "failed", "interrupted"]
    )
  })

  it("says why a call failed where its status does not", () => {
    const mcp: AgentItem = { _tag: "McpToolCall", id: "1", server: "", tool: "", status: "declined", arguments: {} }
    assert.deepInclude(show(mcp), { error: { message: "The call was declined" }, result: null })
    assert.deepInclude(show({ ...mcp, error: "no" }), { error: { message: "no" } })
    assert.deepInclude(show({ ...mcp, status: "failed" }), { error: null })
    const dynamic: AgentItem = { _tag: "DynamicToolCall", id: "1", tool: "", status: "interrupted", arguments: {} }
    assert.deepInclude(show(dynamic), {
      success: false,
      contentItems: [{ type: "inputText", text: "The call was interrupted" }]
    })
  })

  it("names the command that a shell was given", () => {
    const quoted = "/bin/bash -lc 'echo '\\''a b'\\'''"
    assert.deepStrictEqual(actions(quoted), [{ type: "unknown", command: "echo 'a b'" }])
    for (const command of ["make", "bash -c 'a' 'b'", "bash -lc 'a", "bash script.sh"]) {
      assert.deepStrictEqual(actions(command), [{ type: "unknown", command }])
    }
  })

  it("keeps a person's own command apart from the agent's, and claims no terminal", () => {
    const sources = ["userShell", "agent", "unifiedExecStartup", "made up"].map((source) => {
      const shown = show({ _tag: "CommandExecution", id: "1", command: "ls", status: "completed", source })
      return shown.type === "commandExecution" ? [shown.source, shown.processId] : undefined
    })
    assert.deepStrictEqual(sources, [["userShell", null], ["agent", null], ["agent", null], ["agent", null]])
  })

  it("fits numbers to the wire", () => {
    const ended = { _tag: "CommandExecution", id: "1", command: "ls", status: "failed" } as const
    assert.deepInclude(show({ ...ended, exitCode: 0xc000_013a, durationMs: -0.6 }), {
      exitCode: -1073741510,
      durationMs: 0
    })
    assert.deepInclude(show({ ...ended, exitCode: -1, durationMs: 1e300 }), {
      exitCode: -1,
      durationMs: Number.MAX_SAFE_INTEGER
    })
  })

  it("gives a tool without a namespace to the agent", () => {
    const call: AgentItem = { _tag: "DynamicToolCall", id: "1", tool: "t", status: "completed", arguments: {} }
    assert.deepInclude(show(call), { namespace: "testing", success: true })
    assert.deepInclude(show({ ...call, namespace: "theirs" }), { namespace: "theirs" })
  })

  it("makes an MCP result of anything", () => {
    const proper = { content: [{ type: "text", text: "a" }], structuredContent: { ok: true }, _meta: null }
    assert.deepStrictEqual(result(proper), proper)
    assert.deepStrictEqual(result({ content: [] }), { content: [], structuredContent: null, _meta: null })
    assert.deepStrictEqual(result("a"), {
      content: [{ type: "text", text: "a" }],
      structuredContent: null,
      _meta: null
    })
    assert.deepStrictEqual(result({ a: 1 }), {
      content: [{ type: "text", text: "{\"a\":1}" }],
      structuredContent: { a: 1 },
      _meta: null
    })
  })

  it("shows sub-agents as threads only where they can be threads", () => {
    const thread = "01a229c1-5e63-7e40-9111-bb9e8a3e4a45"
    const agent: AgentItem = {
      _tag: "SubAgent",
      id: "1",
      operation: "spawnAgent",
      status: "completed",
      sessionIds: [thread, "session-2"],
      prompt: "do it"
    }
    assert.deepInclude(show(agent), {
      type: "collabAgentToolCall",
      senderThreadId: "thread",
      receiverThreadIds: [thread],
      agentsStates: { [thread]: { status: "running", message: null } }
    })
    assert.deepInclude(show({ ...agent, operation: "task" }), {
      type: "dynamicToolCall",
      namespace: "testing",
      tool: "task",
      arguments: { prompt: "do it", sessionIds: [thread, "session-2"] }
    })
  })

  it("counts the images that an agent tells of", () => {
    assert.deepStrictEqual(texts("a", 0), ["a"])
    assert.deepStrictEqual(texts("a", 2), ["a", "[2 images]"])
    assert.deepStrictEqual(texts("", 1), ["[image]"])
  })

  it("lets items through that only the protocol knows, if they are proper ones", () => {
    assert.deepStrictEqual(show(review({ type: "exitedReviewMode", id: "theirs", review: "fine" })), {
      type: "exitedReviewMode",
      id: "shown",
      review: "fine",
      startedAtMs: 1,
      completedAtMs: 2
    })
    for (const raw of [{ id: "theirs" }, { review: "fine", more: true }, "fine"]) {
      assert.deepInclude(show(review(raw)), { type: "dynamicToolCall", tool: "exitedReviewMode", arguments: raw })
    }
    // What the waist has a kind of its own for does not come in by the back door.
    assert.deepInclude(show({ _tag: "UnknownItem", id: "1", type: "plan", raw: { text: "" } }), {
      type: "dynamicToolCall"
    })
  })
})
