/**
 * Turns the events of one turn into what Codex clients see of it, in the order of the real server.
 *
 * Pure towards the outside: the same events at the same times give the same outputs; no clock, file or randomness is
 * read. Inside, a state is changed in place: deltas are the hot path. Whatever the agent does, clients see a proper
 * turn: it starts once and ends once, each item starts once and completes once, and nothing of an item comes before its
 * start or after its end.
 *
 * Two things differ from the real server on purpose. Items that an agent leaves open are completed before the turn ends
 * (the real server leaves them spinning), and quota notices are not made up.
 */
import type { AgentEvent, EventOf, Goal, TurnOutcome } from "../../agent/AgentEvent.ts"
import type { AgentItem } from "../../agent/AgentItem.ts"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import * as Methods from "../../protocol/Methods.ts"
import { isSameGoal, toThreadGoal } from "./Goals.ts"
import type { ItemOf } from "./ItemProjection.ts"
import * as ItemTrack from "./ItemTrack.ts"
import { isObject } from "./Json.ts"
import { seconds, whole } from "./Numbers.ts"
import { type Notify, notify, type Output } from "./Output.ts"
import * as TokenUsage from "./TokenUsage.ts"
import * as TurnDiff from "./TurnDiff.ts"
import { fromAgentError, incomplete, ofRetry } from "./TurnErrors.ts"
import type { UserInput } from "./UserInputs.ts"

export interface TurnOptions {
  readonly threadId: string
  /** As clients know it. The agent's own id of the turn does not matter. */
  readonly turnId: string
  /** Absolute path of the thread. */
  readonly cwd: string
  /** Id of the agent's backend. */
  readonly backend: string
  /** What the turn was started with. It is shown first, whether or not the agent repeats it. */
  readonly input?: UserInput | undefined
  /** What was told of the thread's usage last, before the turn. Default: nothing. */
  readonly usedBefore?: Open.ThreadTokenUsage | undefined
  /** Tokens that the model can hold, where the agent does not say. */
  readonly modelContextWindow?: number | undefined
  /** The thread's goal before the turn. */
  readonly goal?: Strict.ThreadGoal | null | undefined
  /** Makes the id of an item from the agent's. Default: the agent's own, which must be unique in the thread. */
  readonly itemId?: ((id: string) => string) | undefined
}

type Phase =
  | { readonly _tag: "Waiting" }
  | { readonly _tag: "Running"; readonly startedAtMs: number }
  | { readonly _tag: "Ended"; readonly turn: Strict.Turn }

/** Whose account of the turn's file changes counts: the agent's own, or what its file changes come to. */
type Diffs =
  | { readonly _tag: "Told" }
  | { readonly _tag: "Folded"; readonly files: TurnDiff.TurnDiff; readonly due: boolean }

/** All that is known of a turn. Opaque: use the functions of this module. */
export interface TurnState {
  /** @internal */
  readonly options: TurnOptions
  /** @internal */
  readonly items: ItemTrack.ItemTrack
  /** @internal */
  phase: Phase
  /** @internal */
  readonly requests: Map<string, EventOf<"RequestOpened">["kind"]>
  /** @internal */
  flags: ReadonlyArray<Strict.ThreadActiveFlag>
  /** @internal The message that answers, as far as is known. */
  answer: ItemOf<"agentMessage"> | undefined
  /** @internal Whether it has said something that its user should read. */
  spoke: boolean
  /** @internal */
  diffs: Diffs
  /** @internal */
  meter: TokenUsage.Meter
  /** @internal */
  goal: Strict.ThreadGoal | null
}

/** The state before the first event. */
export const make = (options: TurnOptions): TurnState => {
  const { backend, cwd, itemId = (id) => id, threadId, turnId } = options
  const items = ItemTrack.make({ threadId, turnId, cwd, backend, itemId })
  if (options.input !== undefined) items.inputs.add(options.input, "accepted")
  return {
    options,
    items,
    phase: { _tag: "Waiting" },
    requests: new Map(),
    flags: [],
    answer: undefined,
    spoke: false,
    diffs: { _tag: "Folded", files: TurnDiff.empty, due: false },
    meter: TokenUsage.make(options.usedBefore),
    goal: options.goal ?? null
  }
}

