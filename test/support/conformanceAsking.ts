/**
 * The part of the conformance suite in which the agent asks its host.
 */
import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TurnHostError, type TurnHostService } from "../../src/agent/index.ts"
import {
  assertWellFormed,
  completed,
  lastText,
  oneTurn,
  openSession,
  type Registrar,
  startTurn
} from "./conformanceKit.ts"

export const registerAsking = ({ testOf, testRefusal }: Registrar): void => {
  describe("approvals", () => {
    const decided = Effect.fnUntraced(function*(kind: "command" | "patch", host: Partial<TurnHostService>) {
      const session = yield* openSession()
      const turn = yield* startTurn(session, { kind, answer: "That was it." }, host)
      const events = yield* Stream.runCollect(turn.events)
      assertWellFormed(turn, events)
      const [item] = completed(events, kind === "command" ? "CommandExecution" : "FileChange")
      const opened = events.filter((event) => event._tag === "RequestOpened" && event.kind === "approval")
      const resolved = events.flatMap((event) => event._tag === "RequestResolved" ? [event.resolution] : [])
      assert.strictEqual(opened.length, 1)
      return { events, status: item?.item.status, resolved, outcome: yield* turn.outcome }
    })

    for (const kind of ["command", "patch"] as const) {
      testOf(kind, `${kind}: accepted, it is carried out`, () =>
        Effect.gen(function*() {
          const asked: Array<string> = []
          const result = yield* decided(kind, {
            approve: (request) => Effect.sync(() => (asked.push(request._tag), "accept"))
          })
          assert.deepStrictEqual(asked, [kind === "command" ? "Command" : "FileChange"])
          assert.strictEqual(result.status, "completed")
          assert.deepStrictEqual(result.resolved, ["accept"])
          assert.strictEqual(lastText(result.events), "That was it.")
          assert.strictEqual(result.outcome._tag, "Completed")
        }))

      testOf(kind, `${kind}: declined, it is not carried out, and the turn goes on`, () =>
        Effect.gen(function*() {
          const result = yield* decided(kind, { approve: () => Effect.succeed("decline") })
          assert.strictEqual(result.status, "declined")
          assert.strictEqual(lastText(result.events), "That was it.")
          assert.strictEqual(result.outcome._tag, "Completed")
        }))

      testOf(
        kind,
        `${kind}: cancelled, it is not carried out, and the turn is interrupted`,
        () =>
          Effect.gen(function*() {
            const result = yield* decided(kind, { approve: () => Effect.succeed("cancel") })
            assert.include(["declined", "interrupted"], result.status)
            assert.strictEqual(result.outcome._tag, "Interrupted")
            assert.strictEqual(lastText(result.events), undefined)
          })
      )
    }

    const broken: Readonly<Record<string, TurnHostService["approve"]>> = {
      "fails": () => Effect.fail(new TurnHostError({ message: "nobody there" })),
      "dies": () => Effect.die(new Error("a bug of the host's")),
      "throws": () => {
        throw new Error("a bug of the host's")
      },
      "is interrupted": () => Effect.interrupt
    }
    for (const [how, approve] of Object.entries(broken)) {
      testOf("command", `a handler that ${how} is a refusal, and the turn goes on`, () =>
        Effect.gen(function*() {
          const result = yield* decided("command", { approve })
          assert.strictEqual(result.status, "declined")
          assert.deepStrictEqual(result.resolved, ["failed"])
          assert.strictEqual(result.outcome._tag, "Completed")
        }))
    }

    testOf("command", "without a handler everything is declined at once", () =>
      Effect.gen(function*() {
        const result = yield* decided("command", {})
        assert.strictEqual(result.status, "declined")
        assert.strictEqual(result.outcome._tag, "Completed")
      }))

    testOf(
      "sessionApproval",
      "accepted for the session, the same command is not asked for again",
      () =>
        Effect.gen(function*() {
          const session = yield* openSession()
          let asked = 0
          const host: Partial<TurnHostService> = {
            approve: () => Effect.sync(() => (asked++, "acceptForSession"))
          }
          for (const answer of ["first", "second"]) {
            const turn = yield* startTurn(session, { kind: "command", answer }, host)
            const events = yield* Stream.runCollect(turn.events)
            assertWellFormed(turn, events)
            assert.strictEqual(completed(events, "CommandExecution")[0]?.item.status, "completed")
          }
          assert.strictEqual(asked, 1)
        })
    )

    testRefusal("command", "a policy of asking", () => openSession({ approvalPolicy: "untrusted" }))
  })

  describe("host tools", () => {
    const tool = {
      name: "look_up",
      description: "Looks a word up",
      inputSchema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] }
    }
    const called = Effect.fnUntraced(function*(host: Partial<TurnHostService>, name = tool.name) {
      const session = yield* openSession({}, host)
      const behaviour = { kind: "hostTool", tool: name, arguments: { word: "waist" }, answer: "Looked up." } as const
      const turn = yield* startTurn(session, behaviour, host)
      const events = yield* Stream.runCollect(turn.events)
      assertWellFormed(turn, events)
      assert.strictEqual((yield* turn.outcome)._tag, "Completed")
      assert.strictEqual(lastText(events), "Looked up.")
      return completed(events, "DynamicToolCall")[0]?.item
    })

    testOf("hostTool", "are called with their arguments, and their result goes back", () =>
      Effect.gen(function*() {
        const seen: Array<unknown> = []
        const item = yield* called({
          tools: [tool],
          callTool: (call) => {
            seen.push([call.tool, call.arguments])
            return Effect.succeed({ success: true, content: [{ _tag: "Text", text: "the narrow part" }] })
          }
        })
        assert.deepStrictEqual(seen, [["look_up", { word: "waist" }]])
        assert.strictEqual(item?.status, "completed")
        assert.deepStrictEqual(item?.content, [{ _tag: "Text", text: "the narrow part" }])
      }))

    const failing: Readonly<Record<string, TurnHostService["callTool"]>> = {
      "reports a failure": () => Effect.succeed({ success: false, content: [{ _tag: "Text", text: "no such word" }] }),
      "fails": () => Effect.fail(new TurnHostError({ message: "offline" })),
      "dies": () => Effect.die(new Error("a bug of the host's"))
    }
    for (const [how, callTool] of Object.entries(failing)) {
      testOf("hostTool", `one that ${how} is a failed item, and the turn goes on`, () =>
        Effect.gen(function*() {
          assert.strictEqual((yield* called({ tools: [tool], callTool }))?.status, "failed")
        }))
    }

    testOf(
      "hostTool",
      "one that the host does not have never succeeds, and the turn goes on",
      () =>
        Effect.gen(function*() {
          const item = yield* called({}, "not_there")
          assert.notStrictEqual(item?.status, "completed")
        })
    )

    testRefusal("hostTool", "a host's tools", () => openSession({}, { tools: [tool] }))
  })

  describe("questions", () => {
    const question = {
      id: "colour",
      header: "Colour",
      question: "Which colour?",
      isSecret: false,
      allowsOther: false,
      options: [{ label: "red", description: "warm" }, { label: "blue", description: "cold" }]
    }
    const asked = Effect.fnUntraced(function*(host: Partial<TurnHostService>) {
      const { events, outcome } = yield* oneTurn({ kind: "question", question, answer: "Noted." }, host)
      assert.strictEqual(outcome._tag, "Completed")
      assert.strictEqual(lastText(events), "Noted.")
      return events.flatMap((event) => event._tag === "RequestResolved" ? [event.resolution] : [])
    })

    testOf("question", "are answered by the host", () =>
      Effect.gen(function*() {
        const seen: Array<string> = []
        const resolved = yield* asked({
          answer: (request) => {
            seen.push(...request.questions.map((one) => one.id))
            return Effect.succeed({ colour: ["red"] })
          }
        })
        assert.deepStrictEqual(seen, ["colour"])
        assert.deepStrictEqual(resolved, ["answered"])
      }))

    testOf("question", "nobody answers do not hold the turn up", () => Effect.asVoid(asked({})))

    testOf("question", "whose handler dies do not hold the turn up", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* asked({ answer: () => Effect.die("a bug of the host's") }), ["failed"])
      }))
  })
}
