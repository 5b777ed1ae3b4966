/**
 * The door for Codex clients: a server that speaks the protocol of `codex app-server` in front of any agent.
 */
export * as Bridge from "./Bridge.ts"
export * as BridgeConfig from "./BridgeConfig.ts"
export * from "./BridgeError.ts"
export { BridgeServer } from "./BridgeServer.ts"
export type { Call, ClientConnection, Handler, Handlers } from "./ClientConnection.ts"
