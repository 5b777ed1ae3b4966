/**
 * What an agent does by itself, beside compactions that were asked for.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import type { AgentEvent } from "../../../src/agent/index.ts"
import { OutsideEvents } from "../../../src/bridge/threads/OutsideEvents.ts"

const compacted: ReadonlyArray<AgentEvent> = [
  { _tag: "TurnStarted", turnId: "agent's" },
  { _tag: "ItemCompleted", item: { _tag: "ContextCompaction", id: "c", status: "completed" }, closed: false },
  { _tag: "TurnEnded", outcome: { _tag: "Completed" } }
]

const make = () => {
  const begun: Array<string> = []
  const applied: Array<string> = []
  let running: string | undefined
  const outside = new OutsideEvents<string>({
    running: () => running,
    begin: (agentTurnId) =>
      Effect.sync(() => {
        begun.push(agentTurnId)
        running = agentTurnId
        return running
      }),
    apply: (_turn, event) =>
      Effect.sync(() => {
        applied.push(event._tag)
        if (event._tag === "TurnEnded") running = undefined
      }),
    late: () => Effect.void,
    goal: () => Effect.void,
    warning: () => Effect.void
  })
  const tell = (events: ReadonlyArray<AgentEvent>) => Effect.forEach(events, (event) => outside.take(event))
  return { outside, begun, applied, tell }
}

describe("a compaction that was asked for", () => {
  it.effect("waits for what the agent tells of it, which is no turn of the agent's own", () =>
    Effect.gen(function*() {
      const { begun, outside, tell } = make()
      const done = yield* Effect.forkChild(outside.compaction(Effect.succeed("done"), "5 seconds"))
      yield* TestClock.adjust("4 seconds")
      assert.isUndefined(done.pollUnsafe())
      yield* tell(compacted)
      assert.strictEqual(yield* Fiber.join(done), "done")
      assert.deepStrictEqual(begun, [])
    }))

  it.effect("leaves nothing behind when it fails, or when the agent tells nothing of it", () =>
    Effect.gen(function*() {
      const failing = make()
      assert.strictEqual(yield* Effect.flip(failing.outside.compaction(Effect.fail("no"), "5 seconds")), "no")
      const silent = make()
      const done = yield* Effect.forkChild(silent.outside.compaction(Effect.void, "5 seconds"))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(done)
      for (const { applied, begun, tell } of [failing, silent]) {
        yield* tell(compacted)
        assert.deepStrictEqual(begun, ["agent's"])
        assert.deepStrictEqual(applied, ["ItemCompleted", "TurnEnded"])
      }
    }))
})
