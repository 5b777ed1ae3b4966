/** The codex backend over a fake server that plays a script. */
import { assert } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import {
  AgentBackend,
  type AgentTurn,
  type SessionOptions,
  type TurnInput
} from "../../../../src/agent/AgentBackend.ts"
import type { AgentEvent } from "../../../../src/agent/AgentEvent.ts"
import type { CodexOptions } from "../../../../src/backends/codex/CodexOptions.ts"
import { type AppServerScript, FakeAppServer } from "../../../../src/testing/index.ts"
import { wellFormed } from "../../../support/wellFormed.ts"

export const text = (text: string): TurnInput => ({ input: [{ _tag: "Text", text }] })

/** A script whose turns play these steps, one list a turn. */
export const turns = (
  ...lists: ReadonlyArray<ReadonlyArray<AppServerScript.Step>>
): AppServerScript.AppServerScript => ({ on: { "turn/start": lists } })

export const backendOf = Effect.fnUntraced(
  function*(script: AppServerScript.AppServerScript = {}, options: CodexOptions = {}) {
    const server = yield* FakeAppServer.make(script)
    const context = yield* Layer.build(FakeAppServer.layerBackend(server, options))
    return { server, backend: Context.get(context, AgentBackend) }
  }
)

export const sessionOf = Effect.fnUntraced(function*(
  script: AppServerScript.AppServerScript = {},
  options: { readonly codex?: CodexOptions; readonly session?: SessionOptions } = {}
) {
  const { backend, server } = yield* backendOf(script, options.codex)
  const session = yield* backend.openSession(options.session ?? {})
  return { backend, server, session }
})

/** All events of a turn, which must be well formed. */
export const eventsOf = Effect.fnUntraced(function*(turn: AgentTurn) {
  const events = yield* Stream.runCollect(turn.events)
  assert.deepStrictEqual(wellFormed(events, { turnId: turn.id }), [])
  return events
})

export const tags = (events: ReadonlyArray<AgentEvent>): ReadonlyArray<string> => events.map(({ _tag }) => _tag)

/** The text of each message that was completed, and whether it was closed for codex. */
export const messages = (events: ReadonlyArray<AgentEvent>): ReadonlyArray<string> =>
  events.flatMap((event) =>
    event._tag === "ItemCompleted" && event.item._tag === "AgentMessage"
      ? [event.closed ? `${event.item.text}…` : event.item.text]
      : []
  )
