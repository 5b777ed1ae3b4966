import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { ClientPeer } from "../../src/peer/index.ts"
import * as Methods from "../../src/protocol/Methods.ts"
import { AppServerScript as Script, FakeAppServer } from "../../src/testing/index.ts"

const place = { thread: "t", turn: "u" }

const everything: ReadonlyArray<Script.Step> = [
  ...Script.wholeTurn(...Script.say("m", ["a", "b"])),
  Script.status({ type: "systemError" }, place),
  Script.started(place),
  Script.completed("failed", { ...place, error: { message: "no", codexErrorInfo: "other", additionalDetails: null } }),
  Script.itemStarted({ type: "contextCompaction", id: "k" }, place),
  Script.notify("thread/started", { thread: Script.thread("t") }),
  Script.approval("c", "ls"),
  Script.together(Script.delta("m", "x"), Script.overloaded),
  Script.repeat(3, Script.delta("m", "x"), Script.raw("noise")),
  Script.gate("g"),
  Script.wait(1),
  Script.end(),
  Script.end(3)
]

const frames = (step: Script.Step): ReadonlyArray<Script.FrameStep> => {
  switch (step._tag) {
    case "Together":
    case "Repeat":
      return step.frames
    case "Ask":
    case "Gate":
    case "Wait":
    case "End":
      return []
    default:
      return [step]
  }
}

describe("AppServerScript", () => {
  it("is JSON", () => {
    const script: Script.AppServerScript = { userAgent: "x", pieces: 3, on: { "turn/start": [everything, []] } }
    const text = JSON.stringify(script)
    assert.deepStrictEqual(Schema.decodeSync(Schema.fromJsonString(Script.AppServerScript))(text), script)
  })

  it("says notifications that the protocol has", () => {
    const messages = everything.flatMap(frames).flatMap((step) => step._tag === "Send" ? [step.message] : [])
    assert.isAtLeast(messages.length, 12)
    for (const message of messages) {
      assert(Predicate.hasProperty(message, "method") && Predicate.hasProperty(message, "params"))
      // Whether the method is one is what this finds out.
      const encoded = Methods.encodeNotification(message.method as "turn/started", message.params as never)
      assert(Result.isSuccess(encoded), Result.isFailure(encoded) ? encoded.failure.message : "")
    }
  })

  it.effect("is played with manners where it says nothing", () =>
    Effect.gen(function*() {
      const server = yield* FakeAppServer.make()
      const problems: Array<unknown> = []
      const peer = yield* ClientPeer.make(yield* server.connect, {
        onNotification: () => {},
        onUnrecognized: (...problem) => problems.push(problem),
        onRequest: () => Effect.die("nothing is asked"),
        onDiagnostic: (diagnostic) => problems.push(diagnostic)
      })
      const threadId = (yield* peer.request("thread/start", {})).thread.id
      yield* peer.request("initialize", { clientInfo: { name: "x", title: null, version: "0" }, capabilities: null })
      yield* peer.request("thread/resume", { threadId })
      yield* peer.request("turn/start", { threadId, input: [] })
      yield* peer.request("turn/interrupt", { threadId, turnId: "" })
      yield* peer.request("turn/steer", { threadId, expectedTurnId: "x", input: [] })
      yield* peer.request("thread/compact/start", { threadId })
      yield* peer.request("thread/turns/list", { threadId })
      yield* peer.request("thread/goal/get", { threadId })
      yield* peer.request("thread/goal/clear", { threadId })
      yield* peer.request("model/list", {})
      yield* peer.request("account/read", {})
      yield* peer.request("thread/unsubscribe", { threadId })
      assert.strictEqual((yield* Effect.flip(peer.request("config/read", {}))).reason._tag, "Rejected")
      assert.deepStrictEqual(problems, [])
    }))
})
