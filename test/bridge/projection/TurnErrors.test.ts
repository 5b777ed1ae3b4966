import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as AgentError from "../../../src/agent/AgentError.ts"
import { fromTurnError } from "../../../src/backends/codex/internal/Errors.ts"
import { TurnErrors } from "../../../src/bridge/projection/index.ts"
import * as Definitions from "../../../src/protocol/Definitions.ts"

const error = (reason: AgentError.AgentErrorReason) => new AgentError.AgentError({ backend: "testing", reason })
const strict = Schema.decodeUnknownSync(Definitions.strict("TurnError"), { onExcessProperty: "error" })
const infoOf = (reason: AgentError.AgentErrorReason) => TurnErrors.fromAgentError(error(reason)).codexErrorInfo

const lost = (httpStatusCode: number | null) => ({ responseStreamDisconnected: { httpStatusCode } })

const retry = (reason: AgentError.AgentErrorReason) =>
  TurnErrors.ofRetry({ _tag: "Retrying", error: error(reason) }).codexErrorInfo

describe("TurnErrors", () => {
  it.effect.prop("are valid on the wire", [Arbitrary.schema(AgentError.AgentError)], ([error]) =>
    Effect.sync(() => {
      for (const shown of [TurnErrors.fromAgentError(error), TurnErrors.ofRetry({ _tag: "Retrying", error })]) {
        assert.deepStrictEqual(strict(shown), shown)
        assert.deepStrictEqual(Object.keys(shown).toSorted(), [
          "additionalDetails",
          "codexErrorInfo",
          "message",
          "misalignment"
        ])
        assert.notStrictEqual(shown.message, "")
      }
    }))

  const reasons: ReadonlyArray<AgentError.AgentErrorReason> = [
    new AgentError.ContextOverflow({ detail: "too long" }),
    new AgentError.UsageLimitExceeded({ detail: "tomorrow" }),
    new AgentError.RateLimited({ detail: "slow" }),
    new AgentError.RateLimited({ detail: "slow", httpStatus: 429 }),
    new AgentError.Overloaded({ detail: "later", mayHaveReached: true }),
    new AgentError.Unauthorized({ detail: "no key" }),
    new AgentError.Unauthorized({ detail: "no key", httpStatus: 401 }),
    new AgentError.ModelFailed({ detail: "what?" }),
    new AgentError.ModelFailed({ detail: "what?", code: "modelNotFound" }),
    new AgentError.ModelFailed({ detail: "what?", code: "cyberPolicy" }),
    new AgentError.ModelFailed({ detail: "what?", code: "responseStreamDisconnected" }),
    new AgentError.ModelFailed({ detail: "what?", code: "httpConnectionFailed", httpStatus: 413 })
  ]

  it("are read by the codex backend as what they were", () => {
    for (const reason of reasons) {
      assert.deepStrictEqual(fromTurnError(TurnErrors.fromAgentError(error(reason))), reason)
    }
  })

  it("keep what the protocol has no name for", () => {
    const shown = TurnErrors.fromAgentError(error(new AgentError.ModelFailed({ detail: "no", code: "madeUp" })))
    assert.deepInclude(shown, { codexErrorInfo: "other", additionalDetails: "The agent calls it madeUp" })
    assert.deepStrictEqual(infoOf(new AgentError.ModelFailed({ detail: "no", httpStatus: 500 })), {
      httpConnectionFailed: { httpStatusCode: 500 }
    })
    assert.strictEqual(infoOf(new AgentError.ModelFailed({ detail: "no", httpStatus: 100_000 })), "other")
    assert.strictEqual(infoOf(new AgentError.InvalidInput({ field: "prompt", detail: "empty" })), "badRequest")
  })

  it("of a retry say that the way to the model was lost, unless more is known", () => {
    assert.deepStrictEqual(retry(new AgentError.ModelFailed({ detail: "cut" })), lost(null))
    assert.deepStrictEqual(retry(new AgentError.ModelFailed({ detail: "cut", httpStatus: 502 })), lost(502))
    assert.deepStrictEqual(retry(new AgentError.Unauthorized({ detail: "no", httpStatus: 401 })), lost(401))
    assert.deepStrictEqual(retry(new AgentError.Silent({ after: 5 })), lost(null))
    assert.deepStrictEqual(retry(new AgentError.RateLimited({ detail: "slow" })), "rateLimitExceeded")
    assert.deepStrictEqual(retry(new AgentError.ModelFailed({ detail: "no", code: "modelNotFound" })), "modelNotFound")
  })
  it("of a retry tell what is going on and the cause apart, where the agent does", () => {
    const lostOne = error(new AgentError.ModelFailed({ detail: "Reconnecting... 1/2 (cut)" }))
    const notice = { text: "Reconnecting... 1/2", cause: "cut" }
    assert.deepInclude(TurnErrors.ofRetry({ _tag: "Retrying", error: lostOne, notice }), {
      message: "Reconnecting... 1/2",
      additionalDetails: "cut",
      codexErrorInfo: lost(null)
    })
    assert.deepInclude(TurnErrors.ofRetry({ _tag: "Retrying", error: lostOne }), {
      message: "Reconnecting... 1/2 (cut)",
      additionalDetails: null
    })
  })
})
