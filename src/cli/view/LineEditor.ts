/**
 * A line that somebody types, from what a terminal in raw mode sends. Pure.
 */

export type Typed =
  | { readonly _tag: "Editing"; readonly text: string }
  | { readonly _tag: "Submitted"; readonly text: string }
  /** Ctrl-D on an empty line. */
  | { readonly _tag: "Ended" }
  /** Ctrl-C. */
  | { readonly _tag: "Interrupted" }

// Arrow keys and their like. There is nothing to move in.
const sequence = new RegExp(String.raw`\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?`, "gsu")

/** Applies input to a line. What comes after its end is not for this line, and dropped. */
export const type = (text: string, input: string): Typed => {
  let line = text
  for (const character of input.replace(sequence, "")) {
    switch (character) {
      case "\r":
      case "\n":
        return { _tag: "Submitted", text: line }
      case "\x03":
        return { _tag: "Interrupted" }
      case "\x04":
        if (line === "") return { _tag: "Ended" }
        break
      case "\x7f":
      case "\b":
        line = Array.from(line).slice(0, -1).join("")
        break
      case "\x15":
        line = ""
        break
      case "\x17":
        line = line.replace(/\S*\s*$/u, "")
        break
      default:
        if (character >= " ") line += character
    }
  }
  return { _tag: "Editing", text: line }
}
