/**
 * The wire of `codex app-server` as data: types and schemas of every message, JSON-RPC envelopes, error codes, and the
 * check whether a binary still speaks it. Nothing here does I/O but `SchemaExport` and `Drift.check`, which run a binary.
 *
 * `Rpcs` is not among these exports, because it loads `effect/rpc`: import it by its own path.
 */
export * as Definitions from "./Definitions.ts"
export * as Drift from "./Drift.ts"
export * as Envelope from "./Envelope.ts"
export * as ErrorCodes from "./ErrorCodes.ts"
export type * as Open from "./generated/OpenTypes.ts"
export { codexVersion } from "./generated/Shapes.ts"
export type * as Strict from "./generated/StrictTypes.ts"
export * as Methods from "./Methods.ts"
export type { OpenEnum, UnknownObject, UnknownTag, UnknownVariant, Variant } from "./Openness.ts"
export { Mismatch, Problem, ProtocolError, UnknownMethod } from "./ProtocolError.ts"
export * as SchemaExport from "./SchemaExport.ts"
