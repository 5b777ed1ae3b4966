/**
 * Oh My Pi in child processes, with everything that needs of Node or Bun.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Layer from "effect/Layer"
import type { AgentBackend } from "../../agent/AgentBackend.ts"
import { ChildRegistry, type ChildRegistryError } from "../../transport/ChildRegistry.ts"
import { ProcessTable } from "../../transport/ProcessTable.ts"
import * as OmpRpcBackend from "./OmpRpcBackend.ts"
import type { OmpOptions } from "./OmpRpcPorts.ts"

export interface OmpNodeOptions extends OmpOptions {
  /** Where running children are on record; by default in the user's directory for state. */
  readonly childrenDirectory?: string | undefined
}

/** Provides the backend on Node or Bun. See `OmpRpcBackend.layer`. */
export const layer = (options: OmpNodeOptions = {}): Layer.Layer<AgentBackend, ChildRegistryError> =>
  OmpRpcBackend.layer(options).pipe(
    Layer.provide(ChildRegistry.layer({ directory: options.childrenDirectory })),
    Layer.provide(ProcessTable.layer),
    Layer.provide(NodeServices.layer)
  )
