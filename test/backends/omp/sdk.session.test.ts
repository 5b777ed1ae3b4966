import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Stream from "effect/Stream"
import {
  AgentBackend,
  type AgentSession,
  type ApprovalRequest,
  type QuestionRequest,
  type SessionOptions,
  type TurnHostService
} from "../../../src/agent/index.ts"
import { ConformanceDriver } from "../../support/ConformanceDriver.ts"
import { completed, hosted, lastText, text } from "../../support/conformanceKit.ts"
import * as FakeChat from "../../support/FakeChat.ts"
import * as Gate from "../../support/Gate.ts"
import * as McpServer from "../../support/McpServer.ts"
import { close, isBun, layerSdk, OmpProcess } from "../../support/ompSdkDriver.ts"

const open = Effect.fnUntraced(function*(options: SessionOptions = {}, host: Partial<TurnHostService> = {}) {
  const { session } = yield* ConformanceDriver
  return yield* hosted((yield* AgentBackend).openSession({ ...session, ...options }), host)
})

const start = (session: AgentSession, message: string, host: Partial<TurnHostService> = {}) =>
  hosted(session.startTurn(text(message)), host)

const oneTurn = Effect.fnUntraced(
  function*(session: AgentSession, message: string, host: Partial<TurnHostService> = {}) {
    const turn = yield* start(session, message, host)
    return { events: yield* Stream.runCollect(turn.events), outcome: yield* turn.outcome }
  }
)

const trusted: SessionOptions = { approvalPolicy: "never", sandbox: "danger-full-access" }

const requested = Effect.flatMap(FakeChat.FakeChat, ({ requests }) => requests)

/** What the model says from now on; earlier tests have left nothing of theirs. */
const script = Effect.fnUntraced(function*(...steps: ReadonlyArray<FakeChat.Step>) {
  const chat = yield* FakeChat.FakeChat
  const left = [...steps]
  yield* chat.fallback(() => left.shift() ?? { text: ["nothing more"] })
})

const call = (name: string, args: Record<string, string | boolean | Array<object>>): FakeChat.Step => ({
  tools: [{ name, args: { ...args, i: "trying" } }]
})

