/**
 * The bridge as a process of its own with the scripted agent, in a throw-away home, and clients that are mere wires.
 */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Scope from "effect/Scope"
import * as WebSocketTransport from "../../../src/transport/WebSocketTransport.ts"
import { start as startCli } from "../../cli/support/runCli.ts"
import * as WireClient from "../../support/WireClient.ts"

/** A directory for homes that may be used by one server after the other. */
export const freshHome = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped({ prefix: "br-" }))

export interface Running {
  readonly url: string
  readonly pid: number
  /** Ends it as a crash does, and waits until it is gone. */
  readonly kill: Effect.Effect<void>
  /** Asks it to end, and waits for its exit code. */
  readonly stop: Effect.Effect<number, unknown>
}

/** A server that listens. The scope ends it. */
export const serve = Effect.fnUntraced(function*(
  home: string,
  options: { readonly listen?: "unix" | "ws"; readonly args?: ReadonlyArray<string> } = {}
) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  const listen = options.listen === "ws" ? "ws://127.0.0.1:0" : `unix://${home}/s`
  const child = yield* startCli(
    "node",
    ["app-server", "--backend", "scripted", "--listen", listen, ...options.args ?? []],
    { env: { CODEX_HOME: home, HOME: home }, cwd: home }
  ).pipe(Scope.provide(scope))
  const isUp = child.warned(options.listen === "ws" ? "listening on: ws://" : "Listening on unix://")
  const failed = Effect.flatMap(
    child.ended,
    ({ code, stderr }) => Effect.die(new Error(`the server ended with ${code} before it listened:\n${stderr}`))
  )
  const said = yield* Effect.raceFirst(isUp, failed)
  const url = options.listen === "ws" ? /listening on: (ws:\/\/[^\s/]+)/.exec(said)?.[1] : listen
  assert(url !== undefined, `the server names no address:\n${said}`)
  const running: Running = {
    url,
    pid: child.pid,
    kill: Effect.andThen(
      Effect.sync(() => process.kill(child.pid, "SIGKILL")),
      Effect.andThen(Effect.exit(child.ended), Scope.close(scope, Exit.void))
    ),
    stop: Effect.andThen(child.signal("SIGTERM"), Effect.map(child.ended, ({ code }) => code))
  }
  return running
})

/** A client that has said hello. */
export const connect = Effect.fnUntraced(function*(url: string, options: WireClient.InitializeOptions = {}) {
  const client = yield* WireClient.make(yield* WebSocketTransport.make({ url }))
  yield* client.initialize(options)
  return client
})

export const prompt = (threadId: string, text = "go") => ({
  threadId,
  input: [{ type: "text" as const, text, text_elements: [] }]
})
