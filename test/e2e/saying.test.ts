/**
 * What the agent says, and what it is told: text, reasoning, plans, images, structured answers, tokens.
 */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { CodexBench } from "../support/CodexBench.ts"
import { completed, lastText } from "../support/conformanceKit.ts"
import * as Gate from "../support/Gate.ts"
import * as ModelTurn from "../support/ModelTurn.ts"
import * as RecordedRequest from "../support/RecordedRequest.ts"
import {
  capable,
  eventsOf,
  joined,
  lastRequest,
  layer as codex,
  open,
  pixel,
  realTime,
  requests,
  resolutions,
  run,
  start
} from "./kit.ts"

const completedOutcome = { _tag: "Completed" } as const

const choose = ModelTurn.functionCall("request_user_input", {
  questions: [{
    id: "colour",
    header: "Colour",
    question: "Which colour?",
    options: [{ label: "Red", description: "warm" }, { label: "Blue", description: "cold" }]
  }]
}, { callId: "ask-1" })

/** The part of a request that says what form the answer must have. */
const decodeFormat = Schema.decodeUnknownOption(Schema.Struct({
  text: Schema.optional(Schema.Struct({ format: Schema.optional(Schema.Unknown) }))
}))

/** What one request of the model's is said to use. */
const use = (input: number, output: number) => ({ usage: { input, cachedInput: 10, output, reasoningOutput: 1 } })

/** The last figures of a turn: input, cached, output, reasoning, total, fresh. */
const figures = (events: Parameters<typeof eventsOf>[0]) => {
  const usage = eventsOf(events, "UsageUpdated").at(-1)?.usage
  return [usage?.input, usage?.cachedInput, usage?.output, usage?.reasoningOutput, usage?.total, usage?.fresh]
}

const said = (delta: string) => (event: { readonly _tag: string; readonly delta?: string }) =>
  event._tag === "ItemDelta" && event.delta === delta

