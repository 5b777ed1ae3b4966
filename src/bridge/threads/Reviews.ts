/**
 * Methods of reviews.
 */
import * as Cause from "effect/Cause"
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { refuse, UnknownValue } from "../BridgeError.ts"
import type { HandlersOf } from "../MethodTable.ts"
import { beginning } from "./Beginning.ts"
import * as ReviewTurn from "./ReviewTurn.ts"
import { Threads } from "./Threads.ts"

export const handlers = Effect.gen(function*() {
  const threads = yield* Threads

  const served: HandlersOf<"review"> = {
    "review/start": Effect.fnUntraced(function*({ delivery, target, threadId }, connection, call) {
      if (delivery != null && delivery !== "inline") {
        return yield* refuse(new UnknownValue({ given: delivery, known: ["inline"] }))
      }
      const thread = yield* threads.get(threadId)
      const { hint, prompt } = yield* Effect.fromResult(ReviewTurn.reviewOf(target))
      const content: ReadonlyArray<Strict.UserInput> = [{ type: "text", text: hint, text_elements: [] }]
      const itemId = uuidV7Unsafe()
      // A turn that runs gives way, as to a compaction.
      const reviewing = thread.replaceWithWork((turn) => {
        const review = new ReviewTurn.ReviewTurn({ exited: uuidV7Unsafe(), message: uuidV7Unsafe() })
        return Effect.gen(function*() {
          yield* turn.apply(ReviewTurn.entered(turn.turnId, hint, uuidV7Unsafe()))
          turn.say({ itemId, clientId: null, content })
          yield* thread.runAgent(
            turn,
            { input: [{ _tag: "Text", text: prompt }], clientId: itemId },
            (events) => turn.apply(review.take(events))
          )
        }).pipe(
          Effect.onExit((exit) =>
            Exit.isSuccess(exit)
              ? Effect.void
              : turn.apply(review.abandoned(Cause.hasInterrupts(exit.cause)))
          )
        )
      })
      thread.watchers.add(connection)
      const { turn } = yield* beginning(reviewing, call)
      return {
        reviewThreadId: thread.id,
        turn: {
          ...turn,
          rootTurnId: null,
          items: [{ type: "userMessage", id: turn.id, clientId: null, content, startedAtMs: null, completedAtMs: null }]
        }
      }
    })
  }
  return served
})
