/**
 * What it costs to read a long answer of omp's, whose updates repeat the whole message: `bun bench/omp.ts [rounds]`, or
 * with `node`.
 *
 * A child process writes the stream of 2,000 deltas. The base is the least that anybody could do with it: to take the
 * bytes off the pipe and to look at none.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Stream from "effect/Stream"
import * as ChildProcess from "node:child_process"
import * as RpcPeer from "../src/backends/omp/internal/RpcPeer.ts"
import * as RpcTrim from "../src/backends/omp/internal/RpcTrim.ts"
import * as ChildTransport from "../src/transport/ChildTransport.ts"
import { compare } from "./Measure.ts"

const rounds = Number(process.argv[2] ?? 5)
const deltas = 2000

const runtime = process.versions["bun"] === undefined
  ? `Node ${process.versions.node}`
  : `Bun ${process.versions["bun"]}`

const texts = {
  "in ASCII": "The quick \"brown\" fox\njumps over the lazy dog, and goes on to see: `what else` there is.\n".split(
    " "
  ),
  "with other characters": "Der schnelle „braune“ Fuchs\nspringt über den faulen Hund — und läuft weiter …\n".split(" ")
}

/** The updates as omp writes them: what is new, the message so far, and the message so far. */
function* updates(words: ReadonlyArray<string>) {
  let text = ""
  for (let index = 0; index < deltas; index++) {
    const delta = `${words[index % words.length]} ${index} and so on, again `
    text += delta
    const message = {
      role: "assistant",
      content: [{ type: "text", text }],
      api: "openai-completions",
      provider: "fake",
      model: "fake-1",
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
      stopReason: "stop",
      timestamp: 1_700_000_000_000
    }
    const assistantMessageEvent = { type: "text_delta", contentIndex: 0, delta, partial: message }
    yield `${JSON.stringify({ type: "message_update", assistantMessageEvent, message })}\n`
  }
}

const bare = (file: string) =>
  Effect.callback<number>((resume) => {
    const child = ChildProcess.spawn("cat", [file], { stdio: ["ignore", "pipe", "ignore"] })
    let bytes = 0
    child.stdout.on("data", (chunk: Uint8Array) => {
      bytes += chunk.length
    })
    child.once("close", () => resume(Effect.succeed(bytes)))
  })

const transport = (file: string) => ChildTransport.make({ command: "cat", args: [file] })

/** Every line as a whole. */
const parsed = (file: string) =>
  Effect.scoped(Effect.gen(function*() {
    const { receive } = yield* transport(file)
    let seen = 0
    yield* receive.pipe(
      Effect.map((lines) => {
        for (const line of lines) {
          if (JSON.parse(String(line)).type === "message_update") seen += 1
        }
      }),
      Effect.forever,
      Effect.ignore
    )
    return seen
  }))

const ours = (file: string) =>
  Effect.scoped(Effect.gen(function*() {
    const spawner = RpcTrim.spawner(yield* ChildProcessSpawner)
    const trimmed = yield* Effect.provideService(transport(file), ChildProcessSpawner, spawner)
    const peer = yield* RpcPeer.make(trimmed, {
      onDialog: () => Effect.succeed({ _tag: "Cancelled" }),
      onHostTool: () => Effect.succeed({ content: [] })
    })
    let seen = 0
    yield* peer.events.pipe(
      Stream.runForEachArray((events) =>
        Effect.sync(() => {
          seen += events.length
        })
      ),
      Effect.ignore
    )
    if (seen !== deltas) return yield* Effect.die(`${seen} deltas were read`)
    return seen
  }))

await Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  yield* Console.log(`${runtime}, ${process.platform} ${process.arch}`)
  for (const [name, words] of Object.entries(texts)) {
    const file = yield* fs.makeTempFileScoped()
    yield* Stream.fromIterable(updates(words)).pipe(Stream.encodeText, Stream.run(fs.sink(file)))
    const { size } = yield* fs.stat(file)
    const title = `${deltas} deltas of omp ${name}, ${(Number(size) / 1e6).toFixed(0)} MB from a child process`
    yield* compare(title, "delta", rounds, [
      { name: "bytes off the pipe, and nothing else", count: deltas, run: bare(file) },
      { name: "OmpRpc: events", count: deltas, run: Effect.orDie(ours(file)) },
      { name: "each line parsed as a whole", count: deltas, run: Effect.orDie(parsed(file)) }
    ])
  }
}).pipe(
  Effect.scoped,
  Effect.provide(NodeServices.layer),
  Effect.runPromise
)
