/**
 * A scriptable OpenAI Responses API on loopback, for running a real agent without a network and without an account.
 *
 * The server takes one turn of its script for each `POST /v1/responses`, records every request, and notices when the
 * client hangs up. What it says is built in `ModelTurn.ts`; where it stops is decided by gates. It has no delays.
 *
 * A request that nobody scripted is answered by HTTP 400 and says so in its message: codex does not retry a 400, and
 * shows the message in the failed turn.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
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
import * as ModelTurn from "./ModelTurn.ts"
import * as RecordedRequest from "./RecordedRequest.ts"

/** The loopback address could not be listened on. */
export class FakeResponsesError extends Schema.TaggedError<FakeResponsesError>()("FakeResponsesError", {
  port: Schema.Int,
  cause: Schema.Defect()
}) {
  override get message() {
    return `the fake model could not listen on 127.0.0.1:${this.port}`
  }
}

/** A turn, or a function that chooses one by the request: by its thread, by its last user text, by a tool's output. */
export type Script =
  | ModelTurn.ModelTurn
  | ((
    request: RecordedRequest.RecordedRequest
  ) => ModelTurn.ModelTurn | Effect.Effect<ModelTurn.ModelTurn>)

/** Options of the fake. */
export interface Options {
  /** What answers a request when the queue is empty. Default: HTTP 400, "no turn scripted". */
  readonly fallback?: Script
  /** The port; 0 (the default) lets the system choose. A fixed one lets a fake come back where an earlier one was. */
  readonly port?: number
}

/** The running fake. */
export class FakeResponses extends Context.Service<FakeResponses, {
  readonly port: number
  /** The base URL for the client's configuration: `http://127.0.0.1:<port>/v1`. */
  readonly baseUrl: string
  /** Appends turns to the queue. Each model request takes one, in the order in which the requests arrive. */
  readonly push: (...scripts: ReadonlyArray<Script>) => Effect.Effect<void>
  /** How many queued turns no request has taken yet. */
  readonly left: Effect.Effect<number>
  /** All requests up to now, in order of arrival. */
  readonly requests: Effect.Effect<ReadonlyArray<RecordedRequest.RecordedRequest>>
  /** Waits for the n-th request, counted from 1. */
  readonly request: (n: number) => Effect.Effect<RecordedRequest.RecordedRequest>
  /** Waits for the first request, past or future, that fits. */
  readonly requestWhere: (
    predicate: (request: RecordedRequest.RecordedRequest) => boolean
  ) => Effect.Effect<RecordedRequest.RecordedRequest>
}>()("effect-codex-bridge/test/support/FakeResponses") {}

/** Starts a fake. Closing the scope ends every open answer and the server. */
export const make = Effect.fn("FakeResponses.make")(
  function*(options?: Options): Effect.fn.Return<FakeResponses["Service"], FakeResponsesError, Scope.Scope> {
    const fallback = options?.fallback ?? unscripted
    const queue: Array<Script> = []
    const recorded = yield* SubscriptionRef.make<ReadonlyArray<RecordedRequest.RecordedRequest>>([])

    const record = (make: (ordinal: number) => RecordedRequest.RecordedRequest) =>
      SubscriptionRef.modify(recorded, (all) => {
        const request = make(all.length + 1)
        return [request, [...all, request]]
      })

    const answer = Effect.fnUntraced(
      function*(incoming: Http.IncomingMessage, response: Http.ServerResponse, ended: Ended) {
        const json = parse(yield* readBody(incoming))
        const isModelRequest = incoming.method === "POST" && /^\/v1\/responses(\?|$)/.test(incoming.url ?? "")
        const body = isModelRequest ? decodeBody(json) : Option.none()
        const request = yield* record((ordinal) => ({
          ordinal,
          method: incoming.method ?? "",
          url: incoming.url ?? "",
          headers: singleHeaders(incoming.headers),
          json,
          body,
          ended: Deferred.await(ended)
        }))
        const turn = isModelRequest
          ? Option.isSome(body)
            ? choose(queue.shift() ?? fallback, request)
            : Effect.succeed(refusal(400, "the body is no Responses API request"))
          : Effect.succeed(refusal(404, `nothing at ${request.method} ${request.url}`))
        // A script that throws is a bug in a test. It must be seen there, and not as an agent that hangs.
        yield* Effect.catchCause(
          turn,
          (cause) => Effect.succeed(refusal(400, `the script failed: ${Cause.pretty(cause)}`))
        ).pipe(
          Effect.flatMap((turn) => play(turn, response, ended)),
          // A part that throws: the header is out, so what is left is to log it and to break the answer off.
          Effect.catchCause((cause) =>
            Effect.andThen(
              Effect.logError("FakeResponses: a part of the turn failed", cause),
              settle(ended, "cut", () => response.destroy())
            )
          )
        )
      },
      (effect, _incoming, _response, ended) => Effect.raceFirst(effect, Effect.asVoid(Deferred.await(ended)))
    )

    const run = yield* FiberSet.makeRuntime<never, void, never>()
    const port = yield* listen(options?.port ?? 0, (incoming, response) => {
      // Made outside of the fiber, so that no hang-up comes before there is somebody to notice it. The first to settle
      // `ended` is right: an answer settles it just before it ends or breaks the response itself.
      const ended: Ended = Deferred.makeUnsafe()
      response.once("close", () => Deferred.doneUnsafe(ended, Effect.succeed("clientClosed")))
      // A write to a client that is gone. "close" follows and says what there is to say.
      response.on("error", () => {})
      run(answer(incoming, response, ended))
    })

    const requestWhere = (predicate: (request: RecordedRequest.RecordedRequest) => boolean) =>
      SubscriptionRef.changes(recorded).pipe(
        Stream.map((all) => all.find(predicate)),
        Stream.filter(Predicate.isNotUndefined),
        Stream.runHead,
        Effect.flatMap(Option.match({
          // The stream of changes has no end of its own.
          onNone: () => Effect.never,
          onSome: Effect.succeed
        }))
      )

    return FakeResponses.of({
      port,
      baseUrl: `http://127.0.0.1:${port}/v1`,
      push: (...scripts) => Effect.sync(() => void queue.push(...scripts)),
      left: Effect.sync(() => queue.length),
      requests: SubscriptionRef.get(recorded),
      request: (n) => requestWhere((request) => request.ordinal === n),
      requestWhere
    })
  }
)

