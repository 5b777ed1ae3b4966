/**
 * Oh My Pi in this process, through its SDK: one session of omp's a session. Works on Bun alone.
 *
 * omp is an optional peer; it is loaded when the first session is opened, and then belongs to the process: it has one
 * home, the one that `PI_CODING_AGENT_DIR` and `HOME` named when it was loaded. The user's own settings, extensions,
 * skills, servers and credentials are in force; what is chosen for a session is not written into them. Nothing is left
 * to run in the background: omp keeps that for the first session of a process only.
 */
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import * as Os from "node:os"
import * as Paths from "node:path"
import { type AgentError, InvalidInput, NotConfigured } from "../../agent/AgentError.ts"
import * as AgentFrame from "../pi-family/AgentFrame.ts"
import { extension } from "../pi-family/Extension.ts"
import type { Port, PortHandlers, PortInput, PortOptions, Ports } from "../pi-family/Port.ts"
import { foreverMillis } from "./internal/Patience.ts"
import type * as Sdk from "./internal/Sdk.ts"
import { backend, call, failed, promptFailed } from "./internal/SdkErrors.ts"
import * as SdkGoals from "./internal/SdkGoals.ts"
import * as SdkLoading from "./internal/SdkLoading.ts"
import { customTools, type Run, uiContext } from "./internal/SdkUi.ts"

/** What omp calls an end that a person has asked for. */
const interrupted = { reason: "Interrupted by user" }

/** Milliseconds until an interruption is tried again of a run that had not begun. */
const abortAgain = 10

const registryOf = ({ auth, main }: SdkLoading.Omp, settings: Sdk.Settings): Sdk.ModelRegistry =>
  new main.ModelRegistry(auth, undefined, { settings })

const managerOf = ({ main }: SdkLoading.Omp, { cwd, ephemeral, resume }: PortOptions) =>
  call("opening a session", async () => {
    if (resume === undefined) return ephemeral ? main.SessionManager.inMemory(cwd) : main.SessionManager.create(cwd)
    const opened = { initialCwd: cwd, throwIfMissing: true }
    const manager = await main.SessionManager.open(resume, undefined, undefined, opened)
    if (manager.getCwd() !== cwd) manager.setCwdWithoutRelocation(cwd)
    return manager
  })

