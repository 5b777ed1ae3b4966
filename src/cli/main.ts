#!/usr/bin/env node
/**
 * The entry of `codex-bridge`. `app-server` is started by programs that wait for it, with a command line of codex's own:
 * it is told apart before anything else is loaded.
 */
import * as NodeModule from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import * as Arguments from "./app-server/Arguments.ts"

// What was compiled once need not be compiled at the next start. Only for what is built, and where Node can: in a place
// that is the user's alone, because what is there is run. NODE_DISABLE_COMPILE_CACHE=1 turns it off.
if (import.meta.url.endsWith(".js")) {
  NodeModule.enableCompileCache?.(join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "codex-bridge"))
}

// A reader that has left, as in `codex-bridge … | head`: writes are for nobody then, which is no failure of ours. Other
// failures, such as a full disk, are told once where people look; when it is stderr that fails there is no such place.
process.stdout.on("error", () => {})
process.stderr.on("error", () => {})
process.stdout.once("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || error.code === "EOF") return
  process.stderr.write(`codex-bridge: not everything could be written: ${error.message}\n`)
})

const words = process.argv.slice(2)
const parsed = Arguments.parse(words)

if (Arguments.asksForHelp(parsed)) {
  const { run } = await import("./Commands.ts")
  await run(["app-server", "--help"])
} else if (parsed._tag === "AppServer") {
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
