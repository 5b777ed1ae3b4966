import * as NodeServices from "@effect/platform-node/NodeServices"
import * as NodeWS from "@effect/platform-node/NodeWS"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as NodeFs from "node:fs"
import * as NodeHttp from "node:http"
import * as NodeNet from "node:net"
import * as NodePath from "node:path"
import { inRealTime } from "../../src/transport/internal/realTime.ts"
import { type Inbound, type TransportService, Unreadable } from "../../src/transport/Transport.ts"
import * as WebSocketAuth from "../../src/transport/WebSocketAuth.ts"
import * as WebSocketServer from "../../src/transport/WebSocketServer.ts"
import * as WebSocketTransport from "../../src/transport/WebSocketTransport.ts"

const loopback = { host: "127.0.0.1", port: 0 } as const

const socketPath = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return NodePath.join(yield* fs.makeTempDirectoryScoped({ prefix: "ws-" }), "s.sock")
})

const serve = Effect.fnUntraced(
  function*(kind: "TCP" | "unix", options: Omit<WebSocketServer.Options, "listen"> = {}) {
    const listen = kind === "TCP" ? loopback : { unix: yield* socketPath }
    const server = yield* WebSocketServer.make({ listen, ...options })
    return {
      server,
      listen,
      to: "unix" in listen ? { path: listen.unix } : { host: "127.0.0.1", port: Number(new URL(server.address).port) }
    }
  }
)

/** Connects a client; gives both ends. */
const connect = Effect.fnUntraced(function*(server: WebSocketServer.WebSocketServer) {
  const client = yield* WebSocketTransport.make({ url: server.address })
  const connection = yield* Queue.take(server.connections)
  return { client, connection, transport: connection.transport }
})

const receiveFrames = Effect.fnUntraced(function*(transport: TransportService, count: number) {
  const frames: Array<Inbound> = []
  while (frames.length < count) frames.push(...yield* transport.receive)
  return frames
})

const closure = (transport: TransportService) =>
  transport.receive.pipe(
    Effect.forever,
    Effect.flip,
    Effect.map(({ reason }) => reason._tag === "Closed" ? reason : assert.fail(reason._tag))
  )

interface Address {
  readonly path?: string
  readonly host?: string
  readonly port?: number
}

/** Says something on a bare connection; gives all that comes back until the other side closes. */
const sayRaw = (to: Address, text: string | Uint8Array) =>
  Effect.callback<string>((resume) => {
    const socket = "path" in to
      ? NodeNet.connect({ path: to.path ?? "" })
      : NodeNet.connect({ ...to, port: to.port ?? 0 })
    let answer = ""
    socket.on("data", (chunk) => (answer += chunk.toString("latin1")))
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(answer)))
    socket.write(text)
    return Effect.sync(() => socket.destroy())
  }).pipe(Effect.timeout("5 seconds"), inRealTime)

const upgrade = (headers: Readonly<Record<string, string>> = {}, path = "/rpc") =>
  [
    `GET ${path} HTTP/1.1`,
    "Host: x",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    ""
  ].join("\r\n")

/** A masked frame of a client. */
const frame = (opcode: number, payload: string) => {
  const bytes = Buffer.from(payload)
  assert.isBelow(bytes.length, 126)
  const mask = [1, 2, 3, 4]
  return Buffer.from([
    0x80 | opcode,
    0x80 | bytes.length,
    ...mask,
    ...bytes.map((byte, index) => byte ^ (mask[index % 4] ?? 0))
  ])
}

const request = (to: Address, method: string, path: string, headers: Record<string, string> = {}) =>
  Effect.callback<{ readonly status: number | undefined; readonly body: string }, string>((resume) => {
    const options = "path" in to ? { socketPath: to.path } : to
    const sent = NodeHttp.request({ ...options, path, method, headers, agent: false }, (response) => {
      let body = ""
      response.on("data", (chunk: Buffer) => (body += chunk.toString()))
      response.on("end", () => resume(Effect.succeed({ status: response.statusCode, body })))
    })
    sent.on("error", (error) => resume(Effect.fail(error.message)))
    sent.end()
  })

