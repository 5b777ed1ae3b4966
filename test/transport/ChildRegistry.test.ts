import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as ChildProcess from "effect/process/ChildProcess"
import type { ChildProcessHandle } from "effect/process/ChildProcessSpawner"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ChildRecord, ChildRegistry } from "../../src/transport/ChildRegistry.ts"
import {
  IdentityNotComparable,
  ProcessIdentity,
  ProcessTable,
  ProcessTableError,
  type Termination
} from "../../src/transport/ProcessTable.ts"

const Services = Layer.provideMerge(ProcessTable.layer, NodeServices.layer)
const provide = Effect.provide(Services)

const registryIn = (directory: string) =>
  Effect.map(
    Layer.build(ChildRegistry.layer({ directory, grace: "5 seconds" })),
    (context) => ChildRegistry.pipe(Effect.provideContext(context))
  ).pipe(Effect.flatten)

/** A directory that does not exist yet, below one that is removed at the end. */
const freshDirectory = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return path.join(yield* fs.makeTempDirectoryScoped({ prefix: "child-registry-" }), "state", "children")
})

const files = (directory: string) => Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readDirectory(directory))

const identityOf = (pid: number) =>
  Effect.flatMap(ProcessTable, (table) => Effect.map(table.identify(pid), Option.getOrThrow))

const isAlive = (identity: ProcessIdentity) => Effect.flatMap(ProcessTable, (table) => table.isAlive(identity))

const firstLine = (child: ChildProcessHandle) =>
  child.stdout.pipe(Stream.decodeText(), Stream.splitLines, Stream.runHead, Effect.map(Option.getOrThrow))

/** Nothing that a test starts outlives it for long, even if the test itself is killed. */
const lifetime = "setTimeout(() => process.exit(0), 60_000);"
const idle = `${lifetime} console.log("ready")`

/** A process that leads a group of its own, ended at the end of the scope. */
const startIdle = Effect.gen(function*() {
  const child = yield* ChildProcess.make(process.execPath, ["-e", idle], { stderr: "inherit", killSignal: "SIGKILL" })
  yield* firstLine(child)
  return child
})

const writeRecord = Effect.fnUntraced(function*(directory: string, name: string, record: ChildRecord) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* fs.makeDirectory(directory, { recursive: true, mode: 0o700 })
  const text = yield* Schema.encodeEffect(Schema.fromJsonString(ChildRecord))(record)
  const file = path.join(directory, name)
  yield* fs.writeFileString(file, text, { mode: 0o600 })
  return file
})

// =============================================================================
// A host that is killed
// =============================================================================

const grandparent = `
const { spawn } = require("node:child_process")
${lifetime}
const child = spawn(process.execPath, ["-e", ${JSON.stringify(idle)}], { stdio: ["ignore", "pipe", "inherit"] })
child.stdout.once("data", () => console.log(child.pid))
`

const hostScript = (registry: string, table: string, directory: string) => `
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { spawn } from "node:child_process"
import { ChildRegistry } from ${JSON.stringify(registry)}
import { ProcessTable } from ${JSON.stringify(table)}
${lifetime}
const child = spawn(process.execPath, ["-e", ${JSON.stringify(grandparent)}], {
  detached: true,
  stdio: ["ignore", "pipe", "inherit"]
})
child.stdout.once("data", (line) => {
  const layer = ChildRegistry.layer({ directory: ${JSON.stringify(directory)} }).pipe(
    Layer.provideMerge(ProcessTable.layer),
    Layer.provideMerge(NodeServices.layer)
  )
  Effect.gen(function*() {
    const registry = yield* ChildRegistry
    const table = yield* ProcessTable
    yield* registry.register(child.pid, "/opt/bin/agent")
    const identities = yield* Effect.forEach([child.pid, Number(line)], table.identify)
    console.log(JSON.stringify(identities.map((identity) => identity.value)))
    yield* Effect.never
  }).pipe(Effect.scoped, Effect.provide(layer), Effect.runPromise)
})
`

