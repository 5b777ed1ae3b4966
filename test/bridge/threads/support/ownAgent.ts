/**
 * The scripted agent, with a hand on what it tells outside of turns.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { AgentBackend, type AgentEvent, type SessionOptions, type TurnInput } from "../../../../src/agent/index.ts"
import type { Scenario } from "../../../../src/backends/scripted/Scenario.ts"
import * as ScriptedBackend from "../../../../src/backends/scripted/ScriptedBackend.ts"

export interface OwnAgent {
  readonly layer: Layer.Layer<AgentBackend>
  /** Tells something on the session that was opened. */
  readonly tell: (...events: ReadonlyArray<AgentEvent>) => void
  /** What its turns were started with. */
  readonly inputs: Array<TurnInput>
  /** What its sessions were opened with. */
  readonly opened: Array<SessionOptions>
  /** Goals that it was given; null for one that was taken away. */
  readonly goals: Array<unknown>
  /** How often it was asked to end what it does by itself. */
  interruptions: number
}

export const make = (scenario: Scenario): OwnAgent => {
  const events = Effect.runSync(Queue.unbounded<AgentEvent>())
  const agent: OwnAgent = {
    layer: Layer.effect(
      AgentBackend,
      Effect.map(ScriptedBackend.make(scenario), (backend) => ({
        ...backend,
        openSession: (options) => {
          agent.opened.push(options)
          return Effect.map(backend.openSession(options), (session) => ({
            ...session,
            startTurn: (input) => {
              agent.inputs.push(input)
              return session.startTurn(input)
            },
            setGoal: (goal) => {
              agent.goals.push(goal)
              return session.setGoal(goal)
            },
            clearGoal: Effect.suspend(() => {
              agent.goals.push(null)
              return session.clearGoal
            }),
            interruptOwn: Effect.sync(() => {
              agent.interruptions++
              agent.tell(
                {
                  _tag: "ItemCompleted",
                  item: { _tag: "AgentMessage", id: "last", text: "as far as I got" },
                  closed: false
                },
                { _tag: "TurnEnded", outcome: { _tag: "Interrupted", requested: true, confirmed: true } }
              )
            }),
            events: Stream.merge(session.events, Stream.fromQueue(events))
          }))
        }
      }))
    ),
    tell: (...told) => {
      Queue.offerAllUnsafe(events, told)
    },
    inputs: [],
    opened: [],
    goals: [],
    interruptions: 0
  }
  return agent
}

/** Text as a client sends it. */
export const says = (text: string) => [{ type: "text" as const, text, text_elements: [] }]
