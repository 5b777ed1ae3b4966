/**
 * The methods that this library speaks itself. The drift check compares these, and what they carry; everything else in
 * a release may change without touching us.
 */

/** Method names by envelope, as in an export. */
export interface UsedMethods {
  readonly clientRequests: ReadonlyArray<string>
  readonly serverRequests: ReadonlyArray<string>
  readonly serverNotifications: ReadonlyArray<string>
  readonly clientNotifications: ReadonlyArray<string>
  /**
   * Members that may be left out and that we write or read all the same, by definition, or by definition and variant.
   * Those that may not be left out need no mention.
   */
  readonly members: Readonly<Record<string, ReadonlyArray<string>>>
}

export const used: UsedMethods = {
  clientRequests: [
    "account/read",
    "config/read",
    "initialize",
    "model/list",
    "thread/backgroundTerminals/clean",
    "thread/backgroundTerminals/list",
    "thread/backgroundTerminals/terminate",
    "thread/compact/start",
    "thread/fork",
    "thread/goal/clear",
    "thread/goal/get",
    "thread/goal/set",
    "thread/read",
    "thread/resume",
    "thread/start",
    "thread/turns/list",
    "thread/unsubscribe",
    "turn/interrupt",
    "turn/start",
    "turn/steer"
  ],
  serverRequests: [
    "account/chatgptAuthTokens/refresh",
    "applyPatchApproval",
    "attestation/generate",
    "execCommandApproval",
    "item/commandExecution/requestApproval",
    "item/fileChange/requestApproval",
    "item/permissions/requestApproval",
    "item/tool/call",
    "item/tool/requestUserInput",
    "mcpServer/elicitation/request"
  ],
  serverNotifications: [
    "account/rateLimits/updated",
    "configWarning",
    "deprecationNotice",
    "error",
    "guardianWarning",
    "item/agentMessage/delta",
    "item/autoApprovalReview/completed",
    "item/autoApprovalReview/started",
    "item/commandExecution/outputDelta",
    "item/commandExecution/terminalInteraction",
    "item/completed",
    "item/fileChange/outputDelta",
    "item/fileChange/patchUpdated",
    "item/mcpToolCall/progress",
    "item/plan/delta",
    "item/reasoning/summaryPartAdded",
    "item/reasoning/summaryTextDelta",
    "item/reasoning/textDelta",
    "item/started",
    "mcpServer/startupStatus/updated",
    "model/rerouted",
    "serverRequest/resolved",
    "thread/closed",
    "thread/compacted",
    "thread/goal/cleared",
    "thread/goal/updated",
    "thread/settings/updated",
    "thread/started",
    "thread/status/changed",
    "thread/tokenUsage/updated",
    "turn/completed",
    "turn/diff/updated",
    "turn/plan/updated",
    "turn/started",
    "warning"
  ],
  clientNotifications: ["initialized"],
  members: {
    // written
    InitializeParams: ["capabilities"],
    InitializeCapabilities: ["experimentalApi"],
    ThreadStartParams: [
      "approvalPolicy",
      "config",
      "cwd",
      "developerInstructions",
      "dynamicTools",
      "ephemeral",
      "model",
      "modelProvider",
      "sandbox"
    ],
    ThreadResumeParams: [
      "approvalPolicy",
      "config",
      "cwd",
      "developerInstructions",
      "excludeTurns",
      "model",
      "modelProvider",
      "sandbox"
    ],
    ThreadForkParams: [
      "approvalPolicy",
      "config",
      "cwd",
      "developerInstructions",
      "ephemeral",
      "excludeTurns",
      "lastTurnId",
      "model",
      "modelProvider",
      "sandbox"
    ],
    ThreadTurnsListParams: ["limit"],
    ThreadGoalSetParams: ["objective", "status", "tokenBudget"],
    TurnStartParams: [
      "approvalPolicy",
      "clientUserMessageId",
      "collaborationMode",
      "effort",
      "model",
      "outputSchema",
      "sandboxPolicy"
    ],
    TurnSteerParams: ["clientUserMessageId"],
    Settings: ["developer_instructions", "reasoning_effort"],
    "SandboxPolicy:workspaceWrite": ["networkAccess", "writableRoots"],
    ModelListParams: ["cursor"],
    PermissionsRequestApprovalResponse: ["scope"],
    McpServerElicitationRequestResponse: ["_meta", "content"],
    // read
    Config: ["model", "model_reasoning_effort"],
    GetAccountResponse: ["account"],
    ModelListResponse: ["nextCursor"],
    Turn: ["durationMs", "error"],
    TurnError: ["additionalDetails", "codexErrorInfo"],
    ThreadTokenUsage: ["modelContextWindow"],
    ThreadGoal: ["tokenBudget"],
    ThreadGoalGetResponse: ["goal"],
    TurnPlanUpdatedNotification: ["explanation"],
    McpServerStatusUpdatedNotification: ["error"],
    "ThreadItem:userMessage": ["clientId"],
    "ThreadItem:agentMessage": ["phase"],
    "ThreadItem:reasoning": ["content", "summary"],
    "ThreadItem:commandExecution": ["aggregatedOutput", "durationMs", "exitCode", "source"],
    "ThreadItem:mcpToolCall": ["durationMs", "error", "result"],
    "ThreadItem:dynamicToolCall": ["contentItems", "durationMs", "namespace"],
    "ThreadItem:collabAgentToolCall": ["prompt"],
    "PatchChangeKind:update": ["move_path"],
    CommandExecutionRequestApprovalParams: ["command", "cwd", "networkApprovalContext", "reason"],
    FileChangeRequestApprovalParams: ["grantRoot", "reason"],
    PermissionsRequestApprovalParams: ["reason"],
    ToolRequestUserInputQuestion: ["isOther", "isSecret", "options"],
    "McpServerElicitationRequestParams:form": ["_meta", "turnId"],
    DynamicToolCallParams: ["namespace"]
  }
}
