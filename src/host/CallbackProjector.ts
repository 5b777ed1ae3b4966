/**
 * Says which callbacks an event calls, and with what.
 */
import type { AgentEvent, EventOf } from "../agent/AgentEvent.ts"
import { type AgentItem, isToolItem } from "../agent/AgentItem.ts"
import type { AttemptCallbacks, ToolProgress } from "./AttemptCallbacks.ts"
import * as Reducer from "./AttemptReducer.ts"
import { summarize } from "./ToolSummaries.ts"

/** One call that is due. */
export interface Invocation {
  readonly name: keyof AttemptCallbacks
  readonly call: () => void | PromiseLike<void>
}

type Phase = "turn_accepted" | "assistant_output_started" | "tool_execution_started"

/**
 * Turns the events of one turn into the calls they make.
 *
 * It folds the events itself: with slow callbacks, what is shown lags behind what is known.
 */
export class CallbackProjector {
  readonly #callbacks: AttemptCallbacks
  readonly #transcript = Reducer.make()
  readonly #phases = new Set<Phase>()
  readonly #begun = new Set<string>()
  #due: Array<Invocation> = []

  constructor(callbacks: AttemptCallbacks) {
    this.#callbacks = callbacks
  }

  /** The calls that are due with this event, in order. `onEnd` and `onEvent` are not among them. */
  project(event: AgentEvent): ReadonlyArray<Invocation> {
    const due: Array<Invocation> = []
    this.#due = due
    this.#invoke("onAgentEvent", this.#callbacks.onAgentEvent, event)
    const before = this.#lifecycle(event)
    Reducer.reduce(this.#transcript, event)
    if (before !== "completed") this.#dispatch(event, before)
    return due
  }

  // What an item was before the event; what comes for a completed item calls nothing.
  #lifecycle(event: AgentEvent): Reducer.ItemState["lifecycle"] | undefined {
    switch (event._tag) {
      case "ItemDelta": {
        const known = Reducer.item(this.#transcript, event.itemId)?.lifecycle
        return known === "closed" ? "completed" : known
      }
      case "ItemStarted":
      case "ItemUpdated":
      case "ItemCompleted":
        return Reducer.item(this.#transcript, event.item.id)?.lifecycle
      default:
        return undefined
    }
  }

  #invoke<A>(
    name: keyof AttemptCallbacks,
    callback: ((payload: A) => void | PromiseLike<void>) | undefined,
    payload: A
  ): void {
    if (callback === undefined) return
    this.#due.push({ name, call: () => callback.call(this.#callbacks, payload) })
  }

  #enter(phase: Phase): void {
    if (this.#phases.has(phase)) return
    this.#phases.add(phase)
    this.#invoke("onExecutionPhase", this.#callbacks.onExecutionPhase, { phase })
  }

  #dispatch(event: AgentEvent, before: Reducer.ItemState["lifecycle"] | undefined): void {
    const callbacks = this.#callbacks
    switch (event._tag) {
      case "TurnStarted":
        return this.#enter("turn_accepted")
      case "ItemDelta":
        return this.#delta(event)
      case "ItemStarted":
        return this.#started(event.item)
      case "ItemCompleted":
        if (before === undefined) this.#started(event.item)
        return this.#completed(event, before)
      case "PlanUpdated":
        return this.#invoke("onPlanUpdate", callbacks.onPlanUpdate, {
          explanation: event.explanation,
          steps: event.steps
        })
      case "DiffUpdated":
        return this.#invoke("onDiffUpdate", callbacks.onDiffUpdate, { diff: event.diff })
      case "UsageUpdated":
        return this.#invoke("onUsage", callbacks.onUsage, event.usage)
      case "StatusChanged":
        return this.#invoke("onStatus", callbacks.onStatus, { status: event.status, flags: event.flags })
      case "GuardianReview":
        return this.#invoke("onGuardianReview", callbacks.onGuardianReview, { phase: event.phase, raw: event.raw })
      case "Retrying":
        return this.#invoke("onRetry", callbacks.onRetry, { error: event.error })
      default:
        return
    }
  }

  #started(item: AgentItem): void {
    if (this.#begun.has(item.id)) return
    if (item._tag === "AgentMessage") return this.#messageStarted(item.id)
    if (item._tag === "ContextCompaction") {
      this.#begun.add(item.id)
      const payload = { phase: "start", itemId: item.id, completed: false } as const
      return this.#invoke("onCompaction", this.#callbacks.onCompaction, payload)
    }
    const tool = this.#tool(item, false, false)
    if (tool === undefined) return
    this.#begun.add(item.id)
    this.#enter("tool_execution_started")
    this.#invoke("onToolStart", this.#callbacks.onToolStart, tool)
  }

  #messageStarted(itemId: string): void {
    const known = Reducer.item(this.#transcript, itemId)
    if (this.#begun.has(itemId) || (known !== undefined && Reducer.isCommentary(known))) return
    this.#begun.add(itemId)
    this.#enter("assistant_output_started")
    this.#invoke("onAssistantMessageStart", this.#callbacks.onAssistantMessageStart, { itemId })
  }

  #delta({ delta, field, itemId }: EventOf<"ItemDelta">): void {
    const known = Reducer.item(this.#transcript, itemId)
    if (known === undefined) return
    switch (field) {
      case "text":
        if (Reducer.isCommentary(known)) return
        this.#messageStarted(itemId)
        return this.#invoke("onPartialReply", this.#callbacks.onPartialReply, { itemId, text: known.text, delta })
      case "summary":
      case "reasoning":
        if (this.#callbacks.onReasoningStream === undefined) return
        return this.#invoke("onReasoningStream", this.#callbacks.onReasoningStream, {
          itemId,
          kind: field,
          text: (field === "summary" ? known.summary : known.reasoning).join("\n\n"),
          delta
        })
      case "plan":
        return this.#invoke("onPlanStream", this.#callbacks.onPlanStream, { itemId, text: known.text, delta })
      case "output":
        return this.#invoke("onToolOutput", this.#callbacks.onToolOutput, { itemId, delta })
      default:
        return
    }
  }

  #completed({ closed, item }: EventOf<"ItemCompleted">, before: Reducer.ItemState["lifecycle"] | undefined): void {
    // An item that was closed and completes after all has already called its end.
    if (before === "closed") return
    const known = Reducer.item(this.#transcript, item.id)
    if (known === undefined) return
    switch (item._tag) {
      case "AgentMessage":
        if (Reducer.isCommentary(known) || known.text === "") return
        return this.#invoke("onBlockReply", this.#callbacks.onBlockReply, { itemId: item.id, text: known.text })
      case "Reasoning":
        return this.#invoke("onReasoningEnd", this.#callbacks.onReasoningEnd, {
          itemId: item.id,
          text: Reducer.reasoningText(known)
        })
      case "ContextCompaction":
        return this.#invoke("onCompaction", this.#callbacks.onCompaction, {
          phase: "end",
          itemId: item.id,
          completed: !closed && item.status === "completed"
        })
      default: {
        const tool = this.#tool(item, true, closed)
        if (tool !== undefined) this.#invoke("onToolResult", this.#callbacks.onToolResult, tool)
      }
    }
  }

  #tool(item: AgentItem, ended: boolean, closed: boolean): ToolProgress | undefined {
    if (!isToolItem(item)) return undefined
    const summary = summarize(item, { ended, closed })
    return summary === undefined ? undefined : { ...summary, item }
  }
}
