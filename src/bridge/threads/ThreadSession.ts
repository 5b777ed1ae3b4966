/**
 * The agent's session of a thread, opened when it is first needed: a thread that is only looked at costs no agent.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { AgentBackend, AgentSession, SessionOptions } from "../../agent/AgentBackend.ts"
import type { AgentError } from "../../agent/AgentError.ts"
import type { AgentEvent } from "../../agent/AgentEvent.ts"
import { TurnHost, type TurnHostService } from "../../agent/TurnHost.ts"

export interface Options {
  readonly backend: AgentBackend["Service"]
  readonly host: TurnHostService
  /** As they are when it is opened. */
  readonly settings: () => SessionOptions
  /** Gets what happens outside of turns that a client has started. */
  readonly onEvent: (event: AgentEvent) => Effect.Effect<void>
  /** Runs when a session was opened, before anybody has it. A new one knows nothing of what was said before. */
  readonly onOpen: (session: AgentSession, how: { readonly isNew: boolean }) => Effect.Effect<void>
  readonly warn: (message: string) => void
  /** The session ends with it. */
  readonly scope: Scope.Scope
}

export class ThreadSession {
  readonly #options: Options
  readonly #opening = Semaphore.makeUnsafe(1)
  #open: { readonly session: AgentSession; readonly scope: Scope.Closeable } | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** The session, if one is open. */
  get current(): AgentSession | undefined {
    return this.#open?.session
  }

  /** The session, opened if none is. */
  readonly get: Effect.Effect<AgentSession, AgentError> = Effect.suspend(() =>
    this.#opening.withPermit(Effect.uninterruptibleMask((restore) =>
      Effect.gen({ self: this }, function*() {
        if (this.#open !== undefined) return this.#open.session
        const { host, onEvent, onOpen } = this.#options
        const scope = yield* Scope.fork(this.#options.scope)
        const { isNew, session } = yield* restore(this.#begin).pipe(
          Effect.provideService(TurnHost, host),
          Scope.provide(scope),
          Effect.onError(() => Scope.close(scope, Exit.void))
        )
        this.#open = { session, scope }
        yield* Effect.forkIn(Stream.runForEach(session.events, onEvent), scope)
        yield* restore(onOpen(session, { isNew }))
        return session
      })
    ))
  )

  /** Lets go of it. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    const open = this.#open
    this.#open = undefined
    return open === undefined ? Effect.void : Scope.close(open.scope, Exit.void)
  })

  /** Resumes or forks a session, or opens a new one where there is none, or none any more. */
  get #begin() {
    const { backend, settings, warn } = this.#options
    const { fork, resume, ...others } = settings()
    const anew = Effect.map(backend.openSession(others), (session) => ({ session, isNew: true }))
    if (fork === undefined && resume === undefined) return anew
    return backend.openSession({ ...others, fork, resume }).pipe(
      Effect.map((session) => ({ session, isNew: false })),
      Effect.catchIf(({ reason }) => reason._tag === "UnknownSession", (error) => {
        warn(
          `The agent has lost its session of this thread (${error.message}). It goes on with a new one, and is told what \
was said and done up to now.`
        )
        return anew
      })
    )
  }
}