/** Notes a message that is about to be steered into the turn. To be settled by {@link settleInput}. */
export const sendInput = (state: TurnState, input: UserInput): void => state.items.inputs.add(input, "sent")

/** Notes whether the agent took the message. It is shown when the agent repeats it, or else speaks again, or ends. */
export const settleInput = (state: TurnState, itemId: string, accepted: boolean): void =>
  state.items.inputs.settle(itemId, accepted)

/** The turn as clients see it now. Its items are not in it while it runs. */
export const turn = ({ options, phase }: TurnState): Strict.Turn =>
  phase._tag === "Ended"
    ? phase.turn
    : inProgress(options.turnId, phase._tag === "Running" ? seconds(phase.startedAtMs) : null)

/** The flags of the thread's status while the turn runs. */
export const activeFlags = (state: TurnState): ReadonlyArray<Strict.ThreadActiveFlag> => state.flags

/** The thread's goal, as far as the turn knows it. */
export const goal = (state: TurnState): Strict.ThreadGoal | null => state.goal

/** A client has changed the thread's goal while the turn runs. */
export const setGoal = (state: TurnState, goal: Strict.ThreadGoal | null): void => {
  state.goal = goal
}

/** Whether what an agent says of its goal is known already. */
export const hasGoal = (state: TurnState, goal: Goal | null, atMs: number): boolean =>
  isSameGoal(state.goal, goal === null ? null : toThreadGoal(state.options.threadId, goal, state.goal, atMs))

/** The items that are open, with the texts that were shown so far: for a client that joins in the middle of the turn. */
export const openItems = (state: TurnState): ReadonlyArray<Strict.ThreadItem> => ItemTrack.openItems(state.items)

const nothing: ReadonlyArray<Output> = []

/** Takes the next event of the agent, at a time in milliseconds; gives what is to be stored and sent, in order. */
export const step = (state: TurnState, event: AgentEvent, atMs: number): ReadonlyArray<Output> => {
  if (state.phase._tag === "Ended") return nothing
  // Nothing else is due between the deltas of a text.
  if (event._tag === "ItemDelta") return ItemTrack.delta(state.items, event)
  const outputs: Array<Output> = []
  flushDiff(state, event, outputs)
  take(state, event, atMs, outputs)
  return outputs
}

const take = (
  state: TurnState,
  event: Exclude<AgentEvent, EventOf<"ItemDelta">>,
  atMs: number,
  outputs: Array<Output>
): void => {
  const { threadId, turnId } = state.options
  switch (event._tag) {
    // The thread's status is ours to tell, and what is not known cannot be put into the protocol's words.
    case "StatusChanged":
    case "Unrecognized":
      return
    case "Warning": {
      const params = { threadId, message: event.message }
      outputs.push(event.code === "guardianWarning" ? notify(event.code, params) : notify("warning", params))
      return
    }
    case "GoalUpdated":
      return goalUpdated(state, event.goal, atMs, outputs)
  }
  const startedAtMs = start(state, atMs, outputs)
  switch (event._tag) {
    case "TurnStarted":
      return
    case "ItemStarted":
      ItemTrack.started(state.items, event.item, atMs, outputs)
      return
    case "ItemUpdated":
      return ItemTrack.updated(state.items, event.item, outputs)
    case "ItemCompleted": {
      const shown = ItemTrack.completed(state.items, event.item, atMs, outputs)
      if (shown !== undefined) itemCompleted(state, event.item, shown, event.closed)
      return
    }
    case "PlanUpdated": {
      const explanation = event.explanation ?? null
      outputs.push(notify("turn/plan/updated", { threadId, turnId, explanation, plan: event.steps }))
      return
    }
    case "DiffUpdated":
      state.diffs = { _tag: "Told" }
      outputs.push(notify("turn/diff/updated", { threadId, turnId, diff: event.diff }))
      return
    case "UsageUpdated": {
      const [meter, tokenUsage] = TokenUsage.report(state.meter, event.usage, state.options.modelContextWindow)
      state.meter = meter
      outputs.push(
        { _tag: "Usage", usage: tokenUsage, turn: event.usage },
        notify("thread/tokenUsage/updated", { threadId, turnId, tokenUsage })
      )
      return
    }
    case "Retrying":
      outputs.push(notify("error", { error: ofRetry(event), willRetry: true, threadId, turnId }))
      return
    case "GuardianReview":
      outputs.push(guardianReview(state, event))
      return
    case "RequestOpened":
      state.requests.set(event.requestId, event.kind)
      return flagsChanged(state, outputs)
    case "RequestResolved":
      state.requests.delete(event.requestId)
      return flagsChanged(state, outputs)
    case "TurnEnded":
      return end(state, event, startedAtMs, atMs, outputs)
  }
}

