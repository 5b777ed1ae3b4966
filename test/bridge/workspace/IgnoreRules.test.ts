import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import { join } from "node:path"
import * as IgnoreRules from "../../../src/bridge/workspace/IgnoreRules.ts"

const rules = [
  ["*.log"],
  ["*.log", "!kept.log"],
  ["/top"],
  ["dir/"],
  ["a/b"],
  ["a/*/c"],
  ["**/deep"],
  ["a/**"],
  ["a/**/c"],
  ["**/b/c"],
  ["a**c"],
  ["?.txt"],
  ["[ab].txt"],
  ["[!ab].txt"],
  ["[a-c]x"],
  ["[]x].txt"],
  ["[unclosed"],
  ["\\#hash", "\\!bang"],
  ["# comment", ""],
  ["trailing  "],
  ["trailing\\ "],
  ["a.b+c"],
  ["a-b"],
  ["{a,b}"],
  ["(a|b)"],
  ["*"],
  ["*", "!a"],
  ["/"],
  ["with space"]
]

const paths = [
  "x.log",
  "kept.log",
  "a/x.log",
  "top",
  "a/top",
  "a/b",
  "x/a/b",
  "a/x/c",
  "a/x/y/c",
  "a/c",
  "deep",
  "x/deep",
  "a/deep/x",
  "b/c",
  "x/b/c",
  "abc",
  "a.txt",
  "c.txt",
  "].txt",
  "x.txt",
  "bx",
  "dx",
  "[unclosed",
  "#hash",
  "!bang",
  "# comment",
  "trailing",
  "trailing ",
  "a.b+c",
  "aXb+c",
  "a-b",
  "{a,b}",
  "a",
  "(a|b)",
  "with space",
  "x/dir",
  "dir"
]

describe("IgnoreRules", () => {
  it("reads patterns as git does", () => {
    const directory = Fs.mkdtempSync(join(Os.tmpdir(), "ignore-"))
    try {
      ChildProcess.execFileSync("git", ["init", "-q"], { cwd: directory })
      for (const lines of rules) {
        Fs.writeFileSync(join(directory, ".gitignore"), `${lines.join("\n")}\n`)
        const checked = ChildProcess.spawnSync("git", [
          "check-ignore",
          "--no-index",
          "--verbose",
          "--non-matching",
          "-z",
          "--stdin"
        ], {
          cwd: directory,
          input: paths.join("\0"),
          encoding: "utf8"
        })
        // Source, line, pattern and path of each; git also finds a path below an ignored directory.
        const fields = checked.stdout.split("\0")
        const parsed = IgnoreRules.parse(lines.join("\n"))
        for (let index = 0; index + 3 < fields.length; index += 4) {
          const [pattern = "", path = ""] = [fields[index + 2], fields[index + 3]]
          const expected = pattern !== "" && !pattern.startsWith("!")
          const parts = path.split("/")
          let ignored = false
          for (let length = 1; length <= parts.length && !ignored; length++) {
            ignored = IgnoreRules.verdict(parsed, parts.slice(0, length).join("/"), length < parts.length) ?? false
          }
          assert.strictEqual(ignored, expected, `${JSON.stringify(lines)} ${path}`)
        }
      }
    } finally {
      Fs.rmSync(directory, { recursive: true })
    }
  })

  it("tells directories from files", () => {
    const parsed = IgnoreRules.parse("dir/\r\n")
    assert.isTrue(IgnoreRules.verdict(parsed, "x/dir", true))
    assert.isUndefined(IgnoreRules.verdict(parsed, "x/dir", false))
  })

  it.prop("takes any text", [Schema.String, Schema.String], ([text, path]) => {
    IgnoreRules.verdict(IgnoreRules.parse(text), path, true)
  })
})
