/**
 * How a scripted turn asks its host: approvals, questions, elicitations, host tools.
 *
 * A handler runs on a fiber of its own. Whatever becomes of it, the turn gets an answer or a refusal; when the turn
 * ends first, the handler is interrupted, and the turn does not wait for it to stop.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type {
  ApprovalDecision,
  ApprovalRequest,
  EventOf,
  ToolContent,
  ToolResult,
  TurnHostError
} from "../../agent/index.ts"
import type { Frame, Stop } from "./Frame.ts"
import { withStatus } from "./ItemDeltas.ts"
import type { Approval, StepOf } from "./Scenario.ts"

interface Request<A> {
  readonly kind: EventOf<"RequestOpened">["kind"]
  readonly title: string
  readonly itemId?: string | undefined
  /** What the host's handler came to; `None` when it failed, died or was interrupted. */
  readonly resolution: (answer: Option.Option<A>) => string
}

const ask = Effect.fnUntraced(
  function*<A>(
    frame: Frame,
    request: Request<A>,
    handler: () => Effect.Effect<A, TurnHostError>
  ): Effect.fn.Return<Option.Option<A>> {
    const requestId = frame.recorder.openRequest(request.kind, request.title, request.itemId)
    const exit = yield* onOwnFiber(Effect.suspend(handler))
    if (Exit.isFailure(exit)) yield* Effect.logWarning(`The host's ${request.kind} handler failed`, exit.cause)
    const answer = Exit.getSuccess(exit)
    frame.recorder.resolveRequest(requestId, request.resolution(answer))
    return answer
  }
)

const onOwnFiber = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<Exit.Exit<A, E>> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDetach(effect), (fiber) =>
      restore(Fiber.await(fiber)).pipe(
        Effect.onInterrupt(() => Effect.sync(() => fiber.interruptUnsafe()))
      ))
  )

const everyDecision: ReadonlyArray<ApprovalDecision> = ["accept", "acceptForSession", "decline", "cancel"]

/** What an answer counts as, given what was offered: the safest of the offer when it is none of it. */
export const effectiveDecision = (
  answer: Option.Option<ApprovalDecision>,
  offered: ReadonlyArray<ApprovalDecision>
): ApprovalDecision => {
  if (Option.isSome(answer) && offered.includes(answer.value)) return answer.value
  return offered.includes("decline") || !offered.includes("cancel") ? "decline" : "cancel"
}

interface Approvable {
  /** What an acceptance for the session is remembered under. */
  readonly key: string
  readonly title: string
  readonly itemId: string
  readonly request: (common: {
    readonly sessionId: string
    readonly turnId: string
    readonly reason?: string
    readonly decisions: ReadonlyArray<ApprovalDecision>
  }) => ApprovalRequest
}

/** Whether the agent may act. When it may not, the item is completed as declined; a cancel stops the turn as well. */
export const approval = Effect.fnUntraced(function*(
  frame: Frame,
  approval: Approval | undefined,
  what: Approvable
): Effect.fn.Return<boolean, Stop> {
  if (approval === undefined || !frame.asks || frame.accepted.has(what.key)) return true
  const offered = approval.decisions ?? everyDecision
  const request = what.request({
    sessionId: frame.sessionId,
    turnId: frame.recorder.turnId,
    decisions: offered,
    ...(approval.reason === undefined ? {} : { reason: approval.reason })
  })
  const answer = yield* ask(frame, {
    kind: "approval",
    title: what.title,
    itemId: what.itemId,
    resolution: Option.match({ onNone: () => "failed", onSome: (one) => effectiveDecision(Option.some(one), offered) })
  }, () => frame.host.approve(request))
  const decision = effectiveDecision(answer, offered)
  frame.words = { ...frame.words, decision }
  switch (decision) {
    case "accept":
      return true
    case "acceptForSession":
      frame.accepted.add(what.key)
      return true
    case "decline":
    case "cancel": {
      frame.recorder.complete(what.itemId, (item) => withStatus(item, "declined"))
      if (decision === "decline") return false
      // The host asked for the end of the turn with its answer.
      return yield* Effect.fail<Stop>({ _tag: "Interrupted", requested: true, confirmed: true })
    }
  }
})

