import { assert, describe, it } from "@effect/vitest"
import type { AgentErrorReason } from "../../../src/agent/AgentError.ts"
import { fromPeerError, fromTransportError, fromTurnError } from "../../../src/backends/codex/internal/Errors.ts"
import {
  DeadlineExceeded,
  Disconnected,
  InvalidParams,
  MalformedReply,
  PeerError,
  type PeerErrorReason,
  Rejected
} from "../../../src/peer/PeerError.ts"
import * as ErrorCodes from "../../../src/protocol/ErrorCodes.ts"
import type { CodexErrorInfo } from "../../../src/protocol/generated/OpenTypes.ts"
import { Closed, OpenFailed, TooMuchNoise, TransportError } from "../../../src/transport/TransportError.ts"

type Tag = AgentErrorReason["_tag"]

const detail = (additionalDetails: string | null) =>
  fromTurnError({ message: "why", codexErrorInfo: "other", additionalDetails }).message

const end = (process: { readonly exitCode?: number; readonly signal?: string; readonly stderrTail: string }) =>
  fromTransportError(
    new TransportError({ reason: new Closed({ target: "codex", detail: "gone", process }) }),
    true
  )

describe("errors of a turn", () => {
  const rows: ReadonlyArray<
    readonly [fake: string, info: unknown, tag: Tag, more?: { readonly code?: string; readonly httpStatus?: number }]
  > = [
    ["500 forever", "internalServerError", "ModelFailed", { code: "internalServerError" }],
    ["500, retried", { responseStreamDisconnected: { httpStatusCode: null } }, "ModelFailed", {
      code: "responseStreamDisconnected"
    }],
    ["400", "other", "ModelFailed"],
    ["401", { httpConnectionFailed: { httpStatusCode: 401 } }, "Unauthorized", { httpStatus: 401 }],
    ["403", { responseStreamConnectionFailed: { httpStatusCode: 403 } }, "Unauthorized", { httpStatus: 403 }],
    ["unauthorized", "unauthorized", "Unauthorized"],
    ["413", { httpConnectionFailed: { httpStatusCode: 413 } }, "ModelFailed", {
      code: "httpConnectionFailed",
      httpStatus: 413
    }],
    ["404 model_not_found", "modelNotFound", "ModelFailed", { code: "modelNotFound" }],
    ["429", { responseTooManyFailedAttempts: { httpStatusCode: 429 } }, "RateLimited", { httpStatus: 429 }],
    ["429 usage_limit_reached", "usageLimitExceeded", "UsageLimitExceeded"],
    ["budget", "sessionBudgetExceeded", "UsageLimitExceeded"],
    ["503 server_is_overloaded", "serverOverloaded", "Overloaded"],
    ["context_length_exceeded", "contextWindowExceeded", "ContextOverflow"],
    ["rate_limit_exceeded", "rateLimitExceeded", "RateLimited"],
    ["cyber_policy", "cyberPolicy", "ModelFailed", { code: "cyberPolicy" }],
    ["connection refused, bounded", { httpConnectionFailed: { httpStatusCode: null } }, "ModelFailed", {
      code: "httpConnectionFailed"
    }],
    ["a name of a later codex", "somethingNew", "ModelFailed", { code: "somethingNew" }],
    ["a shape of a later codex", { somethingNew: 7 }, "ModelFailed", { code: "somethingNew" }],
    ["an empty shape", {}, "ModelFailed"],
    ["nothing", null, "ModelFailed"]
  ]
  for (const [fake, info, tag, more] of rows) {
    it(`${fake}: ${JSON.stringify(info)} is ${tag}`, () => {
      // What a later codex says is no type of this one.
      const reason = fromTurnError({ message: "why", codexErrorInfo: info as CodexErrorInfo | null })
      assert.strictEqual(reason._tag, tag)
      assert.include(reason.message, "why")
      assert.isTrue(reason.mayHaveReached)
      assert.deepStrictEqual("code" in reason ? reason.code : undefined, more?.code)
      assert.deepStrictEqual("httpStatus" in reason ? reason.httpStatus : undefined, more?.httpStatus)
    })
  }

  it("carry the details", () => {
    assert.strictEqual(detail("because"), "The model failed: why (because)")
    assert.strictEqual(detail(""), "The model failed: why")
    assert.strictEqual(detail(null), "The model failed: why")
  })
})

