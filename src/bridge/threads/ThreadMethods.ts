/**
 * All methods of threads, of their turns and of their goals.
 */
import * as Effect from "effect/Effect"
import type { HandlersOf } from "../MethodTable.ts"
import * as Goals from "./Goals.ts"
import * as ThreadChanges from "./ThreadChanges.ts"
import * as ThreadInput from "./ThreadInput.ts"
import * as ThreadLifecycle from "./ThreadLifecycle.ts"
import * as ThreadReading from "./ThreadReading.ts"
import * as TurnMethods from "./TurnMethods.ts"

export const handlers = Effect.gen(function*() {
  const served: HandlersOf<"goals"> & HandlersOf<"threads"> & HandlersOf<"turns"> = {
    ...(yield* Goals.handlers),
    ...(yield* ThreadLifecycle.handlers),
    ...(yield* ThreadReading.handlers),
    ...(yield* ThreadChanges.handlers),
    ...(yield* ThreadInput.handlers),
    ...(yield* TurnMethods.handlers)
  }
  return served
})
