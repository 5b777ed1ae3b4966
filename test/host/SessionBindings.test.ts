import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type SessionBinding, SessionBindings, type SessionId, sessionId } from "../../src/host/SessionBindings.ts"
import * as Bindings from "../../src/host/SessionBindings.ts"

const binding: SessionBinding = {
  schemaVersion: 1,
  threadId: "t1",
  backend: "codex-app-server",
  cwd: "/work",
  createdAt: 1,
  updatedAt: 2
}

/** Runs a test over the sidecar files of a directory of its own. */
const withDirectory = <A, E>(
  test: (directory: string, fs: FileSystem.FileSystem) => Effect.Effect<A, E, SessionBindings>
) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const directory = yield* fs.makeTempDirectoryScoped({ prefix: "bindings-" })
    return yield* test(directory, fs).pipe(Effect.provide(Bindings.layerSidecar({ directory: `${directory}/keys` })))
  }).pipe(Effect.provide(NodeServices.layer))

const behaves = (session: SessionId) =>
  Effect.gen(function*() {
    const bindings = yield* SessionBindings
    assert.isTrue(Option.isNone(yield* bindings.get(session)))
    yield* bindings.set(session, binding)
    assert.deepStrictEqual(yield* bindings.get(session), Option.some(binding))
    yield* bindings.clear(session, "another")
    assert.isTrue(Option.isSome(yield* bindings.get(session)))
    yield* bindings.clear(session, "t1")
    assert.isTrue(Option.isNone(yield* bindings.get(session)))
    yield* bindings.set(session, { ...binding, threadId: "t2" })
    yield* bindings.reset(session)
    yield* bindings.reset(session)
    assert.isTrue(Option.isNone(yield* bindings.get(session)))
  })

describe("SessionBindings", () => {
  it.effect("in memory", () =>
    Effect.andThen(behaves({ _tag: "File", path: "/s" }), behaves({ _tag: "Key", key: "s" })).pipe(
      Effect.provide(Bindings.layerMemory)
    ))

  it.effect("in files", () =>
    withDirectory((directory) =>
      Effect.andThen(behaves({ _tag: "File", path: `${directory}/s.jsonl` }), behaves({ _tag: "Key", key: "s" }))
    ))

  it.effect("a sidecar lies beside the session file, is private, and leaves nothing else behind", () =>
    withDirectory(Effect.fnUntraced(function*(directory, fs) {
      const bindings = yield* SessionBindings
      const session = { _tag: "File", path: `${directory}/deep/s.jsonl` } as const
      yield* bindings.set(session, binding)
      yield* bindings.set(session, { ...binding, updatedAt: 3 })
      assert.deepStrictEqual(yield* fs.readDirectory(`${directory}/deep`), ["s.jsonl.codex-app-server.json"])
      const { mode } = yield* fs.stat(`${directory}/deep/s.jsonl.codex-app-server.json`)
      assert.strictEqual(mode & 0o777, 0o600)
    })))

  it.effect("a session key never becomes a path", () =>
    withDirectory(Effect.fnUntraced(function*(directory, fs) {
      const bindings = yield* SessionBindings
      for (const key of ["../../escape", "/etc/passwd", "a/b", "..", "x".repeat(5_000), "\0"]) {
        yield* bindings.set({ _tag: "Key", key }, binding)
      }
      assert.deepStrictEqual(yield* fs.readDirectory(directory), ["keys"])
      const names = yield* fs.readDirectory(`${directory}/keys`)
      assert.strictEqual(names.length, 6)
      assert.isTrue(names.every((name) => /^[0-9a-f]{64}\.codex-app-server\.json$/u.test(name)))
    })))

  it.effect("a session key without a directory is refused, not forgotten", () =>
    Effect.gen(function*() {
      const bindings = yield* SessionBindings
      const error = yield* Effect.flip(bindings.get({ _tag: "Key", key: "s" }))
      assert.isTrue(error.reason._tag === "BindingFailed" && error.reason.location === "s")
    }).pipe(Effect.provide(Bindings.layerSidecar().pipe(Layer.provide(NodeServices.layer)))))

  it.effect("reads files of earlier hosts, and ignores what it does not know", () =>
    withDirectory(Effect.fnUntraced(function*(directory, fs) {
      const bindings = yield* SessionBindings
      const { backend: _, ...older } = binding
      const text = JSON.stringify({ ...older, model: null, codexHome: "/h", authProfileId: 7 })
      yield* fs.writeFileString(`${directory}/s.codex-app-server.json`, text)
      const read = Option.getOrThrow(yield* bindings.get({ _tag: "File", path: `${directory}/s` }))
      assert.strictEqual(read.backend, "codex-app-server")
      assert.strictEqual(read.threadId, "t1")
      assert.isUndefined(read.model)
    })))

  it.effect("a file that cannot be read is an error that names it, and can be reset", () =>
    withDirectory(Effect.fnUntraced(function*(directory, fs) {
      const bindings = yield* SessionBindings
      const session = { _tag: "File", path: `${directory}/s` } as const
      const file = `${directory}/s.codex-app-server.json`
      for (const text of ["", "{", "{}", JSON.stringify({ ...binding, threadId: 5 })]) {
        yield* fs.writeFileString(file, text)
        const error = yield* Effect.flip(bindings.get(session))
        assert.isTrue(error.reason._tag === "BindingFailed" && error.reason.location === file, text)
      }
      yield* bindings.reset(session)
      assert.isTrue(Option.isNone(yield* bindings.get(session)))
    })))

  it.effect("a directory that is in the way is an error", () =>
    withDirectory(Effect.fnUntraced(function*(directory, fs) {
      const bindings = yield* SessionBindings
      yield* fs.makeDirectory(`${directory}/s.codex-app-server.json/x`, { recursive: true })
      const error = yield* Effect.flip(bindings.set({ _tag: "File", path: `${directory}/s` }, binding))
      assert.isTrue(error.reason._tag === "BindingFailed" && error.reason.operation === "write")
      assert.deepStrictEqual(yield* fs.readDirectory(directory), ["s.codex-app-server.json"])
    })))

  it("prefers the file of a session to its key", () => {
    assert.deepStrictEqual(sessionId({ sessionFile: "/s", sessionKey: "k" }), { _tag: "File", path: "/s" })
    assert.deepStrictEqual(sessionId({ sessionKey: "k" }), { _tag: "Key", key: "k" })
    assert.isUndefined(sessionId({}))
  })
})
