/**
 * How a server ends: the bridge beside the real one.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as NodeChildProcess from "node:child_process"
import type { Signal } from "../../../src/cli/app-server/Signals.ts"
import { binaryOf, main } from "../../cli/support/runCli.ts"
import * as Gate from "../../support/Gate.ts"
import * as ModelTurn from "../../support/ModelTurn.ts"
import * as WireClient from "../../support/WireClient.ts"
import { bridge, patience, realServer, type Served, unattended, type World, world } from "./kit.ts"
import { connect, prompt } from "./server.ts"

const live = (name: string, test: () => Effect.Effect<void, unknown, NodeServices.NodeServices | Scope.Scope>) =>
  it.live(name, () => test().pipe(Effect.scoped, Effect.provide(NodeServices.layer)), patience)

const sides = ["real", "bridge"] as const
type Side = typeof sides[number]

const served = (side: Side, here: World) => side === "real" ? realServer(here) : bridge(here, "codex-app-server", "ws")

const refusal = {
  code: -32600,
  message: "Server is draining; retry after reconnecting",
  data: { reason: "serverShuttingDown" }
}

/** A turn that stands at a gate, and the client that has started it. */
const running = Effect.fnUntraced(function*(here: World, { url }: Served) {
  const gate = yield* Gate.make
  yield* here.model.push(ModelTurn.text("half ", gate, "whole"))
  const client = yield* connect(url)
  const { thread } = yield* client.ask("thread/start", {})
  const { turn } = yield* client.ask("turn/start", prompt(thread.id))
  yield* client.told("item/agentMessage/delta")
  return { client, gate, threadId: thread.id, turnId: turn.id }
})

/** Waits until the server has taken notice of a signal. */
const drains = Effect.fnUntraced(function*(client: WireClient.WireClient) {
  for (;;) {
    const answer = yield* client.call("thread/start", {})
    if (answer._tag === "Error") return assert.deepStrictEqual(answer.error, refusal)
  }
})

describe("a server on a socket that is asked to end", () => {
  for (const side of sides) {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      live(`${side}: ${signal} lets the turn come to its end, and nothing new begin`, () =>
        Effect.gen(function*() {
          const here = yield* world()
          const server = yield* served(side, here)
          const { client, gate, threadId, turnId } = yield* running(here, server)
          yield* server.signal(signal)
          yield* drains(client)

          // Who is there, or comes, is served.
          const { thread } = yield* client.ask("thread/read", { threadId, includeTurns: true })
          assert.strictEqual(thread.turns[0]?.status, "inProgress")
          yield* client.ask("command/exec", { command: ["true"], cwd: here.home.work })
          const other = yield* connect(server.url)
          yield* other.ask("thread/list", {})
          for (
            const [method, params] of [
              ["thread/resume", { threadId }],
              ["thread/fork", { threadId }],
              ["turn/start", prompt(threadId)],
              ["turn/steer", { ...prompt(threadId), expectedTurnId: turnId }],
              ["thread/compact/start", { threadId }],
              ["thread/shellCommand", { threadId, command: "true" }],
              ["review/start", { threadId, target: { type: "custom", instructions: "look" } }],
              ["thread/queue/start", { threadId }],
              ["thread/archive", { threadId }],
              ["thread/delete", { threadId }]
            ] as const
          ) {
            const answer = yield* other.call(method, params)
            assert.deepStrictEqual(answer, { _tag: "Error", error: refusal }, method)
          }
          // What is malformed is so in the first place.
          assert.include(yield* other.refusal("turn/start", {}), "missing field")

          yield* gate.open
          assert.strictEqual(yield* server.ended, 0)
          yield* client.closed
          yield* other.closed
          // The real server closes before it has said so.
          if (side === "real") return
          assert.deepStrictEqual(
            client.allTold("turn/completed").map(({ turn }) => [turn.id, turn.status]),
            [[turnId, "completed"]]
          )
        }))
    }

    live(`${side}: a second SIGTERM waits no longer`, () =>
      Effect.gen(function*() {
        const here = yield* world()
        const server = yield* served(side, here)
        const { client, threadId, turnId } = yield* running(here, server)
        yield* server.signal("SIGTERM")
        yield* drains(client)
        assert.strictEqual(yield* server.stop, 0)
        yield* client.closed
        const again = yield* served(side, here)
        const { thread } = yield* (yield* connect(again.url)).ask("thread/read", { threadId, includeTurns: true })
        assert.strictEqual(thread.turns[0]?.status, "interrupted")
        // The real server says nothing to its clients.
        if (side === "real") return
        assert.deepStrictEqual(
          client.allTold("turn/completed").map(({ turn }) => [turn.id, turn.status]),
          [[turnId, "interrupted"]]
        )
      }))

    live(`${side}: however often SIGHUP comes, the turn comes to its end`, () =>
      Effect.gen(function*() {
        const here = yield* world()
        const server = yield* served(side, here)
        const { client, gate, threadId } = yield* running(here, server)
        yield* server.signal("SIGHUP")
        yield* drains(client)
        yield* server.signal("SIGHUP")
        yield* client.ask("thread/read", { threadId, includeTurns: false })
        yield* gate.open
        assert.strictEqual(yield* server.ended, 0)
        const again = yield* served(side, here)
        const { thread } = yield* (yield* connect(again.url)).ask("thread/read", { threadId, includeTurns: true })
        assert.strictEqual(thread.turns[0]?.status, "completed")
      }))

    live(`${side}: a message that waits for the turn is kept, and not sent any more`, () =>
      Effect.gen(function*() {
        const here = yield* world()
        const server = yield* served(side, here)
        const { client, gate, threadId } = yield* running(here, server)
        yield* server.signal("SIGTERM")
        yield* drains(client)
        yield* client.ask("thread/queue/add", {
          threadId,
          input: prompt(threadId, "later").input,
          clientUserMessageId: "u1"
        })
        yield* gate.open
        assert.strictEqual(yield* server.ended, 0)
        assert.lengthOf(yield* here.model.requests, 1)
        const again = yield* served(side, here)
        const { data } = yield* (yield* connect(again.url)).ask("thread/queue/list", { threadId })
        assert.deepStrictEqual(data.map(({ clientUserMessageId }) => clientUserMessageId), ["u1"])
      }))

    live(`${side}: without a turn it ends at once`, () =>
      Effect.gen(function*() {
        const server = yield* served(side, yield* world())
        const client = yield* connect(server.url)
        yield* server.signal("SIGINT")
        assert.strictEqual(yield* server.ended, 0)
        yield* client.closed
      }))
  }
})

