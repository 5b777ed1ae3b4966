/**
 * Oh My Pi as a child process: one `omp --mode rpc` a session. Works on Node and Bun; omp itself runs on Bun.
 *
 * The user's own settings, extensions, skills and credentials are in force.
 */
import * as Context from "effect/Context"
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as ChildProcess from "effect/process/ChildProcess"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Os from "node:os"
import { AgentError, InvalidInput, NotConfigured, Rejected } from "../../agent/AgentError.ts"
import { ChildRegistry } from "../../transport/ChildRegistry.ts"
import * as AgentFrame from "../pi-family/AgentFrame.ts"
import { contentOf } from "../pi-family/HostToolContent.ts"
import type { Port, PortHandlers, PortInput, PortOptions, Ports } from "../pi-family/Port.ts"
import * as BridgeExtension from "./internal/BridgeExtension.ts"
import { Dialogs } from "./internal/Dialogs.ts"
import * as OmpExecutable from "./internal/OmpExecutable.ts"
import * as OmpRpc from "./OmpRpc.ts"

/** How omp is started; what a session sets is not among it. */
export type OmpOptions = Pick<
  OmpRpc.OmpRpcOptions,
  "args" | "bun" | "command" | "configOverlays" | "env" | "extendEnv" | "recordTo" | "startDeadline"
>

export const backend = "omp-rpc"

/** A compaction asks the model, twice at times. */
const compactionDeadline = Duration.minutes(10)

type Machine = ChildProcessSpawner | ChildRegistry | FileSystem.FileSystem | Path.Path

const failed = (reason: AgentError["reason"]) => new AgentError({ backend, reason })

/** omp takes what begins with a slash for a command; behind a space it is said to the model. */
const escaped = (text: string): string => text.startsWith("/") ? ` ${text}` : text

const messageOf = ({ images, text }: PortInput) => ({
  message: escaped(text),
  ...(images.length === 0 ? {} : { images: images.map((image) => ({ type: "image" as const, ...image })) })
})

const frameOf = (type: "auto_compaction_end" | "auto_compaction_start", rest: object) =>
  AgentFrame.decode({ type, ...rest })

/** As omp will see it. */
const variable = ({ env, extendEnv }: OmpOptions, name: string): string | undefined =>
  extendEnv === false ? env?.[name] : env?.[name] ?? process.env[name]

