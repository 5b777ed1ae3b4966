import { assert, describe, it } from "@effect/vitest"
import * as Toml from "effect/encoding/Toml"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as CodexConfig from "../../../src/bridge/catalog/CodexConfig.ts"
import { apply, applyAll, leafKeys, overlay } from "../../../src/bridge/catalog/ConfigEdits.ts"
import * as KeyPath from "../../../src/bridge/catalog/KeyPath.ts"
import * as TomlText from "../../../src/bridge/catalog/TomlText.ts"

const Scalar = Schema.Union([Schema.String, Schema.Boolean, Schema.Int])
const Value = Schema.Union([Scalar, Schema.Array(Scalar), Schema.Record(Schema.String, Scalar)])
const Inner = Schema.Record(Schema.NonEmptyString, Schema.Union([Value, Schema.Array(Value)]))
const Table = Schema.Record(Schema.NonEmptyString, Schema.Union([Value, Inner]))

const success = <A, E>(result: Result.Result<A, E>): A => Result.isSuccess(result) ? result.success : assert.fail()

const same = (actual: unknown, expected: unknown) =>
  assert.strictEqual(TomlText.canonical(actual), TomlText.canonical(expected))

const quoted = (name: string): string => `"${name.replaceAll(/["\\]/gu, "\\$&")}"`

describe("KeyPath", () => {
  it.prop(
    "any names can be said in quotes",
    [Schema.NonEmptyArray(Schema.NonEmptyString)],
    ([names]) => assert.deepStrictEqual(success(KeyPath.parse(names.map(quoted).join("."))), names)
  )

  it.prop("never throws, and has no empty names", [Schema.String], ([text]) => {
    const parsed = KeyPath.parse(text)
    if (Result.isSuccess(parsed)) assert.isTrue(parsed.success.length > 0 && !parsed.success.includes(""))
  })
})

describe("edits", () => {
  it.prop(
    "what was set is there, and nothing else has changed",
    [Table, Schema.NonEmptyString, Value],
    ([table, key, value]) => {
      const edited = success(apply(table, { keyPath: quoted(key), value, mergeStrategy: "replace" }))
      same(edited, Object.fromEntries([...Object.entries(table), [key, value]]))
    }
  )

  it.prop("null takes out what was set", [Table, Schema.NonEmptyString, Value], ([table, key, value]) => {
    const path = `${quoted(key)}.${quoted(key)}`
    const bare = success(apply(table, { keyPath: quoted(key), value: null, mergeStrategy: "replace" }))
    const edited = success(apply(bare, { keyPath: path, value, mergeStrategy: "replace" }))
    const back = success(apply(edited, { keyPath: path, value: null, mergeStrategy: "replace" }))
    same(back, Object.fromEntries([...Object.entries(bare), [key, {}]]))
  })

  it.prop("an upsert keeps what it does not name", [Table, Table], ([table, more]) => {
    const base = { x: table }
    const edited = success(apply(base, { keyPath: "x", value: more, mergeStrategy: "upsert" }))
    same(edited, { x: overlay(table, more) })
    const names = Object.keys(Object(edited["x"]))
    assert.sameMembers(names, [...new Set([...Object.keys(table), ...Object.keys(more)])])
  })

  it("the first edit that fails fails all", () => {
    const edits = [
      { keyPath: "a", value: "b", mergeStrategy: "replace" },
      { keyPath: "a.b", value: "c", mergeStrategy: "replace" }
    ] as const
    assert.isTrue(Result.isFailure(applyAll({}, edits)))
  })

  it("does not reach into prototypes", () => {
    const edited = success(apply({}, { keyPath: "__proto__.polluted", value: true, mergeStrategy: "replace" }))
    const merged = success(
      apply(edited, { keyPath: "x", value: JSON.parse("{\"__proto__\":{\"polluted\":true}}"), mergeStrategy: "upsert" })
    )
    assert.isUndefined(Reflect.get({}, "polluted"))
    assert.isTrue(Object.hasOwn(edited, "__proto__"))
    assert.deepStrictEqual(leafKeys(merged), ["__proto__.polluted", "x.__proto__.polluted"])
  })
})

describe("TomlText", () => {
  // Numbers that TOML reads are JSON numbers; a lone surrogate is no text in TOML.
  it.prop("is read as what was written", [Table], ([table]) => {
    const wellFormed = JSON.stringify(table).isWellFormed() && !/\\ud[89a-f]/u.test(JSON.stringify(table))
    if (wellFormed) {
      assert.strictEqual(TomlText.canonical(success(Toml.parse(TomlText.encode(table)))), TomlText.canonical(table))
    }
  })

  it("writes a file that people can read", () => {
    const text = TomlText.encode({
      model: "m",
      list: [{ a: 1 }, 2.5, true],
      projects: { "/tmp/x.y": { trust_level: "trusted" } },
      empty: {},
      control: "\u007f\u0001\n"
    })
    assert.strictEqual(
      text,
      [
        "model = \"m\"",
        "list = [{ a = 1 }, 2.5, true]",
        "control = \"\\u007f\\u0001\\n\"",
        "",
        "[projects.\"/tmp/x.y\"]",
        "trust_level = \"trusted\"",
        "",
        "[empty]",
        ""
      ].join("\n")
    )
  })

  it("versions are those of codex", () => {
    // As the real server gave them for an empty layer and for this one.
    assert.strictEqual(
      CodexConfig.versionOf({}),
      "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    )
    const table = {
      model: "gpt-5.5",
      model_provider: "fake",
      check_for_update_on_startup: false,
      model_providers: {
        fake: {
          name: "Fake local",
          base_url: "http://127.0.0.1:9/v1",
          wire_api: "responses",
          requires_openai_auth: false
        }
      },
      analytics: { enabled: false },
      feedback: { enabled: false },
      features: { plugins: false, apps: false, remote_plugin: false }
    }
    assert.strictEqual(
      CodexConfig.versionOf(table),
      "sha256:d6ae41e72c753b65666cef48ea8b1d4da38d1321bd586eb67cdc03874a52cee6"
    )
  })
})
