/**
 * A request that the fake model received, and the questions tests ask about it.
 */
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** How the fake's answer came to its end. */
export type AnswerEnd =
  /** The fake wrote all of its answer. */
  | "finished"
  /** The script broke the connection off. */
  | "cut"
  /** The client hung up before the answer was complete, as after an interrupt. */
  | "clientClosed"

/** An entry of `input`: only what identifies it. The rest stays in `RecordedRequest.json`. */
export const InputItem = Schema.Struct({
  type: Schema.optional(Schema.String),
  role: Schema.optional(Schema.String),
  name: Schema.optional(Schema.String),
  call_id: Schema.optional(Schema.String),
  content: Schema.optional(Schema.Unknown),
  output: Schema.optional(Schema.Unknown)
})

/** The part of a request body to which a script reacts. */
export const Body = Schema.Struct({
  model: Schema.String,
  input: Schema.Array(InputItem),
  tools: Schema.optional(Schema.Array(Schema.Struct({
    type: Schema.String,
    name: Schema.optional(Schema.String)
  })))
})

/** One request, of any method and path, in order of arrival. */
export interface RecordedRequest {
  /** Its place among all requests, from 1. */
  readonly ordinal: number
  readonly method: string
  /** The path and the query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The body as it came; `null` where there was none, or none in JSON. */
  readonly json: unknown
  /** The body of a model request; none for any other request. */
  readonly body: Option.Option<typeof Body.Type>
  /** Ends when the answer has ended, and says how. */
  readonly ended: Effect.Effect<AnswerEnd>
}

/** The id of the thread that asks, from the header the client sends; undefined where it sent none. */
export const threadId = (request: RecordedRequest): string | undefined => request.headers["thread-id"]

/** The texts of the user's messages, oldest first, with what the client adds in the user's name. */
export const userTexts = (request: RecordedRequest): ReadonlyArray<string> =>
  input(request).flatMap((item) => item.role === "user" ? texts(item.content) : [])

/** The output that the client sent for a tool call, as text; undefined while it has sent none. */
export const toolOutput = (request: RecordedRequest, callId: string): string | undefined => {
  const item = input(request).find((item) => item.call_id === callId && item.output !== undefined)
  return item === undefined ? undefined : texts(item.output).join("\n")
}

/** The names of the tools on offer. A tool without a name goes by its type. */
export const toolNames = (request: RecordedRequest): ReadonlyArray<string> =>
  Option.match(request.body, {
    onNone: () => [],
    onSome: (body) => (body.tools ?? []).map((tool) => tool.name ?? tool.type)
  })

const input = (request: RecordedRequest): ReadonlyArray<typeof InputItem.Type> =>
  Option.match(request.body, { onNone: () => [], onSome: (body) => body.input })

const TextParts = Schema.Array(Schema.Struct({ text: Schema.optional(Schema.String) }))
const isText = Schema.is(Schema.String)
const decodeParts = Schema.decodeUnknownOption(TextParts)

/** A content or output field is a text, or a list of parts of which some have a text. */
const texts = (content: unknown): ReadonlyArray<string> =>
  isText(content)
    ? [content]
    : Option.match(decodeParts(content), {
      onNone: () => [],
      onSome: (parts) => parts.flatMap((part) => part.text === undefined ? [] : [part.text])
    })
