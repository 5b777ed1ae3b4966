/**
 * An agent of this family as a backend.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import {
  type AgentBackend,
  type Capabilities,
  everyCapability,
  type SessionDefaults
} from "../../agent/AgentBackend.ts"
import { ProcessTable } from "../../transport/ProcessTable.ts"
import * as PiSession from "./PiSession.ts"
import type { Ports } from "./Port.ts"

/** What an agent lacks, of everything. */
export type Lacks = { readonly [K in keyof Capabilities]?: false }

/**
 * What threads begin with whose clients name nothing. By themselves these agents ask for nothing; who shows people what
 * an agent may do has it asked.
 */
const defaults: SessionDefaults = {
  approvalPolicy: "on-request",
  confinement: {
    mode: "workspace-write",
    writableRoots: [],
    networkAccess: true,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false
  }
}

type Machine = FileSystem.FileSystem | Path.Path | ProcessTable

export const make = (ports: Ports, lacks: Lacks): Effect.Effect<AgentBackend["Service"], never, Machine> =>
  Effect.contextWith((context: Context.Context<Machine>) => {
    // These alone: a session has a scope of its own.
    const machine = Context.pick(FileSystem.FileSystem, Path.Path, ProcessTable)(context)
    return Effect.succeed({
      id: ports.backend,
      capabilities: { ...everyCapability, ...lacks },
      openSession: (options) => Effect.provide(PiSession.open(ports, options), machine),
      listModels: ports.listModels,
      sessionDefaults: () => Effect.succeed(defaults),
      probe: ports.probe
    })
  })
