/**
 * Agents that omp starts by itself: what they do is asked about as well.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { AgentBackend, type ApprovalRequest } from "../../../src/agent/index.ts"
import { ConformanceDriver } from "../../support/ConformanceDriver.ts"
import { hosted } from "../../support/conformanceKit.ts"
import * as FakeChat from "../../support/FakeChat.ts"
import { layerRpc } from "../../support/ompDriver.ts"

const isSub = (request: FakeChat.ChatRequest) => JSON.stringify(request.json).includes("the sub-agent's errand")

describe("sub-agents of omp", () => {
  it.live("are asked about like the agent itself", () =>
    Effect.gen(function*() {
      const chat = yield* FakeChat.FakeChat
      const backend = yield* AgentBackend
      const { session: settings } = yield* ConformanceDriver
      const asked: Array<ApprovalRequest> = []
      const host = {
        approve: (request: ApprovalRequest) =>
          Effect.sync(() => {
            asked.push(request)
            return "decline" as const
          })
      }
      const session = yield* hosted(backend.openSession(settings), host)
      let mains = 0
      let subs = 0
      yield* chat.fallback((request) => {
        const isMain = FakeChat.textsOf(request, "user").some((text) => text.endsWith("Delegate it"))
        if (isMain) {
          return mains++ === 0
            ? {
              tools: [{
                name: "task",
                args: {
                  context: "nothing",
                  tasks: [{ name: "One", agent: "task", task: "This is the sub-agent's errand." }],
                  i: "delegating"
                }
              }]
            }
            : { text: ["It was refused."] }
        }
        assert.isTrue(isSub(request), JSON.stringify(request.json).slice(0, 500))
        return subs++ === 0
          ? { tools: [{ name: "bash", args: { command: "touch made-by-a-sub-agent", i: "x" } }] }
          : { tools: [{ name: "yield", args: { result: { data: { done: false } }, i: "done" } }] }
      })
      const turn = yield* hosted(session.startTurn({ input: [{ _tag: "Text", text: "Delegate it" }] }), host)
      const events = yield* Stream.runCollect(turn.events)
      assert.deepStrictEqual(
        asked.map((request) => request._tag === "Command" ? request.command : request._tag),
        ["touch made-by-a-sub-agent"],
        JSON.stringify(events.filter((event) => event._tag === "ItemCompleted")).slice(0, 2000)
      )
      const calls = events.flatMap((event) =>
        event._tag === "ItemCompleted" && event.item._tag === "DynamicToolCall" ? [event.item] : []
      )
      assert.deepStrictEqual(calls.map(({ namespace, tool }) => [namespace, tool]), [["oh-my-pi", "task"]])
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(layerRpc, NodeServices.layer))), 60_000)
})
