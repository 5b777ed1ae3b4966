/**
 * One codex thread as the read loop sees it: which turn runs, what belongs to it, and what does not.
 *
 * Everything here is synchronous and in wire order. The session on top of it makes the calls.
 */
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { type AgentError, NotSteerable } from "../../../agent/AgentError.ts"
import type { AgentEvent } from "../../../agent/AgentEvent.ts"
import type { TurnHostService } from "../../../agent/TurnHost.ts"
import type { RpcFailure } from "../../../peer/Peer.ts"
import type { TransportError } from "../../../transport/TransportError.ts"
import { agentError, fromTransportError } from "./Errors.ts"
import { hostRequest } from "./HostRequests.ts"
import { json } from "./Items.ts"
import { RunningTurn } from "./RunningTurn.ts"
import type { ThreadSink } from "./ThreadRouter.ts"
import { TurnProjector } from "./TurnProjector.ts"
import * as Usage from "./Usage.ts"
import type * as Wire from "./Wire.ts"

/** What runs on the thread for us. */
export type Activity =
  | { readonly _tag: "Idle" }
  /** A request that starts a turn is on its way; events of the turn may come before its answer. */
  | {
    readonly _tag: "Starting"
    readonly purpose: "turn" | "compaction"
    readonly host: TurnHostService
    readonly early: Array<Wire.Notification>
    readonly bound: Deferred.Deferred<RunningTurn, AgentError>
  }
  | { readonly _tag: "Running"; readonly turn: RunningTurn }

export interface CodexThreadOptions {
  readonly isNew: boolean
  /** Asked when the session has no turn of its own. */
  readonly host: TurnHostService
  /** For a tool of the host to return. */
  readonly toolDeadline: Duration.Input
  /** Where events go that belong to no turn of ours. */
  readonly outside: Queue.Queue<AgentEvent>
  /** Notes threads that agents of this one have started. */
  readonly adopt: (childId: string) => void
  /** The thread came to rest. */
  readonly onIdle: (turn: RunningTurn) => void
}

/** Events of a starting turn that are kept for it. More than fit here are only seen when its answer is lost. */
const earlyLimit = 4096

/** A turn that is not ours; `late` if its end was told before. */
interface Other {
  readonly late: boolean
  readonly projector: TurnProjector
}

/** Turns of others that are followed at once. A review speaks under two ids in turn, and ends under one of them. */
const othersLimit = 8

/** Turns that are remembered to have ended. */
const pastLimit = 64

const turnIdOf = (params: object): string | undefined => {
  if ("turnId" in params && typeof params.turnId === "string") return params.turnId
  if (!("turn" in params)) return undefined
  const { turn } = params
  return typeof turn === "object" && turn !== null && "id" in turn && typeof turn.id === "string" ? turn.id : undefined
}

const goal = ({ objective, status, timeUsedSeconds, tokenBudget, tokensUsed }: Wire.ThreadGoal) => ({
  objective,
  status,
  tokensUsed,
  timeUsed: timeUsedSeconds,
  ...(tokenBudget == null ? {} : { tokenBudget })
})

export { goal as fromThreadGoal }

export class CodexThread implements ThreadSink {
  readonly #options: CodexThreadOptions
  #activity: Activity = { _tag: "Idle" }
  /** A turn that codex started by itself, e.g. to go on with a goal, or one that has ended for us. */
  readonly #others = new Map<string, Other>()
  /** Turns whose end was told, the last few of them: a command may outlive its turn. */
  readonly #past = new Set<string>()
  #meter: Usage.Meter
  #status = "idle"
  #unloaded = false
  #pursuing = false
  /** Commands that run, with the turns that they are of. */
  readonly #commands = new Map<string, string>()
  #closed: TransportError | undefined

  constructor(options: CodexThreadOptions) {
    this.#options = options
    this.#meter = Usage.make(options.isNew)
  }

  get activity(): Activity {
    return this.#activity
  }

