/**
 * How a turn gets from the request that starts it to its own fiber.
 */
import * as Effect from "effect/Effect"
import type { Call } from "../ClientConnection.ts"

/**
 * Has a turn run once its answer is on its way. A client that leaves in between does not leave behind a turn that was
 * stored and never runs.
 */
export const beginning = <Turn extends object, E>(
  started: Effect.Effect<Turn & { readonly run: () => void }, E>,
  call: Call
) =>
  Effect.uninterruptible(Effect.map(started, ({ run, ...turn }) => {
    call.afterAnswer(run)
    return turn
  }))
