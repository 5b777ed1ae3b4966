import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { ApprovalRequest, QuestionRequest } from "../../../src/agent/TurnHost.ts"
import type { Keyboard } from "../../../src/cli/attempt/Keyboard.ts"
import { readAnswer, readDecision, readField } from "../../../src/cli/attempt/TerminalHost.ts"
import * as TerminalView from "../../../src/cli/attempt/TerminalView.ts"
import { Emulator } from "../support/Emulator.ts"
import * as sink from "../support/sink.ts"

/** A terminal with somebody at it. Typing waits until somebody is asked. */
const make = Effect.fnUntraced(function*() {
  const emulator = new Emulator(70)
  let listener = Deferred.makeUnsafe<(input: string) => void>()
  let released = Deferred.makeUnsafe<void>()
  let interrupts = 0
  const keyboard: Keyboard = {
    listen: (onInput) =>
      Effect.asVoid(Effect.acquireRelease(
        Effect.sync(() => {
          released = Deferred.makeUnsafe()
          Deferred.doneUnsafe(listener, Effect.succeed(onInput))
        }),
        () =>
          Effect.sync(() => {
            listener = Deferred.makeUnsafe()
            Deferred.doneUnsafe(released, Effect.void)
          })
      )),
    restore: () => {}
  }
  const out = sink.make({ columns: () => emulator.columns, onWrite: (text) => emulator.write(text) })
  const view = yield* TerminalView.make(out, {
    coloured: true,
    cwd: "/work",
    keyboard,
    onInterrupt: () => {
      interrupts++
    }
  })
  const press = (input: string) =>
    Effect.suspend(() => Effect.map(Deferred.await(listener), (onInput) => onInput(input)))
  /** The same with Enter, until the question is over. */
  const enter = (input: string) => Effect.andThen(press(`${input}\r`), Effect.suspend(() => Deferred.await(released)))
  return { emulator, out, view, press, enter, interrupts: () => interrupts }
})

const common = { itemId: "i", sessionId: "s", turnId: "t" }

const approval: ApprovalRequest = {
  _tag: "Command",
  ...common,
  decisions: ["accept", "decline", "cancel"],
  command: "rm -r build\x1b[2J",
  cwd: "/work",
  reason: "It is in the way."
}

const questions = (isSecret: boolean): QuestionRequest => ({
  ...common,
  questions: [{
    id: "q",
    header: "Colour",
    question: "Which one?",
    isSecret,
    allowsOther: isSecret,
    options: isSecret ? [] : [{ label: "Red", description: "warm" }, { label: "Blue", description: "" }]
  }]
})

