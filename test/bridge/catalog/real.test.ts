/**
 * The catalogue beside the real server: the same shapes, the same refusals, the same effects of writes.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { CodexConfig } from "../../../src/bridge/catalog/CodexConfig.ts"
import type { ClientMethod } from "../../../src/bridge/ClientConnection.ts"
import { clientMethods, methodTable } from "../../../src/bridge/MethodTable.ts"
import * as Methods from "../../../src/protocol/Methods.ts"
import { ask, layer, Refused } from "./support/bridge.ts"
import * as RealCodex from "./support/realCodex.ts"

/** Params that both servers can do something with, for a thread that the real one has; `{}` for the rest. */
const paramsOf = (threadId: string): Partial<Record<ClientMethod, unknown>> => ({
  "account/login/cancel": { loginId: "00000000-0000-4000-8000-000000000000" },
  "app/read": { appIds: ["x"] },
  "config/read": { includeLayers: true },
  "environment/info": { environmentId: "local" },
  "environment/status": { environmentId: "local" },
  "experimentalFeature/enablement/set": { enablement: { nonsense: true } },
  "mcpServer/event/stream/stop": { subscriptionId: "x" },
  "mock/experimentalMethod": { value: "x" },
  "modelProvider/default/set": { providerId: "nobody" },
  "plugin/search": { searchTerm: "x" },
  "skills/extraRoots/set": { extraRoots: [] },
  "thread/sample/cancel": { requestId: "x" },
  "thread/search/cancel": { requestId: "x" },
  "thread/search/stream/cancel": { requestId: "x" },
  "thread/attachment/list": { threadId },
  "thread/attachmentOwner/list": { attachmentType: "x", identityKey: "y" },
  "thread/backgroundTerminals/clean": { threadId },
  "thread/backgroundTerminals/list": { threadId },
  "thread/backgroundTerminals/terminate": { threadId, processId: "1" },
  "thread/memory/read": { threadId },
  "thread/memoryMode/set": { threadId, mode: "disabled" },
  "thread/prepareApprovedPlan": { threadId, markdown: "# Plan" },
  "thread/realtime/list": { threadId },
  "thread/realtime/stop": { threadId },
  "userVerification/cancel": { requestId: "x" }
})

/** Compared by what they do. */
const isWrite = (method: ClientMethod): boolean => method === "config/value/write" || method === "config/batchWrite"

const answered = clientMethods.filter((method) => {
  const handling = methodTable[method]
  return !isWrite(method) && ("neutral" in handling || ("by" in handling && handling.by === "catalog"))
})

/** Members of these are the user's own, or differ with what the agent has. */
const freeMaps = new Set(["config", "origins", "enablement", "interface", "settings"])

/** The names of all members, at every depth; of arrays by their first element where both have one. */
const differences = (real: unknown, ours: unknown, at: string): ReadonlyArray<string> => {
  if (Array.isArray(real) && Array.isArray(ours)) {
    return real.length > 0 && ours.length > 0 ? differences(real[0], ours[0], `${at}[]`) : []
  }
  if (!Predicate.isObject(real) || !Predicate.isObject(ours)) return []
  const names = [...new Set([...Object.keys(real), ...Object.keys(ours)])]
  return names.flatMap((name) => {
    const path = `${at}.${name}`
    if (!Object.hasOwn(ours, name)) return [`${path} is missing`]
    if (!Object.hasOwn(real, name)) return [`${path} is not the real server's`]
    return freeMaps.has(name) ? [] : differences(Reflect.get(real, name), Reflect.get(ours, name), path)
  })
}

