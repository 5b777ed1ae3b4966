import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { ThreadRouter, type ThreadSink } from "../../../src/backends/codex/internal/ThreadRouter.ts"
import { Closed, TransportError } from "../../../src/transport/TransportError.ts"
import { delta, notification, request, turnCompleted, turnStarted } from "./support/messages.ts"

const gone = new TransportError({ reason: new Closed({ target: "codex", detail: "gone" }) })

/** A sink that notes in words what it gets. */
const sink = () => {
  const got: Array<string> = []
  const made: ThreadSink = {
    onNotification: (message) =>
      got.push(message.method === "item/agentMessage/delta" ? message.params.delta : message.method),
    onUnrecognized: (method) => got.push(`?${method}`),
    onClosed: (error) => got.push(error.message),
    onRequest: (asked, requestId) => {
      got.push(`${asked.method} ${requestId}`)
      return Effect.succeed(requestId)
    }
  }
  return { got, sink: made }
}

const say = (router: ThreadRouter, threadId: string, text: string) =>
  router.deliver(delta("i", text, "turn-1", threadId))

const toolCall = (threadId: string) =>
  request("item/tool/call", { threadId, turnId: "u", callId: "c", tool: "look", arguments: {} })

describe("ThreadRouter", () => {
  it("brings what is said to the session of the thread, and to no other", () => {
    const router = new ThreadRouter()
    const [a, b] = [sink(), sink()]
    router.claim("a", a.sink)
    router.claim("b", b.sink)
    say(router, "a", "1")
    say(router, "b", "2")
    router.deliver(turnCompleted("completed", {}, "b"))
    router.unrecognized("new/thing", { threadId: "a" }, "unknown")
    router.unrecognized("new/thing", { threadId: "nobody" }, "unknown")
    router.unrecognized("new/thing", null, "unknown")
    assert.deepStrictEqual(a.got, ["1", "?new/thing"])
    assert.deepStrictEqual(b.got, ["2", "turn/completed"])
  })

  it("finds the thread in its own object, and says what concerns none", () => {
    const router = new ThreadRouter()
    const warning = { summary: "s", details: null }
    assert.isFalse(router.deliver(notification("configWarning", warning)))
    assert.isTrue(router.deliver(turnStarted("u", "a")))
  })

  it("keeps what comes before the claim, in order", () => {
    const router = new ThreadRouter()
    const a = sink()
    router.deliver(turnStarted("u", "a"))
    say(router, "a", "1")
    say(router, "other", "x")
    router.claim("a", a.sink)
    say(router, "a", "2")
    assert.deepStrictEqual(a.got, ["turn/started", "1", "2"])
  })

  it("keeps a bounded part of it, for a bounded number of threads", () => {
    const router = new ThreadRouter()
    for (let index = 0; index < 1000; index++) say(router, "a", String(index))
    const a = sink()
    router.claim("a", a.sink)
    assert.strictEqual(a.got.length, 256)
    assert.strictEqual(a.got[255], "255")
    for (let index = 0; index < 100; index++) say(router, `t${index}`, "x")
    const [oldest, newest] = [sink(), sink()]
    router.claim("t0", oldest.sink)
    router.claim("t99", newest.sink)
    assert.deepStrictEqual(oldest.got, [])
    assert.deepStrictEqual(newest.got, ["x"])
  })

  it("keeps a child's words apart from its parent, before and after it is known to be one", () => {
    const router = new ThreadRouter()
    const parent = sink()
    router.claim("parent", parent.sink)
    say(router, "child", "early")
    router.adopt("child", "parent")
    say(router, "child", "late")
    router.deliver(turnCompleted("completed", {}, "child"))
    assert.deepStrictEqual(parent.got, [])
    // Nor are they kept: nobody will ask for them.
    const child = sink()
    router.claim("child", child.sink)
    assert.deepStrictEqual(child.got, [])
  })

  it.effect("asks the host of the thread, or of the one that started it, however far up", () =>
    Effect.gen(function*() {
      const router = new ThreadRouter()
      const parent = sink()
      router.claim("parent", parent.sink)
      router.adopt("child", "parent")
      router.adopt("grandchild", "child")
      assert.strictEqual(yield* router.request(toolCall("parent"), "0"), "0")
      assert.strictEqual(yield* router.request(toolCall("child"), "1"), "1")
      assert.strictEqual(yield* router.request(toolCall("grandchild"), "2"), "2")
      assert.deepStrictEqual(parent.got, ["item/tool/call 0", "item/tool/call 1", "item/tool/call 2"])
    }))

  it.effect("is not lost in a circle of threads", () =>
    Effect.gen(function*() {
      const router = new ThreadRouter()
      router.adopt("a", "b")
      router.adopt("b", "a")
      router.adopt("c", "c")
      const fiber = yield* Effect.forkChild(Effect.flip(router.request(toolCall("a"), "0")))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).code, -32600)
    }))

  it.effect("lets a request wait for the claim of its thread, or of its parent", () =>
    Effect.gen(function*() {
      const router = new ThreadRouter()
      const [own, parent] = [sink(), sink()]
      const fibers = yield* Effect.forEach(["a", "child"], (threadId) =>
        Effect.forkChild(router.request(toolCall(threadId), threadId)))
      yield* TestClock.adjust("9 seconds")
      router.claim("a", own.sink)
      router.claim("parent", parent.sink)
      router.adopt("child", "parent")
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), ["a", "child"])
      assert.deepStrictEqual(parent.got, ["item/tool/call child"])
    }))

  it.effect("answers a request that nobody claims after ten seconds, and one without a thread at once", () =>
    Effect.gen(function*() {
      const router = new ThreadRouter()
      const fiber = yield* Effect.forkChild(Effect.flip(router.request(toolCall("a"), "0")))
      yield* TestClock.adjust("10 seconds")
      const failure = yield* Fiber.join(fiber)
      assert.include(failure.message, "thread not found: a")
      const refresh = request("account/chatgptAuthTokens/refresh", { reason: "unauthorized" })
      assert.strictEqual((yield* Effect.flip(router.request(refresh, "1"))).code, -32601)
    }))

  it("lets go of a thread, and not of its next owner", () => {
    const router = new ThreadRouter()
    const [first, second] = [sink(), sink()]
    const release = router.claim("a", first.sink)
    release()
    assert.isUndefined(router.holder("a"))
    router.claim("a", second.sink)
    release()
    assert.strictEqual(router.holder("a"), second.sink)
    say(router, "a", "1")
    assert.deepStrictEqual(first.got, [])
    assert.deepStrictEqual(second.got, ["1"])
  })

  it("tells every session of the end, those that come late too, once", () => {
    const router = new ThreadRouter()
    const [a, late] = [sink(), sink()]
    router.claim("a", a.sink)
    router.close(gone)
    router.claim("late", late.sink)
    assert.deepStrictEqual(a.got, [gone.message])
    assert.deepStrictEqual(late.got, [gone.message])
  })
})
