/**
 * What is used of omp's SDK.
 *
 * It is written down here, and not imported from the package: its types are those of Bun and of some hundred modules
 * beside it, and the package is not there for most of those who compile against this one.
 */

export interface Model {
  readonly provider: string
  readonly id: string
  readonly name?: string | undefined
  readonly contextWindow?: number | null | undefined
  readonly thinking?:
    | { readonly efforts?: ReadonlyArray<string> | undefined; readonly defaultLevel?: string | undefined }
    | undefined
}

export interface Settings {
  get(path: string): unknown
  /** For this instance; nothing is written. */
  override(path: string, value: unknown): void
  getModelRole(role: string): string | undefined
  /** The settings as they are for a directory, with what was overridden. */
  cloneForCwd(cwd: string): Promise<Settings>
  reloadFromDisk(): Promise<void>
}

export interface AuthStorage {
  readonly close: () => void
}

export interface ModelRegistry {
  find(provider: string, id: string): Model | undefined
  /** Those that there is a login or a key for. */
  getAvailable(): Array<Model>
  hasConcreteAuth(provider: string): boolean
  getError(): { readonly message: string } | undefined
  /** Those that tell their models when they are asked. */
  getDiscoverableProviders(): Array<string>
  /** Asks them. */
  refreshInBackground(): void
}

export interface SessionManager {
  getCwd(): string
  setCwdWithoutRelocation(cwd: string): void
  buildSessionContext(): {
    /** e.g. `goal`, `goal_paused`. */
    readonly mode?: string | undefined
    readonly modeData?: { readonly goal?: Goal } | undefined
  }
  onPersistenceError(listener: (error: Error) => void): () => void
}

export interface Image {
  readonly type: "image"
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

export interface Goal {
  readonly objective: string
  /** `active`, `paused`, `budget-limited`, `complete` or `dropped`. */
  readonly status: string
  readonly tokenBudget?: number | undefined
  readonly tokensUsed: number
  readonly timeUsedSeconds: number
}

export interface GoalState {
  readonly enabled: boolean
  readonly mode: "active" | "exiting"
  readonly goal: Goal
}

export interface GoalInput {
  readonly objective: string
  readonly tokenBudget?: number | undefined
}

export interface GoalRuntime {
  createGoal(input: GoalInput): Promise<GoalState>
  pauseGoal(): Promise<GoalState | undefined>
  resumeGoal(): Promise<GoalState>
  dropGoal(): Promise<Goal | undefined>
  completeGoalFromTool(): Promise<Goal>
  onBudgetMutated(budget: number | undefined): Promise<GoalState | undefined>
  onThreadResumed(): Promise<GoalState | undefined>
  /** What the model is told to go on with a goal; `undefined` where none is active. */
  buildContinuationPrompt(): string | undefined
}

export interface Session {
  readonly sessionId: string
  readonly sessionFile: string | undefined
  readonly model: Model | undefined
  readonly isStreaming: boolean
  readonly settings: Settings
  readonly sessionManager: SessionManager
  readonly goalRuntime: GoalRuntime
  subscribe(listener: (event: { readonly type: string }) => void): () => void
  /** Resolves when the agent is at rest; `false` where a command took the text. */
  prompt(text: string, options: {
    readonly images: ReadonlyArray<Image>
    readonly expandPromptTemplates: boolean
    readonly streamingBehavior?: "steer" | undefined
  }): Promise<boolean>
  promptCustomMessage(message: {
    readonly customType: string
    readonly content: string
    readonly display: boolean
    readonly attribution: "agent"
  }): Promise<boolean>
  steer(text: string, images: ReadonlyArray<Image>): Promise<void>
  abort(options: { readonly reason: string }): Promise<void>
  compact(): Promise<unknown>
  abortCompaction(): void
  /** For this session alone. */
  setModelTemporary(model: Model, thinkingLevel?: string): Promise<void>
  /** For this session alone. */
  setThinkingLevel(level: string): void
  getGoalModeState(): GoalState | undefined
  setGoalModeState(state: GoalState): void
  getEnabledToolNames(): Array<string>
  setActiveToolsByName(names: ReadonlyArray<string>): Promise<void>
  dispose(): Promise<void>
}

export interface ToolOutput {
  readonly content: ReadonlyArray<{ readonly type: "text"; readonly text: string } | Image>
  readonly isError?: boolean | undefined
}

export interface CustomTool {
  readonly name: string
  readonly label: string
  readonly description: string
  /** JSON Schema. */
  readonly parameters: unknown
  /** What is not essential is reached through another tool. */
  readonly loadMode: "essential"
  readonly approval: "read"
  readonly execute: (
    callId: string,
    params: unknown,
    onUpdate: unknown,
    context: unknown,
    signal?: AbortSignal
  ) => Promise<ToolOutput>
}

export interface DialogOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds. */
  readonly timeout?: number | undefined
  readonly onTimeout?: (() => void) | undefined
}

