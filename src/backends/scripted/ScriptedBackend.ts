/**
 * An agent that follows a script: for tests, for demonstrations, and for a first contact without any account.
 *
 * It keeps the whole contract of an agent (one turn at a time, approvals, steering, interruption, items closed before
 * the end), runs nothing and writes nothing. Sessions are kept in memory for as long as the layer lives.
 */
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type {
  AgentErrorReason,
  Capabilities,
  ModelInfo,
  SessionOptions,
  SessionPoint,
  SessionRef
} from "../../agent/index.ts"
import {
  AgentBackend,
  AgentError,
  CapabilityMissing,
  everyCapability,
  TurnHost,
  UnknownSession
} from "../../agent/index.ts"
import { defaultScenario, introduction } from "./DefaultScenario.ts"
import type { Scenario, ScriptedTurn } from "./Scenario.ts"
import * as ScriptedSession from "./ScriptedSession.ts"

/** How many sessions are remembered. The oldest is forgotten. */
const sessionLimit = 1024

export interface ScriptedOptions {
  /** Chooses turns while the agent runs, before the scenario's own are looked at. */
  readonly choose?: ((text: string) => ScriptedTurn | undefined) | undefined
}

/** A scripted agent. */
export const make = (
  scenario: Scenario,
  options: ScriptedOptions = {}
): Effect.Effect<AgentBackend["Service"]> =>
  Effect.sync(() => {
    const backend = scenario.id ?? "scripted"
    const capabilities: Capabilities = { ...everyCapability, ...scenario.capabilities }
    const models = scenario.models ?? [onlyModel]
    const sessions = new Map<string, ScriptedSession.Memory>()

    const refuse = (reason: AgentErrorReason) => Effect.fail(new AgentError({ backend, reason }))
    const require = (capability: keyof Capabilities) =>
      capabilities[capability] ? Effect.void : refuse(new CapabilityMissing({ capability }))
    const available = Effect.suspend(() =>
      scenario.unavailable === undefined ? Effect.void : refuse(scenario.unavailable)
    )

    const remember = (memory: ScriptedSession.Memory) => {
      sessions.set(memory.id, memory)
      const oldest = sessions.keys().next()
      if (sessions.size > sessionLimit && oldest.done !== true) sessions.delete(oldest.value)
    }

    const newMemory = (): ScriptedSession.Memory => ({
      // Ids of turns and items begin with it: a program that runs again does not give them twice.
      id: `${backend}-session-${uuidV7Unsafe()}`,
      choose: chooser(scenario, options),
      accepted: new Set(),
      cwd: undefined,
      model: models.find((model) => model.isDefault)?.id,
      approvalPolicy: undefined,
      turns: 0,
      past: [],
      used: false,
      goal: null,
      running: undefined
    })

    const find = Effect.fnUntraced(function*({ backend: owner, sessionId }: SessionRef) {
      const memory = owner === backend ? sessions.get(sessionId) : undefined
      if (memory !== undefined) return memory
      const detail = owner === backend ? "no session of this process has this id" : `it belongs to ${owner}`
      return yield* refuse(new UnknownSession({ sessionId, detail }))
    })

    const fork = Effect.fnUntraced(function*({ session, turnId }: SessionPoint) {
      const { approvalPolicy, cwd, model, past } = yield* find(session)
      const last = past.findIndex((turn) => turn.turnId === turnId)
      if (last === -1) {
        return yield* refuse(new UnknownSession({ sessionId: session.sessionId, detail: `it has no turn ${turnId}` }))
      }
      return { ...newMemory(), approvalPolicy, cwd, model, past: past.slice(0, last + 1) }
    })

    const recall = Effect.fnUntraced(function*({ fork: point, resume }: SessionOptions) {
      if (resume !== undefined) {
        yield* require("resume")
        return yield* find(resume)
      }
      if (point === undefined) return newMemory()
      yield* require("fork")
      return yield* fork(point)
    })

    return AgentBackend.of({
      id: backend,
      capabilities,
      openSession: Effect.fn("AgentBackend.openSession")(function*(session) {
        yield* available
        const host = yield* TurnHost
        if (host.tools.length > 0) yield* require("hostTools")
        if (ScriptedSession.asksFirst(session.approvalPolicy)) yield* require("approvals")
        const memory = yield* recall(session)
        memory.cwd = session.cwd ?? memory.cwd
        memory.model = session.model ?? memory.model
        memory.approvalPolicy = session.approvalPolicy ?? memory.approvalPolicy
        return yield* ScriptedSession.open({
          backend,
          capabilities,
          memory,
          options: session,
          durable: scenario.durable ?? true,
          compaction: scenario.compaction ?? [{ _tag: "Compact" }],
          onAccepted: () => {
            if (session.ephemeral !== true) remember(memory)
          }
        })
      }),
      listModels: Effect.andThen(Effect.andThen(available, require("models")), Effect.succeed(models)),
      probe: Effect.as(available, {
        version: scenario.version ?? "1",
        detail: `${backend}: built in, follows a script`
      })
    })
  })

/** `make` as a layer. */
export const layer = (scenario: Scenario, options?: ScriptedOptions): Layer.Layer<AgentBackend> =>
  Layer.effect(AgentBackend, make(scenario, options))

/** The agent that introduces itself and tells how to get a real one. */
export const layerDefault: Layer.Layer<AgentBackend> = layer(defaultScenario)

const onlyModel: ModelInfo = {
  id: "scripted",
  name: "Scripted",
  description: "No model: follows a script.",
  isDefault: true,
  efforts: []
}

/** One for each session, because each goes through the sequence by itself. */
const chooser = (scenario: Scenario, options: ScriptedOptions): (text: string) => ScriptedTurn => {
  const turns = scenario.turns ?? []
  const sequence = turns.filter((turn) => turn.match === undefined).values()
  return (text) => {
    const lower = text.toLowerCase()
    return options.choose?.(text) ??
      turns.find((turn) => turn.match !== undefined && lower.includes(turn.match.toLowerCase())) ??
      sequence.next().value ??
      { steps: scenario.fallback ?? introduction }
  }
}
