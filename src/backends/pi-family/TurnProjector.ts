/**
 * Turns the frames of one run of omp or pi, and what the host knows of it, into events of the waist.
 *
 * A state machine without clocks and I/O: what it says depends on what it was told alone. It keeps the promises that
 * the agents do not keep: each item is started once and completed once, deltas lie in between, items that the agent
 * never completes are closed, and exactly one `TurnEnded` comes last.
 *
 * A turn of the waist is all that an agent does until it comes to rest. omp says when that is (`isTerminal`). pi does
 * not: after its `agent_end` it may try again, or compact and go on, and says so in the same task, before anything
 * else can happen. The projector knows whether something is due, see {@link TurnProjector.resting}; the host says when
 * enough time has passed, see {@link TurnProjector.settled}.
 */
import { AgentError, type AgentErrorReason } from "../../agent/AgentError.ts"
import type { AgentEvent, EventOf, TurnOutcome } from "../../agent/AgentEvent.ts"
import type { ApprovalDecision } from "../../agent/TurnHost.ts"
import type { AgentFrame, FrameOf, Message, TokenCount } from "./AgentFrame.ts"
import { Answers } from "./internal/Answers.ts"
import { Calls } from "./internal/Calls.ts"
import { ItemBook } from "./internal/ItemBook.ts"
import { reasonOf } from "./internal/ModelErrors.ts"
import { counted, noTokens, type Tokens } from "./internal/Tokens.ts"
import { joined, json } from "./Reading.ts"

export interface TurnProjectorOptions {
  /** pi does not say whether a run was the last one; omp does. */
  readonly agent: "omp" | "pi"
  /** For errors, e.g. `omp-rpc`. */
  readonly backend: string
  readonly turnId: string
  /** Absolute. */
  readonly cwd: string
  readonly emit: (event: AgentEvent) => void
  /** How many tokens the model can hold. */
  readonly contextWindow?: number | undefined
  /** Names of MCP servers, by which the names of their tools are taken apart. */
  readonly mcpServers?: ReadonlyArray<string> | undefined
  /** Names of the host's own tools. */
  readonly hostTools?: ReadonlySet<string> | undefined
  /** A run that the agent started by itself: no message of it is one that the host has sent and shown. */
  readonly own?: boolean | undefined
}

/**
 * Whose a frame was: the turn's (`taken`), nobody's in particular since it tells of the session (`aside`), or not this
 * turn's since it had ended before (`over`), e.g. an `agent_start` of a run that the agent starts by itself.
 */
export type Taken = "taken" | "aside" | "over"

/** What the host alone knows. */
export type HostFact =
  /** What was at a path before a call changes it. `null`: nothing. */
  | { readonly _tag: "Snapshot"; readonly toolCallId: string; readonly path: string; readonly before: string | null }
  /** What was decided about a call. */
  | { readonly _tag: "Decision"; readonly toolCallId: string; readonly decision: ApprovalDecision }

type Rest = "working" | "resting" | "due"

export class TurnProjector {
  readonly #options: TurnProjectorOptions
  readonly #emit: (event: AgentEvent) => void
  readonly #items: ItemBook
  readonly #answers: Answers
  readonly #calls: Calls
  readonly #requests = new Set<string>()
  #state: "waiting" | "running" | "ended" = "waiting"
  #rest: Rest = "working"
  #began = false
  #interruptRequested = false
  #retryCancelled = false
  #isQueued = false
  #sawPrompt: boolean
  #last: Message | undefined
  #tokens: Tokens = noTokens
  #compactions = 0
  #compaction: string | undefined

