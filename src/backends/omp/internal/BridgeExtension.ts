/**
 * The extension that an `omp` process loads from a file: the two hooks of `pi-family/Extension.ts`, whose other end is
 * reached through an input dialog with a JSON title.
 *
 * It is text, so that it can be written wherever there is room: what is bundled into one file has no files beside it.
 */
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { customType } from "../../pi-family/Extension.ts"
import { foreverMillis } from "./Patience.ts"

/** What a title begins with that is no question to a person. */
const mark = `${customType}:`

const Request = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("toolCall"),
    id: Schema.String,
    name: Schema.String,
    args: Schema.Json,
    isSubAgents: Schema.Boolean
  }),
  Schema.Struct({ kind: Schema.Literal("runStart") })
])
export type Request = typeof Request.Type

const decode = Schema.decodeResult(Schema.fromJsonString(Request))

/** What the extension asks by a dialog; `undefined` for a dialog of somebody else's. */
export const requestOf = (title: string): Result.Result<Request, Schema.SchemaError> | undefined =>
  title.startsWith(mark) ? decode(title.slice(mark.length)) : undefined

/** Settings in YAML. */
export const settings = JSON.stringify({ extensionHandlers: { toolCallTimeoutMs: foreverMillis } })

// Agents that this agent starts have no dialogs of their own: they use those of the main one. Their runs begin with
// nothing of ours.
export const source = `
const mark = ${JSON.stringify(mark)}
const customType = ${JSON.stringify(customType)}
const shared = Symbol.for(customType)

export default function (pi) {
  const ask = async (context, request) => {
    const ui = context.hasUI ? context.ui : globalThis[shared]
    const answer = await ui?.input(mark + JSON.stringify(request), undefined, { signal: context.signal })
    return answer === undefined ? undefined : JSON.parse(answer)
  }
  pi.on("session_start", async (_event, context) => {
    if (context.hasUI) globalThis[shared] = context.ui
  })
  pi.on("tool_call", async ({ input, toolCallId, toolName }, context) => {
    const request = { kind: "toolCall", id: toolCallId, name: toolName, args: input, isSubAgents: !context.hasUI }
    const answer = await ask(context, request)
    if (answer === undefined) return { block: true, reason: "Nobody could be asked." }
    return answer.reason === undefined ? undefined : { block: true, reason: answer.reason }
  })
  pi.on("before_agent_start", async (_event, context) => {
    if (!context.hasUI) return undefined
    const answer = await ask(context, { kind: "runStart" })
    if (answer === undefined) return undefined
    if (answer.turnId !== undefined) pi.appendEntry(customType, { turnId: answer.turnId })
    if (answer.context === undefined) return undefined
    return { message: { customType, content: answer.context, display: false } }
  })
}
`
