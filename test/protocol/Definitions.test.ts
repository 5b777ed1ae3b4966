import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import * as Definitions from "../../src/protocol/Definitions.ts"
import {
  clientNotifications,
  clientRequests,
  serverNotifications,
  serverRequests
} from "../../src/protocol/generated/MethodTable.ts"
import { strictOptions } from "../../src/protocol/internal/Dialect.ts"
import { experimentalFields, experimentalMethods } from "../../src/protocol/internal/Experimental.ts"
import * as Methods from "../../src/protocol/Methods.ts"
import * as SchemaExport from "../../src/protocol/SchemaExport.ts"
import { codexBin } from "./support/codex.ts"
import { damage, overTheWire } from "./support/json.ts"

const tables = { clientRequests, serverRequests, serverNotifications, clientNotifications }
const envelopes = ["clientRequests", "serverRequests", "serverNotifications", "clientNotifications"] as const

/** On the wire and in no export. */
const unexported = ["rawResponse/completed", "rawResponseItem/completed"]

const samples = (schema: Schema.Codec<unknown>, seed: number, count: number) =>
  Arbitrary.sampleEffect(Arbitrary.schema(schema), { count, seed })

describe("Definitions", () => {
  it.effect("is what the generator writes for the pinned binary: every definition, method and experimental member", () =>
    Effect.gen(function*() {
      const exported = yield* SchemaExport.read({ codexBin })
      assert.deepStrictEqual(exported.unsupported, [])
      assert.deepStrictEqual(
        Object.keys(exported.definitions).filter((name) => !Definitions.names.some((known) => known === name)),
        []
      )
      for (const name of Definitions.names) {
        if (name in exported.definitions) assert.deepStrictEqual(Definitions.shape(name), exported.definitions[name])
      }
      const stable = yield* SchemaExport.read({ codexBin, experimental: false })
      assert.deepStrictEqual([...Methods.experimentalMethods], experimentalMethods(stable, exported))
      assert.deepStrictEqual(Methods.experimentalFields, experimentalFields(stable, exported))
      for (const envelope of envelopes) {
        const generated = Object.fromEntries(
          Object.entries(tables[envelope]).filter(([method]) => !unexported.includes(method))
        )
        assert.deepStrictEqual(generated, exported[envelope])
      }
      for (const { params, result } of envelopes.flatMap((envelope) => Object.values(tables[envelope]))) {
        for (const name of [params, result]) {
          if (name !== undefined) assert.doesNotThrow(() => Definitions.schema("open", name))
        }
      }
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect(
    "builds every schema in both dialects, and what fits the strict one fits the open one",
    () =>
      Effect.gen(function*() {
        for (const name of Definitions.names) {
          const strict = Definitions.schema("strict", name)
          const decode = SchemaParser.decodeUnknownResult(strict, strictOptions)
          const fits = Schema.is(Definitions.schema("open", name))
          for (const sample of yield* samples(strict, 1, 4)) {
            const value = overTheWire(sample)
            assert.strictEqual(decode(value)._tag, "Success", name)
            assert.isTrue(fits(value), name)
          }
        }
      }),
    60_000
  )

  it.effect.each(["open", "request"] as const)(
    "the quick guard never accepts what the %s schema refuses, and accepts nearly everything that fits",
    (dialect) =>
      Effect.gen(function*() {
        let accepted = 0
        let fitting = 0
        let refused = 0
        for (const [index, name] of Definitions.names.entries()) {
          const fits = Schema.is(Definitions.schema(dialect, name))
          const guard = Definitions.guard(dialect, name)
          for (const sample of yield* samples(Definitions.schema("strict", name), index, 3)) {
            const value = overTheWire(sample)
            fitting++
            if (guard(value)) accepted++
            for (let round = 0; round < 11; round++) {
              const changed = damage(value, index + round * 7, round)
              if (!fits(changed)) refused++
              if (guard(changed)) assert.isTrue(fits(changed), `${name}: ${JSON.stringify(changed)}`)
            }
          }
        }
        assert.isAbove(refused, 1000)
        assert.isAbove(accepted / fitting, 0.9)
      }),
    60_000
  )
})
