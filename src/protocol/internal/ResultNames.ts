/**
 * Which definition a request answers with. Exports name the params of a method and leave the result to convention.
 */

/** Results whose name follows neither from the params nor from the method. */
const exceptions: Readonly<Record<string, string>> = {
  "account/gatewayOAuth/cancel": "GatewayOAuthCancelResponse",
  "account/logout": "LogoutAccountResponse",
  "account/securitySetup/read": "GetAccountSecuritySetupResponse",
  "account/workspaceMessages/read": "GetWorkspaceMessagesResponse",
  "accountSession/list": "AccountSessionsResponse",
  "config/batchWrite": "ConfigWriteResponse",
  "config/mcpServer/reload": "McpServerRefreshResponse",
  "config/value/write": "ConfigWriteResponse",
  "externalAgentConfig/import/readHistories": "ExternalAgentConfigImportHistoriesReadResponse",
  "modelProvider/default/set": "ConfigWriteResponse"
}

/** `thread/name/set` becomes `ThreadNameSet`. */
export const pascalCase = (method: string): string =>
  method.split(/[/_]/).map((part) => part.slice(0, 1).toUpperCase() + part.slice(1)).join("")

/** The name of the result of a request, if one of the candidates is defined. */
export const resultName = (
  method: string,
  params: string | undefined,
  isDefined: (name: string) => boolean
): string | undefined =>
  [exceptions[method], params?.replace(/Params$/, "Response"), `${pascalCase(method)}Response`]
    .find((name) => name !== undefined && name.endsWith("Response") && isDefined(name))
