/**
 * Folds the events of one turn into what an attempt came to.
 *
 * Pure towards the outside: the same events give the same result; no clock, file or randomness is read.
 * Inside, a state is changed in place and returned: deltas are the hot path, and a copy of a growing transcript
 * for each of them would make a long answer quadratic. So a state is used once: fold on with what {@link reduce}
 * returned, and start another with {@link make}.
 */
import type { SessionRef } from "../agent/AgentBackend.ts"
import { AgentError, Silent, TimedOut } from "../agent/AgentError.ts"
import { type AgentEvent, emptyUsage, type EventOf, type TurnOutcome, type Usage } from "../agent/AgentEvent.ts"
import { type AgentItem, isToolItem } from "../agent/AgentItem.ts"
import {
  type AttemptFailure,
  type AttemptResult,
  type AttemptStatus,
  failureTag,
  OutputInvalid,
  type Replay,
  type ToolSummary
} from "./AttemptResult.ts"
import type { OutputReader } from "./StructuredOutput.ts"
import { summarize } from "./ToolSummaries.ts"

/** `open`, then `completed` by the agent, or `closed` because its turn ended. */
type Lifecycle = "open" | "completed" | "closed"

/** What is known of one item. */
export interface ItemState {
  readonly id: string
  /** As last reported; missing while nothing but deltas has come. */
  readonly item: AgentItem | undefined
  readonly kind: AgentItem["_tag"] | undefined
  readonly lifecycle: Lifecycle
  readonly text: string
  readonly summary: ReadonlyArray<string>
  readonly reasoning: ReadonlyArray<string>
}

interface Entry extends ItemState {
  item: AgentItem | undefined
  kind: AgentItem["_tag"] | undefined
  lifecycle: Lifecycle
  text: string
  summary: Array<string>
  reasoning: Array<string>
}

/** All that is known of a turn. Opaque: read it through the functions of this module. */
export interface AttemptState {
  /** @internal */
  readonly entries: Map<string, Entry>
  /** @internal */
  readonly openItems: Set<string>
  /** @internal */
  readonly openRequests: Set<string>
  /** @internal */
  readonly notes: Map<string, number>
  /** @internal */
  usage: Usage
  /** @internal */
  turnId: string | undefined
  /** @internal */
  outcome: TurnOutcome | undefined
}

/** The state before the first event. */
export const make = (): AttemptState => ({
  entries: new Map(),
  openItems: new Set(),
  openRequests: new Set(),
  notes: new Map(),
  usage: emptyUsage,
  turnId: undefined,
  outcome: undefined
})

const maxNotes = 100

const note = (state: AttemptState, line: string): void => {
  const count = state.notes.get(line)
  if (count !== undefined || state.notes.size < maxNotes) state.notes.set(line, (count ?? 0) + 1)
}

const entryOf = (state: AttemptState, id: string): Entry => {
  const known = state.entries.get(id)
  if (known !== undefined) return known
  const entry: Entry = {
    id,
    item: undefined,
    kind: undefined,
    lifecycle: "open",
    text: "",
    summary: [],
    reasoning: []
  }
  state.entries.set(id, entry)
  state.openItems.add(id)
  return entry
}

// Texts that an item brings along replace the deltas; an item that brings none leaves them.
const adopt = (entry: Entry, item: AgentItem): void => {
  entry.item = item
  entry.kind = item._tag
  if (item._tag === "AgentMessage" || item._tag === "Plan") {
    if (item.text !== "") entry.text = item.text
  } else if (item._tag === "Reasoning") {
    if (item.summary.length > 0) entry.summary = [...item.summary]
    if (item.content.length > 0) entry.reasoning = [...item.content]
  }
}

const reduceStarted = (state: AttemptState, item: AgentItem): void => {
  const entry = entryOf(state, item.id)
  if (entry.item === undefined) adopt(entry, item)
}

const kindOfField = {
  text: "AgentMessage",
  plan: "Plan",
  summary: "Reasoning",
  reasoning: "Reasoning",
  output: undefined,
  progress: undefined
} as const

const append = (parts: Array<string>, index: number, delta: string): void => {
  while (parts.length <= index) parts.push("")
  parts[index] = (parts[index] ?? "") + delta
}

// A part number that no agent counts up to is a broken message, not a reason to fill memory.
const maxParts = 10_000

const reduceDelta = (state: AttemptState, event: EventOf<"ItemDelta">): void => {
  const entry = entryOf(state, event.itemId)
  if (entry.lifecycle !== "open") return note(state, "dropped a delta that came after its item was completed")
  entry.kind ??= kindOfField[event.field]
  switch (event.field) {
    case "text":
    case "plan":
      entry.text += event.delta
      return
    case "summary":
    case "reasoning":
      if (event.index < 0 || event.index >= maxParts) return note(state, "dropped a delta with an impossible index")
      return append(event.field === "summary" ? entry.summary : entry.reasoning, event.index, event.delta)
    default:
      return
  }
}

