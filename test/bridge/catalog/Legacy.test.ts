import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as ChildProcess from "effect/process/ChildProcess"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import { type BridgeError, toRpc } from "../../../src/bridge/BridgeError.ts"
import { isLegacyMethod, legacyHandlers } from "../../../src/bridge/catalog/Legacy.ts"
import { isClientMethod, legacyMethods } from "../../../src/protocol/Methods.ts"
import { layer } from "./support/bridge.ts"
import * as RealCodex from "./support/realCodex.ts"

const outcome = (effect: Effect.Effect<unknown, BridgeError>) =>
  Effect.match(effect, {
    onSuccess: (result): RealCodex.RealAnswer => ({ _tag: "Result", result }),
    onFailure: (error): RealCodex.RealAnswer => {
      const { code, message } = toRpc(error)
      return { _tag: "Error", code, message }
    }
  })

/** A repository `r` with a remote `up`, and what to run git in it with. */
const repository = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const spawner = yield* ChildProcessSpawner
  const root = yield* fs.makeTempDirectoryScoped({ prefix: "git-" }).pipe(Effect.flatMap(fs.realPath))
  const cwd = `${root}/r`
  const git = (...args: ReadonlyArray<string>) =>
    spawner.exitCode(
      ChildProcess.make("git", ["-C", cwd, "-c", "user.email=a@example.com", "-c", "user.name=A", ...args], {
        stdout: "ignore",
        stderr: "inherit"
      })
    ).pipe(Effect.filterOrElse((code) => code === 0, (code) => Effect.die(`git ${args.join(" ")}: ${code}`)))
  const write = (name: string, text: string) => fs.writeFileString(`${cwd}/${name}`, text)
  yield* fs.makeDirectory(cwd)
  yield* git("init", "-q", "--bare", `${root}/up`)
  yield* git("init", "-q", "-b", "main")
  return { cwd, git, write }
})

describe("requests that the schema does not name", () => {
  it("are none of the schema's", () => {
    assert.deepStrictEqual(legacyMethods.filter(isClientMethod), [])
    assert.isTrue(isLegacyMethod("getAuthStatus"))
    assert.isFalse(isLegacyMethod("toString"))
  })

  it.live("are answered as by the real server, also about git", () =>
    Effect.gen(function*() {
      const real = yield* RealCodex.make
      const ours = yield* legacyHandlers
      const { cwd, git, write } = yield* repository
      const same = Effect.fnUntraced(function*(method: typeof legacyMethods[number], params: unknown, state: string) {
        const theirs = yield* real.ask(method, params)
        assert.deepStrictEqual(yield* outcome(ours[method](params)), theirs, state)
        return theirs
      })
      const diff = (state: string, at = cwd) => same("gitDiffToRemote", { cwd: at }, state)

      yield* same("getAuthStatus", {}, "no account")
      yield* same("gitDiffToRemote", {}, "no directory named")
      yield* diff("no such directory", "/nonexistent")
      yield* diff("no commit")
      yield* write("a", "1\n")
      yield* git("add", "a")
      yield* git("commit", "-qm", "one")
      yield* diff("no remote")
      yield* git("remote", "add", "origin", "../up")
      yield* git("push", "-q", "-u", "origin", "main")
      assert.containsSubset(yield* diff("clean"), { _tag: "Result", result: { diff: "" } })
      yield* write("a", "2\n")
      yield* write("new file", "new\n")
      yield* write("binary", "\u0000binary")
      yield* write(".gitignore", "ignored\n")
      yield* write("ignored", "x")
      yield* diff("changed, and untracked")
      yield* git("add", "a")
      yield* git("commit", "-qm", "two")
      yield* diff("ahead")
    }).pipe(Effect.provide(layer())), 60_000)

  it.live("a branch that is on no remote is compared with where it left them", () =>
    Effect.gen(function*() {
      const ours = yield* legacyHandlers
      const { cwd, git, write } = yield* repository
      yield* write("a", "1\n")
      yield* git("add", "a")
      yield* git("commit", "-qm", "one")
      yield* git("remote", "add", "origin", "../up")
      yield* git("push", "-q", "origin", "main")
      yield* git("checkout", "-q", "-b", "feature")
      yield* write("b", "2\n")
      yield* git("add", "b")
      yield* git("commit", "-qm", "two")
      // Codex leaves such a file out.
      yield* write("é", "3\n")
      const result = yield* ours.gitDiffToRemote({ cwd })
      assert.include(Object(result).diff, "+3")
      assert.include(Object(result).diff, "+2")
      assert.notInclude(Object(result).diff, "+1\n")
    }).pipe(Effect.provide(layer())))

  it.effect("git looks at no directory outside of the roots", () =>
    Effect.gen(function*() {
      const { gitDiffToRemote } = yield* legacyHandlers
      const outside = yield* outcome(gitDiffToRemote({ cwd: "/" }))
      assert.strictEqual(outside._tag, "Error")
      assert.notInclude(JSON.stringify(outside), "failed to compute")
    }).pipe(
      Effect.provide(layer({ settings: { workspace: { roots: ["/tmp/nowhere"], writes: true, commands: true } } }))
    ))
})
