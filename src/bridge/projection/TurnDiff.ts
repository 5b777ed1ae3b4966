/**
 * The file changes of a turn, folded into one unified diff. Pure.
 *
 * What was added in the turn and edited later is shown as it came to be. Of a file that was there before only the
 * edits are known: they stand one after the other, with the line numbers that they had when they were made.
 */
import type { FileEdit } from "../../agent/AgentItem.ts"

/** What a turn has done to one file. */
interface File {
  /** Where it was before the turn; `undefined` for one that the turn has added. */
  readonly origin: string | undefined
  /** All of it, where that is known. */
  readonly content: string | undefined
  /** Edits since `content` or since the turn began. */
  readonly hunks: ReadonlyArray<string>
  /** All of what it was when it was deleted. */
  readonly deleted: string | undefined
}

/** By the path that a file has now. */
export type TurnDiff = ReadonlyMap<string, File>

export const empty: TurnDiff = new Map()

const header = /^(?:diff --git|index|---|\+\+\+|old mode|new mode|new file mode|deleted file mode|similarity|rename) /

/** The hunks of a unified diff without the lines that name its files. */
const hunksOf = (diff: string): string => {
  const lines = diff.split("\n")
  const first = lines.findIndex((line) => !header.test(line))
  return lines.slice(Math.max(0, first)).join("\n")
}

const isUnified = (diff: string): boolean => /^(?:diff --git |--- |@@ -)/.test(diff) && /^@@ -/m.test(diff)

const hunkStart = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@/

interface Text {
  readonly lines: ReadonlyArray<string>
  readonly endsWithNewline: boolean
}

const textOf = (content: string): Text => {
  if (content === "") return { lines: [], endsWithNewline: true }
  const endsWithNewline = content.endsWith("\n")
  return { lines: (endsWithNewline ? content.slice(0, -1) : content).split("\n"), endsWithNewline }
}

/** The content after the edits, or `undefined` if they do not fit it. */
export const apply = (content: string, diff: string): string | undefined => {
  const { endsWithNewline, lines } = textOf(content)
  const result: Array<string> = []
  let newline = endsWithNewline
  let at = 0
  let previous = ""
  let inHunk = false
  const edits = hunksOf(diff).split("\n")
  if (edits.at(-1) === "") edits.pop()
  for (const line of edits) {
    const start = hunkStart.exec(line)
    if (start !== null) {
      const count = start[2] === undefined ? 1 : Number(start[2])
      const from = Number(start[1]) - (count === 0 ? 0 : 1)
      if (from < at || from > lines.length) return undefined
      result.push(...lines.slice(at, from))
      at = from
      inHunk = true
      continue
    }
    if (!inHunk) return undefined
    const rest = line.slice(1)
    switch (line[0]) {
      case "+":
        result.push(rest)
        break
      case "\\":
        newline = previous === "-"
        break
      case " ":
      case undefined:
        if (lines[at] !== rest) return undefined
        result.push(rest)
        at++
        break
      case "-":
        if (lines[at] !== rest) return undefined
        at++
        break
      default:
        return undefined
    }
    previous = line[0] ?? " "
  }
  if (!inHunk) return undefined
  result.push(...lines.slice(at))
  return result.length === 0 ? "" : result.join("\n") + (newline ? "\n" : "")
}

const contentOf = (edit: FileEdit): string => isUnified(edit.diff) ? apply("", edit.diff) ?? edit.diff : edit.diff

const fresh = (origin: string | undefined): File => ({ origin, content: undefined, hunks: [], deleted: undefined })

const edited = (file: File, diff: string): File => {
  if (diff === "") return file
  const hunks = hunksOf(diff)
  const content = file.content === undefined ? undefined : apply(file.content, hunks)
  return content === undefined ? { ...file, hunks: [...file.hunks, hunks] } : { ...file, content }
}

/** Takes one completed change. */
export const add = (diff: TurnDiff, edits: ReadonlyArray<FileEdit>): TurnDiff => {
  const files = new Map(diff)
  for (const edit of edits) {
    const known = files.get(edit.path)
    switch (edit.kind) {
      case "add":
        // One that was there takes the place of what it was.
        files.set(edit.path, {
          origin: known?.origin,
          content: contentOf(edit),
          hunks: [],
          deleted: known?.deleted
        })
        break
      case "delete":
        if (known !== undefined && known.origin === undefined) files.delete(edit.path)
        else {
          const deleted = isUnified(edit.diff) ? removed(edit.diff) : edit.diff
          files.set(edit.path, { ...fresh(known?.origin ?? edit.path), deleted })
        }
        break
      case "update": {
        const file = edited(known ?? fresh(edit.path), edit.diff)
        if (edit.movedTo === undefined || edit.movedTo === edit.path) files.set(edit.path, file)
        else {
          files.delete(edit.path)
          files.set(edit.movedTo, file)
        }
      }
    }
  }
  return files
}

/** What a diff takes away. */
const removed = (diff: string): string =>
  hunksOf(diff).split("\n").filter((line) => line.startsWith("-")).map((line) => `${line.slice(1)}\n`).join("")

const noNewline = "\\ No newline at end of file\n"

const side = (sign: "+" | "-", content: string): { readonly range: string; readonly body: string } => {
  const { endsWithNewline, lines } = textOf(content)
  const range = lines.length === 0 ? "0,0" : lines.length === 1 ? "1" : `1,${lines.length}`
  const body = lines.map((line) => `${sign}${line}\n`).join("")
  return { range, body: endsWithNewline ? body : body + noNewline }
}

const replaced = (before: string, after: string): string => {
  const old = side("-", before)
  const now = side("+", after)
  return before === "" && after === "" ? "" : `@@ -${old.range} +${now.range} @@\n${old.body}${now.body}`
}

const names = (from: string, to: string, body: string): string => body === "" ? "" : `--- ${from}\n+++ ${to}\n${body}`

const renderFile = (path: string, file: File, named: (path: string) => string): string => {
  const now = named(path)
  if (file.origin === undefined) {
    const body = names("/dev/null", `b/${now}`, replaced("", file.content ?? "")) + file.hunks.join("")
    return `diff --git a/${now} b/${now}\nnew file mode 100644\n${body}`
  }
  const was = named(file.origin)
  if (file.deleted !== undefined && file.content === undefined) {
    const body = names(`a/${was}`, "/dev/null", replaced(file.deleted, ""))
    return `diff --git a/${was} b/${was}\ndeleted file mode 100644\n${body}`
  }
  const moved = was === now ? "" : `rename from ${was}\nrename to ${now}\n`
  const whole = file.content === undefined ? "" : replaced(file.deleted ?? "", file.content)
  const hunks = file.hunks.map((hunk) => hunk.endsWith("\n") ? hunk : `${hunk}\n`).join("")
  return `diff --git a/${was} b/${now}\n${moved}${names(`a/${was}`, `b/${now}`, whole + hunks)}`
}

/** Paths below `cwd` are shown without it. */
export const render = (diff: TurnDiff, cwd: string): string => {
  const prefix = cwd.endsWith("/") ? cwd : `${cwd}/`
  const named = (path: string) => path.startsWith(prefix) ? path.slice(prefix.length) : path
  return Array.from(diff, ([path, file]) => renderFile(path, file, named)).join("")
}
