/**
 * What framing costs: against a bare split and decode, for lines of growing length, and through a child process.
 *
 * Run with `node bench/framing.ts` or `bun bench/framing.ts`.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { fileURLToPath } from "node:url"
import * as ChildTransport from "../src/transport/ChildTransport.ts"
import * as JsonLines from "../src/transport/JsonLines.ts"

const mebibyte = 1024 * 1024
const chunkSize = 64 * 1024

const delta = JSON.stringify({
  method: "item/agentMessage/delta",
  params: { threadId: "t".repeat(36), turnId: "u".repeat(36), itemId: "i".repeat(36), delta: "some words" },
  emittedAtMs: 1_700_000_000_000
})

const cut = (bytes: Uint8Array, size: number): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size))

const frame = (chunks: ReadonlyArray<Uint8Array>): number => {
  const framer = JsonLines.make()
  let frames = 0
  for (const chunk of chunks) frames += framer.push(chunk).length
  return frames + framer.end().length
}

const splitAndDecode = (chunks: ReadonlyArray<Uint8Array>): number => {
  const decoder = new TextDecoder()
  let frames = 0
  let rest = ""
  for (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    frames += lines.length
  }
  return frames
}

/** The best of several runs, in milliseconds: the machine is shared. */
const measure = (runs: number, body: () => unknown) =>
  Effect.gen(function*() {
    let best = Number.POSITIVE_INFINITY
    for (let i = 0; i < runs; i++) {
      const [duration] = yield* Effect.timed(Effect.sync(body))
      best = Math.min(best, Duration.toMillis(duration))
    }
    return best
  })

const short = Effect.gen(function*() {
  const lines = 200_000
  const bytes = new TextEncoder().encode(`${delta}\n`.repeat(lines))
  const chunks = cut(bytes, chunkSize)
  for (const [name, body] of [["JsonLines", frame], ["split and decode", splitAndDecode]] as const) {
    const millis = yield* measure(8, () => body(chunks))
    yield* Console.log(
      `${name}: ${(bytes.length / millis / 1000).toFixed(0)} MB/s, ${(millis * 1e6 / lines).toFixed(0)} ns a line`
    )
  }
})

const long = Effect.gen(function*() {
  const perMebibyte = Effect.fnUntraced(function*(size: number) {
    const bytes = new TextEncoder().encode(`{"text":"${"x".repeat(size * mebibyte)}"}\n`)
    const chunks = cut(bytes, 8 * 1024)
    return (yield* measure(8, () => frame(chunks))) / size
  })
  const small = yield* perMebibyte(2)
  const large = yield* perMebibyte(32)
  yield* Console.log(
    `one line in 8 KiB chunks: ${small.toFixed(2)} ms a MiB for 2 MiB, ${large.toFixed(2)} for 32 MiB, ` +
      `ratio ${(large / small).toFixed(2)} (1 is linear)`
  )
})

const child = Effect.gen(function*() {
  const lines = 1_000_000
  const fixture = fileURLToPath(new URL("../test/transport/fixtures/child.mjs", import.meta.url))
  const [duration, received] = yield* Effect.timed(Effect.scoped(Effect.gen(function*() {
    const transport = yield* ChildTransport.make({ command: process.execPath, args: [fixture, "flood", String(lines)] })
    let received = 0
    yield* transport.receive.pipe(
      Effect.map((frames) => {
        received += frames.length
      }),
      Effect.forever,
      Effect.ignore
    )
    return received
  })))
  yield* Console.log(
    `child process: ${received} lines received, ${(Duration.toMillis(duration) * 1e6 / lines).toFixed(0)} ns a line ` +
      "with its start and what it takes to print them"
  )
})

await short.pipe(
  Effect.andThen(long),
  Effect.andThen(child),
  Effect.provide(NodeServices.layer),
  Effect.runPromise
)
