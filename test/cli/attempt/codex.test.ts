/**
 * `codex-bridge attempt` and `protocol check` on the real codex, with a fake model.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as ChildProcess from "effect/process/ChildProcess"
import * as Stream from "effect/Stream"
import * as CodexHome from "../../support/CodexHome.ts"
import * as FakeResponses from "../../support/FakeResponses.ts"
import * as ModelTurn from "../../support/ModelTurn.ts"
import * as RecordedRequest from "../../support/RecordedRequest.ts"
import { readLines, run, runtimes, start } from "../support/runCli.ts"

const make = Effect.gen(function*() {
  const fake = yield* FakeResponses.make()
  const home = yield* CodexHome.make({ baseUrl: fake.baseUrl })
  const options = { env: home.env, cwd: home.work }
  return { fake, home, options, attempt: ["attempt", "--agent-bin", home.codexBin, "--json"] }
})

/** The state of a process as `ps` tells it. */
const stateOf = (pid: number) =>
  Effect.map(
    ChildProcess.make("ps", ["-o", "stat=", "-p", String(pid)]).pipe(
      Effect.flatMap(({ stdout }) => Stream.mkString(Stream.decodeText(stdout))),
      Effect.scoped
    ),
    (state) => state.trim()
  )

/** Nothing, or a process that has ended and that nobody has waited for. */
const gone = /^(?:Z.*)?$/u

const childrenOf = (pid: number) =>
  Effect.map(
    ChildProcess.make("pgrep", ["-P", String(pid)]).pipe(
      Effect.flatMap(({ stdout }) => Stream.mkString(Stream.decodeText(stdout))),
      Effect.scoped
    ),
    (lines) => lines.split("\n").filter((line) => line !== "").map(Number)
  )

