import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { choice, many, nearest, one, parse, toggle } from "../../src/cli/Flags.ts"

const shape = {
  flags: {
    cwd: one("DIR", "where"),
    json: toggle("lines"),
    config: many("KEY=VALUE", "settings", "c"),
    backend: choice(["auto", "scripted"], "which", ["pi"])
  },
  argument: { name: "PROMPT", help: "what to do" }
}

const read = (...words: ReadonlyArray<string>) => parse(shape, words)

const nothing = { cwd: undefined, json: false, config: [], backend: undefined }

const messageOf = (...words: ReadonlyArray<string>): string => {
  const parsed = read(...words)
  return parsed._tag === "Invalid" ? parsed.message : assert.fail(`was read: ${JSON.stringify(parsed)}`)
}

describe("Flags", () => {
  it("reads flags before and after the argument, with a space or an equals sign", () => {
    const values = { cwd: "/x", json: true, config: ["a=1", "b=2"], backend: "scripted" } as const
    const expected = { _tag: "Values", values, argument: "do it" } as const
    assert.deepStrictEqual(
      read("--cwd", "/x", "-c", "a=1", "do it", "--config=b=2", "--backend=scripted", "--json"),
      expected
    )
    assert.deepStrictEqual(
      read("-ca=1", "--json", "--cwd=/x", "--backend", "scripted", "-cb=2", "--", "do it"),
      expected
    )
  })

  it("takes a dash that begins no flag as text", () => {
    for (const prompt of ["-", "- a list", "-1", "--", "---"]) {
      assert.deepStrictEqual(read(...(prompt === "--" ? ["--", "--"] : [prompt])), {
        _tag: "Values",
        values: nothing,
        argument: prompt
      })
    }
    assert.deepStrictEqual(read("--", "--cwd"), { _tag: "Values", values: nothing, argument: "--cwd" })
    assert.deepInclude(read("--cwd", "-", "x"), { values: { ...nothing, cwd: "-" } })
  })

  it("the last of one counts", () => {
    assert.deepInclude(read("--cwd", "/a", "--cwd", "/b", "x"), { values: { ...nothing, cwd: "/b" } })
  })

  it("names what is wrong", () => {
    assert.strictEqual(messageOf("--cdw", "x"), "unknown flag --cdw; did you mean --cwd?")
    assert.strictEqual(messageOf("--nothing-like-it", "x"), "unknown flag --nothing-like-it")
    assert.strictEqual(messageOf("-x", "y"), "unknown flag -x")
    assert.strictEqual(messageOf("x", "--cwd"), "--cwd needs a value: --cwd DIR")
    assert.strictEqual(messageOf("--cwd", "--json", "x"), "--cwd needs a value: --cwd DIR")
    assert.strictEqual(messageOf("x", "-c"), "-c needs a value: -c KEY=VALUE")
    assert.strictEqual(messageOf("--cwd=", "x"), "--cwd must not be empty")
    assert.strictEqual(messageOf("--json=yes", "x"), "--json takes no value")
    assert.strictEqual(messageOf("--backend", "other", "x"), "--backend other is not one of auto, scripted")
    assert.strictEqual(
      messageOf("--backend", "pi", "x"),
      "--backend pi is not available in this version; available are auto, scripted"
    )
    assert.strictEqual(messageOf("write", "a", "poem"), "unexpected argument \"a\"; put the PROMPT in quotes")
    assert.strictEqual(messageOf("--json"), "PROMPT is missing: what to do")
  })

  it("knows no flag from JavaScript's own names", () => {
    assert.strictEqual(messageOf("--constructor", "x"), "unknown flag --constructor")
    assert.strictEqual(messageOf("--__proto__=1", "x"), "unknown flag --__proto__")
  })

  it("help wins over what follows, not over what is an argument", () => {
    assert.deepStrictEqual(read("-h", "--bogus"), { _tag: "Help" })
    assert.deepStrictEqual(read("x", "--help"), { _tag: "Help" })
    assert.deepStrictEqual(read("--", "--help"), { _tag: "Values", values: nothing, argument: "--help" })
  })

  it.prop("any value comes through an equals sign as it is", [Schema.NonEmptyString], ([value]) => {
    assert.deepInclude(read(`--cwd=${value}`, "--", value), { values: { ...nothing, cwd: value }, argument: value })
  })

  it.prop("any words are read or refused, and never thrown", [Schema.Array(Schema.String)], ([words]) => {
    assert.include(["Values", "Help", "Invalid"], read(...words)._tag)
  })

  it("suggests near names alone", () => {
    assert.strictEqual(nearest("atempt", ["attempt", "protocol check"]), "attempt")
    assert.strictEqual(nearest("xyz", ["attempt", "cwd"]), undefined)
  })
})
