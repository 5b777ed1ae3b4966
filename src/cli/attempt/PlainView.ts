/**
 * An attempt for a pipe or a file: the answer goes to standard output, all that is told beside it to standard error.
 */
import * as Effect from "effect/Effect"
import { declining } from "../../agent/TurnHost.ts"
import { line, span, wholeLines } from "../view/Chunk.ts"
import * as Renderer from "../view/Renderer.ts"
import { PlainScreen } from "../view/Screen.ts"
import type { Sink } from "../view/Sink.ts"
import { summary } from "../view/Summary.ts"
import { oneLine } from "../view/Text.ts"
import type { View } from "./View.ts"

/** Whatever the agent asks is declined: nobody may be there. */
export const make = (
  output: Sink,
  notes: Sink,
  options: { readonly coloured: boolean; readonly cwd: string; readonly at: number }
): View => {
  const screen = new PlainScreen(output, notes, options)
  let state = Renderer.make({ live: false, asks: false, cwd: options.cwd, at: options.at })
  const show = ([next, chunks]: Renderer.Step) => {
    state = next
    screen.print(chunks)
  }
  return {
    begin: ({ backend, reason }) => screen.print([wholeLines(line(span(`${backend}: ${oneLine(reason)}`, "dim")))]),
    event: (event, at) => show(Renderer.render(state, event, at)),
    interrupting: () => show(Renderer.interrupt(state)),
    end: (result, millis) => {
      screen.print(summary(state, result, millis))
      screen.endLine()
    },
    notice: (text) => screen.print([wholeLines(line(span(text, "yellow")))]),
    log: (text) => screen.print([wholeLines(line(span(text, "dim")))]),
    host: declining,
    ready: Effect.andThen(output.ready, notes.ready),
    flush: Effect.andThen(output.flush, notes.flush),
    left: output.left,
    restore: () => {}
  }
}
