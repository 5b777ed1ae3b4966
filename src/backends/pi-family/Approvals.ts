/**
 * Which tools may run, by the settings of a session: pure.
 *
 * These agents have no sandbox. What a sandbox would keep a command from is kept by asking, or by not running it; what
 * runs without a question is not confined, and that is said ({@link unconfined}).
 */
import * as NodePath from "node:path"
import { type ApprovalPolicy, type Sandbox, type SandboxMode, sandboxMode } from "../../agent/AgentBackend.ts"
import type { ApprovalRequest } from "../../agent/TurnHost.ts"
import type { Content } from "./FileEdits.ts"
import * as FileEdits from "./FileEdits.ts"
import { textMember } from "./Reading.ts"
import { absolutePath, calledTool, commandLine, mcpName, previewOf, type ToolCall } from "./ToolItems.ts"

export interface Rules {
  readonly policy: ApprovalPolicy
  readonly sandbox: SandboxMode
  /** Absolute. What is below it may be written in `workspace-write`. */
  readonly cwd: string
  /** Absolute. More such places, e.g. for temporary files. */
  readonly writable: ReadonlyArray<string>
}

/** What a sandbox says of the rules. Of the network it says nothing here: who may run a command may use it. */
export const confined = (
  sandbox: Sandbox,
  temporary: string | undefined = process.env["TMPDIR"]
): Pick<Rules, "sandbox" | "writable"> => {
  const details = typeof sandbox === "string" ? undefined : sandbox
  const directories = [
    ...details?.excludeSlashTmp === true ? [] : ["/tmp"],
    ...details?.excludeTmpdirEnvVar === true || temporary === undefined ? [] : [temporary],
    ...details?.writableRoots ?? []
  ]
  return { sandbox: sandboxMode(sandbox), writable: directories.filter((path) => NodePath.isAbsolute(path)) }
}

export type Verdict =
  | { readonly _tag: "Allow" }
  /** `reason` is for the model. */
  | { readonly _tag: "Deny"; readonly reason: string }
  /** `grants`: what "for the session" makes free; a call all of whose are free is not asked about. */
  | { readonly _tag: "Ask"; readonly question: Asked; readonly grants: ReadonlyArray<string> }

type Common = "decisions" | "itemId" | "sessionId" | "turnId"

/** A request without what it has in common with others. */
export type Asked = ApprovalRequest extends infer R ? R extends ApprovalRequest ? Omit<R, Common> : never : never

/** What a tool does, as far as it matters here. */
type Act =
  | { readonly _tag: "Reads" }
  | { readonly _tag: "Command"; readonly command: string; readonly cwd: string }
  | { readonly _tag: "Changes"; readonly paths: ReadonlyArray<string> }
  | { readonly _tag: "Mcp"; readonly server: string; readonly tool: string }
  | { readonly _tag: "Other" }

/** Tools that change nothing but the agent's own mind, or that ask a person themselves. */
const readers = new Set([
  "ask",
  "ast_grep",
  "calc",
  "fetch",
  "find",
  "glob",
  "goal",
  "grep",
  "ls",
  "lsp",
  "read",
  "recall",
  "resolve",
  "retain",
  "search",
  "search_tool_bm25",
  "todo",
  "todo_write",
  "web_search",
  "yield",
  // What they do is asked for call by call.
  "job",
  "task"
])

const actOf = (asked: ToolCall, cwd: string, hostTools: ReadonlySet<string>, servers: ReadonlyArray<string>): Act => {
  const call = calledTool(asked)
  if (readers.has(call.name) || hostTools.has(call.name)) return { _tag: "Reads" }
  if (call.name === "bash") {
    const directory = textMember(call.args, "cwd")
    return {
      _tag: "Command",
      command: commandLine(textMember(call.args, "command") ?? ""),
      cwd: directory === undefined ? cwd : absolutePath(directory, cwd)
    }
  }
  const paths = pathsOf(call, cwd)
  if (paths.length > 0) return { _tag: "Changes", paths }
  const mcp = mcpName(call.name, servers)
  return mcp === undefined ? { _tag: "Other" } : { _tag: "Mcp", ...mcp }
}

/** The files that a call is going to change: absolute paths. */
export const pathsOf = (call: ToolCall, cwd: string): ReadonlyArray<string> =>
  previewOf(calledTool(call), new Map(), cwd).flatMap(({ movedTo, path }) =>
    movedTo === undefined || movedTo === path ? [path] : [path, movedTo]
  )

const isBelow = (path: string, directory: string): boolean => {
  const relative = NodePath.relative(directory, path)
  return relative === "" || (!relative.startsWith("..") && !NodePath.isAbsolute(relative))
}

const allow = { _tag: "Allow" } as const

const deny = (reason: string): Verdict => ({ _tag: "Deny", reason })

const show = (args: unknown): string => JSON.stringify(args) ?? ""

/** Decides on a call. `before`: contents of the files that it is going to change. */
export const decide = (
  call: ToolCall,
  rules: Rules,
  known: {
    readonly before: ReadonlyMap<string, Content>
    readonly hostTools: ReadonlySet<string>
    readonly mcpServers: ReadonlyArray<string>
  }
): Verdict => {
  const { cwd, policy, sandbox, writable } = rules
  const act = actOf(call, cwd, known.hostTools, known.mcpServers)
  if (act._tag === "Reads") return allow
  // Whoever trusts it with everything is asked for nothing, as by codex.
  if (sandbox === "danger-full-access" && policy !== "untrusted") return allow
  const isInside = act._tag === "Changes" && sandbox === "workspace-write" &&
    act.paths.every((path) => [cwd, ...writable].some((directory) => isBelow(path, directory)))
  if (isInside && policy !== "untrusted") return allow
  if (policy === "never") {
    if (sandbox === "read-only") return deny("This session is read-only, and nobody can be asked.")
    return act._tag === "Changes"
      ? deny(`Files outside of ${cwd} must not be changed in this session, and nobody can be asked.`)
      : allow
  }
  switch (act._tag) {
    case "Command":
      return {
        _tag: "Ask",
        grants: [`command ${act.cwd} ${act.command}`],
        question: { _tag: "Command", command: act.command, cwd: act.cwd }
      }
    case "Changes":
      return {
        _tag: "Ask",
        grants: act.paths.map((path) => `change ${path}`),
        question: {
          _tag: "FileChange",
          changes: previewOf(calledTool(call), known.before, cwd).map(FileEdits.fileEdit)
        }
      }
    case "Mcp":
      return {
        _tag: "Ask",
        grants: [`mcp ${act.server} ${act.tool}`],
        question: { _tag: "McpTool", server: act.server, message: `${act.tool} ${show(call.args)}` }
      }
    case "Other":
      return {
        _tag: "Ask",
        grants: [`tool ${call.name} ${show(call.args)}`],
        question: { _tag: "Command", command: `${call.name} ${show(call.args)}`, cwd }
      }
  }
}

/** What of the settings nothing enforces. */
export const unconfined = ({ policy, sandbox }: Pick<Rules, "policy" | "sandbox">): string | undefined =>
  policy === "never" && sandbox === "workspace-write"
    ? "This agent has no sandbox: its commands run without a question and can change files outside of the workspace."
    : undefined
