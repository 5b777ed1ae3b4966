/**
 * Pi in this process, through its SDK: one `AgentSession` of Pi's a session. Works on Node and Bun.
 *
 * The package is an optional peer; it is loaded when the first session is opened. The user's own settings, extensions,
 * skills and credentials are in force; what is chosen for a session is not written into the user's settings.
 */
import type * as Sdk from "@mariozechner/pi-coding-agent"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type * as Scope from "effect/Scope"
import * as Os from "node:os"
import * as Paths from "node:path"
import { AgentError, BinaryMissing, InvalidInput, NotConfigured, Rejected } from "../../agent/AgentError.ts"
import * as AgentFrame from "../pi-family/AgentFrame.ts"
import { extension, type ExtensionApi } from "../pi-family/Extension.ts"
import * as Installed from "../pi-family/Installed.ts"
import type { Port, PortHandlers, PortInput, PortOptions, Ports } from "../pi-family/Port.ts"
import { customTools, questions } from "./internal/HostUi.ts"
import { readOnlySettings } from "./internal/ReadOnlySettings.ts"

type Model = NonNullable<Sdk.AgentSession["model"]>
type ThinkingLevel = Sdk.AgentSession["thinkingLevel"]

export interface PiSdkOptions {
  /** Pi's own directory. Default: `PI_CODING_AGENT_DIR`, else `~/.pi/agent`. */
  readonly agentDirectory?: string | undefined
}

const backend = "pi"

const packageName = "@mariozechner/pi-coding-agent"

const failed = (reason: AgentError["reason"]) => new AgentError({ backend, reason })

const rejected = (operation: string) => (cause: unknown) =>
  failed(new Rejected({ operation, detail: cause instanceof Error ? cause.message : String(cause) }))

const call = <A>(operation: string, run: () => PromiseLike<A>): Effect.Effect<A, AgentError> =>
  Effect.tryPromise({ try: run, catch: rejected(operation) })

const missing = (detail: string) =>
  failed(new BinaryMissing({ command: packageName, detail: `${detail}: npm install ${packageName} installs it` }))

const load: Effect.Effect<typeof Sdk, AgentError, FileSystem.FileSystem | Path.Path> = Effect.flatMap(
  Installed.isInstalled(packageName),
  (isThere) =>
    isThere
      ? Effect.tryPromise({
        try: () => import("@mariozechner/pi-coding-agent"),
        catch: (cause) => missing(`it could not be loaded (${cause})`)
      })
      : Effect.fail(missing("it is not installed"))
)

