import { assert, describe, it } from "@effect/vitest"
import { ModelFailed } from "../../../src/agent/AgentError.ts"
import type { AgentEvent } from "../../../src/agent/AgentEvent.ts"
import type { AgentItem } from "../../../src/agent/AgentItem.ts"
import { type Output, TurnProjection } from "../../../src/bridge/projection/index.ts"
import {
  begin,
  body,
  change,
  command,
  completed,
  delta,
  end,
  failed,
  input,
  interrupted,
  lastItem,
  message,
  play,
  started,
  startMs,
  updated,
  user
} from "./support/events.ts"
import { broken, options, outline, paramsOf, run } from "./support/wire.ts"

const { threadId, turnId } = options

const steered = input("input-2", "Wait", "client-2")
const send = (state: TurnProjection.TurnState) => TurnProjection.sendInput(state, steered)
const accept = (state: TurnProjection.TurnState) => TurnProjection.settleInput(state, "input-2", true)
const refuse = (state: TurnProjection.TurnState) => TurnProjection.settleInput(state, "input-2", false)
const speech = (id: string) => [started(message("", { id })), completed(message("x", { id }))]

describe("TurnProjection", () => {
  describe("what clients said", () => {
    const first = input("input-1", "Hello?", "client-1")

    it("comes first, once, as the client sent it, whether or not the agent repeats it", () => {
      const silent = play([started(message("")), completed(message("Hi"))], { input: first })
      const repeats = [
        [user("theirs", "Hello?", { clientId: "client-1" })],
        [user("theirs", "Hello?", { clientId: "input-1" })],
        [user("theirs", "Hello?")],
        [user("theirs", "<context/> Hello?")]
      ]
      for (const items of repeats) {
        const events = items.flatMap((item) => [started(item), completed(item)])
        const outputs = play([...events, started(message("")), completed(message("Hi"))], { input: first })
        assert.deepStrictEqual(outline(outputs), outline(silent))
      }
      assert.deepStrictEqual(outline(silent).slice(2, 5), [
        "item/started userMessage",
        "item/completed userMessage",
        "item/started agentMessage"
      ])
      assert.deepInclude(paramsOf(silent, "item/started")[0]?.item, {
        id: "input-1",
        clientId: "client-1",
        content: first.content
      })
    })

    it("is shown of a turn that fails at once", () => {
      const outputs = run([failed(new ModelFailed({ detail: "no" }))], { input: first })
      assert.deepStrictEqual(broken(outputs), [])
      assert.include(outline(outputs), "item/completed userMessage")
    })

    it("shows what the agent adds by itself", () => {
      const outputs = play([started(user("theirs", "Go on")), completed(user("theirs", "Go on"))])
      assert.deepInclude(lastItem(outputs), {
        id: "theirs",
        clientId: null,
        content: [{ type: "text", text: "Go on", text_elements: [] }]
      })
    })

    it("shows nothing of an empty input", () => {
      assert.deepStrictEqual(outline(play([], { input: { itemId: "i", clientId: null, content: [] } })).slice(2), [
        "thread/status/changed idle",
        "turn/completed completed"
      ])
    })

    /** Plays events and acts in between. */
    const steer = (...steps: ReadonlyArray<AgentEvent | ((state: TurnProjection.TurnState) => void)>) => {
      const state = TurnProjection.make({ ...options, input: first })
      const outputs: Array<Output> = []
      for (const step of [begin, ...steps, end()]) {
        if (typeof step === "function") step(state)
        else outputs.push(...TurnProjection.step(state, step, startMs))
      }
      assert.deepStrictEqual(broken(outputs), [])
      return paramsOf(outputs, "item/completed").map(({ item }) => item.id)
    }
    const echo = [user("theirs", "Wait", { clientId: "client-2" })].flatMap((item) => [started(item), completed(item)])
    it("steered input is shown where the agent takes it up", () => {
      assert.deepStrictEqual(steer(send, accept, ...echo, ...speech("a")), ["input-1", "input-2", "a"])
      assert.deepStrictEqual(steer(send, ...echo, accept, ...speech("a")), ["input-1", "input-2", "a"])
      const busy = [started(command("inProgress")), completed(command("completed"))]
      assert.deepStrictEqual(steer(send, accept, ...busy, ...echo, ...speech("a")), ["input-1", "c", "input-2", "a"])
    })

    it("steered input that the agent does not repeat is shown before it speaks again, or at the end", () => {
      assert.deepStrictEqual(steer(send, accept, ...speech("a")), ["input-1", "input-2", "a"])
      assert.deepStrictEqual(steer(...speech("a"), send, accept), ["input-1", "a", "input-2"])
    })

    it("steered input that was refused is not shown, nor before it is known to be in", () => {
      assert.deepStrictEqual(steer(send, refuse, ...speech("a")), ["input-1", "a"])
      assert.deepStrictEqual(steer(send, ...speech("a")), ["input-1", "a"])
      assert.deepStrictEqual(steer(send, ...speech("a"), accept, ...speech("b")), ["input-1", "a", "input-2", "b"])
    })
  })

  describe("items", () => {
    it("a message starts empty, grows and is completed with its phase", () => {
      const outputs = play([
        started(message("")),
        delta("m", "text", "Hel"),
        delta("m", "text", "lo"),
        completed(message("Hello", { phase: "final" }))
      ])
      assert.deepStrictEqual(outline(outputs).slice(2, -2), [
        "item/started agentMessage",
        "item/agentMessage/delta",
        "item/agentMessage/delta",
        "item/completed agentMessage"
      ])
      assert.deepStrictEqual(paramsOf(outputs, "item/agentMessage/delta")[1], {
        threadId,
        turnId,
        itemId: "m",
        delta: "lo"
      })
      assert.deepInclude(paramsOf(outputs, "item/started")[0]?.item, { text: "", phase: null })
      assert.deepInclude(lastItem(outputs), { text: "Hello", phase: "final_answer" })
      assert.deepInclude(lastItem(play([completed(message("a", { phase: "commentary" }))])), { phase: "commentary" })
    })

    it("a message that comes at once is shown at once", () => {
      const outputs = play([started(message("Hello")), completed(message("Hello"))])
      assert.deepInclude(paramsOf(outputs, "item/started")[0]?.item, { text: "" })
      assert.deepStrictEqual(paramsOf(outputs, "item/agentMessage/delta").map(({ delta }) => delta), ["Hello"])
    })

    it("keeps what was said of a message that is completed without its text", () => {
      const outputs = play([started(message("")), delta("m", "text", "Hel"), completed(message(""))])
      assert.deepInclude(lastItem(outputs), { text: "Hel" })
    })

    it("reasoning tells of each part of its summary when it begins", () => {
      const reasoning: AgentItem = { _tag: "Reasoning", id: "r", summary: [], content: [] }
      const outputs = play([
        started(reasoning),
        delta("r", "summary", "a", 0),
        delta("r", "summary", "b", 0),
        delta("r", "summary", "c", 1),
        delta("r", "reasoning", "raw", 0),
        completed({ ...reasoning, summary: ["ab", "c"], content: ["raw"] })
      ])
      assert.deepStrictEqual(outline(outputs).slice(2, -2), [
        "item/started reasoning",
        "item/reasoning/summaryPartAdded",
        "item/reasoning/summaryTextDelta",
        "item/reasoning/summaryTextDelta",
        "item/reasoning/summaryPartAdded",
        "item/reasoning/summaryTextDelta",
        "item/reasoning/textDelta",
        "item/completed reasoning"
      ])
      assert.deepInclude(lastItem(outputs), { summary: ["ab", "c"], content: ["raw"] })
      const open = play([started(reasoning), delta("r", "summary", "c", 1), delta("r", "summary", "a", 0)])
      assert.deepInclude(lastItem(open), { summary: ["a", "c"] })
    })

    it("a proposed plan is an item, the steps of a plan are not", () => {
      assert.deepStrictEqual(
        body([
          started({ _tag: "Plan", id: "p", text: "" }),
          delta("p", "plan", "# Plan"),
          completed({ _tag: "Plan", id: "p", text: "# Plan" }),
          { _tag: "PlanUpdated", steps: [{ step: "one", status: "inProgress" }] }
        ]),
        ["item/started plan", "item/plan/delta", "item/completed plan", "turn/plan/updated"]
      )
      const outputs = play([
        { _tag: "PlanUpdated", explanation: "why", steps: [{ step: "one", status: "completed" }] },
        { _tag: "PlanUpdated", steps: [] }
      ])
      assert.deepStrictEqual(paramsOf(outputs, "turn/plan/updated"), [
        { threadId, turnId, explanation: "why", plan: [{ step: "one", status: "completed" }] },
        { threadId, turnId, explanation: null, plan: [] }
      ])
    })

    it("a command shows its output and what came of it", () => {
      const outputs = play([
        started(command("inProgress")),
        delta("c", "output", "built\n"),
        completed({ ...command("failed", "built\nfailed\n"), exitCode: 2, durationMs: 12.4 })
      ])
      assert.deepStrictEqual(outline(outputs).slice(2, -2), [
        "item/started commandExecution",
        "item/commandExecution/outputDelta",
        "item/completed commandExecution"
      ])
      assert.deepInclude(lastItem(outputs), {
        status: "failed",
        aggregatedOutput: "built\nfailed\n",
        exitCode: 2,
        durationMs: 12,
        cwd: options.cwd
      })
    })

    it("an update that goes on from what was shown becomes deltas, any other waits for the end", () => {
      const outputs = play([
        started(command("inProgress")),
        delta("c", "output", "a"),
        updated(command("inProgress", "ab")),
        updated(command("inProgress", "abc")),
        updated(command("inProgress", "else")),
        completed(command("completed", "else"))
      ])
      const deltas = paramsOf(outputs, "item/commandExecution/outputDelta").map(({ delta }) => delta)
      assert.deepStrictEqual(deltas, ["a", "b", "c"])
      assert.deepInclude(lastItem(outputs), { aggregatedOutput: "else" })
    })

    it("a change of files tells of each new version of the patch", () => {
      const outputs = play([
        started(change("f", "inProgress", "/work/space/a")),
        updated(change("f", "inProgress", "/work/space/a")),
        updated(change("f", "inProgress", "/work/space/a", "/work/space/b")),
        completed(change("f", "completed", "/work/space/a", "/work/space/b"))
      ])
      assert.deepStrictEqual(outline(outputs).slice(2, -2), [
        "item/started fileChange",
        "item/fileChange/patchUpdated",
        "item/completed fileChange",
        "turn/diff/updated"
      ])
      assert.deepStrictEqual(paramsOf(outputs, "item/fileChange/patchUpdated")[0]?.changes.map(({ path }) => path), [
        "/work/space/a",
        "/work/space/b"
      ])
    })

    it("an MCP tool tells of its progress", () => {
      const call: AgentItem = {
        _tag: "McpToolCall",
        id: "t",
        server: "s",
        tool: "t",
        status: "inProgress",
        arguments: {}
      }
      const outputs = play([
        started(call),
        delta("t", "progress", "half"),
        completed({ ...call, status: "completed", result: { content: [] } })
      ])
      assert.deepStrictEqual(outline(outputs).slice(2, -2), [
        "item/started mcpToolCall",
        "item/mcpToolCall/progress",
        "item/completed mcpToolCall"
      ])
      assert.deepStrictEqual(paramsOf(outputs, "item/mcpToolCall/progress")[0]?.message, "half")
    })

    it("other items are started and completed", () => {
      const items: ReadonlyArray<readonly [AgentItem, string]> = [
        [{ _tag: "DynamicToolCall", id: "1", tool: "t", status: "completed", arguments: {} }, "dynamicToolCall"],
        [{ _tag: "WebSearch", id: "1", query: "q" }, "webSearch"],
        [{ _tag: "ImageView", id: "1", path: "/a.png" }, "imageView"],
        [
          { _tag: "SubAgent", id: "1", operation: "spawnAgent", status: "completed", sessionIds: [] },
          "collabAgentToolCall"
        ],
        [{ _tag: "ContextCompaction", id: "1", status: "completed" }, "contextCompaction"],
        [{ _tag: "UnknownItem", id: "1", type: "thing", raw: {} }, "dynamicToolCall"],
        [
          { _tag: "UnknownItem", id: "1", type: "enteredReviewMode", raw: { id: "theirs", review: "look" } },
          "enteredReviewMode"
        ]
      ]
      for (const [item, type] of items) {
        assert.deepStrictEqual(body([started(item), completed(item)]), [
          `item/started ${type}`,
          `item/completed ${type}`
        ])
      }
    })

    it("that the agent leaves open are completed before the turn ends", () => {
      for (const [outcome, status] of [[interrupted(), "failed"], [end(), "failed"]] as const) {
        const outputs = run([
          begin,
          started(message("")),
          delta("m", "text", "half"),
          started(command("inProgress")),
          outcome
        ])
        assert.deepStrictEqual(broken(outputs), [])
        const items = paramsOf(outputs, "item/completed").map(({ item }) => item)
        assert.deepInclude(items[0], { type: "agentMessage", text: "half" })
        assert.deepInclude(items[1], { type: "commandExecution", status })
      }
    })

    it("can be had while they are open, as far as they were shown", () => {
      const state = TurnProjection.make(options)
      for (const event of [begin, started(message("")), delta("m", "text", "half"), started(command("inProgress"))]) {
        TurnProjection.step(state, event, startMs)
      }
      TurnProjection.step(state, completed(command("completed")), startMs)
      assert.deepStrictEqual(TurnProjection.openItems(state).map((item) => [item.id, "text" in item && item.text]), [
        ["m", "half"]
      ])
    })

    it("get other ids where these are wanted", () => {
      const outputs = play(
        [started(message("")), delta("m", "text", "a"), completed(message("a"))],
        { itemId: (id) => `turn-1-${id}` }
      )
      assert.deepStrictEqual(paramsOf(outputs, "item/agentMessage/delta")[0]?.itemId, "turn-1-m")
      assert.deepStrictEqual(lastItem(outputs)?.id, "turn-1-m")
    })

    it("stay with the type that they were shown by", () => {
      const agent: AgentItem = {
        _tag: "SubAgent",
        id: "a",
        operation: "spawnAgent",
        status: "inProgress",
        sessionIds: [],
        prompt: "first"
      }
      const other: AgentItem = { ...agent, operation: "task", prompt: "second" }
      for (const events of [[updated(other), completed(agent)], [completed({ ...other, status: "completed" })]]) {
        const outputs = play([started(agent), ...events])
        assert.deepInclude(lastItem(outputs), { type: "collabAgentToolCall", tool: "spawnAgent", prompt: "first" })
      }
      const state = TurnProjection.make(options)
      for (const event of [started(agent), updated(other)]) TurnProjection.step(state, event, startMs)
      assert.deepInclude(TurnProjection.openItems(state)[0], { type: "collabAgentToolCall", prompt: "first" })
    })

    it("ignores what does not fit: another kind under a known id, deltas of no item and of texts it has not", () => {
      const outputs = play([
        delta("m", "text", "early"),
        started(message("")),
        delta("m", "output", "no text of a message"),
        updated({ ...command("inProgress"), id: "m" }),
        completed({ ...command("completed"), id: "m" }),
        completed(message("again")),
        delta("m", "text", "late")
      ])
      assert.deepStrictEqual(outline(outputs).slice(2, -2), [
        "item/started agentMessage",
        "item/completed agentMessage"
      ])
    })
  })

  it("makes one small output of a delta", () => {
    const state = TurnProjection.make(options)
    TurnProjection.step(state, started(message("")), startMs)
    const outputs = TurnProjection.step(state, delta("m", "text", "a"), startMs)
    assert.deepStrictEqual(outputs, [
      { _tag: "Notify", method: "item/agentMessage/delta", params: { threadId, turnId, itemId: "m", delta: "a" } }
    ])
  })

  it("stays fast when a message is long", () => {
    const state = TurnProjection.make(options)
    TurnProjection.step(state, started(message("")), startMs)
    const began = performance.now()
    for (let at = 0; at < 200_000; at++) TurnProjection.step(state, delta("m", "text", "a few words "), startMs)
    // A copy of the text for each of its deltas would take minutes.
    assert.isBelow(performance.now() - began, 2_000)
    assert.strictEqual(TurnProjection.openItems(state).map((item) => "text" in item && item.text.length)[0], 2_400_000)
  })
})
