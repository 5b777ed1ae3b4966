/**
 * Runs `codex-bridge attempt`.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as LogLevel from "effect/LogLevel"
import * as References from "effect/References"
import type * as Scope from "effect/Scope"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { AgentBackend } from "../../agent/AgentBackend.ts"
import { EventBuffer } from "../../agent/EventBuffer.ts"
import { TurnHost } from "../../agent/TurnHost.ts"
import { Selection } from "../../backends/selector/Selection.ts"
import { AttemptHandle } from "../../host/AttemptHandle.ts"
import { runAttemptWith } from "../../host/RunAttempt.ts"
import * as SessionBindings from "../../host/SessionBindings.ts"
import { exitCodes } from "../ExitCode.ts"
import { UsageError } from "../UsageError.ts"
import { wantsColour } from "../view/Chunk.ts"
import { fromStream } from "../view/Sink.ts"
import { workingDirectory } from "../WorkingDirectory.ts"
import * as Backend from "./Backend.ts"
import type { AttemptInput } from "./Definition.ts"
import * as JsonView from "./JsonView.ts"
import * as Keyboard from "./Keyboard.ts"
import * as PlainView from "./PlainView.ts"
import * as Settings from "./Settings.ts"
import * as Stopping from "./Stopping.ts"
import * as TerminalView from "./TerminalView.ts"
import type { View } from "./View.ts"

/** How many events may wait for a slow reader of the output. */
const eventLimit = 65_536

// A person wants to know what is wrong, a log who said it when.
const makeLogger = (view: View, isForPeople: boolean): Logger.Logger<unknown, void> =>
  isForPeople
    ? Logger.make(({ cause, logLevel, message }) => {
      const parts = Array.isArray(message) ? message : [message]
      const told = parts.map((part) => typeof part === "string" ? part : Inspectable.toStringUnknown(part, 0))
      const why = cause === Cause.empty ? [] : [Cause.pretty(cause)]
      view.log([`${logLevel.toLowerCase()}:`, ...told, ...why].join(" "))
    })
    : Logger.map(Logger.formatLogFmt, (line) => view.log(line))

const standardInput = Effect.gen(function*() {
  const stdio = yield* Stdio.Stdio
  return yield* stdio.stdin.pipe(
    Stream.decodeText(),
    Stream.mkString,
    Effect.mapError((error) => new UsageError({ flag: "PROMPT", detail: `standard input: ${error.message}` }))
  )
})

const makeView = Effect.fnUntraced(function*(
  values: AttemptInput,
  cwd: string,
  onInterrupt: () => void
): Effect.fn.Return<View, never, Scope.Scope> {
  const { env, stderr, stdin, stdout } = process
  const output = yield* fromStream(stdout)
  const notes = yield* fromStream(stderr)
  if (values.json) return JsonView.make(output, notes)
  if (output.isTerminal && env["TERM"] !== "dumb") {
    return yield* TerminalView.make(output, {
      coloured: wantsColour(true, env),
      cwd,
      keyboard: stdin.isTTY ? Keyboard.fromStdin(stdin) : undefined,
      onInterrupt
    })
  }
  const at = yield* Clock.currentTimeMillis
  return PlainView.make(output, notes, { coloured: wantsColour(notes.isTerminal, env), cwd, at })
})

const attempt = Effect.fnUntraced(function*(input: AttemptInput, logLevel: LogLevel.LogLevel) {
  const directory = yield* workingDirectory
  const stdio = yield* Stdio.Stdio
  const settings = yield* Settings.read(input, {
    directory,
    environment: process.env,
    standardInput: Effect.provideService(standardInput, Stdio.Stdio, stdio)
  })
  const startedAt = yield* Clock.currentTimeMillis
  const handle = new AttemptHandle()

  const stopping: { view: View | undefined } = { view: undefined }
  const onSignal = yield* Stopping.listen({
    onFirst: () => {
      stopping.view?.interrupting()
      handle.stop({ _tag: "Abort", reason: "a signal" })
    },
    // The agent's process ends by itself when its standard input does.
    onSecond: () => {
      stopping.view?.restore()
      process.exit(exitCodes.interrupted)
    }
  })
  const view = yield* makeView(input, settings.params.workspaceDir ?? directory, onSignal)
  stopping.view = view

  const { timeoutMs } = settings
  if (timeoutMs !== undefined) {
    yield* Effect.sleep(timeoutMs).pipe(
      Effect.andThen(Effect.sync(() => handle.stop({ _tag: "Deadline", after: timeoutMs }))),
      Effect.forkScoped
    )
  }
  // Whatever the agent went on to do would be for nobody.
  yield* view.left.pipe(
    Effect.andThen(Effect.sync(() => handle.stop({ _tag: "Abort", reason: "the reader of the output left" }))),
    Effect.forkScoped
  )

  const run = Effect.gen(function*() {
    const { backend, selection } = yield* Backend.choose(settings.selector, handle.stopped)
    view.begin(selection)
    const withoutUse = settings.withoutUse(backend.id)
    if (withoutUse.length > 0) view.notice(`${withoutUse.join(", ")}: without effect, ${backend.id} has no use for it`)

    const buffer = new EventBuffer({ backend: backend.id, limit: eventLimit })
    const shown = yield* buffer.stream.pipe(
      Stream.runForEachArray((events) =>
        Effect.flatMap(Clock.currentTimeMillis, (at) => {
          for (const event of events) view.event(event, at)
          return view.ready
        })
      ),
      Effect.catch((error) => Effect.sync(() => view.notice(`Not everything could be shown: ${error.message}`))),
      Effect.forkScoped
    )
    const result = yield* runAttemptWith(settings.params, { handle, tap: (event) => buffer.offer(event) }).pipe(
      Effect.provideService(AgentBackend, backend),
      Effect.provideService(Selection, selection),
      Effect.provideService(TurnHost, view.host),
      Effect.mapError(Settings.fromAttemptError)
    )
    buffer.end()
    yield* Fiber.join(shown)
    view.end(result, (yield* Clock.currentTimeMillis) - startedAt)
    yield* view.flush
    return exitCodes[result.status]
  })

  return yield* Effect.scoped(run).pipe(
    Effect.provideService(References.MinimumLogLevel, logLevel),
    Effect.provide(Logger.layer([makeLogger(view, !input.json)]))
  )
})

/** Gives the exit code. */
export const run = (input: AttemptInput, logLevel: LogLevel.LogLevel): Effect.Effect<number, UsageError> =>
  attempt(input, logLevel).pipe(
    Effect.scoped,
    Effect.provide(SessionBindings.layerSidecar().pipe(Layer.provideMerge(NodeServices.layer)))
  )
