/**
 * What the tests of real Codex clients on a real omp are written with.
 */
import * as Effect from "effect/Effect"
import * as Path from "effect/Path"
import * as Fs from "node:fs"
import { dirname } from "node:path"
import { assertNoProcessNaming } from "../../support/CodexBench.ts"
import * as FakeChat from "../../support/FakeChat.ts"
import * as OmpHome from "../../support/OmpHome.ts"
import * as PiHome from "../../support/PiHome.ts"
import { bridge, world } from "./kit.ts"

/**
 * A model behind omp and Pi, whose directory is one, homes for them and for the bridge, and one for the client. All work
 * in one directory.
 */
export const ompWorld = Effect.gen(function*() {
  const path = yield* Path.Path
  let root: string | undefined
  // The first finalizer to be added is the last to run.
  yield* Effect.addFinalizer(() => root === undefined ? Effect.void : assertNoProcessNaming(root))
  const chat = yield* FakeChat.make
  const omp = yield* OmpHome.make({ baseUrl: chat.baseUrl, settings: { compaction: { keepRecentTokens: 1 } } })
  root = path.dirname(omp.work)
  yield* PiHome.configure(omp.agentDir, chat.baseUrl)
  const here = yield* world()
  const bun = dirname(OmpHome.bunProgram)
  const env = {
    ...here.home.env,
    ...omp.env,
    PI_OFFLINE: "1",
    PATH: `${bun}${path.sep === "/" ? ":" : ";"}${omp.env["PATH"]}`
  }
  return { ...here, home: { ...here.home, work: omp.work, env }, chat, omp }
})

export type OmpWorld = Effect.Success<typeof ompWorld>

/** The bridge with omp behind it. */
export const serve = (here: OmpWorld) => bridge(here, "omp-rpc", "unix", { agentBin: OmpHome.ompScript })

/** Pids of processes whose environment names `text` and whose command line has `word` in it. */
export const processesNaming = (text: string, word: string): Effect.Effect<ReadonlyArray<number>> =>
  Effect.sync(() =>
    Fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)).filter((pid) => {
      try {
        return Fs.readFileSync(`/proc/${pid}/environ`, "utf8").includes(text) &&
          Fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word)
      } catch {
        // It has ended meanwhile, or is somebody else's.
        return false
      }
    }).map(Number)
  )
