/**
 * A sink that tests read.
 */
import * as Effect from "effect/Effect"
import type { Sink } from "../../../src/cli/view/Sink.ts"

export interface TestSink extends Sink {
  readonly written: () => string
}

/** Everything written is kept, and handed on where a test wants it. */
export const make = (options?: {
  readonly columns?: () => number
  readonly isTerminal?: boolean
  readonly onWrite?: (text: string) => void
}): TestSink => {
  let written = ""
  return {
    isTerminal: options?.isTerminal ?? true,
    columns: options?.columns ?? (() => 80),
    rows: () => 24,
    write: (text) => {
      written += text
      options?.onWrite?.(text)
    },
    ready: Effect.void,
    flush: Effect.void,
    left: Effect.never,
    written: () => written
  }
}
