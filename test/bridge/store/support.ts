import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import type * as Scope from "effect/Scope"
import type { BridgeError, BridgeErrorReason } from "../../../src/bridge/BridgeError.ts"
import {
  type ItemRecord,
  type NewThread,
  type Page,
  ThreadStore,
  type ThreadStoreService
} from "../../../src/bridge/store/index.ts"
import { ProcessTable } from "../../../src/transport/ProcessTable.ts"

export const Services = Layer.provideMerge(ProcessTable.layer, NodeServices.layer)

/** A path for a store that does not exist yet, below a directory that is removed at the end. */
export const freshPath = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return path.join(yield* fs.makeTempDirectoryScoped({ prefix: "thread-store-" }), "state", "threads.db")
})

/** A store in this file, closed with the scope. */
export const open = (path: string) =>
  Effect.map(Layer.build(Layer.fresh(ThreadStore.layer({ path }))), (context) => Context.get(context, ThreadStore))

export const openFresh = Effect.flatMap(freshPath, open)

export const openMemory = Effect.map(
  Layer.build(Layer.fresh(ThreadStore.layerMemory)),
  (context) => Context.get(context, ThreadStore)
)

type Test = (
  title: string,
  test: (store: ThreadStoreService) => Effect.Effect<unknown, unknown, Scope.Scope>
) => void

/** Tests that hold for a store in memory and for one in a file; each test has a fresh one. */
export const describeStores = (tests: (test: Test) => void): void => {
  for (const [name, open] of [["in memory", openMemory], ["in a file", openFresh]] as const) {
    describe(`a store ${name}`, () =>
      tests((title, test) => {
        it.effect(title, () => Effect.flatMap(open, test).pipe(Effect.provide(Services)))
      }))
  }
}

export const ids = (records: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> =>
  records.map(({ id }) => id)

/** A UUID for a number. */
export const uuid = (n: number): string => `01a229b5-f445-78b3-a1e3-${n.toString(16).padStart(12, "0")}`

export const thread = (n: number, rest: Partial<NewThread> = {}): NewThread => ({
  id: uuid(n),
  createdAt: 1_000,
  cwd: "/work",
  model: "m",
  modelProvider: "p",
  source: "vscode",
  ...rest
})

type Item = ItemRecord["item"]

export const said = (id: string, text: string): Item => ({
  type: "userMessage",
  id,
  clientId: null,
  content: [{ type: "text", text, text_elements: [] }]
})

export const answered = (id: string, text: string): Item => ({
  type: "agentMessage",
  id,
  text,
  phase: null,
  memoryCitation: null
})

export const command = (id: string, status: "inProgress" | "completed"): Item => ({
  type: "commandExecution",
  id,
  command: "ls",
  commandActions: [],
  cwd: "/work",
  status
})

/** A whole turn: a question, what was thought, an answer. */
export const turn = Effect.fnUntraced(function*(
  store: ThreadStoreService,
  threadId: string,
  turnId: string,
  at = 2_000
) {
  yield* store.startTurn(threadId, { id: turnId, startedAt: at })
  const items = [
    said(`${turnId}-q`, `ask ${turnId}`),
    command(`${turnId}-c`, "completed"),
    answered(`${turnId}-a`, "x")
  ]
  yield* Effect.forEach(
    items,
    (item, index) => store.putItem(threadId, turnId, { item, startedAtMs: at + index, completedAtMs: at + index })
  )
  yield* store.endTurn(threadId, turnId, { status: "completed", completedAt: at + 10 })
})

/** A thread that is listed. */
export const listed = Effect.fnUntraced(function*(
  store: ThreadStoreService,
  n: number,
  rest: Partial<NewThread> = {}
) {
  const record = yield* store.create(thread(n, rest))
  yield* store.startTurn(record.id, { id: "t", startedAt: record.createdAt })
  yield* store.putItem(record.id, "t", {
    item: said("q", `question ${n}`),
    startedAtMs: record.createdAt,
    completedAtMs: record.createdAt
  })
  yield* store.endTurn(record.id, "t", { status: "completed", completedAt: record.createdAt })
  return yield* store.get(record.id)
})

/** All pages of a list, one after the other, from a cursor. */
export const allPages = <A, E, R>(
  next: (cursor: string | null) => Effect.Effect<Page<A>, E, R>,
  from: string | null = null
): Effect.Effect<Array<A>, E, R> =>
  Effect.gen(function*() {
    const all: Array<A> = []
    let cursor = from
    do {
      const page: Page<A> = yield* next(cursor)
      all.push(...page.data)
      assert.notStrictEqual(page.nextCursor, cursor ?? "")
      cursor = page.nextCursor
    } while (cursor !== null)
    return all
  })

/** The reason with which it fails. */
export const reasonOf = <A, R>(effect: Effect.Effect<A, BridgeError, R>): Effect.Effect<BridgeErrorReason, A, R> =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)
