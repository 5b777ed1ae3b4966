// Generated from codex 0.171.0 by scripts/generate-protocol.ts. Do not edit.

import type * as Open from "./OpenTypes.ts"

export type {
  AbsolutePathBuf,
  AccountSecuritySetupAction,
  AccountSecuritySetupNotice,
  AccountSessionsListParams,
  AccountSessionsSwitchParams,
  AccountTokenUsageDailyBucket,
  AccountTokenUsageSummary,
  ActivePermissionProfile,
  AdditionalNetworkPermissions,
  AgentMessageDeltaNotification,
  AgentPath,
  AnalyticsConfig,
  AppBranding,
  AppInfo,
  AppLinksConfig,
  AppListUpdatedNotification,
  AppMetadata,
  AppReview,
  AppScreenshot,
  AppSummary,
  AppToolSummary,
  AppToolsConfig,
  ApplicationStorageRequirements,
  AppsInstalledParams,
  AppsInstalledResponse,
  AppsListParams,
  AppsListResponse,
  AppsReadParams,
  AppsReadResponse,
  AsyncUserInputQuestion,
  AttestationGenerateParams,
  AttestationGenerateResponse,
  AuthRecoveryNotification,
  AutoReviewRequirements,
  BedrockAwsProfile,
  BedrockCheckGovCloudRequirementsParams,
  BedrockCheckGovCloudRequirementsResponse,
  BedrockDiscoverParams,
  BedrockSetupResponse,
  BrowserUseExtensionRequirements,
  ByteRange,
  CancelLoginAccountParams,
  ChatgptAuthTokensRefreshResponse,
  ClientInfo,
  CollaborationModeListParams,
  CommandExecResizeParams,
  CommandExecResizeResponse,
  CommandExecResponse,
  CommandExecTerminalSize,
  CommandExecTerminateParams,
  CommandExecTerminateResponse,
  CommandExecWriteParams,
  CommandExecWriteResponse,
  CommandExecutionOutputDeltaNotification,
  CommandMigration,
  ConfigReadParams,
  ConfigWarningNotification,
  ConfigurationReasoning,
  ConnectorMetadata,
  ConsumeAccountRateLimitResetCreditParams,
  ContextCompactedNotification,
  CreditsSnapshot,
  DeprecationNoticeNotification,
  DynamicToolCallParams,
  EnvironmentAddParams,
  EnvironmentAddResponse,
  EnvironmentConnectionNotification,
  EnvironmentInfoParams,
  EnvironmentInfoResponse,
  EnvironmentShellInfo,
  EnvironmentSkillsParams,
  EnvironmentStatusParams,
  ExperimentalFeatureEnablementSetParams,
  ExperimentalFeatureEnablementSetResponse,
  ExperimentalFeatureListParams,
  ExternalAgentConfigDetectParams,
  ExternalAgentConfigImportHistoryRecordResponse,
  ExternalAgentConfigImportResponse,
  FeedbackRequirements,
  FeedbackSaveParams,
  FeedbackSaveResponse,
  FeedbackUploadParams,
  FeedbackUploadResponse,
  FileChangeOutputDeltaNotification,
  FileChangeRequestApprovalParams,
  ForcedChatgptWorkspaceIds,
  FsChangedNotification,
  FsCopyParams,
  FsCopyResponse,
  FsCreateDirectoryParams,
  FsCreateDirectoryResponse,
  FsGetMetadataParams,
  FsGetMetadataResponse,
  FsReadDirectoryEntry,
  FsReadDirectoryParams,
  FsReadDirectoryResponse,
  FsReadFileParams,
  FsReadFileResponse,
  FsRemoveParams,
  FsRemoveResponse,
  FsUnwatchParams,
  FsUnwatchResponse,
  FsWatchParams,
  FsWatchResponse,
  FsWriteFileParams,
  FsWriteFileResponse,
  FuzzyFileSearchParams,
  FuzzyFileSearchSessionCompletedNotification,
  FuzzyFileSearchSessionStartParams,
  FuzzyFileSearchSessionStartResponse,
  FuzzyFileSearchSessionStopParams,
  FuzzyFileSearchSessionStopResponse,
  FuzzyFileSearchSessionUpdateParams,
  FuzzyFileSearchSessionUpdateResponse,
  GatewayOAuthCancelResponse,
  GatewayOAuthLoginParams,
  GatewayOAuthLoginResponse,
  GatewayOAuthPrompt,
  GatewayOAuthReadParams,
  GcpSetupParams,
  GcpSetupResponse,
  GetAccountParams,
  GetAccountRateLimitsParams,
  GetAccountSecuritySetupResponse,
  GetAccountTokenUsageParams,
  GetAccountTokenUsageResponse,
  GitInfo,
  GuardianWarningNotification,
  HookErrorInfo,
  HookMigration,
  HookPromptFragment,
  HooksListParams,
  ImageGenerationInputImage,
  InAppBrowserRequirements,
  InitializeCapabilities,
  InitializeParams,
  InstalledApp,
  InternalChatMessageMetadataPassthrough,
  JSONRPCError,
  JSONRPCErrorError,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  LegacyAppPathString,
  LogoutAccountResponse,
  MarketplaceAddParams,
  MarketplaceAddResponse,
  MarketplaceInterface,
  MarketplaceLoadErrorInfo,
  MarketplaceRemoveParams,
  MarketplaceRemoveResponse,
  MarketplaceUpgradeErrorInfo,
  MarketplaceUpgradeParams,
  MarketplaceUpgradeResponse,
  McpElicitationConstOption,
  McpElicitationTitledEnumItems,
  McpResourceReadResponse,
  McpServerEventNotification,
  McpServerEventStreamNotification,
  McpServerEventStreamStartParams,
  McpServerEventStreamStartResponse,
  McpServerEventStreamStopParams,
  McpServerEventStreamStopResponse,
  McpServerInfo,
  McpServerMigration,
  McpServerOauthLoginCompletedNotification,
  McpServerOauthLoginResponse,
  McpServerRefreshResponse,
  McpServerToolCallParams,
  McpServerToolCallResponse,
  McpToolCallAppContext,
  McpToolCallError,
  McpToolCallProgressNotification,
  McpToolCallResult,
  MemoryCitation,
  MemoryCitationEntry,
  MemoryResetResponse,
  MemoryStatusParams,
  MemoryStatusResponse,
  MigrationDetails,
  MisalignmentErrorDetails,
  MisalignmentSteer,
  MockExperimentalMethodParams,
  MockExperimentalMethodResponse,
  ModelAvailabilityNux,
  ModelListParams,
  ModelProviderCapabilitiesReadParams,
  ModelProviderCapabilitiesReadResponse,
  ModelProviderDefaultSetParams,
  ModelProviderListParams,
  ModelSafetyBufferingUpdatedNotification,
  ModelServiceTier,
  ModelUpgradeInfo,
  ModelsRequirements,
  NewThreadModelDefaults,
  NullableGatewayOAuthLoginParams,
  NullableGatewayOAuthReadParams,
  NullableGetAccountRateLimitsParams,
  NullableGetAccountTokenUsageParams,
  NullableRemoteControlDisableParams,
  NullableRemoteControlEnableParams,
  OtelTlsConfig,
  OtelToolResultLogConfig,
  PathUri,
  PermissionProfileListParams,
  PermissionProfileListResponse,
  PermissionProfileSummary,
  PlanDeltaNotification,
  PluginInstallParams,
  PluginInstalledParams,
  PluginInterface,
  PluginReadParams,
  PluginReconcileChangedPlugin,
  PluginReconcileParams,
  PluginReconcileResponse,
  PluginShareCheckoutParams,
  PluginShareCheckoutResponse,
  PluginShareDeleteParams,
  PluginShareDeleteResponse,
  PluginShareListParams,
  PluginShareSaveResponse,
  PluginSkillReadParams,
  PluginSkillReadResponse,
  PluginUninstallParams,
  PluginUninstallResponse,
  PluginsMigration,
  ProcessExitedNotification,
  ProcessKillParams,
  ProcessKillResponse,
  ProcessResizePtyParams,
  ProcessResizePtyResponse,
  ProcessSpawnParams,
  ProcessSpawnResponse,
  ProcessTerminalSize,
  ProcessWriteStdinParams,
  ProcessWriteStdinResponse,
  Project,
  ProjectCreateParams,
  ProjectCreateResponse,
  ProjectDeleteParams,
  ProjectDeleteResponse,
  ProjectImportParams,
  ProjectImportResponse,
  ProjectListResponse,
  ProjectMoveParams,
  ProjectMoveResponse,
  ProjectReadParams,
  ProjectReadResponse,
  ProjectRoot,
  ProjectUpdateParams,
  ProjectUpdateResponse,
  RateLimitWindow,
  RawResponseCompletedNotification,
  ReasoningEffort,
  ReasoningEffortOption,
  ReasoningSummaryPartAddedNotification,
  ReasoningSummaryTextDeltaNotification,
  ReasoningTextDeltaNotification,
  RemoteControlClient,
  RemoteControlClientsListResponse,
  RemoteControlClientsRevokeParams,
  RemoteControlClientsRevokeResponse,
  RemoteControlDisableParams,
  RemoteControlEnableParams,
  RemoteControlPairingStartParams,
  RemoteControlPairingStartResponse,
  RemoteControlPairingStatusParams,
  RemoteControlPairingStatusResponse,
  RequestHeader,
  RequestId,
  Resource,
  ResourceContent,
  ResourceTemplate,
  ResponseUsageMetadata,
  RolloutCompressResponse,
  SandboxWorkspaceWrite,
  ServerDiagnosticsGauge,
  ServerDiagnosticsParams,
  ServerDiagnosticsProcess,
  ServerDiagnosticsResponse,
  ServerRequestResolvedNotification,
  SessionMigration,
  Settings,
  SkillDependencies,
  SkillErrorInfo,
  SkillInterface,
  SkillMigration,
  SkillSummary,
  SkillToolDependency,
  SkillsChangedNotification,
  SkillsConfigWriteParams,
  SkillsConfigWriteResponse,
  SkillsExtraRootsSetParams,
  SkillsExtraRootsSetResponse,
  SkillsListParams,
  SpendControlLimitSnapshot,
  StrictReviewRequiredNotification,
  SubagentMigration,
  TerminalInteractionNotification,
  TextElement,
  TextPosition,
  TextRange,
  ThreadApproveGuardianDeniedActionParams,
  ThreadApproveGuardianDeniedActionResponse,
  ThreadArchiveParams,
  ThreadArchiveResponse,
  ThreadArchivedNotification,
  ThreadAttachment,
  ThreadAttachmentAddParams,
  ThreadAttachmentListParams,
  ThreadAttachmentListResponse,
  ThreadAttachmentOwner,
  ThreadAttachmentOwnerListParams,
  ThreadAttachmentOwnerListResponse,
  ThreadAttachmentRemoveParams,
  ThreadAttachmentRemoveResponse,
  ThreadBackgroundTerminal,
  ThreadBackgroundTerminalsCleanParams,
  ThreadBackgroundTerminalsCleanResponse,
  ThreadBackgroundTerminalsListParams,
  ThreadBackgroundTerminalsListResponse,
  ThreadBackgroundTerminalsTerminateParams,
  ThreadBackgroundTerminalsTerminateResponse,
  ThreadClosedNotification,
  ThreadCompactStartParams,
  ThreadCompactStartResponse,
  ThreadDecrementElicitationParams,
  ThreadDecrementElicitationResponse,
  ThreadDeleteParams,
  ThreadDeleteResponse,
  ThreadDeletedNotification,
  ThreadEnvironment,
  ThreadExtra,
  ThreadGoalClearResponse,
  ThreadGoalClearedNotification,
  ThreadGoalGetParams,
  ThreadGuardianReviewParams,
  ThreadId,
  ThreadIncrementElicitationParams,
  ThreadIncrementElicitationResponse,
  ThreadInjectItemsParams,
  ThreadInjectItemsResponse,
  ThreadItemOutputDeferral,
  ThreadItemsReadParams,
  ThreadListCwdFilter,
  ThreadLoadedListParams,
  ThreadLoadedListResponse,
  ThreadMemoryModeSetResponse,
  ThreadMemoryReadParams,
  ThreadMemoryReadResponse,
  ThreadMetadataGitInfoUpdateParams,
  ThreadMetadataUpdateParams,
  ThreadNameUpdatedNotification,
  ThreadPredictionRequestParams,
  ThreadPredictionRequestResponse,
  ThreadPrepareApprovedPlanParams,
  ThreadPrepareApprovedPlanResponse,
  ThreadQueueChangedNotification,
  ThreadQueueDeleteParams,
  ThreadQueueDeleteResponse,
  ThreadQueueListParams,
  ThreadQueueReorderParams,
  ThreadQueueReorderResponse,
  ThreadQueueStartParams,
  ThreadReadParams,
  ThreadRealtimeAppendAudioParams,
  ThreadRealtimeAppendAudioResponse,
  ThreadRealtimeAppendSpeechParams,
  ThreadRealtimeAppendSpeechResponse,
  ThreadRealtimeAppendTextResponse,
  ThreadRealtimeAudioChunk,
  ThreadRealtimeClosedNotification,
  ThreadRealtimeErrorNotification,
  ThreadRealtimeItemAddedNotification,
  ThreadRealtimeItemTranscriptDeltaNotification,
  ThreadRealtimeListVoicesParams,
  ThreadRealtimeOutputAudioDeltaNotification,
  ThreadRealtimeSdpNotification,
  ThreadRealtimeStartResponse,
  ThreadRealtimeStopParams,
  ThreadRealtimeStopResponse,
  ThreadRealtimeTranscriptDeltaNotification,
  ThreadRealtimeTranscriptDoneNotification,
  ThreadRevertParams,
  ThreadRevertedNotification,
  ThreadSampleCancelParams,
  ThreadSampleCancelResponse,
  ThreadSampleParams,
  ThreadSampleResponse,
  ThreadSearchCancelParams,
  ThreadSearchCancelResponse,
  ThreadSearchOccurrence,
  ThreadSearchOccurrencesParams,
  ThreadSearchOccurrencesResponse,
  ThreadSearchTextRange,
  ThreadSection,
  ThreadSectionAppearance,
  ThreadSectionCreateParams,
  ThreadSectionCreateResponse,
  ThreadSectionDeleteParams,
  ThreadSectionDeleteResponse,
  ThreadSectionListParams,
  ThreadSectionListResponse,
  ThreadSectionMoveResponse,
  ThreadSectionUpdateParams,
  ThreadSectionUpdateResponse,
  ThreadSetNameParams,
  ThreadSetNameResponse,
  ThreadSettingsUpdateResponse,
  ThreadShellCommandParams,
  ThreadShellCommandResponse,
  ThreadSource,
  ThreadTimelineListParams,
  ThreadTokenUsage,
  ThreadTokenUsageUpdatedNotification,
  ThreadUnarchiveParams,
  ThreadUnarchivedNotification,
  ThreadUnsubscribeParams,
  ThreadUsage,
  ThreadUsageBreakdownGroup,
  TokenUsageBreakdown,
  Tool,
  ToolRequestUserInputAnswer,
  ToolRequestUserInputOption,
  ToolRequestUserInputParams,
  ToolRequestUserInputQuestion,
  ToolRequestUserInputResponse,
  TurnDiffUpdatedNotification,
  TurnEnvironmentParams,
  TurnInterruptParams,
  TurnInterruptResponse,
  TurnModerationMetadataNotification,
  TurnSteerResponse,
  UserVerificationCancelParams,
  UserVerificationCancelResponse,
  UserVerificationDeleteParams,
  UserVerificationDeleteResponse,
  UserVerificationEnrollParams,
  UserVerificationEnrollResponse,
  UserVerificationProof,
  UserVerificationStatusParams,
  UserVerificationVerifyParams,
  W3cTraceContext,
  WarningNotification,
  WebSearchLocation,
  WindowsSandboxSetupStartResponse,
  WindowsWorldWritableWarningNotification
} from "./OpenTypes.ts"

export type Account =
  | { readonly type: "apiKey" }
  | { readonly type: "chatgpt"; readonly email: string | null; readonly planType: PlanType; readonly workspaceName?: string | null }
  | { readonly type: "amazonBedrock"; readonly usesCodexManagedCredentials?: boolean }
  | { readonly type: "gcp" }

export interface AccountLoginCompletedNotification {
  readonly error?: string | null
  readonly loginId?: string | null
  readonly onboardingEntrypoint?: DesktopOnboardingEntrypoint | null
  readonly success: boolean
}

export interface AccountRateLimitsUpdatedNotification {
  readonly rateLimits: RateLimitSnapshot
}

export type AccountRoutingOverride = "NO_CONSTRAINT" | "us" | "us_cr"

export interface AccountSession {
  readonly displayName?: string | null
  readonly email?: string | null
  readonly imageUrl?: string | null
  readonly isActive: boolean
  readonly lastUsedAt: number
  readonly selectedWorkspaceAccountId?: string | null
  readonly sessionId: string
  readonly userId?: string | null
  readonly workspaces: ReadonlyArray<AccountSessionWorkspace>
}

export interface AccountSessionWorkspace {
  readonly accountId: string
  readonly imageUrl?: string | null
  readonly kind?: AccountSessionWorkspaceKind | null
  readonly name?: string | null
}

export type AccountSessionWorkspaceKind = "personal" | "workspace"

export interface AccountSessionsResponse {
  readonly activeSessionId?: string | null
  readonly sessions: ReadonlyArray<AccountSession>
}

export type AccountSessionsSwitchResponse = { readonly activeSessionId?: string | null; readonly sessions: ReadonlyArray<AccountSession> } | { readonly auth_url: string; readonly login_id: string }

export type AccountUpdateReason = "workspaceRoutingReady" | "unknown"

export interface AccountUpdatedNotification {
  readonly authMode?: AuthMode | null
  readonly planType?: PlanType | null
  readonly reason?: AccountUpdateReason | null
}

export type AddCreditsNudgeCreditType = "credits" | "usage_limit"

export type AddCreditsNudgeEmailStatus = "sent" | "cooldown_active"

export interface AdditionalContextEntry {
  readonly kind: AdditionalContextKind
  readonly name?: string | null
  readonly value: string
}

export type AdditionalContextKind = "untrusted" | "application"

export interface AdditionalFileSystemPermissions {
  readonly entries?: ReadonlyArray<FileSystemSandboxEntry> | null
  readonly globScanMaxDepth?: number | null
  readonly read?: ReadonlyArray<Open.LegacyAppPathString> | null
  readonly write?: ReadonlyArray<Open.LegacyAppPathString> | null
}

export interface AdditionalPermissionProfile {
  readonly fileSystem?: AdditionalFileSystemPermissions | null
  readonly network?: Open.AdditionalNetworkPermissions | null
}

export type AgentMessageDelivery = "async"

export type AgentMessageDisplay =
  | { readonly mode: "show"; readonly annotation?: AnswerAnnotation | null; readonly trustedContacts: TrustedContacts; readonly version: 1 }
  | { readonly mode: "hide"; readonly replacement: AnswerReplacement; readonly version: 1 }
  | { readonly mode: "block"; readonly reason: BlockReason; readonly version: 1 }

export type AgentMessageInputContent =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "encrypted_content"; readonly encrypted_content: string }

export interface AgentMessageModeration {
  readonly display?: AgentMessageDisplay | null
  readonly moderated: boolean
}

export type AllowDenyRequirement = "allow" | "deny"

export type AnswerAnnotation =
  | { readonly kind: "wellbeingHelpline"; readonly subject: HelplineSubject }

export type AnswerReplacement =
  | { readonly kind: "wellbeingPromptHelpline" }

export interface AppConfig {
  readonly approvals_reviewer?: ApprovalsReviewer | null
  readonly default_tools_approval_mode?: AppToolApproval | null
  readonly default_tools_enabled?: boolean | null
  readonly destructive_enabled?: boolean | null
  readonly enabled?: boolean
  readonly links?: Open.AppLinksConfig | null
  readonly omit_tools_from?: ReadonlyArray<ToolExposureSurface> | null
  readonly open_world_enabled?: boolean | null
  readonly tools?: Open.AppToolsConfig | null
}

export interface AppLinkConfig {
  readonly approvals_reviewer?: ApprovalsReviewer | null
  readonly default_tools_approval_mode?: AppToolApproval | null
}

export interface AppTemplateSummary {
  readonly canonicalConnectorId?: string | null
  readonly category?: string | null
  readonly description?: string | null
  readonly logoUrl?: string | null
  readonly logoUrlDark?: string | null
  readonly materializedAppIds: ReadonlyArray<string>
  readonly name: string
  readonly reason?: AppTemplateUnavailableReason | null
  readonly templateId: string
}

export type AppTemplateUnavailableReason = "NOT_CONFIGURED_FOR_WORKSPACE" | "NO_ACTIVE_WORKSPACE"

export type AppToolApproval = "auto" | "prompt" | "writes" | "approve"

export interface AppToolConfig {
  readonly approval_mode?: AppToolApproval | null
  readonly enabled?: boolean | null
}

export interface ApplicationNetworkRequirements {
  readonly domains: { readonly [key: string]: NetworkDomainPermission }
  readonly enabled: boolean
}

export interface ApplicationRequirements {
  readonly network?: ApplicationNetworkRequirements | null
  readonly storage?: Open.ApplicationStorageRequirements | null
}

export interface ApplyPatchApprovalParams {
  readonly callId: string
  readonly conversationId: Open.ThreadId
  readonly fileChanges: { readonly [key: string]: FileChange }
  readonly grantRoot?: string | null
  readonly reason?: string | null
}

export interface ApplyPatchApprovalResponse {
  readonly decision: ReviewDecision
}

export type ApprovalsReviewer = "user" | "auto_review" | "guardian_subagent"

export interface AppsConfig {
  readonly _default?: AppsDefaultConfig | null
}

export interface AppsDefaultConfig {
  readonly approvals_reviewer?: ApprovalsReviewer | null
  readonly default_tools_approval_mode?: AppToolApproval | null
  readonly destructive_enabled?: boolean
  readonly enabled?: boolean
  readonly open_world_enabled?: boolean
}

export type AskForApproval = "untrusted" | "on-request" | "never" | { readonly granular: { readonly mcp_elicitations: boolean; readonly request_permissions?: boolean; readonly rules: boolean; readonly sandbox_approval: boolean; readonly skill_approval?: boolean } }

export type AuthMode = "apikey" | "chatgpt" | "chatgptAuthTokens" | "headers" | "agentIdentity" | "personalAccessToken" | "bedrockApiKey" | "bedrockAccessKeys"

export type AutoCompactTokenLimitScope = "total" | "body_after_prefix"

export type AutoReviewDecisionSource = "agent"

export type AwsCredentialType = "accessKeys" | "bedrockApiKey"

export interface BedrockDiscoverResponse {
  readonly environmentCredentials: ReadonlyArray<BedrockEnvironmentCredential>
  readonly profiles: ReadonlyArray<Open.BedrockAwsProfile>
}

export interface BedrockEnvironmentCredential {
  readonly region?: string | null
  readonly type: AwsCredentialType
}

export type BedrockProviderId = "amazon-bedrock" | "amazon-bedrock-runtime"

export type BedrockSetupParams =
  | { readonly type: "profile"; readonly profile: string; readonly region: string }
  | { readonly type: "environment"; readonly region: string }

export type BlockReason =
  | { readonly kind: "protection"; readonly protectionType: string }
  | { readonly kind: "cyber"; readonly trustedAccess?: boolean | null }

export type BrowserUseAccessApprovalLifetime = "turn" | "thread"

export interface BrowserUseConfig {
  readonly allow_history_access?: boolean | null
  readonly default_origin_policy?: BrowserUseOriginPolicyConfig | null
  readonly origins?: { readonly [key: string]: BrowserUseOriginPolicyConfig } | null
}

export interface BrowserUseOriginPolicy {
  readonly access?: AllowDenyRequirement | null
  readonly accessApprovalLifetime?: BrowserUseAccessApprovalLifetime | null
  readonly autoReview?: AllowDenyRequirement | null
  readonly downloads?: AllowDenyRequirement | null
  readonly fullCdpAccess?: AllowDenyRequirement | null
  readonly persistentApproval?: boolean | null
  readonly uploads?: AllowDenyRequirement | null
}

export interface BrowserUseOriginPolicyConfig {
  readonly access?: AllowDenyRequirement | null
  readonly downloads?: AllowDenyRequirement | null
  readonly full_cdp_access?: AllowDenyRequirement | null
  readonly uploads?: AllowDenyRequirement | null
}

export interface BrowserUseRequirements {
  readonly allowGlobalPersistentApproval?: boolean | null
  readonly allowHistoryAccess?: boolean | null
  readonly allowWebmcp?: boolean | null
  readonly defaultOriginPolicy?: BrowserUseOriginPolicy | null
  readonly disableAutoReview?: boolean | null
  readonly extension?: Open.BrowserUseExtensionRequirements | null
  readonly origins?: { readonly [key: string]: BrowserUseOriginPolicy } | null
}

export interface CancelLoginAccountResponse {
  readonly status: CancelLoginAccountStatus
}

export type CancelLoginAccountStatus = "canceled" | "notFound"

export type CapabilityRootLocation =
  | { readonly type: "environment"; readonly environmentId: string; readonly path: string }

export interface ChatgptAuthTokensRefreshParams {
  readonly previousAccountId?: string | null
  readonly reason: ChatgptAuthTokensRefreshReason
}

export type ChatgptAuthTokensRefreshReason = "unauthorized"

export type CliAuthCredentialsStoreMode = "file" | "keyring" | "auto" | "ephemeral"

export type CodexErrorInfo = "contextWindowExceeded" | "sessionBudgetExceeded" | "usageLimitExceeded" | "rateLimitExceeded" | "flexUnavailable" | "serverOverloaded" | "modelNotFound" | "policyCapacityUnavailable" | "cyberPolicy" | "bioPolicy" | "misalignmentPolicyViolation" | "tooManyDenials" | "internalServerError" | "unauthorized" | "badRequest" | "threadRollbackFailed" | "sandboxError" | "other" | "inferenceHookDenied" | { readonly httpConnectionFailed: { readonly httpStatusCode?: number | null } } | { readonly responseStreamConnectionFailed: { readonly httpStatusCode?: number | null } } | { readonly responseStreamDisconnected: { readonly httpStatusCode?: number | null } } | { readonly responseTooManyFailedAttempts: { readonly httpStatusCode?: number | null } } | { readonly activeTurnNotSteerable: { readonly turnKind: NonSteerableTurnKind } }

export type CodexResponseHandoffMode = "thinking" | "commentary" | "bemTags"

export interface CollabAgentState {
  readonly message?: string | null
  readonly status: CollabAgentStatus
}

export type CollabAgentStatus = "pendingInit" | "running" | "interrupted" | "completed" | "errored" | "shutdown" | "notFound"

export type CollabAgentTool = "spawnAgent" | "sendInput" | "resumeAgent" | "wait" | "closeAgent" | "sendMessage" | "followupTask" | "interruptAgent" | "listAgents"

export type CollabAgentToolCallStatus = "inProgress" | "completed" | "failed" | "interrupted"

export interface CollaborationMode {
  readonly mode: ModeKind
  readonly settings: Open.Settings
}

export interface CollaborationModeListResponse {
  readonly data: ReadonlyArray<CollaborationModeMask>
}

export interface CollaborationModeMask {
  readonly mode?: ModeKind | null
  readonly model?: string | null
  readonly name: string
  readonly reasoning_effort?: Open.ReasoningEffort | null
}

export type CommandAction =
  | { readonly type: "read"; readonly command: string; readonly name: string; readonly path: Open.LegacyAppPathString }
  | { readonly type: "listFiles"; readonly command: string; readonly path?: string | null }
  | { readonly type: "search"; readonly command: string; readonly path?: string | null; readonly query?: string | null }
  | { readonly type: "unknown"; readonly command: string }

export interface CommandExecOutputDeltaNotification {
  readonly capReached: boolean
  readonly deltaBase64: string
  readonly processId: string
  readonly stream: CommandExecOutputStream
}

export type CommandExecOutputStream = "stdout" | "stderr"

export interface CommandExecParams {
  readonly command: ReadonlyArray<string>
  readonly cwd?: string | null
  readonly disableOutputCap?: boolean
  readonly disableTimeout?: boolean
  readonly env?: { readonly [key: string]: string | null } | null
  readonly outputBytesCap?: number | null
  readonly permissionProfile?: string | null
  readonly processId?: string | null
  readonly sandboxPolicy?: SandboxPolicy | null
  readonly size?: Open.CommandExecTerminalSize | null
  readonly streamStdin?: boolean
  readonly streamStdoutStderr?: boolean
  readonly timeoutMs?: number | null
  readonly tty?: boolean
}

export type CommandExecutionApprovalDecision = "accept" | "acceptForSession" | "decline" | "cancel" | { readonly acceptWithExecpolicyAmendment: { readonly execpolicy_amendment: ReadonlyArray<string> } } | { readonly applyNetworkPolicyAmendment: { readonly network_policy_amendment: NetworkPolicyAmendment } }

export type CommandExecutionApprovalKind = "command" | "writeStdin" | "humanCommand"

export interface CommandExecutionRequestApprovalParams {
  readonly additionalPermissions?: AdditionalPermissionProfile | null
  readonly approvalId?: string | null
  readonly availableDecisions?: ReadonlyArray<CommandExecutionApprovalDecision> | null
  readonly command?: string | null
  readonly commandActions?: ReadonlyArray<CommandAction> | null
  readonly cwd?: Open.LegacyAppPathString | null
  readonly environmentId?: string | null
  readonly itemId: string
  readonly kind?: CommandExecutionApprovalKind
  readonly networkApprovalContext?: NetworkApprovalContext | null
  readonly proposedExecpolicyAmendment?: ReadonlyArray<string> | null
  readonly proposedNetworkPolicyAmendments?: ReadonlyArray<NetworkPolicyAmendment> | null
  readonly reason?: string | null
  readonly startedAtMs: number
  readonly threadId: string
  readonly turnId: string
}

export interface CommandExecutionRequestApprovalResponse {
  readonly decision: CommandExecutionApprovalDecision
}

export type CommandExecutionSource = "agent" | "userShell" | "unifiedExecStartup" | "unifiedExecInteraction"

