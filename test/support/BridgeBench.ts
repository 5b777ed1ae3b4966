/**
 * A bridge in this process, with a scripted agent behind it, and clients of it over connections in memory.
 *
 * Its home is below a directory of its own, which is the only one that clients may work in.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { AgentBackend } from "../../src/agent/index.ts"
import type { Scenario } from "../../src/backends/scripted/Scenario.ts"
import * as ScriptedBackend from "../../src/backends/scripted/ScriptedBackend.ts"
import * as Bridge from "../../src/bridge/Bridge.ts"
import * as BridgeConfig from "../../src/bridge/BridgeConfig.ts"
import { BridgeServer } from "../../src/bridge/BridgeServer.ts"
import type { Handlers } from "../../src/bridge/ClientConnection.ts"
import * as MemoryTransport from "../../src/transport/MemoryTransport.ts"
import { ProcessTable } from "../../src/transport/ProcessTable.ts"
import type { ServerTransport } from "../../src/transport/ServerTransport.ts"
import type { TransportError } from "../../src/transport/TransportError.ts"
import { initializeParams } from "./WireClient.ts"
import * as WireClient from "./WireClient.ts"

export { initializeParams, type Message } from "./WireClient.ts"

export interface Client extends WireClient.WireClient {
  readonly transport: MemoryTransport.MemoryTransport
  /** What the server disconnected this client with. */
  readonly disconnected: ReadonlyArray<readonly [detail: string, closeCode: number]>
  /** Waits until the server has seen the end of the connection. */
  readonly ended: Effect.Effect<TransportError>
  /** Leaves, and waits until the server has noticed. */
  readonly leave: Effect.Effect<TransportError>
}

export interface ConnectOptions extends WireClient.InitializeOptions {
  /** Does not say `initialize`. */
  readonly silent?: boolean
  /** Does not read what it is sent. */
  readonly deaf?: boolean
}

export class BridgeBench extends Context.Service<BridgeBench, {
  /** The directory that everything is below. */
  readonly root: string
  readonly settings: BridgeConfig.Settings
  readonly connect: (options?: ConnectOptions) => Effect.Effect<Client, never, Scope.Scope>
}>()("effect-codex-bridge/test/support/BridgeBench") {}

export interface Options {
  readonly scenario?: Scenario
  readonly limits?: Partial<BridgeConfig.Limits>
  readonly settings?: Partial<BridgeConfig.Settings>
  readonly handlers?: Handlers
  readonly notice?: string
  /** Whether clients may run commands themselves; true by default. */
  readonly commands?: boolean
  /** In place of the scripted agent. */
  readonly backend?: Layer.Layer<AgentBackend>
  /** In place of both: an agent that is still looked for. */
  readonly coming?: Effect.Effect<Bridge.Agent>
}

const connectTo = (bridge: BridgeServer["Service"], scope: Scope.Scope) =>
  Effect.fnUntraced(function*(options: ConnectOptions = {}): Effect.fn.Return<Client, never, Scope.Scope> {
    const [near, far] = yield* MemoryTransport.pair
    const runFork = Effect.runForkWith(yield* Effect.context<never>())
    const disconnected: Array<readonly [detail: string, closeCode: number]> = []
    const transport: ServerTransport = {
      ...near,
      disconnect: (detail, closeCode) => {
        // The first reason counts.
        if (disconnected.length > 0) return
        disconnected.push([detail, closeCode])
        runFork(near.close)
      }
    }
    const ended = yield* Deferred.make<TransportError>()
    yield* Effect.scoped(bridge.serve(transport)).pipe(
      Effect.flatMap((error) => Deferred.succeed(ended, error)),
      Effect.forkIn(scope)
    )

    const wire = yield* WireClient.make(far, { deaf: options.deaf === true })
    const client: Client = {
      ...wire,
      transport: far,
      disconnected,
      ended: Deferred.await(ended),
      leave: Effect.andThen(far.close, Deferred.await(ended))
    }
    if (options.silent !== true && options.deaf !== true) {
      yield* client.initialize(options)
    } else if (options.deaf === true) {
      yield* client.say({ id: "i", method: "initialize", params: initializeParams(options) })
    }
    return client
  })

/** A bridge of its own. */
export const make = Effect.fnUntraced(function*(options: Options = {}) {
  const fs = yield* FileSystem.FileSystem
  const root = yield* fs.makeTempDirectoryScoped({ prefix: "bridge-" }).pipe(Effect.flatMap(fs.realPath))
  const settings = BridgeConfig.make(`${root}/home`, {
    workspace: { roots: [root], writes: true, commands: options.commands ?? true },
    ...options.settings,
    limits: { ...BridgeConfig.defaultLimits, ...options.limits }
  })
  yield* fs.makeDirectory(settings.codexHome)
  const backend = options.backend ?? ScriptedBackend.layer(options.scenario ?? {})
  const scope = yield* Effect.scope
  const bridge = yield* Layer.build(
    Layer.fresh(
      options.coming === undefined
        ? Layer.provide(Bridge.layer({ notice: options.notice, handlers: options.handlers }), backend)
        : Bridge.layerComing(options.coming, options.handlers)
    ).pipe(
      Layer.provide(BridgeConfig.layerOf(settings)),
      Layer.provide(ProcessTable.layer)
    )
  )
  return BridgeBench.of({ root, settings, connect: connectTo(Context.get(bridge, BridgeServer), scope) })
})

export const layer = (options?: Options): Layer.Layer<BridgeBench, unknown> =>
  Layer.effect(BridgeBench, make(options)).pipe(Layer.provide(NodeServices.layer))
