/**
 * An attempt on a terminal: live, with a region below that tells what is going on, and questions that can be answered.
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { declining } from "../../agent/TurnHost.ts"
import { type Line, line, span, wholeLines } from "../view/Chunk.ts"
import { type } from "../view/LineEditor.ts"
import * as Renderer from "../view/Renderer.ts"
import { Screen } from "../view/Screen.ts"
import type { Sink } from "../view/Sink.ts"
import { summary } from "../view/Summary.ts"
import { oneLine, widthOf } from "../view/Text.ts"
import type { Keyboard } from "./Keyboard.ts"
import * as TerminalHost from "./TerminalHost.ts"
import type { View } from "./View.ts"

export interface TerminalOptions {
  readonly coloured: boolean
  /** The directory that is worked in. */
  readonly cwd: string
  /** Missing when nobody can type: what the agent asks is declined then. */
  readonly keyboard: Keyboard | undefined
  /** Ctrl-C while something is asked, when the terminal sends no signal. */
  readonly onInterrupt: () => void
}

/** From when on a pause in the middle of a line counts as one, in milliseconds. */
const pauseMillis = 1_000

// The end of what is typed, where not all of it has room.
const typedLine = (prompt: string, text: string, columns: number): Line => {
  const head = `  ${prompt} › `
  const room = Math.max(8, columns - widthOf(head) - 2)
  let shown = text
  while (widthOf(shown) > room) shown = Array.from(shown).slice(1).join("")
  return line(span("  "), span(prompt, "yellow"), span(` › ${shown}`))
}

/** The region lives until the attempt ends or the scope closes. */
export const make = Effect.fnUntraced(function*(
  sink: Sink,
  options: TerminalOptions
): Effect.fn.Return<View, never, Scope.Scope> {
  const { keyboard } = options
  const screen = new Screen(sink, options)
  let state = Renderer.make({
    live: true,
    asks: keyboard !== undefined,
    cwd: options.cwd,
    at: yield* Clock.currentTimeMillis
  })
  let prompt: Line | undefined
  let isOver = false

  const draw = (now: number) => {
    if (isOver) return
    if (prompt !== undefined) screen.setRegion([prompt])
    else if (!screen.isMidLine || now - state.lastAt >= pauseMillis) screen.setRegion(Renderer.region(state, now))
  }

  yield* Effect.sleep(Renderer.frameMillis).pipe(
    Effect.andThen(Clock.currentTimeMillis),
    Effect.tap((now) => Effect.sync(() => prompt === undefined ? draw(now) : undefined)),
    Effect.forever,
    Effect.forkScoped
  )
  yield* Effect.addFinalizer(() => Effect.sync(() => screen.setRegion([])))

  const show = ([next, chunks]: Renderer.Step) => {
    state = next
    screen.print(chunks)
    draw(state.lastAt)
  }

  const tell = (told: ReadonlyArray<Line>) => {
    screen.print([wholeLines(...told)])
    if (prompt !== undefined) screen.setRegion([prompt])
  }

  const ask: TerminalHost.Asker["ask"] = (question, { hidden }) => {
    if (keyboard === undefined) return Effect.undefined
    return Effect.gen(function*() {
      const typed = Deferred.makeUnsafe<string | undefined>()
      let text = ""
      const show = () => {
        prompt = typedLine(question, hidden ? "•".repeat(Array.from(text).length) : text, sink.columns())
        screen.setRegion([prompt])
      }
      yield* keyboard.listen((input) => {
        const next = type(text, input)
        switch (next._tag) {
          case "Editing":
            text = next.text
            return show()
          case "Submitted":
            return void Deferred.doneUnsafe(typed, Effect.succeed(next.text))
          case "Ended":
            return void Deferred.doneUnsafe(typed, Effect.undefined)
          case "Interrupted":
            return options.onInterrupt()
        }
      })
      show()
      return yield* Deferred.await(typed)
    }).pipe(
      Effect.ensuring(Effect.sync(() => {
        prompt = undefined
        screen.setRegion([])
      })),
      Effect.scoped
    )
  }

  return {
    begin: ({ backend, reason }) => tell([line(span(`${backend}: ${oneLine(reason)}`, "dim"))]),
    event: (event, at) => show(Renderer.render(state, event, at)),
    interrupting: () => show(Renderer.interrupt(state)),
    end: (result, millis) => {
      isOver = true
      screen.setRegion([])
      screen.print(summary(state, result, millis))
      screen.endLine()
    },
    notice: (text) => tell([line(span(text, "yellow"))]),
    log: (text) => tell([line(span(oneLine(text), "dim"))]),
    host: keyboard === undefined ? declining : TerminalHost.make({ ask, tell }),
    ready: sink.ready,
    flush: sink.flush,
    left: sink.left,
    restore: () => {
      isOver = true
      screen.setRegion([])
      screen.endLine()
      keyboard?.restore()
    }
  }
})