const suite = () => {
  afterAll(() => Effect.runPromise(close))

  it.live("a goal goes on by itself in turns of the agent's own, until the model says that it is reached", () =>
    Effect.gen(function*() {
      const session = yield* open(trusted)
      const told = yield* session.events.pipe(
        Stream.takeUntil((event) => event._tag === "GoalUpdated" && event.goal?.status === "complete"),
        Stream.runCollect,
        Effect.forkChild({ startImmediately: true })
      )
      yield* script(
        call("bash", { command: "echo first" }),
        { text: ["half way"] },
        call("goal", { op: "complete" }),
        { text: ["reached"] }
      )
      assert.deepInclude(yield* session.setGoal({ objective: "ship it", tokenBudget: 1_000_000 }), {
        objective: "ship it",
        status: "active",
        tokenBudget: 1_000_000
      })
      const events = yield* Fiber.join(told)
      assert.strictEqual(events.filter(({ _tag }) => _tag === "TurnStarted").length, 2)
      assert.strictEqual(lastText(events), "half way")
      assert.deepInclude(yield* session.getGoal, { status: "complete" })
      const requests = yield* requested
      const begun = requests.filter((request) => FakeChat.textsOf(request, "user").join().includes("ship it"))
      assert.isNotEmpty(begun)
    }).pipe(Effect.provide(layerSdk)))

  it.live("a goal that a person interrupts is paused, and does not go on", () =>
    Effect.gen(function*() {
      const session = yield* open(trusted)
      yield* script({ text: ["on my ", "way"], hang: true })
      const begun = yield* session.events.pipe(
        Stream.filter(({ _tag }) => _tag === "ItemDelta"),
        Stream.runHead,
        Effect.forkChild({ startImmediately: true })
      )
      yield* session.setGoal({ objective: "ship it" })
      yield* Fiber.join(begun)
      yield* session.interruptOwn ?? Effect.die(new Error("own turns cannot be interrupted"))
      assert.deepInclude(yield* session.getGoal, { status: "paused" })
      const before = (yield* requested).length
      yield* Effect.sleep("1200 millis")
      assert.strictEqual((yield* requested).length, before)
      assert.deepInclude(yield* session.setGoal({ objective: "another" }), { objective: "another", status: "active" })
      yield* session.clearGoal
      assert.isNull(yield* session.getGoal)
    }).pipe(Effect.provide(layerSdk)))

  it.live("what an agent of the agent's does is asked about, too", () =>
    Effect.gen(function*() {
      const asked: Array<ApprovalRequest> = []
      const session = yield* open()
      yield* script(
        call("task", { context: "There is one thing to do.", tasks: [{ name: "One", task: "run it" }] }),
        call("bash", { command: "touch of-the-other" }),
        call("yield", { type: "result", data: "could not" }),
        { text: ["all done"] }
      )
      const { events } = yield* oneTurn(session, "have it done", {
        approve: (request) => {
          asked.push(request)
          return Effect.succeed("decline")
        }
      })
      assert.strictEqual(lastText(events), "all done")
      assert.deepStrictEqual(
        asked.flatMap((request) => request._tag === "Command" ? [request.command] : []),
        ["touch of-the-other"]
      )
      const ofTheOther = (yield* requested).filter((request) =>
        FakeChat.textsOf(request, "user").some((said) => said.includes("run it"))
      )
      assert.include(JSON.stringify(ofTheOther.at(-1)?.json), "The user declined this.")
      // It is none of this agent's commands.
      assert.isEmpty(completed(events, "CommandExecution"))
    }).pipe(Effect.provide(layerSdk)))

  it.live("several questions of the model's are one request, with its ids", () =>
    Effect.gen(function*() {
      const requests: Array<QuestionRequest> = []
      const session = yield* open()
      const options = [{ label: "red", description: "warm" }, { label: "blue" }]
      yield* script(
        call("ask", {
          questions: [{ id: "one", question: "Which?", options, multi: true }, { id: "two", question: "And?", options }]
        }),
        { text: ["noted"] }
      )
      const { outcome } = yield* oneTurn(session, "ask me", {
        answer: (request) => {
          requests.push(request)
          return Effect.succeed({ one: ["red", "blue"], two: ["a shade of green"] })
        }
      })
      assert.strictEqual(outcome._tag, "Completed")
      assert.deepStrictEqual(requests.map(({ questions }) => questions.map(({ id }) => id)), [["one", "two"]])
      assert.deepStrictEqual(requests[0]?.questions[0]?.options, [
        { label: "red", description: "warm" },
        { label: "blue", description: "" }
      ])
      const told = JSON.stringify((yield* requested).at(-1)?.json)
      assert.match(told, /red.*blue.*a shade of green/s)
    }).pipe(Effect.provide(layerSdk)))

  describe("an interruption takes no longer than 200 ms", () => {
    it.live("before the run begins", () =>
      Effect.gen(function*() {
        const session = yield* open()
        const turn = yield* start(session, "never answered")
        const [duration, { outcome }] = yield* Effect.timed(turn.interrupt)
        assert.deepStrictEqual(outcome, { _tag: "Interrupted", requested: true, confirmed: true })
        assert.isBelow(Duration.toMillis(duration), 200)
      }).pipe(Effect.provide(layerSdk)))

    it.live("in the middle of an answer, and of a command", () =>
      Effect.gen(function*() {
        const session = yield* open(trusted)
        const steps: ReadonlyArray<FakeChat.Step> = [
          { text: ["so ", "far"], hang: true },
          call("bash", { command: "sleep 30" })
        ]
        for (const step of steps) {
          yield* script(step)
          const turn = yield* start(session, "go on for long")
          yield* turn.events.pipe(Stream.takeUntil(({ _tag }) => _tag === "ItemStarted"), Stream.runDrain)
          const [duration, { outcome }] = yield* Effect.timed(turn.interrupt)
          assert.deepStrictEqual(outcome, { _tag: "Interrupted", requested: true, confirmed: true })
          assert.isBelow(Duration.toMillis(duration), 200)
        }
      }).pipe(Effect.provide(layerSdk)))
  })

  it.live("what is chosen for a session is not written into the user's settings", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const { home } = yield* OmpProcess
      const config = path.join(home.agentDir, "config.yml")
      const before = yield* fs.readFileString(config)
      yield* Effect.scoped(Effect.gen(function*() {
        const session = yield* open({ effort: "low" })
        yield* script({ text: ["one"] }, { text: ["two"] })
        yield* oneTurn(session, "first")
        yield* Effect.flatMap(
          hosted(session.startTurn({ ...text("second"), model: "fake/fake-2", effort: "high" }), {}),
          ({ outcome }) => outcome
        )
        assert.strictEqual(session.model, "fake/fake-2")
      }))
      const models = (yield* requested).flatMap(({ body }) => Option.isSome(body) ? [body.value.model] : [])
      assert.deepStrictEqual(models.slice(-2), ["fake-1", "fake-2"])
      // It would be written a moment later.
      yield* Effect.sleep("500 millis")
      assert.strictEqual(yield* fs.readFileString(config), before)
    }).pipe(Effect.provide(layerSdk)))

  it.live("what the user has written for a directory is in force, and instructions come behind it", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const { cwd = "" } = (yield* ConformanceDriver).session
      yield* fs.makeDirectory(path.join(cwd, ".omp"))
      yield* fs.writeFileString(path.join(cwd, ".omp", "APPEND_SYSTEM.md"), "The user's own rule.")
      const session = yield* open({ developerInstructions: "The host's rule." })
      yield* script({ text: ["as you say"] })
      yield* oneTurn(session, "hello")
      assert.match(
        JSON.stringify((yield* requested).at(-1)?.json),
        /The user's own rule\..*The host's rule\./s
      )
    }).pipe(Effect.provide(layerSdk)))

  it.live("servers that the user has set up are there, and asked about by their names", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const { cwd = "" } = (yield* ConformanceDriver).session
      const servers = { mcpServers: { tiny: { command: process.execPath, args: [McpServer.program] } } }
      yield* fs.makeDirectory(path.join(cwd, ".omp"))
      yield* fs.writeFileString(path.join(cwd, ".omp", "mcp.json"), JSON.stringify(servers))
      const asked: Array<ApprovalRequest> = []
      const session = yield* open()
      yield* script({ tools: [{ name: "mcp__tiny_echo", args: { text: "hello there" } }] }, { text: ["done"] })
      const { events } = yield* oneTurn(session, "use it", {
        approve: (request) => {
          asked.push(request)
          return Effect.succeed("accept")
        }
      })
      assert.deepStrictEqual(asked.map((request) => request._tag === "McpTool" ? request.server : request._tag), [
        "tiny"
      ])
      const item = completed(events, "McpToolCall")[0]?.item
      assert.deepInclude(item, { server: "tiny", tool: "echo", status: "completed" })
    }).pipe(Effect.provide(layerSdk)))

  it.live("text that looks like a command is said to the model, at first and later", () =>
    Effect.gen(function*() {
      const session = yield* open(trusted)
      const gate = yield* Gate.make
      yield* script({ text: ["working", gate] }, { text: ["done"] })
      const turn = yield* start(session, "/compact everything")
      yield* turn.events.pipe(Stream.takeUntil(({ _tag }) => _tag === "ItemDelta"), Stream.runDrain)
      yield* turn.steer(text("/usage of this"))
      yield* gate.open
      yield* turn.outcome
      const last = (yield* requested).at(-1)
      assert(last !== undefined)
      // Behind what omp itself says to the model about it.
      const said = FakeChat.textsOf(last, "user").map((each) => each.split("\n").at(-1)?.trim())
      assert.includeMembers(said, ["/compact everything", "/usage of this"])
    }).pipe(Effect.provide(layerSdk)))

  it.live("sessions of one process are closed one by one, and the others go on", () =>
    Effect.gen(function*() {
      const kept = yield* open(trusted)
      yield* Effect.scoped(open(trusted))
      yield* script(call("bash", { command: "echo still" }), { text: ["still here"] })
      const { events } = yield* oneTurn(kept, "are you there?")
      assert.strictEqual(lastText(events), "still here")
      assert.strictEqual(completed(events, "CommandExecution")[0]?.item.status, "completed")
    }).pipe(Effect.provide(layerSdk)))

  it.live("a model that there is not is refused by its name", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(open({ model: "fake/none-such" }))
      assert.strictEqual(error.reason._tag, "InvalidInput")
      assert.include(error.message, "none-such")
    }).pipe(Effect.provide(layerSdk)))
}

if (isBun) describe("omp in process", suite)
else it.skip("omp in process (omp's SDK runs on Bun alone: npm run test:bun)", () => {})
