/**
 * The conversation with `omp --mode rpc` over a transport.
 */
import * as Arr from "effect/Array"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import {
  type AgentError,
  type AgentErrorReason,
  MalformedReply,
  Rejected,
  SessionBusy,
  TimedOut
} from "../../../agent/AgentError.ts"
import type { Inbound, TransportService } from "../../../transport/Transport.ts"
import { Closed, TransportError } from "../../../transport/TransportError.ts"
import { agentError, fromTransportError } from "./Errors.ts"
import { type AnswerOf, type Command, type CommandType, decodeAnswer } from "./RpcCommands.ts"
import { type BufferOptions, type RpcEvent, RpcEvents } from "./RpcEvents.ts"
import { FrameReader, type RpcFrame } from "./RpcFrames.ts"
import { Dialog, type DialogAnswer, HostToolCall, type HostToolResult, type RpcHandlers } from "./RpcHandlers.ts"

export interface RequestOptions {
  /** How long omp may take to answer; as in the options of the peer by default. `Infinity` waits as long as it lives. */
  readonly deadline?: Duration.Input | undefined
  /** To find the answer among the events. One of this process by default. */
  readonly requestId?: string | undefined
}

export interface PeerOptions {
  /** The deadline of a request that has none of its own; 60 seconds by default. */
  readonly deadline?: Duration.Input | undefined
  readonly buffer?: BufferOptions | undefined
}

/** The first frame of the process. */
export const Ready = Schema.Struct({
  protocolVersion: Schema.Finite,
  supportedProtocolVersions: Schema.optionalKey(Schema.Array(Schema.Finite))
})

export interface RpcPeer {
  /** Waits for the first frame. */
  readonly ready: Effect.Effect<typeof Ready.Type, AgentError>
  readonly request: <C extends Command>(
    command: C,
    options?: RequestOptions
  ) => Effect.Effect<AnswerOf<C["type"]>, AgentError>
  readonly events: Stream.Stream<RpcEvent, AgentError>
  /** Waits for the end of the connection and says how it came. */
  readonly ended: Effect.Effect<AgentError>
}

interface Pending {
  readonly command: CommandType
  readonly answer: Deferred.Deferred<unknown, AgentError>
}

const decodeReady = Schema.decodeUnknownResult(Ready)
const decodeDialog = Schema.decodeUnknownResult(Dialog)
const decodeHostTool = Schema.decodeUnknownResult(HostToolCall)

const text = (value: unknown): string | undefined => Predicate.isString(value) ? value : undefined

const busy = /already processing/

/** Why a command was refused. There are no codes but two; the sentence decides. */
const refusal = (command: string, frame: RpcFrame): AgentErrorReason => {
  const detail = text(frame["error"]) ?? "no reason given"
  return frame["code"] === "session_busy" || busy.test(detail)
    ? new SessionBusy({ sessionId: "the session of this process", detail })
    : new Rejected({ operation: command, detail })
}

const answerFrame = (id: string, answer: DialogAnswer): string => {
  const type = "extension_ui_response"
  switch (answer._tag) {
    case "Value":
      return JSON.stringify({ type, id, value: answer.value })
    case "Confirmed":
      return JSON.stringify({ type, id, confirmed: answer.confirmed })
    case "Cancelled":
      return JSON.stringify({ type, id, cancelled: true })
  }
}

const resultFrame = (id: string, { content, details, isError }: HostToolResult): string =>
  JSON.stringify({ type: "host_tool_result", id, result: { content, details }, isError })

const toolFailure = (text: string): HostToolResult => ({ content: [{ type: "text", text }], isError: true })

const isAbort = (command: CommandType): boolean => command === "abort" || command === "abort_and_prompt"

/** A question of omp's that waits for its handler. */
interface Question {
  readonly kind: "dialog" | "tool"
  fiber: Fiber.Fiber<void> | undefined
}