export type CommandExecutionStatus = "inProgress" | "completed" | "failed" | "declined"

export interface ComputerUseConfig {
  readonly default_app_access?: AllowDenyRequirement | null
  readonly macos?: ComputerUseMacosConfig | null
  readonly windows?: ComputerUseWindowsConfig | null
}

export interface ComputerUseMacosConfig {
  readonly bundle_ids?: { readonly [key: string]: AllowDenyRequirement } | null
}

export interface ComputerUseMacosRequirements {
  readonly bundleIds?: { readonly [key: string]: AllowDenyRequirement } | null
}

export interface ComputerUseRequirements {
  readonly allowLockedComputerUse?: boolean | null
  readonly allowPersistentApproval?: boolean | null
  readonly defaultAppAccess?: AllowDenyRequirement | null
  readonly macos?: ComputerUseMacosRequirements | null
  readonly windows?: ComputerUseWindowsRequirements | null
}

export interface ComputerUseWindowsConfig {
  readonly aumids?: { readonly [key: string]: AllowDenyRequirement } | null
  readonly exes?: ReadonlyArray<ComputerUseWindowsExeConfig> | null
}

export interface ComputerUseWindowsExeConfig {
  readonly access: AllowDenyRequirement
  readonly binary_name?: string | null
  readonly product_name: string
  readonly publisher_name: string
}

export interface ComputerUseWindowsExeRequirement {
  readonly access: AllowDenyRequirement
  readonly binaryName?: string | null
  readonly productName: string
  readonly publisherName: string
}

export interface ComputerUseWindowsRequirements {
  readonly aumids?: { readonly [key: string]: AllowDenyRequirement } | null
  readonly exes?: ReadonlyArray<ComputerUseWindowsExeRequirement> | null
}

export interface Config {
  readonly analytics?: Open.AnalyticsConfig | null
  readonly approval_policy?: AskForApproval | null
  readonly approvals_reviewer?: ApprovalsReviewer | null
  readonly apps?: AppsConfig | null
  readonly browser_use?: BrowserUseConfig | null
  readonly client_search_provider?: WebSearchProvider | null
  readonly compact_prompt?: string | null
  readonly computer_use?: ComputerUseConfig | null
  readonly desktop?: { readonly [key: string]: unknown } | null
  readonly developer_instructions?: string | null
  readonly forced_chatgpt_workspace_id?: Open.ForcedChatgptWorkspaceIds | null
  readonly forced_login_method?: ForcedLoginMethod | null
  readonly instructions?: string | null
  readonly model?: string | null
  readonly model_auto_compact_token_limit?: number | null
  readonly model_auto_compact_token_limit_scope?: AutoCompactTokenLimitScope | null
  readonly model_context_window?: number | null
  readonly model_provider?: string | null
  readonly model_reasoning_effort?: Open.ReasoningEffort | null
  readonly model_reasoning_summary?: ReasoningSummary | null
  readonly model_verbosity?: Verbosity | null
  readonly review_model?: string | null
  readonly sandbox_mode?: SandboxMode | null
  readonly sandbox_workspace_write?: Open.SandboxWorkspaceWrite | null
  readonly service_tier?: string | null
  readonly tools?: ToolsV2 | null
  readonly web_search?: WebSearchMode | null
  readonly [key: string]: unknown
}

export interface ConfigBatchWriteParams {
  readonly edits: ReadonlyArray<ConfigEdit>
  readonly expectedVersion?: string | null
  readonly filePath?: string | null
  readonly reloadUserConfig?: boolean
}

export interface ConfigEdit {
  readonly keyPath: string
  readonly mergeStrategy: MergeStrategy
  readonly value: unknown
}

export interface ConfigLayer {
  readonly config: unknown
  readonly disabledReason?: string | null
  readonly name: ConfigLayerSource
  readonly version: string
}

export interface ConfigLayerMetadata {
  readonly name: ConfigLayerSource
  readonly version: string
}

export type ConfigLayerSource =
  | { readonly type: "packagedDefaults"; readonly file: Open.AbsolutePathBuf }
  | { readonly type: "mdm"; readonly domain: string; readonly key: string }
  | { readonly type: "system"; readonly file: Open.AbsolutePathBuf }
  | { readonly type: "enterpriseManaged"; readonly id: string; readonly name: string }
  | { readonly type: "user"; readonly file: Open.AbsolutePathBuf; readonly profile?: string | null }
  | { readonly type: "project"; readonly dotCodexFolder: Open.AbsolutePathBuf }
  | { readonly type: "sessionFlags" }
  | { readonly type: "legacyManagedConfigTomlFromFile"; readonly file: Open.AbsolutePathBuf }
  | { readonly type: "legacyManagedConfigTomlFromMdm" }

export interface ConfigReadResponse {
  readonly config: Config
  readonly layers?: ReadonlyArray<ConfigLayer> | null
  readonly origins: { readonly [key: string]: ConfigLayerMetadata }
}

export interface ConfigRequirements {
  readonly additionalDeveloperInstructions?: string | null
  readonly allowAppshots?: boolean | null
  readonly allowBrowserAndComputerUse?: boolean | null
  readonly allowLoginShell?: boolean | null
  readonly allowManagedHooksOnly?: boolean | null
  readonly allowRemoteControl?: boolean | null
  readonly allowedApprovalPolicies?: ReadonlyArray<AskForApproval> | null
  readonly allowedApprovalsReviewers?: ReadonlyArray<ApprovalsReviewer> | null
  readonly allowedLoginMethods?: ReadonlyArray<ForcedLoginMethod> | null
  readonly allowedPermissionProfiles?: { readonly [key: string]: boolean } | null
  readonly allowedSandboxModes?: ReadonlyArray<SandboxMode> | null
  readonly allowedWebSearchModes?: ReadonlyArray<WebSearchMode> | null
  readonly allowedWindowsSandboxImplementations?: ReadonlyArray<WindowsSandboxImplementation> | null
  readonly application?: ApplicationRequirements | null
  readonly autoReview?: Open.AutoReviewRequirements | null
  readonly browserUse?: BrowserUseRequirements | null
  readonly chatgptBaseUrl?: string | null
  readonly checkForUpdateOnStartup?: boolean | null
  readonly cliAuthCredentialsStore?: CliAuthCredentialsStoreMode | null
  readonly computerUse?: ComputerUseRequirements | null
  readonly defaultPermissions?: string | null
  readonly enforceResidency?: ResidencyRequirement | null
  readonly featureRequirements?: { readonly [key: string]: boolean } | null
  readonly feedback?: Open.FeedbackRequirements | null
  readonly hooks?: ManagedHooksRequirements | null
  readonly inAppBrowser?: Open.InAppBrowserRequirements | null
  readonly logDir?: string | null
  readonly modelCatalogJson?: string | null
  readonly modelProvider?: string | null
  readonly modelProviders?: { readonly [key: string]: unknown } | null
  readonly models?: Open.ModelsRequirements | null
  readonly network?: NetworkRequirements | null
  readonly otel?: OtelRequirements | null
  readonly sqliteHome?: string | null
}

export interface ConfigRequirementsReadResponse {
  readonly requirements?: ConfigRequirements | null
  readonly supportsIndependentSpeedModes?: boolean | null
}

export interface ConfigValueWriteParams {
  readonly expectedVersion?: string | null
  readonly filePath?: string | null
  readonly keyPath: string
  readonly mergeStrategy: MergeStrategy
  readonly value: unknown
}

export interface ConfigWriteResponse {
  readonly filePath: Open.AbsolutePathBuf
  readonly overriddenMetadata?: OverriddenMetadata | null
  readonly status: WriteStatus
  readonly version: string
}

export type ConfiguredHookHandler =
  | { readonly type: "command"; readonly additionalContextLimit?: number | null; readonly async: boolean; readonly command: string; readonly commandWindows?: string | null; readonly statusMessage?: string | null; readonly timeoutSec?: number | null }
  | { readonly type: "mcp_tool"; readonly input: { readonly [key: string]: unknown }; readonly server: string; readonly statusMessage?: string | null; readonly timeoutSec?: number | null; readonly tool: string }
  | { readonly type: "prompt" }
  | { readonly type: "agent" }

export interface ConfiguredHookMatcherGroup {
  readonly hooks: ReadonlyArray<ConfiguredHookHandler>
  readonly matcher?: string | null
}

export type ConsumeAccountRateLimitResetCreditOutcome = "reset" | "nothingToReset" | "noCredit" | "alreadyRedeemed"

export interface ConsumeAccountRateLimitResetCreditResponse {
  readonly outcome: ConsumeAccountRateLimitResetCreditOutcome
}

export type ContentItem =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_image"; readonly detail?: ImageDetail | null; readonly image_url: string }
  | { readonly type: "input_image"; readonly detail?: ImageDetail | null; readonly file_id: string }
  | { readonly type: "input_audio"; readonly audio_url: string }
  | { readonly type: "input_audio"; readonly file_id: string }
  | { readonly type: "output_text"; readonly annotations?: ReadonlyArray<unknown> | null; readonly logprobs?: ReadonlyArray<unknown> | null; readonly text: string }

export type ConversationTextRole = "user" | "developer" | "assistant"

export type CyberAccessProgram = "standard" | "daybreakBlue" | "daybreakRed"

export type DesktopOnboardingEntrypoint = "life_sciences"

export type DynamicToolCallOutputContentItem =
  | { readonly type: "inputText"; readonly text: string }
  | { readonly type: "inputImage"; readonly imageUrl: string }
  | { readonly type: "inputAudio"; readonly audioUrl: string }

export interface DynamicToolCallResponse {
  readonly contentItems: ReadonlyArray<DynamicToolCallOutputContentItem>
  readonly success: boolean
}

export type DynamicToolCallStatus = "inProgress" | "completed" | "failed"

export type DynamicToolNamespaceTool =
  | { readonly type: "function"; readonly deferLoading?: boolean; readonly description: string; readonly inputSchema: unknown; readonly name: string }

export type DynamicToolSpec =
  | { readonly type: "function"; readonly deferLoading?: boolean; readonly description: string; readonly inputSchema: unknown; readonly name: string }
  | { readonly type: "namespace"; readonly description: string; readonly name: string; readonly tools: ReadonlyArray<DynamicToolNamespaceTool> }

export type EnvironmentStatusKind = "ready" | "pending" | "disconnected" | "unknown"

export interface EnvironmentStatusResponse {
  readonly error?: string | null
  readonly status: EnvironmentStatusKind
}

export interface ErrorNotification {
  readonly error: TurnError
  readonly threadId: string
  readonly turnId: string
  readonly willRetry: boolean
}

export interface ExecCommandApprovalParams {
  readonly approvalId?: string | null
  readonly callId: string
  readonly command: ReadonlyArray<string>
  readonly conversationId: Open.ThreadId
  readonly cwd: string
  readonly parsedCmd: ReadonlyArray<ParsedCommand>
  readonly reason?: string | null
}

export interface ExecCommandApprovalResponse {
  readonly decision: ReviewDecision
}

export interface ExperimentalFeature {
  readonly announcement?: string | null
  readonly defaultEnabled: boolean
  readonly description?: string | null
  readonly displayName?: string | null
  readonly enabled: boolean
  readonly name: string
  readonly stage: ExperimentalFeatureStage
}

export interface ExperimentalFeatureListResponse {
  readonly data: ReadonlyArray<ExperimentalFeature>
  readonly nextCursor?: string | null
}

export type ExperimentalFeatureStage = "beta" | "underDevelopment" | "stable" | "deprecated" | "removed"

export interface ExternalAgentConfigDetectResponse {
  readonly connectors?: ReadonlyArray<ExternalAgentDetectedConnectorCandidate>
  readonly items: ReadonlyArray<ExternalAgentConfigMigrationItem>
}

export interface ExternalAgentConfigImportCompletedNotification {
  readonly importId: string
  readonly itemTypeResults: ReadonlyArray<ExternalAgentConfigImportTypeResult>
}

export interface ExternalAgentConfigImportHistoriesReadResponse {
  readonly connectors: ReadonlyArray<ExternalAgentImportedConnectorCandidate>
  readonly data: ReadonlyArray<ExternalAgentConfigImportHistory>
}

export interface ExternalAgentConfigImportHistory {
  readonly completedAtMs: number
  readonly failures: ReadonlyArray<ExternalAgentConfigImportItemTypeFailure>
  readonly importId: string
  readonly providerId?: string | null
  readonly successes: ReadonlyArray<ExternalAgentConfigImportItemTypeSuccess>
}

export interface ExternalAgentConfigImportHistoryRecordParams {
  readonly itemTypeResults: ReadonlyArray<ExternalAgentConfigImportHistoryRecordTypeResultParams>
  readonly providerId: string
}

export interface ExternalAgentConfigImportHistoryRecordSuccessParams {
  readonly cwd?: string | null
  readonly itemType: ExternalAgentConfigMigrationItemType
  readonly source?: string | null
  readonly target?: string | null
  readonly title?: string | null
}

export interface ExternalAgentConfigImportHistoryRecordTypeResultParams {
  readonly failures: ReadonlyArray<ExternalAgentConfigImportItemTypeFailure>
  readonly itemType: ExternalAgentConfigMigrationItemType
  readonly successes: ReadonlyArray<ExternalAgentConfigImportHistoryRecordSuccessParams>
}

export interface ExternalAgentConfigImportItemTypeFailure {
  readonly cwd?: string | null
  readonly errorType?: string | null
  readonly failureStage: string
  readonly itemType: ExternalAgentConfigMigrationItemType
  readonly message: string
  readonly source?: string | null
  readonly subErrorType?: string | null
}

export interface ExternalAgentConfigImportItemTypeSuccess {
  readonly cwd?: string | null
  readonly itemType: ExternalAgentConfigMigrationItemType
  readonly source?: string | null
  readonly target?: string | null
  readonly title?: string | null
}

export interface ExternalAgentConfigImportParams {
  readonly migrationItems: ReadonlyArray<ExternalAgentConfigMigrationItem>
  readonly migrationSource?: string | null
  readonly providerId?: string | null
  readonly source?: string | null
}

export interface ExternalAgentConfigImportProgressNotification {
  readonly importId: string
  readonly itemTypeResults: ReadonlyArray<ExternalAgentConfigImportTypeResult>
}

export interface ExternalAgentConfigImportTypeResult {
  readonly failures: ReadonlyArray<ExternalAgentConfigImportItemTypeFailure>
  readonly itemType: ExternalAgentConfigMigrationItemType
  readonly successes: ReadonlyArray<ExternalAgentConfigImportItemTypeSuccess>
}

export interface ExternalAgentConfigMigrationItem {
  readonly cwd?: string | null
  readonly description: string
  readonly details?: Open.MigrationDetails | null
  readonly itemType: ExternalAgentConfigMigrationItemType
}

export type ExternalAgentConfigMigrationItemType = "AGENTS_MD" | "CONFIG" | "SKILLS" | "PLUGINS" | "MCP_SERVER_CONFIG" | "SUBAGENTS" | "HOOKS" | "COMMANDS" | "MEMORY" | "SESSIONS"

export interface ExternalAgentDetectedConnectorCandidate {
  readonly name: string
  readonly sessionCount: number
  readonly source: ExternalAgentDetectedConnectorSource
}

export type ExternalAgentDetectedConnectorSource = "remoteMcpServersConfig" | "sessionToolUse"

export interface ExternalAgentImportedConnectorCandidate {
  readonly name: string
  readonly sessionCount: number
  readonly source: ExternalAgentImportedConnectorSource
}

export type ExternalAgentImportedConnectorSource = "remoteMcpServersConfig"

export type FileChange =
  | { readonly type: "add"; readonly content: string }
  | { readonly type: "delete"; readonly content: string }
  | { readonly type: "update"; readonly move_path?: string | null; readonly unified_diff: string }

export type FileChangeApprovalDecision = "accept" | "acceptForSession" | "decline" | "cancel"

export interface FileChangePatchUpdatedNotification {
  readonly changes: ReadonlyArray<FileUpdateChange>
  readonly itemId: string
  readonly threadId: string
  readonly turnId: string
}

export interface FileChangeRequestApprovalResponse {
  readonly decision: FileChangeApprovalDecision
}

export type FileSystemAccessMode = "read" | "write" | "deny"

export type FileSystemPath =
  | { readonly type: "path"; readonly path: Open.LegacyAppPathString }
  | { readonly type: "glob_pattern"; readonly pattern: string }
  | { readonly type: "special"; readonly value: FileSystemSpecialPath }

export interface FileSystemSandboxEntry {
  readonly access: FileSystemAccessMode
  readonly path: FileSystemPath
}

export type FileSystemSpecialPath =
  | { readonly kind: "root" }
  | { readonly kind: "minimal" }
  | { readonly kind: "project_roots"; readonly subpath?: Open.LegacyAppPathString | null }
  | { readonly kind: "tmpdir" }
  | { readonly kind: "slash_tmp" }
  | { readonly kind: "unknown"; readonly path: string; readonly subpath?: Open.LegacyAppPathString | null }

export interface FileUpdateChange {
  readonly diff: string
  readonly kind: PatchChangeKind
  readonly path: string
}

export type ForcedLoginMethod = "chatgpt" | "api"

export type FunctionCallOutputBody = string | ReadonlyArray<FunctionCallOutputContentItem>

export type FunctionCallOutputContentItem =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_image"; readonly detail?: ImageDetail | null; readonly image_url: string }
  | { readonly type: "input_image"; readonly detail?: ImageDetail | null; readonly file_id: string }
  | { readonly type: "input_audio"; readonly audio_url: string }
  | { readonly type: "input_audio"; readonly file_id: string }
  | { readonly type: "encrypted_content"; readonly encrypted_content: string }

export type FuzzyFileSearchMatchType = "file" | "directory"

export interface FuzzyFileSearchResponse {
  readonly files: ReadonlyArray<FuzzyFileSearchResult>
}

export interface FuzzyFileSearchResult {
  readonly file_name: string
  readonly indices?: ReadonlyArray<number> | null
  readonly match_type: FuzzyFileSearchMatchType
  readonly path: string
  readonly root: string
  readonly score: number
}

export interface FuzzyFileSearchSessionUpdatedNotification {
  readonly files: ReadonlyArray<FuzzyFileSearchResult>
  readonly query: string
  readonly sessionId: string
}

export type GatewayAuth =
  | { readonly mode: "none" }
  | { readonly mode: "environmentVariable"; readonly envKey: string }
  | { readonly mode: "externallyConfigured"; readonly envKey?: string | null }

export interface GatewayOAuthChangedNotification {
  readonly authUrl?: string | null
  readonly error?: string | null
  readonly loginId?: string | null
  readonly providerId: string
  readonly status: GatewayOAuthStatus
}

export interface GatewayOAuthReadResponse {
  readonly error?: string | null
  readonly providerId: string
  readonly providerName: string
  readonly required: boolean
  readonly status?: GatewayOAuthStatus | null
  readonly supportsDeviceAuth?: boolean
}

export type GatewayOAuthStatus = "notReady" | "started" | "succeeded" | "failed"

export type GcpProviderId = "gcp"

export interface GetAccountRateLimitsResponse {
  readonly accountId?: string | null
  readonly ordinaryUsageAllowed?: boolean | null
  readonly rateLimitResetCredits?: RateLimitResetCreditsSummary | null
  readonly rateLimitUpsell?: unknown
  readonly rateLimits: RateLimitSnapshot
  readonly rateLimitsByLimitId?: { readonly [key: string]: RateLimitSnapshot } | null
}

export interface GetAccountResponse {
  readonly account?: Account | null
  readonly requiresOpenaiAuth: boolean
  readonly userId?: string | null
  readonly workspaceRouting?: WorkspaceRouting | null
}

export interface GetWorkspaceMessagesResponse {
  readonly featureEnabled: boolean
  readonly messages: ReadonlyArray<WorkspaceMessage>
}

export interface GrantedPermissionProfile {
  readonly fileSystem?: AdditionalFileSystemPermissions | null
  readonly network?: Open.AdditionalNetworkPermissions | null
}

export interface GuardianApprovalReview {
  readonly rationale?: string | null
  readonly riskLevel?: GuardianRiskLevel | null
  readonly status: GuardianApprovalReviewStatus
  readonly userAuthorization?: GuardianUserAuthorization | null
}

export type GuardianApprovalReviewAction =
  | { readonly type: "command"; readonly command: string; readonly cwd: Open.LegacyAppPathString; readonly source: GuardianCommandSource }
  | { readonly type: "execve"; readonly argv: ReadonlyArray<string>; readonly cwd: Open.AbsolutePathBuf; readonly program: string; readonly source: GuardianCommandSource }
  | { readonly type: "writeStdin"; readonly approvalId: string; readonly cwd: Open.LegacyAppPathString; readonly processId: string; readonly stdin: string }
  | { readonly type: "applyPatch"; readonly cwd: Open.LegacyAppPathString; readonly files: ReadonlyArray<Open.LegacyAppPathString> }
  | { readonly type: "networkAccess"; readonly host: string; readonly port: number; readonly protocol: NetworkApprovalProtocol; readonly target: string }
  | { readonly type: "mcpToolCall"; readonly connectorId?: string | null; readonly connectorName?: string | null; readonly server: string; readonly toolName: string; readonly toolTitle?: string | null }
  | { readonly type: "requestPermissions"; readonly permissions: RequestPermissionProfile; readonly reason?: string | null }

export type GuardianApprovalReviewStatus = "inProgress" | "approved" | "denied" | "timedOut" | "aborted"

export type GuardianAssessmentOutcome = "allow" | "deny"

export type GuardianCommandSource = "shell" | "unifiedExec"

export type GuardianRiskLevel = "low" | "medium" | "high" | "critical"

export type GuardianUserAuthorization = "unknown" | "low" | "medium" | "high"

export type HelplineSubject = "answer" | "prompt"

export interface HookCompletedNotification {
  readonly run: HookRunSummary
  readonly threadId: string
  readonly turnId?: string | null
}

export type HookEventName = "preModelRequest" | "postModelRequest" | "preToolUse" | "permissionRequest" | "postToolUse" | "preCompact" | "postCompact" | "sessionStart" | "sessionEnd" | "userPromptSubmit" | "subagentStart" | "subagentStop" | "stop" | "interrupt"

export type HookExecutionMode = "sync" | "async"

export type HookHandlerType = "command" | "mcpTool" | "prompt" | "agent"

export type HookMetadata =
  | { readonly handlerType: "command"; readonly additionalContextLimit?: number | null; readonly async?: boolean; readonly command: string; readonly currentHash: string; readonly displayOrder: number; readonly enabled: boolean; readonly environmentId?: string | null; readonly eventName: HookEventName; readonly isManaged: boolean; readonly key: string; readonly matcher?: string | null; readonly pluginId?: string | null; readonly source: HookSource; readonly sourcePath: Open.AbsolutePathBuf; readonly statusMessage?: string | null; readonly timeoutSec: number; readonly trustStatus: HookTrustStatus }
  | { readonly handlerType: "mcpTool"; readonly additionalContextLimit?: number | null; readonly currentHash: string; readonly displayOrder: number; readonly enabled: boolean; readonly environmentId?: string | null; readonly eventName: HookEventName; readonly isManaged: boolean; readonly key: string; readonly matcher?: string | null; readonly pluginId?: string | null; readonly server: string; readonly source: HookSource; readonly sourcePath: Open.AbsolutePathBuf; readonly statusMessage?: string | null; readonly timeoutSec: number; readonly tool: string; readonly trustStatus: HookTrustStatus }
  | { readonly handlerType: "prompt"; readonly additionalContextLimit?: number | null; readonly currentHash: string; readonly displayOrder: number; readonly enabled: boolean; readonly environmentId?: string | null; readonly eventName: HookEventName; readonly isManaged: boolean; readonly key: string; readonly matcher?: string | null; readonly pluginId?: string | null; readonly source: HookSource; readonly sourcePath: Open.AbsolutePathBuf; readonly statusMessage?: string | null; readonly timeoutSec: number; readonly trustStatus: HookTrustStatus }
  | { readonly handlerType: "agent"; readonly additionalContextLimit?: number | null; readonly currentHash: string; readonly displayOrder: number; readonly enabled: boolean; readonly environmentId?: string | null; readonly eventName: HookEventName; readonly isManaged: boolean; readonly key: string; readonly matcher?: string | null; readonly pluginId?: string | null; readonly source: HookSource; readonly sourcePath: Open.AbsolutePathBuf; readonly statusMessage?: string | null; readonly timeoutSec: number; readonly trustStatus: HookTrustStatus }

export interface HookOutputEntry {
  readonly kind: HookOutputEntryKind
  readonly text: string
}

export type HookOutputEntryKind = "warning" | "stop" | "feedback" | "context" | "error"

export type HookRunStatus = "running" | "completed" | "failed" | "blocked" | "stopped"

export interface HookRunSummary {
  readonly completedAt?: number | null
  readonly displayOrder: number
  readonly durationMs?: number | null
  readonly entries: ReadonlyArray<HookOutputEntry>
  readonly eventName: HookEventName
  readonly executionMode: HookExecutionMode
  readonly handlerType: HookHandlerType
  readonly id: string
  readonly scope: HookScope
  readonly source?: HookSource
  readonly sourcePath: Open.LegacyAppPathString
  readonly startedAt: number
  readonly status: HookRunStatus
  readonly statusMessage?: string | null
}

export type HookScope = "thread" | "turn"

export type HookSource = "system" | "user" | "project" | "mdm" | "sessionFlags" | "plugin" | "cloudRequirements" | "cloudManagedConfig" | "legacyManagedConfigFile" | "legacyManagedConfigMdm" | "unknown"

export interface HookStartedNotification {
  readonly run: HookRunSummary
  readonly threadId: string
  readonly turnId?: string | null
}

export type HookTrustStatus = "managed" | "untrusted" | "trusted" | "modified"

export interface HooksListEntry {
  readonly cwd: string
  readonly errors: ReadonlyArray<Open.HookErrorInfo>
  readonly hooks: ReadonlyArray<HookMetadata>
  readonly warnings: ReadonlyArray<string>
}

export interface HooksListResponse {
  readonly data: ReadonlyArray<HooksListEntry>
}

export type ImageDetail = "auto" | "low" | "high" | "original"

export type ImageGenerationFailure =
  | { readonly type: "usageLimitExceeded"; readonly limitId: string; readonly resetsAt?: number | null }

export interface InitializeResponse {
  readonly codexHome: Open.AbsolutePathBuf
  readonly platformFamily: string
  readonly platformOs: string
  readonly userAgent: string
}

export type InputModality = "text" | "image" | "audio"

export interface ItemCompletedNotification {
  readonly completedAtMs: number
  readonly contentTokenCount?: number | null
  readonly item: ThreadItem
  readonly threadId: string
  readonly turnId: string
}

export interface ItemGuardianApprovalReviewCompletedNotification {
  readonly action: GuardianApprovalReviewAction
  readonly completedAtMs: number
  readonly decisionSource: AutoReviewDecisionSource
  readonly review: GuardianApprovalReview
  readonly reviewId: string
  readonly startedAtMs: number
  readonly targetItemId?: string | null
  readonly threadId: string
  readonly turnId: string
}

export interface ItemGuardianApprovalReviewStartedNotification {
  readonly action: GuardianApprovalReviewAction
  readonly review: GuardianApprovalReview
  readonly reviewId: string
  readonly startedAtMs: number
  readonly targetItemId?: string | null
  readonly threadId: string
  readonly turnId: string
}

export interface ItemStartedNotification {
  readonly item: ThreadItem
  readonly startedAtMs: number
  readonly threadId: string
  readonly turnId: string
}

export interface ListMcpServerStatusParams {
  readonly cursor?: string | null
  readonly detail?: McpServerStatusDetail | null
  readonly environmentId?: string | null
  readonly limit?: number | null
  readonly serverName?: string | null
  readonly threadId?: string | null
}

export interface ListMcpServerStatusResponse {
  readonly data: ReadonlyArray<McpServerStatus>
  readonly nextCursor?: string | null
}

export type LocalShellAction =
  | { readonly type: "exec"; readonly command: ReadonlyArray<string>; readonly env?: { readonly [key: string]: string } | null; readonly timeout_ms?: number | null; readonly user?: string | null; readonly working_directory?: string | null }

export type LocalShellStatus = "completed" | "in_progress" | "incomplete"

export type LoginAccountParams =
  | { readonly type: "apiKey"; readonly apiKey: string }
  | { readonly type: "chatgpt"; readonly appBrand?: LoginAppBrand | null; readonly codexStreamlinedLogin?: boolean; readonly useHostedLoginSuccessPage?: boolean }
  | { readonly type: "chatgptDeviceCode" }
  | { readonly type: "chatgptAuthTokens"; readonly accessToken: string; readonly chatgptAccountId: string; readonly chatgptPlanType?: string | null }
  | { readonly type: "amazonBedrock"; readonly apiKey: string; readonly region: string }
  | { readonly type: "amazonBedrockAccessKeys"; readonly accessKeyId: string; readonly region: string; readonly secretAccessKey: string; readonly sessionToken?: string | null }

export type LoginAccountResponse =
  | { readonly type: "apiKey" }
  | { readonly type: "chatgpt"; readonly authUrl: string; readonly loginId: string }
  | { readonly type: "chatgptDeviceCode"; readonly loginId: string; readonly userCode: string; readonly verificationUrl: string }
  | { readonly type: "chatgptAuthTokens" }
  | { readonly type: "amazonBedrock" }

export type LoginAppBrand = "codex" | "chatgpt"

export interface ManagedHooksRequirements {
  readonly Interrupt?: ReadonlyArray<ConfiguredHookMatcherGroup>
  readonly PermissionRequest: ReadonlyArray<ConfiguredHookMatcherGroup>
  readonly PostCompact: ReadonlyArray<ConfiguredHookMatcherGroup>
  readonly PostModelRequest?: ReadonlyArray<ConfiguredHookMatcherGroup>
  readonly PostToolUse: ReadonlyArray<ConfiguredHookMatcherGroup>
  readonly PreCompact: ReadonlyArray<ConfiguredHookMatcherGroup>
  readonly PreModelRequest?: ReadonlyArray<ConfiguredHookMatcherGroup>
  readonly PreToolUse: ReadonlyArray<ConfiguredHookMatcherGroup>
  readonly SessionEnd?: ReadonlyArray<ConfiguredHookMatcherGroup>
  readonly SessionStart: ReadonlyArray<ConfiguredHookMatcherGroup>
  readonly Stop: ReadonlyArray<ConfiguredHookMatcherGroup>
  readonly SubagentStart: ReadonlyArray<ConfiguredHookMatcherGroup>
  readonly SubagentStop: ReadonlyArray<ConfiguredHookMatcherGroup>
  readonly UserPromptSubmit: ReadonlyArray<ConfiguredHookMatcherGroup>
  readonly managedDir?: string | null
  readonly windowsManagedDir?: string | null
}

