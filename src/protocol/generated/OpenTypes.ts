// Generated from codex 0.171.0 by scripts/generate-protocol.ts. Do not edit.

import type { OpenEnum, UnknownObject, UnknownVariant } from "../Openness.ts"

export type AbsolutePathBuf = string

export type Account =
  | { readonly type: "apiKey" }
  | { readonly type: "chatgpt"; readonly email?: string | null; readonly planType: PlanType; readonly workspaceName?: string | null }
  | { readonly type: "amazonBedrock"; readonly usesCodexManagedCredentials?: boolean }
  | { readonly type: "gcp" }
  | UnknownVariant<"type">

export interface AccountLoginCompletedNotification {
  readonly error?: string | null
  readonly loginId?: string | null
  readonly onboardingEntrypoint?: DesktopOnboardingEntrypoint | null
  readonly success: boolean
}

export interface AccountRateLimitsUpdatedNotification {
  readonly rateLimits: RateLimitSnapshot
}

export type AccountRoutingOverride = OpenEnum<"NO_CONSTRAINT" | "us" | "us_cr">

export interface AccountSecuritySetupAction {
  readonly label: string
  readonly url: string
}

export interface AccountSecuritySetupNotice {
  readonly accountId: string
  readonly action: AccountSecuritySetupAction
  readonly description: string
  readonly title: string
  readonly userId: string
}

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

export type AccountSessionWorkspaceKind = OpenEnum<"personal" | "workspace">

export interface AccountSessionsListParams {
  readonly refreshWorkspaceMetadata?: boolean
}

export interface AccountSessionsResponse {
  readonly activeSessionId?: string | null
  readonly sessions: ReadonlyArray<AccountSession>
}

export interface AccountSessionsSwitchParams {
  readonly accountId: string
  readonly allowBrowserLogin?: boolean
  readonly sessionId: string
}

export type AccountSessionsSwitchResponse = { readonly activeSessionId?: string | null; readonly sessions: ReadonlyArray<AccountSession> } | { readonly auth_url: string; readonly login_id: string }

export interface AccountTokenUsageDailyBucket {
  readonly startDate: string
  readonly tokens: number
}

export interface AccountTokenUsageSummary {
  readonly currentStreakDays?: number | null
  readonly lifetimeTokens?: number | null
  readonly longestRunningTurnSec?: number | null
  readonly longestStreakDays?: number | null
  readonly peakDailyTokens?: number | null
}

export type AccountUpdateReason = OpenEnum<"workspaceRoutingReady" | "unknown">

export interface AccountUpdatedNotification {
  readonly authMode?: AuthMode | null
  readonly planType?: PlanType | null
  readonly reason?: AccountUpdateReason | null
}

export interface ActivePermissionProfile {
  readonly extends?: string | null
  readonly id: string
}

export type AddCreditsNudgeCreditType = OpenEnum<"credits" | "usage_limit">

export type AddCreditsNudgeEmailStatus = OpenEnum<"sent" | "cooldown_active">

export interface AdditionalContextEntry {
  readonly kind: AdditionalContextKind
  readonly name?: string | null
  readonly value: string
}

export type AdditionalContextKind = OpenEnum<"untrusted" | "application">

export interface AdditionalFileSystemPermissions {
  readonly entries?: ReadonlyArray<FileSystemSandboxEntry> | null
  readonly globScanMaxDepth?: number | null
  readonly read?: ReadonlyArray<LegacyAppPathString> | null
  readonly write?: ReadonlyArray<LegacyAppPathString> | null
}

export interface AdditionalNetworkPermissions {
  readonly enabled?: boolean | null
}

export interface AdditionalPermissionProfile {
  readonly fileSystem?: AdditionalFileSystemPermissions | null
  readonly network?: AdditionalNetworkPermissions | null
}

export type AgentMessageDelivery = OpenEnum<"async">

export interface AgentMessageDeltaNotification {
  readonly delta: string
  readonly itemId: string
  readonly threadId: string
  readonly turnId: string
}

export type AgentMessageDisplay =
  | { readonly mode: "show"; readonly annotation?: AnswerAnnotation | null; readonly trustedContacts: TrustedContacts; readonly version: number }
  | { readonly mode: "hide"; readonly replacement: AnswerReplacement; readonly version: number }
  | { readonly mode: "block"; readonly reason: BlockReason; readonly version: number }
  | UnknownVariant<"mode">

export type AgentMessageInputContent =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "encrypted_content"; readonly encrypted_content: string }
  | UnknownVariant<"type">

export interface AgentMessageModeration {
  readonly display?: AgentMessageDisplay | null
  readonly moderated: boolean
}

export type AgentPath = string

export type AllowDenyRequirement = OpenEnum<"allow" | "deny">

export interface AnalyticsConfig {
  readonly enabled?: boolean | null
  readonly [key: string]: unknown
}

export type AnswerAnnotation =
  | { readonly kind: "wellbeingHelpline"; readonly subject: HelplineSubject }
  | UnknownVariant<"kind">

export type AnswerReplacement =
  | { readonly kind: "wellbeingPromptHelpline" }
  | UnknownVariant<"kind">

export interface AppBranding {
  readonly category?: string | null
  readonly developer?: string | null
  readonly isDiscoverableApp: boolean
  readonly privacyPolicy?: string | null
  readonly termsOfService?: string | null
  readonly website?: string | null
}

export interface AppConfig {
  readonly approvals_reviewer?: ApprovalsReviewer | null
  readonly default_tools_approval_mode?: AppToolApproval | null
  readonly default_tools_enabled?: boolean | null
  readonly destructive_enabled?: boolean | null
  readonly enabled?: boolean
  readonly links?: AppLinksConfig | null
  readonly omit_tools_from?: ReadonlyArray<ToolExposureSurface> | null
  readonly open_world_enabled?: boolean | null
  readonly tools?: AppToolsConfig | null
}

export interface AppInfo {
  readonly appMetadata?: AppMetadata | null
  readonly branding?: AppBranding | null
  readonly description?: string | null
  readonly distributionChannel?: string | null
  readonly iconAssets?: { readonly [key: string]: string } | null
  readonly iconDarkAssets?: { readonly [key: string]: string } | null
  readonly id: string
  readonly installUrl?: string | null
  readonly isAccessible?: boolean
  readonly isEnabled?: boolean
  readonly labels?: { readonly [key: string]: string } | null
  readonly logoUrl?: string | null
  readonly logoUrlDark?: string | null
  readonly name: string
  readonly pluginDisplayNames?: ReadonlyArray<string>
}

export interface AppLinkConfig {
  readonly approvals_reviewer?: ApprovalsReviewer | null
  readonly default_tools_approval_mode?: AppToolApproval | null
}

export type AppLinksConfig = { readonly [key: string]: never }

export interface AppListUpdatedNotification {
  readonly data: ReadonlyArray<AppInfo>
}

export interface AppMetadata {
  readonly categories?: ReadonlyArray<string> | null
  readonly developer?: string | null
  readonly firstPartyRequiresInstall?: boolean | null
  readonly review?: AppReview | null
  readonly screenshots?: ReadonlyArray<AppScreenshot> | null
  readonly seoDescription?: string | null
  readonly showInComposerWhenUnlinked?: boolean | null
  readonly subCategories?: ReadonlyArray<string> | null
  readonly version?: string | null
  readonly versionId?: string | null
  readonly versionNotes?: string | null
}

export interface AppReview {
  readonly status: string
}

export interface AppScreenshot {
  readonly fileId?: string | null
  readonly url?: string | null
  readonly userPrompt: string
}

export interface AppSummary {
  readonly category?: string | null
  readonly description?: string | null
  readonly id: string
  readonly installUrl?: string | null
  readonly name: string
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

export type AppTemplateUnavailableReason = OpenEnum<"NOT_CONFIGURED_FOR_WORKSPACE" | "NO_ACTIVE_WORKSPACE">

export type AppToolApproval = OpenEnum<"auto" | "prompt" | "writes" | "approve">

export interface AppToolConfig {
  readonly approval_mode?: AppToolApproval | null
  readonly enabled?: boolean | null
}

export interface AppToolSummary {
  readonly description: string
  readonly disabledReason?: string | null
  readonly isEnabled?: boolean
  readonly isReadOnly?: boolean
  readonly name: string
  readonly title?: string | null
}

export type AppToolsConfig = { readonly [key: string]: never }

export interface ApplicationNetworkRequirements {
  readonly domains: { readonly [key: string]: NetworkDomainPermission }
  readonly enabled: boolean
}

export interface ApplicationRequirements {
  readonly network?: ApplicationNetworkRequirements | null
  readonly storage?: ApplicationStorageRequirements | null
}

export interface ApplicationStorageRequirements {
  readonly defaultProjectParent?: LegacyAppPathString | null
  readonly projectlessWorkspaceRoot?: LegacyAppPathString | null
}

export interface ApplyPatchApprovalParams {
  readonly callId: string
  readonly conversationId: ThreadId
  readonly fileChanges: { readonly [key: string]: FileChange }
  readonly grantRoot?: string | null
  readonly reason?: string | null
}

export interface ApplyPatchApprovalResponse {
  readonly decision: ReviewDecision
}

export type ApprovalsReviewer = OpenEnum<"user" | "auto_review" | "guardian_subagent">

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

export interface AppsInstalledParams {
  readonly forceRefresh?: boolean
  readonly threadId?: string | null
}

export interface AppsInstalledResponse {
  readonly apps: ReadonlyArray<InstalledApp>
}

export interface AppsListParams {
  readonly cursor?: string | null
  readonly forceRefetch?: boolean
  readonly limit?: number | null
  readonly threadId?: string | null
}

export interface AppsListResponse {
  readonly data: ReadonlyArray<AppInfo>
  readonly nextCursor?: string | null
}

export interface AppsReadParams {
  readonly appIds: ReadonlyArray<string>
  readonly includeTools?: boolean
  readonly threadId?: string | null
}

export interface AppsReadResponse {
  readonly apps: ReadonlyArray<ConnectorMetadata>
  readonly missingAppIds: ReadonlyArray<string>
}

export type AskForApproval = OpenEnum<"untrusted" | "on-request" | "never"> | { readonly granular: { readonly mcp_elicitations: boolean; readonly request_permissions?: boolean; readonly rules: boolean; readonly sandbox_approval: boolean; readonly skill_approval?: boolean } } | UnknownObject

export interface AsyncUserInputQuestion {
  readonly options?: ReadonlyArray<string> | null
  readonly title: string
}

export type AttestationGenerateParams = { readonly [key: string]: never }

export interface AttestationGenerateResponse {
  readonly token: string
}

export type AuthMode = OpenEnum<"apikey" | "chatgpt" | "chatgptAuthTokens" | "headers" | "agentIdentity" | "personalAccessToken" | "bedrockApiKey" | "bedrockAccessKeys">

export interface AuthRecoveryNotification {
  readonly message: string
  readonly provider: string
  readonly threadId: string
  readonly turnId: string
}

export type AutoCompactTokenLimitScope = OpenEnum<"total" | "body_after_prefix">

export type AutoReviewDecisionSource = OpenEnum<"agent">

export interface AutoReviewRequirements {
  readonly ignoreRules?: ReadonlyArray<string> | null
  readonly requiredOnModels?: ReadonlyArray<string> | null
}

export type AwsCredentialType = OpenEnum<"accessKeys" | "bedrockApiKey">

export interface BedrockAwsProfile {
  readonly name: string
  readonly region?: string | null
}

export type BedrockCheckGovCloudRequirementsParams = { readonly [key: string]: never }

export interface BedrockCheckGovCloudRequirementsResponse {
  readonly isGovCloud: boolean
  readonly shouldWarn: boolean
}

export type BedrockDiscoverParams = { readonly [key: string]: never }

export interface BedrockDiscoverResponse {
  readonly environmentCredentials: ReadonlyArray<BedrockEnvironmentCredential>
  readonly profiles: ReadonlyArray<BedrockAwsProfile>
}

export interface BedrockEnvironmentCredential {
  readonly region?: string | null
  readonly type: AwsCredentialType
}

export type BedrockProviderId = OpenEnum<"amazon-bedrock" | "amazon-bedrock-runtime">

export type BedrockSetupParams =
  | { readonly type: "profile"; readonly profile: string; readonly region: string }
  | { readonly type: "environment"; readonly region: string }
  | UnknownVariant<"type">

export type BedrockSetupResponse = { readonly [key: string]: never }

export type BlockReason =
  | { readonly kind: "protection"; readonly protectionType: string }
  | { readonly kind: "cyber"; readonly trustedAccess?: boolean | null }
  | UnknownVariant<"kind">

export type BrowserUseAccessApprovalLifetime = OpenEnum<"turn" | "thread">

export interface BrowserUseConfig {
  readonly allow_history_access?: boolean | null
  readonly default_origin_policy?: BrowserUseOriginPolicyConfig | null
  readonly origins?: { readonly [key: string]: BrowserUseOriginPolicyConfig } | null
}

export interface BrowserUseExtensionRequirements {
  readonly requestHeaders?: ReadonlyArray<RequestHeader> | null
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
  readonly extension?: BrowserUseExtensionRequirements | null
  readonly origins?: { readonly [key: string]: BrowserUseOriginPolicy } | null
}

export interface ByteRange {
  readonly end: number
  readonly start: number
}

export interface CancelLoginAccountParams {
  readonly loginId: string
}

export interface CancelLoginAccountResponse {
  readonly status: CancelLoginAccountStatus
}

export type CancelLoginAccountStatus = OpenEnum<"canceled" | "notFound">

export type CapabilityRootLocation =
  | { readonly type: "environment"; readonly environmentId: string; readonly path: string }
  | UnknownVariant<"type">

export interface ChatgptAuthTokensRefreshParams {
  readonly previousAccountId?: string | null
  readonly reason: ChatgptAuthTokensRefreshReason
}

export type ChatgptAuthTokensRefreshReason = OpenEnum<"unauthorized">

export interface ChatgptAuthTokensRefreshResponse {
  readonly accessToken: string
  readonly chatgptAccountId: string
  readonly chatgptPlanType?: string | null
}

export type CliAuthCredentialsStoreMode = OpenEnum<"file" | "keyring" | "auto" | "ephemeral">

export interface ClientInfo {
  readonly name: string
  readonly title?: string | null
  readonly version: string
}

export type CodexErrorInfo = OpenEnum<"contextWindowExceeded" | "sessionBudgetExceeded" | "usageLimitExceeded" | "rateLimitExceeded" | "flexUnavailable" | "serverOverloaded" | "modelNotFound" | "policyCapacityUnavailable" | "cyberPolicy" | "bioPolicy" | "misalignmentPolicyViolation" | "tooManyDenials" | "internalServerError" | "unauthorized" | "badRequest" | "threadRollbackFailed" | "sandboxError" | "other" | "inferenceHookDenied"> | { readonly httpConnectionFailed: { readonly httpStatusCode?: number | null } } | { readonly responseStreamConnectionFailed: { readonly httpStatusCode?: number | null } } | { readonly responseStreamDisconnected: { readonly httpStatusCode?: number | null } } | { readonly responseTooManyFailedAttempts: { readonly httpStatusCode?: number | null } } | { readonly activeTurnNotSteerable: { readonly turnKind: NonSteerableTurnKind } } | UnknownObject

export type CodexResponseHandoffMode = OpenEnum<"thinking" | "commentary" | "bemTags">

export interface CollabAgentState {
  readonly message?: string | null
  readonly status: CollabAgentStatus
}

export type CollabAgentStatus = OpenEnum<"pendingInit" | "running" | "interrupted" | "completed" | "errored" | "shutdown" | "notFound">

export type CollabAgentTool = OpenEnum<"spawnAgent" | "sendInput" | "resumeAgent" | "wait" | "closeAgent" | "sendMessage" | "followupTask" | "interruptAgent" | "listAgents">

export type CollabAgentToolCallStatus = OpenEnum<"inProgress" | "completed" | "failed" | "interrupted">

export interface CollaborationMode {
  readonly mode: ModeKind
  readonly settings: Settings
}

export type CollaborationModeListParams = { readonly [key: string]: never }

export interface CollaborationModeListResponse {
  readonly data: ReadonlyArray<CollaborationModeMask>
}

export interface CollaborationModeMask {
  readonly mode?: ModeKind | null
  readonly model?: string | null
  readonly name: string
  readonly reasoning_effort?: ReasoningEffort | null
}

export type CommandAction =
  | { readonly type: "read"; readonly command: string; readonly name: string; readonly path: LegacyAppPathString }
  | { readonly type: "listFiles"; readonly command: string; readonly path?: string | null }
  | { readonly type: "search"; readonly command: string; readonly path?: string | null; readonly query?: string | null }
  | { readonly type: "unknown"; readonly command: string }
  | UnknownVariant<"type">

export interface CommandExecOutputDeltaNotification {
  readonly capReached: boolean
  readonly deltaBase64: string
  readonly processId: string
  readonly stream: CommandExecOutputStream
}

export type CommandExecOutputStream = OpenEnum<"stdout" | "stderr">

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
  readonly size?: CommandExecTerminalSize | null
  readonly streamStdin?: boolean
  readonly streamStdoutStderr?: boolean
  readonly timeoutMs?: number | null
  readonly tty?: boolean
}

export interface CommandExecResizeParams {
  readonly processId: string
  readonly size: CommandExecTerminalSize
}

export type CommandExecResizeResponse = { readonly [key: string]: never }

export interface CommandExecResponse {
  readonly exitCode: number
  readonly stderr: string
  readonly stdout: string
}

export interface CommandExecTerminalSize {
  readonly cols: number
  readonly rows: number
}

export interface CommandExecTerminateParams {
  readonly processId: string
}

export type CommandExecTerminateResponse = { readonly [key: string]: never }

export interface CommandExecWriteParams {
  readonly closeStdin?: boolean
  readonly deltaBase64?: string | null
  readonly processId: string
}

export type CommandExecWriteResponse = { readonly [key: string]: never }

export type CommandExecutionApprovalDecision = OpenEnum<"accept" | "acceptForSession" | "decline" | "cancel"> | { readonly acceptWithExecpolicyAmendment: { readonly execpolicy_amendment: ReadonlyArray<string> } } | { readonly applyNetworkPolicyAmendment: { readonly network_policy_amendment: NetworkPolicyAmendment } } | UnknownObject

export type CommandExecutionApprovalKind = OpenEnum<"command" | "writeStdin" | "humanCommand">

export interface CommandExecutionOutputDeltaNotification {
  readonly delta: string
  readonly itemId: string
  readonly threadId: string
  readonly turnId: string
}

