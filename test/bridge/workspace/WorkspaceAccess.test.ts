/**
 * A bridge that serves a directory and no more, whatever paths and links a client comes with.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import { join } from "node:path"
import type { ClientMethod } from "../../../src/bridge/ClientConnection.ts"
import * as Client from "./support/Client.ts"

/** `inside` is served; `outside` beside it holds a secret. */
const setUp = Effect.map(
  Client.make((directory) => ({ roots: [join(directory, "inside")], cwd: directory })),
  (client) => {
    const at = (path: string) => join(client.directory, path)
    for (const directory of ["inside/d", "outside/d", "inside-too"]) Fs.mkdirSync(at(directory), { recursive: true })
    Fs.writeFileSync(at("inside/file"), "ours")
    for (const directory of ["outside", "inside-too"]) Fs.writeFileSync(at(`${directory}/secret`), "secret")
    Fs.symlinkSync("../outside", at("inside/out"))
    Fs.symlinkSync("../outside/secret", at("inside/leak"))
    Fs.symlinkSync("../outside/made", at("inside/dangling"))
    Fs.symlinkSync("dangling", at("inside/twice"))
    Fs.symlinkSync("loop", at("inside/loop"))
    Fs.symlinkSync("d", at("inside/in"))
    return {
      ...client,
      at,
      refused: <M extends ClientMethod>(method: M, params: Parameters<typeof client.call<M>>[1]) =>
        Client.refused(client.call(method, params)).pipe(
          Effect.tap(({ code, message }) =>
            Effect.sync(() => {
              assert.strictEqual(code, -32600, message)
              assert.match(message, / is outside of the workspace: this bridge serves only what is below .*\/inside$/u)
            })
          )
        )
    }
  }
)

