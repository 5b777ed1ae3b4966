import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { BridgeError } from "../../../src/bridge/BridgeError.ts"
import type { ThreadStoreService } from "../../../src/bridge/store/index.ts"
import * as Support from "./support.ts"

const { describeStores, ids, listed, reasonOf, said, thread, turn, uuid } = Support

describeStores((test) => {
  describe("threads", () => {
    test("are there from their first moment, with everything that was given", (store) =>
      Effect.gen(function*() {
        const given = thread(1, {
          name: "n\0ame ✓",
          effort: "high",
          settings: {
            approvalPolicy: "on-request",
            sandboxPolicy: { type: "readOnly", networkAccess: false },
            developerInstructions: "be brief",
            config: { a: { b: [1, null] } }
          },
          source: { subAgent: { thread_spawn: { depth: 1, parent_thread_id: uuid(9) } } },
          parentThreadId: uuid(9),
          gitInfo: { sha: "abc", branch: null, originUrl: null },
          backendRef: { backend: "scripted", sessionId: "s", durable: true },
          goal: {
            threadId: uuid(1),
            objective: "o",
            status: "active",
            createdAt: 1,
            updatedAt: 2,
            timeUsedSeconds: 3,
            tokensUsed: 4,
            tokenBudget: null
          },
          queue: [{
            id: "q1",
            clientUserMessageId: "c1",
            input: [{ type: "text", text: "later", text_elements: [] }],
            responsesapiClientMetadata: null
          }],
          readState: { firstUnread: { type: "turn", turnId: "t" }, revision: "r" },
          section: { id: "s1", name: "Later", appearance: null }
        })
        const created = yield* store.create(given)
        assert.deepStrictEqual(yield* store.get(uuid(1)), created)
        for (const key of ["name", "settings", "source", "gitInfo", "goal", "queue", "readState", "section"] as const) {
          assert.deepStrictEqual<unknown>(created[key], given[key], key)
        }
        assert.deepStrictEqual(created.hasUserMessage, false)
      }))

    test("change member by member", (store) =>
      Effect.gen(function*() {
        const before = yield* store.create(thread(1, { name: "a", effort: "low" }))
        const after = yield* store.update(uuid(1), { name: null, effort: undefined, model: "m2", updatedAt: 5_000 })
        assert.deepStrictEqual(after, { ...before, name: null, model: "m2", updatedAt: 5_000 })
        assert.deepStrictEqual(yield* store.get(uuid(1)), after)
      }))

    test("change according to what they are, however many want to", (store) =>
      Effect.gen(function*() {
        yield* store.create(thread(1, { name: "" }))
        const add = store.modify(uuid(1), ({ name }) => [name?.length, { name: `${name ?? ""}x` }])
        const seen = yield* Effect.all(Array.from({ length: 20 }, () => add), { concurrency: "unbounded" })
        assert.strictEqual((yield* store.get(uuid(1))).name, "x".repeat(20))
        assert.strictEqual(new Set(seen.map(([length]) => length)).size, 20)
        const [length, record] = yield* store.modify(uuid(1), ({ name }) => [name?.length, undefined])
        assert.deepStrictEqual([length, record.name?.length], [20, 20])
      }))

    test("are refused a second time, and under an id that is no UUID", (store) =>
      Effect.gen(function*() {
        yield* store.create(thread(1))
        assert.strictEqual((yield* reasonOf(store.create(thread(1))))._tag, "InvalidRequest")
        assert.strictEqual((yield* reasonOf(store.create(thread(1, { ephemeral: true }))))._tag, "InvalidRequest")
        assert.strictEqual((yield* store.get(uuid(1))).ephemeral, false)
        const strange = ["", "../../../tmp/x", "a/b", "%2e%2e", `${uuid(1)}\0`, "x".repeat(10_000), `${uuid(1)}/..`]
        for (const id of strange) {
          const refused = [
            store.create(thread(1, { id })),
            store.get(id),
            store.remove(id),
            store.list({ ancestorThreadId: id }),
            store.list({ includedThreadIds: [id] }),
            store.list({ excludedThreadIds: [id] }),
            store.listItems(id, {}),
            store.fork(uuid(1), { id, createdAt: 1 })
          ]
          for (const effect of refused) {
            const reason = yield* reasonOf(Effect.asVoid(effect))
            assert.strictEqual(reason._tag, "InvalidRequest", id)
            if (reason._tag === "InvalidRequest") assert.isBelow(reason.message.length, 200)
          }
        }
        assert.strictEqual((yield* store.get(`urn:uuid:${uuid(1).toUpperCase()}`)).id, uuid(1))
      }))

    test("that are not there are refused by every operation", (store) =>
      Effect.gen(function*() {
        const id = uuid(1)
        const refused: ReadonlyArray<Effect.Effect<unknown, BridgeError, Scope.Scope>> = [
          store.get(id),
          store.update(id, { name: "x" }),
          store.remove(id),
          store.archive(id),
          store.unarchive(id),
          store.startTurn(id, { id: "t", startedAt: 1 }),
          store.putItem(id, "t", { item: said("i", "x"), startedAtMs: 1, completedAtMs: 1 }),
          store.listTurns(id, {}),
          store.listItems(id, {}),
          store.fork(id, { id: uuid(2), createdAt: 1 }),
          store.revert(id, { beforeTurnId: "t", at: 1 }),
          store.acquireWriter(id)
        ]
        for (const [index, effect] of refused.entries()) {
          assert.strictEqual((yield* reasonOf(effect))._tag, "NoSuchThread", `operation ${index}`)
        }
      }))

    test("are removed with their history; what was made of them stays", (store) =>
      Effect.gen(function*() {
        yield* listed(store, 1)
        yield* store.fork(uuid(1), { id: uuid(2), createdAt: 2_000 })
        yield* store.remove(uuid(1))
        assert.strictEqual((yield* reasonOf(store.listItems(uuid(1), {})))._tag, "NoSuchThread")
        assert.strictEqual((yield* store.listItems(uuid(2), {})).data.length, 1)
        // The id can be used again, and has no history.
        yield* store.create(thread(1))
        assert.deepStrictEqual((yield* store.listItems(uuid(1), {})).data, [])
      }))

    test("that are ephemeral work like others and are in no list", (store) =>
      Effect.gen(function*() {
        yield* store.create(thread(1, { ephemeral: true }))
        yield* turn(store, uuid(1), "t1")
        assert.strictEqual((yield* store.get(uuid(1))).preview, "ask t1")
        assert.strictEqual((yield* store.listItems(uuid(1), {})).data.length, 3)
        assert.deepStrictEqual((yield* store.list({})).data, [])
        yield* store.fork(uuid(1), { id: uuid(2), createdAt: 3_000, ephemeral: false })
        assert.deepStrictEqual(ids((yield* store.list({})).data), [uuid(2)])
        yield* store.fork(uuid(2), { id: uuid(3), createdAt: 3_000, ephemeral: true })
        assert.strictEqual((yield* store.listItems(uuid(3), {})).data.length, 3)
        yield* store.remove(uuid(1))
        assert.strictEqual((yield* reasonOf(store.get(uuid(1))))._tag, "NoSuchThread")
        assert.deepStrictEqual(ids((yield* store.list({})).data), [uuid(2)])
      }))
  })

  describe("the list", () => {
    test("has what was ever spoken in, the newest first", (store) =>
      Effect.gen(function*() {
        yield* listed(store, 1, { createdAt: 1_000 })
        yield* listed(store, 2, { createdAt: 3_000 })
        yield* listed(store, 3, { createdAt: 2_000 })
        yield* store.create(thread(4, { createdAt: 9_000 }))
        assert.deepStrictEqual(ids((yield* store.list({})).data), [uuid(2), uuid(3), uuid(1)])
        assert.deepStrictEqual(ids((yield* store.list({ direction: "asc" })).data), [uuid(1), uuid(3), uuid(2)])
        yield* store.update(uuid(1), { updatedAt: 8_000 })
        assert.deepStrictEqual(
          ids((yield* store.list({ sortKey: "updatedAt" })).data),
          [uuid(1), uuid(2), uuid(3)]
        )
        yield* store.startTurn(uuid(3), { id: "t9", startedAt: 9_500 })
        assert.deepStrictEqual(
          ids((yield* store.list({ sortKey: "recencyAt" })).data),
          [uuid(3), uuid(2), uuid(1)]
        )
      }))

    test("is filtered by each of its filters, and by all together", (store) =>
      Effect.gen(function*() {
        yield* listed(store, 1, { cwd: "/a", modelProvider: "p1", originator: "o1", createdAt: 1 })
        yield* listed(store, 2, { cwd: "/b", name: "Über ALLES", source: "exec", createdAt: 2 })
        yield* listed(store, 3, {
          cwd: "/a/c",
          parentThreadId: uuid(1),
          source: { subAgent: { thread_spawn: { depth: 1, parent_thread_id: uuid(1) } } },
          createdAt: 3
        })
        yield* listed(store, 4, { parentThreadId: uuid(3), source: { subAgent: "review" }, createdAt: 4 })
        yield* listed(store, 5, { source: { custom: "mine" }, section: { id: "s", name: "S" }, createdAt: 5 })
        yield* listed(store, 6, { createdAt: 6 })
        yield* store.archive(uuid(6))
        const all = ["cli", "vscode", "exec", "appServer", "subAgent", "unknown", "custom"]
        const expect = (query: Parameters<ThreadStoreService["list"]>[0], expected: ReadonlyArray<number>) =>
          Effect.gen(function*() {
            const found = (yield* store.list({ direction: "asc", ...query })).data
            assert.deepStrictEqual(ids(found), expected.map(uuid), JSON.stringify(query))
          })
        yield* expect({}, [1, 5])
        yield* expect({ sourceKinds: [] }, [1, 5])
        yield* expect({ sourceKinds: all }, [1, 2, 3, 4, 5])
        yield* expect({ sourceKinds: ["exec"] }, [2])
        yield* expect({ sourceKinds: ["subAgent"] }, [3, 4])
        yield* expect({ sourceKinds: ["subAgentReview"] }, [4])
        yield* expect({ sourceKinds: ["ofALaterRelease"] }, [])
        yield* expect({ archived: true }, [6])
        yield* expect({ archived: true, sourceKinds: ["exec"] }, [])
        yield* expect({ cwd: "/a", sourceKinds: all }, [1])
        yield* expect({ cwd: ["/a", "/b"], sourceKinds: all }, [1, 2])
        yield* expect({ cwd: [], sourceKinds: all }, [])
        yield* expect({ cwd: "/a/" }, [1])
        yield* expect({ cwd: "/a%", sourceKinds: all }, [])
        yield* expect({ modelProviders: ["p1"] }, [1])
        yield* expect({ modelProviders: [] }, [1, 5])
        yield* expect({ originators: ["o1", "o2"] }, [1])
        yield* expect({ searchTerm: "über", sourceKinds: all }, [2])
        yield* expect({ searchTerm: "QUESTION 5" }, [5])
        yield* expect({ searchTerm: "%", sourceKinds: all }, [])
        yield* expect({ parentThreadId: uuid(1) }, [3])
        yield* expect({ ancestorThreadId: uuid(1) }, [3, 4])
        yield* expect({ ancestorThreadId: uuid(1), sourceKinds: ["subAgentThreadSpawn"] }, [3])
        // What the terminal client asks about the thread it is in, before it lets a person speak.
        yield* expect({ ancestorThreadId: uuid(6), sourceKinds: ["subAgentThreadSpawn"], archived: true }, [])
        assert.strictEqual(
          (yield* reasonOf(store.list({ parentThreadId: uuid(1), ancestorThreadId: uuid(1) })))._tag,
          "InvalidRequest"
        )
        yield* expect({ sectionId: "s" }, [5])
        yield* expect({ sectionId: null }, [1])
        yield* expect({ sectionId: "other" }, [])
        yield* expect({ includedThreadIds: [uuid(5), uuid(2), uuid(77)], sourceKinds: all }, [2, 5])
        yield* expect({ includedThreadIds: [] }, [])
        yield* expect({ excludedThreadIds: [uuid(5)] }, [1])
        assert.strictEqual(
          (yield* reasonOf(store.list({ excludedThreadIds: Array.from({ length: 101 }, (_, n) => uuid(n)) })))._tag,
          "InvalidRequest"
        )
        yield* expect({ cwd: "/b", sourceKinds: ["exec"], searchTerm: "alles", excludedThreadIds: [uuid(1)] }, [2])
      }))

    test("is filtered before it is cut into pages", (store) =>
      Effect.gen(function*() {
        for (let n = 0; n < 60; n++) yield* listed(store, n, { cwd: `/${n % 3}`, createdAt: 1_000 + n })
        const first = yield* store.list({ cwd: "/1", limit: 20 })
        assert.deepStrictEqual([first.data.length, first.nextCursor], [20, null])
        const pages = yield* Support.allPages((cursor) => store.list({ cwd: "/2", limit: 7, cursor }))
        assert.deepStrictEqual(ids(pages), Array.from({ length: 20 }, (_, k) => uuid(59 - 3 * k)))
        assert.isNotNull((yield* store.list({ limit: 0 })).nextCursor)
        assert.strictEqual((yield* store.list({ limit: 0 })).data.length, 1)
        assert.strictEqual((yield* store.list({ limit: 1e9 })).data.length, 60)
      }))

    test("turns round at the first entry of a page, and shows what is new", (store) =>
      Effect.gen(function*() {
        for (let n = 0; n < 4; n++) yield* listed(store, n, { createdAt: 1_000 + n })
        const { backwardsCursor } = yield* store.list({ sortKey: "updatedAt", limit: 2 })
        yield* listed(store, 9, { createdAt: 9_000 })
        yield* store.update(uuid(0), { updatedAt: 9_500 })
        const newer = yield* store.list({ sortKey: "updatedAt", direction: "asc", cursor: backwardsCursor })
        assert.deepStrictEqual(ids(newer.data), [uuid(3), uuid(9), uuid(0)])
      }))

    test("goes on behind what was listed, though threads move meanwhile", (store) =>
      Effect.gen(function*() {
        for (let n = 0; n < 4; n++) yield* listed(store, n, { createdAt: 1_000 + n })
        const from = (direction: "asc" | "desc", sortKey: "updatedAt" | "recencyAt") =>
          Effect.gen(function*() {
            const first = yield* store.list({ sortKey, direction, limit: 2 })
            return {
              first: ids(first.data),
              rest: Effect.map(
                Support.allPages(
                  (cursor) => store.list({ sortKey, direction, limit: 1, cursor }),
                  first.nextCursor
                ),
                ids
              )
            }
          })
        // The oldest become the newest: in this direction they are ahead, and were listed.
        const up = yield* from("asc", "updatedAt")
        const recent = yield* from("asc", "recencyAt")
        assert.deepStrictEqual(up.first, [uuid(0), uuid(1)])
        yield* store.update(uuid(0), { updatedAt: 5_000 })
        yield* listed(store, 9, { createdAt: 1_002 })
        assert.deepStrictEqual(yield* up.rest, [uuid(2), uuid(3)])
        // What was changed and has not moved in this order stays in it.
        yield* store.update(uuid(2), { updatedAt: 6_000 })
        assert.deepStrictEqual(yield* recent.rest, [uuid(2), uuid(3)])
        // A clock that was set back.
        const down = yield* from("desc", "updatedAt")
        assert.deepStrictEqual(down.first, [uuid(2), uuid(0)])
        yield* store.update(uuid(2), { updatedAt: 1 })
        assert.deepStrictEqual(yield* down.rest, [uuid(3), uuid(9), uuid(1)])
      }))

    test("refuses cursors that are none, or of something else", (store) =>
      Effect.gen(function*() {
        yield* listed(store, 1)
        yield* turn(store, uuid(1), "t1")
        const { backwardsCursor } = yield* store.list({})
        const { turns } = yield* store.historyCursors(uuid(1))
        for (const cursor of ["", "nope", "eyJ9", turns]) {
          assert.strictEqual((yield* reasonOf(store.list({ cursor })))._tag, "InvalidRequest", String(cursor))
        }
        assert.strictEqual(
          (yield* reasonOf(store.list({ cursor: backwardsCursor, sortKey: "updatedAt" })))._tag,
          "InvalidRequest"
        )
        assert.strictEqual((yield* reasonOf(store.listItems(uuid(1), { cursor: turns })))._tag, "InvalidRequest")
      }))

    test("archives and unarchives once", (store) =>
      Effect.gen(function*() {
        yield* listed(store, 1)
        assert.isTrue((yield* store.archive(uuid(1))).archived)
        assert.strictEqual((yield* reasonOf(store.archive(uuid(1))))._tag, "NoSuchThread")
        assert.isFalse((yield* store.unarchive(uuid(1))).archived)
        assert.strictEqual((yield* reasonOf(store.unarchive(uuid(1))))._tag, "NoSuchThread")
      }))
  })
})
