/**
 * How the bridge answers each request of the protocol. One table: the router is built from it, and so is
 * `docs/protocol-coverage.md`. A method that is missing here does not compile, so that no client ever waits in vain.
 *
 * - `by`: a feature of the bridge serves it, with a handler in the `Handlers` of that feature.
 * - `neutral`: there is nothing here that it could be about (no plugins, no login, …), and clients wait for an answer
 *   in the shape they know: the answer that codex gives when it has none of it either. A function of the params alone.
 * - `refused`: a sentence for the error, and its code where it is not the usual one. For what would have to do something
 *   that the bridge cannot do.
 */
import * as Effect from "effect/Effect"
import { methodNotFound } from "../protocol/ErrorCodes.ts"
import type * as Open from "../protocol/generated/OpenTypes.ts"
import type * as Strict from "../protocol/generated/StrictTypes.ts"
import { methods } from "../protocol/Methods.ts"
import { NotSupported, refuse } from "./BridgeError.ts"
import type { ClientMethod, Handler, Handlers } from "./ClientConnection.ts"

/** The parts of the bridge that serve methods. */
export type Feature =
  | "catalog"
  | "connection"
  | "goals"
  | "organizing"
  | "queue"
  | "review"
  | "search"
  | "threads"
  | "turns"
  | "workspace"

/** How one method is answered. */
export type Handling<M extends ClientMethod> =
  | { readonly by: Feature }
  | { readonly neutral: (params: Open.ClientRequests[M]["params"]) => Strict.ClientRequests[M]["result"] }
  | { readonly refused: string; readonly code?: number }

type Table = { readonly [M in ClientMethod]: Handling<M> }

const nothing = () => ({})
const emptyPage = () => ({ data: [], nextCursor: null })

const agentsOwn = (what: string) => ({
  refused: `${what} belong to the agent behind this server: set them up there.`
})
const noPlugins = { refused: "There are no plugins here: extensions belong to the agent behind this server." }
const noAccount = { refused: "There is no account here: the agent behind this server signs in by itself." }
const noRemoteControl = {
  refused: "This server cannot be reached through remote control. Connect to its socket, e.g. over SSH."
}
const noRealtime = { refused: "Voice conversations are not supported by this server." }
const noVerification = { refused: "User verification is not available on this server." }