/** A host with a child and a grandchild. `kill` ends the host alone, without giving it a chance to say good-bye. */
const startHost = Effect.fnUntraced(function*(directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = new URL("../../", import.meta.url)
  const place = yield* fs.makeTempDirectoryScoped({ prefix: "child-registry-host-" })
  yield* fs.symlink(new URL("node_modules", root).pathname, path.join(place, "node_modules"))
  const script = path.join(place, "host.mjs")
  const source = (name: string) => new URL(`src/transport/${name}.ts`, root).href
  yield* fs.writeFileString(script, hostScript(source("ChildRegistry"), source("ProcessTable"), directory))

  const table = yield* ProcessTable
  const started: Array<ProcessIdentity> = []
  yield* Effect.addFinalizer(() =>
    Effect.forEach(started, (identity) => Effect.orDie(table.terminate(identity, { grace: 0 })))
  )
  const host = yield* ChildProcess.make(process.execPath, [script], { stderr: "inherit", killSignal: "SIGKILL" })
  const identities = yield* Schema.decodeEffect(Schema.fromJsonString(Schema.Array(ProcessIdentity)))(
    yield* firstLine(host)
  )
  started.push(...identities)
  const [child, grandchild] = identities
  if (child === undefined || grandchild === undefined) return yield* Effect.die("the host has reported no processes")
  return { child, grandchild, kill: host.kill({ killSignal: "SIGKILL" }) }
})

/** Another process that had the same pid before. */
const other = (identity: ProcessIdentity): ProcessIdentity => ({
  ...identity,
  startTime: identity.startTime.replace(/\d+$/, (start) => String(Number(start) - 1000))
})

/** The directory that is used where none is given. */
const inEnvironment = (env: Record<string, string>) =>
  Effect.map(ChildRegistry, (registry) => registry.directory).pipe(
    Effect.provide(Layer.provide(ChildRegistry.layer(), Services)),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
  )

// ===========================================================================
// Every combination of what can be found out
// ===========================================================================

const identity = (pid: number): ProcessIdentity => ({ pid, startTime: `fake:${pid}`, groupId: pid })
const child = identity(2_000_001)
const host = identity(2_000_002)
const findings = ["alive", "dead", "unsure"] as const
type Finding = typeof findings[number]
const unsure = new ProcessTableError({ reason: new IdentityNotComparable({ pid: child.pid, detail: "a test" }) })

const answers: Record<Finding, Effect.Effect<boolean, ProcessTableError>> = {
  alive: Effect.succeed(true),
  dead: Effect.succeed(false),
  unsure: Effect.fail(unsure)
}

const endings = ["gone", "survived", "notOurs", "unsure"] as const
const combinations = findings.flatMap((hostIs) =>
  findings.flatMap((childIs) => endings.map((ending) => [hostIs, childIs, ending] as const))
)

const expected = (hostIs: Finding, childIs: Finding, ending: Termination | "unsure") => {
  if (hostIs !== "dead" || childIs === "unsure") return "kept"
  if (childIs === "dead") return "stale"
  return ({ gone: "reaped", survived: "survived", notOurs: "kept", unsure: "kept" } as const)[ending]
}

