/**
 * A session on a codex thread: the calls that start, steer and interrupt its turns.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import {
  type AgentSession,
  type AgentTurn,
  type Compaction,
  type Interruption,
  sandboxMode,
  type SessionOptions,
  type SessionPoint,
  type TurnInput
} from "../../agent/AgentBackend.ts"
import * as AgentError from "../../agent/AgentError.ts"
import type { AgentEvent, TurnOutcome } from "../../agent/AgentEvent.ts"
import { TurnHost } from "../../agent/TurnHost.ts"
import type { PeerError } from "../../peer/PeerError.ts"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import { AppServer, type Connection } from "./AppServer.ts"
import { CodexThread, fromThreadGoal } from "./internal/CodexThread.ts"
import * as Defaults from "./internal/Defaults.ts"
import { agentError, backendId, fromPeerError } from "./internal/Errors.ts"
import * as Params from "./internal/Params.ts"
import type { RunningTurn } from "./internal/RunningTurn.ts"

/** Events outside of turns that nobody has read; more push out the oldest. */
const outsideCapacity = 1024

const unsubscribeDeadline = Duration.seconds(5)

/** Where a thread works that no directory was named for: where this program does. */
const workingDirectory = Effect.try({
  try: () => process.cwd(),
  catch: (cause) =>
    agentError(new AgentError.InvalidInput({ field: "cwd", detail: `this program's own is gone (${String(cause)})` }))
})

/** What codex made of the settings, where that is not what was asked for: its administrator may have limits. */
const differences = (
  asked: SessionOptions,
  got: Pick<Open.ThreadStartResponse, "approvalPolicy" | "model" | "sandbox">
): ReadonlyArray<AgentEvent> => {
  const pairs = [
    ["model", asked.model, got.model],
    ["approval policy", asked.approvalPolicy, typeof got.approvalPolicy === "string" ? got.approvalPolicy : "granular"],
    [
      "sandbox",
      asked.sandbox === undefined ? undefined : sandboxMode(asked.sandbox),
      sandboxModes[String(got.sandbox.type)] ?? String(got.sandbox.type)
    ]
  ] as const
  return pairs.flatMap(([name, wanted, actual]): ReadonlyArray<AgentEvent> =>
    wanted === undefined || wanted === actual
      ? []
      : [{ _tag: "Warning", code: "settingsDiffer", message: `codex uses the ${name} ${actual}, not ${wanted}` }]
  )
}

const sandboxModes: Readonly<Record<string, string>> = {
  readOnly: "read-only",
  workspaceWrite: "workspace-write",
  dangerFullAccess: "danger-full-access"
}

const failed = (threadId?: string) => (error: PeerError) => agentError(fromPeerError(error, threadId))

/** A thread as it is loaded in one life of the server. */
interface Loaded {
  readonly connection: Connection
  readonly threadId: string
  readonly thread: CodexThread
  readonly settings: Params.Confirmed
  /** Where the last turn worked, or where the thread was loaded: codex goes on there. */
  cwd: string
  /** Lets go of the thread's messages. */
  readonly release: () => void
}