export interface CommandExecutionRequestApprovalParams {
  readonly additionalPermissions?: AdditionalPermissionProfile | null
  readonly approvalId?: string | null
  readonly availableDecisions?: ReadonlyArray<CommandExecutionApprovalDecision> | null
  readonly command?: string | null
  readonly commandActions?: ReadonlyArray<CommandAction> | null
  readonly cwd?: LegacyAppPathString | null
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

export type CommandExecutionSource = OpenEnum<"agent" | "userShell" | "unifiedExecStartup" | "unifiedExecInteraction">

export type CommandExecutionStatus = OpenEnum<"inProgress" | "completed" | "failed" | "declined">

export interface CommandMigration {
  readonly name: string
}

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
  readonly analytics?: AnalyticsConfig | null
  readonly approval_policy?: AskForApproval | null
  readonly approvals_reviewer?: ApprovalsReviewer | null
  readonly apps?: AppsConfig | null
  readonly browser_use?: BrowserUseConfig | null
  readonly client_search_provider?: WebSearchProvider | null
  readonly compact_prompt?: string | null
  readonly computer_use?: ComputerUseConfig | null
  readonly desktop?: { readonly [key: string]: unknown } | null
  readonly developer_instructions?: string | null
  readonly forced_chatgpt_workspace_id?: ForcedChatgptWorkspaceIds | null
  readonly forced_login_method?: ForcedLoginMethod | null
  readonly instructions?: string | null
  readonly model?: string | null
  readonly model_auto_compact_token_limit?: number | null
  readonly model_auto_compact_token_limit_scope?: AutoCompactTokenLimitScope | null
  readonly model_context_window?: number | null
  readonly model_provider?: string | null
  readonly model_reasoning_effort?: ReasoningEffort | null
  readonly model_reasoning_summary?: ReasoningSummary | null
  readonly model_verbosity?: Verbosity | null
  readonly review_model?: string | null
  readonly sandbox_mode?: SandboxMode | null
  readonly sandbox_workspace_write?: SandboxWorkspaceWrite | null
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
  | { readonly type: "packagedDefaults"; readonly file: AbsolutePathBuf }
  | { readonly type: "mdm"; readonly domain: string; readonly key: string }
  | { readonly type: "system"; readonly file: AbsolutePathBuf }
  | { readonly type: "enterpriseManaged"; readonly id: string; readonly name: string }
  | { readonly type: "user"; readonly file: AbsolutePathBuf; readonly profile?: string | null }
  | { readonly type: "project"; readonly dotCodexFolder: AbsolutePathBuf }
  | { readonly type: "sessionFlags" }
  | { readonly type: "legacyManagedConfigTomlFromFile"; readonly file: AbsolutePathBuf }
  | { readonly type: "legacyManagedConfigTomlFromMdm" }
  | UnknownVariant<"type">

export interface ConfigReadParams {
  readonly cwd?: string | null
  readonly includeLayers?: boolean
}

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
  readonly autoReview?: AutoReviewRequirements | null
  readonly browserUse?: BrowserUseRequirements | null
  readonly chatgptBaseUrl?: string | null
  readonly checkForUpdateOnStartup?: boolean | null
  readonly cliAuthCredentialsStore?: CliAuthCredentialsStoreMode | null
  readonly computerUse?: ComputerUseRequirements | null
  readonly defaultPermissions?: string | null
  readonly enforceResidency?: ResidencyRequirement | null
  readonly featureRequirements?: { readonly [key: string]: boolean } | null
  readonly feedback?: FeedbackRequirements | null
  readonly hooks?: ManagedHooksRequirements | null
  readonly inAppBrowser?: InAppBrowserRequirements | null
  readonly logDir?: string | null
  readonly modelCatalogJson?: string | null
  readonly modelProvider?: string | null
  readonly modelProviders?: { readonly [key: string]: unknown } | null
  readonly models?: ModelsRequirements | null
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

export interface ConfigWarningNotification {
  readonly details?: string | null
  readonly path?: string | null
  readonly range?: TextRange | null
  readonly summary: string
}

export interface ConfigWriteResponse {
  readonly filePath: AbsolutePathBuf
  readonly overriddenMetadata?: OverriddenMetadata | null
  readonly status: WriteStatus
  readonly version: string
}

export interface ConfigurationReasoning {
  readonly effort: ReasoningEffort
}

export type ConfiguredHookHandler =
  | { readonly type: "command"; readonly additionalContextLimit?: number | null; readonly async: boolean; readonly command: string; readonly commandWindows?: string | null; readonly statusMessage?: string | null; readonly timeoutSec?: number | null }
  | { readonly type: "mcp_tool"; readonly input: { readonly [key: string]: unknown }; readonly server: string; readonly statusMessage?: string | null; readonly timeoutSec?: number | null; readonly tool: string }
  | { readonly type: "prompt" }
  | { readonly type: "agent" }
  | UnknownVariant<"type">

export interface ConfiguredHookMatcherGroup {
  readonly hooks: ReadonlyArray<ConfiguredHookHandler>
  readonly matcher?: string | null
}

export interface ConnectorMetadata {
  readonly description?: string | null
  readonly distributionChannel?: string | null
  readonly iconUrl?: string | null
  readonly iconUrlDark?: string | null
  readonly id: string
  readonly installUrl?: string | null
  readonly name: string
  readonly pluginDisplayNames?: ReadonlyArray<string>
  readonly toolSummaries?: ReadonlyArray<AppToolSummary> | null
}

export type ConsumeAccountRateLimitResetCreditOutcome = OpenEnum<"reset" | "nothingToReset" | "noCredit" | "alreadyRedeemed">

export interface ConsumeAccountRateLimitResetCreditParams {
  readonly creditId?: string | null
  readonly idempotencyKey: string
}

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
  | UnknownVariant<"type">

export interface ContextCompactedNotification {
  readonly threadId: string
  readonly turnId: string
}

export type ConversationTextRole = OpenEnum<"user" | "developer" | "assistant">

export interface CreditsSnapshot {
  readonly balance?: string | null
  readonly hasCredits: boolean
  readonly unlimited: boolean
}

export type CyberAccessProgram = OpenEnum<"standard" | "daybreakBlue" | "daybreakRed">

export interface DeprecationNoticeNotification {
  readonly details?: string | null
  readonly summary: string
}

export type DesktopOnboardingEntrypoint = OpenEnum<"life_sciences">

export type DynamicToolCallOutputContentItem =
  | { readonly type: "inputText"; readonly text: string }
  | { readonly type: "inputImage"; readonly imageUrl: string }
  | { readonly type: "inputAudio"; readonly audioUrl: string }
  | UnknownVariant<"type">

export interface DynamicToolCallParams {
  readonly arguments: unknown
  readonly callId: string
  readonly namespace?: string | null
  readonly threadId: string
  readonly tool: string
  readonly turnId: string
}

export interface DynamicToolCallResponse {
  readonly contentItems: ReadonlyArray<DynamicToolCallOutputContentItem>
  readonly success: boolean
}

export type DynamicToolCallStatus = OpenEnum<"inProgress" | "completed" | "failed">

export type DynamicToolNamespaceTool =
  | { readonly type: "function"; readonly deferLoading?: boolean; readonly description: string; readonly inputSchema: unknown; readonly name: string }
  | UnknownVariant<"type">

export type DynamicToolSpec =
  | { readonly type: "function"; readonly deferLoading?: boolean; readonly description: string; readonly inputSchema: unknown; readonly name: string }
  | { readonly type: "namespace"; readonly description: string; readonly name: string; readonly tools: ReadonlyArray<DynamicToolNamespaceTool> }
  | UnknownVariant<"type">

export interface EnvironmentAddParams {
  readonly authBearerToken?: string | null
  readonly connectTimeoutMs?: number | null
  readonly environmentId: string
  readonly execServerUrl: string
  readonly skills?: EnvironmentSkillsParams | null
  readonly websocketRequestId?: string | null
}

export type EnvironmentAddResponse = { readonly [key: string]: never }

export interface EnvironmentConnectionNotification {
  readonly environmentId: string
  readonly threadId: string
}

export interface EnvironmentInfoParams {
  readonly environmentId: string
}

export interface EnvironmentInfoResponse {
  readonly cwd?: PathUri | null
  readonly shell: EnvironmentShellInfo
}

export interface EnvironmentShellInfo {
  readonly name: string
  readonly path: string
}

export interface EnvironmentSkillsParams {
  readonly required?: ReadonlyArray<string> | null
}

export type EnvironmentStatusKind = OpenEnum<"ready" | "pending" | "disconnected" | "unknown">

export interface EnvironmentStatusParams {
  readonly environmentId: string
}

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
  readonly conversationId: ThreadId
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

export interface ExperimentalFeatureEnablementSetParams {
  readonly enablement: { readonly [key: string]: boolean }
}

export interface ExperimentalFeatureEnablementSetResponse {
  readonly enablement: { readonly [key: string]: boolean }
}

export interface ExperimentalFeatureListParams {
  readonly cursor?: string | null
  readonly limit?: number | null
  readonly threadId?: string | null
}

export interface ExperimentalFeatureListResponse {
  readonly data: ReadonlyArray<ExperimentalFeature>
  readonly nextCursor?: string | null
}

export type ExperimentalFeatureStage = OpenEnum<"beta" | "underDevelopment" | "stable" | "deprecated" | "removed">

export interface ExternalAgentConfigDetectParams {
  readonly cwds?: ReadonlyArray<string> | null
  readonly includeHome?: boolean
  readonly maxSessionAgeDays?: number | null
  readonly maxSessions?: number | null
  readonly migrationSource?: string | null
  readonly source?: string | null
}

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

export interface ExternalAgentConfigImportHistoryRecordResponse {
  readonly importId: string
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

export interface ExternalAgentConfigImportResponse {
  readonly importId: string
}

export interface ExternalAgentConfigImportTypeResult {
  readonly failures: ReadonlyArray<ExternalAgentConfigImportItemTypeFailure>
  readonly itemType: ExternalAgentConfigMigrationItemType
  readonly successes: ReadonlyArray<ExternalAgentConfigImportItemTypeSuccess>
}

export interface ExternalAgentConfigMigrationItem {
  readonly cwd?: string | null
  readonly description: string
  readonly details?: MigrationDetails | null
  readonly itemType: ExternalAgentConfigMigrationItemType
}

export type ExternalAgentConfigMigrationItemType = OpenEnum<"AGENTS_MD" | "CONFIG" | "SKILLS" | "PLUGINS" | "MCP_SERVER_CONFIG" | "SUBAGENTS" | "HOOKS" | "COMMANDS" | "MEMORY" | "SESSIONS">

export interface ExternalAgentDetectedConnectorCandidate {
  readonly name: string
  readonly sessionCount: number
  readonly source: ExternalAgentDetectedConnectorSource
}

export type ExternalAgentDetectedConnectorSource = OpenEnum<"remoteMcpServersConfig" | "sessionToolUse">

export interface ExternalAgentImportedConnectorCandidate {
  readonly name: string
  readonly sessionCount: number
  readonly source: ExternalAgentImportedConnectorSource
}

export type ExternalAgentImportedConnectorSource = OpenEnum<"remoteMcpServersConfig">

export interface FeedbackRequirements {
  readonly enabled?: boolean | null
}

export interface FeedbackSaveParams {
  readonly classification: string
  readonly extraLogFiles?: ReadonlyArray<string> | null
  readonly includeLogs?: boolean
  readonly reason?: string | null
  readonly savePath: LegacyAppPathString
  readonly tags?: { readonly [key: string]: string } | null
  readonly threadId?: string | null
}

export interface FeedbackSaveResponse {
  readonly promptHash?: string | null
  readonly savedPath: LegacyAppPathString
  readonly threadId: string
}

export interface FeedbackUploadParams {
  readonly classification: string
  readonly extraLogFiles?: ReadonlyArray<string> | null
  readonly includeLogs?: boolean
  readonly reason?: string | null
  readonly tags?: { readonly [key: string]: string } | null
  readonly threadId?: string | null
}

export interface FeedbackUploadResponse {
  readonly promptHash?: string | null
  readonly threadId: string
}

export type FileChange =
  | { readonly type: "add"; readonly content: string }
  | { readonly type: "delete"; readonly content: string }
  | { readonly type: "update"; readonly move_path?: string | null; readonly unified_diff: string }
  | UnknownVariant<"type">

export type FileChangeApprovalDecision = OpenEnum<"accept" | "acceptForSession" | "decline" | "cancel">

export interface FileChangeOutputDeltaNotification {
  readonly delta: string
  readonly itemId: string
  readonly threadId: string
  readonly turnId: string
}

export interface FileChangePatchUpdatedNotification {
  readonly changes: ReadonlyArray<FileUpdateChange>
  readonly itemId: string
  readonly threadId: string
  readonly turnId: string
}

export interface FileChangeRequestApprovalParams {
  readonly grantRoot?: string | null
  readonly itemId: string
  readonly reason?: string | null
  readonly startedAtMs: number
  readonly threadId: string
  readonly turnId: string
}

export interface FileChangeRequestApprovalResponse {
  readonly decision: FileChangeApprovalDecision
}

export type FileSystemAccessMode = OpenEnum<"read" | "write" | "deny">

export type FileSystemPath =
  | { readonly type: "path"; readonly path: LegacyAppPathString }
  | { readonly type: "glob_pattern"; readonly pattern: string }
  | { readonly type: "special"; readonly value: FileSystemSpecialPath }
  | UnknownVariant<"type">

export interface FileSystemSandboxEntry {
  readonly access: FileSystemAccessMode
  readonly path: FileSystemPath
}

export type FileSystemSpecialPath =
  | { readonly kind: "root" }
  | { readonly kind: "minimal" }
  | { readonly kind: "project_roots"; readonly subpath?: LegacyAppPathString | null }
  | { readonly kind: "tmpdir" }
  | { readonly kind: "slash_tmp" }
  | { readonly kind: "unknown"; readonly path: string; readonly subpath?: LegacyAppPathString | null }
  | UnknownVariant<"kind">

export interface FileUpdateChange {
  readonly diff: string
  readonly kind: PatchChangeKind
  readonly path: string
}

export type ForcedChatgptWorkspaceIds = string | ReadonlyArray<string>

export type ForcedLoginMethod = OpenEnum<"chatgpt" | "api">

export interface FsChangedNotification {
  readonly changedPaths: ReadonlyArray<AbsolutePathBuf>
  readonly watchId: string
}

export interface FsCopyParams {
  readonly destinationPath: AbsolutePathBuf
  readonly recursive?: boolean
  readonly sourcePath: AbsolutePathBuf
}

export type FsCopyResponse = { readonly [key: string]: never }

export interface FsCreateDirectoryParams {
  readonly path: AbsolutePathBuf
  readonly recursive?: boolean | null
}

export type FsCreateDirectoryResponse = { readonly [key: string]: never }

export interface FsGetMetadataParams {
  readonly path: AbsolutePathBuf
}

export interface FsGetMetadataResponse {
  readonly createdAtMs: number
  readonly isDirectory: boolean
  readonly isFile: boolean
  readonly isSymlink: boolean
  readonly modifiedAtMs: number
}

export interface FsReadDirectoryEntry {
  readonly fileName: string
  readonly isDirectory: boolean
  readonly isFile: boolean
}

export interface FsReadDirectoryParams {
  readonly path: AbsolutePathBuf
}

export interface FsReadDirectoryResponse {
  readonly entries: ReadonlyArray<FsReadDirectoryEntry>
}

export interface FsReadFileParams {
  readonly path: AbsolutePathBuf
}

export interface FsReadFileResponse {
  readonly dataBase64: string
}

export interface FsRemoveParams {
  readonly force?: boolean | null
  readonly path: AbsolutePathBuf
  readonly recursive?: boolean | null
}

export type FsRemoveResponse = { readonly [key: string]: never }

export interface FsUnwatchParams {
  readonly watchId: string
}

export type FsUnwatchResponse = { readonly [key: string]: never }

export interface FsWatchParams {
  readonly path: AbsolutePathBuf
  readonly watchId: string
}

export interface FsWatchResponse {
  readonly path: AbsolutePathBuf
}

export interface FsWriteFileParams {
  readonly dataBase64: string
  readonly path: AbsolutePathBuf
}

export type FsWriteFileResponse = { readonly [key: string]: never }

export type FunctionCallOutputBody = string | ReadonlyArray<FunctionCallOutputContentItem>

export type FunctionCallOutputContentItem =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_image"; readonly detail?: ImageDetail | null; readonly image_url: string }
  | { readonly type: "input_image"; readonly detail?: ImageDetail | null; readonly file_id: string }
  | { readonly type: "input_audio"; readonly audio_url: string }
  | { readonly type: "input_audio"; readonly file_id: string }
  | { readonly type: "encrypted_content"; readonly encrypted_content: string }
  | UnknownVariant<"type">

export type FuzzyFileSearchMatchType = OpenEnum<"file" | "directory">

export interface FuzzyFileSearchParams {
  readonly cancellationToken?: string | null
  readonly query: string
  readonly roots: ReadonlyArray<string>
}

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

export interface FuzzyFileSearchSessionCompletedNotification {
  readonly sessionId: string
}

export interface FuzzyFileSearchSessionStartParams {
  readonly roots: ReadonlyArray<string>
  readonly sessionId: string
}

export type FuzzyFileSearchSessionStartResponse = { readonly [key: string]: never }

export interface FuzzyFileSearchSessionStopParams {
  readonly sessionId: string
}

export type FuzzyFileSearchSessionStopResponse = { readonly [key: string]: never }

export interface FuzzyFileSearchSessionUpdateParams {
  readonly query: string
  readonly sessionId: string
}

export type FuzzyFileSearchSessionUpdateResponse = { readonly [key: string]: never }

export interface FuzzyFileSearchSessionUpdatedNotification {
  readonly files: ReadonlyArray<FuzzyFileSearchResult>
  readonly query: string
  readonly sessionId: string
}

export type GatewayAuth =
  | { readonly mode: "none" }
  | { readonly mode: "environmentVariable"; readonly envKey: string }
  | { readonly mode: "externallyConfigured"; readonly envKey?: string | null }
  | UnknownVariant<"mode">

export type GatewayOAuthCancelResponse = { readonly [key: string]: never }

export interface GatewayOAuthChangedNotification {
  readonly authUrl?: string | null
  readonly error?: string | null
  readonly loginId?: string | null
  readonly providerId: string
  readonly status: GatewayOAuthStatus
}

export interface GatewayOAuthLoginParams {
  readonly deviceAuth?: boolean
  readonly modelProvider?: string | null
}

export interface GatewayOAuthLoginResponse {
  readonly prompt?: GatewayOAuthPrompt | null
}

export interface GatewayOAuthPrompt {
  readonly loginId: string
  readonly userCode: string
  readonly verificationUrl: string
}

export interface GatewayOAuthReadParams {
  readonly modelProvider?: string | null
}

export interface GatewayOAuthReadResponse {
  readonly error?: string | null
  readonly providerId: string
  readonly providerName: string
  readonly required: boolean
  readonly status?: GatewayOAuthStatus | null
  readonly supportsDeviceAuth?: boolean
}

export type GatewayOAuthStatus = OpenEnum<"notReady" | "started" | "succeeded" | "failed">

export type GcpProviderId = OpenEnum<"gcp">

export interface GcpSetupParams {
  readonly credentialFile?: string | null
  readonly location?: string | null
  readonly projectId: string
}

export type GcpSetupResponse = { readonly [key: string]: never }

export interface GetAccountParams {
  readonly refreshToken?: boolean
}

export interface GetAccountRateLimitsParams {
  readonly excludeResetCreditDetails?: boolean
  readonly supportsLunaReserve?: boolean
}

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

export interface GetAccountSecuritySetupResponse {
  readonly notice?: AccountSecuritySetupNotice | null
}

export interface GetAccountTokenUsageParams {
  readonly threadId?: string | null
}

export interface GetAccountTokenUsageResponse {
  readonly dailyUsageBuckets?: ReadonlyArray<AccountTokenUsageDailyBucket> | null
  readonly summary: AccountTokenUsageSummary
  readonly threadUsage?: ThreadUsage | null
}

export interface GetWorkspaceMessagesResponse {
  readonly featureEnabled: boolean
  readonly messages: ReadonlyArray<WorkspaceMessage>
}

export interface GitInfo {
  readonly branch?: string | null
  readonly originUrl?: string | null
  readonly sha?: string | null
}

export interface GrantedPermissionProfile {
  readonly fileSystem?: AdditionalFileSystemPermissions | null
  readonly network?: AdditionalNetworkPermissions | null
}

export interface GuardianApprovalReview {
  readonly rationale?: string | null
  readonly riskLevel?: GuardianRiskLevel | null
  readonly status: GuardianApprovalReviewStatus
  readonly userAuthorization?: GuardianUserAuthorization | null
}

export type GuardianApprovalReviewAction =
  | { readonly type: "command"; readonly command: string; readonly cwd: LegacyAppPathString; readonly source: GuardianCommandSource }
  | { readonly type: "execve"; readonly argv: ReadonlyArray<string>; readonly cwd: AbsolutePathBuf; readonly program: string; readonly source: GuardianCommandSource }
  | { readonly type: "writeStdin"; readonly approvalId: string; readonly cwd: LegacyAppPathString; readonly processId: string; readonly stdin: string }
  | { readonly type: "applyPatch"; readonly cwd: LegacyAppPathString; readonly files: ReadonlyArray<LegacyAppPathString> }
  | { readonly type: "networkAccess"; readonly host: string; readonly port: number; readonly protocol: NetworkApprovalProtocol; readonly target: string }
  | { readonly type: "mcpToolCall"; readonly connectorId?: string | null; readonly connectorName?: string | null; readonly server: string; readonly toolName: string; readonly toolTitle?: string | null }
  | { readonly type: "requestPermissions"; readonly permissions: RequestPermissionProfile; readonly reason?: string | null }
  | UnknownVariant<"type">

export type GuardianApprovalReviewStatus = OpenEnum<"inProgress" | "approved" | "denied" | "timedOut" | "aborted">

export type GuardianAssessmentOutcome = OpenEnum<"allow" | "deny">

export type GuardianCommandSource = OpenEnum<"shell" | "unifiedExec">

export type GuardianRiskLevel = OpenEnum<"low" | "medium" | "high" | "critical">

export type GuardianUserAuthorization = OpenEnum<"unknown" | "low" | "medium" | "high">

export interface GuardianWarningNotification {
  readonly message: string
  readonly threadId: string
}

export type HelplineSubject = OpenEnum<"answer" | "prompt">

export interface HookCompletedNotification {
  readonly run: HookRunSummary
  readonly threadId: string
  readonly turnId?: string | null
}

export interface HookErrorInfo {
  readonly message: string
  readonly path: string
}

export type HookEventName = OpenEnum<"preModelRequest" | "postModelRequest" | "preToolUse" | "permissionRequest" | "postToolUse" | "preCompact" | "postCompact" | "sessionStart" | "sessionEnd" | "userPromptSubmit" | "subagentStart" | "subagentStop" | "stop" | "interrupt">

export type HookExecutionMode = OpenEnum<"sync" | "async">

export type HookHandlerType = OpenEnum<"command" | "mcpTool" | "prompt" | "agent">

export type HookMetadata =
  | { readonly handlerType: "command"; readonly additionalContextLimit?: number | null; readonly async?: boolean; readonly command: string; readonly currentHash: string; readonly displayOrder: number; readonly enabled: boolean; readonly environmentId?: string | null; readonly eventName: HookEventName; readonly isManaged: boolean; readonly key: string; readonly matcher?: string | null; readonly pluginId?: string | null; readonly source: HookSource; readonly sourcePath: AbsolutePathBuf; readonly statusMessage?: string | null; readonly timeoutSec: number; readonly trustStatus: HookTrustStatus }
  | { readonly handlerType: "mcpTool"; readonly additionalContextLimit?: number | null; readonly currentHash: string; readonly displayOrder: number; readonly enabled: boolean; readonly environmentId?: string | null; readonly eventName: HookEventName; readonly isManaged: boolean; readonly key: string; readonly matcher?: string | null; readonly pluginId?: string | null; readonly server: string; readonly source: HookSource; readonly sourcePath: AbsolutePathBuf; readonly statusMessage?: string | null; readonly timeoutSec: number; readonly tool: string; readonly trustStatus: HookTrustStatus }
  | { readonly handlerType: "prompt"; readonly additionalContextLimit?: number | null; readonly currentHash: string; readonly displayOrder: number; readonly enabled: boolean; readonly environmentId?: string | null; readonly eventName: HookEventName; readonly isManaged: boolean; readonly key: string; readonly matcher?: string | null; readonly pluginId?: string | null; readonly source: HookSource; readonly sourcePath: AbsolutePathBuf; readonly statusMessage?: string | null; readonly timeoutSec: number; readonly trustStatus: HookTrustStatus }
  | { readonly handlerType: "agent"; readonly additionalContextLimit?: number | null; readonly currentHash: string; readonly displayOrder: number; readonly enabled: boolean; readonly environmentId?: string | null; readonly eventName: HookEventName; readonly isManaged: boolean; readonly key: string; readonly matcher?: string | null; readonly pluginId?: string | null; readonly source: HookSource; readonly sourcePath: AbsolutePathBuf; readonly statusMessage?: string | null; readonly timeoutSec: number; readonly trustStatus: HookTrustStatus }
  | UnknownVariant<"handlerType">

export interface HookMigration {
  readonly name: string
}

export interface HookOutputEntry {
  readonly kind: HookOutputEntryKind
  readonly text: string
}

export type HookOutputEntryKind = OpenEnum<"warning" | "stop" | "feedback" | "context" | "error">

export interface HookPromptFragment {
  readonly hookRunId: string
  readonly text: string
}

export type HookRunStatus = OpenEnum<"running" | "completed" | "failed" | "blocked" | "stopped">

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
  readonly sourcePath: LegacyAppPathString
  readonly startedAt: number
  readonly status: HookRunStatus
  readonly statusMessage?: string | null
}

export type HookScope = OpenEnum<"thread" | "turn">

export type HookSource = OpenEnum<"system" | "user" | "project" | "mdm" | "sessionFlags" | "plugin" | "cloudRequirements" | "cloudManagedConfig" | "legacyManagedConfigFile" | "legacyManagedConfigMdm" | "unknown">

export interface HookStartedNotification {
  readonly run: HookRunSummary
  readonly threadId: string
  readonly turnId?: string | null
}

export type HookTrustStatus = OpenEnum<"managed" | "untrusted" | "trusted" | "modified">

export interface HooksListEntry {
  readonly cwd: string
  readonly errors: ReadonlyArray<HookErrorInfo>
  readonly hooks: ReadonlyArray<HookMetadata>
  readonly warnings: ReadonlyArray<string>
}

export interface HooksListParams {
  readonly cwds?: ReadonlyArray<string>
  readonly threadId?: string | null
}

export interface HooksListResponse {
  readonly data: ReadonlyArray<HooksListEntry>
}

export type ImageDetail = OpenEnum<"auto" | "low" | "high" | "original">

export type ImageGenerationFailure =
  | { readonly type: "usageLimitExceeded"; readonly limitId: string; readonly resetsAt?: number | null }
  | UnknownVariant<"type">

export interface ImageGenerationInputImage {
  readonly path: AbsolutePathBuf
  readonly sha256: string
}

export interface InAppBrowserRequirements {
  readonly allowExternalBrowserSettingsImport?: boolean | null
}

export interface InitializeCapabilities {
  readonly experimentalApi?: boolean
  readonly explicitGatewayOauth?: boolean
  readonly extensions?: { readonly [key: string]: unknown } | null
  readonly mcpServerOpenaiFormElicitation?: boolean
  readonly optOutNotificationMethods?: ReadonlyArray<string> | null
  readonly requestAttestation?: boolean
  readonly requiredHumanApproval?: boolean
}

export interface InitializeParams {
  readonly capabilities?: InitializeCapabilities | null
  readonly clientInfo: ClientInfo
}

export interface InitializeResponse {
  readonly codexHome?: AbsolutePathBuf
  readonly platformFamily?: string
  readonly platformOs?: string
  readonly userAgent: string
}

export type InputModality = OpenEnum<"text" | "image" | "audio">

export interface InstalledApp {
  readonly callable: boolean
  readonly enabled: boolean
  readonly id: string
  readonly runtimeName?: string | null
}

export interface InternalChatMessageMetadataPassthrough {
  readonly turn_id?: string | null
}

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

export interface JSONRPCError {
  readonly error: JSONRPCErrorError
  readonly id: RequestId
}

export interface JSONRPCErrorError {
  readonly code: number
  readonly data?: unknown
  readonly message: string
}

export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError

export interface JSONRPCNotification {
  readonly method: string
  readonly params?: unknown
}

export interface JSONRPCRequest {
  readonly id: RequestId
  readonly method: string
  readonly params?: unknown
  readonly trace?: W3cTraceContext | null
}

export interface JSONRPCResponse {
  readonly id: RequestId
  readonly result: unknown
}

export type LegacyAppPathString = string

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
  | UnknownVariant<"type">

export type LocalShellStatus = OpenEnum<"completed" | "in_progress" | "incomplete">

export type LoginAccountParams =
  | { readonly type: "apiKey"; readonly apiKey: string }
  | { readonly type: "chatgpt"; readonly appBrand?: LoginAppBrand | null; readonly codexStreamlinedLogin?: boolean; readonly useHostedLoginSuccessPage?: boolean }
  | { readonly type: "chatgptDeviceCode" }
  | { readonly type: "chatgptAuthTokens"; readonly accessToken: string; readonly chatgptAccountId: string; readonly chatgptPlanType?: string | null }
  | { readonly type: "amazonBedrock"; readonly apiKey: string; readonly region: string }
  | { readonly type: "amazonBedrockAccessKeys"; readonly accessKeyId: string; readonly region: string; readonly secretAccessKey: string; readonly sessionToken?: string | null }
  | UnknownVariant<"type">

export type LoginAccountResponse =
  | { readonly type: "apiKey" }
  | { readonly type: "chatgpt"; readonly authUrl: string; readonly loginId: string }
  | { readonly type: "chatgptDeviceCode"; readonly loginId: string; readonly userCode: string; readonly verificationUrl: string }
  | { readonly type: "chatgptAuthTokens" }
  | { readonly type: "amazonBedrock" }
  | UnknownVariant<"type">

export type LoginAppBrand = OpenEnum<"codex" | "chatgpt">

export type LogoutAccountResponse = { readonly [key: string]: never }

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

export interface MarketplaceAddParams {
  readonly refName?: string | null
  readonly source: string
  readonly sparsePaths?: ReadonlyArray<string> | null
}

export interface MarketplaceAddResponse {
  readonly alreadyAdded: boolean
  readonly installedRoot: AbsolutePathBuf
  readonly marketplaceName: string
}

export interface MarketplaceInterface {
  readonly displayName?: string | null
}

export interface MarketplaceLoadErrorInfo {
  readonly marketplacePath: AbsolutePathBuf
  readonly message: string
}

export interface MarketplaceRemoveParams {
  readonly marketplaceName: string
}

export interface MarketplaceRemoveResponse {
  readonly installedRoot?: AbsolutePathBuf | null
  readonly marketplaceName: string
}

export interface MarketplaceUpgradeErrorInfo {
  readonly marketplaceName: string
  readonly message: string
}

export interface MarketplaceUpgradeParams {
  readonly marketplaceName?: string | null
}

export interface MarketplaceUpgradeResponse {
  readonly errors: ReadonlyArray<MarketplaceUpgradeErrorInfo>
  readonly selectedMarketplaces: ReadonlyArray<string>
  readonly upgradedRoots: ReadonlyArray<AbsolutePathBuf>
}

export type McpAppDisplayMode = OpenEnum<"inline" | "fullscreen">

export interface McpAppUi {
  readonly preferredModelDisplayMode: McpAppDisplayMode
  readonly resourceUri: string
}

export type McpAuthStatus = OpenEnum<"unknown" | "unsupported" | "notLoggedIn" | "bearerToken" | "oAuth">

export type McpElicitationArrayType = OpenEnum<"array">

export interface McpElicitationBooleanSchema {
  readonly default?: boolean | null
  readonly description?: string | null
  readonly title?: string | null
  readonly type: McpElicitationBooleanType
}

export type McpElicitationBooleanType = OpenEnum<"boolean">

export interface McpElicitationConstOption {
  readonly const: string
  readonly title: string
}

export type McpElicitationEnumSchema =
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly enum: ReadonlyArray<string>; readonly title?: string | null }
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly oneOf: ReadonlyArray<McpElicitationConstOption>; readonly title?: string | null }
  | { readonly type: "array"; readonly default?: ReadonlyArray<string> | null; readonly description?: string | null; readonly items: McpElicitationUntitledEnumItems; readonly maxItems?: number | null; readonly minItems?: number | null; readonly title?: string | null }
  | { readonly type: "array"; readonly default?: ReadonlyArray<string> | null; readonly description?: string | null; readonly items: McpElicitationTitledEnumItems; readonly maxItems?: number | null; readonly minItems?: number | null; readonly title?: string | null }
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly enum: ReadonlyArray<string>; readonly enumNames?: ReadonlyArray<string> | null; readonly title?: string | null }
  | UnknownVariant<"type">

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
  | { readonly type: "array"; readonly default?: ReadonlyArray<string> | null; readonly description?: string | null; readonly items: McpElicitationTitledEnumItems; readonly maxItems?: number | null; readonly minItems?: number | null; readonly title?: string | null }
  | UnknownVariant<"type">

export interface McpElicitationNumberSchema {
  readonly default?: number | null
  readonly description?: string | null
  readonly maximum?: number | null
  readonly minimum?: number | null
  readonly title?: string | null
  readonly type: McpElicitationNumberType
}

export type McpElicitationNumberType = OpenEnum<"number" | "integer">

export type McpElicitationObjectType = OpenEnum<"object">

export type McpElicitationPrimitiveSchema =
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly enum: ReadonlyArray<string>; readonly title?: string | null }
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly oneOf: ReadonlyArray<McpElicitationConstOption>; readonly title?: string | null }
  | { readonly type: "array"; readonly default?: ReadonlyArray<string> | null; readonly description?: string | null; readonly items: McpElicitationUntitledEnumItems; readonly maxItems?: number | null; readonly minItems?: number | null; readonly title?: string | null }
  | { readonly type: "array"; readonly default?: ReadonlyArray<string> | null; readonly description?: string | null; readonly items: McpElicitationTitledEnumItems; readonly maxItems?: number | null; readonly minItems?: number | null; readonly title?: string | null }
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly enum: ReadonlyArray<string>; readonly enumNames?: ReadonlyArray<string> | null; readonly title?: string | null }
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly format?: McpElicitationStringFormat | null; readonly maxLength?: number | null; readonly minLength?: number | null; readonly title?: string | null }
  | { readonly type: "number" | "integer"; readonly default?: number | null; readonly description?: string | null; readonly maximum?: number | null; readonly minimum?: number | null; readonly title?: string | null }
  | { readonly type: "boolean"; readonly default?: boolean | null; readonly description?: string | null; readonly title?: string | null }
  | UnknownVariant<"type">

export interface McpElicitationSchema {
  readonly $schema?: string | null
  readonly properties: { readonly [key: string]: McpElicitationPrimitiveSchema }
  readonly required?: ReadonlyArray<string> | null
  readonly type: McpElicitationObjectType
}

export type McpElicitationSingleSelectEnumSchema =
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly enum: ReadonlyArray<string>; readonly title?: string | null }
  | { readonly type: "string"; readonly default?: string | null; readonly description?: string | null; readonly oneOf: ReadonlyArray<McpElicitationConstOption>; readonly title?: string | null }
  | UnknownVariant<"type">

export type McpElicitationStringFormat = OpenEnum<"email" | "uri" | "date" | "date-time">

export interface McpElicitationStringSchema {
  readonly default?: string | null
  readonly description?: string | null
  readonly format?: McpElicitationStringFormat | null
  readonly maxLength?: number | null
  readonly minLength?: number | null
  readonly title?: string | null
  readonly type: McpElicitationStringType
}

export type McpElicitationStringType = OpenEnum<"string">

export interface McpElicitationTitledEnumItems {
  readonly anyOf: ReadonlyArray<McpElicitationConstOption>
}

export interface McpElicitationTitledMultiSelectEnumSchema {
  readonly default?: ReadonlyArray<string> | null
  readonly description?: string | null
  readonly items: McpElicitationTitledEnumItems
  readonly maxItems?: number | null
  readonly minItems?: number | null
  readonly title?: string | null
  readonly type: McpElicitationArrayType
}

