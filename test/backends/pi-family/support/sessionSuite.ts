/**
 * What a session of an agent of this family does beyond what every backend does, with a real agent before a fake model.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { AgentBackend, type AgentEvent, type AgentSession, type TurnInput } from "../../../../src/agent/index.ts"
import { ConformanceDriver } from "../../../support/ConformanceDriver.ts"
import * as FakeChat from "../../../support/FakeChat.ts"

type Bench = AgentBackend | ConformanceDriver | FakeChat.FakeChat

export interface SuiteOptions {
  readonly layer: Layer.Layer<Bench, unknown>
  /** `provider/id`. */
  readonly otherModel: string
}

// One pixel.
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const says = (text: string, more: Partial<TurnInput> = {}): TurnInput => ({ input: [{ _tag: "Text", text }], ...more })

const open = Effect.fnUntraced(function*(more: object = {}) {
  const { session } = yield* ConformanceDriver
  yield* Effect.flatMap(FakeChat.FakeChat, (chat) => chat.fallback({ text: ["Well."] }))
  return yield* Effect.flatMap(AgentBackend, (backend) => backend.openSession({ ...session, ...more }))
})

const run = Effect.fnUntraced(function*(session: AgentSession, input: TurnInput) {
  const chat = yield* FakeChat.FakeChat
  const turn = yield* session.startTurn(input)
  const events = yield* Stream.runCollect(turn.events)
  assert.deepStrictEqual(yield* turn.outcome, { _tag: "Completed" })
  const request = (yield* chat.requests).findLast(FakeChat.isTurn)
  assert(request !== undefined, "the model was not asked")
  return { events, request }
}, Effect.scoped)

const shown = (events: ReadonlyArray<AgentEvent>): string =>
  JSON.stringify(events.filter(({ _tag }) => _tag.startsWith("Item")))

/** The request of a turn that is to be interrupted. */
const isGone = (request: FakeChat.ChatRequest) => FakeChat.textsOf(request, "user").at(-1)?.endsWith("Go") === true

