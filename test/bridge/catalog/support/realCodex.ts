/**
 * The real app-server, offline and without an account, to compare answers with.
 */
import * as Effect from "effect/Effect"
import * as Peer from "../../../../src/peer/Peer.ts"
import * as ChildTransport from "../../../../src/transport/ChildTransport.ts"
import * as CodexHome from "../../../support/CodexHome.ts"

/** Asks the real server. Succeeds with the result, or with the error as `{ code, message }`. */
export type AskReal = (method: string, params: unknown) => Effect.Effect<RealAnswer>

export type RealAnswer =
  | { readonly _tag: "Result"; readonly result: unknown }
  | { readonly _tag: "Error"; readonly code: number; readonly message: string }

export const make = Effect.gen(function*() {
  // Nothing listens there, and nothing asks a model here.
  const home = yield* CodexHome.make({ baseUrl: "http://127.0.0.1:9/v1" })
  const transport = yield* ChildTransport.make({
    command: home.codexBin,
    args: ["app-server"],
    cwd: home.work,
    env: home.env,
    extendEnv: false
  })
  const peer = yield* Peer.make(transport, {
    onNotification: () => {},
    onRequest: () => Effect.fail({ code: -32601, message: "nobody answers here" }),
    onDiagnostic: () => {}
  })
  yield* peer.call("initialize", {
    clientInfo: { name: "comparison", title: null, version: "1.0.0" },
    capabilities: { experimentalApi: true }
  })
  const ask: AskReal = (method, params) =>
    peer.call(method, params).pipe(
      Effect.map((result): RealAnswer => ({ _tag: "Result", result })),
      Effect.catch((error): Effect.Effect<RealAnswer> =>
        error.reason._tag === "Rejected"
          ? Effect.succeed({ _tag: "Error", code: error.reason.code, message: error.reason.message })
          : Effect.die(error)
      )
    )
  return { ask, home }
})
