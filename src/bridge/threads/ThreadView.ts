/**
 * Stored threads as clients see them. Pure.
 */
import type * as Strict from "../../protocol/generated/StrictTypes.ts"
import type { ItemsView } from "../store/ThreadQuery.ts"
import type { ItemRecord, ThreadRecord, ThreadSettings, TurnRecord } from "../store/ThreadRecord.ts"

const seconds = (ms: number): number => Math.floor(ms / 1000)

export const secondsOf = (ms: number | null): number | null => ms === null ? null : seconds(ms)

export const idle: Strict.ThreadStatus = { type: "idle" }
export const notLoaded: Strict.ThreadStatus = { type: "notLoaded" }

/** The one place where work is done: this machine. */
export const environmentId = "local"

type Placed = Pick<ThreadRecord, "cwd" | "settings">

/** Those of the agent's configuration, unless a client has named others. */
export const workspaceRoots = ({ cwd, settings }: Placed): ReadonlyArray<string> => {
  const { agent, runtimeWorkspaceRoots } = settings
  if (runtimeWorkspaceRoots !== undefined) return runtimeWorkspaceRoots
  return [cwd, ...agent?.workspaceWrite?.type === "workspaceWrite" ? agent.workspaceWrite.writableRoots ?? [] : []]
}

/** Whoever may write to the workspace may write to all of its roots. */
const withRoots = (policy: Strict.SandboxPolicy, record: Placed): Strict.SandboxPolicy => {
  if (policy.type !== "workspaceWrite") return policy
  const writableRoots = new Set([...workspaceRoots(record), ...policy.writableRoots ?? []])
  writableRoots.delete(record.cwd)
  return { ...policy, writableRoots: [...writableRoots] }
}

/** What is in effect, whoever has set it. */
export const settingsOf = (record: Placed): ThreadSettings => {
  const settings: ThreadSettings = { ...record.settings.agent, ...record.settings }
  const { sandboxPolicy } = settings
  return sandboxPolicy === undefined ? settings : { ...settings, sandboxPolicy: withRoots(sandboxPolicy, record) }
}

export const toThread = (
  record: ThreadRecord,
  status: Strict.ThreadStatus,
  turns: ReadonlyArray<Strict.Turn> = []
): Strict.Thread => ({
  id: record.id,
  // Of a thread that is not loaded the real server does not know them.
  environments: status.type === "notLoaded" ? null : [{
    environmentId,
    cwd: record.cwd,
    runtimeWorkspaceRoots: workspaceRoots(record)
  }],
  extra: null,
  sessionId: record.sessionId,
  forkedFromId: record.forkedFromId,
  attachedToThreadId: record.attachedToThreadId,
  parentThreadId: record.parentThreadId,
  preview: record.preview,
  ephemeral: record.ephemeral,
  section: record.section,
  sectionEnteredAt: secondsOf(record.sectionEnteredAt),
  projectId: record.projectId,
  historyMode: "paginated",
  modelProvider: record.modelProvider,
  model: record.model,
  reasoningEffort: record.effort,
  createdAt: seconds(record.createdAt),
  updatedAt: seconds(record.updatedAt),
  recencyAt: seconds(record.recencyAt),
  status,
  path: null,
  cwd: record.cwd,
  cliVersion: record.cliVersion,
  originator: record.originator,
  source: record.source,
  canAcceptDirectInput: status.type === "notLoaded" ? null : true,
  threadSource: record.threadSource,
  agentNickname: null,
  agentRole: null,
  gitInfo: record.gitInfo,
  name: record.name,
  daybreakEnabled: null,
  turns
})

export const toTurn = (
  turn: TurnRecord,
  itemsView: ItemsView,
  items: ReadonlyArray<ItemRecord>
): Strict.Turn => ({
  id: turn.id,
  rootTurnId: turn.id,
  items: items.map(({ completedAtMs, item, startedAtMs }) => ({ ...item, startedAtMs, completedAtMs })),
  itemsView,
  status: turn.status,
  error: turn.error,
  startedAt: secondsOf(turn.startedAt),
  completedAt: secondsOf(turn.completedAt),
  durationMs: turn.durationMs
})

/** What `thread/start`, `thread/resume` and `thread/fork` answer. */
export const toSettings = (record: ThreadRecord, thread: Strict.Thread): Strict.ThreadStartResponse => {
  const settings = settingsOf(record)
  return {
    thread,
    model: record.model,
    modelProvider: record.modelProvider,
    serviceTier: settings.serviceTier ?? null,
    disabledPluginIds: settings.disabledPluginIds ?? [],
    cwd: record.cwd,
    runtimeWorkspaceRoots: workspaceRoots(record),
    instructionSources: [],
    approvalPolicy: settings.approvalPolicy ?? "on-request",
    approvalsReviewer: settings.approvalsReviewer ?? "user",
    sandbox: settings.sandboxPolicy ?? { type: "readOnly", networkAccess: false },
    activePermissionProfile: settings.activePermissionProfile ?? null,
    reasoningEffort: record.effort,
    multiAgentMode: "explicitRequestOnly"
  }
}