export type McpAppDisplayMode = "inline" | "fullscreen"

export interface McpAppUi {
  readonly preferredModelDisplayMode: McpAppDisplayMode
  readonly resourceUri: string
}

export type McpAuthStatus = "unknown" | "unsupported" | "notLoggedIn" | "bearerToken" | "oAuth"

export type McpElicitationArrayType = "array"

export interface McpElicitationBooleanSchema {
  readonly default?: boolean | null
  readonly description?: string | null
  readonly title?: string | null
  readonly type: McpElicitationBooleanType
}

export type McpElicitationBooleanType = "boolean"

export type McpElicitationEnumSchema =
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly enum: ReadonlyArray<string>; readonly title?: string | null }
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly oneOf: ReadonlyArray<Open.McpElicitationConstOption>; readonly title?: string | null }
  | { readonly type: "array"; readonly default?: ReadonlyArray<string> | null; readonly description?: string | null; readonly items: McpElicitationUntitledEnumItems; readonly maxItems?: number | null; readonly minItems?: number | null; readonly title?: string | null }
  | { readonly type: "array"; readonly default?: ReadonlyArray<string> | null; readonly description?: string | null; readonly items: Open.McpElicitationTitledEnumItems; readonly maxItems?: number | null; readonly minItems?: number | null; readonly title?: string | null }
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly enum: ReadonlyArray<string>; readonly enumNames?: ReadonlyArray<string> | null; readonly title?: string | null }

export interface McpElicitationLegacyTitledEnumSchema {
  readonly default?: string | null
  readonly description?: string | null
  readonly enum: ReadonlyArray<string>
  readonly enumNames?: ReadonlyArray<string> | null
  readonly title?: string | null
  readonly type: McpElicitationStringType
}

export type McpElicitationMultiSelectEnumSchema =
  | { readonly type: "array"; readonly default?: ReadonlyArray<string> | null; readonly description?: string | null; readonly items: McpElicitationUntitledEnumItems; readonly maxItems?: number | null; readonly minItems?: number | null; readonly title?: string | null }
  | { readonly type: "array"; readonly default?: ReadonlyArray<string> | null; readonly description?: string | null; readonly items: Open.McpElicitationTitledEnumItems; readonly maxItems?: number | null; readonly minItems?: number | null; readonly title?: string | null }

export interface McpElicitationNumberSchema {
  readonly default?: number | null
  readonly description?: string | null
  readonly maximum?: number | null
  readonly minimum?: number | null
  readonly title?: string | null
  readonly type: McpElicitationNumberType
}

export type McpElicitationNumberType = "number" | "integer"

export type McpElicitationObjectType = "object"

export type McpElicitationPrimitiveSchema =
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly enum: ReadonlyArray<string>; readonly title?: string | null }
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly oneOf: ReadonlyArray<Open.McpElicitationConstOption>; readonly title?: string | null }
  | { readonly type: "array"; readonly default?: ReadonlyArray<string> | null; readonly description?: string | null; readonly items: McpElicitationUntitledEnumItems; readonly maxItems?: number | null; readonly minItems?: number | null; readonly title?: string | null }
  | { readonly type: "array"; readonly default?: ReadonlyArray<string> | null; readonly description?: string | null; readonly items: Open.McpElicitationTitledEnumItems; readonly maxItems?: number | null; readonly minItems?: number | null; readonly title?: string | null }
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly enum: ReadonlyArray<string>; readonly enumNames?: ReadonlyArray<string> | null; readonly title?: string | null }
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly format?: McpElicitationStringFormat | null; readonly maxLength?: number | null; readonly minLength?: number | null; readonly title?: string | null }
  | { readonly type: "number" | "integer"; readonly default?: number | null; readonly description?: string | null; readonly maximum?: number | null; readonly minimum?: number | null; readonly title?: string | null }
  | { readonly type: "boolean"; readonly default?: boolean | null; readonly description?: string | null; readonly title?: string | null }

export interface McpElicitationSchema {
  readonly $schema?: string | null
  readonly properties: { readonly [key: string]: McpElicitationPrimitiveSchema }
  readonly required?: ReadonlyArray<string> | null
  readonly type: McpElicitationObjectType
}

export type McpElicitationSingleSelectEnumSchema =
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly enum: ReadonlyArray<string>; readonly title?: string | null }
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly oneOf: ReadonlyArray<Open.McpElicitationConstOption>; readonly title?: string | null }

export type McpElicitationStringFormat = "email" | "uri" | "date" | "date-time"

export interface McpElicitationStringSchema {
  readonly default?: string | null
  readonly description?: string | null
  readonly format?: McpElicitationStringFormat | null
  readonly maxLength?: number | null
  readonly minLength?: number | null
  readonly title?: string | null
  readonly type: McpElicitationStringType
}

export type McpElicitationStringType = "string"

export interface McpElicitationTitledMultiSelectEnumSchema {
  readonly default?: ReadonlyArray<string> | null
  readonly description?: string | null
  readonly items: Open.McpElicitationTitledEnumItems
  readonly maxItems?: number | null
  readonly minItems?: number | null
  readonly title?: string | null
  readonly type: McpElicitationArrayType
}

export interface McpElicitationTitledSingleSelectEnumSchema {
  readonly default?: string | null
  readonly description?: string | null
  readonly oneOf: ReadonlyArray<Open.McpElicitationConstOption>
  readonly title?: string | null
  readonly type: McpElicitationStringType
}

export interface McpElicitationUntitledEnumItems {
  readonly enum: ReadonlyArray<string>
  readonly type: McpElicitationStringType
}

export interface McpElicitationUntitledMultiSelectEnumSchema {
  readonly default?: ReadonlyArray<string> | null
  readonly description?: string | null
  readonly items: McpElicitationUntitledEnumItems
  readonly maxItems?: number | null
  readonly minItems?: number | null
  readonly title?: string | null
  readonly type: McpElicitationArrayType
}

export interface McpElicitationUntitledSingleSelectEnumSchema {
  readonly default?: string | null
  readonly description?: string | null
  readonly enum: ReadonlyArray<string>
  readonly title?: string | null
  readonly type: McpElicitationStringType
}

export interface McpResourceReadParams {
  readonly _meta?: { readonly [key: string]: unknown } | null
  readonly connectorId?: string | null
  readonly environmentId?: string | null
  readonly originCallId?: string | null
  readonly server: string
  readonly target?: McpResourceReadTarget | null
  readonly threadId?: string | null
  readonly uri: string
}

export interface McpResourceReadTarget {
  readonly connectorId: string
  readonly linkId: string | null
}

export type McpServerConnectionStatus = "notStarted" | "starting" | "connected" | "authenticationRequired" | "failed" | "cancelled" | "disabled"

export type McpServerElicitationAction = "accept" | "decline" | "cancel"

export type McpServerElicitationRequestParams =
  | { readonly mode: "openai/userVerification"; readonly _meta?: unknown; readonly challenge: string; readonly description: string; readonly environmentId?: string | null; readonly serverName: string; readonly threadId: string; readonly title: string; readonly turnId?: string | null }
  | { readonly mode: "form"; readonly _meta?: unknown; readonly environmentId?: string | null; readonly message: string; readonly requestedSchema: McpElicitationSchema; readonly serverName: string; readonly threadId: string; readonly turnId?: string | null }
  | { readonly mode: "openai/form"; readonly _meta?: unknown; readonly environmentId?: string | null; readonly message: string; readonly requestedSchema: unknown; readonly serverName: string; readonly threadId: string; readonly turnId?: string | null }
  | { readonly mode: "openaiForm"; readonly _meta?: unknown; readonly environmentId?: string | null; readonly message: string; readonly requestedSchema: unknown; readonly serverName: string; readonly threadId: string; readonly turnId?: string | null }
  | { readonly mode: "url"; readonly _meta?: unknown; readonly elicitationId: string; readonly environmentId?: string | null; readonly message: string; readonly serverName: string; readonly threadId: string; readonly turnId?: string | null; readonly url: string }

export interface McpServerElicitationRequestResponse {
  readonly _meta?: unknown
  readonly action: McpServerElicitationAction
  readonly content?: unknown
}

export type McpServerOauthClientRegistration = "auto" | "cimd" | "dcr"

export interface McpServerOauthLoginParams {
  readonly clientRegistration?: McpServerOauthClientRegistration | null
  readonly environmentId?: string | null
  readonly name: string
  readonly scopes?: ReadonlyArray<string> | null
  readonly threadId?: string | null
  readonly timeoutSecs?: number | null
}

export type McpServerStartupFailureReason = "reauthenticationRequired"

export type McpServerStartupState = "starting" | "ready" | "failed" | "cancelled"

export interface McpServerStatus {
  readonly authStatus: McpAuthStatus
  readonly environmentId?: string | null
  readonly httpOrigin?: string | null
  readonly name: string
  readonly pluginId?: string | null
  readonly resourceTemplates: ReadonlyArray<Open.ResourceTemplate>
  readonly resources: ReadonlyArray<Open.Resource>
  readonly runtimeStatus?: McpServerConnectionStatus | null
  readonly serverCapabilities?: unknown
  readonly serverInfo?: Open.McpServerInfo | null
  readonly toolListMeta?: unknown
  readonly tools: { readonly [key: string]: Open.Tool }
  readonly toolsError?: string | null
}

export type McpServerStatusDetail = "full" | "toolsAndAuthOnly"

export interface McpServerStatusUpdatedNotification {
  readonly environmentId?: string | null
  readonly error?: string | null
  readonly failureReason?: McpServerStartupFailureReason | null
  readonly name: string
  readonly status: McpServerStartupState
  readonly threadId?: string | null
}

export type McpToolCallStatus = "inProgress" | "completed" | "failed"

export type MergeStrategy = "replace" | "upsert"

export type MessagePhase = "commentary" | "partial_answer" | "final_answer"

export type ModeKind = "plan" | "default"

export interface Model {
  readonly additionalSpeedTiers?: ReadonlyArray<string>
  readonly availabilityNux?: Open.ModelAvailabilityNux | null
  readonly availableAccessPrograms?: ModelAccessPrograms | null
  readonly defaultReasoningEffort: Open.ReasoningEffort
  readonly defaultServiceTier?: string | null
  readonly description: string
  readonly displayName: string
  readonly hidden: boolean
  readonly id: string
  readonly inputModalities?: ReadonlyArray<InputModality>
  readonly isDefault: boolean
  readonly model: string
  readonly modelSpecialty?: string | null
  readonly multiAgentVersion?: MultiAgentVersion | null
  readonly serviceTiers?: ReadonlyArray<Open.ModelServiceTier>
  readonly supportedReasoningEfforts: ReadonlyArray<Open.ReasoningEffortOption>
  readonly supportsPersonality?: boolean
  readonly upgrade?: string | null
  readonly upgradeInfo?: Open.ModelUpgradeInfo | null
}

export interface ModelAccessPrograms {
  readonly cyber: ReadonlyArray<CyberAccessProgram>
}

export interface ModelListResponse {
  readonly data: ReadonlyArray<Model>
  readonly nextCursor?: string | null
}

export interface ModelProviderConfigWriteParams {
  readonly settings: ProviderSettingsPatch
}

export interface ModelProviderConfigWriteResponse {
  readonly provider: ModelProviderSummary
}

export type ModelProviderError =
  | { readonly type: "modelProviderMismatch"; readonly currentModelProvider: string; readonly modelProvider: string }
  | { readonly type: "modelProviderNotConfigured"; readonly modelProvider: string }
  | { readonly type: "modelProviderPolicyConflict"; readonly modelProvider: string; readonly requiredModelProvider: string }

export interface ModelProviderListResponse {
  readonly canChangeDefault: boolean
  readonly data: ReadonlyArray<ModelProviderSummary>
  readonly defaultProviderId: string
}

export interface ModelProviderSummary {
  readonly baseUrl?: string | null
  readonly canEdit: boolean
  readonly id: string
  readonly name: string
  readonly settings: ProviderSettings
}

export type ModelRerouteReason = "highRiskCyberActivity"

export interface ModelReroutedNotification {
  readonly fromModel: string
  readonly reason: ModelRerouteReason
  readonly threadId: string
  readonly toModel: string
  readonly turnId: string
}

export type ModelVerification = "trustedAccessForCyber"

export interface ModelVerificationNotification {
  readonly threadId: string
  readonly turnId: string
  readonly verifications: ReadonlyArray<ModelVerification>
}

export type MultiAgentMode = "explicitRequestOnly" | "proactive" | { readonly custom: string }

export type MultiAgentVersion = "disabled" | "v1" | "v2"

export type NetworkAccess = "restricted" | "enabled"

export interface NetworkApprovalContext {
  readonly host: string
  readonly protocol: NetworkApprovalProtocol
}

export type NetworkApprovalProtocol = "http" | "https" | "socks5Tcp" | "socks5Udp"

export type NetworkDomainPermission = "allow" | "deny"

export interface NetworkPolicyAmendment {
  readonly action: NetworkPolicyRuleAction
  readonly host: string
}

export type NetworkPolicyRuleAction = "allow" | "deny"

export interface NetworkRequirements {
  readonly allowLocalBinding?: boolean | null
  readonly allowUnixSockets?: ReadonlyArray<string> | null
  readonly allowUpstreamProxy?: boolean | null
  readonly allowedDomains?: ReadonlyArray<string> | null
  readonly dangerouslyAllowAllUnixSockets?: boolean | null
  readonly dangerouslyAllowNonLoopbackProxy?: boolean | null
  readonly deniedDomains?: ReadonlyArray<string> | null
  readonly domains?: { readonly [key: string]: NetworkDomainPermission } | null
  readonly enabled?: boolean | null
  readonly httpPort?: number | null
  readonly managedAllowedDomainsOnly?: boolean | null
  readonly reviewDomains?: ReadonlyArray<string> | null
  readonly socksPort?: number | null
  readonly unixSockets?: { readonly [key: string]: NetworkUnixSocketPermission } | null
}

export type NetworkUnixSocketPermission = "allow" | "deny"

export type NonSteerableTurnKind = "review" | "compact"

export type OtelExporter = "none" | "statsig" | { readonly "otlp-http": { readonly endpoint: string; readonly headers: { readonly [key: string]: string }; readonly protocol: OtelHttpProtocol; readonly tls?: Open.OtelTlsConfig | null } } | { readonly "otlp-grpc": { readonly endpoint: string; readonly headers: { readonly [key: string]: string }; readonly tls?: Open.OtelTlsConfig | null } }

export type OtelHttpProtocol = "binary" | "json"

export interface OtelRequirements {
  readonly environment?: string | null
  readonly exporter?: OtelExporter | null
  readonly headers_helper?: string | null
  readonly headers_helper_refresh_interval_ms?: number | null
  readonly log_agent_responses?: boolean | null
  readonly log_guardian_assessments?: boolean | null
  readonly log_sse_deltas?: boolean | null
  readonly log_user_prompt?: boolean | null
  readonly metrics_exporter?: OtelExporter | null
  readonly span_attributes?: { readonly [key: string]: string } | null
  readonly tool_result?: Open.OtelToolResultLogConfig | null
  readonly trace_exporter?: OtelExporter | null
  readonly tracestate?: { readonly [key: string]: { readonly [key: string]: string } } | null
}

export interface OverriddenMetadata {
  readonly effectiveValue: unknown
  readonly message: string
  readonly overridingLayer: ConfigLayerMetadata
}

export type ParsedCommand =
  | { readonly type: "read"; readonly cmd: string; readonly name: string; readonly path: string }
  | { readonly type: "list_files"; readonly cmd: string; readonly path?: string | null }
  | { readonly type: "search"; readonly cmd: string; readonly path?: string | null; readonly query?: string | null }
  | { readonly type: "unknown"; readonly cmd: string }

export type PatchApplyStatus = "inProgress" | "completed" | "failed" | "declined"

export type PatchChangeKind =
  | { readonly type: "add" }
  | { readonly type: "delete" }
  | { readonly type: "update"; readonly move_path?: string | null }

export type PermissionGrantScope = "turn" | "session"

export interface PermissionsRequestApprovalParams {
  readonly cwd: Open.LegacyAppPathString
  readonly environmentId?: string | null
  readonly itemId: string
  readonly permissions: RequestPermissionProfile
  readonly reason?: string | null
  readonly startedAtMs: number
  readonly threadId: string
  readonly turnId: string
}

export interface PermissionsRequestApprovalResponse {
  readonly permissions: GrantedPermissionProfile
  readonly scope?: PermissionGrantScope
  readonly strictAutoReview?: boolean | null
}

export type Personality = "none" | "friendly" | "pragmatic"

export type PlanType = "free" | "go" | "plus" | "pro" | "prolite" | "promax" | "team" | "self_serve_business_prolite" | "self_serve_business_usage_based" | "business" | "ent26" | "enterprise_cbp_automation" | "enterprise_cbp_usage_based" | "enterprise" | "edu" | "edu_plus" | "edu_pro" | "sci" | "sci_plus" | "unknown"

export type PluginAuthPolicy = "ON_INSTALL" | "ON_USE"

export type PluginAvailability = "DISABLED_BY_ADMIN" | "AVAILABLE"

export interface PluginDetail {
  readonly appTemplates: ReadonlyArray<AppTemplateSummary>
  readonly apps: ReadonlyArray<Open.AppSummary>
  readonly description?: string | null
  readonly hooks: ReadonlyArray<PluginHookSummary>
  readonly marketplaceName: string
  readonly marketplacePath?: Open.AbsolutePathBuf | null
  readonly mcpServers: ReadonlyArray<string>
  readonly onboardingSkill?: Open.SkillSummary | null
  readonly scheduledTasks?: ReadonlyArray<ScheduledTaskSummary> | null
  readonly shareUrl?: string | null
  readonly skills: ReadonlyArray<Open.SkillSummary>
  readonly summary: PluginSummary
}

export type PluginDisabledReason = "disabled_by_admin" | "plan_not_eligible" | "required_app_unavailable" | "unknown"

export interface PluginHookSummary {
  readonly eventName: HookEventName
  readonly key: string
}

export type PluginInstallPolicy = "NOT_AVAILABLE" | "AVAILABLE" | "INSTALLED_BY_DEFAULT"

export type PluginInstallPolicySource = "WORKSPACE_SETTING" | "IMPLICIT_CANONICAL_APP"

export interface PluginInstallResponse {
  readonly appsNeedingAuth: ReadonlyArray<Open.AppSummary>
  readonly authPolicy: PluginAuthPolicy
}

export interface PluginInstalledResponse {
  readonly marketplaceLoadErrors?: ReadonlyArray<Open.MarketplaceLoadErrorInfo>
  readonly marketplaces: ReadonlyArray<PluginMarketplaceEntry>
}

export type PluginListMarketplaceKind = "local" | "vertical" | "workspace-directory" | "shared-with-me" | "created-by-me-remote"

export interface PluginListParams {
  readonly cwds?: ReadonlyArray<Open.AbsolutePathBuf> | null
  readonly forceRefetch?: boolean
  readonly marketplaceKinds?: ReadonlyArray<PluginListMarketplaceKind> | null
}

export interface PluginListResponse {
  readonly featuredPluginIds?: ReadonlyArray<string>
  readonly marketplaceLoadErrors?: ReadonlyArray<Open.MarketplaceLoadErrorInfo>
  readonly marketplaces: ReadonlyArray<PluginMarketplaceEntry>
}

export interface PluginMarketplaceEntry {
  readonly interface?: Open.MarketplaceInterface | null
  readonly name: string
  readonly path?: Open.AbsolutePathBuf | null
  readonly plugins: ReadonlyArray<PluginSummary>
}

export interface PluginReadResponse {
  readonly plugin: PluginDetail
}

export interface PluginSearchParams {
  readonly cursor?: string | null
  readonly cwds?: ReadonlyArray<Open.AbsolutePathBuf> | null
  readonly limit?: number | null
  readonly scope?: PluginSearchScope | null
  readonly searchTerm: string
}

export interface PluginSearchResponse {
  readonly data: ReadonlyArray<PluginSearchResult>
  readonly nextCursor?: string | null
}

export interface PluginSearchResult {
  readonly marketplaceName: string
  readonly marketplacePath?: Open.AbsolutePathBuf | null
  readonly plugin: PluginSummary
}

export type PluginSearchScope = "global" | "workspace" | "personal"

export interface PluginShareContext {
  readonly canPublishToWorkspace?: boolean | null
  readonly creatorAccountUserId?: string | null
  readonly creatorName?: string | null
  readonly discoverability?: PluginShareDiscoverability | null
  readonly remotePluginId: string
  readonly remoteVersion?: string | null
  readonly sharePrincipals?: ReadonlyArray<PluginSharePrincipal> | null
  readonly shareUrl?: string | null
}

export type PluginShareDiscoverability = "LISTED" | "UNLISTED" | "PRIVATE"

export interface PluginShareListItem {
  readonly localPluginPath?: Open.AbsolutePathBuf | null
  readonly plugin: PluginSummary
}

export interface PluginShareListResponse {
  readonly data: ReadonlyArray<PluginShareListItem>
}

export interface PluginSharePrincipal {
  readonly name: string
  readonly principalId: string
  readonly principalType: PluginSharePrincipalType
  readonly role: PluginSharePrincipalRole
}

export type PluginSharePrincipalRole = "reader" | "editor" | "owner"

export type PluginSharePrincipalType = "user" | "group" | "workspace"

export interface PluginShareSaveParams {
  readonly discoverability?: PluginShareDiscoverability | null
  readonly pluginPath: Open.AbsolutePathBuf
  readonly remotePluginId?: string | null
  readonly shareTargets?: ReadonlyArray<PluginShareTarget> | null
}

export interface PluginShareTarget {
  readonly principalId: string
  readonly principalType: PluginSharePrincipalType
  readonly role: PluginShareTargetRole
}

export type PluginShareTargetRole = "reader" | "editor"

export type PluginShareUpdateDiscoverability = "UNLISTED" | "PRIVATE" | "LISTED"

export interface PluginShareUpdateTargetsParams {
  readonly discoverability: PluginShareUpdateDiscoverability
  readonly remotePluginId: string
  readonly shareTargets: ReadonlyArray<PluginShareTarget>
}

export interface PluginShareUpdateTargetsResponse {
  readonly discoverability: PluginShareDiscoverability
  readonly principals: ReadonlyArray<PluginSharePrincipal>
}

export type PluginSource =
  | { readonly type: "local"; readonly path: Open.AbsolutePathBuf }
  | { readonly type: "git"; readonly path?: string | null; readonly refName?: string | null; readonly sha?: string | null; readonly url: string }
  | { readonly type: "npm"; readonly package: string; readonly registry?: string | null; readonly version?: string | null }
  | { readonly type: "remote" }

export interface PluginSummary {
  readonly authPolicy: PluginAuthPolicy
  readonly availability?: PluginAvailability
  readonly disabledReason?: PluginDisabledReason | null
  readonly eligiblePlanTypes?: ReadonlyArray<string> | null
  readonly enabled: boolean
  readonly id: string
  readonly installPolicy: PluginInstallPolicy
  readonly installPolicySource?: PluginInstallPolicySource | null
  readonly installed: boolean
  readonly installedAt?: number | null
  readonly interface?: Open.PluginInterface | null
  readonly keywords?: ReadonlyArray<string>
  readonly localVersion?: string | null
  readonly mustShowInstallationInterstitial?: boolean | null
  readonly name: string
  readonly remotePluginId?: string | null
  readonly shareContext?: PluginShareContext | null
  readonly source: PluginSource
  readonly version?: string | null
}

export interface ProcessOutputDeltaNotification {
  readonly capReached: boolean
  readonly deltaBase64: string
  readonly processHandle: string
  readonly stream: ProcessOutputStream
}

export type ProcessOutputStream = "stdout" | "stderr"

export type ProjectChangeType = "created" | "updated" | "deleted"

export interface ProjectChangedNotification {
  readonly changeType: ProjectChangeType
  readonly projectId: string
}

export interface ProjectListParams {
  readonly cursor?: string | null
  readonly limit?: number | null
  readonly sortDirection?: SortDirection | null
  readonly sortKey?: ProjectSortKey | null
}

export type ProjectSortKey = "position" | "recencyAt"

export type ProviderSettings =
  | { readonly type: "openai" }
  | { readonly type: "customGateway"; readonly auth: GatewayAuth }
  | { readonly type: "bedrock"; readonly profile?: string | null; readonly region?: string | null }
  | { readonly type: "gcp"; readonly credentialFile?: string | null; readonly location?: string | null; readonly projectId?: string | null }

export type ProviderSettingsPatch =
  | { readonly type: "customGateway"; readonly baseUrl?: string | null; readonly envKey?: string | null; readonly name?: string; readonly providerId?: string | null }
  | { readonly type: "bedrock"; readonly profile?: string | null; readonly providerId: BedrockProviderId; readonly region?: string | null }
  | { readonly type: "gcp"; readonly credentialFile?: string | null; readonly location?: string | null; readonly projectId?: string | null; readonly providerId: GcpProviderId }

export interface QueuedSubmission {
  readonly clientUserMessageId: string
  readonly id: string
  readonly input: ReadonlyArray<UserInput>
  readonly responsesapiClientMetadata?: { readonly [key: string]: string } | null
}

export type RateLimitReachedType = "rate_limit_reached" | "workspace_owner_credits_depleted" | "workspace_member_credits_depleted" | "workspace_owner_usage_limit_reached" | "workspace_member_usage_limit_reached"

export interface RateLimitResetCredit {
  readonly description?: string | null
  readonly expiresAt?: number | null
  readonly grantedAt: number
  readonly id: string
  readonly resetType: RateLimitResetType
  readonly status: RateLimitResetCreditStatus
  readonly title?: string | null
}

export type RateLimitResetCreditStatus = "available" | "redeeming" | "redeemed" | "unknown"

export interface RateLimitResetCreditsSummary {
  readonly availableCount: number
  readonly credits?: ReadonlyArray<RateLimitResetCredit> | null
}

export type RateLimitResetType = "codexRateLimits" | "unknown"

export interface RateLimitSnapshot {
  readonly credits?: Open.CreditsSnapshot | null
  readonly individualLimit?: Open.SpendControlLimitSnapshot | null
  readonly limitId?: string | null
  readonly limitName?: string | null
  readonly normalModelSlug?: string | null
  readonly planType?: PlanType | null
  readonly primary?: Open.RateLimitWindow | null
  readonly rateLimitReachedType?: RateLimitReachedType | null
  readonly secondary?: Open.RateLimitWindow | null
  readonly spendControlReached?: boolean | null
}

export interface RawResponseItemCompletedNotification {
  readonly item: ResponseItem
  readonly threadId: string
  readonly turnId: string
}

export type RealtimeConversationVersion = "v1" | "v2" | "v3"

export type RealtimeOutputModality = "text" | "audio"

export type RealtimeVoice = "alloy" | "arbor" | "ash" | "aube" | "ballad" | "breeze" | "bubbie" | "cedar" | "coral" | "cove" | "echo" | "ember" | "haetsal" | "hanul" | "himari" | "juniper" | "leher" | "maple" | "marin" | "miko" | "neer" | "porto" | "rindo" | "rio" | "rivage" | "sage" | "selva" | "shimmer" | "sol" | "sonna" | "spruce" | "tinta" | "vale" | "verse" | "viola"

export interface RealtimeVoicesList {
  readonly defaultV1: RealtimeVoice
  readonly defaultV2: RealtimeVoice
  readonly v1: ReadonlyArray<RealtimeVoice>
  readonly v2: ReadonlyArray<RealtimeVoice>
  readonly v3?: ReadonlyArray<RealtimeVoice>
}

export type ReasoningItemContent =
  | { readonly type: "reasoning_text"; readonly text: string }
  | { readonly type: "text"; readonly text: string }

export type ReasoningItemReasoningSummary =
  | { readonly type: "summary_text"; readonly text: string }

export type ReasoningSummary = "auto" | "concise" | "detailed" | "none"

export type RemoteControlClientsListOrder = "asc" | "desc"

export interface RemoteControlClientsListParams {
  readonly cursor?: string | null
  readonly environmentId: string
  readonly limit?: number | null
  readonly order?: RemoteControlClientsListOrder | null
}

export type RemoteControlConnectionStatus = "disabled" | "connecting" | "connected" | "errored"

export interface RemoteControlDisableResponse {
  readonly environmentId?: string | null
  readonly installationId: string
  readonly serverName: string
  readonly status: RemoteControlConnectionStatus
}

export interface RemoteControlEnableResponse {
  readonly environmentId?: string | null
  readonly installationId: string
  readonly serverName: string
  readonly status: RemoteControlConnectionStatus
}

export interface RemoteControlStatusChangedNotification {
  readonly environmentId?: string | null
  readonly installationId: string
  readonly serverName: string
  readonly status: RemoteControlConnectionStatus
}

export interface RemoteControlStatusReadResponse {
  readonly environmentId?: string | null
  readonly installationId: string
  readonly serverName: string
  readonly status: RemoteControlConnectionStatus
}

export interface RequestPermissionProfile {
  readonly fileSystem?: AdditionalFileSystemPermissions | null
  readonly network?: Open.AdditionalNetworkPermissions | null
}

export type ResidencyRequirement = "us"

