import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { makeLookup } from "../../src/protocol/internal/Dialect.ts"
import { makeGuards } from "../../src/protocol/internal/Guard.ts"
import type { Shape } from "../../src/protocol/internal/Shape.ts"

const string: Shape = { type: "string" }

const world: Readonly<Record<string, Shape>> = {
  Tree: {
    type: "object",
    rest: false,
    fields: {
      name: { optional: false, shape: string },
      children: { optional: false, shape: { type: "array", items: { type: "ref", name: "Tree" } } }
    }
  },
  Ping: {
    type: "object",
    rest: false,
    fields: { pong: { optional: true, shape: { type: "nullable", of: { type: "ref", name: "Pong" } } } }
  },
  Pong: {
    type: "object",
    rest: false,
    fields: { ping: { optional: true, shape: { type: "ref", name: "Ping" } } }
  },
  Port: {
    type: "object",
    rest: false,
    fields: { port: { optional: false, shape: { type: "int", format: "uint16" } } }
  },
  Colour: { type: "enum", values: ["red", "green"] },
  ModeKind: { type: "enum", values: ["plan", "default"] },
  Kind: { type: "tagged", tag: "type", variants: [{ values: ["known"], fields: {} }] },
  OpenKind: {
    type: "tagged",
    tag: "type",
    variants: [{ values: ["known"], fields: {} }, { values: ["other"], fields: {} }]
  },
  AbsolutePathBuf: string,
  Place: {
    type: "object",
    rest: false,
    fields: { at: { optional: false, shape: { type: "ref", name: "AbsolutePathBuf" } } }
  },
  Empty: { type: "object", rest: false, fields: {} },
  Row: { type: "object", rest: false, fields: { cell: { optional: false, shape: { type: "nullable", of: string } } } }
}

const built: Array<string> = []
const shapeOf = (name: string): Shape => {
  built.push(name)
  const shape = world[name]
  assert(shape !== undefined)
  return shape
}

const open = makeLookup("open", shapeOf)
const strict = makeLookup("strict", shapeOf)
const request = makeLookup("request", shapeOf)
const guards = makeGuards("open", shapeOf)
const requestGuards = makeGuards("request", shapeOf)

describe("Dialect", () => {
  it("builds what is used, once, and nothing else", () => {
    built.length = 0
    const lookup = makeLookup("open", shapeOf)
    lookup("Ping")
    lookup("Ping")
    assert.deepStrictEqual(built, ["Ping", "Pong"])
  })

  it("closes cycles, in schemas and in guards", () => {
    const tree = { name: "a", children: [{ name: "b", children: [{ name: "c", children: [] }] }] }
    const broken = { name: "a", children: [{ name: "b", children: [{ name: 1, children: [] }] }] }
    const knot = { pong: { ping: { pong: null } } }
    for (const accepts of [Schema.is(open("Tree")), Schema.is(strict("Tree")), guards("Tree")]) {
      assert.isTrue(accepts(tree))
      assert.isFalse(accepts(broken))
    }
    for (const accepts of [Schema.is(open("Ping")), Schema.is(strict("Ping")), guards("Ping")]) {
      assert.isTrue(accepts(knot))
      assert.isFalse(accepts({ pong: { ping: 1 } }))
    }
  })

  it("sends integers in range and reads any finite number", () => {
    for (const port of [-1, 65_536, 1.5]) {
      assert.isFalse(Schema.is(strict("Port"))({ port }))
      assert.isTrue(Schema.is(open("Port"))({ port }))
    }
    assert.isTrue(Schema.is(strict("Port"))({ port: 65_535 }))
    assert.isFalse(Schema.is(open("Port"))({ port: "80" }))
    assert.isFalse(Schema.is(open("Port"))({ port: Number.NaN }))
  })

  it("takes from a client what this release can do: integers in range, names that it knows", () => {
    for (const accepts of [Schema.is(request("Port")), requestGuards("Port")]) {
      for (const port of [-1, 65_536, 1.5, "80"]) assert.isFalse(accepts({ port }))
      for (const port of [0, 65_535]) assert.isTrue(accepts({ port, later: 1 }))
    }
    for (const accepts of [Schema.is(request("Colour")), requestGuards("Colour")]) {
      assert.isTrue(accepts("red"))
      assert.isFalse(accepts("infrared"))
    }
    // Names of old are no names that anybody sends.
    for (const name of ["plan", "code"]) assert.isTrue(Schema.is(request("ModeKind"))(name))
    assert.isFalse(Schema.is(strict("ModeKind"))("code"))
    for (const accepts of [Schema.is(request("Kind")), requestGuards("Kind")]) {
      assert.isTrue(accepts({ type: "known" }))
      assert.isFalse(accepts({ type: "later" }))
    }
    assert.isTrue(Schema.is(request("OpenKind"))({ type: "later" }))
    for (const accepts of [Schema.is(request("Place")), requestGuards("Place")]) {
      for (const at of ["/", "C:\\x", "\\\\host\\x"]) assert.isTrue(accepts({ at }), at)
      for (const at of ["", "x", "~/x", "./x"]) assert.isFalse(accepts({ at }), at)
    }
    assert.isTrue(Schema.is(open("Place"))({ at: "x" }))
  })

  it("takes nothing but objects for an object without members", () => {
    for (const value of ["text", 1, null, [], undefined]) {
      assert.isFalse(Schema.is(open("Empty"))(value))
      assert.isFalse(Schema.is(strict("Empty"))(value))
      assert.isFalse(guards("Empty")(value))
    }
    assert.isTrue(Schema.is(open("Empty"))({ later: 1 }))
    assert.isFalse(Schema.is(strict("Empty"))({ later: 1 }))
    assert.isTrue(Schema.is(strict("Empty"))({}))
  })

  it("lets a peer leave out a required member that may be null, and sends it", () => {
    assert.isTrue(Schema.is(open("Row"))({}))
    assert.isTrue(guards("Row")({}))
    assert.isFalse(Schema.is(strict("Row"))({}))
    assert.isTrue(Schema.is(strict("Row"))({ cell: null }))
  })
})
