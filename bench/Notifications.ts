/**
 * What it costs to bring a delta from the wire to the reader of a turn.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import type * as Arr from "effect/Array"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { fileURLToPath } from "node:url"
import { AgentBackend, type AgentSession } from "../src/agent/AgentBackend.ts"
import { AppServer, CodexBackend } from "../src/backends/codex/index.ts"
import { ClientPeer } from "../src/peer/index.ts"
import * as ChildTransport from "../src/transport/ChildTransport.ts"
import type { TransportService } from "../src/transport/Transport.ts"
import type { TransportError } from "../src/transport/TransportError.ts"
import { deltaLines, linesOfRound, linesOfTurn } from "./lines.ts"
import { compare } from "./Measure.ts"

const flood = fileURLToPath(new URL("./programs/flood.ts", import.meta.url))

/** Lines of one read of 64 KiB. */
const batch = 256

/** So many times eight messages, each of them new. */
const prepared: ReadonlyArray<ReadonlyArray<string>> = Array.from({ length: 25 }, (_, round) => linesOfRound(round))

type Batch = Arr.NonEmptyReadonlyArray<string>

const batchesOf = function*(rounds: Iterable<ReadonlyArray<string>>): Generator<Batch> {
  for (const lines of rounds) {
    for (let at = 0; at < lines.length; at += batch) {
      const [first, ...more] = lines.slice(at, at + batch)
      if (first !== undefined) yield [first, ...more]
    }
  }
}

/** Rounds that are made when they are needed. */
const roundsOf = function*(count: number): Generator<ReadonlyArray<string>> {
  for (let round = 0; round < count; round++) yield linesOfRound(round)
}

/** A connection whose server says the lines of a turn, in batches as they come from a pipe. */
const canned = (rounds: Iterable<ReadonlyArray<string>>): Effect.Effect<TransportService> =>
  Effect.sync(() => {
    const { after, answers, before } = linesOfTurn
    let waiting: Array<string> = []
    let flood: Generator<Batch> | undefined
    let wake: (() => void) | undefined
    const receive: Effect.Effect<Batch> = Effect.suspend(() => {
      const [first, ...more] = waiting
      waiting = []
      if (first !== undefined) return Effect.succeed([first, ...more])
      const next = flood?.next()
      // Something else has its turn between two reads of a pipe.
      if (next?.done === false) return Effect.as(Effect.yieldNow, next.value)
      if (flood !== undefined) {
        flood = undefined
        waiting = [...after]
        return receive
      }
      return Effect.callback((resume) => {
        wake = () => resume(receive)
      })
    })
    return {
      target: "lines",
      receive,
      send: (frames) =>
        Effect.sync(() => {
          for (const frame of frames) {
            const { id, method = "" }: { readonly id?: unknown; readonly method?: string } = JSON.parse(frame)
            const result = answers[method]
            if (result !== undefined) waiting.push(JSON.stringify({ id, result }))
            if (method !== "turn/start") continue
            waiting.push(...before)
            flood = batchesOf(rounds)
          }
          const resume = wake
          wake = undefined
          resume?.()
        })
    }
  })

/** A session on the backend over such a connection. */
const sessionOver = Effect.fnUntraced(
  function*<R>(connect: Effect.Effect<TransportService, TransportError, R | Scope.Scope>) {
    const services = yield* Effect.context<R>()
    const server = AppServer.layerTransport(Effect.provideContext(connect, services))
    const context = yield* Layer.build(Layer.provide(CodexBackend.layerAppServer, server))
    return yield* Context.get(context, AgentBackend).openSession({})
  }
)

/** Runs one turn and counts what its reader gets. */
const oneTurn = (session: AgentSession) =>
  Effect.scoped(Effect.gen(function*() {
    const turn = yield* session.startTurn({ input: [{ _tag: "Text", text: "go" }] })
    let deltas = 0
    let characters = 0
    yield* turn.events.pipe(Stream.runForEachArray((events) =>
      Effect.sync(() => {
        for (const event of events) {
          if (event._tag !== "ItemDelta") continue
          deltas++
          characters += event.delta.length
        }
      })
    ))
    return { deltas, characters }
  }))

