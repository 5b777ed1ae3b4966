/**
 * Pi in process and omp in a child process, each beside the bare agent: `bun bench/agents.ts [rounds]`. Each round has
 * one process of each, with the same home, before a model that speaks in pieces, 10 ms apart.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as ChildProcess from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as FakeChat from "../test/support/FakeChat.ts"
import * as OmpHome from "../test/support/OmpHome.ts"
import * as PiHome from "../test/support/PiHome.ts"
import type { Measured } from "./programs/agents.ts"

const rounds = Number(process.argv[2] ?? 3)
const turns = 20

const program = fileURLToPath(new URL("programs/agents.ts", import.meta.url))
const execFile = promisify(ChildProcess.execFile)

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const rows: ReadonlyArray<readonly [name: string, of: (measured: Measured) => number]> = [
  ["session open, ms", ({ open }) => open],
  ["first prompt to first delta, ms", ({ first }) => first[0] ?? Number.NaN],
  ["later prompts to first delta, ms", ({ first }) => median(first.slice(1))],
  ["interrupt to the end of the turn, ms", ({ interrupt }) => median(interrupt)],
  ["the slowest of them, ms", ({ interrupt }) => Math.max(...interrupt)],
  [`memory after ${turns} turns, MB`, ({ rss }) => rss]
]

await Effect.gen(function*() {
  const chat = yield* FakeChat.make
  yield* chat.fallback((request) => ({
    text: ["Slowly, ", "and in ", "three parts."],
    delay: "10 millis",
    ...(FakeChat.textsOf(request, "user").at(-1)?.endsWith("Stay") === true ? { hang: true } : {})
  }))
  const home = yield* OmpHome.make({ baseUrl: chat.baseUrl })
  yield* PiHome.configure(home.agentDir, chat.baseUrl)
  const env = { ...home.env, PI_OFFLINE: "1", BUN: OmpHome.bunProgram }
  const run = Effect.fnUntraced(function*(agent: string, which: "bare" | "ours") {
    const args = [program, agent, which, home.work, String(turns), OmpHome.ompScript]
    const { stdout } = yield* Effect.promise(() => execFile(OmpHome.bunProgram, args, { env }))
    const measured: Measured = JSON.parse(stdout.trim().split("\n").at(-1) ?? "")
    return measured
  })
  for (const [agent, bareName] of [["pi", "bare SDK"], ["omp-rpc", "bare RPC"]] as const) {
    const bare: Array<Measured> = []
    const ours: Array<Measured> = []
    // A round that warms up, and counts for nothing.
    for (let round = -1; round < rounds; round++) {
      const measured = [yield* run(agent, "bare"), yield* run(agent, "ours")] as const
      if (round < 0) continue
      bare.push(measured[0])
      ours.push(measured[1])
    }
    yield* Console.log(`${agent}, ${turns} turns (${rounds} rounds, medians)`)
    yield* Console.log(`${"".padEnd(38)}${bareName.padStart(12)}${agent.padStart(12)}`)
    for (const [name, of] of rows) {
      const shown = [bare, ours].map((each) => median(each.map(of)).toFixed(1).padStart(12))
      yield* Console.log(name.padEnd(38) + shown.join(""))
    }
  }
}).pipe(
  Effect.scoped,
  Effect.provide(NodeServices.layer),
  Effect.runPromise
)
