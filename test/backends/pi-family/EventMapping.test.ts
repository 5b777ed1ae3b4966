/**
 * What each kind of event becomes, a row at a time.
 */
import { assert, describe, it } from "@effect/vitest"
import type { AgentEvent } from "../../../src/agent/AgentEvent.ts"
import type { FileEdit } from "../../../src/agent/AgentItem.ts"
import {
  agentEnd,
  agentStart,
  answer,
  callEnd,
  callStart,
  callUpdate,
  completed,
  messageEnd,
  messageStart,
  project,
  type Raw,
  textParts,
  turnOf,
  update
} from "./support/frames.ts"

const done: Raw = agentEnd({}, true)

/** Everything but the frame of the turn. */
const within = (events: ReadonlyArray<AgentEvent>): ReadonlyArray<AgentEvent> => events.slice(1, -1)

describe("a text delta", () => {
  it("is an agent message with deltas", () => {
    const events = turnOf(
      messageStart(answer({})),
      update("text_start", 0),
      update("text_delta", 0, { delta: "Hel" }),
      update("text_delta", 0, { delta: "lo" }),
      update("text_end", 0, { content: "Hello" }),
      messageEnd(answer(textParts("Hello"))),
      done
    )
    const id = "turn:0:0"
    assert.deepStrictEqual(within(events), [
      { _tag: "ItemStarted", item: { _tag: "AgentMessage", id, text: "" } },
      { _tag: "ItemDelta", itemId: id, field: "text", index: 0, delta: "Hel" },
      { _tag: "ItemDelta", itemId: id, field: "text", index: 0, delta: "lo" },
      { _tag: "ItemCompleted", item: { _tag: "AgentMessage", id, text: "Hello" }, closed: false }
    ])
  })

  it("an answer that never streamed is a message, too", () => {
    const events = turnOf(messageStart(answer({})), messageEnd(answer(textParts("whole"))), done)
    assert.deepStrictEqual(within(events), [
      { _tag: "ItemStarted", item: { _tag: "AgentMessage", id: "turn:0:0", text: "whole" } },
      { _tag: "ItemCompleted", item: { _tag: "AgentMessage", id: "turn:0:0", text: "whole" }, closed: false }
    ])
  })
})

describe("thinking", () => {
  it("is reasoning with deltas", () => {
    const events = turnOf(
      messageStart(answer({})),
      update("thinking_start", 0),
      update("thinking_delta", 0, { delta: "hm" }),
      update("thinking_end", 0, { content: "hm" }),
      done
    )
    const item = { _tag: "Reasoning", id: "turn:0:0", content: [] } as const
    assert.deepStrictEqual(within(events), [
      { _tag: "ItemStarted", item: { ...item, summary: [] } },
      { _tag: "ItemDelta", itemId: "turn:0:0", field: "summary", index: 0, delta: "hm" },
      { _tag: "ItemCompleted", item: { ...item, summary: ["hm"] }, closed: false }
    ])
  })
})

