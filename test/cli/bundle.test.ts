/**
 * The command line as it is published: in a few files, with all that it needs.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import * as Path from "node:path"
import { connect } from "../e2e/bridge/server.ts"
import { initializeParams } from "../support/WireClient.ts"
import { binaryOf, runtimes, spawn } from "./support/runCli.ts"

const root = Path.resolve(import.meta.dirname, "../..")
const decodePackage = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Struct({ version: Schema.String })))

/** A package with nothing but the command line: what is not in its files cannot be found. */
const bundle = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const directory = yield* fs.makeTempDirectoryScoped({ prefix: "cli-" })
  yield* fs.copyFile(Path.join(root, "package.json"), Path.join(directory, "package.json"))
  const out = Path.join(directory, "dist/cli")
  const built = yield* spawn(binaryOf("node"), [Path.join(root, "scripts/bundle-cli.ts"), out])
  const { code, stderr } = yield* built.ended
  assert.strictEqual(code, 0, stderr)
  return { directory, main: Path.join(out, "main.js"), notices: Path.join(out, "THIRD-PARTY-NOTICES.txt") }
})

layer(NodeServices.layer, { excludeTestServices: true })("the bundled command line", (it) => {
  it.effect("is complete", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { directory, main, notices } = yield* bundle
      assert.match(yield* fs.readFileString(notices), /^effect \d/mu)
      const { version } = yield* Effect.flatMap(fs.readFileString(Path.join(root, "package.json")), decodePackage)
      for (const runtime of runtimes) {
        const env = { CODEX_HOME: directory, HOME: directory }
        const run = (args: ReadonlyArray<string>, stdin = "") =>
          spawn(binaryOf(runtime), [main, ...args], { env, cwd: directory, stdin })

        assert.include((yield* (yield* run(["--version"])).ended).stdout, version)

        const attempt = yield* (yield* run(["attempt", "--backend", "scripted", "Say hello"])).ended
        assert.strictEqual(attempt.code, 0, attempt.stderr)

        const asked = `${JSON.stringify({ id: 1, method: "initialize", params: initializeParams() })}\n`
        const onStdio = yield* (yield* run(["app-server", "--backend", "scripted"], asked)).ended
        assert.strictEqual(onStdio.code, 0, onStdio.stderr)
        assert.include(onStdio.stdout, "\"userAgent\"")

        for (const listen of [`unix://${directory}/s`, "ws://127.0.0.1:0"]) {
          const server = yield* run(["app-server", "--backend", "scripted", "--listen", listen])
          const said = yield* server.warned(listen.startsWith("ws:") ? "listening on: ws://" : "Listening on unix://")
          const url = /[Ll]istening on:? ((?:unix|ws):\/\/[^\s"]+)/.exec(said)?.[1]
          assert(url !== undefined, said)
          const client = yield* connect(url)
          yield* client.ask("thread/start", {})
          yield* client.ask("thread/list", {})
          yield* server.signal("SIGTERM")
          assert.strictEqual((yield* server.ended).code, 0)
        }
      }
    }), 60_000)
})
