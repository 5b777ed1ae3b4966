/**
 * Proves the bench itself: the real codex, offline, with a scripted model. The client here is the least that speaks
 * the protocol, so that a fault of the bench cannot hide behind the client under test, nor the other way round.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Predicate from "effect/Predicate"
import type * as ChildProcess from "effect/process/ChildProcess"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as CodexHome from "../support/CodexHome.ts"
import * as FakeResponses from "../support/FakeResponses.ts"
import * as Gate from "../support/Gate.ts"
import * as McpServer from "../support/McpServer.ts"
import * as ModelTurn from "../support/ModelTurn.ts"
import * as RecordedRequest from "../support/RecordedRequest.ts"

// =============================================================================
// A raw client
// =============================================================================

/** What the tests read of a message. Everything else on the wire is ignored here. */
const Message = Schema.Struct({
  id: Schema.optional(Schema.Union([Schema.Finite, Schema.String])),
  method: Schema.optional(Schema.String),
  params: Schema.optional(Schema.Struct({
    threadId: Schema.optional(Schema.String),
    delta: Schema.optional(Schema.String),
    message: Schema.optional(Schema.String),
    _meta: Schema.optional(Schema.NullOr(Schema.Struct({ codex_approval_kind: Schema.optional(Schema.String) }))),
    willRetry: Schema.optional(Schema.Boolean),
    item: Schema.optional(Schema.Struct({
      id: Schema.String,
      type: Schema.String,
      status: Schema.optional(Schema.NullOr(Schema.String)),
      text: Schema.optional(Schema.String),
      summary: Schema.optional(Schema.Array(Schema.String)),
      query: Schema.optional(Schema.String)
    })),
    turn: Schema.optional(Schema.Struct({
      id: Schema.String,
      status: Schema.String,
      error: Schema.NullOr(Schema.Struct({ message: Schema.String }))
    })),
    tokenUsage: Schema.optional(Schema.Struct({ last: Schema.Struct({ totalTokens: Schema.Finite }) }))
  })),
  result: Schema.optional(Schema.Unknown),
  error: Schema.optional(Schema.Unknown)
})
type Message = typeof Message.Type
const decode = Schema.decodeEffect(Schema.fromJsonString(Message))
const ThreadStarted = Schema.decodeUnknownEffect(Schema.Struct({ thread: Schema.Struct({ id: Schema.String }) }))
const TurnStarted = Schema.decodeUnknownEffect(Schema.Struct({ turn: Schema.Struct({ id: Schema.String }) }))

