import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import {
  FrameReader,
  maxReassembledBytes,
  type Read,
  readUpdate
} from "../../../src/backends/omp/internal/RpcFrames.ts"
import { Unreadable } from "../../../src/transport/Transport.ts"

const line = (event: object, more: object = {}): string =>
  JSON.stringify({
    type: "message_update",
    assistantMessageEvent: { ...event, partial: { role: "assistant", content: [event] } },
    message: { role: "assistant", content: [event] },
    ...more
  })

const chunk = (fields: object = {}) =>
  JSON.stringify({ type: "rpc_chunk", chunkId: "c", index: 0, count: 2, byteLength: 10, data: "eyJ0", ...fields })

const pieces = (text: string, count: number): ReadonlyArray<string> => {
  const bytes = Buffer.from(text)
  const size = Math.ceil(bytes.length / count)
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      type: "rpc_chunk",
      chunkId: "rpc-7",
      index,
      count,
      byteLength: bytes.length,
      data: bytes.subarray(index * size, (index + 1) * size).toString("base64")
    }))
}

const readAll = (lines: ReadonlyArray<string | Unreadable>): ReadonlyArray<Read> => {
  const reader = new FrameReader()
  return lines.map((line) => reader.read(line))
}

const frameOf = (read: Read | undefined): unknown => read?._tag === "Frame" ? read.frame : read

