/**
 * What omp does by itself: it goes on when a job in the background is done.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { AgentBackend, type AgentEvent, type TurnInput } from "../../../src/agent/index.ts"
import { ConformanceDriver } from "../../support/ConformanceDriver.ts"
import * as FakeChat from "../../support/FakeChat.ts"
import { rpc } from "../../support/ompDriver.ts"

const says = (text: string): TurnInput => ({ input: [{ _tag: "Text", text }] })

const outline = (events: ReadonlyArray<AgentEvent>): ReadonlyArray<string> =>
  events.flatMap((event) => {
    switch (event._tag) {
      case "TurnStarted":
        return ["started"]
      case "ItemCompleted":
        return event.item._tag === "AgentMessage" ? [event.item.text] : []
      case "TurnEnded":
        return [event.outcome._tag]
      default:
        return []
    }
  })

const job: FakeChat.Step = {
  tools: [{ name: "bash", args: { command: "sleep 1; echo late", async: true, i: "later" } }]
}

const open = Effect.gen(function*() {
  const { session } = yield* ConformanceDriver
  return yield* Effect.flatMap(
    AgentBackend,
    (backend) => backend.openSession({ ...session, approvalPolicy: "never", sandbox: "danger-full-access" })
  )
})

const live = (title: string, body: () => Effect.Effect<void, unknown, Bench>) =>
  it.live(title, () => Effect.provide(body(), rpc({ settings: { async: { enabled: true } } })), 60_000)

describe("a job of omp in the background", () => {
  live("belongs to its turn, which ends when the agent has gone on after it", () =>
    Effect.gen(function*() {
      const chat = yield* FakeChat.FakeChat
      const session = yield* open
      yield* chat.push(job, { text: ["I wait."] }, { text: ["It was late."] })
      const turn = yield* session.startTurn(says("Begin"))
      const events = yield* Stream.runCollect(turn.events)
      assert.deepStrictEqual(outline(events), ["started", "I wait.", "It was late.", "Completed"])
    }).pipe(Effect.scoped))

  live("that outlives its turn is a turn of the agent's own", () =>
    Effect.gen(function*() {
      const chat = yield* FakeChat.FakeChat
      const session = yield* open
      const own = yield* session.events.pipe(
        Stream.takeUntil(({ _tag }) => _tag === "TurnEnded"),
        Stream.runCollect,
        Effect.forkScoped({ startImmediately: true })
      )
      yield* chat.push(job, { text: ["I wait."] }, { text: ["It was late."] })
      const turn = yield* session.startTurn(says("Begin"))
      yield* Stream.runForEach(turn.events, (event) =>
        event._tag === "ItemCompleted" && event.item._tag === "AgentMessage"
          ? Effect.asVoid(turn.interrupt)
          : Effect.void)
      assert.strictEqual((yield* turn.outcome)._tag, "Interrupted")
      assert.deepStrictEqual(outline(yield* Fiber.join(own)), ["started", "It was late.", "Completed"])
      yield* chat.push({ text: ["Still here."] })
      const after = yield* session.startTurn(says("And now?"))
      assert.deepStrictEqual(outline(yield* Stream.runCollect(after.events)), ["started", "Still here.", "Completed"])
    }).pipe(Effect.scoped))
})

type Bench = AgentBackend | ConformanceDriver | FakeChat.FakeChat
