/**
 * The real Codex TUI on the bridge.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Gate from "../../support/Gate.ts"
import * as ModelTurn from "../../support/ModelTurn.ts"
import * as RecordedRequest from "../../support/RecordedRequest.ts"
import { bridge, clientHome, conversation, exec, patience, realServer, unattended, type World, world } from "./kit.ts"
import * as Tui from "./Tui.ts"

if (Tui.missing !== undefined) process.stderr.write(`\nTHE TUI IS NOT TESTED HERE: ${Tui.missing}\n\n`)

const live = (name: string, test: () => Effect.Effect<void, unknown, NodeServices.NodeServices | Scope.Scope>) =>
  it.live(name, () => test().pipe(Effect.scoped, Effect.provide(NodeServices.layer)), patience)

/** What the user has said, as the model was told last. */
const told = Effect.fnUntraced(function*({ model }: World) {
  const request = (yield* model.requests).at(-1)
  return request === undefined ? [] : RecordedRequest.userTexts(request)
})

/** Without what codex itself puts between. */
const spoken = (texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.filter((text) => !text.startsWith("<"))

/** A command that the agent may not run without leave. */
const leaveFor = (cmd: string) => ({
  cmd,
  sandbox_permissions: "require_escalated",
  justification: "It has to be.",
  yield_time_ms: 30_000
})

const command = (cmd: string, callId: string) =>
  ModelTurn.turn([ModelTurn.functionCall("exec_command", leaveFor(cmd), { callId })])

describe.skipIf(Tui.missing !== undefined)("the TUI", () => {
  live("talks to the scripted agent, and leaves", () =>
    Effect.gen(function*() {
      const here = yield* world()
      const { url } = yield* bridge(here, "scripted")
      const tui = yield* Tui.ready(here, url)
      yield* tui.submit("hello")
      yield* tui.shows("You said: hello")
      yield* tui.shows("Hello! I am the built-in scripted agent.")
      yield* tui.shows("Worked for")
      yield* tui.submit("/quit")
      assert.strictEqual(yield* tui.left, 0)
    }))

  live("shows what codex says while it says it, and begins anew", () =>
    Effect.gen(function*() {
      const here = yield* world()
      const { url } = yield* bridge(here, "codex-app-server")
      const tui = yield* Tui.ready(here, url)
      const gate = yield* Gate.make
      yield* here.model.push(ModelTurn.text("The first line\n\n", gate, "The second line\n"))
      yield* tui.submit("Speak")
      const half = yield* tui.shows("The first line")
      assert.notInclude(half, "The second line")
      yield* gate.open
      yield* tui.shows("The second line")

      yield* here.model.push(ModelTurn.text("Compacted to this."))
      yield* tui.submit("/compact")
      yield* tui.shows("Context compacted")

      yield* tui.submit("/new")
      yield* tui.until("an empty thread", (screen) => Tui.isReady(screen) && !screen.includes("The second line"))
      yield* here.model.push(ModelTurn.text("New here."))
      yield* tui.submit("Who are you?")
      yield* tui.shows("New here.")
      const texts = yield* told(here)
      assert.include(texts, "Who are you?")
      assert.notInclude(texts, "Speak")
    }))

  live("asks before a command runs", () =>
    Effect.gen(function*() {
      const here = yield* world()
      const { url } = yield* bridge(here, "codex-app-server")
      const tui = yield* Tui.ready(here, url)
      yield* here.model.push(command("touch made && echo it is made", "call_1"), ModelTurn.text("It went well."))
      yield* tui.submit("Make it")
      yield* tui.shows("Would you like to run the following command?")
      yield* tui.shows("touch made")
      yield* tui.shows("Environment: local")
      yield* tui.press("y")
      yield* tui.shows("It went well.")
      const request = (yield* here.model.requests).at(-1)
      assert(request !== undefined)
      assert.include(RecordedRequest.toolOutput(request, "call_1"), "it is made")

      yield* here.model.push(command("touch other", "call_2"))
      yield* tui.submit("Make another")
      yield* tui.until(
        "the second question",
        (screen) => screen.includes("touch other") && screen.includes("Would you")
      )
      yield* tui.press("Escape")
      yield* tui.until("the end", (screen) => /interrupted|canceled/i.test(screen) && !screen.includes("Would you"))
      assert.strictEqual(yield* here.model.left, 0)
      // The thread takes the next turn.
      yield* here.model.push(ModelTurn.text("At your service."))
      yield* tui.submit("Well then")
      yield* tui.shows("At your service.")
    }))

  live("steers and interrupts a turn, and takes one back", () =>
    Effect.gen(function*() {
      const here = yield* world()
      const { url } = yield* bridge(here, "codex-app-server")
      const tui = yield* Tui.ready(here, url)
      const gate = yield* Gate.make
      yield* here.model.push(ModelTurn.text("Counting\n\n", gate, "one\n"), ModelTurn.text("Backwards then.\n"))
      yield* tui.submit("Count")
      yield* tui.shows("Counting")
      yield* tui.submit("But backwards")
      yield* tui.until("the steer as sent", (screen) => screen.includes("Ask Codex to do anything"))
      yield* gate.open
      yield* tui.shows("Backwards then.")
      assert.deepStrictEqual((yield* told(here)).slice(-2), ["Count", "But backwards"])

      yield* here.model.push(ModelTurn.turn([ModelTurn.message(["Forever\n\n"]), ModelTurn.silence]))
      yield* tui.submit("Go on")
      yield* tui.shows("Forever")
      yield* tui.press("Escape")
      yield* tui.shows("interrupted")
      const asked = (yield* here.model.requests).at(-1)
      assert(asked !== undefined)
      assert.strictEqual(yield* asked.ended, "clientClosed")

      yield* here.model.push(ModelTurn.text("Something else.\n"))
      yield* tui.submit("Think")
      yield* tui.shows("Something else.")
      yield* tui.press("Escape")
      yield* tui.shows("esc again to edit previous message")
      yield* tui.press("Escape")
      yield* tui.shows("rewind")
      yield* tui.press("Enter")
      yield* tui.shows("Conversation reverted to this point.")
      yield* tui.until("the prompt to edit", (screen) =>
        /› Think\s*$/m.test(screen) && !screen.includes("Something else."))
      yield* here.model.push(ModelTurn.text("Thought over.\n"))
      yield* tui.submit(" harder", "› Think harder")
      yield* tui.shows("Thought over.")
      const after = yield* told(here)
      // The model remembers what stays, and nothing of what was taken back.
      assert.includeMembers([...after], ["Count", "But backwards", "Go on", "Think harder"])
      assert.notInclude(after, "Think")

      yield* tui.submit("/fork")
      yield* tui.until("the thread that it was forked from", (screen) =>
        /forked from/i.test(screen))
      yield* here.model.push(ModelTurn.text("Down another road.\n"))
      yield* tui.submit("Else")
      yield* tui.shows("Down another road.")
      assert.deepStrictEqual(spoken(yield* told(here)), [...spoken(after), "Else"])
    }))

  live("chooses a model", () =>
    Effect.gen(function*() {
      const here = yield* world({ fallback: ModelTurn.text("Yes.\n") })
      const { url } = yield* bridge(here, "codex-app-server")
      const tui = yield* Tui.ready(here, url)
      yield* tui.submit("/model")
      const choice = yield* tui.shows("Select Model and Effort")
      // What the client knows by a name, the agent by an id.
      const name = /2\. (GPT\S+)/.exec(choice)?.[1]
      assert(name !== undefined, choice)
      yield* tui.press("2")
      yield* tui.shows(`Select Reasoning Level for ${name}`)
      yield* tui.press("3")
      yield* tui.shows(`Model changed to ${name.toLowerCase()} high`)
      yield* tui.submit("Is it you?")
      yield* tui.shows("Yes.")
      const request = (yield* here.model.requests).at(-1)
      assert.deepInclude(request?.json, { model: name.toLowerCase() })
      assert.deepNestedInclude(request?.json, { "reasoning.effort": "high" })
    }))

  live("finds a thread again", () =>
    Effect.gen(function*() {
      const here = yield* world({ fallback: ModelTurn.text("Noted.\n") })
      const { url } = yield* bridge(here, "codex-app-server")
      const first = yield* exec(here, ["--remote", url, "The word is plum"])
      assert.strictEqual(first.code, 0, first.stderr)
      const tui = yield* Tui.start(here, "resume", "--remote", url)
      yield* tui.shows("Resume a previous session")
      yield* tui.shows("The word is plum")
      yield* tui.press("Enter")
      yield* tui.shows("• Noted.")
      yield* here.model.push(ModelTurn.text("Plum.\n"))
      yield* tui.submit("Which word?")
      yield* tui.shows("• Plum.")
      assert.includeMembers([...(yield* told(here))], ["The word is plum", "Which word?"])
    }))

  live("comes back to a bridge that was killed in the middle of a turn", () =>
    Effect.gen(function*() {
      const here = yield* world({ fallback: ModelTurn.text("Here again.\n") })
      const server = yield* bridge(here, "codex-app-server")
      const tui = yield* Tui.ready(here, server.url)
      yield* here.model.push(ModelTurn.text("All is well.\n"))
      yield* tui.submit("Hello")
      yield* tui.shows("All is well.")
      yield* here.model.push(ModelTurn.turn([ModelTurn.message(["Half of it\n\n"]), ModelTurn.silence]))
      yield* tui.submit("Tell me")
      yield* tui.shows("Half of it")
      yield* server.kill
      yield* tui.shows("Reconnecting")
      yield* bridge(here, "codex-app-server")
      yield* tui.shows("Conversation interrupted")
      const back = yield* tui.shows("Half of it")
      assert.include(back, "All is well.")
      yield* tui.submit("Still there?")
      yield* tui.shows("Here again.")
      assert.includeMembers([...(yield* told(here))], ["Hello", "Tell me", "Still there?"])
    }))

  live("shows a thread that it resumes as it shows one of the real server", () =>
    Effect.gen(function*() {
      const screens: Array<string> = []
      for (const serve of [realServer, (here: World) => bridge(here, "codex-app-server")]) {
        const here = yield* world(unattended)
        const server = yield* serve(here)
        const { thread } = yield* conversation(here, server)
        const tui = yield* Tui.start(here, "resume", "--remote", server.url, thread)
        const screen = yield* tui.until("the last answer", (screen) =>
          screen.includes("• Better.") && Tui.isReady(screen))
        screens.push(Tui.normal(here, screen))
      }
      assert.strictEqual(screens[1], screens[0])
    }))

  live("asks everybody who watches the thread, and whoever comes back to it", () =>
    Effect.gen(function*() {
      const here = yield* world()
      const { url } = yield* bridge(here, "codex-app-server")
      const scope = yield* Scope.fork(yield* Effect.scope)
      const one = yield* Scope.provide(Tui.ready(here, url), scope)
      yield* here.model.push(ModelTurn.text("Hello yourself.\n"))
      yield* one.submit("Hello")
      yield* one.shows("Hello yourself.")
      const come = Effect.gen(function*() {
        const tui = yield* Tui.start({ ...here, client: yield* clientHome }, "resume", "--remote", url, "--last")
        yield* tui.shows("Hello yourself.")
        return tui
      })
      const other = yield* Scope.provide(come, scope)
      yield* other.until("a composer", Tui.isReady)
      yield* here.model.push(command("echo first", "call_1"), ModelTurn.text("The first is done.\n"))
      yield* one.submit("Do the first")
      for (const tui of [one, other]) yield* tui.shows("Would you like to run the following command?")
      yield* other.press("y")
      for (const tui of [one, other]) {
        yield* tui.until("the end", (screen) => screen.includes("The first is done.") && !screen.includes("Would you"))
      }

      yield* here.model.push(command("echo second", "call_2"), ModelTurn.text("Let it be.\n"))
      yield* other.submit("Do the second")
      yield* one.shows("echo second")
      yield* Scope.close(scope, Exit.void)
      const later = yield* come
      yield* later.shows("Would you like to run the following command?")
      yield* later.shows("echo second")
      yield* later.press("d")
      yield* later.shows("Let it be.")
      const request = (yield* here.model.requests).at(-1)
      assert(request !== undefined)
      assert.include(RecordedRequest.toolOutput(request, "call_2"), "reject")
    }))

  live("shows a turn with everything in it as it shows one of the real server", () =>
    Effect.gen(function*() {
      const screens: Array<ReadonlyArray<string>> = []
      for (const serve of [realServer, (here: World) => bridge(here, "codex-app-server")]) {
        const answers: Array<ModelTurn.ModelTurn> = []
        const here = yield* world({
          // The real server asks the model for a title.
          fallback: (request) =>
            RecordedRequest.userTexts(request).some((text) => text.startsWith("Generate a concise"))
              ? ModelTurn.text(JSON.stringify({ title: "Do it all" }))
              : answers.shift() ?? ModelTurn.httpError(400)
        })
        const { url } = yield* serve(here)
        const tui = yield* Tui.ready(here, url)
        const plan = [{ step: "First", status: "completed" }, { step: "Second", status: "in_progress" }]
        answers.push(
          ModelTurn.turn([
            ModelTurn.reasoning({ summary: [["**Thinking** ", "about it"]] }),
            ModelTurn.message(["I ", "look.\n"], { phase: "commentary" }),
            ModelTurn.functionCall("exec_command", leaveFor("echo one; exit 2"), { callId: "call_1" })
          ]),
          ModelTurn.turn([ModelTurn.functionCall("update_plan", { plan })]),
          ModelTurn.turn([
            ModelTurn.applyPatch("*** Begin Patch\n*** Add File: made.txt\n+by the agent\n*** End Patch")
          ]),
          ModelTurn.turn([ModelTurn.message(["Done with **all**.\n"])])
        )
        yield* tui.submit("Do it all")
        yield* tui.shows("Would you like to run the following command?")
        yield* tui.press("y")
        yield* tui.shows("Would you like to make the following edits?")
        const question = yield* tui.shows("made.txt (+1 -0)")
        yield* tui.press("y")
        yield* tui.until("the end", (screen) => screen.includes("Done with all.") && screen.includes("Worked for"))
        answers.push(ModelTurn.httpError(400, { body: { error: { message: "no such thing" } } }))
        yield* tui.submit("Fail")
        yield* tui.shows("no such thing")
        const screen = yield* tui.until("an end", (screen) => Tui.isReady(screen) && screen.includes("· Do it all"))
        screens.push([question, screen].map((screen) => Tui.normal(here, screen)))
      }
      assert.deepStrictEqual(screens[1], screens[0])
    }))

  live("comes back to a bridge that was stopped in the middle of a turn", () =>
    Effect.gen(function*() {
      const here = yield* world()
      const server = yield* bridge(here, "codex-app-server")
      const tui = yield* Tui.ready(here, server.url)
      const gate = yield* Gate.make
      yield* here.model.push(ModelTurn.text("Half of it\n\n", gate, "and the rest\n"))
      yield* tui.submit("Tell me")
      yield* tui.shows("Half of it")
      // The turn is let finish first.
      const [code] = yield* Effect.all([server.stop, gate.open], { concurrency: 2 })
      assert.strictEqual(code, 0)
      yield* tui.shows("Reconnecting")
      yield* bridge(here, "codex-app-server")
      yield* tui.until("a composer", Tui.isReady)
      yield* here.model.push(ModelTurn.text("The other half\n"))
      yield* tui.submit("And then?")
      const screen = yield* tui.shows("The other half")
      assert.include(screen, "Half of it")
      assert.include(screen, "and the rest")
      assert.includeMembers([...(yield* told(here))], ["Tell me", "And then?"])
    }))

  live("shows a command that was interrupted as it shows one of the real server", () =>
    Effect.gen(function*() {
      const screens: Array<ReadonlyArray<string>> = []
      for (const serve of [realServer, (here: World) => bridge(here, "codex-app-server")]) {
        const answers = [command("sleep 100", "call_1"), ModelTurn.text("Never mind.\n")]
        const here = yield* world({
          fallback: (request) =>
            RecordedRequest.userTexts(request).some((text) => text.startsWith("Generate a concise"))
              ? ModelTurn.text(JSON.stringify({ title: "Run it" }))
              : answers.shift() ?? ModelTurn.httpError(400)
        })
        const { url } = yield* serve(here)
        const tui = yield* Tui.ready(here, url)
        yield* tui.submit("Run it")
        yield* tui.shows("Would you like to run the following command?")
        yield* tui.press("y")
        yield* tui.shows("Running sleep 100")
        yield* tui.press("Escape")
        yield* tui.shows("Conversation interrupted")
        const interrupted = yield* tui.until("an end", (screen) => Tui.isReady(screen) && screen.includes("· Run it"))
        yield* tui.submit("And now?")
        yield* tui.shows("Never mind.")
        const screen = yield* tui.until("an end", (screen) => Tui.isReady(screen) && screen.includes("Worked for"))
        const asked = (yield* here.model.requests).at(-1)
        assert(asked !== undefined)
        const output = RecordedRequest.toolOutput(asked, "call_1") ?? ""
        screens.push([Tui.normal(here, interrupted), Tui.normal(here, screen), output.replace(/[\d.]+ seconds/, "")])
      }
      assert.deepStrictEqual(screens[1], screens[0])
    }))
})
