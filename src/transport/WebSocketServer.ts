/**
 * A server for WebSocket clients, over TCP or over a unix socket.
 *
 * One text frame carries one JSON object. Loads the `ws` package, so it is imported by its own path and not with the rest
 * of this room.
 *
 * A client can only harm itself: one that sends garbage, frames over the limit, or does not read, loses its own
 * connection and is told why.
 */
import * as NodeWS from "@effect/platform-node/NodeWS"
import type * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as NodeHttp from "node:http"
import * as NodeNet from "node:net"
import type { Duplex } from "node:stream"
import { inRealTime } from "./internal/realTime.ts"
import { framesOfText } from "./JsonLines.ts"
import { goingAway, type ServerTransport } from "./ServerTransport.ts"
import { defaultFrameLimit, type Inbound, Unreadable } from "./Transport.ts"
import { Closed, OpenFailed, TransportError } from "./TransportError.ts"
import * as WebSocketAuth from "./WebSocketAuth.ts"

/** A unix socket at a path that is free, or an IP address and a port; 0 takes any. */
export type Listen =
  | { readonly unix: string }
  | { readonly host: string; readonly port: number }

export interface Options {
  readonly listen: Listen
  /** What clients must show. Without it only loopback addresses and unix sockets are listened on. */
  readonly auth?: WebSocketAuth.WebSocketAuth | undefined
  /** Longest message in bytes; 128 MiB by default. A longer one costs its sender the connection, with code 1009. */
  readonly frameLimit?: number | undefined
  /** Bytes that may wait for a client beyond one `send` before `send` waits; 1 MiB by default. */
  readonly highWaterMark?: number | undefined
  /** Clients at once, further ones get a 503; 256 by default. */
  readonly connectionLimit?: number | undefined
  /** The address that clients know, where that is not the one that is bound. */
  readonly name?: string | undefined
}

/** One client. */
export interface Connection {
  /** Ends with the server's scope at the latest. */
  readonly transport: ServerTransport
  /** Path and query of the handshake. */
  readonly path: string
  /** Headers of the handshake, without credentials. */
  readonly headers: Readonly<Record<string, string>>
}

export interface WebSocketServer {
  /** `unix:///path` or `ws://address:port`, with the real port. */
  readonly address: string
  /** Clients that have been let in, in order; ends when the server does. */
  readonly connections: Queue.Dequeue<Connection, Cause.Done>
}

const defaultHighWaterMark = 1024 * 1024
const defaultConnectionLimit = 256
// A client that was told to go gets this long to read what is under way.
const closeGrace = "10 seconds"
// The same when the server ends.
const shutdownGrace = "1 second"
const maxReasonBytes = 123
const overLimit = 1009
const noCloseFrame = 1006

// What one message to us may have without being split up, for clients that split.
const maxUnfragmented = "x-codex-websocket-max-unfragmented-message-bytes: 16777216"

const explanation =
  "This is a WebSocket server: connect with an HTTP upgrade request, then send one JSON object in each text frame.\n"

const codeOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && Predicate.isString(error.code) && error.code !== ""
    ? error.code
    : Predicate.isError(error)
    ? error.message
    : "unknown error"

const isLoopback = (host: string): boolean =>
  host === "localhost" || (NodeNet.isIPv4(host) && host.startsWith("127.")) || host === "::1"

const credentials = new Set(["authorization", "cookie", "proxy-authorization"])

const publicHeaders = (headers: NodeHttp.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || credentials.has(name) ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]]
    )
  )

const respond = (socket: Duplex, status: number, body = "", headers: ReadonlyArray<string> = []): void => {
  socket.end([
    `HTTP/1.1 ${status} ${NodeHttp.STATUS_CODES[status] ?? ""}`,
    "Connection: close",
    ...(body === "" ? [] : ["Content-Type: text/plain; charset=utf-8"]),
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body
  ].join("\r\n"))
}

/** Cut to what a close frame can hold, between characters. */
const closeReason = (detail: string): string => {
  const bytes = Buffer.from(detail)
  if (bytes.length <= maxReasonBytes) return detail
  let end = maxReasonBytes
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString("utf8", 0, end)
}

