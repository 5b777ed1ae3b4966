/**
 * What clients may reach: which paths, and whether they may change files or run commands.
 *
 * With roots, a path counts where it leads to: `..` and symbolic links are resolved before it is compared. Whoever can
 * change links in the workspace at that very moment can still win a race; the roots keep clients in, not processes.
 * A command is bound by its working directory only, and reads what this process may read.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type { BridgeError } from "../BridgeError.ts"
import type { ClientMethod } from "../ClientConnection.ts"
import { errnoOf, invalid, notSupported, platformError } from "./internal/Refusals.ts"

export interface Options {
  /** Absolute paths that files and working directories must be below. Without it: everywhere. */
  readonly roots?: ReadonlyArray<string> | undefined
  /** Whether clients may change files; true by default. */
  readonly writes?: boolean | undefined
  /** Whether clients may run commands; true by default. */
  readonly commands?: boolean | undefined
  /**
   * Where commands run that name no directory. By default the directory of this process, or the first root if that is
   * outside of the roots.
   */
  readonly cwd?: string | undefined
}

export interface WorkspaceAccess {
  /** Whether paths are confined at all. */
  readonly confined: boolean
  /** The directory of commands that name none. */
  readonly cwd: string
  /** The absolute and normalized form of a path, refused when it leads out of the roots. */
  readonly path: (path: string) => Effect.Effect<string, BridgeError>
  /** The same for the entry itself: a symbolic link may lead anywhere as long as it is within the roots. */
  readonly entry: (path: string) => Effect.Effect<string, BridgeError>
  /** The same for an entry that is to go: none that a root is, or is in. */
  readonly removable: (path: string) => Effect.Effect<string, BridgeError>
  /** A directory, relative to `cwd` unless absolute, refused when it leads out of the roots. */
  readonly directory: (path: string) => Effect.Effect<string, BridgeError>
  /** Refuses when clients may not change files. */
  readonly mayWrite: (method: ClientMethod) => Effect.Effect<void, BridgeError>
  /** Refuses when clients may not run commands. */
  readonly mayRun: (method: ClientMethod) => Effect.Effect<void, BridgeError>
}

// As many as Linux follows.
const maxLinks = 40

const allowed = (allowed: boolean | undefined, what: string, setting: string) => (method: ClientMethod) =>
  allowed === false
    ? Effect.fail(notSupported(`${method} is switched off: this bridge does not let clients ${what} (${setting})`))
    : Effect.void

export const make = Effect.fn("WorkspaceAccess.make")(function*(
  options: Options = {}
): Effect.fn.Return<WorkspaceAccess, never, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path

  /** Where a path leads to, also if it or its last parts do not exist yet. */
  const resolve = (path: string, links = 0): Effect.Effect<string, BridgeError> =>
    fs.realPath(path).pipe(
      Effect.catch((error) => {
        const parent = paths.dirname(path)
        if (errnoOf(error.reason.cause) !== "ENOENT" || parent === path) return Effect.fail(platformError(error))
        // Missing, or a link to something that is missing. Writing to such a link makes what it leads to.
        return fs.readLink(path).pipe(
          Effect.matchEffect({
            onFailure: () => Effect.map(resolve(parent, links), (real) => paths.join(real, paths.basename(path))),
            onSuccess: (target) =>
              links >= maxLinks
                ? Effect.fail(platformError(error))
                : Effect.flatMap(resolve(parent, links), (real) => resolve(paths.resolve(real, target), links + 1))
          })
        )
      })
    )

  const given = options.roots?.map((root) => paths.resolve(root))
  // A root that does not exist yet is compared as it is written.
  const real = given === undefined
    ? undefined
    : yield* Effect.forEach(given, (root) => Effect.orElseSucceed(resolve(root), () => root))

  const below = (path: string, root: string): boolean => {
    const relative = paths.relative(root, path)
    return relative === "" ||
      (relative !== ".." && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative))
  }

  const outside = (path: string) =>
    notSupported(
      `${path} is outside of the workspace: this bridge serves ${
        given === undefined || given.length === 0 ? "no files" : `only what is below ${given.join(", ")}`
      }`
    )

  const confine = (path: string, follow: boolean): Effect.Effect<string, BridgeError> => {
    if (real === undefined) return Effect.succeed(path)
    const leads = follow
      ? resolve(path)
      : Effect.map(resolve(paths.dirname(path)), (parent) => paths.join(parent, paths.basename(path)))
    return Effect.flatMap(
      // A path that cannot be followed is told from one outside only when it is written as one inside.
      leads.pipe(
        Effect.catch((error) => given?.some((root) => below(path, root)) ? Effect.fail(error) : Effect.succeed(path))
      ),
      (leads) => real.some((root) => below(leads, root)) ? Effect.succeed(path) : Effect.fail(outside(path))
    )
  }

  /** Refuses what a root would go with; a link to a root may go, it is not the root. */
  const spared = (path: string): Effect.Effect<string, BridgeError> => {
    if (real === undefined) return Effect.succeed(path)
    return Effect.flatMap(
      Effect.map(resolve(paths.dirname(path)), (parent) => paths.join(parent, paths.basename(path))),
      (entry) => {
        const root = [...real, ...given ?? []].find((root) => below(root, entry))
        return root === undefined ? Effect.succeed(path) : Effect.fail(
          notSupported(`${path} cannot be removed: the workspace of this bridge, ${root}, would go with it`)
        )
      }
    )
  }

  const absolute = (path: string): Effect.Effect<string, BridgeError> => {
    if (path.includes("\0")) return Effect.fail(invalid("file name contained an unexpected NUL byte"))
    return paths.isAbsolute(path)
      ? Effect.succeed(paths.resolve(path))
      : Effect.fail(invalid("Invalid request: AbsolutePathBuf deserialized without a base path"))
  }

  const here = paths.resolve(options.cwd ?? process.cwd())
  const inside = yield* Effect.match(confine(here, true), { onFailure: () => false, onSuccess: () => true })
  const cwd = inside ? here : given?.[0] ?? here

  return {
    confined: real !== undefined,
    cwd,
    path: (path) => Effect.flatMap(absolute(path), (path) => confine(path, true)),
    entry: (path) => Effect.flatMap(absolute(path), (path) => confine(path, paths.dirname(path) === path)),
    removable: (path) =>
      Effect.flatMap(
        Effect.flatMap(absolute(path), (path) => confine(path, paths.dirname(path) === path)),
        spared
      ),
    directory: (path) => Effect.flatMap(absolute(paths.resolve(cwd, path)), (path) => confine(path, true)),
    mayWrite: allowed(options.writes, "change files", "workspace.writes"),
    mayRun: allowed(options.commands, "run commands", "workspace.commands")
  }
})
