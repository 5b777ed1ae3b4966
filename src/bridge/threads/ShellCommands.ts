/**
 * Commands that a person runs in a thread: in the thread's directory, shown as an item of the turn that runs or of a turn
 * of their own. The agent learns of them with its next turn.
 */
import * as Clock from "effect/Clock"
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Queue from "effect/Queue"
import type { AgentEvent } from "../../agent/AgentEvent.ts"
import type { CommandExecution } from "../../agent/AgentItem.ts"
import type { BridgeError } from "../BridgeError.ts"
import * as Child from "../workspace/Child.ts"
import type { LiveThread } from "./LiveThread.ts"

/** Characters of the output that are shown and stored; what comes after them is left out. */
const shownLimit = 1 << 20

/** Characters of the output that the agent is told: the last ones. */
const toldLimit = 16_384

/** How long output is waited for when the command has ended: something that it started may hold it open. */
const drainTime = Duration.seconds(1)

/** A text in single quotes, as a shell reads it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const shell = (): string => process.env["SHELL"] || "/bin/sh"

const shellOptions = "-lc"

export interface ShellCommand {
  readonly command: string
  /** Absolute. */
  readonly cwd: string
  readonly timeoutMs: number | undefined
}

type Emit = (event: AgentEvent) => Effect.Effect<void, BridgeError>

interface Result {
  readonly exitCode: number
  readonly output: string
  readonly timedOut: boolean
}

/** Runs the program; `onOutput` gets the output in order, up to the limit. */
const execute = (
  { command, cwd, timeoutMs }: ShellCommand,
  onOutput: (text: string) => Effect.Effect<void, BridgeError>
): Effect.Effect<Result, BridgeError, ChildProcessSpawner> =>
  Effect.scoped(Effect.gen(function*() {
    // Bounded by the limit of what goes into it.
    const chunks = yield* Queue.unbounded<string>()
    let output = ""
    const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() }
    const take: Child.OnOutput = (stream, bytes) => {
      const text = decoders[stream].decode(bytes, { stream: true }).slice(0, shownLimit - output.length)
      if (text === "") return undefined
      output += text
      Queue.offerUnsafe(chunks, text)
      return undefined
    }
    const child = yield* Child.spawn({ program: shell(), args: [shellOptions, command], cwd, env: {} }, false, take)
    const forward = Effect.forever(
      // What was taken is shown, whatever ends this.
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(Queue.takeAll(chunks)), (texts) => onOutput(texts.join("")))
      )
    )
    const drained = Effect.all([child.drained.stdout, child.drained.stderr], { concurrency: 2 })
    const ended = Effect.tap(child.exitCode, () => Effect.timeoutOption(drained, drainTime))
    const inTime = timeoutMs === undefined ? Effect.asSome(ended) : Effect.timeoutOption(ended, timeoutMs)
    const exitCode = yield* Effect.raceFirst(inTime, forward)
    if (exitCode._tag === "None") yield* child.kill
    const rest = yield* Queue.clear(chunks)
    if (rest.length > 0) yield* onOutput(rest.join(""))
    return exitCode._tag === "None"
      ? { exitCode: -1, output, timedOut: true }
      : { exitCode: exitCode.value, output, timedOut: false }
  })).pipe(
    Effect.catchTag("PlatformError", (error) =>
      Effect.succeed({ exitCode: -1, output: `${error.message}\n`, timedOut: false }))
  )

/** What the agent is told of it. */
const report = (command: string, { exitCode, output, timedOut }: Result): string => {
  const shown = output.length > toldLimit ? `…${output.slice(-toldLimit)}` : output
  return `The user has run a command in a shell.
<user_shell_command>
<command>
${command}
</command>
<result exit_code="${exitCode}"${timedOut ? ` timed_out="true"` : ""}>
${shown}
</result>
</user_shell_command>`
}

const perform = (thread: LiveThread, turnId: string, command: ShellCommand, emit: Emit) =>
  Effect.gen(function*() {
    const startedAt = yield* Clock.currentTimeMillis
    const item: CommandExecution = {
      _tag: "CommandExecution",
      id: uuidV7Unsafe(),
      command: `${shell()} ${shellOptions} ${quoted(command.command)}`,
      cwd: command.cwd,
      status: "inProgress",
      source: "userShell"
    }
    yield* emit({ _tag: "ItemStarted", item })
    const result = yield* execute(
      command,
      (delta) => emit({ _tag: "ItemDelta", itemId: item.id, field: "output", index: 0, delta })
    )
    yield* Effect.catch(
      thread.inject([report(command.command, result)], turnId),
      (error) => Effect.logWarning(`The agent is not told of a command: ${error.message}`)
    )
    yield* emit({
      _tag: "ItemCompleted",
      closed: false,
      item: {
        ...item,
        status: result.exitCode === 0 ? "completed" : "failed",
        exitCode: result.exitCode,
        durationMs: (yield* Clock.currentTimeMillis) - startedAt,
        ...(result.output === "" ? {} : { output: result.output })
      }
    })
  })

/** Begins with a command; returns how to run it, once the answer is on its way. */
export const start = (
  thread: LiveThread,
  command: ShellCommand
): Effect.Effect<() => void, BridgeError, ChildProcessSpawner> =>
  Effect.gen(function*() {
    const context = yield* Effect.context<ChildProcessSpawner>()
    const { within } = thread
    if (within !== undefined) {
      const emit: Emit = (event) =>
        Effect.suspend(() => {
          if (thread.within?.turnId === within.turnId) return within.apply([event])
          return "item" in event || event._tag === "ItemDelta" ? thread.late(event) : Effect.void
        })
      const work = perform(thread, within.turnId, command, emit).pipe(
        Effect.provide(context),
        Effect.catch((error) => Effect.logError(`A command of thread ${thread.id} was lost: ${error.message}`))
      )
      return () => thread.fork(work)
    }
    const { run } = yield* thread.beginWork(({ apply, turnId }) =>
      Effect.gen(function*() {
        yield* apply([{ _tag: "TurnStarted", turnId }])
        yield* perform(thread, turnId, command, (event) => apply([event]))
        yield* apply([{ _tag: "TurnEnded", outcome: { _tag: "Completed" } }])
      }).pipe(Effect.provide(context))
    )
    return run
  })
