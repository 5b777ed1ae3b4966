import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Coalescing } from "../../../src/bridge/projection/index.ts"

type Notification = Coalescing.Notification

const of = (itemId: string) => ({ threadId: "t", turnId: "u", itemId })
const text = (itemId: string, delta: string): Notification => ({
  method: "item/agentMessage/delta",
  params: { ...of(itemId), delta }
})
const summary = (itemId: string, summaryIndex: number, delta: string): Notification => ({
  method: "item/reasoning/summaryTextDelta",
  params: { ...of(itemId), summaryIndex, delta }
})
const raw = (itemId: string, contentIndex: number, delta: string): Notification => ({
  method: "item/reasoning/textDelta",
  params: { ...of(itemId), contentIndex, delta }
})
const output = (itemId: string, delta: string): Notification => ({
  method: "item/commandExecution/outputDelta",
  params: { ...of(itemId), delta }
})
const progress = (itemId: string, message: string): Notification => ({
  method: "item/mcpToolCall/progress",
  params: { ...of(itemId), message }
})
const diff = (diff: string): Notification => ({
  method: "turn/diff/updated",
  params: { threadId: "t", turnId: "u", diff }
})
const completed = (id: string): Notification => ({
  method: "item/completed",
  params: {
    threadId: "t",
    turnId: "u",
    completedAtMs: 1,
    item: { type: "plan", id, text: "" }
  }
})

const append = (notifications: ReadonlyArray<Notification>, options: Coalescing.Options = { mergeAbove: 0 }) => {
  const waiting: Array<Notification> = []
  for (const notification of notifications) Coalescing.append(waiting, notification, options)
  return waiting
}

describe("Coalescing", () => {
  it("makes one of neighbouring deltas of one text", () => {
    assert.deepStrictEqual(append([text("1", "a"), text("1", "b"), text("1", "c")]), [text("1", "abc")])
    assert.deepStrictEqual(append([output("1", "a"), output("1", "b")]), [output("1", "ab")])
    assert.deepStrictEqual(append([summary("1", 0, "a"), summary("1", 0, "b")]), [summary("1", 0, "ab")])
    assert.deepStrictEqual(append([raw("1", 0, "a"), raw("1", 0, "b")]), [raw("1", 0, "ab")])
  })

  it("keeps apart what is of other items, parts, texts and turns", () => {
    const lists = [
      [text("1", "a"), text("2", "b"), text("1", "c")],
      [summary("1", 0, "a"), summary("1", 1, "b")],
      [raw("1", 0, "a"), raw("1", 1, "b")],
      [text("1", "a"), output("1", "b")],
      [text("1", "a"), completed("1"), text("1", "b")],
      [text("1", "a"), { method: "item/agentMessage/delta", params: { ...of("1"), turnId: "v", delta: "b" } }],
      [text("1", "a"), { method: "item/agentMessage/delta", params: { ...of("1"), threadId: "s", delta: "b" } }],
      [completed("1"), completed("2")]
    ] satisfies ReadonlyArray<ReadonlyArray<Notification>>
    for (const list of lists) assert.deepStrictEqual(append(list), list)
  })

  it("lets what tells how something stands take the place of what stood before", () => {
    assert.deepStrictEqual(append([diff("a"), diff("ab")]), [diff("ab")])
    assert.deepStrictEqual(append([progress("1", "a"), progress("1", "b"), progress("2", "c")]), [
      progress("1", "b"),
      progress("2", "c")
    ])
  })

  it("merges only when much is waiting, and never to more than a limit", () => {
    const list = [text("1", "a"), text("1", "b"), text("1", "c"), text("1", "d")]
    assert.deepStrictEqual(append(list, { mergeAbove: 2 }), [text("1", "a"), text("1", "bcd")])
    assert.deepStrictEqual(append(list), [text("1", "abcd")])
    assert.deepStrictEqual(append(list, { mergeAbove: 0, maxCharacters: 3 }), [text("1", "abc"), text("1", "d")])
    const few = Array.from({ length: 60 }, (_, at) => text("1", String(at)))
    assert.deepStrictEqual(append(few, {}), few)
  })

  it("says whether the list grew, and changes no notification that it was given", () => {
    const first = text("1", "a")
    const waiting = [first]
    assert.isFalse(Coalescing.append(waiting, text("1", "b"), { mergeAbove: 0 }))
    assert.isTrue(Coalescing.append(waiting, text("2", "b"), { mergeAbove: 0 }))
    assert.deepStrictEqual(first, text("1", "a"))
  })

  const Events = Schema.Array(Schema.Struct({
    kind: Schema.Literals(["text", "output", "summary", "completed"]),
    id: Schema.Literals(["1", "2"]),
    index: Schema.Literals([0, 1]),
    delta: Schema.String
  }))

  it.effect.prop(
    "loses, reorders and crosses nothing",
    [Arbitrary.schema(Events), Arbitrary.schema(Schema.Literals([0, 1, 4])), Arbitrary.schema(Schema.Literals([1, 8]))],
    ([events, mergeAbove, maxCharacters]) =>
      Effect.sync(() => {
        const list = events.map(({ delta, id, index, kind }) => {
          switch (kind) {
            case "text":
              return text(id, delta)
            case "output":
              return output(id, delta)
            case "summary":
              return summary(id, index, delta)
            case "completed":
              return completed(id)
          }
        })
        const merged = append(list, { mergeAbove, maxCharacters })
        assert.isAtMost(merged.length, list.length)
        assert.deepStrictEqual(flat(merged), flat(list))
      })
  )
})

/** One entry for each character, and for all else. */
const flat = (list: ReadonlyArray<Notification>): ReadonlyArray<string> =>
  list.flatMap(({ method, params }) => {
    if (!("delta" in params)) return [`${method} ${JSON.stringify(params)}`]
    const { delta, ...rest } = params
    return Array.from({ length: delta.length }, (_, at) => `${method} ${JSON.stringify(rest)} ${delta[at]}`)
  })
