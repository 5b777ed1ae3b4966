import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import type { Peer } from "../../src/peer/index.ts"
import type { Frame } from "./support/wire.ts"
import { client, peer } from "./support/wire.ts"

describe("notifications", () => {
  it.effect("come in the order of the wire, across batches and beside requests", () =>
    Effect.gen(function*() {
      const seen: Array<unknown> = []
      const { wire } = yield* peer({
        onNotification: ({ params }) => seen.push(params),
        onRequest: () => Effect.never
      })
      yield* wire.say({ method: "n", params: 1 }, { id: 0, method: "ask" }, { method: "n", params: 2 })
      yield* wire.say({ method: "n", params: 3 })
      yield* Effect.yieldNow
      assert.deepStrictEqual(seen, [1, 2, 3])
    }))

  it.effect("go on after a sink that throws, which is noticed", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const { wire, diagnostics } = yield* peer({
        onNotification: ({ method }) => {
          seen.push(method)
          if (method === "bad") throw new Error("broken")
        }
      })
      yield* wire.say({ method: "bad" }, { method: "good" })
      yield* Effect.yieldNow
      assert.deepStrictEqual(seen, ["bad", "good"])
      assert.deepStrictEqual(diagnostics.map(({ _tag }) => _tag), ["HandlerDefect"])
    }))

  it.effect("are sent without an id, and without params when there are none", () =>
    Effect.gen(function*() {
      const { peer: caller, wire } = yield* peer()
      yield* caller.notify("initialized")
      yield* caller.notify("n", { a: 1 })
      assert.deepStrictEqual(yield* wire.take(2), [{ method: "initialized" }, { method: "n", params: { a: 1 } }])
    }))
})

