import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as NodeChildProcess from "node:child_process"
import * as NodeFs from "node:fs"
import * as NodeNet from "node:net"
import * as NodePath from "node:path"
import { fileURLToPath } from "node:url"
import * as ControlSocket from "../../src/transport/ControlSocket.ts"
import { inRealTime } from "../../src/transport/internal/realTime.ts"
import { ProcessTable } from "../../src/transport/ProcessTable.ts"
import * as WebSocketTransport from "../../src/transport/WebSocketTransport.ts"

const program = fileURLToPath(new URL("programs/controlSocket.ts", import.meta.url))

const directory = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.makeTempDirectoryScoped({ prefix: "cs-" })
})

/** Starts a server process; gives it as soon as it says whether it listens. */
const start = (settings: ControlSocket.Options & { readonly hang?: boolean }) =>
  Effect.acquireRelease(
    Effect.callback<{
      readonly said: string
      readonly stop: Effect.Effect<void>
      readonly kill: Effect.Effect<void>
    }>((resume) => {
      const child = NodeChildProcess.spawn(process.execPath, [program, JSON.stringify(settings)], {
        stdio: ["pipe", "pipe", "inherit"]
      })
      const exited = new Promise<void>((resolve) => child.on("exit", () => resolve()))
      child.stdin.on("error", () => {})
      child.stdout.once("data", (chunk: Buffer) => {
        resume(Effect.succeed({
          said: chunk.toString().trim(),
          stop: Effect.suspend(() => {
            child.stdin.end()
            return Effect.promise(() => exited)
          }),
          kill: Effect.suspend(() => {
            child.kill("SIGKILL")
            return Effect.promise(() => exited)
          })
        }))
      })
    }).pipe(Effect.timeout("20 seconds"), inRealTime),
    ({ kill }) => kill
  )

/** Whether a server answers at a path. */
const answers = (path: string) =>
  WebSocketTransport.make({ url: `unix://${path}` }).pipe(
    Effect.as(true),
    Effect.orElseSucceed(() => false),
    Effect.scoped
  )

const refusal = (options: ControlSocket.Options) =>
  ControlSocket.serve(options).pipe(
    Effect.scoped,
    Effect.flip,
    Effect.map((error) => error._tag === "ControlSocketError" ? error.reason : assert.fail(error.message))
  )

const modeOf = (path: string) => NodeFs.lstatSync(path).mode & 0o777

