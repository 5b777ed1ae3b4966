/**
 * The command line as its user meets it: a process with arguments, streams, signals and an exit code.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import manifest from "../../package.json" with { type: "json" }
import { binaryOf, main, readLines, run, runtimes, spawn, start } from "./support/runCli.ts"

const scripted = ["attempt", "--backend", "scripted"]

/** What was typed, and what the message has to name. */
const mistakes: ReadonlyArray<readonly [args: ReadonlyArray<string>, named: string]> = [
  [["atempt"], "Did you mean this?\n    attempt"],
  [["--bogus"], "--bogus"],
  [["protocol"], "check"],
  [["protocol", "check", "extra"], "\"extra\""],
  [["attempt"], "PROMPT"],
  [["attempt", "two", "words"], "\"words\""],
  [["attempt", "--bogus", "x"], "--bogus"],
  [["attempt", "x", "--model"], "--model"],
  [["attempt", "--backend", "omp", "x"], "auto"],
  [["attempt", "--backend", "pi", "--agent-bin", "pi", "x"], "--agent-bin: pi has no executable"],
  [["attempt", "--backend", "omp-rpc", "-c", "a=1", "x"], "--config: omp-rpc has another configuration than codex's"],
  [["attempt", "--approval", "sometimes", "x"], "--approval"],
  [["attempt", "--sandbox", "none", "x"], "--sandbox"],
  [["attempt", "--timeout", "soon", "x"], "--timeout"],
  [["attempt", "--timeout", "0s", "x"], "--timeout"],
  [["attempt", "--cwd", "./not-there", "x"], "--cwd"],
  [["attempt", "--cwd", main, "x"], "is not a directory"],
  [["attempt", "--image", "not-there.png", "x"], "--image"],
  [["attempt", "--output-schema", "not-there.json", "x"], "--output-schema"],
  [["attempt", "--output-schema", main, "x"], "is not JSON"],
  [["attempt", "-c", "novalue", "x"], "--config"],
  [[...scripted, "--record", "wire.jsonl", "x"], "--record"],
  [[...scripted, "  "], "PROMPT"],
  [[...scripted, "-"], "standard input is empty"],
  [["app-server", "--log-level", "loud"], "--log-level = \"loud\": Expected \"trace\" | \"debug\" | \"info\""],
  [["app-server", "--backend", "omp"], "--backend = \"omp\": Expected \"auto\""],
  [["app-server", "--listen", "ftp://x"], "ftp://x is none of stdio://"],
  [["app-server", "--listen", "stdio://", "--listen=unix://"], "--listen: cannot be used multiple times"],
  [["app-server", "--stdio", "--listen", "unix://"], "--listen: cannot be used with --stdio"]
]