export type ResponseItem =
  | { readonly type: "additional_tools"; readonly id?: string | null; readonly role: string; readonly tools: ReadonlyArray<unknown> }
  | { readonly type: "message"; readonly content: ReadonlyArray<ContentItem>; readonly encrypted_content?: string | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: Open.InternalChatMessageMetadataPassthrough | null; readonly phase?: MessagePhase | null; readonly role: string; readonly status?: string | null }
  | { readonly type: "agent_message"; readonly author: string; readonly content: ReadonlyArray<AgentMessageInputContent>; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: Open.InternalChatMessageMetadataPassthrough | null; readonly recipient: string }
  | { readonly type: "reasoning"; readonly content?: ReadonlyArray<ReasoningItemContent> | null; readonly encrypted_content?: string | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: Open.InternalChatMessageMetadataPassthrough | null; readonly summary: ReadonlyArray<ReasoningItemReasoningSummary> }
  | { readonly type: "local_shell_call"; readonly action: LocalShellAction; readonly call_id?: string | null; readonly encrypted_content?: string | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: Open.InternalChatMessageMetadataPassthrough | null; readonly status: LocalShellStatus }
  | { readonly type: "function_call"; readonly arguments: string; readonly call_id: string; readonly encrypted_content?: string | null; readonly encrypted_function_args?: ReadonlyArray<string> | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: Open.InternalChatMessageMetadataPassthrough | null; readonly name: string; readonly namespace?: string | null; readonly status?: string | null }
  | { readonly type: "tool_search_call"; readonly arguments: unknown; readonly call_id?: string | null; readonly encrypted_content?: string | null; readonly execution: string; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: Open.InternalChatMessageMetadataPassthrough | null; readonly status?: string | null }
  | { readonly type: "function_call_output"; readonly call_id?: string | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: Open.InternalChatMessageMetadataPassthrough | null; readonly name?: string | null; readonly namespace?: string | null; readonly output: FunctionCallOutputBody }
  | { readonly type: "custom_tool_call"; readonly call_id: string; readonly encrypted_content?: string | null; readonly id?: string | null; readonly input: string; readonly internal_chat_message_metadata_passthrough?: Open.InternalChatMessageMetadataPassthrough | null; readonly name: string; readonly namespace?: string | null; readonly status?: string | null }
  | { readonly type: "custom_tool_call_output"; readonly call_id: string; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: Open.InternalChatMessageMetadataPassthrough | null; readonly name?: string | null; readonly output: FunctionCallOutputBody }
  | { readonly type: "tool_search_output"; readonly call_id?: string | null; readonly execution: string; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: Open.InternalChatMessageMetadataPassthrough | null; readonly status: string; readonly tools: ReadonlyArray<unknown> }
  | { readonly type: "web_search_call"; readonly action?: ResponsesApiWebSearchAction | null; readonly encrypted_content?: string | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: Open.InternalChatMessageMetadataPassthrough | null; readonly status?: string | null }
  | { readonly type: "image_generation_call"; readonly encrypted_content?: string | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: Open.InternalChatMessageMetadataPassthrough | null; readonly result: string; readonly revised_prompt?: string | null; readonly status: string }
  | { readonly type: "compaction"; readonly encrypted_content: string; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: Open.InternalChatMessageMetadataPassthrough | null }
  | { readonly type: "configuration_update"; readonly reasoning: Open.ConfigurationReasoning }
  | { readonly type: "compaction_trigger" }
  | { readonly type: "context_compaction"; readonly encrypted_content?: string | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: Open.InternalChatMessageMetadataPassthrough | null }
  | { readonly type: "other" }

export type ResponsesApiWebSearchAction =
  | { readonly type: "search"; readonly queries?: ReadonlyArray<string> | null; readonly query?: string | null }
  | { readonly type: "open_page"; readonly url?: string | null }
  | { readonly type: "find_in_page"; readonly pattern?: string | null; readonly url?: string | null }
  | { readonly type: "other" }

export type ReviewDecision = "approved" | "approved_for_session" | "approved_mcp_policy_amendment" | "timed_out" | "abort" | { readonly approved_execpolicy_amendment: { readonly proposed_execpolicy_amendment: ReadonlyArray<string> } } | { readonly network_policy_amendment: { readonly network_policy_amendment: NetworkPolicyAmendment } } | { readonly denied: { readonly rejection: string } }

export type ReviewDelivery = "inline"

export interface ReviewStartParams {
  readonly delivery?: ReviewDelivery | null
  readonly target: ReviewTarget
  readonly threadId: string
}

export interface ReviewStartResponse {
  readonly reviewThreadId: string
  readonly turn: Turn
}

export type ReviewTarget =
  | { readonly type: "uncommittedChanges" }
  | { readonly type: "baseBranch"; readonly branch: string }
  | { readonly type: "commit"; readonly sha: string; readonly title?: string | null }
  | { readonly type: "custom"; readonly instructions: string }

export type SandboxMode = "read-only" | "workspace-write" | "danger-full-access"

export type SandboxPolicy =
  | { readonly type: "dangerFullAccess" }
  | { readonly type: "readOnly"; readonly networkAccess?: boolean }
  | { readonly type: "externalSandbox"; readonly networkAccess?: NetworkAccess }
  | { readonly type: "workspaceWrite"; readonly excludeSlashTmp?: boolean; readonly excludeTmpdirEnvVar?: boolean; readonly networkAccess?: boolean; readonly writableRoots?: ReadonlyArray<Open.AbsolutePathBuf> }

export type ScheduledTaskSchedule =
  | { readonly type: "hourly"; readonly days?: ReadonlyArray<ScheduledTaskWeekday> | null; readonly intervalHours: number }
  | { readonly type: "daily"; readonly time: string }
  | { readonly type: "weekdays"; readonly time: string }
  | { readonly type: "weekly"; readonly days: ReadonlyArray<ScheduledTaskWeekday>; readonly time: string }

export interface ScheduledTaskSummary {
  readonly key: string
  readonly name: string
  readonly prompt: string
  readonly schedule: ScheduledTaskSchedule
}

export type ScheduledTaskWeekday = "MO" | "TU" | "WE" | "TH" | "FR" | "SA" | "SU"

export interface SelectedCapabilityRoot {
  readonly id: string
  readonly location: CapabilityRootLocation
}

export interface SendAddCreditsNudgeEmailParams {
  readonly creditType: AddCreditsNudgeCreditType
}

export interface SendAddCreditsNudgeEmailResponse {
  readonly status: AddCreditsNudgeEmailStatus
}

export type SessionSource = "cli" | "vscode" | "exec" | "appServer" | "unknown" | { readonly custom: string } | { readonly subAgent: SubAgentSource }

export interface SkillMetadata {
  readonly dependencies?: Open.SkillDependencies | null
  readonly description: string
  readonly enabled: boolean
  readonly interface?: Open.SkillInterface | null
  readonly name: string
  readonly path: Open.LegacyAppPathString
  readonly pluginId?: string | null
  readonly scope: SkillScope
  readonly shortDescription?: string | null
}

export type SkillScope = "user" | "repo" | "system" | "admin"

export interface SkillsListEntry {
  readonly cwd: string
  readonly errors: ReadonlyArray<Open.SkillErrorInfo>
  readonly skills: ReadonlyArray<SkillMetadata>
}

export interface SkillsListResponse {
  readonly data: ReadonlyArray<SkillsListEntry>
}

export type SortDirection = "asc" | "desc"

export type SubAgentActivityKind = "started" | "interacted" | "interrupted" | "completed"

export type SubAgentSource = "review" | "compact" | "memory_consolidation" | { readonly thread_spawn: { readonly agent_nickname?: string | null; readonly agent_path?: Open.AgentPath | null; readonly agent_role?: string | null; readonly depth: number; readonly parent_thread_id: Open.ThreadId } } | { readonly other: string }

export interface Thread {
  readonly agentNickname?: string | null
  readonly agentRole?: string | null
  readonly attachedToThreadId?: string | null
  readonly canAcceptDirectInput?: boolean | null
  readonly cliVersion: string
  readonly createdAt: number
  readonly cwd: Open.AbsolutePathBuf
  readonly daybreakEnabled?: boolean | null
  readonly environments?: ReadonlyArray<Open.ThreadEnvironment> | null
  readonly ephemeral: boolean
  readonly extra?: Open.ThreadExtra | null
  readonly forkedFromId?: string | null
  readonly gitInfo?: Open.GitInfo | null
  readonly historyMode?: ThreadHistoryMode
  readonly id: string
  readonly model?: string | null
  readonly modelProvider: string
  readonly name?: string | null
  readonly originator?: string | null
  readonly parentThreadId?: string | null
  readonly path?: string | null
  readonly preview: string
  readonly projectId: string | null
  readonly reasoningEffort?: Open.ReasoningEffort | null
  readonly recencyAt?: number | null
  readonly section?: Open.ThreadSection | null
  readonly sectionEnteredAt?: number | null
  readonly sessionId: string
  readonly source: SessionSource
  readonly status: ThreadStatus
  readonly threadSource?: Open.ThreadSource | null
  readonly turns: ReadonlyArray<Turn>
  readonly updatedAt: number
}

export type ThreadActiveFlag = "waitingOnApproval" | "waitingOnUserInput"

export type ThreadAttachmentAddOutcome = "created" | "existing"

export interface ThreadAttachmentAddResponse {
  readonly attachment: Open.ThreadAttachment
  readonly outcome: ThreadAttachmentAddOutcome
}

export type ThreadAttachmentOperation = "created" | "deleted"

export interface ThreadAttachmentUpdatedNotification {
  readonly attachmentId: string
  readonly attachmentType: string
  readonly identityKey: string
  readonly operation: ThreadAttachmentOperation
  readonly threadId: string
}

export interface ThreadForkParams {
  readonly approvalPolicy?: AskForApproval | null
  readonly approvalsReviewer?: ApprovalsReviewer | null
  readonly attachToSource?: boolean
  readonly baseInstructions?: string | null
  readonly beforeTurnId?: string | null
  readonly config?: { readonly [key: string]: unknown } | null
  readonly cwd?: string | null
  readonly deferGoalContinuation?: boolean
  readonly developerInstructions?: string | null
  readonly ephemeral?: boolean
  readonly excludeTurns?: boolean
  readonly experimentalDisablePredictionMcp?: boolean
  readonly experimentalPredictionMode?: boolean
  readonly lastTurnId?: string | null
  readonly model?: string | null
  readonly modelProvider?: string | null
  readonly path?: string | null
  readonly permissions?: string | null
  readonly runtimeWorkspaceRoots?: ReadonlyArray<Open.AbsolutePathBuf> | null
  readonly sandbox?: SandboxMode | null
  readonly serviceTier?: string | null
  readonly threadId: string
  readonly threadSource?: Open.ThreadSource | null
}

export interface ThreadForkResponse {
  readonly activePermissionProfile?: Open.ActivePermissionProfile | null
  readonly approvalPolicy: AskForApproval
  readonly approvalsReviewer: ApprovalsReviewer
  readonly cwd: Open.AbsolutePathBuf
  readonly disabledPluginIds?: ReadonlyArray<string>
  readonly instructionSources?: ReadonlyArray<Open.LegacyAppPathString>
  readonly model: string
  readonly modelProvider: string
  readonly multiAgentMode?: MultiAgentMode
  readonly reasoningEffort?: Open.ReasoningEffort | null
  readonly runtimeWorkspaceRoots?: ReadonlyArray<Open.AbsolutePathBuf>
  readonly sandbox: SandboxPolicy
  readonly serviceTier?: string | null
  readonly thread: Thread
}

export interface ThreadGoal {
  readonly createdAt: number
  readonly objective: string
  readonly status: ThreadGoalStatus
  readonly threadId: string
  readonly timeUsedSeconds: number
  readonly tokenBudget?: number | null
  readonly tokensUsed: number
  readonly updatedAt: number
}

export interface ThreadGoalClearParams {
  readonly origin?: ThreadGoalMutationOrigin | null
  readonly threadId: string
}

export interface ThreadGoalGetResponse {
  readonly goal?: ThreadGoal | null
}

export type ThreadGoalMutationOrigin = "user" | "automatic"

export interface ThreadGoalSetParams {
  readonly objective?: string | null
  readonly origin?: ThreadGoalMutationOrigin | null
  readonly status?: ThreadGoalStatus | null
  readonly threadId: string
  readonly tokenBudget?: number | null
}

export interface ThreadGoalSetResponse {
  readonly goal: ThreadGoal
}

export type ThreadGoalStatus = "active" | "paused" | "blocked" | "usageLimited" | "budgetLimited" | "complete"

export interface ThreadGoalUpdatedNotification {
  readonly goal: ThreadGoal
  readonly threadId: string
  readonly turnId?: string | null
}

export interface ThreadGuardianAssessment {
  readonly outcome: GuardianAssessmentOutcome
  readonly rationale: string
  readonly riskLevel: GuardianRiskLevel
  readonly userAuthorization: GuardianUserAuthorization
}

export interface ThreadGuardianReviewResponse {
  readonly assessment?: ThreadGuardianAssessment | null
  readonly callId: string
}

export type ThreadHistoryMode = "legacy" | "paginated"

export type ThreadItem =
  | { readonly type: "userMessage"; readonly clientId?: string | null; readonly completedAtMs?: number | null; readonly content: ReadonlyArray<UserInput>; readonly id: string; readonly startedAtMs?: number | null }
  | { readonly type: "hookPrompt"; readonly completedAtMs?: number | null; readonly fragments: ReadonlyArray<Open.HookPromptFragment>; readonly id: string; readonly startedAtMs?: number | null }
  | { readonly type: "agentMessage"; readonly completedAtMs?: number | null; readonly delivery?: AgentMessageDelivery | null; readonly id: string; readonly memoryCitation?: Open.MemoryCitation | null; readonly moderation?: AgentMessageModeration | null; readonly phase?: MessagePhase | null; readonly questions?: ReadonlyArray<Open.AsyncUserInputQuestion> | null; readonly startedAtMs?: number | null; readonly text: string }
  | { readonly type: "functionCallOutput"; readonly completedAtMs?: number | null; readonly id: string; readonly name: string; readonly namespace?: string | null; readonly output: FunctionCallOutputBody; readonly startedAtMs?: number | null }
  | { readonly type: "plan"; readonly completedAtMs?: number | null; readonly id: string; readonly startedAtMs?: number | null; readonly text: string }
  | { readonly type: "reasoning"; readonly completedAtMs?: number | null; readonly content?: ReadonlyArray<string>; readonly id: string; readonly startedAtMs?: number | null; readonly summary?: ReadonlyArray<string> }
  | { readonly type: "commandExecution"; readonly aggregatedOutput?: string | null; readonly command: string; readonly commandActions: ReadonlyArray<CommandAction>; readonly completedAtMs?: number | null; readonly cwd: Open.LegacyAppPathString; readonly durationMs?: number | null; readonly exitCode?: number | null; readonly id: string; readonly pluginId?: string | null; readonly processId?: string | null; readonly scriptPath?: string | null; readonly source?: CommandExecutionSource; readonly startedAtMs?: number | null; readonly status: CommandExecutionStatus }
  | { readonly type: "fileChange"; readonly changes: ReadonlyArray<FileUpdateChange>; readonly completedAtMs?: number | null; readonly id: string; readonly startedAtMs?: number | null; readonly status: PatchApplyStatus }
  | { readonly type: "mcpToolCall"; readonly appContext?: Open.McpToolCallAppContext | null; readonly arguments: unknown; readonly completedAtMs?: number | null; readonly durationMs?: number | null; readonly environmentId?: string | null; readonly error?: Open.McpToolCallError | null; readonly id: string; readonly mcpAppResourceUri?: string | null; readonly mcpAppUi?: McpAppUi | null; readonly pluginId?: string | null; readonly readOnlyHint?: boolean | null; readonly result?: Open.McpToolCallResult | null; readonly server: string; readonly startedAtMs?: number | null; readonly status: McpToolCallStatus; readonly tool: string }
  | { readonly type: "dynamicToolCall"; readonly arguments: unknown; readonly completedAtMs?: number | null; readonly contentItems?: ReadonlyArray<DynamicToolCallOutputContentItem> | null; readonly durationMs?: number | null; readonly id: string; readonly namespace?: string | null; readonly startedAtMs?: number | null; readonly status: DynamicToolCallStatus; readonly success?: boolean | null; readonly tool: string }
  | { readonly type: "collabAgentToolCall"; readonly agentsStates: { readonly [key: string]: CollabAgentState }; readonly completedAtMs?: number | null; readonly id: string; readonly model?: string | null; readonly prompt?: string | null; readonly reasoningEffort?: Open.ReasoningEffort | null; readonly receiverThreadIds: ReadonlyArray<string>; readonly senderThreadId: string; readonly startedAtMs?: number | null; readonly status: CollabAgentToolCallStatus; readonly tool: CollabAgentTool }
  | { readonly type: "subAgentActivity"; readonly agentPath: string; readonly agentThreadId: string; readonly completedAtMs?: number | null; readonly id: string; readonly kind: SubAgentActivityKind; readonly model?: string | null; readonly reasoningEffort?: Open.ReasoningEffort | null; readonly startedAtMs?: number | null }
  | { readonly type: "webSearch"; readonly action?: WebSearchAction | null; readonly completedAtMs?: number | null; readonly id: string; readonly query: string; readonly results?: ReadonlyArray<unknown> | null; readonly startedAtMs?: number | null }
  | { readonly type: "imageView"; readonly completedAtMs?: number | null; readonly id: string; readonly path: Open.LegacyAppPathString; readonly startedAtMs?: number | null }
  | { readonly type: "sleep"; readonly completedAtMs?: number | null; readonly durationMs: number; readonly id: string; readonly startedAtMs?: number | null }
  | { readonly type: "imageGeneration"; readonly completedAtMs?: number | null; readonly failure?: ImageGenerationFailure | null; readonly fileId: string; readonly generationId?: string | null; readonly id: string; readonly inputImages?: ReadonlyArray<Open.ImageGenerationInputImage>; readonly revisedPrompt?: string | null; readonly savedPath?: Open.AbsolutePathBuf | null; readonly startedAtMs?: number | null; readonly status: string; readonly transparentBackground?: boolean | null }
  | { readonly type: "imageGeneration"; readonly completedAtMs?: number | null; readonly failure?: ImageGenerationFailure | null; readonly generationId?: string | null; readonly id: string; readonly inputImages?: ReadonlyArray<Open.ImageGenerationInputImage>; readonly result: string; readonly revisedPrompt?: string | null; readonly savedPath?: Open.AbsolutePathBuf | null; readonly startedAtMs?: number | null; readonly status: string; readonly transparentBackground?: boolean | null }
  | { readonly type: "enteredReviewMode"; readonly completedAtMs?: number | null; readonly id: string; readonly review: string; readonly startedAtMs?: number | null }
  | { readonly type: "exitedReviewMode"; readonly completedAtMs?: number | null; readonly id: string; readonly review: string; readonly startedAtMs?: number | null }
  | { readonly type: "contextCompaction"; readonly completedAtMs?: number | null; readonly id: string; readonly startedAtMs?: number | null }

export interface ThreadItemEntry {
  readonly completedAtMs?: number | null
  readonly item: ThreadItem
  readonly outputDeferred?: boolean
  readonly startedAtMs?: number | null
  readonly turnId: string
}

export type ThreadItemsListAnchor =
  | { readonly type: "item"; readonly itemId: string }

export type ThreadItemsListCursor = string | ThreadItemsListAnchor

export interface ThreadItemsListParams {
  readonly cursor?: ThreadItemsListCursor | null
  readonly deferOutput?: Open.ThreadItemOutputDeferral | null
  readonly limit?: number | null
  readonly sortDirection?: SortDirection | null
  readonly threadId: string
  readonly turnId?: string | null
}

export interface ThreadItemsListResponse {
  readonly backwardsCursor?: string | null
  readonly data: ReadonlyArray<ThreadItemEntry>
  readonly nextCursor?: string | null
}

export interface ThreadItemsReadResponse {
  readonly data: ReadonlyArray<ThreadItemEntry>
}

export interface ThreadListParams {
  readonly ancestorThreadId?: string | null
  readonly archived?: boolean | null
  readonly attachedToThreadId?: string | null
  readonly currentAccountOnly?: boolean
  readonly cursor?: string | null
  readonly cwd?: Open.ThreadListCwdFilter | null
  readonly excludedThreadIds?: ReadonlyArray<string> | null
  readonly includeAttachedThreads?: boolean
  readonly includedThreadIds?: ReadonlyArray<string> | null
  readonly limit?: number | null
  readonly modelProviders?: ReadonlyArray<string> | null
  readonly originators?: ReadonlyArray<string> | null
  readonly parentThreadId?: string | null
  readonly projectId?: string | null
  readonly searchTerm?: string | null
  readonly sectionId?: string | null
  readonly sortDirection?: SortDirection | null
  readonly sortKey?: ThreadSortKey | null
  readonly sourceKinds?: ReadonlyArray<ThreadSourceKind> | null
  readonly useStateDbOnly?: boolean
}

export interface ThreadListResponse {
  readonly backwardsCursor?: string | null
  readonly data: ReadonlyArray<Thread>
  readonly nextCursor?: string | null
  readonly readStates?: { readonly [key: string]: ThreadReadState } | null
}

export type ThreadMemoryMode = "enabled" | "disabled"

export interface ThreadMemoryModeSetParams {
  readonly mode: ThreadMemoryMode
  readonly threadId: string
}

export interface ThreadMetadataUpdateResponse {
  readonly thread: Thread
}

export type ThreadPredictionResult =
  | { readonly type: "completed"; readonly text?: string | null }
  | { readonly type: "failed" }

export interface ThreadPredictionUpdatedNotification {
  readonly result: ThreadPredictionResult
  readonly sourceTurnId: string
  readonly threadId: string
}

export interface ThreadProjectUpdatedNotification {
  readonly projectId: string | null
  readonly threadId: string
}

export interface ThreadQueueAddParams {
  readonly clientUserMessageId: string
  readonly input: ReadonlyArray<UserInput>
  readonly responsesapiClientMetadata?: { readonly [key: string]: string } | null
  readonly threadId: string
}

export interface ThreadQueueAddResponse {
  readonly queuedSubmission: QueuedSubmission
}

export interface ThreadQueueListResponse {
  readonly data: ReadonlyArray<QueuedSubmission>
  readonly nextCursor?: string | null
}

export interface ThreadQueueStartResponse {
  readonly turn: Turn
}

export interface ThreadQueueUpdateParams {
  readonly input: ReadonlyArray<UserInput>
  readonly queuedSubmissionId: string
  readonly responsesapiClientMetadata?: { readonly [key: string]: string } | null
  readonly threadId: string
}

export interface ThreadQueueUpdateResponse {
  readonly queuedSubmission: QueuedSubmission
}

export interface ThreadReadResponse {
  readonly readState?: ThreadReadState | null
  readonly thread: Thread
}

export interface ThreadReadState {
  readonly firstUnread?: ThreadUnreadPosition | null
  readonly revision: string
}

export interface ThreadReadStateChangedNotification {
  readonly readState: ThreadReadState
  readonly threadId: string
}

export type ThreadReadStateOperation =
  | { readonly type: "read" }
  | { readonly type: "unread" }

export interface ThreadReadStateUpdateParams {
  readonly expectedRevision: string
  readonly operation: ThreadReadStateOperation
  readonly threadId: string
}

export interface ThreadReadStateUpdateResponse {
  readonly readState: ThreadReadState
}

export interface ThreadRealtimeAppendTextParams {
  readonly role?: ConversationTextRole
  readonly text: string
  readonly threadId: string
}

export type ThreadRealtimeBemItemPresentation =
  | { readonly type: "wholeItem" }
  | { readonly type: "inlineMarkdown" }
  | { readonly type: "inlineVisualization"; readonly index: number }

export type ThreadRealtimeCoverage = "unsupported" | "pending" | "ready"

export interface ThreadRealtimeEntry {
  readonly item: ThreadRealtimeItem
  readonly position: number
}

export interface ThreadRealtimeFrameChannels {
  readonly voice_transcript: ThreadRealtimeVoiceTranscript
}

export type ThreadRealtimeHandoffMode = "start" | "steer"

export interface ThreadRealtimeInitialItem {
  readonly role: ConversationTextRole
  readonly text: string
}

export type ThreadRealtimeItem =
  | { readonly type: "realtimeSessionStarted"; readonly id: string; readonly observedAtMs?: number | null; readonly realtimeSessionId: string }
  | { readonly type: "frame"; readonly channels: ThreadRealtimeFrameChannels; readonly id: string; readonly observedAtMs?: number | null; readonly realtimeSessionId: string }
  | { readonly type: "transcriptSegment"; readonly id: string; readonly observedAtMs?: number | null; readonly realtimeSessionId: string; readonly role: ThreadRealtimeTranscriptRole; readonly text: string }
  | { readonly type: "bemItemPromoted"; readonly id: string; readonly item_id: string; readonly observedAtMs?: number | null; readonly presentation: ThreadRealtimeBemItemPresentation; readonly realtimeSessionId: string; readonly turn_id: string }
  | { readonly type: "realtimeSessionClosed"; readonly id: string; readonly observedAtMs?: number | null; readonly outcome: ThreadRealtimeSessionOutcome; readonly realtimeSessionId: string }
  | { readonly type: "turnInputAccepted"; readonly handoff_id: string; readonly id: string; readonly input: string; readonly input_item_id: string; readonly mode: ThreadRealtimeHandoffMode; readonly observedAtMs?: number | null; readonly realtimeSessionId: string; readonly source_event_ids: ReadonlyArray<string>; readonly turn_id: string }
  | { readonly type: "sessionEndInputSaved"; readonly id: string; readonly input: string; readonly input_item_id: string; readonly observedAtMs?: number | null; readonly realtimeSessionId: string; readonly source_event_ids: ReadonlyArray<string> }

export interface ThreadRealtimeItemCompletedNotification {
  readonly item: ThreadRealtimeItem
  readonly threadId: string
}

export interface ThreadRealtimeItemStartedNotification {
  readonly item: ThreadRealtimeItem
  readonly threadId: string
}

export interface ThreadRealtimeListParams {
  readonly afterPosition?: number | null
  readonly cursor?: string | null
  readonly eventId?: string | null
  readonly fromObservedAtMs?: number | null
  readonly limit?: number | null
  readonly order?: ThreadRealtimeOrder | null
  readonly requiredThroughPosition?: number | null
  readonly sessionId?: string | null
  readonly snapshotEnd?: number | null
  readonly threadId: string
  readonly toObservedAtMs?: number | null
}

export interface ThreadRealtimeListResponse {
  readonly coverage: ThreadRealtimeCoverage
  readonly data: ReadonlyArray<ThreadRealtimeEntry>
  readonly nextCursor?: string | null
  readonly projectedThroughItemIndex: number
  readonly snapshotEnd: number
}

export interface ThreadRealtimeListVoicesResponse {
  readonly voices: RealtimeVoicesList
}

export type ThreadRealtimeOrder = "observedAt" | "position"

export type ThreadRealtimeSessionOutcome = "ended" | "failed"

export interface ThreadRealtimeStartParams {
  readonly backendReasoningStatus?: boolean
  readonly clientManagedHandoffs?: boolean | null
  readonly codexResponseHandoffChannelPrefixes?: { readonly [key: string]: ReadonlyArray<string> } | null
  readonly codexResponseHandoffMode?: CodexResponseHandoffMode | null
  readonly codexResponseItemPrefix?: string | null
  readonly codexResponsesAsItems?: boolean | null
  readonly delegationAckFiller?: boolean | null
  readonly flushTranscriptTailOnSessionEnd?: boolean | null
  readonly includeStartupContext?: boolean | null
  readonly initialItems?: ReadonlyArray<ThreadRealtimeInitialItem> | null
  readonly model?: string | null
  readonly outputModality: RealtimeOutputModality
  readonly prompt?: string | null
  readonly realtimeEndInstructions?: string | null
  readonly realtimeSessionId?: string | null
  readonly realtimeStartInstructions?: string | null
  readonly threadId: string
  readonly transport?: ThreadRealtimeStartTransport | null
  readonly version?: RealtimeConversationVersion | null
  readonly voice?: RealtimeVoice | null
  readonly voiceSessionId?: string | null
}

export type ThreadRealtimeStartTransport =
  | { readonly type: "websocket" }
  | { readonly type: "webrtc"; readonly sdp: string }
  | { readonly type: "existingCall"; readonly callId: string }

export interface ThreadRealtimeStartedNotification {
  readonly realtimeSessionId?: string | null
  readonly threadId: string
  readonly version: RealtimeConversationVersion
}

export type ThreadRealtimeTranscriptRole = "user" | "assistant"

export interface ThreadRealtimeVoiceTranscript {
  readonly role: ThreadRealtimeTranscriptRole
  readonly text: string
}

export interface ThreadResumeInitialTurnsPageParams {
  readonly itemsView?: TurnItemsView | null
  readonly limit?: number | null
  readonly sortDirection?: SortDirection | null
}

export interface ThreadResumeParams {
  readonly approvalPolicy?: AskForApproval | null
  readonly approvalsReviewer?: ApprovalsReviewer | null
  readonly baseInstructions?: string | null
  readonly config?: { readonly [key: string]: unknown } | null
  readonly cwd?: string | null
  readonly developerInstructions?: string | null
  readonly excludeTurns?: boolean
  readonly history?: ReadonlyArray<ResponseItem> | null
  readonly initialTurnsPage?: ThreadResumeInitialTurnsPageParams | null
  readonly model?: string | null
  readonly modelProvider?: string | null
  readonly path?: string | null
  readonly permissions?: string | null
  readonly personality?: Personality | null
  readonly runtimeWorkspaceRoots?: ReadonlyArray<Open.AbsolutePathBuf> | null
  readonly sandbox?: SandboxMode | null
  readonly serviceTier?: string | null
  readonly threadId: string
}

export interface ThreadResumeResponse {
  readonly activePermissionProfile?: Open.ActivePermissionProfile | null
  readonly approvalPolicy: AskForApproval
  readonly approvalsReviewer: ApprovalsReviewer
  readonly collaborationMode?: CollaborationMode | null
  readonly cwd: Open.AbsolutePathBuf
  readonly disabledPluginIds?: ReadonlyArray<string>
  readonly initialTurnsPage?: TurnsPage | null
  readonly instructionSources?: ReadonlyArray<Open.LegacyAppPathString>
  readonly itemsBackwardsCursor?: string | null
  readonly model: string
  readonly modelProvider: string
  readonly multiAgentMode?: MultiAgentMode
  readonly reasoningEffort?: Open.ReasoningEffort | null
  readonly runtimeWorkspaceRoots?: ReadonlyArray<Open.AbsolutePathBuf>
  readonly sandbox: SandboxPolicy
  readonly serviceTier?: string | null
  readonly thread: Thread
  readonly turnsBackwardsCursor?: string | null
}

