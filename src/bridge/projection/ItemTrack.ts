/**
 * The items of a turn as clients see them: each is started once and completed once, with its deltas in between.
 *
 * The state is changed in place; see `TurnProjection`, of which this is a part.
 */
import type { EventOf } from "../../agent/AgentEvent.ts"
import type { AgentItem, FileChange } from "../../agent/AgentItem.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import * as Items from "./ItemProjection.ts"
import { notify, type Output } from "./Output.ts"
import * as Shown from "./ShownText.ts"
import { type UserInput, UserInputs } from "./UserInputs.ts"

export interface TrackOptions extends Items.ItemContext {
  readonly turnId: string
  /** Makes the id of an item from the agent's. */
  readonly itemId: (id: string) => string
}

/** An item that was shown and is not completed. */
interface OpenItem {
  readonly id: string
  /** An item has one type for good. */
  readonly type: Strict.ThreadItem["type"]
  ordinal: number
  readonly startedAtMs: number
  /** As the agent has last told it. */
  item: AgentItem
  readonly text: Shown.ShownText
  /** The message that the agent repeats by this item. */
  readonly input: UserInput | undefined
  /** It was shown to have started. A change of files that is still written is shown by its updates alone. */
  isShown: boolean
}

export interface ItemTrack {
  readonly options: TrackOptions
  readonly inputs: UserInputs
  /** By the agent's ids. */
  readonly open: Map<string, OpenItem>
  readonly completed: Set<string>
  ordinal: number
}

export const make = (options: TrackOptions): ItemTrack => ({
  options,
  inputs: new UserInputs(),
  open: new Map(),
  completed: new Set(),
  ordinal: 0
})

/** The items that are open, with their texts so far. */
export const openItems = (track: ItemTrack): ReadonlyArray<Strict.ThreadItem> =>
  Array.from(track.open.values(), (open) => project(track, open, Shown.applied(open.item, open.text), null))

/** The item as it is shown of an item of the agent. */
const project = (
  { options }: ItemTrack,
  { id, input, startedAtMs }: Pick<OpenItem, "id" | "input" | "startedAtMs">,
  item: AgentItem,
  completedAtMs: number | null
): Strict.ThreadItem => {
  const frame = { id, startedAtMs, completedAtMs }
  return input === undefined
    ? Items.toThreadItem(item, options, frame)
    : Items.toUserMessage(input.content, input.clientId, frame)
}

type Place = Pick<OpenItem, "ordinal" | "startedAtMs">

const put = (item: Strict.ThreadItem, { ordinal, startedAtMs }: Place, completedAtMs: number | null): Output => ({
  _tag: "PutItem",
  item,
  startedAtMs,
  completedAtMs,
  ordinal
})

const showStarted = (track: ItemTrack, item: Strict.ThreadItem, place: Place, outputs: Array<Output>): void => {
  const { threadId, turnId } = track.options
  const { startedAtMs } = place
  outputs.push(put(item, place, null), notify("item/started", { item, threadId, turnId, startedAtMs }))
}

const showCompleted = (
  track: ItemTrack,
  item: Strict.ThreadItem,
  place: Place,
  completedAtMs: number,
  outputs: Array<Output>
): void => {
  const { threadId, turnId } = track.options
  outputs.push(
    put(item, place, completedAtMs),
    notify("item/completed", { item, threadId, turnId, contentTokenCount: null, completedAtMs })
  )
}

/** Shows messages that are in and that the agent has not repeated. */
export const showInputs = (track: ItemTrack, atMs: number, outputs: Array<Output>): void => {
  for (const { clientId, content, itemId } of track.inputs.due()) {
    const place = { ordinal: track.ordinal++, startedAtMs: atMs }
    const message = (completedAtMs: number | null) =>
      Items.toUserMessage(content, clientId, { id: itemId, startedAtMs: atMs, completedAtMs })
    showStarted(track, message(null), place, outputs)
    showCompleted(track, message(atMs), place, atMs, outputs)
  }
}

/** Shows a new item. Gives nothing for one that was completed before, or that shows what is shown already. */
export const started = (
  track: ItemTrack,
  item: AgentItem,
  atMs: number,
  outputs: Array<Output>
): OpenItem | undefined => {
  if (track.completed.has(item.id)) return undefined
  const known = track.open.get(item.id)
  if (known !== undefined) {
    updated(track, item, outputs)
    return known
  }
  const repeated = item._tag === "UserMessage" ? track.inputs.repeatedBy(item) : undefined
  if (repeated?.shown === true) {
    track.completed.add(item.id)
    return undefined
  }
  // The agent goes on after a message that it does not repeat.
  if (item._tag === "AgentMessage" || item._tag === "Reasoning") showInputs(track, atMs, outputs)
  const place = {
    id: repeated?.input.itemId ?? track.options.itemId(item.id),
    ordinal: -1,
    startedAtMs: atMs,
    input: repeated?.input
  }
  const shown = project(track, place, Items.begun(item), null)
  const open: OpenItem = { ...place, type: shown.type, item, text: Shown.make(), isShown: false }
  track.open.set(item.id, open)
  if (isDraft(item)) showPatch(track, open, item, outputs)
  else reveal(track, open, shown, outputs)
  showTexts(track, open, item, outputs)
  return open
}