interface ClientOptions {
  readonly target: string
  readonly frameLimit: number
  readonly highWaterMark: number
  /** Runs something that takes time and belongs to the server. */
  readonly fork: (effect: Effect.Effect<void>) => void
}

interface Client {
  readonly transport: ServerTransport
  /** Disconnects, and waits for the client's goodbye. */
  readonly close: Effect.Effect<void>
}

const makeClient = (
  socket: NodeWS.WebSocket,
  raw: Duplex,
  { fork, frameLimit, highWaterMark, target }: ClientOptions
): Client => {
  const ended = Deferred.makeUnsafe<never, TransportError>()
  const gone = Deferred.makeUnsafe<void>()
  const refused = Deferred.await(ended)
  // Bounded by pausing the socket, see `arrived`. To make a queue is synchronous, and so is this callback of `ws`.
  const inbound = Effect.runSync(Queue.unbounded<Inbound, TransportError>())
  let buffered = 0

  type Ending = { readonly detail: string; readonly closeCode: number; readonly cause?: unknown }

  const end = (fields: Ending): boolean => {
    const cause = Cause.fail(new TransportError({ reason: new Closed({ target, ...fields }) }))
    if (!Deferred.doneUnsafe(ended, Effect.failCause(cause))) return false
    // Has no effect on a client that had stopped to speak before.
    Queue.failCauseUnsafe(inbound, cause)
    // The goodbye of the other side is behind whatever it has sent.
    if (socket.isPaused) socket.resume()
    return true
  }

  const arrived = (item: Inbound, bytes: number): void => {
    if (Deferred.isDoneUnsafe(ended)) return
    Queue.offerUnsafe(inbound, item)
    buffered += bytes
    if (buffered >= highWaterMark && !socket.isPaused) socket.pause()
  }

  socket.on("message", (data, isBinary) => {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data
    if (isBinary) {
      const head = bytes.toString("utf8", 0, Unreadable.headBytes)
      return arrived(new Unreadable("noise", bytes.length, head), Unreadable.headBytes)
    }
    for (const item of framesOfText(bytes.toString("utf8"))) {
      arrived(item, typeof item === "string" ? item.length : Unreadable.headBytes)
    }
  })
  const settled = Deferred.await(gone)
  // A client that does not say goodbye is cut off in the end.
  const cutOffLater = (): void =>
    fork(settled.pipe(
      Effect.timeoutOrElse({ duration: closeGrace, orElse: () => Effect.sync(() => socket.terminate()) }),
      inRealTime
    ))

  // What breaks the rules is the last that is read of a client; `ws` answers with the close code for it.
  socket.on("error", (cause) => {
    const tooLong = Predicate.hasProperty(cause, "code") && cause.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH"
    const first = end({
      detail: tooLong ? `the client sent a message over the limit of ${frameLimit} bytes` : codeOf(cause),
      closeCode: tooLong ? overLimit : noCloseFrame,
      cause
    })
    if (first) cutOffLater()
  })
  socket.on("close", (code, reason) => {
    Deferred.doneUnsafe(gone, Effect.void)
    const why = reason.toString("utf8")
    end({
      detail: (code === noCloseFrame ? "the client is gone without a close frame" : `the client closed with ${code}`) +
        (why === "" ? "" : `: ${why}`),
      closeCode: code
    })
  })

  // A client that has sent its last byte may still want answers, as behind a proxy whose stdin has ended: what `ws` would
  // do at once, which is to stop writing, waits until this side has said everything.
  const finish = raw.listeners("end")
  raw.removeAllListeners("end")
  const finished = (): void => {
    for (const listener of finish) Reflect.apply(listener, raw, [])
  }
  raw.once("end", () => {
    // After a close frame there is nothing left to say.
    if (Deferred.isDoneUnsafe(ended) || socket.readyState !== socket.OPEN) return finished()
    const detail = "the client has ended its side without a close frame"
    Queue.failCauseUnsafe(
      inbound,
      Cause.fail(new TransportError({ reason: new Closed({ target, detail, closeCode: noCloseFrame }) }))
    )
    fork(refused.pipe(
      Effect.timeoutOption(closeGrace),
      inRealTime,
      // It fails with what the connection ended of meanwhile, which `send` tells.
      Effect.ignore,
      Effect.andThen(Effect.sync(() => {
        end({ detail, closeCode: noCloseFrame })
        finished()
      }))
    ))
  })

  const disconnect = (detail: string, closeCode: number): void => {
    if (!end({ detail: `it was closed by this side: ${detail}`, closeCode })) return
    socket.close(closeCode, closeReason(detail))
    cutOffLater()
  }

  const write = (frames: Arr.NonEmptyReadonlyArray<string>) =>
    Effect.callback<void>((resume) => {
      let left = frames.length
      // One system call for all of them.
      raw.cork()
      for (const frame of frames) {
        // What cannot be written surfaces as the end of the connection.
        socket.send(frame, () => {
          left -= 1
          if (left === 0) resume(Effect.void)
        })
      }
      raw.uncork()
      if (socket.bufferedAmount < highWaterMark) resume(Effect.void)
    })

  return {
    transport: {
      target,
      receive: Effect.map(Queue.takeAll(inbound), (items) => {
        buffered = 0
        if (socket.isPaused) socket.resume()
        return items
      }),
      send: (frames) =>
        Effect.suspend(() => Deferred.isDoneUnsafe(ended) ? refused : Effect.raceFirst(write(frames), refused)),
      disconnect
    },
    close: Effect.suspend(() => {
      disconnect("the server ends", goingAway)
      return settled.pipe(
        Effect.timeoutOrElse({ duration: shutdownGrace, orElse: () => Effect.sync(() => socket.terminate()) }),
        inRealTime
      )
    })
  }
}

