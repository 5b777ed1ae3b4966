import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import {
  type Channel,
  type Chunk,
  line,
  lines,
  span,
  type Style,
  wantsColour,
  wholeLines
} from "../../../src/cli/view/Chunk.ts"
import { PlainScreen, Screen } from "../../../src/cli/view/Screen.ts"
import { harmlessPiece } from "../../../src/cli/view/Text.ts"
import { Emulator } from "../support/Emulator.ts"
import * as sink from "../support/sink.ts"

const text = (
  block: string,
  value: string,
  { channel = "answer", style = "plain" }: { readonly channel?: Channel; readonly style?: Style } = {}
): Chunk => ({ _tag: "Text", channel, block, style, text: value })

const setup = (columns: number, coloured = true) => {
  const emulator = new Emulator(columns)
  const screen = new Screen(
    sink.make({ columns: () => emulator.columns, onWrite: (part) => emulator.write(part) }),
    { coloured }
  )
  return { emulator, screen }
}

const region = [line(span("working", "cyan")), line(span("⠋ 3s", "dim"))]

const Piece = Schema.Struct({
  block: Schema.Literals(["a", "b"]),
  text: Schema.String.check(Schema.isMaxLength(12)),
  region: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))
})

describe("Screen", () => {
  it("shows a region below the text, and takes it back", () => {
    const { emulator, screen } = setup(20)
    screen.print([text("a", "The answer ")])
    screen.setRegion(region)
    assert.strictEqual(emulator.text, "The answer\nworking\n⠋ 3s")
    screen.print([text("a", "goes on.")])
    assert.strictEqual(emulator.text, "The answer goes on.")
    screen.setRegion(region)
    screen.print([lines(line(span("✓ done", "green")))])
    assert.strictEqual(emulator.text, "The answer goes on.\n✓ done")
  })

  it("goes on at the right place in a line that ends at the edge, or behind it", () => {
    for (const length of [9, 10, 11, 19, 20, 21]) {
      const { emulator, screen } = setup(10)
      screen.print([text("a", "x".repeat(length))])
      screen.setRegion(region)
      screen.print([text("a", "yz")])
      const all = `${"x".repeat(length)}yz`
      assert.strictEqual(emulator.text, all.match(/.{1,10}/gu)?.join("\n"))
    }
  })

  it("takes a region back that a narrower terminal has wrapped", () => {
    let columns = 40
    const out = sink.make({ columns: () => columns })
    const screen = new Screen(out, { coloured: false })
    screen.print([lines(line(span("above")))])
    screen.setRegion([line(span("a line of thirty characters...")), line(span("short"))])
    // A terminal that gets narrower wraps what is there.
    columns = 16
    const emulator = new Emulator(columns)
    emulator.write(out.written())
    assert.strictEqual(emulator.text, "above\na line of thirty\n characters...\nshort")
    const before = out.written().length
    screen.setRegion([])
    emulator.write(out.written().slice(before))
    assert.strictEqual(emulator.text, "above")
  })

  it("cuts lines at the edge, by cells", () => {
    const { emulator, screen } = setup(10)
    screen.print([lines(line(span("日本語日本語"), span("tail")), line(span("ok")))])
    assert.strictEqual(emulator.text, "日本語日…\nok")
    screen.print([wholeLines(line(span("to be read to its end")))])
    assert.strictEqual(emulator.text, "日本語日…\nok\nto be read\n to its en\nd")
  })

  it("writes no colours where none are wanted", () => {
    const out = sink.make()
    const screen = new Screen(out, { coloured: false })
    screen.print([lines(line(span("red", "red"))), text("a", "dim", { style: "dim" })])
    assert.strictEqual(out.written(), "red\ndim")
  })

  it.prop(
    "whatever regions come and go, the text is there as if there had been none",
    [Schema.Array(Piece)],
    ([pieces]) => {
      const { emulator, screen } = setup(7)
      const plain = setup(7)
      for (const piece of pieces) {
        const chunk = text(piece.block, harmlessPiece(piece.text))
        if (chunk._tag !== "Text" || chunk.text === "") continue
        screen.setRegion(Array.from({ length: piece.region }, (_, index) => line(span(`region ${index}`))))
        screen.print([chunk])
        plain.screen.print([chunk])
      }
      screen.setRegion([])
      assert.strictEqual(emulator.text, plain.emulator.text)
    }
  )
})

describe("PlainScreen", () => {
  it("parts the answer from the rest, without any colour in the answer", () => {
    const answer = sink.make({ isTerminal: false })
    const notes = sink.make({ isTerminal: false })
    const screen = new PlainScreen(answer, notes, { coloured: true })
    screen.print([
      text("r", "thinking", { channel: "note" }),
      text("m", "Hello ", { style: "bold" }),
      lines(line(span("✓ ok", "green"))),
      text("m", "world"),
      text("n", "Second")
    ])
    screen.endLine()
    assert.strictEqual(answer.written(), "Hello world\nSecond\n")
    assert.strictEqual(notes.written(), "thinking\n\x1b[32m✓ ok\x1b[0m\n")
  })
})

describe("wantsColour", () => {
  it("obeys NO_COLOR, then FORCE_COLOR, then the stream", () => {
    assert.isTrue(wantsColour(true, {}))
    assert.isFalse(wantsColour(false, {}))
    assert.isFalse(wantsColour(true, { TERM: "dumb" }))
    assert.isFalse(wantsColour(true, { NO_COLOR: "1", FORCE_COLOR: "1" }))
    assert.isTrue(wantsColour(true, { NO_COLOR: "" }))
    assert.isTrue(wantsColour(false, { FORCE_COLOR: "1" }))
    assert.isFalse(wantsColour(true, { FORCE_COLOR: "0" }))
  })
})
