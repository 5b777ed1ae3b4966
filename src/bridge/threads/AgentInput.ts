/**
 * What a client sets and says, in the words of the agent seam. Pure.
 */
import type {
  AgentBackend,
  ApprovalPolicy,
  InputPart,
  Sandbox,
  SessionOptions,
  TurnInput
} from "../../agent/AgentBackend.ts"
import type * as Open from "../../protocol/generated/OpenTypes.ts"
import { noEffort } from "../catalog/Models.ts"
import type { ThreadRecord } from "../store/ThreadRecord.ts"
import * as ThreadView from "./ThreadView.ts"

/** A part of a message that has no counterpart is told as text: nothing that a person wrote gets lost. */
const toPart = (part: Open.UserInput): InputPart => {
  switch (part.type) {
    case "text":
      return { _tag: "Text", text: part.text }
    case "image":
      return "url" in part ? { _tag: "ImageUrl", url: part.url } : { _tag: "Text", text: "[image]" }
    case "localImage":
      return { _tag: "LocalImage", path: part.path }
    case "skill":
    case "mention":
      return { _tag: "Text", text: `${part.name} (${part.path})` }
    default:
      return { _tag: "Text", text: `[${String(part.type)}]` }
  }
}

export const toParts = (input: ReadonlyArray<Open.UserInput>): ReadonlyArray<InputPart> => input.map(toPart)

export const textOf = (input: ReadonlyArray<Open.UserInput>): string =>
  input.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n")

/**
 * Clients name a policy whether they mean one or not: an agent that never asks is not refused for it. One that confines
 * nothing is told what clients are shown, also where nobody has named it: what it does is then what they see.
 */
const approvalPolicy = (
  { settings }: ThreadRecord,
  { capabilities }: AgentBackend["Service"]
): ApprovalPolicy | undefined => {
  if (!capabilities.approvals) return undefined
  const policy = settings.approvalPolicy ?? (capabilities.sandbox ? undefined : settings.agent?.approvalPolicy)
  return typeof policy === "object" ? "on-request" : policy
}

/**
 * What clients have named, with what they were shown that it comes to. What is not known of the agent's configuration is
 * left to it. A session begins with the roots of the workspace, and each turn with all that may be written to.
 */
const sandbox = (
  record: ThreadRecord,
  { capabilities }: AgentBackend["Service"],
  scope: "session" | "turn"
): Sandbox | undefined => {
  const { agent, runtimeWorkspaceRoots: named, sandboxPolicy } = record.settings
  const roots = ThreadView.workspaceRoots(record).filter((root) => root !== record.cwd)
  const isShown = !capabilities.sandbox && agent?.sandboxPolicy !== undefined
  if (sandboxPolicy === undefined && !isShown && (named === undefined || roots.length === 0)) return undefined
  const policy = ThreadView.settingsOf(record).sandboxPolicy
  const details = { writableRoots: roots, excludeTmpdirEnvVar: false, excludeSlashTmp: false }
  switch (policy?.type) {
    case undefined:
      return undefined
    case "dangerFullAccess":
      return "danger-full-access"
    case "externalSandbox":
      return { ...details, mode: "danger-full-access", networkAccess: policy.networkAccess === "enabled" }
    case "readOnly": {
      const { networkAccess = false } = policy
      return named === undefined && !networkAccess ? "read-only" : { ...details, mode: "read-only", networkAccess }
    }
    case "workspaceWrite": {
      const { excludeSlashTmp = false, excludeTmpdirEnvVar = false, networkAccess = false, writableRoots = [] } = policy
      const isBare = writableRoots.length === 0 && !networkAccess && !excludeSlashTmp && !excludeTmpdirEnvVar
      return agent?.workspaceWrite === undefined && named === undefined && isBare ? "workspace-write" : {
        mode: "workspace-write",
        writableRoots: scope === "session" ? roots : writableRoots,
        networkAccess,
        excludeTmpdirEnvVar,
        excludeSlashTmp
      }
    }
  }
}

/** `undefined` for a name that only stands for the agent's own choice. */
const modelOf = ({ model }: ThreadRecord, backend: AgentBackend["Service"]): string | undefined =>
  model === "" || model === backend.id ? undefined : model

/** Models without efforts to choose from are listed with one that stands for none. */
const effortOf = ({ effort }: ThreadRecord): string | undefined =>
  effort === null || effort === noEffort ? undefined : effort

/** What there is of the agent's own of a thread; of another agent's session it knows nothing. */
const origin = (
  { backendRef, forkPoint }: ThreadRecord,
  { capabilities, id }: AgentBackend["Service"]
): Pick<SessionOptions, "fork" | "resume"> => {
  if (backendRef !== null) return backendRef.backend === id && capabilities.resume ? { resume: backendRef } : {}
  return forkPoint !== null && forkPoint.session.backend === id && capabilities.fork ? { fork: forkPoint } : {}
}

/** The agent's session of a thread. */
export const sessionOptions = (record: ThreadRecord, backend: AgentBackend["Service"]): SessionOptions => ({
  cwd: record.cwd,
  model: modelOf(record, backend),
  effort: effortOf(record),
  summary: record.settings.summary ?? undefined,
  personality: record.settings.personality ?? undefined,
  approvalPolicy: approvalPolicy(record, backend),
  sandbox: sandbox(record, backend, "session"),
  developerInstructions: record.settings.developerInstructions ?? undefined,
  ephemeral: record.ephemeral,
  ...origin(record, backend)
})

/** What a turn starts with: the settings may have changed since the session was opened. */
export const turnSettings = (record: ThreadRecord, backend: AgentBackend["Service"]): Omit<TurnInput, "input"> => ({
  cwd: record.cwd,
  model: modelOf(record, backend),
  effort: effortOf(record),
  summary: record.settings.summary ?? undefined,
  personality: record.settings.personality ?? undefined,
  approvalPolicy: approvalPolicy(record, backend),
  sandbox: sandbox(record, backend, "turn"),
  mode: record.settings.collaborationMode?.mode === "plan" ? "plan" : undefined
})
