/**
 * One bridge: every client of it, on whatever transport, sees the same threads.
 *
 * A connection begins with `initialize`. Each of its requests is a fiber that ends with it, and is answered exactly once:
 * with a result, or with an error in the real server's words. Which agent it is need not be known before the first
 * request behind the handshake.
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import type * as Scope from "effect/Scope"
import * as Os from "node:os"
import type { AgentBackend } from "../agent/AgentBackend.ts"
import * as ServerPeer from "../peer/ServerPeer.ts"
import type { JsonRpcError } from "../protocol/Envelope.ts"
import * as ErrorCodes from "../protocol/ErrorCodes.ts"
import type * as Open from "../protocol/generated/OpenTypes.ts"
import type * as Strict from "../protocol/generated/StrictTypes.ts"
import * as Methods from "../protocol/Methods.ts"
import type { ServerTransport } from "../transport/ServerTransport.ts"
import type { TransportError } from "../transport/TransportError.ts"
import { BridgeConfig } from "./BridgeConfig.ts"
import { type BridgeError, toRpc } from "./BridgeError.ts"
import { handlers as catalogHandlers } from "./catalog/Catalog.ts"
import type { CodexConfig } from "./catalog/CodexConfig.ts"
import { isLegacyMethod, legacyHandlers } from "./catalog/Legacy.ts"
import { remoteControlStatus } from "./catalog/Server.ts"
import type { Call, ClientConnection, Handler, Handlers } from "./ClientConnection.ts"
import { Clients } from "./Clients.ts"
import { Drain } from "./Drain.ts"
import * as MessageLimit from "./MessageLimit.ts"
import { complete } from "./MethodTable.ts"
import type { ThreadStore } from "./store/ThreadStore.ts"
import * as ThreadMethods from "./threads/ThreadMethods.ts"
import { Threads } from "./threads/Threads.ts"
import { handlers as workspaceHandlers } from "./workspace/Workspace.ts"

/** What serves the requests of clients behind the handshake. */
export interface Inside {
  readonly answers: ReturnType<typeof complete>
  readonly legacy: Effect.Success<typeof legacyHandlers>
  readonly threads: Threads["Service"]
  /** What every client is told when it connects, e.g. that there is no real agent. */
  readonly notice: string | undefined
}

export class BridgeServer extends Context.Service<BridgeServer, {
  /** Serves one client until its connection ends, and says how it ended. */
  readonly serve: (transport: ServerTransport) => Effect.Effect<TransportError, never, Scope.Scope>
  /**
   * Lets nothing begin any more, and ends when no turn runs: clients are served meanwhile, and refused what would begin
   * something. How long that takes is up to the agents, and to those who answer them.
   */
  readonly drain: Effect.Effect<void>
  /** Interrupts the turns that run; ends when that is stored and their clients have been told. */
  readonly interrupt: Effect.Effect<void>
  /** How many turns run. */
  readonly running: () => number
}>()("effect-codex-bridge/bridge/BridgeServer") {}

type InsideServices =
  | AgentBackend
  | BridgeConfig
  | ChildProcessSpawner
  | Clients
  | CodexConfig
  | FileSystem.FileSystem
  | Path.Path
  | Scope.Scope
  | Threads
  | ThreadStore

/** Handlers over the services that they need. Those that are given are in place of the built-in ones, or besides them. */
export const inside = (
  notice: string | undefined,
  handlers: Handlers | undefined
): Effect.Effect<Inside, never, InsideServices> =>
  Effect.gen(function*() {
    return {
      answers: complete({
        ...(yield* catalogHandlers),
        ...(yield* ThreadMethods.handlers),
        ...(yield* workspaceHandlers),
        ...handlers
      }),
      legacy: yield* legacyHandlers,
      threads: yield* Threads,
      notice
    }
  })

const platforms: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: "macos", win32: "windows" }

/** Programs parse it: the name of the first client of this process, the version, the system, the client. */
const userAgent = (originator: string, version: string, client: Open.ClientInfo): string =>
  `${originator}/${version} (${Os.type()} ${Os.release()}; ${Os.machine()}) ` +
  `${process.env["TERM_PROGRAM"] ?? "unknown"} (${client.name}; ${client.version})`

const refused = (error: BridgeError): Effect.Effect<never, JsonRpcError> =>
  Effect.andThen(
    error.reason._tag === "Internal" ? Effect.logError(error.reason.message, error.reason.cause) : Effect.void,
    Effect.fail(toRpc(error))
  )

