import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as ChildProcess from "effect/process/ChildProcess"
import type { ChildProcessHandle, ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as NodeChildProcess from "node:child_process"
import { parseProcStat, parsePsLine, ProcessIdentity, ProcessTable } from "../../src/transport/ProcessTable.ts"

// =============================================================================
// Processes
// =============================================================================

/** Nothing that a test starts outlives it for long, even if the test itself is killed. */
const lifetime = "setTimeout(() => process.exit(0), 60_000);"
const idle = `${lifetime} console.log("ready")`
const deaf = `process.on("SIGTERM", () => {}); ${idle}`
/** Starts another process in its own group and prints the pid of it. */
const parentOf = (script: string) => `
const { spawn } = require("node:child_process")
${lifetime}
const child = spawn(process.execPath, ["-e", ${JSON.stringify(script)}], { stdio: ["ignore", "pipe", "inherit"] })
child.stdout.once("data", () => console.log(child.pid))
`
const parent = parentOf(idle)

const firstLine = (child: ChildProcessHandle) =>
  child.stdout.pipe(Stream.decodeText(), Stream.splitLines, Stream.runHead, Effect.map(Option.getOrThrow))

/** A process that leads a group of its own, once it has said its first line. Ended with its group at the end. */
const start = Effect.fnUntraced(function*(script: string, options?: ChildProcess.CommandOptions) {
  const child = yield* ChildProcess.make(process.execPath, ["-e", script], {
    stderr: "inherit",
    ...options,
    killSignal: "SIGKILL"
  })
  return { child, line: yield* firstLine(child) }
})

const identityOf = Effect.fnUntraced(function*(pid: number) {
  const table = yield* ProcessTable
  return Option.getOrThrow(yield* table.identify(pid))
})

/** Waits for the kernel to show an end that is certain to come. */
const eventuallyEnded = (identity: ProcessIdentity) =>
  Effect.flatMap(ProcessTable, (table) => table.isAlive(identity)).pipe(
    Effect.repeat({ while: (alive) => alive, schedule: Schedule.spaced("10 millis") }),
    Effect.timeout("5 seconds")
  )

/** Whether the pid is taken, by a zombie too. */
const exists = (pid: number) =>
  Effect.sync(() => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  })

// =============================================================================
// Both implementations
// =============================================================================

