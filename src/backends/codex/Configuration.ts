/**
 * Whether codex can have a login or a model provider at all.
 *
 * Only codex knows how it is configured. But where none of the places exists that it reads, the answer needs no codex:
 * starting one that was never set up creates its home directory and looks for updates of its plugins on the network.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import { homedir } from "node:os"
import type { CodexOptions } from "./CodexOptions.ts"

/** Where an administrator configures codex for all users: files, and preferences of a managed Mac. */
const systemFiles = [
  "/etc/codex/config.toml",
  "/etc/codex/managed_config.toml",
  "/etc/codex/requirements.toml",
  "/Library/Managed Preferences/com.openai.codex.plist"
]

const keys = ["CODEX_API_KEY", "CODEX_ACCESS_TOKEN", "OPENAI_API_KEY"]

/** Gives the home directory of a codex that certainly has neither. */
export const unconfiguredHome = Effect.fnUntraced(function*(
  options: CodexOptions
): Effect.fn.Return<string | undefined, never, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const env = { ...process.env, ...options.env }
  // Arguments can name a provider, and so can a system that keeps its settings elsewhere.
  if ((options.args ?? []).length > 0 || process.platform === "win32") return undefined
  if (keys.some((key) => (env[key] ?? "") !== "")) return undefined
  // codex takes an empty variable for one that is not set.
  const named = env["CODEX_HOME"] ?? ""
  const home = named === "" ? path.join(env["HOME"] ?? homedir(), ".codex") : named
  const files = [path.join(home, "auth.json"), path.join(home, "config.toml"), ...systemFiles]
  for (const file of files) {
    // What cannot be looked at may be there.
    if (yield* fs.exists(file).pipe(Effect.orElseSucceed(() => true))) return undefined
  }
  return home
})