describe("bash", () => {
  const args = { command: "count", cwd: "sub" }
  const item = { _tag: "CommandExecution", id: "c", command: "count", cwd: "/workspace/sub", source: "agent" } as const

  it("is a command whose output grows by what is new of it", () => {
    const result = "1\n2\n\n\nWall time: 1.54 seconds\n\nCommand exited with code 3"
    const details = { timeoutSeconds: 300, wallTimeMs: 1542.4, exitCode: 3 }
    const whole = { content: [{ type: "text", text: result }], details }
    const events = turnOf(
      callStart("bash", args),
      callUpdate("bash", args, "1\n"),
      callUpdate("bash", args, "1\n2\n"),
      { ...callUpdate("bash", args, ""), partialResult: whole },
      callEnd("bash", whole, true),
      done
    )
    assert.deepStrictEqual(within(events), [
      { _tag: "ItemStarted", item: { ...item, status: "inProgress" } },
      { _tag: "ItemDelta", itemId: "c", field: "output", index: 0, delta: "1\n" },
      { _tag: "ItemDelta", itemId: "c", field: "output", index: 0, delta: "2\n" },
      {
        _tag: "ItemCompleted",
        item: { ...item, status: "failed", output: "1\n2\n", exitCode: 3, durationMs: 1542.4 },
        closed: false
      }
    ])
  })

  it("of pi tells its exit status in its text alone", () => {
    const events = project({ agent: "pi" }, (_, apply) =>
      apply(
        agentStart,
        callStart("bash", args),
        callEnd("bash", "l1\n\n\nCommand exited with code 3", true),
        callStart("bash", args, "d"),
        callEnd("bash", "ok\n", false, "d")
      ))
    const items = within(events).flatMap((event) => event._tag === "ItemCompleted" ? [event.item] : [])
    assert.deepStrictEqual(items, [
      { ...item, status: "failed", output: "l1\n", exitCode: 3 },
      { ...item, id: "d", status: "completed", output: "ok\n", exitCode: 0 }
    ])
  })

  it("is bash in every spelling that omp takes, and by way of xd://", () => {
    for (
      const start of [callStart("Bash", args), callStart("write", { path: "xd://bash", content: JSON.stringify(args) })]
    ) {
      const [event] = within(turnOf(start))
      assert.deepStrictEqual(event, { _tag: "ItemStarted", item: { ...item, status: "inProgress" } })
    }
  })

  it("code that is evaluated is a command, too, without an exit status", () => {
    const events = turnOf(
      callStart("eval", { language: "py", code: "1+1" }),
      callEnd("eval", { content: [{ type: "text", text: "2" }] }),
      done
    )
    assert.deepInclude(within(events), {
      _tag: "ItemCompleted",
      item: {
        _tag: "CommandExecution",
        id: "c",
        command: "py: 1+1",
        cwd: "/workspace",
        source: "agent",
        status: "completed",
        output: "2"
      },
      closed: false
    })
  })

  it("one that is declined has no output", () => {
    const events = project({}, (projector, apply) => {
      apply(agentStart, callStart("bash", args))
      projector.fact({ _tag: "Decision", toolCallId: "c", decision: "decline" })
      apply(callEnd("bash", "declined by the host", true), done)
    })
    assert.deepStrictEqual(within(events).at(-1), {
      _tag: "ItemCompleted",
      item: { ...item, status: "declined", output: "" },
      closed: false
    })
  })
})

