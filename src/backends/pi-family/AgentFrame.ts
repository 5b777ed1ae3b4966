/**
 * What a running omp or pi says of its session, one frame at a time: the same over RPC and from the SDKs.
 *
 * Both agents are of one family and share most kinds. The shapes are open: members that nobody here reads are left
 * out, a kind that nobody here knows is kept as data, and a known kind of the wrong shape is a {@link FrameMalformed}.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isRecord, type JsonRecord } from "./Reading.ts"

/** A frame of a known kind does not have that kind's shape. */
export class FrameMalformed extends Schema.TaggedError<FrameMalformed>()("FrameMalformed", {
  kind: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    return `Malformed ${this.kind}: ${this.detail}`
  }
}

// In process, a member that has no value is there as `undefined`; on the wire it is missing or null.
const maybe = <S extends Schema.Top>(schema: S) => Schema.optional(Schema.NullOr(schema))

/** A piece of a message or of what a tool returned. */
export const Part = Schema.Struct({
  /** e.g. `text`, `thinking`, `toolCall`, `image`. */
  type: Schema.String,
  text: maybe(Schema.String),
  thinking: maybe(Schema.String),
  id: maybe(Schema.String),
  name: maybe(Schema.String),
  arguments: Schema.optional(Schema.Unknown),
  /** Base64. */
  data: maybe(Schema.String),
  mimeType: maybe(Schema.String)
})
export type Part = typeof Part.Type

/** Tokens of one request to the model. `input` is without what was cached. */
export const TokenCount = Schema.Struct({
  input: Schema.Finite,
  output: Schema.Finite,
  cacheRead: maybe(Schema.Finite),
  cacheWrite: maybe(Schema.Finite),
  reasoningTokens: maybe(Schema.Finite)
})
export type TokenCount = typeof TokenCount.Type

export const Message = Schema.Struct({
  /** e.g. `user`, `assistant`, `toolResult`, `custom`, `developer`. */
  role: Schema.String,
  content: maybe(Schema.Union([Schema.String, Schema.Array(Part)])),
  /** Of a user's message: it came while the agent worked. omp alone says it. */
  steering: maybe(Schema.Boolean),
  /** The agent wrote it to itself in the user's name. */
  synthetic: maybe(Schema.Boolean),
  attribution: maybe(Schema.String),
  /** `stop`, `length`, `toolUse`, `error` or `aborted`. */
  stopReason: maybe(Schema.String),
  errorMessage: maybe(Schema.String),
  /** The HTTP status of the model's provider. */
  errorStatus: maybe(Schema.Finite),
  usage: maybe(TokenCount)
})
export type Message = typeof Message.Type

export const ToolOutput = Schema.Struct({
  content: maybe(Schema.Array(Part)),
  details: Schema.optional(Schema.Unknown),
  isError: maybe(Schema.Boolean)
})
export type ToolOutput = typeof ToolOutput.Type

const call = { toolCallId: Schema.String, toolName: Schema.String }

const Compaction = { reason: maybe(Schema.String) }

const CompactionResult = {
  result: Schema.optional(Schema.Unknown),
  aborted: maybe(Schema.Boolean),
  willRetry: maybe(Schema.Boolean),
  errorMessage: maybe(Schema.String),
  skipped: maybe(Schema.Boolean)
}