const fromMemory = (rounds: Iterable<ReadonlyArray<string>>) =>
  Effect.scoped(Effect.flatMap(sessionOver(canned(rounds)), oneTurn))

const child = (deltas: number) => ChildTransport.make({ command: process.execPath, args: [flood, String(deltas)] })

/** The least that a reader of the process can do: frame, parse, look at the method. */
const bareReader = Effect.fnUntraced(function*(transport: TransportService) {
  let completed = yield* Deferred.make<void>()
  yield* transport.receive.pipe(
    Effect.map((frames) => {
      for (const frame of frames) {
        if (typeof frame !== "string") continue
        const { method }: { readonly method?: string } = JSON.parse(frame)
        if (method === "turn/completed") Deferred.doneUnsafe(completed, Effect.void)
      }
    }),
    Effect.forever,
    Effect.ignore,
    Effect.forkScoped
  )
  return {
    turn: Effect.suspend(() => {
      completed = Deferred.makeUnsafe<void>()
      return Effect.andThen(
        transport.send([JSON.stringify({ id: 1, method: "turn/start", params: {} })]),
        Deferred.await(completed)
      )
    })
  }
})

const parseOnly = Effect.sync(() => {
  let methods = 0
  for (const lines of prepared) {
    for (const line of lines) {
      const { method }: { readonly method: string } = JSON.parse(line)
      methods += method.length
    }
  }
  return methods
})

/** The peer alone: parsed, checked, handed over. */
const peerOnly = Effect.scoped(Effect.gen(function*() {
  const transport = yield* canned(prepared)
  const done = yield* Deferred.make<void>()
  let seen = 0
  const peer = yield* ClientPeer.make(transport, {
    onNotification: ({ method }) => {
      seen++
      if (method === "turn/completed") Deferred.doneUnsafe(done, Effect.void)
    },
    onUnrecognized: () => {},
    onRequest: () => Effect.succeed({}),
    onDiagnostic: () => {}
  })
  yield* peer.request("turn/start", { threadId: "t", input: [] })
  yield* Deferred.await(done)
  return seen
}))

const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MiB`

/** After a collection, where the runtime offers one. */
const memory = Effect.sync(() => {
  const bun: unknown = Reflect.get(globalThis, "Bun")
  if (Predicate.hasProperty(bun, "gc") && Predicate.isFunction(bun.gc)) bun.gc(true)
  const { heapUsed, rss } = process.memoryUsage()
  return { heapUsed, rss }
})

const flat = 64 * 1024 * 1024

export const notifications = Effect.fnUntraced(function*(rounds: number) {
  const count = prepared.length * deltaLines.length
  const lines = `${count.toLocaleString("en")} lines`
  yield* compare(`Deltas, ${lines} from memory`, "line", rounds, [
    { name: "JSON.parse in a loop", count, run: parseOnly },
    { name: "peer: envelope, schema, dispatch", count, run: Effect.orDie(peerOnly) },
    { name: "codex backend: to the reader of the turn", count, run: Effect.orDie(fromMemory(prepared)) }
  ])
  yield* Effect.scoped(Effect.gen(function*() {
    const reader = yield* bareReader(yield* child(count))
    const session = yield* sessionOver(child(count))
    yield* compare(`Deltas, ${lines} from a child process`, "line", rounds, [
      { name: "JSON.parse in a loop, from memory", count, run: parseOnly },
      { name: "child process, JSON.parse", count, run: Effect.orDie(reader.turn) },
      { name: "child process, codex backend", count, run: Effect.orDie(oneTurn(session)) }
    ])
  }))

  yield* fromMemory(prepared)
  const before = yield* memory
  const { deltas } = yield* fromMemory(roundsOf(126))
  const after = yield* memory
  yield* Console.log(
    `\nMemory over ${deltas.toLocaleString("en")} deltas: ` +
      `heap ${mebibytes(before.heapUsed)} -> ${mebibytes(after.heapUsed)}, ` +
      `RSS ${mebibytes(before.rss)} -> ${mebibytes(after.rss)}: ` +
      (after.heapUsed - before.heapUsed < flat ? "flat" : "NOT FLAT")
  )
}, Effect.provide(NodeServices.layer))
