/**
 * A program with omp in it, under Bun: `bun ompSdkProgram.ts <directory> <model>`. It runs a turn in which the model
 * may call tools, tells `ready` on stderr, and waits for a signal, which it has an end of its own for.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AgentBackend, declining, TurnHost } from "../../../../src/agent/index.ts"
import * as OmpSdkBackend from "../../../../src/backends/omp/OmpSdkBackend.ts"
import { ProcessTable } from "../../../../src/transport/ProcessTable.ts"

const [cwd, model] = process.argv.slice(2)

process.once("SIGTERM", () => {
  process.stderr.write("ended by the program\n")
  setTimeout(() => process.exit(7), 100)
})

await Effect.gen(function*() {
  const backend = yield* AgentBackend
  const session = yield* backend.openSession({ cwd, model })
  const turn = yield* session.startTurn({ input: [{ _tag: "Text", text: "hello" }] })
  process.stderr.write(`${(yield* turn.outcome)._tag}\nready\n`)
  return yield* Effect.never
}).pipe(
  Effect.scoped,
  Effect.provideService(TurnHost, { ...declining, answer: () => Effect.succeed({ one: ["red"] }) }),
  Effect.provide(
    OmpSdkBackend.layer().pipe(
      Layer.provide(ProcessTable.layer),
      Layer.provide(NodeServices.layer)
    )
  ),
  Effect.runPromise
)
