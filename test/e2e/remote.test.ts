/**
 * The backend on a codex app-server that somebody else started, over its sockets.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { AgentBackend } from "../../src/agent/index.ts"
import * as CodexNode from "../../src/backends/codex/CodexNode.ts"
import * as ChildTransport from "../../src/transport/ChildTransport.ts"
import * as CodexHome from "../support/CodexHome.ts"
import * as FakeResponses from "../support/FakeResponses.ts"
import * as ModelTurn from "../support/ModelTurn.ts"
import { wellFormed } from "../support/wellFormed.ts"

const soon = Schedule.max([Schedule.spaced("20 millis"), Schedule.recurs(500)])

/** A server with a model that says `answer`, listening on `address`. */
const serve = Effect.fnUntraced(function*(address: (home: CodexHome.CodexHome) => string, answer: ModelTurn.ModelTurn) {
  const model = yield* FakeResponses.make({ fallback: answer })
  const home = yield* CodexHome.make({ baseUrl: model.baseUrl })
  const server = yield* ChildTransport.make({
    command: home.codexBin,
    args: ["app-server", "--listen", address(home)],
    env: home.env,
    // This one outlives its stdin.
    shutdown: { stdinGrace: 0 }
  })
  return { home, server, model }
})

const connect = Effect.fnUntraced(function*(url: string) {
  return Context.get(yield* Layer.build(CodexNode.layer({ remote: { url } })), AgentBackend)
})

const runTurn = Effect.fnUntraced(function*(backend: AgentBackend["Service"], cwd: string) {
  const session = yield* backend.openSession({ cwd, approvalPolicy: "never", sandbox: "danger-full-access" })
  const turn = yield* session.startTurn({ input: [{ _tag: "Text", text: "hello" }] })
  const events = yield* Stream.runCollect(turn.events)
  assert.deepStrictEqual(wellFormed(events, { turnId: turn.id }), [])
  return events
})

describe("a codex app-server that runs already", () => {
  it.live("runs turns over a unix socket", () =>
    Effect.gen(function*() {
      const { home, model } = yield* serve((home) => `unix://${home.home}/s`, ModelTurn.text("over ", "unix"))
      const backend = yield* connect(`unix://${home.home}/s`)
      // The socket is there once the server listens.
      yield* backend.probe.pipe(Effect.retry(soon))
      const events = yield* runTurn(backend, home.work)
      assert.deepInclude(events.at(-1), { _tag: "TurnEnded", outcome: { _tag: "Completed" } })
      assert.strictEqual((yield* model.requests).length, 1)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("runs turns over TCP, several backends on one server", () =>
    Effect.gen(function*() {
      const { home, server } = yield* serve(() => "ws://127.0.0.1:0", ModelTurn.text("over ", "TCP"))
      const url = yield* server.stderrTail.pipe(
        Effect.flatMap((tail) => Effect.fromNullishOr(/listening on: (ws:\/\/\S+)/.exec(tail)?.[1])),
        Effect.retry(soon)
      )
      const [one, other] = [yield* connect(url), yield* connect(url)]
      const both = yield* Effect.all([runTurn(one, home.work), runTurn(other, home.work)], { concurrency: 2 })
      for (const events of both) {
        const said = events.flatMap((event) =>
          event._tag === "ItemCompleted" && event.item._tag === "AgentMessage" ? [event.item.text] : []
        )
        assert.deepStrictEqual(said, ["over TCP"])
      }
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("that is not there is a failed handshake, which names it", () =>
    Effect.gen(function*() {
      const backend = yield* connect("unix:///nonexistent/app.sock")
      const error = yield* Effect.flip(backend.openSession({}))
      assert.strictEqual(error.reason._tag, "HandshakeFailed")
      assert.include(error.message, "/nonexistent/app.sock")
      assert.isFalse(error.mayHaveReached)
    }).pipe(Effect.scoped))
})