export interface ThreadRevertResponse {
  readonly itemsBackwardsCursor?: string | null
  readonly thread: Thread
  readonly turnsBackwardsCursor?: string | null
}

export interface ThreadSearchParams {
  readonly archived?: boolean | null
  readonly currentAccountOnly?: boolean
  readonly cursor?: string | null
  readonly includeAttachedThreads?: boolean
  readonly limit?: number | null
  readonly searchTerm: string
  readonly sortDirection?: SortDirection | null
  readonly sortKey?: ThreadSearchSortKey | null
  readonly sourceKinds?: ReadonlyArray<ThreadSourceKind> | null
}

export interface ThreadSearchPartialNotification {
  readonly data: ReadonlyArray<ThreadSearchResult>
  readonly requestId: Open.RequestId
}

export interface ThreadSearchResponse {
  readonly backwardsCursor?: string | null
  readonly data: ReadonlyArray<ThreadSearchResult>
  readonly nextCursor?: string | null
}

export interface ThreadSearchResult {
  readonly snippet: string
  readonly thread: Thread
}

export type ThreadSearchSortKey = "created_at" | "updated_at" | "recency_at"

export interface ThreadSectionChangedNotification {
  readonly sectionId: string | null
  readonly threadId: string
}

export interface ThreadSectionMoveParams {
  readonly beforeThreadId?: string | null
  readonly sectionId: string | null
  readonly threadId: string
}

export interface ThreadSettings {
  readonly activePermissionProfile?: Open.ActivePermissionProfile | null
  readonly approvalPolicy: AskForApproval
  readonly approvalsReviewer: ApprovalsReviewer
  readonly collaborationMode: CollaborationMode
  readonly cwd: Open.AbsolutePathBuf
  readonly disabledPluginIds?: ReadonlyArray<string>
  readonly effort?: Open.ReasoningEffort | null
  readonly environments?: ReadonlyArray<Open.ThreadEnvironment> | null
  readonly model: string
  readonly modelProvider: string
  readonly multiAgentMode?: MultiAgentMode
  readonly personality?: Personality | null
  readonly sandboxPolicy: SandboxPolicy
  readonly serviceTier?: string | null
  readonly summary?: ReasoningSummary | null
}

export interface ThreadSettingsUpdateParams {
  readonly approvalPolicy?: AskForApproval | null
  readonly approvalsReviewer?: ApprovalsReviewer | null
  readonly collaborationMode?: CollaborationMode | null
  readonly cwd?: string | null
  readonly disabledPluginIds?: ReadonlyArray<string> | null
  readonly effort?: Open.ReasoningEffort | null
  readonly environments?: ReadonlyArray<Open.TurnEnvironmentParams> | null
  readonly model?: string | null
  readonly multiAgentMode?: MultiAgentMode | null
  readonly permissions?: string | null
  readonly personality?: Personality | null
  readonly sandboxPolicy?: SandboxPolicy | null
  readonly serviceTier?: string | null
  readonly summary?: ReasoningSummary | null
  readonly threadId: string
}

export interface ThreadSettingsUpdatedNotification {
  readonly threadId: string
  readonly threadSettings: ThreadSettings
}

export type ThreadSortKey = "created_at" | "updated_at" | "recency_at" | "section_position"

export type ThreadSourceKind = "cli" | "vscode" | "exec" | "appServer" | "subAgent" | "subAgentReview" | "subAgentCompact" | "subAgentThreadSpawn" | "subAgentOther" | "unknown"

export interface ThreadStartParams {
  readonly allowProviderModelFallback?: boolean
  readonly approvalPolicy?: AskForApproval | null
  readonly approvalsReviewer?: ApprovalsReviewer | null
  readonly baseInstructions?: string | null
  readonly config?: { readonly [key: string]: unknown } | null
  readonly cwd?: string | null
  readonly daybreakEnabled?: boolean | null
  readonly developerInstructions?: string | null
  readonly dynamicTools?: ReadonlyArray<DynamicToolSpec> | null
  readonly environments?: ReadonlyArray<Open.TurnEnvironmentParams> | null
  readonly ephemeral?: boolean | null
  readonly experimentalRawEvents?: boolean
  readonly historyMode?: ThreadHistoryMode | null
  readonly mockExperimentalField?: string | null
  readonly model?: string | null
  readonly modelProvider?: string | null
  readonly multiAgentMode?: MultiAgentMode | null
  readonly permissions?: string | null
  readonly personality?: Personality | null
  readonly projectId?: string | null
  readonly runtimeWorkspaceRoots?: ReadonlyArray<Open.AbsolutePathBuf> | null
  readonly sandbox?: SandboxMode | null
  readonly selectedCapabilityRoots?: ReadonlyArray<SelectedCapabilityRoot> | null
  readonly serviceName?: string | null
  readonly serviceTier?: string | null
  readonly sessionStartSource?: ThreadStartSource | null
  readonly threadSource?: Open.ThreadSource | null
}

export interface ThreadStartResponse {
  readonly activePermissionProfile?: Open.ActivePermissionProfile | null
  readonly approvalPolicy: AskForApproval
  readonly approvalsReviewer: ApprovalsReviewer
  readonly cwd: Open.AbsolutePathBuf
  readonly disabledPluginIds?: ReadonlyArray<string>
  readonly instructionSources?: ReadonlyArray<Open.LegacyAppPathString>
  readonly model: string
  readonly modelProvider: string
  readonly multiAgentMode?: MultiAgentMode
  readonly reasoningEffort?: Open.ReasoningEffort | null
  readonly runtimeWorkspaceRoots?: ReadonlyArray<Open.AbsolutePathBuf>
  readonly sandbox: SandboxPolicy
  readonly serviceTier?: string | null
  readonly thread: Thread
}

export type ThreadStartSource = "startup" | "clear"

export interface ThreadStartedNotification {
  readonly thread: Thread
}

export type ThreadStatus =
  | { readonly type: "notLoaded" }
  | { readonly type: "idle" }
  | { readonly type: "systemError" }
  | { readonly type: "active"; readonly activeFlags: ReadonlyArray<ThreadActiveFlag> }

export interface ThreadStatusChangedNotification {
  readonly status: ThreadStatus
  readonly threadId: string
}

export type ThreadTimelineEntry =
  | { readonly type: "item"; readonly item: ThreadItem; readonly position: number; readonly turnId: string }
  | { readonly type: "realtime"; readonly item: ThreadRealtimeItem; readonly position: number }
  | { readonly type: "turnStarted"; readonly position: number; readonly startedAt?: number | null; readonly turnId: string }
  | { readonly type: "turnCompleted"; readonly completedAt?: number | null; readonly durationMs?: number | null; readonly error?: TurnError | null; readonly position: number; readonly startedAt?: number | null; readonly status: TurnStatus; readonly turnId: string }

export interface ThreadTimelineListResponse {
  readonly activeRealtimeSessionAtPageStart?: string | null
  readonly data: ReadonlyArray<ThreadTimelineEntry>
  readonly nextCursor?: string | null
}

export interface ThreadTurnsListParams {
  readonly cursor?: string | null
  readonly itemsView?: TurnItemsView | null
  readonly limit?: number | null
  readonly sortDirection?: SortDirection | null
  readonly threadId: string
}

export interface ThreadTurnsListResponse {
  readonly backwardsCursor?: string | null
  readonly data: ReadonlyArray<Turn>
  readonly nextCursor?: string | null
}

export interface ThreadUnarchiveResponse {
  readonly thread: Thread
}

export type ThreadUnreadPosition =
  | { readonly type: "threadStart" }
  | { readonly type: "turn"; readonly turnId: string }

export interface ThreadUnsubscribeResponse {
  readonly status: ThreadUnsubscribeStatus
}

export type ThreadUnsubscribeStatus = "notLoaded" | "notSubscribed" | "unsubscribed"

export type ToolExposureSurface = "code_mode" | "deferred" | "direct"

export interface ToolsV2 {
  readonly web_search?: WebSearchToolConfig | null
}

export type TrustedContacts = "check" | "skip"

export interface Turn {
  readonly completedAt?: number | null
  readonly durationMs?: number | null
  readonly error?: TurnError | null
  readonly id: string
  readonly items: ReadonlyArray<ThreadItem>
  readonly itemsView?: TurnItemsView
  readonly rootTurnId?: string | null
  readonly startedAt?: number | null
  readonly status: TurnStatus
}

export interface TurnCompletedNotification {
  readonly threadId: string
  readonly turn: Turn
}

export interface TurnError {
  readonly additionalDetails?: string | null
  readonly codexErrorInfo?: CodexErrorInfo | null
  readonly message: string
  readonly misalignment?: Open.MisalignmentErrorDetails | null
}

export type TurnItemsView = "notLoaded" | "summary" | "full"

export interface TurnPlanStep {
  readonly status: TurnPlanStepStatus
  readonly step: string
}

export type TurnPlanStepStatus = "pending" | "inProgress" | "completed"

export interface TurnPlanUpdatedNotification {
  readonly explanation?: string | null
  readonly plan: ReadonlyArray<TurnPlanStep>
  readonly threadId: string
  readonly turnId: string
}

export interface TurnSettingsUpdateParams {
  readonly approvalsReviewer?: ApprovalsReviewer | null
  readonly effort?: Open.ReasoningEffort | null
  readonly environments?: ReadonlyArray<Open.TurnEnvironmentParams> | null
  readonly model?: string | null
  readonly serviceTier?: string | null
  readonly summary?: ReasoningSummary | null
  readonly threadId: string
  readonly turnId: string
}

export interface TurnSettingsUpdateResponse {
  readonly status: TurnSettingsUpdateStatus
}

export type TurnSettingsUpdateStatus = "applied" | "targetUnavailable"

export interface TurnStartParams {
  readonly additionalContext?: { readonly [key: string]: AdditionalContextEntry } | null
  readonly approvalPolicy?: AskForApproval | null
  readonly approvalsReviewer?: ApprovalsReviewer | null
  readonly clientUserMessageId?: string | null
  readonly collaborationMode?: CollaborationMode | null
  readonly cwd?: string | null
  readonly cyberAccessProgram?: CyberAccessProgram | null
  readonly disabledPluginIds?: ReadonlyArray<string> | null
  readonly effort?: Open.ReasoningEffort | null
  readonly environments?: ReadonlyArray<Open.TurnEnvironmentParams> | null
  readonly input: ReadonlyArray<UserInput>
  readonly model?: string | null
  readonly multiAgentMode?: MultiAgentMode | null
  readonly outputSchema?: unknown
  readonly parentTurnId?: string | null
  readonly permissions?: string | null
  readonly personality?: Personality | null
  readonly responsesapiClientMetadata?: { readonly [key: string]: string } | null
  readonly responsesapiClientMetadataPatch?: { readonly [key: string]: string } | null
  readonly rootTurnId?: string | null
  readonly runtimeWorkspaceRoots?: ReadonlyArray<Open.AbsolutePathBuf> | null
  readonly sandboxPolicy?: SandboxPolicy | null
  readonly serviceTier?: string | null
  readonly serviceTierForTurn?: string | null
  readonly summary?: ReasoningSummary | null
  readonly threadId: string
  readonly toolOutput?: TurnToolOutput | null
  readonly turnTrigger?: string | null
}

export interface TurnStartResponse {
  readonly turn: Turn
}

export interface TurnStartedNotification {
  readonly threadId: string
  readonly turn: Turn
}

export type TurnStatus = "completed" | "interrupted" | "failed" | "inProgress"

export interface TurnSteerParams {
  readonly additionalContext?: { readonly [key: string]: AdditionalContextEntry } | null
  readonly clientUserMessageId?: string | null
  readonly expectedTurnId: string
  readonly input: ReadonlyArray<UserInput>
  readonly responsesapiClientMetadata?: { readonly [key: string]: string } | null
  readonly responsesapiClientMetadataPatch?: { readonly [key: string]: string } | null
  readonly threadId: string
}

export interface TurnToolOutput {
  readonly name: string
  readonly namespace?: string | null
  readonly output: FunctionCallOutputBody
  readonly retain?: boolean
}

export interface TurnsPage {
  readonly backwardsCursor?: string | null
  readonly data: ReadonlyArray<Turn>
  readonly nextCursor?: string | null
}

export type UserInput =
  | { readonly type: "text"; readonly text: string; readonly text_elements?: ReadonlyArray<Open.TextElement> }
  | { readonly type: "image"; readonly detail?: ImageDetail | null; readonly url: string }
  | { readonly type: "image"; readonly detail?: ImageDetail | null; readonly fileId: string }
  | { readonly type: "localImage"; readonly detail?: ImageDetail | null; readonly path: string }
  | { readonly type: "audio"; readonly url: string }
  | { readonly type: "audio"; readonly fileId: string }
  | { readonly type: "localAudio"; readonly path: string }
  | { readonly type: "skill"; readonly name: string; readonly path: string }
  | { readonly type: "mention"; readonly name: string; readonly path: string }

export type UserVerificationBiometricType = "fingerprint"

export type UserVerificationCancellationReason = "userCancelled" | "interrupted"

export type UserVerificationErrorDetails =
  | { readonly type: "invalidRequest"; readonly reason: UserVerificationInvalidRequestReason }
  | { readonly type: "unavailable"; readonly reason: UserVerificationUnavailableReason }
  | { readonly type: "cancelled"; readonly reason: UserVerificationCancellationReason }
  | { readonly type: "failed"; readonly reason: UserVerificationFailureReason }

export type UserVerificationFailureReason = "authenticationFailed" | "timeout" | "providerError" | "serviceError"

export type UserVerificationInvalidRequestReason = "invalidParams"

export interface UserVerificationRpcError {
  readonly code: number
  readonly data: UserVerificationErrorDetails
  readonly message: string
}

export interface UserVerificationStatusResponse {
  readonly credentialId?: string | null
  readonly unavailableMessage?: string | null
  readonly unavailableReason?: UserVerificationUnavailableReason | null
}

export type UserVerificationUnavailableReason = "credentialMissing" | "biometricsUnavailable" | "providerUnavailable"

export interface UserVerificationVerifyResponse {
  readonly biometricType?: UserVerificationBiometricType | null
  readonly proof: Open.UserVerificationProof
}

export type Verbosity = "low" | "medium" | "high"

export type WebSearchAction =
  | { readonly type: "search"; readonly queries?: ReadonlyArray<string> | null; readonly query?: string | null }
  | { readonly type: "openPage"; readonly url?: string | null }
  | { readonly type: "findInPage"; readonly pattern?: string | null; readonly url?: string | null }
  | { readonly type: "other" }

export type WebSearchContextSize = "low" | "medium" | "high"

export type WebSearchMode = "disabled" | "cached" | "indexed" | "live"

export type WebSearchProvider = "standalone" | "search_mcp"

export interface WebSearchToolConfig {
  readonly allowed_domains?: ReadonlyArray<string> | null
  readonly context_size?: WebSearchContextSize | null
  readonly location?: Open.WebSearchLocation | null
}

export type WindowsSandboxImplementation = "elevated" | "unelevated" | "mxc"

export type WindowsSandboxReadiness = "ready" | "notConfigured" | "updateRequired"

export interface WindowsSandboxReadinessResponse {
  readonly status: WindowsSandboxReadiness
}

export interface WindowsSandboxSetupCompletedNotification {
  readonly error?: string | null
  readonly mode: WindowsSandboxSetupMode
  readonly success: boolean
}

export type WindowsSandboxSetupMode = "elevated" | "unelevated"

export interface WindowsSandboxSetupStartParams {
  readonly cwd?: Open.AbsolutePathBuf | null
  readonly mode: WindowsSandboxSetupMode
}

export interface WorkspaceMessage {
  readonly archivedAt?: number | null
  readonly createdAt?: number | null
  readonly messageBody: string
  readonly messageId: string
  readonly messageType: WorkspaceMessageType
}

export type WorkspaceMessageType = "headline" | "announcement" | "unknown"

export interface WorkspaceRouting {
  readonly accountRoutingOverride: AccountRoutingOverride
  readonly backendOrigin: string
  readonly chatgptAccountId: string
}

export type WriteStatus = "ok" | "okOverridden"

