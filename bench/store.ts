/**
 * The thread store: `bun bench/store.ts`. What a client waits for must not depend on how much there is.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import { type Page, ThreadStore, type ThreadStoreService } from "../src/bridge/store/index.ts"
import { ProcessTable } from "../src/transport/ProcessTable.ts"
import { answered, create, uuid } from "./Threads.ts"

/** The best of some runs, in milliseconds. */
const best = Effect.fnUntraced(function*<A, E>(effect: Effect.Effect<A, E>, runs = 20) {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const [duration] = yield* Effect.timed(effect)
    least = Math.min(least, Duration.toMillis(duration))
  }
  return least
})

/** A page in the middle of a list. */
const middle = Effect.fnUntraced(function*<A, E>(
  next: (cursor: string | null) => Effect.Effect<Page<A>, E>,
  pages: number
) {
  let cursor: string | null = null
  for (let page = 0; page < pages; page++) cursor = (yield* next(cursor)).nextCursor
  return cursor
})

/** What is measured, in a store with so many threads, of which the first has a history of so many items. */
const measure = Effect.fnUntraced(function*(store: ThreadStoreService, threads: number, items: number) {
  const [filling] = yield* Effect.timed(Effect.gen(function*() {
    yield* create(store, 0, items, Math.max(1, items / 20))
    for (let n = 1; n < threads; n++) yield* create(store, n, 2)
  }))
  const long = uuid(0)
  const list = (cursor: string | null) => store.list({ sortKey: "updatedAt", limit: 50, cursor })
  const inList = yield* middle(list, Math.floor(threads / 50 / 2))
  const listItems = (cursor: string | null) => store.listItems(long, { limit: 100, cursor })
  const inItems = yield* middle(listItems, Math.floor(items / 100 / 2))
  const { items: end, turns } = yield* store.historyCursors(long)
  let count = 0
  return {
    "fill (ms a thread)": Duration.toMillis(filling) / threads,
    "list, first 50": yield* best(list(null)),
    "list, 50 in the middle": yield* best(list(inList)),
    "list, 50 of one directory": yield* best(store.list({ cwd: "/work/7", limit: 50 })),
    "list, 50 by search": yield* best(store.list({ searchTerm: "what does", limit: 50 })),
    "list, children of a thread": yield* best(store.list({ ancestorThreadId: long, sourceKinds: ["subAgent"] })),
    "get": yield* best(store.get(long)),
    "resume (thread, ends, last 5 turns)": yield* best(Effect.all([
      store.get(long),
      store.historyCursors(long),
      store.listTurns(long, { cursor: turns, limit: 5 }),
      store.lastUsage(long)
    ])),
    "items, last 100": yield* best(store.listItems(long, { cursor: end, direction: "desc", limit: 100 })),
    "items, 100 in the middle": yield* best(listItems(inItems)),
    "turns in full, last 5": yield* best(store.listTurns(long, { view: "full", limit: 5 })),
    "put an item": yield* best(
      Effect.suspend(() =>
        store.putItem(long, "t0", { item: answered(`new${count++}`), startedAtMs: 1, completedAtMs: 1 })
      ),
      100
    ),
    "fork": yield* best(
      Effect.suspend(() => store.fork(long, { id: uuid(1_000_000 + count++), createdAt: 1 })),
      3
    )
  }
})

const withStore = <A, E>(use: (store: ThreadStoreService) => Effect.Effect<A, E>) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const directory = yield* fs.makeTempDirectoryScoped({ prefix: "bench-store-" })
    return yield* ThreadStore.use(use).pipe(
      Effect.provide(ThreadStore.layer({ path: path.join(directory, "threads.db") }))
    )
  }).pipe(Effect.scoped)

const runtime = process.versions["bun"] === undefined
  ? `Node ${process.versions.node}`
  : `Bun ${process.versions["bun"]}`

await Effect.gen(function*() {
  const small = yield* withStore((store) => measure(store, 100, 100))
  const large = yield* withStore((store) => measure(store, 10_000, 10_000))
  yield* Console.log(`${runtime}, ${process.platform} ${process.arch}; milliseconds, best of some`)
  yield* Console.log(
    `${"".padEnd(38)}${"100 threads, 100 items".padStart(26)}${"10,000 threads, 10,000 items".padStart(32)}`
  )
  for (const name of Object.keys(small) as ReadonlyArray<keyof typeof small>) {
    yield* Console.log(name.padEnd(38) + small[name].toFixed(2).padStart(26) + large[name].toFixed(2).padStart(32))
  }
}).pipe(
  Effect.provide(Layer.provideMerge(ProcessTable.layer, NodeServices.layer)),
  Effect.runPromise
)
