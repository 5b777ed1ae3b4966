/**
 * Recorded conversations with a real server, played to the client side once more: through the peer, the router and
 * the threads, which are claimed and used as a session would.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { AgentEvent, EventOf, TurnOutcome } from "../../../src/agent/AgentEvent.ts"
import { declining } from "../../../src/agent/TurnHost.ts"
import { CodexThread } from "../../../src/backends/codex/internal/CodexThread.ts"
import type { RunningTurn } from "../../../src/backends/codex/internal/RunningTurn.ts"
import { ThreadRouter } from "../../../src/backends/codex/internal/ThreadRouter.ts"
import { ClientPeer } from "../../../src/peer/index.ts"
import * as Envelope from "../../../src/protocol/Envelope.ts"
import * as Methods from "../../../src/protocol/Methods.ts"
import type { TransportService } from "../../../src/transport/Transport.ts"
import { Closed, TransportError } from "../../../src/transport/TransportError.ts"
import { type Line, type Recording, recordings } from "../../protocol/support/recordings.ts"
import { wellFormed } from "../../support/wellFormed.ts"

const gone = new TransportError({
  reason: new Closed({ target: "recording", detail: "it ended", process: { exitCode: 0, stderrTail: "" } })
})

/** A transport that gives batches, and says when the last one has been read. */
const paced = Effect.gen(function*() {
  const batches = yield* Queue.unbounded<readonly [string, ...Array<string>], TransportError>()
  const sent = yield* Queue.unbounded<string>()
  let drained: (() => void) | undefined
  const transport: TransportService = {
    target: "recording",
    receive: Effect.suspend(() => {
      drained?.()
      return Queue.take(batches)
    }),
    send: (frames) => Effect.asVoid(Queue.offerAll(sent, frames))
  }
  const deliver = (frames: readonly [string, ...Array<string>]) =>
    Effect.callback<void>((resume) => {
      drained = () => resume(Effect.void)
      Queue.offerUnsafe(batches, frames)
    })
  const end = Effect.sync(() => Queue.failCauseUnsafe(batches, Cause.fail(gone)))
  return { transport, deliver, end, sent }
})

/** What one conversation came to. */
interface Played {
  /** Turns that were started through us, in the order in which they were. */
  readonly turns: ReadonlyArray<RunningTurn>
  readonly outside: ReadonlyArray<AgentEvent>
}

const loads = new Set(["thread/start", "thread/resume", "thread/fork"])

/** What the server said between two words of the client comes at once, or frame by frame. */
const play = Effect.fnUntraced(function*({ lines }: Recording, pace: "batches" | "frames") {
  const { deliver, end, sent, transport } = yield* paced
  const outside = yield* Queue.unbounded<AgentEvent>()
  const router = new ThreadRouter()
  const threads = new Map<string, CodexThread>()
  const turns = new Set<RunningTurn>()
  const ids = new Map<Envelope.RequestId, Envelope.RequestId>()
  const peer = yield* ClientPeer.make(transport, {
    onNotification: (message) => router.deliver(message),
    onUnrecognized: (method, params, problem) => router.unrecognized(method, params, problem.message),
    onRequest: (request, requestId) => router.request(request, requestId),
    onDiagnostic: () => {}
  })
  yield* Effect.forkScoped(Effect.map(peer.closed, (error) => router.close(error)))

  const claim = (id: string, isNew: boolean) => {
    if (threads.has(id)) return
    const thread = new CodexThread({
      isNew,
      host: declining,
      toolDeadline: "1 minute",
      outside,
      adopt: (child) => router.adopt(child, id),
      onIdle: () => {}
    })
    threads.set(id, thread)
    router.claim(id, thread)
  }

  /** What a session does around a call. Gives what it does with the answer. */
  const before = (method: string, params: unknown): (exit: Exit.Exit<unknown, unknown>) => void => {
    if (loads.has(method)) {
      return (exit) => {
        if (Exit.isSuccess(exit)) claim(idOf(exit.value, "thread"), method === "thread/start")
      }
    }
    const thread = threads.get(memberOf(params, "threadId"))
    if (thread?.activity._tag !== "Idle") return () => {}
    if (method === "turn/start") {
      thread.starting("turn", declining)
      return (exit) => {
        if (Exit.isSuccess(exit)) turns.add(thread.bind(idOf(exit.value, "turn")))
        else thread.startFailed()
      }
    }
    if (method !== "thread/compact/start") return () => {}
    thread.starting("compaction", declining)
    return (exit) => {
      if (Exit.isFailure(exit)) thread.startFailed()
    }
  }

  const call = Effect.fnUntraced(function*({ id, method, params }: Envelope.Request) {
    // Requests that were wrong on purpose are not ours to make.
    const encoded = Methods.encodeClientParams(method as "initialize", params as never)
    if (Result.isFailure(encoded)) return
    const after = before(method, params)
    yield* peer.request(method as "initialize", encoded.success).pipe(
      Effect.onExit((exit) => Effect.sync(() => after(exit))),
      Effect.exit,
      Effect.forkScoped({ startImmediately: true })
    )
    const frame = Envelope.parse(yield* Queue.take(sent))
    assert(frame._tag === "Request")
    ids.set(id, frame.id)
  })

  let waiting: Array<string> = []
  const flush = Effect.suspend(() => {
    const [first, ...more] = waiting
    waiting = []
    if (first === undefined) return Effect.void
    const delivered = pace === "batches"
      ? deliver([first, ...more])
      : Effect.forEach([first, ...more], (frame) => deliver([frame]), { discard: true })
    // Whoever waits for an answer goes on a little later than the reader.
    return Effect.andThen(delivered, Effect.sleep(0))
  })

  for (const { dir, message } of lines) {
    if (dir === "s2c") {
      const frame = frameOf(message, ids)
      if (frame !== undefined) waiting.push(frame)
    } else if (message._tag === "Request") {
      yield* flush
      // Our own answers to the server's requests.
      yield* Queue.clear(sent)
      yield* call(message)
      for (const { activity } of threads.values()) if (activity._tag === "Running") turns.add(activity.turn)
    }
  }
  yield* flush
  yield* end
  yield* peer.closed
  yield* Effect.sleep(0)
  for (const { activity } of threads.values()) assert.notStrictEqual(activity._tag, "Running")
  return { turns: [...turns], outside: yield* Queue.clear(outside) } satisfies Played
})

