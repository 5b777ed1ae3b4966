/**
 * Whether a model provider is one of codex's.
 */
import * as Effect from "effect/Effect"
import * as Toml from "effect/encoding/Toml"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { homedir } from "node:os"
import type { CodexOptions } from "../codex/CodexOptions.ts"

/** What hosts call the provider that codex has an account with. */
const accounts = new Set(["openai", "openai-codex", "codex"])

/** Those that codex knows by itself. */
const builtIn = new Set(["ollama", "lmstudio", "amazon-bedrock"])

/** Whether a turn with this provider needs codex's login. */
export const needsAccount = (provider: string): boolean => accounts.has(provider)

/** Codex's own name of a provider. */
export const nameOf = (provider: string | undefined): string | undefined =>
  provider !== undefined && accounts.has(provider) ? "openai" : provider

/** Why codex cannot have this provider, in a line for people. */
export const unknown = Effect.fnUntraced(function*(
  provider: string,
  options: CodexOptions
): Effect.fn.Return<string | undefined, never, FileSystem.FileSystem | Path.Path> {
  // How a server elsewhere is configured cannot be seen from here.
  if (accounts.has(provider) || builtIn.has(provider) || options.remote !== undefined) return undefined
  if ((options.args ?? []).some((arg) => arg.includes(`model_providers.${provider}`))) return undefined
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const env = { ...process.env, ...options.env }
  const home = env["CODEX_HOME"] || path.join(env["HOME"] ?? homedir(), ".codex")
  const own = path.join(home, "config.toml")
  for (const file of [own, "/etc/codex/config.toml", "/etc/codex/managed_config.toml"]) {
    const found = yield* fs.readFileString(file).pipe(
      Effect.map((text) => {
        const table = Toml.parse(text)
        // What cannot be read, codex will say itself.
        if (Result.isFailure(table)) return true
        const providers = table.success["model_providers"]
        return Predicate.isObject(providers) && Object.hasOwn(providers, provider)
      }),
      Effect.catchTag("PlatformError", (error) => Effect.succeed(error.reason._tag !== "NotFound"))
    )
    if (found) return undefined
  }
  return `it has no model provider ${provider} (${own})`
})
