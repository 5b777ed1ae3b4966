import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Catalog from "../../../src/bridge/catalog/Catalog.ts"
import type { ClientMethod } from "../../../src/bridge/ClientConnection.ts"
import { clientMethods, complete, methodTable, servedBy, unserved } from "../../../src/bridge/MethodTable.ts"
import * as Table from "../../../src/protocol/generated/MethodTable.ts"
import * as Methods from "../../../src/protocol/Methods.ts"
import { paramsOf } from "../../support/ClientParams.ts"
import { ask, layer, Refused } from "./support/bridge.ts"

const isByOther = (method: ClientMethod): boolean => {
  const handling = methodTable[method]
  return "by" in handling && handling.by !== "catalog"
}

describe("the method table", () => {
  it("has every request of the protocol and no other", () => {
    assert.deepStrictEqual([...clientMethods].toSorted(), Object.keys(Table.clientRequests).toSorted())
    assert.deepStrictEqual(Object.keys(methodTable).toSorted(), Object.keys(Table.clientRequests).toSorted())
  })

  it.effect("the catalogue serves what the table says", () =>
    Effect.gen(function*() {
      const handlers = yield* Catalog.handlers
      assert.deepStrictEqual(Object.keys(handlers).toSorted(), [...servedBy("catalog")].toSorted())
      assert.deepStrictEqual(unserved(handlers).filter((method) => !isByOther(method)), [])
    }).pipe(Effect.provide(layer())))

  it.effect("a method whose feature is missing is refused, never left unanswered", () =>
    Effect.gen(function*() {
      const answers = complete({})
      assert.strictEqual(Object.keys(answers).length, clientMethods.length)
      const refused = yield* ask("thread/start", {})
      assert.isTrue(refused instanceof Refused && refused.error.message.includes("thread/start"))
    }).pipe(Effect.provide(layer())))

  it("every refusal is a sentence", () => {
    for (const method of clientMethods) {
      const handling = methodTable[method]
      if ("refused" in handling) assert.isAbove(handling.refused.length, 20, method)
    }
  })

  for (const method of clientMethods.filter((method) => !isByOther(method))) {
    it.effect(`${method} answers whatever fits its schema`, () =>
      Effect.gen(function*() {
        const samples = yield* Arbitrary.sampleEffect(paramsOf(method), { count: 30, seed: 7 })
        for (const params of samples) {
          assert.strictEqual(Methods.decodeClientRequest(method, params)._tag, "Success")
          const answer = yield* ask(method, params)
          if (answer instanceof Refused) assert.isNotEmpty(answer.error.message)
        }
      }).pipe(Effect.provide(layer())))
  }
})
