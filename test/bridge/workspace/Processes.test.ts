import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { join } from "node:path"
import * as Client from "./support/Client.ts"
import { gone, marked, running } from "./support/processes.ts"

type SpawnParams = Record<string, unknown>

const sh = (script: string) => ["/bin/sh", "-c", script]

const setUp = Effect.map(Client.make(), (client) => ({
  ...client,
  spawn: (processHandle: string, command: ReadonlyArray<string>, options: SpawnParams = {}) =>
    client.call("process/spawn", { processHandle, command, cwd: client.directory, ...options }),
  exited: (processHandle: string) => client.hear("process/exited", (params) => params.processHandle === processHandle),
  output: (processHandle: string) =>
    client.of("process/outputDelta").filter((delta) => delta.processHandle === processHandle)
}))

const message = <A>(effect: Effect.Effect<A, { readonly message: string }>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

const quiet = { stdout: "", stdoutCapReached: false, stderr: "", stderrCapReached: false }

describe("process/spawn", () => {
  it.live("answers at once and tells the end", () =>
    Effect.gen(function*() {
      const { exited, spawn } = yield* setUp
      assert.deepStrictEqual(yield* spawn("p", sh("echo out; echo err >&2; exit 3")), {})
      assert.deepStrictEqual(yield* exited("p"), {
        processHandle: "p",
        exitCode: 3,
        outputDrainTimedOut: false,
        stdout: "out\n",
        stdoutCapReached: false,
        stderr: "err\n",
        stderrCapReached: false
      })
    }))

  it.live("streams output, and then keeps none", () =>
    Effect.gen(function*() {
      const { exited, heard, output, spawn } = yield* setUp
      yield* spawn("p", sh("echo out; sleep .1; echo err >&2"), { streamStdoutStderr: true })
      assert.deepStrictEqual(yield* exited("p"), {
        processHandle: "p",
        exitCode: 0,
        outputDrainTimedOut: false,
        ...quiet
      })
      assert.deepStrictEqual(output("p"), [
        { processHandle: "p", stream: "stdout", deltaBase64: Client.base64("out\n"), capReached: false },
        { processHandle: "p", stream: "stderr", deltaBase64: Client.base64("err\n"), capReached: false }
      ])
      assert.strictEqual(heard.at(-1)?.method, "process/exited")
    }))

  it.live("waits for a client that is behind, and loses nothing of what was written before the exit", () =>
    Effect.gen(function*() {
      const { directory, handlers } = yield* setUp
      const room = yield* Latch.make(false)
      let isBehind = true
      const client = yield* Client.connect(handlers, { behind: () => isBehind ? room.await : undefined })
      const spawn = (processHandle: string, script: string) =>
        client.call("process/spawn", {
          processHandle,
          command: sh(script),
          cwd: directory,
          streamStdoutStderr: processHandle !== "clock",
          outputBytesCap: null
        })
      const output = (processHandle: string) =>
        client.of("process/outputDelta").filter((delta) => delta.processHandle === processHandle)
      const bytes = (processHandle: string) =>
        output(processHandle).reduce((sum, { deltaBase64 }) => sum + Buffer.from(deltaBase64, "base64").length, 0)

      yield* spawn("endless", "exec head -c 20000000 /dev/zero")
      // Fits into the pipe, so that it ends before it has been read.
      yield* spawn("short", "head -c 60000 /dev/zero; sleep .2; head -c 40000 /dev/zero")
      // Longer than it is waited for the output of a process that has ended.
      yield* spawn("clock", "sleep 3")
      yield* client.hear("process/exited", ({ processHandle }) => processHandle === "clock")
      // What was read in one go.
      assert.isBelow(bytes("endless"), 1_000_000)
      assert.lengthOf(output("short"), 1)
      assert.lengthOf(client.of("process/exited"), 1)

      isBehind = false
      yield* room.open
      for (const [name, length] of [["endless", 20_000_000], ["short", 100_000]] as const) {
        const exited = yield* client.hear("process/exited", ({ processHandle }) => processHandle === name)
        assert.deepInclude(exited, { exitCode: 0, outputDrainTimedOut: false })
        assert.strictEqual(bytes(name), length)
        for (const { deltaBase64 } of output(name)) assert.isAtMost(Buffer.from(deltaBase64, "base64").length, 65_536)
      }
    }))

  it.live("tells much output at the end only to a client that has caught up", () =>
    Effect.gen(function*() {
      const { directory, handlers } = yield* setUp
      const room = yield* Latch.make(false)
      const waits = yield* Latch.make(false)
      let isBehind = true
      const client = yield* Client.connect(handlers, {
        behind: () => {
          if (!isBehind) return undefined
          waits.openUnsafe()
          return room.await
        }
      })
      const command = sh("head -c 2000000 /dev/zero | tr '\\0' a")
      yield* client.call("process/spawn", { processHandle: "p", command, cwd: directory, outputBytesCap: null })
      yield* waits.await
      assert.lengthOf(client.of("process/exited"), 0)
      isBehind = false
      yield* room.open
      assert.strictEqual((yield* client.hear("process/exited")).stdout.length, 2_000_000)
    }))

  it.live("limits output, unless the limit is null", () =>
    Effect.gen(function*() {
      const { exited, output, spawn } = yield* setUp
      const long = sh("head -c 3000000 /dev/zero | tr '\\0' a; printf x >&2")
      yield* spawn("default", long)
      const kept = yield* exited("default")
      assert.deepInclude(kept, { stdoutCapReached: true, stderrCapReached: false, stderr: "x" })
      assert.strictEqual(kept.stdout.length, 1_048_576)
      yield* spawn("none", long, { outputBytesCap: null })
      assert.strictEqual((yield* exited("none")).stdout.length, 3_000_000)
      yield* spawn("streamed", long, { streamStdoutStderr: true, outputBytesCap: 100_000 })
      assert.deepInclude(yield* exited("streamed"), { stdout: "", stdoutCapReached: true })
      const pieces = output("streamed").filter(({ stream }) => stream === "stdout")
      const bytes = pieces.map(({ deltaBase64 }) => Buffer.from(deltaBase64, "base64").length)
      assert.strictEqual(bytes.reduce((sum, length) => sum + length, 0), 100_000)
      assert.deepStrictEqual(pieces.map(({ capReached }) => capReached).indexOf(true), pieces.length - 1)
    }))

  it.live("says why a process cannot be started", () =>
    Effect.gen(function*() {
      const { directory, spawn } = yield* setUp
      const missing = "failed to spawn process: No such file or directory (os error 2)"
      assert.strictEqual(yield* message(spawn("p", ["no-such-command"])), missing)
      assert.strictEqual(yield* message(spawn("p", ["pwd"], { cwd: join(directory, "nope") })), missing)
      assert.strictEqual(yield* message(spawn("p", [])), "command must not be empty")
      assert.strictEqual(yield* message(spawn("", ["pwd"])), "processHandle must not be empty")
      assert.strictEqual(
        yield* message(spawn("p", ["pwd"], { cwd: "sub" })),
        "Invalid request: AbsolutePathBuf deserialized without a base path"
      )
      assert.strictEqual(
        yield* message(spawn("p", ["pwd"], { timeoutMs: -1 })),
        "process/spawn timeoutMs must be non-negative, got -1"
      )
      assert.strictEqual(
        yield* message(spawn("p", ["pwd"], { size: { rows: 1, cols: 1 } })),
        "process/spawn size requires tty: true"
      )
      // None of them keeps the handle.
      assert.deepStrictEqual(yield* spawn("p", ["true"]), {})
    }))

  it.live("ends a process whose time is over", () =>
    Effect.gen(function*() {
      const { exited, spawn } = yield* setUp
      yield* spawn("p", ["sleep", "5"], { timeoutMs: 200 })
      assert.deepInclude(yield* exited("p"), { exitCode: 124, outputDrainTimedOut: false })
    }))

  it.live("says when others held the output, and ends them", () =>
    Effect.gen(function*() {
      const { exited, spawn } = yield* setUp
      const mark = marked()
      yield* spawn("p", sh(`sleep ${mark.one} & echo started`))
      assert.deepInclude(yield* exited("p"), { exitCode: 0, stdout: "started\n", outputDrainTimedOut: true })
      yield* gone(mark)
    }))

  it.live("takes input until it is closed", () =>
    Effect.gen(function*() {
      const { call, exited, hear, output, spawn } = yield* setUp
      yield* spawn("p", sh("cat; echo done"), { streamStdin: true, streamStdoutStderr: true })
      const write = (input: { readonly deltaBase64?: string; readonly closeStdin?: boolean }) =>
        call("process/writeStdin", { processHandle: "p", ...input })
      assert.deepStrictEqual(yield* write({ deltaBase64: Client.base64("hello") }), {})
      yield* hear("process/outputDelta")
      assert.strictEqual(
        yield* message(write({ deltaBase64: "%" })),
        "invalid deltaBase64: Invalid symbol 37, offset 0."
      )
      assert.strictEqual(yield* message(write({})), "process/writeStdin requires deltaBase64 or closeStdin")
      const [closed, late] = yield* Effect.all([
        write({ closeStdin: true }),
        message(write({ deltaBase64: Client.base64("x") }))
      ], { concurrency: 2 })
      assert.deepStrictEqual(closed, {})
      assert.strictEqual(late, "stdin is already closed")
      assert.strictEqual((yield* exited("p")).exitCode, 0)
      assert.strictEqual(output("p").map(({ deltaBase64 }) => Client.text(deltaBase64)).join(""), "hellodone\n")
      yield* spawn("q", ["sleep", "5"])
      assert.strictEqual(
        yield* message(call("process/writeStdin", { processHandle: "q", closeStdin: true })),
        "stdin streaming is not enabled for this process"
      )
    }))

  it.live("passes on much input that is read slowly, in order", () =>
    Effect.gen(function*() {
      const { call, exited, spawn } = yield* setUp
      yield* spawn("p", sh("sleep .3; cksum"), { streamStdin: true })
      const lines = Array.from({ length: 200 }, (_, index) => `${index}:${"x".repeat(4000)}\n`)
      yield* Effect.forEach(
        lines,
        (line) => call("process/writeStdin", { processHandle: "p", deltaBase64: Client.base64(line) }),
        { concurrency: "unbounded" }
      )
      yield* call("process/writeStdin", { processHandle: "p", closeStdin: true })
      const { stdout } = yield* exited("p")
      yield* spawn("q", ["cksum"], { streamStdin: true })
      yield* call("process/writeStdin", {
        processHandle: "q",
        deltaBase64: Client.base64(lines.join("")),
        closeStdin: true
      })
      assert.strictEqual(stdout, (yield* exited("q")).stdout)
    }))

  it.live("kills a process and its group, and frees the handle", () =>
    Effect.gen(function*() {
      const { call, exited, hear, spawn } = yield* setUp
      const mark = marked()
      yield* spawn("p", sh(`trap '' TERM; sleep ${mark.one} & echo ready; sleep ${mark.two}; echo no`), {
        streamStdoutStderr: true
      })
      yield* hear("process/outputDelta")
      yield* running(mark)
      assert.strictEqual(yield* message(spawn("p", ["true"])), "duplicate active process handle: \"p\"")
      assert.strictEqual(
        yield* message(call("process/resizePty", { processHandle: "p", size: { rows: 1, cols: 1 } })),
        "failed to resize PTY: process is not attached to a PTY"
      )
      assert.deepStrictEqual(yield* call("process/kill", { processHandle: "p" }), {})
      assert.strictEqual((yield* exited("p")).exitCode, 137)
      yield* gone(mark)
      const unknown = "no active process for process handle \"p\""
      assert.strictEqual(yield* message(call("process/kill", { processHandle: "p" })), unknown)
      assert.strictEqual(yield* message(call("process/writeStdin", { processHandle: "p", closeStdin: true })), unknown)
      assert.deepStrictEqual(yield* spawn("p", ["true"]), {})
    }))

  it.live("ends with its connection, and leaves nothing behind", () =>
    Effect.gen(function*() {
      const { close, hear, spawn } = yield* setUp
      const mark = marked()
      yield* spawn("p", sh(`trap '' TERM HUP; sleep ${mark.one} & echo ready; sleep ${mark.two}`), {
        streamStdoutStderr: true,
        timeoutMs: null
      })
      yield* hear("process/outputDelta")
      yield* running(mark)
      yield* close
      yield* gone(mark)
    }))

  it.live("ends with the bridge, and leaves nothing behind", () =>
    Effect.gen(function*() {
      const mark = marked()
      yield* Effect.scoped(Effect.gen(function*() {
        const { hear, spawn } = yield* setUp
        yield* spawn("p", sh(`sleep ${mark.one} & echo ready; sleep ${mark.two}`), { streamStdoutStderr: true })
        yield* hear("process/outputDelta")
        yield* running(mark)
      }))
      yield* gone(mark)
    }))
})
