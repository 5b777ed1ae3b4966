export * as PiBackend from "./PiBackend.ts"
