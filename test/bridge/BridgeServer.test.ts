import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { ClientMethod } from "../../src/bridge/ClientConnection.ts"
import { clientMethods, type Feature, methodTable, servedBy } from "../../src/bridge/MethodTable.ts"
import * as ErrorCodes from "../../src/protocol/ErrorCodes.ts"
import * as Methods from "../../src/protocol/Methods.ts"
import * as BridgeBench from "../support/BridgeBench.ts"
import { paramsOf } from "../support/ClientParams.ts"

const scenario = { fallback: [{ _tag: "Say", deltas: ["he", "llo"] }] } as const

// What is made up is not run.
const bench = BridgeBench.layer({ scenario, commands: false })

const connect = (options?: BridgeBench.ConnectOptions) =>
  Effect.flatMap(BridgeBench.BridgeBench, (bridge) => bridge.connect(options))

/** Features that the bridge has still to serve. Each of them is a debt: the list is there to be emptied. */
const unfinished: ReadonlyArray<Feature> = []

/** Params of which one member is missing or something else. */
const damaged = (params: unknown, junk: unknown, nth: number): unknown => {
  if (!Predicate.isObject(params)) return junk
  const names = Object.keys(params)
  const name = names[nth % Math.max(1, names.length)]
  if (name === undefined) return { threadId: junk }
  const { [name]: _, ...rest } = params
  return nth % 2 === 0 ? rest : { ...rest, [name]: junk }
}

/** The same params about a thread that there is. */
const about = (threadId: string, params: unknown): unknown =>
  Predicate.isObject(params) && "threadId" in params ? { ...params, threadId } : params

