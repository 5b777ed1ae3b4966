/**
 * The catalogue of a bridge in a throw-away home, asked as the router asks it: params are read, results checked.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { AgentBackend } from "../../../../src/agent/index.ts"
import * as ScriptedBackend from "../../../../src/backends/scripted/ScriptedBackend.ts"
import * as BridgeConfig from "../../../../src/bridge/BridgeConfig.ts"
import { type BridgeError, toRpc } from "../../../../src/bridge/BridgeError.ts"
import * as Catalog from "../../../../src/bridge/catalog/Catalog.ts"
import * as CodexConfig from "../../../../src/bridge/catalog/CodexConfig.ts"
import type { Call, ClientConnection, ClientMethod, Handler } from "../../../../src/bridge/ClientConnection.ts"
import { complete } from "../../../../src/bridge/MethodTable.ts"
import { refusal as refusalOf } from "../../../../src/peer/internal/Refusal.ts"
import type { JsonRpcError } from "../../../../src/protocol/Envelope.ts"
import type * as Strict from "../../../../src/protocol/generated/StrictTypes.ts"
import * as Methods from "../../../../src/protocol/Methods.ts"

export const connection: ClientConnection = {
  id: 1,
  client: { name: "test", title: null, version: "1.0.0" },
  experimental: true,
  notify: () => {},
  request: () => Effect.die("nobody asks the client"),
  behind: () => undefined,
  onClose: () => () => {}
}

const call: Call = { id: 0, afterAnswer: () => {} }

export interface Options {
  readonly settings?: Partial<BridgeConfig.Settings>
  readonly backend?: Partial<AgentBackend["Service"]>
}

/** A new home for each build. */
export const layer = (options: Options = {}) => {
  const settings = Layer.effect(
    BridgeConfig.BridgeConfig,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const home = yield* fs.makeTempDirectoryScoped({ prefix: "bridge-" })
      return BridgeConfig.make(home, options.settings)
    })
  )
  const backend = Layer.effect(
    AgentBackend,
    Effect.map(ScriptedBackend.make({ turns: [] }), (scripted) => ({ ...scripted, ...options.backend }))
  )
  return Layer.provideMerge(
    CodexConfig.layer,
    Layer.mergeAll(settings, backend)
  ).pipe(Layer.provideMerge(NodeServices.layer))
}

/** A request that was refused. */
export class Refused {
  readonly error: JsonRpcError
  constructor(error: JsonRpcError) {
    this.error = error
  }
}

/** Asks with params as they come over the wire. Succeeds with the checked result, or with the refusal. */
export const ask = <M extends ClientMethod>(
  method: M,
  params: unknown
): Effect.Effect<
  Strict.ClientRequests[M]["result"] | Refused,
  never,
  Effect.Services<typeof Catalog.handlers>
> =>
  Effect.gen(function*() {
    const decoded = Methods.decodeClientRequest(method, params)
    if (Result.isFailure(decoded)) return new Refused(refusalOf(method, params, decoded.failure))
    const handler: Handler<M> = complete(yield* Catalog.handlers)[method]
    // The decoder has just found that they are the params of this method.
    const answer: Effect.Effect<Strict.ClientRequests[M]["result"], BridgeError> = handler(
      params as never,
      connection,
      call
    )
    return yield* answer.pipe(
      Effect.flatMap((result) => {
        const encoded = Methods.encodeClientResult(method, result)
        return Result.isSuccess(encoded) ? Effect.succeed(encoded.success) : Effect.die(encoded.failure)
      }),
      Effect.catch((error) => Effect.succeed(new Refused(toRpc(error))))
    )
  })

/** Asks, and dies of a refusal. */
export const answer = <M extends ClientMethod>(method: M, params: unknown) =>
  ask(method, params).pipe(
    Effect.filterOrElse(
      (answer): answer is Strict.ClientRequests[M]["result"] => !(answer instanceof Refused),
      (answer) => Effect.die(answer)
    )
  )

/** The sentence of a refusal. */
export const refusal = (method: ClientMethod, params: unknown) =>
  ask(method, params).pipe(
    Effect.filterOrElse((answer) => answer instanceof Refused, (answer) => Effect.die(answer)),
    Effect.map(({ error }) => error.message)
  )
