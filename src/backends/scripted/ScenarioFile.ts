/**
 * A scenario that is kept in a file.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schema from "effect/Schema"
import { AgentError, NotConfigured } from "../../agent/AgentError.ts"
import { Scenario } from "./Scenario.ts"

const decode = Schema.decodeEffect(Schema.fromJsonString(Scenario))

/** Reads a JSON file with a {@link Scenario}. Fails with `NotConfigured`, which says what is wrong with it. */
export const read = Effect.fn("ScenarioFile.read")(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* Effect.flatMap(fs.readFileString(file), decode)
}, (reading, file) =>
  Effect.mapError(
    reading,
    ({ message }) =>
      new AgentError({ backend: "scripted", reason: new NotConfigured({ detail: `the scenario ${file}: ${message}` }) })
  ))
