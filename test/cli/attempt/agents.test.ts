/**
 * `codex-bridge attempt` on the real omp and Pi, with a fake model.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as FakeChat from "../../support/FakeChat.ts"
import * as OmpHome from "../../support/OmpHome.ts"
import { binaryOf, readLines, run, runtimes } from "../support/runCli.ts"

/** One directory for omp and Pi, which have the same variable for it, before one model. */
const make = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const chat = yield* FakeChat.make
  const home = yield* OmpHome.make({ baseUrl: chat.baseUrl, settings: { modelRoles: { default: OmpHome.model } } })
  const setUpPi = Effect.gen(function*() {
    const provider = {
      baseUrl: chat.baseUrl,
      apiKey: "fake-key",
      api: "openai-completions",
      compat: { supportsDeveloperRole: false },
      models: [{ id: "fake-1", contextWindow: 200_000, maxTokens: 8192, input: ["text"], reasoning: false }]
    }
    const settings = { defaultProvider: "fake", defaultModel: "fake-1", retry: { enabled: false } }
    yield* fs.writeFileString(`${home.agentDir}/models.json`, JSON.stringify({ providers: { fake: provider } }))
    yield* fs.writeFileString(`${home.agentDir}/settings.json`, JSON.stringify(settings))
  })
  // Bun for omp, whatever the PATH has.
  const bin = path.dirname(binaryOf("bun"))
  const env = { ...home.env, PATH: `${bin}:${home.env["PATH"]}`, PI_OFFLINE: "1" }
  return { chat, home, setUpPi, options: { env, cwd: home.work } }
})

const roleTexts = (request: FakeChat.ChatRequest) => FakeChat.textsOf(request, "user").join("\n")

describe.each(runtimes)("codex-bridge attempt on %s", (runtime) => {
  const inProcess = runtime === "bun" ? ["omp-rpc", "omp-sdk", "pi"] : ["omp-rpc", "pi"]
  it.live.each(inProcess)("runs turns of one conversation on %s", (backend) =>
    Effect.gen(function*() {
      const { chat, home, options, setUpPi } = yield* make
      if (backend === "pi") yield* setUpPi
      const words = ["attempt", "--backend", backend, "--json", "--session", "chat.jsonl", "--model", OmpHome.model]
      yield* chat.push({ reasoning: ["Hm."], text: ["Hel", "lo"] }, { text: ["Again"] })

      const bin = backend === "omp-rpc" ? ["--agent-bin", home.options.command] : []
      const first = yield* run(runtime, [...words, ...bin, "first prompt"], options)
      assert.strictEqual(first.code, 0, first.stderr)
      const one = yield* readLines(first.stdout)
      assert.deepInclude(one.lines[0], { type: "backend", backend, reason: "it was asked for" })
      assert.deepInclude(one.result, { status: "completed", backend, assistantTexts: ["Hello"] })
      assert.deepInclude(one.result.session, { backend, durable: true })

      // omp is found without being named.
      const second = yield* run(runtime, [...words, "second prompt"], options)
      assert.strictEqual(second.code, 0, second.stderr)
      const two = yield* readLines(second.stdout)
      assert.deepStrictEqual(two.result.assistantTexts, ["Again"])
      assert.deepStrictEqual(two.result.session, one.result.session)
      const request = (yield* chat.requests).filter(({ body }) => body._tag === "Some").at(-1)
      if (request === undefined) return assert.fail("the model was not asked")
      assert.include(roleTexts(request), "first prompt")
      assert.include(roleTexts(request), "second prompt")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("auto takes the agent that was set up; one that cannot be started gives its place to the next", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { chat, home, options, setUpPi } = yield* make
      yield* chat.push({ text: ["Hello"] })
      const words = ["attempt", "--json", "Hi"]
      const own = runtime === "bun" ? "omp-sdk" : "omp-rpc"
      const chosen = yield* run(runtime, words, options)
      assert.strictEqual(chosen.code, 0, chosen.stderr)
      const { result } = yield* readLines(chosen.stdout)
      assert.strictEqual(result.backend, own)
      assert.deepStrictEqual(result.selection?.candidates.at(0)?.backend, "codex-app-server")
      assert.deepInclude(result.selection?.candidates.at(-1), { backend: own, suitable: true })
      if (runtime === "bun") return

      yield* setUpPi
      yield* chat.push({ text: ["Hello from Pi"] })
      const bin = `${home.work}/bin`
      yield* fs.makeDirectory(bin)
      yield* fs.writeFileString(`${bin}/omp`, "#!/bin/sh\necho broken >&2\nexit 3\n", { mode: 0o755 })
      const broken = { ...options, env: { ...options.env, PATH: `${bin}:${options.env.PATH}` } }
      const replaced = yield* run(runtime, words, broken)
      assert.strictEqual(replaced.code, 0, replaced.stderr)
      const { lines, result: second } = yield* readLines(replaced.stdout)
      assert.deepInclude(lines[0], { type: "backend", backend: "omp-rpc" })
      assert.deepInclude(second, { backend: "pi", status: "completed", assistantTexts: ["Hello from Pi"] })
      assert.strictEqual(second.fallback?.from, "omp-rpc")
      assert.include(second.fallback?.reason, "broken")

      // By name, nobody takes its place.
      const named = yield* run(runtime, words, { ...broken, env: { ...broken.env, AGENT_RUNTIME: "omp-rpc" } })
      assert.strictEqual(named.code, 13, named.stderr)
      const { result: third } = yield* readLines(named.stdout)
      assert.deepInclude(third, { backend: "omp-rpc", status: "unavailable" })
      assert.isUndefined(third.fallback)
      assert.strictEqual(yield* chat.left, 0)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("an agent that is not there says how to get it", () =>
    Effect.gen(function*() {
      const { options } = yield* make
      const absent: ReadonlyArray<readonly [words: ReadonlyArray<string>, told: string]> = [
        [["--backend", "omp-rpc", "--agent-bin", "./no-omp"], "bun add -g @oh-my-pi/pi-coding-agent"],
        [["--backend", "codex-app-server", "--agent-bin", "./no-codex"], "npm install -g @openai/codex"],
        ...(runtime === "node" ? [[["--backend", "omp-sdk"], "Bun"] as const] : [])
      ]
      for (const [words, told] of absent) {
        const { code, stdout } = yield* run(runtime, ["attempt", "--json", ...words, "Hi"], options)
        assert.strictEqual(code, 13)
        const { result } = yield* readLines(stdout)
        assert.deepInclude(result, { status: "unavailable", replay: { safe: true, reason: "not_accepted" } })
        assert.include(result.error?.message, told)
      }
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
})