export const make = (): Ports => {
  const agentDirectory = process.env["PI_CODING_AGENT_DIR"] ?? Paths.join(Os.homedir(), ".omp", "agent")

  const open = Effect.fn("OmpSdkPorts.open")(function*(
    options: PortOptions,
    handlers: PortHandlers
  ): Effect.fn.Return<Port, AgentError, Scope.Scope> {
    const omp = yield* SdkLoading.omp
    const runExit = Effect.runPromiseExitWith(yield* Effect.context<never>())
    const run: Run = (effect, signal) => runExit(effect, signal === undefined ? {} : { signal })
    const warn = (code: string, message: string) => handlers.event({ _tag: "Warning", code, message })
    const { cwd } = options

    const settings = yield* call("reading omp's settings", () => omp.settingsFor(cwd))
    // What is to be asked about, this side asks; omp itself would ask a second time.
    if (options.asks) settings.override("tools.approvalMode", "yolo")
    settings.override("extensionHandlers.toolCallTimeoutMs", foreverMillis)
    settings.override("async.enabled", false)
    settings.override("bash.autoBackground.enabled", false)
    const registry = registryOf(omp, settings)
    const manager = yield* managerOf(omp, options)
    const prompts = yield* call(
      "reading the user's prompts",
      () => Promise.all([omp.promptFile("SYSTEM.md", cwd), omp.promptFile("APPEND_SYSTEM.md", cwd)])
    )
    const [systemPrompt] = prompts
    const appended = [prompts[1], options.instructions].filter((text) => text !== undefined)
    let effort = options.effort === undefined ? undefined : levelOf(options.effort)

    const { mcpManager, modelFallbackMessage, session, setToolUIContext } = yield* Effect.acquireRelease(
      call("opening a session", () =>
        omp.main.createAgentSession({
          cwd,
          settings,
          authStorage: omp.auth,
          modelRegistry: registry,
          sessionManager: manager,
          agentId: `${backend}:${uuidV7Unsafe()}`,
          ...modelOf(registry, options),
          ...(effort === undefined ? {} : { thinkingLevel: effort }),
          ...(systemPrompt === undefined ? {} : { customSystemPrompt: systemPrompt }),
          ...(appended.length === 0 ? {} : { appendSystemPrompt: appended.join("\n\n") }),
          // Somebody answers, but there is no screen.
          hasUI: false,
          interactivePrompts: true,
          customTools: customTools(options.hostTools, handlers.hostTool, run),
          extensions: [extension({
            toolCall: async (asked, signal) => {
              const exit = await run(handlers.toolCall(asked), signal)
              return Exit.isSuccess(exit) ? exit.value : "Nobody could be asked."
            },
            runStart: async () => {
              const exit = await run(handlers.runStart, undefined)
              return Exit.isSuccess(exit) ? exit.value : { context: undefined, turnId: undefined }
            }
          })]
        })),
      ({ session }) =>
        Effect.catch(
          call("closing a session", () => session.dispose()),
          (error) => Effect.logWarning("omp did not close a session in order", error)
        )
    )
    if (session.model === undefined) {
      const detail = registry.getError()?.message ?? modelFallbackMessage ?? "omp has no model: log in, or set one up"
      return yield* failed(
        options.model === undefined ? new NotConfigured({ detail }) : new InvalidInput({ field: "model", detail })
      )
    }
    if (modelFallbackMessage !== undefined) warn("modelRerouted", modelFallbackMessage)

    const ui = uiContext(
      handlers.ask,
      run,
      (message) => warn("notice", message),
      () => omp.main.theme
    )
    setToolUIContext(ui, true)
    yield* call("starting extensions", () =>
      omp.initializeExtensions(session, {
        mode: "rpc",
        uiContext: ui,
        reportSendError: (action, error) => warn("extensionError", `${action} failed: ${error.message}`),
        reportRuntimeError: ({ error, event, extensionPath }) =>
          warn("extensionError", `${extensionPath} failed on ${event}: ${error}`)
      }))

    const goals = yield* SdkGoals.make(session, (error) => warn("goalNotContinued", error.message))

    const tell = (event: object): void => {
      const decoded = AgentFrame.decode(event)
      if (decoded._tag === "Success") handlers.event({ _tag: "Frame", frame: decoded.success })
      else handlers.event({ _tag: "Malformed", error: decoded.failure })
    }
    /** Hears of each event until a prompt's run has begun. */
    let listening: ((type: string) => void) | undefined
    yield* Effect.acquireRelease(
      Effect.sync(() => [
        session.subscribe((event) => {
          listening?.(event.type)
          tell(event)
          goals.event(event)
        }),
        session.sessionManager.onPersistenceError(({ message }) => warn("sessionNotKept", message))
      ]),
      (unsubscribe) => Effect.sync(() => unsubscribe.forEach((each) => each()))
    )

    /** The prompt that is on its way to its end. */
    let pending: Promise<void> | undefined

    const prompt = (input: PortInput): Effect.Effect<void, AgentError> =>
      Effect.callback((resume) => {
        goals.holdOff()
        let accepted = false
        let began = false
        listening = (type) => {
          accepted = true
          resume(Effect.void)
          if (type !== "agent_start") return
          began = true
          listening = undefined
        }
        // A run for the goal is on its way: this is said within it.
        const joins = goals.isStarting()
        const answer = session.prompt(input.text, {
          images: imagesOf(input),
          // Text is text; it names no command.
          expandPromptTemplates: false,
          ...(joins ? { streamingBehavior: "steer" } : {})
        }).then(
          () => {
            // An interruption, or a limit, that came before the run began has left nothing of it.
            if (!began && !joins) handlers.event({ _tag: "Settled" })
            resume(Effect.void)
          },
          (cause: unknown) => {
            const error = promptFailed(cause, session.sessionId)
            resume(Effect.fail(error))
            if (!accepted) return
            warn("promptFailed", error.message)
            handlers.event({ _tag: "Settled" })
          }
        ).finally(() => {
          if (pending === answer) pending = undefined
        })
        pending = answer
      })

    /** Ends a prompt that an interruption has overtaken: one that comes before its run has begun is lost. */
    const overtake = async (running: Promise<void> | undefined): Promise<void> => {
      if (running === undefined || running !== pending) return
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, abortAgain))])
      if (running !== pending) return
      await session.abort(interrupted)
      return overtake(running)
    }

    const abort = call("abort", async () => {
      goals.holdOff()
      await session.abort(interrupted)
      await overtake(pending)
    })

    const compact = Effect.callback<void, AgentError>((resume) => {
      goals.holdOff()
      // Of a compaction that was asked for omp tells nothing.
      tell({ type: "auto_compaction_start", reason: "manual" })
      const done = Effect.runPromiseExit(call("compact", () => session.compact())).then((exit) => {
        tell({ type: "auto_compaction_end", ...(Exit.isSuccess(exit) ? { result: {} } : { aborted: true }) })
        resume(Effect.asVoid(exit))
      })
      return Effect.andThen(Effect.sync(() => session.abortCompaction()), Effect.promise(() => done))
    })

    return {
      sessionId: session.sessionId,
      file: () => session.sessionFile,
      model: () => session.model && nameOf(session.model),
      contextWindow: () => session.model?.contextWindow ?? undefined,
      get mcpServers() {
        return mcpManager?.getAllServerNames() ?? []
      },
      prompt,
      steer: (input) => call("steer", () => session.steer(escaped(input.text), imagesOf(input))),
      abort,
      compact,
      setModel: Effect.fnUntraced(function*(provider, name) {
        const found = find(registry, provider, name)
        if (found === undefined) {
          return yield* failed(new InvalidInput({ field: "model", detail: `omp knows no model ${name}` }))
        }
        yield* call("choosing a model", () => session.setModelTemporary(found, effort))
      }),
      setEffort: (name) =>
        Effect.sync(() => {
          effort = levelOf(name)
          session.setThinkingLevel(effort)
        }),
      goals
    }
  })

  const models = Effect.gen(function*() {
    const omp = yield* SdkLoading.omp
    const settings = yield* call("reading omp's settings", () => omp.settingsFor(process.cwd()))
    const registry = registryOf(omp, settings)
    const available = registry.getAvailable()
    const preferred =
      omp.models.resolveModelRoleValue(settings.getModelRole("default"), available, { settings }).model ??
        omp.models.pickDefaultAvailableModel(available, (provider) => registry.hasConcreteAuth(provider))
    return { available, preferred, registry, version: omp.main.VERSION }
  })

  return {
    backend,
    agent: "omp",
    sessionsDirectory: Paths.join(agentDirectory, "sessions"),
    open,
    listModels: Effect.map(models, ({ available, preferred, registry }) => {
      // Providers that are asked for their models answer for those who come later; it costs too much for each session.
      if (registry.getDiscoverableProviders().length > 0) registry.refreshInBackground()
      return available.map((model) => ({
        id: nameOf(model),
        name: model.name ?? model.id,
        description: model.provider,
        isDefault: preferred !== undefined && nameOf(preferred) === nameOf(model),
        efforts: model.thinking?.efforts ?? [],
        ...(model.thinking?.defaultLevel === undefined ? {} : { defaultEffort: model.thinking.defaultLevel })
      }))
    }),
    probe: Effect.flatMap(models, ({ available, preferred, registry, version }) =>
      preferred === undefined
        ? Effect.fail(failed(
          new NotConfigured({
            detail: registry.getError()?.message ??
              `omp has no model: log in with omp, or set one up in ${agentDirectory}`
          })
        ))
        : Effect.succeed({
          version,
          detail: `omp ${version} with ${nameOf(preferred)}, one of ${available.length} models`
        }))
  }
}

