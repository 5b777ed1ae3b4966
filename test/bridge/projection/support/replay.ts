/**
 * Recorded turns of a real server, read by the codex backend: its events, beside what the server itself said.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { AgentEvent } from "../../../../src/agent/AgentEvent.ts"
import { declining } from "../../../../src/agent/TurnHost.ts"
import { CodexThread } from "../../../../src/backends/codex/internal/CodexThread.ts"
import type { RunningTurn } from "../../../../src/backends/codex/internal/RunningTurn.ts"
import type * as Open from "../../../../src/protocol/generated/OpenTypes.ts"
import * as Methods from "../../../../src/protocol/Methods.ts"
import type { Recording } from "../../../protocol/support/recordings.ts"

export interface RecordedTurn {
  readonly threadId: string
  readonly turnId: string
  readonly cwd: string
  readonly events: ReadonlyArray<AgentEvent>
  /** What the server said of the turn and, while it ran, of its thread. */
  readonly said: ReadonlyArray<Methods.ServerNotification>
  /** The thread's usage before the turn, as the server had told it. */
  readonly usedBefore: Open.ThreadTokenUsage | undefined
  /** What the client started it with; `undefined` for a turn that began in another way. */
  readonly input: { readonly content: ReadonlyArray<Open.UserInput>; readonly clientId: string | null } | undefined
}

const member = (value: unknown, name: string): unknown => Predicate.hasProperty(value, name) ? value[name] : undefined

const text = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

const inputOf = (params: unknown): ReadonlyArray<Open.UserInput> => {
  const decoded = Methods.decodeClientRequest("turn/start", params)
  return Result.isSuccess(decoded) && decoded.success.method === "turn/start" ? decoded.success.params.input : []
}

/** The whole turns that the recording's client started itself. */
export const recordedTurns = Effect.fnUntraced(function*({ lines }: Recording) {
  const threads = new Map<string, CodexThread>()
  const cwds = new Map<string, string>()
  const running: Array<
    { readonly turn: RunningTurn; readonly threadId: string; readonly input: RecordedTurn["input"] }
  > = []
  const said: Array<Methods.ServerNotification> = []
  const calls = new Map<unknown, { readonly method: string; readonly params: unknown }>()

  const claim = Effect.fnUntraced(function*(threadId: string, isNew: boolean) {
    if (threads.has(threadId)) return
    const outside = yield* Queue.unbounded<AgentEvent>()
    threads.set(
      threadId,
      new CodexThread({
        isNew,
        host: declining,
        toolDeadline: "1 minute",
        outside,
        adopt: () => {},
        onIdle: () => {}
      })
    )
  })

  const note = (turn: RunningTurn, threadId: string, input: RecordedTurn["input"]) => {
    if (!running.some((known) => known.turn === turn)) running.push({ turn, threadId, input })
  }

  for (const { dir, message } of lines) {
    if (dir === "c2s") {
      if (message._tag !== "Request") continue
      const { id, method, params } = message
      calls.set(id, { method, params })
      const thread = threads.get(text(member(params, "threadId")) ?? "")
      if (thread?.activity._tag !== "Idle") continue
      if (method === "turn/start") thread.starting("turn", declining)
      else if (method === "thread/compact/start") thread.starting("compaction", declining)
      continue
    }
    switch (message._tag) {
      case "Response":
      case "ErrorResponse": {
        const call = calls.get(message.id)
        if (call === undefined) break
        const { method, params } = call
        const result = message._tag === "Response" ? message.result : undefined
        if (method === "thread/start" || method === "thread/resume" || method === "thread/fork") {
          const id = text(member(member(result, "thread"), "id"))
          if (id === undefined) break
          cwds.set(id, text(member(result, "cwd")) ?? "/")
          yield* claim(id, method === "thread/start")
          break
        }
        if (method !== "turn/start" && method !== "thread/compact/start") break
        const threadId = text(member(params, "threadId")) ?? ""
        const thread = threads.get(threadId)
        if (thread?.activity._tag !== "Starting") break
        const turnId = text(member(member(result, "turn"), "id"))
        if (message._tag === "ErrorResponse") thread.startFailed()
        else if (turnId !== undefined) {
          note(thread.bind(turnId), threadId, {
            content: inputOf(params),
            clientId: text(member(params, "clientUserMessageId")) ?? null
          })
        }
        break
      }
      case "Notification": {
        const decoded = Methods.decodeNotification(message.method, message.params)
        if (Result.isFailure(decoded)) break
        said.push(decoded.success)
        const threadId = text(member(message.params, "threadId")) ?? ""
        const thread = threads.get(threadId)
        if (thread === undefined) break
        thread.onNotification(decoded.success)
        if (thread.activity._tag === "Running") note(thread.activity.turn, threadId, undefined)
        break
      }
      case "Request": {
        const decoded = Methods.decodeServerRequest(message.method, message.params)
        if (Result.isFailure(decoded)) break
        const thread = threads.get(text(member(message.params, "threadId")) ?? "")
        if (thread === undefined) break
        yield* thread.onRequest(decoded.success, String(message.id)).pipe(
          Effect.exit,
          Effect.forkScoped({ startImmediately: true })
        )
        break
      }
    }
  }

  const turns: Array<RecordedTurn> = []
  for (const { input, threadId, turn } of running) {
    if (!turn.projector.ended) continue
    turns.push({
      threadId,
      turnId: turn.id,
      cwd: cwds.get(threadId) ?? "/",
      events: yield* Stream.runCollect(turn.buffer.stream),
      said: ofTurn(said, threadId, turn.id),
      usedBefore: usedBefore(said, threadId, turn.id),
      input
    })
  }
  return turns
})

/** From the thread's turning active for the turn to the turn's end: what is of the turn, and what is of its thread. */
const ofTurn = (
  said: ReadonlyArray<Methods.ServerNotification>,
  threadId: string,
  turnId: string
): ReadonlyArray<Methods.ServerNotification> => {
  const is = (message: Methods.ServerNotification, method: string) =>
    message.method === method && member(member(message.params, "turn"), "id") === turnId
  const started = said.findIndex((message) => is(message, "turn/started"))
  const ended = said.findIndex((message) => is(message, "turn/completed"))
  const active = said.findLastIndex(
    (message, at) =>
      at < started && message.method === "thread/status/changed" && message.params.threadId === threadId &&
      message.params.status.type === "active"
  )
  return said.slice(active, ended + 1).filter(({ params }) => {
    const turn = member(params, "turnId") ?? member(member(params, "turn"), "id")
    return turn === turnId || (turn == null && member(params, "threadId") === threadId)
  })
}

const usedBefore = (
  said: ReadonlyArray<Methods.ServerNotification>,
  threadId: string,
  turnId: string
): Open.ThreadTokenUsage | undefined => {
  let used: Open.ThreadTokenUsage | undefined
  for (const { method, params } of said) {
    if (method === "turn/started" && params.turn.id === turnId) break
    if (method === "thread/tokenUsage/updated" && params.threadId === threadId) used = params.tokenUsage
  }
  return used
}
