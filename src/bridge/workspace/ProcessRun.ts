/**
 * One run of a client's command, from its start to what is left of its output.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as PlatformError from "effect/PlatformError"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import type * as Scope from "effect/Scope"
import * as MessageLimit from "../MessageLimit.ts"
import * as Child from "./Child.ts"
import type { Terminals } from "./Terminal.ts"
import * as Terminal from "./Terminal.ts"

/** Bytes of one output that are kept or passed on, unless the client says otherwise. */
export const defaultOutputBytes = 1024 * 1024

/**
 * Bytes of one output that are kept whatever the client says: both have to fit into what may wait for it. Output that is
 * passed on as it comes has no such limit.
 */
export const maxKeptBytes = 16 * 1024 * 1024

/**
 * Bytes of one output that is kept, within JSON: there a control character takes six. Both outputs and what is around
 * them fit into {@link MessageLimit.wholeBytes}.
 */
export const maxKeptJsonBytes = 28 * 1024 * 1024

/** Bytes of output that are passed on at once, about as in the real server. Bun reads up to half a MiB. */
export const pieceBytes = 64 * 1024

/** How long a command may run, unless the client says otherwise. */
export const defaultTimeoutMs = 10_000

/** After the exit: how long others that were started may go on writing. */
export const drainTimeout = "2 seconds"

/** The exit code of a command that ran out of time. */
export const timeoutCode = 124

export interface Options {
  readonly command: Child.Command
  /** Whether there will be input. */
  readonly input: boolean
  /** On a terminal of this size. */
  readonly terminal: { readonly terminals: Terminals; readonly size: Child.TerminalSize | undefined } | undefined
  /** Milliseconds; `undefined` for no end. */
  readonly timeoutMs: number | undefined
  /** Bytes of each output from its start; `undefined` for all that can be kept. */
  readonly outputBytes: number | undefined
  /**
   * Gets the output as it comes, which is then not kept. `capReached` comes with the last piece there will be. No more
   * is read before the effect ends that it gives, if it gives one; what is left to read then is read also after the exit.
   */
  readonly onOutput:
    | ((
      output: { readonly stream: Child.OutputStream; readonly chunk: Uint8Array; readonly capReached: boolean }
    ) => Effect.Effect<void> | undefined)
    | undefined
}

/** One output of a run that is over. */
export interface Output {
  readonly text: string
  readonly capReached: boolean
}

export interface Ended {
  readonly exitCode: number
  readonly stdout: Output
  readonly stderr: Output
  /** Whether somebody still held an output open when its time was over. */
  readonly drainTimedOut: boolean
}

/** Characters of what was kept. */
export const kept = ({ stderr, stdout }: Ended): number => stdout.text.length + stderr.text.length

export interface ProcessRun extends Pick<Child.Child, "write" | "end" | "resize" | "kill"> {
  /** Waits for the end. Its scope may be closed then, which kills what the command has left behind. */
  readonly ended: Effect.Effect<Ended>
}

/** Takes what comes of one output, up to the limit. Pure but for its own state. */
export interface Capture {
  /** The part that is within the limit, or `undefined` when the limit was reached before. */
  readonly push: (chunk: Uint8Array) => { readonly chunk: Uint8Array; readonly capReached: boolean } | undefined
  readonly text: () => string
  readonly capReached: () => boolean
}

export const capture = (limit: number | undefined, keep: boolean): Capture => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  const full = () => limit !== undefined && length >= limit
  let reached = false
  return {
    push: (chunk) => {
      if (reached) return undefined
      const taken = limit === undefined ? chunk : chunk.subarray(0, limit - length)
      length += taken.length
      // The real server calls an output that ends exactly at the limit cut.
      reached = full()
      if (keep) chunks.push(taken)
      return { chunk: taken, capReached: reached }
    },
    text: () => new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.concat(chunks, keep ? length : 0)),
    capReached: () => reached
  }
}

/** Starts a command. Closing the scope kills it and its process group. */
export const make = Effect.fn("ProcessRun.make")(function*(
  options: Options
): Effect.fn.Return<ProcessRun, PlatformError.PlatformError, ChildProcessSpawner | Scope.Scope> {
  const { onOutput } = options
  const keeps = onOutput === undefined
  const limit = keeps ? Math.min(options.outputBytes ?? maxKeptBytes, maxKeptBytes) : options.outputBytes
  const captures = { stdout: capture(limit, keeps), stderr: capture(limit, keeps) }
  const capped = { stdout: yield* Deferred.make<void>(), stderr: yield* Deferred.make<void>() }
  const ended = yield* Deferred.make<Ended>()

  let over = false
  // Until when nothing is read.
  let held: Effect.Effect<void> | undefined
  const takePiece: Child.OnOutput = (stream, chunk) => {
    if (over) return undefined
    const taken = captures[stream].push(chunk)
    if (taken === undefined) return undefined
    const hold = onOutput?.({ stream, ...taken })
    if (taken.capReached) Deferred.doneUnsafe(capped[stream], Effect.void)
    if (hold !== undefined) held = hold
    return hold
  }
  const take: Child.OnOutput = (stream, chunk) => {
    let hold: Effect.Effect<void> | undefined
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      hold = takePiece(stream, chunk.subarray(at, at + pieceBytes)) ?? hold
    }
    return hold
  }

  const { command, terminal } = options
  const child = yield* terminal === undefined
    ? Child.spawn(command, options.input, take)
    : terminal.terminals.spawn(command, terminal.size ?? Terminal.defaultSize, take)

  const output = (stream: Child.OutputStream): Output => {
    const all = captures[stream].text()
    const text = MessageLimit.beginning(all, maxKeptJsonBytes)
    return { text, capReached: captures[stream].capReached() || text.length < all.length }
  }
  const drained = (stream: Child.OutputStream) =>
    Effect.raceFirst(child.drained[stream], Deferred.await(capped[stream]))

  /** Waits for what is left of the output. The time in which nothing is read does not count. */
  const remaining: Effect.Effect<Option.Option<void>> = Effect.gen(function*() {
    const hold = held
    held = undefined
    if (hold !== undefined) yield* hold
    const rest = yield* Effect.all([drained("stdout"), drained("stderr")], { concurrency: 2, discard: true }).pipe(
      Effect.timeoutOption(drainTimeout)
    )
    return Option.isNone(rest) && held !== undefined ? yield* remaining : rest
  })

  yield* Effect.gen(function*() {
    const { timeoutMs } = options
    const code = timeoutMs === undefined
      ? Option.some(yield* child.exitCode)
      : yield* Effect.timeoutOption(child.exitCode, timeoutMs)
    if (Option.isNone(code)) yield* child.kill
    const rest = yield* remaining
    over = true
    yield* Deferred.succeed(ended, {
      exitCode: Option.getOrElse(code, () => timeoutCode),
      stdout: output("stdout"),
      stderr: output("stderr"),
      drainTimedOut: Option.isNone(rest)
    })
  }).pipe(Effect.forkScoped)

  return { write: child.write, end: child.end, resize: child.resize, kill: child.kill, ended: Deferred.await(ended) }
})
