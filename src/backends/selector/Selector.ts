/**
 * Picks the agent that turns run on, and says why.
 *
 * Which agent: the parameter, else the environment (`CODEX_BRIDGE_BACKEND`, `AGENT_RUNTIME` or its other name
 * `OPENCLAW_AGENT_RUNTIME`), else `auto`. An agent that is asked for by name is taken, whether it works or not.
 *
 * `auto` takes the first that is suitable of codex, omp and Pi, else the built-in scripted agent. Codex is for its own
 * providers, or where none is named, if it starts and has an account or a provider. Of the others it is enough that
 * they are installed and were set up: whether they work, the first session tells, and a host may take the next one then.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { AgentBackend, type Capabilities } from "../../agent/AgentBackend.ts"
import { AgentError, NotConfigured } from "../../agent/AgentError.ts"
import * as Agents from "./Agents.ts"
import { type AgentName, type BackendName, type Environment, fromEnvironment } from "./BackendName.ts"
import { type Candidate, type Replacement, Selection } from "./Selection.ts"

export { type BackendName, backendNames } from "./BackendName.ts"
export { Candidate, type Replacement, Selection, SelectionRecord, toRecord } from "./Selection.ts"

export interface SelectorOptions extends Agents.AgentOptions {
  /** Without it the environment says, or else it is `auto`. */
  readonly backend?: BackendName | undefined
  /** Where a name is looked for that `backend` does not give; that of the process by default. */
  readonly environment?: Environment | undefined
  /**
   * The agent's executable: codex, or omp where `omp-rpc` is asked for. Naming one is asking for the agent: `auto` takes
   * codex then, and nobody else.
   */
  readonly agentBin?: string | undefined
  /** A JSON file that says what the scripted agent does; see `Scenario`. Naming one is asking for that agent. */
  readonly scenario?: string | undefined
  /** The model provider that sessions will name. Where it is none of codex's, `auto` leaves codex out. */
  readonly provider?: string | undefined
  /** The agent that has the conversation so far. `auto` takes it: no other one knows what was said. */
  readonly conversation?: AgentName | undefined
  /** What `auto` takes an agent for alone. Tools of the host are always among it. */
  readonly needs?: ReadonlyArray<keyof Capabilities> | undefined
}

type Chosen = readonly [backend: AgentBackend["Service"], selection: Selection["Service"]]

/** An agent by its name. */
const only = Effect.fnUntraced(function*(name: AgentName, options: SelectorOptions, reason: string) {
  const backend = yield* Agents.byName(name).make(options)
  return [backend, {
    backend: backend.id,
    reason,
    candidates: [{ backend: backend.id, suitable: true, detail: reason }]
  }] satisfies Chosen
})

/** Looks at one agent, and keeps it if it is suitable; what it started goes with it otherwise. */
const consider = Effect.fnUntraced(function*(
  agent: Agents.Agent,
  options: SelectorOptions,
  needs: ReadonlyArray<keyof Capabilities>
): Effect.fn.Return<readonly [Candidate, AgentBackend["Service"] | undefined], never, Scope.Scope> {
  const { layer } = yield* Effect.promise(() => import("@effect/platform-node/NodeServices"))
  const unsuitable = (detail: string) => [{ backend: agent.name, suitable: false, detail }, undefined] as const
  const unfit = yield* Effect.provide(agent.unfit(options), layer)
  if (unfit !== undefined) return unsuitable(unfit)

  const outer = yield* Effect.scope
  const scope = yield* Scope.fork(outer)
  // Nobody waits for a process that was started in vain.
  const drop = Effect.forkIn(Effect.uninterruptible(Scope.close(scope, Exit.void)), outer)
  return yield* Effect.gen(function*() {
    const made = yield* Effect.result(Scope.provide(agent.make(options), scope))
    if (Result.isFailure(made)) return unsuitable(made.failure.message)
    const backend = made.success
    const lacks = needs.filter((need) => !backend.capabilities[need])
    if (lacks.length > 0) return unsuitable(`it does not support ${lacks.join(", ")}, which is needed`)
    const found = yield* agent.look(backend, options)
    return found.suitable ? [{ backend: agent.name, ...found }, backend] as const : unsuitable(found.detail)
  }).pipe(
    Effect.tap(([, backend]) => backend === undefined ? drop : Effect.void),
    Effect.onInterrupt(() => drop)
  )
})

interface Search {
  readonly found: readonly [Candidate, AgentBackend["Service"]] | undefined
  /** In the order in which they were looked at. */
  readonly candidates: ReadonlyArray<Candidate>
  /** Those that were not. */
  readonly left: ReadonlyArray<Agents.Agent>
}

