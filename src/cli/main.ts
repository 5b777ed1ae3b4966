#!/usr/bin/env node
/**
 * The entry of `codex-bridge`. `app-server` is started by programs that wait for it, with a command line of codex's own:
 * it is told apart before anything else is loaded.
 */
import * as Arguments from "./app-server/Arguments.ts"

// A reader that has left, as in `codex-bridge … | head`: writes are for nobody then, which is no failure of ours.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})

const words = process.argv.slice(2)
const parsed = Arguments.parse(words)

if (parsed._tag === "AppServer") {
  const [{ runPromise }, AppServer] = await Promise.all([
    import("effect/Effect"),
    import("./app-server/AppServer.ts")
  ])
  await runPromise(AppServer.run(parsed.arguments))
} else if (parsed._tag === "Subcommand") {
  process.stderr.write(`codex-bridge: app-server has no command \`${parsed.name}\`\n`)
  process.exitCode = 2
} else {
  const { run } = await import("./Commands.ts")
  await run(words)
}

// Ends the process also where something idle, such as the terminal's input, would keep it.
process.exit()
