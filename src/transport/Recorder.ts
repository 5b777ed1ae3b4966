/**
 * Writes down what goes over a transport, as JSON lines with the secrets taken out.
 *
 * The wire goes first: a frame costs it one entry in a bounded queue, parsing
 * and writing happen in a fiber of their own. Under pressure the recording gets
 * gaps, which it mentions; if it cannot be written it stops, once and with a
 * warning in the log. Neither is felt by the connection.
 *
 * Lines are `{"dir":"in"|"out","t":…,"msg":…}` with `t` in milliseconds since
 * the recording began and `msg` the parsed object, or the raw text of a frame
 * that is no JSON; `{"dir":"in","t":…,"unreadable":{reason,bytes,head}}`; and
 * `{"dir":"meta","t":…,"event":"open"|"close"|"gap",…}`.
 */
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { inRealTime } from "./internal/realTime.ts"
import { type Json, redact, redactJson } from "./Redaction.ts"
import { type Inbound, Transport, type TransportService } from "./Transport.ts"
import type { TransportError } from "./TransportError.ts"

/** Takes whole lines of a recording, line feeds included. */
export type Sink<E = unknown> = (text: string) => Effect.Effect<void, E>

type Entry =
  | { readonly _tag: "Frames"; readonly dir: "in" | "out"; readonly t: number; readonly frames: ReadonlyArray<Inbound> }
  | { readonly _tag: "Meta"; readonly t: number; readonly fields: { readonly [key: string]: Json } }

const entryCapacity = 4096
const entriesPerWrite = 4
// Characters of frames that may wait to be written. More than one frame of the largest size fits.
const queuedLimit = 256 * 1024 * 1024
const flushGrace = "5 seconds"

const parse = (frame: string): Json => {
  try {
    // JSON.parse is typed as `any`; what it returns is JSON by definition.
    return redactJson(JSON.parse(frame) as Json)
  } catch {
    // No JSON, which is recorded as text.
    return redact(frame)
  }
}

const renderFrame = (dir: "in" | "out", t: number, frame: Inbound): string =>
  JSON.stringify(
    typeof frame === "string"
      ? { dir, t, msg: parse(frame) }
      : { dir, t, unreadable: { reason: frame.reason, bytes: frame.bytes, head: redact(frame.head) } }
  ) + "\n"

const render = (entry: Entry): string =>
  entry._tag === "Meta"
    ? JSON.stringify({ dir: "meta", t: entry.t, ...entry.fields }) + "\n"
    : entry.frames.map((frame) => renderFrame(entry.dir, entry.t, frame)).join("")

const sizeOf = (frames: ReadonlyArray<Inbound>): number => {
  let size = 0
  for (const frame of frames) size += typeof frame === "string" ? frame.length : frame.head.length
  return size
}

/**
 * Wraps a transport so that everything it carries is also given to `sink`.
 *
 * What is queued is written before the scope closes. The first failure of the
 * sink ends the recording and is logged; the transport goes on.
 */
export const record = Effect.fn("Recorder.record")(function*<E>(
  transport: TransportService,
  sink: Sink<E>
): Effect.fn.Return<TransportService, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const start = clock.currentTimeMillisUnsafe()
  const now = () => clock.currentTimeMillisUnsafe() - start
  const queue = yield* Queue.dropping<Entry, Cause.Done>(entryCapacity)
  let queued = 0
  let dropped = 0
  let closed = false

  const frames = (dir: "in" | "out", list: ReadonlyArray<Inbound>) => {
    const size = sizeOf(list)
    if (queued + size <= queuedLimit && Queue.offerUnsafe(queue, { _tag: "Frames", dir, t: now(), frames: list })) {
      queued += size
    } else {
      dropped += list.length
    }
  }

  const meta = (fields: { readonly [key: string]: Json }) => {
    Queue.offerUnsafe(queue, { _tag: "Meta", t: now(), fields })
  }

  const close = (reason: string, detail: string) => {
    if (closed) return
    closed = true
    meta({ event: "close", reason, detail: redact(detail) })
  }

  const renderAll = (entries: ReadonlyArray<Entry>): string => {
    let text = ""
    for (const entry of entries) {
      if (entry._tag === "Frames") queued -= sizeOf(entry.frames)
      text += render(entry)
    }
    if (dropped > 0) {
      text += render({ _tag: "Meta", t: now(), fields: { event: "gap", frames: dropped } })
      dropped = 0
    }
    return text
  }

  const stop = (cause: Cause.Cause<E>) =>
    Effect.suspend(() => {
      // From here on nothing is accepted, and nothing is kept.
      Queue.shutdownUnsafe(queue)
      return Effect.logWarning("The recording of the wire has stopped", cause)
    })

  // A few entries at a time: rendering is synchronous, and the wire shares the thread.
  const writer = yield* Queue.takeBetween(queue, 1, entriesPerWrite).pipe(
    Effect.flatMap((entries) => Effect.catchCause(Effect.suspend(() => sink(renderAll(entries))), stop)),
    Effect.forever,
    // Not tied to the scope, which would interrupt it before it has written what is left.
    Effect.forkDetach({ startImmediately: true })
  )
  meta({ event: "open", target: transport.target })
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      close("Scope", "the recording ended with its scope")
      Queue.endUnsafe(queue)
      return Fiber.await(writer)
    }).pipe(
      Effect.timeoutOrElse({
        duration: flushGrace,
        orElse: () =>
          Effect.andThen(
            Fiber.interrupt(writer),
            Effect.logWarning("The end of the recording of the wire was not written in time")
          )
      }),
      inRealTime
    )
  )

  const onError = (error: TransportError) => Effect.sync(() => close(error.reason._tag, error.message))

  return {
    target: transport.target,
    receive: transport.receive.pipe(
      Effect.map((items) => {
        frames("in", items)
        return items
      }),
      Effect.tapError(onError)
    ),
    send: (items) =>
      Effect.suspend(() => {
        frames("out", items)
        return Effect.tapError(transport.send(items), onError)
      })
  }
})

/** A sink that appends to `file`, which only its owner may read. The file closes with the scope. */
export const fileSink = Effect.fn("Recorder.fileSink")(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const handle = yield* fs.open(file, { flag: "a", mode: 0o600 })
  // The mode given to `open` counts for a new file only.
  yield* fs.chmod(file, 0o600)
  const encoder = new TextEncoder()
  const sink: Sink = (text) => handle.writeAll(encoder.encode(text))
  return sink
})

/**
 * Turns a layer of a {@link Transport} into one that records to `options.file`.
 *
 * A file that cannot be opened is logged, and the transport is used without a
 * recording.
 */
export const layer = (options: { readonly file: string }) =>
<E, R>(
  self: Layer.Layer<Transport, E, R>
): Layer.Layer<Transport, E, R | FileSystem.FileSystem> =>
  Layer.effect(
    Transport,
    Effect.gen(function*() {
      const transport = yield* Transport
      return yield* fileSink(options.file).pipe(
        Effect.flatMap((sink) => record(transport, sink)),
        Effect.catch((error) =>
          Effect.as(Effect.logWarning(`The wire is not recorded: ${error.message}`, error), transport)
        )
      )
    })
  ).pipe(Layer.provide(self))
