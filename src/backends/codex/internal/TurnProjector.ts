/**
 * Turns the notifications of one turn into events of the waist.
 *
 * A state machine without clocks and I/O: what it says depends on what it was told alone. It keeps the promises
 * that the wire does not keep: each item is started once and completed once, deltas lie in between, items that
 * codex never completes are closed, and exactly one `TurnEnded` comes last.
 *
 * Codex leaves items open when a turn is interrupted, when a steer or a retry abandons a half-said message, when
 * a patch approval is cancelled and when a compaction fails (measured on 0.171.0).
 */
import type { AgentErrorReason } from "../../../agent/AgentError.ts"
import type { AgentEvent, DeltaField, TurnOutcome } from "../../../agent/AgentEvent.ts"
import type { AgentItem } from "../../../agent/AgentItem.ts"
import { agentError, fromTurnError } from "./Errors.ts"
import { closeItem, fromThreadItem, json } from "./Items.ts"
import type * as Wire from "./Wire.ts"

/** A text that deltas make. */
interface Part {
  text: string
}

/** The text that the last delta went to; most often the next one goes there, too. */
interface Cursor {
  readonly itemId: string
  readonly field: DeltaField
  readonly index: number
  readonly part: Part
}

/** An item that was started and not completed, with the texts its deltas made. */
interface Open {
  item: AgentItem
  /** By field and part, e.g. `summary` of reasoning has a text a part. The wire may name any number as a part. */
  readonly texts: Map<DeltaField, Map<number, Part>>
}

/** What an abandoned message or thought came to: the text its deltas made, unless codex gave a longer one. */
const withTexts = ({ item, texts }: Open): AgentItem => {
  const parts = (field: DeltaField): ReadonlyArray<string> =>
    Array.from(texts.get(field) ?? []).toSorted(([a], [b]) => a - b).map(([, part]) => part.text)
  const joined = (field: DeltaField): string => parts(field).join("")
  switch (item._tag) {
    case "AgentMessage":
      return item.text === "" ? { ...item, text: joined("text") } : item
    case "Plan":
      return item.text === "" ? { ...item, text: joined("plan") } : item
    case "Reasoning":
      return item.summary.length > 0 || item.content.length > 0
        ? item
        : { ...item, summary: parts("summary"), content: parts("reasoning") }
    case "CommandExecution":
      return item.output === undefined && texts.has("output") ? { ...item, output: joined("output") } : item
    default:
      return item
  }
}

const isSpeech = (item: AgentItem): boolean =>
  item._tag === "AgentMessage" || item._tag === "Reasoning" || item._tag === "Plan"

/** An item that nothing but a delta told of. */
const itemOfDelta = (id: string, field: DeltaField): AgentItem => {
  switch (field) {
    case "text":
      return { _tag: "AgentMessage", id, text: "" }
    case "summary":
    case "reasoning":
      return { _tag: "Reasoning", id, summary: [], content: [] }
    case "plan":
      return { _tag: "Plan", id, text: "" }
    case "output":
      return { _tag: "CommandExecution", id, command: "", status: "inProgress" }
    case "progress":
      return { _tag: "McpToolCall", id, server: "", tool: "", status: "inProgress", arguments: {} }
  }
}

/** An edit that nothing but its output told of. */
const unseenChange = (id: string): AgentItem => ({ _tag: "FileChange", id, status: "inProgress", changes: [] })

export class TurnProjector {
  readonly #turnId: string
  readonly #emit: (event: AgentEvent) => void
  readonly #open = new Map<string, Open>()
  readonly #completed = new Set<string>()
  readonly #requests = new Set<string>()
  #state: "waiting" | "running" | "ended" = "waiting"
  #interruptRequested = false
  #lateDeltas = 0
  #cursor: Cursor | undefined

  /** `late`: for what still comes of a turn whose end was told before. It neither starts nor ends again. */
  constructor(turnId: string, emit: (event: AgentEvent) => void, late = false) {
    this.#turnId = turnId
    this.#emit = emit
    if (late) this.#state = "running"
  }

  /** Whether the agent has said that the turn runs. */
  get running(): boolean {
    return this.#state === "running"
  }

  get ended(): boolean {
    return this.#state === "ended"
  }

  /** Deltas that came after their item was completed, and were dropped: the completed item has the whole text. */
  get lateDeltas(): number {
    return this.#lateDeltas
  }

  /** Whether an item or a request to the host is open, so that silence is no sign of trouble. */
  get busy(): boolean {
    return this.#open.size > 0 || this.#requests.size > 0
  }

