/**
 * The protocol's types as this backend meets them: what codex says, in the open dialect.
 */
export type {
  CodexErrorInfo,
  DynamicToolCallOutputContentItem,
  ErrorNotification,
  FileChangePatchUpdatedNotification as PatchUpdated,
  FileUpdateChange,
  ThreadGoal,
  ThreadItem,
  ThreadTokenUsage,
  TokenUsageBreakdown,
  Turn,
  TurnError,
  UserInput
} from "../../../protocol/generated/OpenTypes.ts"

export type { ServerNotification as Notification, ServerRequest } from "../../../protocol/Methods.ts"
