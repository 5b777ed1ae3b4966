/**
 * `codex-bridge app-server`: serves Codex clients until it is told to stop, or until its one client on stdio has left.
 *
 * On sockets the first signal lets turns that run come to their end, however long that takes, while clients are served
 * and nothing new begins; a second SIGINT or SIGTERM interrupts them. On stdio the one client is the one that ends the
 * server, so that its turns are interrupted at once; there SIGINT and SIGHUP are also what the process dies of.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Predicate from "effect/Predicate"
import * as References from "effect/References"
import * as Stream from "effect/Stream"
import { dirname, resolve } from "node:path"
import { AgentBackend } from "../../agent/AgentBackend.ts"
import * as Selector from "../../backends/selector/Selector.ts"
import * as Bridge from "../../bridge/Bridge.ts"
import { BridgeConfig, load, type Settings } from "../../bridge/BridgeConfig.ts"
import { BridgeServer } from "../../bridge/BridgeServer.ts"
import * as Directories from "../../transport/Directories.ts"
import { ProcessTable } from "../../transport/ProcessTable.ts"
import * as StdioTransport from "../../transport/StdioTransport.ts"
import type { WebSocketServer } from "../../transport/WebSocketServer.ts"
import { endWith, exitCodes } from "../ExitCode.ts"
import { UsageError } from "../UsageError.ts"
import { workingDirectory } from "../WorkingDirectory.ts"
import type { AppServerArguments } from "./Arguments.ts"
import * as Listen from "./Listen.ts"
import * as Signals from "./Signals.ts"

/** Every line goes to the log file; what matters to whoever started the server, to stderr as well. */
const logging = (settings: Settings): Layer.Layer<never, never, FileSystem.FileSystem> =>
  Logger.layer([
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      return yield* Directories.make(fs, dirname(settings.logFile), 0o700).pipe(
        Effect.andThen(Logger.toFile(Logger.formatLogFmt, settings.logFile, { flag: "a", mode: 0o600 })),
        Effect.catch((error) =>
          Effect.sync(() => {
            process.stderr.write(`No log file: ${error.message}\n`)
            return Logger.make(() => {})
          })
        )
      )
    }),
    Logger.map(Logger.formatLogFmt, (line) => {
      process.stderr.write(`${line}\n`)
    })
  ])

/** Serves whoever comes, until it is interrupted; then everybody is told what is left to be told, all at once. */
const serveAll = Effect.fnUntraced(function*(server: WebSocketServer, bridge: BridgeServer["Service"]) {
  const run = yield* FiberSet.makeRuntime<never>()
  yield* Stream.runForEach(
    Stream.fromQueue(server.connections),
    ({ transport }) => Effect.sync(() => run(Effect.scoped(bridge.serve(transport))))
  )
}, Effect.scoped)

/** Waits until somebody wants it to end and, if there is time, turns have ended by themselves. */
const untilDone = (bridge: BridgeServer["Service"], { asked, urged }: Signals.Signals) =>
  Effect.gen(function*() {
    const signal = yield* asked
    const running = bridge.running()
    yield* Effect.logInfo(`${signal}: ${running === 0 ? "no turn runs" : `waiting for ${running} running turns`}`)
    yield* Effect.raceFirst(bridge.drain, urged)
    if (bridge.running() > 0) yield* Effect.logInfo(`Interrupting ${bridge.running()} running turns`)
    yield* bridge.interrupt
  })

/** What a process dies of when nobody handles the signal: whoever started it can tell. */
const dieOf = (signal: Signals.Signal) =>
  Effect.sync(() => {
    process.kill(process.pid, signal)
  })

/** The agent, and what clients are told when it is none. */
const chooseAgent = Effect.fnUntraced(function*(settings: Settings) {
  const { agentBin, backend: name, provider, scenario } = settings
  const agent = yield* Layer.build(Selector.layer({ backend: name, agentBin, scenario, provider }))
  const { backend, candidates, reason } = Context.get(agent, Selector.Selection)
  for (const { backend, detail, suitable } of candidates) {
    if (!suitable) yield* Effect.logInfo(`Not taken: ${backend} (${detail})`)
  }
  yield* Effect.logInfo(`Agent: ${backend} (${reason})`)
  const isAsked = name !== "auto" || scenario !== undefined
  return {
    backend: Context.get(agent, AgentBackend),
    notice: backend === "scripted" && !isAsked ? `There is no agent behind this server: ${reason}` : undefined
  }
})