describe.each(runtimes)("codex-bridge on %s", (runtime) => {
  it.live.each(mistakes)("%j is refused before anything starts", ([args, named]) =>
    Effect.gen(function*() {
      const { code, stderr, stdout } = yield* run(runtime, args)
      assert.strictEqual(code, 2, stderr)
      assert.strictEqual(stdout, "")
      assert.include(stderr, named)
      assert.notInclude(stderr, "    at ")
    }).pipe(Effect.provide(NodeServices.layer)))

  it.live.each([{ args: ["app-server", "--backend", "scripted"] }, { args: [...scripted, "x"] }])(
    "$args.0 says in a sentence that its directory is gone",
    ({ args }) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const gone = yield* fs.makeTempDirectoryScoped()
        const within = "cd \"$1\" && rmdir \"$1\" && shift && exec \"$@\""
        const cli = yield* spawn("/bin/sh", ["-c", within, "sh", gone, binaryOf(runtime), main, ...args])
        const { code, stderr, stdout } = yield* cli.ended
        assert.deepStrictEqual([code, stdout], [2, ""])
        assert.match(stderr, /^\S+: working directory: it is gone; start in one that exists\n$/u)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live.runIf(process.platform === "linux")(
    "a home that nothing can be made in ends a server, and does not hold it",
    () =>
      Effect.gen(function*() {
        const args = ["app-server", "--backend", "scripted"]
        const { code, stderr, stdout } = yield* run(runtime, args, { env: { CODEX_HOME: "/proc/none" } })
        assert.deepStrictEqual([code, stdout], [1, ""])
        assert.match(stderr, /^Error: Could not open the thread store \/proc\/none\/bridge\/threads\.sqlite/mu)
        assert.notInclude(stderr, "    at ")
      }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("tells its version and its help on standard output", () =>
    Effect.gen(function*() {
      const version = yield* run(runtime, ["--version"])
      assert.deepStrictEqual(version, { code: 0, stdout: `codex-bridge v${manifest.version}\n`, stderr: "" })
      const overview = yield* run(runtime, ["--help"])
      assert.strictEqual(overview.code, 0)
      for (const command of ["attempt", "app-server", "protocol"]) assert.include(overview.stdout, command)
      const help = yield* run(runtime, ["attempt", "--help"])
      assert.strictEqual(help.code, 0)
      for (const flag of ["--session FILE", "--output-schema FILE", "--config, -c KEY=VALUE", "130 interrupted"]) {
        assert.include(help.stdout, flag)
      }
      for (
        const args of [["app-server", "--help"], ["-c", "a=1", "app-server", "--listen", "ws://127.0.0.1:0", "-h"]]
      ) {
        const { code, stderr, stdout } = yield* run(runtime, args)
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.include(stdout, "--listen URL")
      }
    }).pipe(Effect.provide(NodeServices.layer)))

  it.live("prints the backend, every event and the result as JSON lines", () =>
    Effect.gen(function*() {
      const { code, stderr, stdout } = yield* run(runtime, [...scripted, "--json", "-"], {
        stdin: "hello from a pipe\n"
      })
      assert.strictEqual(code, 0)
      assert.strictEqual(stderr, "")
      const { events, lines, result } = yield* readLines(stdout)
      const selection = {
        backend: "scripted",
        reason: "it was asked for",
        candidates: [{ backend: "scripted", suitable: true, detail: "it was asked for" }]
      }
      assert.deepStrictEqual(lines[0], { type: "backend", ...selection })
      assert.strictEqual(lines.length, events.length + 2)
      assert.strictEqual(events[0]?._tag, "TurnStarted")
      assert.strictEqual(events.at(-1)?._tag, "TurnEnded")
      assert.deepInclude(result, { status: "completed", stopReason: "completed", backend: "scripted", selection })
      const asked = events.find((event) => event._tag === "ItemStarted" && event.item._tag === "UserMessage")
      assert.nestedInclude(asked, { "item.text": "hello from a pipe\n" })
      const said = events.flatMap((event) => event._tag === "ItemDelta" && event.field === "text" ? [event.delta] : [])
      assert.include(said.join(""), result.assistantTexts.join(""))
    }).pipe(Effect.provide(NodeServices.layer)))

  it.live("gives a pipe the answer alone, and tells the rest on standard error", () =>
    Effect.gen(function*() {
      const { code, stderr, stdout } = yield* run(runtime, [...scripted, "hello"])
      assert.strictEqual(code, 0)
      assert.match(stdout, /^Hello! I am the built-in scripted agent\..*\n$/u)
      assert.match(stderr, /^scripted: it was asked for\n/u)
      assert.include(stderr, "  ☑ Say who is speaking")
      assert.match(stderr, /✓ in [\d.]+m?s · tokens not reported\n$/u)
      assert.notInclude(stdout + stderr, "\x1b")
    }).pipe(Effect.provide(NodeServices.layer)))

  it.live.each(["SIGINT", "SIGTERM"] as const)(
    "%s interrupts the turn, and is told with the result",
    (signal) =>
      Effect.gen(function*() {
        const cli = yield* start(runtime, [...scripted, "--json", "hello"])
        yield* cli.printed("ItemDelta")
        yield* cli.signal(signal)
        const { code, stderr, stdout } = yield* cli.ended
        assert.strictEqual(code, 130)
        assert.include(stderr, "Interrupting the agent")
        const { result } = yield* readLines(stdout)
        assert.deepInclude(result, { status: "interrupted", interruptConfirmed: true })
      }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("a deadline ends the attempt", () =>
    Effect.gen(function*() {
      const { code, stdout } = yield* run(runtime, [...scripted, "--json", "--timeout", "50ms", "hello"])
      assert.strictEqual(code, 11)
      const { result } = yield* readLines(stdout)
      assert.deepInclude(result, { status: "timeout", stopReason: "timeout" })
    }).pipe(Effect.provide(NodeServices.layer)))

  it.live("ends quietly when the reader of its output leaves", () =>
    Effect.gen(function*() {
      const shell = yield* spawn("sh", [
        "-c",
        "{ \"$@\"; echo \"code $?\" >&2; } | head -n 1",
        "sh",
        binaryOf(runtime),
        main,
        ...scripted,
        "--json",
        "hello"
      ])
      const { stderr, stdout } = yield* shell.ended
      assert.match(stdout, /^\{"type":"backend".*\}\n$/u)
      assert.strictEqual(stderr, "code 130\n")
    }).pipe(Effect.provide(NodeServices.layer)))

  it.live("an agent that is not there is unavailable, and the prompt can be sent again", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const home = yield* fs.makeTempDirectoryScoped({ prefix: "cli-" })
      const options = { env: { HOME: home }, cwd: home }
      const { code, stdout } = yield* run(runtime, ["attempt", "--agent-bin", "./no-codex", "--json", "hi"], options)
      assert.strictEqual(code, 13)
      const { lines, result } = yield* readLines(stdout)
      assert.deepInclude(lines[0], { type: "backend", backend: "codex-app-server" })
      assert.deepInclude(result, { status: "unavailable", replay: { safe: true, reason: "not_accepted" } })
      assert.strictEqual(result.error?._tag, "AgentError")
      assert.include(result.error?.message, `${home}/no-codex`)
      const checked = yield* run(runtime, ["protocol", "check", "--codex-bin", "./no-codex"], options)
      assert.strictEqual(checked.code, 13)
      assert.include(checked.stderr, "./no-codex")
    }).pipe(Effect.provide(NodeServices.layer)))
})
