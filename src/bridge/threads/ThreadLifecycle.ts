/**
 * Methods that make, load and let go of threads.
 */
import * as Clock from "effect/Clock"
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Path from "effect/Path"
import { AgentBackend, type SessionDefaults } from "../../agent/AgentBackend.ts"
import { BridgeConfig } from "../BridgeConfig.ts"
import { type BridgeError, InvalidRequest, NoSuchThread, refuse } from "../BridgeError.ts"
import { CodexConfig, providerOf } from "../catalog/CodexConfig.ts"
import * as Models from "../catalog/Models.ts"
import type { ClientConnection } from "../ClientConnection.ts"
import { Clients } from "../Clients.ts"
import type { HandlersOf } from "../MethodTable.ts"
import * as ThreadId from "../store/ThreadId.ts"
import type { ThreadRecord } from "../store/ThreadRecord.ts"
import { ThreadStore } from "../store/ThreadStore.ts"
import type { LiveThread } from "./LiveThread.ts"
import * as Organizing from "./Organizing.ts"
import * as ThreadReading from "./ThreadReading.ts"
import { Threads } from "./Threads.ts"
import * as ThreadSettings from "./ThreadSettings.ts"
import * as ThreadView from "./ThreadView.ts"
import * as Titles from "./Titles.ts"

type Served =
  | "thread/archive"
  | "thread/delete"
  | "thread/fork"
  | "thread/resume"
  | "thread/start"
  | "thread/unarchive"
  | "thread/unsubscribe"

/** As methods say it that look for the history of a thread. */
const sessionId = (threadId: string) => Effect.fromResult(ThreadId.parse(threadId, "session id"))

/** As the real server says it of a model without a name, which stands for the default in a catalog that it has not. */
const named = (model: string | null | undefined): Effect.Effect<void, BridgeError> => {
  if (model == null || model.trim() !== "") return Effect.void
  const message = "No models are available. Set `model` explicitly or check your model catalog configuration."
  return Effect.fail(refuse(new InvalidRequest({ message })))
}

const noPaths = "Threads of this server are not files: name the thread by its id."

