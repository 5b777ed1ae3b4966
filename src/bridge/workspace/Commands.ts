/**
 * `command/exec` and its kin: a command whose result is the answer to the request.
 *
 * The real server runs these in its sandbox. There is none here, so a request that asks for one is refused, and not run
 * without.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Scope from "effect/Scope"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import { type BridgeError, Internal, refuse, UnknownValue } from "../BridgeError.ts"
import type { Handlers } from "../ClientConnection.ts"
import * as Base64 from "./internal/Base64.ts"
import { caughtUp } from "./internal/CaughtUp.ts"
import * as PerConnection from "./internal/PerConnection.ts"
import { invalid, invalidParams, notSupported, platformError } from "./internal/Refusals.ts"
import * as ProcessRun from "./ProcessRun.ts"
import * as Sessions from "./Sessions.ts"
import type { Terminals } from "./Terminal.ts"
import type { WorkspaceAccess } from "./WorkspaceAccess.ts"

/** What `tty: true` is answered with where there are no terminals. */
export const noTerminals = "tty: true is not available here: terminals need Bun, or the script program on Linux"

/** Milliseconds that a timer can wait. */
export const maxTimeoutMs = 2_147_483_647

export const environment = (
  env: { readonly [name: string]: string | null } | null | undefined
): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env ?? {}).map(([name, value]) => [name, value ?? undefined]))

/** What a command consists of, or why it is none. */
export const program = (
  argv: ReadonlyArray<string>,
  what: string
): Effect.Effect<{ readonly program: string; readonly args: ReadonlyArray<string> }, BridgeError> => {
  const [program, ...args] = argv
  if (program === undefined) return Effect.fail(invalid("command must not be empty"))
  return program === ""
    ? Effect.fail(refuse(new Internal({ message: `failed to spawn ${what}: missing program` })))
    : Effect.succeed({ program, args })
}

const words: Sessions.Words = {
  subject: "this command/exec",
  write: "command/exec/write",
  size: "command/exec",
  duplicate: (name) => `duplicate active command/exec process id: ${JSON.stringify(name)}`,
  unknown: (name) => `no active command/exec for process id ${JSON.stringify(name)}`,
  over: (name) => `command/exec ${JSON.stringify(name)} is no longer running`
}

const sandboxes = ["dangerFullAccess", "readOnly", "externalSandbox", "workspaceWrite"]
/** Those that ask for nothing that is missing here. */
const unconfined: ReadonlySet<string> = new Set(["dangerFullAccess", "externalSandbox"])
const unconfinedProfile = ":danger-full-access"

const checkSandbox = (
  { permissionProfile, sandboxPolicy }: Open.CommandExecParams
): Effect.Effect<void, BridgeError> => {
  const profile = permissionProfile ?? undefined
  const policy = sandboxPolicy?.type
  if (profile !== undefined && policy !== undefined) {
    return Effect.fail(invalid("`permissionProfile` cannot be combined with `sandboxPolicy`"))
  }
  if (policy !== undefined && !sandboxes.includes(policy)) {
    return Effect.fail(refuse(new UnknownValue({ given: policy, known: sandboxes })))
  }
  const asked = policy === undefined
    ? (profile === unconfinedProfile ? undefined : profile)
    : unconfined.has(policy)
    ? undefined
    : policy
  return asked === undefined
    ? Effect.void
    : Effect.fail(
      notSupported(`command/exec cannot run a command in the sandbox ${asked}: this bridge has no sandbox of its own`)
    )
}

