/**
 * What an `omp` process tells without being asked, in the order of the wire, behind a bounded buffer.
 *
 * Offering never waits: answers and questions come over the same pipe and must not stand behind a slow reader. Under
 * pressure what adjacent frames say of one text is merged. A reader that falls too far behind all the same is told so.
 */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { type AgentError, ReaderTooSlow } from "../../../agent/AgentError.ts"
import { agentError } from "./Errors.ts"
import type { CommandType } from "./RpcCommands.ts"
import type { RpcFrame } from "./RpcFrames.ts"

export type RpcEvent =
  /**
   * An event of the session, a one-way UI request, or a frame of a kind that nobody knows. A `message_update` has
   * neither `message` nor `assistantMessageEvent.partial`.
   */
  | { readonly _tag: "Frame"; readonly frame: RpcFrame }
  /** The place on the wire of an answer: what came before it happened before it. */
  | { readonly _tag: "Answered"; readonly requestId: string; readonly command: CommandType; readonly success: boolean }
  /** A command that was answered with success has failed since: a prompt to a session that was busy. */
  | { readonly _tag: "FailedLater"; readonly requestId: string; readonly command: string; readonly error: AgentError }
  /** Something that is no frame and that the conversation went on after, e.g. what an extension has printed. */
  | { readonly _tag: "Warning"; readonly detail: string }

export interface BufferOptions {
  /** From how many waiting events on they are merged. Default 256. */
  readonly mergeAbove?: number | undefined
  /** How many waiting events are too many. Default 16,384. */
  readonly limit?: number | undefined
  /** How many characters of waiting frames are too many. Default 128 Mi; a single frame may be longer. */
  readonly characters?: number | undefined
}

/** Two updates of one text as one, or `undefined`. */
const mergeUpdates = (last: RpcFrame, next: RpcFrame): RpcFrame | undefined => {
  const before = last["assistantMessageEvent"]
  const after = next["assistantMessageEvent"]
  if (!Predicate.isObject(before) || !Predicate.isObject(after)) return undefined
  const { delta, type } = before
  if (!Predicate.isString(type) || !type.endsWith("_delta") || type !== after["type"]) return undefined
  if (before["contentIndex"] !== after["contentIndex"]) return undefined
  const more = after["delta"]
  if (!Predicate.isString(delta) || !Predicate.isString(more)) return undefined
  return { ...last, assistantMessageEvent: { ...before, delta: delta + more } }
}

/** What the later of two frames says of both; `undefined` where each says something of its own. */
export const merge = (last: RpcFrame, next: RpcFrame): RpcFrame | undefined => {
  if (last.type !== next.type) return undefined
  switch (next.type) {
    case "message_update":
      return mergeUpdates(last, next)
    // Its output is all that there was so far.
    case "tool_execution_update":
      return last["toolCallId"] === next["toolCallId"] ? next : undefined
    default:
      return undefined
  }
}

type State =
  | { readonly _tag: "Open" }
  | { readonly _tag: "Ended"; readonly error: AgentError | undefined }

type Pull = Effect.Effect<Arr.NonEmptyReadonlyArray<RpcEvent>, AgentError | Cause.Done>

/** A buffer with one reader at a time. */
export class RpcEvents {
  readonly #options: { readonly mergeAbove: number; readonly limit: number; readonly characters: number }
  #waiting: Array<RpcEvent> = []
  #characters = 0
  #state: State = { _tag: "Open" }
  #wake: ((pull: Pull) => void) | undefined

  constructor(options?: BufferOptions) {
    this.#options = {
      mergeAbove: options?.mergeAbove ?? 256,
      limit: options?.limit ?? 16_384,
      characters: options?.characters ?? 128 * 1024 * 1024
    }
  }

  /** Appends an event that takes `size` characters. Ignored after the end. */
  offer(event: RpcEvent, size = 0): void {
    if (this.#state._tag !== "Open") return
    const waiting = this.#waiting
    const length = waiting.length
    if (length >= this.#options.mergeAbove && event._tag === "Frame") {
      const last = waiting[length - 1]
      const merged = last?._tag === "Frame" ? merge(last.frame, event.frame) : undefined
      if (merged !== undefined) {
        waiting[length - 1] = { _tag: "Frame", frame: merged }
        return
      }
    }
    if (length >= this.#options.limit || (length > 0 && this.#characters + size > this.#options.characters)) {
      return this.end(agentError(new ReaderTooSlow({ limit: length })))
    }
    waiting.push(event)
    this.#characters += size
    this.#notify()
  }

  /** No more events: the reader gets what is waiting, then this error, or the end. */
  end(error?: AgentError): void {
    if (this.#state._tag === "Open") this.#state = { _tag: "Ended", error }
    this.#notify()
  }

  /** Everything until the end, in the batches in which it arrived. */
  readonly stream: Stream.Stream<RpcEvent, AgentError> = Stream.fromPull(Effect.sync(() => this.#pull))

  readonly #pull: Pull = Effect.callback((resume) => {
    const ready = this.#take()
    if (ready !== undefined) return resume(ready)
    this.#wake = resume
    return Effect.sync(() => {
      this.#wake = undefined
    })
  })

  #take(): Pull | undefined {
    const waiting = this.#waiting
    if (Arr.isReadonlyArrayNonEmpty(waiting)) {
      this.#waiting = []
      this.#characters = 0
      return Effect.succeed(waiting)
    }
    if (this.#state._tag === "Open") return undefined
    return this.#state.error === undefined ? Cause.done() : Effect.fail(this.#state.error)
  }

  // A resumed fiber runs at once, on the stack of whoever offers. The yield puts the reader off until that is done.
  #notify(): void {
    const wake = this.#wake
    if (wake === undefined) return
    this.#wake = undefined
    wake(Effect.andThen(Effect.yieldNow, this.#pull))
  }
}
