import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { AgentDied } from "../../../src/agent/AgentError.ts"
import type { AgentEvent } from "../../../src/agent/AgentEvent.ts"
import { decode } from "../../../src/backends/pi-family/AgentFrame.ts"
import { TurnProjector, type TurnProjectorOptions } from "../../../src/backends/pi-family/TurnProjector.ts"
import { recordingsOf } from "../../support/PiRecording.ts"
import { wellFormed } from "../../support/wellFormed.ts"
import {
  agentEnd,
  agentStart,
  answer,
  callEnd,
  callStart,
  callUpdate,
  completed,
  deltasOf,
  eventsOf,
  frame,
  messageEnd,
  messageStart,
  outcomeOf,
  project,
  type Raw,
  textParts,
  turnId,
  turnOf,
  update,
  user
} from "./support/frames.ts"

const retryStart: Raw = { type: "auto_retry_start", attempt: 1, maxAttempts: 3, delayMs: 1, errorMessage: "500 oops" }
const overflowEnd = (more: Raw): Raw => ({ type: "compaction_end", reason: "overflow", aborted: false, ...more })

describe("the end of a turn", () => {
  it("is a terminal agent_end of omp, and no other", () => {
    project({}, (projector, apply) => {
      apply(agentStart, messageStart(answer({})), messageEnd(answer(textParts("wait"))), agentEnd({}, false))
      assert.isTrue(projector.running)
      apply(agentStart, agentEnd({}, true))
      assert.isTrue(projector.ended)
    })
  })

  it("is any agent_end of an omp that does not tell which", () => {
    project({}, (projector, apply) => {
      apply(agentStart, agentEnd({}))
      assert.isTrue(projector.ended)
    })
  })

  it("what comes after it is not the turn's", () => {
    project({}, (projector, apply) => {
      apply(agentStart, agentEnd({}, true))
      assert.strictEqual(projector.apply(frame(agentStart)), "over")
      assert.strictEqual(projector.apply(frame(user("go on"))), "over")
      assert.strictEqual(projector.apply(frame({ type: "model_changed" })), "aside")
    })
  })

  const outcomes: ReadonlyArray<readonly [string, Raw, boolean, unknown]> = [
    ["stop", { stopReason: "stop" }, false, { _tag: "Completed" }],
    ["stop in spite of an interruption", { stopReason: "stop" }, true, { _tag: "Completed" }],
    ["aborted", { stopReason: "aborted" }, false, { _tag: "Interrupted", requested: false, confirmed: true }],
    ["aborted by us", { stopReason: "aborted" }, true, { _tag: "Interrupted", requested: true, confirmed: true }],
    ["a tool that ends the run", { stopReason: "toolUse" }, false, { _tag: "Completed" }],
    ["a call that was dropped", { stopReason: "toolUse" }, true, {
      _tag: "Interrupted",
      requested: true,
      confirmed: true
    }]
  ]
  for (const [name, message, interrupted, outcome] of outcomes) {
    it(`after ${name}`, () => {
      const events = project({}, (projector, apply) => {
        apply(agentStart)
        if (interrupted) projector.interruptRequested()
        apply(agentEnd(message, true))
      })
      assert.deepStrictEqual(outcomeOf(events) as unknown, outcome)
    })
  }

  it("at the limit of the output is completed, and said to be cut off", () => {
    const events = turnOf(agentEnd({ stopReason: "length" }, true))
    assert.strictEqual(outcomeOf(events)._tag, "Completed")
    assert.deepStrictEqual(eventsOf(events, "Warning").map(({ code }) => code), ["outputLimit"])
  })

  it("without any answer is incomplete", () => {
    assert.strictEqual(outcomeOf(turnOf(agentEnd(undefined, true)))._tag, "Incomplete")
  })

  const failures: ReadonlyArray<readonly [string, number | undefined, string]> = [
    ["400 bad request", 400, "ModelFailed"],
    ["401 invalid x-api-key", 401, "Unauthorized"],
    ["Incorrect API key provided", undefined, "Unauthorized"],
    ["403 permission denied", undefined, "Unauthorized"],
    ["429 Too many tokens per minute", undefined, "RateLimited"],
    ["slow down", 429, "RateLimited"],
    ["You exceeded your current quota", 429, "UsageLimitExceeded"],
    ["prompt is too long: 210000 tokens > 200000 maximum", 400, "ContextOverflow"],
    ["This model's maximum context length is 8192 tokens", undefined, "ContextOverflow"],
    ["{\"type\":\"overloaded_error\"}", undefined, "Overloaded"],
    ["529", 529, "Overloaded"],
    ["HTTP 503 upstream", undefined, "ModelFailed"],
    ["", undefined, "ModelFailed"]
  ]
  for (const [errorMessage, errorStatus, reason] of failures) {
    it(`failed for "${errorMessage}" (${errorStatus ?? "no status"}): ${reason}`, () => {
      const events = turnOf(agentEnd({ stopReason: "error", errorMessage, errorStatus }, true))
      const outcome = outcomeOf(events)
      assert(outcome._tag === "Failed")
      assert.strictEqual(outcome.error.reason._tag, reason)
      assert.strictEqual(outcome.error.backend, "omp-rpc")
    })
  }

  it("of its process closes what was open", () => {
    const events = project({}, (projector, apply) => {
      apply(agentStart, messageStart(answer({})), update("text_delta", 0, { delta: "half" }))
      apply(
        callStart("bash", { command: "sleep" }),
        callUpdate("bash", {}, "a\n"),
        callStart("read", { path: "x.png" }, "r")
      )
      projector.requestOpened({ _tag: "RequestOpened", requestId: "q", kind: "approval", title: "?" })
      assert.isTrue(projector.busy)
      projector.fail(new AgentDied({ detail: "killed", stderrTail: "", mayHaveReached: true }))
    })
    const ended = eventsOf(events, "ItemCompleted")
    assert.isTrue(ended.every(({ closed }) => closed))
    assert.deepStrictEqual(ended.map(({ item }) => item._tag), ["AgentMessage", "CommandExecution", "DynamicToolCall"])
    assert(ended[1]?.item._tag === "CommandExecution")
    assert.strictEqual(ended[1].item.output, "a\n")
    assert.deepStrictEqual(eventsOf(events, "RequestResolved").map(({ resolution }) => resolution), ["withdrawn"])
    assert.strictEqual(outcomeOf(events)._tag, "Failed")
  })
})

