/** What a server says, put together from a method and params and read as a client reads it. */
import { assert } from "@effect/vitest"
import * as Result from "effect/Result"
import type * as Open from "../../../../src/protocol/generated/OpenTypes.ts"
import * as Methods from "../../../../src/protocol/Methods.ts"

export const threadId = "thread-1"
export const turnId = "turn-1"

/** A notification that fits its schema. */
export const notification = <M extends keyof Open.ServerNotifications>(
  method: M,
  params: Open.ServerNotifications[M]["params"]
): Methods.ServerNotification => Result.getOrThrow(Methods.decodeNotification(method, params))

/** A request that fits its schema. */
export const request = <M extends keyof Open.ServerRequests>(
  method: M,
  params: Open.ServerRequests[M]["params"]
): Methods.ServerRequest => Result.getOrThrow(Methods.decodeServerRequest(method, params))

export const turn = (status: Open.Turn["status"] = "inProgress", more: Partial<Open.Turn> = {}): Open.Turn => ({
  id: turnId,
  items: [],
  itemsView: "notLoaded",
  status,
  error: null,
  startedAt: null,
  completedAt: null,
  durationMs: null,
  ...more
})

export const turnStarted = (id = turnId, thread = threadId) =>
  notification("turn/started", { threadId: thread, turn: turn("inProgress", { id }) })

export const turnCompleted = (
  status: Open.Turn["status"] = "completed",
  more: Partial<Open.Turn> = {},
  thread = threadId
) => notification("turn/completed", { threadId: thread, turn: turn(status, more) })

export const itemStarted = (item: Open.ThreadItem, id = turnId, thread = threadId) =>
  notification("item/started", { threadId: thread, turnId: id, item, startedAtMs: 1 })

export const itemCompleted = (item: Open.ThreadItem, id = turnId, thread = threadId) =>
  notification("item/completed", { threadId: thread, turnId: id, item, completedAtMs: 2 })

export const delta = (itemId: string, text: string, id = turnId, thread = threadId) =>
  notification("item/agentMessage/delta", { threadId: thread, turnId: id, itemId, delta: text })

export const statusChanged = (status: Open.ThreadStatus, thread = threadId) =>
  notification("thread/status/changed", { threadId: thread, status })

export const active: Open.ThreadStatus = { type: "active", activeFlags: [] }
export const idle: Open.ThreadStatus = { type: "idle" }

export const failed = (willRetry: boolean, message = "Reconnecting... 1/5") =>
  notification("error", {
    threadId,
    turnId,
    willRetry,
    error: {
      message,
      codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: null } },
      additionalDetails: null
    }
  })

/** Cumulative tokens of a thread: input, cached input, output, reasoning output. */
export type Reading = readonly [input: number, cached: number, output: number, reasoning: number]

const breakdown = ([input, cached, output, reasoning]: Reading): Open.TokenUsageBreakdown => ({
  totalTokens: input + output,
  inputTokens: input,
  cachedInputTokens: cached,
  outputTokens: output,
  reasoningOutputTokens: reasoning
})

export const tokenUsage = (total: Reading, last: Reading, window: number | null = 258_400): Open.ThreadTokenUsage => ({
  total: breakdown(total),
  last: breakdown(last),
  modelContextWindow: window
})

export const usageUpdated = (usage: Open.ThreadTokenUsage, id = turnId) =>
  notification("thread/tokenUsage/updated", { threadId, turnId: id, tokenUsage: usage })

export const message = (id: string, text = ""): Open.ThreadItem => ({ type: "agentMessage", id, text, phase: null })

export const userMessage = (id: string, text = "hi"): Open.ThreadItem => ({
  type: "userMessage",
  id,
  content: [{ type: "text", text, text_elements: [] }],
  clientId: null
})

export const command = (id: string, status: string, output: string | null = null): Open.ThreadItem => {
  const item: unknown = {
    type: "commandExecution",
    id,
    command: "ls",
    cwd: "/tmp",
    status,
    commandActions: [],
    aggregatedOutput: output
  }
  // A status that no release has is what some tests are about.
  return item as Open.ThreadItem
}

export const fileChange = (
  id: string,
  status: "inProgress" | "completed" | "declined" | "failed"
): Open.ThreadItem => ({
  type: "fileChange",
  id,
  status,
  changes: [{ path: "/tmp/a", kind: { type: "add" }, diff: "a\n" }]
})

/** Fails unless the value is there. */
export const some = <A>(value: A | undefined): A => {
  assert(value !== undefined)
  return value
}
