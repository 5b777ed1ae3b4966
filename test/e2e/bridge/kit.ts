/**
 * What the tests with real Codex clients are written with: a fake model, the bridge as a process of its own, the real
 * codex app-server to compare with, and `codex exec`.
 */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as FileSystem from "effect/FileSystem"
import type * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Paths from "node:path"
import { binaryOf, main, type Runtime, spawn } from "../../cli/support/runCli.ts"
import { assertNoProcessNaming } from "../../support/CodexBench.ts"
import * as CodexHome from "../../support/CodexHome.ts"
import * as FakeResponses from "../../support/FakeResponses.ts"
import * as ModelTurn from "../../support/ModelTurn.ts"

type Machine = FileSystem.FileSystem | Path.Path | Scope.Scope

/** How long a test may take: real processes, on a machine that has other work. */
export const patience = 120_000

/** A home that leaves no process behind. */
const homeOf = Effect.fnUntraced(function*(options: CodexHome.Options) {
  let root: string | undefined
  // The first finalizer to be added is the last to run.
  yield* Effect.addFinalizer(() => root === undefined ? Effect.void : assertNoProcessNaming(root))
  const home = yield* CodexHome.make(options)
  root = Paths.dirname(home.home)
  return home
})

/** The catalog's own default: with another one the TUI begins with an advertisement for a newer one. */
const defaultModel = "gpt-6.2-sol"

export interface World {
  readonly model: FakeResponses.FakeResponses["Service"]
  /** The home of the server. */
  readonly home: CodexHome.CodexHome
  /** The home of the client: nothing of the server's is in it. */
  readonly client: CodexHome.CodexHome
}

/** The home of one more client. */
export const clientHome = homeOf({
  // A client that runs anything itself reaches nobody.
  baseUrl: "http://127.0.0.1:9/v1",
  model: defaultModel
})

/** A model that says what is pushed, and a home each for server and client. Both work in the server's directory. */
export const world = Effect.fnUntraced(function*(
  options: {
    readonly fallback?: FakeResponses.Script
    readonly settings?: Readonly<Record<string, CodexHome.Toml>>
  } = {}
): Effect.fn.Return<World, unknown, Machine> {
  const model = yield* FakeResponses.make(options.fallback === undefined ? {} : { fallback: options.fallback })
  const home = yield* homeOf({
    baseUrl: model.baseUrl,
    model: defaultModel,
    ...(options.settings && { settings: options.settings })
  })
  const client = yield* clientHome
  return { model, home, client }
})

export interface Served {
  /** For `--remote`. */
  readonly url: string
  /** Ends it without a warning, as a crash does, and waits until it is gone. */
  readonly kill: Effect.Effect<void>
  readonly signal: (signal: "SIGHUP" | "SIGINT" | "SIGTERM") => Effect.Effect<void>
  /** Waits for its end; gives its exit code. */
  readonly ended: Effect.Effect<number>
  /** Asks it to end; gives its exit code. */
  readonly stop: Effect.Effect<number>
}

const listening = Effect.fnUntraced(function*(
  command: string,
  args: ReadonlyArray<string>,
  home: CodexHome.CodexHome,
  address: RegExp,
  said: string
) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  const child = yield* Scope.provide(spawn(command, args, { env: home.env, cwd: home.work }), scope)
  const isUp = child.warned(said).pipe(Effect.map((text) => address.exec(text)?.[1]))
  const failed = Effect.flatMap(
    child.ended,
    ({ code, stderr }) => Effect.die(new Error(`the server ended with ${code} before it listened:\n${stderr}`))
  )
  const url = yield* Effect.raceFirst(isUp, failed)
  assert(url !== undefined, "the server names no address")
  const ended = Effect.map(Effect.orDie(child.ended), ({ code }) => code)
  const served: Served = {
    url,
    signal: child.signal,
    ended,
    stop: Effect.andThen(child.signal("SIGTERM"), ended),
    kill: Effect.andThen(
      Effect.sync(() => process.kill(child.pid, "SIGKILL")),
      Effect.andThen(Effect.exit(child.ended), Scope.close(scope, Exit.void))
    )
  }
  return served
})