/** Starts to listen; for a unix socket so that nobody else can ever open it. */
const startListening = (server: NodeHttp.Server, listen: Listen, failed: (cause: unknown) => TransportError) =>
  Effect.callback<NodeNet.AddressInfo | undefined, TransportError>((resume) => {
    const onError = (cause: Error) => resume(Effect.fail(failed(cause)))
    server.once("error", onError)
    const listening = () => {
      server.off("error", onError)
      const address = server.address()
      resume(Effect.succeed(address === null || Predicate.isString(address) ? undefined : address))
    }
    if (!("unix" in listen)) {
      server.listen({ host: listen.host, port: listen.port }, listening)
      return
    }
    // The socket is bound inside of the call, before anything else can run.
    const mask = process.umask(0o177)
    try {
      server.listen({ path: listen.unix }, listening)
    } finally {
      process.umask(mask)
    }
  })

/**
 * Listens for clients.
 *
 * Over TCP `GET /readyz` and `/healthz` are answered with 200; over a unix socket plain HTTP has its connection closed. A
 * request with an `Origin` header comes from a web page and gets a 403. Compression is never negotiated; a binary frame is
 * reported as `Unreadable("noise")`; a text frame that holds several lines with an object each is taken apart.
 *
 * Closing the scope closes all connections with 1001, after what was sent before, and frees the address. A unix socket's
 * file is removed by its path then: where another process may have put its own there use `ControlSocket`.
 *
 * Fails with `OpenFailed`, also for an address that is not loopback when there is no `auth`.
 */
