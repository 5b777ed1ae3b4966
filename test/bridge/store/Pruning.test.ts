import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describeStores, ids, thread, uuid } from "./support.ts"

const day = 24 * 60 * 60 * 1000
const old = { createdAt: day }
const before = 2 * day

const exists = (n: number) => (store: { readonly get: (id: string) => Effect.Effect<unknown, unknown> }) =>
  Effect.match(store.get(uuid(n)), { onFailure: () => false, onSuccess: () => true })

describe("threads that were never used", () =>
  describeStores((test) => {
    test("are removed; what anybody has worked with, marked or loaded stays", (store) =>
      Effect.gen(function*() {
        for (let n = 1; n <= 9; n++) yield* store.create(thread(n, old))
        yield* store.create(thread(10, { createdAt: before + 1 }))
        yield* store.startTurn(uuid(2), { id: "t", startedAt: day })
        yield* store.update(uuid(3), { name: "name" })
        yield* store.sections.move(uuid(4), "01984de2-8f74-7c91-a3b2-5c5e937cf318", null)
        yield* store.attachments.add(uuid(5), { attachmentType: "pr", identityKey: "1" }, null)
        yield* store.archive(uuid(6))
        yield* store.acquireWriter(uuid(7))
        yield* store.create(thread(11, { ...old, attachedToThreadId: uuid(8) }))
        assert.strictEqual(yield* store.prune({ before, most: 100 }), 3)
        const left = []
        for (let n = 1; n <= 11; n++) if (yield* exists(n)(store)) left.push(n)
        assert.deepStrictEqual(left, [2, 3, 4, 5, 6, 7, 8, 10])
        // The side conversation is gone, and with it what kept its thread.
        assert.strictEqual(yield* store.prune({ before, most: 100 }), 1)
        assert.deepStrictEqual(ids((yield* store.list({})).data), [])
      }))

    test("are removed a few at a time", (store) =>
      Effect.gen(function*() {
        for (let n = 1; n <= 5; n++) yield* store.create(thread(n, old))
        assert.strictEqual(yield* store.prune({ before, most: 3 }), 3)
        assert.strictEqual(yield* store.prune({ before, most: 3 }), 2)
        assert.strictEqual(yield* store.prune({ before, most: 3 }), 0)
      }))
  }))