const conformance = (
  name: string,
  layer: Layer.Layer<ProcessTable, never, FileSystem.FileSystem | ChildProcessSpawner>
) =>
  describe(name, () => {
    const provide = Effect.provide(Layer.provideMerge(layer, NodeServices.layer))

    it.effect("gives a process one identity, and only that process", () =>
      Effect.gen(function*() {
        const table = yield* ProcessTable
        const self = yield* identityOf(process.pid)
        assert.strictEqual(self.pid, process.pid)
        assert.deepStrictEqual(yield* identityOf(process.pid), self)
        assert.isTrue(yield* table.isAlive(self))
        const { child } = yield* start(idle)
        const other = yield* identityOf(child.pid)
        assert.strictEqual(other.groupId, child.pid)
        assert.notStrictEqual(other.pid, self.pid)
      }).pipe(provide))

    it.effect("tells every process the same, in whatever time zone and language it runs", () =>
      Effect.gen(function*() {
        const { child } = yield* start(idle)
        const modules = new URL("../../", import.meta.url)
        const load = (path: string) => JSON.stringify(new URL(path, modules).href)
        const fs = yield* FileSystem.FileSystem
        const path = yield* Path.Path
        const directory = yield* fs.makeTempDirectoryScoped({ prefix: "process-table-" })
        const script = path.join(directory, "ask.mjs")
        yield* fs.symlink(new URL("node_modules", modules).pathname, path.join(directory, "node_modules"))
        yield* fs.writeFileString(
          script,
          `
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ProcessTable } from ${load("src/transport/ProcessTable.ts")}
Effect.flatMap(ProcessTable, (table) => table.identify(${child.pid})).pipe(
  Effect.provide(Layer.provide(ProcessTable.${name}, NodeServices.layer)),
  Effect.runPromise
).then((identity) => console.log(JSON.stringify(identity.value)))
`
        )
        const asked = yield* ChildProcess.make(process.execPath, [script], {
          stderr: "inherit",
          extendEnv: true,
          env: { TZ: "Pacific/Kiritimati", LC_ALL: "de_DE.UTF-8", LANG: "de_DE.UTF-8" },
          killSignal: "SIGKILL"
        })
        const answer = yield* Schema.decodeEffect(Schema.fromJsonString(ProcessIdentity))(yield* firstLine(asked))
        assert.deepStrictEqual(answer, yield* identityOf(child.pid))
      }).pipe(provide))

    it.effect("does not take another process with the same pid for the recorded one", () =>
      Effect.gen(function*() {
        const table = yield* ProcessTable
        const { child } = yield* start(idle)
        const identity = yield* identityOf(child.pid)
        const earlier = {
          ...identity,
          startTime: identity.startTime.replace(/\d+$/, (start) => String(Number(start) - 1000))
        }
        assert.isFalse(yield* table.isAlive(earlier))
        assert.strictEqual(yield* table.terminate(earlier, { grace: "1 second" }), "notOurs")
        assert.isTrue(yield* table.isAlive(identity))
      }).pipe(provide))

    it.effect("refuses to judge an identity that it cannot read", () =>
      Effect.gen(function*() {
        const table = yield* ProcessTable
        const { child } = yield* start(idle)
        const foreign = { pid: child.pid, startTime: "elsewhere:1", groupId: child.pid }
        assert.strictEqual((yield* Effect.flip(table.isAlive(foreign))).reason._tag, "IdentityNotComparable")
        const refused = yield* Effect.flip(table.terminate(foreign, { grace: "1 second" }))
        assert.strictEqual(refused.reason._tag, "IdentityNotComparable")
        assert.isTrue(yield* child.isRunning)
      }).pipe(provide))

    it.effect("knows no process that has ended", () =>
      Effect.gen(function*() {
        const table = yield* ProcessTable
        const { child } = yield* start(idle)
        const identity = yield* identityOf(child.pid)
        yield* child.kill({ killSignal: "SIGKILL" })
        assert.deepStrictEqual(yield* table.identify(child.pid), Option.none())
        assert.isFalse(yield* table.isAlive(identity))
        assert.strictEqual(yield* table.terminate(identity, { grace: "1 second" }), "gone")
      }).pipe(provide))

    it.live("counts a zombie as ended", () =>
      Effect.gen(function*() {
        const table = yield* ProcessTable
        // The shell becomes a program that does not wait for the child it has inherited from itself.
        const shell = yield* ChildProcess.make("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], {
          killSignal: "SIGKILL"
        })
        const pid = Number(yield* firstLine(shell))
        const identity = yield* identityOf(pid)
        yield* Effect.sync(() => process.kill(pid, "SIGKILL"))
        yield* eventuallyEnded(identity)
        assert.isTrue(yield* exists(pid))
        assert.deepStrictEqual(yield* table.identify(pid), Option.none())
      }).pipe(provide))

    it.effect("ends a process and what it has started", () =>
      Effect.gen(function*() {
        const table = yield* ProcessTable
        const { child, line } = yield* start(parent)
        const identity = yield* identityOf(child.pid)
        const grandchild = yield* identityOf(Number(line))
        assert.strictEqual(yield* table.terminate(identity, { grace: "10 seconds" }), "gone")
        assert.isFalse(yield* table.isAlive(identity))
        assert.isFalse(yield* table.isAlive(grandchild))
      }).pipe(provide))

    it.effect("lets a process end in its own way within the grace", () =>
      Effect.gen(function*() {
        const table = yield* ProcessTable
        const { child } = yield* start(`process.on("SIGTERM", () => process.exit(7)); ${idle}`)
        const identity = yield* identityOf(child.pid)
        assert.strictEqual(yield* table.terminate(identity, { grace: "20 seconds" }), "gone")
        assert.strictEqual(yield* child.exitCode, 7)
      }).pipe(provide))

    it.effect("kills what a process has started even where the process itself is already gone", () =>
      Effect.gen(function*() {
        const table = yield* ProcessTable
        const { child, line } = yield* start(parentOf(deaf))
        const identity = yield* identityOf(child.pid)
        const grandchild = yield* identityOf(Number(line))
        assert.strictEqual(yield* table.terminate(identity, { grace: "500 millis" }), "gone")
        assert.isFalse(yield* table.isAlive(grandchild))
      }).pipe(provide))

    it.effect("kills a process that ignores SIGTERM, after the grace", () =>
      Effect.gen(function*() {
        const table = yield* ProcessTable
        const { child } = yield* start(deaf)
        const identity = yield* identityOf(child.pid)
        assert.strictEqual(yield* table.terminate(identity, { grace: "200 millis" }), "gone")
        assert.isFalse(yield* table.isAlive(identity))
      }).pipe(provide))

    it.effect("spares a process that does not lead its group", () =>
      Effect.gen(function*() {
        const table = yield* ProcessTable
        const { child, line } = yield* start(parent)
        const grandchild = yield* identityOf(Number(line))
        assert.strictEqual(grandchild.groupId, child.pid)
        assert.strictEqual(yield* table.terminate(grandchild, { grace: "1 second" }), "notOurs")
        // Nor does a record that lies about the group change that.
        const lie = { ...grandchild, groupId: grandchild.pid }
        assert.strictEqual(yield* table.terminate(lie, { grace: "1 second" }), "notOurs")
        assert.isTrue(yield* table.isAlive(grandchild))
      }).pipe(provide))
  })

const hasPs = NodeChildProcess.spawnSync("ps", ["-o", "lstart=", "-p", String(process.pid)]).status === 0
if (!hasPs) {
  process.stderr.write("ProcessTable: no `ps` with `lstart` on this machine, its implementation is NOT tested\n")
}

