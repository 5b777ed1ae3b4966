/**
 * Tools of the host's and of MCP servers: what they are given, what they return, and what happens when they do not.
 */
import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { AgentEvent, ElicitationRequest, ToolCall, TurnHostService } from "../../src/agent/index.ts"
import { completed, lastText } from "../support/conformanceKit.ts"
import * as McpServer from "../support/McpServer.ts"
import * as ModelTurn from "../support/ModelTurn.ts"
import * as RecordedRequest from "../support/RecordedRequest.ts"
import {
  assertUsable,
  eventsOf,
  interrupted,
  lastRequest,
  layer as codex,
  open,
  pixel,
  realTime,
  requests,
  resolutions,
  run,
  start,
  toldOf
} from "./kit.ts"

const lookUp = {
  name: "look_up",
  description: "Looks a word up",
  inputSchema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] }
}

const call = (callId: string, name = "look_up") =>
  ModelTurn.turn([ModelTurn.functionCall(name, { word: "waist" }, { callId })])

const returning = (callTool: TurnHostService["callTool"]): Partial<TurnHostService> => ({ tools: [lookUp], callTool })

const mcp = (tool: string, args: Parameters<typeof ModelTurn.functionCall>[1] = {}) =>
  ModelTurn.turn([ModelTurn.functionCall(tool, args, { namespace: McpServer.namespace(), callId: `${tool}-1` })])

const withMcp = { config: McpServer.settings() }