/** Every definition by its name. */
export interface Definitions {
  readonly AbsolutePathBuf: Open.AbsolutePathBuf
  readonly Account: Account
  readonly AccountLoginCompletedNotification: AccountLoginCompletedNotification
  readonly AccountRateLimitsUpdatedNotification: AccountRateLimitsUpdatedNotification
  readonly AccountRoutingOverride: AccountRoutingOverride
  readonly AccountSecuritySetupAction: Open.AccountSecuritySetupAction
  readonly AccountSecuritySetupNotice: Open.AccountSecuritySetupNotice
  readonly AccountSession: AccountSession
  readonly AccountSessionWorkspace: AccountSessionWorkspace
  readonly AccountSessionWorkspaceKind: AccountSessionWorkspaceKind
  readonly AccountSessionsListParams: Open.AccountSessionsListParams
  readonly AccountSessionsResponse: AccountSessionsResponse
  readonly AccountSessionsSwitchParams: Open.AccountSessionsSwitchParams
  readonly AccountSessionsSwitchResponse: AccountSessionsSwitchResponse
  readonly AccountTokenUsageDailyBucket: Open.AccountTokenUsageDailyBucket
  readonly AccountTokenUsageSummary: Open.AccountTokenUsageSummary
  readonly AccountUpdateReason: AccountUpdateReason
  readonly AccountUpdatedNotification: AccountUpdatedNotification
  readonly ActivePermissionProfile: Open.ActivePermissionProfile
  readonly AddCreditsNudgeCreditType: AddCreditsNudgeCreditType
  readonly AddCreditsNudgeEmailStatus: AddCreditsNudgeEmailStatus
  readonly AdditionalContextEntry: AdditionalContextEntry
  readonly AdditionalContextKind: AdditionalContextKind
  readonly AdditionalFileSystemPermissions: AdditionalFileSystemPermissions
  readonly AdditionalNetworkPermissions: Open.AdditionalNetworkPermissions
  readonly AdditionalPermissionProfile: AdditionalPermissionProfile
  readonly AgentMessageDelivery: AgentMessageDelivery
  readonly AgentMessageDeltaNotification: Open.AgentMessageDeltaNotification
  readonly AgentMessageDisplay: AgentMessageDisplay
  readonly AgentMessageInputContent: AgentMessageInputContent
  readonly AgentMessageModeration: AgentMessageModeration
  readonly AgentPath: Open.AgentPath
  readonly AllowDenyRequirement: AllowDenyRequirement
  readonly AnalyticsConfig: Open.AnalyticsConfig
  readonly AnswerAnnotation: AnswerAnnotation
  readonly AnswerReplacement: AnswerReplacement
  readonly AppBranding: Open.AppBranding
  readonly AppConfig: AppConfig
  readonly AppInfo: Open.AppInfo
  readonly AppLinkConfig: AppLinkConfig
  readonly AppLinksConfig: Open.AppLinksConfig
  readonly AppListUpdatedNotification: Open.AppListUpdatedNotification
  readonly AppMetadata: Open.AppMetadata
  readonly AppReview: Open.AppReview
  readonly AppScreenshot: Open.AppScreenshot
  readonly AppSummary: Open.AppSummary
  readonly AppTemplateSummary: AppTemplateSummary
  readonly AppTemplateUnavailableReason: AppTemplateUnavailableReason
  readonly AppToolApproval: AppToolApproval
  readonly AppToolConfig: AppToolConfig
  readonly AppToolSummary: Open.AppToolSummary
  readonly AppToolsConfig: Open.AppToolsConfig
  readonly ApplicationNetworkRequirements: ApplicationNetworkRequirements
  readonly ApplicationRequirements: ApplicationRequirements
  readonly ApplicationStorageRequirements: Open.ApplicationStorageRequirements
  readonly ApplyPatchApprovalParams: ApplyPatchApprovalParams
  readonly ApplyPatchApprovalResponse: ApplyPatchApprovalResponse
  readonly ApprovalsReviewer: ApprovalsReviewer
  readonly AppsConfig: AppsConfig
  readonly AppsDefaultConfig: AppsDefaultConfig
  readonly AppsInstalledParams: Open.AppsInstalledParams
  readonly AppsInstalledResponse: Open.AppsInstalledResponse
  readonly AppsListParams: Open.AppsListParams
  readonly AppsListResponse: Open.AppsListResponse
  readonly AppsReadParams: Open.AppsReadParams
  readonly AppsReadResponse: Open.AppsReadResponse
  readonly AskForApproval: AskForApproval
  readonly AsyncUserInputQuestion: Open.AsyncUserInputQuestion
  readonly AttestationGenerateParams: Open.AttestationGenerateParams
  readonly AttestationGenerateResponse: Open.AttestationGenerateResponse
  readonly AuthMode: AuthMode
  readonly AuthRecoveryNotification: Open.AuthRecoveryNotification
  readonly AutoCompactTokenLimitScope: AutoCompactTokenLimitScope
  readonly AutoReviewDecisionSource: AutoReviewDecisionSource
  readonly AutoReviewRequirements: Open.AutoReviewRequirements
  readonly AwsCredentialType: AwsCredentialType
  readonly BedrockAwsProfile: Open.BedrockAwsProfile
  readonly BedrockCheckGovCloudRequirementsParams: Open.BedrockCheckGovCloudRequirementsParams
  readonly BedrockCheckGovCloudRequirementsResponse: Open.BedrockCheckGovCloudRequirementsResponse
  readonly BedrockDiscoverParams: Open.BedrockDiscoverParams
  readonly BedrockDiscoverResponse: BedrockDiscoverResponse
  readonly BedrockEnvironmentCredential: BedrockEnvironmentCredential
  readonly BedrockProviderId: BedrockProviderId
  readonly BedrockSetupParams: BedrockSetupParams
  readonly BedrockSetupResponse: Open.BedrockSetupResponse
  readonly BlockReason: BlockReason
  readonly BrowserUseAccessApprovalLifetime: BrowserUseAccessApprovalLifetime
  readonly BrowserUseConfig: BrowserUseConfig
  readonly BrowserUseExtensionRequirements: Open.BrowserUseExtensionRequirements
  readonly BrowserUseOriginPolicy: BrowserUseOriginPolicy
  readonly BrowserUseOriginPolicyConfig: BrowserUseOriginPolicyConfig
  readonly BrowserUseRequirements: BrowserUseRequirements
  readonly ByteRange: Open.ByteRange
  readonly CancelLoginAccountParams: Open.CancelLoginAccountParams
  readonly CancelLoginAccountResponse: CancelLoginAccountResponse
  readonly CancelLoginAccountStatus: CancelLoginAccountStatus
  readonly CapabilityRootLocation: CapabilityRootLocation
  readonly ChatgptAuthTokensRefreshParams: ChatgptAuthTokensRefreshParams
  readonly ChatgptAuthTokensRefreshReason: ChatgptAuthTokensRefreshReason
  readonly ChatgptAuthTokensRefreshResponse: Open.ChatgptAuthTokensRefreshResponse
  readonly CliAuthCredentialsStoreMode: CliAuthCredentialsStoreMode
  readonly ClientInfo: Open.ClientInfo
  readonly CodexErrorInfo: CodexErrorInfo
  readonly CodexResponseHandoffMode: CodexResponseHandoffMode
  readonly CollabAgentState: CollabAgentState
  readonly CollabAgentStatus: CollabAgentStatus
  readonly CollabAgentTool: CollabAgentTool
  readonly CollabAgentToolCallStatus: CollabAgentToolCallStatus
  readonly CollaborationMode: CollaborationMode
  readonly CollaborationModeListParams: Open.CollaborationModeListParams
  readonly CollaborationModeListResponse: CollaborationModeListResponse
  readonly CollaborationModeMask: CollaborationModeMask
  readonly CommandAction: CommandAction
  readonly CommandExecOutputDeltaNotification: CommandExecOutputDeltaNotification
  readonly CommandExecOutputStream: CommandExecOutputStream
  readonly CommandExecParams: CommandExecParams
  readonly CommandExecResizeParams: Open.CommandExecResizeParams
  readonly CommandExecResizeResponse: Open.CommandExecResizeResponse
  readonly CommandExecResponse: Open.CommandExecResponse
  readonly CommandExecTerminalSize: Open.CommandExecTerminalSize
  readonly CommandExecTerminateParams: Open.CommandExecTerminateParams
  readonly CommandExecTerminateResponse: Open.CommandExecTerminateResponse
  readonly CommandExecWriteParams: Open.CommandExecWriteParams
  readonly CommandExecWriteResponse: Open.CommandExecWriteResponse
  readonly CommandExecutionApprovalDecision: CommandExecutionApprovalDecision
  readonly CommandExecutionApprovalKind: CommandExecutionApprovalKind
  readonly CommandExecutionOutputDeltaNotification: Open.CommandExecutionOutputDeltaNotification
  readonly CommandExecutionRequestApprovalParams: CommandExecutionRequestApprovalParams
  readonly CommandExecutionRequestApprovalResponse: CommandExecutionRequestApprovalResponse
  readonly CommandExecutionSource: CommandExecutionSource
  readonly CommandExecutionStatus: CommandExecutionStatus
  readonly CommandMigration: Open.CommandMigration
  readonly ComputerUseConfig: ComputerUseConfig
  readonly ComputerUseMacosConfig: ComputerUseMacosConfig
  readonly ComputerUseMacosRequirements: ComputerUseMacosRequirements
  readonly ComputerUseRequirements: ComputerUseRequirements
  readonly ComputerUseWindowsConfig: ComputerUseWindowsConfig
  readonly ComputerUseWindowsExeConfig: ComputerUseWindowsExeConfig
  readonly ComputerUseWindowsExeRequirement: ComputerUseWindowsExeRequirement
  readonly ComputerUseWindowsRequirements: ComputerUseWindowsRequirements
  readonly Config: Config
  readonly ConfigBatchWriteParams: ConfigBatchWriteParams
  readonly ConfigEdit: ConfigEdit
  readonly ConfigLayer: ConfigLayer
  readonly ConfigLayerMetadata: ConfigLayerMetadata
  readonly ConfigLayerSource: ConfigLayerSource
  readonly ConfigReadParams: Open.ConfigReadParams
  readonly ConfigReadResponse: ConfigReadResponse
  readonly ConfigRequirements: ConfigRequirements
  readonly ConfigRequirementsReadResponse: ConfigRequirementsReadResponse
  readonly ConfigValueWriteParams: ConfigValueWriteParams
  readonly ConfigWarningNotification: Open.ConfigWarningNotification
  readonly ConfigWriteResponse: ConfigWriteResponse
  readonly ConfigurationReasoning: Open.ConfigurationReasoning
  readonly ConfiguredHookHandler: ConfiguredHookHandler
  readonly ConfiguredHookMatcherGroup: ConfiguredHookMatcherGroup
  readonly ConnectorMetadata: Open.ConnectorMetadata
  readonly ConsumeAccountRateLimitResetCreditOutcome: ConsumeAccountRateLimitResetCreditOutcome
  readonly ConsumeAccountRateLimitResetCreditParams: Open.ConsumeAccountRateLimitResetCreditParams
  readonly ConsumeAccountRateLimitResetCreditResponse: ConsumeAccountRateLimitResetCreditResponse
  readonly ContentItem: ContentItem
  readonly ContextCompactedNotification: Open.ContextCompactedNotification
  readonly ConversationTextRole: ConversationTextRole
  readonly CreditsSnapshot: Open.CreditsSnapshot
  readonly CyberAccessProgram: CyberAccessProgram
  readonly DeprecationNoticeNotification: Open.DeprecationNoticeNotification
  readonly DesktopOnboardingEntrypoint: DesktopOnboardingEntrypoint
  readonly DynamicToolCallOutputContentItem: DynamicToolCallOutputContentItem
  readonly DynamicToolCallParams: Open.DynamicToolCallParams
  readonly DynamicToolCallResponse: DynamicToolCallResponse
  readonly DynamicToolCallStatus: DynamicToolCallStatus
  readonly DynamicToolNamespaceTool: DynamicToolNamespaceTool
  readonly DynamicToolSpec: DynamicToolSpec
  readonly EnvironmentAddParams: Open.EnvironmentAddParams
  readonly EnvironmentAddResponse: Open.EnvironmentAddResponse
  readonly EnvironmentConnectionNotification: Open.EnvironmentConnectionNotification
  readonly EnvironmentInfoParams: Open.EnvironmentInfoParams
  readonly EnvironmentInfoResponse: Open.EnvironmentInfoResponse
  readonly EnvironmentShellInfo: Open.EnvironmentShellInfo
  readonly EnvironmentSkillsParams: Open.EnvironmentSkillsParams
  readonly EnvironmentStatusKind: EnvironmentStatusKind
  readonly EnvironmentStatusParams: Open.EnvironmentStatusParams
  readonly EnvironmentStatusResponse: EnvironmentStatusResponse
  readonly ErrorNotification: ErrorNotification
  readonly ExecCommandApprovalParams: ExecCommandApprovalParams
  readonly ExecCommandApprovalResponse: ExecCommandApprovalResponse
  readonly ExperimentalFeature: ExperimentalFeature
  readonly ExperimentalFeatureEnablementSetParams: Open.ExperimentalFeatureEnablementSetParams
  readonly ExperimentalFeatureEnablementSetResponse: Open.ExperimentalFeatureEnablementSetResponse
  readonly ExperimentalFeatureListParams: Open.ExperimentalFeatureListParams
  readonly ExperimentalFeatureListResponse: ExperimentalFeatureListResponse
  readonly ExperimentalFeatureStage: ExperimentalFeatureStage
  readonly ExternalAgentConfigDetectParams: Open.ExternalAgentConfigDetectParams
  readonly ExternalAgentConfigDetectResponse: ExternalAgentConfigDetectResponse
  readonly ExternalAgentConfigImportCompletedNotification: ExternalAgentConfigImportCompletedNotification
  readonly ExternalAgentConfigImportHistoriesReadResponse: ExternalAgentConfigImportHistoriesReadResponse
  readonly ExternalAgentConfigImportHistory: ExternalAgentConfigImportHistory
  readonly ExternalAgentConfigImportHistoryRecordParams: ExternalAgentConfigImportHistoryRecordParams
  readonly ExternalAgentConfigImportHistoryRecordResponse: Open.ExternalAgentConfigImportHistoryRecordResponse
  readonly ExternalAgentConfigImportHistoryRecordSuccessParams: ExternalAgentConfigImportHistoryRecordSuccessParams
  readonly ExternalAgentConfigImportHistoryRecordTypeResultParams: ExternalAgentConfigImportHistoryRecordTypeResultParams
  readonly ExternalAgentConfigImportItemTypeFailure: ExternalAgentConfigImportItemTypeFailure
  readonly ExternalAgentConfigImportItemTypeSuccess: ExternalAgentConfigImportItemTypeSuccess
  readonly ExternalAgentConfigImportParams: ExternalAgentConfigImportParams
  readonly ExternalAgentConfigImportProgressNotification: ExternalAgentConfigImportProgressNotification
  readonly ExternalAgentConfigImportResponse: Open.ExternalAgentConfigImportResponse
  readonly ExternalAgentConfigImportTypeResult: ExternalAgentConfigImportTypeResult
  readonly ExternalAgentConfigMigrationItem: ExternalAgentConfigMigrationItem
  readonly ExternalAgentConfigMigrationItemType: ExternalAgentConfigMigrationItemType
  readonly ExternalAgentDetectedConnectorCandidate: ExternalAgentDetectedConnectorCandidate
  readonly ExternalAgentDetectedConnectorSource: ExternalAgentDetectedConnectorSource
  readonly ExternalAgentImportedConnectorCandidate: ExternalAgentImportedConnectorCandidate
  readonly ExternalAgentImportedConnectorSource: ExternalAgentImportedConnectorSource
  readonly FeedbackRequirements: Open.FeedbackRequirements
  readonly FeedbackSaveParams: Open.FeedbackSaveParams
  readonly FeedbackSaveResponse: Open.FeedbackSaveResponse
  readonly FeedbackUploadParams: Open.FeedbackUploadParams
  readonly FeedbackUploadResponse: Open.FeedbackUploadResponse
  readonly FileChange: FileChange
  readonly FileChangeApprovalDecision: FileChangeApprovalDecision
  readonly FileChangeOutputDeltaNotification: Open.FileChangeOutputDeltaNotification
  readonly FileChangePatchUpdatedNotification: FileChangePatchUpdatedNotification
  readonly FileChangeRequestApprovalParams: Open.FileChangeRequestApprovalParams
  readonly FileChangeRequestApprovalResponse: FileChangeRequestApprovalResponse
  readonly FileSystemAccessMode: FileSystemAccessMode
  readonly FileSystemPath: FileSystemPath
  readonly FileSystemSandboxEntry: FileSystemSandboxEntry
  readonly FileSystemSpecialPath: FileSystemSpecialPath
  readonly FileUpdateChange: FileUpdateChange
  readonly ForcedChatgptWorkspaceIds: Open.ForcedChatgptWorkspaceIds
  readonly ForcedLoginMethod: ForcedLoginMethod
  readonly FsChangedNotification: Open.FsChangedNotification
  readonly FsCopyParams: Open.FsCopyParams
  readonly FsCopyResponse: Open.FsCopyResponse
  readonly FsCreateDirectoryParams: Open.FsCreateDirectoryParams
  readonly FsCreateDirectoryResponse: Open.FsCreateDirectoryResponse
  readonly FsGetMetadataParams: Open.FsGetMetadataParams
  readonly FsGetMetadataResponse: Open.FsGetMetadataResponse
  readonly FsReadDirectoryEntry: Open.FsReadDirectoryEntry
  readonly FsReadDirectoryParams: Open.FsReadDirectoryParams
  readonly FsReadDirectoryResponse: Open.FsReadDirectoryResponse
  readonly FsReadFileParams: Open.FsReadFileParams
  readonly FsReadFileResponse: Open.FsReadFileResponse
  readonly FsRemoveParams: Open.FsRemoveParams
  readonly FsRemoveResponse: Open.FsRemoveResponse
  readonly FsUnwatchParams: Open.FsUnwatchParams
  readonly FsUnwatchResponse: Open.FsUnwatchResponse
  readonly FsWatchParams: Open.FsWatchParams
  readonly FsWatchResponse: Open.FsWatchResponse
  readonly FsWriteFileParams: Open.FsWriteFileParams
  readonly FsWriteFileResponse: Open.FsWriteFileResponse
  readonly FunctionCallOutputBody: FunctionCallOutputBody
  readonly FunctionCallOutputContentItem: FunctionCallOutputContentItem
  readonly FuzzyFileSearchMatchType: FuzzyFileSearchMatchType
  readonly FuzzyFileSearchParams: Open.FuzzyFileSearchParams
  readonly FuzzyFileSearchResponse: FuzzyFileSearchResponse
  readonly FuzzyFileSearchResult: FuzzyFileSearchResult
  readonly FuzzyFileSearchSessionCompletedNotification: Open.FuzzyFileSearchSessionCompletedNotification
  readonly FuzzyFileSearchSessionStartParams: Open.FuzzyFileSearchSessionStartParams
  readonly FuzzyFileSearchSessionStartResponse: Open.FuzzyFileSearchSessionStartResponse
  readonly FuzzyFileSearchSessionStopParams: Open.FuzzyFileSearchSessionStopParams
  readonly FuzzyFileSearchSessionStopResponse: Open.FuzzyFileSearchSessionStopResponse
  readonly FuzzyFileSearchSessionUpdateParams: Open.FuzzyFileSearchSessionUpdateParams
  readonly FuzzyFileSearchSessionUpdateResponse: Open.FuzzyFileSearchSessionUpdateResponse
  readonly FuzzyFileSearchSessionUpdatedNotification: FuzzyFileSearchSessionUpdatedNotification
  readonly GatewayAuth: GatewayAuth
  readonly GatewayOAuthCancelResponse: Open.GatewayOAuthCancelResponse
  readonly GatewayOAuthChangedNotification: GatewayOAuthChangedNotification
  readonly GatewayOAuthLoginParams: Open.GatewayOAuthLoginParams
  readonly GatewayOAuthLoginResponse: Open.GatewayOAuthLoginResponse
  readonly GatewayOAuthPrompt: Open.GatewayOAuthPrompt
  readonly GatewayOAuthReadParams: Open.GatewayOAuthReadParams
  readonly GatewayOAuthReadResponse: GatewayOAuthReadResponse
  readonly GatewayOAuthStatus: GatewayOAuthStatus
  readonly GcpProviderId: GcpProviderId
  readonly GcpSetupParams: Open.GcpSetupParams
  readonly GcpSetupResponse: Open.GcpSetupResponse
  readonly GetAccountParams: Open.GetAccountParams
  readonly GetAccountRateLimitsParams: Open.GetAccountRateLimitsParams
  readonly GetAccountRateLimitsResponse: GetAccountRateLimitsResponse
  readonly GetAccountResponse: GetAccountResponse
  readonly GetAccountSecuritySetupResponse: Open.GetAccountSecuritySetupResponse
  readonly GetAccountTokenUsageParams: Open.GetAccountTokenUsageParams
  readonly GetAccountTokenUsageResponse: Open.GetAccountTokenUsageResponse
  readonly GetWorkspaceMessagesResponse: GetWorkspaceMessagesResponse
  readonly GitInfo: Open.GitInfo
  readonly GrantedPermissionProfile: GrantedPermissionProfile
  readonly GuardianApprovalReview: GuardianApprovalReview
  readonly GuardianApprovalReviewAction: GuardianApprovalReviewAction
  readonly GuardianApprovalReviewStatus: GuardianApprovalReviewStatus
  readonly GuardianAssessmentOutcome: GuardianAssessmentOutcome
  readonly GuardianCommandSource: GuardianCommandSource
  readonly GuardianRiskLevel: GuardianRiskLevel
  readonly GuardianUserAuthorization: GuardianUserAuthorization
  readonly GuardianWarningNotification: Open.GuardianWarningNotification
  readonly HelplineSubject: HelplineSubject
  readonly HookCompletedNotification: HookCompletedNotification
  readonly HookErrorInfo: Open.HookErrorInfo
  readonly HookEventName: HookEventName
  readonly HookExecutionMode: HookExecutionMode
  readonly HookHandlerType: HookHandlerType
  readonly HookMetadata: HookMetadata
  readonly HookMigration: Open.HookMigration
  readonly HookOutputEntry: HookOutputEntry
  readonly HookOutputEntryKind: HookOutputEntryKind
  readonly HookPromptFragment: Open.HookPromptFragment
  readonly HookRunStatus: HookRunStatus
  readonly HookRunSummary: HookRunSummary
  readonly HookScope: HookScope
  readonly HookSource: HookSource
  readonly HookStartedNotification: HookStartedNotification
  readonly HookTrustStatus: HookTrustStatus
  readonly HooksListEntry: HooksListEntry
  readonly HooksListParams: Open.HooksListParams
  readonly HooksListResponse: HooksListResponse
  readonly ImageDetail: ImageDetail
  readonly ImageGenerationFailure: ImageGenerationFailure
  readonly ImageGenerationInputImage: Open.ImageGenerationInputImage
  readonly InAppBrowserRequirements: Open.InAppBrowserRequirements
  readonly InitializeCapabilities: Open.InitializeCapabilities
  readonly InitializeParams: Open.InitializeParams
  readonly InitializeResponse: InitializeResponse
  readonly InputModality: InputModality
  readonly InstalledApp: Open.InstalledApp
  readonly InternalChatMessageMetadataPassthrough: Open.InternalChatMessageMetadataPassthrough
  readonly ItemCompletedNotification: ItemCompletedNotification
  readonly ItemGuardianApprovalReviewCompletedNotification: ItemGuardianApprovalReviewCompletedNotification
  readonly ItemGuardianApprovalReviewStartedNotification: ItemGuardianApprovalReviewStartedNotification
  readonly ItemStartedNotification: ItemStartedNotification
  readonly JSONRPCError: Open.JSONRPCError
  readonly JSONRPCErrorError: Open.JSONRPCErrorError
  readonly JSONRPCMessage: Open.JSONRPCMessage
  readonly JSONRPCNotification: Open.JSONRPCNotification
  readonly JSONRPCRequest: Open.JSONRPCRequest
  readonly JSONRPCResponse: Open.JSONRPCResponse
  readonly LegacyAppPathString: Open.LegacyAppPathString
  readonly ListMcpServerStatusParams: ListMcpServerStatusParams
  readonly ListMcpServerStatusResponse: ListMcpServerStatusResponse
  readonly LocalShellAction: LocalShellAction
  readonly LocalShellStatus: LocalShellStatus
  readonly LoginAccountParams: LoginAccountParams
  readonly LoginAccountResponse: LoginAccountResponse
  readonly LoginAppBrand: LoginAppBrand
  readonly LogoutAccountResponse: Open.LogoutAccountResponse
  readonly ManagedHooksRequirements: ManagedHooksRequirements
  readonly MarketplaceAddParams: Open.MarketplaceAddParams
  readonly MarketplaceAddResponse: Open.MarketplaceAddResponse
  readonly MarketplaceInterface: Open.MarketplaceInterface
  readonly MarketplaceLoadErrorInfo: Open.MarketplaceLoadErrorInfo
  readonly MarketplaceRemoveParams: Open.MarketplaceRemoveParams
  readonly MarketplaceRemoveResponse: Open.MarketplaceRemoveResponse
  readonly MarketplaceUpgradeErrorInfo: Open.MarketplaceUpgradeErrorInfo
  readonly MarketplaceUpgradeParams: Open.MarketplaceUpgradeParams
  readonly MarketplaceUpgradeResponse: Open.MarketplaceUpgradeResponse
  readonly McpAppDisplayMode: McpAppDisplayMode
  readonly McpAppUi: McpAppUi
  readonly McpAuthStatus: McpAuthStatus
  readonly McpElicitationArrayType: McpElicitationArrayType
  readonly McpElicitationBooleanSchema: McpElicitationBooleanSchema
  readonly McpElicitationBooleanType: McpElicitationBooleanType
  readonly McpElicitationConstOption: Open.McpElicitationConstOption
  readonly McpElicitationEnumSchema: McpElicitationEnumSchema
  readonly McpElicitationLegacyTitledEnumSchema: McpElicitationLegacyTitledEnumSchema
  readonly McpElicitationMultiSelectEnumSchema: McpElicitationMultiSelectEnumSchema
  readonly McpElicitationNumberSchema: McpElicitationNumberSchema
  readonly McpElicitationNumberType: McpElicitationNumberType
  readonly McpElicitationObjectType: McpElicitationObjectType
  readonly McpElicitationPrimitiveSchema: McpElicitationPrimitiveSchema
  readonly McpElicitationSchema: McpElicitationSchema
  readonly McpElicitationSingleSelectEnumSchema: McpElicitationSingleSelectEnumSchema
  readonly McpElicitationStringFormat: McpElicitationStringFormat
  readonly McpElicitationStringSchema: McpElicitationStringSchema
  readonly McpElicitationStringType: McpElicitationStringType
  readonly McpElicitationTitledEnumItems: Open.McpElicitationTitledEnumItems
  readonly McpElicitationTitledMultiSelectEnumSchema: McpElicitationTitledMultiSelectEnumSchema
  readonly McpElicitationTitledSingleSelectEnumSchema: McpElicitationTitledSingleSelectEnumSchema
  readonly McpElicitationUntitledEnumItems: McpElicitationUntitledEnumItems
  readonly McpElicitationUntitledMultiSelectEnumSchema: McpElicitationUntitledMultiSelectEnumSchema
  readonly McpElicitationUntitledSingleSelectEnumSchema: McpElicitationUntitledSingleSelectEnumSchema
  readonly McpResourceReadParams: McpResourceReadParams
  readonly McpResourceReadResponse: Open.McpResourceReadResponse
  readonly McpResourceReadTarget: McpResourceReadTarget
  readonly McpServerConnectionStatus: McpServerConnectionStatus
  readonly McpServerElicitationAction: McpServerElicitationAction
  readonly McpServerElicitationRequestParams: McpServerElicitationRequestParams
  readonly McpServerElicitationRequestResponse: McpServerElicitationRequestResponse
  readonly McpServerEventNotification: Open.McpServerEventNotification
  readonly McpServerEventStreamNotification: Open.McpServerEventStreamNotification
  readonly McpServerEventStreamStartParams: Open.McpServerEventStreamStartParams
  readonly McpServerEventStreamStartResponse: Open.McpServerEventStreamStartResponse
  readonly McpServerEventStreamStopParams: Open.McpServerEventStreamStopParams
  readonly McpServerEventStreamStopResponse: Open.McpServerEventStreamStopResponse
  readonly McpServerInfo: Open.McpServerInfo
  readonly McpServerMigration: Open.McpServerMigration
  readonly McpServerOauthClientRegistration: McpServerOauthClientRegistration
  readonly McpServerOauthLoginCompletedNotification: Open.McpServerOauthLoginCompletedNotification
  readonly McpServerOauthLoginParams: McpServerOauthLoginParams
  readonly McpServerOauthLoginResponse: Open.McpServerOauthLoginResponse
  readonly McpServerRefreshResponse: Open.McpServerRefreshResponse
  readonly McpServerStartupFailureReason: McpServerStartupFailureReason
  readonly McpServerStartupState: McpServerStartupState
  readonly McpServerStatus: McpServerStatus
  readonly McpServerStatusDetail: McpServerStatusDetail
  readonly McpServerStatusUpdatedNotification: McpServerStatusUpdatedNotification
  readonly McpServerToolCallParams: Open.McpServerToolCallParams
  readonly McpServerToolCallResponse: Open.McpServerToolCallResponse
  readonly McpToolCallAppContext: Open.McpToolCallAppContext
  readonly McpToolCallError: Open.McpToolCallError
  readonly McpToolCallProgressNotification: Open.McpToolCallProgressNotification
  readonly McpToolCallResult: Open.McpToolCallResult
  readonly McpToolCallStatus: McpToolCallStatus
  readonly MemoryCitation: Open.MemoryCitation
  readonly MemoryCitationEntry: Open.MemoryCitationEntry
  readonly MemoryResetResponse: Open.MemoryResetResponse
  readonly MemoryStatusParams: Open.MemoryStatusParams
  readonly MemoryStatusResponse: Open.MemoryStatusResponse
  readonly MergeStrategy: MergeStrategy
  readonly MessagePhase: MessagePhase
  readonly MigrationDetails: Open.MigrationDetails
  readonly MisalignmentErrorDetails: Open.MisalignmentErrorDetails
  readonly MisalignmentSteer: Open.MisalignmentSteer
  readonly MockExperimentalMethodParams: Open.MockExperimentalMethodParams
  readonly MockExperimentalMethodResponse: Open.MockExperimentalMethodResponse
  readonly ModeKind: ModeKind
  readonly Model: Model
  readonly ModelAccessPrograms: ModelAccessPrograms
  readonly ModelAvailabilityNux: Open.ModelAvailabilityNux
  readonly ModelListParams: Open.ModelListParams
  readonly ModelListResponse: ModelListResponse
  readonly ModelProviderCapabilitiesReadParams: Open.ModelProviderCapabilitiesReadParams
  readonly ModelProviderCapabilitiesReadResponse: Open.ModelProviderCapabilitiesReadResponse
  readonly ModelProviderConfigWriteParams: ModelProviderConfigWriteParams
  readonly ModelProviderConfigWriteResponse: ModelProviderConfigWriteResponse
  readonly ModelProviderDefaultSetParams: Open.ModelProviderDefaultSetParams
  readonly ModelProviderError: ModelProviderError
  readonly ModelProviderListParams: Open.ModelProviderListParams
  readonly ModelProviderListResponse: ModelProviderListResponse
  readonly ModelProviderSummary: ModelProviderSummary
  readonly ModelRerouteReason: ModelRerouteReason
  readonly ModelReroutedNotification: ModelReroutedNotification
  readonly ModelSafetyBufferingUpdatedNotification: Open.ModelSafetyBufferingUpdatedNotification
  readonly ModelServiceTier: Open.ModelServiceTier
  readonly ModelUpgradeInfo: Open.ModelUpgradeInfo
  readonly ModelVerification: ModelVerification
  readonly ModelVerificationNotification: ModelVerificationNotification
  readonly ModelsRequirements: Open.ModelsRequirements
  readonly MultiAgentMode: MultiAgentMode
  readonly MultiAgentVersion: MultiAgentVersion
  readonly NetworkAccess: NetworkAccess
  readonly NetworkApprovalContext: NetworkApprovalContext
  readonly NetworkApprovalProtocol: NetworkApprovalProtocol
  readonly NetworkDomainPermission: NetworkDomainPermission
  readonly NetworkPolicyAmendment: NetworkPolicyAmendment
  readonly NetworkPolicyRuleAction: NetworkPolicyRuleAction
  readonly NetworkRequirements: NetworkRequirements
  readonly NetworkUnixSocketPermission: NetworkUnixSocketPermission
  readonly NewThreadModelDefaults: Open.NewThreadModelDefaults
  readonly NonSteerableTurnKind: NonSteerableTurnKind
  readonly NullableGatewayOAuthLoginParams: Open.NullableGatewayOAuthLoginParams
  readonly NullableGatewayOAuthReadParams: Open.NullableGatewayOAuthReadParams
  readonly NullableGetAccountRateLimitsParams: Open.NullableGetAccountRateLimitsParams
  readonly NullableGetAccountTokenUsageParams: Open.NullableGetAccountTokenUsageParams
  readonly NullableRemoteControlDisableParams: Open.NullableRemoteControlDisableParams
  readonly NullableRemoteControlEnableParams: Open.NullableRemoteControlEnableParams
  readonly OtelExporter: OtelExporter
  readonly OtelHttpProtocol: OtelHttpProtocol
  readonly OtelRequirements: OtelRequirements
  readonly OtelTlsConfig: Open.OtelTlsConfig
  readonly OtelToolResultLogConfig: Open.OtelToolResultLogConfig
  readonly OverriddenMetadata: OverriddenMetadata
  readonly ParsedCommand: ParsedCommand
  readonly PatchApplyStatus: PatchApplyStatus
  readonly PatchChangeKind: PatchChangeKind
  readonly PathUri: Open.PathUri
  readonly PermissionGrantScope: PermissionGrantScope
  readonly PermissionProfileListParams: Open.PermissionProfileListParams
  readonly PermissionProfileListResponse: Open.PermissionProfileListResponse
  readonly PermissionProfileSummary: Open.PermissionProfileSummary
  readonly PermissionsRequestApprovalParams: PermissionsRequestApprovalParams
  readonly PermissionsRequestApprovalResponse: PermissionsRequestApprovalResponse
  readonly Personality: Personality
  readonly PlanDeltaNotification: Open.PlanDeltaNotification
  readonly PlanType: PlanType
  readonly PluginAuthPolicy: PluginAuthPolicy
  readonly PluginAvailability: PluginAvailability
  readonly PluginDetail: PluginDetail
  readonly PluginDisabledReason: PluginDisabledReason
  readonly PluginHookSummary: PluginHookSummary
  readonly PluginInstallParams: Open.PluginInstallParams
  readonly PluginInstallPolicy: PluginInstallPolicy
  readonly PluginInstallPolicySource: PluginInstallPolicySource
  readonly PluginInstallResponse: PluginInstallResponse
  readonly PluginInstalledParams: Open.PluginInstalledParams
  readonly PluginInstalledResponse: PluginInstalledResponse
  readonly PluginInterface: Open.PluginInterface
  readonly PluginListMarketplaceKind: PluginListMarketplaceKind
  readonly PluginListParams: PluginListParams
  readonly PluginListResponse: PluginListResponse
  readonly PluginMarketplaceEntry: PluginMarketplaceEntry
  readonly PluginReadParams: Open.PluginReadParams
  readonly PluginReadResponse: PluginReadResponse
  readonly PluginReconcileChangedPlugin: Open.PluginReconcileChangedPlugin
  readonly PluginReconcileParams: Open.PluginReconcileParams
  readonly PluginReconcileResponse: Open.PluginReconcileResponse
  readonly PluginSearchParams: PluginSearchParams
  readonly PluginSearchResponse: PluginSearchResponse
  readonly PluginSearchResult: PluginSearchResult
  readonly PluginSearchScope: PluginSearchScope
  readonly PluginShareCheckoutParams: Open.PluginShareCheckoutParams
  readonly PluginShareCheckoutResponse: Open.PluginShareCheckoutResponse
  readonly PluginShareContext: PluginShareContext
  readonly PluginShareDeleteParams: Open.PluginShareDeleteParams
  readonly PluginShareDeleteResponse: Open.PluginShareDeleteResponse
  readonly PluginShareDiscoverability: PluginShareDiscoverability
  readonly PluginShareListItem: PluginShareListItem
  readonly PluginShareListParams: Open.PluginShareListParams
  readonly PluginShareListResponse: PluginShareListResponse
  readonly PluginSharePrincipal: PluginSharePrincipal
  readonly PluginSharePrincipalRole: PluginSharePrincipalRole
  readonly PluginSharePrincipalType: PluginSharePrincipalType
  readonly PluginShareSaveParams: PluginShareSaveParams
  readonly PluginShareSaveResponse: Open.PluginShareSaveResponse
  readonly PluginShareTarget: PluginShareTarget
  readonly PluginShareTargetRole: PluginShareTargetRole
  readonly PluginShareUpdateDiscoverability: PluginShareUpdateDiscoverability
  readonly PluginShareUpdateTargetsParams: PluginShareUpdateTargetsParams
  readonly PluginShareUpdateTargetsResponse: PluginShareUpdateTargetsResponse
  readonly PluginSkillReadParams: Open.PluginSkillReadParams
  readonly PluginSkillReadResponse: Open.PluginSkillReadResponse
  readonly PluginSource: PluginSource
  readonly PluginSummary: PluginSummary
  readonly PluginUninstallParams: Open.PluginUninstallParams
  readonly PluginUninstallResponse: Open.PluginUninstallResponse
  readonly PluginsMigration: Open.PluginsMigration
  readonly ProcessExitedNotification: Open.ProcessExitedNotification
  readonly ProcessKillParams: Open.ProcessKillParams
  readonly ProcessKillResponse: Open.ProcessKillResponse
  readonly ProcessOutputDeltaNotification: ProcessOutputDeltaNotification
  readonly ProcessOutputStream: ProcessOutputStream
  readonly ProcessResizePtyParams: Open.ProcessResizePtyParams
  readonly ProcessResizePtyResponse: Open.ProcessResizePtyResponse
  readonly ProcessSpawnParams: Open.ProcessSpawnParams
  readonly ProcessSpawnResponse: Open.ProcessSpawnResponse
  readonly ProcessTerminalSize: Open.ProcessTerminalSize
  readonly ProcessWriteStdinParams: Open.ProcessWriteStdinParams
  readonly ProcessWriteStdinResponse: Open.ProcessWriteStdinResponse
  readonly Project: Open.Project
  readonly ProjectChangeType: ProjectChangeType
  readonly ProjectChangedNotification: ProjectChangedNotification
  readonly ProjectCreateParams: Open.ProjectCreateParams
  readonly ProjectCreateResponse: Open.ProjectCreateResponse
  readonly ProjectDeleteParams: Open.ProjectDeleteParams
  readonly ProjectDeleteResponse: Open.ProjectDeleteResponse
  readonly ProjectImportParams: Open.ProjectImportParams
  readonly ProjectImportResponse: Open.ProjectImportResponse
  readonly ProjectListParams: ProjectListParams
  readonly ProjectListResponse: Open.ProjectListResponse
  readonly ProjectMoveParams: Open.ProjectMoveParams
  readonly ProjectMoveResponse: Open.ProjectMoveResponse
  readonly ProjectReadParams: Open.ProjectReadParams
  readonly ProjectReadResponse: Open.ProjectReadResponse
  readonly ProjectRoot: Open.ProjectRoot
  readonly ProjectSortKey: ProjectSortKey
  readonly ProjectUpdateParams: Open.ProjectUpdateParams
  readonly ProjectUpdateResponse: Open.ProjectUpdateResponse
  readonly ProviderSettings: ProviderSettings
  readonly ProviderSettingsPatch: ProviderSettingsPatch
  readonly QueuedSubmission: QueuedSubmission
  readonly RateLimitReachedType: RateLimitReachedType
  readonly RateLimitResetCredit: RateLimitResetCredit
  readonly RateLimitResetCreditStatus: RateLimitResetCreditStatus
  readonly RateLimitResetCreditsSummary: RateLimitResetCreditsSummary
  readonly RateLimitResetType: RateLimitResetType
  readonly RateLimitSnapshot: RateLimitSnapshot
  readonly RateLimitWindow: Open.RateLimitWindow
  readonly RawResponseCompletedNotification: Open.RawResponseCompletedNotification
  readonly RawResponseItemCompletedNotification: RawResponseItemCompletedNotification
  readonly RealtimeConversationVersion: RealtimeConversationVersion
  readonly RealtimeOutputModality: RealtimeOutputModality
  readonly RealtimeVoice: RealtimeVoice
  readonly RealtimeVoicesList: RealtimeVoicesList
  readonly ReasoningEffort: Open.ReasoningEffort
  readonly ReasoningEffortOption: Open.ReasoningEffortOption
  readonly ReasoningItemContent: ReasoningItemContent
  readonly ReasoningItemReasoningSummary: ReasoningItemReasoningSummary
  readonly ReasoningSummary: ReasoningSummary
  readonly ReasoningSummaryPartAddedNotification: Open.ReasoningSummaryPartAddedNotification
  readonly ReasoningSummaryTextDeltaNotification: Open.ReasoningSummaryTextDeltaNotification
  readonly ReasoningTextDeltaNotification: Open.ReasoningTextDeltaNotification
  readonly RemoteControlClient: Open.RemoteControlClient
  readonly RemoteControlClientsListOrder: RemoteControlClientsListOrder
  readonly RemoteControlClientsListParams: RemoteControlClientsListParams
  readonly RemoteControlClientsListResponse: Open.RemoteControlClientsListResponse
  readonly RemoteControlClientsRevokeParams: Open.RemoteControlClientsRevokeParams
  readonly RemoteControlClientsRevokeResponse: Open.RemoteControlClientsRevokeResponse
  readonly RemoteControlConnectionStatus: RemoteControlConnectionStatus
  readonly RemoteControlDisableParams: Open.RemoteControlDisableParams
  readonly RemoteControlDisableResponse: RemoteControlDisableResponse
  readonly RemoteControlEnableParams: Open.RemoteControlEnableParams
  readonly RemoteControlEnableResponse: RemoteControlEnableResponse
  readonly RemoteControlPairingStartParams: Open.RemoteControlPairingStartParams
  readonly RemoteControlPairingStartResponse: Open.RemoteControlPairingStartResponse
  readonly RemoteControlPairingStatusParams: Open.RemoteControlPairingStatusParams
  readonly RemoteControlPairingStatusResponse: Open.RemoteControlPairingStatusResponse
  readonly RemoteControlStatusChangedNotification: RemoteControlStatusChangedNotification
  readonly RemoteControlStatusReadResponse: RemoteControlStatusReadResponse
  readonly RequestHeader: Open.RequestHeader
  readonly RequestId: Open.RequestId
  readonly RequestPermissionProfile: RequestPermissionProfile
  readonly ResidencyRequirement: ResidencyRequirement
  readonly Resource: Open.Resource
  readonly ResourceContent: Open.ResourceContent
  readonly ResourceTemplate: Open.ResourceTemplate
  readonly ResponseItem: ResponseItem
  readonly ResponseUsageMetadata: Open.ResponseUsageMetadata
  readonly ResponsesApiWebSearchAction: ResponsesApiWebSearchAction
  readonly ReviewDecision: ReviewDecision
  readonly ReviewDelivery: ReviewDelivery
  readonly ReviewStartParams: ReviewStartParams
  readonly ReviewStartResponse: ReviewStartResponse
  readonly ReviewTarget: ReviewTarget
  readonly RolloutCompressResponse: Open.RolloutCompressResponse
  readonly SandboxMode: SandboxMode
  readonly SandboxPolicy: SandboxPolicy
  readonly SandboxWorkspaceWrite: Open.SandboxWorkspaceWrite
  readonly ScheduledTaskSchedule: ScheduledTaskSchedule
  readonly ScheduledTaskSummary: ScheduledTaskSummary
  readonly ScheduledTaskWeekday: ScheduledTaskWeekday
  readonly SelectedCapabilityRoot: SelectedCapabilityRoot
  readonly SendAddCreditsNudgeEmailParams: SendAddCreditsNudgeEmailParams
  readonly SendAddCreditsNudgeEmailResponse: SendAddCreditsNudgeEmailResponse
  readonly ServerDiagnosticsGauge: Open.ServerDiagnosticsGauge
  readonly ServerDiagnosticsParams: Open.ServerDiagnosticsParams
  readonly ServerDiagnosticsProcess: Open.ServerDiagnosticsProcess
  readonly ServerDiagnosticsResponse: Open.ServerDiagnosticsResponse
  readonly ServerRequestResolvedNotification: Open.ServerRequestResolvedNotification
  readonly SessionMigration: Open.SessionMigration
  readonly SessionSource: SessionSource
  readonly Settings: Open.Settings
  readonly SkillDependencies: Open.SkillDependencies
  readonly SkillErrorInfo: Open.SkillErrorInfo
  readonly SkillInterface: Open.SkillInterface
  readonly SkillMetadata: SkillMetadata
  readonly SkillMigration: Open.SkillMigration
  readonly SkillScope: SkillScope
  readonly SkillSummary: Open.SkillSummary
  readonly SkillToolDependency: Open.SkillToolDependency
  readonly SkillsChangedNotification: Open.SkillsChangedNotification
  readonly SkillsConfigWriteParams: Open.SkillsConfigWriteParams
  readonly SkillsConfigWriteResponse: Open.SkillsConfigWriteResponse
  readonly SkillsExtraRootsSetParams: Open.SkillsExtraRootsSetParams
  readonly SkillsExtraRootsSetResponse: Open.SkillsExtraRootsSetResponse
  readonly SkillsListEntry: SkillsListEntry
  readonly SkillsListParams: Open.SkillsListParams
  readonly SkillsListResponse: SkillsListResponse
  readonly SortDirection: SortDirection
  readonly SpendControlLimitSnapshot: Open.SpendControlLimitSnapshot
  readonly StrictReviewRequiredNotification: Open.StrictReviewRequiredNotification
  readonly SubAgentActivityKind: SubAgentActivityKind
  readonly SubAgentSource: SubAgentSource
  readonly SubagentMigration: Open.SubagentMigration
  readonly TerminalInteractionNotification: Open.TerminalInteractionNotification
  readonly TextElement: Open.TextElement
  readonly TextPosition: Open.TextPosition
  readonly TextRange: Open.TextRange
  readonly Thread: Thread
  readonly ThreadActiveFlag: ThreadActiveFlag
  readonly ThreadApproveGuardianDeniedActionParams: Open.ThreadApproveGuardianDeniedActionParams
  readonly ThreadApproveGuardianDeniedActionResponse: Open.ThreadApproveGuardianDeniedActionResponse
  readonly ThreadArchiveParams: Open.ThreadArchiveParams
  readonly ThreadArchiveResponse: Open.ThreadArchiveResponse
  readonly ThreadArchivedNotification: Open.ThreadArchivedNotification
  readonly ThreadAttachment: Open.ThreadAttachment
  readonly ThreadAttachmentAddOutcome: ThreadAttachmentAddOutcome
  readonly ThreadAttachmentAddParams: Open.ThreadAttachmentAddParams
  readonly ThreadAttachmentAddResponse: ThreadAttachmentAddResponse
  readonly ThreadAttachmentListParams: Open.ThreadAttachmentListParams
  readonly ThreadAttachmentListResponse: Open.ThreadAttachmentListResponse
  readonly ThreadAttachmentOperation: ThreadAttachmentOperation
  readonly ThreadAttachmentOwner: Open.ThreadAttachmentOwner
  readonly ThreadAttachmentOwnerListParams: Open.ThreadAttachmentOwnerListParams
  readonly ThreadAttachmentOwnerListResponse: Open.ThreadAttachmentOwnerListResponse
  readonly ThreadAttachmentRemoveParams: Open.ThreadAttachmentRemoveParams
  readonly ThreadAttachmentRemoveResponse: Open.ThreadAttachmentRemoveResponse
  readonly ThreadAttachmentUpdatedNotification: ThreadAttachmentUpdatedNotification
  readonly ThreadBackgroundTerminal: Open.ThreadBackgroundTerminal
  readonly ThreadBackgroundTerminalsCleanParams: Open.ThreadBackgroundTerminalsCleanParams
  readonly ThreadBackgroundTerminalsCleanResponse: Open.ThreadBackgroundTerminalsCleanResponse
  readonly ThreadBackgroundTerminalsListParams: Open.ThreadBackgroundTerminalsListParams
  readonly ThreadBackgroundTerminalsListResponse: Open.ThreadBackgroundTerminalsListResponse
  readonly ThreadBackgroundTerminalsTerminateParams: Open.ThreadBackgroundTerminalsTerminateParams
  readonly ThreadBackgroundTerminalsTerminateResponse: Open.ThreadBackgroundTerminalsTerminateResponse
  readonly ThreadClosedNotification: Open.ThreadClosedNotification
  readonly ThreadCompactStartParams: Open.ThreadCompactStartParams
  readonly ThreadCompactStartResponse: Open.ThreadCompactStartResponse
  readonly ThreadDecrementElicitationParams: Open.ThreadDecrementElicitationParams
  readonly ThreadDecrementElicitationResponse: Open.ThreadDecrementElicitationResponse
  readonly ThreadDeleteParams: Open.ThreadDeleteParams
  readonly ThreadDeleteResponse: Open.ThreadDeleteResponse
  readonly ThreadDeletedNotification: Open.ThreadDeletedNotification
  readonly ThreadEnvironment: Open.ThreadEnvironment
  readonly ThreadExtra: Open.ThreadExtra
  readonly ThreadForkParams: ThreadForkParams
  readonly ThreadForkResponse: ThreadForkResponse
  readonly ThreadGoal: ThreadGoal
  readonly ThreadGoalClearParams: ThreadGoalClearParams
  readonly ThreadGoalClearResponse: Open.ThreadGoalClearResponse
  readonly ThreadGoalClearedNotification: Open.ThreadGoalClearedNotification
  readonly ThreadGoalGetParams: Open.ThreadGoalGetParams
  readonly ThreadGoalGetResponse: ThreadGoalGetResponse
  readonly ThreadGoalMutationOrigin: ThreadGoalMutationOrigin
  readonly ThreadGoalSetParams: ThreadGoalSetParams
  readonly ThreadGoalSetResponse: ThreadGoalSetResponse
  readonly ThreadGoalStatus: ThreadGoalStatus
  readonly ThreadGoalUpdatedNotification: ThreadGoalUpdatedNotification
  readonly ThreadGuardianAssessment: ThreadGuardianAssessment
  readonly ThreadGuardianReviewParams: Open.ThreadGuardianReviewParams
  readonly ThreadGuardianReviewResponse: ThreadGuardianReviewResponse
  readonly ThreadHistoryMode: ThreadHistoryMode
  readonly ThreadId: Open.ThreadId
  readonly ThreadIncrementElicitationParams: Open.ThreadIncrementElicitationParams
  readonly ThreadIncrementElicitationResponse: Open.ThreadIncrementElicitationResponse
  readonly ThreadInjectItemsParams: Open.ThreadInjectItemsParams
  readonly ThreadInjectItemsResponse: Open.ThreadInjectItemsResponse
  readonly ThreadItem: ThreadItem
  readonly ThreadItemEntry: ThreadItemEntry
  readonly ThreadItemOutputDeferral: Open.ThreadItemOutputDeferral
  readonly ThreadItemsListAnchor: ThreadItemsListAnchor
  readonly ThreadItemsListCursor: ThreadItemsListCursor
  readonly ThreadItemsListParams: ThreadItemsListParams
  readonly ThreadItemsListResponse: ThreadItemsListResponse
  readonly ThreadItemsReadParams: Open.ThreadItemsReadParams
  readonly ThreadItemsReadResponse: ThreadItemsReadResponse
  readonly ThreadListCwdFilter: Open.ThreadListCwdFilter
  readonly ThreadListParams: ThreadListParams
  readonly ThreadListResponse: ThreadListResponse
  readonly ThreadLoadedListParams: Open.ThreadLoadedListParams
  readonly ThreadLoadedListResponse: Open.ThreadLoadedListResponse
  readonly ThreadMemoryMode: ThreadMemoryMode
  readonly ThreadMemoryModeSetParams: ThreadMemoryModeSetParams
  readonly ThreadMemoryModeSetResponse: Open.ThreadMemoryModeSetResponse
  readonly ThreadMemoryReadParams: Open.ThreadMemoryReadParams
  readonly ThreadMemoryReadResponse: Open.ThreadMemoryReadResponse
  readonly ThreadMetadataGitInfoUpdateParams: Open.ThreadMetadataGitInfoUpdateParams
  readonly ThreadMetadataUpdateParams: Open.ThreadMetadataUpdateParams
  readonly ThreadMetadataUpdateResponse: ThreadMetadataUpdateResponse
  readonly ThreadNameUpdatedNotification: Open.ThreadNameUpdatedNotification
  readonly ThreadPredictionRequestParams: Open.ThreadPredictionRequestParams
  readonly ThreadPredictionRequestResponse: Open.ThreadPredictionRequestResponse
  readonly ThreadPredictionResult: ThreadPredictionResult
  readonly ThreadPredictionUpdatedNotification: ThreadPredictionUpdatedNotification
  readonly ThreadPrepareApprovedPlanParams: Open.ThreadPrepareApprovedPlanParams
  readonly ThreadPrepareApprovedPlanResponse: Open.ThreadPrepareApprovedPlanResponse
  readonly ThreadProjectUpdatedNotification: ThreadProjectUpdatedNotification
  readonly ThreadQueueAddParams: ThreadQueueAddParams
  readonly ThreadQueueAddResponse: ThreadQueueAddResponse
  readonly ThreadQueueChangedNotification: Open.ThreadQueueChangedNotification
  readonly ThreadQueueDeleteParams: Open.ThreadQueueDeleteParams
  readonly ThreadQueueDeleteResponse: Open.ThreadQueueDeleteResponse
  readonly ThreadQueueListParams: Open.ThreadQueueListParams
  readonly ThreadQueueListResponse: ThreadQueueListResponse
  readonly ThreadQueueReorderParams: Open.ThreadQueueReorderParams
  readonly ThreadQueueReorderResponse: Open.ThreadQueueReorderResponse
  readonly ThreadQueueStartParams: Open.ThreadQueueStartParams
  readonly ThreadQueueStartResponse: ThreadQueueStartResponse
  readonly ThreadQueueUpdateParams: ThreadQueueUpdateParams
  readonly ThreadQueueUpdateResponse: ThreadQueueUpdateResponse
  readonly ThreadReadParams: Open.ThreadReadParams
  readonly ThreadReadResponse: ThreadReadResponse
  readonly ThreadReadState: ThreadReadState
  readonly ThreadReadStateChangedNotification: ThreadReadStateChangedNotification
  readonly ThreadReadStateOperation: ThreadReadStateOperation
  readonly ThreadReadStateUpdateParams: ThreadReadStateUpdateParams
  readonly ThreadReadStateUpdateResponse: ThreadReadStateUpdateResponse
  readonly ThreadRealtimeAppendAudioParams: Open.ThreadRealtimeAppendAudioParams
  readonly ThreadRealtimeAppendAudioResponse: Open.ThreadRealtimeAppendAudioResponse
  readonly ThreadRealtimeAppendSpeechParams: Open.ThreadRealtimeAppendSpeechParams
  readonly ThreadRealtimeAppendSpeechResponse: Open.ThreadRealtimeAppendSpeechResponse
  readonly ThreadRealtimeAppendTextParams: ThreadRealtimeAppendTextParams
  readonly ThreadRealtimeAppendTextResponse: Open.ThreadRealtimeAppendTextResponse
  readonly ThreadRealtimeAudioChunk: Open.ThreadRealtimeAudioChunk
  readonly ThreadRealtimeBemItemPresentation: ThreadRealtimeBemItemPresentation
  readonly ThreadRealtimeClosedNotification: Open.ThreadRealtimeClosedNotification
  readonly ThreadRealtimeCoverage: ThreadRealtimeCoverage
  readonly ThreadRealtimeEntry: ThreadRealtimeEntry
  readonly ThreadRealtimeErrorNotification: Open.ThreadRealtimeErrorNotification
  readonly ThreadRealtimeFrameChannels: ThreadRealtimeFrameChannels
  readonly ThreadRealtimeHandoffMode: ThreadRealtimeHandoffMode
  readonly ThreadRealtimeInitialItem: ThreadRealtimeInitialItem
  readonly ThreadRealtimeItem: ThreadRealtimeItem
  readonly ThreadRealtimeItemAddedNotification: Open.ThreadRealtimeItemAddedNotification
  readonly ThreadRealtimeItemCompletedNotification: ThreadRealtimeItemCompletedNotification
  readonly ThreadRealtimeItemStartedNotification: ThreadRealtimeItemStartedNotification
  readonly ThreadRealtimeItemTranscriptDeltaNotification: Open.ThreadRealtimeItemTranscriptDeltaNotification
  readonly ThreadRealtimeListParams: ThreadRealtimeListParams
  readonly ThreadRealtimeListResponse: ThreadRealtimeListResponse
  readonly ThreadRealtimeListVoicesParams: Open.ThreadRealtimeListVoicesParams
  readonly ThreadRealtimeListVoicesResponse: ThreadRealtimeListVoicesResponse
  readonly ThreadRealtimeOrder: ThreadRealtimeOrder
  readonly ThreadRealtimeOutputAudioDeltaNotification: Open.ThreadRealtimeOutputAudioDeltaNotification
  readonly ThreadRealtimeSdpNotification: Open.ThreadRealtimeSdpNotification
  readonly ThreadRealtimeSessionOutcome: ThreadRealtimeSessionOutcome
  readonly ThreadRealtimeStartParams: ThreadRealtimeStartParams
  readonly ThreadRealtimeStartResponse: Open.ThreadRealtimeStartResponse
  readonly ThreadRealtimeStartTransport: ThreadRealtimeStartTransport
  readonly ThreadRealtimeStartedNotification: ThreadRealtimeStartedNotification
  readonly ThreadRealtimeStopParams: Open.ThreadRealtimeStopParams
  readonly ThreadRealtimeStopResponse: Open.ThreadRealtimeStopResponse
  readonly ThreadRealtimeTranscriptDeltaNotification: Open.ThreadRealtimeTranscriptDeltaNotification
  readonly ThreadRealtimeTranscriptDoneNotification: Open.ThreadRealtimeTranscriptDoneNotification
  readonly ThreadRealtimeTranscriptRole: ThreadRealtimeTranscriptRole
  readonly ThreadRealtimeVoiceTranscript: ThreadRealtimeVoiceTranscript
  readonly ThreadResumeInitialTurnsPageParams: ThreadResumeInitialTurnsPageParams
  readonly ThreadResumeParams: ThreadResumeParams
  readonly ThreadResumeResponse: ThreadResumeResponse
  readonly ThreadRevertParams: Open.ThreadRevertParams
  readonly ThreadRevertResponse: ThreadRevertResponse
  readonly ThreadRevertedNotification: Open.ThreadRevertedNotification
  readonly ThreadSampleCancelParams: Open.ThreadSampleCancelParams
  readonly ThreadSampleCancelResponse: Open.ThreadSampleCancelResponse
  readonly ThreadSampleParams: Open.ThreadSampleParams
  readonly ThreadSampleResponse: Open.ThreadSampleResponse
  readonly ThreadSearchCancelParams: Open.ThreadSearchCancelParams
  readonly ThreadSearchCancelResponse: Open.ThreadSearchCancelResponse
  readonly ThreadSearchOccurrence: Open.ThreadSearchOccurrence
  readonly ThreadSearchOccurrencesParams: Open.ThreadSearchOccurrencesParams
  readonly ThreadSearchOccurrencesResponse: Open.ThreadSearchOccurrencesResponse
  readonly ThreadSearchParams: ThreadSearchParams
  readonly ThreadSearchPartialNotification: ThreadSearchPartialNotification
  readonly ThreadSearchResponse: ThreadSearchResponse
  readonly ThreadSearchResult: ThreadSearchResult
  readonly ThreadSearchSortKey: ThreadSearchSortKey
  readonly ThreadSearchTextRange: Open.ThreadSearchTextRange
  readonly ThreadSection: Open.ThreadSection
  readonly ThreadSectionAppearance: Open.ThreadSectionAppearance
  readonly ThreadSectionChangedNotification: ThreadSectionChangedNotification
  readonly ThreadSectionCreateParams: Open.ThreadSectionCreateParams
  readonly ThreadSectionCreateResponse: Open.ThreadSectionCreateResponse
  readonly ThreadSectionDeleteParams: Open.ThreadSectionDeleteParams
  readonly ThreadSectionDeleteResponse: Open.ThreadSectionDeleteResponse
  readonly ThreadSectionListParams: Open.ThreadSectionListParams
  readonly ThreadSectionListResponse: Open.ThreadSectionListResponse
  readonly ThreadSectionMoveParams: ThreadSectionMoveParams
  readonly ThreadSectionMoveResponse: Open.ThreadSectionMoveResponse
  readonly ThreadSectionUpdateParams: Open.ThreadSectionUpdateParams
  readonly ThreadSectionUpdateResponse: Open.ThreadSectionUpdateResponse
  readonly ThreadSetNameParams: Open.ThreadSetNameParams
  readonly ThreadSetNameResponse: Open.ThreadSetNameResponse
  readonly ThreadSettings: ThreadSettings
  readonly ThreadSettingsUpdateParams: ThreadSettingsUpdateParams
  readonly ThreadSettingsUpdateResponse: Open.ThreadSettingsUpdateResponse
  readonly ThreadSettingsUpdatedNotification: ThreadSettingsUpdatedNotification
  readonly ThreadShellCommandParams: Open.ThreadShellCommandParams
  readonly ThreadShellCommandResponse: Open.ThreadShellCommandResponse
  readonly ThreadSortKey: ThreadSortKey
  readonly ThreadSource: Open.ThreadSource
  readonly ThreadSourceKind: ThreadSourceKind
  readonly ThreadStartParams: ThreadStartParams
  readonly ThreadStartResponse: ThreadStartResponse
  readonly ThreadStartSource: ThreadStartSource
  readonly ThreadStartedNotification: ThreadStartedNotification
  readonly ThreadStatus: ThreadStatus
  readonly ThreadStatusChangedNotification: ThreadStatusChangedNotification
  readonly ThreadTimelineEntry: ThreadTimelineEntry
  readonly ThreadTimelineListParams: Open.ThreadTimelineListParams
  readonly ThreadTimelineListResponse: ThreadTimelineListResponse
  readonly ThreadTokenUsage: Open.ThreadTokenUsage
  readonly ThreadTokenUsageUpdatedNotification: Open.ThreadTokenUsageUpdatedNotification
  readonly ThreadTurnsListParams: ThreadTurnsListParams
  readonly ThreadTurnsListResponse: ThreadTurnsListResponse
  readonly ThreadUnarchiveParams: Open.ThreadUnarchiveParams
  readonly ThreadUnarchiveResponse: ThreadUnarchiveResponse
  readonly ThreadUnarchivedNotification: Open.ThreadUnarchivedNotification
  readonly ThreadUnreadPosition: ThreadUnreadPosition
  readonly ThreadUnsubscribeParams: Open.ThreadUnsubscribeParams
  readonly ThreadUnsubscribeResponse: ThreadUnsubscribeResponse
  readonly ThreadUnsubscribeStatus: ThreadUnsubscribeStatus
  readonly ThreadUsage: Open.ThreadUsage
  readonly ThreadUsageBreakdownGroup: Open.ThreadUsageBreakdownGroup
  readonly TokenUsageBreakdown: Open.TokenUsageBreakdown
  readonly Tool: Open.Tool
  readonly ToolExposureSurface: ToolExposureSurface
  readonly ToolRequestUserInputAnswer: Open.ToolRequestUserInputAnswer
  readonly ToolRequestUserInputOption: Open.ToolRequestUserInputOption
  readonly ToolRequestUserInputParams: Open.ToolRequestUserInputParams
  readonly ToolRequestUserInputQuestion: Open.ToolRequestUserInputQuestion
  readonly ToolRequestUserInputResponse: Open.ToolRequestUserInputResponse
  readonly ToolsV2: ToolsV2
  readonly TrustedContacts: TrustedContacts
  readonly Turn: Turn
  readonly TurnCompletedNotification: TurnCompletedNotification
  readonly TurnDiffUpdatedNotification: Open.TurnDiffUpdatedNotification
  readonly TurnEnvironmentParams: Open.TurnEnvironmentParams
  readonly TurnError: TurnError
  readonly TurnInterruptParams: Open.TurnInterruptParams
  readonly TurnInterruptResponse: Open.TurnInterruptResponse
  readonly TurnItemsView: TurnItemsView
  readonly TurnModerationMetadataNotification: Open.TurnModerationMetadataNotification
  readonly TurnPlanStep: TurnPlanStep
  readonly TurnPlanStepStatus: TurnPlanStepStatus
  readonly TurnPlanUpdatedNotification: TurnPlanUpdatedNotification
  readonly TurnSettingsUpdateParams: TurnSettingsUpdateParams
  readonly TurnSettingsUpdateResponse: TurnSettingsUpdateResponse
  readonly TurnSettingsUpdateStatus: TurnSettingsUpdateStatus
  readonly TurnStartParams: TurnStartParams
  readonly TurnStartResponse: TurnStartResponse
  readonly TurnStartedNotification: TurnStartedNotification
  readonly TurnStatus: TurnStatus
  readonly TurnSteerParams: TurnSteerParams
  readonly TurnSteerResponse: Open.TurnSteerResponse
  readonly TurnToolOutput: TurnToolOutput
  readonly TurnsPage: TurnsPage
  readonly UserInput: UserInput
  readonly UserVerificationBiometricType: UserVerificationBiometricType
  readonly UserVerificationCancelParams: Open.UserVerificationCancelParams
  readonly UserVerificationCancelResponse: Open.UserVerificationCancelResponse
  readonly UserVerificationCancellationReason: UserVerificationCancellationReason
  readonly UserVerificationDeleteParams: Open.UserVerificationDeleteParams
  readonly UserVerificationDeleteResponse: Open.UserVerificationDeleteResponse
  readonly UserVerificationEnrollParams: Open.UserVerificationEnrollParams
  readonly UserVerificationEnrollResponse: Open.UserVerificationEnrollResponse
  readonly UserVerificationErrorDetails: UserVerificationErrorDetails
  readonly UserVerificationFailureReason: UserVerificationFailureReason
  readonly UserVerificationInvalidRequestReason: UserVerificationInvalidRequestReason
  readonly UserVerificationProof: Open.UserVerificationProof
  readonly UserVerificationRpcError: UserVerificationRpcError
  readonly UserVerificationStatusParams: Open.UserVerificationStatusParams
  readonly UserVerificationStatusResponse: UserVerificationStatusResponse
  readonly UserVerificationUnavailableReason: UserVerificationUnavailableReason
  readonly UserVerificationVerifyParams: Open.UserVerificationVerifyParams
  readonly UserVerificationVerifyResponse: UserVerificationVerifyResponse
  readonly Verbosity: Verbosity
  readonly W3cTraceContext: Open.W3cTraceContext
  readonly WarningNotification: Open.WarningNotification
  readonly WebSearchAction: WebSearchAction
  readonly WebSearchContextSize: WebSearchContextSize
  readonly WebSearchLocation: Open.WebSearchLocation
  readonly WebSearchMode: WebSearchMode
  readonly WebSearchProvider: WebSearchProvider
  readonly WebSearchToolConfig: WebSearchToolConfig
  readonly WindowsSandboxImplementation: WindowsSandboxImplementation
  readonly WindowsSandboxReadiness: WindowsSandboxReadiness
  readonly WindowsSandboxReadinessResponse: WindowsSandboxReadinessResponse
  readonly WindowsSandboxSetupCompletedNotification: WindowsSandboxSetupCompletedNotification
  readonly WindowsSandboxSetupMode: WindowsSandboxSetupMode
  readonly WindowsSandboxSetupStartParams: WindowsSandboxSetupStartParams
  readonly WindowsSandboxSetupStartResponse: Open.WindowsSandboxSetupStartResponse
  readonly WindowsWorldWritableWarningNotification: Open.WindowsWorldWritableWarningNotification
  readonly WorkspaceMessage: WorkspaceMessage
  readonly WorkspaceMessageType: WorkspaceMessageType
  readonly WorkspaceRouting: WorkspaceRouting
  readonly WriteStatus: WriteStatus
}

