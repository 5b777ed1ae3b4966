/**
 * One side of a JSON-RPC conversation over a transport: calls with deadlines, notifications in order, and
 * inbound requests that each get exactly one answer.
 *
 * The peer knows envelopes, not methods: parameters and results pass through as parsed JSON. `ClientPeer`
 * puts the protocol's schemas on top.
 *
 * The read loop never waits for anybody: a notification is handed over by a plain function call, an inbound
 * request runs on a fiber of its own. Whoever needs more time than that brings a bounded buffer.
 */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Envelope from "../protocol/Envelope.ts"
import * as ErrorCodes from "../protocol/ErrorCodes.ts"
import type { Inbound, TransportService, Unreadable } from "../transport/Transport.ts"
import { Closed, TransportError } from "../transport/TransportError.ts"
import { DeadlineExceeded, Disconnected, InvalidParams, MalformedReply, PeerError, Rejected } from "./PeerError.ts"
import type { PeerErrorReason } from "./PeerError.ts"

/** An error answer to an inbound request. */
export interface RpcFailure {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** Something the peer noticed on the wire and went on after. */
export type Diagnostic =
  /** A frame that was no text, or no message. */
  | { readonly _tag: "Unreadable"; readonly frame: Unreadable }
  /** A frame that is no JSON-RPC message. */
  | { readonly _tag: "Malformed"; readonly detail: string }
  /** An answer to a call that was given up, or never made. */
  | { readonly _tag: "UnmatchedReply"; readonly id: Envelope.RequestId | null }
  /** A handler died, or a notification sink threw. */
  | { readonly _tag: "HandlerDefect"; readonly method: string; readonly defect: unknown }
  /** More inbound requests at once than the limit; this one was refused. */
  | { readonly _tag: "RequestRefused"; readonly method: string }

export interface InboundRequest {
  readonly id: Envelope.RequestId
  readonly method: string
  readonly params: unknown
}

export interface PeerHandlers {
  /** Called in wire order on the read loop; must not block. A throw is a diagnostic. */
  readonly onNotification: (notification: Envelope.Notification) => void
  /** Runs on a fiber of its own; its exit is the answer. */
  readonly onRequest: (request: InboundRequest) => Effect.Effect<unknown, RpcFailure>
  /** Must neither block nor throw: a throw ends the conversation. */
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
  /**
   * Called once for each request that `onRequest` was given, after its answer was handed to the transport, or could not
   * be. Must neither block nor throw.
   */
  readonly onAnswered?: ((request: InboundRequest) => void) | undefined
}

export interface PeerOptions {
  /** Calls on the wire at once. The real server loses requests beyond some hundreds. Default 64. */
  readonly inFlight?: number | undefined
  /** Deadline of a call that names none. Default one minute. */
  readonly deadline?: Duration.Input | undefined
  /** How often a call refused as overloaded (-32001) is repeated, with exponential backoff and jitter. Default 5. */
  readonly overloadRetries?: number | undefined
  /** Inbound requests served at once; more are refused as overloaded. Default 256. */
  readonly inboundLimit?: number | undefined
  /** Id of the first call; each later one has the next number. Default 1. */
  readonly firstId?: number | undefined
}

export interface CallOptions {
  /** From the call on, the wait for a place in flight and repeats included. */
  readonly deadline?: Duration.Input | undefined
  /**
   * The id of the call on the wire, for one that was asked before under that id, or whose ids are given out elsewhere.
   * Fails with `InvalidParams` while another call has the id.
   */
  readonly id?: number | undefined
}

/** An open conversation. */
export interface Peer {
  /** Calls the other side. Interrupting the call drops the answer; it does not undo the call. */
  readonly call: (method: string, params: unknown, options?: CallOptions) => Effect.Effect<unknown, PeerError>
  readonly notify: (method: string, params?: unknown) => Effect.Effect<void, PeerError>
  /** Waits for the end of the connection and says how it ended. */
  readonly closed: Effect.Effect<TransportError>
}

interface Pending {
  readonly method: string
  readonly reply: Deferred.Deferred<unknown, PeerError>
}

const internalFailure = (method: string): RpcFailure => ({
  code: ErrorCodes.internalError,
  message: `${method} failed internally`
})

const fail = (reason: PeerErrorReason) => Effect.fail(new PeerError({ reason }))

const overloaded = (error: PeerError): boolean =>
  error.reason._tag === "Rejected" && error.reason.code === ErrorCodes.serverOverloaded

/** Fails for a value that JSON cannot hold, e.g. one with a cycle. */
const encode = (method: string, message: Envelope.Outgoing): Effect.Effect<string, PeerError> =>
  Effect.try({
    try: () => Envelope.encode(message),
    catch: (cause) => new PeerError({ reason: new InvalidParams({ method, detail: String(cause) }) })
  })

const overloadSchedule = Schedule.exponential("50 millis").pipe(Schedule.jittered)

/** Opens a conversation over a transport. It ends with the transport, or with the scope. */
export const make = Effect.fnUntraced(function*(
  transport: TransportService,
  handlers: PeerHandlers,
  options: PeerOptions = {}
): Effect.fn.Return<Peer, never, Scope.Scope> {
  const defaultDeadline = options.deadline ?? Duration.minutes(1)
  const overloadRetries = options.overloadRetries ?? 5
  const inboundLimit = options.inboundLimit ?? 256
  const window = yield* Semaphore.make(options.inFlight ?? 64)
  const closed = yield* Deferred.make<TransportError>()
  const pending = new Map<number, Pending>()
  const serving = yield* FiberSet.make<void, never>()
  const runServing = yield* FiberSet.runtime(serving)<never>()
  let ended: TransportError | undefined
  let nextId = options.firstId ?? 1
  let inbound = 0

  // -- replies to inbound requests

  const reply = (method: string, message: Envelope.Outgoing): Effect.Effect<void> =>
    Effect.suspend(() => transport.send([Envelope.encode(message)])).pipe(
      // Without a connection there is nobody left to answer; `closed` has the reason.
      Effect.ignore,
      // A result that JSON cannot hold, e.g. one with a cycle.
      Effect.catchDefect((defect) => {
        handlers.onDiagnostic({ _tag: "HandlerDefect", method, defect })
        return "id" in message ? reply(method, { id: message.id, error: internalFailure(method) }) : Effect.void
      })
    )

  const serve = (request: InboundRequest): Effect.Effect<void> =>
    Effect.suspend(() => handlers.onRequest(request)).pipe(
      Effect.exit,
      Effect.flatMap((exit) => {
        const { id, method } = request
        // An answer without a result would be none.
        if (Exit.isSuccess(exit)) return reply(method, { id, result: exit.value === undefined ? {} : exit.value })
        const failure = Cause.findErrorOption(exit.cause)
        if (failure._tag === "Some") return reply(method, { id, error: failure.value })
        handlers.onDiagnostic({ _tag: "HandlerDefect", method, defect: Cause.squash(exit.cause) })
        return reply(method, { id, error: internalFailure(method) })
      }),
      Effect.ensuring(Effect.sync(() => {
        inbound--
        handlers.onAnswered?.(request)
      }))
    )

  const accept = (request: InboundRequest): void => {
    if (inbound >= inboundLimit) {
      handlers.onDiagnostic({ _tag: "RequestRefused", method: request.method })
      runServing(reply(request.method, { id: request.id, error: ErrorCodes.overloaded }))
      return
    }
    inbound++
    runServing(serve(request))
  }

  // -- answers to our calls

  const settle = (id: Envelope.RequestId | null, exit: (method: string) => Effect.Effect<unknown, PeerError>): void => {
    const entry = typeof id === "number" ? pending.get(id) : undefined
    if (entry === undefined || typeof id !== "number") {
      return handlers.onDiagnostic({ _tag: "UnmatchedReply", id })
    }
    pending.delete(id)
    Deferred.doneUnsafe(entry.reply, exit(entry.method))
  }

  // -- the read loop

  const unreadable = (frame: Unreadable): void => {
    handlers.onDiagnostic({ _tag: "Unreadable", frame })
    // A frame that could not be read costs the call it answers, and nothing else.
    const id = Envelope.idFromHead(frame.head)
    if (id === undefined || typeof id !== "number" || !pending.has(id)) return
    const detail = frame.reason === "size"
      ? `the frame of ${frame.bytes} bytes is over the frame limit`
      : `the frame of ${frame.bytes} bytes is not valid UTF-8`
    settle(id, (method) => fail(new MalformedReply({ method, detail })))
  }

  const receive = (frame: Inbound): void => {
    if (typeof frame !== "string") return unreadable(frame)
    const message = Envelope.parse(frame)
    switch (message._tag) {
      case "Notification":
        try {
          return handlers.onNotification(message)
        } catch (defect) {
          return handlers.onDiagnostic({ _tag: "HandlerDefect", method: message.method, defect })
        }
      case "Request":
        return accept(message)
      case "Response":
        return settle(message.id, () => Effect.succeed(message.result))
      case "ErrorResponse":
        return settle(message.id, (method) => {
          const { code, data, message: text } = message.error
          const mayHaveReached = code !== ErrorCodes.serverOverloaded
          return fail(
            new Rejected({ method, code, message: text, mayHaveReached, ...(data === undefined ? {} : { data }) })
          )
        })
      case "Malformed": {
        const { id, isRequest, reason } = message
        handlers.onDiagnostic({ _tag: "Malformed", detail: reason })
        if (!isRequest && typeof id === "number" && pending.has(id)) {
          settle(id, (method) => fail(new MalformedReply({ method, detail: reason })))
        }
      }
    }
  }

  const end = (error: TransportError): void => {
    if (ended !== undefined) return
    ended = error
    for (const { method, reply } of pending.values()) {
      Deferred.doneUnsafe(reply, fail(new Disconnected({ method, error, mayHaveReached: true })))
    }
    pending.clear()
    Deferred.doneUnsafe(closed, Effect.succeed(error))
  }

  const closedBecause = (detail: string, cause?: unknown): TransportError =>
    new TransportError({
      reason: new Closed({ target: transport.target, detail, ...(cause === undefined ? {} : { cause }) })
    })

  yield* Effect.addFinalizer(() => Effect.sync(() => end(closedBecause("it was closed by this side"))))

  yield* transport.receive.pipe(
    Effect.map((batch) => {
      for (const frame of batch) receive(frame)
    }),
    Effect.forever,
    Effect.catch((error: TransportError) => Effect.sync(() => end(error))),
    // Nobody reads any more, so nobody must wait either.
    Effect.catchDefect((defect) =>
      Effect.sync(() => end(closedBecause(`its reader died of ${String(defect)}`, defect)))
    ),
    Effect.andThen(FiberSet.clear(serving)),
    Effect.forkScoped
  )

  // -- our calls

  const send = (method: string, frame: string): Effect.Effect<void, PeerError> =>
    Effect.suspend(() =>
      ended === undefined
        ? Effect.mapError(
          transport.send([frame]),
          (error) => new PeerError({ reason: new Disconnected({ method, error, mayHaveReached: true }) })
        )
        : fail(new Disconnected({ method, error: ended, mayHaveReached: false }))
    )

  const callOnce = (
    method: string,
    params: unknown,
    sent: { yes: boolean },
    givenId: number | undefined
  ): Effect.Effect<unknown, PeerError> =>
    window.withPermit(Effect.suspend(() => {
      if (givenId !== undefined && pending.has(givenId)) {
        return fail(new InvalidParams({ method, detail: `the call ${givenId} is still waiting for its answer` }))
      }
      if (givenId !== undefined && givenId >= nextId) nextId = givenId + 1
      const id = givenId ?? nextId++
      return Effect.flatMap(encode(method, { id, method, params }), (frame) => {
        const reply = Deferred.makeUnsafe<unknown, PeerError>()
        pending.set(id, { method, reply })
        sent.yes = true
        return send(method, frame).pipe(
          Effect.andThen(Deferred.await(reply)),
          Effect.ensuring(Effect.sync(() => pending.delete(id)))
        )
      })
    })).pipe(
      Effect.tapError((error) => {
        // Refused before it was looked at: what is repeated has not reached the other side yet.
        if (overloaded(error)) sent.yes = false
        return Effect.void
      })
    )

  return {
    call: Effect.fnUntraced(function*(method, params, callOptions) {
      const sent = { yes: false }
      const deadline = Duration.fromInputUnsafe(callOptions?.deadline ?? defaultDeadline)
      return yield* callOnce(method, params, sent, callOptions?.id).pipe(
        Effect.retry({ while: overloaded, schedule: overloadSchedule, times: overloadRetries }),
        Effect.timeoutOrElse({
          duration: deadline,
          orElse: () =>
            fail(new DeadlineExceeded({ method, after: Duration.toMillis(deadline), mayHaveReached: sent.yes }))
        })
      )
    }),
    notify: (method, params) =>
      Effect.flatMap(
        encode(method, params === undefined ? { method } : { method, params }),
        (frame) => send(method, frame)
      ),
    closed: Deferred.await(closed)
  }
})
