/**
 * What codex asks of its host, put to a `TurnHost`, and the host's answers in codex's own words.
 *
 * A host that fails, or dies, has refused: each family has its refusal. Decisions are taken at their word;
 * `availableDecisions` is a hint for buttons: codex 0.171.0 leaves `decline` out of it and honours it all the same.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { FileEdit, ToolContent } from "../../../agent/AgentItem.ts"
import type {
  ApprovalDecision,
  ApprovalRequest,
  ElicitationAnswer,
  QuestionAnswers,
  ToolResult,
  TurnHostError,
  TurnHostService
} from "../../../agent/TurnHost.ts"
import type { RpcFailure } from "../../../peer/Peer.ts"
import * as ErrorCodes from "../../../protocol/ErrorCodes.ts"
import type * as Strict from "../../../protocol/generated/StrictTypes.ts"
import { given } from "./given.ts"
import { json } from "./Items.ts"
import type * as Wire from "./Wire.ts"

type Params<M extends Wire.ServerRequest["method"]> = Extract<Wire.ServerRequest, { readonly method: M }>["params"]
type Result<M extends keyof Strict.ServerRequests> = Strict.ServerRequests[M]["result"]

/** A request on its way to the host. */
export interface HostRequest {
  readonly kind: "approval" | "question" | "elicitation" | "tool"
  readonly threadId: string
  readonly turnId: string | undefined
  readonly itemId: string | undefined
  /** One line for people. */
  readonly title: string
  /** Asks the host; `resolution` is one word for what came of it. */
  readonly ask: (host: TurnHostService) => Effect.Effect<Answer, RpcFailure>
  /** The answer when the turn ends or the host fails. */
  readonly refusal: Answer
}

export interface Answer {
  readonly result: unknown
  readonly resolution: string
}

const decisions: ReadonlyArray<ApprovalDecision> = ["accept", "acceptForSession", "decline", "cancel"]

/** The words of an answer, checked against the method's own result type. */
const answer = <M extends keyof Strict.ServerRequests>(
  _method: M,
  result: Result<M>,
  resolution: string
): Answer => ({ result, resolution })

const approval = (
  request: ApprovalRequest,
  turnId: string | undefined,
  title: string,
  answers: (decision: ApprovalDecision) => Answer
): HostRequest => ({
  kind: "approval",
  threadId: request.sessionId,
  turnId,
  itemId: request.itemId,
  title,
  ask: (host) => asking(() => host.approve(request), answers, "decline"),
  refusal: answers("decline")
})

/**
 * Asks a host, and puts its answer in codex's words. One that fails, or throws, has refused; the failure is logged:
 * it is the host's to mend.
 */
const asking = <A>(
  ask: () => Effect.Effect<A, TurnHostError>,
  answers: (given: A) => Answer,
  refusal: A
): Effect.Effect<Answer> =>
  Effect.suspend(ask).pipe(
    Effect.map(answers),
    Effect.catchCause((cause) =>
      Effect.logWarning("The host failed to answer an agent's request, which counts as a refusal", cause).pipe(
        Effect.as({ ...answers(refusal), resolution: "failed" })
      )
    )
  )

const command = (params: Params<"item/commandExecution/requestApproval">): HostRequest =>
  approval(
    {
      _tag: "Command",
      itemId: params.itemId,
      sessionId: params.threadId,
      turnId: params.turnId,
      decisions,
      command: params.command ?? "",
      ...given("reason", params.reason),
      ...given("cwd", params.cwd),
      ...given("network", params.networkApprovalContext == null ? null : json(params.networkApprovalContext))
    },
    params.turnId,
    params.command ?? params.reason ?? "a command",
    (decision) => answer("item/commandExecution/requestApproval", { decision }, decision)
  )

const fileChange = (
  params: Params<"item/fileChange/requestApproval">,
  changes: ReadonlyArray<FileEdit>
): HostRequest =>
  approval(
    {
      _tag: "FileChange",
      itemId: params.itemId,
      sessionId: params.threadId,
      turnId: params.turnId,
      decisions,
      changes,
      ...given("reason", params.reason),
      ...given("grantRoot", params.grantRoot)
    },
    params.turnId,
    changes.length === 0 ? "file changes" : changes.map((change) => change.path).join(", "),
    (decision) => answer("item/fileChange/requestApproval", { decision }, decision)
  )

const permissions = (params: Params<"item/permissions/requestApproval">): HostRequest => {
  // What is granted has the shape of what was asked for; the schema of the answer checks it before it is sent.
  const granted = params.permissions as Result<"item/permissions/requestApproval">["permissions"]
  return approval(
    {
      _tag: "Permissions",
      itemId: params.itemId,
      sessionId: params.threadId,
      turnId: params.turnId,
      decisions,
      permissions: json(params.permissions),
      cwd: params.cwd,
      ...given("reason", params.reason)
    },
    params.turnId,
    params.reason ?? "more permissions",
    (decision) => {
      const accepted = decision === "accept" || decision === "acceptForSession"
      return answer("item/permissions/requestApproval", {
        permissions: accepted ? granted : {},
        scope: decision === "acceptForSession" ? "session" : "turn"
      }, decision)
    }
  )
}

