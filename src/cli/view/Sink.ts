/**
 * A standard stream to write to, which may be slow, a terminal, or left by its reader.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Where output goes. */
export interface Sink {
  readonly isTerminal: boolean
  /** Cells of a row; only of a terminal. */
  readonly columns: () => number
  readonly rows: () => number
  /** Hands text on without waiting. What comes after the reader has left is dropped. */
  readonly write: (text: string) => void
  /** Waits until the stream takes more. */
  readonly ready: Effect.Effect<void>
  /** Waits until everything was handed to the system. */
  readonly flush: Effect.Effect<void>
  /** Waits until the reader has left. */
  readonly left: Effect.Effect<void>
}

const defaultColumns = 80
const defaultRows = 24

/** A sink over a stream of this process. Its listeners go with the scope; the stream stays open. */
export const fromStream = (stream: NodeJS.WriteStream): Effect.Effect<Sink, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const gone = Deferred.makeUnsafe<void>()
      // A broken pipe, or a terminal that was closed: there is nobody to tell.
      const onError = () => void Deferred.doneUnsafe(gone, Effect.void)
      stream.on("error", onError)
      const left = Deferred.await(gone)
      const isGone = () => Deferred.isDoneUnsafe(gone)
      const unlessLeft = (wait: Effect.Effect<void>) =>
        Effect.suspend(() => isGone() ? Effect.void : Effect.raceFirst(wait, left))
      const sink: Sink = {
        isTerminal: stream.isTTY === true,
        columns: () => stream.columns || defaultColumns,
        rows: () => stream.rows || defaultRows,
        write: (text) => {
          if (text !== "" && !isGone()) stream.write(text)
        },
        ready: unlessLeft(Effect.callback((resume) => {
          if (!stream.writableNeedDrain) return resume(Effect.void)
          const onDrain = () => resume(Effect.void)
          stream.once("drain", onDrain)
          return Effect.sync(() => stream.off("drain", onDrain))
        })),
        flush: unlessLeft(Effect.callback((resume) => {
          stream.write("", () => resume(Effect.void))
        })),
        left
      }
      return { sink, onError }
    }),
    ({ onError }) => Effect.sync(() => stream.off("error", onError))
  ).pipe(Effect.map(({ sink }) => sink))