describe("ChildRegistry", () => {
  it.effect("ends what a killed host has left behind, and nothing else", () =>
    Effect.gen(function*() {
      const directory = yield* freshDirectory
      const registry = yield* registryIn(directory)
      const { child, grandchild, kill } = yield* startHost(directory)

      // A stranger that got the pid of a recorded child: the record names another start.
      const bystander = yield* identityOf((yield* startIdle).pid)
      const lie = yield* writeRecord(directory, "lie.json", {
        schemaVersion: 1,
        child: other(bystander),
        host: other(yield* identityOf(process.pid)),
        command: "agent",
        startedAt: DateTime.makeUnsafe(0)
      })

      const early = yield* registry.reap
      assert.deepStrictEqual(early.kept.map((_) => _.record.child), [child])
      assert.deepStrictEqual(early.stale.map((_) => _.path), [lie])
      assert.isTrue(yield* isAlive(child))

      yield* kill
      assert.isTrue(yield* isAlive(child))
      const report = yield* registry.reap
      assert.deepStrictEqual(report.reaped.map((_) => _.record.child), [child])
      assert.deepStrictEqual(report.reaped.map((_) => _.record.command), ["agent"])
      assert.isFalse(yield* isAlive(child))
      assert.isFalse(yield* isAlive(grandchild))
      assert.isTrue(yield* isAlive(bystander))
      assert.deepStrictEqual(yield* files(directory), [])

      assert.deepStrictEqual(yield* registry.reap, { reaped: [], stale: [], kept: [], survived: [], unreadable: [] })
    }).pipe(provide))

  it.effect("may be asked to reap by several programs at once", () =>
    Effect.gen(function*() {
      const directory = yield* freshDirectory
      const registries = yield* Effect.all([registryIn(directory), registryIn(directory), registryIn(directory)])
      const { child, grandchild, kill } = yield* startHost(directory)
      yield* kill
      const reports = yield* Effect.forEach(registries, (registry) => registry.reap, { concurrency: "unbounded" })
      assert.isNotEmpty(reports.flatMap((report) => report.reaped))
      assert.isEmpty(reports.flatMap((report) => [...report.survived, ...report.unreadable]))
      assert.isFalse(yield* isAlive(child))
      assert.isFalse(yield* isAlive(grandchild))
      assert.deepStrictEqual(yield* files(directory), [])
    }).pipe(provide))

  it.effect("keeps the record as long as the child, privately and without arguments", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const directory = yield* freshDirectory
      const registry = yield* registryIn(directory)
      const scope = yield* Scope.make()
      const atRelease: Array<{ readonly alive: boolean; readonly records: number }> = []

      const file = yield* Effect.gen(function*() {
        const reservation = yield* registry.reserve
        // Runs after the child has been ended and before the record is removed.
        let identity: ProcessIdentity | undefined
        yield* Effect.addFinalizer(() =>
          Effect.gen(function*() {
            if (identity === undefined) return
            atRelease.push({ alive: yield* isAlive(identity), records: (yield* files(directory)).length })
          }).pipe(provide, Effect.orDie)
        )
        const child = yield* startIdle
        identity = yield* identityOf(child.pid)
        yield* reservation.record(child.pid, "/opt/bin/agent")

        const [name, ...more] = yield* files(directory)
        assert.isEmpty(more)
        const file = path.join(directory, name ?? "")
        const record = yield* Schema.decodeEffect(Schema.fromJsonString(ChildRecord))(yield* fs.readFileString(file))
        assert.deepStrictEqual(record, {
          schemaVersion: 1,
          child: identity,
          host: yield* identityOf(process.pid),
          command: "agent",
          startedAt: yield* DateTime.now
        })
        return file
      }).pipe(Scope.provide(scope))

      assert.strictEqual((yield* fs.stat(file)).mode & 0o777, 0o600)
      assert.strictEqual((yield* fs.stat(directory)).mode & 0o777, 0o700)
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(atRelease, [{ alive: false, records: 1 }])
      assert.deepStrictEqual(yield* files(directory), [])
    }).pipe(provide))

  it.effect("does not forget a child that outlives its scope", () =>
    Effect.gen(function*() {
      const directory = yield* freshDirectory
      const registry = yield* registryIn(directory)
      const child = yield* startIdle
      yield* Effect.scoped(registry.register(child.pid, "agent"))
      assert.lengthOf(yield* files(directory), 1)
      const report = yield* registry.reap
      assert.deepStrictEqual(report.kept.map((_) => _.record.child.pid), [child.pid])
      assert.isTrue(yield* child.isRunning)
    }).pipe(provide))

  it.effect("records no child that has ended already", () =>
    Effect.gen(function*() {
      const directory = yield* freshDirectory
      const registry = yield* registryIn(directory)
      const child = yield* startIdle
      yield* child.kill({ killSignal: "SIGKILL" })
      yield* registry.register(child.pid, "agent")
      assert.deepStrictEqual(yield* files(directory), [])
    }).pipe(provide))

  it.effect("leaves what it cannot read, and says so", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const directory = yield* freshDirectory
      const registry = yield* registryIn(directory)
      yield* fs.makeDirectory(directory, { recursive: true, mode: 0o700 })
      const self = yield* identityOf(process.pid)
      const contents = {
        "cut.json": "{\"schemaVersion\":1,\"chi",
        "empty.json": "",
        "future.json": JSON.stringify({
          schemaVersion: 2,
          child: self,
          host: self,
          command: "agent",
          startedAt: "2026-01-01T00:00:00Z"
        }),
        "zero.json": JSON.stringify({
          schemaVersion: 1,
          child: { ...self, pid: 0 },
          host: self,
          command: "agent",
          startedAt: "2026-01-01T00:00:00Z"
        })
      }
      yield* Effect.forEach(
        Object.entries(contents),
        ([name, text]) => fs.writeFileString(path.join(directory, name), text)
      )
      const report = yield* registry.reap
      assert.sameMembers(report.unreadable.map((_) => path.basename(_.path)), Object.keys(contents))
      assert.isEmpty([...report.reaped, ...report.stale, ...report.kept, ...report.survived])
      assert.sameMembers(yield* files(directory), Object.keys(contents))
    }).pipe(provide))

  it.effect("reports nothing where nothing was ever recorded", () =>
    Effect.gen(function*() {
      const registry = yield* registryIn(yield* freshDirectory)
      assert.deepStrictEqual(yield* registry.reap, { reaped: [], stale: [], kept: [], survived: [], unreadable: [] })
    }).pipe(provide))

  it.effect("trusts no directory that others may write to", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* freshDirectory
      const registry = yield* registryIn(directory)
      yield* fs.makeDirectory(directory, { recursive: true })
      yield* fs.chmod(directory, 0o777)
      const child = yield* startIdle
      const error = yield* Effect.flip(registry.register(child.pid, "agent"))
      assert.strictEqual(error.operation, "prepare")
      assert.strictEqual(error.path, directory)
      const self = yield* identityOf(process.pid)
      const gone = { ...self, startTime: self.startTime.replace(/\d+$/, "1") }
      yield* writeRecord(directory, "planted.json", {
        schemaVersion: 1,
        child: yield* identityOf(child.pid),
        host: gone,
        command: "agent",
        startedAt: DateTime.makeUnsafe(0)
      })
      const report = yield* registry.reap
      assert.deepStrictEqual(report.unreadable, [{ path: directory, detail: "others may write to it" }])
      assert.isTrue(yield* child.isRunning)
    }).pipe(provide))

  it.effect("keeps its records in the user's directory for state", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* inEnvironment({ HOME: "/home/ada", XDG_STATE_HOME: "/state" }),
        "/state/effect-codex-bridge/children"
      )
      assert.strictEqual((yield* Effect.flip(inEnvironment({}))).operation, "locate")
    }))

  it.effect("ends a child only if the host is certainly dead and the child certainly alive", () =>
    Effect.forEach(combinations, ([hostIs, childIs, ending]) =>
      Effect.gen(function*() {
        const terminated: Array<number> = []
        const table = Layer.succeed(ProcessTable, {
          identify: () => Effect.succeedNone,
          isAlive: (asked) => answers[asked.pid === host.pid ? hostIs : childIs],
          terminate: (asked) =>
            Effect.suspend(() => {
              terminated.push(asked.pid)
              return ending === "unsure" ? Effect.fail(unsure) : Effect.succeed(ending)
            })
        })
        const directory = yield* freshDirectory
        const file = yield* writeRecord(directory, "record.json", {
          schemaVersion: 1,
          child,
          host,
          command: "agent",
          startedAt: DateTime.makeUnsafe(0)
        })
        const report = yield* registryIn(directory).pipe(
          Effect.flatMap((registry) => registry.reap),
          Effect.provide(table)
        )
        const outcome = expected(hostIs, childIs, ending)
        assert.deepStrictEqual(report[outcome].map((_) => _.path), [file])
        assert.lengthOf(Object.values(report).flat(), 1)
        assert.deepStrictEqual(terminated, hostIs === "dead" && childIs === "alive" ? [child.pid] : [])
        const removed = outcome === "stale" || outcome === "reaped"
        assert.lengthOf(yield* files(directory), removed ? 0 : 1)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))))
})
