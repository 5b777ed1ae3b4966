/**
 * Runs processes on terminals and prints what came of it, a line of JSON each. Run by Bun, whose terminals it is about.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Client from "../support/Client.ts"
import { heldBack } from "../support/heldBack.ts"
import { alive, gone, marked, running } from "../support/processes.ts"

const print = (value: unknown) => Effect.sync(() => process.stdout.write(`${JSON.stringify(value)}\n`))

const program = Effect.gen(function*() {
  const client = yield* Client.make()
  const screen = () => client.of("process/outputDelta").map(({ deltaBase64 }) => Client.text(deltaBase64)).join("")
  const spawn = (processHandle: string, command: ReadonlyArray<string>) =>
    client.call("process/spawn", {
      processHandle,
      command,
      cwd: client.directory,
      tty: true,
      size: { rows: 12, cols: 34 },
      timeoutMs: null
    })
  const exited = (handle: string) => client.hear("process/exited", ({ processHandle }) => processHandle === handle)

  const script = "tty; stty size; printf 'in? '; read x; echo \"got $x\"; stty size; echo err >&2; exit 4"
  yield* spawn("t", ["/bin/sh", "-c", script])
  yield* client.hear("process/outputDelta", () => screen().includes("in? "))
  yield* client.call("process/resizePty", { processHandle: "t", size: { rows: 20, cols: 50 } })
  yield* client.call("process/writeStdin", { processHandle: "t", deltaBase64: Client.base64("word\n") })
  const end = yield* exited("t")
  yield* print({ screen: screen(), exited: end })

  yield* print({ refused: (yield* Client.refused(spawn("n", ["no-such-command"]))).message })

  const mark = marked()
  yield* spawn("k", ["/bin/sh", "-c", `trap '' TERM HUP; sleep ${mark.one} & echo ready; sleep ${mark.two}`])
  yield* client.hear("process/outputDelta", () => screen().includes("ready"))
  yield* running(mark)
  yield* client.call("process/kill", { processHandle: "k" })
  const { exitCode } = yield* exited("k")
  yield* gone(mark)
  yield* print({ killed: exitCode, left: alive(mark) })

  yield* spawn("w", ["/bin/sh", "-c", "stty raw -echo; echo deaf; sleep 60"])
  yield* client.hear("process/outputDelta", () => screen().includes("deaf"))
  const deltaBase64 = Client.base64("x".repeat(100_000))
  const writing = yield* Effect.forkChild(
    Effect.exit(
      Effect.forEach(
        Array.from({ length: 64 }),
        () => client.call("process/writeStdin", { processHandle: "w", deltaBase64 }),
        { discard: true }
      )
    ),
    { startImmediately: true }
  )
  const waits = Option.isNone(yield* Effect.timeoutOption(Fiber.join(writing), "500 millis"))
  yield* client.call("process/kill", { processHandle: "w" })
  const killed = (yield* exited("w")).exitCode
  yield* print({ waits, killed, refused: Exit.isFailure(yield* Fiber.join(writing)) })

  yield* print(yield* heldBack)

  const codeOf = Effect.fnUntraced(function*(handle: string, script: string) {
    yield* spawn(handle, ["/bin/sh", "-c", script])
    return (yield* exited(handle)).exitCode
  })
  yield* print({ term: yield* codeOf("s", "kill -TERM $$"), code: yield* codeOf("c", "exit 143") })
})

await Effect.runPromise(Effect.scoped(program))
