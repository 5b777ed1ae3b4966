/**
 * Asks the person at the terminal what the agent asks of its host. One question at a time.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import {
  type ApprovalDecision,
  type ApprovalRequest,
  declining,
  type ElicitationAnswer,
  type ElicitationRequest,
  type Question,
  type TurnHostService
} from "../../agent/TurnHost.ts"
import { type Line, line, span } from "../view/Chunk.ts"
import { harmless, oneLine } from "../view/Text.ts"
import { diffView } from "../view/ToolLines.ts"

/** What a terminal is needed for. */
export interface Asker {
  readonly tell: (lines: ReadonlyArray<Line>) => void
  /** One line that somebody types; `undefined` when they will not. A hidden one is not shown while it is typed. */
  readonly ask: (prompt: string, options: { readonly hidden: boolean }) => Effect.Effect<string | undefined>
}

const keys: ReadonlyArray<readonly [decision: ApprovalDecision, key: string, label: string]> = [
  ["accept", "a", "accept"],
  ["acceptForSession", "s", "for the session"],
  ["decline", "d", "decline"],
  ["cancel", "c", "cancel the turn"]
]

/** How many lines of a diff are shown to somebody who has to agree to it. */
const approvalDiffLines = 400

const placeLines = (cwd: string | undefined): ReadonlyArray<Line> =>
  cwd === undefined ? [] : [line(span(`  in ${oneLine(cwd)}`, "dim"))]

const approvalLines = (request: ApprovalRequest): ReadonlyArray<Line> => {
  const reason = request.reason === undefined ? [] : [line(span(`  ${oneLine(request.reason)}`, "dim"))]
  switch (request._tag) {
    case "Command": {
      const network = request.network === undefined
        ? []
        : [line(span(`  reaches the network: ${oneLine(JSON.stringify(request.network))}`, "yellow"))]
      // Who agrees to a command has seen all of it.
      const [first = "", ...more] = harmless(request.command).split("\n")
      const command = [`  $ ${first}`, ...more.map((row) => `    ${row}`)].map((row) => line(span(row, "bold")))
      return [...command, ...placeLines(request.cwd), ...network, ...reason]
    }
    case "FileChange":
      return [
        ...request.changes.flatMap(({ diff, kind, path }) => [
          line(span(`  ${kind} ${oneLine(path)}`, "bold")),
          ...diffView(diff, approvalDiffLines)
        ]),
        ...(request.grantRoot === undefined
          ? []
          : [line(span(`  makes ${oneLine(request.grantRoot)} writable for the session`, "yellow"))]),
        ...reason
      ]
    case "Permissions":
      return [line(span(`  ${oneLine(JSON.stringify(request.permissions))}`)), ...placeLines(request.cwd), ...reason]
    case "McpTool":
      return [line(span(`  ${oneLine(request.server)}: ${oneLine(request.message)}`)), ...reason]
  }
}

const wishes: Readonly<Record<ApprovalRequest["_tag"], string>> = {
  Command: "The agent wants to run a command",
  FileChange: "The agent wants to change files",
  Permissions: "The agent wants more permissions",
  McpTool: "The agent wants to use a tool"
}

const heading = (text: string): Line => line(span("? ", "yellow"), span(text, "bold"))

/** The decision that an answer means, if it is one that was offered. */
export const readDecision = (
  text: string,
  offered: ReadonlyArray<ApprovalDecision>
): ApprovalDecision | undefined => {
  const word = text.trim().toLowerCase()
  const found = keys.find(([decision, key]) => word === key || word === decision.toLowerCase())
  return found !== undefined && offered.includes(found[0]) ? found[0] : undefined
}

// Ctrl-D: whoever will not answer has not agreed.
const refusal = (offered: ReadonlyArray<ApprovalDecision>): ApprovalDecision =>
  offered.includes("decline") ? "decline" : "cancel"

/** The answer that a text means: an option by its number or its name, or another text where that is allowed. */
export const readAnswer = (text: string, question: Question): string | undefined => {
  const answer = text.trim()
  const { allowsOther, options } = question
  const byNumber = /^\d+$/u.test(answer) ? options[Number(answer) - 1] : undefined
  const byName = options.find(({ label }) => label.toLowerCase() === answer.toLowerCase())
  const option = byNumber ?? byName
  if (option !== undefined) return option.label
  // A secret is taken as it was typed.
  return allowsOther || options.length === 0 ? question.isSecret ? text : answer : undefined
}

/** The value that a text means for a field of a form; `undefined` when it does not fit. */
export const readField = (text: string, schema: Schema.Json | undefined): Schema.Json | undefined => {
  const answer = text.trim()
  if (!Predicate.isObject(schema)) return answer
  if (Array.isArray(schema.enum)) return schema.enum.includes(answer) ? answer : undefined
  switch (schema.type) {
    case "boolean":
      return /^(?:y|yes|true)$/iu.test(answer) ? true : /^(?:n|no|false)$/iu.test(answer) ? false : undefined
    case "integer":
      return /^-?\d+$/u.test(answer) ? Number(answer) : undefined
    case "number":
      return answer !== "" && Number.isFinite(Number(answer)) ? Number(answer) : undefined
    case "string":
    case undefined:
      return answer
    default:
      return undefined
  }
}

