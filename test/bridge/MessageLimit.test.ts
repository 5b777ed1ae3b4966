import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as MessageLimit from "../../src/bridge/MessageLimit.ts"

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

const wellFormed = (text: string): boolean => !/\\ud[89a-f]/i.test(JSON.stringify(text))

const Text = Schema.String
// Texts of all kinds of characters, some of which take six bytes in JSON, or a pair of code units.
const seeds = Arbitrary.schema(Schema.Array(Schema.Struct({ text: Text, times: Schema.Int })))

const grown = (entries: ReadonlyArray<{ readonly text: string; readonly times: number }>) =>
  entries.map(({ text, times }, index) => ({
    id: `id-${index}`,
    type: "agentMessage",
    text: `${text}😀\u0001"é`.repeat(Math.abs(times) % 4000)
  }))

describe("a text without its middle", () => {
  it("keeps its beginning and its end, says how much is missing, and has no half characters", () => {
    for (const unit of ["a", "é", "😀", "\u0000", "\"", "a😀"]) {
      for (const limit of [200, 201, 202, 203, 1000, 9999]) {
        const text = `begin${unit.repeat(20_000)}end`
        const cut = MessageLimit.withoutMiddle(text, limit)
        assert.isAtMost(bytesOf(cut) - 2, limit)
        assert.isAtLeast(bytesOf(cut) - 2, limit / 4)
        assert.isTrue(cut.startsWith("begin") && cut.endsWith("end"), JSON.stringify(cut.slice(0, 20)))
        assert.isTrue(wellFormed(cut))
        const missing = Number(/\[… (\d+) characters left out …\]/.exec(cut)?.[1])
        assert.strictEqual(cut.length - `\n[… ${missing} characters left out …]\n`.length + missing, text.length)
      }
    }
  })

  it("that is short enough stays as it is", () => {
    assert.strictEqual(MessageLimit.withoutMiddle("as it is", 8), "as it is")
  })
})

describe("the beginning of a text", () => {
  it("takes what fits, without half characters", () => {
    for (const unit of ["a", "é", "😀", "\u0000", "\"", "a😀"]) {
      for (const limit of [0, 1, 5, 200, 201, 202, 203, 1000, 9999]) {
        const text = unit.repeat(20_000)
        const head = MessageLimit.beginning(text, limit)
        assert.isTrue(text.startsWith(head) && wellFormed(head))
        assert.isAtMost(bytesOf(head) - 2, limit)
        assert.isAbove(bytesOf(head) - 2, limit - 16)
      }
    }
    assert.strictEqual(MessageLimit.beginning("as it is", 8), "as it is")
    assert.strictEqual(MessageLimit.beginning("\udc00", 0), "")
  })
})

describe("a value", () => {
  it.prop("comes within the limit, with its members, and its short texts as they were", [seeds], ([entries]) => {
    const value = { data: grown(entries), nextCursor: null }
    const limit = 40_000 + 1200 * entries.length
    const short = MessageLimit.shortened(value, limit)
    if (bytesOf(value) <= limit) assert.strictEqual(short, value)
    assert.isAtMost(bytesOf(short), limit)
    assert.isTrue(Predicate.isObject(short) && "data" in short && Array.isArray(short.data))
    const data = Predicate.isObject(short) && "data" in short && Array.isArray(short.data) ? short.data : []
    assert.deepStrictEqual(data.map(({ id }) => id), value.data.map(({ id }) => id))
    for (const [index, { text }] of data.entries()) {
      const before = value.data[index]?.text ?? ""
      if (bytesOf(before) <= 1024) assert.strictEqual(text, before)
      assert.isTrue(wellFormed(text) || !wellFormed(before))
    }
  })

  it("that is large by the number of its members cannot be shortened", () => {
    assert.isUndefined(MessageLimit.shortened(Array.from({ length: 5000 }, (_, n) => ({ n })), 1000))
  })
})

const none = () => undefined

describe("a frame", () => {
  const large = "x".repeat(40 * 2 ** 20)
  const limit = 8 * 2 ** 20

  it("with the output of a command that no client could take is sent with a part of it", () => {
    const frame = JSON.stringify({
      method: "item/completed",
      params: { threadId: "t", item: { type: "commandExecution", id: "i", aggregatedOutput: large } }
    })
    const fitted = MessageLimit.fitted(frame, limit, none)
    assert.isTrue(fitted._tag === "Fits" && Buffer.byteLength(fitted.frame) <= limit)
    assert.include(fitted.frame ?? "", "characters left out")
    assert.include(fitted.frame ?? "", "\"threadId\":\"t\"")
  })

  it("with the answer to a request about threads is shortened, one with a file is not", () => {
    const frame = JSON.stringify({ id: 7, result: { text: large } })
    const fitted = (method: string) => MessageLimit.fitted(frame, limit, (id) => id === 7 ? method : undefined)
    assert.isAtMost(Buffer.byteLength(fitted("thread/read").frame ?? ""), limit)
    assert.strictEqual(fitted("fs/readFile").frame, frame)
  })

  it("that must stay whole and is too large for any client becomes an error", () => {
    const frame = JSON.stringify({ id: 7, result: { entries: "x".repeat(MessageLimit.wholeBytes) } })
    const fitted = MessageLimit.fitted(frame, limit, () => "fs/readDirectory")
    assert.strictEqual(fitted._tag, "TooLarge")
    assert.match(fitted.frame ?? "", /"id":7,"error":.*fs\/readDirectory takes 67108\d+ bytes, more than the 67108864/)
    // Whoever says that clients take more is believed.
    assert.strictEqual(MessageLimit.fitted(frame, 100 * 2 ** 20, () => "fs/readDirectory").frame, frame)
  })

  it("with an answer that cannot be shortened becomes an error that says what to do", () => {
    const frame = JSON.stringify({ id: 7, result: Array.from({ length: 2000 }, (_, n) => n * 1e9) })
    const fitted = MessageLimit.fitted(frame, 8000, () => "thread/items/list")
    assert.strictEqual(fitted._tag, "TooLarge")
    assert.match(fitted.frame ?? "", /"id":7,"error":.*limits\.message_bytes/)
  })
})
