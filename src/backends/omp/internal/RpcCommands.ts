/**
 * The commands of omp's RPC protocol, and what it answers: of each answer the part that is of use here.
 */
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

export const Model = Schema.Struct({
  id: Schema.String,
  provider: Schema.String,
  name: optional(Schema.String),
  reasoning: optional(Schema.Boolean),
  /** `text`, `image`. */
  input: optional(Schema.Array(Schema.String)),
  /** Tokens. */
  contextWindow: optional(Schema.Finite),
  maxTokens: optional(Schema.Finite),
  thinking: optional(Schema.Struct({
    efforts: optional(Schema.Array(Schema.String)),
    defaultLevel: optional(Schema.String)
  }))
})
export type Model = typeof Model.Type

export const ContextUsage = Schema.Struct({
  /** Tokens; missing right after a compaction. */
  tokens: optional(Schema.Finite),
  contextWindow: optional(Schema.Finite)
})

export const TodoPhase = Schema.Struct({
  name: Schema.String,
  tasks: Schema.Array(Schema.Struct({ content: Schema.String, status: Schema.String }))
})
export type TodoPhase = typeof TodoPhase.Type

export const State = Schema.Struct({
  sessionId: Schema.String,
  /** Where the session is or will be kept: the file comes with the first answer. Missing without persistence. */
  sessionFile: optional(Schema.String),
  sessionName: optional(Schema.String),
  model: optional(Model),
  thinkingLevel: optional(Schema.String),
  isStreaming: Schema.Boolean,
  isCompacting: Schema.Boolean,
  messageCount: Schema.Finite,
  queuedMessageCount: Schema.Finite,
  autoCompactionEnabled: optional(Schema.Boolean),
  todoPhases: optional(Schema.Array(TodoPhase)),
  contextUsage: optional(ContextUsage)
})
export type State = typeof State.Type

export const Stats = Schema.Struct({
  sessionId: Schema.String,
  sessionFile: optional(Schema.String),
  userMessages: Schema.Finite,
  assistantMessages: Schema.Finite,
  totalMessages: Schema.Finite,
  tokens: Schema.Struct({
    input: Schema.Finite,
    output: Schema.Finite,
    reasoning: optional(Schema.Finite),
    cacheRead: Schema.Finite,
    cacheWrite: Schema.Finite,
    total: Schema.Finite
  }),
  cost: optional(Schema.Finite),
  contextUsage: optional(ContextUsage)
})

const Cancellable = Schema.Struct({ cancelled: Schema.Boolean })

// Schema.Unknown where the answer is empty: nothing is expected of it.
const answers = {
  negotiate_protocol: Schema.Struct({ protocolVersion: Schema.Finite }),
  prompt: Schema.UndefinedOr(Schema.NullOr(Schema.Struct({ agentInvoked: optional(Schema.Boolean) }))),
  steer: Schema.Unknown,
  follow_up: Schema.Unknown,
  abort: Schema.Unknown,
  abort_and_prompt: Schema.Unknown,
  new_session: Cancellable,
  switch_session: Cancellable,
  branch: Schema.Struct({ text: Schema.String, cancelled: Schema.Boolean }),
  get_branch_messages: Schema.Struct({
    messages: Schema.Array(Schema.Struct({ entryId: Schema.String, text: Schema.String }))
  }),
  get_state: State,
  get_session_stats: Stats,
  get_messages: Schema.Struct({ messages: Schema.Array(Schema.Unknown) }),
  get_last_assistant_text: Schema.Struct({ text: Schema.NullOr(Schema.String) }),
  get_available_models: Schema.Struct({ models: Schema.Array(Model) }),
  get_available_commands: Schema.Struct({
    commands: Schema.Array(Schema.Struct({ name: Schema.String, description: optional(Schema.String) }))
  }),
  set_model: Model,
  set_thinking_level: Schema.Unknown,
  set_steering_mode: Schema.Unknown,
  set_follow_up_mode: Schema.Unknown,
  set_interrupt_mode: Schema.Unknown,
  set_session_name: Schema.Unknown,
  set_auto_compaction: Schema.Unknown,
  set_auto_retry: Schema.Unknown,
  abort_retry: Schema.Unknown,
  compact: Schema.Struct({
    summary: optional(Schema.String),
    shortSummary: optional(Schema.String),
    firstKeptEntryId: optional(Schema.String),
    tokensBefore: optional(Schema.Finite)
  }),
  bash: Schema.Struct({
    output: Schema.String,
    exitCode: optional(Schema.Finite),
    cancelled: Schema.Boolean,
    truncated: optional(Schema.Boolean)
  }),
  abort_bash: Schema.Unknown,
  set_todos: Schema.Struct({ todoPhases: Schema.Array(TodoPhase) }),
  set_host_tools: Schema.Struct({ toolNames: Schema.Array(Schema.String) }),
  set_subagent_subscription: Schema.Struct({ level: Schema.String })
} as const

