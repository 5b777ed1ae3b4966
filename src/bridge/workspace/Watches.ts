/**
 * `fs/watch`, `fs/unwatch` and the `fs/changed` that follow. A watch belongs to its connection and ends with it.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Scope from "effect/Scope"
import type { Handlers } from "../ClientConnection.ts"
import * as PerConnection from "./internal/PerConnection.ts"
import { invalid, platformError } from "./internal/Refusals.ts"
import * as PathWatcher from "./PathWatcher.ts"
import type { WorkspaceAccess } from "./WorkspaceAccess.ts"

/** Watches that one connection may have. */
export const maxWatches = 512

export const make = Effect.fn("Watches.make")(function*(
  access: WorkspaceAccess
): Effect.fn.Return<Handlers, never, FileSystem.FileSystem | Path.Path | Scope.Scope> {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const connections = yield* PerConnection.make(() => new Map<string, Scope.Closeable>())

  return {
    "fs/watch": Effect.fn("Watches.watch")(function*({ path: given, watchId }, connection) {
      const path = yield* access.path(given)
      const { scope, value: watches } = yield* connections.of(connection)
      if (watches.has(watchId)) return yield* invalid(`watchId already exists: ${watchId}`)
      if (watches.size >= maxWatches) return yield* invalid(`too many watches: limit is ${maxWatches} a connection`)
      const watch = Scope.makeUnsafe()
      watches.set(watchId, watch)
      yield* Scope.addFinalizer(scope, Scope.close(watch, Exit.void))
      yield* PathWatcher.make(path, (changedPaths) => connection.notify("fs/changed", { watchId, changedPaths })).pipe(
        Scope.provide(watch),
        Effect.provideService(FileSystem.FileSystem, fs),
        Effect.provideService(Path.Path, paths),
        Effect.mapError((error) => platformError(error, "failed to watch path: ")),
        Effect.onError(() => {
          watches.delete(watchId)
          return Scope.close(watch, Exit.void)
        })
      )
      return { path }
    }),

    "fs/unwatch": Effect.fn("Watches.unwatch")(function*({ watchId }, connection) {
      const { value: watches } = yield* connections.of(connection)
      const watch = watches.get(watchId)
      if (watch === undefined) return {}
      watches.delete(watchId)
      yield* Scope.close(watch, Exit.void)
      return {}
    })
  }
})
