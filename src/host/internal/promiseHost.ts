/**
 * A host's Promise handlers as a `TurnHost`.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import {
  ApprovalDecision,
  type ApprovalRequest,
  declining,
  ElicitationAnswer,
  type ElicitationRequest,
  QuestionAnswers,
  type QuestionRequest,
  type ToolCall,
  ToolResult,
  type ToolSpec,
  TurnHostError,
  type TurnHostService
} from "../../agent/TurnHost.ts"

type Awaitable<A> = A | PromiseLike<A>

/** What a handler is told beside the request. */
export interface HandlerContext {
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal
}

/** A tool of the host's, with what it does. */
export interface HostTool extends ToolSpec {
  /** A text is a success; what is thrown is told to the agent as a failure. */
  readonly execute: (call: ToolCall, context: HandlerContext) => Awaitable<string | ToolResult>
}

/** How a host answers its agent. What is missing is declined at once. */
export interface HostHandlers {
  readonly onApproval?:
    | ((request: ApprovalRequest, context: HandlerContext) => Awaitable<ApprovalDecision>)
    | undefined
  readonly onQuestion?:
    | ((request: QuestionRequest, context: HandlerContext) => Awaitable<QuestionAnswers>)
    | undefined
  readonly onElicitation?:
    | ((request: ElicitationRequest, context: HandlerContext) => Awaitable<ElicitationAnswer>)
    | undefined
  readonly tools?: ReadonlyArray<HostTool> | undefined
}

const failure = (cause: unknown): TurnHostError =>
  new TurnHostError({ message: cause instanceof Error ? cause.message : String(cause), cause })

const call = <A, R extends object>(
  answer: Schema.Codec<A, unknown>,
  handler: (request: R, context: HandlerContext) => Awaitable<unknown>
) => {
  const decode = Schema.decodeUnknownEffect(Schema.toType(answer))
  return (request: R): Effect.Effect<A, TurnHostError> =>
    Effect.tryPromise({
      try: (signal) => new Promise((resolve) => resolve(handler(request, { signal }))),
      catch: failure
    }).pipe(
      // A handler is untyped JavaScript at run time: an answer that is none must not count as consent.
      Effect.flatMap((value) => Effect.mapError(decode(value), failure))
    )
}

const toToolResult = (value: string | ToolResult): ToolResult =>
  Predicate.isString(value) ? { success: true, content: [{ _tag: "Text", text: value }] } : value

/** The service that asks the handlers. */
export const fromHandlers = (handlers: HostHandlers): TurnHostService => {
  const { onApproval, onElicitation, onQuestion, tools = [] } = handlers
  const byName = new Map(
    tools.map((tool) => [
      tool.name,
      call(
        ToolResult,
        (request: ToolCall, context) => Promise.resolve(tool.execute(request, context)).then(toToolResult)
      )
    ])
  )
  return {
    tools: tools.map(({ description, inputSchema, name }) => ({ name, description, inputSchema })),
    approve: onApproval === undefined ? declining.approve : call(ApprovalDecision, onApproval),
    answer: onQuestion === undefined ? declining.answer : call(QuestionAnswers, onQuestion),
    elicit: onElicitation === undefined ? declining.elicit : call(ElicitationAnswer, onElicitation),
    callTool: (request) => (byName.get(request.tool) ?? declining.callTool)(request)
  }
}
