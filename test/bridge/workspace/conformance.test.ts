/**
 * The same requests to a real codex and to ours, in two directories with the same content.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import { dirname, join } from "node:path"
import type { JsonRpcError } from "../../../src/protocol/Envelope.ts"
import * as Client from "./support/Client.ts"
import * as RealServer from "./support/RealServer.ts"

interface Case {
  readonly method: string
  readonly params: unknown
}

const files = [
  "README.md",
  "with space.md",
  "src/index.ts",
  "src/main.ts",
  "src/fooBar.ts",
  "src/foo_bar.ts",
  "src/foobar.ts",
  "src/x'bar.ts",
  "src/README",
  "src/read.md.ts",
  "src/components/Button.tsx",
  "src/components/button/index.tsx",
  "docs/README/inner.txt",
  "sub/readme.md",
  "abc.txt",
  "a_b_c.txt",
  "xaxbxc.txt",
  "Rxexaxdxmxe.md",
  "Ünï.txt",
  ".hidden/secret.ts",
  "ignored.log",
  "kept.log",
  "logs/today.txt",
  "nested/ignored.log",
  "nested/deep/only-here.txt",
  "node_modules/foo/index.js",
  "hidden-by-ignore.txt",
  "!odd",
  "v2/file10.ts"
]

const queries = [
  "index ; foobar ; fooBar ; fb ; abc ; ABC ; b index ; src/ind ; 'bar ; x'b ; \\'bar ; ^src ts$",
  "readme ; README ; readme.md ; readme md ; md ; md$ ; ^with ; with space ; space with ; wi sp ; inner.txt ; docs readme",
  "with\\ space ; README/inner ; ^README.md$ ; 'README.md ; sub/readme.md ; s/r ; R ; x ; uni ; ünï ; secret ; log",
  "kept ; today ; only-here ; hidden-by ; button ; \\!odd ; f10 ; v2 ; file10.ts ; zzzz ; src !foo ; ts$ !^src",
  "inner ; tsx ; main.ts"
].flatMap((line) => line.split(" ; "))

const furnish = (directory: string) => {
  for (const file of files) {
    Fs.mkdirSync(dirname(join(directory, file)), { recursive: true })
    Fs.writeFileSync(join(directory, file), "")
  }
  Fs.mkdirSync(join(directory, ".git"))
  Fs.writeFileSync(join(directory, ".gitignore"), "# logs\n*.log\n!kept.log\n/logs/\nnode_modules\n")
  Fs.writeFileSync(join(directory, "nested/.gitignore"), "deep/*.txt\n")
  Fs.writeFileSync(join(directory, ".ignore"), "hidden-by-ignore.txt\n")
  Fs.symlinkSync("src", join(directory, "srclink"))
  Fs.symlinkSync("nowhere", join(directory, "dangling"))
}

/** An answer, or a refusal, without the directory. The two kinds of "invalid" are one. */
const outcome = (effect: Effect.Effect<unknown, JsonRpcError>, directory: string) =>
  effect.pipe(
    Effect.match({
      onSuccess: (result): unknown => ({ result }),
      onFailure: ({ code, message }): unknown => ({ code, message })
    }),
    Effect.map((outcome): unknown => JSON.parse(JSON.stringify(outcome).replaceAll(directory, "W")))
  )

const both = Effect.gen(function*() {
  const real = yield* RealServer.make
  const ours = yield* Client.make()
  furnish(real.directory)
  furnish(ours.directory)
  return {
    real: ({ method, params }: Case) =>
      outcome(real.call(method, JSON.parse(JSON.stringify(params).replaceAll("$W", real.directory))), real.directory),
    ours: ({ method, params }: Case) =>
      outcome(
        // The cases are no more typed than a wire is.
        ours.call(method as "fs/copy", JSON.parse(JSON.stringify(params).replaceAll("$W", ours.directory))),
        ours.directory
      )
  }
})

