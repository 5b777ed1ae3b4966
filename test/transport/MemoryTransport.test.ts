import { assert, describe, it } from "@effect/vitest"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as MemoryTransport from "../../src/transport/MemoryTransport.ts"
import { type Inbound, Unreadable } from "../../src/transport/Transport.ts"

describe("MemoryTransport", () => {
  it.effect.prop(
    "delivers everything once and in order, whatever the capacity",
    [
      Schema.NonEmptyArray(Schema.NonEmptyArray(Schema.String)),
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 }))
    ],
    ([batches, capacity]) =>
      Effect.gen(function*() {
        const [left, right] = yield* MemoryTransport.make({ capacity })
        yield* Effect.forkScoped(
          Effect.andThen(Effect.forEach(batches, (batch) => left.send(batch), { discard: true }), left.close)
        )
        const received: Array<Inbound> = []
        const error = yield* right.receive.pipe(
          Effect.tap((items) => Effect.sync(() => received.push(...items))),
          Effect.forever,
          Effect.flip
        )
        assert.deepStrictEqual(received, batches.flat())
        assert.include(error.message, "closed by the other side")
      }).pipe(Effect.scoped)
  )

  it.effect("a full buffer makes send wait", () =>
    Effect.gen(function*() {
      const [left, right] = yield* MemoryTransport.make({ capacity: 2 })
      const frames: Arr.NonEmptyReadonlyArray<string> = ["1", "2", "3"]
      const sender = yield* Effect.forkChild(left.send(frames), { startImmediately: true })
      assert.isUndefined(sender.pollUnsafe())
      const received: Array<Inbound> = []
      while (received.length < 3) received.push(...yield* right.receive)
      yield* Fiber.join(sender)
      assert.deepStrictEqual(received, ["1", "2", "3"])
    }))

  it.effect("closing one side fails its own calls and ends the other after what was sent", () =>
    Effect.gen(function*() {
      const [left, right] = yield* MemoryTransport.pair
      yield* left.send(["1"])
      yield* right.send(["lost"])
      yield* left.close
      assert.include((yield* Effect.flip(left.receive)).message, "closed by this side")
      assert.strictEqual((yield* Effect.flip(left.send(["2"]))).reason._tag, "Closed")
      assert.strictEqual((yield* Effect.flip(right.send(["2"]))).reason._tag, "Closed")
      assert.deepStrictEqual(yield* right.receive, ["1"])
      const first = yield* Effect.flip(right.receive)
      assert.strictEqual(yield* Effect.flip(right.receive), first)
    }))

  it.effect("a cut loses what is under way and frees whoever waits", () =>
    Effect.gen(function*() {
      const [left, right] = yield* MemoryTransport.make({ capacity: 1 })
      yield* left.send(["1"])
      const sender = yield* Effect.forkChild(Effect.flip(left.send(["2"])), { startImmediately: true })
      const receiver = yield* Effect.forkChild(Effect.flip(left.receive), { startImmediately: true })
      yield* right.cut("the cable is out")
      for (const error of [yield* Fiber.join(sender), yield* Fiber.join(receiver), yield* Effect.flip(right.receive)]) {
        assert.include(error.message, "the cable is out")
      }
    }))

  it.effect("injected items arrive as they are", () =>
    Effect.gen(function*() {
      const [left] = yield* MemoryTransport.pair
      const noise = new Unreadable("noise", 5, "hello")
      yield* left.inject([noise, "{"])
      assert.deepStrictEqual(yield* left.receive, [noise, "{"])
    }))

  it.effect("closing the scope closes both ends", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const [left, right] = yield* MemoryTransport.pair.pipe(Scope.provide(scope))
      const receivers = yield* Effect.forEach(
        [left, right],
        (side) => Effect.forkChild(Effect.flip(side.receive), { startImmediately: true })
      )
      yield* Scope.close(scope, Exit.void)
      for (const receiver of receivers) assert.strictEqual((yield* Fiber.join(receiver)).reason._tag, "Closed")
    }))
})
