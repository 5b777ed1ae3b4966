/**
 * Attempts for hosts without Effect: promises, async iteration and `AbortSignal`.
 *
 * {@link createHost} keeps the agent's process for many attempts; {@link runAttempt} starts and stops it for one.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import { AgentBackend, unavailable } from "../agent/AgentBackend.ts"
import type { AgentError } from "../agent/AgentError.ts"
import type { AgentEvent } from "../agent/AgentEvent.ts"
import { EventBuffer } from "../agent/EventBuffer.ts"
import { TurnHost } from "../agent/TurnHost.ts"
import { Selector } from "../backends/selector/index.ts"
import * as ActiveRuns from "./ActiveRuns.ts"
import { AttemptHandle, type SteerOutcome } from "./AttemptHandle.ts"
import type { AttemptParams } from "./AttemptParams.ts"
import type { AttemptResult } from "./AttemptResult.ts"
import { neededCapabilities } from "./Fallback.ts"
import { fromHandlers, type HostHandlers } from "./internal/promiseHost.ts"
import { runAttemptWith } from "./RunAttempt.ts"
import * as SessionBindings from "./SessionBindings.ts"

export type { AgentEvent } from "../agent/AgentEvent.ts"
export type { BackendName, Candidate, SelectionRecord } from "../backends/selector/Selector.ts"
export type { AttemptCallbacks } from "./AttemptCallbacks.ts"
export { AttemptError } from "./AttemptError.ts"
export type { SteerOutcome } from "./AttemptHandle.ts"
export { AttemptResult, toLegacy } from "./AttemptResult.ts"
export type { HandlerContext, HostHandlers, HostTool } from "./internal/promiseHost.ts"

/** Which agent, and where sessions are remembered. */
export interface HostOptions extends Selector.SelectorOptions {
  /** A backend of one's own, in place of `backend`. */
  readonly layer?: Layer.Layer<AgentBackend, AgentError> | undefined
  /** `sidecar` (default): in a file beside the session file. `memory`: as long as the host lives. */
  readonly bindings?: "sidecar" | "memory" | undefined
  /** Absolute path of a directory for the bindings of sessions that have a key and no file. */
  readonly bindingsDirectory?: string | undefined
}

/** What one attempt takes: settings, callbacks, and how the agent is answered. */
export interface PromiseAttemptParams extends AttemptParams, HostHandlers {
  /** Stops the attempt when aborted; also when it is aborted already. */
  readonly signal?: AbortSignal | undefined
}

/**
 * A running attempt.
 *
 * Iterating gives its events, ending with `TurnEnded`; leaving the loop before that interrupts the attempt. Nobody has
 * to iterate: events wait in a bounded buffer, and a reader that comes too late is told so.
 */
export interface Attempt extends AsyncIterable<AgentEvent> {
  readonly runId: string
  /** Rejects with `AttemptError` alone; whatever happens to the agent is a result. */
  readonly result: Promise<AttemptResult>
  /** Sends text into the running turn. */
  readonly steer: (text: string) => Promise<SteerOutcome>
  /** Stops the attempt and waits for its end. */
  readonly interrupt: (reason?: string) => Promise<void>
}

/** One agent for many attempts. */
export interface Host {
  readonly runAttempt: (params: PromiseAttemptParams) => Attempt
  /** Sends text into the attempt that runs under a run id, session key or session file. */
  readonly queueMessage: (key: string, text: string) => Promise<SteerOutcome>
  /** Asks the attempt under a key to stop. `false` when there is none. */
  readonly abort: (key: string, reason?: string) => Promise<boolean>
  readonly isActive: (key: string) => Promise<boolean>
  /** `false` when the attempt under a key still runs after so many milliseconds. */
  readonly waitForEnd: (key: string, timeoutMs: number) => Promise<boolean>
  /** Forgets the agent's session of a conversation: the next attempt starts a new one. */
  readonly resetSession: (session: { readonly sessionFile?: string; readonly sessionKey?: string }) => Promise<void>
  /** Which agent runs the attempts, and why; starts it where that is what decides. */
  readonly selection: () => Promise<Selector.SelectionRecord>
  /** Interrupts what runs, waits for it, and stops the agent. */
  readonly dispose: () => Promise<void>
}

const ownSelection = Layer.effect(
  Selector.Selection,
  Effect.map(AgentBackend, ({ id }) => {
    const reason = "the host brought it"
    return { backend: id, reason, candidates: [{ backend: id, suitable: true, detail: reason }] }
  })
)

type Services = AgentBackend | Selector.Selection | SessionBindings.SessionBindings
type Runtime = ManagedRuntime.ManagedRuntime<Services, never>

const stderrLogger = Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])

const makeRuntime = (options: HostOptions, onUnbuilt: () => void): Runtime => {
  const { bindings = "sidecar", bindingsDirectory } = options
  const own = options.layer === undefined ? undefined : Layer.provideMerge(ownSelection, options.layer)
  // A backend that cannot be built is one that cannot open a session: the attempt tells why, as for any other.
  const agent = (own ?? Selector.layer(options)).pipe(
    Layer.catch((error) => {
      onUnbuilt()
      const selection = { backend: error.backend, reason: error.message, candidates: [] }
      return Layer.merge(
        Layer.succeed(AgentBackend, unavailable(error)),
        Layer.succeed(Selector.Selection, selection)
      )
    })
  )
  const sessions = bindings === "memory"
    ? SessionBindings.layerMemory
    : SessionBindings.layerSidecar({ directory: bindingsDirectory }).pipe(Layer.provide(NodeServices.layer))
  // Standard output is the host's own.
  return ManagedRuntime.make(Layer.merge(agent, sessions).pipe(Layer.provideMerge(stderrLogger)))
}

