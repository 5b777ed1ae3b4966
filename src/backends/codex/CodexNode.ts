/**
 * The codex backend with everything it needs of Node or Bun.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Layer from "effect/Layer"
import type { AgentBackend } from "../../agent/AgentBackend.ts"
import { ChildRegistry, type ChildRegistryError } from "../../transport/ChildRegistry.ts"
import { ProcessTable } from "../../transport/ProcessTable.ts"
import * as CodexBackend from "./CodexBackend.ts"
import type { CodexOptions } from "./CodexOptions.ts"

export interface CodexNodeOptions extends CodexOptions {
  /** Where running children are on record; by default in the user's directory for state. */
  readonly childrenDirectory?: string | undefined
}

/** Provides the backend on Node or Bun. See `CodexBackend.layer`. */
export const layer = (options: CodexNodeOptions = {}): Layer.Layer<AgentBackend, ChildRegistryError> =>
  CodexBackend.layer(options).pipe(
    Layer.provide(ChildRegistry.layer({ directory: options.childrenDirectory })),
    Layer.provide(ProcessTable.layer),
    Layer.provide(NodeServices.layer)
  )
