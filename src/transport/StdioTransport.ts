/**
 * A transport to the program that started this one: JSON lines on stdin and stdout.
 *
 * stdout belongs to the transport alone. What anything else in this process prints goes to stderr, see {@link claimStdout}.
 */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Predicate from "effect/Predicate"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { inRealTime } from "./internal/realTime.ts"
import * as Stdio from "./internal/stdio.ts"
import * as JsonLines from "./JsonLines.ts"
import type { ServerTransport } from "./ServerTransport.ts"
import type { Inbound } from "./Transport.ts"
import { Closed, TooMuchNoise, TransportError, type TransportErrorReason } from "./TransportError.ts"

export interface Options {
  /** Longest frame in bytes; 128 MiB by default. */
  readonly frameLimit?: number | undefined
  readonly noiseBudget?: JsonLines.NoiseBudget | undefined
}

const target = "stdio"
// Beyond this stdin is paused until `receive` has taken what is there.
const highWaterMark = 1024 * 1024
// A write that is under way when the transport is closed gets this long.
const flushGrace = "2 seconds"

const codeOf = (error: Error): string =>
  Predicate.hasProperty(error, "code") && Predicate.isString(error.code) ? error.code : error.message

/**
 * Takes stdout for the protocol, for as long as this process lives. Whatever else prints there, with `console`, with
 * `process.stdout`, to descriptor 1 or from a child that inherits it, is sent to stderr.
 *
 * Call it before agent code is loaded; {@link make} calls it as well. In Node, native code and functions of `node:fs`
 * that were taken out of the module by CommonJS destructuring before the call still reach stdout.
 */
export const claimStdout: Effect.Effect<void> = Effect.sync(Stdio.claim).pipe(Effect.asVoid)

/**
 * Connects to stdin and stdout of this process; at most once in a process.
 *
 * At the end of stdin `receive` gives what had arrived and then fails with `Closed`; what is still to be said can be
 * sent until the scope closes. A reader that is gone (EPIPE) is `Closed` as well. `send` waits until the operating
 * system has taken everything.
 */
export const make = Effect.fn("StdioTransport.make")(function*(
  options: Options = {}
): Effect.fn.Return<ServerTransport, never, Scope.Scope> {
  const stdio = yield* Effect.sync(Stdio.claim)
  const { stdin } = stdio
  const framer = JsonLines.make(options)
  // Bounded by pausing stdin, see `arrived`.
  const inbound = yield* Queue.unbounded<Inbound, TransportError>()
  const unwritable = yield* Deferred.make<never, TransportError>()
  const idle = yield* Latch.make(true)
  let writing = 0
  let buffered = 0
  // Whether there is a frame to be received. While there is none, a line goes on, which nobody but more of it can end.
  let ready = false
  let reading = true

  const stopReading = (reason: TransportErrorReason): void => {
    if (!reading) return
    reading = false
    Queue.failCauseUnsafe(inbound, Cause.fail(new TransportError({ reason })))
  }
  const end = (reason: TransportErrorReason): void => {
    Deferred.doneUnsafe(unwritable, Effect.fail(new TransportError({ reason })))
    stopReading(reason)
  }

  const arrived = (frames: ReadonlyArray<Inbound>): void => {
    for (const frame of frames) Queue.offerUnsafe(inbound, frame)
    if (frames.length > 0) ready = true
  }

  stdio.onError((cause) => end(new Closed({ target, detail: `stdout could not be written (${codeOf(cause)})`, cause })))

  const onData = (chunk: Buffer) => {
    if (!reading) return
    arrived(framer.push(chunk))
    const noise = framer.overBudget()
    if (noise !== undefined) return end(new TooMuchNoise({ target, ...noise }))
    buffered += chunk.length
    if (ready && buffered >= highWaterMark) stdin.pause()
  }
  const onEnd = () => {
    if (reading) arrived(framer.end())
    stopReading(new Closed({ target, detail: "stdin ended" }))
  }
  const onError = (cause: Error) =>
    stopReading(new Closed({ target, detail: `stdin could not be read (${codeOf(cause)})`, cause }))

  yield* Effect.acquireRelease(
    Effect.sync(() => {
      stdin.on("data", onData).on("end", onEnd).on("error", onError)
    }),
    () =>
      Effect.sync(() => {
        end(new Closed({ target, detail: "it was closed by this side" }))
        // The error listener stays: nobody else would be there.
        stdin.off("data", onData).off("end", onEnd)
        stdin.pause()
      })
  )
  // Runs first: what is being written is finished before the end.
  yield* Effect.addFinalizer(() => idle.await.pipe(Effect.timeoutOption(flushGrace), inRealTime))

  const refused = Deferred.await(unwritable)

  const write = (text: string): Effect.Effect<void, TransportError> =>
    Effect.callback((resume) => {
      writing++
      idle.closeUnsafe()
      stdio.write(text, (cause) => {
        writing--
        if (writing === 0) idle.openUnsafe()
        if (Predicate.isNullish(cause)) return resume(Effect.void)
        end(new Closed({ target, detail: `stdout could not be written (${codeOf(cause)})`, cause }))
        resume(refused)
      })
    })

  return {
    target,
    receive: Effect.map(Queue.takeAll(inbound), (items) => {
      buffered = 0
      ready = false
      if (reading && stdin.isPaused()) stdin.resume()
      return items
    }),
    send: (frames) =>
      Effect.suspend(() =>
        Deferred.isDoneUnsafe(unwritable)
          ? refused
          : Effect.raceFirst(write(`${frames.join("\n")}\n`), refused)
      ),
    disconnect: (detail) => end(new Closed({ target, detail }))
  }
})
