/**
 * Rounds of measurements, and the table of their medians.
 */
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** A failure is no measurement: it ends the program. */
export interface Measurement<R = never> {
  readonly name: string
  /** Things that one run does. */
  readonly count: number
  readonly run: Effect.Effect<unknown, never, R>
}

const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Runs of which the best counts in a round: the machine does other things, too. */
const tries = 3

/**
 * Runs all of them in each round, so that what else the machine does hits them alike; the first is the base. The table
 * has the medians of the rounds.
 */
export const compare = Effect.fnUntraced(function*<R>(
  title: string,
  unit: string,
  rounds: number,
  measurements: ReadonlyArray<Measurement<R>>
) {
  const times = measurements.map(() => new Array<number>())
  // A round that warms up, and counts for nothing.
  for (let round = -1; round < rounds; round++) {
    const best = measurements.map(() => Number.POSITIVE_INFINITY)
    for (let attempt = 0; attempt < tries; attempt++) {
      for (const [index, { count, run }] of measurements.entries()) {
        const [duration] = yield* Effect.timed(run)
        best[index] = Math.min(best[index] ?? 0, Duration.toMillis(duration) * 1000 / count)
      }
    }
    if (round >= 0) best.forEach((micros, index) => times[index]?.push(micros))
  }
  const base = times[0] ?? []
  yield* Console.log(`\n${title} (${rounds} rounds, medians)`)
  yield* Console.log(
    `${"".padEnd(46)}${`µs a ${unit}`.padStart(16)}${`${unit}s a second`.padStart(22)}${"ratio".padStart(8)}`
  )
  for (const [index, { name }] of measurements.entries()) {
    const own = times[index] ?? []
    const micros = median(own)
    const ratio = median(own.map((value, round) => value / (base[round] ?? Number.NaN)))
    yield* Console.log(
      name.padEnd(46) + micros.toFixed(2).padStart(16) + Math.round(1e6 / micros).toLocaleString("en").padStart(22) +
        ratio.toFixed(2).padStart(8)
    )
  }
})