const question = (params: Params<"item/tool/requestUserInput">): HostRequest => {
  const method = "item/tool/requestUserInput"
  return {
    kind: "question",
    threadId: params.threadId,
    turnId: params.turnId,
    itemId: params.itemId,
    title: params.questions.map((each) => each.question).join(" "),
    refusal: answer(method, { answers: {} }, "unanswered"),
    ask: (host) =>
      asking<QuestionAnswers>(
        () =>
          host.answer({
            itemId: params.itemId,
            sessionId: params.threadId,
            turnId: params.turnId,
            questions: params.questions.map((each) => ({
              id: each.id,
              header: each.header,
              question: each.question,
              isSecret: each.isSecret ?? false,
              allowsOther: each.isOther ?? false,
              options: (each.options ?? []).map(({ description, label }) => ({ label, description }))
            }))
          }),
        (answers) =>
          answer(
            method,
            {
              answers: Object.fromEntries(Object.entries(answers).map(([id, given]) => [id, { answers: given }]))
            },
            Object.keys(answers).length === 0 ? "unanswered" : "answered"
          ),
        {}
      )
  }
}

/** Codex asks for the approval of a destructive MCP tool through an elicitation with this mark. */
const mcpApproval = (meta: unknown): { readonly persist: ReadonlyArray<unknown> } | undefined => {
  if (typeof meta !== "object" || meta === null || !("codex_approval_kind" in meta)) return undefined
  return { persist: "persist" in meta && Array.isArray(meta.persist) ? meta.persist : [] }
}

const elicitation = (params: Params<"mcpServer/elicitation/request">): HostRequest | undefined => {
  const method = "mcpServer/elicitation/request"
  const decline = answer(method, { action: "decline", content: null, _meta: null }, "decline")
  switch (params.mode) {
    case "form":
    case "openai/form":
    case "openaiForm":
    case "url": {
      const turnId = params.turnId ?? undefined
      const common = { threadId: params.threadId, turnId, itemId: undefined, title: params.message }
      const marked = mcpApproval(params._meta)
      if (marked !== undefined) {
        return approval(
          {
            _tag: "McpTool",
            itemId: "",
            sessionId: params.threadId,
            turnId: turnId ?? "",
            decisions: marked.persist.includes("session")
              ? decisions
              : decisions.filter((decision) => decision !== "acceptForSession"),
            server: params.serverName,
            message: params.message
          },
          turnId,
          params.message,
          (decision) => {
            if (decision === "decline") return decline
            if (decision === "cancel") return answer(method, { action: "cancel", content: null, _meta: null }, decision)
            const persist = decision === "acceptForSession" && marked.persist.includes("session")
            const _meta = persist ? { persist: "session" } : null
            return answer(method, { action: "accept", content: {}, _meta }, decision)
          }
        )
      }
      return {
        ...common,
        kind: "elicitation",
        refusal: decline,
        ask: (host) =>
          asking<ElicitationAnswer>(
            () =>
              host.elicit({
                sessionId: params.threadId,
                server: params.serverName,
                message: params.message,
                ...given("turnId", turnId),
                ...(params.mode === "url" ? { url: params.url } : { schema: json(params.requestedSchema) })
              }),
            (given) => {
              switch (given._tag) {
                case "Accept":
                  return answer(method, { action: "accept", content: given.content, _meta: null }, "answered")
                case "Decline":
                  return decline
                case "Cancel":
                  return answer(method, { action: "cancel", content: null, _meta: null }, "cancel")
              }
            },
            { _tag: "Decline" }
          )
      }
    }
    default:
      return undefined
  }
}

const wireContent = (content: ToolContent): Result<"item/tool/call">["contentItems"][number] =>
  content._tag === "Text"
    ? { type: "inputText", text: content.text }
    : { type: "inputImage", imageUrl: content.url }

const failedTool = (text: string): ToolResult => ({ success: false, content: [{ _tag: "Text", text }] })

const tool = (params: Params<"item/tool/call">, deadline: Duration.Input): HostRequest => {
  const method = "item/tool/call"
  const result = ({ content, success }: ToolResult): Answer =>
    answer(method, { contentItems: content.map(wireContent), success }, success ? "completed" : "failed")
  return {
    kind: "tool",
    threadId: params.threadId,
    turnId: params.turnId,
    itemId: params.callId,
    title: params.tool,
    refusal: result(failedTool(`The turn ended before ${params.tool} returned.`)),
    ask: (host) =>
      asking(
        () =>
          host.callTool({
            callId: params.callId,
            sessionId: params.threadId,
            turnId: params.turnId,
            tool: params.tool,
            arguments: json(params.arguments),
            ...given("namespace", params.namespace)
          }),
        result,
        failedTool(`${params.tool} failed in the host.`)
      ).pipe(
        Effect.timeoutOrElse({
          duration: deadline,
          orElse: () => Effect.succeed(result(failedTool(`${params.tool} did not return in time.`)))
        })
      )
  }
}

/** A request that no host is asked about, with the answer that it gets. */
const unsupported = (method: string): RpcFailure => ({
  code: ErrorCodes.methodNotFound,
  message: `${method} is not supported by this host`
})

/** What an answer needs beyond the request. */
export interface Context {
  /** The file changes of an item that was announced before: codex does not repeat them in the request. */
  readonly changesOf: (itemId: string) => ReadonlyArray<FileEdit>
  /** For a tool of the host to return. */
  readonly toolDeadline: Duration.Input
}

/** How a request of codex is to be answered. */
export const hostRequest = (
  request: Wire.ServerRequest,
  { changesOf, toolDeadline }: Context
): HostRequest | RpcFailure => {
  switch (request.method) {
    case "item/commandExecution/requestApproval":
      return command(request.params)
    case "item/fileChange/requestApproval":
      return fileChange(request.params, changesOf(request.params.itemId))
    case "item/permissions/requestApproval":
      return permissions(request.params)
    case "item/tool/requestUserInput":
      return question(request.params)
    case "mcpServer/elicitation/request":
      return elicitation(request.params) ?? unsupported(`An elicitation of mode ${String(request.params.mode)}`)
    case "item/tool/call":
      return tool(request.params, toolDeadline)
    default:
      return unsupported(request.method)
  }
}
