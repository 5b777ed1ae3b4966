/**
 * How long omp waits for an extension that looks at a call: people take their time to answer, and agents that an agent has
 * started have no dialog during which omp would not count.
 */

/** Milliseconds; the most that a timer takes. */
export const foreverMillis = 2 ** 31 - 1
