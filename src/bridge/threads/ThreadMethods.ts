/**
 * All methods of threads, their turns, goals, queues and reviews.
 */
import * as Effect from "effect/Effect"
import type { HandlersOf } from "../MethodTable.ts"
import * as Goals from "./Goals.ts"
import * as Organizing from "./Organizing.ts"
import * as Queue from "./Queue.ts"
import * as Reviews from "./Reviews.ts"
import * as Searching from "./Searching.ts"
import * as ThreadChanges from "./ThreadChanges.ts"
import * as ThreadInput from "./ThreadInput.ts"
import * as ThreadLifecycle from "./ThreadLifecycle.ts"
import * as ThreadReading from "./ThreadReading.ts"
import * as Timeline from "./Timeline.ts"
import * as TurnMethods from "./TurnMethods.ts"

export const handlers = Effect.gen(function*() {
  const served:
    & HandlersOf<"goals">
    & HandlersOf<"organizing">
    & HandlersOf<"queue">
    & HandlersOf<"review">
    & HandlersOf<"search">
    & HandlersOf<"threads">
    & HandlersOf<"turns"> = {
      ...(yield* Goals.handlers),
      ...(yield* Organizing.handlers),
      ...(yield* Queue.handlers),
      ...(yield* Reviews.handlers),
      ...(yield* Searching.handlers),
      ...(yield* ThreadLifecycle.handlers),
      ...(yield* ThreadReading.handlers),
      ...(yield* ThreadChanges.handlers),
      ...(yield* ThreadInput.handlers),
      ...(yield* Timeline.handlers),
      ...(yield* TurnMethods.handlers)
    }
  return served
})