describe("workspace roots", () => {
  it.live("do not go: neither by themselves nor with what they are in", () =>
    Effect.gen(function*() {
      const { call, directory } = yield* Client.make((directory) => ({
        roots: [join(directory, "root"), join(directory, "root/d/inner")]
      }))
      const at = (path: string) => join(directory, path)
      Fs.mkdirSync(at("root/d/inner"), { recursive: true })
      Fs.writeFileSync(at("root/d/inner/file"), "ours")
      Fs.symlinkSync(".", at("root/self"))
      for (const path of ["root", "root/", "root/d/..", "root/self/d/inner", "root/d", "root/d/inner"]) {
        for (const recursive of [true, false]) {
          const { code, message } = yield* Client.refused(call("fs/remove", { path: at(path), recursive }))
          assert.strictEqual(code, -32600, message)
          assert.match(message, / cannot be removed: the workspace of this bridge, \S+, would go with it$/u)
        }
      }
      assert.strictEqual(Fs.readFileSync(at("root/d/inner/file"), "utf8"), "ours")
      // A link to a root is not the root.
      for (const path of ["root/self", "root/d/inner/file"]) yield* call("fs/remove", { path: at(path) })
      assert.deepStrictEqual(Fs.readdirSync(at("root")), ["d"])
    }))

  it.live("serve what is inside, links included", () =>
    Effect.gen(function*() {
      const { at, call } = yield* setUp
      assert.deepStrictEqual(yield* call("fs/readFile", { path: at("inside/file") }), {
        dataBase64: Client.base64("ours")
      })
      yield* call("fs/readDirectory", { path: at("inside") })
      yield* call("fs/writeFile", { path: at("inside/in/new"), dataBase64: "" })
      yield* call("fs/createDirectory", { path: at("inside/x/y/z") })
      yield* call("fs/copy", { sourcePath: at("inside/file"), destinationPath: at("inside/x/copy") })
      // A link may be removed and copied wherever it leads to.
      yield* call("fs/copy", { sourcePath: at("inside/leak"), destinationPath: at("inside/x/leak") })
      yield* call("fs/remove", { path: at("inside/leak") })
      assert.strictEqual(Fs.readFileSync(at("outside/secret"), "utf8"), "secret")
      yield* call("fs/watch", { path: at("inside/not/yet"), watchId: "w" })
    }))

  it.live("refuse every way to read outside", () =>
    Effect.gen(function*() {
      const { at, call, refused } = yield* setUp
      const ways = [
        "outside/secret",
        "inside/../outside/secret",
        "inside/d/../../outside/secret",
        "inside/out/secret",
        "inside/leak",
        "inside/in/../../outside/secret",
        "inside-too/secret",
        "inside/x/../../outside/secret"
      ]
      for (const way of ways) {
        // `at` would take the dots away before they are sent.
        const path = `${at("")}${way}`
        yield* refused("fs/readFile", { path })
        yield* refused("fs/getMetadata", { path })
        yield* refused("fs/watch", { path, watchId: "w" })
      }
      yield* refused("fs/readDirectory", { path: at("inside/out") })
      yield* refused("fs/readFile", { path: "/etc/passwd" })
      yield* refused("fs/readFile", { path: "/" })
      // What is outside is not told from what is not there.
      yield* refused("fs/readFile", { path: at("outside/none") })
      yield* refused("fs/readFile", { path: at("inside/out/none") })
      const loop = yield* Client.refused(call("fs/readFile", { path: at("inside/loop") }))
      assert.include(loop.message, "Too many levels of symbolic links")
      yield* refused("fuzzyFileSearch", { query: "secret", roots: [at("outside")] })
      const { files } = yield* call("fuzzyFileSearch", { query: "secret", roots: [at("inside")] })
      assert.deepStrictEqual(files, [])
    }))

  it.live("refuse every way to change what is outside", () =>
    Effect.gen(function*() {
      const { at, call, refused } = yield* setUp
      const before = Fs.readdirSync(at("outside"))
      for (const path of ["outside/new", "inside/out/new", "inside/leak", "inside/dangling", "inside/twice"]) {
        yield* refused("fs/writeFile", { path: at(path), dataBase64: Client.base64("gone") })
        yield* refused("fs/copy", { sourcePath: at("inside/file"), destinationPath: at(path) })
      }
      yield* refused("fs/createDirectory", { path: at("inside/out/new") })
      yield* refused("fs/remove", { path: at("outside") })
      yield* refused("fs/remove", { path: at("inside/out/secret") })
      yield* refused("fs/copy", { sourcePath: at("inside/out/secret"), destinationPath: at("inside/stolen") })
      // A copied directory meets a link that was there before.
      Fs.mkdirSync(at("inside/from"))
      Fs.writeFileSync(at("inside/from/secret"), "gone")
      Fs.mkdirSync(at("inside/to"))
      Fs.symlinkSync("../../outside/secret", at("inside/to/secret"))
      yield* refused("fs/copy", { sourcePath: at("inside/from"), destinationPath: at("inside/to"), recursive: true })
      // What is copied is the link, not what it leads to.
      yield* call("fs/copy", { sourcePath: at("inside/leak"), destinationPath: at("inside/leak2") })
      assert.strictEqual(Fs.readlinkSync(at("inside/leak2")), "../outside/secret")
      assert.deepStrictEqual(Fs.readdirSync(at("outside")), before)
      assert.strictEqual(Fs.readFileSync(at("outside/secret"), "utf8"), "secret")
    }))

  it.live("hold the working directories of commands", () =>
    Effect.gen(function*() {
      const { at, call, hear, refused } = yield* setUp
      for (const cwd of [at("outside"), "..", "out", `${at("inside")}/../outside`]) {
        yield* refused("command/exec", { command: ["pwd"], cwd })
      }
      yield* refused("process/spawn", { processHandle: "p", command: ["pwd"], cwd: at("inside/out") })
      // The directory of the bridge itself is outside, so commands that name none run in the root.
      assert.strictEqual((yield* call("command/exec", { command: ["pwd"] })).stdout, `${at("inside")}\n`)
      assert.strictEqual((yield* call("command/exec", { command: ["pwd"], cwd: "d" })).stdout, `${at("inside/d")}\n`)
      yield* call("process/spawn", { processHandle: "p", command: ["pwd"], cwd: at("inside/d") })
      assert.strictEqual((yield* hear("process/exited")).stdout, `${at("inside/d")}\n`)
    }))

  it.live("serve nothing when there are none", () =>
    Effect.gen(function*() {
      const { call, directory } = yield* Client.make(() => ({ roots: [] }))
      const { message } = yield* Client.refused(call("fs/readDirectory", { path: directory }))
      assert.strictEqual(message, `${directory} is outside of the workspace: this bridge serves no files`)
    }))
})

const off = (method: string, what: string) => ({
  code: -32600,
  message: `${method} is switched off: this bridge does not let clients ${what}`
})

describe("what is switched off", () => {
  it.live("is refused with a sentence, and reading goes on", () =>
    Effect.gen(function*() {
      const { call, directory } = yield* Client.make((cwd) => ({ cwd, writes: false, commands: false }))
      const path = join(directory, "new")
      const writes = [
        call("fs/writeFile", { path, dataBase64: "" }),
        call("fs/createDirectory", { path }),
        call("fs/remove", { path: directory }),
        call("fs/copy", { sourcePath: "/dev/null", destinationPath: path })
      ]
      const methods = ["fs/writeFile", "fs/createDirectory", "fs/remove", "fs/copy"]
      for (const [index, write] of writes.entries()) {
        const { code, message } = yield* Client.refused<unknown>(write)
        assert.deepStrictEqual({ code, message }, off(methods[index] ?? "", "change files (workspace.writes)"))
      }
      const exec = yield* Client.refused(call("command/exec", { command: ["touch", path] }))
      assert.deepStrictEqual(exec, off("command/exec", "run commands (workspace.commands)"))
      const spawn = call("process/spawn", { processHandle: "p", command: ["touch", path], cwd: directory })
      assert.deepStrictEqual(yield* Client.refused(spawn), off("process/spawn", "run commands (workspace.commands)"))
      assert.deepStrictEqual(yield* call("fs/readDirectory", { path: directory }), { entries: [] })
    }))
})