/** A server on stdio in the middle of a turn is told to end; gives how it did, and what it said. */
const endOnStdio = (side: Side, here: World, how: Signal | "EOF") =>
  Effect.callback<{
    readonly code: number | null
    readonly signal: string | null
    readonly messages: ReadonlyArray<WireClient.Message>
  }>((resume) => {
    const { env, work } = here.home
    const [command, args] = side === "real"
      ? [here.home.codexBin, ["app-server"]]
      : [binaryOf("node"), [main, "app-server", "--backend", "codex-app-server", "--agent-bin", here.home.codexBin]]
    const child = NodeChildProcess.spawn(command, args, { cwd: work, env, stdio: ["pipe", "pipe", "ignore"] })
    const messages: Array<WireClient.Message> = []
    const say = (message: WireClient.Message) => child.stdin.write(`${JSON.stringify(message)}\n`)
    const arrived = (message: WireClient.Message) => {
      messages.push(message)
      if (message.id === "i") say({ id: "t", method: "thread/start", params: {} })
      if (message.method === "thread/started") {
        const { thread } = message.params as { readonly thread: { readonly id: string } }
        say({ id: "s", method: "turn/start", params: prompt(thread.id) })
      }
      if (message.method !== "item/agentMessage/delta") return
      if (how === "EOF") child.stdin.end()
      else child.kill(how)
    }
    let rest = ""
    child.stdout.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) arrived(JSON.parse(line))
    })
    child.stdin.on("error", () => {})
    child.on("close", (code, signal) => resume(Effect.succeed({ code, signal, messages })))
    say({ id: "i", method: "initialize", params: WireClient.initializeParams() })
    return Effect.sync(() => child.kill("SIGKILL"))
  })

describe("a server on stdio that is asked to end", () => {
  const ends: Readonly<Record<Signal | "EOF", readonly [code: number | null, signal: string | null]>> = {
    EOF: [0, null],
    SIGTERM: [0, null],
    SIGINT: [null, "SIGINT"],
    SIGHUP: [null, "SIGHUP"]
  }

  for (const side of sides) {
    for (const how of ["EOF", "SIGTERM", "SIGINT", "SIGHUP"] as const) {
      live(`${side}: ${how} ends it in the middle of a turn`, () =>
        Effect.gen(function*() {
          const here = yield* world(unattended)
          const gate = yield* Gate.make
          yield* here.model.push(ModelTurn.text("half ", gate, "whole"))
          const { code, messages, signal } = yield* endOnStdio(side, here, how)
          assert.deepStrictEqual([code, signal], ends[how])
          // The real server says nothing; nor does the bridge to a client that has left.
          if (side === "real" || how === "EOF") return
          const last = messages.findLast(({ method }) => method === "turn/completed")
          assert.strictEqual((last?.params as { turn: { status: string } } | undefined)?.turn.status, "interrupted")
        }))
    }
  }
})