const search = Effect.fnUntraced(function*(
  agents: ReadonlyArray<Agents.Agent>,
  options: SelectorOptions,
  needs: ReadonlyArray<keyof Capabilities>
): Effect.fn.Return<Search, never, Scope.Scope> {
  const candidates: Array<Candidate> = []
  for (const [index, agent] of agents.entries()) {
    const [candidate, backend] = yield* consider(agent, options, needs)
    candidates.push(candidate)
    if (backend !== undefined) {
      return { found: [candidate, backend], candidates, left: agents.slice(index + 1) }
    }
  }
  return { found: undefined, candidates, left: [] }
})

const needsOf = (needs: ReadonlyArray<keyof Capabilities>) => [...new Set(["hostTools" as const, ...needs])]

/** Who takes the place of one that has failed, the same one each time. */
const insteadOf = (
  { candidates, left }: Search,
  options: SelectorOptions,
  scope: Scope.Scope
): NonNullable<Selection["Service"]["instead"]> => {
  const looking = Semaphore.makeUnsafe(1)
  const before = candidates.slice(0, -1)
  let known: { readonly candidates: ReadonlyArray<Candidate>; readonly backend: AgentBackend["Service"] } | undefined
  return (failed, needs) =>
    looking.withPermit(Effect.gen(function*() {
      const fits = known !== undefined && needs.every((need) => known?.backend.capabilities[need])
      if (!fits) {
        const { candidates, found } = yield* Scope.provide(search(left, options, needsOf(needs)), scope)
        if (found === undefined) return Option.none()
        known = { candidates, backend: found[1] }
      }
      if (known === undefined) return Option.none()
      const { backend } = known
      const replacement: Replacement = {
        backend,
        selection: {
          backend: backend.id,
          reason: `${failed.backend} failed: ${failed.message}`,
          candidates: [
            ...before,
            { backend: failed.backend, suitable: false, detail: failed.message },
            ...known.candidates
          ]
        }
      }
      return Option.some(replacement)
    }))
}

const auto = Effect.fnUntraced(function*(options: SelectorOptions) {
  const scope = yield* Effect.scope
  const result = yield* search(Agents.working, options, needsOf(options.needs ?? []))
  const { candidates, found } = result
  if (found !== undefined) {
    const [{ detail }, backend] = found
    const instead = insteadOf(result, options, scope)
    return [backend, { backend: backend.id, reason: detail, candidates, instead }] satisfies Chosen
  }
  const backend = yield* Agents.byName("scripted").make({})
  const [first] = candidates
  const told = first === undefined ? "" : ` (${first.backend}: ${first.detail})`
  return [backend, {
    backend: backend.id,
    reason: `no agent is configured${told}`,
    candidates: [...candidates, { backend: backend.id, suitable: true, detail: "built in" }]
  }] satisfies Chosen
})

const choose = (options: SelectorOptions): Effect.Effect<Chosen, AgentError, Scope.Scope> => {
  const { agentBin, conversation, scenario } = options
  const asked = "it was asked for"
  const byName = (name: BackendName, why: string): Effect.Effect<Chosen, AgentError, Scope.Scope> => {
    if (name !== "auto") return only(name, options, name === "scripted" ? scenario ?? why : why)
    if (scenario !== undefined) return only("scripted", options, scenario)
    if (agentBin !== undefined) return only("codex-app-server", options, `${agentBin} was asked for`)
    if (conversation !== undefined) return only(conversation, options, "it has the conversation so far")
    return auto(options)
  }
  if (options.backend !== undefined) return byName(options.backend, asked)
  if (scenario !== undefined) return byName("scripted", asked)
  const found = fromEnvironment(options.environment ?? process.env)
  if (Result.isSuccess(found)) {
    return found.success === undefined
      ? byName("auto", asked)
      : byName(found.success.name, `${found.success.variable} asks for it`)
  }
  const { detail, value, variable } = found.failure
  const reason = new NotConfigured({ detail: `${variable} = ${JSON.stringify(value)}: ${detail}` })
  return Effect.fail(new AgentError({ backend: "auto", reason }))
}

/** Provides the chosen agent, and the choice. Whatever was started on the way ends with the layer. */
export const layer = (options: SelectorOptions = {}): Layer.Layer<AgentBackend | Selection, AgentError> =>
  Layer.effectContext(
    Effect.map(
      choose(options),
      ([backend, selection]) => Context.make(AgentBackend, backend).pipe(Context.add(Selection, selection))
    )
  )
