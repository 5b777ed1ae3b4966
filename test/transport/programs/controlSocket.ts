/**
 * A server at a control socket. Says on stdout that it listens, or why not; ends when stdin does.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ControlSocket from "../../../src/transport/ControlSocket.ts"
import { ProcessTable } from "../../../src/transport/ProcessTable.ts"

interface Settings extends ControlSocket.Options {
  /** Stops while it holds the lock. */
  readonly hang?: boolean
}

const settings: Settings = JSON.parse(process.argv[2] ?? "")

const say = (text: string) => Effect.sync(() => process.stdout.write(`${text}\n`))

const stdinEnded = Effect.callback<void>((resume) => {
  process.stdin.on("end", () => resume(Effect.void)).resume()
})

const program = Effect.gen(function*() {
  if (settings.hang === true) {
    return yield* ControlSocket.claim(
      settings,
      () => say("locked").pipe(Effect.andThen(stdinEnded), Effect.andThen(Effect.never))
    )
  }
  yield* ControlSocket.serve(settings)
  yield* say("listening")
  yield* stdinEnded
}).pipe(
  Effect.scoped,
  Effect.catch((error) => say(`${error.reason._tag}: ${error.message}`)),
  Effect.provide(ProcessTable.layer.pipe(Layer.provide(NodeServices.layer)))
)

await Effect.runPromise(program)
process.exit(0)
