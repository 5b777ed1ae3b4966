/**
 * The one place where the Promise door picks a backend.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AgentBackend } from "../../agent/AgentBackend.ts"
import { AgentError, BinaryMissing } from "../../agent/AgentError.ts"
import * as ScriptedBackend from "../../backends/scripted/ScriptedBackend.ts"

/** Which agent runs the turns; `auto` takes the first that is there. */
export type BackendName = "auto" | "codex-app-server" | "pi" | "omp-sdk" | "omp-rpc" | "scripted"

export interface BackendOptions {
  readonly backend: BackendName
  /** The agent's executable, where it has one. */
  readonly agentBin?: string | undefined
}

/** The backend of that name. */
export const backendLayer = ({ agentBin, backend }: BackendOptions): Layer.Layer<AgentBackend, AgentError> =>
  backend === "scripted"
    ? ScriptedBackend.layerDefault
    : Layer.effect(
      AgentBackend,
      Effect.fail(
        new AgentError({
          backend,
          reason: new BinaryMissing({ command: agentBin ?? backend, detail: "this backend is not built in" })
        })
      )
    )
