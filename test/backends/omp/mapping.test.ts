/**
 * Every kind of thing that a real omp does in a turn, as it comes out, with the user's own extension in force.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Fs from "node:fs"
import { AgentBackend, type AgentEvent, type AgentItem } from "../../../src/agent/index.ts"
import { ConformanceDriver } from "../../support/ConformanceDriver.ts"
import * as FakeChat from "../../support/FakeChat.ts"
import * as McpServer from "../../support/McpServer.ts"
import { rpc } from "../../support/ompDriver.ts"

// One pixel.
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** The user has a rule. */
const rule = `export default (pi) => {
  pi.on("tool_call", async (event) =>
    event.toolName === "bash" && event.input.command.includes("forbidden")
      ? { block: true, reason: "The user's own rule." }
      : undefined)
}`

const layer = rpc({
  files: {
    "mcp.json": JSON.stringify({ mcpServers: { lab: { command: process.execPath, args: [McpServer.program] } } }),
    "extensions/rule.js": rule
  }
})

const call = (name: string, args: Record<string, string | object>, id: string): FakeChat.Step => ({
  tools: [{ name, args: { ...args, i: "trying" }, id }]
})

const items = (events: ReadonlyArray<AgentEvent>): ReadonlyArray<AgentItem> =>
  events.flatMap((event) => event._tag === "ItemCompleted" ? [event.item] : [])

describe("what a real omp does", () => {
  it.live("comes out as what it is", () =>
    Effect.gen(function*() {
      const chat = yield* FakeChat.FakeChat
      const { session: settings } = yield* ConformanceDriver
      const cwd = settings.cwd ?? ""
      Fs.writeFileSync(`${cwd}/a.txt`, "one\ntwo\nthree\n")
      Fs.writeFileSync(`${cwd}/dot.png`, Buffer.from(png, "base64"))
      const session = yield* Effect.flatMap(AgentBackend, (backend) =>
        backend.openSession({ ...settings, approvalPolicy: "never", sandbox: "danger-full-access" }))
      const patch =
        "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+TWO\n three\n*** Add File: b.txt\n+new\n*** End Patch\n"
      yield* chat.push(
        { reasoning: ["Let me ", "think."], ...call("bash", { command: "echo out; exit 3" }, "c1"), text: ["I try."] },
        call("bash", { command: "echo forbidden" }, "c2"),
        call("edit", { input: patch }, "c3"),
        call("write", { path: "c.txt", content: "written\n" }, "c4"),
        call("todo", { op: "init", list: [{ phase: "Work", items: ["First", "Second"] }] }, "c5"),
        call("web_search", { query: "plum jam" }, "c6"),
        call("read", { path: "dot.png" }, "c7"),
        call("mcp__lab_echo", { text: "hello" }, "c8"),
        call("grep", { pattern: "TWO", path: "." }, "c9"),
        { text: ["Done."], usage: { input: 700, cachedInput: 200, output: 30, reasoningOutput: 10 } }
      )
      const turn = yield* session.startTurn({ input: [{ _tag: "Text", text: "Do it all" }] })
      const events = yield* Stream.runCollect(turn.events)
      assert.deepStrictEqual(yield* turn.outcome, { _tag: "Completed" })
      const found = items(events)
      const outline = found.map((item) => {
        switch (item._tag) {
          case "Reasoning":
            return ["Reasoning", item.summary.join("")]
          case "AgentMessage":
            return ["AgentMessage", item.text]
          case "CommandExecution":
            return ["CommandExecution", item.command, item.status, item.exitCode, item.output]
          case "FileChange":
            return [
              "FileChange",
              item.status,
              ...item.changes.map(({ diff, kind, path }) => [kind, path.replace(cwd, "."), diff])
            ]
          case "WebSearch":
            return ["WebSearch", item.query]
          case "ImageView":
            return ["ImageView", item.path.replace(cwd, ".")]
          case "McpToolCall":
            return ["McpToolCall", item.server, item.tool, item.status, item.arguments]
          case "DynamicToolCall":
            return ["DynamicToolCall", item.namespace, item.tool, item.status]
          default:
            return [item._tag]
        }
      })
      assert.deepStrictEqual(outline, [
        ["Reasoning", "Let me think."],
        ["AgentMessage", "I try."],
        ["CommandExecution", "bash -c 'echo out; exit 3'", "failed", 3, "out\n"],
        ["CommandExecution", "echo forbidden", "failed", undefined, "The user's own rule."],
        [
          "FileChange",
          "completed",
          ["update", "./a.txt", "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"],
          ["add", "./b.txt", "new\n"]
        ],
        ["FileChange", "completed", ["add", "./c.txt", "written\n"]],
        ["WebSearch", "plum jam"],
        ["ImageView", "./dot.png"],
        ["McpToolCall", "lab", "echo", "completed", { text: "hello" }],
        ["DynamicToolCall", "oh-my-pi", "grep", "completed"],
        ["AgentMessage", "Done."]
      ])
      const plan = events.findLast((event) =>
        event._tag === "PlanUpdated"
      )
      assert.deepStrictEqual(plan?.steps.map(({ step }) => step), ["First", "Second"])
      const diff = events.findLast((event) => event._tag === "DiffUpdated")?.diff ?? ""
      for (const name of ["a.txt", "b.txt", "c.txt"]) assert.include(diff, `diff --git a/${name} b/${name}`)
      const usage = events.findLast((event) => event._tag === "UsageUpdated")?.usage
      assert.deepInclude(usage, { input: 9 * 1000 + 700, cachedInput: 9 * 100 + 200, fresh: true })
    }).pipe(Effect.scoped, Effect.provide(layer)), 60_000)
})
