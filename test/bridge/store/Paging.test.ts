import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Page, ThreadRecord, ThreadStoreService } from "../../../src/bridge/store/index.ts"
import * as Support from "./support.ts"

const { answered, listed, thread, uuid } = Support

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const Direction = Schema.Literals(["asc", "desc"])
const SortKey = Schema.Literals(["createdAt", "updatedAt", "recencyAt"])

/** What others do between two pages. `at` is small, so that times collide and run backwards. */
const ListAct = Schema.Union([
  Schema.TaggedStruct("Create", { at: upTo(8) }),
  Schema.TaggedStruct("Touch", { which: upTo(20), at: upTo(8), key: Schema.Literals(["updatedAt", "recencyAt"]) }),
  Schema.TaggedStruct("Rename", { which: upTo(20) }),
  Schema.TaggedStruct("Turn", { which: upTo(20), at: upTo(12) }),
  Schema.TaggedStruct("Archive", { which: upTo(20) }),
  Schema.TaggedStruct("Unarchive", { which: upTo(20) }),
  Schema.TaggedStruct("Remove", { which: upTo(20) })
])
type ListAct = typeof ListAct.Type

const HistoryAct = Schema.Union([
  Schema.TaggedStruct("Put", { item: upTo(30) }),
  Schema.TaggedStruct("NextTurn", {}),
  Schema.TaggedStruct("Revert", { back: upTo(2) })
])
type HistoryAct = typeof HistoryAct.Type

/** What happens before the first page and after each page. */
const script = <A>(act: Schema.Codec<A>) =>
  Schema.Array(Schema.Array(act).check(Schema.isMaxLength(5)))
    .check(Schema.isMaxLength(12))

