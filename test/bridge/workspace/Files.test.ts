import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Queue from "effect/Queue"
import * as Fs from "node:fs"
import { join } from "node:path"
import * as Client from "./support/Client.ts"

const base64 = Client.base64

/** A workspace with a file, a directory and links. */
const furnished = Effect.map(Client.make(), (client) => {
  const at = (path: string) => join(client.directory, path)
  Fs.writeFileSync(at("a.txt"), "hello")
  Fs.mkdirSync(at("d/sub"), { recursive: true })
  Fs.writeFileSync(at("d/x.txt"), "x")
  Fs.symlinkSync("a.txt", at("link"))
  Fs.symlinkSync("nowhere", at("dangling"))
  Fs.symlinkSync("d", at("dlink"))
  return { ...client, at }
})

const missing = { code: -32603, message: "No such file or directory (os error 2)" }
const exists = { code: -32603, message: "File exists (os error 17)" }

describe("fs/readFile", () => {
  it.effect("gives the bytes of a file", () =>
    Effect.gen(function*() {
      const { at, call } = yield* furnished
      assert.deepStrictEqual(yield* call("fs/readFile", { path: at("a.txt") }), { dataBase64: "aGVsbG8=" })
      assert.deepStrictEqual(yield* call("fs/readFile", { path: at("d/../link") }), { dataBase64: "aGVsbG8=" })
      Fs.writeFileSync(at("bytes"), Uint8Array.of(0, 255, 128))
      assert.deepStrictEqual(yield* call("fs/readFile", { path: at("bytes") }), { dataBase64: "AP+A" })
      Fs.writeFileSync(at("empty"), "")
      assert.deepStrictEqual(yield* call("fs/readFile", { path: at("empty") }), { dataBase64: "" })
    }))

  it.live("gives large files to a client one after the other, as it takes them", () =>
    Effect.gen(function*() {
      const { at, handlers } = yield* furnished
      Fs.writeFileSync(at("large"), Buffer.alloc(2 * 1024 * 1024))
      const rooms = yield* Effect.forEach([0, 1, 2], () => Latch.make(false))
      let answered = 0
      const asked = yield* Queue.unbounded<number>()
      const client = yield* Client.connect(handlers, {
        behind: () => {
          const room = rooms[answered]
          if (room === undefined || room.isOpen()) return undefined
          Queue.offerUnsafe(asked, answered)
          return room.await
        }
      })
      const read = (name: string) => client.call("fs/readFile", { path: at(name) })
      const reading = yield* Effect.forkChild(
        Effect.forEach(
          ["large", "large", "large"],
          (name) => Effect.tap(read(name), () => Effect.sync(() => answered++)),
          { concurrency: "unbounded" }
        ),
        { startImmediately: true }
      )
      for (const [index, room] of rooms.entries()) {
        // Nobody else looks meanwhile: the others wait for their turn.
        assert.strictEqual(yield* Queue.take(asked), index)
        assert.strictEqual((yield* read("a.txt")).dataBase64, "aGVsbG8=")
        assert.strictEqual(answered, index)
        yield* room.open
      }
      for (const { dataBase64 } of yield* Fiber.join(reading)) assert.lengthOf(dataBase64, 2_796_204)
      assert.strictEqual(yield* Queue.size(asked), 0)
    }))

  it.effect("says why it cannot", () =>
    Effect.gen(function*() {
      const { at, call } = yield* furnished
      const reading = (path: string) => Client.refused(call("fs/readFile", { path }))
      assert.deepStrictEqual(yield* reading(at("nope")), missing)
      assert.deepStrictEqual(yield* reading(at("a.txt/b")), { code: -32603, message: "Not a directory (os error 20)" })
      assert.deepStrictEqual(yield* reading(at("d")), { code: -32600, message: `path \`${at("d")}\` is not a file` })
      const relative = {
        code: -32600,
        message: "Invalid request: AbsolutePathBuf deserialized without a base path"
      }
      assert.deepStrictEqual(yield* reading("a.txt"), relative)
      assert.deepStrictEqual(yield* reading(""), relative)
      assert.deepStrictEqual(yield* reading(`${at("a.txt")}\0x`), {
        code: -32600,
        message: "file name contained an unexpected NUL byte"
      })
      Fs.writeFileSync(at("huge"), "")
      Fs.truncateSync(at("huge"), 32 * 1024 * 1024 + 1)
      assert.deepStrictEqual(yield* reading(at("huge")), {
        code: -32600,
        message: "file is too large to read: limit is 33554432 bytes, this one has 33554433"
      })
    }))
})

