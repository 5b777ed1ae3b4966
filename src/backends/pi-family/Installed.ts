/**
 * Whether an agent is there and was ever set up, without loading or starting it: what was never set up is left alone.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import { createRequire } from "node:module"

/**
 * Whether a package can be imported from here. To be asked before it is: Bun fetches what it does not find, where it sees
 * no `node_modules` at all.
 */
export const isInstalled = Effect.fnUntraced(function*(
  packageName: string
): Effect.fn.Return<boolean, never, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  // Yarn's way of installing leaves no directories to look into.
  if (process.versions["pnp"] !== undefined) return true
  const places = createRequire(import.meta.url).resolve.paths(packageName) ?? []
  return yield* someExist(places.map((place) => path.join(place, packageName, "package.json")))
})

/** Whether one of these files is there. What cannot be looked at may be. */
export const someExist = Effect.fnUntraced(function*(
  files: ReadonlyArray<string>
): Effect.fn.Return<boolean, never, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  for (const file of files) {
    if (yield* fs.exists(file).pipe(Effect.orElseSucceed(() => true))) return true
  }
  return false
})
