export * as OmpRpc from "./OmpRpc.ts"
export * as OmpRpcBackend from "./OmpRpcBackend.ts"