describe("fs/writeFile", () => {
  it.effect("writes, and says why it cannot", () =>
    Effect.gen(function*() {
      const { at, call } = yield* furnished
      assert.deepStrictEqual(yield* call("fs/writeFile", { path: at("new"), dataBase64: base64("data") }), {})
      assert.strictEqual(Fs.readFileSync(at("new"), "utf8"), "data")
      yield* call("fs/writeFile", { path: at("new"), dataBase64: "" })
      assert.strictEqual(Fs.readFileSync(at("new"), "utf8"), "")
      const writing = (path: string, dataBase64: string) =>
        Client.refused(call("fs/writeFile", { path: at(path), dataBase64 }))
      assert.deepStrictEqual(yield* writing("no/new", ""), missing)
      assert.deepStrictEqual(yield* writing("d", ""), { code: -32603, message: "Is a directory (os error 21)" })
      assert.deepStrictEqual(yield* writing("new", "!!!"), {
        code: -32600,
        message: "fs/writeFile requires valid base64 dataBase64: Invalid symbol 33, offset 0."
      })
      assert.strictEqual(Fs.readFileSync(at("new"), "utf8"), "")
    }))
})

describe("fs/createDirectory", () => {
  it.effect("makes parents unless told not to", () =>
    Effect.gen(function*() {
      const { at, call } = yield* furnished
      assert.deepStrictEqual(yield* call("fs/createDirectory", { path: at("m/n/o") }), {})
      assert.isTrue(Fs.statSync(at("m/n/o")).isDirectory())
      assert.deepStrictEqual(yield* call("fs/createDirectory", { path: at("m/n/o"), recursive: null }), {})
      const making = (path: string, recursive?: boolean) =>
        Client.refused(
          call("fs/createDirectory", { path: at(path), ...(recursive === undefined ? {} : { recursive }) })
        )
      assert.deepStrictEqual(yield* making("m/n/o", false), exists)
      assert.deepStrictEqual(yield* making("q/r", false), missing)
      assert.deepStrictEqual(yield* making("a.txt"), exists)
    }))

  it.live.runIf(process.platform === "linux")("answers where nothing can be made", () =>
    Effect.gen(function*() {
      const { at, call } = yield* furnished
      assert.deepStrictEqual(yield* Client.refused(call("fs/createDirectory", { path: "/proc/none/a" })), missing)
      const copy = { sourcePath: at("d"), destinationPath: "/proc/none/a", recursive: true }
      assert.deepStrictEqual(yield* Client.refused(call("fs/copy", copy)), missing)
    }))
})

describe("fs/getMetadata", () => {
  it.effect("tells what a path leads to, and whether it is a link", () =>
    Effect.gen(function*() {
      const { at, call } = yield* furnished
      Fs.utimesSync(at("a.txt"), 1, 1_234_567_890.5)
      const of = (path: string) => call("fs/getMetadata", { path: at(path) })
      const file = yield* of("a.txt")
      assert.deepInclude(file, { isDirectory: false, isFile: true, isSymlink: false, modifiedAtMs: 1_234_567_890_500 })
      assert.isTrue(Number.isInteger(file.createdAtMs))
      assert.deepInclude(yield* of("link"), { isDirectory: false, isFile: true, isSymlink: true })
      assert.deepInclude(yield* of("dlink"), { isDirectory: true, isFile: false, isSymlink: true })
      assert.deepInclude(yield* of("d"), { isDirectory: true, isFile: false, isSymlink: false })
      assert.deepStrictEqual(yield* Client.refused(of("dangling")), missing)
      const device = yield* call("fs/getMetadata", { path: "/dev/null" })
      assert.deepInclude(device, { isDirectory: false, isFile: false, isSymlink: false })
    }))
})

