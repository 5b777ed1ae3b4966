export { defaultScenario } from "./DefaultScenario.ts"
export * as Scenario from "./Scenario.ts"
export * as ScriptedBackend from "./ScriptedBackend.ts"
