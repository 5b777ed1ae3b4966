/**
 * What was shown of items that are open.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { DatabaseSync } from "node:sqlite"
import type { ItemRecord, ItemText, ThreadStoreService } from "../../../src/bridge/store/index.ts"
import * as Support from "./support.ts"

const { answered, command, describeStores, reasonOf, thread, turn, uuid } = Support

type Item = ItemRecord["item"]

const reasoning: Item = { type: "reasoning", id: "r", summary: [], content: [] }
const plan: Item = { type: "plan", id: "p", text: "" }

const piece = (field: ItemText.Piece["field"], delta: string, part = 0): ItemText.Piece => ({ field, part, delta })

const put = (store: ThreadStoreService, item: Item, completedAtMs: number | null = null, turnId = "t") =>
  store.putItem(uuid(1), turnId, { item, startedAtMs: 3_000, completedAtMs })

const say = (store: ThreadStoreService, itemId: string, ...pieces: ReadonlyArray<ItemText.Piece>) =>
  store.appendTexts(uuid(1), "t", [{ itemId, pieces }])

/** A turn that runs, with an item of each kind that has texts, and what was shown of them. */
const speak = Effect.fnUntraced(function*(store: ThreadStoreService) {
  yield* store.create(thread(1))
  yield* turn(store, uuid(1), "before")
  yield* store.startTurn(uuid(1), { id: "t", startedAt: 3_000 })
  for (const item of [answered("a", ""), reasoning, plan, command("c", "inProgress")]) yield* put(store, item)
  yield* say(store, "a", piece("text", "Hel"))
  yield* store.appendTexts(uuid(1), "t", [
    { itemId: "r", pieces: [piece("summary", "two", 2), piece("content", "raw"), piece("summary", "mi", -1)] },
    { itemId: "a", pieces: [piece("text", "lo")] },
    { itemId: "c", pieces: [piece("output", "li")] }
  ])
  yield* say(store, "r", piece("summary", "nus", -1), piece("summary", "!", 2))
  // A character in two halves, as some agents tell it.
  yield* say(store, "p", piece("text", "\ud83d"))
  yield* say(store, "p", piece("text", "\ude00"))
  yield* say(store, "c", piece("output", "ne\n"))
})

const shown: ReadonlyArray<Item> = [
  answered("a", "Hello"),
  { type: "reasoning", id: "r", summary: ["minus", "two!"], content: ["raw"] },
  { type: "plan", id: "p", text: "\u{1f600}" },
  {
    type: "commandExecution",
    id: "c",
    command: "ls",
    commandActions: [],
    cwd: "/work",
    status: "inProgress",
    aggregatedOutput: "line\n"
  }
]

/** As the end of a process leaves it. */
const closed = (at: number): ReadonlyArray<Item> =>
  shown.map((item) =>
    item.type === "commandExecution" ? { ...item, status: "failed", completedAtMs: at } : { ...item, completedAtMs: at }
  )

const itemsOf = (store: ThreadStoreService, threadId: string, turnId = "t") =>
  Effect.map(store.listItems(threadId, { turnId }), ({ data }) => data.map(({ item }) => item))

