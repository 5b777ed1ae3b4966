/**
 * What a client that keeps to the protocol has of the items of turns, from nothing but what it was told.
 */
import * as Result from "effect/Result"
import type * as Open from "../../src/protocol/generated/OpenTypes.ts"
import * as Methods from "../../src/protocol/Methods.ts"
import type { Message } from "./WireClient.ts"

export interface ShownItem {
  readonly threadId: string
  readonly turnId: string
  readonly item: Open.ThreadItem
  readonly isOpen: boolean
}

export class ShownItems {
  /** By turn and item. */
  readonly all = new Map<string, ShownItem>()

  of(turnId: string, itemId: string): ShownItem | undefined {
    return this.all.get(`${turnId} ${itemId}`)
  }

  take({ method, params }: Pick<Message, "method" | "params">): void {
    if (method?.startsWith("item/") !== true) return
    const decoded = Methods.decodeNotification(method, params)
    if (Result.isFailure(decoded)) throw decoded.failure
    const told = decoded.success
    switch (told.method) {
      case "item/started":
      case "item/completed": {
        const { item, threadId, turnId } = told.params
        const isOpen = told.method === "item/started"
        this.all.set(`${turnId} ${String(item.id)}`, { threadId, turnId, item, isOpen })
        return
      }
      case "item/agentMessage/delta":
      case "item/plan/delta":
        return this.#change(told.params, (item) => ({ ...item, text: String(item["text"]) + told.params.delta }))
      case "item/commandExecution/outputDelta":
        return this.#change(told.params, (item) => ({
          ...item,
          aggregatedOutput: String(item["aggregatedOutput"] ?? "") + told.params.delta
        }))
      case "item/reasoning/summaryTextDelta":
        return this.#grow(told.params, "summary", told.params.summaryIndex)
      case "item/reasoning/textDelta":
        return this.#grow(told.params, "content", told.params.contentIndex)
      case "item/fileChange/patchUpdated":
        return this.#change(told.params, (item) => ({ ...item, changes: told.params.changes }))
      default:
        return
    }
  }

  #change(
    { itemId, turnId }: { readonly itemId: string; readonly turnId: string },
    change: (item: Record<string, unknown>) => Record<string, unknown>
  ): void {
    const known = this.of(turnId, itemId)
    // Of a change of files that has not started, there is no item yet.
    if (known === undefined) return
    // What is changed keeps its type.
    const item = change(known.item as Record<string, unknown>) as unknown as Open.ThreadItem
    this.all.set(`${turnId} ${itemId}`, { ...known, item })
  }

  /** Parts are kept by their numbers, which need not follow one another. */
  #grow(
    told: { readonly itemId: string; readonly turnId: string; readonly delta: string },
    field: "content" | "summary",
    index: number
  ): void {
    const key = `${told.turnId} ${told.itemId} ${field}`
    const parts = this.#parts.get(key) ?? new Map<number, string>()
    this.#parts.set(key, parts)
    parts.set(index, (parts.get(index) ?? "") + told.delta)
    const texts = [...parts].toSorted(([a], [b]) => a - b).map(([, text]) => text)
    this.#change(told, (item) => ({ ...item, [field]: texts }))
  }

  readonly #parts = new Map<string, Map<number, string>>()
}