export interface McpElicitationTitledSingleSelectEnumSchema {
  readonly default?: string | null
  readonly description?: string | null
  readonly oneOf: ReadonlyArray<McpElicitationConstOption>
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

export interface McpResourceReadResponse {
  readonly contents: ReadonlyArray<ResourceContent>
  readonly originCallId?: string | null
}

export interface McpResourceReadTarget {
  readonly connectorId: string
  readonly linkId?: string | null
}

export type McpServerConnectionStatus = OpenEnum<"notStarted" | "starting" | "connected" | "authenticationRequired" | "failed" | "cancelled" | "disabled">

export type McpServerElicitationAction = OpenEnum<"accept" | "decline" | "cancel">

export type McpServerElicitationRequestParams =
  | { readonly mode: "openai/userVerification"; readonly _meta?: unknown; readonly challenge: string; readonly description: string; readonly environmentId?: string | null; readonly serverName: string; readonly threadId: string; readonly title: string; readonly turnId?: string | null }
  | { readonly mode: "form"; readonly _meta?: unknown; readonly environmentId?: string | null; readonly message: string; readonly requestedSchema: McpElicitationSchema; readonly serverName: string; readonly threadId: string; readonly turnId?: string | null }
  | { readonly mode: "openai/form"; readonly _meta?: unknown; readonly environmentId?: string | null; readonly message: string; readonly requestedSchema: unknown; readonly serverName: string; readonly threadId: string; readonly turnId?: string | null }
  | { readonly mode: "openaiForm"; readonly _meta?: unknown; readonly environmentId?: string | null; readonly message: string; readonly requestedSchema: unknown; readonly serverName: string; readonly threadId: string; readonly turnId?: string | null }
  | { readonly mode: "url"; readonly _meta?: unknown; readonly elicitationId: string; readonly environmentId?: string | null; readonly message: string; readonly serverName: string; readonly threadId: string; readonly turnId?: string | null; readonly url: string }
  | UnknownVariant<"mode">

export interface McpServerElicitationRequestResponse {
  readonly _meta?: unknown
  readonly action: McpServerElicitationAction
  readonly content?: unknown
}

export interface McpServerEventNotification {
  readonly method: string
  readonly params: unknown
}

export interface McpServerEventStreamNotification {
  readonly notification: McpServerEventNotification
  readonly subscriptionId: string
}

export interface McpServerEventStreamStartParams {
  readonly _meta?: unknown
  readonly arguments: unknown
  readonly name: string
  readonly server: string
  readonly subscriptionId: string
  readonly threadId: string
}

export type McpServerEventStreamStartResponse = { readonly [key: string]: never }

export interface McpServerEventStreamStopParams {
  readonly subscriptionId: string
}

export type McpServerEventStreamStopResponse = { readonly [key: string]: never }

export interface McpServerInfo {
  readonly description?: string | null
  readonly icons?: ReadonlyArray<unknown> | null
  readonly name: string
  readonly title?: string | null
  readonly version: string
  readonly websiteUrl?: string | null
}

export interface McpServerMigration {
  readonly name: string
}

export type McpServerOauthClientRegistration = OpenEnum<"auto" | "cimd" | "dcr">

export interface McpServerOauthLoginCompletedNotification {
  readonly error?: string | null
  readonly loginId?: string | null
  readonly name: string
  readonly success: boolean
  readonly threadId?: string | null
}

export interface McpServerOauthLoginParams {
  readonly clientRegistration?: McpServerOauthClientRegistration | null
  readonly environmentId?: string | null
  readonly name: string
  readonly scopes?: ReadonlyArray<string> | null
  readonly threadId?: string | null
  readonly timeoutSecs?: number | null
}

export interface McpServerOauthLoginResponse {
  readonly authorizationUrl: string
  readonly loginId?: string | null
}

export type McpServerRefreshResponse = { readonly [key: string]: never }

export type McpServerStartupFailureReason = OpenEnum<"reauthenticationRequired">

export type McpServerStartupState = OpenEnum<"starting" | "ready" | "failed" | "cancelled">

export interface McpServerStatus {
  readonly authStatus: McpAuthStatus
  readonly environmentId?: string | null
  readonly httpOrigin?: string | null
  readonly name: string
  readonly pluginId?: string | null
  readonly resourceTemplates: ReadonlyArray<ResourceTemplate>
  readonly resources: ReadonlyArray<Resource>
  readonly runtimeStatus?: McpServerConnectionStatus | null
  readonly serverCapabilities?: unknown
  readonly serverInfo?: McpServerInfo | null
  readonly toolListMeta?: unknown
  readonly tools: { readonly [key: string]: Tool }
  readonly toolsError?: string | null
}

export type McpServerStatusDetail = OpenEnum<"full" | "toolsAndAuthOnly">

export interface McpServerStatusUpdatedNotification {
  readonly environmentId?: string | null
  readonly error?: string | null
  readonly failureReason?: McpServerStartupFailureReason | null
  readonly name: string
  readonly status: McpServerStartupState
  readonly threadId?: string | null
}

export interface McpServerToolCallParams {
  readonly _meta?: unknown
  readonly arguments?: unknown
  readonly environmentId?: string | null
  readonly server: string
  readonly threadId: string
  readonly tool: string
}

export interface McpServerToolCallResponse {
  readonly _meta?: unknown
  readonly content: ReadonlyArray<unknown>
  readonly isError?: boolean | null
  readonly structuredContent?: unknown
}

export interface McpToolCallAppContext {
  readonly actionName?: string | null
  readonly appName?: string | null
  readonly connectorId: string
  readonly linkId?: string | null
  readonly resourceUri?: string | null
}

export interface McpToolCallError {
  readonly message: string
}

export interface McpToolCallProgressNotification {
  readonly itemId: string
  readonly message: string
  readonly threadId: string
  readonly turnId: string
}

export interface McpToolCallResult {
  readonly _meta?: unknown
  readonly content: ReadonlyArray<unknown>
  readonly structuredContent?: unknown
}

export type McpToolCallStatus = OpenEnum<"inProgress" | "completed" | "failed">

export interface MemoryCitation {
  readonly entries: ReadonlyArray<MemoryCitationEntry>
  readonly threadIds: ReadonlyArray<string>
}

export interface MemoryCitationEntry {
  readonly lineEnd: number
  readonly lineStart: number
  readonly note: string
  readonly path: string
}

export type MemoryResetResponse = { readonly [key: string]: never }

export interface MemoryStatusParams {
  readonly minConsolidatedThreads?: number | null
}

export interface MemoryStatusResponse {
  readonly v2ConsolidatedThreads: number
  readonly v2Ready: boolean
}

export type MergeStrategy = OpenEnum<"replace" | "upsert">

export type MessagePhase = OpenEnum<"commentary" | "partial_answer" | "final_answer">

export interface MigrationDetails {
  readonly commands?: ReadonlyArray<CommandMigration>
  readonly hooks?: ReadonlyArray<HookMigration>
  readonly mcpServers?: ReadonlyArray<McpServerMigration>
  readonly memory?: ReadonlyArray<string>
  readonly plugins?: ReadonlyArray<PluginsMigration>
  readonly sessions?: ReadonlyArray<SessionMigration>
  readonly skills?: ReadonlyArray<SkillMigration>
  readonly subagents?: ReadonlyArray<SubagentMigration>
}

export interface MisalignmentErrorDetails {
  readonly detailedExplanation?: string | null
  readonly errorType?: string | null
  readonly reviewTarget?: string | null
  readonly steer?: MisalignmentSteer | null
}

export interface MisalignmentSteer {
  readonly message: string
}

export interface MockExperimentalMethodParams {
  readonly value?: string | null
}

export interface MockExperimentalMethodResponse {
  readonly echoed?: string | null
}

export type ModeKind = OpenEnum<"plan" | "default">

export interface Model {
  readonly additionalSpeedTiers?: ReadonlyArray<string>
  readonly availabilityNux?: ModelAvailabilityNux | null
  readonly availableAccessPrograms?: ModelAccessPrograms | null
  readonly defaultReasoningEffort: ReasoningEffort
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
  readonly serviceTiers?: ReadonlyArray<ModelServiceTier>
  readonly supportedReasoningEfforts: ReadonlyArray<ReasoningEffortOption>
  readonly supportsPersonality?: boolean
  readonly upgrade?: string | null
  readonly upgradeInfo?: ModelUpgradeInfo | null
}

export interface ModelAccessPrograms {
  readonly cyber: ReadonlyArray<CyberAccessProgram>
}

export interface ModelAvailabilityNux {
  readonly message: string
}

export interface ModelListParams {
  readonly cursor?: string | null
  readonly includeHidden?: boolean | null
  readonly limit?: number | null
  readonly modelProvider?: string | null
}

export interface ModelListResponse {
  readonly data: ReadonlyArray<Model>
  readonly nextCursor?: string | null
}

export type ModelProviderCapabilitiesReadParams = { readonly [key: string]: never }

export interface ModelProviderCapabilitiesReadResponse {
  readonly imageGeneration: boolean
  readonly webSearch: boolean
}

export interface ModelProviderConfigWriteParams {
  readonly settings: ProviderSettingsPatch
}

export interface ModelProviderConfigWriteResponse {
  readonly provider: ModelProviderSummary
}

export interface ModelProviderDefaultSetParams {
  readonly providerId: string
}

export type ModelProviderError =
  | { readonly type: "modelProviderMismatch"; readonly currentModelProvider: string; readonly modelProvider: string }
  | { readonly type: "modelProviderNotConfigured"; readonly modelProvider: string }
  | { readonly type: "modelProviderPolicyConflict"; readonly modelProvider: string; readonly requiredModelProvider: string }
  | UnknownVariant<"type">

export type ModelProviderListParams = { readonly [key: string]: never }

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

export type ModelRerouteReason = OpenEnum<"highRiskCyberActivity">

export interface ModelReroutedNotification {
  readonly fromModel: string
  readonly reason: ModelRerouteReason
  readonly threadId: string
  readonly toModel: string
  readonly turnId: string
}

export interface ModelSafetyBufferingUpdatedNotification {
  readonly fasterModel?: string | null
  readonly model: string
  readonly reasons: ReadonlyArray<string>
  readonly showBufferingUi: boolean
  readonly threadId: string
  readonly turnId: string
  readonly useCases: ReadonlyArray<string>
}

export interface ModelServiceTier {
  readonly description: string
  readonly id: string
  readonly name: string
}

export interface ModelUpgradeInfo {
  readonly migrationMarkdown?: string | null
  readonly model: string
  readonly modelLink?: string | null
  readonly retirementAt?: number | null
  readonly upgradeCopy?: string | null
}

export type ModelVerification = OpenEnum<"trustedAccessForCyber">

export interface ModelVerificationNotification {
  readonly threadId: string
  readonly turnId: string
  readonly verifications: ReadonlyArray<ModelVerification>
}

export interface ModelsRequirements {
  readonly newThread?: NewThreadModelDefaults | null
}

export type MultiAgentMode = OpenEnum<"explicitRequestOnly" | "proactive"> | { readonly custom: string } | UnknownObject

export type MultiAgentVersion = OpenEnum<"disabled" | "v1" | "v2">

export type NetworkAccess = OpenEnum<"restricted" | "enabled">

export interface NetworkApprovalContext {
  readonly host: string
  readonly protocol: NetworkApprovalProtocol
}

export type NetworkApprovalProtocol = OpenEnum<"http" | "https" | "socks5Tcp" | "socks5Udp">

export type NetworkDomainPermission = OpenEnum<"allow" | "deny">

export interface NetworkPolicyAmendment {
  readonly action: NetworkPolicyRuleAction
  readonly host: string
}

export type NetworkPolicyRuleAction = OpenEnum<"allow" | "deny">

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

export type NetworkUnixSocketPermission = OpenEnum<"allow" | "deny">

export interface NewThreadModelDefaults {
  readonly model?: string | null
  readonly modelReasoningEffort?: ReasoningEffort | null
  readonly serviceTier?: string | null
}

export type NonSteerableTurnKind = OpenEnum<"review" | "compact">

export type NullableGatewayOAuthLoginParams = GatewayOAuthLoginParams | null

export type NullableGatewayOAuthReadParams = GatewayOAuthReadParams | null

export type NullableGetAccountRateLimitsParams = GetAccountRateLimitsParams | null

export type NullableGetAccountTokenUsageParams = GetAccountTokenUsageParams | null

export type NullableRemoteControlDisableParams = RemoteControlDisableParams | null

export type NullableRemoteControlEnableParams = RemoteControlEnableParams | null

export type OtelExporter = OpenEnum<"none" | "statsig"> | { readonly "otlp-http": { readonly endpoint: string; readonly headers: { readonly [key: string]: string }; readonly protocol: OtelHttpProtocol; readonly tls?: OtelTlsConfig | null } } | { readonly "otlp-grpc": { readonly endpoint: string; readonly headers: { readonly [key: string]: string }; readonly tls?: OtelTlsConfig | null } } | UnknownObject

export type OtelHttpProtocol = OpenEnum<"binary" | "json">

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
  readonly tool_result?: OtelToolResultLogConfig | null
  readonly trace_exporter?: OtelExporter | null
  readonly tracestate?: { readonly [key: string]: { readonly [key: string]: string } } | null
}

export interface OtelTlsConfig {
  readonly "ca-certificate"?: string | null
  readonly "client-certificate"?: string | null
  readonly "client-private-key"?: string | null
}

