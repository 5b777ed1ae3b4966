/**
 * The process behind the backend: one that is not there, not codex, too old or dead, and what a host leaves behind.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ChildProcess from "effect/process/ChildProcess"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { AgentBackend, type AgentErrorReason } from "../../src/agent/index.ts"
import * as CodexNode from "../../src/backends/codex/CodexNode.ts"
import { assertNoProcessNaming, CodexBench } from "../support/CodexBench.ts"
import * as CodexHome from "../support/CodexHome.ts"
import { completed, failedWith, text } from "../support/conformanceKit.ts"
import type { Script } from "../support/FakeResponses.ts"
import * as Gate from "../support/Gate.ts"
import * as ModelTurn from "../support/ModelTurn.ts"
import * as RecordedRequest from "../support/RecordedRequest.ts"
import { assertUsable, lastRequest, layer as codex, open, requests, run, script, start } from "./kit.ts"

// =============================================================================
// Programs in codex's place
// =============================================================================

let programs = 0

/** A backend whose codex is a small program, and the mark that its processes carry. */
const instead = Effect.fnUntraced(function*(source: string, options: CodexNode.CodexNodeOptions = {}) {
  const mark = `IN_PLACE_OF_CODEX=${process.pid}-${++programs}`
  yield* Effect.addFinalizer(() => assertNoProcessNaming(mark))
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "cx-program-"))),
    (directory) => Effect.sync(() => Fs.rmSync(directory, { recursive: true, force: true }))
  )
  const program = Path.join(directory, "program.mjs")
  Fs.writeFileSync(program, source)
  const [name = "", value = ""] = mark.split("=")
  const context = yield* Layer.build(CodexNode.layer({
    command: process.execPath,
    args: [program],
    env: { [name]: value },
    childrenDirectory: Path.join(directory, "children"),
    ...options
  }))
  return { mark, backend: yield* AgentBackend.pipe(Effect.provideContext(context)) }
})

const failure = Effect.fnUntraced(function*<Tag extends AgentErrorReason["_tag"]>(
  tag: Tag,
  source: string,
  options: CodexNode.CodexNodeOptions = {}
) {
  const { backend, mark } = yield* instead(source, options)
  const { reason } = yield* Effect.flip(backend.probe)
  const isWanted = (reason: AgentErrorReason): reason is Extract<AgentErrorReason, { readonly _tag: Tag }> =>
    reason._tag === tag
  assert(isWanted(reason), `${reason._tag}: ${reason.message}`)
  assert.isFalse(reason.mayHaveReached && reason._tag !== "AgentDied")
  // What did not come to a connection is gone with the failure, not only with the backend.
  yield* assertNoProcessNaming(mark)
  return { backend, reason }
})

/** Answers like an app-server of a version, as far as a list of models goes. */
const appServer = (userAgent: string) => `
import * as Readline from "node:readline"
const results = {
  initialize: { userAgent: ${JSON.stringify(userAgent)}, codexHome: "/", platformFamily: "unix", platformOs: "linux" },
  "config/read": { config: {}, origins: {} },
  "model/list": { data: [], nextCursor: null }
}
Readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) process.stdout.write(JSON.stringify({ id, result: results[method] }) + "\\n")
})
`

const waits = "process.stdin.resume()\n"

describe("a program that is not codex", () => {
  it.live("is missing: BinaryMissing names it", () =>
    Effect.gen(function*() {
      const { reason } = yield* failure("BinaryMissing", "", { command: "/does/not/exist/codex", args: [] })
      assert.include(reason.command, "/does/not/exist/codex")
      assert.include(reason.detail, "no such file")
    }))

  it.live("exits at once: AgentDied with its status and the end of its stderr", () =>
    Effect.gen(function*() {
      const { backend, reason } = yield* failure(
        "AgentDied",
        `console.error("\\u001b[31mno home\\u001b[0m"); process.exit(3)`
      )
      assert.deepInclude(reason, { exitCode: 3, stderrTail: "no home" })
      // The next one who asks gets an attempt of their own.
      assert.strictEqual((yield* Effect.flip(backend.listModels)).reason._tag, "AgentDied")
    }))

  it.live("prints garbage without end: HandshakeFailed quotes its beginning", () =>
    Effect.gen(function*() {
      const { reason } = yield* failure(
        "HandshakeFailed",
        `const more = () => { while (process.stdout.write("Welcome to the shell\\n".repeat(100))); process.stdout.once("drain", more) }\nmore()`
      )
      assert.include(reason.detail, "Welcome to the shell")
    }))

  it.live("says nothing: HandshakeFailed at the deadline", () =>
    Effect.gen(function*() {
      const { reason } = yield* failure("HandshakeFailed", waits, { deadlines: { startup: "200 millis" } })
      assert.match(reason.detail, /initialize.*200 ms/)
    }))

  it.live("closes its stdout and lives on: it is given up, and ended", () =>
    Effect.asVoid(failure("AgentDied", `import * as Fs from "node:fs"\n${waits}Fs.closeSync(1)\n`)))

  it.live("answers something else than asked: HandshakeFailed", () =>
    Effect.asVoid(failure("HandshakeFailed", appServer("no version at all"))))
})

