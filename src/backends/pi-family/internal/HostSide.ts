/**
 * What an agent asks of its host: whether a tool may run, questions to a person, tools of the host's.
 */
import { uuidV7Unsafe } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type {
  ApprovalDecision,
  ApprovalRequest,
  Question,
  QuestionAnswers,
  ToolResult,
  TurnHostError,
  TurnHostService
} from "../../../agent/TurnHost.ts"
import * as Approvals from "../Approvals.ts"
import type { Content } from "../FileEdits.ts"
import type { HookedCall } from "../Port.ts"
import type { Answer, PiTurn, Request } from "./PiTurn.ts"

export interface HostSideOptions {
  readonly sessionId: () => string
  /** The turn that runs. */
  readonly turn: () => PiTurn | undefined
  /** Of whatever is no turn's. */
  readonly host: TurnHostService
  readonly rules: () => Approvals.Rules
  readonly hostTools: ReadonlySet<string>
  readonly mcpServers: () => ReadonlyArray<string>
  /** What was accepted for the session. */
  readonly grants: Set<string>
  /** Ends a turn that a person has cancelled. */
  readonly cancel: (turn: PiTurn) => void
}

const decisions: ReadonlyArray<ApprovalDecision> = ["accept", "acceptForSession", "decline", "cancel"]

/** Files that are larger have no content to compare with. */
const snapshotLimit = 4 << 20

const declined = "The user declined this. Do something else, or ask."
const cancelled = "The user cancelled this."

/** A host that fails, or dies, has refused; that is its own to mend. `wordOf`: what came of it, in a word. */
const orRefuse = <A>(
  ask: () => Effect.Effect<A, TurnHostError>,
  refusal: A,
  wordOf: (answer: A) => string
): Effect.Effect<Answer<A>> =>
  Effect.suspend(ask).pipe(
    Effect.map((answer) => ({ answer, word: wordOf(answer) })),
    Effect.catchCause((cause) =>
      Effect.logWarning("The host failed to answer an agent's request, which counts as a refusal", cause).pipe(
        Effect.as({ answer: refusal, word: "failed" })
      )
    )
  )

/** Asks, as long as the turn goes on. */
const asking = <A>(turn: PiTurn | undefined, request: Request, ask: Effect.Effect<Answer<A>>, refusal: A) =>
  Effect.map(
    turn === undefined ? ask : turn.asking(request, ask, { answer: refusal, word: "withdrawn" }),
    ({ answer }) => answer
  )

export class HostSide {
  readonly #options: HostSideOptions

  constructor(options: HostSideOptions) {
    this.#options = options
  }

  /** Decides whether a call may run, and notes what the files are that it is going to change. Gives why not. */
  toolCall(call: HookedCall): Effect.Effect<string | undefined, never, FileSystem.FileSystem> {
    return Effect.gen({ self: this }, function*() {
      const { grants, hostTools, mcpServers } = this.#options
      const turn = this.#options.turn()
      const rules = turn?.rules ?? this.#options.rules()
      const before = yield* snapshots(call, rules.cwd)
      if (!call.isSubAgents) {
        for (const [path, content] of before) {
          if (content === undefined) continue
          turn?.projector.fact({ _tag: "Snapshot", toolCallId: call.id, path, before: content })
        }
      }
      const verdict = Approvals.decide(call, rules, { before, hostTools, mcpServers: mcpServers() })
      if (verdict._tag === "Allow") return undefined
      if (verdict._tag === "Deny") {
        turn?.projector.fact({ _tag: "Decision", toolCallId: call.id, decision: "decline" })
        return verdict.reason
      }
      if (verdict.grants.every((grant) => grants.has(grant))) return undefined
      const decision = yield* this.#approve(call, verdict.question, turn)
      turn?.projector.fact({ _tag: "Decision", toolCallId: call.id, decision })
      switch (decision) {
        case "accept":
          return undefined
        case "acceptForSession":
          for (const grant of verdict.grants) grants.add(grant)
          return undefined
        case "decline":
          return declined
        case "cancel":
          if (turn !== undefined) this.#options.cancel(turn)
          return cancelled
      }
    })
  }

  /** Puts questions to a person; `undefined` where nobody answers. */
  ask(questions: ReadonlyArray<Question>): Effect.Effect<QuestionAnswers | undefined> {
    return Effect.suspend(() => {
      const turn = this.#options.turn()
      const itemId = uuidV7Unsafe()
      const host = turn?.host ?? this.#options.host
      const asked = asking(
        turn,
        { requestId: itemId, kind: "question", title: questions[0]?.question ?? "a question" },
        orRefuse(() => host.answer({ ...this.#common(itemId, turn), questions }), {}, () => "answered"),
        {}
      )
      return Effect.map(asked, (answers) => Object.keys(answers).length === 0 ? undefined : answers)
    })
  }

  callTool(call: {
    readonly callId: string
    readonly tool: string
    readonly arguments: Parameters<TurnHostService["callTool"]>[0]["arguments"]
  }): Effect.Effect<ToolResult> {
    return Effect.suspend(() => {
      const turn = this.#options.turn()
      const host = turn?.host ?? this.#options.host
      const refusal: ToolResult = {
        success: false,
        content: [{ _tag: "Text", text: `The host could not run ${call.tool}.` }]
      }
      const { sessionId, turnId } = this.#common(call.callId, turn)
      return asking(
        turn,
        { requestId: call.callId, kind: "tool", itemId: call.callId, title: call.tool },
        orRefuse(
          () => host.callTool({ ...call, sessionId, turnId }),
          refusal,
          ({ success }) => success ? "answered" : "failed"
        ),
        refusal
      )
    })
  }

  #common(itemId: string, turn: PiTurn | undefined) {
    return { itemId, sessionId: this.#options.sessionId(), turnId: turn?.id ?? "" }
  }

  #approve(call: HookedCall, question: Approvals.Asked, turn: PiTurn | undefined): Effect.Effect<ApprovalDecision> {
    const itemId = turn?.projector.itemId(call.id) ?? call.id
    const request: ApprovalRequest = { ...question, ...this.#common(itemId, turn), decisions }
    const host = turn?.host ?? this.#options.host
    return asking(
      turn,
      { requestId: `approval ${itemId}`, kind: "approval", itemId, title: titleOf(request) },
      orRefuse<ApprovalDecision>(() => host.approve(request), "decline", (decision) => decision),
      "decline"
    )
  }
}

const titleOf = (request: ApprovalRequest): string => {
  switch (request._tag) {
    case "Command":
      return request.command
    case "FileChange":
      return request.changes.map(({ path }) => path).join(", ")
    case "Permissions":
      return request.reason ?? "more permissions"
    case "McpTool":
      return `${request.server}: ${request.message}`
  }
}

/** The files that a call is going to change, as they are now; `undefined` for what could not be read as text. */
const snapshots = Effect.fnUntraced(function*(call: HookedCall, cwd: string) {
  const fs = yield* FileSystem.FileSystem
  const found = new Map<string, Content>()
  for (const path of Approvals.pathsOf(call, cwd)) {
    const content = yield* Effect.flatMap(
      fs.stat(path),
      ({ size }) => size > snapshotLimit ? Effect.undefined : fs.readFileString(path)
    ).pipe(
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(null)),
      Effect.catch((error) =>
        Effect.as(Effect.logDebug(`${path} could not be read before it changes`, error), undefined)
      )
    )
    found.set(path, content)
  }
  return found
})
