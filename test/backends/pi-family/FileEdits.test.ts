import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import {
  applyHunks,
  type Change,
  fileEdit,
  fromNumbered,
  hunks,
  TurnFiles
} from "../../../src/backends/pi-family/FileEdits.ts"
import { previewOf } from "../../../src/backends/pi-family/ToolItems.ts"
import * as TurnDiff from "../../../src/bridge/projection/TurnDiff.ts"

const Line = Schema.Literals(["a", "b", "c", "", "-x", "+y", "@@ -1 +1 @@", "\\ z", "…", "d\r"])
const Text = Schema.Struct({ lines: Schema.Array(Line), newline: Schema.Boolean })

const textOf = ({ lines, newline }: typeof Text.Type): string =>
  lines.length === 0 ? "" : lines.join("\n") + (newline ? "\n" : "")

const sized = { arbitrary: { runs: 500, size: 40 } }

describe("hunks", () => {
  it("are codex's", () => {
    const rows: ReadonlyArray<readonly [string, string, string]> = [
      ["hello\n", "hello2\n", "@@ -1 +1 @@\n-hello\n+hello2\n"],
      ["", "x\n", "@@ -0,0 +1 @@\n+x\n"],
      ["x\n", "", "@@ -1 +0,0 @@\n-x\n"],
      ["a\nb", "a\nc", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"],
      ["a\n", "a\n", ""],
      ["a\r\n", "b\r\n", "@@ -1 +1 @@\n-a\r\n+b\r\n"]
    ]
    for (const [before, after, expected] of rows) assert.strictEqual(hunks(before, after), expected)
  })

  it.prop("make the text after of the text before", [Text, Text], ([one, other]) => {
    const [before, after] = [textOf(one), textOf(other)]
    const diff = hunks(before, after)
    if (before === after) return assert.strictEqual(diff, "")
    assert.strictEqual(applyHunks(before, diff), after)
    // The bridge reads them, too.
    assert.strictEqual(TurnDiff.apply(before, diff), after)
  }, sized)

  it("of texts that have nothing in common are made in no time", () => {
    const [before = "", after = ""] = ["old", "new"].map((word) =>
      Array.from({ length: 20_000 }, (_, index) => `${word} ${index}\n`).join("")
    )
    const diff = hunks(before, after)
    assert.isTrue(diff.startsWith("@@ -1,20000 +1,20000 @@\n"))
    assert.strictEqual(applyHunks(before, diff), after)
  })
})

/** As the agents print them: removed and common lines with their old numbers, added ones with their new numbers. */
const numbered = (diff: string, separator: string): string => {
  let [old, now] = [0, 0]
  return diff.split("\n").flatMap((line) => {
    const start = /^@@ -(\d+)(,0)?.* \+(\d+)(,0)?/.exec(line)
    if (start !== null) {
      old = Number(start[1]) + (start[2] === undefined ? 0 : 1)
      now = Number(start[3]) + (start[4] === undefined ? 0 : 1)
      return []
    }
    if (line === "" || line.startsWith("\\")) return []
    const number = line.startsWith("+") ? now : old
    if (!line.startsWith("+")) old++
    if (!line.startsWith("-")) now++
    return [`${line[0] ?? ""}${String(number).padStart(3)}${separator}${line.slice(1)}`]
  }).join("\n")
}

describe("numbered lines", () => {
  it("of both agents are hunks", () => {
    const expected = "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n"
    assert.strictEqual(fromNumbered(" 1|one\n-2|two\n+2|TWO\n 3|three"), expected)
    assert.strictEqual(fromNumbered(" 1 one\n-2 two\n+2 TWO\n 3 three"), expected)
    assert.strictEqual(fromNumbered("@@ -1,3 +1,3 @@\n 1|one\n-2|two\n+2|TWO\n 3|three"), expected)
    assert.strictEqual(fromNumbered("@@ -1,0 +1,1 @@\n+1|bee"), "@@ -0,0 +1 @@\n+bee\n")
  })

  it("jump where lines were left out", () => {
    const omp =
      " 3|l3\n 4|l4\n-5|l5\n+5|X\n 6|l6\n 29|l29\n 30|l30\n+31|N1\n+32|N2\n 31|l31\n 48|l48\n-49|l49\n 50|l50\n+62|end"
    assert.strictEqual(
      fromNumbered(omp),
      "@@ -3,4 +3,4 @@\n l3\n l4\n-l5\n+X\n l6\n" +
        "@@ -29,3 +29,5 @@\n l29\n l30\n+N1\n+N2\n l31\n" +
        "@@ -48,3 +50,2 @@\n l48\n-l49\n l50\n" +
        "@@ -60,0 +62 @@\n+end\n"
    )
    assert.strictEqual(
      fromNumbered("  1 a\n- 2 b\n    ...\n 20 t\n+20 u"),
      "@@ -1,2 +1 @@\n a\n-b\n@@ -20 +19,2 @@\n t\n+u\n"
    )
  })

  it("are nothing else", () => {
    for (const other of ["", "@@", "@@\n one\n-two", "plain text", " 1|only common"]) {
      assert.isUndefined(fromNumbered(other), other)
    }
  })

  it.prop(
    "give the hunks that they were made of",
    [Text, Text, Schema.Literals(["|", " "])],
    ([one, other, separator]) => {
      const [before, after] = [`${textOf({ ...one, newline: true })}`, `${textOf({ ...other, newline: true })}`]
      const diff = hunks(before, after)
      if (diff === "") return
      const again = fromNumbered(numbered(diff, separator))
      assert(again !== undefined)
      assert.strictEqual(TurnDiff.apply(before, again), after)
    },
    sized
  )
})

describe("a change", () => {
  it("is shown in codex's shape", () => {
    const path = "/w/a"
    const rows: ReadonlyArray<readonly [Change, unknown]> = [
      [{ path, before: null, after: "x\n" }, { path, kind: "add", diff: "x\n" }],
      [{ path, before: "x\n", after: null }, { path, kind: "delete", diff: "x\n" }],
      [{ path, before: undefined, after: null }, { path, kind: "delete", diff: "" }],
      [{ path, before: "x\n", after: "y\n" }, { path, kind: "update", diff: "@@ -1 +1 @@\n-x\n+y\n" }],
      [{ path, before: undefined, after: undefined, hunks: "@@" }, { path, kind: "update", diff: "@@" }],
      [{ path, before: undefined, after: undefined }, { path, kind: "update", diff: "" }],
      [
        { path, before: "x\n", after: "x\n", movedTo: "/w/b" },
        { path, kind: "update", diff: "", movedTo: "/w/b" }
      ]
    ]
    for (const [change, expected] of rows) assert.deepStrictEqual(fileEdit(change) as unknown, expected)
  })

  it("is foreseen from the arguments and what is there before", () => {
    const before = "one\ntwo\nthree\n"
    const rows: ReadonlyArray<readonly [string, unknown, string | null | undefined]> = [
      ["write", { path: "f", content: "x" }, "x"],
      ["edit", { path: "f", old_string: "two", new_string: "$&" }, "one\n$&\nthree\n"],
      ["edit", { path: "f", old_string: "e", new_string: "E" }, undefined],
      ["edit", { path: "f", old_string: "e", new_string: "E", replace_all: true }, "onE\ntwo\nthrEE\n"],
      ["edit", { path: "f", old_string: "absent", new_string: "E" }, undefined],
      [
        "edit",
        { path: "f", edits: [{ oldText: "one", newText: "1" }, { oldText: "two", newText: "2" }] },
        "1\n2\nthree\n"
      ],
      [
        "edit",
        { path: "f", edits: [{ op: "update", diff: "@@\n-one\n+1\n@@\n two\n+2.5\n three" }] },
        "1\ntwo\n2.5\nthree\n"
      ],
      ["edit", { path: "f", edits: [{ op: "delete" }] }, null],
      ["edit", { path: "f", edits: [{ op: "update", diff: "@@\n-four\n+4" }] }, undefined],
      ["edit", { input: "*** Begin Patch\n*** Update File: f\n@@\n-three\n*** End Patch" }, "one\ntwo\n"],
      ["edit", { input: "*** Begin Patch\n*** Delete File: f\n*** End Patch" }, null],
      ["edit", { input: "[f#AB12]\nPUT 2.=2:\n+TWO" }, undefined]
    ]
    for (const [name, args, after] of rows) {
      const [change, ...more] = previewOf({ id: "c", name, args }, new Map([["/w/f", before]]), "/w")
      assert.deepStrictEqual(more, [])
      assert(change !== undefined)
      assert.strictEqual(change.path, "/w/f", JSON.stringify(args))
      assert.strictEqual(change.after, after, JSON.stringify(args))
    }
  })

  it("of several files is foreseen a file at a time", () => {
    const input =
      "*** Begin Patch\n*** Add File: n\n+new\n*** Update File: f\n*** Move to: g\n@@\n-x\n+y\n*** Delete File: d\n" +
      "*** End Patch\n"
    const before = new Map([["/w/f", "x\n"], ["/w/d", "gone\n"]])
    assert.deepStrictEqual(
      previewOf({ id: "c", name: "edit", args: { input } }, before, "/w").map(fileEdit) as unknown,
      [
        { path: "/w/n", kind: "add", diff: "new\n" },
        { path: "/w/f", kind: "update", diff: "@@ -1 +1 @@\n-x\n+y\n", movedTo: "/w/g" },
        { path: "/w/d", kind: "delete", diff: "gone\n" }
      ]
    )
  })

  it("keeps the line ends of a file", () => {
    const args = { path: "f", old_string: "a\nb", new_string: "A\nB" }
    const [change] = previewOf({ id: "c", name: "edit", args }, new Map([["/w/f", "a\r\nb\r\n"]]), "/w")
    assert.strictEqual(change?.after, "A\r\nB\r\n")
  })
})

const diffOf = (...changes: ReadonlyArray<Change>): string => {
  const files = new TurnFiles("/w")
  for (const change of changes) files.add(change)
  return files.render()
}

describe("the diff of a turn", () => {
  const blobs = {
    hello: "ce013625030ba8dba906f756967f9e9ca394464a",
    hello2: "14be0d41c639d701e0fe23e835b5fe9524b4459d"
  }
  const none = "0".repeat(40)

  it("is what codex's is", () => {
    assert.strictEqual(
      diffOf({ path: "/w/p1.txt", before: null, after: "hello\n" }),
      `diff --git a/p1.txt b/p1.txt\nnew file mode 100644\nindex ${none}..${blobs.hello}\n` +
        "--- /dev/null\n+++ b/p1.txt\n@@ -0,0 +1 @@\n+hello\n"
    )
    assert.strictEqual(
      diffOf({ path: "/w/p1.txt", before: "hello\n", after: "hello2\n" }),
      `diff --git a/p1.txt b/p1.txt\nindex ${blobs.hello}..${blobs.hello2}\n` +
        "--- a/p1.txt\n+++ b/p1.txt\n@@ -1 +1 @@\n-hello\n+hello2\n"
    )
    assert.strictEqual(
      diffOf({ path: "/w/p1.txt", before: "hello2\n", after: null }),
      `diff --git a/p1.txt b/p1.txt\ndeleted file mode 100644\nindex ${blobs.hello2}..${none}\n` +
        "--- a/p1.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-hello2\n"
    )
    assert.include(
      diffOf({ path: "/root/z.txt", before: null, after: "x" }),
      "diff --git a//root/z.txt b//root/z.txt\n"
    )
  })

  it("goes from what was before the first change to what is after the last", () => {
    const path = "/w/a"
    const both = diffOf({ path, before: "1\n", after: "2\n" }, { path, before: "2\n", after: "3\n" })
    assert.strictEqual(both, diffOf({ path, before: "1\n", after: "3\n" }))
    assert.strictEqual(diffOf({ path, before: "1\n", after: "2\n" }, { path, before: "2\n", after: "1\n" }), "")
    assert.strictEqual(diffOf({ path, before: null, after: "2\n" }, { path, before: "2\n", after: null }), "")
    assert.strictEqual(
      diffOf({ path, before: "1\n", after: null }, { path, before: null, after: "2\n" }),
      diffOf({ path, before: "1\n", after: "2\n" })
    )
  })

  it("follows a file that moves", () => {
    const moved = diffOf(
      { path: "/w/a", before: "hello\n", after: "hello\n", movedTo: "/w/b" },
      { path: "/w/b", before: "hello\n", after: "hello2\n" }
    )
    assert.strictEqual(
      moved,
      `diff --git a/a b/b\nrename from a\nrename to b\nindex ${blobs.hello}..${blobs.hello2}\n` +
        "--- a/a\n+++ b/b\n@@ -1 +1 @@\n-hello\n+hello2\n"
    )
  })

  it("has what is known of files whose contents are not", () => {
    const change = { path: "/w/a", before: undefined, after: undefined }
    assert.strictEqual(
      diffOf({ ...change, hunks: "@@ -1 +1 @@\n-a\n+b\n" }, { ...change, hunks: "@@ -9 +9 @@\n-c\n+d\n" }),
      "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n"
    )
    assert.strictEqual(diffOf(change), "")
  })
})
