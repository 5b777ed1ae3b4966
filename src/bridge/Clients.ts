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
  /** Tells all of them, but those that are told otherwise. */
  readonly notify: <M extends NotificationMethod>(
    method: M,
    params: Strict.ServerNotifications[M]["params"],
    except?: (connectionId: number) => boolean
  ) => void
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
      notify: (method, params, except) => {
        for (const connection of connected) {
          if (except?.(connection.id) !== true) connection.notify(method, params)
        }
      }
    }
  })
}
