/**
 * Remembers which of the agent's sessions belongs to which conversation of the host.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import * as Directories from "../transport/Directories.ts"
import { AttemptError, BindingFailed } from "./AttemptError.ts"

// Only a hint: a value that cannot be read counts as missing.
const hint = Schema.optional(Schema.String).pipe(Schema.catchDecoding(() => Effect.succeedSome(undefined)))

/** A session of the agent's, as it is kept. */
export const SessionBinding = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  /** The agent's id of the session. */
  threadId: Schema.String.check(Schema.isNonEmpty()),
  /** Id of the backend that has the session. Files from before backends were told apart have none. */
  backend: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed("codex-app-server"))),
  cwd: hint,
  model: hint,
  modelProvider: hint,
  /** Milliseconds since the epoch. */
  createdAt: Schema.Finite,
  updatedAt: Schema.Finite
})
export type SessionBinding = typeof SessionBinding.Type

/** A conversation of the host's. */
export type SessionId =
  | { readonly _tag: "File"; readonly path: string }
  | { readonly _tag: "Key"; readonly key: string }

/** The conversation that an attempt belongs to: its file where it has one. */
export const sessionId = (identity: {
  readonly sessionFile?: string | undefined
  readonly sessionKey?: string | undefined
}): SessionId | undefined =>
  identity.sessionFile !== undefined
    ? { _tag: "File", path: identity.sessionFile }
    : identity.sessionKey !== undefined
    ? { _tag: "Key", key: identity.sessionKey }
    : undefined

/** A store of bindings. Every operation fails with `BindingFailed`, which names the file or key. */
export class SessionBindings extends Context.Service<SessionBindings, {
  readonly get: (session: SessionId) => Effect.Effect<Option.Option<SessionBinding>, AttemptError>
  readonly set: (session: SessionId, binding: SessionBinding) => Effect.Effect<void, AttemptError>
  /** Forgets the binding if it still names this session of the agent's. */
  readonly clear: (session: SessionId, threadId: string) => Effect.Effect<void, AttemptError>
  /** Forgets the binding, readable or not: the next attempt starts a new session. */
  readonly reset: (session: SessionId) => Effect.Effect<void, AttemptError>
}>()("effect-codex-bridge/host/SessionBindings") {}

const idOf = (session: SessionId): string => session._tag === "File" ? `file:${session.path}` : `key:${session.key}`

/** Keeps bindings as long as the layer lives. */
export const layerMemory: Layer.Layer<SessionBindings> = Layer.sync(SessionBindings, () => {
  const bindings = new Map<string, SessionBinding>()
  return SessionBindings.of({
    get: (session) => Effect.sync(() => Option.fromUndefinedOr(bindings.get(idOf(session)))),
    set: (session, binding) => Effect.sync(() => void bindings.set(idOf(session), binding)),
    clear: (session, threadId) =>
      Effect.sync(() => {
        if (bindings.get(idOf(session))?.threadId === threadId) bindings.delete(idOf(session))
      }),
    reset: (session) => Effect.sync(() => void bindings.delete(idOf(session)))
  })
})

const suffix = ".codex-app-server.json"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(SessionBinding))
const encode = Schema.encodeEffect(Schema.fromJsonString(SessionBinding))

type Operation = BindingFailed["operation"]

const failure = (operation: Operation, location: string, detail: string): AttemptError =>
  new AttemptError({ reason: new BindingFailed({ operation, location, detail }) })

const fileError = (operation: Operation, file: string) => (error: PlatformError) =>
  failure(operation, file, error.message)

const isNotFound = (error: PlatformError): boolean => error.reason._tag === "NotFound"

/**
 * Keeps each binding in a file: `<session file>.codex-app-server.json` beside the session file, or a file named by a
 * hash of the session key in `directory`. Without a directory a session that has a key alone is refused.
 *
 * Files are private to the user and replaced as a whole, so that a crash leaves the old or the new one.
 */
export const layerSidecar = (options?: {
  readonly directory?: string | undefined
}): Layer.Layer<SessionBindings, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    SessionBindings,
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path

      const locate = Effect.fnUntraced(function*(session: SessionId, operation: Operation) {
        if (session._tag === "File") return `${session.path}${suffix}`
        if (options?.directory === undefined) {
          return yield* failure(operation, session.key, "a session key alone needs a directory for bindings")
        }
        // A key is any text a host makes up; only a digest of it may name a file.
        return path.join(options.directory, `${createHash("sha256").update(session.key).digest("hex")}${suffix}`)
      })

      const read = Effect.fnUntraced(function*(file: string) {
        const text = yield* fs.readFileString(file).pipe(
          Effect.asSome,
          Effect.catchIf(isNotFound, () => Effect.succeedNone),
          Effect.mapError(fileError("read", file))
        )
        if (Option.isNone(text)) return Option.none<SessionBinding>()
        return yield* decode(text.value).pipe(
          Effect.asSome,
          Effect.mapError((error) => failure("read", file, error.message))
        )
      })

      const write = Effect.fnUntraced(
        function*(file: string, binding: SessionBinding) {
          const json = yield* Effect.orDie(encode(binding))
          yield* Directories.make(fs, path.dirname(file), 0o700)
          // In a directory of its own, so that no name is guessed and nothing that is there is followed.
          const temporary = yield* fs.makeTempDirectoryScoped({ directory: path.dirname(file), prefix: ".binding-" })
          const next = path.join(temporary, "next.json")
          yield* fs.writeFileString(next, `${json}\n`, { mode: 0o600, flag: "wx" })
          yield* fs.rename(next, file)
        },
        Effect.scoped,
        (effect, file) => Effect.mapError(effect, fileError("write", file))
      )

      const remove = (file: string) =>
        fs.remove(file).pipe(
          Effect.catchIf(isNotFound, () => Effect.void),
          Effect.mapError(fileError("clear", file))
        )

      return SessionBindings.of({
        get: Effect.fn("SessionBindings.get")(function*(session) {
          return yield* read(yield* locate(session, "read"))
        }),
        set: Effect.fn("SessionBindings.set")(function*(session, binding) {
          return yield* write(yield* locate(session, "write"), binding)
        }),
        clear: Effect.fn("SessionBindings.clear")(function*(session, threadId) {
          const file = yield* locate(session, "clear")
          const current = yield* read(file)
          if (Option.isSome(current) && current.value.threadId === threadId) yield* remove(file)
        }),
        reset: Effect.fn("SessionBindings.reset")(function*(session) {
          return yield* remove(yield* locate(session, "clear"))
        })
      })
    })
  )