layer(codex({ codex: { deadlines: { tool: "300 millis" } } }), realTime)("tools", (it) => {
  it.effect("a host's tool is offered, called with its arguments, and its result reaches the model", () =>
    Effect.gen(function*() {
      const calls: Array<ToolCall> = []
      const host = returning((call) =>
        Effect.sync(() => {
          calls.push(call)
          return { success: true, content: [{ _tag: "Text", text: "the narrow part" }] }
        })
      )
      const session = yield* open({}, host)
      const { events, turn } = yield* run(session, "Look", [call("tool-1"), ModelTurn.text("Looked")], host)
      const { sessionId } = yield* session.ref
      assert.deepStrictEqual(calls, [{
        callId: "tool-1",
        sessionId,
        turnId: turn.id,
        tool: "look_up",
        arguments: { word: "waist" }
      }])
      const [item] = completed(events, "DynamicToolCall")
      assert.deepInclude(item?.item, {
        id: "tool-1",
        tool: "look_up",
        status: "completed",
        arguments: { word: "waist" },
        content: [{ _tag: "Text", text: "the narrow part" }]
      })
      assert.deepStrictEqual(
        eventsOf(events, "RequestOpened").map(({ itemId, kind, title }) => [kind, itemId, title]),
        [["tool", "tool-1", "look_up"]]
      )
      assert.deepStrictEqual(resolutions(events), ["completed"])
      const [first] = yield* requests(session)
      assert.include(first === undefined ? [] : RecordedRequest.toolNames(first), "look_up")
      assert.include(yield* toldOf(session, "tool-1"), "the narrow part")
    }))

  it.effect("a result may hold an image", () =>
    Effect.gen(function*() {
      const url = `data:image/png;base64,${pixel}`
      const host = returning(() => Effect.succeed({ success: true, content: [{ _tag: "Image", url }] }))
      const session = yield* open({}, host)
      const { events } = yield* run(session, "Look", [call("tool-2"), ModelTurn.text("Seen")], host)
      assert.deepStrictEqual(completed(events, "DynamicToolCall")[0]?.item.content, [{ _tag: "Image", url }])
      assert.include(JSON.stringify((yield* lastRequest(session)).json), url)
    }))

  const failing: Readonly<Record<string, readonly [TurnHostService["callTool"], told: string]>> = {
    "reports a failure": [
      () => Effect.succeed({ success: false, content: [{ _tag: "Text", text: "no such word" }] }),
      "no such word"
    ],
    "dies": [() => Effect.die(new Error("a bug of the host's")), "look_up failed in the host."],
    "does not return in time": [() => Effect.never, "look_up did not return in time."]
  }
  for (const [how, [callTool, told]] of Object.entries(failing)) {
    it.effect(`a tool that ${how} is a failed item, the model is told, and the turn goes on`, () =>
      Effect.gen(function*() {
        const host = returning(callTool)
        const session = yield* open({}, host)
        const { events, outcome } = yield* run(session, "Look", [call("tool-3"), ModelTurn.text("On")], host)
        assert.strictEqual(completed(events, "DynamicToolCall")[0]?.item.status, "failed")
        assert.deepStrictEqual(resolutions(events), ["failed"])
        assert.deepStrictEqual(outcome, { _tag: "Completed" })
        assert.include(yield* toldOf(session, "tool-3"), told)
        assert.notInclude(JSON.stringify((yield* lastRequest(session)).json), "a bug of the host's")
      }))
  }

  it.effect("a tool that nobody registered is refused by codex itself, and the turn goes on", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const { events, outcome } = yield* run(session, "Look", [call("tool-4", "not_there"), ModelTurn.text("On")])
      assert.deepStrictEqual(completed(events, "DynamicToolCall"), [])
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      assert.include(yield* toldOf(session, "tool-4"), "unsupported call")
    }))

  it.effect("a tool that codex would refuse is left out with a warning, the others work", () =>
    Effect.gen(function*() {
      const host: Partial<TurnHostService> = {
        ...returning(() => Effect.succeed({ success: true, content: [] })),
        tools: [lookUp, { ...lookUp, name: "no spaces" }, lookUp]
      }
      const session = yield* open({}, host)
      const { events, outcome } = yield* run(session, "Look", [call("tool-5"), ModelTurn.text("On")], host)
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      const warnings = eventsOf(events, "Warning").filter((event) => event.code === "toolRefused")
      assert.strictEqual(warnings.length, 2)
      assert.include(warnings[0]?.message, `"no spaces"`)
    }))

  it.effect("interrupting the turn interrupts a tool that still runs", () =>
    Effect.gen(function*() {
      const [began, gone] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const host = returning(() =>
        Deferred.succeed(began, undefined).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(gone, undefined))
        )
      )
      const session = yield* open({}, host)
      const { end, turn } = yield* start(session, "Look", [call("tool-6")], host)
      yield* Deferred.await(began)
      assert.deepStrictEqual((yield* turn.interrupt).outcome, interrupted)
      yield* Deferred.await(gone)
      const { events } = yield* end
      assert.deepStrictEqual(resolutions(events), ["withdrawn"])
      assert.include(["failed", "interrupted"], completed(events, "DynamicToolCall")[0]?.item.status)
      yield* assertUsable(session)
    }))

  it.effect("an MCP tool's result, and its failure, are items and reach the model", () =>
    Effect.gen(function*() {
      const session = yield* open(withMcp)
      const { events, outcome } = yield* run(session, "Use MCP", [
        mcp("echo", { text: "hello" }),
        mcp("fail"),
        ModelTurn.text("Used")
      ])
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      const [echo, fail] = completed(events, "McpToolCall").map((event) => event.item)
      assert.deepInclude(echo, {
        id: "echo-1",
        server: "tiny",
        tool: "echo",
        status: "completed",
        arguments: { text: "hello" }
      })
      assert.include(JSON.stringify(echo?.result), "echo: hello")
      assert.deepInclude(fail, { server: "tiny", tool: "fail", status: "failed" })
      assert.include(JSON.stringify(fail?.result), "it failed")
      assert.deepStrictEqual(eventsOf(events, "Unrecognized"), [])
      assert.include(yield* toldOf(session, "fail-1"), "it failed")
    }))

  for (const [decision, status] of [["accept", "completed"], ["decline", "failed"]] as const) {
    it.effect(`a destructive MCP tool is asked about, and ${decision} is what happens`, () =>
      Effect.gen(function*() {
        const session = yield* open({ ...withMcp, approvalPolicy: "on-request", sandbox: "workspace-write" })
        const asked: Array<unknown> = []
        const { events, outcome } = yield* run(session, "Write", [mcp("write"), ModelTurn.text("So be it")], {
          approve: (request) =>
            Effect.sync(() => (asked.push([request._tag, "server" in request && request.server]), decision))
        })
        assert.deepStrictEqual(asked, [["McpTool", "tiny"]])
        assert.deepStrictEqual(resolutions(events), [decision])
        assert.strictEqual(completed(events, "McpToolCall")[0]?.item.status, status)
        assert.deepStrictEqual(outcome, { _tag: "Completed" })
        const told = (yield* toldOf(session, "write-1")) ?? ""
        assert.strictEqual(told.includes("wrote"), decision === "accept", told)
      }))
  }

  it.effect("an MCP server's question is put to the host, and its answer goes back to the server", () =>
    Effect.gen(function*() {
      const session = yield* open({ ...withMcp, approvalPolicy: "on-request" })
      const asked: Array<ElicitationRequest> = []
      const { events } = yield* run(session, "Ask", [mcp("elicit"), ModelTurn.text("Hello Ada")], {
        elicit: (request) => Effect.sync(() => (asked.push(request), { _tag: "Accept", content: { name: "Ada" } }))
      })
      assert.deepInclude(asked[0], { server: "tiny", message: "Your name?" })
      assert.deepInclude(asked[0]?.schema, { type: "object", required: ["name"] })
      assert.deepStrictEqual(resolutions(events), ["answered"])
      assert.deepStrictEqual(eventsOf(events, "RequestOpened").map((event) => event.kind), ["elicitation"])
      assert.include(yield* toldOf(session, "elicit-1"), "Ada")
      assert.strictEqual(lastText(events), "Hello Ada")
      // Nobody there: the server is told so.
      const again = yield* run(session, "Ask", [mcp("elicit"), ModelTurn.text("Whoever")])
      assert.deepStrictEqual(resolutions(again.events), ["decline"])
    }))

  it.effect("an MCP server that does not start is a warning, and the turn goes on without it", () =>
    Effect.gen(function*() {
      const session = yield* open({ config: { "mcp_servers.broken.command": "/does/not/exist" } })
      const told = yield* Deferred.make<string>()
      const note = (event: AgentEvent) => {
        if (event._tag === "Warning" && event.code === "mcpServerFailed") {
          Deferred.doneUnsafe(told, Effect.succeed(event.message))
        }
      }
      // It fails some time after the thread was started, which may be before or during the turn.
      yield* Effect.forkScoped(Stream.runForEach(session.events, (event) => Effect.sync(() => note(event))))
      const { events, outcome } = yield* run(session, "Go on", [ModelTurn.text("Without it")])
      assert.deepStrictEqual(outcome, { _tag: "Completed" })
      for (const event of events) note(event)
      assert.match(yield* Deferred.await(told), /^MCP server broken: .+/)
    }))
})
