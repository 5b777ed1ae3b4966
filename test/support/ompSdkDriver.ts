/**
 * A real omp in this process before a fake model, and the driver of the conformance suite for it.
 *
 * omp belongs to the process that has loaded it, with one home: that of the first test. Only the directories to work in
 * are of each test.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Os from "node:os"
import * as OmpSdkBackend from "../../src/backends/omp/OmpSdkBackend.ts"
import { ProcessTable } from "../../src/transport/ProcessTable.ts"
import * as chatDriver from "./chatDriver.ts"
import { ConformanceDriver } from "./ConformanceDriver.ts"
import * as FakeChat from "./FakeChat.ts"
import { dialect } from "./ompDriver.ts"
import * as OmpHome from "./OmpHome.ts"

export const isBun = process.versions["bun"] !== undefined

/** A home for the whole process, and the model in front of it. */
export class OmpProcess extends Context.Service<OmpProcess, {
  readonly home: OmpHome.OmpHome
}>()("effect-codex-bridge/test/support/OmpProcess") {
  static readonly layer = Layer.effect(
    OmpProcess,
    Effect.gen(function*() {
      // Bun looks at HOME once, when the process begins.
      if (!Os.homedir().startsWith(Os.tmpdir())) {
        return yield* Effect.die(new Error("omp would write into the home of a person: use npm run test:bun"))
      }
      const chat = yield* FakeChat.FakeChat
      const home = yield* OmpHome.make({
        baseUrl: chat.baseUrl,
        settings: { compaction: { keepRecentTokens: 1 }, retry: { enabled: false } }
      })
      const { PATH: _path, TMPDIR: _temporary, ...env } = home.env
      Object.assign(process.env, env)
      return { home }
    })
  ).pipe(Layer.provideMerge(FakeChat.layer), Layer.provideMerge(NodeServices.layer))
}

const scope = Scope.makeUnsafe()
const memo = Layer.makeMemoMapUnsafe()

/** Removes what is there for the whole process. */
export const close = Scope.close(scope, Exit.void)

const shared = Layer.effectContext(Layer.buildWithMemoMap(OmpProcess.layer, memo, scope))

/** omp in this process, with its driver. */
export const layerSdk = Layer.unwrap(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  // It has to be set before omp is loaded.
  yield* OmpProcess
  const work = yield* Effect.flatMap(fs.makeTempDirectoryScoped({ prefix: "omp-work-" }), fs.realPath)
  const driver = chatDriver.make({
    session: { cwd: work, model: OmpHome.model, approvalPolicy: "untrusted", sandbox: "workspace-write" },
    dialect
  })
  return Layer.merge(Layer.effect(ConformanceDriver, driver), OmpSdkBackend.layer())
})).pipe(
  Layer.provide(ProcessTable.layer),
  Layer.provideMerge(shared)
)