describe("a codex of another version", () => {
  it.live("that is too old is refused, and ended", () =>
    Effect.gen(function*() {
      const { reason } = yield* failure("VersionUnsupported", appServer("host/0.100.0 (Linux; x86_64) term (host; 1)"))
      assert.deepInclude(reason, { found: "0.100.0", minimum: "0.171.0" })
    }))

  it.live("that is newer is warned of, and used", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const log = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      yield* Effect.gen(function*() {
        const { backend } = yield* instead(appServer("host/7.0.0 (Linux; x86_64) term (host; 1)"))
        assert.deepStrictEqual(yield* backend.listModels, [])
      }).pipe(Effect.scoped, Effect.provide(log))
      assert.match(lines.join("\n"), /codex 7\.0\.0 is newer than/)
    }))

  it.live("that is started by its npm launcher works, and ends with the backend", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const launcher = yield* CodexHome.codexShim
      const backend = yield* bench.another({ command: process.execPath, args: [launcher] })
      assert.strictEqual((yield* backend.probe).version, "0.171.0")
    }).pipe(Effect.scoped, Effect.provide(codex())))
})

// =============================================================================
// The real one
// =============================================================================

describe("the process of codex", () => {
  it.live("is started with the first need of it, once, and ends with the backend, its running command too", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const scope = yield* Scope.make()
      const backend = yield* Scope.provide(bench.another(), scope)
      assert.deepStrictEqual(yield* bench.pids, [])
      const [info, models] = yield* Effect.all([backend.probe, backend.listModels], { concurrency: 2 })
      assert.strictEqual(info.version, "0.171.0")
      assert.include(models.map((model) => model.id), "gpt-5.5")
      const [pid, ...more] = yield* bench.pids
      assert.deepStrictEqual(more, [])
      const session = yield* backend.openSession({
        cwd: bench.home.work,
        approvalPolicy: "never",
        sandbox: "danger-full-access"
      })
      const mark = `ENDED_WITH_THE_BACKEND=${process.pid}`
      const cmd = `env ${mark} bash -c 'while true; do echo tick; sleep 0.05; done'`
      const { end, seen } = yield* start(session, "Run", [
        ModelTurn.turn([ModelTurn.functionCall("exec_command", { cmd })])
      ])
      yield* seen((event) => event._tag === "ItemDelta" && event.field === "output")
      assert.deepStrictEqual(yield* bench.pids, pid === undefined ? [] : [pid])
      yield* Scope.close(scope, Exit.void)
      yield* assertNoProcessNaming(mark)
      assert.deepStrictEqual(yield* bench.pids, [])
      assert.strictEqual(failedWith((yield* end).outcome).reason._tag, "AgentDied")
    }).pipe(Effect.scoped, Effect.provide(codex())))

  it.live("tells how it died, with the end of its stderr, as plain text", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const session = yield* open()
      const gate = yield* Gate.make
      const { end, seen } = yield* start(session, "Speak", [ModelTurn.text("half", gate)])
      yield* seen((event) => event._tag === "ItemDelta")
      yield* bench.kill
      const { events, outcome } = yield* end
      const { reason } = failedWith(outcome)
      assert(reason._tag === "AgentDied")
      assert.strictEqual(reason.signal, "SIGKILL")
      assert.isUndefined(reason.exitCode)
      assert.isAbove(reason.stderrTail.length, 0)
      assert.notInclude(reason.stderrTail, "\u001b")
      assert.include(reason.message, "SIGKILL")
      assert.strictEqual(completed(events, "AgentMessage")[0]?.item.text, "half")
    }).pipe(Effect.scoped, Effect.provide(codex())))
})

/** Stops a process from outside for as long as the scope is open. */
const stopped = (pid: number) =>
  Effect.acquireRelease(
    Effect.sync(() => process.kill(pid, "SIGSTOP")),
    () => Effect.sync(() => process.kill(pid, "SIGCONT"))
  )

/** Says nothing to a greeting. */
const answer: Script = (request) =>
  RecordedRequest.userTexts(request).at(-1) === "Hello?"
    ? ModelTurn.turn([ModelTurn.silence])
    : ModelTurn.text("Yes")