layer(codex(), realTime)("saying", (it) => {
  it.effect("text comes in deltas, once, with what the model was asked", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const { events, outcome, turn } = yield* run(
        session,
        { input: [{ _tag: "Text", text: "Say hello" }], clientId: "mine-1" },
        [ModelTurn.text("Hel", "lo ", "wörld ", "🦆 \u2028 end")]
      )
      assert.deepStrictEqual(outcome, completedOutcome)
      const [said] = completed(events, "AgentMessage")
      assert.strictEqual(said?.item.text, "Hello wörld 🦆 \u2028 end")
      assert.strictEqual(joined(events, said?.item.id), said?.item.text)
      assert.strictEqual(completed(events, "AgentMessage").length, 1)
      const [asked] = completed(events, "UserMessage")
      assert.deepInclude(asked?.item, { text: "Say hello", images: 0, clientId: "mine-1" })
      assert.deepStrictEqual(eventsOf(events, "TurnStarted"), [{ _tag: "TurnStarted", turnId: turn.id }])
      assert.deepStrictEqual(eventsOf(events, "Unrecognized"), [])
      assert.strictEqual(RecordedRequest.userTexts(yield* lastRequest(session)).at(-1), "Say hello")
    }))

  it.effect("reasoning comes as summary parts and as raw text, apart from the answer", () =>
    Effect.gen(function*() {
      const session = yield* open({ config: { show_raw_agent_reasoning: true } })
      const { events } = yield* run(session, "Think", [
        ModelTurn.turn([
          ModelTurn.reasoning({ summary: [["Wei", "ghing"], ["Deciding"]], raw: ["ra", "w"] }),
          ModelTurn.message(["Yes"])
        ])
      ])
      const [thought] = completed(events, "Reasoning")
      assert.deepStrictEqual(thought?.item.summary, ["Weighing", "Deciding"])
      assert.deepStrictEqual(thought?.item.content, ["raw"])
      const deltas = eventsOf(events, "ItemDelta").filter((event) => event.itemId === thought?.item.id)
      assert.deepStrictEqual(
        deltas.map(({ delta, field, index }) => [field, index, delta]),
        [["summary", 0, "Wei"], ["summary", 0, "ghing"], ["summary", 1, "Deciding"], ["reasoning", 0, "ra"], [
          "reasoning",
          0,
          "w"
        ]]
      )
      assert.strictEqual(lastText(events), "Yes")
    }))

  it.effect("a plan is told step by step", () =>
    Effect.gen(function*() {
      const session = yield* open({ config: { "tools.update_plan.enabled": true } })
      const plan = [{ step: "Look", status: "completed" }, { step: "Leap", status: "in_progress" }]
      const { events, outcome } = yield* run(session, "Plan", [
        ModelTurn.turn([ModelTurn.functionCall("update_plan", { explanation: "Because", plan }, { callId: "plan-1" })]),
        ModelTurn.text("Planned")
      ])
      assert.deepStrictEqual(eventsOf(events, "PlanUpdated"), [{
        _tag: "PlanUpdated",
        explanation: "Because",
        steps: [{ step: "Look", status: "completed" }, { step: "Leap", status: "inProgress" }]
      }])
      assert.deepStrictEqual(outcome, completedOutcome)
      assert.include(RecordedRequest.toolOutput(yield* lastRequest(session), "plan-1"), "Plan updated")
    }))

  it.effect("plan mode proposes a plan as an item of its own, asks, and is left again", () =>
    Effect.gen(function*() {
      const session = yield* open({}, capable)
      const proposed = yield* run(
        session,
        { input: [{ _tag: "Text", text: "Propose" }], mode: "plan" },
        [ModelTurn.text("Here:\n<proposed_plan>\n", "1. Look\n", "2. Leap\n", "</proposed_plan>\nGood?")]
      )
      const [plan] = completed(proposed.events, "Plan")
      assert.strictEqual(plan?.item.text.trim(), "1. Look\n2. Leap")
      assert.strictEqual(joined(proposed.events, plan?.item.id, "plan"), plan?.item.text)
      assert.notInclude(lastText(proposed.events), "Leap")
      assert.deepStrictEqual(proposed.outcome, completedOutcome)

      const questions: Array<unknown> = []
      const answered = yield* run(
        session,
        { input: [{ _tag: "Text", text: "Ask me" }], mode: "plan" },
        [ModelTurn.turn([choose]), ModelTurn.text("Red it is")],
        {
          answer: (request) =>
            Effect.sync(() => {
              questions.push(...request.questions)
              return { colour: ["Red"] }
            })
        }
      )
      assert.deepInclude(questions[0], {
        id: "colour",
        header: "Colour",
        question: "Which colour?",
        options: [{ label: "Red", description: "warm" }, { label: "Blue", description: "cold" }]
      })
      assert.deepStrictEqual(resolutions(answered.events), ["answered"])
      assert.deepStrictEqual(eventsOf(answered.events, "RequestOpened").map(({ kind, title }) => [kind, title]), [[
        "question",
        "Which colour?"
      ]])
      assert.include(RecordedRequest.toolOutput(yield* lastRequest(session), "ask-1"), "Red")

      // Nobody answers: the model is told so at once, and the turn goes on.
      const unanswered = yield* run(
        session,
        { input: [{ _tag: "Text", text: "Ask again" }], mode: "plan" },
        [ModelTurn.turn([choose]), ModelTurn.text("As you like")]
      )
      assert.deepStrictEqual(resolutions(unanswered.events), ["unanswered"])
      assert.deepStrictEqual(unanswered.outcome, completedOutcome)

      // A turn that names no mode is not in the mode of the one before.
      const after = yield* run(session, "Now do it", [ModelTurn.text("<proposed_plan>\nnone\n</proposed_plan>")])
      assert.deepStrictEqual(completed(after.events, "Plan"), [])
      assert.include(lastText(after.events), "none")
    }))

  it.effect("plan mode after an ordinary turn goes on with the same conversation", () =>
    Effect.gen(function*() {
      const session = yield* open()
      yield* run(session, "Remember the duck", [ModelTurn.text("Quack")])
      const before = yield* session.ref
      const { events } = yield* run(
        session,
        { input: [{ _tag: "Text", text: "Plan" }], mode: "plan" },
        [ModelTurn.text("<proposed_plan>\n1. Swim\n</proposed_plan>")]
      )
      assert.strictEqual(completed(events, "Plan")[0]?.item.text.trim(), "1. Swim")
      assert.deepStrictEqual(yield* session.ref, before)
      assert.include(JSON.stringify((yield* lastRequest(session)).json), "Quack")
    }))

  it.effect("images reach the model, and a missing one does not fail the turn", () =>
    Effect.gen(function*() {
      const { home } = yield* CodexBench
      const session = yield* open()
      const file = Path.join(home.work, "pixel.png")
      yield* Effect.promise(() => Fs.writeFile(file, Buffer.from(pixel, "base64")))
      const { events, outcome } = yield* run(session, {
        input: [
          { _tag: "Text", text: "Look" },
          { _tag: "ImageUrl", url: `data:image/png;base64,${pixel}` },
          { _tag: "LocalImage", path: file },
          { _tag: "LocalImage", path: Path.join(home.work, "missing.png") }
        ]
      }, [ModelTurn.text("Seen")])
      assert.deepStrictEqual(outcome, completedOutcome)
      assert.deepInclude(completed(events, "UserMessage")[0]?.item, { text: "Look", images: 3 })
      const body = JSON.stringify((yield* lastRequest(session)).json)
      assert.strictEqual(body.match(/"type":"input_image"/g)?.length, 2)
      assert.include(body, "could not read the local image")
    }))

  it.effect("a structured answer is asked for with its schema, in that turn alone", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const outputSchema = {
        type: "object",
        properties: { answer: { type: "string" } },
        required: ["answer"],
        additionalProperties: false
      }
      const { events } = yield* run(session, { input: [{ _tag: "Text", text: "Structured" }], outputSchema }, [
        ModelTurn.text(`{"answer":"42"}`)
      ])
      assert.strictEqual(lastText(events), `{"answer":"42"}`)
      yield* run(session, "Free", [ModelTurn.text("free")])
      const formats = (yield* requests(session)).map((request) =>
        Option.getOrThrow(decodeFormat(request.json)).text?.format
      )
      assert.deepInclude(formats[0], { type: "json_schema", schema: outputSchema })
      assert.isUndefined(formats[1])
    }))

  it.effect("a web search of the model's own is an item", () =>
    Effect.gen(function*() {
      const session = yield* open()
      const { events } = yield* run(session, "Search", [
        ModelTurn.turn([ModelTurn.webSearch("narrow waists"), ModelTurn.message(["Found"])])
      ])
      assert.deepInclude(completed(events, "WebSearch")[0]?.item, { query: "narrow waists" })
    }))

  it.effect("tokens are those of the turn, over several requests, turns and a resume", () =>
    Effect.gen(function*() {
      const { backend } = yield* CodexBench
      const shell = ModelTurn.functionCall("exec_command", { cmd: "true" })
      const ref = yield* Effect.scoped(Effect.gen(function*() {
        const session = yield* open()
        const one = yield* run(session, "One", [
          ModelTurn.turn([shell], use(100, 7)),
          ModelTurn.turn([ModelTurn.message(["one"])], use(50, 3))
        ])
        assert.deepStrictEqual(figures(one.events), [150, 20, 10, 2, 160, true])
        const two = yield* run(session, "Two", [ModelTurn.turn([ModelTurn.message(["two"])], use(1000, 30))])
        assert.deepStrictEqual(figures(two.events), [1000, 10, 30, 1, 1030, true])
        const context = eventsOf(two.events, "UsageUpdated").at(-1)?.usage.context
        assert.strictEqual(context?.used, 1030)
        assert.isAbove(context?.window ?? 0, 1030)
        return yield* session.ref
      }))
      const session = yield* backend.openSession({ resume: ref })
      const three = yield* run(session, "Three", [ModelTurn.turn([ModelTurn.message(["three"])], use(200, 5))])
      assert.deepStrictEqual(figures(three.events), [200, 10, 5, 1, 205, true])
    }))

  it.effect("two threads at once do not mix", () =>
    Effect.gen(function*() {
      const [left, right] = [yield* open(), yield* open()]
      const [gateLeft, gateRight] = [yield* Gate.make, yield* Gate.make]
      const one = yield* start(left, "left", [ModelTurn.text("l1 ", gateLeft, "l2 ")])
      const two = yield* start(right, "right", [ModelTurn.text("r1 ", gateRight, "r2 ")])
      yield* Effect.all([one.seen(said("l1 ")), two.seen(said("r1 "))], { concurrency: 2 })
      yield* gateRight.open
      const second = yield* two.end
      yield* gateLeft.open
      const first = yield* one.end
      assert.strictEqual(lastText(first.events), "l1 l2 ")
      assert.strictEqual(lastText(second.events), "r1 r2 ")
      assert.notInclude(JSON.stringify(first.events), "r1 ")
      assert.notInclude(JSON.stringify(second.events), "l1 ")
    }))
})