describe("fs/readDirectory", () => {
  it.effect("lists entries by what they lead to", () =>
    Effect.gen(function*() {
      const { at, call, directory } = yield* furnished
      const { entries } = yield* call("fs/readDirectory", { path: directory })
      assert.sameDeepMembers([...entries], [
        { fileName: "a.txt", isDirectory: false, isFile: true },
        { fileName: "d", isDirectory: true, isFile: false },
        { fileName: "link", isDirectory: false, isFile: true },
        { fileName: "dlink", isDirectory: true, isFile: false }
      ])
      const through = yield* call("fs/readDirectory", { path: at("dlink") })
      assert.sameMembers(through.entries.map(({ fileName }) => fileName), ["sub", "x.txt"])
      assert.deepStrictEqual(yield* Client.refused(call("fs/readDirectory", { path: at("nope") })), missing)
      assert.deepStrictEqual(yield* Client.refused(call("fs/readDirectory", { path: at("a.txt") })), {
        code: -32603,
        message: "Not a directory (os error 20)"
      })
    }))
})

describe("fs/remove", () => {
  it.effect("removes all of it unless told not to, and never what a link leads to", () =>
    Effect.gen(function*() {
      const { at, call } = yield* furnished
      const remove = (path: string, options = {}) => call("fs/remove", { path: at(path), ...options })
      assert.deepStrictEqual(yield* remove("nope"), {})
      assert.deepStrictEqual(yield* Client.refused(remove("nope", { force: false })), missing)
      assert.deepStrictEqual(yield* Client.refused(remove("d", { recursive: false })), {
        code: -32603,
        message: "Directory not empty (os error 39)"
      })
      assert.deepStrictEqual(yield* remove("dlink"), {})
      assert.isFalse(Fs.existsSync(at("dlink")))
      assert.isTrue(Fs.existsSync(at("d/x.txt")))
      assert.deepStrictEqual(yield* remove("dangling"), {})
      assert.deepStrictEqual(yield* remove("d/sub", { recursive: false }), {})
      assert.deepStrictEqual(yield* remove("d"), {})
      assert.deepStrictEqual(yield* remove("a.txt", { recursive: null, force: null }), {})
      assert.deepStrictEqual(Fs.readdirSync(at(".")), ["link"])
    }))
})

describe("fs/copy", () => {
  it.effect("copies files, links as links, and directories into what is there", () =>
    Effect.gen(function*() {
      const { at, call } = yield* furnished
      const copy = (sourcePath: string, destinationPath: string, recursive?: boolean) =>
        call("fs/copy", {
          sourcePath: at(sourcePath),
          destinationPath: at(destinationPath),
          ...(recursive === undefined ? {} : { recursive })
        })
      assert.deepStrictEqual(yield* copy("a.txt", "b.txt"), {})
      assert.strictEqual(Fs.readFileSync(at("b.txt"), "utf8"), "hello")
      yield* copy("link", "link2")
      assert.strictEqual(Fs.readlinkSync(at("link2")), "a.txt")
      yield* copy("dangling", "dangling2")
      assert.strictEqual(Fs.readlinkSync(at("dangling2")), "nowhere")
      yield* copy("d", "deep/er", true)
      Fs.writeFileSync(at("deep/er/old"), "")
      yield* copy("d", "deep/er", true)
      assert.sameMembers(Fs.readdirSync(at("deep/er")), ["old", "sub", "x.txt"])
      yield* copy("dlink", "dlink2", true)
      assert.isTrue(Fs.lstatSync(at("dlink2")).isSymbolicLink())

      yield* copy("a.txt", "a.txt")
      yield* copy("a.txt", "link")
      assert.strictEqual(Fs.readFileSync(at("a.txt"), "utf8"), "hello")

      assert.deepStrictEqual(yield* Client.refused(copy("nope", "z")), missing)
      assert.deepStrictEqual(yield* Client.refused(copy("a.txt", "no/z")), missing)
      assert.deepStrictEqual(yield* Client.refused(copy("d", "a.txt", true)), exists)
      assert.deepStrictEqual(yield* Client.refused(copy("d", "z")), {
        code: -32600,
        message: "fs/copy requires recursive: true when sourcePath is a directory"
      })
      const itself = { code: -32600, message: "fs/copy cannot copy a directory to itself or one of its descendants" }
      assert.deepStrictEqual(yield* Client.refused(copy("d", "d", true)), itself)
      assert.deepStrictEqual(yield* Client.refused(copy("d", "d/sub/inner", true)), itself)
      assert.deepStrictEqual(yield* Client.refused(copy("d", "dlink/inner", true)), itself)
      const device = call("fs/copy", { sourcePath: "/dev/null", destinationPath: at("null") })
      assert.deepStrictEqual(yield* Client.refused(device), {
        code: -32600,
        message: "fs/copy only supports regular files, directories, and symlinks"
      })
    }))
})
