/**
 * A real omp before a fake model, and the driver of the conformance suite for it.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import * as OmpRpcBackend from "../../src/backends/omp/OmpRpcBackend.ts"
import { ChildRecord, ChildRegistry } from "../../src/transport/ChildRegistry.ts"
import { ProcessTable } from "../../src/transport/ProcessTable.ts"
import * as chatDriver from "./chatDriver.ts"
import { assertNoProcessNaming } from "./CodexBench.ts"
import { ConformanceDriver } from "./ConformanceDriver.ts"
import * as FakeChat from "./FakeChat.ts"
import * as OmpHome from "./OmpHome.ts"

const decodeRecord = Schema.decodeEffect(Schema.fromJsonString(ChildRecord))

/** How the model is made to have omp do things, in omp's own default settings. */
export const dialect: chatDriver.Dialect = {
  command: (command) => ({ name: "bash", args: { command, i: "trying" } }),
  patch: { name: "write", args: { path: "a.txt", content: "hello\n", i: "writing" } }
}

export interface RpcOptions {
  /** More of omp's own settings. */
  readonly settings?: OmpHome.Options["settings"]
  /** Further files in omp's directory. */
  readonly files?: Readonly<Record<string, string>>
}

/** omp in child processes, with its driver. */
export const rpc = ({ files = {}, settings = {} }: RpcOptions = {}) =>
  Layer.unwrap(Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const chat = yield* FakeChat.FakeChat
    let root: string | undefined
    // The first finalizer to be added is the last to run.
    yield* Effect.addFinalizer(() => root === undefined ? Effect.void : assertNoProcessNaming(root))
    // Compactions are of short conversations here, and failures are told at once.
    const home = yield* OmpHome.make({
      baseUrl: chat.baseUrl,
      settings: { compaction: { keepRecentTokens: 1 }, retry: { enabled: false }, ...settings }
    })
    root = path.dirname(home.work)
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(home.agentDir, name)
      yield* fs.makeDirectory(path.dirname(file), { recursive: true })
      yield* fs.writeFileString(file, content)
    }
    const records = path.join(root, "children")

    /** Ends every omp at once, as a crash does. */
    const kill = Effect.gen(function*() {
      for (const name of yield* fs.readDirectory(records)) {
        const record = yield* Effect.flatMap(fs.readFileString(path.join(records, name)), decodeRecord)
        process.kill(record.child.pid, "SIGKILL")
      }
    }).pipe(Effect.orDie)

    const { bun, command, env, extendEnv } = home.options
    return Layer.merge(
      Layer.effect(
        ConformanceDriver,
        chatDriver.make({
          session: {
            cwd: home.work,
            model: home.options.model,
            approvalPolicy: "untrusted",
            sandbox: "workspace-write"
          },
          dialect,
          kill
        })
      ),
      OmpRpcBackend.layer({ bun, command, env, extendEnv }).pipe(
        Layer.provide(ChildRegistry.layer({ directory: records }))
      )
    )
  })).pipe(
    Layer.provideMerge(FakeChat.layer),
    Layer.provide(ProcessTable.layer),
    Layer.provide(NodeServices.layer)
  )

export const layerRpc = rpc()
