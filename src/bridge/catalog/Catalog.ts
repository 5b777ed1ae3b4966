/**
 * What clients ask before and around their threads: account, models, configuration, modes, features, and the lists of
 * what this server has none of.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { AgentBackend } from "../../agent/AgentBackend.ts"
import type { BridgeConfig } from "../BridgeConfig.ts"
import type { HandlersOf } from "../MethodTable.ts"
import * as Accounts from "./Accounts.ts"
import type { CodexConfig } from "./CodexConfig.ts"
import * as ConfigMethods from "./ConfigMethods.ts"
import * as Lists from "./Lists.ts"
import * as Models from "./Models.ts"
import * as Server from "./Server.ts"

/** All handlers of the catalogue. */
export const handlers: Effect.Effect<
  HandlersOf<"catalog">,
  never,
  AgentBackend | BridgeConfig | CodexConfig | FileSystem.FileSystem | Path.Path
> = Effect.gen(function*() {
  return {
    ...(yield* Accounts.handlers),
    ...(yield* ConfigMethods.handlers),
    ...(yield* Lists.handlers),
    ...(yield* Models.handlers),
    ...(yield* Server.handlers)
  }
})