export const handlers = Effect.gen(function*() {
  const backend = yield* AgentBackend
  const clients = yield* Clients
  const config = yield* CodexConfig
  const path = yield* Path.Path
  const settings = yield* BridgeConfig
  const store = yield* ThreadStore
  const threads = yield* Threads
  const context = yield* Effect.context<ThreadStore | Threads>()

  // Which provider a client names comes from its own configuration, or from another thread, and says nothing of this
  // server: all threads have the one of the agent, and say so.
  const modelProvider = providerOf(settings, backend)

  // A history in one piece and a page of it may come in one message.
  const bytes = settings.limits.messageBytes / 3

  // Only what the agent did say is remembered: one that could not answer once, or a client that left, decides nothing.
  let knownDefault: string | undefined
  const defaultModel = Effect.suspend(() =>
    knownDefault !== undefined ? Effect.succeed(knownDefault) : Effect.map(Models.ofAgent(backend), (models) => {
      knownDefault = models.find(({ isDefault }) => isDefault)?.id ?? models[0]?.id
      return knownDefault ?? backend.id
    })
  )

  /** What the agent says of its own configuration. A thread can be had without it. */
  const ofAgent = (cwd: string) =>
    backend.sessionDefaults === undefined ? Effect.undefined : backend.sessionDefaults({ cwd }).pipe(
      // Clients give up a request after 30 seconds.
      Effect.timeout("25 seconds"),
      Effect.catch((error) =>
        Effect.as(Effect.logWarning(`What ${backend.id} is configured with is not known: ${error.message}`), undefined)
      )
    )

  /** The model and effort of a thread whose client names none, and what is shown of the agent's other settings. */
  const defaults = Effect.fnUntraced(function*(cwd: string, given: ThreadSettings.Given) {
    const configured = (yield* config.read).config
    const named = given.model ?? configured.model
    const namedEffort = ThreadSettings.effortOf(given) ?? configured.model_reasoning_effort
    const [model, agent] = yield* Effect.all([
      named == null ? defaultModel : Effect.succeed(named),
      ofAgent(cwd)
    ], { concurrency: 2 })
    return { agent, chosen: { model, effort: namedEffort ?? agent?.effort ?? null }, configured }
  })

  /** Changes what was given along with a resume, and what is shown of the agent's settings. */
  const adjust = Effect.fnUntraced(function*(
    thread: LiveThread,
    given: ThreadSettings.Given,
    agent: SessionDefaults | undefined
  ) {
    const { record } = thread
    const settings = agent === undefined ? record.settings : ThreadSettings.ofResumed(record.settings, agent)
    const patch = yield* Effect.fromResult(ThreadSettings.patchOf({ ...record, settings }, given))
    if (patch !== undefined) yield* thread.update(patch)
    else if (settings !== record.settings) yield* thread.update({ settings })
  })

  /** Lets go of a thread, and makes sure that nobody runs it meanwhile, no other process either. */
  const alone = <A>(threadId: string, use: Effect.Effect<A, BridgeError>): Effect.Effect<A, BridgeError> =>
    Effect.andThen(
      threads.unload(threadId),
      Effect.scoped(Effect.andThen(store.acquireWriter(threadId), use))
    )

  const showUsage = (
    { notify }: ClientConnection,
    threadId: string,
    { turnId, usage }: NonNullable<Effect.Success<ReturnType<typeof store.lastUsage>>>
  ) => notify("thread/tokenUsage/updated", { threadId, turnId, tokenUsage: usage })

  /** Tells all clients, as the real server does whenever a thread is resumed. */
  const showGoal = ({ goal, id }: ThreadRecord) => {
    if (goal === null) clients.notify("thread/goal/cleared", { threadId: id })
    else clients.notify("thread/goal/updated", { threadId: id, turnId: null, goal })
  }

  const served: Pick<HandlersOf<"threads">, Served> = {
    "thread/start": Effect.fnUntraced(function*(params, connection, call) {
      yield* named(params.model)
      const cwd = path.resolve(params.cwd ?? ".")
      const { agent, chosen, configured } = yield* defaults(cwd, params)
      const base: ThreadSettings.Current = {
        cwd,
        ...chosen,
        settings: agent === undefined ? {} : { agent: ThreadSettings.ofAgent(agent) }
      }
      const patch = yield* Effect.fromResult(
        ThreadSettings.patchOf(base, ThreadSettings.withConfigured({ ...params, cwd }, configured))
      )
      if (params.projectId != null) yield* Organizing.existing(store, params.projectId)
      const isTitle = Titles.isTitleThread(params.threadSource ?? null)
      const thread = yield* threads.start({
        ...base,
        ...patch,
        id: uuidV7Unsafe(),
        createdAt: yield* Clock.currentTimeMillis,
        modelProvider,
        source: "vscode",
        threadSource: params.threadSource ?? null,
        projectId: params.projectId ?? null,
        originator: connection.client.name,
        cliVersion: settings.version,
        ephemeral: params.ephemeral === true || isTitle
      })
      thread.watchers.add(connection)
      const shown = ThreadView.toThread(thread.record, thread.status)
      call.afterAnswer(() => clients.notify("thread/started", { thread: shown }))
      return ThreadView.toSettings(thread.record, shown)
    }),

    "thread/resume": Effect.fnUntraced(function*(params, connection, call) {
      if (params.history != null) {
        return yield* refuse(new InvalidRequest({ message: "Threads are resumed from this server's own history." }))
      }
      if (params.path != null && params.threadId === "") return yield* refuse(new InvalidRequest({ message: noPaths }))
      // A client's configuration is for a thread that it loads, as in the real server.
      const isLoaded = threads.find(params.threadId) !== undefined
      if (!isLoaded) yield* named(params.model)
      const thread = yield* threads.load(yield* sessionId(params.threadId))
      const agent = isLoaded ? undefined : yield* ofAgent(path.resolve(thread.record.cwd, params.cwd ?? "."))
      if (thread.turn === undefined) {
        const model = params.model?.trim() === "" ? undefined : params.model
        yield* adjust(thread, isLoaded ? { ...params, model, config: undefined } : params, agent)
      }
      const history = yield* thread.quietly(Effect.gen(function*() {
        const page = params.initialTurnsPage == null
          ? null
          : yield* ThreadReading.turnsPage(thread.id, params.initialTurnsPage, bytes)
        const turns = params.excludeTurns === true ? [] : yield* ThreadReading.turns(thread.id, bytes)
        const cursors = yield* store.historyCursors(thread.id)
        const usage = yield* store.lastUsage(thread.id)
        return { page, turns, cursors, usage, show: thread.watchers.addHeld(connection) }
      })).pipe(Effect.provide(context))
      const { record } = thread
      call.afterAnswer(() => {
        // Whoever loads a thread has no other way to know; so it is in the real server, too.
        if (history.usage !== null && !isLoaded) showUsage(connection, thread.id, history.usage)
        showGoal(thread.record)
        history.show()
        thread.pending.replay(connection)
      })
      return {
        ...ThreadView.toSettings(record, ThreadView.toThread(record, thread.status, history.turns)),
        collaborationMode: ThreadSettings.toWire(record).collaborationMode,
        initialTurnsPage: history.page,
        turnsBackwardsCursor: history.cursors.turns,
        itemsBackwardsCursor: history.cursors.items
      }
    }),

    "thread/fork": Effect.fnUntraced(function*(params, connection, call) {
      yield* named(params.model)
      const source = yield* store.get(yield* sessionId(params.threadId))
      const id = uuidV7Unsafe()
      // The goal goes along where the client says that nobody is to go on with it before the next turn.
      const goal = params.deferGoalContinuation === true && source.goal !== null
        ? { ...source.goal, threadId: id }
        : null
      // Nothing to fork, as the real server says it.
      if (!source.hasUserMessage) return yield* refuse(new NoSuchThread({ threadId: params.threadId }))
      const cwd = path.resolve(source.cwd, params.cwd ?? ".")
      const { agent, chosen } = yield* defaults(cwd, params)
      const base: ThreadSettings.Current = {
        cwd: source.cwd,
        ...chosen,
        settings: ThreadSettings.ofFork(source.settings, agent)
      }
      const patch = yield* Effect.fromResult(ThreadSettings.patchOf(base, ThreadSettings.forFork(source, cwd, params)))
      const record = yield* store.fork(source.id, {
        id,
        createdAt: yield* Clock.currentTimeMillis,
        beforeTurnId: params.beforeTurnId,
        lastTurnId: params.lastTurnId,
        ...(params.ephemeral === true ? { ephemeral: true } : {}),
        changes: {
          ...base,
          ...patch,
          ...(params.threadSource == null ? {} : { threadSource: params.threadSource }),
          originator: connection.client.name,
          ...(params.attachToSource === true ? { attachedToThreadId: source.id } : {}),
          goal
        }
      })
      const thread = yield* threads.adopt(record)
      const turns = params.excludeTurns === true
        ? []
        : yield* Effect.provide(ThreadReading.turns(thread.id, bytes), context)
      // As in the real server: along with the turns, or not at all.
      const usage = params.excludeTurns === true ? null : yield* store.lastUsage(id)
      thread.watchers.add(connection)
      const shown = ThreadView.toThread(thread.record, thread.status, turns)
      call.afterAnswer(() => {
        if (usage !== null) showUsage(connection, thread.id, usage)
        clients.notify("thread/started", { thread: { ...shown, turns: [] } })
        if (goal !== null) showGoal(thread.record)
      })
      return ThreadView.toSettings(thread.record, shown)
    }),

    "thread/unsubscribe": Effect.fnUntraced(function*({ threadId }, connection) {
      const thread = threads.find(yield* Effect.fromResult(ThreadId.parse(threadId)))
      if (thread === undefined) return { status: "notLoaded" }
      return { status: thread.watchers.remove(connection.id) ? "unsubscribed" : "notSubscribed" }
    }),

    "thread/archive": Effect.fnUntraced(function*({ threadId }, _connection, call) {
      const wasLoaded = threads.find(threadId) !== undefined
      yield* sessionId(threadId)
      const record = yield* alone(threadId, store.archive(threadId))
      if (wasLoaded) {
        clients.notify("thread/status/changed", { threadId: record.id, status: ThreadView.notLoaded })
      }
      call.afterAnswer(() => clients.notify("thread/archived", { threadId: record.id }))
      return {}
    }),

    "thread/unarchive": Effect.fnUntraced(function*({ threadId }, _connection, call) {
      const record = yield* store.unarchive(yield* sessionId(threadId))
      call.afterAnswer(() => clients.notify("thread/unarchived", { threadId: record.id }))
      return { thread: ThreadView.toThread(record, ThreadView.notLoaded) }
    }),

    "thread/delete": Effect.fnUntraced(function*({ threadId }, _connection, call) {
      yield* alone(threadId, store.remove(threadId))
      call.afterAnswer(() => clients.notify("thread/deleted", { threadId }))
      return {}
    })
  }
  return served
})
