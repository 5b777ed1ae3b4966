/**
 * A scriptable OpenAI Chat Completions API on loopback, for running a real omp or pi without a network and without an
 * account. (The Responses API is in `FakeResponses.ts`.)
 *
 * Each request that offers tools takes one step of the script. A request without tools (a title, the summary of a
 * compaction) is answered by the auxiliary step and takes none. A request that nobody scripted is answered by HTTP 400.
 * There is also `GET /v1/models`, and a search engine at `/search`.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as Http from "node:http"
import { inRealTime } from "../../src/transport/internal/realTime.ts"
import type { Gate } from "./Gate.ts"
import type { AnswerEnd } from "./RecordedRequest.ts"

/** The loopback address could not be listened on. */
export class FakeChatError extends Schema.TaggedError<FakeChatError>()("FakeChatError", { cause: Schema.Defect() }) {
  override get message() {
    return "the fake chat model could not listen on 127.0.0.1"
  }
}

/** A call of a tool. `raw` are arguments that need not be JSON. */
export interface ToolCall {
  readonly name: string
  readonly args?: Schema.Json
  readonly raw?: string
  /** By default `call_<request>_<index>`. */
  readonly id?: string
}

/** Tokens. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cachedInput?: number
  readonly reasoningOutput?: number
}

/** A piece of a text, sent by itself, or a gate at which the model stops. */
export type Piece = string | Gate

/** What the model says to one request: first its reasoning, then its text, then its calls. */
export interface Step {
  readonly reasoning?: ReadonlyArray<Piece>
  readonly text?: ReadonlyArray<Piece>
  readonly tools?: ReadonlyArray<ToolCall>
  /** Default 1,000 in (100 of them cached), 50 out (5 of them reasoning). */
  readonly usage?: Usage
  /** Between the pieces, in real time. */
  readonly delay?: Duration.Input
  /** `length` for an answer that was cut; by default what fits. */
  readonly finish?: string
  /** Says nothing more after that, and leaves the stream open. */
  readonly hang?: boolean
  /** An HTTP error in place of an answer. */
  readonly status?: number
  /** The message of that error. */
  readonly message?: string
}

/** A step, or a function that chooses one by the request. */
export type Script = Step | ((request: ChatRequest) => Step)

const Message = Schema.Struct({
  role: Schema.String,
  content: Schema.optional(Schema.Unknown),
  tool_call_id: Schema.optional(Schema.String)
})

const Body = Schema.Struct({
  model: Schema.String,
  messages: Schema.Array(Message),
  tools: Schema.optional(Schema.Array(Schema.Struct({ function: Schema.Struct({ name: Schema.String }) })))
})

/** One request, of any method and path, in order of arrival. */
export interface ChatRequest {
  /** Its place among all requests, from 1. */
  readonly ordinal: number
  readonly method: string
  readonly url: string
  /** The body as it came; `null` where there was none, or none in JSON. */
  readonly json: unknown
  /** The body of a model request; none for any other request. */
  readonly body: Option.Option<typeof Body.Type>
  /** Ends when the answer has ended, and says how. */
  readonly ended: Effect.Effect<AnswerEnd>
}

/** The running fake. */
export class FakeChat extends Context.Service<FakeChat, {
  readonly port: number
  /** For the configuration of a provider: `http://127.0.0.1:<port>/v1`. */
  readonly baseUrl: string
  /** Appends steps to the script. */
  readonly push: (...scripts: ReadonlyArray<Script>) => Effect.Effect<void>
  /** What a request without tools is answered from now on. Default: the text `Fake title`. */
  readonly auxiliary: (script: Script) => Effect.Effect<void>
  /** What a request is answered when the script is empty. Default: HTTP 400. */
  readonly fallback: (script: Script) => Effect.Effect<void>
  /** How many steps no request has taken yet. */
  readonly left: Effect.Effect<number>
  /** All requests up to now, in order of arrival. */
  readonly requests: Effect.Effect<ReadonlyArray<ChatRequest>>
  /** Waits for the first request, past or future, that fits. */
  readonly requestWhere: (predicate: (request: ChatRequest) => boolean) => Effect.Effect<ChatRequest>
}>()("effect-codex-bridge/test/support/FakeChat") {}

/** Whether it is a request that takes a step of the script. */
export const isTurn = (request: ChatRequest): boolean => toolNames(request).length > 0

/** The names of the tools on offer. */
export const toolNames = (request: ChatRequest): ReadonlyArray<string> =>
  Option.match(request.body, { onNone: () => [], onSome: ({ tools = [] }) => tools.map((tool) => tool.function.name) })

