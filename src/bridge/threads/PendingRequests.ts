/**
 * Questions of an agent that wait for a person, by thread.
 *
 * A question is put to every client that watches the thread, under one id. The first valid answer counts. A client that
 * comes later, or back, is asked under the same id; when the last one has left, the question waits for a while, and is
 * then answered with nobody's answer.
 */
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import type { ClientConnection, ServerMethod } from "../ClientConnection.ts"

type Run = (effect: Effect.Effect<void>) => Fiber.Fiber<void>

interface Pending {
  readonly id: number
  /** Puts the question to one client; ends with an answer, or with that client. */
  readonly put: (connection: ClientConnection) => Effect.Effect<void>
  readonly asked: Map<number, Fiber.Fiber<void>>
  /** Nobody's answer. */
  readonly giveUp: () => void
  waiting: Fiber.Fiber<void> | undefined
}

export interface PendingRequestsOptions {
  readonly threadId: string
  readonly watching: () => Iterable<ClientConnection>
  /** How long a question waits for somebody to come back. Zero: not at all. */
  readonly grace: Duration.Input
  /** Gives the ids of this process, from 0. */
  readonly nextId: () => number
  /** Starts a fiber that ends with the thread. */
  readonly run: Run
}

export class PendingRequests {
  readonly #options: PendingRequestsOptions
  readonly #pending = new Map<number, Pending>()

  constructor(options: PendingRequestsOptions) {
    this.#options = options
  }

  /** Asks; `None` when nobody was there to answer in time. Interrupting it takes the question back. */
  ask<M extends ServerMethod>(
    method: M,
    params: Strict.ServerRequests[M]["params"]
  ): Effect.Effect<Option.Option<Open.ServerRequests[M]["result"]>> {
    return Effect.suspend(() => {
      const id = this.#options.nextId()
      const answer = Deferred.makeUnsafe<Option.Option<Open.ServerRequests[M]["result"]>>()
      const pending: Pending = {
        id,
        asked: new Map(),
        waiting: undefined,
        giveUp: () => {
          Deferred.doneUnsafe(answer, Effect.succeedNone)
        },
        put: (connection) =>
          connection.request(method, params, { id }).pipe(
            Effect.matchEffect({
              onSuccess: (result) => Effect.asVoid(Deferred.succeed(answer, Option.some(result))),
              // An error for an answer, or no answer any more: the question stays for the others.
              onFailure: (error) =>
                Effect.andThen(
                  Effect.logDebug(`${method} was not answered by client ${connection.id}`, error),
                  Effect.sync(() => {
                    this.#withdrawFrom(pending, connection.id)
                    // Somebody is there and does not say yes: nothing to wait for.
                    if (error.reason._tag !== "Disconnected" && pending.asked.size === 0) pending.giveUp()
                  })
                )
            })
          )
      }
      this.#pending.set(id, pending)
      for (const connection of this.#options.watching()) this.#put(pending, connection)
      this.#awaitSomebody(pending)
      return Deferred.await(answer).pipe(Effect.ensuring(Effect.sync(() => this.#settle(pending))))
    })
  }

  /** Asks a client that has come, or come back, what is still open. */
  replay(connection: ClientConnection): void {
    for (const pending of this.#pending.values()) this.#put(pending, connection)
  }

  /** A client no longer watches. */
  leave(connectionId: number): void {
    for (const pending of this.#pending.values()) this.#withdrawFrom(pending, connectionId)
  }

  #put(pending: Pending, connection: ClientConnection): void {
    if (pending.asked.has(connection.id)) return
    pending.asked.set(connection.id, this.#options.run(pending.put(connection)))
    this.#stopWaiting(pending)
  }

  #withdrawFrom(pending: Pending, connectionId: number): void {
    const fiber = pending.asked.get(connectionId)
    if (fiber === undefined) return
    pending.asked.delete(connectionId)
    fiber.interruptUnsafe()
    this.#awaitSomebody(pending)
  }

  #awaitSomebody(pending: Pending): void {
    if (pending.asked.size > 0 || pending.waiting !== undefined || !this.#pending.has(pending.id)) return
    pending.waiting = this.#options.run(
      Effect.andThen(Effect.sleep(this.#options.grace), Effect.sync(pending.giveUp))
    )
  }

  #stopWaiting(pending: Pending): void {
    pending.waiting?.interruptUnsafe()
    pending.waiting = undefined
  }

  #settle(pending: Pending): void {
    this.#pending.delete(pending.id)
    this.#stopWaiting(pending)
    for (const fiber of pending.asked.values()) fiber.interruptUnsafe()
    for (const connection of this.#options.watching()) {
      connection.notify("serverRequest/resolved", { threadId: this.#options.threadId, requestId: pending.id })
    }
  }
}
