/**
 * A transport to a WebSocket server, over TCP or over a unix socket.
 *
 * One text frame carries one JSON object. Loads the `ws` package, so it is
 * imported by its own path and not with the rest of this room.
 */
import * as NodeWS from "@effect/platform-node/NodeWS"
import type * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { inRealTime } from "./internal/realTime.ts"
import { framesOfText } from "./JsonLines.ts"
import { redact } from "./Redaction.ts"
import { defaultFrameLimit, type Inbound, type TransportService, Unreadable } from "./Transport.ts"
import { Closed, OpenFailed, TransportError } from "./TransportError.ts"

export interface Options {
  /** `ws://host:port/path`, `wss://…`, or `unix:///path/of/the/socket`. */
  readonly url: string
  /** Headers of the handshake. No `Origin` is sent, app-servers refuse it. */
  readonly headers?: Readonly<Record<string, string | Redacted.Redacted<string>>> | undefined
  /** Longest frame in bytes; 128 MiB by default. A longer one ends the connection with close code 1009. */
  readonly frameLimit?: number | undefined
  /** Until the handshake is done; 10 seconds by default. */
  readonly connectTimeout?: Duration.Input | undefined
}

// Beyond this the socket is paused until `receive` has taken what is there, and `send` waits.
const highWaterMark = 1024 * 1024

const closeGrace = "1 second"

const overLimit = 1009
const noCloseFrame = 1006