describe("an edit", () => {
  const diff = "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"
  const update: FileEdit = { path: "/workspace/a.txt", kind: "update", diff }
  const details = {
    path: "/workspace/a.txt",
    op: "update",
    diff: " 1|one\n-2|two\n+2|TWO\n 3|three",
    oldText: "one\ntwo\nthree\n",
    newText: "one\nTWO\nthree\n"
  }
  const edits: ReadonlyArray<readonly [string, Raw, "omp" | "pi"]> = [
    ["hashline", { input: "[a.txt#2543]\nPUT 2.=2:\n+TWO\n" }, "omp"],
    ["replace", { path: "a.txt", old_string: "two", new_string: "TWO" }, "omp"],
    ["patch", { path: "a.txt", edits: [{ op: "update", diff: "@@\n one\n-two\n+TWO\n three" }] }, "omp"],
    ["apply_patch", { input: "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+TWO\n*** End Patch\n" }, "omp"],
    ["pi", { path: "a.txt", edits: [{ oldText: "two", newText: "TWO" }] }, "pi"]
  ]

  for (const [mode, args, agent] of edits) {
    it(`(${mode}) is a file change, shown beforehand, and the turn's diff`, () => {
      const events = project({ agent }, (projector, apply) => {
        projector.fact({ _tag: "Snapshot", toolCallId: "c", path: "a.txt", before: "one\ntwo\nthree\n" })
        apply(agentStart, callStart("edit", args))
        apply(callEnd("edit", { content: [], details: agent === "pi" ? { diff: details.diff } : details }))
      })
      const started = within(events)[0]
      const shown = mode === "hashline" ? { ...update, diff: "" } : update
      assert.deepStrictEqual(started, {
        _tag: "ItemStarted",
        item: { _tag: "FileChange", id: "c", status: "inProgress", changes: [shown] }
      })
      assert.deepStrictEqual(within(events).slice(1), [
        {
          _tag: "ItemCompleted",
          item: { _tag: "FileChange", id: "c", status: "completed", changes: [update] },
          closed: false
        },
        {
          _tag: "DiffUpdated",
          diff: "diff --git a/a.txt b/a.txt\n" +
            "index 4cb29ea38f70d7c61b2a3a25b02e3bdf44905402..ddc897f039f57aa91e16efa6dfde386c4255206f\n" +
            `--- a/a.txt\n+++ b/a.txt\n${diff}`
        }
      ])
    })
  }

  it("is updated while its arguments stream", () => {
    const events = turnOf(
      {
        type: "tool_stream_update",
        toolCallId: "c",
        toolName: "edit",
        update: { generation: 1, streaming: true, files: [{ path: "a.txt", diff: details.diff, op: "update" }] }
      },
      callStart("edit", { input: "[a.txt#2543]\nPUT 2.=2:\n+TWO\n" }),
      callEnd("edit", { content: [], details }),
      {
        type: "tool_stream_update",
        toolCallId: "c",
        toolName: "edit",
        update: { generation: 2, streaming: false, files: [{ path: "a.txt", diff: details.diff, op: "update" }] }
      },
      done
    )
    assert.deepStrictEqual(within(events).map(({ _tag }) => _tag), [
      "ItemStarted",
      "ItemUpdated",
      "ItemCompleted",
      "DiffUpdated"
    ])
    const item = { _tag: "FileChange", id: "c", status: "inProgress", changes: [update] } as const
    // What is still being written is a draft.
    assert.deepStrictEqual(within(events).slice(0, 2), [
      { _tag: "ItemStarted", item: { ...item, draft: true } },
      { _tag: "ItemUpdated", item }
    ])
  })

  it("whose contents are too large to be told is read from its numbered lines", () => {
    const { newText: _, oldText: __, ...rest } = details
    const events = turnOf(
      callStart("edit", { input: "[a.txt#2543]\nPUT 2.=2:\n+TWO\n" }),
      callEnd("edit", { content: [], details: { ...rest, snapshotsPruned: true } }),
      done
    )
    assert.deepStrictEqual(within(events).at(-1), {
      _tag: "DiffUpdated",
      diff: `diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n${diff}`
    })
  })

  it("that moves a file says where to", () => {
    const events = turnOf(
      callStart("edit", { path: "a.txt", edits: [{ op: "update", rename: "b.txt" }] }),
      callEnd("edit", {
        content: [],
        details: { ...details, path: "/workspace/b.txt", sourcePath: "/workspace/a.txt", newText: details.oldText }
      }),
      done
    )
    assert.deepStrictEqual(within(events).slice(1), [
      {
        _tag: "ItemCompleted",
        item: {
          _tag: "FileChange",
          id: "c",
          status: "completed",
          changes: [{ path: "/workspace/a.txt", kind: "update", diff: "", movedTo: "/workspace/b.txt" }]
        },
        closed: false
      },
      { _tag: "DiffUpdated", diff: "diff --git a/a.txt b/b.txt\nrename from a.txt\nrename to b.txt\n" }
    ])
  })
})

