/**
 * The client side of a conversation with an app-server: the protocol's schemas on top of a `Peer`.
 *
 * What comes from the server is read openly, what is sent to it is checked strictly before it leaves.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as ErrorCodes from "../protocol/ErrorCodes.ts"
import type * as Open from "../protocol/generated/OpenTypes.ts"
import type * as Strict from "../protocol/generated/StrictTypes.ts"
import * as Methods from "../protocol/Methods.ts"
import type { ProtocolError } from "../protocol/ProtocolError.ts"
import type { TransportService } from "../transport/Transport.ts"
import type { TransportError } from "../transport/TransportError.ts"
import * as Peer from "./Peer.ts"
import { InvalidParams, MalformedReply, PeerError } from "./PeerError.ts"

/** What a client noticed and went on after. */
export type Diagnostic =
  | Peer.Diagnostic
  /** A notification or a request that does not fit the schema of its method. */
  | { readonly _tag: "Mismatch"; readonly error: ProtocolError }

export interface ClientHandlers {
  /** Called in wire order on the read loop; must not block. */
  readonly onNotification: (message: Methods.ServerNotification) => void
  /** A notification that this release does not know, or one that does not fit its schema: `problem` says so. */
  readonly onUnrecognized: (method: string, params: unknown, problem: ProtocolError) => void
  /** Runs on a fiber of its own; its exit is the answer. `requestId` is the server's, as text. */
  readonly onRequest: (
    request: Methods.ServerRequest,
    requestId: string
  ) => Effect.Effect<unknown, Peer.RpcFailure>
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
}

/** A conversation in which the other side is an app-server. */
export interface ClientPeer {
  readonly request: <M extends keyof Strict.ClientRequests & keyof Open.ClientRequests>(
    method: M,
    params: Strict.ClientRequests[M]["params"],
    options?: Peer.CallOptions
  ) => Effect.Effect<Open.ClientRequests[M]["result"], PeerError>
  readonly notify: <M extends keyof Strict.ClientNotifications>(
    method: M,
    params: Strict.ClientNotifications[M]["params"]
  ) => Effect.Effect<void, PeerError>
  /** Waits for the end of the connection and says how it ended. */
  readonly closed: Effect.Effect<TransportError>
}

const invalidParams = (method: string, error: ProtocolError) =>
  new PeerError({ reason: new InvalidParams({ method, detail: error.message }) })

/** Opens a conversation over a transport. It ends with the transport, or with the scope. */
export const make = Effect.fnUntraced(function*(
  transport: TransportService,
  handlers: ClientHandlers,
  options?: Peer.PeerOptions
): Effect.fn.Return<ClientPeer, never, Scope.Scope> {
  const peer = yield* Peer.make(transport, {
    onNotification: ({ method, params }) => {
      const decoded = Methods.decodeNotification(method, params)
      if (Result.isSuccess(decoded)) return handlers.onNotification(decoded.success)
      if (decoded.failure.reason._tag === "Mismatch") {
        handlers.onDiagnostic({ _tag: "Mismatch", error: decoded.failure })
      }
      return handlers.onUnrecognized(method, params, decoded.failure)
    },
    onRequest: ({ id, method, params }) => {
      const decoded = Methods.decodeServerRequest(method, params)
      if (Result.isSuccess(decoded)) {
        const request = decoded.success
        return Effect.flatMap(handlers.onRequest(request, String(id)), (result) => {
          // Whether it has the type is what this call finds out.
          const encoded = Methods.encodeServerResult(request.method, result as never)
          if (Result.isSuccess(encoded)) return Effect.succeed(result)
          handlers.onDiagnostic({ _tag: "Mismatch", error: encoded.failure })
          return Effect.fail({ code: ErrorCodes.internalError, message: encoded.failure.message })
        })
      }
      const { message, reason } = decoded.failure
      handlers.onDiagnostic({ _tag: "Mismatch", error: decoded.failure })
      const code = reason._tag === "UnknownMethod" ? ErrorCodes.methodNotFound : ErrorCodes.invalidParams
      return Effect.fail({ code, message })
    },
    onDiagnostic: handlers.onDiagnostic
  }, options)

  return {
    request: (method, params, callOptions) =>
      Effect.suspend(() => {
        const encoded = Methods.encodeClientParams(method, params)
        if (Result.isFailure(encoded)) return Effect.fail(invalidParams(method, encoded.failure))
        return Effect.flatMap(peer.call(method, encoded.success, callOptions), (result) => {
          const decoded = Methods.decodeClientResult(method, result)
          if (Result.isSuccess(decoded)) return Effect.succeed(decoded.success)
          const reason = new MalformedReply({ method, detail: decoded.failure.message })
          return Effect.fail(new PeerError({ reason }))
        })
      }),
    notify: (method, params) =>
      Effect.suspend(() => {
        const encoded = Methods.encodeClientNotification(method, params)
        return Result.isFailure(encoded)
          ? Effect.fail(invalidParams(method, encoded.failure))
          : peer.notify(method, encoded.success ?? undefined)
      }),
    closed: peer.closed
  }
})
