import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as JsonLines from "../../src/transport/JsonLines.ts"
import { type Inbound, Unreadable } from "../../src/transport/Transport.ts"

const utf8 = new TextEncoder()

const concat = (parts: ReadonlyArray<Uint8Array>): Uint8Array => Buffer.concat(parts)

const run = (chunks: ReadonlyArray<Uint8Array>, options?: Parameters<typeof JsonLines.make>[0]): Array<Inbound> => {
  const framer = JsonLines.make(options)
  return [...chunks.flatMap((chunk) => [...framer.push(chunk)]), ...framer.end()]
}

const runText = (text: string, options?: Parameters<typeof JsonLines.make>[0]) => run([utf8.encode(text)], options)

/** Cuts `bytes` after each of the given numbers of bytes, over and over. */
const split = (bytes: Uint8Array, sizes: ReadonlyArray<number>): Array<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  let start = 0
  for (let i = 0; start < bytes.length; i++) {
    const stop = start + Math.max(1, sizes.length === 0 ? bytes.length : sizes[i % sizes.length] ?? 1)
    chunks.push(bytes.slice(start, stop))
    start = stop
  }
  return chunks
}

const Piece = Schema.Union([
  Schema.Literals([
    "\n",
    "\r\n",
    "{}\n",
    "{\"a\":\"ä\u2028€😀\"}\n",
    "{\"id\":1}",
    "\u001b[?2004h",
    "\u001b]0;title\u0007",
    "\ufeff",
    "noise\n",
    " \t",
    "\u001b"
  ]),
  Schema.String
])
const Sizes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 17 })))
  .check(Schema.isMinLength(1), Schema.isMaxLength(4))
const invalidUtf8 = Uint8Array.of(0x7b, 0xc3, 0x28, 0x7d, 0x0a)

