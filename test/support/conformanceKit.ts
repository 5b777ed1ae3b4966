/**
 * What the parts of the conformance suite are written with.
 */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import {
  AgentBackend,
  type AgentError,
  type AgentEvent,
  type AgentItem,
  type AgentSession,
  type AgentTurn,
  declining,
  type EventOf,
  type SessionOptions,
  TurnHost,
  type TurnHostService,
  type TurnInput,
  type TurnOutcome
} from "../../src/agent/index.ts"
import { type Aspect, type Behaviour, ConformanceDriver } from "./ConformanceDriver.ts"
import { wellFormed } from "./wellFormed.ts"

type Services = AgentBackend | ConformanceDriver | Scope.Scope

/** How the suite's tests are registered on one backend. */
export interface Registrar {
  readonly test: (title: string, body: () => Effect.Effect<void, unknown, Services>) => void
  /** A test of something that a backend may lack. */
  readonly testOf: (aspect: Aspect, title: string, body: () => Effect.Effect<void, unknown, Services>) => void
  /** A test that the backend says so where it lacks it. */
  readonly testRefusal: (
    aspect: Aspect,
    title: string,
    body: () => Effect.Effect<unknown, AgentError, Services>
  ) => void
}

export const nobody = { sessionId: "00000000-0000-4000-8000-000000000000", durable: true }

export const text = (text: string): TurnInput => ({ input: [{ _tag: "Text", text }] })

export const textOf = ({ input }: TurnInput): string =>
  input.flatMap((part) => part._tag === "Text" ? [part.text] : []).join("\n")

export const hosted = <A, E, R>(effect: Effect.Effect<A, E, R>, host: Partial<TurnHostService>) =>
  Effect.provideService(effect, TurnHost, { ...declining, ...host })

export const openSession = Effect.fnUntraced(
  function*(options: SessionOptions = {}, host: Partial<TurnHostService> = {}) {
    const backend = yield* AgentBackend
    const driver = yield* ConformanceDriver
    return yield* hosted(backend.openSession({ ...driver.session, ...options }), host)
  }
)

export const startTurn = Effect.fnUntraced(
  function*(session: AgentSession, behaviour: Behaviour, host: Partial<TurnHostService> = {}) {
    const prepared = yield* (yield* ConformanceDriver).prepare(behaviour)
    return yield* hosted(session.startTurn(prepared.input), host)
  }
)

export const oneTurn = Effect.fnUntraced(function*(behaviour: Behaviour, host: Partial<TurnHostService> = {}) {
  const session = yield* openSession()
  const turn = yield* startTurn(session, behaviour, host)
  const events = yield* Stream.runCollect(turn.events)
  assertWellFormed(turn, events)
  return { session, turn, events, outcome: yield* turn.outcome }
})

export const assertWellFormed = (turn: AgentTurn, events: ReadonlyArray<AgentEvent>): void =>
  assert.deepStrictEqual(wellFormed(events, { turnId: turn.id }), [])

/** The session takes a turn: whatever happened before left nothing behind. */
export const assertUsable = Effect.fnUntraced(function*(session: AgentSession) {
  const turn = yield* startTurn(session, { kind: "text", parts: ["still ", "here"] })
  const events = yield* Stream.runCollect(turn.events)
  assertWellFormed(turn, events)
  assert.strictEqual(lastText(events), "still here")
})

export const isTextDelta = (event: AgentEvent): boolean => event._tag === "ItemDelta" && event.field === "text"

export type CompletedOf<Tag extends AgentItem["_tag"]> = EventOf<"ItemCompleted"> & {
  readonly item: Extract<AgentItem, { readonly _tag: Tag }>
}

export const completed = <Tag extends AgentItem["_tag"]>(
  events: ReadonlyArray<AgentEvent>,
  tag: Tag
): ReadonlyArray<CompletedOf<Tag>> =>
  events.filter((event): event is CompletedOf<Tag> => event._tag === "ItemCompleted" && event.item._tag === tag)

export const lastText = (events: ReadonlyArray<AgentEvent>): string | undefined =>
  completed(events, "AgentMessage").at(-1)?.item.text

export const failedWith = (outcome: TurnOutcome): AgentError => {
  assert(outcome._tag === "Failed", `the outcome is ${outcome._tag}`)
  return outcome.error
}
