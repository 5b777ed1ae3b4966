/**
 * What the server says to nobody in particular, and what was odd on its wire: into the log, off the read loop.
 */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { Diagnostic } from "../../../peer/ClientPeer.ts"
import type * as Wire from "./Wire.ts"

/** Lines that wait to be logged; more push out the oldest. */
const capacity = 256

const describe = (diagnostic: Diagnostic): string => {
  switch (diagnostic._tag) {
    case "Unreadable": {
      const { bytes, head, reason } = diagnostic.frame
      return `codex wrote ${bytes} bytes that are no message (${reason}): ${JSON.stringify(head)}`
    }
    case "Malformed":
      return `codex wrote a line that is no message: ${diagnostic.detail}`
    case "UnmatchedReply":
      return `codex answered ${JSON.stringify(diagnostic.id)}, which nobody waits for`
    case "HandlerDefect":
      return `The handler of ${diagnostic.method} died: ${String(diagnostic.defect)}`
    case "RequestRefused":
      return `Too many requests of codex at once: ${diagnostic.method} was refused`
    case "Mismatch":
      return diagnostic.error.message
  }
}

/** Logs in order, on a fiber of the scope. */
export const make = Effect.gen(function*() {
  const lines = yield* Queue.sliding<Effect.Effect<void>>(capacity)
  yield* Queue.take(lines).pipe(
    Effect.flatten,
    Effect.forever,
    Effect.forkScoped
  )
  const log = (line: Effect.Effect<void>): void => {
    Queue.offerUnsafe(lines, line)
  }
  return {
    diagnostic: (diagnostic: Diagnostic) => log(Effect.logWarning(describe(diagnostic))),
    notification: (message: Wire.Notification) => {
      switch (message.method) {
        // Told at every start, about what codex copes with by itself.
        case "configWarning":
        case "deprecationNotice":
          return log(Effect.logInfo(`codex: ${message.params.summary}`))
        case "warning":
          return log(Effect.logWarning(`codex: ${message.params.message}`))
      }
    }
  }
})
