import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { ServerPeer } from "../../src/peer/index.ts"
import type { Strict } from "../../src/protocol/index.ts"
import * as MemoryTransport from "../../src/transport/MemoryTransport.ts"
import type { ServerTransport } from "../../src/transport/ServerTransport.ts"
import type { Frame } from "./support/wire.ts"

const threadId = "01a229b4-c21b-71a0-a218-265c7eeb0000"

const delta = (text: string): Strict.ServerNotifications["item/agentMessage/delta"]["params"] => ({
  threadId,
  turnId: "u1",
  itemId: "i1",
  delta: text
})

const approval: Strict.ServerRequests["item/fileChange/requestApproval"]["params"] = {
  threadId,
  turnId: "u1",
  itemId: "i1",
  startedAtMs: 0
}

interface Sent {
  readonly batches: Array<ReadonlyArray<string>>
  readonly disconnected: Array<readonly [detail: string, closeCode: number]>
}

/** A server, with the test as its client. */
const server = Effect.fnUntraced(function*(
  handlers: Partial<ServerPeer.ServerHandlers> = {},
  options: ServerPeer.Options & { readonly capacity?: number; readonly stalled?: boolean } = {}
) {
  const [near, far] = yield* MemoryTransport.make({ capacity: options.capacity })
  const runSync = Effect.runSyncWith(yield* Effect.context<never>())
  const sent: Sent = { batches: [], disconnected: [] }
  const transport: ServerTransport = {
    ...near,
    send: (frames) => {
      sent.batches.push(frames)
      return options.stalled === true ? Effect.never : near.send(frames)
    },
    disconnect: (detail, closeCode) => {
      if (sent.disconnected.push([detail, closeCode]) === 1) runSync(near.close)
    }
  }
  const diagnostics: Array<ServerPeer.Diagnostic> = []
  const peer = yield* ServerPeer.make(transport, {
    onRequest: () => Effect.succeed({}),
    onNotification: () => {},
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...handlers
  }, options)
  const arrived: Array<Frame> = []
  return {
    peer,
    sent,
    diagnostics,
    far,
    say: (...messages: ReadonlyArray<Frame>) => {
      const [first = {}, ...more] = messages.map((message) => JSON.stringify(message))
      return typeof first === "string" ? Effect.orDie(far.send([first, ...more])) : Effect.void
    },
    /** The next frames of the server. */
    take: (count: number) =>
      Effect.gen(function*() {
        while (arrived.length < count) {
          for (const text of yield* far.receive) {
            assert.isString(text)
            if (typeof text === "string") arrived.push(JSON.parse(text))
          }
        }
        return arrived.splice(0, count)
      }).pipe(Effect.orDie)
  }
})

const errorOf = (frames: ReadonlyArray<Frame>) => {
  const [frame] = frames
  assert.strictEqual(frame?.error?.code, -32600)
  return frame?.error?.message ?? ""
}