describeStores((test) => {
  describe("texts of items that are open", () => {
    test("are part of them for whoever reads them", (store) =>
      Effect.gen(function*() {
        yield* speak(store)
        assert.deepStrictEqual(yield* itemsOf(store, uuid(1)), shown)
        const page = yield* store.listItems(uuid(1), { limit: 3, direction: "desc" })
        assert.deepStrictEqual(page.data.map(({ item }) => item), shown.toReversed().slice(0, 3))
        const { data: [full] } = yield* store.listTurns(uuid(1), { view: "full" })
        assert.deepStrictEqual(full?.items.map(({ item }) => item), shown)
        const { data: [summary] } = yield* store.listTurns(uuid(1), { view: "summary" })
        assert.deepStrictEqual(summary?.items.map(({ item }) => item), shown.slice(0, 1))
        // They count for what a page may have.
        yield* say(store, "a", piece("text", "!".repeat(5_000)))
        assert.lengthOf((yield* store.listItems(uuid(1), { turnId: "t", bytes: 5_000 })).data, 1)
        assert.lengthOf((yield* store.listTurns(uuid(1), { view: "full", bytes: 5_000 })).data, 1)
        const some = yield* store.readItems(uuid(1), "t", ["c", "r"])
        assert.deepStrictEqual(some.map(({ item }) => item), [shown[1], shown[3]])
      }))

    test("are theirs for good when nobody is there any more to complete them", (store) =>
      Effect.gen(function*() {
        yield* speak(store)
        assert.lengthOf(yield* store.recover(uuid(1)), 1)
        assert.deepStrictEqual(yield* itemsOf(store, uuid(1)), closed(3_000))
      }))

    test("give way to what completes an item", (store) =>
      Effect.gen(function*() {
        yield* speak(store)
        yield* put(store, answered("a", "Hello, world"), 4_000)
        assert.deepStrictEqual((yield* itemsOf(store, uuid(1)))[0], answered("a", "Hello, world"))
        // An item that goes on after all begins anew, as it is stored then.
        yield* put(store, answered("a", ""))
        yield* say(store, "a", piece("text", "again"))
        assert.deepStrictEqual((yield* itemsOf(store, uuid(1)))[0], answered("a", "again"))
      }))

    test("are taken along by a fork, and those of a turn that has ended stay open there", (store) =>
      Effect.gen(function*() {
        yield* speak(store)
        yield* store.fork(uuid(1), { id: uuid(2), createdAt: 9_000 })
        assert.deepStrictEqual(yield* itemsOf(store, uuid(2)), closed(3_000))
        // The source runs on.
        yield* say(store, "a", piece("text", "!"))
        assert.deepStrictEqual((yield* itemsOf(store, uuid(1)))[0], answered("a", "Hello!"))
        yield* store.endTurn(uuid(1), "t", { status: "completed", completedAt: 5_000 })
        yield* store.fork(uuid(1), { id: uuid(3), createdAt: 9_000, ephemeral: true })
        assert.deepStrictEqual(yield* itemsOf(store, uuid(3)), [answered("a", "Hello!"), ...shown.slice(1)])
        const { data } = yield* store.listItems(uuid(3), { turnId: "t" })
        assert.isTrue(data.every(({ completedAtMs }) => completedAtMs === null))
      }))

    test("are refused of an item, a turn or a thread that is not there, all or nothing", (store) =>
      Effect.gen(function*() {
        yield* speak(store)
        const texts = [{ itemId: "a", pieces: [piece("text", "?")] }, { itemId: "x", pieces: [piece("text", "?")] }]
        for (
          const [id, turnId, tag] of [[1, "t", "InvalidRequest"], [1, "t9", "InvalidRequest"], [
            9,
            "t",
            "NoSuchThread"
          ]] as const
        ) {
          assert.strictEqual((yield* reasonOf(store.appendTexts(uuid(id), turnId, texts)))._tag, tag)
        }
        assert.deepStrictEqual(yield* itemsOf(store, uuid(1)), shown)
      }))
  })
})

describe("texts in a file", () => {
  const cases: Readonly<Record<string, (store: ThreadStoreService) => Effect.Effect<unknown, unknown>>> = {
    "complete": (store) => Effect.forEach(shown, (item) => put(store, item, 4_000)),
    "are closed": (store) => store.recover(uuid(1)),
    "are reverted": (store) => store.revert(uuid(1), { beforeTurnId: "t", at: 5_000 }),
    "are removed with their thread": (store) => store.remove(uuid(1))
  }
  for (const [name, end] of Object.entries(cases)) {
    it.effect(`are gone when their items ${name}`, () =>
      Effect.gen(function*() {
        const path = yield* Support.freshPath
        const store = yield* Support.open(path)
        yield* speak(store)
        const db = new DatabaseSync(path)
        yield* Effect.addFinalizer(() => Effect.sync(() => db.close()))
        const count = () => Number(db.prepare("SELECT count(*) AS count FROM texts").get()?.["count"])
        assert.strictEqual(count(), 8)
        yield* end(store)
        assert.strictEqual(count(), 0)
      }).pipe(Effect.scoped, Effect.provide(Support.Services)))
  }

  it.effect("that cannot be read leave the rest as it is", () =>
    Effect.gen(function*() {
      const path = yield* Support.freshPath
      const store = yield* Support.open(path)
      yield* speak(store)
      const db = new DatabaseSync(path)
      db.exec(`UPDATE texts SET pieces = 'garbage' WHERE pieces LIKE '%"lo"%'`)
      db.close()
      assert.deepStrictEqual(yield* itemsOf(store, uuid(1)), [answered("a", "Hel"), ...shown.slice(1)])
    }).pipe(Effect.scoped, Effect.provide(Support.Services)))
})
