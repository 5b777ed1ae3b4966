/**
 * `fs/*` but watches: reading, writing, listing, copying and removing on behalf of a client.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type * as PlatformError from "effect/PlatformError"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Fs from "node:fs/promises"
import * as Directories from "../../transport/Directories.ts"
import type { BridgeError } from "../BridgeError.ts"
import type { Handlers } from "../ClientConnection.ts"
import * as Base64 from "./internal/Base64.ts"
import { caughtUp, largeBytes } from "./internal/CaughtUp.ts"
import * as PerConnection from "./internal/PerConnection.ts"
import { errnoOf, invalid, platformError, systemError } from "./internal/Refusals.ts"
import type { WorkspaceAccess } from "./WorkspaceAccess.ts"

/**
 * Longest file that `fs/readFile` gives, in bytes: 43 MiB in Base64, which fits into `MessageLimit.wholeBytes`. The real
 * server goes up to 512 MiB, which is more than a JavaScript string can hold, and more than clients take.
 */
export const maxFileBytes = 32 * 1024 * 1024

/** Directory entries that are looked at at once. */
const concurrency = 16

const done = {}

const orRefuse = <A>(effect: Effect.Effect<A, PlatformError.PlatformError>): Effect.Effect<A, BridgeError> =>
  Effect.mapError(effect, (error) => platformError(error))

/** What a path is, if there is something. */
const ifThere = (
  info: Effect.Effect<FileSystem.File.Info, PlatformError.PlatformError>
): Effect.Effect<FileSystem.File.Info | undefined, BridgeError> =>
  Effect.catch(
    info,
    (error) => errnoOf(error.reason.cause) === "ENOENT" ? Effect.undefined : Effect.fail(platformError(error))
  )

const milliseconds = (date: Option.Option<Date>): number =>
  Option.match(date, { onNone: () => 0, onSome: (date) => Math.max(0, Math.floor(date.getTime())) })

