/**
 * An attempt as JSON lines: the backend, every event, the result. Nothing else goes to standard output.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AgentEvent } from "../../agent/AgentEvent.ts"
import { declining } from "../../agent/TurnHost.ts"
import { toRecord } from "../../backends/selector/Selection.ts"
import { AttemptResult } from "../../host/AttemptResult.ts"
import type { Sink } from "../view/Sink.ts"
import type { View } from "./View.ts"

const encodeEvent = Schema.encodeSync(Schema.toCodecJson(AgentEvent))
// The result has a line of its own kind, with all its fields beside the type.
const encodeResult = Schema.encodeSync(
  Schema.toCodecJson(Schema.Struct({ type: Schema.Literal("result"), ...AttemptResult.fields }))
)

/** Whatever the agent asks is declined: a program reads this. */
export const make = (output: Sink, notes: Sink): View => {
  const line = (value: Schema.Json) => output.write(`${JSON.stringify(value)}\n`)
  return {
    begin: (selection) => line({ type: "backend", ...toRecord(selection) }),
    event: (event) => line({ type: "event", event: encodeEvent(event) }),
    end: (result) => line(encodeResult({ type: "result", ...result })),
    interrupting: () => notes.write("Interrupting the agent; once more to leave at once\n"),
    notice: (text) => notes.write(`${text}\n`),
    log: (text) => notes.write(`${text}\n`),
    host: declining,
    ready: output.ready,
    flush: Effect.andThen(output.flush, notes.flush),
    left: output.left,
    restore: () => {}
  }
}
