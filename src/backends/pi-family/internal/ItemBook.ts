/**
 * The items of a turn: each is started once and completed once, with deltas and updates in between.
 */
import type { AgentEvent, DeltaField } from "../../../agent/AgentEvent.ts"
import type { AgentItem } from "../../../agent/AgentItem.ts"

export class ItemBook {
  readonly #emit: (event: AgentEvent) => void
  readonly #open = new Map<string, AgentItem>()
  readonly #completed = new Set<string>()

  constructor(emit: (event: AgentEvent) => void) {
    this.#emit = emit
  }

  /** How many are started and not completed. */
  get size(): number {
    return this.#open.size
  }

  get(id: string): AgentItem | undefined {
    return this.#open.get(id)
  }

  /** Starts an item, or tells what has become of it. */
  show(item: AgentItem): void {
    if (this.#completed.has(item.id)) return
    const known = this.#open.get(item.id)
    this.#open.set(item.id, item)
    if (known === undefined) this.#emit({ _tag: "ItemStarted", item })
    else if (JSON.stringify(known) !== JSON.stringify(item)) this.#emit({ _tag: "ItemUpdated", item })
  }

  /** For an item that is open. */
  delta(itemId: string, field: DeltaField, delta: string): void {
    this.#emit({ _tag: "ItemDelta", itemId, field, index: 0, delta })
  }

  /** `closed`: the agent has not completed it, and never will. */
  complete(item: AgentItem, closed: boolean): void {
    if (this.#completed.has(item.id)) return
    if (!this.#open.has(item.id)) this.show(item)
    this.#open.delete(item.id)
    this.#completed.add(item.id)
    this.#emit({ _tag: "ItemCompleted", item, closed })
  }

  /** Closes whatever is open. */
  close(status: "failed" | "interrupted"): void {
    for (const id of this.#open.keys()) this.closeOne(id, status)
  }

  closeOne(id: string, status: "failed" | "interrupted"): void {
    const item = this.#open.get(id)
    if (item === undefined) return
    if (item._tag === "FileChange") {
      const { draft: _, ...done } = item
      return this.complete({ ...done, status }, true)
    }
    this.complete("status" in item && item.status === "inProgress" ? { ...item, status } : item, true)
  }
}
