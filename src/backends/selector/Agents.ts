/**
 * The agents that there are: whether one can be here at all, how it is made, and what else it takes.
 *
 * An agent's modules are loaded when it is made: starting one must not cost the time of loading the others.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Path from "effect/Path"
import type * as Scope from "effect/Scope"
import { AgentBackend } from "../../agent/AgentBackend.ts"
import { AgentError, BinaryMissing, NotConfigured } from "../../agent/AgentError.ts"
import type { ProcessTable } from "../../transport/ProcessTable.ts"
import type { CodexNodeOptions } from "../codex/CodexNode.ts"
import type { OmpNodeOptions } from "../omp/OmpNode.ts"
import type { PiSdkOptions } from "../pi/PiSdk.ts"
import type { AgentName } from "./BackendName.ts"
import * as CodexProvider from "./CodexProvider.ts"
import type { Candidate } from "./Selection.ts"

/** How agents are made. */
export interface AgentOptions {
  /** The executable of the agent that has one. */
  readonly agentBin?: string | undefined
  /** A JSON file that says what the scripted agent does; see `Scenario`. */
  readonly scenario?: string | undefined
  /** The model provider that sessions will name. */
  readonly provider?: string | undefined
  readonly codex?: CodexNodeOptions | undefined
  /** For omp in a child process. */
  readonly omp?: OmpNodeOptions | undefined
  readonly pi?: PiSdkOptions | undefined
}

type Service = AgentBackend["Service"]

/** One of the agents. */
export interface Agent {
  readonly name: AgentName
  /** Why it certainly runs no turn here. Starts nothing, and leaves no trace of having looked. */
  readonly unfit: (
    options: AgentOptions
  ) => Effect.Effect<string | undefined, never, FileSystem.FileSystem | Path.Path>
  /** It and all that it starts end with the scope. */
  readonly make: (options: AgentOptions) => Effect.Effect<Service, AgentError, Scope.Scope>
  /** What is left to find out when it is there. */
  readonly look: (backend: Service, options: AgentOptions) => Effect.Effect<Omit<Candidate, "backend">>
}

const build = (
  name: AgentName,
  layer: Layer.Layer<AgentBackend, AgentError | { readonly message: string }>
): Effect.Effect<Service, AgentError, Scope.Scope> =>
  Layer.build(layer).pipe(
    Effect.map((context) => Context.get(context, AgentBackend)),
    Effect.mapError((error) =>
      error instanceof AgentError
        ? error
        : new AgentError({ backend: name, reason: new NotConfigured({ detail: error.message }) })
    )
  )

const nodeServices = Effect.promise(() => import("@effect/platform-node/NodeServices"))
const processTable = Effect.promise(() => import("../../transport/ProcessTable.ts"))

/** An agent that is loaded into this process from a package that may not be there. */
const buildLoaded = Effect.fnUntraced(function*(
  name: AgentName,
  packageName: string | undefined,
  layer: Layer.Layer<AgentBackend, never, FileSystem.FileSystem | Path.Path | ProcessTable>
) {
  const [NodeServices, { ProcessTable }] = yield* Effect.all([nodeServices, processTable])
  const { isInstalled } = yield* Effect.promise(() => import("../pi-family/Installed.ts"))
  if (packageName !== undefined && !(yield* Effect.provide(isInstalled(packageName), NodeServices.layer))) {
    const detail = `npm install ${packageName} installs it`
    return yield* new AgentError({ backend: name, reason: new BinaryMissing({ command: packageName, detail }) })
  }
  return yield* build(name, layer.pipe(Layer.provide(ProcessTable.layer), Layer.provide(NodeServices.layer)))
})

/** Whether it can, turns out when it is used: looking closer would start it. */
const trusted = (detail: string) => () => Effect.succeed({ suitable: true, detail })