const reduceCompleted = (state: AttemptState, { closed, item }: EventOf<"ItemCompleted">): void => {
  const entry = entryOf(state, item.id)
  if (entry.lifecycle === "completed" || (entry.lifecycle === "closed" && closed)) return
  adopt(entry, item)
  entry.lifecycle = closed ? "closed" : "completed"
  state.openItems.delete(item.id)
}

/** Takes one event in. Events after `TurnEnded` are ignored. */
export const reduce = (state: AttemptState, event: AgentEvent): AttemptState => {
  if (state.outcome !== undefined) return state
  switch (event._tag) {
    case "ItemDelta":
      reduceDelta(state, event)
      break
    case "TurnStarted":
      state.turnId ??= event.turnId
      break
    case "ItemStarted":
      reduceStarted(state, event.item)
      break
    case "ItemUpdated": {
      const entry = entryOf(state, event.item.id)
      if (entry.lifecycle === "open") adopt(entry, event.item)
      break
    }
    case "ItemCompleted":
      reduceCompleted(state, event)
      break
    case "UsageUpdated":
      state.usage = event.usage
      break
    case "RequestOpened":
      state.openRequests.add(event.requestId)
      break
    case "RequestResolved":
      state.openRequests.delete(event.requestId)
      break
    case "Retrying":
      note(state, `retried: ${event.error.message}`)
      break
    case "Warning":
      note(state, `${event.code}: ${event.message}`)
      break
    case "Unrecognized":
      note(state, `unrecognized: ${event.method}`)
      break
    case "TurnEnded":
      state.outcome = event.outcome
      break
    default:
      break
  }
  return state
}

/** How the turn ended, once `TurnEnded` was seen. */
export const outcome = (state: AttemptState): TurnOutcome | undefined => state.outcome

/** What is known of one item. A live view: it changes with the state. */
export const item = (state: AttemptState, id: string): ItemState | undefined => state.entries.get(id)

/** Items that were started and neither completed nor closed. */
export const openItems = (state: AttemptState): ReadonlyArray<ItemState> =>
  Array.from(state.openItems, (id) => state.entries.get(id)).filter((entry) => entry !== undefined)

/** Whether an item, or a request to the host, is open. */
export const isOccupied = (state: AttemptState): boolean => state.openItems.size > 0 || state.openRequests.size > 0

/** Whether an item is a message that is said on the way, not an answer. */
export const isCommentary = (entry: ItemState): boolean =>
  entry.item?._tag === "AgentMessage" && entry.item.phase === "commentary"

/** The text of a reasoning item: its summary, or the raw reasoning where there is none. */
export const reasoningText = (entry: ItemState): string =>
  (entry.summary.some((part) => part !== "") ? entry.summary : entry.reasoning).filter((part) => part !== "")
    .join("\n\n")

const isFinal = (entry: ItemState): boolean => entry.item?._tag === "AgentMessage" && entry.item.phase === "final"

const messages = (state: AttemptState): ReadonlyArray<ItemState> =>
  Array.from(state.entries.values()).filter((entry) => entry.kind === "AgentMessage" && entry.text !== "")

/** The final answer: the last message marked as such, or the last one that is not commentary. */
export const finalAnswer = (state: AttemptState): string | undefined => {
  const all = messages(state)
  return (all.findLast(isFinal) ?? all.findLast((entry) => !isCommentary(entry)))?.text
}

/** Why the host stopped an attempt. */
export type Stop =
  | { readonly _tag: "Deadline"; readonly after: number }
  | { readonly _tag: "Idle"; readonly after: number }
  | { readonly _tag: "Abort"; readonly reason: string | undefined }

/** Whether the agent took the prompt: `maybe` while that cannot be known. */
export type Acceptance = "no" | "maybe" | "yes"

/** What the fold cannot know. */
export interface Ending {
  readonly backend: string
  readonly runId: string
  readonly outcome: TurnOutcome
  readonly stop: Stop | undefined
  readonly acceptance: Acceptance
  readonly session: SessionRef | null
  readonly readOutput: OutputReader | undefined
  readonly diagnostics: ReadonlyArray<string>
}

const isUnavailable = (error: AgentError): boolean => {
  switch (error.reason._tag) {
    case "BinaryMissing":
    case "VersionUnsupported":
    case "HandshakeFailed":
    case "NotConfigured":
      return true
    default:
      return false
  }
}

const snakeCase = (tag: string): string => tag.replace(/(?<=[a-z0-9])[A-Z]/gu, "_$&").toLowerCase()

interface Verdict {
  readonly status: AttemptStatus
  readonly stopReason: string
  readonly error?: AttemptFailure | undefined
  readonly interruptConfirmed?: boolean | undefined
}

const failed = (error: AttemptFailure, acceptance: Acceptance): Verdict => ({
  status: acceptance === "no" && error._tag === "AgentError" && isUnavailable(error) ? "unavailable" : "failed",
  stopReason: snakeCase(failureTag(error)),
  error
})

