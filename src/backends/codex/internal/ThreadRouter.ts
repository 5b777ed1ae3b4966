/**
 * Brings what the server says to the session whose thread it is about.
 *
 * One connection carries every thread, those of sub-agents included. What arrives for a thread before anybody
 * has claimed it is kept for a while, because events may come before the response that names their thread.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { RpcFailure } from "../../../peer/Peer.ts"
import * as ErrorCodes from "../../../protocol/ErrorCodes.ts"
import type { TransportError } from "../../../transport/TransportError.ts"
import type * as Wire from "./Wire.ts"

/** Where a thread's messages go. Notifications are handed over on the read loop, which must not be held up. */
export interface ThreadSink {
  readonly onNotification: (message: Wire.Notification) => void
  /** A notification of the thread that this library does not know, or that does not fit its schema. */
  readonly onUnrecognized: (method: string, params: unknown, problem: string) => void
  readonly onClosed: (error: TransportError) => void
  readonly onRequest: (request: Wire.ServerRequest, requestId: string) => Effect.Effect<unknown, RpcFailure>
}

/** Notifications kept for one thread that nobody has claimed. */
const quarantineLimit = 256
/** Threads kept so. */
const quarantineThreads = 64
/** How long a request waits for its thread to be claimed, in milliseconds. */
const claimDeadline = 10_000

const threadIdOf = (params: object): string | undefined => {
  if ("threadId" in params && typeof params.threadId === "string") return params.threadId
  if ("thread" in params) {
    const { thread } = params
    if (typeof thread === "object" && thread !== null && "id" in thread && typeof thread.id === "string") {
      return thread.id
    }
  }
  return undefined
}

export class ThreadRouter {
  readonly #sinks = new Map<string, ThreadSink>()
  readonly #quarantine = new Map<string, Array<Wire.Notification>>()
  readonly #awaited = new Map<string, Deferred.Deferred<ThreadSink>>()
  readonly #parents = new Map<string, string>()
  #closed: TransportError | undefined

  /** Gives a thread's messages to `sink` from now on, those in quarantine first. Returns how to let go of it. */
  claim(threadId: string, sink: ThreadSink): () => void {
    this.#sinks.set(threadId, sink)
    const kept = this.#quarantine.get(threadId)
    this.#quarantine.delete(threadId)
    if (kept !== undefined) { for (const message of kept) sink.onNotification(message) }
    const awaited = this.#awaited.get(threadId)
    this.#awaited.delete(threadId)
    if (awaited !== undefined) Deferred.doneUnsafe(awaited, Effect.succeed(sink))
    if (this.#closed !== undefined) sink.onClosed(this.#closed)
    return () => {
      if (this.#sinks.get(threadId) === sink) this.#sinks.delete(threadId)
    }
  }

  /** Who has claimed the thread. */
  holder(threadId: string): ThreadSink | undefined {
    return this.#sinks.get(threadId)
  }

  /**
   * Notes that an agent in one thread has started another thread. What that one says stays apart from its
   * parent's turn; what it asks is asked of the parent's host.
   */
  adopt(childId: string, parentId: string): void {
    if (childId === parentId) return
    this.#parents.set(childId, parentId)
    this.#quarantine.delete(childId)
    const sink = this.#ownerOf(childId)
    const awaited = this.#awaited.get(childId)
    if (sink === undefined || awaited === undefined) return
    this.#awaited.delete(childId)
    Deferred.doneUnsafe(awaited, Effect.succeed(sink))
  }

  /** Takes a notification in wire order. Returns whether it concerns a thread. */
  deliver(message: Wire.Notification): boolean {
    const { params } = message
    const threadId = params == null ? undefined : threadIdOf(params)
    if (threadId === undefined) return false
    const sink = this.#sinks.get(threadId)
    if (sink !== undefined) sink.onNotification(message)
    else if (!this.#parents.has(threadId)) this.#keep(threadId, message)
    return true
  }

  unrecognized(method: string, params: unknown, problem: string): void {
    const threadId = typeof params === "object" && params !== null ? threadIdOf(params) : undefined
    if (threadId !== undefined) this.#sinks.get(threadId)?.onUnrecognized(method, params, problem)
  }

  /** Answers a request through the host of its thread, or of the thread that started that one. */
  request(request: Wire.ServerRequest, requestId: string): Effect.Effect<unknown, RpcFailure> {
    return Effect.suspend(() => {
      const threadId = threadIdOf(request.params)
      if (threadId === undefined) {
        return Effect.fail({
          code: ErrorCodes.methodNotFound,
          message: `${request.method} is not supported by this host`
        })
      }
      const sink = this.#ownerOf(threadId)
      if (sink !== undefined) return sink.onRequest(request, requestId)
      let awaited = this.#awaited.get(threadId)
      if (awaited === undefined) this.#awaited.set(threadId, awaited = Deferred.makeUnsafe())
      return Deferred.await(awaited).pipe(
        Effect.timeoutOrElse({
          duration: claimDeadline,
          orElse: () => Effect.fail(ErrorCodes.threadNotFound(threadId))
        }),
        Effect.flatMap((late) => late.onRequest(request, requestId))
      )
    })
  }

  /** The connection is over. */
  close(error: TransportError): void {
    this.#closed = error
    for (const sink of this.#sinks.values()) sink.onClosed(error)
    this.#sinks.clear()
    this.#quarantine.clear()
  }

  #ownerOf(threadId: string): ThreadSink | undefined {
    const seen = new Set<string>()
    for (let id: string | undefined = threadId; id !== undefined && !seen.has(id); id = this.#parents.get(id)) {
      const sink = this.#sinks.get(id)
      if (sink !== undefined) return sink
      seen.add(id)
    }
    return undefined
  }

  #keep(threadId: string, message: Wire.Notification): void {
    let kept = this.#quarantine.get(threadId)
    if (kept === undefined) {
      if (this.#quarantine.size >= quarantineThreads) {
        const [oldest] = this.#quarantine.keys()
        if (oldest !== undefined) this.#quarantine.delete(oldest)
      }
      this.#quarantine.set(threadId, kept = [])
    }
    if (kept.length < quarantineLimit) kept.push(message)
  }
}