/** The texts of the messages of a role, oldest first. */
export const textsOf = (request: ChatRequest, role: string): ReadonlyArray<string> =>
  messages(request).filter((message) => message.role === role).map(({ content }) => textOf(content))

/** What the client sent for a tool call; `undefined` while it has sent nothing. */
export const toolOutput = (request: ChatRequest, callId: string): string | undefined => {
  const found = messages(request).find((message) => message.tool_call_id === callId)
  return found === undefined ? undefined : textOf(found.content)
}

/** Starts a fake. Closing the scope ends every open answer and the server. */
export const make: Effect.Effect<FakeChat["Service"], FakeChatError, Scope.Scope> = Effect.gen(function*() {
  const script: Array<Script> = []
  let auxiliary: Script = { text: ["Fake title"] }
  let fallback: Script | undefined
  const recorded = yield* SubscriptionRef.make<ReadonlyArray<ChatRequest>>([])

  const choose = (request: ChatRequest): Step => {
    const next = isTurn(request) ? script.shift() ?? fallback : auxiliary
    if (next === undefined) return refusal(`no step scripted for request ${request.ordinal}`)
    return typeof next === "function" ? next(request) : next
  }

  const answer = Effect.fnUntraced(
    function*(incoming: Http.IncomingMessage, response: Http.ServerResponse, ended: Ended) {
      const method = incoming.method ?? ""
      const url = incoming.url ?? ""
      const json = parse(yield* readBody(incoming))
      const isModelRequest = method === "POST" && url.startsWith("/v1/chat/completions")
      const body = isModelRequest ? decodeBody(json) : Option.none()
      const request = yield* SubscriptionRef.modify(recorded, (all) => {
        const request = { ordinal: all.length + 1, method, url, json, body, ended: Deferred.await(ended) }
        return [request, [...all, request]]
      })
      if (Option.isSome(body)) {
        // A script that throws is a bug in a test, to be seen there and not as an agent that hangs.
        const step = yield* Effect.try(() => choose(request)).pipe(
          Effect.catch((error) => Effect.succeed(refusal(`the script failed: ${String(error.cause)}`)))
        )
        return yield* play(step, request, body.value.model, response, ended)
      }
      const other = method === "GET" ? resources.find(({ path }) => url.startsWith(path)) : undefined
      yield* sendJson(
        response,
        other === undefined ? 404 : 200,
        other?.json ?? errorJson(`nothing at ${method} ${url}`)
      )
      yield* settle(ended, "finished", () => response.end())
    },
    (effect, _incoming, response, ended) =>
      Effect.raceFirst(effect, Effect.asVoid(Deferred.await(ended))).pipe(
        Effect.catchCause((cause) =>
          Effect.andThen(
            Effect.logError("FakeChat: an answer failed", Cause.pretty(cause)),
            settle(ended, "cut", () => response.destroy())
          )
        )
      )
  )

  const run = yield* FiberSet.makeRuntime<never, void, never>()
  const port = yield* listen((incoming, response) => {
    const ended: Ended = Deferred.makeUnsafe()
    response.once("close", () => Deferred.doneUnsafe(ended, Effect.succeed("clientClosed")))
    // A write to a client that is gone. "close" follows and says what there is to say.
    response.on("error", () => {})
    run(answer(incoming, response, ended))
  })

  return FakeChat.of({
    port,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    push: (...scripts) => Effect.sync(() => void script.push(...scripts)),
    auxiliary: (script) =>
      Effect.sync(() => {
        auxiliary = script
      }),
    fallback: (script) =>
      Effect.sync(() => {
        fallback = script
      }),
    left: Effect.sync(() => script.length),
    requests: SubscriptionRef.get(recorded),
    requestWhere: (predicate) =>
      SubscriptionRef.changes(recorded).pipe(
        Stream.map((all) => all.find(predicate)),
        Stream.filter(Predicate.isNotUndefined),
        Stream.runHead,
        // The stream of changes has no end of its own.
        Effect.flatMap(Option.match({ onNone: () => Effect.never, onSome: Effect.succeed }))
      )
  })
})

/** `make` as a layer. */
export const layer: Layer.Layer<FakeChat, FakeChatError> = Layer.effect(FakeChat, make)

// =============================================================================
// Internal
// =============================================================================

type Ended = Deferred.Deferred<AnswerEnd>

const decodeBody = Schema.decodeUnknownOption(Body)
const decodeParts = Schema.decodeUnknownOption(Schema.Array(Schema.Struct({ text: Schema.optional(Schema.String) })))