  constructor(options: TurnProjectorOptions) {
    this.#options = options
    this.#emit = options.emit
    this.#sawPrompt = options.own === true
    const { agent, cwd, hostTools = new Set<string>(), mcpServers = [], turnId } = options
    this.#items = new ItemBook((event) => {
      this.started()
      this.#emit(event)
    })
    this.#answers = new Answers(turnId, this.#items)
    this.#calls = new Calls({ agent, cwd, mcpServers, hostTools }, this.#items, this.#emit)
  }

  /** Whether the turn was said to run, and not to have ended. */
  get running(): boolean {
    return this.#state === "running"
  }

  get ended(): boolean {
    return this.#state === "ended"
  }

  /** Whether the agent has started to work on it. */
  get began(): boolean {
    return this.#began
  }

  /** Whether an item or a request to the host is open, so that silence is no sign of trouble. */
  get busy(): boolean {
    return this.#items.size > 0 || this.#requests.size > 0 || this.#calls.size > 0
  }

  /**
   * pi: its run has ended, and nothing it has said since lets a further one be expected. When this is still so in a
   * later task, the turn is {@link settled}.
   */
  get resting(): boolean {
    return this.#state !== "ended" && this.#rest === "resting"
  }

  /** Calls that are not at their end. */
  get calls(): ReadonlyArray<string> {
    return this.#calls.ids
  }

  /** The item that shows a call, e.g. for a request about it. */
  itemId(toolCallId: string): string {
    return this.#calls.itemId(toolCallId)
  }

  /** Notes that this side has asked for the end of the turn. */
  interruptRequested(): void {
    this.#interruptRequested = true
  }

  /** The turn runs: the agent has accepted it. Anything that happens in it says so, too. */
  started(): void {
    if (this.#state !== "waiting") return
    this.#state = "running"
    this.#emit({ _tag: "TurnStarted", turnId: this.#options.turnId })
  }

  /** An event that concerns the whole session and falls into this turn. */
  pass(event: AgentEvent): void {
    if (this.#state !== "ended") this.#emit(event)
  }

  requestOpened(event: EventOf<"RequestOpened">): void {
    if (this.#state === "ended") return
    this.#requests.add(event.requestId)
    this.#emit(event)
  }

  requestResolved(requestId: string, resolution: string): void {
    if (!this.#requests.delete(requestId)) return
    this.#emit({ _tag: "RequestResolved", requestId, resolution })
  }

  /** Takes what the host knows of a call; it may come before the call does. */
  fact(fact: HostFact): void {
    if (this.#state === "ended") return
    switch (fact._tag) {
      case "Decision":
        return this.#calls.decided(fact.toolCallId, fact.decision)
      case "Snapshot":
        return this.#calls.snapshot(fact.toolCallId, fact.path, fact.before)
    }
  }

  /** Takes a frame of the session, in the order in which the agent gave them. */
  apply(frame: AgentFrame): Taken {
    if (frame.type === "aside") return "aside"
    if (this.#state === "ended") return "over"
    if (frame.type === "queue_update") {
      this.#isQueued = frame.steering.length + frame.followUp.length > 0
      return "aside"
    }
    this.#take(frame)
    return "taken"
  }

  /**
   * The host knows that the agent is at rest: ends the turn by what was last said. One that the agent never started
   * was a command of its own, or was dropped by an interruption that came first.
   */
  settled(): void {
    if (this.#state === "ended") return
    // omp says itself when a run was the last one: what was called off before that did not come to its end.
    const isCalledOff = this.#interruptRequested && (!this.#began || this.#options.agent === "omp")
    if (isCalledOff) return this.end(this.#interrupted())
    this.end(this.#began ? this.#outcome() : { _tag: "Completed" })
  }

  /** Ends the turn for a reason that no frame told. Does nothing to a turn that has ended. */
  end(outcome: TurnOutcome, durationMs?: number): void {
    if (this.#state === "ended") return
    for (const requestId of this.#requests) this.requestResolved(requestId, "withdrawn")
    const status = outcome._tag === "Interrupted" ? "interrupted" : "failed"
    this.#answers.abandon()
    this.#calls.abandonAll(status)
    this.#items.close(status)
    this.#state = "ended"
    this.#emit({ _tag: "TurnEnded", outcome, ...(durationMs === undefined ? {} : { durationMs }) })
  }

  fail(reason: AgentErrorReason): void {
    this.end({ _tag: "Failed", error: this.#error(reason) })
  }

  #take(frame: Exclude<AgentFrame, FrameOf<"aside" | "queue_update">>): void {
    switch (frame.type) {
      case "message_update":
        if (frame.of === "toolcall") this.#calls.written(frame)
        else this.#answers.update(frame, this.#interruptRequested)
        return
      case "tool_execution_update":
        return this.#calls.updated(frame)
      case "agent_start":
        this.#began = true
        this.#rest = "working"
        return this.started()
      case "agent_end":
        return this.#agentEnd(frame)
      case "turn_start":
      case "turn_end":
        return
      case "message_start":
        return this.#messageStart(frame.message)
      case "message_end":
        return this.#messageEnd(frame.message)
      case "tool_execution_start":
        this.started()
        return this.#calls.started(frame)
      case "tool_execution_end":
        return this.#calls.finished(frame, this.#interruptRequested)
      case "tool_stream_update":
        return this.#calls.previewed(frame)
      case "auto_retry_start":
        return this.#retrying(frame)
      case "auto_retry_end":
        if (!frame.success && this.#rest === "due") this.#rest = "resting"
        this.#retryCancelled = !frame.success && /cancel|abort/i.test(frame.finalError ?? "")
        return
      case "retry_fallback_applied":
        return this.#warn("modelRerouted", `The model was changed from ${frame.from} to ${frame.to}`)
      case "auto_compaction_start":
      case "compaction_start":
        return this.#compactionStarted()
      case "auto_compaction_end":
      case "compaction_end":
        return this.#compactionEnded(frame)
      case "goal_updated":
        return this.#goalUpdated(frame)
      case "notice":
        // What is merely said is for the agent's own screen.
        if (frame.level !== "info") this.#warn("notice", frame.message)
        return
      case "extension_error": {
        const where = frame.extensionPath == null ? "An extension" : `The extension ${frame.extensionPath}`
        return this.#warn("extensionError", `${where} failed: ${frame.error ?? "it gave no reason"}`)
      }
      case "unknown":
        return this.#emit({ _tag: "Unrecognized", method: frame.kind, raw: json(frame.raw) })
    }
  }

  #warn(code: string, message: string): void {
    this.#emit({ _tag: "Warning", code, message })
  }

  #error(reason: AgentErrorReason): AgentError {
    return new AgentError({ backend: this.#options.backend, reason })
  }

  // -- messages

  #messageStart(message: Message): void {
    switch (message.role) {
      case "assistant":
        this.#calls.abandonUnexecuted("failed")
        this.#answers.begin()
        return
      case "user": {
        const isPrompt = !this.#sawPrompt && message.steering !== true
        // What the agent tells itself in the user's name, e.g. to go on, is no message of a person.
        if (message.synthetic === true || message.attribution === "agent") return
        this.#sawPrompt = true
        if (isPrompt) return
        this.#abandon("interrupted")
        const images = Array.isArray(message.content)
          ? message.content.filter(({ type }) => type === "image").length
          : 0
        const text = joined(message.content)
        return this.#items.complete({ _tag: "UserMessage", id: this.#answers.nextId(), text, images }, false)
      }
    }
  }

  #messageEnd(message: Message): void {
    if (message.role !== "assistant") return
    this.#last = message
    const isBroken = message.stopReason === "aborted" || message.stopReason === "error"
    this.#answers.end(message, isBroken)
    // Calls that were being written when the answer broke off are never executed.
    if (isBroken) this.#calls.abandonUnexecuted(message.stopReason === "aborted" ? "interrupted" : "failed")
    if (message.usage != null) this.#used(message.usage)
  }

  /** Gives up an answer that never ends, and the calls in it. */
  #abandon(status: "failed" | "interrupted"): void {
    this.#answers.abandon()
    this.#calls.abandonUnexecuted(status)
  }

  #used(usage: TokenCount): void {
    const tokens = counted(this.#tokens, usage)
    if (tokens === this.#tokens) return
    this.#tokens = tokens
    const { used, ...sums } = tokens
    const window = this.#options.contextWindow
    this.#emit({
      _tag: "UsageUpdated",
      usage: { ...sums, fresh: true, context: { used, ...(window === undefined ? {} : { window }) } }
    })
  }

  // -- what the agent does about itself

  #retrying({ attempt, errorMessage, maxAttempts }: FrameOf<"auto_retry_start">): void {
    if (this.#rest === "resting") this.#rest = "due"
    this.#abandon("failed")
    const cause = errorMessage ?? ""
    this.#emit({
      _tag: "Retrying",
      error: this.#error(reasonOf(cause, this.#last?.errorStatus ?? undefined)),
      ...(cause === "" ? {} : { notice: { text: `Reconnecting... ${attempt}/${maxAttempts}`, cause } })
    })
  }

  #compactionStarted(): void {
    if (this.#rest === "resting") this.#rest = "due"
    this.#closeCompaction()
    const id = `${this.#options.turnId}:compaction:${this.#compactions++}`
    this.#compaction = id
    this.#items.show({ _tag: "ContextCompaction", id, status: "inProgress" })
  }

  #closeCompaction(): void {
    if (this.#compaction !== undefined) this.#items.closeOne(this.#compaction, "failed")
    this.#compaction = undefined
  }

  #compactionEnded(frame: FrameOf<"auto_compaction_end" | "compaction_end">): void {
    const { errorMessage, result, willRetry } = frame
    if (this.#rest === "due") this.#rest = willRetry === true || this.#isQueued ? "due" : "resting"
    const id = this.#compaction
    this.#compaction = undefined
    const isDone = result !== undefined && result !== null
    if (id !== undefined) {
      // One that was skipped or broken off has left the context as it was.
      const status = isDone ? "completed" : errorMessage == null ? "interrupted" : "failed"
      this.#items.complete({ _tag: "ContextCompaction", id, status }, false)
    }
    if (errorMessage != null && !isDone) this.#warn("compactionFailed", errorMessage)
  }

  #goalUpdated({ goal }: FrameOf<"goal_updated">): void {
    // A goal that is dropped is none.
    if (goal === null || goal.status === "dropped") return this.#emit({ _tag: "GoalUpdated", goal: null })
    const { objective, status, timeUsedSeconds, tokenBudget, tokensUsed } = goal
    this.#emit({
      _tag: "GoalUpdated",
      goal: {
        objective,
        status: status === "budget-limited" ? "budgetLimited" : status,
        tokensUsed: Math.round(tokensUsed),
        timeUsed: timeUsedSeconds,
        ...(tokenBudget == null ? {} : { tokenBudget: Math.round(tokenBudget) })
      }
    })
  }

  #agentEnd({ isTerminal, last }: FrameOf<"agent_end">): void {
    this.#began = true
    this.started()
    this.#last = last ?? this.#last
    if (this.#options.agent === "pi") {
      this.#rest = "resting"
      return
    }
    if (isTerminal !== false) this.end(this.#outcome())
  }

  #interrupted(): TurnOutcome {
    return { _tag: "Interrupted", requested: this.#interruptRequested, confirmed: true }
  }

  #outcome(): TurnOutcome {
    const last = this.#last
    switch (last?.stopReason) {
      case "aborted":
        return this.#interrupted()
      case "error":
        // The failure before the attempt that was called off is not why the turn ended.
        if (this.#interruptRequested && this.#retryCancelled) return this.#interrupted()
        return {
          _tag: "Failed",
          error: this.#error(reasonOf(last.errorMessage ?? "", last.errorStatus ?? undefined))
        }
      case "length":
        // To the agent it is an end like any other: what was said stands, and the session goes on from there. That it
        // is not all the model had to say, people have to be told.
        this.#warn("outputLimit", "The model reached the limit of its output, and its answer is cut off")
        return { _tag: "Completed" }
      case "toolUse":
        return this.#interruptRequested ? this.#interrupted() : { _tag: "Completed" }
      case "stop":
        return { _tag: "Completed" }
      default:
        return this.#interruptRequested
          ? this.#interrupted()
          : { _tag: "Incomplete", detail: "The agent came to rest without an answer of its model" }
    }
  }
}