const connect = Effect.fnUntraced(function*(command: ChildProcess.StandardCommand) {
  const codex = yield* command
  const seen = yield* SubscriptionRef.make<ReadonlyArray<Message>>([])
  const out = yield* Queue.bounded<string, Cause.Done>(64)
  yield* Stream.fromQueue(out).pipe(Stream.encodeText, Stream.run(codex.stdin), Effect.forkScoped)
  const stderr = yield* codex.stderr.pipe(Stream.decodeText(), Stream.mkString, Effect.forkScoped)
  const reader = yield* codex.stdout.pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.mapEffect((line) => decode(line)),
    Stream.runForEachArray((messages) => SubscriptionRef.update(seen, (all) => [...all, ...messages])),
    Effect.andThen(Effect.die(new Error("codex closed its stdout"))),
    Effect.forkScoped
  )

  let lastId = 0
  const send = (message: object) => Queue.offer(out, `${JSON.stringify(message)}\n`)
  const waitFor = (predicate: (message: Message) => boolean) =>
    SubscriptionRef.changes(seen).pipe(
      Stream.map((all) => all.find(predicate)),
      Stream.filter(Predicate.isNotUndefined),
      Stream.runHead,
      Effect.flatMap(Effect.fromOption),
      // A message that cannot be decoded, or the end of codex, is the end of waiting.
      Effect.raceFirst(Fiber.join(reader))
    )
  const request = Effect.fnUntraced(function*(method: string, params: object) {
    const id = ++lastId
    yield* send({ id, method, params })
    const answer = yield* waitFor((message) => message.id === id && message.method === undefined)
    assert.isUndefined(answer.error, `${method}: ${JSON.stringify(answer.error)}`)
    return answer.result
  })

  yield* request("initialize", {
    clientInfo: { name: "bench", title: "Bench", version: "0.0.1" },
    capabilities: { experimentalApi: true, requestAttestation: false }
  })
  yield* send({ method: "initialized" })

  const startThread = Effect.fnUntraced(function*(params: object = {}) {
    const { thread } = yield* ThreadStarted(yield* request("thread/start", params))
    return thread.id
  })
  const startTurn = Effect.fnUntraced(function*(threadId: string, text: string) {
    const input = [{ type: "text", text, text_elements: [] }]
    const { turn } = yield* TurnStarted(yield* request("turn/start", { threadId, input }))
    return turn.id
  })
  const notification = (method: string, threadId: string) =>
    waitFor((message) => message.method === method && message.params?.threadId === threadId)
  const turnCompleted = (turnId: string) =>
    waitFor((message) => message.method === "turn/completed" && message.params?.turn?.id === turnId).pipe(
      Effect.map((message) => message.params?.turn)
    )
  /** Runs one turn to its end. */
  const turn = Effect.fnUntraced(function*(threadId: string, text: string) {
    return yield* turnCompleted(yield* startTurn(threadId, text))
  })
  const messages = SubscriptionRef.get(seen)
  const deltas = (threadId: string) =>
    Effect.map(
      messages,
      (all) =>
        all.flatMap(({ method, params }) =>
          method === "item/agentMessage/delta" && params?.threadId === threadId && params.delta !== undefined
            ? [params.delta]
            : []
        )
    )
  const completed = (type: string) =>
    Effect.map(
      messages,
      (all) =>
        all.find((message) => message.method === "item/completed" && message.params?.item?.type === type)?.params?.item
    )
  /** Ends codex as its clients do, by the end of its input; gives all that it wrote to stderr. */
  const close = Queue.end(out).pipe(Effect.andThen(codex.exitCode), Effect.andThen(Fiber.join(stderr)))

  return {
    send,
    request,
    waitFor,
    notification,
    startThread,
    startTurn,
    turn,
    turnCompleted,
    deltas,
    completed,
    messages,
    close
  }
})

const bench = Effect.fnUntraced(function*(options?: Omit<CodexHome.Options, "baseUrl">) {
  const model = yield* FakeResponses.make()
  const home = yield* CodexHome.make({ ...options, baseUrl: model.baseUrl })
  const client = yield* connect(home.command("app-server"))
  return { model, home, client }
})

/** Everything allowed: for turns in which an approval would only be in the way. */
const unattended = { approval_policy: "never", sandbox_mode: "danger-full-access" }

/** Calls a tool of the tiny MCP server that takes no arguments. */
const callTiny = (name: string) =>
  ModelTurn.turn([ModelTurn.functionCall(name, {}, { namespace: McpServer.namespace(), callId: `${name}-1` })])

// The real clock: processes and sockets do not follow a test clock.
const live = (name: string, test: Effect.Effect<void, unknown, NodeServices.NodeServices | Scope.Scope>) =>
  it.live(name, () => test.pipe(Effect.provide(NodeServices.layer)))

// =============================================================================
// Tests
// =============================================================================