export interface OtelToolResultLogConfig {
  readonly max_bytes: number
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
  | UnknownVariant<"type">

export type PatchApplyStatus = OpenEnum<"inProgress" | "completed" | "failed" | "declined">

export type PatchChangeKind =
  | { readonly type: "add" }
  | { readonly type: "delete" }
  | { readonly type: "update"; readonly move_path?: string | null }
  | UnknownVariant<"type">

export type PathUri = string

export type PermissionGrantScope = OpenEnum<"turn" | "session">

export interface PermissionProfileListParams {
  readonly cursor?: string | null
  readonly cwd?: string | null
  readonly limit?: number | null
}

export interface PermissionProfileListResponse {
  readonly data: ReadonlyArray<PermissionProfileSummary>
  readonly nextCursor?: string | null
}

export interface PermissionProfileSummary {
  readonly allowed: boolean
  readonly description?: string | null
  readonly id: string
}

export interface PermissionsRequestApprovalParams {
  readonly cwd: LegacyAppPathString
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

export type Personality = OpenEnum<"none" | "friendly" | "pragmatic">

export interface PlanDeltaNotification {
  readonly delta: string
  readonly itemId: string
  readonly threadId: string
  readonly turnId: string
}

export type PlanType = OpenEnum<"free" | "go" | "plus" | "pro" | "prolite" | "promax" | "team" | "self_serve_business_prolite" | "self_serve_business_usage_based" | "business" | "ent26" | "enterprise_cbp_automation" | "enterprise_cbp_usage_based" | "enterprise" | "edu" | "edu_plus" | "edu_pro" | "sci" | "sci_plus" | "unknown">

export type PluginAuthPolicy = OpenEnum<"ON_INSTALL" | "ON_USE">

export type PluginAvailability = OpenEnum<"DISABLED_BY_ADMIN" | "AVAILABLE">

export interface PluginDetail {
  readonly appTemplates: ReadonlyArray<AppTemplateSummary>
  readonly apps: ReadonlyArray<AppSummary>
  readonly description?: string | null
  readonly hooks: ReadonlyArray<PluginHookSummary>
  readonly marketplaceName: string
  readonly marketplacePath?: AbsolutePathBuf | null
  readonly mcpServers: ReadonlyArray<string>
  readonly onboardingSkill?: SkillSummary | null
  readonly scheduledTasks?: ReadonlyArray<ScheduledTaskSummary> | null
  readonly shareUrl?: string | null
  readonly skills: ReadonlyArray<SkillSummary>
  readonly summary: PluginSummary
}

export type PluginDisabledReason = OpenEnum<"disabled_by_admin" | "plan_not_eligible" | "required_app_unavailable" | "unknown">

export interface PluginHookSummary {
  readonly eventName: HookEventName
  readonly key: string
}

export interface PluginInstallParams {
  readonly installAttemptId?: string | null
  readonly marketplacePath?: AbsolutePathBuf | null
  readonly pluginName: string
  readonly remoteMarketplaceName?: string | null
}

export type PluginInstallPolicy = OpenEnum<"NOT_AVAILABLE" | "AVAILABLE" | "INSTALLED_BY_DEFAULT">

export type PluginInstallPolicySource = OpenEnum<"WORKSPACE_SETTING" | "IMPLICIT_CANONICAL_APP">

export interface PluginInstallResponse {
  readonly appsNeedingAuth: ReadonlyArray<AppSummary>
  readonly authPolicy: PluginAuthPolicy
}

export interface PluginInstalledParams {
  readonly cwds?: ReadonlyArray<AbsolutePathBuf> | null
  readonly installSuggestionPluginNames?: ReadonlyArray<string> | null
}

export interface PluginInstalledResponse {
  readonly marketplaceLoadErrors?: ReadonlyArray<MarketplaceLoadErrorInfo>
  readonly marketplaces: ReadonlyArray<PluginMarketplaceEntry>
}

export interface PluginInterface {
  readonly brandColor?: string | null
  readonly capabilities: ReadonlyArray<string>
  readonly category?: string | null
  readonly composerIcon?: AbsolutePathBuf | null
  readonly composerIconUrl?: string | null
  readonly defaultPrompt?: ReadonlyArray<string> | null
  readonly developerName?: string | null
  readonly displayName?: string | null
  readonly logo?: AbsolutePathBuf | null
  readonly logoDark?: AbsolutePathBuf | null
  readonly logoUrl?: string | null
  readonly logoUrlDark?: string | null
  readonly longDescription?: string | null
  readonly privacyPolicyUrl?: string | null
  readonly screenshotUrls: ReadonlyArray<string>
  readonly screenshots: ReadonlyArray<AbsolutePathBuf>
  readonly shortDescription?: string | null
  readonly termsOfServiceUrl?: string | null
  readonly websiteUrl?: string | null
}

export type PluginListMarketplaceKind = OpenEnum<"local" | "vertical" | "workspace-directory" | "shared-with-me" | "created-by-me-remote">

export interface PluginListParams {
  readonly cwds?: ReadonlyArray<AbsolutePathBuf> | null
  readonly forceRefetch?: boolean
  readonly marketplaceKinds?: ReadonlyArray<PluginListMarketplaceKind> | null
}

export interface PluginListResponse {
  readonly featuredPluginIds?: ReadonlyArray<string>
  readonly marketplaceLoadErrors?: ReadonlyArray<MarketplaceLoadErrorInfo>
  readonly marketplaces: ReadonlyArray<PluginMarketplaceEntry>
}

export interface PluginMarketplaceEntry {
  readonly interface?: MarketplaceInterface | null
  readonly name: string
  readonly path?: AbsolutePathBuf | null
  readonly plugins: ReadonlyArray<PluginSummary>
}

export interface PluginReadParams {
  readonly marketplacePath?: AbsolutePathBuf | null
  readonly pluginName: string
  readonly remoteMarketplaceName?: string | null
}

export interface PluginReadResponse {
  readonly plugin: PluginDetail
}

export interface PluginReconcileChangedPlugin {
  readonly hasApps: boolean
  readonly hasHooks: boolean
  readonly hasMcps: boolean
  readonly hasSkills: boolean
  readonly id: string
}

export interface PluginReconcileParams {
  readonly reason?: string | null
}

export interface PluginReconcileResponse {
  readonly changedPlugins: ReadonlyArray<PluginReconcileChangedPlugin>
  readonly failedMaterializationRemotePluginIds: ReadonlyArray<string>
  readonly failedRemotePluginIds: ReadonlyArray<string>
}

export interface PluginSearchParams {
  readonly cursor?: string | null
  readonly cwds?: ReadonlyArray<AbsolutePathBuf> | null
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
  readonly marketplacePath?: AbsolutePathBuf | null
  readonly plugin: PluginSummary
}

export type PluginSearchScope = OpenEnum<"global" | "workspace" | "personal">

export interface PluginShareCheckoutParams {
  readonly remotePluginId: string
}

export interface PluginShareCheckoutResponse {
  readonly marketplaceName: string
  readonly marketplacePath: AbsolutePathBuf
  readonly pluginId: string
  readonly pluginName: string
  readonly pluginPath: AbsolutePathBuf
  readonly remotePluginId: string
  readonly remoteVersion?: string | null
}

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

export interface PluginShareDeleteParams {
  readonly remotePluginId: string
}

export type PluginShareDeleteResponse = { readonly [key: string]: never }

export type PluginShareDiscoverability = OpenEnum<"LISTED" | "UNLISTED" | "PRIVATE">

export interface PluginShareListItem {
  readonly localPluginPath?: AbsolutePathBuf | null
  readonly plugin: PluginSummary
}

export type PluginShareListParams = { readonly [key: string]: never }

export interface PluginShareListResponse {
  readonly data: ReadonlyArray<PluginShareListItem>
}

export interface PluginSharePrincipal {
  readonly name: string
  readonly principalId: string
  readonly principalType: PluginSharePrincipalType
  readonly role: PluginSharePrincipalRole
}

export type PluginSharePrincipalRole = OpenEnum<"reader" | "editor" | "owner">

export type PluginSharePrincipalType = OpenEnum<"user" | "group" | "workspace">

export interface PluginShareSaveParams {
  readonly discoverability?: PluginShareDiscoverability | null
  readonly pluginPath: AbsolutePathBuf
  readonly remotePluginId?: string | null
  readonly shareTargets?: ReadonlyArray<PluginShareTarget> | null
}

export interface PluginShareSaveResponse {
  readonly canPublishToWorkspace?: boolean | null
  readonly remotePluginId: string
  readonly shareUrl: string
}

export interface PluginShareTarget {
  readonly principalId: string
  readonly principalType: PluginSharePrincipalType
  readonly role: PluginShareTargetRole
}

export type PluginShareTargetRole = OpenEnum<"reader" | "editor">

export type PluginShareUpdateDiscoverability = OpenEnum<"UNLISTED" | "PRIVATE" | "LISTED">

export interface PluginShareUpdateTargetsParams {
  readonly discoverability: PluginShareUpdateDiscoverability
  readonly remotePluginId: string
  readonly shareTargets: ReadonlyArray<PluginShareTarget>
}

export interface PluginShareUpdateTargetsResponse {
  readonly discoverability: PluginShareDiscoverability
  readonly principals: ReadonlyArray<PluginSharePrincipal>
}

export interface PluginSkillReadParams {
  readonly remoteMarketplaceName: string
  readonly remotePluginId: string
  readonly skillName: string
}

export interface PluginSkillReadResponse {
  readonly contents?: string | null
}

export type PluginSource =
  | { readonly type: "local"; readonly path: AbsolutePathBuf }
  | { readonly type: "git"; readonly path?: string | null; readonly refName?: string | null; readonly sha?: string | null; readonly url: string }
  | { readonly type: "npm"; readonly package: string; readonly registry?: string | null; readonly version?: string | null }
  | { readonly type: "remote" }
  | UnknownVariant<"type">

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
  readonly interface?: PluginInterface | null
  readonly keywords?: ReadonlyArray<string>
  readonly localVersion?: string | null
  readonly mustShowInstallationInterstitial?: boolean | null
  readonly name: string
  readonly remotePluginId?: string | null
  readonly shareContext?: PluginShareContext | null
  readonly source: PluginSource
  readonly version?: string | null
}

export interface PluginUninstallParams {
  readonly pluginId: string
}

export type PluginUninstallResponse = { readonly [key: string]: never }

export interface PluginsMigration {
  readonly marketplaceName: string
  readonly pluginNames: ReadonlyArray<string>
}

export interface ProcessExitedNotification {
  readonly exitCode: number
  readonly outputDrainTimedOut?: boolean | null
  readonly processHandle: string
  readonly stderr: string
  readonly stderrCapReached: boolean
  readonly stdout: string
  readonly stdoutCapReached: boolean
}

export interface ProcessKillParams {
  readonly processHandle: string
}

export type ProcessKillResponse = { readonly [key: string]: never }

export interface ProcessOutputDeltaNotification {
  readonly capReached: boolean
  readonly deltaBase64: string
  readonly processHandle: string
  readonly stream: ProcessOutputStream
}

export type ProcessOutputStream = OpenEnum<"stdout" | "stderr">

export interface ProcessResizePtyParams {
  readonly processHandle: string
  readonly size: ProcessTerminalSize
}

export type ProcessResizePtyResponse = { readonly [key: string]: never }

export interface ProcessSpawnParams {
  readonly command: ReadonlyArray<string>
  readonly cwd: AbsolutePathBuf
  readonly env?: { readonly [key: string]: string | null } | null
  readonly outputBytesCap?: number | null
  readonly processHandle: string
  readonly size?: ProcessTerminalSize | null
  readonly streamStdin?: boolean
  readonly streamStdoutStderr?: boolean
  readonly timeoutMs?: number | null
  readonly tty?: boolean
}

export type ProcessSpawnResponse = { readonly [key: string]: never }

export interface ProcessTerminalSize {
  readonly cols: number
  readonly rows: number
}

export interface ProcessWriteStdinParams {
  readonly closeStdin?: boolean
  readonly deltaBase64?: string | null
  readonly processHandle: string
}

export type ProcessWriteStdinResponse = { readonly [key: string]: never }

export interface Project {
  readonly createdAt: number
  readonly id: string
  readonly metadata: { readonly [key: string]: string }
  readonly name: string
  readonly recencyAt?: number | null
  readonly roots: ReadonlyArray<ProjectRoot>
  readonly updatedAt: number
}

export type ProjectChangeType = OpenEnum<"created" | "updated" | "deleted">

export interface ProjectChangedNotification {
  readonly changeType: ProjectChangeType
  readonly projectId: string
}

export interface ProjectCreateParams {
  readonly idempotencyKey: string
  readonly metadata?: { readonly [key: string]: string } | null
  readonly name: string
  readonly roots: ReadonlyArray<ProjectRoot>
}

export interface ProjectCreateResponse {
  readonly project: Project
}

export interface ProjectDeleteParams {
  readonly projectId: string
}

export type ProjectDeleteResponse = { readonly [key: string]: never }

export interface ProjectImportParams {
  readonly idempotencyKey: string
  readonly metadata?: { readonly [key: string]: string } | null
  readonly name: string
  readonly roots: ReadonlyArray<ProjectRoot>
  readonly threads?: ReadonlyArray<string> | null
}

export interface ProjectImportResponse {
  readonly project: Project
}

export interface ProjectListParams {
  readonly cursor?: string | null
  readonly limit?: number | null
  readonly sortDirection?: SortDirection | null
  readonly sortKey?: ProjectSortKey | null
}

export interface ProjectListResponse {
  readonly data: ReadonlyArray<Project>
  readonly nextCursor?: string | null
}

export interface ProjectMoveParams {
  readonly beforeProjectId?: string | null
  readonly projectId: string
}

export type ProjectMoveResponse = { readonly [key: string]: never }

export interface ProjectReadParams {
  readonly projectId: string
}

export interface ProjectReadResponse {
  readonly project: Project
}

export interface ProjectRoot {
  readonly path: AbsolutePathBuf
}

export type ProjectSortKey = OpenEnum<"position" | "recencyAt">

export interface ProjectUpdateParams {
  readonly metadata?: { readonly [key: string]: string } | null
  readonly name?: string | null
  readonly projectId: string
  readonly roots?: ReadonlyArray<ProjectRoot> | null
}

export interface ProjectUpdateResponse {
  readonly project: Project
}

export type ProviderSettings =
  | { readonly type: "openai" }
  | { readonly type: "customGateway"; readonly auth: GatewayAuth }
  | { readonly type: "bedrock"; readonly profile?: string | null; readonly region?: string | null }
  | { readonly type: "gcp"; readonly credentialFile?: string | null; readonly location?: string | null; readonly projectId?: string | null }
  | UnknownVariant<"type">

export type ProviderSettingsPatch =
  | { readonly type: "customGateway"; readonly baseUrl?: string | null; readonly envKey?: string | null; readonly name?: string; readonly providerId?: string | null }
  | { readonly type: "bedrock"; readonly profile?: string | null; readonly providerId: BedrockProviderId; readonly region?: string | null }
  | { readonly type: "gcp"; readonly credentialFile?: string | null; readonly location?: string | null; readonly projectId?: string | null; readonly providerId: GcpProviderId }
  | UnknownVariant<"type">

export interface QueuedSubmission {
  readonly clientUserMessageId: string
  readonly id: string
  readonly input: ReadonlyArray<UserInput>
  readonly responsesapiClientMetadata?: { readonly [key: string]: string } | null
}

export type RateLimitReachedType = OpenEnum<"rate_limit_reached" | "workspace_owner_credits_depleted" | "workspace_member_credits_depleted" | "workspace_owner_usage_limit_reached" | "workspace_member_usage_limit_reached">

export interface RateLimitResetCredit {
  readonly description?: string | null
  readonly expiresAt?: number | null
  readonly grantedAt: number
  readonly id: string
  readonly resetType: RateLimitResetType
  readonly status: RateLimitResetCreditStatus
  readonly title?: string | null
}

export type RateLimitResetCreditStatus = OpenEnum<"available" | "redeeming" | "redeemed" | "unknown">

export interface RateLimitResetCreditsSummary {
  readonly availableCount: number
  readonly credits?: ReadonlyArray<RateLimitResetCredit> | null
}

export type RateLimitResetType = OpenEnum<"codexRateLimits" | "unknown">

export interface RateLimitSnapshot {
  readonly credits?: CreditsSnapshot | null
  readonly individualLimit?: SpendControlLimitSnapshot | null
  readonly limitId?: string | null
  readonly limitName?: string | null
  readonly normalModelSlug?: string | null
  readonly planType?: PlanType | null
  readonly primary?: RateLimitWindow | null
  readonly rateLimitReachedType?: RateLimitReachedType | null
  readonly secondary?: RateLimitWindow | null
  readonly spendControlReached?: boolean | null
}

export interface RateLimitWindow {
  readonly resetsAt?: number | null
  readonly usedPercent: number
  readonly windowDurationMins?: number | null
}

export interface RawResponseCompletedNotification {
  readonly responseId: string
  readonly threadId: string
  readonly turnId: string
  readonly usage?: TokenUsageBreakdown | null
  readonly usageMetadata?: ResponseUsageMetadata | null
}

export interface RawResponseItemCompletedNotification {
  readonly item: ResponseItem
  readonly threadId: string
  readonly turnId: string
}

export type RealtimeConversationVersion = OpenEnum<"v1" | "v2" | "v3">

export type RealtimeOutputModality = OpenEnum<"text" | "audio">

export type RealtimeVoice = OpenEnum<"alloy" | "arbor" | "ash" | "aube" | "ballad" | "breeze" | "bubbie" | "cedar" | "coral" | "cove" | "echo" | "ember" | "haetsal" | "hanul" | "himari" | "juniper" | "leher" | "maple" | "marin" | "miko" | "neer" | "porto" | "rindo" | "rio" | "rivage" | "sage" | "selva" | "shimmer" | "sol" | "sonna" | "spruce" | "tinta" | "vale" | "verse" | "viola">

export interface RealtimeVoicesList {
  readonly defaultV1: RealtimeVoice
  readonly defaultV2: RealtimeVoice
  readonly v1: ReadonlyArray<RealtimeVoice>
  readonly v2: ReadonlyArray<RealtimeVoice>
  readonly v3?: ReadonlyArray<RealtimeVoice>
}

export type ReasoningEffort = string

export interface ReasoningEffortOption {
  readonly description: string
  readonly reasoningEffort: ReasoningEffort
}

export type ReasoningItemContent =
  | { readonly type: "reasoning_text"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  | UnknownVariant<"type">

export type ReasoningItemReasoningSummary =
  | { readonly type: "summary_text"; readonly text: string }
  | UnknownVariant<"type">

export type ReasoningSummary = OpenEnum<"auto" | "concise" | "detailed" | "none">

export interface ReasoningSummaryPartAddedNotification {
  readonly itemId: string
  readonly summaryIndex: number
  readonly threadId: string
  readonly turnId: string
}

export interface ReasoningSummaryTextDeltaNotification {
  readonly delta: string
  readonly itemId: string
  readonly summaryIndex: number
  readonly threadId: string
  readonly turnId: string
}

export interface ReasoningTextDeltaNotification {
  readonly contentIndex: number
  readonly delta: string
  readonly itemId: string
  readonly threadId: string
  readonly turnId: string
}

export interface RemoteControlClient {
  readonly appVersion?: string | null
  readonly clientId: string
  readonly deviceModel?: string | null
  readonly deviceType?: string | null
  readonly displayName?: string | null
  readonly lastSeenAt?: number | null
  readonly osVersion?: string | null
  readonly platform?: string | null
}

export type RemoteControlClientsListOrder = OpenEnum<"asc" | "desc">

export interface RemoteControlClientsListParams {
  readonly cursor?: string | null
  readonly environmentId: string
  readonly limit?: number | null
  readonly order?: RemoteControlClientsListOrder | null
}

export interface RemoteControlClientsListResponse {
  readonly data: ReadonlyArray<RemoteControlClient>
  readonly nextCursor?: string | null
}

export interface RemoteControlClientsRevokeParams {
  readonly clientId: string
  readonly environmentId: string
}

export type RemoteControlClientsRevokeResponse = { readonly [key: string]: never }

export type RemoteControlConnectionStatus = OpenEnum<"disabled" | "connecting" | "connected" | "errored">

export interface RemoteControlDisableParams {
  readonly ephemeral?: boolean
}

export interface RemoteControlDisableResponse {
  readonly environmentId?: string | null
  readonly installationId: string
  readonly serverName: string
  readonly status: RemoteControlConnectionStatus
}

export interface RemoteControlEnableParams {
  readonly ephemeral?: boolean
}

export interface RemoteControlEnableResponse {
  readonly environmentId?: string | null
  readonly installationId: string
  readonly serverName: string
  readonly status: RemoteControlConnectionStatus
}

export interface RemoteControlPairingStartParams {
  readonly manualCode?: boolean
}

export interface RemoteControlPairingStartResponse {
  readonly environmentId: string
  readonly expiresAt: number
  readonly manualPairingCode?: string | null
  readonly pairingCode: string
}

export interface RemoteControlPairingStatusParams {
  readonly manualPairingCode?: string | null
  readonly pairingCode?: string | null
}

export interface RemoteControlPairingStatusResponse {
  readonly claimed: boolean
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

export interface RequestHeader {
  readonly name: string
  readonly value: string
}

export type RequestId = string | number

export interface RequestPermissionProfile {
  readonly fileSystem?: AdditionalFileSystemPermissions | null
  readonly network?: AdditionalNetworkPermissions | null
}

export type ResidencyRequirement = OpenEnum<"us">

export interface Resource {
  readonly _meta?: unknown
  readonly annotations?: unknown
  readonly description?: string | null
  readonly icons?: ReadonlyArray<unknown> | null
  readonly mimeType?: string | null
  readonly name: string
  readonly size?: number | null
  readonly title?: string | null
  readonly uri: string
}

export type ResourceContent = { readonly _meta?: unknown; readonly mimeType?: string | null; readonly text: string; readonly uri: string } | { readonly _meta?: unknown; readonly blob: string; readonly mimeType?: string | null; readonly uri: string }

export interface ResourceTemplate {
  readonly annotations?: unknown
  readonly description?: string | null
  readonly mimeType?: string | null
  readonly name: string
  readonly title?: string | null
  readonly uriTemplate: string
}

export type ResponseItem =
  | { readonly type: "additional_tools"; readonly id?: string | null; readonly role: string; readonly tools: ReadonlyArray<unknown> }
  | { readonly type: "message"; readonly content: ReadonlyArray<ContentItem>; readonly encrypted_content?: string | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough | null; readonly phase?: MessagePhase | null; readonly role: string; readonly status?: string | null }
  | { readonly type: "agent_message"; readonly author: string; readonly content: ReadonlyArray<AgentMessageInputContent>; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough | null; readonly recipient: string }
  | { readonly type: "reasoning"; readonly content?: ReadonlyArray<ReasoningItemContent> | null; readonly encrypted_content?: string | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough | null; readonly summary: ReadonlyArray<ReasoningItemReasoningSummary> }
  | { readonly type: "local_shell_call"; readonly action: LocalShellAction; readonly call_id?: string | null; readonly encrypted_content?: string | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough | null; readonly status: LocalShellStatus }
  | { readonly type: "function_call"; readonly arguments: string; readonly call_id: string; readonly encrypted_content?: string | null; readonly encrypted_function_args?: ReadonlyArray<string> | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough | null; readonly name: string; readonly namespace?: string | null; readonly status?: string | null }
  | { readonly type: "tool_search_call"; readonly arguments: unknown; readonly call_id?: string | null; readonly encrypted_content?: string | null; readonly execution: string; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough | null; readonly status?: string | null }
  | { readonly type: "function_call_output"; readonly call_id?: string | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough | null; readonly name?: string | null; readonly namespace?: string | null; readonly output: FunctionCallOutputBody }
  | { readonly type: "custom_tool_call"; readonly call_id: string; readonly encrypted_content?: string | null; readonly id?: string | null; readonly input: string; readonly internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough | null; readonly name: string; readonly namespace?: string | null; readonly status?: string | null }
  | { readonly type: "custom_tool_call_output"; readonly call_id: string; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough | null; readonly name?: string | null; readonly output: FunctionCallOutputBody }
  | { readonly type: "tool_search_output"; readonly call_id?: string | null; readonly execution: string; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough | null; readonly status: string; readonly tools: ReadonlyArray<unknown> }
  | { readonly type: "web_search_call"; readonly action?: ResponsesApiWebSearchAction | null; readonly encrypted_content?: string | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough | null; readonly status?: string | null }
  | { readonly type: "image_generation_call"; readonly encrypted_content?: string | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough | null; readonly result: string; readonly revised_prompt?: string | null; readonly status: string }
  | { readonly type: "compaction"; readonly encrypted_content: string; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough | null }
  | { readonly type: "configuration_update"; readonly reasoning: ConfigurationReasoning }
  | { readonly type: "compaction_trigger" }
  | { readonly type: "context_compaction"; readonly encrypted_content?: string | null; readonly id?: string | null; readonly internal_chat_message_metadata_passthrough?: InternalChatMessageMetadataPassthrough | null }
  | { readonly type: "other" }
  | UnknownVariant<"type">

export interface ResponseUsageMetadata {
  readonly amount?: string | null
  readonly metadata?: unknown
}

export type ResponsesApiWebSearchAction =
  | { readonly type: "search"; readonly queries?: ReadonlyArray<string> | null; readonly query?: string | null }
  | { readonly type: "open_page"; readonly url?: string | null }
  | { readonly type: "find_in_page"; readonly pattern?: string | null; readonly url?: string | null }
  | { readonly type: "other" }
  | UnknownVariant<"type">

export type ReviewDecision = OpenEnum<"approved" | "approved_for_session" | "approved_mcp_policy_amendment" | "timed_out" | "abort"> | { readonly approved_execpolicy_amendment: { readonly proposed_execpolicy_amendment: ReadonlyArray<string> } } | { readonly network_policy_amendment: { readonly network_policy_amendment: NetworkPolicyAmendment } } | { readonly denied: { readonly rejection: string } } | UnknownObject

export type ReviewDelivery = OpenEnum<"inline">

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
  | UnknownVariant<"type">

export type RolloutCompressResponse = { readonly [key: string]: never }

export type SandboxMode = OpenEnum<"read-only" | "workspace-write" | "danger-full-access">

export type SandboxPolicy =
  | { readonly type: "dangerFullAccess" }
  | { readonly type: "readOnly"; readonly networkAccess?: boolean }
  | { readonly type: "externalSandbox"; readonly networkAccess?: NetworkAccess }
  | { readonly type: "workspaceWrite"; readonly excludeSlashTmp?: boolean; readonly excludeTmpdirEnvVar?: boolean; readonly networkAccess?: boolean; readonly writableRoots?: ReadonlyArray<AbsolutePathBuf> }
  | UnknownVariant<"type">

export interface SandboxWorkspaceWrite {
  readonly exclude_slash_tmp?: boolean
  readonly exclude_tmpdir_env_var?: boolean
  readonly network_access?: boolean
  readonly writable_roots?: ReadonlyArray<string>
}

export type ScheduledTaskSchedule =
  | { readonly type: "hourly"; readonly days?: ReadonlyArray<ScheduledTaskWeekday> | null; readonly intervalHours: number }
  | { readonly type: "daily"; readonly time: string }
  | { readonly type: "weekdays"; readonly time: string }
  | { readonly type: "weekly"; readonly days: ReadonlyArray<ScheduledTaskWeekday>; readonly time: string }
  | UnknownVariant<"type">

export interface ScheduledTaskSummary {
  readonly key: string
  readonly name: string
  readonly prompt: string
  readonly schedule: ScheduledTaskSchedule
}

export type ScheduledTaskWeekday = OpenEnum<"MO" | "TU" | "WE" | "TH" | "FR" | "SA" | "SU">

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

export interface ServerDiagnosticsGauge {
  readonly name: string
  readonly value: number
}

export type ServerDiagnosticsParams = { readonly [key: string]: never }

export interface ServerDiagnosticsProcess {
  readonly id: number
  readonly physicalFootprintBytes?: number | null
  readonly residentMemoryBytes?: number | null
}

export interface ServerDiagnosticsResponse {
  readonly gauges: ReadonlyArray<ServerDiagnosticsGauge>
  readonly process: ServerDiagnosticsProcess
}

export interface ServerRequestResolvedNotification {
  readonly requestId: RequestId
  readonly threadId: string
}

export interface SessionMigration {
  readonly cwd: string
  readonly path: string
  readonly title?: string | null
}

export type SessionSource = OpenEnum<"cli" | "vscode" | "exec" | "appServer" | "unknown"> | { readonly custom: string } | { readonly subAgent: SubAgentSource } | UnknownObject

export interface Settings {
  readonly developer_instructions?: string | null
  readonly model: string
  readonly reasoning_effort?: ReasoningEffort | null
}

export interface SkillDependencies {
  readonly tools: ReadonlyArray<SkillToolDependency>
}

export interface SkillErrorInfo {
  readonly message: string
  readonly path: string
}

export interface SkillInterface {
  readonly brandColor?: string | null
  readonly defaultPrompt?: string | null
  readonly displayName?: string | null
  readonly iconLarge?: AbsolutePathBuf | null
  readonly iconLargeUrl?: string | null
  readonly iconSmall?: AbsolutePathBuf | null
  readonly iconSmallUrl?: string | null
  readonly shortDescription?: string | null
}

export interface SkillMetadata {
  readonly dependencies?: SkillDependencies | null
  readonly description: string
  readonly enabled: boolean
  readonly interface?: SkillInterface | null
  readonly name: string
  readonly path: LegacyAppPathString
  readonly pluginId?: string | null
  readonly scope: SkillScope
  readonly shortDescription?: string | null
}

export interface SkillMigration {
  readonly name: string
}

export type SkillScope = OpenEnum<"user" | "repo" | "system" | "admin">

export interface SkillSummary {
  readonly description: string
  readonly enabled: boolean
  readonly interface?: SkillInterface | null
  readonly name: string
  readonly path?: LegacyAppPathString | null
  readonly shortDescription?: string | null
}

export interface SkillToolDependency {
  readonly command?: string | null
  readonly description?: string | null
  readonly transport?: string | null
  readonly type: string
  readonly url?: string | null
  readonly value: string
}

export type SkillsChangedNotification = { readonly [key: string]: never }

export interface SkillsConfigWriteParams {
  readonly enabled: boolean
  readonly name?: string | null
  readonly path?: AbsolutePathBuf | null
}

export interface SkillsConfigWriteResponse {
  readonly effectiveEnabled: boolean
}

export interface SkillsExtraRootsSetParams {
  readonly extraRoots: ReadonlyArray<AbsolutePathBuf>
}

export type SkillsExtraRootsSetResponse = { readonly [key: string]: never }

export interface SkillsListEntry {
  readonly cwd: string
  readonly errors: ReadonlyArray<SkillErrorInfo>
  readonly skills: ReadonlyArray<SkillMetadata>
}

export interface SkillsListParams {
  readonly cwds?: ReadonlyArray<string>
  readonly forceReload?: boolean
}

export interface SkillsListResponse {
  readonly data: ReadonlyArray<SkillsListEntry>
}

export type SortDirection = OpenEnum<"asc" | "desc">

export interface SpendControlLimitSnapshot {
  readonly limit: string
  readonly remainingPercent: number
  readonly resetsAt: number
  readonly used: string
}

export interface StrictReviewRequiredNotification {
  readonly startedAtMs: number
  readonly threadId: string
  readonly turnId: string
}

export type SubAgentActivityKind = OpenEnum<"started" | "interacted" | "interrupted" | "completed">

export type SubAgentSource = OpenEnum<"review" | "compact" | "memory_consolidation"> | { readonly thread_spawn: { readonly agent_nickname?: string | null; readonly agent_path?: AgentPath | null; readonly agent_role?: string | null; readonly depth: number; readonly parent_thread_id: ThreadId } } | { readonly other: string } | UnknownObject

export interface SubagentMigration {
  readonly name: string
}

export interface TerminalInteractionNotification {
  readonly itemId: string
  readonly processId: string
  readonly stdin: string
  readonly threadId: string
  readonly turnId: string
}

export interface TextElement {
  readonly byteRange: ByteRange
  readonly placeholder?: string | null
}

export interface TextPosition {
  readonly column: number
  readonly line: number
}

export interface TextRange {
  readonly end: TextPosition
  readonly start: TextPosition
}

export interface Thread {
  readonly agentNickname?: string | null
  readonly agentRole?: string | null
  readonly attachedToThreadId?: string | null
  readonly canAcceptDirectInput?: boolean | null
  readonly cliVersion?: string
  readonly createdAt: number
  readonly cwd: AbsolutePathBuf
  readonly daybreakEnabled?: boolean | null
  readonly environments?: ReadonlyArray<ThreadEnvironment> | null
  readonly ephemeral?: boolean
  readonly extra?: ThreadExtra | null
  readonly forkedFromId?: string | null
  readonly gitInfo?: GitInfo | null
  readonly historyMode?: ThreadHistoryMode
  readonly id: string
  readonly model?: string | null
  readonly modelProvider: string
  readonly name?: string | null
  readonly originator?: string | null
  readonly parentThreadId?: string | null
  readonly path?: string | null
  readonly preview?: string
  readonly projectId?: string | null
  readonly reasoningEffort?: ReasoningEffort | null
  readonly recencyAt?: number | null
  readonly section?: ThreadSection | null
  readonly sectionEnteredAt?: number | null
  readonly sessionId?: string
  readonly source?: SessionSource
  readonly status: ThreadStatus
  readonly threadSource?: ThreadSource | null
  readonly turns: ReadonlyArray<Turn>
  readonly updatedAt: number
}

export type ThreadActiveFlag = OpenEnum<"waitingOnApproval" | "waitingOnUserInput">

export interface ThreadApproveGuardianDeniedActionParams {
  readonly event: unknown
  readonly threadId: string
}

export type ThreadApproveGuardianDeniedActionResponse = { readonly [key: string]: never }

export interface ThreadArchiveParams {
  readonly threadId: string
}

export type ThreadArchiveResponse = { readonly [key: string]: never }

export interface ThreadArchivedNotification {
  readonly threadId: string
}

export interface ThreadAttachment {
  readonly attachmentType: string
  readonly createdAt: number
  readonly id: string
  readonly identityKey: string
  readonly payload: unknown
}

export type ThreadAttachmentAddOutcome = OpenEnum<"created" | "existing">

export interface ThreadAttachmentAddParams {
  readonly attachmentType: string
  readonly identityKey: string
  readonly payload: unknown
  readonly threadId: string
}

export interface ThreadAttachmentAddResponse {
  readonly attachment: ThreadAttachment
  readonly outcome: ThreadAttachmentAddOutcome
}

export interface ThreadAttachmentListParams {
  readonly cursor?: string | null
  readonly limit?: number | null
  readonly threadId: string
}

export interface ThreadAttachmentListResponse {
  readonly data: ReadonlyArray<ThreadAttachment>
  readonly nextCursor?: string | null
}

export type ThreadAttachmentOperation = OpenEnum<"created" | "deleted">

export interface ThreadAttachmentOwner {
  readonly archived: boolean
  readonly threadId: string
}

export interface ThreadAttachmentOwnerListParams {
  readonly archived?: boolean | null
  readonly attachmentType: string
  readonly cursor?: string | null
  readonly identityKey: string
  readonly limit?: number | null
}

export interface ThreadAttachmentOwnerListResponse {
  readonly data: ReadonlyArray<ThreadAttachmentOwner>
  readonly nextCursor?: string | null
}

export interface ThreadAttachmentRemoveParams {
  readonly attachmentType: string
  readonly identityKey: string
  readonly threadId: string
}

export type ThreadAttachmentRemoveResponse = { readonly [key: string]: never }

export interface ThreadAttachmentUpdatedNotification {
  readonly attachmentId: string
  readonly attachmentType: string
  readonly identityKey: string
  readonly operation: ThreadAttachmentOperation
  readonly threadId: string
}

export interface ThreadBackgroundTerminal {
  readonly command: string
  readonly cpuPercent?: number | null
  readonly cwd: LegacyAppPathString
  readonly itemId: string
  readonly osPid?: number | null
  readonly processId: string
  readonly rssKb?: number | null
}

export interface ThreadBackgroundTerminalsCleanParams {
  readonly threadId: string
}

export type ThreadBackgroundTerminalsCleanResponse = { readonly [key: string]: never }

export interface ThreadBackgroundTerminalsListParams {
  readonly cursor?: string | null
  readonly limit?: number | null
  readonly threadId: string
}

export interface ThreadBackgroundTerminalsListResponse {
  readonly data: ReadonlyArray<ThreadBackgroundTerminal>
  readonly nextCursor?: string | null
}

export interface ThreadBackgroundTerminalsTerminateParams {
  readonly processId: string
  readonly threadId: string
}

export interface ThreadBackgroundTerminalsTerminateResponse {
  readonly terminated: boolean
}

export interface ThreadClosedNotification {
  readonly threadId: string
}

export interface ThreadCompactStartParams {
  readonly threadId: string
}

export type ThreadCompactStartResponse = { readonly [key: string]: never }

export interface ThreadDecrementElicitationParams {
  readonly threadId: string
}

export interface ThreadDecrementElicitationResponse {
  readonly count: number
  readonly paused: boolean
}

export interface ThreadDeleteParams {
  readonly threadId: string
}

export type ThreadDeleteResponse = { readonly [key: string]: never }

export interface ThreadDeletedNotification {
  readonly threadId: string
}

export interface ThreadEnvironment {
  readonly cwd: LegacyAppPathString
  readonly environmentId: string
  readonly runtimeWorkspaceRoots: ReadonlyArray<LegacyAppPathString>
}

export type ThreadExtra = { readonly [key: string]: never }

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
  readonly runtimeWorkspaceRoots?: ReadonlyArray<AbsolutePathBuf> | null
  readonly sandbox?: SandboxMode | null
  readonly serviceTier?: string | null
  readonly threadId: string
  readonly threadSource?: ThreadSource | null
}

export interface ThreadForkResponse {
  readonly activePermissionProfile?: ActivePermissionProfile | null
  readonly approvalPolicy: AskForApproval
  readonly approvalsReviewer?: ApprovalsReviewer
  readonly cwd: AbsolutePathBuf
  readonly disabledPluginIds?: ReadonlyArray<string>
  readonly instructionSources?: ReadonlyArray<LegacyAppPathString>
  readonly model: string
  readonly modelProvider: string
  readonly multiAgentMode?: MultiAgentMode
  readonly reasoningEffort?: ReasoningEffort | null
  readonly runtimeWorkspaceRoots?: ReadonlyArray<AbsolutePathBuf>
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

export interface ThreadGoalClearResponse {
  readonly cleared: boolean
}

export interface ThreadGoalClearedNotification {
  readonly threadId: string
}

export interface ThreadGoalGetParams {
  readonly threadId: string
}

export interface ThreadGoalGetResponse {
  readonly goal?: ThreadGoal | null
}

export type ThreadGoalMutationOrigin = OpenEnum<"user" | "automatic">

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

export type ThreadGoalStatus = OpenEnum<"active" | "paused" | "blocked" | "usageLimited" | "budgetLimited" | "complete">

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

export interface ThreadGuardianReviewParams {
  readonly threadId: string
}

export interface ThreadGuardianReviewResponse {
  readonly assessment?: ThreadGuardianAssessment | null
  readonly callId: string
}

export type ThreadHistoryMode = OpenEnum<"legacy" | "paginated">

export type ThreadId = string

export interface ThreadIncrementElicitationParams {
  readonly threadId: string
}

export interface ThreadIncrementElicitationResponse {
  readonly count: number
  readonly paused: boolean
}

export interface ThreadInjectItemsParams {
  readonly items: ReadonlyArray<unknown>
  readonly threadId: string
}

export type ThreadInjectItemsResponse = { readonly [key: string]: never }

export type ThreadItem =
  | { readonly type: "userMessage"; readonly clientId?: string | null; readonly completedAtMs?: number | null; readonly content: ReadonlyArray<UserInput>; readonly id: string; readonly startedAtMs?: number | null }
  | { readonly type: "hookPrompt"; readonly completedAtMs?: number | null; readonly fragments: ReadonlyArray<HookPromptFragment>; readonly id: string; readonly startedAtMs?: number | null }
  | { readonly type: "agentMessage"; readonly completedAtMs?: number | null; readonly delivery?: AgentMessageDelivery | null; readonly id: string; readonly memoryCitation?: MemoryCitation | null; readonly moderation?: AgentMessageModeration | null; readonly phase?: MessagePhase | null; readonly questions?: ReadonlyArray<AsyncUserInputQuestion> | null; readonly startedAtMs?: number | null; readonly text: string }
  | { readonly type: "functionCallOutput"; readonly completedAtMs?: number | null; readonly id: string; readonly name: string; readonly namespace?: string | null; readonly output: FunctionCallOutputBody; readonly startedAtMs?: number | null }
  | { readonly type: "plan"; readonly completedAtMs?: number | null; readonly id: string; readonly startedAtMs?: number | null; readonly text: string }
  | { readonly type: "reasoning"; readonly completedAtMs?: number | null; readonly content?: ReadonlyArray<string>; readonly id: string; readonly startedAtMs?: number | null; readonly summary?: ReadonlyArray<string> }
  | { readonly type: "commandExecution"; readonly aggregatedOutput?: string | null; readonly command: string; readonly commandActions: ReadonlyArray<CommandAction>; readonly completedAtMs?: number | null; readonly cwd: LegacyAppPathString; readonly durationMs?: number | null; readonly exitCode?: number | null; readonly id: string; readonly pluginId?: string | null; readonly processId?: string | null; readonly scriptPath?: string | null; readonly source?: CommandExecutionSource; readonly startedAtMs?: number | null; readonly status: CommandExecutionStatus }
  | { readonly type: "fileChange"; readonly changes: ReadonlyArray<FileUpdateChange>; readonly completedAtMs?: number | null; readonly id: string; readonly startedAtMs?: number | null; readonly status: PatchApplyStatus }
  | { readonly type: "mcpToolCall"; readonly appContext?: McpToolCallAppContext | null; readonly arguments: unknown; readonly completedAtMs?: number | null; readonly durationMs?: number | null; readonly environmentId?: string | null; readonly error?: McpToolCallError | null; readonly id: string; readonly mcpAppResourceUri?: string | null; readonly mcpAppUi?: McpAppUi | null; readonly pluginId?: string | null; readonly readOnlyHint?: boolean | null; readonly result?: McpToolCallResult | null; readonly server: string; readonly startedAtMs?: number | null; readonly status: McpToolCallStatus; readonly tool: string }
  | { readonly type: "dynamicToolCall"; readonly arguments: unknown; readonly completedAtMs?: number | null; readonly contentItems?: ReadonlyArray<DynamicToolCallOutputContentItem> | null; readonly durationMs?: number | null; readonly id: string; readonly namespace?: string | null; readonly startedAtMs?: number | null; readonly status: DynamicToolCallStatus; readonly success?: boolean | null; readonly tool: string }
  | { readonly type: "collabAgentToolCall"; readonly agentsStates: { readonly [key: string]: CollabAgentState }; readonly completedAtMs?: number | null; readonly id: string; readonly model?: string | null; readonly prompt?: string | null; readonly reasoningEffort?: ReasoningEffort | null; readonly receiverThreadIds: ReadonlyArray<string>; readonly senderThreadId: string; readonly startedAtMs?: number | null; readonly status: CollabAgentToolCallStatus; readonly tool: CollabAgentTool }
  | { readonly type: "subAgentActivity"; readonly agentPath: string; readonly agentThreadId: string; readonly completedAtMs?: number | null; readonly id: string; readonly kind: SubAgentActivityKind; readonly model?: string | null; readonly reasoningEffort?: ReasoningEffort | null; readonly startedAtMs?: number | null }
  | { readonly type: "webSearch"; readonly action?: WebSearchAction | null; readonly completedAtMs?: number | null; readonly id: string; readonly query: string; readonly results?: ReadonlyArray<unknown> | null; readonly startedAtMs?: number | null }
  | { readonly type: "imageView"; readonly completedAtMs?: number | null; readonly id: string; readonly path: LegacyAppPathString; readonly startedAtMs?: number | null }
  | { readonly type: "sleep"; readonly completedAtMs?: number | null; readonly durationMs: number; readonly id: string; readonly startedAtMs?: number | null }
  | { readonly type: "imageGeneration"; readonly completedAtMs?: number | null; readonly failure?: ImageGenerationFailure | null; readonly fileId: string; readonly generationId?: string | null; readonly id: string; readonly inputImages?: ReadonlyArray<ImageGenerationInputImage>; readonly revisedPrompt?: string | null; readonly savedPath?: AbsolutePathBuf | null; readonly startedAtMs?: number | null; readonly status: string; readonly transparentBackground?: boolean | null }
  | { readonly type: "imageGeneration"; readonly completedAtMs?: number | null; readonly failure?: ImageGenerationFailure | null; readonly generationId?: string | null; readonly id: string; readonly inputImages?: ReadonlyArray<ImageGenerationInputImage>; readonly result: string; readonly revisedPrompt?: string | null; readonly savedPath?: AbsolutePathBuf | null; readonly startedAtMs?: number | null; readonly status: string; readonly transparentBackground?: boolean | null }
  | { readonly type: "enteredReviewMode"; readonly completedAtMs?: number | null; readonly id: string; readonly review: string; readonly startedAtMs?: number | null }
  | { readonly type: "exitedReviewMode"; readonly completedAtMs?: number | null; readonly id: string; readonly review: string; readonly startedAtMs?: number | null }
  | { readonly type: "contextCompaction"; readonly completedAtMs?: number | null; readonly id: string; readonly startedAtMs?: number | null }
  | UnknownVariant<"type">

export interface ThreadItemEntry {
  readonly completedAtMs?: number | null
  readonly item: ThreadItem
  readonly outputDeferred?: boolean
  readonly startedAtMs?: number | null
  readonly turnId: string
}

export interface ThreadItemOutputDeferral {
  readonly commandExecution?: boolean
  readonly mcpToolCall?: boolean
}

export type ThreadItemsListAnchor =
  | { readonly type: "item"; readonly itemId: string }
  | UnknownVariant<"type">

export type ThreadItemsListCursor = string | ThreadItemsListAnchor

export interface ThreadItemsListParams {
  readonly cursor?: ThreadItemsListCursor | null
  readonly deferOutput?: ThreadItemOutputDeferral | null
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

export interface ThreadItemsReadParams {
  readonly itemIds: ReadonlyArray<string>
  readonly threadId: string
  readonly turnId: string
}

export interface ThreadItemsReadResponse {
  readonly data: ReadonlyArray<ThreadItemEntry>
}

export type ThreadListCwdFilter = string | ReadonlyArray<string>

export interface ThreadListParams {
  readonly ancestorThreadId?: string | null
  readonly archived?: boolean | null
  readonly attachedToThreadId?: string | null
  readonly currentAccountOnly?: boolean
  readonly cursor?: string | null
  readonly cwd?: ThreadListCwdFilter | null
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

export interface ThreadLoadedListParams {
  readonly cursor?: string | null
  readonly limit?: number | null
}

export interface ThreadLoadedListResponse {
  readonly data: ReadonlyArray<string>
  readonly nextCursor?: string | null
}

export type ThreadMemoryMode = OpenEnum<"enabled" | "disabled">

export interface ThreadMemoryModeSetParams {
  readonly mode: ThreadMemoryMode
  readonly threadId: string
}

export type ThreadMemoryModeSetResponse = { readonly [key: string]: never }

export interface ThreadMemoryReadParams {
  readonly threadId: string
}

export interface ThreadMemoryReadResponse {
  readonly summary?: string | null
}

export interface ThreadMetadataGitInfoUpdateParams {
  readonly branch?: string | null
  readonly originUrl?: string | null
  readonly sha?: string | null
}

export interface ThreadMetadataUpdateParams {
  readonly daybreakEnabled?: boolean | null
  readonly gitInfo?: ThreadMetadataGitInfoUpdateParams | null
  readonly projectId?: string | null
  readonly threadId: string
}

export interface ThreadMetadataUpdateResponse {
  readonly thread: Thread
}

export interface ThreadNameUpdatedNotification {
  readonly threadId: string
  readonly threadName?: string | null
}

export interface ThreadPredictionRequestParams {
  readonly sourceTurnId: string
  readonly threadId: string
}

export type ThreadPredictionRequestResponse = { readonly [key: string]: never }

export type ThreadPredictionResult =
  | { readonly type: "completed"; readonly text?: string | null }
  | { readonly type: "failed" }
  | UnknownVariant<"type">

export interface ThreadPredictionUpdatedNotification {
  readonly result: ThreadPredictionResult
  readonly sourceTurnId: string
  readonly threadId: string
}

export interface ThreadPrepareApprovedPlanParams {
  readonly attachmentPath?: string | null
  readonly markdown: string
  readonly threadId: string
}

export interface ThreadPrepareApprovedPlanResponse {
  readonly prompt: string
}

export interface ThreadProjectUpdatedNotification {
  readonly projectId?: string | null
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

export interface ThreadQueueChangedNotification {
  readonly threadId: string
}

export interface ThreadQueueDeleteParams {
  readonly queuedSubmissionId: string
  readonly threadId: string
}

export interface ThreadQueueDeleteResponse {
  readonly deleted: boolean
}

export interface ThreadQueueListParams {
  readonly cursor?: string | null
  readonly limit?: number | null
  readonly threadId: string
}

export interface ThreadQueueListResponse {
  readonly data: ReadonlyArray<QueuedSubmission>
  readonly nextCursor?: string | null
}

export interface ThreadQueueReorderParams {
  readonly queuedSubmissionIds: ReadonlyArray<string>
  readonly threadId: string
}

export type ThreadQueueReorderResponse = { readonly [key: string]: never }

export interface ThreadQueueStartParams {
  readonly queuedSubmissionId?: string | null
  readonly threadId: string
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

export interface ThreadReadParams {
  readonly includeTurns?: boolean
  readonly threadId: string
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
  | UnknownVariant<"type">

export interface ThreadReadStateUpdateParams {
  readonly expectedRevision: string
  readonly operation: ThreadReadStateOperation
  readonly threadId: string
}

export interface ThreadReadStateUpdateResponse {
  readonly readState: ThreadReadState
}

export interface ThreadRealtimeAppendAudioParams {
  readonly audio: ThreadRealtimeAudioChunk
  readonly threadId: string
}

export type ThreadRealtimeAppendAudioResponse = { readonly [key: string]: never }

export interface ThreadRealtimeAppendSpeechParams {
  readonly text: string
  readonly threadId: string
}

export type ThreadRealtimeAppendSpeechResponse = { readonly [key: string]: never }

export interface ThreadRealtimeAppendTextParams {
  readonly role?: ConversationTextRole
  readonly text: string
  readonly threadId: string
}

export type ThreadRealtimeAppendTextResponse = { readonly [key: string]: never }

export interface ThreadRealtimeAudioChunk {
  readonly data: string
  readonly itemId?: string | null
  readonly numChannels: number
  readonly sampleRate: number
  readonly samplesPerChannel?: number | null
}

export type ThreadRealtimeBemItemPresentation =
  | { readonly type: "wholeItem" }
  | { readonly type: "inlineMarkdown" }
  | { readonly type: "inlineVisualization"; readonly index: number }
  | UnknownVariant<"type">

export interface ThreadRealtimeClosedNotification {
  readonly reason?: string | null
  readonly threadId: string
}

export type ThreadRealtimeCoverage = OpenEnum<"unsupported" | "pending" | "ready">

export interface ThreadRealtimeEntry {
  readonly item: ThreadRealtimeItem
  readonly position: number
}

export interface ThreadRealtimeErrorNotification {
  readonly message: string
  readonly threadId: string
}

export interface ThreadRealtimeFrameChannels {
  readonly voice_transcript: ThreadRealtimeVoiceTranscript
}

export type ThreadRealtimeHandoffMode = OpenEnum<"start" | "steer">

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
  | UnknownVariant<"type">

export interface ThreadRealtimeItemAddedNotification {
  readonly item: unknown
  readonly threadId: string
}

export interface ThreadRealtimeItemCompletedNotification {
  readonly item: ThreadRealtimeItem
  readonly threadId: string
}

export interface ThreadRealtimeItemStartedNotification {
  readonly item: ThreadRealtimeItem
  readonly threadId: string
}

export interface ThreadRealtimeItemTranscriptDeltaNotification {
  readonly delta: string
  readonly itemId: string
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

export type ThreadRealtimeListVoicesParams = { readonly [key: string]: never }

export interface ThreadRealtimeListVoicesResponse {
  readonly voices: RealtimeVoicesList
}

export type ThreadRealtimeOrder = OpenEnum<"observedAt" | "position">

export interface ThreadRealtimeOutputAudioDeltaNotification {
  readonly audio: ThreadRealtimeAudioChunk
  readonly threadId: string
}

export interface ThreadRealtimeSdpNotification {
  readonly sdp: string
  readonly threadId: string
}

export type ThreadRealtimeSessionOutcome = OpenEnum<"ended" | "failed">

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

export type ThreadRealtimeStartResponse = { readonly [key: string]: never }

export type ThreadRealtimeStartTransport =
  | { readonly type: "websocket" }
  | { readonly type: "webrtc"; readonly sdp: string }
  | { readonly type: "existingCall"; readonly callId: string }
  | UnknownVariant<"type">

export interface ThreadRealtimeStartedNotification {
  readonly realtimeSessionId?: string | null
  readonly threadId: string
  readonly version: RealtimeConversationVersion
}

export interface ThreadRealtimeStopParams {
  readonly threadId: string
}

export type ThreadRealtimeStopResponse = { readonly [key: string]: never }

export interface ThreadRealtimeTranscriptDeltaNotification {
  readonly delta: string
  readonly role: string
  readonly threadId: string
}

export interface ThreadRealtimeTranscriptDoneNotification {
  readonly role: string
  readonly text: string
  readonly threadId: string
}

export type ThreadRealtimeTranscriptRole = OpenEnum<"user" | "assistant">

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
  readonly runtimeWorkspaceRoots?: ReadonlyArray<AbsolutePathBuf> | null
  readonly sandbox?: SandboxMode | null
  readonly serviceTier?: string | null
  readonly threadId: string
}

export interface ThreadResumeResponse {
  readonly activePermissionProfile?: ActivePermissionProfile | null
  readonly approvalPolicy: AskForApproval
  readonly approvalsReviewer?: ApprovalsReviewer
  readonly collaborationMode?: CollaborationMode | null
  readonly cwd: AbsolutePathBuf
  readonly disabledPluginIds?: ReadonlyArray<string>
  readonly initialTurnsPage?: TurnsPage | null
  readonly instructionSources?: ReadonlyArray<LegacyAppPathString>
  readonly itemsBackwardsCursor?: string | null
  readonly model: string
  readonly modelProvider: string
  readonly multiAgentMode?: MultiAgentMode
  readonly reasoningEffort?: ReasoningEffort | null
  readonly runtimeWorkspaceRoots?: ReadonlyArray<AbsolutePathBuf>
  readonly sandbox: SandboxPolicy
  readonly serviceTier?: string | null
  readonly thread: Thread
  readonly turnsBackwardsCursor?: string | null
}

export interface ThreadRevertParams {
  readonly beforeTurnId: string
  readonly threadId: string
}

export interface ThreadRevertResponse {
  readonly itemsBackwardsCursor?: string | null
  readonly thread: Thread
  readonly turnsBackwardsCursor?: string | null
}

export interface ThreadRevertedNotification {
  readonly threadId: string
}

export interface ThreadSampleCancelParams {
  readonly requestId: RequestId
}

export type ThreadSampleCancelResponse = { readonly [key: string]: never }

export interface ThreadSampleParams {
  readonly allowInProgressTurn?: boolean
  readonly disableMcp?: boolean
  readonly effort?: ReasoningEffort | null
  readonly expectedTurnId: string
  readonly interruptOnCancel?: boolean | null
  readonly prompt: string
  readonly responsesapiClientMetadata?: { readonly [key: string]: string } | null
  readonly threadId: string
  readonly threadSource?: ThreadSource | null
  readonly turnTrigger?: string | null
}

export interface ThreadSampleResponse {
  readonly cachedInputTokens?: number | null
  readonly inputTokens?: number | null
  readonly outputTokens?: number | null
  readonly responseId: string
  readonly sourceTurnId: string
  readonly text?: string | null
}

export interface ThreadSearchCancelParams {
  readonly requestId: RequestId
}

export type ThreadSearchCancelResponse = { readonly [key: string]: never }

export interface ThreadSearchOccurrence {
  readonly itemId: string
  readonly snippet: string
  readonly snippetMatchRange: ThreadSearchTextRange
  readonly turnCursor: string
  readonly turnId: string
}

export interface ThreadSearchOccurrencesParams {
  readonly cursor?: string | null
  readonly limit?: number | null
  readonly searchTerm: string
  readonly threadId: string
}

export interface ThreadSearchOccurrencesResponse {
  readonly data: ReadonlyArray<ThreadSearchOccurrence>
  readonly nextCursor?: string | null
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
  readonly requestId: RequestId
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

export type ThreadSearchSortKey = OpenEnum<"created_at" | "updated_at" | "recency_at">

export interface ThreadSearchTextRange {
  readonly end: number
  readonly start: number
}

export interface ThreadSection {
  readonly appearance?: ThreadSectionAppearance | null
  readonly id: string
  readonly name: string
}

export interface ThreadSectionAppearance {
  readonly color?: string | null
  readonly icon?: string | null
}

export interface ThreadSectionChangedNotification {
  readonly sectionId?: string | null
  readonly threadId: string
}

export interface ThreadSectionCreateParams {
  readonly appearance?: ThreadSectionAppearance | null
  readonly name: string
}

export interface ThreadSectionCreateResponse {
  readonly section: ThreadSection
}

export interface ThreadSectionDeleteParams {
  readonly sectionId: string
}

export type ThreadSectionDeleteResponse = { readonly [key: string]: never }

export interface ThreadSectionListParams {
  readonly cursor?: string | null
  readonly limit?: number | null
}

export interface ThreadSectionListResponse {
  readonly data: ReadonlyArray<ThreadSection>
  readonly nextCursor?: string | null
}

export interface ThreadSectionMoveParams {
  readonly beforeThreadId?: string | null
  readonly sectionId?: string | null
  readonly threadId: string
}

export type ThreadSectionMoveResponse = { readonly [key: string]: never }

export interface ThreadSectionUpdateParams {
  readonly appearance?: ThreadSectionAppearance | null
  readonly name: string
  readonly sectionId: string
}

export interface ThreadSectionUpdateResponse {
  readonly section: ThreadSection
}

export interface ThreadSetNameParams {
  readonly name: string
  readonly threadId: string
}

export type ThreadSetNameResponse = { readonly [key: string]: never }

export interface ThreadSettings {
  readonly activePermissionProfile?: ActivePermissionProfile | null
  readonly approvalPolicy: AskForApproval
  readonly approvalsReviewer: ApprovalsReviewer
  readonly collaborationMode: CollaborationMode
  readonly cwd: AbsolutePathBuf
  readonly disabledPluginIds?: ReadonlyArray<string>
  readonly effort?: ReasoningEffort | null
  readonly environments?: ReadonlyArray<ThreadEnvironment> | null
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
  readonly effort?: ReasoningEffort | null
  readonly environments?: ReadonlyArray<TurnEnvironmentParams> | null
  readonly model?: string | null
  readonly multiAgentMode?: MultiAgentMode | null
  readonly permissions?: string | null
  readonly personality?: Personality | null
  readonly sandboxPolicy?: SandboxPolicy | null
  readonly serviceTier?: string | null
  readonly summary?: ReasoningSummary | null
  readonly threadId: string
}

export type ThreadSettingsUpdateResponse = { readonly [key: string]: never }

export interface ThreadSettingsUpdatedNotification {
  readonly threadId: string
  readonly threadSettings: ThreadSettings
}

export interface ThreadShellCommandParams {
  readonly command: string
  readonly threadId: string
  readonly timeoutMs?: number | null
}

export type ThreadShellCommandResponse = { readonly [key: string]: never }

export type ThreadSortKey = OpenEnum<"created_at" | "updated_at" | "recency_at" | "section_position">

export type ThreadSource = string

export type ThreadSourceKind = OpenEnum<"cli" | "vscode" | "exec" | "appServer" | "subAgent" | "subAgentReview" | "subAgentCompact" | "subAgentThreadSpawn" | "subAgentOther" | "unknown">

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
  readonly environments?: ReadonlyArray<TurnEnvironmentParams> | null
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
  readonly runtimeWorkspaceRoots?: ReadonlyArray<AbsolutePathBuf> | null
  readonly sandbox?: SandboxMode | null
  readonly selectedCapabilityRoots?: ReadonlyArray<SelectedCapabilityRoot> | null
  readonly serviceName?: string | null
  readonly serviceTier?: string | null
  readonly sessionStartSource?: ThreadStartSource | null
  readonly threadSource?: ThreadSource | null
}

export interface ThreadStartResponse {
  readonly activePermissionProfile?: ActivePermissionProfile | null
  readonly approvalPolicy: AskForApproval
  readonly approvalsReviewer?: ApprovalsReviewer
  readonly cwd: AbsolutePathBuf
  readonly disabledPluginIds?: ReadonlyArray<string>
  readonly instructionSources?: ReadonlyArray<LegacyAppPathString>
  readonly model: string
  readonly modelProvider: string
  readonly multiAgentMode?: MultiAgentMode
  readonly reasoningEffort?: ReasoningEffort | null
  readonly runtimeWorkspaceRoots?: ReadonlyArray<AbsolutePathBuf>
  readonly sandbox: SandboxPolicy
  readonly serviceTier?: string | null
  readonly thread: Thread
}

export type ThreadStartSource = OpenEnum<"startup" | "clear">

export interface ThreadStartedNotification {
  readonly thread: Thread
}

export type ThreadStatus =
  | { readonly type: "notLoaded" }
  | { readonly type: "idle" }
  | { readonly type: "systemError" }
  | { readonly type: "active"; readonly activeFlags: ReadonlyArray<ThreadActiveFlag> }
  | UnknownVariant<"type">

export interface ThreadStatusChangedNotification {
  readonly status: ThreadStatus
  readonly threadId: string
}

export type ThreadTimelineEntry =
  | { readonly type: "item"; readonly item: ThreadItem; readonly position: number; readonly turnId: string }
  | { readonly type: "realtime"; readonly item: ThreadRealtimeItem; readonly position: number }
  | { readonly type: "turnStarted"; readonly position: number; readonly startedAt?: number | null; readonly turnId: string }
  | { readonly type: "turnCompleted"; readonly completedAt?: number | null; readonly durationMs?: number | null; readonly error?: TurnError | null; readonly position: number; readonly startedAt?: number | null; readonly status: TurnStatus; readonly turnId: string }
  | UnknownVariant<"type">

export interface ThreadTimelineListParams {
  readonly cursor?: string | null
  readonly limit?: number | null
  readonly threadId: string
}

export interface ThreadTimelineListResponse {
  readonly activeRealtimeSessionAtPageStart?: string | null
  readonly data: ReadonlyArray<ThreadTimelineEntry>
  readonly nextCursor?: string | null
}

export interface ThreadTokenUsage {
  readonly last: TokenUsageBreakdown
  readonly modelContextWindow?: number | null
  readonly total: TokenUsageBreakdown
}

export interface ThreadTokenUsageUpdatedNotification {
  readonly threadId: string
  readonly tokenUsage: ThreadTokenUsage
  readonly turnId: string
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

export interface ThreadUnarchiveParams {
  readonly threadId: string
}

export interface ThreadUnarchiveResponse {
  readonly thread: Thread
}

export interface ThreadUnarchivedNotification {
  readonly threadId: string
}

export type ThreadUnreadPosition =
  | { readonly type: "threadStart" }
  | { readonly type: "turn"; readonly turnId: string }
  | UnknownVariant<"type">

export interface ThreadUnsubscribeParams {
  readonly threadId: string
}

export interface ThreadUnsubscribeResponse {
  readonly status: ThreadUnsubscribeStatus
}

export type ThreadUnsubscribeStatus = OpenEnum<"notLoaded" | "notSubscribed" | "unsubscribed">

export interface ThreadUsage {
  readonly estimatedUsageCreditsMicros: number
  readonly estimatedUsageUsdMicros?: number | null
  readonly groups: ReadonlyArray<ThreadUsageBreakdownGroup>
  readonly nativeUsageUsdMicros?: number | null
  readonly threadId: string
}

export interface ThreadUsageBreakdownGroup {
  readonly cachedInputTokens?: number | null
  readonly estimatedUsageCreditsMicros: number
  readonly inputTokens?: number | null
  readonly model?: string | null
  readonly netNewInputTokens?: number | null
  readonly outputTokens?: number | null
  readonly reasoningEffort?: string | null
  readonly speed?: string | null
  readonly totalTokens?: number | null
}

export interface TokenUsageBreakdown {
  readonly cacheWriteInputTokens?: number
  readonly cachedInputTokens: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly reasoningOutputTokens: number
  readonly totalTokens: number
}

export interface Tool {
  readonly _meta?: unknown
  readonly annotations?: unknown
  readonly description?: string | null
  readonly icons?: ReadonlyArray<unknown> | null
  readonly inputSchema: unknown
  readonly name: string
  readonly outputSchema?: unknown
  readonly title?: string | null
}

export type ToolExposureSurface = OpenEnum<"code_mode" | "deferred" | "direct">

export interface ToolRequestUserInputAnswer {
  readonly answers: ReadonlyArray<string>
}

export interface ToolRequestUserInputOption {
  readonly description: string
  readonly label: string
}

export interface ToolRequestUserInputParams {
  readonly autoResolutionMs?: number | null
  readonly isBlocking: boolean
  readonly itemId: string
  readonly questions: ReadonlyArray<ToolRequestUserInputQuestion>
  readonly threadId: string
  readonly turnId: string
}

export interface ToolRequestUserInputQuestion {
  readonly header: string
  readonly id: string
  readonly isOther?: boolean
  readonly isSecret?: boolean
  readonly options?: ReadonlyArray<ToolRequestUserInputOption> | null
  readonly question: string
}

export interface ToolRequestUserInputResponse {
  readonly answers: { readonly [key: string]: ToolRequestUserInputAnswer }
}

export interface ToolsV2 {
  readonly web_search?: WebSearchToolConfig | null
}

export type TrustedContacts = OpenEnum<"check" | "skip">

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

export interface TurnDiffUpdatedNotification {
  readonly diff: string
  readonly threadId: string
  readonly turnId: string
}

export interface TurnEnvironmentParams {
  readonly cwd: LegacyAppPathString
  readonly environmentId: string
  readonly runtimeWorkspaceRoots?: ReadonlyArray<LegacyAppPathString> | null
}

export interface TurnError {
  readonly additionalDetails?: string | null
  readonly codexErrorInfo?: CodexErrorInfo | null
  readonly message: string
  readonly misalignment?: MisalignmentErrorDetails | null
}

export interface TurnInterruptParams {
  readonly threadId: string
  readonly turnId: string
}

export type TurnInterruptResponse = { readonly [key: string]: never }

export type TurnItemsView = OpenEnum<"notLoaded" | "summary" | "full">

export interface TurnModerationMetadataNotification {
  readonly metadata: unknown
  readonly threadId: string
  readonly turnId: string
}

export interface TurnPlanStep {
  readonly status: TurnPlanStepStatus
  readonly step: string
}

export type TurnPlanStepStatus = OpenEnum<"pending" | "inProgress" | "completed">

export interface TurnPlanUpdatedNotification {
  readonly explanation?: string | null
  readonly plan: ReadonlyArray<TurnPlanStep>
  readonly threadId: string
  readonly turnId: string
}

export interface TurnSettingsUpdateParams {
  readonly approvalsReviewer?: ApprovalsReviewer | null
  readonly effort?: ReasoningEffort | null
  readonly environments?: ReadonlyArray<TurnEnvironmentParams> | null
  readonly model?: string | null
  readonly serviceTier?: string | null
  readonly summary?: ReasoningSummary | null
  readonly threadId: string
  readonly turnId: string
}

export interface TurnSettingsUpdateResponse {
  readonly status: TurnSettingsUpdateStatus
}

export type TurnSettingsUpdateStatus = OpenEnum<"applied" | "targetUnavailable">

export interface TurnStartParams {
  readonly additionalContext?: { readonly [key: string]: AdditionalContextEntry } | null
  readonly approvalPolicy?: AskForApproval | null
  readonly approvalsReviewer?: ApprovalsReviewer | null
  readonly clientUserMessageId?: string | null
  readonly collaborationMode?: CollaborationMode | null
  readonly cwd?: string | null
  readonly cyberAccessProgram?: CyberAccessProgram | null
  readonly disabledPluginIds?: ReadonlyArray<string> | null
  readonly effort?: ReasoningEffort | null
  readonly environments?: ReadonlyArray<TurnEnvironmentParams> | null
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
  readonly runtimeWorkspaceRoots?: ReadonlyArray<AbsolutePathBuf> | null
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

export type TurnStatus = OpenEnum<"completed" | "interrupted" | "failed" | "inProgress">

export interface TurnSteerParams {
  readonly additionalContext?: { readonly [key: string]: AdditionalContextEntry } | null
  readonly clientUserMessageId?: string | null
  readonly expectedTurnId: string
  readonly input: ReadonlyArray<UserInput>
  readonly responsesapiClientMetadata?: { readonly [key: string]: string } | null
  readonly responsesapiClientMetadataPatch?: { readonly [key: string]: string } | null
  readonly threadId: string
}

export interface TurnSteerResponse {
  readonly turnId: string
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
  | { readonly type: "text"; readonly text: string; readonly text_elements?: ReadonlyArray<TextElement> }
  | { readonly type: "image"; readonly detail?: ImageDetail | null; readonly url: string }
  | { readonly type: "image"; readonly detail?: ImageDetail | null; readonly fileId: string }
  | { readonly type: "localImage"; readonly detail?: ImageDetail | null; readonly path: string }
  | { readonly type: "audio"; readonly url: string }
  | { readonly type: "audio"; readonly fileId: string }
  | { readonly type: "localAudio"; readonly path: string }
  | { readonly type: "skill"; readonly name: string; readonly path: string }
  | { readonly type: "mention"; readonly name: string; readonly path: string }
  | UnknownVariant<"type">

export type UserVerificationBiometricType = OpenEnum<"fingerprint">

export interface UserVerificationCancelParams {
  readonly requestId: RequestId
}

export type UserVerificationCancelResponse = { readonly [key: string]: never }

export type UserVerificationCancellationReason = OpenEnum<"userCancelled" | "interrupted">

export type UserVerificationDeleteParams = { readonly [key: string]: never }

export type UserVerificationDeleteResponse = { readonly [key: string]: never }

export type UserVerificationEnrollParams = { readonly [key: string]: never }

export interface UserVerificationEnrollResponse {
  readonly algorithm?: string | null
  readonly credentialId: string
  readonly publicKey?: string | null
}

export type UserVerificationErrorDetails =
  | { readonly type: "invalidRequest"; readonly reason: UserVerificationInvalidRequestReason }
  | { readonly type: "unavailable"; readonly reason: UserVerificationUnavailableReason }
  | { readonly type: "cancelled"; readonly reason: UserVerificationCancellationReason }
  | { readonly type: "failed"; readonly reason: UserVerificationFailureReason }
  | UnknownVariant<"type">

export type UserVerificationFailureReason = OpenEnum<"authenticationFailed" | "timeout" | "providerError" | "serviceError">

export type UserVerificationInvalidRequestReason = OpenEnum<"invalidParams">

export interface UserVerificationProof {
  readonly credentialId: string
  readonly signature: string
}

export interface UserVerificationRpcError {
  readonly code: number
  readonly data: UserVerificationErrorDetails
  readonly message: string
}

export type UserVerificationStatusParams = { readonly [key: string]: never }

export interface UserVerificationStatusResponse {
  readonly credentialId?: string | null
  readonly unavailableMessage?: string | null
  readonly unavailableReason?: UserVerificationUnavailableReason | null
}

export type UserVerificationUnavailableReason = OpenEnum<"credentialMissing" | "biometricsUnavailable" | "providerUnavailable">

export interface UserVerificationVerifyParams {
  readonly challenge: string
  readonly description: string
  readonly title: string
}

export interface UserVerificationVerifyResponse {
  readonly biometricType?: UserVerificationBiometricType | null
  readonly proof: UserVerificationProof
}

export type Verbosity = OpenEnum<"low" | "medium" | "high">

export interface W3cTraceContext {
  readonly traceparent?: string | null
  readonly tracestate?: string | null
}

export interface WarningNotification {
  readonly message: string
  readonly threadId?: string | null
}

export type WebSearchAction =
  | { readonly type: "search"; readonly queries?: ReadonlyArray<string> | null; readonly query?: string | null }
  | { readonly type: "openPage"; readonly url?: string | null }
  | { readonly type: "findInPage"; readonly pattern?: string | null; readonly url?: string | null }
  | { readonly type: "other" }
  | UnknownVariant<"type">

export type WebSearchContextSize = OpenEnum<"low" | "medium" | "high">

export interface WebSearchLocation {
  readonly city?: string | null
  readonly country?: string | null
  readonly region?: string | null
  readonly timezone?: string | null
}

export type WebSearchMode = OpenEnum<"disabled" | "cached" | "indexed" | "live">

export type WebSearchProvider = OpenEnum<"standalone" | "search_mcp">

export interface WebSearchToolConfig {
  readonly allowed_domains?: ReadonlyArray<string> | null
  readonly context_size?: WebSearchContextSize | null
  readonly location?: WebSearchLocation | null
}

export type WindowsSandboxImplementation = OpenEnum<"elevated" | "unelevated" | "mxc">

export type WindowsSandboxReadiness = OpenEnum<"ready" | "notConfigured" | "updateRequired">

export interface WindowsSandboxReadinessResponse {
  readonly status: WindowsSandboxReadiness
}

export interface WindowsSandboxSetupCompletedNotification {
  readonly error?: string | null
  readonly mode: WindowsSandboxSetupMode
  readonly success: boolean
}

export type WindowsSandboxSetupMode = OpenEnum<"elevated" | "unelevated">

export interface WindowsSandboxSetupStartParams {
  readonly cwd?: AbsolutePathBuf | null
  readonly mode: WindowsSandboxSetupMode
}

export interface WindowsSandboxSetupStartResponse {
  readonly started: boolean
}

export interface WindowsWorldWritableWarningNotification {
  readonly extraCount: number
  readonly failedScan: boolean
  readonly samplePaths: ReadonlyArray<string>
}

export interface WorkspaceMessage {
  readonly archivedAt?: number | null
  readonly createdAt?: number | null
  readonly messageBody: string
  readonly messageId: string
  readonly messageType: WorkspaceMessageType
}

export type WorkspaceMessageType = OpenEnum<"headline" | "announcement" | "unknown">

export interface WorkspaceRouting {
  readonly accountRoutingOverride: AccountRoutingOverride
  readonly backendOrigin: string
  readonly chatgptAccountId: string
}

export type WriteStatus = OpenEnum<"ok" | "okOverridden">

/** Every definition by its name. */
export interface Definitions {
  readonly AbsolutePathBuf: AbsolutePathBuf
  readonly Account: Account
  readonly AccountLoginCompletedNotification: AccountLoginCompletedNotification
  readonly AccountRateLimitsUpdatedNotification: AccountRateLimitsUpdatedNotification
  readonly AccountRoutingOverride: AccountRoutingOverride
  readonly AccountSecuritySetupAction: AccountSecuritySetupAction
  readonly AccountSecuritySetupNotice: AccountSecuritySetupNotice
  readonly AccountSession: AccountSession
  readonly AccountSessionWorkspace: AccountSessionWorkspace
  readonly AccountSessionWorkspaceKind: AccountSessionWorkspaceKind
  readonly AccountSessionsListParams: AccountSessionsListParams
  readonly AccountSessionsResponse: AccountSessionsResponse
  readonly AccountSessionsSwitchParams: AccountSessionsSwitchParams
  readonly AccountSessionsSwitchResponse: AccountSessionsSwitchResponse
  readonly AccountTokenUsageDailyBucket: AccountTokenUsageDailyBucket
  readonly AccountTokenUsageSummary: AccountTokenUsageSummary
  readonly AccountUpdateReason: AccountUpdateReason
  readonly AccountUpdatedNotification: AccountUpdatedNotification
  readonly ActivePermissionProfile: ActivePermissionProfile
  readonly AddCreditsNudgeCreditType: AddCreditsNudgeCreditType
  readonly AddCreditsNudgeEmailStatus: AddCreditsNudgeEmailStatus
  readonly AdditionalContextEntry: AdditionalContextEntry
  readonly AdditionalContextKind: AdditionalContextKind
  readonly AdditionalFileSystemPermissions: AdditionalFileSystemPermissions
  readonly AdditionalNetworkPermissions: AdditionalNetworkPermissions
  readonly AdditionalPermissionProfile: AdditionalPermissionProfile
  readonly AgentMessageDelivery: AgentMessageDelivery
  readonly AgentMessageDeltaNotification: AgentMessageDeltaNotification
  readonly AgentMessageDisplay: AgentMessageDisplay
  readonly AgentMessageInputContent: AgentMessageInputContent
  readonly AgentMessageModeration: AgentMessageModeration
  readonly AgentPath: AgentPath
  readonly AllowDenyRequirement: AllowDenyRequirement
  readonly AnalyticsConfig: AnalyticsConfig
  readonly AnswerAnnotation: AnswerAnnotation
  readonly AnswerReplacement: AnswerReplacement
  readonly AppBranding: AppBranding
  readonly AppConfig: AppConfig
  readonly AppInfo: AppInfo
  readonly AppLinkConfig: AppLinkConfig
  readonly AppLinksConfig: AppLinksConfig
  readonly AppListUpdatedNotification: AppListUpdatedNotification
  readonly AppMetadata: AppMetadata
  readonly AppReview: AppReview
  readonly AppScreenshot: AppScreenshot
  readonly AppSummary: AppSummary
  readonly AppTemplateSummary: AppTemplateSummary
  readonly AppTemplateUnavailableReason: AppTemplateUnavailableReason
  readonly AppToolApproval: AppToolApproval
  readonly AppToolConfig: AppToolConfig
  readonly AppToolSummary: AppToolSummary
  readonly AppToolsConfig: AppToolsConfig
  readonly ApplicationNetworkRequirements: ApplicationNetworkRequirements
  readonly ApplicationRequirements: ApplicationRequirements
  readonly ApplicationStorageRequirements: ApplicationStorageRequirements
  readonly ApplyPatchApprovalParams: ApplyPatchApprovalParams
  readonly ApplyPatchApprovalResponse: ApplyPatchApprovalResponse
  readonly ApprovalsReviewer: ApprovalsReviewer
  readonly AppsConfig: AppsConfig
  readonly AppsDefaultConfig: AppsDefaultConfig
  readonly AppsInstalledParams: AppsInstalledParams
  readonly AppsInstalledResponse: AppsInstalledResponse
  readonly AppsListParams: AppsListParams
  readonly AppsListResponse: AppsListResponse
  readonly AppsReadParams: AppsReadParams
  readonly AppsReadResponse: AppsReadResponse
  readonly AskForApproval: AskForApproval
  readonly AsyncUserInputQuestion: AsyncUserInputQuestion
  readonly AttestationGenerateParams: AttestationGenerateParams
  readonly AttestationGenerateResponse: AttestationGenerateResponse
  readonly AuthMode: AuthMode
  readonly AuthRecoveryNotification: AuthRecoveryNotification
  readonly AutoCompactTokenLimitScope: AutoCompactTokenLimitScope
  readonly AutoReviewDecisionSource: AutoReviewDecisionSource
  readonly AutoReviewRequirements: AutoReviewRequirements
  readonly AwsCredentialType: AwsCredentialType
  readonly BedrockAwsProfile: BedrockAwsProfile
  readonly BedrockCheckGovCloudRequirementsParams: BedrockCheckGovCloudRequirementsParams
  readonly BedrockCheckGovCloudRequirementsResponse: BedrockCheckGovCloudRequirementsResponse
  readonly BedrockDiscoverParams: BedrockDiscoverParams
  readonly BedrockDiscoverResponse: BedrockDiscoverResponse
  readonly BedrockEnvironmentCredential: BedrockEnvironmentCredential
  readonly BedrockProviderId: BedrockProviderId
  readonly BedrockSetupParams: BedrockSetupParams
  readonly BedrockSetupResponse: BedrockSetupResponse
  readonly BlockReason: BlockReason
  readonly BrowserUseAccessApprovalLifetime: BrowserUseAccessApprovalLifetime
  readonly BrowserUseConfig: BrowserUseConfig
  readonly BrowserUseExtensionRequirements: BrowserUseExtensionRequirements
  readonly BrowserUseOriginPolicy: BrowserUseOriginPolicy
  readonly BrowserUseOriginPolicyConfig: BrowserUseOriginPolicyConfig
  readonly BrowserUseRequirements: BrowserUseRequirements
  readonly ByteRange: ByteRange
  readonly CancelLoginAccountParams: CancelLoginAccountParams
  readonly CancelLoginAccountResponse: CancelLoginAccountResponse
  readonly CancelLoginAccountStatus: CancelLoginAccountStatus
  readonly CapabilityRootLocation: CapabilityRootLocation
  readonly ChatgptAuthTokensRefreshParams: ChatgptAuthTokensRefreshParams
  readonly ChatgptAuthTokensRefreshReason: ChatgptAuthTokensRefreshReason
  readonly ChatgptAuthTokensRefreshResponse: ChatgptAuthTokensRefreshResponse
  readonly CliAuthCredentialsStoreMode: CliAuthCredentialsStoreMode
  readonly ClientInfo: ClientInfo
  readonly CodexErrorInfo: CodexErrorInfo
  readonly CodexResponseHandoffMode: CodexResponseHandoffMode
  readonly CollabAgentState: CollabAgentState
  readonly CollabAgentStatus: CollabAgentStatus
  readonly CollabAgentTool: CollabAgentTool
  readonly CollabAgentToolCallStatus: CollabAgentToolCallStatus
  readonly CollaborationMode: CollaborationMode
  readonly CollaborationModeListParams: CollaborationModeListParams
  readonly CollaborationModeListResponse: CollaborationModeListResponse
  readonly CollaborationModeMask: CollaborationModeMask
  readonly CommandAction: CommandAction
  readonly CommandExecOutputDeltaNotification: CommandExecOutputDeltaNotification
  readonly CommandExecOutputStream: CommandExecOutputStream
  readonly CommandExecParams: CommandExecParams
  readonly CommandExecResizeParams: CommandExecResizeParams
  readonly CommandExecResizeResponse: CommandExecResizeResponse
  readonly CommandExecResponse: CommandExecResponse
  readonly CommandExecTerminalSize: CommandExecTerminalSize
  readonly CommandExecTerminateParams: CommandExecTerminateParams
  readonly CommandExecTerminateResponse: CommandExecTerminateResponse
  readonly CommandExecWriteParams: CommandExecWriteParams
  readonly CommandExecWriteResponse: CommandExecWriteResponse
  readonly CommandExecutionApprovalDecision: CommandExecutionApprovalDecision
  readonly CommandExecutionApprovalKind: CommandExecutionApprovalKind
  readonly CommandExecutionOutputDeltaNotification: CommandExecutionOutputDeltaNotification
  readonly CommandExecutionRequestApprovalParams: CommandExecutionRequestApprovalParams
  readonly CommandExecutionRequestApprovalResponse: CommandExecutionRequestApprovalResponse
  readonly CommandExecutionSource: CommandExecutionSource
  readonly CommandExecutionStatus: CommandExecutionStatus
  readonly CommandMigration: CommandMigration
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
  readonly ConfigReadParams: ConfigReadParams
  readonly ConfigReadResponse: ConfigReadResponse
  readonly ConfigRequirements: ConfigRequirements
  readonly ConfigRequirementsReadResponse: ConfigRequirementsReadResponse
  readonly ConfigValueWriteParams: ConfigValueWriteParams
  readonly ConfigWarningNotification: ConfigWarningNotification
  readonly ConfigWriteResponse: ConfigWriteResponse
  readonly ConfigurationReasoning: ConfigurationReasoning
  readonly ConfiguredHookHandler: ConfiguredHookHandler
  readonly ConfiguredHookMatcherGroup: ConfiguredHookMatcherGroup
  readonly ConnectorMetadata: ConnectorMetadata
  readonly ConsumeAccountRateLimitResetCreditOutcome: ConsumeAccountRateLimitResetCreditOutcome
  readonly ConsumeAccountRateLimitResetCreditParams: ConsumeAccountRateLimitResetCreditParams
  readonly ConsumeAccountRateLimitResetCreditResponse: ConsumeAccountRateLimitResetCreditResponse
  readonly ContentItem: ContentItem
  readonly ContextCompactedNotification: ContextCompactedNotification
  readonly ConversationTextRole: ConversationTextRole
  readonly CreditsSnapshot: CreditsSnapshot
  readonly CyberAccessProgram: CyberAccessProgram
  readonly DeprecationNoticeNotification: DeprecationNoticeNotification
  readonly DesktopOnboardingEntrypoint: DesktopOnboardingEntrypoint
  readonly DynamicToolCallOutputContentItem: DynamicToolCallOutputContentItem
  readonly DynamicToolCallParams: DynamicToolCallParams
  readonly DynamicToolCallResponse: DynamicToolCallResponse
  readonly DynamicToolCallStatus: DynamicToolCallStatus
  readonly DynamicToolNamespaceTool: DynamicToolNamespaceTool
  readonly DynamicToolSpec: DynamicToolSpec
  readonly EnvironmentAddParams: EnvironmentAddParams
  readonly EnvironmentAddResponse: EnvironmentAddResponse
  readonly EnvironmentConnectionNotification: EnvironmentConnectionNotification
  readonly EnvironmentInfoParams: EnvironmentInfoParams
  readonly EnvironmentInfoResponse: EnvironmentInfoResponse
  readonly EnvironmentShellInfo: EnvironmentShellInfo
  readonly EnvironmentSkillsParams: EnvironmentSkillsParams
  readonly EnvironmentStatusKind: EnvironmentStatusKind
  readonly EnvironmentStatusParams: EnvironmentStatusParams
  readonly EnvironmentStatusResponse: EnvironmentStatusResponse
  readonly ErrorNotification: ErrorNotification
  readonly ExecCommandApprovalParams: ExecCommandApprovalParams
  readonly ExecCommandApprovalResponse: ExecCommandApprovalResponse
  readonly ExperimentalFeature: ExperimentalFeature
  readonly ExperimentalFeatureEnablementSetParams: ExperimentalFeatureEnablementSetParams
  readonly ExperimentalFeatureEnablementSetResponse: ExperimentalFeatureEnablementSetResponse
  readonly ExperimentalFeatureListParams: ExperimentalFeatureListParams
  readonly ExperimentalFeatureListResponse: ExperimentalFeatureListResponse
  readonly ExperimentalFeatureStage: ExperimentalFeatureStage
  readonly ExternalAgentConfigDetectParams: ExternalAgentConfigDetectParams
  readonly ExternalAgentConfigDetectResponse: ExternalAgentConfigDetectResponse
  readonly ExternalAgentConfigImportCompletedNotification: ExternalAgentConfigImportCompletedNotification
  readonly ExternalAgentConfigImportHistoriesReadResponse: ExternalAgentConfigImportHistoriesReadResponse
  readonly ExternalAgentConfigImportHistory: ExternalAgentConfigImportHistory
  readonly ExternalAgentConfigImportHistoryRecordParams: ExternalAgentConfigImportHistoryRecordParams
  readonly ExternalAgentConfigImportHistoryRecordResponse: ExternalAgentConfigImportHistoryRecordResponse
  readonly ExternalAgentConfigImportHistoryRecordSuccessParams: ExternalAgentConfigImportHistoryRecordSuccessParams
  readonly ExternalAgentConfigImportHistoryRecordTypeResultParams: ExternalAgentConfigImportHistoryRecordTypeResultParams
  readonly ExternalAgentConfigImportItemTypeFailure: ExternalAgentConfigImportItemTypeFailure
  readonly ExternalAgentConfigImportItemTypeSuccess: ExternalAgentConfigImportItemTypeSuccess
  readonly ExternalAgentConfigImportParams: ExternalAgentConfigImportParams
  readonly ExternalAgentConfigImportProgressNotification: ExternalAgentConfigImportProgressNotification
  readonly ExternalAgentConfigImportResponse: ExternalAgentConfigImportResponse
  readonly ExternalAgentConfigImportTypeResult: ExternalAgentConfigImportTypeResult
  readonly ExternalAgentConfigMigrationItem: ExternalAgentConfigMigrationItem
  readonly ExternalAgentConfigMigrationItemType: ExternalAgentConfigMigrationItemType
  readonly ExternalAgentDetectedConnectorCandidate: ExternalAgentDetectedConnectorCandidate
  readonly ExternalAgentDetectedConnectorSource: ExternalAgentDetectedConnectorSource
  readonly ExternalAgentImportedConnectorCandidate: ExternalAgentImportedConnectorCandidate
  readonly ExternalAgentImportedConnectorSource: ExternalAgentImportedConnectorSource
  readonly FeedbackRequirements: FeedbackRequirements
  readonly FeedbackSaveParams: FeedbackSaveParams
  readonly FeedbackSaveResponse: FeedbackSaveResponse
  readonly FeedbackUploadParams: FeedbackUploadParams
  readonly FeedbackUploadResponse: FeedbackUploadResponse
  readonly FileChange: FileChange
  readonly FileChangeApprovalDecision: FileChangeApprovalDecision
  readonly FileChangeOutputDeltaNotification: FileChangeOutputDeltaNotification
  readonly FileChangePatchUpdatedNotification: FileChangePatchUpdatedNotification
  readonly FileChangeRequestApprovalParams: FileChangeRequestApprovalParams
  readonly FileChangeRequestApprovalResponse: FileChangeRequestApprovalResponse
  readonly FileSystemAccessMode: FileSystemAccessMode
  readonly FileSystemPath: FileSystemPath
  readonly FileSystemSandboxEntry: FileSystemSandboxEntry
  readonly FileSystemSpecialPath: FileSystemSpecialPath
  readonly FileUpdateChange: FileUpdateChange
  readonly ForcedChatgptWorkspaceIds: ForcedChatgptWorkspaceIds
  readonly ForcedLoginMethod: ForcedLoginMethod
  readonly FsChangedNotification: FsChangedNotification
  readonly FsCopyParams: FsCopyParams
  readonly FsCopyResponse: FsCopyResponse
  readonly FsCreateDirectoryParams: FsCreateDirectoryParams
  readonly FsCreateDirectoryResponse: FsCreateDirectoryResponse
  readonly FsGetMetadataParams: FsGetMetadataParams
  readonly FsGetMetadataResponse: FsGetMetadataResponse
  readonly FsReadDirectoryEntry: FsReadDirectoryEntry
  readonly FsReadDirectoryParams: FsReadDirectoryParams
  readonly FsReadDirectoryResponse: FsReadDirectoryResponse
  readonly FsReadFileParams: FsReadFileParams
  readonly FsReadFileResponse: FsReadFileResponse
  readonly FsRemoveParams: FsRemoveParams
  readonly FsRemoveResponse: FsRemoveResponse
  readonly FsUnwatchParams: FsUnwatchParams
  readonly FsUnwatchResponse: FsUnwatchResponse
  readonly FsWatchParams: FsWatchParams
  readonly FsWatchResponse: FsWatchResponse
  readonly FsWriteFileParams: FsWriteFileParams
  readonly FsWriteFileResponse: FsWriteFileResponse
  readonly FunctionCallOutputBody: FunctionCallOutputBody
  readonly FunctionCallOutputContentItem: FunctionCallOutputContentItem
  readonly FuzzyFileSearchMatchType: FuzzyFileSearchMatchType
  readonly FuzzyFileSearchParams: FuzzyFileSearchParams
  readonly FuzzyFileSearchResponse: FuzzyFileSearchResponse
  readonly FuzzyFileSearchResult: FuzzyFileSearchResult
  readonly FuzzyFileSearchSessionCompletedNotification: FuzzyFileSearchSessionCompletedNotification
  readonly FuzzyFileSearchSessionStartParams: FuzzyFileSearchSessionStartParams
  readonly FuzzyFileSearchSessionStartResponse: FuzzyFileSearchSessionStartResponse
  readonly FuzzyFileSearchSessionStopParams: FuzzyFileSearchSessionStopParams
  readonly FuzzyFileSearchSessionStopResponse: FuzzyFileSearchSessionStopResponse
  readonly FuzzyFileSearchSessionUpdateParams: FuzzyFileSearchSessionUpdateParams
  readonly FuzzyFileSearchSessionUpdateResponse: FuzzyFileSearchSessionUpdateResponse
  readonly FuzzyFileSearchSessionUpdatedNotification: FuzzyFileSearchSessionUpdatedNotification
  readonly GatewayAuth: GatewayAuth
  readonly GatewayOAuthCancelResponse: GatewayOAuthCancelResponse
  readonly GatewayOAuthChangedNotification: GatewayOAuthChangedNotification
  readonly GatewayOAuthLoginParams: GatewayOAuthLoginParams
  readonly GatewayOAuthLoginResponse: GatewayOAuthLoginResponse
  readonly GatewayOAuthPrompt: GatewayOAuthPrompt
  readonly GatewayOAuthReadParams: GatewayOAuthReadParams
  readonly GatewayOAuthReadResponse: GatewayOAuthReadResponse
  readonly GatewayOAuthStatus: GatewayOAuthStatus
  readonly GcpProviderId: GcpProviderId
  readonly GcpSetupParams: GcpSetupParams
  readonly GcpSetupResponse: GcpSetupResponse
  readonly GetAccountParams: GetAccountParams
  readonly GetAccountRateLimitsParams: GetAccountRateLimitsParams
  readonly GetAccountRateLimitsResponse: GetAccountRateLimitsResponse
  readonly GetAccountResponse: GetAccountResponse
  readonly GetAccountSecuritySetupResponse: GetAccountSecuritySetupResponse
  readonly GetAccountTokenUsageParams: GetAccountTokenUsageParams
  readonly GetAccountTokenUsageResponse: GetAccountTokenUsageResponse
  readonly GetWorkspaceMessagesResponse: GetWorkspaceMessagesResponse
  readonly GitInfo: GitInfo
  readonly GrantedPermissionProfile: GrantedPermissionProfile
  readonly GuardianApprovalReview: GuardianApprovalReview
  readonly GuardianApprovalReviewAction: GuardianApprovalReviewAction
  readonly GuardianApprovalReviewStatus: GuardianApprovalReviewStatus
  readonly GuardianAssessmentOutcome: GuardianAssessmentOutcome
  readonly GuardianCommandSource: GuardianCommandSource
  readonly GuardianRiskLevel: GuardianRiskLevel
  readonly GuardianUserAuthorization: GuardianUserAuthorization
  readonly GuardianWarningNotification: GuardianWarningNotification
  readonly HelplineSubject: HelplineSubject
  readonly HookCompletedNotification: HookCompletedNotification
  readonly HookErrorInfo: HookErrorInfo
  readonly HookEventName: HookEventName
  readonly HookExecutionMode: HookExecutionMode
  readonly HookHandlerType: HookHandlerType
  readonly HookMetadata: HookMetadata
  readonly HookMigration: HookMigration
  readonly HookOutputEntry: HookOutputEntry
  readonly HookOutputEntryKind: HookOutputEntryKind
  readonly HookPromptFragment: HookPromptFragment
  readonly HookRunStatus: HookRunStatus
  readonly HookRunSummary: HookRunSummary
  readonly HookScope: HookScope
  readonly HookSource: HookSource
  readonly HookStartedNotification: HookStartedNotification
  readonly HookTrustStatus: HookTrustStatus
  readonly HooksListEntry: HooksListEntry
  readonly HooksListParams: HooksListParams
  readonly HooksListResponse: HooksListResponse
  readonly ImageDetail: ImageDetail
  readonly ImageGenerationFailure: ImageGenerationFailure
  readonly ImageGenerationInputImage: ImageGenerationInputImage
  readonly InAppBrowserRequirements: InAppBrowserRequirements
  readonly InitializeCapabilities: InitializeCapabilities
  readonly InitializeParams: InitializeParams
  readonly InitializeResponse: InitializeResponse
  readonly InputModality: InputModality
  readonly InstalledApp: InstalledApp
  readonly InternalChatMessageMetadataPassthrough: InternalChatMessageMetadataPassthrough
  readonly ItemCompletedNotification: ItemCompletedNotification
  readonly ItemGuardianApprovalReviewCompletedNotification: ItemGuardianApprovalReviewCompletedNotification
  readonly ItemGuardianApprovalReviewStartedNotification: ItemGuardianApprovalReviewStartedNotification
  readonly ItemStartedNotification: ItemStartedNotification
  readonly JSONRPCError: JSONRPCError
  readonly JSONRPCErrorError: JSONRPCErrorError
  readonly JSONRPCMessage: JSONRPCMessage
  readonly JSONRPCNotification: JSONRPCNotification
  readonly JSONRPCRequest: JSONRPCRequest
  readonly JSONRPCResponse: JSONRPCResponse
  readonly LegacyAppPathString: LegacyAppPathString
  readonly ListMcpServerStatusParams: ListMcpServerStatusParams
  readonly ListMcpServerStatusResponse: ListMcpServerStatusResponse
  readonly LocalShellAction: LocalShellAction
  readonly LocalShellStatus: LocalShellStatus
  readonly LoginAccountParams: LoginAccountParams
  readonly LoginAccountResponse: LoginAccountResponse
  readonly LoginAppBrand: LoginAppBrand
  readonly LogoutAccountResponse: LogoutAccountResponse
  readonly ManagedHooksRequirements: ManagedHooksRequirements
  readonly MarketplaceAddParams: MarketplaceAddParams
  readonly MarketplaceAddResponse: MarketplaceAddResponse
  readonly MarketplaceInterface: MarketplaceInterface
  readonly MarketplaceLoadErrorInfo: MarketplaceLoadErrorInfo
  readonly MarketplaceRemoveParams: MarketplaceRemoveParams
  readonly MarketplaceRemoveResponse: MarketplaceRemoveResponse
  readonly MarketplaceUpgradeErrorInfo: MarketplaceUpgradeErrorInfo
  readonly MarketplaceUpgradeParams: MarketplaceUpgradeParams
  readonly MarketplaceUpgradeResponse: MarketplaceUpgradeResponse
  readonly McpAppDisplayMode: McpAppDisplayMode
  readonly McpAppUi: McpAppUi
  readonly McpAuthStatus: McpAuthStatus
  readonly McpElicitationArrayType: McpElicitationArrayType
  readonly McpElicitationBooleanSchema: McpElicitationBooleanSchema
  readonly McpElicitationBooleanType: McpElicitationBooleanType
  readonly McpElicitationConstOption: McpElicitationConstOption
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
  readonly McpElicitationTitledEnumItems: McpElicitationTitledEnumItems
  readonly McpElicitationTitledMultiSelectEnumSchema: McpElicitationTitledMultiSelectEnumSchema
  readonly McpElicitationTitledSingleSelectEnumSchema: McpElicitationTitledSingleSelectEnumSchema
  readonly McpElicitationUntitledEnumItems: McpElicitationUntitledEnumItems
  readonly McpElicitationUntitledMultiSelectEnumSchema: McpElicitationUntitledMultiSelectEnumSchema
  readonly McpElicitationUntitledSingleSelectEnumSchema: McpElicitationUntitledSingleSelectEnumSchema
  readonly McpResourceReadParams: McpResourceReadParams
  readonly McpResourceReadResponse: McpResourceReadResponse
  readonly McpResourceReadTarget: McpResourceReadTarget
  readonly McpServerConnectionStatus: McpServerConnectionStatus
  readonly McpServerElicitationAction: McpServerElicitationAction
  readonly McpServerElicitationRequestParams: McpServerElicitationRequestParams
  readonly McpServerElicitationRequestResponse: McpServerElicitationRequestResponse
  readonly McpServerEventNotification: McpServerEventNotification
  readonly McpServerEventStreamNotification: McpServerEventStreamNotification
  readonly McpServerEventStreamStartParams: McpServerEventStreamStartParams
  readonly McpServerEventStreamStartResponse: McpServerEventStreamStartResponse
  readonly McpServerEventStreamStopParams: McpServerEventStreamStopParams
  readonly McpServerEventStreamStopResponse: McpServerEventStreamStopResponse
  readonly McpServerInfo: McpServerInfo
  readonly McpServerMigration: McpServerMigration
  readonly McpServerOauthClientRegistration: McpServerOauthClientRegistration
  readonly McpServerOauthLoginCompletedNotification: McpServerOauthLoginCompletedNotification
  readonly McpServerOauthLoginParams: McpServerOauthLoginParams
  readonly McpServerOauthLoginResponse: McpServerOauthLoginResponse
  readonly McpServerRefreshResponse: McpServerRefreshResponse
  readonly McpServerStartupFailureReason: McpServerStartupFailureReason
  readonly McpServerStartupState: McpServerStartupState
  readonly McpServerStatus: McpServerStatus
  readonly McpServerStatusDetail: McpServerStatusDetail
  readonly McpServerStatusUpdatedNotification: McpServerStatusUpdatedNotification
  readonly McpServerToolCallParams: McpServerToolCallParams
  readonly McpServerToolCallResponse: McpServerToolCallResponse
  readonly McpToolCallAppContext: McpToolCallAppContext
  readonly McpToolCallError: McpToolCallError
  readonly McpToolCallProgressNotification: McpToolCallProgressNotification
  readonly McpToolCallResult: McpToolCallResult
  readonly McpToolCallStatus: McpToolCallStatus
  readonly MemoryCitation: MemoryCitation
  readonly MemoryCitationEntry: MemoryCitationEntry
  readonly MemoryResetResponse: MemoryResetResponse
  readonly MemoryStatusParams: MemoryStatusParams
  readonly MemoryStatusResponse: MemoryStatusResponse
  readonly MergeStrategy: MergeStrategy
  readonly MessagePhase: MessagePhase
  readonly MigrationDetails: MigrationDetails
  readonly MisalignmentErrorDetails: MisalignmentErrorDetails
  readonly MisalignmentSteer: MisalignmentSteer
  readonly MockExperimentalMethodParams: MockExperimentalMethodParams
  readonly MockExperimentalMethodResponse: MockExperimentalMethodResponse
  readonly ModeKind: ModeKind
  readonly Model: Model
  readonly ModelAccessPrograms: ModelAccessPrograms
  readonly ModelAvailabilityNux: ModelAvailabilityNux
  readonly ModelListParams: ModelListParams
  readonly ModelListResponse: ModelListResponse
  readonly ModelProviderCapabilitiesReadParams: ModelProviderCapabilitiesReadParams
  readonly ModelProviderCapabilitiesReadResponse: ModelProviderCapabilitiesReadResponse
  readonly ModelProviderConfigWriteParams: ModelProviderConfigWriteParams
  readonly ModelProviderConfigWriteResponse: ModelProviderConfigWriteResponse
  readonly ModelProviderDefaultSetParams: ModelProviderDefaultSetParams
  readonly ModelProviderError: ModelProviderError
  readonly ModelProviderListParams: ModelProviderListParams
  readonly ModelProviderListResponse: ModelProviderListResponse
  readonly ModelProviderSummary: ModelProviderSummary
  readonly ModelRerouteReason: ModelRerouteReason
  readonly ModelReroutedNotification: ModelReroutedNotification
  readonly ModelSafetyBufferingUpdatedNotification: ModelSafetyBufferingUpdatedNotification
  readonly ModelServiceTier: ModelServiceTier
  readonly ModelUpgradeInfo: ModelUpgradeInfo
  readonly ModelVerification: ModelVerification
  readonly ModelVerificationNotification: ModelVerificationNotification
  readonly ModelsRequirements: ModelsRequirements
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
  readonly NewThreadModelDefaults: NewThreadModelDefaults
  readonly NonSteerableTurnKind: NonSteerableTurnKind
  readonly NullableGatewayOAuthLoginParams: NullableGatewayOAuthLoginParams
  readonly NullableGatewayOAuthReadParams: NullableGatewayOAuthReadParams
  readonly NullableGetAccountRateLimitsParams: NullableGetAccountRateLimitsParams
  readonly NullableGetAccountTokenUsageParams: NullableGetAccountTokenUsageParams
  readonly NullableRemoteControlDisableParams: NullableRemoteControlDisableParams
  readonly NullableRemoteControlEnableParams: NullableRemoteControlEnableParams
  readonly OtelExporter: OtelExporter
  readonly OtelHttpProtocol: OtelHttpProtocol
  readonly OtelRequirements: OtelRequirements
  readonly OtelTlsConfig: OtelTlsConfig
  readonly OtelToolResultLogConfig: OtelToolResultLogConfig
  readonly OverriddenMetadata: OverriddenMetadata
  readonly ParsedCommand: ParsedCommand
  readonly PatchApplyStatus: PatchApplyStatus
  readonly PatchChangeKind: PatchChangeKind
  readonly PathUri: PathUri
  readonly PermissionGrantScope: PermissionGrantScope
  readonly PermissionProfileListParams: PermissionProfileListParams
  readonly PermissionProfileListResponse: PermissionProfileListResponse
  readonly PermissionProfileSummary: PermissionProfileSummary
  readonly PermissionsRequestApprovalParams: PermissionsRequestApprovalParams
  readonly PermissionsRequestApprovalResponse: PermissionsRequestApprovalResponse
  readonly Personality: Personality
  readonly PlanDeltaNotification: PlanDeltaNotification
  readonly PlanType: PlanType
  readonly PluginAuthPolicy: PluginAuthPolicy
  readonly PluginAvailability: PluginAvailability
  readonly PluginDetail: PluginDetail
  readonly PluginDisabledReason: PluginDisabledReason
  readonly PluginHookSummary: PluginHookSummary
  readonly PluginInstallParams: PluginInstallParams
  readonly PluginInstallPolicy: PluginInstallPolicy
  readonly PluginInstallPolicySource: PluginInstallPolicySource
  readonly PluginInstallResponse: PluginInstallResponse
  readonly PluginInstalledParams: PluginInstalledParams
  readonly PluginInstalledResponse: PluginInstalledResponse
  readonly PluginInterface: PluginInterface
  readonly PluginListMarketplaceKind: PluginListMarketplaceKind
  readonly PluginListParams: PluginListParams
  readonly PluginListResponse: PluginListResponse
  readonly PluginMarketplaceEntry: PluginMarketplaceEntry
  readonly PluginReadParams: PluginReadParams
  readonly PluginReadResponse: PluginReadResponse
  readonly PluginReconcileChangedPlugin: PluginReconcileChangedPlugin
  readonly PluginReconcileParams: PluginReconcileParams
  readonly PluginReconcileResponse: PluginReconcileResponse
  readonly PluginSearchParams: PluginSearchParams
  readonly PluginSearchResponse: PluginSearchResponse
  readonly PluginSearchResult: PluginSearchResult
  readonly PluginSearchScope: PluginSearchScope
  readonly PluginShareCheckoutParams: PluginShareCheckoutParams
  readonly PluginShareCheckoutResponse: PluginShareCheckoutResponse
  readonly PluginShareContext: PluginShareContext
  readonly PluginShareDeleteParams: PluginShareDeleteParams
  readonly PluginShareDeleteResponse: PluginShareDeleteResponse
  readonly PluginShareDiscoverability: PluginShareDiscoverability
  readonly PluginShareListItem: PluginShareListItem
  readonly PluginShareListParams: PluginShareListParams
  readonly PluginShareListResponse: PluginShareListResponse
  readonly PluginSharePrincipal: PluginSharePrincipal
  readonly PluginSharePrincipalRole: PluginSharePrincipalRole
  readonly PluginSharePrincipalType: PluginSharePrincipalType
  readonly PluginShareSaveParams: PluginShareSaveParams
  readonly PluginShareSaveResponse: PluginShareSaveResponse
  readonly PluginShareTarget: PluginShareTarget
  readonly PluginShareTargetRole: PluginShareTargetRole
  readonly PluginShareUpdateDiscoverability: PluginShareUpdateDiscoverability
  readonly PluginShareUpdateTargetsParams: PluginShareUpdateTargetsParams
  readonly PluginShareUpdateTargetsResponse: PluginShareUpdateTargetsResponse
  readonly PluginSkillReadParams: PluginSkillReadParams
  readonly PluginSkillReadResponse: PluginSkillReadResponse
  readonly PluginSource: PluginSource
  readonly PluginSummary: PluginSummary
  readonly PluginUninstallParams: PluginUninstallParams
  readonly PluginUninstallResponse: PluginUninstallResponse
  readonly PluginsMigration: PluginsMigration
  readonly ProcessExitedNotification: ProcessExitedNotification
  readonly ProcessKillParams: ProcessKillParams
  readonly ProcessKillResponse: ProcessKillResponse
  readonly ProcessOutputDeltaNotification: ProcessOutputDeltaNotification
  readonly ProcessOutputStream: ProcessOutputStream
  readonly ProcessResizePtyParams: ProcessResizePtyParams
  readonly ProcessResizePtyResponse: ProcessResizePtyResponse
  readonly ProcessSpawnParams: ProcessSpawnParams
  readonly ProcessSpawnResponse: ProcessSpawnResponse
  readonly ProcessTerminalSize: ProcessTerminalSize
  readonly ProcessWriteStdinParams: ProcessWriteStdinParams
  readonly ProcessWriteStdinResponse: ProcessWriteStdinResponse
  readonly Project: Project
  readonly ProjectChangeType: ProjectChangeType
  readonly ProjectChangedNotification: ProjectChangedNotification
  readonly ProjectCreateParams: ProjectCreateParams
  readonly ProjectCreateResponse: ProjectCreateResponse
  readonly ProjectDeleteParams: ProjectDeleteParams
  readonly ProjectDeleteResponse: ProjectDeleteResponse
  readonly ProjectImportParams: ProjectImportParams
  readonly ProjectImportResponse: ProjectImportResponse
  readonly ProjectListParams: ProjectListParams
  readonly ProjectListResponse: ProjectListResponse
  readonly ProjectMoveParams: ProjectMoveParams
  readonly ProjectMoveResponse: ProjectMoveResponse
  readonly ProjectReadParams: ProjectReadParams
  readonly ProjectReadResponse: ProjectReadResponse
  readonly ProjectRoot: ProjectRoot
  readonly ProjectSortKey: ProjectSortKey
  readonly ProjectUpdateParams: ProjectUpdateParams
  readonly ProjectUpdateResponse: ProjectUpdateResponse
  readonly ProviderSettings: ProviderSettings
  readonly ProviderSettingsPatch: ProviderSettingsPatch
  readonly QueuedSubmission: QueuedSubmission
  readonly RateLimitReachedType: RateLimitReachedType
  readonly RateLimitResetCredit: RateLimitResetCredit
  readonly RateLimitResetCreditStatus: RateLimitResetCreditStatus
  readonly RateLimitResetCreditsSummary: RateLimitResetCreditsSummary
  readonly RateLimitResetType: RateLimitResetType
  readonly RateLimitSnapshot: RateLimitSnapshot
  readonly RateLimitWindow: RateLimitWindow
  readonly RawResponseCompletedNotification: RawResponseCompletedNotification
  readonly RawResponseItemCompletedNotification: RawResponseItemCompletedNotification
  readonly RealtimeConversationVersion: RealtimeConversationVersion
  readonly RealtimeOutputModality: RealtimeOutputModality
  readonly RealtimeVoice: RealtimeVoice
  readonly RealtimeVoicesList: RealtimeVoicesList
  readonly ReasoningEffort: ReasoningEffort
  readonly ReasoningEffortOption: ReasoningEffortOption
  readonly ReasoningItemContent: ReasoningItemContent
  readonly ReasoningItemReasoningSummary: ReasoningItemReasoningSummary
  readonly ReasoningSummary: ReasoningSummary
  readonly ReasoningSummaryPartAddedNotification: ReasoningSummaryPartAddedNotification
  readonly ReasoningSummaryTextDeltaNotification: ReasoningSummaryTextDeltaNotification
  readonly ReasoningTextDeltaNotification: ReasoningTextDeltaNotification
  readonly RemoteControlClient: RemoteControlClient
  readonly RemoteControlClientsListOrder: RemoteControlClientsListOrder
  readonly RemoteControlClientsListParams: RemoteControlClientsListParams
  readonly RemoteControlClientsListResponse: RemoteControlClientsListResponse
  readonly RemoteControlClientsRevokeParams: RemoteControlClientsRevokeParams
  readonly RemoteControlClientsRevokeResponse: RemoteControlClientsRevokeResponse
  readonly RemoteControlConnectionStatus: RemoteControlConnectionStatus
  readonly RemoteControlDisableParams: RemoteControlDisableParams
  readonly RemoteControlDisableResponse: RemoteControlDisableResponse
  readonly RemoteControlEnableParams: RemoteControlEnableParams
  readonly RemoteControlEnableResponse: RemoteControlEnableResponse
  readonly RemoteControlPairingStartParams: RemoteControlPairingStartParams
  readonly RemoteControlPairingStartResponse: RemoteControlPairingStartResponse
  readonly RemoteControlPairingStatusParams: RemoteControlPairingStatusParams
  readonly RemoteControlPairingStatusResponse: RemoteControlPairingStatusResponse
  readonly RemoteControlStatusChangedNotification: RemoteControlStatusChangedNotification
  readonly RemoteControlStatusReadResponse: RemoteControlStatusReadResponse
  readonly RequestHeader: RequestHeader
  readonly RequestId: RequestId
  readonly RequestPermissionProfile: RequestPermissionProfile
  readonly ResidencyRequirement: ResidencyRequirement
  readonly Resource: Resource
  readonly ResourceContent: ResourceContent
  readonly ResourceTemplate: ResourceTemplate
  readonly ResponseItem: ResponseItem
  readonly ResponseUsageMetadata: ResponseUsageMetadata
  readonly ResponsesApiWebSearchAction: ResponsesApiWebSearchAction
  readonly ReviewDecision: ReviewDecision
  readonly ReviewDelivery: ReviewDelivery
  readonly ReviewStartParams: ReviewStartParams
  readonly ReviewStartResponse: ReviewStartResponse
  readonly ReviewTarget: ReviewTarget
  readonly RolloutCompressResponse: RolloutCompressResponse
  readonly SandboxMode: SandboxMode
  readonly SandboxPolicy: SandboxPolicy
  readonly SandboxWorkspaceWrite: SandboxWorkspaceWrite
  readonly ScheduledTaskSchedule: ScheduledTaskSchedule
  readonly ScheduledTaskSummary: ScheduledTaskSummary
  readonly ScheduledTaskWeekday: ScheduledTaskWeekday
  readonly SelectedCapabilityRoot: SelectedCapabilityRoot
  readonly SendAddCreditsNudgeEmailParams: SendAddCreditsNudgeEmailParams
  readonly SendAddCreditsNudgeEmailResponse: SendAddCreditsNudgeEmailResponse
  readonly ServerDiagnosticsGauge: ServerDiagnosticsGauge
  readonly ServerDiagnosticsParams: ServerDiagnosticsParams
  readonly ServerDiagnosticsProcess: ServerDiagnosticsProcess
  readonly ServerDiagnosticsResponse: ServerDiagnosticsResponse
  readonly ServerRequestResolvedNotification: ServerRequestResolvedNotification
  readonly SessionMigration: SessionMigration
  readonly SessionSource: SessionSource
  readonly Settings: Settings
  readonly SkillDependencies: SkillDependencies
  readonly SkillErrorInfo: SkillErrorInfo
  readonly SkillInterface: SkillInterface
  readonly SkillMetadata: SkillMetadata
  readonly SkillMigration: SkillMigration
  readonly SkillScope: SkillScope
  readonly SkillSummary: SkillSummary
  readonly SkillToolDependency: SkillToolDependency
  readonly SkillsChangedNotification: SkillsChangedNotification
  readonly SkillsConfigWriteParams: SkillsConfigWriteParams
  readonly SkillsConfigWriteResponse: SkillsConfigWriteResponse
  readonly SkillsExtraRootsSetParams: SkillsExtraRootsSetParams
  readonly SkillsExtraRootsSetResponse: SkillsExtraRootsSetResponse
  readonly SkillsListEntry: SkillsListEntry
  readonly SkillsListParams: SkillsListParams
  readonly SkillsListResponse: SkillsListResponse
  readonly SortDirection: SortDirection
  readonly SpendControlLimitSnapshot: SpendControlLimitSnapshot
  readonly StrictReviewRequiredNotification: StrictReviewRequiredNotification
  readonly SubAgentActivityKind: SubAgentActivityKind
  readonly SubAgentSource: SubAgentSource
  readonly SubagentMigration: SubagentMigration
  readonly TerminalInteractionNotification: TerminalInteractionNotification
  readonly TextElement: TextElement
  readonly TextPosition: TextPosition
  readonly TextRange: TextRange
  readonly Thread: Thread
  readonly ThreadActiveFlag: ThreadActiveFlag
  readonly ThreadApproveGuardianDeniedActionParams: ThreadApproveGuardianDeniedActionParams
  readonly ThreadApproveGuardianDeniedActionResponse: ThreadApproveGuardianDeniedActionResponse
  readonly ThreadArchiveParams: ThreadArchiveParams
  readonly ThreadArchiveResponse: ThreadArchiveResponse
  readonly ThreadArchivedNotification: ThreadArchivedNotification
  readonly ThreadAttachment: ThreadAttachment
  readonly ThreadAttachmentAddOutcome: ThreadAttachmentAddOutcome
  readonly ThreadAttachmentAddParams: ThreadAttachmentAddParams
  readonly ThreadAttachmentAddResponse: ThreadAttachmentAddResponse
  readonly ThreadAttachmentListParams: ThreadAttachmentListParams
  readonly ThreadAttachmentListResponse: ThreadAttachmentListResponse
  readonly ThreadAttachmentOperation: ThreadAttachmentOperation
  readonly ThreadAttachmentOwner: ThreadAttachmentOwner
  readonly ThreadAttachmentOwnerListParams: ThreadAttachmentOwnerListParams
  readonly ThreadAttachmentOwnerListResponse: ThreadAttachmentOwnerListResponse
  readonly ThreadAttachmentRemoveParams: ThreadAttachmentRemoveParams
  readonly ThreadAttachmentRemoveResponse: ThreadAttachmentRemoveResponse
  readonly ThreadAttachmentUpdatedNotification: ThreadAttachmentUpdatedNotification
  readonly ThreadBackgroundTerminal: ThreadBackgroundTerminal
  readonly ThreadBackgroundTerminalsCleanParams: ThreadBackgroundTerminalsCleanParams
  readonly ThreadBackgroundTerminalsCleanResponse: ThreadBackgroundTerminalsCleanResponse
  readonly ThreadBackgroundTerminalsListParams: ThreadBackgroundTerminalsListParams
  readonly ThreadBackgroundTerminalsListResponse: ThreadBackgroundTerminalsListResponse
  readonly ThreadBackgroundTerminalsTerminateParams: ThreadBackgroundTerminalsTerminateParams
  readonly ThreadBackgroundTerminalsTerminateResponse: ThreadBackgroundTerminalsTerminateResponse
  readonly ThreadClosedNotification: ThreadClosedNotification
  readonly ThreadCompactStartParams: ThreadCompactStartParams
  readonly ThreadCompactStartResponse: ThreadCompactStartResponse
  readonly ThreadDecrementElicitationParams: ThreadDecrementElicitationParams
  readonly ThreadDecrementElicitationResponse: ThreadDecrementElicitationResponse
  readonly ThreadDeleteParams: ThreadDeleteParams
  readonly ThreadDeleteResponse: ThreadDeleteResponse
  readonly ThreadDeletedNotification: ThreadDeletedNotification
  readonly ThreadEnvironment: ThreadEnvironment
  readonly ThreadExtra: ThreadExtra
  readonly ThreadForkParams: ThreadForkParams
  readonly ThreadForkResponse: ThreadForkResponse
  readonly ThreadGoal: ThreadGoal
  readonly ThreadGoalClearParams: ThreadGoalClearParams
  readonly ThreadGoalClearResponse: ThreadGoalClearResponse
  readonly ThreadGoalClearedNotification: ThreadGoalClearedNotification
  readonly ThreadGoalGetParams: ThreadGoalGetParams
  readonly ThreadGoalGetResponse: ThreadGoalGetResponse
  readonly ThreadGoalMutationOrigin: ThreadGoalMutationOrigin
  readonly ThreadGoalSetParams: ThreadGoalSetParams
  readonly ThreadGoalSetResponse: ThreadGoalSetResponse
  readonly ThreadGoalStatus: ThreadGoalStatus
  readonly ThreadGoalUpdatedNotification: ThreadGoalUpdatedNotification
  readonly ThreadGuardianAssessment: ThreadGuardianAssessment
  readonly ThreadGuardianReviewParams: ThreadGuardianReviewParams
  readonly ThreadGuardianReviewResponse: ThreadGuardianReviewResponse
  readonly ThreadHistoryMode: ThreadHistoryMode
  readonly ThreadId: ThreadId
  readonly ThreadIncrementElicitationParams: ThreadIncrementElicitationParams
  readonly ThreadIncrementElicitationResponse: ThreadIncrementElicitationResponse
  readonly ThreadInjectItemsParams: ThreadInjectItemsParams
  readonly ThreadInjectItemsResponse: ThreadInjectItemsResponse
  readonly ThreadItem: ThreadItem
  readonly ThreadItemEntry: ThreadItemEntry
  readonly ThreadItemOutputDeferral: ThreadItemOutputDeferral
  readonly ThreadItemsListAnchor: ThreadItemsListAnchor
  readonly ThreadItemsListCursor: ThreadItemsListCursor
  readonly ThreadItemsListParams: ThreadItemsListParams
  readonly ThreadItemsListResponse: ThreadItemsListResponse
  readonly ThreadItemsReadParams: ThreadItemsReadParams
  readonly ThreadItemsReadResponse: ThreadItemsReadResponse
  readonly ThreadListCwdFilter: ThreadListCwdFilter
  readonly ThreadListParams: ThreadListParams
  readonly ThreadListResponse: ThreadListResponse
  readonly ThreadLoadedListParams: ThreadLoadedListParams
  readonly ThreadLoadedListResponse: ThreadLoadedListResponse
  readonly ThreadMemoryMode: ThreadMemoryMode
  readonly ThreadMemoryModeSetParams: ThreadMemoryModeSetParams
  readonly ThreadMemoryModeSetResponse: ThreadMemoryModeSetResponse
  readonly ThreadMemoryReadParams: ThreadMemoryReadParams
  readonly ThreadMemoryReadResponse: ThreadMemoryReadResponse
  readonly ThreadMetadataGitInfoUpdateParams: ThreadMetadataGitInfoUpdateParams
  readonly ThreadMetadataUpdateParams: ThreadMetadataUpdateParams
  readonly ThreadMetadataUpdateResponse: ThreadMetadataUpdateResponse
  readonly ThreadNameUpdatedNotification: ThreadNameUpdatedNotification
  readonly ThreadPredictionRequestParams: ThreadPredictionRequestParams
  readonly ThreadPredictionRequestResponse: ThreadPredictionRequestResponse
  readonly ThreadPredictionResult: ThreadPredictionResult
  readonly ThreadPredictionUpdatedNotification: ThreadPredictionUpdatedNotification
  readonly ThreadPrepareApprovedPlanParams: ThreadPrepareApprovedPlanParams
  readonly ThreadPrepareApprovedPlanResponse: ThreadPrepareApprovedPlanResponse
  readonly ThreadProjectUpdatedNotification: ThreadProjectUpdatedNotification
  readonly ThreadQueueAddParams: ThreadQueueAddParams
  readonly ThreadQueueAddResponse: ThreadQueueAddResponse
  readonly ThreadQueueChangedNotification: ThreadQueueChangedNotification
  readonly ThreadQueueDeleteParams: ThreadQueueDeleteParams
  readonly ThreadQueueDeleteResponse: ThreadQueueDeleteResponse
  readonly ThreadQueueListParams: ThreadQueueListParams
  readonly ThreadQueueListResponse: ThreadQueueListResponse
  readonly ThreadQueueReorderParams: ThreadQueueReorderParams
  readonly ThreadQueueReorderResponse: ThreadQueueReorderResponse
  readonly ThreadQueueStartParams: ThreadQueueStartParams
  readonly ThreadQueueStartResponse: ThreadQueueStartResponse
  readonly ThreadQueueUpdateParams: ThreadQueueUpdateParams
  readonly ThreadQueueUpdateResponse: ThreadQueueUpdateResponse
  readonly ThreadReadParams: ThreadReadParams
  readonly ThreadReadResponse: ThreadReadResponse
  readonly ThreadReadState: ThreadReadState
  readonly ThreadReadStateChangedNotification: ThreadReadStateChangedNotification
  readonly ThreadReadStateOperation: ThreadReadStateOperation
  readonly ThreadReadStateUpdateParams: ThreadReadStateUpdateParams
  readonly ThreadReadStateUpdateResponse: ThreadReadStateUpdateResponse
  readonly ThreadRealtimeAppendAudioParams: ThreadRealtimeAppendAudioParams
  readonly ThreadRealtimeAppendAudioResponse: ThreadRealtimeAppendAudioResponse
  readonly ThreadRealtimeAppendSpeechParams: ThreadRealtimeAppendSpeechParams
  readonly ThreadRealtimeAppendSpeechResponse: ThreadRealtimeAppendSpeechResponse
  readonly ThreadRealtimeAppendTextParams: ThreadRealtimeAppendTextParams
  readonly ThreadRealtimeAppendTextResponse: ThreadRealtimeAppendTextResponse
  readonly ThreadRealtimeAudioChunk: ThreadRealtimeAudioChunk
  readonly ThreadRealtimeBemItemPresentation: ThreadRealtimeBemItemPresentation
  readonly ThreadRealtimeClosedNotification: ThreadRealtimeClosedNotification
  readonly ThreadRealtimeCoverage: ThreadRealtimeCoverage
  readonly ThreadRealtimeEntry: ThreadRealtimeEntry
  readonly ThreadRealtimeErrorNotification: ThreadRealtimeErrorNotification
  readonly ThreadRealtimeFrameChannels: ThreadRealtimeFrameChannels
  readonly ThreadRealtimeHandoffMode: ThreadRealtimeHandoffMode
  readonly ThreadRealtimeInitialItem: ThreadRealtimeInitialItem
  readonly ThreadRealtimeItem: ThreadRealtimeItem
  readonly ThreadRealtimeItemAddedNotification: ThreadRealtimeItemAddedNotification
  readonly ThreadRealtimeItemCompletedNotification: ThreadRealtimeItemCompletedNotification
  readonly ThreadRealtimeItemStartedNotification: ThreadRealtimeItemStartedNotification
  readonly ThreadRealtimeItemTranscriptDeltaNotification: ThreadRealtimeItemTranscriptDeltaNotification
  readonly ThreadRealtimeListParams: ThreadRealtimeListParams
  readonly ThreadRealtimeListResponse: ThreadRealtimeListResponse
  readonly ThreadRealtimeListVoicesParams: ThreadRealtimeListVoicesParams
  readonly ThreadRealtimeListVoicesResponse: ThreadRealtimeListVoicesResponse
  readonly ThreadRealtimeOrder: ThreadRealtimeOrder
  readonly ThreadRealtimeOutputAudioDeltaNotification: ThreadRealtimeOutputAudioDeltaNotification
  readonly ThreadRealtimeSdpNotification: ThreadRealtimeSdpNotification
  readonly ThreadRealtimeSessionOutcome: ThreadRealtimeSessionOutcome
  readonly ThreadRealtimeStartParams: ThreadRealtimeStartParams
  readonly ThreadRealtimeStartResponse: ThreadRealtimeStartResponse
  readonly ThreadRealtimeStartTransport: ThreadRealtimeStartTransport
  readonly ThreadRealtimeStartedNotification: ThreadRealtimeStartedNotification
  readonly ThreadRealtimeStopParams: ThreadRealtimeStopParams
  readonly ThreadRealtimeStopResponse: ThreadRealtimeStopResponse
  readonly ThreadRealtimeTranscriptDeltaNotification: ThreadRealtimeTranscriptDeltaNotification
  readonly ThreadRealtimeTranscriptDoneNotification: ThreadRealtimeTranscriptDoneNotification
  readonly ThreadRealtimeTranscriptRole: ThreadRealtimeTranscriptRole
  readonly ThreadRealtimeVoiceTranscript: ThreadRealtimeVoiceTranscript
  readonly ThreadResumeInitialTurnsPageParams: ThreadResumeInitialTurnsPageParams
  readonly ThreadResumeParams: ThreadResumeParams
  readonly ThreadResumeResponse: ThreadResumeResponse
  readonly ThreadRevertParams: ThreadRevertParams
  readonly ThreadRevertResponse: ThreadRevertResponse
  readonly ThreadRevertedNotification: ThreadRevertedNotification
  readonly ThreadSampleCancelParams: ThreadSampleCancelParams
  readonly ThreadSampleCancelResponse: ThreadSampleCancelResponse
  readonly ThreadSampleParams: ThreadSampleParams
  readonly ThreadSampleResponse: ThreadSampleResponse
  readonly ThreadSearchCancelParams: ThreadSearchCancelParams
  readonly ThreadSearchCancelResponse: ThreadSearchCancelResponse
  readonly ThreadSearchOccurrence: ThreadSearchOccurrence
  readonly ThreadSearchOccurrencesParams: ThreadSearchOccurrencesParams
  readonly ThreadSearchOccurrencesResponse: ThreadSearchOccurrencesResponse
  readonly ThreadSearchParams: ThreadSearchParams
  readonly ThreadSearchPartialNotification: ThreadSearchPartialNotification
  readonly ThreadSearchResponse: ThreadSearchResponse
  readonly ThreadSearchResult: ThreadSearchResult
  readonly ThreadSearchSortKey: ThreadSearchSortKey
  readonly ThreadSearchTextRange: ThreadSearchTextRange
  readonly ThreadSection: ThreadSection
  readonly ThreadSectionAppearance: ThreadSectionAppearance
  readonly ThreadSectionChangedNotification: ThreadSectionChangedNotification
  readonly ThreadSectionCreateParams: ThreadSectionCreateParams
  readonly ThreadSectionCreateResponse: ThreadSectionCreateResponse
  readonly ThreadSectionDeleteParams: ThreadSectionDeleteParams
  readonly ThreadSectionDeleteResponse: ThreadSectionDeleteResponse
  readonly ThreadSectionListParams: ThreadSectionListParams
  readonly ThreadSectionListResponse: ThreadSectionListResponse
  readonly ThreadSectionMoveParams: ThreadSectionMoveParams
  readonly ThreadSectionMoveResponse: ThreadSectionMoveResponse
  readonly ThreadSectionUpdateParams: ThreadSectionUpdateParams
  readonly ThreadSectionUpdateResponse: ThreadSectionUpdateResponse
  readonly ThreadSetNameParams: ThreadSetNameParams
  readonly ThreadSetNameResponse: ThreadSetNameResponse
  readonly ThreadSettings: ThreadSettings
  readonly ThreadSettingsUpdateParams: ThreadSettingsUpdateParams
  readonly ThreadSettingsUpdateResponse: ThreadSettingsUpdateResponse
  readonly ThreadSettingsUpdatedNotification: ThreadSettingsUpdatedNotification
  readonly ThreadShellCommandParams: ThreadShellCommandParams
  readonly ThreadShellCommandResponse: ThreadShellCommandResponse
  readonly ThreadSortKey: ThreadSortKey
  readonly ThreadSource: ThreadSource
  readonly ThreadSourceKind: ThreadSourceKind
  readonly ThreadStartParams: ThreadStartParams
  readonly ThreadStartResponse: ThreadStartResponse
  readonly ThreadStartSource: ThreadStartSource
  readonly ThreadStartedNotification: ThreadStartedNotification
  readonly ThreadStatus: ThreadStatus
  readonly ThreadStatusChangedNotification: ThreadStatusChangedNotification
  readonly ThreadTimelineEntry: ThreadTimelineEntry
  readonly ThreadTimelineListParams: ThreadTimelineListParams
  readonly ThreadTimelineListResponse: ThreadTimelineListResponse
  readonly ThreadTokenUsage: ThreadTokenUsage
  readonly ThreadTokenUsageUpdatedNotification: ThreadTokenUsageUpdatedNotification
  readonly ThreadTurnsListParams: ThreadTurnsListParams
  readonly ThreadTurnsListResponse: ThreadTurnsListResponse
  readonly ThreadUnarchiveParams: ThreadUnarchiveParams
  readonly ThreadUnarchiveResponse: ThreadUnarchiveResponse
  readonly ThreadUnarchivedNotification: ThreadUnarchivedNotification
  readonly ThreadUnreadPosition: ThreadUnreadPosition
  readonly ThreadUnsubscribeParams: ThreadUnsubscribeParams
  readonly ThreadUnsubscribeResponse: ThreadUnsubscribeResponse
  readonly ThreadUnsubscribeStatus: ThreadUnsubscribeStatus
  readonly ThreadUsage: ThreadUsage
  readonly ThreadUsageBreakdownGroup: ThreadUsageBreakdownGroup
  readonly TokenUsageBreakdown: TokenUsageBreakdown
  readonly Tool: Tool
  readonly ToolExposureSurface: ToolExposureSurface
  readonly ToolRequestUserInputAnswer: ToolRequestUserInputAnswer
  readonly ToolRequestUserInputOption: ToolRequestUserInputOption
  readonly ToolRequestUserInputParams: ToolRequestUserInputParams
  readonly ToolRequestUserInputQuestion: ToolRequestUserInputQuestion
  readonly ToolRequestUserInputResponse: ToolRequestUserInputResponse
  readonly ToolsV2: ToolsV2
  readonly TrustedContacts: TrustedContacts
  readonly Turn: Turn
  readonly TurnCompletedNotification: TurnCompletedNotification
  readonly TurnDiffUpdatedNotification: TurnDiffUpdatedNotification
  readonly TurnEnvironmentParams: TurnEnvironmentParams
  readonly TurnError: TurnError
  readonly TurnInterruptParams: TurnInterruptParams
  readonly TurnInterruptResponse: TurnInterruptResponse
  readonly TurnItemsView: TurnItemsView
  readonly TurnModerationMetadataNotification: TurnModerationMetadataNotification
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
  readonly TurnSteerResponse: TurnSteerResponse
  readonly TurnToolOutput: TurnToolOutput
  readonly TurnsPage: TurnsPage
  readonly UserInput: UserInput
  readonly UserVerificationBiometricType: UserVerificationBiometricType
  readonly UserVerificationCancelParams: UserVerificationCancelParams
  readonly UserVerificationCancelResponse: UserVerificationCancelResponse
  readonly UserVerificationCancellationReason: UserVerificationCancellationReason
  readonly UserVerificationDeleteParams: UserVerificationDeleteParams
  readonly UserVerificationDeleteResponse: UserVerificationDeleteResponse
  readonly UserVerificationEnrollParams: UserVerificationEnrollParams
  readonly UserVerificationEnrollResponse: UserVerificationEnrollResponse
  readonly UserVerificationErrorDetails: UserVerificationErrorDetails
  readonly UserVerificationFailureReason: UserVerificationFailureReason
  readonly UserVerificationInvalidRequestReason: UserVerificationInvalidRequestReason
  readonly UserVerificationProof: UserVerificationProof
  readonly UserVerificationRpcError: UserVerificationRpcError
  readonly UserVerificationStatusParams: UserVerificationStatusParams
  readonly UserVerificationStatusResponse: UserVerificationStatusResponse
  readonly UserVerificationUnavailableReason: UserVerificationUnavailableReason
  readonly UserVerificationVerifyParams: UserVerificationVerifyParams
  readonly UserVerificationVerifyResponse: UserVerificationVerifyResponse
  readonly Verbosity: Verbosity
  readonly W3cTraceContext: W3cTraceContext
  readonly WarningNotification: WarningNotification
  readonly WebSearchAction: WebSearchAction
  readonly WebSearchContextSize: WebSearchContextSize
  readonly WebSearchLocation: WebSearchLocation
  readonly WebSearchMode: WebSearchMode
  readonly WebSearchProvider: WebSearchProvider
  readonly WebSearchToolConfig: WebSearchToolConfig
  readonly WindowsSandboxImplementation: WindowsSandboxImplementation
  readonly WindowsSandboxReadiness: WindowsSandboxReadiness
  readonly WindowsSandboxReadinessResponse: WindowsSandboxReadinessResponse
  readonly WindowsSandboxSetupCompletedNotification: WindowsSandboxSetupCompletedNotification
  readonly WindowsSandboxSetupMode: WindowsSandboxSetupMode
  readonly WindowsSandboxSetupStartParams: WindowsSandboxSetupStartParams
  readonly WindowsSandboxSetupStartResponse: WindowsSandboxSetupStartResponse
  readonly WindowsWorldWritableWarningNotification: WindowsWorldWritableWarningNotification
  readonly WorkspaceMessage: WorkspaceMessage
  readonly WorkspaceMessageType: WorkspaceMessageType
  readonly WorkspaceRouting: WorkspaceRouting
  readonly WriteStatus: WriteStatus
}

export interface ClientRequests {
  readonly "initialize": { readonly params: InitializeParams; readonly result: InitializeResponse }
  readonly "server/diagnostics": { readonly params: ServerDiagnosticsParams; readonly result: ServerDiagnosticsResponse }
  readonly "userVerification/status": { readonly params: UserVerificationStatusParams; readonly result: UserVerificationStatusResponse }
  readonly "userVerification/enroll": { readonly params: UserVerificationEnrollParams; readonly result: UserVerificationEnrollResponse }
  readonly "userVerification/delete": { readonly params: UserVerificationDeleteParams; readonly result: UserVerificationDeleteResponse }
  readonly "userVerification/verify": { readonly params: UserVerificationVerifyParams; readonly result: UserVerificationVerifyResponse }
  readonly "userVerification/cancel": { readonly params: UserVerificationCancelParams; readonly result: UserVerificationCancelResponse }
  readonly "thread/start": { readonly params: ThreadStartParams; readonly result: ThreadStartResponse }
  readonly "thread/resume": { readonly params: ThreadResumeParams; readonly result: ThreadResumeResponse }
  readonly "thread/fork": { readonly params: ThreadForkParams; readonly result: ThreadForkResponse }
  readonly "thread/sample": { readonly params: ThreadSampleParams; readonly result: ThreadSampleResponse }
  readonly "thread/sample/cancel": { readonly params: ThreadSampleCancelParams; readonly result: ThreadSampleCancelResponse }
  readonly "thread/archive": { readonly params: ThreadArchiveParams; readonly result: ThreadArchiveResponse }
  readonly "thread/delete": { readonly params: ThreadDeleteParams; readonly result: ThreadDeleteResponse }
  readonly "thread/unsubscribe": { readonly params: ThreadUnsubscribeParams; readonly result: ThreadUnsubscribeResponse }
  readonly "thread/increment_elicitation": { readonly params: ThreadIncrementElicitationParams; readonly result: ThreadIncrementElicitationResponse }
  readonly "thread/decrement_elicitation": { readonly params: ThreadDecrementElicitationParams; readonly result: ThreadDecrementElicitationResponse }
  readonly "thread/name/set": { readonly params: ThreadSetNameParams; readonly result: ThreadSetNameResponse }
  readonly "thread/prediction/request": { readonly params: ThreadPredictionRequestParams; readonly result: ThreadPredictionRequestResponse }
  readonly "thread/goal/set": { readonly params: ThreadGoalSetParams; readonly result: ThreadGoalSetResponse }
  readonly "thread/goal/get": { readonly params: ThreadGoalGetParams; readonly result: ThreadGoalGetResponse }
  readonly "thread/goal/clear": { readonly params: ThreadGoalClearParams; readonly result: ThreadGoalClearResponse }
  readonly "thread/queue/add": { readonly params: ThreadQueueAddParams; readonly result: ThreadQueueAddResponse }
  readonly "thread/queue/list": { readonly params: ThreadQueueListParams; readonly result: ThreadQueueListResponse }
  readonly "thread/queue/update": { readonly params: ThreadQueueUpdateParams; readonly result: ThreadQueueUpdateResponse }
  readonly "thread/queue/delete": { readonly params: ThreadQueueDeleteParams; readonly result: ThreadQueueDeleteResponse }
  readonly "thread/queue/reorder": { readonly params: ThreadQueueReorderParams; readonly result: ThreadQueueReorderResponse }
  readonly "thread/queue/start": { readonly params: ThreadQueueStartParams; readonly result: ThreadQueueStartResponse }
  readonly "thread/metadata/update": { readonly params: ThreadMetadataUpdateParams; readonly result: ThreadMetadataUpdateResponse }
  readonly "thread/attachment/add": { readonly params: ThreadAttachmentAddParams; readonly result: ThreadAttachmentAddResponse }
  readonly "thread/attachment/list": { readonly params: ThreadAttachmentListParams; readonly result: ThreadAttachmentListResponse }
  readonly "thread/attachmentOwner/list": { readonly params: ThreadAttachmentOwnerListParams; readonly result: ThreadAttachmentOwnerListResponse }
  readonly "thread/attachment/remove": { readonly params: ThreadAttachmentRemoveParams; readonly result: ThreadAttachmentRemoveResponse }
  readonly "thread/section/move": { readonly params: ThreadSectionMoveParams; readonly result: ThreadSectionMoveResponse }
  readonly "thread/settings/update": { readonly params: ThreadSettingsUpdateParams; readonly result: ThreadSettingsUpdateResponse }
  readonly "thread/memoryMode/set": { readonly params: ThreadMemoryModeSetParams; readonly result: ThreadMemoryModeSetResponse }
  readonly "thread/memory/read": { readonly params: ThreadMemoryReadParams; readonly result: ThreadMemoryReadResponse }
  readonly "memory/status": { readonly params: MemoryStatusParams; readonly result: MemoryStatusResponse }
  readonly "memory/reset": { readonly params: null | undefined; readonly result: MemoryResetResponse }
  readonly "rollout/compress": { readonly params: null | undefined; readonly result: RolloutCompressResponse }
  readonly "thread/unarchive": { readonly params: ThreadUnarchiveParams; readonly result: ThreadUnarchiveResponse }
  readonly "thread/compact/start": { readonly params: ThreadCompactStartParams; readonly result: ThreadCompactStartResponse }
  readonly "thread/shellCommand": { readonly params: ThreadShellCommandParams; readonly result: ThreadShellCommandResponse }
  readonly "thread/approveGuardianDeniedAction": { readonly params: ThreadApproveGuardianDeniedActionParams; readonly result: ThreadApproveGuardianDeniedActionResponse }
  readonly "thread/backgroundTerminals/clean": { readonly params: ThreadBackgroundTerminalsCleanParams; readonly result: ThreadBackgroundTerminalsCleanResponse }
  readonly "thread/backgroundTerminals/list": { readonly params: ThreadBackgroundTerminalsListParams; readonly result: ThreadBackgroundTerminalsListResponse }
  readonly "thread/backgroundTerminals/terminate": { readonly params: ThreadBackgroundTerminalsTerminateParams; readonly result: ThreadBackgroundTerminalsTerminateResponse }
  readonly "thread/revert": { readonly params: ThreadRevertParams; readonly result: ThreadRevertResponse }
  readonly "thread/list": { readonly params: ThreadListParams; readonly result: ThreadListResponse }
  readonly "project/list": { readonly params: ProjectListParams; readonly result: ProjectListResponse }
  readonly "project/read": { readonly params: ProjectReadParams; readonly result: ProjectReadResponse }
  readonly "project/create": { readonly params: ProjectCreateParams; readonly result: ProjectCreateResponse }
  readonly "project/import": { readonly params: ProjectImportParams; readonly result: ProjectImportResponse }
  readonly "project/update": { readonly params: ProjectUpdateParams; readonly result: ProjectUpdateResponse }
  readonly "project/move": { readonly params: ProjectMoveParams; readonly result: ProjectMoveResponse }
  readonly "project/delete": { readonly params: ProjectDeleteParams; readonly result: ProjectDeleteResponse }
  readonly "threadSection/list": { readonly params: ThreadSectionListParams; readonly result: ThreadSectionListResponse }
  readonly "threadSection/create": { readonly params: ThreadSectionCreateParams; readonly result: ThreadSectionCreateResponse }
  readonly "threadSection/update": { readonly params: ThreadSectionUpdateParams; readonly result: ThreadSectionUpdateResponse }
  readonly "threadSection/delete": { readonly params: ThreadSectionDeleteParams; readonly result: ThreadSectionDeleteResponse }
  readonly "thread/search": { readonly params: ThreadSearchParams; readonly result: ThreadSearchResponse }
  readonly "thread/search/stream": { readonly params: ThreadSearchParams; readonly result: ThreadSearchResponse }
  readonly "thread/search/cancel": { readonly params: ThreadSearchCancelParams; readonly result: ThreadSearchCancelResponse }
  readonly "thread/search/stream/cancel": { readonly params: ThreadSearchCancelParams; readonly result: ThreadSearchCancelResponse }
  readonly "thread/searchOccurrences": { readonly params: ThreadSearchOccurrencesParams; readonly result: ThreadSearchOccurrencesResponse }
  readonly "thread/loaded/list": { readonly params: ThreadLoadedListParams; readonly result: ThreadLoadedListResponse }
  readonly "thread/read": { readonly params: ThreadReadParams; readonly result: ThreadReadResponse }
  readonly "thread/readState/update": { readonly params: ThreadReadStateUpdateParams; readonly result: ThreadReadStateUpdateResponse }
  readonly "thread/turns/list": { readonly params: ThreadTurnsListParams; readonly result: ThreadTurnsListResponse }
  readonly "thread/items/list": { readonly params: ThreadItemsListParams; readonly result: ThreadItemsListResponse }
  readonly "thread/items/read": { readonly params: ThreadItemsReadParams; readonly result: ThreadItemsReadResponse }
  readonly "thread/guardianReview": { readonly params: ThreadGuardianReviewParams; readonly result: ThreadGuardianReviewResponse }
  readonly "thread/inject_items": { readonly params: ThreadInjectItemsParams; readonly result: ThreadInjectItemsResponse }
  readonly "thread/prepareApprovedPlan": { readonly params: ThreadPrepareApprovedPlanParams; readonly result: ThreadPrepareApprovedPlanResponse }
  readonly "skills/list": { readonly params: SkillsListParams; readonly result: SkillsListResponse }
  readonly "skills/extraRoots/set": { readonly params: SkillsExtraRootsSetParams; readonly result: SkillsExtraRootsSetResponse }
  readonly "hooks/list": { readonly params: HooksListParams; readonly result: HooksListResponse }
  readonly "marketplace/add": { readonly params: MarketplaceAddParams; readonly result: MarketplaceAddResponse }
  readonly "marketplace/remove": { readonly params: MarketplaceRemoveParams; readonly result: MarketplaceRemoveResponse }
  readonly "marketplace/upgrade": { readonly params: MarketplaceUpgradeParams; readonly result: MarketplaceUpgradeResponse }
  readonly "plugin/list": { readonly params: PluginListParams; readonly result: PluginListResponse }
  readonly "plugin/search": { readonly params: PluginSearchParams; readonly result: PluginSearchResponse }
  readonly "plugin/installed": { readonly params: PluginInstalledParams; readonly result: PluginInstalledResponse }
  readonly "plugin/reconcile": { readonly params: PluginReconcileParams; readonly result: PluginReconcileResponse }
  readonly "plugin/read": { readonly params: PluginReadParams; readonly result: PluginReadResponse }
  readonly "plugin/skill/read": { readonly params: PluginSkillReadParams; readonly result: PluginSkillReadResponse }
  readonly "plugin/share/save": { readonly params: PluginShareSaveParams; readonly result: PluginShareSaveResponse }
  readonly "plugin/share/updateTargets": { readonly params: PluginShareUpdateTargetsParams; readonly result: PluginShareUpdateTargetsResponse }
  readonly "plugin/share/list": { readonly params: PluginShareListParams; readonly result: PluginShareListResponse }
  readonly "plugin/share/checkout": { readonly params: PluginShareCheckoutParams; readonly result: PluginShareCheckoutResponse }
  readonly "plugin/share/delete": { readonly params: PluginShareDeleteParams; readonly result: PluginShareDeleteResponse }
  readonly "app/read": { readonly params: AppsReadParams; readonly result: AppsReadResponse }
  readonly "app/list": { readonly params: AppsListParams; readonly result: AppsListResponse }
  readonly "app/installed": { readonly params: AppsInstalledParams; readonly result: AppsInstalledResponse }
  readonly "fs/readFile": { readonly params: FsReadFileParams; readonly result: FsReadFileResponse }
  readonly "fs/writeFile": { readonly params: FsWriteFileParams; readonly result: FsWriteFileResponse }
  readonly "fs/createDirectory": { readonly params: FsCreateDirectoryParams; readonly result: FsCreateDirectoryResponse }
  readonly "fs/getMetadata": { readonly params: FsGetMetadataParams; readonly result: FsGetMetadataResponse }
  readonly "fs/readDirectory": { readonly params: FsReadDirectoryParams; readonly result: FsReadDirectoryResponse }
  readonly "fs/remove": { readonly params: FsRemoveParams; readonly result: FsRemoveResponse }
  readonly "fs/copy": { readonly params: FsCopyParams; readonly result: FsCopyResponse }
  readonly "fs/watch": { readonly params: FsWatchParams; readonly result: FsWatchResponse }
  readonly "fs/unwatch": { readonly params: FsUnwatchParams; readonly result: FsUnwatchResponse }
  readonly "skills/config/write": { readonly params: SkillsConfigWriteParams; readonly result: SkillsConfigWriteResponse }
  readonly "plugin/install": { readonly params: PluginInstallParams; readonly result: PluginInstallResponse }
  readonly "plugin/uninstall": { readonly params: PluginUninstallParams; readonly result: PluginUninstallResponse }
  readonly "turn/start": { readonly params: TurnStartParams; readonly result: TurnStartResponse }
  readonly "turn/settings/update": { readonly params: TurnSettingsUpdateParams; readonly result: TurnSettingsUpdateResponse }
  readonly "turn/steer": { readonly params: TurnSteerParams; readonly result: TurnSteerResponse }
  readonly "turn/interrupt": { readonly params: TurnInterruptParams; readonly result: TurnInterruptResponse }
  readonly "thread/realtime/start": { readonly params: ThreadRealtimeStartParams; readonly result: ThreadRealtimeStartResponse }
  readonly "thread/realtime/appendAudio": { readonly params: ThreadRealtimeAppendAudioParams; readonly result: ThreadRealtimeAppendAudioResponse }
  readonly "thread/realtime/appendText": { readonly params: ThreadRealtimeAppendTextParams; readonly result: ThreadRealtimeAppendTextResponse }
  readonly "thread/realtime/appendSpeech": { readonly params: ThreadRealtimeAppendSpeechParams; readonly result: ThreadRealtimeAppendSpeechResponse }
  readonly "thread/realtime/stop": { readonly params: ThreadRealtimeStopParams; readonly result: ThreadRealtimeStopResponse }
  readonly "thread/timeline/list": { readonly params: ThreadTimelineListParams; readonly result: ThreadTimelineListResponse }
  readonly "thread/realtime/list": { readonly params: ThreadRealtimeListParams; readonly result: ThreadRealtimeListResponse }
  readonly "thread/realtime/listVoices": { readonly params: ThreadRealtimeListVoicesParams; readonly result: ThreadRealtimeListVoicesResponse }
  readonly "review/start": { readonly params: ReviewStartParams; readonly result: ReviewStartResponse }
  readonly "model/list": { readonly params: ModelListParams; readonly result: ModelListResponse }
  readonly "account/gatewayOAuth/read": { readonly params: GatewayOAuthReadParams | null | undefined; readonly result: GatewayOAuthReadResponse }
  readonly "account/gatewayOAuth/login": { readonly params: GatewayOAuthLoginParams | null | undefined; readonly result: GatewayOAuthLoginResponse }
  readonly "account/gatewayOAuth/cancel": { readonly params: null | undefined; readonly result: GatewayOAuthCancelResponse }
  readonly "modelProvider/list": { readonly params: ModelProviderListParams; readonly result: ModelProviderListResponse }
  readonly "modelProvider/config/write": { readonly params: ModelProviderConfigWriteParams; readonly result: ModelProviderConfigWriteResponse }
  readonly "modelProvider/default/set": { readonly params: ModelProviderDefaultSetParams; readonly result: ConfigWriteResponse }
  readonly "modelProvider/capabilities/read": { readonly params: ModelProviderCapabilitiesReadParams; readonly result: ModelProviderCapabilitiesReadResponse }
  readonly "experimentalFeature/list": { readonly params: ExperimentalFeatureListParams; readonly result: ExperimentalFeatureListResponse }
  readonly "permissionProfile/list": { readonly params: PermissionProfileListParams; readonly result: PermissionProfileListResponse }
  readonly "experimentalFeature/enablement/set": { readonly params: ExperimentalFeatureEnablementSetParams; readonly result: ExperimentalFeatureEnablementSetResponse }
  readonly "remoteControl/enable": { readonly params: RemoteControlEnableParams | null | undefined; readonly result: RemoteControlEnableResponse }
  readonly "remoteControl/disable": { readonly params: RemoteControlDisableParams | null | undefined; readonly result: RemoteControlDisableResponse }
  readonly "remoteControl/status/read": { readonly params: null | undefined; readonly result: RemoteControlStatusReadResponse }
  readonly "remoteControl/pairing/start": { readonly params: RemoteControlPairingStartParams; readonly result: RemoteControlPairingStartResponse }
  readonly "remoteControl/pairing/status": { readonly params: RemoteControlPairingStatusParams; readonly result: RemoteControlPairingStatusResponse }
  readonly "remoteControl/client/list": { readonly params: RemoteControlClientsListParams; readonly result: RemoteControlClientsListResponse }
  readonly "remoteControl/client/revoke": { readonly params: RemoteControlClientsRevokeParams; readonly result: RemoteControlClientsRevokeResponse }
  readonly "collaborationMode/list": { readonly params: CollaborationModeListParams; readonly result: CollaborationModeListResponse }
  readonly "mock/experimentalMethod": { readonly params: MockExperimentalMethodParams; readonly result: MockExperimentalMethodResponse }
  readonly "environment/add": { readonly params: EnvironmentAddParams; readonly result: EnvironmentAddResponse }
  readonly "environment/info": { readonly params: EnvironmentInfoParams; readonly result: EnvironmentInfoResponse }
  readonly "environment/status": { readonly params: EnvironmentStatusParams; readonly result: EnvironmentStatusResponse }
  readonly "mcpServer/oauth/login": { readonly params: McpServerOauthLoginParams; readonly result: McpServerOauthLoginResponse }
  readonly "config/mcpServer/reload": { readonly params: null | undefined; readonly result: McpServerRefreshResponse }
  readonly "mcpServerStatus/list": { readonly params: ListMcpServerStatusParams; readonly result: ListMcpServerStatusResponse }
  readonly "mcpServer/resource/read": { readonly params: McpResourceReadParams; readonly result: McpResourceReadResponse }
  readonly "mcpServer/event/stream/start": { readonly params: McpServerEventStreamStartParams; readonly result: McpServerEventStreamStartResponse }
  readonly "mcpServer/event/stream/stop": { readonly params: McpServerEventStreamStopParams; readonly result: McpServerEventStreamStopResponse }
  readonly "mcpServer/tool/call": { readonly params: McpServerToolCallParams; readonly result: McpServerToolCallResponse }
  readonly "windowsSandbox/setupStart": { readonly params: WindowsSandboxSetupStartParams; readonly result: WindowsSandboxSetupStartResponse }
  readonly "windowsSandbox/readiness": { readonly params: null | undefined; readonly result: WindowsSandboxReadinessResponse }
  readonly "account/login/start": { readonly params: LoginAccountParams; readonly result: LoginAccountResponse }
  readonly "account/bedrock/discover": { readonly params: BedrockDiscoverParams; readonly result: BedrockDiscoverResponse }
  readonly "account/bedrock/setup": { readonly params: BedrockSetupParams; readonly result: BedrockSetupResponse }
  readonly "account/gcp/setup": { readonly params: GcpSetupParams; readonly result: GcpSetupResponse }
  readonly "account/bedrock/checkGovCloudRequirements": { readonly params: BedrockCheckGovCloudRequirementsParams; readonly result: BedrockCheckGovCloudRequirementsResponse }
  readonly "account/login/cancel": { readonly params: CancelLoginAccountParams; readonly result: CancelLoginAccountResponse }
  readonly "accountSession/list": { readonly params: AccountSessionsListParams; readonly result: AccountSessionsResponse }
  readonly "accountSession/switch": { readonly params: AccountSessionsSwitchParams; readonly result: AccountSessionsSwitchResponse }
  readonly "account/logout": { readonly params: null | undefined; readonly result: LogoutAccountResponse }
  readonly "account/securitySetup/read": { readonly params: null | undefined; readonly result: GetAccountSecuritySetupResponse }
  readonly "account/rateLimits/read": { readonly params: GetAccountRateLimitsParams | null | undefined; readonly result: GetAccountRateLimitsResponse }
  readonly "account/rateLimitResetCredit/consume": { readonly params: ConsumeAccountRateLimitResetCreditParams; readonly result: ConsumeAccountRateLimitResetCreditResponse }
  readonly "account/usage/read": { readonly params: GetAccountTokenUsageParams | null | undefined; readonly result: GetAccountTokenUsageResponse }
  readonly "account/workspaceMessages/read": { readonly params: null | undefined; readonly result: GetWorkspaceMessagesResponse }
  readonly "account/sendAddCreditsNudgeEmail": { readonly params: SendAddCreditsNudgeEmailParams; readonly result: SendAddCreditsNudgeEmailResponse }
  readonly "feedback/upload": { readonly params: FeedbackUploadParams; readonly result: FeedbackUploadResponse }
  readonly "feedback/save": { readonly params: FeedbackSaveParams; readonly result: FeedbackSaveResponse }
  readonly "command/exec": { readonly params: CommandExecParams; readonly result: CommandExecResponse }
  readonly "command/exec/write": { readonly params: CommandExecWriteParams; readonly result: CommandExecWriteResponse }
  readonly "command/exec/terminate": { readonly params: CommandExecTerminateParams; readonly result: CommandExecTerminateResponse }
  readonly "command/exec/resize": { readonly params: CommandExecResizeParams; readonly result: CommandExecResizeResponse }
  readonly "process/spawn": { readonly params: ProcessSpawnParams; readonly result: ProcessSpawnResponse }
  readonly "process/writeStdin": { readonly params: ProcessWriteStdinParams; readonly result: ProcessWriteStdinResponse }
  readonly "process/kill": { readonly params: ProcessKillParams; readonly result: ProcessKillResponse }
  readonly "process/resizePty": { readonly params: ProcessResizePtyParams; readonly result: ProcessResizePtyResponse }
  readonly "config/read": { readonly params: ConfigReadParams; readonly result: ConfigReadResponse }
  readonly "externalAgentConfig/detect": { readonly params: ExternalAgentConfigDetectParams; readonly result: ExternalAgentConfigDetectResponse }
  readonly "externalAgentConfig/import": { readonly params: ExternalAgentConfigImportParams; readonly result: ExternalAgentConfigImportResponse }
  readonly "externalAgentConfig/import/recordHistory": { readonly params: ExternalAgentConfigImportHistoryRecordParams; readonly result: ExternalAgentConfigImportHistoryRecordResponse }
  readonly "externalAgentConfig/import/readHistories": { readonly params: null | undefined; readonly result: ExternalAgentConfigImportHistoriesReadResponse }
  readonly "config/value/write": { readonly params: ConfigValueWriteParams; readonly result: ConfigWriteResponse }
  readonly "config/batchWrite": { readonly params: ConfigBatchWriteParams; readonly result: ConfigWriteResponse }
  readonly "configRequirements/read": { readonly params: null | undefined; readonly result: ConfigRequirementsReadResponse }
  readonly "account/read": { readonly params: GetAccountParams; readonly result: GetAccountResponse }
  readonly "fuzzyFileSearch": { readonly params: FuzzyFileSearchParams; readonly result: FuzzyFileSearchResponse }
  readonly "fuzzyFileSearch/sessionStart": { readonly params: FuzzyFileSearchSessionStartParams; readonly result: FuzzyFileSearchSessionStartResponse }
  readonly "fuzzyFileSearch/sessionUpdate": { readonly params: FuzzyFileSearchSessionUpdateParams; readonly result: FuzzyFileSearchSessionUpdateResponse }
  readonly "fuzzyFileSearch/sessionStop": { readonly params: FuzzyFileSearchSessionStopParams; readonly result: FuzzyFileSearchSessionStopResponse }
}

export interface ServerRequests {
  readonly "account/chatgptAuthTokens/refresh": { readonly params: ChatgptAuthTokensRefreshParams; readonly result: ChatgptAuthTokensRefreshResponse }
  readonly "applyPatchApproval": { readonly params: ApplyPatchApprovalParams; readonly result: ApplyPatchApprovalResponse }
  readonly "attestation/generate": { readonly params: AttestationGenerateParams; readonly result: AttestationGenerateResponse }
  readonly "execCommandApproval": { readonly params: ExecCommandApprovalParams; readonly result: ExecCommandApprovalResponse }
  readonly "item/commandExecution/requestApproval": { readonly params: CommandExecutionRequestApprovalParams; readonly result: CommandExecutionRequestApprovalResponse }
  readonly "item/fileChange/requestApproval": { readonly params: FileChangeRequestApprovalParams; readonly result: FileChangeRequestApprovalResponse }
  readonly "item/permissions/requestApproval": { readonly params: PermissionsRequestApprovalParams; readonly result: PermissionsRequestApprovalResponse }
  readonly "item/tool/call": { readonly params: DynamicToolCallParams; readonly result: DynamicToolCallResponse }
  readonly "item/tool/requestUserInput": { readonly params: ToolRequestUserInputParams; readonly result: ToolRequestUserInputResponse }
  readonly "mcpServer/elicitation/request": { readonly params: McpServerElicitationRequestParams; readonly result: McpServerElicitationRequestResponse }
}

export interface ServerNotifications {
  readonly "account/gatewayOAuth/changed": { readonly params: GatewayOAuthChangedNotification }
  readonly "account/login/completed": { readonly params: AccountLoginCompletedNotification }
  readonly "account/rateLimits/updated": { readonly params: AccountRateLimitsUpdatedNotification }
  readonly "account/updated": { readonly params: AccountUpdatedNotification }
  readonly "app/list/updated": { readonly params: AppListUpdatedNotification }
  readonly "autoApprovalReview/strictReviewRequired": { readonly params: StrictReviewRequiredNotification }
  readonly "command/exec/outputDelta": { readonly params: CommandExecOutputDeltaNotification }
  readonly "configWarning": { readonly params: ConfigWarningNotification }
  readonly "deprecationNotice": { readonly params: DeprecationNoticeNotification }
  readonly "error": { readonly params: ErrorNotification }
  readonly "externalAgentConfig/import/completed": { readonly params: ExternalAgentConfigImportCompletedNotification }
  readonly "externalAgentConfig/import/progress": { readonly params: ExternalAgentConfigImportProgressNotification }
  readonly "fs/changed": { readonly params: FsChangedNotification }
  readonly "fuzzyFileSearch/sessionCompleted": { readonly params: FuzzyFileSearchSessionCompletedNotification }
  readonly "fuzzyFileSearch/sessionUpdated": { readonly params: FuzzyFileSearchSessionUpdatedNotification }
  readonly "guardianWarning": { readonly params: GuardianWarningNotification }
  readonly "hook/completed": { readonly params: HookCompletedNotification }
  readonly "hook/started": { readonly params: HookStartedNotification }
  readonly "item/agentMessage/delta": { readonly params: AgentMessageDeltaNotification }
  readonly "item/autoApprovalReview/completed": { readonly params: ItemGuardianApprovalReviewCompletedNotification }
  readonly "item/autoApprovalReview/started": { readonly params: ItemGuardianApprovalReviewStartedNotification }
  readonly "item/commandExecution/outputDelta": { readonly params: CommandExecutionOutputDeltaNotification }
  readonly "item/commandExecution/terminalInteraction": { readonly params: TerminalInteractionNotification }
  readonly "item/completed": { readonly params: ItemCompletedNotification }
  readonly "item/fileChange/outputDelta": { readonly params: FileChangeOutputDeltaNotification }
  readonly "item/fileChange/patchUpdated": { readonly params: FileChangePatchUpdatedNotification }
  readonly "item/mcpToolCall/progress": { readonly params: McpToolCallProgressNotification }
  readonly "item/plan/delta": { readonly params: PlanDeltaNotification }
  readonly "item/reasoning/summaryPartAdded": { readonly params: ReasoningSummaryPartAddedNotification }
  readonly "item/reasoning/summaryTextDelta": { readonly params: ReasoningSummaryTextDeltaNotification }
  readonly "item/reasoning/textDelta": { readonly params: ReasoningTextDeltaNotification }
  readonly "item/started": { readonly params: ItemStartedNotification }
  readonly "mcpServer/event/stream/notification": { readonly params: McpServerEventStreamNotification }
  readonly "mcpServer/oauthLogin/completed": { readonly params: McpServerOauthLoginCompletedNotification }
  readonly "mcpServer/startupStatus/updated": { readonly params: McpServerStatusUpdatedNotification }
  readonly "model/rerouted": { readonly params: ModelReroutedNotification }
  readonly "model/safetyBuffering/updated": { readonly params: ModelSafetyBufferingUpdatedNotification }
  readonly "model/verification": { readonly params: ModelVerificationNotification }
  readonly "modelProvider/authRecoveryCompleted": { readonly params: AuthRecoveryNotification }
  readonly "modelProvider/authRecoveryStarted": { readonly params: AuthRecoveryNotification }
  readonly "process/exited": { readonly params: ProcessExitedNotification }
  readonly "process/outputDelta": { readonly params: ProcessOutputDeltaNotification }
  readonly "project/changed": { readonly params: ProjectChangedNotification }
  readonly "rawResponse/completed": { readonly params: RawResponseCompletedNotification }
  readonly "rawResponseItem/completed": { readonly params: RawResponseItemCompletedNotification }
  readonly "remoteControl/status/changed": { readonly params: RemoteControlStatusChangedNotification }
  readonly "serverRequest/resolved": { readonly params: ServerRequestResolvedNotification }
  readonly "skills/changed": { readonly params: SkillsChangedNotification }
  readonly "thread/archived": { readonly params: ThreadArchivedNotification }
  readonly "thread/attachment/updated": { readonly params: ThreadAttachmentUpdatedNotification }
  readonly "thread/closed": { readonly params: ThreadClosedNotification }
  readonly "thread/compacted": { readonly params: ContextCompactedNotification }
  readonly "thread/deleted": { readonly params: ThreadDeletedNotification }
  readonly "thread/environment/connected": { readonly params: EnvironmentConnectionNotification }
  readonly "thread/environment/disconnected": { readonly params: EnvironmentConnectionNotification }
  readonly "thread/goal/cleared": { readonly params: ThreadGoalClearedNotification }
  readonly "thread/goal/updated": { readonly params: ThreadGoalUpdatedNotification }
  readonly "thread/name/updated": { readonly params: ThreadNameUpdatedNotification }
  readonly "thread/prediction/updated": { readonly params: ThreadPredictionUpdatedNotification }
  readonly "thread/project/updated": { readonly params: ThreadProjectUpdatedNotification }
  readonly "thread/queue/changed": { readonly params: ThreadQueueChangedNotification }
  readonly "thread/readState/changed": { readonly params: ThreadReadStateChangedNotification }
  readonly "thread/realtime/closed": { readonly params: ThreadRealtimeClosedNotification }
  readonly "thread/realtime/error": { readonly params: ThreadRealtimeErrorNotification }
  readonly "thread/realtime/item/completed": { readonly params: ThreadRealtimeItemCompletedNotification }
  readonly "thread/realtime/item/started": { readonly params: ThreadRealtimeItemStartedNotification }
  readonly "thread/realtime/item/transcript/delta": { readonly params: ThreadRealtimeItemTranscriptDeltaNotification }
  readonly "thread/realtime/itemAdded": { readonly params: ThreadRealtimeItemAddedNotification }
  readonly "thread/realtime/outputAudio/delta": { readonly params: ThreadRealtimeOutputAudioDeltaNotification }
  readonly "thread/realtime/sdp": { readonly params: ThreadRealtimeSdpNotification }
  readonly "thread/realtime/started": { readonly params: ThreadRealtimeStartedNotification }
  readonly "thread/realtime/transcript/delta": { readonly params: ThreadRealtimeTranscriptDeltaNotification }
  readonly "thread/realtime/transcript/done": { readonly params: ThreadRealtimeTranscriptDoneNotification }
  readonly "thread/reverted": { readonly params: ThreadRevertedNotification }
  readonly "thread/search/partial": { readonly params: ThreadSearchPartialNotification }
  readonly "thread/section/changed": { readonly params: ThreadSectionChangedNotification }
  readonly "thread/settings/updated": { readonly params: ThreadSettingsUpdatedNotification }
  readonly "thread/started": { readonly params: ThreadStartedNotification }
  readonly "thread/status/changed": { readonly params: ThreadStatusChangedNotification }
  readonly "thread/tokenUsage/updated": { readonly params: ThreadTokenUsageUpdatedNotification }
  readonly "thread/unarchived": { readonly params: ThreadUnarchivedNotification }
  readonly "turn/completed": { readonly params: TurnCompletedNotification }
  readonly "turn/diff/updated": { readonly params: TurnDiffUpdatedNotification }
  readonly "turn/moderationMetadata": { readonly params: TurnModerationMetadataNotification }
  readonly "turn/plan/updated": { readonly params: TurnPlanUpdatedNotification }
  readonly "turn/started": { readonly params: TurnStartedNotification }
  readonly "warning": { readonly params: WarningNotification }
  readonly "windows/worldWritableWarning": { readonly params: WindowsWorldWritableWarningNotification }
  readonly "windowsSandbox/setupCompleted": { readonly params: WindowsSandboxSetupCompletedNotification }
}

export interface ClientNotifications {
  readonly "initialized": { readonly params: null | undefined }
}
