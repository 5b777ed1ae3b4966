import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Scenario } from "../../src/backends/scripted/Scenario.ts"
import * as BridgeBench from "../support/BridgeBench.ts"

const messageBytes = 128 * 1024
const limits = { messageBytes }

const bytesOf = (message: BridgeBench.Message) => Buffer.byteLength(JSON.stringify(message))

const biggest = (client: BridgeBench.Client) => Math.max(...client.seen.map(bytesOf))

const say = Effect.fnUntraced(function*(client: BridgeBench.Client, threadId: string, text: string) {
  const { turn } = yield* client.ask("turn/start", { threadId, input: [{ type: "text", text, text_elements: [] }] })
  yield* client.told("turn/completed", (params) => params.turn.id === turn.id)
  return turn.id
})

const long = "x".repeat(20_000)
const scenario: Scenario = {
  turns: [
    { match: "huge", steps: [{ _tag: "Say", deltas: ["begin", "é\u0001".repeat(100_000), "end"] }] },
    { match: "many", steps: Array.from({ length: 600 }, () => ({ _tag: "Say", deltas: ["m"] }) as const) }
  ],
  fallback: [{ _tag: "Say", deltas: [long] }]
}

const bench = BridgeBench.layer({ scenario, limits })

interface Paged {
  readonly data: ReadonlyArray<unknown>
  readonly nextCursor?: string | null
}

/** All entries of a list, page by page, and how many pages that took. */
const walk = Effect.fnUntraced(function*<E>(page: (cursor: string | null) => Effect.Effect<Paged, E>) {
  const all: Array<unknown> = []
  let cursor: string | null = null
  let pages = 0
  do {
    const next: Paged = yield* page(cursor)
    assert.isAbove(next.data.length, 0)
    all.push(...next.data)
    pages++
    cursor = next.nextCursor ?? null
  } while (cursor !== null)
  return [all.length, pages] as const
})

describe("no message is larger than a client takes", () => {
  it.effect(
    "pages end earlier and lose nothing; a thread in one piece comes with its newest turns",
    () =>
      Effect.gen(function*() {
        const { connect } = yield* BridgeBench.BridgeBench
        const client = yield* connect()
        const { thread: { id: threadId } } = yield* client.ask("thread/start", {})
        const turnIds: Array<string> = []
        for (let n = 0; n < 20; n++) turnIds.push(yield* say(client, threadId, `${n} ${long}`))
        const full = { threadId, limit: 500, itemsView: "full" } as const
        const [turns, turnPages] = yield* walk((cursor) => client.ask("thread/turns/list", { ...full, cursor }))
        assert.strictEqual(turns, 20)
        assert.isAbove(turnPages, 5)
        const [items, itemPages] = yield* walk((cursor) =>
          client.ask("thread/items/list", { threadId, limit: 500, cursor })
        )
        assert.strictEqual(items, 40)
        assert.isAbove(itemPages, 5)

        const read = yield* client.ask("thread/read", { threadId, includeTurns: true })
        assert.isNotEmpty(read.thread.turns)
        assert.deepStrictEqual(read.thread.turns.map(({ id }) => id), turnIds.slice(-read.thread.turns.length))
        const resumed = yield* client.ask("thread/resume", { threadId, initialTurnsPage: { itemsView: "full" } })
        assert.strictEqual(resumed.thread.turns.at(-1)?.id, turnIds.at(-1))
        assert.isNotNull(resumed.initialTurnsPage?.nextCursor ?? null)
        const fork = yield* client.ask("thread/fork", { threadId })
        assert.isNotEmpty(fork.thread.turns)

        for (let n = 0; n < 10; n++) {
          const { thread } = yield* client.ask("thread/start", {})
          yield* say(client, thread.id, `${n} ${long}`)
        }
        const [threads, threadPages] = yield* walk((cursor) => client.ask("thread/list", { limit: 200, cursor }))
        assert.strictEqual(threads, 12)
        assert.isAbove(threadPages, 1)
        assert.isAtMost(biggest(client), messageBytes)
      }).pipe(Effect.provide(bench)),
    30_000
  )

  it.effect(
    "a text that is larger is shown without its middle, live and in the history, and stored whole",
    () =>
      Effect.gen(function*() {
        const { connect } = yield* BridgeBench.BridgeBench
        const client = yield* connect()
        const { thread: { id: threadId } } = yield* client.ask("thread/start", {})
        yield* say(client, threadId, "huge")
        const shown = yield* client.told("item/completed", ({ item }) => item.type === "agentMessage")
        assert(shown.item.type === "agentMessage")
        const { data } = yield* client.ask("thread/items/list", { threadId, sortDirection: "desc", limit: 1 })
        const read = yield* client.ask("thread/read", { threadId, includeTurns: true })
        for (const item of [shown.item, data[0]?.item, read.thread.turns[0]?.items.at(-1)]) {
          assert(item?.type === "agentMessage")
          assert.match(item.text, /^begin.*\n\[… \d+ characters left out …\]\n.*end$/su)
        }
        assert.isAtMost(biggest(client), messageBytes)
        // The middle is there: it can be found.
        const found = yield* client.ask("thread/searchOccurrences", { threadId, searchTerm: "é\u0001é", limit: 1 })
        assert.lengthOf(found.data, 1)
      }).pipe(Effect.provide(bench)),
    30_000
  )

  it.effect("a turn of too many items comes as its summary, and its items page by page", () =>
    Effect.gen(function*() {
      const { connect } = yield* BridgeBench.BridgeBench
      const client = yield* connect()
      const { thread: { id: threadId } } = yield* client.ask("thread/start", {})
      yield* say(client, threadId, "many")
      const { thread } = yield* client.ask("thread/read", { threadId, includeTurns: true })
      assert.deepStrictEqual(thread.turns.map(({ items, itemsView }) => [itemsView, items.length]), [["summary", 2]])
      const [items] = yield* walk((cursor) => client.ask("thread/items/list", { threadId, limit: 500, cursor }))
      assert.strictEqual(items, 601)
      assert.isAtMost(biggest(client), messageBytes)
    }).pipe(Effect.provide(bench)), 30_000)
})
