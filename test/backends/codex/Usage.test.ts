import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type { Usage as TurnUsage } from "../../../src/agent/AgentEvent.ts"
import * as Usage from "../../../src/backends/codex/internal/Usage.ts"
import { type Reading, some, tokenUsage } from "./support/messages.ts"

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))
const Tokens = Schema.Tuple([Count, Count, Count, Count])
const Turns = Schema.Array(Schema.Array(Tokens).check(Schema.isMinLength(1)))

const nothing: Reading = [0, 0, 0, 0]

const add = (a: Reading, b: Reading): Reading => [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]

const reading = (usage: TurnUsage): Reading => [usage.input, usage.cachedInput, usage.output, usage.reasoningOutput]

/** Plays turns of requests on a thread whose total is `total`; gives what was said last of each turn. */
const play = (meter: Usage.Meter, total: Reading, turns: ReadonlyArray<ReadonlyArray<Reading>>) => {
  const usages: Array<TurnUsage> = []
  for (const requests of turns) {
    meter = Usage.startTurn(meter)
    let usage: TurnUsage | undefined
    for (const request of requests) {
      total = add(total, request)
      ;[meter, usage] = Usage.report(meter, tokenUsage(total, request))
    }
    usages.push(some(usage))
  }
  return { meter, total, usages }
}

describe("Usage", () => {
  it.prop("of the turns of a new thread adds up to its total", [Turns], ([turns]) => {
    const { total, usages } = play(Usage.make(true), nothing, turns)
    assert.deepStrictEqual(usages.map(reading).reduce(add, nothing), total)
    for (const [index, usage] of usages.entries()) {
      assert.isTrue(usage.fresh)
      assert.deepStrictEqual(reading(usage), some(turns[index]).reduce(add, nothing))
      assert.strictEqual(usage.total, usage.input + usage.output)
    }
  })

  it.prop(
    "after a resume does not count what codex repeats, before the turn or while it starts",
    [Tokens, Turns, Schema.Boolean],
    ([past, turns, early]) => {
      let meter = Usage.make(false)
      if (!early) meter = Usage.startTurn(meter)
      meter = Usage.observe(meter, tokenUsage(past, past))
      if (turns.length === 0) return
      if (early) meter = Usage.startTurn(meter)
      let total: Reading = past
      let usage: TurnUsage | undefined
      for (const request of some(turns[0])) {
        total = add(total, request)
        ;[meter, usage] = Usage.report(meter, tokenUsage(total, request))
      }
      assert.deepStrictEqual(reading(some(usage)), some(turns[0]).reduce(add, nothing))
      assert.isTrue(some(usage).fresh)
    }
  )

  it("after a resume is the difference: the example of the field", () => {
    const meter = Usage.startTurn(Usage.observe(Usage.make(false), tokenUsage([1000, 700, 60, 0], [1000, 700, 60, 0])))
    const [, usage] = Usage.report(meter, tokenUsage([1800, 1400, 125, 0], [800, 700, 65, 0]))
    assert.deepInclude(usage, { input: 800, cachedInput: 700, output: 65, total: 865, fresh: true })
  })

  it("after a resume without a report is counted from the turn's first request on", () => {
    const [, usage] = Usage.report(
      Usage.startTurn(Usage.make(false)),
      tokenUsage([22_000_000, 9_000_000, 400_000, 70_000], [900, 100, 50, 20])
    )
    assert.deepStrictEqual(reading(usage), [900, 100, 50, 20])
    assert.isTrue(usage.fresh)
  })

  it("goes on from what was counted when the total starts again, and says that it cannot be compared", () => {
    let meter = Usage.startTurn(Usage.make(true))
    ;[meter] = Usage.report(meter, tokenUsage([1000, 0, 100, 0], [1000, 0, 100, 0]))
    const [after, usage] = Usage.report(meter, tokenUsage([200, 0, 10, 0], [200, 0, 10, 0]))
    assert.deepStrictEqual(reading(usage), [1200, 0, 110, 0])
    assert.isFalse(usage.fresh)
    const [, next] = Usage.report(Usage.startTurn(after), tokenUsage([250, 0, 15, 0], [50, 0, 5, 0]))
    assert.deepStrictEqual(reading(next), [50, 0, 5, 0])
    assert.isTrue(next.fresh)
  })

  it("has what is in the context now beside the sums, never as one of them", () => {
    const [, usage] = Usage.report(
      Usage.startTurn(Usage.make(true)),
      tokenUsage([500_000, 0, 1000, 0], [30_000, 0, 100, 0], 258_400)
    )
    assert.deepStrictEqual(usage.context, { used: 30_100, window: 258_400 })
    const [, unknown] = Usage.report(Usage.startTurn(Usage.make(true)), tokenUsage(nothing, nothing, null))
    assert.deepStrictEqual(unknown.context, { used: 0 })
  })

  const Act = Schema.Struct({ act: Schema.Literals(["start", "report", "observe"]), total: Tokens, last: Tokens })

  it.prop("is never negative, whatever is reported", [Schema.Boolean, Schema.Array(Act)], ([isNew, acts]) => {
    let meter = Usage.make(isNew)
    for (const { act, last, total } of acts) {
      if (act === "start") meter = Usage.startTurn(meter)
      else if (act === "observe") meter = Usage.observe(meter, tokenUsage(total, last))
      else {
        const [next, usage] = Usage.report(meter, tokenUsage(total, last))
        meter = next
        for (const count of [...reading(usage), usage.total]) assert.isAtLeast(count, 0)
      }
    }
  })
})
