import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as FileSystem from "effect/FileSystem"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import * as OmpRpc from "../../../src/backends/omp/OmpRpc.ts"
import * as MemoryTransport from "../../../src/transport/MemoryTransport.ts"
import { deaf, kinds, watch } from "./support/omp.ts"

interface Sent {
  readonly id: string
  readonly type: string
  readonly [key: string]: unknown
}

const state = { sessionId: "s", isStreaming: false, isCompacting: false, messageCount: 0, queuedMessageCount: 0 }

/** The other end: answers the greeting; everything after that is the test's. */
const start = Effect.fnUntraced(function*(
  handlers: Partial<OmpRpc.RpcHandlers> = {},
  options: OmpRpc.OmpRpcOptions = {}
) {
  const [ours, theirs] = yield* MemoryTransport.pair
  const received = yield* Queue.unbounded<Sent>()
  const send = (...frames: ReadonlyArray<object>) =>
    Effect.forEach(frames, (frame) => Effect.ignore(theirs.send([JSON.stringify(frame)])), { discard: true })
  const answer = ({ id, type }: Sent, data?: unknown) =>
    send({ id, type: "response", command: type, success: true, data })
  const refuse = ({ id, type }: Sent, error: string, code?: string) =>
    send({ id, type: "response", command: type, success: false, error, code })
  yield* theirs.receive.pipe(
    Effect.flatMap((frames) =>
      Effect.forEach(frames, (frame) => {
        const sent: Sent = JSON.parse(String(frame))
        if (sent.type === "negotiate_protocol") return answer(sent, { protocolVersion: 2 })
        if (sent.type === "get_state" && sent.id === "request-2") return answer(sent, state)
        return Queue.offer(received, sent)
      })
    ),
    Effect.forever,
    Effect.ignore,
    Effect.forkScoped
  )
  yield* send({ type: "ready", protocolVersion: 1, supportedProtocolVersions: [1, 2] })
  const omp = yield* OmpRpc.fromTransport(ours, options, { ...deaf, ...handlers })
  const events = yield* watch(omp)
  return { omp, events, theirs, send, answer, refuse, next: Queue.take(received), received }
})

const select = (id: string, more: object = {}) => ({
  type: "extension_ui_request",
  id,
  method: "select",
  title: "Allow tool: bash",
  options: ["Approve", "Deny"],
  ...more
})

const settle = Effect.yieldNow.pipe(Effect.repeat({ times: 20 }))

const test = <A, E>(name: string, body: () => Effect.Effect<A, E, Scope.Scope | FileSystem.FileSystem>) =>
  it.effect(name, () => Effect.provide(body(), NodeFileSystem.layer))

