/**
 * Emits the events of one turn and keeps the book of what is open, so that whatever ends the turn closes it properly.
 */
import type { AgentEvent, AgentItem, DeltaField, EventOf, TurnOutcome } from "../../agent/index.ts"
import { applyDelta, withStatus } from "./ItemDeltas.ts"

export interface TurnRecorderOptions {
  /** Prefix of all ids of the turn. */
  readonly turnId: string
  readonly emit: (event: AgentEvent) => void
  /** Milliseconds. */
  readonly now: () => number
}

/** Events that neither open nor close anything. */
export type Remark = Exclude<
  AgentEvent,
  EventOf<
    | "ItemStarted"
    | "ItemDelta"
    | "ItemUpdated"
    | "ItemCompleted"
    | "RequestOpened"
    | "RequestResolved"
    | "TurnEnded"
  >
>

/** Everything is ignored once the turn has ended. */
export class TurnRecorder {
  readonly turnId: string
  readonly #emit: (event: AgentEvent) => void
  readonly #now: () => number
  readonly #openedAt: number
  readonly #items = new Map<string, AgentItem>()
  readonly #requests = new Set<string>()
  #itemCount = 0
  #requestCount = 0
  #outcome: TurnOutcome | undefined

  constructor(options: TurnRecorderOptions) {
    this.turnId = options.turnId
    this.#emit = options.emit
    this.#now = options.now
    this.#openedAt = options.now()
  }

  /** How the turn ended; `undefined` before. */
  get outcome(): TurnOutcome | undefined {
    return this.#outcome
  }

  now(): number {
    return this.#now()
  }

  nextItemId(): string {
    return `${this.turnId}-item-${++this.#itemCount}`
  }

  remark(event: Remark): void {
    if (this.#outcome !== undefined) return
    this.#emit(event)
  }

  start(item: AgentItem): void {
    if (this.#outcome !== undefined) return
    this.#items.set(item.id, item)
    this.#emit({ _tag: "ItemStarted", item })
  }

  delta(itemId: string, field: DeltaField, index: number, delta: string): void {
    const item = this.#items.get(itemId)
    if (item === undefined) return
    this.#items.set(itemId, applyDelta(item, field, index, delta))
    this.#emit({ _tag: "ItemDelta", itemId, field, index, delta })
  }

  /** Completes an item; `change` says what became of it beyond its deltas. */
  complete(itemId: string, change: (item: AgentItem) => AgentItem = (item) => item): void {
    const item = this.#items.get(itemId)
    if (item === undefined) return
    this.#items.delete(itemId)
    this.#emit({ _tag: "ItemCompleted", item: change(item), closed: false })
  }

  /** Starts and completes an item at once. */
  mention(item: AgentItem): void {
    this.start(item)
    this.complete(item.id)
  }

  openRequest(kind: EventOf<"RequestOpened">["kind"], title: string, itemId: string | undefined): string {
    const requestId = `${this.turnId}-request-${++this.#requestCount}`
    if (this.#outcome !== undefined) return requestId
    this.#requests.add(requestId)
    this.#emit({ _tag: "RequestOpened", requestId, kind, title, ...(itemId === undefined ? {} : { itemId }) })
    return requestId
  }

  resolveRequest(requestId: string, resolution: string): void {
    if (!this.#requests.delete(requestId)) return
    this.#emit({ _tag: "RequestResolved", requestId, resolution })
  }

  /** Withdraws the open requests, closes the open items and ends the turn. The first outcome stands. */
  end(outcome: TurnOutcome): void {
    if (this.#outcome !== undefined) return
    for (const requestId of this.#requests) this.resolveRequest(requestId, "withdrawn")
    for (const item of this.#items.values()) {
      this.#emit({ _tag: "ItemCompleted", item: withStatus(item, "interrupted"), closed: true })
    }
    this.#items.clear()
    this.#outcome = outcome
    this.#emit({ _tag: "TurnEnded", outcome, durationMs: this.#now() - this.#openedAt })
  }
}
