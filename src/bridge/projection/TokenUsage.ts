/**
 * The usage of a turn, told as the usage of its thread. Pure.
 */
import type { Usage } from "../../agent/AgentEvent.ts"
import type * as Open from "../../protocol/generated/OpenTypes.ts"

type Breakdown = Required<Open.TokenUsageBreakdown>

/** A thread that has used nothing. */
export const zero: Breakdown = {
  totalTokens: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteInputTokens: 0,
  outputTokens: 0,
  reasoningOutputTokens: 0
}

/** What has been told of a turn's usage so far. */
export interface Meter {
  /** The thread's total before the turn. */
  readonly base: Breakdown
  readonly turn: Usage | undefined
  readonly told: Open.ThreadTokenUsage | undefined
}

export const make = (base: Open.TokenUsageBreakdown): Meter => ({
  base: { ...zero, ...base },
  turn: undefined,
  told: undefined
})

const safe = (value: number): number => Math.min(Math.max(0, value), Number.MAX_SAFE_INTEGER)

const counted = (usage: Usage): Breakdown => ({
  totalTokens: safe(usage.total),
  inputTokens: safe(usage.input),
  cachedInputTokens: safe(usage.cachedInput),
  cacheWriteInputTokens: 0,
  outputTokens: safe(usage.output),
  reasoningOutputTokens: safe(usage.reasoningOutput)
})

const combine = (a: Breakdown, b: Breakdown, f: (a: number, b: number) => number): Breakdown => ({
  totalTokens: f(a.totalTokens, b.totalTokens),
  inputTokens: f(a.inputTokens, b.inputTokens),
  cachedInputTokens: f(a.cachedInputTokens, b.cachedInputTokens),
  cacheWriteInputTokens: f(a.cacheWriteInputTokens, b.cacheWriteInputTokens),
  outputTokens: f(a.outputTokens, b.outputTokens),
  reasoningOutputTokens: f(a.reasoningOutputTokens, b.reasoningOutputTokens)
})

const isZero = (usage: Breakdown): boolean =>
  usage.totalTokens === 0 && usage.inputTokens === 0 && usage.outputTokens === 0

/**
 * Takes a report of the turn.
 *
 * `total` never falls. `last` is what came since the report before; its `totalTokens` is what fills the context now,
 * where the agent tells: clients show the rest of the context by it.
 */
export const report = (
  meter: Meter,
  usage: Usage,
  window: number | undefined
): readonly [Meter, Open.ThreadTokenUsage] => {
  const now = counted(usage)
  const before = meter.turn === undefined ? zero : counted(meter.turn)
  const told = meter.told
  const toldTotal = told === undefined ? meter.base : { ...zero, ...told.total }
  const total = combine(combine(meter.base, now, (a, b) => safe(a + b)), toldTotal, Math.max)
  // Totals that went backwards have started again.
  const step = combine(now, before, (a, b) => a < b ? a : a - b)
  const counts = told !== undefined && isZero(step) ? { ...zero, ...told.last } : step
  const last = usage.context === undefined ? counts : { ...counts, totalTokens: safe(usage.context.used) }
  const modelContextWindow = usage.context?.window ?? told?.modelContextWindow ?? window ?? null
  const next: Open.ThreadTokenUsage = { total, last, modelContextWindow }
  return [{ base: meter.base, turn: usage, told: next }, next]
}
