/**
 * The `codex app-server` process behind the backend: started when first needed, shared by all threads, started
 * again after a crash.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Path from "effect/Path"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { AgentError } from "../../agent/AgentError.ts"
import { HandshakeFailed, VersionUnsupported } from "../../agent/AgentError.ts"
import * as ClientPeer from "../../peer/ClientPeer.ts"
import type { PeerError } from "../../peer/PeerError.ts"
import { ChildRegistry } from "../../transport/ChildRegistry.ts"
import * as ChildTransport from "../../transport/ChildTransport.ts"
import * as Recorder from "../../transport/Recorder.ts"
import type { TransportService } from "../../transport/Transport.ts"
import { Closed, TransportError } from "../../transport/TransportError.ts"
import { type CodexOptions, type Deadlines, defaultDeadlines, type Remote } from "./CodexOptions.ts"
import { agentError, fromPeerError, fromTransportError } from "./internal/Errors.ts"
import * as Executable from "./internal/Executable.ts"
import * as Notices from "./internal/Notices.ts"
import { ThreadRouter } from "./internal/ThreadRouter.ts"
import * as Version from "./internal/Version.ts"

/** One life of the server process, from its handshake to its end. */
export interface Connection {
  /** Counts the lives; a thread is loaded in the one that started or resumed it. */
  readonly generation: number
  /** Whether the experimental API was asked for. */
  readonly experimental: boolean
  /** As in `0.171.0`. */
  readonly version: string
  readonly codexHome: string | undefined
  readonly request: ClientPeer.ClientPeer["request"]
  readonly threads: ThreadRouter
  /** How it ended; `undefined` while it lives. */
  readonly ended: () => TransportError | undefined
}

export interface LeaseOptions {
  readonly experimental: boolean
  /** Stay with this one while it lives and has what is needed: it holds the thread. */
  readonly prefer?: Connection | undefined
}

interface Live {
  readonly connection: Connection
  readonly close: Effect.Effect<void>
  leases: number
  retired: boolean
}

/** Before another start, after so many lives in a row that ended in use. */
const backoff = (failures: number): Duration.Duration =>
  Duration.millis(failures === 0 ? 0 : Math.min(10_000, 100 * 2 ** Math.min(failures, 10)))

/** The app-server process as a service. */
export class AppServer extends Context.Service<AppServer, {
  readonly options: CodexOptions
  readonly deadlines: Deadlines
  /** The running server, started if need be, and kept until the scope closes. */
  readonly lease: (options: LeaseOptions) => Effect.Effect<Connection, AgentError, Scope.Scope>
}>()("effect-codex-bridge/backends/codex/AppServer") {
  /** Starts nothing by itself. Ends the process, and all that it started, with the layer. */
  static readonly layer = (
    options: CodexOptions
  ): Layer.Layer<AppServer, never, ChildProcessSpawner | ChildRegistry | FileSystem.FileSystem | Path.Path> => {
    const connect = options.remote === undefined ? childOf(options) : Effect.succeed(remoteOf(options.remote))
    return Layer.effect(
      AppServer,
      Effect.flatMap(
        connect,
        (connect) => Effect.flatMap(recorded(connect, options.recordTo), (connect) => make(connect, options))
      )
    )
  }

  /**
   * Speaks with whatever `connect` opens, e.g. a fake in memory. It is opened again after its end. Options that
   * concern the process have no meaning.
   */
  static readonly layerTransport = (connect: Connect, options: CodexOptions = {}): Layer.Layer<AppServer> =>
    Layer.effect(AppServer, make(connect, options))
}

/** Opens a connection to an app-server that was not initialized yet. The scope closes it. */
export type Connect = Effect.Effect<TransportService, AgentError | TransportError, Scope.Scope>

