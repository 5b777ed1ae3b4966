/**
 * A real codex app-server, offline, with the face of `Client`: what it answers is what we have to answer.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Peer from "../../../../src/peer/Peer.ts"
import type { JsonRpcError } from "../../../../src/protocol/Envelope.ts"
import * as ChildTransport from "../../../../src/transport/ChildTransport.ts"
import * as CodexHome from "../../../support/CodexHome.ts"

export interface RealServer {
  /** The directory that it works in: its real path. */
  readonly directory: string
  readonly call: (method: string, params: unknown) => Effect.Effect<unknown, JsonRpcError>
  readonly heard: Array<{ readonly method: string; readonly params: unknown }>
}

/** Starts one. Commands run without a sandbox unless they ask for one. */
export const make: Effect.Effect<RealServer, never, Scope.Scope> = Effect.gen(function*() {
  const home = yield* CodexHome.make({
    baseUrl: "http://127.0.0.1:9/v1",
    settings: { sandbox_mode: "danger-full-access" }
  })
  const transport = yield* ChildTransport.make({
    command: home.codexBin,
    args: ["app-server"],
    cwd: home.work,
    env: home.env,
    extendEnv: false
  })
  const heard: RealServer["heard"] = []
  const peer = yield* Peer.make(transport, {
    onNotification: ({ method, params }) => {
      heard.push({ method, params })
    },
    onRequest: () => Effect.fail({ code: -32601, message: "nothing is served here" }),
    onDiagnostic: () => {}
  })
  const call: RealServer["call"] = (method, params) =>
    peer.call(method, params).pipe(
      Effect.catch(({ reason }) =>
        reason._tag === "Rejected"
          ? Effect.fail({ code: reason.code, message: reason.message })
          : Effect.die(reason)
      )
    )
  yield* call("initialize", {
    clientInfo: { name: "workspace", title: null, version: "1" },
    capabilities: { experimentalApi: true }
  })
  return { directory: home.work, call, heard }
}).pipe(Effect.orDie, Effect.provide(NodeServices.layer))
