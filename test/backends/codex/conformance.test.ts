import { layer } from "../../support/codexDriver.ts"
import { backendConformance } from "../../support/conformance.ts"

backendConformance("codex 0.171.0", { layer, clock: "live" })
