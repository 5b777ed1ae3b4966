/**
 * What a fake app-server says and does, as data.
 *
 * A script is plain JSON, so that it can be played in memory and by a process of its own alike. Each request of the
 * client plays a list of steps; methods without one behave as a small, well-mannered codex. Everything a server can
 * do wrong is a step like any other: see the builders below for the usual and the unusual.
 *
 * In messages the strings `"$thread"`, `"$turn"` and `"$n"` stand for the thread and the turn of the request that is
 * played, and for the round of a `Repeat`.
 */
import * as Schema from "effect/Schema"
import type * as Strict from "../protocol/generated/StrictTypes.ts"

/** A step that puts one frame on the wire. */
export const FrameStep = Schema.Union([
  /** A message as it is. */
  Schema.TaggedStruct("Send", { message: Schema.Json }),
  /** A line as it is: noise, half a message, a message that no writer of JSON makes. */
  Schema.TaggedStruct("Raw", { text: Schema.String }),
  /** Answers the request that is played. */
  Schema.TaggedStruct("Answer", { result: Schema.Json }),
  Schema.TaggedStruct("Refuse", {
    code: Schema.Int,
    message: Schema.String,
    data: Schema.optionalKey(Schema.Json)
  })
])
export type FrameStep = typeof FrameStep.Type

export const Step = Schema.Union([
  FrameStep,
  /** Puts several frames on the wire at once, as one chunk. */
  Schema.TaggedStruct("Together", { frames: Schema.Array(FrameStep) }),
  Schema.TaggedStruct("Repeat", { times: Schema.Int, frames: Schema.Array(FrameStep) }),
  /** Asks the client and waits for the answer. */
  Schema.TaggedStruct("Ask", { method: Schema.String, params: Schema.Json }),
  /** Waits until the test opens the gate. A process has nobody who could: there it waits for the interruption. */
  Schema.TaggedStruct("Gate", { name: Schema.String }),
  Schema.TaggedStruct("Wait", { millis: Schema.Finite }),
  /** Ends the connection; a process ends with this status. */
  Schema.TaggedStruct("End", { exitCode: Schema.optionalKey(Schema.Int) })
])
export type Step = typeof Step.Type

export const AppServerScript = Schema.Struct({
  /** Default: the release that this library is tested with. */
  userAgent: Schema.optionalKey(Schema.String),
  /** By method: the steps for its first request, its second, and so on; the last list serves all further ones. */
  on: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.Array(Step)))),
  /** A process writes its output in pieces of this many bytes. */
  pieces: Schema.optionalKey(Schema.Int)
})
export type AppServerScript = typeof AppServerScript.Type

/** Types of the protocol are JSON, which TypeScript does not see in an interface. */
const json = (value: unknown): Schema.Json => value as Schema.Json

/** A notification that the protocol has. */
export const notify = <M extends keyof Strict.ServerNotifications>(
  method: M,
  params: Strict.ServerNotifications[M]["params"]
): FrameStep => ({ _tag: "Send", message: json({ method, params, emittedAtMs: 1_700_000_000_000 }) })

/** A request to the client that the protocol has. */
export const ask = <M extends keyof Strict.ServerRequests>(
  method: M,
  params: Strict.ServerRequests[M]["params"]
): Step => ({ _tag: "Ask", method, params: json(params) })

/** The result of a request of the client. */
export const answer = <M extends keyof Strict.ClientRequests>(
  _method: M,
  result: Strict.ClientRequests[M]["result"]
): FrameStep => ({ _tag: "Answer", result: json(result) })

/** Refused before it was looked at; a client tries again. */
export const overloaded: FrameStep = { _tag: "Refuse", code: -32001, message: "Server overloaded; retry later." }

export const raw = (text: string): FrameStep => ({ _tag: "Raw", text })

export const gate = (name: string): Step => ({ _tag: "Gate", name })

export const wait = (millis: number): Step => ({ _tag: "Wait", millis })

export const end = (exitCode?: number): Step => ({ _tag: "End", ...(exitCode === undefined ? {} : { exitCode }) })

export const together = (...frames: ReadonlyArray<FrameStep>): Step => ({ _tag: "Together", frames })