  /** Whether the server has let go of the thread, so that it must be resumed before its next use. */
  get unloaded(): boolean {
    return this.#unloaded
  }

  /**
   * Whether a running command may be of this turn: it is known of no other one. Codex announces a command some time
   * after it has started it.
   */
  mayBeOf(turnId: string, commandId: string): boolean {
    return (this.#commands.get(commandId) ?? turnId) === turnId
  }

  /** Notes commands that have been running since before this session. */
  foundRunning(commandIds: Iterable<string>): void {
    for (const id of commandIds) this.#commands.set(id, "")
  }

  /** Whether codex has a goal that it goes on with by itself when a turn ends, also an interrupted one. */
  get pursuing(): boolean {
    return this.#pursuing
  }

  /** Whether the server said that the thread is at rest. */
  get idle(): boolean {
    return this.#status !== "active"
  }

  /** Events from now on may belong to the turn that is about to be started. */
  starting(purpose: "turn" | "compaction", host: TurnHostService): void {
    this.#activity = { _tag: "Starting", purpose, host, early: [], bound: Deferred.makeUnsafe() }
  }

  /** Waits for the turn that is starting to announce itself. */
  get bound(): Effect.Effect<RunningTurn, AgentError> {
    return Effect.suspend(() => {
      switch (this.#activity._tag) {
        case "Starting":
          return Deferred.await(this.#activity.bound)
        case "Running":
          return Effect.succeed(this.#activity.turn)
        case "Idle":
          return Effect.fail(agentError(new NotSteerable({ detail: "no turn is starting" })))
      }
    })
  }

  /** No turn came of it. What arrived meanwhile belongs to nobody. */
  startFailed(): void {
    if (this.#activity._tag !== "Starting") return
    const { bound, early } = this.#activity
    this.#activity = { _tag: "Idle" }
    Deferred.doneUnsafe(bound, Effect.fail(agentError(new NotSteerable({ detail: "the turn did not start" }))))
    for (const message of early) this.onNotification(message)
  }

  /** The id of a turn that has announced itself while one was starting. */
  get announced(): string | undefined {
    if (this.#activity._tag !== "Starting") return undefined
    for (const message of this.#activity.early) {
      if (message.method === "turn/started") return message.params.turn.id
    }
    return undefined
  }

  /** The turn that was started has this id. */
  bind(turnId: string): RunningTurn {
    if (this.#activity._tag === "Running") return this.#activity.turn
    const starting = this.#activity._tag === "Starting" ? this.#activity : undefined
    const host = starting?.host ?? this.#options.host
    this.#meter = Usage.startTurn(this.#meter)
    const turn: RunningTurn = new RunningTurn(turnId, host, () => {
      this.#ended(turnId)
      if (this.#activity._tag === "Running" && this.#activity.turn === turn) this.#activity = { _tag: "Idle" }
    })
    this.#past.delete(turnId)
    this.#activity = { _tag: "Running", turn }
    // Input that codex has folded into a turn which runs already: it has announced itself before.
    if (this.#others.delete(turnId)) turn.projector.started()
    if (starting !== undefined) {
      for (const message of starting.early) this.onNotification(message)
      Deferred.doneUnsafe(starting.bound, Effect.succeed(turn))
    }
    // All of the above came before the connection ended, and may have told the end of the turn.
    if (this.#closed !== undefined) turn.projector.fail(fromTransportError(this.#closed, true))
    return turn
  }

  onClosed(error: TransportError): void {
    this.#closed = error
    const reason = fromTransportError(error, true)
    if (this.#activity._tag === "Running") this.#activity.turn.projector.fail(reason)
    if (this.#activity._tag === "Starting") Deferred.doneUnsafe(this.#activity.bound, Effect.fail(agentError(reason)))
    for (const { late, projector } of this.#others.values()) if (!late) projector.fail(reason)
    this.#others.clear()
  }

  onUnrecognized(method: string, params: unknown, problem: string): void {
    const event: AgentEvent = { _tag: "Unrecognized", method, raw: json(params ?? null) }
    if (this.#activity._tag !== "Running") return this.#outside(event)
    this.#activity.turn.projector.pass(event)
    // One that is known and does not fit may have mattered.
    if (problem.startsWith("The params")) {
      this.#activity.turn.projector.pass({ _tag: "Warning", code: "malformedNotification", message: problem })
    }
  }

  onNotification(message: Wire.Notification): void {
    switch (message.method) {
      case "thread/tokenUsage/updated":
        return this.#usage(message)
      case "thread/status/changed":
        return this.#statusChanged(message)
      case "thread/goal/updated":
        this.#pursuing = message.params.goal.status === "active"
        return this.#pass({ _tag: "GoalUpdated", goal: goal(message.params.goal) })
      case "thread/goal/cleared":
        this.#pursuing = false
        return this.#pass({ _tag: "GoalUpdated", goal: null })
      case "warning":
      case "guardianWarning":
        return this.#pass({ _tag: "Warning", code: message.method, message: message.params.message })
      case "serverRequest/resolved":
        if (this.#activity._tag === "Running") {
          this.#activity.turn.projector.requestResolved(String(message.params.requestId), "withdrawn")
        }
        return
      case "mcpServer/startupStatus/updated": {
        const { error, name, status } = message.params
        if (status !== "failed") return
        const detail = error ?? "no reason given"
        return this.#pass({ _tag: "Warning", code: "mcpServerFailed", message: `MCP server ${name}: ${detail}` })
      }
      // Answers to what this side did, and bookkeeping of clients with a list of threads.
      case "thread/started":
      case "thread/settings/updated":
      case "thread/name/updated":
      case "thread/readState/changed":
      case "thread/archived":
        return
      case "thread/closed":
        this.#unloaded = true
        return
      case "item/started":
      case "item/completed": {
        const { item, turnId } = message.params
        this.#adopt(item)
        if (item.type !== "commandExecution") break
        if (message.method === "item/started") this.#commands.set(item.id, turnId)
        else this.#commands.delete(item.id)
        break
      }
    }
    const turnId = turnIdOf(message.params ?? {})
    const activity = this.#activity
    if (activity._tag === "Running" && (turnId === undefined || turnId === activity.turn.id)) {
      return activity.turn.projector.apply(message)
    }
    if (activity._tag === "Starting") return this.#early(activity, message)
    return this.#foreign(turnId, message)
  }

  onRequest(request: Wire.ServerRequest, requestId: string): Effect.Effect<unknown, RpcFailure> {
    return Effect.suspend(() => {
      switch (this.#activity._tag) {
        case "Running":
          return this.#ask(this.#activity.turn, request, requestId)
        case "Starting":
          // The request came with, or before, the answer that names its turn.
          return Deferred.await(this.#activity.bound).pipe(
            Effect.matchEffect({
              onSuccess: (turn) => this.#ask(turn, request, requestId),
              onFailure: () => this.#askOutside(request)
            })
          )
        case "Idle":
          return this.#askOutside(request)
      }
    })
  }

  /** Puts a request to the host of a turn, until that turn ends. */
  #ask(turn: RunningTurn, request: Wire.ServerRequest, requestId: string): Effect.Effect<unknown, RpcFailure> {
    const { toolDeadline } = this.#options
    const prepared = hostRequest(request, { changesOf: (itemId) => turn.changesOf(itemId), toolDeadline })
    if ("code" in prepared) return Effect.fail(prepared)
    if (turn.projector.ended) return Effect.succeed(prepared.refusal.result)
    const { itemId, kind, title } = prepared
    turn.projector.requestOpened({
      _tag: "RequestOpened",
      requestId,
      kind,
      title,
      ...(itemId === undefined ? {} : { itemId })
    })
    return prepared.ask(turn.host).pipe(
      Effect.raceFirst(Effect.as(turn.withdrawn(requestId), prepared.refusal)),
      Effect.map((answer) => {
        turn.projector.requestResolved(requestId, answer.resolution)
        return answer.result
      }),
      Effect.onInterrupt(() => Effect.sync(() => turn.projector.requestResolved(requestId, "withdrawn")))
    )
  }

  /** Puts a request of a turn that is not ours to the host of the session. */
  #askOutside(request: Wire.ServerRequest): Effect.Effect<unknown, RpcFailure> {
    const { toolDeadline } = this.#options
    const prepared = hostRequest(request, { changesOf: () => [], toolDeadline })
    return "code" in prepared
      ? Effect.fail(prepared)
      : Effect.map(prepared.ask(this.#options.host), (answer) => answer.result)
  }

  #usage(message: Extract<Wire.Notification, { readonly method: "thread/tokenUsage/updated" }>): void {
    const activity = this.#activity
    // Which turn it counts for shows with the answer.
    if (activity._tag === "Starting") return this.#early(activity, message)
    const { tokenUsage, turnId } = message.params
    if (activity._tag !== "Running" || activity.turn.id !== turnId) {
      this.#meter = Usage.observe(this.#meter, tokenUsage)
      return
    }
    const [meter, usage] = Usage.report(this.#meter, tokenUsage)
    this.#meter = meter
    activity.turn.projector.pass({ _tag: "UsageUpdated", usage })
  }

  #statusChanged(message: Extract<Wire.Notification, { readonly method: "thread/status/changed" }>): void {
    // Rest says something about a turn only once it is known which one.
    if (this.#activity._tag === "Starting") return this.#early(this.#activity, message)
    const { status } = message.params
    this.#status = String(status.type)
    const flags = status.type === "active" ? status.activeFlags : []
    this.#pass({ _tag: "StatusChanged", status: this.#status, flags })
    if (this.idle && this.#activity._tag === "Running") this.#options.onIdle(this.#activity.turn)
  }

  #adopt(item: Wire.ThreadItem): void {
    switch (item.type) {
      case "collabAgentToolCall":
        for (const id of item.receiverThreadIds) this.#options.adopt(id)
        return
      case "subAgentActivity":
        return this.#options.adopt(item.agentThreadId)
    }
  }

  #early(activity: Extract<Activity, { readonly _tag: "Starting" }>, message: Wire.Notification): void {
    activity.early.push(message)
    // A compaction's answer names no turn: the next one that starts is it.
    if (message.method === "turn/started" && activity.purpose === "compaction") this.bind(message.params.turn.id)
    else if (activity.early.length >= earlyLimit && this.announced !== undefined) this.bind(this.announced)
  }

  #foreign(turnId: string | undefined, message: Wire.Notification): void {
    if (turnId === undefined) {
      return this.#outside({ _tag: "Unrecognized", method: message.method, raw: json(message.params ?? null) })
    }
    const { late, projector } = this.#others.get(turnId) ?? this.#meet(turnId)
    if (late && message.method === "turn/completed") return
    projector.apply(message)
    if (!projector.ended) return
    this.#ended(turnId)
    this.#others.delete(turnId)
  }

  #meet(turnId: string): Other {
    const [oldest] = this.#others
    if (this.#others.size >= othersLimit && oldest !== undefined) {
      const [id, { late, projector }] = oldest
      if (!late) projector.end({ _tag: "Incomplete", detail: "codex has gone on with other turns" })
      this.#others.delete(id)
    }
    const late = this.#past.has(turnId)
    const other = { late, projector: new TurnProjector(turnId, (event) => this.#outside(event), late) }
    this.#others.set(turnId, other)
    return other
  }

  #ended(turnId: string): void {
    this.#past.add(turnId)
    const [oldest] = this.#past
    if (this.#past.size > pastLimit && oldest !== undefined) this.#past.delete(oldest)
  }

  #pass(event: AgentEvent): void {
    if (this.#activity._tag === "Running") this.#activity.turn.projector.pass(event)
    else this.#outside(event)
  }

  #outside(event: AgentEvent): void {
    Queue.offerUnsafe(this.#options.outside, event)
  }
}