const table = {
  initialize: { by: "connection" },

  "account/bedrock/checkGovCloudRequirements": { neutral: () => ({ isGovCloud: false, shouldWarn: false }) },
  "account/bedrock/discover": { neutral: () => ({ profiles: [], environmentCredentials: [] }) },
  "account/bedrock/setup": noAccount,
  "account/gatewayOAuth/cancel": { neutral: nothing },
  "account/gatewayOAuth/login": noAccount,
  "account/gatewayOAuth/read": { by: "catalog" },
  "account/gcp/setup": noAccount,
  "account/login/cancel": { neutral: () => ({ status: "notFound" }) },
  "account/login/start": noAccount,
  "account/logout": { neutral: nothing },
  "account/rateLimitResetCredit/consume": noAccount,
  // Codex without an account refuses these as well, and a refusal is what clients hide the display for.
  "account/rateLimits/read": { refused: "codex account authentication required to read rate limits" },
  "account/read": { by: "catalog" },
  "account/securitySetup/read": { neutral: () => ({ notice: null }) },
  "account/sendAddCreditsNudgeEmail": noAccount,
  "account/usage/read": { refused: "codex account authentication required to read token usage" },
  "account/workspaceMessages/read": { refused: "codex account authentication required to read workspace messages" },
  "accountSession/list": { neutral: () => ({ activeSessionId: null, sessions: [] }) },
  "accountSession/switch": noAccount,

  "app/installed": { neutral: () => ({ apps: [] }) },
  "app/list": { neutral: emptyPage },
  "app/read": { neutral: ({ appIds }) => ({ apps: [], missingAppIds: appIds }) },

  "collaborationMode/list": { by: "catalog" },

  "command/exec": { by: "workspace" },
  "command/exec/resize": { by: "workspace" },
  "command/exec/terminate": { by: "workspace" },
  "command/exec/write": { by: "workspace" },

  "config/batchWrite": { by: "catalog" },
  "config/mcpServer/reload": { neutral: nothing },
  "config/read": { by: "catalog" },
  "config/value/write": { by: "catalog" },
  "configRequirements/read": { neutral: () => ({ supportsIndependentSpeedModes: false, requirements: null }) },

  "environment/add": { refused: "Threads run on the machine of this server: other environments cannot be added." },
  "environment/info": { by: "catalog" },
  "environment/status": { by: "catalog" },

  "experimentalFeature/enablement/set": { by: "catalog" },
  "experimentalFeature/list": { by: "catalog" },

  "externalAgentConfig/detect": { neutral: () => ({ items: [], connectors: [] }) },
  "externalAgentConfig/import": { refused: "The set-up of other agents cannot be imported into this server." },
  "externalAgentConfig/import/readHistories": { neutral: () => ({ data: [], connectors: [] }) },
  "externalAgentConfig/import/recordHistory": {
    refused: "The set-up of other agents cannot be imported into this server."
  },

  "feedback/save": { refused: "This server keeps no feedback. See its log file for what happened." },
  "feedback/upload": { refused: "sending feedback is disabled by configuration" },

  "fs/copy": { by: "workspace" },
  "fs/createDirectory": { by: "workspace" },
  "fs/getMetadata": { by: "workspace" },
  "fs/readDirectory": { by: "workspace" },
  "fs/readFile": { by: "workspace" },
  "fs/remove": { by: "workspace" },
  "fs/unwatch": { by: "workspace" },
  "fs/watch": { by: "workspace" },
  "fs/writeFile": { by: "workspace" },

  fuzzyFileSearch: { by: "workspace" },
  "fuzzyFileSearch/sessionStart": { by: "workspace" },
  "fuzzyFileSearch/sessionStop": { by: "workspace" },
  "fuzzyFileSearch/sessionUpdate": { by: "workspace" },

  "hooks/list": { by: "catalog" },

  "marketplace/add": noPlugins,
  "marketplace/remove": noPlugins,
  "marketplace/upgrade": { neutral: () => ({ selectedMarketplaces: [], upgradedRoots: [], errors: [] }) },

  "mcpServer/event/stream/start": agentsOwn("MCP servers"),
  "mcpServer/event/stream/stop": { neutral: nothing },
  "mcpServer/oauth/login": agentsOwn("MCP servers"),
  "mcpServer/resource/read": agentsOwn("MCP servers"),
  "mcpServer/tool/call": agentsOwn("MCP servers"),
  "mcpServerStatus/list": { by: "catalog" },

  "memory/reset": { neutral: nothing },
  "memory/status": { neutral: () => ({ v2ConsolidatedThreads: 0, v2Ready: false }) },

  "mock/experimentalMethod": { neutral: ({ value }) => ({ echoed: value ?? null }) },

  "model/list": { by: "catalog" },
  "modelProvider/capabilities/read": { neutral: () => ({ imageGeneration: false, webSearch: false }) },
  "modelProvider/config/write": agentsOwn("Model providers"),
  "modelProvider/default/set": { by: "catalog" },
  "modelProvider/list": { by: "catalog" },

  "permissionProfile/list": { by: "catalog" },

  "plugin/install": noPlugins,
  "plugin/installed": { neutral: () => ({ marketplaces: [], marketplaceLoadErrors: [] }) },
  "plugin/list": { neutral: () => ({ marketplaces: [], marketplaceLoadErrors: [], featuredPluginIds: [] }) },
  "plugin/read": noPlugins,
  "plugin/reconcile": {
    neutral: () => ({ changedPlugins: [], failedRemotePluginIds: [], failedMaterializationRemotePluginIds: [] })
  },
  "plugin/search": { neutral: emptyPage },
  "plugin/share/checkout": noPlugins,
  "plugin/share/delete": noPlugins,
  "plugin/share/list": { refused: "plugin sharing is not enabled" },
  "plugin/share/save": noPlugins,
  "plugin/share/updateTargets": noPlugins,
  "plugin/skill/read": noPlugins,
  "plugin/uninstall": noPlugins,

  "process/kill": { by: "workspace" },
  "process/resizePty": { by: "workspace" },
  "process/spawn": { by: "workspace" },
  "process/writeStdin": { by: "workspace" },

  "project/create": { by: "organizing" },
  "project/delete": { by: "organizing" },
  "project/import": { by: "organizing" },
  "project/list": { by: "organizing" },
  "project/move": { by: "organizing" },
  "project/read": { by: "organizing" },
  "project/update": { by: "organizing" },

  "remoteControl/client/list": noRemoteControl,
  "remoteControl/client/revoke": noRemoteControl,
  "remoteControl/disable": noRemoteControl,
  "remoteControl/enable": noRemoteControl,
  "remoteControl/pairing/start": noRemoteControl,
  "remoteControl/pairing/status": noRemoteControl,
  "remoteControl/status/read": { by: "catalog" },

  "review/start": { by: "review" },

  // Nothing is stored that could be compressed.
  "rollout/compress": { neutral: nothing },

  "server/diagnostics": { by: "catalog" },

  "skills/config/write": agentsOwn("Skills"),
  "skills/extraRoots/set": { neutral: nothing },
  "skills/list": { by: "catalog" },

  "thread/approveGuardianDeniedAction": {
    refused: "No reviewer decides on approvals here: answer the approval itself."
  },
  "thread/archive": { by: "threads" },
  "thread/attachment/add": { by: "organizing" },
  "thread/attachment/list": { by: "organizing" },
  "thread/attachment/remove": { by: "organizing" },
  "thread/attachmentOwner/list": { by: "organizing" },
  "thread/backgroundTerminals/clean": { neutral: nothing },
  "thread/backgroundTerminals/list": { neutral: emptyPage },
  "thread/backgroundTerminals/terminate": { neutral: () => ({ terminated: false }) },
  "thread/compact/start": { by: "threads" },
  "thread/decrement_elicitation": { refused: "Deadlines of approvals cannot be paused on this server." },
  "thread/delete": { by: "threads" },
  "thread/fork": { by: "threads" },
  "thread/goal/clear": { by: "goals" },
  "thread/goal/get": { by: "goals" },
  "thread/goal/set": { by: "goals" },
  "thread/guardianReview": { refused: "No reviewer decides on approvals here: answer the approval itself." },
  "thread/increment_elicitation": { refused: "Deadlines of approvals cannot be paused on this server." },
  "thread/inject_items": { by: "threads" },
  "thread/items/list": { by: "threads" },
  "thread/items/read": { by: "search" },
  "thread/list": { by: "threads" },
  "thread/loaded/list": { by: "threads" },
  "thread/memory/read": { neutral: () => ({ summary: null }) },
  "thread/memoryMode/set": { neutral: nothing },
  "thread/metadata/update": { by: "threads" },
  "thread/name/set": { by: "threads" },
  "thread/prediction/request": { refused: "thread/prediction/request is not implemented yet", code: methodNotFound },
  // The plan is in the conversation, and so are its approvals.
  "thread/prepareApprovedPlan": { neutral: () => ({ prompt: "Implement the plan." }) },
  "thread/queue/add": { by: "queue" },
  "thread/queue/delete": { by: "queue" },
  "thread/queue/list": { by: "queue" },
  "thread/queue/reorder": { by: "queue" },
  "thread/queue/start": { by: "queue" },
  "thread/queue/update": { by: "queue" },
  "thread/read": { by: "threads" },
  "thread/readState/update": { by: "threads" },
  "thread/realtime/appendAudio": noRealtime,
  "thread/realtime/appendSpeech": noRealtime,
  "thread/realtime/appendText": noRealtime,
  "thread/realtime/list": {
    neutral: () => ({ data: [], nextCursor: null, snapshotEnd: 0, projectedThroughItemIndex: 0, coverage: "ready" })
  },
  "thread/realtime/listVoices": noRealtime,
  "thread/realtime/start": noRealtime,
  "thread/realtime/stop": { neutral: nothing },
  "thread/resume": { by: "threads" },
  "thread/revert": { by: "threads" },
  "thread/sample": { refused: "Only whole turns can be asked of the agent behind this server." },
  "thread/sample/cancel": { neutral: nothing },
  "thread/search": { by: "search" },
  "thread/search/cancel": { by: "search" },
  "thread/search/stream": { by: "search" },
  "thread/search/stream/cancel": { by: "search" },
  "thread/searchOccurrences": { by: "search" },
  "thread/section/move": { by: "organizing" },
  "thread/settings/update": { by: "threads" },
  "thread/shellCommand": { by: "threads" },
  "thread/start": { by: "threads" },
  "thread/timeline/list": { by: "threads" },
  "thread/turns/list": { by: "threads" },
  "thread/unarchive": { by: "threads" },
  "thread/unsubscribe": { by: "threads" },
  "threadSection/create": { by: "organizing" },
  "threadSection/delete": { by: "organizing" },
  "threadSection/list": { by: "organizing" },
  "threadSection/update": { by: "organizing" },

  "turn/interrupt": { by: "turns" },
  "turn/settings/update": { by: "turns" },
  "turn/start": { by: "turns" },
  "turn/steer": { by: "turns" },

  "userVerification/cancel": { neutral: nothing },
  "userVerification/delete": noVerification,
  "userVerification/enroll": noVerification,
  "userVerification/status": {
    neutral: () => ({
      credentialId: null,
      unavailableReason: "providerUnavailable",
      unavailableMessage: noVerification.refused
    })
  },
  "userVerification/verify": noVerification,

  "windowsSandbox/readiness": { neutral: () => ({ status: "notConfigured" }) },
  "windowsSandbox/setupStart": { refused: "Commands are run by the agent behind this server, in its own sandbox." }
} as const satisfies Table