describe("a write", () => {
  const args = { path: "new.txt", content: "alpha\n" }

  it("is a file change, by what was there before", () => {
    const rows: ReadonlyArray<readonly [string | null, FileEdit]> = [
      [null, { path: "/workspace/new.txt", kind: "add", diff: "alpha\n" }],
      ["beta\n", { path: "/workspace/new.txt", kind: "update", diff: "@@ -1 +1 @@\n-beta\n+alpha\n" }]
    ]
    for (const [before, change] of rows) {
      const events = project({}, (projector, apply) => {
        apply(agentStart, callStart("write", args))
        projector.fact({ _tag: "Snapshot", toolCallId: "c", path: "/workspace/new.txt", before })
        apply(callEnd("write", { content: [], details: { resolvedPath: "/workspace/new.txt" } }))
      })
      const items = within(events).flatMap((event) => "item" in event ? [event] : [])
      assert.deepStrictEqual(items.map(({ _tag }) => _tag), ["ItemStarted", "ItemUpdated", "ItemCompleted"])
      for (const { item } of items.slice(1)) assert(item._tag === "FileChange")
      const [, , last] = items
      assert(last?.item._tag === "FileChange")
      assert.deepStrictEqual(last.item.changes, [change])
    }
  })

  it("is shown while the model writes it, in proportion", () => {
    const events = project({}, (projector, apply) => {
      projector.fact({ _tag: "Snapshot", toolCallId: "c", path: "new.txt", before: null })
      apply(agentStart, messageStart(answer({})))
      const line = "a line of text\n"
      for (let count = 1; count <= 1000; count++) {
        const toolCall = { id: "c", name: "write", arguments: { path: "new.txt", content: line.repeat(count) } }
        apply(update("toolcall_delta", 0, { delta: line, toolCall }))
      }
    })
    const shown = within(events).flatMap((event) => "item" in event ? [event.item] : [])
    assert.isAbove(shown.length, 10)
    assert.isBelow(shown.length, 40)
  })

  it("that was cut off before it ran is closed", () => {
    const toolCall = { id: "c", name: "write", arguments: args }
    const events = turnOf(
      messageStart(answer({})),
      update("toolcall_end", 0, { toolCall }),
      messageEnd(answer({ stopReason: "aborted" })),
      agentEnd({ stopReason: "aborted" }, true)
    )
    const [, last] = within(events)
    assert(last?._tag === "ItemCompleted" && last.item._tag === "FileChange")
    assert.strictEqual(last.item.status, "interrupted")
    assert.isTrue(last.closed)
  })

  it("to xd:// is the call of the tool that it names", () => {
    const call = { path: "xd://mcp__lab_echo", content: "{\"text\":\"hi\"}" }
    const inner = { serverName: "lab", mcpToolName: "echo", rawContent: [{ type: "text", text: "ECHO hi" }] }
    const events = turnOf(
      callStart("write", call),
      callEnd("write", { content: [], details: { xdev: { tool: "mcp__lab_echo", mode: "execute", inner } } }),
      done
    )
    assert.deepStrictEqual(within(events)[1], {
      _tag: "ItemCompleted",
      item: {
        _tag: "McpToolCall",
        id: "c",
        server: "lab",
        tool: "echo",
        status: "completed",
        arguments: { text: "hi" },
        result: { content: [{ type: "text", text: "ECHO hi" }] }
      },
      closed: false
    })
  })
})

describe("a snapshot of todos", () => {
  it("is the plan", () => {
    const phases = [{
      name: "Build",
      tasks: [
        { content: "parse", status: "completed" },
        { content: "print", status: "in_progress" },
        { content: "test", status: "pending" },
        { content: "wait", status: "blocked" },
        { content: "dream", status: "abandoned" }
      ]
    }]
    const events = turnOf(
      callStart("todo", { op: "init" }),
      callEnd("todo", { content: [], details: { phases } }),
      done
    )
    assert.deepStrictEqual(within(events), [{
      _tag: "PlanUpdated",
      steps: [
        { step: "parse", status: "completed" },
        { step: "print", status: "inProgress" },
        { step: "test", status: "pending" },
        { step: "wait", status: "pending" }
      ]
    }])
  })

  it("names its phases where there are several", () => {
    const phases = ["One", "Two"].map((name) => ({ name, tasks: [{ content: "do", status: "pending" }] }))
    const events = turnOf(callStart("todo", {}), callEnd("todo", { content: [], details: { phases } }), done)
    assert.deepInclude(within(events), {
      _tag: "PlanUpdated",
      steps: [{ step: "One: do", status: "pending" }, { step: "Two: do", status: "pending" }]
    })
  })

  it("one that fails is a call that fails", () => {
    const events = turnOf(callStart("todo", { op: "x" }), callEnd("todo", "no such op", true), done)
    const [, last] = within(events)
    assert(last?._tag === "ItemCompleted" && last.item._tag === "DynamicToolCall")
    assert.strictEqual(last.item.status, "failed")
  })
})