/** Opens a session: starts a thread, forks one, or resumes the one of `options.resume`. */
export const open = Effect.fn("CodexSession.open")(function*(
  options: SessionOptions
): Effect.fn.Return<AgentSession, AgentError.AgentError, AppServer | Scope.Scope> {
  const server = yield* AppServer
  const host = yield* TurnHost
  const outside = yield* Queue.sliding<AgentEvent>(outsideCapacity)
  const settling = yield* FiberSet.make<void, never>()
  const runSettling = yield* FiberSet.runtime(settling)<never>()
  const { deadlines } = server
  const { problems, tools } = Params.acceptableTools(host.tools)
  // Told with the next turn, where somebody listens.
  const warnings: Array<AgentEvent> = problems.map((message) => ({ _tag: "Warning", code: "toolRefused", message }))
  const terminates = server.options.interruptedCommands === "terminate"
  const wantsExperimental = tools.length > 0 || terminates

  const loading = yield* Semaphore.make(1)
  let loaded: Loaded | undefined
  let durable = options.resume?.durable ?? false
  /** The settings at the first loading, before any turn had some of its own. */
  let confirmed: Params.Confirmed | undefined
  /** The directory of the session. */
  let workspace: string | undefined
  const overridden = new Set<Params.Override>()
  /** Whether a turn has been accepted on the thread, so that there is something to lose. */
  let spoken = false
  let mode: "default" | "plan" = "default"

  // -- loading the thread

  const claim = (
    connection: Connection,
    threadId: string,
    answer: Open.ThreadForkResponse | Open.ThreadResumeResponse | Open.ThreadStartResponse,
    isNew: boolean
  ): Loaded => {
    const thread: CodexThread = new CodexThread({
      isNew,
      host,
      toolDeadline: deadlines.tool,
      outside,
      adopt: (childId) => connection.threads.adopt(childId, threadId),
      onIdle: (turn) => {
        runSettling(settle(connection, threadId, thread, turn))
      }
    })
    const release = connection.threads.claim(threadId, thread)
    if (confirmed === undefined) {
      confirmed = Params.confirmed(answer, options)
      // What codex cannot be told with the thread, it is told with each turn.
      if (confirmed.sandboxPolicy !== answer.sandbox) overridden.add("sandbox")
    }
    workspace ??= answer.cwd
    return { connection, threadId, thread, settings: confirmed, cwd: answer.cwd, release }
  }

  const start = Effect.fnUntraced(function*(connection: Connection) {
    const settings = { ...options, cwd: options.cwd ?? (yield* workingDirectory) }
    const answer = yield* connection.request("thread/start", Params.threadStart(settings, tools)).pipe(
      Effect.mapError(failed())
    )
    warnings.push(...differences(settings, answer))
    return claim(connection, answer.thread.id, answer, true)
  })

  const fork = Effect.fnUntraced(function*(connection: Connection, point: SessionPoint) {
    const answer = yield* connection.request("thread/fork", Params.threadFork(point, options)).pipe(
      Effect.mapError(failed(point.session.sessionId))
    )
    warnings.push(...differences(options, answer))
    return claim(connection, answer.thread.id, answer, false)
  })

  const begin = (connection: Connection) =>
    options.fork === undefined ? start(connection) : fork(connection, options.fork)

  /** Begins a thread in place of one that was not kept. */
  const restart = Effect.fnUntraced(function*(connection: Connection) {
    if (spoken) {
      const message = "codex has ended, and with it what was said in this session, which was to leave no trace"
      warnings.push({ _tag: "Warning", code: "contextLost", message })
      spoken = false
    }
    return yield* begin(connection)
  })

  const resume = Effect.fnUntraced(function*(connection: Connection, threadId: string, settings: SessionOptions) {
    // What happens on a thread is told to one session.
    const holder = connection.threads.holder(threadId)
    if (holder !== undefined && holder !== loaded?.thread) {
      const detail = "another session of this process has it open"
      return yield* agentError(new AgentError.SessionBusy({ sessionId: threadId, detail }))
    }
    const answer = yield* connection.request("thread/resume", Params.threadResume(threadId, settings)).pipe(
      Effect.mapError(failed(threadId))
    )
    if (answer.thread.id !== threadId) {
      const detail = `asked for thread ${threadId} and got ${answer.thread.id}`
      return yield* agentError(
        new AgentError.MalformedReply({ method: "thread/resume", detail, mayHaveReached: true })
      )
    }
    warnings.push(...differences(settings, answer))
    const resumed = claim(connection, threadId, answer, false)
    resumed.thread.foundRunning((yield* runningCommands(connection, threadId)).map((terminal) => terminal.itemId))
    return resumed
  })

  /**
   * The thread in a living server, which is kept for the scope. After the server's death the thread is resumed;
   * one that no turn was ever accepted on is not on disk, and is started anew.
   */
  const load = Effect.fnUntraced(function*(experimental: boolean) {
    const connection = yield* server.lease({
      experimental: experimental || wantsExperimental,
      prefer: loaded?.connection
    })
    if (loaded?.connection === connection && !loaded.thread.unloaded) return loaded
    loaded = loaded === undefined
      ? yield* options.resume === undefined
        ? begin(connection)
        : resume(connection, options.resume.sessionId, options)
      : yield* durable
        ? resume(connection, loaded.threadId, options)
        : restart(connection)
    return loaded
  }, loading.withPermit)

  // -- the end of a turn

  /** Asks the server to end whatever runs on the thread. An id of no characters stands for any turn. */
  const requestInterrupt = ({ connection, threadId }: Loaded, turnId: string) =>
    connection.request("turn/interrupt", { threadId, turnId }, { deadline: deadlines.interrupt })

  /**
   * The thread is at rest and the turn was not reported to have ended: asks the server what became of it.
   * In order, the idle status comes right before `turn/completed`.
   */
  const settle = Effect.fnUntraced(function*(
    connection: Connection,
    threadId: string,
    thread: CodexThread,
    turn: RunningTurn
  ) {
    const ended = yield* turn.outcome.pipe(Effect.timeoutOption(deadlines.settle))
    // At work again: what was idle was another turn on the thread.
    if (Option.isSome(ended) || !thread.idle) return
    const found = yield* connection.request("thread/turns/list", { threadId, limit: 1 }).pipe(
      Effect.map((page) => page.data.find((each) => each.id === turn.id)),
      Effect.tapError((error) => Effect.logWarning(`Could not ask what became of turn ${turn.id}`, error)),
      Effect.orElseSucceed(() => undefined)
    )
    if (turn.projector.ended) return
    if (found !== undefined && found.status !== "inProgress") {
      return turn.projector.apply({ method: "turn/completed", params: { threadId, turn: found } })
    }
    turn.projector.end({ _tag: "Incomplete", detail: "codex is idle and did not report the end of the turn" })
  })

  /** Whoever stops a turn wants codex to stop, and not to start the next one for its goal. */
  const pauseGoal = ({ connection, thread, threadId }: Loaded) =>
    !thread.pursuing ? Effect.void : connection.request(
      "thread/goal/set",
      { threadId, status: "paused" },
      { deadline: deadlines.interrupt }
    ).pipe(
      Effect.catch((error) => Effect.logWarning("The goal could not be paused: codex may go on with it", error))
    )

  const interrupt = Effect.fnUntraced(function*(where: Loaded, turn: RunningTurn): Effect.fn.Return<Interruption> {
    if (!turn.projector.ended) {
      turn.projector.interruptRequested()
      yield* pauseGoal(where)
      // Until the turn has announced itself the server knows no turn of that id.
      yield* requestInterrupt(where, turn.projector.running ? turn.id : "").pipe(
        // A turn that is just ending is no longer known either; its end is what is waited for.
        Effect.catch((error) => Effect.logDebug("turn/interrupt was refused", error)),
        Effect.andThen(turn.outcome),
        Effect.timeoutOption(deadlines.interrupt)
      )
      turn.projector.end({ _tag: "Interrupted", requested: true, confirmed: false })
      yield* terminateCommands(where, turn)
    }
    const outcome = yield* turn.outcome
    return { outcome, confirmed: outcome._tag !== "Interrupted" || outcome.confirmed }
  }, Effect.uninterruptible)

  /** Nobody can speak to a turn whose session is closed: it is interrupted, once it is known. */
  const endRunning = (where: Loaded): Effect.Effect<void> =>
    where.thread.activity._tag === "Idle" ? Effect.void : where.thread.bound.pipe(
      Effect.timeoutOption(deadlines.interrupt),
      Effect.flatMap((turn) => Option.isSome(turn) ? Effect.asVoid(interrupt(where, turn.value)) : Effect.void),
      // It never started.
      Effect.ignore
    )

  // -- commands that outlive their turn

  /** Codex counts a command as a background terminal from its start on, also while its turn waits for it. */
  const runningCommands = (connection: Connection, threadId: string) =>
    !terminates || !connection.experimental ? Effect.succeed([]) : connection.request(
      "thread/backgroundTerminals/list",
      { threadId },
      { deadline: deadlines.interrupt }
    ).pipe(
      Effect.map((page) => page.data),
      Effect.tapError((error) => Effect.logWarning("Could not list background terminals", error)),
      Effect.orElseSucceed(() => [])
    )

  /** Ends the commands of a turn, and leaves those of other turns alone. */
  const terminateCommands = Effect.fnUntraced(function*({ connection, thread, threadId }: Loaded, turn: RunningTurn) {
    for (const { itemId, processId } of yield* runningCommands(connection, threadId)) {
      if (!thread.mayBeOf(turn.id, itemId)) continue
      yield* connection.request("thread/backgroundTerminals/terminate", { threadId, processId }).pipe(
        Effect.catch((error) => Effect.logWarning(`Could not end the command in terminal ${processId}`, error))
      )
    }
  })

  // -- turns

  const busy = (detail: string) => agentError(new AgentError.SessionBusy({ sessionId: loaded?.threadId ?? "", detail }))

  /**
   * Runs a call that starts a turn. If it gives no answer, a turn may run all the same; it is ended.
   */
  const starting = Effect.fnUntraced(function*<A>(
    where: Loaded,
    call: Effect.Effect<A, AgentError.AgentError>,
    restore: <B, E, R>(effect: Effect.Effect<B, E, R>) => Effect.Effect<B, E, R>
  ) {
    const exit = yield* Effect.exit(restore(call))
    if (Exit.isSuccess(exit)) return exit.value
    where.thread.startFailed()
    const failure = Exit.findErrorOption(exit)
    if (Option.isNone(failure) || failure.value.mayHaveReached) {
      yield* requestInterrupt(where, "").pipe(
        Effect.catch((error) => Effect.logWarning("A turn that nobody waits for may be running", error))
      )
    }
    return yield* exit
  })

  const steer = Effect.fn("AgentTurn.steer")(function*(where: Loaded, turn: RunningTurn, input: TurnInput) {
    if (turn.projector.ended) {
      return yield* agentError(new AgentError.NotSteerable({ detail: "it has ended" }))
    }
    const { connection, threadId } = where
    yield* connection.request("turn/steer", {
      threadId,
      expectedTurnId: turn.id,
      input: input.input.map(Params.userInput),
      ...(input.clientId === undefined ? {} : { clientUserMessageId: input.clientId })
    }).pipe(Effect.mapError(failed(threadId)))
  })

  /**
   * The settings to come back to after turns that had some of their own. Of two codex does not say what they are for the
   * session; where none is configured either, `none` is what its models come with.
   */
  const restored = Effect.fnUntraced(function*({ connection, settings }: Loaded, input: TurnInput) {
    const restore = Params.restoring(settings, overridden)
    const unknown = (["summary", "personality"] as const).filter((name) =>
      overridden.has(name) && input[name] === undefined && restore[name] === undefined
    )
    if (unknown.length === 0) return restore
    const { cwd } = options
    const { config } = yield* connection.request("config/read", cwd === undefined ? {} : { cwd }).pipe(
      Effect.mapError(failed(loaded?.threadId))
    )
    const configured = Defaults.sessionDefaults(config, { cwd, root: undefined })
    return { ...restore, ...Object.fromEntries(unknown.map((name) => [name, configured[name] ?? "none"])) }
  })

  const startTurn = Effect.fn("AgentSession.startTurn")(function*(input: TurnInput) {
    if (loaded !== undefined && loaded.thread.activity._tag !== "Idle") return yield* busy("a turn is running")
    const turnHost = yield* TurnHost
    const where = yield* load(input.mode === "plan" || input.context !== undefined)
    const restore = yield* restored(where, input)
    return yield* Effect.uninterruptibleMask(Effect.fnUntraced(function*(interruptible) {
      const { connection, settings, thread, threadId } = where
      if (thread.activity._tag !== "Idle") return yield* busy("a turn is running")
      const nextMode = input.mode ?? "default"
      thread.starting("turn", turnHost)
      for (const name of Params.overridesOf(input)) overridden.add(name)
      const cwd = input.cwd ?? workspace ?? where.cwd
      const params = Params.turnStart(threadId, { ...input, cwd: cwd === where.cwd ? undefined : cwd }, {
        model: settings.model,
        effort: options.effort,
        summary: options.summary,
        personality: options.personality,
        sandboxPolicy: settings.sandboxPolicy,
        restore,
        modeChanged: nextMode !== mode
      })
      const answer = yield* starting(
        where,
        connection.request("turn/start", params).pipe(Effect.mapError(failed(threadId))),
        interruptible
      )
      mode = nextMode
      where.cwd = cwd
      durable = options.ephemeral !== true
      spoken = true
      const turn = thread.bind(answer.turn.id)
      for (const warning of warnings.splice(0)) turn.projector.pass(warning)
      if (answer.turn.status !== "inProgress") {
        turn.projector.apply({ method: "turn/completed", params: { threadId, turn: answer.turn } })
      }
      yield* Effect.addFinalizer(() => turn.projector.ended ? Effect.void : interrupt(where, turn))
      const agentTurn: AgentTurn = {
        id: turn.id,
        events: turn.buffer.stream,
        steer: (more) => steer(where, turn, more),
        interrupt: interrupt(where, turn),
        outcome: turn.outcome
      }
      return agentTurn
    }))
  })

  const compactionTimedOut = Effect.suspend(() => {
    const after = Duration.toMillis(Duration.fromInputUnsafe(deadlines.compaction))
    return Effect.fail(
      agentError(new AgentError.TimedOut({ operation: "thread/compact/start", after, mayHaveReached: true }))
    )
  })

  const compact: AgentSession["compact"] = Effect.scoped(Effect.gen(function*() {
    if (loaded !== undefined && loaded.thread.activity._tag !== "Idle") return yield* busy("a turn is running")
    const where = yield* load(false)
    const { connection, thread, threadId } = where
    return yield* Effect.uninterruptibleMask(Effect.fnUntraced(function*(restore) {
      if (thread.activity._tag !== "Idle") return yield* busy("a turn is running")
      thread.starting("compaction", host)
      const call = connection.request("thread/compact/start", { threadId }).pipe(
        Effect.mapError(failed(threadId)),
        // The answer names no turn: it is the next one that announces itself.
        Effect.andThen(thread.bound),
        Effect.timeoutOrElse({ duration: deadlines.compaction, orElse: () => compactionTimedOut })
      )
      const turn = yield* starting(where, call, restore)
      const forwarding = yield* turn.buffer.stream.pipe(
        Stream.runForEachArray((events) => Queue.offerAll(outside, events)),
        Effect.catch((error) => Effect.logWarning("Events of a compaction were lost", error)),
        Effect.forkScoped
      )
      const outcome = yield* restore(Effect.timeoutOption(turn.outcome, deadlines.compaction)).pipe(
        Effect.onInterrupt(() => interrupt(where, turn))
      )
      if (Option.isNone(outcome)) {
        yield* interrupt(where, turn)
        return yield* compactionTimedOut
      }
      yield* Fiber.await(forwarding)
      return { outcome: compactionOutcome(turn, outcome.value), turnId: turn.id } satisfies Compaction
    }))
  }))

  // -- goals

  const onThread = <A>(
    use: (where: Loaded) => Effect.Effect<A, PeerError>
  ): Effect.Effect<A, AgentError.AgentError> =>
    Effect.scoped(
      Effect.flatMap(load(false), (where) => Effect.mapError(use(where), failed(where.threadId)))
    )

  yield* Effect.scoped(load(false))
  yield* Effect.addFinalizer(() => {
    if (loaded === undefined) return Effect.void
    const { connection, release, threadId } = loaded
    if (connection.ended() !== undefined) return Effect.sync(release)
    return endRunning(loaded).pipe(
      Effect.andThen(connection.request("thread/unsubscribe", { threadId }, { deadline: unsubscribeDeadline })),
      Effect.catch((error) => Effect.logDebug("thread/unsubscribe failed", error)),
      Effect.andThen(Effect.sync(release))
    )
  })

  return {
    ref: Effect.sync(() => ({ backend: backendId, sessionId: loaded?.threadId ?? "", durable })),
    get model() {
      return loaded?.settings.model
    },
    startTurn,
    compact,
    getGoal: onThread(({ connection, threadId }) => connection.request("thread/goal/get", { threadId })).pipe(
      Effect.map(({ goal }) => goal == null ? null : fromThreadGoal(goal))
    ),
    setGoal: (goal) =>
      onThread(({ connection, threadId }) =>
        connection.request("thread/goal/set", {
          threadId,
          ...(goal.objective === undefined ? {} : { objective: goal.objective }),
          // Which statuses there are is checked with the other parameters, before they are sent.
          ...(goal.status === undefined ? {} : { status: goal.status as Open.ThreadGoalStatus as "active" }),
          ...(goal.tokenBudget === undefined ? {} : { tokenBudget: goal.tokenBudget })
        })
      ).pipe(Effect.map((result) => fromThreadGoal(result.goal))),
    clearGoal: Effect.asVoid(
      onThread(({ connection, threadId }) => connection.request("thread/goal/clear", { threadId }))
    ),
    interruptOwn: Effect.suspend(() =>
      loaded === undefined ? Effect.void : Effect.andThen(
        pauseGoal(loaded),
        // No turn of ours runs, so that whatever runs is the agent's own.
        Effect.mapError(requestInterrupt(loaded, ""), failed(loaded.threadId))
      )
    ),
    events: Stream.fromQueue(outside)
  }
})

const compactionOutcome = (turn: RunningTurn, outcome: TurnOutcome): TurnOutcome =>
  outcome._tag === "Completed" && !turn.compacted
    ? { _tag: "Incomplete", detail: "codex ended the turn without having compacted the context" }
    : outcome
