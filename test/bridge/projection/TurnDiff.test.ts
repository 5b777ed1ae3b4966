import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { FileEdit } from "../../../src/agent/AgentItem.ts"
import * as TurnDiff from "../../../src/bridge/projection/TurnDiff.ts"

const add = (path: string, diff: string): FileEdit => ({ path: `/work/${path}`, kind: "add", diff })
const remove = (path: string, diff: string): FileEdit => ({ path: `/work/${path}`, kind: "delete", diff })
const update = (path: string, diff: string, movedTo?: string): FileEdit => ({
  path: `/work/${path}`,
  kind: "update",
  diff,
  ...(movedTo === undefined ? {} : { movedTo: `/work/${movedTo}` })
})
const fold = (...edits: ReadonlyArray<FileEdit>): string => {
  let diff = TurnDiff.empty
  for (const edit of edits) diff = TurnDiff.add(diff, [edit])
  return TurnDiff.render(diff, "/work")
}

const text = (lines: ReadonlyArray<string>) => lines.map((line) => `${line}\n`).join("")

const range = (from: number, count: number) => `${count === 0 ? from : from + 1},${count}`

describe("TurnDiff", () => {
  it("shows files that were added, changed, moved and deleted", () => {
    assert.strictEqual(
      fold(
        add("a", "one\ntwo\n"),
        update("b", "@@ -1 +1 @@\n-x\n+y\n"),
        update("c", "@@ -1 +1 @@\n-x\n+y\n", "d"),
        remove("e", "gone\n")
      ),
      [
        "diff --git a/a b/a",
        "new file mode 100644",
        "--- /dev/null",
        "+++ b/a",
        "@@ -0,0 +1,2 @@",
        "+one",
        "+two",
        "diff --git a/b b/b",
        "--- a/b",
        "+++ b/b",
        "@@ -1 +1 @@",
        "-x",
        "+y",
        "diff --git a/c b/d",
        "rename from c",
        "rename to d",
        "--- a/c",
        "+++ b/d",
        "@@ -1 +1 @@",
        "-x",
        "+y",
        "diff --git a/e b/e",
        "deleted file mode 100644",
        "--- a/e",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-gone",
        ""
      ].join("\n")
    )
  })

  it("shows a file that was added and edited as it came to be", () => {
    assert.strictEqual(
      fold(add("a", "one\ntwo\n"), update("a", "@@ -1,2 +1,2 @@\n one\n-two\n+three\n")),
      fold(add("a", "one\nthree\n"))
    )
    assert.strictEqual(fold(add("a", "one\n"), update("a", "", "b")), fold(add("b", "one\n")))
  })

  it("forgets a file that was added and deleted", () => {
    assert.strictEqual(fold(add("a", "one\n"), remove("a", "one\n")), "")
  })

  it("shows a file that was deleted and written anew as changed", () => {
    assert.strictEqual(
      fold(remove("a", "one\n"), add("a", "two\n")),
      "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two\n"
    )
  })

  it("keeps edits of a file that it does not know in their order", () => {
    assert.strictEqual(
      fold(update("a", "@@ -1 +1 @@\n-x\n+y\n"), update("a", "@@ -9 +9 @@\n-p\n+q")),
      "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n@@ -9 +9 @@\n-p\n+q\n"
    )
  })

  it("keeps edits that do not fit beside what they were made of", () => {
    const diff = fold(add("a", "one\n"), update("a", "@@ -1 +1 @@\n-other\n+two\n"))
    assert.include(diff, "+one\n@@ -1 +1 @@\n-other\n+two\n")
  })

  it("takes whole diffs in place of contents and of bare hunks", () => {
    const whole = "--- /dev/null\n+++ b/a\n@@ -0,0 +1,2 @@\n+one\n+two\n"
    assert.strictEqual(fold(add("a", whole)), fold(add("a", "one\ntwo\n")))
    assert.strictEqual(
      fold(update("a", "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n")),
      fold(update("a", "@@ -1 +1 @@\n-x\n+y\n"))
    )
    assert.strictEqual(
      fold(remove("a", "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n")),
      fold(remove("a", "one\n"))
    )
  })

  it("marks the missing end of a last line", () => {
    assert.include(fold(add("a", "one")), "@@ -0,0 +1 @@\n+one\n\\ No newline at end of file\n")
    assert.strictEqual(TurnDiff.apply("a\nb", "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+c\n"), "a\nc\n")
    assert.strictEqual(TurnDiff.apply("a\nb\n", "@@ -2 +2 @@\n-b\n+c\n\\ No newline at end of file\n"), "a\nc")
  })

  it("shows an empty file, and names files outside in full", () => {
    assert.strictEqual(fold(add("a", "")), "diff --git a/a b/a\nnew file mode 100644\n")
    assert.include(
      TurnDiff.render(TurnDiff.add(TurnDiff.empty, [{ path: "/else/a", kind: "add", diff: "x\n" }]), "/work"),
      "+++ b//else/a\n"
    )
  })

  const Line = Schema.Literals(["a", "b", "c", "-", "+ ", "@@ -1 +1 @@", ""])

  it.effect.prop(
    "applies a change to any text",
    [
      Arbitrary.schema(Schema.Array(Line)),
      Arbitrary.schema(Schema.Array(Line)),
      Arbitrary.schema(Schema.Array(Line)),
      Arbitrary.schema(Schema.Array(Line))
    ],
    ([before, old, now, after]) =>
      Effect.sync(() => {
        const at = before.length
        const hunk = [
          `@@ -${range(at, old.length)} +${range(at, now.length)} @@`,
          ...old.map((line) => `-${line}`),
          ...now.map((line) => `+${line}`)
        ]
        const from = text([...before, ...old, ...after])
        assert.strictEqual(TurnDiff.apply(from, `${hunk.join("\n")}\n`), text([...before, ...now, ...after]))
      })
  )

  it("refuses what is not a change of the text", () => {
    const wrong = [
      "",
      "nonsense",
      "@@ -5 +5 @@\n-a\n+b\n",
      "@@ -1 +1 @@\n-b\n+c\n",
      "@@ -1 +1 @@\n?a\n",
      "@@ -1 +1 @@\n b\n"
    ]
    const backwards = "@@ -2 +2 @@\n-b\n+x\n@@ -1 +1 @@\n-a\n+y\n"
    assert.isUndefined(TurnDiff.apply("a\nb\n", backwards))
    assert.isUndefined(TurnDiff.apply("a\nb\n", "@@ -2 +2 @@\n-b\n+x\n@@ -1,0 +1 @@\n+y\n"))
    for (const diff of wrong) assert.isUndefined(TurnDiff.apply("a\n", diff), diff)
  })
})
