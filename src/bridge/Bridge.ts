/**
 * The bridge in one layer: what it needs is an agent, its settings, and a machine.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { FileSystem } from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type { Path } from "effect/Path"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import type * as Scope from "effect/Scope"
import { join } from "node:path"
import { AgentBackend } from "../agent/AgentBackend.ts"
import type { ProcessTable } from "../transport/ProcessTable.ts"
import { BridgeConfig } from "./BridgeConfig.ts"
import * as BridgeServer from "./BridgeServer.ts"
import * as CodexConfig from "./catalog/CodexConfig.ts"
import type { Handlers } from "./ClientConnection.ts"
import { Clients } from "./Clients.ts"
import type { StoreError } from "./store/StoreError.ts"
import { ThreadStore } from "./store/ThreadStore.ts"
import * as Threads from "./threads/Threads.ts"

type Machine = ChildProcessSpawner | FileSystem | Path | ProcessTable

const store: Layer.Layer<ThreadStore, StoreError, BridgeConfig | FileSystem | Path | ProcessTable> = Layer.unwrap(
  Effect.map(BridgeConfig, ({ stateDirectory }) => ThreadStore.layer({ path: join(stateDirectory, "threads.sqlite") }))
)

/** The agent behind a bridge. */
export interface Agent {
  readonly backend: AgentBackend["Service"]
  /** What every client is told when it connects, e.g. that there is no real agent. */
  readonly notice?: string | undefined
}

export interface Options {
  /** What every client is told when it connects. */
  readonly notice?: string | undefined
  /** Handlers in place of the built-in ones, or besides them. */
  readonly handlers?: Handlers | undefined
}

type Inside = BridgeConfig | Clients | Machine | ThreadStore

/** What there is once the agent is known. */
const inside = Effect.fnUntraced(function*(
  { backend, notice }: Agent,
  handlers: Handlers | undefined
): Effect.fn.Return<BridgeServer.Inside, never, Inside | Scope.Scope> {
  const agents = Layer.merge(Threads.layer, CodexConfig.layer).pipe(
    Layer.provideMerge(Layer.succeed(AgentBackend, backend))
  )
  return yield* Effect.provide(BridgeServer.inside(notice, handlers), yield* Layer.build(agents))
})

const over = (server: Layer.Layer<BridgeServer.BridgeServer, never, Inside>) =>
  Layer.provide(server, [store, Clients.layer])

/**
 * Everything that clients are served with. The store is opened, and what a dead process has left running is ended, when
 * the layer is built; turns that run are interrupted and stored when it closes.
 */
export const layer = (
  { handlers, notice }: Options = {}
): Layer.Layer<BridgeServer.BridgeServer, StoreError, AgentBackend | BridgeConfig | Machine> =>
  Layer.unwrap(Effect.map(AgentBackend, (backend) =>
    over(Layer.effect(
      BridgeServer.BridgeServer,
      Effect.flatMap(inside({ backend, notice }, handlers), (inside) => BridgeServer.make(Effect.succeed(inside)))
    ))))

/**
 * {@link layer} before an agent that is still looked for: clients are greeted at once, and their requests wait for it.
 */
export const layerComing = (
  agent: Effect.Effect<Agent>,
  handlers?: Handlers
): Layer.Layer<BridgeServer.BridgeServer, StoreError, BridgeConfig | Machine> =>
  over(Layer.effect(
    BridgeServer.BridgeServer,
    Effect.gen(function*() {
      const coming = yield* agent.pipe(
        Effect.flatMap((agent) => inside(agent, handlers)),
        Effect.tapCause((cause) => Effect.logError("Nothing can be served", cause)),
        Effect.forkScoped
      )
      return yield* BridgeServer.make(Fiber.join(coming))
    })
  ))