describe("the bench around the real codex", () => {
  live(
    "carries a turn from its start to its end",
    Effect.gen(function*() {
      const { client, home, model } = yield* bench()
      const half = yield* Gate.make
      yield* model.push(ModelTurn.turn([ModelTurn.message(["Hel", half, "lo"])], {
        usage: { input: 1000, output: 234 }
      }))

      const thread = yield* client.startThread({ cwd: home.work })
      const turn = yield* client.startTurn(thread, "Say hello")
      yield* half.reached
      yield* client.notification("item/agentMessage/delta", thread)
      assert.deepStrictEqual(yield* client.deltas(thread), ["Hel"])
      yield* half.open
      const end = yield* client.turnCompleted(turn)

      assert.strictEqual(end?.status, "completed")
      assert.deepStrictEqual(yield* client.deltas(thread), ["Hel", "lo"])
      assert.strictEqual((yield* client.completed("agentMessage"))?.text, "Hello")
      const usage = yield* client.notification("thread/tokenUsage/updated", thread)
      assert.strictEqual(usage.params?.tokenUsage?.last.totalTokens, 1234)

      const request = yield* model.request(1)
      assert.strictEqual(request.method, "POST")
      assert.strictEqual(request.url, "/v1/responses")
      assert.strictEqual(RecordedRequest.threadId(request), thread)
      assert.strictEqual(RecordedRequest.userTexts(request).at(-1), "Say hello")
      assert.include(RecordedRequest.toolNames(request), "apply_patch")
      assert.strictEqual(Option.getOrThrow(request.body).model, "gpt-5.5")
      assert.strictEqual(yield* request.ended, "finished")
      assert.strictEqual((yield* model.requests).length, 1)
      assert.strictEqual(yield* model.left, 0)

      // A configuration that codex refuses is replaced by its defaults, which have a network in them.
      const stderr = yield* client.close
      assert.notInclude(stderr, "Invalid configuration")
      assert.notInclude(stderr, "could not create PATH aliases")
    })
  )

  live(
    "plays reasoning, a web search and tool calls, and shows what came back",
    Effect.gen(function*() {
      const { client, home, model } = yield* bench({
        settings: { ...unattended, ...McpServer.settings(), "tools.update_plan.enabled": true }
      })
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      yield* model.push(
        ModelTurn.turn([
          ModelTurn.reasoning({ summary: [["Thi", "nk"], ["More"]], raw: ["ra", "w"] }),
          ModelTurn.webSearch("codex bench"),
          ModelTurn.functionCall("update_plan", { plan: [{ step: "one", status: "pending" }] }, { callId: "plan-1" })
        ]),
        ModelTurn.turn([
          ModelTurn.applyPatch("*** Begin Patch\n*** Add File: note.txt\n+from a patch\n*** End Patch", {
            callId: "patch-1"
          }),
          ModelTurn.functionCall("exec_command", { cmd: "echo from a shell" }, { callId: "shell-1" })
        ]),
        ModelTurn.turn([
          ModelTurn.functionCall("echo", { text: "from mcp" }, { namespace: McpServer.namespace(), callId: "echo-1" }),
          ModelTurn.functionCall("fail", {}, { namespace: McpServer.namespace(), callId: "fail-1" })
        ]),
        ModelTurn.text("done")
      )

      const thread = yield* client.startThread({ cwd: home.work })
      const end = yield* client.turn(thread, "Use everything")
      assert.strictEqual(end?.status, "completed")

      assert.deepStrictEqual((yield* client.completed("reasoning"))?.summary, ["Think", "More"])
      assert.strictEqual((yield* client.completed("webSearch"))?.query, "codex bench")
      yield* client.notification("turn/plan/updated", thread)
      assert.strictEqual((yield* client.completed("fileChange"))?.id, "patch-1")
      assert.strictEqual(yield* fs.readFileString(path.join(home.work, "note.txt")), "from a patch\n")
      assert.strictEqual((yield* client.completed("commandExecution"))?.status, "completed")

      const last = yield* model.request(4)
      assert.include(RecordedRequest.toolOutput(last, "plan-1"), "Plan updated")
      assert.include(RecordedRequest.toolOutput(last, "shell-1"), "from a shell")
      assert.include(RecordedRequest.toolOutput(last, "echo-1"), "ok")
      assert.include(RecordedRequest.toolOutput(last, "fail-1"), "it failed")
      assert.isUndefined(RecordedRequest.toolOutput(last, "nobody"))
    })
  )

  live(
    "has an MCP server that asks for approval and asks the user",
    Effect.gen(function*() {
      const { client, model } = yield* bench({ settings: McpServer.settings() })
      yield* model.push(callTiny("write"), callTiny("elicit"), ModelTurn.text("done"))
      const thread = yield* client.startThread()
      const turn = yield* client.startTurn(thread, "Ask me")

      const asked = (kind: "approval" | "question") =>
        client.waitFor(({ method, params }) =>
          method === "mcpServer/elicitation/request" && (params?._meta?.codex_approval_kind === undefined) ===
            (kind === "question")
        )
      yield* client.send({ id: (yield* asked("approval")).id, result: { action: "accept", content: {}, _meta: null } })
      const question = yield* asked("question")
      assert.strictEqual(question.params?.message, "Your name?")
      yield* client.send({ id: question.id, result: { action: "accept", content: { name: "Ada" }, _meta: null } })

      assert.strictEqual((yield* client.turnCompleted(turn))?.status, "completed")
      const last = yield* model.request(3)
      assert.include(RecordedRequest.toolOutput(last, "write-1"), "wrote")
      assert.include(RecordedRequest.toolOutput(last, "elicit-1"), "Ada")
    })
  )

  live(
    "notices that an interrupted turn hangs up on the model",
    Effect.gen(function*() {
      const { client, model } = yield* bench()
      yield* model.push(ModelTurn.turn([ModelTurn.message(["half"]), ModelTurn.silence]))
      const thread = yield* client.startThread()
      const turn = yield* client.startTurn(thread, "Never end")
      yield* client.notification("item/agentMessage/delta", thread)
      yield* client.request("turn/interrupt", { threadId: thread, turnId: turn })
      assert.strictEqual((yield* client.turnCompleted(turn))?.status, "interrupted")
      assert.strictEqual(yield* Effect.flatMap(model.request(1), (request) => request.ended), "clientClosed")
    })
  )

  live(
    "notices the hang-up at a gate that never opens",
    Effect.gen(function*() {
      const { client, model } = yield* bench()
      const gate = yield* Gate.make
      yield* model.push(ModelTurn.text("a", gate, "b"))
      const thread = yield* client.startThread()
      const turn = yield* client.startTurn(thread, "Stop at the gate")
      yield* gate.reached
      yield* client.notification("turn/started", thread)
      yield* client.request("turn/interrupt", { threadId: thread, turnId: turn })
      assert.strictEqual(yield* Effect.flatMap(model.request(1), (request) => request.ended), "clientClosed")
      assert.strictEqual((yield* client.turnCompleted(turn))?.status, "interrupted")
    })
  )

  live(
    "fails in the ways a model can fail",
    Effect.gen(function*() {
      const { client, model } = yield* bench()
      const thread = yield* client.startThread()
      const failing = Effect.fnUntraced(function*(...turns: ReadonlyArray<ModelTurn.ModelTurn>) {
        yield* model.push(...turns)
        const end = yield* client.turn(thread, "Try")
        assert.strictEqual(yield* model.left, 0)
        return `${end?.status}: ${end?.error?.message}`
      })

      const refused = ModelTurn.httpError(400, { body: { error: { message: "no such thing" } } })
      assert.include(yield* failing(refused), "no such thing")
      assert.match(
        yield* failing(ModelTurn.turn([ModelTurn.failed("invalid_prompt", "not this")])),
        /failed: .*not this/
      )
      assert.match(
        yield* failing(ModelTurn.turn([ModelTurn.incomplete("max_output_tokens")])),
        /failed: .*max_output_tokens/
      )
      // A busy server is asked again; `request_max_retries` is 1.
      assert.match(yield* failing(ModelTurn.httpError(500), ModelTurn.text("again")), /completed/)

      // A stream that breaks off is started again, and the client is told so.
      const before = (yield* model.requests).length
      assert.match(
        yield* failing(
          ModelTurn.turn([ModelTurn.message(["lost"]), ModelTurn.cut]),
          ModelTurn.turn([ModelTurn.end]),
          ModelTurn.text("there")
        ),
        /completed/
      )
      const ends = yield* Effect.forEach(
        (yield* model.requests).slice(before),
        (request) => request.ended
      )
      assert.deepStrictEqual(ends, ["cut", "finished", "finished"])
      const retries = (yield* client.messages).filter((message) => message.params?.willRetry === true)
      assert.strictEqual(retries.length, 2)
    })
  )

  live(
    "says so when nothing was scripted, and when a script throws",
    Effect.gen(function*() {
      const { client, model } = yield* bench()
      const thread = yield* client.startThread()
      assert.include((yield* client.turn(thread, "Anything?"))?.error?.message, "no turn scripted for request 1")
      yield* model.push(() => {
        throw new Error("a bug in the test")
      })
      assert.include((yield* client.turn(thread, "Anything?"))?.error?.message, "a bug in the test")
    })
  )

  live(
    "tells threads apart that run at the same time",
    Effect.gen(function*() {
      const both = yield* Gate.make
      const model = yield* FakeResponses.make({
        fallback: (request) =>
          // A script that is an effect holds the answer back before its first header.
          Effect.as(both.pass, ModelTurn.text("for ", RecordedRequest.userTexts(request).at(-1) ?? "nobody"))
      })
      const home = yield* CodexHome.make({ baseUrl: model.baseUrl })
      const client = yield* connect(home.command("app-server"))
      const [one, two] = [yield* client.startThread(), yield* client.startThread()]
      const turns = [yield* client.startTurn(one, "one"), yield* client.startTurn(two, "two")]
      const [first, second] = yield* Effect.all([
        model.requestWhere((request) => RecordedRequest.threadId(request) === one),
        model.requestWhere((request) => RecordedRequest.threadId(request) === two)
      ])
      assert.strictEqual(RecordedRequest.userTexts(first).at(-1), "one")
      assert.strictEqual(RecordedRequest.userTexts(second).at(-1), "two")
      yield* both.open
      yield* Effect.forEach(turns, client.turnCompleted)
      assert.strictEqual((yield* client.deltas(one)).join(""), "for one")
      assert.strictEqual((yield* client.deltas(two)).join(""), "for two")
    })
  )

  live(
    "carries thousands of deltas, none lost",
    Effect.gen(function*() {
      const { client, model } = yield* bench()
      yield* model.push(ModelTurn.turn([ModelTurn.manyDeltas(5000, "ab")]))
      const thread = yield* client.startThread()
      const end = yield* client.turn(thread, "Talk a lot")
      assert.strictEqual(end?.status, "completed")
      assert.strictEqual((yield* client.deltas(thread)).length, 5000)
      assert.strictEqual((yield* client.completed("agentMessage"))?.text, "ab".repeat(5000))
    })
  )

  live(
    "leaves nothing behind",
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const scope = yield* Scope.make()
      const { home, model } = yield* bench().pipe(Scope.provide(scope))
      assert.isTrue(yield* fs.exists(home.config))
      yield* Scope.close(scope, Exit.void)
      assert.isFalse(yield* fs.exists(path.dirname(home.home)))
      // The port is free again: a second fake can take the place of the first.
      const successor = yield* FakeResponses.make({ port: model.port })
      assert.strictEqual(successor.baseUrl, model.baseUrl)
      // And while it is taken, that is an error and no hang.
      const exit = yield* Effect.exit(FakeResponses.make({ port: model.port }))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasFails(exit.cause))
    })
  )
})
