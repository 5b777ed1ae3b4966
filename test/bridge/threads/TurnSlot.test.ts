/**
 * What happens in a turn is stored first, and shown then.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AgentBackend } from "../../../src/agent/AgentBackend.ts"
import type { AgentEvent } from "../../../src/agent/AgentEvent.ts"
import * as ScriptedBackend from "../../../src/backends/scripted/ScriptedBackend.ts"
import { Internal, refuse } from "../../../src/bridge/BridgeError.ts"
import type { ThreadStoreService } from "../../../src/bridge/store/index.ts"
import { StoredThread } from "../../../src/bridge/threads/StoredThread.ts"
import { TurnSlot } from "../../../src/bridge/threads/TurnSlot.ts"
import { Watchers } from "../../../src/bridge/threads/Watchers.ts"
import * as Support from "../store/support.ts"

const { thread, uuid } = Support

const started = (id: string): AgentEvent => ({ _tag: "ItemStarted", item: { _tag: "AgentMessage", id, text: "" } })
const delta = (itemId: string, delta: string): AgentEvent => ({
  _tag: "ItemDelta",
  itemId,
  field: "text",
  index: 0,
  delta
})
const completed = (id: string, text: string): AgentEvent => ({
  _tag: "ItemCompleted",
  item: { _tag: "AgentMessage", id, text },
  closed: false
})

/** A turn that runs in a store of its own, and a log of what was stored of texts and shown, in order. */
const make = Effect.fnUntraced(
  function*(change: (store: ThreadStoreService) => Partial<ThreadStoreService> = () => ({})) {
    const given = yield* Support.openMemory
    const log: Array<string> = []
    const note = (what: string, text: string) => {
      log.push(`${what} ${text}`)
    }
    const store: ThreadStoreService = {
      ...given,
      appendTexts: (threadId, turnId, texts) =>
        Effect.tap(given.appendTexts(threadId, turnId, texts), () =>
          Effect.sync(() => {
            for (const { pieces } of texts) for (const { delta } of pieces) note("stored", delta)
          })),
      ...change(given)
    }
    const record = yield* store.create(thread(1))
    const watchers = new Watchers({ notify: () => {} }, () => {})
    watchers.notify = (method, params) => {
      if (method === "item/agentMessage/delta" && "delta" in params) note("shown", params.delta)
      if (method === "item/completed") note("shown", "completed")
    }
    const backend = Context.get(yield* Layer.build(ScriptedBackend.layer({ fallback: [] })), AgentBackend)
    const slot = new TurnSlot({
      thread: new StoredThread(store, record),
      backend,
      watchers,
      used: undefined,
      fork: Effect.runForkWith(yield* Effect.context<never>()),
      onInterrupted: Effect.void
    })
    const running = yield* slot.begin(undefined)
    assert(running !== undefined)
    const texts = Effect.map(
      store.listItems(uuid(1), {}),
      ({ data }) => data.flatMap(({ item }) => item.type === "agentMessage" ? [item.text] : [])
    )
    return { slot, store, running, log, texts }
  }
)

describe("a turn", () => {
  it.effect("has what it says stored before it is shown, at once for all that comes at once", () =>
    Effect.gen(function*() {
      const { log, running, slot, texts } = yield* make()
      yield* slot.apply(running, [started("m"), delta("m", "one "), delta("m", "two ")])
      yield* slot.apply(running, [delta("m", "three")])
      assert.deepStrictEqual(log, ["stored one two ", "shown one ", "shown two ", "stored three", "shown three"])
      assert.deepStrictEqual(yield* texts, ["one two three"])
      // What is completed in the same breath is stored with all of its text.
      log.length = 0
      yield* slot.apply(running, [delta("m", "!"), completed("m", "one two three!"), started("n"), delta("n", "next")])
      assert.deepStrictEqual(log, ["stored next", "shown !", "shown completed", "shown next"])
      assert.deepStrictEqual(yield* texts, ["one two three!", "next"])
    }).pipe(Effect.scoped))

  it.effect("shows nothing that could not be stored", () =>
    Effect.gen(function*() {
      const error = refuse(new Internal({ message: "the disk is full" }))
      const { log, running, slot } = yield* make(() => ({ appendTexts: () => Effect.fail(error) }))
      yield* slot.apply(running, [started("m")])
      assert.strictEqual(yield* Effect.flip(slot.apply(running, [delta("m", "one")])), error)
      assert.deepStrictEqual(log, [])
    }).pipe(Effect.scoped))

  it.effect("has what is said after its end stored, too", () =>
    Effect.gen(function*() {
      const { log, running, slot, texts } = yield* make()
      yield* slot.apply(running, [started("m"), completed("m", "bye"), {
        _tag: "TurnEnded",
        outcome: { _tag: "Completed" }
      }])
      log.length = 0
      yield* slot.late({ _tag: "ItemStarted", item: { _tag: "AgentMessage", id: "late", text: "" } })
      yield* slot.late({ _tag: "ItemDelta", itemId: "late", field: "text", index: 0, delta: "P.S." })
      assert.deepStrictEqual(log, ["stored P.S.", "shown P.S."])
      assert.deepStrictEqual(yield* texts, ["bye", "P.S."])
    }).pipe(Effect.scoped))
})
