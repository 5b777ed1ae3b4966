/**
 * `codex-bridge attempt`: its flags, and how it is loaded.
 */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ApprovalPolicy, SandboxMode } from "../../agent/AgentBackend.ts"
import { backendNames } from "../../backends/selector/BackendName.ts"
import { endWith, exitCodeHelp } from "../ExitCode.ts"

// The names are repeated here, under the compiler's eyes, because the modules that define them take long to load.
const approvals = ["untrusted", "on-request", "never"] as const satisfies ReadonlyArray<ApprovalPolicy>
const sandboxes = ["read-only", "workspace-write", "danger-full-access"] as const satisfies ReadonlyArray<SandboxMode>

const described = <A>(flag: Flag.Flag<A>, metavar: string, help: string): Flag.Flag<A | undefined> =>
  flag.pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(help),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )

const text = (name: string, metavar: string, help: string) => described(Flag.String(name), metavar, help)

const texts = (name: string, metavar: string, help: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(`${help} May be given again.`),
    Flag.atLeast(0)
  )

export const config = {
  backend: described(
    Flag.Literals("backend", backendNames),
    backendNames.join("|"),
    "Which agent. auto takes the first that can be used of codex, Oh My Pi and Pi, else the built-in scripted agent. " +
      "Default: $CODEX_BRIDGE_BACKEND, $AGENT_RUNTIME or $OPENCLAW_AGENT_RUNTIME, else auto."
  ),
  "agent-bin": text(
    "agent-bin",
    "PATH",
    "The executable of codex, or of omp for omp-rpc. Default: codex or omp on the PATH."
  ),
  scenario: text("scenario", "FILE", "What the scripted agent does, as JSON. Naming one is asking for that agent."),
  cwd: text("cwd", "DIR", "Where the agent works. Default: this directory, or that of the session that is continued."),
  session: text(
    "session",
    "FILE",
    "Continue the conversation of this file, or begin it. A file beside it remembers the session."
  ),
  model: text("model", "NAME", "The model. Default: as the agent is configured."),
  provider: text("provider", "NAME", "The model provider, by the agent's own name of it."),
  effort: text("effort", "LEVEL", "Reasoning effort, e.g. minimal, low, medium, high."),
  approval: described(
    Flag.Literals("approval", approvals),
    approvals.join("|"),
    "When the agent asks before it acts. Without a terminal, what it asks for is declined."
  ),
  sandbox: described(
    Flag.Literals("sandbox", sandboxes),
    sandboxes.join("|"),
    "What the agent's commands may touch."
  ),
  plan: Flag.Boolean("plan").pipe(Flag.withDescription("Let the agent plan, and not act."), Flag.withDefault(false)),
  image: texts("image", "FILE|URL", "An image that goes with the prompt."),
  "output-schema": text("output-schema", "FILE", "A JSON Schema that the final answer must fit."),
  timeout: text("timeout", "DURATION", "Stop after so long, e.g. 90s, 10m, 1h30m."),
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Print one JSON object a line: the backend, every event, and last the result."),
    Flag.withDefault(false)
  ),
  config: texts("config", "KEY=VALUE", "A setting of codex's configuration for this run; the value is TOML.").pipe(
    Flag.withAlias("c")
  ),
  "agent-arg": texts(
    "agent-arg",
    "ARG",
    "A further argument for the executable of codex, before its subcommand, or of omp."
  ),
  record: text("record", "FILE", "Record the agent's wire to this file as JSON lines, without secrets."),
  prompt: Argument.String("PROMPT").pipe(Argument.withDescription("What to do; `-` reads it from standard input."))
}

/** What the flags say. */
export type AttemptInput = Command.Command.Config.Infer<typeof config>

export const attempt = Command.make(
  "attempt",
  config,
  Effect.fn(function*(input) {
    const logLevel = yield* GlobalFlag.LogLevel
    const { run } = yield* Effect.promise(() => import("./Attempt.ts"))
    endWith(yield* run(input, Option.getOrElse(logLevel, () => "Warn" as const)))
  })
).pipe(
  Command.withShortDescription("Run one prompt on an agent."),
  Command.withDescription(
    "Run one prompt on an agent.\n\n" +
      "On a terminal the turn is shown as it happens, and what the agent asks is asked of you. Into a pipe goes the " +
      "answer alone; the rest goes to standard error. Ctrl-C interrupts the agent and waits for it to confirm; a " +
      `second one leaves at once.\n\nExit codes: ${exitCodeHelp}`
  ),
  Command.withExamples([
    { command: "codex-bridge attempt \"Explain this repository\"" },
    { command: "codex-bridge attempt --session chat.jsonl --sandbox workspace-write \"Fix the failing test\"" },
    { command: "git diff | codex-bridge attempt --json - | jq -r 'select(.type == \"result\").assistantTexts[]'" }
  ])
)
