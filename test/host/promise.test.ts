import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AgentBackend } from "../../src/agent/AgentBackend.ts"
import { AgentError, BinaryMissing, ReaderTooSlow } from "../../src/agent/AgentError.ts"
import type { AgentEvent } from "../../src/agent/AgentEvent.ts"
import type { Scenario } from "../../src/backends/scripted/Scenario.ts"
import * as ScriptedBackend from "../../src/backends/scripted/ScriptedBackend.ts"
import { AttemptError } from "../../src/host/AttemptError.ts"
import { fromHandlers } from "../../src/host/internal/promiseHost.ts"
import { createHost, type HostOptions, runAttempt } from "../../src/host/promise.ts"

const agent = (scenario: Scenario): HostOptions => ({
  layer: ScriptedBackend.layer({ fallback: [{ _tag: "Say", deltas: ["Yes"] }], ...scenario }),
  bindings: "memory"
})
const hanging = agent({ turns: [{ steps: [{ _tag: "Say", deltas: ["Working"] }, { _tag: "Hang" }] }] })

const tags = async (events: AsyncIterable<AgentEvent>) => {
  const seen: Array<string> = []
  for await (const event of events) seen.push(event._tag)
  return seen
}

/** A signal that tells how many listen to it. */
const counted = () => {
  const controller = new AbortController()
  const { signal } = controller
  let listeners = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++
    add(...args)
  }
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--
    remove(...args)
  }
  return { controller, listeners: () => listeners }
}