const schemas = {
  agent_start: Schema.Struct({ type: Schema.Literal("agent_start") }),
  turn_start: Schema.Struct({ type: Schema.Literal("turn_start") }),
  turn_end: Schema.Struct({ type: Schema.Literal("turn_end") }),
  message_start: Schema.Struct({ type: Schema.Literal("message_start"), message: Message }),
  message_end: Schema.Struct({ type: Schema.Literal("message_end"), message: Message }),
  tool_execution_start: Schema.Struct({
    type: Schema.Literal("tool_execution_start"),
    ...call,
    args: Schema.optional(Schema.Unknown)
  }),
  tool_execution_update: Schema.Struct({
    type: Schema.Literal("tool_execution_update"),
    ...call,
    args: Schema.optional(Schema.Unknown),
    partialResult: maybe(ToolOutput)
  }),
  tool_execution_end: Schema.Struct({
    type: Schema.Literal("tool_execution_end"),
    ...call,
    result: maybe(ToolOutput),
    isError: maybe(Schema.Boolean)
  }),
  /** omp: what an edit comes to, while its arguments stream. */
  tool_stream_update: Schema.Struct({
    type: Schema.Literal("tool_stream_update"),
    ...call,
    update: Schema.Struct({
      files: Schema.optional(Schema.Array(Schema.Struct({
        path: Schema.String,
        /** With line numbers, e.g. `-2|two`; no unified diff. */
        diff: maybe(Schema.String),
        op: maybe(Schema.String)
      })))
    })
  }),
  auto_retry_start: Schema.Struct({
    type: Schema.Literal("auto_retry_start"),
    attempt: Schema.Finite,
    maxAttempts: Schema.Finite,
    errorMessage: maybe(Schema.String)
  }),
  auto_retry_end: Schema.Struct({
    type: Schema.Literal("auto_retry_end"),
    success: Schema.Boolean,
    finalError: maybe(Schema.String)
  }),
  retry_fallback_applied: Schema.Struct({
    type: Schema.Literal("retry_fallback_applied"),
    from: Schema.String,
    to: Schema.String
  }),
  /** omp. */
  auto_compaction_start: Schema.Struct({ type: Schema.Literal("auto_compaction_start"), ...Compaction }),
  auto_compaction_end: Schema.Struct({ type: Schema.Literal("auto_compaction_end"), ...CompactionResult }),
  /** pi. */
  compaction_start: Schema.Struct({ type: Schema.Literal("compaction_start"), ...Compaction }),
  compaction_end: Schema.Struct({ type: Schema.Literal("compaction_end"), ...CompactionResult }),
  /** pi: messages that wait for their turn. */
  queue_update: Schema.Struct({
    type: Schema.Literal("queue_update"),
    steering: Schema.Array(Schema.Unknown),
    followUp: Schema.Array(Schema.Unknown)
  }),
  goal_updated: Schema.Struct({
    type: Schema.Literal("goal_updated"),
    goal: Schema.NullOr(Schema.Struct({
      objective: Schema.String,
      /** e.g. `active`, `paused`, `budget-limited`, `complete`, `dropped`. */
      status: Schema.String,
      tokenBudget: maybe(Schema.Finite),
      tokensUsed: Schema.Finite,
      timeUsedSeconds: Schema.Finite
    }))
  }),
  notice: Schema.Struct({
    type: Schema.Literal("notice"),
    level: Schema.String,
    message: Schema.String,
    source: maybe(Schema.String)
  }),
  extension_error: Schema.Struct({
    type: Schema.Literal("extension_error"),
    extensionPath: maybe(Schema.String),
    event: maybe(Schema.String),
    error: maybe(Schema.String)
  })
}

type Schemas = typeof schemas
type Plain = { readonly [K in keyof Schemas]: Schemas[K]["Type"] }[keyof Schemas]

/** The end of a run. Only what it says of the last answer is kept of its messages. */
export interface AgentEnd {
  readonly type: "agent_end"
  /** `false`: the agent goes on by itself. pi does not tell. */
  readonly isTerminal: boolean | undefined
  /** The last answer of the model in this run. */
  readonly last: Message | undefined
}

