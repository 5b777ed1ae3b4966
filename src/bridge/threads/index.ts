export * as ThreadMethods from "./ThreadMethods.ts"
export * as Threads from "./Threads.ts"
