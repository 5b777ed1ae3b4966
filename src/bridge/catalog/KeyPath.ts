/**
 * The key paths of `config/value/write`: names joined by dots; a name in double quotes may hold dots, and a backslash
 * in it stands before any character that is meant as it is.
 */
import * as Result from "effect/Result"

/** Reads a key path. Fails with the sentence that codex says. */
export const parse = (keyPath: string): Result.Result<ReadonlyArray<string>, string> => {
  if (keyPath.trim() === "") return Result.fail("keyPath must not be empty")
  const segments: Array<string> = []
  let segment = ""
  let quoted = false
  for (let at = 0; at < keyPath.length; at++) {
    const char = keyPath.charAt(at)
    if (quoted && char === "\\") {
      at++
      segment += keyPath.charAt(at)
    } else if (quoted && char === "\"") quoted = false
    else if (quoted) segment += char
    else if (char === ".") {
      if (segment === "") return Result.fail("keyPath segments must not be empty")
      segments.push(segment)
      segment = ""
    } else if (char === "\"") {
      if (segment !== "") return Result.fail("invalid quoted keyPath segment")
      quoted = true
    } else segment += char
  }
  if (quoted) return Result.fail("unterminated quoted keyPath segment")
  if (segment === "") return Result.fail("keyPath segments must not be empty")
  return Result.succeed([...segments, segment])
}
