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
  /** What the turn is counted from: the thread's total before it, as a rule. */
  readonly base: Breakdown
  readonly turn: Usage | undefined
  /** The last report, of this turn or the one before it. */
  readonly told: Open.ThreadTokenUsage | undefined
  /** The window that this turn has told of. */
  readonly window: number | undefined
}

/** `before`: what was told of the thread last. */
export const make = (before?: Open.ThreadTokenUsage | undefined): Meter => ({
  base: { ...zero, ...before?.total },
  turn: undefined,
  told: before,
  window: undefined
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

/** A context that has run over: the agent does not know what it holds, and calls it full. */
const isFull = (step: Breakdown, window: number | undefined): boolean =>
  step.totalTokens > 0 && step.totalTokens === window && step.inputTokens === 0 && step.outputTokens === 0

/**
 * Takes a report of the turn.
 *
 * `total` never falls. `last` is what came since the report before; its `totalTokens` is what fills the context now,
 * where the agent tells: clients show the rest of the context by it. A report without news repeats the one before,
 * unless the context is another one.
 *
 * When the context has run over, the total is the window, and nothing is known of its parts: so does the real server.
 */
export const report = (
  meter: Meter,
  usage: Usage,
  modelWindow: number | undefined
): readonly [Meter, Open.ThreadTokenUsage] => {
  const { told } = meter
  const now = counted(usage)
  const before = meter.turn === undefined ? zero : counted(meter.turn)
  const toldTotal = told === undefined ? meter.base : { ...zero, ...told.total }
  // Totals that went backwards have started again.
  const step = combine(now, before, (a, b) => a < b ? a : a - b)
  const context = usage.context === undefined ? undefined : safe(usage.context.used)
  const window = usage.context?.window ?? meter.window
  const full = isFull(step, window)
  const total = full
    ? { ...zero, totalTokens: Math.max(step.totalTokens, toldTotal.totalTokens) }
    : combine(combine(meter.base, now, (a, b) => safe(a + b)), toldTotal, Math.max)
  const repeats = isZero(step) && told !== undefined && (context === undefined || context === told.last.totalTokens)
  const counts = repeats ? { ...zero, ...told.last } : step
  const next: Open.ThreadTokenUsage = {
    total,
    last: context === undefined ? counts : { ...counts, totalTokens: context },
    modelContextWindow: window ?? modelWindow ?? told?.modelContextWindow ?? null
  }
  const base = full ? combine(total, now, (a, b) => a - b) : meter.base
  return [{ base, turn: usage, told: next, window }, next]
}
