import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { compile } from "../../src/host/StructuredOutput.ts"

const read = (schema: Schema.Json, answer: string) => Result.flatMap(compile(schema), (reader) => reader(answer))

const person = {
  type: "object",
  properties: { name: { type: "string", minLength: 1 }, age: { type: ["integer", "null"] } },
  required: ["name"],
  additionalProperties: false
}

describe("StructuredOutput", () => {
  it("returns the value as it was said", () => {
    assert.deepStrictEqual(read(person, `{"name":"Ada","age":null}`), Result.succeed({ name: "Ada", age: null }))
  })

  for (
    const [name, answer, part] of [
      ["text around it", "Here: {\"name\":\"Ada\"}", "not JSON"],
      ["a missing key", "{}", "name"],
      ["a wrong type", `{"name":1}`, "name"],
      ["a key too many", `{"name":"Ada","more":1}`, "more"],
      ["an empty answer", "", "not JSON"]
    ] as const
  ) {
    it(`refuses ${name}, and says where`, () => {
      const result = read(person, answer)
      assert.isTrue(Result.isFailure(result) && result.failure.includes(part))
    })
  }

  it("follows references of both dialects", () => {
    const draft07 = { $ref: "#/definitions/P", definitions: { P: person } }
    const draft2020 = { $ref: "#/$defs/P", $defs: { P: person } }
    for (const schema of [draft07, draft2020]) {
      assert.isTrue(Result.isSuccess(read(schema, `{"name":"Ada"}`)))
      assert.isTrue(Result.isFailure(read(schema, "{}")))
    }
  })

  it("applies patterns", () => {
    assert.isTrue(Result.isFailure(read({ type: "string", pattern: "^a+$" }, `"b"`)))
  })

  it("refuses a schema that it cannot check", () => {
    assert.isTrue(Result.isFailure(compile({ dependentRequired: { a: ["b"] } })))
    assert.isTrue(Result.isFailure(compile("string")))
  })
})
