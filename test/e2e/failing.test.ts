/**
 * The ways in which a model fails: what is tried again, what the turn ends with, and that the session goes on.
 */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { AgentErrorReason, SessionOptions } from "../../src/agent/index.ts"
import { completed, failedWith, lastText } from "../support/conformanceKit.ts"
import * as ModelTurn from "../support/ModelTurn.ts"
import * as RecordedRequest from "../support/RecordedRequest.ts"
import {
  assertUsable,
  eventsOf,
  interrupted,
  lastRequest,
  layer as codex,
  open,
  realTime,
  requests,
  run,
  script,
  start,
  unsaid
} from "./kit.ts"

const refuse = (status: number, type: string, message: string, code: string | null = null) =>
  ModelTurn.httpError(status, { body: { error: { type, message, code } } })

const broken = (code: string, message: string) => ModelTurn.turn([ModelTurn.failed(code, message)])

/** A message whose end never comes. */
const half = (text: string): ModelTurn.Part =>
  function*(context) {
    for (const step of ModelTurn.message([text])(context)) {
      if (step._tag === "Event" && step.event.type === "response.output_text.done") return
      yield step
    }
  }

interface Failure {
  readonly title: string
  readonly turn: ModelTurn.ModelTurn
  /** How often the model is asked before codex gives up. */
  readonly asked: number
  /** How many of the repeats are told. */
  readonly retrying: number
  readonly reason: Partial<AgentErrorReason>
  readonly detail: RegExp
}

/** `request_max_retries` is 1 and `stream_max_retries` 2. */
const failures: ReadonlyArray<Failure> = [
  {
    title: "HTTP 500 forever",
    turn: ModelTurn.httpError(500),
    asked: 6,
    retrying: 2,
    reason: { _tag: "ModelFailed", code: "internalServerError" },
    detail: /high demand/
  },
  {
    title: "HTTP 400",
    turn: refuse(400, "invalid_request_error", "no such thing"),
    asked: 1,
    retrying: 0,
    reason: { _tag: "ModelFailed" },
    detail: /no such thing/
  },
  {
    title: "an unknown model",
    turn: refuse(404, "invalid_request_error", "no such model", "model_not_found"),
    asked: 1,
    retrying: 0,
    reason: { _tag: "ModelFailed", code: "modelNotFound" },
    detail: /model/
  },
  {
    title: "HTTP 429",
    turn: refuse(429, "rate_limit", "slow down"),
    asked: 1,
    retrying: 0,
    reason: { _tag: "RateLimited", httpStatus: 429 },
    detail: /429/
  },
  {
    title: "HTTP 429 that says when to come back",
    turn: ModelTurn.httpError(429, {
      headers: { "retry-after": "0" },
      body: { error: { type: "rate_limit_exceeded", message: "slow down", code: "rate_limit_exceeded" } }
    }),
    asked: 3,
    retrying: 2,
    reason: { _tag: "RateLimited", httpStatus: 429 },
    detail: /429/
  },
  {
    title: "a used up quota",
    turn: refuse(429, "usage_limit_reached", "come back tomorrow"),
    asked: 1,
    retrying: 0,
    reason: { _tag: "UsageLimitExceeded" },
    detail: /usage limit/i
  },
  {
    title: "credentials that are refused",
    turn: refuse(401, "auth", "no key"),
    asked: 3,
    retrying: 2,
    reason: { _tag: "Unauthorized", httpStatus: 401 },
    detail: /401/
  },
  {
    title: "an overloaded provider",
    turn: refuse(503, "overloaded", "busy", "server_is_overloaded"),
    asked: 2,
    retrying: 0,
    reason: { _tag: "Overloaded", mayHaveReached: true },
    detail: /capacity|overloaded/i
  },
  {
    title: "a policy",
    turn: broken("cyber_policy", "not this"),
    asked: 1,
    retrying: 0,
    reason: { _tag: "ModelFailed", code: "cyberPolicy" },
    detail: /./
  },
  {
    title: "an answer that is incomplete",
    turn: ModelTurn.turn([ModelTurn.message(["ha"]), ModelTurn.incomplete("max_output_tokens")]),
    asked: 1,
    retrying: 0,
    reason: { _tag: "ModelFailed" },
    detail: /max_output_tokens/
  },
  {
    title: "a stream that always breaks off",
    turn: ModelTurn.turn([half("ha"), ModelTurn.cut]),
    asked: 3,
    retrying: 2,
    reason: { _tag: "ModelFailed" },
    detail: /stream/
  }
]

