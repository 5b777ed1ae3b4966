/**
 * Processes on terminals, under Node here and under Bun in a program of its own.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as ChildProcess from "node:child_process"
import { fileURLToPath } from "node:url"
import * as Client from "./support/Client.ts"
import { heldBack, mayCome, said } from "./support/heldBack.ts"
import { gone, marked, running } from "./support/processes.ts"

const sh = (script: string) => ["/bin/sh", "-c", script]

const setUp = Effect.map(Client.make(), (client) => {
  const screen = () => client.of("process/outputDelta").map(({ deltaBase64 }) => Client.text(deltaBase64)).join("")
  return {
    ...client,
    screen,
    shows: (text: string) => client.hear("process/outputDelta", () => screen().includes(text)),
    spawn: (command: ReadonlyArray<string>, options = {}) =>
      client.call("process/spawn", {
        processHandle: "t",
        command,
        cwd: client.directory,
        tty: true,
        outputBytesCap: null,
        ...options
      }),
    write: (text: string) =>
      client.call("process/writeStdin", { processHandle: "t", deltaBase64: Client.base64(text) }),
    resize: (cols: number, rows: number) =>
      client.call("process/resizePty", { processHandle: "t", size: { cols, rows } })
  }
})

describe("a process on a terminal", () => {
  it.live("has a terminal of the given size, which can be changed and echoes", () =>
    Effect.gen(function*() {
      const { hear, resize, screen, shows, spawn, write } = yield* setUp
      const script = "tty; stty size; printf 'in? '; read x; echo \"got $x\"; stty size; echo err >&2; exit 4"
      assert.deepStrictEqual(yield* spawn(sh(script), { size: { rows: 12, cols: 34 } }), {})
      yield* shows("in? ")
      assert.match(screen(), /^\/dev\/\S+\r\n12 34\r\nin\? $/u)
      assert.deepStrictEqual(yield* resize(50, 20), {})
      yield* write("word\n")
      const exited = yield* hear("process/exited")
      assert.deepStrictEqual(exited, {
        processHandle: "t",
        exitCode: 4,
        outputDrainTimedOut: false,
        stdout: "",
        stdoutCapReached: false,
        stderr: "",
        stderrCapReached: false
      })
      assert.match(screen(), /in\? word\r\ngot word\r\n20 50\r\nerr\r\n$/u)
    }))

  it.live("is told of a new size, of Ctrl-C and of the end of input", () =>
    Effect.gen(function*() {
      const { call, hear, resize, shows, spawn, write } = yield* setUp
      yield* spawn(sh("trap 'echo int' INT; trap 'stty size' WINCH; stty size; echo ready; cat; cat; echo bye"))
      yield* shows("24 80\r\nready")
      // What was typed, and what the first cat made of it.
      yield* write("typed\n")
      yield* shows("typed\r\ntyped\r\n")
      yield* resize(100, 30)
      yield* write("\u0003")
      yield* shows("int")
      yield* shows("30 100")
      const [, late] = yield* Effect.all([
        call("process/writeStdin", { processHandle: "t", closeStdin: true }),
        Client.refused(write("late"))
      ], { concurrency: 2 })
      assert.strictEqual(late.message, "stdin is already closed")
      yield* shows("bye")
      assert.strictEqual((yield* hear("process/exited")).exitCode, 0)
    }))

  it.live("gets its arguments and environment as they are", () =>
    Effect.gen(function*() {
      const { hear, screen, spawn } = yield* setUp
      yield* spawn([
        "/bin/sh",
        "-c",
        "printf '%s|' \"$@\" \"$V\" \"${HOME-none}\" \"${SHELL-none}\"",
        "$0",
        "a b",
        "it's",
        "$x"
      ], {
        env: { V: "v'\"w", HOME: null, SHELL: "/bin/other shell" }
      })
      yield* hear("process/exited")
      assert.strictEqual(screen(), "a b|it's|$x|v'\"w|none|/bin/other shell|")
    }))

  it.live("says why it cannot be started", () =>
    Effect.gen(function*() {
      const { spawn } = yield* setUp
      const missing = { code: -32603, message: "failed to spawn process: No such file or directory (os error 2)" }
      assert.deepStrictEqual(yield* Client.refused(spawn(["no-such-command"])), missing)
      assert.deepStrictEqual(yield* Client.refused(spawn(["pwd"], { cwd: "/nope" })), missing)
    }))

  it.live("is killed with what it started", () =>
    Effect.gen(function*() {
      const { call, hear, shows, spawn } = yield* setUp
      const mark = marked()
      yield* spawn(sh(`trap '' TERM HUP; sleep ${mark.one} & echo ready; sleep ${mark.two}`))
      yield* shows("ready")
      yield* running(mark)
      yield* call("process/kill", { processHandle: "t" })
      assert.strictEqual((yield* hear("process/exited")).exitCode, 1)
      yield* gone(mark)
    }))

  it.live("ends with its connection", () =>
    Effect.gen(function*() {
      const { close, shows, spawn } = yield* setUp
      const mark = marked()
      yield* spawn(sh(`trap '' TERM HUP; sleep ${mark.one} & echo ready; sleep ${mark.two}`), { timeoutMs: null })
      yield* shows("ready")
      yield* running(mark)
      yield* close
      yield* gone(mark)
    }))

  it.live("may be the one of a command, too", () =>
    Effect.gen(function*() {
      const client = yield* Client.make()
      const answering = yield* Effect.forkChild(
        client.call("command/exec", {
          command: sh("read x; echo \"got $x\"; stty size; exit 3"),
          processId: "t",
          tty: true,
          size: { rows: 10, cols: 20 }
        }),
        { startImmediately: true }
      )
      yield* client.call("command/exec/resize", { processId: "t", size: { rows: 11, cols: 21 } })
      yield* client.call("command/exec/write", { processId: "t", deltaBase64: Client.base64("word\n") })
      assert.deepStrictEqual(yield* Fiber.join(answering), { exitCode: 3, stdout: "", stderr: "" })
      const screen = client.of("command/exec/outputDelta").map(({ deltaBase64 }) => Client.text(deltaBase64)).join("")
      assert.include(screen, "got word\r\n11 21\r\n")
    }))

  it.live("waits for a client that is behind", () =>
    Effect.gen(function*() {
      const { all, held } = yield* heldBack
      assert.isBelow(held, mayCome)
      assert.strictEqual(all, said)
    }))

  it.live("is the same under Bun", () =>
    Effect.gen(function*() {
      const program = fileURLToPath(new URL("programs/terminal.ts", import.meta.url))
      const bun = fileURLToPath(new URL("../../../node_modules/.bin/bun", import.meta.url))
      const output = yield* Effect.callback<string>((resume) => {
        const child = ChildProcess.execFile(bun, [program], { timeout: 20_000 }, (error, stdout, stderr) => {
          resume(error === null ? Effect.succeed(stdout) : Effect.die(new Error(`${error.message}\n${stderr}`)))
        })
        return Effect.sync(() => child.kill("SIGKILL"))
      })
      const lines = output.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))
      assert.match(lines[0].screen, /^\/dev\/\S+\r\n12 34\r\nin\? word\r\ngot word\r\n20 50\r\nerr\r\n$/u)
      assert.deepInclude(lines[0].exited, { exitCode: 4, outputDrainTimedOut: false, stdout: "", stderr: "" })
      assert.deepStrictEqual(lines[1], { refused: "failed to spawn process: No such file or directory (os error 2)" })
      assert.deepStrictEqual(lines[2], { killed: 1, left: [] })
      // A process that does not read: Bun itself would keep any amount of input.
      assert.deepStrictEqual(lines[3], { waits: true, killed: 1, refused: true })
      assert.isBelow(lines[4].held, mayCome)
      assert.strictEqual(lines[4].all, said)
      // A signal is told as the real server tells it.
      assert.deepStrictEqual(lines[5], { term: 1, code: 143 })
    }))
})
