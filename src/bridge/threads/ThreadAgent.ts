/**
 * The agent of a loaded thread: its session, the turns that run on it, and what it is told besides messages.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AgentBackend, AgentSession, AgentTurn, Compaction, TurnInput } from "../../agent/AgentBackend.ts"
import type { AgentError } from "../../agent/AgentError.ts"
import type { AgentEvent } from "../../agent/AgentEvent.ts"
import { TurnHost, type TurnHostService } from "../../agent/TurnHost.ts"
import { type BridgeError, InvalidRequest, refuse } from "../BridgeError.ts"
import type { ThreadPatch, ThreadRecord } from "../store/ThreadRecord.ts"
import type { ThreadStore } from "../store/ThreadStore.ts"
import * as AgentInput from "./AgentInput.ts"
import type { RunningTurn } from "./RunningTurn.ts"
import { ThreadSession } from "./ThreadSession.ts"
import * as ThreadView from "./ThreadView.ts"
import * as Transcript from "./Transcript.ts"

/** How long the events of an agent's turn may go on after it was interrupted. They are there already, as a rule. */
export const readingGrace = "5 seconds"

/** Characters that wait to be told with the agent's next turn. */
const untoldLimit = 1 << 20

/** Turns of the history that are read at once. */
const pageSize = 20

export interface Options {
  readonly id: string
  readonly backend: AgentBackend["Service"]
  /** The agent's name of a model provider. */
  readonly provider: string | undefined
  readonly store: ThreadStore["Service"]
  readonly host: TurnHostService
  readonly record: () => ThreadRecord
  readonly update: (patch: ThreadPatch) => Effect.Effect<ThreadRecord, BridgeError>
  /** What the agent is told of the goal with each turn. */
  readonly goal: () => string | undefined
  /** Runs when a session was opened, before anybody has it. */
  readonly onOpen: (session: AgentSession) => Effect.Effect<void>
  /** Gets what happens outside of turns that a client has started. */
  readonly onEvent: (event: AgentEvent) => Effect.Effect<void>
  readonly warn: (message: string) => void
  /** The session ends with it. */
  readonly scope: Scope.Scope
}

/** Takes what happens in a turn. */
export type Apply = (events: ReadonlyArray<AgentEvent>) => Effect.Effect<void, BridgeError>

const isKnown = ({ turn }: { readonly turn: { readonly agentTurnId: string | null } }) => turn.agentTurnId !== null

export class ThreadAgent {
  readonly #options: Options
  readonly #session: ThreadSession
  /** Whether the open session has not been told yet what it did not see. */
  #behind: "nothing" | "last turns" | "everything" = "nothing"

