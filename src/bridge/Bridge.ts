/**
 * The bridge in one layer: what it needs is an agent, its settings, and a machine.
 */
import * as Effect from "effect/Effect"
import type { FileSystem } from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type { Path } from "effect/Path"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import { join } from "node:path"
import type { AgentBackend } from "../agent/AgentBackend.ts"
import type { ProcessTable } from "../transport/ProcessTable.ts"
import { BridgeConfig } from "./BridgeConfig.ts"
import * as BridgeServer from "./BridgeServer.ts"
import * as CodexConfig from "./catalog/CodexConfig.ts"
import { Clients } from "./Clients.ts"
import type { StoreError } from "./store/StoreError.ts"
import { ThreadStore } from "./store/ThreadStore.ts"
import * as Threads from "./threads/Threads.ts"

type Machine = ChildProcessSpawner | FileSystem | Path | ProcessTable

const store: Layer.Layer<ThreadStore, StoreError, BridgeConfig | FileSystem | Path | ProcessTable> = Layer.unwrap(
  Effect.map(BridgeConfig, ({ stateDirectory }) => ThreadStore.layer({ path: join(stateDirectory, "threads.sqlite") }))
)

/**
 * Everything that clients are served with. The store is opened, and what a dead process has left running is ended, when
 * the layer is built; turns that run are interrupted and stored when it closes.
 */
export const layer = (
  options: BridgeServer.Options = {}
): Layer.Layer<BridgeServer.BridgeServer, StoreError, AgentBackend | BridgeConfig | Machine> =>
  BridgeServer.layer(options).pipe(
    Layer.provide(Threads.layer),
    Layer.provide([store, CodexConfig.layer, Clients.layer])
  )
