/**
 * The goal of a loaded thread, which is stored here and given to an agent that knows such a thing.
 *
 * Nothing else may happen on the thread while one of these runs: an agent repeats what it is told, and that is to be
 * recognized.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { AgentBackend, AgentSession } from "../../agent/AgentBackend.ts"
import type { AgentError } from "../../agent/AgentError.ts"
import type { Goal } from "../../agent/AgentEvent.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import type { BridgeError } from "../BridgeError.ts"
import { isSameGoal, toThreadGoal } from "../projection/Goals.ts"
import type { ThreadPatch, ThreadRecord } from "../store/ThreadRecord.ts"
import * as GoalKeeping from "./GoalKeeping.ts"
import * as RunningTurn from "./RunningTurn.ts"
import type { Watchers } from "./Watchers.ts"

/** What it needs of the thread. */
export interface Thread {
  readonly id: string
  readonly watchers: Watchers
  readonly backend: AgentBackend["Service"]
  readonly record: () => ThreadRecord
  readonly update: (patch: ThreadPatch) => Effect.Effect<ThreadRecord, BridgeError>
  readonly running: () => RunningTurn.RunningTurn | undefined
  readonly session: () => AgentSession | undefined
  readonly openSession: Effect.Effect<AgentSession, AgentError>
}

export class ThreadGoal {
  readonly #thread: Thread

  constructor(thread: Thread) {
    this.#thread = thread
  }

  /** Changes the goal; `tell` shows it, once the answer is on its way. */
  set(change: GoalKeeping.Change): Effect.Effect<{
    readonly goal: Strict.ThreadGoal
    readonly tell: () => void
  }, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      const { id, record, watchers } = this.#thread
      const now = yield* Clock.currentTimeMillis
      const before = record().goal
      const goal = yield* Effect.fromResult(GoalKeeping.changed(id, before, change, now))
      yield* this.#put(goal, now)
      yield* this.#give(goal).pipe(Effect.onError(() => Effect.ignore(this.#put(before, now), { log: true })))
      return { goal, tell: () => watchers.notify("thread/goal/updated", { threadId: id, turnId: null, goal }) }
    })
  }

  /** Takes the goal away; gives `undefined` when there was none. */
  readonly clear: Effect.Effect<(() => void) | undefined, BridgeError> = Effect.gen({ self: this }, function*() {
    const { id, record, watchers } = this.#thread
    if (record().goal === null) return undefined
    yield* this.#give(null)
    yield* this.#put(null, yield* Clock.currentTimeMillis)
    return () => watchers.notify("thread/goal/cleared", { threadId: id })
  })

  /** Takes and shows the agent's own account of the goal, outside of a turn. */
  told(given: Goal | null): Effect.Effect<void, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      const { id, record, watchers } = this.#thread
      const now = yield* Clock.currentTimeMillis
      const goal = given === null ? null : toThreadGoal(id, given, record().goal, now)
      if (isSameGoal(goal, record().goal)) return
      yield* this.#put(goal, now)
      if (goal === null) watchers.notify("thread/goal/cleared", { threadId: id })
      else watchers.notify("thread/goal/updated", { threadId: id, turnId: null, goal })
    })
  }

  /** Asks the agent for its account: what it has told was lost. */
  readonly reread: Effect.Effect<void, BridgeError> = Effect.gen({ self: this }, function*() {
    const { backend, record, session } = this.#thread
    const open = session()
    if (!backend.capabilities.goals || record().goal === null || open === undefined) return
    const goal = yield* Effect.mapError(open.getGoal, RunningTurn.agentFailed)
    yield* this.told(goal)
  })

  /** Gives a session that was opened the goal that the thread has by now. */
  sync(session: AgentSession): Effect.Effect<void> {
    const { backend, id, record, watchers } = this.#thread
    if (!backend.capabilities.goals) return Effect.void
    return Effect.catch(giveTo(session, record().goal), (error) =>
      Effect.sync(() => {
        const message = `The agent did not take the goal of this thread: ${error.message}`
        watchers.notify("warning", { threadId: id, message })
      }))
  }

  /** What an agent that knows no goals is told with a turn. */
  get context(): string | undefined {
    const { backend, record } = this.#thread
    return backend.capabilities.goals ? undefined : GoalKeeping.contextOf(record().goal)
  }

  #put(goal: Strict.ThreadGoal | null, atMs: number): Effect.Effect<void, BridgeError> {
    return Effect.map(this.#thread.update({ goal }), () => {
      const running = this.#thread.running()
      if (running !== undefined) RunningTurn.goalSet(running, goal, atMs)
    })
  }

  /** One that the agent is to go on with by itself starts the agent; any other waits for its session. */
  #give(goal: Strict.ThreadGoal | null): Effect.Effect<void, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      const { backend, openSession, session } = this.#thread
      if (!backend.capabilities.goals) return
      if (session() === undefined && goal?.status !== "active") return
      yield* giveTo(yield* openSession, goal)
    }).pipe(Effect.mapError(RunningTurn.agentFailed))
  }
}

const giveTo = Effect.fnUntraced(function*(session: AgentSession, goal: Strict.ThreadGoal | null) {
  if (GoalKeeping.agrees(yield* session.getGoal, goal)) return
  yield* goal === null ? session.clearGoal : Effect.asVoid(session.setGoal(GoalKeeping.toChange(goal)))
})
