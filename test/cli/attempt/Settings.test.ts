import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { type AttemptInput, config } from "../../../src/cli/attempt/Definition.ts"
import * as Settings from "../../../src/cli/attempt/Settings.ts"
import { UsageError } from "../../../src/cli/UsageError.ts"
import * as SessionBindings from "../../../src/host/SessionBindings.ts"

const services = Layer.provideMerge(SessionBindings.layerSidecar(), NodeServices.layer)

/** What a command line means in a directory of its own. */
const read = Effect.fnUntraced(function*(
  directory: string,
  words: ReadonlyArray<string>,
  standardInput = "",
  environment: Readonly<Record<string, string>> = {}
) {
  let input: AttemptInput | undefined
  const command = Command.make("attempt", config, (parsed) =>
    Effect.sync(() => {
      input = parsed
    }))
  yield* Command.runWith(command, { version: "1" })(words)
  if (input === undefined) return yield* Effect.die(new Error("the command was not run"))
  return yield* Settings.read(input, { directory, standardInput: Effect.succeed(standardInput), environment })
})

const directory = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.makeTempDirectoryScoped({ prefix: "cli-" })
})

const binding = (cwd: string) =>
  JSON.stringify({ schemaVersion: 1, threadId: "t-1", backend: "codex-app-server", cwd, createdAt: 1, updatedAt: 1 })

