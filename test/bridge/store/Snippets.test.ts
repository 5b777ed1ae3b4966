import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { occurrences, snippet } from "../../../src/bridge/store/Snippets.ts"

const long = `${"a".repeat(200)}needle${"b".repeat(200)}`

describe("what was found", () => {
  it("is shown with as much around it as codex shows", () => {
    const around = `... ${"a".repeat(49)}needle${"b".repeat(96)} ...`
    assert.deepStrictEqual(occurrences(long, "NEEDLE"), [{
      snippet: around,
      snippetMatchRange: { start: 53, end: 59 }
    }])
    assert.strictEqual(snippet(long, "needle"), around)
  })

  it("is shown on one line in a list, and as it was written in its thread", () => {
    const text = "  Ä needle   with\n\n spaces\t\tneedle "
    assert.strictEqual(snippet(text, "needle"), "Ä needle with spaces needle")
    assert.deepStrictEqual(occurrences(text, "needle"), [
      { snippet: text.trim(), snippetMatchRange: { start: 2, end: 8 } },
      { snippet: text.trim(), snippetMatchRange: { start: 26, end: 32 } }
    ])
  })

  it("counts in UTF-16 code units, and is found whatever the case in any script", () => {
    assert.deepStrictEqual(occurrences("ÄÖ😀 x needle y", "needle")[0]?.snippetMatchRange, { start: 7, end: 13 })
    assert.strictEqual(snippet("reply Äpfel", "äPFEL"), "reply Äpfel")
    assert.isUndefined(snippet("reply", "gone"))
  })

  it.prop(
    "is what was looked for, wherever it stands and whatever it is made of",
    [Arbitrary.schema(Schema.String), Arbitrary.schema(Schema.NonEmptyString), Arbitrary.schema(Schema.String)],
    ([before, given, after]) => {
      const term = `<${given}>`
      for (const { snippet, snippetMatchRange: { end, start } } of occurrences(`${before}${term}${after}`, term)) {
        assert.strictEqual(snippet.slice(start, end).toLowerCase(), term.toLowerCase())
      }
    }
  )
})