  /** Notes that this side has asked for the end of the turn. */
  interruptRequested(): void {
    this.#interruptRequested = true
  }

  /** Takes a notification of this turn, in wire order. */
  apply(message: Wire.Notification): void {
    if (this.#state === "ended") return
    switch (message.method) {
      case "item/agentMessage/delta":
        return this.#delta(message.params.itemId, "text", 0, message.params.delta)
      case "item/reasoning/summaryTextDelta":
        return this.#delta(message.params.itemId, "summary", message.params.summaryIndex, message.params.delta)
      case "item/reasoning/textDelta":
        return this.#delta(message.params.itemId, "reasoning", message.params.contentIndex, message.params.delta)
      case "item/plan/delta":
        return this.#delta(message.params.itemId, "plan", 0, message.params.delta)
      case "item/commandExecution/outputDelta":
        return this.#delta(message.params.itemId, "output", 0, message.params.delta)
      case "item/mcpToolCall/progress":
        return this.#delta(message.params.itemId, "progress", 0, message.params.message)
      case "turn/started":
        return this.started()
      case "item/started":
        this.#itemStarted(fromThreadItem(message.params.item, false))
        return
      case "item/completed":
        return this.#itemCompleted(fromThreadItem(message.params.item, true), false)
      case "item/fileChange/outputDelta": {
        const { delta, itemId } = message.params
        if (!this.#open.has(itemId) && !this.#completed.has(itemId)) this.#itemStarted(unseenChange(itemId))
        return this.#delta(itemId, "output", 0, delta)
      }
      case "item/fileChange/patchUpdated":
        return this.#patchUpdated(message.params)
      case "turn/plan/updated": {
        const { explanation, plan } = message.params
        return this.#emit({
          _tag: "PlanUpdated",
          steps: plan.map(({ status, step }) => ({ step, status: planStatus(status) })),
          ...(explanation == null ? {} : { explanation })
        })
      }
      case "turn/diff/updated":
        return this.#emit({ _tag: "DiffUpdated", diff: message.params.diff })
      case "error":
        return this.#error(message.params)
      case "turn/completed":
        return this.#turnCompleted(message.params.turn)
      case "item/autoApprovalReview/started":
        return this.#emit({ _tag: "GuardianReview", phase: "started", raw: json(message.params) })
      case "item/autoApprovalReview/completed":
        return this.#emit({ _tag: "GuardianReview", phase: "completed", raw: json(message.params) })
      case "model/rerouted": {
        const { fromModel, reason, toModel } = message.params
        return this.#emit({
          _tag: "Warning",
          code: "modelRerouted",
          message: `The model was changed from ${fromModel} to ${toModel} (${reason})`
        })
      }
      // Empty parts of a text, what the agent types into a terminal, and bookkeeping of clients.
      case "item/reasoning/summaryPartAdded":
      case "item/commandExecution/terminalInteraction":
      case "thread/readState/changed":
        return
      default:
        return this.#emit({ _tag: "Unrecognized", method: message.method, raw: json(message.params) })
    }
  }

  /** An event that concerns the whole thread and falls into this turn. */
  pass(event: AgentEvent): void {
    if (this.#state !== "ended") this.#emit(event)
  }

  /** The turn runs. Codex says so itself; an item of it says so too. */
  started(): void {
    if (this.#state !== "waiting") return
    this.#state = "running"
    this.#emit({ _tag: "TurnStarted", turnId: this.#turnId })
  }

  requestOpened(event: Extract<AgentEvent, { readonly _tag: "RequestOpened" }>): void {
    if (this.#state === "ended") return
    this.#requests.add(event.requestId)
    this.#emit(event)
  }

  requestResolved(requestId: string, resolution: string): void {
    if (!this.#requests.delete(requestId)) return
    this.#emit({ _tag: "RequestResolved", requestId, resolution })
  }

  /** Ends the turn for a reason that did not come as `turn/completed`. Does nothing to a turn that has ended. */
  end(outcome: TurnOutcome, durationMs?: number): void {
    if (this.#state === "ended") return
    for (const requestId of this.#requests) this.requestResolved(requestId, "withdrawn")
    this.#closeOpen(() => true, outcome._tag === "Interrupted" ? "interrupted" : "failed")
    this.#state = "ended"
    this.#emit({ _tag: "TurnEnded", outcome, ...(durationMs === undefined ? {} : { durationMs }) })
  }

  fail(reason: AgentErrorReason): void {
    this.end({ _tag: "Failed", error: agentError(reason) })
  }

  #delta(itemId: string, field: DeltaField, index: number, delta: string): void {
    const cursor = this.#cursor
    const isSame = cursor?.itemId === itemId && cursor.field === field && cursor.index === index
    const part = isSame ? cursor.part : this.#partOf(itemId, field, index)
    if (part === undefined) {
      this.#lateDeltas++
      return
    }
    part.text += delta
    this.#emit({ _tag: "ItemDelta", itemId, field, index, delta })
  }

  /** The text that a delta belongs to; none if its item is completed. */
  #partOf(itemId: string, field: DeltaField, index: number): Part | undefined {
    let open = this.#open.get(itemId)
    if (open === undefined) {
      if (this.#completed.has(itemId)) return undefined
      open = this.#itemStarted(itemOfDelta(itemId, field))
    }
    let parts = open.texts.get(field)
    if (parts === undefined) open.texts.set(field, parts = new Map())
    let part = parts.get(index)
    if (part === undefined) parts.set(index, part = { text: "" })
    this.#cursor = { itemId, field, index, part }
    return part
  }

  #itemStarted(item: AgentItem): Open {
    const known = this.#open.get(item.id)
    if (known !== undefined) {
      if (this.#sameKind(known.item, item)) {
        known.item = item
        this.#emit({ _tag: "ItemUpdated", item })
      }
      return known
    }
    const open: Open = { item, texts: new Map() }
    if (this.#completed.has(item.id)) return open
    this.started()
    // New input in the middle of a turn is a steer: codex has abandoned what it was saying.
    if (item._tag === "UserMessage") this.#closeOpen(isSpeech, "interrupted")
    this.#open.set(item.id, open)
    this.#emit({ _tag: "ItemStarted", item })
    return open
  }

  #itemCompleted(item: AgentItem, closed: boolean): void {
    if (this.#completed.has(item.id)) return
    const open = this.#open.get(item.id) ?? this.#itemStarted(item)
    const whole = this.#sameKind(open.item, item) ? item : withTexts(open)
    this.#open.delete(item.id)
    if (this.#cursor?.itemId === item.id) this.#cursor = undefined
    this.#completed.add(item.id)
    // A status that is not known counts as still open, which a completed item is not.
    this.#emit({ _tag: "ItemCompleted", item: closeItem(whole, "failed"), closed })
  }

  /** An id stays with one kind of item; what breaks that is left out, and said. */
  #sameKind(known: AgentItem, item: AgentItem): boolean {
    if (known._tag === item._tag) return true
    const message = `Item ${item.id} was a ${known._tag} and cannot become a ${item._tag}`
    this.#emit({ _tag: "Warning", code: "malformedNotification", message })
    return false
  }

  #closeOpen(which: (item: AgentItem) => boolean, status: "interrupted" | "failed"): void {
    for (const open of this.#open.values()) {
      if (which(open.item)) this.#itemCompleted(closeItem(withTexts(open), status), true)
    }
  }

  #patchUpdated(params: Wire.PatchUpdated): void {
    const item = fromThreadItem(
      { type: "fileChange", id: params.itemId, changes: params.changes, status: "inProgress" },
      false
    )
    this.#itemStarted(item)
  }

  #error(params: Wire.ErrorNotification): void {
    // A final error comes again with `turn/completed`, which alone ends the turn.
    if (!params.willRetry) return
    this.#closeOpen(isSpeech, "failed")
    const { additionalDetails: cause, message: text } = params.error
    this.#emit({
      _tag: "Retrying",
      error: agentError(fromTurnError(params.error)),
      ...(cause == null || cause === "" ? {} : { notice: { text, cause } })
    })
  }

  #turnCompleted(turn: Wire.Turn): void {
    // Items that only the summary tells of, e.g. an answer whose own notifications got lost.
    const rest = turn.status === "interrupted" ? "interrupted" : "failed"
    for (const item of turn.items) this.#itemCompleted(closeItem(fromThreadItem(item, true), rest), false)
    this.end(this.#outcome(turn), turn.durationMs ?? undefined)
  }

  #outcome(turn: Wire.Turn): TurnOutcome {
    switch (turn.status) {
      case "completed":
        return { _tag: "Completed" }
      case "interrupted":
        return { _tag: "Interrupted", requested: this.#interruptRequested, confirmed: true }
      case "failed":
        return {
          _tag: "Failed",
          error: agentError(fromTurnError(turn.error ?? { message: "codex gave no reason", codexErrorInfo: null }))
        }
      default:
        return { _tag: "Incomplete", detail: `codex ended the turn with status ${turn.status}` }
    }
  }
}

const planStatus = (status: string): "pending" | "inProgress" | "completed" =>
  status === "completed" || status === "inProgress" ? status : "pending"
