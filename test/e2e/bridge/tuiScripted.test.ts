/**
 * The real Codex TUI on the bridge with a scripted agent: all that a person does there.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type * as Scope from "effect/Scope"
import type { Scenario } from "../../../src/backends/scripted/Scenario.ts"
import { bridge, patience, type World, world } from "./kit.ts"
import * as Tui from "./Tui.ts"

if (Tui.missing !== undefined) process.stderr.write(`\nTHE TUI IS NOT TESTED HERE: ${Tui.missing}\n\n`)

const live = (name: string, test: () => Effect.Effect<void, unknown, NodeServices.NodeServices | Scope.Scope>) =>
  it.live(name, () => test().pipe(Effect.scoped, Effect.provide(NodeServices.layer)), patience)

/** An agent that says what it knows, and which model it was asked for. */
const scenario: Scenario = {
  models: ["small", "large"].map((name, at) => ({
    id: name,
    name,
    description: `The ${name} one`,
    isDefault: at === 0,
    efforts: ["low", "high"]
  })),
  turns: [
    {
      match: "speak",
      steps: [
        { _tag: "Say", deltas: ["The first ", "line\n"], phase: "commentary" },
        { _tag: "AwaitSteer" },
        { _tag: "Say", deltas: ["Then {{steer}}\n"] }
      ]
    },
    {
      match: "make",
      steps: [
        { _tag: "Command", command: "touch made", output: ["it is made\n"], approval: {} },
        { _tag: "Say", deltas: ["The end of it.\n"] }
      ]
    },
    { match: "stay", steps: [{ _tag: "Say", deltas: ["Half of it\n\n"] }, { _tag: "Hang" }] }
  ],
  fallback: [{ _tag: "Say", deltas: ["I heard [{{heard}}].\n"] }]
}

/** The bridge, whose agent follows the scenario. */
const serve = Effect.fnUntraced(function*(here: World) {
  const file = `${here.home.home}/scenario.json`
  yield* Effect.flatMap(FileSystem.FileSystem, (fs) => fs.writeFileString(file, JSON.stringify(scenario)))
  return yield* bridge(here, "scripted", "unix", { flags: ["--scenario", file] })
})

describe.skipIf(Tui.missing !== undefined)("the TUI on a scripted agent", () => {
  live(
    "shows a turn while it runs, takes input for it, asks, interrupts, goes back and begins anew",
    () =>
      Effect.gen(function*() {
        const here = yield* world()
        const { url } = yield* serve(here)
        const tui = yield* Tui.ready(here, url)
        yield* tui.submit("Speak")
        assert.notInclude(yield* tui.shows("The first line"), "Then")
        yield* tui.submit("louder")
        yield* tui.shows("Then louder")

        yield* tui.submit("Make it")
        yield* tui.shows("Would you like to run the following command?")
        yield* tui.press("y")
        yield* tui.shows("The end of it.")
        yield* tui.shows("it is made")
        yield* tui.submit("Make another")
        yield* tui.until(
          "the second question",
          (screen) => screen.includes("Make another") && screen.includes("Would you")
        )
        yield* tui.press("Escape")
        yield* tui.until("the end", (screen) => /interrupted|canceled/i.test(screen) && !screen.includes("Would you"))

        yield* tui.submit("Stay")
        yield* tui.shows("Half of it")
        yield* tui.press("Escape")
        yield* tui.until("the second interruption", (screen) => screen.split("Conversation interrupted").length === 3)

        yield* tui.submit("Think")
        yield* tui.shows("I heard [Speak / Make it / Make another / Stay].")
        yield* tui.press("Escape")
        yield* tui.shows("esc again to edit previous message")
        yield* tui.press("Escape")
        yield* tui.shows("rewind")
        yield* tui.press("Enter")
        yield* tui.shows("Conversation reverted to this point.")
        yield* tui.until("the prompt to edit", (screen) => /› Think\s*$/m.test(screen))
        yield* tui.submit(" harder", "› Think harder")
        yield* tui.shows("I heard [Speak / Make it / Make another / Stay].")

        yield* tui.submit("/compact")
        yield* tui.shows("Context compacted")
        yield* tui.submit("/new")
        yield* tui.until("an empty thread", (screen) => Tui.isReady(screen) && !screen.includes("compacted"))
        yield* tui.submit("Who are you?")
        yield* tui.shows("I heard [].")
        yield* tui.submit("/quit")
        assert.strictEqual(yield* tui.left, 0)
      })
  )

  live(
    "chooses a model, sets a goal, finds a thread again, and comes back to a bridge that was killed",
    () =>
      Effect.gen(function*() {
        const here = yield* world()
        const first = yield* serve(here)
        const tui = yield* Tui.ready(here, first.url)
        yield* tui.submit("The word is plum")
        yield* tui.shows("I heard [].")
        yield* tui.submit("/model")
        yield* tui.shows("Select Model and Effort")
        yield* tui.press("2")
        yield* tui.shows("Select Reasoning Level for large")
        yield* tui.press("2")
        yield* tui.shows("Model changed to large high")
        yield* tui.submit("/goal Ship the thing")
        yield* tui.shows("Goal active")
        yield* tui.submit("/quit")
        assert.strictEqual(yield* tui.left, 0)

        const again = yield* Tui.start(here, "resume", "--remote", first.url)
        yield* again.shows("Resume a previous session")
        yield* again.shows("The word is plum")
        yield* again.press("Enter")
        yield* again.until("the thread", (screen) => screen.includes("• I heard [].") && Tui.isReady(screen))
        yield* again.submit("Which word?")
        yield* again.shows("I heard [The word is plum].")
        yield* again.submit("Stay")
        yield* again.shows("Half of it")
        yield* first.kill
        yield* again.shows("Reconnecting")
        yield* serve(here)
        yield* again.shows("Conversation interrupted")
        yield* again.shows("Half of it")
        yield* again.submit("Still there?")
        // The agent of the killed bridge is gone with all that it knew: it is told what was said.
        yield* again.shows("I heard [].")
      })
  )
})
