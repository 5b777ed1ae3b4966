import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Table from "../../src/protocol/generated/MethodTable.ts"
import * as Rpcs from "../../src/protocol/Rpcs.ts"

const names = (group: { readonly requests: ReadonlyMap<string, unknown> }) => [...group.requests.keys()]

const accepts = (schema: Schema.Top, value: unknown) =>
  Effect.exit(Schema.decodeEffect(schema as Schema.Codec<unknown>)(value))

describe("Rpcs", () => {
  it("has every request in both groups", () => {
    assert.deepStrictEqual(names(Rpcs.ClientRequestGroup()), Object.keys(Table.clientRequests))
    assert.deepStrictEqual(names(Rpcs.ClientRequestHandlerGroup()), Object.keys(Table.clientRequests))
    assert.deepStrictEqual(names(Rpcs.ServerRequestGroup()), Object.keys(Table.serverRequests))
    assert.deepStrictEqual(names(Rpcs.ServerRequestHandlerGroup()), Object.keys(Table.serverRequests))
    assert.strictEqual(Rpcs.ClientRequestGroup(), Rpcs.ClientRequestGroup())
  })

  it.effect("is strict for the side that sends, and takes members of later releases on the side that reads", () =>
    Effect.gen(function*() {
      const sends = Rpcs.ClientRequestGroup().requests.get("thread/start")
      const reads = Rpcs.ClientRequestHandlerGroup().requests.get("thread/start")
      assert(sends !== undefined && reads !== undefined)
      const lacking = { dynamicTools: [{ type: "function", name: "n" }] }
      assert.isTrue(Exit.isFailure(yield* accepts(sends.payloadSchema, lacking)))
      assert.isTrue(Exit.isSuccess(yield* accepts(reads.payloadSchema, { later: 1 })))
      assert.isTrue(Exit.isFailure(yield* accepts(reads.payloadSchema, { approvalPolicy: "later" })))
      const error = yield* Schema.decodeEffect(Rpcs.JsonRpcError)({ code: -32600, message: "no" })
      assert.deepStrictEqual(error, { code: -32600, message: "no" })
    }))
})
