/**
 * Messages that wait for a thread to come to rest. They are stored with the thread.
 *
 * The next one is sent when a turn has ended, however it did, unless somebody has interrupted it: then they wait for the
 * end of another turn, or for somebody to send one. The same goes for what was left behind by a process before this one.
 */
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import { type BridgeError, InvalidRequest, refuse } from "../BridgeError.ts"
import type { LiveThread } from "./LiveThread.ts"
import * as RunningTurn from "./RunningTurn.ts"

type Queued = Strict.QueuedSubmission

const invalid = (message: string): BridgeError => refuse(new InvalidRequest({ message }))

const notFound = (id: string): BridgeError => invalid(`queued submission not found: ${id}`)

/** Messages that may wait at once. */
const limit = 1000

/** A change of the queue; `tell` says so, once the answer is on its way. */
export interface Told<A> {
  readonly value: A
  readonly tell: () => void
}

export class ThreadQueue {
  readonly #thread: LiveThread
  readonly #lock = Semaphore.makeUnsafe(1)
  #held: boolean
  #closed = false

  constructor(thread: LiveThread) {
    this.#thread = thread
    this.#held = thread.record.queue.length > 0
    thread.onEnd(({ status }) => {
      this.#held = status === "interrupted"
      if (!this.#held && !this.#closed && this.#queue.length > 0) thread.fork(this.#next)
    })
  }

  get #queue(): ReadonlyArray<Queued> {
    return this.#thread.record.queue
  }

  /** No message is sent from now on: they wait for the next process that has the thread. */
  close(): void {
    this.#closed = true
  }

  /** Adds a message; `started` is the turn that begins with it when nothing has to be waited for. */
  add(
    input: ReadonlyArray<Open.UserInput>,
    clientId: string,
    metadata: Queued["responsesapiClientMetadata"]
  ): Effect.Effect<Told<Queued> & { readonly run: () => void }, BridgeError> {
    return this.#lock.withPermit(Effect.gen({ self: this }, function*() {
      const queued: Queued = {
        id: uuidV7Unsafe(),
        clientUserMessageId: clientId,
        input: yield* acceptable(input),
        responsesapiClientMetadata: metadata ?? null
      }
      if (this.#queue.length >= limit) return yield* invalid(`${limit} messages wait already`)
      yield* this.#put([...this.#queue, queued])
      const idle = this.#thread.turn === undefined && !this.#held && !this.#closed
      const run = idle ? (yield* this.#send(this.#queue[0] ?? queued)).run : () => {}
      const tell = () => {
        this.#tell()
        if (idle) this.#tell()
      }
      return { value: queued, tell, run }
    }))
  }

  update(
    id: string,
    input: ReadonlyArray<Open.UserInput>,
    metadata: Queued["responsesapiClientMetadata"]
  ): Effect.Effect<Told<Queued>, BridgeError> {
    return this.#lock.withPermit(Effect.gen({ self: this }, function*() {
      const shown = yield* acceptable(input)
      const before = yield* this.#find(id)
      const after: Queued = {
        ...before,
        input: shown,
        responsesapiClientMetadata: metadata ?? before.responsesapiClientMetadata ?? null
      }
      yield* this.#put(this.#queue.map((queued) => queued === before ? after : queued))
      return { value: after, tell: this.#tell }
    }))
  }

  /** Whether there was such a message. */
  remove(id: string): Effect.Effect<Told<boolean>, BridgeError> {
    return this.#lock.withPermit(Effect.gen({ self: this }, function*() {
      const rest = this.#queue.filter((queued) => queued.id !== id)
      if (rest.length === this.#queue.length) return { value: false, tell: () => {} }
      yield* this.#put(rest)
      return { value: true, tell: this.#tell }
    }))
  }

  reorder(ids: ReadonlyArray<string>): Effect.Effect<Told<void>, BridgeError> {
    return this.#lock.withPermit(Effect.gen({ self: this }, function*() {
      const all = this.#queue
      const ordered = ids.flatMap((id) => all.filter((queued) => queued.id === id))
      if (ids.length !== all.length || new Set(ordered).size !== all.length) {
        return yield* invalid("queue reorder must include every queued submission exactly once")
      }
      yield* this.#put(ordered)
      return { value: undefined, tell: this.#tell }
    }))
  }

  /** Begins a turn with a message, by default the first one; `run` starts its work. */
  start(
    id: string | null | undefined
  ): Effect.Effect<Told<Strict.Turn> & { readonly run: () => void }, BridgeError> {
    return this.#lock.withPermit(Effect.gen({ self: this }, function*() {
      const first = this.#queue[0]
      if (id == null && first === undefined) return yield* invalid("queue is empty")
      const queued = id == null && first !== undefined ? first : yield* this.#find(id ?? "")
      const { run, turn } = yield* this.#send(queued)
      return { value: turn, tell: this.#tell, run }
    }))
  }

  /** Begins a turn with the first message, if the thread is still at rest. */
  readonly #next: Effect.Effect<void> = Effect.suspend(() =>
    this.#lock.withPermit(Effect.gen({ self: this }, function*() {
      const [first] = this.#queue
      if (first === undefined || this.#closed || this.#thread.turn !== undefined) return
      const { run } = yield* this.#send(first)
      this.#tell()
      run()
    })).pipe(
      Effect.catch((error) =>
        Effect.sync(() => {
          const message = `A message that waits could not be sent: ${error.message}`
          this.#thread.watchers.notify("warning", { threadId: this.#thread.id, message })
        })
      ),
      Effect.uninterruptible
    )
  )

  #send(queued: Queued) {
    const { id, queue } = this.#thread.record
    return Effect.gen({ self: this }, function*() {
      if (this.#thread.turn !== undefined) {
        return yield* invalid("thread already has an active or pending turn")
      }
      yield* this.#put(queue.filter((other) => other !== queued))
      return yield* this.#thread.startTurn({
        input: queued.input,
        clientId: queued.clientUserMessageId,
        outputSchema: undefined
      }).pipe(
        Effect.onError(() =>
          Effect.catch(
            this.#put(queue),
            (error) => Effect.logError(`A message that waited in thread ${id} was lost: ${error.message}`)
          )
        )
      )
    })
  }

  #find(id: string): Effect.Effect<Queued, BridgeError> {
    const queued = this.#queue.find((queued) => queued.id === id)
    return queued === undefined ? Effect.fail(notFound(id)) : Effect.succeed(queued)
  }

  #put(queue: ReadonlyArray<Queued>) {
    return this.#thread.update({ queue })
  }

  readonly #tell = (): void => this.#thread.watchers.notify("thread/queue/changed", { threadId: this.#thread.id })
}

const acceptable = (input: ReadonlyArray<Open.UserInput>) =>
  input.length === 0
    ? Effect.fail(invalid("only user input can be added to the user-message queue"))
    : Effect.andThen(RunningTurn.checkInput(input), RunningTurn.shownInput(input))