const server = Effect.fnUntraced(function*(
  { config, ignored, listen, options, unknown }: AppServerArguments,
  settings: Settings,
  signals: Signals.Signals
) {
  const where = yield* Listen.parse(listen)
  const auth = yield* Listen.auth(options)
  if (auth !== undefined && where._tag !== "WebSocket") {
    yield* Effect.logWarning(`--ws-auth is for ws:// alone: it asks nothing of clients at ${listen}`)
  }
  if (unknown.length > 0) yield* Effect.logWarning(`Unknown flags were left out: ${unknown.join(" ")}`)
  if (ignored.length > 0) yield* Effect.logDebug(`Flags without a meaning here: ${ignored.join(" ")}`)
  if (config.length > 0) yield* Effect.logDebug(`Configuration of codex without a meaning here: ${config.join(" ")}`)

  const choosing = yield* Effect.forkScoped(chooseAgent(settings))
  // One that is asked for is there at once, or cannot be had. Looking for one may mean to start it.
  if (settings.backend !== "auto" || settings.scenario !== undefined) yield* Fiber.join(choosing)

  const bridge = Context.get(
    yield* Layer.build(
      Bridge.layerComing(Effect.orDie(Fiber.join(choosing))).pipe(
        Layer.provide(Layer.succeed(BridgeConfig, settings))
      )
    ),
    BridgeServer
  )

  const limits = { frameLimit: settings.limits.frameBytes, connectionLimit: settings.limits.connections }
  // A server of sockets is loaded when there is to be one.
  switch (where._tag) {
    case "Stdio": {
      const transport = yield* StdioTransport.make(limits)
      const ended = yield* Effect.raceFirst(
        Effect.scoped(bridge.serve(transport)),
        Effect.tap(signals.asked, () => Effect.raceFirst(bridge.interrupt, signals.urged))
      )
      if (!Predicate.isString(ended)) yield* Effect.logDebug(ended.message)
      else if (ended !== "SIGTERM") return ended
      return undefined
    }
    case "Unix": {
      const ControlSocket = yield* Effect.promise(() => import("../../transport/ControlSocket.ts"))
      const listening = yield* ControlSocket.serve({
        path: where.path ?? ControlSocket.defaultPath(settings.codexHome),
        privateDirectory: where.path === undefined,
        ...limits
      })
      yield* Effect.logInfo(`Listening on ${listening.address}`)
      yield* Effect.raceFirst(serveAll(listening, bridge), untilDone(bridge, signals))
      return undefined
    }
    case "WebSocket": {
      const WebSocketServer = yield* Effect.promise(() => import("../../transport/WebSocketServer.ts"))
      const listening = yield* WebSocketServer.make({ listen: where, auth, ...limits })
      // As the real server does: whoever asked for port 0 reads the port here.
      process.stderr.write(`codex app-server (WebSockets)\n  listening on: ${listening.address}\n`)
      yield* Effect.raceFirst(serveAll(listening, bridge), untilDone(bridge, signals))
      return undefined
    }
  }
})

const machine = ProcessTable.layer.pipe(Layer.provideMerge(NodeServices.layer))

const settingsOf = ({ options }: AppServerArguments) =>
  load({
    environment: process.env,
    overrides: {
      backend: options["backend"],
      agent_bin: options["agent-bin"],
      scenario: options["scenario"] === undefined ? undefined : resolve(options["scenario"]),
      log_file: options["log-file"],
      log_level: options["log-level"]
    }
  })

const levels = { trace: "Trace", debug: "Debug", info: "Info", warn: "Warn", error: "Error" } as const

/** Runs until the end and sets the exit code. */
export const run = (given: AppServerArguments): Effect.Effect<void> =>
  Effect.gen(function*() {
    yield* StdioTransport.claimStdout
    const { clash } = given
    if (clash !== undefined) {
      const detail = clash.other === clash.flag
        ? "cannot be used multiple times"
        : `cannot be used with --${clash.other}`
      return yield* new UsageError({ flag: `--${clash.flag}`, detail })
    }
    yield* workingDirectory
    const signals = yield* Signals.listen(() => process.exit(exitCodes.interrupted))
    const settings = yield* settingsOf(given)
    return yield* Effect.scoped(server(given, settings, signals)).pipe(
      Effect.provide(logging(settings)),
      Effect.provideService(References.MinimumLogLevel, levels[settings.logLevel])
    )
  }).pipe(
    Effect.scoped,
    Effect.provide(machine),
    Effect.flatMap((signal) => signal === undefined ? Effect.void : dieOf(signal)),
    Effect.catch((error) =>
      Effect.sync(() => {
        process.stderr.write(`Error: ${error.message}\n`)
        const isUsage = error._tag === "BridgeConfigError" || error._tag === "UsageError"
        endWith(isUsage ? exitCodes.usage : exitCodes.defect)
      })
    )
  )
