/**
 * omp in process beside its bare SDK: `bun bench/omp-sdk.ts [rounds]`. Each round has one process of each, with the
 * same home, before a model that speaks in pieces, 10 ms apart.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as ChildProcess from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as FakeChat from "../test/support/FakeChat.ts"
import * as OmpHome from "../test/support/OmpHome.ts"
import type { Measured } from "./programs/omp-sdk.ts"

const rounds = Number(process.argv[2] ?? 5)
const turns = 20

const program = fileURLToPath(new URL("programs/omp-sdk.ts", import.meta.url))
const execFile = promisify(ChildProcess.execFile)

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const rows: ReadonlyArray<readonly [name: string, of: (measured: Measured) => number]> = [
  ["first session open, ms", ({ open }) => open],
  ["first prompt to first delta, ms", ({ first }) => first[0] ?? Number.NaN],
  ["later prompts to first delta, ms", ({ first }) => median(first.slice(1))],
  ["later prompts to the end, ms", ({ whole }) => median(whole.slice(1))],
  [`memory after ${turns} turns, MB`, ({ rss }) => rss]
]

await Effect.gen(function*() {
  const chat = yield* FakeChat.make
  yield* chat.fallback(() => ({ text: ["Slowly, ", "and in ", "three parts."], delay: "10 millis" }))
  const home = yield* OmpHome.make({ baseUrl: chat.baseUrl })
  const run = Effect.fnUntraced(function*(which: "bare" | "ours") {
    const args = [program, which, home.work, OmpHome.model, String(turns)]
    const { stdout } = yield* Effect.promise(() => execFile(OmpHome.bunProgram, args, { env: home.env }))
    const measured: Measured = JSON.parse(stdout.trim().split("\n").at(-1) ?? "")
    return measured
  })
  const bare: Array<Measured> = []
  const ours: Array<Measured> = []
  // A round that warms up, and counts for nothing.
  for (let round = -1; round < rounds; round++) {
    const measured = [yield* run("bare"), yield* run("ours")] as const
    if (round < 0) continue
    bare.push(measured[0])
    ours.push(measured[1])
  }
  yield* Console.log(`omp in process, ${turns} turns (${rounds} rounds, medians)`)
  yield* Console.log(`${"".padEnd(36)}${"bare SDK".padStart(12)}${"omp-sdk".padStart(12)}`)
  for (const [name, of] of rows) {
    const shown = [bare, ours].map((each) => median(each.map(of)).toFixed(1).padStart(12))
    yield* Console.log(name.padEnd(36) + shown.join(""))
  }
}).pipe(
  Effect.scoped,
  Effect.provide(NodeServices.layer),
  Effect.runPromise
)