describe("other tools", () => {
  it("a web search is one", () => {
    const events = turnOf(callStart("web_search", { query: "effect" }), callEnd("web_search", "found"), done)
    assert.deepStrictEqual(within(events), [
      { _tag: "ItemStarted", item: { _tag: "WebSearch", id: "c", query: "effect" } },
      { _tag: "ItemCompleted", item: { _tag: "WebSearch", id: "c", query: "effect" }, closed: false }
    ])
  })

  it("reading an image is looking at it", () => {
    const result = { content: [{ type: "image", data: "aW1hZ2U=", mimeType: "image/webp" }] }
    const events = turnOf(callStart("read", { path: "pix.png" }), callEnd("read", result), done)
    assert.deepStrictEqual(within(events).at(-1), {
      _tag: "ItemCompleted",
      item: { _tag: "ImageView", id: "c", path: "/workspace/pix.png" },
      closed: false
    })
  })

  it("so is reading one from an address", () => {
    const result = { content: [{ type: "image", data: "aW1hZ2U=", mimeType: "image/webp" }] }
    const events = turnOf(callStart("read", { path: "https://a.example/p.png" }), callEnd("read", result), done)
    assert.deepInclude(completed(events), { _tag: "ImageView", id: "c", path: "https://a.example/p.png" })
  })

  it("a write to an address that is no file is no file change", () => {
    const events = turnOf(callStart("write", { path: "memory://notes", content: "x" }), callEnd("write", "ok"), done)
    assert.deepStrictEqual(completed(events).map(({ _tag }) => _tag), ["DynamicToolCall"])
  })

  it("an image that is not there is a call that fails", () => {
    const events = turnOf(callStart("read", { path: "pix.png" }), callEnd("read", "no such file", true), done)
    const last = within(events).at(-1)
    assert(last?._tag === "ItemCompleted" && last.item._tag === "DynamicToolCall")
    assert.strictEqual(last.item.status, "failed")
  })

  it("a namespaced MCP tool is taken apart by the servers' names, and corrected at its end", () => {
    const rows: ReadonlyArray<readonly [string, ReadonlyArray<string>, string, string]> = [
      ["mcp__my_lab_echo_it", ["my", "my_lab"], "my_lab", "echo_it"],
      ["mcp__lab__echo_it", [], "lab", "echo_it"],
      ["mcp__lab_echo_it", [], "lab", "echo_it"],
      ["mcp__my_lab_echo", ["My-Lab"], "My-Lab", "echo"]
    ]
    for (const [name, mcpServers, server, tool] of rows) {
      const events = project({ mcpServers }, (_, apply) =>
        apply(
          agentStart,
          callStart(name, {}),
          callEnd(name, { content: [], details: { serverName: "true server", mcpToolName: "true tool" } })
        ))
      const [started, ended] = within(events)
      assert(started?._tag === "ItemStarted" && started.item._tag === "McpToolCall")
      assert.deepStrictEqual([started.item.server, started.item.tool], [server, tool], name)
      assert(ended?._tag === "ItemCompleted" && ended.item._tag === "McpToolCall")
      assert.deepStrictEqual([ended.item.server, ended.item.tool], ["true server", "true tool"])
    }
  })

  it("every other tool is a dynamic call, attributed to the agent; the host's own are not", () => {
    const rows: ReadonlyArray<readonly ["omp" | "pi", string, string | undefined]> = [
      ["omp", "grep", "oh-my-pi"],
      ["omp", "task", "oh-my-pi"],
      ["pi", "ls", "pi"],
      ["pi", "todo", "pi"],
      ["omp", "lookup", undefined]
    ]
    for (const [agent, tool, namespace] of rows) {
      const events = project(
        { agent, hostTools: new Set(["lookup"]) },
        (_, apply) => apply(agentStart, callStart(tool, { a: 1 }), callEnd(tool, "result"))
      )
      assert.deepStrictEqual(within(events).at(-1), {
        _tag: "ItemCompleted",
        item: {
          _tag: "DynamicToolCall",
          id: "c",
          tool,
          status: "completed",
          arguments: { a: 1 },
          content: [{ _tag: "Text", text: "result" }],
          ...(namespace === undefined ? {} : { namespace })
        },
        closed: false
      })
    }
  })
})

