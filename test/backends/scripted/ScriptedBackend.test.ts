import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import {
  AgentBackend,
  type AgentEvent,
  type AgentItem,
  BinaryMissing,
  declining,
  Overloaded,
  RateLimited,
  TurnHost,
  type TurnHostService,
  type TurnInput
} from "../../../src/agent/index.ts"
import { Scenario, ScriptedBackend } from "../../../src/backends/scripted/index.ts"
import { watchTurn } from "../../support/watchTurn.ts"
import { wellFormed } from "../../support/wellFormed.ts"

const text = (text: string): TurnInput => ({ input: [{ _tag: "Text", text }] })
const say = (...deltas: ReadonlyArray<string>): Scenario.Step => ({ _tag: "Say", deltas })

const open = (scenario: Scenario.Scenario) =>
  Effect.flatMap(ScriptedBackend.make(scenario), (backend) => backend.openSession({}))

const play = Effect.fnUntraced(function*(steps: ReadonlyArray<Scenario.Step>, host: Partial<TurnHostService> = {}) {
  const session = yield* open({ fallback: steps })
  const turn = yield* Effect.provideService(session.startTurn(text("Hello?")), TurnHost, { ...declining, ...host })
  const events = yield* Stream.runCollect(turn.events)
  assert.deepStrictEqual(wellFormed(events, { turnId: turn.id }), [])
  return { events, outcome: yield* turn.outcome }
})

const messages = (events: ReadonlyArray<AgentEvent>): ReadonlyArray<string> =>
  events.flatMap((event) =>
    event._tag === "ItemCompleted" && event.item._tag === "AgentMessage" ? [event.item.text] : []
  )

const items = (events: ReadonlyArray<AgentEvent>): ReadonlyArray<AgentItem> =>
  events.flatMap((event) => event._tag === "ItemCompleted" && event.item._tag !== "UserMessage" ? [event.item] : [])

