/**
 * The unix socket at which clients look for an app-server, and who may have it.
 *
 * A path in the file system outlives the process that listens there, and anybody can put something else in its place. So
 * what is at the path is looked at before it is replaced, only one process at a time does so, and at the end only the
 * socket that this process has put there is removed.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as NodeCrypto from "node:crypto"
import * as NodeFs from "node:fs"
import * as NodeNet from "node:net"
import * as NodePath from "node:path"
import * as Directories from "./Directories.ts"
import * as LockFile from "./internal/LockFile.ts"
import { inRealTime } from "./internal/realTime.ts"
import type { ProcessTable } from "./ProcessTable.ts"
import type { TransportError } from "./TransportError.ts"
import * as WebSocketServer from "./WebSocketServer.ts"

/** A server listens there already. */
export class InUse extends Schema.TaggedError<InUse>()("InUse", { path: Schema.String }) {
  override get message(): string {
    return `app-server control socket is already in use at ${this.path}`
  }
}

/** What is at the path is not ours to replace, or the directory not safe to use. Nothing was changed. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", { path: Schema.String, detail: Schema.String }) {
  override get message(): string {
    return `Will not use ${this.path}: ${this.detail}`
  }
}

/** The operating system said no. */
export class Failed extends Schema.TaggedError<Failed>()("Failed", {
  path: Schema.String,
  operation: Schema.Literals(["prepare", "lock", "inspect", "publish"]),
  detail: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message(): string {
    return `Could not ${this.operation} ${this.path}: ${this.detail}`
  }
}

/** Why a socket could not be had; its `reason` says which. */
export class ControlSocketError extends Schema.TaggedError<ControlSocketError>()("ControlSocketError", {
  reason: Schema.Union([InUse, Refused, Failed])
}) {
  override get message(): string {
    return this.reason.message
  }
}

export interface Options {
  /** Where clients look. */
  readonly path: string
  /** Whether the directory is the socket's own: it is made, and must be ours alone. For {@link defaultPath}. */
  readonly privateDirectory?: boolean | undefined
  /**
   * Where the socket is if its path is too long for the system, with a link to it at `path`.
   * `/tmp/codex-bridge-<uid>` by default.
   */
  readonly shortDirectory?: string | undefined
}

// What `sockaddr_un` holds on macOS, without the terminator; Linux has four more.
const maxPathBytes = 103
const probeTimeout = "2 seconds"
const lockPatience = "10 seconds"
const forOthers = 0o077

const fail = (reason: typeof ControlSocketError.fields.reason.Type) => new ControlSocketError({ reason })

const errnoOf = (error: unknown): string =>
  Predicate.hasProperty(error, "code") && Predicate.isString(error.code) ? error.code : String(error)

const attempt = <A>(
  operation: Failed["operation"],
  path: string,
  run: () => A
): Effect.Effect<A, ControlSocketError> =>
  Effect.try({ try: run, catch: (cause) => fail(new Failed({ operation, path, detail: errnoOf(cause), cause })) })

const userId = (): number | undefined => process.getuid?.()

/** The path at which clients look by default. */
export const defaultPath = (codexHome: string): string =>
  NodePath.join(codexHome, "app-server-control", "app-server-control.sock")

const defaultShortDirectory = (): string => `/tmp/codex-bridge-${userId() ?? "user"}`
// Where the real server puts its sockets, behind a link like ours.
const codexShortDirectory = (): string => `/tmp/codex-daemon-${userId() ?? "user"}`

const lstat = (path: string): NodeFs.BigIntStats | undefined =>
  NodeFs.lstatSync(path, { bigint: true, throwIfNoEntry: false })

/** Makes a directory that only this user can enter, or makes sure of it. */
const preparePrivate = Effect.fnUntraced(function*(directory: string): Effect.fn.Return<void, ControlSocketError> {
  yield* attempt("prepare", directory, () => {
    Directories.makeSync(NodePath.dirname(directory))
    try {
      NodeFs.mkdirSync(directory, { mode: 0o700 })
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error
    }
  })
  const info = yield* attempt("inspect", directory, () => NodeFs.lstatSync(directory))
  const refused = (detail: string) => fail(new Refused({ path: directory, detail }))
  if (info.isSymbolicLink()) return yield* refused("it is a symbolic link")
  if (!info.isDirectory()) return yield* refused("it is no directory")
  const uid = userId()
  if (uid !== undefined && info.uid !== uid) return yield* refused("it belongs to another user")
  if (uid !== undefined && (info.mode & forOthers) !== 0) {
    yield* attempt("prepare", directory, () => NodeFs.chmodSync(directory, 0o700))
  }
})

type Liveness = "live" | "dead" | { readonly doubt: string }

/** Whether somebody accepts connections there. */
const probe = (path: string): Effect.Effect<Liveness> =>
  Effect.callback<Liveness>((resume) => {
    const socket = NodeNet.connect({ path })
    socket.on("connect", () => resume(Effect.succeed("live")))
    socket.on("error", (error) => {
      const code = errnoOf(error)
      resume(Effect.succeed(
        code === "ECONNREFUSED" || code === "ENOENT"
          ? "dead"
          // Its queue is full: somebody listens and is busy.
          : code === "EAGAIN"
          ? "live"
          : { doubt: `whether somebody listens there cannot be found out (${code})` }
      ))
    })
    return Effect.sync(() => socket.destroy())
  }).pipe(
    Effect.timeoutOrElse({
      duration: probeTimeout,
      orElse: () => Effect.succeed<Liveness>({ doubt: "it does not answer, which may be a server that is busy" })
    }),
    inRealTime,
    Effect.scoped
  )

/** Makes sure that what is at a path may be replaced. */
const inspect = Effect.fnUntraced(function*(
  path: string,
  shortDirectories: ReadonlyArray<string>
): Effect.fn.Return<void, ControlSocketError> {
  const refused = (detail: string) => fail(new Refused({ path, detail }))
  const info = yield* attempt("inspect", path, () => lstat(path))
  if (info === undefined) return
  let socket = path
  if (info.isSymbolicLink()) {
    const target = yield* attempt(
      "inspect",
      path,
      () => NodePath.resolve(NodePath.dirname(path), NodeFs.readlinkSync(path))
    )
    if (!shortDirectories.includes(NodePath.dirname(target))) {
      // Whoever listens behind it is the better answer.
      return yield* (yield* probe(path)) === "live"
        ? fail(new InUse({ path }))
        : refused(`it is a symbolic link to ${target}; remove it if nothing needs it`)
    }
    const behind = yield* attempt("inspect", target, () => lstat(target))
    if (behind === undefined) return
    if (!behind.isSocket()) return yield* refused(`it is a link to ${target}, which is no socket`)
    socket = target
  } else if (!info.isSocket()) {
    return yield* refused(`there is a ${info.isDirectory() ? "directory" : "file that is no socket"}`)
  }
  const uid = userId()
  if (uid !== undefined && info.uid !== BigInt(uid)) return yield* refused("it belongs to another user")
  const liveness = yield* probe(socket)
  if (liveness === "live") return yield* fail(new InUse({ path }))
  if (liveness !== "dead") return yield* refused(liveness.doubt)
})

/** What this process has put into the file system. */
interface Ours {
  readonly path: string
  readonly dev: bigint
  readonly ino: bigint
}

const remember = (path: string): Effect.Effect<Ours, ControlSocketError> =>
  attempt("publish", path, () => {
    const { dev, ino } = NodeFs.lstatSync(path, { bigint: true })
    return { path, dev, ino }
  })

const removeOurs = ({ dev, ino, path }: Ours): Effect.Effect<void> =>
  attempt("publish", path, () => {
    const info = lstat(path)
    if (info?.dev === dev && info.ino === ino) NodeFs.unlinkSync(path)
  }).pipe(Effect.ignore({ log: "Warn" }))

/**
 * Listens at a path: `listen` is given another one, in the same directory, that is free and short enough, and what it
 * has bound there appears at `path` once it accepts connections, with mode 0600.
 *
 * A socket that nobody listens on is replaced. Anything else at the path is left as it is:
 *
 * - `InUse`: a server answers there, or one is starting at this moment.
 * - `Refused`: a file that is no socket, a link to elsewhere, somebody else's socket, a directory that is a link or not
 *   ours; or it cannot be found out whether a server is there.
 *
 * When the scope closes the socket is removed from the path, if it is still this one, before `listen` is released.
 *
 * Of several processes that do this at once exactly one succeeds.
 */
export const claim = Effect.fn("ControlSocket.claim")(function*<A, E, R>(
  options: Options,
  listen: (path: string) => Effect.Effect<A, E, R>
): Effect.fn.Return<A, E | ControlSocketError, R | ProcessTable | Scope.Scope> {
  const path = NodePath.resolve(options.path)
  const directory = NodePath.dirname(path)
  const shortDirectory = options.shortDirectory ?? defaultShortDirectory()
  const suffix = NodeCrypto.randomBytes(4).toString("hex")

  if (options.privateDirectory === true) yield* preparePrivate(directory)
  const besides = NodePath.join(directory, `.${suffix}`)
  const isLong = Math.max(Buffer.byteLength(path), Buffer.byteLength(besides)) > maxPathBytes
  if (isLong) yield* preparePrivate(shortDirectory)
  const short = NodePath.join(shortDirectory, NodeCrypto.createHash("sha256").update(path).digest("hex"))
  const bound = isLong ? `${short}.${suffix}` : besides
  const final = isLong ? short : path

  const scope = yield* Effect.scope

  return yield* Effect.scoped(Effect.gen(function*() {
    const got = yield* LockFile.acquire(`${path}.lock`, lockPatience).pipe(
      Effect.mapError((cause) =>
        fail(
          new Failed({
            operation: "lock",
            path,
            detail: cause._tag === "LockError" ? errnoOf(cause.cause) : cause.message,
            cause
          })
        )
      )
    )
    if (!got) return yield* fail(new InUse({ path }))
    yield* inspect(path, [shortDirectory, codexShortDirectory()])
    if (isLong) yield* inspect(short, [])

    const listening = yield* listen(bound).pipe(Scope.provide(scope))
    // In place at once and complete: whoever finds the socket can connect to it.
    yield* Effect.acquireRelease(
      Effect.gen(function*() {
        yield* attempt("publish", path, () => NodeFs.chmodSync(bound, 0o600))
        const ours = yield* remember(bound)
        yield* attempt("publish", path, () => NodeFs.renameSync(bound, final))
        return { ...ours, path: final }
      }),
      removeOurs
    ).pipe(Scope.provide(scope))
    if (isLong) {
      yield* Effect.acquireRelease(
        Effect.gen(function*() {
          const fresh = `${path}.${suffix}`
          yield* attempt("publish", path, () => NodeFs.symlinkSync(short, fresh))
          const ours = yield* remember(fresh)
          yield* attempt("publish", path, () => NodeFs.renameSync(fresh, path))
          return { ...ours, path }
        }),
        removeOurs
      ).pipe(Scope.provide(scope))
    }
    return listening
  }))
})

/** A {@link WebSocketServer} at a control socket; its address names the path. Fails as {@link claim} does. */
export const serve = Effect.fn("ControlSocket.serve")(function*(
  options: Options & Omit<WebSocketServer.Options, "listen">
): Effect.fn.Return<
  WebSocketServer.WebSocketServer,
  ControlSocketError | TransportError,
  ProcessTable | Scope.Scope
> {
  const address = `unix://${NodePath.resolve(options.path)}`
  return yield* claim(options, (unix) => WebSocketServer.make({ ...options, listen: { unix }, name: address }))
})
