import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import { beginning } from "../../../src/bridge/threads/Beginning.ts"

describe("a turn whose client leaves while it is stored", () => {
  it.effect("runs all the same", () =>
    Effect.gen(function*() {
      const storing = yield* Latch.make()
      const stored = yield* Latch.make()
      const after: Array<() => void> = []
      const ran: Array<string> = []
      const started = Effect.as(Effect.andThen(storing.open, stored.await), { turn: "t", run: () => ran.push("t") })
      const request = yield* Effect.forkChild(beginning(started, { id: 0, afterAnswer: (run) => after.push(run) }))
      yield* storing.await
      request.interruptUnsafe()
      yield* stored.open
      yield* Fiber.await(request)
      // As the router does, whatever became of the request.
      for (const run of after) run()
      assert.deepStrictEqual(ran, ["t"])
    }))
})
