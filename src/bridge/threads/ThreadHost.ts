/**
 * An agent's host whose answers come from the clients of a thread.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import type {
  ApprovalDecision,
  ApprovalRequest,
  ElicitationAnswer,
  ElicitationRequest,
  QuestionAnswers,
  QuestionRequest,
  TurnHostService
} from "../../agent/TurnHost.ts"
import { declining } from "../../agent/TurnHost.ts"
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import type { OpenedRequests } from "./OpenedRequests.ts"
import type { PendingRequests } from "./PendingRequests.ts"
import * as ThreadView from "./ThreadView.ts"

export interface ThreadHostOptions {
  readonly threadId: string
  /** The turn that runs, as the clients know it. */
  readonly turnId: () => string
  readonly cwd: string
  readonly pending: PendingRequests
  readonly opened: OpenedRequests
}

const allDecisions: ReadonlyArray<ApprovalDecision> = ["accept", "acceptForSession", "decline", "cancel"]

/** A client may only answer what it was offered; anything else is a no. */
const decided = (given: unknown, offered: ReadonlyArray<ApprovalDecision>): ApprovalDecision =>
  offered.find((decision) => decision === given) ?? "decline"

/** Nobody was there, or nobody answered in time: no. The turn goes on without what was asked for. */
const nobody: ApprovalDecision = "decline"

export const make = ({ cwd, opened, pending, threadId, turnId }: ThreadHostOptions): TurnHostService => {
  const common = (itemId: string, startedAtMs: number) => ({ threadId, turnId: turnId(), itemId, startedAtMs })

  const approve = Effect.fnUntraced(function*(request: ApprovalRequest) {
    yield* opened.shown(request.itemId)
    const now = yield* Clock.currentTimeMillis
    const offered = request.decisions.length === 0 ? allDecisions : request.decisions
    switch (request._tag) {
      case "Command": {
        const answer = yield* pending.ask("item/commandExecution/requestApproval", {
          ...common(request.itemId, now),
          kind: "command",
          environmentId: ThreadView.environmentId,
          command: request.command,
          cwd: request.cwd ?? cwd,
          commandActions: [{ type: "unknown", command: request.command }],
          reason: request.reason ?? null,
          availableDecisions: offered
        })
        return Option.match(answer, { onNone: () => nobody, onSome: ({ decision }) => decided(decision, offered) })
      }
      case "FileChange": {
        const answer = yield* pending.ask("item/fileChange/requestApproval", {
          ...common(request.itemId, now),
          reason: request.reason ?? null,
          grantRoot: request.grantRoot ?? null
        })
        return Option.match(answer, { onNone: () => nobody, onSome: ({ decision }) => decided(decision, offered) })
      }
      case "Permissions": {
        const permissions = request.permissions as Strict.ServerRequests["item/permissions/requestApproval"][
          "params"
        ]["permissions"]
        const answer = yield* pending.ask("item/permissions/requestApproval", {
          ...common(request.itemId, now),
          environmentId: ThreadView.environmentId,
          cwd: request.cwd ?? cwd,
          reason: request.reason ?? null,
          permissions
        })
        if (Option.isNone(answer)) return nobody
        // Nothing granted is a no; there is no granting of a part through this seam.
        const granted = Object.values(answer.value.permissions).some((value) => value != null)
        return granted ? answer.value.scope === "session" ? "acceptForSession" : "accept" : nobody
      }
      case "McpTool": {
        const persist = offered.includes("acceptForSession") ? ["session"] : []
        const answer = yield* pending.ask("mcpServer/elicitation/request", {
          threadId,
          turnId: turnId(),
          serverName: request.server,
          environmentId: null,
          mode: "form",
          message: request.message,
          requestedSchema: { type: "object", properties: {} },
          _meta: { codex_approval_kind: "mcp_tool_call", persist }
        })
        if (Option.isNone(answer)) return nobody
        const { _meta, action } = answer.value
        if (action === "accept") {
          const kept = typeof _meta === "object" && _meta !== null && "persist" in _meta && _meta.persist === "session"
          return decided(kept ? "acceptForSession" : "accept", offered)
        }
        return decided(action, offered)
      }
    }
  })

  const answer = Effect.fnUntraced(function*(request: QuestionRequest): Effect.fn.Return<QuestionAnswers> {
    yield* opened.shown(request.itemId)
    const answers = yield* pending.ask("item/tool/requestUserInput", {
      threadId,
      turnId: turnId(),
      itemId: request.itemId,
      isBlocking: true,
      autoResolutionMs: null,
      questions: request.questions.map((question) => ({
        id: question.id,
        header: question.header,
        question: question.question,
        isOther: question.allowsOther,
        isSecret: question.isSecret,
        options: question.options.length === 0 ? null : question.options
      }))
    })
    return Option.match(answers, {
      onNone: () => ({}),
      onSome: (given) =>
        Object.fromEntries(Object.entries(given.answers).map(([id, { answers }]) => [id, answers] as const))
    })
  })

  const elicit = Effect.fnUntraced(function*(request: ElicitationRequest): Effect.fn.Return<ElicitationAnswer> {
    const asked = {
      threadId,
      turnId: turnId(),
      serverName: request.server,
      environmentId: null,
      message: request.message,
      _meta: null
    }
    const given = yield* pending.ask(
      "mcpServer/elicitation/request",
      request.url === undefined
        // Whatever schema the server sent; clients that cannot show it decline.
        ? { ...asked, mode: "openai/form", requestedSchema: request.schema ?? { type: "object", properties: {} } }
        : { ...asked, mode: "url", url: request.url, elicitationId: request.url }
    )
    if (Option.isNone(given)) return { _tag: "Decline" }
    switch (given.value.action) {
      case "accept":
        // Answers come from JSON.
        return { _tag: "Accept", content: (given.value.content ?? {}) as Schema.Json }
      case "cancel":
        return { _tag: "Cancel" }
      default:
        return { _tag: "Decline" }
    }
  })

  return { ...declining, approve, answer, elicit }
}