describe("settling", () => {
  it("a turn that the agent never started was interrupted, or a command of its own", () => {
    assert.deepStrictEqual(
      project({}, (projector) => {
        projector.started()
        projector.interruptRequested()
        projector.settled()
      }).at(-1),
      { _tag: "TurnEnded", outcome: { _tag: "Interrupted", requested: true, confirmed: true } }
    )
    assert.deepStrictEqual(project({}, (projector) => projector.settled()), [
      { _tag: "TurnEnded", outcome: { _tag: "Completed" } }
    ])
  })

  const failed = { stopReason: "error", errorMessage: "500 oops" }
  const whenResting: ReadonlyArray<readonly [string, ReadonlyArray<Raw>, boolean]> = [
    ["while it works", [agentStart], false],
    ["after its run", [agentStart, agentEnd({})], true],
    ["when it tries again", [agentStart, agentEnd(failed), retryStart], false],
    ["while it tries again", [agentStart, agentEnd(failed), retryStart, agentStart], false],
    ["when that was called off", [
      agentStart,
      agentEnd(failed),
      retryStart,
      { type: "auto_retry_end", success: false, attempt: 1, finalError: "Retry cancelled" }
    ], true],
    ["when it tries no more", [
      agentStart,
      agentEnd(failed),
      { type: "auto_retry_end", success: false, attempt: 3, finalError: "500 oops" }
    ], true],
    ["while it compacts", [agentStart, agentEnd({}), { type: "compaction_start", reason: "threshold" }], false],
    ["when it has compacted", [
      agentStart,
      agentEnd({}),
      { type: "compaction_start", reason: "threshold" },
      overflowEnd({ willRetry: false, result: {} })
    ], true],
    ["when it has compacted to try again", [
      agentStart,
      agentEnd({}),
      { type: "compaction_start", reason: "overflow" },
      overflowEnd({ willRetry: true, result: {} })
    ], false],
    ["when it has compacted with messages waiting", [
      agentStart,
      { type: "queue_update", steering: [], followUp: ["more"] },
      agentEnd({}),
      { type: "compaction_start", reason: "threshold" },
      overflowEnd({ willRetry: false, result: {} })
    ], false],
    ["before it starts, after a compaction", [
      { type: "compaction_start", reason: "threshold" },
      overflowEnd({ willRetry: false, result: {} })
    ], false]
  ]
  for (const [when, frames, resting] of whenResting) {
    it(`pi ${resting ? "rests" : "does not rest"} ${when}`, () => {
      project({ agent: "pi" }, (projector, apply) => {
        apply(...frames)
        assert.strictEqual(projector.resting, resting)
        assert.isFalse(projector.ended)
      })
    })
  }

  it("pi's turn ends by the last of its runs", () => {
    const events = project({ agent: "pi" }, (projector, apply) => {
      apply(agentStart, agentEnd(failed), retryStart, agentStart, agentEnd({ stopReason: "stop" }))
      projector.settled()
    })
    assert.strictEqual(outcomeOf(events)._tag, "Completed")
    assert.lengthOf(eventsOf(events, "Retrying"), 1)
  })

  it("a retry that an interruption called off is an interrupted turn", () => {
    const events = project({ agent: "pi" }, (projector, apply) => {
      apply(agentStart, agentEnd(failed), retryStart)
      projector.interruptRequested()
      apply({ type: "auto_retry_end", success: false, attempt: 1, finalError: "Retry cancelled" })
      projector.settled()
    })
    assert.strictEqual(outcomeOf(events)._tag, "Interrupted")
  })
})

