/**
 * Frames as the agents send them.
 */
import { assert } from "@effect/vitest"
import * as Result from "effect/Result"
import type { AgentEvent, EventOf } from "../../../../src/agent/AgentEvent.ts"
import type { AgentItem } from "../../../../src/agent/AgentItem.ts"
import { type AgentFrame, decode } from "../../../../src/backends/pi-family/AgentFrame.ts"
import { TurnProjector, type TurnProjectorOptions } from "../../../../src/backends/pi-family/TurnProjector.ts"
import { wellFormed } from "../../../support/wellFormed.ts"

export type Raw = Readonly<Record<string, unknown>>

export const turnId = "turn"

export const frame = (raw: Raw): AgentFrame => {
  const decoded = decode(raw)
  assert(Result.isSuccess(decoded), Result.isFailure(decoded) ? decoded.failure.message : "")
  return decoded.success
}

export const agentStart: Raw = { type: "agent_start" }
export const answer = (message: Raw): Raw => ({ role: "assistant", content: [], stopReason: "stop", ...message })
export const agentEnd = (message?: Raw, isTerminal?: boolean): Raw => ({
  type: "agent_end",
  messages: message === undefined ? [] : [answer(message)],
  ...(isTerminal === undefined ? {} : { isTerminal })
})
export const messageStart = (message: Raw): Raw => ({ type: "message_start", message })
export const messageEnd = (message: Raw): Raw => ({ type: "message_end", message })
export const user = (text: string, more: Raw = {}): Raw =>
  messageStart({ role: "user", content: [{ type: "text", text }], ...more })
export const update = (type: string, contentIndex: number, more: Raw = {}): Raw => ({
  type: "message_update",
  assistantMessageEvent: { type, contentIndex, ...more }
})
export const textParts = (text: string): Raw => ({ content: [{ type: "text", text }] })

export const callStart = (toolName: string, args: unknown, toolCallId = "c"): Raw => ({
  type: "tool_execution_start",
  toolCallId,
  toolName,
  args
})
export const callUpdate = (toolName: string, args: unknown, text: string, toolCallId = "c"): Raw => ({
  type: "tool_execution_update",
  toolCallId,
  toolName,
  args,
  partialResult: { content: [{ type: "text", text }], details: {} }
})
export const callEnd = (toolName: string, result: unknown, isError = false, toolCallId = "c"): Raw => ({
  type: "tool_execution_end",
  toolCallId,
  toolName,
  result: typeof result === "string" ? { content: [{ type: "text", text: result }], details: {} } : result,
  isError
})

export const project = (
  options: Partial<TurnProjectorOptions>,
  act: (projector: TurnProjector, apply: (...raws: ReadonlyArray<Raw>) => void) => void
): ReadonlyArray<AgentEvent> => {
  const events: Array<AgentEvent> = []
  const projector = new TurnProjector({
    agent: "omp",
    backend: "omp-rpc",
    turnId,
    cwd: "/workspace",
    emit: (event) => events.push(event),
    ...options
  })
  act(projector, (...raws) => {
    for (const raw of raws) projector.apply(frame(raw))
  })
  projector.end({ _tag: "Incomplete", detail: "the test ended" })
  assert.deepStrictEqual(wellFormed(events, { turnId }), [])
  return events
}

/** The events of a turn that gets these frames. */
export const turnOf = (...raws: ReadonlyArray<Raw>): ReadonlyArray<AgentEvent> =>
  project({}, (_, apply) => apply(agentStart, ...raws))

export const eventsOf = <Tag extends AgentEvent["_tag"]>(
  events: ReadonlyArray<AgentEvent>,
  tag: Tag
): ReadonlyArray<EventOf<Tag>> => events.filter((event): event is EventOf<Tag> => event._tag === tag)

export const completed = (events: ReadonlyArray<AgentEvent>): ReadonlyArray<AgentItem> =>
  eventsOf(events, "ItemCompleted").map(({ item }) => item)

export const outcomeOf = (events: ReadonlyArray<AgentEvent>) => {
  const last = events.at(-1)
  assert(last?._tag === "TurnEnded")
  return last.outcome
}

export const deltasOf = (events: ReadonlyArray<AgentEvent>, itemId: string): string =>
  eventsOf(events, "ItemDelta").flatMap((event) => event.itemId === itemId ? [event.delta] : []).join("")
