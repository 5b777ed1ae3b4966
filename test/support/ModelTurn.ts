/**
 * What a fake model says in one request, as data: parts that become server-sent events of the OpenAI Responses API.
 *
 * A turn holds no ids until it is played. So one turn can be played often (as a fallback, or after a retry) and still
 * never gives two items the same id, which clients use as the identity of an item.
 */
import * as Data from "effect/Data"
import type * as Schema from "effect/Schema"
import type * as Gate from "./Gate.ts"

/** One event of the Responses API; the server adds its `sequence_number`. */
export interface ModelEvent {
  readonly [key: string]: Schema.Json
  readonly type: string
}

/** One step of a stream. */
export type Step = Data.TaggedEnum<{
  /** Send an event. */
  Event: { readonly event: ModelEvent }
  /** Stop until the gate opens, or the client hangs up. */
  Wait: { readonly gate: Gate.Gate }
  /** Keep the stream open and say nothing more, until the client hangs up. */
  Silence: {}
  /** Break the connection off in the middle of the body. */
  Cut: {}
  /** End the body here, without `response.completed`. */
  End: {}
}>

/** The constructors of `Step`. */
export const Step = Data.taggedEnum<Step>()

/** What a part may ask for while it is played. */
export interface PlayContext {
  readonly responseId: string
  /** A fresh id, such as `msg_7`, unique in this process. */
  readonly id: (prefix: string) => string
  /** The place of the next item in the response, from 0. */
  readonly outputIndex: () => number
}

/** A part of a turn: steps made when the turn is played. */
export type Part = (context: PlayContext) => Iterable<Step>

/** Token counts of one request. */
export interface Usage {
  readonly input: number
  readonly cachedInput: number
  readonly output: number
  readonly reasoningOutput: number
}

/** The usage reported where a turn gives none. */
export const defaultUsage: Usage = { input: 100, cachedInput: 40, output: 20, reasoningOutput: 5 }

/** One answer of the fake model. */
export type ModelTurn =
  | {
    readonly _tag: "Stream"
    readonly parts: ReadonlyArray<Part>
    readonly usage: Usage
    readonly headers: Readonly<Record<string, string>>
  }
  | {
    readonly _tag: "HttpError"
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }

// =============================================================================
// Turns
// =============================================================================

/** A streamed answer. `response.completed` with the usage follows the last part, unless a part ended the stream. */
export const turn = (
  parts: ReadonlyArray<Part>,
  options?: { readonly usage?: Partial<Usage>; readonly headers?: Readonly<Record<string, string>> }
): ModelTurn => ({
  _tag: "Stream",
  parts,
  usage: { ...defaultUsage, ...options?.usage },
  headers: options?.headers ?? {}
})

/** The most frequent turn: one assistant message, told in these deltas. */
export const text = (...deltas: ReadonlyArray<string | Gate.Gate>): ModelTurn => turn([message(deltas)])

/** An HTTP error in place of a stream. The body defaults to a `server_error` in the API's own shape. */
export const httpError = (
  status: number,
  options?: { readonly body?: Schema.Json; readonly headers?: Readonly<Record<string, string>> }
): ModelTurn => ({
  _tag: "HttpError",
  status,
  headers: options?.headers ?? {},
  body: JSON.stringify(
    options?.body ?? { error: { message: `fake error ${status}`, type: "server_error", code: null } }
  )
})

// =============================================================================
// Items
// =============================================================================

/** An assistant message in deltas; a gate between two of them stops the stream there. */
export const message = (
  deltas: Iterable<string | Gate.Gate>,
  options?: { readonly id?: string; readonly phase?: "commentary" | "final_answer" }
): Part =>
  function*(context) {
    const id = options?.id ?? context.id("msg")
    const place = { item_id: id, output_index: context.outputIndex(), content_index: 0 }
    const item = (status: string, content: ReadonlyArray<Schema.Json>) => ({
      type: "message",
      id,
      role: "assistant",
      status,
      content,
      ...(options?.phase === undefined ? {} : { phase: options.phase })
    })
    yield* itemAdded(place.output_index, item("in_progress", []))
    yield* event({
      ...place,
      type: "response.content_part.added",
      part: { type: "output_text", text: "", annotations: [] }
    })
    let whole = ""
    for (const delta of deltas) {
      if (typeof delta === "string") {
        whole += delta
        yield* event({ ...place, type: "response.output_text.delta", delta })
      } else {
        yield Step.Wait({ gate: delta })
      }
    }
    yield* event({ ...place, type: "response.output_text.done", text: whole })
    yield* itemDone(
      place.output_index,
      item("completed", [{ type: "output_text", text: whole, annotations: [] }])
    )
  }

/** A message of `count` equal deltas, made while it is sent: for load. */
export const manyDeltas = (count: number, delta = "x"): Part =>
  message({
    *[Symbol.iterator]() {
      for (let i = 0; i < count; i++) yield delta
    }
  })