/** The table. */
export const methodTable: Table = table

/** The methods that a feature has to serve. */
export type MethodsOf<F extends Feature> = {
  [M in ClientMethod]: (typeof table)[M] extends { readonly by: F } ? M : never
}[ClientMethod]

/** The handlers of a feature, all of them. */
export type HandlersOf<F extends Feature> = { readonly [M in MethodsOf<F>]: Handler<M> }

const isMethod = (method: string): method is ClientMethod => Object.hasOwn(methodTable, method)

/** All methods, in the order of the protocol's own table. */
export const clientMethods: ReadonlyArray<ClientMethod> = methods("client request").filter(isMethod)

/** The methods that a feature serves. */
export const servedBy = (feature: Feature): ReadonlyArray<ClientMethod> =>
  clientMethods.filter((method) => {
    const handling = methodTable[method]
    return "by" in handling && handling.by === feature
  })

/** The methods that a feature should serve, and that these handlers lack. Empty in a complete bridge. */
export const unserved = (handlers: Handlers): ReadonlyArray<ClientMethod> =>
  clientMethods.filter((method) => "by" in methodTable[method] && handlers[method] === undefined)

const answerFor = <M extends ClientMethod>(method: M): Handler<M> => {
  const handling: Handling<M> = methodTable[method]
  if ("neutral" in handling) return (params) => Effect.sync(() => handling.neutral(params))
  const { code, refused } = "refused" in handling
    ? handling
    : { code: undefined, refused: `${method} is not available on this server.` }
  const reason = new NotSupported({ message: refused, ...(code === undefined ? {} : { code }) })
  return () => Effect.fail(refuse(reason))
}

/** A handler for each method of the protocol. */
export type Answers = { readonly [M in ClientMethod]: Handler<M> }

/** Handlers for all methods: those of the features, and for the rest what the table says. */
export const complete = (features: Handlers): Answers => {
  const answer = <M extends ClientMethod>(method: M): Handler<M> => features[method] ?? answerFor(method)
  // `clientMethods` are the keys of the type, which the compiler cannot know of a list.
  return Object.fromEntries(clientMethods.map((method) => [method, answer(method)])) as unknown as Answers
}
