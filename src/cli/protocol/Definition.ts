/**
 * `codex-bridge protocol`: its commands' flags, and how they are loaded.
 */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { endWith } from "../ExitCode.ts"

const config = {
  "codex-bin": Flag.String("codex-bin").pipe(
    Flag.withMetavar("PATH"),
    Flag.withDescription("The codex to check. Default: codex on the PATH."),
    Flag.withDefault("codex")
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print the report as JSON."), Flag.withDefault(false))
}

/** What the flags say. */
export type CheckInput = Command.Command.Config.Infer<typeof config>

const check = Command.make(
  "check",
  config,
  Effect.fn(function*(input) {
    const { run } = yield* Effect.promise(() => import("./Check.ts"))
    endWith(yield* run(input))
  })
).pipe(
  Command.withShortDescription("Compare an installed codex with the one this version was made for."),
  Command.withDescription(
    "Compare the protocol of an installed codex with the one this version was made for, in what it uses.\n\n" +
      "Exit codes: 0 no difference, 2 usage, 3 harmless differences, 4 breaking ones, 13 the codex cannot be asked."
  )
)

export const protocol = Command.make("protocol").pipe(
  Command.withDescription("What is said between this program and codex."),
  Command.withSubcommands([check])
)
