/**
 * The clients that are connected, for what concerns all of them, whatever they watch.
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type * as Strict from "../protocol/generated/StrictTypes.ts"
import type { ClientConnection, NotificationMethod } from "./ClientConnection.ts"

export class Clients extends Context.Service<Clients, {
  /** Adds a client until its connection ends. */
  readonly add: (connection: ClientConnection) => void
  readonly count: () => number
  readonly notify: <M extends NotificationMethod>(method: M, params: Strict.ServerNotifications[M]["params"]) => void
}>()("effect-codex-bridge/bridge/Clients") {
  static readonly layer: Layer.Layer<Clients> = Layer.sync(Clients, () => {
    const connected = new Set<ClientConnection>()
    return {
      add: (connection) => {
        connected.add(connection)
        connection.onClose(() => {
          connected.delete(connection)
        })
      },
      count: () => connected.size,
      notify: (method, params) => {
        for (const connection of connected) connection.notify(method, params)
      }
    }
  })
}
