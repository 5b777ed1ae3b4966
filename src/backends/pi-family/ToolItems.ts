/**
 * Tool calls as items: when they start, while they run, and at their end. Pure.
 *
 * Which kind of item a call is, its name and arguments alone decide, since an item keeps its kind. A call of which
 * they do not tell (`read` of what may be an image) has no item until its end.
 */
import * as NodePath from "node:path"
import type { PlanStep } from "../../agent/AgentEvent.ts"
import type { AgentItem, ItemStatus, ToolContent } from "../../agent/AgentItem.ts"
import type { FrameOf, Part, ToolOutput } from "./AgentFrame.ts"
import { applyHunks, type Change, type Content, fileEdit, fromNumbered } from "./FileEdits.ts"
import { nothingTold, report, tell, type Told } from "./internal/CommandOutput.ts"
import { type Intent, intentsOf } from "./internal/EditArguments.ts"
import {
  arrayOf,
  isRecord,
  joined,
  json,
  type JsonRecord,
  member,
  numberOf,
  parsed,
  textMember,
  textOf
} from "./Reading.ts"

/** What there is to know beside a call. */
export interface ToolContext {
  /** Whose tools they are. */
  readonly agent: "omp" | "pi"
  /** Absolute; relative paths are below it. */
  readonly cwd: string
  /** Names of MCP servers, by which `mcp__server_tool` is taken apart. */
  readonly mcpServers: ReadonlyArray<string>
  /** Names of tools that are the host's own. */
  readonly hostTools: ReadonlySet<string>
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly args: unknown
}

/** Names that tools of the agents stand under: they are the agent's, not the host's. */
export const namespaces = { omp: "oh-my-pi", pi: "pi" } as const

interface Base {
  readonly call: ToolCall
}

/** A call, with what has been learned of it. */
export type Tool =
  | Base & { readonly kind: "command"; readonly command: string; readonly cwd: string; readonly told: Told }
  | Base & {
    readonly kind: "change"
    readonly intents: ReadonlyArray<Intent>
    /** By absolute path: what was there before the call. */
    readonly before: ReadonlyMap<string, Content>
    readonly changes: ReadonlyArray<Change>
  }
  | Base & { readonly kind: "plan" }
  | Base & { readonly kind: "read" }
  | Base & { readonly kind: "search"; readonly query: string }
  | Base & { readonly kind: "mcp"; readonly server: string; readonly tool: string }
  | Base & { readonly kind: "other"; readonly tool: string }

/** How a call ended, as the host and the agent together know it. */
export interface Ending {
  readonly status: Exclude<ItemStatus, "inProgress">
  readonly output: ToolOutput
}

