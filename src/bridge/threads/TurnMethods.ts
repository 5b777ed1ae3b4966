/**
 * Methods that run turns.
 */
import * as Effect from "effect/Effect"
import { InvalidRequest, refuse } from "../BridgeError.ts"
import type { HandlersOf } from "../MethodTable.ts"
import { beginning } from "./Beginning.ts"
import { applySettings } from "./ThreadChanges.ts"
import { Threads } from "./Threads.ts"

/** What a turn that runs can be changed in. The real server takes no other member, lest one be thought to be applied. */
const changeable = [
  "threadId",
  "turnId",
  "approvalsReviewer",
  "environments",
  "model",
  "effort",
  "summary",
  "serviceTier"
]

const onlyChangeable = (params: object) => {
  const other = Object.keys(params).find((name) => !changeable.includes(name))
  if (other === undefined) return Effect.void
  const expected = changeable.map((name) => `\`${name}\``).join(", ")
  return Effect.fail(
    refuse(new InvalidRequest({ message: `Invalid request: unknown field \`${other}\`, expected one of ${expected}` }))
  )
}

export const handlers = Effect.gen(function*() {
  const threads = yield* Threads

  const served: HandlersOf<"turns"> = {
    "turn/start": Effect.fnUntraced(function*(params, connection, call) {
      const thread = yield* threads.get(params.threadId)
      yield* applySettings(thread, params)
      thread.watchers.add(connection)
      const started = thread.startTurn({
        input: params.input,
        clientId: params.clientUserMessageId ?? null,
        outputSchema: params.outputSchema
      })
      return yield* beginning(started, call)
    }),
    "turn/steer": Effect.fnUntraced(function*({ clientUserMessageId, expectedTurnId, input, threadId }) {
      const thread = yield* threads.get(threadId)
      return yield* thread.steer(input, clientUserMessageId ?? null, expectedTurnId)
    }),
    "turn/interrupt": Effect.fnUntraced(function*({ threadId, turnId }, _connection, call) {
      const interrupt = yield* (yield* threads.get(threadId)).interrupt(turnId)
      call.afterAnswer(interrupt)
      return {}
    }),
    "turn/settings/update": Effect.fnUntraced(function*(params) {
      yield* onlyChangeable(params)
      const { threadId, turnId, ...given } = params
      const thread = yield* threads.get(threadId)
      if (thread.turn?.id !== turnId) return { status: "targetUnavailable" }
      // The agent takes them with the next turn.
      yield* applySettings(thread, given)
      return { status: "applied" }
    })
  }
  return served
})