/** Starts the process, and puts it on record for the case that nobody is left to end it. */
const childOf = (options: CodexOptions) =>
  Effect.map(
    Effect.context<ChildProcessSpawner | ChildRegistry | FileSystem.FileSystem | Path.Path>(),
    (services): Connect => {
      // The scope of the layer is among them. A process lives no longer than its connection does.
      const withoutScope = Context.omit(Scope.Scope)(services)
      let reaped = false
      return Effect.gen(function*() {
        const registry = yield* ChildRegistry
        if (!reaped) {
          reaped = true
          const report = yield* registry.reap
          if (report.reaped.length > 0) yield* Effect.logInfo("Ended what a killed host had left running", report)
        }
        const program = yield* Executable.resolve({
          command: options.command ?? "codex",
          env: { ...process.env, ...options.env },
          platform: process.platform,
          arch: process.arch
        })
        const reservation = yield* registry.reserve
        return yield* ChildTransport.make({
          command: program,
          args: [...(options.args ?? []), "app-server"],
          // A directory that cannot be deleted under a process that outlives many working directories.
          cwd: options.cwd ?? "/",
          env: options.env,
          onSpawn: (pid) =>
            reservation.record(pid, "codex").pipe(
              // Without a record it is the end of its stdin alone that ends the process of a killed host.
              Effect.catch((error) => Effect.logWarning("The codex process is not on record", error))
            )
        })
      }).pipe(Effect.provideContext(withoutScope))
    }
  )

/** Connects to a server that runs already. */
const remoteOf = (remote: Remote): Connect =>
  // Only programs that do so load a WebSocket client.
  Effect.promise(() => import("../../transport/WebSocketTransport.ts")).pipe(
    Effect.flatMap(({ make }) => make(remote)),
    Effect.mapError((error) => agentError(new HandshakeFailed({ detail: error.message })))
  )

/** Writes what goes over the wire to a file. */
const recorded = (connect: Connect, file: string | undefined) =>
  Effect.map(
    Effect.context<FileSystem.FileSystem>(),
    (services): Connect =>
      file === undefined ? connect : Effect.flatMap(connect, (transport) =>
        Recorder.fileSink(file).pipe(
          Effect.provideContext(Context.pick(FileSystem.FileSystem)(services)),
          Effect.flatMap((sink) => Recorder.record(transport, sink)),
          Effect.catch((error) => Effect.as(Effect.logWarning("The wire is not recorded", error), transport))
        ))
  )

