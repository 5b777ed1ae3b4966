/**
 * The bridge beside the real server: `bun bench/bridge.ts`. The same client, machine and fake model; the bridge has the
 * real server behind it, so that what it adds is what it costs.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as ChildProcess from "effect/process/ChildProcess"
import { execFileSync } from "node:child_process"
import { createServer } from "node:net"
import { setTimeout } from "node:timers/promises"
import { WebSocket } from "ws"
import * as CodexHome from "../test/support/CodexHome.ts"
import * as FakeResponses from "../test/support/FakeResponses.ts"
import * as ModelTurn from "../test/support/ModelTurn.ts"
import * as RecordedRequest from "../test/support/RecordedRequest.ts"

const deltas = 10_000
const turns = 15
const watchers = 10

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: { readonly thread?: { readonly id: string } }
  readonly error?: { readonly message: string }
}

/** The least that a client can be. */
class Client {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (message: Message) => void>()
  readonly #expected: Array<{ readonly method: string; left: number; readonly done: () => void }> = []
  #nextId = 0

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on("message", (data) => this.#arrived(JSON.parse(String(data))))
  }

  call(method: string, params: unknown): Promise<Message> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(
        id,
        (message) =>
          message.error === undefined ? resolve(message) : reject(new Error(`${method}: ${message.error.message}`))
      )
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }

  /** Waits for so many notifications of a kind. */
  expect(method: string, count = 1): Promise<void> {
    return new Promise((done) => this.#expected.push({ method, left: count, done }))
  }

  close(): void {
    this.#socket.close()
  }

  #arrived(message: Message): void {
    if (message.method === undefined) {
      if (message.id !== undefined) this.#waiting.get(message.id)?.(message)
      return
    }
    const index = this.#expected.findIndex(({ method }) => method === message.method)
    const expected = this.#expected[index]
    if (expected === undefined || --expected.left > 0) return
    this.#expected.splice(index, 1)
    expected.done()
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => typeof address === "object" && address !== null ? resolve(address.port) : reject(address))
    })
  })

const open = (url: string): Promise<WebSocket | undefined> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    socket.on("open", () => resolve(socket)).on("error", () => resolve(undefined))
  })

const connect = async (url: string, name: string): Promise<Client> => {
  // The server is starting: what is measured is how long that takes.
  for (;;) {
    const socket = await open(url)
    if (socket === undefined) {
      await setTimeout(2)
      continue
    }
    const client = new Client(socket)
    await client.call("initialize", {
      clientInfo: { name, version: "1" },
      capabilities: { experimentalApi: true }
    })
    return client
  }
}

const timed = async <A>(run: () => Promise<A>): Promise<readonly [ms: number, A]> => {
  const start = performance.now()
  const value = await run()
  return [performance.now() - start, value]
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const residentMiB = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024

type Figures = Record<string, number>

const input = (text: string) => [{ type: "text", text, text_elements: [] }]

const measure = async (url: string, pid: number): Promise<Figures> => {
  const [started, client] = await timed(() => connect(url, "bench"))
  const start = async () => (await client.call("thread/start", { cwd: "/" })).result?.thread?.id ?? ""

  const threadStarts: Array<number> = []
  const firstDeltas: Array<number> = []
  let threadId = ""
  for (let turn = 0; turn < turns; turn++) {
    const [ms, id] = await timed(start)
    threadStarts.push(ms)
    threadId = id
    const ended = client.expect("turn/completed")
    const [first] = await timed(async () => {
      const delta = client.expect("item/agentMessage/delta")
      await client.call("turn/start", { threadId, input: input("short") })
      await delta
    })
    firstDeltas.push(first)
    await ended
  }
  const resident = residentMiB(pid)

  const stream = async (clients: ReadonlyArray<Client>) => {
    const [ms] = await timed(async () => {
      const ended = clients.map((each) => each.expect("turn/completed"))
      await client.call("turn/start", { threadId, input: input("long") })
      await Promise.all(ended)
    })
    return deltas / ms * 1000
  }
  await stream([client])
  const alone = await stream([client])
  const others = await Promise.all(Array.from({ length: watchers - 1 }, (_, index) => connect(url, `watcher-${index}`)))
  await Promise.all(others.map((each) => each.call("thread/resume", { threadId, excludeTurns: true })))
  const together = await stream([client, ...others])
  for (const each of [client, ...others]) each.close()

  return {
    "start to initialize, ms": started,
    "thread/start, ms": median(threadStarts),
    "turn/start to first delta, ms": median(firstDeltas),
    "deltas a second, one client": alone,
    [`deltas a second, ${watchers} clients`]: together,
    [`resident MiB, ${turns} threads`]: resident
  }
}

const server = Effect.fnUntraced(function*(
  command: (listen: string) => ReadonlyArray<string>,
  env: Readonly<Record<string, string>>
) {
  const url = `ws://127.0.0.1:${yield* Effect.promise(freePort)}`
  const [program = "", ...args] = command(url)
  const child = yield* ChildProcess.make(program, args, {
    env,
    extendEnv: false,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore"
  })
  return yield* Effect.promise(() => measure(url, child.pid))
}, Effect.scoped)

const main = Effect.gen(function*() {
  const words = Array.from({ length: deltas }, (_, index) => `word ${index} `)
  const fake = yield* FakeResponses.make({
    fallback: (request) =>
      RecordedRequest.userTexts(request).at(-1) === "long" ? ModelTurn.text(...words) : ModelTurn.text("a", "b", "c")
  })
  const direct = yield* CodexHome.make({ baseUrl: fake.baseUrl })
  const behind = yield* CodexHome.make({ baseUrl: fake.baseUrl })
  const entry = new URL("../src/cli/main.ts", import.meta.url).pathname

  const codex = yield* server((listen) => [direct.codexBin, "app-server", "--listen", listen], direct.env)
  const bridge = yield* server(
    (listen) =>
      [process.execPath, entry, "app-server", "--listen", listen].concat(
        ["--backend", "codex-app-server", "--agent-bin", behind.codexBin]
      ),
    behind.env
  )

  yield* Console.log(`${"".padEnd(36)}${"codex".padStart(12)}${"bridge".padStart(12)}${"ratio".padStart(8)}`)
  for (const [name, value] of Object.entries(codex)) {
    const own = bridge[name] ?? Number.NaN
    yield* Console.log(
      name.padEnd(36) + value.toFixed(1).padStart(12) + own.toFixed(1).padStart(12) +
        (own / value).toFixed(2).padStart(8)
    )
  }
})

await Effect.runPromise(main.pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
process.exit()
