/**
 * A turn that codex runs for us: its projector, its reader's buffer, and what it waits for from the host.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { AgentEvent, TurnOutcome } from "../../../agent/AgentEvent.ts"
import type { FileEdit } from "../../../agent/AgentItem.ts"
import { EventBuffer } from "../../../agent/EventBuffer.ts"
import type { TurnHostService } from "../../../agent/TurnHost.ts"
import { backendId } from "./Errors.ts"
import { TurnProjector } from "./TurnProjector.ts"

export class RunningTurn {
  readonly id: string
  readonly host: TurnHostService
  readonly projector: TurnProjector
  readonly buffer = new EventBuffer({ backend: backendId })
  readonly #ended = Deferred.makeUnsafe<TurnOutcome>()
  readonly #withdrawn = new Map<string, Deferred.Deferred<void>>()
  readonly #changes = new Map<string, ReadonlyArray<FileEdit>>()
  #compacted = false
  readonly #onEnd: () => void

  constructor(id: string, host: TurnHostService, onEnd: () => void) {
    this.id = id
    this.host = host
    this.#onEnd = onEnd
    this.projector = new TurnProjector(id, (event) => this.#emit(event))
  }

  /** Waits for the end. */
  get outcome(): Effect.Effect<TurnOutcome> {
    return Deferred.await(this.#ended)
  }

  /** Whether a compaction of the context was completed in this turn. */
  get compacted(): boolean {
    return this.#compacted
  }

  /** File changes of an item that is open: the request to approve them does not repeat them. */
  changesOf(itemId: string): ReadonlyArray<FileEdit> {
    return this.#changes.get(itemId) ?? []
  }

  /** Waits until the agent no longer wants an answer to this request: the turn ended, or somebody else gave it. */
  withdrawn(requestId: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      let deferred = this.#withdrawn.get(requestId)
      if (deferred === undefined) this.#withdrawn.set(requestId, deferred = Deferred.makeUnsafe())
      return Deferred.await(deferred)
    })
  }

  #emit(event: AgentEvent): void {
    this.buffer.offer(event)
    switch (event._tag) {
      case "ItemStarted":
      case "ItemUpdated":
        if (event.item._tag === "FileChange") this.#changes.set(event.item.id, event.item.changes)
        return
      case "ItemCompleted":
        this.#changes.delete(event.item.id)
        if (event.item._tag === "ContextCompaction" && event.item.status === "completed") this.#compacted = true
        return
      case "RequestResolved": {
        const deferred = this.#withdrawn.get(event.requestId)
        this.#withdrawn.delete(event.requestId)
        if (deferred !== undefined) Deferred.doneUnsafe(deferred, Effect.void)
        return
      }
      case "TurnEnded":
        this.buffer.end()
        this.#onEnd()
        Deferred.doneUnsafe(this.#ended, Effect.succeed(event.outcome))
        return
    }
  }
}
