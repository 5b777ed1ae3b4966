/**
 * Base64 as the real server reads and writes it: standard alphabet, padded, nothing else in between.
 */
import * as Result from "effect/Result"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
const symbols: ReadonlySet<number> = new Set(Buffer.from(alphabet))
const padding = "=".charCodeAt(0)

export const encode = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")

const isSymbol = (byte: number | undefined): boolean => byte !== undefined && symbols.has(byte)

/**
 * What is wrong with a text, in the words of the real server. Which of several faults it names follows from how it
 * reads: four symbols at a time, padding only in the last four.
 */
const faultOf = (text: string): string => {
  const bytes = Buffer.from(text)
  const symbol = (offset: number) => `Invalid symbol ${bytes[offset]}, offset ${offset}.`

  const rest = bytes.length % 4
  const last = bytes.length - 1
  if (rest === 1 && bytes[last] !== padding && !isSymbol(bytes[last])) return symbol(last)
  const start = bytes.length - (rest === 0 ? Math.min(4, bytes.length) : rest)
  const wrong = bytes.subarray(0, start).findIndex((byte) => !isSymbol(byte))
  if (wrong >= 0) return symbol(wrong)

  let count = 0
  let firstPadding = -1
  for (let offset = start; offset < bytes.length; offset++) {
    if (bytes[offset] === padding) {
      if (offset - start < 2) return symbol(offset)
      if (firstPadding < 0) firstPadding = offset
    } else if (firstPadding >= 0) return symbol(firstPadding)
    else if (!isSymbol(bytes[offset])) return symbol(offset)
    else count += 1
  }
  if (count === 1) return `Invalid input length: ${start + 1}`
  if (rest !== 0) return "Invalid padding"
  return `Invalid last symbol ${bytes[start + count - 1]}, offset ${start + count - 1}.`
}

/** The bytes, or a sentence that says what is wrong with the text. */
export const decode = (text: string): Result.Result<Uint8Array, string> => {
  // Node's decoder skips what it does not know. It is strict enough when its encoder gives the same text back.
  const bytes = Buffer.from(text, "base64")
  return bytes.toString("base64") === text ? Result.succeed(bytes) : Result.fail(faultOf(text))
}
