/**
 * The attempts that are running, by run id and by session: to steer, abort and await them from elsewhere.
 *
 * A session has one attempt at a time.
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { AttemptError, SessionBusy } from "./AttemptError.ts"
import type { AttemptHandle, AttemptIdentity, AttemptPhase, SteerOutcome } from "./AttemptHandle.ts"

/** A running attempt, as listed; `backend` is the agent that it is made on now, whichever it began with. */
export interface ActiveRun extends AttemptIdentity {
  readonly phase: AttemptPhase
}

/** `key` is a run id, a session key or a session file. */
export interface ActiveRunsService {
  /** Enters an attempt until the scope closes or it ends. Fails with `SessionBusy` when a key of it is taken. */
  readonly register: (
    identity: AttemptIdentity,
    handle: AttemptHandle
  ) => Effect.Effect<void, AttemptError, Scope.Scope>
  /** Sends text into the running turn; waits for the turn while the attempt is starting. */
  readonly queueMessage: (key: string, text: string) => Effect.Effect<SteerOutcome>
  /** Asks an attempt to stop, and returns at once. `false` when none runs, or it was asked to before. */
  readonly abort: (key: string, reason?: string) => Effect.Effect<boolean>
  readonly isActive: (key: string) => Effect.Effect<boolean>
  /** Waits for the end of an attempt. `false` when it still runs after the timeout. */
  readonly waitForEnd: (key: string, timeout: Duration.Input) => Effect.Effect<boolean>
  readonly list: Effect.Effect<ReadonlyArray<ActiveRun>>
}

interface Registration {
  readonly identity: AttemptIdentity
  readonly handle: AttemptHandle
}

const make = (): ActiveRunsService => {
  const byRun = new Map<string, Registration>()
  const bySession = new Map<string, Registration>()
  const find = (key: string): Registration | undefined => byRun.get(key) ?? bySession.get(key)

  const release = (sessions: ReadonlyArray<string>, registration: Registration): void => {
    byRun.delete(registration.identity.runId)
    for (const session of sessions) bySession.delete(session)
  }

  const register = (identity: AttemptIdentity, handle: AttemptHandle) =>
    Effect.acquireRelease(
      Effect.suspend(() => {
        const sessions = [identity.sessionKey, identity.sessionFile].filter((key) => key !== undefined)
        const key = byRun.has(identity.runId) ? identity.runId : sessions.find((key) => bySession.has(key))
        const taken = key === undefined ? undefined : find(key)
        if (key !== undefined && taken !== undefined) {
          return Effect.fail(new AttemptError({ reason: new SessionBusy({ key, runId: taken.identity.runId }) }))
        }
        const registration = { identity, handle }
        byRun.set(identity.runId, registration)
        for (const session of sessions) bySession.set(session, registration)
        return Effect.succeed({ registration, sessions })
      }),
      ({ registration, sessions }) =>
        Effect.sync(() => {
          release(sessions, registration)
          handle.end()
        })
    ).pipe(Effect.asVoid)

  return {
    register,
    queueMessage: Effect.fn("ActiveRuns.queueMessage")(function*(key, text) {
      return yield* find(key)?.handle.steer(text) ?? Effect.succeed({ _tag: "NotActive" } as const)
    }),
    abort: (key, reason) => Effect.sync(() => find(key)?.handle.stop({ _tag: "Abort", reason }) ?? false),
    isActive: (key) => Effect.sync(() => find(key) !== undefined),
    waitForEnd: Effect.fn("ActiveRuns.waitForEnd")(function*(key, timeout) {
      const registration = find(key)
      if (registration === undefined) return true
      return Option.isSome(yield* registration.handle.ended.pipe(Effect.timeoutOption(timeout)))
    }),
    list: Effect.sync(() =>
      Array.from(byRun.values(), ({ handle, identity }) => ({
        ...identity,
        backend: handle.backend ?? identity.backend,
        phase: handle.phase
      }))
    )
  }
}

/** The registry that attempts enter. One for the whole process unless another is provided. */
export const ActiveRuns = Context.Reference<ActiveRunsService>("effect-codex-bridge/host/ActiveRuns", {
  defaultValue: make
})

/** A registry of its own. */
export const layer: Layer.Layer<never> = Layer.sync(ActiveRuns, make)
