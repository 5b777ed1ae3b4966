import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type AgentEvent, EventBuffer, type EventOf } from "../../src/agent/index.ts"

const warning = (message: string): AgentEvent => ({ _tag: "Warning", code: "test", message })

const delta = (text: string, itemId = "item"): AgentEvent => ({
  _tag: "ItemDelta",
  itemId,
  field: "text",
  index: 0,
  delta: text
})

const end: AgentEvent = { _tag: "TurnEnded", outcome: { _tag: "Completed" } }

const textOf = (events: ReadonlyArray<AgentEvent>): string =>
  events.flatMap((event) => event._tag === "ItemDelta" ? [event.delta] : []).join("")

/** Merges all adjacent deltas of one text: what must be the same however the buffer merged. */
const merged = (events: ReadonlyArray<AgentEvent>): ReadonlyArray<AgentEvent> => {
  const out: Array<AgentEvent> = []
  for (const event of events) {
    const last = out.at(-1)
    if (event._tag === "ItemDelta" && last?._tag === "ItemDelta" && isSameText(last, event)) {
      out[out.length - 1] = { ...last, delta: last.delta + event.delta }
    } else out.push(event)
  }
  return out
}

const isSameText = (left: EventOf<"ItemDelta">, right: EventOf<"ItemDelta">): boolean =>
  left.itemId === right.itemId && left.field === right.field && left.index === right.index

