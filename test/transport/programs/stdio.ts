/**
 * A program that speaks JSON lines on stdin and stdout, in the way that its first argument names.
 */
import * as Effect from "effect/Effect"
import * as NodeChildProcess from "node:child_process"
import * as NodeFs from "node:fs"
import { StdioTransport } from "../../../src/transport/index.ts"

const frame = (value: unknown) => JSON.stringify(value)

/** Prints by every way that an agent in this process may find. */
const print = Effect.sync(() => {
  /* eslint-disable no-console */
  console.log("STRAY log")
  console.info("STRAY info")
  console.dir({ STRAY: 1 })
  console.table([{ STRAY: 1 }])
  process.stdout.write("STRAY write")
  process.stdout.write(Buffer.from("STRAY bytes"))
  NodeFs.writeSync(1, "STRAY descriptor")
  NodeFs.writeFileSync(1, "STRAY file")
  NodeChildProcess.spawnSync("sh", ["-c", "echo STRAY child; cat"], { stdio: "inherit" })
  NodeChildProcess.execFileSync("sh", ["-c", "echo STRAY child; cat"], { stdio: "inherit" })
  process.stdout.end("STRAY end")
})

/** A child that gets what this process has, beside it. */
const printFromChild = Effect.callback<void>((resume) => {
  NodeChildProcess.spawn("sh", ["-c", "echo STRAY child; cat"], { stdio: "inherit" }).on("exit", () => {
    resume(Effect.void)
  })
})

const note = (text: string) => Effect.sync(() => process.stderr.write(`${text}\n`))

const modes: Readonly<Record<string, Effect.Effect<void, unknown>>> = {
  /** Answers each frame with itself, in the midst of prints, until stdin ends; then says how it ended. */
  echo: Effect.scoped(Effect.gen(function*() {
    yield* StdioTransport.claimStdout
    const transport = yield* StdioTransport.make()
    for (;;) {
      const frames = yield* Effect.result(transport.receive)
      if (frames._tag === "Failure") {
        yield* transport.send([frame({ ended: frames.failure.message })])
        return
      }
      for (const item of frames.success) {
        yield* print
        yield* transport.send([frame({ got: item })])
        yield* printFromChild
      }
    }
  })),
  /** Sends 100 frames of 100 kB each, and says on stderr how far it is. */
  flood: Effect.scoped(Effect.gen(function*() {
    const transport = yield* StdioTransport.make()
    yield* transport.receive
    for (let index = 0; index < 100; index++) {
      yield* transport.send([frame({ index, text: "x".repeat(100_000) })])
      yield* note(`sent ${index}`)
    }
  })),
  /** Sends 4 MB, and ends without waiting until they are sent. */
  hasty: Effect.scoped(Effect.gen(function*() {
    const transport = yield* StdioTransport.make()
    yield* Effect.forkDetach(transport.send([frame({ text: "x".repeat(4_000_000) })]), { startImmediately: true })
  })),
  /** Sends until it cannot any more, and says why. */
  sayUntilClosed: Effect.scoped(Effect.gen(function*() {
    const transport = yield* StdioTransport.make()
    const error = yield* transport.send([frame({ text: "x".repeat(1000) })]).pipe(
      Effect.andThen(Effect.sleep("5 millis")),
      Effect.forever,
      Effect.flip
    )
    yield* note(`ended: ${error.message}`)
    const again = yield* Effect.flip(transport.receive)
    yield* note(`receive: ${again.message}`)
  }))
}

const [mode = ""] = process.argv.slice(2)
await Effect.runPromise(modes[mode] ?? Effect.die(`there is no mode ${mode}`))
// As the command does: nothing that an agent has left behind holds the process.
process.exit(0)