interface Field {
  readonly name: string
  readonly schema: Schema.Json
  readonly isRequired: boolean
}

// Forms are flat by the protocol's own rule.
const fieldsOf = (schema: Schema.Json | undefined): ReadonlyArray<Field> => {
  if (!Predicate.isObject(schema) || !Predicate.isObject(schema.properties)) return []
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema.properties).map(([name, field]) => ({
    name,
    // Part of a JSON value, which the guard has forgotten.
    schema: field as Schema.Json,
    isRequired: required.includes(name)
  }))
}

const fieldHint = ({ schema }: Field): string => {
  if (!Predicate.isObject(schema)) return ""
  if (Array.isArray(schema.enum)) return ` (${schema.enum.map(String).map(oneLine).join(" / ")})`
  return schema.type === "boolean" ? " (y/n)" : typeof schema.type === "string" ? ` (${oneLine(schema.type)})` : ""
}

/** The host of a terminal. */
export const make = ({ ask, tell }: Asker): TurnHostService => {
  const turn = Semaphore.makeUnsafe(1)

  // Asks until the answer can be read; `undefined` when whoever is asked will not.
  const until = Effect.fnUntraced(function*<A>(
    prompt: string,
    read: (text: string) => A | undefined,
    options: { readonly hidden: boolean; readonly hint: string }
  ): Effect.fn.Return<A | undefined> {
    for (;;) {
      const text = yield* ask(prompt, options)
      if (text === undefined) return undefined
      const answer = read(text)
      if (answer !== undefined) return answer
      tell([line(span(`  ${options.hint}`, "yellow"))])
    }
  })

  const approve = Effect.fnUntraced(function*(request: ApprovalRequest) {
    const offered = keys.filter(([decision]) => request.decisions.includes(decision))
    const prompt = offered.map(([, key, label]) => `${key} ${label}`).join(" · ")
    tell([heading(wishes[request._tag]), ...approvalLines(request)])
    const decision = yield* until(prompt, (text) => readDecision(text, request.decisions), {
      hidden: false,
      hint: `type ${offered.map(([, key]) => key).join(", ")} and Enter`
    })
    return decision ?? refusal(request.decisions)
  })

  const answerOne = Effect.fnUntraced(function*(question: Question) {
    tell([
      heading(oneLine(question.header)),
      line(span(`  ${oneLine(question.question)}`)),
      ...question.options.map(({ description, label }, index) =>
        line(
          span(`   ${index + 1}. ${oneLine(label)}`),
          span(description === "" ? "" : `  ${oneLine(description)}`, "dim")
        )
      )
    ])
    const answer = yield* until(
      question.isSecret ? "not shown" : question.options.length > 0 ? "number or text" : "text",
      (text) => readAnswer(text, question),
      { hidden: question.isSecret, hint: "choose one of the options by its number" }
    )
    tell([
      line(span(`  › ${answer === undefined ? "no answer" : question.isSecret ? "(hidden)" : oneLine(answer)}`, "dim"))
    ])
    return answer
  })

  const elicit = Effect.fnUntraced(function*(request: ElicitationRequest): Effect.fn.Return<ElicitationAnswer> {
    tell([heading(`${oneLine(request.server)} asks`), line(span(`  ${oneLine(request.message)}`))])
    if (request.url !== undefined) tell([line(span(`  open ${oneLine(request.url)}`, "cyan"))])
    const content: Record<string, Schema.Json> = {}
    for (const field of fieldsOf(request.schema)) {
      const value = yield* until(
        `${oneLine(field.name)}${fieldHint(field)}${field.isRequired ? "" : ", empty for none"}`,
        (text) => text.trim() === "" && !field.isRequired ? null : readField(text, field.schema),
        { hidden: false, hint: "that does not fit" }
      )
      if (value === undefined) return { _tag: "Decline" }
      if (value !== null) content[field.name] = value
    }
    const agreed = yield* until("a accept · d decline", (text) => readDecision(text, ["accept", "decline"]), {
      hidden: false,
      hint: "type a or d and Enter"
    })
    return agreed === "accept" ? { _tag: "Accept", content } : { _tag: "Decline" }
  })

  return {
    tools: [],
    approve: (request) => turn.withPermit(approve(request)),
    answer: (request) =>
      turn.withPermit(Effect.gen(function*() {
        const answers: Record<string, ReadonlyArray<string>> = {}
        for (const question of request.questions) {
          const answer = yield* answerOne(question)
          if (answer !== undefined) answers[question.id] = [answer]
        }
        return answers
      })),
    elicit: (request) => turn.withPermit(elicit(request)),
    callTool: declining.callTool
  }
}