const stopped = (ending: Ending, interruptConfirmed: boolean): Verdict => {
  const { acceptance, backend, stop } = ending
  if (stop === undefined || stop._tag === "Abort") {
    return { status: "interrupted", stopReason: "interrupted", interruptConfirmed }
  }
  const reason = stop._tag === "Idle"
    ? new Silent({ after: stop.after })
    : new TimedOut({ operation: "The attempt", after: stop.after, mayHaveReached: acceptance !== "no" })
  return {
    status: "timeout",
    stopReason: stop._tag === "Idle" ? "idle_timeout" : "timeout",
    error: new AgentError({ backend, reason }),
    interruptConfirmed
  }
}

// The agent's own end counts, also when it came after the host had asked it to stop: an answer that was finished in
// time to be seen is never thrown away.
const judge = (ending: Ending): Verdict => {
  const { outcome } = ending
  switch (outcome._tag) {
    case "Completed":
      return { status: "completed", stopReason: "completed" }
    case "Interrupted":
      return stopped(ending, outcome.confirmed)
    case "Incomplete":
      return ending.stop === undefined ? { status: "incomplete", stopReason: "incomplete" } : stopped(ending, false)
    case "Failed":
      return ending.stop !== undefined && outcome.error.reason._tag === "Cancelled"
        ? stopped(ending, !outcome.error.mayHaveReached)
        : failed(outcome.error, ending.acceptance)
  }
}

const replayOf = (state: AttemptState, acceptance: Acceptance): Replay => {
  if (acceptance === "no") return { safe: true, reason: "not_accepted" }
  const entries = Array.from(state.entries.values())
  const tools = entries.filter((entry) => entry.item !== undefined && isToolItem(entry.item))
  if (tools.some((entry) => entry.lifecycle !== "completed")) return { safe: false, reason: "active_item" }
  if (tools.length > 0) return { safe: false, reason: "tool_activity" }
  if (messages(state).length > 0) return { safe: false, reason: "assistant_output" }
  return { safe: false, reason: acceptance === "maybe" ? "maybe_accepted" : "accepted" }
}

const toolSummaries = (entries: ReadonlyArray<Entry>): Array<ToolSummary> => {
  const summaries: Array<ToolSummary> = []
  for (const { item, lifecycle } of entries) {
    if (item === undefined) continue
    const summary = summarize(item, { ended: true, closed: lifecycle !== "completed" })
    if (summary !== undefined) summaries.push(summary)
  }
  return summaries
}

/** The result of an attempt whose turn gave these events and ended like this. */
export const toResult = (state: AttemptState, ending: Ending): AttemptResult => {
  const entries = Array.from(state.entries.values())
  const said = messages(state)
  const answers = said.filter((entry) => !isCommentary(entry))
  const reasonings = entries.filter((entry) => entry.kind === "Reasoning").map(reasoningText)
  const plan = entries.findLast((entry) => entry.kind === "Plan" && entry.text !== "")
  const completed = entries.filter((entry) => entry.lifecycle === "completed")
  const notes = Array.from(state.notes, ([line, count]) => count === 1 ? line : `${line} (${count} times)`)

  let verdict = judge(ending)
  let structuredOutput: AttemptResult["structuredOutput"]
  if (verdict.status === "completed" && ending.readOutput !== undefined) {
    const raw = finalAnswer(state)
    const output = ending.readOutput(raw ?? "")
    if (output._tag === "Success") structuredOutput = output.success
    else {
      const issue = raw === undefined ? "there is no final answer" : output.failure
      verdict = failed(new OutputInvalid({ raw: raw ?? "", issue }), ending.acceptance)
    }
  }

  return {
    status: verdict.status,
    backend: ending.backend,
    runId: ending.runId,
    ...(state.turnId === undefined ? {} : { turnId: state.turnId }),
    assistantTexts: (answers.length > 0 ? answers : said).map((entry) => entry.text),
    reasoningTexts: reasonings.filter((text) => text !== ""),
    ...(plan === undefined ? {} : { planText: plan.text }),
    toolSummaries: toolSummaries(entries),
    usage: state.usage,
    compactionCount:
      completed.filter((entry) => entry.item?._tag === "ContextCompaction" && entry.item.status === "completed").length,
    stopReason: verdict.stopReason,
    session: ending.session,
    replay: replayOf(state, ending.acceptance),
    ...(verdict.interruptConfirmed === undefined ? {} : { interruptConfirmed: verdict.interruptConfirmed }),
    ...(structuredOutput === undefined ? {} : { structuredOutput }),
    ...(verdict.error === undefined ? {} : { error: verdict.error }),
    itemLifecycle: {
      started: entries.length,
      completed: completed.length,
      closed: entries.length - completed.length
    },
    diagnostics: [...notes, ...ending.diagnostics]
  }
}
