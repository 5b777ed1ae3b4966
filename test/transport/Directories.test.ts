import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Directories from "../../src/transport/Directories.ts"

/** Both ways of making a directory. */
const ways: ReadonlyArray<
  readonly [name: string, make: (fs: FileSystem.FileSystem, directory: string) => Effect.Effect<void, PlatformError>]
> = [
  ["as an effect", (fs, directory) => Directories.make(fs, directory, 0o700)],
  ["at once", (_fs, directory) => Effect.sync(() => Directories.makeSync(directory))]
]

describe.each(ways)("directories, made %s", (_name, make) => {
  it.effect("come with their parents, and stay as they are when they are there", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const root = yield* fs.makeTempDirectoryScoped()
      const directory = path.join(root, "a", "b", "c")
      yield* make(fs, directory)
      yield* fs.writeFileString(path.join(directory, "kept"), "x")
      yield* make(fs, directory)
      yield* make(fs, path.join(directory, "."))
      assert.deepStrictEqual(yield* fs.readDirectory(directory), ["kept"])
      yield* fs.symlink(directory, path.join(root, "link"))
      yield* make(fs, path.join(root, "link"))
      yield* make(fs, path.join(root, "link", "d"))
      assert.deepStrictEqual((yield* fs.readDirectory(directory)).toSorted(), ["d", "kept"])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.effect("are refused where something else has a name", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const root = yield* fs.makeTempDirectoryScoped()
      const file = path.join(root, "file")
      yield* fs.writeFileString(file, "x")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(make(fs, file))))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(make(fs, path.join(file, "a", "b")))))
      assert.strictEqual(yield* fs.readFileString(file), "x")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.live.runIf(process.platform === "linux")(
    "are refused where nothing can be made, and that is the end of it",
    () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        for (const directory of ["/proc/none", "/proc/none/a/b", "/proc/self/none/a"]) {
          assert.isTrue(Exit.isFailure(yield* Effect.exit(make(fs, directory))))
        }
      }).pipe(Effect.provide(NodeServices.layer))
  )
})
