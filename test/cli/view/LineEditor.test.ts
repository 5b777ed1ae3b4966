import { assert, describe, it } from "@effect/vitest"
import { type } from "../../../src/cli/view/LineEditor.ts"

describe("LineEditor", () => {
  it("edits, ends, and knows the control keys", () => {
    assert.deepStrictEqual(type("", "añ日"), { _tag: "Editing", text: "añ日" })
    assert.deepStrictEqual(type("a🦆", "\x7f"), { _tag: "Editing", text: "a" })
    assert.deepStrictEqual(type("", "\x7f"), { _tag: "Editing", text: "" })
    assert.deepStrictEqual(type("two words ", "\x17"), { _tag: "Editing", text: "two " })
    assert.deepStrictEqual(type("gone", "\x15"), { _tag: "Editing", text: "" })
    assert.deepStrictEqual(type("ab", "\x1b[D\x1bOA\x1b[1;5Cc"), { _tag: "Editing", text: "abc" })
    assert.deepStrictEqual(type("", "a\rb\r"), { _tag: "Submitted", text: "a" })
    assert.deepStrictEqual(type("x", "\n"), { _tag: "Submitted", text: "x" })
    assert.deepStrictEqual(type("x", "\x03"), { _tag: "Interrupted" })
    assert.deepStrictEqual(type("", "\x04"), { _tag: "Ended" })
    assert.deepStrictEqual(type("x", "\x04y"), { _tag: "Editing", text: "xy" })
  })
})