describe("Settings", () => {
  it.effect("paths start in the caller's directory", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const here = yield* directory
      yield* fs.makeDirectory(`${here}/sub`)
      yield* fs.writeFileString(`${here}/a.png`, "")
      const settings = yield* read(here, [
        "--cwd=sub",
        "--session=chat.jsonl",
        "--image=a.png",
        "--image=https://example.test/b.png",
        "--record=wire.jsonl",
        "--agent-bin=./bin/codex",
        "do it"
      ])
      assert.deepInclude(settings.params, {
        prompt: "do it",
        workspaceDir: `${here}/sub`,
        sessionFile: `${here}/chat.jsonl`,
        images: [{ path: `${here}/a.png` }, { url: "https://example.test/b.png" }]
      })
      assert.deepInclude(settings.selector, { agentBin: `${here}/bin/codex` })
      assert.deepInclude(settings.selector.codex, { recordTo: `${here}/wire.jsonl` })
      // A bare name is for the PATH.
      assert.strictEqual((yield* read(here, ["--agent-bin=codex", "x"])).selector.agentBin, "codex")
    }).pipe(Effect.provide(services)))

  it.effect("a scenario is the scripted agent's alone", () =>
    Effect.gen(function*() {
      const here = yield* directory
      assert.strictEqual((yield* read(here, ["--scenario=s.json", "x"])).selector.scenario, `${here}/s.json`)
      for (const words of [["--backend=codex-app-server"], ["--agent-bin=codex"]]) {
        const error = yield* Effect.flip(read(here, ["--scenario=s.json", ...words, "x"]))
        assert.match(error.message, /^--scenario|^--agent-bin|^agent-bin/)
      }
    }).pipe(Effect.provide(services)))

  it.effect("a conversation keeps its directory, unless another is given", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const here = yield* directory
      const cwdOf = (words: ReadonlyArray<string>) => Effect.map(read(here, words), ({ params }) => params.workspaceDir)
      assert.strictEqual(yield* cwdOf(["x"]), here)
      assert.strictEqual(yield* cwdOf(["--session=chat", "x"]), here)
      yield* fs.writeFileString(`${here}/chat.codex-app-server.json`, binding("/where/it/was"))
      assert.strictEqual(yield* cwdOf(["--session=chat", "x"]), "/where/it/was")
      assert.strictEqual(yield* cwdOf(["--session=chat", "--cwd=.", "x"]), here)
    }).pipe(Effect.provide(services)))

  it.effect("overrides go to the executable, further arguments first", () =>
    Effect.gen(function*() {
      const here = yield* directory
      const { selector, withoutUse } = yield* read(here, [
        "-c",
        "a=1",
        "--config=b={x=\"y\"}",
        "--agent-arg=--strict",
        "x"
      ])
      assert.deepStrictEqual(selector.codex?.args, ["--strict", "-c", "a=1", "-c", "b={x=\"y\"}"])
      // What was meant for codex, where another agent is chosen.
      assert.isUndefined(selector.omp?.args)
      assert.deepStrictEqual(withoutUse("codex-app-server"), [])
      assert.deepStrictEqual(withoutUse("omp-rpc"), ["--config"])
      assert.deepStrictEqual(withoutUse("pi"), ["--config", "--agent-arg"])
    }).pipe(Effect.provide(services)))

  it.effect("flags for omp's executable go to omp, where it is asked for", () =>
    Effect.gen(function*() {
      const here = yield* directory
      const words = ["--agent-bin=./omp", "--agent-arg=--no-lsp", "--record=wire.jsonl", "x"]
      for (
        const settings of [
          yield* read(here, ["--backend=omp-rpc", ...words]),
          yield* read(here, words, "", { AGENT_RUNTIME: "omp-rpc" })
        ]
      ) {
        assert.strictEqual(settings.selector.agentBin, `${here}/omp`)
        assert.deepStrictEqual(settings.selector.omp, { recordTo: `${here}/wire.jsonl`, args: ["--no-lsp"] })
        assert.deepStrictEqual(settings.withoutUse("omp-rpc"), [])
      }
    }).pipe(Effect.provide(services)))

  it.effect("flags that the agent of the environment has no use for are refused, and so is a name of nobody", () =>
    Effect.gen(function*() {
      const here = yield* directory
      const refusal = (words: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) =>
        Effect.map(Effect.flip(read(here, [...words, "x"], "", environment)), (error) => error.message)
      assert.strictEqual(
        yield* refusal(["-c", "a=1"], { OPENCLAW_AGENT_RUNTIME: "pi" }),
        "--config: pi (OPENCLAW_AGENT_RUNTIME) has another configuration than codex's"
      )
      const nobody = yield* refusal([], { AGENT_RUNTIME: "omp" })
      assert.match(nobody, /^AGENT_RUNTIME: "omp": there is no such agent; there are auto, codex-app-server/)
      // A flag is stronger, and what the environment says does not matter then.
      assert.strictEqual(
        (yield* read(here, ["--backend=pi", "x"], "", { AGENT_RUNTIME: "omp" })).selector.backend,
        "pi"
      )
      yield* read(here, ["--scenario=s.json", "x"], "", { AGENT_RUNTIME: "pi" })
    }).pipe(Effect.provide(services)))

  it.effect("a conversation goes on with the agent that has it, but not with the scripted one", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const here = yield* directory
      const ownerOf = (words: ReadonlyArray<string>) =>
        Effect.map(read(here, words), ({ selector }) => selector.conversation)
      assert.isUndefined(yield* ownerOf(["--session=chat", "x"]))
      const file = `${here}/chat.codex-app-server.json`
      yield* fs.writeFileString(file, binding("/work"))
      assert.strictEqual(yield* ownerOf(["--session=chat", "x"]), "codex-app-server")
      yield* fs.writeFileString(file, binding("/work").replace("codex-app-server", "scripted"))
      assert.isUndefined(yield* ownerOf(["--session=chat", "x"]))
    }).pipe(Effect.provide(services)))

  it.effect("a prompt of one dash is standard input, and an empty one is refused", () =>
    Effect.gen(function*() {
      const here = yield* directory
      assert.strictEqual((yield* read(here, ["-"], "from a pipe\n")).params.prompt, "from a pipe\n")
      assert.deepStrictEqual(
        yield* Effect.flip(read(here, ["-"], " \n")),
        new UsageError({ flag: "PROMPT", detail: "standard input is empty" })
      )
    }).pipe(Effect.provide(services)))

  it.effect("names the flag that is to blame", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const here = yield* directory
      yield* fs.writeFileString(`${here}/list.json`, "[1]")
      yield* fs.writeFileString(`${here}/unknown.json`, "{\"type\":\"object\",\"$ref\":\"#/nowhere\"}")
      yield* fs.writeFileString(`${here}/broken.codex-app-server.json`, "{")
      const messageOf = (...words: ReadonlyArray<string>) =>
        Effect.map(Effect.flip(read(here, [...words, "x"])), (error) => error.message)
      assert.match(yield* messageOf("--output-schema=list.json"), /^--output-schema: must be a JSON Schema object/u)
      assert.match(yield* messageOf("--output-schema=unknown.json"), /^--output-schema: /u)
      assert.match(yield* messageOf("--session=broken"), /^--session: Cannot read the session binding/u)
      assert.match(yield* messageOf("--image=."), /^--image: .* is a directory$/u)
      assert.match(yield* messageOf("--timeout=600h"), /^--timeout: must be less than 24 days$/u)
    }).pipe(Effect.provide(services)))

  it("reads durations", () => {
    const read = Settings.parseDuration
    assert.deepStrictEqual(
      ["500ms", "90s", "1.5m", "1h30m", "0s"].map(read),
      [500, 90_000, 90_000, 5_400_000, 0]
    )
    for (const text of ["", "5", "5 m", "-5s", "5x", "s", "1e3s", "5sms"]) assert.isUndefined(read(text), text)
  })

  it.prop(
    "seconds are a thousand milliseconds",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1e6 }))],
    ([n]) => {
      assert.strictEqual(Settings.parseDuration(`${n}s`), n * 1_000)
    }
  )
})
