/**
 * How far a work tree is from what its remotes have: the newest commit of `HEAD`'s history that a remote branch holds,
 * and the changes since, files that git does not know yet included.
 *
 * Codex compares with the branch's own or the default branch, and gives up on a branch that is on no remote; here such
 * a branch is compared with where it left the remote ones.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ChildProcess from "effect/process/ChildProcess"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

export interface GitDiff {
  /** The commit that the changes start from. */
  readonly sha: string
  readonly diff: string
}

/** Bytes of what one command of git may say. */
const maxOutput = 32 * 2 ** 20

/** Files that git does not know yet; a tree with more has something else wrong with it. */
const maxUntracked = 1000

/** There is no difference that could be said, and why. */
class NoDifference extends Schema.TaggedError<NoDifference>()("NoDifference", { detail: Schema.String }) {
  override get message(): string {
    return this.detail
  }
}

const run = Effect.fnUntraced(function*(cwd: string, args: ReadonlyArray<string>, codes: ReadonlyArray<number>) {
  const spawner = yield* ChildProcessSpawner
  const handle = yield* spawner.spawn(
    // A hook of the repository must not run for a mere look.
    ChildProcess.make("git", ["-c", "core.fsmonitor=false", ...args], {
      cwd,
      env: { GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" },
      extendEnv: true,
      stdin: "ignore",
      stderr: "ignore"
    })
  )
  let bytes = 0
  const text = yield* handle.stdout.pipe(
    Stream.takeWhile((chunk) => (bytes += chunk.length) <= maxOutput),
    Stream.decodeText(),
    Stream.mkString
  )
  const command = `git ${args.join(" ")}`
  if (bytes > maxOutput) return yield* new NoDifference({ detail: `${command} says more than ${maxOutput} bytes` })
  const code = yield* handle.exitCode
  return codes.includes(code) ? text : yield* new NoDifference({ detail: `${command} exited with ${code}` })
}, Effect.scoped)

const gitIn = (cwd: string) => (args: ReadonlyArray<string>, codes: ReadonlyArray<number> = [0]) =>
  run(cwd, args, codes)

const lines = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

const diffArgs = ["diff", "--no-ext-diff", "--no-textconv", "--no-color"]

const compute = Effect.fnUntraced(function*(cwd: string) {
  const top = (yield* gitIn(cwd)(["rev-parse", "--show-toplevel"])).trimEnd()
  const git = gitIn(top)
  const remotes = yield* git(["for-each-ref", "--count=1", "--format=x", "refs/remotes"])
  if (remotes === "") return yield* new NoDifference({ detail: "there is no remote branch" })
  // Commits that no remote branch holds, and with a dash before it each one that they start from.
  const ahead = lines(yield* git(["rev-list", "--boundary", "--topo-order", "HEAD", "--not", "--remotes"]))
  const boundary = ahead.find((line) => line.startsWith("-"))?.slice(1)
  // A history that shares nothing with the remotes has commits ahead and no boundary.
  if (boundary === undefined && ahead.length > 0) {
    return yield* new NoDifference({ detail: "the history shares nothing with the remote branches" })
  }
  const sha = boundary ?? (yield* git(["rev-parse", "HEAD"])).trimEnd()
  const tracked = yield* git([...diffArgs, sha])
  const names = (yield* git(["ls-files", "--others", "--exclude-standard", "-z"])).split("\0").filter((name) =>
    name !== ""
  )
  if (names.length > maxUntracked) return yield* new NoDifference({ detail: `${names.length} files are untracked` })
  const untracked = yield* Effect.forEach(
    names,
    // 1 says that there are differences. `--binary` so that a binary file is there with what it holds.
    (name) => git([...diffArgs, "--binary", "--no-index", "--", "/dev/null", name], [0, 1]),
    { concurrency: 4 }
  )
  const diff = [tracked, ...untracked].join("")
  if (diff.length > maxOutput) return yield* new NoDifference({ detail: `it has ${diff.length} characters` })
  return { sha, diff }
})

/** The difference of the work tree at a directory, if there is one that can be said. */
export const gitDiffToRemote = (cwd: string): Effect.Effect<Option.Option<GitDiff>, never, ChildProcessSpawner> =>
  compute(cwd).pipe(
    Effect.timeout("20 seconds"),
    Effect.asSome,
    Effect.catch((error) =>
      Effect.as(Effect.logDebug(`No difference from the remotes of ${cwd}: ${error.message}`), Option.none())
    )
  )
