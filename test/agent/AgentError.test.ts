import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AgentDied, AgentError, AgentEvent, CapabilityMissing, ModelFailed } from "../../src/agent/index.ts"

const toJson = Schema.encodeEffect(Schema.fromJsonString(AgentEvent))
const fromJson = Schema.decodeUnknownEffect(Schema.fromJsonString(AgentEvent))

describe("AgentError", () => {
  it("says what its reason says, and whether the agent may have seen the request", () => {
    const missing = new AgentError({ backend: "test", reason: new CapabilityMissing({ capability: "steer" }) })
    assert.strictEqual(missing.message, "This backend does not support steer")
    assert.isFalse(missing.mayHaveReached)

    const died = new AgentDied({ detail: "gone", exitCode: 3, stderrTail: "boom", mayHaveReached: true })
    assert.strictEqual(died.message, "The agent is gone (exit status 3): gone; stderr ends: boom")
    assert.isTrue(new AgentError({ backend: "test", reason: died }).mayHaveReached)

    const failed = new ModelFailed({ detail: "HTTP 500", code: "serverOverloaded" })
    assert.strictEqual(failed.message, "The model failed (serverOverloaded): HTTP 500")
  })

  it.effect.prop("every event survives JSON, errors as errors", [AgentEvent], ([event]) =>
    Effect.gen(function*() {
      const back = yield* fromJson(yield* toJson(event))
      assert.strictEqual(yield* toJson(back), yield* toJson(event))
      if (back._tag === "Retrying") assert.instanceOf(back.error, AgentError)
    }))
})