describe("TerminalView", () => {
  it.effect("asks for an approval until the answer can be read", () =>
    Effect.gen(function*() {
      const { emulator, enter, press, view } = yield* make()
      const asked = yield* Effect.forkChild(view.host.approve(approval))
      yield* press("yes")
      assert.strictEqual(
        emulator.text,
        [
          "? The agent wants to run a command",
          "  $ rm -r build",
          "  in /work",
          "  It is in the way.",
          "  a accept · d decline · c cancel the turn › yes"
        ].join("\n")
      )
      yield* enter("")
      yield* enter("s")
      yield* enter("a")
      assert.strictEqual(yield* Fiber.join(asked), "accept")
      assert.match(emulator.text, /type a, d, c and Enter$/u)
      assert.notInclude(emulator.text, "›")
    }))

  it.effect("shows all of a command before somebody agrees to it", () =>
    Effect.gen(function*() {
      const { emulator, view } = yield* make()
      const long = `echo ${"x".repeat(200)}; rm -rf /`
      const asked = yield* Effect.forkChild(view.host.approve({ ...approval, command: `${long}\nsecond line` }))
      yield* Effect.yieldNow
      const shown = emulator.text.replaceAll("\n", "")
      assert.include(shown, long)
      assert.include(shown, "    second line")
      yield* Fiber.interrupt(asked)
    }))

  it.effect("Ctrl-D declines, Ctrl-C interrupts and leaves the question to the turn's end", () =>
    Effect.gen(function*() {
      const { interrupts, press, view } = yield* make()
      const declined = yield* Effect.forkChild(view.host.approve(approval))
      yield* press("\x04")
      assert.strictEqual(yield* Fiber.join(declined), "decline")
      const pending = yield* Effect.forkChild(view.host.approve(approval))
      yield* press("\x03")
      assert.strictEqual(interrupts(), 1)
      assert.isUndefined(pending.pollUnsafe())
      yield* Fiber.interrupt(pending)
    }))

  it.effect("asks one question at a time", () =>
    Effect.gen(function*() {
      const { emulator, enter, press, view } = yield* make()
      const first = yield* Effect.forkChild(view.host.approve(approval))
      const second = yield* Effect.forkChild(view.host.answer(questions(false)))
      yield* press("a")
      assert.notInclude(emulator.text, "Colour")
      yield* enter("")
      yield* Fiber.join(first)
      yield* enter("3")
      yield* enter("2")
      assert.deepStrictEqual(yield* Fiber.join(second), { q: ["Blue"] })
      assert.include(emulator.text, "   1. Red  warm\n   2. Blue")
      assert.include(emulator.text, "choose one of the options by its number\n  › Blue")
    }))

  it.effect("a secret is never on the screen", () =>
    Effect.gen(function*() {
      const { emulator, enter, out, press, view } = yield* make()
      const asked = yield* Effect.forkChild(view.host.answer(questions(true)))
      yield* press("hunter2")
      assert.include(emulator.text, "not shown › •••••••")
      yield* enter("")
      assert.deepStrictEqual(yield* Fiber.join(asked), { q: ["hunter2"] })
      assert.include(emulator.text, "  › (hidden)")
      assert.notInclude(out.written(), "hunter2")
    }))

  it.effect("fills a form in, and asks for consent last", () =>
    Effect.gen(function*() {
      const { enter, press, view } = yield* make()
      const request = {
        sessionId: "s",
        server: "mcp",
        message: "Who?",
        schema: {
          type: "object",
          required: ["name", "age"],
          properties: { name: { type: "string" }, age: { type: "integer" }, admin: { type: "boolean" } }
        }
      }
      const asked = yield* Effect.forkChild(view.host.elicit(request))
      for (const typed of ["Ada", "old", "36", "", "a"]) yield* enter(typed)
      assert.deepStrictEqual(yield* Fiber.join(asked), { _tag: "Accept", content: { name: "Ada", age: 36 } })
      const refused = yield* Effect.forkChild(view.host.elicit(request))
      yield* press("\x04")
      assert.deepStrictEqual(yield* Fiber.join(refused), { _tag: "Decline" })
    }))

  it.effect("a spinner turns while nothing arrives, and is gone when something does", () =>
    Effect.gen(function*() {
      const { emulator, view } = yield* make()
      view.begin({ backend: "scripted", reason: "it was asked for", candidates: [] })
      yield* TestClock.adjust("3 seconds")
      assert.match(emulator.text, /^scripted: it was asked for\n\S starting · 3\.0s$/u)
      view.event({ _tag: "ItemDelta", itemId: "m", field: "text", index: 0, delta: "The answer" }, 3_000)
      assert.strictEqual(emulator.text, "scripted: it was asked for\nThe answer")
      // A pause in the middle of a line.
      yield* TestClock.adjust("2 seconds")
      assert.match(emulator.text, /\nThe answer\n\S starting · 5\.0s$/u)
      view.event({ _tag: "ItemDelta", itemId: "m", field: "text", index: 0, delta: " goes on" }, 5_000)
      assert.strictEqual(emulator.text, "scripted: it was asked for\nThe answer goes on")
    }))

  it.effect("leaves a clean terminal when it has to go at once", () =>
    Effect.gen(function*() {
      const { emulator, press, view } = yield* make()
      const asked = yield* Effect.forkChild(view.host.approve(approval))
      yield* press("ye")
      view.restore()
      assert.notInclude(emulator.text, "›")
      yield* TestClock.adjust("1 second")
      assert.notInclude(emulator.text, "starting")
      yield* Fiber.interrupt(asked)
    }))
})

describe("TerminalHost", () => {
  it("a decision counts only where it was offered", () => {
    assert.strictEqual(readDecision(" A ", ["accept"]), "accept")
    assert.strictEqual(readDecision("acceptForSession", ["acceptForSession"]), "acceptForSession")
    assert.isUndefined(readDecision("a", ["decline"]))
    assert.isUndefined(readDecision("", ["accept", "decline"]))
    assert.isUndefined(readDecision("accepted", ["accept"]))
  })

  it("an answer is an option, or free where that is allowed", () => {
    const [question] = questions(false).questions
    if (question === undefined) return assert.fail("no question")
    assert.strictEqual(readAnswer("1", question), "Red")
    assert.strictEqual(readAnswer("blue", question), "Blue")
    assert.isUndefined(readAnswer("0", question))
    assert.isUndefined(readAnswer("Green", question))
    assert.strictEqual(readAnswer(" Green ", { ...question, allowsOther: true }), "Green")
    assert.strictEqual(readAnswer(" s3cret ", { ...question, options: [], isSecret: true }), " s3cret ")
  })

  it("a field takes what its type takes", () => {
    assert.strictEqual(readField("x", { type: "string" }), "x")
    assert.strictEqual(readField("y", { type: "boolean" }), true)
    assert.isUndefined(readField("perhaps", { type: "boolean" }))
    assert.strictEqual(readField("1.5", { type: "number" }), 1.5)
    assert.isUndefined(readField("1.5", { type: "integer" }))
    assert.strictEqual(readField("b", { type: "string", enum: ["a", "b"] }), "b")
    assert.isUndefined(readField("c", { type: "string", enum: ["a", "b"] }))
    assert.isUndefined(readField("x", { type: "array" }))
  })
})