/** The bridge. The scope stops it. A socket is always the same one, so that a bridge comes back where it was. */
export const bridge = (
  { home }: World,
  backend: "codex-app-server" | "omp-rpc" | "omp-sdk" | "pi" | "scripted",
  listen: "unix" | "ws" = "unix",
  options: {
    readonly runtime?: Runtime
    readonly flags?: ReadonlyArray<string>
    readonly agentBin?: string | undefined
  } = {}
) =>
  listening(
    binaryOf(options.runtime ?? "node"),
    [
      main,
      "app-server",
      "--backend",
      backend,
      ...("agentBin" in options ? options.agentBin === undefined ? [] : ["--agent-bin", options.agentBin] : [
        "--agent-bin",
        home.codexBin
      ]),
      "--listen",
      listen === "unix" ? `unix://${home.home}/s` : "ws://127.0.0.1:0",
      ...(options.flags ?? [])
    ],
    home,
    /[Ll]istening on:? ((?:unix|ws):\/\/[^\s"]+)/,
    listen === "unix" ? "Listening on unix://" : "listening on: ws://"
  )

/** The real server. */
export const realServer = ({ home }: World) =>
  listening(
    home.codexBin,
    ["app-server", "--listen", "ws://127.0.0.1:0"],
    home,
    /listening on: (ws:\/\/\S+)/,
    // The last line of its banner.
    "healthz:"
  )

const decodeLine = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json)))

/** One line of `codex exec --json`. */
export type Line = ReturnType<typeof decodeLine>

export interface Ran {
  readonly code: number
  readonly lines: ReadonlyArray<Line>
  readonly stderr: string
}

/** Runs `codex exec --json` to its end. */
export const exec = Effect.fnUntraced(function*(
  { client, home }: World,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Effect.fn.Return<Ran, unknown, Effect.Services<ReturnType<typeof spawn>>> {
  const child = yield* spawn(client.codexBin, ["exec", "--json", "--skip-git-repo-check", ...args], {
    env: { ...client.env, ...env },
    cwd: home.work
  })
  const { code, stderr, stdout } = yield* child.ended
  return { code, stderr, lines: stdout.split("\n").filter((line) => line !== "").map((line) => decodeLine(line)) }
})

/** The thread that a run was on. */
export const threadOf = ({ lines, stderr }: Ran): string => {
  const id = lines.find(({ type }) => type === "thread.started")?.["thread_id"]
  assert(typeof id === "string", `no thread was started: ${JSON.stringify(lines)}\n${stderr}`)
  return id
}

/** The texts that the agent said. */
export const said = ({ lines }: Ran): ReadonlyArray<string> =>
  lines.flatMap(({ item, type }) => {
    if (type !== "item.completed" || typeof item !== "object" || item === null || !("type" in item)) return []
    return item["type"] === "agent_message" && typeof item["text"] === "string" ? [item["text"]] : []
  })

/** Clients may not say this from afar: the server's own settings do. */
export const unattended = { settings: { sandbox_mode: "danger-full-access" } }

const command = (cmd: string) => ModelTurn.turn([ModelTurn.functionCall("exec_command", { cmd })])

const patch = `*** Begin Patch
*** Add File: made.txt
+by the agent
*** End Patch`

/** Everything that a run shows, in four runs of one thread; the last one fails. */
export const conversation = Effect.fnUntraced(function*(here: World, { url }: Served) {
  const free = ["--remote", url]
  yield* here.model.push(
    ModelTurn.turn([
      ModelTurn.reasoning({ summary: [["**Thinking** ", "about it"]] }),
      ModelTurn.message(["I ", "look."], { phase: "commentary" }),
      ModelTurn.functionCall("exec_command", { cmd: "echo one; echo two; exit 3" })
    ]),
    ModelTurn.turn([ModelTurn.applyPatch(patch)]),
    ModelTurn.text("Done", ".")
  )
  const first = yield* exec(here, [...free, "Work"])
  const thread = threadOf(first)
  yield* here.model.push(
    command("echo again"),
    ModelTurn.turn([ModelTurn.message(["Twice."])], { usage: { input: 7, output: 3 } })
  )
  const second = yield* exec(here, ["resume", ...free, thread, "Again"])
  yield* here.model.push(ModelTurn.httpError(400, { body: { error: { message: "no such thing" } } }))
  const failed = yield* exec(here, ["resume", ...free, thread, "Fail"])
  yield* here.model.push(ModelTurn.text("Better."))
  const better = yield* exec(here, ["resume", ...free, thread, "Go on"])
  return { thread, runs: [first, second, failed, better] }
})
