import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { Peer, type PeerError } from "../../src/peer/index.ts"
import * as MemoryTransport from "../../src/transport/MemoryTransport.ts"
import { Unreadable } from "../../src/transport/Transport.ts"
import { type Frame, peer } from "./support/wire.ts"

const overloaded = { code: -32001, message: "Server overloaded; retry later." }

const reasonOf = <A>(fiber: Fiber.Fiber<A, PeerError>) =>
  Effect.map(Effect.flip(Fiber.join(fiber)), (error) => error.reason)

describe("calls", () => {
  it.effect("carry ids that differ, and no jsonrpc member", () =>
    Effect.gen(function*() {
      const { peer: caller, wire } = yield* peer()
      const fibers = yield* Effect.forEach(["a", "b"], (method) => Effect.forkChild(caller.call(method, { method })))
      const [first, second] = yield* wire.take(2)
      assert.deepStrictEqual(Object.keys(first ?? {}), ["id", "method", "params"])
      assert.notStrictEqual(first?.id, second?.id)
      yield* wire.say({ id: first?.id ?? null, result: 1 }, { id: second?.id ?? null, result: 2 })
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), [1, 2])
    }))

  it.effect("get their own answers, in whatever order those come", () =>
    Effect.gen(function*() {
      const { peer: caller, wire } = yield* peer()
      const fibers = yield* Effect.forEach(["a", "b", "c"], (method) => Effect.forkChild(caller.call(method, null)))
      const frames = yield* wire.take(3)
      const [first, ...more] = frames.toReversed().map(({ id, method }): Frame => ({ id: id ?? null, result: method }))
      assert(first !== undefined)
      yield* wire.say(first, ...more)
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), ["a", "b", "c"])
    }))

  it.effect("are not answered by an id of another type", () =>
    Effect.gen(function*() {
      const { peer: caller, wire, diagnostics } = yield* peer()
      const fiber = yield* Effect.forkChild(caller.call("a", null))
      const { id } = yield* wire.next
      assert.strictEqual(id, 1)
      yield* wire.say({ id: "1", result: "wrong" }, { id: 1, result: "right" })
      assert.strictEqual(yield* Fiber.join(fiber), "right")
      assert.deepStrictEqual(diagnostics, [{ _tag: "UnmatchedReply", id: "1" }])
    }))

  it.effect("and inbound requests may have the same ids at once", () =>
    Effect.gen(function*() {
      const go = yield* Deferred.make<void>()
      const { peer: caller, wire } = yield* peer({
        onRequest: ({ id }) => Effect.as(Deferred.await(go), { echo: id })
      })
      const fiber = yield* Effect.forkChild(caller.call("ours", null))
      assert.strictEqual((yield* wire.next).id, 1)
      yield* wire.say({ id: 1, method: "theirs" }, { id: 0, method: "theirs" }, { id: "1", method: "theirs" })
      yield* wire.say({ id: 1, result: "ours" })
      assert.strictEqual(yield* Fiber.join(fiber), "ours")
      yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual(yield* wire.take(3), [
        { id: 1, result: { echo: 1 } },
        { id: 0, result: { echo: 0 } },
        { id: "1", result: { echo: "1" } }
      ])
    }))

  it.effect("give null and 0 as results", () =>
    Effect.gen(function*() {
      const { peer: caller, wire } = yield* peer()
      const fibers = yield* Effect.forEach([null, 0, false, ""], (result) =>
        Effect.tap(Effect.forkChild(caller.call("a", null)), () =>
          Effect.flatMap(wire.next, ({ id }) =>
            wire.say({ id: id ?? null, result }))))
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), [null, 0, false, ""])
    }))

  it.effect("fail with code, message and data of the refusal", () =>
    Effect.gen(function*() {
      const { peer: caller, wire } = yield* peer()
      const fiber = yield* Effect.forkChild(caller.call("a", null))
      yield* wire.next
      yield* wire.say({ id: 1, error: { code: -32602, message: "too large", data: { max: 1 } } })
      const reason = yield* reasonOf(fiber)
      assert(reason._tag === "Rejected")
      assert.deepInclude(reason, { method: "a", code: -32602, message: "too large", mayHaveReached: true })
      assert.deepStrictEqual(reason.data, { max: 1 })
    }))

  it.effect("that JSON cannot hold fail before anything is sent", () =>
    Effect.gen(function*() {
      const { peer: caller, wire } = yield* peer()
      const cycle: { self?: unknown } = {}
      cycle.self = cycle
      const error = yield* Effect.flip(caller.call("a", cycle))
      assert.strictEqual(error.reason._tag, "InvalidParams")
      assert.isFalse(error.mayHaveReached)
      assert.strictEqual((yield* Effect.flip(caller.notify("a", { n: 1n }))).reason._tag, "InvalidParams")
      assert.deepStrictEqual(yield* wire.rest, [])
    }))

  describe("deadline", () => {
    it.effect("ends a call that was sent, which may have reached the other side", () =>
      Effect.gen(function*() {
        const { peer: caller, wire, diagnostics } = yield* peer()
        const fiber = yield* Effect.forkChild(caller.call("slow", null, { deadline: "10 seconds" }))
        yield* wire.next
        yield* TestClock.adjust("9999 millis")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 millis")
        const reason = yield* reasonOf(fiber)
        assert(reason._tag === "DeadlineExceeded")
        assert.deepInclude(reason, { method: "slow", after: 10_000, mayHaveReached: true })
        yield* wire.say({ id: 1, result: "late" })
        yield* Effect.yieldNow
        assert.deepStrictEqual(diagnostics, [{ _tag: "UnmatchedReply", id: 1 }])
      }))

    it.effect("ends a call that waits for a place in flight, which cannot have reached it", () =>
      Effect.gen(function*() {
        const { peer: caller, wire } = yield* peer({}, { inFlight: 1 })
        const first = yield* Effect.forkChild(caller.call("first", null))
        yield* wire.next
        const second = yield* Effect.forkChild(caller.call("second", null, { deadline: "1 seconds" }))
        yield* TestClock.adjust("1 seconds")
        const reason = yield* reasonOf(second)
        assert(reason._tag === "DeadlineExceeded")
        assert.isFalse(reason.mayHaveReached)
        yield* wire.say({ id: 1, result: "here" })
        assert.strictEqual(yield* Fiber.join(first), "here")
        assert.deepStrictEqual(yield* wire.rest, [])
      }))

    it.effect("in the pause after a refusal as overloaded says that nothing was accepted", () =>
      Effect.gen(function*() {
        const { peer: caller, wire } = yield* peer()
        const fiber = yield* Effect.forkChild(caller.call("a", null, { deadline: "10 millis" }))
        yield* wire.next
        yield* wire.say({ id: 1, error: overloaded })
        yield* TestClock.adjust("10 millis")
        const reason = yield* reasonOf(fiber)
        assert(reason._tag === "DeadlineExceeded")
        assert.isFalse(reason.mayHaveReached)
      }))

    it.effect("is a minute unless the peer has another one", () =>
      Effect.gen(function*() {
        const { peer: caller } = yield* peer()
        const fiber = yield* Effect.forkChild(caller.call("a", null))
        yield* TestClock.adjust("59 seconds")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 seconds")
        assert.strictEqual((yield* reasonOf(fiber))._tag, "DeadlineExceeded")
        const { peer: quick } = yield* peer({}, { deadline: "1 millis" })
        const other = yield* Effect.forkChild(quick.call("a", null))
        yield* TestClock.adjust("1 millis")
        assert.strictEqual((yield* reasonOf(other))._tag, "DeadlineExceeded")
      }))
  })

  describe("overload", () => {
    it.effect("is tried again with growing pauses", () =>
      Effect.gen(function*() {
        const { peer: caller, wire } = yield* peer()
        const fiber = yield* Effect.forkChild(caller.call("a", { n: 1 }))
        for (const refusals of [1, 2]) {
          const { id, method, params } = yield* wire.next
          assert.deepStrictEqual({ method, params }, { method: "a", params: { n: 1 } })
          yield* wire.say({ id: id ?? null, error: overloaded })
          yield* TestClock.adjust(Duration.millis(50 * 2 ** (refusals - 1) * 0.7))
          assert.deepStrictEqual(yield* wire.rest, [])
          yield* TestClock.adjust(Duration.millis(50 * 2 ** (refusals - 1) * 0.6))
        }
        yield* wire.say({ id: (yield* wire.next).id ?? null, result: "in" })
        assert.strictEqual(yield* Fiber.join(fiber), "in")
      }))

    it.effect("is given up after the retries, and surely did not reach", () =>
      Effect.gen(function*() {
        const { peer: caller, wire } = yield* peer({}, { overloadRetries: 2 })
        const fiber = yield* Effect.forkChild(caller.call("a", null))
        for (let attempt = 0; attempt < 3; attempt++) {
          yield* wire.say({ id: (yield* wire.next).id ?? null, error: overloaded })
          yield* TestClock.adjust("1 seconds")
        }
        const reason = yield* reasonOf(fiber)
        assert(reason._tag === "Rejected")
        assert.isFalse(reason.mayHaveReached)
        assert.deepStrictEqual(yield* wire.rest, [])
      }))

    it.effect("is the only refusal that is tried again", () =>
      Effect.gen(function*() {
        const { peer: caller, wire } = yield* peer()
        for (const code of [-32700, -32600, -32601, -32602, -32603, -32000, -32002, 429]) {
          const fiber = yield* Effect.forkChild(caller.call("a", null))
          yield* wire.say({ id: (yield* wire.next).id ?? null, error: { code, message: overloaded.message } })
          assert.strictEqual((yield* reasonOf(fiber))._tag, "Rejected")
        }
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(yield* wire.rest, [])
      }))

    it.effect("leaves the place in flight to others meanwhile", () =>
      Effect.gen(function*() {
        const { peer: caller, wire } = yield* peer({}, { inFlight: 1 })
        yield* Effect.forkChild(caller.call("refused", null))
        yield* wire.say({ id: (yield* wire.next).id ?? null, error: overloaded })
        yield* Effect.forkChild(caller.call("other", null))
        assert.strictEqual((yield* wire.next).method, "other")
      }))
  })

  it.effect("at once on the wire are at most as many as the window", () =>
    Effect.gen(function*() {
      const { peer: caller, wire } = yield* peer()
      const fibers = yield* Effect.forEach(
        Array.from({ length: 70 }, (_, index) => index),
        (index) => Effect.forkChild(caller.call("a", index))
      )
      yield* Effect.yieldNow
      const window = yield* wire.rest
      assert.strictEqual(window.length, 64)
      yield* wire.say({ id: window[3]?.id ?? null, result: 3 })
      const [next] = yield* wire.take(1)
      assert.strictEqual(next?.params, 64)
      assert.deepStrictEqual(yield* wire.rest, [])
      assert.strictEqual(yield* Effect.flatMap(Effect.fromNullishOr(fibers[3]), Fiber.join), 3)
    }))

  it.effect("that are interrupted drop their answer and free their place", () =>
    Effect.gen(function*() {
      const { peer: caller, wire, diagnostics } = yield* peer({}, { inFlight: 1 })
      const fiber = yield* Effect.forkChild(caller.call("a", null))
      yield* wire.next
      yield* Fiber.interrupt(fiber)
      yield* wire.say({ id: 1, result: "late" })
      const next = yield* Effect.forkChild(caller.call("b", null))
      const { id } = yield* wire.next
      assert.notStrictEqual(id, 1)
      yield* wire.say({ id: id ?? null, result: "own" })
      assert.strictEqual(yield* Fiber.join(next), "own")
      assert.deepStrictEqual(diagnostics, [{ _tag: "UnmatchedReply", id: 1 }])
    }))

  describe("answers that cannot be read", () => {
    const cases: ReadonlyArray<readonly [name: string, frame: string | Unreadable]> = [
      ["a frame over the limit", new Unreadable("size", 1_000_000, "{\"id\":1,\"result\":{\"data\":\"xxx")],
      ["a frame that is not UTF-8", new Unreadable("utf8", 100, "{\"id\":1,\"result\":\"\ufffd\"}")],
      ["an error without a code", "{\"id\":1,\"error\":{\"message\":\"no\"}}"],
      ["neither result nor error", "{\"id\":1}"]
    ]
    for (const [name, frame] of cases) {
      it.effect(`fail their call and no other: ${name}`, () =>
        Effect.gen(function*() {
          const { peer: caller, wire, diagnostics } = yield* peer()
          const [hit, spared] = yield* Effect.all([
            Effect.forkChild(caller.call("hit", null)),
            Effect.forkChild(caller.call("spared", null))
          ])
          yield* wire.take(2)
          yield* wire.inject(frame)
          const reason = yield* reasonOf(hit)
          assert(reason._tag === "MalformedReply")
          assert.strictEqual(reason.method, "hit")
          assert.isTrue(reason.mayHaveReached)
          assert.strictEqual(diagnostics.length, 1)
          yield* wire.say({ id: 2, result: "fine" })
          assert.strictEqual(yield* Fiber.join(spared), "fine")
        }))
    }

    it.effect("leave calls alone when they answer none: noise, ids of nobody, requests", () =>
      Effect.gen(function*() {
        const { peer: caller, wire, diagnostics } = yield* peer()
        const fiber = yield* Effect.forkChild(caller.call("a", null))
        yield* wire.next
        yield* wire.inject(
          "not json",
          "[{\"id\":1,\"result\":1}]",
          "{\"id\":null,\"result\":1}",
          "{\"id\":true,\"result\":1}",
          "{\"id\":1,\"method\":7}",
          "{\"id\":77,\"result\":1}",
          "{\"error\":{\"code\":-32700,\"message\":\"?\"}}",
          new Unreadable("noise", 30, "Welcome to the shell"),
          new Unreadable("size", 30, "{\"method\":\"item/tool/call\",\"id\":1,\"params\":{"),
          new Unreadable("size", 30, "{\"method\":\"x\",\"params\":{\"id\":1,"),
          "{\"id\":1,\"result\":\"fine\"}"
        )
        assert.strictEqual(yield* Fiber.join(fiber), "fine")
        assert.strictEqual(diagnostics.length, 10)
      }))
  })

  describe("the end of the connection", () => {
    it.effect("fails calls that wait, which may have reached, and later ones at once, which have not", () =>
      Effect.gen(function*() {
        const { peer: caller, wire } = yield* peer()
        const waiting = yield* Effect.forEach(["a", "b"], (method) => Effect.forkChild(caller.call(method, null)))
        yield* wire.take(2)
        yield* wire.end.cut("pulled")
        for (const fiber of waiting) {
          const reason = yield* reasonOf(fiber)
          assert(reason._tag === "Disconnected")
          assert.isTrue(reason.mayHaveReached)
          assert.include(reason.message, "pulled")
        }
        const later = yield* Effect.flip(caller.call("late", null))
        assert.strictEqual(later.reason._tag, "Disconnected")
        assert.isFalse(later.mayHaveReached)
        assert.isFalse((yield* Effect.flip(caller.notify("late"))).mayHaveReached)
        assert.strictEqual((yield* caller.closed).reason._tag, "Closed")
      }))

    it.effect("fails calls that wait for a place in flight, which have not reached", () =>
      Effect.gen(function*() {
        const { peer: caller, wire } = yield* peer({}, { inFlight: 1 })
        yield* Effect.forkChild(Effect.ignore(caller.call("a", null)))
        yield* wire.next
        const second = yield* Effect.forkChild(caller.call("b", null))
        yield* wire.end.cut()
        const reason = yield* reasonOf(second)
        assert(reason._tag === "Disconnected")
        assert.isFalse(reason.mayHaveReached)
      }))

    it.effect("delivers the answers that came before it", () =>
      Effect.gen(function*() {
        const { peer: caller, wire } = yield* peer()
        const fiber = yield* Effect.forkChild(caller.call("a", null))
        yield* wire.next
        yield* wire.say({ id: 1, result: "just in time" })
        yield* wire.end.close
        assert.strictEqual(yield* Fiber.join(fiber), "just in time")
      }))

    it.effect("comes with the end of the peer's scope", () =>
      Effect.gen(function*() {
        const [near, far] = yield* MemoryTransport.pair
        const scope = yield* Scope.make()
        const handlers = { onNotification: () => {}, onRequest: () => Effect.never, onDiagnostic: () => {} }
        const caller = yield* Scope.provide(Peer.make(near, handlers), scope)
        const fiber = yield* Effect.forkChild(caller.call("a", null))
        yield* far.receive
        yield* Scope.close(scope, Exit.void)
        assert.strictEqual((yield* reasonOf(fiber))._tag, "Disconnected")
        assert.strictEqual((yield* caller.closed).reason._tag, "Closed")
        assert.isFalse((yield* Effect.flip(caller.call("b", null))).mayHaveReached)
      }))

    it.effect("comes with the death of the reader, so that nobody waits for it", () =>
      Effect.gen(function*() {
        const { peer: caller, wire } = yield* peer({
          onDiagnostic: () => {
            throw new Error("broken sink")
          }
        })
        const fiber = yield* Effect.forkChild(caller.call("a", null))
        yield* wire.next
        yield* wire.inject("not json")
        const reason = yield* reasonOf(fiber)
        assert.strictEqual(reason._tag, "Disconnected")
        assert.include(reason.message, "broken sink")
      }))
  })

  describe("lone surrogates", () => {
    const samples = ["\ud83d", "a\udc00b", "\\ud83d", "\\\ud83d", "\\\\\udfff\\n", "😀 fine", "\"\ud800\""]

    it.effect("never reach the wire, where the other side refuses them", () =>
      Effect.gen(function*() {
        const { peer: caller, wire } = yield* peer()
        for (const sample of samples) {
          yield* caller.notify("say", { text: sample, [sample]: 1 })
          const { params } = yield* wire.next
          const expected = sample.toWellFormed()
          assert.deepStrictEqual(params, { text: expected, [expected]: 1 })
        }
        for (const text of wire.texts) assert.notMatch(text.replaceAll("\\\\", ""), /\\ud[89a-f]/i)
      }))

    it.effect.prop(
      "and all other text arrives as it was",
      [Arbitrary.schema(Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff }))))],
      Effect.fnUntraced(function*([units]) {
        const { peer: caller, wire } = yield* peer()
        const text = String.fromCharCode(...units)
        yield* caller.notify("say", { text })
        assert.deepStrictEqual((yield* wire.next).params, { text: text.toWellFormed() })
      })
    )
  })
})
