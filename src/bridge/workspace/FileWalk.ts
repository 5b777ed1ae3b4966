/**
 * Lists what is below a directory, as far as the ignore files there let it be seen.
 *
 * Hidden files are listed and links are followed, each directory once on the way down. `.gitignore` counts in a git
 * repository only, `.ignore` everywhere. What is in `.git` is left out.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type { Entry } from "./FuzzyMatch.ts"
import * as IgnoreRules from "./IgnoreRules.ts"

/** Entries after which a walk ends. */
export const maxEntries = 200_000

/** Directories that are read at once. */
const concurrency = 16

/** An ignore file that counts for what is below its directory. */
interface Layer {
  readonly rules: IgnoreRules.IgnoreRules
  /** Absolute path of its directory. */
  readonly directory: string
}

interface Directory {
  /** Absolute path as it was reached, and without the links on the way. */
  readonly path: string
  readonly real: string
  /** Relative to where the walk began, with slashes. */
  readonly relative: string
  readonly inRepository: boolean
  /** Innermost first. */
  readonly ignore: ReadonlyArray<Layer>
  readonly gitignore: ReadonlyArray<Layer>
}

export interface Options {
  /** Absolute. */
  readonly root: string
  /** Directories that are not entered. */
  readonly except: ReadonlySet<string>
  /** Whether a link may be followed to this path. */
  readonly mayFollow: (path: string) => Effect.Effect<boolean>
  /** Gets what was found, a few directories at a time. */
  readonly onEntries: (entries: ReadonlyArray<Entry>) => void
}

/** Walks to the end. What cannot be read is left out. */
export const walk = Effect.fn("FileWalk.walk")(function*(
  options: Options
): Effect.fn.Return<void, never, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path

  // Whatever cannot be read is left out, as codex does: rules, directories, and links that lead nowhere. A search finds
  // what is there for its user.
  const layer = (directory: string, name: string): Effect.Effect<ReadonlyArray<Layer>> =>
    fs.readFileString(paths.join(directory, name)).pipe(
      Effect.map((text) => {
        const rules = IgnoreRules.parse(text)
        return rules.length === 0 ? [] : [{ rules, directory }]
      }),
      Effect.orElseSucceed(() => [])
    )

  /** What counts in a directory, of its own files and those above. */
  const enter = Effect.fnUntraced(function*(
    directory: Directory,
    names: { readonly has: (name: string) => boolean }
  ): Effect.fn.Return<Directory> {
    const isRepository = names.has(".git")
    const ignore = names.has(".ignore") ? yield* layer(directory.path, ".ignore") : []
    const gitignore = names.has(".gitignore") ? yield* layer(directory.path, ".gitignore") : []
    const exclude = isRepository ? yield* layer(directory.path, ".git/info/exclude") : []
    return {
      ...directory,
      inRepository: directory.inRepository || isRepository,
      ignore: [...ignore, ...directory.ignore],
      // A repository within another is bound by its own rules alone.
      gitignore: [...gitignore, ...(isRepository ? exclude : directory.gitignore)]
    }
  })

  const ruledOut = (layers: ReadonlyArray<Layer>, path: string, isDirectory: boolean): boolean | undefined => {
    for (const { directory, rules } of layers) {
      const relative = paths.relative(directory, path).split(paths.sep).join("/")
      const verdict = IgnoreRules.verdict(rules, relative, isDirectory)
      if (verdict !== undefined) return verdict
    }
    return undefined
  }

  const isIgnored = (directory: Directory, path: string, isDirectory: boolean): boolean =>
    ruledOut(directory.ignore, path, isDirectory) ??
      (directory.inRepository ? ruledOut(directory.gitignore, path, isDirectory) : undefined) ?? false

  /** The ignore files above the root, from its repository down. */
  const above = Effect.fnUntraced(
    function*(root: string): Effect.fn.Return<Pick<Directory, "ignore" | "gitignore" | "inRepository">> {
      const chain: Array<string> = []
      let directory = root
      while (!(yield* Effect.orElseSucceed(fs.exists(paths.join(directory, ".git")), () => false))) {
        const parent = paths.dirname(directory)
        if (parent === directory) return { inRepository: false, ignore: [], gitignore: [] }
        directory = parent
        chain.unshift(directory)
      }
      let state: Directory = { path: "", real: "", relative: "", inRepository: false, ignore: [], gitignore: [] }
      for (const path of chain) {
        state = yield* enter({ ...state, path }, { has: (name) => name !== ".git" || path === directory })
      }
      return state
    }
  )

  const real = yield* Effect.catch(fs.realPath(options.root), () => Effect.undefined)
  if (real === undefined) return
  let found = 0
  const waiting: Array<Directory> = [
    { ...(yield* above(options.root)), path: options.root, real, relative: "" }
  ]

  /** Reads one directory: gives its entries, and the directories to go on with. */
  const visit = Effect.fnUntraced(function*(outer: Directory) {
    const listed = yield* Effect.orElseSucceed(fs.readDirectoryEntries(outer.path), () => [])
    const names = new Set(listed.map(({ name }) => name))
    const directory = yield* enter(outer, names)
    const entries: Array<Entry> = []
    const below: Array<Directory> = []
    for (const { name, type: entryType } of listed) {
      if (name === ".git") continue
      const path = paths.join(directory.path, name)
      const relative = directory.relative === "" ? name : `${directory.relative}/${name}`
      let realPath = paths.join(directory.real, name)
      let type: FileSystem.File.Type | undefined = entryType
      if (type === "SymbolicLink" || type === "Unknown") {
        type = yield* fs.stat(path).pipe(Effect.map((info) => info.type), Effect.catch(() => Effect.undefined))
        if (type === undefined || isIgnored(directory, path, type === "Directory")) continue
        if (entryType === "SymbolicLink") {
          realPath = yield* Effect.orElseSucceed(fs.realPath(path), () => realPath)
          if (!(yield* options.mayFollow(realPath))) continue
          // A link to a directory that it lies in would go on for ever.
          if (type === "Directory" && `${directory.real}${paths.sep}`.startsWith(`${realPath}${paths.sep}`)) continue
        }
      } else if (isIgnored(directory, path, type === "Directory")) continue
      if (type === "Directory") {
        if (options.except.has(path)) continue
        entries.push({ path: relative, matchType: "directory" })
        below.push({ ...directory, path, real: realPath, relative })
      } else if (type === "File") entries.push({ path: relative, matchType: "file" })
    }
    return { entries, below }
  })

  while (waiting.length > 0 && found < maxEntries) {
    const visited = yield* Effect.forEach(waiting.splice(-concurrency), visit, { concurrency })
    const entries = visited.flatMap(({ entries }) => entries).slice(0, maxEntries - found)
    found += entries.length
    if (entries.length > 0) options.onEntries(entries)
    // Pushed one by one: a directory may have more of them than a call has arguments.
    for (const { below } of visited) for (const directory of below) waiting.push(directory)
  }
})
