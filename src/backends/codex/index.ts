export * from "./AppServer.ts"
export * as CodexBackend from "./CodexBackend.ts"
export * as CodexNode from "./CodexNode.ts"
export * from "./CodexOptions.ts"
