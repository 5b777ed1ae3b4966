import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Base64 from "../../../src/bridge/workspace/internal/Base64.ts"

const fault = (text: string) => Result.match(Base64.decode(text), { onFailure: (fault) => fault, onSuccess: () => "" })

describe("Base64", () => {
  it("says what is wrong in the words of the real server", () => {
    assert.strictEqual(fault("!!!"), "Invalid symbol 33, offset 0.")
    assert.strictEqual(fault("YQ"), "Invalid padding")
    assert.strictEqual(fault("YQ==\n"), "Invalid symbol 10, offset 4.")
    assert.strictEqual(fault("YR=="), "Invalid last symbol 82, offset 1.")
    assert.strictEqual(fault("YQ="), "Invalid padding")
    assert.strictEqual(fault("Y"), "Invalid input length: 1")
    assert.strictEqual(fault("YQ==YQ=="), "Invalid symbol 61, offset 2.")
    assert.strictEqual(fault("Y=Q="), "Invalid symbol 61, offset 1.")
    assert.strictEqual(fault("Y==="), "Invalid symbol 61, offset 1.")
    assert.strictEqual(fault("===="), "Invalid symbol 61, offset 0.")
    assert.strictEqual(fault("é==="), "Invalid symbol 195, offset 0.")
    assert.strictEqual(fault("YQé="), "Invalid symbol 195, offset 2.")
    assert.strictEqual(fault("YWJ="), "Invalid last symbol 74, offset 2.")
    assert.strictEqual(fault("YWI=="), "Invalid symbol 61, offset 3.")
    assert.strictEqual(fault("YQ==="), "Invalid symbol 61, offset 2.")
    assert.strictEqual(fault("YWJj="), "Invalid symbol 61, offset 4.")
    assert.strictEqual(fault("YWJjZ"), "Invalid input length: 5")
    assert.strictEqual(fault("YWJjZ==="), "Invalid symbol 61, offset 5.")
    assert.strictEqual(fault("YQ=a"), "Invalid symbol 61, offset 2.")
    assert.strictEqual(fault("YQ==aaaa"), "Invalid symbol 61, offset 2.")
    assert.strictEqual(fault("\nYQ=="), "Invalid symbol 10, offset 0.")
    assert.strictEqual(fault("a\n"), "Invalid symbol 10, offset 1.")
    assert.strictEqual(fault(""), "")
  })

  it.prop("gives back the bytes that were written", [
    Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })))
  ], ([numbers]) => {
    const bytes = Uint8Array.from(numbers)
    assert.deepStrictEqual(Uint8Array.from(Result.getOrThrow(Base64.decode(Base64.encode(bytes)))), bytes)
  })

  it.prop("takes a text only if it is the one text for its bytes", [Schema.String], ([text]) => {
    const decoded = Base64.decode(text)
    if (Result.isSuccess(decoded)) assert.strictEqual(Base64.encode(decoded.success), text)
    else assert.match(decoded.failure, /^Invalid /u)
  })
})
