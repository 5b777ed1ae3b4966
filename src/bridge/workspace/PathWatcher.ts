/**
 * Watches one path, whether it is a file, a directory or not there yet.
 *
 * Of a directory, its entries are reported, not what is below them; of everything, that the path itself came, changed
 * or went. What happens within one window is reported once.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type * as PlatformError from "effect/PlatformError"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { errnoOf } from "./internal/Refusals.ts"

/** From the first change to its report. */
export const window = "200 millis"

/** Most paths in one report. Of more it is told that the watched path changed. */
export const maxPaths = 1024

/** The changes of one window. */
const makeBatch = (path: string) => {
  const changed = new Set<string>()
  let tooMany = false
  return {
    add: (changedPath: string) => {
      if (tooMany) return
      changed.add(changedPath)
      if (changed.size <= maxPaths) return
      tooMany = true
      changed.clear()
      changed.add(path)
    },
    take: (): ReadonlyArray<string> => {
      const paths = Array.from(changed).toSorted()
      changed.clear()
      tooMany = false
      return paths
    }
  }
}

/** What tells one state of a path from another; empty while there is nothing. */
const signatureOf = (info: FileSystem.File.Info | undefined): string =>
  info === undefined ? "" : [
    info.type,
    info.dev,
    Option.getOrElse(info.ino, () => 0n),
    info.size,
    Option.match(info.mtime, { onNone: () => 0, onSome: (date) => date.getTime() })
  ].join()

/**
 * Starts to watch, and returns once nothing can be missed. `report` gets absolute paths, in order. Fails if the system
 * refuses to watch, e.g. because there are too many watches already.
 */
export const make = Effect.fn("PathWatcher.make")(function*(
  path: string,
  report: (paths: ReadonlyArray<string>) => void
): Effect.fn.Return<void, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path | Scope.Scope> {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const batch = makeBatch(path)
  const pending = yield* Queue.sliding<void>(1)

  const add = (changedPath: string) => {
    batch.add(changedPath)
    Queue.offerUnsafe(pending, undefined)
  }
  yield* Queue.take(pending).pipe(
    Effect.andThen(Effect.sleep(window)),
    Effect.andThen(Effect.sync(() => {
      const changed = batch.take()
      if (changed.length > 0) report(changed)
    })),
    Effect.forever,
    Effect.forkScoped
  )

  // What cannot be looked at counts as missing, also for the signature.
  const stat = (path: string) => Effect.catch(fs.stat(path), () => Effect.undefined)

  const listen = Effect.fnUntraced(function*(
    directory: string,
    broken: Deferred.Deferred<void, PlatformError.PlatformError>,
    on: (event: FileSystem.WatchEvent) => void
  ) {
    const ready = yield* Deferred.make<void, PlatformError.PlatformError>()
    const options = { onReady: () => Deferred.doneUnsafe(ready, Effect.void) }
    yield* fs.watch(directory, options).pipe(
      Stream.runForEach((event) => Effect.sync(() => on(event))),
      Effect.catch((error) => Effect.andThen(Deferred.fail(ready, error), Deferred.fail(broken, error))),
      Effect.forkScoped
    )
    yield* Deferred.await(ready)
  })

  const ready = yield* Deferred.make<void, PlatformError.PlatformError>()
  let last: string | undefined

  /** Listens until the path, or what it lies in, was replaced and has to be looked for again. */
  const listenOnce = Effect.scoped(Effect.gen(function*() {
    const again = yield* Deferred.make<void, PlatformError.PlatformError>()
    const lookAgain = () => {
      Deferred.doneUnsafe(again, Effect.void)
    }

    // The directory that the path lies in or, while that is missing, the nearest one there is.
    let anchor = paths.dirname(path)
    let next = paths.basename(path)
    while (anchor !== paths.dirname(anchor) && (yield* stat(anchor)) === undefined) {
      next = paths.basename(anchor)
      anchor = paths.dirname(anchor)
    }
    const direct = paths.join(anchor, next) === path
    if (anchor !== path) {
      yield* listen(anchor, again, (event) => {
        if (event.path === next) {
          if (direct) add(path)
          if (!direct || event._tag !== "Update") lookAgain()
        } else if (event._tag === "Remove" && event.path === paths.basename(anchor)) lookAgain()
      })
    }
    if ((yield* stat(path))?.type === "Directory") {
      yield* listen(path, again, (event) => {
        // A directory that is removed says so under its own name.
        if (event._tag === "Remove" && event.path === paths.basename(path)) lookAgain()
        else add(paths.join(path, event.path))
      })
    }

    const signature = signatureOf(yield* stat(path))
    if (last !== undefined && last !== signature) add(path)
    last = signature
    yield* Deferred.succeed(ready, undefined)
    yield* Deferred.await(again)
  }))

  yield* listenOnce.pipe(
    // What was to be listened to is gone in between.
    Effect.catchIf((error) => errnoOf(error.reason.cause) === "ENOENT", () => Effect.void),
    Effect.forever,
    Effect.catch((error) =>
      Effect.andThen(Deferred.fail(ready, error), Effect.logWarning(`no longer watching ${path}`, error))
    ),
    Effect.forkScoped
  )
  yield* Deferred.await(ready)
})