/** Reasoning: each summary section in deltas, then the raw text in deltas where `raw` is given. */
export const reasoning = (options: {
  readonly summary: ReadonlyArray<ReadonlyArray<string | Gate.Gate>>
  readonly raw?: ReadonlyArray<string>
  readonly id?: string
}): Part =>
  function*(context) {
    const id = options.id ?? context.id("rs")
    const place = { item_id: id, output_index: context.outputIndex() }
    yield* itemAdded(place.output_index, { type: "reasoning", id, summary: [] })
    const sections: Array<Schema.Json> = []
    for (const [summary_index, deltas] of options.summary.entries()) {
      const section = { ...place, summary_index }
      yield* event({
        ...section,
        type: "response.reasoning_summary_part.added",
        part: { type: "summary_text", text: "" }
      })
      let whole = ""
      for (const delta of deltas) {
        if (typeof delta === "string") {
          whole += delta
          yield* event({ ...section, type: "response.reasoning_summary_text.delta", delta })
        } else {
          yield Step.Wait({ gate: delta })
        }
      }
      const part = { type: "summary_text", text: whole }
      sections.push(part)
      yield* event({ ...section, type: "response.reasoning_summary_text.done", text: whole })
      yield* event({ ...section, type: "response.reasoning_summary_part.done", part })
    }
    for (const delta of options.raw ?? []) {
      yield* event({ ...place, type: "response.reasoning_text.delta", content_index: 0, delta })
    }
    yield* itemDone(place.output_index, {
      type: "reasoning",
      id,
      summary: sections,
      encrypted_content: `sealed-${id}`,
      ...(options.raw === undefined ? {} : { content: [{ type: "reasoning_text", text: options.raw.join("") }] })
    })
  }

/** Asks for a tool of the client. An MCP tool has the namespace `mcp__<server>`; `callId` becomes the item's id. */
export const functionCall = (
  name: string,
  args: { readonly [key: string]: Schema.Json },
  options?: { readonly namespace?: string; readonly callId?: string }
): Part =>
  function*(context) {
    const id = context.id("fc")
    const output_index = context.outputIndex()
    const sealed = JSON.stringify(args)
    const item = (status: string, args: string) => ({
      type: "function_call",
      id,
      call_id,
      name,
      arguments: args,
      status,
      ...(options?.namespace === undefined ? {} : { namespace: options.namespace })
    })
    const call_id = options?.callId ?? context.id("call")
    yield* itemAdded(output_index, item("in_progress", ""))
    yield* event({ type: "response.function_call_arguments.delta", item_id: id, output_index, delta: sealed })
    yield* event({ type: "response.function_call_arguments.done", item_id: id, output_index, arguments: sealed })
    yield* itemDone(output_index, item("completed", sealed))
  }

/** Asks for a free-form tool, whose input is text and not JSON. The input comes in two deltas. */
export const customToolCall = (
  name: string,
  input: string,
  options?: { readonly callId?: string }
): Part =>
  function*(context) {
    const id = context.id("ctc")
    const output_index = context.outputIndex()
    const call_id = options?.callId ?? context.id("call")
    const item = (status: string, input: string) => ({ type: "custom_tool_call", id, call_id, name, input, status })
    yield* itemAdded(output_index, item("in_progress", ""))
    const half = Math.ceil(input.length / 2)
    for (const delta of [input.slice(0, half), input.slice(half)]) {
      yield* event({ type: "response.custom_tool_call_input.delta", item_id: id, call_id, output_index, delta })
    }
    yield* itemDone(output_index, item("completed", input))
  }

/** A call of the patch tool; `patch` is the text from `*** Begin Patch` to `*** End Patch`. */
export const applyPatch = (patch: string, options?: { readonly callId?: string }): Part =>
  customToolCall("apply_patch", patch, options)

/** A web search that the model ran on its own side. */
export const webSearch = (query: string, options?: { readonly id?: string }): Part =>
  function*(context) {
    const id = options?.id ?? context.id("ws")
    const output_index = context.outputIndex()
    yield* itemAdded(output_index, { type: "web_search_call", id, status: "in_progress" })
    yield* itemDone(output_index, {
      type: "web_search_call",
      id,
      status: "completed",
      action: { type: "search", query }
    })
  }

// =============================================================================
// Stops and ends
// =============================================================================

/** Stops the stream between two items, until the gate opens. */
export const wait = (gate: Gate.Gate): Part => () => [Step.Wait({ gate })]

/** Nothing more, with the stream kept open: an idle timeout, or a turn to interrupt. */
export const silence: Part = () => [Step.Silence()]

/** Breaks the connection off after all that was said before has been sent. */
export const cut: Part = () => [Step.Cut()]

/** Ends the body in order, but without `response.completed`. */
export const end: Part = () => [Step.End()]

/** Ends the stream with `response.failed`, for example `context_length_exceeded`. */
export const failed = (code: string, message: string): Part => (context) => [
  Step.Event({
    event: {
      type: "response.failed",
      response: {
        id: context.responseId,
        object: "response",
        status: "failed",
        error: { code, message },
        usage: null
      }
    }
  }),
  Step.End()
]

/** Ends the stream with `response.incomplete`. Codex gives up on `max_output_tokens` and retries any other reason. */
export const incomplete = (reason: string): Part => (context) => [
  Step.Event({
    event: {
      type: "response.incomplete",
      response: {
        id: context.responseId,
        object: "response",
        status: "incomplete",
        incomplete_details: { reason },
        usage: null
      }
    }
  }),
  Step.End()
]

/** Events as they are, for shapes without a builder. */
export const events = (...events: ReadonlyArray<ModelEvent>): Part => () => events.map((event) => Step.Event({ event }))

// =============================================================================
// Internal
// =============================================================================

function* event(event: ModelEvent): Iterable<Step> {
  yield Step.Event({ event })
}

const itemAdded = (output_index: number, item: Schema.Json): Iterable<Step> =>
  event({ type: "response.output_item.added", output_index, item })

const itemDone = (output_index: number, item: Schema.Json): Iterable<Step> =>
  event({ type: "response.output_item.done", output_index, item })
