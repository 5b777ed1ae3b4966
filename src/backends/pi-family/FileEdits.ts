/**
 * File changes as unified diffs: of one change, and of all changes of a turn. Pure.
 *
 * The shapes are codex's own, since its clients parse them: a change has the whole content of a file that is added or
 * deleted, and hunks without the names of files otherwise; a turn's diff is what git prints with full blob ids.
 */
import { applyPatch } from "diff/lib/patch/apply.js"
import { structuredPatch } from "diff/lib/patch/create.js"
import * as NodeCrypto from "node:crypto"
import type { FileEdit } from "../../agent/AgentItem.ts"

/** A file's content; `null` where there is no file, `undefined` where nobody knows. */
export type Content = string | null | undefined

/** What was, or will be, done to one file. */
export interface Change {
  /** Absolute path, before a move. */
  readonly path: string
  readonly before: Content
  readonly after: Content
  readonly movedTo?: string | undefined
  /** Hunks from elsewhere, for contents that are not known. */
  readonly hunks?: string | undefined
}

/** How many edits apart two texts may be before all of the one is said to replace all of the other. */
const maxEditLength = 1000

const context = 3

const linesOf = (text: string): ReadonlyArray<string> =>
  text === "" ? [] : (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n")

const noNewline = "\\ No newline at end of file"

const range = (start: number, count: number): string =>
  count === 1 ? String(start) : `${count === 0 ? start - 1 : start},${count}`

const hunk = (oldStart: number, newStart: number, lines: ReadonlyArray<string>): string => {
  const added = lines.filter((line) => line.startsWith("+")).length
  const removed = lines.filter((line) => line.startsWith("-")).length
  const common = lines.filter((line) => line.startsWith(" ")).length
  const header = `@@ -${range(oldStart, removed + common)} +${range(newStart, added + common)} @@`
  return `${header}\n${lines.join("\n")}\n`
}

const signed = (sign: "+" | "-", text: string): ReadonlyArray<string> => {
  const lines = linesOf(text).map((line) => `${sign}${line}`)
  return text === "" || text.endsWith("\n") ? lines : [...lines, noNewline]
}

/** The hunks that make `after` of `before`; empty when they are the same. */
export const hunks = (before: string, after: string): string => {
  if (before === after) return ""
  const patch = structuredPatch("", "", before, after, undefined, undefined, { context, maxEditLength })
  return patch === undefined
    ? hunk(1, 1, [...signed("-", before), ...signed("+", after)])
    : patch.hunks.map(({ lines, newStart, oldStart }) => hunk(oldStart, newStart, lines)).join("")
}

/** The text after the hunks; `undefined` if they do not fit it. */
export const applyHunks = (before: string, hunks: string): string | undefined => {
  const after = applyPatch(before, `--- a\n+++ b\n${hunks}`)
  return after === false ? undefined : after
}

const numberedLine = /^([ +-])\s*(\d+)[| ](.*)$/s

/**
 * The hunks of a diff whose lines are numbered, e.g. `-2|two` of omp and `-2 two` of pi. Removed and common lines have
 * the number that they had, added ones the number that they have now; where the numbers jump, lines were left out.
 * `undefined` for anything else.
 */
export const fromNumbered = (diff: string): string | undefined => {
  const result: Array<string> = []
  let lines: Array<string> = []
  let starts = { old: 1, new: 1 }
  let at = { old: 1, new: 1 }
  const flush = () => {
    if (lines.some((line) => !line.startsWith(" "))) result.push(hunk(starts.old, starts.new, lines))
    lines = []
  }
  for (const line of linesOf(diff)) {
    if (line.startsWith("@@") || /^\s+(?:\.\.\.|…)$/.test(line)) {
      flush()
      continue
    }
    const [, sign, digits, text] = numberedLine.exec(line) ?? []
    if (sign === undefined || digits === undefined || text === undefined) return undefined
    const offset = at.new - at.old
    const number = Number(digits)
    const old = sign === "+" ? number - offset : number
    // Lines that are added stand where the common line before them ended, whatever came of the lines removed there.
    if (lines.length === 0 || (sign === "+" ? number !== at.new : number !== at.old)) {
      flush()
      at = { old, new: old + offset }
      starts = at
    }
    lines.push(`${sign}${text}`)
    at = { old: at.old + (sign === "+" ? 0 : 1), new: at.new + (sign === "-" ? 0 : 1) }
  }
  flush()
  return result.length === 0 ? undefined : result.join("")
}

/** A change as people and clients are shown it. What is not known of it is left empty. */
export const fileEdit = ({ after, before, hunks: given, movedTo, path }: Change): FileEdit => {
  const moved = movedTo === undefined || movedTo === path ? {} : { movedTo }
  if (before === null && typeof after === "string") return { path, kind: "add", diff: after }
  if (after === null) return { path, kind: "delete", diff: before ?? "" }
  const diff = typeof before === "string" && typeof after === "string" ? hunks(before, after) : given ?? ""
  return { path, kind: "update", diff, ...moved }
}

interface File {
  /** Where it was before the turn. */
  readonly origin: string
  readonly before: Content
  readonly after: Content
  /** Of changes whose contents are not known, one after the other. */
  readonly hunks: ReadonlyArray<string>
  /** As last rendered. */
  text: string | undefined
}

/** The changes of a turn, a file at a time: from what it was before the first one to what it is after the last one. */
export class TurnFiles {
  readonly #files = new Map<string, File>()
  readonly #named: (path: string) => string

  /** Paths below `cwd` are shown without it. */
  constructor(cwd: string) {
    const prefix = cwd.endsWith("/") ? cwd : `${cwd}/`
    this.#named = (path) => path.startsWith(prefix) ? path.slice(prefix.length) : path
  }

  /** Takes a change that was made. */
  add(change: Change): void {
    const { after, before, movedTo, path } = change
    const known = this.#files.get(path)
    const isKnown = typeof after !== "undefined" && typeof before !== "undefined"
    const edit = isKnown ? "" : change.hunks ?? ""
    if (!isKnown && edit === "" && movedTo === undefined) return
    this.#files.delete(path)
    this.#files.set(movedTo ?? path, {
      origin: known?.origin ?? path,
      before: known === undefined ? before : known.before,
      after,
      hunks: edit === "" ? known?.hunks ?? [] : [...known?.hunks ?? [], edit],
      text: undefined
    })
  }

  /** One unified diff of all files; empty when the turn has left everything as it was. */
  render(): string {
    let diff = ""
    for (const [path, file] of this.#files) {
      file.text ??= render(this.#named(file.origin), this.#named(path), file)
      diff += file.text
    }
    return diff
  }
}