describe("messages", () => {
  it("the prompt is the host's; what people say later is an item", () => {
    const events = turnOf(
      user("prompt"),
      user("to itself", { synthetic: true }),
      user("by the agent", { attribution: "agent" }),
      user("later"),
      user("steered", { steering: true }),
      agentEnd({}, true)
    )
    const said = completed(events).flatMap((item) => item._tag === "UserMessage" ? [item.text] : [])
    assert.deepStrictEqual(said, ["later", "steered"])
  })

  it("in a run of the agent's own the first message is an item, too", () => {
    const events = project({ own: true }, (_, apply) => apply(agentStart, user("queued")))
    assert.deepStrictEqual(completed(events), [{ _tag: "UserMessage", id: "turn:0", text: "queued", images: 0 }])
  })

  it("an answer that is tried again is closed, and another item", () => {
    const events = turnOf(
      messageStart(answer({})),
      update("text_delta", 0, { delta: "half" }),
      retryStart,
      agentStart,
      messageStart(answer({})),
      update("text_delta", 0, { delta: "whole" }),
      messageEnd(answer(textParts("whole"))),
      agentEnd({}, true)
    )
    assert.deepStrictEqual(
      eventsOf(events, "ItemCompleted").map(({ closed, item }) => [item.id, "text" in item ? item.text : "", closed]),
      [["turn:0:0", "half", true], ["turn:1:0", "whole", false]]
    )
  })

  it("an answer that another one follows before its end is closed with what was said", () => {
    const events = turnOf(
      messageStart(answer({})),
      update("text_delta", 0, { delta: "half" }),
      messageStart(answer({})),
      update("text_delta", 0, { delta: "new" })
    )
    assert.deepStrictEqual(
      eventsOf(events, "ItemCompleted").map(({ item }) => "text" in item ? item.text : ""),
      ["half", "new"]
    )
    const order = events.map((event) =>
      event._tag === "ItemCompleted" || event._tag === "ItemStarted" ? event.item.id : ""
    )
    assert.isBelow(order.lastIndexOf("turn:0:0"), order.indexOf("turn:1:0"))
  })

  it("a piece that is begun again in one answer is another item", () => {
    const events = turnOf(
      messageStart(answer({})),
      update("text_start", 0),
      update("text_delta", 0, { delta: "half" }),
      update("text_start", 0),
      update("text_delta", 0, { delta: "whole" }),
      messageEnd(answer(textParts("whole"))),
      agentEnd({}, true)
    )
    assert.deepStrictEqual(completed(events).map(({ id }) => id), ["turn:0:0", "turn:0:0.1"])
  })

  it("what the whole answer leaves out of what was said stays said, once", () => {
    const events = turnOf(
      messageStart(answer({})),
      update("thinking_delta", 0, { delta: "hm" }),
      update("text_delta", 1, { delta: "hello" }),
      messageEnd(answer(textParts("hello"))),
      agentEnd({}, true)
    )
    assert.deepStrictEqual(completed(events), [
      { _tag: "Reasoning", id: "turn:0:0", summary: ["hm"], content: [] },
      { _tag: "AgentMessage", id: "turn:0:1", text: "hello" }
    ])
  })

  it("an answer without a word is no item", () => {
    const events = turnOf(
      messageStart(answer({})),
      update("text_start", 0),
      update("text_end", 0, { content: "" }),
      messageEnd(answer(textParts(""))),
      agentEnd({}, true)
    )
    assert.deepStrictEqual(completed(events), [])
  })
})

