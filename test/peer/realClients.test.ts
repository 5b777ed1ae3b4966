/**
 * Clients on real connections, the codex binary among them, with a `ServerPeer` at the other end.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as NodeWS from "@effect/platform-node/NodeWS"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as NodeChildProcess from "node:child_process"
import { ServerPeer } from "../../src/peer/index.ts"
import * as ControlSocket from "../../src/transport/ControlSocket.ts"
import { ProcessTable } from "../../src/transport/ProcessTable.ts"
import * as WebSocketServer from "../../src/transport/WebSocketServer.ts"
import { codexBin } from "../protocol/support/codex.ts"

const initialized = (codexHome: string) => ({
  userAgent: "test/0.171.0 (test)",
  codexHome,
  platformFamily: "unix",
  platformOs: "linux"
})

/** Serves all clients of a server; gives what they ask. */
const serveAll = Effect.fnUntraced(function*(
  server: WebSocketServer.WebSocketServer,
  onRequest: ServerPeer.ServerHandlers["onRequest"],
  options?: ServerPeer.Options
) {
  const asked: Array<string> = []
  const overflows: Array<ServerPeer.Diagnostic> = []
  yield* Queue.take(server.connections).pipe(
    Effect.flatMap(({ transport }) =>
      ServerPeer.make(transport, {
        onRequest: (request, call) => {
          asked.push(request.method)
          return onRequest(request, call)
        },
        onNotification: ({ method }) => asked.push(method),
        onDiagnostic: (diagnostic) => diagnostic._tag === "Overflow" && overflows.push(diagnostic)
      }, options).pipe(Effect.flatMap(({ closed }) => closed), Effect.scoped, Effect.forkScoped)
    ),
    Effect.forever,
    Effect.ignore,
    Effect.forkScoped
  )
  return { asked, overflows }
})

interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

const runCodex = (args: ReadonlyArray<string>, codexHome: string, stdin = "") =>
  Effect.callback<Ended>((resume) => {
    const child = NodeChildProcess.spawn(codexBin, args, {
      env: { ...process.env, CODEX_HOME: codexHome },
      cwd: codexHome,
      stdio: "pipe"
    })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString("latin1")))
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
    child.on("close", (status) => resume(Effect.succeed({ status, stdout, stderr })))
    child.stdin.on("error", () => {})
    child.stdin.end(stdin, "latin1")
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const home = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.makeTempDirectoryScoped({ prefix: "rc-" })
})

const until = (condition: () => boolean) =>
  Effect.sync(condition).pipe(
    Effect.repeat({ until: (holds) => holds, schedule: Schedule.spaced("20 millis") }),
    Effect.timeout("15 seconds")
  )

