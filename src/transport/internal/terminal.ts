/**
 * What terminals read and people do not: escape sequences, control characters, invisible characters.
 *
 * Every alternative is decided by its first character and no quantifier is
 * nested, so that matching stays linear on hostile input.
 */

// A string sequence (title, notification, clipboard) that is cut off before its end is matched as its introducer alone.
const sequences = [
  // CSI: colours, cursor, bracketed paste
  String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`,
  // OSC, DCS, SOS, PM, APC with their terminator
  String.raw`(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)`,
  // every other escape sequence
  String.raw`\x1b[ -/]*[0-~]`
].join("|")

// Zero width characters, direction overrides, byte order mark, soft hyphen.
const invisible = String.raw`\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff`

/** Everything but tab, line feed and carriage return that a log line should not carry. */
export const unprintable = new RegExp(
  String.raw`${sequences}|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f${invisible}]`,
  "g"
)

const preamble = new RegExp(String.raw`(?:${sequences}|[\x00-\x1f\x7f-\x9f${invisible}]|\s)`, "y")

/** Index of the first character of `line` that a person would see. */
export const visibleStart = (line: string): number => {
  let index = 0
  for (;;) {
    preamble.lastIndex = index
    if (!preamble.test(line)) return index
    index = preamble.lastIndex
  }
}
