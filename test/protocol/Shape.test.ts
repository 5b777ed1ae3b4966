import { assert, describe, it } from "@effect/vitest"
import { fromBundle } from "../../src/protocol/internal/Shape.ts"
import { AnyJson } from "./support/json.ts"

const read = (definitions: Readonly<Record<string, unknown>>) => fromBundle({ definitions })

describe("Shape", () => {
  it("tells unions by their tag, by their only key, and as they are", () => {
    const { definitions, unsupported } = read({
      Tagged: {
        oneOf: [
          { properties: { kind: { enum: ["a"] }, mode: { enum: ["x", "y"] } }, required: ["kind", "mode"] },
          { properties: { kind: { enum: ["b"] }, mode: { enum: ["x", "y"] } }, required: ["kind", "mode"] }
        ],
        properties: { shared: { type: "string" } }
      },
      Keyed: {
        anyOf: [{ enum: ["plain"] }, { type: "object", properties: { box: { type: "string" } }, required: ["box"] }]
      },
      Maybe: { anyOf: [{ $ref: "#/definitions/v2/Keyed" }, { type: "null" }] },
      Either: { anyOf: [{ type: "string" }, { type: "integer", format: "int64" }] }
    })
    assert.deepStrictEqual(unsupported, [])
    const mode = { optional: false, shape: { type: "enum", values: ["x", "y"] } }
    const shared = { optional: true, shape: { type: "string" } }
    assert.deepStrictEqual(definitions["Tagged"] as unknown, {
      type: "tagged",
      tag: "kind",
      variants: [{ values: ["a"], fields: { mode, shared } }, { values: ["b"], fields: { mode, shared } }]
    })
    assert.deepStrictEqual(definitions["Keyed"], {
      type: "keyed",
      strings: ["plain"],
      variants: { box: { type: "string" } }
    })
    assert.deepStrictEqual(definitions["Maybe"], { type: "nullable", of: { type: "ref", name: "Keyed" } })
    assert.deepStrictEqual(definitions["Either"], {
      type: "union",
      members: [{ type: "string" }, { type: "int", format: "int64" }]
    })
  })

  it("puts the alternatives inside a variant beside each other", () => {
    const { definitions } = read({
      Image: {
        oneOf: [{
          properties: { type: { enum: ["image"] }, detail: { type: "string" } },
          required: ["type"],
          anyOf: [
            { properties: { url: { type: "string" } }, required: ["url"] },
            { properties: { fileId: { type: "string" } }, required: ["fileId"] }
          ]
        }]
      }
    })
    const shape = definitions["Image"]
    assert(shape?.type === "tagged")
    assert.deepStrictEqual(shape.variants.map(({ fields }) => Object.keys(fields)), [["detail", "url"], [
      "detail",
      "fileId"
    ]])
  })

  it("names what it does not understand, and takes it for unknown", () => {
    const { definitions, unsupported } = read({
      Tuple: { type: "array", items: [{ type: "string" }, { type: "string" }] },
      Both: { allOf: [{ type: "string" }, { type: "string" }] },
      ClientRequest: { oneOf: [{ properties: { method: { enum: ["go"] } } }] }
    })
    assert.deepStrictEqual(definitions, { Both: { type: "unknown" }, Tuple: { type: "unknown" } })
    assert.deepStrictEqual([...unsupported], [
      "Both: allOf of several",
      "Tuple: a tuple",
      "ClientRequest.go: no definition for the result"
    ])
  })

  it.prop("no bundle makes it throw", [AnyJson], ([schema]) => {
    fromBundle(schema)
    read({ Some: schema, ClientRequest: schema })
  })
})