describe("requests of a client", () => {
  it.effect("are decoded, and answered with a result that was checked", () =>
    Effect.gen(function*() {
      const seen: Array<unknown> = []
      const { diagnostics, say, take } = yield* server({
        onRequest: (request, { id }) => {
          seen.push(id, request)
          return request.method === "thread/loaded/list"
            ? Effect.succeed({ data: ["t"], nextCursor: null })
            : Effect.fail({ code: -32600, message: "no" })
        }
      })
      yield* say(
        { id: "a", method: "thread/loaded/list", params: { later: true } },
        { id: -1, method: "thread/read", params: { threadId } }
      )
      assert.deepStrictEqual(yield* take(2), [
        { id: "a", result: { data: ["t"], nextCursor: null } },
        { id: -1, error: { code: -32600, message: "no" } }
      ])
      assert.deepStrictEqual(seen, [
        "a",
        { method: "thread/loaded/list", params: { later: true } },
        -1,
        { method: "thread/read", params: { threadId } }
      ])
      assert.deepStrictEqual(diagnostics, [])
    }))

  it.effect("get an internal error for a result that does not fit, which is noticed", () =>
    Effect.gen(function*() {
      const { diagnostics, say, take } = yield* server({ onRequest: () => Effect.succeed({ data: [5] }) })
      yield* say({ id: 1, method: "thread/loaded/list", params: {} })
      const [answer] = yield* take(1)
      assert.strictEqual(answer?.error?.code, -32603)
      assert.deepStrictEqual(
        diagnostics.map((diagnostic) => diagnostic._tag === "Unsent" ? diagnostic.what : diagnostic._tag),
        ["result"]
      )
    }))

  it.effect("of an unknown method hear what methods there are", () =>
    Effect.gen(function*() {
      const { say, take } = yield* server()
      yield* say({ id: 1, method: "nope/nope", params: {} })
      const message = errorOf(yield* take(1))
      assert.match(message, /^Invalid request: unknown variant `nope\/nope`, expected one of `/)
      assert.include(message, "`initialize`, ")
      assert.include(message, "`turn/start`")
      yield* say({ id: 1, method: "__proto__", params: {} })
      assert.match(errorOf(yield* take(1)), /^Invalid request: unknown variant `__proto__`, /)
    }))

  // As the real server answered.
  const sentences: ReadonlyArray<readonly [method: string, params: unknown, sentence: string]> = [
    ["thread/start", undefined, "missing field `params`"],
    ["thread/start", null, "missing field `params`"],
    ["thread/start", { cwd: 5 }, "invalid type: integer `5`, expected a string"],
    ["thread/start", { cwd: {} }, "invalid type: map, expected a string"],
    ["thread/start", { cwd: true }, "invalid type: boolean `true`, expected a string"],
    ["thread/start", { cwd: 1.5 }, "invalid type: floating point `1.5`, expected a string"],
    ["thread/start", { approvalPolicy: 5 }, "invalid type: integer `5`, expected string or map"],
    ["thread/start", { ephemeral: "x" }, "invalid type: string \"x\", expected a boolean"],
    ["thread/start", { config: 5 }, "invalid type: integer `5`, expected a map"],
    ["turn/start", {}, "missing field `threadId`"],
    ["turn/start", "x", "invalid type: string \"x\", expected struct TurnStartParams"],
    ["turn/start", { threadId: 1, input: [] }, "invalid type: integer `1`, expected a string"],
    ["turn/start", { threadId: null, input: [] }, "invalid type: null, expected a string"],
    ["turn/start", { threadId, input: 5 }, "invalid type: integer `5`, expected a sequence"],
    ["turn/start", { threadId, input: {} }, "invalid type: map, expected a sequence"],
    ["turn/start", { threadId, input: [{}] }, "missing field `type`"],
    ["turn/start", { threadId, input: [{ type: "text" }] }, "missing field `text`"],
    ["thread/goal/set", { threadId, objective: [] }, "invalid type: sequence, expected a string"],
    ["account/logout", 5, "invalid type: integer `5`, expected unit"],
    ["thread/list", { limit: -1 }, "invalid value: integer `-1`, expected u32"],
    ["thread/list", { limit: 1.5 }, "invalid type: floating point `1.5`, expected u32"],
    ["thread/list", { limit: 5e9 }, "invalid value: integer `5000000000`, expected u32"],
    ["thread/list", { limit: 1e300 }, "invalid type: floating point `1e+300`, expected u32"],
    ["thread/resume", { threadId, initialTurnsPage: { limit: -1 } }, "invalid value: integer `-1`, expected u32"],
    ["command/exec", { command: ["true"], timeoutMs: 1.5 }, "invalid type: floating point `1.5`, expected i64"],
    [
      "command/exec",
      { command: ["true"], timeoutMs: 1e19 },
      "invalid value: integer `10000000000000000000`, expected i64"
    ],
    ["command/exec", { command: ["true"], outputBytesCap: -1 }, "invalid value: integer `-1`, expected usize"],
    [
      "command/exec",
      { command: ["cat"], tty: true, size: { cols: 70_000, rows: 1 } },
      "invalid value: integer `70000`, expected u16"
    ],
    [
      "turn/start",
      { threadId, input: [{ type: "text", text: "x", text_elements: [{ byteRange: { start: -1, end: 2 } }] }] },
      "invalid value: integer `-1`, expected usize"
    ],
    [
      "thread/list",
      { sourceKinds: ["cli", "x"] },
      "unknown variant `x`, expected one of `cli`, `vscode`, `exec`, `appServer`, `subAgent`, `subAgentReview`, " +
      "`subAgentCompact`, `subAgentThreadSpawn`, `subAgentOther`, `unknown`"
    ],
    ["thread/memoryMode/set", { threadId, mode: "x" }, "unknown variant `x`, expected `enabled` or `disabled`"],
    ["thread/start", { historyMode: "x" }, "unknown variant `x`, expected `legacy` or `paginated`"],
    ["thread/start", { sessionStartSource: "" }, "unknown variant ``, expected `startup` or `clear`"],
    [
      "thread/start",
      { multiAgentMode: "x" },
      "unknown variant `x`, expected one of `none`, `custom`, `explicitRequestOnly`, `proactive`"
    ],
    [
      "thread/start",
      { approvalPolicy: { x: {} } },
      "unknown variant `x`, expected one of `untrusted`, `on-request`, `granular`, `never`"
    ],
    ["thread/start", { approvalPolicy: "granular" }, "invalid type: unit variant, expected struct variant"],
    ["thread/start", { multiAgentMode: "custom" }, "invalid type: unit variant, expected newtype variant"],
    ["mcpServerStatus/list", { detail: "x" }, "unknown variant `x`, expected `full` or `toolsAndAuthOnly`"],
    ["thread/goal/clear", { threadId, origin: "x" }, "unknown variant `x`, expected `user` or `automatic`"],
    [
      "turn/start",
      { threadId, input: [{ type: "x" }] },
      "unknown variant `x`, expected one of `text`, `image`, `localImage`, `audio`, `localAudio`, `skill`, `mention`"
    ],
    ["turn/start", { threadId, input: ["x"] }, "invalid type: string \"x\", expected internally tagged enum UserInput"],
    ["turn/start", { threadId, input: [], effort: "" }, "reasoning_effort must not be empty"],
    [
      "turn/start",
      { threadId, input: [], sandboxPolicy: { type: "externalSandbox", networkAccess: "x" } },
      "unknown variant `x`, expected `restricted` or `enabled`"
    ],
    [
      "turn/start",
      { threadId, input: [], sandboxPolicy: { type: "workspaceWrite", writableRoots: ["x"] } },
      "AbsolutePathBuf deserialized without a base path"
    ],
    ["thread/start", { runtimeWorkspaceRoots: [""] }, "AbsolutePathBuf deserialized without a base path"],
    [
      "thread/items/list",
      { threadId, cursor: { type: "x" } },
      "data did not match any variant of untagged enum ThreadItemsListCursor"
    ],
    [
      "account/sendAddCreditsNudgeEmail",
      { creditType: "x" },
      "unknown variant `x`, expected `credits` or `usage_limit`"
    ]
  ]
  for (const [method, params, sentence] of sentences) {
    it.effect(`of ${method} with ${JSON.stringify(params)} hear: ${sentence}`, () =>
      Effect.gen(function*() {
        const { say, take } = yield* server({ onRequest: () => Effect.die("not for a handler") })
        yield* say({ id: 1, method, params })
        assert.strictEqual(errorOf(yield* take(1)), `Invalid request: ${sentence}`)
      }))
  }

  it.effect("are answered before what belongs behind the answer, and after what comes before it", () =>
    Effect.gen(function*() {
      const { peer, say, take } = yield* server({
        onRequest: (request, call) =>
          Effect.suspend(() => {
            call.afterAnswer(() => peer.notify("item/agentMessage/delta", delta("behind")))
            call.afterAnswer(() => peer.notify("item/agentMessage/delta", delta("last")))
            peer.notify("item/agentMessage/delta", delta("before"))
            return request.method === "thread/archive" ? Effect.succeed({}) : Effect.fail({ code: 1, message: "no" })
          })
      })
      for (const method of ["thread/archive", "thread/read"]) {
        yield* say({ id: 7, method, params: { threadId } })
        const order = (yield* take(4)).map((frame) => frame.id ?? (frame.params as { delta: string }).delta)
        assert.deepStrictEqual(order, ["before", 7, "behind", "last"])
      }
    }))

  it.effect("that are being served when the client falls silent are answered before the end", () =>
    Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const open = yield* Deferred.make<void>()
      const { far, peer, say, sent } = yield* server({
        onRequest: () => Deferred.succeed(started, undefined).pipe(Effect.andThen(Deferred.await(open)), Effect.as({}))
      })
      yield* say({ id: 1, method: "thread/archive", params: { threadId } })
      yield* Deferred.await(started)
      yield* far.close
      // The end is known by now.
      yield* Effect.yieldNow.pipe(Effect.repeat({ times: 20 }))
      yield* Deferred.succeed(open, undefined)
      yield* peer.closed
      yield* Effect.yieldNow.pipe(Effect.repeat({ until: () => sent.batches.length > 0 }))
      assert.deepStrictEqual(sent.batches, [["{\"id\":1,\"result\":{}}"]])
    }))

  it.effect("beyond the limit are refused as overloaded, and each of 5,000 at once is answered", () =>
    Effect.gen(function*() {
      const open = yield* Deferred.make<void>()
      const { say, take } = yield* server({
        onRequest: () => Effect.as(Deferred.await(open), { data: [], nextCursor: null })
      }, { inboundLimit: 100, capacity: 10_000 })
      const ids = Array.from({ length: 5000 }, (_, id) => id)
      yield* say(...ids.map((id) => ({ id, method: "thread/loaded/list", params: {} })))
      const refused = yield* take(4900)
      assert.isTrue(refused.every(({ error }) => error?.code === -32001))
      yield* Deferred.succeed(open, undefined)
      const served = yield* take(100)
      assert.isTrue(served.every(({ result }) => result !== undefined))
      assert.deepStrictEqual([...refused, ...served].map(({ id }) => Number(id)).toSorted((a, b) => a - b), ids)
    }))
})

describe("notifications of a client", () => {
  it.effect("are decoded; unknown ones do no harm", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const { diagnostics, say, take } = yield* server({ onNotification: ({ method }) => seen.push(method) })
      yield* say(
        { method: "bogus/notification", params: {} },
        { method: "initialized" },
        { id: 1, method: "thread/archive", params: { threadId } }
      )
      yield* take(1)
      assert.deepStrictEqual(seen, ["initialized"])
      assert.deepStrictEqual(diagnostics, [{ _tag: "UnknownNotification", method: "bogus/notification" }])
    }))
})

describe("notifications of the server", () => {
  it.effect("go out in one batch for all that is said in a tick, stamped, in order with answers", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(1_795_996_192_286)
      const { peer, sent, take } = yield* server()
      for (let index = 0; index < 100; index++) peer.notify("item/agentMessage/delta", delta(String(index)))
      const frames = yield* take(100)
      assert.strictEqual(sent.batches.length, 1)
      assert.strictEqual(
        sent.batches[0]?.[0],
        `{"method":"item/agentMessage/delta","params":{"threadId":"${threadId}","turnId":"u1","itemId":"i1",` +
          "\"delta\":\"0\"},\"emittedAtMs\":1795996192286}"
      )
      assert.deepStrictEqual(
        frames.map(({ params }) => params),
        Array.from({ length: 100 }, (_, index) => delta(String(index)))
      )
      // The writer sleeps by now: the first word wakes it, and it waits for the others.
      for (let index = 0; index < 100; index++) peer.notify("item/agentMessage/delta", delta(String(index)))
      yield* take(100)
      assert.strictEqual(sent.batches.length, 2)
    }))

  it.effect("that do not fit are noticed and left out, and nothing is thrown", () =>
    Effect.gen(function*() {
      const { diagnostics, peer, take } = yield* server()
      peer.notify("item/agentMessage/delta", { ...delta("x"), turnId: 5 as never })
      peer.notify("nope" as "error", {} as never)
      const cyclic: { self?: unknown } = {}
      cyclic.self = cyclic
      peer.notify("mcpServer/startupStatus/updated", cyclic as never)
      peer.notify("item/agentMessage/delta", delta("fits"))
      const [only] = yield* take(1)
      assert.deepStrictEqual(only?.params, delta("fits"))
      assert.deepStrictEqual(diagnostics.map(({ _tag }) => _tag), ["Unsent", "Unsent", "Unsent"])
    }))

  it.effect("wait for a slow client up to the limit; beyond it the client is told to go", () =>
    Effect.gen(function*() {
      const { diagnostics, peer, sent } = yield* server({}, { capacity: 10, queue: { frames: 100 } })
      for (let index = 0; index < 100; index++) peer.notify("item/agentMessage/delta", delta("x"))
      yield* Effect.yieldNow.pipe(Effect.repeat({ until: () => sent.batches.length > 0 }))
      assert.deepStrictEqual(sent.disconnected, [])
      for (let index = 0; index < 300; index++) peer.notify("item/agentMessage/delta", delta("x"))
      assert.deepStrictEqual(sent.disconnected, [["the client does not read what is sent to it", 1013]])
      assert.deepStrictEqual(diagnostics.map(({ _tag }) => _tag), ["Overflow"])
      assert.strictEqual((yield* peer.closed).reason._tag, "Closed")
      // Whatever is said afterwards goes nowhere.
      peer.notify("item/agentMessage/delta", delta("x"))
      assert.strictEqual(sent.batches.flat().length, 100)
    }))

  it.effect("count by characters as well, and one message may be longer than the limit", () =>
    Effect.gen(function*() {
      const { peer, sent, take } = yield* server({}, { capacity: 1, queue: { characters: 10_000 } })
      peer.notify("item/agentMessage/delta", delta("x".repeat(1_000_000)))
      yield* take(1)
      assert.deepStrictEqual(sent.disconnected, [])
      for (let index = 0; index < 60; index++) peer.notify("item/agentMessage/delta", delta("x".repeat(200)))
      assert.strictEqual(sent.disconnected.length, 1)
    }))

  it.effect("cannot be piled up by a client that asks and does not read: it is not read either, then told to go", () =>
    Effect.gen(function*() {
      let served = 0
      const { diagnostics, peer, say, sent } = yield* server({
        onRequest: () => {
          served++
          return Effect.succeed({ data: ["x".repeat(1000)], nextCursor: null })
        }
      }, { capacity: 6000, queue: { characters: 1_000_000 }, stalled: true })
      yield* say(...Array.from({ length: 5000 }, (_, id) => ({ id, method: "thread/loaded/list", params: {} })))
      // Half of what may wait, to the slice, beside what the transport has.
      let before = -1
      yield* Effect.yieldNow.pipe(
        Effect.repeat({ times: 10 }),
        Effect.andThen(Effect.sync(() => {
          const still = served === before
          before = served
          return still
        })),
        Effect.repeat({ until: (still) => still })
      )
      assert.isAtLeast(served, 400)
      yield* TestClock.adjust("29 seconds")
      assert.isBelow(served, 700)
      assert.deepStrictEqual(sent.disconnected, [])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(sent.disconnected, [["the client does not read what is sent to it", 1013]])
      assert.strictEqual((yield* peer.closed).reason._tag, "Closed")
      assert.deepStrictEqual(
        diagnostics.map((diagnostic) => diagnostic._tag === "Overflow" && diagnostic.frames < 700),
        [
          true
        ]
      )
    }))

  it.effect("go out between the requests of a burst, however much is asked for at once", () =>
    Effect.gen(function*() {
      const { say, sent, take } = yield* server({
        onRequest: () => Effect.succeed({ data: ["x".repeat(1000)], nextCursor: null })
      }, { capacity: 6000, queue: { characters: 200_000 } })
      yield* say(...Array.from({ length: 5000 }, (_, id) => ({ id, method: "thread/loaded/list", params: {} })))
      yield* take(5000)
      assert.deepStrictEqual(sent.disconnected, [])
    }))

  it.effect("that are queued when the conversation ends are sent first", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { peer, sent } = yield* server().pipe(Scope.provide(scope))
      peer.notify("item/agentMessage/delta", delta("last words"))
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(sent.disconnected, [["the server has ended the conversation", 1001]])
      assert.strictEqual(sent.batches.flat().length, 1)
    }))
})

describe("requests to a client", () => {
  it.effect("have ids from 0, or the id they had before, or those that somebody gives out", () =>
    Effect.gen(function*() {
      const { peer, say, take } = yield* server()
      const ask = (id?: number) =>
        peer.request("item/fileChange/requestApproval", approval, id === undefined ? {} : { id }).pipe(
          Effect.forkScoped({ startImmediately: true })
        )
      const first = yield* ask()
      yield* ask(7)
      yield* ask()
      assert.deepStrictEqual((yield* take(3)).map(({ id }) => id), [0, 7, 8])
      const twice = yield* Effect.flip(peer.request("item/fileChange/requestApproval", approval, { id: 7 }))
      assert.strictEqual(twice.reason._tag, "InvalidParams")
      yield* say({ id: 0, result: { decision: "accept" } })
      assert.deepStrictEqual(yield* Fiber.join(first), { decision: "accept" })

      let next = 41
      const other = yield* server({}, { nextRequestId: () => ++next })
      yield* other.peer.request("item/fileChange/requestApproval", approval).pipe(Effect.forkScoped)
      assert.deepStrictEqual((yield* other.take(1)).map(({ id }) => id), [42])
    }))

  it.effect("wait for days", () =>
    Effect.gen(function*() {
      const { peer, say, take } = yield* server()
      const asked = yield* Effect.forkScoped(peer.request("item/fileChange/requestApproval", approval))
      yield* take(1)
      yield* TestClock.adjust("90 days")
      assert.isUndefined(asked.pollUnsafe())
      yield* say({ id: 0, result: { decision: "cancel" } })
      assert.deepStrictEqual(yield* Fiber.join(asked), { decision: "cancel" })
    }))

  it.effect("fail with what the client says instead, or with its end", () =>
    Effect.gen(function*() {
      const { far, peer, say, take } = yield* server()
      const ask = Effect.forkScoped(Effect.flip(peer.request("item/fileChange/requestApproval", approval)), {
        startImmediately: true
      })
      const [rejected, malformed, abandoned] = [yield* ask, yield* ask, yield* ask]
      yield* take(3)
      yield* say({ id: 0, error: { code: -32601, message: "unsupported" } }, { id: 1, result: { decision: 5 } })
      assert.strictEqual((yield* Fiber.join(rejected)).reason._tag, "Rejected")
      assert.strictEqual((yield* Fiber.join(malformed)).reason._tag, "MalformedReply")
      yield* far.close
      assert.strictEqual((yield* Fiber.join(abandoned)).reason._tag, "Disconnected")
    }))

  it.effect("that do not fit are not sent", () =>
    Effect.gen(function*() {
      const { peer, sent } = yield* server()
      const error = yield* Effect.flip(
        peer.request("item/fileChange/requestApproval", { ...approval, startedAtMs: "now" as never })
      )
      assert.strictEqual(error.reason._tag, "InvalidParams")
      assert.deepStrictEqual(sent.batches, [])
    }))
})