const rejected = (
  method: string,
  error: { readonly code: number; readonly message: string; readonly data?: unknown }
) => new Rejected({ method, ...error, mayHaveReached: true })

describe("errors of a call", () => {
  const id = "01a229b4-c21b-71a0-a218-265c7eeb2613"
  const rows: ReadonlyArray<readonly [name: string, reason: PeerErrorReason, tag: Tag, mayHaveReached: boolean]> = [
    ["overloaded", rejected("turn/start", ErrorCodes.overloaded), "Overloaded", false],
    ["no rollout", rejected("thread/resume", ErrorCodes.noRollout(id)), "UnknownSession", false],
    ["not found", rejected("turn/start", ErrorCodes.threadNotFound(id)), "UnknownSession", false],
    ["not loaded", rejected("thread/read", ErrorCodes.threadNotLoaded(id)), "UnknownSession", false],
    ["archived", rejected("thread/resume", ErrorCodes.archived(id)), "UnknownSession", false],
    [
      "garbage id",
      rejected("thread/resume", { code: -32600, message: "invalid session id: invalid character: found `n` at 0" }),
      "UnknownSession",
      false
    ],
    ["active writer", rejected("thread/resume", ErrorCodes.activeWriter(id)), "SessionBusy", false],
    ["nothing to steer", rejected("turn/steer", ErrorCodes.noActiveTurnToSteer), "NotSteerable", false],
    ["another turn", rejected("turn/steer", ErrorCodes.steerMismatch("a", "b")), "NotSteerable", false],
    ["nothing to interrupt", rejected("turn/interrupt", ErrorCodes.noActiveTurnToInterrupt), "Rejected", false],
    ["too large", rejected("turn/start", ErrorCodes.inputTooLarge(2_000_000)), "InvalidInput", false],
    ["unknown method", rejected("x", ErrorCodes.unknownVariant("x", ["a", "b"])), "Rejected", false],
    ["experimental", rejected("x", ErrorCodes.experimentalRequired("thread/start.dynamicTools")), "Rejected", false],
    ["malformed", new MalformedReply({ method: "x", detail: "y" }), "MalformedReply", true],
    ["invalid", new InvalidParams({ method: "x", detail: "y" }), "InvalidInput", false],
    ["deadline", new DeadlineExceeded({ method: "x", after: 10, mayHaveReached: true }), "TimedOut", true],
    [
      "deadline in the queue",
      new DeadlineExceeded({ method: "x", after: 10, mayHaveReached: false }),
      "TimedOut",
      false
    ],
    [
      "disconnected",
      new Disconnected({
        method: "x",
        mayHaveReached: false,
        error: new TransportError({ reason: new Closed({ target: "codex", detail: "gone" }) })
      }),
      "AgentDied",
      false
    ]
  ]
  for (const [name, reason, tag, mayHaveReached] of rows) {
    it(`${name} is ${tag}`, () => {
      const found = fromPeerError(new PeerError({ reason }), id)
      assert.strictEqual(found._tag, tag)
      assert.strictEqual(found.mayHaveReached, mayHaveReached)
      if (found._tag === "UnknownSession" || found._tag === "SessionBusy") assert.strictEqual(found.sessionId, id)
    })
  }
})

describe("the end of a connection", () => {
  it("carries exit status, signal and the tail of stderr", () => {
    assert.strictEqual(
      end({ exitCode: 0, stderrTail: "" }).message,
      "The agent is gone (exit status 0): gone"
    )
    const killed = end({ signal: "SIGKILL", stderrTail: "last words" })
    assert.strictEqual(killed.message, "The agent is gone (SIGKILL): gone; stderr ends: last words")
    assert.isTrue(killed.mayHaveReached)
  })

  it("tells a missing program, and one that speaks something else", () => {
    const missing = new TransportError({ reason: new OpenFailed({ target: "codex", detail: "ENOENT" }) })
    assert.strictEqual(fromTransportError(missing, false)._tag, "BinaryMissing")
    const noise = new TransportError({
      reason: new TooMuchNoise({ target: "codex", lines: 1001, bytes: 5000, head: "Welcome" })
    })
    assert.strictEqual(fromTransportError(noise, false)._tag, "HandshakeFailed")
  })
})
