/**
 * Tool items in one line.
 */
import type { AgentItem, ItemStatus } from "../agent/AgentItem.ts"
import type { ToolSummary } from "./AttemptResult.ts"

const maxLength = 200

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/gu, " ").trim()
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line
}

const statusOf = (item: AgentItem, ended: boolean, closed: boolean): ItemStatus => {
  const status = "status" in item ? item.status : ended && !closed ? "completed" : "inProgress"
  // What the agent never ended was cut off by the end of the turn.
  return closed && status === "inProgress" ? "interrupted" : status
}

const describe = (item: AgentItem): { readonly name: string; readonly line: string } | undefined => {
  switch (item._tag) {
    case "CommandExecution":
      return {
        name: "command",
        line: item.exitCode === undefined || item.exitCode === 0
          ? item.command
          : `${item.command.slice(0, maxLength - 20)} (exit status ${item.exitCode})`
      }
    case "FileChange":
      return {
        name: "file_change",
        line: item.changes.map((change) =>
          `${change.kind} ${change.path}${change.movedTo === undefined ? "" : ` → ${change.movedTo}`}`
        ).join(", ")
      }
    case "McpToolCall":
      return { name: `${item.server}.${item.tool}`, line: item.error ?? JSON.stringify(item.arguments) }
    case "DynamicToolCall":
      return {
        name: item.namespace === undefined ? item.tool : `${item.namespace}.${item.tool}`,
        line: JSON.stringify(item.arguments)
      }
    case "WebSearch":
      return { name: "web_search", line: item.query }
    case "ImageView":
      return { name: "image_view", line: item.path }
    case "SubAgent":
      return { name: "sub_agent", line: `${item.operation}${item.prompt === undefined ? "" : `: ${item.prompt}`}` }
    default:
      return undefined
  }
}

/**
 * Summarizes a tool item; `undefined` for what is said, as opposed to done.
 *
 * `ended`: the agent completed the item, or it was closed because its turn ended (`closed`).
 */
export const summarize = (
  item: AgentItem,
  { closed, ended }: { readonly ended: boolean; readonly closed: boolean }
): ToolSummary | undefined => {
  const described = describe(item)
  if (described === undefined) return undefined
  const duration = "durationMs" in item ? item.durationMs : undefined
  return {
    id: item.id,
    name: described.name,
    status: statusOf(item, ended, closed),
    summary: oneLine(described.line),
    ...(duration === undefined ? {} : { durationMs: duration })
  }
}
