import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as OmpExecutable from "../../../src/backends/omp/internal/OmpExecutable.ts"
import { bunProgram, ompScript } from "../../support/OmpHome.ts"

/** A directory with an executable of that name. */
const directoryWith = Effect.fnUntraced(function*(name: string, linkTo?: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = yield* Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
  const file = path.join(directory, name)
  yield* linkTo === undefined ? fs.writeFileString(file, "#!/bin/sh\n", { mode: 0o755 }) : fs.symlink(linkTo, file)
  return { directory, file }
})

layer(NodeServices.layer)("OmpExecutable", (it) => {
  it.effect("is omp on the PATH, by itself where it is a program", () =>
    Effect.gen(function*() {
      const { directory, file } = yield* directoryWith("omp")
      assert.deepStrictEqual(yield* OmpExecutable.resolve({ env: { PATH: `/nowhere:${directory}` } }), {
        command: file,
        args: []
      })
    }))

  it.effect("is run by the Bun on the PATH where it is a script", () =>
    Effect.gen(function*() {
      const omp = yield* directoryWith("omp", ompScript)
      const bun = yield* directoryWith("bun")
      assert.deepStrictEqual(
        yield* OmpExecutable.resolve({ env: { PATH: `${omp.directory}:${bun.directory}` } }),
        { command: bun.file, args: [ompScript] }
      )
    }))

  it.effect("is the installed package where there is none on the PATH", () =>
    Effect.gen(function*() {
      const { args, command } = yield* OmpExecutable.resolve({ env: { PATH: "" }, bun: bunProgram })
      assert.strictEqual(command, bunProgram)
      assert.deepStrictEqual(args, [ompScript])
    }))

  it.effect("needs a Bun: this process, if it is one, or else an error that says so", () =>
    Effect.gen(function*() {
      const found = yield* Effect.result(OmpExecutable.resolve({ env: { PATH: "" } }))
      if (process.versions["bun"] !== undefined) {
        assert.strictEqual(found._tag === "Success" ? found.success.command : "", process.execPath)
      } else {
        assert.match(
          found._tag === "Failure" ? found.failure.message : "",
          /Cannot start bun: .*omp runs on Bun: install it/
        )
      }
    }))
})