export const make = Effect.fn("WebSocketServer.make")(function*(
  options: Options
): Effect.fn.Return<WebSocketServer, TransportError, Scope.Scope> {
  const { auth, listen } = options
  const isUnix = "unix" in listen
  const requested = isUnix
    ? `unix://${listen.unix}`
    : `ws://${NodeNet.isIPv6(listen.host) ? `[${listen.host}]` : listen.host}:${listen.port}`
  const openFailed = (detail: string, cause?: unknown) =>
    new TransportError({
      reason: new OpenFailed({ target: requested, detail, ...(cause === undefined ? {} : { cause }) })
    })
  if (!isUnix && !isLoopback(listen.host) && auth === undefined) {
    return yield* openFailed(
      `refusing to start non-loopback websocket listener ${listen.host}:${listen.port} without auth; ` +
        "configure `--ws-auth capability-token` or `--ws-auth signed-bearer-token`"
    )
  }

  const frameLimit = options.frameLimit ?? defaultFrameLimit
  const highWaterMark = options.highWaterMark ?? defaultHighWaterMark
  const connectionLimit = options.connectionLimit ?? defaultConnectionLimit
  const clock = yield* Clock.Clock
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const clients = new Set<Client>()
  let accepted = 0

  // Holds no more than may be connected.
  const connections = yield* Queue.unbounded<Connection, Cause.Done>()
  const sockets = new NodeWS.WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: frameLimit,
    clientTracking: false
  })
  if (isUnix) sockets.on("headers", (headers) => headers.push(maxUnfragmented))

  const server = NodeHttp.createServer({
    // Whoever has said nothing by then is no client.
    headersTimeout: 10_000,
    requestTimeout: 10_000,
    connectionsCheckingInterval: 5_000
  }, (request, response) => {
    if (isUnix) return request.socket.destroy()
    const answer = (status: number, headers: NodeHttp.OutgoingHttpHeaders = {}, body = "") => {
      response.writeHead(status, {
        ...(body === "" ? {} : { "content-type": "text/plain; charset=utf-8" }),
        "content-length": Buffer.byteLength(body),
        ...headers
      })
      response.end(body)
    }
    // Nothing in a request's body is of interest.
    request.resume()
    if (request.headers.origin !== undefined) return answer(403)
    const [path = ""] = (request.url ?? "").split("?")
    if (path === "/readyz" || path === "/healthz") {
      return request.method === "GET" || request.method === "HEAD" ? answer(200) : answer(405, { allow: "GET,HEAD" })
    }
    return answer(400, {}, "Connection header did not include 'upgrade'")
  })
  server.on("clientError", (_, socket) => {
    // Somebody speaks something else, such as JSON lines.
    if (socket.writable) socket.end(explanation)
    else socket.destroy()
  })

  server.on("upgrade", (request, socket, head) => {
    // Replaced by the listener of `ws` once the handshake is done.
    socket.on("error", () => socket.destroy())
    if (request.headers.origin !== undefined) return respond(socket, 403)
    if (auth !== undefined) {
      const now = Math.floor(clock.currentTimeMillisUnsafe() / 1000)
      const refusal = WebSocketAuth.check(auth, request.headers.authorization, now)
      if (refusal !== undefined) return respond(socket, 401, refusal)
    }
    if (clients.size >= connectionLimit) {
      return respond(socket, 503, `${connectionLimit} clients are connected already`, ["Retry-After: 5"])
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      accepted += 1
      const client = makeClient(webSocket, socket, {
        target: `${address}#${accepted}`,
        frameLimit,
        highWaterMark,
        fork: (effect) => {
          runFork(effect)
        }
      })
      clients.add(client)
      webSocket.once("close", () => clients.delete(client))
      Queue.offerUnsafe(connections, {
        transport: client.transport,
        path: request.url ?? "/",
        headers: publicHeaders(request.headers)
      })
    })
  })

  let address = options.name ?? requested
  yield* Effect.acquireRelease(
    startListening(server, listen, (cause) => openFailed(codeOf(cause), cause)).pipe(
      Effect.tap((bound) =>
        Effect.sync(() => {
          if (bound !== undefined && options.name === undefined) {
            address = `ws://${bound.family === "IPv6" ? `[${bound.address}]` : bound.address}:${bound.port}`
          }
        })
      )
    ),
    () =>
      Effect.suspend(() => {
        server.close()
        Queue.endUnsafe(connections)
        return Effect.forEach([...clients], (client) => client.close, { concurrency: "unbounded", discard: true }).pipe(
          Effect.andThen(Effect.sync(() => server.closeAllConnections()))
        )
      })
  )

  return { address, connections }
})
