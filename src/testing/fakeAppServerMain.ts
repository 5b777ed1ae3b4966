/**
 * Plays a script of `AppServerScript` as a process: `node fakeAppServerMain.js SCRIPT.json [ignored…]`.
 *
 * It speaks on stdin and stdout as `codex app-server` does, and ends with status 0 at the end of its stdin.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as JsonLines from "../transport/JsonLines.ts"
import type { Inbound, TransportService } from "../transport/Transport.ts"
import { Closed, TransportError } from "../transport/TransportError.ts"
import { AppServerScript } from "./AppServerScript.ts"
import * as FakeAppServer from "./FakeAppServer.ts"

const decodeScript = Schema.decodeUnknownEffect(Schema.fromJsonString(AppServerScript))

/** Frames of the client that wait to be taken. */
const capacity = 256

const encoder = new TextEncoder()

// Under back pressure, and without the sink's buffer: what was written has been handed over.
const write = (bytes: Uint8Array): Effect.Effect<void> =>
  Effect.callback((resume) => {
    process.stdout.write(bytes, () => resume(Effect.void))
  })

/** This process's own stdin and stdout, written in pieces if that is asked for. */
const stdio = Effect.fnUntraced(function*(pieces: number | undefined) {
  const { stdin } = yield* Stdio.Stdio
  const frames = yield* Queue.bounded<Inbound, TransportError>(capacity)
  const framer = JsonLines.make()
  const writing = yield* Semaphore.make(1)
  const ended = new TransportError({ reason: new Closed({ target: "stdio", detail: "stdin ended" }) })
  yield* stdin.pipe(
    Stream.runForEach((chunk) => Queue.offerAll(frames, framer.push(chunk))),
    Effect.exit,
    Effect.andThen(Effect.sync(() => Queue.failCauseUnsafe(frames, Cause.fail(ended)))),
    Effect.forkScoped
  )
  const transport: TransportService = {
    target: "stdio",
    receive: Queue.takeAll(frames),
    send: (texts) => {
      const bytes = encoder.encode(`${texts.join("\n")}\n`)
      if (pieces === undefined) return write(bytes)
      const starts = Array.from({ length: Math.ceil(bytes.length / pieces) }, (_, index) => index * pieces)
      return writing.withPermit(Effect.forEach(
        starts,
        // Otherwise the pipe may join them again.
        (start) => Effect.andThen(write(bytes.subarray(start, start + pieces)), Effect.sleep(1)),
        { discard: true }
      ))
    }
  }
  return transport
})

Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const script = yield* Effect.flatMap(fs.readFileString(process.argv[2] ?? ""), decodeScript)
  const transport = yield* stdio(script.pieces)
  yield* FakeAppServer.serve(transport, script, (exitCode) => Effect.sync(() => process.exit(exitCode ?? 0)))
}).pipe(
  // A step may wait for ever; nobody is there to see it any more.
  Effect.andThen(Effect.sync(() => process.exit(0))),
  Effect.scoped,
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
