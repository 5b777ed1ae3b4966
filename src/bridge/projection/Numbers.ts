/**
 * Numbers as the wire can hold them. Pure.
 */

/** A count or a duration: whole, not negative, and exact in JSON. */
export const whole = (value: number): number => Math.min(Math.max(0, Math.round(value)), Number.MAX_SAFE_INTEGER)

/** Seconds since the epoch. */
export const seconds = (ms: number): number => Math.floor(ms / 1000)
