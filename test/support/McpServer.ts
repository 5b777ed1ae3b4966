/**
 * A tiny MCP server for codex to start: what to write into its configuration.
 *
 * The server offers four tools: `echo {text}` (with progress and structured content), `fail` (an error result), `write`
 * (marked destructive, so that codex asks for approval) and `elicit` (asks the user for a name).
 */
import { fileURLToPath } from "node:url"
import type * as CodexHome from "./CodexHome.ts"

/** The path of the program. It needs nothing but Node >= 22.19 or Bun. */
export const program = fileURLToPath(new URL("programs/tiny-mcp.ts", import.meta.url))

/** The settings that register the server under `name`: pass them to `CodexHome.make`. */
export const settings = (name = "tiny"): Readonly<Record<string, CodexHome.Toml>> => ({
  // The runtime of the test run: the `node` on PATH may be too old to run TypeScript.
  [`mcp_servers.${name}.command`]: process.execPath,
  [`mcp_servers.${name}.args`]: [program]
})

/** The namespace in which the model calls the tools of the server. */
export const namespace = (name = "tiny"): string => `mcp__${name}`
