/**
 * The patterns of an ignore file, as git reads them. Pure.
 */

interface Rule {
  readonly negated: boolean
  readonly directoriesOnly: boolean
  readonly pattern: RegExp
}

/** What an ignore file says. */
export type IgnoreRules = ReadonlyArray<Rule>

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, "\\$&")

/** The source of a regular expression for one pattern without its slash in front; nothing fits a set without an end. */
const translate = (glob: string): string | undefined => {
  let source = ""
  for (let at = 0; at < glob.length; at++) {
    const sign = glob[at] ?? ""
    if (sign === "*") {
      const start = at
      while (glob[at + 1] === "*") at += 1
      const whole = (start === 0 || glob[start - 1] === "/") && at > start
      if (whole && glob[at + 1] === "/") {
        // Any number of directories, also none.
        source += "(?:[^/]+/)*"
        at += 1
      } else if (whole && at + 1 === glob.length) source += ".+"
      else source += "[^/]*"
    } else if (sign === "?") source += "[^/]"
    else if (sign === "[") {
      // A bracket in first place belongs to the set.
      const end = glob.indexOf("]", at + (/^\[[!^]?\]/u.test(glob.slice(at)) ? glob.slice(at).indexOf("]") + 1 : 1))
      if (end < 0) return undefined
      const body = glob.slice(at + 1, end)
      const not = /^[!^]/u.test(body)
      const set = (not ? body.slice(1) : body).replaceAll(/[\\^\][]/gu, "\\$&")
      source += `(?!/)[${not ? "^" : ""}${set}]`
      at = end
    } else if (sign === "\\" && at + 1 < glob.length) {
      at += 1
      source += escape(glob[at] ?? "")
    } else source += escape(sign)
  }
  return source
}

const ruleOf = (line: string): ReadonlyArray<Rule> => {
  // Spaces at the end count only behind a backslash.
  let text = line.replace(/\r$/u, "").replace(/(?<!\\)\s+$/u, "")
  if (text === "" || text.startsWith("#")) return []
  const negated = text.startsWith("!")
  if (negated) text = text.slice(1)
  const directoriesOnly = text.endsWith("/")
  if (directoriesOnly) text = text.slice(0, -1)
  const anchored = text.includes("/")
  if (text.startsWith("/")) text = text.slice(1)
  const source = translate(text)
  if (text === "" || source === undefined) return []
  try {
    return [{ negated, directoriesOnly, pattern: new RegExp(`^${anchored ? "" : "(?:.*/)?"}${source}$`, "su") }]
  } catch {
    // A set such as `[z-a]` fits nothing.
    return []
  }
}

export const parse = (text: string): IgnoreRules => text.split("\n").flatMap(ruleOf)

/**
 * Whether the file says that a path is ignored, or that it is not; `undefined` if it says nothing. `path` is relative
 * to the directory of the file, with slashes. The last rule that fits counts.
 */
export const verdict = (rules: IgnoreRules, path: string, isDirectory: boolean): boolean | undefined => {
  for (let index = rules.length - 1; index >= 0; index--) {
    const rule = rules[index]
    if (rule === undefined || (rule.directoriesOnly && !isDirectory)) continue
    if (rule.pattern.test(path)) return !rule.negated
  }
  return undefined
}
