/**
 * Directories with those that they are in.
 *
 * The system's own way of making them all at once never ends in Node, and cannot be interrupted, where a directory is
 * there and yet nothing can be made in it, such as `/proc`: each missing parent is made here by itself, once.
 */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as PlatformError from "effect/PlatformError"
import * as Predicate from "effect/Predicate"
import * as NodeFs from "node:fs"
import * as NodePath from "node:path"

/** Makes a directory, and the parents that it does not have; one that is there stays as it is. `mode` is for new ones. */
export const make = (
  fs: FileSystem.FileSystem,
  directory: string,
  mode?: number
): Effect.Effect<void, PlatformError.PlatformError> => {
  const one = (path: string) =>
    Effect.catchIf(
      fs.makeDirectory(path, mode === undefined ? {} : { mode }),
      ({ reason }) => reason._tag === "AlreadyExists",
      // Or something else has the name.
      (error) => Effect.flatMap(fs.stat(path), ({ type }) => type === "Directory" ? Effect.void : Effect.fail(error))
    )
  const all = (path: string): Effect.Effect<void, PlatformError.PlatformError> =>
    Effect.catchIf(one(path), ({ reason }) => reason._tag === "NotFound", (error) => {
      const parent = NodePath.dirname(path)
      return parent === path ? Effect.fail(error) : Effect.andThen(all(parent), one(path))
    })
  return all(NodePath.resolve(directory))
}

const errnoOf = (error: unknown): unknown => Predicate.hasProperty(error, "code") ? error.code : undefined

const oneSync = (path: string): void => {
  try {
    NodeFs.mkdirSync(path)
  } catch (error) {
    if (errnoOf(error) !== "EEXIST" || !NodeFs.statSync(path).isDirectory()) throw error
  }
}

/** The same at once. Throws what the system says. */
export const makeSync = (directory: string): void => {
  try {
    oneSync(directory)
  } catch (error) {
    const parent = NodePath.dirname(directory)
    if (errnoOf(error) !== "ENOENT" || parent === directory) throw error
    makeSync(parent)
    oneSync(directory)
  }
}
