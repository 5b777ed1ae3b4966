/**
 * Picks the agent that turns run on, and says why.
 *
 * The choice is made once, before anything is asked of an agent. An attempt that was accepted is never repeated on
 * another one.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { AgentBackend } from "../../agent/AgentBackend.ts"
import { AgentError, NotConfigured } from "../../agent/AgentError.ts"
import type { CodexNodeOptions } from "../codex/CodexNode.ts"

/** Names that a backend can be asked for by. */
export const backendNames = ["auto", "codex-app-server", "scripted"] as const
export type BackendName = typeof backendNames[number]

export interface SelectorOptions {
  /** `auto`, the default: codex if it can run a turn, else the built-in scripted agent. */
  readonly backend?: BackendName | undefined
  /** The agent's executable. Naming one is asking for it: `auto` does not go on to another agent then. */
  readonly agentBin?: string | undefined
  /** A JSON file that says what the scripted agent does; see `Scenario`. Naming one is asking for that agent. */
  readonly scenario?: string | undefined
  /** A model provider that the session will name, so that codex needs neither a login nor one of its own. */
  readonly provider?: string | undefined
  readonly codex?: CodexNodeOptions | undefined
}

/** What was found of one agent on the way to the choice. */
export interface Candidate {
  readonly backend: string
  readonly suitable: boolean
  /** One line for people. */
  readonly detail: string
}

/** Which agent was chosen, and why. */
export class Selection extends Context.Service<Selection, {
  readonly backend: string
  /** One line for people. */
  readonly reason: string
  readonly candidates: ReadonlyArray<Candidate>
}>()("effect-codex-bridge/backends/selector/Selection") {}

const codexId = "codex-app-server"

type Chosen = readonly [backend: AgentBackend["Service"], selection: Selection["Service"]]

// Agents are loaded when they are tried: starting one must not cost the time of loading the others.
const codex = Effect.fnUntraced(function*(options: SelectorOptions): Effect.fn.Return<
  AgentBackend["Service"],
  AgentError,
  Scope.Scope
> {
  const { layer } = yield* Effect.promise(() => import("../codex/CodexNode.ts"))
  const command = options.agentBin ?? options.codex?.command
  const context = yield* Layer.build(layer({ ...options.codex, command })).pipe(
    Effect.mapError((error) =>
      new AgentError({ backend: codexId, reason: new NotConfigured({ detail: error.message }) })
    )
  )
  return Context.get(context, AgentBackend)
})

const scripted = Effect.fnUntraced(function*(scenario: string | undefined) {
  const { layer, layerDefault } = yield* Effect.promise(() => import("../scripted/ScriptedBackend.ts"))
  const chosen = scenario === undefined ? layerDefault : layer(yield* readScenario(scenario))
  return Context.get(yield* Layer.build(chosen), AgentBackend)
})

const readScenario = Effect.fnUntraced(function*(file: string) {
  const { read } = yield* Effect.promise(() => import("../scripted/ScenarioFile.ts"))
  const { layer } = yield* Effect.promise(() => import("@effect/platform-node/NodeServices"))
  return yield* Effect.provide(read(file), layer)
})

const only = (backend: AgentBackend["Service"], reason: string): Chosen => [
  backend,
  { backend: backend.id, reason, candidates: [{ backend: backend.id, suitable: true, detail: reason }] }
]

/** Why codex need not even be started. */
const unconfigured = Effect.fnUntraced(function*(options: SelectorOptions) {
  if (options.provider !== undefined) return undefined
  const { unconfiguredHome } = yield* Effect.promise(() => import("../codex/Configuration.ts"))
  const { layer } = yield* Effect.promise(() => import("@effect/platform-node/NodeServices"))
  const home = yield* Effect.provide(unconfiguredHome(options.codex ?? {}), layer)
  return home === undefined ? undefined : `no login and no configuration in ${home}`
})

const fallback = Effect.fnUntraced(function*(probed: Candidate) {
  const backend = yield* scripted(undefined)
  return [backend, {
    backend: backend.id,
    reason: `no agent is configured (${probed.backend}: ${probed.detail})`,
    candidates: [probed, { backend: backend.id, suitable: true, detail: "built in" }]
  }] satisfies Chosen
})

const auto = Effect.fnUntraced(function*(options: SelectorOptions) {
  const detail = yield* unconfigured(options)
  if (detail !== undefined) return yield* fallback({ backend: codexId, suitable: false, detail })
  const backend = yield* codex(options)
  const probed = yield* backend.probe.pipe(
    Effect.map((info): Candidate => ({ backend: backend.id, suitable: true, detail: info.detail })),
    Effect.catch((error): Effect.Effect<Candidate> => {
      const providerIsGiven = error.reason._tag === "NotConfigured" && options.provider !== undefined
      return Effect.succeed({
        backend: backend.id,
        suitable: providerIsGiven,
        detail: providerIsGiven ? `codex with the provider ${options.provider}` : error.message
      })
    })
  )
  if (probed.suitable) {
    return [backend, { backend: backend.id, reason: probed.detail, candidates: [probed] }] satisfies Chosen
  }
  return yield* fallback(probed)
})

const choose = (options: SelectorOptions): Effect.Effect<Chosen, AgentError, Scope.Scope> => {
  const { scenario } = options
  switch (options.backend ?? "auto") {
    case "auto":
      if (scenario !== undefined) return Effect.map(scripted(scenario), (backend) => only(backend, scenario))
      return options.agentBin === undefined
        ? auto(options)
        : Effect.map(codex(options), (backend) => only(backend, `${options.agentBin} was asked for`))
    case "codex-app-server":
      return Effect.map(codex(options), (backend) => only(backend, "it was asked for"))
    case "scripted":
      return Effect.map(scripted(scenario), (backend) => only(backend, scenario ?? "it was asked for"))
  }
}

/** Provides the chosen agent, and the choice. Whatever was started on the way ends with the layer. */
export const layer = (options: SelectorOptions = {}): Layer.Layer<AgentBackend | Selection, AgentError> =>
  Layer.effectContext(
    Effect.map(
      choose(options),
      ([backend, selection]) => Context.make(AgentBackend, backend).pipe(Context.add(Selection, selection))
    )
  )