/** A call as the model writes it. */
export interface StreamedCall {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

/** A piece of an answer that is being written. */
export interface MessageUpdate {
  readonly type: "message_update"
  readonly of: "text" | "thinking" | "toolcall"
  readonly phase: "start" | "delta" | "end"
  readonly index: number
  readonly delta: string
  /** The whole text; at its end alone. */
  readonly content: string | undefined
  /** Of a call: at its end, and before that where the agent is in process and lends its unfinished message. */
  readonly call: StreamedCall | undefined
}

/** A frame of a kind that says nothing of a turn: it is of the session, or of the connection. */
export interface Aside {
  readonly type: "aside"
  readonly kind: string
  readonly raw: JsonRecord
}

/** A frame of a kind that this library does not know. */
export interface Unknown {
  readonly type: "unknown"
  readonly kind: string
  readonly raw: JsonRecord
}

export type AgentFrame = Plain | AgentEnd | MessageUpdate | Aside | Unknown

/** One frame of the union by its type. */
export type FrameOf<Type extends AgentFrame["type"]> = Extract<AgentFrame, { readonly type: Type }>

const asides: ReadonlySet<string> = new Set([
  "advisor_cost_changed",
  "advisor_yielded",
  "available_commands_update",
  "command_output",
  "config_update",
  "config_warnings_changed",
  "extension_ui_request",
  "host_tool_call",
  "host_tool_cancel",
  "host_uri_cancel",
  "host_uri_request",
  "irc_message",
  "model_changed",
  "prompt_result",
  "ready",
  "response",
  "retry_fallback_succeeded",
  "rpc_frame_error",
  "session_info_changed",
  "session_info_update",
  "subagent_event",
  "subagent_lifecycle",
  "subagent_progress",
  "thinking_level_changed",
  "todo_auto_clear",
  "todo_reminder",
  "ttsr_triggered"
])

type Decode = (frame: unknown) => Result.Result<Plain, { readonly message: string }>

const decoders: ReadonlyMap<string, Decode> = new Map(
  Object.entries<Schema.ConstraintDecoder<Plain>>(schemas).map(([kind, schema]): [string, Decode] => {
    // The checker of a kind is made when the kind is first seen.
    let decoder: Decode | undefined
    return [kind, (frame) => (decoder ??= Schema.decodeUnknownResult(schema))(frame)]
  })
)

const decodeMessage = Schema.decodeUnknownResult(Message)

const malformed = (kind: string, detail: string): Result.Result<never, FrameMalformed> =>
  Result.fail(new FrameMalformed({ kind, detail }))

/** Reads a frame that `JSON.parse` or an SDK gave. */
export const decode = (frame: unknown): Result.Result<AgentFrame, FrameMalformed> => {
  if (!isRecord(frame) || typeof frame["type"] !== "string") return malformed("frame", "it has no type")
  const kind = frame["type"]
  switch (kind) {
    case "message_update":
      return messageUpdate(frame)
    case "agent_end":
      return agentEnd(frame)
  }
  const decoder = decoders.get(kind)
  if (decoder !== undefined) {
    return Result.mapError(decoder(frame), ({ message }) => new FrameMalformed({ kind, detail: message }))
  }
  return Result.succeed({ type: asides.has(kind) ? "aside" : "unknown", kind, raw: frame })
}

const agentEnd = (frame: JsonRecord): Result.Result<AgentEnd, FrameMalformed> => {
  const { isTerminal, messages } = frame
  if (isTerminal !== undefined && typeof isTerminal !== "boolean") {
    return malformed("agent_end", "isTerminal is no boolean")
  }
  if (messages !== undefined && !Array.isArray(messages)) return malformed("agent_end", "messages is no array")
  const last = messages?.findLast((message: unknown) => isRecord(message) && message["role"] === "assistant")
  if (last === undefined) return Result.succeed({ type: "agent_end", isTerminal, last })
  return Result.mapBoth(decodeMessage(last), {
    onFailure: ({ message }) => new FrameMalformed({ kind: "agent_end", detail: message }),
    onSuccess: (last) => ({ type: "agent_end", isTerminal, last })
  })
}

const updates: ReadonlyMap<unknown, readonly [MessageUpdate["of"], MessageUpdate["phase"]]> = new Map(
  (["text", "thinking", "toolcall"] as const).flatMap((of) =>
    (["start", "delta", "end"] as const).map((phase) => [`${of}_${phase}`, [of, phase] as const] as const)
  )
)

/** Other updates there are: they say again what `message_start` and `message_end` say. */
const otherUpdates: ReadonlySet<unknown> = new Set(["start", "done", "error"])

// The one kind that comes thousands of times a turn: a checker made of a schema costs several times as much, and would
// walk through the whole unfinished message that the SDKs send along.
const messageUpdate = (frame: JsonRecord): Result.Result<AgentFrame, FrameMalformed> => {
  const event = frame["assistantMessageEvent"]
  if (!isRecord(event)) return malformed("message_update", "it has no assistantMessageEvent")
  const kind = updates.get(event["type"])
  if (kind === undefined) {
    return typeof event["type"] !== "string"
      ? malformed("message_update", "assistantMessageEvent has no type")
      : Result.succeed({
        type: otherUpdates.has(event["type"]) ? "aside" : "unknown",
        kind: `message_update ${event["type"]}`,
        raw: event
      })
  }
  const [of, phase] = kind
  const { content, contentIndex: index, delta } = event
  if (typeof index !== "number" || !Number.isInteger(index)) {
    return malformed("message_update", "contentIndex is no integer")
  }
  if (phase === "delta" && typeof delta !== "string") return malformed("message_update", "delta is no string")
  if (content !== undefined && typeof content !== "string") {
    return malformed("message_update", "content is no string")
  }
  const call = of === "toolcall" ? streamedCall(event, index) : undefined
  if (of === "toolcall" && phase === "end" && call === undefined) {
    return malformed("message_update", "toolCall is no call of a tool")
  }
  return Result.succeed({
    type: "message_update",
    of,
    phase,
    index,
    delta: typeof delta === "string" ? delta : "",
    content,
    call
  })
}

const streamedCall = (event: JsonRecord, index: number): StreamedCall | undefined => {
  const { partial, toolCall } = event
  const content = isRecord(partial) ? partial["content"] : undefined
  const part: unknown = toolCall ?? (Array.isArray(content) ? content[index] : undefined)
  return isRecord(part) && typeof part["id"] === "string" && typeof part["name"] === "string"
    ? { id: part["id"], name: part["name"], arguments: part["arguments"] }
    : undefined
}
