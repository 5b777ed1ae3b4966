/**
 * What an `omp` process asks of its host: dialogs of extensions and tools, and calls of the host's tools.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const common = {
  id: Schema.String,
  title: Schema.String,
  /** Milliseconds until omp answers for itself. */
  timeout: Schema.optionalKey(Schema.Finite)
}

/** A question that waits for an answer. */
export const Dialog = Schema.Union([
  Schema.Struct({
    ...common,
    method: Schema.Literal("select"),
    options: Schema.Array(Schema.String),
    optionDetails: Schema.optionalKey(Schema.Array(Schema.Struct({ description: Schema.optionalKey(Schema.String) })))
  }),
  Schema.Struct({ ...common, method: Schema.Literal("confirm"), message: Schema.String }),
  Schema.Struct({ ...common, method: Schema.Literal("input"), placeholder: Schema.optionalKey(Schema.String) }),
  Schema.Struct({ ...common, method: Schema.Literal("editor"), prefill: Schema.optionalKey(Schema.String) })
])
export type Dialog = typeof Dialog.Type

export type DialogAnswer =
  /** To `select`, `input` and `editor`: an option as it was given, or a text. */
  | { readonly _tag: "Value"; readonly value: string }
  /** To `confirm`. */
  | { readonly _tag: "Confirmed"; readonly confirmed: boolean }
  /** Nobody answers. */
  | { readonly _tag: "Cancelled" }

export const HostToolCall = Schema.Struct({
  id: Schema.String,
  toolCallId: Schema.String,
  toolName: Schema.String,
  arguments: Schema.Json
})
export type HostToolCall = typeof HostToolCall.Type

export type HostToolContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }

export interface HostToolOutput {
  readonly content: ReadonlyArray<HostToolContent>
  readonly details?: Schema.Json
}

export interface HostToolResult extends HostToolOutput {
  readonly isError?: boolean
}

/**
 * Each call runs on a fiber of its own. The fiber is interrupted when omp takes the request back, when the run is
 * aborted, and when the process ends; a defect is answered by a refusal.
 */
export interface RpcHandlers {
  readonly onDialog: (dialog: Dialog) => Effect.Effect<DialogAnswer>
  /** `update` shows what there is so far, in full: it replaces what was shown before. */
  readonly onHostTool: (
    call: HostToolCall,
    update: (partial: HostToolOutput) => Effect.Effect<void>
  ) => Effect.Effect<HostToolResult>
}