describe("RpcFrames", () => {
  describe("a message update", () => {
    const events: ReadonlyArray<object> = [
      { type: "text_start", contentIndex: 0 },
      { type: "text_delta", contentIndex: 1, delta: "some words" },
      { type: "text_delta", contentIndex: 0, delta: `,"partial":{"a":1}` },
      { type: "text_delta", contentIndex: 0, delta: `\\","partial":` },
      { type: "text_delta", contentIndex: 0, delta: "," },
      { type: "text_end", contentIndex: 0, content: `{"type":"x","partial":1}\u2028\u0000\\` },
      { type: "toolcall_end", contentIndex: 2, toolCall: { id: "c", name: "edit", arguments: { a: [1], b: 2 } } },
      // Keys of the arguments that are named as what is repeated.
      {
        type: "toolcall_end",
        contentIndex: 2,
        toolCall: { id: "c", name: "x", arguments: { a: 1, partial: { b: 1 } } }
      },
      { type: "toolcall_end", contentIndex: 2, toolCall: { arguments: { a: {}, partial: [] }, partial: "}}" } }
    ]
    it.each(events)("%j is read without what it repeats", (event) => {
      const expected = { type: "message_update", assistantMessageEvent: event }
      assert.deepStrictEqual(readUpdate(line(event)), expected)
      assert.deepStrictEqual(frameOf(readAll([line(event)])[0]), expected)
    })

    it.prop("of any text is read as a parser of the whole line would", [Schema.String, Schema.String, Schema.Json], (
      [delta, key, value]
    ) => {
      const event = {
        type: "toolcall_end",
        contentIndex: 0,
        delta,
        toolCall: { name: key, arguments: { x: 1, [key]: value } }
      }
      const text = line(event)
      assert.deepStrictEqual(frameOf(readAll([text])[0]), {
        type: "message_update",
        assistantMessageEvent: JSON.parse(JSON.stringify(event))
      })
    })

    it("with very many arguments of that name is read in one go", () => {
      const event = {
        type: "toolcall_end",
        toolCall: { arguments: { list: Array.from({ length: 20_000 }, (_, n) => ({ n, partial: "x".repeat(20) })) } }
      }
      const text = line(event)
      assert.isUndefined(readUpdate(text))
      assert.deepStrictEqual(frameOf(readAll([text])[0]), { type: "message_update", assistantMessageEvent: event })
    })

    it("in another order of keys is read all the same", () => {
      const event = { type: "text_delta", contentIndex: 0, delta: "x" }
      const other = JSON.stringify({
        message: {},
        assistantMessageEvent: { partial: { a: 1, partial: 2 }, ...event },
        type: "message_update",
        more: 1
      })
      assert.deepStrictEqual(frameOf(readAll([other])[0]), {
        type: "message_update",
        assistantMessageEvent: event,
        more: 1
      })
    })

    it("does not parse what is repeated", () => {
      const broken =
        `{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"x",` +
        `"partial":{not even JSON}}`
      assert.deepStrictEqual(frameOf(readAll([broken])[0]), {
        type: "message_update",
        assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: "x" }
      })
    })

    it("that is cut off is no frame", () => {
      const text = line({ type: "text_delta", contentIndex: 0, delta: "x" })
      assert.strictEqual(readAll([text.slice(0, -30)])[0]?._tag, "Broken")
    })
  })

  describe("pieces", () => {
    const frame = { type: "agent_end", text: "grüße 🌍 ".repeat(300), isTerminal: true }

    it.each([1, 2, 3, 50])("%i make the frame, whatever characters they cut", (count) => {
      const reads = readAll(pieces(JSON.stringify(frame), count))
      assert.deepStrictEqual(reads.slice(0, -1).map((read) => read._tag), Array(count - 1).fill("Nothing"))
      assert.deepStrictEqual(frameOf(reads.at(-1)), frame)
    })

    it("of an update are read like one in a line", () => {
      const event = { type: "text_delta", contentIndex: 0, delta: "x".repeat(100) }
      assert.deepStrictEqual(frameOf(readAll(pieces(line(event), 4)).at(-1)), {
        type: "message_update",
        assistantMessageEvent: event
      })
    })

    it("can be followed by others, and have noise among them", () => {
      const [first = "", second = ""] = pieces(JSON.stringify(frame), 2)
      const reads = readAll([first, new Unreadable("noise", 4, "oops"), second, first, second, `{"type":"x"}`])
      assert.deepStrictEqual(reads.map((read) => read._tag), ["Nothing", "Noise", "Frame", "Nothing", "Frame", "Frame"])
    })

    it("that are missing at the end are named", () => {
      const reader = new FrameReader()
      assert.isUndefined(reader.unfinished())
      const [first = ""] = pieces(JSON.stringify(frame), 3)
      reader.read(first)
      assert.match(reader.unfinished() ?? "", /^1 of 3 pieces/)
    })

    const first = chunk()
    const faults: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ["without an id", [chunk({ chunkId: "" })]],
      ["without a count", [chunk({ count: "2" })]],
      ["with a place behind the end", [chunk({ index: 2 })]],
      ["with a negative place", [chunk({ index: -1 })]],
      ["that begin in the middle", [chunk({ index: 1 })]],
      ["of two frames at once", [first, chunk({ chunkId: "d", index: 1 })]],
      ["that change their count", [first, chunk({ index: 1, count: 3 })]],
      ["that come twice", [first, first]],
      ["with a frame between them", [first, `{"type":"agent_start"}`]],
      ["that are not base64", [chunk({ data: "§§§§" })]],
      ["that are empty", [chunk({ data: "" })]],
      ["longer than they say", [first, chunk({ index: 1, data: Buffer.from("0123456789").toString("base64") })]],
      ["shorter than they say", [first, chunk({ index: 1, data: "eyJ0" })]],
      ["of a frame that is too long", [chunk({ byteLength: maxReassembledBytes + 1 })]],
      ["of a frame in too many", [chunk({ count: 100_000 })]],
      ["that are no JSON", pieces("{\"type\":\"x\"]}", 2)],
      ["that are no UTF-8", [
        chunk({ count: 1, byteLength: 3, data: Buffer.from([0xff, 0xfe, 0xfd]).toString("base64") })
      ]],
      ["that make a piece again", pieces(chunk(), 2)]
    ]
    it.each(faults)("%s are a loss", (_name, lines) => {
      assert.strictEqual(readAll(lines).at(-1)?._tag, "Lost")
    })
  })

  describe("what is no frame", () => {
    it("is noise", () => {
      const [noise, object] = readAll([new Unreadable("noise", 12, "hello there!"), `{"no":"type"}`])
      assert.deepStrictEqual(noise, { _tag: "Noise", detail: `12 bytes that are no frame: "hello there!"` })
      assert.strictEqual(object?._tag, "Noise")
    })

    it("is cut off from a frame behind it", () => {
      const texts = [`50 %… {"type":"agent_start"}`, `\u2026{"id":"1","type":"response"}`]
      const reads = readAll(texts.map((text) => new Unreadable("noise", Buffer.byteLength(text), text)))
      assert.deepStrictEqual(reads.map(frameOf), [{ type: "agent_start" }, { id: "1", type: "response" }])
    })

    it("is a loss where a frame behind it is too long to be read", () => {
      const head = `50 % {"type":"agent_end","messages":[`
      assert.strictEqual(readAll([new Unreadable("noise", 5000, head)])[0]?._tag, "Lost")
    })

    it.each(["{", "{ a: 1 }", `{"type":"x"`, `{"type":"x"}}`])("%s is broken", (text) => {
      assert.strictEqual(readAll([text])[0]?._tag, "Broken")
    })

    it("is a loss where it may have been a frame", () => {
      assert.deepStrictEqual(
        readAll([new Unreadable("size", 1e9, "{"), new Unreadable("utf8", 9, "{")]).map((read) => read._tag),
        ["Lost", "Lost"]
      )
    })
  })
})