describe("ScriptedBackend", () => {
  describe("turns", () => {
    it.effect("that match come first, the others are taken once by each session, then the fallback", () =>
      Effect.gen(function*() {
        const backend = yield* ScriptedBackend.make({
          turns: [
            { steps: [say("first")] },
            { match: "weather", steps: [say("rain")] },
            { steps: [say("second")] }
          ],
          fallback: [say("nothing left")]
        })
        for (let count = 0; count < 2; count++) {
          const session = yield* backend.openSession({})
          const answers: Array<string> = []
          for (const prompt of ["a", "The WEATHER?", "b", "weather", "c"]) {
            const turn = yield* session.startTurn(text(prompt))
            answers.push(...messages(yield* Stream.runCollect(turn.events)))
          }
          assert.deepStrictEqual(answers, ["first", "rain", "second", "rain", "nothing left"])
        }
      }))

    it.effect("a resumed session goes on where it was", () =>
      Effect.gen(function*() {
        const backend = yield* ScriptedBackend.make({ turns: [{ steps: [say("first")] }, { steps: [say("second")] }] })
        const ref = yield* Effect.scoped(Effect.gen(function*() {
          const session = yield* backend.openSession({})
          yield* Stream.runDrain((yield* session.startTurn(text("a"))).events)
          return yield* session.ref
        }))
        const session = yield* backend.openSession({ resume: ref })
        const turn = yield* session.startTurn(text("b"))
        assert.deepStrictEqual(messages(yield* Stream.runCollect(turn.events)), ["second"])
        assert.notStrictEqual(turn.id, `${ref.sessionId}-turn-1`)
      }))

    it.effect("can be refused before they are accepted", () =>
      Effect.gen(function*() {
        const session = yield* open({
          turns: [{ refuse: new Overloaded({ detail: "later", mayHaveReached: false }), steps: [] }],
          fallback: [say("now")]
        })
        const error = yield* Effect.flip(session.startTurn(text("a")))
        assert.strictEqual(error.reason._tag, "Overloaded")
        assert.isFalse((yield* session.ref).durable)
        const turn = yield* session.startTurn(text("a"))
        assert.deepStrictEqual(messages(yield* Stream.runCollect(turn.events)), ["now"])
      }))

    it.effect("of a kind that takes no input cannot be steered", () =>
      Effect.gen(function*() {
        const session = yield* open({ turns: [{ steerable: false, steps: [{ _tag: "Hang" }] }] })
        const turn = yield* session.startTurn(text("a"))
        assert.strictEqual((yield* Effect.flip(turn.steer(text("b")))).reason._tag, "NotSteerable")
      }))

    it.effect("take a bounded amount of steered input, one for each step that waits for it", () =>
      Effect.gen(function*() {
        const session = yield* open({
          fallback: [
            { _tag: "Pause", millis: 10 },
            { _tag: "AwaitSteer" },
            say("1: {{steer}}"),
            { _tag: "AwaitSteer" },
            say("2: {{steer}}")
          ]
        })
        const turn = yield* session.startTurn(text("a"))
        for (let count = 0; count < 64; count++) yield* turn.steer(text(`input ${count}`))
        assert.strictEqual((yield* Effect.flip(turn.steer(text("more")))).reason._tag, "Overloaded")
        yield* TestClock.adjust(10)
        assert.deepStrictEqual(messages(yield* Stream.runCollect(turn.events)), ["1: input 0", "2: input 1"])
      }))

    it.effect("take their time from the clock", () =>
      Effect.gen(function*() {
        const session = yield* open({
          fallback: [{ _tag: "Say", deltas: ["a", "b"], millis: 20 }, { _tag: "Pause", millis: 1000 }]
        })
        const turn = yield* session.startTurn(text("a"))
        const watched = yield* watchTurn(turn)
        yield* watched.seen((event) => event._tag === "ItemDelta")
        assert.strictEqual(watched.events.filter((event) => event._tag === "ItemDelta").length, 1)
        yield* TestClock.adjust(20)
        assert.strictEqual(watched.events.filter((event) => event._tag === "ItemDelta").length, 2)
        yield* TestClock.adjust(1019)
        assert.notStrictEqual(watched.events.at(-1)?._tag, "TurnEnded")
        yield* TestClock.adjust(1)
        assert.deepInclude((yield* watched.all).at(-1), { _tag: "TurnEnded", durationMs: 1040 })
      }))
  })

  describe("steps", () => {
    it.effect("of every kind show what they are", () =>
      Effect.gen(function*() {
        const { events, outcome } = yield* play([
          { _tag: "Reason", summary: [["Hm", "m."], ["Aha."]], content: [["raw"]] },
          { _tag: "ProposePlan", deltas: ["1. ", "look"] },
          { _tag: "UpdatePlan", steps: [{ step: "look", status: "pending" }], explanation: "first" },
          { _tag: "Command", command: "false", output: ["no", "pe"], exitCode: 1 },
          { _tag: "ChangeFiles", changes: [{ path: "a", kind: "delete", diff: "" }] },
          { _tag: "CallMcp", server: "s", tool: "t", arguments: {}, progress: ["half"], result: 1 },
          { _tag: "CallMcp", server: "s", tool: "t", arguments: {}, error: "broken" },
          { _tag: "SearchWeb", query: "q" },
          { _tag: "ViewImage", path: "/i.png" },
          { _tag: "UseSubAgent", operation: "spawnAgent", sessionIds: ["other"], prompt: "help" },
          { _tag: "Compact" },
          { _tag: "UnknownThing", type: "hologram", raw: { x: 1 } },
          { _tag: "UnknownEvent", method: "thread/new", raw: null },
          { _tag: "ShowDiff", diff: "+a" },
          { _tag: "Retry", reason: new RateLimited({ detail: "1/5" }) },
          { _tag: "Warn", code: "configWarning", message: "old" },
          { _tag: "ReviewByGuardian", raw: {} },
          { _tag: "ChangeStatus", status: "active", flags: ["waitingOnApproval"] },
          { _tag: "ChangeGoal", goal: { objective: "o", status: "active", tokensUsed: 1, timeUsed: 2 } }
        ])
        assert.strictEqual(outcome._tag, "Completed")
        assert.deepStrictEqual(items(events).map((item) => "status" in item ? [item._tag, item.status] : [item._tag]), [
          ["Reasoning"],
          ["Plan"],
          ["CommandExecution", "failed"],
          ["FileChange", "completed"],
          ["McpToolCall", "completed"],
          ["McpToolCall", "failed"],
          ["WebSearch"],
          ["ImageView"],
          ["SubAgent", "completed"],
          ["ContextCompaction", "completed"],
          ["UnknownItem"]
        ])
        const [reasoning, plan, command] = items(events)
        assert.deepInclude(reasoning, { summary: ["Hmm.", "Aha."], content: ["raw"] })
        assert.deepInclude(plan, { text: "1. look" })
        assert.deepInclude(command, { output: "nope", exitCode: 1 })
        const remarks = events.map((event) => event._tag).filter((tag) => !/^(Item|Turn)/.test(tag))
        assert.deepStrictEqual(remarks, [
          "PlanUpdated",
          "Unrecognized",
          "DiffUpdated",
          "Retrying",
          "Warning",
          "GuardianReview",
          "GuardianReview",
          "StatusChanged",
          "GoalUpdated"
        ])
      }))

    it.effect("that leave items open leave them to the end of the turn", () =>
      Effect.gen(function*() {
        const kinds = ["message", "reasoning", "plan", "command", "tool"] as const
        const { events } = yield* play(kinds.map((kind) => ({ _tag: "LeaveOpen", kind, deltas: ["so ", "far"] })))
        const closed = events.filter((event) => event._tag === "ItemCompleted" && event.closed)
        assert.strictEqual(closed.length, kinds.length)
        const [message, reasoning, plan, command, tool] = items(events)
        assert.deepInclude(message, { text: "so far" })
        assert.deepInclude(reasoning, { summary: ["so far"] })
        assert.deepInclude(plan, { text: "so far" })
        assert.deepInclude(command, { output: "so far", status: "interrupted" })
        assert.deepInclude(tool, { status: "interrupted" })
      }))

    it.effect("can speak of what the host said", () =>
      Effect.gen(function*() {
        const ask: Scenario.Step = {
          _tag: "Ask",
          questions: [{ id: "q", header: "Q", question: "?", isSecret: false, allowsOther: true, options: [] }]
        }
        const { events } = yield* play([
          { _tag: "Command", command: "ls", approval: {} },
          { _tag: "CallTool", tool: "t", arguments: 1 },
          ask,
          say("{{prompt}} {{decision}} {{tool}} {{answer}} {{other}}"),
          { _tag: "Elicit", server: "s", message: "m" },
          say("{{answer}}")
        ], {
          approve: () => Effect.succeed("accept"),
          callTool: () => Effect.succeed({ success: true, content: [{ _tag: "Text", text: "result" }] }),
          answer: () => Effect.succeed({ q: ["yes", "no"] }),
          elicit: () => Effect.succeed({ _tag: "Accept", content: { a: 1 } })
        })
        assert.deepStrictEqual(messages(events), ["Hello? accept result yes, no {{other}}", "{\"a\":1}"])
      }))

    it.effect("ask for what is offered, and take anything else as the safest of it", () =>
      Effect.gen(function*() {
        const outcomes = yield* Effect.forEach(
          [
            { decisions: ["accept", "cancel"], answer: "decline" },
            { decisions: ["accept", "decline"], answer: "cancel" },
            { decisions: ["accept", "decline"], answer: "acceptForSession" }
          ] as const,
          ({ answer, decisions }) =>
            Effect.map(
              play([{ _tag: "Command", command: "ls", approval: { decisions } }], {
                approve: () => Effect.succeed(answer)
              }),
              ({ events, outcome }) => [items(events)[0], outcome._tag] as const
            )
        )
        assert.deepStrictEqual(outcomes.map(([, outcome]) => outcome), ["Interrupted", "Completed", "Completed"])
        for (const [item] of outcomes) assert.deepInclude(item, { status: "declined" })
      }))

    it.effect("do not ask under the policy of never asking", () =>
      Effect.gen(function*() {
        const backend = yield* ScriptedBackend.make({ fallback: [{ _tag: "Command", command: "ls", approval: {} }] })
        const session = yield* backend.openSession({ approvalPolicy: "never" })
        const turn = yield* session.startTurn(text("a"))
        const events = yield* Stream.runCollect(turn.events)
        assert.deepInclude(items(events)[0], { status: "completed" })
        assert.isFalse(events.some((event) => event._tag === "RequestOpened"))
      }))

    it.effect("may ask for permissions, which change no item", () =>
      Effect.gen(function*() {
        const seen: Array<string> = []
        const { events } = yield* play([{ _tag: "AskPermissions", permissions: { network: true } }], {
          approve: (request) => Effect.sync(() => (seen.push(request._tag), "accept"))
        })
        assert.deepStrictEqual(seen, ["Permissions"])
        assert.deepStrictEqual(items(events), [])
      }))

    it.effect("end the turn in any way", () =>
      Effect.gen(function*() {
        const incomplete = { _tag: "Incomplete", detail: "fell silent" } as const
        assert.deepStrictEqual(
          (yield* play([{ _tag: "End", outcome: incomplete }, say("unheard")])).outcome,
          incomplete
        )
        const alone = { _tag: "Interrupted", requested: false, confirmed: true } as const
        assert.deepStrictEqual((yield* play([{ _tag: "End", outcome: alone }])).outcome, alone)
      }))

    it.effect("report usage as a sum that a reading out of line spoils", () =>
      Effect.gen(function*() {
        const { events } = yield* play([
          { _tag: "Use", input: 10, output: 1, context: { used: 11, window: 100 } },
          { _tag: "Use", input: 20, cachedInput: 5, output: 2, fresh: false },
          { _tag: "Use", input: 30, output: 3 }
        ])
        const usages = events.flatMap((event) => event._tag === "UsageUpdated" ? [event.usage] : [])
        assert.deepStrictEqual(usages.map((usage) => [usage.total, usage.fresh]), [[11, true], [33, false], [
          66,
          false
        ]])
        assert.deepInclude(usages[2], { input: 60, cachedInput: 5, context: { used: 11, window: 100 } })
      }))

    it.effect.prop("in any order and interrupted at any time leave a well-formed turn", {
      steps: Schema.Array(Scenario.Step).check(Schema.isMaxLength(8)),
      after: Schema.Literals([0, 1, 2, 5, 20])
    }, ({ after, steps }) =>
      Effect.scoped(Effect.gen(function*() {
        const session = yield* open({ fallback: steps })
        const turn = yield* session.startTurn(text("a"))
        for (let count = 0; count < after; count++) yield* Effect.yieldNow
        yield* turn.interrupt
        assert.deepStrictEqual(wellFormed(yield* Stream.runCollect(turn.events), { turnId: turn.id }), [])
        assert.isTrue(Exit.isSuccess(yield* Effect.exit(session.ref)))
      })))
  })

  describe("sessions", () => {
    it.effect("of an agent that died refuse everything, without reaching it, until they are resumed", () =>
      Effect.gen(function*() {
        const backend = yield* ScriptedBackend.make({
          turns: [{ steps: [{ _tag: "Die", exitCode: 137, stderrTail: "out of memory" }] }],
          fallback: [say("back")]
        })
        const session = yield* backend.openSession({})
        yield* (yield* session.startTurn(text("a"))).outcome
        for (const error of [yield* Effect.flip(session.startTurn(text("b"))), yield* Effect.flip(session.compact)]) {
          assert.deepInclude(error.reason, { _tag: "AgentDied", exitCode: 137, mayHaveReached: false })
        }
        const again = yield* backend.openSession({ resume: yield* session.ref })
        const turn = yield* again.startTurn(text("c"))
        assert.deepStrictEqual(messages(yield* Stream.runCollect(turn.events)), ["back"])
      }))

    it.effect("that are ephemeral cannot be resumed", () =>
      Effect.gen(function*() {
        const backend = yield* ScriptedBackend.make({})
        const session = yield* backend.openSession({ ephemeral: true })
        yield* (yield* session.startTurn(text("a"))).interrupt
        const ref = yield* session.ref
        assert.isFalse(ref.durable)
        assert.strictEqual((yield* Effect.flip(backend.openSession({ resume: ref }))).reason._tag, "UnknownSession")
      }))

    it.effect("of another backend are unknown", () =>
      Effect.gen(function*() {
        const backend = yield* ScriptedBackend.make({})
        const resume = { backend: "other", sessionId: "scripted-session-1", durable: true }
        assert.strictEqual((yield* Effect.flip(backend.openSession({ resume }))).reason._tag, "UnknownSession")
      }))

    it.effect("that share a conversation share its one turn", () =>
      Effect.gen(function*() {
        const backend = yield* ScriptedBackend.make({ turns: [{ steps: [] }], fallback: [{ _tag: "Hang" }] })
        const left = yield* backend.openSession({})
        yield* (yield* left.startTurn(text("a"))).outcome
        const right = yield* backend.openSession({ resume: yield* left.ref })
        const turn = yield* left.startTurn(text("b"))
        assert.strictEqual((yield* Effect.flip(right.startTurn(text("c")))).reason._tag, "SessionBusy")
        yield* turn.interrupt
        yield* right.startTurn(text("c"))
      }))

    it.effect("that are closed refuse everything and end their stream of events", () =>
      Effect.gen(function*() {
        const session = yield* Effect.scoped(open({}))
        assert.strictEqual((yield* Effect.flip(session.startTurn(text("a")))).reason._tag, "Cancelled")
        assert.deepStrictEqual(yield* Stream.runCollect(session.events), [])
      }))

    it.effect("tell of a compaction and of goals between turns", () =>
      Effect.gen(function*() {
        const session = yield* Effect.scoped(Effect.gen(function*() {
          const session = yield* open({})
          assert.strictEqual(
            (yield* Effect.flip(session.setGoal({ status: "paused" }))).reason._tag,
            "InvalidInput"
          )
          yield* session.setGoal({ objective: "o", tokenBudget: 5 })
          assert.deepInclude(yield* session.setGoal({ status: "paused" }), { objective: "o", tokenBudget: 5 })
          yield* session.compact
          return session
        }))
        const events = yield* Stream.runCollect(session.events)
        assert.deepStrictEqual(events.map((event) => event._tag), [
          "GoalUpdated",
          "GoalUpdated",
          "TurnStarted",
          "ItemStarted",
          "ItemCompleted",
          "TurnEnded"
        ])
      }))

    it.effect("survive a compaction that fails or is given up", () =>
      Effect.gen(function*() {
        const failing = yield* open({ compaction: [{ _tag: "Fail", reason: new RateLimited({ detail: "no" }) }] })
        assert.strictEqual((yield* failing.compact).outcome._tag, "Failed")
        const session = yield* open({ compaction: [{ _tag: "Hang" }] })
        const fiber = yield* Effect.forkChild(session.compact)
        yield* Effect.yieldNow
        assert.strictEqual((yield* Effect.flip(session.startTurn(text("a")))).reason._tag, "SessionBusy")
        yield* Fiber.interrupt(fiber)
        yield* session.startTurn(text("a"))
      }))
  })

  describe("the handlers of a host", () => {
    it.effect("that cannot be interrupted do not hold up the end of the turn", () =>
      Effect.gen(function*() {
        const session = yield* open({ fallback: [{ _tag: "CallTool", tool: "t", arguments: {} }] })
        const called = yield* Deferred.make<void>()
        const callTool = () => Effect.uninterruptible(Effect.andThen(Deferred.succeed(called, undefined), Effect.never))
        const turn = yield* Effect.provideService(session.startTurn(text("a")), TurnHost, { ...declining, callTool })
        yield* Deferred.await(called)
        assert.isTrue((yield* turn.interrupt).confirmed)
        assert.deepStrictEqual(wellFormed(yield* Stream.runCollect(turn.events), { turnId: turn.id }), [])
      }))
  })

  describe("refuses", () => {
    const image: TurnInput = { input: [{ _tag: "LocalImage", path: "/i.png" }] }
    const refused: Readonly<Record<string, readonly [Scenario.Scenario["capabilities"] & {}, TurnInput]>> = {
      images: [{ images: false }, image],
      outputSchema: [{ outputSchema: false }, { ...text("a"), outputSchema: {} }],
      plan: [{ plan: false }, { ...text("a"), mode: "plan" }],
      approvals: [{ approvals: false }, { ...text("a"), approvalPolicy: "on-request" }]
    }
    for (const [capability, [capabilities, input]] of Object.entries(refused)) {
      it.effect(`a turn that needs ${capability} where there is none`, () =>
        Effect.gen(function*() {
          const session = yield* open({ capabilities })
          const error = yield* Effect.flip(session.startTurn(input))
          assert.deepInclude(error.reason, { _tag: "CapabilityMissing", capability })
        }))
    }

    it.effect("everything when it is unavailable", () =>
      Effect.gen(function*() {
        const unavailable = new BinaryMissing({ command: "agent", detail: "ENOENT" })
        const backend = yield* ScriptedBackend.make({ unavailable })
        const errors = [
          yield* Effect.flip(backend.probe),
          yield* Effect.flip(backend.listModels),
          yield* Effect.flip(backend.openSession({}))
        ]
        for (const error of errors) assert.strictEqual(error.reason._tag, "BinaryMissing")
      }))
  })

  it.effect("introduces itself when nobody wrote a script, live and in a few seconds", () =>
    Effect.gen(function*() {
      const session = yield* (yield* AgentBackend).openSession({})
      const long = "please ".repeat(200)
      const turn = yield* session.startTurn(text(long))
      const watched = yield* watchTurn(turn)
      yield* TestClock.adjust(5000)
      const events = yield* watched.all
      assert.deepStrictEqual(wellFormed(events, { turnId: turn.id }), [])
      assert.strictEqual((yield* turn.outcome)._tag, "Completed")
      const [echo, greeting] = messages(events)
      assert.include(echo, "please please")
      assert.isBelow(echo?.length ?? 0, 400)
      assert.include(greeting, "scripted agent")
      assert.include(greeting, "codex login")
      assert.isAbove(events.filter((event) => event._tag === "ItemDelta").length, 40)
      assert.deepStrictEqual(
        events.findLast((event) => event._tag === "PlanUpdated")?.steps.map((step) => step.status),
        [
          "completed",
          "completed"
        ]
      )
      assert.isFalse((yield* session.ref).durable)
    }).pipe(Effect.provide(ScriptedBackend.layerDefault)))
})