const inProgress = (id: string, startedAt: number | null): Strict.Turn => ({
  id,
  rootTurnId: id,
  items: [],
  itemsView: "notLoaded",
  status: "inProgress",
  error: null,
  startedAt,
  completedAt: null,
  durationMs: null
})

/** Starts the turn unless it runs; gives when it started. */
const start = (state: TurnState, atMs: number, outputs: Array<Output>): number => {
  if (state.phase._tag === "Running") return state.phase.startedAtMs
  state.phase = { _tag: "Running", startedAtMs: atMs }
  const { threadId, turnId } = state.options
  outputs.push(
    notify("thread/status/changed", { threadId, status: { type: "active", activeFlags: [] } }),
    notify("turn/started", { threadId, turn: inProgress(turnId, seconds(atMs)) })
  )
  ItemTrack.showInputs(state.items, atMs, outputs)
  return atMs
}

const itemCompleted = (state: TurnState, item: AgentItem, shown: Strict.ThreadItem, closed: boolean): void => {
  // The last message answers, and one that says that it is the answer stands before all others. What was abandoned
  // half-way answers nothing.
  if (shown.type === "agentMessage" && !closed) {
    if (shown.phase === "final_answer" || state.answer?.phase !== "final_answer") state.answer = shown
    if (shown.phase !== "commentary" && shown.text.trim() !== "") state.spoke = true
  }
  if (item._tag === "FileChange" && shown.type === "fileChange" && shown.status === "completed") {
    if (state.diffs._tag === "Told" || item.changes.length === 0) return
    state.diffs = { _tag: "Folded", files: TurnDiff.add(state.diffs.files, item.changes), due: true }
  }
}

/**
 * Tells the file changes that were completed, unless the agent tells them itself: it does so right after the change.
 */
const flushDiff = (state: TurnState, event: AgentEvent, outputs: Array<Output>): void => {
  const { diffs, options: { cwd, threadId, turnId } } = state
  if (diffs._tag === "Told" || !diffs.due) return
  state.diffs = { ...diffs, due: false }
  if (event._tag === "DiffUpdated") return
  outputs.push(notify("turn/diff/updated", { threadId, turnId, diff: TurnDiff.render(diffs.files, cwd) }))
}

const flagsChanged = (state: TurnState, outputs: Array<Output>): void => {
  const kinds = new Set(state.requests.values())
  const flags: Array<Strict.ThreadActiveFlag> = []
  if (kinds.has("approval") || kinds.has("elicitation")) flags.push("waitingOnApproval")
  if (kinds.has("question")) flags.push("waitingOnUserInput")
  if (flags.join() === state.flags.join()) return
  state.flags = flags
  const { threadId } = state.options
  outputs.push(notify("thread/status/changed", { threadId, status: { type: "active", activeFlags: flags } }))
}