/** Asks for permissions. There is no item: the decision is all that comes of it. */
export const permissions = (frame: Frame, step: StepOf<"AskPermissions">): Effect.Effect<void, Stop> => {
  const itemId = frame.recorder.nextItemId()
  return Effect.asVoid(approval(frame, step.approval ?? {}, {
    key: `permissions ${JSON.stringify(step.permissions)}`,
    title: "more permissions",
    itemId,
    request: (common) => ({ _tag: "Permissions", ...common, itemId, permissions: step.permissions })
  }))
}

/** Calls a tool of the host's. A failing handler is a failed call; the turn goes on. */
export const callTool = Effect.fnUntraced(function*(frame: Frame, step: StepOf<"CallTool">) {
  const { recorder } = frame
  const id = recorder.nextItemId()
  const named = { tool: step.tool, ...(step.namespace === undefined ? {} : { namespace: step.namespace }) }
  recorder.start({ _tag: "DynamicToolCall", id, ...named, status: "inProgress", arguments: step.arguments })
  const startedAt = recorder.now()
  const answer = yield* ask<ToolResult>(
    frame,
    {
      kind: "tool",
      title: step.tool,
      itemId: id,
      resolution: Option.match({ onNone: () => "failed", onSome: () => "answered" })
    },
    () =>
      frame.host.callTool({
        callId: id,
        sessionId: frame.sessionId,
        turnId: recorder.turnId,
        ...named,
        arguments: step.arguments
      })
  )
  const result = Option.getOrElse(answer, (): ToolResult => ({
    success: false,
    content: [{ _tag: "Text", text: `The host could not run ${step.tool}.` }]
  }))
  frame.words = { ...frame.words, tool: textOf(result.content) }
  recorder.complete(id, (item) =>
    item._tag === "DynamicToolCall"
      ? {
        ...item,
        status: result.success ? "completed" : "failed",
        content: result.content,
        durationMs: recorder.now() - startedAt
      }
      : item)
})

const textOf = (content: ReadonlyArray<ToolContent>): string =>
  content.flatMap((part) => part._tag === "Text" ? [part.text] : []).join("\n")

/** Asks a person. No answer is an answer: the turn goes on. */
export const question = Effect.fnUntraced(function*(frame: Frame, step: StepOf<"Ask">) {
  const { recorder } = frame
  const answer = yield* ask(
    frame,
    {
      kind: "question",
      title: step.questions.map((question) => question.header).join(", "),
      resolution: Option.match({
        onNone: () => "failed",
        onSome: (answers) => Object.keys(answers).length === 0 ? "unanswered" : "answered"
      })
    },
    () =>
      frame.host.answer({
        itemId: recorder.nextItemId(),
        sessionId: frame.sessionId,
        turnId: recorder.turnId,
        questions: step.questions,
        ...(step.reason === undefined ? {} : { reason: step.reason })
      })
  )
  const answers = Object.values(Option.getOrElse(answer, () => ({}))).flat()
  frame.words = { ...frame.words, answer: answers.join(", ") }
})

/** Passes on what an MCP server asks for. */
export const elicitation = Effect.fnUntraced(function*(frame: Frame, step: StepOf<"Elicit">) {
  const answer = yield* ask(
    frame,
    {
      kind: "elicitation",
      title: `${step.server}: ${step.message}`,
      resolution: Option.match({ onNone: () => "failed", onSome: (answer) => answer._tag.toLowerCase() })
    },
    () =>
      frame.host.elicit({
        sessionId: frame.sessionId,
        turnId: frame.recorder.turnId,
        server: step.server,
        message: step.message,
        ...(step.schema === undefined ? {} : { schema: step.schema }),
        ...(step.url === undefined ? {} : { url: step.url })
      })
  )
  const given = Option.filter(answer, (answer) => answer._tag === "Accept")
  frame.words = {
    ...frame.words,
    answer: Option.match(given, { onNone: () => "", onSome: (answer) => JSON.stringify(answer.content) })
  }
})
