/**
 * Tokens of one turn from a thread's cumulative totals. Pure.
 *
 * Codex reports the sum over the whole thread, repeats old reports after a resume, and may start again lower.
 * See {@link Usage} for what `fresh` says.
 */
import type { Usage } from "../../../agent/AgentEvent.ts"
import type * as Wire from "./Wire.ts"

type Totals = Pick<Usage, "input" | "cachedInput" | "output" | "reasoningOutput" | "total">

const zero: Totals = { input: 0, cachedInput: 0, output: 0, reasoningOutput: 0, total: 0 }

const totals = (usage: Wire.TokenUsageBreakdown): Totals => ({
  input: usage.inputTokens,
  cachedInput: usage.cachedInputTokens,
  output: usage.outputTokens,
  reasoningOutput: usage.reasoningOutputTokens,
  total: usage.totalTokens
})

const combine = (a: Totals, b: Totals, f: (a: number, b: number) => number): Totals => ({
  input: f(a.input, b.input),
  cachedInput: f(a.cachedInput, b.cachedInput),
  output: f(a.output, b.output),
  reasoningOutput: f(a.reasoningOutput, b.reasoningOutput),
  total: f(a.total, b.total)
})

const minus = (a: number, b: number): number => Math.max(0, a - b)
const plus = (a: number, b: number): number => a + b

const below = (a: Totals, b: Totals): boolean => a.total < b.total || a.input < b.input || a.output < b.output

/** What is known of a thread's totals, and of the turn that counts against them. */
export interface Meter {
  /** Last reading of the thread; missing until codex has reported one of a resumed thread. */
  readonly last: Totals | undefined
  /** Reading that the turn is counted from. */
  readonly baseline: Totals | undefined
  /** Whether the turn has had a report of its own. */
  readonly reported: boolean
  /** Counted in this turn before the totals started again. */
  readonly carried: Totals
  readonly fresh: boolean
}

/** A thread without history counts from zero; one that was resumed waits for its first report. */
export const make = (isNew: boolean): Meter => ({
  last: isNew ? zero : undefined,
  baseline: undefined,
  reported: false,
  carried: zero,
  fresh: true
})

/** From now on, count for a new turn. */
export const startTurn = (meter: Meter): Meter => ({
  last: meter.last,
  baseline: meter.last,
  reported: false,
  carried: zero,
  // Without an earlier reading the first report itself tells what the thread had before: its total without its own
  // request. Codex repeats no reading for a thread that it still has loaded.
  fresh: true
})

/**
 * Takes a report that counts for another turn: codex repeats the last one of a thread after a resume, which may
 * arrive while the next turn is being started.
 */
export const observe = (meter: Meter, usage: Wire.ThreadTokenUsage): Meter => {
  const last = totals(usage.total)
  return meter.reported ? { ...meter, last } : { ...meter, last, baseline: last, fresh: true }
}

/** Takes a report; gives the turn's usage so far. */
export const report = (meter: Meter, usage: Wire.ThreadTokenUsage): readonly [Meter, Usage] => {
  const now = totals(usage.total)
  const restarted = meter.last !== undefined && below(now, meter.last)
  const baseline = restarted
    ? zero
    : meter.baseline ?? combine(now, totals(usage.last), minus)
  const carried = restarted && meter.last !== undefined && meter.baseline !== undefined
    ? combine(meter.carried, combine(meter.last, meter.baseline, minus), plus)
    : meter.carried
  const next: Meter = { last: now, baseline, reported: true, carried, fresh: meter.fresh && !restarted }
  const window = usage.modelContextWindow
  const counted = combine(carried, combine(now, baseline, minus), plus)
  return [next, {
    ...counted,
    fresh: next.fresh,
    context: { used: usage.last.totalTokens, ...(window == null ? {} : { window }) }
  }]
}
