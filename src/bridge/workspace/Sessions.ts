/**
 * The processes of one connection, by the name that the client gave them.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { BridgeError } from "../BridgeError.ts"
import type { TerminalSize } from "./Child.ts"
import * as Base64 from "./internal/Base64.ts"
import { invalid, invalidParams, platformError } from "./internal/Refusals.ts"
import type { ProcessRun } from "./ProcessRun.ts"

/** Processes that one connection may have at once. */
export const maxProcesses = 128

/** How the methods of a family name things when they refuse. */
export interface Words {
  /** A process in general, e.g. `this process`. */
  readonly subject: string
  readonly write: string
  readonly size: string
  readonly duplicate: (name: string) => string
  readonly unknown: (name: string) => string
  readonly over: (name: string) => string
}

export interface Session {
  readonly takesInput: boolean
  inputClosed: boolean
  /** Its end is known, and its client is being told. */
  over: boolean
  /** A client may write before its process has started. */
  readonly started: Deferred.Deferred<ProcessRun, BridgeError>
}

export interface Sessions {
  /** Takes the name. Runs without a pause, so that what the client sends next finds it. */
  readonly open: (name: string, takesInput: boolean) => Effect.Effect<Session, BridgeError>
  readonly close: (name: string, session: Session) => void
  readonly write: (
    name: string,
    input: { readonly deltaBase64?: string | null | undefined; readonly closeStdin?: boolean | undefined }
  ) => Effect.Effect<void, BridgeError>
  readonly resize: (name: string, size: TerminalSize) => Effect.Effect<void, BridgeError>
  readonly kill: (name: string) => Effect.Effect<void, BridgeError>
}

/** Refuses a size that no terminal has. */
export const checkSize = (size: TerminalSize, words: Words): Effect.Effect<void, BridgeError> =>
  size.rows > 0 && size.cols > 0
    ? Effect.void
    : Effect.fail(invalidParams(`${words.size} size rows and cols must be greater than 0`))

export const make = (words: Words): Sessions => {
  const sessions = new Map<string, Session>()

  const find = (name: string): Effect.Effect<Session, BridgeError> =>
    Effect.suspend(() => {
      const session = sessions.get(name)
      if (session === undefined) return Effect.fail(invalid(words.unknown(name)))
      return session.over ? Effect.fail(invalid(words.over(name))) : Effect.succeed(session)
    })

  return {
    open: (name, takesInput) =>
      Effect.suspend(() => {
        if (sessions.has(name)) return Effect.fail(invalid(words.duplicate(name)))
        if (sessions.size >= maxProcesses) {
          return Effect.fail(invalid(`too many processes: limit is ${maxProcesses} a connection`))
        }
        const session: Session = {
          takesInput,
          inputClosed: false,
          over: false,
          started: Deferred.makeUnsafe()
        }
        sessions.set(name, session)
        return Effect.succeed(session)
      }),

    close: (name, session) => {
      if (sessions.get(name) === session) sessions.delete(name)
    },

    write: Effect.fnUntraced(function*(name, { closeStdin, deltaBase64 }) {
      const delta = deltaBase64 ?? undefined
      if (delta === undefined && closeStdin !== true) {
        return yield* invalidParams(`${words.write} requires deltaBase64 or closeStdin`)
      }
      const bytes = delta === undefined ? undefined : Base64.decode(delta)
      if (bytes !== undefined && Result.isFailure(bytes)) {
        return yield* invalidParams(`invalid deltaBase64: ${bytes.failure}`)
      }
      const session = yield* find(name)
      if (!session.takesInput) return yield* invalid(`stdin streaming is not enabled for ${words.subject}`)
      if (session.inputClosed) return yield* invalid("stdin is already closed")
      if (closeStdin === true) session.inputClosed = true
      const run = yield* Deferred.await(session.started)
      const taken = bytes === undefined || bytes.success.length === 0 || (yield* run.write(bytes.success))
      if (!taken) {
        session.inputClosed = true
        return yield* invalid("stdin is already closed")
      }
      if (closeStdin === true) yield* run.end
    }),

    resize: Effect.fnUntraced(function*(name, size) {
      yield* checkSize(size, words)
      const session = yield* find(name)
      const { resize } = yield* Deferred.await(session.started)
      if (resize === undefined) return yield* invalid("failed to resize PTY: process is not attached to a PTY")
      yield* Effect.mapError(resize(size), (error) => platformError(error, "failed to resize PTY: "))
    }),

    kill: Effect.fnUntraced(function*(name) {
      const session = yield* find(name)
      const run = yield* Deferred.await(session.started)
      yield* run.kill
    })
  }
}
