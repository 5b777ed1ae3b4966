import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as BridgeBench from "../../support/BridgeBench.ts"
import * as OwnAgent from "./support/ownAgent.ts"

const scenario = { fallback: [{ _tag: "Say", deltas: ["ok"] }] } as const

const started = Effect.gen(function*() {
  const { connect, root } = yield* BridgeBench.BridgeBench
  const client = yield* connect()
  const { thread } = yield* client.ask("thread/start", { cwd: root })
  yield* client.told("thread/started")
  return { client, root, threadId: thread.id }
})

// What the login shell of whoever runs the tests does first is not looked at here.
beforeAll(() => {
  vi.stubEnv("SHELL", "/bin/sh")
  vi.stubEnv("HOME", "/nonexistent")
})
afterAll(() => {
  vi.unstubAllEnvs()
})

const isCommand = ({ item }: { readonly item: { readonly type: unknown } }) => item.type === "commandExecution"

const say = (client: BridgeBench.Client, threadId: string, text: string) =>
  Effect.gen(function*() {
    const { turn } = yield* client.ask("turn/start", { threadId, input: OwnAgent.says(text) })
    return yield* client.told("turn/completed", (params) => params.turn.id === turn.id)
  })

describe("a shell command of a person", () => {
  it.live("runs in the directory of the thread, as a turn of its own", () =>
    Effect.gen(function*() {
      const { client, root, threadId } = yield* started
      const from = client.seen.length
      yield* client.ask("thread/shellCommand", { threadId, command: "pwd; echo it\\'s >&2" })
      const { turn } = yield* client.told("turn/completed")
      const { item, turnId } = yield* client.told("item/completed", isCommand)
      assert.strictEqual(turnId, turn.id)
      assert(item.type === "commandExecution")
      assert.deepInclude(item, { source: "userShell", status: "completed", exitCode: 0, cwd: root })
      assert.deepStrictEqual(item.commandActions, [{ type: "unknown", command: "pwd; echo it\\'s >&2" }])
      assert.include(item.aggregatedOutput, `${root}\n`)
      assert.include(item.aggregatedOutput, "it's\n")
      const deltas = client.notifications("item/commandExecution/outputDelta").map(({ params }) =>
        Predicate.isObject(params) && "delta" in params ? params["delta"] : ""
      )
      assert.strictEqual(deltas.join(""), item.aggregatedOutput)
      assert.deepStrictEqual(
        client.seen.slice(from).flatMap(({ method = "answer" }) => method.includes("Delta") ? [] : [method]),
        [
          "answer",
          "thread/status/changed",
          "turn/started",
          "item/started",
          "item/completed",
          "thread/status/changed",
          "turn/completed"
        ]
      )
      assert.deepInclude(turn, { status: "completed", items: [] })
    }).pipe(Effect.provide(BridgeBench.layer({ scenario }))))

  it.live("is known to the agent with its next turn, and only then", () =>
    Effect.gen(function*() {
      const agent = OwnAgent.make(scenario)
      yield* Effect.gen(function*() {
        const { client, threadId } = yield* started
        yield* client.ask("thread/shellCommand", { threadId, command: "echo from-shell; exit 3" })
        const { item } = yield* client.told("item/completed", isCommand)
        assert.deepInclude(item, { status: "failed", exitCode: 3 })
        yield* client.told("turn/completed")
        yield* say(client, threadId, "hi")
        yield* say(client, threadId, "ho")
        assert.match(agent.inputs[0]?.context ?? "", /echo from-shell; exit 3[\s\S]*exit_code="3"[\s\S]*\nfrom-shell\n/)
        assert.isUndefined(agent.inputs[1]?.context)
      }).pipe(Effect.provide(BridgeBench.layer({ backend: agent.layer })))
    }))

  it.live("is an item of the turn that runs", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* started
      const { turn } = yield* client.ask("turn/start", { threadId, input: OwnAgent.says("hi") })
      yield* client.told("turn/started")
      yield* client.ask("thread/shellCommand", { threadId, command: "echo x" })
      const { item, turnId } = yield* client.told("item/completed", isCommand)
      assert.strictEqual(turnId, turn.id)
      assert.deepInclude(item, { aggregatedOutput: "x\n", source: "userShell" })
      yield* client.ask("turn/interrupt", { threadId, turnId: turn.id })
      yield* client.told("turn/completed")
      assert.strictEqual(client.notifications("turn/started").length, 1)
    }).pipe(Effect.provide(BridgeBench.layer({ scenario: { fallback: [{ _tag: "Hang" }] } }))))

  it.live("ends when its turn is interrupted, and with its time", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* started
      yield* client.ask("thread/shellCommand", { threadId, command: "echo early; sleep 60" })
      yield* client.told("item/commandExecution/outputDelta")
      yield* client.ask("turn/interrupt", { threadId, turnId: "" })
      const { turn } = yield* client.told("turn/completed")
      assert.strictEqual(turn.status, "interrupted")
      const { item } = yield* client.told("item/completed", isCommand)
      assert.deepInclude(item, { status: "failed", aggregatedOutput: "early\n" })
      yield* client.ask("thread/shellCommand", { threadId, command: "sleep 60", timeoutMs: 20 })
      yield* client.told("turn/completed", ({ turn }) => turn.status === "completed")
    }).pipe(Effect.provide(BridgeBench.layer({ scenario }))))

  it.live("is refused where clients may run nothing, and when it is none", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* started
      const refusal = (command: string) => client.refusal("thread/shellCommand", { threadId, command })
      assert.match(yield* refusal("echo x"), /thread\/shellCommand is switched off.*workspace\.commands/)
      assert.strictEqual(yield* refusal(" "), "command must not be empty")
      assert.isEmpty(client.notifications("turn/started"))
    }).pipe(
      Effect.provide(
        BridgeBench.layer({ scenario, settings: { workspace: { roots: undefined, writes: true, commands: false } } })
      )
    ))
})