describe("beside the real server", () => {
  it.live("answers have the members that the real answers have", () =>
    Effect.gen(function*() {
      const real = yield* RealCodex.make
      const started = yield* real.ask("thread/start", {})
      if (started._tag === "Error") return assert.fail(started.message)
      const params = paramsOf(Object(started.result).thread.id)
      const found: Array<string> = []
      let compared = 0
      for (const method of answered) {
        const asked = method in params ? params[method] : noParams.has(method) ? undefined : {}
        const theirs = yield* real.ask(method, asked)
        const ours = yield* ask(method, asked)
        if (theirs._tag === "Error") {
          if (!(ours instanceof Refused)) found.push(`${method} is refused by the real server: ${theirs.message}`)
          else if (method === "modelProvider/default/set") assert.strictEqual(ours.error.message, theirs.message)
        } else if (ours instanceof Refused) found.push(`${method} is answered by the real server`)
        else {
          compared++
          found.push(...differences(theirs.result, ours, method))
        }
      }
      assert.isAbove(compared, 50)
      assert.deepStrictEqual(found, [])
    }).pipe(Effect.provide(layer())))

  it("a difference is seen at any depth", () => {
    const real = { data: [{ a: 1, b: { c: null } }], nextCursor: null }
    assert.deepStrictEqual(differences(real, { data: [{ a: 2, b: {} }], more: 1 }, "m"), [
      "m.data[].b.c is missing",
      "m.nextCursor is missing",
      "m.more is not the real server's"
    ])
  })

  it.live("config/read has every member that the schema names", () =>
    Effect.gen(function*() {
      const real = yield* RealCodex.make
      const theirs = yield* real.ask("config/read", {})
      const ours = yield* ask("config/read", {})
      if (theirs._tag === "Error" || ours instanceof Refused) return assert.fail("refused")
      assert.deepStrictEqual(Object.keys(ours), Object.keys(Object(theirs.result)))
      const names = Object.keys(Object(Reflect.get(Object(theirs.result), "config")))
      // They come first, in the order of the schema. Behind `desktop` are those that the schema leaves open.
      const typed = names.slice(0, names.indexOf("desktop") + 1)
      assert.isAbove(typed.length, 20)
      assert.includeMembers(Object.keys(ours.config), typed)
    }).pipe(Effect.provide(layer())))

  it.live("writes have the same effects, versions and refusals", () =>
    Effect.gen(function*() {
      const real = yield* RealCodex.make
      const { file } = yield* CodexConfig
      // Both start with nothing of this table, and no write below touches another.
      for (const [index, write] of writes.entries()) {
        const method = "edits" in write ? "config/batchWrite" : "config/value/write"
        const theirs = yield* real.ask(method, write)
        const ours = yield* ask(method, write)
        const name = `${index}: ${JSON.stringify(write)}`
        if (theirs._tag === "Error") {
          assert.isTrue(ours instanceof Refused, name)
          if (ours instanceof Refused) assert.strictEqual(ours.error.message, theirs.message, name)
        } else {
          assert.isFalse(ours instanceof Refused, `${name} ${JSON.stringify(ours)}`)
          assert.containsSubset(theirs.result, { status: "ok", overriddenMetadata: null })
          assert.containsSubset(ours, { status: "ok", overriddenMetadata: null, filePath: file })
        }
        const layers = yield* Effect.all([real.ask("config/read", { includeLayers: true }), read])
        const [theirTable, ourTable] = layers.map(desktopOf)
        assert.deepStrictEqual(ourTable, theirTable, name)
      }
    }).pipe(Effect.provide(layer())))
})

const read = Effect.map(ask("config/read", { includeLayers: true }), (result) => ({ _tag: "Result", result } as const))

/** The table `desktop` of the layer that is written. */
const desktopOf = (answer: RealCodex.RealAnswer): unknown => {
  if (answer._tag === "Error") return answer
  const decoded = Methods.decodeClientResult("config/read", answer.result)
  if (decoded._tag === "Failure") return decoded.failure
  const table = decoded.success.layers?.[0]?.config
  return Predicate.hasProperty(table, "desktop") ? table.desktop : undefined
}

const noParams: ReadonlySet<ClientMethod> = new Set(
  clientMethods.filter((method) => Methods.decodeClientRequest(method, undefined)._tag === "Success")
)

const replace = (keyPath: string, value: unknown) => ({ keyPath, value, mergeStrategy: "replace" })
const upsert = (keyPath: string, value: unknown) => ({ keyPath, value, mergeStrategy: "upsert" })

// No numbers: the real server spoils those that it merges.
const writes: ReadonlyArray<object> = [
  replace("desktop.a", { b: ["x"], c: true }),
  upsert("desktop.a", { d: "y" }),
  upsert("desktop", { a: { d: { e: "z" } }, f: "s" }),
  upsert("desktop.a.b", ["other"]),
  upsert("desktop.f", { g: "h" }),
  upsert("desktop.f.g", "scalar"),
  replace("desktop.f.g.h", "below a value"),
  replace("desktop.new.er.est", "deep"),
  replace("desktop.\"a.b\\\"c\".d", "quoted"),
  replace("desktop.\"q\"r", "goes on"),
  replace("desktop. sp ace .x", "spaces"),
  replace("desktop.'single'.x", "no quotes"),
  replace("desktop.", "x"),
  replace("desktop..x", "x"),
  replace("desktop.\"\"", "x"),
  replace("", "x"),
  replace(" ", "x"),
  replace("desktop.\"open", "x"),
  replace("desktop.x\"y\"", "x"),
  replace("desktop.n", { a: null }),
  replace("desktop.n", [null]),
  upsert("desktop.a", null),
  replace("desktop.nothing.there", null),
  replace("desktop.f.g.h", null),
  replace("desktop.__proto__.x", "own"),
  { edits: [replace("desktop.one", "1"), replace("desktop.one.two", "2")] },
  { edits: [replace("desktop.one", { two: "2" }), upsert("desktop.one", { three: "3" })] },
  { edits: [] },
  { edits: [], expectedVersion: "sha256:0" },
  { ...replace("desktop.x", "x"), expectedVersion: "sha256:0" },
  { ...replace("desktop.x", "x"), filePath: "/somewhere/else.toml" },
  replace("sandbox_mode", "sometimes"),
  replace("model", 5),
  replace("sandbox_workspace_write.network_access", "yes"),
  replace("desktop", "a value")
]