describe("JsonLines", () => {
  it.prop(
    "gives the same frames however the bytes are cut into chunks",
    [Schema.Array(Piece), Schema.Array(Piece), Sizes, Schema.Boolean, Schema.Literals([4, 12, 1000])],
    ([before, after, sizes, broken, frameLimit]) => {
      const bytes = concat([
        utf8.encode(before.join("")),
        broken ? invalidUtf8 : new Uint8Array(),
        utf8.encode(after.join(""))
      ])
      assert.deepStrictEqual(run(split(bytes, sizes), { frameLimit }), run([bytes], { frameLimit }))
    },
    { arbitrary: { runs: 500 } }
  )

  it.prop("carries any text there is in a JSON string", [Schema.Array(Schema.String), Sizes], ([texts, sizes]) => {
    // Lone surrogates have no UTF-8 form; JSON.stringify escapes them.
    const frames = texts.map((text) => JSON.stringify({ text: `${text}\u2028\u2029\u0085` }))
    const bytes = utf8.encode(frames.map((frame) => `${frame}\n`).join(""))
    assert.deepStrictEqual(run(split(bytes, sizes)), frames)
  })

  it("splits on line feed only, and drops one carriage return before it", () => {
    assert.deepStrictEqual(runText("{\"a\":\"\u2028\u2029\u0085\"}\r\n{\"b\":1}\n"), [
      "{\"a\":\"\u2028\u2029\u0085\"}",
      "{\"b\":1}"
    ])
  })

  it("delivers a last line without a line feed", () => {
    assert.deepStrictEqual(runText("{\"a\":1}\n{\"b\":2}"), ["{\"a\":1}", "{\"b\":2}"])
  })

  it("ignores blank lines and cuts terminal sequences off the front of a message", () => {
    assert.deepStrictEqual(
      runText("\n  \r\n\u001b[?2004h\u001b]0;a title\u0007 {\"a\":\"\u001b[1m\"}\n\ufeff{\"b\":2}\n"),
      ["{\"a\":\"\u001b[1m\"}", "{\"b\":2}"]
    )
  })

  it("reports noise, and goes on", () => {
    assert.deepStrictEqual(runText("Wëlcome\n\u001b[?2004h\n[1]\n{}\n"), [
      new Unreadable("noise", 8, "Wëlcome"),
      new Unreadable("noise", 8, "\u001b[?2004h"),
      new Unreadable("noise", 3, "[1]"),
      "{}"
    ])
  })

  it("fails the one line that is not UTF-8", () => {
    const chunk = concat([utf8.encode("{\"a\":1}\n"), invalidUtf8, utf8.encode("{\"b\":2}\n")])
    assert.deepStrictEqual(run([chunk]), ["{\"a\":1}", new Unreadable("utf8", 4, "{\ufffd(}"), "{\"b\":2}"])
  })

  it("fails the one line over the limit when it ends, with its length and its head", () => {
    const long = `{"a":"${"x".repeat(5000)}"}`
    const framer = JsonLines.make({ frameLimit: 1000 })
    const seen: Array<Inbound> = []
    for (const chunk of split(utf8.encode(long), [700])) seen.push(...framer.push(chunk))
    assert.deepStrictEqual(seen, [])
    assert.deepStrictEqual(framer.push(utf8.encode("\n{\"b\":2}\n")), [
      new Unreadable("size", long.length, long.slice(0, 512)),
      "{\"b\":2}"
    ])
    assert.deepStrictEqual(runText(`${"{".repeat(1000)}\n${"{".repeat(1001)}\n`, { frameLimit: 1000 }), [
      "{".repeat(1000),
      new Unreadable("size", 1001, "{".repeat(512))
    ])
  })

  describe("noise budget", () => {
    const noiseBudget = { lines: 3, bytes: 100 }

    it("is spent by lines, and messages in between give nothing back", () => {
      const framer = JsonLines.make({ noiseBudget })
      framer.push(utf8.encode("first\n{}\nb\n{}\nc\n{}\n\n\n"))
      assert.isUndefined(framer.overBudget())
      framer.push(utf8.encode("d\n"))
      assert.deepStrictEqual(framer.overBudget(), { lines: 4, bytes: 8, head: "first" })
    })

    it("is spent by bytes, of a line that never ends as well", () => {
      const framer = JsonLines.make({ noiseBudget })
      framer.push(utf8.encode("x".repeat(60)))
      assert.isUndefined(framer.overBudget())
      framer.push(utf8.encode("x".repeat(60)))
      assert.deepStrictEqual(framer.overBudget(), { lines: 1, bytes: 120, head: "x".repeat(120) })
    })

    it("is not spent by a long message that has not ended yet, nor by unreadable messages", () => {
      const framer = JsonLines.make({ noiseBudget, frameLimit: 500 })
      framer.push(utf8.encode(`{"a":"${"x".repeat(400)}`))
      assert.isUndefined(framer.overBudget())
      framer.push(utf8.encode(`${"x".repeat(400)}"}\n`))
      for (let i = 0; i < 5; i++) framer.push(invalidUtf8)
      assert.isUndefined(framer.overBudget())
    })

    it("is spent by lines of binary data", () => {
      const framer = JsonLines.make({ noiseBudget })
      for (let i = 0; i < 4; i++) framer.push(Uint8Array.of(0xff, 0xfe, 0x0a))
      assert.strictEqual(framer.overBudget()?.lines, 4)
    })
  })

  it("takes a text message apart only if every line is an object", () => {
    assert.deepStrictEqual(JsonLines.framesOfText("{\"a\":1}"), ["{\"a\":1}"])
    assert.deepStrictEqual(JsonLines.framesOfText("{\"a\":1}\n{\"b\":2}\r\n"), ["{\"a\":1}", "{\"b\":2}"])
    assert.deepStrictEqual(JsonLines.framesOfText("{\n  \"a\": 1\n}"), ["{\n  \"a\": 1\n}"])
    assert.deepStrictEqual(JsonLines.framesOfText(" \n"), [])
    assert.deepStrictEqual(JsonLines.framesOfText("hello"), [new Unreadable("noise", 5, "hello")])
  })
})
