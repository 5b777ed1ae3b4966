/**
 * Pi as a backend, in this process.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Path from "effect/Path"
import { AgentBackend } from "../../agent/AgentBackend.ts"
import type { ProcessTable } from "../../transport/ProcessTable.ts"
import * as Backend from "../pi-family/PiBackend.ts"
import * as PiSdk from "./PiSdk.ts"

/** Pi has no goals of its own, no plans, and takes no schema for its answer. */
export const layer = (
  options: PiSdk.PiSdkOptions = {}
): Layer.Layer<AgentBackend, never, FileSystem.FileSystem | Path.Path | ProcessTable> =>
  Layer.effect(
    AgentBackend,
    Effect.contextWith((machine: Context.Context<FileSystem.FileSystem | Path.Path>) =>
      Backend.make(PiSdk.make(options, machine), { goals: false, plan: false, outputSchema: false, sandbox: false })
    )
  )
