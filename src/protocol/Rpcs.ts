/**
 * The request methods as `effect/rpc` groups, for programs that speak in `Rpc` and `RpcGroup`.
 *
 * The groups are definitions: payload, success and error schemas by method. This library's own peer drives the wire,
 * because an `RpcClient` turns an answer that does not fit its schema into a defect.
 */
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { schema } from "./Definitions.ts"
import * as Table from "./generated/MethodTable.ts"
import type * as Open from "./generated/OpenTypes.ts"
import type * as Strict from "./generated/StrictTypes.ts"
import type { Dialect } from "./internal/Dialect.ts"
import type { MethodShape } from "./internal/Shape.ts"

/** The error member of an answer. */
export const JsonRpcError = Schema.Struct({
  code: Schema.Int,
  message: Schema.String,
  data: Schema.optionalKey(Schema.Unknown)
})

type Rpcs<Payloads, Successes> = {
  readonly [M in keyof Payloads & keyof Successes & string]: Payloads[M] extends { readonly params: infer Params }
    ? Successes[M] extends { readonly result: infer Result }
      ? Rpc.Rpc<M, Schema.Codec<Params>, Schema.Codec<Result>, typeof JsonRpcError>
    : never
    : never
}[keyof Payloads & keyof Successes & string]

/** Requests of a client, as the client sees them: strict payloads, open results. */
export type ClientRequestRpcs = Rpcs<Strict.ClientRequests, Open.ClientRequests>
/** Requests of a client, as the server sees them: payloads of this release, strict results. */
export type ClientRequestHandlers = Rpcs<Open.ClientRequests, Strict.ClientRequests>
/** Requests of a server, as the server sees them. */
export type ServerRequestRpcs = Rpcs<Strict.ServerRequests, Open.ServerRequests>
/** Requests of a server, as the client sees them. */
export type ServerRequestHandlers = Rpcs<Open.ServerRequests, Strict.ServerRequests>

const group = (methods: Readonly<Record<string, MethodShape>>, payload: Dialect, success: Dialect) =>
  RpcGroup.make(
    ...Object.entries(methods).map(([method, shape]) => {
      const params = shape.params === undefined ? undefined : schema(payload, shape.params)
      return Rpc.make(method, {
        payload: params === undefined
          ? Schema.NullishOr(Schema.Never)
          : shape.paramsOptional
          ? Schema.NullishOr(params)
          : params,
        success: shape.result === undefined ? Schema.Void : schema(success, shape.result),
        error: JsonRpcError
      })
    })
  )

const lazy = <A>(make: () => A): () => A => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

// The generator writes the types beside the tables, which the compiler cannot see: hence a cast for each group.

/** The requests of a client, for the side that calls. Building it builds every schema that it names. */
export const ClientRequestGroup: () => RpcGroup.RpcGroup<ClientRequestRpcs> = lazy(
  () => group(Table.clientRequests, "strict", "open") as unknown as RpcGroup.RpcGroup<ClientRequestRpcs>
)

/** The requests of a client, for the side that answers. */
export const ClientRequestHandlerGroup: () => RpcGroup.RpcGroup<ClientRequestHandlers> = lazy(
  () => group(Table.clientRequests, "request", "strict") as unknown as RpcGroup.RpcGroup<ClientRequestHandlers>
)

/** The requests of a server, for the side that calls. */
export const ServerRequestGroup: () => RpcGroup.RpcGroup<ServerRequestRpcs> = lazy(
  () => group(Table.serverRequests, "strict", "open") as unknown as RpcGroup.RpcGroup<ServerRequestRpcs>
)

/** The requests of a server, for the side that answers. */
export const ServerRequestHandlerGroup: () => RpcGroup.RpcGroup<ServerRequestHandlers> = lazy(
  () => group(Table.serverRequests, "open", "strict") as unknown as RpcGroup.RpcGroup<ServerRequestHandlers>
)
