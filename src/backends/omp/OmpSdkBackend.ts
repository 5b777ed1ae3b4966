/**
 * Oh My Pi as a backend, in this process: on Bun alone.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Path from "effect/Path"
import { AgentBackend } from "../../agent/AgentBackend.ts"
import type { ProcessTable } from "../../transport/ProcessTable.ts"
import * as Backend from "../pi-family/PiBackend.ts"
import * as OmpSdkPorts from "./OmpSdkPorts.ts"

/** omp takes no schema for its answer. What there is of it is loaded when it is first asked for something. */
export const layer = (): Layer.Layer<AgentBackend, never, FileSystem.FileSystem | Path.Path | ProcessTable> =>
  Layer.effect(
    AgentBackend,
    Effect.suspend(() => Backend.make(OmpSdkPorts.make(), { outputSchema: false, sandbox: false }))
  )