export const make = Effect.fn("Files.make")(function*(
  access: WorkspaceAccess
): Effect.fn.Return<Handlers, never, FileSystem.FileSystem | Path.Path | Scope.Scope> {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const connections = yield* PerConnection.make(() => Semaphore.makeUnsafe(1))

  const stat = (path: string) => orRefuse(fs.stat(path))
  const copyEntry = (source: string, destination: string): Effect.Effect<void, BridgeError> =>
    Effect.gen(function*() {
      const info = yield* orRefuse(fs.lstat(source))
      switch (info.type) {
        case "SymbolicLink":
          return yield* orRefuse(Effect.flatMap(fs.readLink(source), (target) => fs.symlink(target, destination)))
        case "File":
          // To itself as well: unlike the real server, which empties the file.
          return yield* orRefuse(fs.copyFile(source, destination))
        case "Directory": {
          yield* orRefuse(Directories.make(fs, destination))
          const names = yield* orRefuse(fs.readDirectory(source))
          return yield* Effect.forEach(
            names,
            (name) =>
              // A link that lies in the destination already may lead anywhere.
              Effect.flatMap(
                access.path(paths.join(destination, name)),
                (destination) => copyEntry(paths.join(source, name), destination)
              ),
            { discard: true }
          )
        }
        default:
          return yield* invalid("fs/copy only supports regular files, directories, and symlinks")
      }
    })

  /** Where a path leads to; its missing end stays as it is written. */
  const canonical = (path: string): Effect.Effect<string> =>
    fs.realPath(path).pipe(
      Effect.catch(() => {
        const parent = paths.dirname(path)
        return parent === path
          ? Effect.succeed(path)
          : Effect.map(canonical(parent), (real) => paths.join(real, paths.basename(path)))
      })
    )

  return {
    "fs/readFile": Effect.fn("Files.readFile")(function*(params, connection) {
      const path = yield* access.path(params.path)
      const info = yield* stat(path)
      if (info.type !== "File") return yield* invalid(`path \`${path}\` is not a file`)
      if (info.size > maxFileBytes) {
        return yield* invalid(`file is too large to read: limit is ${maxFileBytes} bytes, this one has ${info.size}`)
      }
      const read = Effect.map(orRefuse(fs.readFile(path)), (bytes) => ({ dataBase64: Base64.encode(bytes) }))
      if (info.size < largeBytes) return yield* read
      // One after the other, so that not all of them have to be kept.
      const { value: turns } = yield* connections.of(connection)
      const wait = caughtUp(connection, Number(info.size))
      return yield* turns.withPermit(Effect.andThen(wait, Effect.tap(read, wait)))
    }),

    "fs/writeFile": Effect.fn("Files.writeFile")(function*(params) {
      yield* access.mayWrite("fs/writeFile")
      const path = yield* access.path(params.path)
      const data = Base64.decode(params.dataBase64)
      if (Result.isFailure(data)) {
        return yield* invalid(`fs/writeFile requires valid base64 dataBase64: ${data.failure}`)
      }
      yield* orRefuse(fs.writeFile(path, data.success))
      return done
    }),

    "fs/createDirectory": Effect.fn("Files.createDirectory")(function*(params) {
      yield* access.mayWrite("fs/createDirectory")
      const path = yield* access.path(params.path)
      yield* orRefuse(params.recursive === false ? fs.makeDirectory(path) : Directories.make(fs, path))
      return done
    }),

    "fs/getMetadata": Effect.fn("Files.getMetadata")(function*(params) {
      const path = yield* access.path(params.path)
      const info = yield* stat(path)
      const entry = yield* orRefuse(fs.lstat(path))
      return {
        isDirectory: info.type === "Directory",
        isFile: info.type === "File",
        isSymlink: entry.type === "SymbolicLink",
        createdAtMs: milliseconds(info.birthtime),
        modifiedAtMs: milliseconds(info.mtime)
      }
    }),

    "fs/readDirectory": Effect.fn("Files.readDirectory")(function*(params) {
      const path = yield* access.path(params.path)
      const listed = yield* orRefuse(fs.readDirectoryEntries(path))
      const entries = yield* Effect.forEach(
        listed,
        ({ name, type }) =>
          (type === "SymbolicLink" || type === "Unknown"
            // An entry that leads nowhere, or is gone by now, is left out.
            ? fs.stat(paths.join(path, name)).pipe(
              Effect.map((info) => info.type),
              Effect.catch(() => Effect.undefined)
            )
            : Effect.succeed(type)).pipe(
              Effect.map((type) =>
                type === undefined
                  ? []
                  : [{ fileName: name, isDirectory: type === "Directory", isFile: type === "File" }]
              )
            ),
        { concurrency }
      )
      return { entries: entries.flat() }
    }),

    "fs/remove": Effect.fn("Files.remove")(function*(params) {
      yield* access.mayWrite("fs/remove")
      const path = yield* access.removable(params.path)
      const recursive = params.recursive ?? true
      const force = params.force ?? true
      const entry = fs.lstat(path)
      const info = yield* force ? ifThere(entry) : orRefuse(entry)
      if (info === undefined) return done
      if (info.type === "Directory" && !recursive) {
        yield* Effect.tryPromise({ try: () => Fs.rmdir(path), catch: (cause) => systemError(cause) })
      } else {
        yield* orRefuse(fs.remove(path, { recursive, force }))
      }
      return done
    }),

    "fs/copy": Effect.fn("Files.copy")(function*(params) {
      yield* access.mayWrite("fs/copy")
      const source = yield* access.entry(params.sourcePath)
      const destination = yield* access.path(params.destinationPath)
      const info = yield* orRefuse(fs.lstat(source))
      if (info.type === "Directory") {
        if (params.recursive !== true) {
          return yield* invalid("fs/copy requires recursive: true when sourcePath is a directory")
        }
        const relative = paths.relative(yield* canonical(source), yield* canonical(destination))
        if (relative === "" || (relative.split(paths.sep)[0] !== ".." && !paths.isAbsolute(relative))) {
          return yield* invalid("fs/copy cannot copy a directory to itself or one of its descendants")
        }
      }
      yield* copyEntry(source, destination)
      return done
    })
  }
})
