/**
 * One run of `bench/agents.ts` in a process of its own: prints a {@link Measured} as JSON.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as ChildProcess from "node:child_process"
import * as Readline from "node:readline"
import type { Readable, Writable } from "node:stream"
import { AgentBackend } from "../../src/agent/AgentBackend.ts"
import * as OmpNode from "../../src/backends/omp/OmpNode.ts"
import * as PiBackend from "../../src/backends/pi/PiBackend.ts"
import { ProcessTable } from "../../src/transport/ProcessTable.ts"

/** Milliseconds, and MB of this process and all it has started. */
export interface Measured {
  readonly open: number
  readonly first: ReadonlyArray<number>
  readonly interrupt: ReadonlyArray<number>
  readonly rss: number
}

/** What a way of running turns has to offer. */
interface Driver {
  readonly open: () => Promise<void>
  /** Runs a turn; `onDelta` is called at its first text. */
  readonly run: (prompt: string, onDelta: () => void) => Promise<void>
  readonly interrupt: () => Promise<void>
  readonly close: () => Promise<void>
}

const [, , agent = "", which = "", cwd = "", turns = "20", ompScript = ""] = process.argv

const model = "fake/fake-1"

const agentDirectory = process.env["PI_CODING_AGENT_DIR"] ?? ""

const ours = (): Driver => {
  const layer = agent === "pi"
    ? PiBackend.layer().pipe(Layer.provide(ProcessTable.layer), Layer.provide(NodeServices.layer))
    : OmpNode.layer({ command: ompScript, bun: process.env["BUN"], childrenDirectory: `${agentDirectory}/children` })
  let session: Effect.Success<ReturnType<AgentBackend["Service"]["openSession"]>>
  let stop: Effect.Effect<unknown>
  let end: (() => void) | undefined
  return {
    open: () =>
      new Promise((resolve, reject) => {
        Effect.gen(function*() {
          const backend = yield* AgentBackend
          session = yield* backend.openSession({ cwd, model })
          resolve()
          yield* Effect.callback<void>((resume) => {
            end = () => resume(Effect.void)
          })
        }).pipe(Effect.scoped, Effect.provide(layer), Effect.runPromise).catch(reject)
      }),
    run: (text, onDelta) =>
      Effect.gen(function*() {
        const turn = yield* session.startTurn({ input: [{ _tag: "Text", text }] })
        stop = turn.interrupt
        yield* Stream.runForEach(turn.events, (event) =>
          Effect.sync(() => {
            if (event._tag === "ItemDelta") onDelta()
          }))
      }).pipe(Effect.scoped, Effect.runPromise),
    interrupt: () => Effect.runPromise(Effect.asVoid(stop)),
    close: () => Promise.resolve(end?.())
  }
}

const barePi = async (): Promise<Driver> => {
  const sdk = await import("@mariozechner/pi-coding-agent")
  let session: Awaited<ReturnType<typeof sdk.createAgentSession>>["session"]
  return {
    open: async () => {
      const auth = sdk.AuthStorage.create(`${agentDirectory}/auth.json`)
      const models = sdk.ModelRegistry.create(auth, `${agentDirectory}/models.json`)
      const made = await sdk.createAgentSession({
        cwd,
        agentDir: agentDirectory,
        authStorage: auth,
        modelRegistry: models,
        sessionManager: sdk.SessionManager.create(cwd, `${agentDirectory}/bare`)
      })
      session = made.session
    },
    run: async (text, onDelta) => {
      const unsubscribe = session.subscribe((event) => {
        if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta") onDelta()
      })
      await session.prompt(text)
      unsubscribe()
    },
    interrupt: () => session.abort(),
    close: async () => session.dispose()
  }
}

const bareOmp = (): Driver => {
  let child: ChildProcess.ChildProcessByStdio<Writable, Readable, null>
  let listen: ((line: string) => void) | undefined
  const send = (command: object) => void child.stdin.write(`${JSON.stringify(command)}\n`)
  const until = (fits: (line: string) => boolean, each: (line: string) => void = () => {}) =>
    new Promise<void>((resolve) => {
      listen = (line) => {
        each(line)
        if (fits(line)) resolve()
      }
    })
  return {
    open: async () => {
      child = ChildProcess.spawn(process.env["BUN"] ?? "bun", [ompScript, "--mode", "rpc", "--model", model], {
        cwd,
        stdio: ["pipe", "pipe", "ignore"]
      })
      Readline.createInterface({ input: child.stdout }).on("line", (line) => listen?.(line))
      await until((line) => line.includes("\"ready\""))
      send({ id: "s", type: "get_state" })
      await until((line) => line.includes("\"id\":\"s\""))
    },
    run: async (message, onDelta) => {
      send({ id: "p", type: "prompt", message })
      await until(
        (line) => line.startsWith("{\"type\":\"agent_end\""),
        (line) => {
          if (line.startsWith("{\"type\":\"message_update\"") && line.slice(0, 100).includes("text_delta")) onDelta()
        }
      )
    },
    interrupt: async () => send({ id: "a", type: "abort" }),
    close: async () => {
      child.stdin.end()
    }
  }
}

const at = performance.now()
const driver = which === "ours" ? ours() : agent === "pi" ? await barePi() : bareOmp()
await driver.open()
const open = performance.now() - at

const first: Array<number> = []
for (let turn = 0; turn < Number(turns); turn++) {
  const begun = performance.now()
  let isSeen = false
  await driver.run("Speak", () => {
    if (!isSeen) first.push(performance.now() - begun)
    isSeen = true
  })
}

const interrupt: Array<number> = []
for (let turn = 0; turn < 10; turn++) {
  let begun = 0
  await driver.run("Stay", () => {
    if (begun !== 0) return
    begun = performance.now()
    void driver.interrupt()
  })
  interrupt.push(performance.now() - begun)
}

/** Of this process and its descendants. */
const resident = (): number => {
  const rows = ChildProcess.execFileSync("ps", ["-eo", "pid=,ppid=,rss="], { encoding: "utf8" }).trim().split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
  const family = new Set([process.pid])
  for (let grown = true; grown;) {
    grown = false
    for (const [pid = 0, parent = 0] of rows) {
      if (!family.has(parent) || family.has(pid)) continue
      family.add(pid)
      grown = true
    }
  }
  return rows.reduce((sum, [pid = 0, , rss = 0]) => family.has(pid) ? sum + rss : sum, 0) / 1024
}

const measured: Measured = { open, first, interrupt, rss: resident() }
process.stdout.write(`${JSON.stringify(measured)}\n`)
await driver.close()
process.exit(0)
