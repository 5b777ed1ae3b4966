/**
 * `config/*`: what clients configure.
 */
import * as Effect from "effect/Effect"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import { type BridgeError, refuse, UnknownValue } from "../BridgeError.ts"
import type { HandlersOf } from "../MethodTable.ts"
import { CodexConfig } from "./CodexConfig.ts"
import type { Edit } from "./ConfigEdits.ts"

const strategies = ["replace", "upsert"] as const

const toEdit = ({ keyPath, mergeStrategy, value }: Open.ConfigEdit): Effect.Effect<Edit, BridgeError> => {
  const known = strategies.find((strategy) => strategy === mergeStrategy)
  return known === undefined
    ? Effect.fail(refuse(new UnknownValue({ given: mergeStrategy, known: strategies })))
    : Effect.succeed({ keyPath, value, mergeStrategy: known })
}

type Served = "config/read" | "config/value/write" | "config/batchWrite"

export const handlers = Effect.gen(function*() {
  const config = yield* CodexConfig
  const served: Pick<HandlersOf<"catalog">, Served> = {
    "config/read": ({ includeLayers }) =>
      Effect.map(config.read, ({ config, layers, origins }) => ({
        config,
        origins,
        ...(includeLayers === true ? { layers } : {})
      })),
    "config/value/write": (params) => Effect.flatMap(toEdit(params), (edit) => config.write([edit], params)),
    "config/batchWrite": (params) =>
      Effect.flatMap(Effect.forEach(params.edits, toEdit), (edits) => config.write(edits, params))
  }
  return served
})
