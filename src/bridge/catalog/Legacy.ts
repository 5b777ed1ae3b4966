/**
 * Requests that codex 0.171 still answers and no longer has in its schema. Their params come as they were sent.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import * as Predicate from "effect/Predicate"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Methods from "../../protocol/Methods.ts"
import { BridgeConfig } from "../BridgeConfig.ts"
import { type BridgeError, InvalidRequest, NotSupported, refuse } from "../BridgeError.ts"
import * as WorkspaceAccess from "../workspace/WorkspaceAccess.ts"
import { gitDiffToRemote } from "./GitDiff.ts"

export type LegacyHandler = (params: unknown) => Effect.Effect<unknown, BridgeError>

export type LegacyMethod = typeof Methods.legacyMethods[number]

/** Whether a method is one of them. */
export const isLegacyMethod = (method: string): method is LegacyMethod =>
  Methods.legacyMethods.some((known) => known === method)

const invalid = (message: string): BridgeError => refuse(new InvalidRequest({ message }))

/** By method. A request without params is refused before: codex wants `{}` at least. */
export const legacyHandlers: Effect.Effect<
  Readonly<Record<LegacyMethod, LegacyHandler>>,
  never,
  BridgeConfig | ChildProcessSpawner | FileSystem.FileSystem | Path.Path
> = Effect.gen(function*() {
  const { workspace } = yield* BridgeConfig
  const spawner = yield* ChildProcessSpawner
  const access = yield* WorkspaceAccess.make(workspace)
  return {
    // As for `account/read`: codex has no method to tell for an account of Bedrock either.
    getAuthStatus: () => Effect.succeed({ authMethod: null, authToken: null, requiresOpenaiAuth: false }),
    getConversationSummary: () =>
      Effect.fail(refuse(new NotSupported({ message: "Rollout files are codex's own: use thread/read." }))),
    gitDiffToRemote: Effect.fnUntraced(function*(params) {
      if (!Predicate.hasProperty(params, "cwd") || !Predicate.isString(params.cwd)) {
        return yield* invalid("Invalid request: missing field `cwd`")
      }
      const { cwd } = params
      const directory = yield* access.directory(cwd)
      const diff = yield* Effect.provideService(gitDiffToRemote(directory), ChildProcessSpawner, spawner)
      return yield* Effect.mapError(
        Effect.fromOption(diff),
        () => invalid(`failed to compute git diff to remote for cwd: ${JSON.stringify(cwd)}`)
      )
    })
  }
})
