import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { AgentBackend, type TurnInput } from "../../../src/agent/index.ts"
import { ConformanceDriver } from "../../support/ConformanceDriver.ts"
import * as FakeChat from "../../support/FakeChat.ts"
import { layerRpc } from "../../support/ompDriver.ts"
import { sessionSuite } from "../pi-family/support/sessionSuite.ts"

sessionSuite("a session of omp over RPC", { layer: layerRpc, otherModel: "fake/fake-2" })

const says = (text: string): TurnInput => ({ input: [{ _tag: "Text", text }] })

it.live("a session of omp goes on after it could not work elsewhere", () =>
  Effect.gen(function*() {
    const { session: settings } = yield* ConformanceDriver
    yield* Effect.flatMap(FakeChat.FakeChat, (chat) => chat.fallback({ text: ["Well."] }))
    const session = yield* Effect.flatMap(AgentBackend, (backend) => backend.openSession(settings))
    const run = (input: TurnInput) =>
      Effect.scoped(
        Effect.flatMap(session.startTurn(input), (turn) => Effect.andThen(Stream.runDrain(turn.events), turn.outcome))
      )
    yield* run(says("one"))
    const { sessionId } = yield* session.ref
    yield* Effect.flip(run({ ...says("two"), cwd: "/nonexistent/place" }))
    assert.deepStrictEqual(yield* run(says("three")), { _tag: "Completed" })
    assert.strictEqual((yield* session.ref).sessionId, sessionId)
  }).pipe(Effect.scoped, Effect.provide(layerRpc)), 60_000)
