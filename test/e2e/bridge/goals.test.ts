/**
 * Real Codex clients on the bridge: goals, reviews, commands of a person, and messages that wait.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { spawn } from "../../cli/support/runCli.ts"
import * as Gate from "../../support/Gate.ts"
import * as ModelTurn from "../../support/ModelTurn.ts"
import * as RecordedRequest from "../../support/RecordedRequest.ts"
import { bridge, exec, patience, threadOf, world } from "./kit.ts"
import * as Tui from "./Tui.ts"

if (Tui.missing !== undefined) process.stderr.write(`\nTHE TUI IS NOT TESTED HERE: ${Tui.missing}\n\n`)

const live = (name: string, test: () => Effect.Effect<void, unknown, NodeServices.NodeServices | Scope.Scope>) =>
  it.live(name, () => test().pipe(Effect.scoped, Effect.provide(NodeServices.layer)), patience)

describe.skipIf(Tui.missing !== undefined)("the TUI", () => {
  live("runs a command of a person, who goes on with the scripted agent", () =>
    Effect.gen(function*() {
      const here = yield* world()
      const { url } = yield* bridge(here, "scripted")
      const tui = yield* Tui.ready(here, url)
      yield* tui.submit("!echo from-$((1 + 1))", "! echo from-$((1 + 1))")
      yield* tui.shows("You ran echo from-$((1 + 1))")
      yield* tui.shows("from-2")
      yield* tui.press("Escape")
      yield* tui.submit("hello")
      yield* tui.shows("You said: hello")
    }))

  live("sees codex pursue a goal, pauses it and has it reached", () =>
    Effect.gen(function*() {
      const here = yield* world()
      const { url } = yield* bridge(here, "codex-app-server")
      const tui = yield* Tui.ready(here, url)
      yield* here.model.push(ModelTurn.text("Hello."))
      yield* tui.submit("hello")
      yield* tui.shows("Hello.")
      const gate = yield* Gate.make
      yield* here.model.push(ModelTurn.text("On it\n\n"), ModelTurn.text("Still on it\n\n", gate, "never"))
      yield* tui.submit("/goal Ship the thing")
      yield* tui.shows("Still on it")
      yield* tui.shows("Pursuing goal")
      yield* tui.press("Escape")
      yield* tui.shows("Goal paused")
      assert.strictEqual(yield* here.model.left, 0)
      yield* gate.open
      yield* here.model.push(
        ModelTurn.turn([ModelTurn.functionCall("update_goal", { status: "complete" })]),
        ModelTurn.text("It is shipped.")
      )
      yield* tui.submit("/goal resume")
      yield* tui.shows("It is shipped.")
      yield* tui.shows("Goal achieved")
      assert.strictEqual(yield* here.model.left, 0)
    }))

  live("shows a review as one", () =>
    Effect.gen(function*() {
      const here = yield* world()
      const { url } = yield* bridge(here, "codex-app-server")
      const tui = yield* Tui.ready(here, url)
      yield* here.model.push(ModelTurn.text("No issues here."))
      yield* tui.submit("/review look at it")
      yield* tui.shows("Code review started: look at it")
      yield* tui.shows("Code review finished")
      const screen = yield* tui.shows("No issues here.")
      assert.strictEqual(screen.split("No issues here.").length, 2)
    }))
})

describe("codex queue", () => {
  live("has a message sent when the thread is at rest", () =>
    Effect.gen(function*() {
      const here = yield* world()
      const { url } = yield* bridge(here, "codex-app-server")
      yield* here.model.push(ModelTurn.text("Hello."), ModelTurn.text("Later is now."))
      const threadId = threadOf(yield* exec(here, ["--remote", url, "hello"]))
      const { client } = here
      const child = yield* spawn(
        client.codexBin,
        ["queue", "--remote", url, "--thread", threadId, "--message", "and later this"],
        { env: client.env, cwd: here.home.work }
      )
      const { code, stderr } = yield* child.ended
      assert.strictEqual(code, 0, stderr)
      const request = yield* here.model.request(2)
      assert.deepStrictEqual(RecordedRequest.userTexts(request).slice(-2), ["hello", "and later this"])
    }))
})
