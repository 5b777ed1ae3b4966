import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { ThreadStoreService } from "../../../src/bridge/store/index.ts"
import * as Support from "./support.ts"

const { answered, command, describeStores, ids, reasonOf, said, thread, turn, uuid } = Support

const history = (store: ThreadStoreService, id: string) =>
  Effect.map(
    store.listTurns(id, { view: "full", direction: "asc" }),
    ({ data }) => data.map(({ items, turn }) => [turn.id, turn.status, ...ids(items)])
  )

describeStores((test) => {
  describe("turns and items", () => {
    test("run one at a time, and move the thread up", (store) =>
      Effect.gen(function*() {
        yield* store.create(thread(1))
        const started = yield* store.startTurn(uuid(1), { id: "t1", startedAt: 2_000 })
        assert.strictEqual(started.status, "inProgress")
        const second = yield* reasonOf(store.startTurn(uuid(1), { id: "t2", startedAt: 2_000 }))
        assert.deepStrictEqual(second._tag === "InvalidRequest" && second.message.includes("active turn"), true)
        const ended = yield* store.endTurn(uuid(1), "t1", {
          status: "failed",
          error: { message: "no", codexErrorInfo: "other", additionalDetails: null },
          completedAt: 2_500
        })
        assert.deepStrictEqual([ended.status, ended.durationMs, ended.error?.message], ["failed", 500, "no"])
        const again = yield* store.endTurn(uuid(1), "t1", { status: "completed", completedAt: 9_000 })
        assert.deepStrictEqual(again, ended)
        assert.deepStrictEqual(yield* store.getTurn(uuid(1), "t1"), ended)
        const { recencyAt, updatedAt } = yield* store.get(uuid(1))
        assert.deepStrictEqual([recencyAt, updatedAt], [2_000, 2_500])
        assert.strictEqual(
          (yield* reasonOf(store.startTurn(uuid(1), { id: "t1", startedAt: 3_000 })))._tag,
          "InvalidRequest"
        )
        yield* store.startTurn(uuid(1), { id: "t2", startedAt: 3_000 })
      }))

    test("keep the place of an item that is stored again", (store) =>
      Effect.gen(function*() {
        yield* store.create(thread(1))
        yield* store.startTurn(uuid(1), { id: "t1", startedAt: 2_000 })
        const put = (item: Parameters<ThreadStoreService["putItem"]>[2]["item"], completedAtMs: number | null) =>
          store.putItem(uuid(1), "t1", { item, startedAtMs: 2_000, completedAtMs })
        const first = yield* put(command("c", "inProgress"), null)
        yield* put(answered("a", "x"), 2_100)
        const again = yield* put(command("c", "completed"), 2_200)
        assert.strictEqual(again.ordinal, first.ordinal)
        const { data } = yield* store.listItems(uuid(1), {})
        assert.deepStrictEqual(ids(data), ["c", "a"])
        assert.deepStrictEqual(data[0]?.item, command("c", "completed"))
        assert.strictEqual(data[0]?.completedAtMs, 2_200)
        // When it began is not forgotten.
        yield* store.putItem(uuid(1), "t1", {
          item: command("c", "completed"),
          startedAtMs: null,
          completedAtMs: 2_200
        })
        assert.deepStrictEqual((yield* store.listItems(uuid(1), {})).data, data)
        // An item of a turn that has ended: a command that went on in the background.
        yield* store.endTurn(uuid(1), "t1", { status: "completed", completedAt: 3_000 })
        yield* put(command("late", "completed"), 4_000)
        assert.deepStrictEqual(ids((yield* store.listItems(uuid(1), {})).data), ["c", "a", "late"])
      }))

    test("refuse an item that the protocol does not have, and one of no turn", (store) =>
      Effect.gen(function*() {
        yield* store.create(thread(1))
        yield* store.startTurn(uuid(1), { id: "t1", startedAt: 2_000 })
        const wrong = { ...answered("a", "x"), text: 5 } as unknown as ReturnType<typeof answered>
        const put = (turnId: string, item: ReturnType<typeof answered>) =>
          store.putItem(uuid(1), turnId, { item, startedAtMs: 1, completedAtMs: 1 })
        assert.strictEqual((yield* reasonOf(put("t1", wrong)))._tag, "Internal")
        assert.strictEqual((yield* reasonOf(put("t2", answered("a", "x"))))._tag, "InvalidRequest")
        assert.deepStrictEqual((yield* store.listItems(uuid(1), {})).data, [])
      }))

    test("take the preview from the first message of a person, and from no other", (store) =>
      Effect.gen(function*() {
        yield* store.create(thread(1))
        yield* store.create(thread(2, { preview: "given" }))
        for (const n of [1, 2]) {
          yield* turn(store, uuid(n), "t1")
          yield* turn(store, uuid(n), "t2")
        }
        assert.strictEqual((yield* store.get(uuid(1))).preview, "ask t1")
        assert.strictEqual((yield* store.get(uuid(2))).preview, "given")
      }))

    test("are listed in three views", (store) =>
      Effect.gen(function*() {
        yield* store.create(thread(1))
        for (const id of ["t1", "t2", "t3"]) yield* turn(store, uuid(1), id)
        const view = (view: "notLoaded" | "summary" | "full" | null) =>
          Effect.map(
            store.listTurns(uuid(1), { view, limit: 2 }),
            ({ data }) => data.map(({ items, turn, view }) => [turn.id, view, ...ids(items)])
          )
        assert.deepStrictEqual(yield* view("notLoaded"), [["t3", "notLoaded"], ["t2", "notLoaded"]])
        const summary = [["t3", "summary", "t3-q", "t3-a"], ["t2", "summary", "t2-q", "t2-a"]]
        assert.deepStrictEqual(yield* view("summary"), summary)
        assert.deepStrictEqual(yield* view(null), summary)
        assert.deepStrictEqual(yield* view("full"), [
          ["t3", "full", "t3-q", "t3-c", "t3-a"],
          ["t2", "full", "t2-q", "t2-c", "t2-a"]
        ])
      }))

    test("are read backwards from the end of the history, by thread and by turn", (store) =>
      Effect.gen(function*() {
        yield* store.create(thread(1))
        assert.deepStrictEqual(yield* store.historyCursors(uuid(1)), { turns: null, items: null })
        for (const id of ["t1", "t2", "t3"]) yield* turn(store, uuid(1), id)
        const cursors = yield* store.historyCursors(uuid(1))
        // Comes after the client was told where the history ends.
        yield* turn(store, uuid(1), "t4")
        const turns = yield* store.listTurns(uuid(1), { cursor: cursors.turns, direction: "desc", limit: 2 })
        assert.deepStrictEqual(turns.data.map(({ turn }) => turn.id), ["t3", "t2"])
        const items = yield* store.listItems(uuid(1), { cursor: cursors.items, direction: "desc", limit: 4 })
        assert.deepStrictEqual(ids(items.data), ["t3-a", "t3-c", "t3-q", "t2-a"])
        // The same cursor for one turn only.
        const ofTurn = (turnId: string) =>
          Effect.map(
            store.listItems(uuid(1), { cursor: cursors.items, direction: "desc", turnId }),
            ({ data }) => ids(data)
          )
        assert.deepStrictEqual(yield* ofTurn("t2"), ["t2-a", "t2-c", "t2-q"])
        assert.deepStrictEqual(yield* ofTurn("t4"), [])
        const backwards = yield* store.listItems(uuid(1), { cursor: items.backwardsCursor, direction: "asc" })
        assert.deepStrictEqual(ids(backwards.data), ["t3-a", "t4-q", "t4-c", "t4-a"])
        const behind = yield* store.listItems(uuid(1), { turnId: "t2", cursor: { itemId: "t2-q" } })
        assert.deepStrictEqual(ids(behind.data), ["t2-c", "t2-a"])
        const before = yield* store.listItems(uuid(1), {
          turnId: "t2",
          cursor: { itemId: "t2-c" },
          direction: "desc"
        })
        assert.deepStrictEqual(ids(before.data), ["t2-q"])
        assert.strictEqual(
          (yield* reasonOf(store.listItems(uuid(1), { turnId: "t2", cursor: { itemId: "t1-q" } })))._tag,
          "InvalidRequest"
        )
      }))

    test("know what was used last", (store) =>
      Effect.gen(function*() {
        const breakdown = {
          totalTokens: 5,
          inputTokens: 3,
          cachedInputTokens: 1,
          outputTokens: 1,
          reasoningOutputTokens: 1
        }
        const usage = { total: breakdown, last: breakdown, modelContextWindow: null }
        yield* store.create(thread(1))
        assert.isNull(yield* store.lastUsage(uuid(1)))
        yield* turn(store, uuid(1), "t1")
        yield* store.setUsage(uuid(1), "t1", usage)
        yield* turn(store, uuid(1), "t2")
        assert.deepStrictEqual(yield* store.lastUsage(uuid(1)), { turnId: "t1", usage })
        yield* store.fork(uuid(1), { id: uuid(2), createdAt: 1 })
        assert.deepStrictEqual(yield* store.lastUsage(uuid(2)), { turnId: "t1", usage })
      }))
  })

  describe("a fork", () => {
    test("has the history of its source, as far as it was asked for", (store) =>
      Effect.gen(function*() {
        yield* store.create(thread(1, { name: "n", backendRef: { backend: "b", sessionId: "s", durable: true } }))
        for (const id of ["t1", "t2", "t3"]) yield* turn(store, uuid(1), id)
        const whole = yield* history(store, uuid(1))
        const all = yield* store.fork(uuid(1), { id: uuid(2), createdAt: 9_000, changes: { model: "m2" } })
        assert.deepStrictEqual(
          [all.forkedFromId, all.preview, all.model, all.name, all.backendRef, all.createdAt, all.sessionId],
          [uuid(1), "ask t1", "m2", "n", null, 9_000, uuid(2)]
        )
        assert.deepStrictEqual(yield* store.get(uuid(2)), all)
        assert.deepStrictEqual(yield* history(store, uuid(2)), whole)
        yield* store.fork(uuid(1), { id: uuid(3), createdAt: 9_000, beforeTurnId: "t2" })
        assert.deepStrictEqual(yield* history(store, uuid(3)), whole.slice(0, 1))
        yield* store.fork(uuid(2), { id: uuid(4), createdAt: 9_000, lastTurnId: "t2" })
        assert.deepStrictEqual(yield* history(store, uuid(4)), whole.slice(0, 2))
        const empty = yield* store.fork(uuid(1), { id: uuid(5), createdAt: 9_000, beforeTurnId: "t1" })
        assert.deepStrictEqual([empty.preview, empty.hasUserMessage], ["", false])
        assert.strictEqual((yield* store.list({})).data.length, 4)
        // It is of use at once, and its source does not change.
        yield* turn(store, uuid(4), "t9")
        assert.strictEqual((yield* history(store, uuid(4))).length, 3)
        assert.deepStrictEqual(yield* history(store, uuid(1)), whole)
        const strange = [{ beforeTurnId: "t9" }, { lastTurnId: "t9" }, { lastTurnId: "t1", beforeTurnId: "t2" }]
        for (const cut of strange) {
          const refused = yield* reasonOf(store.fork(uuid(1), { id: uuid(6), createdAt: 1, ...cut }))
          assert.strictEqual(refused._tag, "InvalidRequest")
        }
        assert.strictEqual((yield* reasonOf(store.get(uuid(6))))._tag, "NoSuchThread")
      }))

    test("of a running thread has an interrupted turn; the thread runs on", (store) =>
      Effect.gen(function*() {
        yield* store.create(thread(1))
        yield* turn(store, uuid(1), "t1")
        yield* store.startTurn(uuid(1), { id: "t2", startedAt: 3_000 })
        yield* store.putItem(uuid(1), "t2", {
          item: command("c", "inProgress"),
          startedAtMs: 3_100,
          completedAtMs: null
        })
        yield* store.fork(uuid(1), { id: uuid(2), createdAt: 9_000 })
        const { data: [forked] } = yield* store.listTurns(uuid(2), { view: "full" })
        assert.deepStrictEqual([forked?.turn.status, forked?.turn.completedAt], ["interrupted", null])
        assert.deepStrictEqual(forked?.items[0]?.completedAtMs, 3_100)
        const item = forked?.items[0]?.item
        assert.strictEqual(item?.type === "commandExecution" ? item.status : undefined, "failed")
        yield* store.startTurn(uuid(2), { id: "t3", startedAt: 4_000 })
        assert.strictEqual((yield* store.getTurn(uuid(1), "t2")).status, "inProgress")
        const refused = yield* reasonOf(store.fork(uuid(1), { id: uuid(3), createdAt: 1, lastTurnId: "t2" }))
        assert.strictEqual(refused._tag, "InvalidRequest")
      }))

    test("copies long histories whole", (store) =>
      Effect.gen(function*() {
        yield* store.create(thread(1))
        yield* store.startTurn(uuid(1), { id: "t", startedAt: 1 })
        for (let n = 0; n < 1_203; n++) {
          const item = n === 0 ? said("q", "?") : answered(`i${n}`, `${n}`)
          yield* store.putItem(uuid(1), "t", { item, startedAtMs: n, completedAtMs: n })
        }
        yield* store.fork(uuid(1), { id: uuid(2), createdAt: 2 })
        const all = (id: string) =>
          Effect.map(
            Support.allPages((cursor) => store.listItems(id, { cursor, limit: 500 })),
            (items) => items.map(({ item }) => item)
          )
        assert.deepStrictEqual(yield* all(uuid(2)), yield* all(uuid(1)))
      }))
  })

  describe("a revert", () => {
    test("removes a turn and what follows; cursors of what stays stay good", (store) =>
      Effect.gen(function*() {
        yield* store.create(thread(1))
        for (const id of ["t1", "t2", "t3"]) yield* turn(store, uuid(1), id)
        const before = yield* store.historyCursors(uuid(1))
        yield* store.revert(uuid(1), { beforeTurnId: "t2", at: 5_000 })
        assert.deepStrictEqual(
          (yield* store.listTurns(uuid(1), {})).data.map(({ turn: { id } }) => id),
          ["t1"]
        )
        yield* turn(store, uuid(1), "t2")
        // The old end of the history is before all that is new.
        const old = yield* store.listItems(uuid(1), { cursor: before.items, direction: "desc" })
        assert.deepStrictEqual(ids(old.data), ["t1-a", "t1-c", "t1-q"])
        const now = yield* store.listItems(uuid(1), {})
        assert.deepStrictEqual(ids(now.data), ["t1-q", "t1-c", "t1-a", "t2-q", "t2-c", "t2-a"])
        assert.strictEqual(
          (yield* reasonOf(store.revert(uuid(1), { beforeTurnId: "t9", at: 1 })))._tag,
          "InvalidRequest"
        )
        yield* store.revert(uuid(1), { beforeTurnId: "t1", at: 6_000 })
        assert.deepStrictEqual((yield* store.listTurns(uuid(1), {})).data, [])
        assert.deepStrictEqual(ids((yield* store.list({})).data), [uuid(1)])
      }))
  })

  describe("recovery", () => {
    test("interrupts what nobody runs, closes its items, and does so once", (store) =>
      Effect.gen(function*() {
        for (const n of [1, 2]) {
          yield* store.create(thread(n))
          yield* turn(store, uuid(n), "t1")
          yield* store.startTurn(uuid(n), { id: "t2", startedAt: 3_000 })
          yield* store.putItem(uuid(n), "t2", { item: said("q", "?"), startedAtMs: 3_050, completedAtMs: 3_060 })
          yield* store.putItem(uuid(n), "t2", { item: answered("a", "hal"), startedAtMs: 3_100, completedAtMs: null })
        }
        yield* store.acquireWriter(uuid(2))
        assert.deepStrictEqual(yield* store.recoverAll, [{ threadId: uuid(1), turnId: "t2" }])
        assert.deepStrictEqual(yield* store.recoverAll, [])
        assert.strictEqual((yield* store.getTurn(uuid(1), "t2")).status, "interrupted")
        assert.strictEqual((yield* store.getTurn(uuid(1), "t1")).status, "completed")
        const { data: [item] } = yield* store.listItems(uuid(1), { direction: "desc" })
        assert.deepStrictEqual([item?.id, item?.completedAtMs], ["a", 3_100])
        // The one who has the thread may say that nothing runs.
        assert.deepStrictEqual(yield* store.recover(uuid(2)), [{ threadId: uuid(2), turnId: "t2" }])
        yield* store.startTurn(uuid(1), { id: "t3", startedAt: 4_000 })
      }))
  })

  describe("the right to run a thread", () => {
    test("is had once, for a scope", (store) =>
      Effect.gen(function*() {
        yield* store.create(thread(1))
        yield* store.create(thread(2))
        assert.strictEqual(yield* store.writer(uuid(1)), "nobody")
        const scope = yield* Scope.make()
        yield* Scope.provide(store.acquireWriter(uuid(1)), scope)
        yield* store.acquireWriter(uuid(2))
        assert.strictEqual(yield* store.writer(uuid(1)), "self")
        assert.deepStrictEqual((yield* reasonOf(store.acquireWriter(uuid(1))))._tag, "ActiveWriter")
        yield* Scope.close(scope, Exit.void)
        assert.strictEqual(yield* store.writer(uuid(1)), "nobody")
        yield* store.acquireWriter(uuid(1))
      }))

    test("goes with the thread", (store) =>
      Effect.gen(function*() {
        yield* store.create(thread(1))
        yield* Effect.scoped(Effect.gen(function*() {
          yield* store.acquireWriter(uuid(1))
          yield* store.remove(uuid(1))
          yield* store.create(thread(1))
          assert.strictEqual(yield* store.writer(uuid(1)), "nobody")
        }))
      }))
  })
})
