import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Envelope from "../../src/protocol/Envelope.ts"
import { AnyJson, overTheWire } from "./support/json.ts"

const Id = Schema.Union([Schema.String, Schema.Int])
const Object_ = Schema.Record(Schema.String, Schema.Json)
const RpcError = Schema.Struct({
  code: Schema.Int,
  message: Schema.String,
  data: Schema.optionalKey(Schema.Json.check(Schema.makeFilter((data) => data !== null)))
})

// What a number looks like after JSON: there is no negative zero.
const plain = <A>(value: A): unknown => overTheWire(value)

/** What of a value is sent: half of a surrogate pair has no UTF-8 form. */
const sent = (value: unknown): unknown => {
  if (typeof value === "string") return value.toWellFormed()
  if (Array.isArray(value)) return value.map(sent)
  if (typeof value !== "object" || value === null) return plain(value)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), sent(member)]))
}

describe("Envelope", () => {
  it.prop(
    "a message with a method and an id is a request, and keeps the type of its id",
    [Id, Schema.String, Object_],
    ([
      id,
      method,
      params
    ]) => {
      const message = Envelope.parse(Envelope.encode({ id, method, params }))
      assert.deepStrictEqual(
        message,
        { _tag: "Request", id: sent(id), method: sent(method), params: sent(params) } as Envelope.Message
      )
    }
  )

  it.prop("a message with a method and no id is a notification", [Schema.String, Object_], ([method, params]) => {
    const message = Envelope.parse(Envelope.encode({ method, params }))
    assert.deepStrictEqual(
      message,
      { _tag: "Notification", method: sent(method), params: sent(params), emittedAtMs: undefined } as Envelope.Message
    )
  })

  it.prop("every result comes back as it was sent", [Id, AnyJson], ([id, result]) => {
    const message = Envelope.parse(Envelope.encode({ id, result }))
    assert.deepStrictEqual(message, { _tag: "Response", id: sent(id), result: sent(result) } as Envelope.Message)
  })

  it.prop("every error comes back as it was sent", [Schema.NullOr(Id), RpcError], ([id, error]) => {
    const message = Envelope.parse(Envelope.encode({ id, error }))
    assert.deepStrictEqual(message, { _tag: "ErrorResponse", id: sent(id), error: sent(error) } as Envelope.Message)
  })

  it.prop("any JSON gets a verdict, and a malformed one does not repeat the value", [AnyJson], ([value]) => {
    const message = Envelope.classify(value)
    assert.include(["Request", "Notification", "Response", "ErrorResponse", "Malformed"], message._tag)
    if (message._tag === "Malformed") assert.isBelow(message.reason.length, 60)
  })

  it("takes 0 and the empty string as ids", () => {
    assert.deepInclude(Envelope.classify({ id: 0, method: "m" }), { _tag: "Request", id: 0 })
    assert.deepInclude(Envelope.classify({ id: "", result: {} }), { _tag: "Response", id: "" })
    assert.deepInclude(Envelope.classify({ id: 0, result: null }), { _tag: "Response", id: 0, result: null })
  })

  it("ignores a jsonrpc member and reads when a server emitted a notification", () => {
    assert.deepStrictEqual(Envelope.classify({ jsonrpc: "2.0", method: "m", params: { a: 1 }, emittedAtMs: 5 }), {
      _tag: "Notification",
      method: "m",
      params: { a: 1 },
      emittedAtMs: 5
    })
  })

  it("takes an error of null beside a result for no error", () => {
    assert.deepStrictEqual(Envelope.classify({ id: 1, result: 2, error: null }), { _tag: "Response", id: 1, result: 2 })
  })

  it("refuses ids that cannot be echoed exactly", () => {
    for (const id of [1.5, null, true, {}, [], 2 ** 53]) {
      const message = Envelope.classify({ id, method: "m" })
      assert.strictEqual(message._tag, "Malformed")
      if (message._tag === "Malformed") assert.isTrue(message.isRequest)
      assert.strictEqual(Envelope.classify({ id, result: 1 })._tag, "Malformed")
    }
  })

  it("names the id of a malformed answer, so that the call it answers can fail", () => {
    assert.deepInclude(Envelope.classify({ id: 9 }), { _tag: "Malformed", id: 9, isRequest: false })
    assert.deepInclude(Envelope.classify({ id: 9, error: "no" }), { _tag: "Malformed", id: 9 })
    assert.deepInclude(Envelope.classify({ id: 9, error: { code: "x", message: "y" } }), { _tag: "Malformed", id: 9 })
  })

  it("says of text that is no JSON only that", () => {
    const message = Envelope.parse("{\"secret\": hunter2")
    assert.deepStrictEqual(message, { _tag: "Malformed", reason: "not JSON", id: undefined, isRequest: false })
  })

  describe("idFromHead", () => {
    it.prop(
      "finds the id of an answer in the first part of it",
      [Id, AnyJson, Schema.Boolean],
      ([id, result, first]) => {
        const text = JSON.stringify(first ? { id, result } : { result, id })
        const head = text.slice(0, first ? JSON.stringify({ id }).length : text.length)
        assert.strictEqual(Envelope.idFromHead(head), plain(id))
      }
    )

    it.prop("never throws and never invents an id from what is inside", [AnyJson, Schema.Int], ([value, cut]) => {
      const text = JSON.stringify({ result: value })
      assert.isUndefined(Envelope.idFromHead(text.slice(0, Math.abs(cut) % (text.length + 1))))
    })

    it("ignores ids of requests, of inner objects and in strings", () => {
      assert.isUndefined(Envelope.idFromHead("{\"method\":\"item/tool/call\",\"id\":3,\"params\":{"))
      assert.isUndefined(Envelope.idFromHead("{\"id\":3,\"method\":\"item/tool/call\",\"params\":{"))
      assert.isUndefined(Envelope.idFromHead("{\"result\":{\"id\":3,\"text\":\"\\\"id\\\":4"))
      assert.isUndefined(Envelope.idFromHead("{\"id\":12"))
      assert.isUndefined(Envelope.idFromHead("{\"id\":\"\\x\","))
    })
  })
})