/** The target without query and credentials, which may be secret. */
const describeTarget = (url: string): string => redact(url.replace(/[?#].*$/s, ""))

const plainHeaders = (headers: Options["headers"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [
      name,
      Redacted.isRedacted(value) ? Redacted.value(value) : value
    ])
  )

const codeOf = (error: unknown): string | undefined =>
  Predicate.hasProperty(error, "code") && Predicate.isString(error.code) && error.code !== "" ? error.code : undefined

const messageOf = (error: unknown): string =>
  Predicate.hasProperty(error, "message") && Predicate.isString(error.message) ? redact(error.message) : "unknown error"

const isOverLimit = (error: unknown): boolean => codeOf(error) === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH"

/** The address in the form `ws` takes, or why it cannot be used. */
const addressOf = (url: string): { readonly address: string } | { readonly refused: string } => {
  if (/^wss?:\/\//.test(url)) {
    return URL.canParse(url) ? { address: url } : { refused: "it is no valid URL" }
  }
  const path = /^unix:\/\/(\/.*)$/s.exec(url)?.[1]
  if (path === undefined) return { refused: "the address must start with ws://, wss:// or unix:///" }
  // `ws` takes socket and request path in one URL, parted by a colon, and does not decode it.
  return /^[\w./@+,=~-]+$/.test(path)
    ? { address: `ws+unix://${path}:/` }
    : { refused: "the path of the socket may contain letters, digits and ./@+,=~_- only" }
}

const connect = (address: string, options: Options, target: string) => {
  const fail = (detail: string, cause?: unknown) =>
    new TransportError({
      reason: new OpenFailed({ target, detail, ...(cause === undefined ? {} : { cause }) })
    })
  return Effect.acquireRelease(
    Effect.try({
      try: () =>
        new NodeWS.WebSocket(address, {
          // Servers close connections that offer compression.
          perMessageDeflate: false,
          maxPayload: options.frameLimit ?? defaultFrameLimit,
          headers: plainHeaders(options.headers)
        }),
      catch: (cause) => fail(messageOf(cause), cause)
    }),
    (socket) =>
      Effect.callback<void>((resume) => {
        if (socket.readyState === socket.CLOSED) return resume(Effect.void)
        // A handshake that is aborted reports an error nobody waits for.
        socket.on("error", () => {})
        socket.once("close", () => resume(Effect.void))
        if (socket.readyState === socket.CONNECTING) {
          socket.terminate()
          return resume(Effect.void)
        }
        // The close frame of the other side is behind whatever it has sent.
        if (socket.isPaused) socket.resume()
        socket.close(1000)
      }).pipe(
        Effect.timeoutOrElse({ duration: closeGrace, orElse: () => Effect.sync(() => socket.terminate()) }),
        inRealTime
      )
  ).pipe(Effect.map((socket) => ({ socket, fail })))
}

/**
 * Connects to an app-server that listens on a WebSocket.
 *
 * A text frame that holds several lines with an object each is taken apart. A
 * binary frame is reported as `Unreadable("noise")`. Pings are answered. Fails
 * with `OpenFailed` if the handshake does not succeed in time; the detail names
 * the HTTP status or the system error. Afterwards `Closed` carries the close
 * code, 1006 when the connection was lost without one.
 */
export const make = Effect.fn("WebSocketTransport.make")(function*(
  options: Options
): Effect.fn.Return<TransportService, TransportError, Scope.Scope> {
  const target = describeTarget(options.url)
  const frameLimit = options.frameLimit ?? defaultFrameLimit
  const resolved = addressOf(options.url)
  if ("refused" in resolved) {
    return yield* new TransportError({ reason: new OpenFailed({ target, detail: resolved.refused }) })
  }

  const ended = yield* Deferred.make<never, TransportError>()
  // Bounded by pausing the socket, see `arrived`.
  const inbound = yield* Queue.unbounded<Inbound, TransportError>()
  let buffered = 0
  let largestSent = 0

  const end = (fields: { readonly detail: string; readonly closeCode?: number; readonly cause?: unknown }) => {
    const failure = Cause.fail(new TransportError({ reason: new Closed({ target, ...fields }) }))
    if (!Deferred.doneUnsafe(ended, Effect.failCause(failure))) return
    Queue.failCauseUnsafe(inbound, failure)
  }

  const { fail, socket } = yield* connect(resolved.address, options, target)

  const arrived = (item: Inbound, bytes: number) => {
    // On its way to the close frame the socket must not be paused again.
    if (Deferred.isDoneUnsafe(ended)) return
    Queue.offerUnsafe(inbound, item)
    buffered += bytes
    if (buffered >= highWaterMark && !socket.isPaused) socket.pause()
  }

  const opened = Effect.callback<void, TransportError>((resume) => {
    // The first error says more than the close event that follows it.
    let failure: { readonly cause: unknown } | undefined
    socket.on("open", () => resume(Effect.void))
    socket.on("unexpected-response", (request, response) => {
      resume(Effect.fail(fail(`HTTP ${response.statusCode ?? "?"} ${response.statusMessage ?? ""}`.trim())))
      request.destroy()
    })
    socket.on("message", (data, isBinary) => {
      const bytes = Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data
      if (isBinary) {
        return arrived(
          new Unreadable("noise", bytes.length, bytes.toString("utf8", 0, Unreadable.headBytes)),
          Unreadable.headBytes
        )
      }
      for (const item of framesOfText(bytes.toString("utf8"))) {
        arrived(item, typeof item === "string" ? item.length : Unreadable.headBytes)
      }
    })
    socket.on("error", (cause) => {
      failure ??= { cause }
      resume(Effect.fail(fail(codeOf(cause) ?? messageOf(cause), cause)))
    })
    socket.on("close", (code, reason) => {
      resume(Effect.fail(fail(`the connection was closed during the handshake (code ${code})`)))
      const cause = failure?.cause
      if (isOverLimit(cause)) {
        return end({ detail: `a frame was over the limit of ${frameLimit} bytes`, closeCode: overLimit, cause })
      }
      const text = redact(reason.toString("utf8"))
      const why = cause === undefined ? text : codeOf(cause) ?? messageOf(cause)
      // Some servers drop the connection without a word when a frame is over their own limit.
      const hint = code === noCloseFrame && largestSent >= highWaterMark
        ? `; the largest frame sent had ${largestSent} characters, perhaps over the limit of the server`
        : ""
      end({
        detail: code === noCloseFrame
          ? `the connection was lost without a close frame (code 1006)${why === "" ? "" : `: ${why}`}${hint}`
          : `close code ${code}${why === "" ? "" : `: ${why}`}`,
        closeCode: code,
        ...(cause === undefined ? {} : { cause })
      })
    })
  })
  yield* opened.pipe(
    Effect.timeoutOrElse({
      duration: options.connectTimeout ?? "10 seconds",
      orElse: () => Effect.fail(fail("the handshake was not answered in time"))
    }),
    inRealTime
  )
  yield* Effect.addFinalizer(() => Effect.sync(() => end({ detail: "it was closed by this side", closeCode: 1000 })))

  const refused = Deferred.await(ended)

  const write = (frames: Arr.NonEmptyReadonlyArray<string>) =>
    Effect.callback<void, TransportError>((resume) => {
      let left = frames.length
      for (const frame of frames) {
        if (frame.length > largestSent) largestSent = frame.length
        // What cannot be written surfaces as the end of the connection.
        socket.send(frame, () => {
          left -= 1
          if (left === 0) resume(Effect.void)
        })
      }
      if (socket.bufferedAmount < highWaterMark) resume(Effect.void)
    })

  return {
    target,
    receive: Effect.map(Queue.takeAll(inbound), (items) => {
      buffered = 0
      if (socket.isPaused) socket.resume()
      return items
    }),
    send: (frames) =>
      Effect.suspend(() => {
        if (Deferred.isDoneUnsafe(ended)) return refused
        return Effect.raceFirst(write(frames), refused)
      })
  }
})
