/**
 * Shows `codex-bridge attempt` on the real codex without a network and without an account: a fake model answers.
 *
 *     node scripts/record-terminal.ts COMMAND [ARG]...
 *
 * runs a command, such as a shell, in the environment of that codex. Each prompt that holds one of the words below plays
 * its scene; any other gets a short answer.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as ChildProcess from "effect/process/ChildProcess"
import * as CodexHome from "../test/support/CodexHome.ts"
import * as FakeResponses from "../test/support/FakeResponses.ts"
import * as Gate from "../test/support/Gate.ts"
import * as ModelTurn from "../test/support/ModelTurn.ts"
import * as RecordedRequest from "../test/support/RecordedRequest.ts"

const call = (command: string, more: Record<string, string> = {}) =>
  ModelTurn.functionCall("exec_command", { cmd: command, ...more })

const plan = (...statuses: ReadonlyArray<string>) =>
  ModelTurn.functionCall("update_plan", {
    plan: ["Look at the failing test", "Fix the sum", "Run the tests"].map((step, index) => ({
      step,
      status: statuses[index] ?? "pending"
    }))
  })

// One word after the other, as a model speaks.
const speak = Effect.fnUntraced(function*(text: string) {
  const parts: Array<string | Gate.Gate> = []
  const gates: Array<Gate.Gate> = []
  for (const word of text.split(/(?<= )/u)) {
    const gate = yield* Gate.make
    gates.push(gate)
    parts.push(gate, word)
  }
  yield* Effect.forEach(gates, (gate) => Effect.andThen(Effect.sleep("30 millis"), gate.open)).pipe(Effect.forkDetach)
  return parts
})

const scenes: Readonly<Record<string, ReadonlyArray<() => Effect.Effect<ModelTurn.ModelTurn>>>> = {
  fix: [
    () =>
      Effect.succeed(ModelTurn.turn([
        ModelTurn.reasoning({
          summary: [["**Finding the fault**\n\nThe test adds two numbers; ", "I look at the sum first."]]
        }),
        plan("in_progress"),
        call("cat sum.js && sleep 1 && echo 'expected 5, got 1' >&2")
      ])),
    () =>
      Effect.succeed(ModelTurn.turn([
        plan("completed", "in_progress"),
        ModelTurn.applyPatch([
          "*** Begin Patch",
          "*** Update File: sum.js",
          "@@",
          "-export const sum = (a, b) => a - b",
          "+export const sum = (a, b) => a + b",
          "*** Add File: sum.test.js",
          "+import { sum } from \"./sum.js\"",
          "+if (sum(2, 3) !== 5) throw new Error(\"2 + 3\")",
          "*** End Patch"
        ].join("\n"))
      ])),
    () =>
      Effect.succeed(ModelTurn.turn([
        plan("completed", "completed", "in_progress"),
        call("for i in 1 2 3 4 5 6; do echo \"test $i ok\"; sleep 0.3; done")
      ])),
    () => Effect.succeed(ModelTurn.turn([plan("completed", "completed", "completed")])),
    () =>
      Effect.map(
        speak("The sum subtracted. It adds now, and a test says so: 2 + 3 is 5. 日本語もそのまま表示されます ✨"),
        (parts) =>
          ModelTurn.turn([ModelTurn.message(parts, { phase: "final_answer" })], {
            usage: { input: 3_412, cachedInput: 1_024, output: 218, reasoningOutput: 64 }
          })
      )
  ],
  long: [
    () => Effect.succeed(ModelTurn.turn([call("echo started; sleep 600")])),
    () => Effect.succeed(ModelTurn.text("Done waiting."))
  ],
  stall: [
    () =>
      Effect.succeed(ModelTurn.turn([ModelTurn.message(["The answer to this begins, and then "]), ModelTurn.silence]))
  ],
  ask: [
    () =>
      Effect.succeed(ModelTurn.turn([
        call("touch /etc/made-by-agent", {
          sandbox_permissions: "require_escalated",
          justification: "Do you want to let the agent touch a file outside?"
        })
      ])),
    () => Effect.succeed(ModelTurn.text("That is settled then."))
  ]
}

const played = new Map<string, number>()

// The next turn of the scene that the last prompt asks for; after the last one it begins anew.
const answer = (request: RecordedRequest.RecordedRequest): Effect.Effect<ModelTurn.ModelTurn> => {
  const prompt = RecordedRequest.userTexts(request).at(-1) ?? ""
  const [word, turns] = Object.entries(scenes).find(([word]) => prompt.includes(word)) ?? ["", []]
  const index = played.get(word) ?? 0
  played.set(word, (index + 1) % Math.max(1, turns.length))
  return turns[index]?.() ?? Effect.succeed(ModelTurn.text("Hello", " from", " the", " model", "."))
}

const program = Effect.gen(function*() {
  const [command, ...args] = process.argv.slice(2)
  if (command === undefined) return yield* Effect.die(new Error("usage: record-terminal.ts COMMAND [ARG]..."))
  const fake = yield* FakeResponses.make({ fallback: answer })
  const home = yield* CodexHome.make({
    baseUrl: fake.baseUrl,
    settings: { "tools.update_plan.enabled": true, model_reasoning_summary: "auto" }
  })
  const path = `${import.meta.dirname}/../node_modules/.bin:${home.env["PATH"]}`
  const child = yield* ChildProcess.make(command, args, {
    cwd: home.work,
    env: { ...home.env, PATH: path, TERM: process.env["TERM"] ?? "xterm-256color" },
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
    detached: false
  })
  process.exitCode = yield* child.exitCode
})

// The command under it has the terminal, and its signals: this program ends with it, and tidies up.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {})
await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(NodeServices.layer)))