layer(ProcessTable.layer.pipe(Layer.provideMerge(NodeServices.layer)), { excludeTestServices: true })(
  "real clients",
  (it) => {
    it.effect("codex exec connects to the control socket, and says what it is refused", () =>
      Effect.gen(function*() {
        const codexHome = yield* home
        const path = ControlSocket.defaultPath(codexHome)
        const server = yield* ControlSocket.serve({ path, privateDirectory: true })
        const { asked } = yield* serveAll(server, ({ method }) =>
          method === "initialize"
            ? Effect.succeed(initialized(codexHome))
            : Effect.fail({ code: -32600, message: `nobody serves ${method} here` }))
        const { status, stderr, stdout } = yield* runCodex(
          ["exec", "--skip-git-repo-check", "--remote", `unix://${path}`, "--json", "hello"],
          codexHome
        )
        assert.deepStrictEqual(asked.slice(0, 2), ["initialize", "initialized"])
        assert.include(asked, "thread/start")
        assert.notStrictEqual(status, 0)
        assert.include(stdout + stderr, "nobody serves thread/start here")
      }))

    it.effect("codex's own proxy carries a handshake and its first message to the control socket", () =>
      Effect.gen(function*() {
        const codexHome = yield* home
        const path = ControlSocket.defaultPath(codexHome)
        const server = yield* ControlSocket.serve({ path, privateDirectory: true })
        const { asked } = yield* serveAll(server, () => Effect.succeed(initialized(codexHome)))
        const message = Buffer.from(JSON.stringify({
          id: 1,
          method: "initialize",
          params: { clientInfo: { name: "x", title: null, version: "1" } }
        }))
        assert.isBelow(message.length, 126)
        const handshake = [
          "GET / HTTP/1.1",
          "Host: x",
          "Connection: Upgrade",
          "Upgrade: websocket",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
          "",
          ""
        ].join("\r\n")
        // A mask of zeroes leaves the text as it is.
        const frame = Buffer.concat([Buffer.from([0x81, 0x80 | message.length, 0, 0, 0, 0]), message])
        const { stdout } = yield* runCodex(
          ["app-server", "proxy", "--sock", path],
          codexHome,
          handshake + frame.toString("latin1")
        )
        assert.deepStrictEqual(asked, ["initialize"])
        assert.match(stdout, /^HTTP\/1\.1 101 /)
        assert.include(stdout, "\"userAgent\":\"test/0.171.0 (test)\"")
      }))

    it.effect("codex takes the control socket for one of its daemons", () =>
      Effect.gen(function*() {
        const codexHome = yield* home
        const path = ControlSocket.defaultPath(codexHome)
        const server = yield* ControlSocket.serve({ path, privateDirectory: true })
        yield* serveAll(server, () => Effect.succeed(initialized(codexHome)))
        const { status, stdout } = yield* runCodex(["app-server", "daemon", "version"], codexHome)
        assert.strictEqual(status, 0)
        const answer: { status: string; appServerVersion: string; socketPath: string } = JSON.parse(stdout)
        assert.strictEqual(answer.status, "running")
        assert.strictEqual(answer.appServerVersion, "0.171.0")
      }))

    for (const reads of [true, false]) {
      it.effect(
        reads
          ? "a client that asks 5,000 times at once gets 5,000 answers"
          : "a client that asks and does not read is told to go, and others do not notice",
        () =>
          Effect.gen(function*() {
            const server = yield* WebSocketServer.make({ listen: { host: "127.0.0.1", port: 0 } })
            const text = "x".repeat(10_000)
            const { overflows } = yield* serveAll(
              server,
              () => Effect.succeed({ data: [text], nextCursor: null }),
              { queue: { characters: 4 * 1024 * 1024 }, stallTimeout: "500 millis" }
            )
            const open = Effect.acquireRelease(
              Effect.callback<NodeWS.WebSocket>((resume) => {
                const socket = new NodeWS.WebSocket(server.address, { perMessageDeflate: false })
                socket.on("open", () => resume(Effect.succeed(socket)))
              }),
              (socket) => Effect.sync(() => socket.terminate())
            )
            const socket = yield* open
            const answers = new Set<unknown>()
            let closed: number | undefined
            socket.on("message", (data: Buffer) => {
              const answer: { id?: unknown } = JSON.parse(data.toString())
              answers.add(answer.id)
            })
            socket.on("close", (code) => (closed = code))
            if (!reads) socket.pause()
            for (let id = 0; id < 5000; id++) {
              socket.send(JSON.stringify({ id, method: "thread/loaded/list", params: {} }))
            }
            if (reads) {
              yield* until(() => answers.size === 5000)
              assert.deepStrictEqual(overflows, [])
              return
            }
            yield* until(() => overflows.length === 1)
            const other = yield* open
            yield* Effect.callback<void>((resume) => {
              other.once("message", () => resume(Effect.void))
              other.send("{\"id\":1,\"method\":\"thread/loaded/list\",\"params\":{}}")
            })
            socket.resume()
            yield* until(() => closed !== undefined)
            assert.strictEqual(closed, 1013)
            assert.isAbove(answers.size, 0)
          })
      )
    }
  }
)
