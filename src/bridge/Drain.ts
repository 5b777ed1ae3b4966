/**
 * How a server takes its leave: what began is brought to its end, and nothing else begins.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { JsonRpcError } from "../protocol/Envelope.ts"
import * as ErrorCodes from "../protocol/ErrorCodes.ts"
import type { ClientMethod } from "./ClientConnection.ts"

/** What the real server refuses while it drains: what may start a turn, load a thread, or change one at rest. */
const beginning: ReadonlySet<ClientMethod> = new Set<ClientMethod>([
  "review/start",
  "thread/archive",
  "thread/compact/start",
  "thread/delete",
  "thread/fork",
  "thread/queue/start",
  "thread/realtime/start",
  "thread/resume",
  "thread/revert",
  "thread/settings/update",
  "thread/shellCommand",
  "thread/start",
  "turn/settings/update",
  "turn/start",
  "turn/steer"
])

export class Drain {
  readonly #idle = Latch.makeUnsafe(true)
  #admitted = 0
  #isDraining = false

  /** Serves a request, unless it would begin something in a server that drains. */
  admit<A, R>(method: ClientMethod, serve: Effect.Effect<A, JsonRpcError, R>): Effect.Effect<A, JsonRpcError, R> {
    if (!beginning.has(method)) return serve
    return Effect.suspend(() => {
      if (this.#isDraining) return Effect.fail(ErrorCodes.draining)
      this.#admitted++
      this.#idle.closeUnsafe()
      return Effect.ensuring(
        serve,
        Effect.sync(() => {
          this.#admitted--
          if (this.#admitted === 0) this.#idle.openUnsafe()
        })
      )
    })
  }

  /** From now on nothing begins. */
  begin(): void {
    this.#isDraining = true
  }

  /** Ends when all that was admitted has been served. */
  get served(): Effect.Effect<void> {
    return this.#idle.await
  }
}
