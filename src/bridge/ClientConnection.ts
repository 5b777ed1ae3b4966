/**
 * A client as the features of the bridge see it.
 */
import type * as Effect from "effect/Effect"
import type { PeerError } from "../peer/PeerError.ts"
import type { RequestId } from "../protocol/Envelope.ts"
import type * as Open from "../protocol/generated/OpenTypes.ts"
import type * as Strict from "../protocol/generated/StrictTypes.ts"
import type { BridgeError } from "./BridgeError.ts"

export type NotificationMethod = keyof Strict.ServerNotifications
export type ServerMethod = keyof Strict.ServerRequests & keyof Open.ServerRequests

/** One connection, after its handshake. */
export interface ClientConnection {
  /** Unique in this process. */
  readonly id: number
  readonly client: { readonly name: string; readonly title: string | null; readonly version: string }
  /** Whether it asked for the experimental API. */
  readonly experimental: boolean
  /**
   * Hands over a notification, in order. Never waits: what a client has opted out of is left out, and one that stays
   * too far behind is disconnected.
   */
  readonly notify: <M extends NotificationMethod>(method: M, params: Strict.ServerNotifications[M]["params"]) => void
  /** Asks the client, with this id if one is given: a request that was asked before keeps its id. */
  readonly request: <M extends ServerMethod>(
    method: M,
    params: Strict.ServerRequests[M]["params"],
    options?: { readonly id?: number }
  ) => Effect.Effect<Open.ServerRequests[M]["result"], PeerError>
  /**
   * How to wait until the client has taken enough of what it was told, or has left; `undefined` while it is not far
   * behind. For whatever can be held back: what goes on talking gets the client disconnected in the end.
   */
  readonly behind: () => Effect.Effect<void> | undefined
  /** Runs `release` when the connection ends. Returns how to take that back. */
  readonly onClose: (release: () => void) => () => void
}

export type ClientMethod = keyof Open.ClientRequests & keyof Strict.ClientRequests

/** The request that is being served. */
export interface Call {
  /** The client's id for it. */
  readonly id: RequestId
  /** Runs something right behind the answer, e.g. the notifications that belong there. Must not block. */
  readonly afterAnswer: (run: () => void) => void
}

/** Serves one method. Runs on a fiber of its own, which ends with its connection. */
export type Handler<M extends ClientMethod> = (
  params: Open.ClientRequests[M]["params"],
  connection: ClientConnection,
  call: Call
) => Effect.Effect<Strict.ClientRequests[M]["result"], BridgeError>

/** What a feature serves. */
export type Handlers = { readonly [M in ClientMethod]?: Handler<M> }