export interface ClientRequests {
  readonly "initialize": { readonly params: Open.InitializeParams; readonly result: InitializeResponse }
  readonly "server/diagnostics": { readonly params: Open.ServerDiagnosticsParams; readonly result: Open.ServerDiagnosticsResponse }
  readonly "userVerification/status": { readonly params: Open.UserVerificationStatusParams; readonly result: UserVerificationStatusResponse }
  readonly "userVerification/enroll": { readonly params: Open.UserVerificationEnrollParams; readonly result: Open.UserVerificationEnrollResponse }
  readonly "userVerification/delete": { readonly params: Open.UserVerificationDeleteParams; readonly result: Open.UserVerificationDeleteResponse }
  readonly "userVerification/verify": { readonly params: Open.UserVerificationVerifyParams; readonly result: UserVerificationVerifyResponse }
  readonly "userVerification/cancel": { readonly params: Open.UserVerificationCancelParams; readonly result: Open.UserVerificationCancelResponse }
  readonly "thread/start": { readonly params: ThreadStartParams; readonly result: ThreadStartResponse }
  readonly "thread/resume": { readonly params: ThreadResumeParams; readonly result: ThreadResumeResponse }
  readonly "thread/fork": { readonly params: ThreadForkParams; readonly result: ThreadForkResponse }
  readonly "thread/sample": { readonly params: Open.ThreadSampleParams; readonly result: Open.ThreadSampleResponse }
  readonly "thread/sample/cancel": { readonly params: Open.ThreadSampleCancelParams; readonly result: Open.ThreadSampleCancelResponse }
  readonly "thread/archive": { readonly params: Open.ThreadArchiveParams; readonly result: Open.ThreadArchiveResponse }
  readonly "thread/delete": { readonly params: Open.ThreadDeleteParams; readonly result: Open.ThreadDeleteResponse }
  readonly "thread/unsubscribe": { readonly params: Open.ThreadUnsubscribeParams; readonly result: ThreadUnsubscribeResponse }
  readonly "thread/increment_elicitation": { readonly params: Open.ThreadIncrementElicitationParams; readonly result: Open.ThreadIncrementElicitationResponse }
  readonly "thread/decrement_elicitation": { readonly params: Open.ThreadDecrementElicitationParams; readonly result: Open.ThreadDecrementElicitationResponse }
  readonly "thread/name/set": { readonly params: Open.ThreadSetNameParams; readonly result: Open.ThreadSetNameResponse }
  readonly "thread/prediction/request": { readonly params: Open.ThreadPredictionRequestParams; readonly result: Open.ThreadPredictionRequestResponse }
  readonly "thread/goal/set": { readonly params: ThreadGoalSetParams; readonly result: ThreadGoalSetResponse }
  readonly "thread/goal/get": { readonly params: Open.ThreadGoalGetParams; readonly result: ThreadGoalGetResponse }
  readonly "thread/goal/clear": { readonly params: ThreadGoalClearParams; readonly result: Open.ThreadGoalClearResponse }
  readonly "thread/queue/add": { readonly params: ThreadQueueAddParams; readonly result: ThreadQueueAddResponse }
  readonly "thread/queue/list": { readonly params: Open.ThreadQueueListParams; readonly result: ThreadQueueListResponse }
  readonly "thread/queue/update": { readonly params: ThreadQueueUpdateParams; readonly result: ThreadQueueUpdateResponse }
  readonly "thread/queue/delete": { readonly params: Open.ThreadQueueDeleteParams; readonly result: Open.ThreadQueueDeleteResponse }
  readonly "thread/queue/reorder": { readonly params: Open.ThreadQueueReorderParams; readonly result: Open.ThreadQueueReorderResponse }
  readonly "thread/queue/start": { readonly params: Open.ThreadQueueStartParams; readonly result: ThreadQueueStartResponse }
  readonly "thread/metadata/update": { readonly params: Open.ThreadMetadataUpdateParams; readonly result: ThreadMetadataUpdateResponse }
  readonly "thread/attachment/add": { readonly params: Open.ThreadAttachmentAddParams; readonly result: ThreadAttachmentAddResponse }
  readonly "thread/attachment/list": { readonly params: Open.ThreadAttachmentListParams; readonly result: Open.ThreadAttachmentListResponse }
  readonly "thread/attachmentOwner/list": { readonly params: Open.ThreadAttachmentOwnerListParams; readonly result: Open.ThreadAttachmentOwnerListResponse }
  readonly "thread/attachment/remove": { readonly params: Open.ThreadAttachmentRemoveParams; readonly result: Open.ThreadAttachmentRemoveResponse }
  readonly "thread/section/move": { readonly params: ThreadSectionMoveParams; readonly result: Open.ThreadSectionMoveResponse }
  readonly "thread/settings/update": { readonly params: ThreadSettingsUpdateParams; readonly result: Open.ThreadSettingsUpdateResponse }
  readonly "thread/memoryMode/set": { readonly params: ThreadMemoryModeSetParams; readonly result: Open.ThreadMemoryModeSetResponse }
  readonly "thread/memory/read": { readonly params: Open.ThreadMemoryReadParams; readonly result: Open.ThreadMemoryReadResponse }
  readonly "memory/status": { readonly params: Open.MemoryStatusParams; readonly result: Open.MemoryStatusResponse }
  readonly "memory/reset": { readonly params: null | undefined; readonly result: Open.MemoryResetResponse }
  readonly "rollout/compress": { readonly params: null | undefined; readonly result: Open.RolloutCompressResponse }
  readonly "thread/unarchive": { readonly params: Open.ThreadUnarchiveParams; readonly result: ThreadUnarchiveResponse }
  readonly "thread/compact/start": { readonly params: Open.ThreadCompactStartParams; readonly result: Open.ThreadCompactStartResponse }
  readonly "thread/shellCommand": { readonly params: Open.ThreadShellCommandParams; readonly result: Open.ThreadShellCommandResponse }
  readonly "thread/approveGuardianDeniedAction": { readonly params: Open.ThreadApproveGuardianDeniedActionParams; readonly result: Open.ThreadApproveGuardianDeniedActionResponse }
  readonly "thread/backgroundTerminals/clean": { readonly params: Open.ThreadBackgroundTerminalsCleanParams; readonly result: Open.ThreadBackgroundTerminalsCleanResponse }
  readonly "thread/backgroundTerminals/list": { readonly params: Open.ThreadBackgroundTerminalsListParams; readonly result: Open.ThreadBackgroundTerminalsListResponse }
  readonly "thread/backgroundTerminals/terminate": { readonly params: Open.ThreadBackgroundTerminalsTerminateParams; readonly result: Open.ThreadBackgroundTerminalsTerminateResponse }
  readonly "thread/revert": { readonly params: Open.ThreadRevertParams; readonly result: ThreadRevertResponse }
  readonly "thread/list": { readonly params: ThreadListParams; readonly result: ThreadListResponse }
  readonly "project/list": { readonly params: ProjectListParams; readonly result: Open.ProjectListResponse }
  readonly "project/read": { readonly params: Open.ProjectReadParams; readonly result: Open.ProjectReadResponse }
  readonly "project/create": { readonly params: Open.ProjectCreateParams; readonly result: Open.ProjectCreateResponse }
  readonly "project/import": { readonly params: Open.ProjectImportParams; readonly result: Open.ProjectImportResponse }
  readonly "project/update": { readonly params: Open.ProjectUpdateParams; readonly result: Open.ProjectUpdateResponse }
  readonly "project/move": { readonly params: Open.ProjectMoveParams; readonly result: Open.ProjectMoveResponse }
  readonly "project/delete": { readonly params: Open.ProjectDeleteParams; readonly result: Open.ProjectDeleteResponse }
  readonly "threadSection/list": { readonly params: Open.ThreadSectionListParams; readonly result: Open.ThreadSectionListResponse }
  readonly "threadSection/create": { readonly params: Open.ThreadSectionCreateParams; readonly result: Open.ThreadSectionCreateResponse }
  readonly "threadSection/update": { readonly params: Open.ThreadSectionUpdateParams; readonly result: Open.ThreadSectionUpdateResponse }
  readonly "threadSection/delete": { readonly params: Open.ThreadSectionDeleteParams; readonly result: Open.ThreadSectionDeleteResponse }
  readonly "thread/search": { readonly params: ThreadSearchParams; readonly result: ThreadSearchResponse }
  readonly "thread/search/stream": { readonly params: ThreadSearchParams; readonly result: ThreadSearchResponse }
  readonly "thread/search/cancel": { readonly params: Open.ThreadSearchCancelParams; readonly result: Open.ThreadSearchCancelResponse }
  readonly "thread/search/stream/cancel": { readonly params: Open.ThreadSearchCancelParams; readonly result: Open.ThreadSearchCancelResponse }
  readonly "thread/searchOccurrences": { readonly params: Open.ThreadSearchOccurrencesParams; readonly result: Open.ThreadSearchOccurrencesResponse }
  readonly "thread/loaded/list": { readonly params: Open.ThreadLoadedListParams; readonly result: Open.ThreadLoadedListResponse }
  readonly "thread/read": { readonly params: Open.ThreadReadParams; readonly result: ThreadReadResponse }
  readonly "thread/readState/update": { readonly params: ThreadReadStateUpdateParams; readonly result: ThreadReadStateUpdateResponse }
  readonly "thread/turns/list": { readonly params: ThreadTurnsListParams; readonly result: ThreadTurnsListResponse }
  readonly "thread/items/list": { readonly params: ThreadItemsListParams; readonly result: ThreadItemsListResponse }
  readonly "thread/items/read": { readonly params: Open.ThreadItemsReadParams; readonly result: ThreadItemsReadResponse }
  readonly "thread/guardianReview": { readonly params: Open.ThreadGuardianReviewParams; readonly result: ThreadGuardianReviewResponse }
  readonly "thread/inject_items": { readonly params: Open.ThreadInjectItemsParams; readonly result: Open.ThreadInjectItemsResponse }
  readonly "thread/prepareApprovedPlan": { readonly params: Open.ThreadPrepareApprovedPlanParams; readonly result: Open.ThreadPrepareApprovedPlanResponse }
  readonly "skills/list": { readonly params: Open.SkillsListParams; readonly result: SkillsListResponse }
  readonly "skills/extraRoots/set": { readonly params: Open.SkillsExtraRootsSetParams; readonly result: Open.SkillsExtraRootsSetResponse }
  readonly "hooks/list": { readonly params: Open.HooksListParams; readonly result: HooksListResponse }
  readonly "marketplace/add": { readonly params: Open.MarketplaceAddParams; readonly result: Open.MarketplaceAddResponse }
  readonly "marketplace/remove": { readonly params: Open.MarketplaceRemoveParams; readonly result: Open.MarketplaceRemoveResponse }
  readonly "marketplace/upgrade": { readonly params: Open.MarketplaceUpgradeParams; readonly result: Open.MarketplaceUpgradeResponse }
  readonly "plugin/list": { readonly params: PluginListParams; readonly result: PluginListResponse }
  readonly "plugin/search": { readonly params: PluginSearchParams; readonly result: PluginSearchResponse }
  readonly "plugin/installed": { readonly params: Open.PluginInstalledParams; readonly result: PluginInstalledResponse }
  readonly "plugin/reconcile": { readonly params: Open.PluginReconcileParams; readonly result: Open.PluginReconcileResponse }
  readonly "plugin/read": { readonly params: Open.PluginReadParams; readonly result: PluginReadResponse }
  readonly "plugin/skill/read": { readonly params: Open.PluginSkillReadParams; readonly result: Open.PluginSkillReadResponse }
  readonly "plugin/share/save": { readonly params: PluginShareSaveParams; readonly result: Open.PluginShareSaveResponse }
  readonly "plugin/share/updateTargets": { readonly params: PluginShareUpdateTargetsParams; readonly result: PluginShareUpdateTargetsResponse }
  readonly "plugin/share/list": { readonly params: Open.PluginShareListParams; readonly result: PluginShareListResponse }
  readonly "plugin/share/checkout": { readonly params: Open.PluginShareCheckoutParams; readonly result: Open.PluginShareCheckoutResponse }
  readonly "plugin/share/delete": { readonly params: Open.PluginShareDeleteParams; readonly result: Open.PluginShareDeleteResponse }
  readonly "app/read": { readonly params: Open.AppsReadParams; readonly result: Open.AppsReadResponse }
  readonly "app/list": { readonly params: Open.AppsListParams; readonly result: Open.AppsListResponse }
  readonly "app/installed": { readonly params: Open.AppsInstalledParams; readonly result: Open.AppsInstalledResponse }
  readonly "fs/readFile": { readonly params: Open.FsReadFileParams; readonly result: Open.FsReadFileResponse }
  readonly "fs/writeFile": { readonly params: Open.FsWriteFileParams; readonly result: Open.FsWriteFileResponse }
  readonly "fs/createDirectory": { readonly params: Open.FsCreateDirectoryParams; readonly result: Open.FsCreateDirectoryResponse }
  readonly "fs/getMetadata": { readonly params: Open.FsGetMetadataParams; readonly result: Open.FsGetMetadataResponse }
  readonly "fs/readDirectory": { readonly params: Open.FsReadDirectoryParams; readonly result: Open.FsReadDirectoryResponse }
  readonly "fs/remove": { readonly params: Open.FsRemoveParams; readonly result: Open.FsRemoveResponse }
  readonly "fs/copy": { readonly params: Open.FsCopyParams; readonly result: Open.FsCopyResponse }
  readonly "fs/watch": { readonly params: Open.FsWatchParams; readonly result: Open.FsWatchResponse }
  readonly "fs/unwatch": { readonly params: Open.FsUnwatchParams; readonly result: Open.FsUnwatchResponse }
  readonly "skills/config/write": { readonly params: Open.SkillsConfigWriteParams; readonly result: Open.SkillsConfigWriteResponse }
  readonly "plugin/install": { readonly params: Open.PluginInstallParams; readonly result: PluginInstallResponse }
  readonly "plugin/uninstall": { readonly params: Open.PluginUninstallParams; readonly result: Open.PluginUninstallResponse }
  readonly "turn/start": { readonly params: TurnStartParams; readonly result: TurnStartResponse }
  readonly "turn/settings/update": { readonly params: TurnSettingsUpdateParams; readonly result: TurnSettingsUpdateResponse }
  readonly "turn/steer": { readonly params: TurnSteerParams; readonly result: Open.TurnSteerResponse }
  readonly "turn/interrupt": { readonly params: Open.TurnInterruptParams; readonly result: Open.TurnInterruptResponse }
  readonly "thread/realtime/start": { readonly params: ThreadRealtimeStartParams; readonly result: Open.ThreadRealtimeStartResponse }
  readonly "thread/realtime/appendAudio": { readonly params: Open.ThreadRealtimeAppendAudioParams; readonly result: Open.ThreadRealtimeAppendAudioResponse }
  readonly "thread/realtime/appendText": { readonly params: ThreadRealtimeAppendTextParams; readonly result: Open.ThreadRealtimeAppendTextResponse }
  readonly "thread/realtime/appendSpeech": { readonly params: Open.ThreadRealtimeAppendSpeechParams; readonly result: Open.ThreadRealtimeAppendSpeechResponse }
  readonly "thread/realtime/stop": { readonly params: Open.ThreadRealtimeStopParams; readonly result: Open.ThreadRealtimeStopResponse }
  readonly "thread/timeline/list": { readonly params: Open.ThreadTimelineListParams; readonly result: ThreadTimelineListResponse }
  readonly "thread/realtime/list": { readonly params: ThreadRealtimeListParams; readonly result: ThreadRealtimeListResponse }
  readonly "thread/realtime/listVoices": { readonly params: Open.ThreadRealtimeListVoicesParams; readonly result: ThreadRealtimeListVoicesResponse }
  readonly "review/start": { readonly params: ReviewStartParams; readonly result: ReviewStartResponse }
  readonly "model/list": { readonly params: Open.ModelListParams; readonly result: ModelListResponse }
  readonly "account/gatewayOAuth/read": { readonly params: Open.GatewayOAuthReadParams | null | undefined; readonly result: GatewayOAuthReadResponse }
  readonly "account/gatewayOAuth/login": { readonly params: Open.GatewayOAuthLoginParams | null | undefined; readonly result: Open.GatewayOAuthLoginResponse }
  readonly "account/gatewayOAuth/cancel": { readonly params: null | undefined; readonly result: Open.GatewayOAuthCancelResponse }
  readonly "modelProvider/list": { readonly params: Open.ModelProviderListParams; readonly result: ModelProviderListResponse }
  readonly "modelProvider/config/write": { readonly params: ModelProviderConfigWriteParams; readonly result: ModelProviderConfigWriteResponse }
  readonly "modelProvider/default/set": { readonly params: Open.ModelProviderDefaultSetParams; readonly result: ConfigWriteResponse }
  readonly "modelProvider/capabilities/read": { readonly params: Open.ModelProviderCapabilitiesReadParams; readonly result: Open.ModelProviderCapabilitiesReadResponse }
  readonly "experimentalFeature/list": { readonly params: Open.ExperimentalFeatureListParams; readonly result: ExperimentalFeatureListResponse }
  readonly "permissionProfile/list": { readonly params: Open.PermissionProfileListParams; readonly result: Open.PermissionProfileListResponse }
  readonly "experimentalFeature/enablement/set": { readonly params: Open.ExperimentalFeatureEnablementSetParams; readonly result: Open.ExperimentalFeatureEnablementSetResponse }
  readonly "remoteControl/enable": { readonly params: Open.RemoteControlEnableParams | null | undefined; readonly result: RemoteControlEnableResponse }
  readonly "remoteControl/disable": { readonly params: Open.RemoteControlDisableParams | null | undefined; readonly result: RemoteControlDisableResponse }
  readonly "remoteControl/status/read": { readonly params: null | undefined; readonly result: RemoteControlStatusReadResponse }
  readonly "remoteControl/pairing/start": { readonly params: Open.RemoteControlPairingStartParams; readonly result: Open.RemoteControlPairingStartResponse }
  readonly "remoteControl/pairing/status": { readonly params: Open.RemoteControlPairingStatusParams; readonly result: Open.RemoteControlPairingStatusResponse }
  readonly "remoteControl/client/list": { readonly params: RemoteControlClientsListParams; readonly result: Open.RemoteControlClientsListResponse }
  readonly "remoteControl/client/revoke": { readonly params: Open.RemoteControlClientsRevokeParams; readonly result: Open.RemoteControlClientsRevokeResponse }
  readonly "collaborationMode/list": { readonly params: Open.CollaborationModeListParams; readonly result: CollaborationModeListResponse }
  readonly "mock/experimentalMethod": { readonly params: Open.MockExperimentalMethodParams; readonly result: Open.MockExperimentalMethodResponse }
  readonly "environment/add": { readonly params: Open.EnvironmentAddParams; readonly result: Open.EnvironmentAddResponse }
  readonly "environment/info": { readonly params: Open.EnvironmentInfoParams; readonly result: Open.EnvironmentInfoResponse }
  readonly "environment/status": { readonly params: Open.EnvironmentStatusParams; readonly result: EnvironmentStatusResponse }
  readonly "mcpServer/oauth/login": { readonly params: McpServerOauthLoginParams; readonly result: Open.McpServerOauthLoginResponse }
  readonly "config/mcpServer/reload": { readonly params: null | undefined; readonly result: Open.McpServerRefreshResponse }
  readonly "mcpServerStatus/list": { readonly params: ListMcpServerStatusParams; readonly result: ListMcpServerStatusResponse }
  readonly "mcpServer/resource/read": { readonly params: McpResourceReadParams; readonly result: Open.McpResourceReadResponse }
  readonly "mcpServer/event/stream/start": { readonly params: Open.McpServerEventStreamStartParams; readonly result: Open.McpServerEventStreamStartResponse }
  readonly "mcpServer/event/stream/stop": { readonly params: Open.McpServerEventStreamStopParams; readonly result: Open.McpServerEventStreamStopResponse }
  readonly "mcpServer/tool/call": { readonly params: Open.McpServerToolCallParams; readonly result: Open.McpServerToolCallResponse }
  readonly "windowsSandbox/setupStart": { readonly params: WindowsSandboxSetupStartParams; readonly result: Open.WindowsSandboxSetupStartResponse }
  readonly "windowsSandbox/readiness": { readonly params: null | undefined; readonly result: WindowsSandboxReadinessResponse }
  readonly "account/login/start": { readonly params: LoginAccountParams; readonly result: LoginAccountResponse }
  readonly "account/bedrock/discover": { readonly params: Open.BedrockDiscoverParams; readonly result: BedrockDiscoverResponse }
  readonly "account/bedrock/setup": { readonly params: BedrockSetupParams; readonly result: Open.BedrockSetupResponse }
  readonly "account/gcp/setup": { readonly params: Open.GcpSetupParams; readonly result: Open.GcpSetupResponse }
  readonly "account/bedrock/checkGovCloudRequirements": { readonly params: Open.BedrockCheckGovCloudRequirementsParams; readonly result: Open.BedrockCheckGovCloudRequirementsResponse }
  readonly "account/login/cancel": { readonly params: Open.CancelLoginAccountParams; readonly result: CancelLoginAccountResponse }
  readonly "accountSession/list": { readonly params: Open.AccountSessionsListParams; readonly result: AccountSessionsResponse }
  readonly "accountSession/switch": { readonly params: Open.AccountSessionsSwitchParams; readonly result: AccountSessionsSwitchResponse }
  readonly "account/logout": { readonly params: null | undefined; readonly result: Open.LogoutAccountResponse }
  readonly "account/securitySetup/read": { readonly params: null | undefined; readonly result: Open.GetAccountSecuritySetupResponse }
  readonly "account/rateLimits/read": { readonly params: Open.GetAccountRateLimitsParams | null | undefined; readonly result: GetAccountRateLimitsResponse }
  readonly "account/rateLimitResetCredit/consume": { readonly params: Open.ConsumeAccountRateLimitResetCreditParams; readonly result: ConsumeAccountRateLimitResetCreditResponse }
  readonly "account/usage/read": { readonly params: Open.GetAccountTokenUsageParams | null | undefined; readonly result: Open.GetAccountTokenUsageResponse }
  readonly "account/workspaceMessages/read": { readonly params: null | undefined; readonly result: GetWorkspaceMessagesResponse }
  readonly "account/sendAddCreditsNudgeEmail": { readonly params: SendAddCreditsNudgeEmailParams; readonly result: SendAddCreditsNudgeEmailResponse }
  readonly "feedback/upload": { readonly params: Open.FeedbackUploadParams; readonly result: Open.FeedbackUploadResponse }
  readonly "feedback/save": { readonly params: Open.FeedbackSaveParams; readonly result: Open.FeedbackSaveResponse }
  readonly "command/exec": { readonly params: CommandExecParams; readonly result: Open.CommandExecResponse }
  readonly "command/exec/write": { readonly params: Open.CommandExecWriteParams; readonly result: Open.CommandExecWriteResponse }
  readonly "command/exec/terminate": { readonly params: Open.CommandExecTerminateParams; readonly result: Open.CommandExecTerminateResponse }
  readonly "command/exec/resize": { readonly params: Open.CommandExecResizeParams; readonly result: Open.CommandExecResizeResponse }
  readonly "process/spawn": { readonly params: Open.ProcessSpawnParams; readonly result: Open.ProcessSpawnResponse }
  readonly "process/writeStdin": { readonly params: Open.ProcessWriteStdinParams; readonly result: Open.ProcessWriteStdinResponse }
  readonly "process/kill": { readonly params: Open.ProcessKillParams; readonly result: Open.ProcessKillResponse }
  readonly "process/resizePty": { readonly params: Open.ProcessResizePtyParams; readonly result: Open.ProcessResizePtyResponse }
  readonly "config/read": { readonly params: Open.ConfigReadParams; readonly result: ConfigReadResponse }
  readonly "externalAgentConfig/detect": { readonly params: Open.ExternalAgentConfigDetectParams; readonly result: ExternalAgentConfigDetectResponse }
  readonly "externalAgentConfig/import": { readonly params: ExternalAgentConfigImportParams; readonly result: Open.ExternalAgentConfigImportResponse }
  readonly "externalAgentConfig/import/recordHistory": { readonly params: ExternalAgentConfigImportHistoryRecordParams; readonly result: Open.ExternalAgentConfigImportHistoryRecordResponse }
  readonly "externalAgentConfig/import/readHistories": { readonly params: null | undefined; readonly result: ExternalAgentConfigImportHistoriesReadResponse }
  readonly "config/value/write": { readonly params: ConfigValueWriteParams; readonly result: ConfigWriteResponse }
  readonly "config/batchWrite": { readonly params: ConfigBatchWriteParams; readonly result: ConfigWriteResponse }
  readonly "configRequirements/read": { readonly params: null | undefined; readonly result: ConfigRequirementsReadResponse }
  readonly "account/read": { readonly params: Open.GetAccountParams; readonly result: GetAccountResponse }
  readonly "fuzzyFileSearch": { readonly params: Open.FuzzyFileSearchParams; readonly result: FuzzyFileSearchResponse }
  readonly "fuzzyFileSearch/sessionStart": { readonly params: Open.FuzzyFileSearchSessionStartParams; readonly result: Open.FuzzyFileSearchSessionStartResponse }
  readonly "fuzzyFileSearch/sessionUpdate": { readonly params: Open.FuzzyFileSearchSessionUpdateParams; readonly result: Open.FuzzyFileSearchSessionUpdateResponse }
  readonly "fuzzyFileSearch/sessionStop": { readonly params: Open.FuzzyFileSearchSessionStopParams; readonly result: Open.FuzzyFileSearchSessionStopResponse }
}

