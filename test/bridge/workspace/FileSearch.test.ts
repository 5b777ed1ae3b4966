import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import { dirname, join } from "node:path"
import * as Client from "./support/Client.ts"

const files = ["README.md", "src/index.ts", "src/main.ts", "docs/index.md", "target/index.bin"]

const setUp = Effect.map(Client.make(), (client) => {
  const at = (path: string) => join(client.directory, path)
  const write = (path: string, text = "") => {
    Fs.mkdirSync(dirname(at(path)), { recursive: true })
    Fs.writeFileSync(at(path), text)
  }
  for (const file of files) write(file)
  return {
    ...client,
    at,
    write,
    search: (query: string, cancellationToken: string | null = null) =>
      client.call("fuzzyFileSearch", { query, roots: [client.directory], cancellationToken }).pipe(
        Effect.map(({ files }) => files.map(({ path }) => path))
      ),
    start: (sessionId: string) => client.call("fuzzyFileSearch/sessionStart", { sessionId, roots: [client.directory] }),
    update: (sessionId: string, query: string) => client.call("fuzzyFileSearch/sessionUpdate", { sessionId, query }),
    updated: (sessionId: string, query: string) =>
      client.hear(
        "fuzzyFileSearch/sessionUpdated",
        (params) => params.sessionId === sessionId && params.query === query
      )
        .pipe(Effect.map(({ files }) => files.map(({ path }) => path)))
  }
})

describe("fuzzyFileSearch", () => {
  it.live("gives fifty at most, the best first", () =>
    Effect.gen(function*() {
      const { call, directory, search, write } = yield* setUp
      assert.deepStrictEqual(yield* search("index"), ["docs/index.md", "src/index.ts", "target/index.bin"])
      const { files } = yield* call("fuzzyFileSearch", { query: "readme", roots: [directory] })
      assert.deepStrictEqual(files, [{
        root: directory,
        path: "README.md",
        match_type: "file",
        file_name: "README.md",
        score: 65_536 + 159,
        indices: [0, 1, 2, 3, 4, 5]
      }])
      for (let index = 0; index < 80; index++) write(`many${String(index).padStart(2, "0")}.md`)
      const many = yield* search("many")
      assert.deepStrictEqual([many.length, many[0], many[49]], [50, "many00.md", "many49.md"])
    }))

  it.live("leaves out what is ignored, in a repository", () =>
    Effect.gen(function*() {
      const { at, search, write } = yield* setUp
      write(".gitignore", "target\n")
      assert.include(yield* search("index"), "target/index.bin")
      Fs.mkdirSync(at(".git/info"), { recursive: true })
      write(".git/info/exclude", "docs\n")
      write(".git/index", "")
      assert.deepStrictEqual(yield* search("index"), ["src/index.ts"])
      write(".ignore", "!target\n")
      assert.include(yield* search("index"), "target/index.bin")
    }))

  it.live("counts the ignore files above the root, up to its repository", () =>
    Effect.gen(function*() {
      const { at, call, write } = yield* setUp
      Fs.mkdirSync(at(".git"))
      write(".gitignore", "/src/main.ts\n")
      const { files } = yield* call("fuzzyFileSearch", { query: "ts", roots: [at("src")] })
      assert.deepStrictEqual(files.map(({ path }) => path), ["index.ts"])
    }))

  it.live("follows links, and never for ever", () =>
    Effect.gen(function*() {
      const { at, search } = yield* setUp
      Fs.symlinkSync(".", at("src/self"))
      Fs.symlinkSync("..", at("src/up"))
      Fs.symlinkSync("src", at("alias"))
      Fs.symlinkSync("nowhere", at("dangling"))
      assert.deepStrictEqual(yield* search("main"), ["alias/main.ts", "src/main.ts"])
    }))

  it.live("gives up a search that a newer one takes the place of", () =>
    Effect.gen(function*() {
      const { search } = yield* setUp
      const [older, newer] = yield* Effect.all([search("index", "t"), search("main", "t")], { concurrency: 2 })
      assert.deepStrictEqual(older, [])
      assert.deepStrictEqual(newer, ["src/main.ts"])
      assert.deepStrictEqual(yield* search("main", "t"), ["src/main.ts"])
    }))
})

describe("a file search session", () => {
  it.live("tells what fits each query, and that it is all", () =>
    Effect.gen(function*() {
      const { hear, heard, start, update, updated } = yield* setUp
      assert.deepStrictEqual(yield* start("s"), {})
      assert.deepStrictEqual(yield* updated("s", ""), [])
      yield* hear("fuzzyFileSearch/sessionCompleted")
      heard.length = 0
      assert.deepStrictEqual(yield* update("s", "index"), {})
      assert.deepStrictEqual(yield* updated("s", "index"), ["docs/index.md", "src/index.ts", "target/index.bin"])
      yield* hear("fuzzyFileSearch/sessionCompleted", ({ sessionId }) => sessionId === "s")
      yield* update("s", "zzz")
      assert.deepStrictEqual(yield* updated("s", "zzz"), [])
      heard.length = 0
      // The same query is answered again.
      yield* update("s", "zzz")
      assert.deepStrictEqual(yield* updated("s", "zzz"), [])
    }))

  it.live("looks at the files as they were at its start", () =>
    Effect.gen(function*() {
      const { hear, start, update, updated, write } = yield* setUp
      yield* start("s")
      yield* hear("fuzzyFileSearch/sessionCompleted")
      write("brandnew.ts")
      yield* update("s", "brandnew")
      assert.deepStrictEqual(yield* updated("s", "brandnew"), [])
      yield* start("s")
      yield* update("s", "brandne")
      assert.deepStrictEqual(yield* updated("s", "brandne"), ["brandnew.ts"])
    }))

  it.live("ends when it is stopped, and refuses what it does not know", () =>
    Effect.gen(function*() {
      const { call, start, update } = yield* setUp
      yield* start("s")
      assert.deepStrictEqual(yield* call("fuzzyFileSearch/sessionStop", { sessionId: "s" }), {})
      assert.deepStrictEqual(yield* Client.refused(update("s", "x")), {
        code: -32600,
        message: "fuzzy file search session not found: s"
      })
      assert.deepStrictEqual(yield* call("fuzzyFileSearch/sessionStop", { sessionId: "s" }), {})
    }))
})
