/**
 * Attempts on a real codex, offline, with a scripted model behind it.
 */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type { AttemptParams } from "../../src/host/AttemptParams.ts"
import { runAttempt } from "../../src/host/RunAttempt.ts"
import * as SessionBindings from "../../src/host/SessionBindings.ts"
import * as CodexBench from "../support/CodexBench.ts"
import * as Gate from "../support/Gate.ts"
import * as ModelTurn from "../support/ModelTurn.ts"

const codex = Layer.merge(CodexBench.layer(), SessionBindings.layerMemory)

const unattended: Pick<AttemptParams, "approvalPolicy" | "sandbox"> = {
  approvalPolicy: "never",
  sandbox: "danger-full-access"
}

layer(codex, { excludeTestServices: true })("runAttempt on codex", (it) => {
  it.effect("answers, remembers the conversation, and continues it", () =>
    Effect.gen(function*() {
      const { home, model } = yield* CodexBench.CodexBench
      yield* model.push(ModelTurn.text("Hel", "lo"), ModelTurn.text("Again"))
      const params = { sessionKey: "continues", workspaceDir: home.home, ...unattended }
      const partial: Array<string> = []
      const first = yield* runAttempt({
        ...params,
        prompt: "Say hello",
        onPartialReply: ({ text }) => void partial.push(text)
      })
      assert.strictEqual(first.status, "completed", first.error?.message)
      assert.deepStrictEqual(first.assistantTexts, ["Hello"])
      assert.strictEqual(partial.at(-1), "Hello")
      assert.isAbove(first.usage.total, 0)
      const second = yield* runAttempt({ ...params, prompt: "And again" })
      assert.deepStrictEqual(second.assistantTexts, ["Again"])
      assert.strictEqual(second.session?.sessionId, first.session?.sessionId)
      assert.notStrictEqual(second.turnId, first.turnId)
    }))

  it.effect("runs a command and sums it up", () =>
    Effect.gen(function*() {
      const { home, model } = yield* CodexBench.CodexBench
      const command = ModelTurn.functionCall("exec_command", { cmd: "echo from-the-shell" })
      yield* model.push(ModelTurn.turn([command]), ModelTurn.text("Ran it."))
      const result = yield* runAttempt({ prompt: "Run it", workspaceDir: home.home, ...unattended })
      assert.strictEqual(result.status, "completed", result.error?.message)
      assert.deepStrictEqual(result.toolSummaries.map((tool) => [tool.name, tool.status]), [["command", "completed"]])
      assert.isTrue(result.toolSummaries[0]?.summary.includes("echo from-the-shell"))
      assert.strictEqual(result.replay.reason, "tool_activity")
    }))

  it.effect("gives structured output", () =>
    Effect.gen(function*() {
      const { home, model } = yield* CodexBench.CodexBench
      yield* model.push(ModelTurn.text(`{"n":`, `7}`))
      const result = yield* runAttempt({
        prompt: "A number",
        workspaceDir: home.home,
        outputSchema: {
          type: "object",
          properties: { n: { type: "integer" } },
          required: ["n"],
          additionalProperties: false
        },
        ...unattended
      })
      assert.deepStrictEqual(result.structuredOutput, { n: 7 })
    }))

  it.effect("starts anew, and says so, when codex does not know the thread", () =>
    Effect.gen(function*() {
      const { home, model } = yield* CodexBench.CodexBench
      const bindings = yield* SessionBindings.SessionBindings
      yield* bindings.set({ _tag: "Key", key: "lost" }, {
        schemaVersion: 1,
        threadId: "019aaaaa-0000-7000-8000-000000000000",
        backend: "codex-app-server",
        createdAt: 1,
        updatedAt: 1
      })
      yield* model.push(ModelTurn.text("New"))
      const result = yield* runAttempt({ prompt: "Hi", sessionKey: "lost", workspaceDir: home.home, ...unattended })
      assert.strictEqual(result.status, "completed", result.error?.message)
      assert.isTrue(result.diagnostics.some((line) => line.startsWith("sessionLost")), result.diagnostics.join("\n"))
    }))

  it.effect("a deadline stops the turn at codex, and what was said is kept", () =>
    Effect.gen(function*() {
      const { home, model } = yield* CodexBench.CodexBench
      const gate = yield* Gate.make
      yield* model.push(ModelTurn.text("Half", gate))
      const result = yield* runAttempt({ prompt: "Hi", workspaceDir: home.home, timeoutMs: 2_000, ...unattended })
      yield* gate.open
      assert.strictEqual(result.status, "timeout")
      assert.isTrue(result.interruptConfirmed)
      assert.deepStrictEqual(result.assistantTexts, ["Half"])
    }))

  it.effect("interrupting the fiber stops the turn at codex", () =>
    Effect.gen(function*() {
      const { home, model } = yield* CodexBench.CodexBench
      const gate = yield* Gate.make
      yield* model.push(ModelTurn.text("Half", gate))
      const ended: Array<readonly [string, boolean | undefined]> = []
      const fiber = yield* Effect.forkChild(runAttempt({
        prompt: "Hi",
        workspaceDir: home.home,
        onEnd: (result) => void ended.push([result.status, result.interruptConfirmed]),
        ...unattended
      }))
      yield* gate.reached
      yield* Fiber.interrupt(fiber)
      yield* gate.open
      assert.deepStrictEqual(ended, [["interrupted", true]])
    }))

  it.effect("a codex that dies in the middle is a failure that keeps what was said", () =>
    Effect.gen(function*() {
      const { home, kill, model } = yield* CodexBench.CodexBench
      const gate = yield* Gate.make
      yield* model.push(ModelTurn.text("Half", gate))
      const fiber = yield* Effect.forkChild(runAttempt({ prompt: "Hi", workspaceDir: home.home, ...unattended }))
      yield* gate.reached
      yield* kill
      yield* gate.open
      const result = yield* Fiber.join(fiber)
      assert.strictEqual(result.status, "failed")
      assert.strictEqual(result.stopReason, "agent_died")
      assert.isFalse(result.replay.safe)
    }))
})
