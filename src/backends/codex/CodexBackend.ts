/**
 * The backend that runs turns on the real `codex app-server`.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Path from "effect/Path"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import { join } from "node:path"
import { AgentBackend, everyCapability, type ModelInfo, type SessionOptions } from "../../agent/AgentBackend.ts"
import { NotConfigured } from "../../agent/AgentError.ts"
import type { ChildRegistry } from "../../transport/ChildRegistry.ts"
import { AppServer } from "./AppServer.ts"
import type { CodexOptions } from "./CodexOptions.ts"
import * as CodexSession from "./CodexSession.ts"
import * as Defaults from "./internal/Defaults.ts"
import { agentError, backendId, fromPeerError } from "./internal/Errors.ts"

/** Pages of models that are read; codex has one. */
const modelPages = 16

const make = Effect.gen(function*() {
  const server = yield* AppServer

  const listModels = Effect.gen(function*() {
    const connection = yield* server.lease({ experimental: false })
    // Stronger than the default of codex's own list; it need not be in the list.
    const { config: { model: configured } } = yield* connection.request("config/read", {})
    const models: Array<ModelInfo> = []
    let cursor: string | undefined
    for (let page = 0; page < modelPages; page++) {
      const { data, nextCursor } = yield* connection.request("model/list", cursor === undefined ? {} : { cursor })
      for (const model of data) {
        models.push({
          id: model.model,
          name: model.displayName,
          description: model.description,
          isDefault: configured == null ? model.isDefault : model.model === configured,
          defaultEffort: model.defaultReasoningEffort,
          efforts: model.supportedReasoningEfforts.map((option) => option.reasoningEffort)
        })
      }
      if (nextCursor == null) break
      cursor = nextCursor
    }
    if (configured != null && !models.some(({ isDefault }) => isDefault)) {
      models.unshift({ id: configured, name: configured, description: "", isDefault: true, efforts: [] })
    }
    return models
  }).pipe(
    Effect.catchTag("PeerError", (error) => Effect.fail(agentError(fromPeerError(error)))),
    Effect.scoped
  )

  const sessionDefaults = Effect.fnUntraced(
    function*({ cwd }: Pick<SessionOptions, "cwd">) {
      const connection = yield* server.lease({ experimental: false })
      // The directory may have a configuration of its own.
      const { config } = yield* connection.request("config/read", cwd === undefined ? {} : { cwd })
      const isRepository = (directory: string) =>
        Effect.isSuccess(connection.request("fs/getMetadata", { path: join(directory, ".git") }))
      const root = cwd === undefined
        ? Option.none()
        : yield* Effect.findFirst(Defaults.possibleRoots(config, cwd), isRepository)
      return Defaults.sessionDefaults(config, { cwd, root: Option.getOrUndefined(root) })
    },
    Effect.catchTag("PeerError", (error) => Effect.fail(agentError(fromPeerError(error)))),
    Effect.scoped
  )

  const probe = Effect.gen(function*() {
    const connection = yield* server.lease({ experimental: false })
    const { account, requiresOpenaiAuth } = yield* connection.request("account/read", {})
    if (account == null && requiresOpenaiAuth) {
      return yield* agentError(
        new NotConfigured({ detail: "codex is not logged in, and its configuration names no other model provider" })
      )
    }
    const { version } = connection
    const access = account == null ? "a model provider that needs no login" : `a login (${String(account.type)})`
    return { version, detail: `codex ${version} with ${access}` }
  }).pipe(
    Effect.catchTag("PeerError", (error) => Effect.fail(agentError(fromPeerError(error)))),
    Effect.scoped
  )

  return AgentBackend.of({
    id: backendId,
    capabilities: everyCapability,
    openSession: (options) => CodexSession.open(options).pipe(Effect.provideService(AppServer, server)),
    listModels,
    sessionDefaults,
    probe
  })
})

/** Provides the backend over a given server. */
export const layerAppServer: Layer.Layer<AgentBackend, never, AppServer> = Layer.effect(AgentBackend, make)

/**
 * Provides the backend. Codex is started with the first session, model list or probe, and ends with the layer.
 */
export const layer = (
  options: CodexOptions = {}
): Layer.Layer<AgentBackend, never, ChildProcessSpawner | ChildRegistry | FileSystem.FileSystem | Path.Path> =>
  Layer.provide(layerAppServer, AppServer.layer(options))