/** The status and body of a refused handshake. */
const refusedHandshake = (to: Address, headers: Readonly<Record<string, string>> = {}) =>
  Effect.map(sayRaw(to, upgrade(headers)), (answer) => {
    const [head = "", body = ""] = answer.split("\r\n\r\n")
    return { status: Number(head.split(" ")[1]), body }
  })

/** A client whose socket is read only when the test says so. */
const lazyClient = (address: string) =>
  Effect.acquireRelease(
    Effect.callback<NodeWS.WebSocket>((resume) => {
      const url = address.startsWith("unix://") ? `ws+unix://${address.slice("unix://".length)}:/` : address
      const socket = new NodeWS.WebSocket(url, { perMessageDeflate: false })
      socket.on("error", () => {})
      socket.on("open", () => {
        socket.pause()
        resume(Effect.succeed(socket))
      })
    }),
    (socket) => Effect.sync(() => socket.terminate())
  )

const eventually = (condition: () => boolean) =>
  Effect.sync(condition).pipe(
    Effect.repeat({ until: (holds) => holds, schedule: Schedule.spaced("20 millis") }),
    Effect.timeout("10 seconds"),
    inRealTime
  )

layer(NodeServices.layer)("WebSocketServer", (it) => {
  for (const kind of ["TCP", "unix"] as const) {
    it.effect(`carries frames both ways and says who connects (${kind})`, () =>
      Effect.gen(function*() {
        const { server } = yield* serve(kind)
        const client = yield* WebSocketTransport.make({
          url: server.address,
          headers: { authorization: Redacted.make("Bearer x"), "x-codex-app-server-compression": "zstd-stream-v1" }
        })
        const { headers, path, transport } = yield* Queue.take(server.connections)
        assert.strictEqual(path, "/")
        assert.strictEqual(headers["x-codex-app-server-compression"], "zstd-stream-v1")
        assert.notProperty(headers, "authorization")
        yield* client.send(["{\"id\":1}", "{\"id\":2}"])
        assert.deepStrictEqual(yield* receiveFrames(transport, 2), ["{\"id\":1}", "{\"id\":2}"])
        const long = `{"text":"${"\u{1f980}".repeat(100_000)}"}`
        yield* transport.send(["{\"id\":3}", long])
        assert.deepStrictEqual(yield* receiveFrames(client, 2), ["{\"id\":3}", long])
      }))

    it.effect(`answers the handshake as the real server does (${kind})`, () =>
      Effect.gen(function*() {
        const { to } = yield* serve(kind)
        const ping = frame(9, "hi")
        const close = frame(8, "")
        const answer = yield* sayRaw(
          to,
          Buffer.concat([
            Buffer.from(upgrade({ "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits" })),
            ping,
            close
          ])
        )
        const [head = "", frames = ""] = answer.split("\r\n\r\n")
        const lines = head.toLowerCase().split("\r\n")
        assert.strictEqual(lines[0], "http/1.1 101 switching protocols")
        assert.notInclude(head.toLowerCase(), "extensions")
        const unfragmented = "x-codex-websocket-max-unfragmented-message-bytes: 16777216"
        assert.strictEqual(lines.includes(unfragmented), kind === "unix")
        // A pong with what the ping had, then the goodbye.
        assert.strictEqual(frames.slice(0, 4), "\u008a\u0002hi")
      }))

    it.effect(`refuses web pages before the upgrade (${kind})`, () =>
      Effect.gen(function*() {
        const { server, to } = yield* serve(kind)
        for (const origin of ["https://evil.example", "null", "http://localhost"]) {
          assert.deepStrictEqual(yield* refusedHandshake(to, { Origin: origin }), { status: 403, body: "" })
        }
        assert.strictEqual(yield* Queue.size(server.connections), 0)
      }))

    it.effect(`closes the connection of whoever speaks something else, and of nobody beside (${kind})`, () =>
      Effect.gen(function*() {
        const { server, to } = yield* serve(kind)
        const { client, transport } = yield* connect(server)
        for (
          const text of [
            "{\"id\":1,\"method\":\"initialize\"}\n",
            "Content-Length: 2\r\n\r\n{}",
            Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]),
            "\n\nhello\n"
          ]
        ) {
          const answer = yield* sayRaw(to, text)
          assert.match(answer, /^This is a WebSocket server: [^\n]*\n$/)
        }
        // A frame without a mask, in a conversation that began well.
        yield* sayRaw(to, Buffer.concat([Buffer.from(upgrade()), Buffer.from([0x81, 0x02, 0x7b, 0x7d])]))
        yield* client.send(["{}"])
        assert.deepStrictEqual(yield* receiveFrames(transport, 1), ["{}"])
      }))
  }

  it.effect("makes the socket so that nobody else can open it, and removes it", () =>
    Effect.gen(function*() {
      const path = yield* socketPath
      const mode = yield* WebSocketServer.make({ listen: { unix: path } }).pipe(
        Effect.andThen(Effect.sync(() => NodeFs.statSync(path).mode & 0o777)),
        Effect.scoped
      )
      assert.strictEqual(mode, 0o600)
      assert.isFalse(NodeFs.existsSync(path))
    }))

  it.effect("answers probes over TCP", () =>
    Effect.gen(function*() {
      const { to } = yield* serve("TCP", { auth: yield* WebSocketAuth.capabilityToken({ sha256: "0".repeat(64) }) })
      assert.deepStrictEqual(yield* request(to, "GET", "/readyz"), { status: 200, body: "" })
      assert.deepStrictEqual(yield* request(to, "GET", "/healthz?x=1"), { status: 200, body: "" })
      assert.deepStrictEqual(yield* request(to, "HEAD", "/healthz"), { status: 200, body: "" })
      assert.deepStrictEqual(yield* request(to, "POST", "/readyz"), { status: 405, body: "" })
      assert.deepStrictEqual(yield* request(to, "GET", "/readyz", { origin: "null" }), { status: 403, body: "" })
      assert.deepStrictEqual(yield* request(to, "GET", "/"), {
        status: 400,
        body: "Connection header did not include 'upgrade'"
      })
    }))

  it.effect("answers no plain HTTP over a unix socket", () =>
    Effect.gen(function*() {
      const { to } = yield* serve("unix")
      assert.strictEqual(yield* sayRaw(to, "GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n"), "")
    }))

  it.effect("lets in who shows the token, and tells others why not", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const file = yield* fs.makeTempFileScoped()
      yield* fs.writeFileString(file, "s3cret-token\n")
      const { server, to } = yield* serve("TCP", { auth: yield* WebSocketAuth.capabilityToken({ file }) })
      assert.deepStrictEqual(yield* refusedHandshake(to), { status: 401, body: "missing websocket bearer token" })
      assert.deepStrictEqual(yield* refusedHandshake(to, { Authorization: "Bearer s3cret-tokeN" }), {
        status: 401,
        body: "invalid websocket bearer token"
      })
      yield* WebSocketTransport.make({
        url: server.address,
        headers: { authorization: Redacted.make("Bearer s3cret-token") }
      })
      const { headers } = yield* Queue.take(server.connections)
      assert.notInclude(JSON.stringify(headers), "s3cret")
    }))

  it.effect("does not listen beyond loopback without a token", () =>
    Effect.gen(function*() {
      for (const host of ["0.0.0.0", "::", "192.0.2.1", "example.com"]) {
        const error = yield* WebSocketServer.make({ listen: { host, port: 0 } }).pipe(Effect.scoped, Effect.flip)
        assert.strictEqual(error.reason._tag, "OpenFailed")
        assert.include(error.message, "refusing to start non-loopback websocket listener")
      }
    }))

  it.effect("says why it cannot listen", () =>
    Effect.gen(function*() {
      const { server } = yield* serve("TCP")
      const port = Number(new URL(server.address).port)
      const error = yield* WebSocketServer.make({ listen: { ...loopback, port } }).pipe(Effect.scoped, Effect.flip)
      assert.strictEqual(error.message, `Could not open ws://127.0.0.1:${port}: EADDRINUSE`)
    }))

  it.effect("takes apart lines in one frame, and reports binary frames and text that is no object", () =>
    Effect.gen(function*() {
      const { server } = yield* serve("TCP")
      const socket = yield* lazyClient(server.address)
      const { transport } = yield* Queue.take(server.connections)
      socket.send("{\"id\":1}\n{\"id\":2}\r\n\n")
      socket.send(Buffer.from("{\"id\":3}"))
      socket.send("hello")
      socket.send("")
      socket.send("{\"id\":4}")
      assert.deepStrictEqual(yield* receiveFrames(transport, 5), [
        "{\"id\":1}",
        "{\"id\":2}",
        new Unreadable("noise", 8, "{\"id\":3}"),
        new Unreadable("noise", 5, "hello"),
        "{\"id\":4}"
      ])
    }))

  it.effect("takes a message over the limit, in one frame or in several, for the end of that client alone", () =>
    Effect.gen(function*() {
      const { server } = yield* serve("TCP", { frameLimit: 1000 })
      const beside = yield* connect(server)
      const whole = yield* connect(server)
      yield* whole.client.send([`{"text":"${"x".repeat(1000)}"}`])
      const closed = yield* closure(whole.transport)
      assert.strictEqual(closed.closeCode, 1009)
      assert.include(closed.message, "over the limit of 1000 bytes")
      assert.strictEqual((yield* closure(whole.client)).closeCode, 1009)

      const socket = yield* lazyClient(server.address)
      const { transport } = yield* Queue.take(server.connections)
      for (let part = 0; part < 5; part++) socket.send("x".repeat(300), { fin: false })
      assert.strictEqual((yield* closure(transport)).closeCode, 1009)

      yield* beside.client.send(["{}"])
      assert.deepStrictEqual(yield* receiveFrames(beside.transport, 1), ["{}"])
    }))

  it.effect("answers pings while nobody takes what has arrived, and between long messages of its own", () =>
    Effect.gen(function*() {
      const { server } = yield* serve("TCP")
      const socket = yield* lazyClient(server.address)
      const { transport } = yield* Queue.take(server.connections)
      socket.resume()
      const pong = Effect.callback<string>((resume) => {
        socket.once("pong", (data: Buffer) => resume(Effect.succeed(data.toString())))
        socket.ping("now")
      })
      for (let index = 0; index < 1000; index++) socket.send("{}")
      assert.strictEqual(yield* pong, "now")
      const text = `"${"x".repeat(1_000_000)}"`
      let sent = 0
      yield* transport.send([text]).pipe(
        Effect.andThen(Effect.sync(() => ++sent)),
        Effect.repeat({ until: (sent) => sent === 200 }),
        Effect.forkScoped
      )
      yield* eventually(() => sent > 0)
      assert.strictEqual(yield* pong, "now")
      assert.isBelow(sent, 200)
    }))

  it.effect("lets send wait for a slow reader, and goes on when it reads", () =>
    Effect.gen(function*() {
      const { server } = yield* serve("TCP")
      const socket = yield* lazyClient(server.address)
      const { transport } = yield* Queue.take(server.connections)
      let sent = 0
      const text = `"${"x".repeat(100_000)}"`
      yield* transport.send([text]).pipe(
        Effect.andThen(Effect.sync(() => ++sent)),
        Effect.repeat({ until: (sent) => sent === 300 }),
        Effect.forkScoped
      )
      let before = -1
      yield* Effect.sync(() => {
        const still = sent === before
        before = sent
        return still
      }).pipe(Effect.repeat({ until: (still) => still, schedule: Schedule.spaced("300 millis") }), inRealTime)
      // What the system's own buffers take, and one high-water mark.
      assert.isBelow(sent, 200)
      let received = 0
      socket.on("message", () => received++)
      socket.resume()
      yield* eventually(() => received === 300)
    }))

  it.effect("disconnects behind what was sent, with the reason", () =>
    Effect.gen(function*() {
      const { server } = yield* serve("TCP")
      const { client, transport } = yield* connect(server)
      const detail = `too slow ${"\u00e9".repeat(100)}`
      yield* transport.send(["{}"])
      transport.disconnect(detail, 1013)
      transport.disconnect("again", 1000)
      assert.deepStrictEqual(yield* receiveFrames(client, 1), ["{}"])
      const told = yield* closure(client)
      assert.strictEqual(told.closeCode, 1013)
      assert.include(told.detail, `too slow ${"\u00e9".repeat(50)}`)
      const known = yield* closure(transport)
      assert.strictEqual(known.closeCode, 1013)
      const error = yield* Effect.flip(transport.send(["{}"]))
      assert.strictEqual(error.reason._tag, "Closed")
    }))

  it.effect("says how a client left", () =>
    Effect.gen(function*() {
      const { server } = yield* serve("TCP")
      const polite = yield* lazyClient(server.address)
      const politely = yield* Queue.take(server.connections)
      polite.resume()
      polite.close(4001, "bye")
      assert.strictEqual((yield* closure(politely.transport)).detail, "the client closed with 4001: bye")
      const rude = yield* lazyClient(server.address)
      const rudely = yield* Queue.take(server.connections)
      rude.terminate()
      const { closeCode, detail } = yield* closure(rudely.transport)
      assert.strictEqual(closeCode, 1006)
      assert.include(detail, "without a close frame")
    }))

  it.effect("still answers a client that has ended its own side", () =>
    Effect.gen(function*() {
      const { server, to } = yield* serve("unix")
      const socket = NodeNet.connect({ path: to.path ?? "" })
      let answer = ""
      let closed = false
      socket.on("data", (chunk) => (answer += chunk.toString("latin1")))
      socket.on("close", () => (closed = true))
      socket.end(Buffer.concat([Buffer.from(upgrade()), frame(1, "{\"id\":1}")]))
      const { transport } = yield* Queue.take(server.connections)
      assert.deepStrictEqual(yield* receiveFrames(transport, 1), ["{\"id\":1}"])
      assert.include((yield* closure(transport)).detail, "has ended its side")
      yield* transport.send(["{\"id\":1,\"result\":{}}"])
      transport.disconnect("done", 1000)
      yield* eventually(() => closed)
      assert.include(answer, "{\"id\":1,\"result\":{}}")
    }))

  it.effect("has a limit on clients", () =>
    Effect.gen(function*() {
      const { server, to } = yield* serve("TCP", { connectionLimit: 1 })
      const first = yield* lazyClient(server.address)
      assert.strictEqual((yield* refusedHandshake(to)).status, 503)
      first.resume()
      first.close()
      yield* eventually(() => first.readyState === first.CLOSED)
      yield* WebSocketTransport.make({ url: server.address }).pipe(
        Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 100 }),
        inRealTime
      )
    }))

  it.effect("tells clients that it ends, and does not wait long for those who do not listen", () =>
    Effect.gen(function*() {
      const heard: Array<string> = []
      yield* Effect.gen(function*() {
        const server = yield* WebSocketServer.make({ listen: loopback })
        const deaf = new NodeWS.WebSocket(server.address)
        deaf.on("open", () => deaf.pause())
        yield* Queue.take(server.connections)
        const listener = new NodeWS.WebSocket(server.address)
        listener.on("message", (data: Buffer) => heard.push(data.toString()))
        listener.on("close", (code) => heard.push(`closed with ${code}`))
        const { transport } = yield* Queue.take(server.connections)
        yield* transport.send(["{}"])
      }).pipe(Effect.scoped, Effect.timeout("5 seconds"), inRealTime)
      yield* eventually(() => heard.length === 2)
      assert.deepStrictEqual(heard, ["{}", "closed with 1001"])
    }))
})
