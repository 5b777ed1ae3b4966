/**
 * Oh My Pi as a backend, in a child process.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Path from "effect/Path"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import { AgentBackend } from "../../agent/AgentBackend.ts"
import type { ChildRegistry } from "../../transport/ChildRegistry.ts"
import type { ProcessTable } from "../../transport/ProcessTable.ts"
import * as Backend from "../pi-family/PiBackend.ts"
import * as OmpRpcPorts from "./OmpRpcPorts.ts"

type Machine = ChildProcessSpawner | ChildRegistry | FileSystem.FileSystem | Path.Path | ProcessTable

/** The RPC of omp has no goals, and omp takes no schema for its answer. */
export const layer = (options: OmpRpcPorts.OmpOptions = {}): Layer.Layer<AgentBackend, never, Machine> =>
  Layer.effect(
    AgentBackend,
    Effect.flatMap(OmpRpcPorts.make(options), (ports) =>
      Backend.make(ports, { goals: false, outputSchema: false, sandbox: false }))
  )