const member = (value: unknown, name: string): unknown => Predicate.hasProperty(value, name) ? value[name] : undefined

const memberOf = (value: unknown, name: string): string => String(member(value, name))

const idOf = (value: unknown, name: string): string => memberOf(member(value, name), "id")

/** The frame as it was, with the id that our call has. */
const frameOf = (message: Envelope.Message, ids: ReadonlyMap<Envelope.RequestId, Envelope.RequestId>) => {
  switch (message._tag) {
    case "Notification":
      return Envelope.encode({ method: message.method, params: message.params })
    case "Request":
      return Envelope.encode({ id: message.id, method: message.method, params: message.params })
    case "Response": {
      const id = ids.get(message.id)
      return id === undefined ? undefined : Envelope.encode({ id, result: message.result })
    }
    case "ErrorResponse": {
      const id = message.id === null ? undefined : ids.get(message.id)
      return id === undefined ? undefined : Envelope.encode({ id, error: message.error })
    }
    case "Malformed":
      return undefined
  }
}

/** How the recording says that its turns ended, and which items it completed in them. */
const recorded = (lines: ReadonlyArray<Line>) => {
  const ends = new Map<string, string>()
  const completed = new Map<string, Map<string, string | undefined>>()
  for (const { dir, message } of lines) {
    if (dir !== "s2c" || message._tag !== "Notification") continue
    const decoded = Methods.decodeNotification(message.method, message.params)
    if (Result.isFailure(decoded)) continue
    const { method, params } = decoded.success
    if (method === "turn/completed") ends.set(params.turn.id, params.turn.status)
    // A command that outlives its turn is no longer part of it.
    if (method !== "item/completed" || ends.has(params.turnId)) continue
    const items = completed.get(params.turnId) ?? new Map<string, string | undefined>()
    completed.set(
      params.turnId,
      items.set(String(params.item.id), params.item.type === "agentMessage" ? params.item.text : undefined)
    )
  }
  return { ends, completed }
}

/** How many turns the server spoke of that were not started through us. */
const others = (lines: ReadonlyArray<Line>, ours: ReadonlyArray<RunningTurn>): number => {
  const ids = new Set<unknown>()
  for (const { dir, message } of lines) {
    if (dir !== "s2c" || message._tag !== "Notification") continue
    const { params } = message
    ids.add(member(params, "turnId") ?? member(member(params, "turn"), "id"))
  }
  ids.delete(undefined)
  for (const { id } of ours) ids.delete(id)
  return ids.size
}

const tagOf = (status: string | undefined): TurnOutcome["_tag"] => {
  switch (status) {
    case "completed":
      return "Completed"
    case "interrupted":
      return "Interrupted"
    default:
      return "Failed"
  }
}

const all = recordings()

describe("recordings", () => {
  let turns = 0
  let items = 0

  for (const recording of all) {
    for (const pace of ["batches", "frames"] as const) {
      it.live(`${recording.name} in ${pace}`, () =>
        Effect.gen(function*() {
          const played = yield* play(recording, pace)
          const { completed, ends } = recorded(recording.lines)
          for (const turn of played.turns) {
            turns++
            const events = yield* Stream.runCollect(turn.buffer.stream)
            assert.deepStrictEqual(wellFormed(events, { turnId: turn.id }), [])
            const outcome = yield* turn.outcome
            assert.strictEqual(outcome._tag, tagOf(ends.get(turn.id)), turn.id)
            if (!ends.has(turn.id)) {
              assert(outcome._tag === "Failed")
              assert.strictEqual(outcome.error.reason._tag, "AgentDied")
            }
            const found = new Map<string, EventOf<"ItemCompleted">>(
              events.flatMap((event) => event._tag === "ItemCompleted" ? [[event.item.id, event] as const] : [])
            )
            for (const [id, text] of completed.get(turn.id) ?? []) {
              items++
              const event = found.get(id)
              assert(event !== undefined, `${id} of ${turn.id}`)
              assert.isFalse(event.closed, `${id} of ${turn.id}`)
              if (text !== undefined) assert(event.item._tag === "AgentMessage" && event.item.text === text)
            }
          }
          // What belongs to no turn of ours starts once and ends once, too.
          for (const tag of ["TurnStarted", "TurnEnded"] as const) {
            const ofTag = played.outside.filter((event) => event._tag === tag)
            assert.isAtMost(ofTag.length, others(recording.lines, played.turns), tag)
          }
        }))
    }
  }

  it("held turns and items enough to mean something", () => {
    assert.isAtLeast(turns, 324)
    assert.isAtLeast(items, 650)
  })
})
