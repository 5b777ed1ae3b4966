import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Fs from "node:fs"
import { join } from "node:path"
import * as Client from "./support/Client.ts"
import { alive, gone, marked, running } from "./support/processes.ts"

const sh = (script: string) => ["/bin/sh", "-c", script]

const deltas = (client: Client.Client) =>
  client.of("command/exec/outputDelta").map(({ capReached, deltaBase64, stream }) => ({
    stream,
    text: Client.text(deltaBase64),
    capReached
  }))

const none = (name: string) =>
  `command/exec cannot run a command in the sandbox ${name}: this bridge has no sandbox of its own`

const sentence = <A>(effect: Effect.Effect<A, { readonly message: string }>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

describe("command/exec", () => {
  it.live("answers with exit code and output", () =>
    Effect.gen(function*() {
      const { call, directory } = yield* Client.make()
      assert.deepStrictEqual(yield* call("command/exec", { command: ["echo", "hi"] }), {
        exitCode: 0,
        stdout: "hi\n",
        stderr: ""
      })
      const failing = yield* call("command/exec", { command: sh("echo out; echo err >&2; exit 3") })
      assert.deepStrictEqual(failing, { exitCode: 3, stdout: "out\n", stderr: "err\n" })
      assert.strictEqual((yield* call("command/exec", { command: ["pwd"] })).stdout, `${directory}\n`)
      Fs.mkdirSync(join(directory, "sub"))
      assert.strictEqual((yield* call("command/exec", { command: ["pwd"], cwd: "sub" })).stdout, `${directory}/sub\n`)
      assert.strictEqual((yield* call("command/exec", { command: sh("kill -TERM $$") })).exitCode, 143)
      assert.strictEqual((yield* call("command/exec", { command: sh("kill -9 $$") })).exitCode, 137)
      // Input is at its end, and what is no UTF-8 is replaced.
      assert.strictEqual((yield* call("command/exec", { command: sh("cat; echo eof") })).stdout, "eof\n")
      const bytes = yield* call("command/exec", { command: sh("printf '\\377\\376ab\\303'") })
      assert.strictEqual(bytes.stdout, "\ufffd\ufffdab\ufffd")
    }))

  it.live("adds to the environment and takes away from it", () =>
    Effect.gen(function*() {
      const { call } = yield* Client.make()
      const { stdout } = yield* call("command/exec", {
        command: sh("echo \"$ADDED ${HOME-none} ${PATH:+path}\""),
        env: { ADDED: "1", HOME: null }
      })
      assert.strictEqual(stdout, "1 none path\n")
    }))

  it.live("says why a command cannot be started", () =>
    Effect.gen(function*() {
      const { call } = yield* Client.make()
      const exec = (params: Parameters<typeof call<"command/exec">>[1]) => Client.refused(call("command/exec", params))
      const missing = { code: -32603, message: "failed to spawn command: No such file or directory (os error 2)" }
      assert.deepStrictEqual(yield* exec({ command: ["/nope/x"] }), missing)
      assert.deepStrictEqual(yield* exec({ command: ["no-such-command"] }), missing)
      assert.deepStrictEqual(yield* exec({ command: ["pwd"], cwd: "/nope" }), missing)
      assert.deepStrictEqual(yield* exec({ command: [] }), { code: -32600, message: "command must not be empty" })
      const sentence = (params: Parameters<typeof call<"command/exec">>[1]) =>
        Effect.map(exec(params), ({ message }) => message)
      assert.strictEqual(yield* sentence({ command: [""] }), "failed to spawn command: missing program")
      assert.include(yield* sentence({ command: ["echo", "a".repeat(4_000_000)] }), "Argument list too long")
      assert.strictEqual(
        yield* sentence({ command: ["x"], timeoutMs: 5, disableTimeout: true }),
        "command/exec cannot set both timeoutMs and disableTimeout"
      )
      assert.strictEqual(
        yield* sentence({ command: ["x"], outputBytesCap: 5, disableOutputCap: true }),
        "command/exec cannot set both outputBytesCap and disableOutputCap"
      )
      assert.strictEqual(
        yield* sentence({ command: ["x"], timeoutMs: -5 }),
        "command/exec timeoutMs must be non-negative, got -5"
      )
      for (const option of ["streamStdoutStderr", "streamStdin", "tty"] as const) {
        assert.strictEqual(
          yield* sentence({ command: ["x"], [option]: true }),
          "command/exec tty or streaming requires a client-supplied processId"
        )
      }
      assert.strictEqual(
        yield* sentence({ command: ["x"], processId: "x", size: { rows: 1, cols: 1 } }),
        "command/exec size requires tty: true"
      )
      assert.strictEqual(
        yield* sentence({ command: ["x"], processId: "x", tty: true, size: { rows: 0, cols: 1 } }),
        "command/exec size rows and cols must be greater than 0"
      )
    }))

  it.live("refuses a sandbox that it does not have, and never runs without", () =>
    Effect.gen(function*() {
      const { call, directory } = yield* Client.make()
      const touch = (options: object) => call("command/exec", { command: ["touch", "made"], ...options })
      const readOnly = yield* Client.refused(touch({ sandboxPolicy: { type: "readOnly" } }))
      assert.strictEqual(readOnly.message, none("readOnly"))
      const profile = yield* Client.refused(touch({ permissionProfile: ":read-only" }))
      assert.strictEqual(profile.message, none(":read-only"))
      const both = yield* Client.refused(touch({ sandboxPolicy: { type: "readOnly" }, permissionProfile: "x" }))
      assert.strictEqual(both.message, "`permissionProfile` cannot be combined with `sandboxPolicy`")
      assert.deepStrictEqual(Fs.readdirSync(directory), [])
      yield* touch({ sandboxPolicy: { type: "dangerFullAccess" } })
      assert.deepStrictEqual(Fs.readdirSync(directory), ["made"])
    }))

  it.live("keeps the beginning of an output up to the limit", () =>
    Effect.gen(function*() {
      const { call } = yield* Client.make()
      const both = sh("printf 0123456789; printf abcdefghij >&2")
      const exec = (params: Parameters<typeof call<"command/exec">>[1]) => call("command/exec", params)
      assert.deepStrictEqual(yield* exec({ command: both, outputBytesCap: 4 }), {
        exitCode: 0,
        stdout: "0123",
        stderr: "abcd"
      })
      assert.deepStrictEqual(yield* exec({ command: both, outputBytesCap: 0 }), { exitCode: 0, stdout: "", stderr: "" })
      const long = sh("head -c 3000000 /dev/zero | tr '\\0' a; echo END")
      assert.strictEqual((yield* exec({ command: long })).stdout.length, 1_048_576)
      assert.strictEqual((yield* exec({ command: long, disableOutputCap: true })).stdout.length, 3_000_004)
      // What is kept has to fit into an answer.
      const endless = exec({ command: sh("yes | head -c 20000000"), disableOutputCap: true })
      assert.strictEqual((yield* endless).stdout.length, 16 * 1024 * 1024)
      // There a control character takes six bytes.
      const zeros = yield* exec({ command: sh("head -c 12000000 /dev/zero"), disableOutputCap: true })
      assert.strictEqual(zeros.stdout.length, Math.floor((28 * 1024 * 1024) / 6))
    }))

  it.live("streams output, before the answer and not in it", () =>
    Effect.gen(function*() {
      const client = yield* Client.make()
      const run = (script: string, options = {}) =>
        client.call("command/exec", { command: sh(script), processId: "p", streamStdoutStderr: true, ...options })
      const answer = yield* run("echo o1; sleep .1; echo e1 >&2; sleep .1; echo o2")
      assert.deepStrictEqual(answer, { exitCode: 0, stdout: "", stderr: "" })
      assert.deepStrictEqual(deltas(client), [
        { stream: "stdout", text: "o1\n", capReached: false },
        { stream: "stderr", text: "e1\n", capReached: false },
        { stream: "stdout", text: "o2\n", capReached: false }
      ])
      client.heard.length = 0
      yield* run("printf 0123456789; sleep .1; printf more; sleep .1; echo x >&2", { outputBytesCap: 12 })
      assert.deepStrictEqual(deltas(client), [
        { stream: "stdout", text: "0123456789", capReached: false },
        { stream: "stdout", text: "mo", capReached: true },
        { stream: "stderr", text: "x\n", capReached: false }
      ])
    }))

  it.effect("ends a command whose time is over, with what it started", () =>
    Effect.gen(function*() {
      const { call } = yield* Client.make()
      const mark = marked()
      const answering = yield* Effect.forkChild(
        call("command/exec", {
          command: sh(`echo partial; sleep ${mark.one} & sleep ${mark.two}`),
          timeoutMs: 300
        }),
        { startImmediately: true }
      )
      yield* TestClock.withLive(running(mark))
      yield* TestClock.adjust(299)
      assert.lengthOf(alive(mark), 2)
      // No time is left in which its output could be waited for.
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* Fiber.join(answering), { exitCode: 124, stdout: "partial\n", stderr: "" })
      yield* TestClock.withLive(gone(mark))
    }))

  it.live("ends a command that is given no time", () =>
    Effect.gen(function*() {
      const { call } = yield* Client.make()
      const atOnce = yield* call("command/exec", { command: ["sleep", "5"], timeoutMs: 0 })
      assert.strictEqual(atOnce.exitCode, 124)
    }))

  it.live("waits two seconds for others that hold the output, and ends them", () =>
    Effect.gen(function*() {
      const { call } = yield* Client.make()
      const mark = marked()
      const late = yield* call("command/exec", { command: sh("(sleep .3; echo late) & echo started") })
      assert.strictEqual(late.stdout, "started\nlate\n")
      const started = Date.now()
      const left = yield* call("command/exec", { command: sh(`sleep ${mark.one} & echo started`) })
      assert.deepStrictEqual(left, { exitCode: 0, stdout: "started\n", stderr: "" })
      assert.isAtLeast(Date.now() - started, 1900)
      yield* gone(mark)
    }))

  it.live("takes input, also what is sent at once", () =>
    Effect.gen(function*() {
      const { call } = yield* Client.make()
      const answering = yield* Effect.forkChild(
        call("command/exec", { command: sh("cat; echo done"), processId: "p", streamStdin: true }),
        { startImmediately: true }
      )
      const write = (input: { readonly deltaBase64?: string; readonly closeStdin?: boolean }) =>
        call("command/exec/write", { processId: "p", ...input })
      assert.deepStrictEqual(yield* write({ deltaBase64: Client.base64("hello\n") }), {})
      assert.strictEqual(
        yield* sentence(call("command/exec", { command: ["echo"], processId: "p" })),
        "duplicate active command/exec process id: \"p\""
      )
      assert.strictEqual(
        yield* sentence(write({ deltaBase64: "%%" })),
        "invalid deltaBase64: Invalid symbol 37, offset 0."
      )
      assert.strictEqual(yield* sentence(write({})), "command/exec/write requires deltaBase64 or closeStdin")
      assert.strictEqual(
        yield* sentence(call("command/exec/resize", { processId: "p", size: { rows: 1, cols: 1 } })),
        "failed to resize PTY: process is not attached to a PTY"
      )
      assert.deepStrictEqual(yield* write({ deltaBase64: Client.base64("more\n"), closeStdin: true }), {})
      assert.deepStrictEqual(yield* Fiber.join(answering), { exitCode: 0, stdout: "hello\nmore\ndone\n", stderr: "" })
      const unknown = "no active command/exec for process id \"p\""
      assert.strictEqual(yield* sentence(write({ closeStdin: true })), unknown)
      assert.strictEqual(yield* sentence(call("command/exec/terminate", { processId: "p" })), unknown)
      // The name is free again.
      assert.strictEqual((yield* call("command/exec", { command: ["echo", "x"], processId: "p" })).stdout, "x\n")
    }))

  it.live("terminates a command and its group, whatever they do about signals", () =>
    Effect.gen(function*() {
      const client = yield* Client.make()
      const mark = marked()
      const answering = yield* Effect.forkChild(
        client.call("command/exec", {
          command: sh(`trap '' TERM HUP; sleep ${mark.one} & echo ready; sleep ${mark.two}`),
          processId: "p",
          streamStdoutStderr: true
        }),
        { startImmediately: true }
      )
      yield* client.hear("command/exec/outputDelta")
      yield* running(mark)
      const input = yield* Client.refused(client.call("command/exec/write", { processId: "p", closeStdin: true }))
      assert.strictEqual(input.message, "stdin streaming is not enabled for this command/exec")
      assert.deepStrictEqual(yield* client.call("command/exec/terminate", { processId: "p" }), {})
      assert.strictEqual((yield* Fiber.join(answering)).exitCode, 137)
      yield* gone(mark)
    }))

  it.live("ends with its connection, and leaves nothing behind", () =>
    Effect.gen(function*() {
      const client = yield* Client.make()
      const mark = marked()
      yield* Effect.forkChild(
        client.call("command/exec", {
          command: sh(`sleep ${mark.one} & echo ready; sleep ${mark.two}`),
          processId: "p",
          streamStdoutStderr: true,
          disableTimeout: true
        }),
        { startImmediately: true }
      )
      yield* client.hear("command/exec/outputDelta")
      yield* running(mark)
      yield* client.close
      yield* gone(mark)
    }))

  it.live("keeps the names of one connection from another", () =>
    Effect.gen(function*() {
      const client = yield* Client.make()
      const other = yield* Client.connect(client.handlers)
      const answering = yield* Effect.forkChild(
        client.call("command/exec", { command: ["cat"], processId: "p", streamStdin: true }),
        { startImmediately: true }
      )
      const refusal = yield* Client.refused(other.call("command/exec/terminate", { processId: "p" }))
      assert.strictEqual(refusal.message, "no active command/exec for process id \"p\"")
      yield* client.call("command/exec/write", { processId: "p", closeStdin: true })
      assert.strictEqual((yield* Fiber.join(answering)).exitCode, 0)
    }))
})
