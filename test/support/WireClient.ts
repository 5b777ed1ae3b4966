/**
 * A client of an app-server that is no more than a wire: it says what a test tells it to, and keeps everything that it
 * is told, in the order of arrival.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { JsonRpcError } from "../../src/protocol/Envelope.ts"
import type * as Open from "../../src/protocol/generated/OpenTypes.ts"
import type * as Strict from "../../src/protocol/generated/StrictTypes.ts"
import * as Methods from "../../src/protocol/Methods.ts"
import type { TransportService } from "../../src/transport/Transport.ts"
import type { TransportError } from "../../src/transport/TransportError.ts"

/** A message as it came over the wire. */
export interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: JsonRpcError
}

export type Answer =
  | { readonly _tag: "Result"; readonly result: unknown }
  | { readonly _tag: "Error"; readonly error: JsonRpcError }

type ClientMethod = keyof Open.ClientRequests & keyof Strict.ClientRequests
type ServerMethod = keyof Open.ServerRequests & keyof Strict.ServerRequests
type NotificationMethod = keyof Open.ServerNotifications

export interface WireClient {
  /** Everything that has arrived, in order. */
  readonly seen: ReadonlyArray<Message>
  /** Asks with anything, and waits for the answer. */
  readonly call: (method: string, params?: unknown) => Effect.Effect<Answer>
  /** Asks what the protocol knows, and dies of a refusal. */
  readonly ask: <M extends ClientMethod>(
    method: M,
    params: Strict.ClientRequests[M]["params"]
  ) => Effect.Effect<Open.ClientRequests[M]["result"]>
  /** Asks what the protocol knows; the sentence of the refusal. Dies of a result. */
  readonly refusal: (method: string, params?: unknown) => Effect.Effect<string>
  /** The first message, past or to come, that fits. */
  readonly first: (fits: (message: Message) => boolean) => Effect.Effect<Message>
  /** The params of the first notification with this method, past or to come, that fit. */
  readonly told: <M extends NotificationMethod>(
    method: M,
    fits?: (params: Open.ServerNotifications[M]["params"]) => boolean
  ) => Effect.Effect<Open.ServerNotifications[M]["params"]>
  /** The first request of the server with this method, past or to come. */
  readonly asked: <M extends ServerMethod>(
    method: M
  ) => Effect.Effect<{ readonly id: number | string; readonly params: Open.ServerRequests[M]["params"] }>
  /** The notifications up to now. */
  readonly notifications: (method?: NotificationMethod) => ReadonlyArray<Message>
  /** The params of all notifications with this method up to now. */
  readonly allTold: <M extends NotificationMethod>(method: M) => ReadonlyArray<Open.ServerNotifications[M]["params"]>
  readonly say: (message: Message) => Effect.Effect<void>
  /** Any text as a frame. */
  readonly sayText: (text: string) => Effect.Effect<void, TransportError>
  /** Begins to read, where it was told not to. */
  readonly listen: Effect.Effect<void>
  /** Waits for the end of the connection. */
  readonly closed: Effect.Effect<TransportError>
  readonly initialize: (options?: InitializeOptions) => Effect.Effect<Open.ClientRequests["initialize"]["result"]>
}

export interface InitializeOptions {
  readonly name?: string
  readonly experimental?: boolean
  readonly optOut?: ReadonlyArray<string>
}

/** The parameters of `initialize`. */
export const initializeParams = (options: InitializeOptions = {}): Strict.ClientRequests["initialize"]["params"] => ({
  clientInfo: { name: options.name ?? "bench", title: null, version: "1.0.0" },
  capabilities: {
    experimentalApi: options.experimental ?? true,
    optOutNotificationMethods: options.optOut === undefined ? null : [...options.optOut]
  }
})

/** `deaf`: does not read until it is told to listen. */
export const make = Effect.fnUntraced(function*(
  transport: TransportService,
  options: { readonly deaf?: boolean } = {}
): Effect.fn.Return<WireClient, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const seen: Array<Message> = []
  const waiting = new Set<
    { readonly fits: (message: Message) => boolean; readonly found: Deferred.Deferred<Message> }
  >()
  const arrive = (text: unknown): void => {
    if (typeof text !== "string") throw new Error("a server sends text")
    const message: Message = JSON.parse(text)
    seen.push(message)
    for (const waiter of waiting) {
      if (!waiter.fits(message)) continue
      waiting.delete(waiter)
      Deferred.doneUnsafe(waiter.found, Effect.succeed(message))
    }
  }
  const closed = yield* Deferred.make<TransportError>()
  const listen = transport.receive.pipe(
    Effect.map((batch) => batch.forEach(arrive)),
    Effect.forever,
    Effect.catch((error: TransportError) => Deferred.succeed(closed, error)),
    Effect.forkIn(scope),
    Effect.asVoid
  )
  if (options.deaf !== true) yield* listen

  const first: WireClient["first"] = (fits) =>
    Effect.suspend(() => {
      const past = seen.find(fits)
      if (past !== undefined) return Effect.succeed(past)
      const found = Deferred.makeUnsafe<Message>()
      const waiter = { fits, found }
      waiting.add(waiter)
      return Effect.ensuring(Deferred.await(found), Effect.sync(() => waiting.delete(waiter)))
    })
  const say = (message: Message) => Effect.orDie(transport.send([JSON.stringify(message)]))

  let next = 0
  const call: WireClient["call"] = (method, params) =>
    Effect.suspend(() => {
      const id = `c${next++}`
      return Effect.andThen(
        say(params === undefined ? { id, method } : { id, method, params }),
        Effect.map(
          first((message) => message.id === id && message.method === undefined),
          ({ error, result }): Answer => error === undefined ? { _tag: "Result", result } : { _tag: "Error", error }
        )
      )
    })

  const client: WireClient = {
    seen,
    call,
    ask: (method, params) =>
      Effect.flatMap(call(method, params ?? undefined), (answer) => {
        if (answer._tag === "Error") return Effect.die(new Error(`${method}: ${answer.error.message}`))
        const decoded = Methods.decodeClientResult(method, answer.result)
        return Result.isSuccess(decoded) ? Effect.succeed(decoded.success) : Effect.die(decoded.failure)
      }),
    refusal: (method, params) =>
      Effect.flatMap(
        call(method, params),
        (answer) => answer._tag === "Error" ? Effect.succeed(answer.error.message) : Effect.die(answer)
      ),
    first,
    // The type of the params follows from the method, as in the protocol's own table.
    told: (method, fits) =>
      Effect.map(
        first((message) =>
          message.method === method && message.id === undefined && fits?.(message.params as never) !== false
        ),
        ({ params }) => params as never
      ),
    asked: (method) =>
      Effect.map(
        first((message) => message.method === method && message.id !== undefined),
        ({ id, params }) => ({ id: id ?? -1, params: params as never })
      ),
    notifications: (method) =>
      seen.filter((message) =>
        message.id === undefined && message.method !== undefined &&
        (method === undefined || message.method === method)
      ),
    allTold: (method) =>
      seen.flatMap((message) => message.method === method && message.id === undefined ? [message.params as never] : []),
    say,
    sayText: (text) => transport.send([text]),
    listen,
    closed: Deferred.await(closed),
    initialize: (given) =>
      Effect.flatMap(
        client.ask("initialize", initializeParams(given)),
        (answer) => Effect.as(say({ method: "initialized" }), answer)
      )
  }
  return client
})
