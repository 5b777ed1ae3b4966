/**
 * How a supervisor, or somebody at the keyboard, ends a server.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

export type Signal = typeof signals[number]

export interface Signals {
  /** The first one. */
  readonly asked: Effect.Effect<Signal>
  /** One more that insists; SIGHUP never does, it asks for a restart when there is time. */
  readonly urged: Effect.Effect<void>
}

/** Listens for signals until the scope closes. The third that insists leaves at once, by `leave`, which must not return. */
export const listen = (leave: () => void): Effect.Effect<Signals, never, Scope.Scope> =>
  Effect.gen(function*() {
    const asked = yield* Deferred.make<Signal>()
    const urged = yield* Deferred.make<void>()
    const onSignal = (signal: Signal) => {
      if (Deferred.doneUnsafe(asked, Effect.succeed(signal))) return
      if (signal === "SIGHUP") return
      if (!Deferred.doneUnsafe(urged, Effect.void)) leave()
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        for (const signal of signals) process.on(signal, onSignal)
      }),
      () =>
        Effect.sync(() => {
          for (const signal of signals) process.off(signal, onSignal)
        })
    )
    return { asked: Deferred.await(asked), urged: Deferred.await(urged) }
  })
