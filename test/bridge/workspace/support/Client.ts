/**
 * A client of the workspace methods without a wire: what it sends is read, and what it gets is checked, as on
 * a connection.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Os from "node:os"
import { type BridgeError, toRpc } from "../../../../src/bridge/BridgeError.ts"
import type { ClientConnection, ClientMethod, Handlers } from "../../../../src/bridge/ClientConnection.ts"
import * as Workspace from "../../../../src/bridge/workspace/Workspace.ts"
import { refusal } from "../../../../src/peer/internal/Refusal.ts"
import type { JsonRpcError } from "../../../../src/protocol/Envelope.ts"
import type * as Strict from "../../../../src/protocol/generated/StrictTypes.ts"
import * as Methods from "../../../../src/protocol/Methods.ts"

export type Notifications = Strict.ServerNotifications
export type Method = keyof Notifications

export interface Notification {
  readonly method: Method
  readonly params: unknown
}

export interface Client {
  /** What the server said, in order. */
  readonly heard: Array<Notification>
  /** The answer to a request, or its refusal as it goes over the wire. */
  readonly call: <M extends ClientMethod>(
    method: M,
    params: Strict.ClientRequests[M]["params"]
  ) => Effect.Effect<Strict.ClientRequests[M]["result"], JsonRpcError>
  /** Waits for a notification that fits, from the first one on. */
  readonly hear: <M extends Method>(
    method: M,
    fits?: (params: Notifications[M]["params"]) => boolean
  ) => Effect.Effect<Notifications[M]["params"]>
  /** All of one method so far. */
  readonly of: <M extends Method>(method: M) => ReadonlyArray<Notifications[M]["params"]>
  /** Ends the connection: its requests in flight and what the server keeps for it. */
  readonly close: Effect.Effect<void>
}

let connections = 0

/** Connects to handlers. */
export const connect = (
  handlers: Handlers,
  options: { readonly behind?: ClientConnection["behind"] } = {}
): Effect.Effect<Client, never, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Scope.fork(yield* Effect.scope)
    const heard: Array<Notification> = []
    const waiting = new Set<() => void>()
    const releases = new Set<() => void>()
    const connection: ClientConnection = {
      id: ++connections,
      client: { name: "test", title: null, version: "1" },
      experimental: true,
      notify: (method, params) => {
        heard.push({ method, params: Result.getOrThrow(Methods.encodeNotification(method, params)) })
        for (const wake of waiting) wake()
      },
      request: () => Effect.die("nothing is asked"),
      behind: () => options.behind?.(),
      onClose: (release) => {
        releases.add(release)
        return () => releases.delete(release)
      }
    }
    const close = Effect.suspend(() => {
      for (const release of releases) release()
      releases.clear()
      return Scope.close(scope, Exit.void)
    })
    yield* Effect.addFinalizer(() => close)

    // What was heard has been checked by its method.
    const of = <M extends Method>(method: M) =>
      heard.filter((each) => each.method === method).map((each) => each.params as Notifications[M]["params"])

    const call: Client["call"] = (method, params) =>
      Effect.gen(function*() {
        const decoded = yield* Effect.mapError(
          Effect.fromResult(Methods.decodeClientRequest(method, params)),
          (error) => refusal(method, params, error)
        )
        const handler = handlers[method]
        if (handler === undefined) return yield* Effect.die(`nobody serves ${method}`)
        const afterAnswer: Array<() => void> = []
        // On a fiber of the connection, as the router runs it.
        const fiber = yield* handler(decoded.params as never, connection, {
          id: 0,
          afterAnswer: (run) => afterAnswer.push(run)
        }).pipe(Effect.forkIn(scope))
        const exit = yield* Effect.callback<Exit.Exit<Strict.ClientRequests[typeof method]["result"], BridgeError>>((
          resume
        ) => {
          fiber.addObserver((exit) => resume(Effect.succeed(exit)))
        })
        for (const run of afterAnswer) run()
        if (Exit.isSuccess(exit)) return Result.getOrThrow(Methods.encodeClientResult(method, exit.value))
        const error = Cause.findErrorOption(exit.cause)
        return yield* Option.isSome(error) ? Effect.fail(toRpc(error.value)) : Effect.die(exit.cause)
      })

    const hear: Client["hear"] = (method, fits = () => true) =>
      Effect.callback((resume) => {
        const look = () => {
          const found = of(method).find(fits)
          if (found === undefined) return
          waiting.delete(look)
          resume(Effect.succeed(found))
        }
        waiting.add(look)
        look()
        return Effect.sync(() => waiting.delete(look))
      })

    return { heard, call, hear, of, close }
  })

/** A client of a workspace of its own, and an empty directory: its real path. */
export const make = (
  options: (directory: string) => Workspace.Options = (cwd) => ({ cwd })
): Effect.Effect<Client & { readonly directory: string; readonly handlers: Handlers }, never, Scope.Scope> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const directory = yield* Effect.orDie(
      Effect.flatMap(
        fs.makeTempDirectoryScoped({ directory: Os.tmpdir(), prefix: "ws-" }),
        fs.realPath
      )
    )
    const handlers = yield* Workspace.make(options(directory))
    return { ...(yield* connect(handlers)), directory, handlers }
  }).pipe(Effect.provide(NodeServices.layer))

/** A refusal. */
export const refused = <A>(effect: Effect.Effect<A, JsonRpcError>): Effect.Effect<JsonRpcError, A> =>
  Effect.flip(effect)

export const base64 = (text: string): string => Buffer.from(text).toString("base64")
export const text = (base64: string): string => Buffer.from(base64, "base64").toString()
