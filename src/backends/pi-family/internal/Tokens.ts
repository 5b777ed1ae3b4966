/**
 * Tokens of a turn, from what each request to the model took. Pure.
 */
import type { Usage } from "../../../agent/AgentEvent.ts"
import type { TokenCount } from "../AgentFrame.ts"

/** Sums over the requests of a turn, and what the last one has left in the context. */
export interface Tokens extends Pick<Usage, "input" | "cachedInput" | "output" | "reasoningOutput" | "total"> {
  readonly used: number
}

export const noTokens: Tokens = { input: 0, cachedInput: 0, output: 0, reasoningOutput: 0, total: 0, used: 0 }

/** Adds a request. One that was broken off before its provider counted has taken nothing that is known. */
export const counted = (tokens: Tokens, usage: TokenCount): Tokens => {
  const cached = usage.cacheRead ?? 0
  const input = Math.round(usage.input + cached + (usage.cacheWrite ?? 0))
  const output = Math.round(usage.output)
  if (input + output === 0) return tokens
  return {
    input: tokens.input + input,
    cachedInput: tokens.cachedInput + Math.round(cached),
    output: tokens.output + output,
    reasoningOutput: tokens.reasoningOutput + Math.round(usage.reasoningTokens ?? 0),
    total: tokens.total + input + output,
    used: input + output
  }
}