/** `make` as a layer. */
export const layer = (options?: Options): Layer.Layer<FakeResponses, FakeResponsesError> =>
  Layer.effect(FakeResponses, make(options))

// =============================================================================
// Internal
// =============================================================================

type Ended = Deferred.Deferred<RecordedRequest.AnswerEnd>

/** Says how the answer ends and ends it, in one step: whoever waits for `ended` may interrupt the answer. */
const settle = (ended: Ended, end: RecordedRequest.AnswerEnd, act: () => void) =>
  Effect.sync(() => {
    Deferred.doneUnsafe(ended, Effect.succeed(end))
    act()
  })

const refusal = (status: number, message: string): ModelTurn.ModelTurn =>
  ModelTurn.httpError(status, {
    body: { error: { message: `FakeResponses: ${message}`, type: "invalid_request_error", code: null } }
  })

const unscripted: Script = (request) => refusal(400, `no turn scripted for request ${request.ordinal}`)

const choose = (
  script: Script,
  request: RecordedRequest.RecordedRequest
): Effect.Effect<ModelTurn.ModelTurn> =>
  Effect.suspend(() => {
    const turn = typeof script === "function" ? script(request) : script
    return Effect.isEffect(turn) ? turn : Effect.succeed(turn)
  })

const listen = (port: number, handler: Http.RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<Http.Server, FakeResponsesError>((resume) => {
      const server = Http.createServer(handler)
      server.once("error", (cause) => resume(Effect.fail(new FakeResponsesError({ port, cause }))))
      server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
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
      : Effect.fail(new FakeResponsesError({ port, cause: new Error("the server has no address") }))
  }))

/** The whole body. A client that hangs up while it sends leaves this waiting; the race with `ended` ends it. */
const readBody = (incoming: Http.IncomingMessage): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
    incoming.once("end", () => resume(Effect.succeed(Buffer.concat(chunks).toString("utf8"))))
  })

const decodeBody = Schema.decodeUnknownOption(RecordedRequest.Body)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // No body, or none in JSON: a model request is refused for it, any other request is recorded without it.
    return null
  }
}

const singleHeaders = (headers: Http.IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]]
    )
  )

/** Ids are unique in the process, so that a thread that outlives one fake meets no id twice in the next one. */
let lastId = 0
const freshId = (prefix: string): string => `${prefix}_${++lastId}`

/** Events are gathered up to this many characters, so that a load of small deltas is not a write for each. */
const batchSize = 16_384

const play = Effect.fnUntraced(function*(
  turn: ModelTurn.ModelTurn,
  response: Http.ServerResponse,
  ended: Ended
) {
  if (turn._tag === "HttpError") {
    response.writeHead(turn.status, { "content-type": "application/json", ...turn.headers })
    yield* write(response, turn.body)
    return yield* finish(response, ended)
  }

  response.writeHead(200, { "content-type": "text/event-stream", ...turn.headers })
  const responseId = freshId("resp")
  let items = 0
  const context: ModelTurn.PlayContext = { responseId, id: freshId, outputIndex: () => items++ }

  let sequence = 0
  let batch = ""
  const add = (event: ModelTurn.ModelEvent) => {
    batch += `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: sequence++ })}\n\n`
  }
  const flush = Effect.suspend(() => {
    const chunk = batch
    batch = ""
    return chunk === "" ? Effect.void : write(response, chunk)
  })

  add({ type: "response.created", response: { id: responseId, object: "response", status: "in_progress", output: [] } })
  for (const part of turn.parts) {
    for (const step of part(context)) {
      switch (step._tag) {
        case "Event": {
          add(step.event)
          if (batch.length >= batchSize) yield* flush
          break
        }
        case "Wait": {
          yield* flush
          yield* step.gate.pass
          break
        }
        case "Silence": {
          yield* flush
          return yield* Effect.never
        }
        case "Cut": {
          yield* flush
          return yield* settle(ended, "cut", () => response.destroy())
        }
        case "End": {
          yield* flush
          return yield* finish(response, ended)
        }
      }
    }
  }
  add({
    type: "response.completed",
    response: { id: responseId, object: "response", status: "completed", output: [], usage: usageJson(turn.usage) }
  })
  yield* flush
  yield* finish(response, ended)
})

const usageJson = (usage: ModelTurn.Usage) => ({
  input_tokens: usage.input,
  input_tokens_details: { cached_tokens: usage.cachedInput },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: usage.reasoningOutput },
  total_tokens: usage.input + usage.output
})

/** Ends when the chunk has left for the socket, so that a slow reader slows the script down. */
const write = (response: Http.ServerResponse, chunk: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    // An error here means that the client is gone; the "close" event ends the answer.
    response.write(chunk, () => resume(Effect.void))
  })

const finish = (response: Http.ServerResponse, ended: Ended) => settle(ended, "finished", () => response.end())
