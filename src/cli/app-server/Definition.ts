/**
 * What `codex-bridge app-server --help` tells. Its command line is codex's own, and is read by `Arguments`.
 */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { backendNames } from "../../backends/selector/BackendName.ts"

const text = (name: string, metavar: string, help: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(help), Flag.optional)

const config = {
  listen: text("listen", "URL", "stdio:// (the default), unix:// for codex's own place, unix://PATH or ws://IP:PORT."),
  backend: text("backend", backendNames.join("|"), "Which agent. Default: auto."),
  "agent-bin": text("agent-bin", "PATH", "The agent's executable."),
  scenario: text("scenario", "FILE", "What the scripted agent does, as JSON."),
  "log-file": text("log-file", "FILE", "Default: bridge/bridge.log in CODEX_HOME."),
  "log-level": text("log-level", "LEVEL", "trace, debug, info, warn or error."),
  "ws-auth": text("ws-auth", "capability-token|signed-bearer-token", "What clients of ws:// must show."),
  "ws-token-file": text("ws-token-file", "FILE", "The token."),
  "ws-token-sha256": text("ws-token-sha256", "HEX", "The SHA-256 of the token, in place of the file."),
  "ws-shared-secret-file": text("ws-shared-secret-file", "FILE", "The secret that JWTs are signed with, by HS256."),
  "ws-issuer": text("ws-issuer", "ISSUER", "The issuer that JWTs must name."),
  "ws-audience": text("ws-audience", "AUDIENCE", "The audience that JWTs must name."),
  "ws-max-clock-skew-seconds": text("ws-max-clock-skew-seconds", "SECONDS", "How far clocks may differ.")
}

export const appServer = Command.make("app-server", config).pipe(
  Command.withShortDescription("Serve Codex clients with another agent."),
  Command.withDescription(
    "Serve Codex clients (the TUI, codex exec --remote, the desktop and mobile apps) with another agent. Further settings " +
      "are in bridge.toml in CODEX_HOME and in the environment, as CODEX_BRIDGE_….\n\n" +
      "Flags of codex's own are taken before and after app-server, and left out where they have no meaning."
  )
)
