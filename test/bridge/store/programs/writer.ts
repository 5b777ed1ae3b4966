/**
 * Writes to a store until it is killed: `writer.ts PATH THREAD_ID MODE`.
 *
 * Every line on stdout says what was acknowledged. `history` writes turns without end; `hold` starts a turn, leaves an
 * item open and waits; `count` writes a hundred names of one thread; `create` makes the thread.
 */
import * as Effect from "effect/Effect"
import { appendFileSync } from "node:fs"
import type { ThreadStoreService } from "../../../../src/bridge/store/index.ts"
import * as Support from "../support.ts"

const [path = "", threadId = "", mode = ""] = process.argv.slice(2)

// Not for ever, whatever becomes of the test.
setTimeout(() => process.exit(1), 60_000).unref()

/** Straight to the file descriptor: what was said has left the process. */
const say = (line: string) => Effect.sync(() => appendFileSync(1, `${line}\n`))

const history = (store: ThreadStoreService) =>
  Effect.gen(function*() {
    const { data } = yield* store.listTurns(threadId, { limit: 1, view: "notLoaded" })
    const from = data[0] === undefined ? 0 : Number(data[0].turn.id) + 1
    for (let n = from;; n++) {
      yield* store.startTurn(threadId, { id: String(n), startedAt: n })
      yield* say(`started ${n}`)
      for (let k = 0; k < 3; k++) {
        const item = k === 0 ? Support.said(`${n}-${k}`, "?") : Support.answered(`${n}-${k}`, "x".repeat(3_000))
        yield* store.putItem(threadId, String(n), { item, startedAtMs: n, completedAtMs: n })
        yield* say(`item ${n} ${n}-${k}`)
      }
      yield* store.endTurn(threadId, String(n), { status: "completed", completedAt: n })
      yield* say(`ended ${n}`)
    }
  })

const hold = (store: ThreadStoreService) =>
  Effect.gen(function*() {
    yield* store.startTurn(threadId, { id: "held", startedAt: 5_000 })
    yield* store.putItem(threadId, "held", {
      item: Support.command("c", "inProgress"),
      startedAtMs: 5_100,
      completedAtMs: null
    })
    yield* say("holding")
    yield* Effect.sleep("60 seconds")
  })

const count = (store: ThreadStoreService) =>
  Effect.gen(function*() {
    yield* say("ready")
    for (let n = 0; n < 100; n++) {
      yield* store.modify(threadId, ({ name }) => [undefined, { name: String(Number(name) + 1) }])
    }
    yield* say("done")
  })

const create = (store: ThreadStoreService) =>
  Effect.gen(function*() {
    yield* store.create({ ...Support.thread(1), id: threadId })
    yield* say("created")
  })

const modes = { history, hold, count, create }

await Effect.gen(function*() {
  const store = yield* Support.open(path)
  if (mode === "history" || mode === "hold") {
    yield* store.recover(threadId)
    yield* store.acquireWriter(threadId)
  }
  yield* modes[mode as keyof typeof modes](store)
}).pipe(Effect.scoped, Effect.provide(Support.Services), Effect.runPromise)
