export * as Workspace from "./Workspace.ts"
