import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import { join } from "node:path"
import * as Client from "./support/Client.ts"

const setUp = Effect.map(Client.make(), (client) => {
  const at = (path: string) => join(client.directory, path)
  Fs.writeFileSync(at("a.txt"), "hello")
  Fs.mkdirSync(at("d/sub"), { recursive: true })
  let seen = 0
  return {
    ...client,
    at,
    watch: (path: string, watchId: string) => client.call("fs/watch", { path: at(path), watchId }),
    /** Does something, and waits for the next report of a watch. */
    changes: (watchId: string, act: () => void) =>
      Effect.suspend(() => {
        seen = client.heard.length
        act()
        return client.hear("fs/changed", (params) =>
          params.watchId === watchId && client.heard.findLastIndex((each) => each.params === params) >= seen)
      }).pipe(Effect.map(({ changedPaths }) =>
        changedPaths.map((path) => path.slice(client.directory.length + 1))
      ))
  }
})

describe("fs/watch", () => {
  it.live("tells that a file was changed, replaced, removed and made", () =>
    Effect.gen(function*() {
      const { at, changes, watch } = yield* setUp
      assert.deepStrictEqual(yield* watch("a.txt", "w"), { path: at("a.txt") })
      assert.deepStrictEqual(yield* changes("w", () => Fs.writeFileSync(at("a.txt"), "1")), ["a.txt"])
      const replaced = yield* changes("w", () => {
        Fs.writeFileSync(at("a.tmp"), "2")
        Fs.renameSync(at("a.tmp"), at("a.txt"))
      })
      assert.deepStrictEqual(replaced, ["a.txt"])
      assert.deepStrictEqual(yield* changes("w", () => Fs.appendFileSync(at("a.txt"), "3")), ["a.txt"])
      assert.deepStrictEqual(yield* changes("w", () => Fs.rmSync(at("a.txt"))), ["a.txt"])
      assert.deepStrictEqual(yield* changes("w", () => Fs.writeFileSync(at("a.txt"), "4")), ["a.txt"])
    }))

  it.live("tells the entries of a directory that changed, in order, once for what comes together", () =>
    Effect.gen(function*() {
      const { at, changes, of, watch } = yield* setUp
      yield* watch("d", "w")
      assert.deepStrictEqual(yield* changes("w", () => Fs.writeFileSync(at("d/new"), "")), ["d/new"])
      const several = yield* changes("w", () => {
        for (const name of ["two", "one", "two"]) Fs.writeFileSync(at(`d/${name}`), name)
        Fs.renameSync(at("d/one"), at("d/three"))
        Fs.writeFileSync(at("d/sub/deep"), "")
      })
      assert.deepStrictEqual(several, ["d/one", "d/three", "d/two"])
      assert.deepStrictEqual(yield* changes("w", () => Fs.rmSync(at("d/three"))), ["d/three"])
      assert.isFalse(of("fs/changed").some(({ changedPaths }) => changedPaths.some((path) => path.includes("deep"))))
    }))

  it.live("goes on when a directory was removed and made again", () =>
    Effect.gen(function*() {
      const { at, changes, watch } = yield* setUp
      yield* watch("d", "w")
      assert.include(yield* changes("w", () => Fs.rmSync(at("d"), { recursive: true })), "d")
      assert.include(yield* changes("w", () => Fs.mkdirSync(at("d"))), "d")
      assert.deepStrictEqual(yield* changes("w", () => Fs.writeFileSync(at("d/new"), "")), ["d/new"])
    }))

  it.live("waits for what is not there yet, and for what it will lie in", () =>
    Effect.gen(function*() {
      const { at, changes, watch } = yield* setUp
      yield* watch("later", "w")
      assert.deepStrictEqual(yield* changes("w", () => Fs.writeFileSync(at("later"), "")), ["later"])
      yield* watch("x/y/z", "v")
      const appeared = yield* changes("v", () => {
        Fs.mkdirSync(at("x/y"), { recursive: true })
        Fs.writeFileSync(at("x/y/z"), "")
      })
      assert.deepStrictEqual(appeared, ["x/y/z"])
      assert.deepStrictEqual(yield* changes("v", () => Fs.writeFileSync(at("x/y/z"), "more")), ["x/y/z"])
    }))

  it.live("tells all watches of one path, by the path that each was given", () =>
    Effect.gen(function*() {
      const { at, changes, hear, watch } = yield* setUp
      Fs.symlinkSync("d", at("link"))
      yield* watch("d", "one")
      yield* watch("link", "two")
      assert.deepStrictEqual(yield* changes("one", () => Fs.writeFileSync(at("d/new"), "")), ["d/new"])
      const two = yield* hear("fs/changed", ({ watchId }) => watchId === "two")
      assert.deepStrictEqual(two.changedPaths, [at("link/new")])
    }))

  it.live("refuses an id that is taken, and frees it", () =>
    Effect.gen(function*() {
      const { at, call, changes, watch } = yield* setUp
      yield* watch("d", "w")
      assert.deepStrictEqual(yield* Client.refused(watch("a.txt", "w")), {
        code: -32600,
        message: "watchId already exists: w"
      })
      assert.deepStrictEqual(yield* call("fs/unwatch", { watchId: "w" }), {})
      assert.deepStrictEqual(yield* call("fs/unwatch", { watchId: "w" }), {})
      yield* watch("a.txt", "w")
      assert.deepStrictEqual(
        yield* changes("w", () => {
          Fs.writeFileSync(at("d/new"), "")
          Fs.writeFileSync(at("a.txt"), "")
        }),
        ["a.txt"]
      )
    }))

  it.live("says of very many changes only that there were some", () =>
    Effect.gen(function*() {
      const { at, changes, watch } = yield* setUp
      yield* watch("d", "w")
      const many = yield* changes("w", () => {
        for (let index = 0; index < 1500; index++) Fs.writeFileSync(at(`d/${index}`), "")
      })
      assert.deepStrictEqual(many, ["d"])
    }))

  it.live("ends with its connection", () =>
    Effect.gen(function*() {
      const { at, changes, close, handlers, heard, watch } = yield* setUp
      const other = yield* Client.connect(handlers)
      yield* watch("d", "w")
      yield* changes("w", () => Fs.writeFileSync(at("d/new"), ""))
      yield* other.call("fs/watch", { path: at("d"), watchId: "w" })
      yield* close
      const before = heard.length
      Fs.writeFileSync(at("d/more"), "")
      assert.deepStrictEqual((yield* other.hear("fs/changed")).changedPaths, [at("d/more")])
      assert.strictEqual(heard.length, before)
    }))
})
