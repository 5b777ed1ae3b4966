/**
 * Where this program was started.
 */
import * as Effect from "effect/Effect"
import { UsageError } from "./UsageError.ts"

/** Fails when somebody has removed the directory meanwhile. */
export const workingDirectory: Effect.Effect<string, UsageError> = Effect.try({
  try: () => process.cwd(),
  catch: () => new UsageError({ flag: "working directory", detail: "it is gone; start in one that exists" })
})