const goalUpdated = (state: TurnState, goal: Goal | null, atMs: number, outputs: Array<Output>): void => {
  const { threadId, turnId } = state.options
  state.goal = goal === null ? null : toThreadGoal(threadId, goal, state.goal, atMs)
  const within = state.phase._tag === "Running" ? turnId : null
  outputs.push(
    { _tag: "Goal", goal: state.goal },
    state.goal === null
      ? notify("thread/goal/cleared", { threadId })
      : notify("thread/goal/updated", { threadId, turnId: within, goal: state.goal })
  )
}

/** A review that is in the protocol's own words, with the ids that clients know. */
const guardianReview = (state: TurnState, { phase, raw }: EventOf<"GuardianReview">): Notify => {
  const { threadId, turnId } = state.options
  const method = phase === "started" ? "item/autoApprovalReview/started" : "item/autoApprovalReview/completed"
  if (isObject(raw)) {
    const target = raw["targetItemId"] ?? null
    const targetItemId = typeof target === "string" ? state.items.options.itemId(target) : target
    // The check that follows decides whether it is what it must be.
    const params = { ...raw, targetItemId, threadId, turnId } as never
    if (Methods.encodeNotification(method, params)._tag === "Success") return notify(method, params)
  }
  return notify("warning", { threadId, message: `An automatic review of an approval was ${phase}` })
}

const resultOf = (outcome: TurnOutcome): Pick<Strict.Turn, "status"> & { readonly error: Strict.TurnError | null } => {
  switch (outcome._tag) {
    case "Completed":
      return { status: "completed", error: null }
    case "Interrupted":
      return { status: "interrupted", error: null }
    case "Failed":
      return { status: "failed", error: fromAgentError(outcome.error) }
    case "Incomplete":
      return { status: "failed", error: incomplete(outcome.detail) }
  }
}

const end = (
  state: TurnState,
  { durationMs, outcome }: EventOf<"TurnEnded">,
  startedAtMs: number,
  atMs: number,
  outputs: Array<Output>
): void => {
  const { threadId, turnId } = state.options
  ItemTrack.showInputs(state.items, atMs, outputs)
  ItemTrack.closeAll(state.items, outcome._tag === "Interrupted" ? "interrupted" : "failed", atMs, outputs)
  const { error, status } = resultOf(outcome)
  const completedAtMs = Math.max(startedAtMs, atMs)
  const items = status === "completed" && state.answer !== undefined ? [state.answer] : []
  const turn: Strict.Turn = {
    ...inProgress(turnId, seconds(startedAtMs)),
    items,
    itemsView: items.length === 0 ? "notLoaded" : "summary",
    status,
    error,
    completedAt: seconds(completedAtMs),
    durationMs: durationMs === undefined ? completedAtMs - startedAtMs : whole(durationMs)
  }
  state.phase = { _tag: "Ended", turn }
  if (outcome._tag === "Interrupted" && !outcome.confirmed) {
    const message = "The agent has not confirmed the interruption: it may still be at work"
    outputs.push(notify("warning", { threadId, message }))
  }
  // A goal that is still active goes on with another turn: there is nothing to read before its end. What an agent was
  // stopped at is no longer on its way to a goal.
  const answers = state.spoke && (status === "interrupted" || state.goal?.status !== "active")
  outputs.push({ _tag: "Ended", turn })
  // In the places of the real server.
  if (error === null) {
    if (answers) outputs.push({ _tag: "Unread" })
    outputs.push(notify("thread/status/changed", { threadId, status: { type: "idle" } }))
  } else {
    outputs.push(
      notify("thread/status/changed", { threadId, status: { type: "systemError" } }),
      notify("error", { error, willRetry: false, threadId, turnId }),
      { _tag: "Unread" }
    )
  }
  outputs.push(notify("turn/completed", { threadId, turn }))
}