describe("promise", () => {
  it("gives events and a result", async () => {
    const attempt = runAttempt({ prompt: "Hi", ...agent({}) })
    const seen = await tags(attempt)
    assert.strictEqual(seen.at(0), "TurnStarted")
    assert.strictEqual(seen.at(-1), "TurnEnded")
    const result = await attempt.result
    assert.strictEqual(result.runId, attempt.runId)
    assert.deepStrictEqual(result.assistantTexts, ["Yes"])
  })

  it("needs no reader", async () => {
    const deltas = Array.from({ length: 50_000 }, () => "x")
    const attempt = runAttempt({ prompt: "Hi", ...agent({ turns: [{ steps: [{ _tag: "Say", deltas }] }] }) })
    assert.strictEqual((await attempt.result).assistantTexts[0]?.length, 50_000)
    // The events that waited were merged, not lost.
    let text = ""
    for await (const event of attempt) if (event._tag === "ItemDelta") text += event.delta
    assert.strictEqual(text.length, 50_000)
  })

  it("tells a reader that comes too late", async () => {
    const steps = Array.from({ length: 20_000 }, (_, index) => ({ _tag: "ShowDiff", diff: `${index}` } as const))
    const attempt = runAttempt({ prompt: "Hi", ...agent({ turns: [{ steps }] }) })
    assert.strictEqual((await attempt.result).status, "completed")
    const error = await tags(attempt).catch((error: unknown) => error)
    assert.isTrue(error instanceof AgentError && error.reason instanceof ReaderTooSlow)
  })

  it("resolves for agent failures", async () => {
    const unavailable = new BinaryMissing({ command: "agent", detail: "ENOENT" })
    const result = await runAttempt({ prompt: "Hi", ...agent({ unavailable }) }).result
    assert.strictEqual(result.status, "unavailable")
  })

  it("rejects for wrong parameters, also towards a reader", async () => {
    const attempt = runAttempt({ prompt: "", ...agent({}) })
    const errors = [
      await attempt.result.catch((error: unknown) => error),
      await tags(attempt).catch((error: unknown) => error)
    ]
    for (const error of errors) assert.isTrue(error instanceof AttemptError && error.reason._tag === "InvalidParams")
  })

  it("a backend that cannot be built is unavailable, and is built anew for the next attempt", async () => {
    let builds = 0
    const layer = Layer.suspend(() => {
      builds++
      return builds === 1
        ? Layer.effect(
          AgentBackend,
          new AgentError({ backend: "auto", reason: new BinaryMissing({ command: "codex", detail: "ENOENT" }) })
        )
        : ScriptedBackend.layer({ fallback: [] })
    })
    const host = createHost({ layer, bindings: "memory" })
    const ended: Array<string> = []
    const first = host.runAttempt({ prompt: "Hi", onEnd: (result) => void ended.push(result.status) })
    assert.deepStrictEqual(await tags(first), ["TurnEnded"])
    assert.strictEqual((await first.result).status, "unavailable")
    assert.deepStrictEqual(ended, ["unavailable"])
    assert.strictEqual((await host.runAttempt({ prompt: "Hi" }).result).status, "completed")
    await host.dispose()
  })

  it("a signal stops the attempt, and is let go of", async () => {
    const { controller, listeners } = counted()
    const attempt = runAttempt({ prompt: "Hi", signal: controller.signal, ...hanging })
    assert.strictEqual(listeners(), 1)
    for await (const event of attempt) if (event._tag === "ItemDelta") controller.abort()
    const result = await attempt.result
    assert.strictEqual(result.status, "interrupted")
    assert.isTrue(result.interruptConfirmed)
    assert.strictEqual(listeners(), 0)
  })

  it("a signal that was aborted before starts nothing", async () => {
    const attempt = runAttempt({ prompt: "Hi", signal: AbortSignal.abort(), ...hanging })
    const result = await attempt.result
    assert.strictEqual(result.status, "interrupted")
    assert.deepStrictEqual(result.replay, { safe: true, reason: "not_accepted" })
    assert.strictEqual(result.session, null)
  })

  it("leaving the loop interrupts the attempt", async () => {
    const attempt = runAttempt({ prompt: "Hi", ...hanging })
    for await (const event of attempt) if (event._tag === "ItemDelta") break
    assert.strictEqual((await attempt.result).status, "interrupted")
  })

  it("has one reader", async () => {
    const attempt = runAttempt({ prompt: "Hi", ...agent({}) })
    await tags(attempt)
    assert.throws(() => attempt[Symbol.asyncIterator](), TypeError)
  })

  it("steers the running turn, by the attempt and by its session", async () => {
    const say = { _tag: "Say", deltas: ["{{steer}}"] } as const
    const wait = { _tag: "AwaitSteer" } as const
    const host = createHost(agent({ turns: [{ steps: [wait, say, wait, say] }] }))
    const attempt = host.runAttempt({ prompt: "Hi", sessionKey: "promise-steer" })
    assert.deepStrictEqual(await attempt.steer("left"), { _tag: "Accepted" })
    assert.deepStrictEqual(await host.queueMessage("promise-steer", "right"), { _tag: "Accepted" })
    assert.deepStrictEqual((await attempt.result).assistantTexts, ["left", "right"])
    assert.deepStrictEqual(await attempt.steer("late"), { _tag: "NotActive" })
    assert.isFalse(await host.isActive("promise-steer"))
    assert.isTrue(await host.waitForEnd("promise-steer", 0))
    await host.dispose()
  })

  it("one host resumes sessions across attempts, until they are reset", async () => {
    const host = createHost(agent({}))
    const run = async () => (await host.runAttempt({ prompt: "Hi", sessionKey: "promise-resume" }).result).session
    const first = await run()
    assert.deepStrictEqual(await run(), first)
    await host.resetSession({ sessionKey: "promise-resume" })
    assert.notDeepEqual(await run(), first)
    await host.dispose()
  })

  it("disposing a host interrupts what runs", async () => {
    const host = createHost(hanging)
    const attempt = host.runAttempt({ prompt: "Hi", runId: "promise-dispose" })
    for await (const event of attempt) if (event._tag === "ItemDelta") void host.dispose()
    assert.strictEqual((await attempt.result).status, "interrupted")
    await host.dispose()
    assert.throws(() => host.runAttempt({ prompt: "Hi" }), /disposed/u)
  })

  describe("what the agent asks", () => {
    const command = { _tag: "Command", command: "rm -rf /", approval: {} } as const
    const decision = { _tag: "Say", deltas: ["{{decision}}"] } as const
    const asking = agent({ turns: [{ steps: [command, decision] }] })

    it("is declined when nobody is there", async () => {
      const result = await runAttempt({ prompt: "Hi", approvalPolicy: "untrusted", ...asking }).result
      assert.strictEqual(result.toolSummaries[0]?.status, "declined")
    })

    it("is answered by the host", async () => {
      const result = await runAttempt({
        prompt: "Hi",
        approvalPolicy: "untrusted",
        ...asking,
        onApproval: (request) => request._tag === "Command" ? "accept" : "decline"
      }).result
      assert.strictEqual(result.toolSummaries[0]?.status, "completed")
    })

    it("is not answered by a handler that fails or returns nonsense", async () => {
      for (const answer of [() => Promise.reject(new Error("down")), () => Promise.resolve("yes" as "accept")]) {
        const result = await runAttempt({
          prompt: "Hi",
          approvalPolicy: "untrusted",
          ...asking,
          onApproval: answer
        }).result
        assert.notStrictEqual(result.toolSummaries[0]?.status, "completed")
      }
    })

    it.effect("takes nothing but an answer for an answer", () =>
      Effect.gen(function*() {
        const request = {
          _tag: "Command",
          itemId: "i",
          sessionId: "s",
          turnId: "t",
          decisions: [],
          command: "ls"
        } as const
        const nonsense = fromHandlers({ onApproval: () => Promise.resolve("yes" as "accept") })
        assert.strictEqual((yield* Effect.flip(nonsense.approve(request)))._tag, "TurnHostError")
        const throwing = fromHandlers({
          onApproval: () => {
            throw new Error("down")
          }
        })
        assert.strictEqual((yield* Effect.flip(throwing.approve(request))).message, "down")
        assert.strictEqual(yield* fromHandlers({}).approve(request), "decline")
      }))

    it("may be a tool of the host's", async () => {
      const call = { _tag: "CallTool", tool: "add", arguments: { a: 1 } } as const
      const says = { _tag: "Say", deltas: ["{{tool}}"] } as const
      const calls: Array<unknown> = []
      const result = await runAttempt({
        prompt: "Hi",
        ...agent({ turns: [{ steps: [call, says] }] }),
        tools: [{
          name: "add",
          description: "Adds.",
          inputSchema: { type: "object" },
          execute: ({ arguments: args }) => {
            calls.push(args)
            return "two"
          }
        }]
      }).result
      assert.deepStrictEqual(calls, [{ a: 1 }])
      assert.deepStrictEqual(result.assistantTexts, ["two"])
    })
  })

  it("tells which agent runs, and why", async () => {
    const byName = createHost({ backend: "scripted", bindings: "memory" })
    assert.deepInclude(await byName.selection(), { backend: "scripted", reason: "it was asked for" })
    await byName.dispose()
    const brought = createHost(agent({ id: "mine" }))
    assert.deepInclude(await brought.selection(), { backend: "mine", reason: "the host brought it" })
    await brought.dispose()
  })

  it("runs the scripted agent by name", async () => {
    const result = await runAttempt({ prompt: "Hi", backend: "scripted", bindings: "memory" }).result
    assert.strictEqual(result.status, "completed")
    assert.isNotEmpty(result.assistantTexts)
  })
})
