/**
 * A session of an agent of this family: its turns, and what it asks of its host.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type {
  AgentSession,
  AgentTurn,
  Compaction,
  Interruption,
  SessionOptions,
  TurnInput
} from "../../agent/AgentBackend.ts"
import * as AgentErrors from "../../agent/AgentError.ts"
import type { AgentEvent } from "../../agent/AgentEvent.ts"
import { TurnHost } from "../../agent/TurnHost.ts"
import { ProcessTable } from "../../transport/ProcessTable.ts"
import { confined, type Rules, unconfined } from "./Approvals.ts"
import { HostSide } from "./internal/HostSide.ts"
import * as Inputs from "./internal/Inputs.ts"
import { PiTurn } from "./internal/PiTurn.ts"
import type { Port, PortEvent, PortGoals, PortHandlers, Ports } from "./Port.ts"
import * as SessionFiles from "./SessionFiles.ts"

/** Events outside of turns that nobody has read; more push out the oldest. */
const outsideCapacity = 1024

/** How long an agent may take to come to rest once it is asked to. */
const interruptDeadline = Duration.seconds(5)

const planning =
  "Plan mode is on: look around and propose a plan. Nothing may be changed or run; tools that do so are " +
  "refused."

/** A session that the agent has kept. */
interface Kept {
  readonly file: string
  readonly sessionId: string
}

/** The agent, from its start until it is gone. */
interface Life {
  readonly port: Port
  readonly scope: Scope.Closeable
  /** What it was told last. */
  model: string | undefined
  effort: string | undefined
}

type Machine = FileSystem.FileSystem | Path.Path | ProcessTable

/** How these agents work by themselves. */
const unasked = { policy: "never", sandbox: "danger-full-access" } as const

const contextOf = (input: TurnInput): string | undefined => {
  const texts = [input.mode === "plan" ? planning : undefined, input.context].filter((text) => text !== undefined)
  return texts.length === 0 ? undefined : texts.join("\n\n")
}

