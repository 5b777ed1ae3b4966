import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as OmpRpc from "../../../src/backends/omp/OmpRpc.ts"
import * as FakeChat from "../../support/FakeChat.ts"
import * as Gate from "../../support/Gate.ts"
import * as OmpHome from "../../support/OmpHome.ts"
import { deaf, isFrame, services, watch } from "./support/omp.ts"

const approve: OmpRpc.DialogAnswer = { _tag: "Value", value: "Approve" }

const isDelta = (text: string) => (event: OmpRpc.RpcEvent): boolean =>
  event._tag === "Frame" && event.frame.type === "message_update" && JSON.stringify(event.frame).includes(text)

/** What is new in the updates of a kind. */
const said = (events: ReadonlyArray<OmpRpc.RpcEvent>, kind: string): string =>
  events.map((event) => {
    if (event._tag !== "Frame" || event.frame.type !== "message_update") return ""
    const update = event.frame["assistantMessageEvent"] as { readonly type: string; readonly delta?: string }
    return update.type === kind ? update.delta ?? "" : ""
  }).join("")

layer(services, { excludeTestServices: true, timeout: "60 seconds" })("the real omp", (it) => {
  it.effect(
    "runs turns, asks, calls tools of the host, is interrupted, and goes on after a restart",
    () =>
      Effect.gen(function*() {
        const chat = yield* FakeChat.make
        const home = yield* OmpHome.make({ baseUrl: chat.baseUrl })
        const dialogs: Array<OmpRpc.Dialog> = []
        const calls: Array<OmpRpc.HostToolCall> = []
        const asked = yield* Deferred.make<void>()
        let answer: Effect.Effect<OmpRpc.DialogAnswer> = Effect.succeed(approve)
        const handlers: OmpRpc.RpcHandlers = {
          onDialog: (dialog) =>
            Effect.suspend(() => {
              dialogs.push(dialog)
              return answer
            }),
          onHostTool: (call, update) =>
            Effect.suspend(() => {
              calls.push(call)
              return Effect.as(update({ content: [{ type: "text", text: "looking" }] }), {
                content: [{ type: "text", text: "the host says 42" }]
              })
            })
        }
        const overlay = yield* home.overlay({ tools: { xdev: false } })
        const omp = yield* OmpRpc.make(
          { ...home.options, approvalMode: "write", thinking: "low", configOverlays: [overlay] },
          handlers
        )
        assert.deepInclude(omp.state, { isStreaming: false, messageCount: 0, thinkingLevel: "low" })
        assert.deepInclude(omp.state.model, { provider: "fake", id: "fake-1" })
        const events = yield* watch(omp)
        const ended = (from: number) => events.until(isFrame("agent_end"), from)

        // A turn with everything in it.
        const parameters = { type: "object", properties: { q: { type: "string" } }, required: ["q"] }
        const tools = [{ name: "lookup", description: "Looks it up", parameters, loadMode: "essential" }] as const
        assert.deepStrictEqual(yield* omp.request({ type: "set_host_tools", tools }), { toolNames: ["lookup"] })
        yield* chat.push(
          {
            reasoning: ["hm, ", "well"],
            text: ["I'll look"],
            tools: [{ name: "bash", args: { command: "echo from-bash" } }]
          },
          { tools: [{ name: "lookup", args: { q: "it" } }] },
          { text: ["It is ", "42"] }
        )
        yield* omp.request({ type: "prompt", message: "What is it?" })
        yield* ended(0)
        // omp takes a tool of the host's for one that acts.
        assert.deepStrictEqual(dialogs.map(({ title }) => title.split("\n")[0]), [
          "Allow tool: bash",
          "Allow tool: lookup"
        ])
        assert.deepStrictEqual(calls.map(({ arguments: given, toolName }) => [toolName, given]), [["lookup", {
          q: "it"
        }]])
        const last = (yield* chat.requests).filter(FakeChat.isTurn).at(-1)
        const outputs = last === undefined ? [] : FakeChat.textsOf(last, "tool")
        assert.match(outputs[0] ?? "", /from-bash/)
        assert.strictEqual(outputs[1], "the host says 42")
        assert.strictEqual(said(events.seen, "text_delta"), "I'll lookIt is 42")
        assert.match(said(events.seen, "thinking_delta"), /hm, well/)

        // A second prompt while one runs.
        const gate = yield* Gate.make
        yield* chat.push({ text: ["waiting", gate, " no more"] })
        let from = events.seen.length
        yield* omp.request({ type: "prompt", message: "first" })
        yield* events.until(isDelta("waiting"), from)
        yield* omp.request({ type: "prompt", message: "second" }, { requestId: "second" })
        const failed = yield* events.until((event) => event._tag === "FailedLater", from)
        assert.deepInclude(failed, { requestId: "second", command: "prompt" })
        assert.strictEqual(failed._tag === "FailedLater" ? failed.error.reason._tag : "", "SessionBusy")
        yield* gate.open
        yield* ended(from)

        // An interrupt while a dialog is open, which by itself would wait for ever.
        answer = Effect.andThen(Deferred.succeed(asked, undefined), Effect.never)
        yield* chat.push({
          tools: [{ name: "bash", args: { command: "echo never" } }, { name: "bash", args: { command: "echo 2" } }]
        })
        from = events.seen.length
        yield* omp.request({ type: "prompt", message: "third" })
        yield* Deferred.await(asked)
        yield* omp.request({ type: "abort" })
        yield* ended(from)
        assert.strictEqual((yield* omp.request({ type: "get_state" })).isStreaming, false)

        // An answer that comes in pieces, and would be more than the context holds.
        yield* omp.request({ type: "set_auto_compaction", enabled: false })
        const long = Array.from(
          { length: 4 },
          (_, part) => Array.from({ length: 30_000 }, (_, n) => `${part}:${n} `).join("")
        )
        yield* chat.push({ text: long })
        from = events.seen.length
        yield* omp.request({ type: "prompt", message: "long" })
        yield* ended(from)
        assert.strictEqual(said(events.seen.slice(from), "text_delta"), long.join(""))
        const whole = yield* events.until(
          (event) => isFrame("message_end")(event) && JSON.stringify(event).includes(`"role":"assistant"`),
          from
        )
        assert.include(JSON.stringify(whole), long.join(""))

        // Refusals.
        const unknown = yield* Effect.flip(omp.request({ type: "set_model", provider: "fake", modelId: "none" }))
        assert.deepInclude(unknown.reason, {
          _tag: "Rejected",
          operation: "set_model",
          detail: "Model not found: fake/none"
        })
        assert.strictEqual(
          (yield* omp.request({ type: "set_model", provider: "fake", modelId: "fake-2" })).id,
          "fake-2"
        )

        // The session goes on in another process, with its tool still running when the first one ended.
        answer = Effect.succeed(approve)
        yield* chat.push({ tools: [{ name: "bash", args: { command: "touch here; sleep 60" } }] })
        const fs = yield* FileSystem.FileSystem
        yield* omp.request({ type: "prompt", message: "sleep" })
        yield* fs.exists(`${home.work}/here`).pipe(Effect.repeat({ until: (there) => there }))
        const waiting = yield* Effect.forkChild(Effect.flip(omp.request({ type: "bash", command: "sleep 60" })))
        yield* Effect.yieldNow
        yield* omp.close
        assert.strictEqual((yield* Fiber.join(waiting)).reason._tag, "AgentDied")
        assert.throws(() => process.kill(omp.pid, 0))

        const again = yield* OmpRpc.make({ ...home.options, resume: omp.state.sessionId }, deaf)
        assert.strictEqual(again.state.sessionId, omp.state.sessionId)
        assert.isAbove(again.state.messageCount, 8)
        yield* again.close
      }),
    120_000
  )

  it.effect("that cannot start says why", () =>
    Effect.gen(function*() {
      const chat = yield* FakeChat.make
      const home = yield* OmpHome.make({ baseUrl: chat.baseUrl })
      const fs = yield* FileSystem.FileSystem
      const damaged = `${home.work}/damaged.jsonl`
      yield* fs.writeFileString(damaged, "no session\n")
      const failures = yield* Effect.forEach(
        [{ model: "fake/none" }, { resume: "deadbeef" }, { resume: damaged }, { args: ["--no-such-flag"] }],
        (options) => Effect.flip(OmpRpc.make({ ...home.options, ...options }, deaf)),
        { concurrency: 2 }
      )
      assert.deepStrictEqual(failures.map(({ message }) => message), [
        `Not configured: Model "fake/none" not found`,
        `Unknown session deadbeef: Session "deadbeef" not found.`,
        `Unknown session ${damaged}: Cannot resume session "${damaged}": the session header is missing or malformed. ` +
        "The file was not modified.",
        "The handshake failed: omp ended before it was ready: the process exited (exit status 2); it said: unknown flag: " +
        "--no-such-flag"
      ])
    }), 60_000)
})
