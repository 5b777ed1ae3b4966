import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as ChildProcess from "effect/process/ChildProcess"
import type { ChildProcessHandle } from "effect/process/ChildProcessSpawner"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { SqliteClient } from "../../../src/bridge/store/index.ts"
import * as Migrations from "../../../src/bridge/store/Migrations.ts"
import * as Support from "./support.ts"

const { listed, reasonOf, thread, uuid } = Support

const program = fileURLToPath(new URL("./programs/writer.ts", import.meta.url))

/** A process that writes to the store, killed at the end of the scope. */
const start = (path: string, threadId: string, mode: "history" | "hold" | "count" | "create") =>
  ChildProcess.make(process.execPath, [program, path, threadId, mode], { stderr: "inherit", killSignal: "SIGKILL" })

const lines = (child: ChildProcessHandle) => child.stdout.pipe(Stream.decodeText(), Stream.splitLines)

const firstLine = (child: ChildProcessHandle) => Effect.map(Stream.runHead(lines(child)), Option.getOrThrow)

const test = <E>(
  title: string,
  effect: () => Effect.Effect<
    void,
    E,
    Layer.Success<typeof Support.Services> | Scope.Scope
  >,
  timeout = 60_000
) => it.live(title, () => effect().pipe(Effect.scoped, Effect.provide(Support.Services)), timeout)

const modeOf = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.map(fs.stat(path), ({ mode }) => mode & 0o777))

const openingFails = (path: string) => Effect.flip(Effect.scoped(Support.open(path)))

describe("a process that is killed", () => {
  test("loses nothing that was acknowledged, however often", () =>
    Effect.gen(function*() {
      const path = yield* Support.freshPath
      const store = yield* Support.open(path)
      yield* store.create(thread(1))
      const acknowledged: Array<string> = []
      for (let round = 0; round < 6; round++) {
        yield* Effect.scoped(Effect.gen(function*() {
          const child = yield* start(path, uuid(1), "history")
          // Kills it at another point of its work each time.
          const said = yield* Stream.runCollect(Stream.take(lines(child), 5 + 7 * round))
          acknowledged.push(...said)
          yield* child.kill({ killSignal: "SIGKILL" })
        }))
        const { data: items } = yield* store.listItems(uuid(1), { limit: 500 })
        const stored = new Set(items.map(({ id, turnId }) => `item ${turnId} ${id}`))
        for (const line of acknowledged) {
          const [what, turnId = ""] = line.split(" ")
          if (what === "item") assert.isTrue(stored.has(line), line)
          if (what === "started") yield* store.getTurn(uuid(1), turnId)
          if (what === "ended") assert.strictEqual((yield* store.getTurn(uuid(1), turnId)).status, "completed")
        }
        assert.strictEqual(new Set(items.map(({ ordinal }) => ordinal)).size, items.length)
      }
      // Its lock does not outlive it, and what it has left running does not run.
      yield* store.recover(uuid(1))
      const { data } = yield* store.listTurns(uuid(1), { limit: 500, view: "full" })
      for (const { items, turn } of data) {
        assert.notStrictEqual(turn.status, "inProgress")
        assert.isTrue(items.every(({ completedAtMs }) => completedAtMs !== null))
      }
      yield* store.acquireWriter(uuid(1))
      yield* store.startTurn(uuid(1), { id: "next", startedAt: 1 })
    }))

  test("leaves an interrupted turn, and the thread to whoever wants it", () =>
    Effect.gen(function*() {
      const path = yield* Support.freshPath
      const store = yield* Support.open(path)
      yield* listed(store, 1)
      yield* Effect.scoped(Effect.gen(function*() {
        const child = yield* start(path, uuid(1), "hold")
        assert.strictEqual(yield* firstLine(child), "holding")
        // While it lives, the thread is its own: others read.
        assert.strictEqual(yield* store.writer(uuid(1)), "other")
        assert.strictEqual((yield* reasonOf(store.acquireWriter(uuid(1))))._tag, "ActiveWriter")
        assert.deepStrictEqual(yield* store.recoverAll, [])
        assert.deepStrictEqual(yield* store.recover(uuid(1)), [])
        assert.strictEqual((yield* store.getTurn(uuid(1), "held")).status, "inProgress")
        const { data } = yield* store.listTurns(uuid(1), { view: "full" })
        assert.deepStrictEqual(data.map(({ turn }) => turn.id), ["held", "t"])
        yield* child.kill({ killSignal: "SIGKILL" })
      }))
      assert.strictEqual(yield* store.writer(uuid(1)), "nobody")
      assert.deepStrictEqual(yield* store.recoverAll, [{ threadId: uuid(1), turnId: "held" }])
      const { data: [last] } = yield* store.listTurns(uuid(1), { view: "full" })
      assert.strictEqual(last?.turn.status, "interrupted")
      const item = last?.items[0]?.item
      assert.strictEqual(item?.type === "commandExecution" ? item.status : undefined, "failed")
      yield* store.acquireWriter(uuid(1))
    }))
})

