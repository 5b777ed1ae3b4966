/**
 * The real command line, as a child process.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as ChildProcess from "effect/process/ChildProcess"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as Os from "node:os"
import * as Path from "node:path"
import { AgentEvent } from "../../../src/agent/AgentEvent.ts"
import { SelectionRecord } from "../../../src/backends/selector/Selection.ts"
import { AttemptResult } from "../../../src/host/AttemptResult.ts"

export const runtimes = ["node", "bun"] as const
export type Runtime = typeof runtimes[number]

const root = Path.resolve(import.meta.dirname, "../../..")

export const main = Path.join(root, "src/cli/main.ts")

/** The runtime of this repository, whatever the PATH has. */
export const binaryOf = (runtime: Runtime): string => Path.join(root, "node_modules/.bin", runtime)

export interface Options {
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  /** Written to standard input, which is then closed. */
  readonly stdin?: string | undefined
}

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

// What the developer has in the environment must not decide.
const bare = { PATH: process.env["PATH"] ?? "", HOME: Os.tmpdir(), TMPDIR: Os.tmpdir() }

const includes = (text: SubscriptionRef.SubscriptionRef<string>, part: string) =>
  SubscriptionRef.changes(text).pipe(
    Stream.filter((all) => all.includes(part)),
    Stream.runHead,
    Effect.flatMap(Option.match({ onNone: () => Effect.never, onSome: Effect.succeed }))
  )

/** Starts a command; the scope ends it. */
export const spawn = Effect.fnUntraced(function*(command: string, args: ReadonlyArray<string>, options?: Options) {
  const child = yield* ChildProcess.make(command, args, {
    cwd: options?.cwd ?? Os.tmpdir(),
    env: { ...bare, ...options?.env },
    extendEnv: false,
    stdin: Stream.encodeText(Stream.make(options?.stdin ?? "")),
    forceKillAfter: "2 seconds"
  })
  const collect = Effect.fnUntraced(function*(stream: typeof child.stdout) {
    const text = yield* SubscriptionRef.make("")
    const reader = yield* stream.pipe(
      Stream.decodeText(),
      Stream.runForEach((part) => SubscriptionRef.update(text, (all) => all + part)),
      Effect.forkScoped
    )
    return { text, end: Effect.andThen(Fiber.join(reader), SubscriptionRef.get(text)) }
  })
  const stdout = yield* collect(child.stdout)
  const stderr = yield* collect(child.stderr)
  return {
    signal: (signal: "SIGHUP" | "SIGINT" | "SIGTERM") => Effect.sync(() => void process.kill(child.pid, signal)),
    pid: child.pid,
    /** Waits until a text is on standard output. */
    printed: (part: string) => includes(stdout.text, part),
    /** Waits until a text is on standard error. */
    warned: (part: string) => includes(stderr.text, part),
    ended: Effect.all({ code: child.exitCode, stdout: stdout.end, stderr: stderr.end }, { concurrency: "unbounded" })
  }
})

/** Starts `codex-bridge`. */
export const start = (runtime: Runtime, args: ReadonlyArray<string>, options?: Options) =>
  spawn(binaryOf(runtime), [main, ...args], options)

/** Runs `codex-bridge` to its end. */
export const run = Effect.fnUntraced(function*(runtime: Runtime, args: ReadonlyArray<string>, options?: Options) {
  const cli = yield* start(runtime, args, options)
  return yield* cli.ended
}, Effect.scoped)

const JsonLine = Schema.toCodecJson(Schema.Union([
  Schema.Struct({ type: Schema.Literal("backend"), ...SelectionRecord.fields }),
  Schema.Struct({ type: Schema.Literal("event"), event: AgentEvent }),
  Schema.Struct({ type: Schema.Literal("result"), ...AttemptResult.fields })
]))
export type JsonLine = typeof JsonLine.Type

const decodeLine = Schema.decodeEffect(Schema.fromJsonString(JsonLine), { onExcessProperty: "error" })

/** The lines of `attempt --json`, each checked against the published schemas, and the last one. */
export const readLines = Effect.fnUntraced(function*(stdout: string) {
  const lines = yield* Effect.forEach(stdout.replace(/\n$/u, "").split("\n"), (line) => decodeLine(line))
  const last = lines.at(-1)
  if (last?.type !== "result") return yield* Effect.die(new Error(`no result at the end of:\n${stdout}`))
  const events = lines.map((line) => line.type === "event" ? line.event : undefined).filter(Predicate.isNotUndefined)
  return { lines, events, result: last }
})
