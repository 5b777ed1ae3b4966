/**
 * The events of a turn, put together in few words.
 */
import { assert } from "@effect/vitest"
import { AgentError } from "../../../../src/agent/AgentError.ts"
import type { AgentEvent, DeltaField, EventOf, TurnOutcome, Usage } from "../../../../src/agent/AgentEvent.ts"
import type { AgentItem } from "../../../../src/agent/AgentItem.ts"
import type { Output, TurnProjection, UserInput } from "../../../../src/bridge/projection/index.ts"
import { broken, outline, paramsOf, run } from "./wire.ts"

export const startMs = 1_700_000_000_000

export const begin: AgentEvent = { _tag: "TurnStarted", turnId: "the agent's own" }
export const started = (item: AgentItem): AgentEvent => ({ _tag: "ItemStarted", item })
export const updated = (item: AgentItem): AgentEvent => ({ _tag: "ItemUpdated", item })
export const completed = (item: AgentItem, closed = false): AgentEvent => ({ _tag: "ItemCompleted", item, closed })
export const delta = (itemId: string, field: DeltaField, delta: string, index = 0): AgentEvent => ({
  _tag: "ItemDelta",
  itemId,
  field,
  index,
  delta
})
export const end = (outcome: TurnOutcome = { _tag: "Completed" }): AgentEvent => ({ _tag: "TurnEnded", outcome })
export const failed = (reason: AgentError["reason"]): AgentEvent =>
  end({ _tag: "Failed", error: new AgentError({ backend: "testing", reason }) })
export const interrupted = (confirmed = true): AgentEvent => end({ _tag: "Interrupted", requested: true, confirmed })
export const message = (
  text: string,
  more: { readonly id?: string; readonly phase?: "commentary" | "final" } = {}
) => ({
  _tag: "AgentMessage" as const,
  id: "m",
  text,
  ...more
})
export const command = (
  status: "inProgress" | "completed" | "failed" | "declined" | "interrupted",
  output?: string
) => ({
  _tag: "CommandExecution" as const,
  id: "c",
  command: "make",
  status,
  ...(output === undefined ? {} : { output })
})
export const usage = (input: number, output: number, more: Partial<Usage> = {}): AgentEvent => ({
  _tag: "UsageUpdated",
  usage: { input, cachedInput: 0, output, reasoningOutput: 0, total: input + output, fresh: true, ...more }
})
export const input = (itemId: string, text: string, clientId: string | null = null): UserInput => ({
  itemId,
  clientId,
  content: [{ type: "text", text, text_elements: [] }]
})
export const user = (id: string, text: string, more: { readonly clientId?: string } = {}): AgentItem => ({
  _tag: "UserMessage",
  id,
  text,
  images: 0,
  ...more
})

/** The outputs of a whole turn, which keeps the rules. */
export const play = (events: ReadonlyArray<AgentEvent>, more: Partial<TurnProjection.TurnOptions> = {}) => {
  const outputs = run([begin, ...events, end()], more)
  assert.deepStrictEqual(broken(outputs), [])
  return outputs
}

/** What lies between the start of the turn and its end. */
export const body = (events: ReadonlyArray<AgentEvent>) => outline(play(events)).slice(2, -2)

export const lastItem = (outputs: ReadonlyArray<Output>) => paramsOf(outputs, "item/completed").at(-1)?.item

/** A change of files that adds each of them. */
export const change = (
  id: string,
  status: "inProgress" | "completed",
  ...paths: ReadonlyArray<string>
): AgentItem => ({
  _tag: "FileChange",
  id,
  status,
  changes: paths.map((path) => ({ path, kind: "add", diff: "x\n" }))
})

export const opened = (requestId: string, kind: EventOf<"RequestOpened">["kind"]): AgentEvent => ({
  _tag: "RequestOpened",
  requestId,
  kind,
  title: "ls"
})

export const resolved = (requestId: string): AgentEvent => ({
  _tag: "RequestResolved",
  requestId,
  resolution: "accept"
})
