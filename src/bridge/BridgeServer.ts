/**
 * One bridge: every client of it, on whatever transport, sees the same threads.
 *
 * A connection begins with `initialize`. Each of its requests is a fiber that ends with it, and is answered exactly once:
 * with a result, or with an error in the real server's words.
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
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

export interface Options {
  /** What every client is told when it connects, e.g. that there is no real agent. */
  readonly notice?: string | undefined
  /** Handlers in place of the built-in ones, or besides them. */
  readonly handlers?: Handlers | undefined
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

type Services =
  | AgentBackend
  | BridgeConfig
  | ChildProcessSpawner
  | Clients
  | CodexConfig
  | FileSystem.FileSystem
  | Path.Path
  | Threads
  | ThreadStore

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

const make = (options: Options): Effect.Effect<BridgeServer["Service"], never, Services | Scope.Scope> =>
  Effect.gen(function*() {
    const settings = yield* BridgeConfig
    const clients = yield* Clients
    const threads = yield* Threads
    const drain = new Drain()
    const context = yield* Effect.context<BridgeConfig | FileSystem.FileSystem | Path.Path>()
    const answers = complete({
      ...(yield* catalogHandlers),
      ...(yield* ThreadMethods.handlers),
      ...(yield* workspaceHandlers),
      ...options.handlers
    })

    const legacy = yield* legacyHandlers

    const fork = Effect.runForkWith(yield* Effect.context<never>())

    let connections = 0
    let originator: string | undefined

    const status = yield* Effect.provide(remoteControlStatus, context).pipe(
      // No reason to turn clients away.
      Effect.catch((error) => Effect.as(Effect.logError(error.message), undefined))
    )

    /** What clients are told unasked when they have come. */
    const greet = ({ notify }: ClientConnection): void => {
      if (options.notice !== undefined) notify("configWarning", { summary: options.notice, details: null })
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
        // A handler and its parameters have the same method, which the compiler cannot follow.
        const handler = answers[request.method] as Handler<"thread/read">
        return drain.admit(
          request.method,
          Effect.catch(handler(request.params as Open.ThreadReadParams, connection, call), refused)
        )
      }

      const answerLegacy = (method: string, params: unknown): Effect.Effect<unknown, JsonRpcError> | undefined => {
        if (!isLegacyMethod(method)) return undefined
        if (params === undefined || params === null) return Effect.fail(ErrorCodes.missingField("params"))
        if (connection === undefined) return Effect.fail(ErrorCodes.notInitialized)
        return Effect.catch(legacy[method](params), refused)
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
        nextRequestId: threads.nextRequestId
      })
      yield* Deferred.succeed(opened, peer)
      return yield* peer.closed
    })

    return {
      serve,
      drain: Effect.suspend(() => {
        drain.begin()
        return Effect.andThen(drain.served, threads.drain)
      }),
      interrupt: Effect.suspend(() => {
        drain.begin()
        return threads.interruptAll
      }),
      running: threads.running
    }
  })

/** A bridge over the services that it is made of. */
export const layer = (options: Options = {}): Layer.Layer<BridgeServer, never, Services> =>
  Layer.effect(BridgeServer, make(options))
