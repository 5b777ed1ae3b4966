/**
 * Runs `codex-bridge protocol check`.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Drift from "../../protocol/Drift.ts"
import { exitCodes } from "../ExitCode.ts"
import { paint, type Style, wantsColour } from "../view/Chunk.ts"
import { fromStream } from "../view/Sink.ts"
import { harmless } from "../view/Text.ts"
import type { CheckInput } from "./Definition.ts"

const styles: Readonly<Record<Drift.Severity, Style>> = { none: "green", harmless: "yellow", breaking: "red" }

const lineStyle = (text: string): Style => text.trimStart().startsWith("breaking") ? "red" : "plain"

// The first line is the verdict; breaking differences come first, and stand out.
const colour = (report: Drift.DriftReport, coloured: boolean): string => {
  const [head = "", ...rest] = harmless(Drift.format(report)).split("\n")
  return [
    paint({ text: head, style: styles[report.severity] }, coloured),
    ...rest.map((text) => paint({ text, style: lineStyle(text) }, coloured))
  ].join("\n")
}

const check = Effect.fnUntraced(function*(values: CheckInput) {
  const output = yield* fromStream(process.stdout)
  const report = yield* Drift.check({ codexBin: values["codex-bin"] })
  const text = values.json ? JSON.stringify(report) : colour(report, wantsColour(output.isTerminal, process.env))
  output.write(`${text}\n`)
  yield* output.flush
  return report.exitCode
})

/** Gives the exit code. */
export const run = (input: CheckInput): Effect.Effect<number> =>
  check(input).pipe(
    Effect.catch((error) =>
      Effect.as(Console.error(`codex-bridge protocol check: ${error.message}`), exitCodes.unavailable)
    ),
    Effect.scoped,
    Effect.provide(NodeServices.layer)
  )