const codex: Agent = {
  name: "codex-app-server",
  unfit: Effect.fnUntraced(function*({ codex = {}, provider }) {
    if (provider !== undefined) {
      const unknown = yield* CodexProvider.unknown(provider, codex)
      if (unknown !== undefined || !CodexProvider.needsAccount(provider)) return unknown
    }
    const { unconfiguredHome } = yield* Effect.promise(() => import("../codex/Configuration.ts"))
    const home = yield* unconfiguredHome(codex)
    return home === undefined ? undefined : `no login and no configuration in ${home}`
  }),
  make: Effect.fnUntraced(function*({ agentBin, codex = {} }) {
    const { layer } = yield* Effect.promise(() => import("../codex/CodexNode.ts"))
    const backend = yield* build("codex-app-server", layer({ ...codex, command: agentBin ?? codex.command }))
    return {
      ...backend,
      openSession: (session) => backend.openSession({ ...session, provider: CodexProvider.nameOf(session.provider) })
    }
  }),
  look: (backend, { provider }) =>
    backend.probe.pipe(
      Effect.map(({ detail }) => ({ suitable: true, detail })),
      Effect.catch((error) => {
        const isOwn = provider !== undefined && !CodexProvider.needsAccount(provider)
        return Effect.succeed(
          isOwn && error.reason._tag === "NotConfigured"
            ? { suitable: true, detail: `codex with the provider ${provider}` }
            : { suitable: false, detail: error.message }
        )
      })
    )
}

const ompSdk: Agent = {
  name: "omp-sdk",
  unfit: Effect.fnUntraced(function*() {
    const { unfitSdk } = yield* Effect.promise(() => import("../omp/Configuration.ts"))
    return yield* unfitSdk()
  }),
  make: Effect.fnUntraced(function*() {
    const { layer } = yield* Effect.promise(() => import("../omp/OmpSdkBackend.ts"))
    // Elsewhere it is not the package that is missing, and it says so itself.
    const packageName = process.versions["bun"] === undefined ? undefined : "@oh-my-pi/pi-coding-agent"
    return yield* buildLoaded("omp-sdk", packageName, layer())
  }),
  look: trusted("omp in this process, which is Bun")
}

const ompRpc: Agent = {
  name: "omp-rpc",
  unfit: Effect.fnUntraced(function*({ agentBin, omp = {} }) {
    const { unfitRpc } = yield* Effect.promise(() => import("../omp/Configuration.ts"))
    return yield* unfitRpc({ ...omp, command: agentBin ?? omp.command })
  }),
  make: Effect.fnUntraced(function*({ agentBin, omp = {} }) {
    const { layer } = yield* Effect.promise(() => import("../omp/OmpNode.ts"))
    return yield* build("omp-rpc", layer({ ...omp, command: agentBin ?? omp.command }))
  }),
  look: trusted("omp in a process of its own for each session")
}

const pi: Agent = {
  name: "pi",
  unfit: Effect.fnUntraced(function*({ pi }) {
    const { unfit } = yield* Effect.promise(() => import("../pi/Configuration.ts"))
    return yield* unfit(pi)
  }),
  make: Effect.fnUntraced(function*({ pi }) {
    const { layer } = yield* Effect.promise(() => import("../pi/PiBackend.ts"))
    return yield* buildLoaded("pi", "@mariozechner/pi-coding-agent", layer(pi))
  }),
  look: trusted("Pi in this process")
}

const scripted: Agent = {
  name: "scripted",
  unfit: () => Effect.undefined,
  make: Effect.fnUntraced(function*({ scenario }) {
    const { layer, layerDefault } = yield* Effect.promise(() => import("../scripted/ScriptedBackend.ts"))
    if (scenario === undefined) return yield* build("scripted", layerDefault)
    const { read } = yield* Effect.promise(() => import("../scripted/ScenarioFile.ts"))
    const NodeServices = yield* nodeServices
    return yield* build("scripted", layer(yield* Effect.provide(read(scenario), NodeServices.layer)))
  }),
  look: trusted("built in")
}

const agents: Readonly<Record<AgentName, Agent>> = {
  "codex-app-server": codex,
  "omp-sdk": ompSdk,
  "omp-rpc": ompRpc,
  pi,
  scripted
}

export const byName = (name: AgentName): Agent => agents[name]

/** Those that do work, in the order in which they are preferred. */
export const working: ReadonlyArray<Agent> = [codex, ompSdk, ompRpc, pi]
