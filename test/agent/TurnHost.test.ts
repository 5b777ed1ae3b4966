import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TurnHost } from "../../src/agent/index.ts"

const common = { itemId: "item", sessionId: "session", turnId: "turn" }

describe("TurnHost", () => {
  it.effect("without a host nothing is allowed, answered or run, and nothing waits", () =>
    Effect.gen(function*() {
      const host = yield* TurnHost
      assert.deepStrictEqual(host.tools, [])
      const decision = yield* host.approve({ _tag: "Command", ...common, decisions: ["accept"], command: "rm -rf /" })
      assert.strictEqual(decision, "decline")
      assert.deepStrictEqual(yield* host.answer({ ...common, questions: [] }), {})
      assert.deepStrictEqual(
        yield* host.elicit({ sessionId: "session", server: "mcp", message: "Password?" }),
        { _tag: "Decline" }
      )
      const call = { callId: "call", sessionId: "session", turnId: "turn", tool: "look_up", arguments: {} }
      const result = yield* host.callTool(call)
      assert.isFalse(result.success)
      assert.include(JSON.stringify(result.content), "look_up")
    }))
})
