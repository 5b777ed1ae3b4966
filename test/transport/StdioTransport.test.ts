import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as NodeChildProcess from "node:child_process"
import { fileURLToPath } from "node:url"
import { inRealTime } from "../../src/transport/internal/realTime.ts"

const program = fileURLToPath(new URL("programs/stdio.ts", import.meta.url))

/** The program with its pipes as they are. */
const spawn = (mode: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = NodeChildProcess.spawn(process.execPath, [program, mode], { stdio: "pipe" })
      let stderr = ""
      child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
      const exited = new Promise<number | null>((resolve) => child.on("close", resolve))
      return { child, stderr: () => stderr, exited: Effect.promise(() => exited) }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

describe("StdioTransport", () => {
  it.effect("keeps everything off stdout that an agent prints, and its stdin from children", () =>
    Effect.gen(function*() {
      const { child, exited, stderr } = yield* spawn("echo")
      let stdout = ""
      child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
      const sent = ["one", "zwei \u2028 \u{1f980}"].map((text) => JSON.stringify({ text }))
      for (const frame of sent) child.stdin.write(`${frame}\n`)
      child.stdin.end()
      assert.strictEqual(yield* exited, 0)
      assert.deepStrictEqual(stdout.trimEnd().split("\n"), [
        ...sent.map((got) => JSON.stringify({ got })),
        JSON.stringify({ ended: "stdio closed: stdin ended" })
      ])
      for (const kind of ["log", "info", "write", "bytes", "descriptor", "file", "child", "end"]) {
        assert.include(stderr(), `STRAY ${kind}`)
      }
    }))

  it.effect("gives what arrived before stdin ended, then the end; and can still speak", () =>
    Effect.gen(function*() {
      const { child, exited } = yield* spawn("echo")
      let stdout = ""
      child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
      // The last line has no end.
      child.stdin.end("{\"id\":1}\n{\"id\":2}")
      assert.strictEqual(yield* exited, 0)
      assert.deepStrictEqual(stdout.trimEnd().split("\n").map((line): unknown => JSON.parse(line)), [
        { got: "{\"id\":1}" },
        { got: "{\"id\":2}" },
        { ended: "stdio closed: stdin ended" }
      ])
    }))

  it.effect("takes a line that is longer than what it holds back otherwise", () =>
    Effect.gen(function*() {
      const { child, exited } = yield* spawn("echo")
      let stdout = ""
      child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
      const line = JSON.stringify({ text: "x".repeat(5 * 2 ** 20) })
      child.stdin.end(`${line}\n{"id":1}\n`)
      assert.strictEqual(yield* exited, 0)
      const [first, second] = stdout.split("\n")
      assert.isTrue(first === JSON.stringify({ got: line }))
      assert.strictEqual(second, JSON.stringify({ got: "{\"id\":1}" }))
    }), 20_000)

  it.effect("waits in send while nobody reads, and loses nothing", () =>
    Effect.gen(function*() {
      const { child, exited, stderr } = yield* spawn("flood")
      child.stdin.write("{}\n")
      const sent = () => stderr().match(/sent/g)?.length ?? 0
      // Until it stands still, with the pipe full.
      let before = -1
      yield* Effect.sync(() => {
        const still = sent() === before && sent() > 0
        before = sent()
        return still
      }).pipe(Effect.repeat({ until: (still) => still, schedule: Schedule.spaced("300 millis") }), inRealTime)
      assert.isBelow(sent(), 10)

      let stdout = ""
      child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
      assert.strictEqual(yield* exited, 0)
      const frames = stdout.trimEnd().split("\n").map((line): { index: number } => JSON.parse(line))
      assert.deepStrictEqual(frames.map(({ index }) => index), Array.from({ length: 100 }, (_, index) => index))
    }))

  it.effect("finishes what it was writing when it is closed", () =>
    Effect.gen(function*() {
      const { child, exited } = yield* spawn("hasty")
      let bytes = 0
      let last = ""
      child.stdout.on("data", (chunk: Buffer) => {
        bytes += chunk.length
        last = chunk.toString().slice(-3)
      })
      assert.strictEqual(yield* exited, 0)
      assert.strictEqual(bytes, 4_000_000 + "{\"text\":\"\"}\n".length)
      assert.strictEqual(last, "\"}\n")
    }))

  it.effect("ends quietly when the reader is gone", () =>
    Effect.gen(function*() {
      const { child, exited, stderr } = yield* spawn("sayUntilClosed")
      yield* Effect.callback<void>((resume) => {
        child.stdout.once("data", () => resume(Effect.void))
      })
      child.stdout.destroy()
      assert.strictEqual(yield* exited, 0)
      assert.deepStrictEqual(stderr().trimEnd().split("\n"), [
        "ended: stdio closed: stdout could not be written (EPIPE)",
        "receive: stdio closed: stdout could not be written (EPIPE)"
      ])
    }))
})
