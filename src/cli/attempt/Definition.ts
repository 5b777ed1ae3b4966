/**
 * The flags of `codex-bridge attempt`.
 */
import type { ApprovalPolicy, SandboxMode } from "../../agent/AgentBackend.ts"
import type { BackendName } from "../../backends/selector/Selector.ts"
import { command, type Input } from "../Command.ts"
import { exitCodeHelp } from "../ExitCode.ts"
import { choice, many, one, toggle } from "../Flags.ts"

// The names are repeated here, under the compiler's eyes, because the modules that define them take long to load.
const backends = ["auto", "codex-app-server", "scripted"] as const satisfies ReadonlyArray<BackendName>
const approvals = ["untrusted", "on-request", "never"] as const satisfies ReadonlyArray<ApprovalPolicy>
const sandboxes = ["read-only", "workspace-write", "danger-full-access"] as const satisfies ReadonlyArray<SandboxMode>
const logLevels = ["trace", "debug", "info", "warn", "error", "none"] as const

export const flags = {
  backend: choice(
    backends,
    "Which agent. auto (the default) takes codex if it can run a turn, else the built-in scripted agent.",
    ["pi", "omp-sdk", "omp-rpc"]
  ),
  "agent-bin": one("PATH", "The agent's executable. Default: codex on the PATH."),
  cwd: one("DIR", "Where the agent works. Default: this directory, or that of the session that is continued."),
  session: one("FILE", "Continue the conversation of this file, or begin it. A file beside it remembers the session."),
  model: one("NAME", "The model. Default: as the agent is configured."),
  provider: one("NAME", "The model provider, by the agent's own name of it."),
  effort: one("LEVEL", "Reasoning effort, e.g. minimal, low, medium, high."),
  approval: choice(approvals, "When the agent asks before it acts. Without a terminal, what it asks for is declined."),
  sandbox: choice(sandboxes, "What the agent's commands may touch."),
  plan: toggle("Let the agent plan, and not act."),
  image: many("FILE|URL", "An image that goes with the prompt."),
  "output-schema": one("FILE", "A JSON Schema that the final answer must fit."),
  timeout: one("DURATION", "Stop after so long, e.g. 90s, 10m, 1h30m."),
  json: toggle("Print one JSON object a line: the backend, every event, and last the result."),
  config: many("KEY=VALUE", "A setting of the agent's configuration for this run; the value is TOML.", "c"),
  "agent-arg": many("ARG", "A further argument for the agent's executable, before its subcommand."),
  record: one("FILE", "Record the agent's wire to this file as JSON lines, without secrets."),
  "log-level": choice(logLevels, "Logs on stderr from this level on. Default: warn.")
}

export type AttemptInput = Input<typeof flags>

export const attempt = command({
  name: "attempt",
  summary: "Run one prompt on an agent.",
  flags,
  argument: { name: "PROMPT", help: "What to do; `-` reads it from standard input." },
  examples: [
    "codex-bridge attempt \"Explain this repository\"",
    "codex-bridge attempt --session chat.jsonl --sandbox workspace-write \"Fix the failing test\"",
    "git diff | codex-bridge attempt --json - | jq -r 'select(.type == \"result\").assistantTexts[]'"
  ],
  notes: [
    "On a terminal the turn is shown as it happens, and what the agent asks is asked of you. Into a pipe goes the " +
    "answer alone; the rest goes to standard error. Ctrl-C interrupts the agent and waits for it to confirm; a second " +
    "one leaves at once.",
    `Exit codes: ${exitCodeHelp.join(" ")}`
  ],
  run: (input) => import("./Attempt.ts").then(({ run }) => run(input))
})
