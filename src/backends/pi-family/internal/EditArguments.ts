/**
 * What a call of `edit` or `write` is about to do, read from its arguments: all edit modes of omp, and pi's. Pure.
 */
import type { Content } from "../FileEdits.ts"
import { arrayOf, isRecord, textMember } from "../Reading.ts"

export interface Intent {
  /** As the model wrote it. */
  readonly path: string
  readonly movedTo?: string | undefined
  /** There is no file yet, by what the arguments say. */
  readonly isNew?: boolean | undefined
  /** The content after it, where arguments and the content before it tell. `null`: the file goes away. */
  readonly after: (before: Content) => Content
}

/** Text that stands there once; what cannot be found for sure is not known. */
const replaceOne = (text: string, from: string, to: string, all: boolean): string | undefined => {
  const at = from === "" ? -1 : text.indexOf(from)
  if (at < 0) return undefined
  if (all) return text.replaceAll(from, () => to)
  return text.includes(from, at + 1) ? undefined : text.slice(0, at) + to + text.slice(at + from.length)
}

interface Replacement {
  readonly from: string
  readonly to: string
  readonly all: boolean
}

const replacementOf = (edit: unknown): Replacement | undefined => {
  const from = textMember(edit, "oldText", "old_string", "old_text")
  const to = textMember(edit, "newText", "new_string", "new_text")
  const all = isRecord(edit) && (edit["replace_all"] === true || edit["all"] === true)
  return from === undefined || to === undefined ? undefined : { from, to, all }
}

const replaced = (replacements: ReadonlyArray<Replacement>) => (before: Content): Content => {
  if (typeof before !== "string") return undefined
  // Both agents match with plain line ends, and give a file back the ones it had.
  const crlf = before.includes("\r\n")
  let text: string | undefined = crlf ? before.replaceAll("\r\n", "\n") : before
  for (const { all, from, to } of replacements) {
    if (text === undefined) return undefined
    text = replaceOne(text, from.replaceAll("\r\n", "\n"), to.replaceAll("\r\n", "\n"), all)
  }
  return crlf ? text?.replaceAll("\n", "\r\n") : text
}

/** Hunks without line numbers, found by the lines they name. */
const patched = (diff: ReadonlyArray<string>) => (before: Content): Content => {
  if (typeof before !== "string") return undefined
  const endsWithNewline = before.endsWith("\n")
  const lines = (endsWithNewline ? before.slice(0, -1) : before).split("\n")
  let at = 0
  for (const block of blocksOf(diff)) {
    const old = block.flatMap((line) => line.startsWith("+") ? [] : [line.slice(1)])
    const now = block.flatMap((line) => line.startsWith("-") ? [] : [line.slice(1)])
    if (old.length === 0) return undefined
    const found = findBlock(lines, old, at)
    if (found === undefined) return undefined
    lines.splice(found, old.length, ...now)
    at = found + now.length
  }
  return lines.length === 0 ? "" : lines.join("\n") + (endsWithNewline ? "\n" : "")
}

const blocksOf = (diff: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const blocks: Array<Array<string>> = []
  let block: Array<string> | undefined
  for (const line of diff) {
    if (line.startsWith("@@")) block = undefined
    else if (/^[ +-]/.test(line) || line === "") {
      if (block === undefined) blocks.push(block = [])
      block.push(line === "" ? " " : line)
    }
  }
  return blocks
}

/** Where the lines stand, if they stand in one place. */
const findBlock = (lines: ReadonlyArray<string>, block: ReadonlyArray<string>, from: number): number | undefined => {
  let found: number | undefined
  for (let at = from; at + block.length <= lines.length; at++) {
    if (!block.every((line, index) => lines[at + index] === line)) continue
    if (found !== undefined) return undefined
    found = at
  }
  return found
}

const added = (lines: ReadonlyArray<string>): string =>
  lines.filter((line) => line.startsWith("+")).map((line) => `${line.slice(1)}\n`).join("")

const section = /^\*\*\* (Add|Update|Delete) File: (.+)$/

/** `*** Begin Patch` and what follows. */
const fromPatch = (input: string): ReadonlyArray<Intent> => {
  const intents: Array<Intent> = []
  const lines = input.split("\n")
  for (let at = 0; at < lines.length; at++) {
    const [, kind, path] = section.exec(lines[at] ?? "") ?? []
    if (kind === undefined || path === undefined) continue
    const end = lines.findIndex((line, index) => index > at && (section.test(line) || line === "*** End Patch"))
    const body = lines.slice(at + 1, end < 0 ? undefined : end)
    const movedTo = body[0]?.startsWith("*** Move to: ") === true ? body[0].slice("*** Move to: ".length) : undefined
    intents.push({
      path: path.trim(),
      movedTo: movedTo?.trim(),
      isNew: kind === "Add",
      after: kind === "Add"
        ? () => added(body)
        : kind === "Delete"
        ? () => null
        : patched(body.filter((line) => !line.startsWith("*** ")))
    })
  }
  return intents
}

/** `[path#hash]` and commands on its lines, which the agent alone understands. */
const fromHashlines = (input: string): ReadonlyArray<Intent> => {
  const paths = new Set(
    Array.from(input.matchAll(/^\[([^\]\n]+?)(?:#[0-9A-Za-z]+)?\]\s*$/gm), ([, path]) => path ?? "")
  )
  return Array.from(paths, (path) => ({ path, after: () => undefined }))
}

/** `{op, rename?, diff?}` of one path. */
const fromPatchEdits = (path: string, edits: ReadonlyArray<unknown>): ReadonlyArray<Intent> => {
  const movedTo = edits.map((edit) => textMember(edit, "rename")).find((rename) => rename !== undefined)
  const after = (before: Content): Content =>
    edits.reduce((content: Content, edit) => {
      const diff = (textMember(edit, "diff") ?? "").split("\n")
      switch (textMember(edit, "op")) {
        case "delete":
          return null
        case "create":
          return diff.some((line) => line.startsWith("+")) ? added(diff) : undefined
        default:
          return textMember(edit, "diff") === undefined ? content : patched(diff)(content)
      }
    }, before)
  const isNew = edits.length === 1 && textMember(edits[0], "op") === "create"
  return [{ path, movedTo, isNew, after }]
}

/** The files that a call of `edit` names, in order. */
const ofEdit = (args: unknown): ReadonlyArray<Intent> => {
  const input = textMember(args, "input", "_input", "patch")
  if (input !== undefined) return /^\*\*\* /m.test(input) ? fromPatch(input) : fromHashlines(input)
  const path = textMember(args, "path", "file_path")
  if (path === undefined || !isRecord(args)) return []
  const edits = arrayOf(args["edits"])
  if (edits.some((edit) => textMember(edit, "op", "diff", "rename") !== undefined)) return fromPatchEdits(path, edits)
  const replacements = (edits.length === 0 ? [args] : edits).map(replacementOf)
  const known = replacements.flatMap((each) => each === undefined ? [] : [each])
  return [{ path, after: known.length < replacements.length ? () => undefined : replaced(known) }]
}

const ofWrite = (args: unknown): ReadonlyArray<Intent> => {
  const path = textMember(args, "path", "file_path")
  const content = textMember(args, "content")
  return path === undefined ? [] : [{ path, after: () => content }]
}

/** The files that a call is about to change. `edit` and `write` alone. */
export const intentsOf = (tool: string, args: unknown): ReadonlyArray<Intent> => {
  switch (tool) {
    case "edit":
      return ofEdit(args)
    case "write":
      return ofWrite(args)
    default:
      return []
  }
}