const messages = (request: ChatRequest): ReadonlyArray<typeof Message.Type> =>
  Option.match(request.body, { onNone: () => [], onSome: (body) => body.messages })

/** A content is a text, or a list of parts of which some have a text. */
const textOf = (content: unknown): string =>
  Predicate.isString(content)
    ? content
    : Option.match(decodeParts(content), {
      onNone: () => "",
      onSome: (parts) => parts.map((part) => part.text ?? "").join("\n")
    })

const refusal = (message: string): Step => ({ status: 400, message: `FakeChat: ${message}` })

const errorJson = (message: string) => ({ error: { message, type: "invalid_request_error", code: null } })

const resources = [
  { path: "/v1/models", json: { object: "list", data: [{ id: "fake-1", object: "model" }] } },
  {
    path: "/search",
    json: {
      query: "fake",
      number_of_results: 1,
      results: [{ url: "https://example.com/a", title: "Example A", content: "a snippet", engine: "fake", score: 1 }],
      answers: [],
      suggestions: [],
      infoboxes: []
    }
  }
] as const

const settle = (ended: Ended, end: AnswerEnd, act: () => void) =>
  Effect.sync(() => {
    Deferred.doneUnsafe(ended, Effect.succeed(end))
    act()
  })

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const readBody = (incoming: Http.IncomingMessage): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
    incoming.once("end", () => resume(Effect.succeed(Buffer.concat(chunks).toString("utf8"))))
  })

const listen = (handler: Http.RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<Http.Server, FakeChatError>((resume) => {
      const server = Http.createServer(handler)
      server.once("error", (cause) => resume(Effect.fail(new FakeChatError({ cause }))))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(Effect.flatMap((server) => {
    const address = server.address()
    return typeof address === "object" && address !== null
      ? Effect.succeed(address.port)
      : Effect.fail(new FakeChatError({ cause: new Error("the server has no address") }))
  }))

/** Ends when the chunk has left for the socket. */
const write = (response: Http.ServerResponse, chunk: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    // An error here means that the client is gone; the "close" event ends the answer.
    response.write(chunk, () => resume(Effect.void))
  })

const sendJson = (response: Http.ServerResponse, status: number, json: unknown) =>
  Effect.suspend(() => {
    response.writeHead(status, { "content-type": "application/json" })
    return write(response, JSON.stringify(json))
  })

const play = Effect.fnUntraced(function*(
  step: Step,
  { ordinal }: ChatRequest,
  model: string,
  response: Http.ServerResponse,
  ended: Ended
) {
  if (step.status !== undefined) {
    yield* sendJson(response, step.status, errorJson(step.message ?? "fake error"))
    return yield* settle(ended, "finished", () => response.end())
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
  const { delay } = step
  const id = `fake_${ordinal}`
  const chunk = (fields: object) =>
    write(
      response,
      `data: ${JSON.stringify({ id, object: "chat.completion.chunk", created: 1, model, ...fields })}\n\n`
    )
  const pause = delay === undefined ? Effect.void : inRealTime(Effect.sleep(delay))
  const delta = (delta: object) => Effect.andThen(chunk({ choices: [{ index: 0, delta, finish_reason: null }] }), pause)
  const say = Effect.fnUntraced(function*(pieces: ReadonlyArray<Piece>, field: string) {
    for (const piece of pieces) {
      yield* Predicate.isString(piece) ? delta({ [field]: piece }) : piece.pass
    }
  })

  yield* delta({ role: "assistant", content: "" })
  yield* say(step.reasoning ?? [], "reasoning_content")
  yield* say(step.text ?? [], "content")
  const tools = step.tools ?? []
  for (const [index, { args = {}, id = `call_${ordinal}_${index}`, name, raw }] of tools.entries()) {
    yield* delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] })
    const text = raw ?? JSON.stringify(args)
    const half = Math.ceil(text.length / 2)
    for (const part of [text.slice(0, half), text.slice(half)]) {
      yield* delta({ tool_calls: [{ index, function: { arguments: part } }] })
    }
  }
  if (step.hang === true) return yield* Effect.never

  const usage = step.usage ?? { input: 1000, output: 50, cachedInput: 100, reasoningOutput: 5 }
  yield* chunk({
    choices: [{ index: 0, delta: {}, finish_reason: step.finish ?? (tools.length > 0 ? "tool_calls" : "stop") }]
  })
  yield* chunk({
    choices: [],
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cachedInput ?? 0 },
      completion_tokens_details: { reasoning_tokens: usage.reasoningOutput ?? 0 }
    }
  })
  yield* write(response, "data: [DONE]\n\n")
  yield* settle(ended, "finished", () => response.end())
})