/** The identity with one part of its start time replaced. */
const change = (identity: ProcessIdentity, part: number, value: string): ProcessIdentity => ({
  ...identity,
  startTime: identity.startTime.split(":").map((text, index) => index === part ? value : text).join(":")
})

describe("ProcessTable", () => {
  conformance("layer", ProcessTable.layer)
  if (hasPs) conformance("layerPs", ProcessTable.layerPs)
  else it.skip("layerPs: needs a `ps` with `lstart`")

  it.live.skipIf(!hasPs)("both implementations agree on who is alive (needs ps)", () =>
    Effect.gen(function*() {
      const layers = [ProcessTable.layer, ProcessTable.layerPs]
      const { child } = yield* start(idle)
      const tables = yield* Effect.forEach(layers, (layer) => Layer.build(layer)).pipe(
        Effect.map((contexts) => contexts.map((context) => ProcessTable.pipe(Effect.provide(context))))
      )
      const before = yield* Effect.forEach(tables, (table) => Effect.flatMap(table, (_) => _.identify(child.pid)))
      const alive = yield* Effect.forEach(tables, (table, index) =>
        Effect.flatMap(table, (_) => _.isAlive(Option.getOrThrow(before[index] ?? Option.none()))))
      assert.deepStrictEqual(alive, [true, true])
      yield* child.kill({ killSignal: "SIGKILL" })
      const dead = yield* Effect.forEach(tables, (table, index) =>
        Effect.flatMap(table, (_) =>
          _.isAlive(Option.getOrThrow(before[index] ?? Option.none()))))
      assert.deepStrictEqual(dead, [false, false])
    }).pipe(Effect.provide(NodeServices.layer)))

  describe.runIf(process.platform === "linux")("on Linux", () => {
    const provide = Effect.provide(Layer.provideMerge(ProcessTable.layerProc, NodeServices.layer))

    it.effect("takes a process from before the last boot for ended", () =>
      Effect.gen(function*() {
        const table = yield* ProcessTable
        const self = yield* identityOf(process.pid)
        assert.isFalse(yield* table.isAlive(change(self, 1, "00000000-0000-0000-0000-000000000000")))
      }).pipe(provide))

    it.effect("cannot tell about a process of another container", () =>
      Effect.gen(function*() {
        const table = yield* ProcessTable
        const self = yield* identityOf(process.pid)
        const elsewhere = yield* Effect.flip(table.isAlive(change(self, 2, "1")))
        assert.strictEqual(elsewhere.reason._tag, "IdentityNotComparable")
      }).pipe(provide))

    it.effect("fails rather than sees nobody where /proc is not mounted", () =>
      Effect.gen(function*() {
        const table = yield* ProcessTable
        const error = yield* Effect.flip(table.identify(process.pid))
        assert.strictEqual(error.reason._tag, "TableUnreadable")
      }).pipe(Effect.provide(Layer.provide(ProcessTable.layerProc, FileSystem.layerNoop({})))))
  })
})

// =============================================================================
// What the systems print
// =============================================================================

describe("parseProcStat", () => {
  it.effect.prop(
    "finds the fields whatever the program is called",
    [
      Schema.String,
      Schema.Literals(["R", "S", "D", "Z", "T"]),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4194304 })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 40 }))
    ],
    ([program, state, groupId, start]) =>
      Effect.sync(() => {
        const text =
          `17479 (${program}) ${state} 1 ${groupId} 7 0 -1 4194560 3068 40421 0 3 0 2 23 8 20 0 1 0 ${start} 5124096 1007\n`
        assert.deepStrictEqual(parseProcStat(text), Option.some({ state, groupId, startTicks: String(start) }))
      })
  )

  it("refuses what is cut off", () => {
    assert.deepStrictEqual(parseProcStat(""), Option.none())
    assert.deepStrictEqual(parseProcStat("17479 (bash) S 17475 17479"), Option.none())
  })
})

describe("parsePsLine", () => {
  it("reads a line of procps and one of BSD", () => {
    assert.deepStrictEqual(
      parsePsLine("Mon Nov 30 01:05:58 2026   17479 Ss\n"),
      Option.some({ startSeconds: Date.UTC(2026, 10, 30, 1, 5, 58) / 1000, groupId: 17479, state: "Ss" })
    )
    assert.deepStrictEqual(
      parsePsLine("Sat Jan  3 23:00:00 2026     501 Z+  \n"),
      Option.some({ startSeconds: Date.UTC(2026, 0, 3, 23) / 1000, groupId: 501, state: "Z+" })
    )
  })

  it("refuses a line in another language", () => {
    assert.deepStrictEqual(parsePsLine("Mo 30 Nov 01:05:58 2026   17479 Ss"), Option.none())
    assert.deepStrictEqual(parsePsLine("Mon Foo 30 01:05:58 2026   17479 Ss"), Option.none())
  })
})
