import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type { ClientConnection } from "../../ClientConnection.ts"

/** Something that each connection has one of, with a scope that ends with the connection. */
export interface PerConnection<A> {
  readonly of: (connection: ClientConnection) => Effect.Effect<{ readonly scope: Scope.Scope; readonly value: A }>
}

/** Closing the surrounding scope ends what all connections have, and waits for it. */
export const make = Effect.fnUntraced(function*<A>(
  create: () => A
): Effect.fn.Return<PerConnection<A>, never, Scope.Scope> {
  const entries = new Map<number, { readonly scope: Scope.Closeable; readonly value: A }>()
  const ending = new Set<Fiber.Fiber<void>>()
  const runFork = Effect.runForkWith(yield* Effect.context<never>())

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() =>
      Effect.andThen(
        Effect.forEach(entries.values(), ({ scope }) => Scope.close(scope, Exit.void), {
          concurrency: "unbounded",
          discard: true
        }),
        Fiber.awaitAll(ending)
      )
    )
  )

  return {
    of: (connection) =>
      Effect.sync(() => {
        const known = entries.get(connection.id)
        if (known !== undefined) return known
        const entry = { scope: Scope.makeUnsafe("parallel"), value: create() }
        entries.set(connection.id, entry)
        connection.onClose(() => {
          entries.delete(connection.id)
          const fiber = runFork(Scope.close(entry.scope, Exit.void))
          ending.add(fiber)
          fiber.addObserver(() => ending.delete(fiber))
        })
        return entry
      })
  }
})
