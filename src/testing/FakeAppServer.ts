/**
 * A `codex app-server` that plays a script, for tests of whatever speaks to one.
 *
 * In memory it stands at the other end of a transport and can be watched and held at gates. {@link program} plays the
 * same scripts as a process of its own.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { fileURLToPath } from "node:url"
import type { AgentBackend } from "../agent/AgentBackend.ts"
import { AppServer } from "../backends/codex/AppServer.ts"
import * as CodexBackend from "../backends/codex/CodexBackend.ts"
import type { CodexOptions } from "../backends/codex/CodexOptions.ts"
import * as Envelope from "../protocol/Envelope.ts"
import * as MemoryTransport from "../transport/MemoryTransport.ts"
import type { TransportService } from "../transport/Transport.ts"
import type { TransportError } from "../transport/TransportError.ts"
import * as Script from "./AppServerScript.ts"

/**
 * The program that plays a script as a process, for `command: process.execPath` and `args: [program, script]`, where
 * `script` is a file with an `AppServerScript` as JSON.
 */
export const program: string = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./fakeAppServerMain.ts" : "./fakeAppServerMain.js", import.meta.url)
)

/** A message of the client, in the order in which they arrived. */
export type Received = Exclude<Envelope.Message, Envelope.Malformed>

/** A server that plays a script on every connection that is opened to it. */
export interface FakeAppServer {
  /** Opens a connection to it, as starting the process would. */
  readonly connect: Effect.Effect<TransportService, never, Scope.Scope>
  /** What the clients have said so far, over all connections. */
  readonly received: ReadonlyArray<Received>
  /** The requests of one method so far. */
  readonly requests: (method: string) => ReadonlyArray<Envelope.Request>
  /** Waits until as many requests of a method have come. */
  readonly awaitRequest: (method: string, count?: number) => Effect.Effect<Envelope.Request>
  /** Waits until a script stands at the gate. */
  readonly reached: (gate: string) => Effect.Effect<void>
  /** Lets through whoever stands at the gate, and all that come later. */
  readonly open: (gate: string) => Effect.Effect<void>
  /** Says something that no script says, on the newest connection. */
  readonly say: (...frames: ReadonlyArray<Script.FrameStep>) => Effect.Effect<void, TransportError>
  /** Breaks the newest connection, as the death of the process would. */
  readonly kill: Effect.Effect<void>
  /** How many connections were opened. */
  readonly connections: () => number
}

interface Gate {
  readonly reached: Latch.Latch
  readonly passage: Latch.Latch
}

/** What scripts share over all connections. */
class Stage {
  readonly script: Script.AppServerScript
  readonly received: Array<Received> = []
  readonly #counts = new Map<string, number>()
  readonly #gates = new Map<string, Gate>()
  readonly #awaited = new Set<() => void>()
  #threads = 0
  #turns = 0

  constructor(script: Script.AppServerScript) {
    this.script = script
  }

  readonly nextThread = (): string => `thread-${++this.#threads}`
  readonly nextTurn = (): string => `turn-${++this.#turns}`

