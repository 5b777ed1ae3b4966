/**
 * Real Codex clients drive a real omp.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import type * as Scope from "effect/Scope"
import * as Fs from "node:fs"
import * as FakeChat from "../../support/FakeChat.ts"
import * as Gate from "../../support/Gate.ts"
import { bridge, exec, said, threadOf } from "./kit.ts"
import { ompWorld, processesNaming, serve } from "./ompKit.ts"
import { connect } from "./server.ts"
import * as Tui from "./Tui.ts"

type Machine = FileSystem.FileSystem | NodeServices.NodeServices | Path.Path | Scope.Scope

const live = (name: string, test: () => Effect.Effect<void, unknown, Machine>) =>
  it.live(name, () => test().pipe(Effect.scoped, Effect.provide(NodeServices.layer)), 180_000)

const bash = (command: string, id: string): FakeChat.Step => ({
  tools: [{ name: "bash", args: { command, i: "try" }, id }]
})

describe("codex exec --remote on omp", () => {
  live("runs turns, and goes on after the bridge was killed", () =>
    Effect.gen(function*() {
      const here = yield* ompWorld
      const first = yield* serve(here)
      yield* here.chat.push(
        {
          reasoning: ["Let me see."],
          text: ["I look."],
          tools: [{ name: "read", args: { path: "note.txt", i: "r" } }]
        },
        { text: ["The note ", "says plum."] }
      )
      Fs.writeFileSync(`${here.home.work}/note.txt`, "plum\n")
      const ran = yield* exec(here, ["--remote", first.url, "What does the note say?"])
      assert.strictEqual(ran.code, 0, ran.stderr)
      assert.deepStrictEqual(said(ran), ["I look.", "The note says plum."])
      const thread = threadOf(ran)

      yield* first.kill
      const again = yield* serve(here)
      yield* here.chat.push({ text: ["Plum, as I said."] })
      const resumed = yield* exec(here, ["resume", "--remote", again.url, thread, "Again?"])
      assert.strictEqual(resumed.code, 0, resumed.stderr)
      assert.deepStrictEqual(said(resumed), ["Plum, as I said."])
      const request = (yield* here.chat.requests).filter(FakeChat.isTurn).at(-1)
      assert(request !== undefined)
      const texts = FakeChat.textsOf(request, "user").join("\n")
      assert.include(texts, "What does the note say?")
      assert.include(texts, "Again?")
    }))
})

describe("codex exec --remote on agents in the bridge's own process", () => {
  for (const [backend, runtime] of [["omp-sdk", "bun"], ["pi", "node"], ["pi", "bun"]] as const) {
    live(`${backend} on ${runtime}: runs turns, and goes on after the bridge was killed`, () =>
      Effect.gen(function*() {
        const here = yield* ompWorld
        const options = { runtime, agentBin: undefined }
        const first = yield* bridge(here, backend, "unix", options)
        yield* here.chat.push(
          { text: ["I look."], tools: [{ name: "read", args: { path: "note.txt", i: "r" } }] },
          { text: ["The note ", "says plum."] }
        )
        Fs.writeFileSync(`${here.home.work}/note.txt`, "plum\n")
        const ran = yield* exec(here, ["--remote", first.url, "What does the note say?"])
        assert.strictEqual(ran.code, 0, ran.stderr)
        assert.deepStrictEqual(said(ran), ["I look.", "The note says plum."])
        yield* first.kill
        const again = yield* bridge(here, backend, "unix", options)
        yield* here.chat.push({ text: ["Plum, as I said."] })
        const resumed = yield* exec(here, ["resume", "--remote", again.url, threadOf(ran), "Again?"])
        assert.strictEqual(resumed.code, 0, resumed.stderr)
        assert.deepStrictEqual(said(resumed), ["Plum, as I said."])
        const request = (yield* here.chat.requests).filter(FakeChat.isTurn).at(-1)
        assert.include(JSON.stringify(request?.json), "What does the note say?")
      }))
  }
})

describe("a client of its own on omp", () => {
  live("has a goal pursued up to its budget", () =>
    Effect.gen(function*() {
      const here = yield* ompWorld
      const client = yield* connect((yield* serve(here)).url)
      const { thread } = yield* client.ask("thread/start", { cwd: here.home.work, model: "fake/fake-1" })
      const threadId = thread.id
      yield* client.ask("thread/goal/set", { threadId, objective: "Ship the thing", tokenBudget: 1500 })
      const goals = () => client.allTold("thread/goal/updated").map(({ goal }) => [goal.status, goal.tokensUsed])
      const say = Effect.fnUntraced(function*(text: string) {
        yield* here.chat.push({ text: ["Some of it."], usage: { input: 1000, cachedInput: 100, output: 50 } })
        const { turn } = yield* client.ask("turn/start", {
          threadId,
          input: [{ type: "text", text, text_elements: [] }]
        })
        yield* client.told("turn/completed", (params) => params.turn.id === turn.id)
      })
      yield* say("Begin")
      const { goal } = yield* client.ask("thread/goal/get", { threadId })
      assert.strictEqual(goal?.status, "active")
      assert.isAbove(goal?.tokensUsed ?? 0, 0)
      yield* say("Go on")
      yield* say("Go on")
      assert.strictEqual(goals().at(-1)?.[0], "budgetLimited")
      const told = (yield* here.chat.requests).filter(FakeChat.isTurn)
      assert.include(JSON.stringify(told[1]?.json), "Ship the thing")
      const { thread: read } = yield* client.ask("thread/read", { threadId, includeTurns: true })
      assert.notInclude(JSON.stringify(read.turns), "Ship the thing")
    }))

  live("that says nothing of approvals is asked, as it is shown", () =>
    Effect.gen(function*() {
      const here = yield* ompWorld
      const client = yield* connect((yield* serve(here)).url)
      const started = yield* client.ask("thread/start", { cwd: here.home.work, model: "fake/fake-1" })
      assert.strictEqual(started.approvalPolicy, "on-request")
      assert.strictEqual(started.sandbox.type, "workspaceWrite")
      yield* here.chat.push(bash("touch made", "call_1"))
      const threadId = started.thread.id
      const { turn } = yield* client.ask("turn/start", {
        threadId,
        input: [{ type: "text", text: "Make it", text_elements: [] }]
      })
      const { params } = yield* client.asked("item/commandExecution/requestApproval")
      assert.deepInclude(params, { threadId, turnId: turn.id, itemId: "call_1", command: "touch made" })
      yield* client.ask("turn/interrupt", { threadId, turnId: turn.id })
      const { turn: ended } = yield* client.told("turn/completed", (end) => end.turn.id === turn.id)
      assert.strictEqual(ended.status, "interrupted")
      assert.isFalse(Fs.existsSync(`${here.home.work}/made`))
    }))

  live("sees omp die in the middle of a turn, and goes on with what it knew", () =>
    Effect.gen(function*() {
      const here = yield* ompWorld
      const client = yield* connect((yield* serve(here)).url)
      const { thread } = yield* client.ask("thread/start", { cwd: here.home.work, model: "fake/fake-1" })
      const threadId = thread.id
      const start = (text: string) =>
        Effect.map(
          client.ask("turn/start", { threadId, input: [{ type: "text", text, text_elements: [] }] }),
          ({ turn }) => turn.id
        )
      yield* here.chat.push({ text: ["Plum it is."] })
      const first = yield* start("The word is plum")
      yield* client.told("turn/completed", ({ turn }) => turn.id === first)
      yield* here.chat.push({ text: ["Half of it"], hang: true })
      const second = yield* start("Tell me")
      yield* client.told("item/agentMessage/delta", ({ turnId }) => turnId === second)
      for (const pid of yield* processesNaming(here.omp.agentDir, "--mode")) process.kill(pid, "SIGKILL")
      const { turn } = yield* client.told("turn/completed", (params) => params.turn.id === second)
      assert.strictEqual(turn.status, "failed")
      assert.include(turn.error?.message, "SIGKILL")
      yield* here.chat.push({ text: ["Plum."] })
      const third = yield* start("Which word?")
      const { turn: after } = yield* client.told("turn/completed", (params) => params.turn.id === third)
      assert.strictEqual(after.status, "completed")
      const request = (yield* here.chat.requests).filter(FakeChat.isTurn).at(-1)
      assert.include(JSON.stringify(request?.json), "The word is plum")
    }))
})

describe.skipIf(Tui.missing !== undefined)("the TUI on omp", () => {
  live(
    "shows what omp does: text, a command by key, an edit with its diff, a plan, and its question",
    () =>
      Effect.gen(function*() {
        const here = yield* ompWorld
        const { url } = yield* serve(here)
        const tui = yield* Tui.ready(here, url)
        const gate = yield* Gate.make
        yield* here.chat.push({ text: ["The first line\n\n", gate, "The second line\n"] })
        yield* tui.submit("Speak")
        assert.notInclude(yield* tui.shows("The first line"), "The second line")
        yield* gate.open
        yield* tui.shows("The second line")

        yield* here.chat.push(bash("echo it is made > made.txt; cat made.txt", "call_1"), { text: ["It went well."] })
        yield* tui.submit("Make it")
        yield* tui.shows("Would you like to run the following command?")
        yield* tui.press("y")
        yield* tui.shows("It went well.")
        yield* tui.shows("it is made")

        yield* here.chat.push(
          { tools: [{ name: "write", args: { path: "made.txt", content: "it is better\n", i: "w" }, id: "call_2" }] },
          { text: ["Better now."] }
        )
        yield* tui.submit("Better")
        yield* tui.until(
          "the edit or the question",
          (screen) => screen.includes("Better now.") || screen.includes("Would you like to make the following edits?")
        )
        yield* tui.press("y")
        yield* tui.shows("Better now.")
        yield* tui.shows("made.txt (+1 -1)")
        yield* tui.shows("it is better")

        yield* here.chat.push(
          {
            tools: [{
              name: "todo",
              args: { op: "init", list: [{ phase: "Work", items: ["First", "Second"] }], i: "t" },
              id: "call_3"
            }]
          },
          { text: ["That is the plan."] }
        )
        yield* tui.submit("Plan")
        yield* tui.shows("That is the plan.")
        yield* tui.shows("Updated Plan")
        yield* tui.shows("Second")
      })
  )

  live("steers, interrupts, compacts, chooses a model, and sets a goal", () =>
    Effect.gen(function*() {
      const here = yield* ompWorld
      const { url } = yield* serve(here)
      const tui = yield* Tui.ready(here, url)
      const gate = yield* Gate.make
      yield* here.chat.push({ text: ["Counting\n\n", gate, "one\n"] }, { text: ["Backwards then.\n"] })
      yield* tui.submit("Count")
      yield* tui.shows("Counting")
      yield* tui.submit("But backwards")
      yield* tui.until("the steer as sent", (screen) => screen.includes("Ask Codex to do anything"))
      yield* gate.open
      yield* tui.shows("Backwards then.")

      yield* here.chat.push({ text: ["Forever\n\n"], hang: true })
      yield* tui.submit("Go on")
      yield* tui.shows("Forever")
      yield* tui.press("Escape")
      yield* tui.shows("Conversation interrupted")

      yield* tui.submit("/compact")
      yield* tui.shows("Context compacted")

      yield* tui.submit("/model")
      yield* tui.shows("Select Model and Effort")
      yield* tui.press("2")
      yield* tui.shows("Select Reasoning Level for")
      yield* tui.press("3")
      yield* tui.shows("Model changed to")
      yield* here.chat.push({ text: ["Yes, another.\n"] })
      yield* tui.submit("Is it you?")
      yield* tui.shows("Yes, another.")
      const asked = (yield* here.chat.requests).filter(FakeChat.isTurn).at(-1)
      assert.deepInclude(asked?.json, { model: "fake-2", reasoning_effort: "high" })

      yield* tui.submit("/goal Ship the thing")
      yield* tui.shows("Goal active")
      yield* here.chat.push({ text: ["On it.\n"] })
      yield* tui.submit("How is it going?")
      yield* tui.shows("On it.")
      const told = (yield* here.chat.requests).filter(FakeChat.isTurn).at(-1)
      assert.include(JSON.stringify(told?.json), "Ship the thing")
    }))

  live("comes back to a bridge that was killed in the middle of a turn", () =>
    Effect.gen(function*() {
      const here = yield* ompWorld
      const first = yield* serve(here)
      const tui = yield* Tui.ready(here, first.url)
      yield* here.chat.push({ text: ["All is well.\n"] })
      yield* tui.submit("Hello")
      yield* tui.shows("All is well.")
      yield* here.chat.push({ text: ["Half of it\n\n"], hang: true })
      yield* tui.submit("Tell me")
      yield* tui.shows("Half of it")
      yield* first.kill
      yield* tui.shows("Reconnecting")
      yield* serve(here)
      yield* tui.shows("Conversation interrupted")
      yield* here.chat.push({ text: ["Here again.\n"] })
      yield* tui.submit("Still there?")
      yield* tui.shows("Here again.")
      const told = (yield* here.chat.requests).filter(FakeChat.isTurn).at(-1)
      for (const text of ["Hello", "All is well.", "Still there?"]) assert.include(JSON.stringify(told?.json), text)
    }))
})
