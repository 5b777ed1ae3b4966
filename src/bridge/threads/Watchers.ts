/**
 * The clients that watch a thread. What happens on it is told to each of them, in the same order; what lists of threads
 * show is told to all clients, as the real server does.
 */
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import type { ClientConnection, NotificationMethod } from "../ClientConnection.ts"
import type { Clients } from "../Clients.ts"

/** What every client is told of a thread, whatever it watches. */
const forAll: ReadonlySet<string> = new Set(
  [
    "thread/goal/cleared",
    "thread/goal/updated",
    "thread/readState/changed",
    "thread/started",
    "thread/status/changed"
  ] satisfies ReadonlyArray<NotificationMethod>
)

interface Watcher {
  readonly connection: ClientConnection
  readonly forget: () => void
  /** What happened since it came, as long as it does not know yet what was before. */
  held: Array<() => void> | undefined
}

export class Watchers {
  readonly #watching = new Map<number, Watcher>()
  readonly #clients: Pick<Clients["Service"], "notify">
  readonly #onLeave: (connectionId: number) => void

  /** `onLeave` is called when a client stops watching, or its connection ends. */
  constructor(clients: Pick<Clients["Service"], "notify">, onLeave: (connectionId: number) => void) {
    this.#clients = clients
    this.#onLeave = onLeave
  }

  get size(): number {
    return this.#watching.size
  }

  /** Returns whether the client did not watch before. */
  add(connection: ClientConnection): boolean {
    if (this.#watching.has(connection.id)) return false
    const forget = connection.onClose(() => this.#drop(connection.id))
    this.#watching.set(connection.id, { connection, forget, held: undefined })
    return true
  }

  /**
   * Adds a client that is still to be told what was before: what happens from now on is kept for it. Returns how to
   * hand that over.
   */
  addHeld(connection: ClientConnection): () => void {
    if (!this.add(connection)) return () => {}
    const watcher = this.#watching.get(connection.id)
    if (watcher === undefined) return () => {}
    watcher.held = []
    return () => {
      const held = watcher.held ?? []
      watcher.held = undefined
      for (const send of held) send()
    }
  }

  /** Returns whether the client did watch. */
  remove(connectionId: number): boolean {
    this.#watching.get(connectionId)?.forget()
    return this.#drop(connectionId)
  }

  has(connectionId: number): boolean {
    return this.#watching.has(connectionId)
  }

  /** Those who can be asked. */
  *[Symbol.iterator](): Iterator<ClientConnection> {
    for (const { connection, held } of this.#watching.values()) if (held === undefined) yield connection
  }

  notify<M extends NotificationMethod>(method: M, params: Strict.ServerNotifications[M]["params"]): void {
    for (const { connection, held } of this.#watching.values()) {
      if (held === undefined) connection.notify(method, params)
      else held.push(() => connection.notify(method, params))
    }
    if (forAll.has(method)) this.#clients.notify(method, params, (connectionId) => this.#watching.has(connectionId))
  }

  #drop(connectionId: number): boolean {
    if (!this.#watching.delete(connectionId)) return false
    this.#onLeave(connectionId)
    return true
  }
}