export const sessionSuite = (name: string, { layer, otherModel }: SuiteOptions): void => {
  const live = (
    title: string,
    body: () => Effect.Effect<void, unknown, Bench | FileSystem.FileSystem | Scope.Scope>
  ) => it.live(title, () => Effect.provide(Effect.scoped(body()), Layer.merge(layer, NodeServices.layer)), 60_000)

  describe(name, () => {
    live("tells the model what is for it alone, and nobody else", () =>
      Effect.gen(function*() {
        const session = yield* open({ developerInstructions: "Speak like a pirate." })
        const { events, request } = yield* run(session, says("Hello", { context: "The goal is plum jam." }))
        const sent = JSON.stringify(request.json)
        assert.include(sent, "The goal is plum jam.")
        assert.include(sent, "Speak like a pirate.")
        assert.notInclude(shown(events), "plum jam")
        // The user's own words are as they were.
        assert.isTrue(FakeChat.textsOf(request, "user").some((text) => text.endsWith("Hello")))
        const later = yield* run(session, says("/tmp is a directory"))
        assert.isTrue(
          FakeChat.textsOf(later.request, "user").some((text) => text.trim().endsWith("/tmp is a directory"))
        )
      }))

    live("takes images as data and as files, and fetches none", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const directory = yield* fs.makeTempDirectoryScoped()
        yield* fs.writeFile(`${directory}/dot.png`, Buffer.from(png, "base64"))
        const session = yield* open()
        const { request } = yield* run(session, {
          input: [
            { _tag: "Text", text: "Two dots" },
            { _tag: "ImageUrl", url: `data:image/png;base64,${png}` },
            { _tag: "LocalImage", path: `${directory}/dot.png` }
          ]
        })
        assert.strictEqual(JSON.stringify(request.json).split("data:image/").length - 1, 2)
        for (
          const part of [
            { _tag: "ImageUrl", url: "https://example.test/a.png" } as const,
            { _tag: "LocalImage", path: `${directory}/none.png` } as const
          ]
        ) {
          const error = yield* Effect.flip(Effect.scoped(session.startTurn({ input: [part] })))
          assert.strictEqual(error.reason._tag, "InvalidInput")
        }
        yield* run(session, says("Still there?"))
      }))

    live("takes a model and an effort for a turn", () =>
      Effect.gen(function*() {
        const session = yield* open({ effort: "low" })
        const [, id] = otherModel.split("/")
        const first = yield* run(session, says("one"))
        assert.deepInclude(first.request.json, { model: "fake-1", reasoning_effort: "low" })
        const second = yield* run(session, says("two", { model: otherModel, effort: "high" }))
        assert.deepInclude(second.request.json, { model: id, reasoning_effort: "high" })
        const third = yield* run(session, says("three"))
        assert.deepInclude(third.request.json, { model: "fake-1", reasoning_effort: "low" })
        const error = yield* Effect.flip(Effect.scoped(session.startTurn(says("four", { model: "fake/none" }))))
        assert.strictEqual(error.reason._tag, "InvalidInput")
        assert.include(error.message, "fake/none")
        yield* run(session, says("five"))
      }))

    live("is interrupted before it has begun, and goes on", () =>
      Effect.gen(function*() {
        const chat = yield* FakeChat.FakeChat
        const session = yield* open()
        // Whether it is asked is a matter of time.
        yield* chat.fallback((request) => isGone(request) ? { text: ["Never "], hang: true } : { text: ["Well."] })
        for (let round = 0; round < 3; round++) {
          const turn = yield* session.startTurn(says("Go"))
          const { outcome } = yield* turn.interrupt
          assert.deepStrictEqual(outcome, { _tag: "Interrupted", requested: true, confirmed: true })
          yield* run(session, says("Still there?"))
        }
      }))

    live("works elsewhere for a turn, and knows what was said", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const chat = yield* FakeChat.FakeChat
        const elsewhere = yield* Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
        const session = yield* open({ approvalPolicy: "never", sandbox: "danger-full-access" })
        const { session: { cwd: home = "" } } = yield* ConformanceDriver
        const where = Effect.fnUntraced(function*(more: Partial<TurnInput>) {
          yield* chat.push({ tools: [{ name: "bash", args: { command: "pwd", i: "x" } }] })
          const { events, request } = yield* run(session, says("Where?", more))
          const said = events.flatMap((event) =>
            event._tag === "ItemCompleted" && event.item._tag === "CommandExecution" ? [event.item.output?.trim()] : []
          )
          return { said, request }
        })
        yield* run(session, says("The word is plum"))
        assert.deepStrictEqual((yield* where({})).said, [home])
        const moved = yield* where({ cwd: elsewhere })
        assert.deepStrictEqual(moved.said, [elsewhere])
        assert.include(JSON.stringify(moved.request.json), "The word is plum")
        assert.deepStrictEqual((yield* where({})).said, [home])
      }))

    live("is open once at a time", () =>
      Effect.gen(function*() {
        const session = yield* open()
        yield* run(session, says("Hello"))
        const resume = yield* session.ref
        const error = yield* Effect.flip(Effect.scoped(open({ resume })))
        assert.strictEqual(error.reason._tag, "SessionBusy")
        yield* run(session, says("Still there?"))
      }))

    live("plans without doing anything in plan mode", () =>
      Effect.gen(function*() {
        const chat = yield* FakeChat.FakeChat
        const session = yield* open()
        yield* chat.push({ tools: [{ name: "bash", args: { command: "touch made", i: "x" } }] })
        const { events } = yield* run(session, says("Plan it", { mode: "plan" }))
        const [command] = events.flatMap((event) =>
          event._tag === "ItemCompleted" && event.item._tag === "CommandExecution" ? [event.item] : []
        )
        assert.strictEqual(command?.status, "declined")
      }))
  })
}