const device = /^xd:\/\/([^/?#\s]+)/
const otherAddress = /^[a-z][a-z0-9+.-]+:\/\//i
const image = /\.(?:png|jpe?g|gif|webp|bmp|avif|heic|tiff?)(?::[^/]*)?$/i

/** Tools that are shown as something of their own. omp takes their names in any spelling, and tells the model's. */
const shown: ReadonlySet<string> = new Set(["bash", "eval", "edit", "write", "todo", "web_search", "read"])

const canonical = (call: ToolCall): ToolCall => {
  const name = call.name.toLowerCase()
  return name !== call.name && shown.has(name) ? { ...call, name } : call
}

/** The tool that is really called: omp's `write` to `xd://tool` calls that tool with the content as arguments. */
export const calledTool = (asked: ToolCall): ToolCall => {
  const call = canonical(asked)
  if (call.name !== "write") return call
  const [, name] = device.exec(textMember(call.args, "path") ?? "") ?? []
  if (name === undefined) return call
  const content = textMember(call.args, "content") ?? ""
  return canonical({ id: call.id, name, args: parsed(content) ?? (content === "" ? {} : content) })
}

/** Server and tool of `mcp__server_tool`, whose parts may hold underscores themselves. */
export const mcpName = (
  name: string,
  servers: ReadonlyArray<string>
): { readonly server: string; readonly tool: string } | undefined => {
  if (!name.startsWith("mcp__")) return undefined
  const rest = name.slice("mcp__".length)
  const known = servers.toSorted((a, b) => b.length - a.length)
  for (const server of known) {
    for (const spelled of [server, server.toLowerCase().replace(/[^a-z0-9_]+/g, "_").replace(/_+/g, "_")]) {
      const tool = rest.startsWith(`${spelled}__`)
        ? rest.slice(spelled.length + 2)
        : rest.startsWith(`${spelled}_`)
        ? rest.slice(spelled.length + 1)
        : ""
      if (tool !== "") return { server, tool }
    }
  }
  const [, server, tool] = /^(.+?)__(.+)$/.exec(rest) ?? /^([^_]+)_(.+)$/.exec(rest) ?? []
  return { server: server ?? rest, tool: tool ?? rest }
}

/** Absolute, unless it is the address of something else than a file. */
export const absolutePath = (path: string, cwd: string): string => {
  if (/^file:\/\//i.test(path)) return NodePath.resolve(cwd, path.slice("file://".length))
  return otherAddress.test(path) ? path : NodePath.resolve(cwd, path)
}

const changesOf = (
  intents: ReadonlyArray<Intent>,
  before: ReadonlyMap<string, Content>,
  cwd: string
): ReadonlyArray<Change> =>
  intents.map(({ after, isNew, movedTo, path }) => {
    const absolute = absolutePath(path, cwd)
    const content = before.has(absolute) ? before.get(absolute) : isNew === true ? null : undefined
    return {
      path: absolute,
      before: content,
      // Without what was there before, what will be there cannot be shown as a change.
      after: content === undefined && after(undefined) !== null ? undefined : after(content),
      movedTo: movedTo === undefined ? undefined : absolutePath(movedTo, cwd)
    }
  })

/** What a call of `edit` or `write` is about to do, by the contents that are there before it. */
export const previewOf = (
  call: ToolCall,
  before: ReadonlyMap<string, Content>,
  cwd: string
): ReadonlyArray<Change> => changesOf(intentsOf(call.name, call.args), before, cwd)

const words = /^[\w@%+=:,./-]+(?: [\w@%+=:,./-]+)*$/

/** A script as a line that readers take apart into words: whatever is more than words is handed to a shell. */
export const commandLine = (script: string): string =>
  script === "" || words.test(script) ? script : `bash -c '${script.replaceAll("'", "'\\''")}'`

/** Takes a call that starts, or that the model is still writing. */
export const begin = (asked: ToolCall, context: ToolContext, before: ReadonlyMap<string, Content>): Tool => {
  if (context.hostTools.has(asked.name)) return { kind: "other", call: asked, tool: asked.name }
  const call = calledTool(asked)
  const { args, name } = call
  if (context.hostTools.has(name)) return { kind: "other", call, tool: name }
  switch (name) {
    case "bash": {
      const command = commandLine(textMember(args, "command") ?? "")
      const cwd = absolutePath(textMember(args, "cwd") ?? "", context.cwd)
      return { kind: "command", call, command, cwd, told: nothingTold }
    }
    case "eval": {
      const language = textMember(args, "language")
      const code = textMember(args, "code") ?? ""
      const command = language === undefined ? code : `${language}: ${code}`
      return { kind: "command", call, command, cwd: context.cwd, told: nothingTold }
    }
    case "edit":
    case "write": {
      const intents = intentsOf(name, args)
      // Other addresses are no files of the workspace, e.g. `memory://` or `local://`.
      if (intents.some(({ path }) => otherAddress.test(path) && !/^file:/i.test(path))) break
      return { kind: "change", call, intents, before, changes: changesOf(intents, before, context.cwd) }
    }
    case "todo":
      if (context.agent === "omp") return { kind: "plan", call }
      break
    case "web_search":
      if (context.agent === "omp") return { kind: "search", call, query: textMember(args, "query") ?? "" }
      break
    case "read":
      if (image.test(textMember(args, "path", "file_path") ?? "")) return { kind: "read", call }
      break
  }
  const mcp = mcpName(name, context.mcpServers)
  return mcp === undefined ? { kind: "other", call, tool: name } : { kind: "mcp", call, ...mcp }
}

/** Notes what was at a path before the call. */
export const withSnapshot = (tool: Tool, path: string, before: string | null, context: ToolContext): Tool => {
  if (tool.kind !== "change") return tool
  const known = new Map(tool.before).set(absolutePath(path, context.cwd), before)
  return { ...tool, before: known, changes: changesOf(tool.intents, known, context.cwd) }
}

/** The call by its arguments as they are known now; what came of it meanwhile stays where they do not tell more. */
export const refined = (known: Tool, now: Tool): Tool => {
  switch (now.kind) {
    case "command":
      return known.kind === "command" ? { ...now, told: known.told } : now
    case "change": {
      const tells = now.changes.some(({ after }) => after !== undefined)
      return known.kind === "change" && known.changes.length > 0 && !tells ? { ...now, changes: known.changes } : now
    }
    default:
      return now
  }
}

/** What a call that never ended had to say. */
export const lastOutput = (tool: Tool): ToolOutput =>
  tool.kind === "command" && tool.told.last !== "" ? { content: [{ type: "text", text: tool.told.last }] } : {}

const opensAs = (tool: Tool, context: ToolContext, status: ItemStatus): AgentItem | undefined => {
  const { args, id } = tool.call
  switch (tool.kind) {
    case "plan":
    case "read":
      return undefined
    case "command":
      return { _tag: "CommandExecution", id, command: tool.command, cwd: tool.cwd, status, source: "agent" }
    case "change":
      return { _tag: "FileChange", id, status, changes: tool.changes.map(fileEdit) }
    case "search":
      return { _tag: "WebSearch", id, query: tool.query }
    case "mcp":
      return { _tag: "McpToolCall", id, server: tool.server, tool: tool.tool, status, arguments: json(args ?? {}) }
    case "other":
      return dynamic(tool.call, tool.tool, context, status)
  }
}

const dynamic = (call: ToolCall, tool: string, context: ToolContext, status: ItemStatus): AgentItem => ({
  _tag: "DynamicToolCall",
  id: call.id,
  tool,
  status,
  arguments: json(call.args ?? {}),
  ...(context.hostTools.has(tool) ? {} : { namespace: namespaces[context.agent] })
})

/** The item of a call that runs; none of one that has no item (yet). */
export const runningItem = (tool: Tool, context: ToolContext): AgentItem | undefined =>
  opensAs(tool, context, "inProgress")

/** What a tool says that was called by way of `write`, as it would say it itself. */
const innerOutput = (output: ToolOutput): ToolOutput => {
  const dispatch = member(output.details, "xdev")
  return dispatch === undefined ? output : { ...output, details: member(dispatch, "inner") }
}

/** What an update tells: more output, or the item as it is now. */
export interface Progress {
  readonly tool: Tool
  readonly output: string
  readonly item: AgentItem | undefined
}

/** Takes what a running call says of itself. */
export const update = (tool: Tool, outer: ToolOutput | null | undefined, context: ToolContext): Progress => {
  const same = { tool, output: "", item: undefined }
  const partial = outer == null ? outer : innerOutput(outer)
  switch (tool.kind) {
    case "command": {
      const text = joined(partial?.content)
      // The last update of a command already is its result.
      const [told, output] = tell(tool.told, report(text, partial?.details, false).output)
      return { tool: { ...tool, told }, output, item: undefined }
    }
    case "other": {
      const content = contentOf(partial?.content)
      const item = opensAs(tool, context, "inProgress")
      return content.length === 0 || item?._tag !== "DynamicToolCall" ? same : { ...same, item: { ...item, content } }
    }
    default:
      return same
  }
}

/** Takes what an edit will come to, as omp works it out while the arguments stream. */
export const preview = (tool: Tool, files: FileList, context: ToolContext): Progress => {
  if (tool.kind !== "change") return { tool, output: "", item: undefined }
  const changes = files.flatMap(({ diff, op, path }): ReadonlyArray<Change> => {
    const absolute = absolutePath(path, context.cwd)
    const before = op === "create" ? null : tool.before.get(absolute)
    const hunks = diff == null || diff === "" ? undefined : fromNumbered(diff)
    if (hunks === undefined && op !== "delete") return []
    const known = typeof before === "string" || before === null
    const after = op === "delete" ? null : known && hunks !== undefined ? applyHunks(before ?? "", hunks) : undefined
    return [{ path: absolute, before, after, hunks }]
  })
  if (changes.length === 0) return { tool, output: "", item: undefined }
  const next: Tool = { ...tool, changes }
  return { tool: next, output: "", item: opensAs(next, context, "inProgress") }
}

type FileList = NonNullable<FrameOf<"tool_stream_update">["update"]["files"]>

export interface Finished {
  /** None of a plan, which has no item. */
  readonly item: AgentItem | undefined
  /** More output before the end. */
  readonly output: string
  /** What was done to files. */
  readonly changes: ReadonlyArray<Change>
  readonly plan: ReadonlyArray<PlanStep> | undefined
}

/** Takes the end of a call. */
export const finish = (tool: Tool, ending: Ending, context: ToolContext): Finished => {
  const { status } = ending
  const output = innerOutput(ending.output)
  const { details } = output
  const none = { output: "", changes: [], plan: undefined }
  switch (tool.kind) {
    case "command":
      return finishCommand(tool, output, status, context)
    case "change": {
      const changes = status === "completed" ? changesMade(tool, details, context) : tool.changes
      const item: AgentItem = { _tag: "FileChange", id: tool.call.id, status, changes: changes.map(fileEdit) }
      return { ...none, item, changes: status === "completed" ? changes : [] }
    }
    case "plan": {
      const plan = status === "completed" ? planOf(details) : undefined
      // Whatever else the tool was asked, or why it failed, is shown as what it is.
      return plan === undefined
        ? { ...none, item: finished(tool, "todo", output, status, context) }
        : { ...none, item: undefined, plan }
    }
    case "read": {
      const path = textMember(tool.call.args, "path", "file_path") ?? ""
      const seen = status === "completed" && (output.content ?? []).some(({ type }) => type === "image")
      return {
        ...none,
        item: seen
          ? { _tag: "ImageView", id: tool.call.id, path: absolutePath(path, context.cwd) }
          : finished(tool, "read", output, status, context)
      }
    }
    case "search":
      return { ...none, item: opensAs(tool, context, status) }
    case "mcp": {
      const text = joined(output.content)
      const raw = arrayOf(member(details, "rawContent"))
      const content = raw.length > 0 ? raw : output.content ?? []
      return {
        ...none,
        item: {
          _tag: "McpToolCall",
          id: tool.call.id,
          server: textMember(details, "serverName") ?? tool.server,
          tool: textMember(details, "mcpToolName") ?? tool.tool,
          status,
          arguments: json(tool.call.args ?? {}),
          ...(status === "completed" ? { result: { content: json(content) } } : {}),
          ...(status === "failed" ? { error: text === "" ? "The tool failed" : text } : {})
        }
      }
    }
    case "other":
      return { ...none, item: finished(tool, tool.tool, output, status, context) }
  }
}

const finished = (
  tool: Tool,
  name: string,
  output: ToolOutput,
  status: ItemStatus,
  context: ToolContext
): AgentItem => {
  const item = dynamic(tool.call, name, context, status)
  const content = contentOf(output.content)
  const durationMs = numberOf(member(output.details, "totalDurationMs"))
  return item._tag !== "DynamicToolCall"
    ? item
    : { ...item, content, ...(durationMs === undefined ? {} : { durationMs }) }
}

const contentOf = (parts: ReadonlyArray<Part> | null | undefined): ReadonlyArray<ToolContent> =>
  (parts ?? []).flatMap((part): ReadonlyArray<ToolContent> => {
    if (part.type === "text") return part.text == null ? [] : [{ _tag: "Text", text: part.text }]
    if (part.type === "image" && part.data != null) {
      return [{ _tag: "Image", url: `data:${part.mimeType ?? "image/png"};base64,${part.data}` }]
    }
    return [{ _tag: "Text", text: `[${part.type}]` }]
  })

const finishCommand = (
  tool: Extract<Tool, { readonly kind: "command" }>,
  { content, details, isError }: ToolOutput,
  status: Ending["status"],
  context: ToolContext
): Finished => {
  const isDone = status === "completed" || status === "failed"
  const { durationMs, exitCode, output } = report(joined(content), details, isError === true || status === "failed")
  // A refusal's text is the agent's, no output of a command that never ran.
  const shown = status === "declined" ? "" : output
  const [, rest] = tell(tool.told, shown)
  const item = opensAs(tool, context, status)
  // omp reports a status only when it is not 0, and none of what it leaves running; of code that is evaluated there is
  // none at all.
  const isCommand = tool.call.name === "bash"
  const runsOn = isRecord(member(details, "async")) || member(details, "timedOut") === true
  const code = exitCode ?? (status === "completed" && isCommand && !runsOn ? 0 : undefined)
  return {
    item: item?._tag !== "CommandExecution" ? item : {
      ...item,
      output: shown,
      ...(isDone && code !== undefined ? { exitCode: code } : {}),
      ...(durationMs === undefined ? {} : { durationMs })
    },
    output: rest,
    changes: [],
    plan: undefined
  }
}

/** What an edit or a write did: by what the agent tells, and else by what was there before and the arguments. */
const changesMade = (
  tool: Extract<Tool, { readonly kind: "change" }>,
  details: unknown,
  context: ToolContext
): ReadonlyArray<Change> => {
  const files = arrayOf(member(details, "perFileResults"))
  const told = files.length > 0 ? files : textMember(details, "path") === undefined ? [] : [details]
  const made = told.flatMap((file) => isRecord(file) ? changeTold(tool, file, context) : [])
  if (made.length > 0) return made
  const numbered = fromNumbered(textOf(member(details, "diff")) ?? "")
  const [first, ...more] = tool.changes
  if (first === undefined) return []
  // A write tells where a link or a shortened path led it.
  const resolved = textMember(details, "resolvedPath")
  const path = resolved ?? first.path
  const before = tool.before.has(path) ? tool.before.get(path) : first.before
  const after = tool.call.name === "write" && before !== undefined ? textMember(tool.call.args, "content") : first.after
  const change = { ...first, path, before, after }
  if (numbered === undefined || typeof after === "string" || after === null) return [change, ...more]
  return [{ ...change, hunks: numbered, after: typeof before === "string" ? applyHunks(before, numbered) : undefined }]
}

const changeTold = (
  tool: Extract<Tool, { readonly kind: "change" }>,
  file: JsonRecord,
  context: ToolContext
): ReadonlyArray<Change> => {
  const now = textOf(file["path"])
  if (now === undefined) return []
  const was = absolutePath(textOf(file["sourcePath"]) ?? now, context.cwd)
  const moved = absolutePath(now, context.cwd)
  const op = textOf(file["op"])
  const hunks = fromNumbered(textOf(file["diff"]) ?? "")
  const pruned = file["snapshotsPruned"] === true
  const before = op === "create" ? null : textOf(file["oldText"]) ?? tool.before.get(was)
  const written = textOf(file["newText"])
  const worked = hunks === undefined || before === undefined ? undefined : applyHunks(before ?? "", hunks)
  const after = op === "delete" ? null : written ?? (pruned || hunks !== undefined ? worked : undefined)
  return [{ path: was, before, after, hunks, movedTo: moved === was ? undefined : moved }]
}

const planOf = (details: unknown): ReadonlyArray<PlanStep> | undefined => {
  const phases = member(details, "phases")
  if (!Array.isArray(phases)) return undefined
  return phases.flatMap((phase: unknown) =>
    arrayOf(member(phase, "tasks")).flatMap((task): ReadonlyArray<PlanStep> => {
      const step = textMember(task, "content")
      const name = textMember(phase, "name")
      if (step === undefined) return []
      const named = phases.length > 1 && name !== undefined ? `${name}: ${step}` : step
      switch (textMember(task, "status")) {
        case "in_progress":
          return [{ step: named, status: "inProgress" }]
        case "completed":
          return [{ step: named, status: "completed" }]
        case "abandoned":
          return []
        default:
          return [{ step: named, status: "pending" }]
      }
    })
  )
}
