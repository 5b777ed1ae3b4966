/**
 * A bridge before an agent that is still looked for.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as ScriptedBackend from "../../src/backends/scripted/ScriptedBackend.ts"
import type * as Bridge from "../../src/bridge/Bridge.ts"
import * as BridgeBench from "../support/BridgeBench.ts"

describe("before there is an agent", () => {
  it.live("a client is greeted at once; its requests, and what it is told of the agent, come with the agent", () =>
    Effect.gen(function*() {
      const coming = yield* Deferred.make<Bridge.Agent>()
      const bench = yield* BridgeBench.make({ coming: Deferred.await(coming) })
      // Says initialize, and waits for the answer.
      const client = yield* bench.connect()
      const [models, start] = yield* Effect.all([
        Effect.forkScoped(client.ask("model/list", {})),
        Effect.forkScoped(client.ask("thread/start", { cwd: bench.root }))
      ])
      assert.include(yield* client.refusal("nobody/knows", {}), "unknown variant `nobody/knows`")
      assert.isUndefined(models.pollUnsafe())
      assert.deepStrictEqual(client.notifications("configWarning"), [])

      const backend = yield* ScriptedBackend.make({ id: "late", fallback: [{ _tag: "Say", deltas: ["Hello"] }] })
      yield* Deferred.succeed(coming, { backend, notice: "It took its time." })
      assert.strictEqual((yield* Fiber.join(models)).data[0]?.id, "scripted")
      assert.deepInclude(yield* client.told("configWarning"), { summary: "It took its time." })
      const { modelProvider, thread } = yield* Fiber.join(start)
      assert.strictEqual(modelProvider, "late")
      yield* client.ask("turn/start", { threadId: thread.id, input: [{ type: "text", text: "Hi", text_elements: [] }] })
      const { turn } = yield* client.told("turn/completed")
      assert.strictEqual(turn.status, "completed")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live("nothing is waited for when the bridge closes first", () =>
    Effect.gen(function*() {
      const bench = yield* BridgeBench.make({ coming: Effect.never })
      const client = yield* bench.connect()
      yield* client.say({ id: 7, method: "model/list", params: {} })
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
})
