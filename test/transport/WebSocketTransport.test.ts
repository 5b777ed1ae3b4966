import * as NodeServices from "@effect/platform-node/NodeServices"
import * as NodeWS from "@effect/platform-node/NodeWS"
import { assert, describe, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as NodeFs from "node:fs"
import * as NodeHttp from "node:http"
import * as NodeNet from "node:net"
import * as NodeOs from "node:os"
import * as NodePath from "node:path"
import { fileURLToPath } from "node:url"
import * as ChildTransport from "../../src/transport/ChildTransport.ts"
import { inRealTime } from "../../src/transport/internal/realTime.ts"
import { type Inbound, type TransportService, Unreadable } from "../../src/transport/Transport.ts"
import * as WebSocketTransport from "../../src/transport/WebSocketTransport.ts"

const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => NodeFs.mkdtempSync(NodePath.join(NodeOs.tmpdir(), "ws-"))),
  (directory) => Effect.sync(() => NodeFs.rmSync(directory, { recursive: true }))
)

/** Listens on TCP, or on `path`; gives the URL to connect to. */
const listen = <Server extends NodeNet.Server>(server: Server, path?: string) =>
  Effect.acquireRelease(
    Effect.callback<string>((resume) => {
      const done = () => {
        const address = server.address()
        resume(Effect.succeed(
          Predicate.isString(address) ? `unix://${address}` : `ws://127.0.0.1:${address?.port}`
        ))
      }
      if (path === undefined) server.listen(0, "127.0.0.1", done)
      else server.listen(path, done)
    }),
    () =>
      Effect.sync(() => {
        if (server instanceof NodeHttp.Server) server.closeAllConnections()
        server.close()
      })
  )

interface Peer {
  readonly url: string
  readonly socket: Effect.Effect<NodeWS.WebSocket>
  readonly headers: () => NodeHttp.IncomingHttpHeaders
}

/** A WebSocket server for one connection. */
const serve = Effect.fnUntraced(function*(path?: string) {
  const http = NodeHttp.createServer()
  const accepted = yield* Deferred.make<NodeWS.WebSocket>()
  let headers: NodeHttp.IncomingHttpHeaders = {}
  const server = new NodeWS.WebSocketServer({ server: http, maxPayload: 200 * 1024 * 1024 })
  server.on("connection", (socket, request) => {
    headers = request.headers
    Deferred.doneUnsafe(accepted, Effect.succeed(socket))
  })
  const url = yield* listen(http, path)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const client of server.clients) client.terminate()
    })
  )
  const peer: Peer = { url, socket: Deferred.await(accepted), headers: () => headers }
  return peer
})

const receiveFrames = Effect.fnUntraced(function*(transport: TransportService, count: number) {
  const frames: Array<Inbound> = []
  while (frames.length < count) frames.push(...yield* transport.receive)
  return frames
})

const openFailure = (options: WebSocketTransport.Options) =>
  WebSocketTransport.make(options).pipe(
    Effect.scoped,
    Effect.flip,
    Effect.map((error) => {
      assert.strictEqual(error.reason._tag, "OpenFailed")
      return error.message
    })
  )

/** Waits until nothing moves any more. */
const standsStill = (amount: () => number) =>
  Effect.gen(function*() {
    let last = -1
    while (amount() !== last) {
      last = amount()
      yield* Effect.sleep("300 millis")
    }
  }).pipe(inRealTime)

const closure = (transport: TransportService) =>
  Effect.map(Effect.flip(transport.receive), (error) => {
    assert.strictEqual(error.reason._tag, "Closed")
    return error.reason._tag === "Closed" ? error.reason : assert.fail()
  })

/** Runs until it succeeds: the server says nothing machine-readable when it is ready. */
const whenReady = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.retry(Schedule.spaced("50 millis")), Effect.timeout("20 seconds"), inRealTime)

const initialize = JSON.stringify({
  id: 1,
  method: "initialize",
  params: { clientInfo: { name: "transport-test", title: null, version: "0" } }
})