const make = Effect.fnUntraced(function*(connect: Connect, options: CodexOptions) {
  const layerScope = yield* Effect.scope
  const lock = yield* Semaphore.make(1)
  const deadlines: Deadlines = { ...defaultDeadlines, ...options.deadlines }
  const notices = yield* Notices.make
  // Those that are in use; a server that was replaced goes on for whoever still uses it.
  const lives = new Map<Connection, Live>()
  let current: Live | undefined
  let generation = 0
  let failures = 0

  const open = Effect.fnUntraced(
    function*(experimental: boolean) {
      const id = ++generation
      const transport = yield* connect
      const threads = new ThreadRouter()
      const peer = yield* ClientPeer.make(transport, {
        onNotification: (message) => {
          if (!threads.deliver(message)) notices.notification(message)
        },
        onUnrecognized: (method, params, problem) => threads.unrecognized(method, params, problem.message),
        onRequest: (request, requestId) => threads.request(request, requestId),
        onDiagnostic: notices.diagnostic
      }, { inFlight: options.inFlight, deadline: deadlines.call })
      let ended: TransportError | undefined
      const onEnd = (error: TransportError): void => {
        if (ended !== undefined) return
        ended = error
        threads.close(error)
      }
      yield* Effect.forkScoped(Effect.map(peer.closed, onEnd))
      // Runs before the fiber above is interrupted: no turn is left without an end.
      yield* Effect.addFinalizer(() =>
        Effect.sync(() =>
          onEnd(
            new TransportError({
              reason: new Closed({ target: transport.target, detail: "it was closed by this side" })
            })
          )
        )
      )
      const { clientInfo } = options
      const hello = yield* peer.request("initialize", {
        clientInfo: {
          name: clientInfo?.name ?? "effect-codex-bridge",
          title: clientInfo?.title ?? null,
          version: clientInfo?.version ?? "0.1.0"
        },
        capabilities: experimental ? { experimentalApi: true, requestAttestation: false } : null
      }, { deadline: deadlines.startup })
      const version = yield* checkVersion(hello.userAgent)
      yield* peer.notify("initialized", undefined)
      const connection: Connection = {
        generation: id,
        experimental,
        version,
        codexHome: hello.codexHome,
        request: peer.request,
        threads,
        ended: () => ended
      }
      return connection
    },
    Effect.catchTags({
      TransportError: (error: TransportError) => Effect.fail(agentError(fromTransportError(error, false))),
      PeerError: (error: PeerError) => Effect.fail(agentError(fromHandshake(error)))
    })
  )

  const start = Effect.fnUntraced(function*(experimental: boolean): Effect.fn.Return<Live, AgentError> {
    yield* Effect.sleep(backoff(failures))
    const scope = yield* Scope.fork(layerScope)
    const close = Scope.close(scope, Exit.void)
    const connection = yield* open(experimental).pipe(
      Scope.provide(scope),
      Effect.onError(() => Effect.andThen(Effect.sync(() => failures++), close))
    )
    return { connection, close, leases: 0, retired: false }
  })

  /** Takes a server out of use, and ends it when nobody uses it any more. */
  const retire = (live: Live): Effect.Effect<void> =>
    Effect.suspend(() => {
      live.retired = true
      // One that has ended by itself is of no use to those who hold it.
      if (live.leases > 0 && live.connection.ended() === undefined) return Effect.void
      lives.delete(live.connection)
      return live.close
    })

  const usable = ({ connection }: Live, experimental: boolean): boolean =>
    connection.ended() === undefined && (connection.experimental || !experimental)

  const pick = Effect.fnUntraced(function*({ prefer, ...needs }: LeaseOptions) {
    const experimental = needs.experimental || options.experimentalApi === "always"
    const held = prefer === undefined ? undefined : lives.get(prefer)
    if (held !== undefined && usable(held, experimental)) return held
    const previous = current
    if (previous !== undefined) {
      if (usable(previous, experimental)) return previous
      current = undefined
      if (previous.connection.ended() !== undefined) failures++
      yield* retire(previous)
    }
    const live = yield* start(experimental)
    lives.set(live.connection, live)
    current = live
    return live
  })

  const release = (live: Live): Effect.Effect<void> =>
    Effect.suspend(() => {
      live.leases--
      // It served somebody to the end: if it dies now, the next one need not wait.
      if (live.connection.ended() === undefined) failures = 0
      return live.retired ? retire(live) : Effect.void
    })

  return AppServer.of({
    options,
    deadlines,
    lease: (leaseOptions) =>
      Effect.acquireRelease(
        lock.withPermit(Effect.tap(pick(leaseOptions), (live) => Effect.sync(() => live.leases++))),
        release,
        { interruptible: true }
      ).pipe(Effect.map((live) => live.connection))
  })
})

const fromHandshake = (error: PeerError) => {
  const reason = fromPeerError(error)
  switch (reason._tag) {
    case "AgentDied":
    case "BinaryMissing":
      return reason
    default:
      return new HandshakeFailed({ detail: reason.message })
  }
}

const checkVersion = Effect.fnUntraced(function*(userAgent: string) {
  const version = Version.fromUserAgent(userAgent)
  if (version === undefined) {
    return yield* agentError(
      new HandshakeFailed({ detail: `no version in the user agent ${JSON.stringify(userAgent)}` })
    )
  }
  const minimum = Version.format(Version.minimum)
  const found = Version.format(version)
  if (Version.compare(version, Version.minimum) < 0) {
    return yield* agentError(new VersionUnsupported({ found, minimum }))
  }
  if (Version.compare(version, Version.tested) > 0) {
    yield* Effect.logWarning(
      `codex ${found} is newer than ${Version.format(Version.tested)}, the newest that is tested`
    )
  }
  return found
})