describe("EventBuffer", () => {
  it.effect("gives everything in order, then ends", () =>
    Effect.gen(function*() {
      const buffer = new EventBuffer({ backend: "test" })
      const events = [warning("1"), delta("a"), delta("b"), warning("2"), end]
      for (const event of events) buffer.offer(event)
      buffer.end()
      assert.deepStrictEqual(yield* Stream.runCollect(buffer.stream), events)
    }))

  it.effect("wakes a reader that waits", () =>
    Effect.gen(function*() {
      const buffer = new EventBuffer({ backend: "test" })
      const fiber = yield* Effect.forkChild(Stream.runCollect(buffer.stream))
      yield* Effect.yieldNow
      buffer.offer(warning("1"))
      yield* Effect.yieldNow
      buffer.offer(warning("2"))
      yield* Effect.yieldNow
      buffer.end()
      assert.deepStrictEqual(yield* Fiber.join(fiber), [warning("1"), warning("2")])
    }))

  it.effect("ends for a reader that came before and had nothing to read", () =>
    Effect.gen(function*() {
      const buffer = new EventBuffer({ backend: "test" })
      const fiber = yield* Effect.forkChild(Stream.runCollect(buffer.stream))
      yield* Effect.yieldNow
      buffer.end()
      assert.deepStrictEqual(yield* Fiber.join(fiber), [])
    }))

  it.effect("takes nothing after the end", () =>
    Effect.gen(function*() {
      const buffer = new EventBuffer({ backend: "test" })
      buffer.offer(end)
      buffer.end()
      buffer.offer(warning("late"))
      buffer.end()
      assert.deepStrictEqual(yield* Stream.runCollect(buffer.stream), [end])
      assert.deepStrictEqual(yield* Stream.runCollect(buffer.stream), [])
    }))

  it.effect("leaves deltas as they are below the threshold", () =>
    Effect.gen(function*() {
      const buffer = new EventBuffer({ backend: "test", mergeAbove: 3 })
      for (const text of ["a", "b", "c"]) buffer.offer(delta(text))
      buffer.end()
      assert.strictEqual((yield* Stream.runCollect(buffer.stream)).length, 3)
    }))

  it.effect("holds any amount of one text without overflow", () =>
    Effect.gen(function*() {
      const buffer = new EventBuffer({ backend: "test", mergeAbove: 4, limit: 8 })
      const texts = Array.from({ length: 10_000 }, (_, at) => `${at} `)
      for (const text of texts) buffer.offer(delta(text))
      buffer.offer(end)
      buffer.end()
      const events = yield* Stream.runCollect(buffer.stream)
      assert.strictEqual(textOf(events), texts.join(""))
      assert.strictEqual(events.length, 5)
    }))

  it.effect("does not merge across another event, another item or another part", () =>
    Effect.gen(function*() {
      const buffer = new EventBuffer({ backend: "test", mergeAbove: 0 })
      const part: AgentEvent = { _tag: "ItemDelta", itemId: "item", field: "summary", index: 0, delta: "x" }
      const events = [delta("a"), warning("!"), delta("b"), delta("c", "other"), part, { ...part, index: 1 }]
      for (const event of events) buffer.offer(event)
      buffer.end()
      assert.deepStrictEqual(yield* Stream.runCollect(buffer.stream), events)
    }))

  it.effect("tells a reader that is too far behind, after what it had room for", () =>
    Effect.gen(function*() {
      const buffer = new EventBuffer({ backend: "test", limit: 2 })
      for (const message of ["1", "2", "3", "4"]) buffer.offer(warning(message))
      buffer.end()
      const events: Array<AgentEvent> = []
      const error = yield* buffer.stream.pipe(
        Stream.runForEach((event) => Effect.sync(() => events.push(event))),
        Effect.flip
      )
      assert.deepStrictEqual(events, [warning("1"), warning("2")])
      assert.strictEqual(error.backend, "test")
      assert.deepInclude(error.reason, { _tag: "ReaderTooSlow", limit: 2 })
      buffer.offer(end)
      assert.strictEqual((yield* Effect.flip(Stream.runCollect(buffer.stream))).reason._tag, "ReaderTooSlow")
    }))

  it.effect("runs no reader inside of an offer, and gives what has gathered in one batch", () =>
    Effect.gen(function*() {
      const buffer = new EventBuffer({ backend: "test" })
      const batches: Array<number> = []
      const fiber = yield* buffer.stream.pipe(
        Stream.runForEachArray((batch) => Effect.sync(() => batches.push(batch.length))),
        Effect.forkChild
      )
      yield* Effect.yieldNow
      for (const message of ["1", "2", "3"]) {
        buffer.offer(warning(message))
        assert.deepStrictEqual(batches, [])
      }
      buffer.end()
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(batches, [3])
    }))

  it.effect("has room again when the reader has caught up", () =>
    Effect.gen(function*() {
      const buffer = new EventBuffer({ backend: "test", limit: 2 })
      const fiber = yield* Effect.forkChild(Stream.runCollect(buffer.stream))
      const events = Array.from({ length: 10 }, (_, at) => warning(String(at)))
      for (const event of events) {
        buffer.offer(event)
        yield* Effect.yieldNow
      }
      buffer.end()
      assert.deepStrictEqual(yield* Fiber.join(fiber), events)
    }))

  it.effect("loses nothing when a waiting reader is interrupted and another one comes", () =>
    Effect.gen(function*() {
      const buffer = new EventBuffer({ backend: "test" })
      const seen: Array<AgentEvent> = []
      const read = Stream.runForEach(buffer.stream, (event) => Effect.sync(() => seen.push(event)))
      const first = yield* Effect.forkChild(read)
      yield* Effect.yieldNow
      buffer.offer(warning("1"))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      buffer.offer(warning("2"))
      const second = yield* Effect.forkChild(read)
      yield* Effect.yieldNow
      // Woken and interrupted in the same breath: the event is still there.
      buffer.offer(warning("3"))
      yield* Fiber.interrupt(second)
      buffer.offer(end)
      buffer.end()
      yield* read
      assert.deepStrictEqual(seen, [warning("1"), warning("2"), warning("3"), end])
    }))

  const Offer = Schema.Union([
    Schema.TaggedStruct("ItemDelta", {
      itemId: Schema.Literals(["a", "b"]),
      field: Schema.Literals(["text", "summary"]),
      index: Schema.Literals([0, 1]),
      delta: Schema.String
    }),
    Schema.TaggedStruct("Warning", { code: Schema.String, message: Schema.String })
  ])

  it.effect.prop(
    "loses and reorders nothing, whenever it is read and however it merges",
    {
      offers: Schema.Array(Schema.Union([Offer, Schema.Literal("let the reader run")])),
      mergeAbove: Schema.Literals([0, 1, 2, 5])
    },
    ({ offers, mergeAbove }) =>
      Effect.gen(function*() {
        const buffer = new EventBuffer({ backend: "test", mergeAbove })
        const fiber = yield* Effect.forkChild(Stream.runCollect(buffer.stream))
        const offered: Array<AgentEvent> = []
        for (const offer of offers) {
          if (typeof offer === "string") yield* Effect.yieldNow
          else {
            offered.push(offer)
            buffer.offer(offer)
          }
        }
        buffer.end()
        assert.deepStrictEqual(merged(yield* Fiber.join(fiber)), merged(offered))
      })
  )
})
