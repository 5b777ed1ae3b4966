/**
 * What the end-to-end tests are written with: one codex for the tests of a file, and a script for each thread, so that
 * a test that fails leaves nothing behind for the next one.
 */
import { assert } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type {
  AgentBackend,
  AgentEvent,
  AgentSession,
  AgentTurn,
  EventOf,
  SessionOptions,
  TurnHostService,
  TurnInput
} from "../../src/agent/index.ts"
import * as CodexBench from "../support/CodexBench.ts"
import { hosted, text } from "../support/conformanceKit.ts"
import type { Script } from "../support/FakeResponses.ts"
import * as ModelTurn from "../support/ModelTurn.ts"
import * as RecordedRequest from "../support/RecordedRequest.ts"
import { type Watched, watchTurn } from "../support/watchTurn.ts"
import { wellFormed } from "../support/wellFormed.ts"

/** The script of threads that have none of their own: those of sub-agents, whose ids nobody knows beforehand. */
export const anyThread = "*"

/** What the model says on each thread, by the thread's id. */
export class Scripts extends Context.Service<Scripts, Map<string, Array<Script>>>()(
  "effect-codex-bridge/test/e2e/Scripts"
) {}

const answer = (scripts: Map<string, Array<Script>>): Script => (request) => {
  const own = scripts.get(RecordedRequest.threadId(request) ?? "")
  const next = (own ?? scripts.get(anyThread))?.shift()
  if (next === undefined) {
    return ModelTurn.httpError(400, { body: { error: { message: "no turn scripted for this thread" } } })
  }
  return typeof next === "function" ? next(request) : next
}

export const layer = (
  options?: Omit<CodexBench.Options, "fallback">
): Layer.Layer<CodexBench.CodexBench | AgentBackend | Scripts, unknown> =>
  Layer.unwrap(Effect.sync(() => {
    const scripts = new Map<string, Array<Script>>()
    return Layer.merge(
      CodexBench.layer({ ...options, fallback: answer(scripts) }),
      Layer.succeed(Scripts, scripts)
    )
  }))

/** The real clock: processes and sockets do not follow a test clock. */
export const realTime = { excludeTestServices: true } as const

/** Everything allowed: for turns in which an approval would only be in the way. */
export const unattended: SessionOptions = { approvalPolicy: "never", sandbox: "danger-full-access" }

/** Commands and patches need an approval. */
export const cautious: SessionOptions = { approvalPolicy: "untrusted", sandbox: "workspace-write" }

/** A host whose tool makes the session use codex's experimental API from the start, which plan mode needs. */
export const capable: Partial<TurnHostService> = {
  tools: [{ name: "unused", description: "Unused", inputSchema: { type: "object", properties: {} } }]
}

export const open = Effect.fnUntraced(
  function*(options: SessionOptions = {}, host: Partial<TurnHostService> = {}) {
    const { backend, home } = yield* CodexBench.CodexBench
    return yield* hosted(backend.openSession({ cwd: home.work, ...unattended, ...options }), host)
  }
)

/** Appends to what the model says on a session's thread. */
export const script = Effect.fnUntraced(function*(session: AgentSession, ...turns: ReadonlyArray<Script>) {
  const scripts = yield* Scripts
  const { sessionId } = yield* session.ref
  const queue = scripts.get(sessionId) ?? []
  scripts.set(sessionId, queue)
  queue.push(...turns)
})

/** How many scripted turns of a session's thread no request has taken. */
export const unsaid = Effect.fnUntraced(function*(session: AgentSession) {
  return (yield* Scripts).get((yield* session.ref).sessionId)?.length ?? 0
})

/** What the model was asked on a session's thread, in order. */
export const requests = Effect.fnUntraced(function*(session: AgentSession) {
  const { model } = yield* CodexBench.CodexBench
  const { sessionId } = yield* session.ref
  return (yield* model.requests).filter((request) => RecordedRequest.threadId(request) === sessionId)
})

/** The last thing the model was asked on a session's thread. */
export const lastRequest = Effect.fnUntraced(function*(session: AgentSession) {
  const request = (yield* requests(session)).at(-1)
  assert(request !== undefined, "the model was never asked")
  return request
})

/** The output of a tool call, as the model was told last. */
export const toldOf = (session: AgentSession, callId: string) =>
  Effect.map(lastRequest(session), (request) => RecordedRequest.toolOutput(request, callId))

const inputOf = (input: string | TurnInput): TurnInput => typeof input === "string" ? text(input) : input

export const checked = (turn: AgentTurn, events: ReadonlyArray<AgentEvent>): ReadonlyArray<AgentEvent> => {
  assert.deepStrictEqual(wellFormed(events, { turnId: turn.id }), [])
  return events
}

/** Starts a turn in which the model says `turns`, and reads it in the background. */
export const start = Effect.fnUntraced(function*(
  session: AgentSession,
  input: string | TurnInput,
  turns: ReadonlyArray<Script>,
  host: Partial<TurnHostService> = {}
) {
  yield* script(session, ...turns)
  const turn = yield* hosted(session.startTurn(inputOf(input)), host)
  const watched: Watched = yield* watchTurn(turn)
  return {
    turn,
    seen: watched.seen,
    /** Waits for the end, and checks the whole. */
    end: Effect.gen(function*() {
      const events = checked(turn, yield* watched.all)
      return { turn, events, outcome: yield* turn.outcome }
    })
  }
})

/** Runs a turn to its end, in which the model says just these turns. */
export const run = Effect.fnUntraced(function*(
  session: AgentSession,
  input: string | TurnInput,
  turns: ReadonlyArray<Script>,
  host: Partial<TurnHostService> = {}
) {
  yield* script(session, ...turns)
  const turn = yield* hosted(session.startTurn(inputOf(input)), host)
  const events = checked(turn, yield* Stream.runCollect(turn.events))
  assert.strictEqual(yield* unsaid(session), 0, "not all of the script was played")
  return { turn, events, outcome: yield* turn.outcome }
})

/** The session takes a turn: whatever happened before left nothing behind. */
export const assertUsable = Effect.fnUntraced(function*(session: AgentSession) {
  const { outcome } = yield* run(session, "Still there?", [ModelTurn.text("Still here.")])
  assert.deepStrictEqual(outcome, { _tag: "Completed" })
})

export const eventsOf = <Tag extends AgentEvent["_tag"]>(
  events: ReadonlyArray<AgentEvent>,
  tag: Tag
): ReadonlyArray<EventOf<Tag>> => events.filter((event): event is EventOf<Tag> => event._tag === tag)

export const resolutions = (events: ReadonlyArray<AgentEvent>): ReadonlyArray<string> =>
  eventsOf(events, "RequestResolved").map((event) => event.resolution)

/** The deltas of one field of an item, joined. */
export const joined = (events: ReadonlyArray<AgentEvent>, itemId: string | undefined, field = "text"): string =>
  eventsOf(events, "ItemDelta").flatMap((event) =>
    event.itemId === itemId && event.field === field ? [event.delta] : []
  ).join("")

/** A PNG of one pixel, in base64. */
export const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

export const interrupted = { _tag: "Interrupted", requested: true, confirmed: true } as const