/** Opens a session: begins one, forks one, or goes on with the one of `options.resume`. */
export const open = Effect.fn("PiSession.open")(function*(
  ports: Ports,
  options: SessionOptions
): Effect.fn.Return<AgentSession, AgentErrors.AgentError, Machine | Scope.Scope> {
  const { agent, backend } = ports
  const machine = Context.pick(FileSystem.FileSystem, Path.Path, ProcessTable)(yield* Effect.context<Machine>())
  // Ends after what is added later on, whenever the agent was started.
  const lives = yield* Scope.fork(yield* Effect.scope)
  const sessionHost = yield* TurnHost
  /** The directory of the session; one that is gone on with keeps its own. */
  let home = options.cwd
  let cwd = home ?? process.cwd()
  const outside = yield* Queue.sliding<AgentEvent>(outsideCapacity)
  const fork = yield* FiberSet.makeRuntime<never>()
  const grants = new Set<string>()
  const hostTools = new Set(sessionHost.tools.map(({ name }) => name))
  /** Told with the next turn, where somebody listens. */
  const warnings: Array<AgentEvent> = []
  let current: PiTurn | undefined
  /** The id of a run that the agent is about to start by itself. */
  let ownId: string | undefined
  /** Why the agent is gone. */
  let failed: AgentErrors.AgentError | undefined
  /** Whether there is something to lose. */
  let spoken = options.resume !== undefined || options.fork !== undefined
  const reviving = yield* Semaphore.make(1)
  /** On the file of the agent that lives. */
  let lock: SessionFiles.Lock | undefined
  let warnedOf: string | undefined

  const error = (reason: AgentErrors.AgentErrorReason) => new AgentErrors.AgentError({ backend, reason })
  const gone = error(new AgentErrors.Cancelled({ detail: "the agent was not started again", mayHaveReached: false }))
  const missing = (capability: string) => error(new AgentErrors.CapabilityMissing({ capability }))
  const busy = (detail: string) => error(new AgentErrors.SessionBusy({ sessionId: life.port.sessionId, detail }))
  const tellOutside = (event: AgentEvent) => void Queue.offerUnsafe(outside, event)
  const warn = (code: string, message: string) => warnings.push({ _tag: "Warning", code, message })

  const rulesOf = (input?: TurnInput): Rules => {
    const policy = input?.approvalPolicy ?? options.approvalPolicy
    const sandbox = input?.sandbox ?? options.sandbox
    const where = { cwd, ...confined(sandbox ?? "workspace-write") }
    if (input?.mode === "plan") return { ...where, policy: "never", sandbox: "read-only" }
    // Where nobody names any, the agent's own settings decide: here nothing is asked.
    if (policy === undefined && sandbox === undefined) return { ...where, ...unasked }
    return { ...where, policy: policy ?? "on-request" }
  }

  // -- turns

  const begin = (made: {
    readonly id?: string
    readonly own: boolean
    readonly rules: Rules
    readonly context?: string | undefined
    readonly host?: PiTurn["host"]
  }): PiTurn => {
    const turn = new PiTurn({
      agent,
      backend,
      turnId: made.id ?? uuidV7Unsafe(),
      cwd,
      contextWindow: life.port.contextWindow(),
      mcpServers: life.port.mcpServers,
      hostTools,
      own: made.own,
      host: made.host ?? sessionHost,
      rules: made.rules,
      context: made.context,
      outside: made.own ? tellOutside : undefined,
      onEnd: () => {
        if (current === turn) current = undefined
      }
    })
    current = turn
    return turn
  }

  /** What the agent does without having been asked. */
  const beginOwn = (): PiTurn => {
    const id = ownId
    ownId = undefined
    return begin({ ...(id === undefined ? {} : { id }), own: true, rules: rulesOf() })
  }

  const onEvent = (event: PortEvent): void => {
    switch (event._tag) {
      case "Frame": {
        const { frame } = event
        const turn = current ?? (frame.type === "agent_start" ? beginOwn() : undefined)
        if (turn !== undefined) {
          turn.projector.apply(frame)
          return
        }
        if (frame.type === "goal_updated" || frame.type === "notice") between(event)
        return
      }
      case "Settled":
        if (agent === "omp" || current?.projector.resting === true) current?.projector.settled()
        return
      case "Malformed":
        return note("malformedNotification", event.error.message)
      case "Warning":
        return note(event.code, event.message)
      case "Failed":
        failed = event.error
        lock?.letGo()
        current?.projector.fail(event.error.reason)
        return
    }
  }

  /** Tells what happens between turns, as it would be told within one. */
  const between = (event: Extract<PortEvent, { readonly _tag: "Frame" }>) => {
    const passing = new PiTurn({
      agent,
      backend,
      turnId: "",
      cwd,
      host: sessionHost,
      rules: rulesOf(),
      outside: tellOutside,
      onEnd: () => {}
    })
    passing.projector.apply(event.frame)
  }

  const note = (code: string, message: string): void => {
    const warning = { _tag: "Warning", code, message } as const
    if (current === undefined) tellOutside(warning)
    else current.projector.pass(warning)
  }

  const interrupt = Effect.fnUntraced(function*(turn: PiTurn): Effect.fn.Return<Interruption> {
    if (!turn.projector.ended) {
      turn.projector.interruptRequested()
      turn.withdraw()
      yield* pauseGoal
      const aborted = yield* life.port.abort.pipe(
        Effect.as(true),
        Effect.catch((error) => Effect.as(Effect.logWarning("The agent could not be interrupted", error), false)),
        Effect.timeoutOption(interruptDeadline)
      )
      if (Option.getOrElse(aborted, () => false)) turn.projector.settled()
      turn.projector.end({ _tag: "Interrupted", requested: true, confirmed: false })
    }
    const outcome = yield* turn.outcome
    return { outcome, confirmed: outcome._tag !== "Interrupted" || outcome.confirmed }
  }, Effect.uninterruptible)

  /** Whoever stops the agent wants it to stop, and not to go on for its goal. */
  const pauseGoal = Effect.suspend(() => {
    const { goals } = life.port
    if (goals === undefined) return Effect.void
    return Effect.flatMap(
      goals.get,
      (goal) => goal?.status === "active" ? goals.set({ status: "paused" }) : Effect.void
    )
      .pipe(Effect.catch((error) => Effect.logWarning("The goal could not be paused", error)))
  })

  // -- what the agent asks

  const hostSide = new HostSide({
    sessionId: () => life.port.sessionId,
    turn: () => current,
    host: sessionHost,
    rules: rulesOf,
    hostTools,
    mcpServers: () => life.port.mcpServers,
    grants,
    cancel: (turn) => void fork(Effect.asVoid(interrupt(turn)))
  })

  // -- opening

  const fileOf = (ref: { readonly sessionId: string }) =>
    SessionFiles.find(backend, ports.sessionsDirectory, ref.sessionId)

  const begunFrom = Effect.fnUntraced(function*(): Effect.fn.Return<
    Kept | undefined,
    AgentErrors.AgentError,
    Machine
  > {
    const { fork, resume } = options
    if (fork !== undefined) {
      const source = { file: yield* fileOf(fork.session), sessionId: fork.session.sessionId }
      yield* SessionFiles.check(backend, source.file, source.sessionId)
      const sessionId = uuidV7Unsafe()
      return { sessionId, file: yield* SessionFiles.branch(backend, source, fork.turnId, sessionId) }
    }
    return resume === undefined ? undefined : { sessionId: resume.sessionId, file: yield* fileOf(resume) }
  })

  /** Starts the agent, on a session that is kept or on a new one. */
  const start = Effect.fnUntraced(function*(kept: Kept | undefined) {
    const scope = yield* Scope.fork(lives)
    return yield* Effect.gen(function*() {
      lock = undefined
      if (kept !== undefined) {
        lock = yield* SessionFiles.lock(backend, kept.file, kept.sessionId)
        const found = yield* SessionFiles.check(backend, kept.file, kept.sessionId)
        if (home === undefined && found.cwd !== undefined) cwd = found.cwd
        if (found.cwd !== cwd) yield* SessionFiles.move(backend, kept.file, cwd)
        if (found.unreadable > 0) {
          warn("sessionDamaged", `${found.unreadable} lines of ${kept.file} cannot be read and were left out.`)
        }
      }
      home ??= cwd
      const port = yield* ports.open({
        cwd,
        resume: kept?.file,
        ephemeral: options.ephemeral === true,
        provider: options.provider,
        model: options.model,
        effort: options.effort,
        instructions: options.developerInstructions,
        hostTools: sessionHost.tools,
        asks: options.approvalPolicy !== undefined || options.sandbox !== undefined
      }, handlers)
      const file = port.file()
      if (lock === undefined && file !== undefined) lock = yield* SessionFiles.lock(backend, file, port.sessionId)
      const started: Life = { port, scope, model: port.model(), effort: options.effort }
      return started
    }).pipe(Scope.provide(scope), Effect.onError(() => Scope.close(scope, Exit.void)))
  })

  const handlers: PortHandlers = {
    event: onEvent,
    toolCall: (call) => Effect.provide(hostSide.toolCall(call), machine),
    runStart: Effect.sync(() => {
      const context = current?.context
      if (current !== undefined) current.context = undefined
      ownId = current === undefined ? uuidV7Unsafe() : undefined
      return { context, turnId: current?.id ?? ownId }
    }),
    ask: (questions) => hostSide.ask(questions),
    hostTool: (call) => hostSide.callTool(call)
  }

  let life = yield* Effect.flatMap(begunFrom(), start)
  const base = { model: life.model, effort: life.effort }

  /** After the death of the agent, another one goes on with what it has kept. */
  const revive = Effect.suspend(() => failed === undefined ? Effect.void : restart).pipe(
    reviving.withPermit,
    Effect.provide(machine)
  )
  /** These agents work where they were started: in another directory another one goes on. */
  const move = (wanted: string | undefined) =>
    Effect.suspend(() => {
      const next = wanted ?? home
      if (next === undefined || next === cwd) return Effect.void
      const before = cwd
      cwd = next
      return Effect.onError(restart, () => Effect.sync(() => cwd = before))
    }).pipe(reviving.withPermit, Effect.provide(machine))

  const restart = Effect.gen(function*() {
    yield* Scope.close(life.scope, Exit.void)
    const { port } = life
    const file = port.file()
    const isKept = file !== undefined && (yield* SessionFiles.exists(file))
    if (!isKept && spoken) {
      warn("contextLost", "The agent has ended, and with it what was said in this session, of which nothing was kept.")
    }
    spoken = isKept
    // The next one may die at once.
    failed = undefined
    life = yield* start(isKept ? { file, sessionId: port.sessionId } : undefined).pipe(
      // There is none now: the next turn tries again.
      Effect.onExit((exit) =>
        Effect.sync(() => {
          if (Exit.isFailure(exit)) failed = Option.getOrElse(Exit.findErrorOption(exit), () => gone)
        })
      )
    )
  })

  /** A turn's own settings, or those that the session began with. */
  const adjust = Effect.fnUntraced(function*(input: TurnInput) {
    const model = input.model ?? base.model
    if (model !== undefined && model !== life.model) {
      yield* life.port.setModel(options.provider, model)
      life.model = model
    }
    const effort = input.effort ?? base.effort
    if (effort !== undefined && effort !== life.effort) {
      yield* life.port.setEffort(effort)
      life.effort = effort
    }
  })

  const messageOf = (input: TurnInput) =>
    Inputs.toPort(input.input).pipe(Effect.mapError(error), Effect.provide(machine))

  const agentTurn = (turn: PiTurn): AgentTurn => ({
    id: turn.id,
    events: turn.buffer.stream,
    steer: (more) => steer(turn, more),
    interrupt: interrupt(turn),
    outcome: turn.outcome
  })

  const steer = Effect.fn("AgentTurn.steer")(function*(turn: PiTurn, input: TurnInput) {
    const message = yield* messageOf(input)
    if (turn.projector.ended) return yield* error(new AgentErrors.NotSteerable({ detail: "it has ended" }))
    turn.said(input.clientId)
    yield* life.port.steer(message)
  })

  const startTurn: AgentSession["startTurn"] = Effect.fn("AgentSession.startTurn")(function*(input: TurnInput) {
    if (input.outputSchema !== undefined) return yield* missing("outputSchema")
    const host = yield* TurnHost
    const message = yield* messageOf(input)
    return yield* Effect.uninterruptibleMask(Effect.fnUntraced(function*(restore) {
      yield* restore(current === undefined ? Effect.andThen(revive, move(input.cwd)) : revive)
      if (current?.isOwn === true) {
        const own = current
        own.join(host)
        yield* Effect.addFinalizer(() => own.projector.ended ? Effect.void : interrupt(own))
        yield* steer(own, input)
        return agentTurn(own)
      }
      if (current !== undefined) return yield* busy("a turn is running")
      const rules = rulesOf(input)
      const turn = begin({ own: false, rules, context: contextOf(input), host })
      const exit = yield* Effect.exit(restore(Effect.andThen(adjust(input), life.port.prompt(message))))
      if (Exit.isFailure(exit)) {
        if (current === turn) current = undefined
        const failure = Exit.findErrorOption(exit)
        // It may have been accepted all the same.
        if (Option.isNone(failure) || failure.value.mayHaveReached) {
          yield* Effect.catch(
            life.port.abort,
            (error) => Effect.logWarning("A turn that nobody waits for may run", error)
          )
        }
        return yield* Effect.failCause(exit.cause)
      }
      turn.projector.started()
      spoken = true
      for (const warning of warnings.splice(0)) turn.projector.pass(warning)
      const unenforced = unconfined(rules)
      if (unenforced !== undefined && unenforced !== warnedOf) {
        turn.projector.pass({ _tag: "Warning", code: "sandboxNotEnforced", message: unenforced })
        warnedOf = unenforced
      }
      yield* Effect.addFinalizer(() => turn.projector.ended ? Effect.void : interrupt(turn))
      return agentTurn(turn)
    }))
  })

  const compact: AgentSession["compact"] = Effect.uninterruptibleMask(Effect.fnUntraced(function*(restore) {
    if (current !== undefined) return yield* busy("a turn is running")
    yield* restore(revive)
    if (current !== undefined) return yield* busy("a turn is running")
    const turn = begin({ own: true, rules: rulesOf() })
    turn.projector.started()
    const startedAt = yield* Clock.currentTimeMillis
    const exit = yield* Effect.exit(restore(life.port.compact))
    const durationMs = (yield* Clock.currentTimeMillis) - startedAt
    const failure = Exit.findErrorOption(exit)
    if (Exit.isSuccess(exit)) turn.projector.end({ _tag: "Completed" }, durationMs)
    else if (Option.isSome(failure)) turn.projector.end({ _tag: "Failed", error: failure.value }, durationMs)
    else yield* interrupt(turn)
    if (Exit.isFailure(exit) && Option.isNone(failure)) return yield* Effect.failCause(exit.cause)
    return { outcome: yield* turn.outcome, turnId: turn.id } satisfies Compaction
  }))

  yield* Effect.addFinalizer(() =>
    current === undefined || failed !== undefined ? Effect.void : Effect.asVoid(interrupt(current))
  )

  /** Those of the agent that lives, for one that keeps goals at all. */
  const withGoals = <A>(use: (goals: PortGoals) => Effect.Effect<A, AgentErrors.AgentError>) =>
    Effect.suspend(() =>
      life.port.goals === undefined
        ? Effect.fail(missing("goals"))
        : Effect.andThen(
          revive,
          Effect.suspend(() => life.port.goals === undefined ? Effect.fail(missing("goals")) : use(life.port.goals))
        )
    )
  const exists = Effect.provide(
    Effect.suspend(() => {
      const file = life.port.file()
      return file === undefined || options.ephemeral === true ? Effect.succeed(false) : SessionFiles.exists(file)
    }),
    machine
  )

  return {
    ref: Effect.map(exists, (durable) => ({ backend, sessionId: life.port.sessionId, durable })),
    get model() {
      return life.port.model()
    },
    startTurn,
    compact,
    getGoal: withGoals((goals) => goals.get),
    setGoal: (goal) => withGoals((goals) => goals.set(goal)),
    clearGoal: withGoals((goals) => goals.clear),
    interruptOwn: Effect.suspend(() => current?.isOwn === true ? Effect.asVoid(interrupt(current)) : pauseGoal),
    events: Stream.fromQueue(outside)
  }
})
