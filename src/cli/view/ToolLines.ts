/**
 * Work of the agent's, diffs and plans as lines. Pure.
 */
import type { PlanStep } from "../../agent/AgentEvent.ts"
import type { AgentItem, FileEdit, ItemStatus } from "../../agent/AgentItem.ts"
import { summarize } from "../../host/ToolSummaries.ts"
import { type Line, line, span, type Style } from "./Chunk.ts"
import { duration, harmless, oneLine } from "./Text.ts"

/** How many of the last lines of an output are shown. */
export const tailLines = 4

/** How many lines of a diff are shown. */
export const diffLines = 40

const marks: Readonly<Record<ItemStatus, readonly [glyph: string, style: Style]>> = {
  inProgress: ["▸", "cyan"],
  completed: ["✓", "green"],
  failed: ["✗", "red"],
  declined: ["⊘", "yellow"],
  interrupted: ["■", "yellow"]
}

const changeMarks: Readonly<Record<FileEdit["kind"], string>> = { add: "A", delete: "D", update: "M" }

const lineCount = (text: string): number => text === "" ? 0 : text.replace(/\n$/u, "").split("\n").length

// The diff of an added or deleted file may be the whole content.
const changed = ({ diff, kind }: FileEdit): string => {
  const rows = diff.split("\n")
  const isDiff = rows.some((row) => row.startsWith("@@"))
  const added = isDiff
    ? rows.filter((row) => row.startsWith("+") && !row.startsWith("+++")).length
    : kind === "add"
    ? lineCount(diff)
    : 0
  const removed = isDiff
    ? rows.filter((row) => row.startsWith("-") && !row.startsWith("---")).length
    : kind === "delete"
    ? lineCount(diff)
    : 0
  return `${added > 0 ? ` +${added}` : ""}${removed > 0 ? ` −${removed}` : ""}`
}

/** The last lines of an output, and how many are not shown. */
export const tail = (output: string, limit: number = tailLines): ReadonlyArray<Line> => {
  const rows = harmless(output).split("\n").map((row) => row.trimEnd()).filter((row) => row !== "")
  const hidden = rows.length - limit
  const shown = rows.slice(-limit).map((row) => line(span(`  │ ${row}`, "dim")))
  return hidden > 0 ? [line(span(`  │ … ${hidden} more lines`, "dim")), ...shown] : shown
}

/** The end of a long text, from the beginning of a line: what a tail can need of it. */
export const keepEnd = (text: string, limit = 4_000): string => text.length > limit ? text.slice(-limit) : text

const mcpText = (item: Extract<AgentItem, { readonly _tag: "McpToolCall" }>): string => {
  const { error, result } = item
  if (error !== undefined) return error
  return result === undefined ? "" : typeof result === "string" ? result : JSON.stringify(result)
}

const outputOf = (item: AgentItem, streamed: string): string => {
  switch (item._tag) {
    case "CommandExecution":
      return item.output ?? streamed
    case "McpToolCall":
      return mcpText(item)
    case "DynamicToolCall":
      return (item.content ?? []).map((part) => part._tag === "Text" ? part.text : "[image]").join("\n")
    default:
      return streamed
  }
}

const titles: Readonly<Record<string, string>> = {
  command: "$",
  file_change: "edit",
  web_search: "search",
  image_view: "image",
  sub_agent: "agent"
}

const wrapper = /^\S*sh -l?c (?:'([\s\S]*)'|"([\s\S]*)")$/u

// An agent runs what it means through a shell of its own choice, which says nothing.
const unwrapped = (command: string): string => {
  const [, single, double] = wrapper.exec(command) ?? []
  return single?.replaceAll("'\\''", "'") ?? double?.replace(/\\(["\\$`])/gu, "$1") ?? command
}

// Paths in the directory that is worked in are shorter without it.
const relative = (path: string, cwd: string): string =>
  oneLine(path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path)

/** One line: status, what it is, how long it took. `undefined` for an item that is no work. */
export const toolLine = (
  item: AgentItem,
  options: { readonly ended: boolean; readonly closed: boolean; readonly millis: number | undefined }
): Line | undefined => {
  const shown = item._tag === "CommandExecution" ? { ...item, command: unwrapped(item.command) } : item
  const summary = summarize(shown, options)
  if (summary === undefined) return undefined
  const [glyph, style] = marks[summary.status]
  const millis = summary.durationMs ?? options.millis
  return line(
    span(`${glyph} `, style),
    span(`${titles[summary.name] ?? oneLine(summary.name)} `, "bold"),
    span(item._tag === "FileChange" ? "" : oneLine(summary.summary)),
    span(item._tag === "FileChange" ? `${item.changes.length} ${item.changes.length === 1 ? "file" : "files"}` : ""),
    span(millis === undefined ? "" : `  ${duration(millis)}`, "dim")
  )
}

/** What a tool came to, below its line. */
export const toolDetails = (item: AgentItem, streamed: string, cwd: string): ReadonlyArray<Line> => {
  if (item._tag === "FileChange") {
    return item.changes.map((change) => {
      const target = change.movedTo === undefined ? "" : ` → ${relative(change.movedTo, cwd)}`
      return line(
        span(`  ${changeMarks[change.kind]} ${relative(change.path, cwd)}${target}`),
        span(changed(change), "dim")
      )
    })
  }
  return tail(outputOf(item, streamed))
}

const stepMarks: Readonly<Record<PlanStep["status"], readonly [glyph: string, style: Style]>> = {
  pending: ["☐", "dim"],
  inProgress: ["▸", "cyan"],
  completed: ["☑", "green"]
}

/** A plan as a checklist. */
export const planLines = (steps: ReadonlyArray<PlanStep>): ReadonlyArray<Line> =>
  steps.map(({ status, step }) => {
    const [glyph, style] = stepMarks[status]
    return line(span(`  ${glyph} `, style), span(oneLine(step), status === "pending" ? "dim" : "plain"))
  })

const diffStyle = (row: string): Style => {
  if (row.startsWith("diff ") || row.startsWith("+++") || row.startsWith("---")) return "bold"
  if (row.startsWith("@@")) return "cyan"
  return row.startsWith("+") ? "green" : row.startsWith("-") ? "red" : "plain"
}

/** A unified diff, of bounded height. */
export const diffView = (diff: string, limit: number = diffLines): ReadonlyArray<Line> => {
  const rows = harmless(diff).replace(/\n+$/u, "").split("\n").filter((row) => !row.startsWith("index "))
  const hidden = rows.length - limit
  const shown = (hidden > 0 ? rows.slice(0, limit) : rows).map((row) => line(span(`  ${row}`, diffStyle(row))))
  return hidden > 0 ? [...shown, line(span(`  … ${hidden} more lines of diff`, "dim"))] : shown
}
