/**
 * The door for hosts: run a prompt on an agent, watch it, and get one result for every end it can have.
 */
export * as ActiveRuns from "./ActiveRuns.ts"
export type { AttemptCallbacks, TextProgress, ToolProgress } from "./AttemptCallbacks.ts"
export * from "./AttemptError.ts"
export { AttemptHandle } from "./AttemptHandle.ts"
export type { AttemptIdentity, AttemptPhase, SteerOutcome } from "./AttemptHandle.ts"
export { type AttemptParams, AttemptSettings, validate, type ValidParams } from "./AttemptParams.ts"
export * as AttemptReducer from "./AttemptReducer.ts"
export * from "./AttemptResult.ts"
export { type AttemptControl, orFail, runAttempt, runAttemptWith } from "./RunAttempt.ts"
export * as SessionBindings from "./SessionBindings.ts"
export * as StructuredOutput from "./StructuredOutput.ts"
export { summarize } from "./ToolSummaries.ts"