const check = Effect.fnUntraced(function*(params: Open.CommandExecParams) {
  const { program: name, args } = yield* program(params.command, "command")
  const timeoutMs = params.timeoutMs ?? undefined
  const size = params.size ?? undefined
  const outputBytesCap = params.outputBytesCap ?? undefined
  const tty = params.tty === true
  if (size !== undefined) {
    if (!tty) return yield* invalidParams("command/exec size requires tty: true")
    yield* Sessions.checkSize(size, words)
  }
  if (timeoutMs !== undefined && params.disableTimeout === true) {
    return yield* invalidParams("command/exec cannot set both timeoutMs and disableTimeout")
  }
  if (outputBytesCap !== undefined && params.disableOutputCap === true) {
    return yield* invalidParams("command/exec cannot set both outputBytesCap and disableOutputCap")
  }
  if (timeoutMs !== undefined && timeoutMs < 0) {
    return yield* invalidParams(`command/exec timeoutMs must be non-negative, got ${timeoutMs}`)
  }
  yield* checkSandbox(params)
  const streams = tty || params.streamStdoutStderr === true
  const input = tty || params.streamStdin === true
  const processId = params.processId ?? undefined
  if (processId === undefined && (streams || input)) {
    return yield* invalid("command/exec tty or streaming requires a client-supplied processId")
  }
  return {
    program: name,
    args,
    tty,
    size,
    input,
    streams,
    processId,
    timeoutMs: params.disableTimeout === true
      ? undefined
      : Math.min(timeoutMs ?? ProcessRun.defaultTimeoutMs, maxTimeoutMs),
    outputBytes: params.disableOutputCap === true ? undefined : outputBytesCap ?? ProcessRun.defaultOutputBytes
  }
})

export const make = Effect.fn("Commands.make")(function*(
  access: WorkspaceAccess,
  terminals: Terminals | undefined
): Effect.fn.Return<Handlers, never, ChildProcessSpawner | FileSystem.FileSystem | Path.Path | Scope.Scope> {
  const spawner = yield* ChildProcessSpawner
  const connections = yield* PerConnection.make(() => Sessions.make(words))
  // Names of commands that the client gave none; it cannot give one with a NUL by accident.
  let unnamed = 0

  return {
    "command/exec": Effect.fn("Commands.exec")(function*(params, connection) {
      yield* access.mayRun("command/exec")
      const checked = yield* check(params)
      if (checked.tty && terminals === undefined) return yield* notSupported(noTerminals)
      const name = checked.processId ?? `\0${unnamed++}`
      const { scope: outer, value: sessions } = yield* connections.of(connection)
      const session = yield* sessions.open(name, checked.input)
      const { processId } = checked
      // A scope of its own: the answer need not wait until what the command left behind is gone.
      const scope = yield* Scope.fork(outer)

      return yield* Effect.gen(function*() {
        const cwd = yield* access.directory(params.cwd ?? access.cwd)
        const run = yield* ProcessRun.make({
          command: { program: checked.program, args: checked.args, cwd, env: environment(params.env) },
          input: checked.input,
          terminal: checked.tty && terminals !== undefined ? { terminals, size: checked.size } : undefined,
          timeoutMs: checked.timeoutMs,
          outputBytes: checked.outputBytes,
          onOutput: checked.streams && processId !== undefined
            ? ({ capReached, chunk, stream }) => {
              connection.notify("command/exec/outputDelta", {
                processId,
                stream,
                deltaBase64: Base64.encode(chunk),
                capReached
              })
              return connection.behind()
            }
            : undefined
        }).pipe(Effect.mapError((error) => platformError(error, "failed to spawn command: ")))
        yield* Deferred.succeed(session.started, run)
        const ended = yield* run.ended
        session.over = true
        yield* caughtUp(connection, ProcessRun.kept(ended))
        const { exitCode, stderr, stdout } = ended
        return { exitCode, stdout: stdout.text, stderr: stderr.text }
      }).pipe(
        Effect.provideService(ChildProcessSpawner, spawner),
        Scope.provide(scope),
        Effect.onExit((exit) => {
          sessions.close(name, session)
          // Nobody waits any more for a command that was not started.
          return Effect.andThen(
            Exit.isFailure(exit) ? Deferred.failCause(session.started, exit.cause) : Effect.void,
            // Also when the connection ends: what the command has started goes with it.
            Effect.forkIn(Scope.close(scope, Exit.void), outer)
          )
        })
      )
    }),

    "command/exec/write": Effect.fn("Commands.write")(function*({ processId, ...input }, connection) {
      yield* (yield* connections.of(connection)).value.write(processId, input)
      return {}
    }),

    "command/exec/resize": Effect.fn("Commands.resize")(function*({ processId, size }, connection) {
      yield* (yield* connections.of(connection)).value.resize(processId, size)
      return {}
    }),

    "command/exec/terminate": Effect.fn("Commands.terminate")(function*({ processId }, connection) {
      yield* (yield* connections.of(connection)).value.kill(processId)
      return {}
    })
  }
})
