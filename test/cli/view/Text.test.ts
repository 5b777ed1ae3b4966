import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import {
  advance,
  clip,
  count,
  duration,
  harmless,
  harmlessPiece,
  oneLine,
  widthOf
} from "../../../src/cli/view/Text.ts"

const noControls = (text: string) => Array.from(text).every((character) => character >= " " || character === "\n")

describe("Text", () => {
  it("leaves nothing that a terminal obeys", () => {
    assert.strictEqual(harmless("\x1b[31mred\x1b[0m \x1b]0;title\x07\x9b2Jend\b"), "red end")
    assert.strictEqual(harmless("10%\r50%\rdone\r\nnext\tcolumn"), "done\nnext  column")
    // The same in two pieces: nothing of it may be lost, and the escape is gone from both.
    assert.strictEqual(harmlessPiece("line\r") + harmlessPiece("\nnext\x1b") + harmlessPiece("[2J"), "line\nnext[2J")
    assert.strictEqual(oneLine("  a\r\n\n  b\x1b[K "), "a b")
  })

  it.prop("no control character survives", [Schema.String], ([text]) => {
    for (const noise of [text, `\x1b${text}`, `\x9d${text}\r`, `${text}\x1b[`]) {
      assert.isTrue(noControls(harmless(noise)))
      assert.isTrue(noControls(harmlessPiece(noise)))
      assert.notInclude(oneLine(noise), "\n")
    }
  })

  it("measures wide, combining and plain characters", () => {
    assert.strictEqual(widthOf("abc"), 3)
    assert.strictEqual(widthOf("日本語"), 6)
    assert.strictEqual(widthOf("e\u0301"), 1)
    assert.strictEqual(widthOf("✨🦆"), 4)
    assert.strictEqual(widthOf("☑ │ …"), 5)
  })

  it.prop(
    "a clipped text fits, and is the text where that fits",
    [Schema.String, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))],
    ([text, cells]) => {
      const clipped = clip(text, cells)
      assert.isAtMost(widthOf(clipped), cells)
      if (widthOf(text) <= cells) assert.strictEqual(clipped, text)
      else if (cells > 0) assert.isTrue(clipped.endsWith("…"))
    }
  )

  it("follows the wrapping of a terminal", () => {
    const start = { row: 0, column: 0 }
    assert.deepStrictEqual(advance(start, "abcd", 5), { row: 0, column: 4 })
    assert.deepStrictEqual(advance(start, "abcde", 5), { row: 0, column: 5 })
    assert.deepStrictEqual(advance(start, "abcdef", 5), { row: 1, column: 1 })
    // A wide character does not stand across the edge.
    assert.deepStrictEqual(advance(start, "abcd日", 5), { row: 1, column: 2 })
  })

  it("tells durations and counts", () => {
    assert.deepStrictEqual(
      [0, 420, 3_240, 59_960, 125_000, 3_780_000].map(duration),
      ["0ms", "420ms", "3.2s", "1m 00s", "2m 05s", "1h 03m"]
    )
    assert.deepStrictEqual([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"])
  })
})
