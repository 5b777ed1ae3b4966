/**
 * What is stored of a loaded thread, as it was read or written last.
 */
import * as Effect from "effect/Effect"
import type { BridgeError } from "../BridgeError.ts"
import type { ThreadPatch, ThreadRecord } from "../store/ThreadRecord.ts"
import type { ThreadStore } from "../store/ThreadStore.ts"

export class StoredThread {
  readonly id: string
  readonly store: ThreadStore["Service"]
  #record: ThreadRecord

  constructor(store: ThreadStore["Service"], record: ThreadRecord) {
    this.id = record.id
    this.store = store
    this.#record = record
  }

  get record(): ThreadRecord {
    return this.#record
  }

  update(patch: ThreadPatch): Effect.Effect<ThreadRecord, BridgeError> {
    return this.#keep(this.store.update(this.id, patch))
  }

  /** Changes what is stored by what it is; gives whether that was a change. */
  modify(change: (thread: ThreadRecord) => ThreadPatch | undefined): Effect.Effect<boolean, BridgeError> {
    const changed = this.store.modify(this.id, (thread) => {
      const patch = change(thread)
      return [patch !== undefined, patch]
    })
    return Effect.map(changed, ([isOther, record]) => {
      this.#record = record
      return isOther
    })
  }

  /** Takes back a turn and all later ones. */
  revert(beforeTurnId: string, at: number): Effect.Effect<ThreadRecord, BridgeError> {
    return this.#keep(this.store.revert(this.id, { beforeTurnId, at }))
  }

  /** Reads what others have written. */
  get reload(): Effect.Effect<ThreadRecord, BridgeError> {
    return this.#keep(this.store.get(this.id))
  }

  #keep(written: Effect.Effect<ThreadRecord, BridgeError>): Effect.Effect<ThreadRecord, BridgeError> {
    return Effect.map(written, (record) => this.#record = record)
  }
}