  note(message: Received): void {
    this.received.push(message)
    for (const check of this.#awaited) check()
  }

  /** What the next request of a method plays. */
  stepsFor(method: string): ReadonlyArray<Script.Step> | undefined {
    const lists = this.script.on?.[method]
    const count = this.#counts.get(method) ?? 0
    this.#counts.set(method, count + 1)
    return lists?.[Math.min(count, lists.length - 1)]
  }

  readonly requests = (method: string): ReadonlyArray<Envelope.Request> =>
    this.received.filter((message) => message._tag === "Request").filter((request) => request.method === method)

  readonly awaitRequest = (method: string, count = 1): Effect.Effect<Envelope.Request> =>
    Effect.callback((resume) => {
      const check = () => {
        const request = this.requests(method)[count - 1]
        if (request === undefined) return
        this.#awaited.delete(check)
        resume(Effect.succeed(request))
      }
      this.#awaited.add(check)
      check()
      return Effect.sync(() => this.#awaited.delete(check))
    })

  gate(name: string): Gate {
    let gate = this.#gates.get(name)
    if (gate === undefined) {
      this.#gates.set(name, gate = { reached: Latch.makeUnsafe(), passage: Latch.makeUnsafe() })
    }
    return gate
  }
}

/** What a request is about. */
interface Context {
  readonly id: Envelope.RequestId
  readonly threadId: string
  readonly turnId: string
}

const textMember = (params: unknown, name: string): string | undefined => {
  const value = Predicate.hasProperty(params, name) ? params[name] : undefined
  return typeof value === "string" ? value : undefined
}

/** How a well-mannered codex answers what a script says nothing of. */
const manners = (request: Envelope.Request, stage: Stage): ReadonlyArray<Script.Step> => {
  switch (request.method) {
    case "initialize":
      return [Script.answer("initialize", {
        userAgent: stage.script.userAgent ?? "fake/0.171.0 (Fake 1.0; x86_64) unknown (fake; 0)",
        codexHome: "/home/dev/.codex",
        platformFamily: "unix",
        platformOs: "linux"
      })]
    case "thread/start":
      return [
        Script.answer("thread/start", Script.loadedThread("$thread")),
        Script.notify("thread/started", { thread: Script.thread("$thread") })
      ]
    case "thread/resume":
      return [Script.answer("thread/resume", Script.loadedThread("$thread"))]
    case "thread/unsubscribe":
      return [Script.answer("thread/unsubscribe", { status: "unsubscribed" })]
    case "turn/start":
      return Script.wholeTurn(...Script.say("message-$turn", ["Hello", " world"]))
    case "turn/steer":
      return [Script.answer("turn/steer", { turnId: "$turn" })]
    case "thread/compact/start":
      return [
        Script.answer("thread/compact/start", {}),
        Script.status({ type: "active", activeFlags: [] }),
        Script.started(),
        Script.itemStarted({ type: "contextCompaction", id: "compaction" }),
        Script.itemCompleted({ type: "contextCompaction", id: "compaction" }),
        Script.status({ type: "idle" }),
        Script.completed()
      ]
    case "thread/turns/list":
      return [Script.answer("thread/turns/list", { data: [], nextCursor: null })]
    case "thread/goal/get":
      return [Script.answer("thread/goal/get", { goal: null })]
    case "thread/goal/clear":
      return [Script.answer("thread/goal/clear", { cleared: false })]
    case "model/list":
      return [Script.answer("model/list", { data: [], nextCursor: null })]
    case "account/read":
      return [Script.answer("account/read", { account: null, userId: null, requiresOpenaiAuth: false })]
    default:
      return [{
        _tag: "Refuse",
        code: -32600,
        message: `Invalid request: unknown variant \`${request.method}\`, expected one of \`initialize\``
      }]
  }
}

/** Plays scripts on one connection until it ends. `end` is how an `End` step ends it. */
export const serve = Effect.fnUntraced(function*(
  transport: TransportService,
  script: Script.AppServerScript,
  end: (exitCode: number | undefined) => Effect.Effect<void>
): Effect.fn.Return<void> {
  yield* Effect.scoped(run(transport, new Stage(script), end))
})

const run = Effect.fnUntraced(function*(
  transport: TransportService,
  stage: Stage,
  end: (exitCode: number | undefined) => Effect.Effect<void>
): Effect.fn.Return<void, never, Scope.Scope> {
  const playing = yield* FiberSet.make<void, TransportError>()
  const turns = new Map<string, { readonly turnId: string; readonly fiber: Fiber.Fiber<void, TransportError> }>()
  const asked = new Map<Envelope.RequestId, Deferred.Deferred<void>>()
  let nextAsk = 0

  const play = Effect.fnUntraced(function*(
    step: Script.Step,
    context: Context
  ): Effect.fn.Return<void, TransportError> {
    switch (step._tag) {
      case "Together":
        return yield* sendAll(step.frames.map((frame) => textOf(frame, context)))
      case "Repeat": {
        const texts = step.frames.map((frame) => textOf(frame, context))
        for (let round = 0; round < step.times; round += chunk) {
          const rounds = Array.from({ length: Math.min(chunk, step.times - round) }, (_, index) => round + index)
          yield* sendAll(rounds.flatMap((n) => texts.map((text) => text.replaceAll("\"$n\"", String(n)))))
        }
        return
      }
      case "Ask": {
        const id = nextAsk++
        const answered = Deferred.makeUnsafe<void>()
        asked.set(id, answered)
        const { method, params } = step
        yield* sendAll([fill(JSON.stringify({ method, id, params }), context)])
        return yield* Deferred.await(answered)
      }
      case "Gate": {
        const gate = stage.gate(step.name)
        yield* gate.reached.open
        return yield* gate.passage.await
      }
      case "Wait":
        return yield* Effect.sleep(step.millis)
      case "End":
        return yield* end(step.exitCode)
      default:
        return yield* sendAll([textOf(step, context)])
    }
  })

  const sendAll = (texts: ReadonlyArray<string>): Effect.Effect<void, TransportError> => {
    const [first, ...more] = texts
    return first === undefined ? Effect.void : transport.send([first, ...more])
  }

  const interruptTurn = Effect.fnUntraced(function*(context: Context) {
    yield* play(Script.answer("turn/interrupt", {}), context)
    const running = turns.get(context.threadId)
    // Codex says yes to the interruption of nothing.
    if (running === undefined || running.fiber.pollUnsafe() !== undefined) return
    yield* Fiber.interrupt(running.fiber)
    const place = { turn: running.turnId }
    yield* play(Script.status({ type: "idle" }), context)
    yield* play(Script.completed("interrupted", place), context)
  })

  const accept = (request: Envelope.Request): Effect.Effect<void> =>
    Effect.suspend(() => {
      const { id, method, params } = request
      const threadId = method === "thread/start" ? stage.nextThread() : textMember(params, "threadId") ?? ""
      const turnId = startsTurn(method) ? stage.nextTurn() : turns.get(threadId)?.turnId ?? ""
      const context = { id, threadId, turnId }
      const scripted = stage.stepsFor(method)
      const steps = scripted ?? manners(request, stage)
      const playAll = method === "turn/interrupt" && scripted === undefined
        ? interruptTurn(context)
        : Effect.forEach(steps, (step) => play(step, context), { discard: true })
      return Effect.map(FiberSet.run(playing, playAll), (fiber) => {
        if (startsTurn(method)) turns.set(threadId, { turnId, fiber })
      })
    })

  const take = (message: Envelope.Message): Effect.Effect<void> => {
    if (message._tag === "Malformed") return Effect.die(new Error(`The client sent ${message.reason}`))
    stage.note(message)
    switch (message._tag) {
      case "Request":
        return accept(message)
      case "Response":
      case "ErrorResponse": {
        const answered = message.id === null ? undefined : asked.get(message.id)
        if (answered !== undefined) Deferred.doneUnsafe(answered, Effect.void)
        return Effect.void
      }
      case "Notification":
        return Effect.void
    }
  }

  yield* transport.receive.pipe(
    Effect.flatMap((frames) =>
      Effect.forEach(frames, (frame) =>
        typeof frame === "string"
          ? take(Envelope.parse(frame))
          : Effect.die(new Error(`The client sent what cannot be read: ${frame.head}`)), { discard: true })
    ),
    Effect.forever,
    // The end of the connection is the end of the play.
    Effect.catchTag("TransportError", () => Effect.void)
  )
})

const startsTurn = (method: string): boolean => method === "turn/start" || method === "thread/compact/start"

/** Rounds of a `Repeat` that are sent at once. */
const chunk = 64

const fill = (text: string, { threadId, turnId }: Context): string =>
  text.replaceAll("$thread", threadId).replaceAll("$turn", turnId)

const textOf = (step: Script.FrameStep, context: Context): string => {
  const { id } = context
  const text = (message: Schema.Json) => fill(JSON.stringify(message), context)
  switch (step._tag) {
    case "Send":
      return text(step.message)
    case "Raw":
      return fill(step.text, context)
    case "Answer":
      return text({ id, result: step.result })
    case "Refuse": {
      const { code, data, message } = step
      return text({ id, error: { code, message, ...(data === undefined ? {} : { data }) } })
    }
  }
}

/** A server that plays this script in memory. It ends with the scope. */
export const make = Effect.fnUntraced(function*(
  script: Script.AppServerScript = {}
): Effect.fn.Return<FakeAppServer, never, Scope.Scope> {
  const stage = new Stage(script)
  const serving = yield* FiberSet.make<void, never>()
  const ends: Array<MemoryTransport.MemoryTransport> = []
  const newest = Effect.suspend(() => {
    const end = ends.at(-1)
    return end === undefined ? Effect.die(new Error("There is no connection yet")) : Effect.succeed(end)
  })

  return {
    connect: Effect.gen(function*() {
      const [near, far] = yield* MemoryTransport.make({ targets: ["fake app-server", "client"] })
      ends.push(far)
      yield* FiberSet.run(serving, Effect.scoped(run(far, stage, () => far.close)))
      return near
    }),
    received: stage.received,
    requests: stage.requests,
    awaitRequest: stage.awaitRequest,
    reached: (name) => Effect.suspend(() => stage.gate(name).reached.await),
    open: (name) => Effect.suspend(() => Effect.asVoid(stage.gate(name).passage.open)),
    say: (...frames) =>
      Effect.flatMap(newest, (end) => {
        const [first, ...more] = frames.map((frame) => textOf(frame, { id: "", threadId: "$thread", turnId: "$turn" }))
        return first === undefined ? Effect.void : end.send([first, ...more])
      }),
    kill: Effect.flatMap(newest, (end) => end.cut("the process was killed")),
    connections: () => ends.length
  }
})

/** The codex backend on top of a fake server. */
export const layerBackend = (server: FakeAppServer, options: CodexOptions = {}): Layer.Layer<AgentBackend> =>
  Layer.provide(CodexBackend.layerAppServer, AppServer.layerTransport(server.connect, options))