layer(ProcessTable.layer.pipe(Layer.provideMerge(NodeServices.layer)))("ControlSocket", (it) => {
  it.effect("makes a private directory and a private socket, and leaves nothing behind", () =>
    Effect.gen(function*() {
      const path = ControlSocket.defaultPath(NodePath.join(yield* directory, "home"))
      assert.match(path, /\/home\/app-server-control\/app-server-control\.sock$/)
      yield* Effect.scoped(Effect.gen(function*() {
        const { address } = yield* ControlSocket.serve({ path, privateDirectory: true })
        assert.strictEqual(address, `unix://${path}`)
        assert.strictEqual(modeOf(NodePath.dirname(path)), 0o700)
        assert.strictEqual(modeOf(path), 0o600)
        assert.isTrue(NodeFs.lstatSync(path).isSocket())
        assert.deepStrictEqual(NodeFs.readdirSync(NodePath.dirname(path)), ["app-server-control.sock"])
        assert.isTrue(yield* answers(path))
      }))
      assert.deepStrictEqual(NodeFs.readdirSync(NodePath.dirname(path)), [])
    }))

  it.effect("leaves a live server alone", () =>
    Effect.gen(function*() {
      const path = NodePath.join(yield* directory, "s.sock")
      const first = yield* start({ path })
      assert.strictEqual(first.said, "listening")
      const second = yield* start({ path })
      assert.strictEqual(second.said, `InUse: app-server control socket is already in use at ${path}`)
      yield* second.stop
      assert.isTrue(yield* answers(path))
      yield* first.stop
      assert.isFalse(NodeFs.existsSync(path))
    }))

  it.effect("replaces the socket of a server that was killed", () =>
    Effect.gen(function*() {
      const path = NodePath.join(yield* directory, "s.sock")
      const first = yield* start({ path })
      yield* first.kill
      assert.isTrue(NodeFs.lstatSync(path).isSocket())
      const second = yield* start({ path })
      assert.strictEqual(second.said, "listening")
      assert.isTrue(yield* answers(path))
    }))

  it.effect("does not remove the socket of a server that has taken its place", () =>
    Effect.gen(function*() {
      const path = NodePath.join(yield* directory, "s.sock")
      const first = yield* start({ path })
      NodeFs.unlinkSync(path)
      const second = yield* start({ path })
      assert.strictEqual(second.said, "listening")
      yield* first.stop
      assert.isTrue(yield* answers(path))
    }))

  it.effect("gets the lock of a process that was killed while it held it, however often that happened", () =>
    Effect.gen(function*() {
      const path = NodePath.join(yield* directory, "s.sock")
      for (let round = 0; round < 3; round++) {
        const hanging = yield* start({ path, hang: true })
        assert.strictEqual(hanging.said, "locked")
        yield* hanging.kill
        assert.isTrue(NodeFs.existsSync(`${path}.lock`))
      }
      NodeFs.writeFileSync(`${path}.lock`, "")
      const next = yield* start({ path })
      assert.strictEqual(next.said, "listening")
      assert.isFalse(NodeFs.existsSync(`${path}.lock`))
      assert.isTrue(yield* answers(path))
    }))

  for (const leftover of ["nothing", "a dead server's socket", "a dead server's lock"]) {
    it.effect(`lets exactly one of many win that start at once, with ${leftover} there`, () =>
      Effect.gen(function*() {
        const path = NodePath.join(yield* directory, "s.sock")
        if (leftover !== "nothing") {
          const dead = yield* start({ path, hang: leftover === "a dead server's lock" })
          yield* dead.kill
        }
        const started = yield* Effect.forEach(Array.from({ length: 6 }), () => start({ path }), {
          concurrency: "unbounded"
        })
        const said = started.map(({ said }) => said.split(":")[0])
        assert.strictEqual(said.filter((said) => said === "listening").length, 1, said.join())
        assert.strictEqual(said.filter((said) => said === "InUse").length, 5, said.join())
        assert.isTrue(yield* answers(path))
      }), 60_000)
  }

  it.effect("replaces neither a file nor a directory nor a link to elsewhere", () =>
    Effect.gen(function*() {
      const base = yield* directory
      const at = (name: string) => NodePath.join(base, name)
      NodeFs.writeFileSync(at("file"), "precious")
      NodeFs.mkdirSync(at("directory"))
      NodeFs.symlinkSync(at("file"), at("link"))
      NodeFs.symlinkSync(at("nowhere"), at("dangling"))
      for (const name of ["file", "directory", "link", "dangling"]) {
        const before = NodeFs.lstatSync(at(name)).ino
        assert.strictEqual((yield* refusal({ path: at(name) }))._tag, "Refused", name)
        assert.strictEqual(NodeFs.lstatSync(at(name)).ino, before)
      }
      assert.strictEqual(NodeFs.readFileSync(at("file"), "utf8"), "precious")
      assert.deepStrictEqual(NodeFs.readdirSync(base).toSorted(), ["dangling", "directory", "file", "link"])
    }))

  it.effect("says that it is in use when a link to elsewhere leads to a live server", () =>
    Effect.gen(function*() {
      const base = yield* directory
      const path = NodePath.join(base, "s.sock")
      yield* start({ path })
      NodeFs.symlinkSync(path, NodePath.join(base, "link"))
      assert.strictEqual((yield* refusal({ path: NodePath.join(base, "link") }))._tag, "InUse")
    }))

  it.effect("is in use for as long as somebody listens, whatever is spoken there", () =>
    Effect.gen(function*() {
      const path = NodePath.join(yield* directory, "s.sock")
      yield* Effect.acquireRelease(
        Effect.callback<NodeNet.Server>((resume) => {
          const server = NodeNet.createServer()
          server.listen(path, () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close())
      )
      assert.strictEqual((yield* refusal({ path }))._tag, "InUse")
    }))

  it.effect("puts a socket with a long path elsewhere, with a link to it", () =>
    Effect.gen(function*() {
      const base = yield* directory
      const shortDirectory = NodePath.join(base, "short")
      const path = NodePath.join(base, "x".repeat(100), "s.sock")
      const options = { path, privateDirectory: true, shortDirectory }
      const first = yield* start(options)
      assert.strictEqual(first.said, "listening")
      const target = NodeFs.readlinkSync(path)
      assert.strictEqual(NodePath.dirname(target), shortDirectory)
      assert.strictEqual(modeOf(shortDirectory), 0o700)
      assert.strictEqual(modeOf(target), 0o600)
      assert.isTrue(yield* answers(target))
      const second = yield* start(options)
      assert.match(second.said, /^InUse: /)
      yield* first.kill
      const third = yield* start(options)
      assert.strictEqual(third.said, "listening")
      assert.isTrue(yield* answers(target))
      yield* third.stop
      assert.deepStrictEqual(NodeFs.readdirSync(NodePath.dirname(path)), [])
      assert.deepStrictEqual(NodeFs.readdirSync(shortDirectory), [])
    }))

  it.effect("trusts no directory that is a link, or no directory, or somebody else's", () =>
    Effect.gen(function*() {
      const base = yield* directory
      const at = (name: string) => NodePath.join(base, name)
      NodeFs.mkdirSync(at("real"))
      NodeFs.symlinkSync(at("real"), at("link"))
      NodeFs.writeFileSync(at("file"), "")
      const foreign = process.getuid?.() === 0 ? ["foreign"] : []
      if (foreign.length > 0) {
        NodeFs.mkdirSync(at("foreign"), { mode: 0o700 })
        NodeFs.chownSync(at("foreign"), 65_534, 65_534)
      }
      for (const name of ["link", "file", ...foreign]) {
        const reason = yield* refusal({ path: NodePath.join(at(name), "s.sock"), privateDirectory: true })
        assert.strictEqual(reason._tag, "Refused", name)
      }
      assert.deepStrictEqual(NodeFs.readdirSync(at("real")), [])
    }))

  it.effect("closes a directory of ours to others", () =>
    Effect.gen(function*() {
      const inside = NodePath.join(yield* directory, "open")
      NodeFs.mkdirSync(inside)
      NodeFs.chmodSync(inside, 0o777)
      yield* ControlSocket.serve({ path: NodePath.join(inside, "s.sock"), privateDirectory: true })
      assert.strictEqual(modeOf(inside), 0o700)
    }))

  it.effect("says what it cannot do", () =>
    Effect.gen(function*() {
      const reason = yield* refusal({ path: NodePath.join(yield* directory, "not", "there.sock") })
      assert.strictEqual(reason._tag, "Failed")
      assert.match(reason.message, /^Could not lock .*there\.sock: ENOENT$/)
    }))
})
