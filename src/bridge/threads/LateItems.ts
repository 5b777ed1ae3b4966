/**
 * Items that outlive their turn, e.g. a command that goes on in the background: they are stored with the turn that they
 * began in, and shown as its.
 */
import type { ItemContext } from "../projection/ItemProjection.ts"
import * as ItemTrack from "../projection/ItemTrack.ts"
import type { Output, PutItem } from "../projection/Output.ts"
import type { ItemEvent } from "./OutsideEvents.ts"

/** Items whose turn is remembered, and turns that are followed at once. What is older counts for the last turn. */
const remembered = 256
const followed = 8

const trim = <A>(map: Map<string, A>, limit: number): void => {
  const [oldest] = map.keys()
  if (map.size > limit && oldest !== undefined) map.delete(oldest)
}

const idOf = (event: ItemEvent): string => event._tag === "ItemDelta" ? event.itemId : event.item.id

export class LateItems {
  readonly #context: ItemContext
  readonly #turns = new Map<string, string>()
  readonly #tracks = new Map<string, ItemTrack.ItemTrack>()
  #lastTurnId: string | undefined

  constructor(context: ItemContext) {
    this.#context = context
  }

  /** Notes what was shown of a turn. */
  note(turnId: string, { item }: PutItem): void {
    this.#lastTurnId = turnId
    if (item.type !== "commandExecution") return
    this.#turns.set(item.id, turnId)
    trim(this.#turns, remembered)
  }

  /** What comes of an event, and of which turn it is; `undefined` when there was no turn yet. */
  step(
    event: ItemEvent,
    atMs: number
  ): { readonly turnId: string; readonly outputs: ReadonlyArray<Output> } | undefined {
    const turnId = this.#turns.get(idOf(event)) ?? this.#lastTurnId
    if (turnId === undefined) return undefined
    const track = this.#track(turnId)
    const outputs: Array<Output> = []
    switch (event._tag) {
      case "ItemStarted":
        ItemTrack.started(track, event.item, atMs, outputs)
        break
      case "ItemDelta":
        outputs.push(...ItemTrack.delta(track, event))
        break
      case "ItemUpdated":
        ItemTrack.updated(track, event.item, outputs)
        break
      case "ItemCompleted":
        ItemTrack.completed(track, event.item, atMs, outputs)
        break
    }
    return { turnId, outputs }
  }

  #track(turnId: string): ItemTrack.ItemTrack {
    const known = this.#tracks.get(turnId)
    if (known !== undefined) return known
    const track = ItemTrack.make({ ...this.#context, turnId, itemId: (id) => id })
    this.#tracks.set(turnId, track)
    trim(this.#tracks, followed)
    return track
  }
}