describe("calls", () => {
  it("an id that the model uses again is another item", () => {
    const events = project({}, (projector, apply) => {
      apply(agentStart, callStart("bash", { command: "a" }), callEnd("bash", "a\n"))
      assert.strictEqual(projector.itemId("c"), "c:1")
      apply(callStart("bash", { command: "b" }), callEnd("bash", "b\n"))
    })
    assert.deepStrictEqual(completed(events).map(({ id }) => id), ["c", "c:1"])
    assert.strictEqual(deltasOf(events, "c:1"), "b\n")
  })

  it("what comes of a call after its end is nobody's", () => {
    const events = turnOf(
      callStart("bash", { command: "a" }),
      callEnd("bash", "a\n"),
      callUpdate("bash", { command: "a" }, "a\nb\n"),
      callEnd("bash", "a\nb\n")
    )
    assert.deepStrictEqual(completed(events).map(({ id }) => id), ["c"])
    assert.strictEqual(deltasOf(events, "c"), "a\n")
  })

  it("an end without a beginning is a whole item", () => {
    const [item] = completed(turnOf(callEnd("grep", "found")))
    assert(item?._tag === "DynamicToolCall")
    assert.strictEqual(item.status, "completed")
  })

  it("an interruption marks what it breaks off, not what had ended by itself", () => {
    const events = project({}, (projector, apply) => {
      apply(agentStart, callStart("bash", { command: "a" }), callStart("bash", { command: "b" }, "d"))
      projector.interruptRequested()
      apply(
        callEnd("bash", { content: [], details: { exitCode: 2 } }, true),
        callEnd("bash", "[Command cancelled]\nstart\n", true, "d")
      )
    })
    assert.deepStrictEqual(
      completed(events).map((item) =>
        item._tag === "CommandExecution" ? [item.status, item.exitCode, item.output] : []
      ),
      [["failed", 2, ""], ["interrupted", undefined, "start\n"]]
    )
  })
})

// -- turns that no agent would play

const Act = Schema.Struct({
  act: Schema.Literals([
    "start",
    "end",
    "softEnd",
    "user",
    "assistant",
    "assistantEnd",
    "text",
    "thinking",
    "textEnd",
    "toolcall",
    "callStart",
    "callUpdate",
    "callEnd",
    "preview",
    "retry",
    "retryEnd",
    "compact",
    "compacted",
    "snapshot",
    "decide",
    "interrupt",
    "open",
    "resolve",
    "settle",
    "fail"
  ]),
  id: Schema.Literals(["c1", "c2", "c3"]),
  tool: Schema.Literals(["bash", "write", "edit", "todo", "read", "mcp__a_b", "web_search", "grep"]),
  index: Schema.Literals([0, 1, 2]),
  text: Schema.Literals(["", "a", "bc"]),
  flag: Schema.Boolean
})

