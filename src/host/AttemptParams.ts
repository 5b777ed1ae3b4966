/**
 * What a host asks of one attempt.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { isAbsolute, normalize } from "node:path"
import { ApprovalPolicy, SandboxMode } from "../agent/AgentBackend.ts"
import type { AttemptCallbacks } from "./AttemptCallbacks.ts"
import { AttemptError, InvalidParams } from "./AttemptError.ts"
import { compile, type OutputReader } from "./StructuredOutput.ts"

const NonEmpty = Schema.String.check(Schema.isNonEmpty({ description: "must not be empty" }))

const AbsolutePath = Schema.String.check(
  Schema.makeFilter((path) => isAbsolute(path) || "must be an absolute path")
)

const Milliseconds = Schema.Finite.check(Schema.isGreaterThan(0))

const RemoteImage = Schema.Struct({
  url: Schema.String.check(
    Schema.makeFilter((url) => /^(?:https?|data):/iu.test(url) || "must be an http, https or data URL")
  )
})

const LocalImage = Schema.Struct({ path: AbsolutePath })

/** The part of the parameters that is data. */
export const AttemptSettings = Schema.Struct({
  prompt: Schema.String,
  /** `http(s):` and `data:` URLs, or absolute paths of files that stay there while the turn runs. */
  images: Schema.optional(Schema.Array(Schema.Union([RemoteImage, LocalImage]))),
  /** Absolute path of the directory to work in. Without it a resumed session keeps its own. */
  workspaceDir: Schema.optional(AbsolutePath),
  model: Schema.optional(NonEmpty),
  /** The agent's name of a model provider. */
  provider: Schema.optional(NonEmpty),
  /** Reasoning effort, e.g. `minimal`, `low`, `medium`, `high`. */
  thinkLevel: Schema.optional(NonEmpty),
  approvalPolicy: Schema.optional(ApprovalPolicy),
  sandbox: Schema.optional(SandboxMode),
  /** Added to the agent's own instructions. */
  developerInstructions: Schema.optional(Schema.String),
  /** JSON Schema that the final answer must fit; the value comes as `structuredOutput`. */
  outputSchema: Schema.optional(Schema.Json),
  /** `plan`: the agent plans and does not act, where it knows such a mode. */
  mode: Schema.optional(Schema.Literals(["default", "plan"])),
  /** Further settings of the session under the agent's own names. */
  config: Schema.optional(Schema.Record(Schema.String, Schema.Json)),
  /** Absolute path of the host's session file, next to which the binding is kept. Need not exist. */
  sessionFile: Schema.optional(AbsolutePath),
  /** The host's name of the conversation. Never used as a path. */
  sessionKey: Schema.optional(NonEmpty),
  /** The host's id of this attempt, to steer and abort it by. Made up if missing. */
  runId: Schema.optional(NonEmpty),
  /** Milliseconds that the whole attempt may take. Without it there is no limit. */
  timeoutMs: Schema.optional(Milliseconds),
  /** Milliseconds without any event after which the turn is stopped; paused while an item or request is open. */
  idleTimeoutMs: Schema.optional(Milliseconds)
})
export type AttemptSettings = typeof AttemptSettings.Type

/** The parameters of an attempt: settings and callbacks. Only `prompt` is needed. */
export interface AttemptParams extends AttemptSettings, AttemptCallbacks {
  /** Another name for `developerInstructions`, which comes first where both are given. */
  readonly extraSystemPrompt?: string | undefined
}

/** Parameters that passed validation. */
export interface ValidParams {
  readonly settings: AttemptSettings
  readonly callbacks: AttemptCallbacks
  readonly readOutput: OutputReader | undefined
}

const decodeSettings = Schema.decodeUnknownResult(AttemptSettings)
const listIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const invalid = (field: string, detail: string) => new AttemptError({ reason: new InvalidParams({ field, detail }) })

const toInvalid = (issue: SchemaIssue.Issue): AttemptError => {
  const issues = listIssues(issue).issues
  // Of a union, the alternative that is there and wrong says more than the one that is missing.
  const first = issues.find(({ message }) => message !== "Missing key") ?? issues[0]
  const path = (first?.path ?? []).map((key) => String(typeof key === "object" ? key.key : key)).join(".")
  return invalid(path === "" ? "params" : path, first?.message ?? "invalid")
}

const joined = (params: AttemptParams): string | undefined => {
  const parts = [params.developerInstructions, params.extraSystemPrompt].filter((text) => text !== undefined)
  return parts.length === 0 ? undefined : parts.join("\n\n")
}

/** Checks the parameters. Fails with `InvalidParams`, which names the first wrong field. */
export const validate = Effect.fnUntraced(function*(
  params: AttemptParams
): Effect.fn.Return<ValidParams, AttemptError> {
  const decoded = decodeSettings({ ...params, developerInstructions: joined(params) })
  if (Result.isFailure(decoded)) return yield* toInvalid(decoded.failure.issue)
  // One file is one conversation, however its path is spelled.
  const settings = decoded.success.sessionFile === undefined
    ? decoded.success
    : { ...decoded.success, sessionFile: normalize(decoded.success.sessionFile) }
  if (settings.prompt.trim() === "" && (settings.images ?? []).length === 0) {
    return yield* invalid("prompt", "must not be empty unless there are images")
  }
  if (settings.outputSchema === undefined) return { settings, callbacks: params, readOutput: undefined }
  const reader = compile(settings.outputSchema)
  if (Result.isFailure(reader)) return yield* invalid("outputSchema", reader.failure)
  return { settings, callbacks: params, readOutput: reader.success }
})