describe("RpcPeer", () => {
  describe("a request", () => {
    test("is answered by what has its id, in any order", () =>
      Effect.gen(function*() {
        const { answer, next, omp } = yield* start()
        const first = yield* Effect.forkChild(omp.request({ type: "bash", command: "sleep 9" }))
        const second = yield* Effect.forkChild(omp.request({ type: "get_last_assistant_text" }))
        const [one, two] = [yield* next, yield* next]
        yield* answer(two, { text: "said" })
        assert.deepStrictEqual(yield* Fiber.join(second), { text: "said" })
        yield* answer(one, { output: "x", exitCode: 0, cancelled: false })
        assert.deepStrictEqual(yield* Fiber.join(first), { output: "x", exitCode: 0, cancelled: false })
      }))

    test("that is refused fails with the reason", () =>
      Effect.gen(function*() {
        const { next, omp, refuse } = yield* start()
        for (
          const [error, code, tag] of [
            ["Model not found: a/b", undefined, "Rejected"],
            ["Session is busy", "session_busy", "SessionBusy"],
            ["Agent is already processing. Use steer()", undefined, "SessionBusy"]
          ] as const
        ) {
          const fiber = yield* Effect.forkChild(Effect.flip(omp.request({ type: "get_messages" })))
          yield* refuse(yield* next, error, code)
          const { reason } = yield* Fiber.join(fiber)
          assert.strictEqual(reason._tag, tag)
          assert.include(reason.message, error)
        }
      }))

    test("of a kind that omp does not know is refused, although the answer has no id", () =>
      Effect.gen(function*() {
        const { next, omp, send } = yield* start()
        const fiber = yield* Effect.forkChild(Effect.flip(omp.request({ type: "abort_retry" })))
        yield* next
        yield* send({ type: "response", command: "abort_retry", success: false, error: "Unknown command: abort_retry" })
        assert.strictEqual((yield* Fiber.join(fiber)).reason._tag, "Rejected")
      }))

    test("that nobody answers fails at its deadline, and a late answer is of no harm", () =>
      Effect.gen(function*() {
        const { answer, next, omp } = yield* start()
        const fiber = yield* Effect.forkChild(
          Effect.flip(omp.request({ type: "get_state" }, { deadline: "5 seconds" }))
        )
        const sent = yield* next
        yield* TestClock.adjust("5 seconds")
        const { reason } = yield* Fiber.join(fiber)
        assert.deepInclude(reason, { _tag: "TimedOut", operation: "get_state", after: 5000, mayHaveReached: true })
        yield* answer(sent, state)
        const again = yield* Effect.forkChild(omp.request({ type: "get_state" }, { deadline: Duration.infinity }))
        yield* answer(yield* next, { ...state, messageCount: 3 })
        assert.strictEqual((yield* Fiber.join(again)).messageCount, 3)
      }))

    test("whose answer does not fit fails with that", () =>
      Effect.gen(function*() {
        const { answer, next, omp } = yield* start()
        const fiber = yield* Effect.forkChild(Effect.flip(omp.request({ type: "get_state" })))
        yield* answer(yield* next, { sessionId: 7 })
        assert.deepInclude((yield* Fiber.join(fiber)).reason, { _tag: "MalformedReply", method: "get_state" })
      }))

    test("that fails after it was answered is told of by an event with its id", () =>
      Effect.gen(function*() {
        const { answer, events, next, omp, refuse } = yield* start()
        const fiber = yield* Effect.forkChild(omp.request({ type: "prompt", message: "hi" }, { requestId: "p1" }))
        const sent = yield* next
        assert.strictEqual(sent.id, "p1")
        yield* answer(sent)
        yield* Fiber.join(fiber)
        yield* refuse(sent, "Agent is already processing.")
        const event = yield* events.until((event) => event._tag === "FailedLater")
        assert.deepInclude(event, { requestId: "p1", command: "prompt" })
        assert.strictEqual(event._tag === "FailedLater" ? event.error.reason._tag : "", "SessionBusy")
      }))

    test("has a place among the events where it was answered", () =>
      Effect.gen(function*() {
        const { answer, events, next, omp, send } = yield* start()
        const fiber = yield* Effect.forkChild(omp.request({ type: "abort" }))
        const sent = yield* next
        yield* send({ type: "agent_start" }, { type: "agent_end" })
        yield* answer(sent)
        yield* send({ type: "of_another_version" })
        yield* Fiber.join(fiber)
        yield* events.until((event) => event._tag === "Frame" && event.frame.type === "of_another_version")
        assert.deepStrictEqual(kinds(events.seen), [
          "Answered",
          "Answered",
          "agent_start",
          "agent_end",
          "Answered",
          "of_another_version"
        ])
      }))
  })

  describe("a dialog", () => {
    test("is answered by the handler, each kind in its way", () =>
      Effect.gen(function*() {
        const asked: Array<OmpRpc.Dialog> = []
        const { next, send } = yield* start({
          onDialog: (dialog) =>
            Effect.sync((): OmpRpc.DialogAnswer => {
              asked.push(dialog)
              if (dialog.method === "confirm") return { _tag: "Confirmed", confirmed: true }
              return dialog.method === "editor" ? { _tag: "Cancelled" } : { _tag: "Value", value: "Approve" }
            })
        })
        const type = "extension_ui_request"
        yield* send(
          select("1"),
          { type, id: "2", method: "confirm", title: "Sure?", message: "Really" },
          { type, id: "3", method: "input", title: "Name" },
          { type, id: "4", method: "editor", title: "Text", prefill: "x" }
        )
        const answers = [yield* next, yield* next, yield* next, yield* next]
        const answered = "extension_ui_response"
        assert.deepStrictEqual<ReadonlyArray<unknown>>(answers, [
          { type: answered, id: "1", value: "Approve" },
          { type: answered, id: "2", confirmed: true },
          { type: answered, id: "3", value: "Approve" },
          { type: answered, id: "4", cancelled: true }
        ])
        assert.deepStrictEqual(asked.map(({ method }) => method), ["select", "confirm", "input", "editor"])
      }))

    test("that omp takes back interrupts the handler and gets no answer", () =>
      Effect.gen(function*() {
        const interrupted = yield* Deferred.make<void>()
        const { received, send } = yield* start({
          onDialog: () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
        })
        yield* send(select("1"), { type: "extension_ui_request", id: "x", method: "cancel", targetId: "1" })
        yield* Deferred.await(interrupted)
        yield* settle
        assert.strictEqual(received.state._tag === "Done" ? -1 : yield* Queue.size(received), 0)
      }))

    test("is answered by nobody when the run is aborted, before omp reads of the abort", () =>
      Effect.gen(function*() {
        const interrupted = yield* Deferred.make<void>()
        const { answer, next, omp, received, send } = yield* start({
          onDialog: (dialog) =>
            dialog.id === "3"
              ? Effect.succeed({ _tag: "Value", value: "Approve" })
              : Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
        })
        yield* send(select("1"))
        yield* settle
        const abort = yield* Effect.forkChild(omp.request({ type: "abort" }))
        assert.deepInclude(yield* next, { type: "extension_ui_response", id: "1", cancelled: true })
        const sent = yield* next
        assert.strictEqual(sent.type, "abort")
        yield* Deferred.await(interrupted)
        // The next call of a tool in the same message.
        yield* send(select("2"))
        assert.deepInclude(yield* next, { id: "2", cancelled: true })
        yield* answer(sent)
        yield* Fiber.join(abort)
        yield* send(select("3"))
        assert.deepInclude(yield* next, { id: "3", value: "Approve" })
        assert.strictEqual(yield* Queue.size(received), 0)
      }))

    test("with a time limit is answered by nobody when it is over", () =>
      Effect.gen(function*() {
        const { next, send } = yield* start({ onDialog: () => Effect.never })
        yield* send(select("1", { timeout: 3000 }))
        yield* settle
        yield* TestClock.adjust("3 seconds")
        assert.deepInclude(yield* next, { id: "1", cancelled: true })
      }))

    test("whose handler breaks is answered by nobody, and told of", () =>
      Effect.gen(function*() {
        const { events, next, send } = yield* start({ onDialog: () => Effect.die(new Error("oops")) })
        yield* send(select("1"))
        assert.deepInclude(yield* next, { id: "1", cancelled: true })
        const event = yield* events.until((event) => event._tag === "Warning")
        assert.include(event._tag === "Warning" ? event.detail : "", "oops")
      }))

    test("whose handler is interrupted by somebody else is answered by nobody", () =>
      Effect.gen(function*() {
        const { next, send } = yield* start({ onDialog: () => Effect.interrupt })
        yield* send(select("1"))
        assert.deepInclude(yield* next, { id: "1", cancelled: true })
      }))

    test("that cannot be read is answered by nobody, and told of", () =>
      Effect.gen(function*() {
        const { events, next, send } = yield* start()
        yield* send(select("1", { options: "all" }))
        assert.deepInclude(yield* next, { id: "1", cancelled: true })
        yield* events.until((event) => event._tag === "Warning")
      }))

    test("that needs no answer is an event", () =>
      Effect.gen(function*() {
        const { events, send } = yield* start()
        const frame = { type: "extension_ui_request", id: "1", method: "notify", message: "hi" }
        yield* send(frame)
        assert.deepStrictEqual(
          yield* events.until((event) => event._tag === "Frame"),
          { _tag: "Frame", frame }
        )
      }))
  })

  describe("a call of a host's tool", () => {
    const call = { type: "host_tool_call", id: "h1", toolCallId: "c1", toolName: "lookup", arguments: { q: 1 } }

    test("runs with updates, and is answered", () =>
      Effect.gen(function*() {
        const { next, send } = yield* start({
          onHostTool: (call, update) =>
            Effect.as(update({ content: [{ type: "text", text: "half" }] }), {
              content: [{ type: "text", text: `${call.toolName} ${JSON.stringify(call.arguments)}` }],
              details: { k: 1 }
            })
        })
        yield* send(call)
        assert.deepStrictEqual<unknown>(yield* next, {
          type: "host_tool_update",
          id: "h1",
          partialResult: { content: [{ type: "text", text: "half" }] }
        })
        assert.deepStrictEqual<unknown>(yield* next, {
          type: "host_tool_result",
          id: "h1",
          result: { content: [{ type: "text", text: `lookup {"q":1}` }], details: { k: 1 } }
        })
      }))

    test("that omp takes back is interrupted; one that breaks or cannot be read is an error of the tool", () =>
      Effect.gen(function*() {
        const interrupted = yield* Deferred.make<void>()
        const { next, send } = yield* start({
          onHostTool: ({ id }) =>
            id === "h1"
              ? Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
              : Effect.die("broken")
        })
        yield* send(call, { type: "host_tool_cancel", id: "x", targetId: "h1" })
        yield* Deferred.await(interrupted)
        yield* send({ ...call, id: "h2" }, { type: "host_tool_call", id: "h3" })
        // The refusal needs no handler, and may be the first.
        const answers = [yield* next, yield* next].toSorted((a, b) => a.id.localeCompare(b.id))
        assert.deepStrictEqual(answers.map(({ id, isError }) => [id, isError]), [["h2", true], ["h3", true]])
      }))
  })

  describe("the end", () => {
    test("fails what waits and what comes after, and interrupts handlers", () =>
      Effect.gen(function*() {
        const interrupted = yield* Deferred.make<void>()
        const { next, omp, send, theirs } = yield* start({
          onDialog: () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
        })
        yield* send(select("1"))
        const waiting = yield* Effect.forkChild(Effect.flip(omp.request({ type: "get_state" })))
        yield* next
        yield* theirs.cut("out of power")
        assert.deepInclude((yield* Fiber.join(waiting)).reason, {
          _tag: "AgentDied",
          detail: "out of power",
          mayHaveReached: true
        })
        yield* Deferred.await(interrupted)
        assert.strictEqual((yield* omp.ended).reason._tag, "AgentDied")
        const late = yield* Effect.flip(omp.request({ type: "get_state" }))
        assert.deepInclude(late.reason, { _tag: "AgentDied", mayHaveReached: false })
      }))

    test("comes when a frame is lost, because somebody may wait for it", () =>
      Effect.gen(function*() {
        const { omp, send } = yield* start()
        yield* send({ type: "rpc_chunk", chunkId: "c", index: 3, count: 4, byteLength: 9, data: "eyJ0" })
        assert.strictEqual((yield* omp.ended).reason._tag, "MalformedReply")
      }))
  })

  describe("the start", () => {
    test("is given up after its deadline", () =>
      Effect.gen(function*() {
        const [ours] = yield* MemoryTransport.pair
        const fiber = yield* Effect.forkChild(Effect.flip(OmpRpc.fromTransport(ours, {}, deaf)))
        yield* settle
        yield* TestClock.adjust("30 seconds")
        const { reason } = yield* Fiber.join(fiber)
        assert.deepInclude(reason, { _tag: "HandshakeFailed", detail: "omp was not ready within 30s" })
      }))
  })
})
