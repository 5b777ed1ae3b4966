import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { nothingTold, report, tell, type Told } from "../../../src/backends/pi-family/internal/CommandOutput.ts"

/** What is told of a text that comes again and again. */
const told = (...texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  let state: Told = nothingTold
  return texts.map((text) => {
    const [next, delta] = tell(state, text)
    state = next
    return delta
  })
}

const long = Array.from({ length: 400 }, (_, index) => `line ${index}\n`)

describe("output that is told whole each time", () => {
  it("is told as it grows", () => {
    assert.deepStrictEqual(told("a", "ab", "ab", "abc"), ["a", "b", "", "c"])
  })

  it("whose beginning is cut off goes on where it was", () => {
    const window = (to: number) => long.slice(Math.max(0, to - 100), to).join("")
    assert.deepStrictEqual(told(window(50), window(99), window(120), window(170)), [
      window(50),
      long.slice(50, 99).join(""),
      long.slice(99, 120).join(""),
      long.slice(120, 170).join("")
    ])
  })

  it("whose middle is cut out goes on where it was", () => {
    const elided = `${long.slice(0, 50).join("")}[…200ln elided…]\n${long.slice(250).join("")}`
    assert.deepStrictEqual(told(long.slice(0, 300).join(""), elided), [
      long.slice(0, 300).join(""),
      long.slice(300).join("")
    ])
  })

  it("with a notice in front of it is not told again", () => {
    assert.deepStrictEqual(told("start\n", "[Command cancelled]\nstart\n", "start\n"), ["start\n", "", ""])
  })

  it("of which all was lost in between goes on with what follows", () => {
    const [, second, third] = told(
      long.slice(0, 100).join(""),
      long.slice(200, 300).join(""),
      long.slice(200, 310).join("")
    )
    assert.deepStrictEqual([second, third], ["", long.slice(300, 310).join("")])
  })

  it("of lines that repeat is rather left out than told twice", () => {
    const same = "yes\n"
    assert.deepStrictEqual(told(`start\n${same.repeat(300)}`, same.repeat(400), `${same.repeat(400)}no\n`), [
      `start\n${same.repeat(300)}`,
      "",
      "no\n"
    ])
  })

  it("that is overtaken by a longer one is told once", () => {
    assert.deepStrictEqual(told("abc", "ab", "abcd"), ["abc", "", "d"])
  })

  it("in other words is not told", () => {
    assert.deepStrictEqual(told("compiling 1/3", "compiled", "compiled\nok"), ["compiling 1/3", "", "\nok"])
  })

  it.prop(
    "without a limit all of it is told, once",
    [Schema.Array(Schema.Literals(["a", "b\n", "b\n", "", "long line\n"]))],
    ([chunks]) => {
      const texts = chunks.map((_, index) => chunks.slice(0, index + 1).join(""))
      assert.strictEqual(told(...texts).join(""), chunks.join(""))
    }
  )

  it.prop(
    "with a limit nothing is told twice, or out of order",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 }))), Schema.Literals([700, 2000])],
    ([steps, limit]) => {
      let at = 0
      const texts = steps.map((step) => {
        at = Math.min(long.length, at + step)
        return long.slice(0, at).join("").slice(-limit)
      })
      const numbers = Array.from(told(...texts).join("").matchAll(/line (\d+)\n/g), ([, number]) => Number(number))
      numbers.slice(1).forEach((number, index) => assert.isAbove(number, numbers[index] ?? -1))
    },
    { arbitrary: { size: 40 } }
  )
})

describe("a report", () => {
  const omp = { timeoutSeconds: 300, wallTimeMs: 1542.4 }
  const rows: ReadonlyArray<readonly [string, string, unknown, boolean, object]> = [
    ["success", "a\n\n\nWall time: 1.54 seconds", omp, false, { output: "a\n", durationMs: 1542.4 }],
    ["no line end", "a\n\nWall time: 1.54 seconds", omp, false, { output: "a", durationMs: 1542.4 }],
    ["nothing", "(no output)\n\nWall time: 1.54 seconds", omp, false, { output: "", durationMs: 1542.4 }],
    [
      "a status",
      "a\n\n\nWall time: 1.54 seconds\n\nCommand exited with code 3",
      { ...omp, exitCode: 3 },
      true,
      { output: "a\n", exitCode: 3, durationMs: 1542.4 }
    ],
    [
      "a further notice",
      "a\n\n\nWall time: 1.54 seconds\nThe time limit was lowered\n\nCommand exited with code 3",
      { ...omp, exitCode: 3 },
      true,
      { output: "a\n\nThe time limit was lowered", exitCode: 3, durationMs: 1542.4 }
    ],
    ["pi's status", "l\n\n\nCommand exited with code 12", {}, true, { output: "l\n", exitCode: 12 }],
    ["a status alone", "Command exited with code 1", {}, true, { output: "", exitCode: 1 }],
    [
      "a command that prints such words itself",
      "Command exited with code 1",
      omp,
      false,
      { output: "Command exited with code 1", durationMs: 1542.4 }
    ],
    ["words of another time", "Wall time: 9.00 seconds", omp, false, {
      output: "Wall time: 9.00 seconds",
      durationMs: 1542.4
    }],
    ["pi's abortion", "s\n\n\nCommand aborted", {}, true, { output: "s\n", isAborted: true }],
    ["omp's abortion", "[Command cancelled]\nstart\n", {}, true, { output: "start\n", isAborted: true }]
  ]
  for (const [name, text, details, isError, expected] of rows) {
    it(`of ${name}`, () => {
      const { durationMs, exitCode, isAborted, output } = report(text, details, isError)
      assert.deepStrictEqual({ durationMs, exitCode, isAborted, output } as unknown, {
        durationMs: undefined,
        exitCode: undefined,
        isAborted: false,
        ...expected
      })
    })
  }
})
