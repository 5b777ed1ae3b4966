import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { fileURLToPath } from "node:url"
import * as OmpRpc from "../../../src/backends/omp/OmpRpc.ts"
import { ChildRegistry } from "../../../src/transport/ChildRegistry.ts"
import { bunProgram } from "../../support/OmpHome.ts"
import { deaf, kinds, services, watch } from "./support/omp.ts"

const program = fileURLToPath(new URL("fixtures/fakeOmp.mjs", import.meta.url))

const start = (fault: string, options: OmpRpc.OmpRpcOptions = {}) =>
  OmpRpc.make({ command: program, bun: bunProgram, env: { FAULT: fault }, ...options }, deaf)

const prompt = { type: "prompt", message: "hi" } as const

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const recorded = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const { directory } = yield* ChildRegistry
  return (yield* fs.exists(directory)) ? yield* fs.readDirectory(directory) : []
})

// Deadlines of real processes pass in real time.
layer(services, { excludeTestServices: true })("a process that", (it) => {
  describe("does not start", () => {
    it.effect("because it ends says why, in its own words", () =>
      Effect.gen(function*() {
        const { reason } = yield* Effect.flip(start("exits"))
        assert.deepInclude(reason, {
          _tag: "HandshakeFailed",
          mayHaveReached: false,
          detail: "omp ended before it was ready: the process exited (exit status 1); " +
            "it said: the settings are in Latin"
        })
      }))

    it.effect("because it hangs is given up, and ended", () =>
      Effect.gen(function*() {
        for (const fault of ["noReady", "mute"]) {
          const { reason } = yield* Effect.flip(start(fault, { startDeadline: "1 second" }))
          assert.strictEqual(reason._tag, "HandshakeFailed")
          assert.match(
            reason.message,
            fault === "noReady" ? /not ready within 1s; stderr ends: still thinking$/ : /not ready within 1s$/
          )
          assert.deepStrictEqual(yield* recorded, [])
        }
      }))

    it.effect("because it is too old says so", () =>
      Effect.gen(function*() {
        const { reason } = yield* Effect.flip(start("old"))
        assert.deepInclude(reason, { _tag: "VersionUnsupported", found: "RPC protocol 1" })
      }))
  })

  describe("ends in the middle", () => {
    it.effect("fails what waits with its status and its last words", () =>
      Effect.gen(function*() {
        const omp = yield* start("dies")
        const events = yield* watch(omp)
        const error = yield* Effect.flip(omp.request(prompt))
        assert.deepInclude(error.reason, {
          _tag: "AgentDied",
          exitCode: 7,
          stderrTail: "out of luck",
          mayHaveReached: true
        })
        assert.strictEqual(yield* omp.ended, error)
        assert.deepStrictEqual(kinds(events.seen), ["Answered", "Answered"])
      }))

    it.effect("by a signal names it", () =>
      Effect.gen(function*() {
        const omp = yield* start("killed")
        const { reason } = yield* Effect.flip(omp.request(prompt))
        assert.deepInclude(reason, { _tag: "AgentDied", signal: "SIGKILL" })
      }))

    it.effect("of a frame says that it did", () =>
      Effect.gen(function*() {
        for (
          const [fault, expected] of [["halfFrame", /incomplete: \d+ characters/], [
            "halfChunks",
            /2 of 3 pieces/
          ]] as const
        ) {
          const omp = yield* start(fault)
          const { reason } = yield* Effect.flip(omp.request(prompt))
          assert.deepInclude(reason, { _tag: "AgentDied", exitCode: 0 })
          assert.match(reason.message, expected)
        }
      }))
  })

  it.effect("prints loses nothing by it, and is told of", () =>
    Effect.gen(function*() {
      const omp = yield* start("noise")
      const events = yield* watch(omp)
      yield* omp.request(prompt)
      yield* events.until((event) => event._tag === "Frame" && event.frame.type === "of_another_version")
      assert.deepStrictEqual(kinds(events.seen), [
        "Answered",
        "Answered",
        "Warning",
        "Warning",
        "Warning",
        "Warning",
        "Answered",
        "of_another_version"
      ])
    }))

  it.effect("loses a frame is ended", () =>
    Effect.gen(function*() {
      const omp = yield* start("badChunks")
      const { reason } = yield* Effect.flip(omp.request(prompt))
      assert.strictEqual(reason._tag, "MalformedReply")
      yield* omp.close
      assert.isFalse(isAlive(omp.pid))
    }))

  it.effect("does not answer is waited for no longer than allowed", () =>
    Effect.gen(function*() {
      const omp = yield* start("silent", { requestDeadline: "200 millis" })
      const { reason } = yield* Effect.flip(omp.request(prompt))
      assert.deepInclude(reason, { _tag: "TimedOut", operation: "prompt", after: 200 })
    }))

  it.effect("does not go is ended by force, and taken off the record", () =>
    Effect.gen(function*() {
      const omp = yield* start("stays", { shutdown: { stdinGrace: "100 millis", termGrace: "100 millis" } })
      assert.strictEqual((yield* recorded).length, 1)
      yield* omp.close
      assert.isFalse(isAlive(omp.pid))
      assert.deepStrictEqual(yield* recorded, [])
      assert.include((yield* omp.ended).message, "closed by this side")
      // Again is of no harm.
      yield* omp.close
    }))

  it.effect("is to be started gets its arguments", () =>
    Effect.gen(function*() {
      const file = yield* Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempFileScoped())
      const omp = yield* start("stays", {
        model: "a/b",
        resume: "abc",
        noSession: true,
        sessionDir: "/sessions",
        thinking: "low",
        appendSystemPrompt: "be kind",
        approvalMode: "write",
        extensions: ["/x.ts", "/y.ts"],
        configOverlays: ["/c.yml"],
        args: ["--no-lsp"],
        recordTo: file,
        shutdown: { stdinGrace: 0 }
      })
      yield* omp.close
      const record = yield* Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(file))
      assert.include(
        record.replaceAll("\\\"", "\""),
        `["--mode","rpc","--model","a/b","--thinking","low","--session-dir","/sessions","--resume","abc",` +
          `"--no-session","--append-system-prompt","be kind","--approval-mode","write","--config","/c.yml",` +
          `"-e","/x.ts","-e","/y.ts","--no-lsp"]`
      )
    }))

  describe("is not there", () => {
    it.effect("is missed with a word on what to install", () =>
      Effect.gen(function*() {
        const missing = [
          [{ command: "/nowhere/omp" }, /Cannot start \/nowhere\/omp: .*@oh-my-pi\/pi-coding-agent/],
          [{ command: "omp-of-nobody" }, /there is no such program/],
          [{ bun: "bun-of-nobody" }, /Cannot start bun-of-nobody: .*install it/],
          [{ cwd: "/nowhere" }, /working directory/]
        ] as const
        for (const [options, message] of missing) {
          const { reason } = yield* Effect.flip(start("", options))
          assert.strictEqual(reason._tag, "BinaryMissing")
          assert.match(reason.message, message)
        }
      }))
  })
})