describe("inbound requests", () => {
  it.effect("are answered with the result, or with the failure, of their handler", () =>
    Effect.gen(function*() {
      const { wire } = yield* peer({
        onRequest: ({ method, params }) =>
          method === "yes" ? Effect.succeed({ got: params }) : Effect.fail({ code: -32601, message: "no", data: [1] })
      })
      yield* wire.say({ id: 0, method: "yes", params: [1] }, { id: "x", method: "no" })
      assert.deepStrictEqual(yield* wire.take(2), [
        { id: 0, result: { got: [1] } },
        { id: "x", error: { code: -32601, message: "no", data: [1] } }
      ])
    }))

  it.effect("whose handler calls back while it serves get their answer", () =>
    Effect.gen(function*() {
      let call: Peer.Peer["call"] | undefined
      const { peer: served, wire } = yield* peer({
        onRequest: () =>
          Effect.suspend(() => call?.("thread/read", null) ?? Effect.die("not there")).pipe(
            Effect.mapError(({ message }) => ({ code: -32603, message }))
          )
      })
      call = served.call
      yield* wire.say({ id: 0, method: "item/tool/call" })
      const inner = yield* wire.next
      assert.strictEqual(inner.method, "thread/read")
      yield* wire.say({ id: inner.id ?? null, result: "read" })
      assert.deepStrictEqual(yield* wire.next, { id: 0, result: "read" })
    }))

  const defects: ReadonlyArray<readonly [string, () => Effect.Effect<unknown, never>]> = [
    ["dies", () => Effect.die(new Error("secret detail"))],
    ["throws before it is an effect", () => {
      throw new Error("secret detail")
    }],
    ["interrupts itself", () => Effect.interrupt],
    ["gives what JSON cannot hold", () => Effect.succeed({ n: 1n })]
  ]
  for (const [name, handler] of defects) {
    it.effect(`whose handler ${name} get one error, and the loop lives`, () =>
      Effect.gen(function*() {
        const { wire, diagnostics } = yield* peer({
          onRequest: ({ method }) => method === "bad" ? handler() : Effect.succeed("fine")
        })
        yield* wire.say({ id: 0, method: "bad" }, { id: 1, method: "good" })
        const answers = yield* wire.take(2)
        assert.strictEqual(answers[0]?.error?.code, -32603)
        assert.strictEqual(answers[0]?.id, 0)
        assert.notInclude(JSON.stringify(answers), "secret")
        assert.deepStrictEqual(answers[1], { id: 1, result: "fine" })
        assert.deepStrictEqual(yield* wire.rest, [])
        assert.deepStrictEqual(diagnostics.map(({ _tag }) => _tag), ["HandlerDefect"])
      }))
  }

  it.effect("whose handler returns undefined are answered all the same, and null is a result", () =>
    Effect.gen(function*() {
      const { wire } = yield* peer({ onRequest: ({ method }) => Effect.succeed(method === "null" ? null : undefined) })
      yield* wire.say({ id: 9, method: "undefined" }, { id: 10, method: "null" })
      assert.deepStrictEqual(yield* wire.take(2), [{ id: 9, result: {} }, { id: 10, result: null }])
    }))

  it.effect("that are never answered block neither notifications nor other requests", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const { wire } = yield* peer({
        onNotification: ({ method }) => seen.push(method),
        onRequest: ({ method }) => method === "approve" ? Effect.never : Effect.succeed("quick")
      })
      yield* wire.say({ id: 0, method: "approve" }, { method: "delta" }, { id: 1, method: "other" })
      assert.deepStrictEqual(yield* wire.next, { id: 1, result: "quick" })
      assert.deepStrictEqual(seen, ["delta"])
    }))

  it.effect("beyond the limit are refused as overloaded, and taken again when there is room", () =>
    Effect.gen(function*() {
      const go = yield* Deferred.make<void>()
      const { wire, diagnostics } = yield* peer(
        { onRequest: ({ id }) => Effect.as(Deferred.await(go), id) },
        { inboundLimit: 2 }
      )
      yield* wire.say({ id: 0, method: "a" }, { id: 1, method: "a" }, { id: 2, method: "a" })
      const refusal = yield* wire.next
      assert.strictEqual(refusal.id, 2)
      assert.strictEqual(refusal.error?.code, -32001)
      assert.deepStrictEqual(diagnostics, [{ _tag: "RequestRefused", method: "a" }])
      yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual(yield* wire.take(2), [{ id: 0, result: 0 }, { id: 1, result: 1 }])
      yield* wire.say({ id: 3, method: "a" })
      assert.deepStrictEqual(yield* wire.next, { id: 3, result: 3 })
    }))

  it.effect("are interrupted when the connection ends", () =>
    Effect.gen(function*() {
      const exited = yield* Deferred.make<Exit.Exit<unknown, unknown>>()
      const { wire } = yield* peer({
        onRequest: () => Effect.onExit(Effect.never, (exit) => Deferred.succeed(exited, exit))
      })
      yield* wire.say({ id: 0, method: "approve" })
      yield* Effect.yieldNow
      yield* wire.end.cut()
      assert.isTrue(Exit.hasInterrupts(yield* Deferred.await(exited)))
    }))

  type Act = "call" | "request" | "answerFirst" | "answerLast" | "settleFirst" | "settleLast" | "notify" | "noise"
  const Acts = Arbitrary.schema(Schema.Array(Schema.Literals<ReadonlyArray<Act>>([
    "call",
    "request",
    "answerFirst",
    "answerLast",
    "settleFirst",
    "settleLast",
    "notify",
    "noise"
  ])))

  it.effect.prop(
    "and calls, however they are interleaved, get exactly one answer each",
    [Acts],
    Effect.fnUntraced(function*([acts]) {
      const open = new Map<unknown, Deferred.Deferred<unknown>>()
      let notifications = 0
      const { peer: caller, wire } = yield* peer({
        onNotification: () => notifications++,
        onRequest: ({ id }) => {
          const deferred = Deferred.makeUnsafe<unknown>()
          open.set(id, deferred)
          return Deferred.await(deferred)
        }
      })
      const fibers: Array<Fiber.Fiber<unknown, unknown>> = []
      const calls: Array<Frame> = []
      const answers: Array<Frame> = []
      const sort = (frames: ReadonlyArray<Frame>) => {
        for (const frame of frames) (frame.method === undefined ? answers : calls).push(frame)
      }
      const settle = Effect.fnUntraced(function*(last: boolean) {
        const entry = last ? [...open].at(-1) : [...open][0]
        if (entry === undefined) return
        open.delete(entry[0])
        yield* Deferred.succeed(entry[1], { echo: entry[0] })
      })
      const answer = Effect.fnUntraced(function*(last: boolean) {
        const frame = last ? calls.pop() : calls.shift()
        if (frame !== undefined) yield* wire.say({ id: frame.id ?? null, result: frame.params })
      })
      let requests = 0
      let said = 0
      for (const act of acts) {
        switch (act) {
          case "call":
            fibers.push(yield* Effect.forkChild(caller.call("ours", fibers.length)))
            break
          case "request":
            yield* wire.say({ id: requests++, method: "theirs" })
            break
          case "answerFirst":
          case "answerLast":
            yield* answer(act === "answerLast")
            break
          case "settleFirst":
          case "settleLast":
            yield* settle(act === "settleLast")
            break
          case "notify":
            said++
            yield* wire.say({ method: "n" })
            break
          case "noise":
            yield* wire.inject("{\"id\":\"1\",\"result\":0}", "?")
        }
        sort(yield* wire.rest)
      }
      for (let last = false; calls.length > 0 || open.size > 0; last = !last) {
        yield* answer(last)
        yield* settle(!last)
        sort(yield* wire.rest)
      }
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), fibers.map((_, index) => index))
      const expected = Array.from({ length: requests }, (_, id): Frame => ({ id, result: { echo: id } }))
      assert.sameDeepMembers(answers, expected)
      assert.strictEqual(notifications, said)
    })
  )
})

