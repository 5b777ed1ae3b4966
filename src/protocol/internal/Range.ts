/**
 * What the integers of the wire can hold, by their formats.
 */

interface Range {
  readonly minimum: number
  readonly maximum: number
}

const int64: Range = { minimum: -(2 ** 63), maximum: 2 ** 63 }
const uint64: Range = { minimum: 0, maximum: 2 ** 64 }

const ranges: Readonly<Record<string, Range>> = {
  uint8: { minimum: 0, maximum: 0xff },
  uint16: { minimum: 0, maximum: 0xffff },
  uint32: { minimum: 0, maximum: 0xffff_ffff },
  uint64,
  uint: uint64,
  int32: { minimum: -0x8000_0000, maximum: 0x7fff_ffff },
  int64
}

/** The range of a format. That of 64 bits is as exact as a number of JavaScript is. */
export const range = (format: string): Range => ranges[format] ?? int64

/** Whether a number is one that a format can hold. */
export const fits = (format: string, value: unknown): boolean => {
  const { maximum, minimum } = range(format)
  return typeof value === "number" && Number.isInteger(value) && value >= minimum && value <= maximum
}
