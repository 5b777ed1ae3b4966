import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ChildProcess from "node:child_process"
import { fileURLToPath } from "node:url"
import { AgentBackend, declining, TurnHost } from "../../../src/agent/index.ts"
import * as OmpSdkBackend from "../../../src/backends/omp/OmpSdkBackend.ts"
import { ProcessTable } from "../../../src/transport/ProcessTable.ts"
import * as FakeChat from "../../support/FakeChat.ts"
import * as OmpHome from "../../support/OmpHome.ts"

const program = fileURLToPath(new URL("support/ompSdkProgram.ts", import.meta.url))

it.live("prints nothing where others speak a protocol, and leaves signals to whoever listens for them", () =>
  Effect.gen(function*() {
    const chat = yield* FakeChat.make
    const home = yield* OmpHome.make({ baseUrl: chat.baseUrl })
    const question = { id: "one", question: "Which?", options: [{ label: "red" }, { label: "blue" }] }
    yield* chat.push(
      { tools: [{ name: "ask", args: { questions: [question], i: "asking" } }] },
      { tools: [{ name: "bash", args: { command: "echo to nobody", pty: true, i: "running" } }] },
      { text: ["done"] }
    )
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        ChildProcess.spawn(OmpHome.bunProgram, [program, home.work, OmpHome.model], {
          env: home.env,
          stdio: ["ignore", "pipe", "pipe"]
        })
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    const out: Array<string> = []
    let told = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text))
    const status = yield* Effect.callback<number | null>((resume) => {
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        told += text
        if (text.includes("ready")) child.kill("SIGTERM")
      })
      child.once("close", (code) => resume(Effect.succeed(code)))
    })
    assert.include(told, "Completed\nready\nended by the program")
    assert.strictEqual(status, 7)
    assert.deepStrictEqual(out, [])
    assert.strictEqual(yield* chat.left, 0)
  }).pipe(Effect.provide(NodeServices.layer)))

it.effect.skipIf(process.versions["bun"] !== undefined)(
  "is refused on Node, with what to do",
  () =>
    Effect.gen(function*() {
      const backend = yield* AgentBackend
      const open = Effect.provideService(backend.openSession({}), TurnHost, declining)
      for (const failing of [Effect.asVoid(open), Effect.asVoid(backend.probe), Effect.asVoid(backend.listModels)]) {
        const { message, reason } = yield* Effect.flip(failing)
        assert.strictEqual(reason._tag, "BinaryMissing")
        assert.match(message, /Bun.*omp-rpc/)
      }
    }).pipe(Effect.provide(
      OmpSdkBackend.layer().pipe(
        Layer.provide(ProcessTable.layer),
        Layer.provideMerge(NodeServices.layer)
      )
    ))
)
