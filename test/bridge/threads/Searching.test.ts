import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as BridgeBench from "../../support/BridgeBench.ts"

const scenario = { fallback: [{ _tag: "Say", deltas: ["about zebras: {{prompt}}"] }] } as const
const bench = BridgeBench.layer({ scenario })

const connect = Effect.flatMap(BridgeBench.BridgeBench, (bridge) => bridge.connect())

const say = Effect.fnUntraced(function*(client: BridgeBench.Client, threadId: string, text: string) {
  const { turn } = yield* client.ask("turn/start", { threadId, input: [{ type: "text", text, text_elements: [] }] })
  yield* client.told("turn/completed", (params) => params.turn.id === turn.id)
  return turn.id
})

/** A thread in which this was said, a second later than the one before. */
const talked = Effect.fnUntraced(function*(client: BridgeBench.Client, text: string) {
  yield* TestClock.adjust("1 second")
  const { thread } = yield* client.ask("thread/start", {})
  yield* say(client, thread.id, text)
  return thread.id
})

describe("a search", () => {
  it.effect("finds what a person or the agent said, wherever in the thread, page by page", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const a = yield* talked(client, "alpha needle")
      const b = yield* talked(client, "beta \"100%_\"\nNEEDLE Äpfel")
      const c = yield* talked(client, "gamma")
      yield* say(client, c, "and later a needle")
      const find = Effect.fnUntraced(function*(searchTerm: string, rest: object = {}) {
        const { data } = yield* client.ask("thread/search", { searchTerm, ...rest })
        return data.map(({ snippet, thread }) => [thread.id, snippet])
      })
      assert.deepStrictEqual(yield* find("needle"), [
        [c, "and later a needle"],
        [b, "beta \"100%_\" NEEDLE Äpfel"],
        [a, "alpha needle"]
      ])
      assert.deepStrictEqual((yield* find("zebras")).map(([id]) => id), [c, b, a])
      assert.deepStrictEqual((yield* find("äPFEL")).map(([id]) => id), [b])
      assert.deepStrictEqual((yield* find("\"100%_\"")).map(([id]) => id), [b])
      // Names of the stored form are no words of anybody.
      assert.deepStrictEqual(yield* find("text_elements"), [])
      assert.deepStrictEqual((yield* find("needle", { sortDirection: "asc" })).map(([id]) => id), [a, b, c])
      assert.deepStrictEqual(yield* find("needle", { archived: true }), [])

      const pages: Array<string> = []
      let cursor: string | null = null
      do {
        const page: {
          readonly data: ReadonlyArray<{ readonly thread: { readonly id: string } }>
          readonly nextCursor?: string | null
        } = yield* client.ask("thread/search", { searchTerm: "needle", limit: 1, cursor })
        assert.lengthOf(page.data, 1)
        pages.push(...page.data.map(({ thread }) => thread.id))
        cursor = page.nextCursor ?? null
      } while (cursor !== null)
      assert.deepStrictEqual(pages, [c, b, a])
      assert.strictEqual(
        yield* client.refusal("thread/search", { searchTerm: "  " }),
        "thread/search requires a non-empty searchTerm"
      )
    }).pipe(Effect.provide(bench)))

  it.effect("tells what it finds while it goes on, and can be cancelled", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const ids: Array<string> = []
      for (let n = 0; n < 60; n++) ids.unshift(yield* talked(client, `needle ${n}`))
      const { data } = yield* client.ask("thread/search/stream", { searchTerm: "needle", limit: 100 })
      assert.deepStrictEqual(data.map(({ thread }) => thread.id), ids)
      const partial = client.allTold("thread/search/partial")
      assert.isAbove(partial.length, 1)
      assert.deepStrictEqual(partial.flatMap(({ data }) => data.map(({ thread }) => thread.id)), ids)

      const search = { id: "s", method: "thread/search", params: { searchTerm: "needle", limit: 100 } }
      yield* client.say(search)
      yield* client.ask("thread/search/cancel", { requestId: "s" })
      const { error } = yield* client.first(({ id, method }) => id === "s" && method === undefined)
      assert.strictEqual(error?.message, "the search was cancelled")
    }).pipe(Effect.provide(bench)))

  it.effect("within a thread gives all places with the turns that they are in", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const threadId = yield* talked(client, "one")
      const second = yield* say(client, threadId, "needle and needle")
      yield* say(client, threadId, "three")
      const all = yield* client.ask("thread/searchOccurrences", { threadId, searchTerm: "needle" })
      assert.deepStrictEqual(all.data.map(({ snippetMatchRange, turnId }) => [turnId, snippetMatchRange.start]), [
        [second, 0],
        [second, 11],
        [second, 14],
        [second, 25]
      ])
      const cursor = all.data[0]?.turnCursor ?? null
      for (const sortDirection of ["asc", "desc"] as const) {
        const turns = yield* client.ask("thread/turns/list", { threadId, cursor, limit: 1, sortDirection })
        assert.deepStrictEqual(turns.data.map(({ id }) => id), [second])
      }
      const page = yield* client.ask("thread/searchOccurrences", { threadId, searchTerm: "needle", limit: 3 })
      const rest = yield* client.ask("thread/searchOccurrences", {
        threadId,
        searchTerm: "needle",
        cursor: page.nextCursor ?? null
      })
      assert.deepStrictEqual([...page.data, ...rest.data], all.data)
    }).pipe(Effect.provide(bench)))
})

describe("single items", () => {
  it.effect("are read by their ids, in the order of the history; others are left out", () =>
    Effect.gen(function*() {
      const client = yield* connect
      const threadId = yield* talked(client, "one")
      const { data } = yield* client.ask("thread/items/list", { threadId })
      const [user, agent] = data
      const turnId = user?.turnId ?? ""
      const itemIds = [agent, undefined, user].map((entry) => String(entry?.item.id ?? "nope"))
      assert.deepStrictEqual(yield* client.ask("thread/items/read", { threadId, turnId, itemIds }), { data })
      assert.deepStrictEqual(yield* client.ask("thread/items/read", { threadId, turnId: "nope", itemIds }), {
        data: []
      })
      for (const itemIds of [[], Array.from({ length: 101 }, (_, n) => `${n}`)]) {
        assert.strictEqual(
          yield* client.refusal("thread/items/read", { threadId, turnId, itemIds }),
          "itemIds must contain 1 to 100 IDs"
        )
      }
    }).pipe(Effect.provide(bench)))
})