const message = (role: string, text: string) => ({ type: "message", role, content: [{ type: "input_text", text }] })

describe("items that a client gives a thread", () => {
  it.effect("are told to the agent with its next turn, and to nobody else", () =>
    Effect.gen(function*() {
      const agent = OwnAgent.make(scenario)
      yield* Effect.gen(function*() {
        const { client, threadId } = yield* started
        yield* client.ask("thread/inject_items", {
          threadId,
          items: [message("user", "one"), message("developer", "two")]
        })
        yield* say(client, threadId, "hi")
        assert.match(agent.inputs[0]?.context ?? "", /user[^\n]*\none\n\n[^\n]*developer[^\n]*\ntwo$/)
        assert.deepStrictEqual(agent.inputs[0]?.input, [{ _tag: "Text", text: "hi" }])
      }).pipe(Effect.provide(BridgeBench.layer({ backend: agent.layer })))
    }))

  it.effect("are refused as a whole when one of them is no message of text", () =>
    Effect.gen(function*() {
      const agent = OwnAgent.make(scenario)
      yield* Effect.gen(function*() {
        const { client, threadId } = yield* started
        const refusal = (...items: ReadonlyArray<unknown>) =>
          client.refusal("thread/inject_items", { threadId, items: [message("user", "one"), ...items] })
        assert.match(yield* refusal({ type: "function_call", name: "f" }), /no items of type `function_call`/)
        assert.match(
          yield* refusal({ type: "message", role: "user", content: [{ type: "input_image" }] }),
          /no `input_image`/
        )
        assert.match(yield* refusal(message("nobody", "x")), /unknown role `nobody`/)
        assert.match(yield* refusal("x"), /needs a type/)
        yield* say(client, threadId, "hi")
        assert.isUndefined(agent.inputs[0]?.context)
      }).pipe(Effect.provide(BridgeBench.layer({ backend: agent.layer })))
    }))
})