const firstOf = <A>(steps: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<A> => steps[0] ?? []

/** Turns pages until there are no more; the rest of the script has happened by then, or never does. */
const pageThrough = Effect.fnUntraced(function*<A, B, E>(
  steps: ReadonlyArray<ReadonlyArray<A>>,
  act: (act: A) => Effect.Effect<void, E>,
  next: (cursor: string | null) => Effect.Effect<Page<B>, E>
) {
  const seen: Array<B> = []
  let cursor: string | null = null
  for (let step = 1;; step++) {
    const page: Page<B> = yield* next(cursor)
    seen.push(...page.data)
    if (page.nextCursor === null) return seen
    cursor = page.nextCursor
    yield* Effect.forEach(steps[step] ?? [], act)
  }
})

const once = (ids: ReadonlyArray<unknown>) => assert.strictEqual(new Set(ids).size, ids.length, JSON.stringify(ids))

describe("paging through the list of threads", () => {
  const perform = (store: ThreadStoreService) => {
    let count = 0
    return (act: ListAct): Effect.Effect<void> =>
      Effect.gen(function*() {
        switch (act._tag) {
          case "Create":
            yield* listed(store, count++, { createdAt: act.at })
            break
          case "Touch":
            yield* store.update(uuid(act.which), { [act.key]: act.at })
            break
          case "Rename":
            yield* store.update(uuid(act.which), { name: "renamed" })
            break
          case "Turn": {
            const id = `t${act.at}`
            yield* store.startTurn(uuid(act.which), { id, startedAt: act.at })
            yield* store.endTurn(uuid(act.which), id, { status: "completed", completedAt: act.at })
            break
          }
          case "Archive":
            yield* store.archive(uuid(act.which))
            break
          case "Unarchive":
            yield* store.unarchive(uuid(act.which))
            break
          case "Remove":
            yield* store.remove(uuid(act.which))
            break
        }
      }).pipe(
        // There is no such thread, or it is archived already.
        Effect.catch(({ reason }) =>
          reason._tag === "NoSuchThread" || reason._tag === "InvalidRequest" ? Effect.void : Effect.die(reason)
        )
      )
  }

  it.effect.prop(
    "lists nothing twice, and loses nothing that stays where it is",
    [script(ListAct), SortKey, Direction, upTo(3)],
    ([steps, sortKey, direction, limit]) =>
      Effect.gen(function*() {
        const store = yield* Support.openMemory
        const act = perform(store)
        for (let n = 0; n < 8; n++) yield* act({ _tag: "Create", at: n % 5 })
        yield* Effect.forEach(firstOf(steps), act)
        const query = { sortKey, direction } as const
        const whole = Effect.map(store.list({ ...query, limit: 200 }), ({ data }) => data)
        const places = new Map<string, ThreadRecord>()
        for (const record of yield* whole) places.set(record.id, record)
        // Whatever leaves its place, or the list, during the listing.
        const moved = new Set<string>()
        const watch = Effect.map(whole, (now) => {
          const present = new Map(now.map((record) => [record.id, record]))
          for (const [id, before] of places) {
            if (present.get(id)?.[sortKey] !== before[sortKey]) moved.add(id)
          }
        })
        const seen = yield* pageThrough(
          steps,
          (step) => Effect.andThen(act(step), Effect.orDie(watch)),
          (cursor) => Effect.orDie(store.list({ ...query, limit, cursor }))
        )
        const ids = seen.map(({ id }) => id)
        once(ids)
        const stayed = Array.from(places.keys()).filter((id) => !moved.has(id))
        assert.deepStrictEqual(ids.filter((id) => stayed.includes(id)), stayed)
        const keys = seen.map((record) => record[sortKey])
        assert.deepStrictEqual(keys, keys.toSorted((a, b) => direction === "asc" ? a - b : b - a))
      }).pipe(Effect.scoped)
  )

  it.effect.prop(
    "has on each page what the filters let through, and the pages make the whole",
    [script(ListAct), SortKey, Direction, upTo(3), Schema.Boolean],
    ([steps, sortKey, direction, limit, archived]) =>
      Effect.gen(function*() {
        const store = yield* Support.openMemory
        const act = perform(store)
        yield* Effect.forEach(steps.flat(), act)
        const query = { sortKey, direction, archived } as const
        const whole = yield* store.list({ ...query, limit: 200 })
        const paged = yield* Support.allPages((cursor) => store.list({ ...query, limit, cursor }))
        assert.deepStrictEqual(paged, whole.data)
        assert.isTrue(paged.every((record) => record.archived === archived))
        // And round again from the last page.
        const [last] = paged.slice(-1)
        if (last === undefined) return
        const { backwardsCursor } = yield* store.list({ ...query, includedThreadIds: [last.id] })
        const back = yield* Support.allPages(
          (cursor) => store.list({ ...query, direction: direction === "asc" ? "desc" : "asc", limit, cursor }),
          backwardsCursor
        )
        assert.deepStrictEqual(back, whole.data.toReversed())
      }).pipe(Effect.scoped)
  )
})

describe("paging through a history", () => {
  /** One thread in which things happen. */
  const perform = Effect.fnUntraced(function*(store: ThreadStoreService) {
    yield* store.create(thread(1))
    let turns: ReadonlyArray<string> = []
    let count = 0
    const nextTurn = Effect.gen(function*() {
      const [last] = turns.slice(-1)
      if (last !== undefined) yield* store.endTurn(uuid(1), last, { status: "completed", completedAt: count })
      const id = `t${count++}`
      yield* store.startTurn(uuid(1), { id, startedAt: count })
      turns = [...turns, id]
    })
    yield* nextTurn
    return (act: HistoryAct) =>
      Effect.gen(function*() {
        switch (act._tag) {
          case "NextTurn":
            return yield* nextTurn
          case "Put": {
            const at = act.item % turns.length
            return yield* Effect.asVoid(store.putItem(uuid(1), turns[at] ?? "", {
              item: answered(`i${act.item}`, "x"),
              startedAtMs: 1,
              completedAtMs: 1
            }))
          }
          case "Revert": {
            const from = Math.max(0, turns.length - 1 - act.back)
            yield* store.revert(uuid(1), { beforeTurnId: turns[from] ?? "", at: count })
            turns = turns.slice(0, from)
            return yield* nextTurn
          }
        }
      }).pipe(Effect.orDie)
  })

  it.effect.prop(
    "shows no item twice, and loses none that stays",
    [script(HistoryAct), Direction, upTo(3)],
    ([steps, direction, limit]) =>
      Effect.gen(function*() {
        const store = yield* Support.openMemory
        const act = yield* perform(store)
        for (let n = 0; n < 10; n++) yield* act(n % 4 === 0 ? { _tag: "NextTurn" } : { _tag: "Put", item: n })
        yield* Effect.forEach(firstOf(steps), act)
        const whole = Effect.map(
          store.listItems(uuid(1), { direction, limit: 500 }),
          ({ data }) => data.map(({ ordinal }) => ordinal)
        )
        const before = yield* whole
        const seen = yield* pageThrough(
          steps,
          act,
          (cursor) => Effect.orDie(store.listItems(uuid(1), { direction, limit, cursor }))
        )
        const ordinals = seen.map(({ ordinal }) => ordinal)
        once(ordinals)
        const after = yield* whole
        const stayed = before.filter((ordinal) => after.includes(ordinal))
        assert.deepStrictEqual(ordinals.filter((ordinal) => stayed.includes(ordinal)), stayed)
        if (direction === "desc") {
          // What is new is not behind the end of the history.
          assert.isTrue(ordinals.every((ordinal) => before.includes(ordinal)))
        } else {
          assert.deepStrictEqual(after.filter((ordinal) => !ordinals.includes(ordinal) && before.includes(ordinal)), [])
        }
      }).pipe(Effect.scoped)
  )

  it.effect.prop(
    "shows no turn twice, and loses none that stays; items are those of their turn",
    [script(HistoryAct), Direction, upTo(3)],
    ([steps, direction, limit]) =>
      Effect.gen(function*() {
        const store = yield* Support.openMemory
        const act = yield* perform(store)
        for (let n = 0; n < 12; n++) yield* act(n % 3 === 0 ? { _tag: "NextTurn" } : { _tag: "Put", item: n })
        yield* Effect.forEach(firstOf(steps), act)
        const whole = Effect.map(
          store.listTurns(uuid(1), { direction, limit: 500, view: "notLoaded" }),
          ({ data }) => data.map(({ turn }) => turn.id)
        )
        const before = yield* whole
        const seen = yield* pageThrough(
          steps,
          act,
          (cursor) => Effect.orDie(store.listTurns(uuid(1), { direction, limit, cursor, view: "full" }))
        )
        const ids = seen.map(({ turn }) => turn.id)
        once(ids)
        const after = yield* whole
        const stayed = before.filter((id) => after.includes(id))
        assert.deepStrictEqual(ids.filter((id) => stayed.includes(id)), stayed)
        for (const { items, turn } of seen) {
          assert.isTrue(items.every(({ turnId }) => turnId === turn.id))
          const ordinals = items.map(({ ordinal }) => ordinal)
          assert.deepStrictEqual(ordinals, ordinals.toSorted((a, b) => a - b))
        }
      }).pipe(Effect.scoped)
  )

  it.effect.prop(
    "shows nothing of a timeline twice, and loses none that stays",
    [script(HistoryAct), upTo(4), Schema.Literals([Number.MAX_SAFE_INTEGER, 2_000])],
    ([steps, limit, bytes]) =>
      Effect.gen(function*() {
        const store = yield* Support.openMemory
        const act = yield* perform(store)
        for (let n = 0; n < 12; n++) yield* act(n % 3 === 0 ? { _tag: "NextTurn" } : { _tag: "Put", item: n })
        yield* Effect.forEach(firstOf(steps), act)
        const whole = Effect.gen(function*() {
          const { data } = yield* store.listTurns(uuid(1), { direction: "asc", limit: 500, view: "full" })
          return data.flatMap(({ items, turn }) => [
            `start ${turn.id}`,
            ...items.map(({ id, turnId }) => `${turnId} ${id}`),
            ...(turn.status === "inProgress" ? [] : [`end ${turn.id}`])
          ])
        })
        const before = yield* whole
        const seen = yield* pageThrough(steps, act, (cursor) =>
          store.timeline(uuid(1), { cursor, limit, bytes }).pipe(
            Effect.map((page) => ({ ...page, data: page.data.toReversed(), backwardsCursor: null })),
            Effect.orDie
          ))
        const entries = seen.toReversed()
        const positions = entries.map(({ position }) => position)
        once(positions)
        assert.deepStrictEqual(positions, positions.toSorted((a, b) => a - b))
        const names = entries.map((entry) =>
          entry._tag === "Item"
            ? `${entry.item.turnId} ${entry.item.id}`
            : `${entry._tag === "TurnStarted" ? "start" : "end"} ${entry.turn.id}`
        )
        const after = yield* whole
        const stayed = before.filter((name) => after.includes(name))
        assert.deepStrictEqual(names.filter((name) => stayed.includes(name)), stayed)
      }).pipe(Effect.scoped)
  )
})
