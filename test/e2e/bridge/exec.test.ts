/**
 * The real `codex exec --remote` on the bridge.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { createHash } from "node:crypto"
import * as ModelTurn from "../../support/ModelTurn.ts"
import * as RecordedRequest from "../../support/RecordedRequest.ts"
import {
  bridge,
  conversation,
  exec,
  type Line,
  patience,
  type Ran,
  realServer,
  said,
  threadOf,
  unattended,
  type World,
  world
} from "./kit.ts"

const live = (name: string, test: () => Effect.Effect<void, unknown, NodeServices.NodeServices | Scope.Scope>) =>
  it.live(name, () => test().pipe(Effect.scoped, Effect.provide(NodeServices.layer)), patience)

/** What ends a run. */
const last = ({ lines }: Ran): unknown => lines.at(-1)?.["type"]

describe("codex exec --remote on the scripted agent", () => {
  live("runs turns, also of a thread that an earlier run has left", () =>
    Effect.gen(function*() {
      const here = yield* world()
      const { url } = yield* bridge(here, "scripted")
      const first = yield* exec(here, ["--remote", url, "one"])
      assert.strictEqual(first.code, 0, first.stderr)
      assert.deepStrictEqual(first.lines.slice(0, 2).map(({ type }) => type), ["thread.started", "turn.started"])
      assert.strictEqual(last(first), "turn.completed")
      assert.strictEqual(said(first)[0], "You said: one")
      const second = yield* exec(here, ["resume", "--remote", url, threadOf(first), "two"])
      assert.strictEqual(second.code, 0, second.stderr)
      assert.strictEqual(threadOf(second), threadOf(first))
      assert.strictEqual(said(second)[0], "You said: two")
    }))

  live("runs turns over TCP", () =>
    Effect.gen(function*() {
      const here = yield* world()
      const { url } = yield* bridge(here, "scripted", "ws")
      assert.match(url, /^ws:\/\/127\.0\.0\.1:\d+$/)
      const ran = yield* exec(here, ["--remote", url, "hello"])
      assert.strictEqual(ran.code, 0, ran.stderr)
      assert.strictEqual(said(ran)[0], "You said: hello")
    }))

  live("runs turns on a bridge under Bun", () =>
    Effect.gen(function*() {
      const here = yield* world()
      const { url } = yield* bridge(here, "scripted", "unix", { runtime: "bun" })
      const ran = yield* exec(here, ["--remote", url, "hello"])
      assert.strictEqual(ran.code, 0, ran.stderr)
      assert.strictEqual(said(ran)[0], "You said: hello")
    }))

  live("needs the token where one is asked for", () =>
    Effect.gen(function*() {
      const here = yield* world()
      const token = "an-open-secret"
      const flags = [
        "--ws-auth",
        "capability-token",
        "--ws-token-sha256",
        createHash("sha256").update(token).digest("hex")
      ]
      const { url } = yield* bridge(here, "scripted", "ws", { flags })
      const remote = ["--remote", url, "--remote-auth-token-env", "TOKEN", "hello"]
      const ran = yield* exec(here, remote, { TOKEN: token })
      assert.strictEqual(ran.code, 0, ran.stderr)
      assert.strictEqual(last(ran), "turn.completed")
      const refused = yield* exec(here, remote, { TOKEN: "a guess" })
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, "401")
    }))
})

/** Runs as they are whatever the time, the ids and the place. */
const normal = ({ home }: World, { runs, thread }: Effect.Success<ReturnType<typeof conversation>>) =>
  runs.map(({ code, lines }) => {
    const text = JSON.stringify(lines).replaceAll(thread, "THREAD").replaceAll(home.work, "WORK")
    const parsed: ReadonlyArray<Line> = JSON.parse(text)
    return { code, lines: parsed }
  })

describe("codex exec --remote on codex, through the bridge", () => {
  live("shows what it shows on the real server", () =>
    Effect.gen(function*() {
      const direct = yield* world(unattended)
      const expected = normal(direct, yield* conversation(direct, yield* realServer(direct)))
      assert.deepStrictEqual(expected.map(({ code }) => code), [0, 0, 1, 0])
      for (const listen of ["unix", "ws"] as const) {
        const bridged = yield* world(unattended)
        const shown = normal(bridged, yield* conversation(bridged, yield* bridge(bridged, "codex-app-server", listen)))
        assert.deepStrictEqual(shown, expected, listen)
      }
    }))

  // In the list of the agent's models, and not.
  for (const model of ["gpt-5.5", "house-model"]) {
    live(`leaves the model to codex where nobody names one: ${model}`, () =>
      Effect.gen(function*() {
        const here = yield* world({ fallback: ModelTurn.text("Here."), settings: { model } })
        const { url } = yield* bridge(here, "codex-app-server")
        const run = yield* exec(here, ["--remote", url, "Who are you?"])
        assert.strictEqual(run.code, 0, run.stderr)
        const bodies = (yield* here.model.requests).flatMap(({ body }) => Option.toArray(body))
        assert.deepStrictEqual(bodies.map((body) => body.model), [model])
      }))
  }

  live("resumes a thread after the bridge was killed, with all that the agent knew", () =>
    Effect.gen(function*() {
      const here = yield* world({ fallback: ModelTurn.text("Heard.") })
      const before = yield* bridge(here, "codex-app-server")
      const first = yield* exec(here, ["--remote", before.url, "The word is plum"])
      assert.strictEqual(first.code, 0, first.stderr)
      yield* before.kill
      const after = yield* bridge(here, "codex-app-server")
      const second = yield* exec(here, ["resume", "--remote", after.url, threadOf(first), "Which word?"])
      assert.strictEqual(second.code, 0, second.stderr)
      assert.strictEqual(threadOf(second), threadOf(first))
      const asked = (yield* here.model.requests).at(-1)
      assert(asked !== undefined)
      const texts = RecordedRequest.userTexts(asked)
      assert.include(texts, "The word is plum")
      assert.include(texts, "Which word?")
    }))

  live("ends with a failure when the bridge dies under it", () =>
    Effect.gen(function*() {
      const here = yield* world({ fallback: ModelTurn.text("Here.") })
      yield* here.model.push(ModelTurn.turn([ModelTurn.message(["half "]), ModelTurn.silence]))
      const server = yield* bridge(here, "codex-app-server")
      const [first] = yield* Effect.all([
        exec(here, ["--remote", server.url, "Wait"]),
        Effect.andThen(here.model.request(1), server.kill)
      ], { concurrency: 2 })
      assert.strictEqual(first.code, 1, first.stderr)
      // It ends the codex that the first one has left behind, and goes on with its thread.
      const { url } = yield* bridge(here, "codex-app-server")
      const second = yield* exec(here, ["resume", "--remote", url, threadOf(first), "Still there?"])
      assert.strictEqual(second.code, 0, second.stderr)
      assert.deepStrictEqual(said(second), ["Here."])
    }))
})