export const make = (omp: OmpOptions): Effect.Effect<Ports, never, Machine> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    // These alone: a process has the scope of its session.
    const machine = Context.pick(ChildProcessSpawner, ChildRegistry, FileSystem.FileSystem, Path.Path)(
      yield* Effect.context<Machine>()
    )
    const agentDirectory = variable(omp, "PI_CODING_AGENT_DIR") ??
      path.join(variable(omp, "HOME") ?? Os.homedir(), ".omp", "agent")

    /** What omp loads of ours: an extension, and the settings that it needs. */
    const ourFiles = Effect.gen(function*() {
      const directory = yield* fs.makeTempDirectoryScoped({ prefix: "omp-extension-" })
      const extension = path.join(directory, "effect-codex-bridge.js")
      yield* fs.writeFileString(extension, BridgeExtension.source)
      const settings = path.join(directory, "effect-codex-bridge.yml")
      yield* fs.writeFileString(settings, BridgeExtension.settings)
      return { extension, settings }
    }).pipe(
      Effect.mapError((error) =>
        failed(new Rejected({ operation: "writing the extension for omp", detail: error.message }))
      )
    )

    // What a host that was killed has left running is ended before the first omp of this one.
    const reap = yield* Effect.cached(Effect.gen(function*() {
      const registry = yield* ChildRegistry
      const report = yield* registry.reap
      if (report.reaped.length > 0) yield* Effect.logInfo("Ended what a killed host had left running", report)
    }))

    const start = (options: OmpRpc.OmpRpcOptions, handlers: OmpRpc.RpcHandlers) =>
      Effect.provide(Effect.andThen(reap, OmpRpc.make({ ...omp, ...options }, handlers)), machine)

    const open = Effect.fn("OmpRpcPorts.open")(function*(
      options: PortOptions,
      handlers: PortHandlers
    ): Effect.fn.Return<Port, AgentError, Scope.Scope> {
      const dialogs = new Dialogs(handlers.ask)
      /** Places on the wire that somebody waits for. */
      const places = new Map<string, Deferred.Deferred<void>>()
      const ours = yield* ourFiles

      const rpc = yield* start({
        cwd: options.cwd,
        model: options.model === undefined || options.provider === undefined || options.model.includes("/")
          ? options.model
          : `${options.provider}/${options.model}`,
        thinking: options.effort === undefined ? undefined : levelOf(options.effort),
        resume: options.resume,
        noSession: options.ephemeral,
        appendSystemPrompt: options.instructions,
        asksPeople: true,
        // What is to be asked about, this side's extension asks; omp itself would ask a second time.
        ...(options.asks ? { approvalMode: "yolo" } : {}),
        extensions: [ours.extension],
        configOverlays: [...omp.configOverlays ?? [], ours.settings]
      }, {
        onDialog: (dialog) => {
          const request = dialog.method === "input" ? BridgeExtension.requestOf(dialog.title) : undefined
          if (request === undefined) return dialogs.answer(dialog)
          if (request._tag === "Failure") {
            handlers.event({ _tag: "Warning", code: "malformedNotification", message: request.failure.message })
            return Effect.succeed({ _tag: "Cancelled" })
          }
          const asked = request.success
          if (asked.kind === "toolCall" && asked.name === "ask") dialogs.expect(asked.args)
          const answer: Effect.Effect<object> = asked.kind === "runStart"
            ? handlers.runStart
            : Effect.map(handlers.toolCall(asked), (reason) => ({ reason }))
          return Effect.map(answer, (value) => ({ _tag: "Value", value: JSON.stringify(value) }))
        },
        onHostTool: ({ arguments: args, toolCallId, toolName }) =>
          Effect.map(
            handlers.hostTool({ callId: toolCallId, tool: toolName, arguments: args }),
            ({ content, success }) => ({ content: content.map(contentOf), isError: !success })
          )
      })
      if (options.hostTools.length > 0) {
        yield* rpc.request({
          type: "set_host_tools",
          tools: options.hostTools.map(({ description, inputSchema, name }) => ({
            name,
            label: name,
            description,
            parameters: inputSchema,
            loadMode: "essential"
          }))
        })
      }

      let { model } = rpc.state
      if (model == null) return yield* failed(new NotConfigured({ detail: "omp has no model" }))

      yield* rpc.events.pipe(
        Stream.runForEach((event) =>
          Effect.sync(() => {
            switch (event._tag) {
              case "Frame": {
                const decoded = AgentFrame.decode(event.frame)
                if (decoded._tag === "Success") handlers.event({ _tag: "Frame", frame: decoded.success })
                else handlers.event({ _tag: "Malformed", error: decoded.failure })
                return
              }
              case "Answered": {
                const place = places.get(event.requestId)
                if (place !== undefined) Deferred.doneUnsafe(place, Effect.void)
                return
              }
              case "FailedLater":
                handlers.event({ _tag: "Warning", code: "promptFailed", message: event.error.message })
                handlers.event({ _tag: "Settled" })
                return
              case "Warning":
                handlers.event({ _tag: "Warning", code: "malformedNotification", message: event.detail })
                return
            }
          })
        ),
        Effect.catch((error) => Effect.sync(() => handlers.event({ _tag: "Failed", error }))),
        Effect.forkScoped
      )

      /** Sends a command, and waits until all that came before its answer was told. */
      const inPlace = <C extends OmpRpc.Command>(command: C, deadline?: Duration.Input) =>
        Effect.suspend(() => {
          const requestId = uuidV7Unsafe()
          const place = Deferred.makeUnsafe<void>()
          places.set(requestId, place)
          return rpc.request(command, { requestId, ...(deadline === undefined ? {} : { deadline }) }).pipe(
            Effect.tap(() => Effect.raceFirst(Deferred.await(place), Effect.asVoid(rpc.ended))),
            Effect.ensuring(Effect.sync(() => places.delete(requestId)))
          )
        })

      const compacting = Effect.gen(function*() {
        const begun = frameOf("auto_compaction_start", { reason: "manual" })
        if (begun._tag === "Success") handlers.event({ _tag: "Frame", frame: begun.success })
        const exit = yield* Effect.exit(inPlace({ type: "compact" }, compactionDeadline))
        // Of a compaction that was asked for omp tells nothing.
        const ended = frameOf("auto_compaction_end", Exit.isSuccess(exit) ? { result: {} } : { aborted: true })
        if (ended._tag === "Success") handlers.event({ _tag: "Frame", frame: ended.success })
        return yield* exit
      })

      return {
        sessionId: rpc.state.sessionId,
        file: () => rpc.state.sessionFile ?? undefined,
        model: () => model == null ? undefined : `${model.provider}/${model.id}`,
        contextWindow: () => model?.contextWindow ?? undefined,
        mcpServers: [],
        prompt: (input) =>
          Effect.map(inPlace({ type: "prompt", ...messageOf(input) }), (answer) => {
            if (answer?.agentInvoked === false) handlers.event({ _tag: "Settled" })
          }),
        steer: (input) => Effect.asVoid(rpc.request({ type: "steer", ...messageOf(input) })),
        abort: Effect.asVoid(inPlace({ type: "abort" })),
        compact: Effect.asVoid(compacting),
        setModel: Effect.fnUntraced(function*(provider, name) {
          const { models } = yield* rpc.request({ type: "get_available_models" })
          const found = models.find((each) =>
            `${each.provider}/${each.id}` === name ||
            (each.id === name && (provider ?? each.provider) === each.provider)
          )
          if (found === undefined) {
            return yield* failed(new InvalidInput({ field: "model", detail: `omp knows no model ${name}` }))
          }
          yield* rpc.request({ type: "set_model", provider: found.provider, modelId: found.id })
          model = found
        }),
        setEffort: (effort) => Effect.asVoid(rpc.request({ type: "set_thinking_level", level: levelOf(effort) })),
        goals: undefined
      }
    })

    const models = Effect.scoped(Effect.gen(function*() {
      const rpc = yield* start({ noSession: true }, {
        onDialog: () => Effect.succeed({ _tag: "Cancelled" }),
        onHostTool: () => Effect.succeed({ content: [], isError: true })
      })
      const { models } = yield* rpc.request({ type: "get_available_models" })
      return { models, current: rpc.state.model }
    }))

    const version = Effect.gen(function*() {
      const spawner = yield* ChildProcessSpawner
      const environment = { ...(omp.extendEnv === false ? {} : process.env), ...omp.env }
      const { args, command } = yield* OmpExecutable.resolve({ command: omp.command, bun: omp.bun, env: environment })
      const said = yield* spawner.string(
        ChildProcess.make(command, [...args, "--version"], { env: omp.env ?? {}, extendEnv: omp.extendEnv ?? true })
      ).pipe(
        Effect.mapError((error) => failed(new Rejected({ operation: "omp --version", detail: error.message })))
      )
      return said.trim().replace(/^omp\//, "")
    }).pipe(Effect.provide(machine))

    return {
      backend,
      agent: "omp",
      sessionsDirectory: path.join(agentDirectory, "sessions"),
      open,
      listModels: Effect.map(models, ({ current, models }) =>
        models.map((model) => ({
          id: `${model.provider}/${model.id}`,
          name: model.name ?? model.id,
          description: model.provider,
          isDefault: model.provider === current?.provider && model.id === current.id,
          efforts: model.thinking?.efforts ?? [],
          ...(model.thinking?.defaultLevel == null ? {} : { defaultEffort: model.thinking.defaultLevel })
        }))),
      probe: Effect.flatMap(models, ({ current, models }) =>
        current == null
          ? Effect.fail(failed(new NotConfigured({ detail: "omp has no model: log in with omp, or set one up" })))
          : Effect.map(version, (version) => ({
            version,
            detail: `omp ${version} with ${current.provider}/${current.id}, one of ${models.length} models`
          })))
    }
  })

/** Codex's words are omp's, but for the one for nothing at all. */
const levelOf = (effort: string): string => effort === "none" ? "off" : effort