export type CommandType = keyof typeof answers

/** What omp answers to a command. */
export type AnswerOf<T extends CommandType> = (typeof answers)[T]["Type"]

export interface Image {
  readonly type: "image"
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

/** A tool of the host's that the agent may call. */
export interface HostTool {
  readonly name: string
  readonly label?: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: Schema.Json
  /** `discoverable`, omp's default, hides the tool behind another one. */
  readonly loadMode?: "essential" | "discoverable"
  readonly hidden?: boolean
}

interface Message {
  readonly message: string
  readonly images?: ReadonlyArray<Image>
}
type QueueMode = { readonly mode: "all" | "one-at-a-time" }
type None = Readonly<Record<never, never>>

interface Arguments {
  readonly negotiate_protocol: { readonly protocolVersion: 2 }
  readonly prompt: Message & { readonly streamingBehavior?: "steer" | "followUp" }
  readonly steer: Message
  readonly follow_up: Message
  readonly abort: None
  readonly abort_and_prompt: Message
  readonly new_session: { readonly parentSession?: string }
  readonly switch_session: { readonly sessionPath: string }
  readonly branch: { readonly entryId: string }
  readonly get_branch_messages: None
  readonly get_state: None
  readonly get_session_stats: None
  readonly get_messages: None
  readonly get_last_assistant_text: None
  readonly get_available_models: None
  readonly get_available_commands: None
  readonly set_model: { readonly provider: string; readonly modelId: string }
  readonly set_thinking_level: { readonly level: string }
  readonly set_steering_mode: QueueMode
  readonly set_follow_up_mode: QueueMode
  readonly set_interrupt_mode: { readonly mode: "immediate" | "wait" }
  readonly set_session_name: { readonly name: string }
  readonly set_auto_compaction: { readonly enabled: boolean }
  readonly set_auto_retry: { readonly enabled: boolean }
  readonly abort_retry: None
  readonly compact: { readonly customInstructions?: string }
  readonly bash: { readonly command: string }
  readonly abort_bash: None
  readonly set_todos: { readonly phases: ReadonlyArray<TodoPhase> }
  readonly set_host_tools: { readonly tools: ReadonlyArray<HostTool> }
  readonly set_subagent_subscription: { readonly level: "off" | "progress" | "events" }
}

/** A command without its id. */
export type Command<T extends CommandType = CommandType> = { [K in T]: { readonly type: K } & Arguments[K] }[T]

/** What omp's answer says to a command. */
export const decodeAnswer = <C extends Command>(
  { type }: C,
  data: unknown
): Result.Result<AnswerOf<C["type"]>, Schema.SchemaError> =>
  // The schema of that command's answers; the table cannot be indexed by a type parameter.
  Schema.decodeUnknownResult(answers[type])(data) as Result.Result<AnswerOf<C["type"]>, Schema.SchemaError>