const nameOf = ({ id, provider }: Sdk.Model): string => `${provider}/${id}`

const find = (registry: Sdk.ModelRegistry, provider: string | undefined, name: string): Sdk.Model | undefined => {
  const [before = "", ...after] = name.split("/")
  const named = provider === undefined ? undefined : registry.find(provider, name)
  return named ?? (after.length === 0 ? undefined : registry.find(before, after.join("/"))) ??
    (provider === undefined ? registry.getAvailable().find(({ id }) => id === name) : undefined)
}

/** What is not known yet may come with an extension: omp looks for it when it has them. */
const modelOf = (registry: Sdk.ModelRegistry, { model, provider }: PortOptions) => {
  if (model === undefined) return {}
  const found = find(registry, provider, model)
  if (found !== undefined) return { model: found }
  return { modelPattern: provider === undefined || model.includes("/") ? model : `${provider}/${model}` }
}

/** While it works, omp refuses what looks like one of its commands; behind a space it is said to the model. */
const escaped = (text: string): string => text.startsWith("/") ? ` ${text}` : text

/** Codex's words are omp's, but for the one for nothing at all. */
const levelOf = (effort: string): string => effort === "none" ? "off" : effort

const imagesOf = ({ images }: PortInput) => images.map((image) => ({ type: "image" as const, ...image }))
