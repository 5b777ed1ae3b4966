/**
 * Whatever an agent does, what clients see is a proper turn.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AgentEvent, type DeltaField, TurnEnded } from "../../../src/agent/AgentEvent.ts"
import { AgentItem, ItemStatus } from "../../../src/agent/AgentItem.ts"
import { type Output, TurnProjection } from "../../../src/bridge/projection/index.ts"
import { type ItemRecord, ItemText } from "../../../src/bridge/store/index.ts"
import * as TurnStoring from "../../../src/bridge/threads/TurnStoring.ts"
import { ShownItems } from "../../support/ShownItems.ts"
import { broken, options, outline, run } from "./support/wire.ts"

/** What happens next, and what with: of few items, so that events meet. */
const Scene = Schema.Struct({
  act: Schema.Literals(["start", "delta", "grow", "update", "complete", "event"]),
  which: Schema.Literals([0, 1, 2, 3]),
  /** Whether it fits the item. */
  fits: Schema.Literals([true, true, true, false]),
  text: Schema.String,
  index: Schema.Literals([0, 0, 1, 2, -1]),
  status: ItemStatus,
  closed: Schema.Boolean,
  event: AgentEvent,
  item: AgentItem,
  request: Schema.Literals(["1", "2"])
})
type Scene = typeof Scene.Type

const fields: Readonly<Partial<Record<AgentItem["_tag"], ReadonlyArray<DeltaField>>>> = {
  AgentMessage: ["text"],
  Reasoning: ["summary", "reasoning", "summary"],
  Plan: ["plan"],
  CommandExecution: ["output"],
  FileChange: ["output"],
  McpToolCall: ["progress"]
}

/** The item with more of its texts. */
const grown = (item: AgentItem, text: string): AgentItem => {
  switch (item._tag) {
    case "AgentMessage":
    case "Plan":
      return { ...item, text: item.text + text }
    case "Reasoning":
      return { ...item, summary: [...item.summary, text], content: item.content.map((part) => part + text) }
    case "CommandExecution":
      return { ...item, output: (item.output ?? "") + text }
    case "FileChange":
      return { ...item, changes: [...item.changes, { path: text, kind: "add", diff: text }] }
    default:
      return item
  }
}

/** The scenes as events, about these items. */
const played = (items: ReadonlyArray<AgentItem>, scenes: ReadonlyArray<Scene>): ReadonlyArray<AgentEvent> =>
  scenes.map(({ act, closed, event, fits, index, item, request, status, text, which }): AgentEvent => {
    const id = String(which)
    const mine: AgentItem = { ...(fits ? items[which] ?? item : item), id }
    const now = "status" in mine ? { ...mine, status } : mine
    switch (act) {
      case "start":
        return { _tag: "ItemStarted", item: now }
      case "delta": {
        const field = fits ? fields[mine._tag]?.[Math.abs(index)] ?? fields[mine._tag]?.[0] : undefined
        return { _tag: "ItemDelta", itemId: id, field: field ?? "text", index, delta: text }
      }
      case "grow":
        return { _tag: "ItemUpdated", item: grown(mine, text) }
      case "update":
        return { _tag: "ItemUpdated", item: now }
      case "complete":
        return { _tag: "ItemCompleted", item: now, closed }
      case "event":
        return event._tag === "RequestOpened" || event._tag === "RequestResolved"
          ? { ...event, requestId: request }
          : event
    }
  })

/** Makes a proper turn of any events: leaves out what may not come, and closes what is open. */
const tidy = (events: ReadonlyArray<AgentEvent>): ReadonlyArray<AgentEvent> => {
  const result: Array<AgentEvent> = [{ _tag: "TurnStarted", turnId: "agent-turn" }]
  const open = new Map<string, AgentItem>()
  const closed = new Set<string>()
  const requests = new Map<string, boolean>()
  for (const event of events) {
    switch (event._tag) {
      case "TurnStarted":
      case "TurnEnded":
        continue
      case "ItemStarted":
        if (open.has(event.item.id) || closed.has(event.item.id)) continue
        open.set(event.item.id, event.item)
        break
      case "ItemDelta":
        if (!open.has(event.itemId)) continue
        break
      case "ItemUpdated":
      case "ItemCompleted": {
        const known = open.get(event.item.id)
        if (known?._tag !== event.item._tag) continue
        if (event._tag === "ItemUpdated") break
        open.delete(event.item.id)
        closed.add(event.item.id)
        break
      }
      case "RequestOpened":
        if (requests.has(event.requestId)) continue
        requests.set(event.requestId, true)
        break
      case "RequestResolved":
        if (requests.get(event.requestId) !== true) continue
        requests.set(event.requestId, false)
        break
    }
    result.push(event)
  }
  for (const item of open.values()) result.push({ _tag: "ItemCompleted", item, closed: true })
  return result
}