layer(NodeServices.layer)("WebSocketTransport", (it) => {
  for (const kind of ["TCP", "a unix socket"]) {
    it.effect(`carries frames both ways over ${kind}, and offers neither compression nor an origin`, () =>
      Effect.gen(function*() {
        const path = kind === "TCP" ? undefined : NodePath.join(yield* temporaryDirectory, "s.sock")
        const peer = yield* serve(path)
        const transport = yield* WebSocketTransport.make({
          url: peer.url,
          headers: { Authorization: Redacted.make("Bearer c0ffee") }
        })
        assert.strictEqual(transport.target, peer.url)
        const socket = yield* peer.socket
        socket.on("message", (data) => socket.send(String(data)))
        const sent = Array.from({ length: 500 }, (_, n) => JSON.stringify({ n, text: "ä\u2028" }))
        yield* Effect.forEach(sent, (text) => transport.send([text]), { discard: true })
        assert.deepStrictEqual(yield* receiveFrames(transport, 500), sent)
        assert.strictEqual(peer.headers().authorization, "Bearer c0ffee")
        assert.isUndefined(peer.headers().origin)
        assert.isUndefined(peer.headers()["sec-websocket-extensions"])
      }))
  }

  it.effect("takes JSON lines in one frame apart, and reports binary frames as noise", () =>
    Effect.gen(function*() {
      const peer = yield* serve()
      const transport = yield* WebSocketTransport.make({ url: peer.url })
      const socket = yield* peer.socket
      socket.send("{\"a\":1}\n{\"b\":2}\n")
      socket.send(Buffer.from("{\"binary\":1}"))
      socket.send("{\"c\":3}")
      assert.deepStrictEqual(yield* receiveFrames(transport, 4), [
        "{\"a\":1}",
        "{\"b\":2}",
        new Unreadable("noise", 12, "{\"binary\":1}"),
        "{\"c\":3}"
      ])
    }))

  it.effect("receives a frame beyond 16 MiB, and answers pings", () =>
    Effect.gen(function*() {
      const peer = yield* serve()
      const transport = yield* WebSocketTransport.make({ url: peer.url })
      const socket = yield* peer.socket
      const pong = yield* Deferred.make<void>()
      socket.on("pong", () => Deferred.doneUnsafe(pong, Effect.void))
      socket.ping()
      yield* Deferred.await(pong)
      const large = JSON.stringify({ text: "x".repeat(17 * 1024 * 1024) })
      socket.send(large)
      assert.isTrue((yield* transport.receive)[0] === large)
    }))

  it.effect("a frame over the limit ends the connection with code 1009 and says so", () =>
    Effect.gen(function*() {
      const peer = yield* serve()
      const transport = yield* WebSocketTransport.make({ url: peer.url, frameLimit: 1000 })
      const socket = yield* peer.socket
      socket.on("error", () => {})
      socket.send("{\"a\":1}")
      socket.send("x".repeat(1001))
      assert.deepStrictEqual(yield* transport.receive, ["{\"a\":1}"])
      const reason = yield* closure(transport)
      assert.strictEqual(reason.closeCode, 1009)
      assert.include(reason.detail, "limit of 1000 bytes")
    }))

  it.effect("surfaces close code and reason after what was sent before", () =>
    Effect.gen(function*() {
      const peer = yield* serve()
      const transport = yield* WebSocketTransport.make({ url: peer.url })
      const socket = yield* peer.socket
      socket.send("{\"a\":1}")
      socket.close(4001, "too far behind, token=hunter2")
      assert.deepStrictEqual(yield* transport.receive, ["{\"a\":1}"])
      const reason = yield* closure(transport)
      assert.deepInclude(reason, { closeCode: 4001, detail: "close code 4001: too far behind, token=[redacted]" })
      assert.strictEqual((yield* Effect.flip(transport.send(["{}"]))).reason, reason)
    }))

  it.effect("a lost connection has code 1006, and a hint when a large frame was sent", () =>
    Effect.gen(function*() {
      const peer = yield* serve()
      const transport = yield* WebSocketTransport.make({ url: peer.url })
      const socket = yield* peer.socket
      socket.on("message", () => socket.terminate())
      yield* transport.send([JSON.stringify({ text: "x".repeat(2 * 1024 * 1024) })])
      const reason = yield* closure(transport)
      assert.strictEqual(reason.closeCode, 1006)
      assert.include(reason.detail, "2097163 characters")
    }))

  it.effect("does not read ahead of a consumer that is slow", () =>
    Effect.gen(function*() {
      const peer = yield* serve()
      const transport = yield* WebSocketTransport.make({ url: peer.url })
      const socket = yield* peer.socket
      const frame = JSON.stringify({ text: "x".repeat(100_000) })
      for (let n = 0; n < 500; n++) socket.send(frame)
      // 50 MB are more than the buffers of the kernel and of this side together hold.
      yield* standsStill(() => socket.bufferedAmount)
      assert.isAbove(socket.bufferedAmount, 10_000_000)
      assert.strictEqual((yield* receiveFrames(transport, 500)).length, 500)
      assert.strictEqual(socket.bufferedAmount, 0)
    }))

  it.effect("send waits while the other side does not read, and fails when the scope closes", () =>
    Effect.gen(function*() {
      const peer = yield* serve()
      const scope = yield* Scope.make()
      const transport = yield* WebSocketTransport.make({ url: peer.url }).pipe(Scope.provide(scope))
      const socket = yield* peer.socket
      socket.pause()
      const sender = yield* transport.send([JSON.stringify({ text: "x".repeat(1_000_000) })]).pipe(
        Effect.forever,
        Effect.flip,
        Effect.forkChild
      )
      yield* Effect.sleep("300 millis").pipe(inRealTime)
      assert.isUndefined(sender.pollUnsafe())
      const [duration] = yield* Effect.timed(Scope.close(scope, Exit.void)).pipe(inRealTime)
      assert.isBelow(Duration.toMillis(duration), 3000)
      const exit = sender.pollUnsafe()
      assert.include(String(exit !== undefined && Exit.isSuccess(exit) ? exit.value : exit), "closed by this side")
    }))

  it.effect("closing the scope closes the connection with code 1000", () =>
    Effect.gen(function*() {
      const peer = yield* serve()
      const code = yield* Deferred.make<number>()
      yield* Effect.scoped(Effect.gen(function*() {
        yield* WebSocketTransport.make({ url: peer.url })
        const socket = yield* peer.socket
        socket.on("close", (closeCode) => Deferred.doneUnsafe(code, Effect.succeed(closeCode)))
      }))
      assert.strictEqual(yield* Deferred.await(code), 1000)
    }))

  it.effect("closing the scope does not wait for what was not received", () =>
    Effect.gen(function*() {
      const peer = yield* serve()
      const scope = yield* Scope.make()
      yield* WebSocketTransport.make({ url: peer.url }).pipe(Scope.provide(scope))
      const socket = yield* peer.socket
      for (let n = 0; n < 50; n++) socket.send(JSON.stringify({ text: "x".repeat(100_000) }))
      yield* standsStill(() => socket.bufferedAmount)
      const [duration] = yield* Effect.timed(Scope.close(scope, Exit.void)).pipe(inRealTime)
      // One second is the grace of a peer that does not answer.
      assert.isBelow(Duration.toMillis(duration), 900)
    }))

  describe("a connection that cannot be opened", () => {
    it.effect("is refused with an HTTP status", () =>
      Effect.gen(function*() {
        const http = NodeHttp.createServer()
        http.on("upgrade", (_, socket) => socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"))
        const url = yield* listen(http)
        const message = yield* openFailure({ url: `${url}/path?token=hunter2` })
        assert.strictEqual(message, `Could not open ${url}/path: HTTP 401 Unauthorized`)
      }))

    it.effect("has nobody listening", () =>
      Effect.gen(function*() {
        assert.include(yield* openFailure({ url: "ws://127.0.0.1:1" }), "ECONNREFUSED")
        const path = NodePath.join(yield* temporaryDirectory, "none.sock")
        const message = yield* openFailure({ url: `unix://${path}` })
        assert.include(message, "ENOENT")
        assert.include(message, path)
      }))

    it.effect("is not answered", () =>
      Effect.gen(function*() {
        const url = yield* listen(NodeNet.createServer(() => {}))
        assert.include(yield* openFailure({ url, connectTimeout: "200 millis" }), "not answered in time")
      }))

    it.effect("has an address of another kind", () =>
      Effect.gen(function*() {
        assert.include(yield* openFailure({ url: "http://127.0.0.1:1" }), "must start with")
        assert.include(yield* openFailure({ url: "unix://relative/path" }), "must start with")
        assert.include(yield* openFailure({ url: "unix:///a b:c" }), "the path of the socket")
      }))
  })

  describe("the real app-server", () => {
    const codex = fileURLToPath(new URL("../../node_modules/@openai/codex/bin/codex.js", import.meta.url))

    const startServer = Effect.fnUntraced(function*(directory: string, address: string) {
      const home = NodePath.join(directory, "home")
      const temporary = NodePath.join(directory, "tmp")
      for (const path of [home, temporary]) NodeFs.mkdirSync(path)
      return yield* ChildTransport.make({
        command: process.execPath,
        args: [codex, "app-server", "--listen", address],
        // This one outlives its stdin.
        shutdown: { stdinGrace: 0 },
        env: { CODEX_HOME: home, HOME: home, TMPDIR: temporary, RUST_LOG: "warn" }
      })
    })

    const handshake = Effect.fnUntraced(function*(transport: TransportService) {
      yield* transport.send([initialize])
      const [frame] = yield* transport.receive
      const message: unknown = JSON.parse(Predicate.isString(frame) ? frame : "null")
      assert.strictEqual(Predicate.hasProperty(message, "id") ? message.id : undefined, 1)
      assert.isTrue(Predicate.hasProperty(message, "result"))
    })

    it.effect("answers over TCP", () =>
      Effect.gen(function*() {
        const server = yield* startServer(yield* temporaryDirectory, "ws://127.0.0.1:0")
        const url = yield* whenReady(Effect.flatMap(server.stderrTail, (tail) => {
          const url = /listening on: (ws:\/\/\S+)/.exec(tail)?.[1]
          return url === undefined ? Effect.fail("not yet") : Effect.succeed(url)
        }))
        yield* handshake(yield* WebSocketTransport.make({ url }))
      }))

    it.effect("answers over a unix socket", () =>
      Effect.gen(function*() {
        const directory = yield* temporaryDirectory
        const url = `unix://${NodePath.join(directory, "app.sock")}`
        yield* startServer(directory, url)
        yield* handshake(yield* whenReady(WebSocketTransport.make({ url })))
      }))
  })
})