describe("a codex that does not react", () => {
  it.live("to an interruption: it is reported as not confirmed, in time, and what comes late disturbs nobody", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const session = yield* open()
      const gate = yield* Gate.make
      const { end, seen, turn } = yield* start(session, "Speak", [ModelTurn.text("half", gate)])
      yield* seen((event) => event._tag === "ItemDelta")
      const [pid = 0] = yield* bench.pids
      yield* Effect.scoped(Effect.gen(function*() {
        yield* stopped(pid)
        assert.deepStrictEqual(yield* turn.interrupt, {
          confirmed: false,
          outcome: { _tag: "Interrupted", requested: true, confirmed: false }
        })
        const { events } = yield* end
        assert.deepInclude(completed(events, "AgentMessage")[0], { closed: true })
      }))
      // The interruption has reached it all the same, in the order of the calls.
      yield* assertUsable(session)
    }).pipe(Effect.scoped, Effect.provide(codex({ codex: { deadlines: { interrupt: "300 millis" } } }))))

  it.live("to the start of a turn: TimedOut says that it may have been reached, and no turn runs on", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const session = yield* open()
      yield* assertUsable(session)
      const [pid = 0] = yield* bench.pids
      yield* script(session, answer, answer)
      yield* Effect.scoped(Effect.gen(function*() {
        yield* stopped(pid)
        const { reason } = yield* Effect.flip(session.startTurn(text("Hello?")))
        assert.deepInclude(reason, { _tag: "TimedOut", operation: "turn/start", after: 1000, mayHaveReached: true })
      }))
      const { end } = yield* start(session, "Still there?", [])
      const { events, outcome } = yield* end
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      assert.deepStrictEqual(completed(events, "UserMessage").map((event) => event.item.text), ["Still there?"])
      for (const request of yield* requests(session)) {
        const late = RecordedRequest.userTexts(request).at(-1) === "Hello?"
        assert.strictEqual(yield* request.ended, late ? "clientClosed" : "finished")
      }
    }).pipe(
      Effect.scoped,
      Effect.provide(codex({ codex: { deadlines: { call: "1 second", interrupt: "300 millis" } } }))
    ))
})

const program = fileURLToPath(new URL("programs/host.ts", import.meta.url))

/** A host as a program of its own, in the middle of a turn with a running command. */
const host = Effect.gen(function*() {
  const bench = yield* CodexBench
  const { codexBin: command, env, home, work: cwd } = bench.home
  const options = { command, env, cwd, childrenDirectory: Path.join(Path.dirname(home), "children") }
  yield* bench.model.push(ModelTurn.turn([
    ModelTurn.functionCall("exec_command", { cmd: "while true; do echo tick; sleep 0.05; done", yield_time_ms: 30_000 })
  ]))
  const child = yield* ChildProcess.make(process.execPath, [program, JSON.stringify(options)], { stderr: "inherit" })
  const sessionId = yield* child.stdout.pipe(
    Stream.decodeText(),
    Stream.splitLines,
    // Its log goes there too.
    Stream.filter((line) => /^[0-9a-f-]{36}$/.test(line)),
    Stream.runHead,
    Effect.flatMap(Effect.fromOption)
  )
  return { child, sessionId, root: Path.dirname(home) }
}).pipe(Effect.provide(NodeServices.layer))

describe("a host", () => {
  it.live("that is killed leaves nothing running, and another one goes on with its session", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const { child, root, sessionId } = yield* host
      assert.strictEqual((yield* bench.pids).length, 1)
      yield* Effect.ignore(child.kill({ killSignal: "SIGKILL" }))
      yield* assertNoProcessNaming(root)
      const ref = { backend: "codex-app-server", sessionId, durable: true }
      const session = yield* bench.backend.openSession({ resume: ref })
      yield* run(session, "Which animal?", [ModelTurn.text("The duck")])
      assert.include(JSON.stringify((yield* lastRequest(session)).json), "Remember the duck")
      // The record of the dead one is gone.
      assert.strictEqual((yield* bench.pids).length, 1)
    }).pipe(Effect.scoped, Effect.provide(codex())))

  it.live("that is killed while its codex does not react is cleaned up after by the next one", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const { child, sessionId } = yield* host
      const [pid] = yield* bench.pids
      assert(pid !== undefined)
      process.kill(pid, "SIGSTOP")
      // Should it be left over, it notices that its host is gone.
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.try(() => process.kill(pid, "SIGCONT"))))
      yield* Effect.ignore(child.kill({ killSignal: "SIGKILL" }))
      assert.strictEqual((yield* bench.pids)[0], pid)
      const ref = { backend: "codex-app-server", sessionId, durable: true }
      // A stopped process holds the lock of its thread, until it is ended for good.
      const session = yield* bench.backend.openSession({ resume: ref })
      assert.notInclude(yield* bench.pids, pid)
      yield* assertUsable(session)
    }).pipe(Effect.scoped, Effect.provide(codex())))

  it.live("that ends in order leaves nothing running", () =>
    Effect.gen(function*() {
      const bench = yield* CodexBench
      const { child, root } = yield* host
      yield* child.kill({ killSignal: "SIGTERM" })
      yield* assertNoProcessNaming(root)
      assert.deepStrictEqual(yield* bench.pids, [])
    }).pipe(Effect.scoped, Effect.provide(codex())))
})
