/**
 * The bridge beside the real server: `bun bench/bridge.ts`. The same client, machine and fake model; the bridge has the
 * real server behind it, so that what it adds is what it costs. It is the built command line, on Node; how long the
 * source takes to start on Bun is told besides.
 *
 * The real server keeps each thread in a file of its own, which it makes in some ten milliseconds: ten thousand of them
 * are listed by the bridge alone.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import * as ChildProcess from "effect/process/ChildProcess"
import { execFileSync } from "node:child_process"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { ThreadStore } from "../src/bridge/store/index.ts"
import { ProcessTable } from "../src/transport/ProcessTable.ts"
import * as CodexHome from "../test/support/CodexHome.ts"
import * as FakeResponses from "../test/support/FakeResponses.ts"
import * as ModelTurn from "../test/support/ModelTurn.ts"
import * as RecordedRequest from "../test/support/RecordedRequest.ts"
import { type BareClient, connect } from "./BareClient.ts"
import { create } from "./Threads.ts"

const deltas = 10_000
const manyThreads = 50
const watchers = 10
const starts = 10
const longHistory = 10_000
const historyTurns = 10
const longList = 10_000

const root = fileURLToPath(new URL("..", import.meta.url))
const node = `${root}node_modules/.bin/node`

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => typeof address === "object" && address !== null ? resolve(address.port) : reject(address))
    })
  })

const timed = async <A>(run: () => Promise<A>): Promise<readonly [ms: number, A]> => {
  const start = performance.now()
  const value = await run()
  return [performance.now() - start, value]
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Of some runs. */
const medianOf = async (run: () => Promise<unknown>, runs = 9): Promise<number> => {
  const times: Array<number> = []
  for (let nth = 0; nth < runs; nth++) times.push((await timed(run))[0])
  return median(times)
}

/** Resident memory in MiB: of a process, and of it with all that it has started. */
const resident = (pid: number): { readonly alone: number; readonly tree: number } => {
  const rows = execFileSync("ps", ["-e", "-o", "pid=,ppid=,rss="], { encoding: "utf8" }).trim().split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
  const tree = new Set([pid])
  // A parent may come behind its child in the list.
  for (let before = 0; before < tree.size;) {
    before = tree.size
    for (const [child = 0, parent = 0] of rows) if (tree.has(parent)) tree.add(child)
  }
  const sum = (fits: (pid: number) => boolean) =>
    rows.reduce((total, [each = 0, , kilobytes = 0]) => fits(each) ? total + kilobytes : total, 0) / 1024
  return { alone: sum((each) => each === pid), tree: sum((each) => tree.has(each)) }
}

type Figures = Record<string, number>

interface Server {
  readonly command: (listen: string) => readonly [program: string, ...args: ReadonlyArray<string>]
  readonly env: Readonly<Record<string, string>>
}

/** Runs a server for as long as somebody uses it. */
const running = <A>(
  { command, env }: Server,
  use: (url: string, pid: number) => Promise<A>
) =>
  Effect.scoped(Effect.gen(function*() {
    const url = `ws://127.0.0.1:${yield* Effect.promise(freePort)}`
    const [program, ...args] = command(url)
    const child = yield* ChildProcess.make(program, args, {
      env,
      extendEnv: false,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore"
    })
    return yield* Effect.promise(() => use(url, child.pid))
  }))

/** From the start of the process to the answer to `initialize`, each of them in each round. */
const startTimes = Effect.fnUntraced(function*(servers: ReadonlyArray<Server>) {
  const times = servers.map(() => new Array<number>())
  // The first round warms up.
  for (let round = -1; round < starts; round++) {
    for (const [index, server] of servers.entries()) {
      const start = performance.now()
      const ms = yield* running(server, async (url) => {
        const client = await connect(url, "bench")
        const ms = performance.now() - start
        client.close()
        return ms
      })
      if (round >= 0) times[index]?.push(ms)
    }
  }
  return times.map(median)
})

const talk = async (url: string, pid: number): Promise<Figures> => {
  const client = await connect(url, "bench")
  const threadStarts: Array<number> = []
  const firstDeltas: Array<number> = []
  let threadId = ""
  let one = resident(pid)
  for (let turn = 0; turn < manyThreads; turn++) {
    const [ms, id] = await timed(() => client.startThread())
    threadStarts.push(ms)
    threadId = id
    const ended = client.expect("turn/completed")
    const [first] = await timed(async () => {
      const delta = client.expect("item/agentMessage/delta")
      await client.call("turn/start", { threadId, input: [{ type: "text", text: "short", text_elements: [] }] })
      await delta
    })
    firstDeltas.push(first)
    await ended
    if (turn === 0) one = resident(pid)
  }
  const many = resident(pid)

  const stream = async (clients: ReadonlyArray<BareClient>) => {
    const [ms] = await timed(() =>
      Promise.all([
        client.turn(threadId, "long"),
        ...clients.filter((each) => each !== client).map((each) => each.expect("turn/completed"))
      ])
    )
    return deltas / ms * 1000
  }
  await stream([client])
  const alone = await stream([client])
  const others = await Promise.all(Array.from({ length: watchers - 1 }, (_, index) => connect(url, `watcher-${index}`)))
  await Promise.all(others.map((each) => each.call("thread/resume", { threadId, excludeTurns: true })))
  const together = await stream([client, ...others])
  for (const each of [client, ...others]) each.close()

  return {
    "thread/start, ms": median(threadStarts),
    "turn/start to first delta, ms": median(firstDeltas),
    "deltas a second, one client": alone,
    [`deltas a second, ${watchers} clients`]: together,
    "resident MiB, 1 thread": one.alone,
    "  with its children": one.tree,
    [`resident MiB, ${manyThreads} threads`]: many.alone,
    "  with its children, then": many.tree
  }
}