describe("two processes", () => {
  test("change one thread by turns", () =>
    Effect.gen(function*() {
      const path = yield* Support.freshPath
      const store = yield* Support.open(path)
      yield* store.create(thread(1, { name: "0" }))
      const children = yield* Effect.all([start(path, uuid(1), "count"), start(path, uuid(1), "count")])
      const fibers = yield* Effect.forEach(children, (child) => Effect.forkChild(Stream.runCollect(lines(child))))
      for (let n = 0; n < 100; n++) {
        yield* store.modify(uuid(1), ({ name }) => [undefined, { name: String(Number(name) + 1) }])
        yield* Effect.yieldNow
      }
      for (const said of yield* Effect.forEach(fibers, Fiber.join)) assert.deepStrictEqual(said, ["ready", "done"])
      assert.strictEqual((yield* store.get(uuid(1))).name, "300")
    }))

  test("may bring a new file to its layout at once", () =>
    Effect.gen(function*() {
      const path = yield* Support.freshPath
      const all = Array.from({ length: 5 }, (_, n) => uuid(n))
      const said = yield* Effect.forEach(
        all,
        (id) => Effect.scoped(Effect.flatMap(start(path, id, "create"), firstLine)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(said, all.map(() => "created"))
      const store = yield* Support.open(path)
      for (const id of all) assert.strictEqual((yield* store.get(id)).id, id)
    }))

  test("wait for one another without standing still, and not for ever", () =>
    Effect.gen(function*() {
      const path = yield* Support.freshPath
      yield* Effect.scoped(Support.open(path))
      const context = yield* Layer.build(SqliteClient.layer({ path, busyTimeout: "300 millis" }))
      const sql = Context.get(context, SqlClient.SqlClient)
      const other = new DatabaseSync(path)
      yield* Effect.addFinalizer(() => Effect.sync(() => other.close()))
      const write = sql`UPDATE revisions SET value = value + 1`
      other.exec("BEGIN IMMEDIATE")
      const waiting = yield* Effect.forkChild(sql.withTransaction(write))
      // Timers still run.
      yield* Effect.sleep("50 millis")
      other.exec("COMMIT")
      yield* Fiber.join(waiting)
      other.exec("BEGIN IMMEDIATE")
      const error = yield* Effect.flip(write)
      assert.strictEqual(error.reason._tag, "LockTimeoutError")
      other.exec("COMMIT")
      yield* write
    }))
})

describe("the file", () => {
  test("is private, and its directory", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Support.freshPath
      const store = yield* Support.open(path)
      yield* store.create(thread(1))
      for (const file of [path, `${path}-wal`, `${path}-shm`]) assert.strictEqual(yield* modeOf(file), 0o600, file)
      assert.strictEqual(yield* modeOf(path.replace(/\/[^/]*$/, "")), 0o700)
      // One that was there before is made so.
      const other = yield* Support.freshPath
      yield* fs.makeDirectory(other.replace(/\/[^/]*$/, ""), { recursive: true })
      yield* fs.writeFile(other, new Uint8Array(), { mode: 0o644 })
      yield* Support.open(other)
      assert.strictEqual(yield* modeOf(other), 0o600)
    }))

  test("that is no database is named in the error, and left as it is", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Support.freshPath
      yield* fs.makeDirectory(path.replace(/\/[^/]*$/, ""), { recursive: true })
      const garbage = "this is no database\n".repeat(500)
      yield* fs.writeFileString(path, garbage)
      const error = yield* openingFails(path)
      assert.strictEqual(error.reason._tag, "Corrupt")
      assert.include(error.message, path)
      assert.strictEqual(yield* fs.readFileString(path), garbage)
    }))

  test("that is damaged is named in the error of the request, and does not end the process", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Support.freshPath
      yield* Effect.scoped(Effect.gen(function*() {
        const store = yield* Support.open(path)
        yield* store.create(thread(1))
        yield* Support.turn(store, uuid(1), "t1")
      }))
      // Everything but the page that the engine reads first.
      const bytes = yield* fs.readFile(path)
      yield* fs.writeFile(path, bytes.map((byte, at) => at < 4_096 ? byte : 0xa5))
      const failed = yield* Effect.flip(Effect.scoped(Effect.gen(function*() {
        const store = yield* Support.open(path)
        return yield* store.get(uuid(1))
      })))
      assert.include(failed.message, path)
      assert.include(failed.message, "damaged")
    }))

  test("that cannot be made is named in the error", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* fs.makeTempDirectoryScoped()
      yield* fs.writeFileString(`${directory}/file`, "")
      const error = yield* openingFails(`${directory}/file/threads.db`)
      assert.deepStrictEqual(error.reason._tag === "NotOpened" && error.reason.step, "prepare")
      assert.include(error.message, `${directory}/file/threads.db`)
    }))

  test("of a later version is refused and left as it is", () =>
    Effect.gen(function*() {
      const path = yield* Support.freshPath
      yield* Effect.scoped(Support.open(path))
      const db = new DatabaseSync(path)
      db.exec(`INSERT INTO migrations (migration_id, name) VALUES (${Migrations.latest + 1}, 'later')`)
      db.close()
      const error = yield* openingFails(path)
      assert.strictEqual(error.reason._tag, "NewerSchema")
      assert.include(error.message, path)
    }))

  test("with one row that cannot be read still lists and reads the others", () =>
    Effect.gen(function*() {
      const path = yield* Support.freshPath
      const store = yield* Support.open(path)
      for (const n of [1, 2, 3]) yield* listed(store, n, { createdAt: n })
      yield* Support.turn(store, uuid(1), "t1")
      const db = new DatabaseSync(path)
      db.exec(`UPDATE threads SET settings = '{"approvalPolicy":5}' WHERE id = '${uuid(2)}'`)
      db.exec(`UPDATE items SET item = 'garbage' WHERE threadId = '${uuid(1)}' AND id = 't1-c'`)
      db.close()
      const pages = yield* Support.allPages((cursor) => store.list({ limit: 1, cursor }))
      assert.deepStrictEqual(pages.map(({ id }) => id), [uuid(3), uuid(1)])
      const reason = yield* reasonOf(store.get(uuid(2)))
      assert.strictEqual(reason._tag, "Internal")
      const { data } = yield* store.listItems(uuid(1), {})
      assert.deepStrictEqual(data.map(({ id }) => id), ["q", "t1-q", "t1-a"])
    }))
})
