/**
 * A host as a program of its own, to be killed: it runs a turn on codex, says so in one line, and waits.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { AgentBackend } from "../../../src/agent/index.ts"
import * as CodexNode from "../../../src/backends/codex/CodexNode.ts"

/** The first argument, as JSON. */
const Options = Schema.fromJsonString(Schema.Struct({
  command: Schema.String,
  env: Schema.Record(Schema.String, Schema.String),
  childrenDirectory: Schema.String,
  cwd: Schema.String
}))

/** The line that says that the turn runs: the session's id. */
const announce = (sessionId: string) => Effect.sync(() => void process.stdout.write(`${sessionId}\n`))

const main = Effect.gen(function*() {
  const { cwd, ...options } = yield* Schema.decodeUnknownEffect(Options)(process.argv[2])
  const program = Effect.gen(function*() {
    const backend = yield* AgentBackend
    const session = yield* backend.openSession({ cwd, approvalPolicy: "never", sandbox: "danger-full-access" })
    const turn = yield* session.startTurn({ input: [{ _tag: "Text", text: "Remember the duck" }] })
    yield* turn.events.pipe(Stream.filter((event) => event._tag === "ItemDelta"), Stream.take(1), Stream.runDrain)
    yield* announce((yield* session.ref).sessionId)
    return yield* Effect.never
  })
  return yield* Effect.provide(Effect.scoped(program), CodexNode.layer(options))
})

NodeRuntime.runMain(main)
