/**
 * A lock that one process at a time holds, and that a process which dies does not hold any more.
 *
 * The lock is a file that says who holds it. It comes into being complete, by a hard link, so that exactly one of many
 * succeeds. One whose holder is dead is replaced, never removed first: the right to replace it is a lock of its own, named
 * after the dead holder, so that again exactly one gets it, and whoever comes late finds a new holder.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as NodeCrypto from "node:crypto"
import * as NodeFs from "node:fs"
import { ProcessIdentity, ProcessTable, type ProcessTableError } from "../ProcessTable.ts"
import { inRealTime } from "./realTime.ts"

/** A system call failed. */
export class LockError extends Schema.TaggedError<LockError>()("LockError", {
  path: Schema.String,
  cause: Schema.Defect()
}) {}

const Holder = Schema.Struct({ process: ProcessIdentity, nonce: Schema.NonEmptyString })
type Holder = typeof Holder.Type

const HolderFile = Schema.fromJsonString(Holder)
const decodeHolder = Schema.decodeResult(HolderFile)
const encodeHolder = Schema.encodeEffect(HolderFile)

const pollInterval = "20 millis"
// Beyond this many dead holders of one lock something else is wrong.
const maxDepth = 8

const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined

const attempt = <A>(path: string, run: () => A): Effect.Effect<A, LockError> =>
  Effect.try({ try: run, catch: (cause) => new LockError({ path, cause }) })

/** The holder that a lock file names; `unreadable` for one that no process of ours can have written. */
const read = (path: string): Effect.Effect<Holder | "none" | "unreadable", LockError> =>
  attempt(path, () => NodeFs.readFileSync(path, "utf8")).pipe(
    Effect.map((text) => Result.getOrElse(decodeHolder(text), () => "unreadable" as const)),
    Effect.catchIf((error) => errnoOf(error.cause) === "ENOENT", () => Effect.succeed("none" as const))
  )

const nonceOf = (holder: Holder | "none" | "unreadable"): string => typeof holder === "string" ? holder : holder.nonce

/** Puts `own` at `path` if nothing is there. */
const link = (own: string, path: string): Effect.Effect<boolean, LockError> =>
  attempt(path, () => NodeFs.linkSync(own, path)).pipe(
    Effect.as(true),
    Effect.catchIf((error) => errnoOf(error.cause) === "EEXIST", () => Effect.succeed(false))
  )

const removeIfOurs = (path: string, nonce: string): Effect.Effect<void> =>
  Effect.suspend(() => read(path)).pipe(
    Effect.flatMap((holder) => nonceOf(holder) === nonce ? attempt(path, () => NodeFs.unlinkSync(path)) : Effect.void),
    Effect.ignore({ log: "Warn" })
  )

/** Takes the lock if it is free, or held by nobody who lives. */
const tryAcquire = (
  path: string,
  own: string,
  nonce: string,
  depth: number
): Effect.Effect<boolean, LockError | ProcessTableError, ProcessTable> =>
  Effect.gen(function*() {
    if (yield* link(own, path)) return true
    const holder = yield* read(path)
    if (holder === "none" || depth >= maxDepth) return false
    const table = yield* ProcessTable
    if (holder !== "unreadable" && (yield* table.isAlive(holder.process))) return false
    const right = `${path}.${nonceOf(holder)}`
    if (!(yield* tryAcquire(right, own, nonce, depth + 1))) return false
    return yield* Effect.gen(function*() {
      if (nonceOf(yield* read(path)) !== nonceOf(holder)) return false
      // A name of its own for the rename, which takes it away.
      const copy = `${own}.${depth}`
      yield* attempt(copy, () => NodeFs.linkSync(own, copy))
      yield* attempt(path, () => NodeFs.renameSync(copy, path))
      return true
    }).pipe(Effect.ensuring(removeIfOurs(right, nonce)))
  })

/**
 * Holds the lock at `path` while the scope is open. Waits for others up to `patience`; gives whether it was got.
 *
 * The directory must be one that only this user writes to.
 */
export const acquire = Effect.fnUntraced(function*(
  path: string,
  patience: `${number} seconds`
): Effect.fn.Return<boolean, LockError | ProcessTableError, ProcessTable | Scope.Scope> {
  const table = yield* ProcessTable
  const self = yield* table.identify(process.pid)
  if (Option.isNone(self)) return yield* Effect.die("this process is not in the process table")
  const nonce = NodeCrypto.randomBytes(8).toString("hex")
  const own = `${path}.${process.pid}-${nonce}`
  const text = yield* encodeHolder({ process: self.value, nonce }).pipe(Effect.orDie)
  return yield* Effect.acquireRelease(
    Effect.acquireUseRelease(
      attempt(own, () => NodeFs.writeFileSync(own, text, { mode: 0o600, flag: "wx" })),
      () =>
        tryAcquire(path, own, nonce, 0).pipe(
          Effect.repeat({ until: (got) => got, schedule: Schedule.spaced(pollInterval) }),
          Effect.timeoutOption(patience),
          inRealTime,
          Effect.map(Option.isSome)
        ),
      () => attempt(own, () => NodeFs.rmSync(own, { force: true })).pipe(Effect.ignore({ log: "Warn" }))
    ),
    () => removeIfOurs(path, nonce)
  )
})
