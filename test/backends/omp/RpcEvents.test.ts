import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { HandshakeFailed } from "../../../src/agent/AgentError.ts"
import { agentError } from "../../../src/backends/omp/internal/Errors.ts"
import { type RpcEvent, RpcEvents } from "../../../src/backends/omp/internal/RpcEvents.ts"

const delta = (delta: string, contentIndex = 0, type = "text_delta"): RpcEvent => ({
  _tag: "Frame",
  frame: { type: "message_update", assistantMessageEvent: { type, contentIndex, delta } }
})
const output = (toolCallId: string, text: string): RpcEvent => ({
  _tag: "Frame",
  frame: { type: "tool_execution_update", toolCallId, text }
})
const frame = (type: string): RpcEvent => ({ _tag: "Frame", frame: { type } })

const drain = (events: RpcEvents) => Stream.runCollect(events.stream)

describe("RpcEvents", () => {
  it.effect("gives everything in order, then the end", () =>
    Effect.gen(function*() {
      const events = new RpcEvents()
      const all = [frame("agent_start"), delta("a"), delta("b"), frame("agent_end")]
      const reader = yield* Effect.forkChild(drain(events))
      yield* Effect.yieldNow
      all.forEach((event) => events.offer(event))
      events.end()
      events.offer(frame("late"))
      assert.deepStrictEqual(yield* Fiber.join(reader), all)
    }))

  it.effect("merges what belongs together once it waits for long, and nothing else", () =>
    Effect.gen(function*() {
      const events = new RpcEvents({ mergeAbove: 0 })
      const given = [
        delta("a"),
        delta("b"),
        delta("c", 1),
        delta("d", 1, "thinking_delta"),
        frame("turn_end"),
        frame("turn_end"),
        output("x", "1"),
        output("x", "12"),
        output("y", "1")
      ]
      given.forEach((event) => events.offer(event))
      events.end()
      assert.deepStrictEqual(yield* drain(events), [
        delta("ab"),
        delta("c", 1),
        delta("d", 1, "thinking_delta"),
        frame("turn_end"),
        frame("turn_end"),
        output("x", "12"),
        output("y", "1")
      ])
    }))

  it.effect.prop(
    "loses no text, however it merges",
    [Schema.Array(Schema.String), Schema.Boolean],
    ([texts, merge]) =>
      Effect.gen(function*() {
        const events = new RpcEvents({ mergeAbove: merge ? 1 : 1000 })
        texts.forEach((text) => events.offer(delta(text)))
        events.end()
        const seen = yield* drain(events)
        const texted = seen.map((event) =>
          event._tag === "Frame" ? (event.frame["assistantMessageEvent"] as { delta: string }).delta : ""
        )
        assert.strictEqual(texted.join(""), texts.join(""))
      })
  )

  it.effect("tells a reader that it is too slow, by the number of events and by their size", () =>
    Effect.gen(function*() {
      for (const options of [{ limit: 2 }, { characters: 20 }]) {
        const events = new RpcEvents(options)
        for (let n = 0; n < 10; n++) events.offer(frame("turn_start"), 10)
        const seen: Array<RpcEvent> = []
        const error = yield* events.stream.pipe(
          Stream.runForEach((event) => Effect.sync(() => seen.push(event))),
          Effect.flip
        )
        assert.strictEqual(seen.length, 2)
        assert.strictEqual(error.reason._tag, "ReaderTooSlow")
      }
    }))

  it.effect("takes a single event of any size", () =>
    Effect.gen(function*() {
      const events = new RpcEvents({ characters: 10 })
      events.offer(frame("agent_end"), 1000)
      events.end()
      assert.deepStrictEqual(yield* drain(events), [frame("agent_end")])
    }))

  it.effect("fails behind what was waiting", () =>
    Effect.gen(function*() {
      const events = new RpcEvents()
      const error = agentError(new HandshakeFailed({ detail: "gone" }))
      events.offer(frame("agent_start"))
      events.end(error)
      events.end()
      const seen: Array<RpcEvent> = []
      const failure = yield* Effect.flip(
        Stream.runForEach(events.stream, (event) => Effect.sync(() => seen.push(event)))
      )
      assert.deepStrictEqual(seen, [frame("agent_start")])
      assert.strictEqual(failure, error)
    }))
})
