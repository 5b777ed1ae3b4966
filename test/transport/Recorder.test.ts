import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import * as NodeFs from "node:fs"
import * as NodeOs from "node:os"
import * as NodePath from "node:path"
import * as MemoryTransport from "../../src/transport/MemoryTransport.ts"
import * as Recorder from "../../src/transport/Recorder.ts"
import { Transport, Unreadable } from "../../src/transport/Transport.ts"

const lines = (text: string): Array<unknown> =>
  text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))

/** A scope that the test closes itself, to see what is written by then. */
const recorded = Effect.fnUntraced(function*(sink: Recorder.Sink) {
  const [near, far] = yield* MemoryTransport.make({ targets: ["near", "far"] })
  const scope = yield* Scope.make()
  const transport = yield* Recorder.record(near, sink).pipe(Scope.provide(scope))
  return { transport, far, finish: Scope.close(scope, Exit.void) }
})

/** Collects what is logged. */
const logged = () => {
  const messages: Array<string> = []
  const logger = Logger.make(({ message }) => {
    messages.push(String(message))
  })
  return { messages, layer: Logger.layer([logger]) }
}

describe("Recorder", () => {
  it.effect("writes both directions with times, redacted, and the end with its reason", () =>
    Effect.gen(function*() {
      let text = ""
      const { far, finish, transport } = yield* recorded((chunk) => Effect.sync(() => text += chunk))
      yield* transport.send([
        JSON.stringify({ id: 1, params: { apiKey: "hunter2hunter2" } }),
        "{ no JSON token=hunter2"
      ])
      yield* TestClock.adjust("1500 millis")
      yield* far.send([JSON.stringify({ id: 1, result: "Bearer hunter2hunter2" })])
      yield* transport.receive
      yield* far.cut("gone")
      yield* Effect.flip(transport.receive)
      yield* Effect.flip(transport.receive)
      yield* finish
      assert.notInclude(text, "hunter2")
      assert.deepStrictEqual(lines(text), [
        { dir: "meta", t: 0, event: "open", target: "near" },
        { dir: "out", t: 0, msg: { id: 1, params: { apiKey: "[redacted]" } } },
        { dir: "out", t: 0, msg: "{ no JSON token=[redacted]" },
        { dir: "in", t: 1500, msg: { id: 1, result: "Bearer [redacted]" } },
        { dir: "meta", t: 1500, event: "close", reason: "Closed", detail: "near closed: gone" }
      ])
    }))

  it.effect("writes frames that could not be read, and a close by its own side", () =>
    Effect.gen(function*() {
      let text = ""
      const { finish, transport, far } = yield* recorded((chunk) => Effect.sync(() => text += chunk))
      yield* far.send(["{}"])
      yield* transport.receive
      yield* finish
      const [, first, last] = lines(text)
      assert.deepStrictEqual(first, { dir: "in", t: 0, msg: {} })
      assert.deepInclude(last, { dir: "meta", event: "close", reason: "Scope" })
    }))

  it.effect("a broken sink is reported once and does not disturb the wire", () => {
    const log = logged()
    return Effect.gen(function*() {
      let calls = 0
      const { far, finish, transport } = yield* recorded(() =>
        Effect.suspend(() => {
          calls += 1
          return Effect.fail("disk full")
        })
      )
      for (let n = 0; n < 10; n++) {
        yield* transport.send([`{"n":${n}}`])
        assert.deepStrictEqual(yield* far.receive, [`{"n":${n}}`])
        yield* Effect.yieldNow
      }
      yield* finish
      assert.strictEqual(calls, 1)
      assert.strictEqual(log.messages.filter((message) => message.includes("has stopped")).length, 1)
    }).pipe(Effect.provide(log.layer))
  })

  it.effect("a slow sink makes gaps, never a slow wire, and the gaps are written down", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      let text = ""
      const { far, finish, transport } = yield* recorded((chunk) =>
        Effect.andThen(Deferred.await(gate), Effect.sync(() => text += chunk))
      )
      for (let n = 0; n < 6000; n++) {
        yield* transport.send([`{"n":${n}}`])
        yield* far.receive
      }
      yield* Deferred.succeed(gate, undefined)
      yield* finish
      const gap = lines(text).find((line) => JSON.stringify(line).includes("\"gap\""))
      assert.deepInclude(gap, { dir: "meta", event: "gap" })
      assert.match(JSON.stringify(gap), /"frames":(1[89]\d\d|2\d\d\d)}/)
    }))

  describe("layer", () => {
    const withDirectory = Effect.acquireRelease(
      Effect.sync(() => NodeFs.mkdtempSync(NodePath.join(NodeOs.tmpdir(), "recorder-"))),
      (directory) => Effect.sync(() => NodeFs.rmSync(directory, { recursive: true }))
    )

    const memory = Layer.effect(
      Transport,
      Effect.map(MemoryTransport.pair, ([left, right]): Transport["Service"] => ({ ...left, receive: right.receive }))
    )

    const useIn = (file: string) =>
      Effect.gen(function*() {
        const transport = yield* Transport
        yield* transport.send(["{\"loop\":1}"])
        return yield* transport.receive
      }).pipe(
        Effect.provide(Recorder.layer({ file })(memory).pipe(Layer.provide(NodeFileSystem.layer)))
      )

    it.effect("appends to a file that only its owner can read", () =>
      Effect.gen(function*() {
        const file = NodePath.join(yield* withDirectory, "wire.jsonl")
        NodeFs.writeFileSync(file, "{\"before\":true}\n", { mode: 0o644 })
        assert.deepStrictEqual(yield* useIn(file), ["{\"loop\":1}"])
        assert.strictEqual(NodeFs.statSync(file).mode & 0o777, 0o600)
        const written = lines(NodeFs.readFileSync(file, "utf8"))
        assert.deepStrictEqual(written.length, 5)
        assert.deepInclude(written[0], { before: true })
        assert.deepInclude(written[2], { dir: "out", msg: { loop: 1 } })
        assert.deepInclude(written[3], { dir: "in", msg: { loop: 1 } })
      }))

    it.effect("leaves the transport usable if the file cannot be opened, and says so", () => {
      const log = logged()
      return Effect.gen(function*() {
        const file = NodePath.join(yield* withDirectory, "missing", "wire.jsonl")
        assert.deepStrictEqual(yield* useIn(file), ["{\"loop\":1}"])
        assert.strictEqual(log.messages.filter((message) => message.includes("is not recorded")).length, 1)
      }).pipe(Effect.provide(log.layer))
    })
  })

  it.effect("writes what could not be read as such", () =>
    Effect.gen(function*() {
      let text = ""
      const [near] = yield* MemoryTransport.pair
      yield* Effect.scoped(Effect.gen(function*() {
        const transport = yield* Recorder.record(near, (chunk) => Effect.sync(() => text += chunk))
        yield* near.inject([new Unreadable("noise", 14, "token=hunter2x")])
        yield* transport.receive
      }))
      assert.deepStrictEqual(lines(text)[1], {
        dir: "in",
        t: 0,
        unreadable: { reason: "noise", bytes: 14, head: "token=[redacted]" }
      })
    }))
})