describe("ClientPeer", () => {
  const call = {
    threadId: "t",
    turnId: "u",
    callId: "c",
    tool: "look",
    namespace: null,
    arguments: {}
  }

  it.effect("answers unknown methods and params that do not fit, and hands the rest on", () =>
    Effect.gen(function*() {
      const { wire, diagnostics } = yield* client({
        onRequest: (request, requestId) =>
          Effect.succeed({
            contentItems: [{ type: "inputText", text: `${request.method} ${requestId}` }],
            success: true
          })
      })
      yield* wire.say(
        { id: 0, method: "no/such", params: {} },
        { id: 1, method: "item/tool/call", params: { ...call, callId: 7 } },
        { id: 2, method: "item/tool/call", params: call }
      )
      const [unknown, invalid, fine] = yield* wire.take(3)
      assert.strictEqual(unknown?.error?.code, -32601)
      assert.strictEqual(invalid?.error?.code, -32602)
      assert.deepStrictEqual(fine, {
        id: 2,
        result: { contentItems: [{ type: "inputText", text: "item/tool/call 2" }], success: true }
      })
      assert.deepStrictEqual(diagnostics.map(({ _tag }) => _tag), ["Mismatch", "Mismatch"])
    }))

  it.effect("sends no answer that does not fit the method", () =>
    Effect.gen(function*() {
      for (const result of [undefined, null, {}, { contentItems: [], success: "yes" }]) {
        const { wire, diagnostics } = yield* client({ onRequest: () => Effect.succeed(result) })
        yield* wire.say({ id: 0, method: "item/tool/call", params: call })
        assert.strictEqual((yield* wire.next).error?.code, -32603)
        assert.deepStrictEqual(yield* wire.rest, [])
        assert.deepStrictEqual(diagnostics.map(({ _tag }) => _tag), ["Mismatch"])
      }
    }))

  it.effect("sends no params that do not fit the method", () =>
    Effect.gen(function*() {
      const { peer: caller, wire } = yield* client()
      // @ts-expect-error: the wrong type is what is tested.
      const error = yield* Effect.flip(caller.request("turn/interrupt", { threadId: 1, turnId: "u" }))
      assert.strictEqual(error.reason._tag, "InvalidParams")
      assert.isFalse(error.mayHaveReached)
      assert.deepStrictEqual(yield* wire.rest, [])
    }))

  it.effect("fails a call whose result does not fit, and takes unknown values for data", () =>
    Effect.gen(function*() {
      const { peer: caller, wire } = yield* client()
      const bad = yield* Effect.forkChild(
        caller.request("turn/steer", { threadId: "t", expectedTurnId: "u", input: [] })
      )
      yield* wire.next
      yield* wire.say({ id: 1, result: { turnId: 7 } })
      const error = yield* Effect.flip(Fiber.join(bad))
      assert.strictEqual(error.reason._tag, "MalformedReply")
      assert.isTrue(error.mayHaveReached)
      const open = yield* Effect.forkChild(caller.request("account/read", {}))
      yield* wire.next
      const account = { type: "chatgpt", email: "x@y", planType: "some_future_plan" }
      yield* wire.say({ id: 2, result: { account, userId: null, requiresOpenaiAuth: true } })
      const answer: unknown = (yield* Fiber.join(open)).account
      assert.deepStrictEqual(answer, account)
    }))

  it.effect("tells notifications that fit from those that do not, and goes on", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const { wire, diagnostics } = yield* client({
        onNotification: ({ method }) => seen.push(method),
        onUnrecognized: (method, _params, problem) => seen.push(`?${method} ${problem.reason._tag}`)
      })
      const delta = { threadId: "t", turnId: "u", itemId: "i", delta: "x" }
      yield* wire.say(
        { method: "item/agentMessage/delta", params: delta },
        { method: "item/agentMessage/delta", params: { ...delta, delta: 7 } },
        { method: "brand/new", params: { threadId: "t" } },
        { method: "item/agentMessage/delta", params: { ...delta, more: "fields" } }
      )
      yield* Effect.yieldNow
      assert.deepStrictEqual(seen, [
        "item/agentMessage/delta",
        "?item/agentMessage/delta Mismatch",
        "?brand/new UnknownMethod",
        "item/agentMessage/delta"
      ])
      assert.deepStrictEqual(diagnostics.map(({ _tag }) => _tag), ["Mismatch"])
    }))
})
