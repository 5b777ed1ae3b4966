/**
 * The files of sessions: found, checked, forked and locked.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as ChildProcess from "node:child_process"
import * as SessionFiles from "../../../src/backends/pi-family/SessionFiles.ts"
import { ProcessTable } from "../../../src/transport/ProcessTable.ts"

const id = "01a22b61-6402-7272-b2e7-124a0a89aa27"

const marker = (id: string, parentId: string | null, turnId: string) => ({
  type: "custom",
  customType: "effect-codex-bridge",
  data: { turnId },
  id,
  parentId
})
const message = (id: string, parentId: string, text: string) => ({
  type: "message",
  id,
  parentId,
  message: { role: "user", content: text }
})

const conversation = [
  { type: "session", version: 3, id, cwd: "/work" },
  marker("m1", null, "turn 1"),
  message("a", "m1", "one"),
  message("b", "a", "answer one"),
  // A branch that was left.
  marker("mx", "b", "turn x"),
  message("x", "mx", "left"),
  marker("m2", "b", "turn 2"),
  message("c", "m2", "two"),
  message("d", "c", "answer two")
]

const lines = (entries: ReadonlyArray<object>) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join("")

const directory = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const root = yield* fs.makeTempDirectoryScoped()
  yield* fs.makeDirectory(`${root}/--work--`)
  const file = `${root}/--work--/2026-11-30T10-00-00-000Z_${id}.jsonl`
  yield* fs.writeFileString(file, lines(conversation))
  return { fs, root, file }
})

const reason = <A, R>(effect: Effect.Effect<A, { readonly reason: { readonly _tag: string } }, R>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason._tag)

layer(ProcessTable.layer.pipe(Layer.provideMerge(NodeServices.layer)), { excludeTestServices: true })(
  "SessionFiles",
  (it) => {
    it.effect("finds a session wherever it is below the directory, and nothing by what is no id", () =>
      Effect.gen(function*() {
        const { file, fs, root } = yield* directory
        assert.strictEqual(yield* SessionFiles.find("omp-rpc", root, id), file)
        yield* fs.makeDirectory(`${root}/elsewhere/deep`, { recursive: true })
        const moved = `${root}/elsewhere/deep/2026_${id}.jsonl`
        yield* fs.rename(file, moved)
        assert.strictEqual(yield* SessionFiles.find("omp-rpc", root, id), moved)
        for (const unknown of ["01a22b61", "../../etc/passwd", "", "nobody"]) {
          assert.strictEqual(yield* reason(SessionFiles.find("omp-rpc", root, unknown)), "UnknownSession")
        }
        assert.strictEqual(yield* reason(SessionFiles.find("omp-rpc", `${root}/none`, id)), "UnknownSession")
      }))

    it.effect("tells what is damaged from what can be read on", () =>
      Effect.gen(function*() {
        const { file, fs } = yield* directory
        const check = SessionFiles.check("omp-rpc", file, id)
        assert.deepStrictEqual(yield* check, { cwd: "/work", unreadable: 0 })
        yield* fs.writeFileString(file, `${lines(conversation)}{"type":"message","id":"e","par`)
        assert.deepStrictEqual(yield* check, { cwd: "/work", unreadable: 1 })
        assert.strictEqual(yield* reason(SessionFiles.check("omp-rpc", file, "another")), "UnknownSession")
        yield* fs.writeFileString(file, lines(conversation.slice(1)))
        assert.strictEqual(yield* reason(check), "UnknownSession")
        yield* fs.writeFileString(file, "")
        assert.strictEqual(yield* reason(check), "UnknownSession")
      }))

    it.effect("forks at the end of a turn, along the branch that goes on", () =>
      Effect.gen(function*() {
        const { file, fs, root } = yield* directory
        const forkAt = (turnId: string) =>
          SessionFiles.branch("omp-rpc", { file, sessionId: id }, turnId, "new-id").pipe(
            Effect.flatMap((made) =>
              Effect.ensuring(fs.readFileString(made), Effect.ignore(fs.remove(made))).pipe(
                Effect.map((content) => ({ made, entries: content.trim().split("\n").map((line) => JSON.parse(line)) }))
              )
            )
          )
        const { entries, made } = yield* forkAt("turn 1")
        assert.isTrue(made.startsWith(`${root}/--work--/`) && made.endsWith("_new-id.jsonl"))
        assert.deepInclude(entries[0], { type: "session", id: "new-id", cwd: "/work", parentSession: file })
        assert.deepStrictEqual(entries.slice(1).map(({ id }) => id), ["m1", "a", "b"])
        assert.deepStrictEqual((yield* forkAt("turn 2")).entries.slice(1).map(({ id }) => id), [
          "m1",
          "a",
          "b",
          "m2",
          "c",
          "d"
        ])
        assert.strictEqual(yield* reason(forkAt("turn x")), "UnknownSession")
        assert.strictEqual(yield* reason(forkAt("turn 9")), "UnknownSession")
        assert.strictEqual(yield* fs.readFileString(file), lines(conversation))
      }))

    it.effect("keeps a second writer of this process out, until the first one is gone", () =>
      Effect.gen(function*() {
        const { file, fs } = yield* directory
        const take = SessionFiles.lock("omp-rpc", file, id)
        const scope = yield* Scope.make()
        const { letGo } = yield* Scope.provide(take, scope)
        assert.strictEqual(yield* reason(Effect.scoped(take)), "SessionBusy")
        letGo()
        const second = yield* Scope.make()
        yield* Scope.provide(take, second)
        yield* Scope.close(scope, Exit.void)
        assert.isTrue(yield* fs.exists(`${file}.lock`), "it is the second one's now")
        assert.strictEqual(yield* reason(Effect.scoped(take)), "SessionBusy")
        yield* Scope.close(second, Exit.void)
        assert.isFalse(yield* fs.exists(`${file}.lock`))
      }))

    it.effect("keeps other processes out while they live, and takes the lock of a dead one over", () =>
      Effect.gen(function*() {
        const { file, fs } = yield* directory
        const table = yield* ProcessTable
        const child = yield* Effect.acquireRelease(
          Effect.sync(() => ChildProcess.spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"])),
          (child) => Effect.sync(() => child.kill("SIGKILL"))
        )
        const identity = yield* Effect.flatMap(table.identify(child.pid ?? 0), Effect.fromOption)
        yield* fs.writeFileString(`${file}.lock`, JSON.stringify(identity))
        const take = Effect.scoped(SessionFiles.lock("omp-rpc", file, id))
        const error = yield* Effect.flip(take)
        assert.strictEqual(error.reason._tag, "SessionBusy")
        assert.include(error.message, String(child.pid))
        yield* Effect.callback<void>((resume) => {
          child.once("exit", () => resume(Effect.void))
          child.kill("SIGKILL")
        })
        yield* take
        yield* fs.writeFileString(`${file}.lock`, "no lock at all")
        yield* take
        assert.isFalse(yield* fs.exists(`${file}.lock`))
      }))
  }
)
