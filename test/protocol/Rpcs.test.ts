import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Table from "../../src/protocol/generated/MethodTable.ts"
import * as Rpcs from "../../src/protocol/Rpcs.ts"

const names = (group: { readonly requests: ReadonlyMap<string, unknown> }) => [...group.requests.keys()]

describe("Rpcs", () => {
  it("has every request in both groups", () => {
    assert.deepStrictEqual(names(Rpcs.ClientRequestGroup()), Object.keys(Table.clientRequests))
    assert.deepStrictEqual(names(Rpcs.ClientRequestHandlerGroup()), Object.keys(Table.clientRequests))
    assert.deepStrictEqual(names(Rpcs.ServerRequestGroup()), Object.keys(Table.serverRequests))
    assert.deepStrictEqual(names(Rpcs.ServerRequestHandlerGroup()), Object.keys(Table.serverRequests))
    assert.strictEqual(Rpcs.ClientRequestGroup(), Rpcs.ClientRequestGroup())
  })

  it.effect("is strict for the side that sends and open for the side that reads", () =>
    Effect.gen(function*() {
      const sends = Rpcs.ClientRequestGroup().requests.get("thread/start")
      const reads = Rpcs.ClientRequestHandlerGroup().requests.get("thread/start")
      assert(sends !== undefined && reads !== undefined)
      const later = { approvalPolicy: "later" }
      const accepts = (schema: Schema.Top) => Effect.exit(Schema.decodeEffect(schema as Schema.Codec<unknown>)(later))
      assert.isTrue(Exit.isFailure(yield* accepts(sends.payloadSchema)))
      assert.isTrue(Exit.isSuccess(yield* accepts(reads.payloadSchema)))
      const error = yield* Schema.decodeEffect(Rpcs.JsonRpcError)({ code: -32600, message: "no" })
      assert.deepStrictEqual(error, { code: -32600, message: "no" })
    }))
})
