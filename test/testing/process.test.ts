/** The fake server as a process, under the backend as it runs in production. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { AgentBackend } from "../../src/agent/AgentBackend.ts"
import * as CodexNode from "../../src/backends/codex/CodexNode.ts"
import { AppServerScript as Script, FakeAppServer } from "../../src/testing/index.ts"
import { eventsOf, messages, tags, text, turns } from "../backends/codex/support/session.ts"
import { watchTurn } from "../support/watchTurn.ts"

const sessionOf = Effect.fnUntraced(function*(script: Script.AppServerScript) {
  const fs = yield* FileSystem.FileSystem
  const directory = yield* fs.makeTempDirectoryScoped({ prefix: "fake-app-server-" })
  yield* fs.writeFileString(`${directory}/script.json`, JSON.stringify(script))
  const context = yield* Layer.build(CodexNode.layer({
    command: process.execPath,
    args: [FakeAppServer.program, `${directory}/script.json`],
    childrenDirectory: `${directory}/children`
  }))
  return yield* Context.get(context, AgentBackend).openSession({})
})

const live = <E>(name: string, body: () => Effect.Effect<void, E, FileSystem.FileSystem | Scope.Scope>) =>
  it.live(name, () => Effect.provide(body(), NodeServices.layer))

describe("the fake server as a process", () => {
  live("runs turns of a backend that started it", () =>
    Effect.gen(function*() {
      const session = yield* sessionOf({})
      assert.deepStrictEqual(messages(yield* eventsOf(yield* session.startTurn(text("hi")))), ["Hello world"])
    }))

  live(
    "is understood through noise, blank lines, half messages and separators inside of strings",
    () =>
      Effect.gen(function*() {
        const session = yield* sessionOf({
          on: {
            initialize: [[
              Script.raw("Welcome to the shell!\n\n\u001b[31mcolours\u001b[0m"),
              Script.raw("{\"half\": "),
              Script.raw("[1,2]\nnull\n{\"id\":null,\"result\":1}"),
              Script.answer("initialize", {
                userAgent: "fake/0.171.0 (x)",
                codexHome: "/home/dev/.codex",
                platformFamily: "unix",
                platformOs: "linux"
              })
            ]],
            "turn/start": [Script.wholeTurn(...Script.say("m", ["a\u2028b", "\u2029", "c\u0085d", "😀"]))]
          }
        })
        const events = yield* eventsOf(yield* session.startTurn(text("hi")))
        assert.deepStrictEqual(messages(events), ["a\u2028b\u2029c\u0085d😀"])
      })
  )

  live("is understood when it writes three bytes at a time", () =>
    Effect.gen(function*() {
      const session = yield* sessionOf({
        pieces: 3,
        ...turns([Script.accept(), Script.started(), Script.delta("m", "😀é"), Script.completed()])
      })
      assert.deepStrictEqual(messages(yield* eventsOf(yield* session.startTurn(text("hi")))), ["😀é…"])
    }))

  live("may write a message of 8 MiB on one line", () =>
    Effect.gen(function*() {
      const huge = "x".repeat(8 * 1024 * 1024)
      const session = yield* sessionOf(turns(Script.wholeTurn(...Script.say("m", [huge]))))
      const [message] = messages(yield* eventsOf(yield* session.startTurn(text("hi"))))
      assert.strictEqual(message?.length, huge.length)
    }))

  for (const [name, exitCode] of [["with status 0", 0], ["with another status", 3]] as const) {
    live(
      `that exits ${name} in a turn has failed that turn, and the next one has a new process`,
      () =>
        Effect.gen(function*() {
          const session = yield* sessionOf(turns(
            [Script.accept(), Script.started(), Script.delta("m", "half"), Script.end(exitCode)]
          ))
          const turn = yield* session.startTurn(text("hi"))
          const watched = yield* watchTurn(turn)
          const events = yield* watched.all
          assert.deepStrictEqual(messages(events), ["half…"])
          const outcome = yield* turn.outcome
          assert(outcome._tag === "Failed" && outcome.error.reason._tag === "AgentDied")
          assert.strictEqual(outcome.error.reason.exitCode, exitCode)
          const again = yield* session.startTurn(text("hi"))
          assert.deepStrictEqual(tags(yield* eventsOf(again)).at(-1), "TurnEnded")
        })
    )
  }
})
