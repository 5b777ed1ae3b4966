/**
 * Runs a command to its exit code.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { program } from "./Command.ts"
import { exitCodes } from "./ExitCode.ts"
import { fromStream } from "./view/Sink.ts"

/** A failure that the person who typed the command can do something about: one line, without a stack. */
export interface Explained {
  readonly message: string
}

/** A defect: the command is broken, not what it was asked. */
const brokenExitCode = 1

/** Failures go to standard error and end with the usage code, unless the command has its own code for them. */
export const runToExitCode = <E extends Explained>(
  name: string,
  effect: Effect.Effect<number, E>,
  codeOf: (error: E) => number = () => exitCodes.usage
): Promise<number> =>
  Effect.runPromise(
    Effect.gen(function*() {
      const notes = yield* fromStream(process.stderr)
      const exit = yield* Effect.exit(effect)
      if (Exit.isSuccess(exit)) return exit.value
      const failure = Cause.findErrorOption(exit.cause)
      if (failure._tag === "Some") {
        notes.write(`${program} ${name}: ${failure.value.message}\n`)
        yield* notes.flush
        return codeOf(failure.value)
      }
      notes.write(`${program} ${name}: internal error\n${Cause.pretty(exit.cause)}\n`)
      yield* notes.flush
      return brokenExitCode
    }).pipe(Effect.scoped)
  )
