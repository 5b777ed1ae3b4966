/**
 * What the events of every turn must keep, whatever the backend and whatever happened.
 */
import type { AgentEvent, AgentItem } from "../../src/agent/index.ts"

export interface WellFormedOptions {
  /** The turn that the events are of. */
  readonly turnId?: string | undefined
}

/**
 * The rules that a complete list of a turn's events breaks, in words; empty when it is well formed.
 *
 * - `TurnStarted` comes at most once, before all items, and names the turn
 * - each item is started once and completed once under one id and kind, with deltas and updates only in between
 * - no completed item is still in progress
 * - each request is opened once and resolved once
 * - exactly one `TurnEnded`, and nothing after it
 */
export const wellFormed = (
  events: ReadonlyArray<AgentEvent>,
  options: WellFormedOptions = {}
): ReadonlyArray<string> => {
  const broken: Array<string> = []
  const open = new Map<string, AgentItem>()
  const completed = new Set<string>()
  const requests = new Map<string, "open" | "resolved">()
  let started = false
  let ended = false

  events.forEach((event, at) => {
    const say = (what: string) => broken.push(`#${at} ${event._tag}: ${what}`)
    if (ended) say("comes after the end of the turn")
    switch (event._tag) {
      case "TurnStarted":
        if (started) say("the turn was started before")
        if (open.size + completed.size > 0) say("comes after items")
        if (options.turnId !== undefined && event.turnId !== options.turnId) {
          say(`is of the foreign turn ${event.turnId}, not of ${options.turnId}`)
        }
        started = true
        break
      case "ItemStarted":
        if (open.has(event.item.id) || completed.has(event.item.id)) say(`${event.item.id} was started before`)
        open.set(event.item.id, event.item)
        break
      case "ItemDelta":
        if (!open.has(event.itemId)) say(`${event.itemId} is not open`)
        break
      case "ItemUpdated":
      case "ItemCompleted": {
        const { item } = event
        const before = open.get(item.id)
        if (before === undefined) say(`${item.id} is not open`)
        else if (before._tag !== item._tag) say(`${item.id} was a ${before._tag} and is a ${item._tag} now`)
        if (event._tag === "ItemUpdated") break
        if ("status" in item && item.status === "inProgress") say(`${item.id} is still in progress`)
        open.delete(item.id)
        completed.add(item.id)
        break
      }
      case "RequestOpened":
        if (requests.has(event.requestId)) say(`${event.requestId} was opened before`)
        requests.set(event.requestId, "open")
        break
      case "RequestResolved":
        if (requests.get(event.requestId) !== "open") say(`${event.requestId} is not open`)
        requests.set(event.requestId, "resolved")
        break
      case "TurnEnded":
        ended = true
        for (const id of open.keys()) say(`${id} was never completed`)
        for (const [id, state] of requests) if (state === "open") say(`${id} was never resolved`)
        break
    }
  })
  if (!ended) broken.push("the turn has no end")
  return broken
}