describe("what the agent does about itself", () => {
  it("a compaction is one, whatever comes of it", () => {
    const rows: ReadonlyArray<readonly [Raw, string, boolean]> = [
      [{ result: { tokensBefore: 1 }, aborted: false, willRetry: false }, "completed", false],
      [{ aborted: true, willRetry: false }, "interrupted", false],
      [{ aborted: false, willRetry: false, skipped: true }, "interrupted", false],
      [{ aborted: false, willRetry: false, errorMessage: "too small" }, "failed", true]
    ]
    for (const kind of ["auto_compaction", "compaction"]) {
      for (const [end, status, warns] of rows) {
        const events = within(turnOf(
          { type: `${kind}_start`, reason: "threshold" },
          { type: `${kind}_end`, ...end }
        ))
        const id = "turn:compaction:0"
        assert.deepStrictEqual(events.slice(0, 2), [
          { _tag: "ItemStarted", item: { _tag: "ContextCompaction", id, status: "inProgress" } },
          { _tag: "ItemCompleted", item: { _tag: "ContextCompaction", id, status }, closed: false } as AgentEvent
        ])
        assert.strictEqual(events.some(({ _tag }) => _tag === "Warning"), warns)
      }
    }
  })

  it("a retry is a notice", () => {
    const [event] = within(
      turnOf({ type: "auto_retry_start", attempt: 1, maxAttempts: 3, delayMs: 5, errorMessage: "429 slow down" })
    )
    assert(event?._tag === "Retrying")
    assert.deepStrictEqual(event.notice, { text: "Reconnecting... 1/3", cause: "429 slow down" })
    assert.strictEqual(event.error.reason._tag, "RateLimited")
  })

  it("a goal is the goal", () => {
    const goal = { id: "g", objective: "ship", tokenBudget: 100, tokensUsed: 7, timeUsedSeconds: 2.5 }
    const rows: ReadonlyArray<readonly [unknown, unknown]> = [
      [
        { ...goal, status: "budget-limited" },
        { objective: "ship", status: "budgetLimited", tokenBudget: 100, tokensUsed: 7, timeUsed: 2.5 }
      ],
      [
        { ...goal, status: "active", tokenBudget: undefined },
        { objective: "ship", status: "active", tokensUsed: 7, timeUsed: 2.5 }
      ],
      [{ ...goal, status: "dropped" }, null],
      [null, null]
    ]
    for (const [raw, expected] of rows) {
      const [event] = within(turnOf({ type: "goal_updated", goal: raw }))
      assert(event?._tag === "GoalUpdated")
      assert.deepStrictEqual(event.goal as unknown, expected)
    }
  })

  it("what it warns of is a warning, and a kind nobody knows is kept", () => {
    const events = within(turnOf(
      { type: "notice", level: "warning", message: "careful" },
      { type: "notice", level: "info", message: "by the way" },
      { type: "extension_error", extensionPath: "/x.ts", event: "tool_call", error: "boom" },
      { type: "retry_fallback_applied", from: "a", to: "b", role: "main" },
      { type: "brand_new", more: 1 }
    ))
    assert.deepStrictEqual(events, [
      { _tag: "Warning", code: "notice", message: "careful" },
      { _tag: "Warning", code: "extensionError", message: "The extension /x.ts failed: boom" },
      { _tag: "Warning", code: "modelRerouted", message: "The model was changed from a to b" },
      { _tag: "Unrecognized", method: "brand_new", raw: { type: "brand_new", more: 1 } }
    ])
  })

  it("tokens are summed over the requests of a turn", () => {
    const usage = { input: 90, output: 5, cacheRead: 10, cacheWrite: 0, reasoningTokens: 2, totalTokens: 105 }
    const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 }
    const events = project({ contextWindow: 1000 }, (_, apply) =>
      apply(
        agentStart,
        messageEnd(answer({ usage })),
        messageEnd(answer({ usage })),
        messageEnd(answer({ usage: nothing, stopReason: "aborted" }))
      ))
    const readings = within(events).flatMap((event) => event._tag === "UsageUpdated" ? [event.usage] : [])
    assert.lengthOf(readings, 2)
    assert.deepStrictEqual(readings.at(-1), {
      input: 200,
      cachedInput: 20,
      output: 10,
      reasoningOutput: 4,
      total: 210,
      fresh: true,
      context: { used: 105, window: 1000 }
    })
  })
})
