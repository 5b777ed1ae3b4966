/**
 * How somebody at the keyboard, or a supervisor, ends an attempt.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

export interface Stopping {
  /** The first time: asks to stop. */
  readonly onFirst: () => void
  /** The second time: leaves at once. Must not return. */
  readonly onSecond: () => void
}

/** Counts signals until the scope closes; gives what counts one by hand. */
export const listen = (stopping: Stopping): Effect.Effect<() => void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      let isAsked = false
      const onSignal = () => {
        if (isAsked) return stopping.onSecond()
        isAsked = true
        stopping.onFirst()
      }
      for (const signal of signals) process.on(signal, onSignal)
      return onSignal
    }),
    (onSignal) =>
      Effect.sync(() => {
        for (const signal of signals) process.off(signal, onSignal)
      })
  )
