export * as AppServerScript from "./AppServerScript.ts"
export * as FakeAppServer from "./FakeAppServer.ts"