// The registry is that of the process: a session has one attempt, whichever host runs it.
const withRuns = <A>(use: (runs: ActiveRuns.ActiveRunsService) => Effect.Effect<A>): Promise<A> =>
  Effect.runPromise(Effect.flatMap(ActiveRuns.ActiveRuns, use))

/** Makes a host. The agent is started by the first attempt; call `dispose` when done: nothing can be run after. */
export const createHost = (options: HostOptions = {}): Host => {
  const attempts = new Set<Attempt>()
  let runtime: Runtime | undefined
  let disposed: Promise<void> | undefined

  const services = (): Runtime => {
    if (disposed !== undefined) throw new Error("The host is disposed")
    if (runtime !== undefined) return runtime
    const made = makeRuntime(options, () => {
      // What could not be built this time may be there for the next attempt.
      if (runtime === made) runtime = undefined
    })
    runtime = made
    return made
  }

  const launch = (params: PromiseAttemptParams): Attempt => {
    const current = services()
    const { signal } = params
    const runId = params.runId ?? crypto.randomUUID()
    const handle = new AttemptHandle()
    const buffer = new EventBuffer({ backend: options.backend ?? "auto" })
    const onAbort = () => void handle.stop({ _tag: "Abort", reason: "the signal was aborted" })
    if (signal?.aborted === true) onAbort()
    else signal?.addEventListener("abort", onAbort, { once: true })

    const control = { handle, tap: (event: AgentEvent) => buffer.offer(event) }
    const program = runAttemptWith({ ...params, runId }, control).pipe(
      Effect.provideService(TurnHost, fromHandlers(params)),
      Effect.ensuring(Effect.sync(() => {
        signal?.removeEventListener("abort", onAbort)
        handle.end()
        buffer.end()
      }))
    )
    const result = current.runPromise(program)
    const attempt = makeAttempt({ runId, handle, result, buffer })
    attempts.add(attempt)
    attempt.result.then(() => attempts.delete(attempt), () => attempts.delete(attempt))
    return attempt
  }

  return {
    runAttempt: launch,
    queueMessage: (key, text) => withRuns((runs) => runs.queueMessage(key, text)),
    abort: (key, reason) => withRuns((runs) => runs.abort(key, reason)),
    isActive: (key) => withRuns((runs) => runs.isActive(key)),
    waitForEnd: (key, timeoutMs) => withRuns((runs) => runs.waitForEnd(key, timeoutMs)),
    resetSession: (session) => {
      const id = SessionBindings.sessionId(session)
      if (id === undefined) return Promise.resolve()
      return services().runPromise(Effect.flatMap(SessionBindings.SessionBindings, (bindings) => bindings.reset(id)))
    },
    selection: () => services().runPromise(Effect.map(Selector.Selection, Selector.toRecord)),
    dispose: () => {
      disposed ??= Promise.all(Array.from(attempts, (attempt) => attempt.interrupt("the host is disposed")))
        .then(() => runtime?.dispose())
      return disposed
    }
  }
}

/** Runs one attempt on an agent of its own, which is stopped when the attempt ends. */
export const runAttempt = (params: PromiseAttemptParams & HostOptions): Attempt => {
  const host = createHost({ ...params, needs: [...(params.needs ?? []), ...neededCapabilities(params)] })
  const attempt = host.runAttempt(params)
  const result = attempt.result.finally(() => host.dispose())
  result.catch(ignore)
  return {
    runId: attempt.runId,
    result,
    steer: attempt.steer,
    interrupt: attempt.interrupt,
    [Symbol.asyncIterator]: () => attempt[Symbol.asyncIterator]()
  }
}

// The rejection reaches whoever awaits the result or iterates; a host that does neither asked not to know.
const ignore = () => {}

const finish = (): IteratorResult<AgentEvent> => ({ done: true, value: undefined })

const makeAttempt = ({ buffer, handle, result, runId }: {
  readonly runId: string
  readonly handle: AttemptHandle
  readonly result: Promise<AttemptResult>
  readonly buffer: EventBuffer
}): Attempt => {
  let taken = false
  const ended = result.then(ignore, ignore)
  const interrupt = (reason?: string): Promise<void> => {
    handle.stop({ _tag: "Abort", reason })
    return ended
  }
  return {
    runId,
    result,
    steer: (text) => Effect.runPromise(handle.steer(text)),
    interrupt,
    [Symbol.asyncIterator]: () => {
      if (taken) throw new TypeError("The events of an attempt have one reader")
      taken = true
      const events = Stream.toAsyncIterable(buffer.stream)[Symbol.asyncIterator]()
      return {
        // An attempt that never was has no events: its reader gets the error.
        next: () => events.next().then((step) => step.done === true ? result.then(finish) : step),
        return: () => interrupt("its reader left").then(() => events.return?.()).then(finish)
      }
    }
  }
}
