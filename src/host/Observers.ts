/**
 * Runs a host's callbacks beside a turn, so that nothing they do can reach it.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AgentEvent } from "../agent/AgentEvent.ts"
import { EventBuffer } from "../agent/EventBuffer.ts"
import type { AttemptCallbacks } from "./AttemptCallbacks.ts"
import type { AttemptResult } from "./AttemptResult.ts"
import { CallbackProjector, type Invocation } from "./CallbackProjector.ts"

/** Bounds, in milliseconds. */
export interface ObserverLimits {
  /** How long one call may take before the others go on without it. */
  readonly callMs: number
  /** How long the end of an attempt waits for calls that are due. */
  readonly drainMs: number
}

export const defaultLimits: ObserverLimits = { callMs: 5_000, drainMs: 2_000 }

/** The callbacks of one attempt. */
export interface Observers {
  /** Never waits and never fails. */
  readonly offer: (event: AgentEvent) => void
  /** Waits, for a bounded time, until the events so far were delivered; tells what went wrong. Once. */
  readonly drain: Effect.Effect<ReadonlyArray<string>>
  /** Calls `onEnd`, for a bounded time; tells what went wrong. */
  readonly end: (result: AttemptResult) => Effect.Effect<ReadonlyArray<string>>
}

const messageOf = (cause: unknown): string => cause instanceof Error ? cause.message : String(cause)

/** Failures by callback: the first message of each, and how often it happened. */
class Faults {
  readonly #faults = new Map<string, number>()
  readonly #seen = new Map<string, string>()

  add(name: string, what: string): void {
    const line = this.#seen.get(name) ?? `${name} ${what}`
    this.#seen.set(name, line)
    this.#faults.set(line, (this.#faults.get(line) ?? 0) + 1)
  }

  take(): ReadonlyArray<string> {
    const lines = Array.from(this.#faults, ([line, count]) => count === 1 ? line : `${line} (${count} times)`)
    this.#faults.clear()
    return lines
  }
}

/** Starts the observers of one attempt in the current scope. */
export const make = Effect.fnUntraced(function*(
  backend: string,
  callbacks: AttemptCallbacks,
  limits: ObserverLimits = defaultLimits
): Effect.fn.Return<Observers, never, Scope.Scope> {
  const faults = new Faults()
  const buffer = new EventBuffer({ backend })
  const projector = new CallbackProjector(callbacks)
  // Callbacks that are still at an earlier call; they are skipped until it settles, so that nothing piles up.
  const stuck = new Set<string>()

  const start = ({ call, name }: Invocation): PromiseLike<unknown> | undefined => {
    if (stuck.has(name)) {
      faults.add(`${name} (skipped)`, "was not called because an earlier call had not settled")
      return undefined
    }
    const called = Result.try({
      try: () => {
        const returned: unknown = call()
        // Made a promise in here, because even the `then` of what a host returns may throw.
        return Predicate.isPromiseLike(returned) ? Promise.resolve(returned) : undefined
      },
      catch: messageOf
    })
    if (Result.isFailure(called)) faults.add(name, `threw: ${called.failure}`)
    else if (called.success !== undefined) {
      stuck.add(name)
      return called.success.then(
        () => stuck.delete(name),
        (cause) => {
          stuck.delete(name)
          faults.add(name, `rejected: ${messageOf(cause)}`)
        }
      )
    }
    return undefined
  }

  const settle = (name: string, pending: PromiseLike<unknown>, limit: number): Effect.Effect<void> =>
    Effect.promise(() => pending).pipe(
      Effect.timeoutOption(limit),
      Effect.map((settled) => {
        if (Option.isNone(settled)) faults.add(name, `did not settle within ${limit} ms`)
      })
    )

  const runEffect = (event: AgentEvent): Effect.Effect<void> => {
    const onEvent = callbacks.onEvent
    if (onEvent === undefined || stuck.has("onEvent")) return Effect.void
    return Effect.suspend(() => onEvent(event)).pipe(
      Effect.timeoutOption(limits.callMs),
      Effect.exit,
      Effect.map((exit) => {
        if (Exit.isFailure(exit)) faults.add("onEvent", `failed: ${Cause.pretty(exit.cause)}`)
        else if (Option.isNone(exit.value)) {
          stuck.add("onEvent")
          faults.add("onEvent", `did not end within ${limits.callMs} ms and is not called again`)
        }
      })
    )
  }

  const deliver = Effect.fnUntraced(function*(events: ReadonlyArray<AgentEvent>) {
    for (const event of events) {
      for (const invocation of projector.project(event)) {
        const pending = start(invocation)
        if (pending !== undefined) yield* settle(invocation.name, pending, limits.callMs)
      }
      if (callbacks.onEvent !== undefined) yield* runEffect(event)
    }
  })

  const fiber = yield* Stream.runForEachArray(buffer.stream, deliver).pipe(Effect.forkScoped)

  const drain = Effect.gen(function*() {
    buffer.end()
    const exit = yield* Fiber.await(fiber).pipe(Effect.timeoutOption(limits.drainMs))
    if (Option.isNone(exit)) {
      yield* Fiber.interrupt(fiber)
      faults.add("callbacks", `were still behind ${limits.drainMs} ms after the end; later events were not delivered`)
    } else if (Exit.isFailure(exit.value)) {
      const cause = Cause.squash(exit.value.cause)
      faults.add("callbacks", `stopped: ${messageOf(cause)}; later events were not delivered`)
    }
    return faults.take()
  })

  const end = Effect.fnUntraced(function*(result: AttemptResult) {
    const onEnd = callbacks.onEnd
    if (onEnd === undefined) return []
    const pending = start({ name: "onEnd", call: () => onEnd.call(callbacks, result) })
    if (pending !== undefined) yield* settle("onEnd", pending, limits.drainMs)
    return faults.take()
  })

  return { offer: (event) => buffer.offer(event), drain, end }
})