const noBlob = "0".repeat(40)

/** The id that git gives a file of this content. */
const blob = (content: string): string => {
  const bytes = Buffer.from(content)
  return NodeCrypto.createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex")
}

const named = (from: string, to: string, body: string): string => body === "" ? "" : `--- ${from}\n+++ ${to}\n${body}`

const render = (was: string, now: string, { after, before, hunks: given }: File): string => {
  const header = `diff --git a/${was} b/${now}\n`
  const moved = was === now ? "" : `rename from ${was}\nrename to ${now}\n`
  if (before === undefined || after === undefined) {
    return `${header}${moved}${named(`a/${was}`, `b/${now}`, given.join(""))}`
  }
  if (before === null) {
    return after === null
      ? ""
      : `diff --git a/${now} b/${now}\nnew file mode 100644\nindex ${noBlob}..${blob(after)}\n${
        named("/dev/null", `b/${now}`, hunks("", after))
      }`
  }
  if (after === null) {
    return `diff --git a/${was} b/${was}\ndeleted file mode 100644\nindex ${blob(before)}..${noBlob}\n${
      named(`a/${was}`, "/dev/null", hunks(before, ""))
    }`
  }
  const body = hunks(before, after)
  if (body === "") return moved === "" ? "" : `${header}${moved}`
  return `${header}${moved}index ${blob(before)}..${blob(after)}\n${named(`a/${was}`, `b/${now}`, body)}`
}