/** Starts to talk. Ends with the transport, or with the scope. */
export const make = Effect.fnUntraced(function*(
  transport: TransportService,
  handlers: RpcHandlers,
  options?: PeerOptions
): Effect.fn.Return<RpcPeer, never, Scope.Scope> {
  const defaultDeadline = options?.deadline ?? Duration.seconds(60)
  const events = new RpcEvents(options?.buffer)
  const reader = new FrameReader()
  const ready = yield* Deferred.make<typeof Ready.Type, AgentError>()
  const ended = yield* Deferred.make<AgentError>()
  const pending = new Map<string, Pending>()
  // Whoever takes a question out of here answers it.
  const questions = new Map<string, Question>()
  const run = yield* FiberSet.makeRuntime<never, void, never>()
  let failure: ((mayHaveReached: boolean) => AgentError) | undefined
  let lastId = 0
  let aborting = 0

  const warn = (detail: string): void => events.offer({ _tag: "Warning", detail })

  const end = (reason: (mayHaveReached: boolean) => AgentErrorReason): void => {
    if (failure !== undefined) return
    failure = (mayHaveReached) => agentError(reason(mayHaveReached))
    const error = failure(true)
    Deferred.doneUnsafe(ready, Effect.fail(failure(false)))
    for (const { answer } of pending.values()) Deferred.doneUnsafe(answer, Effect.fail(error))
    pending.clear()
    for (const { fiber } of questions.values()) fiber?.interruptUnsafe()
    questions.clear()
    events.end(error)
    Deferred.doneUnsafe(ended, Effect.succeed(error))
  }

  /** For what nobody waits for. That the process is gone is told by the read loop. */
  const post = (frame: string): Effect.Effect<void> => Effect.ignore(transport.send([frame]))

  // ===========================================================================
  // Questions
  // ===========================================================================

  const ask = <A>(
    kind: Question["kind"],
    id: string,
    handler: Effect.Effect<A>,
    encode: (answer: A) => string,
    onDefect: (message: string) => A
  ): void => {
    const question: Question = { kind, fiber: undefined }
    questions.set(id, question)
    const reply = (answer: A) => Effect.suspend(() => questions.delete(id) ? post(encode(answer)) : Effect.void)
    question.fiber = run(
      handler.pipe(
        Effect.catchDefect((defect) => {
          const message = defect instanceof Error ? defect.message : String(defect)
          warn(`the answer to a ${kind === "dialog" ? "dialog" : "tool call"} failed: ${message}`)
          return Effect.succeed(onDefect(message))
        }),
        Effect.flatMap(reply),
        // By somebody else: omp still waits for the answer.
        Effect.onInterrupt(() => reply(onDefect("it was interrupted")))
      )
    )
  }

  /** Ends the handler without an answer. */
  const takeBack = (id: unknown): void => {
    const question = Predicate.isString(id) ? questions.get(id) : undefined
    if (question === undefined || !Predicate.isString(id)) return
    questions.delete(id)
    question.fiber?.interruptUnsafe()
  }

  const cancelled: DialogAnswer = { _tag: "Cancelled" }

  const onUiRequest = (frame: RpcFrame): void => {
    const { id, method } = frame
    switch (method) {
      case "select":
      case "confirm":
      case "input":
      case "editor":
        break
      case "cancel":
        return takeBack(frame["targetId"])
      default:
        return events.offer({ _tag: "Frame", frame })
    }
    const decoded = decodeDialog(frame)
    if (Result.isFailure(decoded) || aborting > 0) {
      if (Result.isFailure(decoded)) warn(`a dialog that cannot be read: ${decoded.failure.message}`)
      // Unanswered it would hold up the run, and every command behind it.
      if (Predicate.isString(id)) run(post(answerFrame(id, cancelled)))
      return
    }
    const dialog = decoded.success
    const { timeout } = dialog
    const answer = Effect.suspend(() => handlers.onDialog(dialog))
    ask(
      "dialog",
      dialog.id,
      // omp does not say that it went on without an answer.
      timeout === undefined
        ? answer
        : Effect.timeoutOrElse(answer, { duration: Duration.millis(timeout), orElse: () => Effect.succeed(cancelled) }),
      (answer) => answerFrame(dialog.id, answer),
      () => cancelled
    )
  }

  const onHostTool = (frame: RpcFrame): void => {
    const decoded = decodeHostTool(frame)
    if (Result.isFailure(decoded)) {
      warn(`a tool call that cannot be read: ${decoded.failure.message}`)
      const { id } = frame
      if (Predicate.isString(id)) run(post(resultFrame(id, toolFailure("The host cannot read this call."))))
      return
    }
    const call = decoded.success
    ask(
      "tool",
      call.id,
      Effect.suspend(() =>
        handlers.onHostTool(call, (partialResult) =>
          Effect.suspend(() =>
            questions.has(call.id)
              ? post(JSON.stringify({ type: "host_tool_update", id: call.id, partialResult }))
              : Effect.void
          ))
      ),
      (result) => resultFrame(call.id, result),
      (message) => toolFailure(`The tool failed: ${message}`)
    )
  }

  // ===========================================================================
  // Answers
  // ===========================================================================

  /** An answer to an unknown command has no id: commands are answered in order, so that it is the oldest one's. */
  const idOf = (frame: RpcFrame): string | undefined => {
    const id = text(frame["id"])
    if (id !== undefined) return id
    if (frame["success"] !== false || !text(frame["error"])?.startsWith("Unknown command")) return undefined
    for (const [id, { command }] of pending) {
      if (command === frame["command"]) return id
    }
    return undefined
  }

  const onResponse = (frame: RpcFrame): void => {
    const id = idOf(frame)
    const command = text(frame["command"]) ?? "unknown"
    const success = frame["success"] === true
    const request = id === undefined ? undefined : pending.get(id)
    if (id === undefined || request === undefined) {
      // Late: it was given up, or answered with success before.
      if (success) return
      const error = agentError(refusal(command, frame))
      return id === undefined
        ? warn(error.message)
        : events.offer({ _tag: "FailedLater", requestId: id, command, error })
    }
    pending.delete(id)
    events.offer({ _tag: "Answered", requestId: id, command: request.command, success })
    Deferred.doneUnsafe(
      request.answer,
      success ? Effect.succeed(frame["data"]) : Effect.fail(agentError(refusal(request.command, frame)))
    )
  }

  const onReady = (frame: RpcFrame): void => {
    const decoded = decodeReady(frame)
    if (Result.isSuccess(decoded)) Deferred.doneUnsafe(ready, Effect.succeed(decoded.success))
    else warn(`the first frame cannot be read: ${decoded.failure.message}`)
  }

  // ===========================================================================
  // Reading
  // ===========================================================================

  const onFrame = (frame: RpcFrame, size: number): void => {
    switch (frame.type) {
      case "response":
        return onResponse(frame)
      case "extension_ui_request":
        return onUiRequest(frame)
      case "host_tool_call":
        return onHostTool(frame)
      case "host_tool_cancel":
        return takeBack(frame["targetId"])
      case "ready":
        return onReady(frame)
      case "host_uri_request": {
        // No scheme is ever offered.
        const { id } = frame
        if (Predicate.isString(id)) {
          run(
            post(JSON.stringify({ type: "host_uri_result", id, isError: true, error: "The host has no such scheme." }))
          )
        }
        return
      }
      default:
        return events.offer({ _tag: "Frame", frame }, size)
    }
  }

  // The last line, if it is broken: half a frame, unless another line follows.
  let cut: string | undefined

  /** Why no more is to be read, if so. */
  const read = (inbound: Inbound): string | undefined => {
    if (cut !== undefined) {
      warn(`a line that is no frame: ${cut}`)
      cut = undefined
    }
    const result = reader.read(inbound)
    switch (result._tag) {
      case "Frame":
        onFrame(result.frame, result.size)
        return undefined
      case "Nothing":
        return undefined
      case "Noise":
        warn(result.detail)
        return undefined
      case "Broken":
        cut = result.detail
        return undefined
      case "Lost":
        return result.detail
    }
  }

  yield* transport.receive.pipe(
    Effect.flatMap((batch) => {
      for (const inbound of batch) {
        const lost = read(inbound)
        if (lost === undefined) continue
        // An answer, a question or the end of a run may have been in it: whoever waits for it would wait for ever.
        end((mayHaveReached) => new MalformedReply({ method: "a frame", detail: lost, mayHaveReached }))
        return Effect.interrupt
      }
      return Effect.void
    }),
    Effect.forever,
    Effect.catch((error) =>
      Effect.sync(() => end((mayHaveReached) => fromTransportError(error, mayHaveReached, cut ?? reader.unfinished())))
    ),
    Effect.forkScoped
  )

  // Runs before the fiber above is interrupted: nobody is left waiting.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      const reason = new Closed({ target: transport.target, detail: "it was closed by this side" })
      end((mayHaveReached) => fromTransportError(new TransportError({ reason }), mayHaveReached))
    })
  )

  // ===========================================================================
  // Requests
  // ===========================================================================

  /** Has every open dialog answered by nobody, so that none holds up what is to end. */
  const cancelDialogs = (): ReadonlyArray<string> => {
    const frames: Array<string> = []
    for (const [id, { fiber, kind }] of questions) {
      if (kind !== "dialog") continue
      questions.delete(id)
      fiber?.interruptUnsafe()
      frames.push(answerFrame(id, cancelled))
    }
    return frames
  }

  const exchange = (command: Command, id: string, request: Pending) =>
    Effect.suspend(() => {
      const before = isAbort(command.type) ? cancelDialogs() : []
      pending.set(id, request)
      return transport.send(Arr.append(before, JSON.stringify({ ...command, id })))
    }).pipe(
      Effect.mapError((error) => agentError(fromTransportError(error, false))),
      Effect.andThen(Deferred.await(request.answer))
    )

  const request = Effect.fn("OmpRpc.request")(function*<C extends Command>(
    command: C,
    requestOptions?: RequestOptions
  ): Effect.fn.Return<AnswerOf<C["type"]>, AgentError> {
    if (failure !== undefined) return yield* failure(false)
    const duration = Duration.fromInputUnsafe(requestOptions?.deadline ?? defaultDeadline)
    const id = requestOptions?.requestId ?? `request-${++lastId}`
    const answer = yield* Deferred.make<unknown, AgentError>()
    const abort = isAbort(command.type)
    if (abort) aborting += 1
    const data = yield* exchange(command, id, { command: command.type, answer }).pipe(
      Effect.timeoutOrElse({
        duration,
        orElse: () =>
          Effect.fail(agentError(
            new TimedOut({ operation: command.type, after: Duration.toMillis(duration), mayHaveReached: true })
          ))
      }),
      Effect.ensuring(Effect.sync(() => {
        pending.delete(id)
        if (abort) aborting -= 1
      }))
    )
    const decoded = decodeAnswer(command, data)
    if (Result.isSuccess(decoded)) return decoded.success
    return yield* agentError(
      new MalformedReply({ method: command.type, detail: decoded.failure.message, mayHaveReached: true })
    )
  })

  return { ready: Deferred.await(ready), request, events: events.stream, ended: Deferred.await(ended) }
})