const history = async (url: string): Promise<string> => {
  const client = await connect(url, "bench")
  const threadId = await client.startThread()
  for (let turn = 0; turn < historyTurns; turn++) await client.turn(threadId, "items")
  client.close()
  return threadId
}

/** In a process that has not loaded the thread. */
const readHistory = async (url: string, threadId: string): Promise<Figures> => {
  const client = await connect(url, "bench")
  const [cold, resumed] = await timed(() => client.call("thread/resume", { threadId }))
  const { thread } = resumed as {
    readonly thread: { readonly turns: ReadonlyArray<{ readonly items: Array<unknown> }> }
  }
  const items = longHistory.toLocaleString("en")
  return {
    [`resume of ${items} items, first, ms`]: cold,
    "  items in the answer": thread.turns.reduce((sum, { items }) => sum + items.length, 0),
    [`resume of ${items} items, ms`]: await medianOf(() => client.call("thread/resume", { threadId })),
    "resume without them, ms": await medianOf(() => client.call("thread/resume", { threadId, excludeTurns: true })),
    "thread/items/list, last 100, ms": await medianOf(() =>
      client.call("thread/items/list", { threadId, sortDirection: "desc", limit: 100 })
    )
  }
}

const readList = async (url: string): Promise<Figures> => {
  const client = await connect(url, "bench")
  const threads = longList.toLocaleString("en")
  return {
    [`thread/list, 50 of ${threads}, ms`]: await medianOf(() => client.call("thread/list", { limit: 50 })),
    [`thread/list, 50 of ${threads} by search, ms`]: await medianOf(() =>
      client.call("thread/list", { limit: 50, searchTerm: "what does" })
    )
  }
}

const fillStore = Effect.fnUntraced(function*(home: CodexHome.CodexHome) {
  const path = yield* Path.Path
  const file = path.join(home.home, "bridge", "threads.sqlite")
  yield* ThreadStore.use((store) =>
    Effect.gen(function*() {
      for (let n = 0; n < longList; n++) yield* create(store, n, 2)
    })
  ).pipe(Effect.provide(ThreadStore.layer({ path: file })))
})

const shown = (value: number | undefined, digits: number, width: number): string =>
  (value === undefined ? "–" : value.toFixed(digits)).padStart(width)

const table = Effect.fnUntraced(function*(rows: ReadonlyArray<readonly [string, number | undefined, number]>) {
  for (const [name, codex, bridge] of rows) {
    const ratio = codex === undefined ? undefined : bridge / codex
    yield* Console.log(name.padEnd(42) + shown(codex, 1, 12) + shown(bridge, 1, 12) + shown(ratio, 2, 8))
  }
})

const beside = (codex: Figures, bridge: Figures) =>
  table(Object.entries(bridge).map(([name, value]) => [name, codex[name], value] as const))

const bridgeOf = (program: string, entry: string, { codexBin, env }: CodexHome.CodexHome): Server => ({
  command: (
    listen
  ) => [program, entry, "app-server", "--listen", listen, "--backend", "codex-app-server", "--agent-bin", codexBin],
  env
})

const main = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const words = Array.from({ length: deltas }, (_, index) => `word ${index} `)
  // One message of the user, and the rest of the agent.
  const messages = Array.from(
    { length: longHistory / historyTurns - 1 },
    (_, index) => ModelTurn.message([`message ${index}`])
  )
  const fake = yield* FakeResponses.make({
    fallback: (request) => {
      switch (RecordedRequest.userTexts(request).at(-1)) {
        case "long":
          return ModelTurn.text(...words)
        case "items":
          return ModelTurn.turn(messages)
        default:
          return ModelTurn.text("a", "b", "c")
      }
    }
  })
  const homes = yield* Effect.all({
    direct: CodexHome.make({ baseUrl: fake.baseUrl }),
    behind: CodexHome.make({ baseUrl: fake.baseUrl }),
    full: CodexHome.make({ baseUrl: fake.baseUrl })
  })
  const built = yield* fs.makeTempDirectoryScoped({ prefix: "bench-cli-" })
  execFileSync(node, [`${root}scripts/bundle-cli.ts`, built])

  const codex: Server = {
    command: (listen) => [homes.direct.codexBin, "app-server", "--listen", listen],
    env: homes.direct.env
  }
  const bridge = bridgeOf(node, `${built}/main.js`, homes.behind)
  const source = bridgeOf(process.execPath, `${root}src/cli/main.ts`, homes.behind)

  yield* Console.log(`${"".padEnd(42)}${"codex".padStart(12)}${"bridge".padStart(12)}${"ratio".padStart(8)}`)
  const [codexStart, bridgeStart = Number.NaN, sourceStart = Number.NaN] = yield* startTimes([codex, bridge, source])
  yield* table([
    ["start to initialize, ms", codexStart, bridgeStart],
    ["the same, from source on Bun", codexStart, sourceStart]
  ])
  yield* beside(yield* running(codex, talk), yield* running(bridge, talk))

  const threads = [yield* running(codex, history), yield* running(bridge, history)] as const
  yield* beside(
    yield* running(codex, (url) => readHistory(url, threads[0])),
    yield* running(bridge, (url) => readHistory(url, threads[1]))
  )

  yield* fillStore(homes.full)
  yield* beside({}, yield* running(bridgeOf(node, `${built}/main.js`, homes.full), readList))
})

await Effect.runPromise(
  main.pipe(Effect.scoped, Effect.provide(Layer.provideMerge(ProcessTable.layer, NodeServices.layer)))
)
process.exit()