/** Shows as deltas what an item has more of a text than was shown. */
const showTexts = (track: ItemTrack, open: OpenItem, item: AgentItem, outputs: Array<Output>): void => {
  for (const missing of Shown.missing(item, open.text)) outputs.push(...show(track, open, missing))
}

/** Takes an item as it stands. What makes another type of it is left out. */
export const updated = (track: ItemTrack, item: AgentItem, outputs: Array<Output>): void => {
  const open = track.open.get(item.id)
  if (open === undefined || open.item._tag !== item._tag) return
  const shown = project(track, open, Items.begun(item), null)
  if (shown.type !== open.type) return
  const before = open.item
  open.item = item
  showTexts(track, open, item, outputs)
  if (item._tag !== "FileChange" || before._tag !== "FileChange") return
  if (!open.isShown && !isDraft(item)) return reveal(track, open, shown, outputs)
  if (JSON.stringify(before.changes) === JSON.stringify(item.changes)) return
  if (open.isShown) outputs.push(put(shown, open, null))
  showPatch(track, open, item, outputs)
}

const isDraft = (item: AgentItem): item is FileChange => item._tag === "FileChange" && item.draft === true

/** Shows that an item has started, if that was not shown yet. */
const reveal = (track: ItemTrack, open: OpenItem, item: Strict.ThreadItem, outputs: Array<Output>): void => {
  if (open.isShown) return
  open.isShown = true
  open.ordinal = track.ordinal++
  showStarted(track, item, open, outputs)
}

const showPatch = (track: ItemTrack, open: OpenItem, { changes }: FileChange, outputs: Array<Output>): void => {
  const { threadId, turnId } = track.options
  const patch = { threadId, turnId, itemId: open.id, changes: Items.toFileChanges(changes) }
  outputs.push(notify("item/fileChange/patchUpdated", patch))
}

/** Completes an item, which is started first if need be. Gives it as it is shown, unless nothing is. */
export const completed = (
  track: ItemTrack,
  item: AgentItem,
  atMs: number,
  outputs: Array<Output>
): Strict.ThreadItem | undefined => {
  const open = track.open.get(item.id) ?? started(track, item, atMs, outputs)
  if (open === undefined) return undefined
  const completedAtMs = Math.max(open.startedAtMs, atMs)
  const whole = (item: AgentItem) =>
    project(track, open, Items.ended(Shown.applied(item, open.text), "failed"), completedAtMs)
  const last = open.item._tag === item._tag ? whole(item) : undefined
  const shown = last?.type === open.type ? last : whole(open.item)
  reveal(track, open, project(track, open, Items.begun(open.item), null), outputs)
  track.open.delete(item.id)
  track.completed.add(item.id)
  showCompleted(track, shown, open, completedAtMs, outputs)
  return shown
}

/** Completes what is open: the turn ends. */
export const closeAll = (
  track: ItemTrack,
  rest: "failed" | "interrupted",
  atMs: number,
  outputs: Array<Output>
): void => {
  for (const { item } of track.open.values()) completed(track, Items.ended(item, rest), atMs, outputs)
}

const nothing: ReadonlyArray<Output> = []

/** Shows a delta of an open item. */
export const delta = (track: ItemTrack, event: EventOf<"ItemDelta">): ReadonlyArray<Output> => {
  const open = track.open.get(event.itemId)
  if (open === undefined) return nothing
  if (open.isShown) return show(track, open, event)
  const outputs: Array<Output> = []
  reveal(track, open, project(track, open, Items.begun(open.item), null), outputs)
  return [...outputs, ...show(track, open, event)]
}

/** One delta, of a text that the protocol shows for the item. */
const show = (
  { options: { threadId, turnId } }: ItemTrack,
  { id: itemId, item, text }: OpenItem,
  { delta, field, index }: Shown.Piece
): ReadonlyArray<Output> => {
  switch (field) {
    case "text":
      if (item._tag !== "AgentMessage") return nothing
      text.text += delta
      return [notify("item/agentMessage/delta", { threadId, turnId, itemId, delta })]
    case "summary": {
      if (item._tag !== "Reasoning") return nothing
      const output = notify("item/reasoning/summaryTextDelta", { threadId, turnId, itemId, delta, summaryIndex: index })
      if (!Shown.append(text.summary, index, delta)) return [output]
      return [notify("item/reasoning/summaryPartAdded", { threadId, turnId, itemId, summaryIndex: index }), output]
    }
    case "reasoning":
      if (item._tag !== "Reasoning") return nothing
      Shown.append(text.content, index, delta)
      return [notify("item/reasoning/textDelta", { threadId, turnId, itemId, delta, contentIndex: index })]
    case "plan":
      if (item._tag !== "Plan") return nothing
      text.text += delta
      return [notify("item/plan/delta", { threadId, turnId, itemId, delta })]
    case "output":
      switch (item._tag) {
        case "CommandExecution":
          text.text += delta
          return [notify("item/commandExecution/outputDelta", { threadId, turnId, itemId, delta })]
        case "FileChange":
          return [notify("item/fileChange/outputDelta", { threadId, turnId, itemId, delta })]
        default:
          return nothing
      }
    case "progress":
      return item._tag === "McpToolCall"
        ? [notify("item/mcpToolCall/progress", { threadId, turnId, itemId, message: delta })]
        : nothing
  }
}
