import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { type AgentFrame, decode } from "../../../src/backends/pi-family/AgentFrame.ts"
import { AnyJson } from "../../protocol/support/json.ts"
import { recordingsOf } from "../../support/PiRecording.ts"
import { agentEnd, answer, frame, messageEnd, type Raw, textParts, update } from "./support/frames.ts"

const problem = (raw: unknown): string => {
  const decoded = decode(raw)
  assert(Result.isFailure(decoded), JSON.stringify(raw))
  return decoded.failure.message
}

describe("a message update", () => {
  const partial = {
    role: "assistant",
    content: [{ type: "toolCall", id: "c", name: "write", arguments: { path: "a" } }]
  }

  it("is the same with and without the unfinished message", () => {
    const cut = update("text_delta", 1, { delta: "hi" })
    const whole = { ...update("text_delta", 1, { delta: "hi", partial }), message: partial }
    assert.deepStrictEqual(frame(whole), frame(cut))
    assert.deepStrictEqual<AgentFrame>(frame(cut), {
      type: "message_update",
      of: "text",
      phase: "delta",
      index: 1,
      delta: "hi",
      content: undefined,
      call: undefined
    })
  })

  it("has the call that the model writes at its end, and before that where the unfinished message is lent", () => {
    const call = { id: "c", name: "write", arguments: { path: "a" } }
    const rows: ReadonlyArray<readonly [Raw, unknown]> = [
      [update("toolcall_start", 0), undefined],
      [update("toolcall_delta", 0, { delta: "{" }), undefined],
      [update("toolcall_delta", 0, { delta: "{", partial }), call],
      [update("toolcall_end", 0, { toolCall: { type: "toolCall", ...call } }), call]
    ]
    for (const [raw, expected] of rows) {
      const decoded = frame(raw)
      assert(decoded.type === "message_update")
      assert.deepStrictEqual(decoded.call as unknown, expected)
    }
  })

  it("of a wrong shape is malformed", () => {
    const rows: ReadonlyArray<readonly [Raw, string]> = [
      [{ type: "message_update" }, "assistantMessageEvent"],
      [{ type: "message_update", assistantMessageEvent: {} }, "no type"],
      [{ type: "message_update", assistantMessageEvent: { type: "text_delta", delta: "x" } }, "contentIndex"],
      [update("text_delta", 0.5, { delta: "x" }), "contentIndex"],
      [update("text_delta", 0), "delta"],
      [update("text_end", 0, { content: 1 }), "content"],
      [update("toolcall_end", 0), "toolCall"]
    ]
    for (const [raw, what] of rows) assert.include(problem(raw), what)
  })

  it("of a kind that nobody knows is kept", () => {
    assert.strictEqual(frame(update("image_delta", 0)).type, "unknown")
    assert.strictEqual(frame(update("done", 0)).type, "aside")
  })
})

describe("a frame", () => {
  it("in process has members without a value, and others that nobody reads", () => {
    const decoded = frame(messageEnd({
      ...answer(textParts("hi")),
      errorMessage: undefined,
      errorStatus: null,
      usage: { input: 1, output: 2, cacheRead: undefined, cost: { total: 1 } },
      surprise: () => {}
    }))
    assert(decoded.type === "message_end")
    assert.strictEqual(decoded.message.usage?.input, 1)
  })

  it("at the end of a run keeps what the last answer says", () => {
    const messages = [answer({ stopReason: "toolUse" }), answer({ stopReason: "stop" }), { role: "toolResult" }]
    const decoded = frame({ type: "agent_end", messages, isTerminal: true })
    assert(decoded.type === "agent_end")
    assert.strictEqual(decoded.last?.stopReason, "stop")
    assert.isTrue(decoded.isTerminal)
    const ofPi = frame(agentEnd())
    assert(ofPi.type === "agent_end")
    assert.isUndefined(ofPi.isTerminal)
  })

  it("of a known kind and a wrong shape is malformed", () => {
    const rows: ReadonlyArray<Raw> = [
      { type: "tool_execution_start", toolName: "bash" },
      { type: "tool_execution_end", toolCallId: "c", toolName: "bash", isError: "yes" },
      { type: "message_start", message: { content: [] } },
      { type: "message_end", message: { role: "assistant", content: [{ text: "no type" }] } },
      { type: "agent_end", messages: {} },
      { type: "agent_end", messages: [], isTerminal: "yes" },
      { type: "agent_end", messages: [{ role: "assistant", stopReason: 1 }] },
      { type: "goal_updated", goal: { objective: 1 } },
      { type: "auto_retry_start" },
      {}
    ]
    for (const raw of rows) assert.include(problem(raw), "Malformed")
    for (const raw of [null, "x", 1, [], undefined]) assert.include(problem(raw), "Malformed")
  })

  it("of another kind is of the session, or unknown", () => {
    assert.strictEqual(frame({ type: "response", id: "1" }).type, "aside")
    assert.strictEqual(frame({ type: "brand_new" }).type, "unknown")
  })

  it("of every recording is known", () => {
    for (const { lines, name } of [...recordingsOf("omp"), ...recordingsOf("pi")]) {
      for (const { dir, msg } of lines) {
        if (dir === "out") assert.notStrictEqual(frame(msg).type, "unknown", `${name}: ${JSON.stringify(msg)}`)
      }
    }
  })

  it.prop("no value makes it throw", [AnyJson], ([json]) => {
    for (const type of ["message_update", "agent_end", "message_end", "tool_execution_end"]) {
      for (const raw of [json, { type, message: json, messages: json, assistantMessageEvent: json, result: json }]) {
        assert.include(["Success", "Failure"], decode(raw)._tag)
      }
    }
  })
})
