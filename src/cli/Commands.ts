/**
 * The commands of `codex-bridge`. What a command needs is loaded once it is known.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { readFileSync } from "node:fs"
import { appServer } from "./app-server/Definition.ts"
import { attempt } from "./attempt/Definition.ts"
import { endWith, exitCodes } from "./ExitCode.ts"
import { protocol } from "./protocol/Definition.ts"

const program = "codex-bridge"

const root = Command.make(program).pipe(
  Command.withDescription("Run Codex and other agents from a terminal or a script."),
  Command.withSubcommands([attempt, appServer, protocol])
)

const version = (): string => {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8")
  )
  return manifest.version
}

/** Standard output has what was asked for. A mistake is one line, which no page of help pushes off the screen. */
const presenter: CliOutput.Presenter = {
  present: (event) => {
    switch (event._tag) {
      case "InvalidInvocation": {
        const path = event.commandPath.join(" ")
        const problems = event.errors.map((error) => `${path}: ${error.message}`)
        return Console.error([...problems, `\`${path} --help\` tells what there is.`].join("\n"))
      }
      case "Help":
        if (event.reason === "Requested") return CliOutput.defaultPresenter.present(event)
        return Console.error(CliOutput.defaultFormatter({ colors: false }).formatHelpDoc(event.helpDoc))
      case "Version":
        return CliOutput.defaultPresenter.present(event)
    }
  }
}

const services = Layer.mergeAll(
  NodeServices.layer,
  CliOutput.layerPresenter(presenter),
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions, GlobalFlag.LogLevel] })
)

/** Runs a command line to its end and sets the exit code. */
export const run = async (words: ReadonlyArray<string>): Promise<void> => {
  const exit = await Effect.runPromiseExit(
    Command.runWith(root, { version: version() })(words).pipe(Effect.provide(services))
  )

  if (Exit.isFailure(exit)) {
    const failure = Cause.findErrorOption(exit.cause)
    if (failure._tag === "None") {
      process.stderr.write(`${program}: internal error\n${Cause.pretty(exit.cause)}\n`)
      endWith(exitCodes.defect)
    } else {
      if (!CliError.isCliError(failure.value)) process.stderr.write(`${program}: ${failure.value.message}\n`)
      endWith(exitCodes.usage)
    }
  }
}