export interface ServerRequests {
  readonly "account/chatgptAuthTokens/refresh": { readonly params: ChatgptAuthTokensRefreshParams; readonly result: Open.ChatgptAuthTokensRefreshResponse }
  readonly "applyPatchApproval": { readonly params: ApplyPatchApprovalParams; readonly result: ApplyPatchApprovalResponse }
  readonly "attestation/generate": { readonly params: Open.AttestationGenerateParams; readonly result: Open.AttestationGenerateResponse }
  readonly "execCommandApproval": { readonly params: ExecCommandApprovalParams; readonly result: ExecCommandApprovalResponse }
  readonly "item/commandExecution/requestApproval": { readonly params: CommandExecutionRequestApprovalParams; readonly result: CommandExecutionRequestApprovalResponse }
  readonly "item/fileChange/requestApproval": { readonly params: Open.FileChangeRequestApprovalParams; readonly result: FileChangeRequestApprovalResponse }
  readonly "item/permissions/requestApproval": { readonly params: PermissionsRequestApprovalParams; readonly result: PermissionsRequestApprovalResponse }
  readonly "item/tool/call": { readonly params: Open.DynamicToolCallParams; readonly result: DynamicToolCallResponse }
  readonly "item/tool/requestUserInput": { readonly params: Open.ToolRequestUserInputParams; readonly result: Open.ToolRequestUserInputResponse }
  readonly "mcpServer/elicitation/request": { readonly params: McpServerElicitationRequestParams; readonly result: McpServerElicitationRequestResponse }
}

export interface ServerNotifications {
  readonly "account/gatewayOAuth/changed": { readonly params: GatewayOAuthChangedNotification }
  readonly "account/login/completed": { readonly params: AccountLoginCompletedNotification }
  readonly "account/rateLimits/updated": { readonly params: AccountRateLimitsUpdatedNotification }
  readonly "account/updated": { readonly params: AccountUpdatedNotification }
  readonly "app/list/updated": { readonly params: Open.AppListUpdatedNotification }
  readonly "autoApprovalReview/strictReviewRequired": { readonly params: Open.StrictReviewRequiredNotification }
  readonly "command/exec/outputDelta": { readonly params: CommandExecOutputDeltaNotification }
  readonly "configWarning": { readonly params: Open.ConfigWarningNotification }
  readonly "deprecationNotice": { readonly params: Open.DeprecationNoticeNotification }
  readonly "error": { readonly params: ErrorNotification }
  readonly "externalAgentConfig/import/completed": { readonly params: ExternalAgentConfigImportCompletedNotification }
  readonly "externalAgentConfig/import/progress": { readonly params: ExternalAgentConfigImportProgressNotification }
  readonly "fs/changed": { readonly params: Open.FsChangedNotification }
  readonly "fuzzyFileSearch/sessionCompleted": { readonly params: Open.FuzzyFileSearchSessionCompletedNotification }
  readonly "fuzzyFileSearch/sessionUpdated": { readonly params: FuzzyFileSearchSessionUpdatedNotification }
  readonly "guardianWarning": { readonly params: Open.GuardianWarningNotification }
  readonly "hook/completed": { readonly params: HookCompletedNotification }
  readonly "hook/started": { readonly params: HookStartedNotification }
  readonly "item/agentMessage/delta": { readonly params: Open.AgentMessageDeltaNotification }
  readonly "item/autoApprovalReview/completed": { readonly params: ItemGuardianApprovalReviewCompletedNotification }
  readonly "item/autoApprovalReview/started": { readonly params: ItemGuardianApprovalReviewStartedNotification }
  readonly "item/commandExecution/outputDelta": { readonly params: Open.CommandExecutionOutputDeltaNotification }
  readonly "item/commandExecution/terminalInteraction": { readonly params: Open.TerminalInteractionNotification }
  readonly "item/completed": { readonly params: ItemCompletedNotification }
  readonly "item/fileChange/outputDelta": { readonly params: Open.FileChangeOutputDeltaNotification }
  readonly "item/fileChange/patchUpdated": { readonly params: FileChangePatchUpdatedNotification }
  readonly "item/mcpToolCall/progress": { readonly params: Open.McpToolCallProgressNotification }
  readonly "item/plan/delta": { readonly params: Open.PlanDeltaNotification }
  readonly "item/reasoning/summaryPartAdded": { readonly params: Open.ReasoningSummaryPartAddedNotification }
  readonly "item/reasoning/summaryTextDelta": { readonly params: Open.ReasoningSummaryTextDeltaNotification }
  readonly "item/reasoning/textDelta": { readonly params: Open.ReasoningTextDeltaNotification }
  readonly "item/started": { readonly params: ItemStartedNotification }
  readonly "mcpServer/event/stream/notification": { readonly params: Open.McpServerEventStreamNotification }
  readonly "mcpServer/oauthLogin/completed": { readonly params: Open.McpServerOauthLoginCompletedNotification }
  readonly "mcpServer/startupStatus/updated": { readonly params: McpServerStatusUpdatedNotification }
  readonly "model/rerouted": { readonly params: ModelReroutedNotification }
  readonly "model/safetyBuffering/updated": { readonly params: Open.ModelSafetyBufferingUpdatedNotification }
  readonly "model/verification": { readonly params: ModelVerificationNotification }
  readonly "modelProvider/authRecoveryCompleted": { readonly params: Open.AuthRecoveryNotification }
  readonly "modelProvider/authRecoveryStarted": { readonly params: Open.AuthRecoveryNotification }
  readonly "process/exited": { readonly params: Open.ProcessExitedNotification }
  readonly "process/outputDelta": { readonly params: ProcessOutputDeltaNotification }
  readonly "project/changed": { readonly params: ProjectChangedNotification }
  readonly "rawResponse/completed": { readonly params: Open.RawResponseCompletedNotification }
  readonly "rawResponseItem/completed": { readonly params: RawResponseItemCompletedNotification }
  readonly "remoteControl/status/changed": { readonly params: RemoteControlStatusChangedNotification }
  readonly "serverRequest/resolved": { readonly params: Open.ServerRequestResolvedNotification }
  readonly "skills/changed": { readonly params: Open.SkillsChangedNotification }
  readonly "thread/archived": { readonly params: Open.ThreadArchivedNotification }
  readonly "thread/attachment/updated": { readonly params: ThreadAttachmentUpdatedNotification }
  readonly "thread/closed": { readonly params: Open.ThreadClosedNotification }
  readonly "thread/compacted": { readonly params: Open.ContextCompactedNotification }
  readonly "thread/deleted": { readonly params: Open.ThreadDeletedNotification }
  readonly "thread/environment/connected": { readonly params: Open.EnvironmentConnectionNotification }
  readonly "thread/environment/disconnected": { readonly params: Open.EnvironmentConnectionNotification }
  readonly "thread/goal/cleared": { readonly params: Open.ThreadGoalClearedNotification }
  readonly "thread/goal/updated": { readonly params: ThreadGoalUpdatedNotification }
  readonly "thread/name/updated": { readonly params: Open.ThreadNameUpdatedNotification }
  readonly "thread/prediction/updated": { readonly params: ThreadPredictionUpdatedNotification }
  readonly "thread/project/updated": { readonly params: ThreadProjectUpdatedNotification }
  readonly "thread/queue/changed": { readonly params: Open.ThreadQueueChangedNotification }
  readonly "thread/readState/changed": { readonly params: ThreadReadStateChangedNotification }
  readonly "thread/realtime/closed": { readonly params: Open.ThreadRealtimeClosedNotification }
  readonly "thread/realtime/error": { readonly params: Open.ThreadRealtimeErrorNotification }
  readonly "thread/realtime/item/completed": { readonly params: ThreadRealtimeItemCompletedNotification }
  readonly "thread/realtime/item/started": { readonly params: ThreadRealtimeItemStartedNotification }
  readonly "thread/realtime/item/transcript/delta": { readonly params: Open.ThreadRealtimeItemTranscriptDeltaNotification }
  readonly "thread/realtime/itemAdded": { readonly params: Open.ThreadRealtimeItemAddedNotification }
  readonly "thread/realtime/outputAudio/delta": { readonly params: Open.ThreadRealtimeOutputAudioDeltaNotification }
  readonly "thread/realtime/sdp": { readonly params: Open.ThreadRealtimeSdpNotification }
  readonly "thread/realtime/started": { readonly params: ThreadRealtimeStartedNotification }
  readonly "thread/realtime/transcript/delta": { readonly params: Open.ThreadRealtimeTranscriptDeltaNotification }
  readonly "thread/realtime/transcript/done": { readonly params: Open.ThreadRealtimeTranscriptDoneNotification }
  readonly "thread/reverted": { readonly params: Open.ThreadRevertedNotification }
  readonly "thread/search/partial": { readonly params: ThreadSearchPartialNotification }
  readonly "thread/section/changed": { readonly params: ThreadSectionChangedNotification }
  readonly "thread/settings/updated": { readonly params: ThreadSettingsUpdatedNotification }
  readonly "thread/started": { readonly params: ThreadStartedNotification }
  readonly "thread/status/changed": { readonly params: ThreadStatusChangedNotification }
  readonly "thread/tokenUsage/updated": { readonly params: Open.ThreadTokenUsageUpdatedNotification }
  readonly "thread/unarchived": { readonly params: Open.ThreadUnarchivedNotification }
  readonly "turn/completed": { readonly params: TurnCompletedNotification }
  readonly "turn/diff/updated": { readonly params: Open.TurnDiffUpdatedNotification }
  readonly "turn/moderationMetadata": { readonly params: Open.TurnModerationMetadataNotification }
  readonly "turn/plan/updated": { readonly params: TurnPlanUpdatedNotification }
  readonly "turn/started": { readonly params: TurnStartedNotification }
  readonly "warning": { readonly params: Open.WarningNotification }
  readonly "windows/worldWritableWarning": { readonly params: Open.WindowsWorldWritableWarningNotification }
  readonly "windowsSandbox/setupCompleted": { readonly params: WindowsSandboxSetupCompletedNotification }
}

export interface ClientNotifications {
  readonly "initialized": { readonly params: null | undefined }
}
