#!/usr/bin/env node
/**
 * The entry of `codex-bridge`. It loads what a command needs once the command is known.
 */
import { readFileSync } from "node:fs"
import { program } from "./Command.ts"
import { read } from "./Commands.ts"
import { exitCodes } from "./ExitCode.ts"

const write = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve) => {
    stream.write(text, () => resolve())
  })

const version = (): string => {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8")
  )
  return manifest.version
}

const main = async (words: ReadonlyArray<string>): Promise<number> => {
  if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
    await write(process.stdout, `${program} ${version()}\n`)
    return exitCodes.completed
  }
  const invocation = read(words)
  switch (invocation._tag) {
    case "Help":
      await write(process.stdout, invocation.text)
      return exitCodes.completed
    case "Invalid":
      await write(process.stderr, `${program} ${invocation.message}\n\`${invocation.help}\` tells what there is.\n`)
      return exitCodes.usage
    case "Run":
      return invocation.run()
  }
}

// A reader that has left, as in `codex-bridge … | head`: writes are for nobody then, which is no failure of ours.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})

// Ends the process also where something idle, such as the terminal's input, would keep it.
process.exit(await main(process.argv.slice(2)))
