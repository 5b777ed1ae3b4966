/**
 * Settings of the codex backend.
 */
import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"

/** An app-server that runs already. */
export interface Remote {
  /** `ws://host:port`, `wss://…`, or `unix:///path/of/the/socket`. */
  readonly url: string
  /** Headers of the handshake, e.g. `authorization`. */
  readonly headers?: Readonly<Record<string, string | Redacted.Redacted<string>>> | undefined
}

export interface CodexOptions {
  /** Speak with an app-server that runs already. The options that concern the process have no meaning then. */
  readonly remote?: Remote | undefined
  /** The executable. Default `codex`, looked up on the PATH. */
  readonly command?: string | undefined
  /** Arguments before `app-server`, e.g. `["-c", "model=\"gpt-5.5\""]`. */
  readonly args?: ReadonlyArray<string> | undefined
  /** Added to the environment of this process, e.g. `CODEX_HOME`. `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Where the server runs. Threads have working directories of their own. Default: the file system's root. */
  readonly cwd?: string | undefined
  /** How this program introduces itself; codex passes the name on as its originator. */
  readonly clientInfo?: { readonly name: string; readonly title?: string; readonly version: string } | undefined
  /** JSONL file to record the wire to, secrets redacted. */
  readonly recordTo?: string | undefined
  /** Calls on the wire at once; default 64. */
  readonly inFlight?: number | undefined
  /**
   * Commands that are still running when their turn is interrupted: codex keeps them as background terminals.
   * `terminate` ends them, which needs codex's experimental API. Default `keep`.
   */
  readonly interruptedCommands?: "keep" | "terminate" | undefined
  /**
   * When to ask codex for its experimental API. `whenNeeded`, the default: once a session brings tools or a turn runs
   * in plan mode; the server is replaced then, and a thread that the old one holds for a turn of another session is
   * busy until that turn ends. `always`: from the start.
   */
  readonly experimentalApi?: "whenNeeded" | "always" | undefined
  readonly deadlines?: Partial<Deadlines> | undefined
}

export interface Deadlines {
  /** From the start of the process to the end of the handshake. */
  readonly startup: Duration.Input
  /** For a call to be answered; a turn may take longer than the call that starts it. */
  readonly call: Duration.Input
  /** For the agent to confirm an interruption. */
  readonly interrupt: Duration.Input
  readonly compaction: Duration.Input
  /** From the thread's idle status to asking the server what became of a turn that was not reported to end. */
  readonly settle: Duration.Input
  /** For a tool of the host to return. */
  readonly tool: Duration.Input
}

export const defaultDeadlines: Deadlines = {
  startup: "30 seconds",
  call: "1 minute",
  interrupt: "5 seconds",
  compaction: "5 minutes",
  settle: "2 seconds",
  tool: "10 minutes"
}