describe.each(runtimes)("codex-bridge attempt with codex on %s", (runtime) => {
  it.live("runs a turn, and the next one in the same conversation", () =>
    Effect.gen(function*() {
      const { attempt, fake, home, options } = yield* make
      const path = yield* Path.Path
      yield* fake.push(ModelTurn.text("Hel", "lo"), ModelTurn.text("Again"))
      const session = ["--session", "chat.jsonl"]

      const first = yield* run(runtime, [...attempt, ...session, "first prompt"], options)
      assert.strictEqual(first.code, 0, first.stderr)
      const one = yield* readLines(first.stdout)
      assert.deepInclude(one.lines[0], { type: "backend", backend: "codex-app-server" })
      assert.deepStrictEqual(one.result.assistantTexts, ["Hello"])
      assert.deepInclude(one.result, { status: "completed", backend: "codex-app-server" })
      assert.deepInclude(one.result.usage, { input: 100, cachedInput: 40, output: 20, reasoningOutput: 5, fresh: true })
      assert.strictEqual(one.result.session?.durable, true)

      // From elsewhere: the conversation keeps its directory.
      const elsewhere = { ...options, cwd: home.home }
      const file = path.join(home.work, "chat.jsonl")
      const second = yield* run(runtime, [...attempt, "--session", file, "second prompt"], elsewhere)
      assert.strictEqual(second.code, 0, second.stderr)
      const two = yield* readLines(second.stdout)
      assert.strictEqual(two.result.session?.sessionId, one.result.session?.sessionId)
      const request = yield* fake.request(2)
      assert.includeMembers([...RecordedRequest.userTexts(request)], ["first prompt", "second prompt"])
      assert.include(JSON.stringify(request.json), home.work)
      assert.notInclude(JSON.stringify(request.json), `<cwd>${home.home}</cwd>`)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("Ctrl-C interrupts the turn for real, and leaves no process behind", () =>
    Effect.gen(function*() {
      const { attempt, fake, home, options } = yield* make
      const fs = yield* FileSystem.FileSystem
      yield* fake.push(
        ModelTurn.turn([
          // Codex may keep the first output to itself.
          ModelTurn.functionCall("exec_command", { cmd: "echo $$ > pid; while :; do echo begun; sleep 0.1; done" })
        ]),
        ModelTurn.text("not to be said")
      )
      const cli = yield* start(
        runtime,
        [...attempt, "--approval", "never", "--sandbox", "danger-full-access", "go"],
        options
      )
      yield* cli.printed("begun\\n")
      yield* cli.signal("SIGINT")
      const { code, stdout } = yield* cli.ended
      assert.strictEqual(code, 130)
      const { result } = yield* readLines(stdout)
      assert.deepInclude(result, {
        status: "interrupted",
        interruptConfirmed: true,
        replay: { safe: false, reason: "active_item" }
      })
      const pid = Number(yield* fs.readFileString(`${home.work}/pid`))
      assert.match(yield* stateOf(pid), gone)
      assert.strictEqual((yield* fake.requests).length, 1)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("Ctrl-C while the model is silent", () =>
    Effect.gen(function*() {
      const { attempt, fake, options } = yield* make
      yield* fake.push(ModelTurn.turn([ModelTurn.message(["It begins "]), ModelTurn.silence]))
      const cli = yield* start(runtime, [...attempt, "go"], options)
      yield* cli.printed("It begins")
      yield* cli.signal("SIGINT")
      const { code, stdout } = yield* cli.ended
      assert.strictEqual(code, 130)
      assert.deepInclude((yield* readLines(stdout)).result, { status: "interrupted", interruptConfirmed: true })
      assert.strictEqual(yield* (yield* fake.request(1)).ended, "clientClosed")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("a second Ctrl-C leaves at once, and the agent ends with its input", () =>
    Effect.gen(function*() {
      const { attempt, fake, options } = yield* make
      yield* fake.push(ModelTurn.turn([ModelTurn.message(["It begins "]), ModelTurn.silence]))
      const cli = yield* start(runtime, [...attempt, "go"], options)
      yield* cli.printed("It begins")
      const [codex, ...others] = yield* childrenOf(cli.pid)
      if (codex === undefined) return assert.fail("codex is no child of the command")
      assert.deepStrictEqual(others, [])
      // An agent that is stuck confirms nothing.
      process.kill(codex, "SIGSTOP")
      yield* cli.signal("SIGINT")
      yield* cli.warned("Interrupting the agent")
      yield* cli.signal("SIGINT")
      const { code, stdout } = yield* cli.ended
      assert.strictEqual(code, 130)
      assert.notInclude(stdout, "\"type\":\"result\"")
      process.kill(codex, "SIGCONT")
      assert.strictEqual(yield* (yield* fake.request(1)).ended, "clientClosed")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("what the command line says reaches the agent: schema, image, model, overrides, recording", () =>
    Effect.gen(function*() {
      const { attempt, fake, home, options } = yield* make
      const fs = yield* FileSystem.FileSystem
      const schema = {
        type: "object",
        properties: { sum: { type: "integer" } },
        required: ["sum"],
        additionalProperties: false
      }
      yield* fs.writeFileString(`${home.work}/schema.json`, JSON.stringify(schema))
      // A PNG of one pixel.
      const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
      yield* fs.writeFile(`${home.work}/pixel.png`, Buffer.from(pixel, "base64"))
      yield* fake.push(ModelTurn.text("{\"sum\":5}"))
      const { code, stderr, stdout } = yield* run(runtime, [
        ...attempt,
        "--output-schema",
        "schema.json",
        "--image",
        "pixel.png",
        "--model",
        "gpt-5.2-codex",
        "-c",
        "model_reasoning_effort=\"low\"",
        "--record",
        "wire.jsonl",
        "What is 2 + 3?"
      ], options)
      assert.strictEqual(code, 0, stderr)
      assert.deepStrictEqual((yield* readLines(stdout)).result.structuredOutput, { sum: 5 })
      const body = JSON.stringify((yield* fake.request(1)).json)
      assert.include(body, "\"model\":\"gpt-5.2-codex\"")
      assert.include(body, "\"effort\":\"low\"")
      assert.include(body, "data:image/png;base64,")
      assert.include(body, "\"json_schema\"")
      const wire = yield* fs.readFileString(`${home.work}/wire.jsonl`)
      assert.include(wire, "turn/start")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("an answer that does not fit its schema fails", () =>
    Effect.gen(function*() {
      const { attempt, fake, home, options } = yield* make
      const fs = yield* FileSystem.FileSystem
      yield* fs.writeFileString(
        `${home.work}/schema.json`,
        "{\"type\":\"object\",\"properties\":{},\"required\":[\"x\"]}"
      )
      yield* fake.push(ModelTurn.text("no JSON"))
      const { code, stdout } = yield* run(runtime, [...attempt, "--output-schema", "schema.json", "go"], options)
      assert.strictEqual(code, 10)
      assert.deepInclude((yield* readLines(stdout)).result, { status: "failed", stopReason: "output_invalid" })
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("without a terminal, what the agent asks for is declined", () =>
    Effect.gen(function*() {
      const { fake, home, options } = yield* make
      const fs = yield* FileSystem.FileSystem
      const escalated = { sandbox_permissions: "require_escalated", justification: "May I?" }
      yield* fake.push(
        ModelTurn.turn([ModelTurn.functionCall("exec_command", { cmd: "touch made", ...escalated })]),
        ModelTurn.text("As you wish.")
      )
      const args = ["attempt", "--agent-bin", home.codexBin, "--approval", "on-request", "--sandbox", "read-only", "go"]
      const { code, stderr, stdout } = yield* run(runtime, args, options)
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stdout, "As you wish.\n")
      assert.match(stderr, /\? approval: .*touch made.*\n {2}→ decline\n⊘ \$ touch made/u)
      assert.isFalse(yield* fs.exists(`${home.work}/made`))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("protocol check finds no difference in the codex that the library was made for", () =>
    Effect.gen(function*() {
      const { home, options } = yield* make
      const check = ["protocol", "check", "--codex-bin", home.codexBin]
      const { code, stderr, stdout } = yield* run(runtime, check, options)
      assert.strictEqual(code, 0, stderr)
      assert.match(stdout, /^Generated from codex \S+, checked \S+: no differences\n$/u)
      const json = yield* run(runtime, [...check, "--json"], options)
      assert.strictEqual(json.code, 0)
      assert.deepInclude(JSON.parse(json.stdout), { severity: "none", exitCode: 0, differences: [] })
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
})