/** A server; `coming` may take its time, and requests wait for it. */
export const make = (
  coming: Effect.Effect<Inside>
): Effect.Effect<BridgeServer["Service"], never, BridgeConfig | Clients | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const settings = yield* BridgeConfig
    const clients = yield* Clients
    const drain = new Drain()
    const context = yield* Effect.context<BridgeConfig | FileSystem.FileSystem | Path.Path>()
    let inside: Inside | undefined
    const whenInside = Effect.tap(coming, (come) =>
      Effect.sync(() => {
        inside = come
      }))
    const withInside = <A, E>(use: (inside: Inside) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.suspend(() => inside === undefined ? Effect.flatMap(whenInside, use) : use(inside))

    const fork = Effect.runForkWith(yield* Effect.context<never>())

    let connections = 0
    let originator: string | undefined

    const status = yield* Effect.provide(remoteControlStatus, context).pipe(
      // No reason to turn clients away.
      Effect.catch((error) => Effect.as(Effect.logError(error.message), undefined))
    )

    /** What clients are told unasked when they have come. */
    const greet = ({ notify }: ClientConnection): void => {
      fork(withInside(({ notice }) =>
        Effect.sync(() => {
          if (notice !== undefined) notify("configWarning", { summary: notice, details: null })
        })
      ))
      if (status !== undefined) notify("remoteControl/status/changed", status)
    }

    const serve: BridgeServer["Service"]["serve"] = Effect.fnUntraced(function*(transport) {
      const id = connections++
      const opened = yield* Deferred.make<ServerPeer.ServerPeer>()
      const releases = new Set<() => void>()
      let connection: ClientConnection | undefined

      const initialize = (
        peer: ServerPeer.ServerPeer,
        { capabilities, clientInfo }: Open.InitializeParams,
        call: Call
      ): Strict.InitializeResponse => {
        const optedOut = new Set<string>(capabilities?.optOutNotificationMethods ?? [])
        const client: ClientConnection = {
          id,
          client: { name: clientInfo.name, title: clientInfo.title ?? null, version: clientInfo.version },
          experimental: capabilities?.experimentalApi === true,
          notify: (method, params) => {
            if (!optedOut.has(method)) peer.notify(method, params)
          },
          request: peer.request,
          behind: peer.behind,
          onClose: (release) => {
            releases.add(release)
            return () => {
              releases.delete(release)
            }
          }
        }
        connection = client
        originator ??= clientInfo.name
        clients.add(client)
        call.afterAnswer(() => greet(client))
        return {
          userAgent: userAgent(originator, settings.version, clientInfo),
          codexHome: settings.codexHome,
          platformFamily: process.platform === "win32" ? "windows" : "unix",
          platformOs: platforms[process.platform] ?? process.platform
        }
      }

      const answer = (
        peer: ServerPeer.ServerPeer,
        request: Methods.ClientRequest,
        call: Call
      ): Effect.Effect<unknown, JsonRpcError> => {
        if (request.method === "initialize") {
          if (connection !== undefined) return Effect.fail(ErrorCodes.alreadyInitialized)
          return Effect.succeed(initialize(peer, request.params, call))
        }
        if (connection === undefined) return Effect.fail(ErrorCodes.notInitialized)
        if (!connection.experimental) {
          const experimental = Methods.experimentalUse(request.method, request.params)
          if (experimental !== undefined) return Effect.fail(ErrorCodes.experimentalRequired(experimental))
        }
        const client = connection
        return drain.admit(
          request.method,
          withInside(({ answers }) => {
            // A handler and its parameters have the same method, which the compiler cannot follow.
            const handler = answers[request.method] as Handler<"thread/read">
            return Effect.catch(handler(request.params as Open.ThreadReadParams, client, call), refused)
          })
        )
      }

      const answerLegacy = (method: string, params: unknown): Effect.Effect<unknown, JsonRpcError> | undefined => {
        if (!isLegacyMethod(method)) return undefined
        if (params === undefined || params === null) return Effect.fail(ErrorCodes.missingField("params"))
        if (connection === undefined) return Effect.fail(ErrorCodes.notInitialized)
        return withInside(({ legacy }) => Effect.catch(legacy[method](params), refused))
      }

      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const release of releases) release()
        })
      )
      const peer = yield* ServerPeer.make(transport, {
        onRequest: (request, call) => Effect.flatMap(Deferred.await(opened), (peer) => answer(peer, request, call)),
        onUnlisted: answerLegacy,
        onNotification: () => {}
      }, {
        inboundLimit: settings.limits.requests,
        queue: { characters: settings.limits.outboundBytes },
        frame: (frame, methodOf) => {
          const fitted = MessageLimit.fitted(frame, settings.limits.messageBytes, methodOf)
          if (fitted._tag === "TooLarge") {
            fork(Effect.logWarning(`NOT SENT: ${fitted.method} of ${fitted.bytes} bytes`))
          }
          return fitted.frame
        },
        // Nobody but threads asks clients.
        nextRequestId: () => inside?.threads.nextRequestId() ?? 0
      })
      yield* Deferred.succeed(opened, peer)
      return yield* peer.closed
    })

    return {
      serve,
      drain: Effect.suspend(() => {
        drain.begin()
        return Effect.andThen(drain.served, Effect.suspend(() => inside?.threads.drain ?? Effect.void))
      }),
      interrupt: Effect.suspend(() => {
        drain.begin()
        return inside?.threads.interruptAll ?? Effect.void
      }),
      running: () => inside?.threads.running() ?? 0
    }
  })
