export * from "./AppServer.ts"
export * as CodexBackend from "./CodexBackend.ts"
export * from "./CodexOptions.ts"