  constructor(options: Options) {
    this.#options = options
    this.#session = new ThreadSession({
      ...options,
      settings: () => ({
        ...AgentInput.sessionOptions(options.record(), options.backend),
        provider: options.provider
      }),
      onOpen: (session, { isNew }) => {
        this.#behind = isNew ? "everything" : "last turns"
        return options.onOpen(session)
      }
    })
  }

  /** The session, if one is open. */
  get session(): AgentSession | undefined {
    return this.#session.current
  }

  /** The session, opened if none is. */
  get open(): Effect.Effect<AgentSession, AgentError> {
    return this.#session.get
  }

  /** Lets go of the session. */
  get close(): Effect.Effect<void> {
    return this.#session.close
  }

  /** Tells the agent something with its next turn. `turnId`: what it belongs to. */
  tell(texts: ReadonlyArray<string>, turnId: string | null): Effect.Effect<void, BridgeError> {
    return Effect.suspend(() => {
      const untold = [...this.#options.record().untold, ...texts.map((text) => ({ text, turnId }))]
      const waiting = untold.reduce((sum, { text }) => sum + text.length, 0)
      return waiting <= untoldLimit ? Effect.asVoid(this.#options.update({ untold })) : Effect.fail(refuse(
        new InvalidRequest({
          message: `More than ${untoldLimit} characters wait for the next turn of thread ${this.#options.id} already.`
        })
      ))
    })
  }

  /** Runs a turn to its end. */
  run(running: RunningTurn, input: TurnInput, apply: Apply): Effect.Effect<void, AgentError | BridgeError> {
    return Effect.scoped(Effect.gen({ self: this }, function*() {
      let reading: Fiber.Fiber<void, AgentError | BridgeError> | undefined
      // Runs after the agent's turn was interrupted: what it did until then is told as well.
      yield* Effect.addFinalizer(() =>
        reading === undefined ? Effect.void : Effect.timeoutOption(Fiber.await(reading), readingGrace)
      )
      const session = yield* this.open
      const turn = yield* this.#start(session, running, input)
      const reader = yield* Effect.forkChild(Stream.runForEachArray(turn.events, apply))
      reading = reader
      yield* Fiber.join(reader)
    }))
  }

  /** Says something in a turn that the agent has started by itself; what happens then comes as that of any turn. */
  join(
    running: RunningTurn,
    { scope, session }: NonNullable<RunningTurn["own"]>,
    input: TurnInput
  ): Effect.Effect<AgentTurn, AgentError> {
    return Effect.tap(
      session.startTurn({ ...AgentInput.turnSettings(this.#options.record(), this.#options.backend), ...input }).pipe(
        Effect.provideService(TurnHost, this.#options.host),
        Scope.provide(scope)
      ),
      (turn) => Deferred.succeed(running.agent, turn)
    )
  }

  /** Compacts the context and waits for the end of it. */
  compact(running: RunningTurn): Effect.Effect<Compaction, AgentError | BridgeError> {
    return Effect.flatMap(this.open, (session) => session.compact).pipe(
      Effect.tap(({ turnId }) => this.note(running, turnId))
    )
  }

  /** Notes what the agent calls a turn. */
  note(running: RunningTurn, agentTurnId: string): Effect.Effect<void, BridgeError> {
    return this.#options.store.setAgentTurn(this.#options.id, running.turnId, agentTurnId)
  }

  #start(
    session: AgentSession,
    running: RunningTurn,
    input: TurnInput
  ): Effect.Effect<AgentTurn, AgentError | BridgeError, Scope.Scope> {
    return Effect.gen({ self: this }, function*() {
      const { backend, host, record } = this.#options
      const { untold } = record()
      const turn = yield* session.startTurn({
        ...AgentInput.turnSettings(record(), backend),
        ...input,
        context: yield* this.#context(running)
      }).pipe(Effect.provideService(TurnHost, host))
      this.#behind = "nothing"
      Deferred.doneUnsafe(running.agent, Effect.succeed(turn))
      yield* this.note(running, turn.id)
      yield* this.#accepted(session, untold.length)
      return turn
    })
  }

  /** Stores what has changed with a turn that the agent has accepted. */
  #accepted(session: AgentSession, told: number): Effect.Effect<void, BridgeError> {
    return Effect.flatMap(session.ref, (ref) => {
      const { backendRef, forkPoint, untold } = this.#options.record()
      const same = backendRef?.sessionId === ref.sessionId && backendRef.durable === ref.durable
      if (same && forkPoint === null && told === 0) return Effect.void
      return Effect.asVoid(this.#options.update({ backendRef: ref, forkPoint: null, untold: untold.slice(told) }))
    })
  }

  /** What the agent is told with a turn, besides what its user says. */
  #context(running: RunningTurn): Effect.Effect<string | undefined, BridgeError> {
    return Effect.map(this.#behind === "nothing" ? Effect.undefined : this.#missed(running), (missed) => {
      const texts = [missed, this.#options.goal(), ...this.#options.record().untold.map(({ text }) => text)]
        .filter((text) => text !== undefined)
      return texts.length === 0 ? undefined : texts.join("\n\n")
    })
  }

  /** What was said and done before this turn without the session's knowledge. */
  #missed(running: RunningTurn): Effect.Effect<string | undefined, BridgeError> {
    return Effect.gen({ self: this }, function*() {
      const { id, record, store } = this.#options
      const untold = new Set(record().untold.map(({ turnId }) => turnId))
      let transcript = Transcript.empty
      let cursor: string | null = null
      do {
        const page: Effect.Success<ReturnType<typeof store.listTurns>> = yield* store.listTurns(id, {
          cursor,
          limit: pageSize,
          direction: "desc",
          view: "full"
        })
        for (const entry of page.data) {
          const { turn } = entry
          if (this.#behind === "last turns" && turn.id !== running.turnId && isKnown(entry)) {
            return Transcript.textOf(transcript)
          }
          if (turn.id === running.turnId || untold.has(turn.id)) continue
          transcript = Transcript.add(transcript, ThreadView.toTurn(turn, "full", entry.items))
        }
        cursor = transcript.full ? null : page.nextCursor
      } while (cursor !== null)
      return Transcript.textOf(transcript)
    })
  }
}