export const make = (
  options: PiSdkOptions,
  machine: Context.Context<FileSystem.FileSystem | Path.Path>
): Ports => {
  const agentDirectory = options.agentDirectory ?? process.env["PI_CODING_AGENT_DIR"] ??
    Paths.join(Os.homedir(), ".pi", "agent")

  const registry = Effect.map(Effect.provide(load, machine), (sdk) => {
    const auth = sdk.AuthStorage.create(Paths.join(agentDirectory, "auth.json"))
    return { sdk, auth, models: sdk.ModelRegistry.create(auth, Paths.join(agentDirectory, "models.json")) }
  })

  const findModel = (
    models: Effect.Success<typeof registry>["models"],
    provider: string | undefined,
    name: string
  ): Effect.Effect<Model, AgentError> => {
    const [before = "", ...after] = name.split("/")
    const named = provider === undefined ? undefined : models.find(provider, name)
    const found = named ?? (after.length === 0 ? undefined : models.find(before, after.join("/"))) ??
      (provider === undefined ? models.getAvailable().find(({ id }) => id === name) : undefined)
    return found === undefined
      ? Effect.fail(failed(new InvalidInput({ field: "model", detail: `Pi knows no model ${name}` })))
      : Effect.succeed(found)
  }

  const sessionsDirectory = Paths.join(agentDirectory, "sessions")

  /** As Pi names it. */
  const sessionDirectory = (cwd: string) =>
    Paths.join(sessionsDirectory, `--${cwd.replace(/^[/\\]/, "").replaceAll(/[/\\:]/g, "-")}--`)

  const sessionManager = (sdk: typeof Sdk, { cwd, ephemeral, resume }: PortOptions) => {
    if (resume !== undefined) return sdk.SessionManager.open(resume, undefined, cwd)
    return ephemeral ? sdk.SessionManager.inMemory(cwd) : sdk.SessionManager.create(cwd, sessionDirectory(cwd))
  }

  const open = Effect.fn("PiSdk.open")(function*(
    options: PortOptions,
    handlers: PortHandlers
  ): Effect.fn.Return<Port, AgentError, Scope.Scope> {
    const { auth, models, sdk } = yield* registry
    const context = yield* Effect.context<never>()
    const run = Effect.runPromiseWith(context)
    const { cwd } = options
    const settingsManager = sdk.SettingsManager.fromStorage(readOnlySettings(cwd, agentDirectory))
    const resourceLoader = new sdk.DefaultResourceLoader({
      cwd,
      agentDir: agentDirectory,
      settingsManager,
      ...(options.instructions === undefined ? {} : { appendSystemPrompt: [options.instructions] }),
      extensionFactories: [(api: Sdk.ExtensionAPI) => {
        // Pi's own type is a union of overloads that covers this one.
        extension({
          toolCall: (call, signal) => run(handlers.toolCall({ ...call, isSubAgents: false }), { signal }),
          runStart: () => run(handlers.runStart)
        })(api as unknown as ExtensionApi)
      }]
    })
    yield* call("loading extensions", () => resourceLoader.reload())
    const manager = sessionManager(sdk, options)
    const model = options.model === undefined ? undefined : yield* findModel(models, options.provider, options.model)
    const { modelFallbackMessage, session } = yield* Effect.acquireRelease(
      call("opening a session", () =>
        sdk.createAgentSession({
          cwd,
          agentDir: agentDirectory,
          authStorage: auth,
          modelRegistry: models,
          sessionManager: manager,
          settingsManager,
          resourceLoader,
          ...(model === undefined ? {} : { model }),
          ...(options.effort === undefined ? {} : { thinkingLevel: levelOf(options.effort) }),
          customTools: customTools(options.hostTools, (asked, signal) => run(handlers.hostTool(asked), { signal }))
        })),
      ({ session }) => Effect.sync(() => session.dispose())
    )
    if (session.model === undefined) {
      return yield* failed(new NotConfigured({ detail: modelFallbackMessage ?? "Pi has no model" }))
    }
    if (modelFallbackMessage !== undefined) {
      handlers.event({ _tag: "Warning", code: "modelRerouted", message: modelFallbackMessage })
    }

    const ui: Pick<Sdk.ExtensionUIContext, "confirm" | "editor" | "input" | "notify" | "select"> = questions(
      (asked, signal) => run(handlers.ask(asked), { signal }),
      (message) => handlers.event({ _tag: "Warning", code: "notice", message })
    )
    yield* call("binding extensions", () =>
      session.bindExtensions({
        // Everything else is about a terminal's screen, of which there is none.
        uiContext: new Proxy(ui as Sdk.ExtensionUIContext, {
          get: (target, key) => Reflect.get(target, key) ?? nothing
        }),
        onError: ({ error, event, extensionPath }) =>
          handlers.event({
            _tag: "Warning",
            code: "extensionError",
            message: `${extensionPath} failed on ${event}: ${error}`
          })
      }))

    yield* Effect.acquireRelease(
      Effect.sync(() =>
        session.subscribe((event) => {
          const decoded = AgentFrame.decode(event)
          if (decoded._tag === "Failure") return handlers.event({ _tag: "Malformed", error: decoded.failure })
          handlers.event({ _tag: "Frame", frame: decoded.success })
          // What goes on after the end of a run is announced in the same task.
          if (event.type === "agent_end") setImmediate(() => handlers.event({ _tag: "Settled" }))
        })
      ),
      (unsubscribe) => Effect.sync(unsubscribe)
    )

    /** The prompt that is on its way to its end. */
    let pending: Promise<void> | undefined

    const prompt = (input: PortInput): Effect.Effect<void, AgentError> =>
      Effect.callback((resume) => {
        let accepted = false
        const answer = session.prompt(input.text, {
          ...imagesOf(input),
          expandPromptTemplates: false,
          preflightResult: (success) => {
            accepted = success
            if (success) resume(Effect.void)
          }
        }).then(
          () => {
            resume(Effect.void)
            handlers.event({ _tag: "Settled" })
          },
          (cause: unknown) => {
            const error = promptFailed(cause)
            resume(Effect.fail(error))
            if (!accepted) return
            handlers.event({ _tag: "Warning", code: "promptFailed", message: error.message })
            handlers.event({ _tag: "Settled" })
          }
        ).finally(() => {
          if (pending === answer) pending = undefined
        })
        pending = answer
      })

    const comeToRest = async (): Promise<void> => {
      session.abortRetry()
      session.abortCompaction()
      await session.abort()
      if (pending === undefined) return
      // One that comes between a prompt and its run is lost.
      await Promise.race([pending, new Promise((resolve) => setImmediate(resolve))])
      return pending === undefined ? undefined : comeToRest()
    }

    return {
      sessionId: session.sessionId,
      file: () => session.sessionFile,
      model: () => session.model && `${session.model.provider}/${session.model.id}`,
      contextWindow: () => session.model?.contextWindow,
      mcpServers: [],
      prompt,
      steer: (input) => call("steer", () => session.steer(input.text, imagesOf(input).images)),
      abort: call("abort", comeToRest),
      compact: call("compact", () => session.compact()).pipe(
        Effect.onInterrupt(() => Effect.sync(() => session.abortCompaction())),
        Effect.asVoid
      ),
      setModel: (provider, name) =>
        Effect.flatMap(
          findModel(models, provider, name),
          (model) => call("choosing a model", () => session.setModel(model))
        ),
      setEffort: (effort) => Effect.sync(() => session.setThinkingLevel(levelOf(effort))),
      goals: undefined
    }
  })

  return {
    backend,
    agent: "pi",
    sessionsDirectory,
    open,
    listModels: Effect.map(registry, ({ models, sdk }) => {
      const settings = sdk.SettingsManager.fromStorage(readOnlySettings(process.cwd(), agentDirectory))
      const available = models.getAvailable()
      const preferred = available.find(({ id, provider }) =>
        id === settings.getDefaultModel() && (settings.getDefaultProvider() ?? provider) === provider
      ) ?? available[0]
      return available.map((model) => ({
        id: `${model.provider}/${model.id}`,
        name: model.name,
        description: models.getProviderDisplayName(model.provider),
        isDefault: model === preferred,
        efforts: model.reasoning
          ? levels.filter((level) =>
            level !== "off"
          )
          : []
      }))
    }),
    probe: Effect.flatMap(registry, ({ models, sdk }) => {
      const count = models.getAvailable().length
      return count === 0
        ? Effect.fail(failed(new NotConfigured({ detail: `no login and no model in ${agentDirectory}` })))
        : Effect.succeed({ version: sdk.VERSION, detail: `Pi ${sdk.VERSION} with ${count} models` })
    })
  }
}

const nothing = () => undefined

const levels: ReadonlyArray<ThinkingLevel> = ["off", "minimal", "low", "medium", "high", "xhigh"]

/** Codex's words are Pi's, but for the one for nothing at all. */
const levelOf = (effort: string): ThinkingLevel =>
  effort === "none" ? "off" : levels.find((each) => each === effort) ?? "xhigh"

const imagesOf = ({ images }: PortInput) => ({ images: images.map((image) => ({ type: "image" as const, ...image })) })

/** Pi refuses a prompt in sentences. */
const promptFailed = (cause: unknown): AgentError => {
  const detail = cause instanceof Error ? cause.message : String(cause)
  return /no api key|not logged in|no model/i.test(detail)
    ? failed(new NotConfigured({ detail: `start \`pi\` once and log in there, or set a key. It says: ${detail}` }))
    : failed(new Rejected({ operation: "prompt", detail }))
}