const Events = Arbitrary.map(
  Arbitrary.all([
    Arbitrary.schema(Schema.Tuple([AgentItem, AgentItem, AgentItem, AgentItem])),
    Arbitrary.array(Arbitrary.schema(Scene), { minLength: 10, maxLength: 60 })
  ]),
  ([items, scenes]) => played(items, scenes)
)
const Outcome = Arbitrary.schema(TurnEnded)

const variants: Readonly<Record<string, Partial<TurnProjection.TurnOptions>>> = {
  "as they are": {},
  "with an input": {
    input: { itemId: "input", clientId: "client", content: [{ type: "text", text: "hi", text_elements: [] }] }
  },
  "under other ids": { itemId: (id) => `${options.turnId}-${id}` }
}

/** What is stored of the items of a turn, as they stand. */
class StoredItems {
  readonly #items = new Map<string, { readonly put: ItemRecord["item"]; readonly pieces: Array<ItemText.Piece> }>()

  store(outputs: ReadonlyArray<Output>): void {
    for (const output of outputs) {
      if (output._tag !== "PutItem") continue
      const pieces = output.completedAtMs === null ? this.#items.get(output.item.id)?.pieces ?? [] : []
      this.#items.set(output.item.id, { put: output.item, pieces })
    }
    for (const { itemId, pieces } of TurnStoring.texts(outputs)) {
      const known = this.#items.get(itemId)
      assert.isDefined(known, `a text of ${itemId}, which is not stored`)
      known?.pieces.push(...pieces)
    }
  }

  get(itemId: string): ItemRecord["item"] | undefined {
    const known = this.#items.get(itemId)
    return known === undefined ? undefined : ItemText.applied(known.put, known.pieces)
  }
}

describe("any events", () => {
  for (const [name, more] of Object.entries(variants)) {
    it.effect.prop(
      `well formed or not make a proper turn: ${name}`,
      [Events, Outcome],
      ([events, end]) => Effect.sync(() => assert.deepStrictEqual(broken(run([...events, end], more)), []))
    )

    it.effect.prop(`in order make a proper turn: ${name}`, [Events, Outcome], ([events, end]) =>
      Effect.sync(() => {
        const outputs = run([...tidy(events), end], more)
        assert.deepStrictEqual(broken(outputs), [])
        const lines = outline(outputs).filter((line) => !/^(warning|guardianWarning|thread\/goal)/.test(line))
        assert.deepStrictEqual(lines.slice(0, 2), ["thread/status/changed active", "turn/started"])
      }))
  }

  it.effect.prop(
    "say nothing after the end",
    [Events, Outcome, Events],
    ([events, end, late]) =>
      Effect.sync(() => assert.deepStrictEqual(run([...events, end, ...late]), run([...events, end])))
  )

  it.effect.prop(
    "are stored so that whatever was shown of an item is there, at whatever moment one looks",
    [Events, Outcome, Arbitrary.array(Arbitrary.schema(Schema.Literals([1, 1, 2, 3, 7, 20])), { minLength: 1 })],
    ([events, end, sizes]) =>
      Effect.sync(() => {
        const state = TurnProjection.make(options)
        const all = [...tidy(events), end]
        const stored = new StoredItems()
        const shown = new ShownItems()
        for (let at = 0, nth = 0; at < all.length; nth++) {
          const some = all.slice(at, at + (sizes[nth % sizes.length] ?? 1))
          const batch = some.flatMap((event, nth) => TurnProjection.step(state, event, at + nth))
          at += some.length
          stored.store(batch)
          for (const output of batch) if (output._tag === "Notify") shown.take(output)
          for (const { item } of shown.all.values()) assert.deepStrictEqual(stored.get(String(item.id)), item)
        }
      })
  )
})
