/**
 * `omp --mode rpc` as a service: one child process, one session of Oh My Pi.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Path from "effect/Path"
import type { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import { type AgentError, HandshakeFailed, VersionUnsupported } from "../../agent/AgentError.ts"
import type { ChildRegistry } from "../../transport/ChildRegistry.ts"
import * as Recorder from "../../transport/Recorder.ts"
import type { TransportService } from "../../transport/Transport.ts"
import { agentError, fromStartup } from "./internal/Errors.ts"
import type { AnswerOf, Command, State } from "./internal/RpcCommands.ts"
import type { RpcEvent } from "./internal/RpcEvents.ts"
import type { RpcHandlers } from "./internal/RpcHandlers.ts"
import * as RpcPeer from "./internal/RpcPeer.ts"
import * as RpcProcess from "./internal/RpcProcess.ts"

export type {
  AnswerOf,
  Command,
  CommandType,
  HostTool,
  Image,
  Model,
  State,
  TodoPhase
} from "./internal/RpcCommands.ts"
export type { RpcEvent } from "./internal/RpcEvents.ts"
export type { RpcFrame } from "./internal/RpcFrames.ts"
export type {
  Dialog,
  DialogAnswer,
  HostToolCall,
  HostToolContent,
  HostToolOutput,
  HostToolResult,
  RpcHandlers
} from "./internal/RpcHandlers.ts"
export type { RequestOptions } from "./internal/RpcPeer.ts"
export type { OmpRpcOptions } from "./internal/RpcProcess.ts"

/** A session that has started, over whatever transport. */
export interface OmpConversation {
  /** The session as it was at the start. */
  readonly state: State
  /**
   * Sends a command and waits for its answer. omp takes one command after the other: behind a `compact` all wait.
   *
   * `abort` and `abort_and_prompt` have all open dialogs answered by nobody first, and those that are opened until they
   * are answered: an open dialog would hold up the abort, and with it everything behind it.
   *
   * Fails with `SessionBusy` or `Rejected` if omp refuses, `TimedOut`, `MalformedReply`, and `AgentDied` if the process
   * has ended or ends.
   */
  readonly request: <C extends Command>(
    command: C,
    options?: RpcPeer.RequestOptions
  ) => Effect.Effect<AnswerOf<C["type"]>, AgentError>
  /**
   * Everything that happens, in the order of the wire, from the start of the process on; for one reader. Fails when the
   * process has ended, with the same error as `ended`, or with `ReaderTooSlow`.
   */
  readonly events: Stream.Stream<RpcEvent, AgentError>
  /** Waits for the end of the conversation and says how it came. */
  readonly ended: Effect.Effect<AgentError>
}

/** {@link OmpConversation} with the process behind it. */
export interface OmpRpcService extends OmpConversation {
  readonly pid: number
  /** The last of what it wrote to stderr: redacted, without escape sequences. */
  readonly stderrTail: Effect.Effect<string>
  /** Ends the process and all it has started: end of stdin, SIGTERM, SIGKILL. Closing the scope does the same. */
  readonly close: Effect.Effect<void>
}

/** The service of {@link OmpRpcService}. */
export class OmpRpc extends Context.Service<OmpRpc, OmpRpcService>()("effect-codex-bridge/backends/omp/OmpRpc") {
  /** A process that starts with the layer and ends with it. */
  static readonly layer = (
    options: RpcProcess.OmpRpcOptions,
    handlers: RpcHandlers
  ): Layer.Layer<OmpRpc, AgentError, ChildProcessSpawner | ChildRegistry | FileSystem.FileSystem | Path.Path> =>
    Layer.effect(OmpRpc, make(options, handlers))
}

const defaultStartDeadline = Duration.seconds(30)
const protocolVersion = 2

/** Speaks with what has just been started, until it says which session it has. */
const greet = Effect.fnUntraced(function*(
  transport: TransportService,
  options: RpcProcess.OmpRpcOptions,
  handlers: RpcHandlers
) {
  const recorded = options.recordTo === undefined ? transport : yield* Recorder.fileSink(options.recordTo).pipe(
    Effect.flatMap((sink) => Recorder.record(transport, sink)),
    Effect.catch((error) => Effect.as(Effect.logWarning("The conversation is not recorded", error), transport))
  )
  const peer = yield* RpcPeer.make(recorded, handlers, { deadline: options.requestDeadline, buffer: options.buffer })
  const { supportedProtocolVersions = [1] } = yield* peer.ready
  if (!supportedProtocolVersions.includes(protocolVersion)) {
    return yield* agentError(
      new VersionUnsupported({
        found: `RPC protocol ${Math.max(...supportedProtocolVersions)}`,
        minimum: `RPC protocol ${protocolVersion}`
      })
    )
  }
  // Without it omp shortens what is longer than 1 MiB.
  yield* peer.request({ type: "negotiate_protocol", protocolVersion })
  const state = yield* peer.request({ type: "get_state" })
  const { ended, events, request } = peer
  return { state, request, events, ended } satisfies OmpConversation
})

/**
 * Speaks over a transport, e.g. one in memory. Fails as {@link make} does, apart from what concerns the process;
 * `stderrTail` is for an error that says that nothing was heard.
 */
export const fromTransport = (
  transport: TransportService,
  options: RpcProcess.OmpRpcOptions,
  handlers: RpcHandlers,
  stderrTail: Effect.Effect<string> = Effect.succeed("")
): Effect.Effect<OmpConversation, AgentError, FileSystem.FileSystem | Scope.Scope> => {
  const deadline = Duration.fromInputUnsafe(options.startDeadline ?? defaultStartDeadline)
  const silent = Effect.flatMap(stderrTail, (tail) => {
    const said = tail === "" ? "" : `; stderr ends: ${tail}`
    return Effect.fail(
      agentError(new HandshakeFailed({ detail: `omp was not ready within ${Duration.format(deadline)}${said}` }))
    )
  })
  return greet(transport, options, handlers).pipe(
    Effect.mapError((error) => agentError(fromStartup(error, options.resume))),
    Effect.timeoutOrElse({ duration: deadline, orElse: () => silent })
  )
}

/**
 * Starts omp and waits until it has its session.
 *
 * Fails with `BinaryMissing` if omp, or the Bun that it needs, is not there; with `NotConfigured` or `UnknownSession` if
 * it has no model or no session of that name, and with `HandshakeFailed` if it ends or is silent. Then no process is
 * left. A process that ends later takes all that it has started with it.
 */
export const make = Effect.fn("OmpRpc.make")(function*(
  options: RpcProcess.OmpRpcOptions,
  handlers: RpcHandlers
): Effect.fn.Return<
  OmpRpcService,
  AgentError,
  ChildProcessSpawner | ChildRegistry | FileSystem.FileSystem | Path.Path | Scope.Scope
> {
  const outer = yield* Effect.scope
  const scope = yield* Scope.fork(outer)
  // As a whole or not at all: what is left out would never be closed.
  const close = Effect.uninterruptible(Scope.close(scope, Exit.void))
  return yield* Effect.gen(function*() {
    const transport = yield* RpcProcess.start(options)
    const conversation = yield* fromTransport(transport, options, handlers, transport.stderrTail)
    // Also when it is this side that gave the conversation up.
    yield* Effect.forkIn(Effect.andThen(conversation.ended, close), outer)
    return {
      ...conversation,
      pid: transport.pid,
      stderrTail: transport.stderrTail,
      // Somebody else may be closing it already.
      close: Effect.andThen(close, Effect.asVoid(transport.exited))
    } satisfies OmpRpcService
  }).pipe(Scope.provide(scope), Effect.onError(() => close))
})
