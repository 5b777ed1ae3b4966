export * as PiBackend from "./PiBackend.ts"
export type { PiSdkOptions } from "./PiSdk.ts"
