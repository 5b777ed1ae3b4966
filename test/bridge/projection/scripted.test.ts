/**
 * Turns of the scripted agent as clients see them: no other backend says as much in one turn.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Scenario, ScriptedBackend } from "../../../src/backends/scripted/index.ts"
import { fromClient } from "../../../src/bridge/projection/index.ts"
import { wellFormed } from "../../support/wellFormed.ts"
import { broken, outline, run } from "./support/wire.ts"

const play = Effect.fnUntraced(function*(steps: ReadonlyArray<Scenario.Step>) {
  const backend = yield* ScriptedBackend.make({ fallback: steps })
  const session = yield* backend.openSession({})
  const turn = yield* session.startTurn({ input: [{ _tag: "Text", text: "Hello?" }], clientId: "client" })
  const events = yield* Stream.runCollect(turn.events)
  assert.deepStrictEqual(wellFormed(events), [])
  const part = fromClient({ type: "text", text: "Hello?" })
  assert(part !== undefined)
  return run(events, { backend: backend.id, input: { itemId: "input", clientId: "client", content: [part] } })
})

/** Steps that wait for nothing: neither for time nor for a person. */
const Steps = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Scenario.Step), { maxLength: 12 }),
  (steps) =>
    steps.flatMap((step): ReadonlyArray<Scenario.Step> => {
      if (step._tag === "Pause" || step._tag === "AwaitSteer" || step._tag === "Hang") return []
      if (!("millis" in step)) return [step]
      const { millis: _, ...rest } = step
      return [rest]
    })
)

describe("turns of the scripted agent", () => {
  it.effect.prop("are proper turns to clients", [Steps], ([steps]) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(broken(yield* play(steps)), [])
    }))

  it.effect("show each kind of thing", () =>
    Effect.gen(function*() {
      const outputs = yield* play([
        { _tag: "Reason", summary: [["think"]], content: [["raw"]] },
        { _tag: "UpdatePlan", steps: [{ step: "one", status: "inProgress" }] },
        { _tag: "Command", command: "make", output: ["built\n"], approval: {} },
        { _tag: "Command", command: "make", output: ["built\n"] },
        { _tag: "ChangeFiles", changes: [{ path: "/work/space/a", kind: "add", diff: "x\n" }] },
        { _tag: "CallMcp", server: "s", tool: "t", arguments: {}, progress: ["half"], result: "done" },
        { _tag: "SearchWeb", query: "q" },
        { _tag: "UseSubAgent", operation: "spawnAgent" },
        { _tag: "Compact" },
        { _tag: "Use", input: 10, output: 1 },
        { _tag: "Say", deltas: ["Done"], phase: "final" }
      ])
      assert.deepStrictEqual(broken(outputs), [])
      assert.deepStrictEqual(outline(outputs), [
        "thread/status/changed active",
        "turn/started",
        "item/started userMessage",
        "item/completed userMessage",
        "item/started reasoning",
        "item/reasoning/textDelta",
        "item/reasoning/summaryPartAdded",
        "item/reasoning/summaryTextDelta",
        "item/completed reasoning",
        "turn/plan/updated",
        "item/started commandExecution",
        "thread/status/changed active waitingOnApproval",
        "thread/status/changed active",
        "item/completed commandExecution",
        "item/started commandExecution",
        "item/commandExecution/outputDelta",
        "item/completed commandExecution",
        "item/started fileChange",
        "item/completed fileChange",
        "turn/diff/updated",
        "item/started mcpToolCall",
        "item/mcpToolCall/progress",
        "item/completed mcpToolCall",
        "item/started webSearch",
        "item/completed webSearch",
        "item/started collabAgentToolCall",
        "item/completed collabAgentToolCall",
        "item/started contextCompaction",
        "item/completed contextCompaction",
        "thread/tokenUsage/updated",
        "item/started agentMessage",
        "item/agentMessage/delta",
        "item/completed agentMessage",
        "thread/status/changed idle",
        "turn/completed completed"
      ])
    }))
})