export type SelectOption = string | { readonly label: string; readonly description?: string | undefined }

export interface AskQuestion {
  readonly id: string
  readonly question: string
  readonly header?: string | undefined
  readonly options: ReadonlyArray<{ readonly label: string; readonly description?: string | undefined }>
  readonly multi?: boolean | undefined
  /** Which option the model would take. */
  readonly recommended?: number | undefined
}

export interface AskAnswer {
  readonly id: string
  readonly question: string
  readonly options: ReadonlyArray<string>
  readonly multi: boolean
  readonly selectedOptions: ReadonlyArray<string>
  readonly customInput?: string
  readonly timedOut?: boolean
}

/** What extensions and tools ask of people. */
export interface Dialogs {
  /** What the tool `ask` asks; `undefined` ends the run. */
  askDialog(
    questions: ReadonlyArray<AskQuestion>,
    given?: DialogOptions
  ): Promise<{ readonly kind: "submit"; readonly results: ReadonlyArray<AskAnswer> } | undefined>
  select(
    title: string,
    options: ReadonlyArray<SelectOption>,
    given?: DialogOptions
  ): Promise<string | undefined>
  confirm(title: string, message: string, given?: DialogOptions): Promise<boolean>
  input(title: string, placeholder?: string, given?: DialogOptions): Promise<string | undefined>
  editor(title: string, prefill?: string, given?: DialogOptions): Promise<string | undefined>
  notify(message: string): void
}

/** The rest is about a terminal's screen. */
export interface UiContext extends Dialogs {
  readonly theme: unknown
}

export interface SessionResult {
  readonly session: Session
  readonly setToolUIContext: (ui: UiContext, hasUI: boolean) => void
  readonly mcpManager?: { getAllServerNames(): Array<string> } | undefined
  /** Why it is another model than the one that was named, or none. */
  readonly modelFallbackMessage?: string | undefined
}

export interface SessionOptions {
  readonly cwd: string
  readonly settings: Settings
  readonly authStorage: AuthStorage
  readonly modelRegistry: ModelRegistry
  readonly sessionManager: SessionManager
  /** Agents of one process find one another by it. */
  readonly agentId: string
  readonly model?: Model
  /** A name of a model that an extension may bring. */
  readonly modelPattern?: string
  readonly thinkingLevel?: string
  readonly customSystemPrompt?: string
  readonly appendSystemPrompt?: string
  readonly hasUI: boolean
  readonly interactivePrompts: boolean
  readonly customTools: ReadonlyArray<CustomTool>
  readonly extensions: ReadonlyArray<unknown>
}

/** The package's main module. */
export interface Main {
  readonly VERSION: string
  readonly getAgentDir: () => string
  readonly Settings: { init(options: { readonly cwd: string }): Promise<Settings> }
  readonly SessionManager: {
    create(cwd: string): SessionManager
    inMemory(cwd: string): SessionManager
    open(
      file: string,
      directory: undefined,
      storage: undefined,
      options: { readonly initialCwd: string; readonly throwIfMissing: boolean }
    ): Promise<SessionManager>
  }
  readonly ModelRegistry: new(
    auth: AuthStorage,
    modelsFile: undefined,
    options: { readonly settings: Settings }
  ) => ModelRegistry
  readonly discoverAuthStorage: () => Promise<AuthStorage>
  readonly createAgentSession: (options: SessionOptions) => Promise<SessionResult>
  readonly initTheme: (watch: boolean) => Promise<void>
  /** As it is at the moment. */
  readonly theme: unknown
}

/** `modes/runtime-init` */
export interface RuntimeInit {
  readonly initializeExtensions: (session: Session, options: {
    readonly mode: "rpc"
    readonly uiContext: UiContext
    readonly reportSendError: (action: string, error: Error) => void
    readonly reportRuntimeError: (
      error: { readonly extensionPath: string; readonly event: string; readonly error: string }
    ) => void
  }) => Promise<void>
}

/** `config/model-resolver` */
export interface ModelResolver {
  readonly resolveModelRoleValue: (
    role: string | undefined,
    available: ReadonlyArray<Model>,
    options: { readonly settings: Settings }
  ) => { readonly model?: Model | undefined }
  readonly pickDefaultAvailableModel: (
    available: ReadonlyArray<Model>,
    hasKey: (provider: string) => boolean
  ) => Model | undefined
}

/** `config` */
export interface Config {
  readonly findConfigFile: (
    name: string,
    options: { readonly user: boolean; readonly cwd: string }
  ) => string | undefined
}