const answersTo = (client: BridgeBench.Client) => {
  const counts = new Map<unknown, number>()
  for (const { id, method } of client.seen) {
    if (id !== undefined && method === undefined) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

describe("the beginning of a connection", () => {
  it.effect("nothing is answered before the handshake, not even what is not in the schema", () =>
    Effect.gen(function*() {
      const client = yield* connect({ silent: true })
      assert.strictEqual(yield* client.refusal("thread/list", {}), "Not initialized")
      assert.strictEqual(yield* client.refusal("getAuthStatus", {}), "Not initialized")
      yield* client.ask("initialize", BridgeBench.initializeParams())
      yield* client.ask("thread/list", {})
    }).pipe(Effect.provide(bench)))

  it.effect("the handshake is said once", () =>
    Effect.gen(function*() {
      const client = yield* connect()
      assert.strictEqual(
        yield* client.refusal("initialize", BridgeBench.initializeParams()),
        "Already initialized"
      )
      yield* client.ask("thread/list", {})
    }).pipe(Effect.provide(bench)))

  it.effect("the answer names the server as the first client of it, and this client", () =>
    Effect.gen(function*() {
      const { connect, settings } = yield* BridgeBench.BridgeBench
      yield* connect({ name: "first" })
      const client = yield* connect({ silent: true })
      const answer = yield* client.ask("initialize", BridgeBench.initializeParams({ name: "second" }))
      assert.match(answer.userAgent, /^first\/0\.171\.0 .*\(second; 1\.0\.0\)$/)
      assert.strictEqual(answer.codexHome, settings.codexHome)
    }).pipe(Effect.provide(bench)))

  it.effect("a notice comes behind the answer", () =>
    Effect.gen(function*() {
      const client = yield* connect({ silent: true })
      yield* client.ask("initialize", BridgeBench.initializeParams())
      const { summary } = yield* client.told("configWarning")
      assert.strictEqual(summary, "no agent")
      assert.isAbove(client.seen.findIndex(({ method }) => method === "configWarning"), 0)
    }).pipe(Effect.provide(BridgeBench.layer({ scenario, notice: "no agent" }))))
})

describe("the experimental API", () => {
  it.effect("is refused to a client that did not ask for it: methods, and members of params", () =>
    Effect.gen(function*() {
      const client = yield* connect({ experimental: false })
      assert.strictEqual(
        yield* client.refusal("process/kill", { processHandle: "p" }),
        "process/kill requires experimentalApi capability"
      )
      const { thread } = yield* client.ask("thread/start", {})
      assert.strictEqual(
        yield* client.refusal("thread/resume", { threadId: thread.id, excludeTurns: true, path: "/x", history: [] }),
        Methods.experimentalUse("thread/resume", { threadId: thread.id, excludeTurns: true, path: "/x", history: [] }) +
          " requires experimentalApi capability"
      )
    }).pipe(Effect.provide(bench)))

  it.effect("is refused in every one of its methods, and served to one that did ask", () =>
    Effect.gen(function*() {
      const stable = yield* connect({ experimental: false })
      const experimental = yield* connect()
      for (const method of clientMethods.filter((method) => Methods.experimentalMethods.has(method))) {
        const [params] = yield* Arbitrary.sampleEffect(paramsOf(method), { count: 1, seed: 11 })
        assert.strictEqual(yield* stable.refusal(method, params), `${method} requires experimentalApi capability`)
        const answer = yield* experimental.call(method, params)
        if (answer._tag === "Error") assert.notInclude(answer.error.message, "requires experimentalApi")
      }
    }).pipe(Effect.provide(bench)))
})

describe("notifications", () => {
  it.effect("that a client has opted out of do not reach it, and reach others", () =>
    Effect.gen(function*() {
      const quiet = yield* connect({ optOut: ["item/agentMessage/delta", "thread/started"] })
      const loud = yield* connect()
      const { thread } = yield* quiet.ask("thread/start", {})
      yield* loud.ask("thread/resume", { threadId: thread.id })
      yield* quiet.ask("turn/start", { threadId: thread.id, input: [{ type: "text", text: "hi", text_elements: [] }] })
      yield* Effect.all([quiet.told("turn/completed"), loud.told("turn/completed")])
      assert.isEmpty(quiet.notifications("item/agentMessage/delta"))
      assert.isEmpty(quiet.notifications("thread/started"))
      assert.isNotEmpty(loud.notifications("item/agentMessage/delta"))
      assert.isNotEmpty(quiet.notifications("item/completed"))
    }).pipe(Effect.provide(bench)))
})

describe("methods", () => {
  it.effect("that nobody knows are refused with the list of those that there are", () =>
    Effect.gen(function*() {
      const client = yield* connect()
      const sentence = yield* client.refusal("thread/fly", {})
      assert.isTrue(
        sentence.startsWith("Invalid request: unknown variant `thread/fly`, expected one of `"),
        sentence
      )
      const [, ...known] = Array.from(sentence.matchAll(/`([^`]+)`/g), ([, name]) => name)
      assert.deepStrictEqual(known.slice(0, 2), ["initialize", "server/diagnostics"])
      assert.sameMembers(known, [...Methods.methods("client request"), ...Methods.legacyMethods])
    }).pipe(Effect.provide(bench)))

  it.effect("of before the schema are answered", () =>
    Effect.gen(function*() {
      const client = yield* connect()
      assert.deepStrictEqual(yield* client.call("getAuthStatus", {}), {
        _tag: "Result",
        result: { authMethod: null, authToken: null, requiresOpenaiAuth: false }
      })
      assert.include(yield* client.refusal("getConversationSummary", {}), "thread/read")
      assert.strictEqual(yield* client.refusal("gitDiffToRemote", {}), "Invalid request: missing field `cwd`")
      for (const method of Methods.legacyMethods) {
        assert.strictEqual(yield* client.refusal(method), "Invalid request: missing field `params`")
      }
    }).pipe(Effect.provide(bench)))

  it.effect("of all features are served, but for those of the list", () =>
    Effect.gen(function*() {
      const client = yield* connect()
      const missing: Array<ClientMethod> = []
      for (const method of clientMethods) {
        const handling = methodTable[method]
        if (!("by" in handling) || method === "initialize") continue
        const [params] = yield* Arbitrary.sampleEffect(paramsOf(method), { count: 1, seed: 3 })
        const answer = yield* client.call(method, params)
        if (answer._tag === "Error" && answer.error.message === `${method} is not available on this server.`) {
          missing.push(method)
        }
      }
      const allowed = unfinished.flatMap(servedBy)
      assert.deepStrictEqual(missing.filter((method) => !allowed.includes(method)), [])
    }).pipe(Effect.provide(bench)))
})

describe("whatever a client sends", () => {
  it.live(
    "is answered once, in the words of the protocol, and changes nothing outside of the home",
    () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const outside = yield* fs.makeTempDirectoryScoped({ prefix: "outside-" })
        yield* fs.writeFileString(`${outside}/kept`, "kept")
        const { connect, root } = yield* BridgeBench.make({ scenario, commands: false })
        const client = yield* connect()
        const junk = yield* Arbitrary.sampleEffect(Arbitrary.schema(Schema.Json), { count: 40, seed: 5 })
        const elsewhere = [
          `${outside}/kept`,
          `${outside}/new`,
          `${root}/../${outside.split("/").at(-1)}/kept`,
          "/",
          "."
        ]
        const wrong: Array<string> = []
        let asked = 0
        for (const method of clientMethods) {
          if (method === "initialize") continue
          const { thread } = yield* client.ask("thread/start", { cwd: root })
          const samples = yield* Arbitrary.sampleEffect(paramsOf(method), { count: 12, seed: 23 })
          const every = samples.flatMap((params, nth) => [
            params,
            about(thread.id, params),
            damaged(params, junk[(nth * 3) % junk.length], nth),
            about(thread.id, damaged(params, junk[(nth * 7) % junk.length], nth)),
            // Somebody else's files, in every member that may be a path.
            Predicate.isObject(params)
              ? Object.fromEntries(
                Object.entries(params).map(([name, value]) =>
                  /path|cwd|destination|source|root/iu.test(name) && typeof value === "string"
                    ? [name, elsewhere[nth % elsewhere.length]]
                    : [name, value]
                )
              )
              : junk[nth]
          ])
          yield* Effect.forEach(every, (params) =>
            Effect.map(client.call(method, params).pipe(Effect.timeoutOption("20 seconds")), (answer) => {
              asked++
              if (answer._tag === "None") {
                wrong.push(`${method} was not answered: ${JSON.stringify(params)}`)
              } else if (answer.value._tag === "Error") {
                const { code, message } = answer.value.error
                const isInternal = code === ErrorCodes.internalError && !/^failed to (?:spawn|start) /u.test(message)
                if (message === "" || isInternal) {
                  wrong.push(`${method} ${JSON.stringify(params)}: ${code} ${message}`)
                }
              } else {
                // What the type is, is the question here.
                const fits = Methods.encodeClientResult(method, answer.value.result as never)
                if (Result.isFailure(fits)) {
                  wrong.push(`${method} ${JSON.stringify(params)}: ${fits.failure.message}`)
                }
              }
            }), { concurrency: 8, discard: true })
        }
        assert.deepStrictEqual(wrong, [])
        assert.isAbove(asked, 1000)
        assert.deepStrictEqual(
          [...answersTo(client)].filter(([, count]) =>
            count !== 1
          ),
          []
        )
        // The server lives on.
        yield* client.ask("thread/start", {})
        assert.deepStrictEqual(yield* fs.readDirectory(outside), ["kept"])
        assert.strictEqual(yield* fs.readFileString(`${outside}/kept`), "kept")
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    120_000
  )
})