export const repeat = (times: number, ...frames: ReadonlyArray<FrameStep>): Step => ({ _tag: "Repeat", times, frames })

/** Which thread and turn a message is about: those of the request, unless others are named. */
export interface Place {
  readonly thread?: string | undefined
  readonly turn?: string | undefined
}

export const thread = (id: string): Strict.Thread => ({
  id,
  sessionId: id,
  preview: "",
  ephemeral: false,
  projectId: null,
  historyMode: "paginated",
  modelProvider: "fake",
  model: "fake-model",
  createdAt: 1_700_000_000,
  updatedAt: 1_700_000_000,
  status: { type: "idle" },
  path: `/home/dev/.codex/sessions/${id}.jsonl`,
  cwd: "/home/dev",
  cliVersion: "0.171.0",
  source: "vscode",
  turns: []
})

export const loadedThread = (id: string): Strict.ThreadStartResponse => ({
  thread: thread(id),
  model: "fake-model",
  modelProvider: "fake",
  cwd: "/home/dev",
  approvalPolicy: "on-request",
  approvalsReviewer: "user",
  sandbox: { type: "readOnly", networkAccess: false }
})

export const turn = (status: Strict.TurnStatus, id = "$turn", error: Strict.TurnError | null = null): Strict.Turn => ({
  id,
  items: [],
  itemsView: "notLoaded",
  status,
  error,
  startedAt: null,
  completedAt: null,
  durationMs: null
})

/** The answer to `turn/start`. */
export const accept = (turnId = "$turn"): FrameStep => answer("turn/start", { turn: turn("inProgress", turnId) })

export const started = ({ thread = "$thread", turn: id = "$turn" }: Place = {}): FrameStep =>
  notify("turn/started", { threadId: thread, turn: turn("inProgress", id) })

export const status = (status: Strict.ThreadStatus, { thread = "$thread" }: Place = {}): FrameStep =>
  notify("thread/status/changed", { threadId: thread, status })

export const completed = (
  status: Strict.TurnStatus = "completed",
  { error = null, thread = "$thread", turn: id = "$turn" }: Place & { readonly error?: Strict.TurnError | null } = {}
): FrameStep => notify("turn/completed", { threadId: thread, turn: turn(status, id, error) })

export const itemStarted = (
  item: Strict.ThreadItem,
  { thread = "$thread", turn = "$turn" }: Place = {}
): FrameStep => notify("item/started", { threadId: thread, turnId: turn, item, startedAtMs: 1_700_000_000_000 })

export const itemCompleted = (
  item: Strict.ThreadItem,
  { thread = "$thread", turn = "$turn" }: Place = {}
): FrameStep => notify("item/completed", { threadId: thread, turnId: turn, item, completedAtMs: 1_700_000_000_000 })

export const delta = (
  itemId: string,
  text: string,
  { thread = "$thread", turn = "$turn" }: Place = {}
): FrameStep => notify("item/agentMessage/delta", { threadId: thread, turnId: turn, itemId, delta: text })

export const message = (id: string, text = ""): Strict.ThreadItem => ({ type: "agentMessage", id, text, phase: null })

/** A whole message of the agent. */
export const say = (id: string, deltas: ReadonlyArray<string>, place: Place = {}): ReadonlyArray<FrameStep> => [
  itemStarted(message(id), place),
  ...deltas.map((text) => delta(id, text, place)),
  itemCompleted(message(id, deltas.join("")), place)
]

/** A turn from its acceptance to its end. */
export const wholeTurn = (...steps: ReadonlyArray<Step>): ReadonlyArray<Step> => [
  accept(),
  status({ type: "active", activeFlags: [] }),
  started(),
  ...steps,
  status({ type: "idle" }),
  completed()
]

/** An approval of a command, as codex asks for it. */
export const approval = (itemId: string, command: string, { thread = "$thread", turn = "$turn" }: Place = {}): Step =>
  ask("item/commandExecution/requestApproval", {
    threadId: thread,
    turnId: turn,
    itemId,
    startedAtMs: 1_700_000_000_000,
    command,
    cwd: "/home/dev"
  })