describe("Scenario", () => {
  const Json = Schema.fromJsonString(Scenario.Scenario)

  it.effect("can be kept in a JSON file", () =>
    Effect.gen(function*() {
      const scenario = yield* Schema.decodeEffect(Json)(`{
        "turns": [
          { "match": "fail", "steps": [{ "_tag": "Fail", "reason": { "_tag": "RateLimited", "detail": "slow down" } }] },
          { "steps": [{ "_tag": "Say", "deltas": ["Hi ", "{{prompt}}"], "millis": 5 }] }
        ]
      }`)
      const session = yield* open(scenario)
      const failed = yield* (yield* session.startTurn(text("fail"))).outcome
      assert(failed._tag === "Failed")
      assert.strictEqual(failed.error.message, "Rate limited: slow down")
    }))

  it.effect("refuses a step that does not exist", () =>
    Effect.gen(function*() {
      const json = JSON.stringify({ fallback: [{ _tag: "Shout", deltas: [] }] })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Schema.decodeEffect(Json)(json))))
    }))

  it.effect.prop("survives JSON", [Scenario.Scenario], ([scenario]) =>
    Effect.gen(function*() {
      const json = yield* Schema.encodeEffect(Json)(scenario)
      assert.strictEqual(yield* Schema.encodeEffect(Json)(yield* Schema.decodeEffect(Json)(json)), json)
    }))
})
