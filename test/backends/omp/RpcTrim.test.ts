import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { FrameReader } from "../../../src/backends/omp/internal/RpcFrames.ts"
import * as RpcTrim from "../../../src/backends/omp/internal/RpcTrim.ts"
import * as JsonLines from "../../../src/transport/JsonLines.ts"

const update = (event: object): string =>
  JSON.stringify({
    type: "message_update",
    assistantMessageEvent: { ...event, partial: { role: "assistant", content: [event, "ü".repeat(200)] } },
    message: { role: "assistant", content: [event] }
  })

const cut = (bytes: Uint8Array, sizes: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = 1 + Math.abs(sizes[n % sizes.length] ?? 99) % 700
    chunks.push(bytes.slice(at, at + size))
    at += size
  }
  return chunks
}

/** What is read in the end, with and without trimming. */
const read = (chunks: ReadonlyArray<Uint8Array>, trim: (chunk: Uint8Array) => Uint8Array) => {
  const framer = JsonLines.make()
  const reader = new FrameReader()
  const inbound = chunks.flatMap((chunk) => framer.push(trim(chunk)))
  return [...inbound, ...framer.end()].map((line) => {
    const read = reader.read(line)
    return read._tag === "Frame" ? read.frame : read._tag
  })
}

const trimmed = (text: string): string => Buffer.from(RpcTrim.make()(Buffer.from(text))).toString()

const lines: ReadonlyArray<string> = [
  update({ type: "text_delta", contentIndex: 0, delta: "grüße" }),
  `{"type":"agent_start"}`,
  update({ type: "text_end", contentIndex: 0, content: `,"partial":\n\u2028 {}` }),
  update({ type: "toolcall_end", toolCall: { arguments: { a: 1, partial: { b: "," } } } }),
  update({ type: "toolcall_end", toolCall: { list: Array.from({ length: 20 }, (_, n) => ({ n, partial: n })) } }),
  `{"type":"message_update","assistantMessageEvent":{"type":"text_delta","delta":"alone"}}`,
  `{"type":"message_update","assistantMessageEvent":{broken`,
  `{"type":"message_up"}`,
  "noise",
  "",
  update({ type: "text_delta", contentIndex: 0, delta: "last" })
]

describe("RpcTrim", () => {
  it("takes out what is repeated, and nothing else", () => {
    const event = { type: "text_delta", contentIndex: 0, delta: "x" }
    const text = `{"type":"agent_start"}\nnoise\n${update(event)}\n{"type":"x"}\nhalf`
    assert.strictEqual(
      trimmed(text),
      `{"type":"agent_start"}\nnoise\n` +
        `{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"x"}}\n` +
        `{"type":"x"}\nhalf`
    )
  })

  it("lets half a frame look like half a frame", () => {
    const text = trimmed(update({ type: "text_delta", contentIndex: 0, delta: "x" }))
    assert.strictEqual(new FrameReader().read(text)._tag, "Broken")
  })

  it("gives up on a line in which it does not find it", () => {
    const line = `{"type":"message_update","assistantMessageEvent":{"type":"text_end","content":"${
      "x".repeat(3e6)
    }"}}\n`
    const trim = RpcTrim.make()
    const out = cut(Buffer.from(line), [699]).map((chunk) => trim(chunk))
    assert.strictEqual(Buffer.concat(out).toString(), line)
  })

  it.prop(
    "changes nothing of what is read, however the bytes come",
    [Schema.Array(Schema.Int), Schema.Array(Schema.Int), Schema.Array(Schema.String)],
    ([order, sizes, texts]) => {
      const chosen = [...lines, ...order.map((n) => lines[Math.abs(n) % lines.length] ?? "")]
      const deltas = texts.map((delta) => update({ type: "text_delta", contentIndex: 0, delta }))
      const bytes = Buffer.from(`${[...chosen, ...deltas].join("\n")}\n`)
      const chunks = cut(bytes, sizes)
      assert.deepStrictEqual(read(chunks, RpcTrim.make()), read(chunks, (chunk) => chunk))
    }
  )

  it("changes nothing of what is read, byte by byte", () => {
    const chunks = Array.from(Buffer.from(`${lines.join("\n")}\n`), (byte) => Uint8Array.of(byte))
    assert.deepStrictEqual(read(chunks, RpcTrim.make()), read(chunks, (chunk) => chunk))
  })
})