const compare = (cases: ReadonlyArray<Case>, view: (outcome: unknown) => unknown = (outcome) => outcome) =>
  Effect.gen(function*() {
    const { ours, real } = yield* both
    for (const each of cases) {
      const expected = view(yield* real(each))
      assert.deepStrictEqual(view(yield* ours(each)), expected, JSON.stringify(each))
    }
  })

const fs = (name: string, params: object): Case => ({ method: `fs/${name}`, params })
const exec = (params: object): Case => ({ method: "command/exec", params })
const sh = (script: string) => ["/bin/sh", "-c", script]

describe("a real codex and ours answer the same", () => {
  it.live("to fs requests", () =>
    compare([
      fs("writeFile", { path: "$W/a.txt", dataBase64: "aGVsbG8=" }),
      fs("readFile", { path: "$W/a.txt" }),
      fs("readFile", { path: "$W/src/../a.txt" }),
      fs("readFile", { path: "$W/nope" }),
      fs("readFile", { path: "$W/src" }),
      fs("readFile", { path: "$W/a.txt/b" }),
      fs("readFile", { path: "a.txt" }),
      fs("readFile", { path: "$W/a.txt\u0000x" }),
      fs("readFile", { path: "/dev/null" }),
      ...["!!!", "YQ", "YQ==\n", "-_8=", "YR==", "YQ=", "Y", "YQ==YQ==", "Y=Q=", "====", "é===", ""].map((dataBase64) =>
        fs("writeFile", { path: "$W/b.txt", dataBase64 })
      ),
      fs("writeFile", { path: "$W/none/b.txt", dataBase64: "" }),
      fs("writeFile", { path: "$W/src", dataBase64: "" }),
      fs("createDirectory", { path: "$W/m/n" }),
      fs("createDirectory", { path: "$W/m/n", recursive: false }),
      fs("createDirectory", { path: "$W/q/r", recursive: false }),
      fs("createDirectory", { path: "$W/a.txt" }),
      fs("readDirectory", { path: "$W/m" }),
      fs("readDirectory", { path: "$W/nope" }),
      fs("readDirectory", { path: "$W/a.txt" }),
      fs("getMetadata", { path: "$W/dangling" }),
      fs("copy", { sourcePath: "$W/src", destinationPath: "$W/copy" }),
      fs("copy", { sourcePath: "$W/src", destinationPath: "$W/copy", recursive: true }),
      fs("copy", { sourcePath: "$W/src", destinationPath: "$W/src/in", recursive: true }),
      fs("copy", { sourcePath: "$W/srclink", destinationPath: "$W/srclink2" }),
      fs("copy", { sourcePath: "$W/srclink", destinationPath: "$W/srclink2" }),
      fs("copy", { sourcePath: "$W/a.txt", destinationPath: "$W/src" }),
      fs("copy", { sourcePath: "$W/nope", destinationPath: "$W/z" }),
      fs("copy", { sourcePath: "/dev/null", destinationPath: "$W/z" }),
      fs("remove", { path: "$W/copy", recursive: false }),
      fs("remove", { path: "$W/copy" }),
      fs("remove", { path: "$W/copy" }),
      fs("remove", { path: "$W/copy", force: false }),
      fs("remove", { path: "$W/a.txt", recursive: false }),
      fs("unwatch", { watchId: "none" }),
      fs("watch", { path: "$W/a.txt", watchId: "w" }),
      fs("watch", { path: "$W/a.txt", watchId: "w" }),
      fs("watch", { path: "a.txt", watchId: "x" })
    ]))

  it.live("to commands", () =>
    compare([
      exec({ command: ["pwd"] }),
      exec({ command: ["pwd"], cwd: "src" }),
      exec({ command: ["pwd"], cwd: "$W/nope" }),
      exec({ command: ["no-such-command"] }),
      exec({ command: [] }),
      exec({ command: sh("echo out; echo err >&2; exit 3") }),
      exec({ command: sh("kill -9 $$") }),
      exec({ command: sh("cat; echo eof") }),
      exec({ command: sh("echo $A ${HOME-none}"), env: { A: "1", HOME: null } }),
      exec({ command: sh("printf '\\377\\376ab\\303'") }),
      exec({ command: sh("printf 0123456789; printf abcdefghij >&2"), outputBytesCap: 4 }),
      exec({ command: sh("echo partial; sleep 5"), timeoutMs: 300 }),
      exec({ command: ["echo"], timeoutMs: 5, disableTimeout: true }),
      exec({ command: ["echo"], timeoutMs: -5 }),
      exec({ command: ["echo"], outputBytesCap: 5, disableOutputCap: true }),
      exec({ command: ["echo"], streamStdin: true }),
      exec({ command: ["echo"], processId: "x", size: { rows: 1, cols: 1 } }),
      exec({ command: ["echo"], processId: "x", tty: true, size: { rows: 0, cols: 1 } }),
      exec({ command: ["echo"], sandboxPolicy: { type: "bogus" } }),
      exec({ command: ["echo"], sandboxPolicy: { type: "readOnly" }, permissionProfile: ":read-only" }),
      { method: "command/exec/write", params: { processId: "x" } },
      { method: "command/exec/write", params: { processId: "x", closeStdin: true } },
      { method: "command/exec/write", params: { processId: "x", deltaBase64: "%" } },
      { method: "command/exec/resize", params: { processId: "x", size: { rows: 1, cols: 1 } } },
      { method: "command/exec/terminate", params: { processId: "a\"b" } },
      { method: "process/kill", params: { processHandle: "x" } },
      { method: "process/writeStdin", params: { processHandle: "x" } },
      { method: "process/spawn", params: { processHandle: "", command: ["x"], cwd: "$W" } },
      { method: "process/spawn", params: { processHandle: "x", command: [], cwd: "$W" } },
      { method: "process/spawn", params: { processHandle: "x", command: ["x"], cwd: "rel" } },
      { method: "process/spawn", params: { processHandle: "x", command: ["no-such-command"], cwd: "$W" } },
      { method: "process/spawn", params: { processHandle: "x", command: ["x"], cwd: "$W", timeoutMs: -1 } },
      { method: "process/spawn", params: { processHandle: "x", command: ["x"], cwd: "$W", size: { rows: 1, cols: 1 } } }
    ]))

  it.live("to file searches", () =>
    compare(
      ["", "  md ", ...queries].map((query) => ({
        method: "fuzzyFileSearch",
        params: { query, roots: ["$W"], cancellationToken: null }
      })),
      (outcome) => {
        const { files } =
          (outcome as { readonly result: { readonly files: ReadonlyArray<Record<string, unknown>> } }).result
        // Where the same letters score the same in two places, either may be named. Left out is what codex alone lists
        // of `.git`, and a directory behind a link, whose name codex does not count as one that was typed.
        return files.filter(({ path }) => !/^\.git(?:\/|$)|^srclink\/components\/button$/u.test(String(path))).map((
          { indices, ...rest }
        ) => ({ ...rest, indices: Array.isArray(indices) ? indices.length : indices }))
      }
    ))

  it.live("to searches with odd roots", () =>
    compare([
      { method: "fuzzyFileSearch", params: { query: "main", roots: [] } },
      { method: "fuzzyFileSearch", params: { query: "main", roots: ["$W/nope"] } },
      { method: "fuzzyFileSearch", params: { query: "main", roots: ["src"] } },
      { method: "fuzzyFileSearch", params: { query: "main", roots: ["$W/src", "$W"] } },
      { method: "fuzzyFileSearch/sessionStart", params: { sessionId: "", roots: ["$W"] } },
      { method: "fuzzyFileSearch/sessionStart", params: { sessionId: "s", roots: [] } },
      { method: "fuzzyFileSearch/sessionUpdate", params: { sessionId: "s", query: "x" } },
      { method: "fuzzyFileSearch/sessionStop", params: { sessionId: "s" } },
      { method: "fuzzyFileSearch/sessionStart", params: { sessionId: "s", roots: ["$W"] } },
      { method: "fuzzyFileSearch/sessionUpdate", params: { sessionId: "s", query: "x" } }
    ]))
})
