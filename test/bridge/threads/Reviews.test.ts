import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as BridgeBench from "../../support/BridgeBench.ts"
import * as OwnAgent from "./support/ownAgent.ts"

const steps = [
  { _tag: "Say", deltas: ["Let me look."], phase: "commentary" },
  { _tag: "Command", command: "git diff", output: ["+x\n"] },
  { _tag: "Say", deltas: ["No ", "issues."] }
] as const

const scenario = { turns: [{ match: "wait for it", steps: [{ _tag: "Hang" }] }], fallback: steps } as never

const started = Effect.gen(function*() {
  const { connect } = yield* BridgeBench.BridgeBench
  const client = yield* connect()
  const { thread } = yield* client.ask("thread/start", {})
  yield* client.told("thread/started")
  return { client, threadId: thread.id }
})

const typeOf = (params: unknown): string => /"type":"(\w+)"/.exec(JSON.stringify(params))?.[1] ?? ""

describe("a review", () => {
  it.effect("is a turn that shows what it is of, what was done for it, and what it came to", () =>
    Effect.gen(function*() {
      const agent = OwnAgent.make(scenario)
      yield* Effect.gen(function*() {
        const { client, threadId } = yield* started
        const from = client.seen.length
        const answer = yield* client.ask("review/start", {
          threadId,
          target: { type: "uncommittedChanges" },
          delivery: "inline"
        })
        const { turn } = yield* client.told("turn/completed")
        assert.strictEqual(answer.reviewThreadId, threadId)
        assert.strictEqual(answer.turn.id, turn.id)
        assert.deepStrictEqual(answer.turn.items, [{
          type: "userMessage",
          id: turn.id,
          clientId: null,
          content: OwnAgent.says("current changes"),
          startedAtMs: null,
          completedAtMs: null
        }])
        assert.deepStrictEqual(
          client.seen.slice(from).flatMap(({ method = "answer", params }) =>
            method.includes("elta") ? [] : [method.startsWith("item/") ? `${method} ${typeOf(params)}` : method]
          ),
          [
            "answer",
            "thread/status/changed",
            "turn/started",
            "item/started enteredReviewMode",
            "item/completed enteredReviewMode",
            "item/started userMessage",
            "item/completed userMessage",
            "item/started commandExecution",
            "item/completed commandExecution",
            "item/started exitedReviewMode",
            "item/completed exitedReviewMode",
            "item/started agentMessage",
            "item/completed agentMessage",
            "thread/readState/changed",
            "thread/status/changed",
            "turn/completed"
          ]
        )
        const entered = yield* client.told("item/completed", ({ item }) => item.type === "enteredReviewMode")
        assert.deepInclude(entered.item, { review: "current changes" })
        const exited = yield* client.told("item/completed", ({ item }) => item.type === "exitedReviewMode")
        assert.deepInclude(exited.item, { review: "No issues." })
        assert.deepInclude(turn.items[0], { type: "agentMessage", text: "No issues." })
        const said = yield* client.told("item/completed", ({ item }) => item.type === "userMessage")
        assert.deepInclude(said.item, { content: OwnAgent.says("current changes") })
        const [part] = agent.inputs[0]?.input ?? []
        assert(part?._tag === "Text")
        assert.match(part.text, /changes in this repository that are not committed/)
        const { thread } = yield* client.ask("thread/read", { threadId, includeTurns: true })
        assert.deepStrictEqual(thread.turns[0]?.items.map(({ type }) => type), [
          "enteredReviewMode",
          "userMessage",
          "commandExecution",
          "exitedReviewMode",
          "agentMessage"
        ])
      }).pipe(Effect.provide(BridgeBench.layer({ backend: agent.layer })))
    }))

  it.effect("names its target to people and to the agent", () =>
    Effect.gen(function*() {
      const agent = OwnAgent.make(scenario)
      yield* Effect.gen(function*() {
        const { client, threadId } = yield* started
        const review = (target: object) =>
          Effect.gen(function*() {
            const { turn } = yield* client.ask("review/start", { threadId, target: target as never })
            yield* client.told("turn/completed", (params) => params.turn.id === turn.id)
            const [part] = agent.inputs.at(-1)?.input ?? []
            const prompt = part?._tag === "Text" ? part.text : ""
            return { hint: /"text":"([^"]*)"/.exec(JSON.stringify(turn.items))?.[1], prompt }
          })
        const branch = yield* review({ type: "baseBranch", branch: "main" })
        assert.strictEqual(branch.hint, "changes against 'main'")
        assert.include(branch.prompt, "git merge-base HEAD main")
        const commit = yield* review({ type: "commit", sha: "0123456789abcdef", title: "Fix it" })
        assert.strictEqual(commit.hint, "commit 0123456: Fix it")
        assert.include(commit.prompt, "0123456789abcdef")
        assert.deepStrictEqual(yield* review({ type: "custom", instructions: "look" }), {
          hint: "look",
          prompt: "look"
        })
      }).pipe(Effect.provide(BridgeBench.layer({ backend: agent.layer })))
    }))

  it.effect("ends also when it is interrupted", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* started
      const target = { type: "custom", instructions: "wait for it" } as const
      const { turn } = yield* client.ask("review/start", { threadId, target })
      yield* client.told("item/completed", ({ item }) => item.type === "enteredReviewMode")
      yield* client.ask("turn/interrupt", { threadId, turnId: turn.id })
      const ended = yield* client.told("turn/completed")
      assert.strictEqual(ended.turn.status, "interrupted")
      const exited = yield* client.told("item/completed", ({ item }) => item.type === "exitedReviewMode")
      assert.deepInclude(exited.item, { review: "The review was interrupted." })
    }).pipe(Effect.provide(BridgeBench.layer({ scenario }))))

  it.effect("takes the place of a turn that runs", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* started
      const running = yield* client.ask("turn/start", { threadId, input: OwnAgent.says("wait for it") })
      yield* client.told("turn/started")
      const review = yield* client.ask("review/start", { threadId, target: { type: "custom", instructions: "look" } })
      yield* client.told("turn/completed", ({ turn }) => turn.id === review.turn.id)
      assert.deepStrictEqual(client.allTold("turn/completed").map(({ turn }) => [turn.id, turn.status]), [
        [running.turn.id, "interrupted"],
        [review.turn.id, "completed"]
      ])
    }).pipe(Effect.provide(BridgeBench.layer({ scenario }))))

  it.effect("of nothing is refused", () =>
    Effect.gen(function*() {
      const { client, threadId } = yield* started
      const refusal = (target: object, more: object = {}) =>
        client.refusal("review/start", { threadId, target, ...more })
      assert.strictEqual(yield* refusal({ type: "custom", instructions: " " }), "instructions must not be empty")
      assert.strictEqual(yield* refusal({ type: "baseBranch", branch: "" }), "branch must not be empty")
      assert.strictEqual(yield* refusal({ type: "commit", sha: "" }), "sha must not be empty")
      assert.match(yield* refusal({ type: "everything" }), /everything/)
      assert.match(yield* refusal({ type: "uncommittedChanges" }, { delivery: "detached" }), /detached/)
      assert.isEmpty(client.notifications("turn/started"))
    }).pipe(Effect.provide(BridgeBench.layer({ scenario }))))
})
