import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import { ItemRecord, ThreadRecord, TurnRecord } from "../../../src/bridge/store/index.ts"
import * as Support from "./support.ts"

/** JSON: the engine takes text that is well formed, and knows no negative zero. */
const wellFormed = <A>(value: A): A =>
  // Only strings change, and stay strings.
  JSON.parse(JSON.stringify(value, (_, part: unknown) => typeof part === "string" ? part.toWellFormed() : part)) as A

const { uuid } = Support
const Threads = Arbitrary.map(Arbitrary.schema(ThreadRecord), (record) => ({ ...wellFormed(record), id: uuid(1) }))
const Turns = Arbitrary.map(Arbitrary.schema(TurnRecord), wellFormed)
const Items = Arbitrary.map(Arbitrary.schema(ItemRecord), wellFormed)

describe("records", () => {
  it.effect.prop("of threads come back as they were stored", [Threads], ([given]) =>
    Effect.gen(function*() {
      const store = yield* Support.openMemory
      const created = yield* store.create(given)
      const { archived: _a, hasUserMessage: _h, ...rest } = given
      assert.deepStrictEqual(created, { ...rest, archived: false, hasUserMessage: false })
      assert.deepStrictEqual(yield* store.get(uuid(1)), created)
      yield* store.create(Support.thread(2, { ephemeral: given.ephemeral }))
      const { createdAt: _c, ephemeral: _e, id: _i, ...patch } = rest
      yield* store.update(uuid(2), patch)
      const updated = yield* store.get(uuid(2))
      assert.deepStrictEqual(updated, { ...updated, ...patch })
    }).pipe(Effect.scoped))

  it.effect.prop(
    "of turns and items, too",
    [Turns, Items],
    ([turn, { completedAtMs, item, startedAtMs }]) =>
      Effect.gen(function*() {
        const store = yield* Support.openMemory
        yield* store.create(Support.thread(1))
        yield* store.startTurn(uuid(1), { id: "t", startedAt: 1 })
        const put = yield* store.putItem(uuid(1), "t", { item, completedAtMs, startedAtMs })
        const { data } = yield* store.listItems(uuid(1), {})
        assert.deepStrictEqual(data, [put])
        assert.deepStrictEqual<unknown>(put.item, item)
        const ended = yield* store.endTurn(uuid(1), "t", {
          status: "failed",
          error: turn.error,
          completedAt: 5,
          durationMs: turn.durationMs,
          usage: turn.usage
        })
        assert.deepStrictEqual(yield* store.getTurn(uuid(1), "t"), ended)
        // What runs again in another process is closed, whatever it is.
        yield* store.startTurn(uuid(1), { id: "u", startedAt: 6 })
        yield* store.putItem(uuid(1), "u", { item, completedAtMs: null, startedAtMs })
        yield* store.recover(uuid(1))
        const { data: [last] } = yield* store.listItems(uuid(1), { direction: "desc" })
        assert.isNotNull(last?.completedAtMs)
        const status = last?.item !== undefined && "status" in last.item ? last.item.status : undefined
        assert.notStrictEqual<unknown>(status, "inProgress")
      }).pipe(Effect.scoped)
  )
})