layer(codex(), realTime)("failing", (it) => {
  for (const { asked, detail, reason, retrying, title, turn } of failures) {
    it.effect(`${title}: ${String(reason._tag)}`, () =>
      Effect.gen(function*() {
        const session = yield* open()
        const { events, outcome } = yield* run(session, "Try", Array.from({ length: asked }, () => turn))
        const error = failedWith(outcome)
        assert.deepInclude(error.reason, reason)
        assert.match(error.message, detail)
        assert.isTrue(error.mayHaveReached)
        assert.strictEqual((yield* requests(session)).length, asked)
        assert.strictEqual(eventsOf(events, "Retrying").length, retrying)
        assert.strictEqual(completed(events, "UserMessage").length, 1)
        yield* assertUsable(session)
      }))
  }

  it.effect("HTTP 500 once is nobody's business", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const { events, outcome } = yield* run(session, "Try", [ModelTurn.httpError(500), ModelTurn.text("There")])
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      assert.deepStrictEqual(eventsOf(events, "Retrying"), [])
      assert.strictEqual(lastText(events), "There")
    }))

  it.effect("a stream that breaks off once is told as a retry; the half message is closed and not doubled", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const { events, outcome } = yield* run(session, "Try", [
        ModelTurn.turn([half("Hel"), ModelTurn.cut]),
        // An answer whose message is whole is kept, though its stream had no end.
        ModelTurn.turn([ModelTurn.message(["Hello"]), ModelTurn.end]),
        ModelTurn.text("Hello again")
      ])
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      const order = events.flatMap((event) =>
        event._tag === "Retrying"
          ? ["retry"]
          : event._tag === "ItemCompleted" && event.item._tag === "AgentMessage"
          ? [`${event.item.text}${event.closed ? " (closed)" : ""}`]
          : []
      )
      assert.deepStrictEqual(order, ["Hel (closed)", "retry", "Hello", "retry", "Hello again"])
      assert.strictEqual((yield* requests(session)).length, 3)
      for (const { error } of eventsOf(events, "Retrying")) assert.match(error.message, /Reconnecting/)
    }))

  it.effect("a model that falls silent is asked again", () =>
    Effect.gen(function*() {
      const session = yield* open({ config: { "model_providers.fake.stream_idle_timeout_ms": 300 } })
      const { events, outcome } = yield* run(session, "Try", [
        ModelTurn.turn([half("Well"), ModelTurn.silence]),
        ModelTurn.text("Here I am")
      ])
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      const retries = eventsOf(events, "Retrying")
      assert.strictEqual(retries.length, 1)
      assert.match(retries[0]?.error.message ?? "", /idle timeout/)
      assert.strictEqual(lastText(events), "Here I am")
    }))

  it.effect("a context that is full ends the turn as ContextOverflow; the next turn compacts it and goes on", () =>
    Effect.gen(function*() {
      const session = yield* open()
      yield* assertUsable(session)
      const full = yield* run(session, "Too much", [broken("context_length_exceeded", "too long")])
      assert.strictEqual(failedWith(full.outcome).reason._tag, "ContextOverflow")
      const { events, outcome } = yield* run(session, "Again", [ModelTurn.text("A summary"), ModelTurn.text("Fits")])
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      assert.strictEqual(completed(events, "ContextCompaction")[0]?.item.status, "completed")
      assert.strictEqual(lastText(events), "Fits")
      assert.include(JSON.stringify((yield* lastRequest(session)).json), "A summary")
    }))

  const nobody: SessionOptions = { config: { "model_providers.fake.base_url": "http://127.0.0.1:9/v1" } }

  it.effect("a provider that cannot be reached is a failure where codex is told not to wait for it", () =>
    Effect.gen(function*() {
      const session = yield* open(nobody)
      const { events, outcome } = yield* run(session, "Try", [])
      assert.deepInclude(failedWith(outcome).reason, { _tag: "ModelFailed", code: "httpConnectionFailed" })
      assert.strictEqual(eventsOf(events, "Retrying").length, 2)
    }))

  it.effect("a provider that codex waits for without end can be given up", () =>
    Effect.gen(function*() {
      const session = yield* open({
        config: { ...nobody.config, "features.unbounded_connection_retries": true }
      })
      const { end, seen, turn } = yield* start(session, "Try", [])
      yield* seen((event) => event._tag === "Retrying")
      assert.deepStrictEqual((yield* turn.interrupt).outcome, interrupted)
      yield* end
    }))

  it.effect("what was said and done before the failure stands", () =>
    Effect.gen(function*() {
      const session = yield* open()
      yield* script(
        session,
        ModelTurn.turn([
          ModelTurn.message(["First this."]),
          ModelTurn.functionCall("exec_command", { cmd: "echo done" }, { callId: "stands-1" })
        ])
      )
      const { events, outcome } = yield* run(session, "Try", [refuse(400, "bad", "no more")])
      assert.strictEqual(failedWith(outcome).reason._tag, "ModelFailed")
      assert.strictEqual(lastText(events), "First this.")
      assert.strictEqual(completed(events, "CommandExecution")[0]?.item.status, "completed")
      assert.isAbove(eventsOf(events, "UsageUpdated").at(-1)?.usage.total ?? 0, 0)
      assert.strictEqual(yield* unsaid(session), 0)
      const [first] = yield* requests(session)
      assert.strictEqual(first === undefined ? "" : RecordedRequest.userTexts(first).at(-1), "Try")
    }))
})
