/**
 * One process with omp in it, for `bench/omp-sdk.ts`: `bun omp-sdk.ts bare|ours <directory> <model> <turns>`. Its last
 * line is what it has measured, in JSON.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { AgentBackend, declining, TurnHost } from "../../src/agent/index.ts"
import type * as Sdk from "../../src/backends/omp/internal/Sdk.ts"
import * as OmpSdkBackend from "../../src/backends/omp/OmpSdkBackend.ts"
import { ProcessTable } from "../../src/transport/ProcessTable.ts"

const [which, cwd = "", model = "", turns = "1"] = process.argv.slice(2)

const [provider = "", ...id] = model.split("/")

export interface Measured {
  /** Milliseconds until the first session was open. */
  readonly open: number
  /** From each prompt to the first of its answer. */
  readonly first: ReadonlyArray<number>
  /** From each prompt to the end of its turn. */
  readonly whole: ReadonlyArray<number>
  /** Megabytes, when all that was over. */
  readonly rss: number
}

const now = () => performance.now()

const bare = async (): Promise<Measured> => {
  const begun = now()
  // A variable, so that its types stay out.
  const name: string = "@oh-my-pi/pi-coding-agent"
  const omp: Sdk.Main = await import(name)
  await omp.initTheme(false)
  const settings = await omp.Settings.init({ cwd })
  const authStorage = await omp.discoverAuthStorage()
  const modelRegistry = new omp.ModelRegistry(authStorage, undefined, { settings })
  const found = modelRegistry.find(provider, id.join("/"))
  const { session } = await omp.createAgentSession({
    cwd,
    settings,
    authStorage,
    modelRegistry,
    sessionManager: omp.SessionManager.create(cwd),
    agentId: "bare",
    ...(found === undefined ? {} : { model: found }),
    hasUI: false,
    interactivePrompts: true,
    customTools: [],
    extensions: []
  })
  const open = now() - begun
  const first: Array<number> = []
  const whole: Array<number> = []
  let asked = 0
  let isFirst = true
  session.subscribe((event) => {
    if (event.type !== "message_update" || !isFirst || !JSON.stringify(event).includes("text_delta")) return
    isFirst = false
    first.push(now() - asked)
  })
  for (let turn = 0; turn < Number(turns); turn++) {
    asked = now()
    isFirst = true
    await session.prompt(`turn ${turn}`, { images: [], expandPromptTemplates: false })
    whole.push(now() - asked)
  }
  return { open, first, whole, rss: process.memoryUsage.rss() / 1e6 }
}

const ours = Effect.gen(function*() {
  const begun = now()
  const backend = yield* AgentBackend
  const session = yield* backend.openSession({ cwd, model })
  const open = now() - begun
  const first: Array<number> = []
  const whole: Array<number> = []
  for (let n = 0; n < Number(turns); n++) {
    const asked = now()
    const turn = yield* session.startTurn({ input: [{ _tag: "Text", text: `turn ${n}` }] })
    let isFirst = true
    yield* Stream.runForEach(turn.events, (event) =>
      Effect.sync(() => {
        if (event._tag !== "ItemDelta" || !isFirst) return
        isFirst = false
        first.push(now() - asked)
      }))
    whole.push(now() - asked)
  }
  return { open, first, whole, rss: process.memoryUsage.rss() / 1e6 } satisfies Measured
}).pipe(
  Effect.scoped,
  Effect.provideService(TurnHost, declining),
  Effect.provide(
    OmpSdkBackend.layer().pipe(
      Layer.provide(ProcessTable.layer),
      Layer.provide(NodeServices.layer)
    )
  )
)

const measured = await (which === "bare" ? bare() : Effect.runPromise(ours))
process.stdout.write(`${JSON.stringify(measured)}\n`)
process.exit(0)
