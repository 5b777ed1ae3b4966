/**
 * The backend over a real codex, offline, with a scripted model behind it.
 *
 * Closing the scope ends codex and all that it has started, removes its home, and dies if a process is left over.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Fs from "node:fs/promises"
import { AgentBackend } from "../../src/agent/index.ts"
import * as CodexNode from "../../src/backends/codex/CodexNode.ts"
import { ChildRecord } from "../../src/transport/ChildRegistry.ts"
import * as CodexHome from "./CodexHome.ts"
import * as FakeResponses from "./FakeResponses.ts"

export interface Options {
  /** Settings of codex by dotted key; see `CodexHome`. */
  readonly settings?: Readonly<Record<string, CodexHome.Toml>>
  /** Default `gpt-5.5`. */
  readonly model?: string
  /** Options of the backend beyond command and environment. */
  readonly codex?: CodexNode.CodexNodeOptions
  /** What the model answers when nothing was pushed. */
  readonly fallback?: FakeResponses.Script
}

export class CodexBench extends Context.Service<CodexBench, {
  readonly model: FakeResponses.FakeResponses["Service"]
  readonly home: CodexHome.CodexHome
  readonly backend: AgentBackend["Service"]
  /** The codex processes that are on record now: those that run. */
  readonly pids: Effect.Effect<ReadonlyArray<number>>
  /** Ends every codex of this bench at once, as a crash does. A call may still meet the dying one. */
  readonly kill: Effect.Effect<void>
  /** `kill`, then waits until the backend has noticed. */
  readonly crash: Effect.Effect<void>
  /** A second backend of its own over the same home, as another program has. */
  readonly another: (options?: CodexNode.CodexNodeOptions) => Effect.Effect<AgentBackend["Service"], never, Scope.Scope>
}>()("effect-codex-bridge/test/support/CodexBench") {}

/** Processes that outlive what has started them. */
export class LeftOver extends Schema.TaggedError<LeftOver>()("LeftOver", { pids: Schema.Array(Schema.Int) }) {
  override get message() {
    return `processes are left over: ${this.pids.join(", ")}`
  }
}

const decodeRecord = Schema.decodeEffect(Schema.fromJsonString(ChildRecord))

/** Pids whose environment names `text`, this process apart. */
const processesNaming = Effect.fnUntraced(function*(text: string) {
  const names = yield* Effect.promise(() => Fs.readdir("/proc"))
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number)
  const found = yield* Effect.forEach(
    pids,
    (pid) =>
      Effect.promise(() =>
        Fs.readFile(`/proc/${pid}/environ`, "latin1").then(
          (environment) => environment.includes(text) && pid !== process.pid,
          // It has ended meanwhile, or belongs to somebody else.
          () => false
        )
      ).pipe(Effect.map((hit) => hit ? [pid] : [])),
    { concurrency: 8 }
  )
  return found.flat()
})

/** Dies unless no process names `text` in its environment any more. The kernel has a moment to take killed ones away. */
export const assertNoProcessNaming = (text: string): Effect.Effect<void> =>
  processesNaming(text).pipe(
    Effect.flatMap((left) => left.length === 0 ? Effect.void : Effect.fail(new LeftOver({ pids: left }))),
    Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 250 }),
    Effect.orDie
  )

export const make = Effect.fn("CodexBench.make")(
  function*(options: Options = {}): Effect.fn.Return<
    CodexBench["Service"],
    unknown,
    FileSystem.FileSystem | Path.Path | Scope.Scope
  > {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    let root: string | undefined
    // The first finalizer to be added is the last to run.
    yield* Effect.addFinalizer(() => root === undefined ? Effect.void : assertNoProcessNaming(root))
    const model = yield* FakeResponses.make(options.fallback === undefined ? {} : { fallback: options.fallback })
    const home = yield* CodexHome.make({
      baseUrl: model.baseUrl,
      ...(options.model === undefined ? {} : { model: options.model }),
      settings: { "features.unbounded_connection_retries": false, ...options.settings }
    })
    root = path.dirname(home.home)
    const childrenDirectory = path.join(root, "children")
    const another: CodexBench["Service"]["another"] = (more) =>
      Effect.map(
        Effect.orDie(
          Layer.build(CodexNode.layer({
            command: home.codexBin,
            env: home.env,
            childrenDirectory,
            ...options.codex,
            ...more
          }))
        ),
        (context) => Context.get(context, AgentBackend)
      )
    const pids = Effect.gen(function*() {
      const names = (yield* fs.exists(childrenDirectory)) ? yield* fs.readDirectory(childrenDirectory) : []
      return yield* Effect.forEach(names.filter((name) => name.endsWith(".json")), (name) =>
        Effect.map(
          Effect.flatMap(fs.readFileString(path.join(childrenDirectory, name)), decodeRecord),
          (record) => record.child.pid
        ))
    }).pipe(Effect.orDie)
    const kill = Effect.flatMap(pids, (all) =>
      Effect.sync(() => {
        for (const pid of all) process.kill(pid, "SIGKILL")
      }))
    const backend = yield* another()
    return CodexBench.of({
      model,
      home,
      backend,
      pids,
      kill,
      // A probe ends with the connection that it meets, and starts codex where there is none.
      crash: Effect.andThen(
        kill,
        Effect.orDie(Effect.retry(backend.probe, { while: (error) => error.reason._tag === "AgentDied", times: 100 }))
      ),
      another
    })
  }
)

/** The bench, and its backend as a service. */
export const layer = (options?: Options): Layer.Layer<CodexBench | AgentBackend, unknown> =>
  Layer.effectContext(
    Effect.map(make(options), (bench) => Context.make(CodexBench, bench).pipe(Context.add(AgentBackend, bench.backend)))
  ).pipe(Layer.provide(NodeServices.layer))
