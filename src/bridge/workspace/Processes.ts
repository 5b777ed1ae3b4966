/**
 * `process/spawn` and its kin: a process that a client has by a handle, until it exits or the connection ends.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Scope from "effect/Scope"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import type { ClientConnection, Handlers } from "../ClientConnection.ts"
import { environment, maxTimeoutMs, noTerminals, program } from "./Commands.ts"
import * as Base64 from "./internal/Base64.ts"
import { caughtUp } from "./internal/CaughtUp.ts"
import * as PerConnection from "./internal/PerConnection.ts"
import { invalid, invalidParams, notSupported, platformError } from "./internal/Refusals.ts"
import * as ProcessRun from "./ProcessRun.ts"
import * as Sessions from "./Sessions.ts"
import type { Terminals } from "./Terminal.ts"
import type { WorkspaceAccess } from "./WorkspaceAccess.ts"

const unknown = (name: string) => `no active process for process handle ${JSON.stringify(name)}`

const words: Sessions.Words = {
  subject: "this process",
  write: "process/writeStdin",
  size: "process/spawn",
  duplicate: (name) => `duplicate active process handle: ${JSON.stringify(name)}`,
  unknown,
  over: unknown
}

/** A limit that `null` takes away, and that has a default. */
const limit = (given: number | null | undefined, otherwise: number): number | undefined =>
  given === null ? undefined : given ?? otherwise

const check = Effect.fnUntraced(function*(params: Open.ProcessSpawnParams) {
  const { args, program: name } = yield* program(params.command, "process")
  const size = params.size ?? undefined
  const tty = params.tty === true
  if (params.processHandle === "") return yield* invalid("processHandle must not be empty")
  if (size !== undefined) {
    if (!tty) return yield* invalidParams("process/spawn size requires tty: true")
    yield* Sessions.checkSize(size, words)
  }
  const timeoutMs = limit(params.timeoutMs, ProcessRun.defaultTimeoutMs)
  if (timeoutMs !== undefined && timeoutMs < 0) {
    return yield* invalidParams(`process/spawn timeoutMs must be non-negative, got ${timeoutMs}`)
  }
  return {
    program: name,
    args,
    tty,
    size,
    input: tty || params.streamStdin === true,
    streams: tty || params.streamStdoutStderr === true,
    timeoutMs: timeoutMs === undefined ? undefined : Math.min(timeoutMs, maxTimeoutMs),
    outputBytes: limit(params.outputBytesCap, ProcessRun.defaultOutputBytes)
  }
})

/** Tells the end of a process, once its handle may be used again. */
const tell = (processHandle: string, run: ProcessRun.ProcessRun, connection: ClientConnection, free: () => void) =>
  Effect.map(
    Effect.tap(run.ended, (ended) => caughtUp(connection, ProcessRun.kept(ended))),
    ({ drainTimedOut, exitCode, stderr, stdout }) => {
      free()
      connection.notify("process/exited", {
        processHandle,
        exitCode,
        outputDrainTimedOut: drainTimedOut,
        stdout: stdout.text,
        stdoutCapReached: stdout.capReached,
        stderr: stderr.text,
        stderrCapReached: stderr.capReached
      })
    }
  )

export const make = Effect.fn("Processes.make")(function*(
  access: WorkspaceAccess,
  terminals: Terminals | undefined
): Effect.fn.Return<Handlers, never, ChildProcessSpawner | FileSystem.FileSystem | Path.Path | Scope.Scope> {
  const spawner = yield* ChildProcessSpawner
  const connections = yield* PerConnection.make(() => Sessions.make(words))

  return {
    "process/spawn": Effect.fn("Processes.spawn")(function*(params, connection) {
      yield* access.mayRun("process/spawn")
      const checked = yield* check(params)
      if (checked.tty && terminals === undefined) return yield* notSupported(noTerminals)
      const { processHandle } = params
      const { scope: outer, value: sessions } = yield* connections.of(connection)
      const session = yield* sessions.open(processHandle, checked.input)
      const free = () => sessions.close(processHandle, session)
      const scope = yield* Scope.fork(outer)

      const run = yield* Effect.gen(function*() {
        const cwd = yield* access.path(params.cwd)
        return yield* ProcessRun.make({
          command: { program: checked.program, args: checked.args, cwd, env: environment(params.env) },
          input: checked.input,
          terminal: checked.tty && terminals !== undefined ? { terminals, size: checked.size } : undefined,
          timeoutMs: checked.timeoutMs,
          outputBytes: checked.outputBytes,
          onOutput: checked.streams
            ? ({ capReached, chunk, stream }) => {
              connection.notify("process/outputDelta", {
                processHandle,
                stream,
                deltaBase64: Base64.encode(chunk),
                capReached
              })
              return connection.behind()
            }
            : undefined
        }).pipe(Effect.mapError((error) => platformError(error, "failed to spawn process: ")))
      }).pipe(
        Effect.provideService(ChildProcessSpawner, spawner),
        Scope.provide(scope),
        Effect.onExit((exit) => Deferred.done(session.started, exit)),
        Effect.onError(() => {
          free()
          return Scope.close(scope, Exit.void)
        })
      )
      yield* tell(processHandle, run, connection, free).pipe(
        Effect.ensuring(Scope.close(scope, Exit.void)),
        Effect.forkIn(outer)
      )
      return {}
    }),

    "process/writeStdin": Effect.fn("Processes.writeStdin")(function*({ processHandle, ...input }, connection) {
      yield* (yield* connections.of(connection)).value.write(processHandle, input)
      return {}
    }),

    "process/resizePty": Effect.fn("Processes.resizePty")(function*({ processHandle, size }, connection) {
      yield* (yield* connections.of(connection)).value.resize(processHandle, size)
      return {}
    }),

    "process/kill": Effect.fn("Processes.kill")(function*({ processHandle }, connection) {
      yield* (yield* connections.of(connection)).value.kill(processHandle)
      return {}
    })
  }
})