const play = (projector: TurnProjector, { act, flag, id, index, text, tool }: typeof Act.Type): void => {
  const apply = (raw: Raw) => void projector.apply(frame(raw))
  const args = tool === "read"
    ? { path: "x.png" }
    : { path: "f", content: text, command: text, input: `[f#1]\n${text}` }
  switch (act) {
    case "start":
      return apply(agentStart)
    case "end":
      return apply(agentEnd({ stopReason: flag ? "stop" : "aborted" }, true))
    case "softEnd":
      return apply(agentEnd({}, false))
    case "user":
      return apply(user(text, { steering: flag }))
    case "assistant":
      return apply(messageStart(answer({})))
    case "assistantEnd":
      return apply(messageEnd(answer({ ...textParts(text), stopReason: flag ? "stop" : "error" })))
    case "text":
      return apply(update("text_delta", index, { delta: text }))
    case "thinking":
      return apply(update("thinking_delta", index, { delta: text }))
    case "textEnd":
      return apply(update(flag ? "text_end" : "text_start", index, { content: text }))
    case "toolcall":
      return apply(update(flag ? "toolcall_end" : "toolcall_delta", index, {
        delta: "",
        toolCall: { id, name: tool, arguments: args }
      }))
    case "callStart":
      return apply(callStart(tool, args, id))
    case "callUpdate":
      return apply(callUpdate(tool, args, text, id))
    case "callEnd":
      return apply(callEnd(tool, text, flag, id))
    case "preview":
      return apply({
        type: "tool_stream_update",
        toolCallId: id,
        toolName: "edit",
        update: { files: [{ path: "f", diff: `+1|${text}`, op: flag ? "create" : "update" }] }
      })
    case "retry":
      return apply(retryStart)
    case "retryEnd":
      return apply({ type: "auto_retry_end", success: flag, attempt: 1 })
    case "compact":
      return apply({ type: "compaction_start", reason: "threshold" })
    case "compacted":
      return apply(overflowEnd({ willRetry: flag }))
    case "snapshot":
      return projector.fact({ _tag: "Snapshot", toolCallId: id, path: "f", before: flag ? text : null })
    case "decide":
      return projector.fact({ _tag: "Decision", toolCallId: id, decision: flag ? "accept" : "decline" })
    case "interrupt":
      return projector.interruptRequested()
    case "open":
      return projector.requestOpened({
        _tag: "RequestOpened",
        requestId: `${id}${index}${text}`,
        kind: "approval",
        title: ""
      })
    case "resolve":
      return projector.requestResolved(`${id}${index}${text}`, "accept")
    case "settle":
      return projector.settled()
    case "fail":
      return projector.fail(new AgentDied({ detail: "gone", stderrTail: "", mayHaveReached: true }))
  }
}

const projected = (agent: "omp" | "pi", options: Partial<TurnProjectorOptions> = {}) => {
  const events: Array<AgentEvent> = []
  const projector = new TurnProjector({
    agent,
    backend: agent,
    turnId,
    cwd: "/workspace",
    emit: (event) => events.push(event),
    ...options
  })
  return { events, projector }
}

/** Requests may be opened twice under one id by the alphabet above, which no host does. */
const broken = (events: ReadonlyArray<AgentEvent>) =>
  wellFormed(events, { turnId }).filter((problem) => !problem.includes("was opened before"))

describe("whatever comes", () => {
  it.prop(
    "the promises hold",
    [Schema.Array(Act), Schema.Literals(["omp", "pi"])],
    ([acts, agent]) => {
      const { events, projector } = projected(agent)
      for (const act of acts) play(projector, act)
      projector.end({ _tag: "Incomplete", detail: "the test ended" })
      assert.deepStrictEqual(broken(events), [])
      assert.isFalse(projector.busy)
    },
    { arbitrary: { runs: 1500, size: 60 } }
  )

  const frames = [...recordingsOf("omp"), ...recordingsOf("pi")].flatMap(({ agent, lines }) =>
    lines.flatMap(({ dir, msg }) => {
      const decoded = decode(msg)
      return dir === "out" && Result.isSuccess(decoded) ? [{ agent, frame: decoded.success }] : []
    })
  )

  it.prop(
    "recorded frames that are cut, repeated and shuffled keep them, too",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })))],
    ([picks]) => {
      const { events, projector } = projected("omp")
      for (const pick of picks) {
        // A few frames in a row, so that some of them belong together.
        const from = pick % frames.length
        for (const { frame } of frames.slice(from, from + pick % 13)) projector.apply(frame)
      }
      projector.end({ _tag: "Incomplete", detail: "the test ended" })
      assert.deepStrictEqual(broken(events), [])
    },
    { arbitrary: { runs: 200, size: 40 } }
  )

  it("every beginning of every recording keeps them", () => {
    for (const { agent, lines, name } of [...recordingsOf("omp"), ...recordingsOf("pi")]) {
      const all = lines.flatMap(({ dir, msg }) => dir === "out" ? [frame(msg)] : [])
      for (let length = 0; length < all.length; length += 7) {
        const { events, projector } = projected(agent)
        for (const each of all.slice(0, length)) projector.apply(each)
        projector.fail(new AgentDied({ detail: "gone", stderrTail: "", mayHaveReached: true }))
        assert.deepStrictEqual(broken(events), [], name)
      }
    }
  })
})
