/**
 * Less to send to a client that is behind. Pure.
 *
 * Only neighbours are merged: nothing overtakes anything, so that an item's completion still comes after all of its
 * deltas, and the deltas of different items keep their order.
 */
import type { NotificationMethod } from "../ClientConnection.ts"
import type { Notify } from "./Output.ts"

/** A notification as it waits for a client. */
export type Notification = {
  readonly [M in NotificationMethod]: Pick<Extract<Notify, { method: M }>, "method" | "params">
}[
  NotificationMethod
]

export interface Options {
  /** From how many waiting notifications on neighbours are merged. Default 64. */
  readonly mergeAbove?: number | undefined
  /** How many characters a merged delta may have. Default 65,536. */
  readonly maxCharacters?: number | undefined
}

const defaultMergeAbove = 64
const defaultMaxCharacters = 65_536

/** The two as one, or `undefined` where they must stay two. */
export const merge = (
  previous: Notification,
  next: Notification,
  maxCharacters = defaultMaxCharacters
): Notification | undefined => {
  switch (next.method) {
    case "item/agentMessage/delta":
    case "item/plan/delta":
    case "item/commandExecution/outputDelta":
    case "item/fileChange/outputDelta": {
      if (previous.method !== next.method || !isSameItem(previous.params, next.params)) return undefined
      return joined(previous.params.delta, next.params.delta, maxCharacters, (delta) => ({
        method: next.method,
        params: { ...next.params, delta }
      }))
    }
    case "item/reasoning/summaryTextDelta":
      if (
        previous.method !== next.method || !isSameItem(previous.params, next.params) ||
        previous.params.summaryIndex !== next.params.summaryIndex
      ) {
        return undefined
      }
      return joined(previous.params.delta, next.params.delta, maxCharacters, (delta) => ({
        method: next.method,
        params: { ...next.params, delta }
      }))
    case "item/reasoning/textDelta":
      if (
        previous.method !== next.method || !isSameItem(previous.params, next.params) ||
        previous.params.contentIndex !== next.params.contentIndex
      ) {
        return undefined
      }
      return joined(previous.params.delta, next.params.delta, maxCharacters, (delta) => ({
        method: next.method,
        params: { ...next.params, delta }
      }))
    // These tell how something stands: the newer one makes the older one void.
    case "item/mcpToolCall/progress":
    case "item/fileChange/patchUpdated":
      return previous.method === next.method && isSameItem(previous.params, next.params) ? next : undefined
    case "turn/diff/updated":
    case "turn/plan/updated":
    case "thread/tokenUsage/updated":
      return previous.method === next.method && isSameTurn(previous.params, next.params) ? next : undefined
    default:
      return undefined
  }
}

interface OfTurn {
  readonly threadId: string
  readonly turnId: string
}

interface OfItem extends OfTurn {
  readonly itemId: string
}

const isSameTurn = (a: OfTurn, b: OfTurn): boolean => a.turnId === b.turnId && a.threadId === b.threadId

const isSameItem = (a: OfItem, b: OfItem): boolean => a.itemId === b.itemId && isSameTurn(a, b)

const joined = (
  previous: string,
  next: string,
  maxCharacters: number,
  make: (delta: string) => Notification
): Notification | undefined => previous.length + next.length > maxCharacters ? undefined : make(previous + next)

/**
 * Appends to what waits for a client, in place; merges with the last one if much is waiting. Gives whether the list
 * grew.
 */
export const append = (waiting: Array<Notification>, next: Notification, options: Options = {}): boolean => {
  const last = waiting.at(-1)
  if (last !== undefined && waiting.length >= (options.mergeAbove ?? defaultMergeAbove)) {
    const merged = merge(last, next, options.maxCharacters)
    if (merged !== undefined) {
      waiting[waiting.length - 1] = merged
      return false
    }
  }
  waiting.push(next)
  return true
}
