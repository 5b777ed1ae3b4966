export * as Selector from "./Selector.ts"
