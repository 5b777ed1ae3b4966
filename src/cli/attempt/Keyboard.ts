/**
 * The terminal's input, for as long as somebody is asked something.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export interface Keyboard {
  /**
   * Hands over what is typed from now on, key by key and unechoed, until the scope closes. What was typed before is
   * dropped: a key that was hit too early must not answer a question that nobody had read yet.
   */
  readonly listen: (onInput: (input: string) => void) => Effect.Effect<void, never, Scope.Scope>
  /** Gives the terminal back. For an end without ceremony. */
  readonly restore: () => void
}

/** The keyboard of this process. */
export const fromStdin = (stdin: NodeJS.ReadStream): Keyboard => ({
  listen: (onInput) =>
    Effect.asVoid(Effect.acquireRelease(
      Effect.sync(() => {
        let isOpen = false
        const onData = (data: string) => {
          if (isOpen) onInput(data)
        }
        stdin.setEncoding("utf8")
        stdin.setRawMode(true)
        stdin.on("data", onData)
        stdin.resume()
        // What waits in the terminal is read in the next turn of the event loop.
        setImmediate(() =>
          setImmediate(() => {
            isOpen = true
          })
        )
        return onData
      }),
      (onData) =>
        Effect.sync(() => {
          stdin.off("data", onData)
          stdin.pause()
          stdin.setRawMode(false)
        })
    )),
  restore: () => {
    stdin.setRawMode(false)
  }
})
